"""Builds a package and tries it: `python packaging/build.py tar|deb|rpm|windows|flatpak [--output DIR]`.

`packaging/trial.py` tries what was built. `deb --try` then installs the package in a bare Debian, uses it there and
removes it: `packaging/try_deb.py`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from debian import day_of_version, write_package, write_rpm
from flatpak import write_flatpak
from notices import require_origins, works_of_others, write_texts
from shared_files import ROOT, copy_shared
from trial import require, try_program
from try_deb import try_package
from windows import build_installer

from desktop_app import __version__


def build(output: Path, *options: str) -> Path:
    """Runs PyInstaller with options for the recipe; returns the folder of the built program."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    places = ["--distpath", str(output), "--workpath", str(output / "work")]
    recipe = [str(ROOT / "packaging" / "plimsoll.spec"), "--", *options]
    # the same sources give the same files: sets are stored in the order of their hashes
    same = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": f"{day_of_version().timestamp():.0f}"}
    same["PYINSTALLER_ZLIB_COMPRESSION_LEVEL"] = "0"  # the package is packed as a whole: smaller than packed twice
    subprocess.run([*command, *places, *recipe], check=True, cwd=ROOT, env=same)
    return output / "plimsoll"


def build_folder(output: Path) -> Path:
    """The tried folder of the program with its installer."""
    folder = build(output)
    write_texts(works_of_others(_sources(output, folder)), folder / "licenses")
    if sys.platform == "linux":
        copy_shared(folder)
        shutil.copy(ROOT / "packaging" / "linux" / "install.sh", folder)
    try_program(folder / "plimsoll", libraries=True, local_model=True)
    return folder


def pack(folder: Path, output: Path) -> Path:
    """Writes the tarball beside the folder and returns its path."""
    path = output / f"plimsoll-{__version__}-{sys.platform}-{os.uname().machine}.tar.xz"
    with tarfile.open(path, "w:xz", preset=1) as archive:
        archive.add(folder, arcname=f"plimsoll-{__version__}")
    return path


def check_package(path: Path) -> None:
    """What Debian's own tools say of a package; ends with an error where one finds fault or is not installed."""
    shared = ROOT / "packaging" / "linux"
    for command in (
        ["lintian", "--allow-root", "--fail-on", "error,warning", str(path)],
        ["desktop-file-validate", *map(str, shared.glob("*.desktop"))],
        ["appstreamcli", "validate", "--no-net", *map(str, shared.glob("*.metainfo.xml"))],
    ):
        require(
            shutil.which(command[0]), f"{command[0]} is not installed (Debian: lintian, desktop-file-utils, appstream)"
        )
        require(subprocess.run(command, check=False).returncode == 0, f"{command[0]} finds fault")


def build_package(output: Path, *, rpm: bool, small: bool) -> Path:
    """The package for Debian or Fedora of a tried program, without the local model and what Debian has packages of."""
    parts = output / "deb"
    folder = build(parts, "--for-debian")
    try_program(folder / "plimsoll", libraries=True, local_model=False)
    sources = _sources(parts, folder)
    path = write_rpm(folder, parts, sources) if rpm else write_package(folder, parts, sources, small=small)
    return path.replace(output / path.name)


def _sources(output: Path, folder: Path) -> list[str]:
    """The files that a built folder was made from; an error where it holds others."""
    sources = (output / "work" / "plimsoll" / "sources.txt").read_text("utf-8").splitlines()
    require_origins(folder, sources)
    return sources


def main() -> None:
    """Builds, tries, packs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tar", "deb", "rpm", "windows", "flatpak"])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="made where it is missing (default: dist)")
    parser.add_argument("--no-archive", action="store_true", help="tar: build and try only")
    parser.add_argument("--try", dest="tried", action="store_true", help="deb: install it in a bare Debian, as root")
    parser.add_argument("--check", action="store_true", help="deb: ask lintian and the validators of Debian")
    parser.add_argument(
        "--quick", action="store_true", help="deb: pack with gzip, larger by a quarter, in a tenth of the time"
    )
    parser.add_argument("--python", type=Path, help="windows: Python's embeddable build, where it can't be fetched")
    parser.add_argument("--trial", type=Path, help="windows: the folder of a Python for trials under Wine")
    options = parser.parse_args()
    if (options.tried or options.check) and options.kind != "deb":
        parser.error("--try and --check are of deb only")
    output = options.output.absolute()
    output.mkdir(parents=True, exist_ok=True)
    if options.kind == "windows":
        path = build_installer(output, options.python, options.trial)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")
        return
    if options.kind == "flatpak":
        print(f"{write_flatpak(output)}: flatpak-builder makes the package of it, where the runtime is")
        return
    if options.kind != "tar":
        path = build_package(output, rpm=options.kind == "rpm", small=not options.quick)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")
        if options.check:
            check_package(path)
        if options.tried:
            try_package(path, output)
        return
    folder = build_folder(output)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB")
    if not options.no_archive:
        path = pack(folder, output)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
