"""ARCHITECTURE.md fits on two screens, has a line for every package, and names modules that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "desktop_app"
SCREENS = 2 * 50
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def test_it_fits_on_two_screens() -> None:
    assert len(TEXT.splitlines()) <= SCREENS


def test_every_package_has_its_place() -> None:
    packages = [path for path in (*PACKAGE.iterdir(), *(PACKAGE / "ui").iterdir()) if (path / "__init__.py").is_file()]
    missing = [path.name for path in packages if path.name != "ui" and f"{path.name}/`" not in TEXT]
    assert missing == []


def test_the_modules_it_names_are_there() -> None:
    named = re.findall(r"`((?:ui|core|storage|controller|backends|packaging)/[\w/]+)(?:\.py)?`", TEXT)
    assert len(named) > 10
    roots = (PACKAGE, ROOT, ROOT / "tests")
    missing = [
        name for name in named if not any((root / name).is_dir() or (root / f"{name}.py").is_file() for root in roots)
    ]
    assert missing == []
