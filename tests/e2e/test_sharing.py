#!/usr/bin/env python3
"""Several people in one world: who sees what, in which order, and who may hold what."""

from weft_peer import ServerTest, WeftError, ext, main, numbers, sheet


class Sharing(ServerTest):
    def pair(self):
        ann = self.peer(hello={"user": "ann", "client": "test"})
        bob = self.peer(hello={"user": "bob", "client": "test"})
        return ann, bob

    def test_one_pulls_and_the_other_sees_it_move(self):
        ann, bob = self.pair()
        world = self.world(ann, gravity=[0, 0, 0])
        positions, triangles = sheet(10, 10)
        body = ann.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles,
                        pins=[0, 9])["body"]
        stream = bob.call("stream.subscribe", world=world, fields=["positions", "grabs"])["stream"]
        bob.frame(stream)
        ann.call("world.play", world=world)
        grab = ann.call("grab.begin", world=world, body=body, particle=95, compliance=1e-4)["grab"]
        for step in range(40):
            ann.notify("grab.move", world=world, grab=grab, target=[0.5, 0.02 * step, 0.9])
            bob.call("server.ping")  # so that some come before others

        def pulled(params):
            return params["grabs"] and params["bodies"][0]["positions"][3 * 95 + 1] > 0.5

        frame = bob.frame(stream, found=pulled).params
        self.assertEqual([(entry["grab"], entry["user"]) for entry in frame["grabs"]], [(grab, "ann")])
        ann.call("grab.end", world=world, grab=grab)
        bob.frame(stream, found=lambda params: not params["grabs"])
        self.refused("NOT_FOUND", ann, "grab.move", world=world, grab=grab, target=[0, 0, 0])

    def test_a_grab_belongs_to_who_began_it(self):
        ann, bob = self.pair()
        world = self.world(ann)
        body = ann.call("body.add", world=world, kind="points", positions=[0, 0, 0, 1, 0, 0])["body"]
        grab = ann.call("grab.begin", world=world, body=body, particle=0)["grab"]
        self.refused("DENIED", bob, "grab.move", world=world, grab=grab, target=[1, 1, 1])
        self.refused("DENIED", bob, "grab.end", world=world, grab=grab)
        self.assertIn("ann", self.refused("CONFLICT", bob, "grab.begin", world=world, body=body, particle=0).text)
        bob.call("grab.begin", world=world, body=body, particle=1)

    def test_grabs_end_with_their_session(self):
        ann, bob = self.pair()
        world = self.world(ann)
        body = ann.call("body.add", world=world, kind="points", positions=[0, 0, 0])["body"]
        bob.call("grab.begin", world=world, body=body, particle=0)
        self.assertEqual(ann.call("world.get", world=world)["grabs"], 1)
        bob.call("session.leave")
        ann.until(lambda: ann.call("world.get", world=world)["grabs"] == 0, "the end of the grab")
        ann.call("grab.begin", world=world, body=body, particle=0)

    def test_those_who_joined_see_every_edit_once_in_order(self):
        ann, bob = self.pair()
        world = self.world(ann)
        joined = bob.call("world.join", world=world)
        self.assertEqual(joined["revision"], 0)
        self.assertEqual([person["user"] for person in joined["people"]], ["bob"])
        self.assertEqual(len(ann.call("world.join", world=world)["people"]), 2)
        body = ann.call("body.add", world=world, name="rope", kind="rope", positions=[0, 0, 0, 1, 0, 0],
                        edges=[0, 1])["body"]
        ann.call("collider.add", world=world, kind="sphere", position=[0, -3, 0], name="ball")
        ann.call("particle.pin", world=world, body="rope", particles=[0])
        ann.call("body.set", world=world, body="rope", stretch={"compliance": 0.5})
        ann.call("world.set", world=world, gravity=[0, 0, 1])
        ann.call("world.reset", world=world)
        bob.call("collider.remove", world=world, collider="ball")
        for peer in (ann, bob):
            methods = []
            for revision in range(1, 8):
                edit = peer.notice("world.edited")
                methods.append(edit["method"])
                self.assertEqual((edit["revision"], edit["world"]), (revision, world))
                self.assertEqual(edit["user"], "bob" if revision == 7 else "ann")
                if edit["method"] == "body.add":
                    self.assertEqual(edit["result"]["body"], body)
                    # Defaults are filled in.
                    self.assertEqual(edit["params"]["thickness"], 0)
                    self.assertEqual(numbers(edit["params"]["edges"]), [0, 1])
                if edit["method"] in ("particle.pin", "body.set"):
                    self.assertEqual(edit["params"]["body"], body, "names are given as ids")
                if edit["method"] != "world.set":
                    self.assertEqual(edit["params"].get("world", world), world)
            self.assertEqual(methods, ["body.add", "collider.add", "particle.pin", "body.set", "world.set",
                                       "world.reset", "collider.remove"])

    def test_large_arrays_are_left_out_of_edits_and_named(self):
        ann, bob = self.pair()
        world = self.world(ann)
        bob.call("world.join", world=world)
        positions, triangles = sheet(30, 30)
        ann.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0])
        edit = bob.notice("world.edited")
        self.assertLessEqual({"positions", "triangles"}, {name.split(".")[-1] for name in edit["omitted"]})
        self.assertNotIn("positions", edit["params"])
        self.assertEqual(numbers(edit["params"]["pins"]), [0])

    def test_a_late_joiner_gets_the_document_and_then_goes_on_without_a_gap(self):
        ann, bob = self.pair()
        world = self.world(ann)
        positions, triangles = sheet(4, 4)
        cloth = ann.call("body.add", world=world, name="cloth", kind="cloth", positions=positions,
                         triangles=triangles, pins=[0], stretch={"compliance": 0.25})["body"]
        ball = ann.call("collider.add", world=world, kind="sphere", radius=0.5, position=[1, 2, 3])["collider"]
        grab = ann.call("grab.begin", world=world, body=cloth, particle=5, target=[1, 1, 1])["grab"]
        ann.call("world.step", world=world, ticks=3)
        # Edits before, while and after the other joins.
        ids = [ann.request("world.set", world=world, damping=float(index)) for index in range(20)]
        joined = bob.call("world.join", world=world)
        for msgid in ids:
            ann.answer(msgid)
        ann.call("world.set", world=world, damping=99.0)
        self.assertEqual(joined["tick"], 3)
        self.assertEqual([(entry["body"], entry["name"], entry["kind"], entry["particles"], entry["triangles"])
                          for entry in joined["bodies"]], [(cloth, "cloth", "cloth", 16, 18)])
        self.assertEqual(joined["bodies"][0]["stretch"]["compliance"], 0.25)
        self.assertEqual([entry["collider"] for entry in joined["colliders"]], [ball])
        self.assertEqual(joined["colliders"][0]["radius"], 0.5)
        self.assertEqual([(entry["grab"], entry["user"]) for entry in joined["grabs"]], [(grab, "ann")])
        revision = joined["revision"]
        while revision < 23:
            edit = bob.notice("world.edited")
            self.assertEqual(edit["revision"], revision + 1)
            revision = edit["revision"]
        self.assertEqual(edit["params"]["damping"], 99)
        # Topology comes by body.get, moving positions by the first frame.
        self.assertEqual(numbers(bob.call("body.get", world=world, body=cloth)["triangles"]), triangles)
        stream = bob.call("stream.subscribe", world=world)["stream"]
        self.assertEqual(bob.frame(stream).params["tick"], 3)

    def test_playing_and_pausing_is_told_to_those_who_joined(self):
        ann, bob = self.pair()
        world = self.world(ann)
        bob.call("world.join", world=world)
        ann.call("world.play", world=world, rate=2)
        changed = bob.notice("world.changed")
        self.assertEqual((changed["state"], changed["rate"], changed["user"]), ("playing", 2, "ann"))
        ann.call("world.pause", world=world)
        self.assertEqual(bob.notice("world.changed")["state"], "paused")
        bob.call("world.leave", world=world)
        ann.call("world.play", world=world)
        ann.call("world.set", world=world, damping=1)
        bob.fence(world)
        self.assertEqual(list(bob.notices), [])

    def test_a_step_can_be_cut_short_by_another(self):
        ann, bob = self.pair()
        world = self.world(ann, gravity=[0, 0, 0])
        ann.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        step = ann.request("world.step", world=world, ticks=100_000_000)
        bob.until(lambda: bob.call("world.get", world=world)["tick"] > 0, "ann's step")
        self.refused("CONFLICT", bob, "world.step", world=world)
        bob.call("collider.add", world=world, kind="plane")
        tick = bob.call("world.pause", world=world)["tick"]
        self.assertEqual(ann.answer(step)["tick"], tick)
        self.assertLess(tick, 100_000_000)
        self.assertEqual(ann.call("world.get", world=world)["tick"], tick)

    def test_worlds_do_not_know_of_each_other(self):
        ann = self.peer()
        worlds = [self.world(ann, name=f"many {index}", gravity=[0, -index, 0], tick_rate=100, substeps=1)
                  for index in range(40)]
        for world in worlds:
            ann.call("body.add", world=world, kind="points", positions=[0, 0, 0], name="point")
        steps = [ann.request("world.step", world=world, ticks=10) for world in worlds]
        for index, (world, step) in enumerate(zip(worlds, steps)):
            self.assertEqual(ann.answer(step)["tick"], 10)
            state = ann.call("body.state", world=world, body="point", fields=["positions"])
            self.assertAlmostEqual(state["positions"][1], -index * 1e-4 * 55, delta=1e-6)
        ann.call("world.delete", world=worlds[3])
        with self.assertRaises(WeftError) as caught:
            ann.call("world.get", world=worlds[3])
        self.assertEqual(caught.exception.code, "NOT_FOUND")
        self.assertEqual(ann.call("world.get", world=worlds[4])["tick"], 10)
        self.assertGreater(self.world(ann, name="later"), max(worlds))

    def test_constraints_are_edited_in_batches_all_or_none(self):
        ann = self.peer()
        world = self.world(ann)
        body = ann.call("body.add", world=world, kind="points", positions=ext("f", [0, 0, 0, 1, 0, 0, 2, 0, 0]))["body"]
        ids = list(ann.call("constraint.add", world=world, body=body, particles=[0, 1, 1, 2],
                            compliance=0.1)["constraints"])
        before = ann.call("world.hash", world=world)
        self.refused("NOT_FOUND", ann, "constraint.set", world=world, constraints=[ids[0], 999], rest=2.0)
        self.refused("NOT_FOUND", ann, "constraint.remove", world=world, constraints=[ids[0], 999])
        self.assertEqual(ann.call("world.hash", world=world), before)
        ann.call("constraint.set", world=world, constraints=ids, rest=[1.5, 0.5], damping=3.0)
        listed = ann.call("constraint.list", world=world)
        self.assertEqual(numbers(listed["rest"], "d"), [1.5, 0.5])
        self.assertEqual(numbers(listed["damping"], "d"), [3, 3])
        self.assertAlmostEqual(numbers(listed["compliance"], "d")[1], 0.1, places=7)
        ann.call("constraint.remove", world=world, constraints=[ids[0]])
        self.assertEqual(list(ann.call("constraint.list", world=world)["constraints"]), ids[1:])


if __name__ == "__main__":
    main()
