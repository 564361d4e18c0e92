"""Streams of compressed positions come to what those of floats come to: with frames that are made here, and a real server."""
import asyncio
import unittest

import msgpack
import numpy as np

from support import PATIENCE_S, ServerTest, vectors, weft

from weft.errors import BadMessage
from weft.frames import Frame
from weft.framing import PackedChunk
from weft.receiving import Receiver
from weft.unpacking import Unpacker

KINDS = {0: "points", 2: "rope", 3: "cloth", 4: "soft"}


def chunk_of(vector, at, **changes):
    return {"body": 1, "first": 0, "count": vector["count"], "positions": bytes.fromhex(vector["chunks"][at]["hex"]),
            **changes}


def fields_of(seq, chunks, **changes):
    return {"stream": 1, "seq": seq, "dropped": 0, "world": 1, "tick": seq, "substep": 0, "time": 0.0, "revision": 0,
            "part": 0, "parts": 1, "encoding": "delta", "tolerance": 1e-4, "bodies": chunks, **changes}


def frame_of(seq, chunks, **changes):
    return Frame([fields_of(seq, chunks, **changes)])


def body_of(vector):
    kind, elements = KINDS[vector["corners"]], np.array(vector["elements"], np.uint32)
    return {"kind": kind, "particles": vector["count"], "positions": np.zeros(3 * vector["count"]),
            "triangles": elements if kind == "cloth" else [], "tets": elements if kind == "soft" else [],
            "edges": elements if kind == "rope" else []}


def wanted(vector, at):
    return np.array([float(number) for number in vector["chunks"][at]["decoded"]], np.float32).reshape(-1, 3)


