"""api.json as pages for people."""
import json

from generator.check import CLASSES, TYPES, refuse

# What the example of a method shows; a method that is not here shows its required fields.
EXAMPLES = {
    "session.hello": {"client": "demo", "user": "Ada", "arrays": "ext"},
    "force.add": {"world": "flag", "field": {"kind": "point", "position": [0, 1, 0], "strength": 5}},
    "force.set": {"world": "flag", "force": 1, "field": {"strength": 2}},
    "presence.set": {
        "world": "flag",
        "color": "#e8590c",
        "cursor": {"point": [0.2, 0.8, 0.1]},
        "selection": [{"body": 1}],
    },
    "presence.say": {"world": "flag", "text": "Hold this corner, please."},
    "world.create": {"name": "flag", "gravity": [0, -9.81, 0], "substeps": 20},
    "world.set": {"world": "flag", "gravity": [0, -1.62, 0]},
    "world.open": {
        "name": "flag",
        "document": {
            "bodies": [{"name": "rope", "kind": "rope", "positions": [0, 2, 0, 0, 1.5, 0, 0, 1, 0], "pins": [0]}],
            "colliders": [{"name": "floor", "kind": "plane"}],
        },
    },
    "world.upload": {"offset": 0, "data": "the bytes, as bin"},
    "world.seek": {"world": "flag", "tick": 1200},
    "world.branch": {"world": "flag", "tick": 1200, "name": "flag-without", "without": [7]},
    "world.restore": {"world": 3, "name": "flag"},
    "world.control": {"world": "flag", "action": "take"},
    "access.grant": {"world": "flag", "user": "Grace", "role": "editor"},
    "access.revoke": {"world": "flag", "user": "Grace"},
    "access.invite": {"world": "flag", "role": "viewer", "uses": 5},
    "access.accept": {"invite": "weft-invite-7-pW9v…", "user": "Grace"},
    "access.set": {"world": "flag", "control": "owner"},
    "token.create": {"user": "Ada", "role": "editor"},
    "token.revoke": {"id": 3},
    "edit.log": {"world": "flag", "since": 0, "limit": 100},
    "world.play": {"world": "flag", "rate": 1},
    "world.step": {"world": "flag", "ticks": 60},
    "body.add": {
        "world": "flag",
        "name": "sheet",
        "kind": "cloth",
        "positions": [0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0],
        "triangles": [0, 2, 1, 1, 2, 3],
        "stretch": {"compliance": 1e-06},
        "pins": [0, 1],
    },
    "body.set": {"world": "flag", "body": "sheet", "stretch": {"compliance": 1e-05}},
    "body.state": {"world": "flag", "body": "sheet", "fields": ["positions"]},
    "constraint.add": {"world": "flag", "body": "sheet", "particles": [0, 3], "rest": 1.5, "compliance": 0.001},
    "constraint.set": {"world": "flag", "constraints": [1, 2], "compliance": 0.0001},
    "constraint.list": {"world": "flag", "limit": 1000},
    "particle.set": {"world": "flag", "body": "sheet", "particles": [3], "velocities": [0, 0, 1]},
    "particle.pin": {"world": "flag", "body": "sheet", "particles": [0], "positions": [0, 1, 0.5]},
    "grab.begin": {"world": "flag", "body": "sheet", "particle": 3, "target": [1, 0, 0.5]},
    "collider.add": {"world": "flag", "name": "ball", "kind": "sphere", "position": [0.5, 0, 0], "radius": 0.25},
    "collider.set": {"world": "flag", "collider": "ball", "position": [0.5, 0.1, 0]},
    "edit.restore": {
        "world": "flag",
        "removed": {"bodies": [3]},
        "parts": [{"body": 1, "thickness": 0.01}],
        "next": {"body": 3},
        "expected_next": {"body": 4},
    },
    "edit.undo": {"world": "flag"},
    "edit.redo": {"world": "flag"},
    "edit.batch": {
        "world": "flag",
        "edits": [
            ["collider.add", {"name": "stand", "kind": "sphere", "radius": 0.3}],
            ["collider.set", {"collider": "stand", "friction": 0.8}],
        ],
    },
    "motion.add": {
        "world": "flag", "collider": "ball", "times": [0, 1, 2], "offsets": [0, 0, 0, 0, 0.5, 0, 0, 0, 0], "loop": True},
    "stream.subscribe": {"world": "flag", "fields": ["positions", "measures"], "every": 1, "unit": "tick"},
    "stream.set": {"stream": 1, "every": 2},
}
EXAMPLE_VALUES = {
    "world": "flag",
    "body": "sheet",
    "collider": "ball",
    "particles": [0, 1],
    "constraints": [1, 2],
    "target": [1, 0.1, 0.5],
    "motion": 1,
}
EXAMPLE_TYPES = {"u32": 1, "u64": 1, "float": 1, "string": "text", "ref": 1, "vec3": [0, 0, 0], "vec4": [0, 0, 0, 1], "bool": True}

