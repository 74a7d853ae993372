"""Pictures of what is done with messages: the row of buttons, versions with arrows, the editor in place, details."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import MessageMark, Usage
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.ui.conversation.message_actions import DetailsPopover
from tests.ui.conversation.test_turn_cap import at_the_cap
from tests.ui.long_threads import PRICES

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

SHORT = "Nearly always. A `deque` with `maxlen` drops the oldest entry by itself, and is written in C."


def hover(window: OpenWindow, index: int) -> None:
    """The pointer comes to rest on a message."""
    view = window.transcript
    place = next(p for p in view.row_layout.placed if p.message == index and p.first)
    at = QPointF(view.column.left() + 20, max(1, place.item_top + 4))
    no = Qt.MouseButton.NoButton
    where = view.viewport().mapToGlobal(at)
    event = QMouseEvent(QEvent.Type.MouseMove, at, where, no, no, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.viewport(), event)


async def _talked(window: OpenWindow, width: int = 1180) -> None:
    window.window.resize(width, 820)
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    usage = UsageReported(Usage(input=1_840, cache_read=12_300, output=412, cost_usd=0.0134), "big")
    for question, answer in (
        ("When is a deque the better choice?", SHORT),
        ("And a ring buffer?", "Where you need an index into the middle in constant time."),
        ("Which of the two is faster?", "They are equally fast for pushing. Measure before you choose."),
    ):
        window.backend.reply(TextDelta(answer), usage, Ended("end_turn"))
        await window.send(question)


async def _asked_again(window: OpenWindow) -> None:
    window.backend.reply(
        TextDelta("The deque, by a little: it is written in C."),
        UsageReported(Usage(output=9), "big"),
        Ended("end_turn"),
    )
    count = len(window.backend.plans)
    window.presenters.branches.act(window.transcript.row_layout.messages[5].id, "again")
    await window.until(lambda: len(window.backend.plans) > count, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()


async def message_row(window: OpenWindow) -> None:
    """The row beneath an answer in the middle."""
    await _talked(window)
    window.transcript.auto_scroll.show_latest()
    hover(window, 3)


async def question_row(window: OpenWindow) -> None:
    """The row beneath a question."""
    await _talked(window, 720)
    window.transcript.auto_scroll.show_latest()
    hover(window, 2)


async def two_versions(window: OpenWindow) -> None:
    """An answer with two versions, the keyboard on it."""
    await _talked(window)
    await _asked_again(window)
    window.transcript.auto_scroll.show_latest()
    hover(window, 5)


async def question_editor(window: OpenWindow) -> None:
    """A question is edited where it stands."""
    await _talked(window)
    window.transcript.auto_scroll.show_latest()
    window.presenters.branches.edit(window.transcript.row_layout.messages[2].id)
    window.transcript.editing.panel.editor.insertPlainText("\nWith an index into the middle, please.")


async def refused_edit(window: OpenWindow) -> None:
    """An edit that is too long stays open and says why."""
    await _talked(window)
    window.presenters.branches.edit(window.transcript.row_layout.messages[4].id)
    panel = window.transcript.editing.panel
    panel.editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 20_000)
    panel.yes.click()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()


async def message_details(window: OpenWindow) -> None:
    """What there is to know of an answer."""
    await _talked(window)
    window.transcript.auto_scroll.show_latest()
    hover(window, 3)
    window.transcript.actions_bar.buttons["details"].click()


async def paused_at_the_cap(window: OpenWindow) -> None:
    """A turn that has paid what one turn may cost asks how to go on."""
    window.window.resize(1180, 820)
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    await at_the_cap(window)


async def answered_by_another(window: OpenWindow) -> None:
    """A service answers with another model than was asked for, and with the asked one later."""
    window.window.resize(1180, 820)
    big, own = window.backend.model("big"), vars(window.backend)
    try:
        own["model"] = lambda one: replace(big, id=one, name=shipped_name(one))
        thread = await window.services.chat.new_thread(backend="scripted", model="claude-sonnet-4-5")
        await window.app_state.open_thread(thread.id)
        for question, answer, model in (
            ("When is a deque the better choice?", SHORT, "claude-haiku-4-5-20251001"),
            ("And a ring buffer?", "Where you need an index into the middle.", "claude-haiku-4-5-20251001"),
            ("Which of the two is faster?", "They are equally fast for pushing.", "claude-sonnet-4-5-20250929"),
        ):
            usage = UsageReported(Usage(input=1_840, cache_read=12_300, output=412, cost_usd=0.0134), model)
            window.backend.reply(TextDelta(answer), usage, Ended("end_turn"))
            await window.send(question)
        await window.settled()
        window.transcript.auto_scroll.show_latest()
        await window.settled()
    finally:
        del own["model"]


async def dearer_answer(window: OpenWindow) -> None:
    """An answer that cost much more than the one before says why."""
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await _talked(window)
    await window.services.chat.set_system(window.app_state.thread_id or "", "You are an exact and patient teacher.")
    usage = UsageReported(Usage(input=14_200, cache_read=0, output=412, cost_usd=0.0813), "big")
    window.backend.reply(TextDelta(SHORT), usage, Ended("end_turn"))
    await window.send("And for a million entries?")
    await window.settled()
    window.transcript.auto_scroll.show_latest()
    hover(window, 7)
    window.presenters.branches.act(window.transcript.row_layout.messages[7].id, "details")
    await window.until(lambda: window.transcript.findChild(DetailsPopover) is not None, "the details")


async def cut_answer(window: OpenWindow) -> None:
    """The connection was lost in the middle of an answer."""
    from desktop_app.core.errors import TransientError

    await _talked(window)
    lost = TransientError("network", "Connection lost. The text so far is saved.", actions=("continue", "retry"))
    window.backend.reply(TextDelta("Both are fast enough for nearly everything, and the"), lost)
    await window.send("So which one do I take?")


async def rated(window: OpenWindow) -> None:
    """Answers with a rating and a note; the row of buttons lies beside the line of the mark."""
    await _talked(window)
    await _mark(window, 1, MessageMark("up"))
    await _mark(
        window, 3, MessageMark("down", "It should say that a deque has no index in constant time, and cite the page.")
    )
    await _mark(window, 4, MessageMark("", "Ask Ursula."))
    window.transcript.auto_scroll.show_latest()
    hover(window, 3)


async def note_unfolded(window: OpenWindow) -> None:
    """A long note in three languages, unfolded, in a narrow window."""
    await _talked(window, 640)
    note = (
        "Die Donaudampfschifffahrtsgesellschaft ist gemeint, nicht ihre Tochter.\n"
        "第三季度的数字在附件里，请再问一次。\nAsk."
    )
    await _mark(window, 3, MessageMark("up", note))
    window.presenters.marks.act(window.transcript.row_layout.messages[3].id, "fold_note")
    window.transcript.auto_scroll.show_latest()


async def note_field(window: OpenWindow) -> None:
    """A note is written beneath an answer."""
    await _talked(window)
    window.transcript.auto_scroll.show_latest()
    window.presenters.marks.write_note(window.transcript.row_layout.messages[3].id)
    window.transcript.editing.note.editor.insertPlainText("It should say that a deque has no index in constant time.")


async def other_branch(window: OpenWindow) -> None:
    """A message that was found on another branch."""
    await _talked(window)
    hidden = window.transcript.row_layout.messages[5]
    await _asked_again(window)
    await window.presenters.navigation.show_message(hidden.thread_id, hidden.id)
    await window.settled()


async def branch_tree(window: OpenWindow) -> None:
    """The branches of a thread of 300 turns, from the arrows beneath an answer."""
    from tests.ui.branches.forked import forked_path
    from tests.ui.long_threads import put_thread

    window.window.resize(1180, 820)
    thread_id = f"{78:032x}"
    await put_thread(window.session.paths.root, "Figures of the quarter", forked_path(thread_id, 300, 24))
    await window.app_state.open_thread(thread_id)
    await window.settled()
    window.shortcut("show_branches")
    await window.settled()


async def branch_tree_narrow(window: OpenWindow) -> None:
    """The same in the smallest window."""
    await branch_tree(window)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()
    window.window.show_list(False)
    window.window.resize(480, 600)
    await window.settled()
    window.shortcut("show_branches")
    await window.settled()


async def branch_tree_small(window: OpenWindow) -> None:
    """The branches of a short thread, opened from the number between the arrows."""
    await two_versions(window)
    window.transcript.row_actions.message_acted.emit(window.transcript.row_layout.messages[5].id, "branches")
    await window.settled()


async def edit_asks(window: OpenWindow) -> None:
    """An edit passes the limit for the first time: it stays open, and the question stands at the end."""
    from tests.ui.long_threads import PRICES, long_path, put_thread

    window.window.resize(1180, 820)
    window.backend.window, window.backend.cost_kind, window.backend.prices = 1_000_000, "money", PRICES
    thread_id = f"{77:032x}"
    await put_thread(window.session.paths.root, "Figures of the quarter", long_path(thread_id, 110, 1_500))
    await window.app_state.open_thread(thread_id)
    await window.settled()
    window.presenters.branches.edit(window.transcript.row_layout.messages[-2].id)
    panel = window.transcript.editing.panel
    panel.editor.setPlainText("Draft the paragraph for the board, in two sentences, please.")
    panel.yes.click()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the question")
    await window.settled()
    window.transcript.auto_scroll.show_latest()


async def _mark(window: OpenWindow, index: int, mark: MessageMark) -> None:
    message = window.transcript.row_layout.messages[index]
    await window.services.chat.marks.put(message.thread_id, message.id, mark)


BRANCH_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    message_row,
    question_row,
    two_versions,
    question_editor,
    refused_edit,
    message_details,
    dearer_answer,
    answered_by_another,
    paused_at_the_cap,
    cut_answer,
    rated,
    note_unfolded,
    note_field,
    other_branch,
    branch_tree,
    branch_tree_narrow,
    branch_tree_small,
    edit_asks,
)
