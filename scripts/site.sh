#!/bin/sh
# Builds the studio as a static page, and says how to look at it.
set -eu
cd "$(dirname "$0")/.."
log=build/release/configure.log
mkdir -p build/release
if ! cmake --preset release >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
if ! ninja -C build/release -t targets all | grep -q '^site: phony'; then
    sed -n 's/^-- no /site: no /p' "$log" >&2
    echo "site: the page cannot be built without these" >&2
    exit 1
fi
cmake --build build/release -j "${JOBS:-2}" --target site
echo "The page is in build/release/site. Any server of files has it, below any path:"
echo "    python3 -m http.server --bind 127.0.0.1 --directory build/release/site 8000"
echo "    http://127.0.0.1:8000/"
