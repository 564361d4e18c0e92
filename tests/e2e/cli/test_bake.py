#!/usr/bin/env python3
"""weft bake: the same bits as a server, killed and gone on with, sweeps and their tables."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import numpy

from shell import PATIENCE_S, ShellTest, clean_environment, on_terminal

ENDLESS = 100_000_000  # ticks: whatever the machine does meanwhile, it is not over before it is stopped

SCENE = {
    "weft": 1,
    "settings": {"substeps": 8, "wind": {"velocity": [3, 0, 1], "drag": 1.0, "lift": 0.5}},
    "bodies": [
        {"name": "flag", "grid": {"size": [1, 0.6], "cells": [20, 12], "upright": True}, "position": [0, 2, 0],
         "material": "cotton", "pins": "left edge"},
        {"name": "block", "box": {"size": [0.3, 0.3, 0.3], "cells": [2, 2, 2]}, "position": [2, 1, 0], "density": 500},
    ],
    "colliders": [{"name": "ground", "kind": "plane"}],
}


class Bakes(ShellTest):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix="weft-bake-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE))

    def bake(self, *options, **more):
        return self.weft("bake", self.scene, *options, **more)

    def row(self, *options, **more):
        rows = self.json("bake", self.scene, *options, **more)
        self.assertEqual(len(rows), 1)
        return rows[0]

    def files(self):
        return sorted(path.name for path in self.folder.iterdir() if path != self.scene)

    def test_the_same_bits_as_the_server(self):
        self.weft("open", self.scene, "--name", "w")
        self.weft("step", "w", 40)
        served = self.json("hash", "w")
        for threads in (1, 3):
            baked = self.row("--ticks", served["tick"], "--threads", threads)
            self.assertEqual(baked["hash"], served["hash"])
        scalar = self.row("--ticks", served["tick"], "--isa", "scalar")
        self.assertEqual(scalar["hash"], served["hash"])
        self.assertEqual((scalar["status"], scalar["ticks"]), ("done", served["tick"]))

    def test_frames_are_those_of_the_server(self):
        out = self.folder / "out.npz"
        self.bake("-o", out, "--ticks", 10, "--every", 5)
        data = numpy.load(out)
        self.assertEqual(data["tick"].tolist(), [0, 5, 10])
        self.assertEqual(self.files(), ["out.npz"])
        self.assertGreater(len(data["block/triangles"]), 20)  # its surface
        self.weft("open", self.scene, "--name", "w")
        self.weft("step", "w", 10)
        here = self.json("call", "body.state", json.dumps({"world": "w", "body": "flag", "fields": ["positions"]}))
        numpy.testing.assert_array_equal(numpy.array(here["positions"], "<f4").reshape(-1, 3), data["flag/positions"][2])

    def test_skins_are_what_is_written(self):
        skin = {"particles": [0, 1, 3, 9] * 3, "weights": [0.25] * 4 + [1, 0, 0, 0, 0.5, 0.5, 0, 0], "triangles": [0, 1, 2]}
        scene = json.loads(json.dumps(SCENE))
        scene["bodies"][1]["skin"] = skin
        self.scene.write_text(json.dumps(scene))
        out, cut = self.folder / "out.npz", self.folder / "cut.take"
        row = self.row("-o", out, "--ticks", 10)
        data = numpy.load(out)
        self.assertEqual(data["block/positions"].shape, (11, 3, 3))
        self.assertEqual(data["block/triangles"].tolist(), [[0, 1, 2]])
        bare = numpy.load(self.bare("--ticks", 10))["block/positions"]
        self.assertEqual(bare.shape, (11, 27, 3))
        corners = bare[:, skin["particles"]].reshape(11, 3, 4, 3)
        weights = numpy.array(skin["weights"]).reshape(1, 3, 4, 1)
        numpy.testing.assert_allclose(data["block/positions"], (corners * weights).sum(axis=2), atol=1e-6)
        # The physics knows nothing of it.
        self.scene.write_text(json.dumps(SCENE))
        self.assertEqual(self.row("--ticks", 10)["hash"], row["hash"])
        # Gone on with, it is the same; with other contents it is another bake.
        self.scene.write_text(json.dumps(scene))
        process, checkpoint = self.start(cut)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
        ticks = self.done(checkpoint) + 20
        self.assertIn("--fresh", self.bake("-o", cut, "--ticks", ticks, "--particles", status=2).stderr)
        self.bake("-o", cut, "--ticks", ticks, timeout_s=4 * PATIENCE_S)
        whole = self.folder / "whole.take"
        self.bake("-o", whole, "--ticks", ticks, timeout_s=4 * PATIENCE_S)
        self.assertEqual(cut.read_bytes(), whole.read_bytes())

    def bare(self, *options):
        out = self.folder / "bare.npz"
        self.bake("-o", out, "--particles", *options)
        return out

    def test_substeps(self):
        out = self.folder / "out.npz"
        self.bake("-o", out, "--ticks", 2, "--substeps", "--every", 4)
        data = numpy.load(out)
        self.assertEqual(list(zip(data["tick"].tolist(), data["substep"].tolist())),
                         [(0, 0), (0, 4), (1, 0), (1, 4), (2, 0)])

    def start(self, out, *options, least_ns=0):
        """A bake without end, once it has written a checkpoint of its own that counts so much time, and went on after that."""
        checkpoint = Path(f"{out}.checkpoint")
        process = subprocess.Popen(
            [os.environ["WEFT"], "bake", str(self.scene), "-o", str(out), "--ticks", str(ENDLESS), "--checkpoint", "0.01",
             "--threads", "1", *options],
            env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        seen = set()

        def went_on():
            if checkpoint.exists():
                seen.add(checkpoint.stat().st_mtime_ns)
            return len(seen) > 2 and self.took_ns(checkpoint) > least_ns  # one of them may be of the run before

        self.until(went_on, process)
        return process, checkpoint

    def until(self, holds, process):
        """Waits for what a process does that runs until it is stopped."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline, "what was waited for does not come")
            time.sleep(0.002)

    @staticmethod
    def done(checkpoint):
        return int.from_bytes(checkpoint.read_bytes()[24:32], "little")  # ticks

    @staticmethod
    def took_ns(checkpoint):
        return int.from_bytes(checkpoint.read_bytes()[40:48], "little")

    def test_killed_again_and_again_it_comes_to_the_same_bytes(self):
        whole, cut = self.folder / "whole.npz", self.folder / "cut.npz"
        for how in (signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
            process, checkpoint = self.start(cut)
            process.send_signal(how)
            _, stderr = process.communicate(timeout=PATIENCE_S)
            if how == signal.SIGINT:
                self.assertEqual(process.returncode, 130, stderr)
                self.assertIn("goes on from here", stderr)
            self.assertFalse(cut.exists())
        ticks = self.done(checkpoint) + 20
        # What is damaged or belongs to something else is refused, and nothing is lost by that.
        good = checkpoint.read_bytes()
        checkpoint.write_bytes(good[:-1])
        self.assertIn("--fresh", self.bake("-o", cut, "--ticks", ticks, status=1).stderr)
        checkpoint.write_bytes(good)
        self.assertIn("--fresh", self.bake("-o", cut, "--ticks", ticks, "--every", 2, status=2).stderr)
        self.assertIn("farther", self.bake("-o", cut, "--ticks", 1, status=2).stderr)
        self.bake("-o", cut, "--ticks", ticks, timeout_s=4 * PATIENCE_S)
        self.bake("-o", whole, "--ticks", ticks, timeout_s=4 * PATIENCE_S)
        self.assertEqual(cut.read_bytes(), whole.read_bytes())
        self.assertEqual(self.files(), ["cut.npz", "whole.npz"])

    def test_a_sweep_is_the_product_of_its_values(self):
        sets = ("--set", "body.flag.stretch.compliance=1e-7,1e-5", "--set", "world.gravity=[0,-9.81,0],[0,0,0]",
                "--ticks", 20)
        rows = json.loads(self.bake(*sets, "--table", "json").stdout)
        self.assertEqual([(row["set"]["body.flag.stretch.compliance"], row["set"]["world.gravity"]) for row in rows],
                         [("1e-7", "[0,-9.81,0]"), ("1e-7", "[0,0,0]"), ("1e-5", "[0,-9.81,0]"), ("1e-5", "[0,0,0]")])
        self.assertEqual(len({row["hash"] for row in rows}), 4)
        # Each is what it is alone.
        changed = json.loads(json.dumps(SCENE))
        changed["bodies"][0]["stretch"] = {"compliance": 1e-5}
        changed["settings"]["gravity"] = [0, 0, 0]
        self.scene.write_text(json.dumps(changed))
        self.assertEqual(self.row("--ticks", 20)["hash"], rows[3]["hash"])
        self.scene.write_text(json.dumps(SCENE))
        table = list(csv.DictReader(io.StringIO(self.bake(*sets, "--table", "csv").stdout)))
        self.assertEqual([row["hash"] for row in table], [row["hash"] for row in rows])
        self.assertEqual(table[1]["world.gravity"], "[0,0,0]")
        for field in ("strain_rms", "elastic", "kinetic", "volume_error_rms"):
            self.assertEqual([float(row[field]) for row in table], [row[field] for row in rows])
        text = self.bake(*sets).stdout.splitlines()
        self.assertEqual(len(text), 5)
        self.assertIn(rows[2]["hash"], text[3])

    def test_ranges_are_written_out(self):
        def values(text):
            rows = json.loads(self.bake("--set", f"world.damping={text}", "--ticks", 1, "--table", "json").stdout)
            return [row["set"]["world.damping"] for row in rows]

        self.assertEqual(values("0:1:0.25"), ["0", "0.25", "0.5", "0.75", "1"])
        self.assertEqual(values("0:0.35:0.1"), ["0", "0.1", "0.2", "0.3"])
        self.assertEqual(values("0.3:0:-0.1"), ["0.3", "0.2", "0.1", "0"])
        self.assertEqual(values("1e-4:1:log5"), ["0.0001", "0.001", "0.01", "0.1", "1"])
        self.assertEqual(values("2,0.5:1:0.5,7"), ["2", "0.5", "1", "7"])
        for text, words in (("0:1", "FROM:TO:STEP"), ("0:1:0", "no step"), ("0:1:-1", "no step"), ("0:1:log3", "neither of them 0"),
                            ("1:2:log1", "2 or more"), ("1:2:log2.5", "2 or more"), ("1:2:x", "FROM:TO:STEP"),
                            ("0:1:1e-9", "more than"), ("1:inf:1", "FROM:TO:STEP"), ("1:2:3:4", "FROM:TO:STEP")):
            self.assertIn(words, self.bake("--set", f"world.damping={text}", "--ticks", 1, status=2).stderr, text)

    def series(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def test_measures_as_they_go(self):
        row = self.row("--ticks", 20, "--every", 4, "--series", self.folder / "m.csv")
        lines = self.series("m.csv")
        self.assertEqual([int(line["tick"]) for line in lines], [0, 4, 8, 12, 16, 20])
        self.assertEqual(float(lines[3]["time"]), 12 / 60)
        for name in ("kinetic", "potential", "elastic", "strain_rms", "strain_max", "volume_error_rms"):
            self.assertEqual(float(lines[-1][name]), row[name], name)
        self.assertGreater(float(lines[-1]["kinetic"]), float(lines[0]["kinetic"]))
        # Each is what a bake that ends there measures.
        self.assertEqual(float(lines[2]["elastic"]), self.row("--ticks", 8)["elastic"])
        self.bake("--ticks", 3, "--set", "world.damping=0,1", "--series", self.folder / "s.csv")
        self.assertEqual([len(self.series(f"s-{v}.csv")) for v in (1, 2)], [4, 4])
        self.assertEqual(self.files(), ["m.csv", "s-1.csv", "s-2.csv"])
        self.assertIn(".csv", self.bake("--ticks", 1, "--series", "m.txt", status=2).stderr)

    def test_a_bake_that_is_gone_on_with_tells_all_of_its_time_and_measures(self):
        out, measures = self.folder / "cut.npz", self.folder / "cut.csv"
        process, checkpoint = self.start(out, "--series", str(measures), least_ns=100_000_000)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(measures.exists())
        first_s, ticks = 1e-9 * self.took_ns(checkpoint), self.done(checkpoint) + 1
        begun = time.monotonic()
        row = self.row("-o", out, "--ticks", ticks, "--series", measures, timeout_s=4 * PATIENCE_S)
        second_s = time.monotonic() - begun
        self.assertEqual(row["ticks"], ticks)
        self.assertAlmostEqual(row["ms_per_tick"], 1e3 * row["seconds"] / ticks)
        # Those of the first run are among them, and no more of the second than it was there.
        self.assertGreater(row["seconds"], first_s)
        self.assertLess(row["seconds"], first_s + second_s)
        self.assertEqual([int(line["tick"]) for line in self.series("cut.csv")], list(range(ticks + 1)))
        self.bake("--ticks", ticks, "--series", self.folder / "whole.csv", timeout_s=4 * PATIENCE_S)
        self.assertEqual(measures.read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual(self.files(), ["cut.csv", "cut.npz", "whole.csv"])

    def test_measures_without_an_output_are_kept_when_it_is_stopped(self):
        part, table = self.folder / "m.csv.part", self.folder / "m.csv"
        process = subprocess.Popen([os.environ["WEFT"], "bake", str(self.scene), "--ticks", str(ENDLESS), "--series", str(table)],
                                   env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Each row is in the file when it is measured, so that a kill leaves it as well.
        self.until(lambda: part.exists() and part.read_text().count("\n") > 5, process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 130)
        self.assertIn("m.csv", said)
        ticks = [int(line["tick"]) for line in self.series("m.csv")]
        self.assertGreater(len(ticks), 4)
        self.assertEqual(ticks, list(range(len(ticks))))
        self.assertFalse(part.exists())

    def test_the_table_fits_the_terminal(self):
        status, lines = on_terminal("bake", self.scene, "--ticks", 1, "--quiet", "--set", "world.damping=0,1", "--set",
                                    "body.flag.stretch.damping=0")
        self.assertEqual(status, 0)
        self.assertLessEqual(max(map(len, lines)), 80, lines)
        heads = [line.split() for line in lines if "world.damping" in line]
        self.assertGreater(len(heads), 1)
        self.assertTrue(all(head[:2] == ["world.damping", "body.flag.stretch.damping"] for head in heads))
        wide = self.bake("--ticks", 1, "--set", "world.damping=0,1", "--set", "body.flag.stretch.damping=0").stdout.splitlines()
        self.assertEqual((len(wide), [word for head in heads for word in head[2:]]), (3, wide[0].split()[2:]))
        self.assertEqual(lines[-1].split()[-1], wide[2].split()[-1])

    def test_a_sweep_goes_on_with_what_is_left(self):
        ticks = 50
        while True:
            ticks *= 2
            arguments = ("-o", self.folder / "s.npz", "--set", "world.damping=0,0.1,0.2,0.3,0.4,0.5", "--ticks", ticks,
                         "--threads", 1, "--table", "json")
            process = subprocess.Popen([os.environ["WEFT"], "bake", str(self.scene), *map(str, arguments), "--fresh"],
                                       env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not (self.folder / "s-2.npz").exists() and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=PATIENCE_S)
            if process.returncode == 130:
                break
            # All of it was over first: once more, with a longer one.
            self.assertEqual(process.returncode, 0, stderr)
            for path in self.folder.glob("s-*"):
                path.unlink()
        first = (self.folder / "s-1.npz").stat().st_mtime_ns
        rows = json.loads(self.bake(*arguments, timeout_s=4 * PATIENCE_S).stdout)
        self.assertEqual((self.folder / "s-1.npz").stat().st_mtime_ns, first)
        self.assertEqual(self.files(), [f"s-{v}.npz" for v in range(1, 7)])
        self.assertEqual([row["status"] for row in rows], ["done"] * 6)
        again = json.loads(self.bake(*arguments, "--fresh", timeout_s=4 * PATIENCE_S).stdout)
        self.assertEqual([row["hash"] for row in rows], [row["hash"] for row in again])

    def test_a_world_that_fails_leaves_what_there_was(self):
        broken = json.loads(json.dumps(SCENE))
        broken["bodies"] = [{"name": "p", "kind": "points", "positions": [0, 0, 0], "velocities": [200, 0, 0], "masses": [1]}]
        broken["settings"] = {"gravity": [100, 0, 0]}
        broken.pop("colliders")
        self.scene.write_text(json.dumps(broken))
        out = self.folder / "out.npz"
        run = self.bake("-o", out, "--ticks", 500, status=1)
        self.assertIn("failed in tick", run.stderr)
        self.assertGreater(len(numpy.load(out)["tick"]), 3)

    def test_what_is_refused(self):
        for options, words in (
                (("--ticks", 0), "--ticks"), ((), "either --ticks or --seconds"), (("--ticks", 5, "--seconds", 1), "either --ticks or --seconds"),
                (("--ticks", 5, "-o", "x.fbx"), ".npz"), (("--ticks", 5, "--set", "x"), "PATH=VALUE"),
                (("--ticks", 5, "--set", "body.nobody.thickness=1"), "nobody"),
                (("--ticks", 5, "--set", "body.flag.nonsense=1"), "nonsense"),
                (("--ticks", 5, "--set", "world.substeps=lots"), "substeps"),
                (("--ticks", 5, "--isa", "mmx"), "mmx"), (("--ticks", 5, "--table", "xml"), "text, csv or json"),
                (("--ticks", 5, "--nonsense"), "--nonsense")):
            self.assertIn(words, self.bake(*options, status=2).stderr, options)
        self.assertIn("cannot be opened", self.weft("bake", "nowhere", "--ticks", 1, status=2).stderr)
        self.scene.write_text("{")
        self.assertIn("scene.json:1", self.bake("--ticks", 1, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
