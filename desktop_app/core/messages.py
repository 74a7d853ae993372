"""The values a conversation is made of: parts and their kinds, messages, usage, the user's marks, parameters.

A message is a role and a tuple of parts. Parts are the content blocks of the Messages API in a neutral form; a block of
a kind that this version does not know is kept verbatim in `UnknownPart`, so that nothing is lost on the way through
(PRODUCT.md BE-6).

A kind that is added here is stored, exported and imported. Where else it has a say, mypy tells: each `match` over parts
ends in `assert_never`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Final, Literal, TypeAlias

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices


@dataclass(frozen=True, slots=True)
class Parameters:
    """A thread's own parameters; each default leaves the choice to the model.

    `effort` is one of `ModelInfo.efforts`. `thinking` False turns thinking off where the model can go without.
    `web_search`: the provider's own search of the web may be used. `temperature` as the provider defines it.
    """

    effort: str = ""
    thinking: bool | None = None
    web_search: bool = False
    temperature: float | None = None


NO_PARAMETERS: Final = Parameters()


def parameters_to_json(parameters: Parameters) -> dict[str, str | bool | float]:
    """Return the chosen parameters; nothing stands for those that are left to the model."""
    chosen = {one.name: getattr(parameters, one.name) for one in fields(Parameters)}
    return {name: value for name, value in chosen.items() if value != getattr(NO_PARAMETERS, name)}


def parameters_from_json(value: object) -> Parameters:
    """The parameters of `parameters_to_json`; missing ones are the model's, newer left. `ValueError` names a key."""
    if not isinstance(value, Mapping):
        raise ValueError(f"parameters: an object is expected, not {type(value).__name__}")
    effort, thinking = value.get("effort", ""), value.get("thinking")
    web_search, temperature = value.get("web_search", False), value.get("temperature")
    if not isinstance(effort, str):
        raise ValueError("parameters: effort is no text")
    if not isinstance(thinking, bool | None):
        raise ValueError("parameters: thinking is neither true nor false")
    if not isinstance(web_search, bool):
        raise ValueError("parameters: web_search is neither true nor false")
    if isinstance(temperature, bool) or not isinstance(temperature, int | float | None):
        raise ValueError("parameters: temperature is no number")
    return Parameters(effort, thinking, web_search, temperature)


Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = Mapping[str, Json]

Role: TypeAlias = Literal["user", "assistant"]
MessageState: TypeAlias = Literal["complete", "partial", "error"]


LONGEST_ANSWER: Final = 16_000_000
"""Characters of an answer that are taken, shown and sent again: a hundred times what any model writes."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text as typed or answered. `extra` holds the provider's further fields of the block, such as citations."""

    text: str
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """The model's visible thinking. `signature` must go back unmodified where the provider asks for it."""

    text: str
    signature: str | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A tool the model asked for. `id` pairs it with its `ToolResultPart`."""

    id: str
    name: str
    input: JsonObject
    extra: JsonObject = field(default_factory=dict)

    @property
    def input_text(self) -> tuple[str, str]:
        """The input to be read by people, and its language: a program as it is, all else as JSON."""
        for name in ("code", "text"):
            if isinstance(program := self.input.get(name), str) and self.input.keys() <= {name, "language"}:
                language = self.input.get("language") or ("python" if self.name == "python" else "")
                return program, str(language)
        return json.dumps(self.input, indent=2, ensure_ascii=False, default=str), "json"


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    """A tool's answer for the model; `is_error`: it failed. `extra["images"]`: `media_type`, base64 `data`."""

    call_id: str
    text: str
    is_error: bool = False
    extra: JsonObject = field(default_factory=dict)

    @property
    def images(self) -> tuple[ImagePart, ...]:
        """The pictures in it."""
        found = self.extra.get("images")
        return tuple(
            ImagePart("", one["media_type"], one["data"])
            for one in (found if isinstance(found, list | tuple) else ())
            if isinstance(one, dict) and isinstance(one.get("media_type"), str) and isinstance(one.get("data"), str)
        )


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image: base64 `data` of `media_type`, sizes in pixels (0 where unknown)."""

    name: str
    media_type: str
    data: str
    width: int = 0
    height: int = 0
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """An attached document with its extracted text; `sha256` (hex) identifies it across attachments."""

    name: str
    text: str
    sha256: str
    media_type: str = "text/plain"
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnknownPart:
    """A block of a kind this version does not know, kept exactly as it came."""

    raw: JsonObject


AttachedPart: TypeAlias = ImagePart | DocumentPart
"""A part that a user can attach: it has a name, and is shown as a card."""

Part: TypeAlias = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | ImagePart | DocumentPart | UnknownPart


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens that one model call used, as the provider counted them.

    `input` is what was neither read from nor written to the cache. `cost_usd` is None where it is unknown;
    `output` includes `thinking`. `first_prompt`: where one answer took several calls, as of a program that runs the
    tool loop itself, all tokens of the first call's request; 0: there was one call. `asked`: the id of the model that
    was asked for, where another one answered. `cache_miss`: the provider's own word for why it did not find the cache.
    `key`: the fingerprint of the key that was asked with, whose cache alone holds the request.
    """

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    thinking: int = 0
    cost_usd: float | None = None
    first_prompt: int = 0
    asked: str = ""
    cache_miss: str = ""
    key: str = ""

    @property
    def opening(self) -> int:
        """All tokens of the request that was planned: the first one's, where there were several."""
        return self.first_prompt or self.prompt

    @property
    def is_counted(self) -> bool:
        """False where the provider named the model that answered, and no figures."""
        return bool(self.prompt or self.output) or self.cost_usd is not None

    @property
    def prompt(self) -> int:
        """All tokens of the request: fresh, read from the cache and written to it."""
        return self.input + self.cache_read + self.cache_write


