"""The window's state: services, the open thread with its path, facts and project, which threads are answered.

What was written on artifacts and is no version yet is kept until its editor opens again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from desktop_app.core import events
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import NO_PARAMETERS, Message, Thread
from desktop_app.core.projects import Project
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices

KEPT: Final = 16
"""Paths whose facts are kept: those of the threads that the controller keeps in memory, with and without deletions."""


class PathFacts:
    """The facts of one path.

    `places`: index by message id. `steps`: indexes of messages that hold a moved boundary. `model_changes`: indexes of
    answers whose model is another than that of the answer before, or than was asked for. `first_answers`: by model
    the index of the first answer that says something.
    """

    def __init__(self) -> None:
        self.path: tuple[Message, ...] = ()
        self.places: dict[str, int] = {}
        self.steps: list[int] = []
        self.model_changes: list[int] = []
        self.first_answers: dict[str, int] = {}
        self._model: tuple[str, str] | None = None  # of the last answer: who gave it, who was asked instead
        self._undo: list[Callable[[], object]] = []  # takes the last message back

    def follows(self, path: tuple[Message, ...]) -> bool:
        """Takes in a path that goes on where this one ends, or with another state of its last message; else False."""
        known, same = self.path, len(self.path)
        if same > len(path) or not all(map(is_, known[:-1], path)):
            return False
        if known and known[-1] is not path[same - 1]:
            for undo in self._undo:
                undo()
            same -= 1
        for index in range(same, len(path)):
            self._take(index, path[index])
        self.path = path
        return True

    def _take(self, index: int, message: Message) -> None:
        self.places[message.id] = index
        undo: list[Callable[[], object]] = [lambda: self.places.pop(message.id)]
        if message.window is not None:
            self.steps.append(index)
            undo.append(self.steps.pop)
        if message.role == "assistant" and message.model:
            before, asked = self._model, message.usage.asked if message.usage is not None else ""
            undo.append(lambda: setattr(self, "_model", before))
            if before != (message.model, asked) and (before is not None or asked):
                self.model_changes.append(index)
                undo.append(self.model_changes.pop)
            if message.parts and self.first_answers.setdefault(message.model, index) == index:
                undo.append(lambda: self.first_answers.pop(message.model or ""))
            self._model = message.model, asked
        self._undo = undo


class PathFactsMemory:
    """The facts of the paths that were asked for last."""

    def __init__(self) -> None:
        self._kept: list[PathFacts] = []

    def of(self, path: tuple[Message, ...]) -> PathFacts:
        """The facts of a path, at the cost of what is new on it."""
        for facts in sorted(self._kept, key=lambda kept: -len(kept.path)):  # the one that has read the most of it
            if facts.path is path or (facts.path and path and facts.path[0] is path[0] and facts.follows(path)):
                self._kept.remove(facts)
                self._kept.insert(0, facts)
                return facts
        made = PathFacts()
        made.follows(path)
        self._kept = [made, *self._kept[: KEPT - 1]]
        return made


class OtherWindows(Protocol):
    """The other windows of Plimsoll, as one of them sees them: no thread is shown by two, so that it has one draft."""

    def have(self, thread_id: str) -> bool:
        """Return True if one of them shows the thread, or is about to."""

    def come_forward(self, thread_id: str, message_id: str = "", words: str = "") -> bool:
        """Brings the one that shows the thread to the front, at the message; False where none does."""

    async def rest(self, thread_id: str) -> None:
        """Waits until nothing that was written in the thread there is on its way into the history."""

    def hand_over(self, thread_id: str) -> None:
        """Hand over all that they still keep of the thread, as a message that waits: it is now this window's."""


