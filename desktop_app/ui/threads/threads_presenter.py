"""The flow between the thread list and the library, and the menus of its threads and projects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import (
    DraftSaved,
    SyncChanged,
    ThreadChanged,
    ThreadCreated,
    ThreadDeleted,
    TurnEnded,
    TurnFailed,
)
from desktop_app.core.history_records import FoundItem, SearchHit, SearchWithin
from desktop_app.core.messages import Thread
from desktop_app.core.sync import SyncStatus
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import grouped, title_of, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.threads.thread_row_words import unsynced_words
from desktop_app.ui.threads.thread_rows import PROJECT
from desktop_app.ui.threads.threads_pane import ThreadsPane
from desktop_app.ui.widgets.floating import Menu, Toast, confirmed
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING:
    from desktop_app.ui.threads.results_pane import ResultsPane, SearchFilter


def thread_menu(pane: ThreadsPane, threads: Sequence[Thread]) -> Menu:
    """Return the menu of actions on these threads, at least one; renaming and copying with one only."""
    menu = Menu(pane, pane.view.accessibleName())
    ids = [thread.id for thread in threads]
    one = threads[0] if len(threads) == 1 else None
    pinned, archived = (all(getattr(thread, fact) for thread in threads) for fact in ("pinned", "archived"))
    if one is not None:
        _add(menu, tr("Rename"), lambda: pane.rename(one.id))
        _add(menu, tr("Duplicate"), lambda: pane.duplicate_requested.emit(one.id))
        _add(menu, tr("Open in new window"), lambda: pane.view.new_window_requested.emit(one.id))
        menu.addSeparator()
    else:
        heading = menu.addAction(tr("{n} threads").format(n=len(threads)))
        heading.setEnabled(False)
    if not archived:
        words = tr("Unpin") if pinned else tr("Pin")
        _add(menu, words, lambda: pane.pin_requested.emit(ids, not pinned))
        if not all(thread.private for thread in threads):
            _add_projects(menu.add_submenu(tr("Move to project")), pane, threads)
    words = tr("Unarchive") if archived else tr("Archive")
    _add(menu, words, lambda: pane.archive_requested.emit(ids, not archived))
    _add(menu, tr("Export…"), lambda: pane.export_requested.emit(ids))
    menu.addSeparator()
    _add(menu, tr("Delete"), lambda: pane.delete_requested.emit(ids))
    return menu


def project_menu(pane: ThreadsPane, project: str) -> Menu:
    menu = Menu(pane, pane.model.project_name(project))
    _add(menu, tr("Open project"), lambda: pane.view.project_chosen.emit(project))
    menu.addSeparator()
    _add(menu, tr("Rename"), lambda: pane.rename_project(project))
    _add(menu, tr("Delete project"), lambda: pane.project_removal_requested.emit(project))
    return menu


def move_menu(pane: ThreadsPane, threads: Sequence[Thread]) -> Menu:
    """The projects that these threads can be moved to."""
    menu = Menu(pane, tr("Move to project"))
    _add_projects(menu, pane, threads)
    return menu


def _add_projects(inside: Menu, pane: ThreadsPane, threads: Sequence[Thread]) -> None:
    ids = [thread.id for thread in threads]
    for project, name in pane.model.projects():
        action = _add(inside, name.replace("&", "&&"), _moving(pane, ids, project))
        action.setCheckable(True)
        action.setChecked(all(thread.project == project for thread in threads))
    if not inside.isEmpty():
        inside.addSeparator()
    _add(inside, tr("New project…"), lambda: pane.new_project_requested.emit(ids))
    if any(thread.project for thread in threads):
        _add(inside, tr("No project"), _moving(pane, ids, None))


def _moving(pane: ThreadsPane, ids: list[str], project: str | None) -> Callable[[], None]:
    return lambda: pane.project_requested.emit(ids, project)


def _add(menu: Menu, words: str, act: Callable[[], Any]) -> QAction:
    action = QAction(words, menu)
    action.triggered.connect(act)
    menu.addAction(action)
    return action


TITLE_SHOWN = 40
"""Characters of a title in the toast."""
LOOK_AGAIN_MS = 5_000
"""Milliseconds between two checks that an answer written by another process still comes: it may have been killed."""
SYNC_FIRST_MS: Final = 60_000
"""Milliseconds after the start in which nothing that waits is told."""
REMEMBERED = 50
"""Steps that can be taken back, the newest first."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """Something done to threads, or to the group of that key, and the way back; `opened`: the thread that was open."""

    ids: tuple[str, ...]
    back: Callable[[], Awaitable[object]]
    opened: str | None = None


class ThreadListPresenter(QObject):
    """Rename, sort, copy, archive and delete with undo; keeps the list true to what is announced."""

    export_wanted = Signal(object)  # list[str]: ids of threads, at least one
    trash_wanted = Signal()

    def __init__(self, app_state: AppState, pane: ThreadsPane, toast: Toast) -> None:
        super().__init__(pane)
        self._app_state = app_state
        self._pane = pane
        self._toast = toast
        self.sees: Callable[[str], bool] = app_state.is_open
        self._done: list[Undoable] = []
        self._elsewhere: set[str] = set()  # threads that another process answers
        self._look_again = single_shot(self, lambda: self._app_state.start(self._show_running()), LOOK_AGAIN_MS)
        self._sync: SyncStatus | None = None
        self.sync_hour = single_shot(self, self._show_sync)
        app_state.services_arrived.connect(self._take_sync)
        pane.view.menu_requested.connect(self._show_menu)
        pane.view.project_menu_requested.connect(self._show_project_menu)
        pane.move_menu_requested.connect(self._show_move_menu)
        pane.model.last_words_wanted.connect(lambda ids: app_state.look(self._read_last_words(ids)))
        if pane.model.previews is not None:
            pane.model.previews.ask_again()

    # Sync

    def _take_sync(self, services: WindowServices) -> None:
        """Give what waited before the start a while to be exchanged."""
        self._sync = services.sync.status()
        self.sync_hour.start(SYNC_FIRST_MS)

    def sync_changed(self, changed: SyncChanged) -> None:
        """Tells in rows, and at the list's foot, what is not in the store after a failure or an hour."""
        self._sync = changed.status
        if (
            changed.status.trouble is not None
            or self.sync_hour.interval() != SYNC_FIRST_MS
            or not self.sync_hour.isActive()
        ):
            self._show_sync()

    def _show_sync(self) -> None:
        self.sync_hour.stop()
        if (status := self._sync) is None:
            return
        waited = utc_now() - datetime.fromisoformat(status.since) if status.since else timedelta(0)
        late = status.late_in_s(waited.total_seconds())
        waits = status.waiting_threads if late == 0 else frozenset[str]()
        words = next((f"{one.name}: {translated(one.words)}" for one in status.apart if one.kind != "thread"), "")
        if late == 0:
            words = unsynced_words(status)
        elif late is not None:
            self.sync_hour.start(int(late * 1000) + 1)
        self._pane.show_sync(words)
        self._pane.model.set_marked("unsynced", waits)

    # Wishes

    def open(self, thread_id: str) -> None:
        if not self._app_state.is_open(thread_id):
            self._app_state.start(self._app_state.open_thread(thread_id))

    def rename(self, thread_id: str, title: str) -> None:
        self._app_state.start(self._rename(thread_id, title))

    def pin(self, ids: Sequence[str], pinned: bool) -> None:
        self._app_state.start(self._pin(ids, pinned))

    def move_to_project(self, ids: Sequence[str], project: str | None) -> None:
        """Into the project with that id; None: out of their projects. A private thread is in none."""
        if lasting := self._lasting(ids):
            self._app_state.start(self._move(lasting, project))
        else:
            self._toast.show_message(self.tr("A private thread can't be in a project"))

    def move_to_new_project(self, ids: Sequence[str]) -> None:
        """Puts the threads into a new project, whose name is written in its place in the list."""
        self._app_state.start(self._move_to_new_project(ids))

    def rename_project(self, project: str, name: str) -> None:
        """Gives a project another name at once and offers to undo it."""
        self._app_state.start(self._rename_project(project, name))

    def remove_project(self, project: str) -> None:
        """Takes a project away, its threads stay; offers to undo it."""
        self._app_state.start(self._remove_project(project))

    def archive(self, ids: Sequence[str], archived: bool) -> None:
        """Archives at once and offers to undo it, or brings back."""
        self._app_state.start(self._archive(ids, archived))

    def export(self, ids: Sequence[str]) -> None:
        """The threads are to be exported; private ones stay here."""
        if lasting := self._lasting(ids):
            self.export_wanted.emit(lasting)
        else:
            self._toast.show_message(self.tr("Private threads can't be exported"))

    def duplicate(self, thread_id: str) -> None:
        """Copies a thread and opens the copy."""
        self._app_state.start(self._duplicate(thread_id))

    def delete(self, ids: Sequence[str]) -> None:
        """Deletes at once and offers to undo it."""
        self._app_state.start(self._delete(tuple(ids)))

    def empty_archive(self) -> None:
        """Asks, then deletes all archived threads for good."""
        self._app_state.start(self._empty_archive())

    def act_on_open(self, action: str, place: QPoint) -> None:
        """Does with the open thread what the action says, as its menu does; `place`: where a menu may open."""
        if (thread := self._pane.open_thread()) is None:
            return
        match action:
            case "duplicate_thread":
                self.duplicate(thread.id)
            case "pin_thread":
                self.pin([thread.id], not thread.pinned)
            case "archive_thread":
                self.archive([thread.id], not thread.archived)
            case "delete_thread":
                self.delete([thread.id])
            case _:
                self._show_move_menu_of([thread], place)

    def undo(self) -> None:
        """Takes back the newest deletion or archiving that was not taken back yet."""
        if self._done:
            self._toast.hide()
            self._app_state.start(self._take_back(self._done.pop()))

    def reload(self, _fact: object = None) -> None:
        """Reads the whole list again."""
        self._app_state.start(self._reload())

    # Menus

    def _show_menu(self, thread_id: str, place: QPoint) -> None:

        self._pop_up(thread_menu(self._pane, self._threads(self._pane.view.ids_at(thread_id))), place)

    def _show_project_menu(self, name: str, place: QPoint) -> None:

        self._pop_up(project_menu(self._pane, name), place)

    def _show_move_menu(self, place: QPoint) -> None:

        menu = move_menu(self._pane, self._threads(self._pane.view.selected_ids()))
        self._pop_up(menu, place - QPoint(0, menu.sizeHint().height()))

    def _show_move_menu_of(self, threads: Sequence[Thread], place: QPoint) -> None:

        menu = move_menu(self._pane, threads)
        self._pop_up(menu, place)
        menu.setActiveAction(menu.actions()[0])  # it was asked for by keyboard

    def _threads(self, ids: Sequence[str]) -> list[Thread]:
        return [thread for thread in map(self._pane.model.thread_of, ids) if thread is not None]

    def _pop_up(self, menu: QMenu, place: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.aboutToHide.connect(self._pane.view.look_for_pointer)
        menu.popup(place)

    # Facts

    def thread_changed(self, changed: ThreadChanged | ThreadCreated) -> None:
        self._pane.model.put_thread(changed.thread)

    def draft_saved(self, saved: DraftSaved) -> None:
        self._pane.model.set_draft(saved.thread_id, saved.text)

    def thread_deleted(self, deleted: ThreadDeleted) -> None:
        self._pane.model.remove_thread(deleted.thread_id)
        if self._app_state.is_open(deleted.thread_id):
            self._app_state.close_thread()

    def thread_opened(self, thread_id: str) -> None:
        """Mark an answer that ended unseen as seen."""
        for mark in ("unread", "failed"):
            self._pane.model.set_mark(thread_id, mark, False)

    def running_changed(self, thread_id: str, running: bool) -> None:
        self._elsewhere.discard(thread_id)
        self._pane.model.set_mark(thread_id, "running", running)

    def turn_ended(self, over: TurnEnded | TurnFailed) -> None:
        """An answer that ends where it is not seen, also beneath a page, is marked until its thread is."""
        if self._pane.model.previews is not None:
            self._pane.model.previews.forget(over.thread_id)
        if not self.sees(over.thread_id) and not self._app_state.others.have(over.thread_id):
            failed = isinstance(over, TurnFailed)
            self._pane.model.set_mark(over.thread_id, "failed", failed)
            self._pane.model.set_mark(over.thread_id, "unread", not failed)

    # Inside

    async def _read_last_words(self, ids: Sequence[str]) -> None:
        services = await self._app_state.services()
        if self._pane.model.previews is not None:
            self._pane.model.previews.take(await services.library.last_words(ids))

    async def _each(self, ids: Sequence[str], act: Callable[[WindowServices, str], Awaitable[object]]) -> None:
        services = await self._app_state.services()
        with self._pane.model.together():
            for thread_id in ids:
                await act(services, thread_id)

    async def _rename(self, thread_id: str, title: str) -> None:
        services = await self._app_state.services()
        await services.library.rename(thread_id, title)

    async def _pin(self, ids: Sequence[str], pinned: bool) -> None:
        await self._each(ids, lambda services, one: services.library.pin(one, pinned))
        self._pane.bring(ids)

    def _lasting(self, ids: Sequence[str]) -> list[str]:
        """Those that are not private."""
        return [one for one in ids if (thread := self._pane.model.thread_of(one)) is not None and not thread.private]

    async def _move(self, ids: Sequence[str], project: str | None, *, made: bool = False) -> None:
        """`made`: the project was made for that, and goes when it is taken back."""
        before = {one: thread.project for one in ids if (thread := self._pane.model.thread_of(one)) is not None}
        await self._put(ids, project)
        self._pane.bring(ids)
        if project is None:
            words = self._told(
                ids, self.tr("“{title}” taken out of its project"), self.tr("{n} threads taken out of their projects")
            )
        else:
            words = self._told(
                ids,
                self.tr("“{title}” moved to {project}"),
                self.tr("{n} threads moved to {project}"),
                project=self._pane.model.project_name(project),
            )
        self._offer_undo(words, Undoable(tuple(ids), lambda: self._put_back(before, project if made else None)))

    async def _put(self, ids: Sequence[str], project: str | None) -> None:
        services = await self._app_state.services()
        with self._pane.model.together():
            await services.library.move_to_project(ids, project)

    async def _put_back(self, before: Mapping[str, str | None], made: str | None) -> None:
        """Every thread into the project that it was in; the one that was made for them goes."""
        for project in dict.fromkeys(before.values()):
            await self._put([one for one, was in before.items() if was == project], project)
        if made is not None:
            await (await self._app_state.services()).projects.delete(made)
        self._pane.bring(tuple(before))

    async def _rename_project(self, project: str, new: str) -> None:
        services = await self._app_state.services()
        name = self._pane.model.project_name(project)
        try:
            await services.projects.rename(project, new)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))  # the name it had stands there again
            return
        words = self.tr("“{name}” renamed to “{new}”").format(name=_cut(name), new=_cut(new))
        self._offer_undo(words, Undoable((), lambda: services.projects.rename(project, name)))

    async def _remove_project(self, project: str) -> None:
        services = await self._app_state.services()
        words = self.tr("Project “{name}” deleted. Its threads stay.")
        words = words.format(name=_cut(self._pane.model.project_name(project)))
        await services.projects.delete(project)
        self._offer_undo(words, Undoable((PROJECT + project,), lambda: services.projects.restore(project)))

    async def _move_to_new_project(self, ids: Sequence[str]) -> None:
        if not (lasting := self._lasting(ids)):
            return
        services = await self._app_state.services()
        made = await services.projects.create(await services.projects.free_name(self.tr("New project")))
        await self._show_projects(services)
        await self._move(lasting, made.id, made=True)
        self._pane.rename_project(made.id)

    async def _duplicate(self, thread_id: str) -> None:
        services = await self._app_state.services()
        thread = await services.library.find(thread_id)
        title = self.tr("{title} (copy)").format(title=thread.title) if thread.title else None
        copy = await services.library.duplicate(thread_id, title)
        await self._app_state.open_thread(copy.id)

    async def _archive(self, ids: Sequence[str], archived: bool) -> None:
        words = self._told(ids, self.tr("“{title}” archived"), self.tr("{n} threads archived"))
        await self._put_away(ids, archived)
        if archived:
            self._offer_undo(words, Undoable(tuple(ids), lambda: self._put_away(ids, False)))

    async def _put_away(self, ids: Sequence[str], archived: bool) -> None:
        await self._each(ids, lambda services, one: services.library.archive(one, archived))

    async def _delete(self, ids: Sequence[str]) -> None:
        services = await self._app_state.services()
        opened = self._app_state.thread_id if self._app_state.thread_id in ids else None
        titles = {one: self._pane.model.thread_of(one) for one in ids}
        with self._pane.model.together():
            gone = tuple(await services.library.delete_all(ids))
        if len(gone) < len(ids):
            words = self.tr("{n} of {total} threads moved to trash").format(n=len(gone), total=len(ids))
        elif len(gone) > 1:
            words = self.tr("{n} threads moved to trash").format(n=len(gone))
        else:
            thread = titles[gone[0]]
            is_private = thread is not None and thread.private
            words = self.tr("“{title}” deleted") if is_private else self.tr("“{title}” moved to trash")
            words = words.format(title=_shortened(thread))
        self._offer_undo(words, Undoable(gone, lambda: self._restore(gone), opened))

    async def _empty_archive(self) -> None:
        services = await self._app_state.services()
        threads = [one.thread for one in await services.library.threads() if one.thread.archived]
        wanted = [one for one in threads if not one.private]
        if not wanted:
            return
        question = self.tr("Delete {n} archived threads for good?").format(n=grouped(len(wanted)))
        if len(wanted) == 1:
            question = self.tr("Delete “{title}” for good?").format(title=_shortened(wanted[0]))
        text, delete = f"{question}\n\n" + self.tr("This can't be undone."), self.tr("Delete for good")
        if not await confirmed(self._pane.window(), delete, text, delete, lasting=True):
            return
        self._toast.show_message(self.tr("Deleting for good…"))
        if (done := await services.trash.erase_threads(wanted)).not_compacted:
            words = translated(done.not_compacted)
        elif len(wanted) == 1:
            words = self.tr("1 thread deleted for good")
        else:
            words = self.tr("{n} threads deleted for good").format(n=grouped(len(wanted)))
        if done.copies:
            held = self.tr("still in {n} backups").format(n=grouped(len(done.copies)))
            if len(done.copies) == 1:
                held = self.tr("still in 1 backup")
            self._toast.show_message(f"{words} · {held}", self.tr("Show"), self.trash_wanted.emit)
        else:
            self._toast.show_message(words)

    async def _restore(self, ids: Sequence[str]) -> None:
        await self._each(ids, lambda services, one: services.library.restore(one))
        self._pane.bring(ids)

    def _told(self, ids: Sequence[str], of_one: str, of_several: str, *, project: str = "") -> str:
        if len(ids) > 1:
            return of_several.format(n=len(ids), project=_cut(project))
        title = _shortened(self._pane.model.thread_of(ids[0])) if ids else ""
        return of_one.format(title=title, project=_cut(project))

    def _offer_undo(self, words: str, done: Undoable) -> None:
        self._done = [*self._done, done][-REMEMBERED:]
        self._toast.show_message(words, self.tr("Undo"), self.undo)

    async def _take_back(self, done: Undoable) -> None:
        try:
            await done.back()
        except PlimsollError:
            self._done.append(done)  # it can be tried again: what has come back already stays
            raise
        self._pane.bring(done.ids)
        if done.opened is not None:
            await self._app_state.open_thread(done.opened)

    async def _reload(self) -> None:
        services = await self._app_state.services()
        with self._pane.model.together():
            await self._show_projects(services)
            self._pane.model.set_threads(await services.library.threads())
        if self._app_state.thread_id is not None:
            self.thread_opened(self._app_state.thread_id)
        self._pane.show_open(self._app_state.thread_id)
        await self._show_running()

    async def _show_projects(self, services: WindowServices) -> None:
        projects = await services.projects.all()
        archived = frozenset(one.id for one in projects if one.archived)
        self._pane.model.set_projects({one.id: one.name for one in projects}, archived)

    async def _show_running(self) -> None:
        """Marks the threads that another process answers, for as long as it does."""
        services = await self._app_state.services()
        running = {one for one in await services.library.running() if not services.chat.running(one)}
        for thread_id in running ^ self._elsewhere:
            self._pane.model.set_mark(thread_id, "running", thread_id in running)
        over, self._elsewhere = self._elsewhere - running, running
        if over:  # a command that was killed wrote no end
            await services.chat.watch.repair()
        if running:
            self._look_again.start()


