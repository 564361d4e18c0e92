#!/usr/bin/env python3
"""Turns what `weft watch` drew in a terminal into a PNG: each half block is a pixel, drawn SCALE × SCALE.

    tmux capture-pane -e -p | scripts/picture.py docs/demo.png
"""

import re
import struct
import sys
import zlib

SCALE = 4
BACKGROUND = (0, 0, 0)


def pixels(text):
    """Rows of (r, g, b), two for each line of half blocks; lines of text are left out."""
    rows = []
    foreground, background = BACKGROUND, BACKGROUND
    for line in text.splitlines():
        top, bottom = [], []
        is_picture = True
        for escape, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if character:
                if character not in "▀▄ █":
                    is_picture = False
                top.append({"▀": foreground, "█": foreground}.get(character, background))
                bottom.append({"▄": foreground, "█": foreground}.get(character, background))
                continue
            codes = [int(code or 0) for code in escape.split(";")]
            while codes:
                code = codes.pop(0)
                if code == 0:
                    foreground, background = BACKGROUND, BACKGROUND
                elif code in (38, 48) and codes[:1] == [2]:
                    color, codes = tuple(codes[1:4]), codes[4:]
                    if code == 38:
                        foreground = color
                    else:
                        background = color
                elif code == 39:
                    foreground = BACKGROUND
                elif code == 49:
                    background = BACKGROUND
        if is_picture and top:
            rows += [top, bottom]
    return rows


def png(rows):
    width = max(map(len, rows))
    data = bytearray()
    for row in rows:
        row = row + [BACKGROUND] * (width - len(row))
        line = b"\x00" + b"".join(bytes(color) * SCALE for color in row)
        data += line * SCALE

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width * SCALE, len(rows) * SCALE, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(data), 9))
            + chunk(b"IEND", b""))


def main():
    rows = pixels(sys.stdin.read())
    with open(sys.argv[1], "wb") as file:
        file.write(png(rows))


if __name__ == "__main__":
    main()
