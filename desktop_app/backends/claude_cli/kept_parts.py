"""Owns which finished parts of an answer stand when the program repeats a request or goes on with another. Pure.

An answer may take several requests (a call of a tool, its result, the next request), and each of them may break and be
repeated. What is repeated is taken back as soon as its repetition says something, not sooner: where that fails, the
text so far stays. What stands is given again behind the reset, in its order.
"""

from __future__ import annotations

from desktop_app.core.messages import Part, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import PartFinished, Reset, StreamEvent, TextDelta, ThinkingDelta


class KeptParts:
    """The parts of the requests that stand, and those of the one that is answered now."""

    def __init__(self) -> None:
        self.shown = False
        """Something of the answer was given out."""
        self._kept: list[Part] = []
        self._current: list[Part] = []
        self._half = False
        self._superseded = False

    @property
    def calls(self) -> bool:
        """Whether the request that is answered now asked for a tool."""
        return any(isinstance(part, ToolCallPart) for part in self._current)

    def grow(self, delta: TextDelta | ThinkingDelta) -> list[StreamEvent]:
        """The events for a piece of a part that is not finished."""
        events = self._show(delta)
        self._half = True
        return events

    def finish(self, part: Part) -> list[StreamEvent]:
        """The events for a finished part."""
        events = self._show(PartFinished(part))
        self._current.append(part)
        self._half = False
        return events

    def answer(self, result: ToolResultPart) -> bool:
        """Keeps a result behind its call; False where there is no such call, or it has a result already."""
        for parts in (self._kept, self._current):
            if any(isinstance(part, ToolResultPart) and part.call_id == result.call_id for part in parts):
                return False
            for at, part in enumerate(parts):
                if isinstance(part, ToolCallPart) and part.id == result.call_id:
                    parts.insert(at + 1, result)
                    return True
        return False

    def keep(self) -> None:
        """The request is answered, and another one goes on from there."""
        self._kept += self._current
        self._current, self._half = [], False

    def supersede(self) -> None:
        """Another request stands in the place of this one."""
        self._superseded |= bool(self._current) or self._half
        self._current, self._half = [], False

    def abandon(self) -> bool:
        """The request broke off. True: the program goes on from its whole parts, so these stand.

        That is what version 2.1.330 does where a text or a call came whole; thinking alone it drops. What came in half
        is written anew in either case.
        """
        if not any(isinstance(part, TextPart | ToolCallPart) for part in self._current):
            self.supersede()
            return False
        self._superseded |= self._half
        self.keep()
        return True

    def _show(self, event: StreamEvent) -> list[StreamEvent]:
        events = [Reset(), *map(PartFinished, self._kept), event] if self._superseded else [event]
        self.shown, self._superseded = True, False
        return events
