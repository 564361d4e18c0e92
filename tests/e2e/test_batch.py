#!/usr/bin/env python3
"""Many edits as one: at one tick of a world that plays, whole or not at all, and the same again in all that reads the past."""

import os
import random
import shutil
import subprocess
import tempfile
import threading
import unittest

from weft_peer import PATIENCE_S, Server, ServerTest, WeftError, sheet

FORM = [["body.add", {"name": "rope", "kind": "rope", "positions": [0, 2, 0, 0.5, 2, 0, 1, 2, 0]}],
        ["particle.pin", {"body": "rope", "particles": [0]}],
        ["collider.add", {"name": "ball", "kind": "sphere", "radius": 0.2}],
        ["collider.set", {"collider": "ball", "friction": 0.9}],
        ["motion.add", {"collider": "ball", "times": [0, 1], "offsets": [0, 0, 0, 0, 1, 0], "loop": True}],
        ["world.set", {"damping": 0.5}]]


def shell(*arguments):
    return subprocess.run([os.path.join(os.path.dirname(os.environ["WEFT"]), "weft"), *map(str, arguments)],
                          capture_output=True, text=True, timeout=PATIENCE_S * 4, check=False)


class Batch(ServerTest):
    def world(self, peer, name):
        return peer.call("world.create", name=name, gravity=[0, -9.81, 0])["world"]

    def test_a_batch_is_one_edit(self):
        with self.server.peer() as ann, self.server.peer() as bob:
            world = self.world(ann, "one")
            bob.call("world.join", world=world)
            done = ann.call("edit.batch", world=world, edits=FORM)
            self.assertEqual(done["revision"], 1)
            self.assertEqual([result["revision"] for result in done["results"]], 6 * [1])
            self.assertEqual((done["results"][0]["body"], done["results"][4]["motion"]), (1, 1))
            told = bob.notice("world.edited")
            self.assertEqual((told["method"], told["revision"], told["omitted"]), ("edit.batch", 1, []))
            self.assertEqual([edit[0] for edit in told["params"]["edits"]], [edit[0] for edit in FORM])
            self.assertEqual(told["params"]["edits"][1][1]["body"], 1)
            self.assertEqual(told["result"]["results"][4]["motion"], 1)
            bob.call("world.hash", world=world)
            self.assertEqual([notice.method for notice in bob.notices], [])
            self.assertEqual(ann.call("world.records", world=world, after=0)["sequence"], 1)

    def test_large_arrays_are_named_where_they_are_left_out(self):
        with self.server.peer() as ann, self.server.peer() as bob:
            world = self.world(ann, "large")
            bob.call("world.join", world=world)
            faces = dict(zip(("positions", "triangles"), sheet(40, 40)))
            ann.call("edit.batch", world=world, edits=[["world.set", {"damping": 1}]] + [
                ["body.add", {"name": f"sheet{number}", "kind": "cloth", **faces}] for number in range(20)])
            told = bob.notice("world.edited")
            self.assertEqual(sorted(told["omitted"]), sorted(
                f"edits.{number}.{name}" for number in range(1, 21) for name in ("positions", "triangles")))

    def test_a_refused_batch_is_nothing(self):
        with self.server.peer() as ann, self.server.peer() as bob:
            ann.call("session.hello", errors="map", user="ann")
            world = self.world(ann, "nothing")
            ann.call("edit.batch", world=world, edits=FORM)
            ann.call("grab.begin", world=world, body="rope", particle=2, target=[1, 1, 1])
            ann.call("world.step", world=world, ticks=5)
            bob.call("world.join", world=world)
            before, joined = ann.call("world.hash", world=world), ann.call("world.join", world=world)
            log = ann.call("world.records", world=world, after=0)["sequence"]
            dice = random.Random(4)
            bad = [["body.remove", {"body": "nobody"}], ["collider.set", {"collider": 1, "height": 3}],
                   ["constraint.set", {"constraints": [999], "compliance": 1}], ["world.pause", {}],
                   ["body.add", {"kind": "cloth", "positions": [0, 0, 0], "triangles": [0, 0, 0]}]]
            good = FORM[5:] + [["body.remove", {"body": "rope"}], ["world.reset", {}], ["collider.remove", {"collider": "ball"}],
                               ["constraint.set", {"constraints": [1], "compliance": 0.1}],
                               ["body.set", {"body": 1, "name": "cord"}], ["particle.pin", {"body": 1, "particles": [2]}]]
            for _ in range(40):
                edits = dice.sample(good, dice.randrange(len(good) + 1))
                place = dice.randrange(len(edits) + 1)
                edits.insert(place, dice.choice(bad))
                with self.assertRaises(WeftError) as refused:
                    ann.call("edit.batch", world=world, edits=edits)
                # One before it may be refused as well, for what others before it did.
                named = int(refused.exception.field.split("[")[1].split("]")[0])
                self.assertLessEqual(named, place)
                self.assertEqual(ann.call("world.hash", world=world), before)
            self.assertEqual(ann.call("world.join", world=world), joined)
            self.assertEqual(ann.call("world.records", world=world, after=0)["sequence"], log)
            bob.call("world.hash", world=world)
            self.assertEqual([notice.method for notice in bob.notices if notice.method == "world.edited"], [])
            # What was held is held, and the next ids are what they would have been.
            self.assertEqual(len(joined["grabs"]), 1)
            self.assertEqual(ann.call("collider.add", world=world, kind="plane")["collider"], 2)

    def test_a_batch_is_at_one_tick_of_a_world_that_plays(self):
        with self.server.peer() as ann, self.server.peer() as bob:
            world = self.world(ann, "plays")
            bob.call("world.join", world=world)
            ann.call("world.play", world=world)
            for number in range(20):
                name = f"ball{number}"
                msgid = ann.request("edit.batch", world=world, edits=[
                    ["collider.add", {"name": name, "kind": "sphere", "radius": 0.1}],
                    ["collider.set", {"collider": name, "position": [number, 0, 0]}]] + 50 * [["world.set", {"damping": 1}]])
                bob.call("world.set", world=world, gravity=[0, -number, 0])
                done = ann.answer(msgid)
                self.assertEqual({(one["tick"], one["revision"]) for one in done["results"]},
                                 {(done["tick"], done["revision"])})
            told = [bob.notice("world.edited") for _ in range(40)]
            self.assertEqual([notice["revision"] for notice in told], list(range(1, 41)))
            ann.call("world.pause", world=world)

    def test_hostile_lists(self):
        with self.server.peer() as peer:
            world = self.world(peer, "hostile")
            hash_ = peer.call("world.hash", world=world)["hash"]
            deep = [["world.reset", {}]]
            for _ in range(2):
                deep = [["edit.batch", {"edits": deep}]]
            for edits in (None, 7, "x", {}, [[]], [["world.reset"]], [["world.reset", []]], [[{}, {}]], [["", {}]], deep,
                          [["world.reset", {}]] * 1001, [["world.reset", {"world": world}]], [[b"world.reset", {}]],
                          [["body.add", {"kind": "points", "positions": [0.0] * 3, "masses": [float("nan")]}]],
                          [["edit.restore", {"removed": {"bodies": [1]}, "name": "x"}]]):
                with self.assertRaises(WeftError) as refused:
                    peer.call("edit.batch", world=world, edits=edits)
                self.assertIn(refused.exception.code, ("INVALID", "LIMIT", "NOT_FOUND"), (edits, refused.exception))
            self.assertEqual(peer.call("world.hash", world=world)["hash"], hash_)

    def test_lists_of_all_edits_are_bounded(self):
        with self.server.peer() as peer:
            world = self.world(peer, "lists")
            parts = {"parts": [{"body": body} for body in range(1, 4001)]}
            with self.assertRaises(WeftError) as refused:
                peer.call("edit.batch", world=world, edits=[["edit.restore", parts]] * 17)
            self.assertEqual(refused.exception.code, "LIMIT")
            self.assertIn("edits[16].parts", refused.exception.text)
            with self.assertRaises(WeftError) as refused:
                peer.call("edit.batch", world=world, edits=[["edit.restore", parts]] * 16)
            self.assertEqual(refused.exception.code, "NOT_FOUND")

    @unittest.skipIf(os.environ.get("WEFT_SANITIZE"), "it takes back 128 MiB")
    def test_a_batch_that_changes_too_much_is_refused(self):
        with self.server.peer() as peer:
            world = self.world(peer, "much")
            positions, triangles = sheet(200, 200)
            peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
            before = peer.call("world.hash", world=world)
            with self.assertRaises(WeftError) as refused:
                peer.answer(peer.request("edit.batch", world=world, edits=[["world.reset", {}]] * 400), 120)
            self.assertEqual(refused.exception.code, "LIMIT")
            self.assertIn("batch_bytes", refused.exception.text)
            self.assertEqual(peer.call("world.hash", world=world), before)

    def test_a_large_batch_does_not_block_others(self):
        with self.server.peer() as ann, self.server.peer() as bob:
            other = self.world(bob, "idle")
            cloth = dict(zip(("positions", "triangles"), sheet(60, 60)))

            def beside():
                """Whether two calls of the other were answered before the batch; a machine that is busy may let that pass."""
                world = ann.call("world.create")["world"]
                msgid = ann.request("edit.batch", world=world,
                                    edits=[["body.add", {"kind": "cloth", **cloth}] for _ in range(30)])
                answered = 0
                while msgid not in ann.answers:
                    bob.call("world.set", world=other, damping=1)
                    answered += 1
                    ann.pump(0.001)
                self.assertEqual(len(ann.answer(msgid)["results"]), 30)
                ann.call("world.delete", world=world)
                return answered > 1

            ann.until(beside, "an answer beside the batch")


