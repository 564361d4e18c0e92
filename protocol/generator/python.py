"""api.json as Python: what the package weft under clients/python knows of it.

A method of a thing is the face of that thing under its own verb (body.get: Body.get), and of the world under both words
where it names none (motion.remove: World.remove_motion). FACES has those that differ, or do more; a face without a method
is refused.
The blocking and the asyncio package have the same faces, so both are written from one text.
"""
import json
import keyword
import textwrap

from generator.check import reachable, refuse
from generator.web import is_optional, pascal

WIDTH = 118

# Owners, and the parameters that each gives by itself.
OWNERS = {
    "Client": (),
    "World": ("world",),
    "Body": ("world", "body"),
    "Constraints": ("world", "constraints"),
    "Collider": ("world", "collider"),
    "Grab": ("world", "grab"),
    "Stream": ("stream",),
}


class Face:
    """makes: the object that the method returns instead of its result. gives: the one field of the result that is
    returned. places: optional parameters that may be given by place. fixed: parameters that the package decides.
    patient: takes as long as the caller asked for, so no time is set for its answer."""

    def __init__(self, owner, name, makes=None, gives=None, places=(), fixed=None, patient=False):
        self.owner, self.name, self.makes, self.gives = owner, name, makes, gives
        self.places, self.fixed, self.patient = places, fixed or {}, patient


# Whose a method is by its first word.
OWNER_OF = {"server": "Client", "session": "Client", **{owner.lower(): owner for owner in OWNERS if owner != "Client"},
            "constraint": "Constraints"}

FACES = {
    "session.hello": Face("Client", "hello", fixed={"arrays": "ext", "errors": "map"}),
    "session.leave": Face("Client", "leave"),
    "body.force": Face("Body", "force", places=("force",)),
    "presence.set": Face("World", "show"),
    "presence.say": Face("World", "say", places=()),
    "world.create": Face("Client", "create", makes="World", places=("name",)),
    "world.open": Face("Client", "open", makes="World", places=("document", "name")),
    "world.upload": Face("Client", "upload"),
    "world.list": Face("Client", "worlds", gives="worlds"),
    "world.play": Face("World", "play", places=("rate",)),
    "world.step": Face("World", "step", places=("ticks",), patient=True),
    "world.records": Face("World", "records", places=("after",)),
    "world.branch": Face("World", "branch", places=("tick", "name"), patient=True),
    "world.bin": Face("Client", "bin", gives="worlds"),
    "world.restore": Face("Client", "restore_world", places=("name",)),
    "world.control": Face("World", "control", places=("action",)),
    "access.list": Face("World", "access"),
    "access.grant": Face("World", "grant", places=("role",)),
    "access.revoke": Face("World", "revoke", places=("user",)),
    "access.invite": Face("World", "invite", places=("role",)),
    "access.accept": Face("Client", "accept", places=("user",)),
    "access.set": Face("World", "set_access"),
    "token.create": Face("Client", "create_token", places=("role",)),
    "server.list": Face("Client", "servers", gives="servers"),
    "token.list": Face("Client", "tokens", gives="tokens"),
    "token.revoke": Face("Client", "revoke_token", places=("id",)),
    "edit.log": Face("World", "log", places=("since",)),
    "body.add": Face("World", "add_body", makes="Body"),
    "body.state": Face("Body", "state", places=("fields",)),
    "constraint.add": Face("World", "add_constraints", makes="Constraints"),
    "constraint.list": Face("World", "list_constraints", places=("type",)),
    "particle.set": Face("Body", "set_particles"),
    "particle.pin": Face("Body", "pin", places=("positions",)),
    "particle.unpin": Face("Body", "unpin"),
    "grab.begin": Face("Body", "grab", makes="Grab", places=("target",)),
    "collider.add": Face("World", "add_collider", makes="Collider"),
    "motion.add": Face("World", "add_motion", gives="motion"),
    "motion.list": Face("World", "motions", gives="motions"),
    "edit.restore": Face("World", "restore"),
    "edit.undo": Face("World", "undo", places=("revision",), fixed={"back": None}),
    "edit.redo": Face("World", "redo", places=("revision",), fixed={"back": None}),
    "edit.batch": Face("World", "batch"),
    "stream.subscribe": Face("World", "subscribe", makes="Stream"),
}

