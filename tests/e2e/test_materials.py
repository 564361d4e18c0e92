#!/usr/bin/env python3
"""How materials, meshes and constraints of all kinds are given, changed, refused, and told to others."""

import array

import msgpack

from weft_peer import ServerTest, WeftError, block, ext, ext_hook, kinds_of_constraints, main, numbers, sheet

# Those of rods belong to their bodies alone.
KINDS = {kind["name"]: kind["particles"] for kind in kinds_of_constraints() if not kind["name"].startswith("rod_")}
BETWEEN = {kind: size for kind, size in KINDS.items() if kind != "joint"}  # those that hold any particles
FLAT = [kind["name"] for kind in kinds_of_constraints() if kind["rest"] is None]
# Two triangles that meet, four corners of them apart in space: an edge and two wings.
WINGS = [0, 0, 0, 0, 0, 1, 1, 0, 0.5, -1, 0.2, 0.5]


def as_f32(value):
    """Lists of numbers, rounded to what an f32 holds."""
    if isinstance(value, msgpack.ExtType):
        return as_f32(ext_hook(value.code, value.data).tolist())
    if isinstance(value, list) and any(isinstance(entry, float) for entry in value):
        return array.array("f", value).tolist()
    return value


class Meshes(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer()
        self.w = self.world(self.ann)

    def add(self, **fields):
        return self.ann.call("body.add", world=self.w, **fields)

    def warned(self, made):
        return {warning["code"]: (warning["count"], numbers(warning["elements"], "I"))
                for warning in made["warnings"]}

    def test_a_mesh_coarser_than_a_collider_says_so_in_either_order(self):
        add = lambda kind, **fields: self.ann.call("collider.add", world=self.w, kind=kind, **fields)
        thin = {"half_extents": [1, 0.01, 0.01], "rotation": [0, 1, 0, 1]}
        self.assertEqual(add("box", name="bar", **thin)["warnings"], [])
        add("plane", position=[0, -1, 0])
        add("box", half_extents=[1, 0.01, 1])  # a plate
        add("capsule", radius=0.1)
        add("cylinder", radius=0.5, length=0.01)  # a coin
        wire = add("capsule", radius=0.004, length=1)["collider"]
        positions, triangles = sheet(9, 9, 0.05)
        cloth = {"kind": "cloth", "positions": positions, "triangles": triangles}
        made = self.add(name="net", **cloth)
        self.assertEqual(self.warned(made), {"COARSE": (2, [1, wire])})
        self.assertRegex(made["warnings"][0]["text"], r"^collider 1 \(bar\) is 0.02 m across; the edges of body 1 \(net\) "
                                                      r"measure 0.05\d* m")
        self.assertEqual(self.warned(self.add(thickness=0.02, **cloth)), {"COARSE": (1, [wire])})
        self.assertEqual(self.warned(self.add(kind="points", positions=[0, 3, 0, 1, 3, 0])), {})
        made = add("sphere", radius=0.02)
        self.assertEqual(self.warned(made), {"COARSE": (1, [1])})
        put = lambda **fields: self.ann.call("collider.set", world=self.w, collider=made["collider"], **fields)
        self.assertEqual(self.warned(put(radius=0.001)), {"COARSE": (2, [1, 2])})
        self.assertEqual(self.warned(put(position=[0, 1, 0])), {})
        self.assertEqual(self.warned(put(radius=0.3)), {})

    def test_a_mesh_that_is_where_another_one_is_says_so(self):
        positions, triangles = sheet(9, 9, 0.05)
        meets = {"contact_group": 1, "contact_mask": 1, "thickness": 0.005}
        cloth = {"kind": "cloth", "positions": positions, "triangles": triangles}
        self.assertEqual(self.warned(self.add(**cloth, **meets)), {})
        self.assertEqual(self.warned(self.add(**cloth)), {}, "it meets nothing")
        made = self.add(**cloth, **meets)
        self.assertEqual(self.warned(made), {"COPY": (81, list(range(16)))})
        self.assertRegex(made["warnings"][0]["text"], r"^81 particles are exactly where those of body 1 are, which it meets; ")
        moved = [place + (0.001 if at % 3 == 1 else 0) for at, place in enumerate(positions)]
        self.assertEqual(self.warned(self.add(**{**cloth, "positions": moved}, **meets)), {})

    def test_a_document_whose_mesh_is_coarser_than_a_collider_says_so(self):
        positions, triangles = sheet(9, 9, 0.05)
        net = {"kind": "cloth", "positions": positions, "triangles": triangles}
        bar = {"kind": "capsule", "radius": 0.01}
        bodies = [{**net, "name": "net"}, {**net, "thickness": 0.1}, net]
        made = self.ann.call("world.open", document={
            "bodies": bodies, "colliders": [{"kind": "plane"}, {**bar, "name": "bar"}, {"kind": "sphere"}, bar]})
        self.assertEqual([(warning["code"], warning["count"], numbers(warning["elements"], "I"))
                          for warning in made["warnings"]], [("COARSE", 2, [1, 3])] * 2)
        self.assertRegex(made["warnings"][0]["text"], r"^collider 2 \(bar\) is 0.02 m across; .* body 1 \(net\)")
        saved = self.ann.call("world.save", world=made["world"])["document"]
        again = self.ann.call("world.open", document=saved)
        self.assertEqual(again["warnings"], made["warnings"])
        self.assertEqual(self.ann.call("world.open", document={"bodies": bodies})["warnings"], [])

    def test_a_seam_is_welded_and_the_answer_says_how(self):
        made = self.add(kind="cloth", positions=[0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0.0005, 0, 0.0005, 1, 1, 0, 1],
                        triangles=[0, 1, 2, 3, 4, 5], weld=0.001, bend={}, pins=[4])
        self.assertEqual(numbers(made["welded"], "I"), [0, 1, 2, 1, 2, 3])
        self.assertEqual((made["particles"], made["warnings"]), (4, []))
        self.assertEqual(made["constraints"]["distance"]["count"], 5)
        self.assertEqual(made["constraints"]["quadratic"]["count"], 1)
        got = self.ann.call("body.get", world=self.w, body=made["body"])
        self.assertEqual(numbers(got["triangles"], "I"), [0, 1, 2, 1, 2, 3])
        self.assertEqual(numbers(got["pins"], "I"), [2])

    def test_an_unwelded_seam_is_warned_of_and_comes_open(self):
        made = self.add(kind="cloth", positions=[0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1],
                        triangles=[0, 1, 2, 3, 4, 5])
        self.assertNotIn("welded", made)
        self.assertEqual(self.warned(made), {"COINCIDENT": (2, [3, 4])})
        self.assertEqual(made["constraints"]["distance"]["count"], 6)

    def test_welding_may_collapse_elements(self):
        made = self.add(kind="cloth", positions=[0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0.1, 2, 0, 0],
                        triangles=[0, 1, 2, 1, 4, 3], weld=0.2)
        self.assertEqual(self.warned(made)["COLLAPSED"], (1, [1]))
        self.assertEqual(numbers(made["welded"], "I"), [0, 1, 2, 1, 3])
        self.assertEqual(self.warned(made)["ISOLATED"], (1, [3]))

    def test_each_trouble_of_a_mesh_is_named_with_its_elements(self):
        flat = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]
        cases = {
            "COINCIDENT": (dict(kind="points", positions=[0, 0, 0, 1, 0, 0, 0, 0, 0]), [2]),
            "ISOLATED": (dict(kind="cloth", positions=flat, triangles=[0, 1, 2]), [3]),
            "ZERO_LENGTH": (dict(kind="rope", positions=[0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0]), [1]),
            "ZERO_AREA": (dict(kind="cloth", positions=flat + [2, 0, 0], triangles=[0, 1, 2, 0, 1, 4]), [1]),
            "ZERO_VOLUME": (dict(kind="soft", positions=flat + [0, 1, 0], tets=[0, 2, 1, 4, 0, 1, 2, 3]), [1]),
            "INVERTED": (dict(kind="soft", positions=flat + [0, 1, 0], tets=[0, 2, 1, 4, 3, 2, 1, 4]), [1]),
            "DUPLICATE": (dict(kind="cloth", positions=flat, triangles=[0, 1, 2, 1, 3, 2, 2, 0, 1]), [2]),
            "NONMANIFOLD": (dict(kind="cloth", positions=flat + [0.5, 1, 0.5],
                                 triangles=[0, 1, 2, 1, 3, 2, 1, 2, 4]), [0]),
        }
        for code, (fields, elements) in cases.items():
            made = self.add(**fields)
            self.assertEqual(self.warned(made).get(code), (len(elements), elements), f"{code}: {made['warnings']}")
            for warning in made["warnings"]:
                self.assertTrue(warning["text"], code)

    def test_no_more_than_sixteen_elements_are_named_and_all_are_counted(self):
        made = self.add(kind="points", positions=[1, 2, 3] * 40)
        self.assertEqual(self.warned(made), {"COINCIDENT": (39, list(range(1, 17)))})

    def test_a_mesh_that_makes_no_sense_is_refused_with_its_element(self):
        flat = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]
        before = self.ann.call("world.hash", world=self.w)
        cases = [
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2, 1, 3, 4]), "triangles", "1"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2, 1, 3, 1]), "triangles", "1"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2, 3, 0, 1, 2, 2]), "tets", "1"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2, 9]), "tets", "0"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2]), "tets", "multiple of 4"),
            (dict(kind="soft", positions=flat), "tets", "missing"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2, 3], triangles=[0, 1, 2]), "triangles", "absent"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], tets=[0, 1, 2, 3]), "tets", "absent"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], volume={}), "volume", "soft"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2, 3], bend={}), "bend", "cloth"),
            (dict(kind="rope", positions=flat, bend={"model": "dihedral"}), "bend", "cloth"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], weld=2.0), "weld", "1"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], bend={"stiffness": 1.5}), "bend.stiffness", "1"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], bend={"model": "cubic"}), "bend.model",
             "quadratic"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], bend={"stiffness": 0.5, "compliance": 1.0}),
             "bend.stiffness", "absent"),
            (dict(kind="cloth", positions=flat, triangles=[0, 1, 2], stretch={"stiffness": 0.5, "compliance": 1.0}),
             "stretch.stiffness", "absent"),
            (dict(kind="soft", positions=flat, tets=[0, 1, 2, 3], volume={"compliance": -1.0}), "volume.compliance",
             "0"),
        ]
        for fields, field, text in cases:
            error = self.refused("INVALID", self.ann, "body.add", world=self.w, **fields)
            self.assertIn(field, error.text)
            self.assertIn(text, error.text)
        self.assertEqual(self.ann.call("world.hash", world=self.w), before)


