"""api.json as C: structs, tables, and MessagePack for server.info."""
import struct
import textwrap

from generator.check import TYPES, VECTORS, check_names, reachable, widest

KEYWORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int long"
    " register restrict return short signed sizeof static struct switch typedef union unsigned void volatile"
    " while bool true false asm typeof".split()
)


def c_name(name):
    return name.replace(".", "_")


def c_field(name):
    return name + "_" if name in KEYWORDS else name


def mark_optional(fields, types, is_param):
    """A field may be absent when encoding if it says so, or if a client may leave it out and nothing stands
    for it. A nested map stands for itself: its own fields have defaults."""
    marked = []
    for field in fields:
        field = dict(field)
        if is_param and not field.get("required") and "default" not in field:
            whole = field["type"] == "map" and not field.get("partial") and not any(
                inner.get("required") for inner in types[field["of"]]["fields"])
            if not whole:
                field["optional"] = True
        marked.append(field)
    return marked


def structs(api):
    """Every C struct: c = name after protocol_, wire = name in error texts."""
    types = {one["name"]: one for one in api["types"]}
    from_params = set()
    for method in api["methods"]:
        reachable(method["params"], types, from_params)
    result = []

    def visit(name):  # a struct comes after those that it holds
        if any(entry["c"] == name for entry in result):
            return
        for field in types[name]["fields"]:
            if "of" in field:
                visit(field["of"])
        fields = mark_optional(types[name]["fields"], types, name in from_params)
        result.append({"c": name, "wire": name, "doc": types[name]["doc"], "fields": fields})

    for name in types:
        visit(name)
    for method in api["methods"]:
        base = c_name(method["name"])
        fields = mark_optional(method["params"], types, True)
        result.append({"c": base + "_params", "wire": method["name"], "doc": method["doc"], "fields": fields})
        result.append({"c": base + "_result", "wire": method["name"] + " result",
                       "doc": f"Result of {method['name']}.", "fields": method["result"]})
    for notice in api["notifications"]:
        result.append({"c": c_name(notice["name"]) + "_notice", "wire": notice["name"], "doc": notice["doc"],
                       "fields": notice["params"]})
    check_names("C names", [entry["c"] for entry in result])
    return result


def c_string(text):
    out = ""
    for byte in text.encode():
        char = chr(byte)
        if char in '"\\':
            out += "\\" + char
        elif 32 <= byte < 127:
            out += char
        else:
            out += f"\\{byte:03o}"
    return f'"{out}"'


