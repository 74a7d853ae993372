"""Owns when code is coloured: lexers are loaded on a thread, lexing runs in short slices. Knows no item's layout."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from pygments.lexer import Lexer

#: Longest uninterrupted lexing on the GUI thread.
SLICE_S = 0.003
#: So long a lexer waits for a quiet moment: its import would share the processor with the painting of the very message
#: that it is for. At a start that is the window's first paint.
LOAD_AFTER_MS = 60
#: How often it is looked whether a lexer is there, while one is awaited.
LOOK_MS = 8


class Colourable(Protocol):
    """Something with code in a language."""

    language: str

    def colour(self, lexer: Lexer) -> Iterator[object]:
        """Lexes what is new, a little with every step."""
        ...


class Highlighter(QObject):
    """Colours the items it is given, the newest first. `coloured` is emitted after each slice that did something."""

    coloured = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lexers: dict[str, Lexer | None] = {}
        self._waiting: dict[str, list[Colourable]] = {}
        self._running: list[tuple[Colourable, Iterator[object]]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)
        # Between two threads: the one that loads knows no Qt object, as the window may be closed at any moment.
        self._loaded: deque[tuple[str, Lexer | None]] = deque()
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._take)

    @property
    def busy(self) -> bool:
        """True while code is still to be coloured."""
        return bool(self._waiting or self._running)

    def add(self, item: Colourable) -> None:
        """Colours an item soon. Adding it again starts over with what is new in it."""
        language = item.language.lower()
        if language in self._lexers:
            self._start(item)
            return
        if language in self._waiting:
            self._waiting[language].append(item)
            return
        self._waiting[language] = [item]
        QTimer.singleShot(LOAD_AFTER_MS, self, partial(self._load_beside, language))

    def colour_now(self, item: Colourable) -> bool:
        """Colours one slice at once, the rest soon; True if something was coloured."""
        lexer = self._lexers.get(item.language.lower())
        if lexer is None:
            self.add(item)
            return False
        work = item.colour(lexer)
        deadline = time.perf_counter() + SLICE_S / 2
        for _ in work:
            if time.perf_counter() > deadline:
                self._forget(item)
                self._running.append((item, work))
                self._timer.start()
                break
        return True

    def clear(self) -> None:
        """Forgets all items; loaded lexers stay."""
        self._running.clear()
        self._waiting = {language: [] for language in self._waiting}

    def _load_beside(self, language: str) -> None:
        # importing a lexer takes 2-30 ms and cannot be sliced; a daemon, so that it never holds up the exit
        threading.Thread(target=_load, args=(language, self._loaded), name="lexer", daemon=True).start()
        if not self._look.isActive():
            self._look.start()

    def _take(self) -> None:
        while self._loaded:
            language, lexer = self._loaded.popleft()
            self._lexers[language] = lexer
            for item in self._waiting.pop(language, ()):
                self._start(item)
        if not self._waiting:
            self._look.stop()

    def _start(self, item: Colourable) -> None:
        lexer = self._lexers[item.language.lower()]
        if lexer is None:
            return
        self._forget(item)
        self._running.append((item, item.colour(lexer)))
        self._timer.start()

    def _forget(self, item: Colourable) -> None:
        self._running = [pair for pair in self._running if pair[0] is not item]

    def _work(self) -> None:
        deadline = time.perf_counter() + SLICE_S
        while self._running:
            _, work = self._running[-1]
            for _ in work:
                if time.perf_counter() > deadline:
                    self.coloured.emit()
                    return
            self._running.pop()
        self._timer.stop()
        self.coloured.emit()


def _load(language: str, loaded: deque[tuple[str, Lexer | None]]) -> None:
    from desktop_app.ui.transcript.lexing import find_lexer  # Pygments is not needed before

    loaded.append((language, find_lexer(language)))
