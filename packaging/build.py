"""Builds a package and tries it: `python packaging/build.py tar [--output DIR]`.

`packaging/trial.py` tries what was built.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from trial import try_program

from desktop_app import __version__

ROOT = Path(__file__).resolve().parent.parent


def build(output: Path) -> Path:
    """Runs PyInstaller; returns the folder of the built program."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    places = ["--distpath", str(output), "--workpath", str(output / "work")]
    subprocess.run([*command, *places, str(ROOT / "packaging" / "plimsoll.spec")], check=True, cwd=ROOT)
    folder = output / "plimsoll"
    if sys.platform == "linux":
        add_to_desktop(folder)
    return folder


def add_to_desktop(folder: Path) -> None:
    """Puts beside the program what a desktop of Linux wants to have, the same as in the wheel, and its installer."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for source, place in project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"].items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, folder / place)
    shutil.copy(ROOT / "packaging" / "linux" / "install.sh", folder)


def pack(folder: Path, output: Path) -> Path:
    """Writes the tarball beside the folder and returns its path."""
    path = output / f"plimsoll-{__version__}-{sys.platform}-{os.uname().machine}.tar.xz"
    with tarfile.open(path, "w:xz", preset=1) as archive:
        archive.add(folder, arcname=f"plimsoll-{__version__}")
    return path


def main() -> None:
    """Builds, tries, packs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tar"])
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--no-archive", action="store_true", help="build and try only")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    folder = build(options.output)
    try_program(folder / "plimsoll", libraries=True)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB")
    if not options.no_archive:
        path = pack(folder, options.output)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
