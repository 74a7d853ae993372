"""What is imported beside a living window neither stalls it at a collection nor keeps the interpreter for long."""

from __future__ import annotations

import gc
import sys
import time
import types
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from desktop_app.ui.startup.background_imports import GIVE_WAY_S, give_way_sooner
from desktop_app.ui.startup.garbage import DUE, LOOK_MS, QUIET_LOOKS, QUIET_S, YOUNG, GarbageCollection

MANY = 100_000


@pytest.fixture
def collection(qtbot: QtBot) -> Iterator[GarbageCollection]:
    parent = QObject()
    made = GarbageCollection(parent)
    made.start()
    yield made
    made.stop()


class Knot:
    """An object in a cycle: only a collection ends it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_a_module_brings_is_never_looked_through(
    collection: GarbageCollection, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: gc.get_count()[0] < YOUNG)
    before = gc.get_freeze_count()
    brought = [[number] for number in range(MANY)]
    monkeypatch.setitem(sys.modules, "brought_by_a_test", types.ModuleType("brought_by_a_test"))
    # some of what was put aside before may end meanwhile
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + MANY * 9 // 10)
    assert len(brought) == MANY


def test_a_long_thread_that_was_read_is_not_looked_through(collection: GarbageCollection, qtbot: QtBot) -> None:
    qtbot.wait(250)
    before = gc.get_freeze_count()
    read = [[number] for number in range(MANY)]
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + MANY * 9 // 10)
    assert len(read) == MANY


@pytest.mark.slow
def test_a_full_round_waits_until_nothing_happens(
    collection: GarbageCollection, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.wait(250)
    rounds: list[int] = []
    monkeypatch.setattr(gc, "collect", rounds.append)
    collection._new = DUE

    def work() -> None:
        until = time.thread_time() + 2 * QUIET_S
        while time.thread_time() < until:
            pass

    working = QTimer()
    working.timeout.connect(work)
    working.start(LOOK_MS // 4)
    qtbot.wait((QUIET_LOOKS + 5) * LOOK_MS)
    working.stop()
    assert 2 not in rounds
    # asked seldom: to ask is work as well
    for _ in range(100):
        if 2 in rounds:
            break
        qtbot.wait(QUIET_LOOKS * LOOK_MS)
    assert 2 in rounds
    qtbot.wait(3 * LOOK_MS)
    assert rounds.count(2) == 1


def test_garbage_is_collected_where_nothing_was_imported(collection: GarbageCollection, qtbot: QtBot) -> None:
    qtbot.wait(250)  # the first look finds what was imported before
    knot = Knot()
    gone = weakref.ref(knot)
    del knot
    kept = [[number] for number in range(2 * YOUNG)]
    qtbot.waitUntil(lambda: gone() is None)
    assert kept


def test_other_threads_give_way_soon() -> None:
    before = sys.getswitchinterval()
    try:
        give_way_sooner()
        assert sys.getswitchinterval() == pytest.approx(GIVE_WAY_S)
    finally:
        sys.setswitchinterval(before)
