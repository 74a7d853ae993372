"""Owns what the gauge shows at one moment, as a value. Knows no widget and no plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the first paint needs the value, not the words
    from desktop_app.core.context.plan_text import GaugeState


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """`fill`, `soft`, `notch` are shares of the emergency limit; `notch` None: none.

    `movable`: the mark of the soft limit stands for tokens, and can be moved.
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
