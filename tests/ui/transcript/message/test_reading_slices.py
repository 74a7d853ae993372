"""A text whose parts have almost no height fills the view in slices: no painting waits until all of it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.transcript.canvas.row_layout import MOST_READ
from desktop_app.ui.transcript.items.line_items import PlaceholderItem
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.view import TranscriptView

DEFINITIONS = "".join(f"[a{number}]: /b\n" for number in range(6_000))
SIGNS = "a\n" * 20_000
PROSE = "".join(f"Paragraph {number} of the text, which is short.\n\n" for number in range(30))


def answer(text: str) -> list[Message]:
    asked = Message("q", "t", None, "user", (TextPart("Well?"),), "2026-01-01T00:00:00Z")
    return [asked, Message("a", "t", "q", "assistant", (TextPart(text),), "2026-01-01T00:00:00Z")]


@dataclass
class Reading(QObject):
    """What is read, by slices: a new one begins whenever the view paints."""

    slices: list[int] = field(default_factory=lambda: [0])
    heaviest: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            self.slices.append(0)
        return False

    def add(self, weight: int) -> None:
        self.slices[-1] += weight
        self.heaviest = max(self.heaviest, weight)


@pytest.fixture
def reading(view: TranscriptView, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reading]:
    made, open_at = Reading(), MessageLayout.open_at

    def counted(layout: MessageLayout, position: int) -> int:
        if isinstance(item := layout.rows[position].item, PlaceholderItem):
            made.add(item.weight)
        return open_at(layout, position)

    monkeypatch.setattr(MessageLayout, "open_at", counted)
    view.viewport().installEventFilter(made)
    yield made
    view.viewport().removeEventFilter(made)


def is_unread(view: TranscriptView) -> bool:
    return view.row_layout.unread


def finish(view: TranscriptView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not is_unread(view))


@pytest.mark.parametrize("text", [DEFINITIONS, SIGNS])
def test_no_slice_reads_more_than_its_share(view: TranscriptView, reading: Reading, qtbot: QtBot, text: str) -> None:
    view.show_path(answer(text))
    finish(view, qtbot)
    assert sum(reading.slices) > MOST_READ + reading.heaviest
    assert max(reading.slices) < MOST_READ + reading.heaviest
    assert not any(isinstance(placed.row.item, PlaceholderItem) for placed in view.row_layout.placed)


def test_prose_fills_the_view_in_one_slice(view: TranscriptView) -> None:
    view.show_path(answer(PROSE * 20))
    assert not is_unread(view)
    assert view.row_layout.placed[0].top <= 0
    assert view.row_layout.placed[-1].bottom >= view.row_layout.view


def test_what_is_read_stays_where_it_is_while_the_rest_of_the_view_is_filled(
    view: TranscriptView, qtbot: QtBot
) -> None:
    view.show_path(answer(PROSE * 10 + DEFINITIONS + "Last words.\n\nThe end.\n"))
    assert is_unread(view)
    last = view.row_layout.placed[-1]
    tops = {last.top}
    while is_unread(view):
        view.row_layout.place_again()
        view.refresh()
        tops.add(next(placed.top for placed in view.row_layout.placed if placed.row is last.row))
    assert tops == {last.top}
    assert view.row_layout.y == view.row_layout.bottom
    assert view.row_layout.placed[0].top <= 0, "the view is full"
    finish(view, qtbot)


def test_scrolling_down_into_such_a_text_moves_only_by_what_was_scrolled(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(answer(PROSE * 4 + DEFINITIONS + PROSE * 4))
    view.navigation.scroll_to_message("a")
    while not is_unread(view):
        assert view.row_layout.y < view.row_layout.bottom
        view.scroll_by(150)
    first = next(placed for placed in view.row_layout.placed if placed.bottom > 0)
    finish(view, qtbot)
    assert next(placed.top for placed in view.row_layout.placed if placed.row is first.row) == first.top
    assert view.row_layout.placed[-1].bottom >= view.row_layout.view
