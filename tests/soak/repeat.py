#!/usr/bin/env python3
"""Runs each end-to-end test and each test of pages many times on a busy machine: a test that fails by chance fails here.

    repeat.py BUILD                     each test 20 times, beside eight processes that compute without end
    repeat.py BUILD --times 5 --tests '^e2e.(follow|cluster)$' --seconds 600
    repeat.py BUILD --report            only says how often each test has run

BUILD/repeat.json remembers, for each tree, how often each test has passed and failed. A run that was stopped goes on from there, with the
test that has run least. The output of each failed run stays in BUILD/repeat. The exit status is 1 if a run of this tree has failed, 2 if
the time (--seconds) ended before every test had its runs.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LABELS = "^(e2e|browser)$"
# Tests with most processes and sockets, which chance has most room in.
FIRST = "follow|cluster|brokers|twins|resume|streams|lossless|frames|skin|web|tls|floods|limits|sharing|crowd"
PART = 5  # runs of one call of ctest
RAN = re.compile(r"^ *(?:\d+/\d+ )?Test +#\d+: \S+ \.*(\*+)? *(\w+)", re.M)


def tree():
    """Names the sources that are tested, as scripts/soak.sh does."""
    command = "{ git rev-parse HEAD && git diff HEAD; } | cksum | tr ' ' -"
    return subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def tests_of(build, chosen):
    told = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", LABELS], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r"Test +#\d+: (\S+)", told) if re.search(chosen, name)]


class Repeats:
    """How often each test has run, in a file that every part writes again."""

    def __init__(self, build):
        self.place = build / "repeat.json"
        self.trees = json.loads(self.place.read_text()) if self.place.exists() else {}
        self.tree = tree()
        self.counts = self.trees.setdefault(self.tree, {})
        self.lock = threading.Lock()

    def of(self, name):
        return self.counts.setdefault(name, {"passed": 0, "failed": 0, "skipped": 0, "seconds": 0})

    def add(self, name, outcomes, seconds):
        with self.lock:
            count = self.of(name)
            for outcome in outcomes:
                count[{"Passed": "passed", "Skipped": "skipped"}.get(outcome, "failed")] += 1
            count["seconds"] += round(seconds)
            part = self.place.with_suffix(".part")
            part.write_text(json.dumps(self.trees, indent=1))
            part.replace(self.place)

    def report(self, names):
        print(f"{'test':28} {'passed':>6} {'failed':>6} {'skipped':>7} {'s each':>6} {'in all trees':>12}")
        for name in names:
            count = self.of(name)
            runs = count["passed"] + count["failed"] + count["skipped"]
            ever = sum(found[name]["passed"] + found[name]["failed"] for found in self.trees.values() if name in found)
            print(f"{name:28} {count['passed']:6d} {count['failed']:6d} {count['skipped']:7d} "
                  f"{count['seconds'] / max(runs, 1):6.0f} {ever:12d}")


class Runs:
    """Parts, some at once, until every test has its runs or the time is over."""

    def __init__(self, build, repeats, names, options):
        self.build, self.repeats, self.options = build, repeats, options
        self.names = sorted(names, key=lambda name: not re.search(FIRST, name))
        self.under_way, self.taken = {}, set()
        self.ending = threading.Event()
        self.end = time.monotonic() + options.seconds if options.seconds else None

    def next(self):
        """The test that has run least, of those that need more and are not under way. A test that failed does not run again."""
        with self.repeats.lock:
            if self.ending.is_set() or (self.end and time.monotonic() > self.end):
                return None, 0
            left = [name for name in self.names if name not in self.taken and not self.repeats.of(name)["failed"]
                    and not self.repeats.of(name)["skipped"] and self.repeats.of(name)["passed"] < self.options.times]
            if not left:
                return None, 0
            name = min(left, key=lambda name: self.repeats.of(name)["passed"])
            self.taken.add(name)
            return name, min(PART, self.options.times - self.repeats.of(name)["passed"])

    def run(self, name, times):
        """A group of its own, so that it can be stopped, but the session of the busy ones: the kernel shares processors by sessions."""
        log = self.build / "repeat" / f"{name}-{time.time_ns()}.log"
        began = time.monotonic()
        with log.open("w") as out:
            process = subprocess.Popen(
                ["ctest", "--test-dir", self.build, "--repeat", f"until-fail:{times}", "--output-on-failure",
                 "-R", f"^{re.escape(name)}$"],
                stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, process_group=0)
            self.under_way[name] = process
            if self.ending.is_set():
                self.stop()
            process.wait()
            del self.under_way[name]
        outcomes = [outcome for _, outcome in RAN.findall(log.read_text(errors="replace"))]
        if self.ending.is_set():  # the run that was cut off has neither passed nor failed
            outcomes = [outcome for outcome in outcomes if outcome == "Passed"]
        self.repeats.add(name, outcomes, time.monotonic() - began)
        failed = [outcome for outcome in outcomes if outcome not in ("Passed", "Skipped")]
        print(f"{time.strftime('%H:%M:%S')} {name}: {' '.join(outcomes)}{f', see {log}' if failed else ''}", flush=True)
        if not failed:
            log.unlink()

    def work(self):
        while True:
            name, times = self.next()
            if name is None:
                return
            self.run(name, times)
            self.taken.discard(name)

    def stop(self, *_):
        self.ending.set()
        for process in list(self.under_way.values()):
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass

    def all(self):
        workers = [threading.Thread(target=self.work) for _ in range(self.options.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def options_read():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--times", type=int, default=20, help="the runs of each test")
    parser.add_argument("--tests", default="", help="a regular expression for their names")
    parser.add_argument("--jobs", type=int, default=3, help="tests at once, each of them once")
    parser.add_argument("--busy", type=int, default=8, help="processes that compute without end meanwhile")
    parser.add_argument("--seconds", type=int, default=0, help="begins no part after that; 0: no limit")
    parser.add_argument("--report", action="store_true", help="runs nothing")
    return parser.parse_args()


def main():
    options = options_read()
    build = options.build.resolve()
    (build / "repeat").mkdir(exist_ok=True)
    repeats = Repeats(build)
    names = tests_of(build, options.tests)
    if not names:
        sys.exit("repeat: no test has such a name")
    if not options.report:
        runs = Runs(build, repeats, names, options)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, runs.stop)
        nicer = str(max(0, 5 - os.nice(0)))
        busy = [subprocess.Popen(["nice", "-n", nicer, "sh", "-c", "while :; do :; done"]) for _ in range(options.busy)]
        try:
            runs.all()
        finally:
            for process in busy:
                process.kill()
                process.wait()
    repeats.report(names)
    if any(repeats.of(name)["failed"] for name in names):
        sys.exit(1)
    if any(repeats.of(name)["passed"] < options.times and not repeats.of(name)["skipped"] for name in names):
        sys.exit(2)


if __name__ == "__main__":
    main()
