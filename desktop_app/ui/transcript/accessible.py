"""Owns what screen readers see: the transcript as a list of messages. Knows nothing of painting."""

from __future__ import annotations

from typing import Any, Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QPoint, QRect, QSize
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


class Readable(Protocol):
    """What a list of messages says about itself; indices count the messages of the path."""

    def message_count(self) -> int: ...
    def message_name(self, index: int) -> str: ...
    def message_text(self, index: int) -> str: ...
    def message_rect(self, index: int) -> QRect: ...
    def message_index_at(self, y: int) -> int: ...


class _MessageInterface(QAccessibleInterface):
    def __init__(self, view: QWidget, readable: Readable, index: int) -> None:
        super().__init__()
        self._view = view
        self._readable = readable
        self.index = index

    def isValid(self) -> bool:
        return self.index < self._readable.message_count()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def window(self) -> Any:
        return self._view.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._view)

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
            return self._readable.message_name(self.index)
        if kind in {QAccessible.Text.Value, QAccessible.Text.Description}:
            return self._readable.message_text(self.index)
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
        local = self._readable.message_rect(self.index)
        if local.isEmpty():
            return QRect()
        return QRect(self._view.mapToGlobal(local.topLeft()), QSize(local.width(), local.height()))


class _ListInterface(QAccessibleWidget):
    def __init__(self, view: QWidget, readable: Readable) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._view = view
        self._readable = readable
        self._children: dict[int, _MessageInterface] = {}

    def childCount(self) -> int:
        return self._readable.message_count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        found = self._children.get(index)
        if found is None:
            found = self._children[index] = _MessageInterface(self._view, self._readable, index)
            QAccessible.registerAccessibleInterface(found)
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.index if isinstance(child, _MessageInterface) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        point = self._view.mapFromGlobal(QPoint(x, y))
        return self.child(self._readable.message_index_at(point.y()))


class _Interfaces:
    """The factory's memory: Qt asks for an interface once, Python must keep it."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[QWidget, _ListInterface] = WeakKeyDictionary()
        self._readable: WeakKeyDictionary[QWidget, Readable] = WeakKeyDictionary()
        self._installed = False

    def expose(self, view: QWidget, readable: Readable) -> None:
        if not self._installed:
            QAccessible.installFactory(self.make)
            self._installed = True
        self._readable[view] = readable

    def make(self, key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, QWidget) or thing not in self._readable:
            return None
        if thing not in self._kept:
            self._kept[thing] = _ListInterface(thing, self._readable[thing])
        return self._kept[thing]


#: Qt's list of factories is the process's own, so this one is too.
_INTERFACES = _Interfaces()


def expose(view: QWidget, readable: Readable) -> None:
    """Lets screen readers see `view` as a list of messages."""
    _INTERFACES.expose(view, readable)
