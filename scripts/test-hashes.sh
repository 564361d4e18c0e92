#!/bin/sh
# One preset comes to the state hashes of all others: scripts/test-hashes.sh PRESET [build | run [CTEST ARGUMENT…]]. With "build"
# it is only built.
# Without optimisation some take minutes: those are left out there, unless WEFT_HASHES is "all".
set -eu
cd "$(dirname "$0")/.."
case "$1 ${WEFT_HASHES:-}" in
*debug\ ) labels='^hashes$' ;;
*) labels='^hashes(_long)?$' ;;
esac
if [ "${2:-}" = build ]; then
    exec scripts/build.sh "$1" tests "$labels"
fi
preset=$1
shift
[ $# -eq 0 ] || shift
WEFT_PROGRAMS=20 exec ctest --test-dir "build/$preset" --no-tests=error -j "${JOBS:-2}" --output-on-failure --label-regex "$labels" "$@"
