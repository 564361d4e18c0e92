#!/bin/sh
# One preset comes to the state hashes of all others: scripts/test-hashes.sh PRESET [build]. With "build" it is only built.
set -eu
cd "$(dirname "$0")/.."
sim='same|wide|wide_contact|contact_bits|meet_same|read|image'
case "$1" in
*debug) ;; # it takes minutes without optimisation
*) sim="$sim|collide" ;;
esac
if [ "${2:-}" = build ]; then
    exec scripts/build.sh "$1" tests "weftd|weft|test_sim_(scene|$sim)|test_world_records"
fi
WEFT_PROGRAMS=20 exec ctest --test-dir "build/$1" --no-tests=error -j "${JOBS:-2}" --output-on-failure \
    --tests-regex "^(golden\\.|e2e\\.golden|unit\\.sim\\.($sim)\$|unit\\.world\\.records\$)"
