# Runs in a sandbox: each program of programs.json in a fresh interpreter, and in a preloaded one that is forked from one
# which has loaded once, so that a hundred of them are quick. Prints as JSON how many there were and what differs.
import json
import os
import re
import shutil
import subprocess
import sys

SUPPORT, FORKED, SOURCE, OUTPUT = "/tmp/.support", "/tmp/forked", "/sandbox/main.py", "/sandbox/output"
MAIN_FILE = "/__main__.py"
MAIN = r'''
import contextvars, json, os, shutil, socket, sys
import _codebox_wait
runner = type(sys)("runner")
exec(compile(open("/tmp/forked/runner.py").read(), __file__, "exec"), runner.__dict__)  # one file, for tracebacks

figures = runner.load_figures()
kept = contextvars.copy_context().run(_codebox_wait._load, figures)
_codebox_wait._load = lambda _: kept
programs = json.load(open("/tmp/programs.json"))
results = {}
for name, (code, stdin) in programs.items():
    shutil.rmtree("/sandbox/output", ignore_errors=True)
    os.makedirs("/sandbox/output")
    open("/sandbox/main.py", "w").write(code)
    open("/tmp/in", "w").write(stdin)
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        break
    theirs.close()
    ours.recv(1)
    argv = ["python3", "-u", "-B", "/tmp/.support/__main__.py", "run", "/sandbox/main.py"]
    env = ["%s=%s" % entry for entry in os.environ.items()]
    fields = [str(len(argv)), *argv, str(len(env)), *env, "/sandbox", "pipe" if stdin else "null"]
    ours.sendall(b"".join(os.fsencode(field) + b"\0" for field in fields))
    ours.close()
    code = os.waitstatus_to_exitcode(os.wait()[1])
    results[name] = [open("/tmp/out", "rb").read().decode("utf-8", "backslashreplace"),
                     open("/tmp/err", "rb").read().decode("utf-8", "backslashreplace"), code,
                     sorted((entry, os.path.getsize("/sandbox/output/" + entry)) for entry in os.listdir("/sandbox/output"))]
else:
    json.dump(results, open("/tmp/forked.json", "w"))
    os._exit(0)
os.setsid()
writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
for at, fd in enumerate([os.open("/tmp/in", os.O_RDONLY), os.open("/tmp/out", writing), os.open("/tmp/err", writing)]):
    os.dup2(fd, at)
os.dup2(theirs.detach(), 3)
os.closerange(4, 200)
runner.run(*_codebox_wait.wait(figures))
'''


def same_for_both(text):
    """Without addresses, durations, and the frames of our own files, which only a failing excepthook shows."""
    text = re.sub(r"0x[0-9a-f]{6,}", "0x", re.sub(r"in \d+\.\d+s", "in 0 s", text))
    return re.sub(r'  File "(<frozen runpy>|/tmp/\.support|/tmp/forked)[^\n]*\n(    [^\n]*\n)*', "", text)


def plain(code, stdin):
    shutil.rmtree(OUTPUT, ignore_errors=True)
    os.makedirs(OUTPUT)
    with open(SOURCE, "w") as file:
        file.write(code)
    given = {"input": stdin.encode()} if stdin else {"stdin": subprocess.DEVNULL}
    done = subprocess.run(["python3", "-u", "-B", SUPPORT + MAIN_FILE, "run", SOURCE], capture_output=True, start_new_session=True,
                          cwd="/sandbox", timeout=60, **given)
    files = sorted([entry, os.path.getsize(os.path.join(OUTPUT, entry))] for entry in os.listdir(OUTPUT))
    return [done.stdout.decode("utf-8", "backslashreplace"), done.stderr.decode("utf-8", "backslashreplace"),
            done.returncode, files]


with open("/sandbox/programs.json") as file:
    given = json.load(file)
os.remove("/sandbox/programs.json")
programs = {name: program if isinstance(program, list) else [program, ""] for name, program in given.items()}
with open("/tmp/programs.json", "w") as file:
    json.dump(programs, file)
shutil.copytree(SUPPORT, FORKED)
os.chmod(FORKED, 0o755)
os.rename(FORKED + MAIN_FILE, FORKED + "/runner.py")
with open(FORKED + MAIN_FILE, "w") as file:
    file.write(MAIN)
forked = subprocess.run(["python3", "-u", "-B", FORKED + MAIN_FILE], cwd="/sandbox", capture_output=True, text=True)
if forked.returncode:
    sys.exit(forked.stdout + forked.stderr)
with open("/tmp/forked.json") as file:
    preloaded = json.load(file)
differences = {}
for name, (code, stdin) in programs.items():
    expected = plain(code, stdin)
    for result in (expected, preloaded[name]):
        result[1] = same_for_both(result[1])
    if preloaded[name] != expected:
        differences[name] = {"fresh": expected, "preloaded": preloaded[name]}
print(json.dumps({"count": len(preloaded), "differences": differences}))
