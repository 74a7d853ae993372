"""One model on offer as people see it: its name, window, price, and what going on with another has for effects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from desktop_app.core.context.costs import request_cost
from desktop_app.core.context.limits import highest_soft
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.context.token_estimator import MOST_STATED, TokenEstimator
from desktop_app.core.messages import ImagePart
from desktop_app.core.model_catalog import ModelInfo, TokenizerFamily
from desktop_app.ui.i18n.content_words import price, thousands
from desktop_app.ui.i18n.language import editable, grouped, tr

Reach: TypeAlias = Literal["connected", "asking", "key", "missing", "trouble", "unreachable", "unknown"]
"""The known state of a connection now; "unknown": nothing is said of it.

"trouble": what `ModelChoice.detail` says keeps it from being used.
"""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model on offer. `window` in tokens, 0 where it is unknown.

    `available` False: a connection without a model to choose. `reach` of its connection, `detail` why it can't be used.
    `recent`: 1 for the model used last, 2 for the one before; 0 for one that was not used lately.
    `prices`: dollars per million tokens, in and out; None where they are unknown. `cost`: "money", "plan" or "free".
    `info`: all that is known of the model. `lacks`: what this thread uses and the model can't do, in a few words each.
    `anew`: what going on with it costs. `for_new`: new threads begin with it.
    """

    backend: str
    backend_title: str
    model: str
    model_name: str
    window: int = 0
    available: bool = True
    detail: str = ""
    reach: Reach = "connected"
    recent: int = 0
    prices: tuple[float, float] | None = None
    cost: str = "money"
    info: ModelInfo | None = None
    lacks: tuple[str, ...] = ()
    anew: str = ""
    for_new: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The key that tells it from all others."""
        return self.backend, self.model

    def matches(self, words: Sequence[str]) -> bool:
        """Return True if each of these lower-case words stands in its names, or in its backend's.

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


def assumed_words(choice: ModelChoice) -> str:
    """Return that the window of a model is only assumed; "" where somebody told it."""
    if choice.info is None or choice.info.window_source != "assumed":
        return ""
    return tr("{window} assumed").format(window=window_words(choice.window))


def price_words(choice: ModelChoice) -> str:
    """Return a model's price, under a heading that names the unit: `3 / 15` in and out; empty where it is unknown."""
    if choice.cost == "free":
        return tr("Free")
    if choice.cost == "plan":
        return tr("Plan")
    if choice.prices is None:
        return ""
    return " / ".join(_amount(price) for price in choice.prices)


def reach_words(choice: ModelChoice) -> str:
    """The state of a choice's connection, behind its name."""
    match choice.reach:
        case "connected":
            return tr("Connected")
        case "asking":
            return tr("Checking…")
        case "key":
            return tr("Needs a key")
        case "missing":
            return tr("Not installed")
        case "unreachable":
            return tr("Not reachable")
    return choice.detail if choice.reach == "trouble" else ""


def spoken(choice: ModelChoice) -> str:
    """The row of a choice for screen readers."""
    parts = [words for words in (choice.model_name, choice.backend_title) if words]
    if words := assumed_words(choice) or window_words(choice.window):
        parts.append(tr("context {tokens}").format(tokens=words))
    if choice.prices is not None and choice.cost == "money":
        words = tr("${input} in, ${output} out per million tokens")
        parts.append(words.format(input=_amount(choice.prices[0]), output=_amount(choice.prices[1])))
    elif words := price_words(choice):
        parts.append(words)
    if choice.for_new:
        parts.append(tr("for new threads"))
    parts += choice.lacks
    if choice.anew:
        parts.append(choice.anew)
    return ", ".join(parts)


def _amount(price: float) -> str:
    if price >= 100 or price == int(price):
        return grouped(price)
    return editable(f"{price:.2f}" if price >= 0.095 else f"{price:.2g}")


WORTH_TELLING = 1_000
"""Tokens below which nobody needs to know that they are read again."""

SAMPLE = 20_000
"""Characters of a thread by which the tokenizers of two models are compared."""


def for_thread(
    choices: Iterable[ModelChoice], plan: ContextPlan | None, *, caching: Collection[str]
) -> list[ModelChoice]:
    """The choices with what each would mean for the thread that `plan` is of; None: there is no thread yet.

    `caching`: names of the backends whose requests write to a cache, at its price. The tokens are estimated for a model
    of another tokenizer: what it costs is said at most.
    """
    if plan is None or not plan.request.history:
        return [replace(choice, lacks=(), anew="") for choice in choices]
    images = any(isinstance(block, ImagePart) for message in plan.request.messages for block in message.blocks)
    looks_up = bool(plan.request.tools) and plan.placement.left_out > 0
    return [_for_thread(choice, plan, choice.backend in caching, images, looks_up) for choice in choices]


def _for_thread(choice: ModelChoice, plan: ContextPlan, writes: bool, images: bool, looks_up: bool) -> ModelChoice:
    if choice.key == (plan.backend, plan.model.id) or choice.info is None:
        return replace(choice, lacks=(), anew="")
    lacks = []
    if images and not choice.info.accepts_images:
        lacks.append(tr("sees no images"))
    if looks_up and not choice.info.accepts_tools:
        lacks.append(tr("can't look up earlier messages"))
    return replace(choice, lacks=tuple(lacks), anew=_anew(choice, plan, writes))


def _anew(choice: ModelChoice, plan: ContextPlan, writes: bool) -> str:
    if plan.tokens.total < WORTH_TELLING or choice.info is None:
        return ""
    scale, highest = _scale(plan, choice.info.tokenizer), highest_soft(choice.info)
    tokens = round(plan.tokens.expected * scale)
    if tokens > highest:
        return tr("Leaves out older messages above {limit} tokens").format(limit=thousands(highest))
    if plan.placement.left_out and plan.limits.soft >= highest_soft(plan.model) and highest > plan.limits.soft:
        return tr("Takes more tokens: older messages may come back")  # its own plan decides how many
    most = round(plan.tokens.upper * scale * (1 if scale == 1 else 1 + 2 * MOST_STATED))
    lifetime = plan.request.marks[0].lifetime if plan.request.marks else "5m"
    costs = [request_cost(choice.info, count, writes=writes, lifetime=lifetime) for count in (tokens, most)]
    if costs[0] is None or choice.cost != "money":
        return tr("Reads about {tokens} tokens again").format(tokens=thousands(tokens))
    told = price(costs[0], costs[1])
    return tr("Reads about {tokens} tokens again, {price}").format(tokens=thousands(tokens), price=told)


def _scale(plan: ContextPlan, family: TokenizerFamily) -> float:
    """Return how many tokens of another family one of this plan's is, judged by the text that it sends last."""
    if family == plan.model.tokenizer:
        return 1.0
    texts: list[str] = []
    blocks = (block for message in reversed(plan.request.messages) for block in reversed(message.blocks))
    for block in blocks:
        texts.append(block_text(block)[:SAMPLE])
        if sum(map(len, texts)) >= SAMPLE:
            break
    counted = features("\n".join(texts))
    here, there = (TokenEstimator.seeded(one).tokens(counted) for one in (plan.model.tokenizer, family))
    return there / here if here and there else 1.0
