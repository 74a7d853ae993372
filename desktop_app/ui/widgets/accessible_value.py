"""The gauge as screen readers see it: a progress bar whose value is a sentence. Paints nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol
from weakref import ref

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleValueInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import VoidPtr, getCppPointer


class SpeaksValue(Protocol):
    """A widget that has its value as a sentence, and makes its interface each time that Qt asks for it."""

    def sentence(self) -> str: ...
    def interface(self) -> QAccessibleInterface: ...


class _Percent(QAccessibleValueInterface):
    """The fill of a bar, in percent."""

    def __init__(
        self, telling: ref[Any], share: Callable[[Any], float], put: Callable[[Any, float], None] | None
    ) -> None:
        super().__init__()
        self._telling = telling
        self._share = share
        self._put = put

    def currentValue(self) -> float:
        telling = self._telling()
        return 0.0 if telling is None else round(100 * self._share(telling), 1)

    def minimumValue(self) -> float:
        return 0.0

    def maximumValue(self) -> float:
        return 100.0

    def minimumStepSize(self) -> float:
        return 0.1

    def setCurrentValue(self, value: Any) -> None:
        """A bar is told, not set; what has a way to be set takes it."""
        telling = self._telling()
        if self._put is not None and telling is not None:
            self._put(telling, max(0.0, min(1.0, float(value) / 100)))


class ValueInterface(QAccessibleWidget):
    """A figure, as a rule a progress bar; the value is the sentence.

    It is the description as well: the accessibility bus of Linux knows values that are numbers only. It doesn't keep
    its widget.
    """

    def __init__(
        self,
        widget: QWidget,
        telling: SpeaksValue,
        role: QAccessible.Role = QAccessible.Role.ProgressBar,
        share: Callable[[Any], float] | None = None,
        put: Callable[[Any, float], None] | None = None,
    ) -> None:
        """`share` says of `telling` how full a progress bar is, 0 to 1; `put` sets that, where it can be set."""
        super().__init__(widget, role, widget.accessibleName())
        self._telling = ref(telling)
        self._percent = None if share is None else _Percent(self._telling, share, put)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind == QAccessible.InterfaceType.ValueInterface and self._percent is not None:
            # C++ wants the address of the other base class, which here is an object of its own
            return VoidPtr(getCppPointer(self._percent)[0])
        found = super().interface_cast(kind)
        return VoidPtr(0) if found is None else found  # a None that is handed to C++ ends the process

    def text(self, kind: QAccessible.Text) -> str:
        telling = self._telling()
        sentence = "" if telling is None else telling.sentence()
        if kind == QAccessible.Text.Value:
            return sentence
        if kind == QAccessible.Text.Description:
            return ". ".join(words for words in (super().text(kind), sentence) if words)
        return super().text(kind)


@cache
def install(kind: type[SpeaksValue]) -> None:
    """Has Qt ask widgets of this class for their interface. The list of factories is the process's own.

    Qt asks again when the widget's meta object has changed, and deletes each interface with the widget: one that was
    given twice would be deleted twice.
    """
    made: list[QAccessibleInterface] = []

    def make(_key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, kind):
            return None
        made.append(thing.interface())
        return made[-1]

    QAccessible.installFactory(make)
