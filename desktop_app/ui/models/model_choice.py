"""Owns one model on offer as people see it: its name, window and price in words. Knows no widget and no backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.phrases import phrase
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.i18n.language import spoken as say

if TYPE_CHECKING:
    from desktop_app.core.model_catalog import ModelInfo


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model on offer. `window` in tokens, 0 where it is unknown; `detail` says why an unavailable one is.

    `prices`: dollars per million tokens, in and out; None where they are unknown. `cost`: "money", "plan" or "free".
    `info`: all that is known of the model. `lacks`: what this thread uses and the model can't do, in a few words each.
    `anew`: what going on with it costs.
    """

    backend: str
    backend_title: str
    model: str
    model_name: str
    window: int = 0
    available: bool = True
    detail: str = ""
    prices: tuple[float, float] | None = None
    cost: str = "money"
    info: ModelInfo | None = None
    lacks: tuple[str, ...] = ()
    anew: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all others."""
        return self.backend, self.model

    def matches(self, words: Sequence[str]) -> bool:
        """Whether each of these lower-case words stands in its names, or in its backend's.

        A number is looked for in the model's names only: the backend's may be an address.
        """
        names, title = f"{self.model_name} {self.model}".casefold(), self.backend_title.casefold()
        return all(word in names or (word in title and word.isalpha()) for word in words)


def window_words(tokens: int) -> str:
    """A window for people: 200K, 1M; empty where it is unknown."""
    if tokens <= 0:
        return ""
    if tokens >= 1_000_000:
        millions = tokens / 1_000_000
        return f"{grouped(millions, 0 if round(millions, 1).is_integer() else 1)}M"
    return f"{round(tokens / 1000)}K"


def price_words(choice: ModelChoice) -> str:
    """What a model costs: `$3 / $15` in and out, or that it costs nothing more; empty where it is unknown."""
    if choice.cost == "free":
        return tr("free")
    if choice.cost == "plan":
        return tr("plan")
    if choice.prices is None:
        return ""
    return " / ".join(_dollars(price) for price in choice.prices)


def spoken(choice: ModelChoice) -> str:
    """The row of a choice for screen readers."""
    parts = [choice.model_name, choice.backend_title]
    if words := window_words(choice.window):
        parts.append(tr("window {tokens}").format(tokens=words))
    if words := price_words(choice):
        parts.append(words)
    parts += choice.lacks
    if choice.anew:
        parts.append(choice.anew)
    return ", ".join(parts)


def _dollars(price: float) -> str:
    if price >= 100 or price == int(price):
        return say(phrase("${amount:,.0f}", amount=price))
    return say(phrase("${amount:.2f}", amount=price) if price >= 0.095 else phrase("${amount:.2g}", amount=price))
