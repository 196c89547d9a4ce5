#include "engine/own_podman.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/log.hpp"
#include "base/text.hpp"
#include "engine/endpoint.hpp"
#include "engine/podman_conf.hpp"

extern char** environ;

namespace codebox::engine {
namespace {

constexpr std::chrono::seconds farewell{15};
constexpr std::string_view pid_variable = "LISTEN_PID=";

/// All that the child needs, made before the fork: afterwards only plain system calls are safe.
struct Start {
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::string folder;
  std::string pid = std::string(pid_variable) + std::string(20, '\0');
  int listener = -1;
  int log = -1;
  pid_t parent = -1;
};

void write_number(char* to, pid_t number) {
  std::array<char, 20> digits{};
  std::size_t count = 0;
  for (; number > 0; number /= 10) digits[count++] = static_cast<char>('0' + number % 10);
  while (count > 0) *to++ = digits[--count];
}

[[noreturn]] void become(Start& start) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  write_number(start.pid.data() + pid_variable.size(), ::getpid());
  const bool moved = ::dup2(start.log, 1) == 1 && ::dup2(start.log, 2) == 2 && ::dup2(start.listener, 3) == 3;
  if (moved && ::getppid() == start.parent && ::chdir(start.folder.c_str()) == 0)
    ::execve(start.argv[0], start.argv.data(), start.environment.data());
  ::_exit(127);
}

/// A socket that nobody listens on any more, as a launcher leaves it that was killed.
bool abandoned(const std::filesystem::path& socket) {
  return socket.extension() == ".sock" && !endpoint::connect(socket.string());
}

}  // namespace

OwnPodman::~OwnPodman() {
  std::unique_lock lock(mutex_);
  if (child_ > 0) {
    ::kill(child_, SIGTERM);
    if (!changed_.wait_for(lock, farewell, [this] { return child_ < 0; })) ::kill(child_, SIGKILL);
  }
  lock.unlock();
  if (keeper_.joinable()) keeper_.join();
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
  // conmon leaves a file of this name where it runs.
  std::filesystem::remove(folder_ / "oom", ignored);
}

Result<std::string> OwnPodman::socket() {
  std::unique_lock lock(mutex_);
  if (child_ > 0) return path_;
  if (keeper_.joinable()) keeper_.join();
  return begin(lock);
}

std::string OwnPodman::explain(const std::string& why) const {
  std::ifstream log(folder_ / "podman.log");
  std::string last;
  for (std::string line; std::getline(log, line);)
    if (!line.empty()) last = line;
  return "Podman's own service was tried too: " + why +
         (last.empty() ? "" : " It said last: " + text::quoted(last, 300) + ".");
}

Result<void> OwnPodman::prepare() const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  ::chmod(folder_.c_str(), 0700);
  std::ofstream conf(folder_ / "containers.conf", std::ios::trunc);
  conf << podman_conf(unified_cgroups(), !program_path("runc").empty());
  if (!conf.flush())
    return Failure{Reason::offline, "the folder " + text::quoted(folder_.string()) +
                                        " cannot be written; set STATE_DIR to one that can."};
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failed))
    if (abandoned(entry.path())) std::filesystem::remove(entry.path(), failed);
  return {};
}

Result<Fd> OwnPodman::listen() {
  path_ = (folder_ / (std::to_string(::getpid()) + ".sock")).string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path)
    return Failure{Reason::offline, "the path " + text::quoted(path_) +
                                        " is too long for a socket; set STATE_DIR to a shorter one."};
  std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
  ::unlink(path_.c_str());
  Fd plain(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Fd fd(::fcntl(plain.get(), F_DUPFD_CLOEXEC, 16));
  if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path_.c_str(), 0600) != 0 || ::listen(fd.get(), 128) != 0)
    return Failure{Reason::offline,
                   "its socket " + text::quoted(path_) + " cannot be made: " + std::strerror(errno) + "."};
  return fd;
}

Result<std::string> OwnPodman::begin(std::unique_lock<std::mutex>& lock) {
  const std::string program = program_path("podman");
  if (program.empty())
    return Failure{Reason::offline, "the program podman is not installed; install the package podman."};
  if (const auto ready = prepare(); !ready) return ready.failure();
  auto listener = listen();
  if (!listener) return listener.failure();
  starting_ = true;
  keeper_ =
      std::thread([this, program, fd = std::move(*listener)]() mutable { keep(program, std::move(fd)); });
  changed_.wait(lock, [this] { return !starting_; });
  if (child_ < 0) return Failure{Reason::offline, "it cannot be started: no process is left."};
  return path_;
}

void OwnPodman::keep(const std::string& program, Fd listener) {
  const Fd plain(::open((folder_ / "podman.log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const Fd log_file(::fcntl(plain.get(), F_DUPFD_CLOEXEC, 16));
  Start start;
  start.words = {program, "system", "service", "--time=0"};
  for (char** variable = environ; *variable != nullptr; ++variable) start.variables.emplace_back(*variable);
  start.variables.push_back("CONTAINERS_CONF=" + (folder_ / "containers.conf").string());
  start.variables.emplace_back("LISTEN_FDS=1");
  for (auto& word : start.words) start.argv.push_back(word.data());
  for (auto& variable : start.variables) start.environment.push_back(variable.data());
  start.environment.push_back(start.pid.data());
  start.argv.push_back(nullptr);
  start.environment.push_back(nullptr);
  start.folder = folder_.string();
  start.listener = listener.get();
  start.log = log_file.get();
  start.parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(start);
  {
    const std::lock_guard lock(mutex_);
    child_ = child;
    starting_ = false;
    changed_.notify_all();
  }
  listener.reset();
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  child_ = -1;
  changed_.notify_all();
}

}  // namespace codebox::engine
