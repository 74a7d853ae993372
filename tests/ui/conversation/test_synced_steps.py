"""What one device did to a thread's context reads the same on another that syncs, and is taken back from there."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import DocumentPart, Failure
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.storage import sync_places
from desktop_app.storage.sync_merge import _Merge
from desktop_app.ui.conversation.choices_presenter import steps_on
from desktop_app.ui.state.app_state import PathFacts
from desktop_app.ui.transcript.message.decorations import StepLine
from tests.storage.test_sync import InOneThread, Machine, Machines, run_machines
from tests.ui.long_threads import drafted, long_path, put_thread
from tests.ui.open_window import OpenWindow

THREAD = f"{9:032x}"
PASSPHRASE = "the tide comes in twice"


@asynccontextmanager
async def desk_and_laptop(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[OpenWindow, OpenWindow]]:
    """Two windows that show one thread, whose next message leaves out the beginning with a document."""
    mark = hashlib.sha256(PASSPHRASE.encode()).digest()
    monkeypatch.setattr(sync_places, "sealed_by_passphrase", lambda data, _: mark + data)
    monkeypatch.setattr(sync_places, "opened_by_passphrase", lambda sealed, _: sealed[32:])
    (folder / "place").mkdir()
    path = list(long_path(THREAD, 12, 900))
    notes = DocumentPart("notes.txt", "The harbour master is called Ingeborg. " * 20, "a" * 64)
    path[2] = replace(path[2], parts=(*path[2].parts, notes))
    await put_thread(folder / "desk", "Long", tuple(path))
    async with OpenWindow.opened(folder / "desk") as desk, OpenWindow.opened(folder / "laptop") as laptop:
        for window, name in ((desk, "Desk"), (laptop, "Laptop")):
            window.backend.window = 12_000 if window is desk else 200_000
            await window.services.sync.setup(str(folder / "place"), PASSPHRASE, name)
            await window.services.sync.now()
            await window.settled()
            await window.app_state.open_thread(THREAD)
            await window.settled()
        yield desk, laptop


async def exchanged(*windows: OpenWindow) -> None:
    for window in (*windows, *windows):
        await window.services.sync.now()
        await window.settled()


async def asks(window: OpenWindow, question: str) -> None:
    await drafted(window, question)
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()


async def line(window: OpenWindow) -> StepLine:
    await window.until(lambda: window.transcript.decorations.step is not None, "the line")
    await window.settled()
    found = window.transcript.decorations.step
    assert found is not None
    return found


async def undoes(window: OpenWindow) -> None:
    window.transcript.row_actions.action_requested.emit((await line(window)).message_id, "undo")
    await window.until(window.window.toast.isVisible, "the toast")
    await window.settled()


def left_out(window: OpenWindow) -> int:
    plan = window.presenters.gauge.plan
    assert plan is not None
    return plan.placement.left_out


@pytest.mark.slow
async def test_a_step_and_its_return_read_the_same_on_both_and_are_taken_back_on_either(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk_and_laptop(tmp_path, monkeypatch) as (desk, laptop):
        await asks(desk, "And now?")
        await exchanged(desk, laptop)
        here = await line(desk)
        assert here.text == f"{left_out(desk)} older messages and notes.txt left out"
        assert [words for _, words in here.actions] == ["Show", "Undo"]
        assert await line(laptop) == here
        for window in (desk, laptop):
            window.transcript.row_actions.action_requested.emit(here.message_id, "show")
        assert (await line(laptop)).unfolded == (await line(desk)).unfolded != ()
        gone = left_out(desk)

        desk.backend.window = laptop.backend.window = 200_000
        desk.presenters.gauge.refresh()
        await asks(desk, "And with all of it?")
        await exchanged(desk, laptop)
        back = await line(desk)
        assert back.text == f"{gone} older messages brought back"
        assert await line(laptop) == back
        assert dict(laptop.transcript.decorations.ticks) == dict(desk.transcript.decorations.ticks) != {}

        laptop.presenters.gauge.refresh()
        await undoes(laptop)
        assert left_out(laptop) == gone, "Undo of a return leaves out again"
        await exchanged(laptop, desk)
        assert (await line(laptop)).message_id == here.message_id
        assert await line(desk) == await line(laptop)
        await undoes(desk)
        await exchanged(desk, laptop)
        assert left_out(desk) == left_out(laptop) == 0
        told = await line(laptop)
        assert (told.text.endswith("undone later"), [words for _, words in told.actions]) == (True, ["Show"])
        assert await line(desk) == told
        assert dict(laptop.transcript.decorations.ticks) == dict(desk.transcript.decorations.ticks)


@pytest.mark.slow
async def test_of_a_return_whose_figures_did_not_come_nothing_is_said(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a device of an older version sends it."""
    monkeypatch.setattr(_Merge, "_events", lambda *_: None)
    async with desk_and_laptop(tmp_path, monkeypatch) as (desk, laptop):
        await asks(desk, "And now?")
        await exchanged(desk, laptop)
        told = await line(laptop)
        assert (told.text, [words for _, words in told.actions]) == ("Older messages left out", ["Undo"])
        desk.backend.window = laptop.backend.window = 200_000
        desk.presenters.gauge.refresh()
        await asks(desk, "And with all of it?")
        await exchanged(desk, laptop)
        assert (await line(desk)).text.endswith("brought back")
        assert laptop.transcript.messages[-1].id == desk.transcript.messages[-1].id
        assert laptop.transcript.decorations.step is None
        assert list(laptop.transcript.decorations.ticks) == [told.message_id]
        await asks(laptop, "And now?")
        assert laptop.transcript.decorations.step is None
        assert list(laptop.transcript.decorations.ticks) == [told.message_id], "an empty tick says nothing"


