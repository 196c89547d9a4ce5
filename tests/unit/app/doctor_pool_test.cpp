#include <atomic>
#include <thread>

#include "app/pool_file.hpp"
#include "doctor.hpp"

using namespace codebox;
using namespace codebox::app;
using namespace codebox::app::test;
using doctor::Report;
using doctor::Verdict;

namespace {

constexpr std::uint64_t mib = 1ULL << 20;

PoolReport two_kinds() {
  PoolReport report;
  report.kinds = {{"python", "image", "", 1, 1, 2, 94 * mib, ""},
                  {"node", "other", "", 0, 0, 2, 0, "no \xff room"}};
  report.limit = 1024 * mib;
  report.promised = 820 * mib;
  report.available = 180 * mib;
  return report;
}

Report pool_of(const std::filesystem::path& state_dir, std::size_t size = 2) {
  Settings settings;
  settings.state_dir = state_dir;
  settings.pool_size = size;
  Report report;
  doctor::look_at_pool(report, settings);
  return report;
}

}  // namespace

TEST_CASE("doctor shows what waits on a running server, and nothing of one that has ended") {
  const Folder folder;
  CHECK(has(line(pool_of(folder.path()), "pool").text, "no server runs"));
  {
    std::atomic<int> looks = 0;
    const PoolFile file(folder.path(), [&] {
      ++looks;
      return two_kinds();
    });
    while (looks < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const Report report = pool_of(folder.path());
    REQUIRE(report.lines().size() == 3);
    CHECK(report.lines()[0].text ==
          "python: 1 of 2 sandboxes wait for calls, 1 of them with their process; they hold 94 MiB.");
    CHECK(report.lines()[1].verdict == Verdict::warning);
    CHECK(has(report.lines()[1].text, "could not be made ready: no \xef\xbf\xbd room"));
    CHECK(has(report.lines()[2].text, "94 MiB of at most 1 GiB"));
    CHECK(has(report.lines()[2].text, "820 MiB of 1000 MiB"));
    CHECK(report.exit_status() == 0);
  }
  CHECK(has(line(pool_of(folder.path()), "pool").text, "no server runs"));
}

TEST_CASE("doctor says that the pool is turned off") {
  const Folder folder;
  CHECK(has(line(pool_of(folder.path(), 0), "pool").text, "SANDBOX_POOL_SIZE=0"));
}
