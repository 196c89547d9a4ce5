#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/settings.hpp"
#include "base/clock.hpp"
#include "engine/engine.hpp"
#include "plugin/language.hpp"

/// `codebox doctor`: looks at everything that the server needs and says of each thing in one line whether it
/// works or what to do. It changes nothing and shows no secret. One thread; a topic is one function that adds
/// lines.
namespace codebox::app::doctor {

/// Whether something works: a warning may be meant so, a problem cannot.
enum class Verdict { ok, warning, problem };

/// The word for a verdict, for example "warning".
const char* to_string(Verdict verdict);

/// One finding. Plain value.
struct Line {
  std::string topic;  ///< one word, for example "engine"
  Verdict verdict = Verdict::ok;
  std::string text;  ///< one sentence: what is there, or what is wrong and what to do
};

/// What was found, in the order in which it was looked at. Owned by the command; one thread.
class Report {
 public:
  void ok(const std::string& topic, std::string text);
  void warn(const std::string& topic, std::string text);
  void problem(const std::string& topic, std::string text);
  /// A problem in the words of what failed; one whose reason is `invalid` is a bad setting.
  void problem(const std::string& topic, const Failure& failure);

  const std::vector<Line>& lines() const { return lines_; }
  /// 0 where nothing is a problem, 2 where a setting is bad, else 1.
  int exit_status() const;
  /// A line each, and a last one with the counts.
  std::string text() const;
  /// {"exit_status": 0, "checks": [{"topic": "engine", "verdict": "ok", "text": "..."}]}
  std::string json() const;

 private:
  void add(const std::string& topic, Verdict verdict, std::string text);

  std::vector<Line> lines_;
  bool bad_setting_ = false;
};

/// The token's secret or key, and that Open WebUI's tokens would be read with it.
void look_at_token(Report& report, const Settings& settings);
/// Open WebUI: address, TLS, version, whether JWT_SECRET is its secret, and the difference of the clocks.
void look_at_open_webui(Report& report, const Settings& settings, const Clock& clock);
/// What only an administrator of Open WebUI may see, with that person's token: whether connections lead to a
/// server of ours and are as documented, and what people may do with files. Leaves nothing there.
void look_at_connections(Report& report, const Settings& settings, const std::string& token);
/// HOST and PORT: free, or this server's already.
void look_at_port(Report& report, const Settings& settings);
/// TLS_CERT and TLS_KEY: they fit, and the certificate is in force at the clock's time.
void look_at_certificate(Report& report, const Settings& settings, const Clock& clock);
/// STATE_DIR: it can be written, and how much room is left.
void look_at_state(Report& report, const Settings& settings);
/// What waits for calls on the server that runs with this STATE_DIR, and the memory that it holds.
void look_at_pool(Report& report, const Settings& settings);
/// PLUGIN_DIR: what is loaded and what is refused. The languages that are offered, also where none is.
std::vector<std::shared_ptr<const plugin::LanguageSpec>> look_at_plugins(
    Report& report, const Settings& settings, const std::filesystem::path& program);
/// SANDBOX_CA_BUNDLE, SANDBOX_ALLOWED_HOSTS and EGRESS_PROXY.
void look_at_network(Report& report, const Settings& settings);
/// The container engine: version, socket, cgroups; whether it answers, so that more can be asked of it.
bool look_at_engine(Report& report, engine::Engine& engine);
/// Which limits hold on this engine.
void look_at_limits(Report& report, engine::Engine& engine, const Settings& settings);
/// The image of each language: present, and of this machine's architecture.
void look_at_images(Report& report, engine::Engine& engine, const Settings& settings,
                    const std::vector<std::shared_ptr<const plugin::LanguageSpec>>& languages);

/// Each limit, tried in a sandbox as the server does at its start.
void look_at_proof(Report& report, engine::Engine& engine, const Settings& settings,
                   const std::vector<std::shared_ptr<const plugin::LanguageSpec>>& languages);

/// Where the server of these settings would be reached from this machine, for example "127.0.0.1:8000".
std::string local_authority(const Settings& settings);

}  // namespace codebox::app::doctor
