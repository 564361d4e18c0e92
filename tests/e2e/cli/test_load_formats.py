#!/usr/bin/env python3
"""weft load: what files of each format hold comes out of them, place by place; and what they only pretend to hold is
refused with a sentence that says what is wrong, and where."""

import base64
import json
import math
import os
import shutil
import struct
import tempfile
import unittest
from pathlib import Path

from shell import ShellTest

TET = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def lines(*words):
    return "".join(f"{word}\n" for word in words)


def vertices(points, form="v {} {} {}"):
    return lines(*(form.format(*point) for point in points))


def faces(polygons=QUADS, form="{}"):
    return lines(*("f " + " ".join(form.format(i + 1) for i in polygon) for polygon in polygons))


class Formats(ShellTest):
    def setUp(self):
        super().setUp()
        self.dir = Path(tempfile.mkdtemp(prefix="weft-formats-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.peer = self.server.peer().__enter__()
        self.addCleanup(self.peer.__exit__, None, None, None)
        self.peer.call("world.create", name="w")
        self.bodies = 0

    def file(self, name, data):
        path = self.dir / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def triangles(self, path, *arguments):
        """The triangles of what is loaded, as sets of places."""
        self.bodies += 1
        told = self.json("load", path, "--world", "w", "--name", f"b{self.bodies}", *arguments)
        got = self.json("call", "body.get", json.dumps({"world": "w", "body": told["answer"]["body"]}))
        places, corners = got["positions"], got["triangles"]
        self.peer.call("body.remove", world="w", body=told["answer"]["body"])
        points = [tuple(round(n, 5) for n in places[i:i + 3]) for i in range(0, len(places), 3)]
        self.assertEqual(len(points), told["particles"])
        return [frozenset(points[k] for k in corners[i:i + 3]) for i in range(0, len(corners), 3)]

    def area(self, triangles):
        total = 0
        for triangle in triangles:
            a, b, c = triangle
            u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
            n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            total += math.sqrt(sum(k * k for k in n)) / 2
        return total

    def is_cube(self, path):
        triangles = self.triangles(path)
        self.assertEqual({point for triangle in triangles for point in triangle}, {tuple(map(float, p)) for p in CUBE})
        self.assertEqual(len(set(triangles)), 12)
        self.assertAlmostEqual(self.area(triangles), 6)

    def is_tet(self, path, scale=1.0, move=(0, 0, 0), points=TET):
        moved = [tuple(round(scale * c + m, 5) for c, m in zip(p, move)) for p in points]
        self.assertEqual(set(self.triangles(path)), {frozenset(moved[i] for i in face) for face in FACES})

    def refused(self, path, *words, code="INVALID"):
        error = self.weft("load", path, "--world", "w", "--create", status=1).stderr
        self.assertTrue(error.startswith(f"weft: {code}: {path}"), error)
        for word in words:
            self.assertIn(word, error)
        self.assertLess(len(error), len(str(path)) + 250)
        self.assertEqual(self.peer.call("world.get", world="w")["bodies"], 0)

    # -- Wavefront OBJ

    def test_obj_as_programs_write_them(self):
        cases = {
            "negative": vertices(CUBE) + faces([[i - 9 for i in quad] for quad in QUADS]),
            "crlf": (vertices(CUBE) + faces()).replace("\n", "\r\n"),
            "cr": (vertices(CUBE) + faces()).replace("\n", "\r"),
            "mark": "\ufeff" + vertices(CUBE) + faces(),
            "blanks": "".join(f" \t{line} \n" for line in (vertices(CUBE) + faces()).splitlines()),
            "comments": "# " + "x" * 300000 + "\n" + vertices(CUBE) + faces().replace("\n", " # f 1 2 3\n"),
            "continued": vertices(CUBE) + faces().replace(" ", " \\\n  "),
            "textures": "mtllib gone.mtl\n" + vertices(CUBE) + "vt 0 0\nvn 0 0 1\nusemtl gone\n" + faces(form="{}/1/1"),
            "normals": vertices(CUBE) + "vn 0 0 1\n" + faces(form="{}//1"),
            "colours": vertices(CUBE, "v {} {} {} 1 .5 .25") + faces(),
            "fourth": vertices(CUBE, "v {} {} {} 2.0") + faces(),
            "bare points": vertices(CUBE, "v {}. {}. {}.") + faces(),
            "last line": (vertices(CUBE) + faces()).rstrip(),
            "forward": faces() + vertices(CUBE),
            "lines": vertices(CUBE) + "p 1 2\nl 1 2 3\n" + faces(),
            "capitals": (vertices(CUBE) + faces()),
        }
        for name, text in cases.items():
            with self.subTest(name):
                self.is_cube(self.file(name + (".OBJ" if name == "capitals" else ".obj"), text))

    def test_obj_objects_and_groups(self):
        path = self.file("groups.obj", vertices(CUBE) + "g a b\n" + faces(QUADS[:2]) + "g  second  # one\n" +
                         faces(QUADS[2:3]) + "o Third\n" + faces(QUADS[3:]))
        told = self.json("load", path, "--dry-run")
        self.assertEqual([(m["name"], m["triangles"]) for m in told["meshes"]], [("a b", 4), ("second", 2), ("Third", 6)])
        self.is_cube(path)
        self.assertEqual(len(self.triangles(path, "--mesh", "second")), 2)

    def test_obj_names_of_several_words_and_materials_that_are_gone(self):
        path = self.file("words.obj", "mtllib gone.mtl\no two words\nusemtl dark red\n" + vertices(CUBE) + faces(QUADS[:3]) +
                         'o "quoted" ü\n' + faces(QUADS[3:]))
        told = self.json("load", path, "--dry-run")
        self.assertEqual(([m["name"] for m in told["meshes"]], told["materials"], told["missing"]),
                         (["two words", '"quoted" ü'], 1, "gone.mtl"))
        self.assertEqual(len(self.triangles(path, "--mesh", "two words")), 6)
        self.assertIn("gone.mtl cannot be opened", self.weft("load", path, "--dry-run").stdout)
        os.mkfifo(self.dir / "gone.mtl")  # which nobody writes
        self.assertEqual(self.json("load", path, "--dry-run")["missing"], "gone.mtl")
        (self.dir / "gone.mtl").unlink()
        self.file("gone.mtl", "newmtl dark red\nKd 1 0 0\n")
        self.assertNotIn("missing", self.json("load", path, "--dry-run"))
        # What a file has no material for is no material, and what a name hides is not shown to a terminal.
        self.assertEqual(self.json("load", self.file("plain.ply", self.ply("ascii")), "--dry-run")["materials"], 0)
        self.assertEqual(self.json("load", self.file("plain.gltf", self.gltf()), "--dry-run")["materials"], 0)
        odd = self.file("\x1b[31m\u202e.obj", "o a\x1b[7m\u202eb\n" + vertices(CUBE) + faces(QUADS[:3]) + "o b\n" + faces(QUADS[3:]))
        self.assertFalse(set("\x1b\u202e") & set(self.weft("load", odd, "--dry-run").stdout))
        self.assertFalse(set("\x1b\u202e") & set(self.weft("load", self.dir / "\x1b\u202e.ply", "--dry-run", status=1).stderr))

    def test_polygons_are_cut_within_themselves(self):
        star = [((1, .4)[i % 2] * math.cos(math.pi * i / 5), (1, .4)[i % 2] * math.sin(math.pi * i / 5), 0) for i in range(10)]
        area = 10 * .5 * .4 * math.sin(math.pi / 5)
        for turn in range(10):
            order = star[turn:] + star[:turn]
            path = self.file(f"star{turn}.obj", vertices(order, "v {:.9f} {:.9f} {}") + faces([range(10)]))
            triangles = self.triangles(path)
            self.assertEqual(len(triangles), 8)
            self.assertAlmostEqual(self.area(triangles), area, places=4)
        bowl = self.file("bowl.obj", "v 0 0 0\nv 2 0 .1\nv 2 2 0\nv 1 .5 .1\nv 0 2 0\nf 1 2 3 4 5\n")
        self.assertEqual(len(self.triangles(bowl)), 3)

    def test_names_of_files_that_are_no_text(self):
        path = os.fsencode(self.dir) + b"/a\xff\x01.obj"
        with open(path, "wb") as file:
            file.write((vertices(CUBE) + faces()).encode())
        told = self.json("load", os.fsdecode(path), "--world", "w")
        self.assertEqual((told["name"], told["particles"]), ("a??", 8))
        self.assertTrue(told["file"].endswith("/a?\x01.obj"))

    def test_obj_that_are_none(self):
        self.refused(self.file("zero.obj", vertices(CUBE) + "f 0 1 2\n"), ", line 9:", "count from 1")
        self.refused(self.file("comma.obj", "v 0,5 0 0\n"), ", line 1:")
        self.refused(self.file("wide.obj", vertices(CUBE).encode("utf-16")), "UTF-16")
        self.refused(self.file("wires.obj", vertices(CUBE) + "l 1 2 3\n"), "no faces")
        self.refused(self.file("cr.obj", "v 0 0 0\rv 1 0 0\rv x 0 0\r"), ", line 3:")

    # -- PLY

    def ply(self, form, real="float", lengths="uchar", index="int", name="vertex_indices", more=False, end="\n"):
        order = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}[form]
        letters = {"float": "f", "double": "d", "uchar": "B", "int": "i", "uint": "I", "ushort": "H", "short": "h"}
        head = ["ply", f"format {form} 1.0", "comment of somebody", "obj_info here", "element vertex 4"]
        head += ["property uchar red"] if more else []
        head += [f"property {real} {axis}" for axis in "xyz"]
        head += ["property list uchar float tags", "element face 4", "property short flags"] if more else ["element face 4"]
        head += [f"property list {lengths} {index} {name}"]
        head += ["property list uchar float texcoord", "element material 1", "property float shine"] if more else []
        data = (end.join(head + ["end_header"]) + end).encode()

        def put(*typed):
            if not order:
                return " ".join(str(value) for _, value in typed).encode() + end.encode()
            return b"".join(struct.pack(order + letters[kind], value) for kind, value in typed)
        for point in TET:
            data += put(*([("uchar", 7)] if more else []), *((real, c) for c in point),
                        *([("uchar", 2), ("float", 5), ("float", 6)] if more else []))
        for face in FACES:
            data += put(*([("short", -3)] if more else []), (lengths, 3), *((index, i) for i in face),
                        *([("uchar", 2), ("float", 0), ("float", 1)] if more else []))
        return data + (put(("float", 1)) if more else b"")

    def test_ply_of_any_order_and_type(self):
        for form in ("ascii", "binary_little_endian", "binary_big_endian"):
            for number, options in enumerate(({}, {"real": "double"}, {"more": True}, {"index": "uchar", "name": "vertex_index"},
                                              {"lengths": "int", "index": "ushort"}, {"index": "uint"}, {"end": "\r\n"})):
                with self.subTest(form=form, **options):
                    self.is_tet(self.file(f"{form}{number}.ply", self.ply(form, **options)))

    def test_ply_that_are_none(self):
        text, little, big = (self.ply(f) for f in ("ascii", "binary_little_endian", "binary_big_endian"))
        self.refused(self.file("short.ply", text[:-9]), ", line 18:", "3 of 4")
        self.refused(self.file("half.ply", text[:-3]), ", line 19:", "a value is missing")
        self.refused(self.file("little.ply", little[:-5]), "ends within face 3 of 4")
        self.refused(self.file("big.ply", big[:-5]), "ends within face 3 of 4")
        self.refused(self.file("far.ply", text.replace(b"3 0 1 3", b"3 0 1 4")), ", line 17:", "no vertex 4")
        self.refused(self.file("minus.ply", text.replace(b"3 0 1 3", b"3 0 1 -1")), ", line 17:", "no vertex -1")
        self.refused(self.file("farther.ply", big[:-4] + struct.pack(">i", 9)), "face 3:", "no vertex 9")
        self.refused(self.file("nan.ply", text.replace(b"1 0 0\n", b"nan 0 0\n")), ", line 13:")
        self.refused(self.file("inf.ply", little.replace(struct.pack("<f", 1), struct.pack("<f", math.inf), 1)), "vertex 1:")
        self.refused(self.file("points.ply", text.split(b"element face")[0] + b"end_header\n"), "no element face")
        self.refused(self.file("strips.ply", text.replace(b"element face", b"element tristrips")), "no element face")
        self.refused(self.file("type.ply", text.replace(b"property float x", b"property quad x")), ", line 6:", "'quad'")
        self.refused(self.file("claim.ply", little.replace(b"vertex 4\n", b"vertex 4000000000\n")), ", line 5:", code="LIMIT")
        self.refused(self.file("many.ply", little.replace(b"vertex 4\n", b"vertex 16000000\n")), "ends within vertex")

    # -- STL

    def stl_bytes(self, head=b"", count=4, attribute=b"\0\0"):
        data = head.ljust(80, b"\0") + struct.pack("<I", count)
        for face in FACES:
            data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *TET[i]) for i in face) + attribute
        return data

    def stl_text(self, name="it", end="\n"):
        words = [f"solid {name}"]
        for face in FACES:
            words += ["facet normal 0 0 0", "outer loop", *("vertex {} {} {}".format(*TET[i]) for i in face), "endloop", "endfacet"]
        return end.join(words + [f"endsolid {name}", ""])

    def test_stl_as_programs_write_them(self):
        cases = {"bytes": self.stl_bytes(), "solid": self.stl_bytes(b"solid but bytes\nfacet normal 0 0 0"),
                 "colour": self.stl_bytes(b"COLOR=\xff\0\0\xff", attribute=b"\x1f\x80"), "text": self.stl_text(),
                 "capitals": self.stl_text().upper(), "crlf": self.stl_text(end="\r\n"), "nameless": self.stl_text(name=""),
                 "blanks": "\n  " + self.stl_text().replace("\n", "\n\t"), "endless": self.stl_text().split("endsolid")[0]}
        for name, data in cases.items():
            with self.subTest(name):
                self.is_tet(self.file(name + ".stl", data))

    def test_stl_that_are_none(self):
        self.refused(self.file("short.stl", self.stl_bytes(count=9)), "9 triangles are promised", "after 4")
        self.refused(self.file("long.stl", self.stl_bytes() + b"more"), "4 bytes follow")
        self.refused(self.file("none.stl", b"\0" * 84), "no triangles")
        self.refused(self.file("page.stl", "<html>404</html>"), "no STL")
        self.refused(self.file("cut.stl", self.stl_text()[:-60]), ", line 25:", "missing")
        self.refused(self.file("facet.stl", self.stl_text().split("endfacet")[0]), "the file ends where 'endfacet'")
        self.refused(self.file("word.stl", self.stl_text().replace("vertex 1", "vertex x", 1)), ", line 6:")
        self.refused(self.file("four.stl", self.stl_text().replace("endloop", "vertex 0 0 0\nendloop", 1)), ", line 7:", "'endloop'")
        self.refused(self.file("nan.stl", self.stl_bytes().replace(struct.pack("<f", 1), struct.pack("<f", math.nan), 1)), "no finite place")

    # -- glTF

    DATA = b"".join(struct.pack("<3f", *p) for p in TET) + struct.pack("<12H", *(i for f in FACES for i in f))

    def gltf(self, data=DATA, uri=None, nodes=None, **more):
        uri = uri or "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes or [{"mesh": 0}],
                 "meshes": [{"name": "tet", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                               {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
                 "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
                 "buffers": [{"byteLength": len(data), "uri": uri}], **more}
        return json.dumps(scene)

    def test_gltf_nodes_accessors_and_buffers(self):
        self.is_tet(self.file("plain.gltf", self.gltf()))
        self.is_tet(self.file("nested.gltf", self.gltf(nodes=[{"children": [1], "translation": [1, 2, 3]}, {"mesh": 0, "scale": [2, 2, 2]}])),
                    2, (1, 2, 3))
        self.is_tet(self.file("matrix.gltf", self.gltf(nodes=[{"mesh": 0, "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]}])),
                    2, (5, 6, 7))
        self.is_tet(self.file("mirror.gltf", self.gltf(nodes=[{"mesh": 0, "scale": [-1, 1, 1]}])),
                    points=[(-x, y, z) for x, y, z in TET])
        sparse = self.DATA + struct.pack("<HH3f", 3, 0, 0, 0, 5)
        views = [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24},
                 {"buffer": 0, "byteOffset": 72, "byteLength": 2}, {"buffer": 0, "byteOffset": 76, "byteLength": 12}]
        accessors = json.loads(self.gltf())["accessors"]
        accessors[0]["sparse"] = {"count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 3}}
        self.is_tet(self.file("sparse.gltf", self.gltf(sparse, bufferViews=views, accessors=accessors)), points=TET[:3] + [(0, 0, 5)])
        wild = sparse[:72] + struct.pack("<H", 60000) + sparse[74:]
        self.refused(self.file("wild.gltf", self.gltf(wild, bufferViews=views, accessors=accessors)), "cannot be read")
        for name, uri in (("a.bin", "a.bin"), ("in/b.bin", "in/b.bin"), ("c d/ü.bin", "c%20d/%C3%BC.bin"), ("e f.bin", "e f.bin")):
            self.file(name, self.DATA)
            self.is_tet(self.file("outer.gltf", self.gltf(uri=uri)))
        told = self.json("load", self.file("three.gltf", self.gltf(
            nodes=[{"mesh": 0}, {"mesh": 0, "translation": [5, 0, 0]}, {"mesh": 0, "translation": [0, 5, 0]}],
            scenes=[{"nodes": [0, 1, 2]}])), "--dry-run")
        self.assertEqual(([m["triangles"] for m in told["meshes"]], told["particles"]), ([4, 4, 4], 12))

    def test_gltf_skins_stand_where_their_joints_put_them(self):
        # Two joints in a chain, the second turned by its parent; the first two points follow one, the others the other. The
        # transform of the node that has the skinned mesh counts for nothing.
        joints = struct.pack("<16B", *[0, 0, 0, 0] * 2, *[1, 0, 0, 0] * 2)
        weights = struct.pack("<16f", *[1, 0, 0, 0] * 4)
        inverse = struct.pack("<32f", *[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 2)
        plain = json.loads(self.gltf())
        views, accessors = plain["bufferViews"], plain["accessors"]
        data = self.DATA
        for piece, kind, form in ((joints, 5121, "VEC4"), (weights, 5126, "VEC4"), (inverse, 5126, "MAT4")):
            data += b"\0" * (-len(data) % 4)
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(piece)})
            accessors.append({"bufferView": len(views) - 1, "componentType": kind, "count": 2 if form == "MAT4" else 4,
                              "type": form})
            data += piece
        first = len(accessors) - 3
        meshes = plain["meshes"]
        meshes[0]["primitives"][0]["attributes"] |= {"JOINTS_0": first, "WEIGHTS_0": first + 1}
        nodes = [{"name": "group", "children": [1, 2], "translation": [100, 0, 0]},
                 {"name": "body", "mesh": 0, "skin": 0, "scale": [9, 9, 9]},
                 {"name": "hip", "children": [3], "translation": [-100, 2, 0], "rotation": [0, 0, 0.5 ** 0.5, 0.5 ** 0.5]},
                 {"name": "knee", "translation": [1, 0, 0]}]
        skins = [{"joints": [2, 3], "inverseBindMatrices": first + 2}]
        hip = [(-y, x + 2, z) for x, y, z in TET[:2]]
        knee = [(-y, x + 1 + 2, z) for x, y, z in TET[2:]]
        self.is_tet(self.file("skin.gltf", self.gltf(data, nodes=nodes, skins=skins, meshes=meshes, bufferViews=views,
                                                     accessors=accessors)), points=hip + knee)

    def glb(self, text):
        """The same with its buffer in a chunk of its own."""
        root = json.loads(text)
        data = base64.b64decode(root["buffers"][0].pop("uri").partition(",")[2])
        chunks = [(b"JSON", json.dumps(root).encode()), (b"BIN\0", data)]
        chunks = [(kind, piece + (b" " if kind == b"JSON" else b"\0") * (-len(piece) % 4)) for kind, piece in chunks]
        body = b"".join(struct.pack("<I4s", len(piece), kind) + piece for kind, piece in chunks)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body

    def test_gltf_skins_and_weights_of_any_kind(self):
        # Without inverse bind matrices; joints of one name; one mesh with a skin, without one, and with a target's weight.
        joints, weights = struct.pack("<16B", *[0, 0, 0, 0] * 4), struct.pack("<16f", *[1, 0, 0, 0] * 4)
        target = struct.pack("<12f", *[0, 0, 0] * 3, 0, 0, 4)
        plain = json.loads(self.gltf())
        views, accessors, data = plain["bufferViews"], plain["accessors"], self.DATA
        for piece, kind, form in ((joints, 5121, "VEC4"), (weights, 5126, "VEC4"), (target, 5126, "VEC3")):
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(piece)})
            accessors.append({"bufferView": len(views) - 1, "componentType": kind, "count": 4, "type": form})
            data += piece
        attributes = {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}
        mesh = {"primitives": [{"attributes": attributes, "indices": 1, "targets": [{"POSITION": 4}]}]}
        nodes = [{"name": "same", "mesh": 0, "translation": [10, 0, 0]}, {"name": "same", "mesh": 0, "skin": 0, "scale": [9, 9, 9]},
                 {"name": "same", "children": [3], "translation": [20, 0, 0]}, {"name": "same", "translation": [0, 1, 0]},
                 {"mesh": 0, "weights": [0.5], "translation": [30, 0, 0]}]
        text = self.gltf(data, nodes=nodes, scenes=[{"nodes": [0, 1, 2, 4]}], skins=[{"joints": [3]}], meshes=[mesh],
                         bufferViews=views, accessors=accessors)
        places = [[(x + 10, y, z) for x, y, z in TET], [(x + 20, y + 1, z) for x, y, z in TET],
                  [(x + 30, y, 3 * z) for x, y, z in TET]]
        for path in (self.file("all.gltf", text), self.file("all.glb", self.glb(text))):
            got = self.triangles(path)
            self.assertEqual((len(got), set(got)), (12, {frozenset(points[i] for i in face) for points in places for face in FACES}))
        mesh["weights"] = [0.25]
        self.is_tet(self.file("weight.gltf", self.gltf(data, meshes=[mesh], bufferViews=views, accessors=accessors)),
                    points=TET[:3] + [(0, 0, 2)])

    def test_gltf_buffers_lie_beside_or_below(self):
        outside = Path(tempfile.mkdtemp(prefix="weft-formats-"))
        self.addCleanup(shutil.rmtree, outside)
        secret = outside / "secret.bin"
        secret.write_bytes(self.DATA)
        os.symlink(secret, self.dir / "link.bin")
        os.symlink(outside, self.dir / "way")
        self.file("in/deep.bin", self.DATA)
        climb = f"../{outside.name}/secret.bin"
        for uri in (climb, "in/../" + climb, str(secret), secret.as_uri(), "link.bin", "way/secret.bin", climb.replace("../", "%2e%2e/"),
                    climb.replace("../", "..%2f"), climb.replace("../", "..\\"), "/dev/zero", "http://127.0.0.1/x.bin", "gone.bin", "../deep.bin",
                    "in/deep.bin%00"):
            with self.subTest(uri):
                self.refused(self.file("main.gltf", self.gltf(uri=uri)), "cannot be read")

    def test_gltf_that_are_none(self):
        bad = self.DATA[:48] + struct.pack("<H", 99) + self.DATA[50:]
        self.refused(self.file("index.gltf", self.gltf(bad)), "of 4 triangles 3")
        for extension in ("KHR_mesh_quantization", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing", "X_Y"):
            self.refused(self.file("needs.gltf", self.gltf(extensionsRequired=[extension])), extension)
        self.is_tet(self.file("uses.gltf", self.gltf(extensionsUsed=["X_Y", "KHR_materials_unlit"], extensionsRequired=["KHR_materials_unlit"])))
        accessors = json.loads(self.gltf())["accessors"]
        accessors[0]["componentType"] = 5123
        self.refused(self.file("ints.gltf", self.gltf(accessors=accessors)), "type 5123")
        self.refused(self.file("old.gltf", self.gltf(asset={"version": "1.0"})), "version 1.0")
        self.refused(self.file("broken.gltf", self.gltf()[:-3] + "\n,"), ", line 2:", "no JSON")
        self.refused(self.file("empty.gltf", self.gltf(scenes=[{"nodes": []}])), "no triangles")
        self.refused(self.file("scene.gltf", self.gltf(scene=7)), "no scene")
        self.refused(self.file("mesh.gltf", self.gltf(nodes=[{"mesh": 3}])), "not there")
        self.refused(self.file("ring.gltf", self.gltf(nodes=[{"children": [1]}, {"children": [0]}])), code="LIMIT")
        self.refused(self.file("draco.gltf", self.gltf(extensionsUsed=["KHR_draco_mesh_compression"], meshes=[{"primitives": [{
            "attributes": {"POSITION": 0}, "indices": 1, "extensions": {"KHR_draco_mesh_compression": {
                "bufferView": 0, "attributes": {"POSITION": 0}}}}]}])), "raco")
        self.refused(self.file("zeros.glb", b"\0" * 50), "as a .glb does")
        self.refused(self.file("old.glb", struct.pack("<4sII", b"glTF", 1, 50) + b"\0" * 38), "version 1")
        self.refused(self.file("cut.glb", struct.pack("<4sIII4s", b"glTF", 2, 500, 480, b"JSON") + b"{}"), "first chunk")

    # -- Gmsh and TetGen

    MSH = ("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"the $Nodes\"\n$EndPhysicalNames\n$Nodes\n4\n100 0 0 0\n"
           "7 1 0 0\n1000000 0 1 0\n3 0 0 1\n$EndNodes\n$Elements\n3\n1 15 2 0 1 100\n5 1 2 0 1 100 7\n"
           "9 4 5 1 1 2 1 -2 100 7 1000000 3\n$EndElements\n$NodeData\n1\n\"x\"\n0\n0\n$EndNodeData\n")

    def tets(self, path):
        told = self.json("load", path, "--world", "w")
        state = self.json("call", "body.state", json.dumps({"world": "w", "body": told["answer"]["body"]}))
        self.peer.call("body.remove", world="w", body=told["answer"]["body"])
        self.assertEqual((told["kind"], told["tets"]), ("soft", 1))
        self.assertEqual({tuple(state["positions"][i:i + 3]) for i in range(0, 12, 3)}, {tuple(map(float, p)) for p in TET})

    def test_gmsh_by_hand(self):
        self.tets(self.file("gaps.msh", self.MSH))
        self.tets(self.file("crlf.msh", self.MSH.replace("\n", "\r\n")))
        self.tets(self.file("comments.msh", "$Comments\nfirst\n$EndComments\n" + self.MSH))
        self.refused(self.file("one.msh", "$NOD\n0\n$ENDNOD\n"), ", line 1:", "version 1")
        self.refused(self.file("three.msh", self.MSH.replace("2.2 0 8", "3 0 8")), ", line 2:", "version 3")
        self.refused(self.file("twice.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + self.MSH), ", line 4:", "second")
        self.refused(self.file("brick.msh", self.MSH.replace("\n9 4 ", "\n9 5 ")), ", line 19:", "hexahedron")
        self.refused(self.file("node.msh", self.MSH.replace("7 1000000 3\n", "7 1000000 4\n")), ", line 19:", "no node 4")

    def test_tetgen_by_hand(self):
        nodes = "# begin\n4 3 2 1\n# more\n{} 0 0 0 1.5 -2 1 # first\n\n{} 1 0 0 0 0 -1\n{} 0 1 0 0 0 0\n{} 0 0 1 0 0 0\n# end\n"
        elements = "# begin\n1 4 1\n{0} {0} {1} {2} {3} 7.5\n# end\n"
        for base in (0, 1):
            numbers = range(base, base + 4)
            for end in ("\n", "\r\n"):
                self.file("it.1.node", nodes.format(*numbers).replace("\n", end))
                self.tets(self.file("it.1.ele", elements.format(*numbers).replace("\n", end)))
        self.file("BIG.NODE", nodes.format(*range(4)))
        self.tets(self.file("BIG.ELE", elements.format(*range(4))))
        self.refused(self.file("it.1.ele", elements.format(*range(4))), ", line 3:", "tetrahedron 0 where 1")


if __name__ == "__main__":
    unittest.main()
