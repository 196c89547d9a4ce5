"""Saves the figures of matplotlib that a program shows or leaves open, as figure-1-its-title.png, figure-2.png, ...

Nothing is imported for a program that does not draw: the work starts when the program itself imports pyplot.
"""

import atexit
import os
import sys
import warnings
import weakref
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
            self.complete(figure)
            result = savefig(figure, *args, **kwargs)
            target = args[0] if args else kwargs.get("fname")
            if isinstance(target, (str, os.PathLike)):
                self.saved.add(figure)
            return result

        def show(*args, **kwargs):
            self.save()

        remembering.__doc__ = savefig.__doc__
        Figure.savefig = remembering
        Figure.show = lambda figure, *args, **kwargs: self.save(figure)
        pyplot.show = show
        atexit.register(self.save)

    def complete(self, figure):
        """Gives every text of a figure the fallback font, for scripts that its own font lacks."""
        try:
            from matplotlib import font_manager, rcParams
            from matplotlib.text import Text

            known = {font.name for font in font_manager.fontManager.ttflist}
            fallback = next((name for name in _FALLBACKS if name in known), None)
            if fallback is None:
                return
            if fallback not in rcParams["font.family"]:
                rcParams["font.family"] = list(rcParams["font.family"]) + [fallback]
            for text in figure.findobj(Text):
                if fallback not in text.get_fontfamily():
                    text.set_fontfamily(list(text.get_fontfamily()) + [fallback])
        except Exception:  # a matplotlib of another age: the figure is drawn as it is
            return

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
        self.complete(figure)
        try:
            with warnings.catch_warnings(record=True) as said:
                self.savefig(figure, path, format="png", bbox_inches="tight")
        except Exception as error:
            print("%s could not be saved: %s" % (name, error), file=sys.stderr)
            return
        for text in dict.fromkeys(str(warning.message) for warning in said):
            print("%s: %s" % (name, text), file=sys.stderr)


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
    def __init__(self, figures):
        self.figures = figures

    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.figures)
        return spec


def watch(folder):
    bring_font_list()
    sys.meta_path.insert(0, _Finder(_Figures(folder)))
