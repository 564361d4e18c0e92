#!/usr/bin/env python3
"""A world's past as records: read by the page alone, they tell what the server tells, at every revision."""

import random
import shutil
import struct
import tempfile
import time

import msgpack

from record_reader import CONTACT, Things, read
from weft_peer import Server, ServerTest, WeftError, main, sheet


def rounded(value):
    """As the server keeps numbers of some things: in 32 bits."""
    if isinstance(value, float):
        return struct.unpack("f", struct.pack("f", value))[0]
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return value


def bins(answer):
    return [read(data) for data in answer["records"]]


class Records(ServerTest):
    def told(self, peer, world):
        """The things of a world as a person who joins is told of them."""
        joined = peer.call("world.join", world=world)
        bodies = {body["body"]: {key: list(body[key]) if key == "pins" else body[key]
                                 for key in ("name", "kind", "particles", "pins", "thickness", "stretch", *CONTACT)}
                  for body in joined["bodies"]}
        colliders = {one["collider"]: {key: one[key] for key in ("name", "kind", "radius", "length", "friction")}
                     for one in joined["colliders"]}
        grabs = {grab["grab"]: (grab["body"], grab["particle"]) for grab in joined["grabs"]}
        settings = {key: joined[key] for key in ("gravity", "substeps", "iterations", "damping", "extent", "contact_quality",
                                                "untangle", "long_edges", "bending", "loads", "sleep",
                                                "wind")}
        return settings, bodies, colliders, grabs

    def random_input(self, dice, body, collider, grab):
        number = lambda low, high: round(dice.uniform(low, high), 3)
        positions, triangles = sheet(4, 3)
        return dice.choice([
            ("body.add", dict(kind="cloth", positions=positions, triangles=triangles, pins=[0, 3], name=f"b{dice.random()}")),
            ("body.add", dict(kind="points", positions=[0, number(0, 2), 0, 1, 1, 1], thickness=number(0, 0.1))),
            ("body.set", dict(body=body, thickness=number(0, 0.1))),
            ("body.add", dict(kind="points", positions=[0, number(0, 2), 0], thickness=0.01, self_contact=dice.random() < 0.5,
                              contact_group=dice.getrandbits(32), friction=number(0, 1))),
            ("body.set", dict(body=body, **{name: value for name, value in (
                ("self_contact", dice.random() < 0.5), ("contact_group", dice.getrandbits(3)), ("contact_mask", dice.getrandbits(32)),
                ("friction", number(0, 2)), ("thickness", number(0.001, 0.1))) if dice.random() < 0.6})),
            ("world.set", dict(contact_quality=dice.choice(["fast", "guaranteed"]))),
            ("body.set", dict(body=body, stretch={"compliance": number(0, 1)}, name=f"n{dice.random()}")),
            ("body.set", dict(body=body, stretch={"stiffness": number(0, 1)})),
            ("body.set", dict(body=body, stretch={"damping": number(0, 1)})),
            ("body.remove", dict(body=body)),
            ("particle.pin", dict(body=body, particles=[1])),
            ("particle.unpin", dict(body=body, particles=[0, 1])),
            ("collider.add", dict(kind="sphere", radius=number(0.1, 1), position=[0, -3, 0])),
            ("collider.set", dict(collider=collider, radius=number(0.1, 1), friction=number(0, 1))),
            ("collider.remove", dict(collider=collider)),
            ("grab.begin", dict(body=body, particle=1, target=[0, 1, 0])),
            ("grab.move", dict(grab=grab, target=[0, number(0, 2), 0])),
            ("grab.end", dict(grab=grab)),
            ("world.set", dict(gravity=[0, number(-9, 0), 0], wind={"drag": number(0, 2)})),
            ("world.set", dict(substeps=dice.randint(1, 9), damping=number(0, 1))),
            ("world.reset", {}),
        ])

    def test_records_tell_the_things_of_a_world_at_every_revision(self):
        watcher, ann, bob = self.peer(), self.peer(hello={"client": "test", "user": "ann"}), self.peer()
        world = self.world(watcher)
        things = Things(self.told(watcher, world)[0])
        dice = random.Random(7)
        accepted = 0
        for _ in range(250):
            body, collider, grab = dice.randint(1, 6), dice.randint(1, 4), dice.randint(1, 6)
            method, fields = self.random_input(dice, body, collider, grab)
            who = dice.choice([ann, ann, bob])
            try:
                who.call(method, world=world, **fields)
                accepted += 1
            except WeftError as error:
                self.assertIn(error.code, ("NOT_FOUND", "INVALID", "CONFLICT", "DENIED"))
            if dice.random() < 0.05:
                bob.close()
                bob = self.peer()
                self.until_gone(watcher, 3)
            if dice.random() < 0.2:
                watcher.call("world.step", world=world, ticks=2)
            answer = watcher.call("world.records", world=world, after=things.sequence)
            for record in bins(answer):
                things.apply(record)
            self.assertEqual(things.sequence, answer["sequence"])
            self.assertEqual(things.revision, answer["revision"])
            settings, bodies, colliders, grabs = self.told(watcher, world)
            self.assertEqual({key: things.settings[key] for key in settings}, settings)
            self.assertEqual(rounded(things.bodies), rounded(bodies))
            self.assertEqual(rounded(things.colliders), rounded(colliders))
            self.assertEqual(things.grabs, grabs)
        self.assertGreater(accepted, 80)
        everything = bins(watcher.call("world.records", world=world, after=0, limit=4096))
        self.assertEqual([record["sequence"] for record in everything], list(range(1, things.sequence + 1)))
        self.assertIn("ann", {record["person"] for record in everything})
        self.assertLess(abs(everything[-1]["at"] / 1e6 - time.time()), 3600)

    def until_gone(self, peer, sessions):
        peer.until(lambda: peer.call("server.stats")["sessions"] == sessions, "the end of the session")

    def test_names_become_ids_and_pages_follow_each_other(self):
        peer = self.peer()
        world = self.world(peer)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0], name="dot")
        peer.call("particle.pin", world=world, body="dot", particles=[0])
        first = bins(peer.call("world.records", world=world, after=0, limit=1))
        second = bins(peer.call("world.records", world=world, after=1, limit=1))
        self.assertEqual([first[0]["sequence"], second[0]["sequence"]], [1, 2])
        self.assertEqual(second[0]["params"], {"body": 1, "particles": [0]})
        self.assertEqual(bins(peer.call("world.records", world=world, after=2)), [])
        self.refused("INVALID", peer, "world.records", world=world, after=3)
        self.assertEqual(peer.call("world.save", world=world)["sequence"], 2)

    def past(self, peer, world):
        """All records of a world, page by page, and how many pages that took."""
        records, pages = [], 0
        while True:
            answer = peer.call("world.records", world=world, after=len(records))
            records += answer["records"]
            pages += 1
            if len(records) == answer["sequence"]:
                return records, pages
            self.assertGreater(len(answer["records"]), 0)
            self.assertEqual(answer["first"], 1)

    def test_what_memory_forgot_is_read_from_the_past(self):
        folder = tempfile.mkdtemp(prefix="weft-records-")
        self.addCleanup(shutil.rmtree, folder)
        server = Server("--data", folder)
        try:
            with server.peer() as peer:
                limit = peer.call("server.info")["limits"]["record_bytes"]
                world = peer.call("world.create", name="long")["world"]
                # One that is larger than all that memory keeps, and more than it keeps of others after it.
                large = bytes(24 * 60_000)
                peer.call("body.add", world=world, kind="points", positions=msgpack.ExtType(0x18, large), masses=1)
                [record] = peer.call("world.records", world=world, after=0, limit=1)["records"]
                self.assertGreater(len(record), limit)
                for _ in range(12):
                    peer.call("particle.set", world=world, body=1, particles=list(range(5000)),
                              positions=msgpack.ExtType(0x18, bytes(24 * 5000)))
                records, pages = self.past(peer, world)
                self.assertGreater(pages, 2)
                self.assertEqual([unpacked[0] for unpacked in map(self.unpacked, records)], list(range(1, 14)))
                self.assertIn(large, records[0])
                self.assertEqual(peer.call("world.history", world=world)["first_sequence"], 1)
                self.assertLessEqual(sum(map(len, peer.call("world.records", world=world, after=9)["records"])), limit)
                self.assertEqual(len(peer.call("world.records", world=world, after=2, limit=3)["records"]), 3)
            self.assertEqual(server.stop(), 0)
            server = Server("--data", folder)
            with server.peer() as peer:
                self.assertEqual(self.past(peer, "long")[0], records)
                self.refused("INVALID", peer, "world.records", world="long", after=14)
                self.refused("NOT_FOUND", peer, "world.records", world="none", after=0)
        finally:
            server.stop()

    @staticmethod
    def unpacked(record):
        return msgpack.unpackb(record, strict_map_key=False, ext_hook=lambda code, data: len(data), max_bin_len=1 << 30,
                               max_ext_len=1 << 30)

    def test_what_is_kept_no_more_is_told(self):
        folder = tempfile.mkdtemp(prefix="weft-records-")
        self.addCleanup(shutil.rmtree, folder)
        server = Server("--data", folder, "--keep", "30d,1K")
        try:
            with server.peer() as peer:
                world = peer.call("world.create", gravity=[0, 0, 0])["world"]
                peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
                peer.call("world.set", world=world, damping=0.5)
                peer.call("world.step", world=world, ticks=4000)  # more than a minute, so that there is an image
                peer.until(lambda: peer.call("world.history", world=world)["first_sequence"] == 0, "the past goes")
                self.assertEqual(len(peer.call("world.records", world=world, after=0)["records"]), 2)  # of memory
            self.assertEqual(server.stop(), 0)
            server = Server("--data", folder, "--keep", "30d,1K")
            with server.peer() as peer:
                error = self.refused("NOT_FOUND", peer, "world.records", world=world, after=0)
                self.assertIn("begin with world.save", str(error))
                peer.call("world.set", world=world, damping=0.9)
                self.assertGreater(peer.call("world.history", world=world)["first_sequence"], 2)  # no number twice
        finally:
            server.stop()


if __name__ == "__main__":
    main()
