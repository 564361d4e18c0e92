#!/usr/bin/env python3
"""What the README and the guides tell people to type works as it stands there."""

import os
import re
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from weft_peer import PATIENCE_S, Server

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def indented_blocks(text):
    """What is indented by four spaces and not inside a fence, as one script."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    return "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))


class Docs(unittest.TestCase):
    def type_in(self, session):
        """Runs the lines in a shell of their own, on a port of their own; returns what they wrote."""
        bin_folder = Path(os.environ["WEFTD"]).parent
        self.assertIn("make && PATH=$PWD/build/release/bin:$PATH\n", session)
        session = session.replace("make && PATH=$PWD/build/release/bin:$PATH\n", "")
        # In a terminal one looks on for as long as one likes; here for a few frames.
        session = session.replace("weft watch first", "weft watch first --frames 3")
        # People take longer to type than a server takes to start.
        session = session.replace("weftd &\n", "weftd &\nuntil weft info >/dev/null 2>&1; do sleep 0.05; done\n")
        # Job control is what terminals have.
        session = session.replace("kill %1", "kill $!; wait $! && echo ended")
        address = f"127.0.0.1:{free_port()}"
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        run = subprocess.run(["sh", "-eu", "-c", session], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=2 * PATIENCE_S, cwd=ROOT,
                             env={**clean, "PATH": f"{bin_folder}:{os.environ['PATH']}", "WEFT_LISTEN": address,
                                  "WEFT_SERVER": address})
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("listening rpc " + address, run.stdout)
        self.assertTrue(run.stdout.endswith("ended\n"), run.stdout)
        return run.stdout

    def test_the_first_session_of_the_readme_works(self):
        text = (ROOT / "README.md").read_text()
        part = text[text.index("## A first session"):]
        part = part[:part.index("\n## ", 5)]
        session = indented_blocks(part)
        self.assertLessEqual(len(session.splitlines()), 11, "it is about ten lines")
        self.assertIn("positions", self.type_in(session + "\n"))

    def test_the_first_session_line_by_line_works(self):
        session = indented_blocks((ROOT / "docs/start/first-session.md").read_text())
        self.assertIn("positions", self.type_in(session + "\n"))

    def test_the_walk_through_a_past_works(self):
        session = indented_blocks((ROOT / "docs/guides/history.md").read_text())
        out = self.type_in(session + "\n")
        self.assertRegex(out, r"(?m)^ticks +0 to 60$")
        self.assertRegex(out, r"(?m)^ +2 +tick 30 +rev 2 .* world\.set ")
        self.assertRegex(out, r"(?m)^world \d+  before  tick 30  revision 2$")
        self.assertRegex(out, r"(?m)^world 1  first  tick 60$")
        self.assertIn("positions", out)
        calm = re.search(r"(?m)^([0-9a-f]{16})  tick 60  revision 1$", out)[1]
        straight = session.replace("weft set first gravity=0,9.81,0\n", "")
        straight = straight[:straight.index("weft history")] + "weft hash first\nkill %1\n"
        self.assertIn(f"{calm}  tick 60  revision 1\n", self.type_in(straight))

    def test_the_python_of_the_walk_through_a_past_works(self):
        run = subprocess.run([os.environ["WEFT_PYTHON"], "-c", self.snippet("python", "docs/guides/history.md")],
                             capture_output=True, text=True, timeout=2 * PATIENCE_S,
                             env={**os.environ, "PYTHONPATH": str(ROOT / "clients/python/src")})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()], ["0", "30", "60"])

    def snippet(self, language, page="docs/guides/any-language.md"):
        text = (ROOT / page).read_text()
        return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]

    def test_the_python_client_of_the_guide_works(self):
        server = Server("--threads", "1")
        self.addCleanup(server.kill)
        port = server.address.rsplit(":", 1)[1]
        self.assertIn("9338", self.snippet("python"))
        run = subprocess.run([os.environ["WEFT_PYTHON"], "-c", self.snippet("python").replace("9338", port)],
                             capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith("[0.0, 0.0, 0.0, "), run.stdout)
        self.assertEqual(server.stop(), 0)

    def test_the_neovim_client_of_the_guide_works(self):
        server = Server("--threads", "1")
        self.addCleanup(server.kill)
        port = server.address.rsplit(":", 1)[1]
        with tempfile.TemporaryDirectory(prefix="weft-docs-") as folder:
            script = Path(folder) / "guide.vim"
            script.write_text(self.snippet("vim").replace("9338", port) + "\nqall!\n")
            run = subprocess.run([os.environ["WEFT_NVIM"], "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S",
                                  str(script)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=PATIENCE_S)
        self.assertRegex(run.stdout, r"^\[0\.0, -0\.2\d+, 0\.0\]")
        self.assertEqual(server.stop(), 0)

    def test_the_glossary_is_short_and_has_each_word_once(self):
        words = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs/GLOSSARY.md").read_text(encoding="utf-8"), re.M)
        self.assertLessEqual(len(words), 25)
        self.assertEqual(len(words), len(set(words)))

    def test_links_between_the_pages_lead_somewhere(self):
        count = 0
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")]:
            if "build" in page.relative_to(ROOT).parts:
                continue
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                path = page.parent / target.partition("#")[0] if target.partition("#")[0] else page
                self.assertTrue(path.exists(), f"{page.relative_to(ROOT)}: {target}")
                count += 1
        self.assertGreater(count, 30)


if __name__ == "__main__":
    unittest.main()
