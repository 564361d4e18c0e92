"""Streams of a real server: what frames hold, what is dropped and said to be, and what ends a stream."""
import time
import unittest

import numpy as np

import support
from support import PATIENCE_S, Server, ServerTest, weft


class Streams(ServerTest):
    def accounted(self, count, frames, world):
        """So many frames came or were said to be dropped. Those that the world did not make are told by it."""
        told = len(frames) + sum(frame.dropped for frame in frames)
        self.assertLessEqual(told, count)
        self.assertGreaterEqual(told + world.frames_dropped, count)

    def test_frames_hold_what_the_world_is_at_their_moment(self):
        client = self.connect()
        world = self.world(client)
        sheet = world.add_body("cloth", **weft.shapes.sheet(30, 20), pins=[0, 29])
        rope = world.add_body("rope", **weft.shapes.rope(9))
        wire = world.add_body("rope", **weft.shapes.rope(9), rod={"radius": 0.002, "young": 1e8, "twist": 2}, pins=[0], clamps=[0])
        all_have = ["positions", "positions64", "velocities", "normals"]
        with world.subscribe(fields=[*all_have, "rotations", "rotations64", "measures", "grabs"]) as stream:
            self.assertEqual(stream.next(PATIENCE_S).tick, 0)
            for tick in range(1, 6):
                world.step()
                frame = stream.next(PATIENCE_S)
                self.assertEqual((frame.tick, frame.substep, frame.dropped, frame.world), (tick, 0, 0, world.id))
                self.assertAlmostEqual(frame.time, tick / 60)
                for body, names in ((sheet, all_have), (rope, all_have), (wire, [*all_have, "rotations", "rotations64"])):
                    state = body.state(names)
                    for name in names:
                        array = frame[body].array(name)
                        np.testing.assert_array_equal(array, state[name])
                        self.assertTrue(array.flags.aligned)
                        self.assertFalse(array.flags.owndata)
                self.assertEqual(frame.measures.kinetic, world.measure().measures.kinetic)
                self.assertEqual(frame.grabs, [])
            self.assertEqual([body.id for body in frame], [sheet.id, rope.id, wire.id])
            self.assertEqual((frame[wire].rotations.shape, frame[wire].rotations64.shape), ((9, 4), (9, 4)))
            np.testing.assert_allclose(np.linalg.norm(frame[wire].rotations64, axis=1), [1] * 8 + [0], atol=1e-8)
            self.assertEqual(sheet.state(["rotations"]).rotations.shape, (0, 4))
            with self.assertRaises(AttributeError):
                frame[rope].rotations
            with self.assertRaises(KeyError):
                frame[77]
        self.assertEqual(list(stream), [])

    def test_skins_and_moved_colliders_come_beside_the_rest(self):
        client = self.connect()
        world = self.world(client)
        corners = [i for i in range(4000) for _ in range(4)]
        cloth = world.add_body("cloth", **weft.shapes.sheet(80, 50), skin={
            "particles": corners, "weights": [1, 0, 0, 0] * 4000, "triangles": [0, 1, 2]})
        rope = world.add_body("rope", **weft.shapes.rope(9))
        ball = world.add_collider("sphere", radius=0.1)
        client.call("motion.add", world=world.id, collider=ball.id, times=[0, 1], offsets=[0, 0, 0, 6, 0, 0])
        for fields in (["skin"], ["positions", "skin", "colliders"], ["positions", "velocities", "colliders"]):
            with world.subscribe(fields=fields) as stream:
                world.step()
                frame = stream.next(PATIENCE_S)
                while frame.tick < world.get().tick:
                    frame = stream.next(PATIENCE_S)
                state = cloth.state(["positions", "skin"])
                if "skin" in fields:
                    np.testing.assert_array_equal(frame[cloth].skin, state.skin)
                    self.assertEqual(frame[cloth].skin.shape, (4000, 3))
                else:
                    with self.assertRaisesRegex(AttributeError, "skin.*carries positions, velocities"):
                        frame[cloth].skin
                if "positions" in fields:
                    np.testing.assert_array_equal(frame[cloth].positions, state.positions)
                    self.assertEqual((frame[cloth].count, frame[rope].count), (4000, 9))
                    self.assertAlmostEqual(float(frame.colliders[0].position[0]), 0.1 * frame.tick, 6)
                else:
                    self.assertEqual([body.id for body in frame], [cloth.id])
                    self.assertIsNone(frame.colliders)

    def test_every_substep_comes_if_it_was_asked_for(self):
        client = self.connect()
        world = self.world(client, substeps=8)
        body = world.add_body("points", [[0, 10, 0]])
        with world.subscribe(unit="substep", bodies=[body]) as stream:
            world.step(2)
            frames = [stream.next(PATIENCE_S)]
            while frames[-1].tick < 2:
                frames.append(stream.next(PATIENCE_S))
        moments = [(frame.tick, frame.substep) for frame in frames]
        every = [(tick, substep) for tick in range(2) for substep in range(8)] + [(2, 0)]
        # A batch, the substeps of a tick, is dropped whole.
        self.assertEqual([moment for moment in every if moment in moments], moments)
        self.accounted(17, frames, world.get())
        heights = [float(frame[body].positions[0, 1]) for frame in frames]
        self.assertEqual(heights, sorted(heights, reverse=True))

    def test_large_bodies_come_in_parts_and_are_joined(self):
        client = self.connect()
        world = self.world(client, gravity=[0, 0, 0])
        positions = np.random.default_rng(2).random((90_000, 3))
        body = world.add_body("points", positions)
        small = world.add_body("points", np.ones((3, 3)))
        with world.subscribe() as stream:
            frame = stream.next(PATIENCE_S)
            self.assertGreater(len(frame[body].chunks), 3)
            self.assertEqual(frame[body].count, 90_000)
            np.testing.assert_array_equal(frame[body].positions, body.state("positions").positions)
            np.testing.assert_array_equal(frame[small].positions, np.ones((3, 3)))
            at = 0
            for chunk in frame[body].chunks:
                self.assertEqual(chunk.first, at)
                at += chunk.count

    def test_large_frames_come_one_after_the_other(self):
        client = self.connect()
        world = self.world(client, gravity=[0, 0, 0], substeps=1)
        body = world.add_body("points", weft.shapes.sheet(300, 300)["positions"])
        expected = body.state("positions").positions
        with world.subscribe() as stream:
            world.play(0)
            stream.next(PATIENCE_S)
            cpu, count, dropped = time.process_time(), 0, 0
            while count < 50:
                frame = stream.next(PATIENCE_S)
                positions = frame[body].positions
                count += 1
                dropped += frame.dropped
            cpu = time.process_time() - cpu
            np.testing.assert_array_equal(positions, expected)
            world.pause()
        print(f"300 x 300: {count} frames with {dropped} dropped, {1000 * cpu / count:.2f} ms of processor time each")

    def test_a_slow_reader_loses_frames_and_is_told_how_many(self):
        client = self.connect()
        world = self.world(client, gravity=[0, 0, 0], substeps=1)
        world.add_body("points", np.random.default_rng(1).random((20_000, 3)))
        with world.subscribe() as stream:
            stream.keep = 2
            world.step(400)  # frames that come meanwhile wait, two at most
            frames = [stream.next(PATIENCE_S)]
            while frames[-1].tick < 400:
                frames.append(stream.next(PATIENCE_S))
            self.accounted(401, frames, world.get())
            world.step(3)
            last = stream.latest(PATIENCE_S)
            while last.tick < 403:
                last = stream.latest(PATIENCE_S)

    def test_several_streams_do_not_mix(self):
        client = self.connect()
        one, two = self.world(client, name="one"), self.world(client, name="two")
        a = one.add_body("points", [[1, 1, 1]] * 3)
        b = two.add_body("points", [[2, 2, 2]] * 4)
        with one.subscribe() as first, two.subscribe(every=2) as second, one.subscribe(fields="velocities") as third:
            one.step(4)
            two.step(4)
            self.assertEqual(first.next(PATIENCE_S)[a].count, 3)
            self.assertEqual(second.next(PATIENCE_S)[b].count, 4)
            self.assertEqual({frame.tick % 2 for frame in (second.latest(PATIENCE_S),)}, {0})
            with self.assertRaises(AttributeError):
                third.next(PATIENCE_S)[a].positions
            self.assertNotEqual(first.id, third.id)

    def test_the_loop_ends_where_the_stream_is_closed_and_raises_where_the_server_closed_it(self):
        client = self.connect()
        world = self.world(client)
        world.add_body("points", [[0, 0, 0]])
        stream = world.subscribe()
        for frame in stream:
            stream.close()
        stream.close()
        with self.assertRaises(weft.Closed):
            stream.next()
        stream.resubscribe()
        self.assertEqual(stream.next(PATIENCE_S).tick, 0)
        with self.assertRaises(weft.Timeout) as caught:
            stream.next(0.05)
        self.assertEqual(str(caught.exception), "TIMEOUT: no frame came within 0.05 s")
        stream.timeout = 0.05
        with self.assertRaises(weft.Timeout):
            next(stream)
        stream.timeout = PATIENCE_S
        self.connect().world(world).delete()
        with self.assertRaises(weft.StreamClosed) as caught:
            for frame in stream:
                pass
        self.assertTrue(caught.exception.text)
        with self.assertRaises(weft.NotFound):
            stream.resubscribe()


