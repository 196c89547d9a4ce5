#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "sandbox/live.hpp"
#include "sandbox/places.hpp"
#include "sandbox/request.hpp"

namespace codebox::sandbox {
namespace {

using frames::Type;

Failure bad_path(const std::string& path) {
  return {Reason::invalid,
          "The path " + text::quoted(path) +
              " is not one below /sandbox, /packages or /tmp; name a file there, without \"..\"."};
}

bool good_path(const std::string& path) {
  return text::is_utf8(path) && places::writable(path);
}

}  // namespace

Result<void> LiveSandbox::put(const std::string& path, std::uint64_t size, unsigned mode, ByteSource& bytes,
                              Time deadline, std::stop_token cancel) {
  if (!good_path(path)) return bad_path(path);
  const auto what = "The file " + text::quoted(path) + " was not put into the sandbox";
  frames::Outcome outcome;
  bool ended = false;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    if (ended || frame.type != Type::result) return false;
    return ended = frames::decode(frame.payload, outcome);
  });
  frames::PutOpen order;
  order.path = path;
  order.size = size;
  order.mode = mode;
  link_.send(Type::put_open, request.channel, order.encode());
  std::array<char, frames::max_payload> buffer;
  std::optional<Failure> stopped;
  std::uint64_t rest = size;
  while (rest > 0 && !ended && !stopped) {
    const auto how = wait([&] { return ended || link_.room(); }, deadline, cancel);
    if (how != Wait::done) return unfinished(how, what);
    if (ended) break;
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(rest, buffer.size()));
    const auto got = bytes.read(std::span(buffer.data(), most));
    if (!got.ok()) {
      stopped = got.failure();
    } else if (*got == 0 || *got > most) {
      stopped = Failure{Reason::invalid, what + ": it ended " + text::size(rest) + " early."};
    } else {
      link_.send(Type::put_data, request.channel, {buffer.data(), *got});
      rest -= *got;
    }
    if (cancel.stop_requested()) return unfinished(Wait::cancelled, what);
  }
  if (!ended)
    link_.send(Type::put_end, request.channel, {}, stopped ? frames::flag_abandon : std::uint8_t{0});
  const auto how = wait([&] { return ended; }, deadline, cancel);
  if (how != Wait::done) return unfinished(how, what);
  if (stopped) return *stopped;
  if (outcome.code != frames::Outcome::ok) return refusal(outcome, what);
  if (rest > 0) return Failure{Reason::internal, what + ": the agent ended it early."};
  return {};
}

Result<std::uint64_t> LiveSandbox::fetch(const std::string& path, std::uint64_t limit, ByteSink& bytes,
                                         Time deadline, std::stop_token cancel) {
  if (!good_path(path)) return bad_path(path);
  const auto what = "The file " + text::quoted(path) + " was not taken from the sandbox";
  frames::Outcome outcome;
  bool ended = false;
  std::uint64_t total = 0;
  std::optional<Failure> stopped;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    if (ended) return false;
    if (frame.type == Type::result) return ended = frames::decode(frame.payload, outcome);
    if (frame.type != Type::fetch_data) return false;
    if (stopped) return true;
    if (frame.payload.size() > limit - total) {
      stopped =
          Failure{Reason::too_large, what + ": it is larger than the limit of " + text::size(limit) + "."};
    } else if (auto written = bytes.write(frame.payload); !written.ok()) {
      stopped = written.failure();
    } else {
      total += frame.payload.size();
    }
    if (stopped) link_.send(Type::fetch_close, frame.channel);
    return true;
  });
  frames::FetchOpen order;
  order.path = path;
  order.limit = limit;
  link_.send(Type::fetch_open, request.channel, order.encode());
  const auto how = wait([&] { return ended; }, deadline, cancel);
  if (stopped) {
    if (how != Wait::done) link_.fail("the agent in the sandbox did not stop sending");
    return *stopped;
  }
  if (how != Wait::done) return unfinished(how, what);
  if (outcome.code == frames::Outcome::too_large) {
    return Failure{Reason::too_large, what + ": it is larger than the limit of " + text::size(limit) + "."};
  }
  if (outcome.code != frames::Outcome::ok) return refusal(outcome, what);
  return total;
}

Result<Listing> LiveSandbox::list(const std::vector<std::string>& patterns, std::size_t most, Time deadline,
                                  std::stop_token cancel) {
  for (const auto& pattern : patterns) {
    if (!good_path(pattern)) return bad_path(pattern);
  }
  constexpr std::size_t most_ever = 40'000;
  frames::ListOpen order;
  order.most = static_cast<std::uint32_t>(std::min(most, most_ever));
  order.patterns = patterns;
  const auto message = order.encode();
  if (message.size() > frames::max_message) {
    return Failure{Reason::invalid, "The patterns of files are too long; name fewer of them."};
  }
  Listing listing;
  frames::Outcome outcome;
  bool ended = false;
  Request request(*this, cancel, [&](const frames::Frame& frame) {
    if (ended) return false;
    if (frame.type == Type::result) return ended = frames::decode(frame.payload, outcome);
    frames::Entry entry;
    if (frame.type != Type::entry || !frames::decode(frame.payload, entry) || !places::writable(entry.path) ||
        listing.files.size() + listing.refused.size() >= order.most) {
      return false;
    }
    if (!text::is_utf8(entry.path)) {
      listing.refused.push_back({text::to_utf8(entry.path), "has a name that is not UTF-8"});
    } else if (!entry.refused.empty()) {
      listing.refused.push_back({entry.path, std::string(text::prefix(text::one_line(entry.refused), 120))});
    } else {
      listing.files.push_back({entry.path, entry.size, entry.executable, entry.modified});
    }
    return true;
  });
  link_.send_message(Type::list, request.channel, message);
  const auto how = wait([&] { return ended; }, deadline, cancel);
  if (how != Wait::done) return unfinished(how, "The sandbox's files were not listed");
  if (outcome.code != frames::Outcome::ok) return refusal(outcome, "The sandbox's files were not listed");
  std::sort(listing.files.begin(), listing.files.end(),
            [](const Found& a, const Found& b) { return a.path < b.path; });
  const auto same = [](const Found& a, const Found& b) { return a.path == b.path; };
  listing.files.erase(std::unique(listing.files.begin(), listing.files.end(), same), listing.files.end());
  listing.truncated = outcome.truncated;
  return listing;
}

}  // namespace codebox::sandbox
