"""A server of one's own, meshes and recordings by the shell, and pictures."""
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from support import PACKAGE, PATIENCE_S, ROOT, weft

MESH = ROOT / "tests" / "meshes" / "box.stl"
HOLD = """
import sys, weft
server = weft.serve(threads=1)
print(server.address, server._process.pid, flush=True)
sys.stdin.readline()
"""


def gone(address):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            weft.connect(address, connect_timeout=PATIENCE_S).close()
        except weft.Error:
            return True
        time.sleep(0.05)
    return False


class Serving(unittest.TestCase):
    def test_a_server_begins_and_ends_with_its_block(self):
        with weft.serve(threads=1) as server:
            with server.connect(user="Ada") as client, client.create("flag") as world:
                self.assertEqual(client.user, "Ada")
                world.step(2)
                self.assertEqual(world.get().tick, 2)
                self.assertIn(f'src="{server.studio}#world={world.id}"', world.view(300, 200)._repr_html_())
            self.assertTrue(server.running)
        self.assertFalse(server.running)
        self.assertEqual(server.stop(), 0)
        self.assertTrue(gone(server.address))
        self.assertTrue(any("listening rpc" in line for line in server.lines))

    def test_without_a_studio(self):
        with weft.serve(threads=1, http=None) as server, server.connect() as client, client.create() as world:
            self.assertIsNone(server.studio)
            with self.assertRaises(weft.Invalid):
                world.view()

    def test_what_keeps_it_from_starting_is_said(self):
        with self.assertRaisesRegex(weft.ProgramError, "--threads"):
            weft.serve(threads=-3)
        with weft.serve(threads=1, http=None) as server:
            with self.assertRaisesRegex(weft.ProgramError, "in use|cannot"):
                weft.serve(listen=server.address, http=None)

    def test_a_program_that_is_not_there_is_said(self):
        kept = os.environ.pop("WEFTD"), os.environ.pop("WEFT", None), os.environ["PATH"]
        try:
            os.environ["PATH"] = "/nowhere"
            with self.assertRaisesRegex(weft.ProgramError, "weftd is not in PATH"):
                weft.serve()
        finally:
            os.environ["WEFTD"], os.environ["PATH"] = kept[0], kept[2]
            if kept[1]:
                os.environ["WEFT"] = kept[1]

    def test_it_ends_with_its_program_however_that_ends(self):
        for end in (lambda run: run.communicate("\n"), lambda run: run.kill(), lambda run: run.send_signal(signal.SIGTERM)):
            run = subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")})
            with run:
                address, _ = run.stdout.readline().split()
                weft.connect(address).close()
                end(run)
                self.assertTrue(gone(address))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = weft.serve(threads=1)

    @classmethod
    def tearDownClass(cls):
        if cls.server.stop() != 0:
            raise AssertionError("\n".join(cls.server.lines[-40:]))

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-files-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.client = self.server.connect(timeout=PATIENCE_S)
        self.addCleanup(self.client.close)
        self.world = self.client.create()
        self.addCleanup(self.world.delete)

    def test_a_mesh_from_a_file(self):
        body = self.world.load(MESH, name="box", pin=["index:0", "index:1"], fit=1.5, at=(0, 2, 0))
        self.assertEqual(body.id, body.answer.body)
        about = body.get()
        self.assertEqual((about.name, len(about.pins)), ("box", 2))
        self.assertAlmostEqual(float(np.ptp(about.positions, axis=0).max()), 1.5, 5)
        with self.assertRaises(weft.Error) as caught:
            self.world.load(self.folder / "none.obj")
        self.assertEqual((caught.exception.code, caught.exception.kind), ("FILE", 1))
        with self.assertRaises(weft.Conflict):
            self.world.load(MESH, name="box")

    def test_a_mesh_of_another_package(self):
        sheet = weft.shapes.sheet(4, 3)
        for mesh in (SimpleNamespace(vertices=sheet["positions"], faces=sheet["triangles"]),
                     SimpleNamespace(points=sheet["positions"], cells_dict={"triangle": sheet["triangles"]}),
                     (sheet["positions"], sheet["triangles"])):
            self.assertEqual(self.world.load(mesh, pins=[0]).answer.particles, 12)
        block = weft.shapes.block((1, 1, 1))
        tets = SimpleNamespace(points=block["positions"], cells_dict={"tetra": block["tets"]})
        self.assertEqual(self.world.load(tets).get().kind, "soft")

    def test_a_mesh_of_another_package_is_placed_as_one_of_a_file(self):
        sheet, block = weft.shapes.sheet(4, 3), weft.shapes.block((1, 1, 1))
        cloth = self.world.load((sheet["positions"], sheet["triangles"]), at=(0, 2, 0), pin="all", fit=0.5).get()
        self.assertEqual((cloth.name, len(cloth.pins), len(cloth.positions)), ("mesh", 12, 12))
        self.assertAlmostEqual(float(cloth.positions[:, 1].min()), 2.0, 6)
        tets = SimpleNamespace(points=block["positions"] / 3, cells_dict={"tetra": block["tets"]})
        soft = self.world.load(tets, name="soft", at=(1, 0, 0)).get()
        self.assertEqual((soft.kind, len(soft.tets)), ("soft", len(block["tets"])))
        for wrong, word in (((np.zeros((3, 2)), [[0, 1, 2]]), r"positions of shape \(3, 2\)"), (7, "int is not a mesh"),
                            (SimpleNamespace(points=[], cells_dict={"line": []}), "line")):
            with self.assertRaisesRegex(weft.Invalid, word):
                self.world.load(wrong)

    def test_a_recording_and_a_bake(self):
        rope = self.world.add_body("rope", **weft.shapes.rope(4), pins=[0], name="rope")
        baked = self.world.bake(self.folder / "baked.npz", ticks=5)
        self.assertEqual((len(baked), baked[0]["ticks"]), (1, 5))
        told = self.world.record(self.folder / "lived.npz", ticks=5, lossless=True)
        self.assertEqual((told["frames"], told["missed"]), (6, 0))
        self.assertEqual(self.world.hash().hash, baked[0]["hash"])
        lived, computed = np.load(self.folder / "lived.npz"), np.load(self.folder / "baked.npz")
        name = next(name for name in lived.files if name.endswith("positions"))
        np.testing.assert_array_equal(lived[name], computed[name])
        np.testing.assert_allclose(lived[name][-1], rope.state().positions, atol=1e-6)
        rows = self.world.bake(ticks=2, values={"world.damping": [0, 1]})
        self.assertEqual(len({row["hash"] for row in rows}), 2)
        for job in (self.world.bake, lambda: self.world.record(self.folder / "x.npz")):
            with self.assertRaises(weft.Invalid):
                job()

    def test_a_picture(self):
        self.world.add_body("cloth", **weft.shapes.sheet(6, 5))
        self.world.add_body("rope", **weft.shapes.rope(5))
        self.world.add_body("soft", **weft.shapes.block((1, 1, 1)))
        self.world.add_body("points", positions=[[0, 0, 0]])
        carried = self.world.add_body("soft", **weft.shapes.block((1, 1, 1)), skin={
            "particles": [0, 1, 2, 3] * 3, "weights": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], "triangles": [0, 1, 2]})
        self.assertEqual(carried.state(["skin"]).skin.shape, (3, 3))
        picture = self.world.picture(width=300, height=200)
        root = xml.fromstring(picture._repr_svg_())
        tags = [child.tag.rpartition("}")[2] for child in root]
        self.assertEqual((root.get("width"), tags.count("path"), tags.count("circle")), ("300", 40 + 4 + 12 + 1, 1))
        picture.save(str(self.folder / "world.svg"))
        self.assertEqual((self.folder / "world.svg").read_text(), picture.svg)
        deadline = time.monotonic() + PATIENCE_S
        while self.world.get().people and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.world.get().people, 0, "who took a picture is gone")
        empty = self.client.create()
        self.addCleanup(empty.delete)
        xml.fromstring(empty.picture().svg)

    def test_the_same_for_asyncio(self):
        async def main():
            async with weft.aio.connect(self.server.address) as client:
                async with await client.create() as world:
                    body = await world.load(MESH, name="box")
                    rows = await world.bake(ticks=1)
                    told = await world.record(self.folder / "box.npz", ticks=1, lossless=True)
                    picture = await world.picture()
                    return (await body.get()).name, rows[0]["ticks"], told["frames"], len(picture.svg) > 500

        self.assertEqual(asyncio.run(main()), ("box", 1, 2, True))


if __name__ == "__main__":
    unittest.main()
