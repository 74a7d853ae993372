"""The windows of one process from first paint to orderly end, and the card of a replaced history. No storage."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import QUEUED, Failure
from desktop_app.paths import DataPaths
from desktop_app.system.private_files import write_atomically
from desktop_app.system.process_owner import hear_signals
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.shell.background_presence import BackgroundPresence, IdleWatch, Upkeep, repair_failure
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.opening import VERSION, LastPaint, Opening, asked_of
from desktop_app.ui.shell.page_specs import Presenters
from desktop_app.ui.shell.pages import UnsavedPages
from desktop_app.ui.shell.session_window import (
    LastThread,
    OthersOf,
    SessionWindow,
    Shared,
    ThreadOwners,
    bring_forward,
    further_window,
    holds_private_answer,
    place_beside,
    put_back,
    wire_presence,
    wire_window_presence,
)
from desktop_app.ui.spelling.spelling_presenter import SharedSpeller
from desktop_app.ui.startup.garbage import GarbageCollection
from desktop_app.ui.startup.restart import RESTART
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Tasks, end_wishes
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.widgets.floating import asked_file_to_write, asked_password, confirmed

if TYPE_CHECKING:
    from desktop_app.controller.history_recovery import CarriedThreads, SavedHistory


def write_last_paint(path: Path, last: LastPaint) -> None:
    """Keeps it for the next start; where that is not possible, the next start has nothing to show before it reads."""
    kept = {field.name: getattr(last, field.name) for field in fields(last)}
    kept |= {"version": VERSION, "language": QLocale().name()}
    kept |= {"gauge": astuple(last.gauge) if last.gauge is not None else None}
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, json.dumps(kept).encode(), durable=False)


REST_WITHIN_S = 1.0
"""So long what goes on with the old services may take to end before they are closed."""


class Reopening(QObject):
    """`compose` makes services over what stands at the history's path; None where the window was closed meanwhile."""

    def __init__(
        self,
        windows: Callable[[], Sequence[SessionWindow]],
        compose: Callable[[], Awaitable[WindowServices | None]],
        *,
        quick: AppState,
    ) -> None:
        """`quick`: what the line to ask from anywhere has on its table; it gets the new services with the windows."""
        super().__init__(quick)
        self._windows = windows
        self._compose = compose
        self._quick = quick
        self._task: asyncio.Task[None] | None = None

    def follow(self, one: SessionWindow) -> None:
        """A window more, whose card may offer it."""
        remedies = one.presenters.remedies
        remedies.save_elsewhere_requested.connect(lambda: one.app_state.start(self._save_elsewhere(one)))
        remedies.new_file_requested.connect(lambda: self._start(one))

    @property
    def typed(self) -> str:
        """The text in the composers that is the draft of no thread yet."""
        texts = (one.window.composer.text() for one in self._windows() if one.app_state.current is None)
        return "\n\n".join(filter(None, texts))

    async def close(self) -> None:
        """Waits until the file that is being opened is open, or given up since the window closes."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _start(self, one: SessionWindow) -> None:
        if one.app_state.ready is not None and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._open_new_file(one.app_state.ready))

    async def _save_elsewhere(self, one: SessionWindow) -> None:
        path = await asked_file_to_write(one.window, self.tr("Save elsewhere"), "history-saved.db")
        if path is None:
            return
        services = await one.app_state.services()
        await self._keep_typed()
        try:
            saved = await services.recovery.save_elsewhere(path, typed=self.typed)
        except PlimsollError as error:
            actions = ("save_elsewhere", "open_new_file", "open_data_folder")
            one.presenters.error_cards.show_failure(replace(error.failure, actions=actions))
        else:
            one.window.toast.show_message(self._told(saved))

    def _told(self, saved: SavedHistory) -> str:
        words = (
            self.tr("{count} threads saved in {path}") if saved.threads != 1 else self.tr("1 thread saved in {path}")
        )
        words = words.format(count=grouped(saved.threads), path=saved.path)
        if saved.unread:
            names = ", ".join(title or self.tr("untitled") for title in saved.unread)
            words += "\n" + self.tr("Could not be read: {names}").format(names=names)
        return words

    async def _open_new_file(self, before: WindowServices) -> None:
        """Ends the services in order and makes others; what goes wrong is said on the card."""
        shown = {one: one.app_state.thread_id for one in self._windows()}
        going_on = {one.id for one, _ in before.chat.in_memory() if before.chat.running(one.id)}
        await before.chat.close()
        await self._keep_typed()
        carried = await before.recovery.carried_over(going_on | {one for one in shown.values() if one is not None})
        await before.recovery.keep(typed=self.typed)
        for one in shown:
            one.app_state.withdraw()
        if self._quick.current is not None:
            self._quick.close_thread()
        self._quick.withdraw()
        with suppress(TimeoutError):
            await asyncio.wait_for(_rest(shown), REST_WITHIN_S)
        await before.close()
        for one in shown:
            one.presenters.error_cards.forget()
        if (after := await self._compose()) is not None:
            await self._go_on(after, carried, shown)
        else:
            await carried.close()

    async def _go_on(
        self, services: WindowServices, carried: CarriedThreads, shown: Mapping[SessionWindow, str | None]
    ) -> None:
        failure: Failure | None = None
        try:
            await services.recovery.take(carried)
        except PlimsollError as error:
            failure = error.failure
        for one, thread_id in shown.items():
            await _show(one, services, thread_id)
            if failure is not None:
                one.presenters.error_cards.show_failure(failure)
            one.window.composer.focus_editor()

    async def _keep_typed(self) -> None:
        """Notes the drafts with their threads, even where no file takes them."""
        for one in self._windows():
            with suppress(PlimsollError):
                await one.presenters.drafts.flush()


async def _show(one: SessionWindow, services: WindowServices, thread_id: str | None) -> None:
    """A window goes on with other services, in the thread that it showed."""
    one.presenters.drafts.forget_saved()
    one.app_state.supply(services)
    one.presenters.thread_list.reload()
    try:
        if thread_id is not None:
            await one.app_state.open_thread(thread_id)
    except PlimsollError:  # it is not in this file
        typed = one.window.composer.text()
        one.app_state.close_thread()
        one.window.composer.editor.replace_text(typed)
    one.presenters.drafts.text_edited()


async def _rest(windows: Iterable[SessionWindow]) -> None:
    for one in windows:
        resting = asyncio.Event()
        one.app_state.tasks.after_running(resting.set)
        await resting.wait()


log = logging.getLogger(__name__)

STROKE = "/"
"""Stands between the id of a thread and that of a message in it."""
COMPOSE_AGAIN_S = 1.0
"""Between two attempts to open a history that is locked, or that somebody mends meanwhile."""
NEAR_VIEW = 10
"""Messages above and below the view whose lines the next start shows at once."""
IDLE_AFTER_MS = 1500
"""The SDK of the open thread is imported when the window has rested this long after its start."""


class WindowSession:
    """Brings a painted window to life, others beside it. `compose` makes the services; may raise `PlimsollError`."""

    def __init__(
        self,
        opening: Opening,
        paths: DataPaths,
        compose: Callable[[], Awaitable[WindowServices]],
        *,
        open_thread: str | None = None,
        presence: BackgroundPresence | None = None,
    ) -> None:
        """`presence`: what has been there before this window was asked for; it ends with the last window."""
        self._loop = asyncio.get_event_loop()
        self.paths = paths
        self._compose = compose
        self._open_at_start = open_thread
        # before the first of them the first paint had nothing, so it could not stand lower than at the top
        self._first_tail = frozenset(message.id for message in opening.tail[1:])
        self.appearance = opening.appearance
        self._shared = Shared(self._loop, self.appearance, paths, SharedSpeller(paths.root))
        self._owners = ThreadOwners()
        first = SessionWindow(opening.window, opening.state, self._shared)
        self.windows: list[SessionWindow] = [first]
        self.front = first
        self._leaving: dict[SessionWindow, asyncio.Task[None]] = {}
        # of no window: what is begun beside them goes on when one of them is closed
        tasks = Tasks(self._loop)
        tasks.failed.connect(lambda failure: self.front.tasks.failed.emit(failure))  # noqa: PLW0108 - another each time
        tasks.unwritable.connect(lambda failure: self.front.tasks.unwritable.emit(failure))  # noqa: PLW0108 - the same
        self.presence = presence or BackgroundPresence(self._loop, tasks, self.appearance, opening.state)
        wire_presence(self.presence, lambda: self.front, show_thread=self._show_thread, end=self.quit)
        self.unsaved = UnsavedPages(lambda: self.front.app_state, paths.unsaved, self.presence)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._garbage = GarbageCollection(app)
        self._asking = False  # whether a private thread may go
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self.kept: asyncio.Future[int] = self._loop.create_future()
        """Done in the orderly end, once what was typed is stored; with the exit status."""
        self.opened_first = asyncio.Event()
        """Set once the thread that the window starts with was read, or there is none."""
        self._reopening = Reopening(lambda: self.windows, self._composed, quick=self.presence.app_state)
        self.idle = IdleWatch(app)
        self.upkeep = Upkeep(
            self.presence.app_state, lambda: self.front.app_state, self._show_failure, paths=paths, idle=self.idle
        )
        self._last = opening.last
        first.presenters.connections.answer_found.connect(self._keep_model, Qt.ConnectionType.SingleShotConnection)
        self._follow(first)
        self._take_over(opening)

    # of the window that was there first, or is by now

    @property
    def window(self) -> MainWindow:
        return self.windows[0].window

    @property
    def state(self) -> WindowState:
        return self.windows[0].state

    @property
    def tasks(self) -> Tasks:
        return self.windows[0].tasks

    @property
    def app_state(self) -> AppState:
        return self.windows[0].app_state

    @property
    def presenters(self) -> Presenters:
        return self.windows[0].presenters

    @property
    def last_thread(self) -> LastThread:
        return self.windows[0].last_thread

    async def run(self) -> int:
        """Loads the services and waits for the end; the exit status."""
        hear_signals(self._loop, self.end)
        self._garbage.start()
        services: WindowServices | None = None
        try:
            if (services := await self._composed()) is not None:
                self.app_state.supply(services)
                if self.paths.set_aside:
                    self.window.toast.show_message("\n".join(map(translated, self.paths.set_aside)))
                self._garbage.spare()
                await self._open_first(services)
                await self._open_others(services)
                self._tell_repair(services)
                self.opened_first.set()
                self._garbage.spare()
                QTimer.singleShot(IDLE_AFTER_MS, self.window, self._warm_up)
            status = await self.ended
            await self._reopening.close()
            await self._shut_down(self.app_state.ready, status)
        finally:
            for one in self.windows:
                await one.tasks.close()
                one.window.close_now()
            await self.presence.app_state.tasks.close()
            await self.presence.destroy()
            for one in self.windows:
                await one.destroy()
            self._garbage.stop()
            self.idle.end()
            self._shared.speller.deleteLater()
            self.appearance.deleteLater()
        return status

    def end(self, status: int) -> None:
        """Begins the orderly end."""
        if not self.ended.done():
            self.ended.set_result(status)

    def quit(self) -> None:
        """Ends Plimsoll; a window with something unsaved on a page asks first."""
        for one in tuple(self.windows):
            if one.window.has_unsaved():
                bring_forward(one.window)
                one.window.quit()
                return
        self._end_private()

    def _end_private(self) -> None:
        """The orderly end; where an answer stands in an open private thread, it asks first: nothing else keeps that."""
        if (one := next((one for one in self.windows if holds_private_answer(one)), None)) is None:
            self.end(0)
        elif not self._asking:
            self._asking = True
            bring_forward(one.window)
            one.app_state.start(self._ask_to_end(one))

    async def _ask_to_end(self, one: SessionWindow) -> None:

        title, words = tr("Private thread"), tr("The private thread will be gone.")
        try:
            if await confirmed(one.window, title, words, tr("Quit"), lasting=True):
                self.end(0)
        finally:
            self._asking = False

    def restart(self) -> None:
        """Ends Plimsoll to be started again; with something unsaved on a page it is only asked about that."""
        if any(one.window.has_unsaved() for one in self.windows):
            self.quit()
        else:
            self.end(RESTART)

    def take_arguments(self, arguments: Mapping[str, str | bool | None]) -> None:
        """A second start handed these over: its thread is opened, or the quick line; a window comes to the front."""
        if isinstance(thread := arguments.get("open_thread"), str):
            self.front.tasks.start_task(self._open_named(thread, self.front))
        if arguments.get("quick"):
            self.presence.quick.open()
        else:
            bring_forward(self.front.window)

    # --- windows

    def open_window(self, thread_id: str | None, here: SessionWindow) -> None:
        """Shows a thread (None: a new one) in a window of its own; `here` leaves it where it shows it."""
        if thread_id is None or not here.app_state.others.come_forward(thread_id):
            here.app_state.start(self._open_window(thread_id, here))

    async def _open_window(self, thread_id: str | None, here: SessionWindow) -> None:

        services = await here.app_state.services()
        if thread_id is not None and here.app_state.is_open(thread_id):
            here.app_state.close_thread()
        state = WindowState(self.paths.window, len(self.windows))
        one = self._made_window(state, lambda window: place_beside(window, here.window))
        one.begin(services, here)
        self._keep_windows()
        await self._open_in(one, thread_id)

    async def _open_others(self, services: WindowServices) -> None:
        """The windows that were open beside the first come back, but for those whose thread is gone."""

        first = self.windows[0]
        for slot in range(1, self.state.others + 1):
            state = WindowState(self.paths.window, slot)
            thread_id, place = state.open_thread, state.reading_place
            if thread_id is not None:
                try:
                    await services.library.find(thread_id)
                except PlimsollError:
                    continue
                if self.app_state.shows(thread_id) or self.ended.done():
                    continue
            one = self._made_window(
                state, partial(put_back, state=state, others=[other.window for other in self.windows])
            )
            one.begin(services, first)
            await self._open_in(one, thread_id)
            if place is not None and thread_id is not None and one.app_state.is_open(thread_id):
                one.window.stage.transcript.navigation.return_to(place)
        if len(self.windows) > 1:
            self._keep_windows()
            bring_forward(first.window)

    async def _open_in(self, one: SessionWindow, thread_id: str | None) -> None:
        if thread_id is None:
            one.show_new()
            return
        try:
            await one.app_state.open_thread(thread_id)
        except PlimsollError as error:
            one.show_new()
            one.window.toast.show_message(translated(error.failure.message))

    def _made_window(self, state: WindowState, furnish: Callable[[MainWindow], None]) -> SessionWindow:

        one = SessionWindow(further_window(self.appearance.theme, furnish), state, self._shared)
        self.windows.append(one)
        self._follow(one)
        self.front = one
        return one

    def _follow(self, one: SessionWindow) -> None:
        """Connect a window with the others and with the process."""
        window, app_state = one.window, one.app_state
        app_state.others = OthersOf(one, lambda: self.windows, self._owners)
        self._owners.follow(one)
        app_state.thread_opened.connect(lambda opened: self._read_elsewhere(opened.thread.id, one))
        self._reopening.follow(one)
        self.unsaved.follow(one.presenters.pages, one.presenters.unsaved_artifacts, app_state.unfinished)
        wire_window_presence(one, self.presence, lambda: len(self.windows) == 1)
        window.close_requested.connect(lambda: self._close(one))
        window.quit_requested.connect(self.quit)
        one.presenters.pages.restart_wanted.connect(self.restart)
        window.threads.view.new_window_requested.connect(lambda thread_id: self.open_window(thread_id, one))
        action = window.actions_by_id["open_in_new_window"]
        action.triggered.connect(lambda: self.open_window(app_state.thread_id, one))
        if (frame := window.windowHandle()) is not None:
            frame.activeChanged.connect(lambda: self._activated(one))

    def _activated(self, one: SessionWindow) -> None:
        if one in self.windows and one.window.isActiveWindow():
            self.front = one

    def _read_elsewhere(self, thread_id: str, here: SessionWindow) -> None:
        for one in self.windows:
            if one is not here:
                one.presenters.thread_list.thread_opened(thread_id)

    def _close(self, one: SessionWindow) -> None:
        if len(self.windows) == 1:
            self._end_private()
        elif one in self.windows:
            one.app_state.start(self._close_beside_others(one))

    async def _close_beside_others(self, one: SessionWindow) -> None:
        await one.app_state.settled()
        if one.presenters.drafts.unmade:
            one.window.toast.show_message(tr("This text can't be saved now. Copy it first, then clear the field."))
        elif len(self.windows) == 1:  # the others were closed meanwhile
            one.window.close()
        elif one in self.windows:
            self._let_go(one)

    def _let_go(self, one: SessionWindow) -> None:
        self.windows.remove(one)
        if self.front is one:
            self.front = self.windows[-1]
        heir = self.front

        async def leave() -> None:
            try:
                await one.leave_to(heir)
            finally:
                del self._leaving[one]

        self._owners.inherit(one, heir)
        self._leaving[one] = self._loop.create_task(leave())
        self.unsaved.leave(one.presenters.pages)
        self._keep_windows()

    def _keep_windows(self) -> None:
        """Which windows there are, and where, is known to the next start even if this one is killed."""
        for slot, one in enumerate(self.windows):
            one.keep(slot)
        self.state.others = len(self.windows) - 1

    def _show_thread(self, thread_id: str) -> None:
        """Show a thread that was asked for outside of a window."""
        one = self.front
        if one.app_state.others.come_forward(thread_id):
            return
        bring_forward(one.window)
        if one.presenters.pages.page is not None:
            one.presenters.pages.leave()
        one.app_state.start(one.app_state.open_thread(thread_id))

    def _show_failure(self, failure: Failure) -> None:
        self.front.presenters.error_cards.show_failure(failure)

    # --- the start

    def _take_over(self, opening: Opening) -> None:
        """Give the open thread the painted content, and all text typed since."""
        if (thread := opening.thread) is not None:
            self.app_state.show_first(thread, opening.tail)
            self.presenters.drafts.take_over(thread)
            self.presenters.transcript.take_over(thread, opening.tail)
        if self.window.composer.text() != ("" if thread is None else thread.draft.rpartition(QUEUED)[2]):
            self.presenters.drafts.text_edited()

    async def _composed(self) -> WindowServices | None:
        """The services. While the history can't be used the window says why, and tries again: what is typed stays.

        None where the window was closed before.
        """
        told: Failure | None = None
        while True:
            try:
                services = await self._compose()
                services.ask_passwords(lambda name, wrong: asked_password(self.front.window, name, wrong))
                services.sync.is_shown = lambda one: any(window.app_state.shows(one) for window in tuple(self.windows))
            except PlimsollError as error:
                if error.failure != told:
                    told = error.failure
                    self._show_failure(told)
                await asyncio.wait({self.ended}, timeout=COMPOSE_AGAIN_S)
                if self.ended.done():
                    return None
            else:
                if told is not None:
                    self.front.presenters.error_cards.clear()
                return services

    def _tell_repair(self, services: WindowServices) -> None:
        """Once, as a card that can be closed: what was wrong with the history, what came back, what is missing."""
        if services.repair is not None:
            self.presenters.error_cards.show_failure(repair_failure(services.repair))

    async def _open_first(self, services: WindowServices) -> None:
        self.presenters.thread_list.reload()
        named, current = self._open_at_start, self.app_state.current
        if named is not None and (current is None or current.id != named):
            await self._open_named(named, self.windows[0])
        elif current is not None:
            try:
                await self.app_state.open_thread(current.id)
                self._return_to_place(current.id)
                if (artifact := self.state.artifact) and current.id == self.state.open_thread:
                    self.app_state.artifact_wanted.emit(current.id, artifact)
            except PlimsollError:
                # it, or the whole history, was deleted between the first look and now: what is typed is not
                typed = self.window.composer.text()
                self.app_state.close_thread()
                self.window.composer.editor.replace_text(typed)
        else:
            self.windows[0].show_new()
        await self.unsaved.give_back(services)

    async def _open_named(self, name: str, one: SessionWindow) -> None:
        """Opens the thread whose id begins so; behind a stroke may stand the beginning of a message's id."""
        services = await one.app_state.services()
        prefix, _, message = name.partition(STROKE)
        try:
            thread = await services.library.find(prefix)
        except PlimsollError as error:
            one.window.toast.show_message(error.failure.message)
            return
        await one.app_state.open_thread(thread.id)
        if message:
            await self._lead_to(thread.id, message, one)

    async def _lead_to(self, thread_id: str, prefix: str, one: SessionWindow) -> None:
        """Brings the message of the open thread into view whose id begins so."""
        services = await one.app_state.services()
        messages = (await services.chat.open_thread(thread_id)).conversation
        ids = [message.id for message in messages if message.id.startswith(prefix)]
        if len(ids) == 1:
            await one.presenters.navigation.show_message(thread_id, ids[0])
        elif ids:
            words = tr("Several messages of this thread have an ID that starts like this. Give more characters.")
            one.window.toast.show_message(words)
        else:
            words = tr("There is no such message in this thread.")
            one.window.toast.show_message(words)

    def _return_to_place(self, thread_id: str) -> None:
        """Goes on reading where the window was closed; what the first paint had is there already."""
        place, tail = self.state.reading_place, self._first_tail
        if place is not None and thread_id == self.state.open_thread and place[0] not in tail:
            self.window.stage.transcript.navigation.return_to(place)

    def _warm_up(self) -> None:
        """Lets the open thread's backend load what it needs, so that the first send does not wait for it."""
        services, thread_id = self.app_state.ready, self.app_state.thread_id
        if services is not None and thread_id is not None:
            self.tasks.start_task(services.chat.prepare_backend(thread_id))

    # --- the end

    async def _shut_down(self, services: WindowServices | None, status: int) -> None:
        windows = self.windows
        for one in windows:
            await one.last_thread.close()
            one.window.list_slot.leave()
        self._keep_windows()
        last_paint = self._last_paint()
        for one in windows:
            one.hide()
        if services is not None:
            # what is typed first: what follows may wait for a slow disk
            for one in windows:
                await one.flush_drafts()
            await self.unsaved.close()  # a signal asks nothing
        self.kept.set_result(status)
        await asyncio.to_thread(write_last_paint, self.paths.last_paint, last_paint)
        await self.presence.close()
        for one in windows:
            one.presenters.spelling.close()
        if services is not None:
            beside = self.presence.app_state.tasks
            await end_wishes(services, *(one.tasks for one in (*windows, *self._leaving)), beside)
            await asyncio.gather(*self._leaving.values(), return_exceptions=True)
            for one in windows:
                await one.flush_drafts()  # what waited for an answer that was cut off is a draft again
                await one.presenters.height_cache.close()
                await one.presenters.empty_threads.remove_open()
                one.state.open_thread = one.app_state.lasting_id
                await one.tasks.close()
            await beside.close()
            await services.recovery.keep(typed=self._reopening.typed)
            await services.close()

    def _last_paint(self) -> LastPaint:
        """Return the facts that the next start shows before it has read them; none of a private thread."""
        window, thread_id = self.window, self.app_state.lasting_id
        if self.app_state.private:
            return LastPaint()
        lines, last_message = window.stage.transcript.lines_in_view(NEAR_VIEW)
        model, parameters = window.composer.picker.shown
        return LastPaint(
            thread_id or "",
            model,
            parameters,
            window.composer.gauge.reading.unscaled,
            window.stage.welcoming,
            last_message if self.state.reading_place is not None else "",
            lines,
            asked_of(self.app_state.current),
        )

    def _keep_model(self) -> None:
        """Keep the name of the model once it is known: a process that is killed keeps nothing at its end."""
        if not self.app_state.private:
            model, _ = self.window.composer.picker.shown
            kept = replace(self._last or LastPaint("\0"), model=model, asked=asked_of(self.app_state.current))
            self._loop.run_in_executor(None, write_last_paint, self.paths.last_paint, kept)
