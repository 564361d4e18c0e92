#!/usr/bin/env python3
"""weft top: one table for scripts and people, lines of JSON, and an end when it is asked for."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios

from shell import ShellTest, clean_environment

import beside
from weft_peer import PATIENCE_S


class Top(ShellTest):
    def test_once_tells_worlds_and_rates(self):
        self.weft("new", "fast")
        self.weft("new", "still")
        self.add_cloth("fast", 8, 8)
        self.weft("play", "fast")
        with self.server.peer() as watcher:
            watcher.call("world.join", world="fast")
            watcher.call("stream.subscribe", world="fast")
            before = self.json("get", "fast")["tick"]
            told = self.json("top", "--once")
            ticks = self.json("get", "fast")["tick"] - before
            self.assertEqual([w["name"] for w in told["worlds"]], ["fast", "still"])
            fast, still = told["worlds"]
            # It counts a second or more, within which there are no more ticks than before and after it.
            self.assertGreater(fast["ticks_per_second"], 0)
            self.assertLess(fast["ticks_per_second"], ticks + 0.1)
            self.assertGreater(fast["tick_us"], 0)
            self.assertEqual((fast["state"], fast["particles"], fast["people"], fast["streams"]), ("playing", 64, 1, 1))
            self.assertEqual((still["state"], still["ticks_per_second"], still["tick"]), ("paused", 0, 0))
            self.assertGreaterEqual(told["clients"], 2)
            self.assertEqual(told["streams"], 1)
            self.assertGreater(told["bytes_out"], 0)
            out = self.weft("top", "--once").stdout
            self.assertRegex(out, r"ID +NAME +STATE .*LATE.*\n +1 +fast +playing +1 ")
            self.assertRegex(out, r"clients \d+  streams 1\n")
            self.assertNotIn("\033", out)

    def test_it_goes_on_until_it_is_told_to_end(self):
        self.weft("new", "w")
        process = subprocess.Popen([os.environ["WEFT"], "--json", "top", "--every", "0.2"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   env=clean_environment(WEFT_SERVER=self.server.address))
        try:
            lines = [json.loads(process.stdout.readline()) for _ in range(3)]
            self.weft("delete", "w")
            while lines[-1]["worlds"]:
                lines.append(json.loads(process.stdout.readline()))
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual([line["uptime"] for line in lines], sorted(line["uptime"] for line in lines))

    def test_lines_fit_into_the_terminal(self):
        self.weft("new", "a_world_with_a_name_that_is_longer_than_most")
        for columns, rows in ((80, 24), (40, 10), (20, 6)):
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
            process = subprocess.Popen([os.environ["WEFT"], "top", "--every", "0.2"], stdin=theirs, stdout=theirs, stderr=theirs,
                                       env=clean_environment(WEFT_SERVER=self.server.address, TERM="xterm", NO_COLOR="1"))
            os.close(theirs)
            seen = b""
            try:
                while seen.count(b"\033[H") < 3:
                    seen += os.read(ours, 65536)
                os.write(ours, b"q")
                self.assertEqual(process.wait(timeout=PATIENCE_S), 0)
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
                os.close(ours)
            picture = re.sub(r"\033\[[?0-9;]*[a-zA-Z]", "", seen.split(b"\033[H")[-2].decode())
            lines = picture.replace("\r", "").split("\n")
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertRegex(picture, r"ID +NAME")
            self.assertEqual("STATE" in picture, columns >= 40)
            self.assertEqual("LATE" in picture, columns == 80)
            self.assertIn("a_world_w...", picture.replace("a_world_with_a_na...", "a_world_w..."))

    def test_no_server_and_wrong_usage(self):
        self.weft("--server", "127.0.0.1:1", "top", "--once", status=3)
        self.weft("top", "--every", "0", status=2)
        self.weft("top", "extra", status=2)

    def test_many_worlds(self):
        with self.server.peer() as peer:
            for number in range(200):
                peer.call("world.create", name=f"w{number}")
        told = self.json("top", "--once")
        self.assertEqual(len(told["worlds"]), 200)


if __name__ == "__main__":
    beside.main(5)
