"""Owns the two fields of the spend caps. Knows no settings file: it gets amounts and passes wishes on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from desktop_app.ui.i18n.language import editable
from desktop_app.ui.theme.theme import GRID, Theme

FIELD_WIDTH = 13 * GRID
WIDEST_NAME = 34 * GRID
"""Pixels from which on the name of a field wraps."""
DAY = "costs.day_cap_usd"
THREAD = "costs.thread_cap_usd"


class SpendCaps(QWidget):
    """`cap_chosen(key, dollars)`: 0 turns a cap off. A text that is no amount is told, and changes nothing."""

    cap_chosen = Signal(str, float)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnStretch(2, 1)
        self._names: list[QLabel] = []
        self.spent: dict[str, QLabel] = {}
        self._amounts: dict[str, float] = {}
        self.fields: dict[str, QLineEdit] = {}
        self._add(DAY, self.tr("Daily spend cap"))
        self._add(THREAD, self.tr("Spend cap per thread"))
        self.problem = QLabel(self)
        self.problem.setProperty("tone", "danger")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self._grid.addWidget(self.problem, 4, 0, 1, 3)
        theme.set_font("small", *self._names, *self.spent.values(), self.problem)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        for name in self._names:
            name.setMinimumWidth(min(WIDEST_NAME, name.fontMetrics().horizontalAdvance(name.text()) + GRID))

    def show_cap(self, key: str, cap: float, spent: str) -> None:
        """Shows a cap in dollars (0: none) and how much of it is spent, in words. A field being written stays."""
        self._amounts[key] = cap
        self.spent[key].setText(spent)
        field = self.fields[key]
        if not field.isModified():
            field.setText(editable(f"{cap:,.2f}") if cap else "")

    def show_problem(self, words: str) -> None:
        """Why an amount was not taken; empty takes it away."""
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def _add(self, key: str, words: str) -> None:
        name, field, spent = QLabel(words, self), QLineEdit(self), QLabel(self)
        name.setWordWrap(True)
        name.setBuddy(field)
        spent.setProperty("tone", "secondary")
        spent.setWordWrap(True)
        field.setFixedWidth(FIELD_WIDTH)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setPlaceholderText(self.tr("no cap"))
        field.setAccessibleName(self.tr("{what}, in US dollars").format(what=words))
        field.editingFinished.connect(lambda: self._take(key))
        row = 2 * len(self.fields)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(field, row, 1)
        self._grid.addWidget(spent, row + 1, 0, 1, 3)
        self._names.append(name)
        self.fields[key], self.spent[key] = field, spent

    def _take(self, key: str) -> None:
        field = self.fields[key]
        if not field.isModified():
            return
        amount = amount_of(field.text())
        if amount is None:
            words = self.tr("“{text}” is not an amount. Enter dollars, such as 5 or 2.50, or nothing for no cap.")
            self.show_problem(words.format(text=field.text().strip()))
            return
        field.setModified(False)
        self.show_problem("")
        field.setText(editable(f"{amount:,.2f}") if amount else "")
        if amount != self._amounts.get(key):
            self.cap_chosen.emit(key, amount)


def amount_of(text: str) -> float | None:
    """Dollars as people write them (`$2.50`, `2,50`, `1,000`); nothing is 0; None where it is no amount."""
    plain = text.strip().removeprefix("$").removesuffix("$").strip().replace(" ", "")
    if not plain:
        return 0.0
    head, comma, cents = plain.rpartition(",")
    if comma and "." not in plain and len(cents) != 3:
        plain = f"{head.replace(',', '')}.{cents}"
    else:
        plain = plain.replace(",", "")
    try:
        amount = float(plain)
    except ValueError:
        return None
    return amount if 0 <= amount < float("inf") else None
