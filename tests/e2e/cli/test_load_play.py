#!/usr/bin/env python3
"""weft load --play: what other programs animated is an obstacle that moves as they say, and carries what lies on it."""

import json
import math
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from array import array
from pathlib import Path

from shell import ShellTest, cloth

from weft_peer import numbers

MESHES = Path(__file__).resolve().parent.parent.parent / "meshes"
WALKER = MESHES / "walker.glb"


def pc2(frames, points=None, version=1, start=0.0, rate=1.0, samples=None, magic=b"POINTCACHE2\0"):
    """frames: of numbers."""
    points = len(frames[0]) // 3 if points is None else points
    head = magic + struct.pack("<iiffi", version, points, start, rate, len(frames) if samples is None else samples)
    return head + b"".join(array("f", frame).tobytes() for frame in frames)


def read_pc2(data):
    """Its frames, as lists."""
    points, samples = struct.unpack("<i", data[16:20])[0], struct.unpack("<i", data[28:32])[0]
    values = array("f", data[32:])
    assert len(values) == 3 * points * samples
    return [list(values[3 * points * k:3 * points * (k + 1)]) for k in range(samples)]


def obj(positions, triangles):
    lines = [f"v {positions[i]} {positions[i + 1]} {positions[i + 2]}" for i in range(0, len(positions), 3)]
    lines += [f"f {triangles[i] + 1} {triangles[i + 1] + 1} {triangles[i + 2] + 1}" for i in range(0, len(triangles), 3)]
    return "\n".join(lines) + "\n"


def between(t, times, values):
    k = next((k for k in range(1, len(times)) if t <= times[k]), len(times) - 1)
    part = min(1, (t - times[k - 1]) / (times[k] - times[k - 1]))
    return values[k - 1] + part * (values[k] - values[k - 1])


def walker_at(t, place):
    """What tests/meshes/walker.mjs means: a slab with a morph target and two bones. Angles about one axis are joined
    evenly."""
    x, y, z = place
    times = [0, 0.5, 1, 2]
    y += between(t, times, [0, 1, 0.25, 0]) * 0.1 * (1 - place[0] ** 2)
    share = min(1, max(0, place[0] + 0.5))
    along, up = between(t, times, [0, 0.25, 0.5, 1]), between(t, times, [0, 0, 0.1, 0])
    angle = math.radians(between(t, times, [0, 20, -15, 0]))
    turned = (math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y)
    return [(1 - share) * x + share * turned[0] + along, (1 - share) * y + share * turned[1] + up, z]


