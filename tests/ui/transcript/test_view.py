"""Selecting, copying, links, buttons, lines beside the messages, and what screen readers see."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, QRect, Qt, QTime
from PySide6.QtGui import QAccessible, QGuiApplication, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from desktop_app.core.events import IMITATED
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import short_day
from desktop_app.ui.theme.theme import OUTDENT, load_bundled_fonts, load_theme
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.code_item import HEADER, CodeItem
from desktop_app.ui.transcript.items.item import CanvasRow
from desktop_app.ui.transcript.items.line_items import NOTE_HEIGHT, NoteItem
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED, StepLine, SummaryLine
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread
from tests.counted_calls import CountedCalls
from tests.ui.transcript.gallery import ANSWER, CREATED, message
from tests.ui.transcript.gallery import thread as gallery_thread

Drag = Callable[[QPoint, QPoint], None]


def place_of(view: TranscriptView, number: int, slot: int = 0) -> PlacedRow:
    """A selectable row in view."""
    return next(p for p in view.row_layout.placed if p.message == number and p.row.slot == slot)


def point_in(view: TranscriptView, placed: PlacedRow, x: int, y: int = 10) -> QPoint:
    """A viewport point inside a row's item."""
    return QPoint(view.column.left() + placed.row.indent + x, placed.item_top + y)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def simple(view: TranscriptView) -> None:
    view.show_path(
        [
            message(0, "user", "First question"),
            message(1, "assistant", "An **answer** here.\n\n- one\n- two\n\n```py\nx = 1\ny = 2\n```"),
            message(2, "user", "Second question"),
        ]
    )


def test_a_drag_over_messages_selects_their_text(view: TranscriptView, drag: Drag) -> None:
    simple(view)
    start, end = place_of(view, 0), place_of(view, 2)
    drag(point_in(view, start, -5), point_in(view, end, 500))
    assert view.copying.selected_text() == (
        "First question\n\nAn answer here.\n\n• one\n• two\n\nx = 1\ny = 2\n\nSecond question"
    )
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == view.copying.selected_text()
    view.copying.copy_as_markdown()
    assert "An **answer** here." in clipboard()
    assert "```py\nx = 1" in clipboard()


def test_a_drag_backwards_selects_the_same(view: TranscriptView, drag: Drag) -> None:
    simple(view)
    drag(point_in(view, place_of(view, 2), 500), point_in(view, place_of(view, 0), -5))
    assert view.copying.selected_text().startswith("First question")
    assert view.copying.selected_text().endswith("Second question")


def test_double_click_selects_a_word_and_triple_click_a_block(view: TranscriptView) -> None:
    simple(view)
    point = point_in(view, place_of(view, 0), 50)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(view.viewport(), left, pos=point)
    QTest.mouseRelease(view.viewport(), left, pos=point)
    QTest.mouseDClick(view.viewport(), left, pos=point)
    assert view.copying.selected_text() == "question"
    QTest.mousePress(view.viewport(), left, pos=point)
    QTest.mouseRelease(view.viewport(), left, pos=point)
    assert view.copying.selected_text() == "First question"


def test_select_all_reaches_messages_that_are_not_in_view(view: TranscriptView) -> None:
    messages = thread(120)
    view.show_path(messages)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    text = view.copying.selected_text()
    assert text.startswith(messages[0].text[:20].replace("**", "").replace("`", "")[:10])
    assert len(text) > 0.8 * sum(len(m.text) for m in messages)


def test_dragging_beyond_the_edge_scrolls(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(thread(40))
    view.navigation.scroll_to_message("m0")
    start = view.row_layout.y
    viewport, left = view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, pos=QPoint(200, 300))
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    below = QPointF(200, viewport.height() + 30)
    move = QMouseEvent(QEvent.Type.MouseMove, below, viewport.mapToGlobal(below), Qt.MouseButton.NoButton, left,
                       Qt.KeyboardModifier.NoModifier)  # fmt: skip
    QApplication.sendEvent(viewport, move)
    qtbot.waitUntil(lambda: view.row_layout.y > start + 200)
    QTest.mouseRelease(viewport, left, pos=QPoint(200, 300))
    y = view.row_layout.y
    qtbot.wait(80)
    assert view.row_layout.y == y, "letting go ends it"


