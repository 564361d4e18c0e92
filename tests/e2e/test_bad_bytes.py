#!/usr/bin/env python3
"""What is wrong in the stream itself: never the server's end, and never another session's trouble."""

import os
import random
import socket
import struct

import msgpack

from weft_peer import Closed, ServerTest, busy_s, main

PING = msgpack.packb([0, 1, "server.ping", []])


class BadBytes(ServerTest):
    def setUp(self):
        super().setUp()
        self.other = self.peer()
        self.at = self.world(self.other)
        self.other.call("body.add", world=self.at, kind="points", positions=[0, 0, 0])
        self.before = self.other.call("world.hash", world=self.at)

    def tearDown(self):
        self.assertTrue(self.server.alive())
        self.assertEqual(self.other.call("world.hash", world=self.at), self.before)

    def refused_stream(self, data, codes=("PROTOCOL", "LIMIT")):
        """The stream gets one last notification and is closed. Returns its code."""
        peer = self.peer()
        peer.call("server.ping")
        try:
            peer.send_raw(data)
        except OSError:
            pass
        told = [notice for notice in peer.expect_end() if notice.method == "error"]
        self.assertEqual(len(told), 1)
        self.assertEqual(told[0].params["method"], "")
        code = told[0].params["error"][1].split(":")[0]
        self.assertIn(code, codes)
        return code

    def test_what_is_no_messagepack_rpc_is_told_once_and_closed(self):
        for data in (b"\xc1", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00", b"\xc0", b"\x80", b"\x90",
                     msgpack.packb([3, 1, "server.ping", []]), msgpack.packb([0, 1, "server.ping"]),
                     msgpack.packb([0, -1, "server.ping", []]), msgpack.packb([0, 2**32, "server.ping", []]),
                     msgpack.packb([0, 1, 7, []]), msgpack.packb([2, "x"]), msgpack.packb(["0", 1, "x", []]),
                     msgpack.packb({"method": "server.ping"}), msgpack.packb("server.ping")):
            with self.subTest(data=data[:30]):
                self.refused_stream(data, codes=("PROTOCOL",))

    def test_a_few_bytes_that_claim_a_billion_elements_are_refused_at_once(self):
        for data in (b"\xdd\x3b\x9a\xca\x00", b"\xdf\x3b\x9a\xca\x00", b"\xc6\x3b\x9a\xca\x00", b"\xdb\x3b\x9a\xca\x00",
                     b"\xc9\x3b\x9a\xca\x00\x17", b"\xdd\xff\xff\xff\xff",
                     b"\x94\x00\x01\xa8body.add\x91\x81\xa9positions\xdd\x3b\x9a\xca\x00"):
            with self.subTest(data=data[-6:]):
                self.refused_stream(data)  # what they claim never comes

    def test_messages_too_deep_too_wide_or_too_large_are_refused(self):
        self.refused_stream(b"\x91" * 40)
        self.refused_stream(b"\x94\x00\x01\xabserver.ping" + b"\x91" * 17 + b"\xc0")
        self.refused_stream(b"\x81\xa1a" * 30)
        limits = self.other.call("server.info")["limits"]
        nodes = limits["message_nodes"]
        self.refused_stream(b"\x94\x00\x01\xabserver.ping\xdd" + struct.pack(">I", nodes + 1))
        self.refused_stream(b"\x94\x00\x01\xabserver.ping\xc6" + struct.pack(">I", limits["message_bytes"]))

    def test_the_deepest_message_allowed_is_read(self):
        depth = self.other.call("server.info")["limits"]["message_depth"]
        peer = self.peer()
        peer.send_raw(b"\x94\x00\x01\xabserver.ping" + b"\x91" * (depth - 1) + b"\xc0")
        peer.wait(lambda: 1 in peer.answers)
        self.assertTrue(peer.answers[1][0][1].startswith("INVALID: "))

    def test_noise_harms_nobody(self):
        chance = random.Random(7)
        for round_number in range(60):
            peer = self.peer()
            kind = round_number % 3
            if kind == 0:
                data = chance.randbytes(chance.randrange(1, 4000))
            else:
                data = bytearray(msgpack.packb([0, 1, "body.add", [{
                    "world": self.at + 1000, "kind": "cloth", "positions": [0.0] * 9, "triangles": [0, 1, 2],
                    "stretch": {"compliance": 0.5}, "masses": [1.0]}]]))
                for _ in range(1 + round_number // 10):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                peer.send_raw(bytes(data))
                peer.finish()
            except (Closed, OSError):
                pass
            peer.close()
        self.other.call("server.ping")

    def test_a_message_that_drips_in_is_answered(self):
        peer = self.peer()
        data = msgpack.packb([0, 1, "session.hello", [{"client": "drip", "user": "slow"}]])
        for index in range(len(data)):
            peer.send_raw(data[index:index + 1])
            if index % 8 == 0:
                self.other.call("server.ping")  # what was sent is read by now
        self.assertEqual(peer.answer(1)["user"], "slow")

    def test_a_large_message_in_small_pieces_costs_linear_time(self):
        peer = self.peer()

        def drip(floats):
            data = msgpack.packb([0, 1, "body.add", [{"world": 4_000_000_000, "kind": "points",
                                                       "positions": [0.5] * floats}]])
            began_s = busy_s(self.server)
            for at in range(0, len(data), 512):
                peer.send_raw(data[at:at + 512])
            with self.assertRaisesRegex(Exception, "NOT_FOUND"):
                peer.answer(1)
            return busy_s(self.server) - began_s

        drip(3000)
        small, large = drip(60_000), drip(480_000)
        print(f"\n0.5 MB in 512-byte pieces: {small:.3f} s of processor time, 4.3 MB: {large:.3f} s")
        # Quadratic time would make it 64-fold.
        self.assertLess(large, 24 * small)

    def test_many_messages_in_one_piece_are_all_answered(self):
        peer = self.peer()
        peer.send_raw(b"".join(msgpack.packb([0, msgid, "server.ping", []]) for msgid in range(1, 2001)))
        for msgid in range(1, 2001):
            peer.answer(msgid)

    def test_a_peer_that_vanishes_in_the_middle_of_a_message_takes_nothing_along(self):
        sessions = self.other.call("server.stats")["sessions"]
        whole = msgpack.packb([0, 1, "body.add", [{"world": self.at, "kind": "points",
                                                    "positions": [0.0] * 30000}]])
        for cut in (1, 4, 11, 40, len(whole) // 2, len(whole) - 1):
            peer = self.server.peer()
            peer.send_raw(whole[:cut])
            if cut % 2:
                # Reset instead of an orderly end.
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
        self.other.until(lambda: self.other.call("server.stats")["sessions"] == sessions,
                         "the end of the sessions")

    def test_what_nobody_awaits_is_counted_and_ignored(self):
        peer = self.peer()
        before = peer.call("server.stats")["notifications_ignored"]
        for _ in range(50):
            peer.send_raw(msgpack.packb([2, "nvim_error_event", [1, "no such method"]]))
            peer.send_raw(msgpack.packb([1, 999, None, None]))
            peer.send_raw(msgpack.packb([1, 999, [1, "INVALID: x"], None]))
        self.assertEqual(peer.call("server.stats")["notifications_ignored"] - before, 150)
        peer.fence()
        self.assertEqual(list(peer.notices), [])

    def test_a_peer_that_ends_its_writing_still_gets_its_answers(self):
        peer = self.peer()
        peer.send_raw(PING)
        peer.socket.shutdown(socket.SHUT_WR)
        self.assertIn("time_us", peer.answer(1))

    def test_memory_of_unfinished_messages_is_bounded(self):
        before = self.resident_bytes()
        peers = []
        for _ in range(30):
            peer = self.server.peer()
            peers.append(peer)
            # Each announces 60 MB and sends little of it.
            peer.send_raw(b"\x94\x00\x01\xabserver.ping\xc6" + struct.pack(">I", 60_000_000) + bytes(100_000))
        self.other.call("server.ping")
        grown = self.resident_bytes() - before
        for peer in peers:
            peer.close()
        self.other.call("server.ping")
        print(f"\n30 peers that announced 60 MB each and sent 0.1 MB: {grown / 1e6:.0f} MB more")
        self.assertLess(grown, 300e6)

    def resident_bytes(self):
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
