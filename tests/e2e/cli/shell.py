"""Runs the shell client against a server of the test's own."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from weft_peer import PATIENCE_S, SLOW, Server  # noqa: E402

# --timeout of a program whose server goes for good: so long it tries. Calls before that must be answered within it.
LOST_S = str(5 * SLOW)
# What takes over a second says so, and a live recording what it missed: both depend on the machine. A cloth coarser
# than a collider is told of, whatever a scene is for.
NOTES = re.compile(r"^[a-z]+: (COARSE: [^\n]*|[^\n]* (left|a second|after \d+ s)|\d+ frames? (was|were) missed; [^\n]*)\n", re.MULTILINE)


def clean_environment(**more):
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith("WEFT") and key not in ("NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE")}
    return {**kept, **more}


def cloth(columns, rows, size=1.0, height=1.0):
    """Positions and triangles of a level sheet."""
    positions = [number for j in range(rows) for i in range(columns)
                 for number in (size * i / (columns - 1), height, size * j / (rows - 1))]
    corners = [j * columns + i for j in range(rows - 1) for i in range(columns - 1)]
    triangles = [index for q in corners for index in (q, q + columns, q + 1, q + 1, q + columns, q + columns + 1)]
    return positions, triangles


def on_terminal(*arguments, columns=80, **environment):
    """Runs weft on a terminal so wide: its exit status, and the lines that it shows."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    with os.fdopen(outer, "rb", buffering=0) as shown:
        run = subprocess.Popen([os.environ["WEFT"], *map(str, arguments)], stdout=inner,
                               env=clean_environment(LC_ALL="C.UTF-8", **environment))
        os.close(inner)
        text = b""
        try:
            while piece := shown.read(65536):
                text += piece
        except OSError:  # a terminal that nobody writes to any more
            pass
        status = run.wait(PATIENCE_S)
    return status, re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", text.decode()).replace("\r", "").splitlines()


class ShellTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.end_server)

    def end_server(self):
        if not self.server.process.stderr.closed:
            self.assertEqual(self.server.stop(), 0)

    def weft(self, *arguments, status=0, text=None, environment=None, timeout_s=PATIENCE_S):
        """Runs weft to its end and checks the exit status."""
        run = subprocess.run([os.environ["WEFT"], *map(str, arguments)], input=text if text is not None else "",
                             capture_output=True, text=True, timeout=timeout_s,
                             env=clean_environment(**{"WEFT_SERVER": self.server.address, **(environment or {})}))
        self.assertEqual(run.returncode, status, f"{arguments}: {run.stdout!r} {run.stderr!r}")
        if status == 0:
            self.assertEqual(NOTES.sub("", run.stderr), "")
        else:
            self.assertRegex(NOTES.sub("", run.stderr), r"^weft: [A-Z_]+: [^\n]+\n$")
        return run

    def json(self, *arguments, **options):
        """Runs weft --json: exactly one value comes, on one line."""
        out = self.weft("--json", *arguments, **options).stdout
        self.assertEqual(out.count("\n"), 1)
        return json.loads(out)

    def add_cloth(self, world, columns=8, rows=8, **fields):
        positions, triangles = cloth(columns, rows)
        return self.json("call", "body.add", "-", text=json.dumps(
            {"world": world, "kind": "cloth", "positions": positions, "triangles": triangles, **fields}))
