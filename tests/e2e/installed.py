"""What is installed, by `cmake --install` or from a package: everything is there, and runs from where it was put."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

from weft_peer import PATIENCE_S, Server

SOURCE = Path(__file__).resolve().parent.parent.parent


def run(*command, **options):
    options.setdefault("timeout", 40 * PATIENCE_S)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="weft-package-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def try_out(self, prefix):
        """A session with the programs of this prefix."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        os.environ["WEFTD"], before = str(prefix / "bin" / "weftd"), os.environ["WEFTD"]
        try:
            server = Server(http="127.0.0.1:0")
        finally:
            os.environ["WEFTD"] = before
        try:
            weft = [prefix / "bin" / "weft", "--server", server.address]
            self.assertRegex(run(*weft, "load", SOURCE / "tests/meshes/box.stl", "--world", "w", "--create", "--soft",
                                 "50", env=environment), r"new world; body 1 in w")
            self.assertRegex(run(*weft, "step", "w", "3", env=environment), "paused at tick 3")
            with urllib.request.urlopen(f"http://{server.http}/", timeout=PATIENCE_S) as page:
                text = page.read().decode()
            # Where the studio was built it is found beside the programs; else the page says how to build it.
            self.assertIn("<script" if (prefix / "share/weft/studio/index.html").exists() else "studio", text)
        finally:
            self.assertEqual(server.stop(), 0)

    def check_service(self, path, prefix):
        service = path.read_text()
        self.assertRegex(service, rf"(?m)^ExecStart={re.escape(str(prefix))}/bin/weftd --config \S+/weft/weftd\.conf$")
        self.assertNotIn("@", service.replace("@system-service", "").replace("~@privileged", "").replace("@resources", ""))

    def check_files(self, prefix, etc, zsh, shown_prefix):
        for name in ("bin/weft", "bin/weftd", "bin/weft-bake", "bin/weft-keep", "bin/weft-twin", "include/weft.h", "include/weft_twin.h", "share/man/man1/weft.1",
                     "share/man/man1/weft-bake.1", "share/man/man1/weft-keep.1", "share/man/man1/weft-twin.1", "share/man/man8/weftd.8", "share/bash-completion/completions/weft", "share/fish/vendor_completions.d/weft.fish", zsh,
                     "lib/systemd/system/weftd.service", "share/doc/weft/copyright",
                     "share/doc/weft/examples/cloth.c"):
            self.assertTrue((prefix / name).is_file(), name)
        library = [path.name for path in prefix.rglob("libweft.so*")]
        self.assertIn("libweft.so.0", library)
        self.assertIn("libweft-twin.so.0", [path.name for path in prefix.rglob("libweft-twin.so*")])
        for pattern in ("weft.pc", "weft-twin.pc", "weftConfig.cmake", "weftTwinTargets.cmake", "libweft.a"):
            self.assertEqual(len(list(prefix.rglob(pattern))), 1, pattern)
        self.assertIn("[server]", (etc / "weft/weftd.conf").read_text())
        self.check_service(prefix / "lib/systemd/system/weftd.service", shown_prefix)
        # The configuration that goes with it is one that weftd takes.
        self.assertIn("weftd", run(prefix / "bin/weftd", "--config", etc / "weft/weftd.conf", "--version"))
        if shutil.which("bash"):
            run("bash", "-n", prefix / "share/bash-completion/completions/weft")
