#!/bin/sh
# Everything that must hold for a commit, in stages; how long each took is told at the end.
#
#     format      the sources are laid out as .clang-format says
#     release     gcc -O3: unit, wire, floors, end to end, failing calls to the system, golden hashes, the studio
#     asan        the same tests under AddressSanitizer and UndefinedBehaviorSanitizer
#     tsan        the threaded parts and end to end under ThreadSanitizer
#     hashes      gcc -O0, clang -O0 and clang -O3 come to the same state hashes
#     demo        make demo shows a world, ends in time and leaves nothing behind
#
# Tests mostly wait for each other's sockets. What only computes goes on behind them, at the least priority
# (check-behind.sh): builds for the stages to come, and
#
#     types       the studio and its library are sound to TypeScript, the Python package to mypy
#     tidy        static analysis finds nothing
#     fuzz        a minute of new inputs, with clang's sanitizers
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
at_once=$((jobs + (jobs + 1) / 2)) # most tests wait more than they compute; those that do not say so (PROCESSORS)
began=$(date +%s)
logs=build/check
rm -rf "$logs"
mkdir -p "$logs"
times=$logs/times
: >"$times"
behind=""

# A session of its own, so that all that goes on behind can be ended at once.
apart=""
if command -v setsid >/dev/null 2>&1; then
    apart=setsid
fi

stop() {
    [ -z "$behind" ] || kill -TERM "${apart:+-}$behind" 2>/dev/null || true
    behind=""
}
trap stop EXIT
trap 'exit 130' INT TERM HUP

stage() { # NAME WHAT: the one before it has ended
    now=$(date +%s)
    [ -z "${stage:-}" ] || printf '%-22s %5d s\n' "$stage" $((now - stage_began)) >>"$times"
    stage=$1 stage_began=$now
    [ -z "$1" ] || printf '\n==== %s (after %d s)\n' "$1: $2" $((now - began))
}

# What goes on behind ends with the first that fails: shows what that said.
look_behind() {
    for ended in "$logs"/*.status; do
        [ -f "$ended" ] || continue
        read -r status seconds <"$ended"
        if [ "$status" -ne 0 ]; then
            name=$(basename "$ended" .status)
            cat "$logs/$name.log" >&2
            echo "check: $name failed" >&2
            exit 1
        fi
    done
}

# Waits for what goes on behind.
await() {
    until [ -f "$logs/$1.status" ]; do
        look_behind
        if ! kill -0 "$behind" 2>/dev/null && [ ! -f "$logs/$1.status" ]; then
            echo "check: $1 was not finished" >&2
            exit 1
        fi
        sleep 0.2
    done
    look_behind
    read -r status seconds <"$logs/$1.status"
    printf '%-22s %5d s, behind the others\n' "$1" "$seconds" >>"$times"
}

run_tests() { # PRESET [CTEST ARGUMENT…]
    preset=$1
    shift
    ctest --test-dir "build/$preset" --no-tests=error -j "$at_once" "$@"
}

stage "format" "the sources are laid out as .clang-format says"
scripts/sources.sh | xargs clang-format --dry-run -Werror

stage "build" "gcc -O3, with the studio"
scripts/build.sh release tests

$apart nice -n 19 scripts/check-behind.sh "$logs" </dev/null &
behind=$!

stage "release" "all tests"
run_tests release --verbose

# Long runs of physics (energy, rest, bakes, the same contact everywhere) touch no memory that shorter ones do not; heavy
# messages take minutes here (soak).
stage "asan" "addresses, leaks, undefined behaviour"
await build-asan
ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_tests asan --output-on-failure --label-regex 'unit|wire|fuzz|e2e' --exclude-regex '^(unit\.sim\.(energy|rest|meet_rest)|e2e\.(heavy|cli_bake|cli_export|cli_load_play|contact_same|tls_access))$'

# Left out: what has one thread, or only asks servers for what other tests ask them for; what takes minutes here is
# soak's (heavy, crowd).
stage "tsan" "data races"
await build-tsan
scripts/test-tsan.sh -j "$at_once" --label-regex '^(base|net|world|host|clients|store|e2e)$' \
    --exclude-regex '^(unit\.(net\.ws_wire|store\.flips)|e2e\.(heavy|crowd|cli_record|cli_load|cli_load_play|cli_load_formats|cli_export|cli_bake|cli_picture|cli_scenes|cli_help|deploy|tls_(access|frames|streams|bad_input|sharing|limits)|physics|mesh|contact_fields|contact_same))$'

for preset in debug clang-debug clang-release; do
    stage "hashes-$preset" "the same state hashes"
    await "build-$preset"
    WEFT_PROGRAMS=20 run_tests "$preset" --output-on-failure \
        --tests-regex '^(golden\.|e2e\.golden|unit\.sim\.(same|wide|wide_contact|contact_bits|collide|meet_same|read|image)$|unit\.world\.records$)'
done

stage "demo" "a world to look at"
DEMO_SECONDS=3 scripts/demo.sh </dev/null

stage "behind" "what went on behind the others"
for name in types tidy fuzz; do
    await "$name"
    tail -n 3 "$logs/$name.log"
done
wait "$behind"
behind=""

stage ""
echo
cat "$times"
printf 'all checks passed in %d s\n' $(($(date +%s) - began))
