# Runs in a sandbox as the program of a call: CPython's own tests of one module, in this very interpreter. Prints as JSON
# whether the interpreter had been waiting, and the outcome of each test.
import sys

waited = "pandas" in sys.modules

import errno
import json
import os
import unittest
import warnings

from test import support
from test.support import import_helper, os_helper


def unlink(path, of_python=os_helper.unlink):
    """Tests remove what is not there in folders of Python's own, which say here that they are read-only."""
    try:
        of_python(path)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise


class Outcomes(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.of = {}

    def note(self, test, outcome):
        # A test's own outcome is the worst of its parts.
        name = str(getattr(test, "test_case", test))
        if self.of.get(name, "passed") == "passed" or not outcome.startswith(("passed", "skipped")):
            self.of[name] = outcome

    def addSuccess(self, test):
        self.note(test, "passed")

    def addSkip(self, test, reason):
        self.note(test, "skipped")

    def addExpectedFailure(self, test, error):
        self.note(test, "failed as expected")

    def addUnexpectedSuccess(self, test):
        self.note(test, "passed unexpectedly")

    def addFailure(self, test, error):
        self.note(test, "failed: " + self.last_words(error))

    def addError(self, test, error):
        self.note(test, "failed: " + self.last_words(error))

    def addSubTest(self, test, part, error):
        if error is not None:
            self.note(test, "failed: " + self.last_words(error))

    @staticmethod
    def last_words(error):
        return f"{error[0].__name__}: {str(error[1])[-300:]}"


def main(name, wanted):
    if waited != wanted:
        return show({})
    support.verbose = 0
    os_helper.unlink = import_helper.unlink = unlink
    support.use_resources = ["cpu"]
    os.makedirs("/tmp/cwd", exist_ok=True)
    os.chdir("/tmp/cwd")
    outcomes = Outcomes()
    # A runner does this, and some tests count on it.
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        unittest.TestLoader().loadTestsFromName(name).run(outcomes)
    show(outcomes.of)


def show(outcomes):
    with open("/sandbox/output/outcomes.json", "w") as file:
        json.dump({"waited": waited, "outcomes": outcomes}, file)


if __name__ == "__main__":
    main(*json.loads(sys.stdin.read()))
