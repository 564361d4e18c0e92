"""A picture of a world for a notebook, without the studio: its surfaces and lines as SVG, drawn from far to near.

It needs only numpy. It is a sketch of flat triangles, lit from above the eye; the studio shows more.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

FACES_MAX = 20_000  # more make a page slow: then only a part is drawn
COLORS = ((0.36, 0.55, 0.78), (0.80, 0.47, 0.36), (0.45, 0.65, 0.45), (0.72, 0.58, 0.30), (0.56, 0.46, 0.70))


@dataclass
class Piece:
    """Positions (n, 3), and either triangles (m, 3), edges (m, 2), or nothing: points."""

    positions: NDArray[np.float64]
    triangles: NDArray[np.uint32] | None = None
    edges: NDArray[np.uint32] | None = None


class Picture:
    """A figure that a notebook displays by itself; svg is its text, save() writes it to a file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class View:
    """The studio in a frame of a notebook."""

    def __init__(self, address: str, width: int, height: int) -> None:
        self.address, self.width, self.height = address, width, height

    def _repr_html_(self) -> str:
        from html import escape

        return (f'<iframe src="{escape(self.address)}" width="{self.width}" height="{self.height}" '
                f'style="border: 0" title="weft studio"></iframe>')


def piece_of(body: Any, state: Any) -> Piece:
    """Makes a piece from the answers of body.get and body.state: the skin if there is one."""
    if body.skin is not None:
        return Piece(np.asarray(state.skin, dtype=np.float64), triangles=body.skin.triangles.reshape(-1, 3))
    positions = np.asarray(state.positions, dtype=np.float64)
    if len(body.tets):
        return Piece(positions, triangles=surface_of(body.tets))
    return Piece(positions, triangles=body.triangles, edges=body.edges)


def surface_of(tets: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The triangles that belong to only one tetrahedron, oriented outwards."""
    faces = tets[:, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    outer: NDArray[np.uint32] = faces[first[count == 1]]
    return outer


def draw(pieces: Iterable[Piece], *, width: int = 640, height: int = 480, eye: ArrayLike = (0.6, 0.45, 1.0)) -> Picture:
    """SVG of the pieces, seen from the direction of eye, scaled to fit."""
    back = np.asarray(eye, dtype=np.float64)
    back = back / np.linalg.norm(back)
    right = np.cross((0.0, 1.0, 0.0), back)
    right = right / (np.linalg.norm(right) or 1.0)
    axes = np.stack([right, np.cross(back, right), back])
    drawn = [piece for piece in pieces if len(piece.positions)]
    seen = [piece.positions @ axes.T for piece in drawn]
    if not drawn:
        return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"></svg>')
    every = np.concatenate(seen)
    low, high = every[:, :2].min(axis=0), every[:, :2].max(axis=0)
    scale = 0.92 * min(width / max(high[0] - low[0], 1e-9), height / max(high[1] - low[1], 1e-9))
    middle = (low + high) / 2
    shapes: list[tuple[float, str]] = []
    for index, (piece, points) in enumerate(zip(drawn, seen)):
        flat = np.stack([width / 2 + scale * (points[:, 0] - middle[0]), height / 2 - scale * (points[:, 1] - middle[1])],
                        axis=1)
        color = np.asarray(COLORS[index % len(COLORS)])
        if piece.triangles is not None and len(piece.triangles):
            shapes += faces_of(points, flat, piece.triangles, color)
        elif piece.edges is not None and len(piece.edges):
            ends = flat[piece.edges]
            shapes += [(float(points[edge, 2].mean()), f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" '
                        f'stroke="{hex_of(color)}" stroke-width="2"/>')
                       for edge, (a, b) in zip(piece.edges, ends)]
        else:
            shapes += [(float(z), f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{hex_of(color)}"/>')
                       for (x, y), z in zip(flat, points[:, 2])]
    shapes.sort(key=lambda shape: shape[0])
    body = "".join(shape for _, shape in shapes)
    return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   f'viewBox="0 0 {width} {height}" role="img" aria-label="a weft world">'
                   f'<rect width="100%" height="100%" fill="#f4f4f2"/>{body}</svg>')


def faces_of(points: NDArray[np.float64], flat: NDArray[np.float64], triangles: NDArray[np.uint32],
             color: NDArray[np.float64]) -> list[tuple[float, str]]:
    if len(triangles) > FACES_MAX:
        triangles = triangles[:: len(triangles) // FACES_MAX + 1]
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    light = 0.35 + 0.65 * np.abs(normals @ np.asarray([0.2, 0.45, 0.87]))  # both sides of a cloth are lit
    depths = corners[:, :, 2].mean(axis=1)
    return [(float(depth), f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}L{c[0]:.1f} {c[1]:.1f}Z" '
             f'fill="{(paint := hex_of(color * shade))}" stroke="{paint}" stroke-width=".5"/>')
            for depth, shade, (a, b, c) in zip(depths, light, flat[triangles])]


def hex_of(color: NDArray[np.float64]) -> str:
    red, green, blue = (np.clip(color, 0, 1) * 255).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"
