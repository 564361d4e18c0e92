#!/usr/bin/env python3
"""Scenes: the gallery, weft open and save, weftd --scene, and the JSON Schema that describes them.

    test_scenes.py --write      writes tests/golden/scenes.json again (only when scenes or contact were changed on purpose)
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import jsonschema
import numpy

from shell import SLOW, ShellTest, clean_environment
from weft_peer import PATIENCE_S, Server

ROOT = Path(__file__).resolve().parents[3]
GALLERY = ROOT / "clients/scenes"
SCENES = ["balloons", "banner", "bridge", "cloths", "crane", "curtain", "dress", "flag", "hammock", "jelly", "knot",
          "mail", "marbles", "net", "paper", "sack", "shirt", "spring", "statue", "tablecloth", "tent", "towel", "toy",
          "trampoline"]
GOLDEN_FILE = ROOT / "tests/golden/scenes.json"
GOLDEN = json.loads(GOLDEN_FILE.read_text())
# What the gallery was before its bodies met each other: contact must not change what has none.
APART = json.loads((ROOT / "tests/golden/scenes_without_contact.json").read_text())
SCHEMA = json.loads((ROOT / "docs/reference/scene.schema.json").read_text())
GOLDEN_TICKS = 60
SAVED_TICK, AFTER_SAVE_TICKS = 20, 10 if SLOW == 1 else 5
COME_TO_REST, GO_ON = ("banner", "hammock", "jelly", "tablecloth"), ("flag", "trampoline", "curtain")
HARD = ("knot", "paper", "towel")
REST_SECONDS, NO_WARNING_SECONDS = 5, 10
EVERYTHING = os.environ.get("WEFT_HASHES") == "all"  # as make soak has it


def octahedron(times):
    """A closed surface of unit size, split a few times, as an OBJ file."""
    corners = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(times):
        middles, split = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(corners)
                corners.append(tuple((x + y) / 2 for x, y in zip(corners[a], corners[b])))
            return middles[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = split
    lines = [f"v {x / 4} {y / 4} {z / 4}" for x, y, z in corners]
    return "\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]) + "\n"


def validator():
    return jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


class SceneTest(ShellTest):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix="weft-scenes."))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, scene):
        path = self.folder / name
        path.write_text(scene if isinstance(scene, str) else json.dumps(scene))
        return path

    def hash(self, world):
        return self.json("hash", world)["hash"]


class Gallery(SceneTest):
    def test_it_is_listed(self):
        listed = self.json("gallery")
        self.assertEqual([one["name"] for one in listed], SCENES)
        self.assertTrue(all(len(one["about"]) > 10 for one in listed))
        self.assertEqual([line.split()[0] for line in self.weft("gallery").stdout.splitlines()], SCENES)

    def test_each_is_golden_is_saved_whole_and_holds_together(self):
        """Each scene has the same bits everywhere, at its start and after a second. A save in between is the same world, with the same
        future. Nothing blows up, tears, warns or leaves the view; what must move moves, and what must come to rest does.

        One run of a scene is looked at for all of it, as ticks are what this costs. Some scenes go on for longer: all of them,
        and to their end, if WEFT_HASHES is "all"."""
        self.assertEqual(sorted(SCENES), sorted(GOLDEN))
        for name in SCENES:
            with self.subTest(scene=name):
                self.json("open", name)
                self.assertEqual(self.hash(name), GOLDEN[name]["start"])
                self.step(name, SAVED_TICK)
                self.is_saved_whole(name)
                if SLOW == 1:  # sanitizers see no more in long runs of physics than in the first ticks
                    self.step(name, GOLDEN_TICKS - self.json("get", name)["tick"])
                    self.assertEqual(self.hash(name), GOLDEN[name][str(GOLDEN_TICKS)])
                    with self.server.peer() as peer:  # not before: who says nothing for long is sent away
                        self.holds_together(name, peer)
                self.json("delete", name)

    def step(self, name, ticks):
        self.json("step", name, ticks, timeout_s=10 * PATIENCE_S)

    def is_saved_whole(self, name):
        """What was saved, opened by another name, is the same world and goes on in the same way."""
        path = self.folder / f"{name}.json"
        saved = self.json("save", name, path)
        self.assertEqual((saved["hash"], saved["tick"]), (self.hash(name), SAVED_TICK))
        self.json("open", path, "--name", "again")
        self.assertEqual(self.hash("again"), saved["hash"])
        for world in (name, "again"):
            self.step(world, AFTER_SAVE_TICKS)
        self.assertEqual(self.hash("again"), self.hash(name))
        validator().validate(json.loads(path.read_text()))
        self.json("delete", "again")

    def holds_together(self, name, peer):
        kinetic = []
        for second in range(1, 1 + self.seconds(name)):
            if second > 1:
                peer.answer(peer.request("world.step", world=name, ticks=60), 10 * PATIENCE_S)
            measured = peer.call("world.measure", world=name)
            self.assertEqual(measured["warnings"], [], f"after {second} s")
            measures = measured["measures"]
            kinetic.append(measures["kinetic"])
            self.assertLess(measures["strain_rms"], 0.1)
            self.assertLess(measures["volume_error_rms"], 0.1)
        self.assertEqual(peer.call("world.get", world=name)["state"], "paused")
        for body in peer.call("world.join", world=name)["bodies"]:
            positions = peer.call("body.state", world=name, body=body["body"])["positions"]
            self.assertLess(max(map(abs, positions)), 5.0)
            self.assertGreater(min(positions[1::3]), -0.01)
        if name in COME_TO_REST and len(kinetic) >= REST_SECONDS:
            self.assertLess(kinetic[REST_SECONDS - 1], 0.1 * max(kinetic[0], 0.02), "it comes to rest")
        if name in GO_ON:
            self.assertGreater(min(kinetic), 1e-4, "it goes on moving")

    @staticmethod
    def seconds(name):
        """How long a scene is looked at. In a check those that take many times as long as others end after one second. A warning
        comes after two seconds or more, so three scenes that are hard to solve go on for three."""
        if EVERYTHING:
            return NO_WARNING_SECONDS
        if name in HARD:
            return 3
        if name in ("curtain", "tablecloth"):
            return 1
        return REST_SECONDS if name in COME_TO_REST else 2 if name in GO_ON else 1

    def test_scenes_without_contact_are_golden(self):
        folder = ROOT / "tests/scenes/without_contact"
        self.are_golden({path.stem: path for path in sorted(folder.glob("*.json"))}, APART)

    def test_scenes_without_contact_are_golden_with_every_instruction_set(self):
        """Each set by some of the scenes, each scene by one of the sets."""
        run = subprocess.run([os.environ["WEFTD"], "--isa", "none"], capture_output=True, text=True, timeout=PATIENCE_S)
        sets = run.stderr.split("this machine has: ")[1].split(", ")
        self.assertIn("scalar", sets)
        # The widest is what all other tests run with. The others take turns: each scene goes through one of them, unless
        # WEFT_HASHES is "all".
        sets = sets[:-1]
        for turn, isa in enumerate(sets):
            server = Server("--isa", isa.strip(), "--threads", "1")
            self.addCleanup(server.kill)
            for number, (name, hashes) in enumerate(APART.items()):
                if not EVERYTHING and number % len(sets) != turn:
                    continue
                with self.subTest(isa=isa, scene=name):
                    here = {"WEFT_SERVER": server.address}
                    self.json("open", ROOT / f"tests/scenes/without_contact/{name}.json", environment=here)
                    ticks = GOLDEN_TICKS if SLOW == 1 else 2
                    self.json("step", name, ticks, environment=here, timeout_s=10 * PATIENCE_S)
                    got = self.json("hash", name, environment=here)["hash"]
                    self.assertTrue(SLOW > 1 or got == hashes[str(ticks)])
            self.assertEqual(server.stop(), 0)

    def are_golden(self, scenes, golden):
        self.assertEqual(sorted(scenes), sorted(golden))
        for name, scene in scenes.items():
            with self.subTest(scene=name):
                self.json("open", scene)
                self.assertEqual(self.hash(name), golden[name]["start"])
                self.json("step", name, GOLDEN_TICKS if SLOW == 1 else 2, timeout_s=10 * PATIENCE_S)
                if SLOW == 1:
                    self.assertEqual(self.hash(name), golden[name][str(GOLDEN_TICKS)])
                self.json("delete", name)

    def test_scenes_fit_their_schema(self):
        check = validator()
        own = ROOT / "tests/scenes"
        for path in sorted([*GALLERY.glob("*.json"), *own.glob("stiff/*.json"), own / "everything.json", own / "clay.json"]):
            with self.subTest(scene=path.name):
                check.validate(json.loads(path.read_text()))

    def test_where_it_is_looked_for(self):
        self.write("mine.json", {"about": "Mine."})
        listed = self.json("gallery", environment={"WEFT_SCENES": f"/nowhere:{self.folder}"})
        self.assertEqual([(one["name"], one["about"]) for one in listed], [("mine", "Mine.")])
        self.json("open", "mine", environment={"WEFT_SCENES": str(self.folder)})
        self.weft("open", "flag", status=1, environment={"WEFT_SCENES": str(self.folder)})
        self.weft("gallery", status=1, environment={"WEFT_SCENES": "/nowhere"})


class OpenAndSave(SceneTest):
    def test_a_world_larger_than_a_message_goes_in_pieces(self):
        path = self.folder / "large.json"
        self.json("open", "tablecloth")
        saved = self.json("save", "tablecloth", path)
        server = Server("--max-message-bytes", "20000")
        self.addCleanup(server.kill)
        small = {"WEFT_SERVER": server.address}
        self.json("open", path, "--name", "again", environment=small)
        got = self.json("call", "world.hash", '{"world": "again"}', environment=small)
        self.assertEqual(got["hash"], saved["hash"])

    def test_a_save_replaces_the_one_before(self):
        path = self.folder / "flag.json"
        self.json("open", "flag")
        self.json("save", "flag", path)
        first = {one.name for one in (self.folder / "flag.data").iterdir()}
        self.json("step", "flag", 10)
        saved = self.json("save", "flag", path)
        second = {one.name for one in (self.folder / "flag.data").iterdir()}
        self.assertEqual(len(first), len(second))
        self.assertEqual({one for one in first if "state" not in one}, {one for one in second if "state" not in one})
        self.assertNotEqual(first, second)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["flag.data", "flag.json"])
        self.json("open", path, "--name", "again")
        self.assertEqual(self.hash("again"), saved["hash"])

    def test_a_save_that_fails_leaves_what_there_was(self):
        path = self.folder / "flag.json"
        self.json("open", "flag")

        def full():  # as a disk that takes no more than this of any file
            resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        def save():
            return subprocess.run([os.environ["WEFT"], "save", "flag", str(path)], preexec_fn=full, capture_output=True, text=True,
                                  env=clean_environment(WEFT_SERVER=self.server.address), timeout=PATIENCE_S)

        run = save()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"^weft: FILE: .* cannot be written: [^\n]*\n$")
        self.assertEqual(list(self.folder.iterdir()), [])
        saved = self.json("save", "flag", path)
        before = sorted((self.folder / "flag.data").iterdir())
        self.json("step", "flag", 3)
        self.assertEqual(save().returncode, 1)
        self.assertEqual(sorted((self.folder / "flag.data").iterdir()), before)
        self.json("open", path, "--name", "again")
        self.assertEqual(self.hash("again"), saved["hash"])

    def test_edited_worlds(self):
        with self.server.peer() as peer:
            self.json("open", "jelly")
            listed = list(peer.call("constraint.list", world="jelly")["constraints"])
            peer.call("constraint.remove", world="jelly", constraints=listed[: len(listed) // 2])
            peer.call("constraint.set", world="jelly", constraints=listed[-3:], stiffness=0.1)
            peer.call("particle.pin", world="jelly", body="lowest", particles=[0, 5], positions=[0, 0, 0, 0.1, 0, 0.1])
            peer.call("grab.begin", world="jelly", body="middle", particle=3)
            saved = self.json("save", "jelly", self.folder / "edited.json")
            self.assertNotEqual(saved["hash"], self.hash("jelly"))
        self.json("open", self.folder / "edited.json", "--name", "again")
        self.assertEqual(self.hash("again"), saved["hash"])
        validator().validate(json.loads((self.folder / "edited.json").read_text()))

    def test_a_surface_that_is_carried(self):
        """What weft load --soft made: lattice and skin, through a save, and inline in a scene written by hand."""
        ball = self.write("ball.obj", octahedron(3))
        self.json("load", ball, "--world", "w", "--create", "--soft", "60", "--at", "0,1,0")
        self.json("step", "w", 10)
        saved = self.json("save", "w", self.folder / "w.json")
        scene = json.loads((self.folder / "w.json").read_text())
        validator().validate(scene)
        self.assertEqual(set(scene["bodies"][0]["skin"]), {"particles", "weights", "triangles"})
        self.assertRegex(scene["bodies"][0]["skin"]["weights"], r"w\.data/bodies0\.skin\.weights-[0-9a-f]{16}\.npy")
        self.assertEqual(numpy.load(self.folder / scene["bodies"][0]["skin"]["weights"]).shape[1], 4)
        self.json("open", self.folder / "w.json", "--name", "again")
        self.assertEqual(self.hash("again"), saved["hash"])
        of = [self.json("call", "body.get", json.dumps({"world": world, "body": "ball"}))["skin"]
              for world in ("w", "again")]
        self.assertEqual(of[0], of[1])
        again = self.json("save", "again", self.folder / "again.json")
        self.assertEqual(again["hash"], saved["hash"])
        names = [{one.name for one in (self.folder / f"{name}.data").iterdir()} for name in ("w", "again")]
        self.assertEqual(names[0], names[1], "the arrays are the same to the last bit")
        hand = {"bodies": [{"box": {"cells": [1, 1, 1]}, "position": [0, 5, 0],
                            "skin": {"particles": [[0, 1, 2, 3]], "weights": [[0.25] * 4], "triangles": []}}]}
        self.json("open", self.write("hand.json", hand))
        state = self.json("call", "body.state", json.dumps({"world": "hand", "body": 1, "fields": ["skin"]}))
        self.assertAlmostEqual(state["skin"][1], 5.0, delta=0.51)
        validator().validate(hand)
        hand["bodies"][0]["skin"]["weights"] = [[0.25, 0.25, 0.25, 0.5]]
        self.assertIn("bodies[0].skin.weights", self.weft("open", self.write("ill.json", hand), status=1).stderr)

    def test_names_and_playing(self):
        path = self.write("tent.json", {"bodies": [{"rope": {}, "pins": "first"}]})
        self.assertEqual(self.json("open", path)["name"], "tent")
        self.assertIn("CONFLICT", self.weft("open", path, status=1).stderr)
        self.assertEqual(self.json("open", path, "--name", "other", "--play")["name"], "other")
        self.assertEqual(self.json("get", "other")["state"], "playing")
        self.assertEqual(self.json("get", "tent")["state"], "paused")
        out = self.weft("save", "tent", self.folder / "again.json").stdout
        self.assertRegex(out, r"^saved tent at tick 0 as .*again\.json, hash [0-9a-f]{16}\n$")

    def test_a_mark_and_a_pipe(self):
        path = self.folder / "marked.json"
        path.write_text('\ufeff{"name": "marked", "bodies": [{"rope": {}, "pins": "first"}]}', encoding="utf-8")
        self.assertEqual(self.json("open", path)["name"], "marked")
        pipe = self.folder / "piped.json"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()), daemon=True)
        writer.start()
        self.assertEqual(self.json("open", pipe, "--name", "piped")["name"], "piped")
        writer.join(10)

    def test_a_long_path_keeps_its_end(self):
        folder = self.folder / ("d" * 120) / ("e" * 120)
        folder.mkdir(parents=True)
        (folder / "torn.json").write_text("{")
        self.assertRegex(self.weft("open", folder / "torn.json", status=1).stderr, r"e/torn\.json:\d+:\d+: not JSON")

    def test_what_is_wrong_is_said(self):
        cases = [
            ('{"bodies": [\n{}', r"SCENE: .*bad\.json:2:\d+: not JSON"),
            ({"bodies": [{"grid": {"cells": [2, 2]}, "pins": "top"}]}, r"bad\.json: bodies\[0\]\.pins: \"top\""),
            ({"bodies": [{"mesh": "../x.obj"}]}, r"bodies\[0\]\.mesh: .*may not leave"),
            ({"bodies": [{"rope": {}, "pins": {"box": [[7, 7, 7], [8, 8, 8]]}}]},
             r"bodies\[0\]\.pins\.box: picks no particle; the body reaches from"),
            ({"bodies": [{"rope": {}, "pins": [0, {"sphere": {"center": [9, 9, 9], "radius": 1}}]}]},
             r"bodies\[0\]\.pins\[1\]\.sphere: picks no particle"),
            ({"bodies": [{"rope": {}, "stretch": {"compliance": -1}}]}, r"bodies\[0\]\.stretch\.compliance"),
            ({"bodies": [{"kind": "cloth", "positions": [0] * 9, "triangles": [0, 1, 3]}]},
             r"INVALID: \S*bad\.json: bodies\[0\]\.triangles"),
        ]
        for scene, words in cases:
            with self.subTest(scene=scene):
                self.assertRegex(self.weft("open", self.write("bad.json", scene), status=1).stderr, words)
        self.weft("open", self.folder / "none.json", status=1)
        self.weft("open", status=2)
        self.weft("open", "flag", "--speed", status=2)
        self.weft("save", "flag", status=2)
        self.weft("save", "nobody", self.folder / "x.json", status=1)
        self.json("open", "flag")
        self.assertIn("FILE", self.weft("save", "flag", "/nowhere/x.json", status=1).stderr)
        self.assertEqual([one["name"] for one in self.json("list")["worlds"]], ["flag"])


class Contact(SceneTest):
    FIELDS = ("self_contact", "contact_group", "contact_mask", "friction", "thickness")
    GRID = {"grid": {"size": [0.3, 0.4], "cells": [1, 1]}}  # two triangles with sides of 0.3, 0.4 and 0.5
    MEAN = 0.4

    def got(self, world):
        bodies = self.json("call", "world.join", json.dumps({"world": world}))["bodies"]
        return [tuple(body[name] for name in self.FIELDS) for body in bodies]

    def test_what_a_scene_says_of_it_goes_round(self):
        """Nothing said is all of it; what is said is all there is. What was saved says it, and means it once more."""
        on = (True, 1, 1, 0.3, 0.15 * self.MEAN)
        cases = [({}, on), ({"friction": 0.75}, (*on[:3], 0.75, on[4])), ({"thickness": 0.01}, (*on[:4], 0.01)),
                 ({"self_contact": False}, (False, 0, 0, 0.3, 0)), ({"thickness": 0}, (False, 0, 0, 0.3, 0)),
                 ({"contact_group": 2**32 - 1, "contact_mask": 6, "thickness": 0.02}, (False, 2**32 - 1, 6, 0.3, 0.02)),
                 ({"self_contact": True, "thickness": 0.03, "friction": 0}, (True, 0, 0, 0, 0.03)),
                 ({"contact_group": 1}, (False, 1, 0, 0.3, 0))]
        scene = {"settings": {"contact_quality": "fast"},
                 "bodies": [{**self.GRID, "position": [number, 1, 0], **said} for number, (said, _) in enumerate(cases)]}
        validator().validate(scene)
        self.json("open", self.write("hand.json", scene))
        for got, (_, want) in zip(self.got("hand"), cases):
            self.assertEqual(got[:4], want[:4])
            self.assertAlmostEqual(got[4], want[4], delta=1e-12)
        saved = self.json("save", "hand", self.folder / "saved.json")
        again = json.loads((self.folder / "saved.json").read_text())
        validator().validate(again)
        self.assertEqual(again["settings"]["contact_quality"], "fast")
        self.json("open", self.folder / "saved.json", "--name", "again")
        self.assertEqual(self.got("again"), self.got("hand"))
        self.assertEqual(self.hash("again"), saved["hash"])
        self.assertEqual(self.json("get", "again")["contact_quality"], "fast")

    def test_what_is_wrong_is_said_by_the_schema_and_the_shell(self):
        cases = [("self_contact", value) for value in (1, "yes", [True])]
        cases += [(name, value) for name in ("contact_group", "contact_mask") for value in (-1, 2**32, 0.5, "1", True)]
        cases += [("friction", value) for value in (-0.1, 1000.5, "much")]
        cases += [("thickness", value) for value in (-0.01, 40000, "thin")]
        for name, value in cases:
            with self.subTest(**{name: value}):
                scene = {"bodies": [{"rope": {}}, {**self.GRID, name: value}]}
                self.assertFalse(validator().is_valid(scene))
                self.assertRegex(self.weft("open", self.write("bad.json", scene), status=1).stderr, rf"bad\.json: bodies\[1\]\.{name}\b")
        for value in ("best", 1, None):
            scene = {"settings": {"contact_quality": value}}
            self.assertFalse(validator().is_valid(scene))
            if value is not None:  # nil is absent on the wire
                self.assertIn("settings.contact_quality", self.weft("open", self.write("bad.json", scene), status=1).stderr)
        # The schema cannot tell what a resolution allows; a server can.
        said = self.weft("open", self.write("thick.json", {"bodies": [{**self.GRID, "thickness": 1.5}]}), status=1).stderr
        self.assertRegex(said, r"bodies\[0\]\.thickness\b.*resolution")
        # One that meets others by its own word says how thick it is.
        said = self.weft("open", self.write("thin.json", {"bodies": [{**self.GRID, "self_contact": True}]}), status=1).stderr
        self.assertIn("bodies[0].thickness", said)
        self.assertIn("7.62939e-06 m", said)
        self.assertEqual(self.json("list")["worlds"], [])


class ServerScene(SceneTest):
    def start(self, *arguments, **options):
        server = Server(*arguments, **options)
        self.addCleanup(lambda: server.alive() and server.kill())
        return server

    def test_it_plays_from_the_start(self):
        path = self.write("tent.json", {"bodies": [{"rope": {}, "pins": "first"}]})
        for server, name in ((self.start("--scene", path), "tent"), (self.start("--scene", "flag"), "flag"),
                             (self.start(environment={"WEFT_SCENE": str(path)}), "tent")):
            with server.peer() as peer:
                peer.until(lambda: peer.call("world.get", world=name)["tick"] > 2, "a tick")
                self.assertEqual(peer.call("world.list")["worlds"][0]["state"], "playing")
            self.assertEqual(server.stop(), 0)

    def test_a_mesh_coarser_than_a_collider_is_told(self):
        path = self.write("net.json", {"bodies": [{"grid": {"size": [1, 1], "cells": [10, 10]}, "self_contact": False}],
                                       "colliders": [{"kind": "capsule", "name": "bar", "radius": 0.01}]})
        said = r"COARSE: collider 1 \(bar\) is 0\.02 m across; .* may pass between its particles$"
        server = self.start("--scene", path)
        server.line(said)
        self.assertRegex(server.lines[0], "^listening rpc ")
        self.assertEqual(server.stop(), 0)
        self.assertRegex(self.weft("open", path).stdout.splitlines()[1], "^  " + said)
        self.assertEqual([warning["code"] for warning in self.json("open", path, "--name", "again")["warnings"]], ["COARSE"])
        run = subprocess.run([os.environ["WEFT"], "bake", path, "--ticks", "1"], capture_output=True, text=True,
                             timeout=PATIENCE_S)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, "(?m)^weft: " + said)

    def test_a_wrong_one_ends_it(self):
        path = self.write("bad.json", {"bodies": [{"kind": "cloth", "positions": [0] * 9, "triangles": [0, 1, 3]}]})
        for value, words in ((path, r"bodies\[0\]\.triangles"), ("/nowhere.json", "cannot be opened"),
                             ("nothing", "cannot be opened"), ("", "takes the name of a scene")):
            run = subprocess.run([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "none", f"--scene={value}"],
                                 capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, rf"^weftd: --scene: .*{words}")
            self.assertNotIn("listening", run.stderr)


class Schema(unittest.TestCase):
    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_the_pages_examples_fit(self):
        text = (ROOT / "docs/reference/scene.md").read_text()
        check = validator()
        examples = [json.loads(line) for block in re.findall(r"```json\n(.*?)```", text, re.S)
                    for line in ([block] if block.startswith("{\n") else block.splitlines())]
        self.assertGreater(len(examples), 3)
        for example in examples:
            scene = example if "weft" in example else {"constraints" if {"join", "rail", "type", "weld"} & set(example) else "motions": [example]}
            with self.subTest(example=example):
                check.validate(scene)

    def test_what_a_scene_may_not_be(self):
        check = validator()
        for wrong in ({"bodys": []}, {"weft": 2}, {"bodies": [{}]}, {"bodies": [{"grid": {"cells": [1]}}]},
                      {"bodies": [{"rope": {}, "box": {"cells": [1, 1, 1]}}]}, {"bodies": [{"rope": {}, "pins": "top"}]},
                      {"settings": {"substeps": 0}}, {"colliders": [{"kind": "cone"}]}, {"colliders": [{}]},
                      {"constraints": [{"body": 1}]}, {"motions": [{"times": [0]}]},
                      {"bodies": [{"mesh": "flag.txt"}]}, {"bodies": [{"rope": {}, "stretch": {"compliance": -1}}]}):
            with self.subTest(scene=wrong):
                self.assertFalse(check.is_valid(wrong))


def write():
    server = Server()
    rows = []
    try:
        shell = [os.environ.get("WEFT", "build/release/bin/weft"), "--server", server.address, "--json"]
        run = lambda *words: json.loads(subprocess.run([*shell, *words], check=True, stdout=subprocess.PIPE).stdout)
        for name in SCENES:
            run("open", name)
            start = run("hash", name)["hash"]
            run("step", name, str(GOLDEN_TICKS))
            rows.append(f'  "{name}": ' + json.dumps({"start": start, str(GOLDEN_TICKS): run("hash", name)["hash"]}))
    finally:
        server.stop()
    GOLDEN_FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        os.environ.setdefault("WEFTD", "build/release/bin/weftd")
        write()
    else:
        unittest.main()
