#!/usr/bin/env python3
"""weft load: meshes from files become bodies, where they should be and of what they should be; and nothing is left
half-made."""

import fcntl
import json
import math
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

from shell import ShellTest, clean_environment, cloth

from held_line import HeldLine
from weft_peer import PATIENCE_S

MESHES = Path(__file__).resolve().parent.parent.parent / "meshes"


def obj(positions, triangles):
    lines = [f"v {positions[i]} {positions[i + 1]} {positions[i + 2]}" for i in range(0, len(positions), 3)]
    lines += [f"f {triangles[i] + 1} {triangles[i + 1] + 1} {triangles[i + 2] + 1}" for i in range(0, len(triangles), 3)]
    return "\n".join(lines) + "\n"


def upright(columns, rows, spacing=0.1):
    """A hanging sheet: row 0 is the lowest."""
    positions = [n for j in range(rows) for i in range(columns) for n in (i * spacing, j * spacing, 0.0)]
    corners = [j * columns + i for j in range(rows - 1) for i in range(columns - 1)]
    triangles = [n for q in corners for n in (q, q + 1, q + columns, q + 1, q + columns + 1, q + columns)]
    return positions, triangles


def ball(rings, radius=1.0, middle=(0.0, 0.0, 0.0)):
    """Positions and triangles, outwards."""
    points = [(0.0, 1.0, 0.0)]
    around = 2 * rings
    for ring in range(1, rings):
        for k in range(around):
            a, b = math.pi * ring / rings, 2 * math.pi * k / around
            points.append((math.sin(a) * math.cos(b), math.cos(a), -math.sin(a) * math.sin(b)))
    points.append((0.0, -1.0, 0.0))
    triangles = []
    for k in range(around):
        n = (k + 1) % around
        last = 1 + (rings - 2) * around
        triangles += [0, 1 + k, 1 + n, len(points) - 1, last + n, last + k]
        for ring in range(rings - 2):
            a, b = 1 + ring * around + k, 1 + ring * around + n
            triangles += [a, a + around, b + around, a, b + around, b]
    return [m + radius * c for p in points for c, m in zip(p, middle)], triangles


