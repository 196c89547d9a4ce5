#include "engine/body.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace codebox::engine;
using nlohmann::json;

namespace {

constexpr std::uint64_t mebibyte = 1ULL << 20;

CreateSpec some_spec() {
  CreateSpec spec;
  spec.image = "example/python:1";
  spec.language = "python";
  spec.limits = {400 * mebibyte, 256 * mebibyte, 512 * mebibyte, 1.5, 99};
  return spec;
}

Dialect docker() {
  Dialect dialect;
  dialect.info.name = "docker";
  dialect.info.cgroups = "v1";
  dialect.prefix = "/v1.41";
  return dialect;
}

json body_of(const CreateSpec& spec, const std::vector<std::string>& volumes = {}) {
  return create_body(spec, "prepared:1", volumes, "here", docker());
}

}  // namespace

TEST_CASE("a sandbox runs our agent and nothing that the image asks for") {
  const auto body = body_of(some_spec());
  CHECK(body["Image"] == "prepared:1");
  CHECK(body["Entrypoint"] == json::array({"/.codebox/agent"}));
  CHECK(body["Cmd"] == json::array());
  CHECK(body["User"] == "0:0");
  CHECK(body["WorkingDir"] == "/");
  CHECK(body["Healthcheck"] == json{{"Test", json::array({"NONE"})}});
  CHECK_FALSE(body.contains("Env"));
  CHECK(body["Labels"] == json{{"codebox.instance", "here"}, {"codebox.language", "python"}});
}

TEST_CASE("Podman adds no writable place of its own, and Docker is not told of any") {
  auto podman = docker();
  podman.info.name = "podman";
  const auto places = create_body(some_spec(), "prepared:1", {}, "here", podman)["HostConfig"]["Tmpfs"];
  for (const char* const place : {"/run", "/var/tmp"}) {
    INFO(place);
    CHECK(places[place].get<std::string>().starts_with("ro,"));
    CHECK_FALSE(body_of(some_spec())["HostConfig"]["Tmpfs"].contains(place));
  }
}

TEST_CASE("a sandbox's sockets keep little, since its memory limit may not count them") {
  CHECK(body_of(some_spec())["HostConfig"]["Sysctls"] ==
        json{{"net.ipv4.tcp_rmem", "4096 65536 131072"}, {"net.ipv4.tcp_wmem", "4096 16384 131072"}});
  auto other = some_spec();
  other.runtime = "runsc";
  CHECK_FALSE(body_of(other)["HostConfig"].contains("Sysctls"));
}

TEST_CASE("a sandbox ends when its only stdin does") {
  const auto body = body_of(some_spec());
  for (const char* const name : {"OpenStdin", "StdinOnce", "AttachStdin", "AttachStdout", "AttachStderr"}) {
    INFO(name);
    CHECK(body[name] == true);
  }
  CHECK(body["Tty"] == false);
  CHECK(body["HostConfig"]["AutoRemove"] == true);
  CHECK(body["HostConfig"]["LogConfig"] == json{{"Type", "none"}});
  CHECK(body["HostConfig"]["RestartPolicy"] == json{{"Name", "no"}});
  CHECK(body["HostConfig"]["Init"] == false);
}

TEST_CASE("a sandbox is closed by default") {
  const auto body = body_of(some_spec());
  const auto& host = body["HostConfig"];
  CHECK(body["NetworkDisabled"] == true);
  CHECK(host["NetworkMode"] == "none");
  CHECK(host["ReadonlyRootfs"] == true);
  CHECK(host["Privileged"] == false);
  CHECK(host["CapDrop"] == json::array({"ALL"}));
  CHECK(host["CapAdd"] == json::array({"SETUID", "SETGID"}));
  CHECK(host["SecurityOpt"] == json::array({"no-new-privileges"}));
  CHECK(host["IpcMode"] == "private");
  CHECK(host["PublishAllPorts"] == false);
  CHECK(host["OomScoreAdj"] > 0);
  for (const char* const name : {"Binds", "Mounts", "Devices", "DeviceRequests", "VolumesFrom", "PidMode",
                                 "UsernsMode", "UTSMode", "MaskedPaths", "ReadonlyPaths"}) {
    INFO(name);
    CHECK_FALSE(host.contains(name));
  }
}

