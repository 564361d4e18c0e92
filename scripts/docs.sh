#!/bin/sh
# Builds the documentation as a site, build/docs-site, and the worlds in it where the studio can be built.
#
# STUDIO=OFF in the environment leaves the worlds out.
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/docs-site

lacks() {
    echo "docs: $1" >&2
    exit 1
}
command -v mkdocs >/dev/null 2>&1 || lacks "mkdocs is missing (Debian: mkdocs, mkdocs-material, python3-pymdownx)"
[ -f "${WEFT_KATEX:-/usr/share/javascript/katex}/katex.min.js" ] ||
    lacks "KaTeX is missing (Debian: libjs-katex); WEFT_KATEX names a folder that has katex.min.js, katex.min.css and fonts"

WEFT_DOCS_STUDIO=""
if [ "${STUDIO:-ON}" = OFF ]; then
    echo "docs: no worlds in the pages: STUDIO=OFF"
else
    log=build/docs-studio.log
    mkdir -p build
    if scripts/site.sh >"$log" 2>&1; then
        WEFT_DOCS_STUDIO=$PWD/build/release/site
    else
        tail -n 3 "$log" >&2
        echo "docs: no worlds in the pages: the studio could not be built ($log says why)" >&2
    fi
fi
export WEFT_DOCS_STUDIO
PYTHONPATH=scripts/docs PYTHONDONTWRITEBYTECODE=1 mkdocs build --quiet --strict --clean --config-file scripts/docs/mkdocs.yml --site-dir "$out"
echo "The site is in build/docs-site. Any server of files has it, below any path:"
echo "    python3 -m http.server --bind 127.0.0.1 --directory build/docs-site 8000"
echo "    http://127.0.0.1:8000/"
