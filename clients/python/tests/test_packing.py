"""What goes out, and records: against tests/wire and msgpack."""
import pickle
import unittest

import msgpack
import numpy as np

import support
from support import weft, vectors

from weft import api
from weft.errors import BadMessage
from weft.packing import CODES, PIECE, Packer, to_wire_array
from weft.receiving import Receiver, ext_hook
from weft.records import DTYPES, Record, to_array
from weft.session import of_answer


def unpack(pieces):
    return msgpack.unpackb(b"".join(pieces), raw=False, ext_hook=ext_hook)


def packed(method, **fields):
    return unpack(Packer().request(7, method, fields))[3][0]


class Arrays(unittest.TestCase):
    def test_arrays_that_the_server_accepts_are_what_is_sent(self):
        """Each typed array of the vectors, made by numpy, goes out with the type and bytes of the vector."""
        seen = set()
        for vector in vectors("arrays.json", "accepted"):
            known = msgpack.unpackb(bytes.fromhex(vector["hex"]), strict_map_key=False, raw=True)
            if not isinstance(known, msgpack.ExtType):
                continue
            array = np.array([float(one) for one in vector["numbers"]]).astype(DTYPES[known.code])
            wire = to_wire_array(array, "x", "u32[]" if array.dtype.kind in "iu" else "number[]")
            if wire.size:
                self.assertEqual(CODES[wire.dtype], known.code, vector["name"])
                seen.add(known.code)
            self.assertEqual(wire.tobytes(), known.data, vector["name"])
        self.assertEqual(seen, set(DTYPES))

    def test_arrays_that_the_server_sends_become_numpy(self):
        for vector in vectors("arrays.json", "sent"):
            dtype = {"f32": np.float32, "f64": np.float64, "u32": np.uint32}[vector["type"]]
            for mode in ("ext", "bin", "plain"):
                came = msgpack.unpackb(bytes.fromhex(vector[mode]), ext_hook=ext_hook)
                array = to_array(came, dtype, 1, "x")
                self.assertEqual(array.dtype, np.dtype(dtype), f"{vector['name']}, {mode}")
                np.testing.assert_array_equal(array, np.array([float(one) for one in vector["numbers"]], dtype))

    def test_bytes_that_are_no_array_are_refused(self):
        for value in (b"abc", memoryview(bytes(7)), ["a"], [[1], [2]], {}, "text", [None]):
            with self.assertRaises(BadMessage):
                to_array(value, np.float32, 1, "x")
        with self.assertRaises(BadMessage):
            to_array(np.zeros(4, np.float32), np.float32, 3, "x")
        with self.assertRaises(BadMessage):
            ext_hook(0x17, bytes(5))

    def test_anything_numpy_makes_an_array_of_may_be_given(self):
        rows = [[0, 1, 0], [0.5, 1, 0]]
        for value in (rows, np.array(rows), np.array(rows, "f4"), np.array(rows, ">f8"), np.array(rows).T.copy().T,
                      np.array(rows, order="F"), np.array(rows + rows)[::2][:1].repeat(2, 0) * 0 + rows, tuple(rows)):
            sent = packed("body.add", positions=value)["positions"]
            np.testing.assert_array_equal(sent, np.array(rows).ravel())
        self.assertEqual(packed("body.add", positions=np.zeros(3, "f4"))["positions"].dtype, np.float32)
        self.assertEqual(packed("body.add", positions=np.zeros(3, "f2"))["positions"].dtype, np.float64)
        self.assertEqual(packed("body.add", pins=range(3))["pins"].tolist(), [0, 1, 2])
        self.assertEqual(packed("body.add", pins=[])["pins"].dtype, np.uint32)
        self.assertEqual(packed("body.add", pins=np.array([3], np.int64))["pins"].dtype, np.uint32)
        self.assertEqual(packed("body.add", masses=2.5)["masses"], 2.5)
        self.assertEqual(packed("body.add", masses=np.float32(2.5))["masses"], 2.5)
        self.assertEqual(packed("constraint.add", rest=np.float64(1))["rest"], 1.0)
        self.assertEqual(packed("world.set", gravity=(0, -1, 0))["gravity"].tolist(), [0, -1, 0])
        self.assertEqual(packed("world.set", wind={"velocity": np.array([1.0, 0, 0])})["wind"]["velocity"].tolist(),
                         [1, 0, 0])
        self.assertEqual(packed("stream.subscribe", fields="positions")["fields"], ["positions"])
        self.assertEqual(packed("later.method", x=np.arange(3))["x"].dtype, np.uint32)

    def test_what_is_no_array_is_refused_with_its_field(self):
        for field, value in (("triangles", [0, 1, -1]), ("triangles", [0.5]), ("triangles", [2**32]),
                             ("positions", ["a", "b"]), ("positions", [[1, 2], [3]]), ("positions", [1j])):
            with self.assertRaises(weft.Invalid) as caught:
                packed("body.add", **{field: value})
            self.assertEqual((caught.exception.field, caught.exception.kind), (field, 1))
        with self.assertRaises(weft.Invalid) as caught:
            packed("body.add", name=object())
        self.assertEqual(caught.exception.field, "name")
        with self.assertRaises(weft.Invalid):
            packed("body.add", name=2**70)

    def test_what_is_no_call_of_a_batch_is_refused_with_its_place(self):
        good = ("body.remove", {"body": 1})
        for bad in ({"method": "body.remove", "params": {}}, ("body.remove",), ("body.remove", 1), "ab", 5, (1, {}), None):
            with self.assertRaises(weft.Invalid) as caught:
                packed("edit.batch", edits=[good, bad])
            self.assertEqual(caught.exception.field, "edits[1]")

    def test_large_arrays_are_not_copied(self):
        array = np.arange(3 * PIECE, dtype=np.float32)
        pieces = Packer().request(1, "body.add", {"positions": array.reshape(-1, 3), "pins": [1]})
        views = [piece for piece in pieces if isinstance(piece, memoryview)]
        self.assertEqual(len(views), 1)
        self.assertTrue(np.shares_memory(np.frombuffer(views[0], np.float32), array))
        np.testing.assert_array_equal(unpack(pieces)[3][0]["positions"], array)
        self.assertEqual(unpack(pieces)[:3], [0, 1, "body.add"])

    def test_a_packer_goes_on_after_a_refusal(self):
        packer = Packer()
        with self.assertRaises(weft.Invalid):
            packer.request(1, "x", {"a": [1, 2, object()]})
        self.assertEqual(unpack(packer.request(2, "x", {"a": 1})), [0, 2, "x", [{"a": 1}]])
        self.assertEqual(unpack(packer.notification("x", {})), [2, "x", [{}]])


