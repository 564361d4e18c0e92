#!/usr/bin/env python3
"""Worlds that are passed on between servers which speak TLS."""

import os
import shutil
import signal
import socket
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))

import tls_files  # noqa: E402
import weft_peer  # noqa: E402
from test_relay import Door, PATIENCE_MS  # noqa: E402
from weft_peer import Server, WeftError, main, sheet  # noqa: E402


class SecurePeer(weft_peer.Peer):
    def __init__(self, server, authority):
        self.context = authority.context(*authority.issue("person"))
        super().__init__(server.address)

    def open_socket(self, address, receive_buffer):
        return tls_files.connect(address, self.context, "localhost")


class Secure(unittest.TestCase):
    """Servers that speak TLS."""

    @classmethod
    def setUpClass(cls):
        cls.authority = tls_files.Authority()
        cls.addClassCleanup(cls.authority.close)
        cls.pair = cls.authority.issue("home", "DNS:localhost")

    def home(self, *more, pair=None):
        cert, key = pair or self.pair
        home = Server("--threads", "1", "--tls-cert", cert, "--tls-key", key, *more)
        self.addCleanup(home.kill)
        maker = SecurePeer(home, self.authority)
        self.addCleanup(maker.close)
        positions, triangles = sheet(60, 60)
        world = maker.call("world.create", name="w")["world"]
        maker.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0])
        return home, maker, world

    def door(self, home, world, *words, name="localhost", ca=None, patience_ms=PATIENCE_MS):
        door = Door("tls", *words, ca=ca or self.authority.ca, silence_ms=patience_ms, patience_ms=patience_ms)
        self.addCleanup(door.kill)
        door.knows(world, "w", home.address.replace("127.0.0.1", name))
        peer = door.peer()
        self.addCleanup(peer.close)
        return door, peer

    def not_passed_on(self, door, peer, world, why):
        """It is answered as if there were no way there, and the log says why; an answer within the time of others."""
        with self.assertRaises(WeftError) as caught:
            peer.call("world.get", world=world)
        self.assertEqual(caught.exception.code, "NOT_FOUND", str(caught.exception))
        door.line(f"nothing is passed on to the server at .*{why}")

    def test_all_goes_by_tls(self):
        home, maker, world = self.home()
        door, ann = self.door(home, world)
        ann.call("session.hello", user="ann")
        far, near = (peer.call("body.get", world=world, body=1) for peer in (ann, maker))
        self.assertEqual((far["positions"], far["triangles"]), (near["positions"], near["triangles"]))
        positions, triangles = sheet(120, 120)  # larger than what is sealed at a time
        second = ann.call("body.add", world="w", kind="cloth", positions=positions, triangles=triangles)["body"]
        self.assertEqual(ann.call("body.state", world=world, body=second), maker.call("body.state", world=world, body=second))
        for tick, encoding in enumerate(("f32", "delta"), start=1):
            stream = ann.call("stream.subscribe", world=world, encoding=encoding)["stream"]
            ann.call("world.step", world=world, ticks=1)
            ann.frame(stream, found=lambda params, tick=tick: params["tick"] == tick)
        asked = [ann.request("world.set", world=world, damping=i / 100) for i in range(100)]
        revisions = [ann.answer(msgid)["revision"] for msgid in asked]
        self.assertEqual(revisions, list(range(revisions[0], revisions[0] + 100)))
        self.assertEqual((door.stop(), home.stop()), (0, 0))

    def test_who_is_not_who_it_should_be(self):
        home, _, world = self.home()
        stranger = tls_files.Authority("somebody else")
        self.addCleanup(stranger.close)
        for why, more in (("IP address mismatch", {"name": "127.0.0.1"}), ("certificate", {"ca": stranger.ca})):
            with self.subTest(why):
                door, peer = self.door(home, world, **more)
                self.not_passed_on(door, peer, world, why)
                # Whom it distrusts it asks nothing for a while, and then again.
                self.not_passed_on(door, peer, world, why)
                self.assertEqual(len([line for line in door.lines if "nothing is passed on" in line]), 1)
                self.assertEqual(door.metrics()["distrusted_total"], 1)
                if "name" in more:
                    shutil.copy(self.authority.issue("again", "IP:127.0.0.1")[0], self.pair[0])
                    shutil.copy(self.authority.path("again.key"), self.pair[1])
                    home.signal(signal.SIGHUP)
                    peer.until(lambda: self.answers(peer, world), "its trust")
                    type(self).pair = self.authority.issue("home", "DNS:localhost")
                self.assertEqual(door.stop(), 0)

    @staticmethod
    def answers(peer, world):
        try:
            return peer.call("world.get", world=world)
        except WeftError:
            return None

    def test_who_speaks_something_else(self):
        plain = Server("--threads", "1")
        self.addCleanup(plain.kill)
        door, peer = self.door(plain, 77)
        self.not_passed_on(door, peer, 77, "wrong version number")
        self.assertEqual(door.stop(), 0)
        # Who says nothing, or half of it, is waited for as any other is.
        door, peer = self.door(plain, 77, patience_ms=900)
        for words in (b"", b"\x16\x03\x03\x40\x00" + bytes(99), b"\x15\x03\x03\x00\x02\x02\x28"):
            with self.subTest(words=words[:8]), socket.create_server(("127.0.0.1", 0)) as listener:
                door.knows(78 + len(words), "-", "localhost:%d" % listener.getsockname()[1])
                asked = peer.request("world.get", world=78 + len(words))
                line, _ = listener.accept()
                with line:
                    self.assertEqual(line.recv(3)[:2], b"\x16\x03")
                    line.sendall(words)
                    if len(words) > 90:
                        line.close()
                    with self.assertRaises(WeftError) as caught:
                        peer.answer(asked)
                self.assertEqual(caught.exception.code, "NOT_FOUND" if words[:1] == b"\x15" else "BUSY", str(caught.exception))
        self.assertEqual(door.stop(), 0)

    def test_who_asks_for_a_certificate(self):
        home, _, world = self.home("--tls-client-ca", self.authority.ca)
        door, peer = self.door(home, world)
        self.not_passed_on(door, peer, world, "certificate required")
        self.assertEqual(door.stop(), 0)
        door, peer = self.door(home, world, *self.authority.issue("door"))
        self.assertEqual(peer.call("world.get", world=world)["bodies"], 1)
        self.assertEqual(door.stop(), 0)


if __name__ == "__main__":
    main()
