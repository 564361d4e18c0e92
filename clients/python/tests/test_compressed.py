"""Compressed positions, read as docs/reference/compressed.md says: against tests/wire, which weft wrote."""
import unittest

import numpy as np

from support import vectors

from weft.compressed import Decoder, NotHeld, Plan, Tiles, decode_q16
from weft.errors import BadMessage


def floats(numbers):
    return np.array([float(number) for number in numbers], np.float32).reshape(-1, 3)


def plan_of(vector):
    return Plan(vector["count"], np.array(vector["elements"], np.int64).reshape(-1, vector["corners"] or 3))


class Compressed(unittest.TestCase):
    def test_q16(self):
        for vector in vectors("compressed.json", "q16"):
            with self.subTest(vector["name"]):
                data, given = bytes.fromhex(vector["hex"]), floats(vector["positions"])
                positions, error = decode_q16(data, vector["count"])
                np.testing.assert_array_equal(positions, floats(vector["decoded"]))
                np.testing.assert_array_equal(error, floats(vector["error"])[0])
                finite = np.isfinite(given)
                off = np.abs(positions.astype(float)[finite] - given.astype(float)[finite])
                self.assertTrue((off <= np.broadcast_to(error, given.shape)[finite]).all())
                for size in range(len(data)):
                    with self.assertRaises(BadMessage):
                        decode_q16(data[:size], vector["count"])

    def test_tiles(self):
        for vector in vectors("compressed.json", "tiles"):
            with self.subTest(vector["name"]):
                elements = np.array(vector["elements"], np.int64).reshape(-1, vector["corners"] or 3)
                tiles = Tiles(vector["count"], elements, vector["most"])
                self.assertEqual([tile.tolist() for tile in tiles.vertices], vector["tiles"])
                self.assertEqual([tiles.plan(at).count for at in range(len(tiles))], [len(tile) for tile in vector["tiles"]])

    def test_q16_that_no_encoder_wrote(self):
        for vector in vectors("compressed.json", "q16_read"):
            with self.subTest(vector["name"]):
                positions, error = decode_q16(bytes.fromhex(vector["hex"]), vector["count"])
                self.assertEqual(positions.tobytes(), floats(vector["decoded"]).tobytes())
                self.assertEqual(error.tobytes(), floats(vector["error"]).tobytes())
        for vector in vectors("compressed.json", "q16_refused"):
            with self.subTest(vector["name"]), self.assertRaises(BadMessage):
                decode_q16(bytes.fromhex(vector["hex"]), vector["count"])

    def test_plans(self):
        for vector in vectors("compressed.json", "plans"):
            with self.subTest(vector["name"]):
                plan = plan_of(vector)
                self.assertEqual(plan.vertices.tolist(), vector["vertices"])
                self.assertEqual(plan.from_.tolist(), vector["from"])
        with self.assertRaises(BadMessage):
            Plan(3, [[0, 1, 3]])

    def test_delta(self):
        kinds = set()
        for vector in vectors("compressed.json", "deltas"):
            decoder = Decoder(plan_of(vector))
            for chunk in vector["chunks"]:
                with self.subTest(vector["name"], moment=chunk["moment"]):
                    data = bytes.fromhex(chunk["hex"])
                    kinds.add(data[0])
                    positions = decoder.decode(data)
                    self.assertEqual(positions.tobytes(), floats(chunk["decoded"]).tobytes())
                    if "positions" in chunk:
                        given = floats(chunk["positions"]).astype(float)
                        off = np.abs(positions.astype(float) - given)[np.isfinite(given)]
                        self.assertLessEqual(off.max(), np.float32(vector["tolerance"]))
        self.assertEqual(kinds, {0, 1, 2, 3})

    def test_delta_that_no_encoder_wrote(self):
        for vector in vectors("compressed.json", "read"):
            decoder = Decoder(plan_of(vector))
            for chunk in vector["chunks"]:
                with self.subTest(vector["name"], moment=chunk["moment"]):
                    positions = decoder.decode(bytes.fromhex(chunk["hex"]))
                    self.assertEqual(positions.tobytes(), floats(chunk["decoded"]).tobytes())
                    self.assertIn(decoder.moment, (chunk["moment"], None))

    def test_refused(self):
        for vector in vectors("compressed.json", "refused"):
            decoder = Decoder(Plan(25))
            for chunk in vector.get("before", []):
                decoder.decode(bytes.fromhex(chunk))
            with self.subTest(vector["name"]), self.assertRaises(BadMessage):
                decoder.decode(bytes.fromhex(vector["hex"]))

    def test_what_builds_on_nothing_leaves_what_is_held(self):
        vector = vectors("compressed.json", "deltas")[0]
        decoder = Decoder(plan_of(vector))
        key, second, third = (bytes.fromhex(chunk["hex"]) for chunk in vector["chunks"][:3])
        decoder.decode(key)
        with self.assertRaises(NotHeld):
            decoder.decode(third)
        decoder.decode(second)
        self.assertEqual(decoder.decode(third).tobytes(), floats(vector["chunks"][2]["decoded"]).tobytes())

    def test_cut(self):
        vector = vectors("compressed.json", "deltas")[1]
        data = bytes.fromhex(vector["chunks"][0]["hex"])
        for size in range(len(data)):
            with self.assertRaises(BadMessage):
                Decoder(plan_of(vector)).decode(data[:size])


if __name__ == "__main__":
    unittest.main()
