"""The examples run as they stand, and so does what the README and the guide show."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support
from support import PACKAGE, PATIENCE_S, ROOT, ServerTest, weft


class Examples(ServerTest):
    def run_python(self, *arguments, cwd=None):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT") or key == "WEFTD"}
        run = subprocess.run([sys.executable, "-W", "error", *map(str, arguments)], capture_output=True, text=True,
                             timeout=4 * PATIENCE_S, cwd=cwd,
                             env={**clean, "PYTHONPATH": str(PACKAGE / "src"), "PYTHONDONTWRITEBYTECODE": "1",
                                  "WEFT_SERVER": self.server.address, "MPLCONFIGDIR": cwd or ""})
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout + run.stderr)
        return run.stdout

    def tearDown(self):
        with weft.connect(self.server.address) as client:
            self.assertEqual(client.worlds(), [], "a world was left behind")

    def test_the_sweep_writes_a_table_and_a_plot(self):
        with tempfile.TemporaryDirectory(prefix="weft-sweep-") as folder:
            said = self.run_python(PACKAGE / "examples" / "sweep.py", "--out", folder, cwd=folder)
            with open(Path(folder) / "sweep.csv", newline="") as file:
                rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
            plots = [path for path in Path(folder).iterdir() if path.suffix in (".svg", ".png")]
            self.assertEqual(len(plots), 1)
            self.assertIn(str(plots[0]), said)
            if plots[0].suffix == ".svg":
                self.assertEqual(plots[0].read_text().count("<circle"), len(rows))
            else:
                self.assertGreater(plots[0].stat().st_size, 5000)
        self.assertEqual(len(rows), 10)
        sags = [row["sag_m"] for row in rows]
        self.assertEqual(sags, sorted(sags))
        # A spring ten times as soft gives way ten times as far, once it gives way visibly.
        self.assertAlmostEqual(sags[-1] / sags[-4], 10, delta=2)

    def test_the_sweep_makes_a_plot_by_itself_where_matplotlib_is_missing(self):
        with tempfile.TemporaryDirectory(prefix="weft-sweep-") as folder:
            Path(folder, "matplotlib.py").write_text("raise ImportError('not here')\n")
            code = (f"import sys, runpy; sys.path.insert(0, {folder!r}); "
                    f"sys.argv = ['sweep.py', '--out', {folder!r}, '--ticks', '5']; "
                    f"runpy.run_path({str(PACKAGE / 'examples' / 'sweep.py')!r}, run_name='__main__')")
            self.run_python("-c", code)
            self.assertTrue(Path(folder, "sweep.svg").read_text().startswith("<svg"))

    def test_the_watcher_prints_the_energy_of_each_frame(self):
        lines = self.run_python(PACKAGE / "examples" / "watch.py", "--frames", "6", "--every", "3").splitlines()
        self.assertEqual(len(lines), 7)
        values = [[float(word) for word in line.split()] for line in lines[1:]]
        self.assertEqual([row[0] for row in values], sorted({row[0] for row in values}))
        self.assertGreater(values[-1][1], 0)

    def test_two_people_edit_together(self):
        said = self.run_python(PACKAGE / "examples" / "edit_together.py")
        for line in ("Bob sees revision 1: Ada did body.add", "Bob sees revision 3: Bob did body.set",
                     "stretch.compliance"):
            self.assertIn(line, said)
        ada, bob = re.search(r"Ada's corner came ([-+.\d]+) m, Bob's ([-+.\d]+) m", said).groups()
        self.assertGreater(float(ada), 0.3)
        self.assertLess(float(bob), -0.3)

    def test_what_the_pages_show_runs(self):
        count = 0
        for page in (PACKAGE / "README.md", ROOT / "docs" / "guides" / "python.md"):
            for snippet in re.findall(r"```python\n(.*?)```", page.read_text(), re.S):
                with tempfile.TemporaryDirectory(prefix="weft-page-") as folder:
                    self.run_python("-c", snippet, cwd=folder)
                count += 1
        self.assertGreaterEqual(count, 5)


if __name__ == "__main__":
    unittest.main()
