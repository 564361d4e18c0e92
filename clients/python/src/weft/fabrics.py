"""Materials by name, as fields of body.add.

    world.add_body("cloth", positions=..., triangles=..., **weft.materials()["jacket"])
    world.add_body("cloth", positions=..., triangles=..., **weft.materials("mine.json")["twill"])

A file has the form of a scene's ``materials``: an object of materials by name, each with fields of body.add.
"""
from __future__ import annotations

import copy
import json
import os
from typing import Any

from weft._materials import MATERIALS

REMARKS = ("source", "about")


def materials(path: str | os.PathLike[str] | None = None) -> dict[str, dict[str, Any]]:
    """The fabrics of the table, and those of a file, which come first where both have a name. A new dictionary each time."""
    named = copy.deepcopy(MATERIALS)
    if path is not None:
        with open(path, encoding="utf-8") as file:
            own = json.load(file)
        if not isinstance(own, dict) or not all(isinstance(one, dict) for one in own.values()):
            raise ValueError(f"{os.fspath(path)}: must be an object of materials by name")
        named.update(own)
    return {name: {key: value for key, value in one.items() if key not in REMARKS} for name, one in named.items()}
