#!/usr/bin/env python3
"""Makes the scenes of the gallery that show kinds of constraints: pressure, rods, joins, creases, solids, slides,
tears.

    scripts/gallery_kinds.py [FOLDER]       default clients/scenes

Nothing but the standard library, and the same bytes each time.
"""

import math
import sys
from pathlib import Path

from gallery import GROUND, LONG_EDGES, ROOT, SWEPT, capsule, ellipsoid, lay_out, melted, rounded, surface_nets, tube


def ball(times):
    """A closed surface around the origin: an icosahedron, each of whose triangles is split in four so many times."""
    t = (1 + math.sqrt(5)) / 2
    unit = lambda p: tuple(x / math.dist(p, (0, 0, 0)) for x in p)
    vertices = [unit(p) for p in ((-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t),
                                  (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1))]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
                 (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11),
                 (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(times):
        middles, split = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append(unit([x + y for x, y in zip(vertices[a], vertices[b])]))
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = split
    return vertices, triangles


def flat(rows):
    return [int(x) for row in rows for x in row]


# ----------------------------------------------------------------------------------------------------------


def balloons():
    """Closed skins with gas inside, which are lighter than air, on ropes that are joined to their lowest particle."""
    unit, triangles = ball(2)
    bodies, constraints = [], []
    for n, (x, z, length) in enumerate(((0, 0, 0.9), (0.16, 0.14, 1.2), (-0.16, 0.12, 1.45))):
        radius = 0.17
        # The lowest row is drawn down to a neck.
        drop = lambda p: (radius * p[0], radius * (p[1] * (1 + 0.35 * max(0, -p[1]) ** 3)), radius * p[2])
        places = [drop(p) for p in unit]
        low = min(range(len(places)), key=lambda i: places[i][1])
        neck = places[low]
        bodies.append({
            "name": f"balloon {n + 1}", "positions": rounded(places), "triangles": flat(triangles),
            "position": [x - neck[0], round(0.1 + length - neck[1], 4), z - neck[2]], "density": 0.1,
            "stretch": {"compliance": 0.02, "damping": 0.02}, "thickness": 0.008, "friction": 0.2,
            "pressure": {"model": "gas", "overpressure": 400, "ambient": 1000}, "gravity": [0, 8, 0]})
        bodies.append({
            "name": f"string {n + 1}",
            "rope": {"from": [0, 0.1, 0], "to": [x, round(0.1 + length, 4), z], "segments": 16},
            "density": 0.01, "pins": "first", "self_contact": False})
        constraints.append({"type": "join", "bodies": [f"string {n + 1}", f"balloon {n + 1}"], "particles": [16, low],
                            "rest": 0})
    return {"balloons.json": {
        "weft": 1,
        "about": "Three balloons full of gas pull at their strings in a breeze.",
        "settings": {"damping": 0.2, "substeps": 40, "long_edges": True, "bending": "swept",
                     "wind": {"velocity": [0.7, 0, 0.3], "gusts": 0.5, "gust_length": 0.6}},
        "bodies": bodies,
        "colliders": [GROUND, {"name": "stone", "kind": "box", "position": [0, 0.05, 0], "half_extents": [0.1, 0.05, 0.1],
                               "friction": 0.6}],
        "constraints": constraints,
    }}


def mail():
    """Rings of wire: level ones on a lattice, and an upright one through each two neighbours. Nothing but contact holds them."""
    count, around, radius = 6, 10, 0.05
    apart = 3 * radius
    rings = []
    for i in range(count):
        for j in range(count):
            rings.append(((i * apart, j * apart), (1, 0, 0), (0, 0, 1)))
            if i + 1 < count:
                rings.append((((i + 0.5) * apart, j * apart), (1, 0, 0), (0, 1, 0)))
            if j + 1 < count:
                rings.append(((i * apart, (j + 0.5) * apart), (0, 1, 0), (0, 0, 1)))
    places, edges = [], []
    middle = (count - 1) / 2 * apart
    for (x, z), u, v in rings:
        first = len(places)
        for k in range(around):
            # No particle of a ring is where it crosses the plane of its neighbours.
            c, s = (f(2 * math.pi * (k + 0.5) / around) for f in (math.cos, math.sin))
            places.append([x - middle + radius * (c * u[0] + s * v[0]), 0.75 + radius * (c * u[1] + s * v[1]),
                           z - middle + radius * (c * u[2] + s * v[2])])
            edges.append((first + k, first + (k + 1) % around))
    return {"mail.json": {
        "weft": 1,
        "about": "A coat of mail of 96 rings, which nothing but contact holds together, falls on a ball.",
        "settings": {"damping": 0.5, "substeps": 20, **SWEPT},
        "bodies": [{"name": "mail", "kind": "rope", "positions": rounded(places), "edges": flat(edges), "density": 0.05,
                    "rod": {"radius": 0.006, "young": 1e6, "bend_stiffness": 5e-4, "damping": 0.001},
                    "self_contact": True, "contact_group": 1, "contact_mask": 1, "thickness": 0.013, "friction": 0.2}],
        "colliders": [GROUND, {"name": "ball", "kind": "sphere", "position": [0, 0.36, 0], "radius": 0.3,
                               "friction": 0.2}],
    }}


def crane():
    """A load on four slings. Its rope goes over a pulley, which runs along the jib, to a winch."""
    hook, parts = (0, 0.95, 0), 4
    slings, edges, lowest = [hook], [], []
    for x, z in ((-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)):
        for n in range(1, parts + 1):
            edges.append((0 if n == 1 else len(slings) - 1, len(slings)))
            slings.append([a + n / parts * (b - a) for a, b in zip(hook, (x, 0.7, z))])
        lowest.append(len(slings) - 1)
    return {"crane.json": {
        "weft": 1,
        "about": "A crane lifts a load, whose rope runs over a pulley, and carries it to and fro.",
        "settings": {"damping": 0.1, "substeps": 20, **SWEPT},
        "bodies": [
            {"name": "rope", "kind": "points", "positions": [-0.75, 2.2, 0, 0, 2.2, 0, 0, 0.95, 0], "masses": [1, 1, 2],
             "pins": [0, 1], "self_contact": False},
            {"name": "slings", "kind": "rope", "positions": rounded(slings), "edges": flat(edges),
             "density": 0.5, "self_contact": False},
            {"name": "load", "box": {"size": [0.4, 0.4, 0.4], "cells": [4, 4, 4]}, "position": [0, 0.5, 0],
             "density": 200, "solid": {"young": 200000, "poisson": 0.3, "damping": 50}, "friction": 0.6},
        ],
        "colliders": [GROUND,
                      {"name": "mast", "kind": "box", "position": [-0.85, 1.15, 0], "half_extents": [0.07, 1.15, 0.07]},
                      {"name": "jib", "kind": "box", "position": [0.1, 2.26, 0], "half_extents": [1.1, 0.05, 0.05]}],
        "constraints": [
            {"type": "slide", "body": "rope", "particles": [0, 1, 2]},
            {"type": "join", "bodies": ["rope", "slings"], "particles": [2, 0], "rest": 0},
            {"join": {"from": {"body": "slings", "particles": lowest}, "to": {"body": "load"}}, "rest": 0},
        ],
        "motions": [
            {"body": "rope", "particles": [0], "interpolation": "cubic", "loop": True, "times": [0, 2, 4, 8, 10, 14],
             "offsets": [0, 0, 0, 0, -0.6, 0, 0, -0.6, 0, 0, -0.6, 0, 0, -0.6, 0, 0, 0, 0]},
            {"body": "rope", "particles": [1], "interpolation": "cubic", "loop": True, "times": [0, 2, 5, 7, 10, 14],
             "offsets": [0, 0, 0, 0, 0, 0, 0.8, 0, 0, 0.8, 0, 0, 0, 0, 0, 0, 0, 0]},
        ],
    }}


def toy():
    """A bear of stable Neo-Hookean tetrahedra, whose skin is finer than they are."""
    solid = melted([
        ellipsoid((0, 0.17, 0), (0.12, 0.14, 0.1)), ellipsoid((0, 0.37, 0.01), (0.1, 0.09, 0.09)),
        ellipsoid((0.075, 0.45, 0), (0.035, 0.035, 0.03)), ellipsoid((-0.075, 0.45, 0), (0.035, 0.035, 0.03)),
        capsule((0.1, 0.25, 0.02), (0.18, 0.18, 0.07), 0.042, 0.036),
        capsule((-0.1, 0.25, 0.02), (-0.18, 0.18, 0.07), 0.042, 0.036),
        capsule((0.07, 0.06, 0.03), (0.1, 0.055, 0.15), 0.05, 0.05),
        capsule((-0.07, 0.06, 0.03), (-0.1, 0.055, 0.15), 0.05, 0.05),
        ellipsoid((0, 0.35, 0.09), (0.04, 0.032, 0.035)),
    ], 0.03)
    size, low, cells = 0.036, (-0.252, -0.008, -0.126), (14, 15, 10)
    names, vertices, tets, of_cell = {}, [], [], {}
    place = lambda corner: [a + i * size for a, i in zip(low, corner)]

    def name(corner):
        if corner not in names:
            names[corner] = len(vertices)
            vertices.append(place(corner))
        return names[corner]

    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                samples = [solid([a + (n + d / 3) * size for a, n, d in zip(low, (i, j, k), (x, y, z))])
                           for x in range(4) for y in range(4) for z in range(4)]
                if min(samples) >= 0:
                    continue
                for order in orders:
                    corner, way = [i, j, k], [name((i, j, k))]
                    for axis in order:
                        corner[axis] += 1
                        way.append(name(tuple(corner)))
                    even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
                    tets.append(tuple(way) if even else (way[0], way[2], way[1], way[3]))
                    of_cell.setdefault((i, j, k), []).append((order, way))
    skin, faces = surface_nets(solid, low, tuple(2 * n for n in cells), size / 2)
    particles, weights, kept = [], [], {}
    for index, point in enumerate(skin):
        at = [(x - a) / size for x, a in zip(point, low)]
        cell = tuple(int(x) for x in at)
        if cell not in of_cell:
            continue
        part = [x - n for x, n in zip(at, cell)]
        order, way = next((o, w) for o, w in of_cell[cell] if part[o[0]] >= part[o[1]] >= part[o[2]])
        a, b, c = (round(part[x], 4) for x in order)
        kept[index] = len(kept)
        particles.append(way)
        weights.append([round(x, 4) for x in (1 - a, a - b, b - c, c)])
    faces = [[kept[i] for i in face] for face in faces if all(i in kept for i in face)]
    inward = {"interpolation": "cubic", "loop": True, "times": [0, 0.8, 2.2, 3, 3.6, 5]}
    way = lambda x: [0, 0, 0, 0, 0, 0, x, 0, 0, x, 0, 0, 0, 0, 0, 0, 0, 0]
    return {"toy.json": {
        "weft": 1,
        "about": "A stuffed bear is squeezed between two hands, and finds its shape again.",
        "settings": {"damping": 0.5, "substeps": 20, **SWEPT},
        "bodies": [{"name": "bear", "kind": "soft", "positions": rounded(vertices), "tets": flat(tets), "density": 60,
                    "position": [0, 0.02, 0],
                    "solid": {"young": 9000, "poisson": 0.3, "damping": 20}, "friction": 0.8, "thickness": 0.005,
                    "skin": {"particles": flat(particles), "weights": [x for row in weights for x in row],
                             "triangles": flat(faces)}}],
        "colliders": [GROUND, {"name": "chair", "kind": "box", "position": [0, 0.25, -0.17], "half_extents": [0.2, 0.25, 0.05],
                               "friction": 0.5}] + [
                                  {"name": f"{side} hand", "kind": "capsule", "position": [sign * 0.34, 0.17, 0.03],
                                  "turn": {"axis": [1, 0, 0], "degrees": 90}, "radius": 0.07, "length": 0.16, "friction": 0.8}
                                 for side, sign in (("left", -1), ("right", 1))],
        "motions": [{"collider": "left hand", **inward, "offsets": way(0.17)},
                    {"collider": "right hand", **inward, "offsets": way(-0.17)}],
    }}


def net():
    """A sheet that is held at its border, and tears where it is strained too far."""
    return {"net.json": {
        "weft": 1,
        "about": "A heavy ball falls into a net, which tears under it.",
        "settings": {"damping": 0.2, "substeps": 20, **SWEPT},
        "bodies": [
            {"name": "net", "grid": {"size": [1.6, 1.6], "cells": [24, 24]}, "position": [0, 0.9, 0], "density": 0.6,
             "stretch": {"compliance": 5e-4, "damping": 0.1}, "thickness": 0.01, "friction": 0.2,
             "tear": {"strain": 0.12, "most": 400}, "pins": ["left edge", "right edge", "front edge", "back edge"]},
            {"name": "ball", "sphere": {"radius": 0.22, "cells": 7}, "position": [0.05, 1.4, 0.03], "density": 600,
             "solid": {"young": 150000, "poisson": 0.3, "damping": 50}, "thickness": 0.01, "friction": 0.2},
        ],
        "colliders": [GROUND],
    }}


def spring():
    """A helix of wire, clamped at its top, which goes up and down."""
    turns, around, radius = 10, 10, 0.12
    places = [[radius * math.cos(2 * math.pi * n / around), 1.9 - 0.22 * n / (turns * around),
               radius * math.sin(2 * math.pi * n / around)] for n in range(turns * around + 1)]
    return {"spring.json": {
        "weft": 1,
        "about": "A spring toy hangs from a hand that goes up and down.",
        "settings": {"damping": 0.1, "substeps": 100, **SWEPT},
        "bodies": [{"name": "spring", "kind": "rope", "positions": rounded(places), "density": 0.02, "pins": [0, 1],
                    "clamps": [0, 1], "rod": {"radius": 0.004, "young": 2e7, "bend_stiffness": 0.25, "damping": 0.0005},
                    "self_contact": True, "contact_group": 1, "contact_mask": 1, "thickness": 0.008}],
        "colliders": [GROUND],
        "motions": [{"body": "spring", "particles": [0, 1], "interpolation": "cubic", "loop": True,
                     "times": [0, 3, 3.4, 3.8, 4.2, 4.6, 8],
                     "offsets": [0, 0, 0, 0, 0, 0, 0, 0.2, 0, 0, 0, 0, 0, 0.2, 0, 0, 0, 0, 0, 0, 0]}],
    }}


def paper():
    """A tube of paper, which a plate crushes. Its hinges yield, so the creases stay."""
    count, radius, height, rows = 36, 0.12, 0.36, 20
    rings = [(height - height * n / rows, radius, 1.0) for n in range(rows + 1)]
    vertices, triangles = tube(rings, count)
    return {"paper.json": {
        "weft": 1,
        "about": "A plate crushes a tube of paper, whose creases stay when it goes up again.",
        "settings": {"damping": 1.0, "substeps": 20, **LONG_EDGES},
        "bodies": [{"name": "paper", "positions": rounded(vertices), "triangles": flat(triangles),
                    "position": [0, 0.004, 0], "density": 0.1, "stretch": {"compliance": 0},
                    "bend": {"model": "dihedral", "compliance": 1500, "damping": 0.00001,
                             "plastic": {"yield_angle": 0.12, "rate": 100, "greatest": 2.6}},
                    "thickness": 0.004, "friction": 0.5}],
        "colliders": [GROUND, {"name": "plate", "kind": "box", "position": [0, 0.44, 0], "half_extents": [0.22, 0.02, 0.22],
                               "friction": 0.6}],
        "motions": [{"collider": "plate", "interpolation": "cubic", "times": [0.3, 2.8, 3.5, 6],
                     "offsets": [0, 0, 0, 0.03, -0.25, 0, 0.03, -0.25, 0, 0, 0.1, 0]}],
    }}


def shirt():
    """Two panels, before and behind a body, whose borders are drawn together."""
    size, high, wide = 0.025, 24, 36  # cells
    names, panel = {}, []

    def name(i, j):
        if (i, j) not in names:
            names[(i, j)] = len(panel)
            panel.append(((i - wide / 2) * size, 0.86 + j * size))
        return names[(i, j)]

    sleeves, body = range(high - 8, high), range(9, wide - 9)
    neck = lambda i, j: abs(i + 0.5 - wide / 2) < 4 and j >= high - 2
    triangles = []
    for j in range(high):
        for i in range(wide):
            if (i in body or j in sleeves) and not neck(i, j):
                a, b, c, d = name(i, j), name(i + 1, j), name(i, j + 1), name(i + 1, j + 1)
                triangles += [(a, b, d), (a, d, c)] if (i + j) % 2 else [(a, b, c), (b, d, c)]
    seams = [names[i, high] for i in range(wide + 1) if abs(i - wide / 2) >= 4]
    seams += [names[i, high - 8] for i in range(wide + 1) if i <= 9 or i >= wide - 9]
    seams += [names[i, j] for i in (9, wide - 9) for j in range(high - 8)]
    bodies = []
    for side, z in (("front", 0.17), ("back", -0.17)):
        turned = triangles if z > 0 else [(a, c, b) for a, b, c in triangles]
        bodies.append({"name": side, "positions": rounded([(x, y, z) for x, y in panel]), "triangles": flat(turned),
                       "material": "cotton", "stretch": {"compliance": 0}, "thickness": 0.006, "friction": 0.3})
    limb = lambda name, x, y, degrees, radius, length: {
        "name": name, "kind": "capsule", "position": [x, y, 0], "turn": {"axis": [0, 0, 1], "degrees": degrees},
        "radius": radius, "length": length, "friction": 0.3}
    return {"shirt.json": {
        "weft": 1,
        "about": "A shirt is sewn around a body: its seams are drawn together.",
        "settings": {"damping": 2.0, "substeps": 12, "gravity": [0, -0.1, 0], **LONG_EDGES},
        "bodies": bodies,
        "colliders": [GROUND, limb("trunk", 0, 1.06, 0, 0.1, 0.6), limb("shoulders", 0, 1.36, 90, 0.05, 0.3),
                      limb("left arm", -0.32, 1.36, 90, 0.045, 0.5), limb("right arm", 0.32, 1.36, 90, 0.045, 0.5),
                      {"name": "head", "kind": "sphere", "position": [0, 1.59, 0], "radius": 0.09},
                      limb("neck", 0, 1.46, 0, 0.045, 0.2), limb("left leg", -0.08, 0.4, 0, 0.07, 0.6),
                      limb("right leg", 0.08, 0.4, 0, 0.07, 0.6)],
        "constraints": [{"type": "join", "bodies": ["front", "back"] * len(seams), "particles": [i for s in seams for i in (s, s)],
                         "rest": [0.34] * len(seams), "rest_end": [0.004] * len(seams), "seconds": [1.2] * len(seams)}],
    }}


def marbles():
    """Troughs of slack cloth, one below the other, each of which ends in a wall that turns the marbles round."""
    long, wide, width, slack, bend = 30, 10, 0.28, 0.1, 0.14
    cloth = {"density": 0.6, "stretch": {"compliance": 0}, "thickness": 0.006, "friction": 0.5,
             "contact_group": 1, "contact_mask": 1, "self_contact": False}
    bodies = []

    def squares(rows, columns):
        triangles, row = [], columns + 1
        for i in range(rows):
            for j in range(columns):
                a, b, c, d = i * row + j, i * row + j + 1, (i + 1) * row + j, (i + 1) * row + j + 1
                triangles += [(a, b, d), (a, d, c)] if (i + j) % 2 else [(a, b, c), (b, d, c)]
        return triangles

    for n, (x, y, sign, wall) in enumerate(((-0.62, 1.46, 1, 0.06), (0.84, 1.12, -1, 0.22), (-0.84, 0.78, 1, 0.22))):
        slope, reach = math.radians(7), 1.3
        # From the top of the wall down, round a quarter of a circle, and along the slope.
        turn = bend * (math.pi / 2 - slope)
        whole = wall + turn + reach
        places = []
        for i in range(long + 1):
            s = whole * i / long - wall
            a = min(max(s / bend, 0), math.pi / 2 - slope)
            along = max(s - turn, 0)
            out = (bend * (1 - math.cos(a)) + along * math.cos(slope), -bend * math.sin(a) - along * math.sin(slope) - min(s, 0))
            heading = math.pi / 2 - a
            for j in range(wide + 1):
                across = 2 * j / wide - 1
                deep = slack * (1 - across ** 2)
                places.append((sign * (out[0] - deep * math.sin(heading)), out[1] - deep * math.cos(heading),
                               width / 2 * across))
        pins = [i * (wide + 1) + j for i in range(long + 1) for j in range(wide + 1) if j in (0, wide) or i == 0]
        bodies.append({"name": f"trough {n + 1}", "positions": rounded(places), "triangles": flat(squares(long, wide)),
                       "position": [x, y, 0], "pins": pins, **cloth})
    cells, side, deep = 16, 0.76, 0.28
    places = [(side * (i / cells - 0.5), -deep * (1 - (2 * i / cells - 1) ** 2) * (1 - (2 * j / cells - 1) ** 2),
               side * (j / cells - 0.5)) for i in range(cells + 1) for j in range(cells + 1)]
    border = [k for k, (x, _, z) in enumerate(places) if max(abs(x), abs(z)) > 0.499 * side]
    bodies.append({"name": "bag", "positions": rounded(places), "triangles": flat(squares(cells, cells)),
                   "position": [0.9, 0.35, 0], "pins": border, **cloth})
    return {"marbles.json": {
        "weft": 1,
        "about": "Marbles roll down three troughs of slack cloth.",
        "settings": {"damping": 0.05, "substeps": 20, **LONG_EDGES},
        "bodies": bodies + [
            {"name": "marbles", "kind": "rigid", "positions": rounded([(-0.42 + 0.085 * n, 1.27 - 0.01 * n, 0) for n in range(8)]),
             "rigid": {"form": "sphere", "radius": 0.035}, "density": 1200, "friction": 0.5, "thickness": 0.002,
             "contact_group": 1, "contact_mask": 1}],
        "colliders": [GROUND],
    }}


def tent():
    """A dome on two crossed poles, rods that are straight at rest; it is joined to them, and pegged at its border."""
    half, radius, height = 8, 0.55, 0.75
    row = 2 * half + 1
    places, triangles = [], []
    for j in range(-half, half + 1):
        for i in range(-half, half + 1):
            ring = max(abs(i), abs(j))
            s = math.pi / 2 * ring / half
            out = radius * math.sin(s) / ring if ring else 0
            places.append((i * out, 0.01 + height * math.cos(s), j * out))
    at = lambda i, j: (j + half) * row + i + half
    for j in range(-half, half):
        for i in range(-half, half):
            a, b, c, d = at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)
            triangles += [(a, c, d), (a, d, b)] if (i + 0.5) * (j + 0.5) > 0 else [(a, c, b), (b, c, d)]
    poles, joins = [], []
    for name, sign in (("pole", 1), ("other pole", -1)):
        line = [at(i, sign * i) for i in range(-half, half + 1)]
        poles.append({"name": name, "kind": "rope", "positions": rounded([places[i] for i in line]), "density": 0.2,
                      "rod": {"radius": 0.006, "young": 1e8, "bend_stiffness": 0.4, "damping": 0.002},
                      "pins": "ends", "clamps": [0, row - 1], "self_contact": False})
        joins.append({"join": {"from": {"body": name, "particles": list(range(1, row - 1))},
                               "to": {"body": "tent", "particles": line[1:-1]}}, "rest": 0})
    pegs = [at(i, j) for j in range(-half, half + 1) for i in range(-half, half + 1)
            if max(abs(i), abs(j)) == half and (i % 4 == 0 and j % 4 == 0)]
    return {"tent.json": {
        "weft": 1,
        "about": "A tent on two bent poles stands in gusts of wind.",
        "settings": {"damping": 0.3, "substeps": 20, **SWEPT,
                     "wind": {"velocity": [8, 0, 2], "gusts": 3, "gust_length": 1.5, "lift": 0.4}},
        "bodies": [{"name": "tent", "positions": rounded(places), "triangles": flat(triangles), "density": 0.15,
                    "stretch": {"compliance": 1e-4, "damping": 0.01}, "bend": {"model": "dihedral", "compliance": 100},
                    "thickness": 0.008, "pins": pegs}] + poles,
        "colliders": [GROUND],
        "constraints": joins,
    }}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "clients/scenes")
    for make in (balloons, tent, shirt, mail, paper, net, spring, crane, toy, marbles):
        for name, content in make().items():
            text = content if isinstance(content, str) else lay_out(content) + "\n"
            (folder / name).write_text(text)
            print(f"{name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
