#!/usr/bin/env python3
"""What people set and are told of contact between bodies, all the way round: body.add, body.get, documents, records,
body.set, edit.restore, world.measure, frames, and what is refused."""

import unittest

from weft_peer import PATIENCE_S, ServerTest, WeftError, ext, main, numbers, sheet

FIELDS = ("thickness", "self_contact", "contact_group", "contact_mask", "friction")
OFF = {"thickness": 0, "self_contact": False, "contact_group": 0, "contact_mask": 0, "friction": 0.3}
COUNTS = ["pairs", "pushing", "crossed", "held", "shrunk", "dropped", "penetration", "pierced"]
LEAST = 1024 * 2.0**-27


class ContactFields(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer(hello={"errors": "map"})
        self.w = self.world(self.ann)

    def call(self, method, **fields):
        return self.ann.call(method, world=self.w, **fields)

    def add(self, **fields):
        positions, triangles = sheet(6, 6, 0.1)
        return self.call("body.add", kind="cloth", positions=ext("d", positions), triangles=ext("I", triangles), **fields)

    def told(self, body, world=None):
        """As body.get, and world.join beside it, say it."""
        got = self.ann.call("body.get", world=world or self.w, body=body)
        bodies = {one["body"]: one for one in self.ann.call("world.join", world=world or self.w)["bodies"]}
        told = {name: got[name] for name in FIELDS}
        self.assertEqual({name: bodies[body][name] for name in FIELDS}, told)
        return told

    def hash(self, world=None):
        return self.ann.call("world.hash", world=world or self.w)["hash"]

    def refused(self, method, field, code="INVALID", **fields):
        before = self.hash()
        with self.assertRaises(WeftError) as caught:
            self.call(method, **fields)
        self.assertEqual((caught.exception.code, caught.exception.field), (code, field))
        self.assertEqual(self.hash(), before)
        return caught.exception.text

    def test_of_what_nothing_is_said_nothing_is_written(self):
        body = self.add()["body"]
        self.assertEqual(self.told(body), OFF)
        saved = self.call("world.save")
        self.assertFalse(set(FIELDS[1:]) & set(saved["document"]["bodies"][0]))
        # To say the defaults aloud is the same.
        other = self.world(self.ann, name="aloud")
        self.w, first = other, self.w
        self.add(**OFF)
        self.assertEqual(self.hash(), self.hash(first))
        self.assertFalse(set(FIELDS[1:]) & set(self.call("world.save")["document"]["bodies"][0]))

    def test_what_is_set_goes_all_the_way_round(self):
        for number, fields in enumerate(({"self_contact": True}, {"contact_group": 2**32 - 1, "contact_mask": 2**31},
                                         {"contact_mask": 3, "friction": 0.0}, {"friction": 1000.0},
                                         {"self_contact": True, "contact_group": 1, "contact_mask": 1, "friction": 0.125})):
            with self.subTest(**fields):
                body = self.add(thickness=0.0125, **fields)["body"]
                want = {**OFF, "thickness": 0.0125, **fields}
                self.assertEqual(self.told(body), want)
                saved = self.call("world.save")
                entry = saved["document"]["bodies"][-1]
                self.assertEqual({name: entry[name] for name in FIELDS[1:] if name in entry}, fields)
                again = self.ann.call("world.open", name=f"again {number}", document=saved["document"])["world"]
                self.addCleanup(self._delete, again)
                self.assertEqual(self.told(body, again), want)
                self.assertEqual((self.hash(again), saved["hash"]), (self.hash(), self.hash()))
                self.call("world.step", ticks=3)
                self.ann.call("world.step", world=again, ticks=3)
                self.assertEqual(self.hash(again), self.hash())

    def test_edits_of_it_are_told_and_taken_back(self):
        bob = self.peer(hello={"user": "bob"})
        bob.call("world.join", world=self.w)
        body = self.add(name="sheet", thickness=0.01, friction=0.5)["body"]
        self.assertEqual({name: value for name, value in bob.notice("world.edited")["params"].items() if name in FIELDS},
                         {"thickness": 0.01, "friction": 0.5})
        other = self.call("body.add", kind="points", positions=[9, 9, 9])["body"]
        bob.notice("world.edited")
        want = self.told(body)
        steps = [{"self_contact": True}, {"contact_group": 6, "contact_mask": 2}, {"friction": 0.0}, {"thickness": 0.02},
                 {"contact_mask": 0, "self_contact": False, "thickness": 0.0}]
        states = []
        for step in steps:
            states.append((want, self.hash()))
            want = {**want, **step}
            self.call("body.set", body="sheet", **step)
            self.assertEqual(self.told(body), want)
            edit = bob.notice("world.edited")
            self.assertEqual(edit["params"], {"world": self.w, "body": body, **step})
        self.assertEqual(len({digest for _, digest in states} | {self.hash()}), len(steps) + 1)
        for step, (before, digest) in reversed(list(zip(steps, states))):
            self.call("edit.restore", parts=[{"body": body, **{name: before[name] for name in step}}])
            self.assertEqual(self.told(body), before)
            self.assertEqual(self.hash(), digest)
        # A body that was removed comes back with it.
        self.call("body.set", body=body, self_contact=True, contact_group=1, contact_mask=1, friction=0.75)
        want, digest = self.told(body), self.hash()
        entry = self.call("world.save")["document"]["bodies"][0]
        self.call("body.remove", body=body)
        self.call("edit.restore", bodies=[entry])
        self.assertEqual((self.told(body), self.hash()), (want, digest))
        self.assertEqual(self.told(other), OFF)

    def test_the_quality_of_a_world_goes_all_the_way_round(self):
        quality = lambda world: self.ann.call("world.get", world=world)["contact_quality"]
        bob = self.peer(hello={"user": "bob"})
        self.assertEqual(bob.call("world.join", world=self.w)["contact_quality"], "guaranteed")
        before = self.hash()
        self.call("world.set", contact_quality="fast")
        self.assertEqual(bob.notice("world.edited")["params"], {"world": self.w, "contact_quality": "fast"})
        self.assertEqual(quality(self.w), "fast")
        self.assertNotEqual(self.hash(), before)
        saved = self.call("world.save")
        self.assertEqual(saved["document"]["settings"]["contact_quality"], "fast")
        again = self.ann.call("world.open", name="again fast", document=saved["document"])["world"]
        self.addCleanup(self._delete, again)
        self.assertEqual((quality(again), self.hash(again)), ("fast", self.hash()))
        self.refused("world.set", "contact_quality", contact_quality="best")
        self.call("edit.restore", settings={"contact_quality": "guaranteed"})
        self.assertEqual((quality(self.w), self.hash()), ("guaranteed", before))
        # A document of before says nothing of it.
        document = self.call("world.save")["document"]
        del document["settings"]["contact_quality"]
        old = self.ann.call("world.open", name="old", document=document)["world"]
        self.addCleanup(self._delete, old)
        self.assertEqual((quality(old), self.hash(old)), ("guaranteed", before))
        made = self.ann.call("world.create", name="made fast", contact_quality="fast")["world"]
        self.addCleanup(self._delete, made)
        self.assertEqual(quality(made), "fast")

    def test_untangling_goes_all_the_way_round(self):
        untangles = lambda world: self.ann.call("world.get", world=world)["untangle"]
        bob = self.peer(hello={"user": "bob"})
        self.assertIs(bob.call("world.join", world=self.w)["untangle"], False)
        before = self.hash()
        self.call("world.set", untangle=True)
        self.assertEqual(bob.notice("world.edited")["params"], {"world": self.w, "untangle": True})
        self.assertNotEqual(self.hash(), before)
        saved = self.call("world.save")
        self.assertIs(saved["document"]["settings"]["untangle"], True)
        again = self.ann.call("world.open", name="again untangled", document=saved["document"])["world"]
        self.addCleanup(self._delete, again)
        self.assertEqual((untangles(again), self.hash(again)), (True, self.hash()))
        self.refused("world.set", "untangle", untangle="yes")
        self.refused("world.set", "untangle", untangle=1)
        self.call("edit.restore", settings={"untangle": False})
        self.assertEqual((untangles(self.w), self.hash()), (False, before))
        # A document of before says nothing of it.
        document = self.call("world.save")["document"]
        del document["settings"]["untangle"]
        old = self.ann.call("world.open", name="old tangle", document=document)["world"]
        self.addCleanup(self._delete, old)
        self.assertEqual((untangles(old), self.hash(old)), (False, before))
        made = self.ann.call("world.create", name="made untangled", untangle=True)["world"]
        self.addCleanup(self._delete, made)
        self.assertIs(untangles(made), True)

    def test_what_crosses_comes_apart_where_it_is_asked_for(self):
        """Two sheets that cross, in a world that untangles and, from its records, in another."""
        self.call("world.set", untangle=True, gravity=[0, 0, 0])
        meets = dict(thickness=0.015, contact_group=1, contact_mask=1)
        positions, triangles = sheet(5, 5, 0.1)
        upright = [(x + 0.013, z - 0.0551, y + 0.207) for x, y, z in zip(*[iter(positions)] * 3)]
        self.call("body.add", kind="cloth", positions=positions, triangles=triangles, **meets)
        self.call("body.add", kind="cloth", positions=[x for at in upright for x in at], triangles=triangles, **meets)
        crossings = lambda: self.call("world.measure", crossings=True)["crossings"]
        self.assertGreater(crossings(), 4)
        saved = self.call("world.save")["document"]
        self.call("world.step", ticks=90)
        self.assertEqual(crossings(), 0)
        again = self.ann.call("world.open", name="crosses again", document=saved)["world"]
        self.addCleanup(self._delete, again)
        self.ann.call("world.step", world=again, ticks=90)
        self.assertEqual(self.hash(again), self.hash())

    def test_what_meets_needs_a_thickness(self):
        meets = {"contact_group": 1, "contact_mask": 1}
        body = self.add(name="sheet", thickness=0.01)["body"]
        for fields in ({"self_contact": True}, meets):
            for thickness in ({}, {"thickness": 0.0}, {"thickness": LEAST * (1 - 2**-50)}):
                self.assertIn("at least 7.62939e-06 m", self.refused("body.add", "thickness", kind="points",
                                                                     positions=[0, 0, 0], **fields, **thickness))
                if thickness:
                    self.refused("body.set", "thickness", body=body, **fields, **thickness)
            self.call("body.set", body=body, thickness=LEAST, **fields)
            self.refused("body.set", "thickness", body=body, thickness=0.0)
            self.refused("edit.restore", "parts[0].thickness", parts=[{"body": body, "thickness": 0.0}])
            self.call("body.set", body=body, thickness=0.01, self_contact=False, contact_group=0)
        document = self.call("world.save")["document"]
        document["bodies"][0].update(self_contact=True, thickness=0.0)
        with self.assertRaises(WeftError) as caught:
            self.ann.call("world.open", name="thin", document=document)
        self.assertEqual(caught.exception.field, "document.bodies[0].thickness")
        # Group or mask alone meet nobody.
        self.call("body.set", body=body, thickness=0.0, contact_mask=7)
        self.call("body.set", body=body, contact_mask=0, contact_group=7)
        # A coarser world takes thicker bodies.
        self.w = self.world(self.ann, name="coarse", resolution=2.0**-20)
        self.refused("body.add", "thickness", kind="points", positions=[0, 0, 0], thickness=0.0009, **meets)
        self.call("body.add", kind="points", positions=[0, 0, 0], thickness=0.001, **meets)

    def test_values_out_of_range_are_refused(self):
        body = self.add(thickness=0.01)["body"]
        for fields, field in (({"friction": -0.1}, "friction"), ({"friction": 1000.5}, "friction"),
                              ({"friction": float("nan")}, "friction"), ({"friction": "much"}, "friction"),
                              ({"self_contact": 1}, "self_contact"), ({"contact_group": -1}, "contact_group"),
                              ({"contact_mask": 2**32}, "contact_mask"), ({"contact_mask": 0.5}, "contact_mask")):
            self.refused("body.add", field, kind="points", positions=[0, 0, 0], **fields)
            self.refused("body.set", field, body=body, **fields)
            self.refused("edit.restore", f"parts[0].{field}", parts=[{"body": body, **fields}])

    def test_a_body_thick_for_its_edges_is_warned_of(self):
        codes = lambda **fields: [(one["code"], one["count"]) for one in self.add(**fields)["warnings"]]
        self.assertEqual(codes(thickness=0.05, self_contact=True), [("THICK", 0)])
        self.assertEqual(codes(thickness=0.03, self_contact=True), [])
        self.assertEqual(codes(thickness=0.05), [])

    def test_a_thickness_that_is_left_out_follows_from_the_edges_and_is_recorded(self):
        xs = [0.002 * i for i in range(6)] + [0.01 + 0.1 * i for i in range(1, 6)]
        positions = [n for x in xs for j in range(11) for n in (x, 0, 0.1 * j)]
        corners = [11 * i + j for i in range(10) for j in range(10)]
        sheet = dict(kind="cloth", positions=positions, triangles=[n for a in corners for n in (a, a + 1, a + 11, a + 1, a + 12, a + 11)])
        body = self.call("body.add", name="uneven", self_contact=True, **sheet)
        self.assertEqual(body["warnings"], [])
        thickness = self.call("body.get", body=body["body"])["thickness"]
        self.assertAlmostEqual(thickness, 0.35 * 0.002, delta=1e-7)
        again = self.call("body.add", self_contact=True, thickness=0.01, **sheet)
        self.assertEqual([one["code"] for one in again["warnings"]], ["THICK"])
        self.assertRegex(again["warnings"][0]["text"], r"shorter than twice .* about \S+ pairs .* 0\.0007 m would suit")
        alone = self.call("body.add", **sheet)["body"]
        self.assertEqual(self.call("body.get", body=alone)["thickness"], 0)
        document = self.call("world.save")["document"]
        self.assertEqual(document["bodies"][0]["thickness"], thickness)

    def test_counts_and_crossings_are_told(self):
        self.add(thickness=0.01, self_contact=True)
        self.call("world.step", ticks=2)
        said = self.call("world.measure")
        self.assertEqual(list(said["contact"]), COUNTS)
        self.assertNotIn("crossings", said)
        self.assertNotIn("crossings", self.call("world.measure", crossings=False))
        self.assertEqual(self.call("world.measure", crossings=True)["crossings"], 0)
        stream = self.call("stream.subscribe", fields=["contact"])["stream"]
        frame = self.ann.frame(stream).params
        self.assertEqual(frame["contact"], said["contact"])
        self.assertEqual((frame["bodies"], "measures" in frame), ([], False))

    def test_what_a_collider_pierces_is_told(self):
        ball = self.call("collider.add", kind="sphere", radius=0.2, position=[0, 0, -5])["collider"]
        self.add(thickness=0.01, self_contact=True)
        self.assertEqual(self.call("world.measure", crossings=True)["pierced"], 0)
        self.call("collider.set", collider=ball, position=[0.25, 0.02, 0.25], teleport=True)
        self.assertNotIn("pierced", self.call("world.measure"))
        self.assertGreater(self.call("world.measure", crossings=True)["pierced"], 0)
        self.assertEqual(self.call("world.measure")["contact"]["pierced"], 0)
        self.call("world.step", ticks=1)
        self.assertGreater(self.call("world.measure")["contact"]["pierced"], 0)

    def test_a_collider_teleports_only_with_a_pose(self):
        self.add()
        ball = self.call("collider.add", kind="sphere", radius=0.2)["collider"]
        text = self.refused("collider.set", "teleport", collider=ball, radius=0.3, teleport=True)
        self.assertIn("position, normal or rotation", text)
        pose = lambda: self.call("world.save")["document"]["colliders"][0]
        before = pose()
        self.call("collider.set", collider=ball, position=[1, 0, 0])
        self.assertIn("from_position", pose())
        self.call("collider.set", collider=ball, position=[2, 0, 0], teleport=True)
        self.assertNotIn("from_position", pose())
        self.assertEqual(list(numbers(pose()["position"])), [2, 0, 0])
        saved = self.call("world.save")
        again = self.ann.call("world.open", document=saved["document"], name="again")["world"]
        self.assertEqual(self.hash(again), saved["hash"])
        self.call("edit.undo")
        self.call("edit.undo")
        self.call("world.step", ticks=1)
        self.assertEqual(pose(), before)

    def test_where_bodies_met_is_told_of_ticks_that_were_asked(self):
        square = dict(kind="cloth", triangles=[0, 1, 2, 0, 2, 3], thickness=0.01, contact_group=1, contact_mask=1)
        at = lambda y: [0, y, 0, 1, y, 0, 1, y, 1, 0, y, 1]
        lower = self.call("body.add", positions=at(0), masses=[0] * 4, **square)["body"]
        upper = self.call("body.add", positions=at(0.0201), **square)["body"]
        through = self.call("body.add", positions=[0.6, -0.5, 0.3, 0.6, 0.5, 0.3, 0.6, 0.5, 0.35, 0.6, -0.5, 0.35], **square)["body"]
        self.call("world.step", ticks=1)
        stream = self.call("stream.subscribe", fields=["contacts"])["stream"]
        self.assertEqual(self.ann.frame(stream).params["contacts"], {"known": False, "bodies": [], "more": 0})
        self.call("world.step", ticks=5)
        told = self.ann.frame(stream, found=lambda params: params["tick"] == 6).params["contacts"]
        self.assertEqual((told["known"], told["more"]), (True, 0))
        lists = {one["body"]: {name: list(numbers(one[name])) for name in ("touching", "held", "crossed")} for one in told["bodies"]}
        self.assertEqual(list(lists), [lower, upper, through])
        self.assertGreaterEqual(len(lists[upper]["touching"]), 2)
        self.assertGreaterEqual(len(lists[lower]["touching"]), 2)
        self.assertEqual(lists[lower]["held"], [])
        # Each edge of the third that goes from below to above: its sides and its diagonal.
        self.assertEqual(lists[through]["crossed"], [0, 1, 0, 2, 2, 3])
        # What is gone is not told of, and a reset forgets.
        self.call("body.remove", body=through)
        frame = self.ann.frame(stream, found=lambda params: params["revision"] == 4).params
        self.assertNotIn(through, [one["body"] for one in frame["contacts"]["bodies"]])
        self.call("world.reset")
        frame = self.ann.frame(stream, found=lambda params: not params["contacts"]["known"]).params
        self.assertEqual(frame["contacts"]["bodies"], [])

    def test_crossings_of_more_than_is_bearable_are_not_counted(self):
        side = 726
        positions, triangles = sheet(side, side, 0.01)
        add = self.ann.request("body.add", world=self.w, kind="cloth", positions=ext("d", positions),
                               triangles=ext("I", triangles), thickness=0.001, contact_group=1, contact_mask=1)
        body = self.ann.answer(add, 4 * PATIENCE_S)["body"]
        text = self.refused("world.measure", "crossings", "LIMIT", crossings=True)
        self.assertIn(f"{2 * (side - 1)**2} triangles", text)
        self.assertIn("limit crossing_triangles", text)
        self.call("world.measure")
        self.call("body.set", body=body, contact_group=0)
        self.assertEqual(self.call("world.measure", crossings=True)["crossings"], 0)


if __name__ == "__main__":
    main()
