"""What is done with a message that was said: edited, asked again, gone on with; and the ways between its versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.backends.backend_protocol import Availability
from desktop_app.core.context.plan import Overhead
from desktop_app.core.errors import TransientError, UserError
from desktop_app.core.messages import DocumentPart, TextPart, ToolCallPart, Usage
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.recall import TOOL_NAME
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta, UsageReported
from desktop_app.storage.turn_store import INTERRUPTED
from desktop_app.ui.conversation.message_actions import DetailsPopover
from desktop_app.ui.transcript.message.action_bar import BranchItem
from tests.fakes.gated_backend import Gate, said
from tests.ui.menus import entries_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key = Qt.Key


def shown(window: OpenWindow) -> list[str]:
    return [message.text for message in window.transcript.row_layout.messages]


def hover(window: OpenWindow, index: int) -> None:
    """The pointer comes to rest on a message."""
    view = window.transcript
    if not any(p.message == index and p.first for p in view.row_layout.placed):
        view.navigation.scroll_to_message(view.row_layout.messages[index].id)
    place = next(p for p in view.row_layout.placed if p.message == index and p.first)
    at = QPointF(view.column.left() + 20, max(1, place.item_top + 4))
    no = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, view.viewport().mapToGlobal(at), no, no, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view.viewport(), event)


def press(window: OpenWindow, index: int, action: str) -> None:
    """Presses a button of the row beneath a message."""
    hover(window, index)
    window.transcript.actions_bar.buttons[action].click()


def entries(window: OpenWindow, index: int) -> dict[str, QAction]:
    """The menu of message `index` by its words, opened by the keyboard."""
    view = window.transcript
    view.keyboard.focus_message(index)
    corner = view.message_corner(index)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, corner, view.viewport().mapToGlobal(corner)))
    assert view.menu is not None
    found = entries_of(view.menu)
    view.menu.hide()
    return found


async def talked(window: OpenWindow, *questions: str) -> None:
    for question in questions or ("one", "two"):
        await window.send(question)


async def answered(window: OpenWindow, requests: int) -> None:
    await window.until(lambda: len(window.backend.plans) == requests, f"request {requests}")
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()


def branch_line(window: OpenWindow, index: int) -> BranchItem | None:
    rows = window.transcript.row_layout.message_layout(index).rows
    return next((row.item for row in rows if isinstance(row.item, BranchItem)), None)


def click_arrow(window: OpenWindow, index: int, side: str) -> None:
    view = window.transcript
    placed = next(p for p in view.row_layout.placed if p.message == index and isinstance(p.row.item, BranchItem))
    item = placed.row.item
    x = next(x for x in range(-8, 200) if item.button_at(x, 14) == side) + 8
    at = QPoint(view.column.left() + x, placed.item_top + 14)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


async def test_a_question_is_edited_in_its_place_and_the_draft_stays(window: OpenWindow) -> None:
    await talked(window)
    window.type("what I write")
    press(window, 2, "edit")
    panel = window.transcript.editing.panel
    assert panel.isVisible()
    assert panel.editor.toPlainText() == "two"
    assert panel.editor.hasFocus()
    window.type(", better", panel.editor)
    window.press(Key.Key_Return, widget=panel.editor)
    await answered(window, 3)
    assert shown(window) == ["one", "answer 1", "two, better", "answer 3"]
    assert not panel.isVisible()
    assert window.editor.toPlainText() == "what I write"
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[2].id) == (2, 2)
    assert branch_line(window, 2) is not None
    assert branch_line(window, 3) is None
    await window.session.presenters.drafts.flush()
    assert (await window.thread()).draft == "what I write"


async def test_the_first_question_too(window: OpenWindow) -> None:
    await talked(window, "one")
    press(window, 0, "edit")
    panel = window.transcript.editing.panel
    panel.editor.replace_text("another beginning")
    panel.yes.click()
    await answered(window, 2)
    assert shown(window) == ["another beginning", "answer 2"]
    click_arrow(window, 0, "previous")
    await window.settled()
    assert shown(window) == ["one", "answer 1"]


async def test_esc_puts_the_question_back(window: OpenWindow) -> None:
    await talked(window)
    press(window, 2, "edit")
    panel = window.transcript.editing.panel
    window.type("no", panel.editor)
    window.press(Key.Key_Escape, widget=panel.editor)
    assert not panel.isVisible()
    assert window.transcript.edited == ""
    assert window.editor.hasFocus()
    press(window, 2, "edit")
    assert panel.editor.toPlainText() == "two"


async def test_up_in_an_empty_composer_edits_the_last_question(window: OpenWindow) -> None:
    await talked(window)
    window.type("x")
    window.press(Key.Key_Up)
    assert window.transcript.edited == ""
    window.editor.replace_text("")
    window.press(Key.Key_Up)
    assert window.transcript.edited == window.transcript.row_layout.messages[2].id


async def test_the_windows_actions_reach_the_last_turn(window: OpenWindow) -> None:
    for action in ("edit_question", "try_again", "continue_answer"):
        window.shortcut(action)  # with nothing there is nothing to do
    await window.settled()
    await talked(window, "one")
    window.shortcut("try_again")
    await answered(window, 2)
    assert shown(window) == ["one", "answer 2"]
    window.type("a draft")
    window.shortcut("edit_question")
    assert window.transcript.edited == window.transcript.row_layout.messages[0].id
    window.shortcut("continue_answer")
    await window.settled()
    assert len(window.backend.plans) == 2, "it is whole"


async def test_a_refused_edit_stays_open_with_its_reason_and_goes_when_it_fits(window: OpenWindow) -> None:
    window.backend.window = 10_000
    await talked(window, "one")
    window.type("my draft")
    press(window, 0, "edit")
    panel = window.transcript.editing.panel
    panel.editor.replace_text("word " * 20_000)
    panel.yes.click()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert panel.isVisible()
    assert not panel.sending
    assert panel.text.startswith("word word")
    assert shown(window) == ["one", "answer 1"]
    assert window.editor.toPlainText() == "my draft"
    assert (await window.thread()).tip == window.transcript.row_layout.messages[-1].id
    plans: list[object] = []
    window.presenters.gauge.plan_changed.connect(plans.append)
    window.type("!")
    await window.until(lambda: plans, "the plan of the draft")
    card = window.presenters.error_cards.card
    assert card is not None
    assert not card.resolved, "the draft fits, but it is not the draft that was refused"
    assert "draft" not in card.content.sentence
    window.editor.setFocus()
    window.presenters.error_cards.act("edit_draft")
    assert panel.editor.hasFocus()
    panel.editor.replace_text("short")
    panel.yes.click()
    await answered(window, 2)
    assert shown(window) == ["short", "answer 2"]
    assert window.presenters.error_cards.card is None


async def test_what_is_attached_to_the_question_and_to_the_draft_stays(window: OpenWindow) -> None:
    document = DocumentPart("notes.txt", "some notes", "0" * 64)
    thread = await window.app_state.made_thread()
    await window.settled()
    window.services.chat.start_send(thread.id, (document, TextPart("read this")))
    await answered(window, 1)
    waiting = DocumentPart("later.txt", "for later", "1" * 64)
    await window.services.attachments.change(thread.id, lambda _: (waiting,))
    await window.until(lambda: window.composer.attachments, "the attachment of the draft")
    press(window, 0, "edit")
    panel = window.transcript.editing.panel
    panel.editor.replace_text("read this again")
    panel.yes.click()
    await answered(window, 2)
    assert window.transcript.row_layout.messages[0].parts == (document, TextPart("read this again"))
    assert window.composer.attachments == (waiting,)
    assert await window.services.attachments.of(thread.id) == (waiting,)


async def test_asked_again_the_old_answer_stays_and_the_arrows_lead_back_and_forth(window: OpenWindow) -> None:
    await talked(window)
    entries(window, 1)["Regenerate"].trigger()
    await answered(window, 3)
    assert shown(window) == ["one", "answer 3"]
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[1].id) == (2, 2)
    click_arrow(window, 1, "previous")
    await window.settled()
    assert shown(window) == ["one", "answer 1", "two", "answer 2"]
    assert (await window.thread()).tip == window.transcript.row_layout.messages[-1].id
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert [placed.id for placed in plan.placement.messages] == [m.id for m in window.transcript.row_layout.messages]
    # with the keyboard on the message, too
    window.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.transcript.keyboard.focus_message(1)
    assert window.transcript.accessible.name(1) == "Assistant, Answer 1 of 2"
    window.press(Key.Key_Right, Qt.KeyboardModifier.AltModifier, widget=window.transcript)
    await window.settled()
    assert shown(window) == ["one", "answer 3"]
    assert window.transcript.row_layout.focused == 1
    window.press(Key.Key_Right, Qt.KeyboardModifier.AltModifier, widget=window.transcript)
    await window.settled()
    assert shown(window) == ["one", "answer 3"], "there is no further one"


async def test_one_click_beneath_an_answer_writes_it_anew_and_loses_nothing(window: OpenWindow) -> None:
    await talked(window, "one")
    hover(window, 1)
    button = window.transcript.actions_bar.buttons["again"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await answered(window, 2)
    assert shown(window) == ["one", "answer 2"]
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[1].id) == (2, 2)
    assert len((await window.opened_thread()).conversation) == 3


async def test_the_arrow_beside_it_offers_the_other_models(window: OpenWindow) -> None:
    await talked(window, "one")
    hover(window, 1)
    again, arrow = (window.transcript.actions_bar.buttons[name] for name in ("again", "again_with"))
    assert arrow.geometry().left() == again.geometry().right() + 1
    assert arrow.width() < again.width()
    QTest.mouseClick(arrow, Qt.MouseButton.LeftButton)
    await window.until(lambda: window.presenters.branches.models is not None, "the models")
    menu = window.presenters.branches.models
    assert menu is not None
    assert len(window.backend.plans) == 1
    menu.chosen.emit("scripted", "small")
    await answered(window, 2)
    assert window.transcript.row_layout.messages[1].model == "small"
    menu.close()
    await window.settled()


async def test_another_model_answers_once(window: OpenWindow) -> None:
    await talked(window, "one")
    message = window.transcript.row_layout.messages[1].id
    entries(window, 1)["Regenerate with another model…"].trigger()
    await window.until(lambda: window.presenters.branches.models is not None, "the models")
    menu = window.presenters.branches.models
    assert menu is not None
    menu.chosen.emit("scripted", "small")
    await answered(window, 2)
    assert [m.model for m in window.transcript.row_layout.messages] == [None, "small"]
    assert (await window.thread()).model != "small"
    await window.settled()
    messages, decorations = window.transcript.row_layout.messages, window.transcript.decorations
    assert decorations.models == {messages[1].id: window.backend.model("small").name}, "a version by another model"
    assert decorations.models[messages[1].id] in decorations.said_of(messages[1])
    assert decorations.branch_of(message) is None
    await window.send("and then")
    messages = window.transcript.row_layout.messages
    assert list(decorations.models) == [messages[1].id, messages[3].id], "and where the thread's own answers again"
    await window.send("and on")
    assert list(decorations.models) == [messages[1].id, messages[3].id], "not once more"
    named = next(
        row.item.note  # type: ignore[attr-defined]
        for row in window.transcript.path.layout_of(messages[3].id).foot
        if row.decoration == "model"
    )
    assert named == decorations.models[messages[3].id]
    window.presenters.branches.act(messages[1].id, "previous")
    await window.settled()
    assert list(decorations.models) == [message], "the other version says its own"
    menu.close()
    await window.settled()


async def test_the_eye_stays_where_the_branches_part(window: OpenWindow) -> None:
    window.backend.text = "\n\n".join(f"paragraph {number}" for number in range(60))
    await talked(window, "one", "two", "three")
    view = window.transcript
    view.navigation.go_to_message(2)
    entries(window, 3)["Regenerate"].trigger()
    await answered(window, 4)
    view.navigation.go_to_message(2)
    before = next(p.top for p in view.row_layout.placed if p.message == 2 and p.first)
    window.presenters.branches.act(view.row_layout.messages[3].id, "previous")
    await window.settled()
    assert next(p.top for p in view.row_layout.placed if p.message == 2 and p.first) == before
    view.navigation.go_to_message(3)
    view.scroll_by(900)
    assert {p.message for p in view.row_layout.placed} == {3}
    window.presenters.branches.act(view.row_layout.messages[3].id, "next")
    await window.settled()
    assert next(p.top for p in view.row_layout.placed if p.message == 3 and p.first) == 8


async def test_while_an_answer_comes_there_is_no_way_to_another(window: OpenWindow) -> None:
    await talked(window, "one")
    entries(window, 1)["Regenerate"].trigger()
    await answered(window, 2)
    gate = Gate()
    window.backend.reply(TextDelta("x"), gate, Ended("end_turn"))
    window.type("more")
    window.press(Key.Key_Return)
    await gate.arrive()
    await window.until(lambda: branch_line(window, 1) and branch_line(window, 1).hint, "arrows at rest")  # type: ignore[union-attr]
    line = branch_line(window, 1)
    assert line is not None
    assert line.buttons() == (("branches", "Answer 2 of 2, show all branches"),)
    hover(window, 0)
    button = window.transcript.actions_bar.buttons["edit"]
    assert not button.isEnabled()
    assert button.toolTip() == "An answer is still coming. Stop it or wait until it is complete."
    window.presenters.branches.act(window.transcript.row_layout.messages[1].id, "previous")
    window.presenters.branches.edit_last()
    assert window.transcript.edited == ""
    gate.open()
    await answered(window, 3)
    assert shown(window) == ["one", "answer 2", "more", "x"]
    assert branch_line(window, 1).buttons()  # type: ignore[union-attr]


async def test_a_cut_answer_goes_on_and_the_draft_stays(window: OpenWindow) -> None:
    window.backend.reply(
        TextDelta("half an ans"), TransientError("network", "Connection lost.", actions=("continue", "retry"))
    )
    await window.send("one")
    card = window.presenters.error_cards.card
    assert card is not None
    assert [action.id for action in card.content.actions] == ["continue", "retry"]
    window.type("my draft")
    window.presenters.error_cards.act("continue")
    await answered(window, 2)
    assert shown(window) == ["one", "half an ans", "Go on exactly where your answer was cut off.", "answer 2"]
    assert said(window.backend.plans[-1])[1] == ("assistant", ("half an ans",))
    assert window.editor.toPlainText() == "my draft"
    assert window.presenters.error_cards.card is None


async def test_an_answer_that_a_kill_cut_goes_on_first_of_all(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.backend.reply(
            TextDelta("half an ans"), UserError(INTERRUPTED.code, INTERRUPTED.message, actions=INTERRUPTED.actions)
        )
        await window.send("one")
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: window.presenters.error_cards.card, "the card of what was cut")
        await window.settled()
        card = window.presenters.error_cards.card
        assert card is not None
        assert [action.id for action in card.content.actions] == ["continue", "retry"]
        window.presenters.error_cards.act("continue")
        await answered(window, 1)


async def test_nothing_came_so_there_is_nothing_to_go_on_from(window: OpenWindow) -> None:
    window.backend.reply(TransientError("network", "Connection lost.", actions=("continue", "retry")))
    await window.send("one")
    card = window.presenters.error_cards.card
    assert card is not None
    assert [action.id for action in card.content.actions] == ["retry"]
    window.presenters.error_cards.act("retry")
    await answered(window, 2)
    assert shown(window) == ["one", "answer 2"]
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[1].id) is None, (
        "nothing to go back to"
    )


async def test_an_answer_as_long_as_it_may_be_can_go_on(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("a long one"), Ended("max_tokens"))
    await window.send("one")
    assert "Continue" in entries(window, 1)
    press(window, 1, "continue")
    await answered(window, 2)
    assert shown(window)[2:] == ["Go on exactly where your answer was cut off.", "answer 2"]
    assert "Continue" not in entries(window, 1)
    assert "Continue" not in entries(window, 3)


async def test_the_card_of_one_branch_does_not_stand_in_the_other(window: OpenWindow) -> None:
    await talked(window, "one")
    window.backend.reply(
        TextDelta("half"), TransientError("network", "Connection lost.", actions=("continue", "retry"))
    )
    entries(window, 1)["Regenerate"].trigger()
    await answered(window, 2)
    assert window.presenters.error_cards.card is not None
    window.presenters.branches.act(window.transcript.row_layout.messages[1].id, "previous")
    await window.settled()
    assert shown(window) == ["one", "answer 1"]
    assert window.presenters.error_cards.card is None


async def test_details_tell_model_tokens_and_cost(window: OpenWindow) -> None:
    usage = Usage(input=1_200, cache_read=800, output=345, cost_usd=0.012)
    window.backend.reply(TextDelta("x"), UsageReported(usage, "big"), Ended("end_turn"))
    await window.send("one")
    press(window, 1, "details")
    popover = next(each for each in window.transcript.findChildren(DetailsPopover))
    words = [label.text() for label in popover.findChildren(QLabel)]
    popover.close()
    assert {"big · Gated", "2,000", "800", "345"} <= set(words)
    assert "$0.0120" in words


async def test_the_row_moves_no_text_and_goes_when_the_pointer_goes(window: OpenWindow) -> None:
    await talked(window)
    view, bar = window.transcript, window.transcript.actions_bar
    before = [(p.message, p.top, p.height) for p in view.row_layout.placed]
    hover(window, 1)
    assert bar.isVisible()
    assert set(bar.buttons) == {"copy", "keep", "again", "again_with", "rate_up", "rate_down", "note", "details"}
    assert all(button.accessibleName() for button in bar.buttons.values())
    assert [(p.message, p.top, p.height) for p in view.row_layout.placed] == before
    # it stands where nothing is painted
    text = next(p for p in view.row_layout.placed if p.message == 1 and p.last)
    assert bar.geometry().top() >= text.item_top + text.row.item.height
    following = next(p for p in view.row_layout.placed if p.message == 2 and p.first)
    assert bar.geometry().bottom() < following.top + 8
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert not bar.isVisible()
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    view.keyboard.focus_message(1)
    assert bar.isVisible()
    press(window, 0, "copy")
    assert QApplication.clipboard().text() == "one"


async def test_what_was_written_is_there_again_after_another_thread(window: OpenWindow) -> None:
    await talked(window, "one")
    thread = window.app_state.thread_id
    assert thread is not None
    press(window, 0, "edit")
    window.type(" more", window.transcript.editing.panel.editor)
    window.shortcut("new_thread")
    await window.settled()
    assert window.transcript.edited == ""
    assert not window.transcript.editing.panel.isVisible()
    await window.app_state.open_thread(thread)
    await window.settled()
    press(window, 0, "edit")
    assert window.transcript.editing.panel.editor.toPlainText() == "one more"


async def test_a_stopped_answer_offers_to_go_on_or_to_be_tried_again(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    window.type("one")
    window.press(Key.Key_Return)
    await gate.arrive()
    window.press(Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    view = window.transcript
    (row,) = [row for row in view.row_layout.message_layout(1).rows if row.decoration == "state"]
    assert [button for button, _ in row.item.buttons()] == ["continue", "retry"]
    placed = next(p for p in view.row_layout.placed if p.row is row)
    view.row_actions.press(placed, "continue")
    await answered(window, 2)
    assert shown(window)[2:] == ["Go on exactly where your answer was cut off.", "answer 2"]
    # there it may still be tried again, from where it is
    (row,) = [row for row in view.row_layout.message_layout(1).rows if row.decoration == "state"]
    assert [button for button, _ in row.item.buttons()] == ["retry"]
    view.navigation.scroll_to_message(view.row_layout.messages[1].id)
    view.row_actions.press(next(p for p in view.row_layout.placed if p.row is row), "retry")
    await answered(window, 3)
    assert shown(window) == ["one", "answer 3"]


async def test_an_edit_of_a_long_question_is_written_below_it(window: OpenWindow) -> None:
    await talked(window, "one")
    window.editor.replace_text("\n\n".join(f"line {number}" for number in range(80)))
    window.press(Key.Key_Return)
    await answered(window, 2)
    window.transcript.row_layout.message_layout(2).open_folded()
    window.transcript.auto_scroll.show_changes()
    window.presenters.branches.edit(window.transcript.row_layout.messages[2].id)
    view, panel = window.transcript, window.transcript.editing.panel
    geometry = panel.geometry()
    assert geometry.top() >= 0
    assert geometry.bottom() < view.viewport().height()
    covered = [
        p
        for p in view.row_layout.placed
        if not p.row.decoration and p.bottom > geometry.top() and p.top < geometry.bottom()
    ]
    assert covered == []
    # out of view it keeps the keyboard
    view.scroll_by(-2_000)
    assert panel.editor.hasFocus()
    assert not panel.geometry().intersects(view.viewport().rect())
    window.type("x", panel.editor)
    assert panel.text.endswith("x")


async def test_the_row_goes_when_the_text_moves_away_under_the_pointer(window: OpenWindow) -> None:
    window.backend.text = "\n\n".join(f"paragraph {number}" for number in range(60))
    await talked(window)
    view, bar = window.transcript, window.transcript.actions_bar
    view.navigation.scroll_to_message(view.row_layout.messages[2].id, 0.3)
    hover(window, 2)
    assert bar.isVisible()
    view.scroll_by(40)
    assert not bar.isVisible()
    hover(window, 2)
    assert bar.isVisible()


async def test_a_turn_with_tools_is_one_answer_among_its_versions(window: OpenWindow) -> None:
    window.backend.accepts_tools, window.backend.overhead = True, Overhead(cache_marks=4)
    call = ToolCallPart("c1", TOOL_NAME, {"query": "x"})
    window.backend.reply(TextDelta("let me look"), PartFinished(call), Ended("tool_use"))
    window.backend.reply(TextDelta("found it"), Ended("end_turn"))
    await window.send("look it up")
    view = window.transcript
    assert len(view.row_layout.messages) == 2
    entries(window, 1)["Regenerate"].trigger()
    await answered(window, 3)
    assert shown(window) == ["look it up", "answer 3"]
    assert view.decorations.branch_of(view.row_layout.messages[1].id) == (2, 2)
    click_arrow(window, 1, "previous")
    await window.settled()
    assert shown(window) == ["look it up", "let me look\n\nfound it"]
    assert view.decorations.branch_of(view.row_layout.messages[1].id) == (1, 2)


async def test_a_refused_new_answer_leaves_the_old_one_and_can_be_wished_again(window: OpenWindow) -> None:
    await talked(window, "one")
    window.backend.available = Availability(False, "Not now.")
    window.services.chat.chooser.forget_usable()
    entries(window, 1)["Regenerate"].trigger()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert shown(window) == ["one", "answer 1"]
    window.backend.available = Availability(True, "")
    window.services.chat.chooser.forget_usable()
    assert window.presenters.branches.ask_held_again()
    await answered(window, 2)
    assert shown(window) == ["one", "answer 2"]


async def test_to_go_on_is_refused_and_the_draft_is_still_the_draft(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("half"), Ended("max_tokens"))
    await window.send("one")
    window.type("my draft")
    await window.presenters.drafts.flush()
    window.backend.available = Availability(False, "Not now.")
    window.services.chat.chooser.forget_usable()
    window.shortcut("continue_answer")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert window.editor.toPlainText() == "my draft"
    assert (await window.thread()).draft == "my draft"


async def test_a_branch_from_an_answer_in_the_middle_and_the_way_on(window: OpenWindow) -> None:
    await talked(window, "one", "two", "three")
    view, before = window.transcript, shown(window)
    assert "Branch from here" not in entries(window, 0), "a question is edited instead"
    assert "Branch from here" not in entries(window, 5), "there the next question goes on anyway"
    window.type("a draft")
    entries(window, 1)["Branch from here"].trigger()
    await window.settled()
    assert shown(window) == ["one", "answer 1"]
    assert window.composer.text() == "a draft"
    assert window.window.focusWidget() is window.editor
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert [placed.id for placed in plan.placement.messages] == [message.id for message in view.row_layout.messages]
    # the way on stands there, also after the thread was left
    (row,) = [row for row in view.row_layout.message_layout(1).rows if row.decoration == "onward"]
    view.row_actions.press(next(p for p in view.row_layout.placed if p.row is row), "onward")
    await window.settled()
    assert shown(window) == before
    entries(window, 1)["Branch from here"].trigger()
    await window.settled()
    window.press(Key.Key_Return)
    await answered(window, 4)
    assert shown(window) == ["one", "answer 1", "a draft", "answer 4"]
    assert [row for row in view.row_layout.message_layout(1).rows if row.decoration == "onward"] == []
    assert view.decorations.branch_of(view.row_layout.messages[2].id) == (2, 2)
    click_arrow(window, 2, "previous")
    await window.settled()
    assert shown(window) == before


async def test_an_answer_is_asked_again_while_another_thread_streams(window: OpenWindow) -> None:
    await talked(window, "one")
    first = window.app_state.thread_id
    assert first is not None
    window.shortcut("new_thread")
    gate = Gate()
    window.backend.reply(TextDelta("slow "), gate, TextDelta("and over"), Ended("end_turn"))
    window.type("another")
    window.press(Key.Key_Return)
    await gate.arrive()
    streaming = window.app_state.thread_id
    await window.choose_thread(first)
    entries(window, 1)["Regenerate"].trigger()
    await window.until(lambda: len(window.backend.plans) == 3, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    assert shown(window) == ["one", "answer 3"]
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[1].id) == (2, 2)
    assert streaming is not None
    assert window.services.chat.running(streaming)
    gate.open()
    await window.choose_thread(streaming)
    await window.until(lambda: not window.composer.streaming, "the other end")
    await window.settled()
    assert shown(window) == ["another", "slow and over"]


async def test_another_model_that_answers_is_told_at_the_first_of_its_answers(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = window.backend.model("big")
    monkeypatch.setattr(window.backend, "model", lambda one: replace(big, id=one, name=shipped_name(one)))

    def answers(text: str, model: str) -> None:
        window.backend.reply(TextDelta(text), UsageReported(Usage(input=9, output=3), model), Ended("end_turn"))

    answers("mine", "claude-haiku-4-5-20251001")
    answers("mine again", "claude-haiku-4-5-20251001")
    answers("its own", "claude-sonnet-4-5-20250929")
    thread = await window.services.chat.new_thread(backend="scripted", model="claude-sonnet-4-5")
    await window.app_state.open_thread(thread.id)
    for text in ("one", "two", "three"):
        await window.send(text)
    messages, decorations = window.transcript.row_layout.messages, window.transcript.decorations
    told = [
        row.item.note  # type: ignore[attr-defined]
        for one in messages
        for row in window.transcript.path.layout_of(one.id).foot
        if row.decoration == "model"
    ]
    assert told[0] == "Answered by Claude Haiku 4.5, not Sonnet 4.5"
    assert told[1:] == [decorations.models[messages[5].id]], "not once more, and where the thread's own answers"
    assert told[0] in decorations.said_of(messages[1])
    assert (await window.thread()).model == "claude-sonnet-4-5"
