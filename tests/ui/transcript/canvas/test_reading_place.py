"""The text that is read stays where it is read, whatever size the view takes; the end stays the end."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.view import TranscriptView
from tests.core.paths import talk

LONG = " ".join(
    f"Sentence {number} of a paragraph that fills more than a view when it is narrow." for number in range(60)
)
LINES = "\n".join(f"def line_{number}(argument: int) -> int: return argument + {number}" for number in range(30))
CODE = f"Some code:\n\n```python\n{LINES}\n```\n\nThat was it."
WORDY = "a cell with a good many words that takes one line in a wide view and several lines in a narrow one"
TABLE = "| number | words |\n| --- | --- |\n" + "\n".join(f"| {row} | {row} {WORDY} {WORDY} |" for row in range(12))
LIST = "\n".join(f"- Point {number}. " + "It says what it says. " * (number % 9) for number in range(30))
TALK = (
    "A question?",
    LONG,
    "Show me code",
    CODE,
    LONG[:900],
    TABLE,
    "And a list?",
    LIST + "\n\n" + LONG,
    "Thanks",
    LONG,
)
WIDE = (900, 700)

SIZES = st.tuples(st.integers(320, 1400), st.integers(160, 1100))


def shown(view: TranscriptView, qtbot: QtBot) -> None:
    view.show_path(talk(*TALK))
    qtbot.waitUntil(lambda: not view.highlighter.busy and not view.row_layout.unread)


def resize(view: TranscriptView, size: tuple[int, int]) -> None:
    view.resize(*size)
    QApplication.processEvents()
    assert (view.width(), view.height()) == size


def line_at_top(view: TranscriptView) -> tuple[PlacedRow, int, int]:
    """A row, a position in its text, and the top of that line: of the first line that reaches into the view."""
    for placed in view.row_layout.placed:
        item = placed.row.item
        lines = [(item.caret_rect(position), position) for position in range(0, item.length, 3)]
        reaching = [(rect.top(), position) for rect, position in lines if placed.item_top + rect.bottom() >= 0]
        if item.selectable and reaching:
            top, position = min(reaching)
            return placed, position, placed.item_top + top
    raise AssertionError("no text in view")


def top_of(view: TranscriptView, line: tuple[PlacedRow, int, int]) -> int:
    placed = view.placed_row(line[0].row)
    return 10_000 if placed is None else placed.item_top + placed.row.item.caret_rect(line[1]).top()


def at_end(view: TranscriptView) -> bool:
    return view.row_layout.y == view.row_layout.bottom


def places(view: TranscriptView) -> Sequence[tuple[int, int, int]]:
    return [(placed.message, placed.row.slot, placed.top) for placed in view.row_layout.placed]


def test_the_line_at_the_top_stays_there(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, qtbot)

    @settings(max_examples=60, deadline=None)
    @given(st.floats(0, 0.99), st.lists(SIZES, min_size=1, max_size=4))
    @example(0.1, [(420, 700)])
    @example(0.5, [(1400, 700), (400, 200)])
    def holds(share: float, sizes: list[tuple[int, int]]) -> None:
        resize(view, WIDE)
        view.scroll_by(int(view.row_layout.bottom * share) - view.row_layout.y)
        line, before = line_at_top(view), places(view)
        for size in sizes:
            resize(view, size)
            # where too little follows for the view, it ends where the text does
            assert abs(top_of(view, line) - line[2]) <= view.text_style.body.pitch or at_end(view), size
        resize(view, WIDE)
        assert places(view) == before

    holds()


def test_the_end_stays_the_end(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, qtbot)

    @settings(max_examples=20, deadline=None)
    @given(st.lists(SIZES, min_size=1, max_size=4))
    def holds(sizes: list[tuple[int, int]]) -> None:
        view.auto_scroll.show_latest()
        for size in sizes:
            resize(view, size)
            assert view.row_layout.y == view.row_layout.bottom
            assert view.row_layout.placed[-1].bottom == view.row_layout.view

    holds()


def test_a_place_that_was_left_is_found_at_another_width(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, qtbot)

    @settings(max_examples=30, deadline=None)
    @given(st.floats(0.01, 0.8), SIZES)
    @example(0.1, (420, 700))
    def holds(share: float, size: tuple[int, int]) -> None:
        resize(view, WIDE)
        view.scroll_by(int(view.row_layout.bottom * share) - view.row_layout.y)
        line, place = line_at_top(view), view.navigation.whereabouts
        assert place is not None
        view.auto_scroll.show_latest()
        resize(view, size)
        view.navigation.return_to(place)
        assert abs(top_of(view, line) - line[2]) <= view.text_style.body.pitch or at_end(view)

    holds()


def test_the_end_of_an_answer_that_was_watched_is_the_end(view: TranscriptView, qtbot: QtBot) -> None:
    """Room was held for it beneath its question, and it has filled that."""
    shown(view, qtbot)
    row_layout = view.row_layout
    row_layout.hold = (len(TALK) - 2, row_layout.view)
    view.scroll_by(row_layout.bottom - row_layout.y)
    assert row_layout.hold is not None
    resize(view, (420, 700))
    assert row_layout.y == row_layout.bottom
