#!/usr/bin/env bash
# Puts a Python for Windows together that runs under Wine, makes the installer of it, and tries that:
#   packaging/tests/windows.sh FOLDER     (Debian: wine wine64 nsis gcc-mingw-w64-x86-64 xvfb imagemagick unzip)
# The Python is of a wheel of panda3d, its library of a CPython 3.12 for Linux (named by PYTHON312, default: python3.12).
# It is for trials alone: what people get has Python's own embeddable build. Not a part of .ci/run: it takes minutes.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)
bed=$work/bed
export WINEPREFIX=$work/prefix WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" DISPLAY=:${SCREEN:-77}
unset PYTHONDONTWRITEBYTECODE
cd "$work"

make_bed() {
    "$top/.venv/bin/python" -m pip download -q --no-deps --platform win_amd64 --python-version 3.12 --only-binary=:all: -d . panda3d==1.10.16
    unzip -q -o panda3d-*.whl 'deploy_libs/*'
    mkdir -p "$bed/Lib"
    cp deploy_libs/* "$bed"
    (cd "$bed" && rm -f _wmi.pyd _tkinter.pyd tcl86t.dll tk86t.dll _msi.pyd winsound.pyd api-ms-win-crt-*)  # _wmi hangs under Wine
    library=$("${PYTHON312:-python3.12}" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
    tar c -C "$library" --exclude=./site-packages --exclude=./test --exclude=./idlelib --exclude=./lib-dynload \
        --exclude='./config-*' --exclude=__pycache__ --exclude=./tkinter --exclude=./turtledemo --exclude=./ensurepip . | tar x -C "$bed/Lib"
    cat > launch.c <<'C'
#include <windows.h>
typedef int (*py_main)(int, wchar_t **);
int wmain(int argc, wchar_t **argv) {
  py_main run = (py_main)GetProcAddress(LoadLibraryW(L"python312.dll"), "Py_Main");
  return run ? run(argc, argv) : 112;
}
C
    x86_64-w64-mingw32-gcc -O1 -municode -o "$bed/python.exe" launch.c
    x86_64-w64-mingw32-gcc -O1 -municode -mwindows -o "$bed/pythonw.exe" launch.c
    # python3.dll hands on to python312.dll what modules for every version ask for
    { echo "LIBRARY python3.dll"; echo EXPORTS
      x86_64-w64-mingw32-objdump -p "$bed/python312.dll" | sed -n 's/^\t\[ *[0-9]*\] \(+base\[ *[0-9]*\] *[0-9a-f]* \)\?\(_\?Py[A-Za-z0-9_]*\)$/  \2 = python312.\2/p'; } > python3.def
    x86_64-w64-mingw32-gcc -shared -o "$bed/python3.dll" python3.def
    # Wine 8 has neither: Qt is linked to the first, modules in Rust to the second
    for name in open close reset getMaxCharSize getName getToUCallBack getFromUCallBack setToUCallBack setFromUCallBack \
        cbToUWriteUChars toUnicode toUCountPending fromUCountPending getStandardName getAvailableName countAvailable \
        fromUnicode cbFromUWriteUChars; do echo "__declspec(dllexport) void *ucnv_$name(void) { return 0; }"; done > icu.c
    echo 'int __stdcall DllMain(void *a, unsigned long b, void *c) { return 1; }' >> icu.c
    x86_64-w64-mingw32-gcc -shared -nostdlib -e DllMain -o "$bed/icuuc.dll" icu.c
    printf '%s\n' '#include <windows.h>' '#include <ntsecapi.h>' \
        '__declspec(dllexport) BOOL WINAPI ProcessPrng(unsigned char *p, size_t n) { return RtlGenRandom(p, (ULONG)n); }' > prng.c
    x86_64-w64-mingw32-gcc -shared -o "$bed/bcryptprimitives.dll" prng.c -ladvapi32
}

# Runs a program with pipes for standard streams: a file is no valid one for this Python under Wine.
windows() { (sleep "${INPUT_S:-0}"; echo) | timeout -k 5 "${LIMIT_S:-120}" wine "$@" 2>&1 | cat; }
require() { grep -q -- "$2" <<< "$1" || { echo "missing: $2, in: $1"; exit 1; }; }

[ -e "$bed/python3.dll" ] || make_bed
installer=$work/dist/plimsoll-$("$top/.venv/bin/python" -c 'import sys; sys.path.insert(0, sys.argv[1]); import desktop_app; print(desktop_app.__version__)' "$top")-windows-x64-trial.exe
[ -e "$installer" ] || "$top/.venv/bin/python" "$top/packaging/build.py" windows --output "$work/dist" --trial "$bed"
Xvfb "$DISPLAY" -screen 0 1280x860x24 & screen=$!
trap 'wineserver -k || true; kill $screen' EXIT
[ -d "$WINEPREFIX" ] || { wineboot -i; wine winecfg -v win10; wineserver -w; }

wine "$installer" /S < /dev/null
wineserver -w
home=$WINEPREFIX/drive_c/users/$(id -un)
place=$home/AppData/Local/Programs/Plimsoll
[ -e "$home/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Plimsoll.lnk" ]
require "$(windows "$place/plimsoll.exe" --version)" "plimsoll "
require "$(windows "$place/plimsoll.exe" ask --backend scripted 'Grüße 速')" 'Grüße 速'
require "$(windows "$place/plimsoll.exe" doctor)" 'The system keyring can be asked'
printf 'Whitstable\r\nDeal\r\n' > "$home/lines.txt"
require "$(windows "$place/plimsoll.exe" ask --backend scripted --attach 'C:\users\'"$(id -un)"'\lines.txt' hear)" '\[document\]'
require "$(windows "$place/plimsoll.exe" project add Ports 'C:\users\'"$(id -un)"'\lines.txt')" '1 document read'
INPUT_S=60 LIMIT_S=90 windows "$place/plimsollw.exe" --backend scripted &
sleep 30
require "$(windows "$place/plimsoll.exe" ask --backend scripted 'beside the window')" 'beside the window'
import -window root "$work/window.png"
if wine "$installer" /S < /dev/null; then echo "the installer took an open program away"; exit 1; fi
wineserver -k  # the window is killed; the next one opens
require "$(windows "$place/plimsoll.exe" threads)" 'beside the window'
wine "$place/uninstall.exe" /S < /dev/null
wineserver -w
[ ! -e "$place" ] && [ -e "$home/AppData/Local/plimsoll/history.db" ]
echo "tried; look at $work/window.png"
