#!/usr/bin/env python3
"""What one who asks for too much costs the others: memory, time, and the end of the server."""

import signal
import threading
import unittest

import msgpack

from weft_peer import PATIENCE_S, SLOW, Closed, Server, ServerTest, WeftError, busy_s, ext, main, sheet


def resident_bytes(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return 1024 * int(line.split()[1])


def points(peer, world, count):
    return peer.call("body.add", world=world, kind="points", positions=msgpack.ExtType(0x17, bytes(12 * count)))["body"]


def heavy(peer, world, seconds_about=8):
    """A world whose tick is as long as may be: few particles, many sweeps."""
    positions, triangles = sheet(60, 60)
    peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
              pins=[0, 59])
    limit = peer.call("server.info")["limits"]["tick_work"]
    constraints = peer.call("world.get", world=world)["constraints"]
    sweeps = int(limit * min(1, seconds_about / 8) / constraints * 0.98)
    peer.call("world.set", world=world, substeps=1000, iterations=max(1, sweeps // 1000), calm=False, gravity=[0, 0, 0],
              long_edges=False, bending="swept")


class Crowd(ServerTest):
    def test_answers_that_nobody_reads_do_not_pile_up(self):
        greedy, other = self.peer(receive_buffer=4096), self.peer()
        world = self.world(other)
        body = points(other, world, 200_000)
        size = len(msgpack.packb(bytes(12 * 200_000)))
        other.call("body.state", world=world, body=body)
        before = resident_bytes(self.server)
        for _ in range(30):
            greedy.request("body.state", world=world, body=body)
        other.steady(lambda stats: stats["requests"])
        # Others are served, and the world goes on.
        for _ in range(20):
            other.call("world.set", world=world, damping=1)
        grown = resident_bytes(self.server) - before
        print(f"\n30 answers of {size / 1e6:.1f} MB and more that nobody reads: {grown / 1e6:.0f} MB")
        if SLOW == 1:  # sanitizers keep what is freed
            self.assertLess(grown, 30e6)
        # Who reads after all gets every one of them, in order.
        for msgid in range(1, 31):
            self.assertEqual(greedy.answer(msgid)["body"], body)

    def test_small_queries_pass_by_a_session_that_asks_for_large_answers(self):
        greedy, other = self.peer(), self.peer()
        world = self.world(other)
        body = points(other, world, 200_000)
        stop = threading.Event()

        def ask():
            while not stop.is_set():
                ids = [greedy.request("body.state", world=world, body=body) for _ in range(30)]
                for msgid in ids:
                    greedy.answer(msgid)

        asker = threading.Thread(target=ask)
        asker.start()
        before = other.call("server.stats")["bytes_out"]
        size = 12 * 200_000
        try:
            other.until(lambda: other.call("server.stats")["bytes_out"] - before > 10 * size, "large answers")
            # One may be under way, and one of a line; behind all of them each edit would wait for thirty.
            least = other.served_beside(lambda stats: stats["bytes_out"], most=5 * 3 * size, rounds=5,
                                        call=lambda: other.call("world.set", world=world, damping=1))
        finally:
            stop.set()
            asker.join()
        print(f"\n{least / size:.1f} large answers left beside 5 edits")

    def test_requests_that_wait_behind_a_step_are_bounded_in_bytes(self):
        peer = self.peer()
        world = self.world(peer, gravity=[0, 0, 0])
        points(peer, world, 1)
        limit = peer.call("server.info")["limits"]["session_request_bytes"]
        step = peer.request("world.step", world=world, ticks=1_000_000_000)
        each = 12 * 700_000
        # Refused in the end, since the body has one particle: they cost nothing but what they take while they wait.
        message = {"world": world, "body": 1, "particles": [0], "positions": msgpack.ExtType(0x17, bytes(each))}
        ids = []
        before = resident_bytes(self.server)
        for _ in range(40):
            peer.next_id += 1
            ids.append(peer.next_id)
            peer.send_raw(msgpack.packb([0, peer.next_id, "particle.set", [message]]))
        # Those for which there is no room are told at once, though the step runs on.
        peer.wait(lambda: ids[-1] in peer.answers, 60 * SLOW)
        self.assertNotIn(step, peer.answers)
        error = peer.answers[ids[-1]][0]
        self.assertTrue(error[1].startswith("BUSY"), error)
        self.assertIn(f"session_request_bytes = {limit}", error[1])
        grown = resident_bytes(self.server) - before
        print(f"\n40 edits of {each / 1e6:.1f} MB behind a step: {grown / 1e6:.0f} MB")
        if SLOW == 1:
            self.assertLess(grown, 2 * limit)
        peer.call("world.pause", world=world)
        self.assertIn(step, peer.answers)
        busy = [msgid for msgid in ids if peer.answers[msgid][0][1].startswith("BUSY")]
        self.assertEqual(busy, ids[limit // each:], "those that came last")

    def test_a_tick_that_would_be_too_long_is_refused_by_the_limits_name(self):
        peer = self.peer()
        world = self.world(peer)
        positions, triangles = sheet(30, 30)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        error = self.refused("LIMIT", peer, "world.set", world=world, substeps=1000, iterations=1000)
        self.assertIn("limit tick_work", error.text)
        self.assertEqual(peer.call("world.get", world=world)["substeps"], 20)
        empty = self.world(peer, name="empty", substeps=1000, iterations=1000)
        error = self.refused("LIMIT", peer, "body.add", world=empty, kind="cloth", positions=positions,
                             triangles=triangles)
        self.assertIn("limit tick_work", error.text)
        document = peer.call("world.save", world=world)["document"]
        document["settings"].update(substeps=1000, iterations=1000)
        error = self.refused("LIMIT", peer, "world.open", document=document)
        self.assertIn("limit tick_work", error.text)

    def test_rates_that_no_clock_can_follow_are_refused(self):
        peer = self.peer()
        world = self.world(peer)
        for rate in (1e-300, 1e-7):
            self.assertIn("rate", self.refused("INVALID", peer, "world.play", world=world, rate=rate).text)
        peer.call("world.play", world=world, rate=1e-6)
        peer.call("world.play", world=world, rate=1000)

    def test_readers_live_through_an_editor_without_pause(self):
        editor, readers = self.peer(), [self.peer() for _ in range(4)]
        world = self.world(editor)
        body = points(editor, world, 10)
        for reader in readers:
            reader.call("world.join", world=world)
        count, window = 20_000 // SLOW, 200
        seen = [0] * len(readers)
        ends = []

        def read(index):
            try:
                while seen[index] < count:
                    readers[index].pump(PATIENCE_S)
                    seen[index] += sum(notice.method == "world.edited" for notice in readers[index].notices)
                    readers[index].notices.clear()
            except Closed as error:
                ends.append((index, str(error)))

        threads = [threading.Thread(target=read, args=(index,)) for index in range(len(readers))]
        for thread in threads:
            thread.start()
        packed = msgpack.packb({"world": world, "body": body, "particles": [0], "positions": [0, 1, 0]})
        for first in range(0, count, window):
            # As fast as they read: who falls behind for good is cut.
            editor.until(lambda least=first - 4 * window: min(seen) >= least or ends, "what readers read")
            editor.send_raw(b"".join(b"\x94\x00" + msgpack.packb(1000 + first + index) + b"\xacparticle.set\x91" + packed
                                     for index in range(window)))
            editor.wait(lambda last=1000 + first + window - 1: last in editor.answers, 60 * SLOW)
            editor.answers.clear()
        for thread in threads:
            thread.join()
        self.assertEqual(ends, [])
        self.assertEqual(seen, [count] * len(readers))


class GivenBack(unittest.TestCase):
    def test_the_memory_of_a_world_goes_with_it(self):
        server = Server("--threads", "2")
        self.addCleanup(server.kill)
        with server.peer() as peer, server.peer() as other:
            other.call("world.create", name="stays")
            before = resident_bytes(server)
            peer.call("world.create", name="goes")
            positions, triangles = sheet(300, 300)
            for _ in range(3):
                body = peer.call("body.add", world="goes", kind="cloth", positions=ext("f", positions),
                                 triangles=ext("I", triangles))["body"]
                peer.call("body.state", world="goes", body=body)
            grown = resident_bytes(server) - before
            peer.call("world.delete", world="goes")
            if SLOW == 1:  # sanitizers keep what is freed
                other.until(lambda: resident_bytes(server) - before < grown / 4, "the memory")
            print(f"\n{grown / 1e6:.0f} MB for a world, {(resident_bytes(server) - before) / 1e6:.0f} MB when it is gone")


class LongTicks(unittest.TestCase):
    def setUp(self):
        self.server = Server("--threads", "2")
        self.addCleanup(self.server.kill)

    def test_many_worlds_with_long_ticks_do_not_hold_up_who_edits(self):
        with self.server.peer() as peer, self.server.peer() as other:
            other.call("world.create", name="small")
            for index in range(40):
                world = peer.call("world.create", name=f"long-{index}")["world"]
                positions, triangles = sheet(30, 30)
                peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0, 29])
                peer.call("world.set", world=world, substeps=100)
                peer.request("world.play", world=world, rate=0)
            other.until(lambda: other.call("server.stats")["ticks"] > 80, "their ticks")
            # In turns with all of them each edit would wait for forty.
            least = other.served_beside(lambda stats: stats["ticks"], most=10 * 15, rounds=10,
                                        call=lambda: other.call("world.set", world="small", damping=1))
            print(f"\n{least} long ticks beside 10 edits of another world")

    def test_as_many_long_ticks_as_there_are_threads_stop_nobody(self):
        with self.server.peer() as peer, self.server.peer() as other:
            for name in ("one", "two"):
                peer.call("world.create", name=name)
                heavy(peer, name)
            small = other.call("world.create", name="small")["world"]
            points(other, small, 100)
            for name in ("one", "two"):
                self.assertEqual(peer.call("world.play", world=name)["tick"], 0)
                self.assertEqual(peer.call("world.get", world=name)["tick"], 0, "the answer leaves before the tick")
            busy = busy_s(self.server)
            peer.until(lambda: busy_s(self.server) > busy + 0.2, "both ticks are under way")
            self.assertEqual(other.call("world.step", world=small, ticks=20)["tick"], 20)
            # What is published needs no boundary: both are in their first tick, as they were before these 20.
            for name in ("one", "two"):
                self.assertEqual(other.call("world.get", world=name)["tick"], 0)
            # Deletion ends the tick.
            edit = other.request("world.set", world="two", damping=1)
            other.fence()
            self.assertEqual(peer.call("world.delete", world="two")["tick"], 0)
            with self.assertRaises(WeftError) as caught:
                other.answer(edit)
            self.assertEqual(caught.exception.code, "NOT_FOUND")
            # And so does the end of the server, whoever waits.
            step = other.request("world.step", world=small, ticks=1_000_000_000)
            edit = other.request("world.set", world="one", damping=1)
            other.fence()
            self.server.signal(signal.SIGTERM)
            other.expect_end()
            self.assertEqual(self.server.wait(), 0, "\n".join(self.server.lines[-20:]))
            self.assertIn(step, other.answers)
            self.assertTrue(other.answers[edit][0][1].startswith("SHUTDOWN"), other.answers[edit])

    def test_large_answers_that_wait_do_not_hold_up_the_end(self):
        with self.server.peer() as peer, self.server.peer(receive_buffer=4096) as greedy:
            peer.call("world.create", name="large")
            body = points(peer, "large", 300_000)
            for _ in range(250):
                greedy.request("body.state", world="large", body=body)
                peer.request("body.state", world="large", body=body)
            with self.server.peer() as other:
                other.steady(lambda stats: stats["requests"])
            self.server.signal(signal.SIGTERM)
            self.assertEqual(self.server.wait(), 0)  # nobody reads them


if __name__ == "__main__":
    main()
