"""api.json as TypeScript: types of parameters, results and notifications, and tables for forms."""
import json

from generator.check import reachable

ARRAYS_OUT = {"u32[]": "Uint32Array", "f32[]": "Float32Array", "f64[]": "Float64Array", "number[]": "Float64Array"}
SIMPLE = {"bool": "boolean", "u32": "number", "u64": "number", "float": "number", "string": "string", "any": "unknown", "answers": "readonly unknown[]"}
VECTORS_OUT = {"vec3": "Vec3", "vec4": "Vec4"}

HEAD = """\
// What api.json says, for TypeScript: types of parameters, results and notifications; error codes, limits, and
// the tables METHODS, NOTIFICATIONS and TYPES that say of each field its type, unit, range, default and meaning.
//
// Made by protocol/generate.py from protocol/api.json. Change that, not this.
import type {ErrorInfo, KindInfo, LimitInfo, MethodInfo, NotificationInfo, TypeInfo} from './schema.js';
import type {Call, Numbers, Ref, Vec3, Vec4} from './values.js';
"""


def pascal(name):
    return "".join(word[0].upper() + word[1:] for part in name.split(".") for word in part.split("_"))


def literal(value):
    """A JSON value is a JavaScript one; strings in single quotes, as in the rest of the source."""
    if isinstance(value, str):
        inner = json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
        return f"'{inner}'"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def comment(text, indent):
    return f"{indent}/** {text.replace('*/', '* /')} */"


def field_type(field, is_input):
    kind = field["type"]
    if kind in SIMPLE:
        return SIMPLE[kind]
    if kind == "ref":
        return "Ref"
    if kind == "calls":
        return "readonly Call[]"
    if kind in VECTORS_OUT:
        return "Numbers" if is_input else VECTORS_OUT[kind]
    if kind in ARRAYS_OUT:
        return ("Numbers | number" if field.get("scalar") else "Numbers") if is_input else ARRAYS_OUT[kind]
    if kind == "enum":
        return " | ".join(map(literal, field["values"]))
    if kind == "flags":
        return "readonly (" + " | ".join(map(literal, field["values"])) + ")[]"
    inner = pascal(field["of"]) + ("Input" if is_input else "")
    return f"readonly {inner}[]" if kind == "list" else inner


def is_optional(field, is_input, is_shared):
    """What a client may leave out. What the server may leave out says so; of a type that clients send as well,
    also what has no default to stand for it."""
    if is_input:
        return not field.get("required")
    return bool(field.get("optional")) or (is_shared and not field.get("required") and "default" not in field)


def interface(name, doc, fields, is_input, is_shared):
    lines = [comment(doc, ""), f"export interface {name} {{"]
    for field in fields:
        text = field["doc"]
        if "unit" in field:
            text += f" [{field['unit']}]"
        mark = "?" if is_optional(field, is_input, is_shared) else ""
        lines += [comment(text, "  "), f"  {field['name']}{mark}: {field_type(field, is_input)};"]
    return "\n".join(lines + ["}", ""])


CAMEL = {"exclusive_min": "exclusiveMin", "name_like": "nameLike"}
FIELD_KEYS = ("name", "type", "of", "values", "required", "optional", "default", "unit", "min", "exclusive_min", "max",
              "multiple", "most", "scaled", "scalar", "name_like", "partial", "doc")


def table_fields(fields, indent):
    if not fields:
        return "[]"
    rows = []
    for field in fields:
        parts = [f"{CAMEL.get(key, key)}: {literal(field[key])}" for key in FIELD_KEYS if key in field]
        rows.append(f"{indent}  {{{', '.join(parts)}}},")
    return "\n".join(["["] + rows + [f"{indent}]"])


def table_methods(api):
    out = ["/** Every method: class, role, and fields in the order of api.json. */",
           "export const METHODS: Readonly<Record<Method, MethodInfo>> = {"]
    for method in api["methods"]:
        out += [f"  {literal(method['name'])}: {{"]
        out += [f"    {key}: {literal(method[key])}," for key in ("name", "class", "role", "record", "since", "doc")]
        out += [f"    params: {table_fields(method['params'], '    ')},",
                f"    result: {table_fields(method['result'], '    ')},", "  },"]
    return out + ["};", ""]


def table_notifications(api):
    out = ["/** What the server sends by itself. */",
           "export const NOTIFICATIONS: Readonly<Record<Notification | 'stream.frame', NotificationInfo>> = {"]
    for notice in api["notifications"]:
        out += [f"  {literal(notice['name'])}: {{"]
        out += [f"    {key}: {literal(notice[key])}," for key in ("name", "since", "doc")]
        out += [f"    params: {table_fields(notice['params'], '    ')},", "  },"]
    return out + ["};", ""]


