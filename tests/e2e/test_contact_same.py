#!/usr/bin/env python3
"""A world in which bodies meet has one future: on one thread or more, with any instruction set, opened of what was saved in
the middle of it, computed again from its records, a kilometre away. Two servers, real sockets."""

import math

import msgpack

from weft_peer import Server, ServerTest, block, ext, ext_hook, main, numbers, sheet

EDGE = 0.02
TICKS = 45
SAVED = (1, 13, 22)  # in the air, while it lands, once it lies
FAR = (2.0**10 + 777 * 2.0**-27, -(2.0**9), -(2.0**10) - 5 * 2.0**-27)  # whole quanta, more than a kilometre
FAST = 30  # from here on, for five ticks, nothing is held back
SETTINGS = dict(substeps=15, damping=0.25)
MEETS = dict(self_contact=True, contact_group=1, contact_mask=1, thickness=0.15 * EDGE)
BODIES = ("statue", "falls", "flat", "jelly", "rope")


class ContactSame(ServerTest):
    """Of class server: two threads, the widest instruction set. Of class plain: one thread, one lane."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = Server("--threads", "1", "--isa", "scalar")

    @classmethod
    def tearDownClass(cls):
        status = cls.plain.stop()
        super().tearDownClass()
        if status != 0:
            raise AssertionError(f"the plain server ended with status {status}:\n" + "\n".join(cls.plain.lines[-60:]))

    def setUp(self):
        super().setUp()
        self.ann, self.bob = self.peer(), self.plain.peer()
        self.addCleanup(self.bob.close)
        self.bob.call("server.ping")  # who says nothing at first is cut, and the other one may take a while
        self.addCleanup(self.sweep)

    def sweep(self):
        for peer in (self.ann, self.bob):
            for one in peer.call("world.list")["worlds"]:
                peer.call("world.delete", world=one["world"])

    def at(self, positions, far):
        return ext("d", [x + far[axis % 3] for axis, x in enumerate(positions)])

    def make(self, peer, name, far=(0, 0, 0), **settings):
        """A cloth that falls on its edge, one that lies on a statue of a bump, a jelly and a rope above them."""
        call = lambda method, **fields: peer.call(method, world=name, **fields)
        peer.call("world.create", name=name, **{**SETTINGS, **settings})
        call("collider.add", kind="plane", position=list(far), normal=[0, 1, 0], friction=0.5)
        positions, triangles = sheet(9, 9, 0.04)
        bump = [x if axis % 3 != 1 else 0.01 + 0.08 * math.exp(-60 * ((positions[axis - 1] - 0.16)**2 + (positions[axis + 1] - 0.16)**2))
                for axis, x in enumerate(positions)]
        call("body.add", name="statue", kind="cloth", positions=self.at(bump, far), triangles=triangles, masses=0,
             **{**MEETS, "self_contact": False})
        positions, triangles = sheet(16, 16, EDGE)
        upright = [axis for at in range(0, len(positions), 3)
                   for axis in (positions[at] + 0.01, positions[at + 2] + 0.2, 0.165 + 0.002 * math.sin(30 * positions[at]))]
        call("body.add", name="falls", kind="cloth", positions=self.at(upright, far), triangles=triangles, density=0.2, friction=0.4,
             velocities=[0, -2.0, 0] * 256, **MEETS)
        positions, triangles = sheet(12, 12, EDGE, 0.1, (0.05, 0.05))
        call("body.add", name="flat", kind="cloth", positions=self.at(positions, far), triangles=triangles, density=0.2, **MEETS)
        positions, tets = block(2, 2, 2, 0.03, (0.13, 0.2, 0.19))
        call("body.add", name="jelly", kind="soft", positions=self.at(positions, far), tets=tets, density=100,
             stretch={"compliance": 1e-4}, velocities=[0, -4.0, 0] * 27, **MEETS)
        call("body.add", name="rope", kind="rope", positions=self.at([x for i in range(9) for x in (0.06 + 0.02 * i, 0.14, 0.1)], far),
             edges=[end for i in range(8) for end in (i, i + 1)], **MEETS)

    def tick(self, peer, name, tick, far=(0, 0, 0)):
        """What is done before a tick, and the tick."""
        call = lambda method, **fields: peer.call(method, world=name, **fields)
        if tick == 4:
            call("particle.pin", body="flat", particles=[0], positions=self.at([0.04, 0.12, 0.06], far))
        if tick == 1:
            call("body.set", body="falls", friction=0.75, self_contact=False)
        if tick == 2:
            call("body.set", body="falls", self_contact=True)
        if tick == 15:
            call("body.set", body="rope", contact_group=2, contact_mask=3)
            call("body.set", body="jelly", contact_mask=3, thickness=0.2 * EDGE)
        if tick == 18:
            call("particle.unpin", body="flat", particles=[0])
            call("world.set", gravity=[0.5, -9.81, 0])
        if tick == 27:
            call("particle.set", body="falls", particles=[3, 40], velocities=[0, 3.0, 0, 0, 2.0, 1.0])
        if tick == FAST:
            call("world.set", contact_quality="fast")
        if tick == 35:
            call("world.set", contact_quality="guaranteed")
        call("world.step", ticks=1)

    def run_on(self, peer, name, first, last=TICKS, far=(0, 0, 0), found=lambda tick: None):
        for tick in range(first, last):
            self.tick(peer, name, tick, far)
            found(tick)
        return peer.call("world.hash", world=name)["hash"]

    def forget(self, peer, name):
        peer.call("world.delete", world=name)

    def test_threads_sets_and_documents(self):
        hashes, saved, contact = [], {}, []

        def found(tick):
            hashes.append(self.ann.call("world.hash", world="live")["hash"])
            said = self.ann.call("world.measure", world="live", crossings=True)
            contact.append(said["contact"])
            self.assertTrue(said["crossings"] == 0 or tick >= FAST, tick)
            if tick in SAVED:
                saved[tick] = self.ann.call("world.save", world="live")

        self.make(self.ann, "live")
        self.run_on(self.ann, "live", 0, found=found)
        self.assertGreater(sum(one["pushing"] for one in contact), 1000)
        self.assertGreater(sum(one["held"] for one in contact), 0)
        self.assertEqual(sum(one["dropped"] for one in contact), 0)
        self.assertEqual(len(set(hashes)), TICKS)
        # One thread, one lane.
        plain = []
        self.make(self.bob, "plain")
        self.run_on(self.bob, "plain", 0, found=lambda tick: plain.append(self.bob.call("world.hash", world="plain")["hash"]))
        self.assertEqual(plain, hashes)
        # Of each document, by both.
        for tick, answer in saved.items():
            for peer in (self.ann, self.bob):
                with self.subTest(tick=tick, plain=peer is self.bob):
                    peer.call("world.open", name="again", document=answer["document"])
                    self.assertEqual(peer.call("world.hash", world="again")["hash"], hashes[tick])
                    self.assertEqual(self.run_on(peer, "again", tick + 1, min(tick + 13, TICKS)), hashes[min(tick + 12, TICKS - 1)])
                    self.forget(peer, "again")

    def apply(self, peer, name, records, until):
        """docs/reference/records.md, Replaying; then on until that tick."""
        for data in records:
            _, tick, _, _, _, _, _, method, params, result = msgpack.unpackb(data, raw=False, ext_hook=ext_hook)
            done = peer.call("world.get", world=name)["tick"]
            if tick > done:
                peer.call("world.step", world=name, ticks=tick - done)
            came_to = peer.call(method, world=name, **params)
            self.assertEqual({key: value for key, value in came_to.items() if key != "revision"},
                             {key: value for key, value in result.items() if key != "revision"})
        peer.call("world.step", world=name, ticks=until - peer.call("world.get", world=name)["tick"])
        return peer.call("world.hash", world=name)["hash"]

    def test_records(self):
        self.make(self.ann, "live")
        self.run_on(self.ann, "live", 0, 22)
        middle = self.ann.call("world.save", world="live")
        want = self.run_on(self.ann, "live", 22)
        records = self.ann.call("world.records", world="live", after=0)["records"]
        said = [msgpack.unpackb(data, raw=False, ext_hook=ext_hook) for data in records]
        # What was not said is not in a record, and what was is.
        self.assertEqual([one[8].get("friction") for one in said if one[7] == "body.add"], [None, 0.4, None, None, None])
        self.assertEqual([one[8] for one in said if one[7] == "body.set"],
                         [{"body": 2, "self_contact": False, "friction": 0.75}, {"body": 2, "self_contact": True},
                          {"body": 5, "contact_group": 2, "contact_mask": 3}, {"body": 4, "thickness": 0.2 * EDGE, "contact_mask": 3}])
        self.assertEqual([one[8]["contact_quality"] for one in said if one[7] == "world.set" and "contact_quality" in one[8]],
                         ["fast", "guaranteed"])
        for peer in (self.ann, self.bob):
            peer.call("world.create", name="anew", **SETTINGS)
            self.assertEqual(self.apply(peer, "anew", records, TICKS), want)
            self.forget(peer, "anew")
            peer.call("world.open", name="anew", document=middle["document"])
            later = self.ann.call("world.records", world="live", after=middle["sequence"])["records"]
            self.assertGreater(len(later), 2)
            self.assertEqual(self.apply(peer, "anew", later, TICKS), want)
            self.forget(peer, "anew")

    def state(self, peer, name, far):
        """Places in quanta against where the world is, and velocities."""
        told = []
        for body in BODIES:
            state = peer.call("body.state", world=name, body=body, fields=["positions64", "velocities"])
            places = [(x - far[axis % 3]) * 2.0**27 for axis, x in enumerate(numbers(state["positions64"], "d"))]
            self.assertTrue(all(place == int(place) for place in places))
            told.append((places, numbers(state["velocities"])))
        return told

    def test_a_kilometre_away(self):
        self.make(self.ann, "here", resolution=2.0**-27)
        self.make(self.bob, "there", FAR)
        contacts = []
        for tick in range(TICKS):
            self.tick(self.ann, "here", tick)
            self.tick(self.bob, "there", tick, FAR)
            measured = [peer.call("world.measure", world=name, crossings=True) for peer, name in ((self.ann, "here"), (self.bob, "there"))]
            contacts.append([(one["contact"], one["crossings"]) for one in measured])
            self.assertEqual(contacts[-1][0], contacts[-1][1], tick)
        self.assertEqual(self.state(self.ann, "here", (0, 0, 0)), self.state(self.bob, "there", FAR))
        # Saved there and opened by the other one, it goes on as well.
        self.ann.call("world.open", name="there", document=self.bob.call("world.save", world="there")["document"])
        hashes = [self.run_on(peer, "there", TICKS, TICKS + 5, FAR) for peer in (self.ann, self.bob)]
        self.assertEqual(*hashes)


if __name__ == "__main__":
    main()
