"""The rows that the Messages tab has for a plan, their words, and the Qt model that changes as little as the plan does.

Groups, messages, and the parts sent beside them. Uses no view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop_app.core.context.dead_weight import DeadWeight
from desktop_app.core.context.limits import spoken_rows
from desktop_app.core.context.plan import ContextPlan, PlacedDocument, PlacedMessage, PlacedState
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import dollars, excerpt, thousands
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.i18n.language import translated as say

GroupName: TypeAlias = Literal[
    "fixed",
    "always",
    "searched",
    "unused",
    "beginning",
    "pinned",
    "sent",
    "summarised",
    "left_out",
    "excluded",
    "deleted",
]
FixedKind: TypeAlias = Literal["system", "tools", "overhead", "summary", "draft", "attached"]

GROUPS: Final[tuple[GroupName, ...]] = (
    *("unused", "beginning", "pinned", "sent", "summarised", "left_out", "excluded", "deleted"),
)
"""Those of messages, in the order in which the tab shows them."""

GROUP_OF: Final[Mapping[PlacedState, GroupName]] = {
    "whole": "sent",
    "annotated": "sent",
    "pinned": "pinned",
    "summarised": "summarised",
    "left_out": "left_out",
    "excluded": "excluded",
}


@dataclass(frozen=True, slots=True)
class MessageGroupRow:
    """The heading of a group: how many questions and answers it has (documents, in the two groups of those), their
    tokens in the request, whether it is folded.

    `whole`: the tokens that they have, or would have, where they are sent whole.
    """

    group: GroupName
    count: int
    tokens: int
    folded: bool = False
    whole: int = 0


@dataclass(frozen=True, slots=True)
class FixedRow:
    """Something that is sent beside the messages of the path."""

    kind: FixedKind
    tokens: int
    name: str = ""  # of a file of the draft


NO_WEIGHT: Final[Mapping[str, DeadWeight]] = {}

Row: TypeAlias = MessageGroupRow | FixedRow | PlacedMessage | PlacedDocument
Groups: TypeAlias = Mapping[GroupName, "MessageGroup"]


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """The messages of one group in path order, or the project's documents of one kind, under their heading."""

    heading: MessageGroupRow
    members: Sequence[PlacedMessage] | Sequence[PlacedDocument]


def grouped_messages(messages: Sequence[PlacedMessage], unused: Mapping[str, DeadWeight] = NO_WEIGHT) -> Groups:
    """The messages of a plan by group; a group without messages is left out. `unused` stand first, in their order."""
    messages = tuple(messages)  # each look would make its row again
    groups: dict[GroupName, list[PlacedMessage]] = {name: [] for name in GROUPS}
    put, deleted = {state: groups[name].append for state, name in GROUP_OF.items()}, groups["deleted"].append
    gone = next((row for row, message in enumerate(messages) if message.state == "left_out"), 0)
    for row, message in enumerate(messages):
        if message.id in unused:
            groups["unused"].append(message)
        elif row < gone and GROUP_OF[message.state] == "sent":  # above the load line, and sent all the same
            groups["beginning"].append(message)
        elif message.whole or message.tokens or message.deleted:  # an answer that has no word is none
            (deleted if message.deleted else put[message.state])(message)
    places = {name: place for place, name in enumerate(unused)}
    groups["unused"].sort(key=lambda row: places[row.id])
    spoken = Counter(_group_of(messages[row]) for row in spoken_rows(messages) if messages[row].id not in unused)
    spoken["sent"] -= len(groups["beginning"])
    return {
        name: MessageGroup(
            MessageGroupRow(
                name,
                len(members) if name in ("beginning", "deleted", "unused") else spoken[name],
                sum(row.tokens for row in members),
                whole=sum(row.whole for row in members),
            ),
            members,
        )
        for name, members in groups.items()
        if members
    }


def documents_grouped(documents: Sequence[PlacedDocument]) -> Groups:
    """The documents of a plan's project: those that are always included, and the others."""
    groups: dict[GroupName, list[PlacedDocument]] = {"always": [], "searched": []}
    for document in documents:
        groups["always" if document.mode == "always" else "searched"].append(document)
    return {
        name: MessageGroup(
            MessageGroupRow(
                name,
                sum(row.state != "left_out" for row in members),  # what can't be read is not searched
                sum(row.tokens for row in members),
                whole=sum(row.whole for row in members),
            ),
            members,
        )
        for name, members in groups.items()
        if members
    }


