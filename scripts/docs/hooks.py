"""What a site of docs/ needs and a code host does not: MkDocs calls these (mkdocs.yml).

- A link to a file that is not in docs/ becomes its text. One whose text is the path of a page has the page's title for it.
- `<!-- live: SCENE: WORDS -->` and the paragraph below it become a world to pull at, with WORDS below; `SCENE edit` has tools that
  edit as well. A code host shows the paragraph alone. Without the studio (WEFT_DOCS_STUDIO) so does the site.
- KaTeX and the studio are copied into the site, so that it loads nothing from elsewhere.
"""

import html
import json
import os
import posixpath
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KATEX = Path(os.environ.get("WEFT_KATEX", "/usr/share/javascript/katex"))
STUDIO = os.environ.get("WEFT_DOCS_STUDIO", "")
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)")
LIVE = re.compile(r"<!-- live: (\w+)( edit)?: ([^>]*?)\s-->\n((?:.+\n)+)")


def anchor(text, separator):
    """The name of a heading as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_path.replace(os.sep, "/")
    known = {file.src_path.replace(os.sep, "/") for file in files}

    def link(found):
        image, text, target = found.groups()
        path = target.split("#")[0]
        if not path or re.match(r"[a-z]+:", target):
            return found.group()
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        if inside not in known:
            return "" if image else text
        if text.endswith(".md"):
            return f"[{title(inside)}]({target})"
        return found.group()

    return LIVE.sub(lambda found: live(found, here), LINK.sub(link, markdown))


def title(page):
    with open(ROOT / "docs" / page, encoding="utf-8") as lines:
        return next(line[2:].strip() for line in lines if line.startswith("# "))


def live(found, here):
    scene, edit, words, paragraph = found.groups()
    about = json.loads((ROOT / "clients/scenes" / f"{scene}.json").read_text(encoding="utf-8"))["about"]
    if not STUDIO:
        return paragraph.rstrip() + " This copy of the site was made without worlds.\n"
    up = "../" * here.count("/")
    words = " ".join(words.split())
    return (f'<figure class="live" data-page="{up}studio/index.html" data-scene="{scene}" data-embedded="{(edit or "").strip()}">\n'
            f'<div class="live-place"><p>{html.escape(about)}</p>'
            f'<button type="button" class="md-button md-button--primary">Run it in this page</button></div>\n'
            f"<figcaption>{html.escape(words)}</figcaption>\n</figure>\n")


def on_post_build(config):
    site = Path(config["site_dir"])
    assets = site / "assets"
    # Both have addresses that begin at a host's root, and a site may lie below any path.
    for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink(missing_ok=True)
    shutil.copy(ROOT / "clients/web/public/icon.svg", assets / "weft/icon.svg")
    katex = assets / "katex"
    (katex / "fonts").mkdir(parents=True, exist_ok=True)
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copy(KATEX / name, katex / name)
    for font in (KATEX / "fonts").glob("*.woff2"):
        shutil.copy(font, katex / "fonts" / font.name)
    for package in ("libjs-katex", "fonts-katex"):
        terms = Path("/usr/share/doc") / package / "copyright"
        if terms.exists():
            shutil.copy(terms, katex / f"{package}.copyright.txt")
    if STUDIO:
        shutil.copytree(STUDIO, site / "studio", dirs_exist_ok=True)