@pytest.mark.slow
async def test_the_answer_that_came_after_a_failure_is_shown_on_the_other_device(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk_and_laptop(tmp_path, monkeypatch) as (desk, laptop):
        desk.backend.reply(Failed(Failure("auth", "Second needs a key.", actions=("add_key", "retry"))))
        await asks(desk, "Hello second server")
        await exchanged(desk, laptop)
        await laptop.until(lambda: laptop.transcript.messages[-1].state == "error", "the failure")
        await laptop.until(lambda: laptop.presenters.error_cards.card is not None, "its card")
        desk.backend.reply(TextDelta("Here I am."), Ended("end_turn"))
        desk.presenters.branches.retry()
        await desk.until(lambda: desk.transcript.messages[-1].text == "Here I am.", "the answer")
        await desk.until(lambda: not desk.composer.streaming, "its end")
        await desk.settled()
        await exchanged(desk, laptop)
        await laptop.until(lambda: laptop.transcript.messages[-1].text == "Here I am.", "the answer there")
        assert laptop.transcript.footer.notice is None
        card = laptop.presenters.error_cards.card
        assert card is None or not card.isVisible()


class Explained(InOneThread):
    """Machines on which a person reads what happened to the context of each answer, and takes some of it back."""

    decides = Machines.decides

    def all_equal(self) -> None:
        super().all_equal()
        first, *others = (explained(one) for one in self.machines)
        for other in others:
            assert other == first


def explained(machine: Machine) -> dict[str, list[tuple[str, str, str]]]:
    """The lines on the path to each answer."""
    told = {}
    for row in machine.store.threads.all():
        thread = row.thread
        tree, events = Conversation(machine.store.messages.all(thread.id)), machine.store.events.of_thread(thread.id)
        for end in machine.store.messages.all(thread.id):
            facts = PathFacts()
            facts.follows(tuple(tree.path(end.id)))
            steps = steps_on(facts, events, thread.choices)
            told[end.id] = [(step.message_id, step.words, step.detail) for step in steps]
    return told


def test_each_device_explains_every_answer_in_the_same_words(qapp: QApplication) -> None:
    run_machines(10, 20, derandomize=True, machines=Explained)
