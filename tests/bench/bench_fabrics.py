#!/usr/bin/env python3
"""Cusick's drape test of fabrics by name: the share of the ring beyond the stand that the shadow covers.

    weftd &
    PYTHONPATH=clients/python/src python3 tests/bench/bench_fabrics.py --rings 30 trousers tablecloth denim-stretch

A disc of 30 cm is held where a stand of 18 cm is. It hangs for 4 s, and its shadow is counted in squares of 1 mm after each of them.
The fabrics are those of protocol/materials.json, or of a file (--materials). The server is that of WEFT_SERVER, or the local one.
"""
import argparse

import numpy as np

import weft

DISC, STAND, SQUARE = 0.15, 0.09, 1e-3  # m


def first_of(ring):
    return 1 + 3 * ring * (ring - 1) if ring > 0 else 0


def disc(rings):
    """Positions and triangles of rings of 6 k particles."""
    positions, triangles = [(0, 0, 0)], []
    for ring in range(1, rings + 1):
        for j in range(6 * ring):
            angle, radius = 2 * np.pi * j / (6 * ring), DISC * ring / rings
            positions.append((radius * np.cos(angle), 0, radius * np.sin(angle)))
        for side in range(6):
            for j in range(ring):
                outer = [first_of(ring) + (side * ring + j + k) % (6 * ring) for k in range(2)]
                inner = [first_of(ring - 1) + (side * (ring - 1) + j + k) % max(6 * (ring - 1), 1) for k in range(2)]
                triangles.append((outer[0], inner[0], outer[1]))
                if j + 1 < ring:
                    triangles.append((outer[1], inner[0], inner[1]))
    return np.array(positions, float), np.array(triangles, np.uint32)


def shadow(positions, triangles):
    """m^2, in squares whose middle lies below a triangle."""
    half = int(1.07 * DISC / SQUARE)
    grid, hit = np.arange(-half, half + 1) * SQUARE, np.zeros((2 * half + 1, 2 * half + 1), bool)
    for corners in positions[triangles][:, :, [0, 2]]:
        low = np.clip(np.floor(corners.min(axis=0) / SQUARE).astype(int) + half, 0, 2 * half)
        high = np.clip(np.ceil(corners.max(axis=0) / SQUARE).astype(int) + half, 0, 2 * half) + 1
        x, z = np.meshgrid(grid[low[0]:high[0]], grid[low[1]:high[1]], indexing="ij")
        sides = [(q[0] - p[0]) * (z - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in zip(corners, np.roll(corners, -1, axis=0))]
        hit[low[0]:high[0], low[1]:high[1]] |= np.all(np.array(sides) >= 0, axis=0) | np.all(np.array(sides) <= 0, axis=0)
    return hit.sum() * SQUARE * SQUARE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["trousers", "tablecloth", "denim-stretch"])
    parser.add_argument("--rings", type=int, default=30, help="of the mesh; default 30")
    parser.add_argument("--substeps", type=int, default=40, help="in a tick; default 40")
    parser.add_argument("--materials", help="a file of materials by name")
    options = parser.parse_args()
    positions, triangles = disc(options.rings)
    away = np.hypot(positions[:, 0], positions[:, 2])
    held = np.flatnonzero(away <= STAND + 1e-9)
    # A level disc has no reason to fold one way rather than another.
    positions[:, 1] = 1e-4 * np.random.default_rng(1).standard_normal(len(away)) * (away > STAND)
    with weft.connect() as client:
        for name in options.names:
            with client.create(gravity=[0, -9.81, 0], substeps=options.substeps, damping=2.0, bending="solved",
                               sleep=False) as world:
                cloth = world.add_body("cloth", positions=positions, triangles=triangles, pins=held, thickness=0.0,
                                       **weft.materials(options.materials)[name])
                for second in range(1, 5):
                    world.step(60)
                    covered = shadow(cloth.state(["positions64"]).positions64, triangles) - np.pi * STAND**2
                    share = 100 * covered / (np.pi * (DISC**2 - STAND**2))
                    print(f"{name:16} {len(positions):6} particles  {second} s  {share:5.1f} %", flush=True)


if __name__ == "__main__":
    main()
