#!/usr/bin/env python3
"""Builds the site of the documentation and reads it: links lead somewhere, every page is in the navigation, nothing is fetched from
elsewhere, methods are in the index of the search, and KaTeX takes every equation (if node is there).

    test_site.py ROOT [SITE]      SITE: reads what make docs made there; else the site is built, without worlds that run

77: mkdocs, its theme or KaTeX is not installed.
"""

import html.parser
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
KATEX = Path(os.environ.get("WEFT_KATEX", "/usr/share/javascript/katex"))
LIVE = {"concepts/xpbd.html", "concepts/quadratic.html", "concepts/contact.html", "concepts/streaming.html", "concepts/undo.html",
        "concepts/numbers.html"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loads, self.navigation, self.live = set(), [], [], set(), []
        self.equations, self.in_equation = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names.update(given[name] for name in ("id", "name") if given.get(name))
        if tag in ("a", "link") and given.get("href"):
            (self.links if tag == "a" else self.loads).append(given["href"])
            if tag == "a" and "md-nav__link" in (given.get("class") or ""):
                self.navigation.add(given["href"])
        if given.get("src"):
            self.loads.append(given["src"])
        if tag == "figure" and given.get("class") == "live":
            self.live.append((given["data-page"], given["data-scene"]))
        if given.get("class") == "arithmatex":
            self.equations.append("")
            self.in_equation = True

    def handle_endtag(self, tag):
        self.in_equation = False

    def handle_data(self, data):
        if self.in_equation:
            self.equations[-1] += data


def build(site, studio):
    environment = dict(os.environ, WEFT_DOCS_STUDIO=str(studio), PYTHONPATH=str(ROOT / "scripts/docs"), PYTHONDONTWRITEBYTECODE="1")
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--config-file", ROOT / "scripts/docs/mkdocs.yml", "--site-dir", site],
                   check=True, env=environment)


class Site(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weft-docs-")
        if len(sys.argv) > 2:
            cls.site = Path(sys.argv[2]).resolve()
        else:
            cls.site = Path(cls.folder.name, "site")
            studio = Path(cls.folder.name, "studio")
            studio.mkdir()
            (studio / "index.html").write_text("in the place of the studio")
            build(cls.site, studio)
        cls.pages = {path.relative_to(cls.site).as_posix(): Page(path.read_text(encoding="utf-8"))
                     for path in cls.site.rglob("*.html") if "studio" not in path.relative_to(cls.site).parts[:-1]}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lead(self, here, target):
        """The file that a link leads to, and the place in it; None: outside of the site."""
        parts = urllib.parse.urlsplit(target)
        if parts.scheme or parts.netloc:
            return None
        self.assertFalse(parts.path.startswith("/"), f"{here}: {target} is no address below a path")
        path = (self.site / here).parent / urllib.parse.unquote(parts.path) if parts.path else self.site / here
        if path.is_dir():
            path = path / "index.html"
        return Path(os.path.normpath(path)), urllib.parse.unquote(parts.fragment)

    def test_links_lead_somewhere(self):
        self.assertGreater(len(self.pages), 50)
        wrong = []
        for here, page in self.pages.items():
            for target in page.links + page.loads + [src for src, _ in page.live]:
                led = self.lead(here, target)
                if led is None:
                    continue
                path, place = led
                name = os.path.relpath(path, self.site)
                if not path.is_file() or name.startswith(".."):
                    wrong.append(f"{here}: no file {target}")
                elif place and not place.startswith("__") and name in self.pages and place not in self.pages[name].names:
                    wrong.append(f"{here}: no place {target}")
        self.assertEqual(wrong, [])

    def test_every_page_is_in_the_navigation(self):
        written = {path.relative_to(ROOT / "docs").as_posix().replace("README.md", "index.md")[:-3] + ".html"
                   for path in (ROOT / "docs").rglob("*.md")}
        self.assertEqual(written - set(self.pages), set())
        # The navigation of the first page has all of them.
        led = {os.path.relpath(self.lead("index.html", target)[0], self.site) for target in self.pages["index.html"].navigation}
        self.assertEqual(written - led, set())

    def test_nothing_is_fetched_from_elsewhere(self):
        self.assertEqual([(here, load) for here, page in self.pages.items() for load in page.loads if self.lead(here, load) is None], [])

    def test_methods_are_searched_for_by_name(self):
        index = json.loads((self.site / "search/search_index.json").read_text(encoding="utf-8"))
        titles = {entry["title"] for entry in index["docs"] if entry["location"].startswith("reference/methods.html#")}
        api = json.loads((ROOT / "protocol/api.json").read_text(encoding="utf-8"))
        names = {method["name"] for method in api["methods"]}
        self.assertGreater(len(names), 40)
        self.assertEqual(names - titles, set())

    def test_worlds_are_scenes_of_the_gallery(self):
        found = {here: page.live for here, page in self.pages.items() if page.live}
        self.assertEqual(set(found), LIVE)
        for ((_, scene),) in found.values():
            self.assertTrue((ROOT / "clients/scenes" / f"{scene}.json").is_file(), scene)

    def test_equations_are_set(self):
        equations = [tex for page in self.pages.values() for tex in page.equations]
        self.assertGreater(len(equations), 10)
        self.assertTrue(all(re.fullmatch(r"\\\[.*\\\]", tex.strip(), re.DOTALL) for tex in equations))
        if not shutil.which("node"):
            self.skipTest("node is missing")
        script = ("const katex = require(process.argv[1]); const all = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
                  "for (const tex of all) katex.renderToString(tex, {displayMode: true, throwOnError: true, strict: 'ignore'});")
        done = subprocess.run(["node", "-e", script, str(KATEX / "katex.min.js")], text=True, capture_output=True, check=False,
                              input=json.dumps([tex.strip()[2:-2] for tex in equations]))
        self.assertEqual(done.returncode, 0, done.stderr)


def main():
    theme = subprocess.run(["mkdocs", "build", "--help"], text=True, capture_output=True, check=False) if shutil.which("mkdocs") else None
    if theme is None or "material" not in theme.stdout or importlib.util.find_spec("pymdownx") is None or not (KATEX / "katex.min.js").is_file():
        print("skipped: this needs mkdocs with the theme Material, pymdownx and KaTeX (make docs installs them)")
        return 77
    return 0 if unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
