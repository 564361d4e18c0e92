#!/usr/bin/env python3
r"""Draws what `weft bake` made of scenes: a still, or a film of several scenes, one after the other, as an animated WebP.

    scripts/film.py FILE.webp --width 480 --step 4 --distance 3 --quality 75 --scene statue:12:220:25,14 --scene towel:30:330

A scene is NAME or FILE, the first and the last of its ticks and where it is seen from; a still has one scene, whose two ticks
are the same. FILE.npz is what was made of one already, and its frames count for ticks:

    tests/soak/scenes.py --draw FOLDER sheets
    scripts/film.py docs/contact/sheets.webp --width 400 --distance 2.5 --quality 75 --scene FOLDER/sheets.npz:14:14:30,20

Needs numpy, cwebp and img2webp (Debian: webp). WEFT_BAKE names the program that bakes, default build/release/bin/weft-bake.
"""

import argparse
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent
COLORS = [(0.86, 0.36, 0.28), (0.25, 0.52, 0.80), (0.93, 0.72, 0.28), (0.36, 0.66, 0.44), (0.62, 0.42, 0.72),
          (0.30, 0.68, 0.72), (0.88, 0.50, 0.62)]
STONE = (0.78, 0.76, 0.72)  # of what is never moved, and of colliders
SKY, GROUND = numpy.array([0.93, 0.94, 0.96]), numpy.array([0.82, 0.83, 0.85])
LAMP = numpy.array([0.45, 0.8, 0.4])
SAMPLES = 2  # along each side of a pixel


def bake(scene, last, folder):
    if scene.endswith(".npz"):
        with numpy.load(scene) as data:
            return {name: data[name] for name in data.files}
    out = folder / "scene.npz"
    program = os.environ.get("WEFT_BAKE", ROOT / "build/release/bin/weft-bake")
    subprocess.run([program, scene, "-o", out, "--ticks", str(last), "--fresh"], check=True,
                   stdout=subprocess.DEVNULL)
    with numpy.load(out) as data:
        return {name: data[name] for name in data.files}


def turned(points, pose):
    x, y, z, w = pose[3:]
    turn = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    return points @ turn.T + pose[:3]


def objects(data, color):
    """Of each thing: its colour, from that of the number on, its triangles and a function from a frame to its places."""
    found = []
    for name in data:
        if not name.endswith("/triangles"):
            continue
        thing = name[:-len("/triangles")]
        if thing.startswith("colliders/"):
            corners, poses = data[thing + "/vertices"], data[thing + "/poses"]
            if numpy.ptp(corners[:, 1]) > 0:  # the ground is drawn by itself
                found.append((STONE, data[name], lambda t, c=corners, p=poses: turned(c, p[t])))
            continue
        places = data[thing + "/positions"].astype(float)
        stone = thing in ("statue", "dancer", "funnel")
        found.append((STONE if stone else COLORS[color % len(COLORS)], data[name], lambda t, p=places: p[t]))
        color += not stone
    return found


def raster(corners, depth_of, height, width, draw):
    """Calls draw(triangle, rows, columns, weights, depth) with the samples of each triangle. corners: n × 3 × (x, y)."""
    lows = numpy.clip(numpy.floor(corners.min(1) - 0.5), 0, None).astype(int)
    highs = numpy.minimum(numpy.ceil(corners.max(1)).astype(int) + 1, [width, height])
    (ax, ay), (bx, by), (cx, cy) = (corners[:, k].T for k in range(3))
    areas = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    for n in numpy.nonzero((numpy.abs(areas) > 1e-9) & (lows < highs).all(1))[0]:
        xs = numpy.arange(lows[n, 0], highs[n, 0]) + 0.5
        ys = (numpy.arange(lows[n, 1], highs[n, 1]) + 0.5)[:, None]
        u = ((cx[n] - bx[n]) * (ys - by[n]) - (cy[n] - by[n]) * (xs - bx[n])) / areas[n]
        v = ((ax[n] - cx[n]) * (ys - cy[n]) - (ay[n] - cy[n]) * (xs - cx[n])) / areas[n]
        w = 1 - u - v
        inside = (u >= 0) & (v >= 0) & (w >= 0)
        if inside.any():
            rows, columns = numpy.nonzero(inside)
            weights = numpy.stack([u[inside], v[inside], w[inside]], 1)
            draw(n, rows + lows[n, 1], columns + lows[n, 0], weights, weights @ depth_of[n])


