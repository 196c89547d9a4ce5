#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "http/server.hpp"
#include "http/stream.hpp"

namespace codebox::http {

/// One request between its head and the end of its answer. Shared by its pool thread and the watcher; of the
/// stream, only one of them writes at a time: the watcher (beats) until finish(), the pool thread after it.
class Flight final : public Heartbeat {
 public:
  Flight(std::uint64_t id, Stream& stream, const Options& options)
      : id_(id), stream_(stream), options_(options) {}

  std::uint64_t id() const { return id_; }
  int fd() const { return stream_.fd(); }
  std::stop_token gone() const { return gone_.get_token(); }
  /// The client left or the server stops. Runs the callbacks of gone() in the calling thread.
  void leave() { gone_.request_stop(); }
  /// Breaks the connection. Only while the flight is registered with the watcher, which keeps the stream
  /// alive.
  void cut() { stream_.cut(); }

  /// Who is told when the first beat is due. Without it (HTTP/1.0, HEAD) there are no beats.
  void on_begin(std::function<void(Time)> begin) { begin_ = std::move(begin); }
  void may_begin(const std::string& content_type, const std::string& beat) override;
  bool say(const std::string& content_type, const std::string& text, const std::string& beat) override;

  /// Writes a beat without waiting and says when the next is due, or nothing when there is to be none.
  std::optional<Time> beat();

  /// Ends the beats. Nothing when the response is still unsent; else its status and headers are out, and
  /// these bytes come before the next chunk.
  std::optional<std::string> finish();

 private:
  void commit();  ///< the head of the answer is next; under the mutex

  const std::uint64_t id_;
  Stream& stream_;
  const Options& options_;
  std::stop_source gone_;
  std::function<void(Time)> begin_;

  std::mutex mutex_;  // guards all below, and writing until finished_
  std::string content_type_;
  std::string beat_;
  std::string unsent_;
  Time stalled_;  // since when unsent_ waits
  bool committed_ = false;
  bool finished_ = false;
};

}  // namespace codebox::http
