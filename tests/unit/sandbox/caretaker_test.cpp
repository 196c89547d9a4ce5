#include "sandbox/caretaker.hpp"

#include <catch2/catch_test_macros.hpp>
#include <condition_variable>

#include "support/fake_engine.hpp"

using namespace codebox;
using namespace std::chrono_literals;
using sandbox::Caretaker;

namespace {

// The removal of "slow" takes until it is let go.
class Slow : public test::FakeEngine {
 public:
  Result<void> remove(const std::string& id) override {
    auto removed = FakeEngine::remove(id);
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.notify_all();
    if (id == "slow") changed_.wait(lock, [this] { return let_go_; });
    return removed;
  }
  bool begins(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return begun_ >= count; });
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  bool let_go_ = false;
};

}  // namespace

TEST_CASE("a sandbox that dies slowly holds up the removal of no other") {
  Slow engine;
  {
    Caretaker caretaker(engine);
    CHECK_FALSE(caretaker.removing());
    caretaker.remove("slow");
    for (const auto* id : {"a", "b", "c"}) caretaker.remove(id);
    CHECK(engine.begins(4));
    CHECK(caretaker.removing());
    engine.let_go();
  }
  CHECK(engine.removed().size() == 4);
}

TEST_CASE("what is still to be removed goes before its caretaker does") {
  test::FakeEngine engine;
  {
    Caretaker caretaker(engine);
    for (int i = 0; i < 20; ++i) caretaker.remove(std::to_string(i));
  }
  CHECK(engine.removed().size() == 20);
}
