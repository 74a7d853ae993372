"""Starts the window: what is imported and done before the first paint, and what after it.

The order is the promise of speed: Qt, the panes, one look into the history file by plain SQLite, the first paint. Then
the rest of the app is imported in slices between which the window lives, and storage and SDKs off the GUI thread.
Little is imported with this module, as the order is its own.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.paths import DataPaths, data_paths
from desktop_app.ui.startup.pyside import import_pyside
from desktop_app.window_options import NO_ANSWER, WindowOptions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop_app.core.errors import PlimsollError
    from desktop_app.ui.quick.quick_window import QuickOpening
    from desktop_app.ui.shell.opening import Opening
    from desktop_app.ui.shell.quick_session import QuickSession
    from desktop_app.ui.shell.session import WindowSession
    from desktop_app.window_life import Compose, MakeSession, ServeCommand

STORE_FAILED = 6
"""Exit status where the data folder can't be used (PRODUCT.md section 6)."""
MAY_ANSWER = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "PLIMSOLL_CLAUDE"),
)
"""Variables of which one may mean that a model answers without anything being set up."""

NO_DISPLAY = (
    "plimsoll: there is no display here, so no window can open. Start it in a desktop session; without one, "
    "`plimsoll ask` and `plimsoll chat` work in a terminal.\n"
)
NO_LIBRARIES = (
    "plimsoll: libraries that the window needs are missing ({told}). On Debian and Ubuntu: apt-get install libgl1 "
    "libegl1 libdbus-1-3 libfontconfig1 libglib2.0-0 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 "
    "libxcb-shape0.\n"
)
UNREACHABLE = NO_DISPLAY.replace("there is no display here", "the display can't be reached")
CONFIG_FAILED = 3


def main(options: WindowOptions, load_command_service: Callable[[], ServeCommand] | None = None) -> int:
    """Opens the window, or hands the arguments to the one that is open; returns the exit status when it is closed.

    `load_command_service`: loads what runs the turns of commands, when the first comes; it may take its time.
    """
    # A start makes 100,000 objects that stay; looking through them again and again takes 30 ms before the paint and
    # stalls the window after it. The session's `GarbageCollection` takes over from here.
    gc.disable()
    try:
        return _open(options, load_command_service)
    finally:
        gc.enable()


def _refusal() -> type[PlimsollError]:
    """The class of errors that are no bugs; a start without any does not load it."""
    from desktop_app.core.errors import PlimsollError

    return PlimsollError


def _open(options: WindowOptions, load_command_service: Callable[[], ServeCommand] | None) -> int:
    if not _has_display():
        sys.stderr.write(NO_DISPLAY)
        return CONFIG_FAILED
    try:
        paths = data_paths(options.data_dir, os.environ).make(reading=True)
    except _refusal() as error:
        sys.stderr.write(f"plimsoll: {error.failure.message}\n")
        return STORE_FAILED
    app = _made_application()
    from desktop_app.ui.startup.single_instance import SingleInstance, hand_over

    instance = SingleInstance(paths.root)
    arguments = {"open_thread": options.open_thread, "quick": options.quick}
    while not instance.claim():
        if not instance.disk_failed and hand_over(paths.root, arguments, claim=instance.claim):
            return 0
        if not instance.claim():
            from desktop_app.ui.startup.restart import gave_way

            problem = instance.disk_problem(paths.history)
            silent = f"the window that is open for {paths.root} does not respond."
            sys.stderr.write(f"plimsoll: {problem.failure.message if problem else silent}\n")
            if not gave_way(app, instance, paths.settings, problem):
                return STORE_FAILED if problem else NO_ANSWER
    try:
        make_session = (_open_quick if options.quick and not options.open_thread else _open_window)(app, paths, options)
        if make_session is None:
            return 0
        from desktop_app.window_life import live

        status = live(app, make_session, instance, paths, options, load_command_service=load_command_service)
    finally:
        instance.close()
    if status < 0:
        from desktop_app.ui.startup.restart import start_again

        start_again()
    return max(0, status)


def _open_window(app: QApplication, paths: DataPaths, options: WindowOptions) -> MakeSession | None:
    """Paints the window and loads the rest of it; None where it was closed meanwhile."""
    from desktop_app.ui.shell.opening import Opening
    from desktop_app.ui.startup.background_imports import BESIDE, SLICES, Slices

    opening = Opening(
        app,
        paths,
        open_thread=options.open_thread,
        reset_layout=options.reset_layout,
        safe_mode=options.safe_mode,
        greets=options.backend is None and _is_bare(paths),
    )
    # the pane with the ways to a model is wired with the rest, and takes as long as all of that together
    if Slices(BESIDE, SLICES, opening.window, [lambda: opening.window.stage.welcome]).run(app):
        return None
    return partial(_window_session, opening, options.open_thread)


def _open_quick(app: QApplication, paths: DataPaths, options: WindowOptions) -> MakeSession | None:
    """Paints the quick line and loads what asking needs; None where it was closed meanwhile."""
    from desktop_app.ui.quick.quick_window import QuickOpening
    from desktop_app.ui.startup.background_imports import BESIDE, QUICK_SLICES, Slices

    opening = QuickOpening(app, paths, safe_mode=options.safe_mode)
    if Slices(BESIDE, QUICK_SLICES, opening.window).run(app):
        opening.keep_draft()
        return None
    return partial(_quick_session, app, opening)


def _window_session(opening: Opening, open_thread: str | None, paths: DataPaths, compose: Compose) -> WindowSession:
    from desktop_app.ui.shell.session import WindowSession

    return WindowSession(opening, paths, compose, open_thread=open_thread)


def _quick_session(app: QApplication, opening: QuickOpening, paths: DataPaths, compose: Compose) -> QuickSession:
    from desktop_app.ui.shell.quick_session import QuickSession

    return QuickSession(app, opening, paths, compose)


def _is_bare(paths: DataPaths) -> bool:
    """Return True if nothing was ever set up here, as far as that can be seen at once: asking comes after the paint."""
    import shutil

    known = paths.history.exists() or paths.settings.exists() or any(map(os.environ.get, MAY_ANSWER))
    return not known and shutil.which("claude") is None


def _has_display() -> bool:
    """False on Linux without a screen: Qt would end the whole process there, with words about its plugins."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in named)


def _made_application() -> QApplication:
    """The application; where Qt finds no screen, it would abort with words about its plugins, and the process ends."""
    try:
        import_pyside()
        from desktop_app.ui.startup.background_imports import give_way_sooner

        give_way_sooner()
        from PySide6.QtCore import QtMsgType, qInstallMessageHandler

        from desktop_app.ui.startup.single_instance import make_application
    except ImportError as error:
        if ".so" not in str(error):
            raise
        sys.stderr.write(NO_LIBRARIES.format(told=error))
        sys.exit(CONFIG_FAILED)
    told: list[str] = []

    def note(kind: QtMsgType, _: object, text: str) -> None:
        told.append(text)
        if kind is QtMsgType.QtFatalMsg:
            unreachable = any("could not connect to display" in line for line in told)
            sys.stderr.write(UNREACHABLE if unreachable else NO_LIBRARIES.format(told=told[0].strip()))
            os._exit(CONFIG_FAILED)

    qInstallMessageHandler(note)
    try:
        return make_application()
    finally:
        qInstallMessageHandler(None)
        sys.stderr.writelines(f"{line}\n" for line in told)
