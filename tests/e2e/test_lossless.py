#!/usr/bin/env python3
"""Lossless streams: all of them arrives, or the stream says why not; a world waits for them where it may, and nobody else does."""

import hashlib
import threading
import time
import unittest

from weft_peer import PATIENCE_S, Server, ServerTest, WeftError, ext, main, sheet

SUBSTEPS = 4
HOLD_MS = 600_000


class Lossless(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A reader without a processor may hold its world for long.
        cls.server = Server("--hold-ms", HOLD_MS, "--lossless-bytes", "16777216", "--threads", "1")

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()

    def peer(self, **options):
        peer = self.server.peer(**options)
        self.addCleanup(peer.close)
        return peer

    def cloth(self, peer, side, **settings):
        world = peer.call("world.create", substeps=SUBSTEPS, **settings)["world"]
        self.addCleanup(lambda: self.delete(world))
        positions, triangles = sheet(side, side, 0.02)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                  triangles=ext("I", triangles), pins=[0, side - 1])
        return world

    def delete(self, world):
        with self.server.peer() as peer:
            peer.call("world.delete", world=world)

    @staticmethod
    def take(peer, stream, seen, until, ack=True, pause=0.0, timeout=PATIENCE_S):
        """Reads frames of a stream into `seen` ({moment: digest of what is shared}) until one is of that moment."""
        end = time.monotonic() + timeout
        while until not in seen:
            if time.monotonic() > end:
                raise AssertionError(f"only {len(seen)} moments came, up to {max(seen, default=None)} of {until}")
            if not peer.frames:
                peer.pump(0.01)
            while peer.frames:
                frame = peer.frames.popleft()
                params = frame.params
                if params["stream"] != stream:
                    continue
                assert params["dropped"] == 0
                seen[params["tick"], params["substep"]] = hashlib.sha256(frame.raw[64:]).digest()
                if ack:
                    peer.notify("stream.ack", stream=stream, seq=params["seq"])
                time.sleep(pause)

    def moments(self, ticks):
        return [(m // SUBSTEPS, m % SUBSTEPS) for m in range(ticks * SUBSTEPS + 1)]

    def test_a_slow_reader_has_every_substep_that_a_fast_one_has(self):
        ticks = 30
        for encoding in ("f32", "q16", "delta"):
            with self.subTest(encoding=encoding):
                editor, fast, slow = self.peer(), self.peer(), self.peer(receive_buffer=4096)
                world = self.cloth(editor, 30)
                editor.call("world.hold", world=world)
                wish = dict(world=world, unit="substep", encoding=encoding, mode="lossless")
                streams = [fast.call("stream.subscribe", **wish)["stream"],
                           slow.call("stream.subscribe", **wish, backlog=131072, credit=20000)["stream"]]
                step = editor.request("world.step", world=world, ticks=ticks)
                taken = {}, {}
                reads = threading.Thread(target=self.take, args=(fast, streams[0], taken[0], (ticks, 0)))
                reads.start()
                self.take(slow, streams[1], taken[1], (ticks, 0), pause=0.005)
                reads.join()
                self.assertEqual(editor.answer(step)["tick"], ticks)
                self.assertEqual(sorted(taken[0]), self.moments(ticks))
                self.assertEqual(taken[0], taken[1])

    def test_frames_go_as_far_as_credit_does(self):
        editor, peer = self.peer(), self.peer()
        world = self.cloth(editor, 20)
        stream = peer.call("stream.subscribe", world=world, mode="lossless", credit=3 * 400 * 12)["stream"]
        free = peer.call("stream.subscribe", world=world, mode="lossless")["stream"]
        seen = {stream: [], free: []}

        def take(found):
            def look():
                while peer.frames:
                    params = peer.frames.popleft().params
                    seen[params["stream"]].append(params["tick"])
                return found()

            peer.wait(look, what="a frame")

        # The one without credit has all; with it, as much as credit allows has come by then.
        editor.call("world.step", world=world, ticks=20)
        take(lambda: seen[free][-1:] == [20] and len(seen[stream]) >= 3)
        first = len(seen[stream])
        self.assertIn(first, (3, 4))
        peer.notify("stream.ack", stream=stream, seq=first)
        take(lambda: len(seen[stream]) >= 2 * first)
        editor.call("world.step", world=world, ticks=1)
        take(lambda: seen[free][-1:] == [21])
        self.assertLess(len(seen[stream]), 10)
        # The last one says all before it.
        while seen[stream][-1] < 21:
            before = len(seen[stream])
            peer.call("stream.ack", stream=stream, seq=before)
            take(lambda before=before: len(seen[stream]) > before)
        self.assertEqual(seen[stream], list(range(22)))

    def test_what_was_not_sent_is_not_acknowledged(self):
        peer, other = self.peer(), self.peer()
        world = self.cloth(peer, 5)
        for mode in ("lossless", "live"):
            stream = peer.call("stream.subscribe", world=world, mode=mode)["stream"]
            seq = peer.frame(stream).params["seq"]
            for wrong in (seq + 1, seq + 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1):
                with self.assertRaises(WeftError) as refused:
                    peer.call("stream.ack", stream=stream, seq=wrong)
                self.assertEqual(refused.exception.code, "INVALID")
                self.assertIn(f"seq: {wrong}; no such frame of stream {stream} was sent", str(refused.exception))
            for wrong in (-1, 2 ** 32, 1.5, "1", None):
                with self.assertRaises(WeftError) as refused:
                    peer.call("stream.ack", stream=stream, seq=wrong)
                self.assertEqual(refused.exception.code, "INVALID")
            with self.assertRaises(WeftError) as refused:
                other.call("stream.ack", stream=stream, seq=seq)
            self.assertEqual(refused.exception.code, "NOT_FOUND")
            for right in (0, seq, seq):
                peer.call("stream.ack", stream=stream, seq=right)
            self.assertIn("no such frame", peer_error(peer, stream, seq + 5))

    def test_who_stalls_costs_the_others_nothing_and_is_told(self):
        editor, stalled, live = self.peer(), self.peer(receive_buffer=4096), self.peer()
        world = self.cloth(editor, 40, tick_rate=100)
        held = stalled.call("stream.subscribe", world=world, mode="lossless", unit="substep", backlog=1048576)["stream"]
        stream = live.call("stream.subscribe", world=world)["stream"]
        live.frame(stream)
        editor.call("world.play", world=world)
        editor.until(lambda: editor.call("world.get", world=world)["tick"] > 10, "ticks")
        state = editor.call("world.get", world=world)
        self.assertEqual((state["held_by"], state["hold"]), (0, False))
        live.frame(stream, found=lambda params: params["tick"] >= state["tick"])
        # What came before the end is whole and in order.
        closed = stalled.notice("stream.closed")
        self.assertEqual(closed["stream"], held)
        self.assertIn("its backlog is full", closed["reason"])
        ticks = [(f.params["tick"], f.params["substep"]) for f in stalled.frames if f.params["part"] == 0]
        at = ticks[0][0] * SUBSTEPS + ticks[0][1]
        self.assertEqual(ticks, [((at + i) // SUBSTEPS, (at + i) % SUBSTEPS) for i in range(len(ticks))])

    def test_a_world_that_may_be_held_is_until_somebody_reads(self):
        editor, holder = self.peer(), self.peer(receive_buffer=4096)
        editor.call("session.hello", user="ann", client="test")
        world = self.cloth(editor, 40, tick_rate=100)
        editor.call("world.join", world=world)
        editor.call("world.hold", world=world)
        self.assertTrue(editor.notice("world.changed", found=lambda params: params["hold"]))
        stream = holder.call("stream.subscribe", world=world, mode="lossless", unit="substep", backlog=262144)["stream"]
        editor.call("world.play", world=world)
        self.assertGreater(editor.notice("world.changed", found=lambda params: params["held_by"])["held_by"], 0)
        tick = editor.call("world.get", world=world)["tick"]
        # Edits, queries and a pause go on; so does another world.
        editor.call("world.set", world=world, damping=0.5)
        other = self.cloth(editor, 5)
        editor.call("world.step", world=other, ticks=3)
        self.assertLessEqual(editor.call("world.get", world=world)["tick"], tick + 1)
        # Somebody reads: it goes on.
        seen = {}
        self.take(holder, stream, seen, (tick + 5, 0))
        self.assertEqual(editor.notice("world.changed", found=lambda params: not params["held_by"])["hold"], True)

    def held(self, hold_ms):
        """A server of its own, whose world plays and is held by somebody who reads nothing, and two of its people."""
        server = Server("--threads", "1", "--hold-ms", hold_ms)
        self.addCleanup(server.kill)
        peer, holder = server.peer(), server.peer(receive_buffer=4096)
        self.addCleanup(peer.close)
        self.addCleanup(holder.close)
        world = peer.call("world.create", tick_rate=100)["world"]
        positions, triangles = sheet(40, 40, 0.02)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles))
        peer.call("world.join", world=world)
        peer.call("world.hold", world=world)
        holder.call("stream.subscribe", world=world, mode="lossless", unit="substep", backlog=524288)
        peer.call("world.play", world=world)
        peer.notice("world.changed", found=lambda params: params["held_by"])
        return server, peer, holder, world

    def test_nobody_holds_a_world_for_ever(self):
        _, peer, holder, world = self.held(1500)
        peer.until(lambda: peer.call("world.get", world=world)["streams"] == 0, "the stream that holds the world ends")
        later = peer.call("world.get", world=world)["tick"]
        peer.until(lambda: peer.call("world.get", world=world)["tick"] > later + 5, "it goes on")
        self.assertEqual(peer.notice("world.changed", found=lambda params: not params["held_by"])["hold"], True)
        self.assertIn("took nothing for too long", holder.notice("stream.closed")["reason"])

    def test_a_held_world_holds_up_no_end(self):
        server, *_ = self.held(HOLD_MS)
        self.assertEqual(server.stop(), 0)

    def test_backlogs_are_bounded_together(self):
        peers = [self.peer() for _ in range(3)]
        world = self.cloth(peers[0], 5)
        limits = peers[0].call("server.info")["limits"]
        self.assertEqual((limits["lossless_bytes"], limits["hold_ms"]), (16777216, HOLD_MS))
        peers[0].call("stream.subscribe", world=world, mode="lossless", backlog=8388608)
        with self.assertRaises(WeftError) as refused:
            peers[0].call("stream.subscribe", world=world, mode="lossless", backlog=65536)
        self.assertEqual(refused.exception.code, "LIMIT")
        peers[1].call("stream.subscribe", world=world, mode="lossless", backlog=4194304)
        with self.assertRaises(WeftError):
            peers[2].call("stream.subscribe", world=world, mode="lossless", backlog=4194304)
        # Who goes gives back what was kept for them.
        peers[0].close()
        peers[2].until(lambda: peers[2].call("world.get", world=world)["streams"] == 1, "it is gone")
        peers[2].call("stream.subscribe", world=world, mode="lossless", backlog=4194304)


class Adapting(ServerTest):
    def test_the_rate_follows_a_dripping_reader_down_and_up(self):
        editor, reader = self.peer(), self.peer(receive_buffer=4096)
        world = self.world(editor, tick_rate=100, substeps=1)
        positions, triangles = sheet(60, 60, 0.02)
        editor.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles))
        stream = reader.call("stream.subscribe", world=world, every=2, adapt=True)["stream"]
        editor.call("world.play", world=world)
        rates = [2]

        def read(until, slowly=False):
            """43 KB a frame, 50 a second; slowly, at most a fifth of that."""
            deadline = time.monotonic() + PATIENCE_S
            while not until():
                self.assertLess(time.monotonic(), deadline, rates)
                if slowly:
                    reader.take_data(reader.socket.recv(8000))
                    time.sleep(0.02)
                else:
                    reader.pump(0.01)
                while reader.notices:
                    notice = reader.notices.popleft()
                    if notice.method == "stream.rate":
                        self.assertEqual(notice.params["stream"], stream)
                        rates.append(notice.params["every"])

        read(lambda: rates[-1] >= 8, slowly=True)
        # How far up, a reader says that may lack the processor; tests/unit/world/test_rate.c has it go all the way.
        read(lambda: rates[-1] < max(rates))
        self.assertTrue(all(b in (2 * a, a // 2) for a, b in zip(rates, rates[1:])), rates)
        reader.frames.clear()
        read(lambda: len(reader.frames) > 10)
        self.assertTrue(all(frame.params["tick"] % 2 == 0 for frame in reader.frames))


def peer_error(peer, stream, seq):
    """What comes of a wrong acknowledgement that is a notification."""
    peer.notify("stream.ack", stream=stream, seq=seq)
    notice = peer.notice("error")
    return str(notice["error"])


if __name__ == "__main__":
    main()
