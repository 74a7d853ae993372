"""The view for screen readers: the transcript as a list of messages, then the widgets in it, such as a card.

Knows nothing of painting.

No interface keeps its view: a view that is closed is freed with all its messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol
from weakref import ref

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleTextInterface,
    QPaintEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QFrame, QPlainTextEdit, QWidget
from shiboken6 import VoidPtr, getCppPointer, isValid

from desktop_app.ui.i18n.language import time_of
from desktop_app.ui.transcript.items.item import utf16_length, utf16_slice


class AccessibleMessage(QPlainTextEdit):
    """The text of one message as screen readers go through it: a field that cannot be seen, clicked or edited."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.index = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("background: transparent")

    def speak_of(self, index: int, name: str, text: str, place: QRect) -> None:
        """Takes over message `index`, which is called `name` and stands at `place`."""
        self.index = index
        self.setAccessibleName(name)
        self.setGeometry(place)
        if self.toPlainText() != text:
            self.setPlainText(text)
        self.show()

    def select(self, anchor: int, caret: int) -> None:
        """Set the beginning of the selection and the place of the caret, as positions in the text."""
        length = len(self.toPlainText().encode("utf-16-le", "surrogatepass")) // 2
        cursor = self.textCursor()
        cursor.setPosition(min(anchor, length))
        cursor.setPosition(min(caret, length), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def be_quiet(self) -> None:
        """The keyboard is on no message any more."""
        self.index = -1
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing is painted: the canvas shows the message."""


class ReadableTranscript(Protocol):
    """The facts that a list of messages tells of itself; indices count the messages of the path."""

    def count(self) -> int: ...
    def name(self, index: int) -> str: ...
    def created(self, index: int) -> str: ...
    def text(self, index: int) -> str: ...
    def actions(self, index: int) -> Sequence[str]: ...
    def act(self, index: int, place: int) -> None: ...
    def rect(self, index: int) -> QRect: ...
    def index_at(self, y: int) -> int: ...
    def spoken(self) -> AccessibleMessage | None: ...


class _ViewReference:
    """The view behind an interface, without keeping it: Qt asks for interfaces of views that are on their way out."""

    def __init__(self, view: QWidget, readable: ReadableTranscript) -> None:
        self._view = ref(view)
        self._readable = ref(readable)

    @property
    def view(self) -> QWidget | None:
        view = self._view()
        return view if view is not None and isValid(view) else None

    @property
    def readable(self) -> ReadableTranscript:
        readable = self._readable()
        return readable if readable is not None and self.view is not None else _NOTHING

    def place(self, index: int) -> QRect:
        """Return the place of a message on the screen; empty if it can't be seen."""
        view, readable = self.view, self.readable
        local = readable.rect(index) if index < readable.count() else QRect()
        if view is None or local.isEmpty():
            return QRect()
        return QRect(view.mapToGlobal(local.topLeft()), QSize(local.width(), local.height()))


class _EmptyTranscript:
    """The rest to read of a view that is gone."""

    def count(self) -> int:
        return 0

    def name(self, index: int) -> str:
        return ""

    def created(self, index: int) -> str:
        return ""

    def text(self, index: int) -> str:
        return ""

    def actions(self, index: int) -> Sequence[str]:
        return ()

    def act(self, index: int, place: int) -> None:
        """There is nothing to press."""

    def rect(self, index: int) -> QRect:
        return QRect()

    def index_at(self, y: int) -> int:
        return -1

    def spoken(self) -> AccessibleMessage | None:
        return None


_NOTHING = _EmptyTranscript()


class _MessageText(QAccessibleTextInterface):
    """The text of one message for readers that go through it by characters, words and lines; nothing can be chosen.

    Positions count UTF-16 units, as everywhere in Qt.
    """

    def __init__(self, shown: _ViewReference, index: int) -> None:
        super().__init__()
        self._shown = shown
        self._index = index

    def _whole(self) -> str:
        readable = self._shown.readable
        return readable.text(self._index) if self._index < readable.count() else ""

    def text(self, start: int, end: int) -> str:
        whole = self._whole()
        return utf16_slice(whole, max(0, start), utf16_length(whole) if end < 0 else end)

    def characterCount(self) -> int:
        return utf16_length(self._whole())

    def cursorPosition(self) -> int:
        return 0

    def setCursorPosition(self, position: int) -> None:
        """The caret is the transcript's own (`AccessibleMessage`)."""

    def selectionCount(self) -> int:
        return 0

    def addSelection(self, start: int, end: int) -> None:
        """Text is chosen in the transcript, not here."""

    def removeSelection(self, index: int) -> None:
        """There is none."""

    def setSelection(self, index: int, start: int, end: int) -> None:
        """Text is chosen in the transcript, not here."""

    def characterRect(self, offset: int) -> QRect:
        return self._shown.place(self._index)

    def offsetAtPoint(self, point: QPoint) -> int:
        return 0 if self._shown.place(self._index).contains(point) else -1

    def scrollToSubstring(self, start: int, end: int) -> None:
        """The transcript shows a message when the keyboard goes to it."""


class _MessageActions(QAccessibleActionInterface):
    """The links and buttons of one message, which are painted and no widgets."""

    def __init__(self, shown: _ViewReference, index: int) -> None:
        super().__init__()
        self._shown = shown
        self._index = index

    def actionNames(self) -> list[str]:
        """Their words; a number follows where some are called the same, as each is asked for by its name."""
        readable = self._shown.readable
        told = readable.actions(self._index) if self._index < readable.count() else ()
        seen: Counter[str] = Counter()
        names: list[str] = []
        for words in told:
            seen[words] += 1
            names.append(words if seen[words] == 1 else f"{words} {seen[words]}")
        return names

    def localizedActionName(self, name: str) -> str:
        return name

    def localizedActionDescription(self, name: str) -> str:
        return ""

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []

    def doAction(self, name: str) -> None:
        names = self.actionNames()
        if name in names:
            self._shown.readable.act(self._index, names.index(name))


class _MessageInterface(QAccessibleInterface):
    def __init__(self, shown: _ViewReference, index: int) -> None:
        super().__init__()
        self._shown = shown
        self._spelled = _MessageText(shown, index)
        self._actions = _MessageActions(shown, index)
        self.index = index

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        # C++ wants the address of the other base class, which here is an object of its own; a None ends the process
        others: dict[QAccessible.InterfaceType, Any] = {
            QAccessible.InterfaceType.TextInterface: self._spelled,
            QAccessible.InterfaceType.ActionInterface: self._actions,
        }
        return VoidPtr(getCppPointer(others[kind])[0] if kind in others else 0)

    def isValid(self) -> bool:
        return self.index < self._shown.readable.count()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def window(self) -> Any:
        return None if (view := self._shown.view) is None else view.window().windowHandle()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return None if (view := self._shown.view) is None else QAccessible.queryAccessibleInterface(view)

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
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return self._name()
        if kind in {QAccessible.Text.Value, QAccessible.Text.Description}:
            return self._shown.readable.text(self.index)
        return ""

    def _name(self) -> str:
        readable = self._shown.readable
        return f"{readable.name(self.index)}, {time_of(readable.created(self.index))}"

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
        return self._shown.place(self.index)


class TranscriptInterface(QAccessibleWidget):
    """The list itself; `registered` keeps what Qt has and will delete."""

    def __init__(self, view: QWidget, readable: ReadableTranscript, registered: list[QAccessibleInterface]) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self._registered = registered
        self._shown = _ViewReference(view, readable)
        self._children: dict[int, _MessageInterface] = {}

    def doAction(self, name: str) -> None:
        # a screen reader leads the focus here as F6 does; without a reason it would return to the composer
        if (view := self._shown.view) is not None and name == QAccessibleActionInterface.setFocusAction():
            view.activateWindow()
            view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            super().doAction(name)

    def _parts(self) -> list[QWidget]:
        """The widgets over the list that are there to be read; those over its viewport are read as the viewport's."""
        if not isinstance(view := self._shown.view, QAbstractScrollArea):
            return []
        bars = [bar.parentWidget() for bar in (view.verticalScrollBar(), view.horizontalScrollBar())]
        # the buttons that rest beneath the last answer are in the menu of its message
        carried = getattr(view, "carried", None)
        return [
            part
            for part in _shown_children(view)
            if part not in bars
            and not isinstance(part, AccessibleMessage)  # a message, not a part
            and (not _is_viewport(part) or any(child is not carried for child in _shown_children(part)))
        ]

    def childCount(self) -> int:
        return self._shown.readable.count() + len(self._parts())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        count = self._shown.readable.count()
        if index >= count:
            parts = self._parts()
            return QAccessible.queryAccessibleInterface(parts[index - count]) if index - count < len(parts) else None
        if index < 0:
            return None
        if (spoken := self._shown.readable.spoken()) is not None and spoken.index == index:
            return QAccessible.queryAccessibleInterface(spoken)
        if (found := self._children.get(index)) is None:
            found = self._children[index] = _MessageInterface(self._shown, index)
            QAccessible.registerAccessibleInterface(found)
            self._registered.append(found)
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        if isinstance(child, _MessageInterface):
            return child.index
        spoken, thing = self._shown.readable.spoken(), child.object()
        if spoken is not None and thing is spoken:
            return spoken.index
        parts = self._parts()
        return self._shown.readable.count() + parts.index(thing) if thing in parts else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if (view := self._shown.view) is None:
            return None
        over = view.childAt(view.mapFromGlobal(QPoint(x, y)))
        for part in self._parts():
            # of the viewport itself the messages are seen, of the others they are hidden
            if over is not None and (part.isAncestorOf(over) or (over is part and not _is_viewport(part))):
                return QAccessible.queryAccessibleInterface(part)
        return self.child(self._shown.readable.index_at(view.mapFromGlobal(QPoint(x, y)).y()))


def _is_viewport(widget: QWidget) -> bool:
    return isinstance(area := widget.parentWidget(), QAbstractScrollArea) and area.viewport() is widget


def _shown_children(widget: QWidget) -> list[QWidget]:
    return [child for child in widget.children() if isinstance(child, QWidget) and not child.isHidden()]
