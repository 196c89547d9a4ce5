#pragma once
#include <string>
#include <string_view>

/// What models call files, taken apart. Pure functions; any thread.
namespace codebox::openwebui {

/// What a model's words for a file come down to: an id (a lower-case UUID), else a name, else nothing. Plain
/// value.
struct Reference {
  std::string id;
  std::string name;
};

/// Takes a bare UUID, "file-UUID", ".../files/UUID" and ".../files/UUID/anything", with or without a host,
/// which is dropped. Anything else on one line is a name.
Reference parse_reference(std::string_view text);

bool is_uuid(std::string_view text);

/// The last part of a path-like name: "/mnt/data/a.csv" -> "a.csv".
std::string_view base_name(std::string_view name);

}  // namespace codebox::openwebui
