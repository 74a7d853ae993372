"""The attachments of the messages being written: adding, removing, taking back, and which ones go along."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter

from desktop_app.controller.attachments import Attachments
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core import events
from desktop_app.core.attachment_facts import left_out_of, whole_document, without
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import DocumentPart, Failure, Part, Thread
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.i18n.content_words import name_of, unread_by
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.dragging import DroppedFiles, Incoming
from desktop_app.ui.widgets.floating import asked_files


@dataclass(eq=False)
class PendingRead:
    """Files, a picture or a text on their way into the draft."""

    name: str
    text: str = ""
    task: asyncio.Task[Sequence[Failure]] | None = None
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True
        if self.task is not None:
            self.task.cancel()


@dataclass
class DraftAttachments:
    """The attachments of one thread's draft.

    `stored` is what the history has; `waiting` of it goes with queued messages, `leaving` with the one on its way.
    `removed`: what was taken away last, with the place where it stood. `busy`: changes of ours under way.
    """

    stored: tuple[Part, ...] = ()
    waiting: tuple[Part, ...] = ()
    leaving: tuple[Part, ...] = ()
    reading: list[PendingRead] = field(default_factory=list)
    removed: list[tuple[int, Part]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    busy: int = 0
    announced: int = 0

    @property
    def shown(self) -> tuple[Part, ...]:
        """The attachments to show: one on its way is shown until it is in the history, as the text is."""
        return without(self.stored, self.waiting)


def the_same(parts: Sequence[Part], known: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, those that are known already as the very same objects: what was made of them is still good."""
    return tuple(next((one for one in known if one is part or one == part), part) for part in parts)


MOST_PROBLEMS = 3
"""So many files that could not be attached are told one by one."""
MOST_UNFOLDED = 15
"""So many when all are asked for: a window has room for them above the message."""


