#!/bin/sh
# Everything that must hold for a commit, in stages. How long each took is told at the end, on the clock and of processors: what went on
# behind a stage has lines of its own.
#
#     format      the sources are laid out as .clang-format says
#     release     gcc -O3: all tests there are, and the benchmarks are built
#     asan        tests of bytes and memory under AddressSanitizer and UndefinedBehaviorSanitizer
#     tsan        tests in which threads meet under ThreadSanitizer
#     hashes      gcc -O0 and clang -O3 come to the same state hashes
#     aarch64     so does the solver for AArch64, under emulation, where server/sim changed
#     demo        make demo shows a world, ends in time and leaves nothing behind
#
# Tests mostly wait for each other's sockets. What only computes goes on behind them, at the least priority
# (check-behind.sh): builds for the stages to come, and
#
#     types       the studio and its library are sound to TypeScript, the Python package to mypy
#     tidy        static analysis finds nothing
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
at_once=$((2 * jobs)) # most tests wait more than they compute; those that do not say so (PROCESSORS)
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
    times >"$logs/processors" # not in a subshell, which has no children yet
    spent=$(scripts/processors.sh <"$logs/processors")
    [ -z "${stage:-}" ] || printf '%-22s %5d s %6d s of processors\n' "$stage" $((now - stage_began)) $((spent - stage_spent)) >>"$times"
    stage=$1 stage_began=$now stage_spent=$spent
    [ -z "$1" ] || printf '\n==== %s (after %d s)\n' "$1: $2" $((now - began))
}

# What goes on behind ends with the first that fails: shows what that said.
look_behind() {
    for ended in "$logs"/*.status; do
        [ -f "$ended" ] || continue
        read -r status seconds spent <"$ended"
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
    read -r status seconds spent <"$logs/$1.status"
    printf '%-22s %5d s %6d s of processors, behind the others\n' "$1" "$seconds" "$spent" >>"$times"
}

run_tests() { # PRESET [CTEST ARGUMENT…]
    preset=$1
    shift
    ctest --test-dir "build/$preset" --no-tests=error -j "$at_once" --output-log "$logs/ctest-$preset.log" "$@" || {
        show_failed "$logs/ctest-$preset.log"
        return 1
    }
}

# The lines in which tests say what failed, once more: the output of other tests stands between them and the end.
show_failed() { # LOG
    echo "check: lines that tell of failures in $1:"
    grep -E '(FAIL|failed: |unsteady: |FAILED|AssertionError|^[0-9]+: E  |Sanitizer|runtime error)' "$1" | tail -n 40
}

stage "format" "the sources are laid out as .clang-format says"
scripts/sources.sh | xargs -n 32 -P "$jobs" clang-format --dry-run -Werror

stage "build" "gcc -O3, with the studio"
scripts/nats-server.sh >/dev/null || echo "check: the tests of weftd --store are skipped"
scripts/build.sh release check

$apart nice -n 19 scripts/check-behind.sh "$logs" </dev/null &
behind=$!

stage "release" "all tests"
run_tests release --verbose

# Which tests a stage runs they say themselves, by their labels (tests/labels.cmake).
stage "asan" "addresses, leaks, undefined behaviour"
await build-asan
ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_tests asan --output-on-failure --label-regex '^bytes$'

stage "tsan" "data races"
await build-tsan
scripts/test-tsan.sh -j "$at_once" --output-log "$logs/ctest-tsan.log" --label-regex '^threads$'

# At least one build of each compiler; clang -O0, and tests that take minutes at gcc's, are part of soak.
for preset in debug clang-release; do
    stage "hashes-$preset" "the same state hashes"
    await "build-$preset"
    scripts/test-hashes.sh "$preset" run --output-log "$logs/ctest-$preset.log"
done

if [ -x scripts/test-aarch64.sh ]; then
    stage "aarch64" "the same state hashes from the solver on AArch64, where it changed"
    scripts/test-aarch64.sh
fi

stage "demo" "a world to look at"
DEMO_SECONDS=3 scripts/demo.sh </dev/null

stage "behind" "what went on behind the others"
for name in types tidy; do
    await "$name"
    tail -n 3 "$logs/$name.log"
done
stage ""
wait "$behind" # after the last stage, whose processors' time it is not
behind=""
echo
# What ctest said last of each build, once more: above it stands what each test said.
for preset in release asan tsan debug clang-release; do
    sed -n "s/^\\([0-9]*% tests passed.*\\)/$preset: \\1/p" "$logs/ctest-$preset.log"
    sed -n '/^The following tests did not run:/,$p' "$logs/ctest-$preset.log"
done
cat "$times"
printf 'all checks passed in %d s\n' $(($(date +%s) - began))
