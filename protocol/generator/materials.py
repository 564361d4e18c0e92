"""The table of materials, protocol/materials.json, for C, Python and TypeScript."""
import json

MADE = "Made by protocol/generate.py from protocol/materials.json. Change that, not this."


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def c_text(table):
    lines = [f"// {MADE}", "#include \"protocol/scene/internal.h\"", "", "const char scene_fabrics[] ="]
    parts = [json.dumps(name) + ": " + json.dumps(material) for name, material in table.items()]
    rows = ["{"] + [part + ("," if i + 1 < len(parts) else "") for i, part in enumerate(parts)] + ["}"]
    lines += ["    \"" + row.replace("\\", "\\\\").replace("\"", "\\\"") + "\\n\"" for row in rows]
    return "\n".join(lines) + ";\n"


def python_text(table):
    rows = [f"    {name!r}: {material!r}," for name, material in table.items()]
    return "\n".join([f"# {MADE}", "from __future__ import annotations", "", "from typing import Any", "",
                      "MATERIALS: dict[str, dict[str, Any]] = {"] + rows + ["}"]) + "\n"


def web_text(table):
    rows = [f"  {json.dumps(name)}: {json.dumps({k: v for k, v in material.items() if k != 'source'})},"
            for name, material in table.items()]
    return "\n".join([f"// {MADE}", "export const FABRICS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {"]
                     + rows + ["};"]) + "\n"
