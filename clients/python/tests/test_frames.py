"""The frame decoder against tests/wire, whatever pieces the bytes come in, and against ill bytes."""
import random
import struct
import unittest

import msgpack
import numpy as np

import support
from support import vectors

from weft.errors import BadMessage
from weft.frames import Frame, FrameQueue
from weft.framing import HEAD_BYTES, PREFIX
from weft.receiving import BUFFER, Receiver


class Taken:
    """A receiver, and what came out of it."""

    def __init__(self, **options):
        self.messages, self.frames = [], []
        self.receiver = Receiver(self.messages.append, self.frames.append, **options)

    def feed(self, data, step=1 << 20):
        data = memoryview(data)
        while data:
            room = self.receiver.get_buffer()
            count = min(step, len(room), len(data))
            assert count > 0
            room[:count] = data[:count]
            data = data[count:]
            self.receiver.received(count)
        return self


def make_frame(seq=1, bodies=(), stream=3, part=0, parts=1, arrays=("positions",), tail=True, first=0, lead=()):
    """A frame laid out as docs/concepts/streaming.md says. bodies: (id, float32 array of n × 3, or × 4 for rotations)."""
    fields = [("world", 1), ("tick", seq), ("substep", 0), ("time", seq / 60), ("revision", 1), ("part", part),
              ("parts", parts), *lead]
    out = bytearray(PREFIX + struct.pack(">H", 4 + len(fields) + 2))
    for name, value in (("stream", stream), ("seq", seq), ("dropped", 0)):
        out += msgpack.packb(name) + b"\xce" + struct.pack(">I", value)
    out += msgpack.packb("_") + msgpack.packb(bytes(7))
    assert len(out) == HEAD_BYTES
    for name, value in fields:
        out += msgpack.packb(name) + msgpack.packb(value)
    tail = msgpack.packb("bodies") + b"\xdd" + struct.pack(">I", len(bodies))
    out += msgpack.packb("__") + msgpack.packb(bytes(-(len(out) + 5 + len(tail)) % 8)) + tail
    for body, rows in bodies:
        chunk = bytearray(bytes([0x80 + 3 + 2 * len(arrays)]))
        for name, value in (("body", body), ("first", first), ("count", len(rows))):
            chunk += msgpack.packb(name) + b"\xce" + struct.pack(">I", value)
        for index, name in enumerate(arrays):
            payload = np.asarray(rows, "<f4").tobytes()
            head = msgpack.packb(name) + b"\xc9" + struct.pack(">IB", len(payload), 0x17)
            chunk += msgpack.packb(f"_{index}") + msgpack.packb(bytes(-(len(chunk) + 5 + len(head)) % 8))
            chunk += head + payload
        chunk[0] += 1
        chunk += msgpack.packb("_z") + msgpack.packb(bytes(-(len(chunk) + 5) % 8))
        assert len(out) % 8 == 0 and len(chunk) % 8 == 0
        out += chunk
    return bytes(out)


def rows(count, seed=0, each=3):
    return np.random.default_rng(seed).random((count, each), dtype=np.float32)