# How many numbers make one row of an array that the server sends.
ROWS = {"positions": 3, "positions64": 3, "velocities": 3, "normals": 3, "triangles": 3, "edges": 2, "tets": 4,
        "offsets": 3, "targets": 3, "rotations": 4, "rotations64": 4, "arms": 3, "poses": 3, "skin": 3, "points": 3, "box": 3,
        "yarn_uvs": 6, "angular_velocities": 3, "anchors": 3, "axes": 3, "limits": 2, "joint_anchors": 6, "joint_frames": 8}

DTYPES = {"u32[]": "np.uint32", "f32[]": "np.float32", "f64[]": "np.float64", "number[]": "np.float64",
          "vec3": "np.float64", "vec4": "np.float64"}
SIMPLE = {"bool": "bool", "u32": "int", "u64": "int", "float": "float", "string": "str", "any": "Any",
          "calls": "Sequence[tuple[str, Mapping[str, Any]]]", "answers": "list[Any]"}
OWNER_REFS = {"world": "WorldRef", "body": "BodyRef", "collider": "ColliderRef"}

MADE = "# Made by protocol/generate.py from protocol/api.json. Change that, not this.\n"

API_HEAD = '''\
"""What api.json says, for Python: errors, limits, what goes into methods and what comes out of them.

Results and notifications are records: their fields are attributes, arrays in them are of numpy, and
fields that this version does not know stay within reach by ``record["name"]``. SI units everywhere.
"""
''' + MADE + '''\
from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft.errors import CallerError, Error, ServerError
from weft.handles import BodyRef, ColliderRef
from weft.records import Record

'''

CALLS_HEAD = '''\
"""Every method of api.json as a method of the object that it concerns: the {kind} half.

Parameters that are None are left out, and the server's defaults hold. Arrays of numbers may be anything that
numpy makes an array of, flat or in rows; they are sent as they lie in memory where they are of 32 or 64 bits.

Which class a thing has that a method makes is the client's to say, whose classes stand on these: it makes them in
_make_world, _make_body …
"""
''' + MADE + '''\
from __future__ import annotations

from typing import Any, Generic, Literal, Mapping, Sequence, TypeVar

from numpy.typing import ArrayLike

from weft import api
from weft.handles import {handle}, BodyRef, ColliderRef, NamedBody, NamedCollider, NamedWorld, WorldRef

{variables}


'''


def attribute(name):
    return name + "_" if keyword.iskeyword(name) else name


def literal(value):
    return repr(value) if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def enumeration(field):
    return "Literal[" + ", ".join(f'"{value}"' for value in field["values"]) + "]"


def out_type(field):
    kind = field["type"]
    if kind in DTYPES:
        return f"NDArray[{DTYPES[kind]}]"
    if kind == "enum":
        return enumeration(field)
    if kind == "flags":
        return f"list[{enumeration(field)}]"
    if kind == "map":
        return pascal(field["of"])
    if kind == "list":
        return f"list[{pascal(field['of'])}]"
    return "int | str" if kind == "ref" else SIMPLE[kind]


def in_type(field, prefix, method=None):
    kind = field["type"]
    if kind in DTYPES:
        return "ArrayLike"
    if kind == "ref":
        return OWNER_REFS.get(field["name"], "int | str")
    if kind == "enum":
        return enumeration(field)
    if kind == "flags":
        one = prefix + flags_name(method, field) if method else enumeration(field)
        return f"{one} | Sequence[{one}]"
    if kind in ("map", "list"):
        inner = f"{prefix}{pascal(field['of'])}Input | {prefix}{pascal(field['of'])}"
        return inner if kind == "map" else f"Sequence[{inner}]"
    return SIMPLE[kind]


def ranges(field):
    parts = []
    if "min" in field:
        parts.append((">" if field.get("exclusive_min") else "≥") + f" {field['min']}")
    if "max" in field:
        parts.append(f"≤ {field['max']}")
    if "default" in field:
        parts.append(f"default {literal(field['default'])}")
    return f" ({', '.join(parts)})" if parts else ""


def described(field):
    unit = f" [{field['unit']}]" if "unit" in field else ""
    return field["doc"] + unit


def docstring(paragraphs, indent):
    """One string in triple quotes; paragraphs are texts, or lists of hanging entries."""
    lines = []
    for paragraph in paragraphs:
        if lines:
            lines.append("")
        entries = [paragraph] if isinstance(paragraph, str) else paragraph
        hang = "" if isinstance(paragraph, str) else "    "
        for entry in entries:
            lines += textwrap.wrap(entry, WIDTH - len(indent) - 3, subsequent_indent=hang, break_long_words=False,
                                   break_on_hyphens=False)
    lines = [line.replace("\\", "\\\\").replace('"""', "'''") for line in lines]
    text = [indent + line if line else "" for line in lines]
    text[0] = indent + '"""' + lines[0]
    if len(lines) == 1:
        text[0] += '"""'
        return text
    return text + [indent + '"""']


