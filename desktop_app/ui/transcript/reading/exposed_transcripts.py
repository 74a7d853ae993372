"""Gives screen readers what they see of a transcript, where there are any: it is loaded when the first one asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast
from weakref import WeakSet

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:  # for a screen reader alone
    from desktop_app.ui.transcript.reading.accessible_transcript import ReadableTranscript


class ExposedView(Protocol):
    """A widget that screen readers see as a list of messages."""

    @property
    def accessible(self) -> ReadableTranscript: ...


class _Interfaces:
    """The factory's memory.

    Qt asks again when a view's meta object has changed, and deletes each interface with the view: one that was given
    twice would be deleted twice.
    """

    def __init__(self) -> None:
        self._views: WeakSet[QWidget] = WeakSet()
        self._installed = False
        #: what Qt has and will delete; messages it deletes when the process ends and can't be told sooner. Each is
        #: small and holds neither its view nor a message
        self._registered: list[QAccessibleInterface] = []

    def expose(self, view: QWidget) -> None:
        if not self._installed:
            QAccessible.installFactory(self.make)
            self._installed = True
        self._views.add(view)

    def make(self, key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, QWidget) or thing not in self._views:
            return None
        from desktop_app.ui.transcript.reading.accessible_transcript import TranscriptInterface

        made = TranscriptInterface(thing, cast("ExposedView", thing).accessible, self._registered)
        self._registered.append(made)
        return made


#: Qt's list of factories is the process's own, so this one is too.
_INTERFACES = _Interfaces()


def expose(view: QWidget) -> None:
    """Lets screen readers see an `ExposedView` as a list of messages."""
    _INTERFACES.expose(view)


def announce_reorder(view: QWidget) -> None:
    """Tells a running screen reader that there are other messages."""
    QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))