class Vectors(unittest.TestCase):
    def is_meant(self, got, value, name):
        """Values with fields, lists of such, typed arrays ({ext, numbers}), or plain ones."""
        if isinstance(value, dict) and value.keys() == {"ext", "numbers"}:
            self.assertEqual(np.asarray(got).dtype, np.dtype("u4"), name)
            self.assertEqual(list(got), value["numbers"], name)
        elif isinstance(value, dict):
            for key, one in value.items():
                self.is_meant(getattr(got, key), one, f"{name}: {key}")
        elif isinstance(value, list):
            self.assertEqual(len(got), len(value), name)
            for one, meant in zip(got, value):
                self.is_meant(one, meant, name)
        else:
            self.assertEqual(got, value, name)

    def check(self, vector, fields):
        frame = Frame([fields])
        for key in ("stream", "seq", "dropped"):
            self.assertEqual(getattr(frame, key), vector["head"][key], vector["name"])
        for key, value in vector["fields"].items():
            if key not in ("part", "parts"):
                self.is_meant(getattr(frame, key), value, vector["name"])
        self.assertEqual(list(frame.bodies), [chunk["body"] for chunk in vector["chunks"]])
        for chunk in vector["chunks"]:
            body = frame[chunk["body"]]
            self.assertEqual((body.chunks[0].first, body.count), (chunk["first"], chunk["count"]))
            for name, dtype in (("positions", "f4"), ("positions64", "f8"), ("velocities", "f4"), ("normals", "f4"),
                                ("rotations", "f4"), ("rotations64", "f8")):
                if name not in chunk:
                    with self.assertRaises(AttributeError):
                        body.array(name)
                    continue
                expected = np.array([float(one) for one in chunk[name]], dtype).reshape(chunk["count"], -1)
                self.assertEqual(body.array(name).dtype, np.dtype(dtype))
                np.testing.assert_array_equal(body.array(name), expected, vector["name"])

    def test_frames_of_each_encoding_are_read_as_they_are_meant(self):
        for vector in vectors("frames.json", "frames"):
            with self.subTest(vector["name"]):
                taken = Taken().feed(bytes.fromhex(vector["hex"]))
                self.assertEqual((len(taken.frames), taken.messages), (1, []))
                self.check(vector, taken.frames[0])

    def test_frames_may_come_in_pieces_of_any_size(self):
        answer = msgpack.packb([1, 7, None, {"tick": 1}])
        for vector in vectors("frames.json", "frames"):
            data = bytes.fromhex(vector["hex"])
            for step in (1, 2, 3, 7, 16, 63, 64, 65, 200):
                with self.subTest(vector["name"], step=step):
                    # A reply in front moves the frame off its multiple of 8.
                    taken = Taken().feed((answer + data) * 3, step)
                    self.assertEqual(len(taken.frames), 3)
                    self.assertEqual(taken.messages, [[1, 7, None, {"tick": 1}]] * 3)
                    for fields in taken.frames:
                        self.check(vector, fields)

    def test_an_ordinary_reader_of_messagepack_gets_the_same(self):
        for vector in vectors("frames.json", "frames"):
            if vector["arrays"] != "ext":
                continue
            # Another header for the map: no longer the layout of the docs, still the same notification.
            data = bytes.fromhex(vector["hex"])
            other = data[:16] + b"\xdf\x00\x00" + data[17:]
            taken = Taken().feed(other, 11)
            self.assertEqual(taken.frames, [])
            self.check(vector, {**taken.messages[0][2][0]})

    def test_heads_say_how_many_fields_follow(self):
        for vector in vectors("frames.json", "heads"):
            head = bytes.fromhex(vector["hex"])
            if vector["keys"] > 100:
                continue
            more = b"".join(msgpack.packb(f"x{i}") + msgpack.packb(i) for i in range(vector["keys"] - 4))
            taken = Taken().feed(head + more, 5)
            self.assertEqual({key: taken.frames[0][key] for key in ("stream", "seq", "dropped")},
                             {key: vector[key] for key in ("stream", "seq", "dropped")})
            self.assertEqual(taken.frames[0][f"x{vector['keys'] - 5}"], vector["keys"] - 5)


