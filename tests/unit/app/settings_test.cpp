#include "app/settings.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

#include "app/value.hpp"

using namespace codebox;

namespace {

app::Settings read(const app::Variables& variables) {
  auto settings = app::read_settings(variables, {});
  REQUIRE(settings.ok());
  return *settings;
}

std::string refusal(const app::Variables& environment, const app::Variables& dotenv = {}) {
  const auto settings = app::read_settings(environment, dotenv);
  REQUIRE_FALSE(settings.ok());
  CHECK(settings.failure().reason == Reason::invalid);
  return settings.failure().message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// All that a setting with a fixed name decides, as text.
std::vector<std::string> values(const app::Settings& s) {
  std::vector<std::string> out;
  const auto add = [&out](const auto&... each) {
    std::ostringstream text;
    ((text << each << '\n'), ...);
    out.push_back(text.str());
  };
  add(s.auth.secret, s.auth.algorithm, s.auth.leeway.count());
  add(s.quota.per_second, s.quota.burst, s.quota.concurrent, s.quota.per_user);
  add(s.http.host, s.http.port, s.http.max_body, s.http.tls_cert, s.http.tls_key);
  add(s.owui_base_url, s.owui_verify_tls, s.owui_ca_bundle, s.owui_public_url);
  add(s.owui_check_user, s.owui_status, s.run.embeds, s.run.embed_hosts.size());
  add(s.run.inline_images, s.run.inline_bytes);
  add(s.allowed_origins.size(), s.public_url, s.files_ttl.count(), s.state_dir, s.server_user);
  add(s.plugin_dir, s.plugin_trusted_keys.size(), static_cast<int>(s.log_level));
  add(static_cast<int>(s.log_format));
  add(s.container_backend, s.container_host, s.container_tls_ca, s.container_tls_cert, s.container_tls_key);
  add(s.run.runtime, static_cast<int>(s.run.pull), s.registry_auth, s.languages.size());
  add(s.pool_size, s.pool_memory, s.run.layers.on, s.run.layers.ttl.count(), s.run.layers.size);
  add(s.run.layers.builds_per_hour, s.run.exec_timeout.count());
  add(s.run.limits.memory, s.run.limits.cpus, s.run.limits.pids, s.run.limits.disk, s.run.limits.install);
  add(s.max_total_memory, static_cast<int>(s.proof));
  add(s.run.max_file, s.run.max_files, s.run.max_output);
  add(static_cast<int>(s.run.network), s.run.rules.allowed_hosts.size(), s.run.rules.proxy);
  add(s.run.allowance.traffic, s.run.allowance.connections, s.ca_bundle);
  return out;
}

}  // namespace

TEST_CASE("the defaults are those of the documentation") {
  const app::Settings settings = read({});
  CHECK(settings.http.host == "0.0.0.0");
  CHECK(settings.http.port == 8000);
  CHECK(settings.http.max_body == 16U << 20);
  CHECK(settings.auth.algorithm == "HS256");
  CHECK(settings.auth.leeway == std::chrono::seconds(30));
  CHECK(settings.quota.per_second == 5);
  CHECK(settings.quota.burst == 10);
  CHECK(settings.quota.concurrent == 20);
  CHECK(settings.quota.per_user == 3);
  CHECK(settings.run.limits.memory == 500U << 20);
  CHECK(settings.run.limits.disk == 256U << 20);
  CHECK(settings.run.limits.install == 1U << 30);
  CHECK(settings.run.limits.cpus == 1);
  CHECK(settings.run.limits.pids == 512);
  CHECK(settings.run.exec_timeout == std::chrono::seconds(60));
  CHECK(settings.run.max_file == 52'428'800);
  CHECK(settings.run.max_output == 64U << 10);
  CHECK(settings.run.max_files == 32);
  CHECK(settings.run.network == run::Network::install);
  CHECK(settings.files_ttl == std::chrono::seconds(3600));
}

TEST_CASE("sizes are powers of 1024 with and without their i") {
  CHECK(app::value::bytes("500MB") == 500ULL << 20);
  CHECK(app::value::bytes("1GiB") == 1ULL << 30);
  CHECK(app::value::bytes("64 KB") == 64ULL << 10);
  CHECK(app::value::bytes("52428800") == 52'428'800ULL);
  CHECK(app::value::bytes("1.5G") == (3ULL << 30) / 2);
  CHECK_FALSE(app::value::bytes("lots"));
  CHECK_FALSE(app::value::bytes("-1MB"));
  CHECK_FALSE(app::value::bytes("5 parsec"));
}

TEST_CASE("a malformed setting is named, with how it must look and what it is") {
  CHECK(refusal({{"SANDBOX_MAX_MEMORY", "plenty"}}) ==
        "The setting SANDBOX_MAX_MEMORY is malformed: it must be a size from 32MB to 1024GB, and is "
        "\"plenty\".");
  CHECK(has(refusal({{"PORT", "70000"}}), "PORT"));
  CHECK(has(refusal({{"OWUI_VERIFY_TLS", "maybe"}}), "true or false"));
  CHECK(has(refusal({{"SANDBOX_ENV_PYTHON", "novalue"}}), "SANDBOX_ENV_PYTHON"));
}

TEST_CASE("no sandbox may be given more than the launcher lets through") {
  for (const char* name : {"SANDBOX_MAX_MEMORY", "SANDBOX_MAX_DISK", "SANDBOX_MAX_INSTALL"}) {
    INFO(name);
    CHECK(app::read_settings({{name, "1024GB"}}, {}).ok());
    CHECK(has(refusal({{name, "1025GB"}}), "to 1024GB"));
  }
}

TEST_CASE("a malformed setting that may hold a password is named without its value") {
  for (const auto& [name, value] : app::Variables{{"SANDBOX_ENV_PYTHON", "secret"},
                                                  {"PUBLIC_URL", "https://ann:secret@host"},
                                                  {"OWUI_PUBLIC_URL", "https://ann:secret@host"}}) {
    INFO(name);
    const std::string message = refusal({{name, value}});
    CHECK(has(message, name));
    CHECK_FALSE(has(message, "secret"));
  }
}

TEST_CASE("an address that nothing could be reached by is refused") {
  const auto accepted = [](const std::string& name, const std::string& value) {
    return app::read_settings({{name, value}}, {}).ok();
  };
  for (const char* name : {"PUBLIC_URL", "OWUI_PUBLIC_URL"}) {
    INFO(name);
    for (const char* good : {"http://localhost:8000", "https://chat.example.com/", "HTTPS://a_b/path/more",
                             "http://[::1]:8000/x", "http://10.0.0.1"})
      CHECK(accepted(name, good));
    for (const char* bad :
         {"chat.example.com", "ftp://host", "http://", "http:///x", "http://host:0", "http://host:99999",
          "http://a b", "http://host/?q=1", "http://host/\n", "http://[::1", "nonsense"})
      CHECK_FALSE(accepted(name, bad));
  }
  for (const char* good : {"*", "https://chat.example.com", "https://a.example/, app://obsidian.md",
                           "chrome-extension://abcdef", "http://[::1]:3000"})
    CHECK(accepted("ALLOWED_ORIGINS", good));
  for (const char* bad :
       {"chat.example.com", "https://a.example,b.example", "https://a.example/path", "://x"})
    CHECK_FALSE(accepted("ALLOWED_ORIGINS", bad));
  for (const char* good : {"cdn.jsdelivr.net,*.openstreetmap.org", "localhost:8080", "10.0.0.1"})
    CHECK(accepted("OWUI_EMBED_HOSTS", good));
  for (const char* bad : {"https://cdn.jsdelivr.net", "cdn.example.com;script-src", "*", "a.*.example"})
    CHECK_FALSE(accepted("OWUI_EMBED_HOSTS", bad));
}

TEST_CASE("an image is named as engines name one") {
  const auto accepted = [](const std::string& value) {
    return app::read_settings({{"SANDBOX_IMAGE_PYTHON", value}}, {}).ok();
  };
  for (const char* good : {"python", "my/python:3.13-slim", "registry.example.com:5000/a/b_c:tag",
                           "name@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"})
    CHECK(accepted(good));
  for (const char* bad : {"a b", "-x", "${IMAGE}", "\"python\"", "a,b", "a\nb", ":3"})
    CHECK_FALSE(accepted(bad));
  CHECK(accepted(std::string(255, 'a')));
  CHECK_FALSE(accepted(std::string(256, 'a')));
}

TEST_CASE("a name in the environment that looks like a setting is a doubt, and the server starts") {
  const app::Settings settings =
      read({{"SANDBOX_MAX_MEMROY", "1GB"}, {"OWUI_URL", "http://x"}, {"PATH", "/bin"}});
  CHECK(settings.doubts ==
        std::vector<std::string>{
            "The environment has \"OWUI_URL\", which is no setting: did you mean OWUI_BASE_URL?",
            "The environment has \"SANDBOX_MAX_MEMROY\", which is no setting: did you mean "
            "SANDBOX_MAX_MEMORY?"});
  CHECK(read({{"SANDBOX_MAX_MEMORY", "1GB"}, {"SANDBOX_IMAGE_LUA", "lua:5"}}).doubts.empty());
}

TEST_CASE("an unknown name in .env is an error with the nearest match, in the environment it is not ours") {
  const std::string message = refusal({}, {{"SANDBOX_MAX_MEMROY", "1GB"}});
  CHECK(has(message, "SANDBOX_MAX_MEMROY"));
  CHECK(has(message, "SANDBOX_MAX_MEMORY?"));
  CHECK(read({{"PATH", "/bin"}, {"SOMETHING", "else"}}).http.port == 8000);
}

TEST_CASE("the environment wins over .env, and an empty value counts as absent") {
  auto settings =
      app::read_settings({{"PORT", "9000"}, {"HOST", ""}}, {{"PORT", "8001"}, {"HOST", "127.0.0.1"}});
  REQUIRE(settings.ok());
  CHECK(settings->http.port == 9000);
  CHECK(settings->http.host == "127.0.0.1");
}

TEST_CASE("a language's image and environment are found by its id") {
  const app::Settings settings =
      read({{"SANDBOX_IMAGE_PYTHON", "my/python:3"}, {"SANDBOX_ENV_PYTHON", "A=1; B=x=y ;"}});
  CHECK(settings.run.images.at("python") == "my/python:3");
  CHECK(settings.run.env.at("python") == std::vector<std::string>{"A=1", "B=x=y"});
}

TEST_CASE("settings that need each other say so") {
  CHECK(has(refusal({{"TLS_CERT", "/x"}}), "TLS_KEY"));
  CHECK(has(refusal({{"SANDBOX_NETWORK", "allowlist"}}), "SANDBOX_ALLOWED_HOSTS"));
  CHECK(read({{"SANDBOX_NETWORK", "allowlist"}, {"SANDBOX_ALLOWED_HOSTS", "a.example, b.example:8443"}})
            .run.rules.allowed_hosts == std::vector<std::string>{"a.example", "b.example:8443"});
}

TEST_CASE("a .env file has comments, quotes and exports") {
  const auto parsed =
      app::parse_dotenv("# a comment\n\nexport A=1\nB = \"two words\" # why\nC='#no comment'\nD=x # y\nE=\n");
  REQUIRE(parsed.ok());
  CHECK(*parsed ==
        app::Variables{{"A", "1"}, {"B", "two words"}, {"C", "#no comment"}, {"D", "x"}, {"E", ""}});
}

TEST_CASE("a line that is no setting is named by its number") {
  const auto parsed = app::parse_dotenv("A=1\nnonsense\n");
  REQUIRE_FALSE(parsed.ok());
  CHECK(has(parsed.failure().message, "Line 2"));
}

TEST_CASE(".env.example names every setting and no other, with its default") {
  std::ifstream file(CODEBOX_SOURCE_DIR "/.env.example");
  REQUIRE(file);
  std::ostringstream content;
  content << file.rdbuf();
  for (const std::string& name : app::setting_names()) {
    const std::string shown = name.ends_with("<ID>") ? name.substr(0, name.size() - 4) + "PYTHON" : name;
    INFO(shown);
    CHECK(has(content.str(), "\n#" + shown + "=") != has(content.str(), "\n" + shown + "="));
  }
  std::istringstream lines(content.str());
  app::Variables all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") && !line.starts_with("# ") && line.find('=') != std::string::npos)
      line.erase(0, 1);
    const auto parsed = app::parse_dotenv(line);
    REQUIRE(parsed.ok());
    all.insert(parsed->begin(), parsed->end());
  }
  const auto settings = app::read_settings({}, all);
  INFO((settings.ok() ? std::string() : settings.failure().message));
  REQUIRE(settings.ok());
  const auto shown = values(*settings);
  const auto defaults = values(read({}));
  for (std::size_t i = 0; i < defaults.size(); ++i) {
    INFO("value " << i << " of the list above");
    CHECK(shown[i] == defaults[i]);
  }
}
