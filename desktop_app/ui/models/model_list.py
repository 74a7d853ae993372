"""The rows of the list of models: headings of backends, models, the search's matches. Uses no view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.model_choice import ModelChoice, price_words, reach_words, spoken, window_words

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
RECENT_FROM = 7
"""So many models make those used lately worth a place of their own; fewer are seen at a glance."""
MOST_RECENT = 3

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ModelListRow:
    """A heading (`choice` None) or a model, with its words for the columns; `detail` is said behind its name.

    `troubled`: the detail is a warning. `tip`: what is said on hovering.
    """

    text: str
    choice: ModelChoice | None = None
    detail: str = ""
    window: str = ""
    price: str = ""
    troubled: bool = False
    tip: str = ""


class ModelListModel(QAbstractListModel):
    """The choices that a search leaves, grouped by connection with its state; those used lately stand first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._choices: Sequence[ModelChoice] = ()
        self._words: Sequence[str] = ()
        self._typed = ""
        self._backend_of_typed: str | None = None
        self._rows: Sequence[ModelListRow] = ()

    @property
    def rows(self) -> Sequence[ModelListRow]:
        """The rows that are shown."""
        return self._rows

    @property
    def total(self) -> int:
        """The number of models without the search."""
        return sum(choice.available for choice in self._choices)

    def show(self, choices: Sequence[ModelChoice]) -> None:
        """Takes other choices; the search stays."""
        if self._choices != tuple(choices):
            self._choices = tuple(choices)
            self._fill()

    def take_typed(self, backend: str) -> None:
        """Offers what is searched for as the ID of a model of that connection, behind the models that match."""
        self._backend_of_typed = backend

    def search(self, text: str) -> None:
        """Keeps the models whose names hold every word of `text`."""
        self._typed = text.strip()
        self._words = tuple(text.casefold().split())
        self._fill()

    def row_of(self, key: tuple[str, str] | None) -> int | None:
        """Return the row of a choice now."""
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
                return row.tip or None
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
        recent = self._recent()
        if recent:
            rows.append(ModelListRow(tr("Recently used")))
            rows += [_row(choice, of_connection=True) for choice in recent]
        keys = {choice.key for choice in recent}
        for of_backend in self._connections():
            found = [one for one in of_backend if one.available and one.matches(self._words) and one.key not in keys]
            titled = bool(of_backend[0].backend_title)
            if titled and (found or not (self._words or any(one.key in keys for one in of_backend))):
                rows.append(_heading(of_backend[0]))
            rows += map(_row, found)
        if self._backend_of_typed is not None and len(self._words) == 1:
            own = ModelChoice(self._backend_of_typed, "", self._typed, self._typed)
            if all(choice.model != own.model for choice in self._choices):
                rows.append(replace(_row(own), text=tr("Use “{model}”").format(model=own.model)))
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _connections(self) -> Sequence[Sequence[ModelChoice]]:
        """The choices of each connection: those used lately first, those without a model last."""
        grouped = groupby(self._choices, key=lambda choice: (choice.backend, choice.backend_title))
        connections = [tuple(members) for _, members in grouped]
        return sorted(
            connections,
            key=lambda of: (not of[0].available, min((one.recent for one in of if one.recent), default=inf)),
        )

    def _recent(self) -> Sequence[ModelChoice]:
        """The models used lately, the last one first; none while a search goes on."""
        if self._words or self.total < RECENT_FROM:
            return ()
        used = sorted((one for one in self._choices if one.recent and one.available), key=lambda one: one.recent)
        return used[:MOST_RECENT]


def _heading(choice: ModelChoice) -> ModelListRow:
    """The name of a choice's connection, with its state."""
    return ModelListRow(
        choice.backend_title, detail=reach_words(choice), troubled=_is_troubled(choice), tip=choice.detail
    )


def _row(choice: ModelChoice, *, of_connection: bool = False) -> ModelListRow:
    """`of_connection`: it says its connection itself, as it stands under no heading of it."""
    words, troubled = list(choice.lacks), bool(choice.lacks)
    if of_connection:
        words.insert(0, choice.backend_title)
        if _is_troubled(choice):
            words, troubled = [choice.backend_title, reach_words(choice)], True
    return ModelListRow(
        choice.model_name,
        choice,
        " · ".join(words),
        window_words(choice.window),
        price_words(choice),
        troubled=troubled,
        tip=" · ".join((choice.model, *choice.lacks)),
    )


def _is_troubled(choice: ModelChoice) -> bool:
    return choice.reach not in ("connected", "asking")
