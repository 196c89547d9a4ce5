#pragma once
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>

#include "openwebui/options.hpp"
#include "support/bytes.hpp"
#include "support/web_server.hpp"

namespace codebox::openwebui::test {

using support::TextSink;
using support::TextSource;
using support::WebConnection;
using support::WebRequest;
using support::WebServer;
using namespace std::chrono_literals;

inline const std::string id = "0a1b2c3d-0000-4000-8000-00000000000a";
inline const std::string other_id = "0a1b2c3d-0000-4000-8000-00000000000b";
inline const std::string chat = "0a1b2c3d-0000-4000-8000-0000000000cc";

inline Caller ann() {
  return {.user = "ann", .token = "ann.token", .chat = chat, .message = ""};
}
inline Time soon() {
  return std::chrono::steady_clock::now() + 30s;
}

/// Files of a server at `url`; the process ignores SIGPIPE as the real one does.
inline std::unique_ptr<Files> files_at(const std::string& url, const std::string& public_url = "") {
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.base_url = url;
  options.public_url = public_url;
  options.max_file = 1U << 20U;
  auto files = make_files(options);
  REQUIRE(files);
  return std::move(*files);
}

inline bool asks(const WebRequest& request, const std::string& path) {
  return request.line == "GET " + path + " HTTP/1.1";
}

/// What Open WebUI says of a file.
inline std::string about(const std::string& file_id, const std::string& name, std::size_t size) {
  return R"({"id":")" + file_id + R"(","user_id":"ann","filename":")" + name + R"(","meta":{"name":")" +
         name + R"(","content_type":"text/csv","size":)" + std::to_string(size) + "}}";
}

}  // namespace codebox::openwebui::test
