#!/bin/sh
# Removes the files that the last installation from a build put somewhere: scripts/uninstall.sh BUILD
#
# CMake lists them in BUILD/install_manifest.txt. A configuration that somebody changed stays, and so does everything that weftd
# wrote: its folder of worlds, tokens and logs. DESTDIR in the environment stands in front of each path, as it did when installing.
set -eu
build=$1
manifest=$build/install_manifest.txt
shipped=$(dirname "$0")/packaging/weftd.conf
if [ ! -f "$manifest" ]; then
    echo "uninstall: $manifest is missing, which lists what was installed; \"make install PREFIX=...\" writes it" >&2
    exit 1
fi

root=${DESTDIR:-}
removed=0
# The last line of the manifest has no end.
while IFS= read -r name || [ -n "$name" ]; do
    path=$root$name
    [ -e "$path" ] || [ -L "$path" ] || continue
    case "$name" in
    */weft/weftd.conf)
        if ! cmp -s "$path" "$shipped"; then
            echo "uninstall: $path was changed, and stays"
            continue
        fi
        ;;
    esac
    rm -f "$path"
    removed=$((removed + 1))
done <"$manifest"

# Folders of weft's own, the inner ones first; others may belong to somebody else.
while IFS= read -r name || [ -n "$name" ]; do
    folder=$(dirname "$name")
    while :; do
        case "$folder" in
        */weft | */weft/* | */weft-sim | */weft-sim/*) echo "$folder" ;;
        *) break ;;
        esac
        folder=$(dirname "$folder")
    done
done <"$manifest" | sort -ru | while IFS= read -r folder; do
    rmdir "$root$folder" 2>/dev/null || true
done
echo "uninstall: $removed files removed"
