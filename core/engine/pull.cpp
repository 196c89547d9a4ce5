#include "engine/pull.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "engine/image.hpp"

namespace codebox::engine {
namespace {

using nlohmann::json;

bool mentions(const std::string& words, std::initializer_list<std::string_view> any) {
  return std::any_of(any.begin(), any.end(),
                     [&](std::string_view part) { return words.find(part) != std::string::npos; });
}

/// What the engine tells of a pull, layer by layer.
class Progress {
 public:
  void take(const json& line) {
    const std::string id = line.value("id", "");
    const std::string status = line.value("status", "");
    if (id.empty() || (layers_.size() >= 256 && !layers_.contains(id))) return;
    if (status.starts_with("Pulling from")) return;
    auto& layer = layers_[id];
    layer.done = layer.done || status == "Pull complete" || status == "Already exists";
    const json detail = line.value("progressDetail", json::object());
    if (status == "Downloading" && detail.is_object())
      layer.bytes = detail.value("current", std::uint64_t{0});
  }

  std::string text() const {
    std::size_t done = 0;
    std::uint64_t bytes = 0;
    for (const auto& [id, layer] : layers_) {
      done += layer.done ? 1 : 0;
      bytes += layer.bytes;
    }
    return std::to_string(done) + " of " + std::to_string(layers_.size()) + " layers, " + text::size(bytes);
  }

 private:
  struct Layer {
    bool done = false;
    std::uint64_t bytes = 0;
  };
  std::map<std::string, Layer> layers_;
};

/// The reference as query parameters; without a tag the engine would pull every tag.
std::string query(const std::string& reference) {
  const bool digest = reference.find('@') != std::string::npos;
  const auto name = reference.rfind('/') == std::string::npos ? 0 : reference.rfind('/');
  const auto colon = reference.find(':', name);
  if (digest) return "fromImage=" + reference;
  if (colon == std::string::npos) return "fromImage=" + reference + "&tag=latest";
  return "fromImage=" + reference.substr(0, colon) + "&tag=" + reference.substr(colon + 1);
}

}  // namespace

Failure pull_failure(const std::string& reference, std::string_view words) {
  const std::string said = text::lower(words);
  const std::string image = "The image " + text::quoted(reference);
  const std::string detail = " (" + text::quoted(words, 300) + ")";
  if (mentions(said, {"toomanyrequests", "too many requests", "rate limit", "429"}))
    return {Reason::image, image + " was not pulled because its registry allows no more requests for now" +
                               detail + "; wait, or log the engine in to the registry."};
  if (mentions(said, {"dial tcp", "lookup ", "no such host", "i/o timeout", "connection refused",
                      "tls handshake", "x509", "client.timeout", "context deadline", "proxyconnect", "eof",
                      "network is unreachable", "connection reset", "request canceled", "server misbehaving",
                      "service unavailable", "bad gateway"}))
    return {Reason::image, image + " was not pulled because its registry cannot be reached" + detail +
                               "; check the engine's network and proxy, or load the image by hand."};
  if (mentions(said, {"denied", "unauthorized", "authentication required", "forbidden", "no basic auth"}))
    return {Reason::image, image + " was not pulled because its registry denies access or does not know it" +
                               detail + "; check the name, or log in and pull it by hand."};
  if (mentions(said, {"not found", "manifest unknown", "name unknown", "no such image", "does not exist",
                      "no matching manifest"}))
    return {Reason::image,
            image + " does not exist in its registry" + detail + "; check its name and tag, or build it."};
  return {Reason::image, image + " could not be pulled" + detail + "; try it by hand on the engine."};
}

Result<void> pull(const Daemon& daemon, const std::string& reference, const std::string& login,
                  const std::function<void(std::string)>& progress, const std::stop_token& stop) {
  Progress state;
  std::string error;
  auto told = std::chrono::steady_clock::now();
  const auto line = [&](std::string_view text) {
    const auto parsed = json::parse(text, nullptr, false);
    if (!parsed.is_object()) return;
    if (parsed.contains("error")) {
      error = parsed["error"].is_string() ? parsed["error"].get<std::string>() : "unknown error";
      return;
    }
    state.take(parsed);
    const auto now = std::chrono::steady_clock::now();
    if (now - told < std::chrono::milliseconds(500)) return;
    told = now;
    progress(state.text());
  };
  const std::string target = daemon.dialect.prefix + "/images/create?" + query(reference);
  const auto answer = daemon.api.stream("POST", target, line, stop, login);
  if (stop.stop_requested())
    return Failure{Reason::cancelled, "Pulling the image " + text::quoted(reference) + " was cancelled."};
  if (!answer) return answer.failure();
  if (!answer->ok()) return pull_failure(reference, error_text(*answer));
  if (!error.empty()) return pull_failure(reference, error);
  // An answer that was cut off looks like one that ended.
  const auto there = inspect_image(daemon, reference);
  return there ? check_architecture(daemon, *there, reference) : there.failure();
}

}  // namespace codebox::engine
