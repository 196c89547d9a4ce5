#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "app/doctor.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "openwebui/client.hpp"

namespace codebox::app::doctor {
namespace {

constexpr const char* topic = "port";

// 0, or the errno that keeps us from listening there; -1 where the name has no address.
int listening_error(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return -1;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, &::freeaddrinfo);
  const Fd socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  // As the server does: connections that are only just over do not count.
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(socket.get(), 1) != 0)
    return errno;
  return 0;
}

// What listens there is ours if it gives our hint to those who took it for an OpenAPI server.
bool is_ours(const Settings& settings) {
  const std::string scheme = settings.http.tls_cert.empty() ? "http://" : "https://";
  auto client = openwebui::Client::make({scheme + local_authority(settings), false, "", "", 0});
  if (!client) return false;
  const auto reply = (*client)->exchange({.path = "/mcp/openapi.json", .token = "", .limit = 4096},
                                         std::chrono::steady_clock::now() + std::chrono::seconds(5), {});
  return reply && reply->status == 404 && reply->body.find("ends in /mcp speaks MCP") != std::string::npos;
}

}  // namespace

std::string local_authority(const Settings& settings) {
  std::string host = settings.http.host;
  if (host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return host + ":" + std::to_string(settings.http.port);
}

void look_at_port(Report& report, const Settings& settings) {
  const std::string place = settings.http.host + " port " + std::to_string(settings.http.port);
  const int error = listening_error(settings.http.host, settings.http.port);
  if (error == 0) return report.ok(topic, place + " is free.");
  if (error == EADDRINUSE) {
    if (is_ours(settings)) return report.ok(topic, "Codebox listens on " + place + " already.");
    return report.problem(topic, "Another program listens on " + place + ": end it, or choose another PORT.");
  }
  if (error == EADDRNOTAVAIL || error == -1) {
    return report.problem(
        topic, Failure{Reason::invalid, "HOST " + text::quoted(settings.http.host) +
                                            " is no address of this machine: use 0.0.0.0 for all."});
  }
  if (error == EACCES) {
    return report.problem(topic, "This user may not listen on " + place + ": choose a PORT above 1023.");
  }
  report.problem(
      topic, "Nothing can listen on " + place + " (" + std::strerror(error) + "): correct HOST and PORT.");
}

}  // namespace codebox::app::doctor
