"""Tests of servers that share worlds by a broker stand on this: a broker for all of them, and servers, peers and worlds of a test's own."""

import itertools
import shutil
import tempfile
import time
import unittest

import brokers
from weft_peer import PATIENCE_S, Server, WeftError, sheet

NUMBERS = itertools.count()


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = brokers.Broker()
        cls.addClassCleanup(cls.broker.close)

    def setUp(self):
        self.name = f"t{next(NUMBERS)}"  # of its worlds' streams: all tests have one broker
        self.servers = 0

    def server(self, *more, folder=None, port=None, http="none", name=None, program=None):
        if folder is None:
            folder = tempfile.mkdtemp(prefix="weft-cluster-")
            self.addCleanup(shutil.rmtree, folder)
        self.servers += 1
        name = name or f"s{self.servers}"
        url = f"nats://127.0.0.1:{port}" if port else self.broker.url
        server = Server("--data", folder, "--threads", "1", "--store", f"{url}/{self.name}",
                        "--store-check", self.broker.check, "--server-name", name, *more, http=http, program=program)
        server.folder, server.name = folder, name
        self.addCleanup(server.kill)
        return server

    def peer(self, server):
        peer = server.peer()
        peer.server = server
        self.addCleanup(peer.close)
        peer.call("session.hello", errors="map", follow=True)
        return peer

    def make(self, peer, name, method="world.create", **fields):
        """The world that is made at the peer's server. The peer itself may be sent to where there is less to do, as loads change from
        second to second."""
        with peer.server.peer() as plain:
            plain.call("session.hello", errors="map")
            return plain.call(method, name=name, **fields)["world"]

    def cloth(self, peer, name, columns=6, rows=6):
        positions, triangles = sheet(columns, rows)
        world = self.make(peer, name)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0])
        return world

    def moved(self, peer, method, **fields):
        """The error MOVED of a call."""
        with self.assertRaises(WeftError) as caught:
            peer.call(method, **fields)
        self.assertEqual(caught.exception.code, "MOVED", caught.exception)
        return caught.exception.error

    def comes(self, found, what, timeout_s=PATIENCE_S):
        """Waits until found() gives something."""
        deadline = time.monotonic() + timeout_s
        while not (result := found()):
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)
        return result

    def in_time(self, scene):
        """Does it all once more if servers gave a call up that was to be passed on: after four or eight seconds, within which a world is
        elsewhere on all but the busiest machines."""
        def done():
            try:
                scene()
                return True
            except WeftError as error:
                if error.code != "BUSY" or "send it again later" not in str(error):
                    raise
                return False

        self.comes(done, "calls are given up each time", 4 * PATIENCE_S)

    def here(self, peer, world):
        """What world.get answers, as soon as the world runs there."""
        def look():
            try:
                return peer.call("world.get", world=world)
            except WeftError as error:
                self.assertIn(error.code, ("MOVED", "BUSY", "NOT_FOUND"))
                return None
        return self.comes(look, f"world {world} does not come")

    def straight(self, peer, ticks, *size):
        """The hash of the same world that nobody disturbed."""
        world = self.cloth(peer, f"straight-{ticks}", *size)
        peer.call("world.step", world=world, ticks=ticks)
        told = peer.call("world.hash", world=world)["hash"]
        peer.call("world.delete", world=world)
        return told

    def assert_straight(self, peer, world):
        peer.call("world.pause", world=world)
        told = peer.call("world.hash", world=world)
        self.assertEqual(told["hash"], self.straight(peer, told["tick"]))
        return told["tick"]
