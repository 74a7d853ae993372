"""The actions on a message that was said, and the ways between its versions.

Nothing that was said is changed or lost by it. Knows neither how a request is made nor how anything is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import deleted_on, shown_nowhere
from desktop_app.core.events import (
    AnswerGrew,
    BranchChanged,
    CrossingAsked,
    SendRefused,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.message_actions import STEPS, MessageActions
from desktop_app.ui.conversation.question_editing import QuestionEditing
from desktop_app.ui.conversation.regeneration import Regeneration, RegenerationRequest
from desktop_app.ui.conversation.shown_messages import ShownMessages, is_question
from desktop_app.ui.state.app_state import AppState, PathFacts
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.decorations import StepLine, is_cut
from desktop_app.ui.transcript.message.merged_answers import is_results
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread
    from desktop_app.ui.models.model_menu import ModelMenu


class BranchesPresenter(QObject):
    """The actions of messages in the open thread.

    `models_wanted(show, update)`: the models to choose from are asked for. `asked` and `held_dropped`: see
    `Regeneration`. `edit_begun`: a question is about to be edited. `mark_requested(message_id, action)`: a rating or a
    note was asked for.
    """

    models_wanted = Signal(object, object)
    held_dropped = Signal(str)
    edit_begun = Signal()
    mark_requested = Signal(str, str)

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        composer: Composer,
        attachments: AttachmentsPresenter,
        *,
        theme: Callable[[], Theme],
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._composer = composer
        self._regeneration = Regeneration(app_state)
        self._editing = QuestionEditing(app_state, messages, view, composer, self._regeneration)
        self.actions = MessageActions(app_state, messages, view, composer, theme)
        self._deleted: frozenset[str] = frozenset()
        self._deletions = NO_CHOICES.deleted
        self._regeneration.held_dropped.connect(self.held_dropped)
        self._editing.begun.connect(self.edit_begun)
        self.actions.models_wanted.connect(self.models_wanted)
        self.actions.chosen.connect(self.act)
        self.actions.model_chosen.connect(self._ask_again)

    # Facts

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is open, or the open one was read again."""
        self._deleted = deleted_on(opened.path, opened.thread.choices)
        self._deletions = opened.thread.choices.deleted
        self._show_versions(opened)
        self._view.decorations.place_version()
        self._editing.show_opened(opened.thread.id)

    def thread_changed(self, thread: Thread) -> None:
        """Facts of the open thread changed, perhaps what is deleted of it."""
        if thread.choices.deleted != self._deletions:
            self._deletions = thread.choices.deleted
            self._app_state.start(self._show_deleted(thread.id))

    def thread_left(self, _thread: object = None) -> None:
        """Another thread is opened: what was written in a question's place is there again when it is edited again."""
        self._editing.leave()

    def hand_over(self, holds: Callable[[str], bool], to: BranchesPresenter) -> None:
        """Another window shows a thread that was left here; `holds` says whether a message is one of it."""
        self._editing.hand_over(holds, to._editing)

    def branch_changed(self, changed: BranchChanged) -> None:
        """The open thread goes on elsewhere: what is shown ends there, or is another path altogether."""
        if not self._app_state.is_open(changed.thread_id):
            return
        self._editing.branch_changed()
        if not self._view.cut_after(changed.tip):
            self._app_state.start(self._app_state.reopen())

    def turn_started(self, started: TurnStarted) -> None:
        self._regeneration.turn_started(started)
        self._refresh(started.thread_id)

    def answer_grew(self, grew: AnswerGrew) -> None:
        self.actions.speeds.grew(grew)

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        self.actions.speeds.over(over)
        self._refresh(over.thread_id)

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent."""
        self._regeneration.refused(refused)

    def crossing_asked(self, asked: CrossingAsked) -> None:
        """Something is asked before it is sent."""
        self._regeneration.crossing_asked(asked)

    # For error cards

    def was_refused(self, thread_id: str) -> bool:
        """Return True if the message refused or asked about last in a thread was wished here, not in the composer."""
        return self._regeneration.held(thread_id) is not None

    def ask_held_again(self, *, pass_cap: bool = False) -> bool:
        """Does once more what was held back; False if that was nothing of ours."""
        request = self._regeneration.held(self._app_state.thread_id or "")
        if request is None:
            return False
        if self._editing.sends(request):
            self._editing.send(pass_cap=pass_cap)
        else:
            self._regeneration.ask(request, pass_cap=pass_cap)
        return True

    def focus_edit(self) -> bool:
        """Gives the keyboard to what is being edited; False if nothing is."""
        return self._editing.focus()

    @property
    def can_go_on(self) -> bool:
        """True where the thread ends with an answer that was cut and says something already."""
        last = self._messages.last
        return last is not None and is_cut(last) and not self._app_state.running

    # Wishes

    def act(self, message_id: str, action: str) -> None:
        """Does with a message what its row, its line or its menu says."""
        message, busy = self._messages.find(message_id), self._app_state.running
        if message is None:
            return
        match action:
            case "copy":
                self._view.copying.copy_message(self._view.path.number(message.id) or 0)
            case "details":
                self.actions.show_details(message)
            case "previous" | "next" if not busy:
                self._app_state.start(self._step(message.id, STEPS[action]))
            case "edit" if not busy:
                self.edit(message.id)
            case "again" if not busy:
                self._ask_again(message.id)
            case "again_with" if not busy:
                self.actions.choose_model(message.id)
            case "branch" if not busy:
                self._app_state.start(self._branch_from(self._messages.members(message)[-1]))
            case "onward" if not busy:
                self._app_state.start(self._go_onward(message.id))
            case "rate_up" | "rate_down" | "note" | "fold_note":
                self.mark_requested.emit(message.id, action)
            case "continue" if self._messages.is_last(message):
                self.go_on()

    def edit_last(self) -> None:
        """Edit the last question again: Up in an empty composer."""
        if self._composer.is_empty():
            self.edit_question()

    def edit_question(self) -> None:
        """Edit the last question again, whatever stands in the composer."""
        asked = next((m for m in reversed(self._messages.all) if is_question(m)), None)
        if asked is not None and not self._app_state.running:
            self.edit(asked.id)

    def edit(self, message_id: str) -> None:
        """Open a question in its place to be edited; nothing happens to the draft in the composer."""
        self._editing.begin(message_id)

    def cancel_edit(self) -> bool:
        """Puts the question back; False if none is being edited."""
        return self._editing.cancel()

    def try_again(self) -> None:
        """Have the last answer written again."""
        if self._messages.last is not None:
            self._ask_again(self._messages.last.id)

    def retry(self, *, pass_cap: bool = False) -> None:
        """Asks the thread's last question again, whether an answer stands beneath it or not."""
        if self._app_state.thread_id is not None:
            self._regeneration.ask(RegenerationRequest(self._app_state.thread_id), pass_cap=pass_cap)

    def continue_last(self) -> None:
        """The thread's last answer goes on, if it was cut."""
        self.go_on()

    def go_on(self, *, pass_cap: bool = False) -> None:
        """Asks for the rest of an answer that was cut."""
        if self._app_state.thread_id is not None and self.can_go_on:
            words = self.tr("Go on exactly where your answer was cut off.")
            self._regeneration.ask(
                RegenerationRequest(self._app_state.thread_id, (TextPart(words),)), pass_cap=pass_cap
            )

    @property
    def models(self) -> ModelMenu | None:
        """The open list of models of which one is to answer once."""
        return self.actions.models

    # Doings

    def _ask_again(self, message_id: str, backend: str | None = None, model: str | None = None) -> None:
        if self._app_state.thread_id is not None and not self._app_state.running:
            self._editing.leave()
            self._regeneration.ask(RegenerationRequest(self._app_state.thread_id, None, message_id, backend, model))

    async def _step(self, message_id: str, step: int) -> None:
        """Shows the version before or behind the one that is shown, to the end that grew last there."""
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is None:
            return
        opened = await services.chat.open_thread(thread_id)
        ids = versions(opened.conversation, opened.shown, opened.thread.choices).get(message_id, ())
        place = ids.index(message_id) + step if message_id in ids else -1
        if not 0 <= place < len(ids):
            return
        self._editing.leave()
        self._view.decorations.keep_version(message_id)
        await services.chat.show_branch(thread_id, ids[place])
        question = opened.conversation[message_id].role == "user"
        words = branch_words(place + 1, len(ids), question=question)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))

    async def _branch_from(self, message_id: str) -> None:
        """The branch that is shown ends with a message: what is asked next begins another one."""
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is None:
            return
        self._editing.leave()
        await services.chat.branch_from(thread_id, message_id)
        self._refresh(thread_id)
        self._composer.focus_editor()
        words = self.tr("The next question starts another branch here.")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))

    async def _show_deleted(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if not self._app_state.is_open(thread_id):
            return
        if deleted_on(opened.path, opened.thread.choices) != self._deleted:
            self._editing.leave()
            await self._app_state.reopen()
        else:
            self._show_versions(opened)  # a version on another branch went, or came back

    async def _go_onward(self, message_id: str) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is not None:
            opened = await services.chat.open_thread(thread_id)
            await services.chat.show_branch(thread_id, opened.thread.tip or message_id)

    def _refresh(self, thread_id: str) -> None:
        """The tree of a thread grew."""
        if self._app_state.is_open(thread_id):
            self._app_state.start(self._read(thread_id))

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if self._app_state.is_open(thread_id):
            self._show_versions(opened)

    def _show_versions(self, opened: OpenThread) -> None:
        found = versions(opened.conversation, opened.shown, opened.thread.choices)
        places = {message_id: (ids.index(message_id) + 1, len(ids)) for message_id, ids in found.items()}
        told = told_models(opened.conversation, self._app_state.facts.of(opened.shown), found)
        models = {message.id: self.actions.model_of(message) for message in told}
        self._view.decorations.set_branches(places, frozen=self._app_state.running, models=models)
        tip = opened.thread.tip
        more = tip is not None and bool(opened.conversation.children(tip))
        words = self.tr("The next question starts another branch")
        line = StepLine(self._messages.id_of(tip), words, (("onward", self.tr("Show it")),)) if more and tip else None
        self._view.decorations.set_onward(line)


def versions(
    conversation: Conversation, path: Sequence[Message], choices: ContextChoices = NO_CHOICES
) -> dict[str, tuple[str, ...]]:
    """The versions of each message of the path that has several, in the order they came, by its id.

    An answer of which nothing came, and what is deleted on all its branches, is no version that anybody would go back
    to, but for the one that is shown.
    """
    found: dict[str, tuple[str, ...]] = {}
    forks = conversation.forks  # few or none in most threads, however long
    gone = shown_nowhere(conversation, choices) if forks else frozenset()
    for message in path if forks else ():
        if message.parent_id not in forks:
            continue
        ids = conversation.siblings(message.id) if message.id in conversation else ()
        if len(ids) > 1 and not is_results(message):
            kept = tuple(
                one for one in ids if one == message.id or (one not in gone and _is_version(conversation[one], message))
            )
            if len(kept) > 1:
                found[message.id] = kept
    return found


def told_models(conversation: Conversation, facts: PathFacts, found: Mapping[str, Sequence[str]]) -> Sequence[Message]:
    """The answers of a path of which the model is told: it is another than before, or than that of another version."""
    told = {index: facts.path[index] for index in facts.model_changes}
    for message_id, ids in found.items():
        index = facts.places[message_id]
        message = facts.path[index]
        others = {conversation[one].model for one in ids} - {None, message.model}
        if message.role == "assistant" and message.model and others:
            told[index] = message
    return tuple(told[index] for index in sorted(told))


def _is_version(other: Message, message: Message) -> bool:
    return other.role == message.role and bool(other.parts) and not is_results(other)
