"""Kinds of constraints: one row each in api.json, from which everything follows that has one entry for each kind.

    {"values": "kinds"}             an enum of their names
    {"each": "kinds", "name": "elastic_*", "doc": "energy"}
                                    a field for each: * is its name, and its doc is what the row says under this key
    {"each": "errors"}              two fields for each kind whose row says under "told" how world.measure tells its error
    {kinds.compliance}              in a doc or a unit: words made of all rows (`phrases` below)
    PROTOCOL_KINDS, PROTOCOL_ERRORS the rows for C (tables.py)
    KINDS of the web's client       the rows themselves: units, and how the studio shows them

A row has these keys:

    name, particles                 particles of one constraint
    part                            the part of a body whose material these constraints follow
    c, unit                         the measure of the particles that C compares with the rest value; the unit of C
    unit_words                      optional: what the reference says instead of the unit
    rest                            the unit of a rest value; null: the kind rests flat and takes none
    compliance, damping, force      their units
    force_remark                    optional: what the reference says of the force
    made, history, energy           docs of the fields that a kind has in the types of the wire
    told                            how far a constraint is from rest, as people and world.measure are told
        as, unit                    "relative" to the rest value, with the unit "1", or "absolute"
        error                       optional: world.measure tells it. Its name, a sentence for plots, and the fields of its
                                    greatest value and of its root mean square: [name, doc]
    shown                           for the studio: the color, the value of `told` that has the full color, and the ranges of
                                    sliders
"""
import json

from generator.check import check_keys, check_names, check_text, refuse, unique_pairs

PARTS = ("stretch", "bend", "volume", "solid")
MEASURES = ("length", "angle", "fold", "volume", "gap", "path", "off", "strain", "segment", "joint")
UNITS = ("unit", "rest", "compliance", "damping", "force")  # of C, and of what follows from it; rest may be null
ERROR = ("name", "doc", "max", "rms")
SHOWN = ("color", "full", "compliance", "damping")
ROW = ("name", "particles", "part", "c", *UNITS, "made", "history", "energy", "told", "shown")
REMARKS = ("unit_words", "force_remark")


def check_told(where, told):
    check_keys(where, told, ("as", "unit"), ("error",))
    if told["as"] not in ("relative", "absolute") or (told["as"] == "relative") != (told["unit"] == "1"):
        refuse(where, 'as is "relative", with the unit "1", or "absolute", with another unit')
    if "error" in told:
        error = told["error"]
        check_keys(where + " error", error, ERROR)
        check_text(where + " error", error["doc"])
        for key in ("max", "rms"):
            if not isinstance(error[key], list) or len(error[key]) != 2:
                refuse(where + " error", f"{key} is the name of a field and its doc")


def check_rows(kinds):
    for row in kinds:
        where = f"kind {row.get('name')}"
        check_keys(where, row, ROW, REMARKS)
        check_keys(where + " shown", row["shown"], SHOWN)
        check_told(where + " told", row["told"])
        if row["part"] not in PARTS or row["c"] not in MEASURES:
            refuse(where, f"part is one of {', '.join(PARTS)}, and c one of {', '.join(MEASURES)}")
        if row["particles"] not in (2, 3, 4, 6):
            refuse(where, "particles is 2, 3, 4 or 6")
        for key in ("made", "history", "energy"):
            check_text(where, row[key])
    check_names("kinds", [row["name"] for row in kinds])


def errors(kinds):
    """The rows whose error world.measure tells."""
    return [row for row in kinds if "error" in row["told"]]


def listed(names):
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def grouped(kinds, unit_of, remark_of=lambda row: None):
    """Units in the order in which they first occur, each with the names of the kinds that have it."""
    groups = {}
    for row in kinds:
        remark = remark_of(row)
        groups.setdefault(unit_of(row), []).append(row["name"] + (f" ({remark})" if remark else ""))
    return groups.items()


def phrases(kinds):
    """The words that docs and units of api.json may hold in braces."""
    def fors(key):
        groups = grouped(kinds, lambda row: row[key], lambda row: row.get(key + "_remark"))
        return ", ".join(f"{unit} for {listed(names)}" for unit, names in groups)
    units = grouped(kinds, lambda row: row.get("unit_words", row["unit"]))
    return {
        "{kinds.unit}": ", ".join(f"{listed(names)} {unit}" for unit, names in units),
        "{kinds.compliance}": fors("compliance"),
        "{kinds.force}": fors("force"),
        "{kinds.rest}": ", ".join(dict.fromkeys(row["rest"] for row in kinds if row["rest"])),
        "{kinds.flat}": listed([row["name"] for row in kinds if not row["rest"]]),
        "{kinds.pairs}": listed([row["name"] for row in kinds if row["particles"] == 2]),
        "{kinds.triples}": listed([row["name"] for row in kinds if row["particles"] == 3]),
        "{kinds.stretch}": listed([row["name"] for row in kinds if row["part"] == "stretch"]),
    }


def expand_text(thing, words):
    """The thing with every phrase in its doc and unit filled in."""
    result = dict(thing)
    for key in ("doc", "unit"):
        for phrase, text in words.items():
            if phrase in result.get(key, ""):
                result[key] = result[key].replace(phrase, text)
    return result


def error_fields(field, kinds):
    common = {key: value for key, value in field.items() if key != "each"}
    result = []
    for row in errors(kinds):
        unit = {} if row["told"]["unit"] == "1" else {"unit": row["told"]["unit"]}
        for key in ("max", "rms"):
            name, doc = row["told"]["error"][key]
            result.append({"name": name, **common, **unit, "doc": doc})
    return result


def expand_fields(fields, kinds, words):
    result = []
    for field in fields:
        if field.get("values") == "kinds":
            field = {**field, "values": [row["name"] for row in kinds]}
        if field.get("each") == "errors":
            result += error_fields(field, kinds)
            continue
        if field.get("each") != "kinds":
            result.append(expand_text(field, words))
            continue
        common = {key: value for key, value in field.items() if key != "each"}
        result += [{**common, "name": field["name"].replace("*", row["name"]), "doc": row[field["doc"]]} for row in kinds]
    return result


def expand(api):
    """Puts what follows from the rows into the docs and the fields of types, methods and notifications."""
    kinds = api.get("kinds", [])
    check_rows(kinds)
    words = phrases(kinds) if kinds else {}
    for group in ("types", "methods", "notifications"):
        api[group] = [expand_text(one, words) for one in api[group]]
        for one in api[group]:
            for key in ("fields", "params", "result"):
                if key in one:
                    one[key] = expand_fields(one[key], kinds, words)
    return api


def read(path):
    with open(path, encoding="utf-8") as file:
        return expand(json.load(file, object_pairs_hook=unique_pairs))
