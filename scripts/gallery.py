#!/usr/bin/env python3
"""Makes the scenes of the gallery whose meshes no hand would write: a statue, a sack, a dress and its wearer, a knot.

    scripts/gallery.py [FOLDER]       default clients/scenes

Nothing but the standard library, and the same bytes each time. tests/unit/world/test_gallery.c steps what it makes.
"""

import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


# Solids are functions of a place, below 0 inside; what surrounds them is found by surface_nets.


def capsule(a, b, radius_a, radius_b):
    """Around the line from a to b; its radius goes evenly from one to the other."""
    along = [q - p for p, q in zip(a, b)]
    square = sum(x * x for x in along) or 1.0

    def distance(p):
        t = min(1.0, max(0.0, sum((x - y) * z for x, y, z in zip(p, a, along)) / square))
        return math.dist(p, [x + t * z for x, z in zip(a, along)]) - (radius_a + t * (radius_b - radius_a))

    return distance


def ellipsoid(center, radii):
    def distance(p):
        scaled = math.sqrt(sum(((x - c) / r) ** 2 for x, c, r in zip(p, center, radii)))
        return (scaled - 1) * min(radii)

    return distance


def melted(solids, width):
    """All of them, grown together where they are nearer than width (a smooth least of the distances)."""

    def distance(p):
        least = math.inf
        for solid in solids:
            other = solid(p)
            if math.isinf(least):
                least = other
                continue
            h = max(width - abs(least - other), 0.0) / width
            least = min(least, other) - h * h * width / 4
        return least

    return distance


def surface_nets(distance, low, cells, size):
    """Triangles around a solid: a vertex in each cell that its surface passes, at the mean of where that cuts the cell's
    edges, and a quad across each edge of the lattice that is cut. Outward by the right hand."""
    nx, ny, nz = cells
    place = lambda i, j, k: (low[0] + i * size, low[1] + j * size, low[2] + k * size)
    value = {(i, j, k): distance(place(i, j, k))
             for i in range(nx + 1) for j in range(ny + 1) for k in range(nz + 1)}
    edges = [((i, j, k), axis) for i, j, k in value for axis in range(3)]
    steps = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    cuts = {}  # of each cell
    crossed = []
    for corner, axis in edges:
        end = tuple(x + d for x, d in zip(corner, steps[axis]))
        if end not in value or (value[corner] < 0) == (value[end] < 0):
            continue
        t = value[corner] / (value[corner] - value[end])
        cut = [p + t * size * d for p, d in zip(place(*corner), steps[axis])]
        u, v = steps[(axis + 1) % 3], steps[(axis + 2) % 3]
        around = [tuple(c - a * x - b * y for c, x, y in zip(corner, u, v)) for a, b in ((1, 1), (0, 1), (0, 0), (1, 0))]
        crossed.append((around, value[corner] < 0))
        for cell in around:
            cuts.setdefault(cell, []).append(cut)
    names = {cell: n for n, cell in enumerate(sorted(cuts))}
    vertices = [[sum(c[x] for c in cuts[cell]) / len(cuts[cell]) for x in range(3)] for cell in sorted(cuts)]
    triangles = []
    for around, inside in crossed:
        a, b, c, d = (names[cell] for cell in (around if inside else around[::-1]))
        if math.dist(vertices[a], vertices[c]) < math.dist(vertices[b], vertices[d]):
            triangles += [(a, b, c), (a, c, d)]
        else:
            triangles += [(a, b, d), (b, c, d)]
    return vertices, triangles


def obj(about, vertices, triangles):
    lines = [f"# {about} Made by scripts/gallery.py."]
    lines += ["v " + " ".join(f"{x:.4f}" for x in vertex) for vertex in vertices]
    return "\n".join(lines + ["f " + " ".join(str(i + 1) for i in corners) for corners in triangles]) + "\n"


def tube(rings, count):
    """A round sheet: rings of (height, radius, depth / width), from the top, each with count particles."""
    vertices, triangles = [], []
    for row, (height, radius, flat) in enumerate(rings):
        for i in range(count):
            turn = 2 * math.pi * (i + 0.5 * (row % 2)) / count
            vertices.append((radius * math.cos(turn), height, flat * radius * math.sin(turn)))
    for row in range(len(rings) - 1):
        for i in range(count):
            a, b = row * count + i, row * count + (i + 1) % count
            c, d = a + count, b + count
            triangles += [(a, b, d), (a, d, c)] if row % 2 else [(a, b, c), (b, d, c)]
    return vertices, triangles


