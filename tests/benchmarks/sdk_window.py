"""Owns a window beside which something large is imported, and tells how long its GUI thread had to wait for that.

A program of its own, as each import can be measured once: `python -m tests.benchmarks.sdk_window FOLDER WHAT WHEN HOW`
prints one line of JSON, see `Noticed`. WHAT is one of `LOADS`. WHEN is `paint` (as soon as the window lives) or `keys`
(while a key is pressed every 40 ms). HOW is one of `WAYS`: as the app does it, or as it could be done.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.ui.shell.session import WindowSession
    from desktop_app.ui.state.services import WindowServices

LOADS: Final = ("anthropic", "openai", "keyring")
WAYS: Final = (
    "as built",
    "Python's switch interval",
    "all looked through",
    "neither",
    "in pieces",
    "in a child process",
)
KEYS: Final = {"ANTHROPIC_API_KEY": "sk-bench", "OPENAI_API_KEY": "sk-bench"}

_PIECE_S: Final = 0.001
"""The pause after each module where it is imported in pieces."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """All in milliseconds: the longest gap of a timer of 1 ms.

    `start`: from the first paint until the window lives, while controller and storage are imported. `resting`: while
    nothing is imported, but keys come. `loading`: while it is imported, which took `took`; `key`: one key with its
    repaint meanwhile. `after`: in the collection that follows.
    """

    start: float
    resting: float
    loading: float
    key: float
    after: float
    took: float


class Beat:
    """A timer of 1 ms on the GUI thread; the longest gap between two of its ticks is the longest stall."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._last = time.perf_counter()
        self._longest = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def taken(self) -> float:
        """Milliseconds of the longest gap since the last call, the one that is open now included."""
        self._tick()
        longest, self._longest = self._longest, 0.0
        return longest * 1e3


class Typing:
    """Presses a key every 40 ms, as a fast typist does."""

    def __init__(self, editor: QWidget) -> None:
        from PySide6.QtCore import QTimer

        self.longest_ms = 0.0
        self._editor = editor
        self._timer = QTimer()
        self._timer.timeout.connect(self._press)
        self._timer.start(40)

    def _press(self) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent, Qt
        from PySide6.QtGui import QKeyEvent

        begun = time.perf_counter()
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            key = QKeyEvent(kind, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
            QCoreApplication.sendEvent(self._editor, key)
        self._editor.repaint()
        self.longest_ms = max(self.longest_ms, (time.perf_counter() - begun) * 1e3)

    def stop(self) -> None:
        self._timer.stop()


class InPieces(MetaPathFinder):
    """Finds nothing; whoever imports a module on another thread sleeps a little first."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        del fullname, path, target
        if threading.current_thread() is not threading.main_thread():
            time.sleep(_PIECE_S)


async def _load(what: str, how: str, services: WindowServices) -> None:
    if how == "in a child process":
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", f"import {what}")
        await child.wait()
    elif what == "keyring":
        # on a computer without a keyring it is imported all the same
        await asyncio.to_thread(importlib.import_module, what)
        with suppress(Exception):
            await services.secrets.get("none")
    else:
        await services.backends[what].prepare()


def _set_up(how: str) -> None:
    """What has to be done otherwise before the window is there."""
    from desktop_app.ui.startup.garbage import GarbageCollection

    if how in ("all looked through", "neither"):
        GarbageCollection._came_modules = lambda collection: False  # type: ignore[method-assign, assignment]
    if how in ("Python's switch interval", "neither"):
        from desktop_app.ui.startup import background_imports as imports

        imports.GIVE_WAY_S = 0.005
    if how == "in pieces":
        sys.meta_path.insert(0, InPieces())


def main(folder: str, what: str, when: str, how: str) -> None:
    """Opens the window, loads, prints, and closes it."""
    gc.disable()  # as app.main does before it imports what follows
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ |= KEYS
    from desktop_app.ui.startup.pyside import import_pyside

    import_pyside()
    from desktop_app.__main__ import main as plimsoll
    from desktop_app.ui.shell import opening

    _set_up(how)
    beats: list[Beat] = []

    class Watched(opening.Opening):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.window.first_painted.connect(lambda: beats.append(Beat()))

    opening.Opening = Watched  # type: ignore[misc]
    _measure_when_open(what, when, how, beats)
    plimsoll(["--data-dir", folder, "--backend", "scripted"])


def _measure_when_open(what: str, when: str, how: str, beats: list[Beat]) -> None:
    from desktop_app.ui.shell.session import WindowSession

    open_first: Callable[[WindowSession, WindowServices], Awaitable[None]] = WindowSession._open_first

    async def opened(session: WindowSession, services: WindowServices) -> None:
        await open_first(session, services)
        beat = beats[0]
        start, resting, typing = beat.taken(), 0.0, None
        if when == "keys":
            typing = Typing(session.window.composer.editor)
            await asyncio.sleep(0.5)
            beat.taken()  # the first key has work of its own
            await asyncio.sleep(0.5)
            resting = beat.taken()
            typing.longest_ms = 0.0
        begun = time.perf_counter()
        await _load(what, how, services)
        took = (time.perf_counter() - begun) * 1e3
        loading = beat.taken()
        if typing is not None:
            typing.stop()
        # the timer of the collection comes by, and later looks through all that came since
        await asyncio.sleep(0.3)
        begun = time.perf_counter()
        gc.collect(1)
        after = max(beat.taken(), (time.perf_counter() - begun) * 1e3)
        key = 0.0 if typing is None else typing.longest_ms
        print(json.dumps(asdict(Noticed(start, resting, loading, key, after, took))), flush=True)
        session.window.close()

    WindowSession._open_first = opened  # type: ignore[method-assign, assignment]


def noticed(line: Mapping[str, float]) -> Noticed:
    """What a child printed."""
    return Noticed(**line)


if __name__ == "__main__":
    main(*sys.argv[1:])
