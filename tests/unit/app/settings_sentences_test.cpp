#include "app/graph.hpp"
#include "app/plugins.hpp"
#include "app/server_user.hpp"
#include "app/settings.hpp"
#include "app/state_lock.hpp"
#include "doctor.hpp"
#include "egress/rules.hpp"
#include "engine/api.hpp"
#include "engine/check.hpp"
#include "http/server.hpp"
#include "languages.hpp"
#include "openwebui/client.hpp"
#include "sentences.hpp"
#include "support/fake_engine.hpp"
#include "support/web_server.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;

namespace {

std::string refusal(const Variables& environment, const Variables& dotenv = {}) {
  return sentence(read_settings(environment, dotenv));
}

std::string open_webui_refusal(const std::string& url, const std::string& bundle = "") {
  openwebui::Options options;
  options.base_url = url;
  options.ca_bundle = bundle;
  return sentence(openwebui::Client::make(options));
}

template <class Look>
std::string doctor_says(const std::string& topic, const Settings& settings, Look look) {
  doctor::Report report;
  look(report, settings);
  return line(report, topic).text;
}

std::string network_refusal(const egress::Rules& rules) {
  Settings settings;
  settings.run.rules = rules;
  return doctor_says("network", settings, doctor::look_at_network);
}

std::string plugin_refusal(const std::filesystem::path& folder, std::vector<std::string> languages) {
  Settings settings;
  settings.plugin_dir = folder;
  settings.languages = std::move(languages);
  doctor::Report report;
  doctor::look_at_plugins(report, settings, "/nonexistent/codebox");
  return line(report, "plugins").text;
}

std::string language_doubt(const std::string& name, const std::string& value) {
  const auto settings = read_settings({{name, value}}, {});
  REQUIRE(settings.ok());
  return language_doubts(*settings, languages_of({"python", "ruby"})).at(0);
}

std::string dotenv_refusal(const std::filesystem::path& folder) {
  const auto before = std::filesystem::current_path();
  // Root may read all that can be read, but not what leads back to itself.
  std::filesystem::create_symlink(".env", folder / ".env");
  std::filesystem::current_path(folder);
  const auto settings = load_settings();
  std::filesystem::current_path(before);
  return sentence(settings);
}

std::string runtime_refusal() {
  engine::CreateSpec spec;
  spec.image = "codebox/sandbox-python:latest";
  spec.language = "python";
  spec.runtime = "-x";
  return sentence(engine::check(spec));
}

std::string state_refusal() {
  const Folder folder;
  REQUIRE(instance_name(folder.path()));
  const auto first = lock_state(folder.path(), {});
  REQUIRE(first);
  return sentence(lock_state(folder.path(), std::chrono::milliseconds(60)));
}

std::string core_refusal() {
  codebox::test::FakeEngine engine;
  Settings settings;
  settings.run.limits.cpus = 64;
  doctor::Report report;
  doctor::look_at_limits(report, engine, settings);
  return line(report, "limits").text;
}

std::string port_sentence(const std::string& host, std::uint16_t port) {
  Settings settings;
  settings.http.host = host;
  settings.http.port = port;
  return doctor_says("port", settings, doctor::look_at_port);
}

}  // namespace

TEST_CASE("each bad setting is answered with the sentence of the documentation") {
  const Folder folder;
  const support::WebServer other([](const support::WebRequest&, const support::WebConnection& connection) {
    connection.reply(404, "no");
  });
  compare("Settings",
          {
              {"a name in .env that is no setting", refusal({}, {{"SANDBOX_MAX_MEMROY", "1GB"}})},
              {"a .env file that may not be read", dotenv_refusal(folder.path())},
              {"a line of .env that is no setting", sentence(parse_dotenv("A=1\nnonsense\n"))},
              {"a port that is none", refusal({{"PORT", "eighty"}})},
              {"a size that is none, too small or too large", refusal({{"SANDBOX_MAX_MEMORY", "lots"}})},
              {"a word where another is due", refusal({{"SANDBOX_NETWORK", "wild"}})},
              {"an image reference that is none", refusal({{"SANDBOX_IMAGE_PYTHON", "a b"}})},
              {"an environment without an equals sign", refusal({{"SANDBOX_ENV_PYTHON", "novalue"}})},
              {"an address of pages that is none", refusal({{"PUBLIC_URL", "chat.example.com"}})},
              {"an origin without its scheme", refusal({{"ALLOWED_ORIGINS", "chat.example.com"}})},
              {"a name in the environment that is no setting (a warning)",
               read_settings({{"SANDBOX_MAX_MEMROY", "1GB"}}, {})->doubts.at(0)},
              {"a setting of a language that there is not (a warning)",
               language_doubt("SANDBOX_IMAGE_PYHTON", "codebox/sandbox-python")},
              {"one of two TLS files", refusal({{"TLS_CERT", "/x"}})},
              {"an allowlist without hosts", refusal({{"SANDBOX_NETWORK", "allowlist"}})},
              {"an allowed host that is none", network_refusal({{"not a host"}, ""})},
              {"a proxy that is none", network_refusal({{}, "ftp://proxy"})},
              {"OWUI_BASE_URL that is none", open_webui_refusal("open-webui")},
              {"OWUI_BASE_URL with a password", open_webui_refusal("http://ann:word@open-webui")},
              {"OWUI_CA_BUNDLE that cannot be read",
               open_webui_refusal("https://open-webui", "/nonexistent/ca.pem")},
              {"SANDBOX_CA_BUNDLE that cannot be read",
               sentence(read_file("SANDBOX_CA_BUNDLE", "/nonexistent/ca.pem"))},
              {"STATE_DIR that cannot be written", sentence(instance_name("/proc/codebox"))},
              {"STATE_DIR that another server has", state_refusal()},
              {"SERVER_USER who does not exist", sentence(server_user_ids("nobody-of-this-name"))},
              {"SERVER_USER who is root", sentence(server_user_ids("root"))},
              {"PLUGIN_DIR that cannot be read", plugin_refusal(folder.path() / "none", {})},
              {"PLUGIN_DIR without a plugin", plugin_refusal(folder.path(), {})},
              {"a language that no plugin provides", plugin_refusal(folder.path(), {"cobol"})},
              {"SANDBOX_RUNTIME that is no name", runtime_refusal()},
              {"SANDBOX_RUNTIME that the engine does not know",
               engine::refusal("create a sandbox", {400, R"({"message":"Unknown runtime specified runsc"})"})
                   .message},
              {"more cores than there are", core_refusal()},
              {"HOST that is not this machine's", port_sentence("192.0.2.1", 0)},
              {"PORT that another program has", port_sentence("127.0.0.1", other.port())},
          });
}
