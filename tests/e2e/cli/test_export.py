#!/usr/bin/env python3
"""What baked scenes are written as, opened by programs that nobody here wrote: the Khronos validator of glTF, USD's and
VTK's own libraries, Blender where it is installed.

The libraries of USD and VTK come from PyPI into an environment beside the build (readers.txt). Where they cannot be had
their tests are skipped, and say so.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy

from shell import LOST_S, PATIENCE_S, ShellTest, clean_environment

import beside

HERE = Path(__file__).resolve().parent
WEB = HERE.parents[2] / "clients" / "web"
VALIDATE = """
import validator from "gltf-validator";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
const told = {};
for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
    uri: path,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
  });
  told[path] = { ...report.issues, info: report.info };
}
console.log(JSON.stringify(told));
"""

# A block with a particle in its middle, a cloth, a rope, a ball that rises by motion and a plane of the cloth's name.
SCENE = {
    "weft": 1,
    "bodies": [
        {"name": "block", "box": {"size": [0.3, 0.3, 0.3], "cells": [2, 2, 2]}, "position": [2, 1, 0], "density": 500},
        {"name": "cloth", "grid": {"size": [1, 1], "cells": [4, 4]}, "position": [0, 1, 0]},
        {"name": "rope", "kind": "rope", "positions": [4, 1, 0, 4, 0.9, 0, 4, 0.8, 0], "edges": [0, 1, 1, 2]},
    ],
    "colliders": [{"name": "cloth", "kind": "plane"}, {"name": "ball", "kind": "sphere", "radius": 0.25, "position": [9, 1, 0]},
                  {"name": "post", "kind": "capsule", "radius": 0.1, "length": 1, "position": [8, 1, 0],
                   "rotation": [0.5, 0, 0, 0.8660254037844386]}],
    "motions": [{"collider": "ball", "times": [0, 1], "offsets": [0, 0, 0, 0, 3, 0]}],
}
TICKS = 12


class ExportTest(ShellTest):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix="weft-export-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def bake_scene(self, scene=SCENE, ticks=TICKS, name="s.take"):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene))
        self.weft("bake", path, "-o", self.folder / name, "--ticks", ticks)
        path.unlink()
        return self.folder / name

    def convert(self, take, name):
        self.weft("convert", take, self.folder / name)
        return self.folder / name


class Validated(ExportTest):
    def validate(self, paths):
        script = WEB / f".test-validate-{os.getpid()}-{id(self)}.mjs"
        script.write_text(VALIDATE)
        self.addCleanup(script.unlink)
        run = subprocess.run(["node", script.name, *map(str, paths)], cwd=WEB, capture_output=True, text=True,
                             timeout=4 * PATIENCE_S)
        self.assertEqual(run.returncode, 0, run.stderr)
        told = json.loads(run.stdout)
        for path, issues in told.items():
            # Uvs without a texture are for people who add one; the validator remarks on that.
            said = [m for m in issues["messages"] if not (m["code"] == "UNUSED_OBJECT" and m["pointer"].endswith("/TEXCOORD_0"))]
            self.assertEqual(said, [], path)
        return told

    def test_every_scene_of_the_gallery(self):
        names = [entry["name"] for entry in self.json("gallery")]
        self.assertGreaterEqual(len(names), 8)
        paths = []
        for name in names:
            self.weft("bake", name, "-o", self.folder / f"{name}.take", "--ticks", TICKS, "--every", 3, timeout_s=4 * PATIENCE_S)
            paths += [self.convert(self.folder / f"{name}.take", f"{name}.{end}") for end in ("glb", "gltf")]
        told = self.validate(paths)
        self.assertEqual(len(told), 2 * len(names))

    def test_bodies_of_every_kind_and_colliders_that_move(self):
        take = self.bake_scene()
        one = self.bake_scene(ticks=1, name="one.take")
        info = self.validate([self.convert(take, "s.glb"), self.convert(take, "s.gltf"), self.convert(one, "one.glb")])
        text = json.loads((self.folder / "s.gltf").read_text())
        nodes = {node["name"]: node for node in text["nodes"]}
        self.assertEqual(sorted(nodes), ["ball", "block", "cloth", "cloth-collider-1", "post", "rope"])
        channels = {(text["nodes"][c["target"]["node"]]["name"], c["target"]["path"]) for c in text["animations"][0]["channels"]}
        self.assertLessEqual({("ball", "translation"), ("ball", "rotation"), ("block", "weights")}, channels)
        self.assertNotIn(("post", "translation"), channels)
        self.assertIn("NORMAL", text["meshes"][nodes["block"]["mesh"]]["primitives"][0]["attributes"])
        self.assertEqual(len(info), 3)


class Surfaces(ExportTest):
    def test_a_cache_has_the_vertices_of_the_mesh_beside_it(self):
        take = self.bake_scene()
        data = numpy.load(self.convert(take, "s.npz"))
        self.assertEqual(data["block/positions"].shape[1], 27)  # one of them within
        self.convert(take, "s.pc2")
        lines = (self.folder / "s-block.obj").read_text().splitlines()
        vertices = sum(line.startswith("v ") for line in lines)
        used = numpy.unique(data["block/triangles"])
        self.assertEqual((vertices, len(used)), (26, 26))
        cache = (self.folder / "s-block.pc2").read_bytes()
        self.assertEqual(int.from_bytes(cache[16:20], "little"), vertices)
        frames = numpy.frombuffer(cache, "<f4", offset=32).reshape(TICKS + 1, vertices, 3)
        numpy.testing.assert_array_equal(frames[-1], data["block/positions"][-1][used])
        self.assertIn("s-ball.pc2", self.files())
        self.assertNotIn("s-post.pc2", self.files())
        self.assertIn("s-post.obj", self.files())
        if not shutil.which("blender"):
            return
        script = self.folder / "look.py"
        script.write_text(f"""
