#!/usr/bin/env python3
"""What `dpkg-buildpackage` gives: lintian finds nothing, and a session runs on it. It compiles everything from nothing, so
`make soak` runs it: python3 tests/e2e/test_debian.py"""

import json
import os
import re
import shutil
import unittest
from pathlib import Path

from installed import SOURCE, Installed, run

BUILD_S = 1500


def is_of_code(complaint):
    """Whether it is of a word that no source has: then it is machine code that looks like letters."""
    spelt = re.fullmatch(r"I: \S+: spelling-error-in-binary (\w+) .*", complaint)
    word = re.compile(rf"\b{spelt[1]}\b") if spelt else None
    return word is not None and not any(word.search(path.read_text(encoding="utf-8", errors="replace"))
                                        for folder in ("server", "protocol", "clients")
                                        for path in (SOURCE / folder).rglob("*.[ch]"))


class Debian(Installed):
    def test_the_packages_are_built_and_hold_a_session(self):
        build = self.dir / "build"
        source = build / "weft"
        left_out = shutil.ignore_patterns("build", ".git", "node_modules", "__pycache__", "*.egg-info")
        shutil.copytree(SOURCE, source, ignore=left_out, symlinks=True)
        # npm's registry is not asked again for what is there.
        modules = SOURCE / "clients/web/node_modules"
        profiles = "" if modules.exists() else "pkg.weft.nostudio"
        if not profiles:
            run("cp", "-a", modules, source / "clients/web/node_modules")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WEFT", "PYTHON"))}
        environment |= {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEB_BUILD_PROFILES": profiles,
                        "DEB_BUILD_OPTIONS": f"parallel={os.cpu_count()}"}
        # debhelper gives a build a home of its own.
        environment.setdefault("CCACHE_DIR", str(Path.home() / ".cache/ccache"))
        run("dpkg-buildpackage", "-b", "-us", "-uc", "-d", cwd=source, env=environment, timeout=BUILD_S)
        names = {"libweft0", "libweft-twin0", "libweft-dev", "python3-weft", "weft", "weft-common", "weft-studio", "weftd"}
        packages = {path.name.split("_")[0]: path for path in build.glob("*.deb")}
        self.assertEqual({name for name in packages if not name.endswith("-dbgsym")},
                         names - ({"weft-studio"} if profiles else set()))
        self.assertEqual(run("dpkg-deb", "--field", packages["weftd"], "Version").strip(),
                         json.loads((SOURCE / "protocol/api.json").read_text())["version"])
        for name, needs in (("weftd", "libc6 libuv1 libmsgpack-?c2 libjansson4 libsqlite3-0 libzstd1 libnats[0-9.]+ weft-common"),
                            ("weft", "libassimp[0-9]+ libzip[0-9]+ weft-common"), ("libweft-dev", "libweft0 libweft-twin0"),
                            ("libweft0", "libuv1"), ("libweft-twin0", "libweft0"),
                            ("python3-weft", "python3-numpy python3-msgpack")):
            depends = run("dpkg-deb", "--field", packages[name], "Depends")
            for need in needs.split():
                self.assertRegex(depends, rf"\b{need}(t64)?\b", name)
        complaints = run("lintian", "--fail-on", "none", "--display-info", *sorted(packages.values()), env=environment)
        # Debian no longer asks for scripts of an older init, and the lintian of bookworm does.
        self.assertEqual([one for one in complaints.splitlines() if "no-init.d-script" not in one and not is_of_code(one)], [])

        root = self.dir / "root"
        for name in names & packages.keys():
            run("dpkg-deb", "--extract", packages[name], root)
        for name in ("weft.1", "weft-bake.1", "weft-keep.1", "weft-twin.1"):
            self.assertTrue((root / f"usr/share/man/man1/{name}.gz").is_file(), name)
        services = list(root.rglob("weftd.service"))
        self.assertEqual(len(services), 1)
        self.check_service(services[0], "/usr")
        self.assertIn("[server]", (root / "etc/weft/weftd.conf").read_text())
        self.try_out(root / "usr")
        libraries = next(root.rglob("libweft.so")).parent
        run(source / "debian/tests/session", env={
            **environment, "WEFT_ROOT": str(root), "PATH": f"{root}/usr/bin:{environment['PATH']}",
            "LD_LIBRARY_PATH": str(libraries), "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
            "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")})


if __name__ == "__main__":
    unittest.main()
