#!/usr/bin/env python3
"""Turns protocol/api.json into what is made from it.

    generated/api.h    structs of parameters, results and notifications; ids, codes, limits
    generated/api.c    the tables that describe them (protocol/types.h)
    generated/info.c   the same list as MessagePack, for server.info
    docs/reference/    pages for people, and the JSON Schema of scene files
    clients/web/src/lib/api.generated.ts
                       types and tables for TypeScript
    clients/python/src/weft/api.py, _calls.py, _async_calls.py
                       records, errors and methods for Python
    clients/cli/generated/api.c
                       tables for the shell's help and completion

and protocol/materials.json, the table of fabrics by name, into

    protocol/generated/fabrics.c, protocol/scene/generated/fabrics_table.c, clients/python/src/weft/_materials.py, clients/web/src/studio/ui/forms/fabrics.generated.ts

The output is committed, so a build needs no Python; a test runs this with --check. Needs nothing but the
standard library, and gives the same bytes wherever it runs.
"""
import argparse
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

from generator import check, kinds, materials, pages, python, schema, shell, tables, web  # noqa: E402


def generate(api):
    files = {
        "protocol/generated/api.h": tables.header(api),
        "protocol/generated/api.c": tables.tables(api),
        "protocol/generated/info.c": tables.info(api),
        "docs/reference/README.md": pages.page_index(api),
        "docs/reference/methods.md": pages.page_methods(api),
        "docs/reference/notifications.md": pages.page_notifications(api),
        "docs/reference/errors.md": pages.page_errors(api),
        "docs/reference/limits.md": pages.page_limits(api),
        "docs/reference/types.md": pages.page_types(api),
        "clients/web/src/lib/api.generated.ts": web.module(api),
        "clients/python/src/weft/api.py": python.module(api),
        "clients/python/src/weft/_calls.py": python.calls(api, False),
        "clients/python/src/weft/_async_calls.py": python.calls(api, True),
        "clients/cli/generated/api.c": shell.tables(api),
    }
    table = materials.read(os.path.join(HERE, "materials.json"))
    materials.check_names(table, api)
    files["protocol/generated/fabrics.c"] = materials.c_numbers(table)
    files["protocol/scene/generated/fabrics_table.c"] = materials.c_text(table)
    files["clients/python/src/weft/_materials.py"] = materials.python_text(table)
    files["clients/web/src/studio/ui/forms/fabrics.generated.ts"] = materials.web_text(table)
    if any(one["name"] == "document" for one in api["types"]):
        files["docs/reference/scene.schema.json"] = schema.scene(api)
    return files


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser(description="Makes C tables and reference pages from api.json.")
    parser.add_argument("--api", default=os.path.join(HERE, "api.json"), help="the list to read")
    parser.add_argument("--out", default=ROOT, metavar="DIR", help="root of the tree to write to or compare with")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that differ, exit 1")
    options = parser.parse_args()
    try:
        api = check.check(kinds.read(options.api))
        files = generate(api)
    except (check.Refused, json.JSONDecodeError) as refusal:
        print(f"{options.api}: {refusal}", file=sys.stderr)
        return 2
    differ = 0
    for name, text in files.items():
        path, data = os.path.join(options.out, name), text.encode()
        if read(path) == data:
            continue
        differ += 1
        if options.check:
            print(f"{name} differs from what {os.path.basename(options.api)} gives")
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
    return 1 if options.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
