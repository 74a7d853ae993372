"""The table that compares what a draft could be sent as: one row a choice, the one that Send takes first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.core.context.plan_text import price
from desktop_app.core.context.what_if import PlanChoice
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.theme.theme import GRID, Theme

UNKNOWN = "–"
COLUMNS = 3
"""Of a table without prices: name, tokens, what is left out."""


def choice_rows(choices: Sequence[PlanChoice], priced: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """The table: a heading and a row per choice; what is like the row above of the same model is left away.

    `priced`: the backends whose requests cost money. Where no row has a price, there are no columns for one.
    """
    shown: list[PlanChoice] = []
    for one in choices:
        if one.choice == "model" or all(one.figures != other.figures for other in shown):
            shown.append(one)
    costs = any(one.plan.backend in priced and one.cost_usd is not None for one in shown)
    heading = ("", tr("Tokens"), *((tr("Now"), tr("Each turn")) if costs else ()), tr("Left out"))
    rows = [heading]
    for one in shown:
        tokens = thousands(one.plan.tokens.total)
        if one.plan.decision == "refuse":
            tokens = tr("{tokens}, too long").format(tokens=tokens)
        cells = [_name(one), tokens]
        if costs:
            known = one.plan.backend in priced
            cells += [_now(one) if known else UNKNOWN, _each(one.turn_usd) if known else UNKNOWN]
        rows.append((*cells, grouped(one.plan.placement.left_out)))
    return tuple(rows)


def _now(one: PlanChoice) -> str:
    if one.cost_usd is None:
        return UNKNOWN
    return translated(price(one.cost_usd, one.most_usd, at_most=one.plan.price.at_most))


def _each(cost: float | None) -> str:
    return UNKNOWN if cost is None else dollars(cost)


def _name(one: PlanChoice) -> str:
    match one.choice:
        case "as_is":
            return tr("As it is")
        case "soft_limit":
            return tr("Step now")
        case "raised":
            return tr("Limit {tokens}").format(tokens=thousands(one.plan.limits.soft))
        case "summary":
            return tr("After a summary")
        case _:
            return one.plan.model.name


class ChoicesTable(QWidget):
    """Stands in the popover of the gauge; fills when the plans are made. `filled`: it has another size."""

    filled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnStretch(0, 1)
        column.addLayout(self._grid)
        self._note = self._label(tr("Comparing..."), secondary=True)
        column.addWidget(self._note)

    def show_choices(self, choices: Sequence[PlanChoice], priced: Collection[str]) -> None:
        """The plans are made; `priced`: see `choice_rows`."""
        rows = choice_rows(choices, priced)
        for row, cells in enumerate(rows):
            for column, words in enumerate(cells):
                label = self._label(words, secondary=row == 0)
                if column:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._grid.addWidget(label, row, column)
                label.ensurePolished()
                label.show()  # what is not shown yet would not count when the height is taken
        notes = [tr("Prices are before the answer")] if len(rows[0]) > COLUMNS else []
        if any(one.findable for one in choices):
            notes.append(tr("The model can look up what is left out"))
        self.show_note("\n".join(notes))

    def show_note(self, words: str) -> None:
        """A line beneath the table, or in its place."""
        self._note.setText(words)
        self._note.setVisible(bool(words))
        self._grid.invalidate()
        self.filled.emit()

    def _label(self, words: str, *, secondary: bool = False) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(self._theme.small_font())
        if secondary:
            label.setProperty("tone", "secondary")
        return label
