#!/usr/bin/env python3
"""What bodies and constraints do, seen from outside: each case has an answer on paper."""

import math

from weft_peer import ServerTest, WeftError, block, main, numbers, sheet, six_volume

G = 9.81


class Physics(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer()

    def call(self, method, **fields):
        return self.ann.call(method, **fields)

    def step(self, world, ticks):
        self.call("world.step", world=world, ticks=ticks)

    def add(self, world, kind, **fields):
        return self.call("body.add", world=world, kind=kind, **fields)["body"]

    def positions(self, world, body):
        return list(self.call("body.state", world=world, body=body, fields=["positions64"])["positions64"])

    def velocities(self, world, body):
        return list(self.call("body.state", world=world, body=body, fields=["velocities"])["velocities"])

    def measures(self, world):
        return self.call("world.measure", world=world)["measures"]


# An octahedron of radius 0.1 m, whose triangles are cut into nine and put onto the ball.
def globe(radius, height):
    corners = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
    places, points, triangles = {}, [], []

    def at(x):
        length = math.sqrt(sum(c * c for c in x))
        key = tuple(round(c / length, 9) for c in x)
        if key not in places:
            places[key] = len(points) // 3
            points.extend([radius * key[0], height + radius * key[1], radius * key[2]])
        return places[key]

    n = 3
    for x in (0, 3):
        for y in (1, 4):
            for z in (2, 5):
                a, b, c = corners[x], corners[y], corners[z]
                if (x + y + z) % 2 == 0:  # mirrored an odd number of times
                    b, c = c, b

                def point(i, j):
                    k = n - i - j
                    return at([(i * a[q] + j * b[q] + k * c[q]) / n for q in range(3)])

                for i in range(n):
                    for j in range(n - i):
                        triangles.append((point(i + 1, j), point(i, j + 1), point(i, j)))
                        if i + j + 2 <= n:
                            triangles.append((point(i + 1, j + 1), point(i, j + 1), point(i + 1, j)))
    return points, [corner for triangle in triangles for corner in triangle]


class Shapes(Physics):
    CUBE = [corner for i in range(8) for corner in (0.2 * (i & 1), 1 + 0.2 * (i >> 1 & 1), 0.2 * (i >> 2))]

    def told(self, world):
        return self.call("world.measure", world=world)["shapes"]

    def test_a_shape_holds_points_is_saved_and_taken_back(self):
        world = self.world(self.ann, gravity=[0, 0, 0])
        body = self.add(world, "points", positions=self.CUBE, masses=1, shape={"compliance": 1e-4})
        self.call("particle.set", world=world, body=body, particles=[0], positions=[-0.1, 0.9, -0.1])
        before = self.call("world.hash", world=world)["hash"]
        told = self.told(world)[0]
        self.assertEqual((told["body"], told["regions"], told["force"]), (body, 1, 0))
        self.assertGreater(told["energy"], 0)
        self.step(world, 30)
        self.assertGreater(self.told(world)[0]["force"], 0)
        self.assertEqual(self.call("body.get", world=world, body=body)["shape"], {"model": "rigid", "compliance": 1e-4})
        at_rest = self.call("world.hash", world=world)["hash"]
        for edit in ({"shape": {"compliance": 0}}, {"shape": {"radius": 0.25, "spacing": 0.1}}, {"shape": {"model": "none"}},
                     {"rest_shape": {"angles": False}}, {"shape": {"positions": [2 * x for x in self.CUBE]}}):
            self.call("body.set", world=world, body=body, **edit)
            self.assertNotEqual(self.call("world.hash", world=world)["hash"], at_rest, edit)
            self.call("edit.undo", world=world)
            self.assertEqual(self.call("world.hash", world=world)["hash"], at_rest, edit)
        self.call("body.set", world=world, body=body, rest_shape={}, shape={"radius": 0.25})
        self.assertAlmostEqual(self.told(world)[0]["distance"], 0, delta=1e-7)
        self.assertNotIn("positions", self.call("body.get", world=world, body=body)["shape"])
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="cube again", document=document)["world"]
        for ticks in (0, 60):
            if ticks > 0:
                self.step(world, ticks)
                self.step(copy, ticks)
            self.assertEqual(self.call("world.hash", world=copy)["hash"], self.call("world.hash", world=world)["hash"])
        self.assertNotEqual(before, at_rest)

    def test_what_is_no_shape_is_refused(self):
        world = self.world(self.ann)
        body = self.add(world, "points", positions=self.CUBE, masses=1, shape={})
        before = self.call("world.hash", world=world)["hash"]
        wrong = [({"compliance": -1}, "shape.compliance"), ({"radius": 9}, "shape.radius"), ({"spacing": 1}, "shape.spacing"),
                 ({"model": "none", "radius": 1}, "shape.model"), ({"positions": [0, 0, 0]}, "shape.positions"),
                 ({"model": "soft"}, "shape.model")]
        for shape, field in wrong:
            with self.assertRaises(Exception) as refused:
                self.call("body.set", world=world, body=body, shape=shape)
            self.assertIn(field, str(refused.exception), shape)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)


