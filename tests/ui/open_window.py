"""Owns how a test drives the real window: opens it, types, presses, waits for what must come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from desktop_app.backends.backend_protocol import Backend
from desktop_app.composition import compose
from desktop_app.controller.open_threads import OpenThread
from desktop_app.controller.ports import Announcements, LockableSecrets
from desktop_app.core.messages import Thread
from desktop_app.paths import DataPaths
from desktop_app.ui.shell.opening import Opening
from desktop_app.ui.shell.session import WindowSession
from desktop_app.ui.shell.session_window import SessionWindow, holds_private_answer
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.widgets.message_field import LONG_PASTE
from tests.fakes.gated_backend import Gate, GatedBackend
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S, until


class OpenWindow:
    """One window; `backend` plays the part of the backend called scripted."""

    def __init__(
        self, session: WindowSession, services: WindowServices, backend: GatedBackend, one: SessionWindow | None = None
    ) -> None:
        """`one`: of several windows, else the first."""
        one = one or session.windows[0]
        self.session = session
        self.services = services
        self.backend = backend
        self.one = one
        self.window = one.window
        self.app_state = one.app_state
        self.composer = one.window.composer
        self.editor = one.window.composer.editor
        self.gauge = one.window.composer.gauge
        self.threads = one.window.threads
        self.transcript = one.window.stage.transcript
        self.presenters = one.presenters

    def another(self) -> OpenWindow:
        """The window of the session that came last."""
        return OpenWindow(self.session, self.services, self.backend, self.session.windows[-1])

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        data_dir: Path,
        *,
        backend: str | None = "scripted",
        environ: Mapping[str, str] | None = None,
        fakes: bool = True,
        type_at_once: str = "",
        secrets: LockableSecrets | None = None,
        local: GatedBackend | None = None,
        look_at: Sequence[tuple[str, str]] = (),
        sync: Callable[[Announcements], Any] | None = None,
        **options: Any,
    ) -> AsyncIterator[OpenWindow]:
        """A window over `data_dir` until the block ends; then it is closed in order."""
        paths = DataPaths(data_dir).make(reading=True)
        around = environ if environ is not None else {"HOME": str(data_dir.parent), "PATH": ""}

        async def composed() -> WindowServices:
            services = await compose(
                paths,
                environ=around,
                default_backend=backend,
                interactive=True,
                reading=True,
                secrets=secrets or MemorySecrets(),
            )
            if sync is not None:
                services = replace(services, sync=sync(services.announcements))
            services.connections.look_at = look_at  # a test finds nothing by chance
            return services

        app = QApplication.instance()
        assert isinstance(app, QApplication)
        opening = Opening(app, paths, **options)
        if type_at_once:
            QTest.keyClicks(opening.window.composer.editor, type_at_once)
        session = WindowSession(opening, paths, composed, open_thread=options.get("open_thread"))
        gated = GatedBackend("scripted")
        if fakes:
            # Connected first, so that the window never asks the backend that is replaced.
            session.app_state.services_arrived.connect(
                lambda services: cast("dict[str, Backend]", services.backends).update(
                    {"scripted": gated, **({"local": local} if local is not None else {})}
                )
            )
        running = asyncio.create_task(session.run())
        try:
            services = await asyncio.wait_for(session.app_state.services(), PATIENCE_S)
            await asyncio.wait_for(session.opened_first.wait(), PATIENCE_S)
            opened = cls(session, services, gated)
            await opened.settled()
            yield opened
        finally:
            if not session.ended.done():
                (session.window.close if len(session.windows) == 1 else session.quit)()
                await let_go_of_private(session)
            await asyncio.wait_for(running, PATIENCE_S)

    async def until(self, condition: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        """Waits until the condition holds, as a user waits: the event loop runs meanwhile."""
        await until(condition, what, patience_s)

    async def settled(self) -> None:
        """Waits until no wish of the window is being carried out."""
        tasks = [*(one.tasks for one in self.session.windows), self.session.presence.app_state.tasks]
        await self.until(lambda: not any(one.running for one in tasks), "the windows' rest")
        await asyncio.sleep(0)

    def type(self, text: str, widget: QWidget | None = None) -> None:
        """Key by key."""
        QTest.keyClicks(widget or self.editor, text)

    def enter(self, text: str) -> None:
        """Types and sends."""
        self.type(text)
        self.press(Qt.Key.Key_Return)

    async def begin(self, text: str, gate: Gate) -> None:
        """Types and sends, and waits until the answer stands at a gate."""
        self.enter(text)
        await gate.arrive()

    def press(
        self,
        key: Qt.Key,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        widget: QWidget | None = None,
    ) -> None:
        QTest.keyClick(widget or self.editor, key, modifiers)

    def shortcut(self, action: str) -> None:
        """Does what the action's keys do."""
        self.window.actions_by_id[action].trigger()

    async def send(self, text: str, patience_s: float = PATIENCE_S) -> None:
        """Types and sends, and waits for the end of the answer. A long text is pasted: each key lays out its line."""
        if len(text) > LONG_PASTE:
            self.editor.insertPlainText(text)
        else:
            self.type(text)
        self.press(Qt.Key.Key_Return)
        await self.until(self.composer.is_empty, f"the question {text!r} in the history")
        await self.until(lambda: not self.composer.streaming, "the end of the answer", patience_s)
        await self.settled()

    async def opened_thread(self) -> OpenThread:
        """The open thread as the controller has it."""
        assert self.app_state.current is not None
        return await self.services.chat.open_thread(self.app_state.current.id)

    async def thread(self) -> Thread:
        """The open thread as the history has it."""
        assert self.app_state.current is not None
        return await self.services.library.find(self.app_state.current.id)

    async def choose_thread(self, thread_id: str) -> None:
        """Clicks a thread in the list."""
        index = self.threads.model.index_of(thread_id)
        assert index.isValid()
        place = self.threads.view.visualRect(index).center()
        QTest.mouseClick(self.threads.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        await self.until(lambda: self.app_state.is_open(thread_id), "the chosen thread")
        await self.settled()


def key_event(key: Qt.Key, text: str = "") -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text)


async def let_go_of_private(session: WindowSession) -> None:
    """Where an open private thread is asked for, it may go."""
    if not any(map(holds_private_answer, session.windows)) or session.ended.done():
        return

    def accept() -> QMessageBox | None:
        return next((box for one in session.windows for box in one.window.findChildren(QMessageBox)), None)

    await until(accept, "the question")
    box = accept()
    assert box is not None
    next(button for button in box.buttons() if box.buttonRole(button) == QMessageBox.ButtonRole.AcceptRole).click()
