"""A squid that wants a user and a password, from Debian's package, unpacked beside the test where it is not installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

import box

USER, PASSWORD = "codebox", "pr0xy p@ss:word"
CONFIG = """
http_port 127.0.0.1:{port}
auth_param basic program /usr/bin/env python3 {folder}/helper.py
auth_param basic children 1
acl known proxy_auth REQUIRED
acl CONNECT method CONNECT
acl forbidden dstdomain forbidden.invalid
http_access deny forbidden
http_access allow known CONNECT
http_access deny all
cache deny all
cache_mem 8 MB
access_log stdio:{folder}/access.log
cache_log {folder}/cache.log
pid_filename none
coredump_dir {folder}
mime_table {share}/mime.conf
icon_directory {share}/icons
error_directory {share}/errors/templates
error_log_languages off
shutdown_lifetime 0 seconds
pinger_enable off
unlinkd_program {lib}/unlinkd
logfile_daemon {lib}/log_file_daemon
"""
HELPER = f"""
import sys, urllib.parse
for line in sys.stdin:
    user, _, password = line.rstrip("\\n").partition(" ")
    good = (urllib.parse.unquote(user), urllib.parse.unquote(password)) == {(USER, PASSWORD)!r}
    print("OK" if good else "ERR", flush=True)
"""


def unpacked(folder: pathlib.Path) -> pathlib.Path:
    """The root under which squid and its libraries lie. Nothing is installed on this machine."""
    if pathlib.Path("/usr/sbin/squid").exists():
        return pathlib.Path("/")
    if os.geteuid() != 0 or not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise unittest.SkipTest("squid is not installed and cannot be had: this is no Debian, or not root")
    packages = folder / "packages"
    (packages / "partial").mkdir(parents=True)
    got = subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "--download-only",
                          "-o", f"Dir::Cache::archives={packages}", "-o", "Acquire::Retries=1",
                          "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=30", "squid"],
                         capture_output=True, text=True, timeout=120)
    files = sorted(packages.glob("*.deb"))
    if got.returncode != 0 or not files:
        raise unittest.SkipTest("squid cannot be had from Debian's packages: " + got.stderr.strip()[-300:])
    for file in files:
        subprocess.run(["dpkg-deb", "-x", file, folder / "root"], check=True, timeout=60)
    return folder / "root"


class Squid:
    """A context manager; `url` carries the credentials as EGRESS_PROXY takes them."""

    def __init__(self):
        self.port = box.free_port()
        self.process = None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codebox-squid-"))
        self.url = f"http://{USER}:{urllib.parse.quote(PASSWORD, safe='')}@127.0.0.1:{self.port}"

    def __enter__(self):
        try:
            self.start(unpacked(self.folder))
        except subprocess.TimeoutExpired as slow:
            self.__exit__()
            raise unittest.SkipTest("squid cannot be had in time") from slow
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, root):
        (self.folder / "helper.py").write_text(HELPER)
        config = self.folder / "squid.conf"
        config.write_text(CONFIG.format(port=self.port, folder=self.folder, share=root / "usr/share/squid",
                                        lib=root / "usr/lib/squid"))
        # It gives its rights up to the user "proxy", who writes its logs here.
        self.folder.chmod(0o777)
        libraries = [str(path) for path in (root / "usr/lib").glob("*-linux-*")] if root != pathlib.Path("/") else []
        environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)} if libraries else None
        with open(self.folder / "stderr", "wb") as words:
            self.process = subprocess.Popen([root / "usr/sbin/squid", "-N", "-f", config], env=environment,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words)
        try:
            box.wait_until(lambda: self.process.poll() is not None or self.listens(), 30, "squid listens")
        except AssertionError as late:
            raise unittest.SkipTest(str(late)) from late
        if self.process.poll() is not None:
            raise unittest.SkipTest("squid does not start here: " + self.words()[-500:])

    def listens(self) -> bool:
        return f":{self.port:04X}" in pathlib.Path("/proc/net/tcp").read_text()

    def words(self) -> str:
        return "".join(path.read_text(errors="replace") for path in (self.folder / "stderr", self.folder / "cache.log")
                       if path.exists())

    def log(self) -> str:
        path = self.folder / "access.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def __exit__(self, *_):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
