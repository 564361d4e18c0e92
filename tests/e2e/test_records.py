#!/usr/bin/env python3
"""A world's past as records: read by the page alone, they tell what the server tells, at every revision."""

import random
import struct
import time

import msgpack

from record_reader import CONTACT, Things, read
from weft_peer import ServerTest, WeftError, main, sheet


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
                                                "untangle",
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
        deadline = time.monotonic() + 30
        while peer.call("server.stats")["sessions"] > sessions and time.monotonic() < deadline:
            time.sleep(0.01)

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

    def test_what_is_kept_is_bounded_and_what_is_gone_is_told(self):
        peer = self.peer()
        world = self.world(peer)
        limit = peer.call("server.info")["limits"]["record_bytes"]
        # One that is larger than all that is kept, and small ones after it.
        peer.call("body.add", world=world, kind="points", positions=msgpack.ExtType(0x18, bytes(24 * 60_000)), masses=1)
        peer.call("world.set", world=world, damping=0.5)
        error = self.refused("NOT_FOUND", peer, "world.records", world=world, after=0)
        self.assertIn("world.save", str(error))
        self.assertEqual([record["sequence"] for record in bins(peer.call("world.records", world=world, after=1))], [2])
        for _ in range(30):
            peer.call("particle.set", world=world, body=1, particles=list(range(5000)),
                      positions=msgpack.ExtType(0x18, bytes(24 * 5000)))
        answer = peer.call("world.records", world=world, after=28)
        self.assertEqual(bins(answer)[-1]["sequence"], answer["sequence"])
        self.assertLess(sum(map(len, answer["records"])), limit)
        self.refused("NOT_FOUND", peer, "world.records", world=world, after=1)


if __name__ == "__main__":
    main()