def conversion(field):
    """What a record does with a field that came, or None: records.py says what these mean."""
    kind = field["type"]
    if kind in DTYPES:
        return f'("array", {DTYPES[kind]}, {ROWS.get(field["name"], 1)})'
    if kind in ("map", "list"):
        return f'("{kind}", {pascal(field["of"])})'
    return None


def record(name, doc, fields, is_shared):
    out = [f"class {name}(Record):"] + docstring([doc], "    ") + [""]
    absent = []
    for field in fields:
        optional = is_optional(field, False, is_shared)
        out.append(f"    {attribute(field['name'])}: {out_type(field)}{' | None' if optional else ''}")
        out += docstring([described(field) + (" None where there is none." if optional else "")], "    ")
        if optional:
            absent.append(field["name"])
    if fields:
        out.append("")
    else:
        out += ["    __slots__ = ()", ""]
    return out, absent


def how(name, fields, absent):
    out = []
    rows = [(field["name"], conversion(field)) for field in fields if conversion(field) is not None]
    if rows:
        out.append(f"{name}._how = {{")
        out += [f"    {literal(field)}: {text}," for field, text in rows] + ["}"]
    if absent:
        out.append(f"{name}._absent = frozenset({literal(absent)})")
    return out


def input_type(one):
    out = [f"class {pascal(one['name'])}Input(TypedDict, total=False):"]
    out += docstring([one["doc"] + " What is left out takes its default, or stays."], "    ") + [""]
    for field in one["fields"]:
        out.append(f"    {field['name']}: {in_type(field, '')}")
        out += docstring([described(field) + ranges(field)], "    ")
    return out + ["", ""]


def errors(api):
    out = []
    for error in api["errors"]:
        name = pascal(error["code"].lower())
        base = "CallerError" if error["kind"] else "ServerError"
        out += [f"class {name}({base}):"] + docstring([f"{error['code']}: {error['doc']}"], "    ") + ["", ""]
    out += ["#: The exception of each code. Codes of later servers are CallerError or ServerError.",
            "ERRORS: Mapping[str, type[Error]] = {"]
    return out + [f"    {literal(e['code'])}: {pascal(e['code'].lower())}," for e in api["errors"]] + ["}", ""]


PACKED = {"number[]", "f32[]", "f64[]", "u32[]", "vec3", "vec4", "flags", "calls"}


def parameters(method):
    """A row of PARAMS: the parameters that need more than MessagePack's own types."""
    rows = [f"{literal(f['name'])}: {literal(f['type'])}" for f in method["params"] if f["type"] in PACKED]
    text = f"    {literal(method['name'])}: {{{', '.join(rows)}}},"
    if len(text) <= WIDTH:
        return [text]
    return [f"    {literal(method['name'])}: {{"] + [f"        {row}," for row in rows] + ["    },"]


def flags_name(method, field):
    return pascal(method["name"]) + pascal(field["name"])


def flags_types(api):
    """The words of each parameter that is a list of words."""
    fields = [(method, field) for method in api["methods"] for field in method["params"] if field["type"] == "flags"]
    return [f"{flags_name(method, field)} = {enumeration(field)}" for method, field in fields] + ["", ""]


def check_rows(api):
    for method in api["methods"]:
        for field in method["params"]:
            if "multiple" in field and ROWS.get(field["name"]) != field["multiple"]:
                refuse(f"python.py ROWS of {field['name']}", f"must be {field['multiple']}, as in {method['name']}")


def usual_face(method):
    first, verb = method["name"].split(".")
    params = {field["name"] for field in method["params"]}
    owner = OWNER_OF.get(first)
    if owner and set(OWNERS[owner]) <= params:
        return Face(owner, verb)
    return Face("World" if "world" in params else "Client", f"{verb}_{first}")


def faces_of(api):
    """Method → face, in the order of the methods."""
    return {method["name"]: FACES.get(method["name"]) or usual_face(method) for method in api["methods"]}


