"""Owns the order in which an answer's events are given out: a call's result comes right behind the call. Pure.

The program runs a call while the model goes on writing, so what follows a call waits until its result is there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import PartFinished, Reset, StreamEvent


class PairedEvents:
    """Events in, events out. Where no tool is offered (`pairing` False) nothing is ever held back."""

    def __init__(self, *, pairing: bool) -> None:
        self._pairing = pairing
        self._held: deque[StreamEvent] = deque()
        self._given: dict[str, ToolCallPart] = {}
        self.waiting: ToolCallPart | None = None
        """The call whose result is waited for; everything behind it is held back."""

    def add(self, events: Iterable[StreamEvent]) -> None:
        """Takes the next events; a reset takes back what is still held."""
        for event in events:
            if isinstance(event, Reset):
                self._held.clear()
                self._given.clear()
                self.waiting = None
            self._held.append(event)

    def give(self, *, until: ToolCallPart | None = None, all_of_it: bool = False) -> Iterator[StreamEvent]:
        """The events that may be given out now, in order.

        `until`: the call that has to be among those given, also where another one is waited for. `all_of_it`: nobody
        will answer any more.
        """
        while self._held:
            hurried = all_of_it or (until is not None and until.id not in self._given)
            event = self._held[0] if self.waiting is None or hurried else self._result_of(self.waiting)
            if event is None:
                return
            self._held.remove(event)
            part = event.part if isinstance(event, PartFinished) else None
            if isinstance(part, ToolCallPart):
                self._given[part.id] = part
                self.waiting = part if self._pairing else None
            elif isinstance(part, ToolResultPart):
                self.answered(part.call_id)
            yield event

    def unanswered(self) -> tuple[ToolCallPart, ...]:
        """The calls that came and have no result yet, oldest first."""
        held = (event.part for event in self._held if isinstance(event, PartFinished))
        return (*self._given.values(), *(part for part in held if isinstance(part, ToolCallPart)))

    def answered(self, call_id: str) -> None:
        """The result of a call was given to whoever reads: what follows it may come."""
        self._given.pop(call_id, None)
        if self.waiting is not None and self.waiting.id == call_id:
            self.waiting = None

    def _result_of(self, call: ToolCallPart) -> StreamEvent | None:
        """The result that the program itself gave, which may stand behind what the model went on to write."""
        for event in self._held:
            part = event.part if isinstance(event, PartFinished) else None
            if isinstance(part, ToolResultPart) and part.call_id == call.id:
                return event
        return None
