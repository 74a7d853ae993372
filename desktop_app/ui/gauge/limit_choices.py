"""The choices on limits in the popover beside the slider: a price cliff, a window that was learned.

Counts nothing and carries nothing out.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.i18n.amounts import thousands
from desktop_app.ui.theme.theme import GRID, Theme


class LimitChoices(QWidget):
    """A line with a button for each decision there is, and one that says why a limit is lower; hidden without any.

    `cliff_accepted(bool)`: whether the dearer requests above the model's price cliff are wanted. `forgotten`: what an
    overflow taught of the model's window is not to count any more.
    """

    cliff_accepted = Signal(bool)
    forgotten = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._cliff, self.accept = self._line(theme)
        self._learned, self.forget = self._line(theme)
        self._lowered = QLabel(self)
        self._lowered.setWordWrap(True)
        self._lowered.setProperty("tone", "secondary")
        self._lowered.setFont(theme.small_font())
        self._accepted = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for words, button in ((self._cliff, self.accept), (self._learned, self.forget)):
            row = QHBoxLayout()
            row.setSpacing(GRID)
            row.addWidget(words, 1)
            row.addWidget(button)
            column.addLayout(row)
        column.addWidget(self._lowered)
        self.accept.clicked.connect(lambda: self.cliff_accepted.emit(not self._accepted))
        self.forget.clicked.connect(self.forgotten)
        self.forget.setText(self.tr("Forget"))
        self.hide()

    def show_plan(self, plan: ContextPlan, *, held_at_cliff: bool, accepted: bool, lowered: str = "") -> None:
        """`held_at_cliff`: the limit would be higher but for the cliff; `accepted`: it is higher in spite of it.

        `lowered`: that the limit which is set is more than the model takes.
        """
        self._accepted = accepted
        model, cliff = plan.model, plan.model.price_cliff
        if cliff is not None:
            words = (
                self.tr("Goes above {tokens}, where {model} costs more")
                if accepted
                else self.tr("Kept to {tokens}: above, {model} costs more")
            )
            self._cliff.setText(words.format(tokens=thousands(cliff), model=model.name))
            self.accept.setText(self.tr("Keep to it") if accepted else self.tr("Go above"))
        self._show((self._cliff, self.accept), cliff is not None and (held_at_cliff or accepted))
        learned = model.window_source == "learned"
        if learned:
            words = self.tr("A refused request showed that {model} takes {tokens}")
            self._learned.setText(words.format(model=model.name, tokens=thousands(model.window)))
        self._show((self._learned, self.forget), learned)
        self._lowered.setText(lowered)
        self._lowered.setVisible(bool(lowered))
        self.setVisible(any(not shown.isHidden() for shown in (self.accept, self.forget, self._lowered)))

    def _line(self, theme: Theme) -> tuple[QLabel, QPushButton]:
        words, button = QLabel(self), QPushButton(self)
        words.setWordWrap(True)
        words.setProperty("tone", "secondary")
        button.setProperty("kind", "quiet")
        for widget in (words, button):
            widget.setFont(theme.small_font())
        return words, button

    def _show(self, line: tuple[QLabel, QPushButton], shown: bool) -> None:
        for widget in line:
            widget.setVisible(shown)
        line[1].setAccessibleDescription(line[0].text())