class Pressures(Physics):
    def balloon(self, world, **pressure):
        points, triangles = globe(0.1, 1)
        return self.add(world, "cloth", positions=points, triangles=triangles, stretch={"compliance": 0.05},
                        pressure=pressure)

    def told(self, world):
        return self.call("world.measure", world=world)["pressures"][0]

    def test_a_balloon_is_inflated_saved_and_taken_back(self):
        world = self.world(self.ann, gravity=[0, 0, 0], damping=5)
        body = self.balloon(world, model="gas", overpressure=2000)
        self.step(world, 60)
        told = self.told(world)
        self.assertEqual(told["body"], body)
        self.assertGreater(told["volume"], told["reference"])
        self.assertAlmostEqual((101325 + told["pressure"]) * told["volume"], (101325 + 2000) * told["reference"], delta=1e-6)
        before = self.call("world.hash", world=world)["hash"]
        self.call("body.set", world=world, body=body, pressure={"overpressure": 8000, "seconds": 1})
        self.step(world, 30)
        pressure = self.call("body.get", world=world, body=body)["pressure"]
        self.assertEqual((pressure["model"], pressure["overpressure"], pressure["ambient"]), ("gas", 8000, 101325))
        self.assertAlmostEqual(pressure["now"], 5000, delta=1e-6)
        self.assertAlmostEqual(pressure["seconds"], 0.5, delta=1e-9)
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="balloon again", document=document)["world"]
        for ticks in (0, 60):
            if ticks > 0:
                self.step(world, ticks)
                self.step(copy, ticks)
            self.assertEqual(self.call("world.hash", world=copy)["hash"], self.call("world.hash", world=world)["hash"])
        self.assertGreater(self.told(world)["volume"], told["volume"])
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("body.get", world=world, body=body)["pressure"], {
            "model": "gas", "overpressure": 2000, "ambient": 101325})
        self.call("body.set", world=world, body=body, pressure={"model": "none"})
        self.assertNotIn("pressure", self.call("body.get", world=world, body=body))
        self.assertEqual(len(self.call("world.measure", world=world)["pressures"]), 0)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("body.get", world=world, body=body)["pressure"]["overpressure"], 2000)
        self.assertNotEqual(self.call("world.hash", world=world)["hash"], before)

    def test_an_undo_of_inflating_at_once_gives_the_hash_from_before(self):
        world = self.world(self.ann)
        body = self.balloon(world, model="volume", ratio=1.1, compliance=1e-8)
        self.step(world, 5)
        before = self.call("world.hash", world=world)["hash"]
        for pressure in ({"ratio": 1.2, "seconds": 1}, {"model": "gas", "overpressure": 10, "ambient": 0}, {"model": "none"},
                         {"volume": 0.01}):
            self.call("body.set", world=world, body=body, pressure=pressure)
            self.assertNotEqual(self.call("world.hash", world=world)["hash"], before)
            self.call("edit.undo", world=world)
            self.assertEqual(self.call("world.hash", world=world)["hash"], before)
        self.call("body.remove", world=world, body=body)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)

    def test_what_is_no_pressure_is_refused(self):
        world = self.world(self.ann)
        body = self.balloon(world, model="gas")
        points, triangles = globe(0.1, 1)
        wrong = (
            ({"overpressure": 2e7}, "overpressure"),
            ({"overpressure": -2e5}, "overpressure"),
            ({"ratio": 1}, "ratio"),
            ({"model": "volume", "ambient": 1}, "ambient"),
            ({"model": "none", "overpressure": 1}, "overpressure"),
            ({"now": 3}, "now"),
            ({"overpressure": 1, "seconds": 1e9}, "seconds"),
            ({"volume": -1}, "volume"),
            ({"model": "steam"}, "model"),
        )
        before = self.call("world.hash", world=world)["hash"]
        for pressure, field in wrong:
            with self.assertRaises(WeftError) as refused:
                self.call("body.set", world=world, body=body, pressure=pressure)
            self.assertIn(field, str(refused.exception), pressure)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)
        with self.assertRaises(WeftError) as refused:
            self.add(world, "cloth", positions=points, triangles=triangles[:-3], pressure={"model": "gas"})
        self.assertIn("3 open edges", str(refused.exception))
        rope = self.add(world, "rope", positions=[0, 0, 0, 1, 0, 0])
        with self.assertRaises(WeftError) as refused:
            self.call("body.set", world=world, body=rope, pressure={"model": "volume"})
        self.assertIn("cloth", str(refused.exception))


