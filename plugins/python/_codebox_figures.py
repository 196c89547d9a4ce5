"""Saves the figures of matplotlib that a program shows or leaves open, as figure-1-its-title.png, figure-2.png, ...

Nothing is imported for a program that does not draw: the work starts when the program itself imports pyplot.
"""

import atexit
import os
import sys
import warnings
import weakref
from importlib import import_module
from importlib.util import find_spec

# The first that the image has stands in where a label's own font lacks a glyph.
_FALLBACKS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "Unifont",
)

# Where dockerfiles/sandbox.python.Dockerfile keeps matplotlib's cache; a sandbox's own is empty and writable.
_FONT_LISTS = "/usr/local/share/codebox/matplotlib"


def title_of(figure):
    """The title of a figure or of its first axes as the end of a file's name: "-revenue-by-month", or nothing."""
    try:
        titles = [figure._suptitle.get_text() if figure._suptitle else ""]
        titles += [axes.get_title(loc) for axes in figure.axes[:1] for loc in ("center", "left", "right")]
        title = next((text for text in titles if text.strip()), "")
    except Exception:  # a matplotlib of another age
        return ""
    return slug(title)


def slug(title):
    """Letters and digits of any script; everything between them is one dash."""
    kept = "".join(c if c.isalnum() else " " for c in title.lower()).split()
    short = "-".join(kept).encode()[:60].decode(errors="ignore").strip("-")
    return "-" + short if short else ""


class _Figures:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        self.saved = weakref.WeakSet()
        self.process = os.getpid()

    def attach(self, pyplot):
        """Makes show() save, and remembers the figures that the program saves itself."""
        from matplotlib import _pylab_helpers
        from matplotlib.figure import Figure

        self.managers = _pylab_helpers.Gcf
        self.savefig = savefig = Figure.savefig

        def remembering(figure, *args, **kwargs):
            result = savefig(figure, *args, **kwargs)
            target = args[0] if args else kwargs.get("fname")
            if isinstance(target, (str, os.PathLike)):
                self.saved.add(figure)
            return result

        def show(*args, **kwargs):
            self.save()

        add_fallback()
        remembering.__doc__ = savefig.__doc__
        Figure.savefig = remembering
        Figure.show = lambda figure, *args, **kwargs: self.save(figure)
        pyplot.show = show
        atexit.register(self.save)

    def save(self, only=None):
        """Saves what is open (or one figure), in the order of creation, and closes it."""
        if os.getpid() != self.process:
            return
        for manager in self.managers.get_all_fig_managers():
            figure = manager.canvas.figure
            if only is not None and figure is not only:
                continue
            if figure not in self.saved:
                self.write(figure)
            self.managers.destroy(manager.num)

    def write(self, figure):
        os.makedirs(self.folder, exist_ok=True)
        while True:
            self.count += 1
            name = "figure-%d%s.png" % (self.count, title_of(figure))
            path = os.path.join(self.folder, name)
            if not os.path.exists(path):
                break
        try:
            with warnings.catch_warnings(record=True) as said:
                self.savefig(figure, path, format="png", bbox_inches="tight")
        except Exception as error:
            print("%s could not be saved: %s" % (name, error), file=sys.stderr)
            return
        for text in dict.fromkeys(str(warning.message) for warning in said):
            print("%s: %s" % (name, text), file=sys.stderr)


def add_fallback():
    """Lets every text use a font more, for scripts that its own ones lack."""
    try:
        from matplotlib import font_manager

        find = font_manager.FontManager._find_fonts_by_props
    except (ImportError, AttributeError):  # a matplotlib that draws with one font only
        return
    known = {font.name for font in font_manager.fontManager.ttflist}
    family = next((name for name in _FALLBACKS if name in known), None)
    if family is None:
        return

    def find_with_fallback(self, prop, *args, **kwargs):
        paths = find(self, prop, *args, **kwargs)
        try:
            one = font_manager.FontProperties._from_any(prop).copy()
            one.set_family(family)
            path = self.findfont(one, *args, **dict(kwargs, fallback_to_default=False))
        except Exception:  # there is none in the form that is asked for, or this matplotlib is of another age
            return paths
        return paths if path in paths else paths + [path]

    find_with_fallback.__doc__ = find.__doc__
    font_manager.FontManager._find_fonts_by_props = find_with_fallback


class _Kept:
    """Modules that were loaded ahead of the program, which imports them as if they were new."""

    def __init__(self, top, names):
        modules = {name: sys.modules.pop(name) for name in names}
        self.top = top
        self.module = modules.pop(top)
        self.below = modules
        self.spec = self.module.__spec__
        parent, _, name = top.rpartition(".")
        delattr(sys.modules[parent], name)

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec
        module.__loader__ = self.spec.loader
        sys.modules.update(self.below)


def keep():
    """Takes out pyplot, and what of pandas stands on it: their import is what our figures hook into."""
    kept = {}
    for top in ("pandas.plotting._matplotlib", "matplotlib.pyplot"):
        names = [name for name in sys.modules if name == top or name.startswith(top + ".")]
        if top in names:
            kept[top] = _Kept(top, names)
    return kept, _backend()


def _backend():
    """What is asked for, without finding out what that means here."""
    matplotlib = sys.modules.get("matplotlib")
    name = dict.get(matplotlib.rcParams, "backend") if matplotlib is not None else None
    return name.lower() if isinstance(name, str) else name


class _Loader:
    """Loads pyplot as its own loader does, then attaches."""

    def __init__(self, loader, figures):
        self.loader = loader
        self.figures = figures

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.figures.attach(module)


def bring_font_list():
    """Copies the list of fonts that the image has made, so that matplotlib need not look at every font."""
    target = os.environ.get("MPLCONFIGDIR", "")
    try:
        made = [entry for entry in os.scandir(_FONT_LISTS) if entry.name.startswith("fontlist-")]
        os.makedirs(target, exist_ok=True)
        for entry in made:
            path = os.path.join(target, entry.name)
            if not os.path.exists(path):
                with open(entry.path, "rb") as source, open(path, "wb") as copy:
                    copy.write(source.read())
    except OSError:  # no such list, or no room for it: matplotlib makes its own
        return


class _Finder:
    def __init__(self, figures, kept):
        self.figures = figures
        self.kept, self.backend = kept

    def find_spec(self, name, path=None, target=None):
        if name == "matplotlib.pyplot":
            sys.meta_path.remove(self)
            kept = self.kept.get(name)
            # Another backend is chosen by executing pyplot anew.
            if kept is not None and self.backend == _backend():
                spec = type(kept.spec)(name, kept, origin=kept.spec.origin)
                sys.meta_path.insert(0, _PandasFinder(self.kept))
            else:
                spec = find_spec(name)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self.figures)
            return spec
        if name == "pandas.plotting._matplotlib" and name in self.kept:
            import_module("matplotlib.pyplot")
            return find_spec(name)
        return None


class _PandasFinder:
    def __init__(self, kept):
        self.kept = kept

    def find_spec(self, name, path=None, target=None):
        kept = self.kept.get(name) if name == "pandas.plotting._matplotlib" else None
        if kept is None:
            return None
        sys.meta_path.remove(self)
        return type(kept.spec)(name, kept, origin=kept.spec.origin, is_package=True)


def watch(folder, kept=({}, None)):
    bring_font_list()
    sys.meta_path.insert(0, _Finder(_Figures(folder), kept))
