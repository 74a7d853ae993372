"""Cyclic garbage is collected on the GUI thread, and nobody is woken for it while nothing happens."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.ui.startup.garbage import QUIET_LOOKS, YOUNG, GarbageCollection


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
