"""What the server starts in a sandbox: `python3 __main__.py run SOURCE`, `wait`, `list` or `install PREFIX NAME...`.

A program runs as `python3 SOURCE` would: __main__, argv, sys.path, tracebacks, exit statuses are its own. That stands in
this file and not in a module, whose import takes longer than all that it does.
"""

# Only what every Python has loaded by itself: an import more is time that each program waits.
import os
import site
import sys


def _report(kind, value, trace):
    """Prints a traceback without the frames that are ours."""
    while trace is not None and trace.tb_frame.f_code.co_filename == _HERE:
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
    main = type(sys)("__main__")
    main.__file__ = source
    main.__builtins__ = sys.modules["builtins"]
    main.__cached__ = None
    main.__annotations__ = {}
    main.__loader__ = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", source)
    main.__spec__ = None
    sys.modules["__main__"] = main
    return main


def _load(name):
    """A file of ours, as a module that no program finds."""
    path = os.path.join(os.path.dirname(_HERE), name + ".py")
    module = type(sys)(name)
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec", dont_inherit=True), module.__dict__)
    return module


def load_figures():
    """The keeper of matplotlib's figures."""
    return _load("_codebox_figures")


def _execute(text, source, names, folder):
    """Runs the program; one that names a library of tables or figures also shows the value of its last line."""
    if not any(name in text for name in (b"pandas", b"plotly", b"bokeh", b"altair", b"folium")):
        exec(compile(text, source, "exec", dont_inherit=True), names)
        return
    shown = _load("_codebox_show").watch(folder, load_figures().slug)
    tree = compile(text, source, "exec", 0x400, dont_inherit=True)  # PyCF_ONLY_AST
    last = tree.body[-1] if tree.body else None
    value = getattr(last, "value", None)
    shows = type(last).__name__ == "Expr" and type(value).__name__ in ("Name", "Attribute", "Call", "Subscript")
    if shows:
        tree.body.pop()
    exec(compile(tree, source, "exec", dont_inherit=True), names)
    if shows:
        wrapped = type(compile("0", source, "eval", 0x400))(value)
        shown.last(eval(compile(wrapped, source, "eval", dont_inherit=True), names))


class _Finder:
    """Loads it for a program that imports matplotlib."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if name == "matplotlib":
            sys.meta_path.remove(self)
            load_figures().watch(self.folder)


def run(source, arguments, ending=None, figures=None, kept=None):
    sys.argv = [source] + arguments
    source = os.path.abspath(source)
    sys.path[0] = os.path.dirname(source)
    _find_packages()
    output = os.path.join(sys.path[0], "output")
    if figures is None:
        sys.meta_path.insert(0, _Finder(output))
    else:
        figures.watch(output, kept)
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.modules.pop("_codebox_wait", None)
    main = _main_module(source)
    if hasattr(sys, "orig_argv"):
        sys.orig_argv = sys.orig_argv[:3] + [source] + arguments
    sys.excepthook = _report
    with open(source, "rb") as file:
        text = file.read()
    if ending is None:
        _execute(text, source, main.__dict__, output)
    else:
        with ending:
            _execute(text, source, main.__dict__, output)


_HERE = run.__code__.co_filename

if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "wait":
        from _codebox_wait import wait

        run(*wait(load_figures()))
    elif sys.argv[1] == "list":
        from _codebox_packages import show

        show()
    else:
        from _codebox_packages import install

        sys.exit(install(sys.argv[2], sys.argv[3:]))
