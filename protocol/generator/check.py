"""api.json, read and checked: every key is known, every name is unique, every type fits."""
import keyword
import re

TYPES = {  # api.json: (enum protocol_type, C type, words for people)
    "bool": ("BOOL", "bool", "true or false"),
    "u32": ("U32", "uint32_t", "integer, 0 … 2³² − 1"),
    "u64": ("U64", "uint64_t", "integer, 0 … 2⁵³ − 1"),
    "float": ("FLOAT", "double", "number, finite; integers are accepted"),
    "string": ("STRING", "struct protocol_string", "string, UTF-8"),
    "enum": ("ENUM", "int", "string, one of those listed"),
    "flags": ("FLAGS", "uint32_t", "array of strings, each one of those listed"),
    "ref": ("REF", "struct protocol_ref", "an id (integer from 1) or a name (string)"),
    "vec3": ("VEC3", "double", "three numbers: an array in any encoding"),
    "vec4": ("VEC4", "double", "four numbers: an array in any encoding"),
    "number[]": ("NUMBERS", "struct protocol_array", "array of finite numbers in any encoding; `bin` is f32"),
    "u32[]": ("U32S", "struct protocol_array", "array of integers 0 … 2³² − 1 in any encoding; `bin` is u32"),
    "f32[]": ("F32S", "struct protocol_array", "array of f32"),
    "f64[]": ("F64S", "struct protocol_array", "array of f64"),
    "map": ("MAP", None, "map, of the type named"),
    "list": ("LIST", "struct protocol_list", "array of maps, of the type named"),
    "any": ("ANY", "struct protocol_raw", "any value"),
    "calls": ("CALLS", "struct protocol_list", "array of edits, each an array of a method and the map of its parameters, "
              "without `world`"),
    "answers": ("ANSWERS", "struct protocol_list", "array of maps, each the result of one of those edits"),
}
ARRAYS = {"number[]", "u32[]", "f32[]", "f64[]"}
VECTORS = {"vec3": 3, "vec4": 4}
NUMERIC = {"u32", "u64", "float"} | set(VECTORS) | ARRAYS
CLASSES = {
    "server": "answered at once, without a world's inbox",
    "query": "looks at a world, in order with the edits of the same session",
    "edit": "changes the document of a world; has a revision",
    "input": "acts on a world without a revision; may be sent as a notification",
    "control": "runs or stops a world",
}
# Each may what those before it may. Of a method that names a world it is the role there, else that in the server.
ROLES = ("anyone", "viewer", "editor", "owner", "admin")
INTEGER_MAX = 2**53 - 1
FIELDS_MAX = 64

class Refused(Exception):
    """api.json is not what it should be."""


def refuse(where, text):
    raise Refused(f"{where}: {text}")


def unique_pairs(pairs):
    result = {}
    for key, value in pairs:
        if key in result:
            raise Refused(f'key "{key}" appears twice in one object')
        result[key] = value
    return result


def check_keys(where, thing, required, optional=()):
    if not isinstance(thing, dict):
        refuse(where, "must be an object")
    for key in thing:
        if key not in required and key not in optional:
            refuse(where, f'unknown key "{key}"')
    for key in required:
        if key not in thing:
            refuse(where, f'key "{key}" is missing')


def check_text(where, text):
    if not isinstance(text, str) or not text:
        refuse(where, "doc must be text")


def check_names(where, names):
    seen = set()
    for name in names:
        if name in seen:
            refuse(where, f'"{name}" appears twice')
        seen.add(name)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_range(where, field, value):
    if not is_number(value):
        refuse(where, f"{value!r} is no number")
    if "min" in field and (value < field["min"] or (field.get("exclusive_min") and value == field["min"])):
        refuse(where, f"{value} is below min")
    if "max" in field and value > field["max"]:
        refuse(where, f"{value} is above max")


def check_default(where, field):
    kind, value = field["type"], field["default"]
    where += " default"
    if kind == "bool" and isinstance(value, bool):
        return
    if kind in ("u32", "u64", "float"):
        check_range(where, field, value)
        most = {"u32": 2**32 - 1, "u64": INTEGER_MAX}.get(kind)
        if most is not None and not (isinstance(value, int) and 0 <= value <= most):
            refuse(where, f"{value} is no {kind}")
        return
    if kind == "string" and isinstance(value, str):
        return
    if kind == "enum" and value in field["values"]:
        return
    if kind == "flags" and isinstance(value, list) and all(one in field["values"] for one in value):
        return check_names(where, value)
    if kind in VECTORS and isinstance(value, list) and len(value) == VECTORS[kind]:
        for one in value:
            check_range(where, field, one)
        return
    refuse(where, f"{value!r} does not fit type {kind}")


