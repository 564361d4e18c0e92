#!/usr/bin/env python3
"""world.save and world.open: what was saved and is opened again has the same hash and the same future, whatever was
edited before; and a document is input from outside, refused with its place and leaving nothing."""

import copy
import math
import random
import unittest

import msgpack

from weft_peer import ServerTest, WeftError, block, ext, kinds_of_constraints, main, numbers, sheet

FUTURE_TICKS = 100
SIZES = {kind["name"]: kind["particles"] for kind in kinds_of_constraints()}
KINDS = ["distance", *SIZES]  # distances twice as often as each other kind


def plain(value):
    """Typed arrays as lists, all the way down."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (str, bytes, int, float, bool)) or value is None:
        return value
    return [plain(one) for one in value]


def untouched(things):
    """Without fields that say which person made an edit, which differ between the worlds."""
    return [{key: value for key, value in thing.items() if key != "touched"} for thing in things]


class DocumentTest(ServerTest):
    def hash(self, peer, world):
        return peer.call("world.hash", world=world)["hash"]

    def open(self, peer, document, name):
        world = peer.call("world.open", name=name, document=document)["world"]
        self.addCleanup(self._delete, world)
        return world

    def cloth(self, peer, world, side=12, **fields):
        positions, triangles = sheet(side, side, 0.05, 1.0)
        fields.setdefault("name", "cloth")
        return peer.call("body.add", world=world, kind="cloth", positions=ext("d", positions),
                         triangles=ext("I", triangles), **fields)

    def soft(self, peer, world, **fields):
        positions, tets = block(3, 2, 2, 0.1, (0.0, 1.5, 1.0))
        return peer.call("body.add", world=world, kind="soft", positions=ext("d", positions), tets=ext("I", tets),
                         stretch={"compliance": 1e-4}, **fields)

    def assert_same_future(self, peer, world, copies, ticks=FUTURE_TICKS):
        want = self.hash(peer, world)
        for one in copies:
            self.assertEqual(self.hash(peer, one), want)
        for _ in range(4):
            hashes = set()
            for one in (world, *copies):
                peer.call("world.step", world=one, ticks=ticks // 4)
                hashes.add(self.hash(peer, one))
            self.assertEqual(len(hashes), 1)


class BesideTheWorld(DocumentTest):
    """A world too large to be saved within a turn is saved while it plays."""

    def test_edits_wait_in_their_order_and_none_is_lost(self):
        peer, editor, holder = self.peer(), self.peer(), self.peer()
        world = self.world(peer, substeps=4)
        body = self.cloth(peer, world, side=100)["body"]
        peer.call("particle.pin", world=world, body=body, particles=ext("I", list(range(100))))
        grab = holder.call("grab.begin", world=world, body=body, particle=5000)["grab"]
        peer.call("world.play", world=world)
        for _ in range(3):
            save = peer.request("world.save", world=world)
            edits = [editor.request("particle.set", world=world, body=body, particles=ext("I", [9000 + one]),
                                 inverse_masses=ext("f", [1.0 + one])) for one in range(20)]
            holder.call("grab.move", world=world, grab=grab, target=[0.1, 1.2, 0.3])
            saved = peer.answer(save)
            again = self.open(peer, saved["document"], "again")
            self.assertEqual(self.hash(peer, again), saved["hash"])
            self.assertEqual(peer.call("world.get", world=again)["tick"], saved["tick"])
            revisions = [editor.answer(edit)["revision"] for edit in edits]
            self.assertEqual(revisions, list(range(revisions[0], revisions[0] + len(edits))))
            self._delete(again)
            last = peer.call("world.get", world=world)["revision"]
            self.assertEqual(last, revisions[-1])
            self.assertTrue(revisions[0] - 1 <= saved["revision"] <= revisions[-1])  # whichever came first

    def test_who_leaves_or_deletes_the_world_waits_for_nothing(self):
        for ends in ("close", "delete"):
            with self.subTest(ends=ends):
                peer, other = self.peer(), self.peer()
                world = self.world(other, name=f"somebody will {ends}", substeps=4)
                self.cloth(other, world, side=100)
                other.call("world.play", world=world)
                save = peer.request("world.save", world=world)
                if ends == "close":
                    peer.close()
                else:
                    other.call("world.delete", world=world)
                    try:
                        peer.answer(save)  # it may have been made before
                    except WeftError as error:
                        self.assertEqual(error.code, "NOT_FOUND")
                    continue
                self.assertEqual(other.call("world.set", world=world, substeps=5)["revision"], 2)


class SameWorld(DocumentTest):
    def test_an_empty_world(self):
        peer = self.peer()
        world = self.world(peer, tick_rate=120, substeps=3, iterations=2, damping=0.25, gravity=[0.1, -1.0 / 3, 0],
                           wind={"velocity": [1, 2, 3], "lift": 0.3}, resolution=2.0 ** -20, extent=77.5)
        saved = peer.call("world.save", world=world)
        self.assertEqual(saved["hash"], self.hash(peer, world))
        again = self.open(peer, saved["document"], "again")
        self.assertEqual(self.hash(peer, again), saved["hash"])
        keys = ("tick_rate", "substeps", "iterations", "damping", "gravity", "wind", "resolution", "extent", "tick")
        before, after = (peer.call("world.get", world=one) for one in (world, again))
        self.assertEqual([before[key] for key in keys], [after[key] for key in keys])
        self.assertEqual(after["state"], "paused")

    def test_tick_names_and_materials_come_along(self):
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world, stretch={"stiffness": 0.5, "damping": 0.25}, density=0.3, thickness=0.0125, pins=[3, 0],
                   bend={"model": "dihedral", "compliance": 7.0})
        self.soft(peer, world, name="jelly", volume={"compliance": 1e-9, "damping": 2.0})
        peer.call("collider.add", world=world, kind="capsule", name="pole", rotation=[1, 2, 3, 4], friction=0.1, friction_kinetic=0.05, restitution=0.25,
                  surface_velocity=[0.5, -0.25, 1], surface_spin=[0, 3, 0])
        peer.call("world.step", world=world, ticks=17)
        document = peer.call("world.save", world=world)["document"]
        again = self.open(peer, document, "again")
        self.assertEqual(peer.call("world.get", world=again)["tick"], 17)
        for body in ("cloth", "jelly"):
            before, after = (plain(peer.call("body.get", world=one, body=body)) for one in (world, again))
            for told in (before, after):
                told.pop("revision"), told.pop("touched")  # who did what in one world, and not in the other
            self.assertEqual(before, after)
        before, after = (peer.call("world.join", world=one) for one in (world, again))
        self.assertEqual(untouched(plain(before["colliders"])), untouched(plain(after["colliders"])))
        self.assert_same_future(peer, world, [again])
        # What a reset goes back to is the same as well.
        for one in (world, again):
            peer.call("world.reset", world=one)
        self.assert_same_future(peer, world, [again], 8)

    def test_every_encoding_is_exact(self):
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world, pins=[0, 11], bend={})
        peer.call("world.step", world=world, ticks=30)
        copies = []
        for mode in ("ext", "bin", "plain"):
            other = self.peer({"arrays": mode})
            copies.append(self.open(peer, other.call("world.save", world=world)["document"], mode))
        self.assert_same_future(peer, world, copies, 20)

    def test_grabs_stay_behind(self):
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world)
        before = self.hash(peer, world)
        grab = peer.call("grab.begin", world=world, body="cloth", particle=5)["grab"]
        saved = peer.call("world.save", world=world)
        self.assertNotIn(self.hash(peer, world), (before, saved["hash"]))
        again = self.open(peer, saved["document"], "again")
        self.assertEqual(self.hash(peer, again), saved["hash"])
        self.assertEqual(peer.call("world.get", world=again)["grabs"], 0)
        peer.call("grab.end", world=world, grab=grab)
        self.assertEqual(self.hash(peer, world), saved["hash"])
        # The next grab has the next id in both.
        ids = [peer.call("grab.begin", world=one, body="cloth", particle=5)["grab"] for one in (world, again)]
        self.assertEqual(ids, [grab + 1, grab + 1])

    def test_what_is_under_way(self):
        """Pins and colliders that an edit has sent somewhere, and the tick has not come yet."""
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world, pins=[0, 11])
        peer.call("collider.add", world=world, kind="sphere", name="ball", position=[0.2, 0.5, 0.2], radius=0.2)
        peer.call("collider.add", world=world, kind="box", name="box", position=[3, 0.5, 0.2])
        peer.call("world.step", world=world, ticks=3)
        peer.call("particle.pin", world=world, body="cloth", particles=[0], positions=[0.1, 1.2, 0.3])
        peer.call("collider.set", world=world, collider="ball", position=[0.3, 0.7, 0.1])
        peer.call("collider.set", world=world, collider="box", rotation=[0.1, 0.2, 0.3, 0.4])
        again = self.open(peer, peer.call("world.save", world=world)["document"], "again")
        self.assert_same_future(peer, world, [again])

    def test_far_from_the_origin_no_quantum_is_lost(self):
        peer = self.peer()
        world = self.world(peer, resolution=2.0 ** -30, extent=1e9, gravity=[0, 0, 0], damping=0.1)
        far = 5e8
        peer.call("body.add", world=world, kind="points", positions=ext("d", [far, 0, -far, 1, 2, 3]), name="points")
        peer.call("particle.set", world=world, body="points", particles=[0, 1], velocities=[1.1e-3, 2.3e-3, 3.7e-3] * 2)
        peer.call("particle.pin", world=world, body="points", particles=[1])
        peer.call("world.step", world=world, ticks=1)
        state = peer.call("world.save", world=world)["document"]["bodies"][0]["state"]
        self.assertTrue(any(state["remainders"]), "the test is of coordinates that doubles do not hold")
        again = self.open(peer, peer.call("world.save", world=world)["document"], "again")
        self.assert_same_future(peer, world, [again])

    def test_recoloured_bodies(self):
        """More than a quarter of the edges go: places come of history alone from then on."""
        peer = self.peer()
        world = self.world(peer)
        added = self.cloth(peer, world, side=40, bend={"model": "quadratic", "compliance": 1e4})
        edges, bends = (added["constraints"][kind] for kind in ("distance", "quadratic"))
        ids = random.Random(1).sample(range(edges["first"], edges["first"] + edges["count"]), edges["count"] // 3)
        peer.call("constraint.remove", world=world, constraints=ext("I", ids))
        rest = [one for one in range(edges["first"], edges["first"] + edges["count"]) if one not in set(ids)]
        peer.call("constraint.remove", world=world, constraints=ext("I", rest[::9]))
        peer.call("constraint.remove", world=world,
                  constraints=ext("I", range(bends["first"], bends["first"] + bends["count"], 13)))
        peer.call("constraint.set", world=world, constraints=ext("I", rest[1::9]), rest=0.06, compliance=1e-5, damping=0.5)
        peer.call("constraint.set", world=world, constraints=ext("I", rest[2::9]), stiffness=0.25)
        document = peer.call("world.save", world=world)["document"]
        self.assertIn("colors", document["bodies"][0]["history"]["distance"])
        self.assertNotIn("colors", document["bodies"][0]["history"]["quadratic"])
        again = self.open(peer, document, "again")
        self.assert_same_future(peer, world, [again], 20)
        # The next removals find the same threshold.
        for one in (world, again):
            peer.call("constraint.remove", world=one, constraints=ext("I", rest[3::9] + rest[4::9]))
        self.assert_same_future(peer, world, [again], 8)

    def test_motions(self):
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world, pins=[0, 11])
        peer.call("collider.add", world=world, kind="sphere", name="ball", position=[0.2, 0.5, 0.2], radius=0.2)
        peer.call("motion.add", world=world, collider="ball", times=[0, 0.35, 1], offsets=[0, 0, 0, 0.1, 0.4, 0, 0, 0, 0],
                  loop=True)
        peer.call("motion.add", world=world, body="cloth", particles=[0, 11, 12], times=[0.1, 0.5],
                  offsets=[0, 0, 0, 0.1, 0.3, -0.2])
        peer.call("world.step", world=world, ticks=3)
        turns = {"offsets": [0, 0, 0, 0.01, 0, 0, 0, 0, 0], "rotations": [0, 0, 0, 2, 0.3, 0.1, 0, 1, 0, 0, -0.3, -1],
                 "interpolation": "cubic"}
        peer.call("motion.add", world=world, collider="ball", times=[0, 0.21, 0.7], loop=True, **turns)
        peer.call("motion.add", world=world, collider="ball", times=[0.05, 0.3, 0.4], **turns)
        peer.call("motion.add", world=world, body="cloth", particles=[0, 11], times=[0, 0.4, 0.9], pivot=[0.1, 0, 0.3], **turns)
        peer.call("motion.add", world=world, body="cloth", particles=[11, 0, 5], times=[0, 0.4, 0.9], loop=True, **turns)
        poses = [0.0] * 6 + [0.125, 0.25, 0, -0.5, 0, 0.0625] + [0.03125] * 6
        peer.call("motion.add", world=world, body="cloth", particles=[11, 0], times=[0, 0.2, 0.5], offsets=[0] * 9,
                  loop=True, poses=ext("f", poses))
        peer.call("world.step", world=world, ticks=10)
        peer.call("collider.set", world=world, collider="ball", rotation=[1, 1, 0, 2], position=[0.25, 0.5, 0.2])
        again = self.open(peer, peer.call("world.save", world=world)["document"], "again")
        self.assertEqual([one["age"] for one in peer.call("motion.list", world=again)["motions"]], [13, 13, 10, 10, 10, 10, 10])
        # Poses may be megabytes: they are sent on request.
        plain, full = (peer.call("motion.list", world=at, **more)["motions"]
                       for at, more in ((world, {}), (again, {"poses": True})))
        self.assertEqual([one["posed"] for one in plain], [False] * 6 + [True])
        self.assertFalse(any("poses" in one for one in plain + full[:6]))
        self.assertEqual(list(numbers(full[6]["poses"])), poses)
        one, other = (peer.call("world.join", world=at)["colliders"] for at in (world, again))
        self.assertEqual(untouched(one), untouched(other))
        self.assert_same_future(peer, world, [again])
        # Saved on the way from one pose to another, and between ticks; a reset begins all of them again alike.
        further = self.open(peer, peer.call("world.save", world=world)["document"], "further")
        for at in (world, further):
            peer.call("motion.remove", world=at, motion=3)
        self.assert_same_future(peer, world, [further])
        for at in (world, further):
            peer.call("world.reset", world=at)
        self.assert_same_future(peer, world, [further])


class Poses(DocumentTest):
    def test_what_is_wrong_with_them_is_said_and_nothing_changes(self):
        peer = self.peer()
        world = self.world(peer)
        self.cloth(peer, world, pins=[0, 11])
        peer.call("collider.add", world=world, kind="sphere", name="ball")
        before = self.hash(peer, world)
        good = {"world": world, "body": "cloth", "particles": [0, 11], "times": [0, 1], "offsets": [0] * 6}
        for change, code, words in [
                ({"poses": [0.0] * 9}, "INVALID", "poses: length 9; must be 12"),
                ({"poses": [0.0] * 11}, "INVALID", "poses"), ({"poses": []}, "INVALID", "poses: length 0"),
                ({"poses": 0.5}, "INVALID", "poses"), ({"poses": "all"}, "INVALID", "poses"),
                ({"poses": [0.0] * 11 + [1000.5]}, "INVALID", "poses"), ({"poses": [math.nan] * 12}, "INVALID", "poses"),
                ({"poses": ext("f", [math.inf] * 12)}, "INVALID", "poses"),
                ({"poses": ext("d", [1e300] * 12)}, "INVALID", "poses"),
                ({"poses": [0.0] * 12, "particles": [0]}, "INVALID", "poses: length 12; must be 6"),
                ({"poses": [0.0] * 6, "collider": "ball", "body": None, "particles": None}, "INVALID", "poses")]:
            given = {name: value for name, value in {**good, **change}.items() if value is not None}
            with self.assertRaises(WeftError) as caught:
                peer.call("motion.add", **given)
            self.assertEqual(caught.exception.code, code, change)
            self.assertIn(words, str(caught.exception))
        self.assertEqual(self.hash(peer, world), before)

    def test_a_world_has_as_many_as_it_may(self):
        peer = self.peer()
        world = self.world(peer)
        positions = ext("f", [float(i % 3 == 0) * (i // 3) * 1e-3 for i in range(3 * 4096)])
        peer.call("body.add", world=world, kind="points", name="dots", positions=positions)
        one = {"world": world, "body": "dots", "particles": ext("I", range(4096))}
        poses = msgpack.ExtType(0x17, bytes(4 * 3 * 4096 * 1024))
        for _ in range(5):
            peer.call("motion.add", **one, times=ext("d", range(1024)), offsets=ext("d", [0.0] * 3072), poses=poses)
        left = (67108864 - 5 * 3 * 4096 * 1024) // (3 * 4096)
        fitting = {"times": ext("d", range(left)), "offsets": ext("d", [0.0] * 3 * left)}
        added = peer.call("motion.add", **one, **fitting, poses=msgpack.ExtType(0x17, bytes(4 * 3 * 4096 * left)))
        with self.assertRaises(WeftError) as caught:
            peer.call("motion.add", **one, times=[0], offsets=[0, 0, 0], poses=ext("f", [0.0] * 3 * 4096))
        self.assertEqual(caught.exception.code, "LIMIT")
        self.assertIn("67108864", str(caught.exception))
        peer.call("motion.remove", world=world, motion=added["motion"])
        peer.call("motion.add", **one, times=[0], offsets=[0, 0, 0], poses=ext("f", [0.0] * 3 * 4096))


class RandomEdits(DocumentTest):
    """Edits of all kinds through the wire, saved and opened on the way."""

    def edit(self, peer, world, draw):
        bodies = peer.call("world.join", world=world)["bodies"]
        body = draw.choice(bodies) if bodies else None
        kind = draw.choice(["body", "particle", "particle", "pin", "unpin", "add", "add", "set", "remove", "collider",
                            "collider_set", "collider_remove", "material", "settings", "remove_body", "motion",
                            "motion_remove", "rename"])
        try:
            if kind == "body" or body is None:
                which = draw.randrange(4)
                name = f"b{draw.randrange(10**6)}"
                if which == 0:
                    self.cloth(peer, world, draw.randrange(3, 14), name=name, pins=[0],
                               bend=draw.choice([{}, {"model": "isometric"}, {"model": "dihedral", "compliance": 1.0}]))
                elif which == 1:
                    self.soft(peer, world, name=name, volume={"compliance": 1e-8})
                elif which == 2:
                    positions = [number for i in range(30) for number in (0.05 * i, 2, 0)]
                    peer.call("body.add", world=world, kind="rope", positions=positions, name=name,
                              velocities=[0.1] * 90)
                else:
                    peer.call("body.add", world=world, kind="points", positions=[0, 3, 0, 0.1, 3, 0], masses=0.5)
                return
            at, count = body["body"], body["particles"]
            some = draw.sample(range(count), min(count, 3))
            if kind == "particle":
                state = peer.call("body.state", world=world, body=at, fields=["positions64"])["positions64"]
                peer.call("particle.set", world=world, body=at, particles=some,
                          positions=[state[3 * p + axis] + draw.uniform(-0.01, 0.01) for p in some for axis in range(3)],
                          velocities=[draw.uniform(-1, 1) for _ in range(3 * len(some))],
                          inverse_masses=[draw.choice([0, 100.0, 12.5]) for _ in some])
            elif kind == "pin":
                peer.call("particle.pin", world=world, body=at, particles=some)
            elif kind == "unpin":
                peer.call("particle.unpin", world=world, body=at, particles=some)
            elif kind == "add":
                type_ = draw.choice(KINDS)
                size = SIZES[type_]
                others = [draw.choice(bodies) for _ in range(size)] if draw.random() < 0.3 else [body] * size
                peer.call("constraint.add", world=world, type=type_, bodies=[one["body"] for one in others],
                          particles=[draw.randrange(one["particles"]) for one in others],
                          compliance=draw.choice([0.1, 1e-3, 5.0]))
            elif kind in ("set", "remove"):
                type_ = draw.choice(KINDS)
                ids = list(peer.call("constraint.list", world=world, type=type_)["constraints"])
                ids = draw.sample(ids, min(len(ids), draw.choice([1, 3, 40])))
                if kind == "remove":
                    peer.call("constraint.remove", world=world, constraints=ids)
                else:
                    peer.call("constraint.set", world=world, constraints=ids, **draw.choice(
                        [{"compliance": 1e-3}, {"stiffness": 0.1}, {"compliance": 1e-2, "damping": 1.0}]))
            elif kind == "collider":
                peer.call("collider.add", world=world, kind=draw.choice(["plane", "sphere", "capsule", "box", "cylinder", "convex", "height_field"]),
                          columns=3, spacing=0.4, heights=[0, 0.1, 0.3, 0.2, -0.1, 0.1, -0.2, 0.15, 0.05], points=[0, 0.3, 0, 0.2, 0, 0.1, -0.2, 0, 0.1, 0, 0, -0.3, 0.02, 0.03, 0],
                          position=[draw.uniform(-2, 2), -1, draw.uniform(-2, 2)], radius=0.3)
            elif kind == "collider_set":
                peer.call("collider.set", world=world, collider=draw.randrange(1, 20),
                          position=[draw.uniform(-2, 2), -1, draw.uniform(-2, 2)], teleport=draw.choice([False, True]))
            elif kind == "collider_remove":
                peer.call("collider.remove", world=world, collider=draw.randrange(1, 20))
            elif kind == "material":
                peer.call("body.set", world=world, body=at, stretch={"compliance": draw.choice([1e-6, 1e-4]),
                                                                     "damping": draw.choice([0, 0.5])})
            elif kind == "settings":
                peer.call("world.set", world=world, substeps=draw.randrange(1, 6), iterations=draw.randrange(1, 3),
                          wind={"velocity": [draw.uniform(-3, 3), 0, 1]})
            elif kind == "remove_body":
                peer.call("body.remove", world=world, body=at)
            elif kind == "motion":
                target = {"collider": draw.randrange(1, 20)} if draw.random() < 0.5 else {"body": at, "particles": some}
                peer.call("motion.add", world=world, times=[0, 0.21, 0.5], offsets=[0, 0, 0, 0.05, 0.1, 0, 0, 0, 0],
                          loop=draw.random() < 0.5, interpolation=draw.choice(["linear", "cubic"]),
                          **({"rotations": [draw.uniform(-1, 1) for _ in range(12)]} if draw.random() < 0.5 else {}), **target)
            elif kind == "motion_remove":
                peer.call("motion.remove", world=world, motion=draw.randrange(1, 10))
            else:
                peer.call("body.set", world=world, body=at, name=f"n{draw.randrange(20)}")
        except WeftError as error:
            self.assertIn(error.code, ("INVALID", "NOT_FOUND", "CONFLICT"), str(error))

    def test_saved_on_the_way(self):
        draw = random.Random(20240611)
        peer = self.peer()
        world = self.world(peer, substeps=3, wind={"velocity": [1, 0, 0]})
        for turn in range(8):
            for _ in range(60):
                self.edit(peer, world, draw)
            for _ in range(3):
                try:
                    peer.call("world.step", world=world, ticks=1)
                except WeftError:
                    peer.call("world.reset", world=world)
            if peer.call("world.get", world=world)["state"] == "failed":
                peer.call("world.reset", world=world)
            saved = peer.call("world.save", world=world)
            again = self.open(peer, saved["document"], f"again {turn}")
            self.assertEqual(self.hash(peer, again), self.hash(peer, world))
            self.assertEqual(plain(peer.call("world.save", world=again)["document"]), plain(saved["document"]))
            for _ in range(5):
                self.step_both(peer, world, again)
            for _ in range(5):  # the same edits on both are the same
                state = draw.getstate()
                self.edit(peer, world, draw)
                draw.setstate(state)
                self.edit(peer, again, draw)
                self.step_both(peer, world, again)
            # The copy is what is gone on with.
            peer.call("world.delete", world=world)
            world = again

    def step_both(self, peer, *worlds):
        texts = []
        for one in worlds:
            try:
                peer.call("world.step", world=one, ticks=1)
                texts.append(self.hash(peer, one))
            except WeftError as error:
                texts.append(error.code)
                peer.call("world.reset", world=one)
        self.assertEqual(len(set(texts)), 1, texts)


class Refused(DocumentTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with cls.server.peer() as peer:
            world = peer.call("world.create", name="origin")["world"]
            positions, triangles = sheet(12, 12, 0.1, 1.0)
            added = peer.call("body.add", world=world, kind="cloth", name="cloth", positions=positions,
                              triangles=triangles, pins=[1, 5], bend={"model": "isometric"})
            peer.call("body.add", world=world, kind="points", name="points", positions=[0, 3, 0, 0, 4, 0])
            first, count = added["constraints"]["distance"]["first"], added["constraints"]["distance"]["count"]
            peer.call("constraint.remove", world=world, constraints=list(range(first, first + count, 3)))
            peer.call("constraint.remove", world=world, constraints=[first + 1])
            peer.call("constraint.set", world=world, constraints=[first + 2, first + 5], compliance=0.5)
            peer.call("constraint.add", world=world, body=1, particles=[0, 5, 5, 9])
            peer.call("constraint.add", world=world, body=1, type="isometric", particles=[0, 1, 12, 13])
            peer.call("collider.add", world=world, kind="sphere", name="ball")
            peer.call("motion.add", world=world, collider="ball", times=[0, 1], offsets=[0, 0, 0, 1, 0, 0])
            peer.call("motion.add", world=world, body="cloth", particles=[1, 5], times=[0, 1], offsets=[0] * 6, poses=[0.25] * 12)
            cls.document = plain(peer.call("world.save", world=world)["document"])

    def change(self, path, value):
        """The document with one value replaced; path is dotted, with numbers for places in lists."""
        document = copy.deepcopy(self.document)
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        at = document
        for step in way:
            at = at[step]
        if value is None:
            del at[last]
        else:
            at[last] = value(at[last]) if callable(value) else value
        return document

    def test_the_document_itself_is_taken(self):
        peer = self.peer()
        self.open(peer, self.document, "taken")

    def test_faults_name_their_place(self):
        history = "bodies.0.history.distance"
        cases = [
            ("format", 2, "document.format"),
            ("settings.resolution", 1e-8, "document.settings.resolution"),
            ("settings.substeps", 0, "document.settings.substeps"),
            ("bodies.0.kind", "jelly", "document.bodies[0].kind"),
            ("bodies.0.positions", lambda old: old[:-1], "document.bodies[0].positions"),
            ("bodies.0.positions.0", 2e9, "document.bodies[0].positions"),
            ("bodies.0.positions.0", math.nan, "document.bodies[0].positions"),
            ("bodies.0.triangles.17", 144, "document.bodies[0].triangles"),
            ("bodies.0.triangles", [], "document.bodies[0].history.distance"),
            ("bodies.1.state", None, None),
            ("bodies.0.pins.0", 144, "document.bodies[0].pins"),
            ("bodies.0.pins", [5, 1], None),
            ("bodies.0.body", 2, "document.bodies[1].body"),
            ("bodies.1.body", 1, "document.bodies[1].body"),
            ("bodies.1.name", "cloth", "document.bodies[1].name"),
            ("bodies.1.first_constraint", 3, "document.bodies[1]"),
            ("bodies.0.weld", 0.01, "document.bodies[0].weld"),
            ("bodies.0.stretch.compliance", -1, "document.bodies[0].stretch.compliance"),
            ("bodies.0.state.positions", lambda old: old[:-3], "document.bodies[0].state.positions"),
            ("bodies.0.state.positions.5", 1.1e9, "document.bodies[0].state.positions"),
            ("bodies.0.state.remainders", lambda old: [0] * 432, None),
            ("bodies.0.state.velocities.0", 1e300, "document.bodies[0].state.velocities"),
            ("bodies.0.state.inverse_masses.3", -1, "document.bodies[0].state.inverse_masses"),
            ("bodies.0.state.inverse_masses.3", 1e-30, "document.bodies[0].state.inverse_masses"),
            ("bodies.0.state.targets", lambda old: [0, 0, 0], "document.bodies[0].state.targets"),
            (f"{history}.built", 2, "document.bodies[0].history.distance.built"),
            (f"{history}.built", 10**6, "document.bodies[0].history.distance.built"),
            (f"{history}.removed", lambda old: old[::-1], "document.bodies[0].history.distance.removed"),
            (f"{history}.removed.0", 4000000000, "document.bodies[0].history.distance.removed"),
            (f"{history}.changed.0", lambda old: self.document["bodies"][0]["history"]["distance"]["removed"][0],
             "document.bodies[0].history.distance.changed"),
            (f"{history}.rest", None, "document.bodies[0].history.distance.changed"),
            (f"{history}.rest.0", -1, "document.bodies[0].history.distance.rest"),
            (f"{history}.stiffness.0", 0.5, "document.bodies[0].history.distance.stiffness"),
            (f"{history}.compliance", lambda old: old[:-1], "document.bodies[0].history.distance"),
            (f"{history}.colors", lambda old: [0] * len(old), "document.bodies[0].history.distance.colors"),
            (f"{history}.colors", lambda old: [64] * len(old), "document.bodies[0].history.distance.colors"),
            (f"{history}.colors", lambda old: old[:-1], "document.bodies[0].history.distance.colors"),
            (f"{history}.tile_colors", [7], "document.bodies[0].history.distance.tile_colors"),
            (f"{history}.tile_colors", None, "document.bodies[0].history.distance.colors"),
            ("bodies.1.history", {"distance": {"removed": [1]}}, "document.bodies[1].history.distance"),
            ("colliders.0.kind", "cone", "document.colliders[0].kind"),
            ("colliders.0.radius", -1, "document.colliders[0].radius"),
            ("colliders.0.rotation", [0, 0, 0, 0], "document.colliders[0].rotation"),
            ("colliders.0.position", [2e9, 0, 0], "document.colliders[0].position"),
            ("colliders.0.remainder", [0.5, 0, 0], "document.colliders[0].position"),
            ("colliders.0.from_rotation", [0, 0, 0, 2], "document.colliders[0].from_rotation"),
            ("colliders.0.normal", [0, 1, 0], "document.colliders[0].normal"),
            ("constraints.0.particles", lambda old: old[:-1], "document.constraints[0].particles"),
            ("constraints.0.particles.0", 5, "document.constraints[0].particles"),
            ("constraints.0.bodies.0", 9, "document.constraints[0].bodies"),
            ("constraints.0.body", 1, "document.constraints[0].body"),
            ("constraints.0.colors", [0, 0], "document.constraints[0].colors"),
            ("constraints.0.colors", [0, 65], "document.constraints[0].colors"),
            ("constraints.0.constraints.0", 2, "document.constraints"),
            ("constraints.0.constraints", lambda old: old[::-1], "document.constraints[0].constraints"),
            ("constraints.0.rest", None, "document.constraints[0].constraints"),
            ("constraints.1.shapes", None, "document.constraints[1].constraints"),
            ("constraints.1.shapes.0", math.inf, "document.constraints[1].shapes"),
            ("motions.0.collider", 2, "document.motions[0].collider"),
            ("motions.0.collider", "bowl", "document.motions[0].collider"),
            ("motions.0.body", 1, "document.motions[0].collider"),
            ("motions.0.times", [1, 1], "document.motions[0].times"),
            ("motions.0.times", [0], "document.motions[0].offsets"),
            ("motions.0.offsets.3", 1001, "document.motions[0].offsets"),
            ("motions.0.motion", 4294967295, "document.motions[0].motion"),
            ("motions.0.poses", [0, 0, 0], "document.motions[0].poses"),
            ("motions.1.poses", lambda old: old[:-3], "document.motions[1].poses"),
            ("motions.1.poses.11", -1000.5, "document.motions[1].poses"),
            ("motions.1.poses.0", math.nan, "document.motions[1].poses"),
            ("motions.1.particles", [1], "document.motions[1].poses"),
            ("next_body", 2, "document.next_body"),
            ("next_constraint", 5, "document.next_constraint"),
            ("next_motion", 1, "document.next_motion"),
            ("bodies.0.colour", "red", "document.bodies[0].colour"),
            ("bodies", 7, "document.bodies"),
            ("settings.contact_quality", "fast", None),
            ("settings.contact_quality", "best", "document.settings.contact_quality"),
            ("settings.contact_quality", True, "document.settings.contact_quality"),
            ("bodies.0.friction", 1000, None),
            ("bodies.0.friction", -0.5, "document.bodies[0].friction"),
            ("bodies.0.friction", 1000.5, "document.bodies[0].friction"),
            ("bodies.0.friction", math.nan, "document.bodies[0].friction"),
            ("bodies.0.friction", "much", "document.bodies[0].friction"),
            ("bodies.0.self_contact", False, None),
            ("bodies.0.self_contact", True, "document.bodies[0].thickness"),  # it has none
            ("bodies.0.self_contact", 1, "document.bodies[0].self_contact"),
            ("bodies.1.contact_group", 2**32 - 1, None),
            ("bodies.1.contact_group", 2**32, "document.bodies[1].contact_group"),
            ("bodies.1.contact_group", -1, "document.bodies[1].contact_group"),
            ("bodies.1.contact_mask", 0.5, "document.bodies[1].contact_mask"),
            ("bodies.1.contact_mask", [1], "document.bodies[1].contact_mask"),
            ("bodies.0.thickness", 1.5, "document.bodies[0].thickness"),
        ]
        peer = self.peer({"errors": "map"})
        worlds = [one["world"] for one in peer.call("world.list")["worlds"]]
        for path, value, field in cases:
            with self.subTest(path=path, value=value):
                try:
                    document = self.change(path, value)
                except KeyError:
                    document = copy.deepcopy(self.document)
                    way = path.split(".")
                    at = document
                    for step in way[:-1]:
                        at = at[int(step) if step.isdigit() else step]
                    at[way[-1]] = value([]) if callable(value) else value
                if field is None:
                    peer.call("world.delete", world=peer.call("world.open", name="fine", document=document)["world"])
                    continue
                with self.assertRaises(WeftError) as caught:
                    peer.call("world.open", name="refused", document=document)
                self.assertIn(caught.exception.code, ("INVALID", "NOT_FOUND", "CONFLICT", "LIMIT"))
                self.assertTrue((caught.exception.field or "").startswith(field),
                                f"{caught.exception.field}: {caught.exception}")
                self.assertIn(field.rsplit(".", 1)[-1], caught.exception.text)
        self.assertEqual([one["world"] for one in peer.call("world.list")["worlds"]], worlds)

    def test_a_failed_world_is_not_saved(self):
        peer = self.peer()
        world = self.world(peer, extent=10)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0], velocities=[200, 0, 0])
        peer.call("world.play", world=world, rate=0)
        peer.until(lambda: peer.call("world.get", world=world)["state"] == "failed", "the failure")
        self.refused("CONFLICT", peer, "world.save", world=world)

    def test_a_name_is_taken(self):
        peer = self.peer()
        self.refused("CONFLICT", peer, "world.open", name="origin", document=self.document)
        self.refused("INVALID", peer, "world.open", name="")
        self.refused("INVALID", peer, "world.open", document=[1])

    def test_large_documents_do_not_hold_up_others(self):
        """They are unpacked, decoded and made ready on a worker."""
        peer, other = self.peer(), self.peer()
        other.call("server.ping")  # whoever says nothing for long after it came is cut
        positions, triangles = sheet(350, 350, 0.01, 1.0)
        document = {"bodies": [{"kind": "cloth", "positions": ext("d", positions), "triangles": ext("I", triangles),
                                "bend": {"model": "quadratic", "compliance": 1e4}}]}
        def beside():
            """Answers to somebody else while the world is made."""
            waiting, answers = peer.request("world.open", name="large", document=document), 0
            while waiting not in peer.answers:
                other.call("server.ping")
                answers += 1
                peer.pump(0)
            world = peer.answer(waiting)["world"]
            self.assertEqual(peer.call("world.get", world=world)["particles"], 350 * 350)
            peer.call("world.delete", world=world)
            return answers

        # Were it made ready where all are read, one or two. This program may lack the processor at times; once is enough.
        peer.until(lambda: beside() > 10, "more than ten answers to somebody else meanwhile")

    def test_what_is_sent_behind_a_document_finds_its_world(self):
        """Whatever way it takes: on its own, in a message that is large itself, in pieces."""
        peer = self.peer()
        for side in (4, 60):
            positions, triangles = sheet(side, side, 0.01, 1.0)
            document = {"bodies": [{"kind": "cloth", "positions": ext("d", positions),
                                    "triangles": ext("I", triangles)}]}
            packed = msgpack.packb(document)
            self.assertEqual(len(packed) > 65536, side == 60)
            peer.call("world.upload", data=packed)
            for fields in ({"document": document}, {"upload": True}):
                asked = [peer.request("world.open", name="again", **fields),
                         peer.request("world.get", world="again"),
                         peer.request("world.open", name="again", document={}),
                         peer.request("world.delete", world="again")]
                self.assertEqual(peer.answer(asked[1])["particles"], side * side)
                with self.assertRaises(WeftError) as caught:
                    peer.answer(asked[2])
                self.assertEqual(caught.exception.code, "CONFLICT")
                peer.answer(asked[0])
                peer.answer(asked[3])

    def test_an_upload_is_gone_where_it_is_refused(self):
        peer = self.peer()
        self.world(peer, name="taken")
        for fields in ({"document": {}}, {"name": "taken"}):
            peer.call("world.upload", data=msgpack.packb({}))
            with self.assertRaises(WeftError):
                peer.call("world.open", upload=True, **fields)
            self.refused("NOT_FOUND", peer, "world.open", upload=True)


class WrittenByHand(DocumentTest):
    def test_ids_follow_and_names_are_found(self):
        peer = self.peer()
        positions, triangles = sheet(3, 3)
        world = self.open(peer, {
            "bodies": [{"kind": "cloth", "name": "a", "positions": positions, "triangles": triangles},
                       {"kind": "rope", "name": "b", "positions": [0, 0, 0, 0, 1, 0, 0, 2, 0], "pins": [0]}],
            "colliders": [{"kind": "plane", "name": "floor", "normal": [0, 2, 0]}],
            "constraints": [{"body": "b", "particles": [0, 2], "compliance": 0.01},
                            {"bodies": [1, 2], "particles": [0, 2], "rest": 0.5}],
            "motions": [{"collider": "floor", "times": [0, 1], "offsets": [0, 0, 0, 0, 1, 0], "loop": True},
                        {"body": "b", "particles": [0], "times": [0, 1], "offsets": [0, 0, 0, 0, 1, 0]}],
        }, "hand")
        joined = peer.call("world.join", world=world)
        self.assertEqual([(one["body"], one["name"]) for one in joined["bodies"]], [(1, "a"), (2, "b")])
        self.assertEqual(joined["bodies"][1]["constraints"]["distance"], {"first": 17, "count": 2})
        listed = peer.call("constraint.list", world=world)
        self.assertEqual(list(listed["constraints"])[-2:], [19, 20])
        self.assertEqual(listed["rest"][-2:].tolist(), [2.0, 0.5])
        self.assertEqual(peer.call("motion.list", world=world)["motions"][1]["body"], 2)
        # The same by single edits has the same hash. A document that has no word on them is without long edges, swept, awake and
        # not calm.
        other = self.world(peer, long_edges=False, bending="swept", sleep=False, calm=False)
        peer.call("body.add", world=other, kind="cloth", name="a", positions=positions, triangles=triangles)
        peer.call("body.add", world=other, kind="rope", name="b", positions=[0, 0, 0, 0, 1, 0, 0, 2, 0], pins=[0])
        peer.call("collider.add", world=other, kind="plane", normal=[0, 2, 0])
        peer.call("constraint.add", world=other, body="b", particles=[0, 2], compliance=0.01)
        peer.call("constraint.add", world=other, bodies=[1, 2], particles=[0, 2], rest=0.5)
        peer.call("motion.add", world=other, collider=1, times=[0, 1], offsets=[0, 0, 0, 0, 1, 0], loop=True)
        peer.call("motion.add", world=other, body=2, particles=[0], times=[0, 1], offsets=[0, 0, 0, 0, 1, 0])
        self.assert_same_future(peer, world, [other])


class Uploads(ServerTest):
    def saved(self, peer):
        world = self.world(peer)
        peer.call("body.add", world=world, kind="rope", positions=ext("d", [0.01 * i for i in range(3000)]))
        peer.call("world.step", world=world, ticks=3)
        save = peer.call("world.save", world=world)
        # As it came: the last field of the answer, byte for byte.
        packer = msgpack.Packer(default=lambda value: ext(value.typecode, value))
        return world, save["hash"], packer.pack(save["document"])

    def test_a_document_in_pieces_is_opened_as_it_was_saved(self):
        peer = self.peer()
        _, expected, packed = self.saved(peer)
        size = 10_000
        for offset in range(0, len(packed), size):
            piece = packed[offset:offset + size]
            data = piece if offset % (2 * size) else msgpack.ExtType(0x12, piece)
            self.assertEqual(peer.call("world.upload", offset=offset, data=data)["bytes"], offset + len(piece))
        opened = peer.call("world.open", upload=True, name="again")
        self.assertEqual(peer.call("world.hash", world=opened["world"])["hash"], expected)
        error = self.refused("NOT_FOUND", peer, "world.open", upload=True)
        self.assertIn("world.upload", error.text)

    def test_pieces_follow_each_other_and_belong_to_their_session(self):
        peer, other = self.peer(), self.peer()
        self.refused("CONFLICT", peer, "world.upload", offset=5, data=b"xx")
        peer.call("world.upload", data=b"\x80" * 5)
        self.refused("CONFLICT", peer, "world.upload", offset=4, data=b"xx")
        self.refused("INVALID", peer, "world.upload", offset=5, data=[1, 2])
        self.refused("INVALID", peer, "world.upload", offset=5, data=msgpack.ExtType(0x13, b"xx"))
        self.assertEqual(peer.call("world.upload", offset=5, data=b"xx")["bytes"], 7)
        self.refused("NOT_FOUND", other, "world.open", upload=True)
        self.refused("INVALID", peer, "world.open", upload=True, document={"format": 1})
        self.refused("INVALID", peer, "world.open")
        peer.call("world.upload", data=b"\x80" * 5)  # a new upload
        self.refused("INVALID", peer, "world.open", upload=True)  # no document


if __name__ == "__main__":
    main()