def close(vertices, triangles, rows, count, rings, tip):
    """Goes on below a tube of so many rows with rings of (height, radius, count), down to a tip.

    Their counts fall with the radius, because a particle with many edges would never rest."""
    upper, begin, shift = count, len(vertices) - count, 0.5 * ((rows - 1) % 2)
    for row, (height, radius, lower) in enumerate(rings, rows):
        first, turned = len(vertices), 0.5 * (row % 2)
        turns = [2 * math.pi * (i + turned) / lower for i in range(lower)]
        vertices += [(radius * math.cos(turn), height, radius * math.sin(turn)) for turn in turns]
        i = j = 0
        while i < upper or j < lower:
            above, below = (i + shift + 0.5) / upper, (j + turned + 0.5) / lower
            if j == lower or (i < upper and above <= below):
                triangles.append((begin + i % upper, begin + (i + 1) % upper, first + j % lower))
                i += 1
            else:
                triangles.append((begin + i % upper, first + (j + 1) % lower, first + j % lower))
                j += 1
        upper, begin, shift = lower, first, turned
    triangles += [(begin + i, begin + (i + 1) % upper, len(vertices)) for i in range(upper)]
    vertices.append((0, tip, 0))


def along(curve, count, scale):
    """So many places, evenly apart on a curve (a function of 0 to 1)."""
    fine = [[scale * x for x in curve(n / 4000)] for n in range(4001)]
    way = [0.0]
    for a, b in zip(fine, fine[1:]):
        way.append(way[-1] + math.dist(a, b))
    places, at = [], 0
    for n in range(count):
        wanted = way[-1] * n / (count - 1)
        while at < 3999 and way[at + 1] < wanted:
            at += 1
        t = (wanted - way[at]) / (way[at + 1] - way[at])
        places.append([a + t * (b - a) for a, b in zip(fine[at], fine[at + 1])])
    return places


def cord(places, radius, around):
    """Tetrahedra along a curve: sections of a middle and a ring, which do not turn against each other."""
    minus = lambda a, b: [x - y for x, y in zip(a, b)]
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    unit = lambda a: [x / math.sqrt(dot(a, a)) for x in a]
    side, vertices, tets = [0.0, 0.0, 1.0], [], []
    last = len(places) - 1
    for n, place in enumerate(places):
        tangent = unit(minus(places[min(n + 1, last)], places[max(n - 1, 0)]))
        side = unit([s - dot(side, tangent) * t for s, t in zip(side, tangent)])
        up = cross(tangent, side)
        vertices.append(place)
        for i in range(around):
            c, s = (f(2 * math.pi * i / around) for f in (math.cos, math.sin))
            vertices.append([p + radius * (c * x + s * y) for p, x, y in zip(place, side, up)])
    for n in range(last):
        for i in range(around):
            # Of a prism, from its least corner on: so prisms beside each other halve their quads alike.
            a, b, c = (n * (around + 1) + k for k in sorted((0, 1 + i, 1 + (i + 1) % around)))
            d, e, f = (k + around + 1 for k in (a, b, c))
            for tet in ((a, b, c, f), (a, b, e, f), (a, d, e, f)):
                x, y, z = (minus(vertices[k], vertices[tet[0]]) for k in tet[1:])
                tets.append(tet if dot(cross(x, y), z) > 0 else (tet[0], tet[1], tet[3], tet[2]))
    return vertices, tets


def rounded(rows, digits=4):
    return [round(float(x), digits) for row in rows for x in row]


def turns(axis, degrees, step=30):
    """Quaternions x, y, z, w of a turning about an axis, no farther than step apart."""
    count = max(1, math.ceil(abs(degrees) / step))
    quaternions = []
    for n in range(count + 1):
        half = math.radians(degrees * n / count) / 2
        quaternions += [round(math.sin(half) * a, 6) for a in axis] + [round(math.cos(half), 6)]
    return count, quaternions


GROUND = {"name": "ground", "kind": "plane", "friction": 0.6}

# How a scene is solved was chosen by measurement (docs/measurements/stiff.md).
SWEPT = {"long_edges": False, "bending": "swept"}
LONG_EDGES = {"long_edges": True, "bending": "swept"}


# ----------------------------------------------------------------------------------------------------------