class Play(ShellTest):
    def setUp(self):
        super().setUp()
        self.dir = Path(tempfile.mkdtemp(prefix="weft-play-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.peer = self.server.peer()
        self.addCleanup(self.peer.close)

    def file(self, name, data):
        path = self.dir / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def world(self, name="w", **settings):
        self.peer.call("world.create", name=name, **settings)

    def load(self, path, *arguments, world="w"):
        return self.json("load", path, "--world", world, *arguments)

    def places(self, body, world="w"):
        state = self.peer.call("body.state", world=world, body=body, fields=["positions64"])
        return list(numbers(state["positions64"], "d"))

    def step(self, ticks=1, world="w"):
        self.peer.call("world.step", world=world, ticks=ticks)

    def assert_near(self, got, expected, tolerance):
        self.assertEqual(len(got), len(expected))
        worst = max(abs(a - b) for a, b in zip(got, expected))
        self.assertLess(worst, tolerance)

    # -- what weft itself wrote

    def baked(self, frames=31):
        """A cloth that falls, as a point cache and as morph targets; its frames."""
        positions, triangles = cloth(9, 7)
        scene = self.file("s.json", json.dumps({"weft": 1, "bodies": [
            {"name": "sheet", "kind": "cloth", "positions": positions, "triangles": triangles, "pins": [0, 8]}]}))
        for ending in ("pc2", "glb"):
            subprocess.run([os.environ["WEFT"], "bake", scene, "-o", self.dir / f"s.{ending}", "--ticks", str(frames - 1)],
                           check=True, capture_output=True)
        return read_pc2((self.dir / "s.pc2").read_bytes())

    def test_a_point_cache_and_morph_targets_go_as_they_were_recorded(self):
        frames = self.baked()
        self.world()
        told = self.load(self.dir / "s.obj", "--play", "--fps", 60, "--name", "cache")
        self.assertEqual((told["frames"], told["seconds"], told["loop"], told["motions"], told["static"], told["pins"]),
                         (31, 0.5, False, 1, True, 63))
        told = self.load(self.dir / "s.glb", "--play", "--name", "morphs")
        self.assertEqual((told["frames"], told["seconds"], told["particles"]), (31, 0.5, 63))
        # A glTF may move by a point cache, too; an OBJ by one that has another name. Twice as slow, and over and over.
        slow = self.load(self.dir / "s.obj", "--cache", self.dir / "s.pc2", "--fps", 30, "--loop", "--name", "slow")
        self.assertEqual((slow["seconds"], slow["loop"]), (1, True))
        for tick in range(36):
            frame = frames[min(tick, 30)]
            self.assert_near(self.places("cache"), frame, 1e-6)
            self.assert_near(self.places("morphs"), frame, 1e-6)
            if tick % 2 == 0:
                self.assert_near(self.places("slow"), frames[tick // 2], 1e-6)
            self.step()
        self.step(60 - 36)
        self.assert_near(self.places("slow"), frames[0], 1e-9)
        self.step(10)
        self.assert_near(self.places("slow"), frames[5], 1e-6)
        self.peer.call("world.reset", world="w")
        self.step(7)
        self.assert_near(self.places("cache"), frames[7], 1e-6)
        motions = self.peer.call("motion.list", world="w")["motions"]
        self.assertEqual([(one["posed"], one["loop"]) for one in motions], [(True, False)] * 2 + [(True, True)])

    def test_it_is_placed_with_all_of_its_way(self):
        frames = self.baked(8)
        self.world()
        self.load(self.dir / "s.obj", "--play", "--fps", 60, "--up", "z", "--scale", "2,-1,0.5", "--at", "3,1,-2",
                  "--rotate", "0,90,0")

        def turned(frame):
            # z up: (x, z, -y); scaled; a quarter about y: (z, y, -x).
            raised = [(2 * x, -1 * z, 0.5 * -y) for x, y, z in zip(frame[::3], frame[1::3], frame[2::3])]
            return [n for x, y, z in raised for n in (z, y, -x)]

        first, last = turned(frames[0]), turned(frames[7])
        begin = self.places("s")
        low = [min(begin[axis::3]) for axis in range(3)]
        high = [max(begin[axis::3]) for axis in range(3)]
        self.assert_near([(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2], [3, 1, -2], 1e-6)
        self.step(7)
        way = [b - a for a, b in zip(begin, self.places("s"))]
        self.assert_near(way, [b - a for a, b in zip(first, last)], 1e-6)
        self.assertGreater(max(map(abs, way)), 0.02)

    # -- what three.js wrote

    def test_a_skin_with_morph_targets_of_another_program(self):
        self.world()
        told = self.load(WALKER, "--play")
        self.assertEqual((told["particles"], told["frames"], told["seconds"], told["welded"]), (306, 121, 2, 104))
        begin = self.places("walker")
        for tick in range(0, 130, 5):
            expected = [n for i in range(0, len(begin), 3) for n in walker_at(min(tick / 60, 2), begin[i:i + 3])]
            self.assert_near(self.places("walker"), expected, 2e-6)
            self.step(5)
        for name in ("rise", "1"):
            told = self.load(WALKER, "--animation", name, "--name", name, "--fps", 4)
            self.assertEqual((told["frames"], told["seconds"]), (3, 0.5))
        self.step(15)
        for name in ("rise", "1"):
            self.assert_near(self.places(name), [n + 0.25 * (i % 3 == 1) for i, n in enumerate(begin)], 1e-6)
        # Without --play it stands as it is bound.
        self.assertEqual(self.load(WALKER, "--static", "--name", "still")["pins"], 0)

    def test_a_cloth_is_carried_and_nothing_crosses(self):
        self.world(substeps=12)
        self.load(WALKER, "--play", "--friction", 2, "--thickness", 0.02)
        positions, triangles = cloth(17, 13, 0.6, 0.15)
        positions = [n - (0.3 if i % 3 != 1 else 0) for i, n in enumerate(positions)]
        self.file("cover.obj", obj(positions, triangles))
        self.load(self.dir / "cover.obj", "--friction", 2, "--thickness", 0.01)
        self.json("save", "w", self.dir / "saved.json")
        ways = []
        for tick in range(150):
            self.step()
            found = self.peer.call("world.measure", world="w", crossings=True)
            self.assertEqual(found["crossings"], 0, f"at tick {tick}")
            ways.append(sum(self.places("cover")[::3]) / 221)
        # The slab goes half a metre in each second, and a metre in all; what lies on it goes along.
        self.assertGreater(ways[119], 0.85)
        self.assertLess(ways[149], 1.1)
        self.assertLess(abs(ways[149] - ways[129]), 0.02)  # and rests as the slab does
        heights = self.places("cover")[1::3]
        self.assertGreater(min(heights), -0.2)
        # The same bits from what was saved, with other instructions and on other threads.
        served = self.peer.call("world.hash", world="w")["hash"]
        for more in (["--isa", "scalar"], ["--isa", "sse2", "--threads", 2], ["--threads", 4]):
            [row] = self.json("bake", self.dir / "saved.json", "--ticks", 150, *more)
            self.assertEqual(row["hash"], served)

    def test_it_survives_being_saved_in_the_middle(self):
        self.world()
        self.load(WALKER, "--play", "--loop")
        self.step(50)
        self.json("save", "w", self.dir / "saved.json")
        self.json("open", self.dir / "saved.json", "--name", "again")
        for _ in range(4):
            self.step(30)
            self.step(30, "again")
            self.assertEqual(*(self.peer.call("world.hash", world=one)["hash"] for one in ("w", "again")))
        self.assertTrue(list(self.dir.glob("saved.data/*poses*.npy")))

    # -- long ones

    def test_what_is_too_long_for_a_message_becomes_motions_that_add_up(self):
        columns, rows, count = 200, 100, 230
        positions, triangles = cloth(columns, rows, 10)
        path = self.file("wide.obj", obj(positions, triangles))
        base = array("f", positions)
        frames = []
        for k in range(count):
            frame = array("f", base)
            # A wave through one row of each frame, and all of it goes up.
            for i in range(1, len(frame), 3):
                frame[i] = base[i] + 0.01 * k
            frame[3 * k + 1] += 0.5
            frames.append(frame)
        frames.append(frames[0])
        self.assertGreater(3 * columns * rows * len(frames), 12582912)
        self.file("wide.pc2", pc2(frames))
        self.world(substeps=1, iterations=1)
        told = self.load(path, "--play", "--fps", 60, "--loop", "--no-contact")
        self.assertEqual((told["frames"], told["motions"]), (count + 1, 2))
        at = 0
        for tick in (1, 150, 208, 209, 210, 229, 230, 231, 230 + 210):
            self.step(tick - at)
            at = tick
            self.assert_near(self.places("wide"), frames[tick % count], 2e-6)
        # In a world that goes on meanwhile they would begin at different ticks: nothing is left there then.
        self.world("goes", substeps=1, iterations=1)
        self.peer.call("world.play", world="goes")
        error = self.weft("load", path, "--play", "--fps", 60, "--no-contact", "--world", "goes", status=1).stderr
        self.assertIn("CONFLICT", error)
        self.assertEqual(self.peer.call("world.get", world="goes")["bodies"], 0, error)

    # -- what is wrong

    def refused(self, *arguments, word, status=1):
        error = self.weft("load", *arguments, "--world", "w", status=status).stderr
        self.assertIn(word, error)

    def test_caches_that_are_wrong_are_refused_and_nothing_is_added(self):
        self.world()
        positions, triangles = cloth(3, 3)
        path = self.file("a.obj", obj(positions, triangles))
        frames = [positions, [n + 0.5 for n in positions]]
        good = pc2(frames)
        cases = [
            (b"", "no PC2"), (good[:31], "no PC2"), (pc2(frames, magic=b"POINTCACHE3\0"), "no PC2"),
            (pc2(frames, version=2), "version 2"), (pc2(frames, points=8), "8 points, and the mesh 9 vertices"),
            (pc2(frames, samples=1), "1 samples"), (pc2(frames, samples=0), "0 samples"),
            (pc2(frames, samples=-1), "at most"), (pc2(frames, samples=3), "356"), (good[:-1], "247 bytes"),
            (good + b"x", "249 bytes"), (pc2(frames, rate=0.0), "frames a sample"), (pc2(frames, rate=math.nan), "frames a sample"),
            (pc2([positions, [math.inf] + positions[1:]]), "point 0 of sample 1"),
            (pc2([positions, positions[:-1] + [math.nan]]), "point 8 of sample 1"),
            (pc2([[0.0] * 27, positions]), "leaves nothing"),
        ]
        for number, (data, word) in enumerate(cases):
            self.file("a.pc2", data)
            self.refused(path, "--play", "--fps", 24, word=word)
        self.refused(path, "--cache", self.dir / "no.pc2", "--fps", 24, word="no.pc2")
        # Two sheets that lie in one another at first, and part.
        twice = obj(positions, triangles) + obj(positions, [n + 9 for n in triangles])
        double = self.file("b.obj", twice)
        self.file("b.pc2", pc2([positions * 2, positions + [n + 0.5 for n in positions]]))
        self.refused(double, "--play", "--fps", 24, word="part by frame 1")
        self.file("a.pc2", pc2([positions, [n + 2000 for n in positions]]))
        self.refused(path, "--play", "--fps", 24, word="offsets")
        self.assertEqual(self.peer.call("world.get", world="w")["bodies"], 0, "also where the motion was refused")

    def test_animations_that_are_wrong_are_refused(self):
        self.world()
        still = self.file("still.glb", self.changed(lambda gltf: gltf.pop("animations")))
        self.refused(still, "--play", word="no animation")
        self.refused(WALKER, "--animation", "2", word="it has 0 walk, 1 rise")
        self.refused(WALKER, "--animation", "run", word="it has 0 walk, 1 rise")

        def cubic(gltf):
            gltf["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"

        self.refused(self.file("cubic.glb", self.changed(cubic)), "--play", word="CUBICSPLINE")

        def nowhere(gltf):
            gltf["animations"][0]["channels"][0]["target"]["node"] = 77

        self.refused(self.file("nowhere.glb", self.changed(nowhere)), "--play", word="INVALID")
        self.assertEqual(self.peer.call("world.get", world="w")["bodies"], 0)

    def changed(self, change):
        data = WALKER.read_bytes()
        size = struct.unpack("<I", data[12:16])[0]
        gltf = json.loads(data[20:20 + size])
        change(gltf)
        text = json.dumps(gltf).encode()
        text += b" " * (-len(text) % 4)
        rest = data[20 + size:]
        return data[:8] + struct.pack("<II", 20 + len(text) + len(rest), len(text)) + data[16:20] + text + rest

    def test_what_does_not_go_together_is_told(self):
        path = self.file("a.obj", obj(*cloth(3, 3)))
        for arguments, word in [((path, "--play"), "--fps"), ((path, "--loop"), "--play"), ((path, "--fps", 3), "--play"),
                                ((path, "--animation", "walk"), "--animation"), ((WALKER, "--play", "--soft", 9), "surfaces"),
                                ((WALKER, "--play", "--pin", "all"), "--pin"), ((WALKER, "--play", "--density", 1), "no mass"),
                                ((WALKER, "--cache", "a.pc2"), "--fps"), ((WALKER, "--play", "--fps", 0), "--fps"),
                                ((WALKER, "--cache", "a.pc2", "--animation", "walk", "--fps", 9), "point cache")]:
            self.refused(*arguments, word=word, status=2)


if __name__ == "__main__":
    unittest.main()
