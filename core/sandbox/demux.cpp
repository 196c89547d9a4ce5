#include "sandbox/demux.hpp"

namespace codebox::sandbox {

bool Demux::feed(std::string_view bytes, const Take& out, const Take& err) {
  if (!multiplexed_) {
    if (!bytes.empty()) out(bytes);
    return true;
  }
  while (!bytes.empty()) {
    if (left_ > 0) {
      const auto part = bytes.substr(0, left_);
      (header_[0] == 1 ? out : err)(part);
      left_ -= static_cast<std::uint32_t>(part.size());
      bytes.remove_prefix(part.size());
      if (left_ == 0) have_ = 0;
      continue;
    }
    header_[have_++] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (have_ < header_.size()) continue;
    if (header_[0] > 3 || header_[1] != 0 || header_[2] != 0 || header_[3] != 0) return false;
    for (std::size_t i = 4; i < 8; ++i) left_ = (left_ << 8) | header_[i];
    if (left_ == 0) have_ = 0;
  }
  return true;
}

}  // namespace codebox::sandbox
