"""The flow of sending: drafts of threads, from the composer to the controller, the queue, Stop and Esc."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextDocument

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core import events
from desktop_app.core.attachment_facts import attachments_of, message_of
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import HistoryUnwritableError, PlimsollError, UserError
from desktop_app.core.messages import QUEUED, Part, TextPart, Thread
from desktop_app.core.redaction import found_secrets, is_among, without_secrets
from desktop_app.core.text_diff import merged, queued, taken_apart, without_sent
from desktop_app.ui.i18n.content_words import name_of
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.controller.turn_notices import AtCap


class DraftField(Protocol):
    """The field in which the message is written."""

    def text(self) -> str: ...

    def draft(self) -> tuple[Part, ...]: ...


class DraftSending:
    """Sends what stands in a field, which keeps it until it is stored. The user is there to answer what a plan asks."""

    def __init__(
        self,
        app_state: AppState,
        field: DraftField,
        *,
        leaves: Callable[[str, Sequence[Part]], None] = lambda _thread_id, _attached: None,
        shown: bool = False,
    ) -> None:
        """`leaves(thread id, attachments)`: they are on their way. `shown`: the user has the message's plan in view."""
        self._app_state = app_state
        self._field = field
        self._leaves = leaves
        self._shown = shown
        self._unstored: dict[str, str] = {}  # thread -> text on its way from the field into the history

    @property
    def busy(self) -> bool:
        """True while anything is on its way into the history."""
        return bool(self._unstored)

    def is_sending(self, thread_id: str | None) -> bool:
        return thread_id in self._unstored

    def send(self, *, pass_cap: bool = False) -> Coroutine[None, None, bool]:
        """Sends what stands there now, in the open thread or a new one; False where there is nothing.

        What is typed from here on is no part of it, however long the thread or the history takes to be there.
        `pass_cap`: the user lets this one message pass the spending caps. Raises `PlimsollError` without a history.
        """
        return self._send(self._field.text(), self._field.draft(), pass_cap=pass_cap)

    async def _send(self, typed: str, parts: tuple[Part, ...], *, pass_cap: bool) -> bool:
        try:
            thread = await self._app_state.made_thread()
        except HistoryUnwritableError as error:  # whoever sends is told each time, as of a thread that is there
            failure = error.failure
            raise UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions) from error
        if not parts or not self._app_state.is_open(thread.id) or thread.id in self._unstored:
            return False
        self._unstored[thread.id] = typed
        services = await self._app_state.services()
        self._leaves(thread.id, attachments_of(parts))
        at_cap: AtCap = "ask" if self._shown else "end"  # only the window has a card for it
        services.chat.start_send(thread.id, parts, pass_cap=pass_cap, shown=self._shown, ask_first=True, at_cap=at_cap)
        return True

    def over(self, thread_id: str) -> str | None:
        """A thread's message is stored, or was not sent: the text that it was sent with; None: it was another's."""
        return self._unstored.pop(thread_id, None)


class MessageEditor(Protocol):
    """The composer's text field."""

    def replace_text(self, text: str) -> None: ...

    def commit_composed(self) -> None: ...

    def document(self) -> QTextDocument: ...


class QueueLines(Protocol):
    """The lines of the messages that wait behind the running answer."""

    def show_messages(self, messages: Sequence[tuple[str, Sequence[str]]], *, held: bool = False) -> None: ...


class MessageComposer(Protocol):
    """The field in which a message is written."""

    @property
    def editor(self) -> MessageEditor: ...

    @property
    def queue(self) -> QueueLines: ...

    @property
    def attachments(self) -> tuple[Part, ...]: ...

    @property
    def problem(self) -> str: ...

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def add_text(self, text: str) -> None: ...

    def draft(self) -> tuple[Part, ...]: ...

    def is_empty(self) -> bool: ...

    def take_sent(self, text: str) -> None: ...

    def tell_problem(self, words: str, *, tone: Literal["danger", "secondary"] = "danger") -> None: ...

    def ask_about_secret(self, words: str, *, own_key: bool = False) -> None: ...

    def set_streaming(self, streaming: bool) -> None: ...

    def focus_editor(self) -> None: ...


class AttachedDrafts(Protocol):
    """The attachments of the drafts of threads."""

    @property
    def busy(self) -> bool: ...

    def hold(self, thread_id: str, parts: Sequence[Part]) -> None: ...

    def drop_waiting(self, thread_id: str, parts: Sequence[Part]) -> None: ...

    def leave(self, thread_id: str, parts: Sequence[Part]) -> None: ...


