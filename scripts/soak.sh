#!/bin/sh
# The long runs, which take hours: new seeds, full sizes, every build and instruction set, AArch64, the Debian packages from nothing,
# 500 rounds of what breaks over brokers, and each end-to-end test 20 times on a busy machine.
#
#     scripts/soak.sh            goes on where it was stopped: a step that passed for this tree is not run again
#     FRESH=1 scripts/soak.sh    starts over
#     scripts/soak.sh --list     names the steps
#     scripts/soak.sh NAME...    runs these steps alone, also if they have passed
#
# Each step logs to build/soak/NAME.log. The report, build/soak/report.txt, has a line for each step of this tree: what became of it and
# how long it took. A step that fails does not keep the others from running; the exit status is 1 then. SOAK_SECONDS bounds the search
# for new seeds (600), SOAK_SCHEDULE the rounds over brokers (500), SOAK_DEATHS the servers that are killed (5000), SOAK_SEEDS the seeds
# of the simulator (100000), SOAK_TIMES the runs of each end-to-end test and each test of pages (20).
set -eu
cd "$(dirname "$0")/.."
python=${WEFT_PYTHON:-python3}
[ ! -x /usr/bin/python3 ] || python=${WEFT_PYTHON:-/usr/bin/python3}
jobs=${JOBS:-2}
bin=build/release/bin
folder=build/soak
report=$folder/report.txt
export WEFTD="$PWD/$bin/weftd" WEFT="$PWD/$bin/weft" WEFT_BUILD="$PWD/build/release"

# A name for each step, in this order; its function is step_NAME.
steps="release simulator scenes faults tsan asan fuzz hashes_debug hashes_clang tidy aarch64 debian programs threads store contact papers
    brokers clusters deaths lines matrix repeat"

tests() { # PRESET [CTEST ARGUMENT…]
    preset=$1
    shift
    ctest --test-dir "build/$preset" --no-tests=error --output-on-failure --timeout 3600 "$@"
}

step_release() {
    scripts/build.sh release tests
}
step_simulator() {
    "$bin/weft-simulator" --seeds "${SOAK_SEEDS:-100000}" --first "$(date +%s)" --jobs "$jobs"
    for scenario in store brokers cluster move alone; do
        "$bin/weft-outside" "$scenario" "$(date +%s)" "$((${SOAK_SEEDS:-100000} / 20))"
    done
}
step_scenes() { # every scene of the gallery to its end
    WEFT_HASHES=all tests release --tests-regex '^e2e\.cli_scenes$'
}
step_faults() { # each call to the system fails in a run of its own
    WEFT_FAULTS_EACH=1 tests release --label-regex faults
}
step_tsan() {
    scripts/build.sh tsan tests
    scripts/test-tsan.sh --label-regex '^(base|net|world|host|clients|store|cluster|e2e)$' --timeout 3600
}
step_asan() {
    scripts/build.sh asan tests
    tests asan --label-regex 'unit|wire|fuzz|e2e'
    build/asan/bin/test_store_flips 3000
    build/asan/bin/weft-simulator --seeds 2000 --first "$(date +%s)" --jobs "$jobs"
}
step_fuzz() {
    scripts/build.sh fuzz tests '^fuzz$'
    scripts/fuzz.sh build/fuzz
}
hashes() { # PRESET
    WEFT_HASHES=all scripts/test-hashes.sh "$1" build
    WEFT_HASHES=all scripts/test-hashes.sh "$1"
}
step_hashes_debug() { hashes debug; }
step_hashes_clang() { hashes clang-debug; }
step_tidy() { scripts/tidy.sh build/release; }
step_aarch64() { scripts/test-aarch64.sh all; }
step_debian() { "$python" tests/e2e/test_debian.py; }
step_programs() { # random programs of edits: replayed from their records, taken back, by many people, in pages, in twins
    for program in world_records world_inverses world_crowd clients_twin_twin; do
        WEFT_PROGRAMS=10000 "$bin/test_$program"
    done
    WEFT_PROGRAMS=10000 tests release -R '^web.(lib|firefox)$'
}
step_threads() { # bursts of work of every size
    WEFT_FULL=1 "$bin/test_base_crew"
}
step_store() { # power cuts, damage, and each call to the disk that fails
    "$bin/test_store_power" 20000
    "$bin/test_store_flips" 100000
    "$bin/test_store_trouble" 1
}
step_contact() {
    WEFT_SCENES=large "$bin/test_sim_meet_moved"
    WEFT_SCENES=large "$bin/test_sim_meet_fall"
    WEFT_SCENES=large "$bin/test_world_gallery"
}
step_papers() { "$python" tests/soak/scenes.py; }
step_brokers() {
    WEFT_NATS_SERVER=$(scripts/nats-server.sh)
    export WEFT_NATS_SERVER
    DEMO_SECONDS=1 scripts/cluster-demo.sh </dev/null
    WEFT_ROUNDS=200 "$bin/test_store_nats"
    WEFT_BROKERS=3 WEFT_TIMES=1 "$bin/test_cluster_nats"
    "$python" tests/e2e/test_brokers.py --rounds 200
    "$python" tests/e2e/test_cluster.py --rounds 300
    WEFT_ROUNDS=50 "$python" tests/e2e/test_follow.py OverServers
}
step_clusters() { # 77: not as root
    WEFT_NATS_SERVER=$(scripts/nats-server.sh)
    export WEFT_NATS_SERVER
    WEFT_WALL_CLOCK_LIBRARY=$PWD/build/release/tests/soak/libweft_wall_clock.so \
        "$python" tests/soak/cluster.py --clusters 2 --rounds "${SOAK_SCHEDULE:-500}" --seed "$(date +%s)"
}
step_deaths() { "$python" tests/e2e/test_kill.py --rounds "${SOAK_DEATHS:-5000}"; }
step_lines() { # connections that break in every place
    WEFT_SEEDS=1000 "$python" tests/e2e/test_bad_line.py
    WEFT_SEEDS=5000 "$python" tests/e2e/test_together.py
}
step_matrix() { # one outcome from every compiler, level, instruction set and number of threads; then new seeds
    "$python" tests/determinism/matrix.py --soak "${SOAK_SECONDS:-600}"
}
step_repeat() { # a test that fails by chance; this step goes on within itself where it was stopped
    "$python" tests/soak/repeat.py build/release --times "${SOAK_TIMES:-20}"
}

