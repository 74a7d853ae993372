"""The lines that tell of steps: folded and unfolded, taken back, back again after a restart; ticks and summaries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.context.plan import Overhead
from desktop_app.core.messages import DocumentPart
from desktop_app.core.model_catalog import Prices
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.transcript.message.decorations import StepLine
from tests.fakes.gated_backend import Gate
from tests.ui.long_threads import SENTENCE, drafted, faded, long_path, put_thread, speak, stepped
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

THREAD = f"{7:032x}"


async def line_of(window: OpenWindow, ending: str = "") -> StepLine:
    """The line of the step, once it ends so."""
    shown = window.transcript.decorations
    await window.until(lambda: shown.step is not None and shown.step.text.endswith(ending), "the line of the step")
    await window.settled()
    step = window.transcript.decorations.step
    assert step is not None
    return step


def act(window: OpenWindow, action: str) -> None:
    step = window.transcript.decorations.step
    assert step is not None
    window.transcript.row_actions.action_requested.emit(step.message_id, action)


async def test_a_step_is_one_line_beneath_its_question_that_unfolds(window: OpenWindow) -> None:
    window.backend.cost_kind = "money"
    window.backend.prices = Prices(500.0, 2_500.0, 50.0, 625.0, 1_000.0)
    window.backend.overhead = Overhead(cache_marks=4)
    (cause,) = await stepped(window)
    plan = window.backend.plans[-1]
    line = await line_of(window)
    assert line.message_id == cause
    assert line.text == f"{plan.placement.newly_left_out} older messages left out"
    assert [words for _, words in line.actions] == ["Show", "Undo"]
    assert line.unfolded == ()
    act(window, "show")
    line = await line_of(window)
    assert [words for _, words in line.actions] == ["Hide", "Undo"]
    ((detail, further),) = line.unfolded
    before, after = plan.advice.events[0].before, plan.advice.events[0].after
    assert detail == f"{before / 1_000:.1f}K → {after / 1_000:.1f}K · cache rewritten, ${plan.price.cost_usd:.2f}"
    assert [words for _, words in further] == ["Bring back…", "Pin…"]
    asked: list[str] = []
    window.presenters.steps.inspector_requested.connect(asked.append)
    act(window, "bring_back")
    assert asked == ["left_out"]
    act(window, "hide")
    assert (await line_of(window)).unfolded == ()


async def test_the_first_step_says_where_the_messages_are_if_the_model_can_look_them_up(window: OpenWindow) -> None:
    window.backend.accepts_tools = True
    await stepped(window)
    told = f"{window.backend.plans[-1].placement.newly_left_out} older messages left out"
    assert (await line_of(window)).text == f"{told} · Older messages stay here; the model can look them up"
    first = window.transcript.decorations.step
    await stepped(window)
    await window.until(lambda: window.transcript.decorations.step != first, "the line of the second step")
    assert "look them up" not in (await line_of(window)).text


async def test_undo_takes_the_step_back_says_what_follows_and_can_be_undone(window: OpenWindow) -> None:
    (cause,) = await stepped(window)
    await line_of(window)
    left_out = window.presenters.gauge.plan
    assert left_out is not None
    assert left_out.placement.left_out
    before = (await line_of(window)).text
    act(window, "undo")
    line = await line_of(window, "later")
    assert (line.message_id, line.text) == (cause, f"{before} · undone later"), "the answer was made without them"
    assert [words for _, words in line.actions] == ["Show"]
    assert (await window.thread()).choices.undone == {cause}
    assert window.presenters.gauge.plan is not None
    assert window.presenters.gauge.plan.placement.left_out == 0
    assert faded(window) == set()
    toast = window.window.toast
    assert toast.words.startswith("Undone. The next message sends ")
    toast.button.click()
    assert (await line_of(window, "out")).text == before
    assert (await window.thread()).choices.undone == frozenset()


async def test_another_answer_made_since_with_all_of_it_has_no_line_of_the_step(window: OpenWindow) -> None:
    await stepped(window)
    await line_of(window)
    act(window, "undo")
    await line_of(window, "later")
    shown = window.transcript.row_layout.messages[-1].id
    window.presenters.branches.try_again()
    await window.until(lambda: window.transcript.row_layout.messages[-1].id != shown, "another answer")
    await window.until(lambda: not window.composer.streaming, "its end")
    await window.settled()
    assert window.backend.plans[-1].placement.left_out == 0
    assert window.transcript.decorations.step is None


async def test_undo_says_where_the_next_message_would_be_cut_again(window: OpenWindow) -> None:
    await stepped(window)
    await line_of(window)
    await drafted(window, SENTENCE * 350)
    act(window, "undo")
    await window.until(window.window.toast.isVisible, "the toast")
    await window.settled()
    assert "would pass the limit again" in window.window.toast.words


async def test_only_the_newest_step_is_a_line_and_older_ones_are_ticks(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        first, second = await stepped(window, 2)
        line = await line_of(window)
        assert line.message_id == second
        assert set(window.transcript.decorations.ticks) == {first}
    async with OpenWindow.opened(data_dir) as window:
        again = await line_of(window)
        assert (again.message_id, again.text) == (line.message_id, line.text)
        assert set(window.transcript.decorations.ticks) == {first}
        assert window.transcript.decorations.ticks[first].endswith("older messages left out")
        act(window, "undo")
        await window.until(lambda: window.transcript.decorations.step != again, "the step before")
        await window.settled()
        assert window.transcript.decorations.step is not None
        assert window.transcript.decorations.step.message_id == first
        assert window.transcript.decorations.ticks[second].endswith("older messages left out · undone later")


async def summarised(window: OpenWindow, data_dir: Path, *, gate: Gate | None = None) -> str:
    """A thread with a summary by hand of messages 2 to 15; the summary's id ("" while it is gated)."""
    await put_thread(data_dir, "Long", long_path(THREAD, 12, 400))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    plan = window.presenters.gauge.plan
    assert plan is not None
    steps = (TextDelta("Asked: the figures."), *((gate,) if gate else ()), Ended("end_turn"))
    window.backend.reply(*steps)
    window.presenters.summary_requests.summarise([placed.id for placed in plan.placement.messages[2:16]])
    if gate is not None:
        await gate.arrive()
        return ""
    await window.until(lambda: window.app_state.current and window.app_state.current.choices.summaries, "the summary")
    await window.settled()
    assert window.app_state.current is not None
    return window.app_state.current.choices.summaries[0].id


