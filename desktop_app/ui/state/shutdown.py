"""The order in which wishes come to their end before the history closes. Uses no pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.ui.state.bridge import Tasks
    from desktop_app.ui.state.services import WindowServices

WITHIN_MS = 2_000
"""So long a wish is waited for when its window has gone already: one that stores something takes milliseconds."""


async def end_wishes(services: WindowServices, *tasks: Tasks) -> None:
    """Stops answers, which stores what came of them, and lets wishes end; what only looks is dropped.

    After this nothing is under way that is missed when it is cancelled. Returns when the history has stored what it
    was asked to, `WITHIN_MS` later at most.
    """
    for _ in range(2):
        # The first time the last question may just be on its way: it is refused and kept as a draft, which is told.
        await services.chat.close()
        for group in dict.fromkeys(tasks):
            await group.come_to_rest(WITHIN_MS)
