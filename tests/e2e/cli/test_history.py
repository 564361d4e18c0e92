#!/usr/bin/env python3
"""A world's past from the shell: history, log, branch, bin, restore."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from shell import PATIENCE_S, ShellTest, clean_environment


class History(ShellTest):
    def setUp(self):
        super().setUp()
        self.weft("new", "flag", "--substeps", "4")
        self.add_cloth("flag", pins=[0])
        self.weft("step", "flag", "20")
        self.weft("set", "flag", "gravity=0,9.81,0")
        self.json("call", "grab.begin", '{"world": "flag", "body": 1, "particle": 3}')
        self.weft("step", "flag", "20")

    def hash(self, world):
        return self.weft("hash", world).stdout.split()[0]

    def test_history_tells_what_is_kept(self):
        out = self.weft("history", "flag").stdout
        self.assertRegex(out, r"(?m)^ticks +0 to 40$")
        self.assertRegex(out, r"(?m)^solver +\d+ from tick 0 to 40$")
        told = self.json("history", "flag")
        self.assertEqual((told["first_tick"], told["tick"], told["records"]), (0, 40, 4))
        self.assertEqual(told["image_ticks"], [0])
        self.weft("history", "no", status=1)
        self.weft("history", status=2)

    def test_the_log_lists_edits_and_where_asked_for_grabs(self):
        lines = self.weft("log", "flag").stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[1], r"^ +2  tick 20 +rev 2 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  \S+ +world\.set +.*gravity")
        self.assertEqual([one["method"] for one in self.json("log", "flag")["edits"]], ["body.add", "world.set"])
        told = self.json("log", "flag", "--inputs")
        self.assertEqual([one["method"] for one in told["edits"]], ["body.add", "world.set", "grab.begin", "grab.end"])
        self.assertEqual((told["sequence"], told["next"]), (4, 0))
        told = self.json("log", "flag", "--inputs", "--since=1", "--limit", "2")
        self.assertEqual([one["sequence"] for one in told["edits"]], [2, 3])
        self.assertEqual(told["next"], 3)
        self.assertEqual(self.json("log", "flag", "--since", "4")["edits"], [])
        for wrong in (["--since", "-1"], ["--limit", "0"], ["--limit"], ["flag2", "--no"], []):
            self.weft("log", *(["flag", *wrong] if wrong else []), status=2)
        self.weft("log", "no", status=1)

    def test_a_long_log_comes_whole(self):
        with self.server.peer() as peer:
            asked = [peer.request("world.set", world="flag", damping=0.5) for _ in range(2500)]
            for msgid in asked:
                peer.answer(msgid)
        told = self.json("log", "flag")
        self.assertEqual([one["revision"] for one in told["edits"]], list(range(1, 2503)))
        self.assertEqual(len(self.weft("log", "flag", "--limit", "2000").stdout.splitlines()), 2000)

    def test_branches(self):
        self.assertRegex(self.weft("branch", "flag", "--at", "10", "--name", "early").stdout,
                         r"^world \d+  early  tick 10  revision 1\n$")
        self.weft("step", "early", "9")
        self.weft("branch", "flag", "--at=19", "--name=late")
        self.assertEqual(self.hash("early"), self.hash("late"))
        calm = self.json("branch", "flag", "--without", "2", "--name=calm")
        self.assertEqual((calm["refused"], calm["tick"]), ([], 40))
        self.assertNotEqual(self.hash("calm"), self.hash("flag"))
        self.assertEqual(self.json("get", "calm")["gravity"], [0, -9.81, 0])
        self.weft("branch", "flag", "--instead", '2={"gravity": [0, -1, 0]}', "--name", "slow")
        self.assertEqual(self.json("get", "slow")["gravity"], [0, -1, 0])
        out = self.weft("branch", "flag", "--without", "1", "--name", "empty").stdout
        self.assertIn("left out: revision 2, grab.begin: NOT_FOUND: ", out)
        self.assertEqual(self.json("get", "empty")["bodies"], 0)
        self.assertEqual(self.weft("branch", "flag").stdout.split()[0], "world")
        for wrong in (["--at", "x"], ["--at", "1.5"], ["--without", "a"], ["--without", "0"], ["--without", "1,,2"],
                      ["--instead", "2"], ["--instead", "{}"], ["--instead", "2={"], ["--name", ""], ["--no"]):
            self.weft("branch", "flag", *wrong, status=2)
        for refused in (["--at", "41"], ["--without", "9"], ["--name", "calm"], ["--instead", '2={"gravity": 1}']):
            self.weft("branch", "flag", *refused, status=1)

    def files(self, folder):
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}

    def test_a_recording_of_the_past_is_the_one_made_then(self):
        self.weft("new", "sail", "--substeps", "4")
        self.add_cloth("sail", pins=[0])
        self.json("call", "collider.add", '{"world": "sail", "name": "ball", "kind": "sphere", "radius": 0.2}')
        self.json("call", "motion.add", '{"world": "sail", "collider": "ball", "times": [0, 1], "offsets": [0,0,0, 0,1,0]}')
        with tempfile.TemporaryDirectory(prefix="weft-past-") as then, tempfile.TemporaryDirectory(prefix="weft-past-") as now:
            self.weft("record", "sail", "--lossless", "--ticks", "12", "-o", f"{then}/sail.obj")
            self.weft("set", "sail", "gravity=0,3,0")
            self.weft("play", "sail", "--rate", "0")
            out = self.json("record", "sail", "--to", "12", "-o", f"{now}/sail.obj")
            self.assertEqual((out["frames"], out["missed"]), (13, 0))
            self.assertEqual(self.files(now), self.files(then))
            self.assertGreaterEqual(len(self.files(now)), 13)
            out = self.json("record", "sail", "--from=4", "--to=10", "--every", "3", "-o", f"{now}/part.npz")
            self.assertEqual(out["frames"], 3)
            self.assertEqual(self.json("get", "sail")["state"], "playing")
            for wrong in (["--from", "x"], ["--from", "9", "--to", "8"], ["--from", "1", "--ticks", "3"],
                          ["--to", "3", "--substeps"], ["--to", "3", "--seconds", "1"]):
                self.weft("record", "sail", *wrong, "-o", f"{now}/no.npz", status=2)
            self.weft("record", "sail", "--from", "999999999", "--to", "999999999", "-o", f"{now}/no.npz", status=1)

    def test_a_recording_of_the_past_ends_where_a_body_goes(self):
        self.json("call", "body.remove", '{"world": "flag", "body": 1}')
        self.weft("step", "flag", "5")
        with tempfile.TemporaryDirectory(prefix="weft-past-") as folder:
            run = subprocess.run([os.environ["WEFT"], "--json", "record", "flag", "--from", "30", "-o", f"{folder}/flag.npz"],
                                 capture_output=True, text=True, timeout=PATIENCE_S,
                                 env=clean_environment(WEFT_SERVER=self.server.address))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("a body was removed", run.stderr)
            self.assertEqual(json.loads(run.stdout)["frames"], 10)

    def test_what_was_deleted_is_had_back(self):
        before, world = self.hash("flag"), self.json("get", "flag")["world"]
        self.weft("delete", "flag")
        self.assertRegex(self.weft("bin").stdout, rf"(?m)^ID +NAME.*\n +{world} +flag +40 ")
        self.assertEqual([one["name"] for one in self.json("bin")["worlds"]], ["flag"])
        self.weft("restore", "no", status=1)
        self.weft("restore", status=2)
        self.assertEqual(self.weft("restore", "flag").stdout, f"world {world}  flag  tick 40\n")
        # Who held something was gone before: nobody does now.
        self.assertEqual(self.hash("flag"), before)
        self.assertEqual(self.json("bin"), {"worlds": []})
        self.weft("delete", "flag")
        self.assertEqual(self.json("restore", world, "--name", "flag again")["name"], "flag again")


if __name__ == "__main__":
    unittest.main()
