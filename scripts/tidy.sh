#!/bin/sh
# Static analysis of what is built in BUILD: scripts/tidy.sh BUILD [NODES]. Fails on the first finding (.clang-tidy).
# NODES: how far the analyzer follows the paths of a function before it leaves it; 225000 unless told. 25000 take
# half the time of a third of that, 8000 six tenths of the time of 25000.
# Tests are left out: their macros set off what their code does not. What is compiled for several instruction sets is
# looked at once, for the last of them.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1/tidy"
python3 - "$1" <<'P'
import json, sys
commands = json.load(open(f"{sys.argv[1]}/compile_commands.json"))
once = {command["file"]: command for command in commands}
json.dump(list(once.values()), open(f"{sys.argv[1]}/tidy/compile_commands.json", "w"))
P
log=$1/tidy/log
far=""
for word in ${2:+-Xclang -analyzer-config -Xclang max-nodes=$2}; do
    far="$far -extra-arg=$word"
done
if ! run-clang-tidy -quiet $far -p "$1/tidy" -j "${JOBS:-2}" "^$(pwd -P)/(protocol|server|clients)/" >"$log" 2>&1; then
    sed 's/\x1b\[[0-9;]*m//g' "$log" | grep -E '(warning|error):' | sort -u >&2
    exit 1
fi
echo "clang-tidy finds nothing in $(grep -c '^clang-tidy' "$log") files"