class Views(unittest.TestCase):
    def test_arrays_are_views_of_the_buffer_aligned_and_read_only(self):
        taken = Taken()
        answer = msgpack.packb([1, 1, None, {}])
        for seq in range(60):
            taken.feed(answer + make_frame(seq, [(1, rows(5000, seq)), (2, rows(7, seq))]), 4099)
        self.assertEqual(len(taken.frames), 60)
        for seq, fields in enumerate(taken.frames):
            frame = Frame([fields])
            for body, count in ((1, 5000), (2, 7)):
                array = frame[body].positions
                np.testing.assert_array_equal(array, rows(count, seq))
                self.assertEqual(array.__array_interface__["data"][0] % 8, 0)
                self.assertFalse(array.flags.writeable)
                self.assertFalse(array.flags.owndata)
                self.assertIs(frame[body].positions.base, array.base)

    def test_frames_that_are_kept_do_not_change_when_others_come(self):
        taken, kept = Taken(), []
        for seq in range(200):
            taken.feed(make_frame(seq, [(1, rows(4000, seq))]))
            frame = Frame([taken.frames.pop()])
            if seq % 9 == 0:
                kept.append((seq, frame[1].positions))
        for seq, array in kept:
            np.testing.assert_array_equal(array, rows(4000, seq))

    def test_a_body_that_changes_its_size_or_its_arrays_is_read_anew(self):
        taken, rng = Taken(), random.Random(5)
        for seq in range(300):
            count, arrays = rng.choice([3, 4, 5]), rng.choice([("positions",), ("velocities",),
                                                               ("positions", "normals"), ("rotations",)])
            each = 4 if arrays == ("rotations",) else 3
            taken.feed(make_frame(seq, [(1, rows(count, seq, each)), (2, rows(2, seq, each))], arrays=arrays), rng.randint(9, 900))
            body = Frame([taken.frames.pop()])[1]
            self.assertEqual(set(body.chunks[0].arrays), set(arrays))
            np.testing.assert_array_equal(body.array(arrays[-1]), rows(count, seq, each))

    def test_rotations_that_are_not_four_numbers_for_each_particle_are_refused(self):
        with self.assertRaises(BadMessage):
            Frame([Taken().feed(make_frame(1, [(1, rows(4))], arrays=("rotations",))).frames[0]])

    def test_a_frame_larger_than_the_buffer_gets_a_larger_one(self):
        count = BUFFER // 12 + 1000
        taken = Taken().feed(make_frame(1, [(1, rows(count))]), 65536)
        np.testing.assert_array_equal(Frame([taken.frames[0]])[1].positions, rows(count))
        taken.feed(make_frame(2, [(1, rows(10))]))
        np.testing.assert_array_equal(Frame([taken.frames[1]])[1].positions, rows(10))


class Parts(unittest.TestCase):
    def take(self, *messages):
        taken, queue = Taken(), FrameQueue()
        for message in messages:
            taken.feed(message)
        for fields in taken.frames:
            queue.part(fields)
        return queue

    def test_the_parts_of_a_frame_become_one(self):
        queue = self.take(make_frame(4, [(1, rows(50, 1))], part=0, parts=2, lead=[("grabs", [])]),
                          make_frame(4, [(1, rows(30, 2)), (2, rows(3, 3))], part=1, parts=2, first=50))
        frame = queue.take()
        self.assertEqual((frame.seq, list(frame.bodies), frame.grabs, queue.take()), (4, [1, 2], [], None))
        self.assertEqual([chunk.count for chunk in frame[1].chunks], [50, 30])
        np.testing.assert_array_equal(frame[1].positions, np.concatenate([rows(50, 1), rows(30, 2)]))
        self.assertIs(frame[1].positions, frame[1].positions)

    def test_a_frame_that_stays_unfinished_is_counted_as_dropped(self):
        queue = self.take(make_frame(4, [(1, rows(5))], part=0, parts=2), make_frame(5, [(1, rows(5))]))
        self.assertEqual([queue.take().dropped, queue.take()], [1, None])

    def test_parts_that_contradict_one_another_are_refused(self):
        for messages in ([make_frame(4, part=2, parts=2)], [make_frame(4, part=0, parts=2)] * 2,
                         [make_frame(4, part=0, parts=1 << 31)],
                         [make_frame(4, [(1, rows(5))], part=0, parts=2),
                          make_frame(4, [(1, rows(5))], part=1, parts=2, first=6)]):
            with self.assertRaises(BadMessage):
                self.take(*messages)

    def test_a_queue_drops_its_oldest_frames_and_says_how_many(self):
        queue = FrameQueue()
        queue.keep = 3
        taken = Taken()
        for seq in range(10):
            taken.feed(make_frame(seq, [(1, rows(5))]))
            queue.part(taken.frames.pop())
        frames = [queue.take() for _ in range(3)]
        self.assertEqual([(frame.seq, frame.dropped) for frame in frames], [(7, 7), (8, 0), (9, 0)])
        self.assertEqual((queue.take(), queue.nbytes), (None, 0))
        queue.keep, queue.keep_bytes = 100, 200
        for seq in range(10):
            taken.feed(make_frame(seq, [(1, rows(5))]))
            queue.part(taken.frames.pop())
        self.assertEqual([(frame.seq, frame.dropped) for frame in (queue.take(), queue.take(), queue.take())],
                         [(7, 7), (8, 0), (9, 0)])


