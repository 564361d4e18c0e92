#!/usr/bin/env python3
"""What a cloth that meets itself costs others on a processor: MuJoCo with its flag ipc, and Newton's VBD solver.

A sheet of N x N, 2 cm a cell, 6 mm thick, stands on its edge above a floor and falls over, as in `weft-bench contact --case
edge-on` (41 x 41). Steps of 1/60 s, of as many parts as the peers' own examples of cloth take. Prints processor time, as
others may compute on the machine: median and worst of the steps.

Needs, of those that are asked for, the packages mujoco (3.14 or newer), or newton and warp-lang, from PyPI.
"""
from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable

EDGE = 0.02
THICK = 0.003  # on each side
DENSITY = 0.2


def sheet(n: int) -> tuple[list[list[float]], list[int]]:
    """Points with y upwards, and triangles; folds of a twenty-fifth of a cell, that it needs to fall over."""
    points = [
        [EDGE * (i // n), 0.1 + EDGE * (i % n), 0.04 * EDGE * math.sin(0.35 * (i % n)) + 2e-5 * EDGE * (i % 7)]
        for i in range(n * n)
    ]
    triangles: list[int] = []
    for a in (r * n + c for r in range(n - 1) for c in range(n - 1)):
        triangles += [a, a + n, a + n + 1, a, a + n + 1, a + 1]
    return points, triangles


def mujoco_step(n: int) -> Callable[[], None]:
    import mujoco  # type: ignore

    points, triangles = sheet(n)
    where = " ".join(f"{x:.9g} {-z:.9g} {y:.9g}" for x, y, z in points)  # z upwards
    mass = DENSITY * (EDGE * (n - 1)) ** 2
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{1 / 240}" integrator="discrete"><flag ipc="enable"/></option>
        <size memory="2G"/><worldbody><geom type="plane" size="5 5 .1"/>
        <flexcomp name="cloth" type="direct" dim="2" mass="{mass}" radius="{THICK}" point="{where}"
         element="{' '.join(map(str, triangles))}"><contact selfcollide="auto"/>
         <elasticity young="1e5" poisson="0.2" thickness="1e-3" damping="1e-3" elastic2d="both"/></flexcomp>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)

    def step() -> None:
        for _ in range(4):
            mujoco.mj_step(model, data)

    return step


def newton_step(n: int) -> Callable[[], None]:
    import newton  # type: ignore
    import warp as wp  # type: ignore

    wp.config.quiet = True
    wp.set_device("cpu")
    points, triangles = sheet(n)
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y)
    builder.add_ground_plane()
    builder.add_cloth_mesh(
        pos=wp.vec3(0.0, 0.0, 0.0),
        rot=wp.quat_identity(),
        scale=1.0,
        vel=wp.vec3(0.0, 0.0, 0.0),
        vertices=[wp.vec3(*p) for p in points],
        indices=triangles,
        density=DENSITY,
        tri_ke=1.0e3,
        tri_ka=1.0e3,
        tri_kd=2.0e-4,
        edge_ke=1.0e-3,
        edge_kd=1.0e-2,
        particle_radius=THICK,
    )
    builder.color()
    model = builder.finalize()
    model.soft_contact_ke, model.soft_contact_kd, model.soft_contact_mu = 1.0e3, 1.0e-1, 0.3
    solver = newton.solvers.SolverVBD(
        model,
        iterations=4,
        particle_enable_self_contact=True,
        particle_self_contact_margin=2 * THICK,
        particle_self_contact_gap=THICK,
        particle_vertex_contact_buffer_size=64,
        particle_edge_contact_buffer_size=128,
    )
    states = [model.state(), model.state()]
    control = model.control()
    pipeline = newton.CollisionPipeline(model)
    contacts = pipeline.contacts()

    def step() -> None:
        pipeline.collide(states[0], contacts)
        solver.rebuild_bvh(states[0])
        for _ in range(10):
            states[0].clear_forces()
            solver.step(states[0], states[1], control, contacts, 1 / 600)
            states.reverse()

    return step


PEERS = {"mujoco": mujoco_step, "newton": newton_step}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=PEERS, action="append", help="one of them; all if absent")
    parser.add_argument("--size", type=int, default=41, help="particles a side (41)")
    parser.add_argument("--steps", type=int, default=100, help="of 1/60 s (100)")
    parser.add_argument("--seconds", type=float, default=120, help="of processor time, after which a peer stops (120)")
    asked = parser.parse_args()
    missing = 0
    for peer in asked.peer or PEERS:
        try:
            step = PEERS[peer](asked.size)
        except ImportError as error:
            print(f"{peer}: left out, since there is no package {error.name}: pip install mujoco newton warp-lang")
            missing += 1
            continue
        times: list[float] = []
        while len(times) < asked.steps and sum(times) < 1000 * asked.seconds:
            before = time.process_time()
            step()
            times.append(1000 * (time.process_time() - before))
        settled = times[1:] or times  # the first one compiles
        print(
            f"{peer:7} {asked.size} x {asked.size}: {len(times)} steps of 1/60 s, ms of the processor: "
            f"median {statistics.median(settled):.1f}, mean {statistics.mean(settled):.1f}, worst {max(settled):.1f}",
            flush=True,
        )
    return 1 if missing == len(asked.peer or PEERS) else 0


if __name__ == "__main__":
    sys.exit(main())
