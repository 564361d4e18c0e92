"""Makes pictures for pages of the PNG files that record.mjs drew. Needs Pillow 11.3 or newer.

usage: encode.py gallery FOLDER NAME STILL    writes NAME.avif, which moves, and NAME.still.avif, of the frame STILL
       encode.py film FILE.webp FOLDER…       writes a film of all of the folders, one after the other
       encode.py row FILE.png FILE.png…       puts pictures of one size side by side, at half of that size
       encode.py one FILE.png FILE.webp       writes a picture that stands still
"""

import sys
from pathlib import Path

from PIL import Image

GALLERY = (320, 200)
FILM = (352, 220)
FRAME_MS = 133
QUALITY = 48  # of AVIF
FILM_QUALITY = 42  # of WebP
LARGEST_BYTES = 200_000
GAP = 12


def drawn(folder: str, size: tuple[int, int]) -> list[Image.Image]:
    paths = sorted(Path(folder).glob("*.png"))
    return [Image.open(path).convert("RGB").resize(size, Image.Resampling.LANCZOS) for path in paths]


def gallery(folder: str, name: str, still: str) -> None:
    frames = drawn(folder, GALLERY)
    first, *others = frames
    first.save(f"{name}.avif", save_all=True, append_images=others, duration=FRAME_MS, quality=QUALITY, speed=6)
    frames[int(still)].save(f"{name}.still.avif", quality=QUALITY + 6, speed=6)


def film(file: str, *folders: str) -> None:
    first, *others = [frame for folder in folders for frame in drawn(folder, FILM)]
    first.save(file, save_all=True, append_images=others, duration=FRAME_MS, quality=FILM_QUALITY, method=4, loop=0)


def row(file: str, *pngs: str) -> None:
    """What is between them is transparent."""
    panels = [Image.open(png).convert("RGB").reduce(2) for png in pngs]
    width, height = panels[0].size
    whole = Image.new("RGBA", (len(panels) * (width + GAP) - GAP, height))
    for i, panel in enumerate(panels):
        whole.paste(panel, (i * (width + GAP), 0))
    whole.save(file)


def one(png: str, file: str) -> None:
    """As good as fits into LARGEST_BYTES."""
    image = Image.open(png)
    for quality in range(92, 40, -4):
        image.save(file, quality=quality, method=6)
        if Path(file).stat().st_size <= LARGEST_BYTES:
            return


{"gallery": gallery, "film": film, "row": row, "one": one}[sys.argv[1]](*sys.argv[2:])
