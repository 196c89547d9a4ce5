"""The installed tree, and a small image made of it with the libraries of this machine: a server image without a build."""
import io
import os
import pathlib
import re
import subprocess
import tarfile

root = pathlib.Path(__file__).resolve().parent.parent.parent


def checked(*command, **options) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.pop("timeout", 120), **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[:4]} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def install(build: pathlib.Path, prefix: pathlib.Path) -> None:
    for part in ("server", "plugins"):
        checked("cmake", "--install", str(build), "--prefix", str(prefix), "--component", part)


def libraries(program: pathlib.Path) -> list:
    return sorted(set(re.findall(r"(/\S+) \(0x", checked("ldd", str(program)))))


def server_image(prefix: pathlib.Path, tag: str) -> None:
    """Imports an image with the tree in /usr/local, set up as dockerfiles/server.Dockerfile does it."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        def own(info):
            info.uid = info.gid = 0
            return info

        tar.add(prefix / "bin", "usr/local/bin", filter=own)
        tar.add(prefix / "lib", "usr/local/lib", filter=own)
        for library in libraries(prefix / "bin" / "codebox"):
            tar.add(os.path.realpath(library), library.lstrip("/"), filter=own)
        users = b"root:x:0:0:root:/root:/bin/false\ncodebox:x:10001:10001::/nonexistent:/bin/false\n"
        groups = b"root:x:0:\ncodebox:x:10001:\n"
        for name, data in (("etc/passwd", users), ("etc/group", groups)):
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))
        state = tarfile.TarInfo("var/lib/codebox")
        state.type, state.mode, state.uid, state.gid = tarfile.DIRTYPE, 0o700, 10001, 10001
        tar.addfile(state)
        for name in ("tmp", "var/run"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(folder)
    changes = ['ENTRYPOINT ["codebox"]', 'CMD ["serve"]', "ENV SERVER_USER=codebox STATE_DIR=/var/lib/codebox"
               " PATH=/usr/local/bin:/usr/bin:/bin", "EXPOSE 8000"]
    options = [word for change in changes for word in ("--change", change)]
    done = subprocess.run(["docker", "import", *options, "-", tag], input=archive.getvalue(), capture_output=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