import bpy, numpy
numpy.bool = bool
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.obj(filepath={str(self.folder / "s-block.obj")!r}, axis_forward="Y", axis_up="Z", split_mode="OFF")
block = bpy.context.selected_objects[0]
cache = block.modifiers.new("cache", "MESH_CACHE")
cache.cache_format, cache.filepath = "PC2", {str(self.folder / "s-block.pc2")!r}
bpy.context.scene.frame_set({TICKS})
mesh = block.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
print("AT", [list(v.co) for v in mesh.vertices])
""")
        run = subprocess.run(["blender", "--background", "--python", str(script)], capture_output=True, text=True,
                             timeout=8 * PATIENCE_S)
        line = next((line for line in run.stdout.splitlines() if line.startswith("AT")), None)
        self.assertIsNotNone(line, run.stdout + run.stderr)
        numpy.testing.assert_allclose(json.loads(line[3:]), frames[-1], atol=1e-5)

    def test_a_recording_of_a_server_has_what_a_bake_has(self):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(SCENE))
        baked = numpy.load(self.convert(self.bake_scene(), "baked.npz"))
        path.write_text(json.dumps(SCENE))
        self.weft("open", path, "--name", "w")
        if self.json("get", "w")["state"] == "playing":
            self.weft("pause", "w")
            self.weft("reset", "w")
        self.weft("record", "w", "-o", self.folder / "lossless.npz", "--lossless", "--ticks", TICKS)
        recorded = numpy.load(self.folder / "lossless.npz")
        self.assertEqual(sorted(recorded), sorted(baked))
        for name in baked:
            if name == "block/triangles":  # each finds the surface of tetrahedra by itself, in an order of its own
                self.assertEqual({frozenset(t) for t in recorded[name].tolist()}, {frozenset(t) for t in baked[name].tolist()})
            else:
                numpy.testing.assert_array_equal(recorded[name], baked[name], name)
        self.assertAlmostEqual(float(baked["colliders/ball/poses"][-1, 1] - baked["colliders/ball/poses"][0, 1]),
                               3 * TICKS / 60, places=5)
        self.weft("reset", "w")
        self.weft("play", "w")
        self.weft("record", "w", "-o", self.folder / "live.npz", "--ticks", TICKS)
        live = numpy.load(self.folder / "live.npz")
        self.assertGreater(numpy.diff(live["colliders/ball/poses"][:, 1]).max(), 0)


# A roof: two triangles and a quadrangle that share an edge, sharp there; a seam of uvs at its left end; two materials.
ROOF = """
mtllib roof.mtl
o roof
v 0 0 1
v 1 0 1
v 1 1 0
v 0 1 0
v 1 0 -1
v 0 0 -1
vt 0 0
vt 1 0
vt 1 0.5
vt 0 0.5
vt 0.25 0.75
vt 1 1
vt 0 1
vn 0 0.7071 0.7071
vn 0 0.7071 -0.7071
usemtl brick
f 1/1/1 2/2/1 3/3/1
f 1/1/1 3/3/1 4/4/1
usemtl slate
f 4/5/2 3/3/2 5/6/2 6/7/2
"""
MTL = "newmtl brick\nKd 1 0.5 0\nd 0.5\nnewmtl slate\nKd 0 0 1\n"


class Looks(ExportTest):
    """What a mesh looks like goes from its file through the server to whatever is written."""

    def load(self, *options):
        (self.folder / "roof.obj").write_text(ROOF)
        (self.folder / "roof.mtl").write_text(MTL)
        told = self.json("load", self.folder / "roof.obj", "--world", "w", "--create", *options)
        (self.folder / "roof.obj").unlink()
        (self.folder / "roof.mtl").unlink()
        return told

    def corners(self, data):
        """Corners of a recording for NumPy as sets of (place, uv, colour), a triangle each."""
        at = data["roof/positions"][0]
        colors = data["roof/colors"]
        return {frozenset((*numpy.round(at[p], 4).tolist(), *numpy.round(uv, 4).tolist(), *numpy.round(colors[m], 4).tolist())
                          for p, uv in zip(triangle, uvs))
                for triangle, uvs, m in zip(data["roof/triangles"], data["roof/uvs"], data["roof/materials"])}

    def test_from_file_to_file(self):
        told = self.load()
        self.assertEqual((told["uvs"], told["edges"], told["materials"]), (True, True, 2))
        self.weft("record", "w", "-o", self.folder / "w.take", "--lossless", "--ticks", 2)
        take = self.folder / "w.take"
        data = numpy.load(self.convert(take, "w.npz"))
        colors = {tuple(numpy.round(c, 3)) for c in data["roof/colors"].tolist()}
        self.assertLessEqual({(1, 0.214, 0, 0.5), (0, 0, 1, 1)}, colors)  # linear, and opacity
        uvs = {tuple(uv) for uv in data["roof/uvs"].reshape(-1, 2).tolist()}
        self.assertEqual(uvs, {(0, 0), (1, 0), (1, 0.5), (0, 0.5), (0.25, 0.75), (1, 1), (0, 1)})
        whole = self.corners(data)
        self.assertEqual(len(whole), 4)
        # Saved, opened and baked it is the same.
        self.weft("save", "w", self.folder / "scene.json")
        self.weft("bake", self.folder / "scene.json", "-o", self.folder / "b.npz", "--ticks", 1)
        self.assertEqual({t for t in self.corners(numpy.load(self.folder / "b.npz"))}, self.corners_at_end(take, "w.npz"))
        # glTF: v goes down, a vertex is told apart by its uv and its normal, a primitive has one material.
        text = json.loads(self.convert(take, "w.gltf").read_text())
        primitives = text["meshes"][0]["primitives"]
        factors = [text["materials"][p["material"]]["pbrMetallicRoughness"]["baseColorFactor"] for p in primitives]
        self.assertEqual(len(primitives), 2)
        self.assertAlmostEqual(factors[0][3] + factors[1][3], 1.5, places=5)
        buffer = (self.folder / "w.bin").read_bytes()
        accessor = text["accessors"][primitives[0]["attributes"]["TEXCOORD_0"]]
        view = text["bufferViews"][accessor["bufferView"]]
        st = numpy.frombuffer(buffer, "<f4", 2 * accessor["count"], view["byteOffset"] + accessor["byteOffset"]).reshape(-1, 2)
        self.assertEqual({(u, 1 - v) for u, v in st.tolist()}, uvs)
        self.assertEqual(accessor["count"], 8)  # six points, of which two lie on the edge
        # OBJ: loaded again it is what it was.
        self.convert(take, "again.obj")
        self.weft("new", "again")
        self.weft("load", self.folder / "again_000001.obj", "--world", "again", "--name", "roof", "--weld", 0)
        self.weft("record", "again", "-o", self.folder / "again.npz", "--lossless", "--ticks", 1)
        self.assertEqual(self.corners(numpy.load(self.folder / "again.npz")), whole)
        Validated.validate(self, [self.folder / "w.gltf", self.convert(take, "w.glb")])
        head = self.convert(take, "w.ply").parent.joinpath("w_000001.ply").read_bytes().split(b"end_header")[0].decode()
        for line in ("element vertex 8", "property float nx", "property float t", "property uchar alpha"):
            self.assertIn(line, head)

    def corners_at_end(self, take, name):
        """Of the last frame, which is where a saved world goes on from."""
        data = dict(numpy.load(self.folder / name))
        data["roof/positions"] = data["roof/positions"][-1:]
        return self.corners(data)

    def test_what_carries_a_surface_has_its_look(self):
        (self.folder / "cube.obj").write_text(
            "".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1)) + "vt 0.5 0.25\n" +
            "".join("f " + " ".join(f"{i}/1" for i in q) + "\n" for q in
                    ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6))))
        told = self.json("load", self.folder / "cube.obj", "--world", "w", "--create", "--soft", 30, "--name", "roof")
        self.assertTrue(told["uvs"])
        self.weft("record", "w", "-o", self.folder / "w.npz", "--lossless", "--ticks", 1)
        data = numpy.load(self.folder / "w.npz")
        self.assertEqual(data["roof/uvs"].shape, (12, 3, 2))
        self.assertTrue((data["roof/uvs"] == [0.5, 0.25]).all())
        self.weft("record", "w", "-o", self.folder / "p.npz", "--lossless", "--ticks", 1, "--particles")
        self.assertNotIn("roof/uvs", numpy.load(self.folder / "p.npz"))

    def test_without_a_look(self):
        self.load("--no-look")
        self.weft("record", "w", "-o", self.folder / "w.npz", "--lossless", "--ticks", 1)
        self.assertNotIn("roof/uvs", numpy.load(self.folder / "w.npz"))

    def test_looks_that_do_not_fit_are_refused(self):
        def add(**fields):
            return self.weft("call", "body.add", "-", status=1, text=json.dumps(
                {"world": "w", "kind": "cloth", "positions": [0, 0, 0, 1, 0, 0, 0, 1, 0], "triangles": [0, 1, 2], **fields})).stderr

        self.weft("new", "w")
        for look, words in (({"uvs": [0] * 12}, "must be 6"), ({"uvs": [0] * 5}, "look.uvs"), ({"normals": [0] * 18}, "must be 9"),
                            ({"materials": [{}], "triangle_materials": [1]}, "there are 1 materials"),
                            ({"triangle_materials": [0]}, "there are 0 materials"),
                            ({"materials": [{}], "triangle_materials": [0, 0]}, "must be 1"),
                            ({"materials": [{"color": [2, 0, 0, 1]}]}, "color"), ({"materials": [{}] * 2}, "at most 1"), ({"nonsense": 1}, "nonsense")):
            self.assertIn(words, add(look=look), look)
        self.assertIn("twice", add(triangles=[0, 1, 2, 0, 1, 2], look={"uvs": [0] * 12}))
        self.assertIn("skin", self.weft("call", "body.add", "-", status=1, text=json.dumps(
            {"world": "w", "kind": "rope", "positions": [0, 0, 0, 1, 0, 0], "look": {"uvs": []}})).stderr)
        self.assertEqual(self.json("get", "w")["bodies"], 0)


class Readers(ExportTest):
    """USD's and VTK's own libraries."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.python = cls.environment()

    @classmethod
    def environment(cls):
        """Python of an environment with the readers, which all builds of this tree share; made where there is none."""
        build = Path(os.environ["WEFT_BUILD"])
        place = (build.parent if build.parent.name == "build" else build) / "readers"
        wanted, done = (HERE / "readers.txt").read_text(), place / "installed"
        python = place / "bin" / "python3"
        with open(f"{place}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if done.exists() and done.read_text() == wanted:
                return python
            shutil.rmtree(place, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, timeout=4 * PATIENCE_S)
            run = subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "-r",
                                  str(HERE / "readers.txt")], capture_output=True, text=True, timeout=20 * PATIENCE_S)
            if run.returncode != 0:
                raise unittest.SkipTest(f"the readers of USD and VTK cannot be had: {run.stderr.strip()[-300:]}")
            done.write_text(wanted)
        return python

    def read(self, *paths):
        run = subprocess.run([str(self.python), str(HERE / "readers.py"), *map(str, paths)], capture_output=True, text=True,
                             timeout=8 * PATIENCE_S, env=clean_environment())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "")
        return json.loads(run.stdout)

    def test_usd_and_vtk_hold_what_numpy_holds(self):
        take = self.bake_scene()
        data = numpy.load(self.convert(take, "s.npz"))
        usd, vtk = self.read(self.convert(take, "s.usda"), self.convert(take, "s.pvd"))
        self.assertEqual((usd["up"], usd["metres"], usd["seconds"]), ("Y", 1, TICKS / 60))
        things = usd["things"]
        self.assertEqual({name: thing["type"] for name, thing in things.items()},
                         {"block": "Mesh", "cloth": "Mesh", "rope": "BasisCurves", "cloth-collider-1": "Mesh",
                          "ball": "Mesh", "post": "Mesh"})
        used = numpy.unique(data["block/triangles"])
        block, cloth = data["block/positions"][-1][used], data["cloth/positions"][-1]
        numpy.testing.assert_allclose(things["block"]["points"], block, atol=1e-6)
        numpy.testing.assert_allclose(things["cloth"]["points"], cloth, atol=1e-6)
        for name, thing in things.items():
            self.assertEqual(thing["samples"] > 1, name in ("block", "cloth", "rope"), name)
            self.assertEqual(thing["moves"], name == "ball", name)
            if thing["type"] == "Mesh":
                self.assertTrue(thing["valid"] and thing["unit"], name)
        ball = data["colliders/ball/vertices"] + data["colliders/ball/poses"][-1][:3]
        numpy.testing.assert_allclose(things["ball"]["points"], ball, atol=1e-5)
        post = numpy.array(things["post"]["points"]) - [8, 1, 0]
        self.assertAlmostEqual(float(numpy.linalg.norm(post, axis=1).max()), 0.6, places=5)
        top = post[numpy.argmax(post[:, 2])]
        self.assertGreater(top @ [0, 0.5, 0.866], 0.57)  # it leans by 60 degrees about x
        frames = vtk["frames"]
        self.assertEqual([frame["complaints"] for frame in frames], [0] * (TICKS + 1))
        numpy.testing.assert_allclose([frame["time"] for frame in frames], data["time"])
        last = frames[-1]
        self.assertEqual(last["time"], last["own_time"])
        self.assertEqual(last["objects"], ["block", "cloth", "rope", "cloth-collider-1", "ball", "post"])
        points = numpy.array(last["points"])
        numpy.testing.assert_allclose(points[:26], block, atol=1e-6)
        numpy.testing.assert_allclose(points[26:51], cloth, atol=1e-6)
        self.assertEqual(last["cells"][:2], [0, 2])
        self.assertEqual(last["normals"], len(points))
        lines, polys = last["cell_objects"][:2], last["cell_objects"][2:]
        self.assertEqual((lines, polys[0], polys[-1]), ([2, 2], 0, 5))
        # post's own vertices are where USD has them
        count = len(things["post"]["points"])
        numpy.testing.assert_allclose(points[-count:], things["post"]["points"], atol=1e-5)


    def test_uvs_and_materials(self):
        Looks.load(self)
        self.weft("record", "w", "-o", self.folder / "w.take", "--lossless", "--ticks", 2)
        take = self.folder / "w.take"
        usd, vtk = self.read(self.convert(take, "w.usda"), self.convert(take, "w.pvd"))
        roof = usd["things"]["roof"]
        self.assertEqual(len(roof["uvs"]), 12)
        self.assertIn([0.25, 0.75], roof["uvs"])
        self.assertEqual(sorted(roof["materials"]), [[0, 0, 1], [1, 0.21404, 0]])
        self.assertEqual((len(roof["points"]), roof["normals"], roof["unit"]), (6, 12, True))  # one a corner
        last = vtk["frames"][-1]
        self.assertIn([0.25, 0.75], last["uvs"])
        self.assertEqual({tuple(c) for c in last["colors"]}, {(255, 55, 0, 128), (0, 0, 255, 255)})


