#!/bin/sh
# Prints what docs/measurements/README.md records: scripts/bench.sh BUILD
set -eu
cd "$(dirname "$0")/.."
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), Linux $(uname -r)"
echo "compiler: $(cc --version | head -1)"
echo
"$1/bin/weft-bench" solver --json "$1/solver.json"
echo
"$1/bin/weft-bench" stiff --json "$1/stiff.json"
echo
"$1/bin/bench_codec"
echo
"$1/bin/weft-bench" journal --folder "$1" --json "$1/journal.json"
echo
"$1/bin/weft-bench" stream --json "$1/stream.json"
echo
python=$(sed -n 's/^WEFT_PYTHON:[^=]*=//p' "$1/CMakeCache.txt")
WEFTD="$1/bin/weftd" "$python" tests/bench/bench_wire.py
echo
WEFTD="$1/bin/weftd" "$python" tests/bench/bench_web.py
echo
WEFTD="$1/bin/weftd" WEFT="$1/bin/weft" "$python" tests/bench/bench_tls.py
