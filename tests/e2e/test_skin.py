#!/usr/bin/env python3
"""Skins: a surface that goes along with a body, in body.get, body.state and streams."""

import math
import struct
import unittest

from weft_peer import ServerTest, WeftError, block, ext, numbers

# A tetrahedron and, on it, a vertex for each corner, one in its middle, and one outside of it.
CORNERS = [0.0, 2, 0, 1, 2, 0, 0, 3, 0, 0, 2, 1]
TETS = [0, 1, 2, 3]
WEIGHTS = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25, 0.25, 0.25, 0.25, -0.5, 0.5, 0.75, 0.25]
SKIN = {"particles": [0, 1, 2, 3] * 6, "weights": WEIGHTS, "triangles": [0, 2, 1, 0, 1, 3, 4, 5, 0]}


def carried(positions, skin):
    """What the vertices of a skin should be, in Python's doubles."""
    out = []
    for v in range(len(skin["particles"]) // 4):
        corners, weights = skin["particles"][4 * v:4 * v + 4], list(skin["weights"][4 * v:4 * v + 4])
        weights[3] = 1 - sum(weights[:3])
        out += [math.fsum(w * positions[3 * c + axis] for w, c in zip(weights, corners)) for axis in range(3)]
    return out


class Skin(ServerTest):
    def setUp(self):
        super().setUp()
        self.editor = self.peer(hello={"errors": "map"})
        self.at = self.world(self.editor)

    def add(self, skin=SKIN, **fields):
        return self.editor.call("body.add", world=self.at, kind="soft", positions=CORNERS, tets=TETS,
                                        skin=skin, **fields)

    def close(self, got, expected, tolerance=1e-6):
        self.assertEqual(len(got), len(expected))
        for a, b in zip(got, expected):
            self.assertLessEqual(abs(a - b), tolerance)

    def test_body_get_gives_back_what_was_given(self):
        body = self.add()["body"]
        skin = self.editor.call("body.get", world=self.at, body=body)["skin"]
        self.assertEqual(list(skin["particles"]), SKIN["particles"])
        self.assertEqual(list(skin["weights"]), SKIN["weights"])
        self.assertEqual(list(skin["triangles"]), SKIN["triangles"])
        plain = self.editor.call("body.add", world=self.at, kind="points", positions=[0, 0, 0])["body"]
        self.assertNotIn("skin", self.editor.call("body.get", world=self.at, body=plain))
        bodies = {b["body"]: b for b in self.editor.call("world.join", world=self.at)["bodies"]}
        self.assertEqual((bodies[body]["skin"], bodies[plain]["skin"]), (6, 0))

    def test_a_skin_is_where_its_particles_are(self):
        body = self.add()["body"]
        self.editor.call("world.step", world=self.at, ticks=10)
        state = self.editor.call("body.state", world=self.at, body=body, fields=["positions64", "skin"])
        self.close(state["skin"], carried(state["positions64"], SKIN))
        self.assertLess(state["skin"][1], 2)

    def test_far_from_the_origin_nothing_is_lost_but_float(self):
        far = [c + (1000.0 if i % 3 == 0 else 0) for i, c in enumerate(CORNERS)]
        third = [1 / 3, 1 / 3, 1 / 3, 0]
        skin = {"particles": [0, 1, 2, 3], "weights": third, "triangles": []}
        body = self.editor.call("body.add", world=self.at, kind="soft", positions=far, tets=TETS, skin=skin)["body"]
        state = self.editor.call("body.state", world=self.at, body=body, fields=["skin"])
        exact = 1000 + 1 / 3
        self.assertEqual(state["skin"][0], struct.unpack("f", struct.pack("f", exact))[0])

    def test_a_skin_is_no_state(self):
        hashes = []
        for skin in (None, SKIN):
            world = self.world(self.editor, name=f"skin-{len(hashes)}")
            self.editor.call("body.add", world=world, kind="soft", positions=CORNERS, tets=TETS,
                           **({"skin": skin} if skin else {}))
            self.editor.call("world.step", world=world, ticks=20)
            hashes.append(self.editor.call("world.hash", world=world)["hash"])
        self.assertEqual(hashes[0], hashes[1])

    def test_streams_carry_it_in_every_encoding(self):
        body = self.add()["body"]
        for arrays in ("ext", "bin", "plain"):
            peer = self.peer()
            peer.call("session.hello", arrays=arrays)
            stream = peer.call("stream.subscribe", world=self.at, fields=["positions", "skin"])["stream"]
            chunks = peer.frame(stream).params["bodies"]
            self.assertEqual([("skin" in chunk, chunk["body"], chunk["first"], chunk["count"]) for chunk in chunks],
                             [(False, body, 0, 4), (True, body, 0, 6)])
            self.assertNotIn("positions", chunks[1])
            self.close(numbers(chunks[1]["skin"]), carried(CORNERS, SKIN))

    def test_streams_of_skins_alone_leave_other_bodies_out(self):
        body = self.add()["body"]
        self.editor.call("body.add", world=self.at, kind="points", positions=[0, 0, 0])
        stream = self.editor.call("stream.subscribe", world=self.at, fields=["skin"])["stream"]
        self.assertEqual([c["body"] for c in self.editor.frame(stream).params["bodies"]], [body])
        self.editor.call("stream.set", stream=stream, fields=["positions"])
        frame = self.editor.frame(stream, found=lambda p: any("positions" in c for c in p["bodies"])).params
        self.assertEqual(len(frame["bodies"]), 2)
        self.assertFalse(any("skin" in c for c in frame["bodies"]))

    def test_a_large_skin_comes_in_ranges_and_moves_with_substeps(self):
        positions, tets = block(6, 6, 6, at=(0, 5, 0))
        count = 30000
        particles, weights = [], []
        for v in range(count):
            t = v * 7 % (len(tets) // 4)
            particles += tets[4 * t:4 * t + 4]
            weights += [0.1, 0.2, 0.3, 0.4]
        skin = {"particles": ext("I", particles), "weights": ext("f", weights), "triangles": ext("I", [0, 1, 2])}
        body = self.editor.call("body.add", world=self.at, kind="soft", positions=positions, tets=tets, skin=skin,
                              pins=[0])["body"]
        given = {"particles": particles, "weights": weights}
        stream = self.editor.call("stream.subscribe", world=self.at, bodies=[body], unit="substep", every=10,
                                fields=["positions64", "skin"], mode="lossless", credit=4 << 20)["stream"]
        self.editor.call("world.step", world=self.at, ticks=2)
        moments = 0
        whole = None
        while moments < 4:
            frame = self.editor.frame(stream).params
            self.assertGreater(frame["parts"], 1)
            whole = {"positions64": [], "skin": []} if frame["part"] == 0 else whole
            for chunk in frame["bodies"]:
                name = "skin" if "skin" in chunk else "positions64"
                self.assertEqual(chunk["first"] * 3, len(whole[name]))
                whole[name] += chunk[name]
            if frame["part"] + 1 == frame["parts"]:
                self.assertEqual(len(whole["skin"]), 3 * count)
                expected = carried(whole["positions64"], given)
                self.close(whole["skin"], expected, 1e-5)
                moments += 1

    def test_welding_moves_the_particles_of_the_skin(self):
        twice = CORNERS + CORNERS[:3]
        skin = {"particles": [4, 1, 2, 3], "weights": [1, 0, 0, 0], "triangles": []}
        body = self.editor.call("body.add", world=self.at, kind="soft", positions=twice, tets=TETS, skin=skin,
                              weld=0)["body"]
        got = self.editor.call("body.get", world=self.at, body=body)
        self.assertEqual((got["particles"], list(got["skin"]["particles"])), (4, [0, 1, 2, 3]))

    def test_what_was_saved_carries_it_again(self):
        body = self.add(name="blob")["body"]
        self.editor.call("body.add", world=self.at, kind="points", positions=[0, 0, 0])
        self.editor.call("world.step", world=self.at, ticks=20)
        before = self.editor.call("body.get", world=self.at, body=body)["skin"]
        where = self.editor.call("body.state", world=self.at, body=body, fields=["skin"])["skin"]
        for arrays in ("ext", "bin", "plain"):
            peer = self.peer(hello={"arrays": arrays})
            saved = peer.call("world.save", world=self.at)
            again = peer.call("world.open", name=f"again-{arrays}", document=saved["document"])["world"]
            self.addCleanup(self._delete, again)
            self.assertEqual(self.editor.call("world.hash", world=again)["hash"], saved["hash"])
            after = self.editor.call("body.get", world=again, body="blob")["skin"]
            self.assertEqual({name: list(after[name]) for name in after}, {name: list(before[name]) for name in before})
            state = self.editor.call("body.state", world=again, body="blob", fields=["skin"])
            self.assertEqual(list(state["skin"]), list(where))
            bodies = self.editor.call("world.join", world=again)["bodies"]
            self.assertEqual([one["skin"] for one in bodies], [6, 0])

    def test_documents_with_ill_skins_are_refused(self):
        def opened(*skins):
            bodies = [{"kind": "soft", "positions": CORNERS, "tets": TETS, "skin": skin} for skin in skins]
            with self.assertRaises(WeftError) as caught:
                self.editor.call("world.open", name="ill", document={"bodies": bodies})
            return caught.exception.code, caught.exception.field

        self.assertEqual(opened(SKIN, {**SKIN, "particles": [0, 1, 2, 4] * 6}),
                         ("INVALID", "document.bodies[1].skin.particles"))
        self.assertEqual(opened({**SKIN, "weights": [0.5] * 24}), ("INVALID", "document.bodies[0].skin.weights"))
        self.assertEqual(opened({**SKIN, "colour": 1}), ("INVALID", "document.bodies[0].skin.colour"))

    def test_a_document_with_weld_has_the_particles_that_are_left(self):
        twice = CORNERS + CORNERS[:3]
        skin = {"particles": [4, 1, 2, 3], "weights": [1, 0, 0, 0], "triangles": []}
        world = self.editor.call("world.open", name="welded", document={"bodies": [
            {"kind": "soft", "positions": twice, "tets": TETS, "weld": 0, "skin": skin}]})["world"]
        self.addCleanup(self._delete, world)
        got = self.editor.call("body.get", world=world, body=1)
        self.assertEqual((got["particles"], list(got["skin"]["particles"])), (4, [0, 1, 2, 3]))
        state = self.editor.call("body.state", world=world, body=1, fields=["positions64", "skin"])
        self.assertEqual((len(state["positions64"]), list(state["skin"])), (12, [0, 2, 0]))
        stream = self.editor.call("stream.subscribe", world=world, fields=["positions"])["stream"]
        self.assertEqual([chunk["count"] for chunk in self.editor.frame(stream).params["bodies"]], [4])
        with self.assertRaises(WeftError) as caught:
            self.editor.call("grab.begin", world=world, body=1, particle=4)
        self.assertEqual(caught.exception.code, "INVALID")

    def test_a_removed_body_takes_its_skin_along(self):
        body = self.add()["body"]
        stream = self.editor.call("stream.subscribe", world=self.at, fields=["skin"])["stream"]
        self.editor.frame(stream)
        self.editor.call("body.remove", world=self.at, body=body)
        self.assertEqual(self.editor.frame(stream).params["bodies"], [])

    def test_ill_skins_are_refused_and_change_nothing(self):
        cases = [
            ("skin.particles", {**SKIN, "particles": [0, 1, 2, 4] * 6}),
            ("skin.particles", {**SKIN, "particles": [0, 1, 2]}),
            ("skin.particles", {**SKIN, "particles": [], "weights": []}),
            ("skin.weights", {**SKIN, "weights": WEIGHTS[:-4]}),
            ("skin.weights", {**SKIN, "weights": [0.5] * 24}),
            ("skin.weights", {**SKIN, "weights": [1e9, -1e9, 1, 0] * 6}),
            ("skin.weights", {**SKIN, "weights": [float("nan"), 0, 0, 1] * 6}),
            ("skin.triangles", {**SKIN, "triangles": [0, 1, 6]}),
            ("skin.triangles", {**SKIN, "triangles": [0, 1]}),
            ("skin.triangles", {"particles": SKIN["particles"], "weights": WEIGHTS}),
            ("skin.colour", {**SKIN, "colour": 1}),
            ("skin", 5),
        ]
        for field, skin in cases:
            with self.assertRaises(WeftError, msg=f"{field} {skin}") as caught:
                self.add(skin)
            self.assertEqual((caught.exception.code, caught.exception.field), ("INVALID", field), caught.exception)
        self.assertEqual(self.editor.call("world.get", world=self.at)["revision"], 0)

    def test_the_edit_is_told_with_large_arrays_left_out(self):
        other = self.peer()
        other.call("world.join", world=self.at)
        large = {"particles": ext("I", [0, 1, 2, 3] * 2000), "weights": ext("f", [0.25] * 8000), "triangles": [0, 1, 2]}
        self.add(large)
        edit = other.notice("world.edited")
        self.assertEqual(sorted(edit["omitted"]), ["skin.particles", "skin.weights"])
        self.assertEqual(list(edit["params"]["skin"]["triangles"]), [0, 1, 2])


if __name__ == "__main__":
    unittest.main()
