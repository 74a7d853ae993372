"""A kind of announcement is a class and nothing more: the window's slots hear it by that class."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop_app.controller.ports import Announcements
from desktop_app.core.events import Announcement, DraftSaved, PromptsChanged
from desktop_app.ui.state.bridge import Bridge

pytestmark = pytest.mark.usefixtures("qapp")


@dataclass(frozen=True, slots=True)
class TideTurned(Announcement):
    """A kind that the product does not know."""

    height: int


class Harbour(QObject):
    """Hears the tide, until it is deleted."""

    def __init__(self, heard: list[int]) -> None:
        super().__init__()
        self._heard = heard

    def note(self, turned: TideTurned) -> None:
        self._heard.append(turned.height)


@pytest.fixture
def said() -> tuple[Announcements, Bridge]:
    announcements, bridge = Announcements(), Bridge()
    bridge.listen(announcements)
    return announcements, bridge


def test_a_new_class_reaches_who_asks_for_it(said: tuple[Announcements, Bridge]) -> None:
    announcements, bridge = said
    heights: list[int] = []
    order: list[str] = []
    bridge.subscribe(TideTurned, lambda turned: heights.append(turned.height))
    bridge.subscribe(TideTurned, lambda _: order.append("second"))
    bridge.subscribe_each((DraftSaved, PromptsChanged), lambda fact: order.append(type(fact).__name__))
    announcements.publish(TideTurned(3))
    announcements.publish(PromptsChanged())
    announcements.publish(DraftSaved("thread", "text"))
    assert (heights, order) == ([3], ["second", "PromptsChanged", "DraftSaved"])


def test_what_nobody_asked_for_is_no_error(
    said: tuple[Announcements, Bridge], caplog: pytest.LogCaptureFixture
) -> None:
    said[0].publish(TideTurned(1))
    assert caplog.records == []


def test_a_receiver_that_is_gone_hears_nothing(said: tuple[Announcements, Bridge], qapp: QApplication) -> None:
    announcements, bridge = said
    heard: list[int] = []
    harbour = Harbour(heard)
    bridge.subscribe(TideTurned, harbour.note)
    announcements.publish(TideTurned(1))
    harbour.deleteLater()
    QCoreApplication.sendPostedEvents(harbour, QEvent.Type.DeferredDelete)
    announcements.publish(TideTurned(2))
    assert heard == [1]
