"""Owns what screen readers see: the transcript as a list of messages. Knows nothing of painting.

No interface keeps its view: a view that is closed is freed with all its messages.
"""

from __future__ import annotations

from typing import Any, Protocol
from weakref import WeakKeyDictionary, ref

from PySide6.QtCore import QObject, QPoint, QRect, QSize
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

from desktop_app.ui.transcript.spoken_message import SpokenMessage


class Readable(Protocol):
    """What a list of messages says about itself; indices count the messages of the path."""

    def message_count(self) -> int: ...
    def message_name(self, index: int) -> str: ...
    def message_text(self, index: int) -> str: ...
    def message_rect(self, index: int) -> QRect: ...
    def message_index_at(self, y: int) -> int: ...
    def spoken_message(self) -> SpokenMessage | None: ...


class _Shown:
    """The view behind an interface, without keeping it: Qt asks for interfaces of views that are on their way out."""

    def __init__(self, view: QWidget, readable: Readable) -> None:
        self._view = ref(view)
        self._readable = ref(readable)

    @property
    def view(self) -> QWidget | None:
        view = self._view()
        return view if view is not None and isValid(view) else None

    @property
    def readable(self) -> Readable:
        readable = self._readable()
        return readable if readable is not None and self.view is not None else _NOTHING


class _Nothing:
    """What is left to read of a view that is gone."""

    def message_count(self) -> int:
        return 0

    def message_name(self, index: int) -> str:
        return ""

    def message_text(self, index: int) -> str:
        return ""

    def message_rect(self, index: int) -> QRect:
        return QRect()

    def message_index_at(self, y: int) -> int:
        return -1

    def spoken_message(self) -> SpokenMessage | None:
        return None


_NOTHING = _Nothing()


class _MessageInterface(QAccessibleInterface):
    def __init__(self, shown: _Shown, index: int) -> None:
        super().__init__()
        self._shown = shown
        self.index = index

    def isValid(self) -> bool:
        return self.index < self._shown.readable.message_count()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def window(self) -> Any:
        view = self._shown.view
        return None if view is None else view.window().windowHandle()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        view = self._shown.view
        return None if view is None else QAccessible.queryAccessibleInterface(view)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return self._shown.readable.message_name(self.index)
        if kind in {QAccessible.Text.Value, QAccessible.Text.Description}:
            return self._shown.readable.message_text(self.index)
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Messages cannot be changed."""

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.readOnly = True
        state.multiLine = True
        if self.rect().isEmpty():
            state.offscreen = True
        return state

    def rect(self) -> QRect:
        view, local = self._shown.view, self._shown.readable.message_rect(self.index)
        if view is None or local.isEmpty():
            return QRect()
        return QRect(view.mapToGlobal(local.topLeft()), QSize(local.width(), local.height()))


class _ListInterface(QAccessibleWidget):
    def __init__(self, view: QWidget, readable: Readable) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._shown = _Shown(view, readable)
        self._children: dict[int, _MessageInterface] = {}

    def childCount(self) -> int:
        return self._shown.readable.message_count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        spoken = self._shown.readable.spoken_message()
        if spoken is not None and spoken.index == index:
            return QAccessible.queryAccessibleInterface(spoken)
        found = self._children.get(index)
        if found is None:
            found = self._children[index] = _MessageInterface(self._shown, index)
            QAccessible.registerAccessibleInterface(found)
            _INTERFACES.registered.append(found)
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        if isinstance(child, _MessageInterface):
            return child.index
        spoken = self._shown.readable.spoken_message()
        return spoken.index if spoken is not None and child.object() is spoken else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        view = self._shown.view
        if view is None:
            return None
        return self.child(self._shown.readable.message_index_at(view.mapFromGlobal(QPoint(x, y)).y()))


class _Interfaces:
    """The factory's memory: Qt asks for an interface once, Python must keep it."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[QWidget, _ListInterface] = WeakKeyDictionary()
        self._readable: WeakKeyDictionary[QWidget, ref[Readable]] = WeakKeyDictionary()
        self._installed = False
        #: Qt deletes these when the process ends and can't be told sooner; each is small and holds no message
        self.registered: list[_MessageInterface] = []

    def expose(self, view: QWidget, readable: Readable) -> None:
        if not self._installed:
            QAccessible.installFactory(self.make)
            self._installed = True
        self._readable[view] = ref(readable)

    def make(self, key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, QWidget) or thing not in self._readable:
            return None
        readable = self._readable[thing]()
        if thing not in self._kept and readable is not None:
            self._kept[thing] = _ListInterface(thing, readable)
        return self._kept.get(thing)


#: Qt's list of factories is the process's own, so this one is too.
_INTERFACES = _Interfaces()


def expose(view: QWidget, readable: Readable) -> None:
    """Lets screen readers see `view` as a list of messages."""
    _INTERFACES.expose(view, readable)