SAVE_AFTER_MS = 300
"""A draft is saved when typing has rested this long."""
SAVE_WITHIN_MS = 500
"""Who types without a rest has what is older than this saved, too (HIS-1)."""
LONG_DRAFT = 200_000
"""Characters from which on only a rest has the draft saved: writing megabytes twice a second helps nobody."""


class Drafts(QObject):
    """Keeps the composer's text with its thread; has the thread made when the first word of a new one is written.

    Each save is a compare-and-set on what was last seen of the stored draft: what another window or a command kept
    there meanwhile comes up here, and is saved with what was written here.
    """

    def __init__(
        self,
        app_state: AppState,
        composer: MessageComposer,
        waiting: Callable[[], str],
        queue_again: Callable[[str, Sequence[tuple[str, int]]], None] = lambda _thread_id, _queue: None,
    ) -> None:
        """`waiting`: the queued messages of the open thread, which are unsent and so part of its draft.

        `queue_again(thread id, messages with the number of their attachments)`: they waited when the draft was stored.
        """
        super().__init__(app_state)
        self._app_state = app_state
        self._waiting, self._queue_again = waiting, queue_again
        self._composer = composer
        self._of: str | None = None
        self._seen: dict[str, str] = {}
        """The stored drafts as they were last seen: of the open thread, and of those with something on the way."""
        self._given = self._shown = ""
        """The text that the composer was given last, and what it made of that: some spaces are others there."""
        self._on_the_way: dict[str, str] = {}
        self._order = asyncio.Lock()
        self._saving = ("", "")  # the thread and the text of the save that is under way
        self._unmade = ""
        self._showing = False
        self._timer = QTimer(self, singleShot=True, interval=SAVE_AFTER_MS)
        self._timer.timeout.connect(self.save_now)
        self._latest = QTimer(self, singleShot=True, interval=SAVE_WITHIN_MS)
        self._latest.timeout.connect(self.save_now)

    def show_draft(self, thread: Thread) -> None:
        """The draft of the thread that was opened. Text already being written in it is left alone."""
        if thread.id == self._of:
            if thread.draft != self._seen[thread.id]:  # read before what is on the way, perhaps: looked at once more
                self._on_the_way.setdefault(thread.id, self._written())
                self._app_state.start(self._save(thread.id))
            return
        self._put_aside()
        self._seen = {one: self._seen[one] for one in self._on_the_way}
        self._of = thread.id
        self._seen.setdefault(thread.id, thread.draft)
        self._show(self._on_the_way.get(thread.id, thread.draft))

    def take_over(self, thread: Thread) -> None:
        """The composer shows this thread's draft already, and perhaps what has been typed since."""
        self._of, self._seen[thread.id] = thread.id, thread.draft
        self._own_text(thread.draft)

    def show_opened(self, opened: OpenThread) -> None:
        self.show_draft(opened.thread)

    def clear(self) -> None:
        """An empty composer for a new thread, or what stood in the last one, which could not be made."""
        self._put_aside()
        self._of = None
        self._show(self._unmade)
        self._unmade = ""

    def forget_saved(self) -> None:
        """Another file is open: it has nothing of what stands in the composer, or a draft where nothing does."""
        self._seen = dict.fromkeys(self._seen, "")
        self._given = self._shown = ""
        if self._composer.is_empty():
            self._of = None

    def adopt(self, thread: Thread) -> None:
        """Move the message being written to the thread that was made for it."""
        self._of, self._seen[thread.id] = thread.id, ""
        self._timer.start()

    def text_edited(self) -> None:
        """The composer's text changed."""
        if self._showing:
            return
        if self._of is None and not self._composer.is_empty():
            self._app_state.make_thread()
        self._timer.start()
        if not self._latest.isActive() and self._composer.editor.document().characterCount() < LONG_DRAFT:
            self._latest.start()

    def leave(self, _thread: Thread) -> None:
        """Another thread is about to be opened; the composer still has the text of this one."""
        self._composer.editor.commit_composed()
        self.save_now()

    def save_now(self) -> None:
        self._timer.stop()
        self._latest.stop()
        if self._of is None:
            return
        if (text := self._written()) != self._on_the_way.get(self._of, self._seen[self._of]):
            self._on_the_way[self._of] = text
            self._app_state.start(self._save(self._of))

    def stored(self, stored: events.DraftSaved) -> None:
        """The history has this draft now, whoever wrote it: a command's message that was refused is kept as one."""
        if stored.thread_id != self._of or (stored.thread_id, stored.text) == self._saving:
            return
        if stored.text != self._seen[self._of] and self._meet(self._of, stored.text):
            self._app_state.start(self._save(self._of))

    def message_stored(self, added: events.MessageAdded) -> None:
        """The history has taken a question off the draft: what was typed since is saved."""
        thread_id, text = added.message.thread_id, added.message.text
        if not opens_turn(added.message) or thread_id not in self._seen:
            return
        self._seen[thread_id] = without_sent(self._seen[thread_id], text)
        if thread_id == self._of:
            self.save_now()
        elif thread_id in self._on_the_way:
            self._on_the_way[thread_id] = without_sent(self._on_the_way[thread_id], text)

    def writing_changed(self, changed: events.WritingChanged) -> None:
        """Save the text that the history did not take, as soon as it can be written."""
        if changed.problem is not None:
            return
        for thread_id in tuple(self._on_the_way):
            self._app_state.start(self._save(thread_id))
        if self._of is None:
            self.text_edited()

    def _put_aside(self) -> None:
        """Put aside the text of no thread, as none could be made for it; it is shown again for the next new one."""
        if self._of is not None:
            return
        self._showing = True
        self._composer.editor.commit_composed()
        self._showing = False
        if not self._composer.is_empty():
            self._unmade = self._composer.text()

    def hand_over(self, thread_id: str, to: Drafts) -> None:
        """Another window shows a thread that was left here: its draft is what stands there."""
        if (text := self._on_the_way.pop(thread_id, None)) is not None:
            to.take_left(thread_id, text, self._seen.get(thread_id, ""))

    def hand_over_all(self, to: Drafts) -> None:
        """This window closes: another looks after what was written here."""
        for thread_id in tuple(self._on_the_way):
            self.hand_over(thread_id, to)

    async def rest(self, thread_id: str) -> None:
        """Waits until the history has what was typed in a thread that was left, or did not take it."""
        with suppress(PlimsollError):
            await self._save(thread_id)

    def take_left(self, thread_id: str, text: str, seen: str) -> None:
        """Another window has not saved this draft yet; `seen`: the stored one that it began with."""
        self._on_the_way[thread_id], self._seen[thread_id] = text, seen
        self._app_state.start(self._save(thread_id))

    @property
    def unmade(self) -> bool:
        """True where a text stands here that is the draft of no thread, as none could be made yet."""
        return self._of is None and not self._composer.is_empty()

    @property
    def all_saved(self) -> bool:
        """True where the history has everything that was typed."""
        return not (self._timer.isActive() or self._latest.isActive() or self._on_the_way)

    async def flush(self) -> None:
        """Saves what is unsaved and waits until it is stored."""
        self.save_now()
        for thread_id in tuple(self._on_the_way):
            await self._save(thread_id)

    async def _save(self, thread_id: str) -> None:
        if thread_id not in self._on_the_way:
            return
        services = await self._app_state.services()
        async with self._order:  # each begins with what the one before has left
            while (text := self._on_the_way.get(thread_id)) is not None:
                seen, self._saving = self._seen[thread_id], (thread_id, text)
                try:
                    stands = await services.chat.save_draft(thread_id, text, expected=seen)
                finally:
                    self._saving = ("", "")
                if stands is None and self._seen.get(thread_id) == seen:
                    self._seen[thread_id] = text
                elif stands is not None and thread_id in self._on_the_way:
                    self._meet(thread_id, stands)
                if stands is None and self._on_the_way.get(thread_id) == text:
                    del self._on_the_way[thread_id]

    def _meet(self, thread_id: str, stands: str) -> bool:
        """Another draft stands in the history than was seen last: keeps both; whether that is to be saved."""
        seen, self._seen[thread_id] = self._seen[thread_id], stands
        if thread_id == self._of:
            self._composer.editor.commit_composed()
        mine = self._written() if thread_id == self._of else self._on_the_way[thread_id]
        kept = merged(seen, mine, stands)
        if thread_id == self._of and kept != mine:
            self._show(kept, beside=bool(mine.strip()))
        self._on_the_way.pop(thread_id, None)
        if kept != stands:
            self._on_the_way[thread_id] = kept
        return kept != stands

    def _written(self) -> str:
        """The open thread's draft as it is here: the messages that wait, and the composer's text."""
        text = self._composer.text()
        text = self._given if text == self._shown else text
        return waiting + (text if text.strip() else "") if (waiting := self._waiting()) else text

    def _own_text(self, draft: str) -> str:
        """The text of a draft, the messages that waited in it queued again."""
        if waiting := self._waiting():
            return draft.removeprefix(waiting).replace(QUEUED, "").lstrip("\n")
        queue, text = taken_apart(draft)
        if queue and self._of is not None:
            self._queue_again(self._of, queue)
            text = text.lstrip("\n")
        return text

    def _show(self, draft: str, *, beside: bool = False) -> None:
        """`beside`: it has what stands in the composer, and more, which is said."""
        self._timer.stop()
        self._latest.stop()
        self._given = self._own_text(draft)
        self._showing = True
        try:
            (self._composer.add_text if beside else self._composer.set_text)(self._given)
        finally:
            self._showing = False
        self._shown = self._composer.text()


