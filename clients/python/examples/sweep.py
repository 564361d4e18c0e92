#!/usr/bin/env python3
"""A sweep with a plot: the sag and the elastic energy of a cloth that hangs from its upper edge, for many compliances.

    sweep.py [--server HOST:PORT] [--out FOLDER]

Above a compliance of about 1e-4 m/N the sag is proportional to it. Below, only the softness of the solver itself at this
number of substeps is left: with more substeps the line goes further down.

Writes sweep.csv, and sweep.png if matplotlib is installed, else sweep.svg. The lines "# %%" divide it into cells, in an
editor or notebook that supports them.
"""
# %% What to sweep
from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weft

COMPLIANCES = np.logspace(-5, -2, 10)  # m/N, of every edge
SIDE, SIZE_M = 12, 1.0
TICKS = 480  # eight seconds: with the damping below it hangs still

parser = argparse.ArgumentParser(description="Sweeps the compliance of a hanging cloth and plots what it does.")
parser.add_argument("--server", help="HOST:PORT (WEFT_SERVER, or 127.0.0.1:9338)")
parser.add_argument("--out", type=Path, default=Path("."), help="folder for the table and the plot (.)")
parser.add_argument("--ticks", type=int, default=TICKS, help="ticks of each run (%(default)s)")
options = parser.parse_args()


# %% One run: a world of its own, stepped as fast as the server goes
def run(client: weft.Client, compliance: float) -> tuple[float, float, float]:
    """Sag in metres, elastic energy in joules, greatest strain."""
    with client.create(damping=4.0, substeps=40) as world:
        cloth = weft.shapes.sheet(SIDE, SIDE, size=(SIZE_M, SIZE_M))
        body = world.add_body("cloth", **cloth, density=0.2, stretch={"compliance": compliance}, pins=range(SIDE))
        world.step(options.ticks)
        positions = body.state("positions64").positions64
        assert positions is not None
        measures = world.measure().measures
        sag = float(-positions[:, 1].min() - SIZE_M)
        return sag, measures.elastic_distance, measures.strain_max


# %% The sweep
with weft.connect(options.server, client="sweep.py") as client:
    rows = []
    for compliance in COMPLIANCES:
        sag, energy, strain = run(client, float(compliance))
        rows.append((float(compliance), sag, energy, strain))
        print(f"compliance {compliance:8.1e} m/N: sag {1000 * sag:8.2f} mm, energy {energy:10.3e} J, "
              f"strain {100 * strain:7.3f} %")
table = np.array(rows)


# %% The table
options.out.mkdir(parents=True, exist_ok=True)
with open(options.out / "sweep.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["compliance_m_per_n", "sag_m", "elastic_energy_j", "strain_max"])
    writer.writerows(rows)


# %% The plot
def decades(values: NDArray[np.float64]) -> tuple[int, int]:
    return int(np.floor(np.log10(values.min()))), int(np.ceil(np.log10(values.max())))


def write_svg(path: Path, x: NDArray[np.float64], y: NDArray[np.float64], x_label: str, y_label: str) -> None:
    """A plot with logarithmic axes, by nothing but text."""
    width, height, left, bottom = 640, 420, 80, 60
    (x0, x1), (y0, y1) = decades(x), decades(y)

    def px(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return left + (np.log10(values) - x0) / max(x1 - x0, 1) * (width - left - 20)

    def py(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return height - bottom - (np.log10(values) - y0) / max(y1 - y0, 1) * (height - bottom - 20)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(x0, x1 + 1):
        at = float(px(np.array([10.0**power]))[0])
        out += [f'<path d="M{at:.1f} 20V{height - bottom}" stroke="#ddd"/>',
                f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">1e{power}</text>']
    for power in range(y0, y1 + 1):
        at = float(py(np.array([10.0**power]))[0])
        out += [f'<path d="M{left} {at:.1f}H{width - 20}" stroke="#ddd"/>',
                f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">1e{power}</text>']
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px(x), py(y)))
    out += [f'<polyline points="{points}" fill="none" stroke="teal" stroke-width="2"/>']
    out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="teal"/>' for a, b in zip(px(x), py(y))]
    out += [f'<text x="{(left + width) / 2}" y="{height - 14}" text-anchor="middle">{x_label}</text>',
            f'<text transform="translate(20 {(height - bottom) / 2}) rotate(-90)" text-anchor="middle">{y_label}</text>',
            "</svg>"]
    path.write_text("\n".join(out) + "\n")


try:
    import matplotlib
except ImportError:
    plot = options.out / "sweep.svg"
    write_svg(plot, table[:, 0], table[:, 1], "compliance of an edge [m/N]", "sag [m]")
else:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    plot = options.out / "sweep.png"
    figure, (top, below) = pyplot.subplots(2, 1, sharex=True, figsize=(6.4, 6.4), layout="constrained")
    top.loglog(table[:, 0], table[:, 2], "o-")
    top.set_ylabel("elastic energy [J]")
    below.loglog(table[:, 0], 1000 * table[:, 1], "o-")
    below.set_ylabel("sag [mm]")
    below.set_xlabel("compliance of an edge [m/N]")
    figure.savefig(plot)
print(f"wrote {options.out / 'sweep.csv'} and {plot}")