def notice(window: OpenWindow) -> tuple[str, list[str]]:
    shown = window.transcript.footer.notice
    assert shown is not None
    return shown[0], [words for _, words in shown[1]]


async def test_a_summary_stands_in_its_place_can_be_read_and_taken_back(window: OpenWindow, data_dir: Path) -> None:
    summary = await summarised(window, data_dir)
    assert notice(window) == ("14 older messages summarized", ["Edit", "Undo"])
    view = window.transcript
    ((place, line),) = view.decorations.summaries.items()
    assert place == view.row_layout.messages[16].id
    assert line.heading == "Conversation summary of 14 messages"
    assert faded(window) == set(range(2, 16))
    assert view.decorations.marks == {view.row_layout.messages[2].id: "Summarized"}
    view.row_actions.action_requested.emit(place, f"show:{summary}")
    assert view.decorations.summaries[place].text == "Asked: the figures."
    edited: list[str] = []
    window.presenters.steps.summary_edit_requested.connect(edited.append)
    view.row_actions.action_requested.emit(place, f"edit:{summary}")
    await window.settled()
    assert edited == [summary]
    view.row_actions.action_requested.emit("", f"remove:{summary}")
    await window.until(lambda: not view.decorations.summaries, "the summary gone")
    await window.settled()
    assert faded(window) == set()
    window.window.toast.button.click()
    await window.until(lambda: view.decorations.summaries, "the summary back")


async def test_the_request_that_takes_a_summary_up_has_the_line(window: OpenWindow, data_dir: Path) -> None:
    summary = await summarised(window, data_dir)
    await speak(window, "And now?", "This.")
    line = await line_of(window)
    assert line.text == "14 older messages summarized"
    assert line.actions == [("show", "Show"), (f"edit:{summary}", "Edit"), ("undo", "Undo")]
    assert line.message_id == window.transcript.row_layout.messages[-2].id
    act(window, "undo")
    await window.until(lambda: window.transcript.decorations.step is None, "no line")
    await window.settled()
    assert (await window.thread()).choices.summaries == ()


async def test_a_summary_in_the_making_can_be_stopped(window: OpenWindow, data_dir: Path) -> None:
    gate = Gate()
    await summarised(window, data_dir, gate=gate)
    assert notice(window) == ("Summarizing 14 older messages", ["Stop"])
    window.transcript.row_actions.action_requested.emit("", "stop_summary")
    await window.until(lambda: not window.services.chat.summaries.running(THREAD), "the end of the summary")
    await window.settled()
    assert (await window.thread()).choices.summaries == ()
    assert notice(window)[0] == "The summary was stopped."


