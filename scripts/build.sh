#!/bin/sh
# Configures and builds one preset: scripts/build.sh PRESET [tests [PROGRAMS]]. With "tests" the tests are built as
# well, and warnings are errors; a build directory that has been configured so stays so. Without, fewer packages are
# needed. PROGRAMS is an extended regular expression: only what in bin/ matches it is built. STUDIO=OFF in the
# environment leaves the studio out.
set -eu
cd "$(dirname "$0")/.."
preset=$1
tests=${2:-}
programs=${3:-}
log=build/$preset/configure.log
mkdir -p "build/$preset"

if [ "$tests" = tests ]; then
    set -- -DWEFT_TESTS=ON -DWEFT_WERROR=ON
elif [ -f "build/$preset/CMakeCache.txt" ]; then
    set --
else
    set -- -DWEFT_TESTS=OFF
fi
case "${STUDIO:-}" in
'' | ON) ;; # which presets have one is theirs to say
OFF) set -- "$@" -DWEFT_STUDIO=OFF ;;
*)
    echo "build: STUDIO is ON or OFF, not \"$STUDIO\"" >&2
    exit 2
    ;;
esac

configure() {
    cmake --preset "$preset" "$@" >"$log" 2>&1
}

if ! configure "$@"; then
    # Who asks for the programs is not to be kept from them by a wish for tests that an earlier call left behind.
    if [ "$tests" != tests ] && grep -q '^WEFT_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt" 2>/dev/null; then
        mv "$log" "$log.tests"
        if configure "$@" -DWEFT_TESTS=OFF; then
            echo "build: without the tests that build/$preset was configured with: what they need is missing ($log.tests)"
        else
            cat "$log" >&2
            exit 1
        fi
    else
        cat "$log" >&2
        exit 1
    fi
fi
# What is left out, for there is something missing that it needs.
sed -n 's/^-- no /build: no /p' "$log"
if [ -n "$programs" ]; then
    targets=$(ninja -C "build/$preset" -t targets all | sed -n -E "s#^bin/($programs): .*#bin/\\1#p")
    cmake --build "build/$preset" -j "${JOBS:-2}" --target $targets
else
    cmake --build "build/$preset" -j "${JOBS:-2}"
fi
