"""The messages of a path that make up whole turns. Uses no plan and no widget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.messages import Message


def whole_turns(path: Sequence[Message], ids: Iterable[str]) -> list[str]:
    """The ids of the turns that these messages belong to, in path order."""
    wanted = set(ids)
    chosen: list[str] = []
    turn: list[str] = []
    asked = False
    for message in path:
        opens = opens_turn(message)
        # questions in a row are answered together: they are one turn
        if opens and not asked:
            chosen += turn if wanted.intersection(turn) else ()
            turn = []
        turn.append(message.id)
        asked = opens
    return [*chosen, *turn] if wanted.intersection(turn) else chosen