# A scaled range is that of a world with the default resolution. With a coarser one it grows in proportion; the greatest
# resolution is so many times the default one.
SCALE_MAX = 32768


def widest(field, key):
    """The number that no world lets pass: what is read from the wire is held against that, and a world against its own."""
    return field[key] * (SCALE_MAX if field.get("scaled") else 1)


def check_field(where, field, types, is_param):
    optional = ("unit", "default", "min", "max", "exclusive_min", "multiple", "scalar", "required", "optional",
                "name_like", "partial", "values", "of", "most", "scaled")
    check_keys(where, field, ("name", "type", "doc"), optional)
    kind = field["type"]
    if kind not in TYPES:
        refuse(where, f'unknown type "{kind}"')
    check_text(where, field["doc"])
    for key in ("exclusive_min", "scalar", "required", "optional", "name_like", "partial", "scaled"):
        if key in field and field[key] is not True:
            refuse(where, f"{key} is true or absent")
    fits = {
        "min": NUMERIC, "max": NUMERIC, "exclusive_min": NUMERIC, "multiple": ARRAYS, "scalar": ARRAYS,
        "unit": NUMERIC, "scaled": NUMERIC, "name_like": {"string"}, "partial": {"map"}, "values": {"enum", "flags"},
        "of": {"map", "list"}, "most": {"list", "calls"},
    }
    for key, kinds in fits.items():
        if key in field and kind not in kinds:
            refuse(where, f"{key} means nothing for type {kind}")
    if "unit" in field:
        check_text(where + " unit", field["unit"])
    if kind in ("enum", "flags"):
        values = field.get("values")
        if not isinstance(values, list) or not values or len(values) > 32:
            refuse(where, "values must be a list of 1 to 32 names")
        for value in values:
            if not isinstance(value, str) or not re.fullmatch(r"[a-z][a-z0-9_-]*", value):
                refuse(where, f"value {value!r} is no lower-case name")
        check_names(where + " values", values)
    if kind in ("map", "list") and field.get("of") not in types:
        refuse(where, f"of: there is no type {field.get('of')!r}")
    for key in ("min", "max"):
        if key in field and not is_number(field[key]):
            refuse(where, f"{key} must be a number")
    if "min" in field and "max" in field and field["min"] > field["max"]:
        refuse(where, "min is above max")
    if field.get("exclusive_min") and "min" not in field:
        refuse(where, "exclusive_min needs min")
    if "most" in field and not (isinstance(field["most"], int) and field["most"] > 0):
        refuse(where, "most must be a positive integer")
    if "multiple" in field and not (isinstance(field["multiple"], int) and field["multiple"] > 0):
        refuse(where, "multiple must be a positive integer")
    if not is_param and ("required" in field or "default" in field):
        refuse(where, "what the server sends is neither required nor defaulted; it may be optional")
    if field.get("required") and ("default" in field or field.get("optional")):
        refuse(where, "a required field has no default and is not optional")
    if "default" in field:
        check_default(where, field)


def check_fields(where, fields, types, is_param):
    if not isinstance(fields, list):
        refuse(where, "must be a list")
    if len(fields) > FIELDS_MAX:
        refuse(where, f"more than {FIELDS_MAX} fields")
    for field in fields:
        name = field.get("name") if isinstance(field, dict) else None
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name == "has":
            refuse(where, f"field name {name!r} is none")
        check_field(f"{where}.{name}", field, types, is_param)
    check_names(where, [field["name"] for field in fields])
    for field in fields:
        if keyword.iskeyword(field["name"]):
            refuse(where, f'"{field["name"]}" is a keyword of Python, which has no fields of that name')


def check_cycles(types):
    done = set()

    def visit(name, path):
        if name in path:
            refuse(f"type {name}", "contains itself")
        if name not in done:
            for field in types[name]["fields"]:
                if "of" in field:
                    visit(field["of"], path + [name])
            done.add(name)

    for name in types:
        visit(name, [])


def reachable(fields, types, found):
    for field in fields:
        if "of" in field and field["of"] not in found:
            found.add(field["of"])
            reachable(types[field["of"]]["fields"], types, found)
    return found


