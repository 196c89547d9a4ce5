# Runs in a sandbox as the program of a call: looks for what other calls may have left, in every place where a program
# can leave something, and then leaves its own there.
import builtins
import ctypes
import json
import os
import random
import socket
import subprocess
import sys

WHO = open("/sandbox/who.txt").read()
NAME = "left-behind"
FOLDERS = ("/sandbox", "/sandbox/output", "/tmp", "/tmp/home", "/tmp/.support", "/packages", "/dev/shm", "/dev/mqueue", "/var/tmp",
           "/var/lock", "/run", "/", "/etc", "/usr/lib/python3/dist-packages", "/usr/local/share", "/proc/sys/kernel")
KEY, SIZE, PORT, ABSTRACT = 0x636F6465, 64, 47111, "\0codebox-left-behind"
CREATE = 0o1000 | 0o666
libc = ctypes.CDLL(None, use_errno=True)
found = []


def try_to(*actions):
    for action in actions:
        try:
            action()
        except Exception:
            continue


def connects(family, address):
    with socket.socket(family) as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(address) == 0


def look():
    for folder in FOLDERS:
        if os.path.lexists(os.path.join(folder, NAME)):
            found.append(folder)
    for name in os.environ:
        if name.startswith("LEFT_BEHIND"):
            found.append(name)
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = open(f"/proc/{entry}/cmdline").read()
        except OSError:
            continue
        if NAME in command:
            found.append(command)
    for module in (builtins, json, random, sys):
        if hasattr(module, "left_behind"):
            found.append(module.__name__)
    if NAME in socket.gethostname():
        found.append("host name")
    if connects(socket.AF_INET, ("127.0.0.1", PORT)) or connects(socket.AF_UNIX, ABSTRACT):
        found.append("a listener")
    if libc.shmget(KEY, SIZE, 0) >= 0 or libc.msgget(KEY, 0) >= 0 or libc.semget(KEY, 1, 0) >= 0:
        found.append("System V IPC")
    if os.path.exists("/tmp/home/.profile") or os.path.exists("/tmp/home/.config/left"):
        found.append("home")


def leave():
    for folder in FOLDERS:
        try_to(lambda: open(os.path.join(folder, NAME), "w").write(WHO))
    os.environ["LEFT_BEHIND"] = WHO
    for module in (builtins, json, random, sys):
        module.left_behind = WHO
    try_to(lambda: socket.sethostname(NAME))
    os.makedirs("/tmp/home/.config", exist_ok=True)
    for path in ("/tmp/home/.profile", "/tmp/home/.config/left"):
        open(path, "w").write("export LEFT_BEHIND=1\n")
    try_to(lambda: libc.shmget(KEY, SIZE, CREATE), lambda: libc.msgget(KEY, CREATE), lambda: libc.semget(KEY, 1, CREATE))
    # A daemon that keeps two listeners and the mark in its command line.
    listeners = [socket.socket(socket.AF_INET), socket.socket(socket.AF_UNIX)]
    for listener, address in zip(listeners, (("127.0.0.1", PORT), ABSTRACT)):
        listener.bind(address)
        listener.listen()
        os.set_inheritable(listener.fileno(), True)
    subprocess.Popen(["/bin/sh", "-c", f"sleep 600; : {NAME}"], close_fds=False, start_new_session=True,
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    base = os.environ.get("PYTHONUSERBASE", "/tmp/home/.local")
    site = os.path.join(base, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    try_to(lambda: os.makedirs(site, exist_ok=True),
           lambda: open(os.path.join(site, "usercustomize.py"), "w").write("import sys\nsys.left_behind = 1\n"))


look()
leave()
print(json.dumps({"who": WHO, "found": found, "random": random.random(), "uid": os.getuid(),
                  "preloaded": "pandas" in sys.modules, "host": socket.gethostname(),
                  "layered": bool(os.statvfs("/packages").f_flag & os.ST_RDONLY)}))
