"""Makes the installer for Windows: `python packaging/build.py windows [--python ZIP | --trial FOLDER]`.

It needs no Windows: Python's embeddable build, wheels for Windows, launchers of distlib and NSIS. No part of it is run
here; `packaging/tests/windows.sh` tries the result under Wine, with a Python that is put together for that alone.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Final

from locked import locked_for
from PIL import Image
from shared_files import ROOT
from trial import require

from desktop_app import __version__

PYTHON: Final = "3.12.10"
"""The last of 3.12 that python.org built for Windows."""
EMBEDDABLE: Final = f"https://www.python.org/ftp/python/{PYTHON}/python-{PYTHON}-embed-amd64.zip"
WINDOWS: Final = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "platform_machine": "AMD64",
    "os_name": "nt",
    "python_version": PYTHON.rpartition(".")[0],
    "python_full_version": PYTHON,
}
_FOR_WINDOWS: Final = ("--platform", "win_amd64", "--python-version", WINDOWS["python_version"], "--only-binary=:all:")
_UNUSED: Final = ("cryptography", "cffi", "pycparser")
"""Asked for by what the Secret Service of Linux needs, and by tests."""
_LEFT_OUT: Final = (
    *("bin", "**/__pycache__", "sqlalchemy/dialects/[mop]*", "lxml/includes", "lxml/isoschematron", "PIL/_imagingft*"),
    *(
        f"PySide6/{one}"
        for one in ("qml", "metatypes", "typesystems", "include", "glue", "lib", "scripts", "resources")
    ),
    *("PySide6/*.exe", "PySide6/*.pyi", "PySide6/opengl32sw.dll", "PySide6/plugins/q*", "PySide6/plugins/sqldrivers"),
    *("PySide6/plugins/designer", "PySide6/plugins/generic", "PySide6/plugins/networkinformation"),
    *("PySide6/Qt6[!CDGNSW]*.dll", "PySide6/Qt6Designer*.dll", "PySide6/Qt6Sql.dll", "PySide6/Qt6Concurrent.dll"),
    *("PySide6/Qt[!CGNSW]*.pyd", "PySide6/QtSql.pyd", "PySide6/QtConcurrent.pyd", "PySide6/translations/*"),
)
_MAIN: Final = """
import os, sys
for name in ("stdout", "stderr"):  # a program of the window has neither
    if getattr(sys, name) is None:
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
from desktop_app.__main__ import main
sys.exit(main())
"""


def build_installer(output: Path, python: Path | None, trial: Path | None) -> Path:
    """The path of the installer. `python`: the embeddable build as it was fetched; `trial`: another one's folder."""
    require(shutil.which("makensis"), "makensis is not installed (Debian: nsis)")
    parts = output / "windows"
    payload = parts / "payload"
    shutil.rmtree(payload, ignore_errors=True)
    payload.mkdir(parents=True)
    inside = payload / "python"
    if trial is not None:
        shutil.copytree(trial, inside, ignore=shutil.ignore_patterns("site-packages", "*._pth"))
    else:
        with zipfile.ZipFile(python or _fetched(parts)) as archive:
            archive.extractall(inside)
    short = WINDOWS["python_version"].replace(".", "")
    (inside / f"python{short}._pth").write_text(f"python{short}.zip\nLib\n.\nsite-packages\n", "utf-8")
    _install(parts, inside / "site-packages")
    _write_launchers(parts, payload)
    shutil.copytree(ROOT / "packaging" / "licenses", payload / "licenses")
    shutil.copyfile(ROOT / "LICENSE", payload / "licenses" / "plimsoll.txt")
    with Image.open(ROOT / "resources" / "icons" / "plimsoll-256.png") as icon:
        icon.save(payload / "plimsoll.ico", sizes=[(side, side) for side in (16, 24, 32, 48, 64, 128, 256)])
    path = output / f"plimsoll-{__version__}-windows-x64{'-trial' if trial else ''}.exe"
    said = {"OUTPUT": path, "PAYLOAD": payload, "VERSION": __version__, "PYTHON": short}
    script = ROOT / "packaging" / "windows" / "plimsoll.nsi"
    subprocess.run(["makensis", "-V2", "-WX", *(f"-D{name}={one}" for name, one in said.items()), script], check=True)
    return path


def _install(parts: Path, folder: Path) -> None:
    """Puts the libraries, each as the lock has it, and the program itself into a folder of Windows' Python."""
    locked = parts / "windows.lock"
    locked.write_text("".join(locked_for(WINDOWS, _UNUSED)), "utf-8")
    shutil.rmtree(parts / "wheel", ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    here = [*pip, "install", "--no-deps", "--no-compile", "--target", str(folder), *_FOR_WINDOWS]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", parts / "wheel", ROOT], check=True)
    (wheel,) = (parts / "wheel").glob("*.whl")
    subprocess.run([*here, "--require-hashes", "-r", locked], check=True)
    subprocess.run([*here, wheel], check=True)
    for pattern in _LEFT_OUT:
        for path in [one for one in folder.glob(pattern) if not re.search(r"/qtbase_(de|zh_CN)\.qm$", str(one))]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _fetched(parts: Path) -> Path:
    path = parts / Path(EMBEDDABLE).name
    if not path.exists():
        try:
            urllib.request.urlretrieve(EMBEDDABLE, path)
        except urllib.error.URLError as error:
            raise SystemExit(f"{EMBEDDABLE} can't be fetched ({error.reason}): name the file by --python") from error
    return path


def _write_launchers(parts: Path, payload: Path) -> None:
    """Writes plimsoll.exe, of the terminal, and plimsollw.exe, of the window; each starts the Python beside it."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps"]
    subprocess.run([*command, "-d", parts, "distlib==0.4.4"], check=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("__main__.py", _MAIN)
    (wheel,) = parts.glob("distlib-*.whl")
    with zipfile.ZipFile(wheel) as distlib:
        for launcher, name, python in (("t64", "plimsoll", "python"), ("w64", "plimsollw", "pythonw")):
            start = f"#!<launcher_dir>\\python\\{python}.exe\n".encode()
            (payload / f"{name}.exe").write_bytes(distlib.read(f"distlib/{launcher}.exe") + start + packed.getvalue())