class Camera:
    def __init__(self, center, distance, azimuth, elevation, width, height):
        a, e = math.radians(azimuth), math.radians(elevation)
        back = numpy.array([math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e)])
        self.eye = center + distance * back
        right = numpy.cross([0, 1, 0], back)
        right /= numpy.linalg.norm(right)
        self.axes = numpy.stack([right, numpy.cross(back, right), back])
        self.focal, self.width, self.height = 1.9 * height, width, height

    def project(self, points):
        seen = (points - self.eye) @ self.axes.T
        depth = -seen[..., 2]
        x = self.width / 2 + self.focal * seen[..., 0] / depth
        y = self.height / 2 - self.focal * seen[..., 1] / depth
        return numpy.stack([x, y], -1), 1 / depth

    def ground(self):
        """Where each sample's ray meets y = 0; NaN above the horizon."""
        x = (numpy.arange(self.width) + 0.5 - self.width / 2) / self.focal
        y = (self.height / 2 - numpy.arange(self.height) - 0.5) / self.focal
        rays = (x[None, :, None] * self.axes[0] + y[:, None, None] * self.axes[1] - self.axes[2])
        down = numpy.where(rays[..., 1] < -1e-6, -self.eye[1] / rays[..., 1], numpy.nan)
        return self.eye + down[..., None] * rays


def normals_of(points, triangles):
    faces = numpy.cross(points[triangles[:, 1]] - points[triangles[:, 0]],
                        points[triangles[:, 2]] - points[triangles[:, 0]])
    sums = numpy.zeros_like(points)
    for k in range(3):
        numpy.add.at(sums, triangles[:, k], faces)
    return sums / numpy.maximum(numpy.linalg.norm(sums, axis=1, keepdims=True), 1e-30)


class Shadow:
    """How near the lamp things are: a map of SIZE × SIZE samples over a square that holds the picture's things."""

    SIZE = 640

    def __init__(self, pieces, center, reach):
        self.lamp = LAMP / numpy.linalg.norm(LAMP)
        side = numpy.cross([0, 1, 0], self.lamp)
        side /= numpy.linalg.norm(side)
        self.axes = numpy.stack([side, numpy.cross(self.lamp, side), self.lamp])
        self.center, self.scale = center, self.SIZE / (2 * reach)
        self.nearest = numpy.full((self.SIZE, self.SIZE), -numpy.inf)
        for points, triangles in pieces:
            places, near = self.places(points)

            def draw(_, rows, columns, __, depth):
                self.nearest[rows, columns] = numpy.maximum(self.nearest[rows, columns], depth)

            raster(places[triangles], near[triangles], self.SIZE, self.SIZE, draw)

    def places(self, points):
        seen = (points - self.center) @ self.axes.T
        return self.SIZE / 2 + self.scale * seen[..., :2], seen[..., 2]

    def lit(self, points):
        places, near = self.places(numpy.nan_to_num(points))
        sum_lit = numpy.zeros(near.shape)
        for dx, dy in ((-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7)):
            at = numpy.clip((places + (dx, dy)).astype(int), 0, self.SIZE - 1)
            sum_lit += self.nearest[at[..., 1], at[..., 0]] < near + 0.02
        return sum_lit / 4


