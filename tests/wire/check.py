#!/usr/bin/env python3
"""Checks the vectors with Python's msgpack and a scanner of its own: no code of weft's is involved."""
import io
import json
import os
import struct
import sys

import msgpack

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = {0x11: "b", 0x12: "B", 0x13: "h", 0x14: "H", 0x15: "i", 0x16: "I", 0x17: "f", 0x18: "d"}
CODES = {"i8": 0x11, "u8": 0x12, "i16": 0x13, "u16": 0x14, "i32": 0x15, "u32": 0x16, "f32": 0x17, "f64": 0x18}
count = 0


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def unpack(data):
    return msgpack.unpackb(data, raw=False, strict_map_key=False, unicode_errors="surrogateescape")


def check(vector, condition, what):
    if not condition:
        sys.exit(f"{vector['name']}: {what}")


def vectors(file, name):
    global count
    for vector in load(file)[name]:
        count += 1
        yield vector


def same(a, b):
    """Equal by value, and as deep as they go; floats and integers mix."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b or (
        isinstance(a, (int, float)) and isinstance(b, (int, float)) and a == b
        and not isinstance(a, bool) and not isinstance(b, bool))


def typed(code, data):
    """Numbers of little-endian bytes, None if they are none."""
    if code not in FORMATS or len(data) % struct.calcsize("<" + FORMATS[code]):
        return None
    return list(struct.unpack(f"<{len(data) // struct.calcsize('<' + FORMATS[code])}{FORMATS[code]}", data))


def numbers(value, meant):
    """Numbers of an array in any encoding, None if it is none."""
    if isinstance(value, msgpack.ExtType):
        return typed(value.code, value.data)
    if isinstance(value, bytes):
        return typed(CODES[meant], value)
    if isinstance(value, str):
        return typed(CODES[meant], value.encode("utf-8", "surrogateescape"))
    if isinstance(value, list) and all(type(one) in (int, float) for one in value):
        return value
    return None


def narrow(values):
    return list(struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}f", *values)))


def check_envelopes():
    for vector in vectors("envelopes.json", "messages"):
        value = unpack(bytes.fromhex(vector["hex"]))
        if vector["kind"] == "request":
            expected = [0, vector["msgid"], vector["method"], vector["params"]]
        elif vector["kind"] == "response":
            expected = [1, vector["msgid"], vector["error"], vector["result"]]
        else:
            expected = [2, vector["method"], vector["params"]]
        check(vector, same(value, expected), f"is {value}")
    for vector in vectors("envelopes.json", "refused"):
        value = unpack(bytes.fromhex(vector["hex"]))
        is_id = isinstance(value, list) and len(value) > 1 and type(value[1]) is int and 0 <= value[1] < 2**32
        fits = isinstance(value, list) and (
            (len(value) == 4 and value[0] == 0 and is_id and isinstance(value[2], str))
            or (len(value) == 4 and value[0] == 1 and is_id)
            or (len(value) == 3 and value[0] == 2 and isinstance(value[1], str)))
        check(vector, not fits, "is a message")


def check_arrays():
    for vector in vectors("arrays.json", "accepted"):
        value = numbers(unpack(bytes.fromhex(vector["hex"])), vector["bin"])
        check(vector, value is not None and same(value, vector["numbers"]), f"is {value}")
    for vector in vectors("arrays.json", "refused"):
        check(vector, numbers(unpack(bytes.fromhex(vector["hex"])), vector["bin"]) is None, "is an array")
    for vector in vectors("arrays.json", "sent"):
        value = {mode: unpack(bytes.fromhex(vector[mode])) for mode in ("ext", "bin", "plain")}
        check(vector, isinstance(value["ext"], msgpack.ExtType) and value["ext"].code == CODES[vector["type"]], "code")
        check(vector, isinstance(value["bin"], bytes) and isinstance(value["plain"], list), "types")
        for mode, one in value.items():
            check(vector, same(numbers(one, vector["type"]), vector["numbers"]), f"{mode} is {one}")


def check_errors():
    for vector in vectors("errors.json", "errors"):
        value = unpack(bytes.fromhex(vector["hex"]))
        if vector["mode"] == "array":
            error = [vector["kind"], f"{vector['code']}: {vector['text']}"]
        else:
            error = {key: vector[key] for key in
                     ("kind", "code", "text", "field", "value", "revision", "user", "limit", "server", "address", "web")
                     if key in vector}
        check(vector, same(value, [1, 3, error, None]), f"is {value}")


def scan(data, limits):
    """Verdict and bytes, as README.md says, by the plainest way: the whole value at hand, one header at a time."""
    lengths = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4,
               0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}
    fixed = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8,
             0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
    at, nodes, waiting = 0, 1, [1]
    while any(waiting):
        while waiting[-1] == 0:
            waiting.pop()
        if at >= len(data):
            return "more", len(data)
        first = data[at]
        waiting[-1] -= 1
        if first == 0xC1:
            return "bad", at + 1
        size = lengths.get(first, 0)
        if at + 1 + size + sum(waiting) > limits["bytes"]:
            return "too_large", at + 1
        if at + 1 + size > len(data):
            return "more", len(data)
        length = int.from_bytes(data[at + 1:at + 1 + size], "big")
        at += 1 + size
        payload, values = fixed.get(first, 0), None
        if 0x80 <= first < 0x90 or first in (0xDE, 0xDF):
            values = 2 * (length if size else first & 15)
        elif 0x90 <= first < 0xA0 or first in (0xDC, 0xDD):
            values = length if size else first & 15
        elif 0xA0 <= first < 0xC0:
            payload = first & 31
        elif size:
            payload = length + (1 if first in (0xC7, 0xC8, 0xC9) else 0)
        if values is not None:
            if len(waiting) > limits["depth"]:
                return "too_deep", at
            nodes += values
            if nodes > limits["nodes"]:
                return "too_wide", at
            waiting.append(values)
        if at + payload + sum(waiting) > limits["bytes"]:
            return "too_large", at
        if at + payload > len(data):
            return "more", len(data)
        at += payload
    return "done", at


def check_streams():
    for vector in vectors("streams.json", "streams"):
        data = bytes.fromhex(vector["hex"])
        found = scan(data, vector["limits"])
        check(vector, found == (vector["verdict"], vector["consumed"]), f"is {found}")
        unpacker = msgpack.Unpacker(io.BytesIO(data), raw=True, strict_map_key=False, max_buffer_size=2**31 - 1)
        if vector["verdict"] == "done":
            unpacker.skip()
            check(vector, unpacker.tell() == vector["consumed"], "ends elsewhere")
        elif vector["verdict"] == "more":
            try:
                unpacker.skip()
                check(vector, False, "is whole")
            except msgpack.OutOfData:
                pass


def check_params():
    for vector in vectors("params.json", "params"):
        data = bytes.fromhex(vector["hex"])
        pairs = msgpack.unpackb(data, raw=True, strict_map_key=False, object_pairs_hook=list)
        check(vector, isinstance(pairs, list), "is no map")
        check(vector, scan(data, {"bytes": 2**26, "depth": 16, "nodes": 2**22}) == ("done", len(data)), "size")
        check(vector, vector["verdict"] == "OK" or "field" in vector, "says no field")


def check_frame(vector):
    data = bytes.fromhex(vector["hex"])
    kind, method, params = unpack(data)
    fields = params[0]
    check(vector, kind == 2 and method == "stream.frame" and len(params) == 1, "is no frame")
    check(vector, len(fields) == vector["head"]["keys"], "counts its keys wrong")
    for key in ("stream", "seq", "dropped"):
        check(vector, fields[key] == vector["head"][key], key)
    for key, value in vector["fields"].items():
        check(vector, same(fields[key], meant(value)), key)
    check(vector, len(fields["bodies"]) == len(vector["chunks"]), "bodies")
    check(vector, all(len(v) <= 7 and not any(v) for k, v in fields.items() if k[0] == "_"), "padding")
    for chunk, body in zip(vector["chunks"], fields["bodies"]):
        start, end = chunk["offset"], chunk["offset"] + chunk["size"]
        check(vector, start % 8 == 0 and end % 8 == 0, "a chunk is not aligned")
        check(vector, same(msgpack.Unpacker(io.BytesIO(data[start:end])).unpack(), body), "a chunk lies elsewhere")
        check(vector, all(len(v) <= 7 and not any(v) for k, v in body.items() if k[0] == "_"), "padding")
        for name in ("positions", "positions64", "velocities", "normals", "rotations", "rotations64"):
            check(vector, (name in chunk) == (name in body), name)
            if name not in chunk:
                continue
            number = "f64" if name.endswith("64") else "f32"
            expected = chunk[name] if number == "f64" else narrow(chunk[name])
            check(vector, same(numbers(body[name], number), expected), name)
            key = bytes([0xA0 + len(name)]) + name.encode()
            payload = data.index(key, start) + len(key) + (6 if vector["arrays"] == "ext" else 5)
            check(vector, payload % 8 == 0, f"{name} is not aligned")
            check(vector, data[payload - (6 if vector["arrays"] == "ext" else 5)]
                  == {"ext": 0xC9, "bin": 0xC6, "plain": 0xDD}[vector["arrays"]], f"{name} has another header")


def meant(value):
    """A value of records.json or frames.json as MessagePack: {ext, numbers} are typed arrays."""
    if isinstance(value, dict) and value.keys() == {"ext", "numbers"}:
        return msgpack.ExtType(value["ext"], struct.pack(f"<{len(value['numbers'])}{FORMATS[value['ext']]}", *value["numbers"]))
    if isinstance(value, dict):
        return {key: meant(one) for key, one in value.items()}
    return [meant(one) for one in value] if isinstance(value, list) else value


def check_records():
    for number, vector in enumerate(vectors("records.json", "records"), 1):
        # Packed by another implementation, in the order of the page: the same bytes.
        check(vector, msgpack.packb(meant(vector["record"])).hex() == vector["hex"], "not the bytes")
        fields = 11 if vector["record"][5] else 10
        check(vector, len(vector["record"]) == fields and vector["record"][0] == number, "not the next record")


def check_frames():
    for vector in vectors("frames.json", "heads"):
        data = bytes.fromhex(vector["hex"])
        check(vector, len(data) == 64, "is not 64 bytes")
        check(vector, int.from_bytes(data[17:19], "big") == vector["keys"], "keys")
        rest = unpack(data[:17] + b"\x00\x04" + data[19:])  # with the head's own four keys it is whole
        check(vector, rest == [2, "stream.frame", [{"stream": vector["stream"], "seq": vector["seq"],
                                                    "dropped": vector["dropped"], "_": bytes(7)}]], f"is {rest}")
    for vector in vectors("frames.json", "frames"):
        check_frame(vector)


if __name__ == "__main__":
    check_envelopes()
    check_arrays()
    check_errors()
    check_streams()
    check_params()
    check_frames()
    check_records()
    print(f"{count} vectors")
