#include "openwebui/multipart.hpp"

#include "base/encoding.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

// Open WebUI reads the name as a quoted string with backslash escapes and does not decode %22 as a browser's
// peer would; so a quote comes back as a quote only when escaped this way. Control characters have no such
// form.
std::string quoted_name(const std::string& name) {
  std::string out;
  for (const char c : text::to_utf8(name)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += encoding::to_percent(std::string(1, c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Multipart multipart_of(const std::string& name, const std::string& type) {
  const std::string line = "codebox-" + random_hex(16);
  return {.content_type = "multipart/form-data; boundary=" + line,
          .head = "--" + line + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" +
                  quoted_name(name) + "\"\r\nContent-Type: " + type + "\r\n\r\n",
          .tail = "\r\n--" + line + "--\r\n"};
}

}  // namespace codebox::openwebui
