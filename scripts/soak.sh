#!/bin/sh
# What takes too long for a check. Each call of the server to the system fails in a run of its own; all tests under
# both sanitizers; new inputs for each fuzz target; the state hashes of gcc and clang -O0; static analysis to its end; the
# Debian packages are built and tried; ten thousand random programs are replayed from their records, also in
# WebAssembly, and taken back edit by edit; larger scenes of what meets, and those of papers about contact, are
# counted exactly; the power is cut under the store 20,000 times, 100,000 of its bits are flipped, and each of its
# calls to the disk fails; brokers and servers on them are killed 200 times each; servers that share a world are killed, put to sleep or asked to give it away 300 times; three
# brokers and three servers in namespaces go through 500 rounds of what breaks; people edit over a thousand schedules of lines that break, and five thousand programs of
# theirs come to what a model says. Then it looks for a build, an instruction set or a number of threads that comes to
# other bits: all combinations of the scenes, then random edits from new seeds for SOAK_SECONDS. Ends with status 1
# and the seed on any difference.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh release tests
WEFT_HASHES=all ctest --test-dir build/release --no-tests=error --output-on-failure --tests-regex '^e2e\.cli_scenes$' --timeout 3600
WEFT_FAULTS_EACH=1 ctest --test-dir build/release --no-tests=error --output-on-failure --label-regex faults --timeout 3600
scripts/build.sh tsan tests
scripts/test-tsan.sh --label-regex '^(base|net|world|host|clients|store|cluster|e2e)$' --timeout 3600
scripts/build.sh asan tests
ctest --test-dir build/asan --no-tests=error --output-on-failure --label-regex 'unit|wire|fuzz|e2e' --timeout 3600
build/asan/bin/test_store_flips 3000
scripts/build.sh fuzz tests 'fuzz_[a-z]+'
scripts/fuzz.sh build/fuzz
for preset in debug clang-debug; do
    WEFT_HASHES=all scripts/test-hashes.sh "$preset" build
    WEFT_HASHES=all scripts/test-hashes.sh "$preset"
done
scripts/tidy.sh build/release
WEFTD=build/release/bin/weftd "${WEFT_PYTHON:-python3}" tests/e2e/test_debian.py
WEFT_PROGRAMS=10000 build/release/bin/test_world_records
WEFT_PROGRAMS=10000 build/release/bin/test_world_inverses
WEFT_PROGRAMS=10000 build/release/bin/test_world_crowd
WEFT_PROGRAMS=10000 ctest --test-dir build/release --no-tests=error --output-on-failure -R '^web.(lib|firefox)$' --timeout 3600
WEFT_PROGRAMS=10000 build/release/bin/test_clients_twin_twin
build/release/bin/test_store_power 20000
build/release/bin/test_store_flips 100000
build/release/bin/test_store_trouble 1
WEFT_SCENES=large build/release/bin/test_sim_meet_moved
WEFT_SCENES=large build/release/bin/test_sim_meet_fall
WEFTD=build/release/bin/weftd "${WEFT_PYTHON:-python3}" tests/soak/scenes.py
WEFTD=build/release/bin/weftd WEFT=build/release/bin/weft "${WEFT_PYTHON:-python3}" tests/e2e/test_kill.py --rounds "${SOAK_DEATHS:-5000}"
WEFT_NATS_SERVER=$(scripts/nats-server.sh)
export WEFT_NATS_SERVER
DEMO_SECONDS=1 scripts/cluster-demo.sh </dev/null
WEFT_ROUNDS=200 build/release/bin/test_store_nats
WEFT_BROKERS=3 build/release/bin/test_cluster_nats
WEFTD=build/release/bin/weftd WEFT=build/release/bin/weft "${WEFT_PYTHON:-python3}" tests/e2e/test_brokers.py --rounds 200
WEFTD=build/release/bin/weftd WEFT=build/release/bin/weft "${WEFT_PYTHON:-python3}" tests/e2e/test_cluster.py --rounds 300
# 77: not as root. The rest goes on without.
WEFTD=build/release/bin/weftd WEFT_WALL_CLOCK_LIBRARY=$PWD/build/release/tests/soak/libweft_wall_clock.so \
    "${WEFT_PYTHON:-python3}" tests/soak/cluster.py --clusters 2 --rounds "${SOAK_SCHEDULE:-500}" --seed "$(date +%s)" || [ $? -eq 77 ]
WEFT_ROUNDS=50 WEFTD=build/release/bin/weftd WEFT_BUILD=build/release "${WEFT_PYTHON:-python3}" tests/e2e/test_follow.py OverServers
WEFT_SEEDS=1000 WEFTD=build/release/bin/weftd "${WEFT_PYTHON:-python3}" tests/e2e/test_bad_line.py
WEFT_SEEDS=5000 WEFTD=build/release/bin/weftd WEFT=build/release/bin/weft "${WEFT_PYTHON:-python3}" tests/e2e/test_together.py
exec "${WEFT_PYTHON:-python3}" tests/determinism/matrix.py --soak "${SOAK_SECONDS:-600}"
