#pragma once

/// What the images that launchers make are known by: repositories and labels. Constants.
namespace codebox::engine {

inline constexpr const char* prepared_repository = "codebox/prepared";
inline constexpr const char* prepared_base_label = "codebox.base";
inline constexpr const char* prepared_owner_label = "codebox.prepared.of";
/// The digest of what was added to the base.
inline constexpr const char* prepared_with_label = "codebox.prepared.with";

inline constexpr const char* layer_repository = "codebox/layer";
inline constexpr const char* layer_owner_label = "codebox.layer.of";
inline constexpr const char* layer_key_label = "codebox.layer.key";
inline constexpr const char* layer_prepared_label = "codebox.layer.on";
inline constexpr const char* layer_created_label = "codebox.layer.created";
inline constexpr const char* layer_size_label = "codebox.layer.size";

}  // namespace codebox::engine
