#!/bin/sh
# Prints the browser that the tests of the studio drive: $CHROMIUM, or a Chromium or Chrome of PATH. One from a snap is
# none: it is kept from /tmp and from hidden folders, where tests put its profile and what it is to open.
#
#     scripts/find-browser.sh firefox     the same for $FIREFOX or a Firefox, without which one test is skipped
set -eu

case "${1:-chromium}" in
firefox) wanted=${FIREFOX:-firefox-esr firefox} ;;
*) wanted=${CHROMIUM:-chromium chromium-browser google-chrome google-chrome-stable} ;;
esac

is_snap() { # PATH: in a snap's folder, run by snap itself, or a script that starts one
    real=$(readlink -f "$1" 2>/dev/null || echo "$1")
    case "$1:$real" in */snap/* | *:*/snap) return 0 ;; esac
    head -c 4096 "$real" | LC_ALL=C grep -aq '^#!' && head -c 4096 "$real" | LC_ALL=C grep -aq /snap/bin/
}

snap=""
for name in $wanted; do
    path=$(command -v "$name" 2>/dev/null) || continue
    if is_snap "$path"; then
        snap=$path
    else
        echo "$path"
        exit 0
    fi
done
if [ "${1:-}" = firefox ]; then
    echo "There is no Firefox here that tests can drive${snap:+: $snap comes from a snap}; FIREFOX=/path/to/it names one." >&2
    exit 1
fi
if [ -n "$snap" ]; then
    echo "$snap comes from a snap, which sees neither /tmp nor hidden folders: the tests of the studio cannot drive it." >&2
elif [ -n "${CHROMIUM:-}" ]; then
    echo "CHROMIUM names \"$CHROMIUM\", which is no program." >&2
fi
if grep -qs '^ID=ubuntu' /etc/os-release; then
    echo "Ubuntu has Chromium as a snap only; Google's own package of Chrome will do." >&2
fi
echo "The tests of the studio need Chromium or Chrome, not from a snap; CHROMIUM=/path/to/it names one." >&2
exit 1
