#!/bin/sh
# Runs the tests of a coverage build and prints the share of lines that ran, by file and by module: scripts/coverage.sh BUILD
set -eu
cd "$(dirname "$0")/.."
find "$1" -name '*.gcda' -exec rm {} +
ctest --test-dir "$1" --no-tests=error -j "${JOBS:-2}" --output-on-failure --label-regex '^(unit|wire|fuzz|simulator|e2e)$' >"$1/ctest.log" ||
    { tail -40 "$1/ctest.log" >&2; exit 1; }
python3 scripts/coverage.py "$1"