class Slides(Physics):
    def test_a_rope_over_a_pulley_with_friction_is_told_changed_and_saved(self):
        world = self.world(self.ann)
        body = self.add(world, "points", positions=[0, -1.5, 0, 0, 0, 0, 0, -1, 0], masses=[1, 0, 2])
        added = self.call("constraint.add", world=world, type="slide", body=body, particles=[0, 1, 2], friction=0.2)
        ids = list(added["constraints"])
        self.step(world, 60)
        told = self.call("constraint.list", world=world, type="slide", forces=True)
        grip = math.exp(0.2 * math.pi)
        heavy = 2 * (G - G * (2 - grip) / (2 + grip))
        self.assertAlmostEqual(told["end_forces"][0], -heavy, delta=0.01 * heavy)
        self.assertAlmostEqual(told["forces"][0] * grip, told["end_forces"][0], delta=0.01 * heavy)
        self.assertEqual((list(told["ratio"]), list(told["rest"])), ([1], [2.5]))
        self.assertAlmostEqual(told["friction"][0], 0.2, delta=1e-7)
        self.assertLess(told["side"][0], 1.4)
        self.assertNotIn("ratio", self.call("constraint.list", world=world, type="distance"))
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="rope again", document=document)["world"]
        before = self.call("world.hash", world=world)["hash"]
        self.assertEqual(self.call("world.hash", world=copy)["hash"], before)
        self.call("constraint.set", world=world, constraints=ids, friction=0.5, rest=2)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)
        for fields in ({"ratio": 0.5}, {"ratio": 17}, {"friction": -1}, {"friction": 101}):
            with self.assertRaises(WeftError) as refused:
                self.call("constraint.set", world=world, constraints=ids, **fields)
            self.assertIn(next(iter(fields)), str(refused.exception))
        with self.assertRaises(WeftError) as refused:
            self.call("constraint.set", world=world, constraints=ids, ratio=2)
        self.assertIn("friction", str(refused.exception))

    def test_a_crease_stays_is_told_saved_and_undone(self):
        world = self.world(self.ann, gravity=[0, 0, 0])
        flat = [0, 0, 0, 0, 0, 0.2, 0.1, 0, 0.1, -0.1, 0, 0.1]

        def folded(angle):
            return [-0.1 * math.cos(angle), -0.1 * math.sin(angle), 0.1]

        def rest():
            return list(self.call("constraint.list", world=world, type="dihedral")["rest"])

        def hash_of(which):
            return self.call("world.hash", world=which)["hash"]

        paper = self.add(world, "cloth", positions=flat, triangles=[0, 1, 2, 1, 0, 3], masses=0,
                         bend={"compliance": 1, "plastic": {"yield_angle": 0.25}})
        bend = self.call("body.get", world=world, body=paper)["bend"]
        self.assertEqual((bend["model"], bend["plastic"]),
                         ("dihedral", {"yield_angle": 0.25, "rate": 1000, "greatest": 2.967}))
        self.call("particle.set", world=world, body=paper, particles=[3], positions=folded(1))
        self.step(world, 2)
        [crease] = rest()
        self.assertAlmostEqual(crease, 0.75, delta=1e-4)
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="paper again", document=document)["world"]
        self.assertEqual(hash_of(copy), hash_of(world))
        # Another yield, undone after the crease has grown, leaves the crease.
        self.call("body.set", world=world, body=paper, bend={"plastic": {"yield_angle": 0.1}})
        self.step(world, 2)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("body.get", world=world, body=paper)["bend"]["plastic"]["yield_angle"], 0.25)
        self.assertAlmostEqual(rest()[0], 0.9, delta=1e-4)
        # What overwrites rest angles is taken back to the bit.
        before = hash_of(world)
        for method, fields in (("body.set", {"body": paper, "rest_shape": {}}),
                               ("body.set", {"body": paper, "bend": {"compliance": 2},
                                             "rest_shape": {"positions": flat, "lengths": True}}),
                               ("world.reset", {})):
            self.call(method, world=world, **fields)
            self.assertNotEqual(hash_of(world), before)
            [now] = rest()
            self.assertAlmostEqual(now, 0 if "positions" in str(fields) or not fields else 1, delta=1e-6)
            self.call("edit.undo", world=world)
            self.assertEqual(hash_of(world), before)
            self.call("edit.redo", world=world)
            self.assertAlmostEqual(rest()[0], now, delta=1e-6)
            self.call("edit.undo", world=world)
            self.assertEqual(hash_of(world), before)
        self.call("body.set", world=world, body=paper, bend={"plastic": {"rate": 0}})
        self.assertNotIn("plastic", self.call("body.get", world=world, body=paper)["bend"])
        for fields, named in (({"bend": {"plastic": {"yield_angle": 4}}}, "bend.plastic.yield_angle"),
                              ({"bend": {"plastic": {"greatest": 3}}}, "bend.plastic.greatest"),
                              ({"bend": {"plastic": {"rate": -1}}}, "bend.plastic.rate"),
                              ({"rest_shape": {"positions": [0, 0, 0]}}, "rest_shape.positions"),
                              ({"rest_shape": {"angles": False}}, "rest_shape")):
            with self.assertRaises(WeftError) as refused:
                self.call("body.set", world=world, body=paper, **fields)
            self.assertIn(named, str(refused.exception))
        with self.assertRaises(WeftError) as refused:
            self.add(world, "cloth", positions=flat, triangles=[0, 1, 2, 1, 0, 3],
                     bend={"model": "quadratic", "plastic": {"yield_angle": 0.1}})
        self.assertIn("bend.plastic", str(refused.exception))


    def test_a_dent_stays_is_told_saved_and_undone(self):
        world = self.world(self.ann, gravity=[0, 0, 0])
        corner = [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2]

        def strain():
            told = self.call("body.get", world=world, body=clay)
            self.assertAlmostEqual(told["plastic_strain_mean"], told["plastic_strain_max"], delta=1e-12)
            return told["plastic_strain_max"]

        def hash_of(which):
            return self.call("world.hash", world=which)["hash"]

        clay = self.add(world, "soft", positions=corner, tets=[0, 1, 2, 3], masses=0,
                        solid={"young": 1e5, "plastic": {"yield_strain": 0.1}})
        self.assertEqual(self.call("body.get", world=world, body=clay)["solid"]["plastic"],
                         {"yield_strain": 0.1, "rate": 1000, "greatest": 1})
        # Along x it is 1.5 times as long, without a change of volume: a strain of ln 1.5.
        self.call("particle.set", world=world, body=clay, particles=[1, 2, 3],
                  positions=[0.3, 0, 0, 0, 0.2 / math.sqrt(1.5), 0, 0, 0, 0.2 / math.sqrt(1.5)])
        self.step(world, 3)
        self.assertAlmostEqual(strain(), math.log(1.5) - 0.1, delta=1e-3)
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="clay again", document=document)["world"]
        self.assertEqual(hash_of(copy), hash_of(world))
        # Another yield, undone after it has flowed, leaves the dent.
        self.call("body.set", world=world, body=clay, solid={"plastic": {"yield_strain": 0.05}})
        self.step(world, 3)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("body.get", world=world, body=clay)["solid"]["plastic"]["yield_strain"], 0.1)
        self.assertAlmostEqual(strain(), math.log(1.5) - 0.05, delta=1e-3)
        # A reset takes it out, and is taken back to the bit.
        before = hash_of(world)
        for _ in range(2):
            self.call("world.reset", world=world)
            self.assertLess(strain(), 1e-6)
            self.call("edit.undo", world=world)
            self.assertEqual(hash_of(world), before)
        self.call("edit.redo", world=world)
        self.assertLess(strain(), 1e-6)
        self.call("edit.undo", world=world)
        self.assertEqual(hash_of(world), before)
        self.call("body.set", world=world, body=clay, solid={"plastic": {"rate": 0}})
        self.assertNotIn("plastic", self.call("body.get", world=world, body=clay)["solid"])
        self.assertAlmostEqual(strain(), math.log(1.5) - 0.05, delta=1e-3)
        for plastic, named in (({"yield_strain": 2}, "yield_strain"), ({"greatest": 1.5}, "greatest"), ({"rate": -1}, "rate")):
            with self.assertRaises(WeftError) as refused:
                self.call("body.set", world=world, body=clay, solid={"plastic": plastic})
            self.assertIn(f"solid.plastic.{named}", str(refused.exception))


