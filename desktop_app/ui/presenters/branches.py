"""Owns what is done with a message that was said: edit, ask again, go on, and the ways between versions of it.

Nothing that was said is changed or lost by it. Knows neither how a request is made nor how anything is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCursor
from PySide6.QtWidgets import QMenu

from desktop_app.core.attachments import attachments_of
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import AnswerGrew, BranchChanged, SendRefused, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Message, Part, TextPart
from desktop_app.ui.attachment_words import name_of
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.desk import Desk
from desktop_app.ui.presenters.attachments import Attaching
from desktop_app.ui.presenters.branch_reading import versions
from desktop_app.ui.theme import Theme
from desktop_app.ui.transcript.action_bar import Offer
from desktop_app.ui.transcript.answers import is_results
from desktop_app.ui.transcript.branch_item import NEXT, PREVIOUS, branch_words
from desktop_app.ui.transcript.decorations import is_cut
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread
    from desktop_app.ui.composer.model_choice import ModelChoice
    from desktop_app.ui.composer.model_menu import ModelMenu

Show = Callable[[Sequence["ModelChoice"]], None]
STEPS = {PREVIOUS: -1, NEXT: 1}
SHORTEST_S = 0.2
"""An answer that came all at once tells nothing of a speed."""


class Branches(QObject):
    """The actions of messages in the open thread.

    `models_wanted(show, update)`: the models to choose from are asked for; `draft_kept`: the history holds other words
    as the draft than those in the composer.
    """

    models_wanted = Signal(object, object)
    draft_kept = Signal()

    def __init__(
        self, desk: Desk, view: TranscriptView, composer: Composer, attaching: Attaching, theme: Callable[[], Theme]
    ) -> None:
        super().__init__(view)
        self._desk = desk
        self._view = view
        self._composer = composer
        self._attaching = attaching
        self._theme = theme
        self._running: set[str] = set()
        self._edit: tuple[str, str] | None = None  # thread and message that are being edited
        self._typed: dict[str, str] = {}  # message -> what was written in its place when another thread was opened
        self._wished: dict[str, Callable[[bool], None]] = {}  # thread -> what is on its way, to be wished again
        self._refused: dict[str, Callable[[bool], None]] = {}
        self._attached: dict[str, tuple[Part, ...]] = {}  # thread -> what is attached to its draft, which stays
        self._began: dict[str, tuple[str, float]] = {}  # thread -> growing answer, when its first words came
        self._speeds: dict[str, float] = {}
        self.menu: QMenu | None = None
        self.models: ModelMenu | None = None
        view.actions_bar.offers = self._offers

    # Facts

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is open, or the open one was read again."""
        thread_id, services = opened.thread.id, self._desk.ready
        if services is not None:
            (self._running.add if services.chat.running(thread_id) else self._running.discard)(thread_id)
        if self._edit is not None and (self._edit[0] != thread_id or self._view.path.number(self._edit[1]) is None):
            self._leave_edit()
        self._show_versions(opened)
        if self._edit is not None:
            self._view.editing.fit()

    def thread_left(self, _thread: object = None) -> None:
        """Another thread is opened: what was written in a question's place is there again when it is edited again."""
        self._leave_edit()

    def branch_changed(self, changed: BranchChanged) -> None:
        """The open thread goes on elsewhere: what is shown ends there, or is another path altogether."""
        if not self._desk.is_open(changed.thread_id):
            return
        if self._edit is not None and self._view.editing.panel.sending:
            self._end_edit()
        if not self._view.cut_after(changed.tip):
            self._desk.start(self._desk.reopen())

    def turn_started(self, started: TurnStarted) -> None:
        thread_id = started.thread_id
        self._running.add(thread_id)
        self._wished.pop(thread_id, None)
        self._refused.pop(thread_id, None)
        attached = self._attached.pop(thread_id, ())
        if attached:
            self._attaching.restore(thread_id, attached)
        self.refresh(started)

    def answer_grew(self, grew: AnswerGrew) -> None:
        """The first words: from here on its speed is measured."""
        began = self._began.get(grew.thread_id)
        if began is None or began[0] != grew.message_id:
            self._began[grew.thread_id] = (grew.message_id, monotonic())

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        self._running.discard(over.thread_id)
        began, usage = self._began.pop(over.thread_id, None), over.message.usage
        if began is not None and began[0] == over.message.id and usage is not None:
            seconds = monotonic() - began[1]
            if seconds >= SHORTEST_S:
                self._speeds[over.message.id] = usage.output / seconds
        self.refresh(over)

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent: an edit stays open and says why."""
        thread_id = refused.thread_id
        self._attached.pop(thread_id, None)
        wish = self._wished.pop(thread_id, None)
        self._refused.pop(thread_id, None)
        if wish is None:
            return
        self._refused[thread_id] = wish
        if self._edit is not None and self._edit[0] == thread_id and self._view.editing.panel.sending:
            self._view.editing.panel.set_sending(False)
            why = refused.failure.message.partition(". ")[0].rstrip(".")
            self._view.editing.panel.tell(self.tr("{why}. Nothing was sent.").format(why=why))
            self._view.editing.fit()
            self.focus_edit()
        if self._desk.is_open(thread_id):
            self.draft_kept.emit()

    def refresh(self, fact: TurnStarted | TurnEnded | TurnFailed) -> None:
        """The tree of a thread grew."""
        if self._desk.is_open(fact.thread_id):
            self._desk.start(self._read(fact.thread_id))

    # What trouble asks

    def was_refused(self, thread_id: str) -> bool:
        """Whether what was refused last in a thread was wished here, not in the composer."""
        return thread_id in self._refused

    def wish_again(self, *, pass_cap: bool = False) -> bool:
        """Does once more what was refused; False if that was nothing of ours."""
        wish = self._refused.pop(self._desk.thread_id or "", None)
        if wish is not None:
            wish(pass_cap)
        return wish is not None

    def focus_edit(self) -> bool:
        """Gives the keyboard to what is being edited; False if nothing is."""
        if self._edit is None:
            return False
        self._view.editing.focus()
        return True

    @property
    def can_go_on(self) -> bool:
        """Whether the thread ends with an answer that was cut and says something already."""
        messages = self._view.flow.messages
        return bool(messages) and is_cut(messages[-1]) and not self._busy

    # Wishes

    def act(self, message_id: str, action: str) -> None:
        """Does with a message what its row, its line or its menu says."""
        index = self._view.path.number(message_id)
        if index is None:
            return
        message = self._view.flow.messages[index]
        match action:
            case "copy":
                self._view.copy_message(index)
            case "details":
                self.show_details(message)
            case "again":
                self._offer_again(message)
            case "previous" | "next" if not self._busy:
                self._desk.start(self._step(message.id, STEPS[action]))
            case "edit" if not self._busy:
                self.edit(message.id)
            case "again_same" if not self._busy:
                self._ask_again(message.id, None, None)
            case "again_with" if not self._busy:
                self.choose_model(message.id)
            case "continue" if message.id == self._view.flow.messages[-1].id:
                self.go_on()

    def edit_last(self) -> None:
        """Up in an empty composer: the last question is written anew."""
        if self._composer.is_empty():
            self.edit_question()

    def edit_question(self) -> None:
        """The last question is written anew, whatever stands in the composer."""
        asked = next((m for m in reversed(self._view.flow.messages) if _is_question(m)), None)
        if asked is not None and not self._busy:
            self.edit(asked.id)

    def try_again(self) -> None:
        """The last answer is written anew."""
        if self._view.flow.messages:
            self._ask_again(self._view.flow.messages[-1].id, None, None)

    def edit(self, message_id: str) -> None:
        """Opens a question to be written anew in its place; nothing happens to the draft in the composer."""
        index = self._view.path.number(message_id)
        if index is None or self._desk.thread_id is None or not _is_question(self._view.flow.messages[index]):
            return
        self._leave_edit()
        message, editing = self._view.flow.messages[index], self._view.editing
        panel = editing.panel
        if not panel.property("wired"):
            panel.setProperty("wired", True)
            panel.sent.connect(self.send_edit)
            panel.cancelled.connect(self.cancel_edit)
            panel.editor.attached.connect(self._files_pasted)
        panel.editor.enter_sends = self._composer.editor.enter_sends
        self._edit = (self._desk.thread_id, message.id)
        text = self._typed.pop(message.id, message.text)
        editing.begin(message.id, text, [name_of(part) for part in attachments_of(message.parts)])

    def send_edit(self, *, pass_cap: bool = False) -> None:
        """Asks what was written in the question's place; the question stays as another version."""
        edited = self._edit
        index = self._view.path.number(edited[1]) if edited is not None else None
        panel = self._view.editing.panel
        if edited is None or index is None or panel.sending:
            return
        if self._busy:
            panel.tell(self._reason)
            self._view.editing.fit()
            return
        message, text = self._view.flow.messages[index], panel.text
        kept = tuple(part for part in message.parts if not isinstance(part, TextPart))
        panel.tell("")
        panel.set_sending(True)
        self._view.editing.fit()
        parts = (*kept, TextPart(text)) if text else kept
        self._begin(edited[0], lambda again: self.send_edit(pass_cap=again))
        self._desk.start(self._send_edit(*edited, parts, pass_cap))

    def _files_pasted(self, _brought: object) -> None:
        self._view.editing.panel.tell(self.tr("Only the text is changed here. Attach files in the field below."))
        self._view.editing.fit()

    def cancel_edit(self) -> bool:
        """Puts the question back; False if none is being edited."""
        if self._edit is None:
            return False
        self._end_edit()
        return True

    def continue_last(self) -> None:
        """The thread's last answer goes on, if it was cut."""
        self.go_on()

    def go_on(self, *, pass_cap: bool = False) -> None:
        """Asks for the rest of an answer that was cut."""
        thread_id = self._desk.thread_id
        if thread_id is None or not self.can_go_on:
            return
        self._begin(thread_id, lambda again: self.go_on(pass_cap=again))
        self._desk.start(self._go_on(thread_id, pass_cap))

    def choose_model(self, message_id: str) -> None:
        """Shows the models of which one is to answer once."""
        self.models_wanted.emit(partial(self._show_models, message_id), self._update_models)

    def show_details(self, message: Message) -> None:
        """Time, model, tokens, cost and speed of a message."""
        from desktop_app.ui.message_details import DetailsPopover, details

        services = self._desk.ready
        backend = services.backends.get(message.backend or "") if services is not None else None
        members = self._view.path.members(self._view.path.number(message.id) or 0)
        speed = next((self._speeds[one] for one in reversed(members) if one in self._speeds), None)
        told = details(message, backend.title if backend is not None else message.backend or "", speed)
        DetailsPopover(self._theme(), told, self._view).open_at(self._anchor())

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open: all that its row of buttons offers is there for the keyboard."""
        menu, index = self._view.menu, self._view.path.number(message_id)
        if menu is None or index is None:
            return
        menu.addSeparator()
        offers = {offer.id: offer for offer in self._offers(message_id)}
        for offer in offers.values():
            if offer.id == "again":
                self._fill_again(menu, self._view.flow.messages[index], enabled=not offer.reason)
            elif offer.id != "copy":
                menu.addAction(offer.words, partial(self.act, message_id, offer.id)).setEnabled(not offer.reason)
        branch = self._view.branch_of(message_id)
        if branch is not None:
            told = {PREVIOUS: self.tr("Previous version"), NEXT: self.tr("Next version")}
            for action, words in told.items():
                there = 1 <= branch[0] + STEPS[action] <= branch[1]
                entry = menu.addAction(f"{words} ({branch[0]} / {branch[1]})", partial(self.act, message_id, action))
                entry.setEnabled(there and not self._busy)
        menu.addSeparator()

    # Doings

    @property
    def _busy(self) -> bool:
        return (self._desk.thread_id or "") in self._running

    @property
    def _reason(self) -> str:
        return self.tr("An answer is still coming. Stop it or wait for its end.")

    def _offers(self, message_id: str) -> list[Offer]:
        index = self._view.path.number(message_id)
        if index is None or message_id == self._view.edited:
            return []
        message, reason = self._view.flow.messages[index], self._reason if self._busy else ""
        copy = Offer("copy", "copy", self.tr("Copy message"))
        if message.role == "user":
            edit = [Offer("edit", "pencil", self.tr("Edit"), reason)] if _is_question(message) else []
            return [*edit, copy, Offer("details", "details", self.tr("Details"))]
        offers = [copy, Offer("again", "again", self.tr("Try again"), reason)]
        if index == len(self._view.flow.messages) - 1 and is_cut(message):
            offers.append(Offer("continue", "continue", self.tr("Continue"), reason))
        return [*offers, Offer("details", "details", self.tr("Details"))]

    def _offer_again(self, message: Message) -> None:
        menu = self.menu = QMenu(self._view)
        self._fill_again(menu, message, enabled=not self._busy)
        menu.popup(self._anchor().bottomLeft())

    def _fill_again(self, menu: QMenu, message: Message, *, enabled: bool) -> None:
        menu.addAction(self.tr("Try again"), partial(self.act, message.id, "again_same")).setEnabled(enabled)
        other = menu.addAction(self.tr("Try again with another model…"), partial(self.act, message.id, "again_with"))
        other.setEnabled(enabled)

    def _anchor(self) -> QRect:
        """The row of buttons on the screen; where it is not shown, the pointer's place."""
        bar = self._view.actions_bar
        if bar.isVisible():
            return QRect(bar.mapToGlobal(QPoint(0, 0)), bar.size())
        return QRect(QCursor.pos(), QCursor.pos())

    def _begin(self, thread_id: str, wish: Callable[[bool], None]) -> None:
        """Something is on its way; what is attached in the composer has no part in it."""
        self._wished[thread_id] = wish
        self._attached[thread_id] = self._composer.attachments

    def _forget(self, thread_id: str) -> None:
        self._wished.pop(thread_id, None)
        self._attached.pop(thread_id, None)

    def _ask_again(self, message_id: str, backend: str | None, model: str | None, *, pass_cap: bool = False) -> None:
        thread_id = self._desk.thread_id
        if thread_id is None or self._busy:
            return
        self._leave_edit()
        self._begin(thread_id, lambda again: self._ask_again(message_id, backend, model, pass_cap=again))
        self._desk.start(self._regenerate(thread_id, message_id, backend, model, pass_cap))

    async def _regenerate(
        self, thread_id: str, message_id: str, backend: str | None, model: str | None, pass_cap: bool
    ) -> None:
        services = await self._desk.services()
        try:
            await services.chat.start_regenerate(thread_id, message_id, backend=backend, model=model, pass_cap=pass_cap)
        except PlimsollError:
            self._forget(thread_id)
            raise

    async def _send_edit(self, thread_id: str, message_id: str, parts: tuple[Part, ...], pass_cap: bool) -> None:
        services = await self._desk.services()
        try:
            await services.chat.start_edit(thread_id, message_id, parts, pass_cap=pass_cap)
        except PlimsollError:
            self._forget(thread_id)
            if self._edit == (thread_id, message_id):
                self._view.editing.panel.set_sending(False)
            raise

    async def _go_on(self, thread_id: str, pass_cap: bool) -> None:
        services = await self._desk.services()
        words = self.tr("Go on exactly where your answer was cut off.")
        services.chat.start_send(thread_id, (TextPart(words),), pass_cap=pass_cap)

    async def _step(self, message_id: str, step: int) -> None:
        """Shows the version before or behind the one that is shown, to the end that grew last there."""
        services, thread_id = await self._desk.services(), self._desk.thread_id
        if thread_id is None:
            return
        opened = await services.chat.open_thread(thread_id)
        ids = versions(opened.conversation, opened.path).get(message_id, ())
        place = ids.index(message_id) + step if message_id in ids else -1
        if not 0 <= place < len(ids):
            return
        self._leave_edit()
        await services.chat.show_branch(thread_id, ids[place])
        question = opened.conversation[message_id].role == "user"
        words = branch_words(place + 1, len(ids), question=question)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))

    async def _read(self, thread_id: str) -> None:
        services = await self._desk.services()
        opened = await services.chat.open_thread(thread_id)
        if self._desk.is_open(thread_id):
            self._show_versions(opened)

    def _show_versions(self, opened: OpenThread) -> None:
        found = versions(opened.conversation, opened.path)
        places = {message_id: (ids.index(message_id) + 1, len(ids)) for message_id, ids in found.items()}
        self._view.set_branches(places, frozen=opened.thread.id in self._running)

    def _show_models(self, message_id: str, choices: Sequence[ModelChoice]) -> None:
        from desktop_app.ui.composer.model_menu import ModelMenu

        index = self._view.path.number(message_id)
        answered = self._view.flow.messages[index] if index is not None else None
        chosen = (answered.backend or "", answered.model or "") if answered is not None else None
        menu = self.models = ModelMenu(self._theme(), chosen, self._view, connections=False)
        menu.chosen.connect(partial(self._ask_again, message_id))
        menu.hidden.connect(self._models_hidden)
        menu.show_choices(choices)
        bar = self._view.actions_bar
        menu.open_at(bar if bar.isVisible() else self._composer.picker)

    def _update_models(self, choices: Sequence[ModelChoice]) -> None:
        if self.models is not None:
            self.models.show_choices(choices)

    def _models_hidden(self) -> None:
        if self.models is not None:
            self.models.deleteLater()
            self.models = None

    def _leave_edit(self) -> None:
        """Something else is looked at: what was written is kept for as long as the window is open."""
        if self._edit is not None:
            self._typed[self._edit[1]] = self._view.editing.panel.editor.toPlainText()
            self._close_edit()

    def _end_edit(self) -> None:
        self._close_edit()
        self._composer.focus_editor()

    def _close_edit(self) -> None:
        if self._edit is not None:
            thread_id, self._edit = self._edit[0], None
            self._refused.pop(thread_id, None)
            self._view.editing.end()


def _is_question(message: Message) -> bool:
    return message.role == "user" and not is_results(message)
