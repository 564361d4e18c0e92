#!/usr/bin/env python3
"""What a system has decides what is found and built, and an earlier failure does not stay."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
INCLUDE, LIBRARY = Path(os.environ["MSGPACK_INCLUDE"]), Path(os.environ["MSGPACK_LIBRARY"])
PATIENCE_S = 300
BROKEN_PC = """prefix={prefix}
libdir={prefix}/lib
includedir=include

Name: MessagePack
Description: as Debian 13 has it
Version: 6.0.1
Libs: -L${{libdir}} -lmsgpack-c
Cflags: -I${{includedir}}
"""
CMAKE_PACKAGE = """add_library(msgpack-c SHARED IMPORTED)
set_target_properties(msgpack-c PROPERTIES IMPORTED_LOCATION "{prefix}/lib/libmsgpack-c.so"
  INTERFACE_INCLUDE_DIRECTORIES "{prefix}/include")
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="weft-configure-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("STUDIO", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH")}

    def run_it(self, *command, fails=False, cwd=None, **environment):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE_S,
                              cwd=cwd, env=self.environment | environment)
        self.assertEqual(done.returncode != 0, fails, f"{command}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def pkg_config_without(self, *names):
        """A folder with the pkg-config files of this system but those."""
        folder = self.dir / "pkgconfig"
        folder.mkdir()
        paths = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], capture_output=True, text=True,
                               check=True).stdout.strip()
        for path in reversed(paths.split(":")):
            for file in Path(path).glob("*.pc"):
                target = folder / file.name
                target.unlink(missing_ok=True)
                if file.stem not in names:
                    target.symlink_to(file)
        self.environment["PKG_CONFIG_LIBDIR"] = str(folder)
        return folder


class Msgpack(Case):
    def setUp(self):
        super().setUp()
        self.pc = self.pkg_config_without("msgpack", "msgpack-c")
        self.prefix = self.dir / "prefix"
        (self.prefix / "include").mkdir(parents=True)
        (self.prefix / "lib/cmake/msgpack-c").mkdir(parents=True)
        for name in ("msgpack.h", "msgpack"):
            (self.prefix / "include" / name).symlink_to(INCLUDE / name)
        (self.prefix / "lib/libmsgpack-c.so").symlink_to(LIBRARY.resolve())

    def configure(self, *options, **how):
        # What is found does not depend on how it is compiled: as fast as can be.
        return self.run_it("cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.dir / "build", "-DWEFT_SERVER=OFF",
                           "-DCMAKE_BUILD_TYPE=Debug", *options, **how)

    def weft_pc(self):
        return (self.dir / "build/clients/c/weft.pc").read_text()

    def check_stranger(self):
        """A program of a stranger, with what was installed, on the same system."""
        installed = self.dir / "installed"
        self.run_it("cmake", "--build", self.dir / "build", "--target", "weft", "weft_static", "-j2")
        self.run_it("cmake", "--install", self.dir / "build", "--prefix", installed, "--component", "libweft")
        self.run_it("cmake", "-G", "Ninja", "-S", SOURCE / "tests/unit/clients/package", "-B", self.dir / "stranger",
                    f"-DCMAKE_PREFIX_PATH={installed};{self.prefix}")
        self.run_it("cmake", "--build", self.dir / "stranger")
        self.run_it(self.dir / "stranger/stranger", LD_LIBRARY_PATH=f"{installed}/lib:{self.prefix}/lib")
        pc = next(installed.rglob("weft.pc")).parent
        flags = self.run_it("pkg-config", "--cflags", "--libs", "weft", PKG_CONFIG_PATH=str(pc)).split()
        self.run_it(os.environ.get("CC", "cc"), SOURCE / "tests/unit/clients/package/main.c", "-o", self.dir / "program",
                    *flags)

    def test_a_cmake_package_alone_will_do(self):
        (self.prefix / "lib/cmake/msgpack-c/msgpack-c-config.cmake").write_text(CMAKE_PACKAGE.format(prefix=self.prefix))
        self.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}")
        cache = (self.dir / "build/CMakeCache.txt").read_text()
        self.assertIn(f"WEFT_MSGPACK_LIBRARY:FILEPATH={self.prefix}/lib/libmsgpack-c.so", cache)
        self.assertNotIn("Requires:", self.weft_pc())
        self.assertIn(f"-L{self.prefix}/lib -lmsgpack-c", self.weft_pc())
        self.check_stranger()

    def test_a_pkg_config_file_that_names_what_is_not_there_is_not_passed_on(self):
        (self.prefix / "lib/cmake/msgpack-c/msgpack-c-config.cmake").write_text(CMAKE_PACKAGE.format(prefix=self.prefix))
        (self.pc / "msgpack-c.pc").write_text(BROKEN_PC.format(prefix=self.prefix))
        self.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertNotIn("Requires:", self.weft_pc())
        self.check_stranger()

    def test_a_pkg_config_file_of_either_name_will_do(self):
        for name in ("msgpack", "msgpack-c"):
            file = self.pc / f"{name}.pc"
            file.write_text(BROKEN_PC.format(prefix=self.prefix).replace("=include", f"={self.prefix}/include"))
            shutil.rmtree(self.dir / "build", ignore_errors=True)
            self.configure()
            self.assertIn(f"\nRequires: {name} >= 4.0\n", self.weft_pc())
            cache = (self.dir / "build/CMakeCache.txt").read_text()
            self.assertIn(f"WEFT_MSGPACK_LIBRARY:FILEPATH={self.prefix}/lib/libmsgpack-c.so", cache)
            file.unlink()

    def test_none_is_an_error_that_names_packages(self):
        said = self.configure(f"-DCMAKE_IGNORE_PATH={INCLUDE}", fails=True)
        self.assertIn("libmsgpack-c-dev", said)


