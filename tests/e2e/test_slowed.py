#!/usr/bin/env python3
"""A world whose ticks take longer than they may: it is slowed, says so, and goes on as before once they do not."""

import time
import unittest

from weft_peer import Server, block, main


class Slowed(unittest.TestCase):
    def start(self, tick_ms):
        server = Server("--threads", "1", "--tick-ms", str(tick_ms))
        self.addCleanup(server.kill)
        peer = server.peer()
        self.addCleanup(peer.close)
        return server, peer

    def heavy(self, peer):
        world = peer.call("world.create", tick_rate=1, substeps=200, gravity=[0, 0, 0], sleep=False)["world"]
        positions, tets = block(9, 9, 9)
        peer.call("body.add", world=world, kind="soft", positions=positions, tets=tets)
        peer.call("world.join", world=world)
        return world

    def test_it_rests_as_long_as_each_tick_took(self):
        _, peer = self.start(1)
        world = self.heavy(peer)
        begun = time.monotonic()
        ticks_s = []
        for _ in range(4):
            peer.call("world.step", world=world, ticks=1)
            state = peer.call("world.get", world=world)
            self.assertTrue(state["slowed"])
            ticks_s.append(state["tick_us"] * 1e-6)
        self.assertGreaterEqual(time.monotonic() - begun, sum(ticks_s) + 0.99 * sum(ticks_s[:-1]))
        self.assertTrue(peer.notice("world.changed", found=lambda params: params["slowed"])["slowed"])
        # Lighter ticks are told.
        peer.call("world.set", world=world, substeps=1)
        peer.call("body.remove", world=world, body=1)
        peer.call("world.step", world=world, ticks=1)
        self.assertFalse(peer.notice("world.changed", found=lambda params: not params["slowed"])["slowed"])
        self.assertFalse(peer.call("world.get", world=world)["slowed"])

    def test_others_have_the_thread_meanwhile(self):
        _, peer = self.start(1)
        worlds = [self.heavy(peer) for _ in range(3)]
        light = peer.call("world.create", tick_rate=60)["world"]
        for world in (*worlds, light):
            peer.call("world.play", world=world, rate=1 if world == light else 0)
        peer.until(lambda: all(peer.call("world.get", world=world)["slowed"] for world in worlds), "they are slowed")
        before = peer.call("world.get", world=light)
        heavy = [peer.call("world.get", world=world)["tick"] for world in worlds]
        peer.until(lambda: peer.call("world.get", world=light)["tick"] > before["tick"] + 30, "light ticks")
        after = peer.call("world.get", world=light)
        heavy = sum(peer.call("world.get", world=world)["tick"] for world in worlds) - sum(heavy)
        print(f"\n{after['tick'] - before['tick']} light ticks beside {heavy} heavy ones")
        self.assertFalse(after["slowed"])
        # Pausing does not wait for the rest.
        for world in worlds:
            peer.call("world.pause", world=world)
            self.assertEqual(peer.call("world.get", world=world)["state"], "paused")

    def test_nothing_is_slowed_where_that_is_said(self):
        _, peer = self.start(0)
        world = self.heavy(peer)
        peer.call("world.step", world=world, ticks=2)
        self.assertFalse(peer.call("world.get", world=world)["slowed"])


if __name__ == "__main__":
    main()
