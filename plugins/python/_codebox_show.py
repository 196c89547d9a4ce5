"""Keeps what a program shows as pages of their own: figures of plotly, bokeh, altair and folium, and the table or
figure that is its last line. Each page becomes a file such as figure-1-its-title.html and needs no other.

Loaded only for a program that names one of these libraries.
"""

import os
import sys
from importlib.util import find_spec

LIBRARIES = ("pandas", "plotly", "bokeh", "altair", "folium", "branca")

_TABLE = """<!doctype html><meta charset="utf-8"><style>
:root { color-scheme: light dark } body { font: 14px system-ui, sans-serif; margin: 8px; overflow: auto }
table { border-collapse: collapse } th, td { padding: 4px 10px; text-align: right; border-bottom: 1px solid #8884 }
th { position: sticky; top: 0; background: Canvas }</style>"""


def _plotly(figure):
    return figure.to_html(include_plotlyjs=True, full_html=True, default_height="460px")


def _bokeh(model):
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    return file_html(model, INLINE, "Bokeh")


def _altair(chart):
    try:
        return chart.to_html(inline=True)
    except Exception:  # vl-convert, which brings the scripts, is not installed
        print("The chart loads its scripts from cdn.jsdelivr.net; with vl-convert-python among the libraries, "
              "it brings them.", file=sys.stderr)
        return chart.to_html()


def _page(value):
    """The page that shows `value`, and whether it is a table; nothing for what has none."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(value).__mro__}
    if ("pandas", "DataFrame") in kinds:
        return _TABLE + value.to_html(max_rows=200, max_cols=50, border=0), True
    if ("plotly", "BaseFigure") in kinds:
        return _plotly(value), False
    if ("bokeh", "Model") in kinds:
        return _bokeh(value), False
    if ("altair", "TopLevelMixin") in kinds:
        return _altair(value), False
    if ("branca", "Figure") in kinds or ("folium", "Map") in kinds:
        return value.get_root().render(), False
    return None, False


def _title(value):
    """What a figure of plotly calls itself."""
    try:
        return value.layout.title.text or ""
    except Exception:
        return ""


class Shown:
    def __init__(self, folder, slug):
        self.folder = folder
        self.slug = slug
        self.seen = []

    def keep(self, value, *_, **__):
        """Writes the page of a value, once."""
        if any(value is one for one in self.seen):
            return
        try:
            page, table = _page(value)
        except Exception as error:
            print("%s could not be shown: %s" % (type(value).__name__, error), file=sys.stderr)
            return
        if page is None:
            return
        self.seen.append(value)
        os.makedirs(self.folder, exist_ok=True)
        kind, number = ("table", "") if table else ("figure", self.slug(_title(value)))
        count = 1
        while any(name.startswith(("%s-%d." % (kind, count), "%s-%d-" % (kind, count)))
                  for name in os.listdir(self.folder)):
            count += 1
        path = os.path.join(self.folder, "%s-%d%s.html" % (kind, count, number))
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def last(self, value):
        """The value of a program's last line, if that is an expression."""
        if type(value).__module__.partition(".")[0] not in LIBRARIES:
            return
        if type(value).__module__.startswith("pandas"):
            print(value)
        self.keep(value)

    def find_spec(self, name, path=None, target=None):
        """Takes the place of the functions that would open a browser, as soon as their module is there."""
        if name not in ("plotly.io", "bokeh.io.showing", "altair"):
            return None
        sys.meta_path.remove(self)
        try:
            spec = find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec

    def attach(self, module):
        if module.__name__ == "altair":
            module.TopLevelMixin.show = lambda chart, *_, **__: self.keep(chart)
        else:
            module.show = self.keep


class _Loader:
    def __init__(self, loader, shown):
        self.loader = loader
        self.shown = shown

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        self.shown.attach(module)


def watch(folder, slug):
    shown = Shown(folder, slug)
    for name in ("plotly.io", "bokeh.io.showing", "altair"):
        if name in sys.modules:
            shown.attach(sys.modules[name])
    sys.meta_path.insert(0, shown)
    return shown
