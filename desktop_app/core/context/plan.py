"""The `ContextPlan`: the one value that the gauge, the limit check and the sender all read; and its request's hash.

There is no second count of tokens anywhere.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal, TypeAlias

from desktop_app.core.context.context_choices import NO_SECRETS, SecretChoices
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.history_records import ContextEvent
from desktop_app.core.messages import (
    NO_PARAMETERS,
    BoundaryState,
    Parameters,
    Part,
    RequestCount,
    Role,
    TextPart,
    ToolSpec,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.projects import DocumentMode

Decision: TypeAlias = Literal["ok", "trim", "refuse"]
PlacedState: TypeAlias = Literal["whole", "annotated", "summarised", "left_out", "pinned", "excluded"]
CountSource: TypeAlias = Literal["estimated", "calibrated", "measured", "vocabulary"]
CacheLifetime: TypeAlias = Literal["5m", "1h"]
WarningCode: TypeAlias = Literal["near_soft", "near_messages", "near_turns", "head_over_cap"]
LimitKind: TypeAlias = Literal["tokens", "messages", "turns"]
PlanQuestion: TypeAlias = Literal["", "first_crossing", "cold_reopen"]


@dataclass(frozen=True, slots=True)
class Limits:
    """All in tokens of the request: the model's window, the soft limit H, the low mark L, the emergency limit E.

    `max_output` is the output to ask for. `window_known` is False where the window is only assumed.
    """

    window: int
    soft: int
    low: int
    emergency: int
    max_output: int
    window_known: bool = True


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens by category. `doubt` is two standard deviations of the estimate; `total` is the sum of the seven parts.

    `bound`: the parts are what the request weighs at most, so that `total` is the estimate + 2 sigma. So is every
    request that is refused by its estimate: what is compared with the limit is what is shown.
    """

    system: int = 0
    tools: int = 0
    documents: int = 0
    history: int = 0
    summary: int = 0
    draft: int = 0
    overhead: int = 0
    doubt: int = 0
    source: CountSource = "estimated"
    bound: bool = False

    @property
    def total(self) -> int:
        """Everything in the request: what compares with the provider's input + cache read + cache write."""
        return self.system + self.tools + self.documents + self.history + self.summary + self.draft + self.overhead

    @property
    def counted(self) -> bool:
        """True if the provider counted all of it: just now, or part by part with earlier requests and answers."""
        return self.source == "measured" or (self.source == "calibrated" and not self.doubt)

    @property
    def sigma(self) -> int:
        """One standard deviation; twice as many may be a token less than `doubt`."""
        return self.doubt // 2

    @property
    def upper(self) -> int:
        """The count that is compared with the emergency limit: estimate + 2 sigma, or the measured count."""
        return self.total if self.bound or self.source == "measured" else self.total + self.doubt

    @property
    def expected(self) -> int:
        """The estimate itself, or the measured count."""
        return self.total - self.doubt if self.bound else self.total

    @property
    def lowest(self) -> int:
        """The estimate - 2 sigma, or the measured count."""
        return self.expected if self.source == "measured" else self.expected - self.doubt


@dataclass(frozen=True, slots=True)
class CacheMark:
    """A cache breakpoint after block `block` of request message `message`; `message` -1 is the system prompt."""

    message: int
    block: int
    lifetime: CacheLifetime


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """The state of one message of the path, with its tokens in the request and the reason in words.

    `whole`: the tokens it has, or would have, where it is sent whole. `results`: it is nothing but what tools answered,
    and so part of the turn before it. `deleted`: it is excluded because the user deleted it on this branch.
    """

    id: str
    role: Role
    state: PlacedState
    tokens: int
    reason: str = ""
    whole: int = 0
    results: bool = False
    deleted: bool = False

    @property
    def fares(self) -> tuple[str, Role, PlacedState, int, str]:
        """Its state; each answer changes the estimate `whole`, also where it is not sent."""
        return self.id, self.role, self.state, self.tokens, self.reason

    @property
    def asked(self) -> bool:
        """True if it is a text that the user wrote."""
        return self.role == "user" and not self.results


@dataclass(frozen=True, slots=True)
class PlacedSpan:
    """The messages from `first` up to `end`, which fare as `row` does, the first of them; tokens are its own."""

    first: int
    end: int
    row: PlacedMessage