class Hostile(unittest.TestCase):
    def test_any_change_of_a_byte_is_read_or_refused_and_never_more(self):
        rng = random.Random(11)
        good = make_frame(3, [(1, rows(4)), (2, rows(3))], arrays=("positions", "velocities"))
        refused = 0
        for _ in range(4000):
            data = bytearray(good)
            for _ in range(rng.randint(1, 3)):
                data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0x80, 0x90, 0xC1, 0xC9, 0xDD, 0xDF, 0xFF,
                                                             rng.randrange(256)])
            taken, queue = Taken(message_max=1 << 20), FrameQueue()
            try:
                taken.feed(data, rng.choice([13, 100, 4096]))
                for fields in taken.frames:
                    queue.part(fields)
            except BadMessage:
                refused += 1
        self.assertGreater(refused, 500)

    def test_a_length_beyond_the_bound_is_refused_before_it_comes(self):
        head = make_frame(1)[:HEAD_BYTES]
        for tail in (b"\xa1x\xc9\xff\xff\xff\xf0\x17", b"\xa1x\xc6\xff\xff\xff\xff", b"\xa1x\xdb\xff\xff\xff\xff"):
            with self.assertRaises(BadMessage):
                Taken(message_max=1 << 20).feed(head + tail + bytes(64))
        with self.assertRaises(BadMessage):
            Taken(message_max=1 << 16).feed(b"\x94\x01\x01\xc0\xc6\xff\xff\xff\xff" + bytes(1 << 17))

    def test_claims_of_a_billion_take_no_memory(self):
        for data in (b"\xdd\x3b\x9a\xca\x00", b"\xdf\x3b\x9a\xca\x00"):
            with self.assertRaises(BadMessage):
                Taken().feed(b"\x94\x01\x01\xc0" + data + bytes(16))
        taken = Taken().feed(make_frame(1)[:HEAD_BYTES] + b"\xa6bodies\xdd\x3b\x9a\xca\x00")
        self.assertEqual(taken.frames, [])

    def test_what_nests_without_end_is_refused(self):
        with self.assertRaises(BadMessage):
            Taken().feed(make_frame(1)[:HEAD_BYTES] + b"\xa1x" + b"\x91" * 100)
        with self.assertRaises(BadMessage):
            Taken().feed(b"\x91" * 100_000)

    def test_arrays_of_another_length_than_the_count_are_refused(self):
        good = make_frame(1, [(1, rows(4))])
        with self.assertRaises(BadMessage):
            Taken().feed(good.replace(b"count\xce\x00\x00\x00\x04", b"count\xce\x00\x00\x00\x05"))
        with self.assertRaises(BadMessage):
            # Ten numbers are no rows of three.
            Taken().feed(good.replace(b"\xc9\x00\x00\x00\x30\x17", b"\xc9\x00\x00\x00\x28\x17"))
        # Of another type.
        with self.assertRaises(BadMessage):
            Taken().feed(good.replace(b"\xc9\x00\x00\x00\x30\x17", b"\xc9\x00\x00\x00\x30\x16"))


if __name__ == "__main__":
    unittest.main()
