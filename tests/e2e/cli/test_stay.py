#!/usr/bin/env python3
"""What stays connected goes on when the line is cut: weft watch, top and record, with a word on standard error."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import beside
from bad_line import BadLine
from shell import PATIENCE_S, ShellTest, clean_environment

TRIED_S = "600"  # --timeout: so long it tries, however slow what is done meanwhile


class Stay(ShellTest):
    def setUp(self):
        super().setUp()
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        self.weft("new", "flag", "--substeps", "4")
        self.add_cloth("flag", pins=[0, 7])
        self.weft("play", "flag")
        self.line = BadLine(self.server.address, 1)
        self.line.good.set()
        self.addCleanup(self.line.close)

    def start(self, *arguments):
        process = subprocess.Popen([os.environ["WEFT"], "--timeout", TRIED_S, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True,
                                   env=clean_environment(WEFT_SERVER=self.line.address))
        process.said = []
        process.reader = threading.Thread(target=lambda: process.said.extend(process.stderr), daemon=True)
        process.reader.start()

        def end():
            if process.poll() is None:
                process.kill()
            process.wait()
            process.reader.join(PATIENCE_S)
            process.stdout.close()
            process.stderr.close()

        self.addCleanup(end)
        return process

    def told(self, process, words):
        deadline = time.monotonic() + PATIENCE_S
        while not any(words in line for line in list(process.said)):
            self.assertLess(time.monotonic(), deadline, f"{words!r} was not told, but {process.said}")
            time.sleep(0.01)

    def cut(self, process):
        self.line.down.set()
        self.line.cut()
        self.told(process, "weft: the connection is lost; trying again: ")
        self.line.down.clear()
        self.told(process, "weft: the connection is back\n")

    def end(self, process, status=0):
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_S)
        self.assertEqual(process.returncode, status, process.said)

    def test_watch_goes_on(self):
        process = self.start("--json", "watch", "flag", "--encoding", "delta")
        json.loads(process.stdout.readline())
        self.cut(process)
        tick = self.json("get", "flag")["tick"]
        self.until(lambda: json.loads(process.stdout.readline())["tick"] > tick)
        self.end(process)

    def test_top_goes_on(self):
        process = self.start("--json", "top", "--every", "0.2")
        first = json.loads(process.stdout.readline())
        self.cut(process)
        tick, ticks = self.json("get", "flag")["tick"], [first["worlds"][0]["tick"]]
        while ticks[-1] <= tick:
            ticks.append(json.loads(process.stdout.readline())["worlds"][0]["tick"])
        self.assertEqual(ticks, sorted(ticks))
        self.end(process)

    def test_record_goes_on_and_counts_what_it_missed(self):
        out = self.folder / "cut.npz"
        process = self.start("record", "flag", "-o", str(out))
        take = self.folder / "cut.npz.take"
        self.until(lambda: take.exists() and take.stat().st_size > 20000)
        size = take.stat().st_size
        self.cut(process)
        self.until(lambda: take.stat().st_size > 2 * size)
        self.end(process)
        steps = numpy.diff(numpy.load(out)["tick"])
        self.assertGreater(steps.min(), 0)
        process.reader.join(PATIENCE_S)
        self.assertTrue(any("missed" in line for line in process.said) or steps.max() == 1, process.said)

    def test_a_take_of_records_begins_anew_and_counts_what_it_missed(self):
        out = self.folder / "cut.take"
        process = self.start("--json", "record", "flag", "-o", str(out))
        part = self.folder / "cut.take.part"
        self.until(lambda: part.exists() and part.stat().st_size > 1000)
        size = part.stat().st_size
        self.cut(process)
        self.until(lambda: part.stat().st_size > 2 * size)  # another image
        size = part.stat().st_size
        self.until(lambda: part.stat().st_size > size)  # and what came after it
        self.end(process)
        told = json.loads(process.stdout.read())
        self.assertEqual(told["images"], 2)
        run = subprocess.run([os.environ["WEFT"], "--json", "convert", str(out), str(self.folder / "cut.npz")],
                             capture_output=True, text=True, timeout=PATIENCE_S, env=clean_environment())
        ran = json.loads(run.stdout)
        self.assertEqual((ran["hashes"], ran["images"], ran["whole"]), (ran["equal"], 2, told["missed"] == 0), run.stderr)
        ticks = numpy.load(self.folder / "cut.npz")["tick"].tolist()
        missing = sorted(set(range(ticks[0], ticks[-1] + 1)) - set(ticks))
        self.assertEqual(len(missing), told["missed"], missing)
        self.assertEqual(run.returncode, 0 if told["missed"] == 0 else 1, run.stderr)

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_a_server_that_was_started_anew_is_watched(self):
        process = self.start("--json", "watch", "flag")
        json.loads(process.stdout.readline())
        self.line.down.set()
        self.line.cut()
        self.told(process, "lost")
        self.again()
        self.weft("new", "flag")
        self.add_cloth("flag", pins=[0])
        self.weft("play", "flag")
        self.line.target = self.server.address
        self.line.down.clear()
        self.told(process, "the old session is gone, and a new one has begun")
        tick = self.json("get", "flag")["tick"]
        self.until(lambda: json.loads(process.stdout.readline())["tick"] > tick)
        self.end(process)

    def again(self):
        """Another server in the place of this one."""
        self.server.stop()
        self.server = type(self.server)()


if __name__ == "__main__":
    beside.main(5)