def test_the_copy_button_copies_and_says_so(view: TranscriptView) -> None:
    simple(view)
    placed = next(p for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    at = point_in(view, placed, placed.row.item.width - 40, HEADER // 2)
    before = view.viewport().grab().toImage()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert clipboard() == "x = 1\ny = 2"
    assert view.viewport().grab().toImage() != before
    assert view.selection.range is None


def test_the_header_of_code_stays_in_view_while_the_code_is_read(view: TranscriptView, qapp: QApplication) -> None:
    code = "\n".join(f"line = {number}" for number in range(39))
    view.show_path(
        [message(0, "user", "Code"), message(1, "assistant", f"Here.\n\n```py\n{code}\n```\n\n" + "x\n\n" * 40)]
    )
    view.scroll_by(-100_000)
    assert "code_header" not in view.__dict__
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, CodeItem))
    view.scroll_by(300)
    header = view.code_header
    assert header.isVisible()
    assert (header.y(), header.width(), header.height()) == (0, item.width, HEADER)
    view.scroll_by(40)
    qapp.processEvents()
    moved = view.grab().toImage()
    view.viewport().update()
    assert moved == view.grab().toImage(), "beneath it nothing is left of what stood there before"
    copy = next(x for x in range(item.width) if item.button_at(x, 10) == "copy")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(copy + 4, 10))
    assert clipboard() == code
    placed = next(p for p in view.row_layout.placed if p.row.item is item)
    view.scroll_by(placed.item_top + item.height - 12)
    assert header.y() == 12 - HEADER, "the end of the card takes it along"
    view.scroll_by(100)
    assert not header.isVisible()
    view.scroll_by(-100_000)
    assert not header.isVisible()


def test_emoji_and_cjk_are_copied_whole(view: TranscriptView, drag: Drag) -> None:
    text = "🚀🚀 这是一个 👩‍💻 `🎉 code` end العربية"
    view.show_path([message(0, "assistant", text), message(1, "assistant", f"```\n{text}\n```")])
    drag(point_in(view, place_of(view, 0), -5), point_in(view, place_of(view, 0), 700))
    assert view.copying.selected_text() == text.replace("`", "")
    code = place_of(view, 1)
    drag(point_in(view, code, 0, 50), point_in(view, code, 750, 50))
    assert view.copying.selected_text() == text


def test_links_open_only_by_click_and_only_safe_ones(view: TranscriptView, drag: Drag) -> None:
    opened: list[str] = []
    view.row_actions.link_activated.connect(opened.append)
    text = "[one](https://example.org/a) [two](javascript:alert(1)) [three](file:///etc/passwd)"
    view.show_path([message(0, "assistant", text)])
    placed = place_of(view, 0)
    for x in range(2, 400, 6):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_in(view, placed, x))
    assert set(opened) == {"https://example.org/a"}
    opened.clear()
    drag(point_in(view, placed, 2), point_in(view, placed, 22))
    assert opened == [], "a drag selects"
    for target in ("javascript:alert(1)", "file:///etc/passwd", "ftp://e.org", ""):
        view.row_actions.open_link(target)
    assert opened == []


def test_folds_open_and_close(view: TranscriptView) -> None:
    view.show_path(gallery_thread()[:2])
    view.navigation.scroll_to_message("m0")
    fold = next(p for p in view.row_layout.placed if p.row.part == 0 and p.message == 1)
    rows = len(view.path.layout_of("m1").rows)
    at = point_in(view, fold, 20)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert len(view.path.layout_of("m1").rows) == rows + 2
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert len(view.path.layout_of("m1").rows) == rows


