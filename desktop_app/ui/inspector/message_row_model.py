"""The rows of the Messages tab as a Qt model that changes as little as the plan does. Uses no view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop_app.core.context.plan import ContextPlan, PlacedDocument, PlacedMessage
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import excerpt
from desktop_app.ui.inspector.message_rows import (
    FixedRow,
    GroupName,
    Groups,
    MessageGroupRow,
    Row,
    documents_grouped,
    fixed_rows,
    grouped,
    rows_of,
)
from desktop_app.ui.inspector.message_words import hint, spoken

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Row` itself."""
EXCERPT_ROLE = Qt.ItemDataRole.UserRole + 2
"""One line of a message's words."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class MessageRowModel(QAbstractListModel):
    """Shows one plan. The two signals stand around a change of which rows there are."""

    rows_to_be_replaced = Signal()
    rows_replaced = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.plan: ContextPlan | None = None
        self._placed: Sequence[PlacedMessage] = ()
        self._documents: Sequence[PlacedDocument] = ()
        self._groups: Groups = {}
        self._sent = 0
        self._fixed_count = 0
        self._rows: list[Row] = []
        self._row_of: dict[str, int] | None = {}
        self._messages: Mapping[str, Message] = {}
        self._excerpts: dict[str, tuple[Message | None, str]] = {}
        # a project may have ten thousand
        self._folded: set[GroupName] = {"searched"}

    def show_plan(self, plan: ContextPlan | None, messages: Mapping[str, Message]) -> None:
        """Shows a plan. `messages` (by id) give the excerpts; those of a plan's path that are missing have none."""
        self.plan = plan
        self._messages = messages
        placed, documents = ((), ()) if plan is None else (plan.placement.messages, plan.placement.documents)
        same = placed is self._placed and documents is self._documents
        # Between two keystrokes the planner gives the same messages again: then only the draft's row is looked at.
        if same and self._show_fixed():
            return
        if not same:
            self._placed, self._documents = placed, documents
            self._groups = {**documents_grouped(documents), **grouped(placed)}
            self._sent = sum(group.heading.tokens for group in self._groups.values())
        self._arrange()

    def fold(self, group: GroupName, folded: bool) -> None:
        """Folds the rows of a group away, or shows them again."""
        if folded != (group in self._folded):
            (self._folded.add if folded else self._folded.discard)(group)
            self._arrange()

    def total(self) -> int:
        """The sum of all rows, folded ones too: the plan's own total."""
        return self._sent + sum(row.tokens for row in self._fixed())

    def row(self, index: Index) -> Row | None:
        """The row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rows(self) -> Sequence[Row]:
        """Every row as shown."""
        return self._rows

    def index_of(self, message_id: str) -> QModelIndex:
        """The row of a message; invalid where it has none, or is folded away."""
        if self._row_of is None:
            self._row_of = {row.id: n for n, row in enumerate(self._rows) if isinstance(row, PlacedMessage)}
        place = self._row_of.get(message_id)
        return _ROOT if place is None else self.index(place)

    def index_of_group(self, group: GroupName) -> QModelIndex:
        """The heading of a group; invalid where it has none."""
        for place, row in enumerate(self._rows):
            if isinstance(row, MessageGroupRow) and row.group == group:
                return self.index(place)
        return _ROOT

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        match role:
            case _ if role == ROW_ROLE:
                return row
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row, self._excerpt(row))
            case Qt.ItemDataRole.ToolTipRole:
                return hint(row)
            case _ if role == EXCERPT_ROLE:
                return self._excerpt(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        if isinstance(row, PlacedMessage):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled

    def _excerpt(self, row: Row) -> str:
        if not isinstance(row, PlacedMessage):
            return ""
        message = self._messages.get(row.id)
        kept = self._excerpts.get(row.id)
        if kept is None or kept[0] is not message:
            kept = self._excerpts[row.id] = (message, excerpt(message))
        return kept[1]

    def _fixed(self) -> Sequence[FixedRow]:
        return () if self.plan is None else fixed_rows(self.plan, self._sent)

    def _show_fixed(self) -> bool:
        """Shows what is sent beside the messages; False if there are other rows than before."""
        head = rows_of(self._fixed(), {}, self._folded)
        before = self._rows[: self._fixed_count]
        if len(before) != len(head) or not all(map(_same_place, before, head)):
            return False
        changed = [place for place, row in enumerate(head) if self._rows[place] != row]
        self._rows[: len(head)] = head
        for first, last in runs(changed):
            self.dataChanged.emit(self.index(first), self.index(last))
        return True

    def _arrange(self) -> None:
        fixed = self._fixed()
        before, rows = self._rows, rows_of(fixed, self._groups, self._folded)
        self._fixed_count = len(rows_of(fixed, {}, self._folded))
        start, end, shorter = 0, 0, min(len(before), len(rows))
        while start < shorter and _same_place(before[start], rows[start]):
            start += 1
        while end < shorter - start and _same_place(before[-1 - end], rows[-1 - end]):
            end += 1
        changed = [n for n in range(start) if before[n] is not rows[n] and before[n] != rows[n]]
        shift = len(before) - len(rows)
        tail = range(len(rows) - end, len(rows))
        changed += [n for n in tail if before[n + shift] is not rows[n] and before[n + shift] != rows[n]]
        if len(before) != len(rows) or start < len(rows):
            self._replace(rows, start, len(before) - end, len(rows) - end)
        else:
            self._rows = rows
        for first, last in runs(changed):
            self.dataChanged.emit(self.index(first), self.index(last))

    def _replace(self, rows: list[Row], start: int, old_end: int, new_end: int) -> None:
        """Takes out the rows from `start` to `old_end` and puts in those up to `new_end`; the others stay selected."""
        self.rows_to_be_replaced.emit()
        before, self._row_of = self._rows, None
        if old_end > start:
            self.beginRemoveRows(_ROOT, start, old_end - 1)
            self._rows = [*before[:start], *before[old_end:]]
            self.endRemoveRows()
        if new_end > start:
            self.beginInsertRows(_ROOT, start, new_end - 1)
            self._rows = rows
            self.endInsertRows()
        self._rows = rows
        self.rows_replaced.emit()


def _same_place(before: Row, after: Row) -> bool:
    """Return True if two rows are about the same thing in the same group."""
    if before is after:
        return True
    if isinstance(before, PlacedMessage):
        # a message keeps its row as long as it stays in its group, which its neighbours tell
        return isinstance(after, PlacedMessage) and before.id == after.id
    if isinstance(before, PlacedDocument):
        return isinstance(after, PlacedDocument) and (before.id, before.name) == (after.id, after.name)
    if isinstance(before, MessageGroupRow):
        return isinstance(after, MessageGroupRow) and before.group == after.group
    return isinstance(after, FixedRow) and before.kind == after.kind


def runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Places in order as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found
