"""The places where the user can put the load line on a path, and the choices that put it there.

A place is named by the message that the line stands above; above the first message of the path nothing is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.prepared_path import PreparedPath


def line_places(ready: PreparedPath) -> Sequence[str]:
    """The ids of the messages that the line can stand above, in order; none where there is only one place.

    What always stays at the beginning is above the second one, and the newest turn beneath the last one.
    """
    starts = [start for start in ready.turns.starts if start > ready.undecided.head.stop]
    return [ready.messages[place].id for place in (0, *starts)] if starts else []


def choices_with_line(ready: PreparedPath, message_id: str) -> ContextChoices:
    """Return the choices that the user makes by putting the line above a message.

    Steps that begin behind it are taken back. Where none that is left begins there, everything before it is left out,
    but for what always stays at the beginning. A message of another path decides nothing.
    """
    place = next((index for index, message in enumerate(ready.messages) if message.id == message_id), None)
    if place is None:
        return ready.choices
    steps = ready.boundaries_under(ready.undecided)
    later = frozenset(ready.messages[one.carrier].id for one in steps if one.start > place)
    is_step = [one.start for one in steps if one.start <= place][-1] == place
    return replace(
        ready.choices,
        fresh_from=None if is_step else ready.messages[place - 1].id,
        keeps_start=not is_step,
        undone=ready.choices.undone | later,
        return_from=None,
    )
