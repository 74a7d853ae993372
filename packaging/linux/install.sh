#!/bin/sh
# ./install.sh adds the Plimsoll of this folder to the desktop's menu and to ~/.local/bin, for this user only, without
# copying the program. ./install.sh --remove takes both away again; conversations and settings stay.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
start=$HOME/.local/bin/plimsoll

fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

[ -x "$here/plimsoll" ] || fail "the program is not beside this script. Run it in the folder that was unpacked."
case "$here" in
    *[\"\$\`\\%\|\&]*) fail "the folder's name has a sign that menus can not start programs from. Rename it: $here" ;;
esac

files() { (cd "$here/share" && find . -type f); }

case "${1:-}" in
    "")
        if [ -e "$start" ] && [ ! -L "$start" ]; then
            fail "$start is there and not from this script. Move it away first."
        fi
        files | while IFS= read -r file; do
            mkdir -p "$data/$(dirname "$file")"
            case "$file" in
                *.desktop) sed "s|^Exec=plimsoll|Exec=\"$here/plimsoll\"|" "$here/share/$file" > "$data/$file" ;;
                *) cp "$here/share/$file" "$data/$file" ;;
            esac
        done
        mkdir -p "$(dirname "$start")"
        ln -sf "$here/plimsoll" "$start" ;;
    --remove)
        files | while IFS= read -r file; do rm -f "$data/$file"; done
        if [ "$(readlink "$start" 2>/dev/null)" = "$here/plimsoll" ]; then rm "$start"; fi ;;
    *) fail "unknown option $1: there is --remove, or nothing." ;;
esac
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q "$data/applications" || true; fi
