#!/usr/bin/env python3
"""Real time neither drifts nor spirals; pause, steps and reset are exact."""

import time

from weft_peer import ServerTest, main, numbers, sheet


class Time(ServerTest):
    """That time neither drifts nor is lost unseen is looked at in tests/unit/world/test_pace.c, on a clock of its own. Here: that a
    real one drives it, never faster than it goes."""

    def tick(self, peer, world):
        return peer.call("world.get", world=world)["tick"]

    def test_worlds_go_as_fast_as_their_rates_say_and_no_faster(self):
        peer = self.peer()
        rates = {"even": (60, 1), "slow": (100, 0.5), "fast": (100, 3)}
        worlds = {name: self.world(peer, name=name, tick_rate=hertz) for name, (hertz, _) in rates.items()}
        began = {}
        for name, world in worlds.items():
            began[name] = time.monotonic()  # before it is
            peer.call("world.play", world=world, rate=rates[name][1])
        for name, ticks in (("even", 30), ("slow", 20), ("fast", 100)):
            peer.until(lambda name=name, ticks=ticks: self.tick(peer, worlds[name]) >= ticks, f"{ticks} ticks at {rates[name]}")
        for name, (hertz, rate) in rates.items():
            ran = self.tick(peer, worlds[name])
            most = hertz * rate * (time.monotonic() - began[name])
            print(f"\n{ran} ticks at {rate}, at most {most:.1f}")
            self.assertLess(ran, most + 2)

    def test_rate_zero_runs_as_fast_as_it_can(self):
        peer = self.peer()
        world = self.world(peer, tick_rate=60)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        peer.call("world.set", world=world, gravity=[0, 0, 0])
        peer.call("world.play", world=world, rate=0)

        def faster():
            """Than the clock for a while."""
            began, first = time.monotonic(), self.tick(peer, world)
            peer.until(lambda: self.tick(peer, world) > first + 20, "ticks")
            return 20 > 2 * 60 * (time.monotonic() - began)

        peer.until(faster, "ticks at more than twice the rate of the clock")

    def test_a_world_that_cannot_keep_pace_says_so_and_does_not_spiral(self):
        peer = self.peer()
        world = self.world(peer, tick_rate=1000, substeps=200)
        positions, triangles = sheet(80, 80, 0.02)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        peer.call("world.set", world=world, gravity=[0, 0, 0])
        peer.call("world.play", world=world)
        # It still answers between ticks, and what it could not do is given up, not queued.
        peer.until(lambda: peer.call("world.get", world=world)["time_lost_us"] > 100_000, "time that is given up")
        state = peer.call("world.get", world=world)
        self.assertGreater(state["ticks_late"], 0)
        print(f"\n{state['tick']} ticks of 1000 a second, {state['time_lost_us']} us given up")
        peer.call("world.set", world=world, substeps=1)
        peer.call("world.pause", world=world)

    def test_a_paused_world_stands_still(self):
        peer = self.peer()
        world, other = self.world(peer), self.world(peer, name="goes on")
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        for one in (world, other):
            peer.call("world.play", world=one)
        peer.until(lambda: self.tick(peer, world) > 2, "ticks")
        tick = peer.call("world.pause", world=world)["tick"]
        before = peer.call("world.hash", world=world)
        ticks = self.tick(peer, other)
        peer.until(lambda: self.tick(peer, other) > ticks + 5, "ticks of the other")
        self.assertEqual(peer.call("world.hash", world=world), before)
        self.assertEqual(before["tick"], tick)
        self.assertEqual(peer.call("world.pause", world=world)["tick"], tick)

    def test_steps_are_exact_however_they_are_dealt_out(self):
        peer = self.peer()
        positions, triangles = sheet(8, 8)
        # As the clock deals them, however many it does; and then by hand.
        world = self.world(peer, name="dealt by the clock")
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0, 7])
        peer.call("world.play", world=world)
        peer.until(lambda: self.tick(peer, world) > 5, "ticks")
        done = peer.call("world.pause", world=world)["tick"]
        peer.call("world.step", world=world, ticks=20)
        hashes = {peer.call("world.hash", world=world)["hash"]}
        for index, steps in enumerate([[done + 20], [1] * (done + 20), [7, 13, done]]):
            world = self.world(peer, name=f"dealt {index}")
            peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0, 7])
            for ticks in steps:
                last = peer.call("world.step", world=world, ticks=ticks)["tick"]
            self.assertEqual(last, done + 20)
            hashes.add(peer.call("world.hash", world=world)["hash"])
        self.assertEqual(len(hashes), 1)

    def test_step_needs_a_paused_world(self):
        peer = self.peer()
        world = self.world(peer)
        peer.call("world.play", world=world)
        self.refused("CONFLICT", peer, "world.step", world=world)
        peer.call("world.pause", world=world)
        peer.call("world.step", world=world)

    def test_reset_restores_the_start_and_time_goes_on(self):
        peer = self.peer()
        world = self.world(peer)
        positions, triangles = sheet(5, 5)
        body = peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles,
                         velocities=[0.25] * 75, pins=[2])["body"]
        grab = peer.call("grab.begin", world=world, body=body, particle=7, target=[1, 1, 1])["grab"]
        start = peer.call("body.state", world=world, body=body, fields=["positions64", "velocities"])
        first = []
        for _ in range(2):
            peer.call("world.reset", world=world)
            state = peer.call("body.state", world=world, body=body, fields=["positions64", "velocities"])
            self.assertEqual(numbers(state["positions64"]), numbers(start["positions64"]))
            self.assertEqual(numbers(state["velocities"]), numbers(start["velocities"]))
            self.refused("NOT_FOUND", peer, "grab.end", world=world, grab=grab)
            peer.call("world.step", world=world, ticks=20)
            first.append(numbers(peer.call("body.state", world=world, body=body,
                                           fields=["positions64"])["positions64"]))
        self.assertEqual(first[0], first[1])
        self.assertEqual(peer.call("world.get", world=world)["tick"], 40)
        self.assertEqual(list(peer.call("body.get", world=world, body=body)["pins"]), [2])


if __name__ == "__main__":
    main()
