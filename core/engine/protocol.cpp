#include "engine/protocol.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/encoding.hpp"

namespace codebox {

using nlohmann::json;

void to_json(json& out, const Failure& value) {
  out = {{"reason", static_cast<int>(value.reason)}, {"message", value.message}};
}

void from_json(const json& in, Failure& value) {
  const int reason = in.at("reason").get<int>();
  const bool known = reason >= 0 && reason <= static_cast<int>(Reason::internal);
  value.reason = known ? static_cast<Reason>(reason) : Reason::internal;
  in.at("message").get_to(value.message);
}

}  // namespace codebox

namespace codebox::engine {
namespace {

using nlohmann::json;

}  // namespace

void to_json(json& out, const LauncherConfig& value) {
  out = {{"endpoint", value.endpoint},
         {"backend", value.backend},
         {"instance", value.instance},
         {"agent_file", value.agent_file},
         {"ca_bundle", value.ca_bundle},
         {"pull", value.pull},
         {"full_network", value.full_network},
         {"registry_auth", value.registry_auth},
         {"podman_dir", value.podman_dir},
         {"tls_ca", value.tls.ca},
         {"tls_certificate", value.tls.certificate},
         {"tls_key", value.tls.key}};
}

void from_json(const json& in, LauncherConfig& value) {
  in.at("endpoint").get_to(value.endpoint);
  in.at("backend").get_to(value.backend);
  in.at("instance").get_to(value.instance);
  in.at("agent_file").get_to(value.agent_file);
  in.at("ca_bundle").get_to(value.ca_bundle);
  in.at("pull").get_to(value.pull);
  in.at("full_network").get_to(value.full_network);
  in.at("registry_auth").get_to(value.registry_auth);
  in.at("podman_dir").get_to(value.podman_dir);
  in.at("tls_ca").get_to(value.tls.ca);
  in.at("tls_certificate").get_to(value.tls.certificate);
  in.at("tls_key").get_to(value.tls.key);
}

void to_json(json& out, const CreateSpec& value) {
  out = {{"image", value.image},          {"language", value.language}, {"runtime", value.runtime},
         {"memory", value.limits.memory}, {"disk", value.limits.disk},  {"install", value.limits.install},
         {"cpus", value.limits.cpus},     {"pids", value.limits.pids},  {"network", value.network},
         {"layer", value.layer}};
}

void from_json(const json& in, CreateSpec& value) {
  in.at("image").get_to(value.image);
  in.at("language").get_to(value.language);
  in.at("runtime").get_to(value.runtime);
  in.at("memory").get_to(value.limits.memory);
  in.at("disk").get_to(value.limits.disk);
  in.at("install").get_to(value.limits.install);
  in.at("cpus").get_to(value.limits.cpus);
  in.at("pids").get_to(value.limits.pids);
  in.at("network").get_to(value.network);
  in.at("layer").get_to(value.layer);
}

void to_json(json& out, const Layer& value) {
  out = {{"key", value.key}, {"created", value.created}, {"size", value.size}};
}

void from_json(const json& in, Layer& value) {
  in.at("key").get_to(value.key);
  in.at("created").get_to(value.created);
  in.at("size").get_to(value.size);
}

void to_json(json& out, const EngineInfo& value) {
  out = {{"name", value.name},        {"version", value.version}, {"endpoint", value.endpoint},
         {"cgroups", value.cgroups},  {"memory", value.memory},   {"cpus", value.cpus},
         {"rootless", value.rootless}};
}

void from_json(const json& in, EngineInfo& value) {
  in.at("name").get_to(value.name);
  in.at("version").get_to(value.version);
  in.at("endpoint").get_to(value.endpoint);
  in.at("cgroups").get_to(value.cgroups);
  in.at("memory").get_to(value.memory);
  in.at("cpus").get_to(value.cpus);
  in.at("rootless").get_to(value.rootless);
}

void to_json(json& out, const ImageInfo& value) {
  out = {{"image", value.id},
         {"env", value.env},
         {"architecture", value.architecture},
         {"packages", value.packages}};
}

void from_json(const json& in, ImageInfo& value) {
  in.at("image").get_to(value.id);
  in.at("env").get_to(value.env);
  in.at("architecture").get_to(value.architecture);
  in.at("packages").get_to(value.packages);
}

void to_json(json& out, const ContainerState& value) {
  out = {{"running", value.running}, {"out_of_memory", value.out_of_memory}, {"exit_code", value.exit_code}};
}

void from_json(const json& in, ContainerState& value) {
  in.at("running").get_to(value.running);
  in.at("out_of_memory").get_to(value.out_of_memory);
  in.at("exit_code").get_to(value.exit_code);
}

void to_json(json& out, const Container& value) {
  out = {
      {"container", value.id}, {"early", encoding::to_hex(value.early)}, {"multiplexed", value.multiplexed}};
}

void from_json(const json& in, Container& value) {
  in.at("container").get_to(value.id);
  auto early = encoding::from_hex(in.at("early").get<std::string>());
  if (!early) throw std::runtime_error("the early bytes are not hexadecimal");
  value.early = std::move(*early);
  in.at("multiplexed").get_to(value.multiplexed);
}

std::string dump(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace codebox::engine