LOG = "\n".join(f"line {number}" for number in range(212))


def question(view: TranscriptView, text: str = LOG) -> Sequence[CanvasRow]:
    """The rows of a question before an answer."""
    view.show_path([message(0, "user", text), message(1, "assistant", "It is a log.")])
    view.scroll_by(-100_000)
    return view.row_layout.message_layout(0).rows


def test_a_long_question_folds_at_eight_lines_and_opens_by_its_words(view: TranscriptView) -> None:
    text, words = question(view)
    assert text.item.text(0, text.item.length).split("\n") == [f"line {number}" for number in range(8)]
    assert words.item.buttons() == (("all", "Show all 212 lines"),)
    placed = view.placed_row(words)
    assert placed is not None
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(view.column.left() + 20, placed.item_top + 8)
    )
    row, less = view.row_layout.message_layout(0).rows
    assert row.item.text(0, row.item.length) == LOG
    assert less.item.buttons() == (("all", "Show less"),)
    view.scroll_by(100_000)
    end = view.placed_row(less)
    assert end is not None
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(view.column.left() + 20, end.item_top + 8))
    text, words = view.row_layout.message_layout(0).rows
    assert words.item.buttons() == (("all", "Show all 212 lines"),)
    assert view.placed_row(text) is not None
    assert len(question(view, "line\n" * 9)) == 1, "one line more is not worth the words"


def last_button(view: TranscriptView) -> str:
    """The words below the question."""
    ((_, words),) = view.row_layout.message_layout(0).rows[-1].item.buttons()
    return words


def test_a_folded_question_opens_for_what_is_found_in_it_and_for_a_jump(view: TranscriptView, qtbot: QtBot) -> None:
    question(view)
    view.mark_found("line 200", "m0")
    qtbot.waitUntil(lambda: view.find_in_thread.done and last_button(view) == "Show less")
    assert any(view.highlights_in(placed) for placed in view.row_layout.placed)
    view.unmark_found()
    view.set_theme(load_theme("dark"))
    question(view)
    assert last_button(view) == "Show all 212 lines"
    view.navigation.jump_to("m0")
    assert last_button(view) == "Show less"


def test_all_of_a_folded_question_is_selected_and_copied(view: TranscriptView) -> None:
    question(view)
    view.selection.select_all()
    view.copying.copy()
    assert QGuiApplication.clipboard().text().startswith(LOG)
    assert "Show less" not in QGuiApplication.clipboard().text()
    question(view)
    view.selection.anchor, view.selection.caret = (0, 0, 0), (0, 0, 6)
    view.copying.copy()
    assert QGuiApplication.clipboard().text() == "line 0"
    assert len(view.row_layout.message_layout(0).rows) == 2, "what is chosen is in view: it stays as it is"


def test_a_broken_answer_offers_to_try_again(view: TranscriptView) -> None:
    asked: list[str] = []
    view.row_actions.retry_requested.connect(asked.append)
    failure = Failure("network", "Connection lost. The text so far is saved.")
    view.show_path([message(0, "user", "x"), message(1, "assistant", "Half", state="partial", failure=failure)])
    placed = next(p for p in view.row_layout.placed if p.row.decoration == "state")
    for x in range(0, 400, 10):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_in(view, placed, x))
    assert asked
    assert set(asked) == {"m1"}


def test_the_load_line_tones_down_what_is_above_it(view: TranscriptView) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"Message {n}") for n in range(6)])
    view.decorations.set_load_line(
        "m4", {"m0": ALWAYS_SENT, "m1": "Left out", "m2": PINNED, "m3": "Left out: too long"}
    )
    faded = {p.message for p in view.row_layout.placed if p.faded}
    assert faded == {1, 3}
    assert next(p.row.decoration for p in view.row_layout.placed if p.message == 4) == "load-line"
    assert view.hint_for(place_of(view, 3)) == "Left out: too long"
    view.decorations.set_load_line(None)
    assert not any(p.faded or p.row.decoration == "load-line" for p in view.row_layout.placed)


