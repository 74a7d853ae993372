"""Owns the rows of the list of models: headings of backends, models, what was searched for. Knows no view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_app.ui.models.model_choice import ModelChoice, price_words, spoken, window_words

ROW_ROLE = Qt.ItemDataRole.UserRole + 1

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ModelListRow:
    """A heading (`choice` None) or a model, with its words for the columns; `detail` is said behind its name."""

    text: str
    choice: ModelChoice | None = None
    detail: str = ""
    window: str = ""
    price: str = ""


class ModelListModel(QAbstractListModel):
    """The choices that a search leaves, grouped by backend; a backend that can't be used says why in its heading."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._choices: Sequence[ModelChoice] = ()
        self._words: Sequence[str] = ()
        self._rows: Sequence[ModelListRow] = ()

    @property
    def rows(self) -> Sequence[ModelListRow]:
        """What is shown."""
        return self._rows

    @property
    def total(self) -> int:
        """How many models there are without the search."""
        return sum(choice.available for choice in self._choices)

    def show(self, choices: Sequence[ModelChoice]) -> None:
        """Takes other choices; the search stays."""
        if self._choices != tuple(choices):
            self._choices = tuple(choices)
            self._fill()

    def search(self, text: str) -> None:
        """Keeps the models whose names hold every word of `text`."""
        self._words = tuple(text.casefold().split())
        self._fill()

    def row_of(self, key: tuple[str, str] | None) -> int | None:
        """Where a choice stands now."""
        found = (row for row, one in enumerate(self._rows) if one.choice is not None and one.choice.key == key)
        return next(found, None)

    def next_choice(self, row: int, step: int) -> int | None:
        """The nearest model from `row` on, in steps of 1 or -1."""
        while 0 <= row < len(self._rows):
            if self._rows[row].choice is not None:
                return row
            row += step
        return None

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text
            case Qt.ItemDataRole.ToolTipRole:
                return row.choice.model if row.choice is not None else row.detail or None
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row.choice) if row.choice is not None else f"{row.text} {row.detail}".strip()
            case _ if role == ROW_ROLE:
                return row
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid() or self._rows[index.row()].choice is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def _fill(self) -> None:
        rows: list[ModelListRow] = []
        for title, members in groupby(self._choices, key=lambda choice: choice.backend_title):
            of_backend = tuple(members)
            lacking = next((one for one in of_backend if not one.available), None)
            if lacking is not None:
                if not self._words:
                    rows.append(ModelListRow(title, detail=lacking.detail))
                continue
            found = [one for one in of_backend if one.matches(self._words)]
            if found:
                rows.append(ModelListRow(title))
                rows += [
                    ModelListRow(c.model_name, c, " · ".join(c.lacks), window_words(c.window), price_words(c))
                    for c in found
                ]
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()
