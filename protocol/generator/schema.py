"""api.json's type document as a JSON Schema of scene files, with what makes them pleasant to write by hand."""
import json

from generator.check import widest

NUMBER = {"type": "number"}
NAME = {"type": "string", "minLength": 1, "maxLength": 64}


def vector(count, **more):
    return {"type": "array", "items": {**NUMBER, **more}, "minItems": count, "maxItems": count}


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def whole(least, most):
    return {"type": "integer", "minimum": least, "maximum": most}


def thing(properties, required=(), **more):
    return {"type": "object", "properties": properties, "additionalProperties": False,
            **({"required": list(required)} if required else {}), **more}


TURN = {
    "rotation": {**vector(4), "description": "Quaternion x, y, z, w; made of length 1."},
    "turn": thing({"axis": vector(3), "degrees": {"type": "number", "minimum": -36000, "maximum": 36000}}, ["degrees"],
                  description="The same as an axis (default y) and an angle."),
}
DEFS = {
    "numbers": {
        "description": "Numbers, in one list or in lists in a list; or the name of a .npy file.",
        "anyOf": [
            {"type": "array", "items": {"anyOf": [NUMBER, {"type": "array", "items": NUMBER}]}},
            {"type": "string", "pattern": r"\.npy$"},
        ],
    },
    "selector": {
        "description": "Particles by number, by a word, or by where they are.",
        "anyOf": [
            {"type": "integer", "minimum": 0},
            {"enum": ["top edge", "bottom edge", "left edge", "right edge", "front edge", "back edge", "corners", "ends",
                      "first", "last", "rim", "all"]},
            thing({"box": {"type": "array", "items": vector(3), "minItems": 2, "maxItems": 2}}, ["box"]),
            thing({"sphere": thing({"center": vector(3), "radius": {"type": "number", "minimum": 0}})}, ["sphere"]),
        ],
    },
    "particles": {
        "description": "A selector, a list of them, or the name of a .npy file of numbers.",
        "anyOf": [ref("selector"), {"type": "array", "items": ref("selector")}, {"type": "string", "pattern": r"\.npy$"}],
    },
    "side": thing({"body": {"anyOf": [NAME, {"type": "integer", "minimum": 1}]}, "particles": ref("particles")}, ["body"]),
}
SOURCES = {
    "grid": thing({"size": {**vector(2), "description": "m; default 1 by 1"},
                   "cells": {"type": "array", "items": whole(1, 2048), "minItems": 2, "maxItems": 2},
                   "upright": {"type": "boolean", "description": "Its rows go down, not towards the front."}}, ["cells"],
                  description="A rectangle of cells, two triangles each, around the origin: particle 0 at its left end of the "
                              "top row, rows one after another."),
    "disc": thing({"radius": {"type": "number", "exclusiveMinimum": 0}, "rings": whole(1, 1000)},
                  description="A level round sheet; particle 0 is its centre."),
    "rope": thing({"from": vector(3), "to": vector(3), "segments": whole(1, 1000000)},
                  description="A straight rope."),
    "box": thing({"size": vector(3), "cells": {"type": "array", "items": whole(1, 128), "minItems": 3, "maxItems": 3}},
                 ["cells"], description="A block of cells, six tetrahedra each, around the origin."),
    "sphere": thing({"radius": {"type": "number", "exclusiveMinimum": 0}, "cells": whole(2, 128)},
                    description="A ball of so many cells across, around the origin."),
    "mesh": {"type": "string", "pattern": r"\.obj$", "description": "A Wavefront OBJ file in the scene's folder or below it."},
}
BODY = {
    **SOURCES,
    "position": {**vector(3), "description": "Where the mesh's origin is put, after scale and rotation. m"},
    **TURN,
    "scale": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, vector(3, exclusiveMinimum=0)]},
    "material": {"type": "string",
                 "description": "Density, compliances and strain limit that the body does not say itself, of docs/concepts/materials.md, or of the scene's own materials."},
    "pins": {**ref("particles"), "description": "Particles held where they are."},
    "clamps": {**ref("particles"),
               "description": "Pinned particles of a rod that also hold the orientation of the segment that begins there, or else "
                              "ends there; absent: none, or those of the state."},
    "pins_follow": {"type": ["string", "integer"],
                    "description": "Collider, by name or number, that all pins follow: each keeps its place in its frame."},
    "pins_compliance": {"type": "number", "minimum": 0, "maximum": 1e10,
                        "description": "Inverse stiffness of the springs from all pins to their particles; 0: the pins are hard. "
                                       "m/N"},
    "pins_distance": {"type": "number", "minimum": 0,
                      "description": "Greatest distance of particles from their pins; 0: the pins are hard. With neither of "
                                     "these two they are hard, too. m"},
}