class Rails(Physics):
    def test_rings_on_a_rod_slide_and_are_told_changed_and_saved(self):
        world = self.world(self.ann)
        slope = math.tan(math.radians(30))
        rod = self.add(world, "rope", positions=[c for i in range(5) for c in (i, -i * slope, 0)], pins=[0, 1, 2, 3, 4])
        rings = self.add(world, "points", positions=[1.5, -1.5 * slope, 0, 0.5, -0.5 * slope, 0], masses=[1, 2])
        added = self.call("constraint.add", world=world, type="slide_rail", bodies=[rings, rod, rod] * 2,
                          particles=[0, 0, 4, 1, 0, 4], friction=[0.3, 0.6])
        ids = list(added["constraints"])
        self.step(world, 30)
        told = self.call("constraint.list", world=world, type="slide_rail", forces=True)
        a = G * (math.sin(math.radians(30)) - 0.3 * math.cos(math.radians(30)))
        self.assertAlmostEqual(told["along"][0] - 1.5, a / 8 * math.cos(math.radians(30)), delta=0.005)
        self.assertAlmostEqual(told["along"][1], 0.5, delta=1e-6)
        self.assertEqual(list(told["particles"]), [0, 0, 4, 1, 0, 4])
        press = G * math.cos(math.radians(30))
        self.assertAlmostEqual(told["forces"][0], press * math.hypot(1, 0.3), delta=0.01 * press)
        self.assertAlmostEqual(told["friction"][0], 0.3, delta=1e-7)
        self.assertNotIn("ratio", told)
        self.assertNotIn("along", self.call("constraint.list", world=world, type="slide"))
        before = self.call("world.hash", world=world)["hash"]
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="rings again", document=document)["world"]
        self.assertEqual(self.call("world.hash", world=copy)["hash"], before)
        for method, fields in (("constraint.set", {"constraints": ids, "friction": 0.9}), ("world.reset", {}),
                               ("constraint.remove", {"constraints": ids[:1]}), ("body.remove", {"body": rod})):
            self.call(method, world=world, **fields)
            self.assertNotEqual(self.call("world.hash", world=world)["hash"], before, method)
            self.call("edit.undo", world=world)
            self.assertEqual(self.call("world.hash", world=world)["hash"], before, method)
        for fields, field in (({"bodies": [rings, rod, rings], "particles": [0, 0, 1]}, "bodies"),
                              ({"bodies": [rings, rod, rod], "particles": [0, 4, 4]}, "particles"),
                              ({"body": rod, "particles": [1, 0, 4]}, "particles"),
                              ({"bodies": [rings, rod, rod], "particles": [0, 0, 4], "rest": 1}, "rest"),
                              ({"bodies": [rings, rod, rod], "particles": [0, 0, 4], "friction": -1}, "friction")):
            with self.assertRaises(WeftError) as refused:
                self.call("constraint.add", world=world, type="slide_rail", **fields)
            self.assertIn(field, str(refused.exception))
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)

    def test_a_weld_of_joins_and_a_bend_is_one_edit(self):
        world = self.world(self.ann)
        plate = self.add(world, "cloth", positions=[0, 0, 0, 0, 0, 0.5, 0.5, 0, 0], triangles=[0, 1, 2], pins=[0, 1, 2])
        tab = self.add(world, "rope", positions=[0, 0, 0, 0, 0, 0.5, -0.1, 0.17, 0.25], edges=[0, 1, 1, 2, 2, 0],
                       masses=[0.05, 0.05, 0.1])
        joins = {"type": "join", "bodies": [tab, plate] * 2, "particles": [0, 0, 1, 1], "rest": 0}
        bend = {"type": "dihedral", "bodies": [plate, plate, tab, plate], "particles": [0, 1, 2, 2], "compliance": 0.01}
        self.call("edit.batch", world=world, edits=[["constraint.add", joins], ["constraint.add", bend]])
        self.step(world, 120)
        x, y, _ = self.positions(world, tab)[6:9]
        self.assertAlmostEqual(math.atan2(y, x), math.atan2(0.17, -0.1), delta=math.radians(1))
        self.call("edit.undo", world=world)
        for kind in ("join", "dihedral"):
            self.assertEqual(list(self.call("constraint.list", world=world, type=kind)["constraints"]), [])


