"""Reads the records of a world as docs/reference/records.md has them, and tells its things. No code of weft's is involved."""

import struct

import msgpack

FIELDS = ("sequence", "tick", "revision", "person", "session", "edit_id", "at", "method", "params", "result")
CONTACT = {"self_contact": False, "contact_group": 0, "contact_mask": 0, "friction": 0.3}  # where nothing is said
NUMBERS = {0x16: "I", 0x17: "f", 0x18: "d"}


def numbers(code, data):
    size = struct.calcsize("<" + NUMBERS[code])
    return list(struct.unpack(f"<{len(data) // size}{NUMBERS[code]}", data))


def read(data):
    """One record as a dict of its ten fields, arrays as lists."""
    values = msgpack.unpackb(data, raw=False, ext_hook=numbers)
    assert isinstance(values, list) and len(values) == len(FIELDS), values
    return dict(zip(FIELDS, values))


class Things:
    """The contents of a world: settings, bodies and colliders by id, and the holder of each held particle."""

    def __init__(self, settings):
        self.settings, self.bodies, self.colliders, self.grabs = dict(settings), {}, {}, {}
        self.sequence = self.revision = self.tick = 0

    def apply(self, record):
        assert record["sequence"] == self.sequence + 1, "a record is missing"
        assert record["tick"] >= self.tick, "records stand in the order of time"
        self.sequence, self.revision, self.tick = record["sequence"], record["revision"], record["tick"]
        getattr(self, record["method"].replace(".", "_"), self.nothing)(record["params"], record["result"])

    def nothing(self, params, result):
        """What changes no thing: constraints, motions, where particles are."""

    def world_set(self, params, result):
        wind = {**self.settings["wind"], **params.pop("wind")} if "wind" in params else self.settings["wind"]
        self.settings = {**self.settings, **params, "wind": wind}

    def world_reset(self, params, result):
        self.grabs = {}

    def body_add(self, params, result):
        self.bodies[result["body"]] = {
            "name": params["name"], "kind": params["kind"], "particles": result["particles"],
            "pins": sorted(set(params.get("pins", []))), "thickness": params["thickness"],
            "stretch": self.material(params["stretch"]), **{key: params.get(key, one) for key, one in CONTACT.items()}}

    def body_set(self, params, result):
        body = self.bodies[params["body"]]
        body.update({key: params[key] for key in ("name", "thickness", *CONTACT) if key in params})
        if "stretch" in params:
            given = params["stretch"]
            if "compliance" in given:
                body["stretch"].pop("stiffness", None)
            if "stiffness" in given:
                body["stretch"]["compliance"] = 0.0
            body["stretch"].update(given)

    def body_remove(self, params, result):
        del self.bodies[params["body"]]
        self.grabs = {grab: held for grab, held in self.grabs.items() if held[0] != params["body"]}

    def particle_pin(self, params, result):
        body = self.bodies[params["body"]]
        body["pins"] = sorted(set(body["pins"]) | set(params["particles"]))

    def particle_unpin(self, params, result):
        body = self.bodies[params["body"]]
        body["pins"] = sorted(set(body["pins"]) - set(params["particles"]))

    def collider_add(self, params, result):
        self.colliders[result["collider"]] = {key: params[key] for key in ("name", "kind", "radius", "length", "friction")}

    def collider_set(self, params, result):
        self.colliders[params["collider"]].update(
            {key: params[key] for key in ("name", "radius", "length", "friction") if key in params})

    def collider_remove(self, params, result):
        del self.colliders[params["collider"]]

    def grab_begin(self, params, result):
        self.grabs[result["grab"]] = (params["body"], params["particle"])

    def grab_end(self, params, result):
        self.grabs.pop(params["grab"], None)

    @staticmethod
    def material(given):
        return {key: given[key] for key in ("compliance", "damping", "stiffness") if key in given}
