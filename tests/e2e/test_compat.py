#!/usr/bin/env python3
"""Today's programs open what those of 0.1.0 left: folders, takes, scenes, documents; and talk to a client of that time.

tests/fixtures/0.1.0/ has the files, and what the server of that commit said of them (told.json). It had solver version 1, and today's
is another one: worlds open at exactly the state where they were, and go on with other bits. docs/reference/compatibility.md says what
must hold.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

import msgpack
import numpy
from weft_peer import PATIENCE_S, Server, ServerTest, main

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "0.1.0"
TOLD = json.loads((FIXTURES / "told.json").read_text())
WEFT = os.environ.get("WEFT")
NEXT = os.environ.get("WEFTD_NEXT")  # a weftd of the next solver version
MADE_BY = 1  # the solver version that made the fixtures
LONG = "36500d"  # the worlds in the trash are as old as the fixtures


def weft(*words, status=0):
    ended = subprocess.run([WEFT, *map(str, words)], capture_output=True, text=True, timeout=4 * PATIENCE_S)
    if ended.returncode != status:
        raise AssertionError(f"{words} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout + ended.stderr


def solved_as_before(test, peer, world):
    """What has no word on long edges, bending and sleep means none, swept, and none, although a new world has them and solves it."""
    got = peer.call("world.get", world=world)
    test.assertEqual((got["long_edges"], got["bending"], got["sleep"]), (False, "swept", False), world)


def digest(data):
    return hashlib.sha256(bytes(data)).hexdigest()


class Folder(unittest.TestCase):
    """A folder of weftd --data."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="weft-compat-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "data"
        self.folder.mkdir(mode=0o700)

    def unpack(self, name):
        with tarfile.open(FIXTURES / f"{name}.tar.xz") as tar:
            tar.extractall(self.folder)

    def open(self, program=None):
        server = Server("--data", self.folder, "--bin", LONG, program=program)
        self.addCleanup(server.kill)
        return server

    def peer(self, server, user="ann"):
        peer = server.peer()
        self.addCleanup(peer.close)
        peer.call("session.hello", errors="map", user=user)
        return peer

    def told(self, peer, world):
        """What make.py wrote of a world, as today's server says it."""
        got = peer.call("world.get", world=world)
        joined = peer.call("world.join", world=world)
        peer.call("world.leave", world=world)
        bodies = {str(body["body"]): digest(peer.call("body.state", world=world, body=body["body"],
                                                      fields=["positions64"])["positions64"])
                  for body in joined["bodies"]}
        records = []
        while len(records) < (page := peer.call("world.records", world=world, after=len(records)))["sequence"]:
            records += page["records"]
        return {"world": world, "name": got["name"], "tick": got["tick"], "revision": got["revision"],
                "hash": peer.call("world.hash", world=world)["hash"], "bodies": bodies, "records": len(records),
                "records_sha256": digest(b"".join(records)), "colliders": len(joined["colliders"])}

    def same_worlds(self, server, worlds):
        """All are as the old server said, to the bit. Of the past, images are."""
        peer = self.peer(server)
        for name, before in worlds.items():
            with self.subTest(world=name):
                if name == "gone":
                    binned = peer.call("world.bin")["worlds"]
                    self.assertEqual([(one["world"], one["name"]) for one in binned], [(before["world"], "gone")])
                    peer.call("world.restore", world=before["world"])
                state = {key: value for key, value in before.items() if key not in ("past", "log")}
                got = self.told(peer, before["world"])
                if name == "gone":  # it was not ended, so today's solver made its ticks again
                    state = {**state, "hash": got["hash"], "bodies": got["bodies"]}
                self.assertEqual(got, state)
                solved_as_before(self, peer, before["world"])
                image_ticks = peer.call("world.history", world=before["world"])["image_ticks"]
                for tick, hash_then in before.get("past", {}).items():
                    shown = peer.call("world.seek", world=before["world"], tick=int(tick))
                    self.assertIn(shown["tick"], image_ticks)
                    self.assertTrue(shown["hash"] == hash_then or shown["tick"] != int(tick), tick)
                if "log" in before:
                    log = [[one["revision"], one["tick"], one["user"], one["method"]]
                           for one in peer.call("edit.log", world=before["world"])["edits"]]
                    self.assertEqual(log, before["log"])
                spans = peer.call("world.history", world=before["world"])["spans"]
                self.assertEqual((spans[0]["solver"], spans[0]["exact"]), (MADE_BY, False), spans)

    def same_undone(self, server, steps):
        """People take back and make again what they could, with the same outcome."""
        for user, method, revision, hash_then in steps:
            peer = self.peer(server, user)
            self.assertEqual(peer.call(method, world="edited")["revision"], revision)
            self.assertEqual(peer.call("world.hash", world="edited")["hash"], hash_then, (user, method))

    def same_revisions(self, server, steps):
        for user, method, revision, _ in steps:
            self.assertEqual(self.peer(server, user).call(method, world="edited")["revision"], revision)

    def test_one_that_was_ended_in_order(self):
        self.unpack("ended")
        told = TOLD["ended"]
        server = self.open()
        self.same_worlds(server, told["worlds"])
        self.same_undone(server, told["undone"])
        made = self.peer(server).call("world.create")["world"]
        got = self.peer(server).call("world.get", world=made)
        self.assertEqual((got["long_edges"], got["bending"], got["sleep"]), (True, "solved", True))
        again = self.peer(server).call("world.hash", world="edited")
        self.assertEqual(server.stop(), 0)
        # Once more, after it was migrated and written.
        server = self.open()
        self.assertEqual(self.peer(server).call("world.hash", world="edited"), again)
        self.assertEqual(server.stop(), 0)

    def test_another_solver_opens_one_that_was_ended_in_order(self):
        """At exactly the state where it was. It says which part of its past another solver made, until it starts again."""
        self.unpack("ended")
        server = self.open(NEXT)
        peer = self.peer(server)
        for name in ("everything", "edited", "branch"):
            before = TOLD["ended"]["worlds"][name]
            with self.subTest(world=name):
                got = peer.call("world.get", world=before["world"])
                self.assertEqual((got["exact"], got["exact_tick"], got["exact_solver"]), (False, before["tick"], MADE_BY))
                [listed] = [one for one in peer.call("world.list")["worlds"] if one["world"] == before["world"]]
                joined = peer.call("world.join", world=before["world"])
                for told in (listed, joined):
                    self.assertEqual((told["exact"], told["exact_tick"], told["exact_solver"]), (False, before["tick"], MADE_BY))
                self.assertEqual(peer.call("world.hash", world=before["world"])["hash"], before["hash"])
                self.assertEqual(got["revision"], before["revision"])
                # It shows only the images of the past.
                history = peer.call("world.history", world=before["world"])
                self.assertEqual([(span["solver"], span["exact"]) for span in history["spans"]][0], (MADE_BY, False))
                shown = peer.call("world.seek", world=before["world"], tick=before["tick"] - 1)
                self.assertEqual((shown["exact"], shown["tick"] in history["image_ticks"]), (False, True))
        peer.call("world.step", world="edited", ticks=2)
        self.same_revisions(server, TOLD["ended"]["undone"])
        self.assertEqual(server.stop(), 0)

        # It made an image soon after its start, from which it goes on when it starts again. A server that ends sooner has none yet.
        def starts_from_its_own():
            server = self.open(NEXT)
            exact = self.peer(server).call("world.get", world="edited").get("exact", True)
            self.assertEqual(server.stop(), 0)
            return exact

        deadline = time.monotonic() + PATIENCE_S
        while not starts_from_its_own():
            self.assertLess(time.monotonic(), deadline, "it never goes on from an image of its own")

    def test_another_solver_opens_one_that_was_killed(self):
        """No edit that was answered is lost. What came after the last image is made again."""
        self.unpack("killed")
        told = TOLD["killed"]
        server = self.open(NEXT)
        peer = self.peer(server)
        for before in [told["plays"], *(told["worlds"][name] for name in ("everything", "edited", "branch"))]:
            with self.subTest(world=before["world"]):
                got = peer.call("world.get", world=before["world"])
                self.assertEqual((got["exact"], got["exact_solver"], got["revision"]), (False, MADE_BY, before["revision"]))
                self.assertIn(got["exact_tick"], peer.call("world.history", world=before["world"])["image_ticks"])
                self.assertGreaterEqual(got["tick"], before["tick"])
        self.same_revisions(server, told["undone"])
        self.assertEqual(server.stop(), 0)

    def test_without_a_server(self):
        """Programs that read a folder want it migrated. Then nothing in it counts as damaged, and a tick between two images of another
        solver is not made again."""
        for name in ("ended", "killed"):
            with self.subTest(folder=name):
                self.setUp()
                self.unpack(name)
                self.assertIn("version 1 of the schema", weft("verify", self.folder, status=2))
                self.assertEqual(self.open().stop(), 0)
                weft("verify", self.folder)
                weft("replay", self.folder)
                copy = self.folder.parent / "copy"
                weft("backup", self.folder, copy)
                weft("verify", copy)
                refused = weft("--json", "bake", "--from", f"{self.folder}/edited@20", "--ticks", "4", status=2)
                self.assertIn("another solver made tick 20: the last before it that is known is 0", refused)


