#!/usr/bin/env python3
"""scripts/install-packages.sh asks each package manager for what it calls things. The managers here are scripts that
say what they were asked."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
TOOLS = "sh awk grep tr cut sort env head readlink dirname cat rm".split()


class Packages(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="weft-packages-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name))
        self.program("id", "echo 0")
        self.asked = self.dir / "asked"

    def program(self, name, body):
        (self.bin / name).write_text(f"#!/bin/sh\n{body}\n")
        (self.bin / name).chmod(0o755)

    def apt(self, absent, installed=()):
        """A Debian whose sources lack some packages."""
        has = "|".join(installed) or "-"
        self.program("dpkg-query", f'for name; do :; done; case $name in {has}) printf installed ;; *) exit 1 ;; esac')
        self.program("apt-get", f'case "$*" in *install*) echo "$@" >>{self.asked} ;; esac')
        lacks = "|".join(absent) or "-"
        self.program("apt-cache", f'case $2 in {lacks}) echo "  Candidate: (none)" ;; *) echo "  Candidate: 1" ;; esac')

    def ask(self, *groups, script="install-packages.sh", **environment):
        done = subprocess.run(["/bin/sh", str(SCRIPTS / script), *groups], capture_output=True, text=True, timeout=60,
                              env={"PATH": str(self.bin), **environment})
        asked = self.asked.read_text().split() if self.asked.exists() else []
        return done.returncode, done.stdout + done.stderr, asked

    def test_every_line_has_all_columns(self):
        for line in (SCRIPTS / "packages.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertEqual(len(line.split("|")), 7, line)

    def test_debian_gets_the_name_that_its_release_has(self):
        for absent, wanted in (("libmsgpack-dev", "libmsgpack-c-dev"), ("libmsgpack-c-dev", "libmsgpack-dev")):
            self.asked.unlink(missing_ok=True)
            self.apt([absent])
            status, said, asked = self.ask("build")
            self.assertEqual(status, 0, said)
            self.assertIn(wanted, asked)
            self.assertNotIn(absent, asked)
            self.assertNotIn("-", asked)
            self.assertNotIn("libcmocka-dev", asked)

    def test_what_is_installed_by_either_name_is_left_alone(self):
        self.apt([], installed=["libmsgpack-dev", "gcc"])
        status, said, asked = self.ask("build")
        self.assertEqual(status, 0, said)
        for name in ("libmsgpack-dev", "libmsgpack-c-dev", "gcc"):
            self.assertNotIn(name, asked)
        self.assertIn("libuv1-dev", asked)

    def test_the_studio_is_asked_for_by_name(self):
        self.apt([])
        self.assertNotIn("npm", self.ask("build")[2])
        asked = self.ask("build", "studio")[2]
        self.assertIn("npm", asked)
        self.assertNotIn("wasi-libc", asked)

    def test_a_package_that_no_source_has_is_named(self):
        self.apt(["libuv1-dev"])
        status, said, asked = self.ask("build")
        self.assertEqual((status, asked), (1, []))
        self.assertIn("libuv1-dev", said)

    def test_what_the_build_does_without_is_asked_for_where_it_is_to_be_had(self):
        self.apt([])
        asked = self.ask("build", "studio", "wasm")[2]
        self.assertIn("wasi-libc", asked)
        self.asked.unlink()
        self.apt(["wasi-libc", "lld"])
        status, said, asked = self.ask("build", "studio", "wasm")
        self.assertEqual(status, 0, said)
        self.assertIn("libclang-rt-dev-wasm32", asked)
        self.assertIn("npm", asked)
        for name in ("wasi-libc", "lld", "-"):
            self.assertNotIn(name, asked)

    def test_that_it_cannot_be_had_stops_nothing(self):
        names = [line.split("|")[0].strip() for line in (SCRIPTS / "packages.txt").read_text().splitlines()
                 if not line.startswith("#") and line.split("|")[4].strip() in ("build", "studio", "wasm")]
        needed = [name for wanted in names if not wanted.endswith("/-") for name in wanted.split("/")]
        self.apt([], installed=needed)
        # Neither sources that are out of reach, nor an installation that fails, nor a user who may install nothing.
        for manager, user in (("exit 1", 0), ('[ "$*" = "-qq update" ]', 0), ("exit 1", 1000)):
            self.program("apt-get", manager)
            self.program("id", f"echo {user}")
            status, said, _ = self.ask("build", "studio", "wasm")
            self.assertEqual(status, 0, said)
        self.assertEqual(self.ask("build", "studio", "wasm", "check")[0], 1)

    def test_ubuntus_chromium_is_a_snap_and_that_is_said(self):
        self.apt(["chromium"])
        self.program("chromium-browser", "exec /snap/bin/chromium")
        status, said, _ = self.ask("check")
        self.assertEqual(status, 1)
        self.assertIn("snap", said)
        self.assertIn("CHROMIUM=", said)
        # Another browser is one.
        self.program("google-chrome", "echo 1")
        status, said, asked = self.ask("check")
        self.assertEqual(status, 0, said)
        self.assertNotIn("chromium", asked)

    def test_the_browser_that_is_named_is_taken(self):
        self.program("chromium", "echo 1")
        self.program("mine", "echo 1")
        find = {"script": "find-browser.sh"}
        self.assertEqual(self.ask(**find)[1].strip(), str(self.bin / "chromium"))
        self.assertEqual(self.ask(CHROMIUM=str(self.bin / "mine"), **find)[1].strip(), str(self.bin / "mine"))
        status, said, _ = self.ask(CHROMIUM="/no/such", **find)
        self.assertEqual(status, 1)
        self.assertIn("/no/such", said)

    def test_firefox_is_found_and_its_lack_stops_nothing(self):
        find = {"script": "find-browser.sh"}
        self.program("chromium", "echo 1")
        self.assertEqual(self.ask("firefox", **find)[0], 1)
        self.apt(["firefox-esr"])
        status, said, asked = self.ask("check")
        self.assertEqual(status, 0, said)
        self.assertIn("xvfb", asked)
        self.assertNotIn("firefox-esr", asked)
        self.program("firefox", "exec /snap/bin/firefox")
        status, said, _ = self.ask("firefox", **find)
        self.assertEqual(status, 1)
        self.assertIn("snap", said)
        self.program("firefox-esr", "echo 1")
        self.assertEqual(self.ask("firefox", **find)[1].strip(), str(self.bin / "firefox-esr"))

    def test_fedora_and_arch_are_asked_for_their_names(self):
        for manager, query, word, names, others in (
                ("dnf", "rpm", "install", ("msgpack-c-devel", "libuv-devel", "wslay-devel"), ("libuv1-dev",)),
                ("pacman", None, "-S", ("msgpack-c", "libuv", "libwslay", "libinih"), ("libuv-devel",))):
            self.asked.unlink(missing_ok=True)
            if query:
                self.program(query, "exit 1")
            self.program(manager, f'case "$*" in *"{word} "*) echo "$@" >>{self.asked} ;; *) exit 1 ;; esac')
            status, said, asked = self.ask("build")
            self.assertEqual(status, 0, said)
            for name in names:
                self.assertIn(name, asked)
            for name in others + ("-",):
                self.assertNotIn(name, asked)
            (self.bin / manager).unlink()

    def test_without_a_manager_it_says_what_is_missing(self):
        status, said, _ = self.ask("build")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"libmsgpack-c-dev/libmsgpack-dev +\(looked for: header msgpack\.h")


if __name__ == "__main__":
    unittest.main()