def statue():
    """An orator on a plinth, one arm raised."""
    solid = melted([
        capsule((0, 0.02, 0), (0, 0.10, 0), 0.26, 0.22),
        capsule((-0.02, 0.15, 0), (0, 0.55, 0), 0.17, 0.12),
        ellipsoid((0, 0.72, 0), (0.17, 0.22, 0.12)),
        capsule((0, 0.9, 0), (0, 1.0, 0), 0.06, 0.06),
        ellipsoid((0, 1.1, 0.01), (0.095, 0.125, 0.105)),
        capsule((0.15, 0.85, 0), (0.36, 0.98, 0.06), 0.06, 0.05),
        capsule((0.36, 0.98, 0.06), (0.40, 1.20, 0.12), 0.05, 0.045),
        capsule((-0.15, 0.85, 0), (-0.25, 0.62, 0.06), 0.06, 0.05),
        capsule((-0.25, 0.62, 0.06), (-0.08, 0.52, 0.2), 0.05, 0.045),
    ], 0.05)
    vertices, triangles = surface_nets(solid, (-0.5, -0.05, -0.35), (22, 29, 15), 0.0475)
    least = min(y for _, y, _ in vertices)
    vertices = [(x, y - least + 0.01, z) for x, y, z in vertices]
    scene = {
        "weft": 1,
        "about": "A cloth falls over a statue, and is pulled off by its corner.",
        "settings": {"damping": 0.3, "substeps": 16, **SWEPT},
        "bodies": [
            {"name": "statue", "mesh": "statue.obj", "masses": 0, "thickness": 0.006,
             "self_contact": False, "contact_group": 1, "contact_mask": 1, "friction": 0.35},
            {"name": "cloth", "grid": {"size": [1.7, 1.7], "cells": [44, 44]}, "position": [0.05, 1.36, 0.02],
             "turn": {"axis": [0, 1, 0], "degrees": 20}, "material": "silk", "density": 0.2, "friction": 0.35,
             "pins": [44]},
        ],
        "colliders": [GROUND],
        "motions": [{
            "body": "cloth", "particles": [44], "interpolation": "cubic",
            "times": [0, 0.15, 1.0, 1.5, 3.2, 4.2],
            "offsets": [0, 0, 0, 0, 0, 0, -0.35, -0.75, 0.35, -0.35, -0.75, 0.35, 1.6, -0.2, -0.2, 1.8, 0.3, -0.3],
        }],
    }
    return {"statue.json": scene, "statue.obj": obj("An orator on a plinth.", vertices, triangles)}


def cloths():
    """Five cloths, one after the other."""
    names = ["lowest", "second", "third", "fourth", "highest"]
    bodies = [{"name": name, "grid": {"size": [1.1, 1.1], "cells": [20, 20]},
               "position": [0.015 * n, 1.06 + 0.1 * n, -0.012 * n],
               "turn": {"axis": [0, 1, 0], "degrees": 36 * n}, "material": "cotton", "friction": 0.5}
              for n, name in enumerate(names)]
    return {"cloths.json": {
        "weft": 1,
        "about": "Five cloths fall on a ball, one upon the other.",
        "settings": {"damping": 0.4, "substeps": 12, **SWEPT},
        "bodies": bodies,
        "colliders": [GROUND, {"name": "ball", "kind": "sphere", "position": [0, 0.6, 0], "radius": 0.36,
                               "friction": 0.5}],
    }}


def sack():
    """A bag that hangs by its rim, and blocks of foam that fall in; it is rocked."""
    count, radius = 40, 0.25
    rings = [(0.75 - 0.04 * n, radius, 1.0) for n in range(8)]
    low = rings[-1][0]
    vertices, triangles = tube(rings, count)
    angles = [math.radians(13 * n) for n in range(1, 7)]
    ends = [(low - radius * math.sin(angle), radius * math.cos(angle)) for angle in angles]
    counts = [40, 36, 30, 24, 18, 9]
    close(vertices, triangles, len(rings), count, [(*end, n) for end, n in zip(ends, counts)], low - radius)
    places = [(0.0, 0.5, 0.0), (0.11, 0.65, 0.04), (-0.1, 0.66, -0.05), (0.02, 0.81, -0.1), (-0.03, 0.83, 0.1),
              (0.02, 0.98, 0.0)]
    # As light and as stiff as foam of polyurethane. Its particles weigh less than those of the canvas, so the sack bears them without a strain that shows.
    blocks = [{"name": f"block {n + 1}", "box": {"size": [0.13, 0.13, 0.13], "cells": [4, 4, 4]}, "position": list(place),
               "turn": {"axis": [1, 1, 0.5], "degrees": 40 * n}, "density": 40,
               "solid": {"young": 50000, "poisson": 0.3, "damping": 20}, "friction": 0.3} for n, place in enumerate(places)]
    return {"sack.json": {
        "weft": 1,
        "about": "Six blocks of foam fall into a sack of canvas, which is rocked.",
        "settings": {"damping": 1, "substeps": 24, **LONG_EDGES, "calm": True},
        "bodies": [{"name": "sack", "positions": rounded(vertices), "triangles": [i for t in triangles for i in t],
                    "density": 1.5, "stretch": {"compliance": 0}, "bend": {"model": "quadratic", "compliance": 50000},
                    "friction": 0.3, "pins": list(range(count))}] + blocks,
        "colliders": [GROUND],
        "motions": [{"body": "sack", "particles": list(range(count)), "interpolation": "cubic", "loop": True,
                     "times": [0, 0.5, 1.0, 1.5, 2.0],
                     "offsets": [0, 0, 0, 0.12, 0.03, 0, 0, 0, 0, -0.12, 0.03, 0, 0, 0, 0]}],
    }}


