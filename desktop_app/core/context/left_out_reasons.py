"""Why each message of a path is left out, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop_app.core.context.boundaries import Boundary
from desktop_app.core.context.plan_text import thousands
from desktop_app.core.messages import BoundaryState
from desktop_app.core.phrases import phrase

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
