#include "engine/prepare.hpp"

#include <openssl/evp.h>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/body.hpp"
#include "engine/filters.hpp"
#include "engine/tar.hpp"
#include "engine/workpiece.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

constexpr const char* repository = "codebox/prepared";
constexpr const char* base_label = "codebox.base";
/// Another server on this engine may have another agent; it makes its image again where we were too eager.
constexpr std::int64_t old_after = 7 * 24 * 3600;

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string out;
  for (unsigned i = 0; i < size; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 15];
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const Preparer::Addition>> Preparer::addition() {
  const std::lock_guard lock(mutex_);
  if (addition_) return addition_;
  std::ifstream file(agent_file_, std::ios::binary);
  const std::string agent((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || agent.empty())
    return Failure{Reason::internal, "The agent's program " + text::quoted(agent_file_) +
                                         " cannot be read; install codebox completely."};
  std::vector<TarEntry> entries = {{".codebox", "", 0755, true}, {".codebox/agent", agent, 0755}};
  if (!certificates_.empty()) entries.push_back({std::string(ca_path).substr(1), certificates_, 0644});
  auto made = std::make_shared<Addition>();
  made->archive = tar(entries);
  made->digest = sha256(made->archive);
  addition_ = std::move(made);
  return addition_;
}

std::shared_ptr<std::mutex> Preparer::mutex_of(const std::string& tag) {
  const std::lock_guard lock(mutex_);
  auto& mutex = making_[tag];
  if (!mutex) mutex = std::make_shared<std::mutex>();
  return mutex;
}

Result<std::string> Preparer::prepared(const Daemon& daemon, const Image& base) {
  const auto added = addition();
  if (!added) return added.failure();
  const std::string tag = sha256(base.info.id + " " + (*added)->digest).substr(0, 16);
  const std::string reference = std::string(repository) + ":" + tag;
  const auto mutex = mutex_of(tag);
  const std::lock_guard once(*mutex);
  const auto there = inspect_image(daemon, reference);
  if (there) return reference;
  if (there.failure().reason != Reason::not_found) return there.failure();
  const auto work = busy();
  const auto made = make(daemon, base, **added, tag);
  if (!made) return made.failure();
  return reference;
}

Result<void> Preparer::make(const Daemon& daemon, const Image& base, const Addition& added,
                            const std::string& tag) {
  const auto workpiece = make_workpiece(daemon, base.info.id, {{instance_label, instance_}});
  if (!workpiece) return workpiece.failure();
  const std::string& id = (*workpiece)->id();
  const auto filled =
      daemon.call("PUT", "/containers/" + id + "/archive?path=/", added.archive, "application/x-tar");
  if (!filled) return filled.failure();
  if (!filled->ok()) return refusal("put the agent into an image", *filled);
  const json config = {{"Labels", {{base_label, base.info.id}}}};
  const auto committed = daemon.call(
      "POST", "/commit?container=" + id + "&repo=" + repository + "&tag=" + tag + "&pause=0", config.dump());
  if (!committed) return committed.failure();
  if (!committed->ok()) return refusal("commit a prepared image", *committed);
  log::info("Prepared the image " + std::string(repository) + ":" + tag + ".");
  discard_old(daemon, base.info.id);
  return {};
}

/// Removes what an earlier agent was put into, unless it is in use.
void Preparer::discard_old(const Daemon& daemon, const std::string& base) {
  const std::string label = std::string(base_label) + "=" + base;
  const auto answer = daemon.call("GET", "/images/json?filters=" + filters({{"label", label}}));
  if (!answer || !answer->ok()) return;
  const auto images = json::parse(answer->body, nullptr, false);
  if (!images.is_array()) return;
  for (const auto& image : images) {
    if (!image.is_object() || !image.contains("Id") || !image["Id"].is_string()) continue;
    if (!image.contains("Created") || !image["Created"].is_number_integer()) continue;
    if (image["Created"].get<std::int64_t>() + old_after > std::time(nullptr)) continue;
    (void)daemon.call("DELETE", "/images/" + image["Id"].get<std::string>());
  }
}

}  // namespace codebox::engine
