#!/bin/sh
# Starts a server, makes the demo world in it and shows it. Ends on Ctrl-C, or after DEMO_SECONDS; then
# everything that was started here is stopped again.
set -eu
cd "$(dirname "$0")/.."
bin=build/release/bin
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-demo.XXXXXX")
server="" driver="" viewer="" timer=""

stop() { # PID: asks it to end, and sees it end
    [ -n "$1" ] || return 0
    kill -TERM "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

finish() {
    trap '' INT TERM HUP
    stop "$timer"
    stop "$viewer"
    stop "$driver"
    stop "$server"
    rm -rf "$dir"
}

fail() {
    echo "demo: $1" >&2
    cat "$dir/server.log" "$dir/driver.log" >&2 2>/dev/null || true
    finish
    exit 1
}

trap 'finish; exit 0' INT TERM HUP

# A session of their own keeps the terminal's Ctrl-C from what must outlive the viewer.
apart=""
if command -v setsid >/dev/null 2>&1; then
    apart=setsid
fi

# The usual port if it is free, else any. The address bound is the server's first line.
start_server() {
    $apart "$bin/weftd" --listen "$1" </dev/null 2>"$dir/server.log" &
    server=$!
    tries=0
    address=""
    while [ -z "$address" ]; do
        address=$(sed -n 's/^listening rpc //p' "$dir/server.log")
        tries=$((tries + 1))
        if [ -z "$address" ]; then
            if ! kill -0 "$server" 2>/dev/null || [ "$tries" -gt 100 ]; then
                stop "$server"
                server=""
                return 1
            fi
            sleep 0.1
        fi
    done
}

start_server 127.0.0.1:9338 || start_server 127.0.0.1:0 || fail "the server did not start"

$apart "$bin/weft_demo" --connect "$address" --mesh tests/scenes/wuson.obj --world demo \
    </dev/null >"$dir/driver.log" 2>&1 &
driver=$!
tries=0
until grep -q '^ready' "$dir/driver.log" 2>/dev/null; do
    tries=$((tries + 1))
    kill -0 "$driver" 2>/dev/null && [ "$tries" -le 100 ] || fail "the demo world could not be made"
    sleep 0.1
done

# In the background of this shell, whose wait a signal can interrupt, so that all ends in order; but with the
# terminal's keys.
if [ -t 0 ]; then
    exec 3<&0
else
    exec 3</dev/null
fi
"$bin/weft" --server "$address" watch demo <&3 &
viewer=$!
if [ -n "${DEMO_SECONDS:-}" ]; then
    (sleep "$DEMO_SECONDS" && kill -TERM "$viewer" 2>/dev/null) &
    timer=$!
fi
status=0
wait "$viewer" || status=$?
viewer=""
# Ended by a signal is how it is meant to end.
[ "$status" -eq 0 ] || [ "$status" -gt 128 ] || fail "the viewer failed with status $status"
finish