def test_without_reasons_all_above_the_load_line_is_toned_down(view: TranscriptView) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"Message {n}") for n in range(6)])
    view.decorations.set_load_line("m2", {})
    assert {p.message for p in view.row_layout.placed if p.faded} == {0, 1}


def test_a_card_takes_the_place_of_the_line_about_a_broken_answer(view: TranscriptView) -> None:
    failure = Failure("network", "Connection lost. The text so far is saved.")
    view.show_path([message(0, "user", "x"), message(1, "assistant", "Half", state="partial", failure=failure)])
    view.footer.set_card(QLabel("Connection lost"))
    assert "state" not in {p.row.decoration for p in view.row_layout.placed}
    view.footer.set_card(None)
    assert "state" in {p.row.decoration for p in view.row_layout.placed}


def clicked(view: TranscriptView, decoration: str) -> set[tuple[str, str]]:
    """What clicks along all lines of that decoration ask for."""
    wanted: list[tuple[str, str]] = []
    view.row_actions.action_requested.connect(lambda *pair: wanted.append(pair))
    for placed in [p for p in view.row_layout.placed if p.row.decoration == decoration]:
        for x in range(0, 500, 8):
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_in(view, placed, x))
    view.row_actions.action_requested.disconnect()
    return set(wanted)


def test_the_line_of_a_step_offers_its_actions_folded_and_unfolded(view: TranscriptView) -> None:
    simple(view)
    actions = [("show", "Show"), ("undo", "Undo")]
    view.decorations.set_steps(StepLine("m0", "38 older messages left out", actions))
    assert clicked(view, "step") == {("m0", "show"), ("m0", "undo")}
    further = [("bring_back", "Bring back…"), ("pin", "Pin…")]
    view.decorations.set_steps(StepLine("m0", "38 older messages left out", actions, [("151K → 104K", further)]))
    assert len([p for p in view.row_layout.placed if p.row.decoration == "step"]) == 2
    assert clicked(view, "step") == {("m0", "show"), ("m0", "undo"), ("m0", "bring_back"), ("m0", "pin")}
    assert all(p.row.item.height == NOTE_HEIGHT for p in view.row_layout.placed if p.row.decoration == "step")
    view.decorations.set_steps(None)
    assert not [p for p in view.row_layout.placed if p.row.decoration == "step"]


def test_older_steps_are_ticks_in_the_margin_with_their_words(view: TranscriptView) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"Message {n}") for n in range(6)])
    before = view.viewport().grab().toImage()
    view.decorations.set_steps(None, {"m2": "38 older messages left out"})
    ticked = [p for p in view.row_layout.placed if p.tick]
    assert [p.message for p in ticked] == [2]
    after = view.viewport().grab().toImage()
    margin = QRect(view.column.right() + 1, ticked[0].top, view.viewport().width(), ticked[0].height)
    assert after.copy(margin) != before.copy(margin)
    assert after.copy(0, 0, view.column.right(), after.height()) == before.copy(
        0, 0, view.column.right(), after.height()
    )
    assert view.hint_for(ticked[0], view.column.right() + 8) == "38 older messages left out"
    assert view.hint_for(ticked[0], view.column.left()) == ""
    assert "38 older messages left out" in view.accessible.name(2)
    view.decorations.set_steps(None)
    assert view.viewport().grab().toImage() == before


def test_a_summary_stands_between_the_messages_and_unfolds(view: TranscriptView) -> None:
    simple(view)
    actions = [("show:s1", "Show"), ("edit:s1", "Edit")]
    view.decorations.set_summaries({"m2": SummaryLine("Conversation Summary of 2 messages", actions)})
    assert next(p.row.decoration for p in view.row_layout.placed if p.message == 2) == "summary"
    assert clicked(view, "summary") == {("m2", "show:s1"), ("m2", "edit:s1")}
    view.decorations.set_summaries(
        {"m2": SummaryLine("Conversation Summary of 2 messages", actions, "Asked: this\n\nOpen: that")}
    )
    assert len([p for p in view.row_layout.placed if p.row.decoration == "summary-text"]) == 2


