#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The language that the server and the agent inside a sandbox speak over one byte stream, seen by both
/// sides. A frame is {u32 length, u8 type, u8 flags, u16 0, u32 channel, payload}, little endian. Channels
/// with the top bit are opened by the agent (tunnels), the others by the server, one request each. Plain
/// functions; any thread.
namespace codebox::sandbox::frames {

inline constexpr std::uint32_t version = 3;
inline constexpr std::string_view magic = "codebox-agent";
inline constexpr std::size_t header_size = 12;         ///< bytes
inline constexpr std::size_t max_payload = 64 * 1024;  ///< bytes of one frame, after its header
/// Bytes that a message which is spread over several frames may have in all (argv and environment, patterns).
inline constexpr std::size_t max_message = 4 * 1024 * 1024;
inline constexpr std::uint32_t tunnel_bit = 0x80000000U;
/// Bytes that may be on their way before the receiver gives credit: a tunnel's each way, and a step's stdin.
inline constexpr std::uint32_t window = 256 * 1024;
inline constexpr std::size_t max_tunnels = 64;   ///< open at a time
inline constexpr std::uint8_t flag_more = 1;     ///< step, list: the message goes on in the next frame
inline constexpr std::uint8_t flag_err = 1;      ///< output: stderr, not stdout
inline constexpr std::uint8_t flag_abandon = 1;  ///< put_end: remove what was written

/// What a frame is, and who sends it.
enum class Type : std::uint8_t {
  hello = 1,       ///< agent: Hello
  ping,            ///< server: keeps the lease
  pong,            ///< agent
  result,          ///< agent: Outcome of put, kill_all, list, fetch
  put_open,        ///< server: PutOpen
  put_data,        ///< server
  put_end,         ///< server
  step,            ///< server: StepOpen
  step_input,      ///< server: stdin
  step_input_end,  ///< server
  output,          ///< agent
  step_ended,      ///< agent: StepEnded
  kill_all,        ///< server
  list,            ///< server: ListOpen
  entry,           ///< agent: Entry
  fetch_open,      ///< server: FetchOpen
  fetch_data,      ///< agent
  fetch_close,     ///< server: enough
  tunnel_open,     ///< agent: TunnelOpen
  tunnel_opened,   ///< server
  tunnel_refused,  ///< server: one line for the program
  tunnel_data,     ///< both
  tunnel_end,      ///< both: no more data from this side
  tunnel_close,    ///< both: forget the tunnel
  credit,          ///< both: u32 bytes that were taken
  preload,         ///< server: StepOpen of a process that waits to become a step; result when it is ready
};
inline constexpr auto last_type = Type::preload;

/// One frame as it came. One owner, one thread.
struct Frame {
  Type type{};
  std::uint8_t flags = 0;
  std::uint32_t channel = 0;
  std::string_view payload;  ///< valid until the decoder is touched again
};

/// Appends one frame. `payload` is at most max_payload long.
void append(std::string& out, Type type, std::uint32_t channel, std::string_view payload = {},
            std::uint8_t flags = 0);
/// Appends a message of any length as frames that carry flag_more but for the last.
void append_message(std::string& out, Type type, std::uint32_t channel, std::string_view message);

/// Cuts a byte stream into frames. One owner, one thread.
class Decoder {
 public:
  enum class Next { frame, need_more, broken };
  void feed(std::string_view bytes);
  Next next(Frame& frame);

 private:
  std::string buffer_;
  std::size_t at_ = 0;
};

/// Writes the fields of a message.
class Writer {
 public:
  Writer& u8(std::uint8_t value);
  Writer& u32(std::uint32_t value);
  Writer& u64(std::uint64_t value);
  Writer& text(std::string_view value);
  Writer& texts(const std::vector<std::string>& values);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads the fields of a message; once something is short, every further field is empty and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::string text();
  std::vector<std::string> texts();
  bool ok() const { return ok_; }
  /// All was there, and nothing else.
  bool finished() const { return ok_ && left_.empty(); }

 private:
  std::uint64_t number(std::size_t bytes);

  std::string_view left_;
  bool ok_ = true;
};

/// Reads all of `payload` into a message of type M, or says that it is none.
template <class M>
bool decode(std::string_view payload, M& message) {
  Reader reader(payload);
  message.read(reader);
  return reader.finished();
}

// Messages. Each is a plain value; sizes are bytes, codes and modes are those of the system.

/// The agent's first word.
struct Hello {
  std::uint32_t version = frames::version;
  std::uint32_t uid = 0;  ///< of the step user
  std::string encode() const;
  void read(Reader& reader);
};

/// How put, kill_all, list, fetch or preload went.
struct Outcome {
  enum Code : std::uint8_t { ok, invalid, not_found, too_large, failed };
  std::uint8_t code = ok;
  bool truncated = false;
  std::string message;  ///< half a sentence, where the code is not ok
  std::string encode() const;
  void read(Reader& reader);
};

/// A file of exactly `size` bytes is to be put.
struct PutOpen {
  std::string path;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;
  std::string encode() const;
  void read(Reader& reader);
};

/// A process is to be started.
struct StepOpen {
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  std::uint64_t limit_ms = 0;  ///< milliseconds of wall time
  std::uint64_t spool = 0;     ///< bytes of each output stream to keep, 0 for none
  bool input = false;          ///< stdin follows; else it is /dev/null
  bool waiting = false;        ///< the process of a preload may become it
  bool installing = false;     ///< it may fill /packages
  std::string encode() const;
  void read(Reader& reader);
};

/// How a step ended.
struct StepEnded {
  enum How : std::uint8_t { exited, signalled, timed_out, not_started };
  std::uint8_t how = exited;
  std::uint32_t code = 0;  ///< exit status, signal, or errno of a start that failed
  bool out_of_memory = false;
  std::uint64_t wall_ms = 0;
  std::uint64_t out_spooled = 0;  ///< bytes in the spool, 0 for none
  std::uint64_t err_spooled = 0;
  bool preloaded = false;  ///< the process had been waiting
  std::string encode() const;
  void read(Reader& reader);
};

/// Files are wanted that match a pattern.
struct ListOpen {
  std::uint32_t most = 0;  ///< entries
  std::vector<std::string> patterns;
  std::string encode() const;
  void read(Reader& reader);
};

/// One of them.
struct Entry {
  std::string path;
  std::uint64_t size = 0;
  std::string refused;  ///< half a sentence, or empty for a regular file
  bool executable = false;
  std::uint64_t modified = 0;  ///< seconds of the epoch
  std::string encode() const;
  void read(Reader& reader);
};

/// A file is wanted, at most `limit` bytes of it.
struct FetchOpen {
  std::string path;
  std::uint64_t limit = 0;
  std::string encode() const;
  void read(Reader& reader);
};

/// A program wants a connection.
struct TunnelOpen {
  std::string host;
  std::uint32_t port = 0;
  std::string encode() const;
  void read(Reader& reader);
};

}  // namespace codebox::sandbox::frames