class Unpacking(unittest.TestCase):
    def setUp(self):
        self.vector = vectors("compressed.json", "deltas")[0]
        self.unpacker = Unpacker()

    def test_frames_become_floats(self):
        for vector in vectors("compressed.json", "deltas"):
            unpacker = Unpacker()
            for at in range(len(vector["chunks"])):
                frame = frame_of(at, [chunk_of(vector, at)])
                self.assertEqual(unpacker.missing(frame), [] if at else [1])
                if not at:
                    unpacker.learn(1, body_of(vector))
                self.assertTrue(unpacker.unpack(frame))
                self.assertEqual(frame[1].positions.tobytes(), wanted(vector, at).tobytes())
                self.assertEqual((frame.encoding, frame.tolerance, frame.nth, frame.packed), ("delta", 1e-4, 1, []))

    def test_what_builds_on_nothing_is_left_out_and_counted(self):
        self.unpacker.learn(1, body_of(self.vector))
        self.assertTrue(self.unpacker.unpack(frame_of(1, [chunk_of(self.vector, 0)])))
        self.assertFalse(self.unpacker.should_ask())
        self.assertFalse(self.unpacker.unpack(frame_of(3, [chunk_of(self.vector, 2)], dropped=1)))
        self.assertTrue(self.unpacker.should_ask())
        self.assertFalse(self.unpacker.unpack(frame_of(4, [chunk_of(self.vector, 3)])))
        self.assertFalse(self.unpacker.should_ask())  # not at once again
        frame = frame_of(5, [chunk_of(self.vector, 0)])
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual(frame.dropped, 3)

    def test_pieces_are_joined(self):
        data = bytes.fromhex(self.vector["chunks"][0]["hex"])

        def piece(at, part, **changes):
            return chunk_of(self.vector, 0, piece=at, pieces=3, positions=part, **changes)

        pieces = [piece(0, data[:5]), piece(1, data[5:90]), piece(2, data[90:])]
        parts = [fields_of(1, [pieces[0]], parts=2),
                 fields_of(1, [*pieces[1:], chunk_of(self.vector, 0, body=2)], part=1, parts=2)]
        frame = Frame(parts)
        for body in (1, 2):
            self.unpacker.learn(body, body_of(self.vector))
        self.assertTrue(self.unpacker.unpack(frame))
        for body in (1, 2):
            np.testing.assert_array_equal(frame[body].positions, wanted(self.vector, 0))
        for wrong in (pieces[:2], [pieces[1], pieces[0], pieces[2]], [pieces[0], piece(1, b"", body=2), pieces[2]],
                      [pieces[0], chunk_of(self.vector, 0)], [piece(0, data, count=7), *pieces[1:]]):
            with self.assertRaises(BadMessage):
                frame_of(1, wrong)

    def test_what_is_none_is_refused(self):
        chunk = chunk_of(self.vector, 0)
        for wrong in ({"first": 1}, {"positions": [1.0]}, {"positions": None}, {"piece": 1, "pieces": 1},
                      {"piece": 0, "pieces": 0}, {"count": -1}, {"body": "a"}):
            with self.assertRaises(BadMessage):
                frame_of(1, [{**chunk, **wrong}])
        for wrong in ({"encoding": "zip"}, {"encoding": None}, {"encoding": []}, {"nth": 0}):
            with self.assertRaises(BadMessage):
                frame_of(1, [chunk], **wrong)
        self.unpacker.learn(1, body_of(self.vector))
        for wrong in (frame_of(1, [{**chunk, "count": chunk["count"] + 1}]), frame_of(1, [chunk], nth=2),
                      frame_of(1, [{"skin": chunk["positions"], "body": 1, "first": 0, "count": chunk["count"]}]),
                      frame_of(1, [{**chunk, "count": 1 << 40}], encoding="q16")):
            with self.assertRaises(BadMessage):
                self.unpacker.unpack(wrong)
        with self.assertRaises(BadMessage):
            self.unpacker.learn(1, {**body_of(self.vector), "particles": 1 << 30})

    def test_a_body_that_is_gone_is_left_out(self):
        frame = frame_of(1, [chunk_of(self.vector, 0), chunk_of(self.vector, 0, body=2)])
        self.unpacker.learn(1, None)
        self.unpacker.learn(2, body_of(self.vector))
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual(list(frame.bodies), [2])

    def test_they_are_read_where_they_lie_however_they_come(self):
        head = {"stream": 1, "seq": 1, "dropped": 0, "_": b"\0" * 7}
        shared = {name: value for name, value in fields_of(1, []).items() if name not in ("bodies", *head)}
        chunk = chunk_of(self.vector, 0)
        count = len(head) + len(shared) + 1
        message = (b"\x93\x02\xacstream.frame\x91\xde" + count.to_bytes(2, "big")
                   + b"".join(msgpack.packb(part) for pair in (head | shared | {"bodies": [chunk]}).items() for part in pair))
        for step in (1, 7, len(message)):
            found = []
            receiver = Receiver(self.fail, found.append)
            for at in range(0, 2 * len(message), step):
                part = (message + message)[at:at + step]
                receiver.get_buffer()[:len(part)] = part
                receiver.received(len(part))
            self.assertEqual(len(found), 2)
            for fields in found:
                self.assertIsInstance(fields["bodies"][0], PackedChunk)
                frame = Frame([fields])
                self.unpacker.learn(1, body_of(self.vector))
                self.assertTrue(self.unpacker.unpack(frame))
                np.testing.assert_array_equal(frame[1].positions, wanted(self.vector, 0))


SKIN = {"particles": [0, 1, 2, 3, 1, 0, 2, 3, 2, 0, 1, 3], "weights": [1, 0, 0, 0, .5, .5, 0, 0, .25, .25, .25, .25],
        "triangles": [0, 1, 2]}
CORNERS = [0, 2, 0, 1, 2, 0, 0, 2, 1, 0, 3, 0]


