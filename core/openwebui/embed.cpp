#include "openwebui/embed.hpp"

#include <Poco/Base64Encoder.h>
#include <Poco/DeflatingStream.h>

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

}  // namespace

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
