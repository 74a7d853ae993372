"""The documents tell the truth where that can be checked: settings, commands, links to pictures and pages, tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from desktop_app.core.setting_fields import SettingKey
from desktop_app.core.settings import KEYS
from desktop_app.ui.widgets.message_field import HUGE_LINE, HUGE_PASTE, LONG_PASTE

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]


def test_every_setting_is_in_the_user_guide() -> None:
    guide = (ROOT / "docs" / "user-guide.md").read_text("utf-8")
    missing = [f"{row}{key.meaning} |" for key in KEYS if (row := _row(key)) not in guide]
    assert not missing, "rows for the table of settings:\n" + "\n".join(missing)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_a_page_names_is_there(page: Path) -> None:
    named = re.findall(r"`(tests/[^`:*{]+\.py)(?:::(\w+))?`", page.read_text("utf-8"))
    assert [f"{path}::{test}" for path, test in named if not _holds(ROOT / path, test)] == []


def test_the_guide_says_from_which_length_on_a_pasted_text_is_a_document() -> None:
    guide = (ROOT / "docs" / "user-guide.md").read_text("utf-8")
    assert f"From {LONG_PASTE:,} characters on a line offers to make a document of what" in guide
    assert f"from {HUGE_PASTE:,} on, or with one line of {HUGE_LINE:,}, it becomes one at once" in guide


def _row(key: SettingKey) -> str:
    """What its field says of a setting, up to the meaning, of which the guide may say more."""
    shown = str(key.default).lower() if isinstance(key.default, bool) else key.default
    default = f"; default `{shown}`" if key.default is not None else ""
    return f"| `{key.name}` | {key.allowed}{default} | "


def _holds(path: Path, test: str) -> bool:
    return path.exists() and (not test or f"def {test}(" in path.read_text("utf-8"))
