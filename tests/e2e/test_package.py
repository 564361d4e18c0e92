#!/usr/bin/env python3
"""What `cmake --install` gives runs from where it is put, and the Debian packages share all of it among them."""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from installed import SOURCE, Installed, run

BUILD = Path(os.environ["WEFT_BUILD"])
DEBIAN = SOURCE / "debian"


def lines(path):
    return [line.strip() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]


class Package(Installed):
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

    def test_uninstalling_leaves_nothing_but_what_is_somebodys(self):
        """The manifest of a build names its last installation, so this one has a copy of its own."""
        prefix = self.dir / "there"
        build = self.dir / "build"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        build.mkdir()
        shutil.copy(BUILD / "install_manifest.txt", build)
        (prefix / "bin/other").write_text("")
        (prefix / "etc/weft/weftd.conf").write_text("[server]\n; mine\n")
        self.assertIn("was changed, and stays", run(SOURCE / "scripts/uninstall.sh", build))
        self.assertEqual({str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()},
                         {"bin/other", "etc/weft/weftd.conf"})
        self.assertEqual([path for path in prefix.rglob("weft*") if path.name != "weftd.conf" and path != prefix / "etc/weft"], [])
        missing = subprocess.run([SOURCE / "scripts/uninstall.sh", self.dir / "nowhere"], capture_output=True, text=True)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("make install", missing.stderr)

    def test_each_installed_file_is_in_one_debian_package(self):
        """What dh_install and dh_missing would find, without compiling once more; `make soak` builds the packages."""
        root = self.dir / "usr"
        run("cmake", "--install", BUILD, "--prefix", root)
        # Where Debian puts what cmake puts elsewhere by itself.
        moved = {"usr/lib/": "usr/lib/triplet/", "usr/share/zsh/site-functions/": "usr/share/zsh/vendor-completions/",
                 "usr/etc/": "etc/"}
        files = {}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(self.dir))
            if path.is_dir() or "/systemd/" in name:  # debian/rules takes the unit by its name
                continue
            files[next((there + name.removeprefix(here) for here, there in moved.items() if name.startswith(here)), name)] = []
        patterns = [(path.stem, line) for kind in ("install", "manpages", "examples")
                    for path in sorted(DEBIAN.glob(f"*.{kind}")) for line in lines(path)] + [("nobody", line) for line in lines(DEBIAN / "not-installed")]
        self.assertGreater(len(patterns), 15)
        for package, pattern in patterns:
            pattern = pattern.removeprefix("debian/tmp/")
            taken = [name for name in files if fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(name, f"{pattern}/*")]
            self.assertTrue(taken, f"{package}: {pattern}")
            for name in taken:
                files[name].append(package)
        self.assertEqual({name: packages for name, packages in files.items() if len(packages) != 1}, {})

    def test_the_debian_packages_are_of_this_version_and_its_symbols(self):
        version = json.loads((SOURCE / "protocol/api.json").read_text())["version"]
        self.assertRegex((DEBIAN / "changelog").read_text(), rf"\Aweft \({version}(-\d+)?\) ")
        for package, library, header in (("libweft0", "clients/c/libweft.so", "clients/c/weft.h"),
                                         ("libweft-twin0", "clients/twin/libweft-twin.so", "clients/twin/weft_twin.h")):
            given = {line.split()[0].partition("@")[0] for line in lines(DEBIAN / f"{package}.symbols") if "@" in line}
            table = run("nm", "--dynamic", "--defined-only", BUILD / library)
            self.assertEqual(given, {line.split()[2].partition("@")[0] for line in table.splitlines()})
            declared = re.findall(r"^WEFT_API [^;(]*?(\w+)\(", (SOURCE / header).read_text(), re.MULTILINE)
            self.assertEqual(given, set(declared))


if __name__ == "__main__":
    if os.environ.get("WEFT_SANITIZE"):
        sys.exit(77)
    unittest.main()
