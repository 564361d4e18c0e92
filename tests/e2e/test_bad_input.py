#!/usr/bin/env python3
"""What is wrong in a request gets a clear error and changes nothing: the state's hash says so."""

import math
import struct
import time

from weft_peer import ServerTest, ext, main, numbers, sheet

NAN, INF = float("nan"), float("inf")


class BadInput(ServerTest):
    def setUp(self):
        super().setUp()
        self.ann = self.peer(hello={"user": "ann"})
        self.at = self.world(self.ann)
        positions, triangles = sheet(3, 3)
        self.body = self.ann.call("body.add", world=self.at, name="cloth", kind="cloth", positions=positions,
                                  triangles=triangles, pins=[0])["body"]
        self.ball = self.ann.call("collider.add", world=self.at, kind="sphere", name="ball",
                                  position=[0, -9, 0])["collider"]
        self.ann.call("world.step", world=self.at, ticks=2)
        self.before = self.fingerprint()

    def fingerprint(self):
        peer = self.ann
        return (peer.call("world.hash", world=self.at), len(peer.call("world.list")["worlds"]),
                {key: value for key, value in peer.call("world.get", world=self.at).items()
                 if key not in ("tick_us", "lateness_us", "lateness_max_us", "people")})

    def tearDown(self):
        self.assertEqual(self.fingerprint(), self.before, "a refused request changed something")

    def bad(self, method, *words, code="INVALID", **fields):
        """The refusal names each of the words."""
        with self.subTest(method=method, **{key: str(value)[:60] for key, value in fields.items()}):
            error = self.refused(code, self.ann, method, **fields)
            self.assertEqual(error.kind, 0 if code in ("INTERNAL", "MEMORY", "SHUTDOWN") else 1)
            for word in words:
                self.assertIn(word, error.text)

    def add(self, *words, code="INVALID", **fields):
        self.bad("body.add", *words, code=code, **{"world": self.at, "kind": "cloth", **fields})

    def test_methods_and_fields(self):
        self.bad("world.destroy", "world.destroy", code="NOT_FOUND", world=self.at)
        self.bad("", code="NOT_FOUND")
        self.bad("world.get", "wrld", wrld=1, world=self.at)
        self.bad("world.get", "world")
        self.bad("world.get", "world", world=None)
        self.bad("world.get", "world", world=[1])
        self.bad("world.get", "world", world=-1)
        self.bad("world.get", "world", world=1.5)
        self.bad("world.get", "world", world=True)
        self.bad("server.ping", "at", at=1)
        self.bad("session.hello", "arrays", arrays="exts")
        self.bad("session.hello", "user", "name_bytes", code="LIMIT", user="x" * 65)
        self.bad("session.hello", "user", user="a\nb")
        self.bad("session.hello", "password", password="secret")

    def test_things_that_are_not_there(self):
        self.bad("world.get", code="NOT_FOUND", world=4_000_000_000)
        self.bad("world.get", "nobody", code="NOT_FOUND", world="nobody")
        self.bad("world.get", "world", world="")
        self.bad("body.get", code="NOT_FOUND", world=self.at, body=99)
        self.bad("body.get", "flag", code="NOT_FOUND", world=self.at, body="flag")
        self.bad("collider.set", code="NOT_FOUND", world=self.at, collider=99, friction=0)
        self.bad("grab.end", code="NOT_FOUND", world=self.at, grab=99)
        self.bad("constraint.remove", code="NOT_FOUND", world=self.at, constraints=[999])
        self.bad("stream.set", code="NOT_FOUND", stream=99)
        self.bad("stream.subscribe", code="NOT_FOUND", world=self.at, bodies=[99])

    def test_world_settings(self):
        for field, values in {"tick_rate": (0, 1001, -1, 1.5, "60", NAN), "substeps": (0, 1001),
                              "iterations": (0,), "damping": (-1, NAN, INF), "extent": (0, INF),
                              "gravity": ([0, 0], [0, 0, 0, 0], [0, NAN, 0], [0, -INF, 0], [0, 2000, 0], 9.81),
                              "resolution": (0, 1e-8, 1, -(2.0**-27), 2.0**-31)}.items():
            for value in values:
                self.bad("world.create", field, **{field: value})
        self.bad("world.create", "name", "name_bytes", code="LIMIT", name="x" * 65)
        for name in ("a\tb", b"\xff\xfe"):
            self.bad("world.create", "name", name=name)
        self.bad("world.create", "name", code="CONFLICT", name=self.id().rsplit(".", 1)[1])
        self.bad("world.set", "tick_rate", world=self.at, tick_rate=30)
        self.bad("world.set", "substeps", world=self.at, substeps=0, damping=3.0)
        self.bad("world.play", "rate", world=self.at, rate=-1)
        self.bad("world.play", "rate", world=self.at, rate=NAN)
        self.bad("world.step", "ticks", world=self.at, ticks=0)

    def test_positions(self):
        square = [0, 0, 0, 1, 0, 0, 0, 0, 1]
        for value in ([0, 0], [], square[:8] + [NAN], square[:8] + [INF], square[:8] + [1e300], "x", 7, {}, None,
                      square[:8] + ["0"], square[:8] + [None], ext("f", square[:8]), ext("d", square[:8] + [NAN]),
                      ext("f", square[:8] + [INF]), struct.pack("<8f", *square[:8]), b"\x00" * 35,
                      square[:8] + [2e6]):
            self.add("positions", positions=value, triangles=[0, 1, 2])
        self.add("velocities", positions=square, triangles=[0, 1, 2], velocities=[0, 0, 0])
        self.add("velocities", positions=square, triangles=[0, 1, 2], velocities=[0] * 8 + [NAN])
        self.add("kind", positions=square, triangles=[0, 1, 2], kind="jelly")
        self.add("kind", positions=square, triangles=[0, 1, 2], kind=0)

    def test_topology(self):
        square = [0, 0, 0, 1, 0, 0, 0, 0, 1]
        for value in ([0, 1, 3], [0, 1], [0, 1, 2, 0], [0, 1, -1], [0, 1, 1.5], [0, 1, 2**32], [0, 1, NAN],
                      ext("I", [0, 1, 3]), ext("i", [0, 1, -1]), ext("f", [0, 1, 0.5]),
                      ext("I", [0, 1, 0xFFFFFFFF]), struct.pack("<2I", 0, 1), "ab"):
            self.add("triangles", positions=square, triangles=value)
        self.add("triangles", positions=square, triangles=[0, 1, 1])
        self.add("triangles", positions=square)
        self.add("edges", positions=square, kind="rope", edges=[0, 3])
        self.add("edges", positions=square, kind="rope", edges=[0, 1, 2])
        self.add("edges", positions=square, kind="rope", edges=[1, 1])
        self.add("edges", positions=square, kind="rope", edges=[])
        self.add("triangles", positions=square, kind="rope", triangles=[0, 1, 2])
        self.add("edges", positions=square, triangles=[0, 1, 2], edges=[0, 1])
        self.add("pins", positions=square, triangles=[0, 1, 2], pins=[3])

    def test_masses_and_materials(self):
        square = [0, 0, 0, 1, 0, 0, 0, 0, 1]
        sound = {"positions": square, "triangles": [0, 1, 2]}
        for value in ([1, 2], [-1.0], [1, 1, NAN], [1, INF, 1]):
            self.add("masses", masses=value, **sound)
        for value in (0, -1, NAN, INF):
            self.add("density", density=value, **sound)
        for value in (-1, NAN, INF, "soft"):
            self.add("compliance", stretch={"compliance": value}, **sound)
        self.add("damping", stretch={"damping": -1}, **sound)
        self.add("stiffness", stretch={"stiffness": 1.5}, **sound)
        self.add("springiness", "compliance", stretch={"springiness": 1}, **sound)
        self.add("stretch", stretch=1, **sound)
        self.add("thickness", thickness=-0.1, **sound)
        self.add("thickness", thickness=2, **sound)
        self.bad("body.set", "compliance", world=self.at, body="cloth", stretch={"compliance": -1}, thickness=0.5)

    def test_names_taken(self):
        self.add("name", code="CONFLICT", name="cloth", positions=[0, 0, 0], kind="points")
        self.bad("collider.add", "name", code="CONFLICT", world=self.at, kind="plane", name="ball")

    def test_rest_lengths_past_the_limit(self):
        # A distance is exact to 8 m at the default resolution.
        self.add("m", kind="rope", positions=[0, 0, 0, 9, 0, 0], edges=[0, 1])
        self.bad("constraint.add", "rest", world=self.at, body="cloth", particles=[0, 1], rest=[8.5])
        first = self.ann.call("constraint.list", world=self.at)["constraints"][0]
        self.bad("constraint.set", "rest", world=self.at, constraints=[first], rest=[8.5])
        self.bad("constraint.set", "rest", world=self.at, constraints=[first], rest=[-1.0])
        self.bad("constraint.set", "compliance", world=self.at, constraints=[first], compliance=[-1.0], rest=[0.3])
        self.bad("constraint.set", "compliance", world=self.at, constraints=[first], compliance=[NAN])
        self.bad("constraint.set", "rest", world=self.at, constraints=[first], rest=[1.0, 1.0])

    def test_constraints(self):
        self.bad("constraint.add", "particles", world=self.at, body="cloth", particles=[0, 9])
        self.bad("constraint.add", "particles", world=self.at, body="cloth", particles=[0, 1, 2])
        self.bad("constraint.add", "particles", world=self.at, body="cloth", particles=[1, 1])
        self.bad("constraint.add", world=self.at, particles=[0, 1])
        self.bad("constraint.add", world=self.at, body="cloth", bodies=[self.body] * 2, particles=[0, 1])
        self.bad("constraint.add", "bodies", world=self.at, bodies=[self.body], particles=[0, 1])
        self.bad("constraint.add", code="NOT_FOUND", world=self.at, bodies=[self.body, 99], particles=[0, 1])
        self.bad("constraint.add", "type", world=self.at, body="cloth", particles=[0, 1], type="spring")

    def test_particles(self):
        sound = {"world": self.at, "body": "cloth"}
        self.bad("particle.set", "particles", particles=[9], velocities=[0, 0, 0], **sound)
        self.bad("particle.set", "particles", particles=[1, 1], velocities=[0] * 6, **sound)
        self.bad("particle.set", "velocities", particles=[1], velocities=[0, 0], **sound)
        self.bad("particle.set", "velocities", particles=[1], velocities=[0, 0, 0, 0, 0, 0], **sound)
        self.bad("particle.set", "velocities", particles=[1], velocities=[0, INF, 0], **sound)
        self.bad("particle.set", "positions", particles=[1], positions=[0, 1e9, 0], **sound)
        self.bad("particle.set", "inverse_masses", particles=[1], inverse_masses=[-1.0], **sound)
        self.bad("particle.set", "inverse_masses", particles=[1], inverse_masses=[1e10], **sound)
        self.bad("particle.set", "inverse_masses", particles=[1], positions=[0, 0, 0], inverse_masses=[NAN], **sound)
        self.bad("particle.pin", "particles", particles=[9], **sound)
        self.bad("particle.pin", "positions", particles=[0], positions=[0, 0], **sound)
        self.bad("particle.pin", "positions", particles=[0], positions=[5.0, 0, 0], **sound)
        self.bad("particle.unpin", "particles", particles=[0, 9], **sound)

    def test_colliders(self):
        self.bad("collider.add", "kind", world=self.at, kind="torus")
        self.bad("collider.add", "kind", world=self.at)
        self.bad("collider.add", "normal", world=self.at, kind="plane", normal=[0, 0, 0])
        self.bad("collider.add", "normal", world=self.at, kind="plane", normal=[0, NAN, 0])
        self.bad("collider.add", "radius", world=self.at, kind="sphere", radius=0)
        self.bad("collider.add", "radius", world=self.at, kind="sphere", radius=-1)
        self.bad("collider.add", "friction", world=self.at, kind="sphere", friction=-0.1)
        self.bad("collider.add", "position", world=self.at, kind="sphere", position=[0, INF, 0])
        self.bad("collider.set", "radius", world=self.at, collider="ball", radius=0, friction=0)

    def test_grabs(self):
        sound = {"world": self.at, "body": "cloth"}
        self.bad("grab.begin", "particle", particle=9, **sound)
        self.bad("grab.begin", "particle", particle=-1, **sound)
        self.bad("grab.begin", "target", particle=1, target=[0, NAN, 0], **sound)
        self.bad("grab.begin", "compliance", particle=1, compliance=-1, **sound)
        self.bad("grab.begin", code="CONFLICT", particle=0, **sound)  # pinned
        self.bad("grab.move", "target", world=self.at, grab=1)

    def test_streams(self):
        for fields in ({"every": 0}, {"unit": "second"}, {"encoding": "f16"}, {"mode": "all"},
                       {"fields": ["position"]}, {"fields": "positions"}, {"fields": [1]}, {"bodies": "all"}):
            self.bad("stream.subscribe", next(iter(fields)), world=self.at, **fields)

    def test_a_notification_that_is_wrong_is_told_but_at_most_ten_a_second(self):
        began = time.monotonic()
        for _ in range(200):
            self.ann.notify("grab.move", world=self.at, grab=77, target=[0, 0, 0])
        self.ann.notify("grab.move", world=self.at, grab="x")
        self.ann.fence(self.at)
        seconds = time.monotonic() - began
        told = [notice for notice in self.ann.notices if notice.method == "error"]
        self.assertGreaterEqual(len(told), 1)
        self.assertLessEqual(len(told), 10 * (math.ceil(seconds) + 1))
        for notice in told:
            self.assertEqual(notice.params["method"], "grab.move")
            self.assertEqual(notice.params["error"][0], 1)
            self.assertRegex(notice.params["error"][1], "^(NOT_FOUND|INVALID): .*grab")

    def test_text_of_a_peer_cannot_break_an_error_message(self):
        error = self.refused("NOT_FOUND", self.ann, "world.get", world="evil\n\x1b[31m\x00name")
        self.assertTrue(all(character.isprintable() for character in error.text), repr(error.text))


if __name__ == "__main__":
    main()
