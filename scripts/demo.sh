#!/bin/sh
# Starts a server, makes the demo world in it, and says where to see it in a browser; in a terminal, Enter shows
# it there too. Without the studio, or without a terminal, `weft watch` shows it at once. Ends on Ctrl-C, or after
# DEMO_SECONDS; then everything that was started here is stopped again.
set -eu
cd "$(dirname "$0")/.."
bin=build/release/bin
# Worlds are kept from one run to the next; a deleted folder starts over.
data=${DEMO_DATA:-build/demo-worlds}
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

# The usual ports if they are free, else any. The addresses bound are the server's first lines.
start_server() {
    $apart "$bin/weftd" --data "$data" --listen "$1" --http "$2" </dev/null 2>"$dir/server.log" &
    server=$!
    tries=0
    address="" web=""
    while [ -z "$web" ]; do
        address=$(sed -n 's/^listening rpc //p' "$dir/server.log")
        web=$(sed -n 's/^listening http //p' "$dir/server.log")
        tries=$((tries + 1))
        if [ -z "$web" ]; then
            if ! kill -0 "$server" 2>/dev/null || [ "$tries" -gt 100 ]; then
                stop "$server"
                server=""
                return 1
            fi
            sleep 0.1
        fi
    done
}

start_server 127.0.0.1:9338 127.0.0.1:9339 || start_server 127.0.0.1:0 127.0.0.1:0 || fail "the server did not start"

$apart "$bin/weft_demo" --connect "$address" --mesh tests/scenes/wuson.obj --world demo \
    </dev/null >"$dir/driver.log" 2>&1 &
driver=$!
tries=0
until grep -q '^ready' "$dir/driver.log" 2>/dev/null; do
    tries=$((tries + 1))
    kill -0 "$driver" 2>/dev/null && [ "$tries" -le 100 ] || fail "the demo world could not be made"
    sleep 0.1
done

# Two of the gallery beside it, one of them at rest, unless they are there from before.
open_scene() { # NAME [OPTION]
    "$bin/weft" --server "$address" call world.get "{\"world\": \"$1\"}" >/dev/null 2>&1 ||
        "$bin/weft" --server "$address" open "$@" >>"$dir/driver.log" 2>&1
}
open_scene trampoline --play && open_scene curtain || fail "the gallery could not be opened"

# In the background of this shell, whose wait a signal can interrupt, so that all ends in order; but with the
# terminal's keys.
if [ -t 0 ]; then
    exec 3<&0
else
    exec 3</dev/null
fi
watch() {
    "$bin/weft" --server "$address" watch demo <&3 &
    viewer=$!
    status=0
    wait "$viewer" || status=$?
    viewer=""
    # Ended by a signal is how it is meant to end.
    [ "$status" -eq 0 ] || [ "$status" -gt 128 ] || fail "the viewer failed with status $status"
}

if [ -n "${DEMO_SECONDS:-}" ]; then
    (sleep "$DEMO_SECONDS" && kill -TERM $$ 2>/dev/null) &
    timer=$!
fi
if [ ! -f build/release/studio/index.html ]; then
    watch
elif [ ! -t 0 ] || [ ! -t 1 ]; then
    echo "the studio: http://$web/#world=demo"
    watch
else
    while :; do
        echo
        echo "  in a browser       http://$web/#world=demo"
        echo "  in this terminal   press Enter"
        echo "  to end it          press Ctrl-C"
        read -r answer <&3 || break
        watch
    done
fi
finish