# What a body that says nothing has in a scene, and not in a document.
BY_HAND = {
    name: f"In a scene, where neither self_contact nor contact_group nor contact_mask is given: {value}."
    for name, value in (("self_contact", "true"), ("contact_group", "1"), ("contact_mask", "1"))
}
BY_HAND["thickness"] = "In a scene, if absent where the body meets others without saying so: 0.15 of its mean edge."


def number(field, kind):
    result = {"type": kind}
    if kind == "integer" and "min" not in field:
        result["minimum"] = 0
    if "min" in field:
        result["exclusiveMinimum" if field.get("exclusive_min") else "minimum"] = widest(field, "min")
    if "max" in field:
        result["maximum"] = widest(field, "max")
    elif field["type"] == "u32":
        result["maximum"] = 2**32 - 1
    return result


def field_schema(field):
    kind = field["type"]
    if kind in ("u32", "u64"):
        result = number(field, "integer")
    elif kind == "float":
        result = number(field, "number")
    elif kind == "bool":
        result = {"type": "boolean"}
    elif kind == "string":
        result = {"type": "string", "maxLength": 64}
    elif kind == "enum":
        result = {"enum": field["values"]}
    elif kind == "ref":
        result = {"anyOf": [NAME, {"type": "integer", "minimum": 1}]}
    elif kind in ("vec3", "vec4"):
        bounds = {key: value for key, value in number(field, "number").items() if key != "type"}
        result = vector(int(kind[3]), **bounds)
    elif kind == "map":
        result = ref(field["of"])
    elif kind == "list":
        result = {"type": "array", "items": ref(field["of"])}
    elif field.get("scalar"):
        result = {"anyOf": [number(field, "number"), ref("numbers")]}
    else:
        result = ref("numbers")
    unit = f" [{field['unit']}]" if "unit" in field else ""
    result = {**result, "description": field["doc"] + unit}
    if "default" in field:
        result["default"] = field["default"]
    return result


def type_schema(one):
    properties = {field["name"]: field_schema(field) for field in one["fields"]}
    required = [field["name"] for field in one["fields"] if field.get("required")]
    name = one["name"]
    if name == "document_body":
        properties.update(BODY)
        for name, value in BY_HAND.items():
            properties[name] = {**properties[name], "description": properties[name]["description"] + " " + value}
        sources = [{"required": [source]} for source in (*SOURCES, "positions")]
        return thing(properties, (), description=one["doc"], oneOf=sources)
    if name == "document_collider":
        properties.update({**TURN, "rotation": properties["rotation"]})
    if name == "document_constraints":
        properties["bodies"] = {"anyOf": [{"type": "array", "items": {"anyOf": [NAME, {"type": "integer", "minimum": 1}]}},
                                          {"type": "string", "pattern": r"\.npy$"}],
                                "description": "Body of each particle, by name or id, instead of body."}
        properties["join"] = thing({"from": ref("side"), "to": ref("side")}, ["from", "to"],
                                   description="Distances from each particle of one side to the one in its place of the other, "
                                               "or where that names none, to the nearest of its body.")
        properties["rail"] = thing({"from": ref("side"), "to": ref("side")}, ["from", "to"],
                                   description="Only with the type slide_rail: each particle of from is a ring on the rail to, whose "
                                               "particles follow each other, or which is all of its body.")
        properties["weld"] = thing({"from": ref("side"), "to": ref("side")}, ["from", "to"],
                                   description="Distances from each particle of from to the nearest three of the body to that are "
                                               "not in a line. With their present lengths they keep the angle between both bodies.")
        return thing(properties, (), description=one["doc"],
                     oneOf=[{"required": ["particles"]}, {"required": ["join"]}, {"required": ["rail"]}, {"required": ["weld"]}])
    if name == "document_motion":
        properties["particles"] = ref("particles")
    return thing(properties, required, description=one["doc"])


def reachable(name, types, found):
    found.append(name)
    for field in types[name]["fields"]:
        if field.get("of") and field["of"] not in found:
            reachable(field["of"], types, found)
    return found


def scene(api):
    types = {one["name"]: one for one in api["types"]}
    document = types["document"]  # a scene holds nobody's grabs
    types["document"] = {**document, "fields": [field for field in document["fields"] if field["name"] != "grabs"]}
    names = reachable("document", types, [])
    root = type_schema(types["document"])
    root["properties"] = {
        "$schema": {"type": "string"},
        "weft": {"const": 1, "description": "Version of scenes."},
        "name": {**NAME, "description": "Of the world; default the file's."},
        "about": {"type": "string", "maxLength": 511, "description": "One line for people."},
        "materials": {"type": ["object", "string"],
                      "description": "Own materials by name, with fields of bodies; or the name of a JSON file that has them."},
        **root["properties"],
    }
    result = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "weft scene",
        "$comment": "Made by protocol/generate.py from protocol/api.json. Change that, not this.",
        **root,
        "$defs": {**DEFS, **{name: type_schema(types[name]) for name in names if name != "document"}},
    }
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"