def c_number(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    return repr(value)


def c_comment(text, indent=""):
    return "\n".join(textwrap.wrap(text, 106, initial_indent=indent + "// ", subsequent_indent=indent + "// ",
                                   break_long_words=False))


GENERATED = "// Made by protocol/generate.py from protocol/api.json. Change that, not this.\n"


def header_struct(entry):
    lines = [c_comment(entry["doc"]), f"struct protocol_{entry['c']} {{", "    uint64_t has;"]
    for field in entry["fields"]:
        c_type = TYPES[field["type"]][1] or f"struct protocol_{field['of']}"
        suffix = f"[{VECTORS[field['type']]}]" if field["type"] in VECTORS else ""
        unit = f" // {field['unit']}" if "unit" in field else ""
        of = f" // of struct protocol_{field['of']}" if field["type"] == "list" else ""
        of = " // of struct protocol_call" if field["type"] in ("calls", "answers") else of
        lines.append(f"    {c_type} {c_field(field['name'])}{suffix};{unit}{of}")
    lines.append("};")
    upper = entry["c"].upper()
    for position, field in enumerate(entry["fields"]):
        lines.append(f"#define PROTOCOL_HAS_{upper}_{field['name'].upper()} (UINT64_C(1) << {position})")
    for field in entry["fields"]:
        prefix = f"PROTOCOL_{upper}_{field['name'].upper()}"
        if field["type"] == "enum":
            lines.append("enum {")
            lines += [f"    {prefix}_{value.upper().replace('-', '_')} = {i}," for i, value in enumerate(field["values"])]
            lines.append("};")
        if field["type"] == "flags":
            lines.append("enum {")
            lines += [f"    {prefix}_{value.upper()} = 1u << {i}," for i, value in enumerate(field["values"])]
            lines.append("};")
    lines.append(f"extern const struct protocol_struct protocol_{entry['c']}_type;")
    return "\n".join(lines) + "\n"


def kind_rows(rows):
    """The table of kinds of constraints, as macros that name each once."""
    def macro(name, lines):
        return [" \\\n".join([f"#define {name}(X)", *lines]), ""]
    kinds = [f"    X({row['name'].upper()}, {row['name']}, {row['particles']}, {row['part'].upper()}, "
             f"{c_string(row['rest'] or '')})" for row in rows]
    told = [(row, row["told"]["error"]) for row in rows if "error" in row["told"]]
    told = [f"    X({row['name'].upper()}, {error['name']}, {error['max'][0]}, {error['rms'][0]})" for row, error in told]
    return ["// X(IDENT, ident, particles, PART, \"unit of a rest value\") for each kind of constraint. A kind that takes no rest value",
            "// has \"\" there.", *macro("PROTOCOL_KINDS", kinds),
            "// X(IDENT, name, max, rms) for each kind of constraint whose error world.measure tells: what the error is called, and the",
            "// fields of struct protocol_measures.", *macro("PROTOCOL_ERRORS", told)]


def header(api):
    out = ["// What api.json says, for C: structs of parameters, results and notifications, ids, codes, limits.",
           "//", GENERATED.rstrip(), "#ifndef WEFT_PROTOCOL_GENERATED_API_H",
           "#define WEFT_PROTOCOL_GENERATED_API_H", "", '#include "protocol/array.h"',
           '#include "protocol/types.h"', "", "#include <stdbool.h>", "#include <stdint.h>", ""]
    out += [f"#define PROTOCOL_VERSION {c_string(api['version'])}",
            f"#define PROTOCOL_API_LEVEL {api['api_level']}",
            f"#define PROTOCOL_API_COMPATIBLE {api['api_compatible']}", ""]
    for limit in api["limits"]:
        out += [c_comment(limit["doc"]),
                f"#define PROTOCOL_LIMIT_{limit['name'].upper()} UINT64_C({limit['value']})"]
    out += ["", "enum protocol_code {", "    PROTOCOL_CODE_OK = 0,"]
    out += [f"    PROTOCOL_CODE_{error['code']}, // {error['doc']}" for error in api["errors"]]
    out += ["    PROTOCOL_CODE_COUNT", "};", "", "struct protocol_code_info {", "    const char *name;",
            "    int kind; // 0: the server failed, 1: the caller erred", "};",
            "extern const struct protocol_code_info protocol_codes[PROTOCOL_CODE_COUNT];", "",
            "// X(CLASS, ident, \"wire.name\") for each method, in the order of their ids.",
            "#define PROTOCOL_METHODS(X) \\"]
    rows = [f"    X({m['class'].upper()}, {c_name(m['name'])}, \"{m['name']}\")" for m in api["methods"]]
    out += [" \\\n".join(rows), "", "// X(ident, IDENT) for each method whose calls are records of a world.",
            "#define PROTOCOL_RECORDS(X) \\"]
    rows = [f"    X({c_name(m['name'])}, {c_name(m['name']).upper()})" for m in api["methods"] if m["record"]]
    out += [" \\\n".join(rows), "", *kind_rows(api.get("kinds", [])), "enum protocol_method {"]
    out += [f"    PROTOCOL_METHOD_{c_name(method['name']).upper()}," for method in api["methods"]]
    out += ["    PROTOCOL_METHOD_COUNT", "};",
            "extern const struct protocol_method_info protocol_methods[PROTOCOL_METHOD_COUNT];",
            "// False if there is no such method.",
            "bool protocol_method_find(struct protocol_string name, enum protocol_method *method);", "",
            "// The lists of server.info, packed.",
            "extern const struct protocol_raw protocol_api_methods;",
            "extern const struct protocol_raw protocol_api_notifications;",
            "extern const struct protocol_raw protocol_api_errors;",
            "extern const struct protocol_raw protocol_api_types;",
            "extern const struct protocol_raw protocol_api_limits;", ""]
    out += [header_struct(entry) for entry in structs(api)]
    out += ["#endif", ""]
    return "\n".join(out)


def table_field(entry, field):
    """Initialiser of one struct protocol_field."""
    kind = field["type"]
    parts = [f".name = {c_string(field['name'])}", f".type = PROTOCOL_TYPE_{TYPES[kind][0]}",
             f".offset = offsetof(struct protocol_{entry['c']}, {c_field(field['name'])})"]
    for key in ("required", "optional", "scalar", "name_like", "partial", "exclusive_min"):
        if field.get(key):
            parts.append(f".{key} = true")
    if "most" in field:
        parts.append(f".most = {field['most']}")
    if "multiple" in field:
        parts.append(f".multiple = {field['multiple']}")
    parts.append(f".min = {c_number(widest(field, 'min')) if 'min' in field else '-INFINITY'}")
    parts.append(f".max = {c_number(widest(field, 'max')) if 'max' in field else 'INFINITY'}")
    if "default" in field:
        value = field["default"]
        parts.append(".has_default = true")
        if kind == "string":
            parts.append(f".default_string = {c_string(value)}")
        else:
            if kind == "enum":
                value = field["values"].index(value)
            elif kind == "flags":
                value = sum(1 << field["values"].index(one) for one in value)
            values = value if isinstance(value, list) else [value]
            parts.append(".defaults = {" + ", ".join(c_number(one) for one in values) + "}")
    if "values" in field:
        parts.append(f".values = values_of_{entry['c']}_{field['name']}")
        parts.append(f".value_count = {len(field['values'])}")
    if "of" in field:
        parts.append(f".of = &protocol_{field['of']}_type")
    if "unit" in field:
        parts.append(f".unit = {c_string(field['unit'])}")
    return "    {" + ",\n     ".join(parts) + "},"


def table_struct(entry):
    out = []
    for field in entry["fields"]:
        if "values" in field:
            values = ", ".join(c_string(value) for value in field["values"])
            out.append(f"static const char *const values_of_{entry['c']}_{field['name']}[] = {{{values}}};")
    fields = "NULL"
    if entry["fields"]:
        fields = f"fields_of_{entry['c']}"
        out.append(f"static const struct protocol_field {fields}[] = {{")
        out += [table_field(entry, field) for field in entry["fields"]]
        out.append("};")
    out.append(f"const struct protocol_struct protocol_{entry['c']}_type = {{")
    out.append(f"    .name = {c_string(entry['wire'])},")
    out.append(f"    .size = sizeof(struct protocol_{entry['c']}),")
    out.append(f"    .fields = {fields},")
    out.append(f"    .field_count = {len(entry['fields'])},")
    out.append("};\n")
    return "\n".join(out)


METHOD_FIND = """\
bool protocol_method_find(struct protocol_string name, enum protocol_method *method)
{
    size_t low = 0, high = PROTOCOL_METHOD_COUNT;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = protocol_methods[by_name[middle]].name;
        size_t size = strlen(other);
        int order = memcmp(name.data, other, name.size < size ? name.size : size);
        if (order == 0) {
            order = (name.size > size) - (name.size < size);
        }
        if (order == 0) {
            *method = by_name[middle];
            return true;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return false;
}
"""


def tables(api):
    out = ["// Tables that describe the structs of api.h to protocol/params.c; the methods; the error codes.",
           "//", GENERATED.rstrip(), '#include "protocol/generated/api.h"', "", "#include <math.h>",
           "#include <stddef.h>", "#include <string.h>", ""]
    out += [table_struct(entry) for entry in structs(api)]
    out += ["const struct protocol_code_info protocol_codes[PROTOCOL_CODE_COUNT] = {",
            '    [PROTOCOL_CODE_OK] = {"OK", 0},']
    out += [f"    [PROTOCOL_CODE_{e['code']}] = {{\"{e['code']}\", {e['kind']}}}," for e in api["errors"]]
    out += ["};", "",
            "// A program that takes only records, such as a world in a page, does without the tables of other methods.",
            "#if defined(PROTOCOL_ONLY_RECORDS)", "#define UNRECORDED(type) NULL", "#else",
            "#define UNRECORDED(type) type", "#endif", "",
            "const struct protocol_method_info protocol_methods[PROTOCOL_METHOD_COUNT] = {"]
    for method in api["methods"]:
        name = c_name(method["name"])
        params, result = (f"&protocol_{name}_{part}_type" if method["record"] else f"UNRECORDED(&protocol_{name}_{part}_type)"
                          for part in ("params", "result"))
        out.append(f"    [PROTOCOL_METHOD_{name.upper()}] = {{\"{method['name']}\", "
                   f"PROTOCOL_CLASS_{method['class'].upper()},\n        {params}, "
                   f"{result}, {'true' if method['record'] else 'false'}, "
                   f"PROTOCOL_ROLE_{method['role'].upper()}}},")
    out += ["};", "", "static const enum protocol_method by_name[PROTOCOL_METHOD_COUNT] = {"]
    for name in sorted(method["name"] for method in api["methods"]):
        out.append(f"    PROTOCOL_METHOD_{c_name(name).upper()},")
    out += ["};", "", METHOD_FIND]
    return "\n".join(out)


# ---------------------------------------------------------------------------------------------------------
def head(count, fix, fix_max, small, sizes):
    """A header: fix code with the count inside, or code + big-endian count."""
    if count <= fix_max:
        return bytes([fix | count])
    for step, form in enumerate(sizes):
        if count < 256 ** struct.calcsize(form):
            return bytes([small + step]) + struct.pack(form, count)
    raise OverflowError(count)


def pack(value):
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        if value < 0:
            if value >= -32:
                return struct.pack(">b", value)
            return b"\xd3" + struct.pack(">q", value)
        return head(value, 0x00, 0x7F, 0xCC, (">B", ">H", ">I", ">Q"))
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return head(len(data), 0xA0, 31, 0xD9, (">B", ">H", ">I")) + data
    if isinstance(value, list):
        return head(len(value), 0x90, 15, 0xDC, (">H", ">I")) + b"".join(map(pack, value))
    if isinstance(value, dict):
        body = b"".join(pack(key) + pack(one) for key, one in value.items())
        return head(len(value), 0x80, 15, 0xDE, (">H", ">I")) + body
    raise TypeError(value)


def info(api):
    blobs = {
        "methods": api["methods"],
        "notifications": api["notifications"],
        "errors": api["errors"],
        "types": api["types"],
        "limits": {limit["name"]: limit["value"] for limit in api["limits"]},
    }
    out = ["// The lists that server.info answers with, as MessagePack.", "//", GENERATED.rstrip(),
           '#include "protocol/generated/api.h"', ""]
    for name, value in blobs.items():
        data = pack(value)
        out.append(f"static const uint8_t {name}_bytes[{len(data)}] = {{")
        for start in range(0, len(data), 20):
            out.append("    " + ", ".join(f"{byte:3}" for byte in data[start:start + 20]) + ",")
        out += ["};", f"const struct protocol_raw protocol_api_{name} = {{{name}_bytes, sizeof {name}_bytes}};",
                ""]
    return "\n".join(out)
