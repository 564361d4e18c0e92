#!/usr/bin/env python3
"""The simulator finds what it is there for, says how to see it again, and comes to the same each time."""

import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
BROKEN = ("lost", "twice", "swapped", "byte", "death")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, errors="replace")


class Simulator(unittest.TestCase):
    def test_one_seed_has_one_log(self):
        for seed in range(1, 7):
            first, second = (run("--seed", str(seed), "--log") for _ in range(2))
            self.assertEqual(first.returncode, 0, first.stdout[-2000:])
            self.assertGreater(len(first.stdout), 10000)
            self.assertEqual(first.stdout, second.stdout)

    def test_seeds_differ(self):
        self.assertNotEqual(run("--seed", "1", "--log").stdout, run("--seed", "2", "--log").stdout)

    def test_whatever_a_server_does_wrong_is_found_and_can_be_replayed(self):
        for what in BROKEN:
            with self.subTest(what):
                result = run("--seeds", "12", "--inputs", "300", "--break", what)
                self.assertEqual(result.returncode, 1, result.stdout)
                seed = re.search(r"^seed (\d+) fails at input \d+: (.+)$", result.stdout, re.M)
                self.assertIsNotNone(seed, result.stdout)
                again = run("--seed", seed[1], "--inputs", "300", "--break", what)
                self.assertNotEqual(again.returncode, 0)
                if what == "death":
                    self.assertIn(f"seed {seed[1]} dies", again.stderr)
                else:
                    self.assertIn(seed[2], again.stdout)

    def test_a_seed_that_fails_is_shrunk_to_inputs_that_fail_alone(self):
        result = run("--seeds", "12", "--inputs", "300", "--break", "twice", "--shrink", "--jobs", "1")
        shrunk = re.search(r"^seed (\d+) fails with (\d+) inputs: .*\n.* --keep (\S*)$", result.stdout, re.M)
        self.assertIsNotNone(shrunk, result.stdout)
        self.assertLess(int(shrunk[2]), 300)
        again = run("--seed", shrunk[1], "--inputs", "300", "--break", "twice", "--keep", shrunk[3] or "299")
        self.assertEqual(again.returncode, 1, again.stdout)

    def test_wrong_options_are_refused(self):
        for arguments in (("--seeds", "x"), ("--keep", "3-"), ("--break", "nothing"), ("--jobs", "0"), ("more",), ("--none",)):
            with self.subTest(arguments):
                self.assertEqual(run(*arguments).returncode, 2)
        self.assertEqual(run("--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