def check_entry(kind, entry, keys):
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not re.fullmatch(r"[a-z]+(\.[a-z][a-z0-9_]*)?", name):
        refuse(kind, f"name {name!r} is none")
    where = f"{kind} {name}"
    check_keys(where, entry, keys)
    check_text(where, entry["doc"])
    if not isinstance(entry["since"], int) or entry["since"] < 1:
        refuse(where, "since must be an api level")
    return where


def add_terms(api, types):
    """Adds the fields that every edit takes and answers besides its own, and those that every query answers."""
    terms = api.get("terms", {"params": [], "result": [], "query_result": []})
    check_keys("terms", terms, ("params", "result", "query_result"))
    check_fields("terms params", terms["params"], types, True)
    check_fields("terms result", terms["result"], types, False)
    check_fields("terms query_result", terms["query_result"], types, False)
    for method in api["methods"]:
        if method["class"] == "query":
            method["result"] = method["result"] + terms["query_result"]
        if method["class"] == "edit":
            method["params"] = method["params"] + terms["params"]
            method["result"] = method["result"] + terms["result"]


def check(api):
    check_keys("api.json", api, ("name", "version", "api_level", "api_compatible", "doc", "limits", "errors",
                                 "types", "methods", "notifications"), ("terms", "kinds"))
    if not re.fullmatch(r"\d+\.\d+\.\d+", str(api["version"])):
        refuse("version", "must be MAJOR.MINOR.PATCH")
    if not 1 <= api["api_compatible"] <= api["api_level"]:
        refuse("api_compatible", "must be from 1 to api_level")
    for limit in api["limits"]:
        check_keys(f"limit {limit.get('name')}", limit, ("name", "value", "doc"), ("unit",))
        if not re.fullmatch(r"[a-z][a-z0-9_]*", limit["name"]):
            refuse("limits", f"{limit['name']!r} is no name")
        if not isinstance(limit["value"], int) or not 0 < limit["value"] <= INTEGER_MAX:
            refuse(f"limit {limit['name']}", "value must be a positive integer")
    check_names("limits", [limit["name"] for limit in api["limits"]])
    if "name_bytes" not in [limit["name"] for limit in api["limits"]]:
        refuse("limits", "name_bytes is missing")
    for error in api["errors"]:
        check_keys(f"error {error.get('code')}", error, ("code", "kind", "doc"))
        if not re.fullmatch(r"[A-Z][A-Z_]*", error["code"]) or error["code"] in ("OK", "COUNT"):
            refuse("errors", f"{error['code']!r} is no code")
        if error["kind"] not in (0, 1):
            refuse(f"error {error['code']}", "kind is 0 (server) or 1 (caller)")
    check_names("errors", [error["code"] for error in api["errors"]])

    for one in api["types"]:
        check_keys(f"type {one.get('name')}", one, ("name", "doc", "fields"))
        if not re.fullmatch(r"[a-z][a-z0-9_]*", one["name"]):
            refuse("types", f"{one['name']!r} is no name")
    check_names("types", [one["name"] for one in api["types"]])
    types = {one["name"]: one for one in api["types"]}
    from_params = set()
    add_terms(api, types)
    for method in api["methods"]:
        where = check_entry("method", method, ("name", "class", "role", "record", "since", "doc", "params", "result"))
        if method["class"] not in CLASSES:
            refuse(where, f'unknown class "{method["class"]}"')
        # What changes the future of a world is written down before it is applied; nothing else is.
        makes = method["class"] in ("edit", "input")
        if method["record"] is not makes:
            refuse(where, f"record must be {str(makes).lower()} for class {method['class']}")
        if method["role"] not in ROLES:
            refuse(where, f'unknown role "{method["role"]}"')
        check_fields(where + " params", method["params"], types, True)
        check_fields(where + " result", method["result"], types, False)
        reachable(method["params"], types, from_params)
    for notice in api["notifications"]:
        where = check_entry("notification", notice, ("name", "since", "doc", "params"))
        check_fields(where + " params", notice["params"], types, False)
    for one in api["types"]:
        check_text(f"type {one['name']}", one["doc"])
        check_fields(f"type {one['name']}", one["fields"], types, one["name"] in from_params)
    check_names("methods", [method["name"] for method in api["methods"]])
    check_names("notifications", [notice["name"] for notice in api["notifications"]])
    check_cycles(types)
    return api
