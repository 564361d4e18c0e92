#!/bin/sh
# Sees to it that the packages of the named groups of packages.txt are there.
#
#     scripts/install-packages.sh build          what make demo needs
#     scripts/install-packages.sh build check    what make check needs
#
# On Debian and its kin it asks dpkg, and installs with apt-get what is missing (as root, or with sudo).
# Elsewhere it looks for the programs and pkg-config names, says what is missing, and fails.
set -eu

here=$(dirname "$0")
groups=" ${*:-build check} "

# Lines "package probe" of the wanted groups.
wanted() {
    grep -v '^ *#' "$here/packages.txt" | while IFS='|' read -r package group probe reason; do
        package=$(echo $package) group=$(echo $group) probe=$(echo $probe)
        case "$groups" in *" $group "*) echo "$package $probe" ;; esac
    done
}

# "any:PROGRAM": whoever brought it.
has_program() {
    case "$1" in
    any:*) command -v "${1#any:}" >/dev/null 2>&1 ;;
    *) false ;;
    esac
}

if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    missing=$(wanted | while read -r package probe; do
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || has_program "$probe" || echo "$package"
    done)
    [ -n "$missing" ] || exit 0
    missing=$(echo $missing)
    if [ "$(id -u)" = 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1; then
        as_root="sudo"
    else
        echo "weft needs packages that are missing; as root, run: apt-get install $missing" >&2
        exit 1
    fi
    echo "installing: $missing"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get -qq update </dev/null
    if [ -n "$as_root" ]; then
        sudo DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $missing </dev/null
    else
        apt-get -qq -y --no-install-recommends install $missing </dev/null
    fi
    exit 0
fi

# A python3 that has the module may be another than the first in PATH.
has_module() {
    for python in /usr/bin/python3 python3; do
        "$python" -c "import $1" >/dev/null 2>&1 && return 0
    done
    return 1
}

present() {
    name=${1#*:}
    case "$1" in
    bin:* | any:*) command -v "$name" >/dev/null 2>&1 ;;
    pc:*) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$name" ;;
    py:*) has_module "$name" ;;
    h:*) echo "#include <$name>" | cc -E - >/dev/null 2>&1 ;;
    esac
}

missing=$(wanted | while read -r package probe; do
    present "$probe" || echo "$package $probe"
done)
[ -n "$missing" ] || exit 0
{
    echo "weft needs what is missing here; install it with this system's package manager:"
    echo "$missing" | while read -r package probe; do
        case "$probe" in
        bin:* | any:*) what="program ${probe#*:}" ;;
        pc:*) what="pkg-config name ${probe#pc:}" ;;
        py:*) what="Python module ${probe#py:}" ;;
        h:*) what="header ${probe#h:}, found by cc" ;;
        esac
        printf '    %-18s (looked for: %s)\n' "$package" "$what"
    done
} >&2
exit 1