TEST_CASE("every limit of a spec stands in the request") {
  const auto body = body_of(some_spec());
  const auto& host = body["HostConfig"];
  CHECK(host["Memory"] == (400 + 256 + 64) * mebibyte);
  CHECK(host["MemorySwap"] == host["Memory"]);
  CHECK(host["NanoCpus"] == 1'500'000'000);
  CHECK(host["PidsLimit"] == 99);
  CHECK(host["ShmSize"] == 16 * mebibyte);
  CHECK(host["Ulimits"] == json::array({{{"Name", "core"}, {"Soft", 0}, {"Hard", 0}},
                                        {{"Name", "nofile"}, {"Soft", 4096}, {"Hard", 4096}}}));
  CHECK(host["Tmpfs"] ==
        json{{"/sandbox", "rw,exec,nosuid,nodev,size=184549376,mode=1777,nr_inodes=22528"},
             {"/tmp", "rw,exec,nosuid,nodev,size=67108864,mode=1777,nr_inodes=8192"},
             {"/dev/shm", "rw,noexec,nosuid,nodev,size=16777216,mode=1777,nr_inodes=2048"},
             {"/packages", "rw,exec,nosuid,nodev,size=536870912,mode=1777,nr_inodes=65536"}});
}

TEST_CASE("a runtime is named only where one is configured") {
  auto spec = some_spec();
  CHECK_FALSE(body_of(spec)["HostConfig"].contains("Runtime"));
  spec.runtime = "runsc";
  CHECK(body_of(spec)["HostConfig"]["Runtime"] == "runsc");
}

TEST_CASE("a private cgroup namespace is asked for where cgroups have one") {
  CHECK_FALSE(body_of(some_spec())["HostConfig"].contains("CgroupnsMode"));
  auto dialect = docker();
  dialect.info.cgroups = "v2";
  CHECK(create_body(some_spec(), "i", {}, "here", dialect)["HostConfig"]["CgroupnsMode"] == "private");
}

TEST_CASE("folders that an image declares as volumes are covered by small writable places") {
  const auto body = body_of(some_spec(), {"/data", "/packages"});
  const auto& places = body["HostConfig"]["Tmpfs"];
  CHECK(places.size() == 5);
  CHECK(places["/data"] == "rw,exec,nosuid,nodev,size=2097152,mode=1777,nr_inodes=256");
  CHECK(places["/packages"] == "rw,exec,nosuid,nodev,size=536870912,mode=1777,nr_inodes=65536");
}

TEST_CASE("Podman is spoken to in the words that it knows") {
  Dialect podman = docker();
  podman.info.name = "podman";
  CHECK(podman.tmpfs(1024) == "rw,exec,nosuid,nodev,size=1024,mode=1777,notmpcopyup");
  CHECK(podman.shared_memory(1024).empty());
  CHECK(podman.ulimits(99).at("nproc") == 99);
  CHECK(podman.memory_update("abc", 5).body == R"({"memory":{"limit":5,"swap":5}})");
  CHECK(docker().memory_update("abc", 5).body == R"({"Memory":5,"MemorySwap":5})");
  CHECK(docker().memory_update("abc", 5).target == "/v1.41/containers/abc/update");
}

TEST_CASE("a removal that finds nothing left to do has succeeded") {
  const auto dialect = docker();
  CHECK(dialect.removed({204, ""}));
  CHECK(dialect.removed({404, R"({"message":"No such container: abc"})"}));
  CHECK(dialect.removed({409, R"({"message":"removal of container abc is already in progress"})"}));
  const Api::Answer ending{500, R"({"message":"container state improper: stopped"})"};
  CHECK_FALSE(dialect.ending(ending));
  auto podman = docker();
  podman.info.name = "podman";
  CHECK(podman.ending(ending));
  CHECK_FALSE(podman.removed(ending));
  CHECK_FALSE(dialect.removed({409, R"({"message":"conflict"})"}));
  CHECK_FALSE(dialect.removed({500, R"({"message":"device or resource busy"})"}));
}

TEST_CASE("the disk's shares are together the disk allowance") {
  for (const std::uint64_t disk : {8 * mebibyte, 100 * mebibyte, 256 * mebibyte, 10'000 * mebibyte})
    for (const std::size_t volumes : {0UL, 1UL, 8UL}) {
      const auto shares = divide(disk, volumes);
      CHECK(shares.work + shares.temporary + shares.shared_memory + volumes * shares.volume == disk);
      CHECK(shares.temporary > 0);
      CHECK(shares.temporary == disk / 4);
      CHECK(shares.work > disk / 2);
    }
}

TEST_CASE("the memory limit grows by the install allowance only while installing") {
  const Limits limits{500 * mebibyte, 256 * mebibyte, 1024 * mebibyte, 1, 512};
  CHECK(memory_limit(limits, false) == (500 + 256 + 64) * mebibyte);
  CHECK(memory_limit(limits, true) == (500 + 256 + 64 + 1024) * mebibyte);
}

TEST_CASE("a sandbox has a network only where its bridge is named") {
  CHECK(body_of(some_spec())["HostConfig"]["NetworkMode"] == "none");
  CHECK(body_of(some_spec())["NetworkDisabled"] == true);
  const auto body = create_body(some_spec(), "prepared:1", {}, "here", docker(), "abc123");
  CHECK(body["HostConfig"]["NetworkMode"] == "abc123");
  CHECK(body["NetworkDisabled"] == false);
  CHECK(body["HostConfig"]["CapDrop"] == json::array({"ALL"}));
}

TEST_CASE("the bridge is this instance's, without IPv6 and without a way from sandbox to sandbox") {
  const auto body = bridge_body("here", "codebox-1");
  CHECK(body["Name"] == "codebox-1");
  CHECK(body["Driver"] == "bridge");
  CHECK(body["EnableIPv6"] == false);
  CHECK(body["Labels"] == json{{"codebox.instance", "here"}});
  CHECK(body["Options"]["com.docker.network.bridge.enable_icc"] == "false");
  CHECK(body["Options"]["com.docker.network.bridge.enable_ip_masquerade"] == "true");
}

TEST_CASE("a sandbox on a package layer shows the layer's packages, which it cannot write to") {
  CreateSpec spec = some_spec();
  spec.layer = std::string(64, 'a');
  const auto host = body_of(spec, {"/packages"})["HostConfig"];
  CHECK_FALSE(host["Tmpfs"].contains("/packages"));
  CHECK(host["Tmpfs"].contains("/sandbox"));
  CHECK(host["ReadonlyRootfs"] == true);
}
