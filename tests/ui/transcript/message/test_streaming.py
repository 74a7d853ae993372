"""While an answer streams, painted text never moves, and the view is moved by nobody but the reader."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import zip_longest

import pytest
from pygments.lexers.python import PythonLexer
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.code_lexing import LineLexer
from desktop_app.core.messages import TextPart, ThinkingPart, ToolCallPart
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import CODE, text_of, thread
from tests.ui.transcript.canvas.test_pixels import line_of
from tests.ui.transcript.gallery import ANSWER, message

#: Pixels at the end of a line that may change when more comes: the last letter is joined to the next one.
LAST_GLYPH = 14

HARD = """Some **bold text that is long enough to reach the end of the line and to go on and on until it stands in \
the next one** and more of it, with unbelievably longwindedcompoundwords and incomprehensibilities at the end of lines.

A sentence with a [link whose words are many](https://example.org/a/b/c) and `code that is inline` near the end.

Steps:
- first
- second with *emphasis*

- third, which makes the list a loose one

1. one
2. two
   - inner

| Column | Value of it |
|---|---:|
| a | 1 |
| a much longer cell than the ones above it | 2 |

# A heading

LONG_WORDS
```
code
  more code
```
Done, with math \\(a*b*c\\) and $x_1$ at the end.
""".replace("LONG_WORDS", " ".join(["extraordinary incomprehensibilities of it"] * 12))


def rows_of(view: TranscriptView) -> list[bytes]:
    """The painted viewport, row by row."""
    image = view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return [line_of(image, y) for y in range(image.height())]


def changed_rows(before: Sequence[bytes], after: Sequence[bytes]) -> list[int]:
    """The numbers of the rows that differ: a failure shows these, not their pixels."""
    return [y for y, (one, other) in enumerate(zip_longest(before, after)) if one != other]


def edge_of(view: TranscriptView, message_number: int) -> int:
    """The top of the last line of the growing message, in viewport pixels; beneath it there may be a card's padding."""
    rows = [placed for placed in view.row_layout.placed if placed.message == message_number]
    last = rows[-1]
    return last.item_top + last.row.item.height - view.text_style.body.pitch - 14


def growing_line(view: TranscriptView, rows: list[bytes]) -> QRect:
    """Where there is ink in the last line of a growing paragraph; empty for what is no plain paragraph."""
    if not isinstance(item := view.row_layout.placed[-2].row.item, TextItem) or not item.growing:
        return QRect(0, 0, 0, 0)
    bottom = view.row_layout.placed[-2].item_top + item.height
    top = bottom - view.text_style.body.pitch
    white = rows[0][:4]
    widths = [len(row) // 4 - (len(row) - len(row.rstrip(white))) // 4 for row in rows[top:bottom]]
    return QRect(0, top, max([*widths, 0]), bottom - top)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_painted_text_never_moves(view: TranscriptView, seed: int) -> None:
    rnd = random.Random(seed)
    view.resize(900, 1_400)
    view.stream.add_message(message(0, "user", "Tell me"))
    view.stream.begin_answer(message(1, "assistant"))
    before, edge, position, line = rows_of(view), 0, 0, QRect(0, 0, 0, 0)
    while position < len(HARD):
        size = rnd.choice([1, 2, 3, 5, 8, 13])
        view.stream.grow_answer("m1", "text", HARD[position : position + size])
        position += size
        view.stream.show_now()
        after = rows_of(view)
        told = f"above {edge} after {HARD[:position][-40:]!r}"
        assert changed_rows(before[: max(0, edge)], after[: max(0, edge)]) == [], told
        until = 4 * (line.right() - LAST_GLYPH)
        old, new = ([row[:until] for row in rows[line.top() : max(0, line.bottom())]] for rows in (before, after))
        assert changed_rows(old, new) == [], f"the growing line itself moved {told}"
        before, edge, line = after, edge_of(view, 1), growing_line(view, after)
    y_before = view.row_layout.y
    view.stream.finish_answer(message(1, "assistant", HARD))
    assert view.row_layout.y == y_before
    after = rows_of(view)
    assert changed_rows(before[: max(0, edge)], after[: max(0, edge)]) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_painted_text_never_moves_when_chunks_come_in_bursts(view: TranscriptView, qtbot: QtBot, seed: int) -> None:
    rnd = random.Random(seed)
    # code without a language: colors that come later are no movement
    plain = re.sub(r"```\w+", "```", text_of(random.Random(seed), 3_000))
    text = "\n\n".join([HARD, plain, HARD])
    view.resize(900, 1_000)
    view.show_path(thread(20))
    view.stream.add_message(message(900, "user", "Tell me"))
    view.stream.begin_answer(message(901, "assistant"))
    qtbot.wait(20)
    before, edge, position, compared = rows_of(view), 0, 0, 0
    question = view.row_layout.y
    while position < len(text):
        for _ in range(rnd.choice([1, 1, 2, 4, 12])):
            size = rnd.choice([1, 2, 5, 13, 60, 200])
            view.stream.grow_answer("m901", "text", text[position : position + size])
            position += size
            if rnd.random() < 0.3:
                qtbot.wait(rnd.choice([0, 1, 7, 17]))
        qtbot.wait(rnd.choice([0, 3, 18, 40]))
        after = rows_of(view)
        edge = min(edge, len(after))
        assert changed_rows(before[: max(0, edge)], after[: max(0, edge)]) == [], (
            f"above {edge} after {text[:position][-40:]!r}"
        )
        assert view.row_layout.y == question
        compared += edge > 200
        before, edge = after, edge_of(view, 21)
    assert compared > 10


def test_code_that_grows_is_not_read_again_from_its_beginning(
    view: TranscriptView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = CODE["python"] * 60
    tokens: list[object] = []
    role = LineLexer._role

    def counted(lexer: LineLexer, kind: object) -> str | None:
        tokens.append(kind)
        return role(lexer, kind)  # type: ignore[arg-type]

    monkeypatch.setattr(LineLexer, "_role", counted)
    list(LineLexer(PythonLexer()).run(code))
    whole = len(tokens)
    view.stream.add_message(message(0, "user", "Write it"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "```python\n" + code[:200])
    view.stream.show_now()
    qtbot.waitUntil(lambda: len(tokens) > whole and not view.highlighter.busy)
    tokens.clear()
    for start in range(200, len(code), 40):
        view.stream.grow_answer("m1", "text", code[start : start + 40])
        view.stream.show_now()
    qtbot.waitUntil(lambda: not view.highlighter.busy)
    assert whole < len(tokens) < 6 * whole, "each chunk is colored, and with it no more than the line that it ends"


def test_the_question_moves_to_the_top_and_nothing_scrolls_after_that(view: TranscriptView) -> None:
    view.show_path(thread(40))
    view.stream.add_message(message(40, "user", "A question"))
    view.stream.begin_answer(message(41, "assistant"))
    top = next(placed.top for placed in view.row_layout.placed if placed.message == 40)
    assert 0 <= top <= 16
    y = view.row_layout.y
    for _ in range(120):
        view.stream.grow_answer("m41", "text", "More and more words of an answer that gets long. ")
        view.stream.grow_answer("m41", "text", "\n\n")
        view.stream.show_now()
        assert view.row_layout.y == y


def turned(view: TranscriptView, angle: int) -> None:
    """The wheel is turned over the text."""
    at = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        at,
        QPointF(view.viewport().mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_latest_appears_when_the_answer_leaves_the_view(view: TranscriptView, qtbot: QtBot) -> None:
    seen: list[bool] = []
    view.latest_visible_changed.connect(seen.append)
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    assert view.latest_button.isHidden()
    for _ in range(60):
        view.stream.grow_answer("m1", "text", "A paragraph.\n\n")
    view.stream.show_now()
    assert seen == [True]
    assert view.latest_button.accessibleName()
    view.latest_button.click()
    assert seen == [True, False]
    assert view.row_layout.placed[-1].message >= 1
    for _ in range(40):
        view.stream.grow_answer("m1", "text", "One more.\n\n")
        view.stream.show_now()
        assert view.latest_button.isHidden()
        end = view.row_layout.heights.total - view.row_layout.y
        assert view.row_layout.view // 2 < end <= view.row_layout.view, "after Latest the view follows the end"
    y = view.row_layout.y
    turned(view, 480)
    assert view.row_layout.y < y
    y = view.row_layout.y
    view.stream.grow_answer("m1", "text", "A last one.\n\n")
    view.stream.show_now()
    assert view.row_layout.y == y, "a reader who scrolls is left alone"
    assert not view.latest_button.isHidden()
    view.latest_button.click()
    view.stream.finish_answer(message(1, "assistant", "The end.\n\n" * 40))
    assert view.latest_button.isHidden(), "to its end"


def test_a_reader_who_scrolls_is_left_alone(view: TranscriptView) -> None:
    view.show_path(thread(60))
    view.stream.add_message(message(60, "user", "A question"))
    view.stream.begin_answer(message(61, "assistant"))
    view.scroll_by(-900)
    y, shown = view.row_layout.y, [(p.message, p.top) for p in view.row_layout.placed]
    view.stream.grow_answer("m61", "text", text_of(random.Random(5), 5_000))
    view.stream.show_now()
    assert (view.row_layout.y, [(p.message, p.top) for p in view.row_layout.placed]) == (y, shown)
    view.stream.finish_answer(message(61, "assistant", "short"))
    assert [(p.message, p.top) for p in view.row_layout.placed] == shown


def test_streamed_rows_are_those_of_the_stored_message(view: TranscriptView, qtbot: QtBot) -> None:
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    for start in range(0, len(ANSWER), 7):
        view.stream.grow_answer("m1", "text", ANSWER[start : start + 7])
        view.stream.show_now()
    grown = view.path.layout_of("m1")
    view.stream.finish_answer(message(1, "assistant", ANSWER))
    qtbot.waitUntil(lambda: not grown.held)
    streamed = [(type(row.item), row.leaf) for row in grown.rows]
    view.stream.replace_message(message(1, "assistant", ANSWER))
    assert view.path.layout_of("m1") is not grown
    assert [(type(row.item), row.leaf) for row in view.path.layout_of("m1").rows] == streamed


def test_thinking_tools_and_text_stand_in_order(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    call = ToolCallPart("c", "search", {"query": "x"})
    view.stream.grow_answer("m1", "thinking", "Let me ")
    view.stream.grow_answer("m1", "thinking", "see")
    view.stream.finish_part("m1", ThinkingPart("Let me see", "signature"))
    view.stream.grow_answer("m1", "text", "I search.")
    view.stream.finish_part("m1", TextPart("I search."))
    view.stream.finish_part("m1", call)
    view.stream.grow_answer("m1", "text", "Found.")
    view.stream.show_now()
    layout = view.path.layout_of("m1")
    kinds = [type(row.item).__name__ for row in layout.rows]
    assert kinds == ["FoldItem", "TextItem", "ToolItem", "TextItem"]
    parts = (ThinkingPart("Let me see", "signature"), TextPart("I search."), call, TextPart("Found."))
    view.stream.finish_answer(message(1, "assistant", *parts))
    assert view.path.layout_of("m1") is layout
    assert [type(row.item).__name__ for row in layout.rows] == kinds


def test_a_reset_starts_the_answer_again(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "Wrong start")
    view.stream.show_now()
    view.stream.reset_answer("m1")
    view.stream.grow_answer("m1", "text", "Right")
    view.stream.show_now()
    assert view.accessible.text(1) == "Right"


def test_an_answer_with_a_late_form_is_shown_as_stored(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "Half")
    view.stream.finish_answer(message(1, "assistant", "Half and half", state="partial"))
    assert view.accessible.text(1) == "Half and half"
    assert [row.decoration for row in view.path.layout_of("m1").rows][-1] == "state"


def test_many_chunks_in_a_frame_are_shown_together(view: TranscriptView, qtbot: QtBot) -> None:
    view.stream.add_message(message(0, "user", "A question"))
    view.stream.begin_answer(message(1, "assistant"))
    shown: list[int] = []
    view.rows_shown.connect(lambda: shown.append(1))
    for _ in range(200):
        view.stream.grow_answer("m1", "text", "w ")
    assert len(shown) <= 3, "the first at once, the rest at the end of the frame"
    qtbot.waitUntil(lambda: view.accessible.text(1).count("w") == 200)
