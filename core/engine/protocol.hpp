#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "engine/tls.hpp"

/// How values look in the messages between server and launcher.
///
///   server   {"id": 7, "do": "start", "spec": {...}}     launcher   {"id": 7, "ok": {...}} with the stream's
///   descriptor
///            {"cancel": 7}                                          {"id": 7, "progress": "..."}
///                                                                   {"id": 7, "failure": {"reason": 3,
///                                                                   "message": "..."}}
///
/// The readers throw nlohmann's exceptions on values of another shape; the one who received the message
/// catches them. Pure functions; any thread.
namespace codebox::engine {

/// What a launcher is told at its start, on a descriptor of its own, since certificates may be long.
struct LauncherConfig {
  std::string endpoint;
  std::string backend;
  std::string instance;
  std::string agent_file;
  std::string ca_bundle;
  std::string pull;
  bool full_network = false;
  std::string registry_auth;
  std::string podman_dir;
  TlsFiles tls;
};

void to_json(nlohmann::json& out, const LauncherConfig& value);
void from_json(const nlohmann::json& in, LauncherConfig& value);
void to_json(nlohmann::json& out, const CreateSpec& value);
void from_json(const nlohmann::json& in, CreateSpec& value);
void to_json(nlohmann::json& out, const EngineInfo& value);
void from_json(const nlohmann::json& in, EngineInfo& value);
void to_json(nlohmann::json& out, const ImageInfo& value);
void from_json(const nlohmann::json& in, ImageInfo& value);
void to_json(nlohmann::json& out, const ContainerState& value);
void from_json(const nlohmann::json& in, ContainerState& value);
void to_json(nlohmann::json& out, const Layer& value);
void from_json(const nlohmann::json& in, Layer& value);
/// All of a container but its stream.
void to_json(nlohmann::json& out, const Container& value);
void from_json(const nlohmann::json& in, Container& value);

}  // namespace codebox::engine

namespace codebox {
void to_json(nlohmann::json& out, const Failure& value);
void from_json(const nlohmann::json& in, Failure& value);
}  // namespace codebox

namespace codebox::engine {
/// One message as text; bytes that are not UTF-8 are replaced.
std::string dump(const nlohmann::json& message);
}  // namespace codebox::engine
