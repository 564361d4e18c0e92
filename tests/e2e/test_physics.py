#!/usr/bin/env python3
"""What bodies, constraints, wind and colliders do, seen from outside: each case has an answer on paper."""

import math

from weft_peer import ServerTest, WeftError, block, ext, main, numbers, sheet, six_volume

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


class Wind(Physics):
    def force(self, corners, wind, velocity=(0, 0, 0)):
        """On a triangle, by the formula."""
        u = [wind["velocity"][i] - velocity[i] for i in range(3)]
        p, q = ([corners[k][i] - corners[0][i] for i in range(3)] for k in (1, 2))
        n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        twice = math.sqrt(sum(c * c for c in n))
        n = [c / twice for c in n]
        speed, along = math.sqrt(sum(c * c for c in u)), sum(a * b for a, b in zip(u, n))
        if along < 0:
            n, along = [-c for c in n], -along
        drag, lift = wind.get("drag", 1), wind.get("lift", 0)
        return [0.5 * wind.get("density", 1.2) * twice / 2 * along * ((drag - lift) * u[i] + lift * speed * n[i])
                for i in range(3)]

    def test_the_force_on_a_triangle_is_that_of_the_formula(self):
        corners = [[0, 0, 0], [1, 0.25, 0], [0.25, 1, 0.5]]
        for wind in ({"velocity": [0, 0, 8]}, {"velocity": [3, -4, 2], "drag": 0.5, "lift": 1.5},
                     {"velocity": [-1, 0, -6], "drag": 0, "lift": 2, "density": 2.5}):
            world = self.world(self.ann, gravity=[0, 0, 0], tick_rate=1000, substeps=1, wind=wind,
                               name=f"wind {wind['velocity']}")
            body = self.add(world, "cloth", positions=sum(corners, []), triangles=[0, 1, 2], masses=2.0)
            self.step(world, 1)
            got = self.velocities(world, body)
            for corner in range(3):
                for axis, newton in enumerate(self.force(corners, wind)):
                    self.assertAlmostEqual(got[3 * corner + axis], newton / 3 / 2.0 * 1e-3, delta=2e-7)

    def test_the_force_on_a_soft_body_is_that_on_what_of_its_surface_faces_the_wind(self):
        wind = {"velocity": [5, 1, -3], "drag": 1.0, "lift": 0.5}
        world = self.world(self.ann, gravity=[0, 0, 0], tick_rate=1000, substeps=1, wind=wind)
        positions, tets = block(2, 2, 2, 0.5)
        body = self.add(world, "soft", positions=positions, tets=tets, masses=1.0)
        faces = {}
        for t in range(0, len(tets), 4):
            for corners in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
                face = [tets[t + corner] for corner in corners]
                faces.setdefault(tuple(sorted(face)), []).append(face)
        surface = [found[0] for found in faces.values() if len(found) == 1]
        self.assertEqual(len(surface), 48)
        total = [0.0, 0.0, 0.0]
        middle = [sum(positions[axis::3]) / (len(positions) // 3) for axis in range(3)]
        for face in surface:
            corners = [positions[3 * p:3 * p + 3] for p in face]
            d, e, out = ([x - y for x, y in zip(to, corners[0])] for to in (corners[1], corners[2], middle))
            n = [d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]]
            if sum(a * b for a, b in zip(n, wind["velocity"])) * sum(a * b for a, b in zip(n, out)) < 0:
                continue  # in the lee
            newtons = self.force(corners, wind)
            total = [a + b for a, b in zip(total, newtons)]
        self.step(world, 1)
        got = self.velocities(world, body)
        for axis in range(3):
            self.assertAlmostEqual(sum(got[axis::3]) / (total[axis] * 1e-3), 1, delta=1e-3)

    def test_a_plate_is_carried_up_to_the_speed_of_the_wind(self):
        world = self.world(self.ann, gravity=[0, 0, 0], wind={"velocity": [0, 0, 10], "density": 1.25})
        body = self.add(world, "cloth", positions=[0, 0, 0, 1, 0, 0, 0, 1, 0], triangles=[0, 1, 2], masses=0.25)
        self.step(world, 60)
        # du/dt = -k u^2, k = rho A Cd / 2 m
        want = 10 - 10 / (1 + 0.5 * 1.25 * 0.5 / 0.75 * 10)
        for got in self.velocities(world, body)[2::3]:
            self.assertAlmostEqual(got / want, 1, delta=0.005)

    def test_a_flag_flies_and_hangs_again_when_the_wind_ends(self):
        world = self.world(self.ann, damping=1.0)
        positions, triangles = sheet(12, 9, 0.08)
        hanging = [c for i in range(0, len(positions), 3) for c in (positions[i], 2 - positions[i + 2], 0.0)]
        self.add(world, "cloth", name="flag", positions=hanging, triangles=triangles, density=0.15,
                 pins=list(range(12)), bend={"compliance": 100.0})
        self.call("world.set", world=world, wind={"velocity": [0, 0, 12]})
        self.assertEqual(self.call("world.get", world=world)["wind"],
                         {"velocity": [0, 0, 12], "drag": 1, "lift": 0, "density": 1.2})
        self.step(world, 240)
        flown = self.positions(world, "flag")
        self.call("world.set", world=world, wind={"density": 0})
        self.step(world, 360)
        hung = self.positions(world, "flag")
        for column in range(12):
            lowest = 3 * (8 * 12 + column)
            self.assertGreater(flown[lowest + 2], 0.3)
            self.assertGreater(flown[lowest + 1], 1.45)
            self.assertAlmostEqual(hung[lowest + 2], 0, delta=0.05)
            self.assertAlmostEqual(hung[lowest + 1], 1.36, delta=0.01)
        self.assertEqual(self.call("world.get", world=world)["wind"]["density"], 0)
        # Speaking of it again turns it on again, with what was said before.
        self.call("world.set", world=world, wind={"drag": 1.5})
        self.assertEqual(self.call("world.get", world=world)["wind"],
                         {"velocity": [0, 0, 12], "drag": 1.5, "lift": 0, "density": 1.2})


class Colliders(Physics):
    def turned(self, axis, angle):
        return [math.sin(angle / 2) * c for c in axis] + [math.cos(angle / 2)]

    def test_a_capsule_and_a_box_hold_particles_at_their_thickness(self):
        world = self.world(self.ann, damping=0.5)
        self.call("collider.add", world=world, kind="capsule", position=[0, 1, 0], radius=0.25, length=2.0,
                  rotation=self.turned([0, 0, 1], math.pi / 2), friction=0.5)
        self.call("collider.add", world=world, kind="box", position=[5, 1, 0], half_extents=[1, 0.25, 0.5],
                  rotation=self.turned([0, 1, 0], math.pi / 2), friction=0.5)
        body = self.add(world, "points", thickness=0.02,
                        positions=[0, 1.5, 0, 0.9, 1.5, 0, 1.1, 1.5, 0, 5, 1.5, 0.9, 5.4, 1.5, -0.9, 5.6, 1.5, 0])
        self.step(world, 120)
        at = self.positions(world, body)
        for particle, height in ((0, 1.27), (1, 1.27), (3, 1.27), (4, 1.27)):
            self.assertAlmostEqual(at[3 * particle + 1], height, delta=1e-4, msg=f"particle {particle}")
        self.assertGreater(self.measures(world)["contacts"], 3)
        # On the round end, where it is not too steep; beside the box, past which it fell.
        self.assertAlmostEqual(math.hypot(at[6] - 1, at[7] - 1), 0.27, delta=1e-4)
        self.assertLess(at[16], 0)

    def test_a_cylinder_holds_particles_on_its_flat_end_and_beside_its_rim_they_fall(self):
        world = self.world(self.ann, damping=0.5)
        drum = self.call("collider.add", world=world, kind="cylinder", position=[0, 1, 0], radius=0.5, length=2.0,
                         friction=0.5)["collider"]
        body = self.add(world, "points", thickness=0.02,
                        positions=[0, 2.2, 0, 0.49, 2.2, 0, 0.3, 2.2, -0.39, 0.6, 2.2, 0])
        self.step(world, 120)
        at = self.positions(world, body)
        for particle in range(3):
            self.assertAlmostEqual(at[3 * particle + 1], 2.02, delta=1e-4, msg=f"particle {particle}")
        self.assertLess(at[10], 0)
        self.call("collider.set", world=world, collider=drum, rotation=self.turned([0, 0, 1], math.pi / 2))
        self.step(world, 1)
        kept = self.call("world.join", world=world)["colliders"][0]
        self.assertEqual((kept["kind"], kept["radius"], kept["length"]), ("cylinder", 0.5, 2.0))
        with self.assertRaisesRegex(WeftError, "^INVALID: length: "):
            self.call("collider.set", world=world, collider=drum, length=0)

    def test_a_convex_hull_holds_particles_and_is_told_saved_and_taken_back(self):
        world = self.world(self.ann, damping=0.5)
        corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.25, 0.25) for z in (-0.5, 0.5)]
        inside = [[0, 0.25, 0], [0.5, 0.25, 0], [0.125, 0, -0.25]]  # in a face, on an edge, within
        stone = self.call("collider.add", world=world, kind="convex", position=[0, 1, 0], friction=0.5,
                          points=sum(inside + corners, []))["collider"]
        body = self.add(world, "points", thickness=0.02, positions=[0, 1.5, 0, 0.4, 1.5, -0.4, 0.6, 1.5, 0])
        self.step(world, 120)
        at = self.positions(world, body)
        self.assertAlmostEqual(at[1], 1.27, delta=1e-4)
        self.assertAlmostEqual(at[4], 1.27, delta=1e-4)
        self.assertLess(at[7], 0)

        def told():
            return self.call("world.join", world=world)["colliders"][0]
        kept = told()
        self.assertEqual((kept["kind"], list(kept["points"])), ("convex", sum(corners, [])))
        self.assertEqual(len(list(kept["triangles"])), 3 * 12)
        saved = self.call("world.save", world=world)
        again = self.call("world.open", document=saved["document"], name="again")["world"]
        self.assertEqual(self.call("world.hash", world=again)["hash"], self.call("world.hash", world=world)["hash"])
        self.call("collider.set", world=world, collider=stone, points=sum(corners[1:], []))
        self.assertEqual(list(told()["points"]), sum(corners[1:], []))
        with self.assertRaisesRegex(WeftError, "^INVALID: points: lie in a plane"):
            self.call("collider.set", world=world, collider=stone, points=sum(corners[:4], []))

    def test_a_height_field_holds_particles_and_is_told_saved_and_changed(self):
        world = self.world(self.ann, damping=0.5)
        heights = [0, 0, 0, 0, 0.25, 0, 0, 0, -1 / 3]
        ground = self.call("collider.add", world=world, kind="height_field", position=[0, 1, 0], friction=0.9,
                           columns=3, heights=heights, spacing=0.5)["collider"]
        body = self.add(world, "points", thickness=0.02, positions=[-0.4, 1.5, 0.4, 0, 1.5, 0, 0.6, 1.5, 0])
        self.step(world, 120)
        at = self.positions(world, body)
        self.assertAlmostEqual(at[1], 1.02 + 0.05, delta=0.05)  # on the slope, or at its foot
        self.assertAlmostEqual(at[4], 1.27, delta=1e-4)  # on the peak
        self.assertLess(at[7], 0)  # beside it

        def told():
            return self.call("world.join", world=world)["colliders"][0]
        kept = told()
        self.assertEqual((kept["kind"], kept["columns"], kept["spacing"]), ("height_field", 3, 0.5))
        for given, held in zip(heights, list(kept["heights"])):
            self.assertAlmostEqual(given, held, delta=2 ** -25)
        self.assertEqual(list(kept["heights"])[:8], heights[:8])
        saved = self.call("world.save", world=world)
        again = self.call("world.open", document=saved["document"], name="hilly")["world"]
        self.assertEqual(self.call("world.hash", world=again)["hash"], self.call("world.hash", world=world)["hash"])
        before = self.call("world.hash", world=world)["hash"]
        self.call("collider.set", world=world, collider=ground, heights=[0.125] * 6, columns=2, spacing=1)
        changed = told()
        self.assertEqual((list(changed["heights"]), changed["columns"], changed["spacing"]), ([0.125] * 6, 2, 1))
        with self.assertRaisesRegex(WeftError, "^INVALID: 6 heights; must be 2 to 256 whole rows of 4"):
            self.call("collider.set", world=world, collider=ground, columns=4)
        self.call("collider.set", world=world, collider=ground, heights=list(kept["heights"]), columns=3, spacing=0.5)
        self.assertEqual(self.call("world.hash", world=world)["hash"], before)

    def test_an_incline_holds_below_mu_and_lets_slide_above(self):
        angle = 0.5
        normal = [math.sin(angle), math.cos(angle), 0.0]
        shapes = {"plane": {"kind": "plane", "normal": normal},
                  "turned plane": {"kind": "plane", "rotation": self.turned([0, 0, 1], -angle)},
                  "box": {"kind": "box", "position": [-c for c in normal], "half_extents": [20, 1, 1],
                          "rotation": self.turned([0, 0, 1], -angle)}}
        for name, shape in shapes.items():
            for mu in (math.tan(angle) * 1.05, math.tan(angle) * 0.5):
                world = self.world(self.ann, name=f"{name} {mu:.2f}")
                self.call("collider.add", world=world, friction=mu, **shape)
                body = self.add(world, "points", positions=[0.1 * c for c in normal], thickness=0.1)
                self.step(world, 60)
                slid = math.hypot(*(a - 0.1 * n for a, n in zip(self.positions(world, body), normal)))
                if mu > math.tan(angle):
                    self.assertLess(slid, 1e-5, name)
                else:
                    want = 0.5 * G * (math.sin(angle) - mu * math.cos(angle))
                    self.assertAlmostEqual(slid / want, 1, delta=0.01, msg=name)

    def test_a_moving_box_carries_a_cloth(self):
        world = self.world(self.ann, damping=0.2)
        box = self.call("collider.add", world=world, kind="box", half_extents=[1, 0.1, 1], friction=1.0)["collider"]
        positions, triangles = sheet(6, 6, 0.1, height=0.11, at=(-0.25, -0.25))
        body = self.add(world, "cloth", positions=positions, triangles=triangles, thickness=0.01)
        self.step(world, 10)
        before = self.positions(world, body)
        for tick in range(60):
            self.call("collider.set", world=world, collider=box, position=[0.01 * (tick + 1), 0, 0])
            self.step(world, 1)
        # Friction takes v^2 / (2 mu g) to bring it to the box's speed, and as much to stop it.
        lag = 0.6**2 / (2 * G)
        for a, b in zip(before[0::3], self.positions(world, body)[0::3]):
            self.assertAlmostEqual(b - a, 0.6 - lag, delta=0.002)
        self.step(world, 20)
        for a, b in zip(before[0::3], self.positions(world, body)[0::3]):
            self.assertAlmostEqual(b - a, 0.6, delta=0.002)
        # And turns with it, about its centre.
        before = self.positions(world, body)
        for tick in range(60):
            self.call("collider.set", world=world, collider=box,
                      rotation=self.turned([0, 1, 0], 0.005 * (tick + 1)))
            self.step(world, 1)
        after = self.positions(world, body)
        c, s = math.cos(0.3), math.sin(0.3)
        for i in range(0, len(after), 3):
            x, z = before[i] - 0.6, before[i + 2]
            self.assertAlmostEqual(after[i], 0.6 + c * x + s * z, delta=0.005)
            self.assertAlmostEqual(after[i + 2], -s * x + c * z, delta=0.005)

    def test_a_conveyor_carries_what_lies_on_it(self):
        world = self.world(self.ann)
        belt = self.call("collider.add", world=world, kind="box", name="belt", position=[0, -0.1, 0],
                         half_extents=[5, 0.1, 1], friction=0.5, surface_velocity=[1, 0, 0])["collider"]
        body = self.add(world, "points", positions=[0, 0.01, 0], masses=[0.1], thickness=0.01)
        self.step(world, 60)
        slips = 1 / (0.5 * G)  # s, until it goes as the belt does
        self.assertAlmostEqual(self.positions(world, body)[0], 1 - 0.5 * slips, delta=2e-3)
        told = next(one for one in self.call("world.join", world=world)["colliders"] if one["collider"] == belt)
        self.assertEqual((list(told["surface_velocity"]), list(told["surface_spin"])), ([1, 0, 0], [0, 0, 0]))
        # It stops, and an undo has it run again, whatever others made of its friction.
        runs = self.call("world.hash", world=world)["hash"]
        bob = self.peer()
        self.call("collider.set", world=world, collider="belt", surface_velocity=[0, 0, 0])
        self.assertNotEqual(self.call("world.hash", world=world)["hash"], runs)
        told = next(one for one in self.call("world.join", world=world)["colliders"] if one["collider"] == belt)
        self.assertNotIn("surface_velocity", told)
        bob.call("collider.set", world=world, collider="belt", friction=0.25)
        self.assertEqual(self.call("edit.undo", world=world)["undone"]["method"], "collider.set")
        self.assertNotEqual(self.call("world.hash", world=world)["hash"], runs)
        self.call("collider.set", world=world, collider="belt", friction=0.5)
        self.assertEqual(self.call("world.hash", world=world)["hash"], runs)
        # A document and a twin have it as well.
        self.call("collider.set", world=world, collider="belt", surface_spin=[0, 0.5, 0])
        document = self.call("world.save", world=world)["document"]
        again = self.call("world.open", name="belt again", document=document)["world"]
        for _ in range(2):
            self.assertEqual(*(self.call("world.hash", world=one)["hash"] for one in (world, again)))
            for one in (world, again):
                self.step(one, 20)
        for fields, field, text in (({"surface_velocity": [40, 40, 0]}, "surface_velocity", "50 m/s"),
                                    ({"surface_velocity": [math.nan, 0, 0]}, "surface_velocity", ""),
                                    ({"surface_spin": [0, 1001, 0]}, "surface_spin", "1000")):
            with self.assertRaises(WeftError) as caught:
                self.call("collider.set", world=world, collider="belt", **fields)
            self.assertIn(field, str(caught.exception))
            self.assertIn(text, str(caught.exception))

    def test_what_hits_a_collider_bounces(self):
        world = self.world(self.ann)
        self.call("collider.add", world=world, kind="plane", name="floor", restitution=0.5)
        body = self.add(world, "points", positions=[0, 1.01, 0], masses=[0.1], thickness=0.01)
        heights = []
        for _ in range(60):
            self.step(world, 1)
            heights.append(self.positions(world, body)[1] - 0.01)
        self.assertAlmostEqual(max(heights[30:]), 0.25, delta=0.02 * 0.25)

        def told():
            joined = self.call("world.join", world=world)
            return [things[0].get("restitution") for things in (joined["colliders"], joined["bodies"])]

        # Others change the friction, and undo takes back no more than its own.
        self.assertEqual(told(), [0.5, None])
        bob = self.peer()
        for method, thing in (("collider.set", {"collider": "floor"}), ("body.set", {"body": body})):
            before, hashed = told(), self.call("world.hash", world=world)["hash"]
            self.call(method, world=world, restitution=0.125, **thing)
            bob.call(method, world=world, friction=0.75, **thing)
            self.assertIn(0.125, told())
            self.call("edit.undo", world=world)
            self.assertEqual(told(), before)
            bob.call("edit.undo", world=world)
            self.assertEqual(self.call("world.hash", world=world)["hash"], hashed)
        self.call("body.set", world=world, body=body, restitution=0.25)
        self.assertEqual(self.call("body.get", world=world, body=body)["restitution"], 0.25)
        document = self.call("world.save", world=world)["document"]
        again = self.call("world.open", name="floor again", document=document)["world"]
        for _ in range(2):
            self.assertEqual(*(self.call("world.hash", world=one)["hash"] for one in (world, again)))
            for one in (world, again):
                self.step(one, 20)
        for method, thing in (("collider.set", {"collider": "floor"}), ("body.set", {"body": body})):
            for bad in (-0.1, 1.1, math.nan):
                with self.assertRaises(WeftError) as caught:
                    self.call(method, world=world, restitution=bad, **thing)
                self.assertIn("restitution", str(caught.exception))

    def test_what_slides_has_less_friction_than_what_holds(self):
        world = self.world(self.ann)
        self.call("collider.add", world=world, kind="plane", name="ramp", friction=0.5, friction_kinetic=0.3)
        body = self.add(world, "points", positions=[0, 0.01, 0], masses=[0.1], thickness=0.01)
        for tangent, slides in ((0.4, False), (0.7, True)):
            a = math.atan(tangent)
            self.call("world.set", world=world, gravity=[G * math.sin(a), -G * math.cos(a), 0])
            before = self.positions(world, body)[0]
            self.step(world, 60)
            way = 0.5 * G * (math.sin(a) - 0.3 * math.cos(a)) if slides else 0
            self.assertAlmostEqual(self.positions(world, body)[0] - before, way, delta=0.02 * way)

        def told():
            joined = self.call("world.join", world=world)
            kinetic = [things[0].get("friction_kinetic") for things in (joined["colliders"], joined["bodies"])]
            self.assertEqual(self.call("body.get", world=world, body=body).get("friction_kinetic"), kinetic[1])
            return kinetic

        # Others change the other friction, and undo takes back no more than its own.
        self.assertAlmostEqual(told()[0], 0.3, delta=1e-7)
        self.assertIsNone(told()[1])
        bob = self.peer()
        for method, thing in (("collider.set", {"collider": "ramp"}), ("body.set", {"body": body})):
            before, hashed = told(), self.call("world.hash", world=world)["hash"]
            self.call(method, world=world, friction_kinetic=0.125, **thing)
            bob.call(method, world=world, friction=0.75, **thing)
            self.assertIn(0.125, told())
            self.call("edit.undo", world=world)
            self.assertEqual(told(), before)
            bob.call("edit.undo", world=world)
            self.assertEqual(self.call("world.hash", world=world)["hash"], hashed)
        self.call("body.set", world=world, body=body, friction_kinetic=0.25, contact_group=1, contact_mask=1)
        document = self.call("world.save", world=world)["document"]
        again = self.call("world.open", name="ramp again", document=document)["world"]
        for _ in range(2):
            self.assertEqual(*(self.call("world.hash", world=one)["hash"] for one in (world, again)))
            for one in (world, again):
                self.step(one, 20)
        self.call("collider.set", world=world, collider="ramp", friction_kinetic=1000)
        self.assertEqual(told(), [None, 0.25])
        for method, thing in (("collider.set", {"collider": "ramp"}), ("body.set", {"body": body})):
            for bad in (-0.1, 1001, math.nan):
                with self.assertRaises(WeftError) as caught:
                    self.call(method, world=world, friction_kinetic=bad, **thing)
                self.assertIn("friction_kinetic", str(caught.exception))

    def test_what_a_document_says_of_colliders_is_what_was_given(self):
        world = self.world(self.ann)
        half = self.turned([0.6, 0, 0.8], 1.0)
        self.call("collider.add", world=world, kind="box", name="box", position=[1, 2, 3], half_extents=[1, 2, 3],
                  rotation=[2 * c for c in half])
        self.call("collider.add", world=world, kind="capsule", radius=0.5, length=0.75)
        self.call("collider.add", world=world, kind="plane", rotation=self.turned([1, 0, 0], math.pi / 2))
        box, capsule, plane = self.call("world.join", world=world)["colliders"]
        self.assertEqual((box["kind"], box["half_extents"], box["position"]), ("box", [1, 2, 3], [1, 2, 3]))
        for got, want in zip(box["rotation"], half):
            self.assertAlmostEqual(got, want, places=6)
        self.assertEqual((capsule["kind"], capsule["radius"], capsule["length"]), ("capsule", 0.5, 0.75))
        self.assertEqual(list(capsule["rotation"]), [0, 0, 0, 1])
        for got, want in zip(plane["normal"], (0, 0, 1)):
            self.assertAlmostEqual(got, want, places=6)


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
