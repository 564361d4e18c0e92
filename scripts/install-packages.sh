#!/bin/sh
# Sees to it that the packages of the named groups of packages.txt are there.
#
#     scripts/install-packages.sh build studio                what make demo needs
#     scripts/install-packages.sh build studio wasm check     what make check needs
#
# It asks dpkg, rpm, pacman or brew, and installs what is missing (apt-get, dnf, pacman as root or with sudo). Where there
# is none of them it looks for the programs, headers and pkg-config names, says what is missing, and fails.
set -eu

here=$(dirname "$0")
groups=" ${*:-build studio wasm check} "

if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    manager=apt column=1
elif command -v dnf >/dev/null 2>&1; then
    manager=dnf column=2
elif command -v pacman >/dev/null 2>&1; then
    manager=pacman column=3
elif command -v brew >/dev/null 2>&1; then
    manager=brew column=4
else
    manager="" column=1
fi

# Lines "names probe" of the wanted groups.
wanted() {
    awk -F '|' -v column="$column" -v groups="$groups" '
        /^ *#/ { next }
        {
            name = $column; group = $5; probe = $6
            gsub(/ /, "", name); gsub(/ /, "", group); gsub(/ /, "", probe)
            if (index(groups, " " group " ") && name != "-") print name, probe
        }' "$here/packages.txt"
}

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
    browser:*) "$here/find-browser.sh" >/dev/null 2>&1 ;;
    pc:*) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$name" ;;
    py:*) has_module "$name" ;;
    h:*) echo "#include <$name>" | cc -E - >/dev/null 2>&1 ;;
    rt:*) echo 'int main(void) { return 0; }' | cc "-fsanitize=$name" -xc - -o /dev/null >/dev/null 2>&1 ;;
    esac
}

installed() { # NAME
    case "$manager" in
    apt) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ] ;;
    dnf) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
    pacman) pacman -T "$1" >/dev/null 2>&1 ;;
    brew) brew list --versions "$1" >/dev/null 2>&1 ;;
    *) return 1 ;;
    esac
}

# Whether what a line names is there: one of its packages, or, where any will do, the thing itself.
satisfied() { # NAMES PROBE
    for one in $(echo "$1" | tr / ' '); do
        [ "$one" != - ] && installed "$one" && return 0
    done
    case "$2" in
    any:* | browser:*) present "$2" ;;
    *) [ -z "$manager" ] && { optional "$1" || present "$2"; } ;;
    esac
}

# Without it the build goes on.
optional() { # NAMES
    case "$1" in
    */-) ;;
    *) return 1 ;;
    esac
}

missing=$(wanted | while read -r names probe; do
    satisfied "$names" "$probe" </dev/null || echo "$names $probe"
done)
[ -n "$missing" ] || exit 0
needed=$(echo "$missing" | while read -r names probe; do
    optional "$names" || echo "$names"
done)

if [ -z "$manager" ]; then
    {
        echo "weft needs what is missing here; install it with this system's package manager (names are Debian's):"
        echo "$missing" | while read -r names probe; do
            case "$probe" in
            bin:* | any:*) what="program ${probe#*:}" ;;
            browser:*) what="Chromium, not from a snap" ;;
            pc:*) what="pkg-config name ${probe#pc:}" ;;
            py:*) what="Python module ${probe#py:}" ;;
            h:*) what="header ${probe#h:}, found by cc" ;;
            rt:*) what="cc -fsanitize=${probe#rt:}" ;;
            esac
            printf '    %-18s (looked for: %s)\n' "$names" "$what"
        done
    } >&2
    exit 1
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@" </dev/null
    else
        sudo "$@" </dev/null
    fi
}
if [ "$manager" != brew ] && [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    [ -n "$needed" ] || exit 0
    echo "weft needs packages that are missing; as root, install: $(echo $needed)" >&2
    exit 1
fi

if [ "$manager" = apt ]; then
    # What is to be had is known only then.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update || [ -z "$needed" ] || exit 1
fi
to_be_had() { # NAME
    [ "$manager" != apt ] || apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}
choose() { # NAMES: the first that is to be had
    for one in $(echo "$1" | tr / ' '); do
        if [ "$one" = - ]; then
            return 0
        fi
        if to_be_had "$one"; then
            echo "$one"
            return 0
        fi
    done
    echo "weft needs the package $1, and this system's package sources have none of that name" >&2
    if [ "$1" = chromium ]; then
        "$here/find-browser.sh" >/dev/null || true
    fi
    return 1
}
install() { # PACKAGES
    echo "installing: $*"
    case "$manager" in
    apt) as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" ;;
    dnf) as_root dnf -q -y --setopt=install_weak_deps=False install "$@" ;;
    pacman) as_root pacman -S --needed --noconfirm "$@" ;;
    brew) brew install "$@" </dev/null ;;
    esac
}
chosen() { # WHICH of the missing: needed or optional
    echo "$missing" | while read -r names probe; do
        if optional "$names"; then which=optional; else which=needed; fi
        [ "$which" != "$1" ] || choose "$names" </dev/null || exit 1
    done
}
packages=$(chosen needed) || exit 1
packages=$(echo "$packages" | sort -u)
extras=$(chosen optional | sort -u)
[ -z "$packages" ] || install $packages
[ -z "$extras" ] || install $extras || echo "going on without: $(echo $extras)" >&2
