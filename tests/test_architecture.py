"""ARCHITECTURE.md fits on two screens, has a line for every package, and names modules that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "desktop_app"
SCREENS = 2 * 50
OTHER_WORDS = {
    "ACTIONS",
    "Command",
    "Failure",
    "KEPT_DAYS",
    "LedgerStore",
    "_look_at",
    "_writes",
    "claude",
    "doctor",
    "take_settings",
}
"""In the map, but no modules."""
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def test_it_fits_on_two_screens() -> None:
    assert len(TEXT.splitlines()) <= SCREENS
    assert len(TEXT) <= 12_000


def test_every_package_has_its_place() -> None:
    packages = [path for path in (*PACKAGE.iterdir(), *(PACKAGE / "ui").iterdir()) if (path / "__init__.py").is_file()]
    missing = [path.name for path in packages if path.name != "ui" and f"{path.name}/`" not in TEXT]
    assert missing == []


def test_the_modules_it_names_are_there() -> None:
    modules = {path.stem for path in PACKAGE.rglob("*.py")}
    folders = {path.name for root in (PACKAGE, ROOT / "tests") for path in root.rglob("*") if path.is_dir()}
    map_of_modules = TEXT[TEXT.index("| below the window |") :]
    named = re.findall(r"`(?:[\w-]+/)*(\w+)`", map_of_modules)
    assert len(named) > 80
    assert sorted(set(named) - modules - folders - OTHER_WORDS) == []
