"""The times at which code is colored: lexers are loaded on a thread, lexing runs in short slices."""

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
#: Code that takes longer, in one step or in all, is colored no further: an expression of its lexer has met its match.
MOST_STEP_S = 0.05
MOST_S = 2.0
#: So long a lexer waits for a quiet moment: its import would share the processor with the painting of the very message
#: that it is for. At a start that is the window's first paint.
LOAD_AFTER_MS = 60
#: How often it is looked whether a lexer is there, while one is awaited.
LOOK_MS = 8


class Highlightable(Protocol):
    """Something with code in a language."""

    language: str

    def highlight(self, lexer: Lexer) -> Iterator[object]:
        """Lexes what is new, a little with every step."""

    def give_up_highlighting(self) -> None:
        """Colors no more of it."""


class _HighlightJob:
    """Colors one item step by step; gives it up where that takes too long."""

    def __init__(self, item: Highlightable, steps: Iterator[object]) -> None:
        self.item = item
        self._steps = steps
        self._spent = 0.0

    def work(self, seconds: float) -> bool:
        """Works for so long; False once nothing is left to do."""
        begun = last = time.thread_time()
        for _ in self._steps:
            now = time.thread_time()
            if now - last > MOST_STEP_S or self._spent + now - begun > MOST_S:
                self.item.give_up_highlighting()
                return False
            if now - begun > seconds:
                self._spent += now - begun
                return True
            last = now
        return False


class Highlighter(QObject):
    """Colors the items it is given, the newest first. `highlighted` is emitted after each slice that did something."""

    highlighted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lexers: dict[str, Lexer | None] = {}
        self._waiting: dict[str, list[Highlightable]] = {}
        self._running: list[_HighlightJob] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)
        # Between two threads: the one that loads knows no Qt object, as the window may be closed at any moment.
        self._loaded: deque[tuple[str, Lexer | None]] = deque()
        self._style = QTimer(self, interval=LOOK_MS)
        self._style.timeout.connect(self._take)

    @property
    def busy(self) -> bool:
        """True while code is still to be colored."""
        return bool(self._waiting or self._running)

    def add(self, item: Highlightable) -> None:
        """Colors an item soon. Adding it again starts over with what is new in it."""
        if (language := item.language.lower()) in self._lexers:
            self._start(item)
            return
        if language in self._waiting:
            self._waiting[language].append(item)
            return
        self._waiting[language] = [item]
        QTimer.singleShot(LOAD_AFTER_MS, self, partial(self._load_beside, language))

    def highlight_now(self, item: Highlightable) -> bool:
        """Colors one slice at once, the rest soon; True if something was colored."""
        if (lexer := self._lexers.get(item.language.lower())) is None:
            self.add(item)
            return False
        highlighting = _HighlightJob(item, item.highlight(lexer))
        if highlighting.work(SLICE_S / 2):
            self._forget(item)
            self._running.append(highlighting)
            self._timer.start()
        return True

    def clear(self) -> None:
        """Forgets all items; loaded lexers stay."""
        self._running.clear()
        self._waiting = {language: [] for language in self._waiting}

    def _load_beside(self, language: str) -> None:
        # importing a lexer takes 2-30 ms and cannot be sliced; a daemon, so that it never holds up the exit
        threading.Thread(target=_load, args=(language, self._loaded), name="lexer", daemon=True).start()
        if not self._style.isActive():
            self._style.start()

    def _take(self) -> None:
        while self._loaded:
            language, lexer = self._loaded.popleft()
            self._lexers[language] = lexer
            for item in self._waiting.pop(language, ()):
                self._start(item)
        if not self._waiting:
            self._style.stop()

    def _start(self, item: Highlightable) -> None:
        if (lexer := self._lexers[item.language.lower()]) is None:
            return
        self._forget(item)
        self._running.append(_HighlightJob(item, item.highlight(lexer)))
        self._timer.start()

    def _forget(self, item: Highlightable) -> None:
        self._running = [one for one in self._running if one.item is not item]

    def _work(self) -> None:
        deadline = time.perf_counter() + SLICE_S
        while self._running and (left := deadline - time.perf_counter()) > 0:
            highlighting = self._running[-1]
            if not highlighting.work(left) and highlighting in self._running:
                self._running.remove(highlighting)
        if self._running:
            self.highlighted.emit()
            return
        self._timer.stop()
        self.highlighted.emit()


def _load(language: str, loaded: deque[tuple[str, Lexer | None]]) -> None:
    from desktop_app.core.code_lexing import find_lexer  # Pygments is not needed before

    loaded.append((language, find_lexer(language)))
