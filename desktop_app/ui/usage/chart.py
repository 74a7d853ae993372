"""The values of a plot of stacked bars, and the round numbers of its axis. Uses no painter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from desktop_app.ui.i18n.amounts import dollars, thousands
from desktop_app.ui.i18n.language import grouped

Unit: TypeAlias = Literal["tokens", "dollars"]
Pattern: TypeAlias = Literal["solid", "diagonal", "dots", "lines"]
STEPS = (1.0, 2.0, 5.0, 10.0)
"""An axis counts in one of these times a power of ten."""


@dataclass(frozen=True, slots=True)
class Series:
    """One layer of the bars. `tint` is a colour role of the theme; the pattern tells it apart without colour."""

    name: str
    tint: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar: `label` stands on the axis, `name` is the time in full, `values` are one per series, from below."""

    label: str
    name: str
    values: tuple[float, ...]

    @property
    def height(self) -> float:
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars from left to right in time, in tokens or US dollars."""

    series: tuple[Series, ...]
    bars: tuple[ChartBar, ...]
    unit: Unit = "tokens"

    def totals(self) -> tuple[float, ...]:
        """The sum of each series over all bars."""
        return tuple(sum(bar.values[place] for bar in self.bars) for place in range(len(self.series)))

    def exact(self, value: float) -> str:
        """`12,345` tokens or `$1.23`."""
        return dollars(value) if self.unit == "dollars" else grouped(value)

    def rounded(self, value: float) -> str:
        """As it stands on the axis: `200K`, `$0.50`."""
        return dollars(value) if self.unit == "dollars" else thousands(round(value))


def axis(most: float, unit: Unit, steps: int = 4) -> tuple[float, ...]:
    """Round numbers from 0 to at least `most`, at most `steps` above 0: where the lines of the grid stand.

    Tokens are whole and cents the smallest money, so the axis of an almost empty plot does not go below either.
    """
    least = 1.0 if unit == "tokens" else 0.01
    rough = max(most / steps, least)
    power = 10.0 ** math.floor(math.log10(rough))
    # the small excess forgives what binary fractions do to 0.05
    step = next(power * factor for factor in STEPS if power * factor >= rough * (1 - 1e-9))
    count = max(1, math.ceil(most / step - 1e-9))
    return tuple(step * place for place in range(count + 1))
