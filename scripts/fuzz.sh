#!/bin/sh
# Runs each fuzz target from its corpus on for FUZZ_SECONDS: scripts/fuzz.sh BUILD. New inputs stay in BUILD.
set -eu
cd "$(dirname "$0")/.."
found=0
for target in "$1"/bin/fuzz_*; do
    [ -x "$target" ] || continue
    found=1
    name=$(basename "$target")
    name=${name#fuzz_}
    mkdir -p "$1/corpus/$name"
    echo "==== $name"
    "$target" -max_total_time="${FUZZ_SECONDS:-30}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$1/" "$1/corpus/$name" "tests/fuzz/corpus/$name" 2>"$1/$name.log" ||
        { tail -60 "$1/$name.log" >&2; exit 1; }
    grep -E 'stat::number_of_executed_units|cov:' "$1/$name.log" | tail -2
done
[ "$found" = 1 ] || { echo "no fuzz targets in $1/bin" >&2; exit 1; }
