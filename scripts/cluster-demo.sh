#!/bin/sh
# Three brokers and two servers on this machine, and one world that is seen through both. Enter kills the server that runs it
# (SIGKILL), says when the other has gone on with it, and starts the one that died again; so it can be pressed as often as one
# likes. Without a terminal it is killed once. Ends on Ctrl-C, or after DEMO_SECONDS; then all that was started here is stopped.
set -eu
cd "$(dirname "$0")/.."
bin=build/release/bin
scene=flag
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-cluster.XXXXXX")
brokers="" a="" b="" timer=""

end_of() { # SIGNAL [PID]...: sends it, and sees them end
    signal=$1
    shift
    [ $# -gt 0 ] || return 0
    kill "-$signal" "$@" 2>/dev/null || true
    for one in "$@"; do
        wait "$one" 2>/dev/null || true
    done
}

finish() {
    trap '' INT TERM HUP
    # shellcheck disable=SC2086 # words of their own
    end_of TERM $timer
    # shellcheck disable=SC2086
    end_of TERM $a $b
    # shellcheck disable=SC2086
    end_of KILL $brokers
    rm -rf "$dir"
}

fail() {
    echo "cluster-demo: $1" >&2
    tail -n 20 "$dir"/*.log >&2 2>/dev/null || true
    finish
    exit 1
}

trap 'finish; exit 0' INT TERM HUP

# A session of their own keeps the terminal's Ctrl-C from them, so that they end in order.
apart=""
if command -v setsid >/dev/null 2>&1; then
    apart=setsid
fi

program=$(scripts/nats-server.sh) || fail "there is no nats-server 2.15 or later; NATS_SERVER=PROGRAM names one"
ports=$(python3 - <<'PORTS'
import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(10)]
print(*(each.getsockname()[1] for each in held))
PORTS
) || fail "no ports are free"
# shellcheck disable=SC2086
set -- $ports
clients="$1 $2 $3"
routes="\"nats://127.0.0.1:$4\", \"nats://127.0.0.1:$5\", \"nats://127.0.0.1:$6\""
store="nats://127.0.0.1:$1,127.0.0.1:$2,127.0.0.1:$3"
check="nats://sys:demo@127.0.0.1:$1,127.0.0.1:$2,127.0.0.1:$3"
links="$4 $5 $6"
a_at="127.0.0.1:$7" a_web="127.0.0.1:$8" b_at="127.0.0.1:$9"
shift 9
b_web="127.0.0.1:$1"

number=0
for port in $clients; do
    number=$((number + 1))
    link=$(echo "$links" | cut -d' ' -f$number)
    cat >"$dir/broker$number.conf" <<CONF
server_name: broker$number
listen: "127.0.0.1:$port"
jetstream { store_dir: "$dir/broker$number", sync_interval: always }
accounts { \$SYS { users: [ { user: sys, password: demo } ] } }
cluster { name: weft, listen: "127.0.0.1:$link", routes: [ $routes ] }
CONF
    $apart "$program" -c "$dir/broker$number.conf" </dev/null >"$dir/broker$number.log" 2>&1 &
    brokers="$brokers $!"
done

start() { # NAME RPC WEB
    $apart "$bin/weftd" --data "$dir/$1" --store "$store" --store-check "$check" --server-name "$1" \
        --listen "$2" --http "$3" </dev/null >>"$dir/$1.log" 2>&1 &
    started=$!
}

# Brokers that have just been started elect a leader first, and a server that finds none ends.
start_and_wait() { # NAME RPC WEB
    tries=0
    start "$@"
    until "$bin/weft" --server "$2" list >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -le 150 ] || fail "server $1 did not start"
        kill -0 "$started" 2>/dev/null || start "$@"
        sleep 0.2
    done
}

echo "three brokers and two servers are started"
start_and_wait a "$a_at" "$a_web"
a=$started
start_and_wait b "$b_at" "$b_web"
b=$started
"$bin/weft" --server "$a_at" open "$scene" --play >"$dir/open.log" 2>&1 || fail "the scene could not be opened"

now() { # its seconds since 1970, as tenths
    date +%s%N | cut -c1-11
}

runs_it() { # RPC: whether the server there runs the world itself, and it goes on
    "$bin/weft" --server "$1" call world.list '{}' 2>/dev/null | python3 -c '
import json, sys
worlds = json.load(sys.stdin)["worlds"]
sys.exit(0 if any(w["name"] == sys.argv[1] and not w.get("server") and w["state"] == "playing" for w in worlds) else 1)
' "$scene" 2>/dev/null
}

# Kills the owner, waits for the other, and starts the one that died again.
kill_owner() {
    if runs_it "$a_at"; then
        owner=a owner_pid=$a at=$a_at web=$a_web other=b other_at=$b_at
    elif runs_it "$b_at"; then
        owner=b owner_pid=$b at=$b_at web=$b_web other=a other_at=$a_at
    else
        fail "no server runs \"$scene\""
    fi
    began=$(now)
    end_of KILL "$owner_pid"
    echo "server $owner is killed (SIGKILL)"
    until runs_it "$other_at"; do
        [ $(($(now) - began)) -lt 300 ] || fail "server $other did not go on with \"$scene\""
        sleep 0.1
    done
    took=$(($(now) - began))
    echo "server $other goes on with \"$scene\" after $((took / 10)).$((took % 10)) s"
    start_and_wait "$owner" "$at" "$web"
    if [ "$owner" = a ]; then
        a=$started
    else
        b=$started
    fi
    echo "server $owner is there again"
}

if [ -n "${DEMO_SECONDS:-}" ]; then
    (sleep "$DEMO_SECONDS" && kill -TERM $$ 2>/dev/null) &
    timer=$!
fi
echo
echo "  one world through a     http://$a_web/#world=$scene"
echo "  and through b           http://$b_web/#world=$scene"
echo "  in a terminal           $bin/weft --server $b_at top --cluster"
if [ ! -t 0 ]; then
    echo
    kill_owner
    [ -n "$timer" ] && wait "$timer"
    finish
    exit 0
fi
while :; do
    echo "  to kill its owner       press Enter"
    echo "  to end it               press Ctrl-C"
    echo
    read -r answer || break
    kill_owner
done
finish
