#!/usr/bin/env python3
"""Good conversations over HTTP and WebSockets, and what becomes of them when they are damaged: bytes changed, dropped,
doubled, swapped, cut into pieces of any size. Whatever comes, the server gives answers that HTTP and RFC 6455 know,
and everybody else's world stays as it was. WEFT_SEED chooses other damage."""

import os
import random
import re
import socket
import struct

import msgpack

from test_web_hostile import KEY, Hostile
from web_peer import BINARY, CLOSE, PING, PONG, connect, frame, handshake_request
from weft_peer import SLOW, Closed, main

SEED = int(os.environ.get("WEFT_SEED", "20"))
ROUNDS = 60 // SLOW
# Status line and fields of an answer; no byte in them that has no place there.
HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z' -]+\r\n(?:[A-Za-z-]+: [^\r\n\0]*\r\n)*\r\n")
STATUSES = {101, 200, 204, 304, 400, 403, 404, 405, 408, 413, 414, 426, 431, 500, 501, 503, 505}
CODES = {None, 1000, 1001, 1002, 1003, 1007, 1008, 1009, 1013}


def damaged(chance, data):
    """One to four wounds."""
    data = bytearray(data)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(data) + 1)
        size = chance.randrange(1, 12)
        wound = chance.randrange(6)
        if wound == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif wound == 1:
            del data[at:at + size]
        elif wound == 2:
            data[at:at] = chance.randbytes(size)
        elif wound == 3:
            data[at:at] = data[at:at + size * 8]
        elif wound == 4:
            data[at:at + size] = bytes([chance.choice(b"\0\xff\r\n :,;\x7f%/")]) * size
        else:
            data = data[at:] + data[:at]
    return bytes(data)


def pieces(chance, data):
    at = 0
    while at < len(data):
        size = chance.choice((1, 2, 7, 64, 1000, len(data)))
        yield data[at:at + size]
        at += size


class Garbage(Hostile):
    def pour(self, plain, chance, data):
        """Sends it in pieces, says that this was all, and returns what came."""
        try:
            for piece in pieces(chance, data):
                plain.sendall(piece)
            plain.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server has ended it already
        came = b""
        try:
            while data := plain.recv(65536):
                came += data
        except ConnectionResetError:
            pass
        return came

    def test_damaged_requests(self):
        chance = random.Random(SEED)
        requests = [
            f"GET / HTTP/1.1\r\nHost: {self.server.http}\r\nAccept-Encoding: gzip;q=0.5, *;q=0\r\n\r\n",
            f"HEAD /healthz?a=b HTTP/1.1\r\nHost: {self.server.http}\r\nIf-None-Match: W/\"x\", *\r\n\r\n",
            f"GET /metrics HTTP/1.1\r\nHost: {self.server.http}\r\nContent-Length: 0\r\n\r\n",
            "GET /healthz HTTP/1.0\r\n\r\n",
            handshake_request(self.server.http, KEY, [f"Origin: http://{self.server.http}"]).decode(),
        ]
        seen = set()
        for _ in range(4 * ROUNDS):
            text = "".join(chance.sample(requests, chance.randrange(1, 4))).encode()
            with connect(self.server.http) as plain:
                came = self.pour(plain, chance, damaged(chance, text))
            if not came:
                continue  # it ended before the head did
            first = HEAD.match(came)
            self.assertTrue(first, came[:200])
            seen.add(int(first[1]))
        self.assertLessEqual(seen, STATUSES)
        self.assertLessEqual({200, 400}, seen)

    def conversation(self, chance):
        calls = [
            [0, 1, "session.hello", [{"user": "x", "errors": "map"}]],
            [0, 2, "world.join", [{"world": self.at}]],
            [0, 3, "stream.subscribe", [{"world": self.at, "fields": ["positions", "velocities"]}]],
            [0, 4, "body.state", [{"world": self.at, "body": 1, "fields": ["positions"]}]],
            [2, "grab.move", [{"world": self.at, "grab": 1, "target": [0, 0, 0]}]],
            [0, 5, "world.list", []],
        ]
        out = b""
        for call in calls:
            data = msgpack.packb(call)
            cut = chance.randrange(len(data))
            if chance.randrange(2):
                out += frame(BINARY, data)
            else:
                out += frame(BINARY, data[:cut], final=False) + frame(PING, b"here") + frame(0, data[cut:])
        return out + frame(PONG, b"unasked") + frame(CLOSE, struct.pack(">H", 1000) + b"bye")

    def test_damaged_conversations(self):
        chance = random.Random(SEED + 1)
        codes = []
        for round_number in range(ROUNDS):
            ws = self.web()
            talk = self.conversation(chance)
            try:
                for piece in pieces(chance, damaged(chance, talk) if round_number % 4 else talk):
                    ws.send_bytes(piece)
                ws.socket.shutdown(socket.SHUT_WR)
                ws.expect_end()
            except (OSError, Closed):
                pass
            codes.append(ws.closed_with[0] if ws.closed_with else None)
            if round_number % 4 == 0:
                self.assertEqual(codes[-1], 1000, "what is whole goes well")
            ws.close()
        self.assertLessEqual(set(codes), CODES)
        self.assertIn(1002, codes)

    def test_a_handshake_with_the_conversation_in_the_same_breath(self):
        chance = random.Random(SEED + 2)
        greeting = handshake_request(self.server.http, KEY)
        for round_number in range(ROUNDS):
            talk = self.conversation(chance)
            with connect(self.server.http) as plain:
                came = self.pour(plain, chance, greeting + (damaged(chance, talk) if round_number % 2 else talk))
            self.assertEqual(int(HEAD.match(came)[1]), 101)
            if round_number % 2 == 0:
                self.assertEqual(came[-4:], b"\x88\x02\x03\xe8", "the close is answered")


if __name__ == "__main__":
    main()
