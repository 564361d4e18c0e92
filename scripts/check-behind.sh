#!/bin/sh
# What check.sh lets go on behind its tests: scripts/check-behind.sh LOGS. For each NAME there are LOGS/NAME.log and, once
# it has ended, LOGS/NAME.status: exit status, seconds, and seconds of processors. It ends with the first that fails.
set -u
cd "$(dirname "$0")/.."
logs=$1
before=0

run() { # NAME COMMAND…
    name=$1
    shift
    began=$(date +%s)
    status=0
    "$@" >"$logs/$name.log" 2>&1 || status=$?
    times >"$logs/processors-behind"
    spent=$(scripts/processors.sh <"$logs/processors-behind")
    echo "$status $(($(date +%s) - began)) $((spent - before))" >"$logs/$name.part"
    before=$spent
    mv "$logs/$name.part" "$logs/$name.status"
    [ "$status" -eq 0 ] || exit 1
}

types() {
    scripts/web.sh types &&
        echo "TypeScript finds nothing in $(find clients/web/src clients/web/tests -name '*.ts' -o -name '*.tsx' | wc -l) files" &&
        (cd clients/python && mypy src examples)
}

# What the first stages wait for comes first; of a preset only what its stage asks for is built.
run build-asan scripts/build.sh asan tests '^bytes$'
run types types
run build-tsan scripts/build.sh tsan tests '^threads$'
for preset in debug clang-release; do
    run "build-$preset" scripts/test-hashes.sh "$preset" build
done
run tidy scripts/tidy.sh build/release 8000