def towel():
    """Wrung by the middles of both ends, which come together as it shortens. Its corners are free: yarns that are held at
    its sides and wound up would have to stretch."""
    length, width, across, along = 1.0, 0.4, 20, 50
    degrees, seconds = 450, 6.0
    steps, forth = turns((1, 0, 0), degrees)
    _, back = turns((1, 0, 0), -degrees)
    times = [round(0.5 + seconds * n / steps, 4) for n in range(steps + 1)]
    way = [0.24 * (n / steps) ** 2 for n in range(steps + 1)]
    ends = [[(along + 1) * row + column for row in range(7, 14)] for column in (0, along)]

    def motion(end, sign, rotations):
        return {"body": "towel", "particles": end, "times": times, "rotations": rotations,
                "offsets": rounded([(sign * x, 0, 0) for x in way])}

    return {"towel.json": {
        "weft": 1,
        "about": "A towel is wrung by both of its ends.",
        "settings": {"damping": 1.0, "substeps": 40, "gravity": [0, -2, 0], **LONG_EDGES},
        "bodies": [{"name": "towel", "grid": {"size": [length, width], "cells": [along, across]},
                    "position": [0, 1.0, 0], "density": 0.3, "stretch": {"compliance": 0},
                    "bend": {"compliance": 2000}, "friction": 0.3, "pins": ends[0] + ends[1]}],
        "colliders": [GROUND],
        "motions": [motion(ends[0], 1, forth), motion(ends[1], -1, back)],
    }}


def dress():
    """A dancer without a face, and what she wears."""
    solid = melted([
        capsule((0.09, 0.06, 0), (0.09, 0.75, 0), 0.05, 0.085),
        capsule((-0.09, 0.06, 0), (-0.09, 0.75, 0), 0.05, 0.085),
        ellipsoid((0, 0.86, 0), (0.175, 0.15, 0.125)),
        ellipsoid((0, 1.04, 0), (0.125, 0.2, 0.095)),
        ellipsoid((0, 1.24, 0.005), (0.155, 0.15, 0.11)),
        capsule((-0.12, 1.36, 0), (0.12, 1.36, 0), 0.06, 0.06),
        capsule((0, 1.38, 0), (0, 1.48, 0), 0.05, 0.05),
        ellipsoid((0, 1.6, 0.01), (0.085, 0.115, 0.095)),
        capsule((0.17, 1.36, 0), (0.5, 1.42, 0), 0.05, 0.035),
        capsule((-0.17, 1.36, 0), (-0.5, 1.42, 0), 0.05, 0.035),
    ], 0.06)
    vertices, triangles = surface_nets(solid, (-0.6, -0.03, -0.2), (27, 40, 9), 0.0445)
    count = 48
    shape = [(1.26, 0.19, 0.8), (1.22, 0.192, 0.8), (1.14, 0.178, 0.8), (1.04, 0.16, 0.8), (0.96, 0.18, 0.8),
             (0.88, 0.212, 0.8), (0.8, 0.245, 0.85), (0.72, 0.28, 0.9), (0.62, 0.33, 0.95), (0.52, 0.38, 1.0),
             (0.42, 0.43, 1.0), (0.36, 0.46, 1.0)]
    rings = []
    for (h0, r0, f0), (h1, r1, f1) in zip(shape, shape[1:]):
        parts = max(1, round((h0 - h1) / 0.032))
        rings += [tuple(a + n / parts * (b - a) for a, b in ((h0, h1), (r0, r1), (f0, f1))) for n in range(parts)]
    cloth, faces = tube(rings + [shape[-1]], count)
    steps, round_and_back = turns((0, 1, 0), 540)
    rotations = round_and_back + [q for n in range(steps - 1, -1, -1) for q in round_and_back[4 * n:4 * n + 4]]
    times, t = [], 0.5
    for n in range(2 * steps + 1):
        times.append(round(t, 4))
        # Slow at both ends of each way.
        part = (n % steps + 0.5) / steps
        t += 2.6 / steps * (0.55 + 0.9 * abs(2 * part - 1) ** 2) + (0.3 if n + 1 == steps else 0)
    offsets = [0, 0, 0] * len(times)
    turn = {"times": times, "rotations": rotations, "offsets": offsets, "interpolation": "cubic", "pivot": [0, 1, 0],
            "loop": True}
    return {"dress.json": {
        "weft": 1,
        "about": "A dress on a body that turns and turns back.",
        "settings": {"damping": 0.3, "substeps": 12, **LONG_EDGES},
        "bodies": [
            {"name": "dancer", "mesh": "dancer.obj", "masses": 0, "thickness": 0.005, "pins": "all",
             "self_contact": False, "contact_group": 1, "contact_mask": 1, "friction": 0.3},
            {"name": "dress", "positions": rounded(cloth), "triangles": [i for t in faces for i in t],
             "material": "silk", "stretch": {"compliance": 0}, "friction": 0.3, "pins": list(range(count))},
        ],
        "colliders": [GROUND],
        "motions": [{"body": "dancer", "particles": "all", **turn},
                    {"body": "dress", "particles": list(range(count)), **turn}],
    }, "dancer.obj": obj("A dancer without a face.", vertices, triangles)}