class Kept(ExportTest):
    """Nothing that fails costs a file that was good, and nothing is left for good."""

    def test_a_recording_that_fails_leaves_the_good_file(self):
        self.weft("new", "w")
        self.add_cloth("w", 6, 5, name="flag", pins=[0, 5])
        for name in ("w.npz", "w.take", "w.pc2"):
            out = self.folder / name
            self.weft("pause", "w")
            self.weft("record", "w", "-o", out, "--lossless", "--ticks", 5)
            before = out.read_bytes()
            self.weft("play", "w")  # --lossless steps the world, which a playing one does not allow
            self.assertIn("CONFLICT", self.weft("record", "w", "-o", out, "--lossless", "--ticks", 5, status=1).stderr)
            self.assertEqual(out.read_bytes(), before)
            self.weft("record", "w", "-o", out, "--ticks", 3)  # a good one replaces it
            self.assertNotEqual(out.read_bytes(), before)
        self.assertEqual(self.files(), ["w.npz", "w.obj", "w.pc2", "w.take"])

    def test_a_recording_that_breaks_off_keeps_its_frames_beside_the_good_file(self):
        self.weft("new", "w")
        self.add_cloth("w", 6, 5, name="flag", pins=[0, 5])
        out = self.folder / "w.npz"
        self.weft("record", "w", "-o", out, "--lossless", "--ticks", 5)
        before = out.read_bytes()
        self.weft("play", "w")
        process = subprocess.Popen([os.environ["WEFT"], "--timeout", LOST_S, "record", "w", "-o", str(out)],
                                   env=clean_environment(WEFT_SERVER=self.server.address), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        take = self.folder / "w.npz.take"
        with self.server.peer() as peer:
            peer.until(lambda: take.exists() and take.stat().st_size > 4000, "frames")
        self.server.stop()
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(out.read_bytes(), before)
        self.assertIn("weft convert", stderr)
        self.weft("convert", take, self.folder / "later.npz")
        self.assertGreater(len(numpy.load(self.folder / "later.npz")["tick"]), 3)

    def test_what_a_killed_program_leaves_goes_with_the_next_run(self):
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(SCENE))
        out = self.folder / "o.obj"
        part, ticks = self.folder / "o.obj.part", 250
        while not part.is_dir():  # all was written before the kill: once more, with more to write
            ticks *= 2
            process = subprocess.Popen([os.environ["WEFT"], "bake", str(scene), "-o", str(out), "--ticks", str(ticks), "--fresh"],
                                       env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not (part.is_dir() and any(part.iterdir())):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
        for path in self.folder.glob("o_*.obj"):
            path.unlink()
        self.weft("bake", scene, "-o", out, "--ticks", 2, "--fresh")
        self.assertEqual(self.files(), ["o_000001.obj", "o_000002.obj", "o_000003.obj", "scene.json"])

    def test_a_save_clears_away_what_a_killed_one_left(self):
        self.weft("new", "w")
        self.add_cloth("w", 20, 20, name="flag", pins=[0, 5])
        scene = self.folder / "w.json"
        self.weft("save", "w", scene)
        arrays = next(path for path in self.folder.iterdir() if path.is_dir())
        stale = arrays / "bodies0.positions-0123456789abcdef.npy.part"
        stale.write_bytes(b"half")
        (self.folder / "w.json.part").write_bytes(b"half " * 100000)
        with open(self.folder / "w.json.part", "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assertIn("another program", self.weft("save", "w", scene, status=1).stderr)
        self.weft("save", "w", scene)
        self.assertEqual(self.files(), sorted(["w.json", arrays.name]))
        self.assertFalse(stale.exists())
        json.loads(scene.read_text())

    def test_a_bake_that_fails_says_so_last_and_replaces_nothing(self):
        broken = {"weft": 1, "settings": {"gravity": [100, 0, 0]},
                  "bodies": [{"name": "p", "kind": "points", "positions": [0, 0, 0], "velocities": [200, 0, 0], "masses": [1]}]}
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(broken))
        for name in ("b.npz", "b.take"):
            out = self.folder / name
            run = subprocess.run([os.environ["WEFT"], "bake", str(scene), "-o", str(out), "--ticks", "500"], text=True,
                                 env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S)
            self.assertEqual(run.returncode, 1)
            self.assertRegex(run.stdout.splitlines()[-1], "^weft: FAILED: .*failed in tick")
            self.assertTrue(out.exists())
            out.write_bytes(b"good")
            self.assertIn("is not replaced", self.weft("bake", scene, "-o", out, "--ticks", 500, status=1).stderr)
            self.assertEqual(out.read_bytes(), b"good")
        sweep = subprocess.run([os.environ["WEFT"], "bake", str(scene), "--ticks", "500", "--set",
                                "world.gravity=[100,0,0],[0,0,0]"], text=True, env=clean_environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S)
        self.assertEqual(sweep.returncode, 1)
        self.assertEqual(sweep.stdout.splitlines()[-1], "weft: FAILED: 1 of 2 variants failed; the notes say why")


if __name__ == "__main__":
    beside.main(4)
