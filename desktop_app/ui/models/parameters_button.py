"""Owns the button that opens a thread's parameters, and how they read beside the model. Knows no thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.core.parameters import NO_PARAMETERS, Parameters
from desktop_app.ui.i18n.language import editable, tr
from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import Theme

if TYPE_CHECKING:  # imported with the first click
    from desktop_app.core.model_catalog import ModelInfo
    from desktop_app.ui.models.parameters_popover import ParametersPopover


@dataclass(frozen=True, slots=True)
class ThreadParameters:
    """What can be asked of a model in a thread: the model, what is asked of it, and whether it may look things up.

    `price`: one sentence on what a change costs now, "" where it costs nothing.
    """

    model: ModelInfo
    parameters: Parameters = NO_PARAMETERS
    recall: bool = True
    price: str = ""


def differences(shown: ThreadParameters) -> tuple[str, ...]:
    """What differs from the defaults, each as a word or two; what the model does not take is left out.

    Searching the web has a switch of its own, which shows it.
    """
    model, asked = shown.model, shown.parameters
    words = []
    if asked.effort in model.efforts:
        words.append(effort_words(asked.effort))
    if asked.thinking is False and model.thinking == "choice":
        words.append(tr("no thinking"))
    if asked.temperature is not None and model.temperature:
        words.append(tr("temperature {value}").format(value=editable(f"{asked.temperature:g}")))
    if not shown.recall and model.accepts_tools:
        words.append(tr("no look-ups"))
    return tuple(words)


def effort_words(level: str) -> str:
    """A level of effort for people; the provider's own word where none is known."""
    known = {
        "minimal": tr("minimal"),
        "low": tr("low"),
        "medium": tr("medium"),
        "high": tr("high"),
        "xhigh": tr("extra high"),
        "max": tr("max"),
    }
    return known.get(level, level)


class ParametersButton(QToolButton):
    """A click asks for the parameters, which `open` then shows above it."""

    wanted = Signal()
    parameters_chosen = Signal(object)  # Parameters
    recall_chosen = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._popover: ParametersPopover | None = None
        self.clicked.connect(self.wanted)
        self._theme = theme
        set_icon(self, "tune", theme)
        self.show_differences(())

    @property
    def popover(self) -> ParametersPopover | None:
        """The open popover."""
        return self._popover

    def show_differences(self, words: tuple[str, ...]) -> None:
        """What differs from the defaults, for the pointer and for screen readers."""
        name = self.tr("Parameters of this thread")
        told = f"{name}: {', '.join(words)}" if words else name
        self.setToolTip(told)
        self.setAccessibleName(told)

    def open(self, shown: ThreadParameters) -> None:
        """Opens the popover, or shows other parameters in the open one."""
        from desktop_app.ui.models.parameters_popover import ParametersPopover

        if self._popover is not None:
            self._popover.show_parameters(shown)
            return
        popover = self._popover = ParametersPopover(self._theme, shown, self)
        popover.parameters_chosen.connect(self.parameters_chosen)
        popover.recall_chosen.connect(self.recall_chosen)
        popover.hidden.connect(self._forget)
        popover.open_at(self)

    def _forget(self) -> None:
        if self._popover is not None:
            self._popover.deleteLater()
            self._popover = None
