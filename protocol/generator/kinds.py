"""Kinds of constraints: one row each in api.json, from which everything follows that has one entry for each kind.

    {"values": "kinds"}             an enum of their names
    {"each": "kinds", "name": "elastic_*", "doc": "energy"}
                                    a field for each: * is its name, and its doc is what the row says under this key
    KINDS of the web's client       the rows themselves: units, and how the studio shows them
"""
import json

from generator.check import check_keys, check_names, check_text, refuse, unique_pairs

PARTS = ("stretch", "bend", "volume")
MEASURES = ("length", "angle", "fold", "volume")
UNITS = ("unit", "rest", "compliance", "damping", "force")  # of C, and of what follows from it; rest may be null
SHOWN = ("color", "full", "compliance", "damping")
ROW = ("name", "particles", "part", "c", *UNITS, "made", "history", "energy", "shown")


def check_rows(kinds):
    for row in kinds:
        where = f"kind {row.get('name')}"
        check_keys(where, row, ROW)
        check_keys(where + " shown", row["shown"], SHOWN)
        if row["part"] not in PARTS or row["c"] not in MEASURES:
            refuse(where, f"part is one of {', '.join(PARTS)}, and c one of {', '.join(MEASURES)}")
        for key in ("made", "history", "energy"):
            check_text(where, row[key])
    check_names("kinds", [row["name"] for row in kinds])


def expand_fields(fields, kinds):
    result = []
    for field in fields:
        if field.get("values") == "kinds":
            field = {**field, "values": [row["name"] for row in kinds]}
        if field.get("each") != "kinds":
            result.append(field)
            continue
        common = {key: value for key, value in field.items() if key != "each"}
        result += [{**common, "name": field["name"].replace("*", row["name"]), "doc": row[field["doc"]]} for row in kinds]
    return result


def expand(api):
    """Puts what follows from the rows into the fields of types, methods and notifications."""
    kinds = api.get("kinds", [])
    check_rows(kinds)
    for one in api["types"]:
        one["fields"] = expand_fields(one["fields"], kinds)
    for method in api["methods"]:
        method["params"] = expand_fields(method["params"], kinds)
        method["result"] = expand_fields(method["result"], kinds)
    for notice in api["notifications"]:
        notice["params"] = expand_fields(notice["params"], kinds)
    return api


def read(path):
    with open(path, encoding="utf-8") as file:
        return expand(json.load(file, object_pairs_hook=unique_pairs))
