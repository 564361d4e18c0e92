#!/usr/bin/env python3
"""Streams a world into numpy, and prints its energy and where its particles are as it moves.

    watch.py [--server HOST:PORT] [--world NAME] [--frames N] [--every TICKS]

Without --world it makes one of its own, a flag in the wind, and deletes it at the end.
"""
from __future__ import annotations

import argparse
import contextlib

import numpy as np

import weft


def flag(client: weft.Client) -> weft.World:
    world = client.create(wind={"velocity": [6, 0, 2], "lift": 0.5})
    world.add_body("cloth", **weft.shapes.sheet(30, 20, size=(1.5, 1.0)), name="flag", density=0.15,
                   stretch={"compliance": 1e-6}, bend={"compliance": 1e-2}, pins=[0, 19 * 30])
    return world


def main() -> None:
    parser = argparse.ArgumentParser(description="Streams a world and prints its energy.")
    parser.add_argument("--server", help="HOST:PORT (WEFT_SERVER, or 127.0.0.1:9338)")
    parser.add_argument("--world", help="name of a world to watch (one of its own)")
    parser.add_argument("--frames", type=int, default=20, help="how many to print (%(default)s)")
    parser.add_argument("--every", type=int, default=15, help="ticks from one to the next (%(default)s)")
    options = parser.parse_args()

    with weft.connect(options.server, client="watch.py") as client, contextlib.ExitStack() as at_the_end:
        if options.world:
            world = client.world(options.world)
        else:
            world = at_the_end.enter_context(flag(client))
            world.play()
        stream = at_the_end.enter_context(
            world.subscribe(fields=["positions", "velocities", "measures"], every=options.every))
        print("   time s   kinetic J  potential J   elastic J   fastest m/s   lowest m  dropped")
        for count, frame in enumerate(stream, 1):
            # The arrays are views of what came, of shape (particles, 3).
            speeds = [np.linalg.norm(body.velocities, axis=1).max(initial=0.0) for body in frame]
            lowest = [body.positions[:, 1].min(initial=np.inf) for body in frame]
            measures = frame.measures
            assert measures is not None
            elastic = sum(measures[name] for name in measures if name.startswith("elastic_"))
            print(f"{frame.time:9.2f} {measures.kinetic:11.4f} {measures.potential:12.4f} {elastic:11.3e} "
                  f"{max(speeds, default=0):13.3f} {min(lowest, default=np.nan):10.3f} {frame.dropped:8d}")
            if count == options.frames:
                break


if __name__ == "__main__":
    main()
