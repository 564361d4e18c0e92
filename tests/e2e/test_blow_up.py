#!/usr/bin/env python3
"""A world that blows up stops itself, says so to everyone, and can be mended. Others do not notice."""

from weft_peer import ServerTest, main, numbers


def thrown(body, particles, velocities):
    """particle.set refuses such speeds; edit.restore puts back whatever was."""
    return {"particles": [{"body": body, "particles": particles, "state": {"velocities": velocities}}]}


class BlowUp(ServerTest):
    def test_a_world_that_blows_up_fails_alone_and_is_mended_by_reset(self):
        ann, bob, stranger = self.peer(hello={"user": "ann"}), self.peer(), self.peer()
        world, sound = self.world(ann), self.world(ann, name="sound")
        for at in (world, sound):
            ann.call("body.add", world=at, kind="rope", name="rope", positions=[0, 0, 0, 1, 0, 0], edges=[0, 1])
        ann.call("world.play", world=sound)
        ann.call("world.join", world=world)
        bob.call("world.join", world=world)
        stream = bob.call("stream.subscribe", world=world)["stream"]
        ann.call("world.play", world=world)
        ann.call("edit.restore", world=world, **thrown(1, [1], [1e6, 0, 0]))
        for peer in (ann, bob):
            changed = peer.notice("world.changed", found=lambda params: params["state"] == "failed")
            self.assertEqual(changed["world"], world)
            self.assertTrue(changed["reason"])
        stranger.fence(world)
        self.assertEqual(list(stranger.notices), [])
        # Failed: reads answer, time does not go on.
        state = ann.call("world.get", world=world)
        self.assertEqual((state["state"], state["reason"]), ("failed", changed["reason"]))
        self.refused("CONFLICT", ann, "world.play", world=world)
        self.refused("CONFLICT", ann, "world.step", world=world)
        self.assertEqual([entry["state"] for entry in ann.call("world.list")["worlds"]
                          if entry["world"] == world], ["failed"])
        self.assertNotEqual(ann.call("world.get", world=sound)["state"], "failed")
        # Reset mends it.
        ann.call("world.reset", world=world)
        self.assertEqual(bob.notice("world.changed", found=lambda params: params["state"] != "failed" and
                                    params["state"] != "playing")["state"], "paused")
        tick = ann.call("world.get", world=world)["tick"]
        self.assertEqual(tick, state["tick"])
        self.assertEqual(numbers(ann.call("body.state", world=world, body="rope")["positions"]), [0, 0, 0, 1, 0, 0])
        self.assertEqual(ann.call("world.step", world=world, ticks=5)["tick"], tick + 5)
        bob.frame(stream, found=lambda params: params["tick"] == tick + 5)
        # The other world went on all the while.
        before = ann.call("world.get", world=sound)["tick"]
        ann.until(lambda: ann.call("world.get", world=sound)["tick"] > before, "the other world's next tick")

    def test_a_step_under_way_is_answered_when_the_world_fails(self):
        peer = self.peer()
        world = self.world(peer)
        peer.call("world.join", world=world)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0], velocities=[200.0, 0, 0])
        peer.call("edit.restore", world=world, **thrown(1, [0], [1e5, 0, 0]))
        step = peer.request("world.step", world=world, ticks=1000)
        peer.wait(lambda: step in peer.answers)
        self.assertEqual(peer.notice("world.changed")["state"], "failed")
        self.assertLess(peer.call("world.get", world=world)["tick"], 1000)

    def test_a_world_that_passes_its_extent_fails(self):
        peer = self.peer()
        world = self.world(peer, extent=10, gravity=[0, 0, 0])
        peer.call("world.join", world=world)
        body = peer.call("body.add", world=world, kind="points", positions=[0, 9, 0, 0, 0, 0],
                         velocities=[0, 60.0, 0, 0, 0, 0])["body"]
        peer.request("world.step", world=world, ticks=60)
        reason = peer.notice("world.changed", found=lambda params: params["state"] == "failed")["reason"]
        self.assertIn("10", reason)
        # A world that has room for it does not.
        peer.call("world.set", world=world, extent=1000)
        peer.call("world.reset", world=world)
        peer.call("world.step", world=world, ticks=60)
        state = peer.call("body.state", world=world, body=body, fields=["positions"])
        self.assertAlmostEqual(state["positions"][1], 9 + 60, delta=0.01)

    def test_all_that_can_be_torn_apart_leaves_the_server_standing(self):
        peer = self.peer()
        for index, (velocity, rate) in enumerate([(1e9, 1), (3e38, 1), (200, 1), (1e5, 1000)]):
            world = self.world(peer, name=f"torn {index}", tick_rate=rate, substeps=1, gravity=[0, 0, 0])
            peer.call("body.add", world=world, kind="rope", positions=[0, 0, 0, 1, 0, 0, 2, 0, 0],
                      edges=[0, 1, 1, 2], stretch={"compliance": 1e-9})
            peer.call("world.join", world=world)
            peer.call("edit.restore", world=world,
                      **thrown(1, [0, 2], [-velocity, 0, 0, velocity, velocity, 0]))
            step = peer.request("world.step", world=world, ticks=500)
            peer.wait(lambda: step in peer.answers)
            self.assertIn(peer.call("world.get", world=world)["state"], ("failed", "paused"))
            peer.call("world.reset", world=world)
            peer.call("world.step", world=world, ticks=1)


if __name__ == "__main__":
    main()