def check_faces(api):
    methods = {method["name"]: method for method in api["methods"]}
    seen = set()
    for name, face in {**FACES, **faces_of(api)}.items():
        where = f"python.py FACES of {name}"
        if name not in methods:
            refuse(where, "there is no such method")
        if (face.owner, face.name) in seen:
            refuse(where, f"{face.owner}.{face.name} is another method's")
        seen.add((face.owner, face.name))
        params = [field["name"] for field in methods[name]["params"]]
        result = [field["name"] for field in methods[name]["result"]]
        wanted = list(OWNERS[face.owner]) + list(face.places) + list(face.fixed)
        if missing := [one for one in wanted if one not in params]:
            refuse(where, f"the method has no parameter {missing[0]}")
        if face.gives and face.gives not in result:
            refuse(where, f"the result has no {face.gives}")


def module(api):
    """weft/api.py: tables, errors, records."""
    check_rows(api)
    types = {one["name"]: one for one in api["types"]}
    from_params = set()
    for method in api["methods"]:
        reachable(method["params"], types, from_params)
    out = [f"VERSION = {literal(api['version'])}", f"API_LEVEL = {api['api_level']}",
           f"API_COMPATIBLE = {api['api_compatible']}", "",
           "#: As a server has them that was started without options; server.info tells its own.",
           "LIMITS: Mapping[str, int] = {"]
    out += [f"    {literal(limit['name'])}: {limit['value']}," for limit in api["limits"]] + ["}", "", ""]
    out += errors(api) + flags_types(api)
    out += ["#: Kinds of constraints.", "Kind = Literal[" + ", ".join(literal(row["name"]) for row in api["kinds"]) + "]", "", ""]
    rest = []

    def add(name, doc, fields, is_shared):
        text, absent = record(name, doc, fields, is_shared)
        out.extend(text + [""])
        rest.extend(how(name, fields, absent))

    for name, one in types.items():
        add(pascal(name), one["doc"], one["fields"], name in from_params)
        if name in from_params:
            out.extend(input_type(one))
    for method in api["methods"]:
        add(pascal(method["name"]) + "Result", f"Result of {method['name']}.", method["result"], False)
    for notice in api["notifications"]:
        add(pascal(notice["name"]) + "Notice", f"{notice['name']}: {notice['doc']}", notice["params"], False)
    out += ["# How fields are converted, and which may be absent."] + rest + [""]
    out += ["#: The parameters of each method that are packed from what numpy takes, and lists of words.",
            "PARAMS: Mapping[str, Mapping[str, str]] = {"]
    out += [line for method in api["methods"] for line in parameters(method)]
    out += ["}", "", "#: The record of each method's result.", "RESULTS: Mapping[str, type[Record]] = {"]
    out += [f"    {literal(m['name'])}: {pascal(m['name'])}Result," for m in api["methods"]]
    out += ["}", "", "#: The record of each notification.", "NOTICES: Mapping[str, type[Record]] = {"]
    out += [f"    {literal(n['name'])}: {pascal(n['name'])}Notice," for n in api["notifications"]]
    out += ["}", "", "#: Owner and name of each method's face in Client, World, Body …",
            "FACES: Mapping[str, tuple[str, str]] = {"]
    out += [f"    {literal(name)}: ({literal(face.owner)}, {literal(face.name)})," for name, face in faces_of(api).items()]
    return API_HEAD + "\n".join(out + ["}", ""])


def signature(method, fields, face, returns, is_async):
    places = [f for f in fields if f.get("required")] + sorted(
        (f for f in fields if f["name"] in face.places and not f.get("required")),
        key=lambda f: face.places.index(f["name"]))
    named = [f for f in fields if f not in places]

    def parameter(field):
        text = f"{attribute(field['name'])}: {in_type(field, 'api.', method)}"
        return text if field.get("required") else text + " | None = None"

    parts = ["self"] + [parameter(f) for f in places] + (["*"] if named else []) + [parameter(f) for f in named]
    head = f"    {'async ' if is_async else ''}def {face.name}("
    line = head + ", ".join(parts) + f") -> {returns}:"
    if len(line) <= WIDTH:
        return [line]
    return [head] + [f"        {part}," for part in parts] + [f"    ) -> {returns}:"]