class Fabrics(Physics):
    FABRIC = {"model": "orthotropic", "warp": 40, "weft": 20, "shear": 5, "poisson": 0.2, "direction": [0, 1, 0]}

    def hung(self, world, **stretch):
        positions, triangles = [], []
        for row in range(5):
            for column in range(3):
                positions += [0.05 * column, -0.05 * row, 0]
        for row in range(4):
            for column in range(2):
                at = 3 * row + column
                triangles += [at, at + 3, at + 1, at + 1, at + 3, at + 4]
        return self.add(world, "cloth", positions=positions, triangles=triangles, pins=[0, 1, 2], density=0.2,
                        stretch={**self.FABRIC, **stretch})

    def test_a_fabric_is_told_changed_undone_and_saved(self):
        world = self.world(self.ann, damping=3.0)
        body = self.hung(world, damping=0.01)
        told = self.call("body.get", world=world, body=body)
        self.assertEqual({**told["stretch"], "compliance": 0},
                         {**self.FABRIC, "angle": 0, "damping": 0.01, "compliance": 0})
        self.assertEqual((told["constraints"]["orthotropic"]["count"], told["constraints"]["distance"]["count"]), (16, 0))
        self.step(world, 300)
        listed = self.call("constraint.list", world=world, body=body, type="orthotropic", forces=True)
        self.assertEqual([len(listed[field]) for field in ("strains", "tensions", "gradients", "forces")],
                         [48, 48, 64, 16])
        top = list(listed["tensions"])[0:12:3]  # the warp hangs down
        load = 0.2 * G * 0.05 * 3.5
        self.assertAlmostEqual(sum(top) / 4, load, delta=0.1 * load)
        measures = self.measures(world)
        self.assertGreater(measures["elastic_orthotropic"], 0)
        self.assertAlmostEqual(measures["yarn_strain_max"], load / 40, delta=0.5 * load / 40)
        before = self.call("world.hash", world=world)["hash"]
        document = self.call("world.save", world=world)["document"]
        copy = self.call("world.open", name="fabric again", document=document)["world"]
        self.assertEqual(self.call("world.hash", world=copy)["hash"], before)
        self.call("body.set", world=world, body=body, stretch={"warp": 90, "limit": 0.01})
        self.assertNotEqual(self.call("world.hash", world=world)["hash"], before)
        self.assertEqual(self.call("body.get", world=world, body=body)["stretch"]["warp"], 90)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)
        self.call("body.remove", world=world, body=body)
        self.call("edit.undo", world=world)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)
        self.step(world, 20)
        self.step(copy, 20)
        self.assertEqual(self.call("world.hash", world=copy)["hash"], self.call("world.hash", world=world)["hash"])

    def test_what_no_fabric_has_is_refused_with_its_field(self):
        world = self.world(self.ann)
        body = self.hung(world)
        rope = self.add(world, "rope", positions=[0, 0, 0, 1, 0, 0], edges=[0, 1])
        before = self.call("world.hash", world=world)["hash"]
        for stretch in ({"poisson": 2}, {"direction": [0, 0, 1]}, {"compliance": 1e-3}, {"stiffness": 0.5},
                        {"warp": 0}, {"shear": float("nan")}):
            with self.assertRaises(WeftError) as refused:
                self.hung(world, **stretch)
            self.assertIn(f"stretch.{next(iter(stretch))}", str(refused.exception))
        for of, stretch in ((body, {"angle": 1}), (body, {"model": "distance"}), (body, {"compliance": 1}),
                            (rope, {"warp": 10}), (rope, {"model": "orthotropic"})):
            with self.assertRaises(WeftError) as refused:
                self.call("body.set", world=world, body=of, stretch=stretch)
            self.assertIn(f"stretch.{next(iter(stretch))}", str(refused.exception))
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)


class Forces(Physics):
    def test_the_tension_of_a_hanging_chain_is_the_weight_below(self):
        world = self.world(self.ann, damping=3.0)
        rope = self.add(world, "rope", positions=[0, 0, 0, 0, -1, 0, 0, -2, 0], masses=[0.1, 0.5, 0.25], pins=[0],
                        stretch={"compliance": 1e-3, "damping": 20.0})
        first = self.call("constraint.list", world=world, body=rope, forces=True)
        self.assertEqual((first["forces_from"], list(first["forces"])), (1, [0, 0]))
        self.step(world, 400)
        listed = self.call("constraint.list", world=world, body=rope, forces=True)
        self.assertEqual(listed["forces_from"], 400)
        upper, lower = listed["forces"]
        self.assertAlmostEqual(upper / (-0.75 * G), 1, delta=0.01)
        self.assertAlmostEqual(lower / (-0.25 * G), 1, delta=0.01)
        self.assertNotIn("forces", self.call("constraint.list", world=world))
        # What the springs hold: f^2 alpha / 2 each.
        self.assertAlmostEqual(self.measures(world)["elastic_distance"] / (0.5e-3 * ((0.75 * G)**2 + (0.25 * G)**2)),
                               1, delta=0.02)

    def test_the_tension_of_a_chain_that_hangs_by_long_edges_is_the_weight_below(self):
        count, load = 20, 10.0
        world = self.world(self.ann, damping=5.0)
        rope = self.add(world, "rope", positions=[x for i in range(count + 1) for x in (0, -0.05 * i, 0)],
                        masses=[0.001] * count + [load], pins=[0])
        self.step(world, 300)
        listed = self.call("constraint.list", world=world, body=rope, forces=True)
        for edge, (own, past) in enumerate(zip(listed["forces"], listed["long_forces"])):
            below = load + 0.001 * (count - 1 - edge)
            self.assertAlmostEqual((own + past) / (-below * G), 1, delta=0.02)
        self.assertGreater(max(listed["forces"]), -0.1 * load * G, "edges alone do not tell it")
        page = self.call("constraint.list", world=world, forces=True, after=listed["constraints"][4], limit=3)
        self.assertEqual(list(page["long_forces"]), list(listed["long_forces"][5:8]))
        self.assertNotIn("long_forces", self.call("constraint.list", world=world))
        self.assertNotIn("long_forces", self.call("constraint.list", world=world, type="volume", forces=True))
        self.call("world.set", world=world, long_edges=False)
        self.assertNotIn("long_forces", self.call("constraint.list", world=world, forces=True))

    def test_forces_are_known_whenever_they_are_asked_for(self):
        # So few substeps that what gravity does in one is long beside the last digit of a length.
        # Long edges take what they carry off the edges, and long_forces has it.
        world = self.world(self.ann, damping=3.0, substeps=5, long_edges=False)
        self.add(world, "rope", positions=[0, 0, 0, 0, -1, 0], masses=0.5, pins=[0])
        self.step(world, 200)
        listed = self.call("constraint.list", world=world, forces=True)
        self.assertEqual(listed["forces_from"], 200)
        self.assertAlmostEqual(listed["forces"][0] / (-0.5 * G), 1, delta=0.01)

    def test_plain_stiffness_leaves_its_share_of_an_error_however_many_sweeps_there_are(self):
        for iterations in (1, 2, 7):
            for stiffness in (0.0, 0.25, 0.9, 1.0):
                world = self.world(self.ann, name=f"pbd {iterations} {stiffness}", gravity=[0, 0, 0], substeps=1,
                                   iterations=iterations)
                body = self.add(world, "rope", positions=[0, 0, 0, 1, 0, 0], masses=[1, 0.5],
                                stretch={"stiffness": stiffness})
                self.call("particle.set", world=world, body=body, particles=[1], positions=[1.5, 0, 0])
                self.step(world, 1)
                at = self.positions(world, body)
                self.assertAlmostEqual(at[3] - at[0] - 1, 0.5 * (1 - stiffness), delta=2e-6)
                self.assertAlmostEqual(at[0] + 0.5 * at[3], 0.75, delta=1e-6, msg="the centre of mass stays")
                listed = self.call("constraint.list", world=world)
                self.assertAlmostEqual(listed["stiffness"][0], stiffness, delta=1e-6)

    def test_a_damped_spring_moves_as_backward_euler_does_with_its_velocity_divided(self):
        stiffness, beta, h = 1000.0, 10.0, 1 / 60
        world = self.world(self.ann, gravity=[0, 0, 0], substeps=1)
        body = self.add(world, "rope", positions=[0, 0, 0, 1, 0, 0], masses=1.0, pins=[0],
                        stretch={"compliance": 1 / stiffness, "damping": beta})
        self.call("particle.set", world=world, body=body, particles=[1], positions=[1.5, 0, 0])
        before, now = 0.5, 0.5
        for _ in range(20):
            self.step(world, 1)
            before, now = now, (now + (now - before) / (1 + beta * h)) / (1 + stiffness * h * h)
            self.assertAlmostEqual(self.positions(world, body)[3] - 1, now, delta=2e-6)


