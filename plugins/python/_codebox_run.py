"""Runs a program as `python3 SOURCE` would: __main__, argv, sys.path, tracebacks, exit codes are its own."""

import os
import runpy
import site
import sys
import types
from importlib.machinery import SourceFileLoader

import _codebox_figures


def _report(kind, value, trace):
    """Prints a traceback without the frames that are ours."""
    while trace is not None and trace.tb_frame.f_code.co_filename in _OURS:
        trace = trace.tb_next
    sys.__excepthook__(kind, value.with_traceback(trace), trace)


def _find_packages():
    """Packages that could not go into the user site, and the commands of all that were installed."""
    base = os.environ.get("PYTHONUSERBASE")
    if not base:
        return
    target = os.path.join(base, "target")
    if os.path.isdir(target):
        before = len(sys.path)
        site.addsitedir(target)
        # Before the image's own packages, as the user site is.
        added = sys.path[before:]
        del sys.path[before:]
        at = next((i for i, path in enumerate(sys.path) if path.endswith("-packages")), before)
        sys.path[at:at] = added
        # For the commands of those packages, which are Python programs of their own.
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = target + (os.pathsep + inherited if inherited else "")
    commands = [os.path.join(base, "bin"), os.path.join(target, "bin")]
    os.environ["PATH"] = os.pathsep.join(commands + [os.environ.get("PATH", os.defpath)])


def _main_module(source):
    """An empty __main__ in place of ours, as multiprocessing and pickle expect to find it."""
    main = types.ModuleType("__main__")
    main.__file__ = source
    main.__builtins__ = sys.modules["builtins"]
    main.__cached__ = None
    main.__annotations__ = {}
    main.__loader__ = SourceFileLoader("__main__", source)
    main.__spec__ = None
    sys.modules["__main__"] = main
    return main


def run(source, arguments, ending=None):
    sys.argv = [source] + arguments
    source = os.path.abspath(source)
    sys.path[0] = os.path.dirname(source)
    _find_packages()
    _codebox_figures.watch(os.path.join(sys.path[0], "output"))
    for name in ("_codebox_run", "_codebox_wait", "_codebox_figures"):
        sys.modules.pop(name, None)
    main = _main_module(source)
    if hasattr(sys, "orig_argv"):
        sys.orig_argv = sys.orig_argv[:3] + [source] + arguments
    sys.excepthook = _report
    with open(source, "rb") as file:
        text = file.read()
    code = compile(text, source, "exec", dont_inherit=True)
    if ending is None:
        exec(code, main.__dict__)
    else:
        with ending:
            exec(code, main.__dict__)


_HERE = run.__code__.co_filename
_OURS = {_HERE, os.path.join(os.path.dirname(_HERE), "__main__.py"), runpy.run_path.__code__.co_filename}
