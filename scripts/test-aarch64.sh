#!/bin/sh
# The solver on AArch64: gcc's cross compiler builds it, and qemu-user runs the tests that come to the same state hashes in every
# build (the label hashes). Among them are, on one thread, the scenes of tests/determinism, which have to come to the hashes of
# x86-64 (tests/golden/sim.txt).
#
#     scripts/test-aarch64.sh          if the solver was changed
#     scripts/test-aarch64.sh all      in any case, with all unit tests of the solver
#
# The solver was changed if its folder, what it stands on or its tests differ from where this branch left origin/main. On
# origin/main itself, or without it, they are compared with the commit before. If neither is known it runs.
# It uses the packages of the group aarch64 (packages.txt) and installs them if it may. The libraries that the tests need come
# from apt as well, but only into build/tools. If any of that is not to be had it says so, and ends with status 0.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
build=build/aarch64
triplet=aarch64-linux-gnu

left_out() { # WHY
    echo "aarch64: not tried: $1"
    exit 0
}

changed() {
    base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse --verify --quiet HEAD) || return 0
    if [ "$base" = "$(git rev-parse HEAD)" ]; then
        base=$(git rev-parse --verify --quiet HEAD~1) || return 0
    fi
    set -- server/sim server/base tests/unit/sim tests/determinism tests/golden/sim.txt tests/aarch64 scripts/test-aarch64.sh
    ! git diff --quiet "$base" -- "$@" || [ -n "$(git ls-files --others --exclude-standard -- "$@")" ]
}

there() {
    command -v $triplet-gcc >/dev/null 2>&1 && command -v qemu-aarch64 >/dev/null 2>&1 && [ -d "/usr/$triplet/lib" ]
}

# The libraries as they are on Debian for arm64, unpacked below build/ and nowhere else: this system's own apt keeps its
# lists and knows no second architecture.
libraries() { # PLACE
    [ ! -f "$1/whole" ] || return 0
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 1
    rm -rf "$1"
    mkdir -p "$1/lists/partial" "$1/archives/partial"
    here=$(pwd)
    set -- "$1" -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State::lists=$here/$1/lists" \
        -o Dir::State::status=/dev/null -o "Dir::Cache=$here/$1" -o Acquire::Languages=none -o APT::Sandbox::User=root
    (
        place=$1
        shift
        apt-get "$@" update || true # a source without arm64 is no harm
        cd "$place" && apt-get "$@" download libcmocka0 libcmocka-dev libxxhash-dev
    ) >"$1/log" 2>&1 || return 1
    for package in "$1"/*.deb; do
        dpkg-deb -x "$package" "$1" || return 1
    done
    rm -rf "$1/lists" "$1/archives" "$1"/*.deb "$1"/*.bin
    : >"$1/whole"
}

if [ "${1:-}" != all ] && ! changed; then
    left_out "the solver is as it was"
fi
if ! there && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    scripts/install-packages.sh aarch64 || true
fi
there || left_out "gcc's cross compiler or qemu-user is not there (Debian: gcc-$triplet, libc6-dev-arm64-cross, qemu-user)"
place=build/tools/aarch64
libraries "$place" || left_out "apt has no libcmocka and libxxhash for arm64 ($place/log)"

mkdir -p "$build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_WERROR=ON -DWEFT_SOLVER_ALONE=ON \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=$triplet-gcc \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64;-L;/usr/$triplet" "-DWEFT_LIBRARIES=$(pwd)/$place/usr" >"$build/configure.log" 2>&1 || {
    cat "$build/configure.log" >&2
    exit 1
}
if [ "${1:-}" = all ]; then
    cmake --build "$build" -j "$jobs"
    exec ctest --test-dir "$build" --no-tests=error -j "$jobs" --output-on-failure --label-regex '^sim$'
fi
# unit.sim.image takes long under qemu, and other tests solve all that it solves. Only the programs that the tests name are built.
left='^unit\.sim\.image$'
programs=$(ctest --test-dir "$build" --show-only=json-v1 --label-regex '^hashes$' --exclude-regex "$left" |
    grep -o "$build/bin/test_sim_[a-z_]*" | sed 's#.*/##' | sort -u)
cmake --build "$build" -j "$jobs" --target $programs
exec ctest --test-dir "$build" --no-tests=error -j "$jobs" --output-on-failure --label-regex '^hashes$' --exclude-regex "$left"
