#!/bin/sh
# Builds Jolt, with whose soft body `weft-bench stiff` compares, and prints where it lies: scripts/jolt.sh. JOLT_DIR in the
# environment names another installation. Debian has no package of it. The crate oxijolt-sys carries the sources of a
# release; cargo brings them into build/ and nowhere else, and nothing of the crate is run. A build of weft-bench that
# is configured afterwards finds it there. The program does without, and says so in its rows.
set -eu
cd "$(dirname "$0")/.."
version=5.6.0
crate=oxijolt-sys
crate_version=1.1.0+jolt-$version
# SHA-256 of the crate's package.
checksum=a3c0dd5f7bb20177655091e4e1c291779d1e4408509f30b4920a82c5e79967db

if [ -n "${JOLT_DIR:-}" ]; then
    echo "$JOLT_DIR"
    exit 0
fi
place=$PWD/build/tools/jolt-$version
if [ -f "$place/lib/cmake/Jolt/JoltConfig.cmake" ]; then
    echo "$place"
    exit 0
fi
for program in cargo cmake c++; do
    command -v "$program" >/dev/null || {
        echo "jolt: needs $program" >&2
        exit 1
    }
done
rm -rf "$place"
mkdir -p "$place/fetch/src"
trap 'rm -rf "$place/fetch" "$place/objects"' EXIT
printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n%s = "=%s"\n' \
    "$crate" "$crate_version" >"$place/fetch/Cargo.toml"
: >"$place/fetch/src/lib.rs"
(cd "$place/fetch" && cargo vendor --quiet vendor >/dev/null) || {
    echo "jolt: the crate $crate $crate_version cannot be had" >&2
    exit 1
}
grep -q "\"package\":\"$checksum\"" "$place/fetch/vendor/$crate/.cargo-checksum.json" || {
    echo "jolt: the crate $crate has another checksum than $checksum" >&2
    exit 1
}
# Options that would make headers differ from the library in a build of another type are off.
cmake -S "$place/fetch/vendor/$crate/vendor/JoltPhysics/Build" -B "$place/objects" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$place" -DCMAKE_INSTALL_LIBDIR=lib \
    -DENABLE_ALL_WARNINGS=OFF -DGENERATE_DEBUG_SYMBOLS=OFF -DINTERPROCEDURAL_OPTIMIZATION=OFF \
    -DFLOATING_POINT_EXCEPTIONS_ENABLED=OFF -DDEBUG_RENDERER_IN_DEBUG_AND_RELEASE=OFF \
    -DPROFILER_IN_DEBUG_AND_RELEASE=OFF -DENABLE_OBJECT_STREAM=OFF \
    -DJPH_USE_DX12=OFF -DJPH_USE_VK=OFF -DJPH_USE_MTL=OFF -DJPH_USE_CPU_COMPUTE=OFF \
    -DTARGET_UNIT_TESTS=OFF -DTARGET_HELLO_WORLD=OFF -DTARGET_PERFORMANCE_TEST=OFF -DTARGET_SAMPLES=OFF \
    -DTARGET_VIEWER=OFF >&2
cmake --build "$place/objects" -j2 >&2
cmake --install "$place/objects" >&2
echo "$place"
