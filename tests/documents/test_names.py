"""The names under which files are shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.documents.file_opening import LONGEST, display_name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("report.pdf", "report.pdf"),
        ("/home/me/secret folder/report.pdf", "report.pdf"),
        ("C:\\Users\\me\\report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("two\nlines\x1b[31m.txt", "two lines [31m.txt"),
        ("invoice\u202efdp.exe", "invoice fdp.exe"),
        ("Größe 世界.txt", "Größe 世界.txt"),
        ("\udcff.txt", ".txt"),
        ("\u200b", "attachment"),
        ("", "attachment"),
    ],
)
def test_a_name_is_one_line_without_a_path(name: str, shown: str) -> None:
    assert display_name(name) == shown


def test_a_long_name_keeps_its_ending() -> None:
    shown = display_name("a" * 300 + ".docx")

    assert len(shown) == LONGEST
    assert shown.endswith(".docx")
    assert "…" in shown


@given(st.text())
def test_any_name_can_be_shown(name: str) -> None:
    shown = display_name(name)

    assert shown
    assert len(shown) <= LONGEST
    assert not {unicodedata.category(one) for one in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert display_name(shown) == shown or "/" in shown
