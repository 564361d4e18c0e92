"""Simple meshes for World.add_body: world.add_body("cloth", **weft.shapes.sheet(20, 20))."""
from __future__ import annotations

from itertools import permutations
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Sheet(TypedDict):
    positions: NDArray[np.float64]
    triangles: NDArray[np.uint32]


class Rope(TypedDict):
    positions: NDArray[np.float64]
    edges: NDArray[np.uint32]


class Block(TypedDict):
    positions: NDArray[np.float64]
    tets: NDArray[np.uint32]


def sheet(columns: int, rows: int, *, size: ArrayLike = (1.0, 1.0), at: ArrayLike = (0.0, 0.0, 0.0),
          right: ArrayLike = (1.0, 0.0, 0.0), down: ArrayLike = (0.0, -1.0, 0.0)) -> Sheet:
    """A flat cloth of columns × rows particles. size: width and height [m]; at: its first particle. The rows run along `right`
    and follow each other along `down` (both of length 1). The index of a particle is row · columns + column."""
    if columns < 2 or rows < 2:
        raise ValueError(f"a sheet has at least 2 × 2 particles, not {columns} × {rows}")
    width, height = np.asarray(size, dtype=np.float64)
    u = np.linspace(0.0, width, columns)[None, :, None] * np.asarray(right, dtype=np.float64)
    v = np.linspace(0.0, height, rows)[:, None, None] * np.asarray(down, dtype=np.float64)
    positions = (np.asarray(at, dtype=np.float64) + u + v).reshape(-1, 3)
    corner = (np.arange(rows - 1, dtype=np.uint32)[:, None] * columns + np.arange(columns - 1, dtype=np.uint32)).ravel()
    a, b, c, d = corner, corner + 1, corner + columns, corner + columns + 1
    triangles = np.stack([a, c, b, b, c, d], axis=1).reshape(-1, 3)
    return {"positions": positions, "triangles": triangles.astype(np.uint32)}


def rope(count: int, *, start: ArrayLike = (0.0, 0.0, 0.0), end: ArrayLike = (1.0, 0.0, 0.0)) -> Rope:
    """A straight rope of that many particles from one place to another. [m]"""
    if count < 2:
        raise ValueError(f"a rope has at least 2 particles, not {count}")
    index = np.arange(count, dtype=np.uint32)
    return {"positions": np.linspace(np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64), count),
            "edges": np.stack([index[:-1], index[1:]], axis=1)}


def block(cells: tuple[int, int, int], *, spacing: float = 0.1, at: ArrayLike = (0.0, 0.0, 0.0)) -> Block:
    """A box of that many cells along x, y and z, with six tetrahedra of positive volume in each. spacing: size of a cell [m];
    at: its least corner."""
    if min(cells) < 1:
        raise ValueError(f"a block has at least one cell along each axis, not {cells}")
    counts = np.asarray(cells) + 1
    grid: list[NDArray[Any]] = list(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"))
    place = np.stack([axis.ravel(order="F") for axis in grid], axis=1)
    step = np.array([1, counts[0], counts[0] * counts[1]])
    first = (np.stack([axis.ravel(order="F") for axis in np.meshgrid(*(np.arange(c) for c in cells), indexing="ij")],
                      axis=1) @ step)
    tets = []
    for order in permutations(range(3)):
        # From one corner of the cell to the opposite, along the axes in this order.
        path = [first]
        for axis in order:
            path.append(path[-1] + step[axis])
        even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        tets.append(np.stack(path if even else [path[1], path[0], path[2], path[3]], axis=1))
    return {"positions": np.asarray(at, dtype=np.float64) + spacing * place,
            "tets": np.concatenate(tets).astype(np.uint32)}
