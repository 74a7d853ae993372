"""Formulas that are typeset late: what is painted while an answer grows never moves, and nobody loses the place."""

from __future__ import annotations

import random

import pytest
from PIL import Image, ImageChops
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.formulas import inline_formulas as cache
from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache
from desktop_app.ui.transcript.items.paragraph_items import DisplayFormulaItem
from desktop_app.ui.transcript.message.message_changes import FormulaUpdates
from desktop_app.ui.transcript.view import TranscriptView
from tests.counted_calls import CountedCalls
from tests.fakes.formula_press import GatedPress, box
from tests.ui.transcript.canvas.test_pixels import line_of
from tests.ui.transcript.gallery import message
from tests.ui.transcript.message.test_streaming import LAST_GLYPH, changed_rows, edge_of, growing_line, rows_of

TEXT = r"""The sum $s_1$ is short, and \(f(x)\) stands in a paragraph that is long enough to wrap, with $h$ that is
high and $w$ which is wide, before it ends with $e$.

$$
d_1
$$

- an item with $i_1$
- another with $h$ and more

\[ d_2 \]

| Name | Value |
|---|---|
| a | $t_1$ |
| b | $t_2$ and words |

## A heading with $x$ in it

And the price is $5 or $6, the end is $z$.
"""
SIZES = {"h": box(1_500, 2_600, 1_900), "w": box(16_000), "d_1": box(9_000, 3_000, 2_000), "d_2": box(70_000, 900, 300)}


@pytest.fixture
def press(view: TranscriptView) -> GatedPress:
    """What typesets the formulas of the view, when a test says so."""
    view.formula_updates = FormulaUpdates(view, lambda: bool(view.growing), FormulaCache(view, press=GatedPress))
    made = view.formula_updates.formulas.typesetter
    assert isinstance(made, GatedPress)
    return made


def answer_all(view: TranscriptView, press: GatedPress, qtbot: QtBot) -> None:
    """Everything that is asked for arrives."""
    for source, _ in list(press.asked):
        press.answer(source, SIZES.get(source))
    qtbot.waitUntil(lambda: not view.busy)


def picture(view: TranscriptView) -> Image.Image:
    """The painted viewport in greys."""
    grey = view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    size, stride = (grey.width(), grey.height()), grey.bytesPerLine()
    return Image.frombytes("L", size, bytes(grey.constBits()), "raw", "L", stride)


def lost(before: Image.Image, after: Image.Image, area: tuple[int, int, int, int]) -> object:
    """Where in an area (left, top, right, bottom) ink is gone; None: nowhere. Ink that came is no loss."""
    empty = area[2] <= area[0] or area[3] <= area[1]
    return None if empty else ImageChops.subtract(after, before).crop(area).getbbox()


