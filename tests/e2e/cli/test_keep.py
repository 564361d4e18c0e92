#!/usr/bin/env python3
"""Folders of worlds without a server: verify, replay, backup, restore, and bakes of a moment of the past."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from shell import PATIENCE_S, ShellTest, clean_environment, cloth
from weft_peer import Server


class Keeps(ShellTest):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="weft-keep-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.data = self.folder / "data"
        self.server = Server("--data", self.data, "--threads", "2")
        self.addCleanup(self.end_server)

    def live(self, world="flag", ticks=40):
        """A world with a past: edits at several ticks. Its hash at the ticks where it stood, after what was told it there."""
        self.weft("new", world)
        self.add_cloth(world, name="rag", pins=[0, 7], thickness=0.01, self_contact=True)
        hashes = {}
        for gravity in (-9.8, -3, -1.5):
            self.weft("step", world, ticks)
            self.json("call", "world.set", json.dumps({"world": world, "gravity": [0, gravity, 0]}))
            hash = self.json("hash", world)
            hashes[hash["tick"]] = hash["hash"]
        return hashes

    def stop_server(self):
        self.assertEqual(self.server.stop(), 0)

    def end_server(self):
        if self.server.alive():
            self.stop_server()

    def start_server(self, data):
        self.server = Server("--data", data, "--threads", "2")

    def test_a_folder_in_use_is_whole_and_comes_again(self):
        hashes = self.live()
        self.live("other", 5)
        told = self.json("verify", self.data)
        self.assertEqual([(world["name"], world["last_tick"], world["damaged"]) for world in told["worlds"]],
                         [("flag", 120, []), ("other", 15, [])])
        self.assertEqual(told["damaged"], [])
        text = self.weft("verify", self.data).stdout
        self.assertRegex(text, r'(?m)^world 1 "flag": ticks 0 to 120, \d+ entries, \d+ images, \d+ bytes: whole$')
        for path, names in ((self.data, ["flag", "other"]), (self.data / "other", ["other"]), (self.data / "1", ["flag"])):
            worlds = self.json("replay", path)["worlds"]
            self.assertEqual([world["name"] for world in worlds], names)
            self.assertTrue(all(world["same"] for world in worlds), worlds)
        self.assertEqual(worlds[0]["ticks"], 120)
        self.assertEqual((worlds[0]["end_tick"], worlds[0]["end_hash"]), (120, hashes[120]))
        self.assertRegex(self.weft("replay", self.data / "flag").stdout,
                         r'^world 1 "flag": 120 ticks, \d+ hashes: the same; tick 120 has hash [0-9a-f]{16}\n$')

    def test_a_backup_of_a_server_that_works_comes_back(self):
        hashes = self.live()
        self.weft("play", "flag")
        backup, again = self.folder / "backup", self.folder / "again"
        self.assertEqual(self.weft("backup", self.data, backup).stdout, f"1 world in {backup}\n")
        self.assertEqual(self.json("restore", backup, str(again) + "/"), {"worlds": 1})
        self.assertFalse(list(self.folder.glob("*.part")))
        self.assertTrue(self.json("replay", again)["worlds"][0]["same"])
        self.stop_server()
        self.start_server(again)
        world = self.json("get", "flag")
        self.assertGreaterEqual(world["tick"], max(hashes))
        self.assertEqual((world["state"], world["revision"], world["gravity"]), ("playing", 4, [0, -1.5, 0]))
        # What is there already is not written over.
        for command in ("backup", "restore"):
            said = self.weft(command, self.data if command == "backup" else backup, again, status=2).stderr
            self.assertIn("is not an empty folder: what is in it is not written over", said)
        (self.folder / "empty").mkdir()
        self.weft("backup", self.data, self.folder / "empty")
        (self.folder / "x.part").mkdir()
        self.assertIn("x.part is there already", self.weft("backup", self.data, self.folder / "x", status=1).stderr)
        self.assertFalse((self.folder / "x").exists())

    def test_a_bake_of_a_moment_goes_on_as_the_world_did(self):
        hashes = self.live()
        self.weft("step", "flag", 30)
        at = self.json("hash", "flag")
        flag = self.data / "flag"
        [row] = self.json("bake", "--from", f"{flag}@120", "--ticks", 30)
        self.assertEqual(row["hash"], at["hash"])
        [row] = self.json("bake", "--from", f"{self.data}/1@40", "--ticks", 40)
        self.assertEqual(row["ticks"], 40)
        self.assertNotEqual(row["hash"], hashes[80])  # what it was told at 80 it is not told here
        out = self.folder / "out.npz"
        [row] = self.json("bake", "--from", flag, "--ticks", 5, "-o", out)
        self.assertTrue(out.exists())
        for words, said in ((("--from", f"{flag}@999", "--ticks", 1), "goes from 0 to 150"),
                            (("--from", f"{self.data}/nobody", "--ticks", 1), 'no world "nobody"'),
                            (("--from", self.data, "--ticks", 1), "no world given"),
                            (("flag", "--from", flag, "--ticks", 1), "either a scene or --from"),
                            (("--from", flag, "--ticks", 1, "--set", "world.damping=1"), "sets values of a scene")):
            self.assertIn(said, self.weft("bake", *words, status=2).stderr)

    def test_what_is_no_folder_of_worlds_is_said(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for command in ("verify", "replay"):
            self.assertIn("has no worlds of weft", self.weft(command, empty, status=2).stderr)
            self.assertIn("No such file", self.weft(command, self.folder / "none", status=2).stderr)
            self.assertIn("there is no such option", self.weft(command, self.data, "--fast", status=2).stderr)
        self.assertIn("verify takes DIR", self.weft("verify", status=2).stderr)
        self.assertIn("backup takes DIR TO", self.weft("backup", self.data, status=2).stderr)
        self.assertIn("one argument too many", self.weft("restore", "a", "b", "c", status=2).stderr)
        self.weft("new", "flag")
        self.assertIn("takes a whole folder", self.weft("verify", self.data / "flag", status=2).stderr)
        self.assertIn('no world "nobody"', self.weft("replay", self.data / "nobody", status=2).stderr)

    # -----------------------------------------------------------------------------------------------------

    def test_bytes_that_were_changed_are_found(self):
        self.live()
        self.stop_server()
        database = self.data / "weft.db"
        whole = database.read_bytes()
        found = 0
        for page in range(len(whole) // 4096):
            bytes_now = bytearray(whole)
            bytes_now[4096 * page + 100] ^= 1
            database.write_bytes(bytes_now)
            run = subprocess.run([os.environ["WEFT"], "verify", str(self.data)], capture_output=True, text=True,
                                 timeout=PATIENCE_S, env=clean_environment())
            if run.returncode != 0:
                found += 1
                self.assertRegex(run.stderr, r"^weft: (DAMAGED|FILE): [^\n]+\n$")
                restored = self.folder / "restored"
                refused = subprocess.run([os.environ["WEFT"], "restore", str(self.data), str(restored)],
                                         capture_output=True, text=True, timeout=PATIENCE_S, env=clean_environment())
                self.assertNotEqual(refused.returncode, 0)
                self.assertFalse(restored.exists())
            else:
                self.assertIn("whole", run.stdout)  # of a page that nothing is on
        database.write_bytes(whole)
        self.assertGreater(found, len(whole) // 4096 // 2)
        self.assertEqual(self.json("verify", self.data)["worlds"][0]["damaged"], [])

    def test_a_log_with_a_wrong_bit_costs_its_world_and_no_other(self):
        self.live("calm", 5)
        log = self.data / "weft.db-wal"
        before = log.stat().st_size
        self.live("hurt", 5)
        self.server.kill()
        bytes_now = bytearray(log.read_bytes())
        bytes_now[(before + len(bytes_now)) // 2] ^= 1  # where only "hurt" was written
        log.write_bytes(bytes_now)
        to, hurt = self.folder / "to", self.data / "hurt"
        for words, status in ((("backup", self.data, to), 1), (("replay", self.data), 1), (("replay", hurt), 1),
                              (("bake", "--from", hurt, "--ticks", 1), 2)):
            said = self.weft(*words, status=status).stderr
            self.assertRegex(said, r"list 2 ends at position \d+, but was safely on the disk up to \d+")
            self.assertIn("--salvage uses the intact part", said)
        self.assertEqual(list(self.folder.glob("to*")), [])
        self.assertIn("weft: SALVAGED:", self.weft("backup", "--salvage", self.data, to, status=3).stderr)
        self.assertIn("weft: SALVAGED:", self.weft("replay", "--salvage", self.data, status=3).stderr)
        self.weft("verify", to)
        self.start_server(self.data)
        self.server.line(r'world 2 "hurt" is not opened: list 2 ends at position .*weft backup --salvage')
        self.assertEqual([world["name"] for world in self.json("list")["worlds"]], ["calm"])
        self.assertEqual(self.json("get", "calm")["revision"], 4)
        self.stop_server()
        self.start_server(to)  # of both what is there
        self.assertEqual(self.json("get", "calm")["revision"], 4)

    def made(self, kind):
        folder = self.folder / kind
        subprocess.run([Path(os.environ["WEFT"]).parent / "make_folder", folder, kind], check=True, capture_output=True)
        return folder

    def test_a_replay_that_differs_says_where(self):
        folder = self.made("lies")
        said = self.weft("verify", folder, status=1).stdout  # all is as it was written, and no server opens it
        self.assertIn("it does not open: ", said)
        self.assertIn("the state's hash is ", said)
        run = self.weft("replay", folder, status=1)
        self.assertRegex(run.stdout, r'^world 1 "flag": 10 ticks, 3 hashes: tick 10 differs: hash [0-9a-f]{16}, and was '
                                     r"[0-9a-f]{16}; tick 3 is the last that is the same\n$")
        self.assertEqual(run.stderr, "weft: DIFFERENT: 1 of the worlds came to a different state\n")
        [world] = self.json_of_failed("replay", folder)["worlds"]
        self.assertEqual((world["same"], world["tick"], world["same_tick"]), (False, 10, 3))
        self.assertIn("tick 10: the state's hash is", self.weft("bake", "--from", f"{folder}/flag@12", "--ticks", 1, status=2).stderr)

    def json_of_failed(self, *arguments):
        return json.loads(self.weft("--json", *arguments, status=1).stdout)

    def test_what_another_solver_made_is_passed_by(self):
        folder = self.made("other")
        [world] = self.json("replay", folder)["worlds"]
        self.assertEqual((world["same"], world["ticks"], world["passed_by"]), (True, 3 + 7, 5))
        self.assertIn("another solver made tick 6: the last before it that is known is 3",
                      self.weft("bake", "--from", f"{folder}/flag@6", "--ticks", 1, status=2).stderr)
        self.weft("bake", "--from", f"{folder}/flag@8", "--ticks", 1)

    def test_a_server_goes_on_with_what_an_older_solver_left(self):
        folder = self.made("older")
        self.stop_server()
        for again in range(3):  # killed, perhaps before it made an image of its own; then in order
            self.start_server(folder)
            if again == 0:
                self.server.line("solver 77 made its past, and this is [0-9]+: it is exact up to tick 8")
            world = self.json("get", "flag")
            self.assertGreaterEqual(world["tick"], 20)
            self.assertEqual((world["state"], world["revision"]), ("playing", 2))
            [listed] = self.json("list")["worlds"]
            for told in (world, listed) if again == 0 else ():
                self.assertEqual((told["exact"], told["exact_tick"], told["exact_solver"]), (False, 8, 77))
            self.assertEqual(self.json("call", "body.get", json.dumps({"world": "flag", "body": "cord"}))["body"], 1)
            if again < 1:
                self.server.kill()
            else:
                self.weft("pause", "flag")
                self.weft("play", "flag")
                self.stop_server()
        [world] = self.json("replay", folder)["worlds"]
        self.assertTrue(world["same"])
        self.assertGreater(world["passed_by"], 0)

    # -----------------------------------------------------------------------------------------------------

    def test_a_copy_that_is_stopped_leaves_nothing(self):
        self.weft("new", "large")
        for i in range(3):
            positions, triangles = cloth(300, 300)
            self.json("--timeout", 60, "call", "body.add", "-", timeout_s=4 * PATIENCE_S, text=json.dumps(
                {"world": "large", "kind": "cloth", "name": f"c{i}", "positions": positions, "triangles": triangles}))
        self.stop_server()
        to = self.folder / "to"
        stopped = 0
        while stopped < 2:  # some are over before the signal comes
            run = subprocess.Popen([os.environ["WEFT"], "backup", str(self.data), str(to)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=clean_environment())
            while not (self.folder / "to.part").exists() and run.poll() is None:
                time.sleep(0.0002)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=PATIENCE_S)
            self.assertFalse((self.folder / "to.part").exists())
            if run.returncode == 130:
                stopped += 1
                self.assertEqual(errors, "weft: STOPPED: nothing was copied\n")
                self.assertFalse(to.exists())
            elif run.returncode in (0, -signal.SIGINT):
                if to.exists():
                    self.json("verify", to)
                    shutil.rmtree(to)
            else:
                self.fail(f"{run.returncode} {errors}")


if __name__ == "__main__":
    unittest.main()
