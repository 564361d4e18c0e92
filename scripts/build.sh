#!/bin/sh
# Configures and builds one preset.
#
#     scripts/build.sh PRESET                     the programs, libraries and the studio
#     scripts/build.sh PRESET programs NAME...    these programs alone
#     scripts/build.sh PRESET tests [LABELS]      the tests as well, and warnings are errors. LABELS is a regular expression: only
#                                                 the programs of tests with such a label are built
#     scripts/build.sh PRESET check               the tests and the benchmarks
#     scripts/build.sh PRESET demo                only the programs that make demo starts, and the studio
#
# A build folder that was configured with tests keeps them. STUDIO=OFF in the environment leaves the studio out.
set -eu
cd "$(dirname "$0")/.."
preset=$1
tests=${2:-}
labels="" programs="" asked=$tests
case "$tests" in
programs) shift 2 && programs=$* ;;
tests) labels=${3:-} ;;
esac
log=build/$preset/configure.log
mkdir -p "build/$preset"

# A folder that has all instruction sets and WebAssembly keeps them for the demo as well.
if [ "$tests" = demo ] && ! grep -q '^WEFT_ISAS:STRING=all' "build/$preset/CMakeCache.txt" 2>/dev/null; then
    set -- -DWEFT_TESTS=OFF -DWEFT_ISAS=native -DWEFT_WASM_MODULES=OFF
elif [ "$tests" = demo ]; then
    set --
elif [ "$tests" = check ]; then
    tests=tests
    set -- -DWEFT_TESTS=ON -DWEFT_WERROR=ON -DWEFT_BENCH=ON -DWEFT_ISAS=all -DWEFT_WASM_MODULES=ON
elif [ "$tests" = tests ]; then
    set -- -DWEFT_TESTS=ON -DWEFT_WERROR=ON -DWEFT_ISAS=all -DWEFT_WASM_MODULES=ON
elif [ -f "build/$preset/CMakeCache.txt" ]; then
    set -- -DWEFT_ISAS=all -DWEFT_WASM_MODULES=ON
else
    set -- -DWEFT_TESTS=OFF -DWEFT_ISAS=all -DWEFT_WASM_MODULES=ON
fi
# No test under ThreadSanitizer chooses an instruction set, so the build has only those that run.
[ "$preset" != tsan ] || set -- "$@" -DWEFT_ISAS=native
case "${STUDIO:-}" in
'' | ON) ;; # which presets have one is theirs to say
OFF) set -- "$@" -DWEFT_STUDIO=OFF ;;
*)
    echo "build: STUDIO is ON or OFF, not \"$STUDIO\"" >&2
    exit 2
    ;;
esac

# The studio comes last in the order of the build, and npm mostly waits for its registry: meanwhile compilers have the processors. The
# build waits for it by the lock of web.sh, and tells what went wrong if it did.
early=""
case "$asked" in
demo | check) early=${STUDIO:-ON} ;;
esac
if [ "$early" = ON ] && command -v npm >/dev/null 2>&1 && command -v flock >/dev/null 2>&1; then
    scripts/web.sh packages >/dev/null 2>&1 &
    packages=$!
    trap 'kill "$packages" 2>/dev/null || true' EXIT
    trap 'exit 130' INT TERM HUP
fi

configure() {
    cmake --preset "$preset" "$@" >"$log" 2>&1
}

if ! configure "$@"; then
    # Who asks for the programs is not to be kept from them by a wish for tests that an earlier call left behind.
    if [ "$tests" != tests ] && grep -q '^WEFT_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt" 2>/dev/null; then
        mv "$log" "$log.tests"
        if configure "$@" -DWEFT_TESTS=OFF; then
            echo "build: without the tests that build/$preset was configured with: what they need is missing ($log.tests)"
        else
            cat "$log" >&2
            exit 1
        fi
    else
        cat "$log" >&2
        exit 1
    fi
fi
# What is left out, for there is something missing that it needs.
sed -n 's/^-- no /build: no /p' "$log"
if [ "$tests" = demo ]; then
    studio=$(ninja -C "build/$preset" -t targets all | sed -n 's/^\(studio\): phony$/\1/p')
    cmake --build "build/$preset" -j "${JOBS:-2}" --target weftd weft_cli weft_demo $studio
elif [ -n "$programs" ]; then
    cmake --build "build/$preset" -j "${JOBS:-2}" --target $programs
elif [ -n "$labels" ]; then
    # Tests name what they use: programs, libraries to preload, modules, the studio. What starts a whole server looks for other programs
    # beside it; tests of hashes start the server alone. CMake's files name programs also where they are not there yet; ctest leaves them
    # out then.
    known=$(ninja -C "build/$preset" -t targets all | sed 's/: .*//')
    names=$(ctest --test-dir "build/$preset" -N --label-regex "$labels" | sed -n 's/^ *Test *#[0-9]*: \(.*\)/[=[\1]=]/p')
    named=$(find "build/$preset" -name CTestTestfile.cmake -exec grep -hF "$names" {} + |
        grep -o "build/$preset/[A-Za-z0-9_./-]*" | sed -e "s#^build/$preset/##" -e 's#^weft-sim$#weft_sim_package#' | sort -u)
    case "$labels $named" in
    '^hashes'*) ;;
    *bin/weftd*) named="$named
$(echo "$known" | grep -E '^bin/(weft|example|make_|test_e2e_)')" ;;
    esac
    targets=$(echo "$known" | grep -xF "$named" | sort -u || true)
    # Floors, and tests of installing, name nothing and look at all of it: then everything is built.
    cmake --build "build/$preset" -j "${JOBS:-2}" ${targets:+--target} $targets
else
    cmake --build "build/$preset" -j "${JOBS:-2}"
fi
