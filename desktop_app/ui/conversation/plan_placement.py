"""Owns how a plan's placement of messages reads in the transcript: the load line, reasons, marks. Pure; no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_app.core.context.boundaries import CARRIER
from desktop_app.core.context.plan import ContextPlan, PlacedMessage, PlacedState
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED

LEFT_OUT_STATES = frozenset(("left_out", "excluded", "summarised"))
MARKS: Mapping[PlacedState, str] = {"excluded": "Excluded", "summarised": "Summarized"}
"""States that a word above the first message of a run names: elsewhere they could not be told from a trim."""


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
    """Where the model's view begins under this plan, and what is to be said of each message.

    `next_id`: the message that came after those of the plan, which the line stands above if none of them is sent.
    """
    # one look at each: a thread may have ten thousand messages, and this runs between two frames
    reasons: dict[str, str] = {}
    marks: dict[str, str] = {}
    others: list[int] = []
    pins: list[int] = []
    placed, kept = _shown(plan)
    before = ""
    start, behind = len(placed) if kept == CARRIER else 0, 0
    oldest = newest = -1
    for index, message in enumerate(placed):
        state = message.state
        if state in LEFT_OUT_STATES:
            reasons[message.id] = message.reason
            oldest, newest = index if oldest < 0 else oldest, index
            if state == "left_out":
                behind = index + 1
            elif state != before:
                marks[message.id] = MARKS[state]
        else:
            others.append(index)
            if state == "pinned":
                pins.append(index)
        if message.id == kept:
            start = index
        before = state
    line = max(behind, start)
    if not 0 <= oldest < line:
        line = 0  # nothing above it is left out
    for index in others:
        if index >= line:
            break
        reasons[placed[index].id] = ALWAYS_SENT
    reasons.update((placed[index].id, PINNED) for index in pins)
    if not reasons:
        return NOTHING_LEFT_OUT
    shown = None
    if line:
        shown = placed[line].id if line < len(placed) else next_id
    return Placement(shown, reasons, marks, placed[newest].id if newest >= 0 else "")


def _shown(plan: ContextPlan) -> tuple[Sequence[PlacedMessage], str | None]:
    """What is not deleted of the plan's messages, and the first of them in the tail."""
    placed, kept = plan.messages, plan.window.first_kept
    if not any(message.deleted for message in placed):
        return placed, kept
    first = next((index for index, message in enumerate(placed) if message.id == kept), len(placed))
    shown = [message for message in placed if not message.deleted]
    if kept is not None and first < len(placed):
        kept = next((message.id for message in placed[first:] if not message.deleted), CARRIER)
    return shown, kept
