"""The two fields of the spend caps. Uses no settings file: it gets amounts and passes wishes on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import editable
from desktop_app.ui.theme.theme import GRID, Theme, space
from desktop_app.ui.widgets.setting_parts import rule_in

FIELD_WIDTH = 13 * GRID
DAY = "costs.day_cap_usd"
THREAD = "costs.thread_cap_usd"


class SpendCaps(QWidget):
    """`cap_chosen(key, dollars)`: 0 turns a cap off. A text that is no amount is told, and changes nothing."""

    cap_chosen = Signal(str, float)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.spent: dict[str, QLabel] = {}
        self._amounts: dict[str, float] = {}
        self.fields: dict[str, QLineEdit] = {}
        self._add(DAY, self.tr("Daily spend cap"))
        self._add(THREAD, self.tr("Thread spend cap"))
        self.problem = QLabel(self)
        self.problem.setProperty("tone", "danger")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self._column.addWidget(self.problem)
        theme.set_font("small", *self.spent.values(), self.problem)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        """Fields as wide as what they say while they are empty."""
        for field in self.fields.values():
            words = field.fontMetrics().horizontalAdvance(field.placeholderText())
            field.setFixedWidth(max(FIELD_WIDTH, words + 2 * self._theme.pixels(space("field-x")) + GRID))

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
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setPlaceholderText(self.tr("No limit"))
        field.setAccessibleName(self.tr("{what}, in US dollars").format(what=words))
        field.editingFinished.connect(lambda: self._take(key))
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(name)
        texts.addWidget(spent)
        row = QHBoxLayout()
        row.setContentsMargins(0, GRID + GRID // 4, 0, GRID + GRID // 4)
        row.setSpacing(GRID)
        row.addLayout(texts, 1)
        row.addWidget(field, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column.addWidget(rule_in(self))
        self._column.addLayout(row)
        self.fields[key], self.spent[key] = field, spent

    def _take(self, key: str) -> None:
        field = self.fields[key]
        if not field.isModified():
            return
        amount = amount_of(field.text())
        if amount is None:
            words = self.tr("“{text}” is not an amount. Enter dollars, such as 5 or 2.50, or nothing for no limit.")
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
