#!/usr/bin/env python3
"""Frames byte by byte: head, shared part, alignment, padding, parts, and what they must agree with."""

from frame_bytes import check_frame
from weft_peer import ServerTest, ext, main, numbers, sheet

PART_BYTES = 262144


class Frames(ServerTest):
    def subscribed(self, hello=None, **fields):
        """A peer with a world of three bodies of odd sizes, and a stream of it."""
        peer = self.peer(hello=hello)
        world = self.world(peer, name=f"frames {peer.socket.getsockname()[1]}")
        bodies = []
        for columns, rows in ((3, 3), (7, 5), (2, 2)):
            positions, triangles = sheet(columns, rows, at=(columns, 0))
            bodies.append(peer.call("body.add", world=world, kind="cloth", positions=positions,
                                    triangles=triangles)["body"])
        stream = peer.call("stream.subscribe", world=world, **fields)["stream"]
        return peer, world, bodies, stream

    def test_the_first_frame_shows_the_present_state(self):
        peer, world, bodies, stream = self.subscribed()
        frame = check_frame(self, peer.frame(stream).raw)
        self.assertEqual((frame["stream"], frame["world"]), (stream, world))
        self.assertEqual((frame["dropped"], frame["part"], frame["parts"]), (0, 0, 1))
        self.assertEqual((frame["tick"], frame["substep"], frame["time"], frame["revision"]), (0, 0, 0, 3))
        self.assertEqual([chunk["body"] for chunk in frame["bodies"]], bodies)
        self.assertEqual([(chunk["first"], chunk["count"]) for chunk in frame["bodies"]], [(0, 9), (0, 35), (0, 4)])

    def test_every_combination_of_fields_and_arrays_is_aligned(self):
        every = ["positions", "positions64", "velocities", "normals"]
        once = ["measures", "grabs", "colliders", "contact", "contacts"]
        for arrays in ("ext", "bin", "plain"):
            peer, world, bodies, stream = self.subscribed(hello={"arrays": arrays})
            for mask in range(1, 512):
                fields = [name for bit, name in enumerate(every + once) if mask >> bit & 1]
                peer.call("stream.set", stream=stream, fields=fields)
                wanted = set(fields) & set(every)

                def is_new(params):
                    first = params["bodies"][0] if params["bodies"] else {}
                    return (wanted <= set(first) and not (set(every) - wanted) & set(first)
                            and all((name in params) == (name in fields) for name in once))

                frame = check_frame(self, peer.frame(stream, found=is_new).raw, arrays)
                for chunk in frame["bodies"]:
                    self.assertEqual({name for name in chunk if name in every}, wanted)

    def test_frames_agree_with_body_state_bit_for_bit(self):
        every = ["positions", "positions64", "velocities", "normals", "rotations", "rotations64"]
        peer, world, bodies, stream = self.subscribed(fields=[*every, "measures"])
        rod = peer.call("body.add", world=world, kind="rope", rod={"radius": 0.002, "young": 1e8},
                        positions=[0, 1, 0, 0.1, 1, 0, 0.2, 1.02, 0, 0.3, 1, 0.02], pins=[0], clamps=[0])["body"]
        peer.call("world.step", world=world, ticks=7)
        frame = check_frame(self, peer.frame(stream, found=lambda params: params["tick"] == 7).raw)
        self.assertEqual(frame["time"], 7 / 60)
        for chunk in frame["bodies"]:
            state = peer.call("body.state", world=world, body=chunk["body"], fields=every)
            for name in every if chunk["body"] == rod else every[:4]:
                self.assertEqual(chunk[name], numbers(state[name]), name)
            self.assertEqual("rotations" in chunk, chunk["body"] == rod)
        self.assertEqual([len(chunk["rotations64"]) for chunk in frame["bodies"] if chunk["body"] == rod], [16])

    def test_numbers_of_a_frame_agree_with_what_the_world_says(self):
        peer, world, bodies, stream = self.subscribed(fields=["measures", "grabs", "contact"])
        grab = peer.call("grab.begin", world=world, body=bodies[1], particle=3, target=[7.3, 0.5, 0])["grab"]
        peer.call("world.step", world=world, ticks=2)
        frame = peer.frame(stream, found=lambda params: params["tick"] == 2).params
        said = peer.call("world.measure", world=world)
        measures = said["measures"]
        self.assertEqual(frame["contact"], said["contact"])
        self.assertEqual(list(said["contact"]), ["pairs", "pushing", "crossed", "held", "shrunk", "dropped", "penetration", "pierced"])
        for name in ("kinetic", "potential", "strain_max", "strain_rms", "contacts"):
            self.assertEqual(frame["measures"][name], measures[name], name)
        self.assertEqual([entry["grab"] for entry in frame["grabs"]], [grab])
        self.assertEqual((frame["grabs"][0]["body"], frame["grabs"][0]["particle"]), (bodies[1], 3))

    def test_colliders_that_motions_move(self):
        peer, world, bodies, stream = self.subscribed(fields=["colliders"])
        for name in ("still", "moved"):
            peer.call("collider.add", world=world, kind="sphere", name=name, position=[50, 0, 0])
        moved = peer.call("world.join", world=world)["colliders"][-1]["collider"]
        peer.call("motion.add", world=world, collider="moved", times=[0, 1], offsets=[0, 0, 0, 6, 3, 0])
        peer.call("world.step", world=world, ticks=10)
        frame = peer.frame(stream, found=lambda params: params["tick"] == 10).params
        self.assertEqual([entry["collider"] for entry in frame["colliders"]], [moved])
        for got, want in zip(frame["colliders"][0]["position"], (51, 0.5, 0)):
            self.assertAlmostEqual(got, want, 7)
        # Substeps are on the way there.
        peer.call("world.set", world=world, substeps=4)
        peer.call("stream.set", stream=stream, unit="substep")
        peer.call("world.step", world=world, ticks=1)
        seen = []
        while len(seen) < 4:
            params = peer.frame(stream, found=lambda params: params["tick"] >= 10).params
            if (params["tick"], params["substep"]) in ((10, 1), (10, 2), (10, 3), (11, 0)):
                seen.append(round(params["colliders"][0]["position"][0] - 51, 6))
        self.assertEqual(seen, [0.025, 0.05, 0.075, 0.1])

    def test_a_frame_above_the_part_limit_comes_in_parts_that_cover_everything_once(self):
        peer = self.peer()
        world = self.world(peer)
        side = 300
        positions, triangles = sheet(side, side, 0.01)
        big = peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                        triangles=ext("I", triangles))["body"]
        small = peer.call("body.add", world=world, kind="points", positions=[0, 5, 0])["body"]
        stream = peer.call("stream.subscribe", world=world, fields=["positions", "velocities"])["stream"]
        first = peer.frame(stream, found=lambda params: params["part"] == 0)
        parts = [first] + [peer.frame(stream) for _ in range(first.params["parts"] - 1)]
        self.assertGreaterEqual(len(parts), side * side * 24 // PART_BYTES)
        covered = []
        for number, part in enumerate(parts):
            self.assertLessEqual(len(part.raw), PART_BYTES)
            frame = check_frame(self, part.raw)
            self.assertEqual((frame["part"], frame["parts"]), (number, len(parts)))
            self.assertEqual(frame["seq"], first.params["seq"])
            covered += [(chunk["body"], chunk["first"], chunk["count"]) for chunk in frame["bodies"]]
        expected = 0
        for body, begin, count in covered[:-1]:
            self.assertEqual((body, begin), (big, expected))
            expected += count
        self.assertEqual(expected, side * side)
        self.assertEqual(covered[-1], (small, 0, 1))

    def test_seq_counts_what_was_sent_and_nothing_is_dropped_for_a_reader(self):
        peer, world, bodies, stream = self.subscribed()
        before = peer.frame(stream).params["seq"]
        for tick in range(1, 31):
            peer.call("world.step", world=world)
            frame = peer.frame(stream).params
            self.assertEqual((frame["seq"], frame["tick"], frame["dropped"]), (before + tick, tick, 0))

    def test_substeps_come_in_order_and_the_last_is_the_next_tick(self):
        peer, world, bodies, stream = self.subscribed(unit="substep", every=1)
        peer.frame(stream)
        moments = []
        for tick in range(1, 4):
            # One tick at a time: a stepped world does not wait for its readers.
            peer.call("world.step", world=world)
            while not moments or moments[-1] != (tick, 0):
                frame = peer.frame(stream).params
                self.assertEqual(frame["dropped"], 0)
                moments.append((frame["tick"], frame["substep"]))
        expected = [(tick, substep) for tick in range(3) for substep in range(20)][1:] + [(3, 0)]
        self.assertEqual(moments, expected)

    def test_every_is_counted_from_the_start_of_the_world(self):
        peer, world, bodies, first = self.subscribed(every=4)
        peer.frame(first)
        peer.call("world.step", world=world, ticks=2)
        second = peer.call("stream.subscribe", world=world, every=4)["stream"]
        substeps = peer.call("stream.subscribe", world=world, unit="substep", every=30)["stream"]
        third = {}
        for stream in (second, substeps):
            third[stream] = peer.frame(stream).params["tick"]
        self.assertEqual(set(third.values()), {2})
        expected = {first: [80, 160, 240], second: [80, 160, 240], substeps: [60, 90, 120, 150, 180, 210, 240]}
        seen = {stream: [] for stream in expected}

        def up_to(moment):
            while peer.frames:
                params = peer.frames.popleft().params
                seen[params["stream"]].append(20 * params["tick"] + params["substep"])
            return all(len(seen[stream]) >= sum(one <= moment for one in expected[stream]) for stream in expected)

        for _ in range(10):
            tick = peer.call("world.step", world=world)["tick"]
            peer.wait(lambda tick=tick: up_to(20 * tick), what="the frames of a tick")
        self.assertEqual(seen, expected)

    def test_a_selection_holds_the_wanted_bodies_alone_and_all_means_later_ones_too(self):
        peer, world, bodies, everything = self.subscribed()
        some = peer.call("stream.subscribe", world=world, bodies=[bodies[2], bodies[0]])["stream"]
        chosen = peer.frame(some).params
        self.assertEqual(sorted(chunk["body"] for chunk in chosen["bodies"]), [bodies[0], bodies[2]])
        peer.frames.clear()
        later = peer.call("body.add", world=world, kind="points", positions=[0, 9, 0])["body"]
        frame = peer.frame(everything, found=lambda params: params["revision"] == 4).params
        self.assertEqual([chunk["body"] for chunk in frame["bodies"]], bodies + [later])
        self.refused("NOT_FOUND", peer, "stream.subscribe", world=world, bodies=[bodies[0], later + 100])

    def test_a_paused_world_sends_a_frame_after_each_edit_that_changed_it(self):
        peer, world, bodies, stream = self.subscribed()
        peer.frame(stream)
        peer.call("particle.set", world=world, body=bodies[2], particles=[1], positions=[4, 5, 6])
        frame = peer.frame(stream, found=lambda params: params["revision"] == 4).params
        chunk = [chunk for chunk in frame["bodies"] if chunk["body"] == bodies[2]][0]
        self.assertEqual(numbers(chunk["positions"])[3:6], [4, 5, 6])
        self.assertEqual((frame["tick"], frame["substep"]), (0, 0))

    def test_an_ended_stream_sends_nothing_more(self):
        peer, world, bodies, stream = self.subscribed()
        peer.call("stream.ack", stream=stream, seq=1)
        peer.call("stream.unsubscribe", stream=stream)
        other = peer.call("stream.subscribe", world=world)["stream"]
        peer.fence(world)
        peer.frames.clear()
        for tick in (5, 10):
            peer.call("world.step", world=world, ticks=5)
            peer.wait(lambda tick=tick: peer.frames and peer.frames[-1].params["tick"] == tick, what="the other stream's frame")
        self.assertEqual({frame.params["stream"] for frame in peer.frames}, {other})
        self.refused("NOT_FOUND", peer, "stream.unsubscribe", stream=stream)

    def test_a_deleted_world_closes_its_streams_and_says_so(self):
        peer, world, bodies, stream = self.subscribed()
        peer.call("world.join", world=world)
        peer.call("world.delete", world=world)
        self.assertEqual(peer.notice("stream.closed")["stream"], stream)
        self.assertEqual(peer.notice("world.changed")["state"], "deleted")
        self.refused("NOT_FOUND", peer, "world.get", world=world)


if __name__ == "__main__":
    main()