def knot():
    """A trefoil that is open at its top, from where both ends lead outwards."""
    unit, height, radius, around, sections = 0.062, 0.7, 0.025, 8, 106
    reach = 7.0  # of an end, units

    def curve(p):
        length = 2 * reach + 24.0
        way = p * length - reach
        t = math.pi * (2 * min(max(way / 24.0, 0.0), 1.0) - 1)
        # Upside down, and the ends one before the other.
        x, y, z = math.sin(t) + 2 * math.sin(2 * t), -(math.cos(t) - 2 * math.cos(2 * t)), -math.sin(3 * t)
        beyond = min(way, 0.0) + max(way - 24.0, 0.0)
        apart = 0.7 * math.sin(t / 2) * math.exp(-(beyond / 4) ** 2) + 1.1 * beyond * math.exp(-(beyond / 2) ** 2)
        return x + beyond, y, 1.4 * z + apart

    places = [[x, y + height, z] for x, y, z in along(curve, sections, unit)]
    vertices, tets = cord(places, radius, around)
    ends = [list(range(2 * (around + 1))), list(range(len(vertices) - 2 * (around + 1), len(vertices)))]

    def motion(end, sign):
        return {"body": "cord", "particles": end, "interpolation": "cubic", "times": [0.5, 6.5],
                "offsets": rounded([(0, 0, 0), (sign * 0.74, 0, 0)])}

    return {"knot.json": {
        "weft": 1,
        "about": "A cord of soft rubber, and a knot in it that is pulled tight.",
        "settings": {"damping": 0.5, "substeps": 60, **SWEPT},
        "bodies": [{"name": "cord", "positions": rounded(vertices), "tets": [i for t in tets for i in t],
                    "density": 900, "solid": {"young": 2e5, "poisson": 0.3, "damping": 50}, "friction": 0.2,
                    "pins": ends[0] + ends[1]}],
        "colliders": [GROUND],
        "motions": [motion(ends[0], -1), motion(ends[1], 1)],
    }}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "clients/scenes")
    for make in (statue, cloths, sack, towel, dress, knot):
        for name, content in make().items():
            text = content if isinstance(content, str) else lay_out(content) + "\n"
            (folder / name).write_text(text)
            print(f"{name}: {len(text)} bytes")


def lay_out(value, depth=0):
    """JSON with short values on a line, and long rows of numbers wrapped."""
    flat = json.dumps(value)
    room = 110 - 2 * depth
    if len(flat) <= room or not isinstance(value, (dict, list)):
        return flat
    pad, end = "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{pad}{json.dumps(key)}: {lay_out(one, depth + 1)}"
                                  for key, one in value.items()) + end + "}"
    if all(isinstance(one, (int, float)) for one in value):
        lines, line = [], ""
        for n, one in enumerate(value):
            word = json.dumps(one) + ("," if n + 1 < len(value) else "")
            if len(pad) + len(line) + len(word) + 1 > 116:
                lines.append(pad + line)
                line = ""
            line += (" " if line else "") + word
        return "[\n" + "\n".join(lines + [pad + line]) + end + "]"
    return "[\n" + ",\n".join(pad + lay_out(one, depth + 1) for one in value) + end + "]"


if __name__ == "__main__":
    main()