class PlacedPath(Sequence[PlacedMessage]):
    """The state of every message of a path, in order. All rows cost as much as the path is long, the spans do not."""

    @property
    @abstractmethod
    def start(self) -> int:
        """The place where the tail begins."""

    @property
    @abstractmethod
    def spans(self) -> Sequence[PlacedSpan]:
        """All messages as the longest runs whose state, reason and deletion are alike but for notes in their text."""

    @abstractmethod
    def index_of(self, message_id: str) -> int | None:
        """The place of a message; None: it is not on the path."""

    def changes_since(self, earlier: PlacedPath) -> Mapping[int, PlacedMessage]:
        """The rows that fare otherwise than in an earlier path or are new, by their places, in order."""
        both = len(earlier)
        return {place: row for place, row in enumerate(self) if place >= both or row.fares != earlier[place].fares}


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """The state of one document of the thread's project.

    `tokens` and `cost_usd` are its share of the request (None: the price is not known), by what the provider counted of
    all of it; `whole` are the same where it is sent, else those that it would have.
    "searched": the model may look it up; "left_out": it can't be read.
    """

    id: str
    name: str
    mode: DocumentMode
    state: Literal["whole", "searched", "left_out"]
    tokens: int
    reason: str = ""
    whole: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class PlanWarning:
    """Something to know before a limit is passed: `used` of `cap`, and a phrase that says both."""

    code: WarningCode
    used: int
    cap: int
    message: str


@dataclass(frozen=True, slots=True)
class LimitUse:
    """A request's share of a limit; `before`: without its step; `turns_left`: that still fit (None: not known)."""

    kind: LimitKind
    used: int
    cap: int
    before: int = 0
    turns_left: int | None = None

    @property
    def share(self) -> float:
        """1.0: the limit is reached."""
        return self.used / max(1, self.cap)


@dataclass(frozen=True, slots=True)
class BigItem:
    """One of the biggest things in a request that is too long; `id` is a message id, or None for the app's parts."""

    label: str
    tokens: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class PlanOption:
    """One answer to what a plan asks (CTX-14): an action id, and what the next request then is.

    `limit` is the soft limit that it takes (0: as it is), `tokens` the prompt, `cost_usd` its price (None: not known)
    and `most_usd` the price at most, both before anything is answered. `turn_usd` is what a usual turn costs from then
    on, with all of it in the cache. `at_most`: more may be in the cache than is promised, so that it may cost less.
    """

    action: str
    tokens: int
    cost_usd: float | None
    limit: int = 0
    most_usd: float | None = None
    turn_usd: float | None = None
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class ReturnOffer:
    """The messages left out under another limit that could be sent again, for the user to decide (CTX-4).

    `carrier` is the id of the message that the boundary stands on, `messages` how many would come back, `tokens` and
    `cost_usd` what the next request then is (`most_usd` at most). `declined`: the user took back that they came back.
    """

    carrier: str
    messages: int
    tokens: int
    cost_usd: float | None
    most_usd: float | None = None
    declined: bool = False


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """The request to send, in the app's own terms; each backend writes its wire form from it."""

    system: str = ""
    history: tuple[PlannedMessage, ...] = ()
    """Shared between plans that differ only in their draft."""
    pending: PlannedMessage | None = None
    """The last message: the draft, and any user message before it that got no answer; None: nothing to send yet."""
    marks: tuple[CacheMark, ...] = ()
    prefix_key: str = ""
    """Stored with the answer (see `Message`)."""
    tools: tuple[ToolSpec, ...] = ()
    answer_now: bool = False
    """The tools are offered, but none may be called any more in this turn."""
    parameters: Parameters = NO_PARAMETERS
    always: int = 0
    """The first so many blocks are of the project's documents that are always included."""
    of_turn: int = 0
    """The last so many blocks of `pending` go with this turn only: artifacts in full."""
    shrunk: bool = False
    """Made for the one retry after the provider found the request too long (CTX-6)."""
    secrets: SecretChoices = NO_SECRETS
    """All others that look like secrets are taken out on the way to the provider."""

    @property
    def is_drafted(self) -> bool:
        """True if the pending message has something that is not on the path yet."""
        if self.pending is None:
            return False
        # neither the project's documents nor what goes with this turn only are the user's
        first, end = 0 if self.history else self.always, len(self.pending.blocks) - self.of_turn
        return None in self.pending.sources[first:end]

    @property
    def messages(self) -> tuple[PlannedMessage, ...]:
        """History and pending message as one sequence that starts and ends with the user."""
        return self.history if self.pending is None else (*self.history, self.pending)


