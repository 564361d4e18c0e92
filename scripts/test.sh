#!/bin/sh
# What one wants to know after a change: scripts/test.sh PRESET [MODULE]
#
# Without a module: every fast test of units, of the wire, of the floors and of the fuzz corpora; once through each way in (the label
# smoke); and the simulator for SIMULATOR_SECONDS. With one: the fast tests with that label, such as world, sim or python.
set -eu
cd "$(dirname "$0")/.."
preset=$1
module=${2:-}
began=$(date +%s)
labels='^(unit|wire|floors|fuzz|smoke)$'
[ -z "$module" ] || labels="^$module\$"

case "$module" in
'' | e2e) scripts/build.sh "$preset" tests ;; # among them are tests of all that would be installed
*) scripts/build.sh "$preset" tests "$labels" ;;
esac
run() {
    if [ "$preset" = tsan ]; then
        scripts/test-tsan.sh "$@"
    else
        ctest --test-dir "build/$preset" "$@"
    fi
}
if ! run --no-tests=error --output-on-failure -j "${JOBS:-2}" --label-regex "$labels" --label-exclude '^slow$'; then
    [ -z "$module" ] || echo "test: labels are: $(ctest --test-dir "build/$preset" --print-labels | sed -n 's/^  //p' | tr '\n' ' ')" >&2
    exit 1
fi
if [ -z "$module" ]; then
    "build/$preset/bin/weft-simulator" --seconds "${SIMULATOR_SECONDS:-20}" --jobs "${JOBS:-2}"
fi
echo "tests passed in $(($(date +%s) - began)) s; make check runs all of them"
