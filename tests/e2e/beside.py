"""Runs the tests of a file side by side, in threads, where they wait for most of their time: for a lease to lapse, for a line that comes
once a second. Each has servers, folders and worlds of its own, and changes nothing that the process has only one of.

    beside.main(8)      in the place of unittest.main(), with so many at a time
"""

import concurrent.futures
import sys
import threading
import time
import traceback
import unittest


def flat(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flat(one)
        else:
            yield one


class Classes:
    """What classes of tests set up and take down. A class that is skipped has nothing to set up."""

    def __init__(self, tests):
        self.begun, self.faults = [], []
        for case in dict.fromkeys(map(type, tests)):
            if getattr(case, "__unittest_skip__", False):
                continue
            self.begun.append(case)
            case.setUpClass()

    def end(self):
        for case in self.begun:
            for step in (case.tearDownClass, case.doClassCleanups):
                try:
                    step()
                except Exception:
                    self.faults.append((case.__name__, traceback.format_exc()))
            self.faults += [(case.__name__, "".join(traceback.format_exception(*told))) for told in case.tearDown_exceptions]


def run(tests, at_once):
    """The faults: (test, text)."""
    faults, telling = [], threading.Lock()

    def one(test):
        result, began = unittest.TestResult(), time.monotonic()
        test.run(result)
        bad = [(str(case), text) for case, text in result.failures + result.errors]
        bad += [(str(case), "it should not have passed") for case in result.unexpectedSuccesses]
        with telling:
            faults.extend(bad)
            word = "FAILED" if bad else f"skipped: {result.skipped[0][1]}" if result.skipped else "ok"
            print(f"{test} ... {word} ({time.monotonic() - began:.1f} s)", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, tests))
    return faults


def main(at_once):
    """Tests that are named run as unittest runs them."""
    if any(not word.startswith("-") for word in sys.argv[1:]):
        unittest.main()
    tests = list(flat(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])))
    classes = Classes([])
    try:
        classes = Classes(tests)
        faults = run(tests, at_once)
    finally:
        classes.end()
    faults += classes.faults
    for name, text in faults:
        print(f"{'=' * 70}\n{name}\n{text}", file=sys.stderr)
    print(f"{len(tests)} tests, {len(faults)} faults", file=sys.stderr, flush=True)
    sys.exit(1 if faults or not tests else 0)
