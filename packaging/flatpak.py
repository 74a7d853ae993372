"""Puts together what Flatpak's own tools build Plimsoll from: `python packaging/build.py flatpak`.

The build itself needs the runtime that the manifest names. It has never run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from locked import locked_for
from shared_files import ROOT, copy_shared
from trial import require

MANIFEST: Final = ROOT / "packaging" / "linux" / "org.plimsoll.Plimsoll.yaml"
RUNTIME: Final = {
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "os_name": "posix",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "python_version": "3.13",
    "python_full_version": "3.13.5",
}
"""The Python of the manifest's runtime."""


def write_flatpak(output: Path) -> Path:
    """The folder with manifest, wheel, lock and what a desktop wants; flatpak-builder has read the manifest."""
    require(shutil.which("flatpak-builder"), "flatpak-builder is not installed (Debian: flatpak-builder)")
    folder = output / "flatpak"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wheel = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-deps"]
    subprocess.run([*wheel, "--no-build-isolation", "-w", folder, ROOT], check=True)
    (folder / "plimsoll.lock").write_text("".join(locked_for(RUNTIME)), "utf-8")
    copy_shared(folder)
    shutil.copy(MANIFEST, folder)
    read = ["flatpak-builder", "--show-manifest", MANIFEST.name]
    done = subprocess.run(read, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    require(done.returncode == 0, "flatpak-builder can't read the manifest")
    shutil.rmtree(folder / ".flatpak-builder", ignore_errors=True)
    return folder
