#include "sandbox/frames.hpp"

#include <algorithm>

namespace codebox::sandbox::frames {
namespace {

void put_number(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
}

std::uint64_t get_number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = (value << 8) | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

}  // namespace

void append(std::string& out, Type type, std::uint32_t channel, std::string_view payload,
            std::uint8_t flags) {
  put_number(out, payload.size(), 4);
  put_number(out, static_cast<std::uint8_t>(type), 1);
  put_number(out, flags, 1);
  put_number(out, 0, 2);
  put_number(out, channel, 4);
  out.append(payload);
}

void append_message(std::string& out, Type type, std::uint32_t channel, std::string_view message) {
  do {
    const auto part = message.substr(0, max_payload);
    message.remove_prefix(part.size());
    append(out, type, channel, part, message.empty() ? std::uint8_t{0} : flag_more);
  } while (!message.empty());
}

void Decoder::feed(std::string_view bytes) {
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  buffer_.append(bytes);
}

Decoder::Next Decoder::next(Frame& frame) {
  const auto rest = std::string_view(buffer_).substr(at_);
  if (rest.size() < header_size) return Next::need_more;
  const auto length = get_number(rest.substr(0, 4));
  const auto type = static_cast<std::uint8_t>(rest[4]);
  if (length > max_payload || type == 0 || type > static_cast<std::uint8_t>(last_type) ||
      get_number(rest.substr(6, 2)) != 0) {
    return Next::broken;
  }
  if (rest.size() < header_size + length) return Next::need_more;
  frame.type = static_cast<Type>(type);
  frame.flags = static_cast<std::uint8_t>(rest[5]);
  frame.channel = static_cast<std::uint32_t>(get_number(rest.substr(8, 4)));
  frame.payload = rest.substr(header_size, length);
  at_ += header_size + length;
  return Next::frame;
}

Writer& Writer::u8(std::uint8_t value) {
  put_number(out_, value, 1);
  return *this;
}
Writer& Writer::u32(std::uint32_t value) {
  put_number(out_, value, 4);
  return *this;
}
Writer& Writer::u64(std::uint64_t value) {
  put_number(out_, value, 8);
  return *this;
}
Writer& Writer::text(std::string_view value) {
  put_number(out_, value.size(), 4);
  out_.append(value);
  return *this;
}
Writer& Writer::texts(const std::vector<std::string>& values) {
  put_number(out_, values.size(), 4);
  for (const auto& value : values) text(value);
  return *this;
}

std::uint64_t Reader::number(std::size_t bytes) {
  if (!ok_ || left_.size() < bytes) {
    ok_ = false;
    return 0;
  }
  const auto value = get_number(left_.substr(0, bytes));
  left_.remove_prefix(bytes);
  return value;
}
std::uint8_t Reader::u8() {
  return static_cast<std::uint8_t>(number(1));
}
std::uint32_t Reader::u32() {
  return static_cast<std::uint32_t>(number(4));
}
std::uint64_t Reader::u64() {
  return number(8);
}

std::string Reader::text() {
  const auto length = u32();
  if (!ok_ || left_.size() < length) {
    ok_ = false;
    return {};
  }
  std::string value(left_.substr(0, length));
  left_.remove_prefix(length);
  return value;
}

std::vector<std::string> Reader::texts() {
  const auto count = u32();
  std::vector<std::string> values;
  // Each text takes at least the four bytes of its length, which bounds what a forged count can cost.
  if (!ok_ || count > left_.size() / 4) {
    ok_ = false;
    return values;
  }
  values.reserve(count);
  for (std::uint32_t i = 0; i < count && ok_; ++i) values.push_back(text());
  return values;
}

std::string Hello::encode() const {
  return Writer().text(magic).u32(version).u32(uid).take();
}
void Hello::read(Reader& reader) {
  const bool ours = reader.text() == magic;
  version = reader.u32();
  uid = reader.u32();
  if (!ours) version = 0;
}

std::string Outcome::encode() const {
  return Writer().u8(code).u8(truncated ? 1 : 0).text(message.substr(0, 1024)).take();
}
void Outcome::read(Reader& reader) {
  code = reader.u8();
  truncated = reader.u8() != 0;
  message = reader.text();
}

std::string PutOpen::encode() const {
  return Writer().text(path).u64(size).u32(mode).take();
}
void PutOpen::read(Reader& reader) {
  path = reader.text();
  size = reader.u64();
  mode = reader.u32();
}

std::string StepOpen::encode() const {
  return Writer().texts(argv).texts(env).text(cwd).u64(limit_ms).u64(spool).u8(input ? 1 : 0)
      .u8(waiting ? 1 : 0)
      .u8(installing ? 1 : 0)
      .take();
}
void StepOpen::read(Reader& reader) {
  argv = reader.texts();
  env = reader.texts();
  cwd = reader.text();
  limit_ms = reader.u64();
  spool = reader.u64();
  input = reader.u8() != 0;
  waiting = reader.u8() != 0;
  installing = reader.u8() != 0;
}

std::string StepEnded::encode() const {
  return Writer()
      .u8(how)
      .u32(code)
      .u8(out_of_memory ? 1 : 0)
      .u64(wall_ms)
      .u64(out_spooled)
      .u64(err_spooled)
      .u8(preloaded ? 1 : 0)
      .take();
}
void StepEnded::read(Reader& reader) {
  how = reader.u8();
  code = reader.u32();
  out_of_memory = reader.u8() != 0;
  wall_ms = reader.u64();
  out_spooled = reader.u64();
  err_spooled = reader.u64();
  preloaded = reader.u8() != 0;
}

std::string ListOpen::encode() const {
  return Writer().u32(most).texts(patterns).take();
}
void ListOpen::read(Reader& reader) {
  most = reader.u32();
  patterns = reader.texts();
}

std::string Entry::encode() const {
  return Writer().text(path).u64(size).text(refused).u8(executable ? 1 : 0).u64(modified).take();
}
void Entry::read(Reader& reader) {
  path = reader.text();
  size = reader.u64();
  refused = reader.text();
  executable = reader.u8() != 0;
  modified = reader.u64();
}

std::string FetchOpen::encode() const {
  return Writer().text(path).u64(limit).take();
}
void FetchOpen::read(Reader& reader) {
  path = reader.text();
  limit = reader.u64();
}

std::string TunnelOpen::encode() const {
  return Writer().text(host).u32(port).take();
}
void TunnelOpen::read(Reader& reader) {
  host = reader.text();
  port = reader.u32();
}

}  // namespace codebox::sandbox::frames
