"""The versions of a message: asking again, retry, continue, editing in place, the ways between its branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core import events
from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.conversation import Conversation, deleted_on, shown_nowhere
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Message, Part, TextPart, Thread
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.message_actions import STEPS, MessageActions
from desktop_app.ui.conversation.navigation import ShownMessages, is_question
from desktop_app.ui.i18n.content_words import name_of
from desktop_app.ui.i18n.language import parted
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.state.app_state import AppState, PathFacts
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.decorations import StepLine, is_cut
from desktop_app.ui.transcript.message.row_builder import is_results
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.message_changes import InlineQuestionEditor


@dataclass(frozen=True, slots=True)
class RegenerationRequest:
    """A request to ask again. `parts` None: the words that stand there already. `at`: in the turn of which message,
    None: at the thread's end, where `parts` ask for an answer's rest. `backend` and `model`: of whom, this once.
    """

    thread_id: str
    parts: tuple[Part, ...] | None = None
    at: str | None = None
    backend: str | None = None
    model: str | None = None

    @property
    def edits(self) -> bool:
        """True where a question is edited."""
        return self.parts is not None and self.at is not None


class Regeneration(QObject):
    """One wish per thread is on its way; what was held back is kept until it is wished again or let go.

    `held_back(wish, refused)`: nothing was sent; `refused` is the `SendRefused`, None where something is asked first or
    the wish could not even begin.
    `held_dropped(thread_id)`: what was held back is not wished any more.
    """

    held_back = Signal(object, object)
    held_dropped = Signal(str)

    def __init__(self, app_state: AppState) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self._pending: dict[str, RegenerationRequest] = {}
        self._held: dict[str, RegenerationRequest] = {}

    # Wishes

    def ask(self, request: RegenerationRequest, *, pass_cap: bool = False) -> None:
        """Asks; where the thread is busy, or something is on its way already, nothing happens."""
        if self._app_state.is_running(request.thread_id) or request.thread_id in self._pending:
            return
        self._pending[request.thread_id] = request
        self._held.pop(request.thread_id, None)
        self._app_state.start(self._ask(request, pass_cap))

    def held(self, thread_id: str) -> RegenerationRequest | None:
        """Return the request held back in a thread: refused, or something is asked first."""
        return self._held.get(thread_id)

    def drop(self, thread_id: str) -> None:
        """Drop the request held back, which is not wished any more."""
        if self._held.pop(thread_id, None) is not None:
            self.held_dropped.emit(thread_id)

    # Facts

    def turn_started(self, started: events.TurnStarted) -> None:
        self._pending.pop(started.thread_id, None)
        self._held.pop(started.thread_id, None)

    def refused(self, refused: events.SendRefused) -> None:
        """Nothing was sent; where that was not wished here, it concerns the composer."""
        if (request := self._pending.get(refused.thread_id)) is None:
            self._held.pop(refused.thread_id, None)
        else:
            self._hold(request, refused)

    def crossing_asked(self, asked: events.CrossingAsked) -> None:
        """Something is asked before this may go; where the composer wished it, nothing else is wished any more."""
        if (request := self._pending.get(asked.thread_id)) is None:
            self.drop(asked.thread_id)
        else:
            self._hold(request, None)

    async def _ask(self, request: RegenerationRequest, pass_cap: bool) -> None:
        services = await self._app_state.services()
        try:
            await _start(services, request, pass_cap)
        except PlimsollError:
            self._take_back(request)
            self.held_back.emit(request, None)
            raise

    def _hold(self, request: RegenerationRequest, refused: events.SendRefused | None) -> None:
        self._take_back(request)
        self._held[request.thread_id] = request
        self.held_back.emit(request, refused)

    def _take_back(self, request: RegenerationRequest) -> None:
        self._pending.pop(request.thread_id, None)


async def _start(services: WindowServices, request: RegenerationRequest, pass_cap: bool) -> None:
    chat, thread_id = services.chat, request.thread_id
    if request.parts is None and request.at is None:
        chat.start_retry(thread_id, pass_cap=pass_cap, ask_first=True)
    elif request.parts is None and request.at is not None:
        await chat.start_regenerate(
            thread_id, request.at, backend=request.backend, model=request.model, pass_cap=pass_cap, ask_first=True
        )
    elif request.parts is not None and request.at is not None:
        await chat.start_edit(thread_id, request.at, request.parts, pass_cap=pass_cap, ask_first=True)
    elif request.parts is not None:
        words = "".join(part.text for part in request.parts if isinstance(part, TextPart))
        chat.start_continue(thread_id, words, pass_cap=pass_cap, ask_first=True)


class QuestionEditing(QObject):
    """At most one question is being edited; what was written elsewhere is kept, also where the window ends.

    `begun`: a question is about to be edited.
    """

    begun = Signal()

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        composer: Composer,
        regeneration: Regeneration,
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._composer = composer
        self._regeneration = regeneration
        self._edit: tuple[str, str] | None = None  # thread and message that are being edited
        regeneration.held_back.connect(self._held_back)

    def begin(self, message_id: str) -> None:
        """Open a question in its place to be edited."""
        message = self._messages.find(message_id)
        thread, unfinished = self._app_state.current, self._app_state.unfinished
        if message is None or thread is None or not is_question(message):
            return
        self.leave()
        self.begun.emit()
        editing = self._view.editing
        panel = editing.panel
        if not panel.property("wired"):
            panel.setProperty("wired", True)
            panel.done.connect(self.send)
            panel.cancelled.connect(self.cancel)
            panel.editor.attached.connect(self._files_pasted)
            panel.editor.textChanged.connect(unfinished.changed)
        panel.editor.enter_sends = self._composer.editor.enter_sends
        self._edit = (thread.id, message.id)
        text = unfinished.begin(thread, message.id, panel.editor, message.text)
        editing.begin(message.id, text, [name_of(part) for part in attachments_of(message.parts)])

    def send(self, *, pass_cap: bool = False) -> None:
        """Asks what was written in the question's place; the question stays as another version."""
        edited, panel = self._edit, self._panel
        message = self._messages.find(edited[1]) if edited is not None else None
        if edited is None or message is None or panel.sending:
            return
        if self._app_state.running:
            self.tell(self.tr("An answer is still coming. Stop it or wait until it is complete."))
            return
        text = panel.text
        kept = tuple(part for part in message.parts if not isinstance(part, TextPart))
        panel.set_sending(True)
        self.tell("")
        parts = (*kept, TextPart(text)) if text else kept
        self._regeneration.ask(RegenerationRequest(edited[0], parts, edited[1]), pass_cap=pass_cap)

    def sends(self, request: RegenerationRequest) -> bool:
        """Return True if a wish is the question being edited; then its words are those in the panel by now."""
        return request.edits and self._edit == (request.thread_id, request.at)

    def cancel(self) -> bool:
        """Puts the question back; False if none is being edited."""
        if self._edit is None:
            return False
        self._close()
        self._composer.focus_editor()
        return True

    def leave(self) -> None:
        """Something else is looked at: what was written is kept."""
        self._close(keep=True)

    def focus(self) -> bool:
        """Gives the keyboard to what is being edited; False if nothing is."""
        if self._edit is None:
            return False
        self._view.editing.focus()
        return True

    def tell(self, words: str) -> None:
        """Says something beneath the field; no words: nothing."""
        self._panel.tell(words)
        self._view.editing.fit()

    # Facts

    def show_opened(self, thread_id: str) -> None:
        """A thread is open, or was read again: what is edited has to be there."""
        if self._edit is None:
            return
        if self._edit[0] != thread_id or self._messages.find(self._edit[1]) is None:
            self.leave()
        else:
            self._view.editing.fit()

    def branch_changed(self) -> None:
        """The open thread goes on elsewhere: with what was sent here, the field has done its work."""
        if self._edit is not None and self._panel.sending:
            self.cancel()

    def _held_back(self, request: RegenerationRequest, refused: events.SendRefused | None) -> None:
        """Nothing was sent: the edit stays open and says why."""
        if not self.sends(request) or not self._panel.sending:
            return
        self._panel.set_sending(False)
        if refused is not None:
            why = parted(refused.failure.message)[0]
            counted_by = refused.plan.counted_by if refused.plan is not None else ""
            words = self.tr("{why}. Nothing was sent.")
            if counted_by:
                words = self.tr("{why}. Counted by {provider}, not sent to a model.")
            self.tell(words.format(why=why, provider=counted_by))
        elif self._regeneration.held(request.thread_id) is not None:
            self.tell(self.tr("Nothing was sent yet. The thread ends with a question."))
        self.focus()

    def _files_pasted(self, _brought: object) -> None:
        self.tell(self.tr("Only the text is changed here. Attach files in the field below."))

    @property
    def _panel(self) -> InlineQuestionEditor:
        return self._view.editing.panel

    def _close(self, *, keep: bool = False) -> None:
        if self._edit is None:
            return
        (thread_id, message_id), self._edit = self._edit, None
        self._app_state.unfinished.end(thread_id, message_id, keep=keep)
        if (held := self._regeneration.held(thread_id)) is not None and held.edits and held.at == message_id:
            self._regeneration.drop(thread_id)
        self._view.editing.end()


