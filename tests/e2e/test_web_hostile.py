#!/usr/bin/env python3
"""Peers over HTTP and WebSockets that break the rules: each gets the status or the close code that says so, at a
bounded price, and nobody else notices."""

import os
import random
import struct

import msgpack

from web_peer import (BINARY, CLOSE, PING, PONG, TEXT, WebPeer, WebServerTest, connect, fetch, frame,
                      handshake_request, read_answer)
from weft_peer import KEPT_BYTES, SLOW, Closed, ext, main, sheet

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class Hostile(WebServerTest):
    def setUp(self):
        super().setUp()
        self.other = self.peer()
        self.friend = self.web()
        self.at = self.world(self.other)
        self.other.call("body.add", world=self.at, kind="points", positions=[0, 0, 0])
        self.before = self.other.call("world.hash", world=self.at)

    def tearDown(self):
        self.assertTrue(self.server.alive())
        self.assertEqual(self.friend.call("world.hash", world=self.at), self.before)
        self.assertEqual(fetch(self.server.http, "/healthz").status, 200)

    def resident_bytes(self):
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def files(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))


class Frames(Hostile):
    def closed(self, code, *frames, notices=0):
        """What is sent ends the connection with this code. Returns the reason."""
        ws = self.web()
        try:
            ws.send_bytes(b"".join(frames))
        except OSError:
            pass
        told = ws.expect_code(code)
        self.assertEqual(len(told), notices)
        ws.close()
        return ws.closed_with[1]

    def test_unmasked_frames(self):
        ping = msgpack.packb([0, 1, "server.ping", []])
        self.assertIn("mask", self.closed(1002, frame(BINARY, ping, mask=None)))
        self.closed(1002, frame(PING, b"", mask=None))
        self.closed(1002, frame(CLOSE, b"", mask=None))
        self.closed(1002, frame(BINARY, size=1 << 40, mask=None))

    def test_text(self):
        for payload in (b"hello", b"", b"\xff\xfe", "ä".encode(), b"\xed\xa0\x80"):
            self.assertIn("MessagePack", self.closed(1003, frame(TEXT, payload)))
        self.closed(1003, frame(TEXT, b"part", final=False))

    def test_opcodes_that_are_none(self):
        for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
            self.closed(1002, frame(opcode, b"x"))
            self.closed(1002, frame(opcode))

    def test_reserved_bits(self):
        for bits in range(1, 8):
            self.assertIn("extension", self.closed(1002, frame(BINARY, b"\x90", reserved=bits)))
        self.closed(1002, frame(PING, reserved=4))

    def test_lengths_that_are_none(self):
        self.closed(1002, b"\x82\xff" + struct.pack(">Q", 1 << 63) + b"mask")
        self.closed(1002, b"\x82\xff" + struct.pack(">Q", 5) + b"mask12345")
        self.closed(1002, b"\x82\xfe" + struct.pack(">H", 125) + b"mask")

    def test_frames_that_are_too_large(self):
        limit = self.other.call("server.info")["limits"]["message_bytes"]
        self.assertTrue(self.closed(1009, frame(BINARY, size=limit + 1), notices=1))
        self.closed(1009, frame(BINARY, size=(1 << 63) - 1), notices=1)
        self.closed(1009, frame(BINARY, b"\x92\xc0", final=False), frame(0, size=limit - 1), notices=1)

    def test_control_frames_that_are_none(self):
        for opcode in (CLOSE, PING, PONG):
            self.closed(1002, frame(opcode, bytes(126)))
            self.closed(1002, frame(opcode, b"x", final=False))

    def test_fragments_in_disorder(self):
        self.closed(1002, frame(0, b"x"))
        self.closed(1002, frame(0, b"x", final=False))
        self.closed(1002, frame(BINARY, b"\x92", final=False), frame(BINARY, b"\xc0"))
        self.closed(1003, frame(TEXT, b"\x92", final=False), frame(0, b"\xc0"))

    def test_fragments_without_end(self):
        self.closed(1008, frame(BINARY, b"\xc6\x00\x10\x00\x00", final=False), frame(0, final=False) * 1200)
        # Each with a byte, until the message that they claim to be is too large for what is left of all limits.
        ws = self.web()
        ws.send_bytes(frame(BINARY, b"\xc6\x00\x00\xff\xff", final=False))
        ws.send_bytes(frame(0, b"x", final=False) * 0xffff)
        ws.send_bytes(frame(0, b"y", final=False))
        self.assertEqual(ws.expect_code(1007)[0].method, "error")  # more than the message it held

    def test_close_frames_that_are_none(self):
        self.closed(1002, frame(CLOSE, b"\x03"))
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535):
            self.closed(1002, frame(CLOSE, struct.pack(">H", code)))
        self.closed(1007, frame(CLOSE, b"\x03\xe8\xff\xff"))

    def test_nothing_is_taken_behind_a_close(self):
        ws = self.web()
        ws.send_bytes(frame(CLOSE, b"\x0b\xb8") + frame(BINARY, msgpack.packb(
            [0, 1, "body.add", [{"world": self.at, "kind": "points", "positions": [0, 0, 0]}]])))
        self.assertEqual(ws.expect_code(3000), [])

    def test_noise_after_the_handshake(self):
        chance = random.Random(11)
        codes = set()
        for round_number in range(80):
            ws = self.web()
            data = bytearray(chance.randbytes(chance.randrange(1, 400)))
            if round_number % 2:  # frames that begin well
                data = bytearray(frame(BINARY, bytes(data)) * 3)
                for _ in range(3):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                ws.send_bytes(bytes(data))
                ws.finish()
            except (Closed, OSError):
                pass
            if ws.closed_with:
                codes.add(ws.closed_with[0])
            ws.close()
        self.assertLessEqual(codes - {None}, {1002, 1003, 1007, 1008, 1009})
        self.assertIn(1002, codes)

    def test_peers_that_leave_in_the_middle(self):
        whole = frame(BINARY, msgpack.packb([0, 1, "body.add", [{"world": self.at, "kind": "points",
                                                                  "positions": [0.0] * 30000}]]))
        for cut in (1, 2, 5, 9, 13, 14, 15, len(whole) // 2, len(whole) - 1):
            ws = self.web()
            ws.send_bytes(whole[:cut])
            ws.close()
        self.wait_for(lambda: self.other.call("server.stats")["sessions"] == 2, "the end of the sessions")

    def test_a_peer_that_is_half_closed_gets_its_answers(self):
        ws = self.web()
        ws.request("server.ping")
        ws.socket.shutdown(1)
        self.assertIn("time_us", ws.answer(1))
        ws.expect_code(1000)


class Heads(Hostile):
    def status(self, data, status, ends=True):
        with connect(self.server.http) as plain:
            try:
                plain.sendall(data)
            except OSError:
                pass
            answer, _ = read_answer(plain)
            self.assertEqual(answer.status, status, data[:60])
            if ends:
                self.assertIn("close", answer.fields["connection"])
                self.assertEqual(plain.recv(1), b"")
            return answer

    def test_what_is_no_request(self):
        host = b"Host: a\r\n"
        for data, status in ((b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET / HTTP/1.1\n" + host + b"\n", 400),
                             (b"GET / HTTP/1.1\r\n" + host * 2 + b"\r\n", 400),
                             (b"GET / HTTP/1.1\r\n" + host + b"A : b\r\n\r\n", 400),
                             (b"GET / HTTP/1.1\r\n" + host + b" folded\r\n\r\n", 400),
                             (b"GET / HTTP/1.1\r\n" + host + b"A: \x00\r\n\r\n", 400),
                             (b"GET http://a/ HTTP/1.1\r\n" + host + b"\r\n", 400),
                             (b"GET / HTTP/1.1 \r\n" + host + b"\r\n", 400),
                             (b"\r\nGET / HTTP/1.1\r\n" + host + b"\r\n", 400),
                             (b"GET / HTTP/2.0\r\n" + host + b"\r\n", 505), (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
                             (b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc", 405),
                             (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc", 413),
                             (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 0\r\nContent-Length: 9\r\n\r\n", 413),
                             (b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
                             (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + host + b"\r\n", 431),
                             (b"GET / HTTP/1.1\r\n" + host + b"A: " + b"b" * 9000 + b"\r\n\r\n", 431),
                             (b"GET / HTTP/1.1\r\n" + host + b"A: b\r\n" * 70 + b"\r\n", 431),
                             (b"\x16\x03\x01\x02\x00\x01\x00", 400), (msgpack.packb([0, 1, "server.ping", []]), 400)):
            with self.subTest(data=data[:50]):
                self.status(data, status)

    def test_what_comes_behind_a_refused_head_is_no_request(self):
        with connect(self.server.http) as plain:
            plain.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n"
                          b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
            answer, rest = read_answer(plain)
            self.assertEqual(answer.status, 405)
            while data := plain.recv(4096):
                rest += data
            self.assertEqual(rest, b"")

    def test_handshakes_that_are_wrong(self):
        address = self.server.http

        def refused(status, request):
            return self.status(request, status, ends=False)

        whole = handshake_request(address, KEY)
        for field, status in ((b"Upgrade: websocket\r\n", 426), (b"Connection: Upgrade\r\n", 426),
                              (b"Sec-WebSocket-Version: 13\r\n", 426),
                              (f"Sec-WebSocket-Key: {KEY}\r\n".encode(), 400),
                              (f"Host: {address}\r\n".encode(), 400)):
            with self.subTest(without=field):
                refused(status, whole.replace(field, b""))
        self.assertEqual(refused(426, whole.replace(b": 13", b": 12")).fields["sec-websocket-version"], "13")
        for key in ("", "short", KEY[:-1], KEY + "=", "*" * 24, KEY[:-3] + "R=="):
            with self.subTest(key=key):
                refused(400, handshake_request(address, key))
        refused(400, handshake_request(address, KEY, [f"Sec-WebSocket-Key: {KEY}"]))
        refused(405, whole.replace(b"GET", b"POST"))
        refused(413, handshake_request(address, KEY, ["Content-Length: 2"]))
        refused(404, handshake_request(address, KEY, path="/ws/"))
        with connect(address) as plain:
            plain.sendall(whole.replace(b"GET", b"HEAD"))
            self.assertEqual(read_answer(plain, body=False)[0].status, 426)

    def test_origins(self):
        port = self.server.http.rsplit(":", 1)[1]

        def answer(origin, host=None):
            request = handshake_request(host or self.server.http, KEY, [f"Origin: {origin}"])
            with connect(self.server.http) as plain:
                plain.sendall(request)
                return read_answer(plain)[0].status

        for origin in (f"http://127.0.0.1:{port}", f"http://localhost:{port}", "http://localhost:5173",
                       "http://127.0.0.1", "https://[::1]:8443"):
            self.assertEqual(answer(origin), 101, origin)
        for origin in ("http://evil.example", f"http://evil.example:{port}", "null", "",
                       "http://127.0.0.1.evil.example", f"http://127.0.0.1:{port}@evil.example", "file://",
                       "chrome-extension://abc", "http://localhost.evil.example", "http://192.168.1.1"):
            self.assertEqual(answer(origin), 403, origin)
        # A name of the outside that was made to point here.
        self.assertEqual(answer("http://evil.example", "evil.example"), 403)
        self.assertEqual(answer(f"http://evil.example:{port}", f"evil.example:{port}"), 403)
        with connect(self.server.http) as plain:
            plain.sendall(handshake_request(self.server.http, KEY, ["Origin: http://localhost",
                                                                    "Origin: http://evil.example"]))
            self.assertEqual(read_answer(plain)[0].status, 400)

    def test_others_are_served_beside_heads_that_drip(self):
        """When such a one is cut off is looked at in tests/unit/net/test_http.c."""
        slow = [connect(self.server.http) for _ in range(50)]
        for plain in slow:
            plain.sendall(b"GET / HTTP/1.1\r\nX-A: ")
        for _ in range(20):
            self.assertEqual(fetch(self.server.http, "/healthz").status, 200)
            for plain in slow:
                plain.sendall(b"b")
        for plain in slow:
            plain.close()

    def test_a_flood_of_connections_leaves_room_for_new_ones(self):
        before, files = self.resident_bytes(), self.files()
        flood = []
        try:
            for _ in range(600):
                flood.append(connect(self.server.http))
            self.assertEqual(fetch(self.server.http, "/healthz").status, 200)
            self.assertLess(self.files() - files, 300)
            self.web().call("server.ping")
            self.assertLess(self.resident_bytes() - before, 60e6 + KEPT_BYTES)
        finally:
            for plain in flood:
                plain.close()
        self.wait_for(lambda: self.files() <= files + 3, "the end of the flood")

    def test_answers_that_nobody_reads_cost_little(self):
        before = self.resident_bytes()
        stuck = []
        for _ in range(100):
            plain = connect(self.server.http, receive_buffer=4096)
            plain.settimeout(0.05)
            stuck.append(plain)
            try:
                plain.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2000)
            except TimeoutError:
                pass
        self.assertEqual(fetch(self.server.http, "/healthz").status, 200)
        grown = self.resident_bytes() - before
        print(f"\n100 peers that ask 2000 times and do not read: {grown / 1e6:.1f} MB more")
        self.assertLess(grown, 80e6 + KEPT_BYTES)
        for plain in stuck:
            plain.close()


    def test_answers_that_nobody_reads_give_way_to_new_connections(self):
        stuck = []
        for _ in range(300):
            plain = connect(self.server.http, receive_buffer=4096)
            plain.settimeout(0.05)
            stuck.append(plain)
            try:
                plain.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1000)
            except OSError:
                pass

        def served():
            try:
                return fetch(self.server.http, "/healthz").status == 200
            except (Closed, OSError):
                return False

        self.wait_for(served, "room for a connection")
        for plain in stuck:
            plain.close()
        self.wait_for(lambda: served() and self.metrics()[0]["weft_http_connections"] < 50, "their end")


class Slow(Hostile):
    """Backpressure, as on TCP."""

    def stream_world(self, side=200):
        world = self.world(self.other, name="streamed", substeps=1)  # it is the frames that are to cost
        positions, _ = sheet(side, side, 0.01)
        body = self.other.call("body.add", world=world, kind="points", positions=ext("f", positions))["body"]
        return world, body

    def send_what_is_taken(self, ws, data):
        """Sends until nothing more is read, or all is; how many bytes went."""
        ws.socket.setblocking(False)
        view, at, stood_at = memoryview(data), 0, -1
        while at < len(data):
            try:
                at += ws.socket.send(view[at:at + 65536])
            except BlockingIOError:
                self.friend.steady(lambda stats: stats["requests"])
                if at == stood_at:
                    break
                stood_at = at
        self.friend.steady(lambda stats: stats["requests"])
        return at

    def test_a_reader_that_stops_costs_a_bounded_price_and_others_get_their_frames(self):
        world, _ = self.stream_world()
        stopped = [self.web(receive_buffer=4096) for _ in range(4)]
        streams = [ws.call("stream.subscribe", world=world)["stream"] for ws in stopped]
        stream = self.friend.call("stream.subscribe", world=world)["stream"]
        self.other.call("world.play", world=world)
        # Their kernels and their two batches fill up.
        last = self.friend.frame(stream, found=lambda params: params["tick"] > 30).params
        resident = self.resident_bytes()
        seen = 0
        while seen < 60:
            frame_now = self.friend.frame(stream).params
            self.assertGreaterEqual(frame_now["tick"], last["tick"])
            last, seen = frame_now, seen + 1
        # AddressSanitizer holds on to frames that are freed, for a while.
        self.assertLess(self.resident_bytes() - resident, 30e6 if SLOW == 1 else 60e6)
        values, _ = self.metrics()
        self.assertGreater(values['weft_frames_dropped_total{reason="slow_client"}'], 30)
        self.other.call("world.pause", world=world)
        # They go on where they are: what was dropped is told, and the last frame is that of the pause.
        tick = self.other.call("world.get", world=world)["tick"]
        for ws, its in zip(stopped, streams):
            dropped, seq = 0, 0
            while True:
                params = ws.frame(its).params
                if params["part"] == 0:
                    self.assertEqual(params["seq"], seq + 1)
                    seq = params["seq"]
                    dropped += params["dropped"]
                if params["tick"] == tick and params["part"] + 1 == params["parts"]:
                    break
            self.assertGreater(dropped, 0)
            ws.call("server.ping")

    def test_an_answer_overtakes_frames(self):
        world, _ = self.stream_world(300)  # 1.08 MB a frame, in 5 parts
        ws = self.web()
        stream = ws.call("stream.subscribe", world=world)["stream"]
        self.other.call("world.play", world=world, rate=0)
        ws.frame(stream)
        self.wait_for(lambda: self.other.call("world.get", world=world)["frames_dropped"] > 0, "two batches that wait")
        parts_behind = []
        for _ in range(20):
            before = ws.bytes_in
            ws.call("server.ping")
            parts_behind.append(ws.bytes_in - before)
            ws.frames.clear()
        self.other.call("world.pause", world=world)
        # The kernel's buffers, ours and the peer's, and one write: not whole batches of frames.
        self.assertLess(sorted(parts_behind)[10], 3_000_000)

    def test_a_peer_that_asks_and_does_not_read_is_not_read(self):
        world, body = self.stream_world()
        ws = self.web(receive_buffer=4096)
        before = self.resident_bytes()
        request = frame(BINARY, msgpack.packb([0, 7, "body.state", [{"world": world, "body": body}]]))
        taken = self.friend.call("server.stats")["requests"]
        sent = self.send_what_is_taken(ws, request * 20000) // len(request)
        taken = self.friend.steady(lambda stats: stats["requests"]) - taken
        self.assertLess(taken, 5000)
        grown = self.resident_bytes() - before
        limit = self.friend.call("server.info")["limits"]["requests_unanswered"]
        print(f"\n{sent} requests for 0.5 MB each, none read: {grown / 1e6:.0f} MB more")
        # An answer for each that may be unanswered at a time, and what goes along.
        self.assertLess(grown, limit * 0.5e6 + 30e6 + KEPT_BYTES)
        ws.close()

    def test_unfinished_messages_are_bounded(self):
        before = self.resident_bytes()
        peers = []
        for _ in range(30):
            ws = self.web()
            peers.append(ws)
            ws.send_bytes(frame(BINARY, b"\x94\x00\x01\xabserver.ping\xc6" + struct.pack(">I", 60_000_000)
                                + bytes(100_000), final=False))
        self.friend.call("server.ping")
        grown = self.resident_bytes() - before
        print(f"\n30 peers that announced 60 MB each and sent 0.1 MB: {grown / 1e6:.0f} MB more")
        self.assertLess(grown, 100e6 + KEPT_BYTES)
        for ws in peers:
            ws.close()

    def test_pings_that_nobody_reads_the_pongs_of(self):
        ws = self.web(receive_buffer=4096)
        before = self.resident_bytes()
        self.send_what_is_taken(ws, frame(PING, bytes(125)) * 200_000)
        grown = self.resident_bytes() - before
        ws.close()
        self.assertLess(grown, 20e6 + KEPT_BYTES)


if __name__ == "__main__":
    main()
