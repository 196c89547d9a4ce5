// agent_jail AGENT: runs the agent as an engine would: PID 1 of its own namespaces, a loopback interface
// alone, tmpfs for the writable places, two capabilities. SIGTERM kills the agent.
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

pid_t agent = -1;

void check(bool good, const char* what) {
  if (good) return;
  std::perror(what);
  ::_exit(70);
}

void loopback_up() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  check(::ioctl(fd, SIOCSIFFLAGS, &request) == 0, "loopback");
  ::close(fd);
}

void make_root(const std::string& root) {
  check(::mount("tmpfs", root.c_str(), "tmpfs", 0, "mode=0755") == 0, "root");
  for (const char* name : {"usr", "etc", "bin", "sbin", "lib", "lib64", "dev"}) {
    const auto from = std::string("/") + name;
    const auto to = root + from;
    char target[256];
    const auto length = ::readlink(from.c_str(), target, sizeof target - 1);
    if (length > 0) {
      target[length] = '\0';
      check(::symlink(target, to.c_str()) == 0, name);
    } else if (::mkdir(to.c_str(), 0755) == 0) {
      if (::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) ::rmdir(to.c_str());
    }
  }
  for (const char* name : {"sandbox", "packages", "tmp"}) {
    const auto to = root + "/" + name;
    ::mkdir(to.c_str(), 0755);
    check(::mount("tmpfs", to.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=64m") == 0, name);
  }
  const auto terminals = root + "/dev/pts";
  const char* own = "newinstance,ptmxmode=0666,mode=0620";
  check(::mount("devpts", terminals.c_str(), "devpts", 0, own) == 0, "terminals");
  const auto proc = root + "/proc";
  ::mkdir(proc.c_str(), 0755);
  check(::mount("proc", proc.c_str(), "proc", 0, nullptr) == 0, "proc");
}

void keep_two_capabilities() {
  for (int capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if (capability != CAP_SETUID && capability != CAP_SETGID) ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

[[noreturn]] void child(const char* program) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int fd = ::open(program, O_RDONLY | O_CLOEXEC);
  check(fd >= 0, program);
  loopback_up();
  make_root("/mnt");
  check(::chroot("/mnt") == 0 && ::chdir("/") == 0, "chroot");
  keep_two_capabilities();
  char name[] = "codebox-agent";
  char* const arguments[] = {name, nullptr};
  char* const environment[] = {nullptr};
  ::fexecve(fd, arguments, environment);
  check(false, "exec");
  ::_exit(70);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  check(::unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC) == 0, "unshare");
  check(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "private mounts");
  agent = ::fork();
  check(agent >= 0, "fork");
  if (agent == 0) child(argv[1]);
  // Only the agent may hold the stream, so that its end is seen.
  ::close(0);
  ::close(1);
  ::signal(SIGTERM, [](int) { ::kill(agent, SIGKILL); });
  int status = 0;
  while (::waitpid(agent, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