class Streams(ServerTest):
    def filled(self, client):
        world = self.world(client)
        world.add_body("cloth", **weft.shapes.sheet(12, 9), pins=[0, 11])
        world.add_body("rope", **weft.shapes.rope(5), pins=[0])
        world.add_body("soft", positions=CORNERS, tets=[0, 1, 2, 3], masses=1, skin=SKIN)
        return world

    def assert_near(self, frame, exact, bound):
        self.assertEqual((frame.tick, frame.dropped, list(frame.bodies)), (exact.tick, 0, list(exact.bodies)))
        for body in exact:
            for name in ("positions", "skin") if body.skins else ("positions",):
                read, truth = frame[body].array(name), body.array(name)[::frame.nth]
                self.assertEqual((read.shape, read.dtype), (truth.shape, truth.dtype))
                self.assertLessEqual(np.abs(read.astype(float) - truth).max(), bound)

    def test_they_are_what_floats_are(self):
        client = self.connect()
        world = self.filled(client)
        fields = ["positions", "skin"]
        exact = world.subscribe(fields=fields)
        streams = [(world.subscribe(fields=fields, encoding="delta", tolerance=1e-3), 1e-3),
                   (world.subscribe(fields=fields, encoding="delta", tolerance=1e-5), 1e-5),
                   (world.subscribe(fields=fields, encoding="delta", nth=4), 1e-4),
                   (world.subscribe(fields=fields, encoding="q16"), 1e-3)]
        for tick in range(12):
            truth = exact.next(PATIENCE_S)
            self.assertEqual((truth.tick, truth.encoding), (tick, None))
            for stream, bound in streams:
                self.assert_near(stream.next(PATIENCE_S), truth, bound)
            world.step()

    def test_bodies_come_and_encodings_change(self):
        client = self.connect()
        world = self.filled(client)
        stream = world.subscribe(encoding="delta")
        exact = world.subscribe()
        self.assert_near(stream.next(PATIENCE_S), exact.next(PATIENCE_S), 1e-4)
        world.add_body("cloth", **weft.shapes.sheet(7, 7))
        world.step()
        self.assert_near(self.at(stream, 1), self.at(exact, 1), 1e-4)
        for tick, encoding in ((2, "f32"), (3, "q16"), (4, "delta")):
            stream.set(encoding=encoding)
            world.step()
            frame = self.at(stream, tick)
            self.assertEqual(frame.encoding, None if encoding == "f32" else encoding)
            self.assert_near(frame, self.at(exact, tick), 1e-3)

    def at(self, stream, tick):
        frame = stream.next(PATIENCE_S)
        while frame.tick < tick:
            frame = stream.next(PATIENCE_S)
        return frame

    def test_a_chain_that_broke_here_is_begun_anew(self):
        client = self.connect()
        world = self.filled(client)
        stream = world.subscribe(encoding="delta")
        stream.keep = 2
        stream.next(PATIENCE_S)
        for _ in range(8):
            world.step()
            world.get()
        with client._lock:
            client._pump_all()
        # What waited builds on what went: a key is asked for, and comes.
        frame, tick = None, 8
        while frame is None:
            self.assertLess(tick, 60)
            try:
                frame = stream.next(0.2)
            except weft.Timeout:
                world.step()
                tick += 1
        self.assertGreaterEqual(frame.dropped, 7)
        world.step()
        self.assertEqual(self.at(stream, frame.tick + 1).dropped, 0)

    def test_asyncio_reads_them_as_well(self):
        async def run():
            async with weft.aio.connect(self.server.address, timeout=PATIENCE_S) as client:
                world = await client.create()
                await world.add_body("cloth", **weft.shapes.sheet(12, 9), pins=[0, 11])
                exact, stream = await world.subscribe(), await world.subscribe(encoding="delta", tolerance=1e-4)
                for _ in range(5):
                    self.assert_near(await stream.next(PATIENCE_S), await exact.next(PATIENCE_S), 1e-4)
                    await world.step()
                self.assertEqual((await stream.latest(PATIENCE_S)).tick, 5)
                await world.delete()

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
