#include "store/link_store.hpp"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "support/bytes.hpp"

using namespace codebox;
using namespace codebox::store;
using codebox::support::TextSink;
using codebox::support::TextSource;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

class SetClock : public Clock {
 public:
  Time now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall() const override { return WallTime(std::chrono::seconds(seconds_)); }
  void forward(int seconds) { seconds_ += seconds; }

 private:
  std::atomic<int> seconds_{1000000};
};

struct Place {
  Place() {
    std::string pattern = (fs::temp_directory_path() / "codebox-store-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    options.state_dir = folder;
    options.public_url = "https://box.example/";
    options.capacity = 1000;
    options.max_file = 800;
  }
  ~Place() { fs::remove_all(folder); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::unique_ptr<LinkStore> store() const {
    auto made = LinkStore::make(options, clock);
    REQUIRE(made);
    return std::move(*made);
  }

  fs::path folder;
  Options options;
  SetClock clock;
};

const Caller ann{.user = "ann", .token = "t", .chat = "", .message = ""};
const Caller eve{.user = "eve", .token = "t", .chat = "", .message = ""};

Time soon() {
  return std::chrono::steady_clock::now() + 30s;
}

std::string keep(LinkStore& store, const std::string& name, const std::string& content) {
  TextSource bytes(content, 7);
  const auto stored = store.upload(ann, name, content.size(), bytes, soon(), {});
  REQUIRE(stored);
  CHECK(stored->name == name);
  return stored->link;
}

Result<Opened> follow(const LinkStore& store, const std::string& link) {
  const std::string host = "https://box.example";
  REQUIRE(link.starts_with(host + "/files/"));
  const auto question = link.find('?');
  return store.open(link.substr(host.size(), question - host.size()), link.substr(question + 1));
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a kept file is read back through its link with its name and type") {
  const Place place;
  const auto store = place.store();
  const std::string name = "数据 \"表\" 50%.csv";
  const auto opened = follow(*store, keep(*store, name, "a,b\n1,2\n"));
  REQUIRE(opened);
  CHECK(opened->name == name);
  CHECK(opened->content_type == "text/csv");
  CHECK(content_of(opened->path) == "a,b\n1,2\n");
}

TEST_CASE("a link works also where the route has decoded its path") {
  const Place place;
  const auto store = place.store();
  const std::string link = keep(*store, "a b%20c.txt", "x");
  const auto query = link.substr(link.find('?') + 1);
  const std::string id = link.substr(std::string("https://box.example/files/").size(), 36);
  CHECK(store->open("/files/" + id + "/a b%20c.txt", query));
}

TEST_CASE("an altered link leads nowhere, with the same sentence whatever was altered") {
  const Place place;
  const auto store = place.store();
  const std::string link = keep(*store, "a.txt", "secret");
  const auto swapped = [&](const std::string& from, const std::string& to) {
    std::string altered = link;
    altered.replace(altered.find(from), from.size(), to);
    return altered;
  };
  const std::string last = link.substr(link.size() - 1);
  const std::vector<std::string> altered{swapped("expires=", "expires=9"),
                                         swapped("a.txt", "b.txt"),
                                         swapped("signature=", "signature=0"),
                                         swapped("signature", "x"),
                                         link.substr(0, link.size() - 1) + (last == "0" ? "1" : "0"),
                                         link.substr(0, link.find('?') + 1),
                                         swapped("a.txt", "../a.txt")};
  for (const std::string& one : altered) {
    INFO(one);
    const auto opened = follow(*store, one);
    REQUIRE_FALSE(opened);
    CHECK(opened.failure().reason == Reason::not_found);
    CHECK(opened.failure().message.find("expired or was altered") != std::string::npos);
  }
  for (const char* path :
       {"", "/", "/files", "/files/", "/files/x", "/files/../../etc/passwd", "/etc/passwd"}) {
    CHECK_FALSE(store->open(path, ""));
  }
}

TEST_CASE("one file's signature opens no other file") {
  const Place place;
  const auto store = place.store();
  const std::string one = keep(*store, "a.txt", "1");
  const std::string two = keep(*store, "a.txt", "2");
  CHECK_FALSE(follow(*store, one.substr(0, one.find('?')) + two.substr(two.find('?'))));
}

TEST_CASE("an expired file is gone at once, and from the disk with the next sweep") {
  Place place;
  const auto store = place.store();
  const std::string link = keep(*store, "a.txt", "x");
  const auto opened = follow(*store, link);
  REQUIRE(opened);
  place.clock.forward(3599);
  CHECK(follow(*store, link));
  place.clock.forward(1);
  CHECK_FALSE(follow(*store, link));
  CHECK_FALSE(store->find(ann, "a.txt", soon(), {}));
  CHECK(store->sweep() == 1);
  CHECK_FALSE(fs::exists(opened->path.parent_path()));
}

TEST_CASE("the owner finds a file by id, link and name; another user hears what is said of unknown ones") {
  const Place place;
  const auto store = place.store();
  const std::string link = keep(*store, "a.txt", "hello");
  const std::string id = link.substr(std::string("https://box.example/files/").size(), 36);
  for (const std::string& reference : {id, link, std::string("a.txt")}) {
    INFO(reference);
    const auto found = store->find(ann, reference, soon(), {});
    REQUIRE(found);
    CHECK(found->id == id);
    CHECK(found->size == 5);
    TextSink bytes;
    CHECK(*store->download(ann, *found, 100, bytes, soon(), {}) == 5);
    CHECK(bytes.text == "hello");
    TextSink none;
    CHECK(store->download(eve, *found, 100, none, soon(), {}).failure().reason == Reason::not_found);
    CHECK(store->download(ann, *found, 4, none, soon(), {}).failure().reason == Reason::too_large);
    CHECK(none.text.empty());
    const auto foreign = store->find(eve, reference, soon(), {});
    REQUIRE_FALSE(foreign);
    CHECK(foreign.failure().reason == Reason::not_found);
  }
  CHECK_FALSE(store->find(ann, "../a.txt\n", soon(), {}));
}

TEST_CASE("of two files of one name the newer is found, also when both came within one second") {
  const Place place;
  const auto store = place.store();
  for (int n = 0; n < 20; ++n) {
    const std::string content = "number " + std::to_string(n);
    keep(*store, "a.txt", content);
    const auto found = store->find(ann, "a.txt", soon(), {});
    REQUIRE(found);
    TextSink bytes;
    REQUIRE(store->download(ann, *found, 100, bytes, soon(), {}));
    CHECK(bytes.text == content);
  }
}

TEST_CASE("a restart keeps files and links, and clears away what was never finished") {
  const Place place;
  std::string link;
  { link = keep(*place.store(), "a.txt", "hello"); }
  const fs::path half = place.folder / "files" / "11111111-1111-4111-8111-111111111111";
  fs::create_directory(half);
  std::ofstream(half / "content") << "half";
  const auto store = place.store();
  const auto opened = follow(*store, link);
  REQUIRE(opened);
  CHECK(content_of(opened->path) == "hello");
  CHECK_FALSE(fs::exists(half));
}

TEST_CASE("the signing key is for the server alone, and an open one is refused") {
  const Place place;
  place.store();
  const fs::path key = place.folder / "key";
  CHECK((fs::status(key).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(fs::file_size(key) == 32);
  fs::permissions(key, fs::perms::group_read, fs::perm_options::add);
  const auto made = LinkStore::make(place.options, place.clock);
  REQUIRE_FALSE(made);
  CHECK(made.failure().message.find("chmod 600") != std::string::npos);
}

TEST_CASE("what does not fit is refused before a byte of it is read, and expired files make room") {
  Place place;
  const auto store = place.store();
  TextSource big(std::string(900, 'x'));
  CHECK(store->upload(ann, "a", 900, big, soon(), {}).failure().reason == Reason::too_large);
  keep(*store, "one", std::string(600, 'x'));
  TextSource more(std::string(600, 'x'));
  const auto refused = store->upload(ann, "two", 600, more, soon(), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().reason == Reason::capacity);
  place.clock.forward(3600);
  keep(*store, "two", std::string(600, 'x'));
}

TEST_CASE("an upload that breaks off or is cancelled leaves nothing and takes no room") {
  const Place place;
  const auto store = place.store();
  std::stop_source stop;
  stop.request_stop();
  for (int i = 0; i < 3; ++i) {
    TextSource small("abc");
    CHECK(store->upload(ann, "a", 700, small, soon(), {}).failure().reason == Reason::invalid);
    TextSource whole(std::string(700, 'x'));
    CHECK(store->upload(ann, "a", 700, whole, soon(), stop.get_token()).failure().reason ==
          Reason::cancelled);
  }
  CHECK(fs::is_empty(place.folder / "files"));
  keep(*store, "a", std::string(700, 'x'));
}

TEST_CASE("an empty file is kept like any other") {
  const Place place;
  const auto store = place.store();
  const auto opened = follow(*store, keep(*store, "empty.txt", ""));
  REQUIRE(opened);
  CHECK(fs::file_size(opened->path) == 0);
}