class EmptyThreads(QObject):
    """Takes away a thread without message, draft, attachment or name when it is left.

    `blank_changed(thread id, or None)`: nothing stands in the open thread any more, or something does again. It goes
    only when it is left: until then the field can take its deletion back.
    """

    blank_changed = Signal(object)

    def __init__(self, app_state: AppState, composer: MessageComposer, waiting: Callable[[], str]) -> None:
        """`waiting`: the queued message of the open thread, which is unsent and so part of its draft."""
        super().__init__(app_state)
        self._waiting = waiting
        self._app_state = app_state
        self._composer = composer

    def text_edited(self) -> None:
        """The composer's text or its attachments changed."""
        thread = self._app_state.current
        blank = thread is not None and not self._app_state.running and self._is_blank(thread)
        self.blank_changed.emit(thread.id if thread is not None and blank else None)

    def thread_changed(self, changed: events.ThreadChanged) -> None:
        """The field was emptied because its message is in the thread now, or the thread got a name."""
        if self._app_state.is_open(changed.thread.id) and not self._is_blank(changed.thread):
            self.blank_changed.emit(None)

    def left(self, thread: Thread) -> None:
        """Another thread is about to be shown; the composer still has this one's text."""
        if self._is_blank(thread):
            self._app_state.start(self.remove_if_blank(thread.id))

    async def remove_open(self) -> None:
        """The window closes: the open thread is left, too."""
        if (thread := self._app_state.current) is not None and self._is_blank(thread):
            await self.remove_if_blank(thread.id, still_open=True)

    def _is_blank(self, thread: Thread) -> bool:
        named = thread.title or thread.system or thread.pinned
        return thread.tip is None and not named and self._composer.is_empty() and not self._waiting()

    async def remove_if_blank(self, thread_id: str, *, still_open: bool = False) -> None:
        """Deletes a thread that has neither a message, an attachment nor a draft that somebody else kept."""
        services = await self._app_state.services()
        # Where it has been deleted already, that is why it was left.
        with contextlib.suppress(UserError):
            opened = await services.chat.open_thread(thread_id)
            kept = (await services.library.find(thread_id)).draft.strip() or await services.attachments.of(thread_id)
            if opened.path or kept or services.chat.running(thread_id):
                self.blank_changed.emit(None)
                return
            here, elsewhere = self._app_state.is_open(thread_id), self._app_state.others.have(thread_id)
            if (still_open or not here) and not elsewhere:
                await services.library.delete(thread_id)