class Constraints(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer()
        self.w = self.world(self.ann, gravity=[0, 0, 0], damping=1.0)

    def call(self, method, **fields):
        return self.ann.call(method, world=self.w, **fields)

    def listed(self, kind, **fields):
        page = self.call("constraint.list", type=kind, **fields)
        return {key: list(value) if key not in ("revision", "tick", "next", "forces_from") else value
                for key, value in page.items()}

    def test_every_kind_is_added_set_and_removed_between_bodies_while_the_world_plays(self):
        one = self.call("body.add", kind="points", positions=WINGS[:6])["body"]
        two = self.call("body.add", kind="points", positions=WINGS[6:] + [0, 1, 0])["body"]
        self.call("world.set", damping=500.0)  # however long it plays, they stay near each other
        self.call("world.play")
        for kind, size in BETWEEN.items():
            bodies = {3: [one, one, two], 4: [one, one, two, two]}.get(size, [one, two])
            particles = {3: [0, 1, 0], 4: [0, 1, 0, 1]}.get(size, [0, 0])
            if kind == "slide_rail":  # whose rail is of one body
                bodies, particles = [one, two, two], [0, 0, 1]
            ids = list(self.call("constraint.add", type=kind, bodies=bodies + bodies,
                                 particles=particles + particles, compliance=[0.5, 0.25])["constraints"])
            listed = self.listed(kind, forces=True)
            self.assertEqual((listed["constraints"], listed["compliance"]), (ids, [0.5, 0.25]))
            per = size // len(bodies)  # a side of a join has three, of which the others repeat the first
            self.assertEqual((listed["bodies"], listed["particles"]),
                             tuple([one for one in named * 2 for _ in range(per)] for named in (bodies, particles)))
            self.assertEqual((listed["damping"], listed["stiffness"], listed["next"]), ([0, 0], [-1, -1], 0))
            self.assertEqual(len(listed["forces"]), 2)
            if kind in FLAT:
                self.assertEqual(listed["rest"], [0, 0])
            else:
                self.assertNotEqual(listed["rest"][0], 0)
                self.call("constraint.set", constraints=ids, rest=[0.5, 0.75])
                self.assertEqual(self.listed(kind)["rest"], [0.5, 0.75])
            if kind != "neo_hookean":  # a solid has no plain stiffness
                self.call("constraint.set", constraints=[ids[1]], stiffness=0.5)
                listed = self.listed(kind)
                self.assertEqual((listed["stiffness"], listed["compliance"]), ([-1, 0.5], [0.5, 0]))
            self.call("constraint.set", constraints=[ids[1]], compliance=0.125, damping=[2.0])
            listed = self.listed(kind)
            self.assertEqual((listed["stiffness"], listed["compliance"], listed["damping"]),
                             ([-1, -1], [0.5, 0.125], [0, 2]))
            # A page at a time.
            page = self.listed(kind, limit=1)
            self.assertEqual((page["constraints"], page["next"]), (ids[:1], ids[0]))
            self.assertEqual(self.listed(kind, limit=1, after=page["next"])["constraints"], ids[1:])
            self.call("constraint.remove", constraints=ids[:1])
            self.assertEqual(self.listed(kind, body=two)["constraints"], ids[1:])
        self.assertEqual(self.call("world.get")["state"], "playing")
        gone = list(self.call("body.remove", body=two)["constraints"])
        self.assertEqual(len(gone), len(BETWEEN))
        for kind in BETWEEN:
            self.assertEqual(self.listed(kind)["constraints"], [])

    def test_constraints_of_a_body_are_listed_with_its_materials(self):
        positions, tets = block(1, 1, 1)
        soft = self.call("body.add", kind="soft", positions=positions, tets=tets, stretch={"stiffness": 0.75},
                         volume={"compliance": 0.5, "damping": 3.0})
        listed = self.listed("volume", body=soft["body"])
        self.assertEqual(listed["constraints"][0], soft["constraints"]["volume"]["first"])
        self.assertEqual(listed["particles"], tets)
        self.assertEqual((listed["compliance"], listed["damping"]), ([0.5] * 6, [3.0] * 6))
        for volume in listed["rest"]:
            self.assertAlmostEqual(volume, 0.001 / 6, places=8)
        self.assertEqual(set(self.listed("distance")["stiffness"]), {0.75})
        self.call("constraint.set", constraints=[listed["constraints"][2]], compliance=0.125)
        self.assertEqual(self.listed("volume")["compliance"], [0.5, 0.5, 0.125, 0.5, 0.5, 0.5])

    def test_a_part_of_a_material_is_changed_and_the_rest_stays(self):
        cloth = self.call("body.add", kind="cloth", positions=WINGS, triangles=[0, 1, 2, 1, 0, 3],
                          bend={"model": "quadratic", "compliance": 0.5, "damping": 2.0})["body"]
        positions, tets = block(1, 1, 1)
        soft = self.call("body.add", kind="soft", positions=positions, tets=tets,
                         volume={"compliance": 0.5, "damping": 2.0})["body"]
        for body, part, kind in ((cloth, "bend", "quadratic"), (soft, "volume", "volume")):
            model = {"model": "quadratic"} if part == "bend" else {}
            for change, want in (({"damping": 4.0}, {"compliance": 0.5, "damping": 4}),
                                 ({"compliance": 0.25}, {"compliance": 0.25, "damping": 4}),
                                 ({"stiffness": 0.5}, {"compliance": 0, "damping": 4, "stiffness": 0.5}),
                                 ({"compliance": 0.125, **model}, {"compliance": 0.125, "damping": 4})):
                self.call("body.set", body=body, **{part: change})
                self.assertEqual(self.call("body.get", body=body)[part], {**model, **want})
                self.assertEqual(set(self.listed(kind)["compliance"]), {want["compliance"]})
                self.assertEqual(set(self.listed(kind)["stiffness"]), {want.get("stiffness", -1)})
            summary = [entry for entry in self.call("world.join")["bodies"] if entry["body"] == body][0]
            self.assertEqual(summary[part], {**model, **want})

    def test_a_limit_of_stretch_stays_until_another_is_given(self):
        rope = self.call("body.add", kind="rope", positions=WINGS, stretch={"stiffness": 0.5, "limit": 0.25})["body"]
        stretch = lambda: self.call("body.get", body=rope)["stretch"]
        self.assertEqual(stretch(), {"compliance": 0, "damping": 0, "stiffness": 0.5, "limit": 0.25})
        for change, limit in (({"compliance": 0.5}, 0.25), ({"damping": 2.0}, 0.25), ({"limit": 10}, 10), ({"limit": 0}, None)):
            self.call("body.set", body=rope, stretch=change)
            summary = [entry for entry in self.call("world.join")["bodies"] if entry["body"] == rope][0]
            self.assertEqual((stretch().get("limit"), summary["stretch"].get("limit")), (limit, limit))
        self.assertEqual(stretch(), {"compliance": 0.5, "damping": 2})

    def test_refused_edits_leave_the_hash_as_it_was(self):
        points = self.call("body.add", kind="points", positions=WINGS)["body"]
        rope = self.call("body.add", kind="rope", positions=WINGS)["body"]
        cloth = self.call("body.add", kind="cloth", positions=WINGS, triangles=[0, 1, 2, 1, 0, 3],
                          bend={"model": "dihedral"})["body"]
        box = self.call("collider.add", kind="box")["collider"]
        plane = self.call("collider.add", kind="plane", position=[0, -9, 0])["collider"]
        quad = list(self.call("constraint.add", type="quadratic", body=points, particles=[0, 1, 2, 3])["constraints"])
        many = list(self.call("constraint.add", type="volume", body=points, particles=[0, 1, 2, 3] * 2)["constraints"])
        add = {"type": "dihedral", "body": points, "particles": [0, 1, 2, 3]}
        self.ann.call("session.hello", errors="map")
        before = self.call("world.hash")
        cases = [
            ("body.set", dict(body=rope, bend={"compliance": 1.0}), "bend"),
            ("body.set", dict(body=cloth, volume={"compliance": 1.0}), "volume"),
            ("body.set", dict(body=cloth, thickness=0.5, bend={"model": "quadratic"}), "bend.model"),
            ("body.set", dict(body=cloth, stretch={"compliance": 1.0}, bend={"compliance": 1.0, "stiffness": 0.5}),
             "bend.stiffness"),
            ("body.set", dict(body=cloth, bend={"stiffness": -0.5}), "bend.stiffness"),
            ("body.set", dict(body=cloth, stretch={"limit": -0.1}), "stretch.limit"),
            ("body.set", dict(body=cloth, stretch={"limit": 11}), "stretch.limit"),
            ("body.set", dict(body=cloth, bend={"limit": 0.1}), "bend.limit"),
            ("constraint.add", dict(add, type="quadratic", rest=0.5), "rest"),
            ("constraint.add", dict(add, type="isometric", rest=0.5), "rest"),
            ("constraint.add", dict(add, stiffness=0.5, compliance=1.0), "stiffness"),
            ("constraint.add", dict(add, particles=[0, 1, 2]), "particles"),
            ("constraint.add", dict(add, particles=[0, 1, 2, 2]), "particles"),
            ("constraint.add", dict(add, particles=[0, 1, 2, 4]), "particles"),
            ("constraint.add", dict(add, particles=[0, 1, 2, 3] * 2, rest=[0.1, 0.2, 0.3]), "rest"),
            ("constraint.add", dict(add, stiffness=[0.1, 0.2]), "stiffness"),
            ("constraint.add", dict(type="volume", bodies=[points] * 3, particles=[0, 1, 2, 3]), "bodies"),
            ("constraint.add", dict(add, type="bending"), "type"),
            ("constraint.set", dict(constraints=quad, rest=0.5), "rest"),
            ("constraint.set", dict(constraints=many + quad, rest=[0.5, 0.5, 0.5]), "rest"),
            ("constraint.set", dict(constraints=many, stiffness=0.5, damping=1.0), "stiffness"),
            ("constraint.set", dict(constraints=many, stiffness=1.5), "stiffness"),
            ("collider.add", dict(kind="plane", normal=[0, 1, 0], rotation=[0, 0, 0, 1]), "normal"),
            ("collider.add", dict(kind="box", half_extents=[1, 0, 1]), "half_extents"),
            ("collider.add", dict(kind="box", rotation=[0, 0, 0, 0]), "rotation"),
            ("collider.add", dict(kind="capsule", length=-1.0), "length"),
            ("collider.add", dict(kind="cylinder", length=0.0), "length"),
            ("collider.add", dict(kind="convex"), "points"),
            ("collider.add", dict(kind="convex", points=[0, 0, 0, 1]), "points"),
            ("collider.add", dict(kind="convex", points=[0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]), "points"),
            ("collider.add", dict(kind="height_field"), "columns"),
            ("collider.add", dict(kind="height_field", columns=2), "heights"),
            ("collider.add", dict(kind="height_field", columns=2, heights=[0, 0, 1]), "heights"),
            ("collider.add", dict(kind="height_field", columns=257, heights=[0] * 514), "columns"),
            ("collider.add", dict(kind="height_field", columns=2, heights=[0] * 4, spacing=0), "spacing"),
            ("collider.add", dict(kind="box", rotation=[0, 0, 1]), "rotation"),
            ("collider.set", dict(collider=plane, normal=[0, 1, 0], rotation=[0, 0, 0, 1]), "normal"),
            ("collider.set", dict(collider=box, rotation=[0, 0, 0, 0]), "rotation"),
            ("world.set", dict(wind={"velocity": [0, 0, 301]}), "wind.velocity"),
            ("world.set", dict(substeps=3, wind={"drag": -1.0}), "wind.drag"),
            ("world.set", dict(wind={"gusts": -1.0}), "wind.gusts"),
            ("world.set", dict(wind={"gusts": 1.0, "gust_length": 0.0}), "wind.gust_length"),
            ("force.add", dict(field={"kind": "drag", "strength": -1.0}), "field.strength"),
            ("world.set", dict(wind={"speed": 1.0}), "wind.speed"),
            ("world.set", dict(substeps=3, long_edges=1), "long_edges"),
            ("world.set", dict(substeps=3, bending="solve"), "bending"),
        ]
        for method, fields, field in cases:
            with self.subTest(method=method, fields=fields):
                error = self.refused("INVALID", self.ann, method, world=self.w, **fields)
                self.assertEqual(error.field, field, error.text)
            self.assertEqual(self.call("world.hash"), before, f"{method} {fields}")


class Replay(ServerTest):
    """What others are told of an edit is enough to make it again: the same state, to the last bit."""

    def script(self, call):
        """Every edit method, each with as many of its fields as there are."""
        sheet_at, triangles = sheet(4, 4, 0.1, height=1.0)
        block_at, tets = block(1, 1, 1, 0.2, at=(1, 0.5, 0))
        call("world.set", gravity=[0.5, -9.0, 0], substeps=12, iterations=2, damping=0.125, extent=1000.0,
             contact_quality="fast", untangle=True, long_edges=True, bending="solved", sleep=True)
        call("world.set", wind={"velocity": [3, 0, 1]})
        call("world.set", wind={"lift": 0.5})
        call("world.set", wind={"gusts": 1.5, "gust_length": 2.0, "gust_seed": 9})
        call("collider.add", kind="plane", name="floor", normal=[0.1, 2, 0], friction=0.25)
        call("collider.add", kind="plane", position=[0, -1, 0], rotation=[0.1, 0, 0, 2])
        call("collider.add", kind="sphere", name="ball", position=[0.2, 0.3, 0.2], radius=0.25)
        call("collider.add", kind="capsule", position=[1, 0.2, 0], radius=0.1, length=0.5, rotation=[0, 0, 1, 1])
        call("collider.add", kind="box", name="box", position=[0, -0.1, 0], half_extents=[0.5, 0.1, 0.5])
        for number, bend in enumerate(({}, {"model": "isometric", "compliance": 0.5},
                                       {"model": "dihedral", "stiffness": 0.25}, {"model": "none"}, None)):
            call("body.add", name=f"sheet {number}", kind="cloth", positions=ext("d", sheet_at), triangles=triangles,
                 stretch={"compliance": 1e-5, "damping": 2.0}, pins=[0, 3], thickness=0.01, contact_mask=number,
                 **({} if bend is None else {"bend": bend}))
        call("body.add", name="soft", kind="soft", positions=block_at, tets=tets, density=300.0,
             stretch={"stiffness": 0.75}, volume={"compliance": 1e-7, "damping": 5.0})
        call("body.add", name="plain soft", kind="soft", positions=[x + 0.5 for x in block_at], tets=tets,
             volume={"stiffness": 0.5})
        call("body.add", name="rope", kind="rope", positions=[0, 2, 0, 0.5, 2, 0, 1, 2, 0], masses=[0.1, 0.2, 0.3],
             velocities=[0, 0, 1, 0, 1, 0, 0, 0, 0], stretch={"stiffness": 1.0, "limit": 0.25})
        call("body.add", name="welded", kind="cloth", weld=0.001, masses=0.1,
             positions=[0, 3, 0, 1, 3, 0, 0, 3, 1, 1, 3, 0, 0, 3, 1, 1, 3, 1], triangles=[0, 1, 2, 3, 4, 5])
        call("body.add", name="points", kind="points", positions=[0, 3, 0, 1, 3, 0, 0, 4, 0, 0, 3, 1, 2, 2, 2])
        call("body.add", name="welded sheet", kind="cloth", weld=0.001, masses=0.1, bend={"rigidity": 1e-5},
             positions=[0, 3, 0, 1, 3, 0, 0, 3, 1, 1, 3, 0, 0, 3, 1, 1, 3, 1], triangles=[0, 1, 2, 3, 4, 5])
        call("body.add", name="gel", kind="soft", positions=[x + 3 for x in block_at], tets=tets,
             solid={"model": "neo_hookean", "young": 5e4, "poisson": 0.25, "damping": 10.0})
        call("body.set", body="gel", solid={"poisson": 0.375})
        for kind, size in KINDS.items():
            size = 2 if size == 6 else size  # joins of a point to a point
            if kind == "neo_hookean":  # bending has made the points flat, and a solid has no plain stiffness
                call("constraint.add", type=kind, body="gel", particles=[0, 1, 2, 4], compliance=0.001)
                continue
            if kind == "joint":  # only rigid pieces have joints
                piece = call("body.add", name="piece", kind="rigid", positions=[0, 6, 0],
                             rigid={"form": "sphere", "radius": 0.1})["body"]
                call("constraint.add", type=kind, joint="hinge", body=piece, particles=[0], sides=[1, 0],
                     anchors=[0, 6.5, 0] * 2, limits=[-0.5, 1.0], compliance=0.001)
                continue
            call("constraint.add", type=kind, body="points", particles=[0, 1, 2, 3][:size], compliance=0.001)
            bodies, particles = [1, 10, 8, 6][:size], [5, 4, 1, 2][:size]
            if kind == "slide_rail":  # whose rail is of one body
                bodies, particles = [1, 8, 8], [5, 0, 1]
            call("constraint.add", type=kind, bodies=bodies, particles=particles, stiffness=[0.0001])
        added = call("constraint.add", type="dihedral", body="points", particles=[0, 1, 2, 3] * 2, rest=[0.5, 1.0],
                     damping=2.0, compliance=[0.1, 0.2])["constraints"]
        call("constraint.set", constraints=list(added), rest=0.25, stiffness=0.5)
        call("constraint.set", constraints=[added[0]], compliance=0.5, damping=1.0)
        call("constraint.set", constraints=[2, 3], rest=[0.125, 0.25])
        call("constraint.remove", constraints=[5, added[1]])
        call("particle.set", body="points", particles=[4, 1], positions=ext("f", [2, 1, 2, 1, 3.5, 0]),
             velocities=[1, 0, 0, 0, 1, 0], inverse_masses=25.0)
        call("particle.set", body="points", particles=[2], inverse_masses=[0])
        call("particle.pin", body="rope", particles=[0, 2], positions=[0, 2.1, 0, 1, 2.1, 0])
        call("particle.pin", body="sheet 1", particles=[9])
        call("particle.unpin", body="sheet 0", particles=[3])
        call("body.set", body="sheet 0", name="renamed", bend={"compliance": 0.25, "damping": 0.0005}, thickness=0.02)
        call("body.set", body="sheet 1", self_contact=True, contact_group=2, friction=0.125)
        call("body.set", body="sheet 2", bend={"compliance": 0.25, "model": "dihedral"})
        call("body.set", body="welded sheet", bend={"rigidity": 2e-5})
        call("body.set", body="soft", stretch={"compliance": 1e-6}, volume={"damping": 7.0})
        call("body.set", body="plain soft", volume={"compliance": 1e-8})
        call("body.set", body="sheet 3", stretch={"limit": 0.125})
        call("body.set", body="rope", stretch={"limit": 0}, gravity=[0, -1.5, 0])
        call("body.set", body="sheet 3", wind={"drag": 1.5, "lift": 0.25})
        for kind in ("point", "vortex", "drag", "wind", "fan"):
            call("force.add", field={"kind": kind, "position": [1, 2, 0], "axis": [0, 0, 2], "strength": 0.5,
                                     "distance": 2, "falloff": "inverse", "core": 0.125, "velocity": [0.5, 0, 0],
                                     "width": 0.25, "radius": 4, "half_extents": [3, 3, 3], "margin": 0.5, "bodies": [8, 10]})
        call("force.set", force=2, field={"strength": -0.25, "bodies": []})
        call("force.remove", force=1)
        call("body.force", body="rope", force=[0, 0.0625, 0], seconds=0.5)
        call("body.force", body="points", particles=[4, 0], forces=ext("d", [0.25, 0, 0, 0, 0.125, 0]))
        call("collider.set", collider="floor", normal=[0.2, 1, 0], friction=0.5)
        call("collider.set", collider="ball", position=[0.25, 0.3, 0.2], radius=0.2, name="marble")
        call("collider.set", collider="box", rotation=[0, 0.05, 0, 1], half_extents=[0.5, 0.125, 0.5])
        call("collider.set", collider=4, length=0.25, position=[1, 0.25, 0])
        call("motion.add", collider=4, times=[0, 0.1, 0.25], offsets=[0, 0, 0, 0.25, 0.5, 0, 0, 0, 0], loop=True)
        call("motion.add", body="rope", particles=[2, 0], times=[0.03125], offsets=[0.5, 0, 0])
        call("motion.add", body="sheet 1", particles=[9], times=[0, 0.5], offsets=[0, 0, 0, 0.25, 0, 0.25])
        call("world.reset")
        call("motion.remove", motion=2)
        call("collider.remove", collider=2)
        call("body.remove", body="sheet 4")
        call("body.remove", body=9)
        call("edit.restore", removed={"motions": [1]}, settings={"damping": 0.25}, parts=[{"body": 1, "thickness": 0.03125}],
             particles=[{"body": 1, "particles": [3, 5], "pinned": True,
                         "state": {"positions": [0.5, 1, 0, 0.25, 1, 0.5], "velocities": [0, 0, 0, 0, 0, 0]}}])
        call("edit.batch", edits=[["world.set", {"damping": 0.5}], ["body.set", {"body": "rope", "thickness": 0.0625}]])
        call("edit.undo")
        call("edit.redo")

    def test_edits_as_they_are_told_make_the_same_world(self):
        for arrays in ("ext", "bin", "plain"):
            with self.subTest(arrays=arrays):
                ann, bob = self.peer(), self.peer(hello={"user": "bob", "arrays": arrays})
                first = self.world(ann, name=f"first {arrays}")
                second = self.world(ann, name=f"second {arrays}")
                bob.call("world.join", world=first)
                methods = set()

                def both(method, **fields):
                    if arrays == "bin":  # which gives numbers of either size as f32
                        fields = {key: as_f32(value) for key, value in fields.items()}
                    result = ann.call(method, world=first, **fields)
                    edit = bob.notice("world.edited")
                    self.assertEqual((edit["method"], edit["omitted"]), (method, []))
                    self.assertEqual(edit["params"].pop("world"), first)
                    try:
                        if method in ("edit.undo", "edit.redo"):  # whose own edits these are is the other world's affair
                            for step in edit["params"]["back"]["steps"]:
                                bob.call("edit.restore", world=second, **step)
                        else:
                            again = bob.call(method, world=second, **edit["params"])
                            again.pop("tick"), edit["result"].pop("tick")
                            self.assertEqual(again, edit["result"])
                    except WeftError as error:
                        self.fail(f"{method} {edit['params']}: {error}")
                    ann.call("world.step", world=first, ticks=1)
                    ann.call("world.step", world=second, ticks=1)
                    self.assertEqual(ann.call("world.hash", world=second)["hash"],
                                     ann.call("world.hash", world=first)["hash"], f"{method} {edit['params']}")
                    methods.add(method)
                    return result

                self.script(both)
                edits = {entry["name"] for entry in ann.call("server.info")["methods"] if entry["class"] == "edit"}
                self.assertEqual(methods, edits)
                for world in (first, second):
                    ann.call("world.step", world=world, ticks=5)
                self.assertEqual(ann.call("world.hash", world=second)["hash"],
                                 ann.call("world.hash", world=first)["hash"])


if __name__ == "__main__":
    main()
