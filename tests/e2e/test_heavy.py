#!/usr/bin/env python3
"""Heavy messages: what they may cost the server and everybody else is counted before it is spent."""

import signal
import struct
import time
import unittest

import msgpack

from weft_peer import PATIENCE_S, SLOW, Closed, Server, ServerTest, WeftError, busy_s, main


def packed(msgid, method, **fields):
    """A request with values that are packed already, as bytes."""
    names = b"".join(msgpack.packb(name) + value for name, value in fields.items())
    return b"\x94\x00" + msgpack.packb(msgid) + msgpack.packb(method) + b"\x91\xde" + struct.pack(
        ">H", len(fields)) + names


def small_integers(count):
    return b"\xdd" + struct.pack(">I", count) + b"\x01" * count


def peak_bytes(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))


class Heavy(ServerTest):
    def test_what_messages_unpack_to_is_bounded_over_all_of_them(self):
        limits = self.peer().call("server.info")["limits"]
        peer, other = self.peer(), self.peer()
        other.call("server.ping")  # who says nothing for long is cut
        world = self.world(peer)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        peer.call("world.set", world=world, gravity=[0, 0, 0])
        step = peer.request("world.step", world=world, ticks=1_000_000_000)
        # Each unpacks to 24 times its size, and waits behind the step.
        count = 4_000_000
        many = limits["unpacked_bytes"] // (25 * count) + 3
        for msgid in range(1000, 1000 + many):
            peer.send_raw(packed(msgid, "particle.unpin", world=msgpack.packb(world), body=b"\x01",
                                 particles=small_integers(count)))
        peer.wait(lambda: 1000 + many - 1 in peer.answers, 60 * SLOW)
        busy = [msgid for msgid in peer.answers if msgid >= 1000]
        # At least one waits; what those that do take together is within the first bound that is reached.
        self.assertLess(len(busy), many)
        for msgid in busy:
            self.assertRegex(peer.answers[msgid][0][1], r"^BUSY: .*\(limit (unpacked|session_request|world_request)_bytes")
        if SLOW == 1:
            self.assertLess(peak_bytes(self.server), limits["unpacked_bytes"] + 300e6)
        # Whoever waits is served, and what was charged is given back.
        other.call("server.ping")
        other.call("world.pause", world=world)
        peer.answer(step)
        for msgid in range(1000, 1000 + many):
            peer.wait(lambda: msgid in peer.answers, 60 * SLOW)
        peer.send_raw(packed(5000, "particle.unpin", world=msgpack.packb(world), body=b"\x01",
                             particles=small_integers(count)))
        peer.wait(lambda: 5000 in peer.answers, 60 * SLOW)
        self.assertTrue(peer.answers[5000][0][1].startswith("INVALID: "), peer.answers[5000])

    def test_lists_are_counted_before_they_are_decoded(self):
        peer = self.peer()
        before = peak_bytes(self.server)
        bodies = b"\xdd" + struct.pack(">I", 800_000) + b"\x80" * 800_000
        document = b"\x82" + msgpack.packb("format") + b"\x01" + msgpack.packb("bodies") + bodies
        peer.send_raw(packed(77, "world.open", document=document))
        peer.wait(lambda: 77 in peer.answers, 60 * SLOW)
        self.assertRegex(peer.answers[77][0][1], r"^LIMIT: document\.bodies: 800000 of them; at most 4096")
        if SLOW == 1:
            self.assertLess(peak_bytes(self.server) - before, 200e6)

    def test_large_messages_without_a_world_are_refused_as_small_ones_are(self):
        peer = self.peer()
        world = self.world(peer)
        positions = b"\xdd" + struct.pack(">I", 3_000_000) + b"\xca\x3f\x00\x00\x00" * 3_000_000
        cases = {
            b"\xcd\x03\xe7": r"^NOT_FOUND: no world 999",
            b"\xcb" + struct.pack(">d", 999.0): r"^NOT_FOUND: no world 999",
            b"\xc3": r"^INVALID: world: true",
            b"\xcb" + struct.pack(">d", world): None,
        }
        for msgid, (value, expected) in enumerate(cases.items(), 100):
            peer.send_raw(packed(msgid, "body.add", kind=msgpack.packb("points"), positions=positions, world=value))
            peer.wait(lambda: msgid in peer.answers, 60 * SLOW)
            if expected:
                self.assertRegex(peer.answers[msgid][0][1], expected)
            else:
                self.assertIsNone(peer.answers[msgid][0])
        # What the server answers itself takes the same way.
        peer.send_raw(packed(200, "session.hello", client=b"\xdb" + struct.pack(">I", 2_000_000) + b"a" * 2_000_000))
        peer.wait(lambda: 200 in peer.answers, 60 * SLOW)
        self.assertIn("name_bytes", peer.answers[200][0][1])


class HeavyBrim(unittest.TestCase):
    def test_who_fills_the_room_for_messages_locks_nobody_out(self):
        server = Server("--threads", "2")
        self.addCleanup(server.kill)

        def joins():
            peer = server.peer()
            self.addCleanup(peer.close)
            return peer

        honest, full = joins(), 0
        honest.call("world.create", name="honest")
        for _ in range(24):
            peer, offset, size = joins(), 0, 32 << 20
            while size > 0:
                try:
                    peer.call("world.upload", offset=offset, data=bytes(size))
                    offset += size
                except WeftError as error:
                    full += error.code == "BUSY"
                    size //= 4
        # What is left goes to edits that wait behind their session's step.
        last = joins()
        last.call("world.create", name="greedy", gravity=[0, 0, 0])
        last.request("world.step", world="greedy", ticks=1_000_000_000)
        for _ in range(200):
            last.request("world.set", world="greedy", damping=1.0)
        honest.steady(lambda stats: stats["requests"])
        self.assertGreater(full, 0)
        for _ in range(30):
            honest.call("server.ping")
            honest.call("world.set", world="honest", damping=1.0)


class HeavyEnd(unittest.TestCase):
    def test_the_end_does_not_wait_for_messages_that_are_being_decoded(self):
        server = Server()
        self.addCleanup(server.kill)
        world = None
        peers = [server.peer() for _ in range(8)]
        for peer in peers:
            self.addCleanup(peer.close)
            world = world or peer.call("world.create", name="end")["world"]
        # As much as one message may hold; all of them together take many seconds.
        count = 1_300_000
        positions = b"\xc6" + struct.pack(">I", 36 * count) + struct.pack("<f", 1.0) * (9 * count)
        triangles = b"\xdd\x00\x00\x00\x03\x00\x01\x02"
        busy = busy_s(server)
        for peer in peers:
            peer.send_raw(packed(9, "body.add", world=msgpack.packb(world), kind=msgpack.packb("cloth"),
                                 triangles=triangles, positions=positions))
        deadline = time.monotonic() + PATIENCE_S
        while busy_s(server) - busy < 0.5:  # some of them are being decoded
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)
        server.signal(signal.SIGTERM)
        # A sanitizer looks for leaks after it.
        server.line(r"^info: down$|^warn: time is up: what is still under way is dropped$")
        self.assertEqual(server.wait(), 0, "\n".join(server.lines[-20:]))
        refused = 0
        for peer in peers:
            try:
                while True:
                    peer.pump(PATIENCE_S)
            except (Closed, WeftError, OSError):
                refused += 9 in peer.answers
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    main()