class Bending(Physics):
    MASS = 0.3

    def hinge(self, name, bend):
        """Two right triangles on a static edge, the far corner of one free: it sinks by an angle. At last it sinks
        by less than what counts as motion, so it must not sleep."""
        world = self.world(self.ann, name=name, damping=4.0, substeps=40, sleep=False)
        body = self.add(world, "cloth", positions=[0, 0, 0, 0, 0, 1, 1, 0, 0.5, -1, 0, 0.5], masses=self.MASS,
                        triangles=[0, 1, 2, 1, 0, 3], pins=[0, 1, 3], bend=bend)
        self.step(world, 500)
        x, y = self.positions(world, body)[6:8]
        self.assertAlmostEqual(math.hypot(x, y), 1, delta=1e-4)
        return math.atan2(-y, x), world

    def test_a_quadratic_hinge_settles_at_its_static_angle(self):
        for k in (20, 50, 200):
            angle, world = self.hinge(f"quadratic {k}", {"model": "quadratic", "compliance": 1 / k})
            # E = 6 k sin^2(theta / 2): tan theta = m g / (3 k).
            want = math.atan(self.MASS * G / (3 * k))
            self.assertAlmostEqual(angle / want, 1, delta=0.005)
            self.assertAlmostEqual(self.measures(world)["elastic_quadratic"] / (6 * k * math.sin(want / 2)**2), 1,
                                   delta=0.01)

    def test_a_dihedral_hinge_settles_at_its_static_angle(self):
        for k in (20, 200):
            angle, world = self.hinge(f"dihedral {k}", {"model": "dihedral", "compliance": 1 / (3 * k)})
            want = self.MASS * G / (3 * k)  # theta / alpha = m g cos theta
            for _ in range(20):
                want = self.MASS * G * math.cos(want) / (3 * k)
            self.assertAlmostEqual(angle / want, 1, delta=0.005)
            listed = self.call("constraint.list", world=world, type="dihedral", forces=True)
            self.assertAlmostEqual(abs(listed["forces"][0]) / (self.MASS * G * math.cos(want)), 1, delta=0.01)

    def test_an_isometric_hinge_has_no_stiffness_when_flat_and_sinks_further(self):
        # U = 18 k sin^4(theta / 2)
        angle, _ = self.hinge("isometric", {"model": "isometric", "compliance": 1 / 20})
        torque = 20 * 6 * math.sin(angle / 2)**2 * 3 * math.sin(angle)
        self.assertAlmostEqual(torque / (self.MASS * G * math.cos(angle)), 1, delta=0.01)
        self.assertAlmostEqual(angle, 0.317, delta=0.002)

    def test_a_flat_cloth_without_forces_stays_to_the_bit(self):
        positions, triangles = sheet(7, 6, 0.125)
        for index in range(0, len(positions), 3):
            # Unequal triangles, their corners on the grid of numbers, so that rest is exact.
            positions[index] += round(2 * math.sin(9 * positions[index + 2])) / 64
            positions[index + 2] += round(2 * math.sin(7 * positions[index])) / 64
        for model in ("none", "quadratic", "isometric", "dihedral"):
            for compliance in (0.0, 0.01):
                world = self.world(self.ann, name=f"{model} {compliance}", gravity=[0, 0, 0])
                body = self.add(world, "cloth", positions=positions, triangles=triangles,
                                bend={"model": model, "compliance": compliance})
                at = self.positions(world, body)
                self.step(world, 60)
                moved = [b - a for a, b in zip(at, self.positions(world, body))]
                self.assertEqual(max(map(abs, moved)), 0, f"{model} {compliance}")

    def test_a_flat_stencil_stays_to_the_bit_for_ten_seconds(self):
        shapes = {"asymmetric": [0, 0, 0, 0, 1.2, 0, -0.7, 0.4, 0, 0.9, 0.9, 0],
                  "square": [0, 0, 0, 0, 1, 0, -0.5, 0.5, 0, 0.5, 0.5, 0]}
        for substeps in (20, 100):
            world = self.world(self.ann, name=f"{substeps} substeps", gravity=[0, 0, 0], substeps=substeps)
            before = {}
            for shape, positions in shapes.items():
                for model in ("none", "quadratic", "isometric", "dihedral"):
                    for compliance in (0.0, 1e-4):
                        body = self.add(world, "cloth", positions=positions, masses=1.0, triangles=[0, 1, 2, 1, 0, 3],
                                        stretch={"compliance": compliance},
                                        bend={"model": model, "compliance": compliance})
                        before[shape, model, compliance, body] = self.positions(world, body)
            self.step(world, 600)
            for (shape, model, compliance, body), at in before.items():
                self.assertEqual(self.positions(world, body), at, f"{substeps}: {shape} {model} {compliance}")

    def test_a_flat_cloth_aslant_keeps_its_shape(self):
        positions, triangles = sheet(7, 6, 0.1)
        for index in range(0, len(positions), 3):
            x = positions[index] + 0.031 * math.sin(9 * positions[index + 2])
            z = positions[index + 2] + 0.027 * math.sin(7 * positions[index])
            positions[index:index + 3] = [0.8 * x + 3, 0.6 * x + 0.28 * z, 0.96 * z - 2]
        for model in ("quadratic", "isometric", "dihedral"):
            world = self.world(self.ann, name=model, gravity=[0, 0, 0])
            body = self.add(world, "cloth", positions=positions, triangles=triangles,
                            bend={"model": model, "compliance": 0.01})
            self.step(world, 120)
            at = self.positions(world, body)
            for a, b in ((0, 41), (6, 35), (3, 38), (20, 27)):
                self.assertAlmostEqual(math.dist(at[3 * a:3 * a + 3], at[3 * b:3 * b + 3]),
                                       math.dist(positions[3 * a:3 * a + 3], positions[3 * b:3 * b + 3]), delta=2e-6)
            self.assertLess(self.measures(world)["strain_max"], 5e-6)

    def test_the_default_is_quadratic_for_flat_shapes_and_dihedral_for_others(self):
        world = self.world(self.ann)
        for height, want in ((0.0, "quadratic"), (0.2, "dihedral")):
            body = self.add(world, "cloth", positions=[0, 0, 0, 0, 0, 1, 1, height, 0.5, -1, 0, 0.5],
                            triangles=[0, 1, 2, 1, 0, 3], bend={})
            got = self.call("body.get", world=world, body=body)
            self.assertEqual(got["bend"]["model"], want)
            self.assertEqual(got["constraints"][want]["count"], 1)

    def test_a_folded_cloth_keeps_the_sign_of_its_fold(self):
        world = self.world(self.ann, gravity=[0, 0, 0], damping=2.0)
        c, s = math.cos(0.7), math.sin(0.7)
        body = self.add(world, "cloth", positions=[0, 0, 0, 0, 0, 1, c, s, 0.5, -c, s, 0.5], masses=1.0,
                        triangles=[0, 1, 2, 1, 0, 3], pins=[0, 1, 3], bend={"model": "dihedral"})
        # Turned over: wing 2 as far below the plane of the other as it was above.
        self.call("particle.set", world=world, body=body, particles=[2],
                  positions=[math.cos(-2.0), math.sin(-2.0), 0.5])
        self.step(world, 300)
        x, y = self.positions(world, body)[6:8]
        self.assertAlmostEqual(x, c, delta=1e-4)
        self.assertAlmostEqual(y, s, delta=1e-4)


