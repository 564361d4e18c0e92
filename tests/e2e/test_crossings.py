#!/usr/bin/env python3
"""world.measure counts crossings as a counter does that shares nothing with it but the page: of tangles, of what touches and
lies in planes, wherever in the world; and of what contact keeps apart, there are none."""

import math
import random

from crossing_counter import Surface, count, passes
from weft_peer import ServerTest, block, ext, main, numbers, sheet

QUANTUM = 2.0**-27
# Whole quanta: at the middle, across the end of a 32-bit word, and a kilometre away.
FARS = ((0, 0, 0), (2**31 - 2**22, 5, -2**31 + 2**21), (2**37 + 12345, -2**36 - 1, 2**37 + 777))


class Crossings(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer()

    def call(self, method, **fields):
        return self.ann.call(method, world=self.w, **fields)

    def add(self, kind, positions, places=None, **fields):
        """A body at rest in positions, m, whose particles are then put to places, quanta."""
        fields.setdefault("thickness", 2.0**-12)
        body = self.call("body.add", kind=kind, positions=ext("d", positions), **fields)["body"]
        if places is not None:
            self.call("particle.set", body=body, particles=list(range(len(positions) // 3)),
                      positions=ext("d", [axis * QUANTUM for place in places for axis in place]))
        return Surface(self.ann, self.w, body, **{name: list(fields[name]) for name in ("triangles", "edges", "tets") if name in fields})

    def counted(self, surfaces):
        expected = count(self.ann, self.w, surfaces)
        self.assertEqual(self.call("world.measure", crossings=True)["crossings"], expected)
        return expected

    def test_the_counter_knows_its_cases(self):
        triangle = [(0, 0, 0), (100, 0, 0), (0, 100, 0)]
        for p, q, expected in (((20, 20, -1), (20, 20, 1), True), ((20, 20, 0), (20, 20, 50), True),
                               ((50, 0, -7), (50, 0, 7), True), ((0, 0, 0), (-30, -30, 9), True),
                               ((-1, 0, -7), (-1, 0, 7), False), ((20, 20, 1), (20, 20, 50), False),
                               ((10, 10, 0), (30, 30, 0), False), ((-10, 10, 0), (130, 10, 0), False)):
            for corners in (triangle, triangle[::-1]):
                self.assertEqual([passes(p, q, corners), passes(q, p, corners)], [expected] * 2, (p, q))
        self.assertFalse(passes((50, 0, -1), (50, 0, 1), [(0, 0, 0), (100, 0, 0), (50, 0, 0)]))

    def tangle(self, dice, far, grain, wide):
        """Bodies of each kind in a heap. Places are multiples of grain quanta, of a cube of so many grains: where these are few,
        corners coincide, edges touch and lie in planes of triangles."""
        def places(number):
            return [tuple(far[axis] + grain * dice.randrange(wide) for axis in range(3)) for _ in range(number)]

        surfaces = []
        for number in range(dice.randint(3, 5)):
            meets = dice.choice([dict(self_contact=True), dict(contact_group=1, contact_mask=3), dict(contact_group=2, contact_mask=1),
                                 dict(self_contact=True, contact_group=3, contact_mask=3), {}])
            kind = dice.choice(["cloth", "cloth", "rope", "soft"]) if number > 0 else "cloth"
            if kind == "cloth":
                columns, rows = dice.randint(3, 6), dice.randint(3, 6)
                positions, triangles = sheet(columns, rows, 0.01)
                mesh = dict(triangles=triangles)
            elif kind == "rope":
                positions = [axis for i in range(8) for axis in (0.01 * i, 0, 0)]
                mesh = dict(edges=[end for i in range(7) for end in (i, i + 1)])
            else:
                positions, tets = block(2, 1, 1, 0.01)
                mesh = dict(tets=tets)
            particles = len(positions) // 3
            statics = dict(masses=[dice.choice([0, 1.0]) for _ in range(particles)]) if dice.random() < 0.3 else {}
            surfaces.append(self.add(kind, positions, places(particles), **mesh, **meets, **statics))
        if dice.random() < 0.5:
            self.call("particle.pin", body=surfaces[0].body, particles=[0, 1, 2, 4, 5])
        return surfaces

    def test_tangles_are_counted_alike(self):
        found = [[] for _ in range(4)]
        for round_, far in enumerate(FARS * 6):
            dice = random.Random(31 + round_)
            grain, wide = ((1, 2**23), (2**20, 5), (7, 4), (2**16 + 1, 30))[round_ % 4]
            with self.subTest(round=round_):
                self.w = self.world(self.ann, name=f"tangle {round_}")
                found[round_ % 4].append(self.counted(self.tangle(dice, far, grain, wide)))
                self.ann.call("world.delete", world=self.w)
        self.assertGreater(min(map(sum, found)), 500, found)

    def test_it_is_the_same_number_wherever_the_tangle_lies(self):
        for seed in range(3):
            numbers_found = set()
            for far in FARS:
                self.w = self.world(self.ann, name=f"{seed} at {far[0]}")
                numbers_found.add(self.counted(self.tangle(random.Random(seed), far, 2**18, 6)))
            self.assertEqual(len(numbers_found), 1)

    def test_what_touches_counts_and_what_lies_in_a_plane_does_not(self):
        """Triangle and edge by hand: through, at its sides and corners, a quantum beside, in its plane."""
        unit = 2**20
        corners = [(0, 0, 0), (16 * unit, 0, 0), (0, 16 * unit, 0)]
        cases = [((4, 4, -1), (4, 4, 1), 1), ((4, 4, 0), (4, 4, 3), 1), ((0, 0, 0), (-3, -3, 2), 1), ((8, 0, -1), (8, 0, 1), 1),
                 ((8, 8, -1), (8, 8, 1), 1), ((9, 8, -1), (9, 8, 1), 0), ((1, 1, 0), (3, 3, 0), 0), ((-3, 2, 0), (30, 2, 0), 0),
                 ((4, 4, 1), (4, 4, 5), 0)]
        meets = dict(contact_group=1, contact_mask=1)
        for far in FARS:
            self.w = self.world(self.ann, name=f"at {far[0]}")
            there = lambda place, scale=1: tuple(far[axis] + scale * place[axis] for axis in range(3))
            metres = lambda places: [axis * QUANTUM for place in places for axis in place]
            triangle = self.add("cloth", metres(map(there, corners)), triangles=[0, 1, 2], **meets)
            rope = self.add("rope", metres([there((4, 4, 1), unit), there((4, 4, 5), unit)]), edges=[0, 1], **meets)
            for p, q, expected in cases:
                for beside in (0, 1):  # a quantum to the far side of the plane
                    places = [there(p, unit), there(q, unit)]
                    places = [(x, y, z - beside) for x, y, z in places]
                    self.call("particle.set", body=rope.body, particles=[0, 1], positions=ext("d", metres(places)))
                    counted = self.counted([triangle, rope])
                    if not beside:
                        self.assertEqual(counted, expected, (p, q))
            # Nothing of what does not move is counted, whether it was made so or is pinned.
            self.call("particle.set", body=rope.body, particles=[0, 1], positions=ext("d", metres([there((4, 4, -1), unit),
                                                                                                 there((4, 4, 1), unit)])))
            self.assertEqual(self.counted([triangle, rope]), 1)
            self.call("particle.pin", body=rope.body, particles=[0, 1])
            self.assertEqual(self.counted([triangle, rope]), 1)
            self.call("particle.set", body=triangle.body, particles=[0, 1, 2], inverse_masses=0)
            self.assertEqual(self.counted([triangle, rope]), 0)

    def test_a_tangle_that_moves_is_counted_alike(self):
        """Cloths that cross each other and themselves from the start, as they swing."""
        self.w = self.world(self.ann, substeps=8)
        positions, triangles = sheet(9, 9, 0.02)
        upright = [positions[at + axis] for at in range(0, len(positions), 3) for axis in (0, 2, 1)]
        folded = [0.02 * math.sin(170 * x) if axis == 1 else 0.7 * x + 0.003
                  for axis, x in zip((0, 1, 2) * 81, positions)]
        meets = dict(self_contact=True, contact_group=1, contact_mask=1, thickness=0.003, triangles=triangles)
        surfaces = [self.add("cloth", upright, **meets, pins=[72, 80]), self.add("cloth", positions, **meets), self.add("cloth", folded, **meets)]
        counts = []
        for _ in range(6):
            counts.append(self.counted(surfaces))
            self.call("world.step", ticks=4)
        self.assertGreater(counts[0], 20)
        self.assertGreater(counts[-1], 0)

    def test_a_join_that_is_undone_leaves_a_world_that_goes_on(self):
        """Two cloths, stitched all around within the distance of contact. What crosses once the stitches are undone is counted
        and comes apart; a stitch that is done again counts as before."""
        self.w = self.world(self.ann, substeps=20, damping=0.2, untangle=True)
        self.call("collider.add", kind="plane")
        side, edge, thick = 7, 0.02, 0.003
        positions, triangles = sheet(side, side, edge)
        meets = dict(self_contact=True, contact_group=1, contact_mask=1, thickness=thick, density=0.2, triangles=triangles)
        bodies = [self.call("body.add", kind="cloth", positions=ext("d", [x + (level if at % 3 == 1 else 0)
                                                                             for at, x in enumerate(positions)]), **meets)["body"]
                  for level in (1.1 * thick, 3.3 * thick)]
        border = [at for at in range(side * side) if at % side in (0, side - 1) or at // side in (0, side - 1)]
        self.call("constraint.add", type="distance", bodies=bodies * len(border),
                  particles=[at for at in border for _ in bodies], rest=[0.5 * thick] * len(border))
        self.call("world.step", ticks=120)
        crossings = lambda: self.call("world.measure", crossings=True)["crossings"]
        self.assertEqual(crossings(), 0)
        self.call("edit.undo")
        self.assertGreater(crossings(), 0)
        self.call("world.step", ticks=120)
        self.assertEqual(crossings(), 0)
        self.call("edit.redo")
        self.call("world.step", ticks=30)
        self.assertEqual(crossings(), 0)

    # -- of what is kept apart there are none

    def test_a_comb_goes_through_a_hanging_curtain(self):
        """Teeth thinner than an edge is long, into the curtain, along it, down and out, at up to a metre a second."""
        self.w = self.world(self.ann, damping=0.2)
        edge, side = 0.02, 15
        meets = dict(self_contact=True, contact_group=1, contact_mask=1, thickness=0.15 * edge)
        positions, triangles = sheet(side, side, edge)
        hanging = [positions[at + axis] for at in range(0, len(positions), 3) for axis in (0, 2, 1)]
        curtain = self.add("cloth", hanging, triangles=triangles, density=0.2, pins=list(range(side * (side - 1), side * side)), **meets)
        comb, teeth = [], []
        for tooth in range(7):
            first = len(comb) // 3
            for part in range(9):
                for corner in range(3):
                    turn = 2 * math.pi * corner / 3
                    comb += [0.011 + 2 * edge * tooth + 0.003 * math.cos(turn), 0.025 * part - 0.06, -0.03 + 0.003 * math.sin(turn)]
                if part:
                    for corner in range(3):
                        here, beside = first + 3 * part + corner, first + 3 * part + (corner + 1) % 3
                        teeth += [here - 3, here, beside, here - 3, beside, beside - 3]
            teeth += [first, first + 1, first + 2, first + 26, first + 25, first + 24]
        statue = self.add("cloth", comb, triangles=teeth, masses=0, **{**meets, "self_contact": False})
        moved = list(range(len(comb) // 3))
        pushing = held = 0
        for tick in range(60):
            way = (0.5 / 60 if 15 <= tick < 45 else 0, -1.0 / 60 if tick >= 35 else 0, 0.5 / 60 if tick < 20 else -0.3 / 60 if tick >= 45 else 0)
            comb = [x + way[at % 3] for at, x in enumerate(comb)]
            self.call("particle.pin", body=statue.body, particles=moved, positions=ext("d", comb))
            self.call("world.step", ticks=1)
            said = self.call("world.measure", crossings=True)
            self.assertEqual((said["crossings"], said["contact"]["crossed"], said["contact"]["dropped"]), (0, 0, 0), f"tick {tick}")
            pushing, held = pushing + said["contact"]["pushing"], held + said["contact"]["held"]
            if tick % 20 == 19:
                self.assertEqual(self.counted([curtain, statue]), 0)
        self.assertGreater(pushing, 300)
        # It went along with the comb: where its middle hung, teeth have been.
        z = numbers(self.call("body.state", body=curtain.body, fields=["positions"])["positions"])[2::3]
        self.assertGreater(max(z) - min(z), 0.03)


if __name__ == "__main__":
    main()
