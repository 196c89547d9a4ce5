#include "openwebui/embed.hpp"

#include <Poco/Base64Encoder.h>
#include <Poco/DeflatingStream.h>

#include <algorithm>
#include <sstream>

#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

constexpr std::size_t packed_from = 100'000;

// Only what can be a host stands in the policy, since a ";" would begin another rule.
std::string sources(const std::vector<std::string>& hosts) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.*:";
  std::string out;
  for (const std::string& host : hosts) {
    if (!host.empty() && host.find_first_not_of(plain) == std::string::npos) out += " https://" + host;
  }
  return out;
}

std::string head_of(const std::vector<std::string>& hosts) {
  const std::string more = sources(hosts);
  return "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:" +
         more + "; style-src 'unsafe-inline'" + more + "; img-src data: blob:" + more +
         "; font-src data:" + more +
         "; media-src data: blob:; worker-src blob:; connect-src data: blob:" + more +
         "; form-action 'none'; base-uri 'none'\">";
}

// Open WebUI gives the frame the height that its page says.
constexpr std::string_view tell_height = R"(<script>
addEventListener("load", () => {
  const tell = () => parent.postMessage({type: "iframe:height",
    height: Math.min(900, Math.max(120, document.body.scrollHeight + 20))}, "*");
  tell();
  setTimeout(tell, 500);
});
</script>)";

std::string packed(const std::string& page) {
  std::ostringstream out;
  {
    Poco::Base64Encoder text(out);
    text.rdbuf()->setLineLength(0);
    Poco::DeflatingOutputStream deflated(text, Poco::DeflatingStreamBuf::STREAM_GZIP);
    deflated.write(page.data(), static_cast<std::streamsize>(page.size()));
    deflated.close();
    text.close();
  }
  return out.str();
}

// As a browser reads one entry of the policy.
bool covers(std::string_view entry, std::string_view host) {
  if (!entry.starts_with("*.")) return entry == host;
  return host.ends_with(entry.substr(1));
}

/// Collects hosts of addresses that a page names.
class Outside {
 public:
  explicit Outside(const std::vector<std::string>& allowed) : allowed_(allowed) {}

  // The host of the address that begins here, if it is one.
  void add(std::string_view address) {
    for (const std::string_view scheme : {"https://", "http://", "//"}) {
      if (!address.starts_with(scheme)) continue;
      address.remove_prefix(scheme.size());
      std::string host = text::lower(address.substr(0, address.find_first_of("/?#\"'` >\\<")));
      if (const auto part = host.rfind('}'); part != std::string::npos) host.erase(0, part).front() = '*';
      const bool known = host.empty() || host.size() > 253 ||
                         std::count(hosts_.begin(), hosts_.end(), host) > 0 ||
                         std::any_of(allowed_.begin(), allowed_.end(),
                                     [&](const auto& entry) { return covers(entry, host); });
      if (!known && hosts_.size() < most_hosts) hosts_.push_back(host);
      return;
    }
  }
  std::vector<std::string> take() && { return std::move(hosts_); }

 private:
  static constexpr std::size_t most_hosts = 20;
  const std::vector<std::string>& allowed_;
  std::vector<std::string> hosts_;
};

// What follows `attribute` within the tag that begins with `tag`, for each such tag.
void add_tags(Outside& outside, std::string_view page, std::string_view tag, std::string_view attribute) {
  for (auto at = page.find(tag); at != std::string_view::npos; at = page.find(tag, at + 1)) {
    const std::string_view whole = page.substr(at, page.find('>', at) - at);
    const auto begin = whole.find(attribute);
    if (begin == std::string_view::npos) continue;
    std::string_view value = whole.substr(begin + attribute.size());
    if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
    outside.add(value);
  }
}

}  // namespace

std::vector<std::string> outside_hosts(std::string_view page, const std::vector<std::string>& hosts) {
  const std::vector<std::string> none;
  Outside scripts(none);
  add_tags(scripts, page, "<script", " src=");
  if (std::move(scripts).take().empty()) return {};
  Outside outside(hosts);
  add_tags(outside, page, "<script", " src=");
  add_tags(outside, page, "<link", " href=");
  constexpr std::string_view tile = "{z}";
  for (auto at = page.find(tile); at != std::string_view::npos; at = page.find(tile, at + 1)) {
    const auto quote = page.find_last_of("\"'`", at);
    if (quote != std::string_view::npos && at - quote < 400) outside.add(page.substr(quote + 1));
  }
  return std::move(outside).take();
}

std::string embed_of(std::string_view page, const std::vector<std::string>& hosts) {
  const std::string head = head_of(hosts);
  std::string whole = head + text::to_utf8(page) + std::string(tell_height);
  if (whole.size() < packed_from) return whole;
  return head + "<script>(async () => {\nconst bytes = Uint8Array.from(atob(\"" + packed(whole) +
         "\"), c => c.charCodeAt(0));\n"
         "const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(\"gzip\"));\n"
         "const page = await new Response(stream).text();\n"
         "document.open(); document.write(page); document.close();\n})();</script>";
}

}  // namespace codebox::openwebui
