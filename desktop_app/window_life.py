"""The life of the window's process after its first paint: its event loop, services, commands of others, its end."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import qasync
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from desktop_app.core.redaction import Redaction
from desktop_app.logs import open_log, report_loop_errors
from desktop_app.paths import DataPaths
from desktop_app.system.worker_process import DaemonThreads
from desktop_app.ui.startup.command_link import CommandLink
from desktop_app.ui.startup.restart import start_again
from desktop_app.ui.startup.single_instance import SingleInstance
from desktop_app.ui.state.services import WindowServices
from desktop_app.window_options import NO_ANSWER, WindowOptions

if TYPE_CHECKING:  # a process that began with the quick line has not loaded the window's, nor the other way round
    from desktop_app.ui.shell.quick_session import QuickSession
    from desktop_app.ui.shell.session import WindowSession

ServeCommand: TypeAlias = Callable[..., Awaitable[None]]
Compose: TypeAlias = Callable[[], Awaitable[WindowServices]]
MakeSession: TypeAlias = "Callable[[DataPaths, Compose], WindowSession | QuickSession]"

HUNG_S = 3.5
"""Seconds for the orderly end once what was typed is stored."""
END_S: Final = 10.0
"""Seconds for an end without a screen; what is not kept by then is found as after a crash."""


def live(
    app: QApplication,
    make_session: MakeSession,
    instance: SingleInstance,
    paths: DataPaths,
    options: WindowOptions,
    *,
    load_command_service: Callable[[], ServeCommand] | None,
) -> int:
    """Runs the session that is made here up to its end; its status, below 0 to start again."""
    redaction = Redaction()

    async def compose() -> WindowServices:
        composition = await asyncio.to_thread(importlib.import_module, "desktop_app.composition")
        services: WindowServices = await composition.compose(
            paths,
            environ=os.environ,
            default_backend=options.backend,
            interactive=True,
            reading=True,
            redaction=redaction,
        )
        return services

    async def run(session: WindowSession | QuickSession) -> int:
        running = asyncio.ensure_future(session.run())
        # Whoever finds the socket finds a window that ends in order on a signal.
        await asyncio.sleep(0)
        instance.listen()
        try:
            return await running
        finally:
            if serving:  # their turns have ended with the services
                await asyncio.wait(serving, timeout=END_S)

    serving: set[asyncio.Task[None]] = set()
    told: dict[str, Any] = {}  # what a chat on the command line was told, from one of its turns to the next

    async def serve(session: WindowSession | QuickSession, link: CommandLink) -> None:
        if load_command_service is None:
            link.close()
            return
        serve_command = await asyncio.to_thread(load_command_service)
        services = session.presence.app_state.services
        await serve_command(link, services, os.environ, named_backend=options.backend, told=told)

    def take_command(link: CommandLink) -> None:
        task = loop.create_task(serve(session, link))
        serving.add(task)
        task.add_done_callback(serving.discard)

    close_log = open_log(paths.log, redact=redaction.of_error)
    loop = _made_loop(app)
    report_loop_errors(loop, paths.logs)
    try:
        session = make_session(paths, compose)
        session.kept.add_done_callback(partial(_limit_end, instance))
        instance.arguments_received.connect(session.take_arguments)
        instance.command_came.connect(take_command)
        living = asyncio.ensure_future(run(session), loop=loop)
        # not until complete: that handles events outside of the loop where Qt left it before the end
        living.add_done_callback(lambda _: loop.stop())
        loop.run_forever()
        if not living.done():
            _end_without_display(loop, session, living)
        return living.result()
    finally:
        loop.close()
        asyncio.set_event_loop(None)
        close_log()


def _made_loop(app: QApplication) -> QEventLoop:
    loop = qasync.QEventLoop(app)
    loop.set_default_executor(DaemonThreads())
    asyncio.set_event_loop(loop)
    return loop


def _limit_end(instance: SingleInstance, kept: asyncio.Future[int]) -> None:
    """Limit how long the end takes: what was typed is stored, and whatever hangs from now on keeps nobody waiting."""
    instance.stop_listening()

    def end() -> None:
        status = kept.result()
        logging.getLogger(__name__).warning("the end took more than %d s and was cut off", HUNG_S)
        if status < 0:
            start_again()
        os._exit(max(0, status))

    timer = threading.Timer(HUNG_S, end)
    timer.daemon = True
    timer.start()


def _end_without_display(loop: QEventLoop, session: WindowSession | QuickSession, living: asyncio.Future[int]) -> None:
    """Ends in order where Qt gave up, as the screen's server is gone: what is under way is kept, the history closed.

    Qt leaves its loop again after each round, so it is entered until the end is reached. Left alone the history's
    thread would keep a process alive that nobody sees.
    """
    session.end(NO_ANSWER)
    until = monotonic() + END_S
    while not living.done():
        if monotonic() > until:
            os._exit(NO_ANSWER)
        loop.run_forever()