def table_types(api):
    names = " | ".join(literal(one["name"]) for one in api["types"])
    out = ["/** The types that fields of type map and list name in `of`. */", f"export type TypeName = {names};", "",
           "export const TYPES: Readonly<Record<TypeName, TypeInfo>> = {"]
    for one in api["types"]:
        out += [f"  {one['name']}: {{name: {literal(one['name'])}, doc: {literal(one['doc'])}, "
                f"fields: {table_fields(one['fields'], '  ')}}},"]
    return out + ["};", ""]


def constants(api):
    out = [f"export const VERSION = {literal(api['version'])};", f"export const API_LEVEL = {api['api_level']};",
           f"export const API_COMPATIBLE = {api['api_compatible']};", ""]
    codes = " | ".join(literal(error["code"]) for error in api["errors"])
    out += ["/** Codes of the server's errors. A later server may have more. */", f"export type ErrorCode = {codes};",
            "", "/** Kind 0: the server failed; 1: the caller erred. */",
            "export const ERRORS: Readonly<Record<ErrorCode, ErrorInfo>> = {"]
    out += [f"  {error['code']}: {{kind: {error['kind']}, doc: {literal(error['doc'])}}}," for error in api["errors"]]
    names = " | ".join(literal(limit["name"]) for limit in api["limits"])
    out += ["};", "", f"export type LimitName = {names};", "",
            "export const LIMITS: Readonly<Record<LimitName, LimitInfo>> = {"]
    for limit in api["limits"]:
        unit = f", unit: {literal(limit['unit'])}" if "unit" in limit else ""
        out.append(f"  {limit['name']}: {{value: {limit['value']}{unit}, doc: {literal(limit['doc'])}}},")
    return out + ["};", ""]


def table_kinds(api):
    """The rows as they are: their keys are one word each."""
    def value(one):
        if isinstance(one, dict):
            return "{" + ", ".join(f"{key}: {value(item)}" for key, item in one.items()) + "}"
        return literal(one)
    names = " | ".join(literal(row["name"]) for row in api["kinds"])
    out = ["/** Kinds of constraints. */", f"export type ConstraintKind = {names};", "",
           "/** What each kind of constraint is, in the order of solving. */",
           "export const KINDS: Readonly<Record<ConstraintKind, KindInfo>> = {"]
    keys = ("name", "particles", "part", "c", "unit", "rest", "compliance", "damping", "force", "shown")
    for row in api["kinds"]:
        told = dict(row["told"])
        if "error" in told:  # fields by their names alone: their docs are in the table of types
            told["error"] = {**told["error"], "max": told["error"]["max"][0], "rms": told["error"]["rms"][0]}
        out.append(f"  {row['name']}: {value({**{key: row[key] for key in keys}, 'told': told})},")
    return out + ["};", ""]


def maps(api):
    methods = [method["name"] for method in api["methods"]]
    notices = [notice["name"] for notice in api["notifications"] if notice["name"] != "stream.frame"]
    out = ["/** The parameters of each method. */", "export interface Params {"]
    out += [f"  {literal(name)}: {pascal(name)}Params;" for name in methods]
    out += ["}", "", "/** The result of each method. */", "export interface Results {"]
    out += [f"  {literal(name)}: {pascal(name)}Result;" for name in methods]
    out += ["}", "", "/** The fields of each notification but stream.frame, which Client.subscribe() delivers. */",
            "export interface Notifications {"]
    out += [f"  {literal(name)}: {pascal(name)}Notice;" for name in notices]
    return out + ["}", "", "export type Method = keyof Params;", "export type Notification = keyof Notifications;", ""]


def module(api):
    types = {one["name"]: one for one in api["types"]}
    from_params = set()
    for method in api["methods"]:
        reachable(method["params"], types, from_params)
    out = [HEAD] + constants(api) + table_kinds(api)
    for name, one in types.items():
        out.append(interface(pascal(name), one["doc"], one["fields"], False, name in from_params))
        if name in from_params:
            doc = one["doc"] + " What is left out takes its default, or stays."
            out.append(interface(pascal(name) + "Input", doc, one["fields"], True, True))
    for method in api["methods"]:
        base = pascal(method["name"])
        out.append(interface(base + "Params", method["doc"], method["params"], True, False))
        out.append(interface(base + "Result", f"Result of {method['name']}.", method["result"], False, False))
    for notice in api["notifications"]:
        out.append(interface(pascal(notice["name"]) + "Notice", notice["doc"], notice["params"], False, False))
    out += maps(api) + table_methods(api) + table_notifications(api) + table_types(api)
    return "\n".join(out)
