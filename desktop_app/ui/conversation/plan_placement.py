"""The display of a plan's placement of messages in the transcript: the load line, reasons, marks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from desktop_app.core.context.plan import ContextPlan, PlacedPath, PlacedState
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED

LEFT_OUT_STATES = frozenset(("left_out", "excluded", "summarised"))
MARKS: Mapping[PlacedState, str] = {"excluded": "Excluded", "summarised": "Summarized"}
"""States that a word above the first message of a run names: elsewhere they could not be told from a trim."""


class PlacedReasons(Mapping[str, str]):
    """The words on messages, by id, kept as ranges of the path: looking one up costs the same in any thread."""

    def __init__(self, placed: PlacedPath, ranges: tuple[tuple[int, int, str], ...]) -> None:
        """`ranges`: first place, end and words, in path order."""
        self._placed, self._ranges = placed, ranges

    def __getitem__(self, message_id: str) -> str:
        index = self._placed.index_of(message_id)
        at = -1 if index is None else bisect_right(self._ranges, index, key=itemgetter(0)) - 1
        if index is None or at < 0 or index >= self._ranges[at][1]:
            raise KeyError(message_id)
        return self._ranges[at][2]

    def __len__(self) -> int:
        return sum(end - first for first, end, _ in self._ranges)

    def __iter__(self) -> Iterator[str]:
        return (self._placed[index].id for first, end, _ in self._ranges for index in range(first, end))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlacedReasons):
            return isinstance(other, Mapping) and dict(self) == other
        return self._ranges == other._ranges and self._edges == other._edges

    __hash__ = None  # type: ignore[assignment]

    @property
    def _edges(self) -> list[str]:
        """The ids at which the ranges begin and end: those of another path are others."""
        return [self._placed[index].id for first, end, _ in self._ranges for index in (first, end - 1)]


@dataclass(frozen=True, slots=True)
class Placement:
    """`line`: the message that the load line stands above (None: no line). The mappings are by message id.

    `last_left_out`: the newest message that is not sent as it is, "" where everything is.
    """

    line: str | None
    reasons: Mapping[str, str]
    marks: Mapping[str, str]
    last_left_out: str = ""


NOTHING_LEFT_OUT = Placement(None, {}, {})


def read_placement(plan: ContextPlan, *, next_id: str | None = None) -> Placement:
    """Return where the model's view begins under this plan, and the words on each message.

    `next_id`: the message that came after those of the plan, which the line stands above if none of them is sent.
    """
    # a thread may have ten thousand messages, and this runs between two frames: runs of them, never each
    placed = plan.placement.messages
    spans = [span for span in placed.spans if not span.row.deleted]
    missing = [span for span in spans if span.row.state in LEFT_OUT_STATES]
    line = max([placed.start, *(span.end for span in missing if span.row.state == "left_out")])
    if not (missing and missing[0].first < line):
        line = 0  # nothing above it is left out
    marks: dict[str, str] = {}
    ranges: list[tuple[int, int, str]] = []
    before = ""
    for span in spans:
        state = span.row.state
        if state in LEFT_OUT_STATES:
            ranges.append((span.first, span.end, span.row.reason))
            if state in MARKS and state != before:
                marks[span.row.id] = MARKS[state]
        elif state == "pinned":
            ranges.append((span.first, span.end, PINNED))
        elif span.first < line:
            ranges.append((span.first, min(span.end, line), ALWAYS_SENT))
        before = state
    if not ranges:
        return NOTHING_LEFT_OUT
    shown = None
    if line:
        below = next((max(span.first, line) for span in spans if span.end > line), None)
        shown = next_id if below is None else placed[below].id
    last = placed[missing[-1].end - 1].id if missing else ""
    return Placement(shown, PlacedReasons(placed, tuple(ranges)), marks, last)
