#!/usr/bin/env python3
"""Recordings of a running world, opened by programs that nobody here wrote: NumPy, assimp, three.js in Node.

Blender reads .pc2 and .mdd; where it is not installed, their bytes are read here as its documentation has them.
"""

import ctypes
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import numpy

from shell import LOST_S, PATIENCE_S, ShellTest, clean_environment

import beside

WEB = Path(__file__).resolve().parents[3] / "clients" / "web"
THREE = """
import { AnimationMixer, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { readFileSync } from "node:fs";
globalThis.self = globalThis;
globalThis.ProgressEvent = class {};
const [path, name, seconds, particle] = process.argv.slice(2);
const file = readFileSync(path);
const bytes = path.endsWith(".glb") ? file.buffer.slice(file.byteOffset, file.byteOffset + file.length) : file.toString();
new GLTFLoader().parse(bytes, "", (gltf) => {
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  mixer.update(Number(seconds));
  const position = new Vector3();
  gltf.scene.getObjectByName(name).getVertexPosition(Number(particle), position);
  console.log(JSON.stringify({ at: position.toArray(), duration: gltf.animations[0].duration }));
}, (error) => { console.error(error); process.exit(1); });
"""


class RecordTest(ShellTest):
    TICKS = 12

    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix="weft-record-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.weft("new", "w")
        self.add_cloth("w", 6, 5, name="flag", pins=[0, 5])
        self.json("call", "body.add", json.dumps({
            "world": "w", "name": "rope", "kind": "rope", "positions": [0, 3, 0, 0.1, 3, 0, 0.2, 3, 0],
            "edges": [0, 1, 1, 2], "density": 0.1, "pins": [0]}))

    def record(self, name, *options, **more):
        out = self.folder / name
        self.json("record", "w", "-o", out, *options, **more)
        return out

    def now(self, body):
        return numpy.array(self.json("call", "body.state", json.dumps(
            {"world": "w", "body": body, "fields": ["positions"]}))["positions"], dtype="<f4").reshape(-1, 3)

    def lossless(self, name):
        """Records from the start, and gives the first and the last positions of the flag."""
        self.weft("reset", "w")
        first = self.now("flag")
        out = self.record(name, "--lossless", "--ticks", self.TICKS)
        return out, first, self.now("flag")

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def check_with_assimp(self, path, vertices):
        out = subprocess.run(["assimp", "info", str(path)], capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(out.returncode, 0, out.stdout + out.stderr)
        self.assertRegex(out.stdout, rf"Vertices: +{vertices}\b")


class Recordings(RecordTest):
    def test_numpy_opens_npz(self):
        out, first, last = self.lossless("w.npz")
        self.assertEqual(self.files(), ["w.npz"])
        data = numpy.load(out)
        self.assertEqual(data["flag/positions"].shape, (self.TICKS + 1, 30, 3))
        self.assertEqual(data["flag/triangles"].shape, (40, 3))
        self.assertEqual(data["rope/edges"].tolist(), [[0, 1], [1, 2]])
        numpy.testing.assert_array_equal(data["flag/positions"][0], first)
        numpy.testing.assert_array_equal(data["flag/positions"][-1], last)
        self.assertEqual(data["tick"].tolist(), list(range(self.TICKS + 1)))
        numpy.testing.assert_allclose(data["time"], numpy.arange(self.TICKS + 1) / 60)
        self.assertLess(last[12, 1], first[12, 1])  # it fell

    def test_compressed_takes_are_within_their_tolerance(self):
        tolerance, take, out = 1e-4, self.folder / "w.take", self.folder / "w.npz"
        self.lossless("exact.npz")
        exact = numpy.load(self.folder / "exact.npz")
        self.weft("reset", "w")
        self.record("w.take", "--lossless", "--ticks", self.TICKS, "--tolerance", tolerance)
        self.weft("convert", take, out)
        read = numpy.load(out)
        for name in ("flag/positions", "rope/positions"):
            self.assertEqual(read[name].shape, exact[name].shape)
            self.assertLessEqual(numpy.abs(read[name].astype("f8") - exact[name]).max(), tolerance)
        numpy.testing.assert_array_equal(numpy.diff(read["tick"].astype("i8")), 1)
        for name in ("substep", "flag/triangles", "rope/edges"):
            numpy.testing.assert_array_equal(read[name], exact[name])
        # What is damaged is named, and the rest is written all the same.
        damaged = bytearray(take.read_bytes())
        damaged[len(damaged) - 32 - 24 * (self.TICKS + 1) - 20] ^= 1
        take.write_bytes(damaged)
        err = self.weft("convert", take, out, status=1).stderr
        self.assertIn(f"frames {self.TICKS + 1} to {self.TICKS + 1}, behind tick {read['tick'][-2]}, are damaged", err)
        self.assertEqual(numpy.load(out)["tick"].tolist(), read["tick"].tolist()[:-1])
        self.weft("record", "w", "-o", self.folder / "x.take", "--tolerance", 0, status=2)

    def test_assimp_opens_numbered_meshes(self):
        for end in ("obj", "ply"):
            out, _, _ = self.lossless(f"w.{end}")
            self.assertFalse(out.exists())
            names = [name for name in self.files() if name.endswith(end)]
            self.assertEqual(names, [f"w_{i:06}.{end}" for i in range(1, self.TICKS + 2)])
        self.check_with_assimp(self.folder / "w_000013.obj", 33)
        self.check_with_assimp(self.folder / "w_000013.ply", 30)  # it takes faces of .ply files, no edges

    def test_three_plays_gltf(self):
        script = WEB / f".test-record-{os.getpid()}-{id(self)}.mjs"
        script.write_text(THREE)
        self.addCleanup(script.unlink)
        for end in ("glb", "gltf"):
            out, first, last = self.lossless(f"w.{end}")
            self.check_with_assimp(out, 33)
            if end == "gltf":  # the loader for Node takes data beside it only inline
                text = json.loads(out.read_text())
                self.assertEqual(text["buffers"][0]["uri"], "w.bin")
                self.assertEqual((self.folder / "w.bin").stat().st_size, text["buffers"][0]["byteLength"])
                continue
            for seconds, wanted in ((0, first), ((self.TICKS - 1e-3) / 60, last)):
                run = subprocess.run(["node", script.name, str(out), "flag", str(seconds), "17"], cwd=WEB,
                                     capture_output=True, text=True, timeout=PATIENCE_S)
                self.assertEqual(run.returncode, 0, run.stderr)
                seen = json.loads(run.stdout)
                numpy.testing.assert_allclose(seen["at"], wanted[17], atol=2e-4)
                self.assertAlmostEqual(seen["duration"], self.TICKS / 60, places=5)

    def test_point_caches_are_what_blender_reads(self):
        _, first, last = self.lossless("w.pc2")
        self.assertEqual(self.files(), ["w-flag.obj", "w-flag.pc2", "w-rope.obj", "w-rope.pc2"])
        data = (self.folder / "w-flag.pc2").read_bytes()
        self.assertEqual(struct.unpack("<12siiffi", data[:32]), (b"POINTCACHE2\0", 1, 30, 0.0, 1.0, self.TICKS + 1))
        frames = numpy.frombuffer(data, "<f4", offset=32).reshape(self.TICKS + 1, 30, 3)
        numpy.testing.assert_array_equal(frames[0], first)
        numpy.testing.assert_array_equal(frames[-1], last)
        _, first, last = self.lossless("w.mdd")
        data = (self.folder / "w-flag.mdd").read_bytes()
        self.assertEqual(struct.unpack(">ii", data[:8]), (self.TICKS + 1, 30))
        times = numpy.frombuffer(data, ">f4", self.TICKS + 1, 8)
        numpy.testing.assert_allclose(times, numpy.arange(self.TICKS + 1) / 60, rtol=1e-6)
        frames = numpy.frombuffer(data, ">f4", offset=8 + 4 * (self.TICKS + 1)).reshape(self.TICKS + 1, 30, 3)
        numpy.testing.assert_array_equal(frames[-1], last)
        if not shutil.which("blender"):
            return
        self.lossless("w.pc2")
        at = self.blender(f"""
bpy.ops.import_scene.obj(filepath={str(self.folder / "w-flag.obj")!r}, axis_forward="Y", axis_up="Z", split_mode="OFF")
flag = bpy.context.selected_objects[0]
cache = flag.modifiers.new("cache", "MESH_CACHE")
cache.cache_format, cache.filepath = "PC2", {str(self.folder / "w-flag.pc2")!r}
bpy.context.scene.frame_set({self.TICKS})
""")
        numpy.testing.assert_allclose(at, last[17], atol=1e-5)

    def blender(self, script):
        """Where vertex 17 of the flag is in Blender after the script, which names it."""
        path = self.folder / "look.py"
        # Some releases pair an importer with a numpy that no longer has this name.
        path.write_text(f"""
import bpy, numpy
numpy.bool = bool
bpy.ops.wm.read_factory_settings(use_empty=True)
{script}
print("AT", *flag.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh().vertices[17].co)
""")
        run = subprocess.run(["blender", "--background", "--python", str(path)], capture_output=True, text=True,
                             timeout=8 * PATIENCE_S)
        line = next((line for line in run.stdout.splitlines() if line.startswith("AT")), None)
        self.assertIsNotNone(line, run.stdout + run.stderr)
        return [float(x) for x in line.split()[1:]]

    @unittest.skipUnless(shutil.which("blender"), "there is no Blender")
    def test_blender_plays_gltf(self):
        out, _, last = self.lossless("w.glb")
        # Frames of Blender's scene are 24 a second; its z is up.
        x, y, z = self.blender(f"""
bpy.ops.import_scene.gltf(filepath={str(out)!r})
flag = bpy.data.objects["flag"]
frame = {self.TICKS} * bpy.context.scene.render.fps / 60
bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
""")
        numpy.testing.assert_allclose([x, z, -y], last[17], atol=1e-4)

    def test_a_take_becomes_any_of_them_later(self):
        take, _, last = self.lossless("w.take")
        self.assertIn("13 frames", self.weft("convert", take, self.folder / "later.npz").stdout)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "later.npz")["flag/positions"][-1], last)
        self.weft("convert", self.folder / "later.npz", self.folder / "x.obj", status=1)
        self.weft("convert", take, self.folder / "x.fbx", status=2)

    def test_live_until_told_to_stop(self):
        self.weft("play", "w")
        out = self.folder / "live.npz"
        process = subprocess.Popen([os.environ["WEFT"], "record", "w", "-o", str(out), "--every", "2"],
                                   env=clean_environment(WEFT_SERVER=self.server.address), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        take = self.folder / "live.npz.take"
        while time.monotonic() < deadline and not (take.exists() and take.stat().st_size > 4000):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        data = numpy.load(out)
        self.assertIn(f"{len(data['tick'])} frames of 33 particles", stdout)
        self.assertGreater(len(data["tick"]), 3)
        self.assertTrue(all(tick % 2 == 0 for tick in data["tick"][1:].tolist()))
        self.assertTrue((numpy.diff(data["tick"].astype(int)) > 0).all())
        self.assertEqual(self.files(), ["live.npz"])

    def test_ticks_that_were_missed_are_told(self):
        # Of a world that runs flat out within one call, a stream gets what it can carry.
        self.weft("pause", "w")
        out = self.folder / "gaps.npz"
        process = subprocess.Popen([os.environ["WEFT"], "--json", "record", "w", "-o", str(out), "--ticks", "2000"],
                                   env=clean_environment(WEFT_SERVER=self.server.address), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self.json("get", "w")["streams"] == 0:
            time.sleep(0.02)
        self.weft("step", "w", 2500)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        told = json.loads(stdout)
        ticks = numpy.load(out)["tick"].astype(int)
        self.assertEqual(told["frames"], len(ticks))
        self.assertEqual(told["missed"], int((numpy.diff(ticks) - 1).sum()))
        if told["missed"]:
            self.assertIn("missed", stderr)

    def test_live_substeps(self):
        self.weft("set", "w", "substeps=4")
        self.weft("play", "w")
        data = numpy.load(self.record("s.npz", "--substeps", "--ticks", 6))
        self.assertGreater(len(set(data["substep"].tolist())), 1)
        numpy.testing.assert_allclose(data["time"], (data["tick"] + data["substep"] / 4) / 60)

    def test_a_lost_server_loses_nothing_that_was_seen(self):
        self.weft("play", "w")
        out = self.folder / "lost.npz"
        process = subprocess.Popen([os.environ["WEFT"], "--timeout", LOST_S, "record", "w", "-o", str(out)],
                                   env=clean_environment(WEFT_SERVER=self.server.address), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        take = self.folder / "lost.npz.take"
        while time.monotonic() < deadline and not (take.exists() and take.stat().st_size > 4000):
            time.sleep(0.02)
        self.assertEqual(self.server.stop(), 0)
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 3, stderr)
        self.assertGreater(len(numpy.load(out)["tick"]), 3)

    def test_a_pipe_stays_one(self):
        pipe = self.folder / "pipe.npz"
        os.mkfifo(pipe)
        scene = self.folder / "pipe.json"
        os.mkfifo(scene)
        take = self.record("w.take", "--lossless", "--ticks", 2)
        for words in (("record", "w", "-o", pipe, "--lossless", "--ticks", 2), ("convert", take, pipe), ("save", "w", scene),
                      ("bake", "flag", "--ticks", 1, "-o", pipe)):
            self.assertIn("no file", self.weft(*words, status=1).stderr)
        self.assertTrue(pipe.is_fifo() and scene.is_fifo())
        self.assertEqual(self.files(), ["pipe.json", "pipe.npz", "w.take"])

    def test_what_cannot_be_recorded(self):
        self.assertIn("nowhere", self.weft("record", "nowhere", "-o", self.folder / "x.npz", status=1).stderr)
        self.assertIn(".pc2", self.weft("record", "w", "-o", self.folder / "x.fbx", status=2).stderr)
        self.weft("record", "w", status=2)
        self.weft("record", "w", "-o", self.folder / "x.npz", "--lossless", status=2)
        self.assertIn("written", self.weft("record", "w", "-o", "/nowhere/x.npz", "--ticks", 1, status=1).stderr
                      .replace("opened", "written"))
        self.weft("new", "empty")
        self.assertIn("nothing", self.weft("record", "empty", "-o", self.folder / "x.npz", "--ticks", 1,
                                           status=1).stderr)
        self.weft("play", "w")  # --lossless steps the world, which a playing one does not allow
        self.assertIn("CONFLICT", self.weft("record", "w", "-o", self.folder / "x.npz", "--lossless", "--ticks", 500,
                                            status=1).stderr)
        self.assertEqual([name for name in self.files() if not name.startswith("x.npz")], [])


class Records(RecordTest):
    """A take of a live world is what decides it; the solver makes the frames of it again."""

    def begin(self, *options):
        process = subprocess.Popen([os.environ["WEFT"], "--json", "record", "w", "-o", str(self.folder / "w.take"), *options],
                                   env=clean_environment(WEFT_SERVER=self.server.address), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self.size() < 1000:  # an image is there
            time.sleep(0.02)
        return process

    def size(self):
        part = self.folder / "w.take.part"
        return part.stat().st_size if part.exists() else 0

    def until_larger(self, size):
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self.size() <= size:
            time.sleep(0.02)
        self.assertGreater(self.size(), size)

    def pieces(self, data):
        """Place, kind, size and tick of each."""
        at, found = 96, []
        while at < len(data):
            kind, size, _, tick = struct.unpack_from("<IIQQ", data, at + 8)
            found.append((at, kind, size, tick))
            at += 48 + size
        return found

    def test_frames_are_made_again(self):
        take, out = self.folder / "w.take", self.folder / "w.npz"
        process = self.begin("--ticks", "200", "--images", "1")
        before = self.size()
        self.weft("step", "w", 70)
        self.until_larger(before)  # the hash of where it rests, and then the next image
        self.json("call", "collider.add", '{"world": "w", "kind": "sphere", "radius": 0.3, "position": [0.5, 0.4, 0.5]}')
        self.json("call", "body.set", '{"world": "w", "body": "flag", "friction": 0.5}')
        self.weft("step", "w", 70)
        self.until_larger(before + 1000)
        self.weft("step", "w", 70)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        told = json.loads(stdout)
        self.assertEqual((told["ticks"], told["missed"], told["records"]), (200, 0, 2))
        self.assertEqual(told["bytes"], take.stat().st_size)
        self.assertGreaterEqual(told["images"], 2)
        # The same as the server shows of its past, to the bit.
        self.weft("record", "w", "-o", self.folder / "past.npz", "--to", 200)
        past = numpy.load(self.folder / "past.npz")
        ran = self.json("convert", take, out)
        self.assertEqual((ran["frames"], ran["tick"], ran["whole"]), (201, 200, True))
        self.assertTrue(3 <= ran["hashes"] == ran["equal"], ran)
        made = numpy.load(out)
        for name in ("tick", "flag/positions", "rope/positions", "flag/triangles"):
            numpy.testing.assert_array_equal(made[name], past[name], name)
        self.assertIn("hashes equal", self.weft("convert", take).stdout)  # alone it looks whether it comes to that
        # A part of it begins at the image before.
        part = self.json("convert", take, out, "--from", 150, "--to", 160, "--every", 2)
        self.assertEqual((part["frames"], part["tick"]), (6, 160))
        self.assertLess(part["ticks"], 160)
        numpy.testing.assert_array_equal(numpy.load(out)["flag/positions"], past["flag/positions"][150:161:2])
        self.weft("convert", take, self.folder / "frames.take", "--tolerance", 1e-4)
        self.weft("convert", self.folder / "frames.take", out)
        self.assertLessEqual(numpy.abs(numpy.load(out)["flag/positions"] - past["flag/positions"]).max(), 1e-4)
        # A bake goes on from a moment of it as the world went on, where nobody did anything.
        self.weft("bake", "--from", f"{take}@150", "-o", out, "--ticks", 20)
        numpy.testing.assert_array_equal(numpy.load(out)["flag/positions"], past["flag/positions"][150:171])
        self.weft("bake", "--from", f"{take}@500", "-o", out, "--ticks", 20, status=2)
        self.check_damage(take, past)

    def check_damage(self, take, past):
        data, out = take.read_bytes(), self.folder / "damaged.npz"
        pieces = self.pieces(data)
        later = [tick for _, kind, _, tick in pieces if kind == 1][1:]
        at = next(at for at, kind, size, _ in pieces if kind == 2)
        for hurt in (data[:at + 60] + bytes([data[at + 60] ^ 1]) + data[at + 61:], data[:at] + data[at + 48 + 8:]):
            take.write_bytes(hurt)
            run = subprocess.run([os.environ["WEFT"], "convert", str(take), str(out)], capture_output=True, text=True,
                                 timeout=PATIENCE_S, env=clean_environment())
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertRegex(run.stderr, r"piece \d+ is damaged, behind tick 0")
            self.assertIn(f"ticks 1 to {later[0] - 1} are not in the take", run.stderr)
            made = numpy.load(out)
            self.assertEqual(made["tick"].tolist(), [0, *range(later[0], 201)])
            numpy.testing.assert_array_equal(made["flag/positions"], past["flag/positions"][made["tick"]])
        # What was cut off is no damage: it goes as far as it goes.
        take.write_bytes(data[:pieces[-2][0] + 20])
        run = subprocess.run([os.environ["WEFT"], "convert", str(take), str(out)], capture_output=True, text=True,
                             timeout=PATIENCE_S, env=clean_environment())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("has no end", run.stderr)
        # What another solver made is refused before anything is run.
        sums = ctypes.CDLL("libxxhash.so.0")  # weft has it linked
        sums.XXH3_64bits.restype = ctypes.c_uint64
        head = data[:12] + struct.pack("<I", 99) + data[16:88]
        take.write_bytes(head + struct.pack("<Q", sums.XXH3_64bits(head, ctypes.c_size_t(len(head)))) + data[96:])
        self.assertIn("solver is version 99; this one is version", self.weft("convert", take, out, status=1).stderr)
        for hurt in (data[:60], data[:30] + b"!" + data[31:], data[:96]):
            take.write_bytes(hurt)
            self.weft("convert", take, out, status=1)

    def test_an_image_in_pieces(self):
        self.weft("new", "large", "--substeps", 1)
        self.add_cloth("large", 60, 60, self_contact=False)
        self.weft("play", "large")
        take = self.folder / "w.take"
        told = self.json("record", "large", "-o", take, "--ticks", 4)
        self.assertGreater(told["bytes"], 256 << 10)
        ran = self.json("convert", take, self.folder / "w.npz")
        self.assertEqual((ran["ticks"], ran["frames"], ran["whole"]), (4, 5, True))

    def test_a_lost_server_loses_nothing_that_was_told(self):
        process = self.begin("--timeout", LOST_S)
        before = self.size()
        self.weft("step", "w", 20)
        self.until_larger(before)
        self.assertEqual(self.server.stop(), 0)
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 3, stderr)
        self.assertEqual(self.json("convert", self.folder / "w.take")["tick"], 20)

    def test_options_of_frames_make_a_take_of_frames(self):
        self.weft("play", "w")
        for option in (("--frames",), ("--tolerance", "1e-3"), ("--every", "2")):
            told = self.json("record", "w", "-o", self.folder / "w.take", "--ticks", 2, *option)
            self.assertIn("frames", told)
            # Frames that are there are not run.
            self.assertIn("no option", self.weft("convert", self.folder / "w.take", "--from", 3, status=2).stderr)


class Skins(RecordTest):
    """A body that carries a surface is recorded as that surface."""

    SKIN = {"particles": [0, 1, 2, 3] * 5, "triangles": [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4],
            "weights": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5, 0.25, 0.125, 0.125]}

    def setUp(self):
        super().setUp()
        self.json("call", "body.add", json.dumps({
            "world": "w", "name": "blob", "kind": "soft", "positions": [3, 2, 0, 4, 2, 0, 3, 3, 0, 3, 2, 1],
            "tets": [0, 1, 2, 3], "pins": [0], "skin": self.SKIN}))

    def now(self, body):
        field = "skin" if body == "blob" else "positions"
        return numpy.array(self.json("call", "body.state", json.dumps(
            {"world": "w", "body": body, "fields": [field]}))[field], dtype="<f4").reshape(-1, 3)

    def both(self, name, *options):
        self.weft("reset", "w")
        first = self.now("blob")
        out = self.record(name, "--lossless", "--ticks", self.TICKS, *options)
        return out, first, self.now("blob")

    def test_lossless(self):
        out, first, last = self.both("w.npz")
        data = numpy.load(out)
        self.assertEqual(data["blob/positions"].shape, (self.TICKS + 1, 5, 3))
        self.assertEqual(data["blob/triangles"].ravel().tolist(), self.SKIN["triangles"])
        numpy.testing.assert_array_equal(data["blob/positions"][0], first)
        numpy.testing.assert_array_equal(data["blob/positions"][-1], last)
        self.assertGreater(abs(last - first).max(), 0.01)
        self.assertEqual(data["flag/positions"].shape, (self.TICKS + 1, 30, 3))

    def test_live(self):
        self.weft("play", "w")
        data = numpy.load(self.record("live.npz", "--ticks", 20))
        self.assertEqual(data["blob/positions"].shape[1:], (5, 3))
        moved = abs(numpy.diff(data["blob/positions"], axis=0)).max(axis=(1, 2))
        self.assertTrue((moved > 0).all(), "each frame has a skin of its own")
        # Each vertex of the skin is where its weights and the corners, which are its first vertices, say.
        corners, middle = data["blob/positions"][:, :4], data["blob/positions"][:, 4]
        weights = numpy.array(self.SKIN["weights"][16:]).reshape(4, 1)
        numpy.testing.assert_allclose(middle, (corners * weights).sum(axis=1), atol=1e-5)
        self.assertGreater(abs(numpy.diff(data["flag/positions"], axis=0)).max(), 0)

    def test_particles_instead(self):
        for options in (("--lossless",), ()):
            self.weft("reset", "w")
            if not options:
                self.weft("play", "w")
            data = numpy.load(self.record(f"p{len(options)}.npz", "--particles", "--ticks", 5, *options))
            self.assertEqual((data["blob/positions"].shape[1:], len(data["blob/triangles"])), ((4, 3), 4))
            self.assertGreater(abs(data["blob/positions"][-1] - data["blob/positions"][0]).max(), 0)

    def test_every_format_has_it(self):
        for end in ("obj", "ply", "glb", "gltf", "pc2", "mdd"):
            out, _, last = self.both(f"w.{end}")
            if end in ("obj", "ply"):
                self.check_with_assimp(self.folder / f"w_{self.TICKS + 1:06}.{end}", 38 if end == "obj" else 35)
            elif end in ("glb", "gltf"):
                self.check_with_assimp(out, 38)
            else:
                self.check_with_assimp(self.folder / "w-blob.obj", 5)
                data = (self.folder / f"w-blob.{end}").read_bytes()
                kind, head = ("<f4", 32) if end == "pc2" else (">f4", 8 + 4 * (self.TICKS + 1))
                frames = numpy.frombuffer(data, kind, offset=head).reshape(self.TICKS + 1, 5, 3)
                numpy.testing.assert_array_equal(frames[-1], last)


if __name__ == "__main__":
    beside.main(4)
