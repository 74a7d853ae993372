"""The state of each message of a path under one plan: rows made when looked at, spans alike, the reason in words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, count, pairwise
from operator import is_not, itemgetter, ne
from typing import Final, TypeVar, overload

from desktop_app.core.context.boundaries import Boundary
from desktop_app.core.context.message_selection import Gap
from desktop_app.core.context.path_tokens import PathTokens, RequestShape, TailTotals
from desktop_app.core.context.plan import PlacedMessage, PlacedPath, PlacedSpan, PlacedState
from desktop_app.core.context.plan_text import thousands
from desktop_app.core.context.prepared_path import PreparedPath
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.context.token_counting import Counted
from desktop_app.core.messages import BoundaryState
from desktop_app.core.phrases import phrase

Row = TypeVar("Row")


class PlacedRows(Sequence[Row]):
    """Rows that are made at the first look."""

    def __init__(self, make: Callable[[], Iterable[Row]]) -> None:
        self._make = make

    @cached_property
    def _rows(self) -> tuple[Row, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self._rows[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, PlacedRows | tuple) and self._rows == tuple(other))

    def __hash__(self) -> int:
        return hash(self._rows)

    def __repr__(self) -> str:
        return repr(self._rows)


LEFT_OUT: Final = phrase("left out: older than the limits of this thread allow")
"""The reason where the limit is not known: an older version stored the step."""


def left_out_reason(state: BoundaryState) -> str:
    """Why the step to this state left something out."""
    if state.cause == "tokens" and state.soft:
        return phrase("left out to stay under the soft limit of {limit}", limit=thousands(state.soft))
    if state.cause == "messages" and state.max_messages:
        return phrase("left out by the message limit of {count:,}", count=state.max_messages)
    if state.cause == "turns" and state.max_turns:
        return phrase("left out by the turn limit of {count:,}", count=state.max_turns)
    if state.cause == "idle":
        return phrase("left out after a long pause")
    return LEFT_OUT


def left_out_steps(boundaries: Sequence[Boundary], newest: BoundaryState, length: int) -> list[tuple[int, str]]:
    """Up to which place of a path what is left out is so by which step: the first it has been behind ever since.

    `boundaries` are those of the path, oldest first; what none of them leaves out, the step to `newest` does.
    """
    steps: list[tuple[int, str]] = []
    for boundary in boundaries:
        passed = steps[-1][0] if steps else 0
        if boundary.start >= passed:
            steps.append((boundary.start, left_out_reason(boundary.state)))
        while steps and steps[-1][0] > boundary.start:
            _, reason = steps.pop()
            if not steps or steps[-1][0] < boundary.start:
                steps.append((boundary.start, reason))
    return [*steps, (length, left_out_reason(newest))]


BEFORE_START: Final = phrase("left out: the thread was started fresh after it")
ABOVE_LINE: Final = phrase("left out: above the line you moved")
KEPT: Final = phrase("always sent: the beginning of the thread")
PINNED: Final = phrase("pinned: always sent")
EXCLUDED: Final = phrase("left out: you excluded it")
LEAVES: Final = phrase("left out first at the next step")
LEFT: Final = phrase("left out: you let it go first")
DELETED: Final = phrase("deleted: not sent and not searched")
SUMMARISED: Final = phrase("replaced by a summary")
IMAGE_GONE: Final = phrase("its image is older than the last step and is named only")
DOCUMENT_ABOVE: Final = phrase("its document is sent further up")


_SENT: Final = frozenset(("whole", "annotated", "pinned"))


def has_note(form: Counted, whole: Counted) -> bool:
    """Return True if a note of the app stands for an image or document: an answer without its thinking has none."""
    return form is not whole and (whole.has_images or any(whole.documents))


@dataclass(frozen=True, eq=False, repr=False)
class PlacedMessages(PlacedPath):
    """Rows made when looked at. `shares`: by place, tokens of messages that a count or bound of the whole changed."""

    ready: PreparedPath
    ledger: PathTokens
    shape: RequestShape
    totals: TailTotals
    gaps: Sequence[Gap]
    state: BoundaryState
    shares: Mapping[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ready.counted)

    @overload
    def __getitem__(self, index: int) -> PlacedMessage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PlacedMessage, ...]: ...
    def __getitem__(self, index: int | slice) -> PlacedMessage | tuple[PlacedMessage, ...]:
        places = range(len(self))[index]
        return self._row(places) if isinstance(places, int) else tuple(map(self._row, places))

    def __iter__(self) -> Iterator[PlacedMessage]:
        return map(self._row, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @property
    def start(self) -> int:
        return self.shape.start

    def index_of(self, message_id: str) -> int | None:
        return self.ready.place_of(message_id)

    def changes_since(self, earlier: PlacedPath) -> Mapping[int, PlacedMessage]:
        if not isinstance(earlier, PlacedMessages):
            return super().changes_since(earlier)
        both, paths = min(len(self), len(earlier)), (earlier, self)
        # all that a row is made of is compared, and rows only where that differs
        unlike = set(compress(count(), map(is_not, earlier.ready.counted, self.ready.counted)))
        for path in paths:
            unlike.update(path.shape.forms, path.shares)
            unlike.update(compress(count(), map(is_not, path.ledger.weighed, path.ready.counted)))
        starts = {span.first for path in paths for span in path.spans if span.first < both}
        for first, end in pairwise(sorted((*starts, both))):
            row = self[first]
            if _fares(earlier[first]) != _fares(row):
                unlike.update(range(first, end))
            elif row.state in _SENT:
                tokens = (path.ledger.tokens[first:end] for path in paths)
                unlike.update(compress(range(first, end), map(ne, *tokens)))
        rows = {place: self[place] for place in sorted((*unlike, *range(both, len(self)))) if place < len(self)}
        return {place: row for place, row in rows.items() if place >= both or row.fares != earlier[place].fares}

    @cached_property
    def spans(self) -> tuple[PlacedSpan, ...]:
        choices, selection = self.shape.selection.decided, self.shape.selection
        starts = {0, len(self), min(choices.base, len(self)), choices.head.start, choices.head.stop, self.start}
        starts.update(end for end, _ in self._steps)
        for gap in self.gaps:
            starts.update((gap.first, gap.end))
        marked = (rows for _, rows in choices.leaving)
        for some in (choices.excluded, choices.deleted, choices.pinned, selection.covered, *marked):
            starts.update(index for index in some if index - 1 not in some)
            starts.update(index + 1 for index in some if index + 1 not in some)
        ends = sorted(starts)
        found: list[PlacedSpan] = []
        for first, end in pairwise(ends):
            row = self._row(first)
            if found and _fares(found[-1].row) == _fares(row):
                found[-1] = replace(found[-1], end=end)
            else:
                found.append(PlacedSpan(first, end, row))
        return tuple(found)

    @cached_property
    def _steps(self) -> Sequence[tuple[int, str]]:
        return left_out_steps(self.ready.boundaries, self.state, len(self))

    def _row(self, index: int) -> PlacedMessage:
        item = self.ready.counted[index]
        choices, message = self.shape.selection.decided, item.message
        whole = self.ledger.tokens[index] + self.ledger.change(index, item)
        deleted, tokens = index in choices.deleted, 0
        state: PlacedState
        reason: str
        if deleted:
            state, reason, whole = "excluded", DELETED, 0
        elif self.shape.selection.is_sent(index, self.shape.start):
            state, reason = self._sent(index, item)
            tokens = self.totals.of_message(index) if index in self.shape.forms else whole
            if index in self.shares:
                tokens, whole = self.shares[index], whole * self.shares[index] // tokens
        else:
            state, reason = self._missing(index)
        results = message.role == "user" and not opens_turn(message)
        return PlacedMessage(message.id, message.role, state, tokens, reason, whole, results, deleted)

    def _sent(self, index: int, item: Counted) -> tuple[PlacedState, str]:
        """Return how a message is sent, and why so."""
        selection, form = self.shape.selection, self.shape.forms.get(index)
        if index in selection.decided.pinned:
            return "pinned", PINNED
        noted = form is not None and has_note(form, item)
        reason = LEAVES if any(index in rows for _, rows in selection.decided.leaving) else ""
        if reason:
            pass
        elif selection.always(index) and index < max(self.shape.start, selection.decided.base):
            reason = KEPT
        elif form is not None and noted:
            reason = IMAGE_GONE if item.has_images and not form.has_images else DOCUMENT_ABOVE
        return "annotated" if noted or item.content.annotated else "whole", reason

    def _missing(self, index: int) -> tuple[PlacedState, str]:
        """Return the state of a message that is not sent, and why."""
        selection = self.shape.selection
        choices = selection.decided
        if index in choices.excluded:
            return "excluded", EXCLUDED
        if index in choices.gone:
            return "left_out", LEFT
        if index in selection.covered:
            return "summarised", SUMMARISED
        if index < choices.base:
            return "left_out", BEFORE_START if choices.head.start == choices.base else ABOVE_LINE
        return "left_out", self._steps[bisect_right(self._steps, index, key=itemgetter(0))][1]


def _fares(row: PlacedMessage) -> tuple[object, ...]:
    """Return what a reader is told of a row beside notes in its text."""
    if row.state in ("whole", "annotated"):
        return (row.reason if row.reason in (KEPT, LEAVES) else "",)
    return row.state, row.reason, row.deleted
