#include "agent/transfers.hpp"

#include <unistd.h>

#include <algorithm>

namespace codebox::agent {
namespace {

using frames::Outcome;
using frames::Type;

constexpr std::size_t most_files = 8;

Outcome not_understood() {
  Outcome outcome;
  outcome.code = Outcome::failed;
  outcome.message = "the agent did not understand the request";
  return outcome;
}

}  // namespace

void Transfers::put(const frames::Frame& frame, Wire& wire) {
  if (frame.type == Type::put_open) return open_put(frame, wire);
  const auto at = puts_.find(frame.channel);
  if (at == puts_.end()) return;
  Outcome outcome;
  if (frame.type == Type::put_data && at->second.write(frame.payload, outcome)) return;
  if (frame.type == Type::put_end) at->second.finish((frame.flags & frames::flag_abandon) != 0, outcome);
  puts_.erase(at);
  wire.result(frame.channel, outcome);
}

void Transfers::open_put(const frames::Frame& frame, Wire& wire) {
  frames::PutOpen order;
  Outcome outcome;
  if (!frames::decode(frame.payload, order) || puts_.size() >= most_files)
    return wire.result(frame.channel, not_understood());
  // Support files are the agent's own, so that no program can change what the next step runs. Their folder
  // was made by root before the first step, hence nothing in it is the program's.
  Put put(order, order.path.starts_with("/tmp/.support/") ? StepUser{0, 0} : user_, outcome);
  if (outcome.code != Outcome::ok) return wire.result(frame.channel, outcome);
  puts_.insert_or_assign(frame.channel, std::move(put));
}

void Transfers::fetch(const frames::Frame& frame, Wire& wire) {
  if (frame.type == Type::fetch_open) return open_fetch(frame, wire);
  if (fetches_.erase(frame.channel) > 0) wire.result(frame.channel, {});
}

void Transfers::open_fetch(const frames::Frame& frame, Wire& wire) {
  frames::FetchOpen order;
  Outcome outcome;
  if (!frames::decode(frame.payload, order) || fetches_.size() >= most_files)
    return wire.result(frame.channel, not_understood());
  Opened opened = open(order.path, outcome);
  if (outcome.code == Outcome::ok && opened.size > order.limit) {
    outcome.code = Outcome::too_large;
    outcome.message = "it has " + std::to_string(opened.size) + " bytes";
  }
  if (outcome.code != Outcome::ok) return wire.result(frame.channel, outcome);
  fetches_.insert_or_assign(frame.channel, Fetch{std::move(opened.file), opened.size});
}

Opened Transfers::open(const std::string& path, Outcome& outcome) const {
  const auto spool = spools_.find(path);
  if (spool == spools_.end()) return open_file(path, user_, outcome);
  Opened opened;
  const auto size = ::lseek(spool->second.get(), 0, SEEK_END);
  ::lseek(spool->second.get(), 0, SEEK_SET);
  opened.size = size > 0 ? static_cast<std::uint64_t>(size) : 0;
  opened.file.reset(::dup(spool->second.get()));
  return opened;
}

void Transfers::keep_spool(std::uint32_t channel, bool err, Fd spool) {
  if (!spool) return;
  const std::string path = "/tmp/.spool/" + std::to_string(channel) + (err ? ".err" : ".out");
  spools_.insert_or_assign(path, std::move(spool));
}

void Transfers::pump(Wire& wire) {
  char buffer[frames::max_payload];
  for (auto at = fetches_.begin(); at != fetches_.end();) {
    auto& fetch = at->second;
    bool over = fetch.left == 0;
    while (!over && wire.room()) {
      const auto got = ::read(fetch.file.get(), buffer, std::min<std::uint64_t>(fetch.left, sizeof buffer));
      if (got > 0) wire.send(Type::fetch_data, at->first, {buffer, static_cast<std::size_t>(got)});
      fetch.left -= got > 0 ? static_cast<std::uint64_t>(got) : 0;
      over = got <= 0 || fetch.left == 0;
    }
    if (!over) {
      ++at;
      continue;
    }
    wire.result(at->first, {});
    at = fetches_.erase(at);
  }
}

}  // namespace codebox::agent