BoundaryCause: TypeAlias = Literal["", "tokens", "messages", "turns", "idle", "returned"]


@dataclass(frozen=True, slots=True)
class BoundaryState:
    """The beginning of the model's view of a path, decided at one step and then frozen (PRODUCT.md CTX-4).

    `first_kept` is the id of the user message that opens the contiguous tail; None: everything is sent.
    `epoch` counts the steps and returns on this path; the bytes of the sent prefix are stable within one epoch.
    `cause`: what the step was taken for, "" where an older version stored it, "returned" where the boundary went back.
    What it was decided under: `soft` (H in tokens, 0: not known), `max_messages`, `max_turns`, `model`, `backend`.
    """

    first_kept: str | None = None
    epoch: int = 0
    cause: BoundaryCause = ""
    soft: int = 0
    max_messages: int = 0
    max_turns: int = 0
    model: str = ""
    backend: str = ""

    @property
    def made_under(self) -> tuple[int, int, int, str, str]:
        """The values of which one has to change for the boundary to come back."""
        return self.soft, self.max_messages, self.max_turns, self.model, self.backend


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a thread's tree.

    `window` stands on the user message whose request moved the boundary. `usage`, `backend`, `model` (as served),
    `stop_reason`, `prefix_key` and `failure` stand on assistant messages. `prefix_key` names what the request's
    counted prefix depended on (backend, model, system prompt, boundary): the counted tokens of a request with an
    equal key are a valid base for the next estimate. `created` is ISO 8601 UTC.
    """

    id: str
    thread_id: str
    parent_id: str | None
    role: Role
    parts: tuple[Part, ...]
    created: str
    state: MessageState = "complete"
    backend: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    prefix_key: str | None = None
    window: BoundaryState | None = None
    failure: Failure | None = None

    @property
    def text(self) -> str:
        """The text parts joined by blank lines, `are_one_text` by none: the message's body for a reader."""
        return "\n\n".join(part.text for part in uncut(self.parts) if isinstance(part, TextPart))

    @property
    def is_coming(self) -> bool:
        """True if it is still being written, here or by another process."""
        return self.state == "partial" and self.failure is None and self.stop_reason is None


