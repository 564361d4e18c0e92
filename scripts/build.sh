#!/bin/sh
# Configures and builds one preset: scripts/build.sh PRESET [tests [PROGRAMS]]. Without "tests" a new build
# directory is configured without them, so that it needs fewer packages; one that has them keeps them. PROGRAMS is
# an extended regular expression: only what in bin/ matches it is built.
set -eu
cd "$(dirname "$0")/.."
preset=$1
tests=${2:-}
programs=${3:-}
if [ "$tests" = tests ]; then
    set -- -DWEFT_TESTS=ON
elif [ -f "build/$preset/CMakeCache.txt" ]; then
    set --
else
    set -- -DWEFT_TESTS=OFF
fi
log=build/$preset/configure.log
mkdir -p "build/$preset"
if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$programs" ]; then
    targets=$(ninja -C "build/$preset" -t targets all | sed -n -E "s#^bin/($programs): .*#bin/\\1#p")
    cmake --build "build/$preset" -j "${JOBS:-2}" --target $targets
else
    cmake --build "build/$preset" -j "${JOBS:-2}"
fi