class AppState(QObject):
    """The window's state. Wishes that come before the services wait for them."""

    services_arrived = Signal(object)  # Services
    thread_left = Signal(object)  # Thread: before another is opened; the composer still has its text
    thread_switched = Signal()  # another thread than before is about to be opened
    thread_opened = Signal(object)  # OpenThread; also when the open thread was read again
    thread_closed = Signal()  # nothing is open: a new thread is about to be written
    thread_made = Signal(object)  # Thread: what was being written has become a thread
    thread_changed = Signal(object)  # Thread: facts of the open thread
    running_changed = Signal(str, bool)  # thread id: an answer begins, or is over
    #: (project id, passage id, ids of those found with it, words of the search): to be shown in its document
    passage_wanted = Signal(str, str, object, str)
    artifact_wanted = Signal(str, str)  # thread id, artifact id: to be shown beside its thread
    document_wanted = Signal(object)  # ProjectDocument: to be shown

    def __init__(
        self, loop: asyncio.AbstractEventLoop, tasks: Tasks, bridge: Bridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.tasks = tasks
        self.bridge = bridge
        self.current: Thread | None = None
        self._path: tuple[Message, ...] = ()
        #: whether another process answered in the open thread when it was read
        self.answered_elsewhere = False
        self._running: set[str] = set()
        self._services: asyncio.Future[WindowServices] = loop.create_future()
        self._making = asyncio.Lock()
        self._made = asyncio.Event()
        self._made.set()
        self._then_close: bool | None = None
        self._wanted: str | None = None
        self._opening: set[str] = set()
        self._like: Thread | None = None
        self._next_private = False
        #: what else is read before a thread is shown
        self.beside: Callable[[str], Awaitable[object]] = _nothing_beside
        self.others: OtherWindows = _NoOtherWindows()
        self.facts = PathFactsMemory()
        self.unfinished = UnfinishedTexts(self)
        #: what is asked of the model in the thread that is about to be made
        self.next_parameters, self.next_recall = NO_PARAMETERS, True
        bridge.subscribe(events.ThreadChanged, self._take_change)
        bridge.subscribe(events.TurnStarted, self._take_start)
        bridge.subscribe_each((events.TurnEnded, events.TurnFailed), self._take_end)
        bridge.subscribe_each((events.SendRefused, events.CrossingAsked, events.SecretsAsked), self._take_refusal)

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Runs a wish to its end."""
        self.tasks.start_task(coroutine)

    def look(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Runs what stores nothing and may take long, such as asking a provider: dropped when the window closes."""
        self.tasks.start_look(coroutine)

    def supply(self, services: WindowServices) -> None:
        """The services are there: what waited for them goes on."""
        self.withdraw()
        self.bridge.listen(services.announcements)
        self._services.set_result(services)
        self.services_arrived.emit(services)

    def withdraw(self) -> None:
        """The services end and others will come: wishes wait for those."""
        if self._services.done():
            self._services = self._services.get_loop().create_future()

    async def services(self) -> WindowServices:
        """The services, as soon as they are there."""
        return await asyncio.shield(self._services)

    @property
    def ready(self) -> WindowServices | None:
        """The services if they are there already."""
        return self._services.result() if self._services.done() and not self._services.cancelled() else None

    @property
    def thread_id(self) -> str | None:
        return self.current.id if self.current else None

    @property
    def private(self) -> bool:
        """True where the thread that is open, or about to be written, is kept in memory only."""
        return self.current.private if self.current is not None else self._next_private

    @property
    def lasting_id(self) -> str | None:
        """The open thread, unless nothing of it outlives the window."""
        return None if self.private else self.thread_id

    def is_open(self, thread_id: str) -> bool:
        return self.current is not None and self.current.id == thread_id

    def shows(self, thread_id: str) -> bool:
        """Return True if a thread is open, or about to be."""
        return self.is_open(thread_id) or thread_id in self._opening

    @property
    def path(self) -> tuple[Message, ...]:
        """The open thread's branch as people see it; the same tuple for as long as nothing is added to it.

        The controller has it. What it has just dropped from memory, to read it again, is as it was until then.
        """
        if (services := self.ready) is not None and self.thread_id and (loaded := services.chat.loaded(self.thread_id)):
            self._path = loaded.shown
        return self._path

    def is_running(self, thread_id: str | None) -> bool:
        """Return True if an answer is coming in a thread."""
        return thread_id in self._running

    @property
    def running(self) -> bool:
        """True while an answer is coming in the open thread."""
        return self.thread_id in self._running

    @property
    def any_running(self) -> bool:
        """True while an answer is coming in any thread."""
        return bool(self._running)

    async def open_thread(self, thread_id: str) -> None:
        """Opens a thread; where another one is asked for meanwhile, that one counts.

        A window that shows it already comes to the front instead.
        """
        if self.others.come_forward(thread_id):
            return
        self._wanted = thread_id
        self._opening.add(thread_id)
        try:
            await self._open(thread_id)
        finally:
            self._opening.discard(thread_id)

    async def _open(self, thread_id: str) -> None:
        services = await self.services()
        await self.others.rest(thread_id)
        opened, _ = await asyncio.gather(services.chat.open_thread(thread_id), self.beside(thread_id))
        coming = bool(opened.shown) and opened.shown[-1].is_coming and not services.chat.running(thread_id)
        elsewhere = coming and thread_id in await services.library.running()
        await self._made.wait()  # what is being written gets its thread first
        if self._wanted != thread_id:
            return
        self.others.hand_over(thread_id)
        self._leave(thread_id)
        if self.thread_id != thread_id:
            self.thread_switched.emit()
        self.current = self._like = opened.thread
        self._path, self.answered_elsewhere = opened.shown, elsewhere
        if services.chat.running(thread_id):
            self._running.add(thread_id)  # asked before this window was there
        self.thread_opened.emit(opened)

    async def reopen(self, changed: Collection[str] | None = None) -> None:
        """Reads the open thread again, unless others were `changed`: another process or machine has written."""
        if (one := self.thread_id) and self._wanted in (None, one) and (changed is None or one in changed):
            await self.open_thread(one)  # else another is about to be opened

    def close_thread(self, *, private: bool = False) -> None:
        """Clears the table for a new thread, which is made when its first word is written.

        `private`: it will be kept in memory only. Where one is being made for what is written, that is waited for.
        """
        if not self._made.is_set():
            self._then_close = private
            return
        self._wanted = None
        self._next_private = private
        self.next_parameters, self.next_recall = NO_PARAMETERS, True
        self._leave(None)
        self.current, self._path = None, ()
        self.thread_closed.emit()

    def make_thread(self) -> None:
        """Has the thread made that is being written, before anything else is opened."""
        if self._made.is_set():
            self._made.clear()
            self.start(self._make_thread())

    async def settled(self) -> None:
        """Waits until what is being written has its thread, or could get none."""
        await self._made.wait()

    async def _make_thread(self) -> None:
        try:
            await self.made_thread()
        finally:
            self._made.set()
            private, self._then_close = self._then_close, None
            if private is not None:
                self.close_thread(private=private)

    async def made_thread(self, *, backend: str | None = None, model: str | None = None) -> Thread:
        """The open thread, or one made now. It goes on with the backend that the thread before it had."""
        async with self._making:
            if self.current is not None:
                return self.current
            services = await self.services()
            like = self.choice_like()
            if backend is None and like is not None and like.backend is not None:
                backend, model = like.backend, like.model
            thread = await services.chat.new_thread(backend=backend, model=model, private=self._next_private)
            if self.next_parameters != NO_PARAMETERS:
                thread = await services.chat.set_parameters(thread.id, self.next_parameters)
            if not self.next_recall:
                await services.chat.context_editing.set_recall(thread.id, False)
                thread = await services.library.find(thread.id)
            if self._wanted is None:  # else another is about to be opened
                self._wanted = thread.id
            self.current, self._like, self._path = thread, thread, ()
            self.thread_made.emit(thread)
            return thread

    def go_on_like(self, other: AppState) -> None:
        """A new thread here begins as it would in another window."""
        self._like = other.current or other._like

    def show_running(self, thread_id: str) -> None:
        """An answer was coming before this window was there."""
        self._running.add(thread_id)
        self.running_changed.emit(thread_id, True)

    def show_first(self, thread: Thread, tail: tuple[Message, ...] = ()) -> None:
        """Show what the history file held before the services were there: a thread, and the end of its path."""
        self.current, self._like, self._path = thread, thread, tail

    def choice_like(self) -> Thread | None:
        """The thread whose backend a new one goes on with: none where the settings say it, else the last one."""
        named = self.ready is not None and self.ready.preferences.settings.default_backend is not None
        return None if self._like is None or named else replace(self._like, tip=None)

    def _leave(self, thread_id: str | None) -> None:
        if self.current is not None and self.current.id != thread_id:
            self.thread_left.emit(self.current)

    def _take_change(self, changed: events.ThreadChanged) -> None:
        if self.is_open(changed.thread.id):
            self.current = self._like = changed.thread
            self.thread_changed.emit(changed.thread)

    def _take_start(self, started: events.TurnStarted) -> None:
        self._running.add(started.thread_id)
        self.running_changed.emit(started.thread_id, True)

    def _take_end(self, over: events.TurnEnded | events.TurnFailed) -> None:
        self._running.discard(over.thread_id)
        self.running_changed.emit(over.thread_id, False)

    def _take_refusal(self, refused: events.SendRefused | events.CrossingAsked | events.SecretsAsked) -> None:
        # what was on its way when the thread was opened never began
        if self.ready is not None and not self.ready.chat.running(refused.thread_id):
            self._running.discard(refused.thread_id)


async def _nothing_beside(_thread_id: str) -> None:
    """A thread is shown as soon as it is read."""


class _NoOtherWindows:
    def have(self, _thread_id: str) -> bool:
        return False

    def come_forward(self, _thread_id: str, _message_id: str = "", _words: str = "") -> bool:
        return False

    async def rest(self, _thread_id: str) -> None:
        return

    def hand_over(self, _thread_id: str) -> None:
        return


ABOUT: Final = "\0artifact/"
"""Stands before the id of an artifact where otherwise the id of a thread's summary stands."""


@dataclass(frozen=True, slots=True)
class UnsavedArtifact:
    """A text in progress. `private`: it must never be on disk. `begun`: the version that was the newest then, or 0."""

    thread_id: str
    artifact_id: str
    text: str
    private: bool = False
    begun: int = 0


class UnsavedArtifacts(QObject):
    """Those of one window. `editing` tells what is written right now; who shows an editor sets it."""

    changed = Signal()  # what `lasting_texts` tells may be something else
    left = Signal(str, str)  # thread's id, artifact's id: a text waits there, and the way back is to be offered

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.editing: Callable[[], UnsavedArtifact | None] = lambda: None
        self._kept: dict[str, UnsavedArtifact] = {}

    def keep(self, unsaved: UnsavedArtifact) -> None:
        """Its editor goes, and nobody was asked."""
        self._kept[unsaved.artifact_id] = unsaved
        self.changed.emit()
        self.left.emit(unsaved.thread_id, unsaved.artifact_id)

    def hand_over(self, to: UnsavedArtifacts, thread_id: str | None = None) -> None:
        """Another window shows a thread that was left here, or this one closes (None): what is unsaved waits there."""
        now = self.editing()
        for unsaved in [*self._kept.values(), *([now] if now is not None else [])]:
            if thread_id in (None, unsaved.thread_id):
                self._kept.pop(unsaved.artifact_id, None)
                to.keep(unsaved)

    def has(self, artifact_id: str) -> bool:
        """Return True if a text waits for the artifact's editor."""
        return artifact_id in self._kept

    def take(self, artifact_id: str) -> UnsavedArtifact | None:
        """The text that waits; from now on the editor has it."""
        return self._kept.pop(artifact_id, None)

    def lasting_texts(self) -> dict[tuple[str, str], str]:
        """Those that may outlive the window, by thread and `ABOUT` with the artifact's id."""
        now = self.editing()
        texts = [*self._kept.values(), *([now] if now is not None else [])]
        return {(one.thread_id, f"{ABOUT}{one.artifact_id}\0{one.begun}"): one.text for one in texts if not one.private}

    def give_back(self, texts: Mapping[tuple[str, str], str]) -> None:
        """Give back the texts that the window before was ended with; the first is offered."""
        found = []
        for (thread_id, about), text in texts.items():
            artifact_id, _, begun = about.removeprefix(ABOUT).partition("\0")
            found.append(UnsavedArtifact(thread_id, artifact_id, text, begun=int(begun) if begun.isdecimal() else 0))
        self._kept = {**{one.artifact_id: one for one in found}, **self._kept}
        if found:
            self.left.emit(found[0].thread_id, found[0].artifact_id)

    def forget_thread(self, deleted: events.ThreadDeleted) -> None:
        """Forget all texts that were kept for the deleted thread."""
        self._kept = {key: one for key, one in self._kept.items() if one.thread_id != deleted.thread_id}
        self.changed.emit()


OF_MESSAGE: Final = "\0message/"
"""Stands before the id of a message, and what is written about it, in the same place."""


class UnfinishedTexts(QObject):
    """Texts of one window that stand in the place of a question, or are notes, and are neither sent nor put away."""

    changed = Signal()  # what `lasting_texts` tells may be something else

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: dict[tuple[str, str], str] = {}
        self._written: dict[tuple[str, str], tuple[QPlainTextEdit, str]] = {}  # in which field, and on what
        self._private: set[str] = set()

    def begin(self, thread: Thread, about: str, field: QPlainTextEdit, text: str) -> str:
        """The text that a field begins with: the one that was left, else `text`. `about`: message and kind."""
        self._written[key := (thread.id, f"{OF_MESSAGE}{about}")] = field, text
        if thread.private:
            self._private.add(thread.id)
        return self._kept.pop(key, text)

    def end(self, thread_id: str, about: str, *, keep: bool = False) -> None:
        """The field goes; `keep`: its text is there when it is begun again."""
        field, _ = self._written.pop(key := (thread_id, f"{OF_MESSAGE}{about}"))
        if keep:
            self._kept[key] = field.toPlainText()
        self.changed.emit()

    def hand_over(self, to: UnfinishedTexts, thread_id: str | None = None) -> None:
        """Another window shows a thread that was left here, or this one closes (None)."""
        moved = {key: text for key, text in self._kept.items() if thread_id in (None, key[0])}
        to._private |= self._private
        to.give_back(moved)
        self._kept = {key: text for key, text in self._kept.items() if key not in moved}

    def lasting_texts(self) -> dict[tuple[str, str], str]:
        """Those that may outlive the window."""
        now = {key: text for key, (field, on) in self._written.items() if (text := field.toPlainText()) != on}
        return {key: text for key, text in (self._kept | now).items() if key[0] not in self._private}

    def give_back(self, texts: Mapping[tuple[str, str], str]) -> None:
        """Give back the texts that the window before was ended with."""
        self._kept = {**texts, **self._kept}

    def forget_thread(self, deleted: events.ThreadDeleted) -> None:
        """Forget all texts that were kept for the deleted thread."""
        self._kept = {key: text for key, text in self._kept.items() if key[0] != deleted.thread_id}
        self.changed.emit()


LOOK_EVERY_MS: Final = 180_000
"""Milliseconds between two looks at followed folders while the window is used."""


class ThreadProject(QObject):
    """`changed(Project | None)`: the project of the open thread, as it is now."""

    changed = Signal(object)

    def __init__(self, app_state: AppState) -> None:
        super().__init__(app_state)
        self._app_state = app_state
        self.project: Project | None = None
        for fact in (app_state.thread_opened, app_state.thread_made, app_state.thread_changed, app_state.thread_closed):
            fact.connect(self._look_which)
        for announced in (events.ProjectsChanged, events.HistoryChangedElsewhere):
            app_state.bridge.subscribe(announced, self._look_which)
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look_again)
        self._clock.start()
        app_state.start(self._resume_reading())
        self._look_which()

    def _look_which(self, _fact: object = None) -> None:
        self._app_state.start(self._find())

    async def _find(self) -> None:
        services, thread = await self._app_state.services(), self._app_state.current
        try:
            project = await services.projects.of_thread(thread) if thread is not None else None
        except PlimsollError:
            return  # the history can't be read now: whoever shows the thread says so
        if thread is not self._app_state.current or project == self.project:
            return
        another = project is not None and (self.project is None or project.id != self.project.id)
        self.project = project
        self.changed.emit(project)
        if another:
            self._look()

    def _look_again(self) -> None:
        if QGuiApplication.focusWindow() is not None:
            self._look()

    def _look(self) -> None:
        if self.project is not None:
            self._app_state.look(self._look_at_folders(self.project.id))

    async def _look_at_folders(self, project_id: str) -> None:
        services = await self._app_state.services()
        try:
            await services.projects.followed_folders.look(project_id)
        except PlimsollError:
            return  # the next look may succeed; the project's page tells what stands in the way

    async def _resume_reading(self) -> None:
        services = await self._app_state.services()
        await services.projects.start()
