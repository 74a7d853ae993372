"""The load line is moved by mouse and keyboard, and what is shown meanwhile is what then is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.messages import TextPart
from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate
from tests.ui.dragging import mouse
from tests.ui.long_threads import PRICES, SENTENCE, faded, long_path, put_thread
from tests.ui.open_window import OpenWindow

THREAD = f"{9:032x}"


@pytest_asyncio.fixture
async def talk(window: OpenWindow, data_dir: Path) -> AsyncIterator[OpenWindow]:
    """A window with a thread of twelve turns open, of which the line leaves out two."""
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 12, 60))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    await window.services.chat.context_editing.move_line(THREAD, ids(window)[4])
    await window.settled()
    window.transcript.navigation.scroll_to_message(ids(window)[4], 0.4)
    yield window


def ids(window: OpenWindow) -> list[str]:
    return [message.id for message in window.transcript.row_layout.messages]


async def choices(window: OpenWindow) -> ContextChoices:
    return (await window.thread()).choices


def line(window: OpenWindow) -> str | None:
    """The message that the line stands above."""
    return window.transcript.decorations.load_line


def grip(window: OpenWindow) -> QPoint:
    """Where the line can be taken."""
    placed = next(p for p in window.transcript.row_layout.placed if p.row.decoration == "load-line")
    return QPoint(window.transcript.column.right() - 10, placed.item_top + 14)


def top_of(window: OpenWindow, number: int) -> int:
    return next(p for p in window.transcript.row_layout.placed if p.message == number).top


async def held_at(window: OpenWindow, number: int) -> None:
    """The line is taken, and held above a message that is in view."""
    mouse(window.transcript.viewport(), QEvent.Type.MouseButtonPress, grip(window))
    mouse(window.transcript.viewport(), QEvent.Type.MouseMove, QPoint(grip(window).x(), top_of(window, number)))
    drag = window.transcript.load_line_drag
    await window.until(lambda: bool(drag.words), "the figures")
    await window.settled()


def let_go(window: OpenWindow) -> None:
    mouse(window.transcript.viewport(), QEvent.Type.MouseButtonRelease, QPoint(10, 10))


async def test_the_line_follows_the_mouse_and_what_was_shown_is_sent(talk: OpenWindow) -> None:
    drag = talk.transcript.load_line_drag
    await held_at(talk, 6)
    assert drag.at == ids(talk)[6]
    assert faded(talk) == {1, 2, 3, 4, 5}, "shown as if the line stood there"
    assert drag.words.startswith("5 older messages left out · 796 of 150K · ")
    assert drag.words.count("·") == 2, "and the price"
    shown = drag.words
    assert line(talk) == ids(talk)[4], "nothing is done yet"
    let_go(talk)
    await talk.settled()
    assert line(talk) == ids(talk)[6]
    assert faded(talk) == {1, 2, 3, 4, 5}
    assert talk.window.toast.words == shown
    plan = talk.presenters.gauge.plan
    assert plan is not None
    assert plan.placement.left_out == 5
    await held_at(talk, 2)
    assert drag.words.startswith("1 older message left out")
    let_go(talk)
    await talk.settled()
    assert line(talk) == ids(talk)[2]


async def test_escape_leaves_everything_as_it_was_and_the_press_moves_nothing_more(talk: OpenWindow) -> None:
    before = await choices(talk)
    await held_at(talk, 6)
    QTest.keyClick(talk.editor, Qt.Key.Key_Escape)
    drag = talk.transcript.load_line_drag
    assert not drag.moving
    assert faded(talk) == {1, 2, 3}
    mouse(talk.transcript.viewport(), QEvent.Type.MouseMove, QPoint(300, top_of(talk, 5)))
    assert not drag.moving
    let_go(talk)
    await talk.settled()
    assert (await choices(talk), line(talk)) == (before, ids(talk)[4])


async def test_undo_puts_the_line_back_from_the_composer(talk: OpenWindow) -> None:
    before = await choices(talk)
    await held_at(talk, 6)
    let_go(talk)
    await talk.settled()
    assert await choices(talk) != before
    QTest.keyClick(talk.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await talk.settled()
    assert (await choices(talk), line(talk)) == (before, ids(talk)[4])


async def test_a_click_moves_nothing_and_selects_nothing(talk: OpenWindow) -> None:
    before = await choices(talk)
    mouse(talk.transcript.viewport(), QEvent.Type.MouseButtonPress, grip(talk))
    mouse(talk.transcript.viewport(), QEvent.Type.MouseButtonRelease, grip(talk))
    await talk.settled()
    assert await choices(talk) == before
    assert talk.transcript.selection.range is None


async def test_the_keyboard_moves_the_line_turn_by_turn(talk: OpenWindow) -> None:
    view = talk.transcript
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(4)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.keyboard.stop == (4, "load-line")
    drag = view.load_line_drag
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert drag.at == ids(talk)[8]
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert drag.at == ids(talk)[6]
    QTest.keyClick(view, Qt.Key.Key_End)
    assert drag.at == ids(talk)[22], "the newest turn stays"
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert drag.at == ids(talk)[0]
    await talk.until(lambda: drag.words.startswith("Everything is sent"), "the figures")
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not drag.moving
    assert line(talk) == ids(talk)[4]
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    await talk.settled()
    assert line(talk) == ids(talk)[6]
    assert view.keyboard.stop == (6, "load-line"), "the keyboard goes along"
    QTest.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await talk.settled()
    assert line(talk) == ids(talk)[4]


async def test_the_keyboard_that_leaves_lets_the_line_go(talk: OpenWindow) -> None:
    view = talk.transcript
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(4)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.load_line_drag.at == ids(talk)[6]
    talk.composer.focus_editor()
    await talk.settled()
    assert view.load_line_drag.at == ""
    assert line(talk) == ids(talk)[4]


async def test_a_place_over_the_limit_says_so_and_is_not_taken(talk: OpenWindow) -> None:
    await talk.services.chat.set_soft_limit(THREAD, 600)
    await talk.services.chat.context_editing.move_line(THREAD, ids(talk)[18])
    await talk.settled()
    before = await choices(talk)
    talk.transcript.navigation.scroll_to_message(ids(talk)[18], 0.7)
    await held_at(talk, 16)
    let_go(talk)
    await talk.settled()
    assert line(talk) == ids(talk)[16], "that fits"
    await talk.services.chat.context_editing.restore(THREAD, before)
    await talk.settled()
    view = talk.transcript
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(18)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Home)
    await talk.until(lambda: view.load_line_drag.words == "Over the limit of 600", "the refusal")
    QTest.keyClick(view, Qt.Key.Key_Return)
    await talk.settled()
    assert talk.window.toast.words == "Not moved. Over the limit of 600"
    assert await choices(talk) == before


async def test_while_an_answer_comes_the_line_stays(talk: OpenWindow) -> None:
    before = await choices(talk)
    gate = Gate()
    talk.backend.reply(TextDelta("so"), gate, Ended("end_turn"))
    talk.enter("And?")
    await talk.until(lambda: talk.app_state.running, "the answer")
    talk.transcript.navigation.scroll_to_message(ids(talk)[4], 0.4)
    mouse(talk.transcript.viewport(), QEvent.Type.MouseButtonPress, grip(talk))
    mouse(talk.transcript.viewport(), QEvent.Type.MouseMove, QPoint(300, top_of(talk, 6)))
    assert not talk.transcript.load_line_drag.moving
    assert talk.window.toast.words == "You can move the line when the answer is complete"
    let_go(talk)
    gate.open()
    await talk.until(lambda: not talk.app_state.running, "the end of the answer")
    assert await choices(talk) == before


async def test_held_at_the_edge_the_thread_scrolls_and_the_line_goes_along(talk: OpenWindow) -> None:
    view = talk.transcript
    drag = view.load_line_drag
    begun = view.row_layout.y
    mouse(view.viewport(), QEvent.Type.MouseButtonPress, grip(talk))
    mouse(view.viewport(), QEvent.Type.MouseMove, QPoint(300, view.viewport().height() + 20))
    await talk.until(lambda: drag.at == ids(talk)[22], "the end of the thread")
    assert view.row_layout.y > begun
    assert not view.latest_button.isVisible(), "it would lie over the figures"
    mouse(view.viewport(), QEvent.Type.MouseMove, QPoint(300, 0))
    await talk.until(lambda: drag.at == ids(talk)[0], "its beginning")
    QTest.keyClick(talk.editor, Qt.Key.Key_Escape)
    let_go(talk)
    assert line(talk) == ids(talk)[4]
    assert view.latest_button.isVisible()


async def test_past_a_long_answer_the_figures_stay_in_view_and_tell_where_the_line_is(
    window: OpenWindow, data_dir: Path
) -> None:
    path = list(long_path(THREAD, 8, 300))
    path[7] = replace(path[7], parts=(TextPart(SENTENCE * 1_200),))
    await put_thread(data_dir, "Long", tuple(path))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    await window.services.chat.context_editing.move_line(THREAD, path[10].id)
    await window.settled()
    window.transcript.navigation.begin_at(10)
    await window.settled()
    view, drag = window.transcript, window.transcript.load_line_drag
    mouse(view.viewport(), QEvent.Type.MouseButtonPress, grip(window))
    mouse(view.viewport(), QEvent.Type.MouseMove, QPoint(300, view.viewport().height() // 2))
    await window.until(lambda: drag.words, "the figures")
    arrows = set()
    while view.row_layout.y > 0:
        view.scroll_by(-view.viewport().height() // 2)
        mouse(view.viewport(), QEvent.Type.MouseMove, QPoint(300, view.viewport().height() // 2))
        preview = drag.preview
        assert preview is not None
        assert preview.isVisible()
        assert view.viewport().rect().contains(preview.geometry().adjusted(16, 0, -16, 0))
        arrows.add(preview.arrow)
    assert arrows == {"", "↑", "↓"}
    QTest.keyClick(window.editor, Qt.Key.Key_Escape)
    let_go(window)


async def test_a_thread_that_is_read_again_meanwhile_leaves_the_line_in_the_hand(talk: OpenWindow) -> None:
    await held_at(talk, 6)
    await talk.app_state.reopen()
    await talk.settled()
    assert talk.transcript.load_line_drag.at == ids(talk)[6]
    assert faded(talk) == {1, 2, 3, 4, 5}
    let_go(talk)
    await talk.settled()
    assert line(talk) == ids(talk)[6]


async def test_another_thread_takes_the_line_out_of_the_hand(talk: OpenWindow) -> None:
    await held_at(talk, 6)
    talk.app_state.close_thread()
    await talk.settled()
    assert talk.transcript.load_line_drag.at == ""
    let_go(talk)


async def reached_by_keyboard(window: OpenWindow) -> None:
    """The keyboard is on the line."""
    view = window.transcript
    number = view.path.number(line(window) or "")
    assert number is not None
    view.setFocus(Qt.FocusReason.TabFocusReason)
    view.keyboard.focus_message(number)
    QTest.keyClick(view, Qt.Key.Key_Tab)


async def test_what_is_pinned_stays_and_is_not_toned_down_while_the_line_passes_it(talk: OpenWindow) -> None:
    await talk.services.chat.context_editing.pin(THREAD, [ids(talk)[4]])
    await talk.settled()
    view, drag = talk.transcript, talk.transcript.load_line_drag
    await reached_by_keyboard(talk)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert drag.at == ids(talk)[8]
    assert {1, 2, 3, 6, 7} == {number for number in range(24) if number in view.row_layout.faded}
    await talk.until(lambda: drag.words.startswith("5 older messages left out"), "the figures")
    QTest.keyClick(view, Qt.Key.Key_Return)
    await talk.settled()
    assert line(talk) == ids(talk)[8]
    assert {1, 2, 3, 6, 7} == {number for number in range(24) if number in view.row_layout.faded}


async def test_the_line_is_told_as_a_button_that_moves(talk: OpenWindow) -> None:
    stops = talk.transcript.keyboard.stops(4)
    assert ("load-line", "The model reads from here: move with the arrow keys") in [stop[2:] for stop in stops]


async def test_the_next_request_begins_where_the_line_was_put(talk: OpenWindow) -> None:
    await held_at(talk, 6)
    let_go(talk)
    await talk.settled()
    first = ids(talk)[6]
    talk.enter("And?")
    await talk.until(lambda: bool(talk.backend.plans), "the request")
    await talk.until(lambda: not talk.app_state.running, "the answer")
    await talk.settled()
    sent = [source for message in talk.backend.plans[-1].request.history for source in message.sources if source]
    assert sent[:2] == [ids(talk)[0], first]
    assert line(talk) == first, "and stays there"


async def test_a_moved_line_is_no_fresh_start_in_the_menus(talk: OpenWindow) -> None:
    presenter = talk.presenters.choices
    before = presenter.started_fresh
    presenter.start_fresh(ids(talk)[5])
    await talk.settled()
    assert (before, presenter.started_fresh) == (False, True)
    assert not (await choices(talk)).keeps_start, "a fresh start leaves out the beginning, too"
