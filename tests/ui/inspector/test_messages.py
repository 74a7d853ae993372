"""The inspector's Messages tab over a real thread: keys, undo, the transcript that follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from desktop_app.core.context.dead_weight import dead_weight
from desktop_app.core.context.plan import Overhead, PlacedMessage
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.inspector.message_rows import FixedRow, MessageGroupRow
from tests.core.test_dead_weight import filler, thread
from tests.fakes.gated_backend import Gate
from tests.ui.access_walk import faults
from tests.ui.inspector.inspecting import Inspecting, talked
from tests.ui.long_threads import put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key = Qt.Key
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def headings(inspecting: Inspecting) -> list[str]:
    rows = inspecting.tab.model.rows()
    return [f"{row.group} {row.count}" for row in rows if isinstance(row, MessageGroupRow)]


async def test_it_shows_every_message_and_its_sum_is_the_gauges(window: OpenWindow) -> None:
    await talked(window, 3)
    window.type("next")
    inspecting = Inspecting(window)
    await inspecting.open()
    assert headings(inspecting)[-1] == "sent 6"
    assert inspecting.tab.model.total() == inspecting.plan.tokens.total
    assert inspecting.tab.foot.words.removeprefix("≈ ").startswith(f"{inspecting.plan.tokens.total:,} of ")
    assert inspecting.tab.foot.words.endswith(" of 150K tokens · limit 180K")
    assert not inspecting.tab.empty.isVisible()
    before = inspecting.plan.tokens.total
    window.type(" and some more words")
    await window.until(lambda: inspecting.plan.tokens.total > before, "the weight of what was typed")
    await inspecting.settled()
    assert inspecting.tab.model.total() == inspecting.plan.tokens.total


async def test_nothing_of_it_is_made_before_it_is_shown(window: OpenWindow) -> None:
    assert window.window.inspector.content is None
    assert not window.window.inspector.isVisible()
    window.shortcut("toggle_inspector")
    assert window.window.inspector.isVisible()
    assert window.window.inspector.width() == 320
    assert Inspecting(window).tab.view.hasFocus() or not window.window.isActiveWindow()
    window.shortcut("toggle_inspector")
    assert not window.window.inspector.isVisible()


async def test_p_pins_the_turn_b_brings_back_and_undo_goes_all_the_way(window: OpenWindow) -> None:
    await talked(window, 4)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    inspecting.go_to(ids[3])
    await inspecting.press(Key.Key_P)
    assert (await window.thread()).choices.pinned == {ids[2], ids[3]}, "whole turns"
    assert headings(inspecting) == ["pinned 2", "sent 6"]
    current = inspecting.tab.view.current_message()
    assert current is not None
    assert current.id == ids[3], "the keyboard stays with its message"
    await inspecting.press(Key.Key_P)
    assert (await window.thread()).choices.pinned == frozenset()
    inspecting.go_to(ids[5])
    await inspecting.press(Key.Key_X)
    assert inspecting.states()[ids[4]] == "excluded"
    inspecting.go_to(ids[4])
    await inspecting.press(Key.Key_B)
    assert inspecting.states()[ids[4]] == "whole"
    for expected in ("excluded", "whole", "whole", "whole"):
        await inspecting.press(Key.Key_Z, CONTROL)
        assert inspecting.states()[ids[4]] == expected
    assert (await window.thread()).choices.pinned == frozenset()
    await inspecting.press(Key.Key_Z, CONTROL)
    assert (await window.thread()).choices.pinned == frozenset(), "nothing is left to undo"
    for _ in range(3):
        await inspecting.press(Key.Key_Z, CONTROL | SHIFT)
    assert inspecting.states()[ids[4]] == "excluded"


async def test_b_on_a_deleted_question_pins_nothing(window: OpenWindow) -> None:
    await talked(window, 3)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    thread_id = (await window.thread()).id
    await window.services.chat.context_editing.delete(thread_id, [ids[2]], ids[2])
    await inspecting.settled()
    inspecting.go_to(ids[2])
    await inspecting.press(Key.Key_B)
    choices = (await window.thread()).choices
    assert choices.deleted == frozenset()
    assert choices.pinned == frozenset(), "nothing was asked for but the way back"


async def test_what_weighs_less_than_what_goes_along_for_it_says_so(window: OpenWindow) -> None:
    backend = await talked(window, 0)
    backend.text, plain = "Yes.", backend.model
    backend.model = lambda model_id: replace(plain(model_id), accepts_tools=True)  # type: ignore[method-assign]
    backend.overhead = Overhead()  # without a cache, the note goes along only once something is left out
    for text in ("one", "two", "three"):
        await window.send(text)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    before = inspecting.plan.tokens
    inspecting.go_to(ids[2])
    await inspecting.press(Key.Key_X)
    after, toast = inspecting.plan.tokens, window.window.toast
    assert after.total > before.total
    assert after.tools == 0, "what is excluded is not looked up"
    assert toast.words == f"Excluded. The note about it adds {after.system - before.system} tokens."
    inspecting.go_to(ids[4])
    toast.hide()
    await inspecting.press(Key.Key_X)
    assert not toast.isVisible(), "it goes along already"
    await inspecting.press(Key.Key_Z, CONTROL)
    await inspecting.press(Key.Key_Z, CONTROL)
    assert (await window.thread()).choices.excluded == frozenset()
    window.presenters.choices.exclude([ids[2]])
    await inspecting.settled()
    assert toast.words.startswith("Excluded. The note about it adds")
    toast.button.click()
    await inspecting.settled()
    assert (await window.thread()).choices.excluded == frozenset()


async def test_a_pinned_turn_says_so_once(window: OpenWindow) -> None:
    await talked(window, 4)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    inspecting.go_to(ids[3])
    await inspecting.press(Key.Key_P)
    decorations = window.transcript.decorations
    assert [decorations.mark_of(one) for one in ids] == ["", "", "Pinned", "", "", "", "", ""]
    assert "Pinned" in decorations.told_of(ids[3]), "to a screen reader, which stands at one message"


async def test_b_leaves_what_is_sent_alone(window: OpenWindow) -> None:
    await talked(window, 2)
    inspecting = Inspecting(window)
    await inspecting.open()
    inspecting.go_to(inspecting.plan.placement.messages[2].id)
    await inspecting.press(Key.Key_B)
    assert (await window.thread()).choices.pinned == frozenset()


async def test_a_change_made_elsewhere_can_be_undone_here(window: OpenWindow) -> None:
    await talked(window, 2)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    window.presenters.choices.exclude([ids[2]])
    await inspecting.settled()
    assert inspecting.states()[ids[2]] == "excluded"
    await inspecting.press(Key.Key_Z, CONTROL)
    assert inspecting.states()[ids[2]] == "whole"


async def test_shift_and_arrows_select_and_x_takes_all_of_them(window: OpenWindow) -> None:
    await talked(window, 5)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    inspecting.go_to(ids[2])
    for _ in range(3):
        window.press(Key.Key_Down, SHIFT, widget=inspecting.tab.view)
    assert [row.id for row in inspecting.tab.view.selected_messages()] == ids[2:6]
    await inspecting.press(Key.Key_X)
    assert headings(inspecting)[-2:] == ["sent 6", "excluded 4"]
    assert [row.id for row in inspecting.tab.view.selected_messages()] == ids[2:6], "still chosen where they are now"


async def test_arrows_point_a_message_out_and_enter_jumps_to_it(window: OpenWindow) -> None:
    await talked(window, 6)
    inspecting = Inspecting(window)
    await inspecting.open()
    flow = window.transcript.row_layout
    ids = [message.id for message in flow.messages]
    assert not any(placed.message == 0 for placed in flow.placed)
    inspecting.go_to(ids[0])
    await window.until(lambda: flow.focused == 0, "the message pointed out")
    assert any(placed.message == 0 for placed in flow.placed)
    window.press(Key.Key_Down, widget=inspecting.tab.view)
    await window.until(lambda: flow.focused == 1, "the next message")
    window.press(Key.Key_Return, widget=inspecting.tab.view)
    assert flow.placed[0].message == 1
    assert flow.focused == 1
    window.shortcut("toggle_inspector")
    assert flow.focused == -1


async def test_headings_fold_with_the_keyboard_and_a_click(window: OpenWindow) -> None:
    await talked(window, 3)
    inspecting = Inspecting(window)
    await inspecting.open()
    view, model = inspecting.tab.view, inspecting.tab.model
    view.setCurrentIndex(model.index_of_group("sent"))
    await inspecting.press(Key.Key_Left)
    assert not any(isinstance(row, PlacedMessage) for row in model.rows())
    assert model.total() == inspecting.plan.tokens.total
    await inspecting.press(Key.Key_Right)
    assert len([row for row in model.rows() if isinstance(row, PlacedMessage)]) == 6
    place = view.visualRect(model.index_of_group("sent")).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert not any(isinstance(row, PlacedMessage) for row in model.rows())


async def test_s_says_what_a_summary_costs_before_it_is_written(window: OpenWindow) -> None:
    backend = await talked(window, 8)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    tab = inspecting.tab
    tab.select(ids[3:6])
    await inspecting.press(Key.Key_S)
    assert tab.bar.words == "A summary needs at least 10 messages with text. Select more."
    assert not tab.bar.yes.isVisible()
    tab.select(ids[2:13])
    await inspecting.press(Key.Key_S)
    assert tab.bar.words.startswith("Summarize 12 messages, ")
    assert tab.bar.words.endswith("in at most 1K · $0.03"), "expected and at most are written alike"
    assert [row.id for row in tab.view.selected_messages()] == ids[2:14], "whole turns are shown as chosen"
    asked = len(backend.plans)
    window.press(Key.Key_Escape, widget=tab.bar.yes)
    assert not tab.bar.isVisible()
    assert window.window.inspector.isVisible()
    await inspecting.press(Key.Key_S)
    backend.reply(TextDelta("They asked and were answered."), Ended("end_turn"))
    window.press(Key.Key_Return, widget=tab.bar.yes)
    await inspecting.settled()
    assert len(backend.plans) == asked + 1
    (summary,) = (await window.thread()).choices.summaries
    assert summary.sources == tuple(ids[2:14])
    await window.until(lambda: inspecting.states()[ids[2]] == "summarised", "the plan with the summary")
    await inspecting.settled()
    assert headings(inspecting)[1:] == ["sent 4", "summarised 12"]
    fixed = [row.kind for row in tab.model.rows() if isinstance(row, FixedRow)]
    assert fixed == ["system", "summary"], "the system prompt tells of notes"
    assert tab.model.total() == inspecting.plan.tokens.total
    await inspecting.press(Key.Key_Z, CONTROL)
    assert (await window.thread()).choices.summaries == ()


async def test_the_menu_has_all_and_leads_to_the_summarys_editor(window: OpenWindow) -> None:
    backend = await talked(window, 8)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    backend.reply(TextDelta("They asked and were answered."), Ended("end_turn"))
    window.presenters.summary_requests.summarise(ids[2:14])
    await inspecting.settled()
    tab = inspecting.tab
    row = next(row for row in inspecting.plan.placement.messages if row.id == ids[4])
    assert row.state == "summarised"
    menu = tab.menu_for([row])
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == [
        "Show in thread",
        "Pin",
        "Exclude",
        "Bring back",
        "Summarize…",
        "Edit the summary of 12 messages…",
        "Start fresh from here",
        "Undo",
        "Redo",
    ]
    able = {action.text(): action.isEnabled() for action in menu.actions()}
    assert (able["Undo"], able["Redo"]) == (True, False)
    wanted: list[str] = []
    tab.summary_edit_requested.connect(wanted.append)
    summary_id = (await window.thread()).choices.summaries[0].id
    next(action for action in menu.actions() if action.text().startswith("Edit the summary")).trigger()
    assert wanted == [summary_id]
    menu.close()


async def test_start_fresh_from_here_can_be_taken_back(window: OpenWindow) -> None:
    await talked(window, 3)
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    row = inspecting.plan.placement.messages[3]
    menu = inspecting.tab.menu_for([row])
    next(action for action in menu.actions() if action.text() == "Start fresh from here").trigger()
    menu.close()
    await inspecting.settled()
    assert [inspecting.states()[one] for one in ids] == ["left_out"] * 4 + ["whole"] * 2
    menu = inspecting.tab.menu_for([row])
    next(action for action in menu.actions() if action.text() == "Undo fresh start").trigger()
    menu.close()
    await inspecting.settled()
    assert set(inspecting.states().values()) == {"whole"}


async def test_another_thread_has_rows_and_an_undo_of_its_own(window: OpenWindow) -> None:
    await talked(window, 2)
    first = window.app_state.thread_id
    assert first is not None
    inspecting = Inspecting(window)
    await inspecting.open()
    inspecting.go_to(inspecting.plan.placement.messages[0].id)
    await inspecting.press(Key.Key_P)
    window.shortcut("new_thread")
    await inspecting.settled()
    assert inspecting.tab.empty.words == "Nothing has been said in this thread yet."
    await window.send("another thread")
    await inspecting.settled()
    assert headings(inspecting) == ["sent 2"]
    await inspecting.press(Key.Key_Z, CONTROL)
    await window.choose_thread(first)
    await inspecting.settled()
    assert headings(inspecting) == ["pinned 2", "sent 2"]
    await inspecting.press(Key.Key_Z, CONTROL)
    assert headings(inspecting) == ["pinned 2", "sent 2"], "what was done before the thread was left stays"


async def test_a_running_answer_has_a_row(window: OpenWindow) -> None:
    backend = await talked(window, 1)
    inspecting = Inspecting(window)
    await inspecting.open()
    gate = Gate()
    backend.reply(gate, TextDelta("at last"), Ended("end_turn"))
    window.type("go on")
    window.press(Key.Key_Return)
    await gate.arrive()
    window.type("x")
    await inspecting.settled()
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the answer")
    await inspecting.settled()
    last = inspecting.plan.placement.messages[-1]
    told = str(inspecting.tab.model.data(inspecting.tab.model.index_of(last.id)))
    assert told.endswith(": at last")


async def test_without_a_model_it_says_what_to_do(window: OpenWindow) -> None:
    inspecting = Inspecting(window)
    await inspecting.open()
    window.presenters.gauge.forget()
    assert inspecting.tab.empty.words.startswith("No model is chosen.")
    assert inspecting.tab.foot.words == ""
    assert inspecting.tab.model.rowCount() == 0


async def test_a_screen_reader_finds_names_and_rows(window: OpenWindow) -> None:
    await talked(window, 2)
    inspecting = Inspecting(window)
    await inspecting.open()
    for widget in (
        inspecting.tab.view,
        inspecting.pane.tabs,
        inspecting.pane.close_button,
        inspecting.pane.request.raw,
    ):
        found = QAccessible.queryAccessibleInterface(widget)
        assert found.text(QAccessible.Text.Name), widget
    table = QAccessible.queryAccessibleInterface(inspecting.tab.view)
    told = [table.child(number).text(QAccessible.Text.Name) for number in range(table.childCount())]
    assert any(one.startswith("User, sent, ") and one.endswith(": question 0") for one in told)
    tabs = QAccessible.queryAccessibleInterface(inspecting.pane.tabs)
    assert tabs.child(0).role() == QAccessible.Role.PageTab


async def test_below_1000_pixels_it_lies_over_the_conversation(window: OpenWindow) -> None:
    window.window.resize(1200, 700)
    await talked(window, 1)
    inspecting = Inspecting(window)
    await inspecting.open()
    slot = window.window.inspector
    wide = window.window.centre.width()
    beside = slot.parentWidget()
    window.window.resize(900, 700)
    assert slot.overlaid
    assert slot.isVisible()
    right = slot.mapTo(window.window, QPoint(slot.width(), 0)).x()
    assert (slot.width(), right) == (320, 900)
    assert window.window.centre.width() > wide - 300 + 320 - 2
    window.window.resize(1200, 700)
    assert slot.parentWidget() is beside is window.window.splitter
    assert (slot.width(), window.window.centre.width()) == (320, wide)
    window.window.resize(900, 700)
    window.press(Key.Key_Escape, widget=inspecting.tab.view)
    assert not slot.isVisible()


async def test_it_comes_back_open_and_as_wide_as_it_was(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.window.resize(1400, 800)
        await window.send("one")
        await Inspecting(window).open()
        edge = window.window.splitter.edge_of(window.window.inspector)
        assert edge is not None
        edge.widen(80)
        assert window.window.inspector.width() == 400
    async with OpenWindow.opened(data_dir) as window:
        slot = window.window.inspector
        assert slot.isVisible()
        assert slot.width() == 400
        await window.until(lambda: slot.content is not None, "the inside")
        inspecting = Inspecting(window)
        await inspecting.settled()
        assert headings(inspecting) == ["sent 2"]
        window.shortcut("toggle_inspector")
    async with OpenWindow.opened(data_dir) as window:
        assert not window.window.inspector.isVisible()
        assert window.window.inspector.content is None


async def test_a_cheaper_model_for_summaries_is_offered_with_its_price(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = await talked(window, 8)
    small = backend.model("small")
    assert small.prices is not None
    tenth = replace(small.prices, input=small.prices.input / 10, output=small.prices.output / 10)
    monkeypatch.setattr(
        "desktop_app.ui.inspector.messages_presenter.shipped_models", lambda _: (replace(small, prices=tenth),)
    )
    inspecting = Inspecting(window)
    await inspecting.open()
    ids = [placed.id for placed in inspecting.plan.placement.messages]
    inspecting.tab.select(ids[2:13])
    await inspecting.press(Key.Key_S)
    bar = inspecting.tab.bar
    assert bar.other.isVisible()
    assert bar.other.text().startswith(f"Use {small.name} · ")
    backend.reply(TextDelta("They asked and were answered."), Ended("end_turn"))
    window.press(Key.Key_Return, widget=bar.other)
    await window.until(lambda: backend.plans[-1].model.id == "small", "the summary is asked of the small model")
    await window.settled()
    assert window.services.preferences.settings.context.summary_model == "small"


async def test_it_closes_with_a_page_and_comes_back(window: OpenWindow) -> None:
    slot = window.window.inspector
    slot.set_shown(True)
    window.presenters.pages.show("usage")
    assert not slot.shown
    window.presenters.pages.show("trash")
    assert not slot.shown
    window.presenters.pages.leave()
    await window.until(lambda: slot.shown, "the inspector")
    slot.set_shown(False)
    window.presenters.pages.show("usage")
    window.presenters.pages.leave()
    await window.settled()
    assert not slot.shown


async def test_dead_weight_is_marked_where_one_points_comes_first_and_leaves_at_the_next_step(data_dir: Path) -> None:
    thread_id = f"{7:032x}"
    path = tuple(replace(message, thread_id=thread_id) for message in thread(*filler(21)))
    await put_thread(data_dir, "Long", path)
    async with OpenWindow.opened(data_dir, open_thread=thread_id) as window:
        inspecting = Inspecting(window)
        await inspecting.open()
        tab = inspecting.tab
        await window.until(tab.unused_first.isVisible, "the dead weight")
        weight = dead_weight(inspecting.plan, {message.id: message for message in path})[0]
        words = f"{thousands(weight.tokens)}, unused for 21 turns"
        assert tab.unused_first.text() == f"Unused · {thousands(weight.tokens)}"
        assert headings(inspecting)[-1] == "sent 44"
        inspecting.go_to("m2")
        assert not tab.bar.isVisible()
        inspecting.go_to("m0")
        assert tab.bar.words == words
        assert words in str(tab.model.index_of("m0").data(Qt.ItemDataRole.ToolTipRole))
        assert words in str(tab.model.index_of("m0").data(Qt.ItemDataRole.AccessibleTextRole))
        assert faults(window.window) == []

        tab.unused_first.click()
        assert headings(inspecting)[-2:] == ["unused 1", "sent 43"]
        assert tab.model.total() == inspecting.plan.tokens.total
        inspecting.go_to("m2")
        inspecting.go_to("m0")
        assert tab.bar.other.text() == ("Leave out now" if weight.pays else "Leave out at the next step")

        await window.services.chat.context_editing.let_go(thread_id, ["m0", "m1"])
        await inspecting.settled()
        await window.until(lambda: tab.bar.other.text() == "Keep", "the mark")
        assert tab.bar.words == f"{words} · left out first at the next step"
        assert inspecting.states()["m0"] == "whole"
        tab.bar.other.click()
        await inspecting.settled()
        assert (await window.thread()).choices.leaving == frozenset()
        await window.until(lambda: tab.bar.words == words, "no mark")
        tab.bar.other.click()
        await inspecting.settled()
        assert {one.message for one in (await window.thread()).choices.leaving} == {"m0", "m1"}
        await inspecting.press(Key.Key_Z, CONTROL)
        assert (await window.thread()).choices.leaving == frozenset()

        tab.show_unused([replace(weight, pays=True, leaves=False, leaving_usd=(0.39, 0.03))])
        inspecting.go_to("m2")
        inspecting.go_to("m0")
        assert tab.bar.words == f"{words} · $0.39 now, then $0.03 less each turn"
        assert tab.bar.other.text() == "Leave out now"
        assert faults(window.window) == []


async def test_a_question_in_the_bar_is_not_replaced_by_dead_weight(data_dir: Path) -> None:
    thread_id = f"{7:032x}"
    path = tuple(replace(message, thread_id=thread_id) for message in thread(*filler(21)))
    await put_thread(data_dir, "Long", path)
    async with OpenWindow.opened(data_dir, open_thread=thread_id) as window:
        inspecting = Inspecting(window)
        await inspecting.open()
        tab = inspecting.tab
        await window.until(tab.unused_first.isVisible, "the dead weight")
        inspecting.go_to("m0")
        tab.summarise_requested.emit([message.id for message in path])
        asked = tab.bar.words
        assert asked.startswith("Summarize 44 messages")
        inspecting.go_to("m2")
        inspecting.go_to("m0")
        assert tab.bar.words == asked
        tab.bar.no.click()
        inspecting.go_to("m2")
        inspecting.go_to("m0")
        assert "unused for" in tab.bar.words
