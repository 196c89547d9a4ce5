#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// What the server has the agent try inside a sandbox at its start: each limit, from where a caller's program
/// stands. Runs as a step of its own, `agent prove TASK NUMBER...`, and prints a line for each finding:
/// NAME, "ok", "bad" or "none", and what was seen. One thread.
namespace codebox::agent::prove {

/// The exit status of `agent prove`.
int main(int argc, char** argv);

void report(const char* name, bool holds, const std::string& seen);
/// Of a guard that is not there, and that no engine has to offer: "none" in place of "ok" and "bad".
void not_offered(const char* name, const std::string& instead);

/// Who the step is and what it can reach without trying hard.
void look();
/// Which kernel calls and files answer.
void kernel();
/// Fills every writable place to its end; all but /packages may take `disk`, and that `install`.
void disk(std::uint64_t disk, std::uint64_t install);
void processes(std::uint64_t most);
void processor(std::uint64_t thousandths);
/// Takes more memory than `limit`; the kernel or the runtime is expected to end it.
void memory(std::uint64_t limit);

/// Whether this is gVisor, which has named itself so since its beginning: a kernel of its own, which needs no
/// filter of the engine's before it.
bool own_kernel();
/// A whole small file, or nothing.
std::string slurp(const char* path);
/// The value of "NAME:<blanks>value" in a file of the kind of /proc/self/status.
std::string field(std::string_view text, std::string_view name);
/// The first number in the first of `paths` that is there; false where none is.
bool first_number(std::initializer_list<const char*> paths, std::uint64_t& number);
std::string mebibytes(std::uint64_t bytes);

}  // namespace codebox::agent::prove