PAGE = "<!-- Made by protocol/generate.py from protocol/api.json. Change that, not this. -->\n"


def cell(text):
    return text.replace("|", "\\|")


def page_type(field):
    kind = field["type"]
    if kind == "map":
        return f"[{field['of']}](types.md#{field['of']})"
    if kind == "list":
        return f"list of [{field['of']}](types.md#{field['of']})"
    if kind in ("enum", "flags"):
        return ("one of " if kind == "enum" else "some of ") + ", ".join(f"`{one}`" for one in field["values"])
    return f"[{kind}](types.md#on-the-wire)"


def page_range(field):
    parts = []
    if "min" in field:
        parts.append(("> " if field.get("exclusive_min") else "≥ ") + json.dumps(field["min"]))
    if "max" in field:
        parts.append("≤ " + json.dumps(field["max"]))
    if field.get("scaled"):
        parts.append("times the scale")
    if "most" in field:
        parts.append(f"at most {field['most']} items")
    if "multiple" in field:
        parts.append(f"length a multiple of {field['multiple']}")
    if field.get("scalar"):
        parts.append("one number (or an array of one) for all")
    if field.get("name_like"):
        parts.append("a name")
    return ", ".join(parts)


def page_default(field):
    if field.get("required"):
        return "required"
    if "default" in field:
        return f"`{json.dumps(field['default'])}`"
    return ""


def page_fields(fields, is_param):
    if not fields:
        return ["None.", ""]
    heads = ["name", "type", "unit"] + (["range", "default"] if is_param else []) + ["what it is"]
    rows = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for field in fields:
        cells = [f"`{field['name']}`", page_type(field), field.get("unit", "")]
        if is_param:
            cells += [page_range(field), page_default(field)]
        doc = field["doc"] + (" May be absent." if field.get("optional") and not is_param else "")
        rows.append("| " + " | ".join(cell(one) for one in cells + [doc]) + " |")
    return rows + [""]


def example(method):
    if method["name"] in EXAMPLES:
        unknown = set(EXAMPLES[method["name"]]) - {field["name"] for field in method["params"]}
        if unknown:
            refuse(f"example of {method['name']}", f"unknown fields {sorted(unknown)}")
        return EXAMPLES[method["name"]]
    fields = {}
    for field in method["params"]:
        if field.get("required"):
            fields[field["name"]] = EXAMPLE_VALUES.get(field["name"], EXAMPLE_TYPES.get(field["type"]))
    return fields


def page_methods(api):
    out = [PAGE + "# Methods", "",
           "A request is `[0, msgid, method, params]`, its answer `[1, msgid, error, result]`; `params` is an "
           "array that holds one map of the fields below (`[]` where none is given). `world.edited` and the other "
           "messages that the server sends by itself are in [notifications](notifications.md), what goes wrong in "
           "[errors](errors.md).", "", "Each method has a class:", ""]
    out += [f"- **{name}**: {text}." for name, text in CLASSES.items()]
    nouns = []
    for method in api["methods"]:
        noun = method["name"].split(".")[0]
        if noun not in nouns:
            nouns.append(noun)
    out.append("")
    for noun in nouns:
        names = [m["name"] for m in api["methods"] if m["name"].split(".")[0] == noun]
        out.append(f"- {noun}: " + ", ".join(f"[{name}](#{name.replace('.', '')})" for name in names))
    out.append("")
    for noun in nouns:
        out += [f"## {noun}", ""]
        for method in api["methods"]:
            if method["name"].split(".")[0] != noun:
                continue
            request = [0, 1, method["name"], [example(method)] if example(method) else []]
            out += [f"### {method['name']}", "", method["doc"], "",
                    f"Class {method['class']}; {for_whom(method['role'])}; since level {method['since']}."
                    + (" Makes a [record](records.md)." if method["record"] else ""), "",
                    "Parameters:", ""] + page_fields(method["params"], True)
            out += ["Result:", ""] + page_fields(method["result"], False)
            out += ["```json", json.dumps(request, ensure_ascii=False), "```", ""]
    return "\n".join(out)


