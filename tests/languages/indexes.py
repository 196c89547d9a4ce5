"""The small package indexes that stand in for those of languages, each in its ecosystem's own format.

To add one: put its sources as plain text into indexes/ID/, and tell in ID.toml how they become an index and how the language
is pointed at it. Both may be left out: a folder that is an index already needs no build.

    [index]
    build = [["sh", "build.sh"]]             # commands, run in a copy of the folder, in the language's image, offline
    variables = ["GEM_SOURCE={url}"]         # what SANDBOX_ENV_ID sets while the tests run

A build reads the index's address, without a slash at its end, from INDEX_URL. What then lies in the folder is served as files.
Where SANDBOX_ENV_ID is set already, or with --real, nothing is built; --real takes the package of [package.real], where
there is one, from the language's default index."""
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading


class _Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class Indexes:
    """Serves what `add` built, until it is closed. A context manager."""
    # Installers leave 127.0.0.1 out of what they ask their proxy for, and a sandbox has its own. This is only this machine's.
    host = "127.0.0.2"

    def __init__(self, engine):
        self.engine = engine
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codebox-index-"))
        self.server = http.server.ThreadingHTTPServer(
            (self.host, 0), functools.partial(_Files, directory=str(self.folder)))
        self.server.daemon_threads = True
        self.address = f"{self.host}:{self.server.server_address[1]}"
        self.problems = {}   # language -> why its index could not be built
        self.settings = {}   # SANDBOX_ENV_ID -> value
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, language, index, image):
        folder, url = self.folder / language, f"http://{self.address}/{language}"
        shutil.copytree(pathlib.Path(__file__).with_name("indexes") / language, folder)
        for command in index.get("build", []):
            done = subprocess.run(
                [self.engine, "run", "--rm", "--network", "none", "--user", f"{os.getuid()}:{os.getgid()}",
                 "--volume", f"{folder}:/index", "--workdir", "/index", "--env", "HOME=/tmp", "--env", f"INDEX_URL={url}",
                 "--entrypoint", command[0], image, *command[1:]],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
            if done.returncode:
                self.problems[language] = f"its index was not built: {command} says: {done.stdout[-2000:]}"
                return
        variables = index.get("variables", [])
        self.settings[f"SANDBOX_ENV_{language.upper()}"] = ";".join(variable.replace("{url}", url) for variable in variables)
