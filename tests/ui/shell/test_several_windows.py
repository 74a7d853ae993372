"""Several windows of one process: each with its thread, all on the same events, nothing lost between them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QPoint, QSettings, Qt
from PySide6.QtTest import QTest

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.core.text_diff import queued
from desktop_app.paths import DataPaths
from desktop_app.ui.shell import background_presence as tray_module
from desktop_app.ui.threads.threads_presenter import thread_menu
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.page import EditorPage
from tests.fakes.gated_backend import Gate
from tests.ui.editing import answer, question
from tests.ui.listed import place_of, threads_of
from tests.ui.open_window import OpenWindow


async def opened_beside(window: OpenWindow, thread_id: str | None) -> OpenWindow:
    """Another window, which shows the thread."""
    count = len(window.session.windows)
    window.session.open_window(thread_id, window.one)
    await window.until(lambda: len(window.session.windows) > count, "the window")
    await window.settled()
    other = window.another()
    assert other.app_state.thread_id == thread_id
    return other


async def closed(window: OpenWindow) -> None:
    """Closes one window of several."""
    window.window.close()
    await window.until(lambda: window.one not in window.session.windows, "the window less")
    await window.until(lambda: not window.session._leaving, "its end")


async def typed_on_a_page(window: OpenWindow) -> None:
    """Writes in the system prompt of the open thread, or of the next, and does not save it."""
    pages = window.presenters.pages
    window.shortcut("edit_system")
    await window.until(lambda: isinstance(pages.page, EditorPage), "the page")
    assert isinstance(pages.page, EditorPage)
    pages.page.field.insertPlainText("be brief")


async def press(window: OpenWindow, button: str) -> None:
    """Answers the question of one window, while another may have its own."""
    asked = await question(window)
    next(each for each in asked.buttons() if each.text() == button).click()


def said(view: TranscriptView) -> list[str]:
    return [message.text for message in view.row_layout.messages]


def said_first(window: OpenWindow) -> str:
    return window.transcript.row_layout.messages[0].id


def last(view: TranscriptView) -> str:
    """The last message as it is read out, also while it grows."""
    return view.accessible.text(view.accessible.count() - 1)


def title_of(window: OpenWindow, thread_id: str) -> str:
    index = window.threads.model.index_of(thread_id)
    return str(index.data()) if index.isValid() else ""


async def test_a_thread_opens_in_a_window_of_its_own(window: OpenWindow) -> None:
    alpha, beta = await threads_of(window, "alpha", "beta")
    thread = window.threads.model.thread_of(alpha)
    assert thread is not None
    menu = thread_menu(window.threads, [thread])
    next(action for action in menu.actions() if action.text() == "Open in new window").trigger()
    await window.until(lambda: len(window.session.windows) == 2, "the window")
    await window.settled()
    other = window.another()
    assert (window.app_state.thread_id, other.app_state.thread_id) == (beta, alpha)
    assert said(other.transcript) == ["alpha", "answer 1"]
    assert other.window.windowTitle() == "alpha – Plimsoll"
    assert other.window.isVisible()
    assert other.threads.isHidden()
    assert other.threads.model.index_of(beta).isValid()
    QTest.mouseClick(
        window.threads.view.viewport(),
        Qt.MouseButton.MiddleButton,
        Qt.KeyboardModifier.NoModifier,
        place_of(window, beta),
    )
    await window.until(lambda: len(window.session.windows) == 3, "a third")
    await window.settled()
    third = window.another()
    assert third.app_state.thread_id == beta
    assert window.app_state.current is None, "it has gone there"
    assert said(third.transcript) == ["beta", "answer 2"]


async def test_with_nothing_open_a_new_thread_begins_in_the_new_window(window: OpenWindow) -> None:
    window.shortcut("open_in_new_window")
    await window.until(lambda: len(window.session.windows) == 2, "the window")
    await window.settled()
    other = window.another()
    await other.send("alpha")
    assert window.app_state.current is None
    assert said(other.transcript) == ["alpha", "answer 1"]
    assert window.threads.model.index_of(other.app_state.thread_id).isValid()


async def test_a_window_stands_in_view_and_a_step_aside(window: OpenWindow) -> None:
    room = window.window.screen().availableGeometry()
    window.window.move(room.topLeft() + QPoint(10, 10))
    other = await opened_beside(window, None)
    assert other.window.pos() != window.window.pos()
    window.window.move(room.bottomRight() - QPoint(60, 60))
    third = await opened_beside(window, None)
    for one in (other, third):
        assert room.contains(one.window.frameGeometry())


async def test_what_is_done_to_a_thread_in_one_window_is_seen_in_the_other(window: OpenWindow) -> None:
    alpha, beta = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    window.presenters.thread_list.rename(alpha, "Renamed")
    await window.settled()
    assert other.window.windowTitle() == "Renamed – Plimsoll"
    assert title_of(other, alpha) == title_of(window, alpha) == "Renamed"
    await other.send("more")
    assert title_of(window, alpha)
    assert not window.threads.model.marked("unread"), "somebody reads it in the other window"
    window.presenters.thread_list.delete([alpha])
    await window.settled()
    assert other.app_state.current is None
    assert not title_of(other, alpha)
    assert window.app_state.thread_id == beta
    window.presenters.thread_list.undo()
    await window.settled()
    assert title_of(other, alpha) == "Renamed"


async def test_a_thread_is_shown_by_one_window_only(window: OpenWindow) -> None:
    alpha, beta, gamma = await threads_of(window, "alpha", "beta", "gamma")
    other = await opened_beside(window, beta)
    QTest.mouseClick(
        window.threads.view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        place_of(window, beta),
    )
    await window.settled()
    assert window.app_state.thread_id == gamma
    assert window.session.front.window is other.window
    assert window.threads.view.selected_ids() == [gamma]
    window.shortcut("next_thread")
    await window.until(lambda: window.app_state.is_open(alpha), "the thread below the one that is elsewhere")
    opened = await window.services.chat.open_thread(beta)
    await window.presenters.navigation.show_message(beta, opened.path[0].id)
    await window.settled()
    assert (window.app_state.thread_id, other.app_state.thread_id) == (alpha, beta)
    window.session.take_arguments({"open_thread": beta})
    await window.settled()
    assert (window.app_state.thread_id, other.app_state.thread_id) == (alpha, beta)
    await asyncio.gather(window.app_state.open_thread(gamma), other.app_state.open_thread(gamma))
    await window.settled()
    assert (window.app_state.thread_id, other.app_state.thread_id) == (gamma, beta), "who asks first has it"


async def test_two_windows_answer_at_once_and_each_has_its_own_stop(window: OpenWindow) -> None:
    alpha, _ = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    gates = (Gate(), Gate())
    for asking, gate, half in ((window, gates[0], "one half"), (other, gates[1], "another half")):
        window.backend.reply(TextDelta(half), gate, TextDelta(" and the rest"), Ended("end_turn"))
        await asking.begin("go on", gate)
    await window.until(lambda: "one half" in last(window.transcript), "the first answer")
    await window.until(lambda: "another half" in last(other.transcript), "the second")
    assert window.composer.streaming
    assert other.composer.streaming
    assert window.backend.open_streams == 2
    other.presenters.sending.stop()
    await window.until(lambda: not other.composer.streaming, "the stop")
    assert window.composer.streaming
    gates[0].open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert said(window.transcript)[-1] == "one half and the rest"
    assert last(other.transcript).startswith("another half")


async def test_an_answer_goes_on_in_the_window_that_its_thread_is_moved_to(window: OpenWindow) -> None:
    (alpha,) = await threads_of(window, "alpha")
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, TextDelta(" and the rest"), Ended("end_turn"))
    await window.begin("go on", gate)
    window.enter("then this")
    assert window.presenters.sending.queued_text() == queued("then this", 0)
    window.type("and perhaps that")
    other = await opened_beside(window, alpha)
    assert other.composer.streaming
    assert other.presenters.sending.queued_text() == queued("then this", 0)
    assert other.composer.text() == "and perhaps that"
    assert window.composer.text() == ""
    assert "half" in last(other.transcript)
    assert alpha in window.threads.model.marked("running")
    assert alpha in other.threads.model.marked("running")
    gate.open()
    await window.until(lambda: len(said(other.transcript)) == 6, "the answer to what waited")
    await window.until(lambda: not other.composer.streaming, "the end")
    await window.settled()
    assert [plan.request.messages[-1].blocks[0].text for plan in window.backend.plans] == [  # type: ignore[union-attr]
        "alpha",
        "go on",
        "then this",
    ]
    assert other.composer.text() == "and perhaps that"
    await other.until(lambda: other.presenters.drafts.all_saved, "the draft")
    assert (await other.thread()).draft == "and perhaps that"


async def test_a_draft_is_neither_lost_nor_brought_back_between_windows(window: OpenWindow) -> None:
    alpha, beta = await threads_of(window, "alpha", "beta")
    await window.choose_thread(alpha)
    window.type("a draft of alpha")
    other = await opened_beside(window, alpha)  # at once: the history does not have it yet
    assert other.composer.text() == "a draft of alpha"
    other.editor.replace_text("")
    await other.until(lambda: other.presenters.drafts.all_saved, "the empty draft")
    assert (await other.thread()).draft == ""
    other.type("another")
    await other.until(lambda: other.presenters.drafts.all_saved, "the draft")
    assert (await other.thread()).draft == "another"
    await other.send(" question")
    await window.settled()
    assert (await other.thread()).draft == "", "what was left in the first window stays away"
    other.type("kept")
    await other.app_state.open_thread(beta)
    await window.app_state.open_thread(alpha)
    await window.settled()
    assert window.composer.text() == "kept"
    assert other.composer.text() == ""
    window.type(" and more")
    await closed(other)
    assert window.composer.text() == "kept and more"
    await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
    assert (await window.thread()).draft == "kept and more"


async def test_a_thread_is_read_on_where_it_was_left_in_another_window(window: OpenWindow) -> None:
    window.backend.text = "\n\nA line of the answer." * 80
    alpha, beta = await threads_of(window, "alpha", "beta")
    await window.choose_thread(alpha)
    window.transcript.navigation.scroll_to_message(said_first(window), 0)
    await window.settled()
    place = window.transcript.navigation.whereabouts
    other = await opened_beside(window, alpha)
    await other.until(lambda: other.transcript.navigation.whereabouts == place, "the place")
    await window.app_state.open_thread(beta)
    assert said(window.transcript)[0] == "beta"


async def test_a_card_goes_along_with_its_thread_and_does_not_come_back(window: OpenWindow) -> None:
    window.backend.window = 2_000
    alpha, beta = await threads_of(window, "alpha", "beta")
    await window.choose_thread(alpha)
    window.editor.setPlainText("The quick brown fox. " * 2_000)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    other = await opened_beside(window, alpha)
    await window.until(lambda: other.presenters.error_cards.card is not None, "the card in the other window")
    assert window.presenters.error_cards.card is None
    other.editor.setPlainText("short")
    other.press(Qt.Key.Key_Return)
    await window.until(lambda: len(said(other.transcript)) == 4, "the answer")
    await other.app_state.open_thread(beta)
    await window.app_state.open_thread(alpha)
    await window.settled()
    assert window.presenters.error_cards.card is None


async def test_a_window_that_is_closed_leaves_its_answer_and_its_words_to_the_others(window: OpenWindow) -> None:
    alpha, beta = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, TextDelta(" and the rest"), Ended("end_turn"))
    await other.begin("go on", gate)
    other.enter("then this")
    other.type("a draft")
    await closed(other)
    assert not window.session.ended.done()
    assert window.app_state.thread_id == beta
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 4, "what waited is sent")
    await window.until(lambda: not window.app_state.any_running, "the end")
    await window.choose_thread(alpha)
    assert said(window.transcript)[-4:] == ["go on", "half and the rest", "then this", "answer 4"]
    assert window.composer.text() == "a draft"


async def test_the_first_window_may_be_closed_and_the_other_goes_on_alone(window: OpenWindow, data_dir: Path) -> None:
    alpha, _ = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    await closed(window)
    assert window.session.windows[0].window is other.window
    await other.send("more")
    assert said(other.transcript)[-1] == "answer 3"
    window.session.upkeep.trash.timer.timeout.emit()
    window.session.upkeep.backups.timer.timeout.emit()
    await other.services.preferences.set_value("appearance.text_size", 14)
    await other.settled()
    assert other.transcript.text_style.body.font.pointSize() == 14


async def test_closing_the_last_window_ends_plimsoll_and_a_tray_keeps_it(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_app.ui.desktop.notifications import Notifications

    monkeypatch.setattr(tray_module, "has_tray", lambda: True)
    monkeypatch.setattr(Notifications, "tell", lambda _self, *_notice: None)
    await window.services.preferences.set_value("window.tray", True)
    await window.settled()
    other = await opened_beside(window, None)
    await closed(window)
    assert other.window.isVisible()
    other.window.close()
    assert not other.window.isVisible()
    assert not window.session.ended.done()
    window.session.presence.window_wanted.emit("")
    assert other.window.isVisible()
    window.session.presence.quit_wanted.emit()
    await window.until(window.session.ended.done, "the end")


async def test_quitting_asks_in_each_window_about_what_is_unsaved(window: OpenWindow) -> None:
    alpha, _ = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    for one in (window, other):
        await typed_on_a_page(one)
    await window.session.unsaved._write()
    assert len(window.session.unsaved._written or ()) == 2
    other.window.close()
    await question(other)
    await answer(other, "Keep editing")
    assert len(window.session.windows) == 2
    window.shortcut("quit")
    await press(window, "Save")
    await question(other)
    assert not window.session.ended.done()
    await press(other, "Save")
    await window.until(window.session.ended.done, "the end")


async def test_a_page_that_is_unsaved_is_asked_about_when_only_its_window_is_closed(window: OpenWindow) -> None:
    alpha, _ = await threads_of(window, "alpha", "beta")
    other = await opened_beside(window, alpha)
    await typed_on_a_page(other)
    other.window.close()
    await answer(other, "Save")
    await window.until(lambda: len(window.session.windows) == 1, "the window less")
    assert not window.session.ended.done()
    assert (await window.services.library.find(alpha)).system == "be brief"


async def test_what_is_set_counts_in_all_windows(window: OpenWindow) -> None:
    other = await opened_beside(window, None)
    other.shortcut("larger_text")
    await window.settled()
    assert window.composer.editor.font() == other.composer.editor.font()
    assert window.composer.editor.font().pointSize() == 12
    window.shortcut("theme_dark")
    await window.settled()
    assert other.window.actions_by_id["theme_dark"].isChecked()
    keys = [key.toString() for key in window.window.actions_by_id["find"].shortcuts()]
    await window.services.preferences.set_value("shortcuts.find", ["Ctrl+Alt+F"])
    await window.settled()
    for one in (window, other):
        assert [key.toString() for key in one.window.actions_by_id["find"].shortcuts()] != keys


async def test_a_blank_thread_that_is_moved_to_another_window_stays(window: OpenWindow) -> None:
    window.type("x")
    await window.settled()
    blank = window.app_state.thread_id
    window.editor.replace_text("")
    await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
    other = await opened_beside(window, blank)
    await other.send("alpha")
    assert other.app_state.thread_id == blank


async def test_all_windows_come_back_with_their_threads_and_places(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.backend.text = "\n\nA line of the answer." * 80
        alpha, beta = await threads_of(window, "alpha", "beta")
        other = await opened_beside(window, alpha)
        other.window.resize(700, 560)
        other.transcript.navigation.scroll_to_message(said_first(other), 0)
        await other.settled()
        place, size = other.transcript.navigation.whereabouts, other.window.size()
    async with OpenWindow.opened(data_dir) as window:
        assert len(window.session.windows) == 2
        other = window.another()
        assert (window.app_state.thread_id, other.app_state.thread_id) == (beta, alpha)
        assert other.window.size() == size
        await other.until(lambda: other.transcript.navigation.whereabouts == place, "the place")
        assert window.session.front.window is window.window
        await closed(window)
    async with OpenWindow.opened(data_dir) as window:
        assert [one.app_state.thread_id for one in window.session.windows] == [alpha]
        assert window.window.size() == size, "the other one is the first now"


async def test_windows_do_not_lie_on_each_other_where_the_screen_is_another_one(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        (alpha,) = await threads_of(window, "alpha")
        await opened_beside(window, alpha)
        await opened_beside(window, None)
    settings = QSettings(str(DataPaths(data_dir).window), QSettings.Format.IniFormat)
    for key in ("geometry", "window1/geometry", "window2/geometry"):
        settings.setValue(key, QByteArray(b"of a screen that is gone"))
    settings.sync()
    async with OpenWindow.opened(data_dir) as window:
        assert [one.app_state.thread_id for one in window.session.windows] == [None, alpha, None]
        places = {(one.window.x(), one.window.y()) for one in window.session.windows}
        assert len(places) == 3


async def test_a_window_whose_thread_is_gone_does_not_come_back(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        alpha, beta = await threads_of(window, "alpha", "beta")
        await opened_beside(window, alpha)
    async with OpenWindow.opened(data_dir, open_thread=alpha) as window:
        assert [one.app_state.thread_id for one in window.session.windows] == [alpha]
        await window.app_state.open_thread(beta)
        await opened_beside(window, alpha)
        window.session.windows[1].app_state.current = None  # as if it had been killed before the deletion
        await window.services.library.delete_all([alpha])
        window.session.windows[1].state.open_thread = alpha
    async with OpenWindow.opened(data_dir) as window:
        assert {one.app_state.thread_id for one in window.session.windows} <= {beta, None}


async def test_there_is_one_upkeep_and_one_speller_for_all(window: OpenWindow) -> None:
    other = await opened_beside(window, None)
    assert window.presenters.spelling.speller is other.presenters.spelling.speller
    looks: list[bool] = []
    keep_up = window.services.backups.keep_up

    async def seen(*, open_long: bool = False) -> None:
        looks.append(open_long)
        await keep_up(open_long=open_long)

    window.services.backups.keep_up = seen  # type: ignore[method-assign]
    window.session.upkeep.backups.timer.timeout.emit()
    await window.settled()
    assert looks == [False]


async def test_text_that_no_history_takes_keeps_its_window_open(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_app.core.errors import UserError

    other = await opened_beside(window, None)

    async def refused(**_options: object) -> None:
        raise UserError("store", "no room")

    monkeypatch.setattr(window.services.chat, "new_thread", refused)
    other.type("words")
    await other.settled()
    other.window.close()
    await other.settled()
    assert other.one in window.session.windows
    assert "can't be saved" in other.window.toast.words
    assert other.composer.text() == "words"
    other.editor.replace_text("")
    await other.settled()
    await closed(other)
