#!/usr/bin/env python3
"""weft load --rigid: a closed mesh is one rigid body that holds what it is made to hold, and hangs where it is made to hang."""

import math
import shutil
import tempfile
import unittest
from pathlib import Path

from shell import ShellTest

from weft_peer import numbers


def turned(outline, around):
    """An OBJ of an outline in r and y that is turned about y. Its first and last points are joined; points of the axis are shared."""
    places, index, faces = [], {}, []

    def vertex(step, k):
        radius, y = outline[k]
        key = (0 if radius == 0 else step % around, k)
        if key not in index:
            angle = 2 * math.pi * key[0] / around
            places.append((radius * math.cos(angle), y, -radius * math.sin(angle)))
            index[key] = len(places)
        return index[key]

    for step in range(around):
        for k in range(len(outline)):
            after = (k + 1) % len(outline)
            face = [vertex(step, k), vertex(step + 1, k), vertex(step + 1, after), vertex(step, after)]
            face = [v for at, v in enumerate(face) if v not in face[:at]]
            if len(face) > 2:
                faces.append(face)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in places]
    return "\n".join(lines + ["f " + " ".join(str(v) for v in face) for face in faces]) + "\n"


MUG = [(0, 0), (0.5, 0), (0.5, 1), (0.45, 1), (0.45, 0.05), (0, 0.05)]
RING = [(0.2 + 0.04 * math.cos(math.pi * k / 6), 0.04 * math.sin(math.pi * k / 6)) for k in range(12)]


class LoadRigid(ShellTest):
    def setUp(self):
        super().setUp()
        self.dir = Path(tempfile.mkdtemp(prefix="weft-rigid-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.peer = self.server.peer()
        self.addCleanup(self.peer.close)
        self.peer.call("world.create", name="w")

    def load(self, name, text, *options):
        path = self.dir / name
        path.write_text(text)
        return self.json("load", path, "--world", "w", "--rigid", *options)

    def place(self, body):
        return numbers(self.peer.call("body.state", world="w", body=body, fields=["positions64"])["positions64"], "d")

    def test_a_ball_stays_in_a_mug_and_a_ring_hangs_on_a_peg(self):
        self.peer.call("collider.add", world="w", kind="plane", position=[0, 0, 0], normal=[0, 1, 0])
        mug = self.load("mug.obj", turned(MUG, 32), "--density", 500, "--at", "0,0,0")
        self.assertEqual(mug["kind"], "rigid")
        told = mug["rigid"]
        # By the outline of 32 sides: the area of such a polygon of radius 1 times the sum over the rings.
        area = 16 * math.sin(2 * math.pi / 32)
        volume = area * (0.25 - 0.45 ** 2 * 0.95)
        self.assertAlmostEqual(told["volume"], volume, places=9)
        self.assertAlmostEqual(told["mass"], 500 * volume, places=6)
        self.assertLess(abs(told["excess"]), 0.12)
        self.assertLessEqual(told["parts"], 32)
        got = self.peer.call("body.get", world="w", body="mug")
        self.assertAlmostEqual(numbers(got["masses"], "d")[0], 500 * volume, delta=1e-4)
        self.assertAlmostEqual(got["rigid"]["measures"]["volume"], volume, places=9)
        self.peer.call("body.add", world="w", name="ball", kind="rigid", positions=[0.1, 1.5, 0.05],
                       rigid={"form": "sphere", "radius": 0.2}, density=500, contact_group=1, contact_mask=1)
        # A ring, upright, around a peg along x.
        self.load("ring.obj", turned(RING, 24), "--rotate", "0,0,90", "--at", "3,2,0")
        self.peer.call("collider.add", world="w", kind="capsule", position=[3, 2.36, 0], rotation=[0, 0, math.sqrt(0.5), math.sqrt(0.5)],
                       radius=0.03, length=1)
        self.peer.call("world.step", world="w", ticks=300)
        ball, mug, ring = self.place("ball"), self.place("mug"), self.place("ring")
        self.assertLess(math.hypot(ball[0] - mug[0], ball[2] - mug[2]), 0.26)
        self.assertAlmostEqual(ball[1], 0.25, delta=0.02)
        self.assertLess(abs(mug[1] - told["centre"][1]), 0.01)
        # Its hole has the radius 0.16, so its middle is 0.13 below the peg.
        self.assertAlmostEqual(ring[1], 2.36 - 0.13, delta=0.02)
        self.assertLess(math.hypot(ring[0] - 3, ring[2]), 0.2)

    def test_what_is_open_or_of_another_kind_is_refused(self):
        text = turned(MUG, 8)
        (self.dir / "open.obj").write_text(text[:text.rindex("f ")])
        cases = [((), "it is not closed: 3 edges have no triangle on one side, the first at", 1),
                 (("--soft", 30), "--soft cannot be combined with --rigid", 2),
                 (("--material", "silk"), "--material cannot be combined with --rigid", 2),
                 (("--pin", "top-edge"), "only --pin all holds it", 2), (("--parts", 33), "from 1 to 32", 2)]
        for options, word, status in cases:
            done = self.weft("load", self.dir / "open.obj", "--world", "w", "--rigid", *options, status=status)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.peer.call("world.get", world="w")["bodies"], 0)


if __name__ == "__main__":
    unittest.main()
