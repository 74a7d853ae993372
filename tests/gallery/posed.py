"""Owns controls that show a state which only a keyboard or a pointer gives them. Knows no group."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QWidget

from desktop_app.ui.composer.composer_rows import AttachmentChip
from desktop_app.ui.gauge.gauge_strip import GaugeStrip

Pose: TypeAlias = Literal["", "focus", "hover", "pressed", "disabled"]
POSES: tuple[Pose, ...] = ("", "focus", "hover", "pressed", "disabled")


class PosedButton(QPushButton):
    """A button in a state."""

    def __init__(self, words: str, kind: str, pose: Pose, parent: QWidget) -> None:
        super().__init__(words, parent)
        self._pose = pose
        if kind:
            self.setProperty("kind", kind)
        self.setEnabled(pose != "disabled")

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        flag = QStyle.StateFlag
        match self._pose:
            case "focus":
                option.state |= flag.State_HasFocus
            case "hover":
                option.state |= flag.State_MouseOver
            case "pressed":
                option.state |= flag.State_Sunken | flag.State_MouseOver


class FocusedGauge(GaugeStrip):
    """The gauge as it is while it has the keyboard."""

    def hasFocus(self) -> bool:
        return True


class FocusedChip(AttachmentChip):
    """A chip as it is while it has the keyboard."""

    def hasFocus(self) -> bool:
        return True
