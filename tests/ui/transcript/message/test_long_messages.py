"""A long message is read where it is looked at, and looks as if it had been read whole."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextLine

from desktop_app.core.messages import Message, TextPart, ThinkingPart
from desktop_app.ui.transcript.items import text_item
from desktop_app.ui.transcript.items.item import CanvasRow, x_of
from desktop_app.ui.transcript.items.line_items import PlaceholderItem
from desktop_app.ui.transcript.message import message_layout as layouts
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import text_of, thread
from tests.ui.transcript.gallery import message

LONG = text_of(random.Random(7), 60_000)


def long_message(*, thinking: bool = False) -> Message:
    parts = (ThinkingPart(LONG), TextPart("So.")) if thinking else (TextPart(LONG),)
    return Message("long", "t", None, "assistant", parts, "2026-01-01T00:00:00Z")


def unread(layout: MessageLayout) -> list[CanvasRow]:
    return [row for row in layout.rows if isinstance(row.item, PlaceholderItem)]


def looks(layout: MessageLayout) -> list[object]:
    return [(r.leaf, r.gap, r.tail, r.containers, r.marker, r.part, r.quoted_above, r.slot >= 0) for r in layout.rows]


@pytest.fixture
def read_whole(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Undone by the test where sections begin to count."""
    monkeypatch.setattr(layouts, "is_long", lambda _text: False)
    return monkeypatch


@pytest.mark.parametrize("thinking", [False, True])
def test_rows_made_in_sections_are_those_of_the_whole(
    view: TranscriptView, read_whole: pytest.MonkeyPatch, thinking: bool
) -> None:
    message = long_message(thinking=thinking)
    whole = MessageLayout(view.row_builder, message, {0})
    read_whole.undo()
    cut = MessageLayout(view.row_builder, message, {0})
    assert len(unread(cut)) > 8
    order = list(range(0, 3 * len(unread(cut)), 2))
    for position in order:
        if waiting := unread(cut):
            cut.open_at(cut.rows.index(waiting[position % len(waiting)]))
    cut.open_all()
    assert looks(cut) == looks(whole)
    slots = [row.slot for row in cut.rows if row.slot >= 0]
    assert slots == sorted(set(slots))


def test_only_what_is_in_view_is_read(view: TranscriptView) -> None:
    view.show_path([long_message()])
    layout = view.row_layout.message_layout(0)
    before = len(unread(layout))
    assert before > 5
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert before > len(unread(layout)) >= before - 2
    assert not any(isinstance(placed.row.item, PlaceholderItem) for placed in view.row_layout.placed)


def test_a_selection_stays_where_it_is_when_rows_above_it_are_made(view: TranscriptView) -> None:
    view.show_path([long_message()])
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    placed = next(p for p in view.row_layout.placed if p.row.slot >= 0 and p.row.item.length > 10)
    view.selection.anchor, view.selection.caret = (0, placed.row.slot, 0), (0, placed.row.slot, 8)
    text = view.copying.selected_text()
    assert text
    assert not unread(view.row_layout.message_layout(0)), "copying reads what it copies"
    assert placed.row in view.row_layout.message_layout(0).rows
    assert view.selection.within(placed) == (0, 8)
    assert view.copying.selected_text() == text


def test_nothing_in_view_moves_when_rows_above_it_are_made(view: TranscriptView) -> None:
    view.show_path([*thread(20), long_message(), *thread(4)])
    view.navigation.scroll_to_message("long")
    view.scroll_by(9_000)
    for _ in range(60):
        tops = {id(placed.row): placed.top for placed in view.row_layout.placed}
        view.scroll_by(-150)
        moved = {placed.top - tops[id(placed.row)] for placed in view.row_layout.placed if id(placed.row) in tops}
        assert moved == {150}


def test_all_of_a_long_message_can_be_reached(view: TranscriptView) -> None:
    view.show_path([long_message()])
    seen: set[int] = set()
    view.navigation.scroll_to_message("long")
    while view.row_layout.y < view.row_layout.bottom:
        seen |= {id(placed.row) for placed in view.row_layout.placed}
        view.scroll_by(500)
    seen |= {id(placed.row) for placed in view.row_layout.placed}
    layout = view.row_layout.message_layout(0)
    assert not unread(layout)
    assert {id(row) for row in layout.rows} <= seen
    assert view.placed_at(QPoint(0, view.viewport().height() - 30).y()) is not None


def test_a_thread_shown_again_knows_its_heights(view: TranscriptView) -> None:
    messages, other = thread(400), thread(10, "other")
    view.show_path(messages)
    view.navigation.scroll_to_message("m200")
    learnt = view.row_layout.heights[200]
    bottom = view.row_layout.bottom
    view.show_path(other)
    view.show_path(messages)
    assert view.row_layout.heights[200] == learnt
    assert view.row_layout.bottom == bottom
    assert view.row_layout.y == view.row_layout.bottom
    changed = [*messages[:-1], Message("last", "t", "m398", "assistant", (TextPart("x"),), "")]
    view.show_path(other)
    view.show_path(changed)
    assert view.row_layout.heights.total == sum(view.row_layout.heights)
    assert view.row_layout.bottom < bottom


def test_code_that_hangs_over_the_end_of_a_line_is_not_looked_for(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[int] = []

    def counted(line: QTextLine, position: int) -> float:
        places.append(position)
        return x_of(line, position)

    monkeypatch.setattr(text_item, "x_of", counted)
    view.show_path([message(0, "assistant", "Say `a`, `b` and `c`.")])
    view.grab()
    assert len(set(places)) == 6, "each piece of code has its background"
    places.clear()
    view.show_path([message(0, "assistant", "` " * 2_000)])
    view.grab()
    assert 0 < len(set(places)) <= 2 * text_item.MOST_BOXES
