#!/usr/bin/env python3
"""What wind and colliders do, seen from outside: each case has an answer on paper."""

import math

from test_physics import G, Physics
from weft_peer import WeftError, block, main, sheet


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


if __name__ == "__main__":
    main()