def _group_of(message: PlacedMessage) -> GroupName:
    return "deleted" if message.deleted else GROUP_OF[message.state]


def fixed_rows(plan: ContextPlan, sent: int) -> tuple[FixedRow, ...]:
    """Return the parts that a plan sends beside the path's messages and the project's documents, which weigh `sent`
    tokens.

    The draft's files have rows of their own; the rounding of many messages counts with what the app adds.
    """
    tokens = plan.tokens
    rest = tokens.history + tokens.documents - sent
    written = plan.request.is_drafted
    files = [FixedRow("attached", item.tokens, item.label) for item in plan.placement.attached if written]
    text = tokens.draft + (rest if written else 0) - sum(file.tokens for file in files)
    if text < 0:  # what several files share by rounding
        files, text = [], text + sum(file.tokens for file in files)
    rows = (
        FixedRow("system", tokens.system),
        FixedRow("tools", tokens.tools),
        FixedRow("overhead", tokens.overhead + (0 if written else rest)),
        FixedRow("summary", tokens.summary),
        FixedRow("draft", text),
        *files,
    )
    return tuple(row for row in rows if row.tokens)


def rows_of(fixed: Sequence[FixedRow], groups: Groups, folded: Collection[GroupName]) -> list[Row]:
    """All rows in their order; a group without rows has no heading."""
    rows: list[Row] = []
    if fixed:
        rows.append(MessageGroupRow("fixed", len(fixed), sum(row.tokens for row in fixed), "fixed" in folded))
        rows += fixed if "fixed" not in folded else ()
    for name, group in groups.items():
        rows.append(replace(group.heading, folded=True) if name in folded else group.heading)
        rows += group.members if name not in folded else ()
    return rows


def group_name(group: GroupName) -> str:
    """The heading of a group, without its count."""
    names: dict[GroupName, str] = {
        "fixed": tr("In every request"),
        "always": tr("Always included documents"),
        "searched": tr("Documents searched when needed"),
        "unused": tr("Unused"),
        "beginning": tr("Beginning, always sent"),
        "pinned": tr("Pinned"),
        "sent": tr("Sent"),
        "summarised": tr("Summarized"),
        "left_out": tr("Left out"),
        "excluded": tr("Excluded"),
        "deleted": tr("Deleted"),
    }
    return names[group]


def state_name(state: PlacedState) -> str:
    """The state of a message in a sentence, such as `left out`."""
    match state:
        case "whole":
            return tr("sent")
        case "annotated":
            return tr("sent with notes")
        case "pinned":
            return tr("pinned")
        case "summarised":
            return tr("summarized")
        case "left_out":
            return tr("left out")
        case "excluded":
            return tr("excluded")


def fixed_name(row: FixedRow) -> str:
    """Return the name of a part that is sent beside the messages."""
    match row.kind:
        case "system":
            return tr("System prompt")
        case "tools":
            return tr("Tools")
        case "overhead":
            return tr("Added by the app and the connection")
        case "summary":
            return tr("Conversation summary")
        case "draft":
            return tr("Draft")
        case "attached":
            return tr("Draft: {file}").format(file=row.name)


def exact(tokens: int) -> str:
    """`1 token`, `1,204 tokens`."""
    return tr("1 token") if tokens == 1 else tr("{count} tokens").format(count=grouped(tokens))


def spoken(row: Row, words: str) -> str:
    """Return a screen reader's text for a row; `words` is a message's excerpt."""
    if isinstance(row, MessageGroupRow):
        heading = f"{group_name(row.group)} {grouped(row.count)}, {exact(row.tokens)}"
        return ", ".join([heading, tr("collapsed")]) if row.folded else heading
    if isinstance(row, FixedRow):
        return f"{fixed_name(row)}, {exact(row.tokens)}"
    if isinstance(row, PlacedDocument):
        told = f"{row.name}, {document_amount(row)}"
        return f"{told}. {reason(row)}" if row.reason else told
    speaker = tr("User") if row.asked else tr("Tool") if row.results else tr("Assistant")
    state = tr("deleted") if row.deleted else state_name(row.state)
    told = f"{speaker}, {state}, {exact(row.tokens or row.whole)}: {words}"
    return f"{told}. {reason(row)}" if row.reason else told


