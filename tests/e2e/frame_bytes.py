"""Reads a stream.frame by its bytes, as the wire's description lays it out. Shares no code with msgpack."""

import struct


class Value:
    """A value with its place: [start, end) in the message, payload at `data` for arrays, bin and ext."""

    def __init__(self, kind, start):
        self.kind = kind
        self.start = start
        self.end = start
        self.data = None
        self.value = None
        self.code = None


def read(raw, at):
    first = raw[at]
    value = Value(None, at)

    def number(fmt, offset=1):
        return struct.unpack_from(">" + fmt, raw, at + offset)[0]

    def children(count, offset, pairs):
        items, here = [], at + offset
        for _ in range(count):
            item = read(raw, here)
            here = item.end
            if pairs:
                other = read(raw, here)
                here = other.end
                items.append((item, other))
            else:
                items.append(item)
        value.value, value.end = items, here
        value.kind = "map" if pairs else "array"

    def plain(kind, result, size):
        value.kind, value.value, value.end = kind, result, at + size

    def payload(kind, size, offset, code=None):
        value.kind, value.code, value.data = kind, code, at + offset
        value.value = raw[value.data:value.data + size]
        value.end = value.data + size
        if len(value.value) != size:
            raise ValueError("a payload runs past the end")

    sizes = {"B": 1, "H": 2, "I": 4}
    if first <= 0x7F:
        plain("int", first, 1)
    elif first <= 0x8F:
        children(first & 15, 1, True)
    elif first <= 0x9F:
        children(first & 15, 1, False)
    elif first <= 0xBF:
        payload("str", first & 31, 1)
    elif first == 0xC0:
        plain("nil", None, 1)
    elif first in (0xC2, 0xC3):
        plain("bool", first == 0xC3, 1)
    elif 0xC4 <= first <= 0xC6:
        fmt = "BHI"[first - 0xC4]
        payload("bin", number(fmt), 1 + sizes[fmt])
    elif 0xC7 <= first <= 0xC9:
        fmt = "BHI"[first - 0xC7]
        payload("ext", number(fmt), 2 + sizes[fmt], raw[at + 1 + sizes[fmt]])
    elif first == 0xCA:
        plain("float", number("f"), 5)
    elif first == 0xCB:
        plain("float", number("d"), 9)
    elif 0xCC <= first <= 0xCF:
        plain("int", number("BHIQ"[first - 0xCC]), 1 + (1 << (first - 0xCC)))
    elif 0xD0 <= first <= 0xD3:
        plain("int", number("bhiq"[first - 0xD0]), 1 + (1 << (first - 0xD0)))
    elif 0xD4 <= first <= 0xD8:
        payload("ext", 1 << (first - 0xD4), 2, raw[at + 1])
    elif 0xD9 <= first <= 0xDB:
        fmt = "BHI"[first - 0xD9]
        payload("str", number(fmt), 1 + sizes[fmt])
    elif first in (0xDC, 0xDD):
        fmt = "HI"[first - 0xDC]
        children(number(fmt), 1 + sizes[fmt], False)
    elif first in (0xDE, 0xDF):
        fmt = "HI"[first - 0xDE]
        children(number(fmt), 1 + sizes[fmt], True)
    elif first >= 0xE0:
        plain("int", first - 256, 1)
    else:
        raise ValueError(f"byte {first:#x} begins no value")
    return value


def check_padding(test, key, value):
    test.assertEqual(value.kind, "bin", key)
    test.assertLessEqual(len(value.value), 7, key)
    test.assertEqual(value.value, bytes(len(value.value)), key)


def check_map_keys(test, pairs):
    """Keys are strings and none stands twice; returns them in order."""
    keys = []
    for key, value in pairs:
        test.assertEqual(key.kind, "str")
        name = key.value.decode()
        keys.append(name)
        if name.startswith("_"):
            check_padding(test, name, value)
    test.assertEqual(len(keys), len(set(keys)), keys)
    return keys


def check_frame(test, raw, arrays="ext"):
    """Checks the whole layout of one message; returns {key: value} with bodies as a list of such."""
    # HEAD: exactly 64 bytes.
    test.assertEqual(raw[:16], b"\x93\x02\xac" + b"stream.frame" + b"\x91")
    test.assertEqual(raw[16], 0xDE)
    key_count = struct.unpack_from(">H", raw, 17)[0]
    test.assertEqual(raw[19:27], b"\xa6stream\xce")
    test.assertEqual(raw[31:36], b"\xa3seq\xce")
    test.assertEqual(raw[40:49], b"\xa7dropped\xce")
    test.assertEqual(raw[53:64], b"\xa1_\xc4\x07" + bytes(7))
    head = {"stream": struct.unpack_from(">I", raw, 27)[0], "seq": struct.unpack_from(">I", raw, 36)[0],
            "dropped": struct.unpack_from(">I", raw, 49)[0]}
    # SHARED: the same map goes on.
    message = read(raw, 0)
    test.assertEqual(message.end, len(raw))
    pairs = message.value[2].value[0].value
    test.assertEqual(len(pairs), key_count)
    keys = check_map_keys(test, pairs)
    test.assertEqual(keys[:4], ["stream", "seq", "dropped", "_"])
    test.assertEqual(keys[4:11], ["world", "tick", "substep", "time", "revision", "part", "parts"])
    test.assertEqual(keys[-1], "bodies")
    test.assertLessEqual({key for key in keys[11:-1] if not key.startswith("_")}, {"measures", "grabs", "colliders", "contact", "contacts"})
    result = {key.value.decode(): value.value for key, value in pairs}
    result.update(head)
    bodies = pairs[-1][1]
    test.assertEqual(raw[bodies.start], 0xDD, "bodies has the long head")
    end = bodies.start + 5
    test.assertEqual(end % 8, 0, "the first chunk lies at a multiple of 8")
    chunks = []
    for chunk in bodies.value:
        test.assertEqual(chunk.start, end, "chunks lie end to end")
        end = chunk.end
        test.assertEqual(chunk.kind, "map")
        test.assertEqual(chunk.start % 8, 0, "a chunk starts at a multiple of 8")
        test.assertEqual((chunk.end - chunk.start) % 8, 0, "a chunk is a multiple of 8 long")
        names = check_map_keys(test, chunk.value)
        test.assertLessEqual({"body", "first", "count"}, set(names))
        fields = {key.value.decode(): value for key, value in chunk.value}
        found = {name: fields[name].value for name in ("body", "first", "count")}
        for name in ("positions", "positions64", "velocities", "normals", "rotations", "rotations64"):
            if name not in fields:
                continue
            value, each = fields[name], 4 if name.startswith("rotations") else 3
            typecode = "d" if name.endswith("64") else "f"
            if arrays == "plain":
                test.assertEqual(value.kind, "array")
                found[name] = [item.value for item in value.value]
            else:
                test.assertEqual(value.kind, arrays)
                test.assertEqual(value.data % 8, 0, f"{name} lies at a multiple of 8")
                if arrays == "ext":
                    test.assertEqual(value.code, 0x18 if typecode == "d" else 0x17)
                test.assertEqual(len(value.value), each * found["count"] * struct.calcsize(typecode))
                found[name] = list(struct.unpack(f"<{each * found['count']}{typecode}", value.value))
            test.assertEqual(len(found[name]), each * found["count"])
        chunks.append(found)
    result["bodies"] = chunks
    return result
