"""The table of materials, protocol/materials.json, for C, Python and TypeScript."""
import json

from generator import check

MADE = "Made by protocol/generate.py from protocol/materials.json. Change that, not this."


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_names(table, api):
    """Checks that materials by name are those of the table, in its order."""
    lists = [(one["name"], one["fields"]) for one in api["types"]]
    lists += [(one["name"], one.get(part, [])) for one in api["methods"] for part in ("params", "result")]
    for name, fields in lists:
        for field in fields:
            if field["name"] == "material" and field["type"] == "enum" and field["values"] != list(table):
                check.refuse(f"{name}: material", f"values must be the names of materials.json: {', '.join(table)}")


def c_text(table):
    lines = [f"// {MADE}", "#include \"protocol/scene/internal.h\"", "", "const char scene_fabrics[] ="]
    parts = [json.dumps(name) + ": " + json.dumps(material) for name, material in table.items()]
    rows = ["{"] + [part + ("," if i + 1 < len(parts) else "") for i, part in enumerate(parts)] + ["}"]
    lines += ["    \"" + row.replace("\\", "\\\\").replace("\"", "\\\"") + "\\n\"" for row in rows]
    return "\n".join(lines) + ";\n"


def c_numbers(table):
    """The same for the server, which reads no JSON."""
    lines = [f"// {MADE}", "#include \"protocol/fabrics.h\"", "", "const struct protocol_fabric protocol_fabrics[PROTOCOL_FABRICS] = {"]
    for name, material in table.items():
        numbers = [material["density"]]
        numbers += [material["stretch"][key] for key in ("warp", "weft", "shear", "poisson")]
        numbers += [material["bend"][key] for key in ("warp", "weft", "bias")]
        lines.append(f"    {{{json.dumps(name)}, {', '.join(repr(float(number)) for number in numbers)}}},")
    return "\n".join(lines + ["};"]) + "\n"


def python_text(table):
    rows = [f"    {name!r}: {material!r}," for name, material in table.items()]
    return "\n".join([f"# {MADE}", "from __future__ import annotations", "", "from typing import Any", "",
                      "MATERIALS: dict[str, dict[str, Any]] = {"] + rows + ["}"]) + "\n"


def web_text(table):
    rows = [f"  {json.dumps(name)}: {json.dumps({k: v for k, v in material.items() if k != 'source'})},"
            for name, material in table.items()]
    return "\n".join([f"// {MADE}", "export const FABRICS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {"]
                     + rows + ["};"]) + "\n"
