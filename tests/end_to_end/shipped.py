"""Owns what a package of Plimsoll has to hold, read from the tree. Knows no kind of package."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_SHIPPED = frozenset({".ts"})
"""What other files are made from and nothing reads at run time: sources of translations."""


GUIDE = "user-guide.md"
"""Help shows it; in the tree it stands among the other pages of `docs`."""


def needed_resources() -> set[str]:
    """Every file of `resources`, as it is named below the folder, and the user guide."""
    folder = ROOT / "resources"
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in NOT_SHIPPED)
    return {GUIDE, *(path.relative_to(folder).as_posix() for path in files)}


def needed_modules() -> set[str]:
    """Every module of the package, packages by their own names."""
    files = (ROOT / "desktop_app").rglob("*.py")
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files}
