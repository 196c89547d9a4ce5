# Stands in front of every hostile program: the system calls it makes, and what came of each attempt.
import ctypes
import errno
import json
import os
import platform
import struct
import sys

REFUSALS = {"EPERM", "EACCES", "EROFS", "ENOENT", "ENOSYS"}
NUMBERS = {
    "x86_64": {
        "acct": 163, "add_key": 248, "adjtimex": 159, "bpf": 321, "capset": 126, "clock_settime": 227, "clone": 56,
        "delete_module": 176, "finit_module": 313, "fsopen": 430, "fspick": 433, "init_module": 175, "io_setup": 206,
        "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioperm": 173, "iopl": 172,
        "ioprio_set": 251, "kcmp": 312, "kexec_load": 246, "keyctl": 250, "mlockall": 151, "mount": 165,
        "mount_setattr": 442, "move_mount": 429, "move_pages": 279, "open_by_handle_at": 304, "open_tree": 428,
        "perf_event_open": 298, "pidfd_getfd": 438, "pidfd_open": 434, "pidfd_send_signal": 424, "pivot_root": 155,
        "prlimit64": 302, "process_vm_readv": 310, "process_vm_writev": 311, "ptrace": 101, "quotactl": 179,
        "reboot": 169, "request_key": 249, "rt_sigqueueinfo": 129, "setdomainname": 171, "sethostname": 170,
        "setns": 308, "settimeofday": 164, "swapon": 167, "syslog": 103, "tgkill": 234, "umount2": 166,
        "unshare": 272, "userfaultfd": 323, "vhangup": 153},
    "aarch64": {
        "acct": 89, "add_key": 217, "adjtimex": 171, "bpf": 280, "capset": 91, "clock_settime": 112, "clone": 220,
        "delete_module": 106, "finit_module": 273, "fsopen": 430, "fspick": 433, "init_module": 105, "io_setup": 0,
        "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioprio_set": 30, "kcmp": 272,
        "kexec_load": 104, "keyctl": 219, "mlockall": 230, "mount": 40, "mount_setattr": 442, "move_mount": 429,
        "move_pages": 239, "open_by_handle_at": 265, "open_tree": 428, "perf_event_open": 241, "pidfd_getfd": 438,
        "pidfd_open": 434, "pidfd_send_signal": 424, "pivot_root": 41, "prlimit64": 261, "process_vm_readv": 270,
        "process_vm_writev": 271, "ptrace": 117, "quotactl": 60, "reboot": 142, "request_key": 218,
        "rt_sigqueueinfo": 138, "setdomainname": 162, "sethostname": 161, "setns": 268, "settimeofday": 170,
        "swapon": 224, "syslog": 116, "tgkill": 131, "umount2": 39, "unshare": 97, "userfaultfd": 282,
        "vhangup": 58}}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
attempts = []


def call(name, *arguments):
    """A system call by its number, since libc keeps some of them from us."""
    if name not in NUMBERS:
        raise OSError(errno.ENOSYS, name)
    made = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    ctypes.set_errno(0)
    value = libc.syscall(ctypes.c_long(NUMBERS[name]), *made)
    if value < 0:
        raise OSError(ctypes.get_errno(), name)
    return value


def attempt(name, action, *more):
    """Does it and notes what came of it: it must be refused, with an error of REFUSALS or of `more`."""
    try:
        value = action()
    except OSError as error:
        outcome = errno.errorcode.get(error.errno, str(error.errno))
        attempts.append([name, outcome in REFUSALS or outcome in more, outcome])
    except Exception as error:
        attempts.append([name, False, f"{type(error).__name__}: {error}"])
    else:
        attempts.append([name, False, f"it was done: {value!r}"[:200]])


def holds(name, good, what=""):
    """Notes a statement that must be true."""
    attempts.append([name, bool(good), str(what)[:400]])


def report():
    """A full pipe of lines, cut at a size that comes back whole."""
    print("REPORT " + json.dumps([len(attempts), [one for one in attempts if not one[1]]]), flush=True)


def write(path, text="x", flags=os.O_WRONLY):
    file = os.open(path, flags)
    try:
        return os.write(file, text.encode())
    finally:
        os.close(file)


def create(path):
    return write(path, flags=os.O_WRONLY | os.O_CREAT)