class Volumes(Physics):
    def test_a_dropped_soft_block_keeps_its_volume_and_comes_to_rest(self):
        world = self.world(self.ann, damping=1.0)
        self.call("collider.add", world=world, kind="plane", friction=0.5)
        positions, tets = block(3, 3, 3, 0.1, at=(0, 0.4, 0))
        made = self.call("body.add", world=world, kind="soft", positions=positions, tets=tets, density=500,
                         stretch={"compliance": 1e-5, "damping": 5.0}, thickness=0.01)
        self.assertEqual((made["warnings"], made["constraints"]["volume"]["count"]), ([], 162))
        self.assertAlmostEqual(sum(self.call("body.get", world=world, body=made["body"])["masses"]), 500 * 0.027,
                               places=6)
        worst = 0.0
        for _ in range(40):
            self.step(world, 5)
            worst = max(worst, self.measures(world)["volume_error"])
        self.assertGreater(worst, 0)
        self.assertLess(worst, 0.15)
        self.step(world, 200)
        at = self.positions(world, made["body"])
        self.assertAlmostEqual(min(at[1::3]), 0.01, delta=1e-4)
        self.assertGreater(max(at[1::3]), 0.29)
        figures = self.measures(world)
        self.assertLess(figures["volume_error"], 0.01)
        self.assertLess(figures["kinetic"], 1e-4)
        self.assertEqual(figures["contacts"], 16)

    def test_a_soft_block_on_ice_hardly_drifts(self):
        world = self.world(self.ann, substeps=100)
        self.call("collider.add", world=world, kind="plane", friction=0.0)
        positions, tets = block(4, 4, 4, 0.1, at=(0, 0.005, 0))
        body = self.add(world, "soft", positions=positions, tets=tets, stretch={"compliance": 1e-5},
                        volume={"compliance": 1e-8}, thickness=0.005)
        self.step(world, 600)
        at = self.positions(world, body)
        x, z = (sum(b - a for a, b in zip(positions[i::3], at[i::3])) / 125 for i in (0, 2))
        self.assertLess(math.hypot(x, z), 0.015)

    def test_an_inverted_tetrahedron_rights_itself(self):
        world = self.world(self.ann, gravity=[0, 0, 0], damping=2.0)
        corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0.2, 0.9]
        body = self.add(world, "soft", positions=corners, tets=[0, 1, 2, 3], stretch={"compliance": 1e-4},
                        volume={"compliance": 1e-6}, density=6.0)
        self.call("particle.set", world=world, body=body, particles=[3], positions=[0.15, 0.2, -0.7])
        self.assertLess(six_volume(self.positions(world, body)), 0)
        self.assertGreater(self.measures(world)["volume_error"], 1)
        self.step(world, 400)
        self.assertAlmostEqual(six_volume(self.positions(world, body)), 0.9, delta=1e-3)
        self.assertLess(self.measures(world)["strain_max"], 1e-3)

    def test_a_body_squeezed_flat_recovers(self):
        world = self.world(self.ann, gravity=[0, 0, 0], damping=4.0)
        positions, tets = block(2, 2, 2, 0.2)
        body = self.add(world, "soft", positions=positions, tets=tets, stretch={"compliance": 1e-5})
        flat = list(positions)
        flat[1::3] = [0.02 * y for y in flat[1::3]]
        self.call("particle.set", world=world, body=body, particles=list(range(27)), positions=flat)
        self.step(world, 400)
        self.assertLess(self.measures(world)["volume_error"], 0.01)
        self.assertLess(self.measures(world)["strain_max"], 0.01)
        at = self.positions(world, body)
        for a, b in ((0, 26), (2, 24), (6, 20), (8, 18)):  # it may have turned as a whole
            self.assertAlmostEqual(math.dist(at[3 * a:3 * a + 3], at[3 * b:3 * b + 3]), 0.4 * math.sqrt(3), delta=0.01)

    def test_a_loaded_tetrahedron_sinks_by_its_compliance(self):
        alpha, mass = 2e-5, 0.1
        world = self.world(self.ann, damping=5.0)
        body = self.add(world, "points", positions=[0, 0, 0, 0, 0, 1, 1, 0, 0, 0.25, 1, 0.25], masses=mass,
                        pins=[0, 1, 2])
        self.call("constraint.add", world=world, type="volume", body=body, particles=[0, 1, 2, 3], compliance=alpha)
        self.call("constraint.list", world=world, type="volume", forces=True)
        self.step(world, 600)
        # V = A h / 3: the pressure C / alpha times A / 3 carries m g.
        self.assertAlmostEqual((1 - self.positions(world, body)[10]) / (alpha * mass * G * 36), 1, delta=0.01)
        pressure = self.call("constraint.list", world=world, type="volume", forces=True)["forces"][0]
        self.assertAlmostEqual(abs(pressure) / (6 * mass * G), 1, delta=0.01)
        figures = self.measures(world)
        self.assertAlmostEqual(figures["elastic_volume"] / (0.5 * alpha * (6 * mass * G)**2), 1, delta=0.03)


