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


def body_of(vector, **changes):
    kind, elements = KINDS[vector["corners"]], np.array(vector["elements"], np.uint32)
    return {"kind": kind, "particles": vector["count"], "positions": np.zeros(3 * vector["count"]),
            "triangles": elements if kind == "cloth" else [], "tets": elements if kind == "soft" else [],
            "edges": elements if kind == "rope" else [], **changes}


def answer_of(about):
    """body.get's, of a body of compressed_frames.json."""
    skin = about.get("skin")
    return {**body_of(about), "elements_hash": about["elements_hash"], **({"skin": {"particles": np.zeros(4 * skin["count"]), "triangles": skin["elements"]}}
                                 if skin else {})}


def cloth_of(side, elements_hash):
    """body.get's, of the cloths of compressed_frames.json's tiled."""
    squares = [row * side + column for row in range(side - 1) for column in range(side - 1)]
    return {"kind": "cloth", "particles": side * side, "positions": np.zeros(3 * side * side),
            "elements_hash": elements_hash,
            "triangles": [corner for a in squares for corner in (a, a + 1, a + side, a + 1, a + side + 1, a + side)]}


def floats(numbers):
    return np.array([float(number) for number in numbers], np.float32)


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

    def test_what_a_sparse_frame_leaves_out_is_as_it_was(self):
        self.unpacker.learn(1, body_of(self.vector))
        self.unpacker.learn(2, body_of(self.vector))
        both = [chunk_of(self.vector, 0, body=body) for body in (1, 2)]
        self.assertTrue(self.unpacker.unpack(frame_of(1, both)))
        frame = frame_of(2, [chunk_of(self.vector, 1, body=2)], left_out=1, asleep=[1])
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual((list(frame.bodies), frame.asleep), ([1, 2], {1}))
        for body, at in ((1, 0), (2, 1)):
            self.assertEqual(frame[body].positions.tobytes(), wanted(self.vector, at).tobytes())
        frame = frame_of(3, [], left_out=2)
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual((list(frame.bodies), frame.asleep), ([1, 2], frozenset()))
        # It wakes: its chunk builds on the last one that it had.
        frame = frame_of(4, [chunk_of(self.vector, 1, body=1)], left_out=1)
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual(frame[1].positions.tobytes(), wanted(self.vector, 1).tobytes())
        # A body that is not in a whole frame has been removed.
        frame = frame_of(5, [chunk_of(self.vector, 0, body=2)])
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual(list(frame.bodies), [2])

    def test_a_sparse_frame_of_q16_leaves_out_as_one_of_delta_does(self):
        vector = vectors("compressed.json", "q16")[0]
        for body in (1, 2):
            self.unpacker.learn(body, body_of({**vector, "corners": 0, "elements": []}))
        chunk = {"body": 1, "first": 0, "count": vector["count"], "positions": bytes.fromhex(vector["hex"])}
        self.assertTrue(self.unpacker.unpack(frame_of(1, [chunk, {**chunk, "body": 2}], encoding="q16")))
        for seq, chunks, left_out in ((2, [{**chunk, "body": 2}], 1), (3, [], 2)):
            frame = frame_of(seq, chunks, encoding="q16", left_out=left_out)
            self.assertTrue(self.unpacker.unpack(frame))
            self.assertEqual(list(frame.bodies), [1, 2])
            self.assertEqual(frame[1].positions.tobytes(), frame[2].positions.tobytes())
        self.assertFalse(self.unpacker.unpack(frame_of(5, [], encoding="q16", left_out=2)))  # one is missing
        self.assertTrue(self.unpacker.should_ask())
        whole = frame_of(6, [chunk], encoding="q16")
        self.assertTrue(self.unpacker.unpack(whole))
        self.assertEqual(list(whole.bodies), [1])

    def plain(self, seq, chunks, **changes):
        fields = fields_of(seq, chunks, **changes)
        return Frame([{name: value for name, value in fields.items() if name not in ("encoding", "tolerance")}])

    def floats_of(self, body, first, count, value, **changes):
        return {"body": body, "first": first, "count": count, "positions": np.full(3 * count, value, np.float32), **changes}

    def test_a_sparse_frame_of_floats_leaves_out_chunks(self):
        skin = {"body": 1, "first": 0, "count": 2, "skin": np.full(6, 7, np.float32)}
        chunks = [self.floats_of(1, 0, 4, 1), self.floats_of(1, 4, 2, 2), skin, self.floats_of(2, 0, 3, 3)]
        whole = self.plain(0, chunks)
        self.assertTrue(self.unpacker.unpack(whole))
        frame = self.plain(1, [self.floats_of(1, 4, 2, 5)], left_out=3)
        before = frame.nbytes
        self.assertEqual(before, 24)
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual((list(frame.bodies), frame[1].count, frame[2].count), ([1, 2], 6, 3))
        self.assertEqual(frame[1].positions[:, 0].tolist(), [1, 1, 1, 1, 5, 5])
        self.assertEqual((frame[1].skin.tolist(), frame[2].positions.tolist()), ([[7] * 3] * 2, [[3] * 3] * 3))
        # All of it rests.
        frame = self.plain(2, [], left_out=4)
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual((list(frame.bodies), frame[1].positions[:, 1].tolist()), ([1, 2], [1, 1, 1, 1, 5, 5]))
        # One is missing: what builds on it is left out until a whole one comes.
        for seq in 4, 5:
            self.assertFalse(self.unpacker.unpack(self.plain(seq, [], left_out=4)))
        self.assertTrue(self.unpacker.should_ask())
        frame = self.plain(6, [self.floats_of(2, 0, 3, 8)])
        self.assertTrue(self.unpacker.unpack(frame))
        self.assertEqual((list(frame.bodies), frame.dropped), ([2], 2))

    def test_a_sparse_frame_behind_one_that_is_missing_is_left_out(self):
        self.unpacker.learn(1, body_of(self.vector))
        self.assertTrue(self.unpacker.unpack(frame_of(1, [chunk_of(self.vector, 0)])))
        for seq in 3, 4:
            self.assertFalse(self.unpacker.unpack(frame_of(seq, [], left_out=1)))
        self.assertTrue(self.unpacker.should_ask())
        whole = frame_of(5, [chunk_of(self.vector, 0)])
        self.assertTrue(self.unpacker.unpack(whole))
        self.assertEqual(whole.dropped, 2)
        self.assertTrue(self.unpacker.unpack(frame_of(6, [], left_out=1)))

    def test_whole_frames_of_a_world_are_read_as_they_are_meant(self):
        about = {one["body"]: one for one in vectors("compressed_frames.json", "bodies")}
        for stream in vectors("compressed_frames.json", "streams"):
            unpacker, seq = Unpacker(), None
            for message in stream["messages"]:
                taken = []
                receiver, data = Receiver(self.fail, taken.append), bytes.fromhex(message["hex"])
                receiver.get_buffer()[:len(data)] = data
                receiver.received(len(data))
                frame = Frame(taken)
                for body in unpacker.missing(frame):
                    unpacker.learn(body, answer_of(about[body]))
                with self.subTest(stream["name"], seq=frame.seq):
                    self.assertTrue(unpacker.unpack(frame))
                    self.assertEqual((frame.seq, frame.dropped > 0), (0 if seq is None else seq + 1, frame.tick == 9
                                                                      and "slow" in stream["name"]))
                    for one in message["decoded"]:
                        name = "skin" if "skin" in one else "positions"
                        np.testing.assert_array_equal(frame[one["body"]].array(name).reshape(-1), floats(one[name]))
                    self.assertEqual(len(frame.bodies), len({one["body"] for one in message["decoded"]}))
                seq = frame.seq

    def test_tiles_of_a_large_cloth_are_read_as_they_are_meant(self):
        for stream in vectors("compressed_frames.json", "tiled"):
            side, unpacker = stream["side"], Unpacker()
            for message in stream["messages"]:
                taken = []
                receiver, data = Receiver(self.fail, taken.append), bytes.fromhex(message["hex"])
                for at in range(0, len(data), 4096):
                    part = data[at:at + 4096]
                    receiver.get_buffer()[:len(part)] = part
                    receiver.received(len(part))
                frame = Frame(taken)
                for body in unpacker.missing(frame):
                    unpacker.learn(body, cloth_of(side, stream["elements_hash"]))
                with self.subTest(stream["name"], tick=frame.tick):
                    self.assertTrue(unpacker.unpack(frame))
                    self.assertEqual(frame[1].count, side * side)
                    expected = [row or [np.nan] * 3 for row in message["decoded"]]
                    np.testing.assert_array_equal(frame[1].positions[::stream["every"]], np.array(expected, np.float32))

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

    def test_tiles_are_put_together_and_what_was_not_sent_is_nan(self):
        # Points, in tiles as they come: plain chunks of 5000 vertices each.
        values = np.arange(30000, dtype=np.float32).reshape(-1, 3)

        def tile(at, **changes):
            data = b"\0\x88\x27\1" + values[5000 * at:5000 * (at + 1)].tobytes()
            return {"body": 1, "first": 0, "count": 5000, "tile": at, "tiles": 2, "positions": data, **changes}

        frame = Frame([fields_of(1, [tile(0)], parts=2), fields_of(1, [tile(1)], part=1, parts=2)])
        self.assertEqual(self.unpacker.missing(frame), [1])
        self.unpacker.learn(1, {"kind": "points", "particles": 10000, "positions": np.zeros(30000)})
        self.assertTrue(self.unpacker.unpack(frame))
        np.testing.assert_array_equal(frame[1].positions, values)
        frame = frame_of(2, [tile(1)])
        self.assertTrue(self.unpacker.unpack(frame))
        np.testing.assert_array_equal(frame[1].positions, np.concatenate([np.full((5000, 3), np.nan), values[5000:]]))
        with self.assertRaises(BadMessage):
            frame_of(3, [tile(2)])
        for wrong in ([tile(1), tile(1)], [tile(1, tiles=3)], [tile(1, count=4999)], [tile(0, tiles=1)],
                      [tile(1, tiles=1 << 40)]):
            with self.assertRaises(BadMessage):
                self.unpacker.unpack(frame_of(3, wrong))

    def test_what_is_none_is_refused(self):
        chunk = chunk_of(self.vector, 0)
        for wrong in ({"first": 1}, {"positions": [1.0]}, {"positions": None}, {"tile": 1, "tiles": 1},
                      {"tile": 0, "tiles": 0}, {"count": -1}, {"body": "a"}):
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

    def test_they_are_read_with_the_elements_that_they_tell_of(self):
        one, other = [vector for vector in vectors("compressed.json", "deltas") if vector["corners"]][:2]
        unpacker = self.unpacker

        def take(vector, at, **changes):
            frame = frame_of(1, [chunk_of(vector, at, **changes)])
            missing = unpacker.missing(frame)
            return frame, missing

        unpacker.learn(1, body_of(one, elements_hash=1))
        for at, hashes in ((0, {"elements_hash": 1}), (1, {}), (0, {"elements_hash": 1})):
            frame, missing = take(one, at, **hashes)
            self.assertEqual(missing, [])
            self.assertTrue(unpacker.unpack(frame))
        frame, missing = take(other, 0, elements_hash=2)
        self.assertEqual(missing, [1])
        unpacker.learn(1, body_of(other, elements_hash=2))
        self.assertTrue(unpacker.unpack(frame))
        np.testing.assert_array_equal(frame[1].positions, wanted(other, 0))
        # It was another one again when the answer came.
        frame, missing = take(one, 0, elements_hash=1)
        self.assertEqual(missing, [1])
        unpacker.learn(1, body_of(other, elements_hash=3))
        self.assertFalse(unpacker.unpack(frame))
        self.assertFalse(unpacker.unpack(take(one, 1)[0]))
        frame, missing = take(other, 0, elements_hash=3)
        self.assertEqual(missing, [])
        self.assertTrue(unpacker.unpack(frame))
        self.assertEqual(frame.dropped, 2)
        np.testing.assert_array_equal(frame[1].positions, wanted(other, 0))
        # One that was gone is asked for again with the next that stands alone.
        unpacker.learn(1, None)
        self.assertEqual((take(other, 1)[1], take(other, 0, elements_hash=3)[1]), ([], [1]))

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
                   (world.subscribe(fields=fields, encoding="q16"), 1e-3),
                   (world.subscribe(fields=fields, encoding="q16", sparse=True), 1e-3),
                   (world.subscribe(fields=fields, sparse=True), 0)]
        for tick in range(12):
            truth = exact.next(PATIENCE_S)
            self.assertEqual((truth.tick, truth.encoding), (tick, None))
            for stream, bound in streams:
                self.assert_near(stream.next(PATIENCE_S), truth, bound)
            world.step()

    def test_sparse_floats_are_what_floats_are(self):
        """Bodies that sleep, one that moves, a late joiner, a lossless stream, and a body that goes."""
        client = self.connect()
        world = self.world(client, sleep=True)
        low = world.add_body("rope", **weft.shapes.rope(3), pins=[0, 1, 2])
        world.add_body("cloth", **weft.shapes.sheet(4, 4), pins=list(range(16)))
        world.add_body("points", positions=[9, 9, 9], masses=1)
        fields = ["positions", "velocities"]
        exact, sparse = world.subscribe(fields=fields), world.subscribe(fields=fields, sparse=True)
        lossless = world.subscribe(fields=fields, sparse=True, mode="lossless")
        streams, left_out = [sparse, lossless], 0

        def compare(tick):
            nonlocal left_out
            truth = self.at(exact, tick)
            for stream in streams:
                frame = self.at(stream, tick)
                self.assertEqual((frame.dropped, list(frame.bodies)), (0, list(truth.bodies)))
                left_out += frame.left_out
                for body in truth:
                    for name in fields:
                        self.assertEqual(frame[body.id].array(name).tobytes(), body.array(name).tobytes())

        compare(0)
        for tick in range(1, 75):
            world.step()
            compare(tick)
        self.assertGreater(left_out, 2 * 2 * 10)
        streams.append(world.subscribe(fields=fields, sparse=True))
        world.step()
        compare(75)
        low.remove()
        world.step()
        compare(76)

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

    def others(self):
        """Bodies that come back under an id: with other elements, other vertices, and of another kind."""
        sheet = weft.shapes.sheet(12, 9)
        positions = np.asarray(sheet["positions"], float).ravel()
        triangles = np.asarray(sheet["triangles"], np.uint32).ravel()
        more = weft.shapes.sheet(7, 8)
        same = {"body": 1, "first_constraint": 1}
        return [
            {**same, "kind": "cloth", "positions": positions, "triangles": triangles[::-1].copy()},
            {**same, "kind": "cloth", "positions": np.asarray(more["positions"], float).ravel(),
             "triangles": np.asarray(more["triangles"], np.uint32).ravel()},
            {**same, "kind": "points", "positions": positions, "masses": 1.0}]

    def test_a_body_that_comes_back_with_other_elements_is_read_with_those(self):
        client = self.connect()
        world = self.world(client)
        body = world.add_body("cloth", **weft.shapes.sheet(12, 9))
        exact, stream = world.subscribe(), world.subscribe(encoding="delta", tolerance=1e-5)
        self.assert_near(stream.next(PATIENCE_S), exact.next(PATIENCE_S), 1e-5)
        for tick, other in enumerate(self.others(), 1):
            client.call("edit.batch", world=world.id, edits=[
                ["body.remove", {"body": body.id}], ["edit.restore", {"bodies": [other]}]])
            world.step()
            self.assert_near(self.at(stream, tick), self.at(exact, tick), 1e-5)

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
                await client.call("edit.batch", world=world.id, edits=[
                    ["body.remove", {"body": 1}], ["edit.restore", {"bodies": [self.others()[0]]}]])
                await world.step()
                read, truth = await stream.next(PATIENCE_S), await exact.next(PATIENCE_S)
                while read.tick < 6:
                    read = await stream.next(PATIENCE_S)
                while truth.tick < 6:
                    truth = await exact.next(PATIENCE_S)
                self.assert_near(read, truth, 1e-4)
                await world.delete()

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