class Tree(Case):
    def setUp(self):
        super().setUp()
        self.tree = self.dir / "weft"
        shutil.copytree(SOURCE, self.tree, symlinks=True,
                        ignore=shutil.ignore_patterns("build", ".git", "node_modules", "__pycache__", "*.egg-info"))

    def test_make_goes_on_where_what_the_tests_need_is_missing(self):
        self.pkg_config_without("cmocka")
        self.run_it("cmake", "--preset", "release", cwd=self.tree)
        self.assertIn("cmocka", self.run_it("cmake", "--preset", "release", "-DWEFT_TESTS=ON", cwd=self.tree, fails=True))
        said = self.run_it("scripts/build.sh", "release", "programs", "weft_demo", cwd=self.tree)
        self.assertIn("without the tests", said)
        self.assertTrue((self.tree / "build/release/bin/weft_demo").is_file())
        # And again, without a word.
        self.assertNotIn("without the tests", self.run_it("scripts/build.sh", "release", "programs", "weft_demo", cwd=self.tree))
        # Who wants the tests is told what is missing.
        self.assertIn("cmocka", self.run_it("scripts/build.sh", "release", "tests", cwd=self.tree, fails=True))

    def test_what_cannot_be_compiled_for_browsers_is_left_out_and_one_line_says_so(self):
        fake = self.dir / "bin"
        fake.mkdir()
        (fake / "clang").write_text("#!/bin/sh\nexit 1\n")
        (fake / "clang").chmod(0o755)
        said = self.run_it("scripts/build.sh", "release", "programs", "weft_demo", cwd=self.tree,
                           PATH=f"{fake}:{self.environment['PATH']}")
        self.assertEqual(len([line for line in said.splitlines() if "no worlds in the browser" in line]), 1, said)
        self.assertTrue((self.tree / "build/release/bin/weft_demo").is_file())
        self.assertNotIn("weft_machine", self.run_it("ninja", "-C", self.tree / "build/release", "-t", "targets", "all"))

    def test_only_presets_that_check_make_errors_of_warnings(self):
        for preset, options, wanted in (("release", (), False), ("debug", (), True),
                                        ("release", ("-DWEFT_WERROR=ON",), True)):
            self.run_it("cmake", "--preset", preset, *options, cwd=self.tree)
            commands = json.loads((self.tree / "build" / preset / "compile_commands.json").read_text())
            self.assertEqual({"-Werror" in one["command"].split() for one in commands if one["file"].endswith(".c")},
                             {wanted}, preset)

    @unittest.skipUnless(shutil.which("npm"), "no npm")
    def test_a_registry_out_of_reach_is_told_with_the_target_that_does_without(self):
        said = self.run_it("scripts/web.sh", "packages", cwd=self.tree, fails=True,
                           npm_config_registry="http://127.0.0.1:1/", npm_config_fetch_retries="0",
                           npm_config_cache=str(self.dir / "npm"))
        self.assertIn("make no-studio", said)
        self.assertIn("STUDIO=OFF", self.run_it("make", "-n", "no-studio", cwd=self.tree))
        # Which leaves the studio out, whatever the preset says.
        self.run_it("scripts/build.sh", "release", "programs", "weft_demo", cwd=self.tree, STUDIO="OFF")
        self.assertIn("WEFT_STUDIO:BOOL=OFF", (self.tree / "build/release/CMakeCache.txt").read_text())


if __name__ == "__main__":
    unittest.main()
