import resource
import signal
import stat

for name in ("fd", "fdinfo", "ns", "map_files", "task/1/fd"):
    def look():
        inner = os.listdir(f"/proc/1/{name}")
        return [os.readlink(f"/proc/1/{name}/{one}") if name != "fdinfo" else open(f"/proc/1/{name}/{one}").read() for one in inner]
    attempt(f"look into /proc/1/{name}", look)
for name in ("mem", "environ", "auxv", "io", "syscall", "stack", "personality", "pagemap", "maps", "smaps", "smaps_rollup",
             "numa_maps", "task/1/mem", "task/1/environ", "fdinfo/0"):
    attempt(f"read /proc/1/{name}", lambda: open(f"/proc/1/{name}", "rb").read(64) or os.open("/nothing", 0), "EIO", "EINVAL")
for number in range(32):
    attempt(f"write to the agent's descriptor {number}", lambda: write(f"/proc/1/fd/{number}", "forged"))
for name in ("root", "cwd", "exe"):
    attempt(f"follow /proc/1/{name}", lambda: os.readlink(f"/proc/1/{name}"))
    attempt(f"open /proc/1/{name}", lambda: os.open(f"/proc/1/{name}", os.O_RDONLY))
for name in ("mem", "oom_score_adj", "oom_adj", "comm", "autogroup", "clear_refs", "coredump_filter", "timerslack_ns",
             "attr/current", "attr/exec", "uid_map", "gid_map", "setgroups", "loginuid", "sched", "task/1/comm"):
    attempt(f"write /proc/1/{name}", lambda: write(f"/proc/1/{name}", "0"), "EINVAL")

for number in (0, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGCHLD, signal.SIGUSR1, 34):
    attempt(f"signal {int(number)} to the agent", lambda: os.kill(1, number))
    attempt(f"tgkill {int(number)}", lambda: call("tgkill", 1, 1, int(number)))
attempt("rt_sigqueueinfo", lambda: call("rt_sigqueueinfo", 1, 15, struct.pack("3i", 15, 0, -1) + bytes(116)))
attempt("ptrace attach", lambda: call("ptrace", 16, 1, 0, 0))
attempt("ptrace seize", lambda: call("ptrace", 0x4206, 1, 0, 0))
old = ctypes.create_string_buffer(16)
for number in range(16):
    attempt(f"prlimit {number} read", lambda: call("prlimit64", 1, number, 0, old))
    attempt(f"prlimit {number} set", lambda: call("prlimit64", 1, number, ctypes.create_string_buffer(16), 0))
vector = (ctypes.c_ulong * 2)(ctypes.addressof(old), 8)
for name in ("process_vm_readv", "process_vm_writev"):
    attempt(name, lambda: call(name, 1, vector, 1, vector, 1, 0))
attempt("move_pages", lambda: call("move_pages", 1, 0, 0, 0, 0, 0))
attempt("kcmp", lambda: call("kcmp", 1, os.getpid(), 0, 0, 0))
attempt("sched_setaffinity", lambda: os.sched_setaffinity(1, {0}))
attempt("sched_setscheduler", lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
attempt("setpriority", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
attempt("ioprio_set", lambda: call("ioprio_set", 1, 1, 3 << 13))
attempt("setpgid", lambda: os.setpgid(1, os.getpgrp()), "ESRCH")
try:
    leash = os.pidfd_open(1)
except OSError:
    holds("pidfd_open was refused", True)
else:
    attempt("pidfd_getfd", lambda: call("pidfd_getfd", leash, 0, 0))
    attempt("pidfd_send_signal", lambda: call("pidfd_send_signal", leash, 9, 0, 0))
    attempt("setns by pidfd", lambda: call("setns", leash, 0x20000))

mine = set()
for number in range(4096):
    try:
        mine.add((number, stat.S_IFMT(os.fstat(number).st_mode)))
    except OSError:
        pass
mine = {one for one in mine if one[0] != globals().get("leash")}
holds("only three descriptors were inherited", {one[0] for one in mine} == {0, 1, 2}, mine)
holds("input is nothing", os.path.samestat(os.fstat(0), os.stat("/dev/null")))
holds("outputs are pipes", all(kind == stat.S_IFIFO for number, kind in mine if number in (1, 2)), mine)
secrets = [name for name in os.environ if any(word in name for word in ("SECRET", "TOKEN", "JWT", "PASSWORD", "KEY"))]
holds("no secret is in the environment", not secrets, secrets)

attempt("a better place at the out-of-memory killer", lambda: write("/proc/self/oom_score_adj", "-1000"))
attempt("a higher priority", lambda: os.nice(-20) and None)
attempt("a real-time schedule", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)), "EINVAL")
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)


def raise_limit():
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    except ValueError as error:  # how Python says EPERM here
        raise PermissionError(errno.EPERM, str(error)) from None


attempt("a higher limit of open files", raise_limit)
