"""The flow of sending: from the composer to the controller, the queue, Stop and Esc. Paints no answer.

What is typed leaves the composer only when it is safely in the history; what was refused never leaves it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.events import CrossingAsked, MessageAdded, SendRefused, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Part, TextPart, Thread
from desktop_app.core.redaction import holds_api_key
from desktop_app.ui.conversation.drafts import AttachedDrafts, DraftSending, MessageComposer
from desktop_app.ui.i18n.content_words import name_of
from desktop_app.ui.state.app_state import AppState


class SendingPresenter(QObject):
    """Sends, queues one message per thread while an answer streams, and stops."""

    def __init__(self, app_state: AppState, composer: MessageComposer, attachments: AttachedDrafts) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self._composer = composer
        self._attachments = attachments
        self._draft = DraftSending(app_state, composer, leaves=attachments.leave, shown=True)
        self._queued: dict[str, tuple[Part, ...]] = {}
        self._dequeued: dict[str, tuple[Part, ...]] = {}  # thread -> message on its way from queue into history
        self._shown = ""
        self._stored = asyncio.Event()  # a message is in the history, or was not sent
        self._held_text: str | None = None  # the text that goes as soon as everything is attached to it
        self.holds_back: Callable[[], bool] = lambda: False
        """The function that returns True if the written text is not sent yet, after saying why not."""

    # Wishes

    def send_key(self) -> None:
        """Sends what stands in the composer though it looks like an API key."""
        self.send(key_allowed=True)

    def send(self, *, pass_cap: bool = False, key_allowed: bool = False) -> None:
        """Sends what stands in the composer, or queues it behind the running answer.

        `key_allowed`: it may hold what looks like an API key. `pass_cap`: the user lets this one message pass the
        spending caps. What is still being read is waited for: a message never leaves without what its writer has put
        to it, and goes when that is there, unless the text has changed by then.
        """
        self.cancel_held()
        if self._attachments.busy:
            self._held_text = self._composer.text()
            words = self.tr("Sends when the attachments are ready. Esc cancels.")
            self._composer.tell_problem(words, tone="secondary")
            return
        if self._composer.is_empty() or self._draft.is_sending(self._app_state.thread_id):
            return
        if not key_allowed and holds_api_key(self._composer.text()):
            self._composer.ask_about_key(True)
            return
        self._composer.ask_about_key(False)
        if self.holds_back():
            return
        if self._app_state.running:
            self._queue(str(self._app_state.thread_id))
        else:
            self._app_state.start(self._draft.send(pass_cap=pass_cap))

    def stop(self) -> None:
        """Stops the running answer of the open thread; what came stays."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._stop(self._app_state.thread_id))

    def escape(self) -> bool:
        """Esc: keeps what was to go, takes the queued message back, or stops the answer; False if there was none."""
        if self._held_text is not None:
            self.cancel_held()
            self._composer.tell_problem("")
        elif self._app_state.thread_id in self._queued:
            self.unqueue()
        elif self._app_state.running:
            self.stop()
        else:
            return False
        return True

    def unqueue(self) -> None:
        """Puts the queued message back into the composer."""
        thread_id = self._app_state.thread_id or ""
        parts = self._queued.pop(thread_id, ())
        if parts:
            self._take_back(thread_id, parts)
            self._composer.focus_editor()

    def drop_queued(self) -> None:
        """Removes the queued message."""
        thread_id = self._app_state.thread_id or ""
        self._queued.pop(thread_id, None)
        self._composer.queue.show_text("")
        self._attachments.drop_waiting(thread_id)

    # Facts

    def show_thread(self, thread: Thread | None) -> None:
        """Another thread is open: its queue and button."""
        thread_id = thread.id if thread else ""
        if self._shown not in ("", thread_id):  # not where the first attachment has made the thread
            self.cancel_held()
        self._shown = thread_id
        self._show_queued(self._queued.get(thread_id, ()))
        self._composer.set_streaming(self._app_state.is_running(thread_id))

    def message_stored(self, added: MessageAdded) -> None:
        """The question is in the history: now it leaves the composer."""
        self._dequeued.pop(added.message.thread_id, None)
        text = self._draft.over(added.message.thread_id)
        self._stored.set()
        if text is not None and self._app_state.is_open(added.message.thread_id):
            self._composer.take_sent(text)

    def not_sent(self, fact: SendRefused | CrossingAsked) -> None:
        """Nothing was sent: what was typed stays, what had been queued comes back."""
        self._draft.over(fact.thread_id)
        parts = self._dequeued.pop(fact.thread_id, ())
        self._stored.set()
        if parts:
            self._give_back(fact.thread_id, parts)

    def turn_started(self, started: TurnStarted) -> None:
        self._show_running(started.thread_id)

    def turn_ended(self, ended: TurnEnded) -> None:
        self._show_running(ended.thread_id)
        parts = self._queued.pop(ended.thread_id, ())
        if not parts:
            return
        if ended.message.stop_reason in ("interrupted", "turn_cap"):
            self._give_back(ended.thread_id, parts)
        else:
            self._dequeued[ended.thread_id] = parts
            self._app_state.start(self._send_queued(ended.thread_id, parts))

    def turn_failed(self, failed: TurnFailed) -> None:
        self._show_running(failed.thread_id)
        parts = self._queued.pop(failed.thread_id, ())
        if parts:
            self._give_back(failed.thread_id, parts)

    def queued_text(self) -> str:
        """The text of the open thread's message that is queued, or not stored yet: it must survive a crash."""
        thread_id = self._app_state.thread_id or ""
        return _text((*self._dequeued.get(thread_id, ()), *self._queued.get(thread_id, ())))

    def hand_over(self, thread_id: str, to: SendingPresenter) -> None:
        """Another window shows a thread that was left here, or is the one that stays: what waits goes from there."""
        parts = self._queued.pop(thread_id, ())
        if parts:
            self._attachments.release(thread_id)
            to.take_queued(thread_id, parts)

    def hand_over_all(self, to: SendingPresenter) -> None:
        """This window closes."""
        for thread_id in tuple(self._queued):
            self.hand_over(thread_id, to)

    def take_queued(self, thread_id: str, parts: tuple[Part, ...]) -> None:
        """A message that waits for the running answer was written in another window."""
        self._queued[thread_id] = parts
        self._attachments.hold(thread_id, attachments_of(parts))

    async def rest(self, thread_id: str) -> None:
        """Waits until no message of a thread is on its way into the history."""
        while self._draft.is_sending(thread_id) or thread_id in self._dequeued:
            self._stored.clear()
            await self._stored.wait()

    def all_attached(self) -> None:
        """Nothing is being read any more."""
        text = self._held_text
        if text is None or self._attachments.busy:
            return
        self.cancel_held()
        # where something could not be attached, its writer decides
        if text == self._composer.text() and not self._composer.problem:
            self.send()

    def cancel_held(self, _number: int = 0) -> None:
        """Keep the message in the composer that was to go as soon as everything is attached."""
        self._held_text = None

    async def _send_queued(self, thread_id: str, parts: tuple[Part, ...]) -> None:
        services = await self._app_state.services()
        if self._app_state.is_open(thread_id):
            self._composer.queue.show_text("")
        self._attachments.leave(thread_id, attachments_of(parts))
        services.chat.start_send(thread_id, parts, shown=True, ask_first=True)

    async def _stop(self, thread_id: str) -> None:
        services = await self._app_state.services()
        await services.chat.stop(thread_id)

    def _queue(self, thread_id: str) -> None:
        # One message waits; what is written after it stays in the composer until it has gone.
        if thread_id not in self._queued:
            self._queued[thread_id] = parts = self._composer.draft()
            self._composer.take_sent(self._composer.text())
            self._attachments.hold(thread_id, attachments_of(parts))
            self._show_queued(parts)

    def _show_queued(self, parts: Sequence[Part]) -> None:
        self._composer.queue.show_text(_text(parts), [name_of(part) for part in attachments_of(parts)])

    def _take_back(self, thread_id: str, parts: Sequence[Part]) -> None:
        text = _text(parts)
        self._composer.queue.show_text("")
        if text:
            self._composer.editor.replace_text(_joined(text, self._composer.text()))
        self._attachments.release(thread_id)

    def _give_back(self, thread_id: str, parts: Sequence[Part]) -> None:
        if self._app_state.is_open(thread_id):
            self._take_back(thread_id, parts)
            return
        self._attachments.release(thread_id)
        if _text(parts):
            self._app_state.start(self._keep(thread_id, _text(parts)))

    async def _keep(self, thread_id: str, text: str) -> None:
        services = await self._app_state.services()
        await services.chat.keep_draft(thread_id, text)

    def _show_running(self, thread_id: str) -> None:
        if self._app_state.is_open(thread_id):
            self._composer.set_streaming(self._app_state.running)


def _joined(first: str, second: str) -> str:
    return f"{first}\n\n{second}" if second.strip() else first


def _text(parts: Sequence[Part]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))
