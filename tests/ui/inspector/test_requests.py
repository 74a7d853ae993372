"""The inspector's Request and Past tabs: what is shown is what is sent, and what was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.backends.anthropic_wire import request_body
from desktop_app.core.context.costs import PastTurn
from desktop_app.core.context.readable_request import ReadableRequest, RequestDiff
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure, Message, Usage
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.turn_store import INTERRUPTED
from desktop_app.ui.i18n.content_words import excerpt
from desktop_app.ui.inspector.past_tab import PastTurnModel
from desktop_app.ui.inspector.request_view import RequestView
from desktop_app.ui.widgets.text_lines import plain_text
from tests.fakes.gated_backend import Gate
from tests.ui.inspector.inspecting import Inspecting, talked
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key = Qt.Key


def shown(view: RequestView) -> str:
    return plain_text(view.text.shown_lines)


async def until_shown(window: OpenWindow, view: RequestView, words: str) -> None:
    await window.until(lambda: words in shown(view) and not view.text.filling, f"{words!r} in {view.note.words!r}")
    await window.settled()


async def test_the_request_follows_the_draft_and_is_what_is_then_sent(window: OpenWindow) -> None:
    backend = await talked(window, 2)
    inspecting = Inspecting(window)
    await inspecting.open("request")
    view = inspecting.pane.request
    await until_shown(window, view, "question 1")
    assert view.note.words == "Nothing written yet. Your message goes at the end."
    window.type("and what now")
    await until_shown(window, view, "and what now")
    assert view.note.words == ""
    headings = [line.text for line in view.text.shown_lines if line.kind == "heading"]
    assert headings == ["User", "Assistant", "User", "Assistant", "User"]
    assert any(line.kind == "mark" for line in view.text.shown_lines)
    view.raw.click()
    await until_shown(window, view, '"messages"')
    body = json.loads(shown(view))
    view.copy.click()
    assert json.loads(QGuiApplication.clipboard().text()) == body
    assert view.copy.text() == "Copied"
    window.press(Key.Key_Return)
    await window.until(lambda: len(backend.plans) == 3, "the request")
    assert body == request_body(backend.plans[-1])
    await window.until(lambda: not window.composer.streaming, "the answer")


async def test_the_programs_request_is_its_standard_input_and_system_prompt(window: OpenWindow) -> None:
    backend = await talked(window, 1, program=True)
    assert window.app_state.thread_id is not None
    await window.services.chat.facts.change(window.app_state.thread_id, system="Be brief.")
    window.type("next")
    inspecting = Inspecting(window)
    await inspecting.open("request")
    view = inspecting.pane.request
    await until_shown(window, view, "Be brief.")
    view.raw.click()
    await until_shown(window, view, "Standard input")
    request = backend.request(inspecting.plan)
    assert shown(view) == f"Standard input\n{request['stdin']}\n\nSystem prompt\n{request['system']}"


async def test_a_folded_text_unfolds_and_stays_so_while_the_draft_goes_on(window: OpenWindow) -> None:
    backend = await talked(window, 1)
    backend.text = "\n\n" + "word " * 2_000 + "the end of it"
    await window.send("a long one, please")
    inspecting = Inspecting(window)
    await inspecting.open("request")
    view = inspecting.pane.request
    await until_shown(window, view, "more characters · Show")
    assert "the end of it" not in shown(view)
    fold = next(line.fold for line in view.text.shown_lines if line.kind == "fold")
    view.text.unfold_requested.emit(fold)
    await until_shown(window, view, "the end of it")
    window.type("go on")
    await until_shown(window, view, "go on")
    assert "the end of it" in shown(view)


async def test_a_request_that_is_too_long_says_so(window: OpenWindow) -> None:
    await talked(window, 1, limit=4_000)
    inspecting = Inspecting(window)
    await inspecting.open("request")
    window.editor.replace_text("word " * 20_000)
    view = inspecting.pane.request
    await window.until(lambda: view.note.words == "Too long: this request would not be sent.", "the note")
    await until_shown(window, view, "word word")


async def test_an_empty_thread_has_nothing_to_send_yet(window: OpenWindow) -> None:
    inspecting = Inspecting(window)
    await inspecting.open("request")
    await window.until(lambda: bool(inspecting.pane.request.note.words), "words")
    assert inspecting.pane.request.note.words == "Nothing to send yet. The request updates as you type."
    assert not inspecting.pane.request.copy.isEnabled()
    inspecting.pane.show_tab("past")
    assert inspecting.pane.past.empty.words == "Nothing has been sent in this thread yet."
    assert inspecting.pane.past.parts.isHidden()
    window.presenters.gauge.forget()
    inspecting.pane.show_tab("request")
    assert inspecting.pane.request.note.words.startswith("No model is chosen.")


async def test_past_turns_show_what_was_sent_with_counts_and_cache(window: OpenWindow) -> None:
    backend = await talked(window, 3)
    inspecting = Inspecting(window)
    await inspecting.open("past")
    past = inspecting.pane.past
    await until_shown(window, past.request, "question 2")
    assert past.model.rowCount() == 3
    told = [str(past.model.data(past.model.index(row))) for row in range(3)]
    assert [one.rpartition(": ")[2] for one in told] == ["question 2", "question 1", "question 0"]
    assert "cache kept" in told[0]
    assert "cache written" in told[2]
    assert " read · " in told[0]
    assert "$" in told[0]
    window.press(Key.Key_Down, widget=past.view)
    window.press(Key.Key_Down, widget=past.view)
    await window.until(
        lambda: "question 0" in shown(past.request) and "question 2" not in shown(past.request), "turn 1"
    )
    past.request.raw.click()
    await until_shown(window, past.request, '"max_tokens"')
    assert json.loads(shown(past.request)) == request_body(backend.plans[0])


async def test_compare_shows_what_changed_and_what_became_of_the_cache(window: OpenWindow) -> None:
    await talked(window, 3)
    assert window.app_state.thread_id is not None
    inspecting = Inspecting(window)
    await inspecting.open("past")
    past = inspecting.pane.past
    await until_shown(window, past.request, "question 2")
    past.compare.click()
    await until_shown(window, past.request, "Cache kept up to block 3")
    assert past.request.note.words == "From turn 2 to turn 3. Pick another turn to compare with it."
    assert "3 blocks unchanged" in shown(past.request)
    assert "+ question 2" in shown(past.request)
    window.press(Key.Key_Down, widget=past.view)
    await until_shown(window, past.request, "Cache kept up to block 1")
    assert past.request.note.words.startswith("From turn 1 to turn 3.")
    assert past.request.reading is not None
    assert isinstance(past.request.reading.source, RequestDiff)
    window.press(Key.Key_Escape, widget=past.view)
    assert not past.compare.isChecked()
    await window.until(
        lambda: past.request.reading is not None and isinstance(past.request.reading.source, ReadableRequest),
        "the request again",
    )
    assert "question 2" in shown(past.request)
    await window.services.chat.context_editing.exclude(
        window.app_state.thread_id, [inspecting.plan.placement.messages[0].id]
    )
    await window.send("after a change")
    await window.until(lambda: past.model.rowCount() == 4, "the new turn")
    past.view.setCurrentIndex(past.model.index(0))
    await until_shown(window, past.request, "after a change")
    past.compare.click()
    await until_shown(window, past.request, "Cache rewritten from block 1")


async def test_a_running_answer_is_a_turn_with_its_request(window: OpenWindow) -> None:
    backend = await talked(window, 1)
    inspecting = Inspecting(window)
    await inspecting.open("past")
    past = inspecting.pane.past
    await until_shown(window, past.request, "question 0")
    gate = Gate()
    backend.reply(gate, TextDelta("at last"), Ended("end_turn"))
    window.type("go on")
    window.press(Key.Key_Return)
    await gate.arrive()
    await window.until(lambda: past.model.rowCount() == 2, "the running turn")
    turn = past.model.turn(past.model.index(0))
    assert turn is not None
    assert past.model.counts(turn) == "answering"
    past.view.setCurrentIndex(past.model.index(0))
    await until_shown(window, past.request, "go on")
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the answer")


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ({"stop_reason": "interrupted"}, "stopped"),
        ({"failure": INTERRUPTED}, "cut off"),
        ({"failure": Failure("network", "")}, "connection lost"),
        ({"failure": Failure("backend", ""), "state": "error"}, "failed"),
        ({"failure": Failure("network", ""), "state": "error"}, "failed"),
        ({"failure": Failure("backend", ""), "state": "partial"}, "cut off"),
        ({"state": "complete"}, "no counts reported"),
        ({}, "answering"),
    ],
)
def test_a_turn_without_counts_says_how_it_ended(qapp: QApplication, ended: dict[str, Any], told: str) -> None:
    answer = replace(Message("a", "t", None, "assistant", (), "", state="partial"), **ended)
    assert PastTurnModel().counts(PastTurn(1, answer, "why?")) == told
    assert excerpt(answer) == ("no answer" if answer.state == "complete" else told)


def test_a_stopped_turn_with_counts_says_both(qapp: QApplication) -> None:
    usage, stop = Usage(input=10, output=5), "interrupted"
    answer = Message("a", "t", None, "assistant", (), "", state="partial", usage=usage, stop_reason=stop)
    assert PastTurnModel().counts(PastTurn(1, answer, "why?")) == "10 in · 5 out · stopped"


async def test_a_request_that_can_not_be_read_is_told(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    await talked(window, 1)

    async def broken(answer_id: str) -> None:
        raise UserError("store", "The history file can't be read. Check the disk, then try again.")

    async def missing(answer_id: str) -> None:
        return None

    monkeypatch.setattr(window.services.chat.history, "request", broken)
    inspecting = Inspecting(window)
    await inspecting.open("past")
    note = inspecting.pane.past.request.note
    await window.until(lambda: "can't be read" in note.words, "the words")
    monkeypatch.setattr(window.services.chat.history, "request", missing)
    inspecting.pane.past.turn_chosen.emit(inspecting.pane.past.current_turn())
    await window.until(lambda: note.words == "The request of turn 1 was not kept.", "the other words")


async def test_it_opens_in_a_thread_that_was_there_before(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await talked(window, 2)
    async with OpenWindow.opened(data_dir) as window:
        inspecting = Inspecting(window)
        await inspecting.open("past")
        past = inspecting.pane.past
        await until_shown(window, past.request, "question 1")
        assert past.model.rowCount() == 2
