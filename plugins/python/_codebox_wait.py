"""A Python that has loaded what programs usually need, and waits on descriptor 3 to be told what it becomes."""

import atexit
import contextvars
import gc
import importlib
import os
import random
import sys
import time

_CONTROL = 3
# Loaded where the image has them; nothing that leaves threads, handlers or output behind.
_STANDARD = (
    "argparse", "asyncio", "base64", "collections", "copy", "csv", "ctypes", "dataclasses", "datetime", "decimal",
    "email", "enum", "fractions", "functools", "glob", "hashlib", "heapq", "importlib.metadata", "io", "itertools", "json", "logging", "math",
    "operator", "pathlib", "pickle", "pprint", "random", "re", "shutil", "sqlite3", "statistics", "string",
    "subprocess", "tempfile", "textwrap", "threading", "traceback", "typing", "urllib.parse", "uuid", "zipfile",
)
_LIBRARIES = ("numpy", "pandas", "pandas.io.formats.string", "matplotlib", "matplotlib.pyplot",
              "matplotlib.backends.backend_agg", "PIL.Image", "openpyxl")


def _load(figures):
    """What of it the program's own import shall set going once more."""
    for name in _STANDARD + _LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:  # not in this image
            continue
    if "matplotlib.backends.backend_agg" in sys.modules:
        _draw()
    if "pandas" in sys.modules:
        _group()
        if "matplotlib.pyplot" in sys.modules:
            importlib.import_module("pandas.plotting._matplotlib")
    return figures.keep()


def _group():
    """Loads what is only loaded when a table is summed up and shown."""
    frame = sys.modules["pandas"].DataFrame({"a": ["b", "c", "b"], "d": [1, 2, 3], "e": [0.5, 1.5, 2.5]})
    str(frame.groupby("a").sum().describe())


def _draw():
    """Finds the fonts and what else is only loaded when something is drawn."""
    from io import BytesIO

    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot([0, 1], label="a")
    axes.set_title("a")
    axes.legend()
    figure.savefig(BytesIO(), format="png", bbox_inches="tight")


class _Ending:
    """Ends a program's process without taking down, piece by piece, the libraries that it may never have used.

    Runs after all that the program registered with atexit. What its end can be seen by happens as ever: buffers are
    written, its modules and what only they hold go away. Whatever is unusual is left to Python itself.
    """

    def __init__(self):
        self.code = None
        self.known = None
        self.process = os.getpid()
        self.socket = importlib.import_module("_socket")
        atexit.register(self.end)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.code = 0
        elif issubclass(kind, SystemExit):
            code = value.code
            self.code = 0 if code is None else code & 0xFF if isinstance(code, int) else 1
        elif not issubclass(kind, KeyboardInterrupt):
            self.code = 1
        return False

    def end(self):
        if self.code is None:
            return
        try:
            for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
                if stream is not None and not stream.closed:
                    stream.flush()
        except Exception:
            return  # Python has words and an exit status for it
        # First, since the collector may close what is below a text file before the file itself.
        self.flush_files()
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            if hasattr(sys, name):
                delattr(sys, name)
        for name in [name for name in list(sys.modules) if name not in self.known]:
            sys.modules.pop(name, None)
        sys.modules.pop("__main__", None)
        gc.collect()
        self.announce()
        os._exit(self.code)

    def announce(self):
        """Nobody has to wait until the kernel has freed the memory of libraries."""
        if os.getpid() != self.process:
            return
        for fd in range(3):
            try:
                os.close(fd)
            except OSError:
                continue
        try:
            speaker = self.socket.socket(self.socket.AF_UNIX, self.socket.SOCK_SEQPACKET)
            speaker.settimeout(0.1)
            speaker.connect(b"\0codebox-end")
            speaker.send(bytes([self.code]))
        except OSError:
            return

    def flush_files(self):
        """Of whatever is open, and of libraries in C."""
        for held in gc.get_objects():
            if isinstance(held, _WRITERS):
                try:
                    held.flush()
                except Exception:
                    continue
        ctypes = sys.modules.get("ctypes")
        if ctypes is not None:
            ctypes.CDLL(None).fflush(None)


def _request():
    told = b""
    while True:
        part = os.read(_CONTROL, 65536)
        if not part:
            break
        told += part
    os.close(_CONTROL)
    fields = told.split(b"\0")[:-1]
    if not fields:
        os._exit(0)
    count = int(fields.pop(0))
    argv, fields = fields[:count], fields[count:]
    count = int(fields.pop(0))
    env, fields = fields[:count], fields[count:]
    folder, stdin = fields
    return [os.fsdecode(field) for field in argv], env, folder, stdin


def _take_environment(env):
    wanted = dict(entry.split(b"=", 1) for entry in env)
    if dict(os.environb) == wanted:
        return
    os.environb.clear()
    os.environb.update(wanted)
    time.tzset()


def wait(figures):
    """What run() wants, once it is known."""
    ending = _Ending()
    figures.bring_font_list()
    kept = contextvars.copy_context().run(_load, figures)  # what libraries set in a context goes with it
    gc.collect()
    gc.freeze()
    os.write(_CONTROL, b"\n")
    argv, env, folder, stdin = _request()
    _take_environment(env)
    os.chdir(folder)
    if stdin == b"null":
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
    random.seed()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
    logging = sys.modules["logging"]
    logging._startTime = time.time_ns() if isinstance(logging._startTime, int) else time.time()
    ending.known = set(sys.modules)
    at = argv.index("run") + 1
    return argv[at], argv[at + 1 :], ending, figures, kept


_WRITERS = (sys.modules["io"].TextIOWrapper, sys.modules["io"].BufferedWriter, sys.modules["io"].BufferedRandom)
