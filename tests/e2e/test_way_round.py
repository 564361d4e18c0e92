#!/usr/bin/env python3
"""The way round: a document is made, moved and read over a bare socket, with every encoding of arrays."""

import array
import math
import struct

from weft_peer import ServerTest, WeftError, ext, main, numbers, sheet

GRAVITY = 9.81


def fall(height, substeps_done, h):
    """Height of a particle in free fall after so many substeps (velocity first, then position)."""
    return height - GRAVITY * h * h * substeps_done * (substeps_done + 1) / 2


class WayRound(ServerTest):
    def test_the_server_says_who_it_is_and_lists_what_it_answers(self):
        peer = self.peer()
        info = peer.call("server.info")
        self.assertEqual(info["name"], "weft")
        self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
        self.assertGreaterEqual(info["api_level"], info["api_compatible"])
        names = [method["name"] for method in info["methods"]]
        self.assertEqual(len(names), len(set(names)))
        for method in info["methods"]:
            self.assertLessEqual({"name", "since", "class", "role", "params", "result"}, set(method))
            # Whatever is listed is answered: with a result, or with an error that is not "no such method".
            if method["class"] != "control":
                try:
                    asker = self.peer() if method["name"] == "session.leave" else peer
                    asker.call(method["name"])
                except WeftError as error:
                    of_tokens = method["name"].startswith(("token.", "access."))  # which this server does not ask for
                    self.assertIn(error.code, ("INVALID", "CONFLICT") if of_tokens else ("INVALID",), method["name"])
        codes = {error["code"]: error["kind"] for error in info["errors"]}
        self.assertEqual(codes["INVALID"], 1)
        self.assertEqual(codes["INTERNAL"], 0)
        self.assertGreater(info["limits"]["message_bytes"], 1 << 20)
        self.assertIn("stream.frame", [notice["name"] for notice in info["notifications"]])
        for world in peer.call("world.list")["worlds"]:
            peer.call("world.delete", world=world["world"])

    def test_params_may_be_empty_or_one_map(self):
        peer = self.peer()
        for params in ([], [{}]):
            self.assertIn("time_us", peer.answer(peer.request("server.ping", params=params)))
        for params in ({}, None, [1], [{}, {}], "x", [[]]):
            with self.assertRaises(WeftError) as caught:
                peer.answer(peer.request("server.ping", params=params) if params is not None
                            else self.request_nil(peer))
            self.assertEqual(caught.exception.code, "INVALID")

    def request_nil(self, peer):
        peer.next_id += 1
        peer.send_raw(b"\x94\x00" + bytes([peer.next_id]) + b"\xabserver.ping\xc0")
        return peer.next_id

    def test_a_world_is_paused_at_first_and_has_the_documented_defaults(self):
        peer = self.peer()
        world = self.world(peer)
        settings = peer.call("world.get", world=world)
        self.assertEqual(settings["state"], "paused")
        self.assertEqual((settings["tick"], settings["revision"], settings["bodies"]), (0, 0, 0))
        self.assertEqual(list(settings["gravity"]), [0, -GRAVITY, 0])
        self.assertEqual((settings["tick_rate"], settings["substeps"], settings["iterations"]), (60, 20, 1))
        self.assertEqual(settings["resolution"], 2.0**-27)

    def test_a_world_is_found_by_id_and_by_name(self):
        peer = self.peer()
        world = self.world(peer, name="by name")
        self.assertEqual(peer.call("world.get", world="by name")["world"], world)
        peer.call("world.set", world=world, name="renamed")
        self.assertEqual(peer.call("world.get", world="renamed")["world"], world)
        self.refused("NOT_FOUND", peer, "world.get", world="by name")
        self.refused("NOT_FOUND", peer, "world.get", world=str(world))
        self.assertIn("renamed", [entry["name"] for entry in peer.call("world.list")["worlds"]])

    def test_free_fall_is_that_of_the_small_steps(self):
        peer = self.peer()
        world = self.world(peer, tick_rate=60, substeps=4)
        body = peer.call("body.add", world=world, kind="points", positions=[0.0, 0.0, 0.0])["body"]
        self.assertEqual(peer.call("world.step", world=world, ticks=60)["tick"], 60)
        state = peer.call("body.state", world=world, body=body,
                          fields=["positions", "positions64", "velocities"])
        self.assertEqual(state["tick"], 60)
        self.assertAlmostEqual(state["positions64"][1], -4.9254375, delta=2e-6)
        self.assertAlmostEqual(state["positions"][1], -4.9254375, delta=2e-6)
        self.assertAlmostEqual(state["velocities"][1], -GRAVITY, delta=1e-4)

    def test_arrays_are_taken_in_every_encoding_and_mean_the_same(self):
        peer = self.peer()
        positions, triangles = sheet(4, 3, 0.25)
        floats = struct.pack(f"<{len(positions)}f", *positions)
        indices = struct.pack(f"<{len(triangles)}I", *triangles)
        # A str need not be UTF-8 for a peer that has no bin: 0xd9 is its head with one byte of length.
        encodings = {
            "plain": (positions, triangles),
            "f32": (ext("f", positions), ext("I", triangles)),
            "f64": (ext("d", positions), ext("H", triangles)),
            "bin": (floats, indices),
            "u8": (ext("d", positions), ext("B", triangles)),
            "i32": (ext("f", positions), ext("i", triangles)),
        }
        hashes = {}
        for name, (some_positions, some_triangles) in encodings.items():
            world = self.world(peer, name=f"array {name}")
            added = peer.call("body.add", world=world, kind="cloth", positions=some_positions,
                              triangles=some_triangles)
            self.assertEqual(added["particles"], 12)
            self.assertEqual(added["constraints"]["distance"], {"first": 1, "count": 23})
            self.assertEqual(list(added["warnings"]), [])
            peer.call("world.step", world=world, ticks=2)
            hashes[name] = peer.call("world.hash", world=world)["hash"]
            self.assertRegex(hashes[name], r"^[0-9a-f]{16}$")
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_str_bytes_are_taken_where_bin_is_meant(self):
        peer = self.peer()
        world = self.world(peer)
        data = struct.pack("<3f", 1.5, -2.0, 0.25)
        fields = (b"\x84" + b"\xa5world" + b"\xce" + struct.pack(">I", world) + b"\xa4kind\xa6points"
                  + b"\xa9positions" + b"\xd9" + bytes([len(data)]) + data + b"\xa4name\xa3str")
        peer.next_id += 1
        peer.send_raw(b"\x94\x00" + bytes([peer.next_id]) + b"\xa8body.add\x91" + fields)
        body = peer.answer(peer.next_id)["body"]
        state = peer.call("body.state", world=world, body=body, fields=["positions"])
        self.assertEqual(numbers(state["positions"]), [1.5, -2.0, 0.25])

    def test_arrays_are_given_in_the_encoding_that_the_session_chose(self):
        for arrays, kind in (("ext", array.array), ("bin", bytes), ("plain", list)):
            with self.subTest(arrays):
                peer = self.peer(hello={"arrays": arrays, "client": "test"})
                world = self.world(peer, name=f"out {arrays}")
                body = peer.call("body.add", world=world, kind="points", positions=[1.0, 2.0, 3.0])["body"]
                state = peer.call("body.state", world=world, body=body,
                                  fields=["positions", "positions64", "velocities"])
                self.assertIsInstance(state["positions"], kind)
                self.assertEqual(numbers(state["positions"], "f"), [1, 2, 3])
                self.assertEqual(numbers(state["positions64"], "d"), [1, 2, 3])
                self.assertEqual(numbers(state["velocities"], "f"), [0, 0, 0])

    def test_a_document_reads_back_as_it_was_given(self):
        peer = self.peer()
        world = self.world(peer)
        positions, triangles = sheet(5, 4, 0.2)
        added = peer.call("body.add", world=world, name="sheet", kind="cloth", positions=ext("d", positions),
                          triangles=triangles, masses=0.5, pins=[0, 4],
                          stretch={"compliance": 1e-4, "damping": 2.0}, thickness=0.01)
        self.assertEqual(added["revision"], 1)
        body = peer.call("body.get", world=world, body="sheet")
        self.assertEqual(body["body"], added["body"])
        self.assertEqual(numbers(body["triangles"]), triangles)
        for got, given in zip(numbers(body["positions"]), positions):
            self.assertAlmostEqual(got, given, delta=2.0**-28)
        self.assertEqual(numbers(body["masses"]), [0.5] * 20)
        self.assertEqual(numbers(body["pins"]), [0, 4])
        self.assertAlmostEqual(body["stretch"]["compliance"], 1e-4)
        self.assertAlmostEqual(body["stretch"]["damping"], 2.0)
        self.assertAlmostEqual(body["thickness"], 0.01)
        listed = peer.call("constraint.list", world=world, body="sheet")
        count = added["constraints"]["distance"]["count"]
        self.assertEqual(len(listed["constraints"]), count)
        pairs = {tuple(sorted(listed["particles"][i:i + 2])) for i in range(0, 2 * count, 2)}
        edges = {tuple(sorted((triangle[i], triangle[(i + 1) % 3])))
                 for triangle in (triangles[t:t + 3] for t in range(0, len(triangles), 3)) for i in range(3)}
        self.assertEqual(pairs, edges)
        self.assertTrue(all(abs(length - 0.2) < 1e-6 or abs(length - 0.2 * math.sqrt(2)) < 1e-6
                            for length in listed["rest"]))
        page = peer.call("constraint.list", world=world, limit=7)
        seen = list(page["constraints"])
        while page["next"]:
            page = peer.call("constraint.list", world=world, limit=7, after=page["next"])
            seen += list(page["constraints"])
        self.assertEqual(seen, list(listed["constraints"]))

    def test_pinned_particles_hold_and_are_moved_and_let_go(self):
        peer = self.peer()
        world = self.world(peer)
        body = peer.call("body.add", world=world, kind="rope", positions=[0, 0, 0, 0.5, 0, 0, 1, 0, 0],
                         edges=[0, 1, 1, 2], masses=1.0, pins=[0])["body"]
        peer.call("world.step", world=world, ticks=30)
        state = peer.call("body.state", world=world, body=body, fields=["positions64", "inverse_masses"])
        self.assertEqual(list(state["positions64"][:3]), [0, 0, 0])
        self.assertEqual(list(state["inverse_masses"]), [0, 1, 1])
        self.assertLess(state["positions64"][7], -0.2)
        peer.call("particle.pin", world=world, body=body, particles=[0], positions=[0.25, 0.5, 0])
        peer.call("world.step", world=world)
        state = peer.call("body.state", world=world, body=body, fields=["positions64"])
        self.assertEqual(list(state["positions64"][:3]), [0.25, 0.5, 0])
        peer.call("particle.unpin", world=world, body=body, particles=[0])
        peer.call("world.step", world=world, ticks=10)
        state = peer.call("body.state", world=world, body=body, fields=["positions64"])
        self.assertNotEqual(state["positions64"][1], 0.5)

    def test_a_cloth_comes_to_rest_on_a_plane_at_its_thickness(self):
        peer = self.peer()
        world = self.world(peer, damping=2.0)
        peer.call("collider.add", world=world, kind="plane", position=[0, 0, 0], normal=[0, 2, 0], friction=0.5)
        positions, triangles = sheet(4, 4, 0.1, height=0.05)
        body = peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles,
                         thickness=0.02)["body"]
        peer.call("world.step", world=world, ticks=120)
        heights = peer.call("body.state", world=world, body=body, fields=["positions"])["positions"][1::3]
        for height in heights:
            self.assertAlmostEqual(height, 0.02, delta=1e-4)
        self.assertEqual(peer.call("world.measure", world=world)["measures"]["contacts"], 16)

    def test_a_removed_body_is_gone_with_its_loose_constraints(self):
        peer = self.peer()
        world = self.world(peer)
        first = peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])["body"]
        second = peer.call("body.add", world=world, kind="points", positions=[1, 0, 0])["body"]
        loose = peer.call("constraint.add", world=world, bodies=[first, second], particles=[0, 0])["constraints"]
        removed = peer.call("body.remove", world=world, body=first)
        self.assertEqual(list(removed["constraints"]), list(loose))
        self.refused("NOT_FOUND", peer, "body.get", world=world, body=first)
        third = peer.call("body.add", world=world, kind="points", positions=[2, 0, 0])["body"]
        self.assertGreater(third, second)

    def test_an_error_may_be_a_map(self):
        peer = self.peer(hello={"errors": "map", "user": "ann"})
        with self.assertRaises(WeftError) as caught:
            peer.call("world.create", tick_rate=0)
        error = caught.exception.error
        self.assertEqual((error["kind"], error["code"], error["field"]), (1, "INVALID", "tick_rate"))
        self.assertIn("tick_rate", error["text"])
        self.assertLessEqual({"kind", "code", "text", "field", "value", "revision", "user", "limit"}, set(error))

    def test_replies_of_one_world_come_in_order_and_see_earlier_writes(self):
        peer = self.peer()
        world = self.world(peer)
        ids = []
        for index in range(50):
            ids.append(peer.request("body.add", world=world, kind="points", positions=[index, 0, 0]))
            ids.append(peer.request("world.get", world=world))
        order = []
        while len(order) < len(ids):
            peer.wait(lambda: any(msgid in peer.answers for msgid in ids if msgid not in order))
            order += [msgid for msgid in list(peer.answers) if msgid not in order]
        self.assertEqual(order, ids)
        for index in range(50):
            self.assertEqual(peer.answer(ids[2 * index])["revision"], index + 1)
            self.assertEqual(peer.answer(ids[2 * index + 1])["bodies"], index + 1)


if __name__ == "__main__":
    main()
