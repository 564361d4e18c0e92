#!/usr/bin/env python3
"""Undo and redo: each person's own, across others, connections and ends of the server; and what is in the way told."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import tempfile
import unittest

from weft_peer import SLOW, Server, ServerTest, WeftError, main, sheet

STEPS_MAX = 1000


def as_person(name, errors="array"):
    return dict(client="test", user=name, errors=errors)


def things(peer, world):
    """The hash of all but next ids, which do not go back: of the world as it would be with others."""
    document = peer.call("world.save", world=world)["document"]
    document.update({f"next_{kind}": 1000000 for kind in ("body", "constraint", "grab", "collider", "motion")})
    opened = peer.call("world.open", name="but-next", document=document)["world"]
    found = peer.call("world.hash", world=opened)["hash"]
    peer.call("world.delete", world=opened)
    return found


class Undo(ServerTest):
    def hash(self, peer, world):
        return peer.call("world.hash", world=world)["hash"]

    def cloth(self, peer, world, name="sail", height=1.0):
        positions, triangles = sheet(6, 6, height=height)
        return peer.call("body.add", world=world, name=name, kind="cloth", positions=positions, triangles=triangles,
                         pins=[0, 5], thickness=0.01)["body"]

    def log(self, peer, world):
        return peer.call("edit.log", world=world)["edits"]

    def test_each_has_their_own(self):
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        bob.call("world.join", world=world)
        empty = things(ann, world)
        self.refused("NOT_FOUND", ann, "edit.undo", world=world)
        body = self.cloth(ann, world)
        before = self.hash(ann, world)
        bob.call("world.set", world=world, damping=2.0)
        after = self.hash(ann, world)
        ann.call("body.set", world=world, body=body, friction=0.25)
        done = bob.call("edit.undo", world=world)
        self.assertEqual(done["undone"], {"revision": 2, "method": "world.set", "user": "bob"})
        self.assertEqual((done["revision"], done["left_out"]), (4, []))
        self.refused("NOT_FOUND", bob, "edit.undo", world=world)
        self.assertEqual(ann.call("edit.undo", world=world)["undone"]["revision"], 3)
        self.assertEqual(self.hash(ann, world), before)
        told = bob.notice("world.edited", found=lambda one: one["revision"] == 5)
        self.assertEqual((told["method"], told["undo_of"], told["redo_of"], told["user"]), ("edit.undo", 3, 0, "ann"))
        self.assertEqual(bob.call("edit.redo", world=world)["redone"]["revision"], 2)
        self.assertEqual(self.hash(ann, world), after)
        self.assertEqual([(one["revision"], one["undoes"], one["redoes"]) for one in self.log(ann, world)],
                         [(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 2, 0), (5, 3, 0), (6, 0, 2)])
        bob.call("edit.undo", world=world)
        self.assertEqual(ann.call("edit.undo", world=world)["undone"]["method"], "body.add")
        self.assertEqual(things(ann, world), empty)
        # Another connection of the same name has what the first one did.
        again = self.peer(as_person("ann"))
        self.assertEqual(again.call("edit.redo", world=world)["redone"]["method"], "body.add")
        # A new edit forgets what could be redone.
        again.call("world.set", world=world, damping=1.0)
        self.refused("NOT_FOUND", ann, "edit.redo", world=world)

    def test_who_gave_no_name_has_their_session(self):
        one, other = self.peer(), self.peer()
        world = self.world(one)
        one.call("world.set", world=world, damping=1.0)
        self.refused("NOT_FOUND", other, "edit.undo", world=world)
        self.assertEqual(one.call("edit.undo", world=world)["undone"]["revision"], 1)

    def test_what_is_in_the_way_is_named(self):
        ann, bob = self.peer(as_person("ann", "map")), self.peer(as_person("bob"))
        world = self.world(ann)
        body = self.cloth(ann, world)
        ann.call("body.set", world=world, body=body, friction=0.25)
        bob.call("body.set", world=world, body=body, friction=0.75)
        before = self.hash(ann, world)
        refused = self.refused("CONFLICT", ann, "edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), before)
        self.assertEqual((refused.error["revision"], refused.error["user"]), (3, "bob"))
        self.assertIn('friction of body 1 "sail"', refused.text)
        self.assertIn("body.set by bob", refused.text)
        # Something else of the same body is in nobody's way.
        ann.call("body.set", world=world, body=body, thickness=0.02)
        self.assertEqual(ann.call("edit.undo", world=world)["undone"]["revision"], 4)
        self.refused("CONFLICT", ann, "edit.undo", world=world)
        self.assertEqual(ann.call("edit.undo", world=world, force=True)["undone"]["revision"], 2)
        refused = self.refused("CONFLICT", bob, "edit.undo", world=world)
        self.assertIn("taken back by ann", refused.text)
        bob.call("edit.undo", world=world, force=True)
        self.assertEqual(bob.call("world.join", world=world)["bodies"][0]["friction"], 0.25)
        # Another's edit is theirs, unless it is forced.
        other = bob.call("world.set", world=world, damping=3.0)["revision"]
        self.refused("DENIED", ann, "edit.undo", world=world, revision=other)
        ann.call("edit.undo", world=world, revision=other, force=True)
        self.refused("CONFLICT", bob, "edit.undo", world=world, revision=other)  # is taken back already
        self.assertEqual(ann.call("edit.redo", world=world)["redone"]["revision"], other)
        self.refused("NOT_FOUND", ann, "edit.undo", world=world, revision=999)
        for wrong in ({"revision": 0}, {"force": 3}, {"back": {}}, {"back": {"steps": []}}, {"nothing": 1}):
            self.refused("INVALID", ann, "edit.undo", world=world, **wrong)
        self.refused("INVALID", ann, "edit.batch", world=world, edits=[["edit.undo", {}]])
        self.refused("INVALID", ann, "edit.batch", world=world,
                     edits=[["edit.undo", {"revision": 1, "back": {"steps": []}}]])

    def test_terms_speak_of_what_is_put_back(self):
        ann, bob = self.peer(as_person("ann", "map")), self.peer(as_person("bob"))
        world = self.world(ann)
        body = self.cloth(ann, world)
        ann.call("edit.batch", world=world, edits=[["world.set", {"damping": 1.0}], ["body.set", {"body": body, "friction": 0.25}]])
        bob.call("body.set", world=world, body=body, thickness=0.02)  # which is in nobody's way
        before = self.hash(ann, world)
        refused = self.refused("CONFLICT", ann, "edit.undo", world=world, if_thing_revision=2)
        self.assertEqual((refused.field, refused.error["revision"], refused.error["user"]), ("if_thing_revision", 3, "bob"))
        self.assertEqual(self.hash(ann, world), before)
        # What one step of it puts back the next does not find changed.
        self.assertEqual(ann.call("edit.undo", world=world, if_thing_revision=3)["undone"]["revision"], 2)
        self.refused("CONFLICT", ann, "edit.redo", world=world, if_thing_revision=3)
        self.assertEqual(ann.call("edit.redo", world=world, if_thing_revision=4)["redone"]["revision"], 2)

    def test_a_body_comes_back_whose_ids_were_given_back(self):
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        body = self.cloth(ann, world)
        before = self.hash(ann, world)
        bob.call("body.remove", world=world, body=body)
        ann.call("edit.undo", world=world, force=True)
        bob.call("edit.undo", world=world, force=True)
        self.assertEqual(self.hash(ann, world), before)

    def test_what_was_removed_comes_back_and_the_rest_goes_on(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        sail, other = self.cloth(ann, world), self.cloth(ann, world, "other", 3.0)
        ball = ann.call("collider.add", world=world, name="ball", kind="sphere", radius=0.2)["collider"]
        ann.call("constraint.add", world=world, type="distance", bodies=[sail, other], particles=[7, 7], rest=1.5)
        ann.call("motion.add", world=world, collider=ball, times=[0, 1], offsets=[0, 0, 0, 0, 1, 0], loop=True)
        ann.call("world.step", world=world, ticks=20)
        told = ann.call("body.get", world=world, body=sail)
        before = self.hash(ann, world)
        ann.call("body.remove", world=world, body=sail)
        ann.call("collider.remove", world=world, collider="ball")
        ann.call("edit.undo", world=world)
        ann.call("edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), before)
        again = ann.call("body.get", world=world, body="sail")
        for field in ("body", "name", "constraints", "friction", "thickness"):
            self.assertEqual(again.get(field), told.get(field))
        # Later, what was not touched has gone on.
        ann.call("body.remove", world=world, body=sail)
        ann.call("world.step", world=world, ticks=20)
        state = ann.call("body.state", world=world, body=other, fields=["positions64", "velocities"])
        ann.call("edit.undo", world=world)
        now = ann.call("body.state", world=world, body=other, fields=["positions64", "velocities"])
        self.assertEqual([list(state[key]) for key in ("positions64", "velocities")],
                         [list(now[key]) for key in ("positions64", "velocities")])

    def test_force_leaves_out_what_cannot_be_and_says_so(self):
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        sail, other = self.cloth(ann, world), self.cloth(bob, world, "other", 3.0)
        bob.call("constraint.add", world=world, type="distance", bodies=[sail, other], particles=[7, 7])
        ann.call("body.remove", world=world, body=sail)
        bob.call("body.remove", world=world, body=other)
        self.cloth(bob, world, "sail")  # the name, too
        self.refused("CONFLICT", ann, "edit.undo", world=world)
        done = ann.call("edit.undo", world=world, force=True)
        self.assertEqual({(one["thing"], one["why"]) for one in done["left_out"]},
                         {("constraint", f"body {other} is gone"), ("body", "its name is taken by 3")})
        self.assertEqual([(one["body"], one["name"]) for one in ann.call("world.join", world=world)["bodies"]],
                         [(1, ""), (3, "sail")])

    def test_a_batch_is_one_step(self):
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        sail = self.cloth(ann, world)
        before = things(ann, world)
        edits = [["body.add", {"name": "rope", "kind": "rope", "positions": [0, 3, 0, 1, 3, 0]}],
                 ["particle.pin", {"body": "rope", "particles": [0]}],
                 ["body.set", {"body": sail, "friction": 0.25}],
                 ["body.remove", {"body": sail}],
                 ["collider.add", {"name": "ball", "kind": "sphere"}]]
        ann.call("edit.batch", world=world, edits=edits)
        after = self.hash(ann, world)
        done = ann.call("edit.undo", world=world, edit_id="back")
        self.assertEqual(done["undone"]["method"], "edit.batch")
        self.assertEqual(things(ann, world), before)
        again = ann.call("edit.undo", world=world, edit_id="back")
        self.assertEqual((again["revision"], again["undone"], again["repeated"]), (done["revision"], done["undone"], True))
        ann.call("edit.redo", world=world)
        self.assertEqual(self.hash(ann, world), after)
        self.refused("CONFLICT", ann, "edit.undo", world=world, if_revision=1)
        bob.call("collider.set", world=world, collider="ball", friction=0.5)
        self.refused("CONFLICT", ann, "edit.undo", world=world)
        self.assertEqual(bob.call("edit.undo", world=world)["undone"]["method"], "collider.set")
        ann.call("edit.undo", world=world)
        self.assertEqual(things(ann, world), before)
        # Two that meet in one of many edits.
        ann.call("edit.batch", world=world, edits=[["world.set", {"damping": 1.0}], ["body.set", {"body": sail, "friction": 0.3}]])
        bob.call("edit.batch", world=world, edits=[["world.set", {"substeps": 7}], ["body.set", {"body": sail, "friction": 0.4}]])
        self.refused("CONFLICT", ann, "edit.undo", world=world)
        bob.call("edit.undo", world=world)
        ann.call("edit.undo", world=world)
        self.assertEqual(things(ann, world), before)

    def test_ids_never_come_again(self):
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        adds = {"body": dict(kind="rope", positions=[0, 1, 0, 1, 1, 0, 2, 1, 0]),
                "collider": dict(kind="sphere"),
                "constraint": dict(type="distance", particles=[0, 2]),
                "motion": dict(times=[0, 1], offsets=[0, 0, 0, 0, 1, 0], loop=True)}

        def add(peer, kind):
            more = {"constraint": dict(body=rope), "motion": dict(collider=ball)}.get(kind, {})
            answer = peer.call(f"{kind}.add", world=world, **adds[kind], **more)
            return answer["constraints"][0] if kind == "constraint" else answer[kind]

        rope = ann.call("body.add", world=world, **adds["body"])["body"]
        ball = ann.call("collider.add", world=world, **adds["collider"])["collider"]
        for kind in adds:
            first = add(ann, kind)
            ann.call("edit.undo", world=world)
            second = add(bob, kind)
            self.assertGreater(second, first, kind)
            self.assertEqual(ann.call("edit.redo", world=world, force=True)["redone"]["method"], f"{kind}.add")
            ann.call("edit.undo", world=world, force=True)
            bob.call("edit.undo", world=world, force=True)
        # Nor for a client that asks for it, alone or among others.
        last = add(bob, "collider")
        bob.call("collider.remove", world=world, collider=last)
        lower = dict(next={"collider": last}, expected_next={"collider": last + 1})
        ann.call("edit.restore", world=world, **lower)
        self.assertEqual(add(bob, "collider"), last + 1)
        lower = dict(removed={"colliders": [last + 2]}, next={"collider": last + 2}, expected_next={"collider": last + 3})
        ann.call("edit.batch", world=world, edits=[["collider.add", {"kind": "sphere"}], ["edit.restore", lower]])
        self.assertEqual(add(bob, "collider"), last + 3)

        document = ann.call("world.save", world=world)["document"]
        opened = ann.call("world.open", name="ids-copy", document=document)["world"]
        self.assertEqual(bob.call("collider.add", world=opened, kind="sphere")["collider"], last + 4)
        twig = ann.call("world.branch", world=world, name="ids-twig")["world"]
        self.assertEqual(bob.call("collider.add", world=twig, kind="sphere")["collider"], last + 4)

    def test_nothing_comes_back_under_an_id_in_use(self):
        ann, bob = self.peer(as_person("ann", "map")), self.peer(as_person("bob", "map"))
        world = self.world(ann)
        rest = ann.call("collider.add", world=world, kind="sphere", position=[9, 0, 0])["collider"]
        ball = ann.call("collider.add", world=world, kind="sphere", radius=0.5)["collider"]
        told = ann.call("world.save", world=world)["document"]["colliders"][-1]
        self.assertEqual(told["collider"], ball)
        ann.call("edit.undo", world=world)
        bob.call("edit.restore", world=world, colliders=[{"collider": {**told, "radius": 2.0}}])
        before = self.hash(ann, world)
        for force in (False, True):
            refused = self.refused("CONFLICT", ann, "edit.redo", world=world, force=force)
            self.assertEqual(self.hash(ann, world), before)
        self.assertIn(f"{ball} is the id of another", refused.text)
        refused = self.refused("CONFLICT", bob, "edit.restore", world=world, colliders=[{"collider": told}])
        self.assertEqual(refused.field, "colliders[0].collider.collider")
        self.assertEqual(ann.call("world.join", world=world)["colliders"][-1]["radius"], 2.0)
        # One that goes with the same edit is in nobody's way.
        bob.call("edit.restore", world=world, removed={"colliders": [ball]}, colliders=[{"collider": told}])
        motion = ann.call("motion.add", world=world, collider=ball, times=[0, 1], offsets=[0, 0, 0, 0, 1, 0])["motion"]
        told = ann.call("world.save", world=world)["document"]["motions"][0]
        refused = self.refused("CONFLICT", bob, "edit.restore", world=world, motions=[{**told, "collider": rest}])
        self.assertEqual(refused.field, "motions[0].motion")
        self.assertIn(f"{motion} is the id of another", refused.text)
        bob.call("edit.restore", world=world, motions=[{**told, "age": 5}])

    def test_names_of_worlds(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann, name="undo-one")
        ann.call("world.set", world=world, name="undo-two")
        ann.call("edit.undo", world=world)
        self.assertEqual(ann.call("world.get", world="undo-one")["world"], world)
        ann.call("edit.redo", world=world)
        self.assertEqual(ann.call("world.get", world="undo-two")["world"], world)
        taken = self.world(ann, name="undo-one")
        self.refused("CONFLICT", ann, "edit.undo", world=world)
        ann.call("edit.undo", world=world, force=True)
        self.assertEqual(ann.call("world.get", world=world)["name"], "undo-two")
        self.assertEqual(ann.call("world.get", world=taken)["name"], "undo-one")

    def test_deep_and_no_deeper(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        for i in range(STEPS_MAX + 10):
            ann.call("world.set", world=world, damping=i / 1024)
        for _ in range(STEPS_MAX):
            ann.call("edit.undo", world=world)
        self.refused("NOT_FOUND", ann, "edit.undo", world=world)
        self.assertEqual(ann.call("world.get", world=world)["damping"], 9 / 1024)

    def test_grabs_that_an_edit_ended_stay_ended(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        sail = self.cloth(ann, world)
        ann.call("grab.begin", world=world, body=sail, particle=20)
        ann.call("body.remove", world=world, body=sail)
        ann.call("edit.undo", world=world)
        self.assertEqual(ann.call("world.join", world=world)["grabs"], [])

    def test_many_large_bodies_come_back(self):
        """What is told of it names each array that is left out once."""
        ann, bob = self.peer(as_person("ann")), self.peer(as_person("bob"))
        world = self.world(ann)
        bob.call("world.join", world=world)
        positions, triangles = sheet(24, 24)
        for i in range(20):
            ann.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        ann.call("world.step", world=world, ticks=2)
        before = self.hash(ann, world)
        ann.call("world.reset", world=world)
        revision = ann.call("edit.undo", world=world)["revision"]
        self.assertEqual(self.hash(ann, world), before)
        told = bob.notice("world.edited", found=lambda one: one["revision"] == revision)
        self.assertIn("back.steps.particles.state.positions", told["omitted"])
        self.assertEqual(len(told["omitted"]), len(set(told["omitted"])))

    def test_pins_follow_their_collider_through_undo_and_files(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        body = self.cloth(ann, world)

        def followed():
            return list(ann.call("body.get", world=world, body=body).get("pin_colliders", []))

        def height(particle):
            return ann.call("body.state", world=world, body=body)["positions"][3 * particle + 1]

        pole = ann.call("collider.add", world=world, name="pole", kind="box", half_extents=[0.1, 0.5, 0.1],
                        position=[0, 1, 0])["collider"]
        self.refused("NOT_FOUND", ann, "particle.pin", world=world, body=body, particles=[0], collider="mast")
        self.refused("INVALID", ann, "particle.pin", world=world, body=body, particles=[0], collider="pole",
                     positions=[0, 1, 0])
        self.assertEqual(followed(), [])
        plain = self.hash(ann, world)
        ann.call("particle.pin", world=world, body=body, particles=[0, 5], collider="pole")
        self.assertEqual(followed(), [pole, pole])
        ann.call("edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), plain)
        ann.call("edit.redo", world=world)
        ann.call("motion.add", world=world, collider=pole, times=[0, 0.5], offsets=[0, 0, 0, 0, 0.25, 0])
        ann.call("world.step", world=world, ticks=40)
        self.assertAlmostEqual(height(5), 1.25, places=6)
        bodies = ann.call("world.join", world=world)["bodies"]
        self.assertEqual(list(bodies[0]["pin_colliders"]), [pole, pole])

        # The same after a file, and in the future.
        saved = ann.call("world.save", world=world)
        again = ann.call("world.open", name="again", document=saved["document"])["world"]
        for each in world, again:
            ann.call("world.step", world=each, ticks=7)
        self.assertEqual(self.hash(ann, world), self.hash(ann, again))
        ann.call("world.delete", world=again)

        # A collider that goes lets its pins hold, and comes back with them.
        before = self.hash(ann, world)
        ann.call("collider.remove", world=world, collider="pole")
        self.assertEqual(followed(), [])
        gone = self.hash(ann, world)
        ann.call("edit.undo", world=world)
        self.assertEqual((self.hash(ann, world), followed()), (before, [pole, pole]))
        ann.call("edit.redo", world=world)
        self.assertEqual(self.hash(ann, world), gone)
        ann.call("edit.undo", world=world)

        # A teleport takes them along at once, also back.
        ann.call("collider.set", world=world, collider=pole, position=[0, 2, 0], teleport=True)
        self.assertAlmostEqual(height(0), 2.0, places=6)
        ann.call("edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), before)

        # A body that comes back is where its collider is by then.
        ann.call("body.remove", world=world, body=body)
        ann.call("collider.set", world=world, collider=pole, position=[0, 1.75, 0], teleport=True)
        ann.call("edit.undo", world=world, revision=ann.call("world.hash", world=world)["revision"] - 1)
        self.assertAlmostEqual(height(0), 1.75, places=6)

    def test_soft_pins_and_their_ways_through_undo_files_and_the_past(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        body = self.cloth(ann, world)

        def told():
            return ann.call("body.get", world=world, body=body)

        for field, values in (("compliance", dict(compliance=-1.0)), ("compliance", dict(compliance=1e11)),
                              ("distance", dict(distance=9.0)), ("distance", dict(distance=[0.1] * 3)),
                              ("compliance", dict(compliance=[0.1, float("nan")])), ("seconds", dict(seconds=0.5)),
                              ("at_tick", dict(at_tick=9)), ("at_tick", dict(positions=[0.0] * 6, seconds=1.0, at_tick=9)),
                              ("seconds", dict(positions=[0.0] * 6, seconds=float("inf"))),
                              ("at_tick", dict(positions=[0.0] * 6, at_tick=10**9))):
            with self.subTest(values=values):
                error = self.refused("INVALID", ann, "particle.pin", world=world, body=body, particles=[0, 3], **values)
                self.assertIn(field, str(error.error))
        plain = self.hash(ann, world)
        self.assertNotIn("pin_compliances", told())
        ann.call("particle.pin", world=world, body=body, particles=[0, 3], compliance=[0.01, 0.0], distance=[0.05, 0.05])
        ann.call("particle.pin", world=world, body=body, particles=[5], distance=0.02)
        at = dict(zip(told()["pins"], zip(told()["pin_compliances"], told()["pin_distances"])))
        self.assertAlmostEqual(at[0][0], 0.01)
        self.assertEqual((at[3], at[5][0]), ((0, 0), -1))
        soft = self.hash(ann, world)
        ann.call("edit.undo", world=world)
        ann.call("edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), plain)
        ann.call("edit.redo", world=world)
        ann.call("edit.redo", world=world)
        self.assertEqual(self.hash(ann, world), soft)

        # Keyframes that come in one after the other: even between them, and there at the tick that they name.
        start = list(told()["pin_targets"][:3])
        tick = ann.call("particle.pin", world=world, body=body, particles=[0],
                        positions=[start[0], start[1] + 0.3, start[2]], seconds=0.5)["tick"]
        ann.call("world.step", world=world, ticks=10)
        self.assertAlmostEqual(told()["pin_targets"][1], start[1] + 0.1, places=6)
        self.assertGreater(sum(abs(each) for each in told()["pin_forces"]), 0)
        ann.call("particle.pin", world=world, body=body, particles=[0], positions=start, at_tick=tick + 15)
        ann.call("world.step", world=world, ticks=2)
        self.assertAlmostEqual(told()["pin_targets"][1], start[1] + 0.06, places=6)
        self.assertAlmostEqual(told()["pin_compliances"][0], 0.01)

        # The same after a file, an undo in the middle of the way, and in the past.
        saved = ann.call("world.save", world=world)
        again = ann.call("world.open", name="again", document=saved["document"])["world"]
        for each in world, again:
            ann.call("world.step", world=each, ticks=7)
        self.assertEqual(self.hash(ann, world), self.hash(ann, again))
        before = self.hash(ann, world)
        ann.call("particle.unpin", world=world, body=body, particles=[0, 3, 5])
        ann.call("edit.undo", world=world)
        self.assertEqual(self.hash(ann, world), before)
        now = ann.call("world.get", world=world)["tick"]
        ann.call("world.step", world=world, ticks=20)
        shown = ann.call("world.seek", world=world, tick=now)
        self.assertEqual((shown["hash"], shown["exact"]), (before, True))

    def test_a_batch_of_a_collider_and_its_pins_is_one_step(self):
        ann = self.peer(as_person("ann"))
        world = self.world(ann)
        body = self.cloth(ann, world)
        before = things(ann, world)
        ann.call("edit.batch", world=world, edits=[
            ["collider.add", {"name": "hoop", "kind": "sphere", "radius": 0.1}],
            ["particle.pin", {"body": body, "particles": [0, 3, 5], "collider": "hoop"}]])
        after = self.hash(ann, world)
        ann.call("edit.undo", world=world)
        self.assertEqual(things(ann, world), before)
        ann.call("edit.redo", world=world)
        self.assertEqual(self.hash(ann, world), after)


class Kept(unittest.TestCase):
    """A world that is kept: the server is killed, and what could be taken back still can."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-undo-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.server = None
        self.addCleanup(lambda: self.server and self.server.kill())

    def start(self):
        if self.server:
            self.server.kill()  # as by kill -9
        self.server = Server("--data", self.folder, "--threads", "1")
        peers = []
        for name in ("ann", "bob"):
            peer = self.server.peer()
            self.addCleanup(peer.close)
            peer.call("session.hello", **as_person(name))
            peers.append(peer)
        return peers

    def hash(self, peer):
        return peer.call("world.hash", world="flag")["hash"]

    def edit(self, dice, peer):
        number = lambda low, high: round(dice.uniform(low, high), 3)
        bodies = [one["body"] for one in peer.call("world.join", world="flag")["bodies"]]
        choices = [("world.set", dict(damping=number(0, 3))), ("world.set", dict(gravity=[0, number(-9, 0), 0])),
                   ("body.add", dict(kind="rope", positions=[0, number(0, 2), 0, 1, 0, 0, 2, 0, 0], pins=[0]))]
        if bodies:
            body = dice.choice(bodies)
            choices += [("body.set", dict(body=body, friction=number(0, 1))), ("body.remove", dict(body=body)),
                        ("particle.set", dict(body=body, particles=[1], positions=[number(0, 1), 1, 0])),
                        ("edit.batch", dict(edits=[["world.set", {"damping": number(0, 2)}],
                                                   ["body.set", {"body": body, "thickness": number(0.001, 0.1)}]]))]
        method, fields = dice.choice(choices)
        peer.call(method, world="flag", **fields)

    def test_after_kill(self):
        dice = random.Random(17)
        ann, bob = self.start()
        ann.call("world.create", name="flag")
        hashes, undone = [], 0
        for i in range(30):
            hashes.append(things(ann, "flag"))
            self.edit(dice, ann)
            if i % 10 == 9:
                last = self.hash(ann)
                ann, bob = self.start()
                self.assertEqual(self.hash(ann), last)
        # All of it is taken back, across more ends.
        for i, expected in enumerate(reversed(hashes)):
            ann.call("edit.undo", world="flag")
            undone += 1
            self.assertEqual(things(ann, "flag"), expected, f"undo {i}")
            if i % 8 == 5:
                ann, bob = self.start()
                self.assertEqual(things(ann, "flag"), expected)
        with self.assertRaises(WeftError) as caught:
            ann.call("edit.undo", world="flag")
        self.assertEqual(caught.exception.code, "NOT_FOUND")
        # And redone.
        ann, bob = self.start()
        for i, expected in enumerate(hashes[1:]):
            ann.call("edit.redo", world="flag")
            self.assertEqual(things(ann, "flag"), expected, f"redo {i}")
        ann.call("edit.redo", world="flag")
        self.assertEqual(self.hash(ann), last)
        self.check_folder(ann)

    def check_folder(self, ann):
        last = ann.call("world.hash", world="flag")
        log = ann.call("edit.log", world="flag")["edits"]
        # Any moment of it can be looked at, and a past without an undo is one in which the edit stands.
        undo = next(one for one in log if one["undoes"])
        branch = ann.call("world.branch", world="flag", name="twig")
        self.assertEqual(ann.call("world.hash", world="twig")["hash"], last["hash"])
        self.assertEqual(branch["refused"], [])
        without = ann.call("world.branch", world="flag", name="other", without=[undo["revision"]])
        self.assertIn("world", without)
        self.assertEqual(self.server.stop(), 0)
        self.server = None
        for command in ("verify", "replay"):
            run = subprocess.run([os.environ["WEFT"], command, self.folder], capture_output=True, text=True,
                                 timeout=120 * SLOW, check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_conflicts_are_known_after_kill(self):
        ann, bob = self.start()
        ann.call("world.create", name="flag")
        ann.call("world.set", world="flag", damping=1.0)
        bob.call("world.set", world="flag", damping=2.0)
        ann, bob = self.start()
        with self.assertRaises(WeftError) as caught:
            ann.call("edit.undo", world="flag")
        self.assertEqual(caught.exception.code, "CONFLICT")
        self.assertIn("by bob", caught.exception.text)
        bob.call("edit.undo", world="flag")
        ann, bob = self.start()
        ann.call("edit.undo", world="flag")
        # A deleted world that is had back has it too.
        world = ann.call("world.get", world="flag")["world"]
        ann.call("world.delete", world="flag")
        ann.call("world.restore", world=world)
        ann.call("edit.redo", world="flag")
        self.assertEqual(ann.call("world.get", world="flag")["damping"], 1.0)

    def test_found_again_after_a_long_play(self):
        """Marks of time lie between the last edit and the end: pointers lead back across them."""
        ann, bob = self.start()
        ann.call("world.create", name="flag")
        ann.call("world.set", world="flag", damping=1.0)
        for _ in range(20):
            ann.call("world.play", world="flag", rate=0)
            ann.call("world.pause", world="flag")
        ann, bob = self.start()
        ann.call("edit.undo", world="flag")

    def test_from_the_shell(self):
        self.start()
        environment = {**os.environ, "USER": "ann"}

        def weft(*arguments, status=0, user="ann"):
            run = subprocess.run([os.environ["WEFT"], "--server", self.server.address, *arguments], capture_output=True,
                                 text=True, timeout=60 * SLOW, check=False, env={**environment, "USER": user})
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
            return run.stdout + run.stderr

        weft("new", "flag")
        weft("call", "world.set", '{"world": "flag", "damping": 1}')
        weft("call", "world.set", '{"world": "flag", "damping": 2}')
        self.assertIn("undoes world.set of revision 2, by ann", weft("undo", "flag"))
        self.assertIn("redoes world.set of revision 2", weft("redo", "flag"))
        self.assertIn("CONFLICT", weft("undo", "flag", "--revision", "1", status=1))
        self.assertIn("undoes world.set of revision 1", weft("undo", "flag", "--revision", "1", "--force"))
        self.assertIn("DENIED", weft("undo", "flag", "--revision", "2", user="bob", status=1))
        self.assertIn("--revision", weft("undo", "flag", "--revision", "x", status=2))
        self.assertIn("usage", weft("redo", status=2))


if __name__ == "__main__":
    main()
