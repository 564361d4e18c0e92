#!/bin/sh
# Runs the tests of a coverage build and prints the share of lines that ran, by file: scripts/coverage.sh BUILD
set -eu
cd "$(dirname "$0")/.."
root=$PWD
find "$1" -name '*.gcda' -exec rm {} +
ctest --test-dir "$1" --no-tests=error -j "${JOBS:-2}" --output-on-failure --label-regex 'unit|wire|fuzz|e2e' >"$1/ctest.log" ||
    { tail -40 "$1/ctest.log" >&2; exit 1; }
mkdir -p "$1/gcov"
cd "$1/gcov"
find .. -name '*.gcda' | xargs gcov --no-output --relative-only --source-prefix "$root" 2>/dev/null |
    awk -v root="$root/" '
        /^File / { file = $2; gsub("\x27", "", file); sub(root, "", file) }
        /^Lines executed:/ && file ~ /^(protocol|server|clients)\// && file !~ /generated/ {
            split($2, part, /[:%]/); split($0, of, " of ")
            if (of[2] > lines[file]) lines[file] = of[2]
            if (part[2] > best[file]) best[file] = part[2]
            file = ""
        }
        END {
            for (file in lines) { printf "%6.1f %%  %5d  %s\n", best[file], lines[file], file | "sort -n"
                                  all += lines[file]; ran += best[file] * lines[file] / 100 }
            close("sort -n"); printf "%6.1f %%  %5d  all\n", 100 * ran / all, all
        }'
