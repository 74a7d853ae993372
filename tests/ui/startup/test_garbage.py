"""Cyclic garbage is collected on the GUI thread, and nobody is woken for it while nothing happens."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.ui.startup.garbage import LOADED, MANY, QUIET_LOOKS, QUIET_S, YOUNG, GarbageCollection


@pytest.fixture
def collection(qapp: QApplication) -> Iterator[GarbageCollection]:
    owner = QObject()
    made = GarbageCollection(owner)
    made.start()
    yield made
    made.stop()


def timer_of(collection: GarbageCollection) -> QTimer:
    """The one whose end is a look."""
    (timer,) = collection.findChildren(QTimer)
    return timer


def rest(collection: GarbageCollection) -> None:
    gc.collect()
    for _ in range(QUIET_LOOKS + 2):
        timer_of(collection).timeout.emit()


def test_it_wakes_nobody_once_nothing_happens(collection: GarbageCollection) -> None:
    assert timer_of(collection).isActive()
    rest(collection)
    assert not timer_of(collection).isActive()


def test_it_looks_again_as_soon_as_something_else_made_objects(collection: GarbageCollection) -> None:
    rest(collection)
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    dispatcher.awake.emit()
    assert not timer_of(collection).isActive(), "a cursor that blinks is no reason"
    made = [[] for _ in range(2 * YOUNG)]  # type: ignore[var-annotated]
    dispatcher.awake.emit()
    assert timer_of(collection).isActive()
    assert len(made) == 2 * YOUNG


def test_after_its_end_nothing_looks(collection: GarbageCollection) -> None:
    rest(collection)
    collection.stop()
    made = [[] for _ in range(2 * YOUNG)]  # type: ignore[var-annotated]
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    dispatcher.awake.emit()
    assert not timer_of(collection).isActive()
    assert len(made) == 2 * YOUNG


def look_after(collection: GarbageCollection, made: int, *, busy: bool) -> int:
    """Makes so many objects, works or does not, and looks; which generation was collected, -1: none."""
    collected: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            collected.append(info["generation"])

    held.extend([] for _ in range(made))
    until = time.thread_time() + 2 * QUIET_S
    while busy and time.thread_time() < until:
        pass
    gc.callbacks.append(note)
    try:
        timer_of(collection).timeout.emit()
    finally:
        gc.callbacks.remove(note)
    return collected[0] if collected else -1


held: list[list[int]] = []


def begin(collection: GarbageCollection) -> None:
    """Nothing waits to be looked through."""
    held.clear()
    gc.collect()
    timer_of(collection).timeout.emit()


def test_no_collection_falls_between_busy_frames_until_many_objects_wait(collection: GarbageCollection) -> None:
    begin(collection)
    step = LOADED - 2 * YOUNG
    frozen = gc.get_freeze_count()
    looks = [look_after(collection, step, busy=True) for _ in range(MANY // step)]
    assert set(looks) == {-1}
    assert look_after(collection, step, busy=True) == 0
    assert gc.get_freeze_count() <= frozen, "what comes slowly is not taken for a thread that was opened"


def test_the_first_quiet_look_collects_what_waits(collection: GarbageCollection) -> None:
    begin(collection)
    assert look_after(collection, 2 * YOUNG, busy=True) == -1
    assert look_after(collection, 0, busy=False) == 0
