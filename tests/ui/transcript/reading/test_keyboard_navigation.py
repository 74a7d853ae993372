"""Everything that the mouse does in the transcript, the keyboard does too: selecting, links, buttons, wide content."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread
from tests.ui.transcript.gallery import CREATED_DAY, message

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def press(view: TranscriptView, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = SHIFT, times: int = 1) -> None:
    for _ in range(times):
        for key in keys:
            QTest.keyClick(view, key, modifiers)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def top(view: TranscriptView) -> int:
    """The message that stands at the top of the view."""
    return next(p.message for p in view.row_layout.placed if p.bottom > 8)


def short(view: TranscriptView) -> None:
    view.show_path(
        [
            message(0, "user", "First question"),
            message(1, "assistant", "An **answer** here, 🚀 too.\n\n- one\n- two\n\n```py\nx = 1\ny = 2\n```"),
            message(2, "user", "Second question"),
        ]
    )


def test_arrows_select_characters_words_and_across_messages(view: TranscriptView) -> None:
    short(view)
    view.keyboard.focus_message(0)
    press(view, Key.Key_Right, times=5)
    assert view.copying.selected_text() == "First"
    press(view, Key.Key_Right, modifiers=SHIFT | CONTROL)
    assert view.copying.selected_text() == "First "
    press(view, Key.Key_Right, modifiers=SHIFT | CONTROL)
    assert view.copying.selected_text() == "First question"
    press(view, Key.Key_Right, times=4)
    assert view.copying.selected_text() == "First question\n\nAn "
    press(view, Key.Key_Left, times=4)
    assert view.copying.selected_text() == "First question"
    press(view, Key.Key_Left, modifiers=SHIFT | CONTROL)
    assert view.copying.selected_text() == "First "


def test_a_character_is_what_the_reader_takes_for_one(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "👩‍💻e\u0301x")])
    view.keyboard.focus_message(0)
    press(view, Key.Key_Right)
    assert view.copying.selected_text() == "👩‍💻"
    press(view, Key.Key_Right)
    assert view.copying.selected_text() == "👩‍💻e\u0301"


def test_lines_ends_and_the_whole_thread(view: TranscriptView) -> None:
    short(view)
    view.keyboard.focus_message(0)
    press(view, Key.Key_Down)
    assert view.copying.selected_text() == "First question\n\n"[:-2]
    press(view, Key.Key_End)
    assert view.copying.selected_text() == "First question\n\nAn answer here, 🚀 too."
    press(view, Key.Key_Home)
    assert view.copying.selected_text() == "First question"
    press(view, Key.Key_End, modifiers=SHIFT | CONTROL)
    assert view.copying.selected_text().endswith("y = 2\n\nSecond question")
    press(view, Key.Key_Home, modifiers=SHIFT | CONTROL)
    assert view.copying.selected_text() == ""


def test_down_goes_through_everything_and_back(view: TranscriptView) -> None:
    view.show_path(thread(30))
    view.navigation.scroll_to_message("m0")
    view.keyboard.focus_message(0)
    spots = []
    for _ in range(300):
        press(view, Key.Key_Down)
        spots.append(view.selection.caret)
    assert all(a is not None and b is not None and a < b for a, b in pairwise(spots))
    assert spots[-1] is not None
    assert spots[-1][0] > 3
    caret = view.keyboard.caret.place(spots[-1])
    assert caret is not None
    placed = next(p for p in view.row_layout.placed if p.row is caret.row)
    line = caret.row.item.caret_rect(caret.position)
    assert 0 <= placed.item_top + line.top() <= view.row_layout.view - line.height(), "the caret stays in view"
    press(view, Key.Key_Up, times=150)
    assert view.selection.caret is not None
    assert view.selection.caret < spots[-1]


def test_pages_are_selected(view: TranscriptView) -> None:
    view.show_path(thread(40))
    view.navigation.scroll_to_message("m0")
    view.keyboard.focus_message(0)
    press(view, Key.Key_PageDown)
    first = view.row_layout.y, view.selection.caret
    press(view, Key.Key_PageDown)
    assert 300 < view.row_layout.y - first[0] < 900
    press(view, Key.Key_PageUp)
    assert first[1] is not None
    assert view.selection.caret is not None
    assert view.selection.caret[0] <= first[1][0] + 1


def test_select_all_takes_the_message_then_the_thread(view: TranscriptView) -> None:
    short(view)
    view.keyboard.focus_message(1)
    press(view, Key.Key_A, modifiers=CONTROL)
    assert view.copying.selected_text().startswith("An answer here")
    assert view.copying.selected_text().endswith("y = 2")
    press(view, Key.Key_A, modifiers=CONTROL)
    assert view.copying.selected_text().startswith("First question")
    assert view.copying.selected_text().endswith("Second question")


@pytest.mark.parametrize("text", ["שלום עולם abc", "مرحبا بالعالم abc"])
def test_right_to_left_text_is_selected_as_it_runs(view: TranscriptView, text: str) -> None:
    view.show_path([message(0, "assistant", text)])
    view.keyboard.focus_message(0)
    press(view, Key.Key_Left, times=3)
    assert view.copying.selected_text() == text[:3], "left is forward where the text runs leftwards"
    press(view, Key.Key_Right)
    assert view.copying.selected_text() == text[:2]
    press(view, Key.Key_End)
    assert view.copying.selected_text() == text
    press(view, Key.Key_Home)
    assert view.copying.selected_text() == ""


def test_the_selection_outlives_scrolling_streaming_and_another_width(view: TranscriptView) -> None:
    short(view)
    view.keyboard.focus_message(0)
    press(view, Key.Key_Right, times=20)
    before = view.copying.selected_text()
    view.stream.begin_answer(message(3, "assistant"))
    for _ in range(40):
        view.stream.grow_answer("m3", "text", "More and more text.\n\n")
    view.scroll_by(2_000)
    view.resize(600, 500)
    view.stream.finish_answer(message(3, "assistant", "More and more text.\n\n" * 40))
    view.wrap_code(True)
    assert view.copying.selected_text() == before == "First question\n\nAn an"


def test_tab_goes_through_links_and_buttons_of_the_message(view: TranscriptView, qtbot: QtBot) -> None:
    opened: list[str] = []
    view.row_actions.link_activated.connect(opened.append)
    text = "See [one](https://example.org/1) and [two](https://example.org/2).\n\n```\nx = 1\n```"
    view.show_path([message(0, "user", "x"), message(1, "assistant", text), message(2, "user", "y")])
    view.setFocus()
    view.keyboard.focus_message(1)
    before = view.viewport().grab().toImage()
    press(view, Key.Key_Tab, modifiers=Qt.KeyboardModifier.NoModifier)
    assert view.keyboard.link == "https://example.org/1"
    assert QToolTip.text() == "https://example.org/1", "the real target is shown"
    assert view.viewport().grab().toImage() != before
    press(view, Key.Key_Tab, modifiers=Qt.KeyboardModifier.NoModifier)
    press(view, Key.Key_Return, modifiers=Qt.KeyboardModifier.NoModifier)
    assert opened == ["https://example.org/2"]
    press(view, Key.Key_Tab, Key.Key_Return, modifiers=Qt.KeyboardModifier.NoModifier)
    assert clipboard() == "x = 1"
    press(view, Key.Key_Backtab, modifiers=SHIFT)
    assert view.keyboard.link == "https://example.org/2"
    assert not view.keyboard.tab(1) or not view.keyboard.tab(1), "after the last it goes on to the next pane"
    qtbot.waitUntil(lambda: view.viewport().grab().toImage() == before)


def test_the_arrows_move_wide_code(view: TranscriptView) -> None:
    view.show_path([message(0, "assistant", "```\n" + "x" * 300 + "\n```")])
    before = view.viewport().grab().toImage()
    press(view, Key.Key_Right, modifiers=Qt.KeyboardModifier.NoModifier)
    assert view.viewport().grab().toImage() != before
    press(view, Key.Key_Left, modifiers=Qt.KeyboardModifier.NoModifier)
    assert view.viewport().grab().toImage() == before
    event = QKeyEvent(QKeyEvent.Type.KeyPress, Key.Key_Left, Qt.KeyboardModifier.NoModifier)
    view.show_path([message(0, "assistant", "short")])
    assert not view.keyboard.press(event), "where nothing is wide the key means nothing"


def test_a_selection_is_quoted(view: TranscriptView) -> None:
    quoted: list[str] = []
    view.quote_requested.connect(quoted.append)
    short(view)
    view.copying.quote()
    assert quoted == []
    view.keyboard.focus_message(1)
    press(view, Key.Key_A, modifiers=CONTROL)
    view.copying.quote()
    assert quoted[0].startswith("> An **answer** here, 🚀 too.\n>\n> - one\n> - two\n>\n> ```py\n> x = 1\n")


def test_questions_are_reached_one_by_one(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(thread(30))
    view.navigation.go_to_question(-1)
    last = top(view)
    assert view.row_layout.messages[last].role == "user"
    view.navigation.go_to_question(-1)
    assert top(view) == last - 2
    view.navigation.go_to_question(1)
    assert top(view) == last
    for _ in range(40):
        view.navigation.go_to_question(-1)
    assert top(view) == 0


def test_a_message_is_reached_by_number_or_day(view: TranscriptView) -> None:
    path = [
        message(
            n,
            "assistant" if n % 2 else "user",
            "Text\n\n" * 20,
        )
        for n in range(60)
    ]
    view.show_path(path)
    view.bars.ask_where()
    QTest.keyClicks(view.bars.go_to.field, "13")
    assert "13" in view.bars.go_to.hint.text()
    QTest.keyClick(view.bars.go_to.field, Key.Key_Return)
    assert top(view) == 12
    assert view.bars.go_to.isHidden()
    view.bars.ask_where()
    QTest.keyClicks(view.bars.go_to.field, CREATED_DAY.isoformat())
    QTest.keyClick(view.bars.go_to.field, Key.Key_Return)
    assert view.row_layout.placed[0].message == 0
    view.bars.ask_where()
    QTest.keyClicks(view.bars.go_to.field, "never")
    assert view.bars.go_to.hint.text() == "Not a number or date"
    QTest.keyClick(view.bars.go_to.field, Key.Key_Return)
    assert not view.bars.go_to.isHidden()
    QTest.keyClick(view.bars.go_to.field, Key.Key_Escape)
    assert view.bars.go_to.isHidden()


def test_long_code_is_folded_until_all_is_asked_for(view: TranscriptView) -> None:
    code = "\n".join(f"line {n}" for n in range(312))
    view.show_path([message(0, "assistant", f"```py\n{code}\n```"), message(1, "user", "x")])
    view.navigation.scroll_to_message("m0")
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    assert isinstance(item, CodeItem)
    assert item.folded
    folded = item.height
    assert dict(item.buttons())["lines"] == "Show all 312 lines"
    placed = next(p for p in view.row_layout.placed if p.row.item is item)
    x, y = view.column.left() + 40, placed.item_top + item.height - 10
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))
    assert [item.folded] == [False]
    assert item.height > 10 * folded / 2
    view.show_path([message(9, "user", "other")])
    view.show_path([message(0, "assistant", f"```py\n{code}\n```")])
    again = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    assert isinstance(again, CodeItem)
    assert not again.folded, "what was unfolded stays so"
    item.toggle()


def test_code_that_grew_before_the_reader_is_not_folded(view: TranscriptView) -> None:
    code = "```py\n" + "\n".join(f"line {n}" for n in range(100)) + "\n```"
    view.show_path([message(0, "user", "x")])
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", code)
    heights = [p.row.item.height for p in view.row_layout.placed if isinstance(p.row.item, CodeItem)]
    view.stream.finish_answer(message(1, "assistant", code))
    QApplication.processEvents()
    assert [p.row.item.height for p in view.row_layout.placed if isinstance(p.row.item, CodeItem)] == heights


def test_code_wraps_when_asked(view: TranscriptView) -> None:
    line = "word " * 100
    view.show_path([message(0, "assistant", f"```\n{line}\n这是" + "中文" * 60 + "\n```")])
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    assert isinstance(item, CodeItem)
    assert item.overflow > 0
    view.wrap_code(True)
    wrapped = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    assert isinstance(wrapped, CodeItem)
    assert wrapped.overflow == 0
    assert wrapped.height > item.height
    assert wrapped.code == item.code
    assert wrapped.text(0, wrapped.length) == item.code
    rows = [wrapped.caret_rect(n).right() for n in range(0, wrapped.length, 3)]
    assert max(rows) < wrapped.width
    view.wrap_code(False)


def test_a_long_line_is_one_row_where_code_does_not_wrap(view: TranscriptView) -> None:
    view.show_path([message(0, "assistant", f"```\n{'word ' * 600}\nend\n```")])
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    assert item.caret_rect(0).top() == item.caret_rect(2_990).top()


def test_wide_tables_scroll(view: TranscriptView) -> None:
    columns = 14
    table = "\n".join(
        ["|" + "|".join(f"column {n} name" for n in range(columns)) + "|", "|" + "---|" * columns]
        + ["|" + "|".join(f"value {n} of it" for n in range(columns)) + "|"] * 3
    )
    view.show_path([message(0, "assistant", table)])
    placed = next(p for p in view.row_layout.placed if p.row.leaf is not None and p.row.leaf.table is not None)
    assert placed.row.item.overflow > 0
    before = view.viewport().grab().toImage()
    view.scroll_row_sideways(placed, 10_000)
    assert view.viewport().grab().toImage() != before
    end = placed.row.item.caret_rect(placed.row.item.length)
    assert end.x() <= placed.row.item.width
    assert placed.row.item.text(0, placed.row.item.length).count("\t") == 4 * (columns - 1)
