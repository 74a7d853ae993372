"""Whole ways through the real window, as a day goes: asked, queued, stopped, changed, found, closed, gone on with."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.startup.single_instance import SingleInstance
from desktop_app.ui.transcript.message.action_bar import BranchItem
from tests.fakes.gated_backend import Gate, said
from tests.patience import PATIENCE_S
from tests.ui.listed import shown_rows
from tests.ui.open_window import OpenWindow
from tests.ui.startup.test_start import start

pytestmark = pytest.mark.slow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LONG = "\n\n".join(f"Paragraph {n} of an answer that is longer than the window is high." for n in range(60))


def shown(window: OpenWindow) -> list[str]:
    return [message.text for message in window.transcript.row_layout.messages]


def shown_titles(window: OpenWindow) -> list[str]:
    return shown_rows(window)[1:]


async def begun(window: OpenWindow, question: str, *texts: str) -> list[Gate]:
    """Asks; each text of the answer waits behind a gate, but for the first."""
    gates = [Gate() for _ in texts[1:]]
    steps = [step for text, gate in zip(texts[1:], gates, strict=True) for step in (gate, TextDelta(text))]
    window.backend.reply(TextDelta(texts[0]), *steps, Ended("end_turn"))
    window.enter(question)
    if gates:
        await gates[0].arrive()
    return gates


async def ended(window: OpenWindow, requests: int) -> None:
    await window.until(lambda: len(window.backend.plans) == requests, f"request {requests}")
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()


def click_arrow(window: OpenWindow, index: int, side: str) -> None:
    view = window.transcript
    placed = next(p for p in view.row_layout.placed if p.message == index and isinstance(p.row.item, BranchItem))
    item = placed.row.item
    x = next(x for x in range(-8, 200) if item.button_at(x, 14) == side) + 8
    at = QPoint(view.column.left() + x, placed.item_top + 14)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


async def test_a_day_in_one_window(window: OpenWindow) -> None:
    # asked; while the answer comes the next question waits, and goes by itself
    (gate,) = await begun(window, "What is a ring buffer", "A buffer ", "without an end.")
    window.enter("And where is one used")
    assert window.composer.queue.isVisible()
    gate.open()
    await ended(window, 2)
    assert shown(window) == ["What is a ring buffer", "A buffer without an end.", "And where is one used", "answer 2"]

    # stopped: what came stays, and is told to the model with the next question
    await begun(window, "Name ten", "One, two", " and so on")
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the stop")
    await window.settled()
    assert shown(window)[-1] == "One, two"

    # edited by Up: another version; the arrows lead back
    window.press(Qt.Key.Key_Up)
    panel = window.transcript.editing.panel
    await window.until(lambda: panel.isVisible() and panel.editor.toPlainText() == "Name ten", "the panel")
    window.type(" more", panel.editor)
    window.press(Qt.Key.Key_Return, widget=panel.editor)
    await ended(window, 4)
    assert shown(window)[-2:] == ["Name ten more", "answer 4"]
    assert ("user", ("Name ten",)) not in said(window.backend.plans[3])
    click_arrow(window, 4, "previous")
    await window.until(lambda: shown(window)[-2:] == ["Name ten", "One, two"], "the version before")
    await window.settled()

    # found, and copied
    window.composer.focus_editor()
    window.press(Qt.Key.Key_F, CONTROL)
    bar = window.transcript.find_in_thread.bar
    window.type("buffer", bar.field)
    await window.until(lambda: window.transcript.find_in_thread.done and bar.count.text() == "1 of 2", "the hits")
    window.press(Qt.Key.Key_Escape, widget=bar.field)
    window.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.transcript.keyboard.focus_message(1)
    window.press(Qt.Key.Key_A, CONTROL, widget=window.transcript)
    window.press(Qt.Key.Key_C, CONTROL, widget=window.transcript)
    assert QGuiApplication.clipboard().text() == "A buffer without an end."

    # renamed, deleted, brought back
    window.shortcut("rename_thread")
    title = window.threads.view.findChild(QLineEdit)
    assert title is not None
    title.selectAll()
    window.type("Rings", title)
    window.press(Qt.Key.Key_Return, widget=title)
    await window.until(lambda: shown_titles(window) == ["Rings"], "the new title")
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    window.threads.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.press(Qt.Key.Key_Delete, widget=window.threads.view)
    await window.until(lambda: shown_titles(window) == [], "an empty list")
    QTest.mouseClick(window.window.toast.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: window.app_state.is_open(thread_id), "the thread again")
    await window.settled()
    assert shown(window)[-2:] == ["Name ten", "One, two"]
    await window.send("still there")
    assert shown(window)[-2:] == ["still there", "answer 5"]


async def test_closed_in_mid_answer_and_gone_on_with(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("the first thread")
        other = window.app_state.thread_id
        assert other is not None
        window.shortcut("new_thread")
        await begun(window, "the second", LONG, " never")
        streaming = window.app_state.thread_id
        window.type("a draft behind it")
        # another thread is read while this one streams
        await window.choose_thread(other)
        assert not window.composer.streaming
        assert window.composer.is_empty()
        assert streaming is not None
        await window.choose_thread(streaming)
        assert window.composer.text() == "a draft behind it"
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.is_open(streaming)
        assert shown(window)[0] == "the second"
        assert shown(window)[1] == LONG
        assert (await window.opened_thread()).path[-1].stop_reason == "interrupted"
        assert window.composer.text() == "a draft behind it"
        assert not window.composer.streaming
        assert window.backend.plans == []  # nothing is sent by itself
        window.editor.clear()
        await window.send("go on")
        assert ("assistant", (LONG,)) in said(window.backend.plans[-1])


async def test_the_window_is_as_it_was_left(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.window.resize(780, 640)
        for n in range(3):
            window.backend.reply(TextDelta(f"Answer {n}.\n\n{LONG}"), Ended("end_turn"))
            await window.send(f"question {n}")
        edge = window.window.splitter.edge_of(window.threads)
        assert edge is not None
        edge.widen(-18)
        window.shortcut("toggle_inspector")
        await window.settled()
        width = window.window.inspector.pane_width
        view = window.transcript
        assert view.navigation.scroll_to_message(view.row_layout.messages[2].id)
        view.row_layout.place_at(view.row_layout.y + 333)
        view.refresh()
        await asyncio.sleep(0)
        left = view.navigation.whereabouts
        threads_width = window.window.splitter.sizes()[0]
        assert left is not None
    async with OpenWindow.opened(data_dir) as window:
        assert (window.window.width(), window.window.height()) == (780, 640)
        assert window.window.splitter.sizes()[0] == threads_width
        assert window.window.inspector.shown
        assert window.window.inspector.pane_width == width
        back = window.transcript.navigation.whereabouts
        assert back is not None
        assert back[0] == left[0]
        assert abs(back[1] - left[1]) <= 2
        window.transcript.auto_scroll.show_latest()
        await window.settled()
    async with OpenWindow.opened(data_dir) as window:
        assert window.transcript.row_layout.y >= window.transcript.row_layout.bottom - 1, (
            "closed at the end, opened at the end"
        )


async def test_a_question_stands_where_it_stood_below_an_answer_that_was_watched(
    data_dir: Path, qapp: QApplication
) -> None:
    """What was watched as it came is laid out otherwise later on: its height is no measure for what follows."""
    table = "| Port | Load |\n|---|---:|\n| Hamburg | 31,500 t |\n\n"
    async with OpenWindow.opened(data_dir) as window:
        window.backend.reply(TextDelta("$$\n\\frac{a}{b}\n$$\n\n"), TextDelta(table + LONG), Ended("end_turn"))
        await window.send("first")
        window.backend.reply(TextDelta(f"{LONG}\n\n" * 3), Ended("end_turn"))
        await window.send("second")
        view = window.transcript
        await window.until(lambda: not view.busy, "the formula, for which what follows waits")
        assert view.navigation.scroll_to_message(view.row_layout.messages[2].id)
        view.row_layout.place_at(view.row_layout.y - 20)
        view.refresh()
        await asyncio.sleep(0)
        left = view.row_layout.heights.before(2) - view.row_layout.y
        assert 0 < left < 100, "the answer's last line is still in view"
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: len(window.transcript.row_layout.messages) == 4, "the whole thread")
        row_layout = window.transcript.row_layout
        assert abs(row_layout.heights.before(2) - row_layout.y - left) <= 2


async def test_a_second_start_hands_its_thread_to_the_window_that_is_there(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        instance = SingleInstance(data_dir, window.window)
        assert instance.claim()
        assert instance.listen()
        instance.arguments_received.connect(window.session.take_arguments)
        await window.send("the one to be opened")
        wanted = window.app_state.thread_id
        window.shortcut("new_thread")
        await window.send("the one that is open")
        assert wanted is not None
        second = start(data_dir, "--open", wanted[:8])
        assert await asyncio.to_thread(second.communicate, timeout=PATIENCE_S) == ("", "")
        assert second.returncode == 0
        await window.until(lambda: window.app_state.is_open(wanted), "the thread handed over")
        await window.settled()
        assert shown(window) == ["the one to be opened", "answer 1"]
        instance.close()


def test_a_private_thread_of_a_killed_window_leaves_no_trace(data_dir: Path) -> None:
    command = [sys.executable, "-m", "tests.ui.typing_process", str(data_dir), "--private"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for _ in range(40):
                assert child.stdout.readline()
        finally:
            child.kill()
    files = [path for path in data_dir.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert b"word word" not in path.read_bytes(), path.name


async def test_a_place_far_from_the_end_is_gone_back_to(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        for n in range(3):
            await window.send(f"question {n}")
        thread_id = window.app_state.thread_id
        assert thread_id is not None
        for n in range(3, 24):
            window.backend.reply(TextDelta(f"Answer {n}.\n\n{LONG[:600]}"), Ended("end_turn"))
            await window.send(f"question {n}")
        view = window.transcript
        assert len(view.row_layout.messages) == 48
        assert view.navigation.scroll_to_message(view.row_layout.messages[9].id)
        left = view.navigation.whereabouts
        assert left is not None
    async with OpenWindow.opened(data_dir) as window:
        # the first look at the file has only the end of the thread
        await window.until(lambda: len(window.transcript.row_layout.messages) == 48, "the whole thread")
        back = window.transcript.navigation.whereabouts
        assert back is not None
        assert back[0] == left[0]
        assert abs(back[1] - left[1]) <= 2