def picture(found, frame, camera, center, reach):
    """sRGB bytes, height × width × 3."""
    height, width = camera.height, camera.width
    pieces = [(place(frame), triangles, color) for color, triangles, place in found]
    shadow = Shadow([(points, triangles) for points, triangles, _ in pieces], center, reach)
    ground = camera.ground()
    far = numpy.linalg.norm(ground - center, axis=-1)
    fade = numpy.exp(-(numpy.nan_to_num(far, nan=1e3) / (2.2 * reach)) ** 2)[..., None]
    tone = GROUND * (0.72 + 0.28 * shadow.lit(ground))[..., None]
    image = fade * tone + (1 - fade) * SKY
    nearest = numpy.zeros((height, width))
    for points, triangles, color in pieces:
        normals = normals_of(points, triangles)
        places, near = camera.project(points)

        def draw(n, rows, columns, weights, depth):
            seen = depth > nearest[rows, columns]
            rows, columns, weights = rows[seen], columns[seen], weights[seen]
            nearest[rows, columns] = depth[seen]
            corners = triangles[n]
            normal = weights @ normals[corners]
            place = weights @ points[corners]
            toward = numpy.sum(normal * (camera.eye - place), 1)
            normal *= numpy.where(toward < 0, -1, 1)[:, None] / numpy.linalg.norm(normal, axis=1, keepdims=True)
            direct = numpy.clip(normal @ shadow.lamp, 0, 1) * shadow.lit(place + 0.008 * normal)
            light = 0.42 + 0.13 * normal[:, 1] + 0.62 * direct
            image[rows, columns] = numpy.array(color) * light[:, None]

        raster(places[triangles], near[triangles], height, width, draw)
    image = image.reshape(height // SAMPLES, SAMPLES, width // SAMPLES, SAMPLES, 3).mean((1, 3))
    return (255 * numpy.clip(image, 0, 1) + 0.5).astype(numpy.uint8)


def png(image):
    height, width, _ = image.shape
    rows = b"".join(b"\0" + image[y].tobytes() for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def frames_of(words, number, options, folder):
    name, first, last, *look = words.split(":")
    azimuth, elevation = (float(x) for x in (look[0] if look else options.look).split(","))
    data = bake(name, int(last), folder)
    found = objects(data, number)
    wanted = [min(t, len(data["time"]) - 1) for t in range(int(first), int(last) + 1, options.step)]
    # What all of the frames show.
    seen = numpy.concatenate([place(t)[numpy.unique(triangles)] for t in wanted[::8] for _, triangles, place in found])
    low, high = seen.min(0), seen.max(0)
    low[1] = max(low[1], 0)
    center, reach = (low + high) / 2, numpy.linalg.norm(high - low) / 2
    camera = Camera(center, options.distance * reach, azimuth, elevation,
                    SAMPLES * options.width, SAMPLES * (options.width * 10 // 16 // 2 * 2))
    for t in wanted:
        yield picture(found, t, camera, center, reach)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--scene", action="append", required=True, help="NAME:FIRST:LAST[:AZIMUTH,ELEVATION]")
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--step", type=int, default=3, help="ticks from frame to frame")
    parser.add_argument("--look", default="30,18", help="degrees about the vertical, and above the ground")
    parser.add_argument("--distance", type=float, default=3.6, help="of the eye, over half the diagonal of all that is seen")
    parser.add_argument("--quality", type=int, default=60)
    parser.add_argument("--number", type=int, default=0, help="of the first scene: a scene's colours follow from its number")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-film.") as temporary:
        folder, files = Path(temporary), []
        for scene, words in enumerate(options.scene, options.number):
            for image in frames_of(words, scene, options, folder):
                files.append(folder / f"{len(files):05d}.png")
                files[-1].write_bytes(png(image))
        if options.out.endswith(".png"):
            Path(options.out).write_bytes(files[-1].read_bytes())
        elif len(files) == 1:
            subprocess.run(["cwebp", "-quiet", "-q", str(options.quality), files[0], "-o", options.out], check=True)
        else:
            each = ["-lossy", "-q", str(options.quality), "-m", "6", "-d", str(round(1000 * options.step / 60))]
            subprocess.run(["img2webp", "-loop", "0", "-kmin", "9", "-kmax", "60", *each, *files, "-o", options.out],
                           check=True, stdout=subprocess.DEVNULL)
        print(f"{options.out}: {len(files)} frames, {Path(options.out).stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
