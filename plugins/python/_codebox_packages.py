"""Lists the image's packages, and installs more of them beside it, in step with what the image holds."""

import json
import os
import re
import site
import subprocess
import sys
import tempfile

try:
    from importlib import metadata
except ImportError:  # Python 3.7
    metadata = None

_PLAIN_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?(\+[a-z0-9.]+)?")


def _canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(path=None):
    """Name and version of each distribution, the first that an import would find."""
    found = {}
    if metadata is None:
        return found
    where = {} if path is None else {"path": path}
    for distribution in metadata.distributions(**where):
        name = distribution.metadata["Name"]
        version = distribution.version
        if name and version:
            found.setdefault(_canonical(name), (name, version))
    return found


def show():
    support = os.path.dirname(os.path.abspath(__file__))
    packages = installed([path for path in sys.path if path != support])
    print(json.dumps([{"name": name, "version": version} for _, (name, version) in sorted(packages.items())]))


def _name(specifier):
    return _canonical(re.match(r"[A-Za-z0-9._-]*", specifier).group())


def _constraints(image, specifiers):
    """The image's versions of all that is not asked for by name: what is built on them goes on working."""
    asked = {_name(specifier) for specifier in specifiers}
    return "".join(
        "%s==%s\n" % (name, version)
        for key, (name, version) in sorted(image.items())
        if key not in asked and _PLAIN_VERSION.fullmatch(version)
    )


def _pip(*arguments):
    return [sys.executable, "-B", "-m", "pip"] + list(arguments)


def install(prefix, specifiers):
    """Exit status of pip. Into the user site, which Python finds by itself; a virtual environment has none."""
    support = os.path.dirname(os.path.abspath(__file__))
    image = installed([path for path in sys.path if path != support and not path.startswith(prefix)])
    if subprocess.call(_pip("--version"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        print("This image has no pip, so that nothing can be installed into it.", file=sys.stderr)
        return 1
    where = ["--user"] if site.ENABLE_USER_SITE else ["--target", os.path.join(prefix, "target")]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write(_constraints(image, specifiers))
        constraints.flush()
        # Not --quiet: the causes of a conflict would go unsaid.
        code = subprocess.call(
            _pip(
                "install",
                "--no-input",
                "--no-cache-dir",
                "--prefer-binary",
                "--disable-pip-version-check",
                "--no-warn-script-location",
                "--progress-bar",
                "off",
                "--retries",
                "1",
                "--timeout",
                "10",
                "-c",
                constraints.name,
                *where,
                "--",
                *specifiers
            )
        )
    if code == 0:
        _warn_of_conflicts(image, specifiers)
    else:
        _tell_of_own_modules(specifiers)
    return code


def _tell_of_own_modules(specifiers):
    """Names that stand for no package, since Python brings what they mean."""
    own = [one for one in specifiers if one in getattr(sys, "stdlib_module_names", ())]
    if own:
        print("Python itself brings %s: leave that out of `libraries`." % ", ".join(own), file=sys.stderr)


def _warn_of_conflicts(image, specifiers):
    """Where a package of the image was replaced on request, says what of the image it breaks."""
    replaced = sorted(name for name in {_name(specifier) for specifier in specifiers} if name in image)
    if not replaced:
        return
    check = subprocess.run(
        _pip("check"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True
    )
    for line in check.stdout.splitlines():
        if any(name in _canonical(line) for name in replaced):
            print("Conflict with the image: " + line, file=sys.stderr)
