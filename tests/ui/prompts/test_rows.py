"""Rows are painted as fast as they are seen, whatever stands in a prompt."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from desktop_app.core.prompts import TEXT_LIMIT, Prompt
from desktop_app.ui.prompts.prompt_lists import EXCERPT, PromptDelegate, PromptRow, PromptRows, excerpt, spoken
from desktop_app.ui.theme.theme import load_theme
from tests.counted_calls import CountedCalls


def a_prompt(title: str = "Title", text: str = "text", prompt_id: str = "p") -> Prompt:
    return Prompt(prompt_id, title, text, "2026", "2026")


def test_an_excerpt_is_one_short_line() -> None:
    assert excerpt(" a\n\n b ") == "a b"
    assert len(excerpt("word " * TEXT_LIMIT)) == EXCERPT


def test_a_row_is_told_with_its_text(qapp: QApplication) -> None:
    rows = PromptRows(qapp)
    rows.show([PromptRow(a_prompt()), "More"])
    assert [spoken(row) for row in rows.rows] == ["Title, text", "More"]
    assert rows.prompts == [a_prompt()]
    assert (rows.place_of("p"), rows.place_of("q")) == (0, -1)


def test_ten_thousand_rows_are_shown_without_a_pause(qtbot: QtBot) -> None:
    view = QListView()
    qtbot.addWidget(view)
    view.resize(400, 600)
    rows = PromptRows(view)
    view.setModel(rows)
    view.setItemDelegate(PromptDelegate(load_theme("light"), view))
    view.setUniformItemSizes(True)
    text = "{{a}} 川 " * 10_000
    many = [PromptRow(a_prompt(f"Prompt {n}", text, str(n)), "pro") for n in range(10_000)]
    view.grab()
    with CountedCalls() as work:
        rows.show(many)
        view.scrollTo(rows.index(9_000))
        view.grab()
    assert work.calls < 140_000