class BranchesPresenter(QObject):
    """The actions of messages in the open thread.

    `models_wanted(show, update)`: the models to choose from are asked for. `held_dropped`: see `Regeneration`.
    `edit_begun`: a question is about to be edited. `mark_requested(message_id, action)`: a rating or a note was asked
    for.
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

    def branch_changed(self, changed: events.BranchChanged) -> None:
        """The open thread goes on elsewhere: what is shown ends there, or is another path altogether."""
        if not self._app_state.is_open(changed.thread_id):
            return
        self._editing.branch_changed()
        if not self._view.cut_after(changed.tip):
            self._app_state.start(self._app_state.reopen())

    def turn_started(self, started: events.TurnStarted) -> None:
        self._regeneration.turn_started(started)
        self._refresh(started.thread_id)

    def answer_grew(self, grew: events.AnswerGrew) -> None:
        self.actions.speeds.grew(grew)

    def turn_over(self, over: events.TurnEnded | events.TurnFailed) -> None:
        self.actions.speeds.over(over)
        self._refresh(over.thread_id)

    def refused(self, refused: events.SendRefused) -> None:
        """Nothing was sent."""
        self._regeneration.refused(refused)

    def crossing_asked(self, asked: events.CrossingAsked) -> None:
        """Something is asked before it is sent."""
        self._regeneration.crossing_asked(asked)

    # For error cards

    def was_refused(self, thread_id: str) -> bool:
        """Return True if the message refused or asked about last in a thread was wished here, not in the composer."""
        return self._regeneration.held(thread_id) is not None

    def ask_held_again(self, *, pass_cap: bool = False) -> bool:
        """Does once more what was held back; False if that was nothing of ours."""
        if (request := self._regeneration.held(self._app_state.thread_id or "")) is None:
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
        return (last := self._messages.last) is not None and is_cut(last) and not self._app_state.running

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

    def retry(self, thread_id: str | None = None, *, pass_cap: bool = False) -> None:
        """Asks a thread's last question again, that of the open one, whether an answer stands beneath it or not."""
        if (thread_id := thread_id or self._app_state.thread_id) is not None:
            self._regeneration.ask(RegenerationRequest(thread_id), pass_cap=pass_cap)

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
