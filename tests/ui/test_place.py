"""The place in the transcript never moves by itself: every pixel is where it was after a page, a theme, a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.core.messages import DocumentPart, Failure, TextPart
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.action_bar import BranchItem
from desktop_app.ui.transcript.message.decorations import StepLine
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import trimmed

pytestmark = pytest.mark.slow

ANSWER = "\n\n".join(
    f"Paragraph {number}. " + "The quick brown fox jumps over the lazy dog. " * (3 + number % 4) for number in range(14)
)
CODE = "```python\nfor number in range(10):\n    print(number)\n```\n\n"

PAGES: dict[str, Callable[[OpenWindow], None]] = {
    "usage": lambda window: window.presenters.pages.show("usage"),
    "preferences": lambda window: window.presenters.pages.show("preferences"),
    "shortcuts": lambda window: window.presenters.pages.show("shortcuts"),
    "prompts": lambda window: window.presenters.pages.show("prompts"),
    "a new prompt": lambda window: window.presenters.pages.show("prompt"),
    "system prompt": lambda window: window.presenters.pages.show("system_prompt"),
    "document": lambda window: window.presenters.pages.show(
        "document", DocumentPart("a.txt", "Line.\n" * 400, "0" * 64)
    ),
    "connections": lambda window: window.shortcut("connections"),
}


def in_the_middle(window: OpenWindow) -> None:
    view = window.transcript
    view.scroll_by(view.row_layout.heights.before(1) + 333 - view.row_layout.y)


def near_the_end(window: OpenWindow) -> None:
    window.transcript.auto_scroll.show_latest()
    window.transcript.scroll_by(-40)


PLACES: dict[str, Callable[[OpenWindow], None]] = {
    "in the middle": in_the_middle,
    "near the end": near_the_end,
    "at the end": lambda window: window.transcript.auto_scroll.show_latest(),
    "beneath the question": lambda window: None,  # as sending left it
}


async def talk(window: OpenWindow) -> None:
    window.window.resize(760, 700)
    window.window.show()
    window.backend.reply(TextDelta(CODE + ANSWER), Ended("end_turn"))
    await window.send("first")
    window.backend.reply(TextDelta(ANSWER + "\n\n" + CODE), Ended("end_turn"))
    await window.send("second")
    window.backend.reply(TextDelta("Short."), Ended("end_turn"))
    await window.send("third")
    await rested(window)


async def rested(window: OpenWindow) -> None:
    """What is done at rest is done: code has its colours, what is near is laid out."""
    await window.settled()
    view = window.transcript
    await window.until(lambda: not (view.highlighter.busy or view._rest.isActive()), "the transcript's rest")


def pixels(window: OpenWindow) -> QImage:
    return window.transcript.viewport().grab().toImage()


def differing_line(before: QImage, after: QImage) -> int:
    """The first line of pixels that is not as it was, -1: none."""
    if before.size() != after.size():
        return 0
    lines = range(before.height())
    width = before.width()
    return next((y for y in lines if before.copy(0, y, width, 1) != after.copy(0, y, width, 1)), -1)


@pytest.mark.parametrize("place", PLACES)
async def test_every_pixel_is_where_it_was_after_every_page(place: str, window: OpenWindow) -> None:
    await talk(window)
    PLACES[place](window)
    await rested(window)
    before = pixels(window)
    moved = []
    for name, show in PAGES.items():
        show(window)
        await window.until(lambda: not window.window.stage.reading, name)
        await window.settled()
        await asyncio.sleep(0.02)
        QTest.keyClick(QApplication.focusWidget() or window.window, Qt.Key.Key_Escape)
        await window.until(lambda: window.window.stage.reading, f"the way back from {name}")
        await rested(window)
        if (line := differing_line(before, pixels(window))) >= 0:
            moved.append((name, line))
    assert moved == []


@pytest.mark.parametrize("place", PLACES)
async def test_a_window_that_was_another_size_for_a_while_shows_the_same_again(place: str, window: OpenWindow) -> None:
    await talk(window)
    PLACES[place](window)
    await rested(window)
    before = pixels(window)
    for size in ((760, 1000), (760, 620), (640, 700), (1200, 900), (760, 700)):
        window.window.resize(*size)
        await asyncio.sleep(0.01)
    await rested(window)
    assert differing_line(before, pixels(window)) == -1


@pytest.mark.parametrize("place", PLACES)
async def test_another_theme_and_back_moves_no_pixel(place: str, window: OpenWindow) -> None:
    await talk(window)
    window.shortcut("theme_light")
    await window.settled()
    PLACES[place](window)
    await rested(window)
    before = pixels(window)
    tops = [placed.top for placed in window.transcript.row_layout.placed]
    window.shortcut("theme_dark")
    await rested(window)
    assert [placed.top for placed in window.transcript.row_layout.placed] == tops
    window.shortcut("theme_light")
    await rested(window)
    assert differing_line(before, pixels(window)) == -1


@pytest.mark.parametrize("place", PLACES)
async def test_a_restart_moves_no_pixel(place: str, data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await talk(window)
        PLACES[place](window)
        await rested(window)
        before = pixels(window)
    async with OpenWindow.opened(data_dir) as window:
        await rested(window)
        # the buttons beneath the last answer come with the pointer
        QApplication.sendEvent(window.transcript.viewport(), QEvent(QEvent.Type.Enter))
        await rested(window)
        assert differing_line(before, pixels(window)) == -1


def arrows(window: OpenWindow, index: int) -> PlacedRow:
    """The row with the arrows between the versions of a message."""
    return next(
        p for p in window.transcript.row_layout.placed if p.message == index and isinstance(p.row.item, BranchItem)
    )


async def click_arrow(window: OpenWindow, index: int, side: str) -> None:
    view, placed = window.transcript, arrows(window, index)
    item = placed.row.item
    assert isinstance(item, BranchItem)
    x = next(x for x in range(-8, 200) if item.button_at(x, 14) == side) + 8
    shown = [message.id for message in view.row_layout.messages]
    at = QPoint(view.column.left() + x, placed.item_top + 14)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    await window.until(lambda: [message.id for message in view.row_layout.messages] != shown, "the other version")
    await rested(window)


def top_of(window: OpenWindow, index: int) -> int:
    return next(
        placed.top for placed in window.transcript.row_layout.placed if placed.message == index and placed.first
    )


async def asked_again(window: OpenWindow, text: str) -> None:
    asked = len(window.backend.plans)
    window.backend.reply(TextDelta(text), Ended("end_turn"))
    window.shortcut("try_again")
    await window.until(lambda: len(window.backend.plans) > asked, "the question asked again")
    await window.until(lambda: not window.composer.streaming, "the other answer")
    await rested(window)


@pytest.mark.parametrize("which", [0, 2])
async def test_the_arrows_of_a_question_keep_it_at_its_pixel(which: int, window: OpenWindow) -> None:
    """The other version's branch is much longer, and the question may be the first of the thread."""
    window.window.resize(760, 700)
    for number in range(which // 2):
        await window.send(f"before {number}")
    window.backend.reply(TextDelta(ANSWER), Ended("end_turn"))
    await window.send("asked")
    window.backend.reply(TextDelta("Short."), Ended("end_turn"))
    window.shortcut("edit_question")
    panel = window.transcript.editing.panel
    QTest.keyClicks(panel.editor, " again")
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    await window.until(lambda: len(window.backend.plans) == which // 2 + 2, "the edited question")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await rested(window)
    for side in ("previous", "next", "previous"):
        question, line = top_of(window, which), arrows(window, which).top
        await click_arrow(window, which, side)
        assert (top_of(window, which), arrows(window, which).top) == (question, line)


async def test_the_arrows_beneath_a_long_answer_stay_under_the_pointer(window: OpenWindow) -> None:
    window.window.resize(760, 700)
    window.backend.reply(TextDelta(ANSWER), Ended("end_turn"))
    await window.send("asked")
    await asked_again(window, ANSWER + "\n\n" + ANSWER)
    window.transcript.auto_scroll.show_latest()
    window.transcript.scroll_by(-30)
    await rested(window)
    for side in ("previous", "next"):
        line = arrows(window, 1).top
        await click_arrow(window, 1, side)
        assert arrows(window, 1).top == line


async def test_a_short_version_of_an_answer_begins_where_the_long_one_did(window: OpenWindow) -> None:
    window.window.resize(760, 700)
    await window.send("before")
    window.backend.reply(TextDelta("\n\n".join(f"Line {n}." for n in range(9))), Ended("end_turn"))
    await window.send("asked")
    await asked_again(window, "Short.")
    for side in ("previous", "next"):
        begin = top_of(window, 3)
        await click_arrow(window, 3, side)
        assert top_of(window, 3) == begin


@pytest.mark.parametrize("text", ["one line", "a question that is wrapped in the column. " * 8, "three\nshort\nlines"])
async def test_the_edit_field_opens_at_its_height(text: str, window: OpenWindow, qapp: QApplication) -> None:
    window.window.resize(760, 700)
    await window.send("before")
    window.editor.replace_text(text)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: len(window.backend.plans) == 2, "the question")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await rested(window)
    painted: list[QRect] = []
    for _ in range(2):
        window.press(Qt.Key.Key_Up)
        panel = window.transcript.editing.panel
        watching = PaintedPlaces(panel, painted)
        qapp.installEventFilter(watching)
        await window.until(lambda: painted, "the field")
        await asyncio.sleep(0.1)
        qapp.removeEventFilter(watching)
        assert panel.editor.verticalScrollBar().maximum() == 0
        QTest.keyClick(panel.editor, Qt.Key.Key_Escape)
        await rested(window)
    assert len({place.getRect() for place in painted}) == 1


class PaintedPlaces(QObject):
    """Notes where a widget stands whenever it is painted."""

    def __init__(self, widget: QWidget, places: list[QRect]) -> None:
        super().__init__()
        self._widget, self._places = widget, places

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self._widget and event.type() == QEvent.Type.Paint:
            self._places.append(self._widget.geometry())
        return False


@pytest.mark.parametrize("offset", range(0, 60, 7))
async def test_no_bar_covers_the_first_hit(offset: int, window: OpenWindow) -> None:
    window.window.resize(760, 700)
    lines = "\n\n".join(f"Line {number} word{number}word." for number in range(80))
    window.backend.reply(TextDelta(lines), Ended("end_turn"))
    await window.send("asked")
    view = window.transcript
    view.scroll_by(700 + offset - view.row_layout.y)
    await rested(window)
    before = pixels(window)
    first = next(p for p in view.row_layout.placed if p.item_top >= 0 and isinstance(p.row.item, TextItem))
    word = first.row.item.reading.split()[-1].rstrip(".")
    window.shortcut("find")
    QTest.keyClicks(view.find_in_thread.bar.field, word)
    await window.until(lambda: view.find_in_thread.done and view.find_in_thread.bar.field.text() == word, "the hit")
    await rested(window)
    hit = next(p for p in view.row_layout.placed if p.row is first.row)
    assert hit.item_top >= 0
    assert view.viewport().y() >= view.find_in_thread.bar.height()
    QTest.keyClick(view.find_in_thread.bar.field, Qt.Key.Key_Escape)
    await rested(window)
    window.shortcut("go_to")
    QTest.keyClicks(view.bars.go_to.field, "1")
    QTest.keyClick(view.bars.go_to.field, Qt.Key.Key_Return)
    await rested(window)
    assert view.row_layout.placed[0].message == 0
    assert view.row_layout.placed[0].top == 0
    assert before.height() == pixels(window).height()


async def test_a_bar_that_opens_and_closes_leaves_every_pixel(window: OpenWindow) -> None:
    await talk(window)
    for name, place in PLACES.items():
        place(window)
        await rested(window)
        before = pixels(window)
        for action in ("find", "go_to"):
            window.shortcut(action)
            await rested(window)
            QTest.keyClick(QApplication.focusWidget() or window.window, Qt.Key.Key_Escape)
            await rested(window)
            assert differing_line(before, pixels(window)) == -1, (name, action)


async def test_an_answer_that_fails_out_of_view_is_announced_in_view(window: OpenWindow) -> None:
    window.window.resize(760, 700)
    gate = Gate()
    failure = Failure("backend", "The provider is busy.", actions=("retry",))
    window.backend.reply(TextDelta(ANSWER), gate, Failed(failure))
    await window.begin("asked", gate)
    view = window.transcript
    await window.until(view.latest_button.isVisible, "more than fits")
    assert not view.latest_button.announces
    gate.open()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await rested(window)
    card = window.presenters.error_cards.card
    assert card is not None
    assert not card.isVisible(), "it stands below"
    assert view.latest_button.isVisible()
    assert view.latest_button.text() == "↓ The answer failed"
    view.scroll_by(view.row_layout.bottom - view.row_layout.y - 60)
    assert card.isVisible()
    assert not view.latest_button.isVisible(), "it would lie on the card"
    view.scroll_by(-400)
    assert view.latest_button.isVisible()
    QTest.mouseClick(view.latest_button, Qt.MouseButton.LeftButton)
    await rested(window)
    assert card.isVisible()
    assert not view.latest_button.isVisible()
    view.scroll_by(-400)
    assert view.latest_button.accessibleName() == "Show the latest text", "it has been seen"


async def test_an_answer_that_failed_before_a_restart_is_announced_where_somebody_reads_above_it(
    data_dir: Path, qapp: QApplication
) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await talk(window)
        window.backend.reply(Failed(Failure("backend", "The provider is busy.", actions=("retry",))))
        window.enter("fourth")
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        await window.settled()
        in_the_middle(window)
        await rested(window)
    async with OpenWindow.opened(data_dir) as window:
        await rested(window)
        button = window.transcript.latest_button
        assert button.isVisible()
        assert button.text() == "↓ The answer failed"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await rested(window)
        card = window.presenters.error_cards.card
        assert card is not None
        assert card.isVisible()
        in_the_middle(window)
        assert button.accessibleName() == "Show the latest text", "it has been seen"
        await window.app_state.reopen()
        await rested(window)
        assert not button.announces, "it is said once"


async def test_a_thread_is_read_on_where_it_was_left_for_another(window: OpenWindow) -> None:
    await talk(window)
    talked = window.app_state.thread_id
    assert talked is not None
    other = await window.services.chat.new_thread()
    for name in ("in the middle", "near the end", "at the end"):
        PLACES[name](window)
        await rested(window)
        before = pixels(window)
        await window.app_state.open_thread(other.id)
        await rested(window)
        await window.app_state.open_thread(talked)
        await rested(window)
        assert differing_line(before, pixels(window)) == -1, name
        window.shortcut("new_thread")
        await rested(window)
        await window.app_state.open_thread(talked)
        await rested(window)
        assert differing_line(before, pixels(window)) == -1, f"{name}, after a new thread"


async def test_what_came_while_another_thread_was_open_is_shown_at_the_end(window: OpenWindow) -> None:
    await talk(window)
    talked = window.app_state.current
    assert talked is not None
    other = await window.services.chat.new_thread()
    in_the_middle(window)
    await rested(window)
    await window.app_state.open_thread(other.id)
    window.backend.reply(TextDelta(ANSWER), Ended("end_turn"))
    await window.services.chat.send(talked.id, (TextPart("from elsewhere"),))
    await window.until(lambda: not window.services.chat.running(talked.id), "the answer")
    await window.app_state.open_thread(talked.id)
    await rested(window)
    layout = window.transcript.row_layout
    assert layout.y == layout.bottom


async def test_a_thread_opens_at_its_end_also_where_lines_come_beneath_it_late(window: OpenWindow) -> None:
    """The line of a trim and what follows it are known only when the thread is planned."""
    await trimmed(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    window.transcript.auto_scroll.show_latest()
    window.shortcut("new_thread")
    await window.send("another")
    await window.choose_thread(thread_id)
    view = window.transcript
    await window.until(lambda: view.decorations.step is not None, "the line of the trim")
    await rested(window)
    assert (view.row_layout.y, view.auto_scroll.end_left) == (view.row_layout.bottom, False)
    view.footer.set_notice("A line that comes late")
    view.decorations.set_hint(StepLine(view.messages[-1].id, "And another"))
    assert view.row_layout.y == view.row_layout.bottom
    view.scroll_by(-200)
    view.decorations.set_hint(None)
    assert view.row_layout.y < view.row_layout.bottom, "whoever scrolls is left alone"


@pytest.mark.parametrize("place", ["in the middle", "beneath the question"])
async def test_a_queued_message_that_is_sent_leaves_every_pixel(place: str, window: OpenWindow) -> None:
    await talk(window)
    first, second = Gate(), Gate()
    window.backend.reply(TextDelta(ANSWER), first, Ended("end_turn"))
    window.backend.reply(TextDelta("The next answer."), second, Ended("end_turn"))
    await window.begin("fourth", first)
    PLACES[place](window)
    await rested(window)
    before = window.transcript.row_layout.y
    window.enter("queued")
    assert window.transcript.row_layout.y == before
    first.open()
    await second.arrive()
    await rested(window)
    assert window.transcript.row_layout.y == before
    second.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert window.transcript.row_layout.y == before


async def test_who_follows_an_answer_follows_that_of_the_queued_message(window: OpenWindow) -> None:
    await talk(window)
    first, second = Gate(), Gate()
    window.backend.reply(TextDelta(ANSWER), first, Ended("end_turn"))
    window.backend.reply(TextDelta(ANSWER), second, Ended("end_turn"))
    await window.begin("fourth", first)
    window.transcript.auto_scroll.show_latest()
    window.enter("queued")
    first.open()
    await second.arrive()
    await rested(window)
    assert window.transcript.auto_scroll.at_latest
    second.open()
    await window.until(lambda: not window.composer.streaming, "the end")


async def test_a_pane_beside_the_transcript_leaves_the_line_that_is_read_at_the_top(window: OpenWindow) -> None:
    await talk(window)
    window.window.resize(1100, 700)
    in_the_middle(window)
    await rested(window)
    before, (index, slot, text, top) = pixels(window), window.transcript.row_layout.line_in_view() or (0, 0, 0, 0)
    assert text > 0, "the view begins within a paragraph"
    width = window.transcript.column.width()
    window.shortcut("toggle_inspector")
    await rested(window)
    assert window.transcript.column.width() < width
    placed = next(one for one in window.transcript.row_layout.placed if (one.message, one.row.slot) == (index, slot))
    assert placed.item_top + placed.row.item.caret_rect(text).top() == top
    window.shortcut("toggle_inspector")
    await rested(window)
    assert differing_line(before, pixels(window)) == -1