case "${1:-}" in
--list)
    echo $steps
    exit 0
    ;;
--run) # one step, in a shell of its own, which ends with the first command that fails
    "step_$2"
    exit 0
    ;;
esac
for name in "$@"; do
    case " $(echo $steps) " in
    *" $name "*) ;;
    *)
        echo "soak: there is no step $name; the steps are: $(echo $steps)" >&2
        exit 2
        ;;
    esac
done

[ -z "${FRESH:-}" ] || rm -rf "$folder"
mkdir -p "$folder"
touch "$report"
# What was tried: a step that passed for another tree says nothing of this one.
tree=$({ git rev-parse HEAD && git diff HEAD; } 2>/dev/null | cksum | tr ' ' -)
apart=""
if command -v setsid >/dev/null 2>&1; then
    apart=setsid
fi
running=""
stop() {
    [ -z "$running" ] || kill -TERM "${apart:+-}$running" 2>/dev/null || true
    echo "soak: stopped; make soak goes on from here"
    exit 130
}
trap stop INT TERM HUP

tell() { # NAME OUTCOME SECONDS: the latest outcome of a step stands in the report
    grep -v "^$1 " "$report" >"$report.part" || true
    printf '%-14s %-8s %6d s  %s\n' "$1" "$2" "$3" "$tree" >>"$report.part"
    mv "$report.part" "$report"
}

failed=""
for name in ${*:-$steps}; do
    if [ $# -eq 0 ] && grep -q "^$name  *\(passed\|skipped\) .*  $tree\$" "$report" && [ "$name" != release ]; then
        echo "==== $name: has passed for this tree"
        continue
    fi
    echo "==== $name ($(date +%H:%M), $folder/$name.log)"
    began=$(date +%s)
    $apart "$0" --run "$name" </dev/null >"$folder/$name.log" 2>&1 &
    running=$!
    status=0
    wait "$running" || status=$?
    running=""
    case $status in
    0) outcome=passed ;;
    77) outcome=skipped ;;
    *)
        outcome=failed failed="$failed $name"
        tail -n 20 "$folder/$name.log"
        ;;
    esac
    tell "$name" "$outcome" $(($(date +%s) - began))
    [ "$name $outcome" != "release failed" ] || break # nothing else can run
done
echo
echo "the report ($report):"
cat "$report"
[ -z "$failed" ] || {
    echo "soak: failed:$failed" >&2
    exit 1
}