@pytest.fixture(params=[60.0, 0.0], ids=["waiting", "late"])
def hold(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a text waits for its formulas: as long as it takes, or not at all."""
    monkeypatch.setattr(cache, "HOLD_S", request.param)


@pytest.mark.usefixtures("hold")
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])
def test_what_is_painted_never_moves_however_late_formulas_come(
    view: TranscriptView, press: GatedPress, seed: int
) -> None:
    rnd = random.Random(seed)
    view.resize(900, 1_600)
    view.stream.add_message(message(0, "user", "Tell me"))
    view.stream.begin_answer(message(1, "assistant"))
    before, edge, position, line = picture(view), 0, 0, QRect(0, 0, 0, 0)
    while position < len(TEXT) or press.asked:
        if position < len(TEXT) and rnd.random() < 0.8:
            size = rnd.choice([1, 3, 8, 20])
            view.stream.grow_answer("m1", "text", TEXT[position : position + size])
            position += size
            view.stream.show_now()
        elif press.asked:
            source, _ = rnd.choice(press.asked)
            press.answer(source, SIZES.get(source), failed=rnd.random() < 0.2)
            view.formula_updates.formulas.take_arrived()
            view.formula_updates.formulas.announce()
        after = picture(view)
        told = f"after {TEXT[:position][-40:]!r}, still asked {press.asked}"
        gone = lost(before, after, (0, 0, after.width, max(0, edge)))
        assert gone is None, f"{gone} above {edge} moved {told}"
        gone = lost(before, after, (0, line.top(), max(0, line.right() - LAST_GLYPH), line.bottom()))
        assert gone is None, f"the growing line at {line.top()} itself moved at {gone} {told}"
        before, edge, line = after, edge_of(view, 1), growing_line(view, rows_of(view))
    view.stream.finish_answer(message(1, "assistant", TEXT))
    assert lost(before, picture(view), (0, 0, before.width, max(0, edge))) is None
    assert not view.path.layout_of("m1").held


def shown(view: TranscriptView, number: int = 1) -> list[str]:
    """What the rows of a message read that are there to be seen."""
    return [row.item.reading for row in view.row_layout.message_layout(number).rows if row.slot >= 0]


def test_what_follows_a_formula_waits_for_it_but_not_for_long(
    view: TranscriptView, press: GatedPress, qtbot: QtBot
) -> None:
    view.stream.add_message(message(0, "user", "Tell me"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "Before.\n\n$$\na\n$$\n\nBehind it.\n\n$$\nb\n$$\n\nThe end.\n\n")
    view.stream.show_now()
    assert shown(view) == ["Before.", "a"]
    press.answer("a", box(4_000, 2_000, 1_000))
    qtbot.waitUntil(lambda: len(shown(view)) > 2)
    assert shown(view) == ["Before.", "a", "Behind it.", "b"]
    qtbot.waitUntil(lambda: len(shown(view)) > 4)
    assert shown(view) == ["Before.", "a", "Behind it.", "b", "The end."]
    painted = rows_of(view)
    press.answer("b", box(4_000, 2_000, 1_000))
    qtbot.waitUntil(lambda: not view.busy)
    assert changed_rows(painted, rows_of(view)) == [], "it came too late for this answer"


def test_nothing_is_shown_behind_words_that_still_wait(
    view: TranscriptView, press: GatedPress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time to wait is over, and more of the answer comes before the timer that tells so."""
    monkeypatch.setattr(cache, "HOLD_S", 60.0)
    view.stream.add_message(message(0, "user", "Tell me"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "It is $a$ in the end.\n\nAnd")
    view.stream.show_now()
    assert shown(view) == ["It is a in the end."]
    monkeypatch.setattr(cache, "HOLD_S", 0.0)
    view.stream.grow_answer("m1", "text", " more.\n\n")
    view.stream.show_now()
    assert shown(view) == ["It is a in the end.", "And more."]
    painted = rows_of(view)
    view.formula_updates.formulas.announce()
    assert changed_rows(painted, rows_of(view)) == []


def test_what_came_too_late_is_typeset_once_it_has_left_the_view(
    view: TranscriptView, press: GatedPress, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(cache, "HOLD_S", 0.0)
    text = "Before $h$.\n\n$$\na\n$$\n\n" + "More of it.\n\n" * 60
    view.stream.add_message(message(0, "user", "Tell me"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", text)
    view.stream.show_now()
    view.stream.finish_answer(message(1, "assistant", text))
    painted = rows_of(view)
    answer_all(view, press, qtbot)
    assert changed_rows(painted, rows_of(view)) == []
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, DisplayFormulaItem))
    height = item.height
    view.scroll_by(40)
    assert item.height == height, "a part of it is still in view"
    view.scroll_by(900)
    view.scroll_by(-9_000)
    assert any(placed.row.item is item for placed in view.row_layout.placed)
    assert item.caret_rect(0).x() > 100, "it is typeset, and so it is centred"
    assert changed_rows(painted, rows_of(view))


def test_in_a_stored_message_formulas_appear_when_they_come(
    view: TranscriptView, press: GatedPress, qtbot: QtBot
) -> None:
    paragraphs = [f"Paragraph {n} with $h$ in it.\n\n$$\nd_{n % 2 + 1}\n$$\n" for n in range(30)]
    view.show_path([message(0, "user", "Tell me"), message(1, "assistant", "\n".join(paragraphs))])
    view.scroll_by(-600)
    top = view.row_layout.placed[0]
    place, painted, extent = (top.row, top.top), rows_of(view), view.row_layout.extent
    answer_all(view, press, qtbot)
    assert changed_rows(painted, rows_of(view))
    assert (view.row_layout.placed[0].row, view.row_layout.placed[0].top) == place, "the top of the view has not moved"
    assert view.row_layout.extent > extent
    fresh = view.viewport().grab().toImage()
    view.repaint_all()
    assert view.viewport().grab().toImage() == fresh


def test_who_reads_the_end_stays_at_the_end(view: TranscriptView, press: GatedPress, qtbot: QtBot) -> None:
    text = "\n".join(f"Paragraph {n} with $h$ in it.\n" for n in range(30)) + "\n$$\nd_1\n$$\n\nThe end."
    view.show_path([message(0, "user", "Tell me"), message(1, "assistant", text)])
    answer_all(view, press, qtbot)
    assert view.row_layout.y == view.row_layout.bottom
    assert (
        view.row_layout.placed[-2].row.item.reading == "The end."
        or view.row_layout.placed[-1].bottom <= view.row_layout.view
    )


def test_what_is_in_view_stays_while_an_answer_grows(view: TranscriptView, press: GatedPress, qtbot: QtBot) -> None:
    view.show_path([message(0, "user", "One"), message(1, "assistant", "It is $h$.\n\n$$\nd_1\n$$\n")])
    view.stream.begin_answer(message(2, "assistant"))
    view.stream.grow_answer("m2", "text", "An answer\n\n")
    view.stream.show_now()
    painted = rows_of(view)
    answer_all(view, press, qtbot)
    assert changed_rows(painted, rows_of(view)) == []
    for _ in range(60):
        view.stream.grow_answer("m2", "text", "More of it.\n\n")
    view.stream.show_now()
    view.auto_scroll.show_latest()
    view.scroll_by(100)
    assert not any(placed.message == 1 for placed in view.row_layout.placed)
    view.scroll_by(-9_000)
    item = next(p.row.item for p in view.row_layout.placed if isinstance(p.row.item, DisplayFormulaItem))
    assert item.height > 60, "what had left the view is typeset"
    assert changed_rows(painted, rows_of(view))


def test_a_narrow_window_scrolls_a_wide_formula(view: TranscriptView, press: GatedPress, qtbot: QtBot) -> None:
    view.show_path([message(0, "assistant", "\\[ d_2 \\]")])
    answer_all(view, press, qtbot)
    (item,) = [p.row.item for p in view.row_layout.placed if isinstance(p.row.item, DisplayFormulaItem)]
    assert item.overflow > 100
    placed = next(p for p in view.row_layout.placed if p.row.item is item)
    before = view.viewport().grab().toImage()
    view.scroll_row_sideways(placed, 100_000)
    assert item.button_at(10, item.height - 4) == "bar"
    assert not item.scroll_sideways(1)
    after = view.viewport().grab().toImage()
    assert [y for y in range(after.height()) if line_of(after, y) != line_of(before, y)]


def test_a_formula_of_its_own_is_centred_found_selected_and_copied(
    view: TranscriptView, press: GatedPress, qtbot: QtBot
) -> None:
    source = "Before\n\n\\[\nd_1\n\\]\n\nBehind $s_1$ too"
    view.show_path([message(0, "user", "x"), message(1, "assistant", source)])
    answer_all(view, press, qtbot)
    placed = next(p for p in view.row_layout.placed if isinstance(p.row.item, DisplayFormulaItem))
    item = placed.row.item
    left, right = item.caret_rect(0).x(), item.caret_rect(item.length).x()
    assert left == pytest.approx(item.width - right, abs=3)
    assert (item.position_at(left, 5), item.position_at(right, 5)) == (0, item.length)
    assert item.snapped(1, 1) == item.length
    plain = view.viewport().grab().toImage()
    view.selection.anchor = (1, placed.row.slot, 0)
    view.selection.caret = (1, placed.row.slot, item.length)
    view.selection.show()
    assert view.copying.selected_text() == "d_1"
    assert view.copying.selected_markdown() == "\\[\nd_1\n\\]"
    assert changed_columns(plain, view.viewport().grab().toImage(), placed.item_top + 2)
    view.selection.select_all()
    assert view.copying.selected_text() == "x\n\nBefore\n\nd_1\n\nBehind s_1 too"
    assert view.copying.selected_markdown() == "x\n\n" + source
    assert "d_1" in view.accessible.text(1)
    view.bars.open_find()
    view.find_in_thread.bar.field.setText("d_1")
    qtbot.waitUntil(lambda: view.find_in_thread.bar.count.text() == "1 of 1")


def changed_columns(one: QImage, other: QImage, y: int) -> list[int]:
    return [x for x in range(one.width()) if one.pixel(x, y) != other.pixel(x, y)]


def test_formulas_are_toned_down_above_the_load_line(view: TranscriptView, press: GatedPress, qtbot: QtBot) -> None:
    view.show_path([message(0, "user", "x"), message(1, "assistant", "$$\nd_1\n$$"), message(2, "user", "y")])
    answer_all(view, press, qtbot)

    def ink() -> str:
        placed = next(p for p in view.row_layout.placed if isinstance(p.row.item, DisplayFormulaItem))
        item = placed.row.item
        x = view.column.left() + (item.caret_rect(0).x() + item.caret_rect(item.length).x()) // 2
        return view.viewport().grab().toImage().pixelColor(x, placed.item_top + item.baseline - 5).name()

    assert ink() == view.text_style.color("text").name()
    view.decorations.set_load_line("m2")
    assert ink() == view.text_style.color("text-secondary").name()


@pytest.mark.slow
def test_hostile_formulas_stall_nothing(view: TranscriptView, qtbot: QtBot) -> None:
    """With the real process: the window's own thread works some milliseconds at a time, whatever is to be typeset."""
    deep, wide = r"\frac{" * 25 + "1" + "}{2}" * 25, r"\begin{matrix}" + "&".join("x" * 300) + r"\end{matrix}"
    texts = [
        "\n\n".join(f"$$\n{source} + {n}\n$$" for n in range(6) for source in (deep, wide)),
        "$$" + "x^" * 50_000 + "$$",
        " ".join(f"$x_{{{n}}}$" for n in range(4_000)),
        "\\[ " + "{" * 50_000,
        "\\( " * 5_000,
        "$a $" * 5_000,
        "| $x$ |\n|---|\n" + "\n".join(f"| $y_{{{n}}}$ |" for n in range(500)),
    ]
    view.show_path([message(0, "user", "x"), message(1, "assistant", "$$a$$")])  # what is made once
    qtbot.waitUntil(lambda: not view.busy)
    for number, text in enumerate(texts, 2):
        with CountedCalls() as opening:
            view.show_path([message(0, "user", "x"), message(number, "assistant", text)])
            view.viewport().grab()
        longest = 0
        for _ in range(60):
            with CountedCalls() as work:
                QApplication.processEvents()
            longest = max(longest, work.calls)
            qtbot.wait(10)
        assert opening.calls < 300_000, text[:40]
        # however many arrive together on a busy computer: far less than laying the message out anew
        assert longest < 60_000, text[:40]
