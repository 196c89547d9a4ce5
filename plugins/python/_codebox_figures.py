"""Saves the figures of matplotlib that a program shows or leaves open, as figure-1.png, figure-2.png, ...

Nothing is imported for a program that does not draw: the work starts when the program itself imports pyplot.
"""
import atexit
import os
import sys


class _Figures:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        self.saved = set()
        self.process = os.getpid()

    def attach(self, pyplot):
        """Makes show() save, and remembers the figures that the program saves itself."""
        from matplotlib import _pylab_helpers
        from matplotlib.figure import Figure

        self.pyplot = pyplot
        self.managers = _pylab_helpers.Gcf
        self.savefig = savefig = Figure.savefig

        def remembering(figure, *args, **kwargs):
            result = savefig(figure, *args, **kwargs)
            self.saved.add(id(figure))
            return result

        def show(*args, **kwargs):
            self.save()

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
            if id(figure) not in self.saved:
                self.write(figure)
            self.saved.discard(id(figure))
            self.managers.destroy(manager.num)

    def write(self, figure):
        os.makedirs(self.folder, exist_ok=True)
        while True:
            self.count += 1
            path = os.path.join(self.folder, "figure-%d.png" % self.count)
            if not os.path.exists(path):
                break
        try:
            self.savefig(figure, path, format="png", bbox_inches="tight")
        except Exception as error:
            print("A figure could not be saved: %s" % error, file=sys.stderr)


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


class _Finder:
    def __init__(self, figures):
        self.figures = figures

    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.figures)
        return spec


def watch(folder):
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.meta_path.insert(0, _Finder(_Figures(folder)))
