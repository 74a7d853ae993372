"""The process that typesets: it answers, is ended with its window, and is given up where it only dies."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
import weakref

import psutil
import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from desktop_app.system.own_processes import TYPESET_FORMULAS
from desktop_app.ui.transcript.formulas import inline_formulas as cache
from desktop_app.ui.transcript.formulas.formula_typesetter import MOST_FAILURES, Answer, FormulaTypesetter, Key
from desktop_app.ui.transcript.formulas.inline_formulas import (
    MOST_IN_VAIN,
    MOST_POINTS,
    SHORT,
    FormulaCache,
    FormulaDrawing,
)
from tests.fakes.formula_press import GatedPress, box
from tests.patience import PATIENCE_S

Answers = queue.SimpleQueue[tuple[Key, Answer | None]]


def asking(answers: Answers, *, command: str = "", idle_s: float = 60.0) -> FormulaTypesetter:
    """A press that puts its answers there; its process runs this Python source, if it is given."""
    argv = [sys.executable, "-c", command] if command else []
    return FormulaTypesetter(lambda key, answer: answers.put((key, answer)), command=argv, idle_s=idle_s)


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.slow
def test_formulas_are_typeset_by_a_process_that_ends_with_the_press() -> None:
    answers: Answers = queue.SimpleQueue()
    before = children()
    press = asking(answers)
    press.get_ready()
    press.ask((r"\frac{a}{b}", True))
    press.ask((r"\foo", False))
    got = dict(answers.get(timeout=PATIENCE_S) for _ in range(2))
    drawn, failed = got[r"\frac{a}{b}", True], got[r"\foo", False]
    assert drawn is not None
    assert FormulaDrawing.of(drawn).path.boundingRect().width() == pytest.approx(drawn["width"], abs=300)
    assert failed == {"failed": "an unknown command"}
    assert press.heard is not None
    (child,) = [one for one in children() if one not in before]
    press.close()
    psutil.wait_procs([child], timeout=PATIENCE_S)
    assert not child.is_running()
    press.ask(("x", True))
    assert not [thread for thread in threading.enumerate() if thread.name == "formulas" and _alive(thread)]


def _alive(thread: threading.Thread) -> bool:
    thread.join(PATIENCE_S)
    return thread.is_alive()


@pytest.mark.slow
def test_the_process_ends_after_a_rest_and_comes_again() -> None:
    answers: Answers = queue.SimpleQueue()
    press = asking(answers, command="import sys\nfor line in sys.stdin: print('{\"n\": 1}', flush=True)", idle_s=0.05)
    press.ask(("x", True))
    assert answers.get(timeout=PATIENCE_S) == (("x", True), {"n": 1})
    _alive(next(thread for thread in threading.enumerate() if thread.name == "formulas"))
    assert press.heard is None
    press.ask(("y", True))
    assert answers.get(timeout=PATIENCE_S) == (("y", True), {"n": 1})
    press.close()


def test_a_process_that_only_dies_is_given_up() -> None:
    answers: Answers = queue.SimpleQueue()
    press = asking(answers, command="raise SystemExit(1)")
    for number in range(MOST_FAILURES + 3):
        press.ask((f"x_{number}", True))
    assert {answers.get(timeout=PATIENCE_S)[1] for _ in range(MOST_FAILURES + 3)} == {None}
    assert press.failures == MOST_FAILURES
    press.close()


@pytest.mark.slow
def test_the_hidden_argument_makes_the_app_this_process() -> None:
    command = [sys.executable, "-m", "desktop_app", TYPESET_FORMULAS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        started.stdin.write(b'{"tex": "x^2", "display": true}\n')
        started.stdin.flush()
        assert json.loads(started.stdout.readline())["width"] > 500
        started.stdin.close()
        assert started.wait(PATIENCE_S) == 0


def test_a_formula_is_asked_for_once_and_kept(qtbot: QtBot) -> None:
    formulas = FormulaCache(press=GatedPress)
    press = formulas.typesetter
    assert isinstance(press, GatedPress)
    assert formulas.find("x", display=False) is None
    assert formulas.find("x", display=False) is None
    assert press.asked == [("x", False)]
    with qtbot.waitSignal(formulas.arrived):
        press.answer("x")
    drawing = formulas.find("x", display=False)
    assert drawing is not None
    assert drawing.width == 2_000
    assert formulas.find("x", display=True) is None, "in a line of its own it is another drawing"
    assert formulas.find("x" * 3_000, display=True) is None
    assert press.asked == [("x", True)], "what is too long is not asked for"
    formulas.close()


def test_arrivals_are_told_together(qtbot: QtBot) -> None:
    formulas = FormulaCache(press=GatedPress)
    press, told = formulas.typesetter, []
    assert isinstance(press, GatedPress)
    formulas.arrived.connect(lambda: told.append(1))
    for number in range(20):
        formulas.find(f"x_{number}", display=False)
    for number in range(20):
        press.answer(f"x_{number}")
    qtbot.waitUntil(lambda: not formulas.busy)
    assert len(told) == 1


def test_what_is_waited_for_comes_first_and_the_longest_awaited_before_all() -> None:
    press = asking(queue.SimpleQueue())
    press._thread = threading.current_thread()  # no other one takes the orders
    for name in "abcd":
        press.ask((name, False))
    for name in "acac":  # whenever the text is laid out again
        press.hurry((name, False))
    assert [press._next()[1] for _ in range(4)] == [("a", False), ("c", False), ("d", False), ("b", False)]


def test_those_that_were_asked_for_while_the_process_started_are_still_waited_for() -> None:
    formulas = FormulaCache(press=GatedPress)
    now = time.monotonic()
    formulas.find("x", display=False)
    earlier = now - 2 * cache.HOLD_S
    formulas.typesetter.heard = None
    assert formulas.waits("x", earlier, display=False), "it is only starting"
    formulas.typesetter.heard = now
    assert formulas.waits("x", earlier, display=False), "another one came, this may be next"
    assert not formulas.waits("x", now - cache.COLD_HOLD_S, display=False)
    formulas.typesetter.heard = earlier
    assert not formulas.waits("x", earlier, display=False), "nothing comes any more"
    formulas.close()


def test_a_growing_text_waits_for_a_formula_only_so_long(qtbot: QtBot) -> None:
    formulas = FormulaCache(press=GatedPress)
    assert formulas.find("x", display=False) is None
    since = time.monotonic()
    assert formulas.waits("x", since, display=False)
    with qtbot.waitSignal(formulas.arrived):
        pass
    assert not formulas.waits("x", since, display=False)
    assert not formulas.waits("never asked", time.monotonic(), display=False)
    formulas.close()


def test_what_is_kept_is_bounded(qtbot: QtBot) -> None:
    formulas = FormulaCache(press=GatedPress)
    press = formulas.typesetter
    assert isinstance(press, GatedPress)
    heavy = box()
    heavy = {**heavy, "path": [*heavy["path"]] * (MOST_POINTS // 25)}
    for number in range(8):
        formulas.find(f"x_{number}", display=False)
        press.answer(f"x_{number}", heavy)
    qtbot.waitUntil(lambda: not formulas.busy)
    assert 2 < len(formulas.kept) < 8
    assert formulas.weight <= MOST_POINTS
    assert formulas.find("x_7", display=False) is not None
    assert formulas.find("x_0", display=False) is None
    formulas.close()


def test_formulas_that_use_up_their_time_are_not_typeset_for_ever(qtbot: QtBot) -> None:
    formulas = FormulaCache(press=GatedPress)
    press = formulas.typesetter
    assert isinstance(press, GatedPress)
    for number in range(MOST_IN_VAIN):
        formulas.find(f"x_{number}", display=False)
        press.answer(f"x_{number}", {"failed": "time"})
    qtbot.waitUntil(lambda: not formulas.busy)
    formulas.find("y" * (SHORT + 1), display=False)
    assert press.asked == []
    formulas.find("y", display=False)
    assert press.asked == [("y", False)]
    formulas.close()


def test_an_answer_that_comes_after_the_window_touches_nothing_of_it(qtbot: QtBot) -> None:
    """Qt crashes where a thread touches what the window's own is destroying."""
    formulas = FormulaCache(press=GatedPress)
    press = formulas.typesetter
    assert isinstance(press, GatedPress)
    formulas.find("x", display=False)
    gone = weakref.ref(formulas)
    shiboken6.delete(formulas)
    del formulas
    assert gone() is None, "what answers holds nothing of it"
    press.answer("x")
