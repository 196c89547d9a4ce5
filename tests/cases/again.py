"""Runs unittest tests, and those that failed once more when nothing else runs. These tests look at a whole machine
(an engine, a server, an index), which has its own bad moments; what passes alone is named and counted as passed."""
import unittest


def _tests(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _tests(item)
        else:
            yield item


class Counting(unittest.TextTestResult):
    """Counts a test once, however many of its subtests failed."""
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def bad(self) -> set[str]:
        """Names of tests, or of a class whose set-up failed: "setUpClass (case_x.Class)"."""
        return {str(getattr(test, "test_case", test)) for test, _ in self.failures + self.errors}


def run_counted(discover, stream) -> int:
    """`discover` gives the suite anew each time. Prints a FAILED line for each failure and the line of counts."""
    result = unittest.TextTestRunner(stream, verbosity=2, resultclass=Counting).run(discover())
    bad, passed = result.bad(), result.passed
    if bad and len(bad) <= 10:
        print(f"running {len(bad)} failed once more, alone", flush=True)
        chosen = unittest.TestSuite(
            test for test in _tests(discover())
            if str(test) in bad or any(name.endswith(f"Class ({unittest.util.strclass(type(test))})") for name in bad))
        second = unittest.TextTestRunner(stream, verbosity=2, resultclass=Counting).run(chosen)
        for name in sorted(bad - second.bad()):
            print("PASSED ON A SECOND TRY:", name.replace("\n", " "))
        bad, passed = second.bad(), passed + second.passed
    for name in sorted(bad):
        print("FAILED:", name.replace("\n", " "))
    print(f"{passed} passed, {len(bad)} failed, {len(result.skipped)} skipped", flush=True)
    return 1 if bad else 0