class Files(ServerTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory(prefix="weft-compat-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def test_takes_of_each_kind_are_converted(self):
        """Except that one of records is for the solver that made it."""
        self.assertEqual([(FIXTURES / f"{name}.take").read_bytes()[:9] for name in ("frames", "compressed", "records")],
                         [b"wefttake\2", b"wefttake\3", b"wefttake\4"])
        for name, arrays in TOLD["takes"].items():
            with self.subTest(take=name):
                if name == "records":
                    refused = weft("convert", FIXTURES / "records.take", self.scratch / "records.npz", status=1)
                    self.assertIn("whose solver is version 1; this one is version", refused)
                    continue
                weft("convert", FIXTURES / f"{name}.take", self.scratch / f"{name}.npz")
                with numpy.load(self.scratch / f"{name}.npz") as data:
                    found = {key: [str(data[key].dtype), list(data[key].shape), digest(data[key].tobytes())] for key in data.files}
                # More arrays may be added.
                self.assertEqual({key: found.get(key) for key in arrays}, arrays)
                weft("convert", FIXTURES / f"{name}.take", self.scratch / f"{name}.glb")

    def check(self, peer, world, before):
        solved_as_before(self, peer, world)
        self.assertEqual(peer.call("world.hash", world=world)["hash"], before["hash"])
        for body, positions in before["bodies"].items():
            state = peer.call("body.state", world=world, body=int(body), fields=["positions64"])
            self.assertEqual(digest(state["positions64"]), positions)

    def test_a_scene_loads(self):
        weft("--server", self.server.address, "open", FIXTURES / "everything.json", "--name", "scene")
        peer = self.peer(hello={})
        self.addCleanup(self._delete, "scene")
        self.check(peer, "scene", TOLD["scene"])

    def test_a_document_opens(self):
        peer = self.peer(hello={})
        document = msgpack.unpackb((FIXTURES / "taken.document").read_bytes(), strict_map_key=False)
        world = peer.call("world.open", name="document", document=document)["world"]
        self.addCleanup(self._delete, world)
        self.check(peer, world, TOLD["document"])

    def test_an_old_client_works(self):
        """It connects, lists worlds, adds bodies, edits, streams, takes back: the answers mean what they meant."""
        said = subprocess.run([sys.executable, FIXTURES / "conversation.py", self.server.address], capture_output=True, text=True,
                              timeout=4 * PATIENCE_S, env={**os.environ, "PYTHONPATH": str(FIXTURES / "client.zip")})
        self.assertEqual(said.returncode, 0, said.stderr)
        got, before = json.loads(said.stdout), TOLD["conversation"]
        # A new world has long edges and solved bending, and so moves a little differently.
        for end, mean in zip(got["measures"], before["measures"]):
            self.assertAlmostEqual(end, mean, delta=1e-3)
        # The bits after a tick are those of today's solver, which streams and answers agree on.
        self.assertEqual([[frame[0], frame[2]] for frame in got["frames"]], [[frame[0], frame[2]] for frame in before["frames"]])
        self.assertEqual(got["frames"][0], before["frames"][0])
        self.assertEqual(got["frames"][-1][1], got["state"][0])
        bits = ("aio", "frames", "hash", "measures", "state")
        self.assertEqual(got.keys(), before.keys())
        self.assertEqual({key: got[key] for key in got if key not in bits}, {key: before[key] for key in before if key not in bits})


if __name__ == "__main__":
    main()
