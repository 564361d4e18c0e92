"""api.json as tables for the shell client: what `weft help METHOD` tells, with no server at hand."""
import json

from generator import kinds
from generator.pages import example
from generator.tables import c_string

HEAD = """\
// What api.json says, for `weft help` and for completion: see api.h.
//
// Made by protocol/generate.py from protocol/api.json. Change that, not this.
#include "clients/cli/api.h"
"""


def words_of_type(field):
    kind = field["type"]
    if kind == "map":
        return field["of"]
    if kind == "list":
        return f"list of {field['of']}"
    return kind


def words_of_range(field):
    parts = []
    if "min" in field and "max" in field and not field.get("exclusive_min"):
        parts.append(f"{json.dumps(field['min'])} to {json.dumps(field['max'])}")
    else:
        if "min" in field:
            parts.append(("above " if field.get("exclusive_min") else "at least ") + json.dumps(field["min"]))
        if "max" in field:
            parts.append(f"at most {json.dumps(field['max'])}")
    if "multiple" in field:
        parts.append(f"a multiple of {field['multiple']} numbers")
    if field.get("scalar"):
        parts.append("or one for all")
    return ", ".join(parts)


def table_fields(name, fields):
    if not fields:
        return []
    out = [f"static const struct cli_api_field {name}[] = {{"]
    for field in fields:
        texts = [field["name"], words_of_type(field), field.get("unit", ""), words_of_range(field),
                 json.dumps(field["default"]) if "default" in field else "", " ".join(field.get("values", [])),
                 field.get("of", ""), field["doc"]]
        required = "true" if field.get("required") else "false"
        out.append("    {" + ", ".join(c_string(text) for text in texts) + f", {required}}},")
    return out + ["};"]


def reference(name, fields):
    return f"{name if fields else 'NULL'}, {len(fields)}"


def tables(api):
    out = [HEAD]
    for method in api["methods"]:
        ident = method["name"].replace(".", "_")
        out += table_fields(f"{ident}_params", method["params"]) + table_fields(f"{ident}_result", method["result"])
    for one in api["types"]:
        out += table_fields(f"type_{one['name']}", one["fields"])
    out += ["", "const struct cli_api_method cli_api_methods[] = {"]
    for method in api["methods"]:
        ident = method["name"].replace(".", "_")
        texts = [method["name"], method["class"], method["role"], method["doc"], json.dumps(example(method))]
        out.append("    {" + ", ".join(c_string(text) for text in texts) + ",")
        out.append(f"     {reference(ident + '_params', method['params'])}, "
                   f"{reference(ident + '_result', method['result'])}}},")
    out += ["};", f"const size_t cli_api_method_count = {len(api['methods'])};", "",
            "const struct cli_api_type cli_api_types[] = {"]
    for one in api["types"]:
        out.append(f"    {{{c_string(one['name'])}, {c_string(one['doc'])}, type_{one['name']}, {len(one['fields'])}}},")
    out += ["};", f"const size_t cli_api_type_count = {len(api['types'])};", "", "const char *const cli_api_strains[] = {"]
    out += [f"    {c_string(row['told']['error']['max'][0])}," for row in kinds.errors(api.get("kinds", [])) if row["c"] == "length"]
    return "\n".join(out + ["    NULL,", "};", ""])
