#!/usr/bin/env python3
"""Scenes of papers about contact, and large ones, on a server of their own: nothing may cross, counted exactly.

    tests/soak/scenes.py [--quick] [--draw FOLDER] [NAME...]       all of them unless named; --list names them

Each is built by the Python package, starts free of crossings, and moves by keyframes alone; nothing that is held is pressed
into anything. It tells how far it is; ends with status 1 where anything crossed, pairs were dropped or a world failed.
--quick takes small ones, counted after each tick, for the check. --draw leaves what scripts/film.py draws of each, a frame
for each count. WEFTD names the server.

After M. Li, D. M. Kaufman, C. Jiang: Codimensional Incremental Potential Contact, ACM Transactions on Graphics 40, 2021
(sheets, twisted, cards), and A. H. Chen, J. Hsu, Z. Liu, M. Macklin, Y. Yang, C. Yuksel: Offset Geometric Contact, ACM
Transactions on Graphics 44, 2025 (twisted, funnel).
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients/python/src"))
import weft  # noqa: E402

MEETS = {"self_contact": True, "contact_group": 1, "contact_mask": 1}
LEVEL = {"right": (1, 0, 0), "down": (0, 0, 1)}


def turned(positions: Any, degrees: float, axis: int, about: Any = (0, 0, 0)) -> Any:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b = (axis + 1) % 3, (axis + 2) % 3
    out = np.array(positions, dtype=np.float64) - about
    out[:, a], out[:, b] = c * out[:, a] - s * out[:, b], s * out[:, a] + c * out[:, b]
    return out + about


def sheet(side: int, size: float, at: Any, degrees: float = 0) -> dict[str, Any]:
    """Square and level, around a place."""
    made = weft.shapes.sheet(side, side, size=(size, size), at=(-size / 2, 0, -size / 2), **LEVEL)
    return {"positions": turned(made["positions"], degrees, 1) + np.asarray(at), "triangles": made["triangles"]}


def add_cloth(world: Any, name: str, mesh: dict[str, Any], edge: float, **fields: Any) -> Any:
    given: dict[str, Any] = {"density": 0.2, "stretch": {"compliance": 1e-6}, "bend": {"compliance": 1e4},
                             "thickness": 0.15 * edge, "friction": 0.3, **MEETS}
    return world.add_body("cloth", name=name, **mesh, **{**given, **fields})


def rings(outline: list[tuple[float, float]], around: int) -> dict[str, Any]:
    """A surface around y: rings of (radius, height)."""
    turn = 2 * np.pi * (np.arange(around)[None, :] + 0.5 * (np.arange(len(outline))[:, None] % 2)) / around
    radius, height = (np.array([row[k] for row in outline])[:, None] for k in (0, 1))
    positions = np.stack([radius * np.cos(turn), height + 0 * turn, radius * np.sin(turn)], axis=-1).reshape(-1, 3)
    triangles = []
    for row in range(len(outline) - 1):
        for i in range(around):
            a, b = row * around + i, row * around + (i + 1) % around
            c, d = a + around, b + around
            triangles += [(a, b, d), (a, d, c)] if row % 2 else [(a, b, c), (b, d, c)]
    return {"positions": positions, "triangles": np.array(triangles, dtype=np.uint32)}


def turns(axis: int, degrees: float, seconds: float, approach: float) -> dict[str, Any]:
    """Keyframes of a turning about an axis, along which it goes as well."""
    count = max(1, math.ceil(abs(degrees) / 30))
    part = np.arange(count + 1) / count
    half = np.radians(degrees * part) / 2
    rotations, offsets = np.zeros((count + 1, 4)), np.zeros((count + 1, 3))
    rotations[:, axis], rotations[:, 3] = np.sin(half), np.cos(half)
    offsets[:, axis] = approach * part
    return {"times": seconds * part, "rotations": rotations, "offsets": offsets}


# ----------------------------------------------------------------------------------------------------------


def sheets(client: Any, quick: bool) -> Any:
    """Sheets fall on a cylinder that lies."""
    count, side = (8, 9) if quick else (50, 21)
    size = 0.3 if quick else 0.6
    world = client.create("sheets", substeps=16, damping=0.3)
    world.add_collider("plane", name="ground", friction=0.5)
    world.add_collider("cylinder", name="bar", position=(0, 0.35, 0), rotation=(math.sqrt(0.5), 0, 0, math.sqrt(0.5)),
                       radius=0.3 * size, length=1.5 * size, friction=0.4)
    for n in range(count):
        at = (0.02 * size * math.sin(2.4 * n), 0.6 + 0.02 * n, 0.02 * size * math.cos(2.4 * n))
        add_cloth(world, f"sheet {n + 1}", sheet(side, size, at, 137.5 * n), size / (side - 1))
    return world


def twisted(client: Any, quick: bool) -> Any:
    """A cylinder of cloth, whose ends are turned against each other, 72 degrees a second each."""
    along, around, degrees = (13, 24, 100) if quick else (61, 72, 216)
    radius, length = 0.25, 1.0
    world = client.create("twisted", substeps=20, damping=1.0, gravity=(0, 0, 0))
    mesh = rings([(radius, length * (n / (along - 1) - 0.5)) for n in range(along)], around)
    mesh["positions"] = turned(mesh["positions"], 90, 0)
    edge = 2 * math.pi * radius / around
    left, right = np.arange(around), np.arange(along * around - around, along * around)
    body = add_cloth(world, "cylinder", mesh, edge, density=0.3, pins=np.concatenate([left, right]),
                     bend={"compliance": 300})
    seconds = degrees / 72
    for ring, sign in ((left, -1), (right, 1)):
        z = float(np.mean(mesh["positions"][ring, 2]))
        toward = -0.05 * seconds * np.sign(z)
        world.add_motion(body=body, particles=ring, pivot=(0, 0, z), **turns(2, sign * degrees, seconds, toward))
    return world


def funnel(client: Any, quick: bool) -> Any:
    """A cloth lies over a funnel and is drawn through it by its middle; another one follows from above."""
    side, around = (21, 24) if quick else (61, 48)
    wide, narrow, size, thick = 0.5, 0.11, 0.8, 0.002
    # So light that what hangs about the middle does not overtake it: it would be drawn into folds that lie below.
    world = client.create("funnel", substeps=20, damping=0.5, gravity=(0, -3, 0))
    world.add_collider("plane", name="ground", friction=0.5)
    steps = 6 if quick else 12
    outline = [(wide + (narrow - wide) * n / steps, 1.3 - 0.35 * n / steps) for n in range(steps + 1)]
    outline += [(narrow, 0.95 - 0.2 * (n + 1) / 3) for n in range(3)]
    world.add_body("cloth", name="funnel", **rings(outline, around), masses=0.0, thickness=thick, friction=0.1,
                   contact_group=1, contact_mask=1)
    edge = size / (side - 1)
    mesh = sheet(side, size, (0, 1.34, 0), 20)
    middle = np.nonzero(np.hypot(mesh["positions"][:, 0], mesh["positions"][:, 2]) < max(0.03, 1.1 * edge))[0]
    cloth = add_cloth(world, "drawn", mesh, edge, thickness=thick, friction=0.1, pins=middle)
    world.add_motion(body=cloth, particles=middle, times=[0, 1 if quick else 3],
                     offsets=[(0, 0, 0), (0, -0.5 if quick else -1.15, 0)])
    add_cloth(world, "follows", sheet(side // 2 + 1, size / 2, (0, 1.4, 0), 50), edge, thickness=thick, friction=0.1)
    return world


def cards(client: Any, quick: bool) -> Any:
    """Two stacks of stiff cards, whose edges lie between each other, are pushed together and pressed by a plate."""
    count, columns, rows = (3, 9, 6) if quick else (16, 10, 7)
    width, depth, thick, pitch = 0.09, 0.06, 2.5e-4, 1.5e-3
    world = client.create("cards", substeps=30, damping=1.0, gravity=(0, -1, 0))
    world.add_collider("plane", name="ground", friction=0.3)
    top = 0.004 + pitch * (2 * count)
    seconds = 1.0 if quick else 2.5
    for n in range(2 * count):
        left = n % 2 == 0
        x = 0.012 - width if left else -0.012
        mesh = weft.shapes.sheet(columns, rows, size=(width, depth), at=(x, 0.004 + pitch * n, -depth / 2), **LEVEL)
        held = np.arange(rows) * columns + (0 if left else columns - 1)
        card = add_cloth(world, f"card {n + 1}", dict(mesh), width / (columns - 1), thickness=thick, density=0.4,
                         stretch={"compliance": 1e-7}, bend={"compliance": 5.0}, friction=0.1, pins=held)
        # In, then down, to a little more than their thickness apart.
        way = 0.022 * (1 if left else -1)
        down = 0.003 + (pitch - 8e-4) * n
        world.add_motion(body=card, particles=held, interpolation="cubic", times=[0.1, seconds, 1.6 * seconds],
                         offsets=[(0, 0, 0), (way, 0, 0), (way, -down, 0)])
    plate = world.add_collider("box", name="plate", position=(0, top + 0.02, 0), half_extents=(0.02, 0.005, 0.04),
                               friction=0.3)
    least = 0.001 + 8e-4 * 2 * count + 0.005
    world.add_motion(collider=plate, interpolation="cubic", times=[seconds, 2 * seconds],
                     offsets=[(0, 0, 0), (0, least - (top + 0.02), 0)])
    return world


def pile(client: Any, quick: bool) -> Any:
    """A cloth that stands on its edge falls into a pile."""
    side = 21 if quick else 101
    size = 0.4 if quick else 1.2
    world = client.create("pile", substeps=16, damping=0.3)
    world.add_collider("plane", name="ground", friction=0.5)
    mesh = weft.shapes.sheet(side, side, size=(size, size), at=(-size / 2, 0.05 + size, 0))
    edge = size / (side - 1)
    mesh["positions"][:, 2] += 0.3 * edge * np.sin(mesh["positions"][:, 0] * 5 / size) * np.cos(
        mesh["positions"][:, 1] * 9 / size)
    add_cloth(world, "cloth", dict(mesh), edge)
    return world


def ball(client: Any, quick: bool) -> Any:
    """Five cloths fall on a ball, one upon the other."""
    side = 11 if quick else 61
    world = client.create("ball", substeps=16, damping=0.3)
    world.add_collider("plane", name="ground", friction=0.5)
    world.add_collider("sphere", name="ball", position=(0, 0.5, 0), radius=0.3, friction=0.4)
    for n in range(5):
        mesh = sheet(side, 1.0, (0.01 * n, 0.84 + 0.06 * n, -0.008 * n), 36 * n)
        add_cloth(world, f"cloth {n + 1}", mesh, 1.0 / (side - 1))
    return world


class Size(NamedTuple):
    ticks: int
    every: int  # ticks from count to count


class Scene(NamedTuple):
    build: Callable[[Any, bool], Any]
    quick: Size
    full: Size


SCENES = {scene.build.__name__: scene for scene in (
    Scene(sheets, Size(50, 1), Size(240, 10)),
    Scene(twisted, Size(90, 1), Size(200, 10)),
    Scene(funnel, Size(60, 1), Size(300, 10)),
    Scene(cards, Size(110, 1), Size(330, 10)),
    Scene(pile, Size(70, 1), Size(180, 10)),
    Scene(ball, Size(50, 1), Size(150, 10)),
)}


class Frames:
    """What film.py draws: a bake of one tick, with the places that things have at other ticks instead."""

    def __init__(self, world: Any, path: Path) -> None:
        self.world, self.path = world, path
        self.taken: list[tuple[dict[str, Any], dict[str, Any]]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        world.bake(path, ticks=1)
        self.take()

    def take(self) -> None:
        got = self.world.join()
        places = {body.name: self.world.body(body.name).state("positions").positions.copy() for body in got.bodies}
        self.taken.append((places, {one.name: np.concatenate([one.position, one.rotation]) for one in got.colliders}))

    def write(self) -> None:
        with np.load(self.path) as data:
            out = {name: data[name] for name in data.files}
        out["time"] = np.arange(len(self.taken))
        for key in list(out):
            thing, _, what = key.rpartition("/")
            if what == "positions":
                out[key] = np.array([places[thing] for places, _ in self.taken])
            elif what == "poses":
                out[key] = np.array([poses[thing.removeprefix("colliders/")] for _, poses in self.taken])
        np.savez(self.path, **out)


def run(client: Any, name: str, quick: bool, draw: Path | None, quality: str) -> bool:
    """Whether all was as it has to be."""
    scene = SCENES[name]
    size = scene.quick if quick else scene.full
    with scene.build(client, quick) as world:
        world.set(contact_quality=quality)
        particles = world.get().particles
        at_first = world.measure(crossings=True).crossings
        frames = Frames(world, draw / f"{name}.npz") if draw is not None else None
        worst, dropped, held, touching, took = at_first or 0, 0, 0, 0, []
        for tick in range(size.every, size.ticks + 1, size.every):
            begin = time.perf_counter()
            world.step(size.every)
            took.append(1000 * (time.perf_counter() - begin) / size.every)
            told = world.measure(crossings=True)
            if frames is not None:
                frames.take()
            worst, held = max(worst, told.crossings), max(held, told.contact.held)
            touching, dropped = max(touching, told.contact.pushing), dropped + told.contact.dropped
            if not quick:
                print(f"  {name} {tick}/{size.ticks}: crossings {told.crossings}, pairs {told.contact.pairs}, pushing "
                      f"{told.contact.pushing}, held {told.contact.held}, shrunk {told.contact.shrunk}, "
                      f"dropped {told.contact.dropped}, strain {told.measures.strain_max:.3f}, {took[-1]:.1f} ms a "
                      "tick", flush=True)
        if frames is not None:
            frames.write()
        print(f"{name}: {particles} particles, {size.ticks} ticks, {worst} crossings"
              f"{f' ({at_first} at first)' if at_first else ''}, {touching} pairs touching, {held} held at most, {dropped} "
              f"dropped, "
              f"{statistics.median(took):.1f} ms a tick in the median, {max(took):.1f} at most", flush=True)
        if world.get().state == "failed":
            print(f"{name}: the world failed: {world.get().reason}", flush=True)
            return False
        return worst == 0 and dropped == 0 and touching > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", nargs="*", choices=[[], *SCENES], help="of a scene; default all")
    parser.add_argument("--quick", action="store_true", help="small ones, for the check")
    parser.add_argument("--draw", type=Path, metavar="FOLDER", help="leave NAME.npz there, which film.py draws")
    parser.add_argument("--quality", choices=["guaranteed", "fast"], default="guaranteed",
                        help="contact_quality; fast shows that the scenes cross where nothing is held back")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, scene in SCENES.items():
            print(f"{name}: {scene.build.__doc__}")
        return 0
    with weft.serve() as server, server.connect() as client:
        failed = []
        for name in options.name or SCENES:
            try:
                if not run(client, name, options.quick, options.draw, options.quality):
                    failed.append(name)
            except weft.Error as error:
                print(f"{name}: {error}", flush=True)
                failed.append(name)
        if failed:
            print("failed: " + ", ".join(failed), file=sys.stderr)
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
