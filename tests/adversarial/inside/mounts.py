import glob
import stat

WRITABLE = ("/sandbox", "/packages", "/tmp", "/dev/shm", "/dev/mqueue")

for path in ("/etc/passwd", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/.codebox/agent", sys.executable):
    attempt(f"change {path}", lambda: write(path), "ETXTBSY", "ELOOP")
for folder in ("/", "/etc", "/usr/bin", "/var/tmp", "/run", "/root", "/dev", "/sys", "/proc", "/.codebox", "/tmp/.support"):
    attempt(f"create a file in {folder}", lambda: create(f"{folder}/adversary"))

places, hosts_disk = set(), []
for line in open("/proc/self/mountinfo"):
    fields = line.split()
    kind = fields[fields.index("-") + 1]
    if kind in ("ext4", "xfs", "btrfs", "9p", "virtiofs", "fuse", "nfs", "nfs4"):
        hosts_disk.append(fields[4])
for root, folders, _ in os.walk("/", onerror=lambda _: None):
    folders[:] = [one for one in folders if os.path.join(root, one) not in ("/proc", "/sys")]
    if os.access(root, os.W_OK):
        places.add(root)
strange = {place for place in places if not any(place == one or place.startswith(one + "/") for one in WRITABLE)}
holds("no other place can be written", not strange, sorted(strange))
for point in hosts_disk:
    attempt(f"write through the mount {point}", lambda: write(point) if os.path.isfile(point) else create(point + "/a"))

for path in ("kernel/core_pattern", "kernel/modprobe", "kernel/hostname", "kernel/sysrq", "kernel/pid_max", "vm/drop_caches",
             "kernel/randomize_va_space", "fs/file-max", "fs/binfmt_misc/register", "net/ipv4/ip_forward",
             "user/max_user_namespaces", "kernel/ns_last_pid"):
    attempt(f"write /proc/sys/{path}", lambda: write(f"/proc/sys/{path}", "|/sandbox/x"))
for path in ("/proc/sysrq-trigger", "/proc/irq/0/smp_affinity", "/proc/kcore", "/proc/mtrr", "/proc/timer_list",
             "/proc/latency_stats", "/proc/acpi/wakeup", "/proc/scsi/scsi", "/sys/kernel/uevent_helper", "/sys/power/state",
             "/sys/kernel/profiling", "/sys/module/kernel/parameters/panic", "/sys/kernel/mm/ksm/run",
             "/sys/firmware/efi/vars/new_var", "/sys/kernel/debug/x", "/sys/fs/bpf/x", "/sys/fs/fuse/x"):
    if path == "/proc/timer_list":
        holds("/proc/timer_list is masked", not os.path.exists(path) or open(path).read() == "")
    else:
        attempt(f"write {path}", lambda: write(path), "EIO", "EINVAL", "EISDIR")
holds("/proc/keys is masked", not os.path.exists("/proc/keys") or open("/proc/keys").read() == "")
holds("/sys/firmware is masked", not os.path.exists("/sys/firmware") or os.listdir("/sys/firmware") == [])
attempt("read /proc/kcore", lambda: open("/proc/kcore", "rb").read(1) or os.open("/nothing", 0))

groups = set(glob.glob("/sys/fs/cgroup")) | set(glob.glob("/sys/fs/cgroup/*"))
for group in sorted(one for one in groups if os.path.isdir(one)):
    attempt(f"make a cgroup in {group}", lambda: os.mkdir(group + "/adversary"))
    for name in ("release_agent", "notify_on_release", "cgroup.procs", "tasks", "cgroup.subtree_control", "memory.max",
                 "memory.limit_in_bytes", "pids.max", "devices.allow", "cpu.max", "cpu.cfs_quota_us", "cgroup.kill"):
        if os.path.exists(f"{group}/{name}"):
            attempt(f"write {group}/{name}", lambda: write(f"{group}/{name}", "0"))

for name in ("mem", "kmem", "port", "kmsg", "sda", "vda", "nvme0n1", "fuse", "kvm", "vsock", "vhost-vsock", "loop-control",
             "mapper/control", "net/tun", "userfaultfd", "uinput", "console", "input"):
    attempt(f"open /dev/{name}", lambda: os.open(f"/dev/{name}", os.O_RDONLY), "ENXIO", "ENODEV")


def node(path, kind, major, minor):
    """A kernel of a sandbox's own may let it make the node; there must be nothing behind it."""
    os.mknod(path, kind | 0o666, os.makedev(major, minor))
    try:
        return os.open(path, os.O_RDONLY)
    finally:
        os.unlink(path)


devices = [("mem", 1, 1), ("kmsg", 1, 11), ("disk", 8, 0), ("virtual disk", 254, 0), ("vhost", 10, 238)]
for name, major, minor in devices:
    for kind in (stat.S_IFCHR, stat.S_IFBLK):
        for folder in ("/sandbox", "/tmp", "/dev/shm"):
            attempt(f"mknod {name} in {folder}", lambda: node(f"{folder}/node", kind, major, minor), "ENXIO", "ENODEV")
held = []
for root, _, files in os.walk("/dev"):
    for name in files:
        held.append(os.path.join(root, name)) if stat.S_ISBLK(os.lstat(os.path.join(root, name)).st_mode) else None
holds("no block device is there", not held, held)

b = ctypes.c_char_p
MS_REMOUNT, MS_BIND, MS_MOVE = 32, 4096, 8192
attempt("mount a tmpfs", lambda: call("mount", b(b"none"), b(b"/sandbox"), b(b"tmpfs"), 0, 0))
attempt("mount proc anew", lambda: call("mount", b(b"proc"), b(b"/sandbox"), b(b"proc"), 0, 0))
attempt("mount a cgroup", lambda: call("mount", b(b"none"), b(b"/sandbox"), b(b"cgroup"), 0, b(b"memory")))
attempt("bind mount", lambda: call("mount", b(b"/etc"), b(b"/sandbox"), b(b""), MS_BIND, 0))
attempt("remount the root", lambda: call("mount", b(b""), b(b"/"), b(b""), MS_REMOUNT | MS_BIND, 0))
attempt("move a mount", lambda: call("mount", b(b"/tmp"), b(b"/sandbox"), b(b""), MS_MOVE, 0))
for path in (b"/proc/keys", b"/proc/sys", b"/sys", b"/tmp", b"/"):
    attempt(f"umount {path.decode()}", lambda: call("umount2", b(path), 2))
attempt("pivot_root", lambda: call("pivot_root", b(b"/sandbox"), b(b"/sandbox")))
attempt("chroot", lambda: os.chroot("/sandbox"))
attempt("fsopen", lambda: call("fsopen", b(b"tmpfs"), 0))
attempt("fspick", lambda: call("fspick", -100, b(b"/"), 0))
attempt("open_tree", lambda: call("open_tree", -100, b(b"/"), 1))
attempt("move_mount", lambda: call("move_mount", -100, b(b"/tmp"), -100, b(b"/sandbox"), 0))
attempt("mount_setattr", lambda: call("mount_setattr", -100, b(b"/"), 0, ctypes.create_string_buffer(32), 32))
handle = ctypes.create_string_buffer(struct.pack("Ii", 8, 1) + struct.pack("Q", 2) + bytes(64))
attempt("open_by_handle_at", lambda: call("open_by_handle_at", os.open("/etc/hostname", os.O_RDONLY), handle, 0),
        "ENOTSUP")
