#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace codebox::sandbox {

/// Takes the engine's 8-byte frame headers off an attached stream, wherever a read may have split it. Where
/// the stream is not multiplexed, everything is the agent's stdout. Keeps no payload. One owner, one thread.
class Demux {
 public:
  using Take = std::function<void(std::string_view)>;
  explicit Demux(bool multiplexed) : multiplexed_(multiplexed) {}
  /// False when the bytes are not in the engine's format.
  bool feed(std::string_view bytes, const Take& out, const Take& err);

 private:
  bool multiplexed_;
  std::array<unsigned char, 8> header_{};
  std::size_t have_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace codebox::sandbox