def test_marks_name_the_states_that_no_line_explains(view: TranscriptView) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", f"Message {n}") for n in range(6)])
    view.decorations.set_load_line(
        None, {"m2": "left out: you excluded it", "m3": "left out: you excluded it"}, {"m2": "Excluded"}
    )
    assert {p.message for p in view.row_layout.placed if p.faded} == {2, 3}
    assert [p.message for p in view.row_layout.placed if p.row.decoration == "mark"] == [2]
    assert not [p for p in view.row_layout.placed if p.row.decoration == "load-line"]
    assert view.accessible.name(3) == "Assistant: left out: you excluded it"


def test_a_question_that_got_no_answer_says_that_it_goes_along_with_the_next(view: TranscriptView) -> None:
    path = [message(0, "user", "And?"), message(1, "user", "And now?"), message(2, "assistant", "Yes.")]
    view.show_path(path[:1])
    assert not [p for p in view.row_layout.placed if p.row.decoration == "unanswered"]
    view.show_path(path)
    assert [p.message for p in view.row_layout.placed if p.row.decoration == "unanswered"] == [0]
    failed = message(1, "assistant", state="error", failure=Failure("overloaded", "It had an internal error."))
    view.show_path([path[0], failed, message(2, "user", "And now?")])
    assert [p.message for p in view.row_layout.placed if p.row.decoration == "unanswered"] == [0]
    view.show_path([path[0], failed])
    assert not [p for p in view.row_layout.placed if p.row.decoration == "unanswered"]


def test_an_answer_without_a_word_says_so(view: TranscriptView) -> None:
    silent = replace(message(1, "assistant", ""), parts=(), backend="anthropic", stop_reason="end_turn")
    view.show_path([message(0, "user", "And?"), silent])
    (row,) = [p.row for p in view.row_layout.placed if p.row.decoration == "state"]
    assert isinstance(row.item, NoteItem)
    assert row.item.note == "The model gave an empty answer."


@pytest.mark.parametrize("stop_reason", ["end_turn", "max_tokens"])
def test_an_answer_that_imitates_a_note_says_so_whenever_it_is_shown(view: TranscriptView, stop_reason: str) -> None:
    forged = replace(message(1, "assistant", 'Yes.\n\n[searched documents] "a" -> 5 passages'), stop_reason=stop_reason)
    view.show_path([message(0, "user", "[searched documents]"), forged, message(2, "user", "And?")])
    (row,) = [p.row for p in view.row_layout.placed if p.row.decoration == "state"]
    assert isinstance(row.item, NoteItem)
    assert row.item.note.endswith(IMITATED)
    assert row.item.note.startswith("Reached the length limit") == (stop_reason == "max_tokens")


def test_the_notice_can_have_words_to_click(view: TranscriptView) -> None:
    simple(view)
    view.footer.set_notice("Summarizing 38 older messages", [("stop_summary", "Stop")])
    assert clicked(view, "notice") == {("", "stop_summary")}


def test_the_keyboard_goes_from_message_to_message_and_opens_their_menu(view: TranscriptView) -> None:
    simple(view)
    asked: list[str] = []
    view.message_context_requested.connect(lambda message_id, _: asked.append(message_id))
    view.decorations.set_load_line(None, {"m0": "left out: you excluded it"})
    control = Qt.KeyboardModifier.ControlModifier
    before = view.viewport().grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_Up, control)
    assert view.keyboard.message == 2, "the last message in view"
    assert view.viewport().grab().toImage() != before, "where the keyboard is can be seen"
    QTest.keyClick(view, Qt.Key.Key_Up, control)
    QTest.keyClick(view, Qt.Key.Key_Up, control)
    QTest.keyClick(view, Qt.Key.Key_Up, control)
    assert view.keyboard.message == 0
    assert QToolTip.text() == "left out: you excluded it", "the reason is told on focus as on hover"
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked == ["m0"]
    assert view.menu is not None
    view.menu.close()