def face_text(method, face, is_async):
    bound = OWNERS[face.owner]
    fields = [f for f in method["params"] if f["name"] not in bound and f["name"] not in face.fixed]
    for field in fields:
        if attribute(field["name"]) == "self":
            refuse(f"method {method['name']}", "a parameter named self has no place in Python")
    record_name = f"api.{pascal(method['name'])}Result"
    gives = next((f for f in method["result"] if f["name"] == face.gives), None)
    returns = record_name if method["result"] else "None"
    if face.makes:
        returns = variable(face.makes)
    elif gives:
        returns = out_type(gives).replace("[", "[api.") if gives["type"] == "list" else out_type(gives)
    entries = [f"{attribute(f['name'])}: {described(f)}{ranges(f)}" for f in fields]
    paragraphs = [f"{method['doc']} ({method['name']})"] + ([entries] if entries else [])
    told = [f"{f['name']} ({described(f)})" for f in method["result"]]
    if face.makes:
        paragraphs.append(f"Returns the {face.makes}; its `answer` is {record_name}.")
    elif gives:
        paragraphs.append(f"Returns {gives['doc'][0].lower() + gives['doc'][1:]}")
    elif 0 < len(told) <= 4:
        paragraphs.append("Returns " + ", ".join(told))
    elif told:
        paragraphs.append(f"Returns {record_name}.")
    out = signature(method, fields, face, returns, is_async) + docstring(paragraphs, "        ")
    items = [f"{literal(f)}: {literal(v)}" for f, v in face.fixed.items()]
    items += [f"{literal(f['name'])}: {attribute(f['name'])}" for f in fields]
    # Names that no parameter has: those of api.json begin with a letter.
    line = f"        _given = self._fields({{{', '.join(items)}}})"
    if len(line) <= WIDTH:
        out.append(line)
    else:
        out += [line[:line.index("{") + 1]] + [f"            {item}," for item in items] + ["        })"]
    wait = "await " if is_async else ""
    call = f"{wait}self._call({literal(method['name'])}, _given{', patient=True' if face.patient else ''})"
    if face.makes:
        out += [f"        _answer = {record_name}({call})",
                f"        return self.{maker_name(face.makes)}(_answer, _given)"]
    elif gives:
        out += [f"        return {record_name}({call}).{attribute(face.gives)}"]
    elif method["result"]:
        out += [f"        return {record_name}({call})"]
    else:
        out += [f"        {call}"]
    return out + [""]


def variable(owner):
    """The type that a client has for an owner."""
    return owner + "T"


def maker_name(owner):
    return f"_make_{owner.lower()}"


def makes_of(faces, owner):
    """What the methods of an owner make, and by which: owners → methods."""
    made = {}
    for name, face in faces.items():
        if face.owner == owner and face.makes:
            made.setdefault(face.makes, []).append(name)
    return made


def maker_text(owner, methods):
    answers = " | ".join(f"api.{pascal(name)}Result" for name in methods)
    line = f"    def {maker_name(owner)}(self, answer: {answers}, given: Mapping[str, Any]) -> {variable(owner)}:"
    if len(line) <= WIDTH:
        out = [line]
    else:
        out = [f"    def {maker_name(owner)}(", f"        self, answer: {answers}, given: Mapping[str, Any]",
               f"    ) -> {variable(owner)}:"]
    return out + ["        raise NotImplementedError", ""]


def bases(faces, owner, is_async):
    out = ["AsyncHandle" if is_async else "Handle"]
    if owner.lower() in OWNER_REFS:
        out.append(f"Named{owner}")
    if made := makes_of(faces, owner):
        out.append(f"Generic[{', '.join(variable(one) for one in made)}]")
    return ", ".join(out)


def calls(api, is_async):
    """weft/_calls.py and weft/_async_calls.py: the faces."""
    check_faces(api)
    faces = faces_of(api)
    out = []
    for owner in OWNERS:
        out += [f"class {owner}Calls({bases(faces, owner, is_async)}):"]
        names = [name for name, face in faces.items() if face.owner == owner]
        out += docstring([f"The methods of a {owner}, on the wire {', '.join(names)}."], "    ")
        out += ["", "    __slots__ = ()", ""]
        for made, methods in makes_of(faces, owner).items():
            out += maker_text(made, methods)
        for method in api["methods"]:
            face = faces[method["name"]]
            if face.owner == owner:
                out += face_text(method, face, is_async)
        out.append("")
    variables = [f'{variable(owner)} = TypeVar("{variable(owner)}")' for owner in OWNERS
                 if any(face.makes == owner for face in faces.values())]
    head = CALLS_HEAD.format(kind="asyncio" if is_async else "blocking", variables="\n".join(variables),
                             handle="AsyncHandle" if is_async else "Handle")
    return head + "\n".join(out).rstrip("\n") + "\n"
