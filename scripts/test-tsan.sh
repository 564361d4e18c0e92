#!/bin/sh
# Tests of the build under ThreadSanitizer: scripts/test-tsan.sh [CTEST ARGUMENT…]
set -eu
cd "$(dirname "$0")/.."
# ThreadSanitizer cannot map its shadow where addresses are randomised too widely.
randomize=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)
if [ "$randomize" -gt 28 ] && setarch "$(uname -m)" -R true 2>/dev/null; then
    aslr_off="setarch $(uname -m) -R"
else
    aslr_off=""
fi
TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 exec $aslr_off \
    ctest --test-dir build/tsan --no-tests=error --output-on-failure "$@"