class Load(ShellTest):
    def setUp(self):
        super().setUp()
        self.dir = Path(tempfile.mkdtemp(prefix="weft-load-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def file(self, name, text):
        path = self.dir / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def load(self, path, *arguments, world="w", **options):
        if world == "w":
            self.json("new", "w") if not self.json("list")["worlds"] else None
        return self.json("load", path, "--world", world, *arguments, **options)

    def body(self, body, world="w"):
        return self.json("call", "body.get", json.dumps({"world": world, "body": body}))

    def extent(self, got):
        return [(min(got["positions"][axis::3]), max(got["positions"][axis::3])) for axis in range(3)]

    def near(self, got, expected, tolerance=1e-6):
        for a, b in zip(got, expected):
            self.assertLess(abs(a - b), tolerance, (got, expected))

    # -- formats

    def test_each_format_becomes_what_it_holds(self):
        kinds = {"gmsh-2.msh": "soft", "gmsh-2-binary.msh": "soft", "gmsh-4.0.msh": "soft", "gmsh-4.1.msh": "soft",
                 "gmsh-4.1-binary.msh": "soft", "tetgen.node": "soft", "tetgen.ele": "soft", "box.stl": "cloth",
                 "box.ply": "cloth"}
        for number, (name, kind) in enumerate(kinds.items()):
            told = self.load(MESHES / name, "--name", f"b{number}")
            got = self.body(f"b{number}")
            self.assertEqual((told["kind"], got["kind"]), (kind, kind), name)
            self.assertEqual(told["particles"], got["particles"])
            self.near([n for pair in self.extent(got) for n in pair], [0, 1, 0, 2, 0, 3], 1e-5)
            codes = {warning["code"] for warning in told["answer"]["warnings"]}
            self.assertEqual(codes - {"COPY"}, set(), name)  # all lie where the first one does
            if kind == "soft":
                # 6 m^3 of jelly.
                self.assertAlmostEqual(sum(got["masses"]), 6 * 1050, delta=1)
                self.assertEqual(got["triangles"], [])
        # Triangles and tetrahedra in one file: one may be had.
        told = self.load(MESHES / "gmsh-4.1.msh", "--kind", "cloth", "--name", "skin")
        self.assertEqual((told["kind"], told["tets"]), ("cloth", 0))
        self.assertGreater(told["triangles"], 50)

    def test_gltf_and_binary_stl(self):
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        stl = b"\0" * 80 + struct.pack("<I", 2)
        for t in range(2):
            stl += struct.pack("<3f", 0, 0, 1) + b"".join(struct.pack("<3f", *corners[3 * t + k]) for k in range(3)) + b"\0\0"
        told = self.load(self.file("patch.stl", stl))
        self.assertEqual((told["particles"], told["triangles"], told["welded"]), (4, 2, 2))

        data = b"".join(struct.pack("<3f", *corner) for corner in corners[:3]) + struct.pack("<3H", 0, 1, 2) + b"\0\0"
        scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
                 "nodes": [{"mesh": 0, "translation": [0, 5, 0]}, {"mesh": 1, "scale": [3, 3, 3]}],
                 "meshes": [{"name": name, "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}
                            for name in ("one", "two")],
                 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                                "max": [1, 1, 0]},
                               {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
                 "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
                 "buffers": [{"byteLength": len(data)}]}
        head = json.dumps(scene).encode()
        head += b" " * (-len(head) % 4)
        glb = struct.pack("<4sII", b"glTF", 2, 28 + len(head) + len(data))
        glb += struct.pack("<I4s", len(head), b"JSON") + head + struct.pack("<I4s", len(data), b"BIN\0") + data
        path = self.file("scene.glb", glb)
        told = self.load(path, "--name", "both")
        self.assertEqual((told["particles"], [m["name"] for m in told["meshes"]]), (6, ["one", "two"]))
        self.near([n for pair in self.extent(self.body("both")) for n in pair], [0, 3, 0, 6, 0, 0])
        for number, part in enumerate(("two", "1")):
            self.load(path, "--mesh", part, "--name", f"part{number}")
            self.near([n for pair in self.extent(self.body(f"part{number}")) for n in pair], [0, 3, 0, 3, 0, 0])
        self.assertIn("no mesh 'three'", self.weft("load", path, "--world", "w", "--mesh", "three", status=1).stderr)

    def test_seams_are_welded_with_a_word(self):
        left, triangles = upright(3, 4)
        right = [n + (0.2 if i % 3 == 0 else 0) + (1e-9 if i % 3 == 2 else 0) for i, n in enumerate(left)]
        path = self.file("seam.obj", obj(left + right, triangles + [n + 12 for n in triangles]))
        self.weft("new", "w")
        out = self.weft("load", path, "--world", "w").stdout
        self.assertRegex(out, r"4 more within \S+ m: welded")
        self.assertEqual(self.body("seam")["particles"], 20)
        self.assertEqual(self.load(path, "--name", "apart", "--weld", "0")["particles"], 24)
        self.assertEqual(self.load(path, "--name", "wide", "--weld", "0.15")["welded"] > 4, True)

    # -- placing

    def test_units_size_turning_and_place(self):
        path = self.file("sheet.obj", obj(*upright(5, 3, 100)))
        cases = [
            (("--units", "mm"), [0, 0.4, 0, 0.2, 0, 0]),
            (("--units", "cm", "--scale", "0.1"), [0, 0.4, 0, 0.2, 0, 0]),
            (("--scale", "0.001,-0.002,1"), [0, 0.4, -0.4, 0, 0, 0]),
            (("--fit", "2"), [0, 2, 0, 1, 0, 0]),
            (("--fit", "2", "--at", "0,1,0"), [-1, 1, 1, 2, 0, 0]),
            (("--fit", "2", "--rotate", "0,90,0", "--at=1,0,1"), [1, 1, 0, 1, 0, 2]),
            (("--fit", "2", "--rotate", "90,0,0", "--at", "0,0,0"), [-1, 1, 0, 0, -0.5, 0.5]),
            (("--fit", "2", "--up", "z"), [0, 2, 0, 0, -1, 0]),
        ]
        for number, (arguments, expected) in enumerate(cases):
            told = self.load(path, *arguments, "--name", f"b{number}")
            got = [n for pair in self.extent(self.body(f"b{number}")) for n in pair]
            self.near(got, expected)
            self.near([n for pair in zip(told["low"], told["high"]) for n in pair], expected)
        # A mirrored mesh shows the same side as before.
        said = self.weft("load", path, "--dry-run").stdout
        self.assertRegex(said, "it is 400 m large; .*--units mm")
        self.assertNotIn("large", self.weft("load", path, "--dry-run", "--units", "mm").stdout)
        sheet = self.file("wide.obj", obj(*upright(46, 2, 1)))
        self.assertIn("it is 45 m large", self.weft("load", sheet, "--dry-run").stdout)
        # Those who say how large it is are not asked whether they meant that.
        for said in (("--units", "m"), ("--scale", "1"), ("--fit", "45")):
            self.assertNotIn("large", self.weft("load", sheet, "--dry-run", *said).stdout)
        self.assertIn("--units mm", self.load(sheet, "--dry-run")["hint"])
        self.assertNotIn("hint", self.load(sheet, "--dry-run", "--units", "cm"))
        # A refusal for long edges names what helps in the world, and what helps here.
        said = self.weft("load", path, "--world", "mm", "--create", status=1).stderr
        self.assertIn("resolution", said)
        self.assertIn("--units mm", said)
        few = self.file("few.obj", obj(*upright(2, 2, 15)))
        self.assertRegex(self.weft("load", few, "--world", "w", status=1).stderr, "resolution.*15 m large;.*--units mm")
        said = self.weft("load", few, "--world", "w", "--units", "m", status=1).stderr
        self.assertRegex(said, "resolution.*15 m large; --units, --scale or --fit changes that")
        # In a world that counts in millimetres it is as large as it should be.
        self.json("call", "world.create", json.dumps({"name": "mm", "resolution": 2**-17}))
        self.assertNotIn("hint", self.load(path, world="mm"))
        self.assertIn("hint", self.load(self.file("huge.obj", obj(*upright(6, 2, 5000))), world="mm"))

    # -- pins

    def test_pins(self):
        positions, triangles = upright(11, 11)
        # The file's order is not that of the sheet, and it has a vertex of nobody's.
        path = self.file("sheet.obj", obj([9, 9, 9] + positions, [n + 1 for n in triangles]))
        top = list(range(110, 121))
        cases = [
            (["top-edge"], top), (["edge:+y"], top), (["edge:-y"], list(range(11))),
            (["edge:-x"], list(range(0, 121, 11))), (["top-corners"], [110, 120]),
            (["index:1,111-113"], [0, 110, 111, 112]), (["box:-1,0.95,-1,0.35,1.05,1"], [110, 111, 112, 113]),
            (["sphere:0,0,0,0.11"], [0, 1, 11]), (["top-corners", "index:1"], [0, 110, 120]),
            (["all"], list(range(121))), ([], []),
        ]
        for number, (pins, expected) in enumerate(cases):
            arguments = [word for pin in pins for word in ("--pin", pin)]
            told = self.load(path, *arguments, "--name", f"b{number}")
            self.assertEqual((told["pins"], told["unused"]), (len(expected), 1), pins)
            self.assertEqual(self.body(f"b{number}")["pins"], expected, pins)
        for pin in ("index:0", "index:122", "index:x", "box:1,2", "sphere:0,0,0", "edge:+z", "edge:q", "bottom",
                    "box:5,5,5,6,6,6", "index:5-", "index:", "index:9-2"):
            error = self.weft("load", path, "--world", "w", "--name", "no", "--pin", pin, status=1).stderr
            self.assertIn("INVALID", error)
        level = self.file("level.obj", obj(*cloth(5, 5)))
        self.assertIn("level along y", self.weft("load", level, "--world", "w", "--pin", "top-edge", status=1).stderr)

    # -- soft

    def test_a_closed_surface_is_filled_and_carried(self):
        path = self.file("ball.obj", obj(*ball(16, 0.5, (0, 2, 0))))
        told = self.load(path, "--soft", "400", "--pin", "top-edge")
        self.assertLess(abs(told["cells"] - 400), 60)
        self.assertEqual(told["tets"], 5 * told["cells"])
        got = self.body("ball")
        self.assertEqual((got["kind"], got["particles"]), ("soft", told["particles"]))
        self.assertEqual(len(got["skin"]["particles"]) // 4, told["skin"])
        self.assertEqual(len(got["skin"]["triangles"]) // 3, 2 * 32 * 15)
        # It weighs what the surface holds, not what the cells do.
        volume = 4 / 3 * math.pi * 0.125
        self.assertAlmostEqual(sum(got["masses"]), 1050 * volume, delta=0.03 * 1050 * volume)
        state = self.json("call", "body.state", json.dumps({"world": "w", "body": "ball", "fields": ["skin"]}))
        for i in range(0, len(state["skin"]), 3):
            x, y, z = state["skin"][i:i + 3]
            self.assertLess(abs(math.sqrt(x * x + (y - 2) ** 2 + z * z) - 0.5), 1e-5)
        # Pinned at the top, it hangs and stays in one piece.
        self.weft("step", "w", 60)
        state = self.json("call", "body.state", json.dumps({"world": "w", "body": "ball", "fields": ["skin"]}))
        self.assertLess(min(state["skin"][1::3]), 1.5)
        self.assertGreater(min(state["skin"][1::3]), 0.8)
        self.assertLess(self.json("call", "world.measure", '{"world": "w"}')["measures"]["strain_max"], 1.5)

    def test_index_pins_of_a_carried_surface_hold_what_carries_it(self):
        path = self.file("ball.obj", obj(*ball(8)))
        told = self.load(path, "--soft", "100", "--pin", "index:0")
        got = self.body("ball")
        self.assertEqual(sorted(got["pins"]), sorted(got["skin"]["particles"][:4]))
        self.assertEqual(told["pins"], 4)

    def test_open_surfaces_are_refused(self):
        positions, triangles = ball(8)
        path = self.file("open.obj", obj(positions, triangles[:-60]))
        error = self.weft("load", path, "--world", "x", "--create", "--soft", "100", status=1).stderr
        self.assertIn("INVALID: the surface is open", error)
        self.assertEqual(self.json("list"), {"worlds": []})
        self.assertIn("no tetrahedra", self.weft("load", path, "--dry-run", "--kind", "soft", status=1).stderr)

    # -- material

    def test_materials_are_those_of_the_table(self):
        # Triangles with edges of 2 cm, all alike: the page's table says what comes of it.
        side, high = 0.02, 0.02 * math.sqrt(3) / 2
        positions = [n for j in range(30) for i in range(30) for n in (side * (i + j % 2 / 2), high * j, 0.0)]
        triangles = []
        for j in range(29):
            for i in range(29):
                a = 30 * j + i
                triangles += [a, a + 1, a + 30 + j % 2, a + 1 - j % 2, a + 31, a + 30]
        path = self.file("even.obj", obj(positions, triangles))
        table = {"cotton": (0.12, 2.3e-4, 5.0e5, 0.061), "silk": (0.06, 3.8e-4, 3.0e6, None),
                 "denim": (0.324, 1.4e-4, 1.5e5, 0.052), "rubber": (0.95, 7.7e-4, 1.8e4, None)}
        for name, (density, stretch, bend, limit) in table.items():
            told = self.load(path, "--material", name, "--name", name)
            self.near((told["density"] / density, told["stretch"] / stretch, told["bend"] / bend), (1, 1, 1), 0.04)
            got = self.body(name)
            self.assertEqual(got["bend"]["model"], "quadratic")
            self.assertEqual(got["stretch"]["compliance"], told["stretch"])
            self.assertEqual((told.get("limit"), got["stretch"].get("limit")), (limit, limit))
            self.assertAlmostEqual(sum(got["masses"]), density * len(triangles) / 3 * side * high / 2, delta=1e-6)
        told = self.load(path, "--name", "own", "--material", "none", "--density", "2", "--stretch", "1e-3", "--bend",
                         "7", "--bend-model", "dihedral", "--damping", "0.5", "--thickness", "0.01")
        got = self.body("own")
        self.assertEqual((got["stretch"]["compliance"], got["stretch"]["damping"], got["thickness"]), (1e-3, 0.5, 0.01))
        self.assertEqual((got["bend"]["model"], got["bend"]["compliance"]), ("dihedral", 7))
        self.assertNotIn("limit", got["stretch"])
        told = self.load(path, "--name", "limited", "--material", "none", "--limit", "0.05")
        self.assertEqual((told["limit"], self.body("limited")["stretch"]["limit"]), (0.05, 0.05))
        told = self.load(path, "--name", "stiff", "--material", "cotton", "--stretch", "0")
        self.assertNotIn("limit", told, "it keeps its length, and is not allowed 6 %")
        told = self.load(path, "--name", "both", "--material", "cotton", "--stretch", "0", "--limit", "0.1")
        self.assertEqual(self.body("both")["stretch"]["limit"], 0.1)
        told = self.load(path, "--name", "free", "--material", "denim", "--limit", "0")
        self.assertNotIn("limit", self.body("free")["stretch"])
        told = self.load(path, "--name", "rigid", "--material", "silk", "--rigidity", "2e-5")
        self.assertEqual((told["rigidity"], self.body("rigid")["bend"]["rigidity"]), (2e-5, 2e-5))
        told = self.load(path, "--name", "woven", "--fabric", "500,300,30,0.2", "--warp", "0,1,0", "--limit", "0")
        self.assertEqual((told["warp"], told["weft"], told["shear"], told["poisson"]), (500, 300, 30, 0.2))
        self.assertNotIn("stretch", told)
        self.assertEqual(self.body("woven")["stretch"],
                         {"model": "orthotropic", "warp": 500, "weft": 300, "shear": 30, "poisson": 0.2, "compliance": 0,
                          "damping": 0, "direction": [0, 1, 0], "angle": 0})
        told = self.load(path, "--name", "bent", "--fabric", "500,300,30", "--rigidity", "2e-5,1e-5")
        bend = self.body("bent")["bend"]
        self.assertEqual((told["bend_warp"], told["bend_weft"], bend["warp"], bend["weft"]), (2e-5, 1e-5, 2e-5, 1e-5))
        told = self.load(path, "--name", "jacket", "--material", "jacket", "--density", "0.2")
        jacket = self.body("jacket")
        self.assertEqual((told["density"], told["warp"], told["bend_weft"]), (0.2, 25.8, 3.57e-6))
        self.assertEqual((jacket["stretch"]["weft"], jacket["bend"]["bias"]), (102.8, 5.49e-6))
        mine = self.dir / "mine.json"
        mine.write_text(json.dumps({"twill": {"density": 0.5, "stretch": {"compliance": 1e-4}, "bend": {"rigidity": 1e-5},
                                              "friction": 0.6, "source": "ours"}}))
        told = self.load(path, "--name", "twill", "--materials", str(mine), "--material", "twill")
        self.assertEqual((told["density"], told["stretch"], told["rigidity"], told["friction"]), (0.5, 1e-4, 1e-5, 0.6))
        mine.write_text(json.dumps({"bad": {"pressure": {}}}))
        error = self.weft("load", path, "--world", "w", "--materials", str(mine), "--material", "bad", status=1).stderr
        self.assertIn('"pressure" is no field of a material', error)
        pieces = self.dir / "pieces.obj"
        pieces.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 0 1\nvt 1 0\nf 1/1 2/2 3/3\nf 2/2 4/3 3/1\n")
        self.load(pieces, "--name", "pieces", "--fabric", "9,8,7", "--warp", "uv")
        self.assertEqual(len(self.body("pieces")["yarn_uvs"]), 12)
        self.assertNotIn("direction", self.body("pieces")["stretch"])
        error = self.weft("load", path, "--world", "w", "--warp", "uv", "--fabric", "1,1,1", status=2).stderr
        self.assertIn("the mesh has no uvs", error)
        self.assertNotIn("bend", self.load(path, "--name", "plain", "--material", "none"))
        self.assertEqual(self.body("plain")["bend"]["model"], "none")
        error = self.weft("load", path, "--world", "w", "--material", "jelly", status=2).stderr
        self.assertIn("swimsuit, cotton, silk, denim, rubber, none", error)
        error = self.weft("load", MESHES / "gmsh-4.1.msh", "--world", "w", "--material", "silk", status=2).stderr
        self.assertIn("there is jelly, rubber, none", error)
        error = self.weft("load", path, "--world", "w", "--limit", "11", status=1).stderr
        self.assertIn("stretch.limit: 11 is above 10", error)
        error = self.weft("load", MESHES / "gmsh-4.1.msh", "--world", "w", "--limit", "0.1", status=2).stderr
        self.assertIn("--limit is for cloth", error)
        error = self.weft("load", path, "--world", "w", "--rigidity", "1", "--bend", "1", status=2).stderr
        self.assertIn("--rigidity and --bend both say how stiff bending is", error)
        for given, words in ((["--fabric", "1,2"], "--fabric needs warp,weft,shear"), (["--warp", "1,0,0"], "give both"),
                             (["--rigidity", "1,2"], "needs --fabric"), (["--rigidity", "1,2,"], "--rigidity needs a number"),
                             (["--fabric", "1,2,3", "--stretch", "0"], "--fabric and --stretch both say")):
            self.assertIn(words, self.weft("load", path, "--world", "w", *given, status=2).stderr)

    # -- contact

    def test_what_is_loaded_meets_itself_and_others(self):
        path = self.file("even.obj", obj(*upright(6, 6, 0.1)))  # sides of 0.1, 0.1 and 0.1 sqrt 2
        fields = ("thickness", "self_contact", "contact_group", "contact_mask", "friction")
        mean = 0.1 * (2 + math.sqrt(2)) / 3
        cases = [
            ((), (0.15 * mean, True, 1, 1, 0.3)),
            (("--thickness", "0.02", "--friction", "0.5"), (0.02, True, 1, 1, 0.5)),
            (("--no-contact",), (0, False, 0, 0, 0.3)),
            (("--thickness", "0"), (0, False, 0, 0, 0.3)),
            (("--no-self-contact",), (0.15 * mean, False, 1, 1, 0.3)),
            (("--contact-group", "4294967295", "--contact-mask", "0"), (0.15 * mean, True, 4294967295, 0, 0.3)),
            (("--contact-mask", "6", "--friction", "0"), (0.15 * mean, True, 1, 6, 0)),
            (("--static",), (0.15 * mean, False, 1, 1, 0.3)),
            (("--static", "--self-contact"), (0.15 * mean, True, 1, 1, 0.3)),
        ]
        for number, (arguments, want) in enumerate(cases):
            told = self.load(path, "--name", f"body {number}", *arguments)
            got = self.body(f"body {number}")
            self.near([float(got[name]) for name in fields], want, 1e-9)
            self.assertEqual([told[name] for name in fields[1:4]], list(want[1:4]))
            self.assertEqual(told["static"], "--static" in arguments)
            self.assertEqual(set(got["masses"]) == {0}, "--static" in arguments)
        self.assertNotIn("friction_kinetic", self.body("body 1"))
        told = self.load(path, "--name", "slides", "--friction", "0.5", "--friction-kinetic", "0.25",
                         "--restitution", "0.75")
        self.assertEqual((told["restitution"], self.body("slides")["restitution"]), (0.75, 0.75))
        self.assertEqual((told["friction_kinetic"], self.body("slides")["friction_kinetic"]), (0.25, 0.25))
        solid = self.load(MESHES / "gmsh-4.1.msh", "--name", "solid")
        self.assertTrue(0 < solid["thickness"] == self.body("solid")["thickness"])
        out = self.weft("load", path, "--dry-run").stdout
        self.assertIn("  it meets itself and others\n", out)
        self.assertIn("  it meets nothing but colliders\n", self.weft("load", path, "--dry-run", "--no-contact").stdout)
        for arguments in (["--contact-group", "1.5"], ["--contact-mask", "4294967296"], ["--contact-mask", "-1"],
                          ["--friction", "-1"], ["--friction", "1001"], ["--no-contact", "--self-contact"],
                          ["--friction-kinetic", "1001"], ["--restitution", "1.1"],
                          ["--static", "--density", "1"], ["--contact-group"]):
            self.assertIn("USAGE", self.weft("load", path, "--dry-run", *arguments, status=2).stderr)
        self.assertIn("thickness", self.weft("load", path, "--world", "w", "--thickness", "1e-6", status=1).stderr)

    # -- uneven meshes

    def uneven(self):
        """A closed surface whose edges are from 1/25 to 1 of the longest: rows as of a map by Mercator."""
        columns, rows, top = 40, 50, math.log(50)
        points, triangles = [], []
        for j in range(rows):
            y = -top + 2 * top * j / (rows - 1)
            for i in range(columns):
                angle = 2 * math.pi * (i + 0.5 * (j % 2)) / columns
                points += [math.cos(angle) / math.cosh(y), math.tanh(y), -math.sin(angle) / math.cosh(y)]
                a, b = j * columns + i, j * columns + (i + 1) % columns
                if j + 1 < rows:
                    up, over = a + columns, b + columns
                    triangles += [a, over, up, a, b, over] if j % 2 else [a, b, up, b, over, up]
        count, last = columns * rows, columns * (rows - 1)
        for i in range(columns):
            triangles += [(i + 1) % columns, i, count, last + i, last + (i + 1) % columns, count + 1]
        return self.file("uneven.obj", obj(points + [0, -1, 0, 0, 1, 0], triangles))

    def test_an_uneven_mesh_is_thinner_and_is_told_so(self):
        path = self.uneven()
        out = self.weft("load", path, "--dry-run").stdout
        self.assertRegex(out, r"edges are uneven: median \S+ m, least \S+ m, 5 % of them below \S+ m")
        self.assertRegex(out, r"--remesh \S+ makes the edges even")
        told = self.load(path)
        sizes = told["sizes"]
        self.assertTrue(sizes["uneven"] and sizes["least"] < sizes["median"] < sizes["mean"])
        self.assertLess(told["thickness"], 0.5 * 0.15 * sizes["mean"])
        self.assertEqual(self.body("uneven")["thickness"], told["thickness"])
        self.assertEqual(told["answer"]["warnings"], [])
        # One that is given is taken, and its price is told before anything is sent, and by the server.
        out = self.weft("load", path, "--world", "w", "--name", "thick", "--thickness", "0.02").stdout
        self.assertRegex(out, r"(?s)^its thickness of 0.02 m is large for its edges: \d+ % of them .*about \d+ pairs, \d+ for.*"
                              r"--thickness \S+ suits this mesh.*uneven.obj ")
        self.assertIn("THICK", out)

    def test_a_remeshed_surface_is_even_and_closed(self):
        path, length = self.uneven(), 0.1
        told = self.load(path, "--remesh", str(length), "--pin", "index:0,700")
        self.assertGreaterEqual(told["remeshed"]["even"], 0.95)
        self.assertEqual((told["pins"], told["sizes"]["uneven"]), (2, False))
        self.assertLess(told["remeshed"]["farthest"], 0.1 * length)
        got = self.body("uneven")
        edges, corners = {}, got["triangles"]
        for t in range(0, len(corners), 3):
            for a, b in ((0, 1), (1, 2), (2, 0)):
                edge = tuple(sorted((corners[t + a], corners[t + b])))
                edges[edge] = edges.get(edge, 0) + 1
        self.assertEqual(set(edges.values()), {2})
        self.assertEqual(got["particles"] - len(edges) + len(corners) // 3, 2)
        lengths = [math.dist(got["positions"][3 * a:3 * a + 3], got["positions"][3 * b:3 * b + 3]) for a, b in edges]
        self.assertGreaterEqual(sum(0.8 * length <= one <= length / 0.75 for one in lengths), 0.95 * len(lengths))
        # Vertices that --pin names by number are where the file has them.
        file = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("v ")]
        pinned = sorted(got["positions"][3 * p:3 * p + 3] for p in got["pins"])
        for one, other in zip(pinned, sorted([float(n) for n in file[v]] for v in (0, 700))):
            self.near(one, other, 1e-7)
        # The same again, to the bit.
        self.load(path, "--remesh", str(length), "--pin", "index:0,700", "--name", "again")
        self.assertEqual(self.body("again")["positions"], got["positions"])
        self.assertRegex(self.weft("load", path, "--dry-run", "--remesh", "0.0001", status=1).stderr,
                         r"LIMIT: --remesh: edges of 0.0001 m need about \S+ vertices, .* a length of \S+ m fits")
        self.assertIn("at most 1 m", self.weft("load", path, "--dry-run", "--remesh", "3", status=1).stderr)
        for arguments in (["--remesh", "0"], ["--remesh", "x"], ["--remesh", "0.1", "--soft", "100"], ["--remesh", "0.1", "--play"]):
            self.assertIn("--remesh", self.weft("load", path, "--dry-run", *arguments, status=2).stderr)
        self.assertIn("soft body", self.weft("load", MESHES / "tetgen.node", "--dry-run", "--remesh", "0.1", status=1).stderr)

    # -- words and wrong usage

    def test_dry_run_needs_no_server(self):
        told = self.json("--server", "127.0.0.1:1", "load", MESHES / "box.stl", "--dry-run", "--soft", "100")
        self.assertNotIn("answer", told)
        out = self.weft("--server", "127.0.0.1:1", "load", MESHES / "box.stl", "--dry-run").stdout
        self.assertIn("188 vertices lay where others did: welded", out)
        self.assertTrue(out.endswith("nothing was sent\n"))
        self.assertIn("CONNECT", self.weft("--server", "127.0.0.1:1", "load", MESHES / "box.stl", "--world", "w",
                                           status=3).stderr)

    def test_wrong_usage(self):
        path = MESHES / "box.stl"
        for arguments in (["load"], ["load", path], ["load", "--world", "w"], ["load", path, "--world"],
                          ["load", path, "--world", "w", "--soft", "0"], ["load", path, "--world", "w", "--fit", "-1"],
                          ["load", path, "--world", "w", "--scale", "0"], ["load", path, "--world", "w", "--up", "x"],
                          ["load", path, "--world", "w", "--at", "1,2"], ["load", path, "--world", "w", "--colour", "1"],
                          ["load", path, path, "--world", "w"], ["load", path, "--world", "w", "--units", "parsec"],
                          ["load", path, "--world", "w", "--kind", "gas"], ["load", path, "--world", "w", "--weld", "x"],
                          ["load", path, "--world", "w", "--soft", "9", "--kind", "cloth"],
                          ["load", path, "--world", "w", "--volume", "1"], ["load", path, "--world", "w", "--pin"]):
            self.assertIn("USAGE", self.weft(*arguments, status=2).stderr)

    def test_files_that_make_no_sense(self):
        self.assertIn("FILE", self.weft("load", self.dir / "gone.stl", "--dry-run", status=1).stderr)
        (self.dir / "folder.msh").mkdir()
        self.assertIn("it is a directory", self.weft("load", self.dir / "folder.msh", "--dry-run", status=1).stderr)
        bad = self.file("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
        self.assertIn("bad.obj, line 4", self.weft("load", bad, "--dry-run", status=1).stderr)
        self.file("t.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 x\n")
        self.file("t.ele", "1 4 0\n1 1 2 3 4\n")
        self.assertIn("t.node, line 5: z is no finite number",
                      self.weft("load", self.dir / "t.ele", "--dry-run", status=1).stderr)
        self.assertIn("t2.ele", self.weft("load", self.file("t2.node", "1 3\n0 0 0 0\n"), "--dry-run", status=1).stderr)

    # -- nothing half-made

    def test_a_refused_body_leaves_no_new_world(self):
        path = self.file("large.obj", obj(*upright(3, 3, 100)))
        error = self.weft("load", path, "--world", "fresh", "--create", status=1).stderr
        self.assertIn("at most 8 m", error)
        self.assertEqual(self.json("list"), {"worlds": []})
        # A world that was there stays.
        self.weft("new", "old")
        self.weft("load", path, "--world", "old", "--create", status=1)
        self.assertEqual([w["name"] for w in self.json("list")["worlds"]], ["old"])
        self.assertIn("NOT_FOUND", self.weft("load", MESHES / "box.stl", "--world", "none", status=1).stderr)
        told = self.json("load", MESHES / "box.stl", "--world", "fresh", "--create")
        self.assertTrue(told["created"])
        self.assertFalse(self.json("load", MESHES / "box.stl", "--world", "fresh", "--create", "--name", "b")["created"])

    def start(self, path, *arguments, server=None):
        return subprocess.Popen([os.environ["WEFT"], "load", str(path), *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env=clean_environment(WEFT_SERVER=server or self.server.address))

    def test_ctrl_c_leaves_nothing_whenever_it_comes(self):
        line = HeldLine(int(self.server.address.rsplit(":", 1)[1]))
        self.addCleanup(line.close)
        path, place = self.file("big.obj", obj(*upright(60, 60, 0.01))), f"127.0.0.1:{line.port}"
        process = self.start(path, "--world", "w", "--create", server=place)
        process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0)
        whole = line.passed
        self.assertGreater(whole, 40000)
        self.weft("delete", "w")
        # Of what it sends so much arrives before the signal. In the end nothing is missing but the last of the body: what it sends
        # after that it does not wait for.
        for most in (0, 1, whole // 4, whole // 2, whole * 3 // 4, whole - 1000):
            with self.subTest(most=most):
                line.hold_after(most)
                process = self.start(path, "--world", "w", "--create", server=place)
                self.assertTrue(line.held.wait(PATIENCE_S), "it sends nothing more")
                process.send_signal(signal.SIGINT)
                line.release()
                out, _ = process.communicate(timeout=PATIENCE_S)
                self.assertEqual(process.returncode, -signal.SIGINT)
                self.assertEqual((self.json("list")["worlds"], out), ([], ""))

    def test_ctrl_c_while_it_tells_what_it_did_comes_too_late(self):
        # It tells more than the pipe has room for, and so waits in the midst of telling, when all has been done.
        corners = "".join(f"v {i} 0 0\nv {i} 1 0\nv {i} 0 1\n" for i in range(200))
        path = self.file("parts.obj", corners + "".join(
            f"o {i}{'m' * 50}\nf {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(200)))
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb") as told:
            room = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            process = subprocess.Popen([os.environ["WEFT"], "--json", "load", str(path), "--world", "w", "--create"], stdout=writer,
                                       env=clean_environment(WEFT_SERVER=self.server.address))
            os.close(writer)
            deadline = time.monotonic() + PATIENCE_S
            while struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0] < room:
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out = told.read()
        self.assertEqual(process.wait(PATIENCE_S), 0)
        self.assertGreater(len(out), room)
        self.assertEqual(json.loads(out)["answer"]["body"], 1)
        self.assertEqual([w["bodies"] for w in self.json("list")["worlds"]], [1])

    def test_ctrl_c_while_it_reads_ends_it_at_once(self):
        # Until something is sent there is nothing that could be left half-made.
        path = self.dir / "never.msh"
        os.mkfifo(path)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(path, "--world", "w", "--create")
            with open(path, "wb") as pipe:
                pipe.write(b"$MeshFormat\n")
                pipe.flush()
                process.send_signal(number)
                out, err = process.communicate(timeout=PATIENCE_S)
            self.assertEqual((process.returncode, out, err), (-number, "", ""))
        self.assertEqual(self.json("list"), {"worlds": []})

    def test_what_takes_long_is_told_in_lines(self):
        # A fifo keeps it waiting for as long as the test wants.
        path = self.dir / "slow.msh"
        os.mkfifo(path)
        process = self.start(path, "--dry-run")
        try:
            with open(path, "wb") as pipe:
                pipe.write((MESHES / "gmsh-2.msh").read_bytes()[:100])
                pipe.flush()
                time.sleep(1.1)  # what took over a second by its clock is told; it may be longer
                pipe.write((MESHES / "gmsh-2.msh").read_bytes()[100:])
            out, err = process.communicate(timeout=PATIENCE_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("soft body slow", out)
        self.assertRegex(err, r"^(weft: [a-z]+(, \d+ %)?, after \d+ s\n)+$")
        self.assertNotIn("\033", err)


if __name__ == "__main__":
    unittest.main()
