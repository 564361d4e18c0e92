"""The programs that this package runs: finds them, and runs the shell for the work that it does best.

World.load, record and bake run `weft`, which reads and writes files; World.twin runs `weft-twin`. Programs are found by WEFTD,
WEFT and WEFT_TWIN in the environment, each beside the others, or in PATH.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from weft import api
from weft.errors import CallerError, ConnectionLost, Error, ServerError
from weft.session import Address, address_text

VARIABLES = {"weftd": "WEFTD", "weft": "WEFT", "weft-twin": "WEFT_TWIN"}


class ProgramError(Error):
    """One of weft's programs was not found, or ended with an error; code and text are from its output."""

    code = "PROGRAM"


def find(name: str) -> str:
    """Path of a program. Raises ProgramError."""
    given = os.environ.get(VARIABLES[name])
    if given:
        return given
    beside = [Path(os.environ[variable]).with_name(name) for variable in VARIABLES.values() if os.environ.get(variable)]
    for path in beside:
        if path.is_file():
            return str(path)
    found = shutil.which(name)
    if not found:
        raise ProgramError(f"{name} is not in PATH; set {VARIABLES[name]} in the environment to its path", kind=1)
    return found


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Converts keyword arguments to options of the shell: fit=1.5 is --fit 1.5, up="z" is --up z, at=(0, 1, 0) is --at 0,1,0,
    pin=["a", "b"] gives both, dry_run=True is --dry-run. None and False are left out."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], str):
            for one in value:
                words += [flag, one]
        elif isinstance(value, (str, os.PathLike)):
            words += [flag, os.fspath(value)]
        elif hasattr(value, "__iter__"):
            words += [flag, ",".join(f"{float(number):.17g}" for number in value)]
        else:
            words += [flag, f"{value:.17g}" if isinstance(value, float) else str(value)]
    return words


