#include "http/server.hpp"

#include <Poco/Exception.h>
#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <fcntl.h>

#include "base/log.hpp"
#include "base/text.hpp"
#include "http/exchange.hpp"
#include "http/lobby.hpp"
#include "http/watcher.hpp"

namespace codebox::http {
namespace {

/// All parts of a running server. Shared by the server and its pool threads, so that a handler that never
/// returns finds what it needs.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  Engine(const Options& options, Handler& handler, Poco::Net::ServerSocket listener, std::unique_ptr<Tls> tls)
      : options_(options), handler_(handler), listener_(std::move(listener)), tls_(std::move(tls)) {}

  void start(Epoll waits, Epoll watches) {
    pool_ = std::make_unique<Pool>(options_.threads, options_.queue, weak_from_this(),
                                   [this](std::unique_ptr<Connection> one) { serve_one(std::move(one)); });
    watcher_ = std::make_unique<Watcher>(std::move(watches));
    lobby_ =
        std::make_unique<Lobby>(options_, std::move(waits), listener_.impl()->sockfd(), tls_.get(), *pool_);
    lobby_->start();
  }

  void stop(std::chrono::milliseconds grace) {
    if (stopped_) return;
    stopped_ = true;
    lobby_->stop();
    listener_.close();
    watcher_->leave_all();
    if (pool_->close(SystemClock().now() + grace)) {
      pool_->join();
      return;
    }
    watcher_->cut_all();
    pool_->close(SystemClock().now() + std::chrono::seconds(5));
    if (const std::size_t stuck = pool_->join(); stuck > 0) {
      log::error(std::to_string(stuck) +
                 " requests did not end when the server stopped; they are left behind.");
    }
  }

 private:
  void serve_one(std::unique_ptr<Connection> connection) {
    const std::shared_ptr<Flight> flight = watcher_->add(*connection->stream, options_);
    const After after = exchange(*connection, connection->head(), *flight, handler_, options_,
                                 [this, id = flight->id()](Time due) { watcher_->beat_at(id, due); });
    if (after == After::drain) connection->start_drain();
    watcher_->remove(*flight);
    pool_->done();
    if (after == After::close) return;
    if (after == After::keep) {
      connection->idle = connection->in.empty();
      connection->deadline =
          SystemClock().now() + (connection->idle ? options_.idle_timeout : options_.head_timeout);
    }
    lobby_->adopt(std::move(connection));
  }

  const Options options_;
  Handler& handler_;
  Poco::Net::ServerSocket listener_;
  std::unique_ptr<Tls> tls_;
  // Destroyed in the order lobby, watcher, pool: whoever may still call another goes first.
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Lobby> lobby_;
  bool stopped_ = false;
};

class HttpServer final : public Server {
 public:
  HttpServer(std::shared_ptr<Engine> engine, std::uint16_t port) : engine_(std::move(engine)), port_(port) {}
  ~HttpServer() override { engine_->stop(std::chrono::milliseconds(0)); }
  std::uint16_t port() const override { return port_; }
  void stop(std::chrono::milliseconds grace) override { engine_->stop(grace); }

 private:
  std::shared_ptr<Engine> engine_;
  std::uint16_t port_;
};

// Poco puts the name of its class before what the system says.
std::string reason_of(const Poco::Exception& error) {
  const bool is_system = std::string_view(error.name()) == "Net Exception" && !error.message().empty();
  return text::one_line(is_system ? error.message() : error.displayText());
}

Result<Poco::Net::ServerSocket> listen_on(const Options& options) {
  try {
    Poco::Net::ServerSocket socket;
    socket.bind(Poco::Net::SocketAddress(options.host, options.port), true, false);
    socket.listen(1024);
    socket.setBlocking(false);
    ::fcntl(socket.impl()->sockfd(), F_SETFD, FD_CLOEXEC);
    return socket;
  } catch (const Poco::Exception& error) {
    return Failure{Reason::invalid, "The server cannot listen on " + options.host + " port " +
                                        std::to_string(options.port) + " (" + reason_of(error) +
                                        "); choose another HOST or PORT, or end what listens there."};
  }
}

}  // namespace

Result<std::unique_ptr<Server>> serve(const Options& options, Handler& handler) {
  std::unique_ptr<Tls> tls;
  if (!options.tls_cert.empty() || !options.tls_key.empty()) {
    auto loaded = load_tls(options.tls_cert, options.tls_key);
    if (!loaded) return loaded.failure();
    tls = std::move(*loaded);
  }
  auto listener = listen_on(options);
  if (!listener) return listener.failure();
  auto waits = Epoll::make();
  if (!waits) return waits.failure();
  auto watches = Epoll::make();
  if (!watches) return watches.failure();

  const std::uint16_t port = listener->address().port();
  auto engine = std::make_shared<Engine>(options, handler, *listener, std::move(tls));
  engine->start(std::move(*waits), std::move(*watches));
  return std::unique_ptr<Server>(std::make_unique<HttpServer>(std::move(engine), port));
}

}  // namespace codebox::http
