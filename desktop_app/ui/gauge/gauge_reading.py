"""The state of the gauge at one moment, as a value. Uses no widget and no plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the first paint needs the value, not the words
    from desktop_app.core.context.plan_text import GaugeState


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """`fill`, `soft`, `notch`, `emergency` are shares of the strip's width; `notch` None: none.

    That is the emergency limit; another where the limit was moved by hand, so that its mark stays where it was put.
    `movable`: the mark of the soft limit stands for tokens, and can be moved.
    `assumed`: a guessed limit decides, so that the action says what it is.
    `line` is the text under the hull, `action` its last word that invites a click, `sentence` is for screen readers.
    """

    state: GaugeState
    fill: float
    soft: float
    line: str
    action: str
    sentence: str
    notch: float | None = None
    movable: bool = False
    emergency: float = 1.0
    assumed: bool = False

    @property
    def unscaled(self) -> GaugeReading:
        """The same on a strip as wide as the emergency limit."""
        fill, soft = min(1.0, self.fill / self.emergency), min(1.0, self.soft / self.emergency)
        notch = None if self.notch is None else min(1.0, self.notch / self.emergency)
        return replace(self, fill=fill, soft=soft, notch=notch, emergency=1.0)