def run(address: Address, *words: str) -> Any:
    """Runs `weft --json` and returns its output. Refusals raise the same exceptions as those of the server."""
    secure = address.tls.words() if address.tls else []
    done = subprocess.run([find("weft"), "--server", address_text(address), *secure, "--json", *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    raise refusal(done.stderr, done.returncode)


def refusal(said: str, status: int) -> Error:
    for line in reversed(said.splitlines()):
        match = re.match(r"weft: ([A-Z_]+): (.*)$", line)
        if match and status == 3:
            return ConnectionLost(match[2])
        if match:
            # A refusal by the shell itself (a missing file, wrong usage) is the caller's mistake.
            return api.ERRORS.get(match[1], CallerError)(match[2], code=match[1])
    return ServerError(said.strip()[-500:] or f"weft ended with status {status}", code=ProgramError.code)


def reference(ref: int | str) -> str:
    """A name or id as the shell takes it: there a number is an id."""
    return str(ref) if isinstance(ref, int) else f"name:{ref}"


# Options of `weft load` that add_body() does not have.
LOAD_ALONE = frozenset(["at", "bend_model", "damping", "fit", "limit", "material", "materials", "no_contact", "no_look", "no_self_contact",
                        "parts", "pin", "poisson", "rigid", "rigidity", "rotate", "scale", "soft", "static", "units", "up", "young"])


def load(address: Address, world: int | str, path: str | os.PathLike[str], options: Mapping[str, Any]) -> Any:
    """Adds a mesh with `weft load` and returns the answer of body.add."""
    return run(address, *load_words(world, path, options))["answer"]


def load_fields(address: Address, world: int | str, fields: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """The same for a mesh of another package, which is written to a temporary file."""
    with tempfile.TemporaryDirectory(prefix="weft-load-") as folder:
        return load(address, world, write_mesh(fields, folder), {"name": "mesh", **options})


def write_mesh(fields: Mapping[str, Any], folder: str) -> str:
    """Writes the mesh to a lossless file: PLY, or TetGen's .node and .ele."""
    path = os.path.join(folder, "mesh")
    positions = np.asarray(fields["positions"], dtype="<f8")
    if "tets" in fields:
        with open(path + ".node", "w", encoding="ascii") as file:
            file.write(f"{len(positions)} 3 0 0\n")
            file.writelines(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(positions.tolist()))
        tets = np.asarray(fields["tets"])
        with open(path + ".ele", "w", encoding="ascii") as file:
            file.write(f"{len(tets)} 4 0\n")
            file.writelines(f"{i} {a} {b} {c} {d}\n" for i, (a, b, c, d) in enumerate(tets.tolist()))
        return path + ".node"
    triangles = np.asarray(fields["triangles"])
    faces = np.empty(len(triangles), dtype=[("count", "u1"), ("corners", "<u4", 3)])
    faces["count"], faces["corners"] = 3, triangles
    with open(path + ".ply", "wb") as file:
        file.write(f"ply\nformat binary_little_endian 1.0\nelement vertex {len(positions)}\nproperty double x\n"
                   f"property double y\nproperty double z\nelement face {len(faces)}\n"
                   "property list uchar uint vertex_indices\nend_header\n".encode())
        file.write(positions.tobytes())
        file.write(faces.tobytes())
    return path + ".ply"


def load_words(world: int | str, path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[str]:
    # Defaults of the shell that must be turned off explicitly.
    denied = {"no_self_contact": True} if options.get("self_contact") is False else {}
    return ["load", os.fspath(path), "--world", reference(world), *option_words({**options, **denied})]


def record_words(world: int | str, path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[str]:
    return ["record", reference(world), "-o", os.fspath(path), *option_words(options)]


def bake(address: Address, world: int | str, path: str | os.PathLike[str] | None,
         values: Mapping[str, Any] | None, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Saves the world and computes on from there in another process: a row for each variant."""
    with tempfile.TemporaryDirectory(prefix="weft-bake-") as folder:
        scene = os.path.join(folder, "scene.json")
        run(address, "save", reference(world), scene)
        words = ["bake", scene, "--quiet", "--fresh", "--checkpoint", "0", *option_words(options)]
        if path is not None:
            words += ["-o", os.fspath(path)]
        for name, given in (values or {}).items():
            several = given if isinstance(given, (list, tuple)) else [given]
            words += ["--set", f"{name}={','.join(str(one) for one in several)}"]
        rows = run(address, *words)
        return rows if isinstance(rows, list) else [rows]


def mesh_fields(mesh: Any) -> dict[str, Any] | None:
    """Positions and elements of a mesh of another package: trimesh (vertices, faces), meshio (points, cells_dict), or a pair of
    arrays. None for a path."""
    if isinstance(mesh, (str, os.PathLike)):
        return None
    if hasattr(mesh, "points") and hasattr(mesh, "cells_dict"):
        cells = mesh.cells_dict
        found = next((name for name in ("tetra", "triangle") if name in cells), None)
        if found is None:
            raise refused(f"the mesh has cells of {', '.join(cells) or 'no kind'}; must have tetra or triangle")
        if found == "tetra":
            return {"kind": "soft", "positions": rows(mesh.points, 3, "points"), "tets": rows(cells[found], 4, "tetra")}
        return {"kind": "cloth", "positions": rows(mesh.points, 3, "points"), "triangles": rows(cells[found], 3, "triangle")}
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return {"kind": "cloth", "positions": rows(mesh.vertices, 3, "vertices"), "triangles": rows(mesh.faces, 3, "faces")}
    if not isinstance(mesh, (list, tuple)) or len(mesh) != 2:
        raise refused(f"a {type(mesh).__name__} is not a mesh: must be a path, a mesh of trimesh or meshio, or a pair of "
                      "positions and triangles")
    return {"kind": "cloth", "positions": rows(mesh[0], 3, "positions"), "triangles": rows(mesh[1], 3, "triangles")}


def refused(text: str) -> Error:
    return api.Invalid(text, field="mesh")


def rows(array: Any, count: int, name: str) -> Any:
    made = np.asarray(array)
    if made.ndim != 2 or made.shape[1] != count:
        raise refused(f"{name} of shape {made.shape}; must be (n, {count})")
    return made
