#!/bin/sh
# One preset comes to the state hashes of all others: scripts/test-hashes.sh PRESET [build]. With "build" it is only built.
# Without optimisation some take minutes: those are left out there, unless WEFT_HASHES is "all".
set -eu
cd "$(dirname "$0")/.."
sim='wide|wide_contact|read|image'
golden=determinism
case "$1 ${WEFT_HASHES:-}" in
*debug\ ) ;;
*) sim="$sim|same|contact_bits|meet_same|collide" golden='.*' ;;
esac
if [ "${2:-}" = build ]; then
    exec scripts/build.sh "$1" tests "weftd|weft|test_sim_(scene|$sim)|test_world_records"
fi
WEFT_PROGRAMS=20 exec ctest --test-dir "build/$1" --no-tests=error -j "${JOBS:-2}" --output-on-failure \
    --tests-regex "^(golden\\.($golden)\$|e2e\\.golden|unit\\.sim\\.($sim)\$|unit\\.world\\.records\$)"
