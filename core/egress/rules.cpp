#include "egress/rules.hpp"

#include <algorithm>
#include <charconv>

#include "base/encoding.hpp"
#include "base/text.hpp"

namespace codebox::egress {
namespace {

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > 63) return false;
  return std::all_of(label.begin(), label.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

// Takes "host:port", "[v6]:port" and "v6" apart; the port is optional.
bool split_port(std::string_view text, std::string& host, std::optional<std::uint16_t>& port) {
  std::string_view rest;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return false;
    host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else if (std::count(text.begin(), text.end(), ':') > 1) {
    host = text;
  } else {
    const auto colon = text.find(':');
    host = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (rest.empty()) return true;
  if (!rest.starts_with(':')) return false;
  port = read_port(rest.substr(1));
  return port.has_value();
}

}  // namespace

std::string without_dot(std::string host) {
  if (host.ends_with('.')) host.pop_back();
  return host;
}

bool is_host(const std::string& host) {
  if (host.empty() || host.size() > 253) return false;
  if (Address::parse(host)) return true;
  const auto labels = text::split(without_dot(host), '.');
  return !labels.empty() &&
         std::all_of(labels.begin(), labels.end(), [](const auto& label) { return is_label(label); });
}

std::optional<Proxy> read_proxy(const std::string& url) {
  std::string_view rest = url;
  constexpr std::string_view scheme = "http://";
  if (text::lower(rest.substr(0, scheme.size())) == scheme) {
    rest.remove_prefix(scheme.size());
  } else if (rest.find("://") != std::string_view::npos) {
    return std::nullopt;
  }
  if (rest.ends_with('/')) rest.remove_suffix(1);
  Proxy proxy;
  const auto at = rest.rfind('@');
  if (at != std::string_view::npos) {
    proxy.credentials = encoding::from_percent(rest.substr(0, at));
    rest.remove_prefix(at + 1);
  }
  std::optional<std::uint16_t> port;
  if (!split_port(rest, proxy.host, port) || !is_host(proxy.host)) return std::nullopt;
  proxy.port = port.value_or(3128);
  return proxy;
}

std::optional<Ruling::Entry> Ruling::read_entry(const std::string& text) {
  Entry entry;
  std::string host;
  if (!split_port(text::trim(text), host, entry.port)) return std::nullopt;
  entry.address = Address::parse(host);
  if (entry.address) return entry;
  entry.name = text::lower(without_dot(host));
  const std::string plain = entry.name.starts_with("*.") ? entry.name.substr(2) : entry.name;
  if (!is_host(plain)) return std::nullopt;
  return entry;
}

Result<Ruling> Ruling::read(const Rules& rules) {
  Ruling ruling;
  for (const std::string& text : rules.allowed_hosts) {
    auto entry = read_entry(text);
    if (!entry) {
      return Failure{Reason::invalid,
                     "SANDBOX_ALLOWED_HOSTS has " + text::quoted(text) +
                         ", which is neither a host, nor *.domain, nor an address, each with an "
                         "optional :port: correct it."};
    }
    ruling.entries_.push_back(std::move(*entry));
  }
  if (!rules.proxy.empty()) {
    ruling.proxy_ = read_proxy(rules.proxy);
    if (!ruling.proxy_) {
      return Failure{
          Reason::invalid,
          "EGRESS_PROXY cannot be read: write it as http://host:port or http://user:password@host:port."};
    }
  }
  return ruling;
}

const Ruling::Entry* Ruling::listed(const std::string& host, std::uint16_t port) const {
  const std::string name = without_dot(host);
  const auto literal = Address::parse(name);
  const auto fits = [&](const Entry& entry) {
    if (entry.port ? *entry.port != port : port != 80 && port != 443) return false;
    if (entry.address) return literal && same_host(*entry.address, *literal);
    if (literal) return false;
    if (entry.name.starts_with("*.")) {
      return name.size() > entry.name.size() - 1 && name.ends_with(std::string_view(entry.name).substr(1));
    }
    return entry.name == name;
  };
  const auto found = std::find_if(entries_.begin(), entries_.end(), fits);
  return found != entries_.end() ? &*found : nullptr;
}

Result<void> Ruling::admits(const std::string& host, std::uint16_t port) const {
  const std::string place = host + ":" + std::to_string(port);
  if (!entries_.empty()) {
    if (listed(host, port) != nullptr) return {};
    return Failure{Reason::invalid, "The network of this sandbox does not reach " + place +
                                        ": it is not among the hosts that the operator allows."};
  }
  if (port != 80 && port != 443) {
    return Failure{Reason::invalid, "The network of this sandbox does not reach " + place +
                                        ": only ports 80 and 443 are open."};
  }
  return {};
}

Result<void> Ruling::admits(const std::string& host, std::uint16_t port, const Address& address) const {
  const Class found = classify(address);
  if (found.kind == Kind::open) return {};
  const Entry* const entry = listed(host, port);
  const bool exact = entry != nullptr && !entry->name.starts_with("*.");
  const bool allowed = (found.kind == Kind::inner && entry != nullptr) ||
                       (found.kind == Kind::loopback && exact) || (entry != nullptr && entry->address);
  if (allowed) return {};
  return Failure{
      Reason::invalid,
      "The network of this sandbox does not reach " + host + ": it stands for " + found.what +
          (found.kind == Kind::inner ? ", which the operator has to list (SANDBOX_ALLOWED_HOSTS)." : ".")};
}

}  // namespace codebox::egress
