#include "openwebui/chat_events.hpp"

#include <condition_variable>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "openwebui/client.hpp"
#include "openwebui/content_type.hpp"
#include "openwebui/embed.hpp"
#include "openwebui/event_line.hpp"
#include "openwebui/reference.hpp"

namespace codebox::openwebui {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::size_t most_lines = 256;
constexpr auto patience = 3s;
constexpr std::size_t bytes_per_second = 1'000'000;  // what is waited for in addition
// How long nothing is sent to an Open WebUI that did not answer.
constexpr auto rest = 15s;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json item_of(const StoredFile& file) {
  const std::string type = content_type_of(file.name);
  if (type.starts_with("image/"))
    return {{"type", "image"}, {"url", file.link}, {"name", file.name}, {"content_type", type}};
  const json meta = {{"name", file.name}, {"content_type", type}, {"size", file.size}};
  return {{"type", "file"},       {"id", file.id},
          {"url", file.id},       {"name", file.name},
          {"content_type", type}, {"size", file.size},
          {"status", "uploaded"}, {"file", {{"id", file.id}, {"filename", file.name}, {"meta", meta}}}};
}

/// The thread that sends, and what waits for it. Owned by the server's ChatEvents and by the messages that
/// are open; any thread.
class Poster {
 public:
  Poster(std::unique_ptr<Client> client, std::vector<std::string> embed_hosts)
      : client_(std::move(client)),
        embed_hosts_(std::move(embed_hosts)),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

  const std::vector<std::string>& embed_hosts() const { return embed_hosts_; }

  std::shared_ptr<EventLine> open(const Caller& caller) {
    const Time now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    if (now < resting_until_ || lines_.size() >= most_lines) return nullptr;
    lines_.push_back(std::make_shared<EventLine>(caller, now));
    return lines_.back();
  }

  /// Changes a line as its message wants it.
  template <class Change>
  void change(Change change) {
    {
      const std::lock_guard lock(mutex_);
      change(std::chrono::steady_clock::now());
      changed_ = true;
    }
    wake_.notify_one();
  }

 private:
  // The line whose event is due first, or null, and when.
  std::pair<std::shared_ptr<EventLine>, Time> first() {
    lines_.remove_if([](const auto& line) { return line->over(); });
    std::pair<std::shared_ptr<EventLine>, Time> found{nullptr, Time::max()};
    for (const auto& line : lines_) {
      if (const auto due = line->due(); due && *due < found.second) found = {line, *due};
    }
    return found;
  }

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      const auto [line, due] = first();
      const Time now = std::chrono::steady_clock::now();
      if (line && due <= now) {
        send(lock, *line, stop);
        continue;
      }
      changed_ = false;
      wake_.wait_until(lock, stop, line ? due : now + 1h, [this] { return changed_; });
    }
  }

  void send(std::unique_lock<std::mutex>& lock, EventLine& line, const std::stop_token& stop) {
    const Time began = std::chrono::steady_clock::now();
    const auto make_body = line.take(began);
    lock.unlock();
    const auto status = post(line.path(), line.token(), make_body(), stop);
    const Time now = std::chrono::steady_clock::now();
    lock.lock();
    line.sent(now, now - began);
    if (!status) {
      resting_until_ = now + rest;
      for (const auto& other : lines_) other->silence();
    } else if (*status != 200) {
      line.silence();
    }
  }

  // The status of the answer, where one came.
  std::optional<int> post(const std::string& path, const std::string& token, const std::string& body,
                          const std::stop_token& stop) const {
    Request request{.path = path, .token = token};
    request.content_type = "application/json";
    request.length = body.size();
    request.body = [&](ByteSink& sink) { return sink.write(body); };
    request.limit = 64U << 10U;
    const auto time = patience + std::chrono::seconds(body.size() / bytes_per_second);
    const auto reply = client_->exchange(request, std::chrono::steady_clock::now() + time, stop);
    return reply ? std::optional(reply->status) : std::nullopt;
  }

  const std::unique_ptr<Client> client_;
  const std::vector<std::string> embed_hosts_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::list<std::shared_ptr<EventLine>> lines_;
  Time resting_until_{};
  bool changed_ = false;
  std::jthread thread_;  // last, so that it ends first
};

class OpenMessage : public MessageEvents {
 public:
  OpenMessage(std::shared_ptr<Poster> poster, std::shared_ptr<EventLine> line)
      : poster_(std::move(poster)), line_(std::move(line)) {}
  ~OpenMessage() override {
    poster_->change([&](Time) { line_->close(); });
  }
  OpenMessage(const OpenMessage&) = delete;
  OpenMessage& operator=(const OpenMessage&) = delete;

  void status(std::string text) override { set(std::move(text), false, false); }
  void lasting_status(std::string text) override { set(std::move(text), true, false); }
  void done(std::string text) override { set(std::move(text), false, true); }

  void attach(const std::vector<StoredFile>& files) override {
    json items = json::array();
    for (const StoredFile& file : files) {
      if (is_uuid(file.id)) items.push_back(item_of(file));
    }
    if (items.empty()) return;
    poster_->change([&](Time) {
      line_->add([items] { return dump({{"type", "files"}, {"data", {{"files", items}}}}); });
    });
  }

  void embed(std::vector<std::string> pages) override {
    if (pages.empty()) return;
    poster_->change([&](Time) {
      line_->add([pages = std::move(pages), hosts = poster_->embed_hosts()] {
        json embeds = json::array();
        for (const std::string& page : pages) embeds.push_back(embed_of(page, hosts));
        return dump({{"type", "embeds"}, {"data", {{"embeds", std::move(embeds)}}}});
      });
    });
  }

 private:
  void set(std::string text, bool lasting, bool done) {
    poster_->change([&](Time now) { line_->status(std::move(text), lasting, done, now); });
  }

  const std::shared_ptr<Poster> poster_;
  const std::shared_ptr<EventLine> line_;
};

class OpenWebUiEvents : public ChatEvents {
 public:
  OpenWebUiEvents(std::unique_ptr<Client> client, const Options& options)
      : poster_(std::make_shared<Poster>(std::move(client), options.embed_hosts)) {}

  std::unique_ptr<MessageEvents> open(const Caller& caller) override {
    // The ids come from headers that anybody can write, and go into a path.
    if (!is_uuid(caller.chat) || !is_uuid(caller.message)) return nullptr;
    auto line = poster_->open(caller);
    return line ? std::make_unique<OpenMessage>(poster_, std::move(line)) : nullptr;
  }

 private:
  const std::shared_ptr<Poster> poster_;
};

}  // namespace

Result<std::unique_ptr<ChatEvents>> make_chat_events(const Options& options) {
  auto client = Client::make(options);
  if (!client) return client.failure();
  return std::unique_ptr<ChatEvents>(std::make_unique<OpenWebUiEvents>(std::move(*client), options));
}

}  // namespace codebox::openwebui
