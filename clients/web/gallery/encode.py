"""Makes a moving picture and a still one of a folder of PNG files (record.mjs).

usage: encode.py FOLDER NAME    writes NAME.avif and NAME.still.avif
"""

import sys
from pathlib import Path

from PIL import Image

SIZE = (320, 200)
FRAME_MS = 117
QUALITY = 48
STILL = 4  # the frame that stands for all


def main() -> None:
    folder, name = sys.argv[1:]
    frames = [Image.open(path).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS) for path in sorted(Path(folder).glob("*.png"))]
    first, *others = frames
    first.save(f"{name}.avif", save_all=True, append_images=others, duration=FRAME_MS, quality=QUALITY, speed=3)
    frames[STILL].save(f"{name}.still.avif", quality=QUALITY + 6, speed=3)


main()