@dataclass(frozen=True, slots=True)
class ContextPlacement:
    """The state of each message and document under the plan, and where its tail begins."""

    messages: PlacedPath
    boundary: BoundaryState
    """To be stored with the user message when the plan `moves_boundary`."""
    documents: Sequence[PlacedDocument] = ()
    """Those of the thread's project."""
    attached: tuple[BigItem, ...] = ()
    """The draft's documents as they weigh in the request."""
    summaries: tuple[str, ...] = ()
    """Ids of the summaries that the request holds."""
    left_out: int = 0
    """Questions and answers that are neither sent, summarised nor excluded by the user."""
    newly_left_out: int = 0
    newly_returned: int = 0
    leaving: tuple[str, ...] = ()
    """Names of the attached documents that are newly left out with them."""


CacheState: TypeAlias = Literal["promised", "seen", "unknown"]


@dataclass(frozen=True, slots=True)
class CachePromise:
    """The provider's cache for the next request (PRODUCT.md CTX-18).

    "promised": it holds `tokens` until a time (seconds since 1970), marked to live for `lifetime`; they stand in the
    request of `answer`, an id, which left `whole` there. "seen": so many were read or written before, and nothing is
    promised.
    """

    state: CacheState = "unknown"
    tokens: int = 0
    until: float | None = None
    lifetime: CacheLifetime | None = None
    answer: str = ""
    whole: int = 0


@dataclass(frozen=True, slots=True)
class RequestPrice:
    """The cost of the request before anything is answered, in dollars (None: unknown)."""

    cost_usd: float | None = None
    most_usd: float | None = None
    """If it weighs what it may at most."""
    cached_tokens: int = 0
    """Tokens of the prompt that are expected to be read from the provider's cache."""
    cache_expired: bool = False
    """The cache held this thread, but has been cold for some time."""
    at_most: bool = False
    """More may be read from the cache than anybody promised: the request costs no more than it would fresh."""
    cache: CachePromise = CachePromise()
    writes: bool = False
    """Tokens that are not read from the cache are written to it, at that price."""
    tail: int = 0
    """But for these, which stand behind what is written."""


@dataclass(frozen=True, slots=True)
class PlanAdvice:
    """The texts and questions on a plan before it is sent, stored with its turn."""

    events: tuple[ContextEvent, ...] = ()
    warnings: tuple[PlanWarning, ...] = ()
    """Limits that are near."""
    counts: tuple[LimitUse, ...] = ()
    """The caps on messages and turns that are on."""
    turns_left: int | None = None
    """The number of further turns that fit under all limits."""
    usual_turn: int = 0
    """Tokens of a turn like the last ones; 0 before the first."""
    biggest: tuple[BigItem, ...] = ()
    tool_servers: tuple[BigItem, ...] = ()
    """The user's servers of tools with their weight, heaviest first; as `biggest` only at a refusal."""
    asks: PlanQuestion = ""
    """The question to put before sending; `options` are its answers with prices (CTX-14)."""
    options: tuple[PlanOption, ...] = ()
    return_offer: ReturnOffer | None = None
    """More could be sent again."""
    summary_due: tuple[str, ...] = ()
    """Ids of whole turns that are left out, or at a refusal would help, and that one summary may stand for (CTX-7)."""
    summary_model: ModelInfo | None = None
    """Writes new summaries; None: the plan's model does."""


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """The next request, and all that is said about it before it is sent."""

    backend: str
    model: ModelInfo
    decision: Decision
    limits: Limits
    tokens: TokenCount
    request: PlannedRequest
    placement: ContextPlacement
    price: RequestPrice = RequestPrice()
    advice: PlanAdvice = PlanAdvice()
    counted_by: str = ""
    """The provider that counted this request though it was not sent to a model; "" where none did."""

    @property
    def only_uncertain(self) -> bool:
        """True if it is refused only for what the estimate may be off: the estimate itself fits."""
        refused = self.decision == "refuse" and self.tokens.source != "measured"
        return refused and self.tokens.expected <= self.limits.emergency

    @property
    def writer(self) -> ModelInfo:
        """The model that a summary is asked of."""
        return self.advice.summary_model or self.model

    @property
    def moves_boundary(self) -> bool:
        """True if it takes a step, or sends messages again that were left out."""
        return self.decision == "trim" or (self.decision == "ok" and self.placement.newly_returned > 0)

    @property
    def keeps_boundary(self) -> bool:
        """True if it is sent with the load line where it is: no limit moves that, or keeps it from being sent."""
        return self.decision == "ok" and not self.moves_boundary