class Measures(Physics):
    def test_the_stream_carries_the_measures_that_are_answered(self):
        world = self.world(self.ann, wind={"velocity": [1, 0, 0]})
        self.call("collider.add", world=world, kind="plane", position=[0, -0.3, 0])
        positions, tets = block(2, 2, 2)
        self.add(world, "soft", positions=positions, tets=tets, stretch={"compliance": 1e-4},
                 volume={"compliance": 1e-8})
        cloth, triangles = sheet(8, 8)
        for model in ("quadratic", "isometric", "dihedral"):
            self.add(world, "cloth", positions=cloth, triangles=triangles, pins=[0],
                     bend={"model": model, "compliance": 0.5}, stretch={"compliance": 1e-4})
        self.step(world, 40)
        stream = self.call("stream.subscribe", world=world, fields=["measures"])["stream"]
        streamed, asked = self.ann.frame(stream).params["measures"], self.measures(world)
        self.assertEqual(streamed, asked)
        for name in ("kinetic", "elastic_distance", "elastic_dihedral", "elastic_isometric", "elastic_quadratic",
                     "elastic_volume", "strain_max", "strain_rms", "volume_error", "volume_error_rms", "contacts"):
            self.assertGreater(asked[name], 0, name)
        self.assertLess(asked["strain_rms"], asked["strain_max"])
        self.assertLess(asked["volume_error_rms"], asked["volume_error"])
        self.step(world, 1)
        self.assertNotEqual(self.ann.frame(stream, found=lambda p: p["tick"] == 41).params["measures"]["kinetic"],
                            asked["kinetic"])

    def test_the_phases_make_up_the_tick(self):
        world = self.world(self.ann, wind={"velocity": [1, 0, 0]})
        cloth, triangles = sheet(30, 30)
        self.add(world, "cloth", positions=cloth, triangles=triangles, pins=[0])
        self.call("collider.add", world=world, kind="plane", position=[0, -3, 0])
        self.step(world, 20)
        figures = self.measures(world)
        phases = figures["phases"]
        self.assertEqual(set(phases), {"wind", "predict", "solve", "contacts", "finish"})
        for name, time_us in phases.items():
            self.assertGreater(time_us, 0, name)
        self.assertLessEqual(sum(phases.values()), figures["tick_us"] * 1.0001)
        self.assertGreater(sum(phases.values()), figures["tick_us"] * 0.8)


if __name__ == "__main__":
    main()
