#!/usr/bin/env python3
"""weft watch without a terminal: lines with rates, JSON, and how it ends."""

import json
import os
import re
import signal
import subprocess

from shell import LOST_S, PATIENCE_S, ShellTest, clean_environment

import beside

LINE = re.compile(r"^(?P<name>\S+)  (?P<state>\w+)  tick (?P<tick>\d+)  time (?P<time>[\d.]+) s  frames/s (?P<frames>[\d.]+|-)"
                  r"  ticks/s (?P<ticks>[\d.]+|-)  KiB/s (?P<kib>[\d.]+|-)  dropped (?P<dropped>\d+)"
                  r"  latency (?P<latency>[\d.]+ ms|-)  strain (?P<strain>[\d.]+ %|-)$")


class Watch(ShellTest):
    def setUp(self):
        super().setUp()
        self.weft("new", "flag", "--substeps", "4")
        self.add_cloth("flag", pins=[0, 7])

    def start(self, *arguments):
        process = subprocess.Popen([os.environ["WEFT"], *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True,
                                   env=clean_environment(WEFT_SERVER=self.server.address))

        def end():
            if process.poll() is None:
                process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def test_a_line_a_second_gives_the_rates(self):
        self.weft("play", "flag")
        for number in (signal.SIGINT, signal.SIGTERM):  # which end it with 0
            process = self.start("watch", "flag", "--plain")
            lines = [process.stdout.readline().strip() for _ in range(2)]
            seen = [LINE.match(line) for line in lines]
            self.assertTrue(all(seen), lines)
            self.assertEqual(seen[1]["name"], "flag")
            self.assertEqual(seen[1]["state"], "playing")
            # A line counts a second or more, so there are no more ticks in a second than it has come on by.
            ticks = int(seen[1]["tick"]) - int(seen[0]["tick"])
            self.assertTrue(0 < float(seen[1]["ticks"]) < ticks + 0.1, lines)
            self.assertGreater(float(seen[1]["frames"]), 0)
            self.assertGreater(float(seen[1]["kib"]), 0)
            self.assertNotEqual(seen[1]["latency"], "-")
            self.assertNotEqual(seen[1]["strain"], "-")
            process.send_signal(number)
            _, errors = process.communicate(timeout=PATIENCE_S)
            self.assertEqual((process.returncode, errors), (0, ""))

    def test_json_gives_one_object_a_line(self):
        self.weft("play", "flag")
        out = self.weft("--json", "watch", "flag", "--frames", "80", timeout_s=4 * PATIENCE_S).stdout
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertGreaterEqual(len(lines), 1)
        self.assertEqual(lines[-1]["name"], "flag")
        self.assertEqual(lines[-1]["frames"] >= 80, True)
        self.assertGreater(lines[-1]["frames_per_second"], 0)

    def test_substeps_bring_more_frames_than_ticks(self):
        self.weft("play", "flag")
        process = self.start("--json", "watch", "flag", "--substeps")

        def many():  # of some second: who is slow to read gets fewer
            line = json.loads(process.stdout.readline())
            return line["frames_per_second"] > 2 * line["ticks_per_second"] > 0

        self.assertTrue(any(many() for _ in range(60)))

    def test_a_paused_world_gives_its_present_frame(self):
        self.weft("step", "flag", "3")
        line = LINE.match(self.weft("watch", "flag", "--frames", "1").stdout.strip())
        self.assertEqual((line["state"], line["tick"]), ("paused", "3"))

    def test_a_deleted_world_ends_it_with_1(self):
        process = self.start("watch", "flag")
        process.stdout.readline()
        self.weft("delete", "flag")
        _, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"^weft: [A-Z_]+: ")

    def test_a_server_that_goes_ends_it_with_3(self):
        process = self.start("--timeout", LOST_S, "watch", "flag")
        process.stdout.readline()
        self.server.kill()
        _, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 3)
        self.assertRegex(errors, r"^weft: the connection is lost.*\nweft: CLOSED: ")

    def test_an_unknown_world_ends_it_with_1(self):
        self.assertIn("NOT_FOUND", self.weft("watch", "nowhere", status=1).stderr)

    def test_less_is_sent_where_less_is_wanted(self):
        self.add_cloth("flag", 40, 40, name="large", pins=[0])
        self.weft("play", "flag")

        def frame_kib(*options):  # with a share of what is asked for once
            line = {}
            while not line.get("frames_per_second"):  # they came in too short a time to speak of rates
                line = json.loads(self.weft("--json", "watch", "flag", "--frames", "20", *options).stdout.splitlines()[-1])
            return line["kib_per_second"] / line["frames_per_second"]

        whole = frame_kib()
        self.assertLess(frame_kib("--encoding", "q16"), 0.75 * whole)
        for options in (("--encoding=delta", "--tolerance", "1e-3"), ("--tolerance", "1e-3", "--nth", "10"), ("--nth", "10"),
                        ("--box", "50,0,0,60,1,1")):
            self.assertLess(frame_kib(*options), 0.5 * whole, options)
        for wrong in (("--encoding", "png"), ("--encoding", "records"), ("--encoding", "q16", "--tolerance", "1e-3"),
                      ("--tolerance", "0"), ("--nth", "0"), ("--box", "0,0,0,1,1"), ("--box", "1,0,0,0,1,1")):
            self.weft("watch", "flag", *wrong, status=2)

    def test_bodies_that_come_and_go_are_followed(self):
        self.weft("play", "flag")
        process = self.start("--json", "watch", "flag")

        def frame_kib():  # of some second, however many frames came in it
            line = json.loads(process.stdout.readline())
            return line["kib_per_second"] / max(line["frames_per_second"], 1)

        first = frame_kib()
        added = self.add_cloth("flag", 30, 30)
        self.assertTrue(any(frame_kib() > 3 * first for _ in range(60)), f"frames stay at {first} KiB")
        self.json("call", "body.remove", json.dumps({"world": "flag", "body": added["body"]}))
        self.json("call", "body.remove", json.dumps({"world": "flag", "body": 1}))
        self.assertTrue(any(frame_kib() < first for _ in range(60)), "frames have the bodies yet that are gone")
        self.assertIsNone(process.poll())


if __name__ == "__main__":
    beside.main(9)