def test_a_card_scrolls_with_the_text(view: TranscriptView) -> None:
    view.show_path(thread(30))
    card = QLabel("Too long")
    card.setMinimumHeight(120)
    view.footer.set_card(card)
    assert card.isVisible()
    assert view.viewport().rect().contains(card.geometry())
    top = card.geometry().top()
    view.scroll_by(-50)
    assert card.geometry().top() == top + 50
    view.scroll_by(-2_000)
    assert not card.isVisible()
    view.footer.set_card(None)
    assert card.parent() is None


def test_a_notice_stands_beneath_the_last_message(view: TranscriptView) -> None:
    simple(view)
    view.footer.set_notice("Rate limited. Trying again in 40 s")
    assert [p.row.decoration for p in view.row_layout.placed if p.message == 3] == ["notice", "end"]
    view.footer.set_notice(None)
    assert [p.row.decoration for p in view.row_layout.placed if p.message == 3] == ["end"]


def test_wide_code_moves_sideways(view: TranscriptView) -> None:
    view.show_path([message(0, "assistant", "```\n" + "x" * 300 + "\n```")])
    item = place_of(view, 0).row.item
    before = view.viewport().grab().toImage()
    assert item.scroll_sideways(200)
    view.refresh()
    assert view.viewport().grab().toImage() != before
    assert item.scroll_sideways(10**6)
    assert not item.scroll_sideways(1), "it ends at the end"


def test_screen_readers_see_a_list_of_messages(view: TranscriptView) -> None:
    simple(view)
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.role() == QAccessible.Role.List
    assert interface.childCount() == 3
    items = [interface.child(number) for number in range(3)]
    assert {item.role() for item in items} == {QAccessible.Role.ListItem}
    names = [item.text(QAccessible.Text.Name) for item in items]
    assert [name.split(",")[0] for name in names] == ["You", "Assistant", "You"]
    when = datetime.fromisoformat(CREATED).astimezone()
    time = QLocale().toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)
    for told in (short_day(when.date()), time):
        assert all(told in name for name in names), "who, and when: day and time; the year where it is another one"
    assert items[0].text(QAccessible.Text.Value) == "First question"
    assert not items[0].rect().isEmpty()


def test_earlier_messages_can_be_added_without_moving_anything(view: TranscriptView, qtbot: QtBot) -> None:
    messages = thread(100)
    with qtbot.waitSignal(view.earlier_requested):
        view.show_path(messages[-4:], total=100)
        view.scroll_by(-(10**6))
    before = view.viewport().grab().toImage()
    view.prepend(messages[:-4])
    assert view.viewport().grab().toImage() == before
    assert view.accessible.count() == 100
    view.scroll_by(-300)
    assert view.row_layout.placed[0].message < 96


def test_a_theme_change_keeps_the_place(view: TranscriptView) -> None:
    view.show_path(thread(60))
    view.navigation.scroll_to_message("m20")
    view.set_theme(load_theme("dark", 14))
    assert view.row_layout.placed[0].message == 20