@dataclass(frozen=True, slots=True)
class Overhead:
    """The tokens that a backend adds to every request by itself.

    `tokens`: fixed additions (the `claude` program's own blocks). `labels`: True where history is flattened into
    labelled blocks (`[USER]: ` ...) instead of real roles, with the escape of CTX-8.
    `cache_marks`: how many marks of ours the backend has room for (4, or 0 where it knows none). `system_mark`: False
    where none of them can stand on the system prompt, which the `claude` program takes from a file. `caches_itself`:
    without marks, the provider charges less for a beginning that it has seen before. `keeps_warm`: its cache can be
    read without an answer, so that it lives on. `tail`: those of `tokens` that stand behind the last mark, which are
    new in every request; models with the older tokenizer get them before what the user wrote (Opus 4.7, too).
    """

    tokens: int = 0
    tail: int = 0
    labels: bool = False
    cache_marks: int = 0
    system_mark: bool = True
    caches_itself: bool = False
    keeps_warm: bool = False

    @property
    def caches(self) -> bool:
        """True if a request that begins like the one before costs less."""
        return self.cache_marks > 0 or self.caches_itself


@dataclass(frozen=True, slots=True)
class CacheClock:
    """The known state of the provider's cache when the plan is made. The core has no clock: the caller computes it.

    `cold`: every request through this backend is longer ago than the lifetime of its marks (True also when there was
    none). `lifetime`: what this thread's own gaps between turns suggest for the next marks.
    `idle_minutes`: since the last request of the thread; None: there was none, or it is not known.
    `living`: ids of the answers, of any model, whose request's marks still live; None: all, unless it is `cold`.
    `fresh`: those asked within the shortest lifetime, so that what older marks wrote and they have read lives as well.
    `until`: of the living answers, the time (seconds since 1970) and the lifetime of their marks.
    `beside`: another branch was asked through this backend, too, however long ago. `forks`: where branches whose
    requests live left this one, by the last message that they have in common. `foreign`: ids of answers that another
    key asked for.
    """

    cold: bool = True
    lifetime: CacheLifetime = "5m"
    idle_minutes: float | None = None
    living: frozenset[str] | None = None
    fresh: frozenset[str] = frozenset()
    until: Mapping[str, tuple[float, CacheLifetime]] = field(default_factory=dict)
    beside: bool = False
    forks: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()

    @property
    def known_cold(self) -> bool:
        """True where there was a request and its cache has expired: then a step costs nothing more."""
        return self.cold and self.idle_minutes is not None


class RequestHasher:
    """Hashes requests that mostly differ in their last message: what comes before it is read once."""

    def __init__(self) -> None:
        self._front: tuple[object, ...] = ()
        self._state: Any = None

    def is_counted(self, plan: ContextPlan, count: RequestCount) -> bool:
        """Return True if the count is this request's; hashed only where its last message is as long, not each key."""
        return count.size in (0, size_of(plan)) and self.of(plan) == count.request

    def of(self, plan: ContextPlan) -> str:
        """The hash of everything that is counted: the same for the same request, in any process.

        The window leaves away the empty lines around a text, which a command sends: they don't make another request.
        """
        front = (
            plan.backend,
            plan.model.id,
            plan.request.system,
            plan.request.tools,
            plan.request.parameters,
            plan.request.history,
        )
        if self._state is None or front != self._front:
            self._front, self._state = front, hashlib.sha256(_packed(front[:-1]))
            for message in plan.request.history:
                _add(self._state, message.role, message.blocks)
        state = self._state.copy()
        if plan.request.pending is not None:
            _add(state, plan.request.pending.role, map(_without_margins, plan.request.pending.blocks))
        return str(state.hexdigest())


def size_of(plan: ContextPlan) -> int:
    """The characters of the last message's texts, without the empty lines around them."""
    blocks = () if plan.request.pending is None else plan.request.pending.blocks
    return sum(len(block.text.strip()) for block in blocks if isinstance(block, TextPart))


def _add(state: Any, role: Role, blocks: Iterable[Part]) -> None:
    state.update(_packed([role, *([type(block).__name__, block] for block in blocks)]))


def _without_margins(block: Part) -> Part:
    return replace(block, text=block.text.strip()) if isinstance(block, TextPart) else block


def _packed(value: object) -> bytes:
    return json.dumps(value, default=_members, sort_keys=True).encode()


def _members(value: Any) -> object:
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is no part of a request")
    return {one.name: getattr(value, one.name) for one in fields(value)}
