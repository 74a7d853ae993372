"""Puts together what a desktop of Linux wants to have: menu entry, metainfo, icons. The same in all packages."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


def copy_shared(folder: Path) -> None:
    """Copies the wheel's shared files to where they stand below `folder`: share/applications, share/icons, ..."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for source, place in project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"].items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, folder / place)
