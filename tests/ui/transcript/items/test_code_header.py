"""The words in the head of code: Keep and Copy stay in a narrow column, shorter, and the language keeps its room."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.items.code_item import NAME, HeaderButton, header_words
from desktop_app.ui.transcript.items.item import TextStyle


def words(width: int, points: int = 11, *, keeps: bool = True) -> list[HeaderButton]:
    return list(header_words(TextStyle(load_theme("light", points)), width, copied=False, wrap=False, keeps=keeps))


def test_a_wide_head_says_all(qapp: QApplication) -> None:
    assert [one.text for one in words(700)] == ["Keep as artifact", "Wrap lines", "Copy"]
    assert [one.text for one in words(700, keeps=False)] == ["Wrap lines", "Copy"]


@pytest.mark.parametrize("points", [11, 17])
@pytest.mark.parametrize("width", [280, 330, 380, 440, 480, 700])
def test_keep_and_copy_are_there_in_every_column(qapp: QApplication, width: int, points: int) -> None:
    shown = words(width, points)
    assert {"keep", "copy"} <= {one.button for one in shown}
    assert shown[0].left >= NAME
    assert shown[-1].left + shown[-1].width <= width
    for one, after in itertools.pairwise(shown):
        assert one.left + one.width < after.left, "no words over others"


def test_between_both_they_say_it_shorter(qapp: QApplication) -> None:
    texts = [[one.text for one in words(width)] for width in range(240, 600, 10)]
    assert ["Keep", "Wrap", "Copy"] in texts
    assert ["Keep", "Copy"] in texts
