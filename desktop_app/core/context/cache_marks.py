"""Places the cache marks of a request.

A provider's cache matches whole prefixes that end at a mark, and looks back at most 20 blocks from each mark for one
that an earlier request wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop_app.core.context.plan import CacheLifetime, CacheMark, PlannedMessage
from desktop_app.core.messages import Part, ThinkingPart, UnknownPart

LOOK_BACK: Final = 20
"""Blocks that a mark looks back for an entry written earlier."""

SYSTEM: Final = -1


def place_marks(
    system: str,
    history: Sequence[PlannedMessage],
    pending: PlannedMessage | None,
    *,
    room: int,
    lifetime: CacheLifetime,
    always: int = 0,
    of_turn: int = 0,
    held: int = -1,
) -> tuple[CacheMark, ...]:
    """At most `room` marks in the order of the request, all with one lifetime, none on thinking or empty blocks.

    In this order of importance: the end of the request; the end of the previous request, which is in the cache
    already, or of message `held` where the newest one that is there ended with that; the place before the last
    `of_turn` blocks, which the next turn does not have; places between these so that no two are more than 20 blocks
    apart; the end of the project's documents (the first `always` blocks), which its other threads begin with as well;
    the system prompt (empty: it can bear no mark); the first user message, which outlives every trim, behind documents
    before the system prompt, which is the smaller part of what they end; the end of the history, from which the last
    question can be asked in other words.
    """
    request = (*history, pending) if pending is not None else tuple(history)
    lasting = [(SYSTEM, 0) if system.strip() else None, _end_of(request, 0)]
    if always and request:
        lasting = [(0, always - 1), *reversed(lasting)]
    stable = (len(request) - 1, len(request[-1].blocks) - 1 - of_turn) if of_turn else None
    ends = _turn_ends(request)
    wanted = [
        *ends[:1],
        *([_end_of(history, held)] if held >= 0 else ends[1:2]),
        stable if stable is not None and stable[1] >= 0 else None,
        *ends[2:],
        *lasting,
        _end_of(history, len(history) - 1),
    ]
    places = list(dict.fromkeys(place for place in wanted if place is not None))[: max(0, room)]
    return tuple(CacheMark(message, block, lifetime) for message, block in sorted(places))


def _turn_ends(request: Sequence[PlannedMessage]) -> list[tuple[int, int]]:
    users = [index for index in range(len(request) - 1, -1, -1) if request[index].role == "user"][:2]
    ends = [place for place in (_end_of(request, index) for index in users) if place is not None]
    if len(ends) < 2:
        return ends
    last, previous = ends
    # every block counts for the look-back, though not every one can bear a mark
    between = [
        (message, block)
        for message in range(previous[0], last[0] + 1)
        for block in range(len(request[message].blocks))
        if previous < (message, block) < last
    ]
    while len(between) >= LOOK_BACK:
        stride = range(len(between) - LOOK_BACK, len(between))
        index = next((i for i in stride if _takes_mark(request[between[i][0]].blocks[between[i][1]])), None)
        if index is None:
            break
        ends.append(between[index])
        between = between[:index]
    return ends


def _end_of(request: Sequence[PlannedMessage], message: int) -> tuple[int, int] | None:
    if not 0 <= message < len(request):
        return None
    blocks = request[message].blocks
    return next(((message, index) for index in range(len(blocks) - 1, -1, -1) if _takes_mark(blocks[index])), None)


def _takes_mark(part: Part) -> bool:
    return not isinstance(part, ThinkingPart | UnknownPart)