def _shortened(thread: Thread | None) -> str:
    return _cut(title_of(thread)) if thread is not None else ""


def _cut(words: str) -> str:
    return words if len(words) <= TITLE_SHOWN else words[:TITLE_SHOWN].rstrip() + "…"


REST_MS: Final = 200
"""Milliseconds after the last key until messages are searched."""
AGAIN_MS: Final = 2_000
"""Milliseconds until a search is made again while the index is catching up."""
PAGE: Final = 30
"""Hits of one page."""


class ShowsMessages(Protocol):
    """The way to a message that was found."""

    def show_message(self, thread_id: str, message_id: str, words: str = "") -> Coroutine[Any, Any, object]: ...

    def forget_words(self) -> None: ...


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """One search, as it was asked; without words what narrows it lists."""

    words: str
    filter: SearchFilter


class MessageSearch(QObject):
    """Searches beside the event loop: the history has a thread of its own."""

    def __init__(self, app_state: AppState, pane: ThreadsPane, navigation: ShowsMessages) -> None:
        super().__init__(pane)
        self._app_state = app_state
        self._navigation = navigation
        self._results: ResultsPane | None = None
        self._words = ""
        self._after = 0  # where the next page begins
        self.shown: MessageQuery | None = None
        self._opens: MessageQuery | None = None  # whose first hit is to be opened when it comes
        self._rest = single_shot(self, self.search_now, REST_MS)
        self.again = single_shot(self, self.search_now, AGAIN_MS)

    def take_results(self, results: ResultsPane) -> None:
        """The pane in which hits are shown has been made."""
        self._results = results
        results.filter_changed.connect(self.search_now)
        results.chosen.connect(self.jump)
        results.more_requested.connect(self._show_more)
        results.first_requested.connect(self._open_first)

    def search(self, words: str) -> None:
        """The words in the search box changed."""
        self._words = words.strip()
        self._opens = None
        self.again.stop()
        if self._asked:
            self._rest.start()
        else:
            self._leave()

    def jump(self, hit: SearchHit | FoundItem) -> None:
        """Opens thread and branch of a hit and brings its message into view; a document, an artifact beside it."""
        words = self.shown.words if self.shown is not None else ""
        # also what was found in their place: longer and mistyped words, other forms
        words = " ".join((*(hit.snippet[start:end] for start, end in hit.marks), words)) if words else ""
        if isinstance(hit, FoundItem):
            if hit.kind == "document":
                self._app_state.passage_wanted.emit(hit.inside, hit.id, hit.beside, words)
            else:
                self._app_state.artifact_wanted.emit(hit.inside, hit.id)
            return
        self._app_state.start(self._navigation.show_message(hit.thread_id, hit.message_id, words))

    def _open_first(self) -> None:
        """Opens the first hit, never one of an older search; as soon as there is one."""
        if self._results is None:
            return
        self._opens = MessageQuery(self._words, self._results.filter)
        first = self._results.first_hit
        if self.shown == self._opens and first is not None:
            self._opens = None
            self.jump(first)

    @property
    def _asked(self) -> bool:
        """True where there is anything to search for: words, or a filter alone."""
        return bool(self._words) or (self._results is not None and self._results.narrowed)

    def _leave(self) -> None:
        self._rest.stop()
        self.shown = None
        self._navigation.forget_words()
        if self._results is not None:
            self._results.clear()

    def search_now(self) -> None:
        if not self._asked:
            self._leave()
        elif self._results is not None:
            self._app_state.look(self._search(MessageQuery(self._words, self._results.filter), 0))

    def _show_more(self) -> None:
        if self.shown is not None and self._results is not None:
            self._app_state.look(self._search(self.shown, self._after))

    async def _search(self, asked: MessageQuery, offset: int) -> None:
        if (results := self._results) is None:
            return
        services = await self._app_state.services()
        since, until = asked.filter.bounds()
        narrowed = asked.filter
        within = SearchWithin(
            role=narrowed.role, since=since, until=until, model=narrowed.model, marked=narrowed.marked
        )
        page = await services.library.search(asked.words, within, limit=PAGE, offset=offset)
        if asked != MessageQuery(self._words, results.filter):
            return  # another search is on its way
        if offset and (asked != self.shown or offset != self._after):
            return
        self.shown, self._after = asked, page.after
        results.show_page(page, first=not offset)
        if self._opens == asked:
            self._open_first()
        if page.waiting:
            self.again.start()
        # the messages do not wait for them; nor do they come where one has gone on to further messages
        items = () if offset else await services.history.search_items(asked.words, within)
        if items and asked == MessageQuery(self._words, results.filter) and self._after == page.after:
            results.show_page(page, items, first=True)
            if self._opens == asked:
                self._open_first()
