"""The package is built into a wheel and installed into a new virtual environment, offline, and works from there."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import support
from support import API, PACKAGE, PATIENCE_S, ServerTest

LONG_S = 8 * PATIENCE_S


class Wheel(ServerTest):
    def run_in(self, folder, *command, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("WEFT", "PYTHON", "PIP"))}
        run = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONG_S, cwd=folder,
                             env={**clean, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
                                  "PIP_NO_CACHE_DIR": "1", "HOME": str(folder), **environment})
        self.assertEqual(run.returncode, 0, f"{command}:\n{run.stdout}\n{run.stderr}")
        return run.stdout

    def test_a_wheel_is_built_installed_into_a_fresh_environment_and_used(self):
        with tempfile.TemporaryDirectory(prefix="weft-wheel-") as name:
            folder = Path(name)
            # Setuptools writes beside the sources.
            source = folder / "source"
            shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", ".mypy_cache", "tests"))
            self.run_in(folder, sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
            python = folder / "venv" / "bin" / "python"
            self.run_in(folder, python, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder / "out",
                        source)
            wheels = list((folder / "out").glob("*.whl"))
            self.assertEqual([wheel.name for wheel in wheels], [f"weft_sim-{API['version']}-py3-none-any.whl"])
            with zipfile.ZipFile(wheels[0]) as wheel:
                files = set(wheel.namelist())
                metadata = wheel.read(f"weft_sim-{API['version']}.dist-info/METADATA").decode()
            inside = {f"weft/{path.name}" for path in (PACKAGE / "src" / "weft").iterdir() if path.is_file()}
            self.assertIn("weft/py.typed", inside)
            self.assertEqual({one for one in files if ".dist-info/" not in one}, inside)
            for line in ("Name: weft-sim", "Requires-Dist: numpy", "Requires-Dist: msgpack", "Requires-Python: >=3.10"):
                self.assertIn(line, metadata)
            # The dependencies are there already, and pip sees to it that they are new enough.
            self.run_in(folder, python, "-m", "pip", "install", wheels[0])
            where = self.run_in(folder, python, "-c", "import weft; print(weft.__file__, weft.__version__)").split()
            self.assertTrue(Path(where[0]).is_relative_to(folder / "venv"), where)
            self.assertEqual(where[1], API["version"])
            said = self.run_in(folder, python, source / "examples" / "watch.py", "--server", self.server.address,
                               "--frames", "3")
            self.assertEqual(len(said.splitlines()), 4)


if __name__ == "__main__":
    unittest.main()
