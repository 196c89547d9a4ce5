#include "plugin/tool_host.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>

#include "plugin/limits.hpp"
#include "plugin/tool_answer.hpp"

namespace codebox::plugin {
namespace {

using nlohmann::json;

std::string text_of(const char* value) {
  return value ? value : "";
}

/// The way back to the server. One for the one call; any thread of the plugin.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}

  /// JSON holds line breaks only between its parts, where a blank does as well.
  void write(ToolLine kind, std::string text) {
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    const std::string line = static_cast<char>(kind) + std::move(text) + '\n';
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < line.size() && good_;) {
      const ssize_t put = ::send(socket_, line.data() + at, line.size() - at, MSG_NOSIGNAL);
      if (put < 0 && errno == EINTR) continue;
      good_ = put > 0;
      if (good_) at += static_cast<std::size_t>(put);
    }
  }
  void write(ToolLine kind, const json& value) {
    write(kind, value.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  /// The server shuts its side once nobody waits for the call.
  bool cancelled() const {
    pollfd look{socket_, POLLRDHUP, 0};
    return ::poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
  }
  bool good() const { return good_; }

 private:
  const int socket_;
  std::mutex mutex_;
  bool good_ = true;
};

Line& line(void* ctx) {
  return *static_cast<Line*>(ctx);
}

void content(void* ctx, const char* bytes, std::uint64_t length) {
  line(ctx).write(ToolLine::content, std::string(bytes ? bytes : "", bytes ? length : 0));
}
void structured(void* ctx, const char* bytes, std::uint64_t length) {
  line(ctx).write(ToolLine::structured, std::string(bytes ? bytes : "", bytes ? length : 0));
}
void progress(void* ctx, double value, double total, const char* message) {
  if (std::isfinite(value) && std::isfinite(total))
    line(ctx).write(ToolLine::progress, json{value, total, text_of(message)});
}
void log(void* ctx, std::uint32_t level, const char* logger, const char* data) {
  const json value = json::parse(text_of(data), nullptr, false);
  line(ctx).write(ToolLine::log,
                  json{level, text_of(logger), value.is_discarded() ? json(text_of(data)) : value});
}
std::uint32_t cancelled(void* ctx) {
  return line(ctx).cancelled() ? 1 : 0;
}
void error(void* ctx, std::int64_t code, const char* message, const char* data) {
  const json value = data ? json::parse(data, nullptr, false) : json();
  line(ctx).write(ToolLine::error, json{code, text_of(message), value.is_discarded() ? json() : value});
}

std::string read_arguments(int socket) {
  std::string text;
  std::array<char, 65536> buffer;
  while (text.find('\n') == std::string::npos && text.size() <= largest_arguments + 1) {
    const ssize_t got = ::read(socket, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

const cbx_tools* tools_of(const cbx_plugin& plugin) {
  return plugin.extension ? static_cast<const cbx_tools*>(plugin.extension(CBX_EXTENSION_TOOLS)) : nullptr;
}

bool serve_tool(const cbx_plugin& plugin, const std::string& name, int socket) {
  const cbx_tools* tools = tools_of(plugin);
  for (auto tool = tools ? tools->tools : nullptr; tool && *tool; ++tool) {
    if (name != text_of((*tool)->name)) continue;
    const std::string arguments = read_arguments(socket);
    if (arguments.empty()) return false;
    Line back(socket);
    cbx_tool_call call;
    call.ctx = &back;
    call.arguments = arguments.c_str();
    call.arguments_length = arguments.size();
    call.content = content;
    call.structured = structured;
    call.progress = progress;
    call.log = log;
    call.cancelled = cancelled;
    call.error = error;
    const std::uint32_t result = (*tool)->call(&call);
    back.write(ToolLine::done, std::to_string(result));
    return back.good();
  }
  return false;
}

}  // namespace codebox::plugin
