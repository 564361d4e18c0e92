#!/bin/sh
# Everything that must hold for a commit, in stages; how long each took is told at the end.
#
#     format      the sources are laid out as .clang-format says
#     release     gcc -O3: unit, wire, floors, end to end, failing calls to the system, golden hashes, the studio
#     asan        the same tests under AddressSanitizer and UndefinedBehaviorSanitizer
#     tsan        the threaded parts and end to end under ThreadSanitizer
#     hashes      gcc -O0 and clang -O3 come to the same state hashes
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

# What measures how long somebody waits fails where the machine stops for seconds. Of what meets over sockets three tests may
# be run once more, alone; what is broken fails again. Those that passed only then are named at the end. What looks for lost
# edits is not among them: losing one of twenty is no better than losing all.
again() { # PRESET
    failed=$(sed 's/^[0-9]*://' "build/$1/Testing/Temporary/LastTestsFailed.log")
    if [ "$(echo "$failed" | wc -l)" -gt 3 ] || echo "$failed" | grep -qE '^e2e\.(kill|disk|cluster_faults)$' ||
        echo "$failed" | grep -qvE '^(e2e|web)\.'; then
        return 1
    fi
    printf '\n==== once more, alone: %s\n' "$(echo "$failed" | tr '\n' ' ')"
    ctest --test-dir "build/$1" --no-tests=error --output-on-failure --rerun-failed || return 1
    echo "$failed" | sed 's/^/passed only when run once more: /' >>"$logs/again"
}

these() { # NAME…: what matches each of them, whole
    echo "^($(echo "$*" | tr ' ' '|'))\$"
}

stage "format" "the sources are laid out as .clang-format says"
scripts/sources.sh | xargs clang-format --dry-run -Werror

stage "build" "gcc -O3, with the studio"
scripts/nats-server.sh >/dev/null || echo "check: the tests of weftd --store are skipped"
scripts/build.sh release tests

$apart nice -n 19 scripts/check-behind.sh "$logs" </dev/null &
behind=$!

stage "release" "all tests"
run_tests release --verbose || again release

# Left out, for it touches no memory that what stays does not: long runs of physics and of a world's past; what compares bits of
# one way of computing with another's; e2e that asks
# the server for what other e2e asks it for, by way of the shell or over TLS; Python. Heavy messages and crowds take
# minutes here (soak).
stage "asan" "addresses, leaks, undefined behaviour"
await build-asan
ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_tests asan --output-on-failure --label-regex 'unit|wire|fuzz|e2e' --exclude-regex "$(these \
        unit.sim.energy unit.sim.rest unit.sim.still unit.sim.collide unit.sim.field unit.sim.meet_rest unit.sim.meet_fall \
        unit.sim.meet_moved unit.sim.same unit.sim.meet_same unit.sim.contact_bits unit.past.seek unit.protocol.generate \
        e2e.brokers e2e.cluster e2e.follow e2e.deploy_many e2e.heavy e2e.crowd e2e.document e2e.contact_same e2e.physics e2e.deploy e2e.tls_frames e2e.tls_resume_libweft \
        e2e.cli_bake e2e.cli_record e2e.cli_export e2e.cli_load e2e.cli_load_play e2e.cli_keep e2e.cli_help \
        e2e.cli_history e2e.cli_scenes)"

# What has one thread is left out. Of e2e, what has threads meet: many people, worlds that play, stop and fail, their store,
# their past, both kinds of sockets, TLS.
stage "tsan" "data races"
await build-tsan
scripts/test-tsan.sh -j "$at_once" --label-regex '^(base|net|world|host|clients|store|cluster|e2e)$' --tests-regex "$(these 'unit.*' \
    e2e.way_round e2e.records e2e.past e2e.batch e2e.undo e2e.together e2e.streams e2e.resume e2e.bad_line e2e.bad_input \
    e2e.limits e2e.floods e2e.blow_up e2e.sharing e2e.time e2e.lifecycle e2e.access e2e.access_limits e2e.examples e2e.web e2e.slowed \
    e2e.tls_frames e2e.disk e2e.kill e2e.web_hostile e2e.lossless e2e.loops_bad_input e2e.cli_top e2e.cli_watch)" \
    --exclude-regex "$(these unit.net.ws_wire unit.store.flips unit.store.power \
        unit.world.lines unit.world.inverses unit.world.gallery unit.world.records)"

# Of each compiler one build at least; clang -O0, and what takes minutes at gcc's, is in soak.
for preset in debug clang-release; do
    stage "hashes-$preset" "the same state hashes"
    await "build-$preset"
    scripts/test-hashes.sh "$preset"
done

stage "demo" "a world to look at"
DEMO_SECONDS=3 scripts/demo.sh </dev/null

stage "behind" "what went on behind the others"
for name in types tidy; do
    await "$name"
    tail -n 3 "$logs/$name.log"
done
wait "$behind"
behind=""

stage ""
echo
cat "$times"
[ ! -f "$logs/again" ] || cat "$logs/again"
printf 'all checks passed in %d s\n' $(($(date +%s) - began))
