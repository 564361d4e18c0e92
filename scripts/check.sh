#!/bin/sh
# Everything that must hold for a commit, in stages that say how long they took.
#
#     format      the sources are laid out as .clang-format says
#     types       the studio and its library are sound to TypeScript, the Python package to mypy
#     release     gcc -O3: unit, wire, floors, end to end, the golden state hashes, the studio and its library
#     tidy        static analysis finds nothing
#     asan        the same tests under AddressSanitizer and UndefinedBehaviorSanitizer
#     tsan        the threaded parts and end to end under ThreadSanitizer
#     hashes      gcc -O0, clang -O0 and clang -O3 come to the same state hashes
#     demo        make demo shows a world, ends in time and leaves nothing behind
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
began=$(date +%s)

stage() {
    printf '\n==== %s (after %d s)\n' "$1" $(($(date +%s) - began))
}

run_tests() { # PRESET [CTEST ARGUMENT…]
    preset=$1
    shift
    ctest --test-dir "build/$preset" --no-tests=error -j "$jobs" "$@"
}

stage "format"
scripts/sources.sh | xargs clang-format --dry-run -Werror
echo "$(scripts/sources.sh | wc -l) files laid out as .clang-format says"

stage "types"
scripts/web.sh types
echo "TypeScript finds nothing in $(find clients/web/src clients/web/tests -name '*.ts' -o -name '*.tsx' | wc -l) files"

(cd clients/python && mypy src examples)

stage "release: gcc -O3, all tests"
scripts/build.sh release tests
run_tests release --verbose

stage "tidy: static analysis"
scripts/tidy.sh build/release

# Long runs of physics (energy, rest) touch no memory that shorter ones do not.
stage "asan: addresses, leaks, undefined behaviour"
scripts/build.sh asan tests
ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_tests asan --output-on-failure --label-regex 'unit|wire|fuzz|e2e' --exclude-regex '^unit\.sim\.(energy|rest)$'

# Left out: what has one thread, or only asks servers for what other tests ask them for.
stage "tsan: data races"
scripts/build.sh tsan tests
# ThreadSanitizer cannot map its shadow where addresses are randomised too widely.
randomize=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)
if [ "$randomize" -gt 28 ] && setarch "$(uname -m)" -R true 2>/dev/null; then
    aslr_off="setarch $(uname -m) -R"
else
    aslr_off=""
fi
TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 $aslr_off \
    ctest --test-dir build/tsan --no-tests=error -j "$jobs" --output-on-failure \
    --label-regex '^(base|net|world|host|clients|e2e)$' \
    --exclude-regex '^(unit\.net\.ws_wire|e2e\.(cli_record|cli_load|cli_scenes|cli_help|physics|mesh))$'

for preset in debug clang-debug clang-release; do
    stage "hashes: $preset"
    scripts/build.sh "$preset" tests 'weftd|test_sim_[a-z0-9_]+'
    run_tests "$preset" --output-on-failure \
        --tests-regex '^(golden\.|e2e\.golden|unit\.sim\.(same|wide|wide_contact|contact_bits|read|image)$)'
done

stage "demo"
DEMO_SECONDS=3 scripts/demo.sh </dev/null

printf '\nall checks passed in %d s\n' $(($(date +%s) - began))