def document_amount(row: PlacedDocument) -> str:
    """A document's tokens in the request, with its share of the price; those it would have where it is not sent."""
    if row.state != "whole":
        return tr("{tokens} if it were sent").format(tokens=exact(row.whole))
    return f"{exact(row.whole)} · {dollars(row.cost_usd)}" if row.cost_usd else exact(row.whole)


def reason(row: PlacedMessage | PlacedDocument) -> str:
    """Why a message or document is in its state, as a sentence's beginning; empty where there is nothing to say."""
    told = say(row.reason)
    return told[:1].upper() + told[1:]


def hint(row: Row) -> str:
    if isinstance(row, MessageGroupRow):
        return ""
    if isinstance(row, FixedRow):
        return exact(row.tokens)
    if isinstance(row, PlacedDocument):
        return f"{row.name}\n{reason(row)}\n{document_amount(row)}"
    if row.tokens or not row.whole:
        told = exact(row.tokens)
    else:
        told = tr("{tokens} if it were sent").format(tokens=exact(row.whole))
    return f"{reason(row)}\n{told}" if row.reason else told


def unused_words(weight: DeadWeight) -> str:
    """`12K, unused for 20 turns`."""
    return tr("{tokens}, unused for {turns} turns").format(tokens=thousands(weight.tokens), turns=grouped(weight.turns))


ROW_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Row` itself."""
EXCERPT_ROLE = Qt.ItemDataRole.UserRole + 2
"""One line of a message's words."""
UNUSED_ROLE = Qt.ItemDataRole.UserRole + 3
"""Said of dead weight while it is pointed at; else empty."""

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
        self.unused: Mapping[str, DeadWeight] = {}
        self._unused_first = False

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
            self._regroup()
        else:
            self._arrange()

    def show_unused(self, unused: Mapping[str, DeadWeight], *, first: bool) -> None:
        """Marks these messages as dead weight; `first`: they stand before the others, in their order."""
        regroups = first != self._unused_first or (first and list(unused) != list(self.unused))
        self.unused, self._unused_first = unused, first
        if regroups:
            self._regroup()

    def fold(self, group: GroupName, folded: bool) -> None:
        """Folds the rows of a group away, or shows them again."""
        if folded != (group in self._folded):
            (self._folded.add if folded else self._folded.discard)(group)
            self._arrange()

    def total(self) -> int:
        """The sum of all rows, folded ones too: the plan's own total."""
        return self._sent + sum(row.tokens for row in self._fixed())

    def row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rows(self) -> Sequence[Row]:
        """Every row as shown."""
        return self._rows

    def index_of(self, message_id: str) -> QModelIndex:
        """The row of a message; invalid where it has none, or is folded away."""
        if self._row_of is None:
            self._row_of = {row.id: n for n, row in enumerate(self._rows) if isinstance(row, PlacedMessage)}
        return _ROOT if (place := self._row_of.get(message_id)) is None else self.index(place)

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
                return self._with_unused(row, spoken(row, self._excerpt(row)), ". ")
            case Qt.ItemDataRole.ToolTipRole:
                return self._with_unused(row, hint(row), "\n")
            case _ if role == UNUSED_ROLE:
                return self._with_unused(row, "", "")
            case _ if role == EXCERPT_ROLE:
                return self._excerpt(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if (row := self.row(index)) is None:
            return Qt.ItemFlag.NoItemFlags
        if isinstance(row, PlacedMessage):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled

    def _excerpt(self, row: Row) -> str:
        if not isinstance(row, PlacedMessage):
            return ""
        message = self._messages.get(row.id)
        if (kept := self._excerpts.get(row.id)) is None or kept[0] is not message:
            kept = self._excerpts[row.id] = (message, excerpt(message))
        return kept[1]

    def _with_unused(self, row: Row, words: str, between: str) -> str:
        weight = self.unused.get(row.id) if isinstance(row, PlacedMessage) else None
        return words if weight is None else f"{words}{between}{unused_words(weight)}"

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

    def _regroup(self) -> None:
        messages = grouped_messages(self._placed, self.unused if self._unused_first else NO_WEIGHT)
        self._groups = {**documents_grouped(self._documents), **messages}
        self._sent = sum(group.heading.tokens for group in self._groups.values())
        self._arrange()

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
    return isinstance(after, FixedRow) and (before.kind, before.name) == (after.kind, after.name)


def runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Places in order as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found
