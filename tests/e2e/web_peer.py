"""The same peer over a WebSocket, and HTTP by hand: bare sockets, written from RFC 6455 and RFC 9112."""

import base64
import hashlib
import os
import socket
import struct
import time

import weft_peer
from weft_peer import PATIENCE_S, Closed, Peer

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(opcode, payload=b"", final=True, mask=b"\x11\x22\x33\x44", reserved=0, size=None):
    """A frame as a client sends it; mask None leaves it unmasked, size lies about the length."""
    size = len(payload) if size is None else size
    masked = 0x80 if mask is not None else 0
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    if size < 126:
        head += bytes([masked | size])
    elif size < 65536:
        head += bytes([masked | 126]) + struct.pack(">H", size)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", size)
    if mask is None:
        return head + payload
    long_mask = (mask * (len(payload) // 4 + 1))[:len(payload)]
    masked_payload = (int.from_bytes(payload, "little") ^ int.from_bytes(long_mask, "little")) \
        .to_bytes(len(payload), "little")
    return head + mask + masked_payload


def connect(address, receive_buffer=None):
    host, port = address.rsplit(":", 1)
    plain = socket.socket(socket.AF_INET6 if host.startswith("[") else socket.AF_INET)
    if receive_buffer:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plain.settimeout(PATIENCE_S)
    plain.connect((host.strip("[]"), int(port)))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return weft_peer.secured(plain) if weft_peer.TLS else plain


def handshake_request(address, key, fields=(), path="/ws"):
    lines = [f"GET {path} HTTP/1.1", f"Host: {address}", "Upgrade: websocket", "Connection: Upgrade",
             "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body


def read_answer(plain, pending=b"", body=True):
    """(Answer, what came behind it)."""
    while b"\r\n\r\n" not in pending:
        data = plain.recv(65536)
        if not data:
            raise Closed(f"end of stream after {pending!r}")
        pending += data
    head, _, pending = pending.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    version, status, _ = lines[0].split(" ", 2)
    assert version == "HTTP/1.1", lines[0]
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(": ")
        assert name.lower() not in fields, f"{name} is there twice"
        fields[name.lower()] = value
    length = int(fields.get("content-length", "0")) if body else 0
    while len(pending) < length:
        data = plain.recv(65536)
        if not data:
            raise Closed("the body ends too early")
        pending += data
    return Answer(int(status), fields, pending[:length]), pending[length:]


def fetch(address, path="/", fields=(), method="GET"):
    """One request on a connection of its own."""
    with connect(address) as plain:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {address}", "Connection: close", *fields]
        plain.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        answer, rest = read_answer(plain, body=method != "HEAD")
        assert rest == b"" and plain.recv(1) == b"", "something came behind the answer"
        return answer


class WebPeer(Peer):
    """A Peer whose messages are binary frames. Pings are answered unless silent."""

    def __init__(self, address, receive_buffer=None, fields=(), silent=False):
        # All of Peer but its way of connecting.
        self.silent = silent
        self.framed = b""  # received, not yet taken apart
        self.closed_with = None  # (code or None, reason) once the server has said so
        self.pings, self.pongs = 0, []
        self.connecting = connect(address, receive_buffer)
        super().__init__(None)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(handshake_request(address, key, fields))
        answer, self.framed = read_answer(self.socket)
        self.handshake = answer
        if answer.status != 101:
            self.socket.close()
            raise Closed(f"refused with {answer.status}: {answer.body!r}")
        expected = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert answer.fields["sec-websocket-accept"] == expected.decode()
        assert answer.fields["upgrade"].lower() == "websocket" and answer.fields["connection"].lower() == "upgrade"
        assert "sec-websocket-extensions" not in answer.fields and "sec-websocket-protocol" not in answer.fields

    def open_socket(self, _address, _receive_buffer):
        return self.connecting

    def send_raw(self, data):
        """One message."""
        self.socket.sendall(frame(BINARY, data))

    def send_bytes(self, data):
        """As they are."""
        self.socket.sendall(data)

    def take_data(self, data):
        """Messages out of frames. What a server sends is final, unmasked, and as short as can be."""
        self.framed += data
        at = 0
        while True:
            left = len(self.framed) - at
            if left < 2:
                break
            first, second = self.framed[at], self.framed[at + 1]
            assert first & 0xf0 == 0x80 and second < 128, (first, second)
            wide = {126: 2, 127: 8}.get(second, 0)
            if left < 2 + wide:
                break
            size = int.from_bytes(self.framed[at + 2:at + 2 + wide], "big") if wide else second
            assert wide == 0 or size > (125 if wide == 2 else 65535)
            if left < 2 + wide + size:
                break
            payload = self.framed[at + 2 + wide:at + 2 + wide + size]
            at += 2 + wide + size
            self.take_frame(first & 15, payload)
        self.framed = self.framed[at:]

    def take_frame(self, opcode, payload):
        assert self.closed_with is None, "something follows a close frame"
        if opcode == BINARY:
            taken = self.taken
            super().take_data(payload)
            assert self.taken == taken + 1 and not self.pending, "a frame holds one whole message"
        elif opcode == PING:
            self.pings += 1
            if not self.silent:
                self.send_bytes(frame(PONG, payload))
        elif opcode == PONG:
            self.pongs.append(payload)
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big") if payload else None
            self.closed_with = (code, payload[2:].decode())
        else:
            raise AssertionError(f"the server sent a frame of opcode {opcode}")

    def leave(self, code=1000):
        """Closes in order."""
        self.send_bytes(frame(CLOSE, struct.pack(">H", code)))
        self.expect_end()
        return self.closed_with

    def expect_code(self, code):
        """The server closes with this code. Returns the notifications that came before."""
        notices = self.expect_end()
        assert self.closed_with and self.closed_with[0] == code, f"closed with {self.closed_with}, not {code}"
        return notices


class WebServerTest(weft_peer.ServerTest):
    """Like ServerTest, with HTTP, and peers on either way."""

    HTTP = "127.0.0.1:0"

    def web(self, hello=None, **options):
        peer = WebPeer(self.server.http, **options)
        self.addCleanup(peer.close)
        if hello:
            peer.call("session.hello", **hello)
        return peer

    def wait_for(self, asked, what):
        deadline = time.monotonic() + PATIENCE_S
        while not asked():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def metrics(self):
        """{name: value} with labels in the name, and the types."""
        answer = fetch(self.server.http, "/metrics")
        self.assertEqual(answer.status, 200)
        values, types = {}, {}
        for line in answer.body.decode().splitlines():
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                types[name] = kind
            elif not line.startswith("#"):
                name, _, value = line.rpartition(" ")
                values[name] = float(value)
        return values, types
