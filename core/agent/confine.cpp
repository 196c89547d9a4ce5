#include "agent/confine.hpp"

#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace codebox::agent {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t x32_bit = 0x40000000U;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "The agent's system call filter does not know this architecture."
#endif

// Needs a capability that no step has, or opens a part of the kernel that was a way out before.
constexpr long forbidden[] = {
    SYS_unshare,        SYS_setns,           SYS_mount,           SYS_umount2,
    SYS_pivot_root,     SYS_chroot,          SYS_move_mount,      SYS_open_tree,
    SYS_fsopen,         SYS_fsconfig,        SYS_fsmount,         SYS_fspick,
    SYS_keyctl,         SYS_add_key,         SYS_request_key,     SYS_bpf,
    SYS_userfaultfd,    SYS_perf_event_open, SYS_kexec_load,      SYS_kexec_file_load,
    SYS_init_module,    SYS_finit_module,    SYS_delete_module,   SYS_open_by_handle_at,
    SYS_swapon,         SYS_swapoff,         SYS_reboot,          SYS_acct,
    SYS_quotactl,       SYS_syslog,          SYS_settimeofday,    SYS_clock_settime,
    SYS_fanotify_init,  SYS_pidfd_getfd,     SYS_vhangup,         SYS_nfsservctl,
    SYS_lookup_dcookie,
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
#ifdef SYS_quotactl_fd
    SYS_quotactl_fd,
#endif
#if defined(__x86_64__)
    SYS_iopl,           SYS_ioperm,          SYS_uselib,          SYS__sysctl,
    SYS_create_module,  SYS_query_module,    SYS_get_kernel_syms, SYS_modify_ldt,
#endif
};

// Programs try these and do without: libc falls back from clone3 to clone, whose flags a filter can see.
// The kernel's own asynchronous I/O draws on one pool for the whole host (fs.aio-max-nr).
constexpr long unknown[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
                            SYS_io_setup};

constexpr std::uint32_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
// What container engines allow of personality(2): the plain one, 32-bit uname, and the question.
constexpr std::uint32_t personalities[] = {0, 0x8, 0x20000, 0x20008, 0xFFFFFFFFU};

/// Writes a program of the kernel's classic BPF. Jumps go over the one or two instructions that follow.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless(architecture, ENOSYS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JMP | BPF_JSET | BPF_K, x32_bit, 0, 1);
    give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
    for (const long number : forbidden) refuse(number, EPERM);
    for (const long number : unknown) refuse(number, ENOSYS);
    clone();
    sockets(SYS_socket, true);
    sockets(SYS_socketpair, false);
    terminal_input();
    odd_personality();
    give(SECCOMP_RET_ALLOW);
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  void add(int code, std::uint32_t value, std::size_t if_true = 0, std::size_t if_false = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
                     static_cast<std::uint8_t>(if_false), value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  // The lower half, which is all that the kernel looks at in these arguments; both architectures are little
  // endian.
  void load_argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }
  void give(std::uint32_t verdict) {
    add(BPF_RET | BPF_K, verdict);
  }
  void unless(std::uint32_t value, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  void refuse(long number, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  // The instructions that `body` adds run for one system call alone and end with a verdict.
  template <class Body>
  void only(long number, Body body) {
    const auto at = code_.size();
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number));
    body();
    code_[at].jf = static_cast<std::uint8_t>(code_.size() - at - 1);
  }
  void clone() {
    only(SYS_clone, [this] {
      load_argument(0);
      add(BPF_JMP | BPF_JSET | BPF_K, new_namespaces, 0, 1);
      give(SECCOMP_RET_ERRNO | EPERM);
      give(SECCOMP_RET_ALLOW);
    });
  }
  void sockets(long number, bool network) {
    only(number, [this, network] {
      load_argument(0);
      add(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1);
      give(SECCOMP_RET_ALLOW);
      if (network) {
        for (const std::uint32_t family : {std::uint32_t{AF_INET}, std::uint32_t{AF_INET6}}) {
          add(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 1);
          give(SECCOMP_RET_ALLOW);
        }
        // libc asks for the interfaces over netlink; its other families are the kernel's own business.
        add(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 3);
        load_argument(2);
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
        give(SECCOMP_RET_ALLOW);
      }
      give(SECCOMP_RET_ERRNO | EAFNOSUPPORT);
    });
  }
  void terminal_input() {
    only(SYS_ioctl, [this] {
      load_argument(1);
      refuse(TIOCSTI, EPERM);
      refuse(TIOCLINUX, EPERM);
      give(SECCOMP_RET_ALLOW);
    });
  }
  void odd_personality() {
    only(SYS_personality, [this] {
      load_argument(0);
      for (const auto value : personalities) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        give(SECCOMP_RET_ALLOW);
      }
      give(SECCOMP_RET_ERRNO | EPERM);
    });
  }

  std::vector<sock_filter> code_;
};

}  // namespace

bool confine() {
  return Filter().install();
}

}  // namespace codebox::agent