class Envelopes(unittest.TestCase):
    def test_messages_are_taken_whole_whatever_pieces_they_come_in(self):
        for vector in vectors("envelopes.json", "messages"):
            for step in (1, 3, 1000):
                messages, data = [], bytes.fromhex(vector["hex"]) * 3
                receiver = Receiver(messages.append, lambda fields: self.fail("no frame"))
                for at in range(0, len(data), step):
                    piece = data[at : at + step]
                    receiver.get_buffer()[: len(piece)] = piece
                    receiver.received(len(piece))
                self.assertEqual(len(messages), 3, vector["name"])
                kind = {"request": 0, "response": 1, "notification": 2}[vector["kind"]]
                self.assertEqual([message[0] for message in messages], [kind] * 3)


class Errors(unittest.TestCase):
    def test_errors_of_both_shapes_become_exceptions(self):
        for vector in vectors("errors.json", "errors"):
            error = of_answer(msgpack.unpackb(bytes.fromhex(vector["hex"]))[2])
            self.assertIs(type(error), api.ERRORS[vector["code"]], vector["name"])
            names = ("kind", "code", "text") + (
                ("field", "value", "revision", "user", "limit") if vector["mode"] == "map" else ())
            if vector["mode"] == "map" and vector["code"] == "MOVED":
                names += ("server", "address", "web")
            for name in names:
                self.assertEqual(getattr(error, name), vector[name], f"{vector['name']}: {name}")
            self.assertEqual(str(error), f"{vector['code']}: {vector['text']}")

    def test_a_code_of_a_later_server_is_treated_by_its_kind(self):
        error = of_answer([1, "NEW_ONE: never seen"])
        self.assertEqual((type(error), error.code, error.text), (weft.CallerError, "NEW_ONE", "never seen"))
        self.assertIs(type(of_answer({"kind": 0, "code": "NEW_ONE", "text": "x"})), weft.ServerError)
        for ill in (5, [1], [1, 2], {"kind": 1}, ["x", "A: b"]):
            self.assertIs(type(of_answer(ill)), BadMessage)


