#!/bin/sh
# The studio and its library, from clients/web.
#
#     scripts/web.sh studio DIR   DIR/studio: the files that the server serves
#     scripts/web.sh package DIR  DIR/weft-sim: the library as a package
#     scripts/web.sh site DIR WORLD FILES   DIR: the studio as a static page, whose worlds run in the module WORLD and
#                                 whose files the module FILES reads
#     scripts/web.sh types        checks the types of all of it
#     scripts/web.sh packages     only sees to node_modules
#
# The npm packages are installed when package-lock.json is another than the one they were installed from.
set -eu
cd "$(dirname "$0")/../clients/web"

fail() {
    echo "web: $1" >&2
    exit 1
}

major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
[ -n "$major" ] || fail "node is missing (Debian: nodejs)"
[ "$major" -ge 18 ] || fail "node $major is too old; 18 or newer is needed"
command -v npm >/dev/null 2>&1 || fail "npm is missing (Debian: npm)"

# Two builds at a time take turns, so that neither finds the other's packages half installed.
packages() {
    if command -v flock >/dev/null 2>&1; then
        exec 9>.packages.lock
        flock 9
    fi
    if ! cmp -s package-lock.json node_modules/.from-lock; then
        log=$(mktemp "${TMPDIR:-/tmp}/weft-npm.XXXXXX")
        if ! npm ci --loglevel=error >"$log" 2>&1; then
            cat "$log" >&2
            rm -f "$log"
            fail "npm could not install the packages of clients/web: \
is its registry in reach? \`make no-studio\` does without the studio, and so do \`make demo STUDIO=OFF\` and \
\`make install STUDIO=OFF\`"
        fi
        rm -f "$log"
        cp package-lock.json node_modules/.from-lock
    fi
    exec 9>&-
}

run() { # PROGRAM [ARGUMENT…]: one of the packages'
    program=$1
    shift
    "node_modules/.bin/$program" "$@"
}

packages
case "${1:-}" in
studio)
    out=${2:?where to}
    case "$out" in /*) ;; *) fail "DIR must be absolute" ;; esac
    run vite build --logLevel warn --outDir "$out/studio" --emptyOutDir
    ;;
package)
    out=${2:?where to}
    case "$out" in /*) ;; *) fail "DIR must be absolute" ;; esac
    run vite build --logLevel warn --config vite.lib.config.ts --outDir "$out/weft-sim" --emptyOutDir
    WORKER=1 run vite build --logLevel warn --config vite.lib.config.ts --outDir "$out/weft-sim"
    run tsc --project tsconfig.lib.json --outDir "$out/weft-sim"
    ;;
site)
    out=${2:?where to}
    WEFT_WORLD_WASM=${3:?the module of worlds}
    WEFT_WASM_FILES=${4:?the module of files}
    export WEFT_WORLD_WASM WEFT_WASM_FILES
    case "$out" in /*) ;; *) fail "DIR must be absolute" ;; esac
    run vite build --logLevel warn --config vite.site.config.ts --outDir "$out" --emptyOutDir
    ;;
types) run tsc --noEmit ;;
packages) ;;
*) fail "say studio DIR, package DIR, site DIR WORLD FILES, types or packages" ;;
esac
