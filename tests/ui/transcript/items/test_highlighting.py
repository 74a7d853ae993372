"""A lexer is loaded beside the window, and the window may be gone when it comes."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import shiboken6
from pygments.lexer import Lexer
from pygments.lexers.python import PythonLexer
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.items.highlighting import MOST_S, Highlighter
from tests.patience import PATIENCE_S


@dataclass
class Code:
    """Something to color in one step."""

    language: str = "python"
    highlighted: bool = False

    def highlight(self, lexer: Lexer) -> Iterator[object]:
        self.highlighted = isinstance(lexer, PythonLexer)
        yield None

    def give_up_highlighting(self) -> None:
        raise AssertionError("one step is no reason")


@dataclass
class SlowLoading:
    """Loads a lexer when a test says so."""

    asked: threading.Event
    go_on: threading.Event

    def find_lexer(self, language: str) -> Lexer:
        self.asked.set()
        assert self.go_on.wait(PATIENCE_S)
        return PythonLexer()

    def end(self) -> None:
        self.go_on.set()
        for thread in threading.enumerate():
            if thread.name == "lexer":
                thread.join(PATIENCE_S)


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowLoading]:
    made = SlowLoading(threading.Event(), threading.Event())
    monkeypatch.setattr("desktop_app.core.code_lexing.find_lexer", made.find_lexer)
    yield made
    made.end()


def test_code_waits_for_its_lexer(loading: SlowLoading, qtbot: QtBot) -> None:
    highlighter, code, more = Highlighter(), Code(), Code()
    highlighter.add(code)
    qtbot.waitUntil(loading.asked.is_set)
    highlighter.add(more)
    assert highlighter.busy
    with qtbot.waitSignal(highlighter.highlighted):
        loading.end()
    assert (code.highlighted, more.highlighted, highlighter.busy) == (True, True, False)


def test_what_loads_a_lexer_has_nothing_of_the_window(loading: SlowLoading, qtbot: QtBot) -> None:
    """Qt crashes where a thread touches what the window's own is destroying."""
    highlighter, code = Highlighter(), Code()
    highlighter.add(code)
    qtbot.waitUntil(loading.asked.is_set)
    gone = weakref.ref(highlighter)
    shiboken6.delete(highlighter)
    del highlighter
    assert gone() is None
    loading.end()
    assert not code.highlighted


@dataclass
class Endless:
    """Code whose lexer needs so many seconds of each step's clock."""

    seconds: float
    clock: list[float]
    language: str = "python"
    steps: int = 0
    given_up: bool = False

    def highlight(self, lexer: Lexer) -> Iterator[object]:
        while True:
            self.clock[0] += self.seconds
            self.steps += 1
            yield None

    def give_up_highlighting(self) -> None:
        self.given_up = True


@pytest.mark.parametrize(("seconds", "most"), [(1.0, 1), (0.01, MOST_S / 0.01 + 2)])
def test_code_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, seconds: float, most: float
) -> None:
    clock = [0.0]
    monkeypatch.setattr("desktop_app.ui.transcript.items.highlighting.time.thread_time", lambda: clock[0])
    highlighter, code = Highlighter(), Endless(seconds, clock)
    highlighter.add(code)
    qtbot.waitUntil(lambda: code.given_up)
    assert code.steps <= most
    qtbot.waitUntil(lambda: not highlighter.busy)
