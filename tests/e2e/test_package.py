#!/usr/bin/env python3
"""What `cmake --install` and `cpack -G DEB` give: everything is there, and runs from where it was put."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

from weft_peer import PATIENCE_S, Server

BUILD = Path(os.environ["WEFT_BUILD"])
SOURCE = Path(__file__).resolve().parent.parent.parent


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=40 * PATIENCE_S,
                          **options)
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

    def check_files(self, prefix, etc, zsh, shown_prefix):
        for name in ("bin/weft", "bin/weftd", "include/weft.h", "share/man/man1/weft.1", "share/man/man8/weftd.8",
                     "share/bash-completion/completions/weft", "share/fish/vendor_completions.d/weft.fish", zsh,
                     "lib/systemd/system/weftd.service", "share/doc/weft/copyright",
                     "share/doc/weft/examples/cloth.c"):
            self.assertTrue((prefix / name).is_file(), name)
        library = [path.name for path in prefix.rglob("libweft.so*")]
        self.assertIn("libweft.so.0", library)
        for pattern in ("weft.pc", "weftConfig.cmake", "libweft.a"):
            self.assertEqual(len(list(prefix.rglob(pattern))), 1, pattern)
        self.assertIn("[server]", (etc / "weft/weftd.conf").read_text())
        service = (prefix / "lib/systemd/system/weftd.service").read_text()
        self.assertRegex(service, rf"(?m)^ExecStart={re.escape(str(shown_prefix))}/bin/weftd --config \S+/weft/weftd\.conf$")
        self.assertNotIn("@", service.replace("@system-service", "").replace("~@privileged", "").replace("@resources", ""))
        # The configuration that goes with it is one that weftd takes.
        self.assertIn("weftd", run(prefix / "bin/weftd", "--config", etc / "weft/weftd.conf", "--version"))
        if shutil.which("bash"):
            run("bash", "-n", prefix / "share/bash-completion/completions/weft")

    def test_cmake_install_is_complete(self):
        prefix = self.dir / "moved"
        run("cmake", "--install", BUILD, "--prefix", self.dir / "first")
        self.check_files(self.dir / "first", self.dir / "first/etc", "share/zsh/site-functions/_weft",
                         self.dir / "first")
        (self.dir / "first/etc/weft/weftd.conf").write_text("[server]\n; mine\n")
        run("cmake", "--install", BUILD, "--prefix", self.dir / "first")
        self.assertIn("mine", (self.dir / "first/etc/weft/weftd.conf").read_text())
        # Nothing but the service knows where it was put.
        (self.dir / "first").rename(prefix)
        self.try_out(prefix)

    @unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps") and shutil.which("cpack"),
                         "no Debian packages without dpkg-dev")
    def test_the_debian_package_installs_into_an_empty_root_and_runs(self):
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", self.dir / "work",
            "-D", f"CPACK_OUTPUT_FILE_PREFIX={self.dir / 'out'}", cwd=self.dir)
        packages = list((self.dir / "out").glob("*.deb"))
        self.assertEqual(len(packages), 1)
        depends = run("dpkg-deb", "--field", packages[0], "Depends")
        for name in ("libc6", "libuv1", "libmsgpackc2", "libassimp5", "libjansson4"):
            self.assertRegex(depends, rf"\b{name}\b")
        root = self.dir / "root"
        if os.getuid() == 0 and shutil.which("dpkg"):
            for name in ("updates", "info", "triggers"):
                (root / "var/lib/dpkg" / name).mkdir(parents=True)
            (root / "var/lib/dpkg/status").write_text("")
            dpkg = ("dpkg", f"--root={root}", "--log=/dev/null", "--force-depends", "--force-not-root")
            run(*dpkg, "--install", packages[0])
            self.assertIn("ok installed", run("dpkg-query", f"--root={root}", "--show", "-f", "${Status}", "weft"))
        else:
            dpkg = None
            run("dpkg-deb", "--extract", packages[0], root)
        self.check_files(root / "usr", root / "etc", "share/zsh/vendor-completions/_weft", "/usr")
        self.try_out(root / "usr")
        if dpkg:
            run(*dpkg, "--purge", "weft")
            left = [path for path in root.rglob("*") if path.is_file() and "var/lib/dpkg" not in str(path)]
            self.assertEqual(left, [])


if __name__ == "__main__":
    if os.environ.get("WEFT_SANITIZE") or not (BUILD / "CPackConfig.cmake").exists():
        sys.exit(77)
    unittest.main()