def test_a_new_state_of_the_path_keeps_the_common_part(view: TranscriptView) -> None:
    messages = thread(30)
    view.show_path(messages)
    view.navigation.scroll_to_message("m10")
    y = view.row_layout.y
    view.refresh_path([*messages[:25], message(99, "assistant", "Another branch")])
    assert view.row_layout.y == y
    assert view.accessible.count() == 26


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["prose", "code", "one line", "list"])
def test_huge_messages_open_with_bounded_work(view: TranscriptView, kind: str) -> None:
    text = {
        "prose": (ANSWER + "\n\n") * 130,
        "code": "```python\n" + "x = compute(1, 2, 3)  # a line\n" * 10_000 + "```",
        "one line": "word" * 75_000,
        "list": "- an item of a list\n" * 6_000,
    }[kind]
    view.show_path([message(0, "user", "x"), message(1, "assistant", text[:1_000])])  # what is made once
    view.viewport().grab()
    with CountedCalls() as opening:
        view.show_path([message(2, "user", "x"), message(3, "assistant", text)])
        view.viewport().grab()
    with CountedCalls() as scrolling:
        view.scroll_by(-3_000)
        view.viewport().grab()
    assert opening.calls < 300_000
    assert scrolling.calls < 60_000


def test_a_formula_is_copied_as_its_source(view: TranscriptView) -> None:
    source = "\\[\n\\frac{a_1}{b*c*d}\n\\]"
    view.show_path([message(0, "assistant", source)])
    view.selection.select_all()
    assert view.copying.selected_text() == "\\frac{a_1}{b*c*d}"
    assert view.copying.selected_markdown() == source


def test_a_closed_view_is_freed_although_a_screen_reader_looked_at_it() -> None:
    load_bundled_fonts()
    QAccessible.setActive(True)
    made = TranscriptView(load_theme("light"))
    simple(made)
    found = QAccessible.queryAccessibleInterface(made)
    assert found is not None
    child = found.child(1)
    assert child is not None
    assert child.text(QAccessible.Text.Name).startswith("Assistant")
    freed = weakref.ref(made)
    made.close()
    shiboken6.delete(made)
    assert child.text(QAccessible.Text.Name) == ""
    assert child.rect().isEmpty()
    del made
    gc.collect()
    QAccessible.setActive(False)
    assert freed() is None


def test_pixels_are_not_reused_where_a_tick_or_the_keyboard_came(view: TranscriptView) -> None:
    simple(view)
    plain = view.row_layout.placed[0]
    version = plain.row.item.version
    assert replace(plain).paints_like(plain, version)
    assert not replace(plain, tick=True).paints_like(plain, version)
    assert not replace(plain, focused=True).paints_like(plain, version)


@pytest.mark.parametrize(("width", "covers"), [(1500, False), (1100, False), (900, True), (500, True)])
def test_the_way_to_the_latest_text_stands_beside_the_column_or_covers_little_of_it(
    view: TranscriptView, width: int, covers: bool
) -> None:
    view.resize(width, 600)
    view.show_path(thread(30))
    view.scroll_by(-2_000)
    button, column = view.latest_button, view.column
    assert button.isVisible()
    assert button.geometry().right() <= view.viewport().width()
    card_end = column.right() + 1 + OUTDENT
    assert (button.geometry().left() < card_end) is covers
    if covers:
        assert button.geometry().left() > card_end - 2 * button.height(), "no wider than its sign"
    assert button.text() == ("↓" if covers else "↓ Latest")
    assert button.accessibleName() == "Show the latest text"


def test_cards_that_are_painted_already_show_that_they_can_be_kept(view: TranscriptView) -> None:
    """After a start the thread is painted before the pane of artifacts is wired."""
    view.show_path([message(0, "assistant", "```python\nprint(1)\n```")])
    view.refresh()
    QApplication.processEvents()
    painted: list[QRect] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if isinstance(event, QPaintEvent):
                painted.append(event.rect())
            return False

    watch = Watch(view)
    view.viewport().installEventFilter(watch)
    view.offer_keeping_code(lambda _code: True)
    QApplication.processEvents()
    placed = next(one for one in view.row_layout.placed if isinstance(one.row.item, CodeItem))
    head = QRect(view.column.left() + placed.row.left, placed.item_top, placed.row.item.width, HEADER)
    assert any(rect.contains(head) for rect in painted)