def for_whom(role):
    return "for anyone" if role == "anyone" else f"for {'an' if role[0] in 'aeo' else 'a'} {role}"


def page_notifications(api):
    out = [PAGE + "# Notifications", "",
           "What the server sends without being asked each time: `[2, method, [{fields}]]`. Clients ignore those "
           "that they do not know.", ""]
    for notice in api["notifications"]:
        out += [f"## {notice['name']}", "", notice["doc"], "", f"Since level {notice['since']}.", ""]
        out += page_fields(notice["params"], False)
    return "\n".join(out)


def page_errors(api):
    out = [PAGE + "# Errors", "",
           'The error of an answer is `[kind, "CODE: text"]`; after `session.hello {"errors": "map"}` it is the map '
           "`{kind, code, text, field, value, revision, user, limit}`, nil where there is nothing to say. Kind 0: the "
           "server failed; kind 1: the caller erred. The text is for people; the code is for programs. Clients treat "
           "a code that they do not know by its kind.", "",
           "`user` is the caller, unless the error is about somebody else: the person whose edit is in the way of "
           "`edit.undo` or `edit.redo`, who holds the particle or the grab (`value` is its number), who steps the world, "
           "or who holds control of it. It is nil if that person has no name.", "",
           "An undo or redo in conflict adds `changes`, the later changes in the way as "
           "[`undo_overwritten`](types.md#undo_overwritten). If `field` is `revision`, `force` overwrites them. Otherwise "
           "`field` would come back and does not go together with the field of the one change, and `force` does not help.",
           "", "| code | kind | means |", "| --- | --- | --- |"]
    out += [f"| `{error['code']}` | {error['kind']} | {cell(error['doc'])} |" for error in api["errors"]]
    return "\n".join(out + [""])


def page_limits(api):
    out = [PAGE + "# Limits", "", "As in `limits` of `server.info`.", "", "| name | value | unit | what it bounds |",
           "| --- | ---: | --- | --- |"]
    out += [f"| `{one['name']}` | {one['value']} | {one.get('unit', '')} | {cell(one['doc'])} |"
            for one in api["limits"]]
    return "\n".join(out + [""])


def page_types(api):
    out = [PAGE + "# Types", "", "## On the wire", "",
           "SI units everywhere. A field that is nil counts as absent. Where an array of numbers is asked for, a typed "
           "array (ext 0x11 i8, 0x12 u8, 0x13 i16, 0x14 u16, 0x15 i32, 0x16 u32, 0x17 f32, 0x18 f64, little-endian), "
           "`bin` or `str` bytes (little-endian, of the type that the table names) and a plain array all do. The "
           "server sends typed arrays, `bin` or plain arrays, as `arrays` of `session.hello` says.", "",
           "| type | on the wire |", "| --- | --- |"]
    out += [f"| {name} | {cell(text)} |" for name, (_, _, text) in TYPES.items()]
    out.append("")
    for one in api["types"]:
        out += [f"## {one['name']}", "", one["doc"], ""] + page_fields(one["fields"], True)
    return "\n".join(out)


def page_index(api):
    return "\n".join([
        PAGE + "# Reference", "",
        f"weft {api['version']}, API level {api['api_level']} (compatible from {api['api_compatible']}). The same list "
        "is served by `server.info`.", "",
        f"- [Methods](methods.md): {len(api['methods'])}", f"- [Notifications](notifications.md): "
        f"{len(api['notifications'])}", f"- [Types](types.md): {len(api['types'])}",
        f"- [Errors](errors.md): {len(api['errors'])}", f"- [Limits](limits.md): {len(api['limits'])}",
        "- [Scenes](scene.md): worlds as files, with their [JSON Schema](scene.schema.json)",
        "- [Records](records.md): what changed a world, as bytes",
        "- [Compressed positions](compressed.md): q16 and delta, as bytes",
        "- [Compatibility](compatibility.md): which versions fit together",
        "- [Store](store.md): what stands in the folder of `weftd --data`", ""])