class Past(unittest.TestCase):
    """Records of batches in all that reads the past."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-batch-")
        self.server = Server("--data", self.folder)

    def tearDown(self):
        self.server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def again(self):
        self.server.kill()
        self.server = Server("--data", self.folder)
        return self.server.peer()

    def test_batches_are_replayed(self):
        peer = self.server.peer()
        world = peer.call("world.create", name="past")["world"]
        hashes = {}
        peer.call("edit.batch", world=world, edits=FORM)
        peer.call("world.step", world=world, ticks=10)
        hashes[10] = peer.call("world.hash", world=world)["hash"]
        peer.call("edit.batch", world=world, edits=[
            ["body.add", {"name": "thread", "kind": "rope", "positions": [0, 3, 0, 1, 3, 0]}],
            ["constraint.add", {"bodies": [1, 2], "particles": [2, 1]}], ["body.remove", {"body": "rope"}]])
        peer.call("world.step", world=world, ticks=10)
        hashes[20] = peer.call("world.hash", world=world)["hash"]
        log = peer.call("edit.log", world=world)["edits"]
        self.assertEqual([edit["method"] for edit in log], 2 * ["edit.batch"])
        self.assertEqual(log[1]["params"]["edits"][2][1]["body"], 1)

        view = peer.call("world.seek", world=world, tick=10)["view"]
        # At tick 10, after all that was told it there.
        self.assertEqual([body["name"] for body in peer.call("world.join", world=view)["bodies"]], ["thread"])
        peer.call("world.leave", world=view)
        without = peer.call("world.branch", world=world, tick=20, without=[2], name="without")
        self.assertEqual(without["refused"], [])
        self.assertEqual([body["name"] for body in peer.call("world.join", world=without["world"])["bodies"]], ["rope"])
        branch = peer.call("world.branch", world=world, tick=20, name="instead", instead=[
            {"revision": 2, "params": {"edits": [["world.set", {"damping": 0}]]}}])
        self.assertEqual(branch["refused"], [])
        self.assertEqual(peer.call("world.get", world=branch["world"])["damping"], 0)
        # What the second speaks of is not there without the first.
        orphan = peer.call("world.branch", world=world, tick=20, without=[1], name="orphan")
        self.assertEqual([(one["revision"], one["method"]) for one in orphan["refused"]], [(2, "edit.batch")])

        peer = self.again()
        self.assertEqual(peer.call("world.hash", world=world)["hash"], hashes[20])
        self.server.stop()
        self.server = Server("--data", self.folder)
        self.server.stop()
        for verb in ("verify", "replay"):
            run = shell(verb, self.folder)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.server = Server("--data", self.folder)
        self.assertEqual(self.server.peer().call("world.hash", world=world)["hash"], hashes[20])


class Worker(threading.Thread):
    """One who batches in a row over a connection of its own."""

    def __init__(self, server, world, number, rounds):
        super().__init__()
        self.peer, self.world, self.number, self.rounds = server.peer(), world, number, rounds
        self.done, self.failure = [], None

    def run(self):
        try:
            for turn in range(self.rounds):
                name = f"n{self.number}-{turn}"
                result = self.peer.call("edit.batch", world=self.world, edits=[
                    ["collider.add", {"name": name, "kind": "sphere", "radius": 0.1}],
                    ["collider.set", {"collider": name, "friction": 0.1}], ["collider.remove", {"collider": name}]])
                self.done.append(result["revision"])
        except Exception as failure:  # told by the test
            self.failure = failure


class Together(ServerTest):
    def test_batches_of_many_do_not_mix(self):
        with self.server.peer() as peer:
            world = peer.call("world.create", name="many")["world"]
            workers = [Worker(self.server, world, number, 25) for number in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            self.assertEqual([worker.failure for worker in workers], 4 * [None])
            self.assertEqual(sorted(revision for worker in workers for revision in worker.done), list(range(1, 101)))
            self.assertEqual(peer.call("world.join", world=world)["colliders"], [])


if __name__ == "__main__":
    unittest.main()