class Reconnecting(unittest.TestCase):
    def test_streams_go_on_after_a_reconnect_and_tell_when_they_cannot(self):
        server = Server("--threads", "1")
        self.addCleanup(server.kill)
        client = weft.connect(server.address, user="Ada", timeout=PATIENCE_S)
        self.addCleanup(client.close)
        for name in ("stays", "goes"):
            client.create(name).add_body("points", [[0, 1, 0]], name="dot")
        stays = client.world("stays").subscribe(every=2, fields=["positions", "velocities"])
        goes = client.world("goes").subscribe()
        stays.set(fields="velocities")
        stays.keep = 7
        self.assertEqual(stays.next(PATIENCE_S).tick, 0)
        server.signal(9)
        server.wait()
        with self.assertRaises(weft.ConnectionLost):
            for _ in range(3):
                stays.next(PATIENCE_S)
        with self.assertRaises(weft.ConnectionLost):
            client.ping()
        self.assertFalse(client.connected)
        with self.assertRaises(weft.ConnectionLost) as caught:
            client.reconnect()
        self.assertIn("no server at", str(caught.exception))

        again = Server("--threads", "1", listen=server.address)
        self.addCleanup(again.kill)
        with weft.connect(again.address) as other:
            other.create("stays").add_body("points", [[0, 2, 0]], name="dot")
        client.reconnect()
        self.assertEqual((client.connected, client.user), (True, "Ada"))
        client.world("stays").step(2)
        frame = stays.next(PATIENCE_S)
        while frame.tick < 2:
            frame = stays.next(PATIENCE_S)
        self.assertEqual(list(frame[1].chunks[0].arrays), ["velocities"])
        self.assertEqual(stays.keep, 7)
        with self.assertRaises(weft.StreamClosed) as caught:
            for _ in range(2):  # one had come before
                goes.next(PATIENCE_S)
        self.assertIn("goes", str(caught.exception))
        self.assertEqual(again.stop(), 0)


if __name__ == "__main__":
    unittest.main()