class SendingPresenter(QObject):
    """Sends, queues messages while an answer streams, which go one after another, and stops.

    After a stop or a failure none goes by itself: the next stands in the composer, the others wait until it is sent.
    `queued_sent(message_id)`: a queued message is in the history. `queue_changed`: others wait in the open thread.
    """

    queued_sent = Signal(str)
    queue_changed = Signal()

    def __init__(self, app_state: AppState, composer: MessageComposer, attachments: AttachedDrafts) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self._composer = composer
        self._attachments = attachments
        self._draft = DraftSending(app_state, composer, leaves=attachments.leave, shown=True)
        self._queued: dict[str, list[tuple[Part, ...]]] = {}
        self._held: set[str] = set()  # threads whose messages wait for the user
        self._behind: set[str] = set()  # of these: what stands in the composer was written after them
        self._dequeued: dict[str, tuple[Part, ...]] = {}  # thread -> message on its way from queue into history
        self._shown = ""
        self._awaiting = ("", "")  # a thread whose message waits for servers, and the words about them
        self._stored = asyncio.Event()  # a message is in the history, or was not sent
        self._asked: events.SecretsAsked | None = None
        self._held_text: str | None = None  # the text that goes as soon as everything is attached to it
        self.holds_back: Callable[[], bool] = lambda: False
        """The function that returns True if the written text is not sent yet, after saying why not."""

    # Wishes

    def send_secret(self) -> None:
        """Sends what stands in the composer with the secrets that were asked about."""
        self._app_state.start(self._decide_secrets(send=True))

    def remove_secret(self) -> None:
        """Takes them out of the text, and out of all else that is sent in this thread."""
        self._app_state.start(self._decide_secrets(send=False))

    def send(self, *, pass_cap: bool = False) -> None:
        """Sends what stands in the composer, or queues it behind the running answer.

        `pass_cap`: the user lets this one message pass the spending caps. What is still being read is waited for: a
        message never leaves without what its writer has put to it, and goes when that is there, unless the text has
        changed by then.
        """
        self.cancel_held()
        self._composer.editor.commit_composed()
        if self._attachments.busy:
            self._held_text = self._composer.text()
            words = self.tr("Sends when the attachments are ready. Esc cancels.")
            self._composer.tell_problem(words, tone="secondary")
            return
        if self._composer.is_empty() or self._draft.is_sending(self._app_state.thread_id):
            return
        self._composer.ask_about_secret("")
        if self.holds_back():
            return
        thread_id = str(self._app_state.thread_id)
        if self._app_state.running:
            self._held.discard(thread_id)
            self._queue(thread_id)
        elif thread_id in self._behind and self._queued.get(thread_id):  # written after what waits
            self._queue(thread_id)
            self.send_held()
        else:
            self._held.discard(thread_id)
            self._show_queue(thread_id)
            self._app_state.start(self._draft.send(pass_cap=pass_cap))

    def send_held(self) -> None:
        """Sends the first message that waits for the user in the open thread; the others follow its answer."""
        thread_id = str(self._app_state.thread_id)
        self._held.discard(thread_id)
        self._behind.discard(thread_id)
        if self._queued.get(thread_id) and not self._app_state.running:
            self._send_next(thread_id)
        self._show_queue(thread_id)

    def stop(self) -> None:
        """Stops the running answer of the open thread; what came stays."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._stop(self._app_state.thread_id))

    def escape(self) -> bool:
        """Esc: keeps what was to go, takes the last queued message back, or stops the answer; False: there was none."""
        if self._held_text is not None:
            self.cancel_held()
            self._composer.tell_problem("")
        elif self._queued.get(self._app_state.thread_id or ""):
            self.unqueue(-1)
        elif self._app_state.running or self._draft.is_sending(self._app_state.thread_id):
            self.stop()
        else:
            return False
        return True

    def unqueue(self, place: int) -> None:
        """Puts a queued message back into the composer."""
        thread_id = self._app_state.thread_id or ""
        if self._queued.get(thread_id):
            self._behind.discard(thread_id)
            self._take_back(thread_id, place)
            self._composer.focus_editor()

    def drop_queued(self, place: int) -> None:
        """Removes a queued message."""
        thread_id = self._app_state.thread_id or ""
        parts = self._queued[thread_id].pop(place)
        self._attachments.drop_waiting(thread_id, attachments_of(parts))
        self._show_queue(thread_id)
        self.queue_changed.emit()
        self._composer.focus_editor()

    # Facts

    def show_thread(self, thread: Thread | None) -> None:
        """Another thread is open: its queue and button."""
        thread_id = thread.id if thread else ""
        if self._shown not in ("", thread_id):  # not where the first attachment has made the thread
            self.cancel_held()
        self._shown = thread_id
        self._show_queue(thread_id)
        self._composer.set_streaming(self._app_state.is_running(thread_id))

    def message_stored(self, added: events.MessageAdded) -> None:
        """The question is in the history: now it leaves the composer."""
        if self._dequeued.pop(added.message.thread_id, None):
            self.queued_sent.emit(added.message.id)
        text = self._over(added.message.thread_id)
        if text is not None and self._app_state.is_open(added.message.thread_id):
            self._composer.take_sent(text)

    def servers_awaited(self, awaited: events.ToolServersAwaited) -> None:
        """The message goes when servers of tools are there, which can take a while."""
        if self._app_state.is_open(awaited.thread_id):
            words = self.tr("Starting {names} first. Esc cancels.").format(names=", ".join(awaited.names))
            self._awaiting = (awaited.thread_id, words)
            self._composer.tell_problem(words, tone="secondary")

    def _over(self, thread_id: str) -> str | None:
        """A message is stored, or not sent: the text that the composer sent."""
        text = self._draft.over(thread_id)
        self._stored.set()
        if self._awaiting == (thread_id, self._composer.problem):
            self._composer.tell_problem("")
        return text

    def secrets_asked(self, asked: events.SecretsAsked) -> None:
        """Something that would be sent looks like a secret."""
        self.not_sent(asked)
        if self._app_state.is_open(asked.thread_id):
            self._asked = asked
            typed = found_secrets(self._composer.text())
            own_key = len(asked.secrets) == len(typed) == 1 and bool(typed[0].backend)
            words = self.tr("{question} · {tokens} tokens with it").format(
                question=translated(asked.message), tokens=grouped(asked.tokens.total)
            )
            self._composer.ask_about_secret(words, own_key=own_key)

    def not_sent(self, fact: events.SendRefused | events.CrossingAsked | events.SecretsAsked) -> None:
        """Nothing was sent: what was typed stays, what had been queued comes back."""
        self._over(fact.thread_id)
        if parts := self._dequeued.pop(fact.thread_id, ()):
            self._queued.setdefault(fact.thread_id, []).insert(0, parts)
            self._hold(fact.thread_id)

    def turn_started(self, started: events.TurnStarted) -> None:
        self._show_running(started.thread_id)

    def turn_ended(self, ended: events.TurnEnded) -> None:
        self._show_running(ended.thread_id)
        if ended.message.stop_reason in ("interrupted", "turn_cap"):
            self._hold(ended.thread_id)
        elif self._queued.get(ended.thread_id) and ended.thread_id not in self._held:
            self._send_next(ended.thread_id)

    def turn_failed(self, failed: events.TurnFailed) -> None:
        self._show_running(failed.thread_id)
        self._hold(failed.thread_id)

    def queued_text(self) -> str:
        """The texts of the open thread's messages that are queued, or not stored yet: they must survive a crash."""
        thread_id = self._app_state.thread_id or ""
        on_its_way = (parts,) if (parts := self._dequeued.get(thread_id)) else ()
        return "".join(map(_stored, (*on_its_way, *self._queued.get(thread_id, ()))))

    def queue_again(self, thread_id: str, stored: Sequence[tuple[str, int]]) -> None:
        """The messages that a stored draft begins with, each with the number of its attachments, wait for the user."""
        self._queued[thread_id] = [message_of(text, ()) for text, _ in stored]
        self._held.add(thread_id)
        self._behind.add(thread_id)
        if any(count for _, count in stored):  # shown when whole: no message goes without what is attached to it
            self._app_state.start(self._attach_again(thread_id, [count for _, count in stored]))
        else:
            self._show_queue(thread_id)

    async def _attach_again(self, thread_id: str, counts: Sequence[int]) -> None:
        """Attachments are stored in the order of the queue, before those of the message being written."""
        queue, services = self._queued[thread_id], await self._app_state.services()
        attached = await services.attachments.of(thread_id)
        if self._queued.get(thread_id) is queue and len(queue) == len(counts):
            for place, end in enumerate(accumulate(counts)):
                queue[place] = (*attached[end - counts[place] : end], *queue[place])
            queue[:] = filter(None, queue)
            self._queue_changed(thread_id)

    def hand_over(self, thread_id: str, to: SendingPresenter) -> None:
        """Another window shows a thread that was left here, or is the one that stays: what waits goes from there."""
        if queue := self._queued.pop(thread_id, None):
            self._attachments.hold(thread_id, ())
            to.take_queued(thread_id, queue, held=thread_id in self._held)

    def hand_over_all(self, to: SendingPresenter) -> None:
        """This window closes."""
        for thread_id in tuple(self._queued):
            self.hand_over(thread_id, to)

    def take_queued(self, thread_id: str, queue: list[tuple[Part, ...]], *, held: bool) -> None:
        """Messages that wait for the running answer, or for the user, were written in another window."""
        self._queued[thread_id] = queue
        if held:
            self._held.add(thread_id)
        self._attachments.hold(thread_id, attachments_of(tuple(chain(*queue))))

    async def rest(self, thread_id: str) -> None:
        """Waits until no message of a thread is on its way into the history."""
        while self._draft.is_sending(thread_id) or thread_id in self._dequeued:
            self._stored.clear()
            await self._stored.wait()

    def all_attached(self) -> None:
        """Nothing is being read any more."""
        if (text := self._held_text) is None or self._attachments.busy:
            return
        self.cancel_held()
        # where something could not be attached, its writer decides
        if text == self._composer.text() and not self._composer.problem:
            self.send()

    def cancel_held(self, _number: int = 0) -> None:
        """Keep the message in the composer that was to go as soon as everything is attached."""
        self._held_text = None

    async def _decide_secrets(self, *, send: bool) -> None:
        asked, text = self._asked, self._composer.text()
        if asked is None or not self._app_state.is_open(asked.thread_id):
            return
        self._composer.ask_about_secret("")
        typed = [one for one in found_secrets(text) if is_among(one.text, asked.secrets)]
        if typed and not send:
            self._composer.editor.replace_text(without_secrets(text, typed))
        # what was taken out of the text is asked about again where it is typed again
        elsewhere = [one for one in asked.secrets if send or not any(is_among(own.text, [one]) for own in typed)]
        if elsewhere:
            services = await self._app_state.services()
            await services.chat.context_editing.decide_secrets(asked.thread_id, elsewhere, send=send)
        if send and self._app_state.is_open(asked.thread_id):
            self.send()
        else:
            self._composer.focus_editor()

    def _send_next(self, thread_id: str) -> None:
        self._dequeued[thread_id] = parts = self._queued[thread_id].pop(0)
        self._app_state.start(self._send_queued(thread_id, parts))

    async def _send_queued(self, thread_id: str, parts: tuple[Part, ...]) -> None:
        services = await self._app_state.services()
        if self._app_state.is_open(thread_id):
            self._show_queue(thread_id)
        self._attachments.leave(thread_id, attachments_of(parts))
        services.chat.start_send(thread_id, parts, shown=True, ask_first=True)

    async def _stop(self, thread_id: str) -> None:
        services = await self._app_state.services()
        await services.chat.stop(thread_id)

    def _queue(self, thread_id: str) -> None:
        self._queued.setdefault(thread_id, []).append(self._composer.draft())
        self._composer.take_sent(self._composer.text())
        self._queue_changed(thread_id)

    def _queue_changed(self, thread_id: str) -> None:
        parts = tuple(chain(*self._queued[thread_id]))
        self._attachments.hold(thread_id, attachments_of(parts))
        self._show_queue(thread_id)
        self.queue_changed.emit()

    def _show_queue(self, thread_id: str) -> None:
        queue = self._queued.get(thread_id, ())
        messages = [(_text(parts), [name_of(part) for part in attachments_of(parts)]) for parts in queue]
        self._composer.queue.show_messages(messages, held=thread_id in self._held)

    def _take_back(self, thread_id: str, place: int) -> None:
        if text := _text(self._queued[thread_id].pop(place)):
            self._composer.editor.replace_text(_joined(text, self._composer.text()))
        self._queue_changed(thread_id)

    def _hold(self, thread_id: str) -> None:
        """Nothing goes by itself any more. Of a thread that is not open all is its draft again."""
        if not self._queued.get(thread_id):
            return
        if self._app_state.is_open(thread_id):
            if thread_id not in self._held:
                self._held.add(thread_id)
                self._take_back(thread_id, 0)
            return
        text = "".join(map(_stored, self._queued.pop(thread_id)))
        self._attachments.hold(thread_id, ())
        if text:
            self._app_state.start(self._keep(thread_id, text))

    async def _keep(self, thread_id: str, text: str) -> None:
        services = await self._app_state.services()
        await services.chat.keep_draft(thread_id, text)

    def _show_running(self, thread_id: str) -> None:
        if self._app_state.is_open(thread_id):
            self._composer.set_streaming(self._app_state.running)


def _joined(first: str, second: str) -> str:
    return f"{first}\n\n{second}" if second.strip() else first


def _stored(parts: Sequence[Part]) -> str:
    return queued(_text(parts), len(attachments_of(parts)))


def _text(parts: Iterable[Part]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))