class AttachmentsPresenter(QObject):
    """Keeps the composer's chips true. `came_to_rest`: what was to be attached is there, or could not be."""

    came_to_rest = Signal()
    image_opened = Signal(object, object)  # the images to go through, the one to begin with
    document_opened = Signal(object)  # DocumentPart

    def __init__(self, app_state: AppState, composer: Composer) -> None:
        super().__init__(composer)
        self._app_state = app_state
        self._composer = composer
        self._drafts: dict[str, DraftAttachments] = {}
        self._begun: Counter[str | None] = Counter()  # thread (None: not made yet) -> what is to be attached to it
        self._texts: list[PendingRead] = []  # on their way to a draft
        self._model: ModelInfo | None = None
        self._weigh: Callable[[Part], int | None] = lambda _: None
        self._may_undo = False
        self._told: tuple[tuple[Part, ...], list[int | None], ModelInfo | None] = ((), [], None)
        composer.editor.undo_first.append(self._undo_first)

    # --- wishes

    def choose_files(self) -> None:
        self._app_state.start(self._choose_files())

    def take(self, brought: Incoming) -> None:
        """Attaches what was pasted or dropped."""
        if isinstance(brought, DroppedFiles):
            self.add_files(brought.paths)
        else:
            self._begin(self._add_picture(brought.content))

    def add_files(self, paths: Sequence[Path]) -> None:
        """Reads files, and those in folders, and attaches them."""
        if paths:
            # a closing window does not wait until they are read: they are still where they were
            self._begin(self._add_files(tuple(paths)), self._app_state.look)

    def add_text(self, text: str) -> None:
        """Attaches a text as a document."""
        reading = PendingRead(self._free_name(self.tr("Pasted text"), ".txt"), text)
        self._texts.append(reading)
        self._begin(self._add_text(reading))

    def take_text_off(self, text: str) -> None:
        """Takes the document of a text off for good, also one that is not there yet: the text is in the field again."""
        for reading in self._texts:
            if reading.text == text:
                reading.cancel()
        if (thread_id := self._app_state.thread_id) is None:
            return
        made = sha256(text.encode("utf-8", "replace")).hexdigest()
        draft = self._of(thread_id)
        draft.removed = [one for one in draft.removed if not _has_sum(one[1], made)]
        self._change(thread_id, lambda now: tuple(part for part in now if not _has_sum(part, made)))

    def remove(self, number: int) -> None:
        """Takes an attachment that is shown off the draft; Ctrl+Z brings it back."""
        shown = self._composer.attachments
        if 0 <= number < len(shown):
            self._remove(shown[number])

    def remove_document(self, name: str) -> None:
        """Takes the largest document of that name off the draft."""
        if (part := self._document(name)) is not None:
            self._remove(part)

    def shorten_document(self, name: str, tokens: int) -> None:
        """Has only the first `tokens` of the largest document of that name sent."""
        if (part := self._document(name)) is not None:
            self._app_state.start(self._send_first(part, tokens))

    def send_first(self, number: int, tokens: int) -> None:
        """Has only the first `tokens` of a document that is shown sent; 0: all of it."""
        shown = self._composer.attachments
        part = shown[number] if 0 <= number < len(shown) else None
        if isinstance(part, DocumentPart):
            self._app_state.start(self._send_first(part, tokens))

    def remove_unread(self) -> None:
        """Takes everything off the draft that the model can't read."""
        for part in self._composer.attachments:
            if unread_by(part, self._model):
                self._remove(part)

    @property
    def busy(self) -> bool:
        """True while something is on its way to the draft of the open thread."""
        return any(self._begun[thread_id] for thread_id in {None, self._app_state.thread_id})

    @property
    def has_unread(self) -> bool:
        """True where something is attached that the model can't read."""
        return any(unread_by(part, self._model) for part in self._composer.attachments)

    def undo(self) -> bool:
        """Brings back what was removed last; False if nothing was."""
        thread_id = self._app_state.thread_id
        draft = self._drafts.get(thread_id or "")
        if thread_id is None or draft is None or not draft.removed:
            return False
        place, part = draft.removed.pop()
        self._change(thread_id, lambda now: (*now[:place], part, *now[place:]))
        return True

    def cancel_reading(self, number: int) -> None:
        """Stops reading what was to be attached."""
        draft = self._drafts.get(self._app_state.thread_id or "")
        if draft is not None and 0 <= number < len(draft.reading):
            draft.reading[number].cancel()

    def close_problem(self) -> None:
        """The user has read what could not be attached."""
        if (draft := self._drafts.get(self._app_state.thread_id or "")) is not None:
            draft.problems.clear()

    def open(self, number: int) -> None:
        """Shows an attachment of the draft as a whole."""
        shown = self._composer.attachments
        if not 0 <= number < len(shown):
            return
        if isinstance(part := shown[number], DocumentPart):
            self.document_opened.emit(part)
        else:
            images = tuple(other for other in shown if not isinstance(other, DocumentPart))
            self.image_opened.emit(images, part)

    def move(self, thread_id: str) -> None:
        """Takes what is attached in a thread that was left along into the one that is being written."""
        if (draft := self._drafts.get(thread_id)) is not None and draft.shown:
            self._app_state.start(self._move(thread_id))

    async def move_to(self, thread_id: str, target: str) -> None:
        """Takes what is attached in one thread along into another."""
        draft = self._drafts.get(thread_id)
        parts = draft.shown if draft is not None else ()
        if parts:
            await self._stored(target, lambda now: (*now, *without(parts, now)))
            await self._stored(thread_id, lambda now: without(now, parts))

    # --- what a message takes along

    def hold(self, thread_id: str, parts: Sequence[Part]) -> None:
        """These go with the messages that wait for the running answer, and are stored first; all else is shown."""
        draft = self._of(thread_id)
        draft.waiting = tuple(parts)

        def first(now: tuple[Part, ...]) -> tuple[Part, ...]:
            return (*without(parts, without(parts, now)), *without(now, parts))

        if first(draft.stored) != draft.stored:
            self._change(thread_id, first)
        self._show(thread_id)

    def drop_waiting(self, thread_id: str, parts: Sequence[Part]) -> None:
        """A message that waited is gone, and what went with it."""
        draft = self._of(thread_id)
        draft.waiting = without(draft.waiting, parts)
        if parts:
            self._change(thread_id, lambda now: without(now, parts))

    def leave(self, thread_id: str, parts: Sequence[Part]) -> None:
        """These go with the message that is on its way into the history; they stay in view until it is there."""
        draft = self._of(thread_id)
        draft.leaving = tuple(parts)
        draft.removed.clear()

    # --- facts

    def show_opened(self, opened: OpenThread) -> None:
        """Another thread is open, or the open one was read again."""
        self._may_undo = False
        self._show(opened.thread.id)
        self._app_state.start(self._look(opened.thread.id))

    def clear(self) -> None:
        """A new thread is about to be written."""
        self._may_undo = False
        self._composer.show_attachments((), ())
        self._composer.tell_problem("")

    def changed(self, changed: events.AttachmentsChanged) -> None:
        """The history has other attachments now."""
        draft = self._of(changed.thread_id)
        draft.announced += 1
        now = the_same(changed.parts, draft.stored)
        if draft.leaving and len(now) < len(draft.stored) and not any(part in now for part in draft.leaving):
            self._gone(changed.thread_id, draft)  # it is in the history, and took what was attached with it
            return
        if not draft.busy:
            draft.stored = now
            self._show(changed.thread_id)

    def message_stored(self, added: events.MessageAdded) -> None:
        """A question is in the history; what went with it leaves the composer, what was attached since stays."""
        if opens_turn(added.message):
            self._gone(added.message.thread_id, self._of(added.message.thread_id))

    def not_sent(self, fact: events.SendRefused | events.CrossingAsked | events.SecretsAsked) -> None:
        """Nothing was sent: everything is as it was. What had been queued is given back by whoever queued it."""
        self._of(fact.thread_id).leaving = ()
        self._show(fact.thread_id)

    def thread_made(self, thread: Thread) -> None:
        """Take over the message being written: it belongs to this thread now."""
        self._show(thread.id)

    def thread_deleted(self, deleted: events.ThreadDeleted) -> None:
        draft = self._drafts.pop(deleted.thread_id, None)
        for reading in draft.reading if draft is not None else ():
            reading.cancel()

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Another model may read other things, and count them otherwise."""
        self._model = plan.model if plan is not None else None
        self._tell()

    def weigh_with(self, weigh: Callable[[Part], int | None]) -> None:
        """`weigh`: the tokens of an attachment, None where they are not counted yet."""
        self._weigh = weigh

    def text_edited(self) -> None:
        """From now on Ctrl+Z takes back what was typed."""
        self._may_undo = False

    # --- adding

    async def _choose_files(self) -> None:
        paths = await asked_files(self._composer.window(), self.tr("Attach files"))
        self._composer.focus_editor()
        self.add_files(paths)

    async def _add_files(self, paths: tuple[Path, ...]) -> None:
        reading = PendingRead(
            paths[0].name if len(paths) == 1 else self.tr("{count} files").format(count=grouped(len(paths)))
        )

        async def add(to: Attachments, thread_id: str) -> Sequence[Failure]:
            _, failures = await to.add_files(thread_id, paths)
            return failures

        await self._add(reading, add)

    async def _add_picture(self, content: bytes | QImage) -> None:
        name = self._free_name(self.tr("Pasted image"), ".png")

        async def add(to: Attachments, thread_id: str) -> Sequence[Failure]:
            data = content if isinstance(content, bytes) else await asyncio.to_thread(_as_png, content)
            await to.add_image(thread_id, data, name)
            return ()

        await self._add(PendingRead(name), add)

    async def _add_text(self, reading: PendingRead) -> None:
        async def add(to: Attachments, thread_id: str) -> Sequence[Failure]:
            await to.add_text(thread_id, reading.text, reading.name)
            return ()

        try:
            await self._add(reading, add)
        finally:
            self._texts.remove(reading)

    def _begin(self, work: Coroutine[Any, Any, None], start: Callable[..., None] | None = None) -> None:
        thread_id = self._app_state.thread_id
        self._begun[thread_id] += 1
        (start or self._app_state.start)(self._finish(thread_id, work))

    async def _finish(self, thread_id: str | None, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._begun[thread_id] -= 1
        self.came_to_rest.emit()

    async def _add(
        self, reading: PendingRead, work: Callable[[Attachments, str], Awaitable[Sequence[Failure]]]
    ) -> None:
        """Attaches to the thread that is open now, which is made where there is none; its chip can be cancelled."""
        thread = await self._app_state.made_thread()
        services = await self._app_state.services()
        if reading.cancelled:
            return
        draft = self._of(thread.id)
        draft.reading.append(reading)
        self._show(thread.id)
        reading.task = asyncio.ensure_future(work(services.attachments, thread.id))
        try:
            self._tell_failures(draft, await reading.task)
        except PlimsollError as error:
            self._tell_failures(draft, [error.failure])
        except asyncio.CancelledError:
            if not reading.cancelled:
                reading.task.cancel()
                raise
        finally:
            draft.reading.remove(reading)
            self._show(thread.id)

    def _tell_failures(self, draft: DraftAttachments, failures: Sequence[Failure]) -> None:
        """They stay until they are closed or the message is sent: what is attached next does not take them away."""
        told = [translated(failure.message) for failure in failures]
        draft.problems = list(dict.fromkeys((*draft.problems, *told)))

    def _free_name(self, stem: str, ending: str) -> str:
        """A name that nothing has that is attached here: `Pasted image 2.png`."""
        draft = self._drafts.get(self._app_state.thread_id or "", DraftAttachments())
        taken = {name_of(part) for part in draft.stored} | {reading.name for reading in (*draft.reading, *self._texts)}
        number, name = 1, stem + ending
        while name in taken:
            number += 1
            name = f"{stem} {number}{ending}"
        return name

    # --- changing

    def _document(self, name: str) -> DocumentPart | None:
        """The largest document of that name that is shown."""
        named = [part for part in self._composer.attachments if isinstance(part, DocumentPart) and part.name == name]
        return max(named, key=lambda part: len(part.text), default=None)

    async def _send_first(self, part: DocumentPart, tokens: int) -> None:
        if (thread_id := self._app_state.thread_id) is None:
            return
        made = whole_document(part)
        if tokens:
            services = await self._app_state.services()
            prepared = await services.chat.prepared(thread_id)
            # a book takes a quarter of a second
            shown = self._weigh(part)
            weighs = None if shown is None else shown + left_out_of(part)
            made = await asyncio.to_thread(prepared.first_tokens, part, tokens, weighs)
        if made != part:
            self._change(thread_id, lambda now: tuple(made if other == part else other for other in now))

    def _remove(self, part: Part) -> None:
        if (thread_id := self._app_state.thread_id) is None:
            return
        draft = self._of(thread_id)
        place = next((n for n, other in enumerate(draft.stored) if other is part), None)
        if place is not None:
            draft.removed.append((place, part))
            self._may_undo = True
            self._change(thread_id, lambda now: without(now, (part,)))

    def _undo_first(self) -> bool:
        return self._may_undo and self.undo()

    def _change(self, thread_id: str, change: Callable[[tuple[Part, ...]], tuple[Part, ...]]) -> None:
        """Shows a change at once and stores it."""
        draft = self._of(thread_id)
        draft.stored = change(draft.stored)
        self._app_state.start(self._stored(thread_id, change))
        self._show(thread_id)

    def _stored(
        self, thread_id: str, change: Callable[[tuple[Part, ...]], tuple[Part, ...]]
    ) -> Coroutine[None, None, None]:
        """Stores a change of what is attached; until that is done nothing else that is announced is shown."""
        self._of(thread_id).busy += 1
        return self._store(thread_id, change)

    async def _store(self, thread_id: str, change: Callable[[tuple[Part, ...]], tuple[Part, ...]]) -> None:
        services, draft = await self._app_state.services(), self._of(thread_id)
        try:
            await services.attachments.change(thread_id, change)
        finally:
            draft.busy -= 1
            if not draft.busy:
                self._app_state.start(self._look(thread_id))

    async def _look(self, thread_id: str) -> None:
        services, draft = await self._app_state.services(), self._of(thread_id)
        announced = draft.announced
        try:
            stored = await services.attachments.of(thread_id)
        except PlimsollError:
            return  # deleted meanwhile
        # what was announced since is newer than what was read
        if announced == draft.announced and not draft.busy:
            draft.stored = the_same(stored, draft.stored)
            self._show(thread_id)

    async def _move(self, thread_id: str) -> None:
        made = await self._app_state.made_thread()
        await self.move_to(thread_id, made.id)

    def _gone(self, thread_id: str, draft: DraftAttachments) -> None:
        if not draft.leaving:
            return
        rest = without(draft.stored, draft.leaving)
        draft.waiting = without(draft.waiting, draft.leaving)
        draft.stored, draft.leaving = rest, ()
        draft.problems.clear()
        if rest:
            self._change(thread_id, lambda now: (*rest, *without(now, rest)))
        else:
            self._show(thread_id)

    # --- showing

    def _of(self, thread_id: str) -> DraftAttachments:
        return self._drafts.setdefault(thread_id, DraftAttachments())

    def _show(self, thread_id: str) -> None:
        if not self._app_state.is_open(thread_id):
            return
        draft = self._of(thread_id)
        self._composer.show_attachments(draft.shown, [reading.name for reading in draft.reading])
        whole = self._problems(draft.problems, MOST_UNFOLDED) if len(draft.problems) > MOST_PROBLEMS else ""
        self._composer.tell_problem(self._problems(draft.problems, MOST_PROBLEMS), whole=whole)
        self._tell()

    def _tell(self) -> None:
        parts = self._composer.attachments
        tokens = [self._weigh(part) for part in parts]
        if parts and (parts, tokens, self._model) != self._told:
            self._composer.tray.tell(tokens, self._model)
        self._told = (parts, tokens, self._model)

    def _problems(self, problems: Sequence[str], most: int) -> str:
        if (more := len(problems) - most) <= 0:
            return "\n".join(problems)
        return "\n".join((*problems[:most], self.tr("And {count} more.").format(count=grouped(more))))


def _has_sum(part: Part, made: str) -> bool:
    return isinstance(part, DocumentPart) and part.sha256 == made


def _as_png(image: QImage) -> bytes:
    """Takes 0.2 s for a screen of pixels: not to be called on the GUI thread."""
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(device, QByteArray(b"png")).write(image)
    return bytes(device.data().data())