def uncut(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts as they read: what `are_one_text` is one part, without what the provider put to its pieces."""
    whole: list[Part] = []
    before: Part | None = None
    text = ""  # of the last part, if it is one
    for part in parts:
        if isinstance(before, TextPart) and isinstance(part, TextPart) and are_one_text(before, part):
            text += part.text
            whole[-1] = TextPart(text)
        else:
            text = part.text if isinstance(part, TextPart) else ""
            whole.append(part)
        before = part
    return tuple(whole)


def is_cited(part: TextPart) -> bool:
    """Return True if its provider cut this text out because of its sources: the text beside it goes on in it."""
    return "citations" in part.extra


def are_one_text(before: TextPart, part: TextPart) -> bool:
    """Return True if two neighbouring texts were one before sources, or lines kept as an artifact, cut it."""
    kept = before.extra.get("artifact") != part.extra.get("artifact")
    return is_cited(before) or is_cited(part) or (kept and "\n" in (before.text[-1:], part.text[:1]))


FailureCode: TypeAlias = Literal[
    "usage",
    "config",
    "context_limit",
    "auth",
    "not_found",
    "rate_limited",
    "overloaded",
    "network",
    "backend",
    "store",
    "interrupted",
]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no (whole) answer: one UI state, in words for the user.

    `message` is one sentence that says what happened and what to do; `detail` is technical text for `Details`;
    `actions` are ids of `core.errors.ACTIONS`, best first; `retry_after_s` where the provider named a time.
    """

    code: FailureCode
    message: str
    detail: str = ""
    actions: tuple[str, ...] = ()
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class RequestCount:
    """`tokens` as counted for the request with the hash `request`, though it was not sent; `by`: the provider's name.

    `by` is "" where it was counted on this computer. `size`: the characters of its last message, which tell most other
    requests at a glance; 0: not known.
    """

    request: str
    tokens: int
    by: str = ""
    size: int = 0


QUEUED: Final = "\u2029"
"""In a draft behind each queued message, once more for each attachment; nobody can type it, it is Qt's line end."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread's own facts. `tip` is the id of the message the current branch ends with; times are ISO 8601 UTC.

    `backend` and `model` are the user's choice for this thread (None: the default). `soft_limit` (tokens) is the
    user's own position for this thread. `draft` is what stands in the composer, behind queued messages (`QUEUED`).
    `choices`: see `ContextChoices`; `parameters`: see `Parameters`. `private`: kept in memory only, gone when the app
    closes; set when it is made. `seen` is the tip that was last shown to the user (None: none was). `draft_count`: what
    the provider counted for the draft, if it was asked.
    """

    id: str
    title: str
    created: str
    updated: str
    backend: str | None = None
    model: str | None = None
    tip: str | None = None
    system: str = ""
    project: str | None = None
    pinned: bool = False
    archived: bool = False
    soft_limit: int | None = None
    draft: str = ""
    choices: ContextChoices = NO_CHOICES
    parameters: Parameters = NO_PARAMETERS
    private: bool = False
    seen: str | None = None
    draft_count: RequestCount | None = None


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """A thread as the list shows it; `messages` counts the whole tree.

    `unread`: its tip is an answer that has ended, whole or with a failure, and was not shown yet; `failed`: it ended
    with a failure.
    """

    thread: Thread
    messages: int
    unread: bool = False
    failed: bool = False

    @property
    def seen(self) -> str | None:
        """The id of the tip that was last shown to the user."""
        return self.thread.seen


Rating: TypeAlias = Literal["", "up", "down"]

RATINGS: tuple[Rating, ...] = ("", "up", "down")


def known_rating(stored: str) -> Rating:
    """A rating as it is kept; one of a newer version's making counts as none."""
    return stored if stored in RATINGS else ""


@dataclass(frozen=True, slots=True)
class MessageMark:
    """The user's own mark on a message: a rating ("": none) and a note ("": none)."""

    rating: Rating = ""
    note: str = ""

    @property
    def empty(self) -> bool:
        """True where nothing is marked, so that there is nothing to keep."""
        return not (self.rating or self.note)


NO_MARK = MessageMark()


UNKNOWN = "unknown"
"""Stands for the kind of an `UnknownPart`, which is kept as it came."""


@dataclass(frozen=True, slots=True)
class PartKind:
    """One kind: `name` in JSON, the class with its fields.

    Exports write fields at their default only where they are in `always_exported`, or in `exported_together` with one
    that is not; `exported_first` is their order where it is not that of the class.
    """

    name: str
    part_class: type[Any]
    exported_first: tuple[str, ...] = ()
    always_exported: frozenset[str] = frozenset()
    exported_together: frozenset[str] = frozenset()

    @property
    def fields(self) -> tuple[Field[Any], ...]:
        return fields(self.part_class)


_TABLE = (
    PartKind("text", TextPart),
    PartKind("thinking", ThinkingPart),
    PartKind("tool_call", ToolCallPart),
    PartKind("tool_result", ToolResultPart),
    PartKind("image", ImagePart, exported_together=frozenset({"width", "height"})),
    PartKind("document", DocumentPart, ("name", "media_type", "text", "sha256"), frozenset({"media_type"})),
)
PART_KINDS: Mapping[str, PartKind] = {kind.name: kind for kind in _TABLE}
_KIND_OF: Mapping[type[Any], PartKind] = {kind.part_class: kind for kind in _TABLE}
_FIELDS_OF: Mapping[type[Any], tuple[Field[Any], ...]] = {kind.part_class: kind.fields for kind in _TABLE}


def kind_of(part: Part) -> PartKind:
    """The kind of a part; `KeyError` for an `UnknownPart`."""
    return _KIND_OF[type(part)]


def filled_fields(part: Part) -> dict[str, Any]:
    """The fields of a part that differ from their defaults, and those that have none, in the order of the class."""
    values = ((one, getattr(part, one.name)) for one in _FIELDS_OF[type(part)])
    return {one.name: value for one, value in values if not _is_default(one, value)}


def is_required(one: Field[Any]) -> bool:
    """Return True if a part can't be made without this field."""
    return one.default is MISSING and one.default_factory is MISSING


def _is_default(one: Field[Any], value: object) -> bool:
    return not value if one.default is MISSING and one.default_factory is not MISSING else bool(value == one.default)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered: `schema` is the JSON Schema of its input, an object.

    `recalls`: it finds nothing but what is out of view, so that it is offered once something is, if a change of the
    tools costs nothing. `reads_only`: a call changes nothing. `server`: the user's that has it; `told`: its name there.
    `finds`: the user's servers whose tools are found or called by it, each with their number.
    """

    name: str
    description: str
    schema: JsonObject
    recalls: bool = False
    reads_only: bool = True
    server: str = ""
    told: str = ""
    finds: tuple[tuple[str, int], ...] = ()