class Records(unittest.TestCase):
    def test_fields_are_attributes_and_later_ones_stay_within_reach(self):
        record = api.BodyStateResult({"body": 3, "tick": 1, "revision": 2, "positions": np.arange(6, dtype="f4"),
                                      "later": 7})
        self.assertEqual((record.body, record["later"], record.velocities), (3, 7, None))
        self.assertEqual(record.positions.shape, (2, 3))
        self.assertIn("later", record)
        self.assertEqual(pickle.loads(pickle.dumps(record)), record)
        with self.assertRaises(AttributeError):
            record.nothing
        with self.assertRaises(AttributeError):
            record.body = 4
        self.assertIn("positions", dir(record))
        self.assertIn("body=3", repr(record))

    def test_records_lie_within_records(self):
        record = api.WorldMeasureResult({"tick": 1, "revision": 1, "measures": {"kinetic": 2.0, "phases": {"wind": 1.0}}})
        self.assertEqual(record.measures.phases.wind, 1.0)
        self.assertEqual(record.as_dict()["measures"], {"kinetic": 2.0, "phases": {"wind": 1.0}})
        self.assertEqual(packed("world.set", wind=api.Wind({"drag": 1.0, "velocity": [1.0, 2, 3]}))["wind"]["drag"], 1.0)

    def test_what_is_no_map_is_refused(self):
        for ill in (5, [1], "x"):
            with self.assertRaises(BadMessage):
                api.WorldMeasureResult(ill)
        with self.assertRaises(BadMessage):
            api.WorldListResult({"worlds": 5})
        self.assertEqual(len(Record(None)), 0)


class Shapes(unittest.TestCase):
    def test_sheets_ropes_and_blocks_have_the_counts_and_senses_they_should(self):
        sheet = weft.shapes.sheet(4, 3, size=(3, 2), at=(1, 2, 3))
        self.assertEqual((sheet["positions"].shape, sheet["triangles"].shape), ((12, 3), (12, 3)))
        np.testing.assert_allclose(sheet["positions"][[0, 3, 8]], [[1, 2, 3], [4, 2, 3], [1, 0, 3]])
        a, b, c = (sheet["positions"][sheet["triangles"][:, corner]] for corner in range(3))
        normals = np.cross(b - a, c - a)
        np.testing.assert_allclose(normals, np.broadcast_to([0, 0, 1.0], normals.shape))
        rope = weft.shapes.rope(5)
        self.assertEqual(rope["edges"].tolist(), [[0, 1], [1, 2], [2, 3], [3, 4]])
        block = weft.shapes.block((2, 3, 4), spacing=0.5)
        p = block["positions"][block["tets"]]
        volumes = np.einsum("ij,ij->i", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0]) / 6
        self.assertEqual((block["positions"].shape, len(volumes)), ((60, 3), 144))
        self.assertTrue((volumes > 0).all())
        self.assertAlmostEqual(volumes.sum(), 1.0 * 1.5 * 2.0)
        for ill in (lambda: weft.shapes.sheet(1, 5), lambda: weft.shapes.rope(1), lambda: weft.shapes.block((0, 1, 1))):
            self.assertRaises(ValueError, ill)


if __name__ == "__main__":
    unittest.main()
