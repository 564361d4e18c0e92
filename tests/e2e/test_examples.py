#!/usr/bin/env python3
"""The examples of libweft, as they are built, against a server."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from weft_peer import PATIENCE_S, ServerTest, sheet

PROGRAMS = Path(os.environ["WEFT_BUILD"]) / "bin"


class Examples(ServerTest):
    def example(self, name, *arguments, status=0):
        run = subprocess.run([PROGRAMS / f"example_{name}", *arguments], capture_output=True, text=True,
                             timeout=4 * PATIENCE_S)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def test_cloth(self):
        out = self.example("cloth", self.server.address).stdout
        tick, lowest = re.match(r"after (\d+) ticks the lowest of 400 particles is at (\S+) m\n", out).groups()
        self.assertEqual(tick, "240")
        # A square metre by two neighbouring corners, from 2 m.
        self.assertTrue(0.5 < float(lowest) < 1.3, out)
        self.assertRegex(out, r"greatest strain \d+\.\d+ %\n$")
        self.assertEqual(self.peer().call("world.list")["worlds"], [])
        self.assertIn("CONNECT", self.example("cloth", "127.0.0.1:1", status=1).stderr)

    def test_follow(self):
        peer = self.peer()
        world = self.world(peer)
        positions, triangles = sheet(20, 20, height=3.0)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        peer.call("world.play", world=world)
        out = self.example("follow", str(world), "5", self.server.address).stdout
        lines = re.findall(r"tick (\d+), \S+ s: 400 particles from (\S+) to (\S+) m, \d+ frames dropped\n", out)
        self.assertEqual(len(lines), 5, out)
        self.assertEqual(sorted(lines, key=lambda line: int(line[0])), lines)
        self.assertLess(float(lines[-1][1]), 3)
        self.assertIn("NOT_FOUND", self.example("follow", "nothing", "1", self.server.address, status=1).stderr)

    def test_twin(self):
        peer = self.peer()
        world = self.world(peer)
        positions, triangles = sheet(20, 20, height=3.0)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        peer.call("world.play", world=world)
        out = self.example("twin", str(world), "2", self.server.address).stdout
        lines = re.findall(r"tick (\d+), equal at tick (\d+); body 1: 400 particles from (\S+) m\n", out)
        self.assertGreater(len(lines), 0, out)
        self.assertGreater(int(lines[-1][0]), 0)
        self.assertLess(float(lines[-1][2]), 3)
        self.assertIn("NOT_FOUND", self.example("twin", "nothing", "1", self.server.address, status=1).stderr)


if __name__ == "__main__":
    unittest.main()
