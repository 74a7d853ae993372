"""Owns what screen readers see of the gauge: a progress bar whose value is a sentence. Knows nothing of painting."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


class Telling(Protocol):
    """A widget that has its value as a sentence, and keeps its interface for Qt."""

    def sentence(self) -> str: ...
    def interface(self) -> QAccessibleInterface: ...


class GaugeInterface(QAccessibleWidget):
    """A figure, as a rule a progress bar; the value is the sentence."""

    def __init__(
        self, widget: QWidget, telling: Telling, role: QAccessible.Role = QAccessible.Role.ProgressBar
    ) -> None:
        super().__init__(widget, role, widget.accessibleName())
        self._telling = telling

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Value:
            return self._telling.sentence()
        return super().text(kind)


@cache
def install(kind: type[Telling]) -> None:
    """Has Qt ask widgets of this class for their interface. The list of factories is the process's own."""

    def make(_key: str, thing: QObject) -> QAccessibleInterface | None:
        return thing.interface() if isinstance(thing, kind) else None

    QAccessible.installFactory(make)