async def test_a_fresh_start_has_its_line_once_it_was_sent_and_its_undo(window: OpenWindow, data_dir: Path) -> None:
    await put_thread(data_dir, "Long", long_path(THREAD, 12, 400))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    view = window.transcript
    window.presenters.choices.start_fresh(view.row_layout.messages[-1].id)
    await window.settled()
    assert faded(window) == set(range(24))
    await speak(window, "And now?", "This.")
    line = await line_of(window)
    assert line.text == "Started fresh: 24 older messages left out"
    assert view.decorations.load_line == line.message_id
    act(window, "undo")
    await window.until(lambda: window.transcript.decorations.step is None, "no line")
    await window.settled()
    assert (await window.thread()).choices.fresh_from is None
    assert faded(window) == set()


async def test_a_fresh_start_in_the_middle_can_be_undone_where_it_begins(window: OpenWindow, data_dir: Path) -> None:
    await put_thread(data_dir, "Long", long_path(THREAD, 12, 400))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    messages = window.transcript.row_layout.messages
    window.presenters.choices.start_fresh(messages[9].id)
    line = await line_of(window)
    assert (line.message_id, line.text) == (messages[10].id, "Started fresh: 10 older messages left out")
    assert [words for _, words in line.actions] == ["Undo"]
    await speak(window, "And now?", "This.")
    assert (await line_of(window)).message_id == messages[10].id
    act(window, "undo")
    await window.until(lambda: window.transcript.decorations.step is None, "no line")
    await window.settled()
    assert (await window.thread()).choices.fresh_from is None


async def test_the_trim_at_a_step_with_summaries_on_tells_of_both(data_dir: Path) -> None:
    data_dir.mkdir(parents=True)
    (data_dir / "settings.toml").write_text("[context]\nsummarize_on_trim = true\n", "utf-8")
    async with OpenWindow.opened(data_dir) as window:
        window.backend.window = 12_000
        for number in range(40):
            plan = await drafted(window, f"Question {number}?")
            if plan.decision == "trim" and plan.advice.summary_due:
                break
            await speak(window, f"Question {number}?", f"Answer {number}. " + SENTENCE * 28)
        window.backend.reply(TextDelta("Asked: the figures."), Ended("end_turn"))
        await speak(window, "And then?")
        line = await line_of(window)
        assert line.text.endswith("older messages summarized")
        assert [words for _, words in line.actions] == ["Show", "Edit", "Undo"]


async def test_the_line_of_another_thread_is_not_shown(window: OpenWindow, data_dir: Path) -> None:
    await stepped(window)
    await line_of(window)
    await put_thread(data_dir, "Long", long_path(THREAD, 3, 100))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    assert window.transcript.decorations.step is None
    window.press(Qt.Key.Key_Return)


async def test_bring_back_leads_to_what_was_left_out(window: OpenWindow) -> None:
    await stepped(window)
    await line_of(window)
    act(window, "bring_back")
    await window.settled()
    plan = window.presenters.gauge.plan
    pane = window.window.inspector.content
    assert isinstance(pane, InspectorPane)
    assert plan is not None
    assert pane.tab == "messages"
    chosen = {placed.id for placed in pane.messages.view.selected_messages()}
    assert chosen == {placed.id for placed in plan.placement.messages if placed.state == "left_out"}


@pytest.mark.parametrize("again", [False, True], ids=["once", "attached again"])
async def test_the_line_names_the_document_that_left_as_the_gauge_did(
    window: OpenWindow, data_dir: Path, again: bool
) -> None:
    window.backend.window = 12_000
    path = list(long_path(THREAD, 12, 900))
    notes = DocumentPart("notes.txt", "The harbour master is called Ingeborg. " * 20, "a" * 64)
    for place in (2, len(path) - 2) if again else (2,):
        path[place] = replace(path[place], parts=(*path[place].parts, notes))
    await put_thread(data_dir, "Long", tuple(path))
    await window.app_state.open_thread(THREAD)
    plan = await drafted(window, "And now?")
    files = "" if again else " and notes.txt"
    assert window.gauge.reading.line == f"Sending leaves out {plan.placement.newly_left_out} older messages{files}"
    gate = Gate()
    window.backend.reply(TextDelta("This"), gate, TextDelta("."), Ended("end_turn"))
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    expected = f"{plan.placement.newly_left_out} older messages{files} left out"
    assert (await line_of(window)).text == expected, "from the start"
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    assert (await line_of(window)).text == expected
