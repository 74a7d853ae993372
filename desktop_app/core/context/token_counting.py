"""Counts the tokens of each message and of the artifacts in a request: measured where usage says so, else estimated.

What a provider counted for a request covers everything up to its user message; the difference of two counts covers
what lies between them (PRODUCT.md CTX-10).

A request holds the newest version of the artifacts made earlier in its thread, in the new turn only, behind what the
user wrote. It is gone with the next turn, as what tools return: elsewhere an artifact is its note, so that a document
of twelve versions is not sent twelve times with every question.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Final, assert_never

from desktop_app.core.attachment_facts import is_in_part, scanned_pages
from desktop_app.core.context.context_choices import NO_SECRETS, SecretChoices
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.sent_content import (
    ALL_SIGHT,
    Content,
    PlannedMessage,
    Sight,
    content_of,
    may_hold_blocks,
    message_starts,
    opens_turn,
    results_of,
    running_turn_start,
)
from desktop_app.core.context.text_features import (
    CLASSES,
    CONSTANT,
    ZERO,
    DraftCounter,
    Features,
    features,
    plus,
    tokens_in_pieces,
)
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.model_catalog import TokenizerFamily, counts_otherwise

ROOM_SHARE: Final = (3, 10)
"""All artifacts in full together have at most this share of the soft limit; the others can be read by a call."""

SHORTEST_NAMED: Final = 3
"""Characters of a title from which on a message can name it: shorter ones stand in other words."""

_ID: Final = "artifact/"

MARK: Final = "+"
"""Stands in the prefix key of a request between the key of its path and what went with its turn only."""


@dataclass(frozen=True, slots=True)
class ArtifactContext:
    """The newest version of an artifact. `pinned`: its text goes with every new message, not only where it is named."""

    id: str
    title: str
    version: int
    text: str
    pinned: bool = False


class TurnArtifacts:
    """The artifacts of a thread, ready to go with a turn. `soft`: the soft limit in tokens."""

    def __init__(self, artifacts: Sequence[ArtifactContext], soft: int, estimator: TokenEstimator) -> None:
        self._room = soft * ROOM_SHARE[0] // ROOM_SHARE[1]
        self._known = [(one, _as_document(one), _name(one.title)) for one in artifacts if one.text.strip()]
        self._sizes = [estimator.tokens(features(one.text)) for one, _, _ in self._known]

    def for_turn(self, said: str) -> tuple[DocumentPart, ...]:
        """Return a turn's documents where the user said this: those named get room first, then the pinned ones."""
        if not self._known or not said.strip():
            return ()
        named = [name is not None and name.search(said) is not None for _, _, name in self._known]
        wanted = [place for place in reversed(range(len(named))) if named[place]]
        wanted += [place for place, (one, _, _) in enumerate(self._known) if one.pinned and not named[place]]
        left, chosen = float(self._room), []
        for place in wanted:
            if self._sizes[place] <= left:
                left -= self._sizes[place]
                chosen.append(place)
        return tuple(self._known[place][1] for place in sorted(chosen))


def key_of(documents: Sequence[DocumentPart]) -> str:
    """Return the text added to the prefix key of a request that holds these for its turn only; "" for none."""
    if not documents:
        return ""
    return MARK + hashlib.sha256("\n".join(part.sha256 for part in documents).encode()).hexdigest()[:8]


def path_key(prefix_key: str) -> str:
    """The part of a prefix key that names what is sent of the path."""
    return prefix_key.partition(MARK)[0]


def is_of_turn(message: Message) -> bool:
    """Return True if an answer's request held what went with its turn only, so that its count is not its path's."""
    return MARK in (message.prefix_key or "")


def is_of_artifact(part: DocumentPart) -> bool:
    """Return True if a document is an artifact in full, which is on no path."""
    return part.sha256.startswith(_ID)


def _as_document(artifact: ArtifactContext) -> DocumentPart:
    return DocumentPart(
        f"{artifact.title} v{artifact.version}",
        artifact.text,
        f"{_ID}{artifact.id}/{artifact.version}",
        "text/markdown",
    )


def _name(title: str) -> re.Pattern[str] | None:
    """Finds a title in what a user says, whatever its case and white space."""
    words = title.split()
    if len("".join(words)) < SHORTEST_NAMED:
        return None
    written = r"\s+".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)


LABEL: Final = {"user": features("[USER]: \n\n"), "assistant": features("[ASSISTANT]: \n\n")}
"""The texts around each text where history is flattened."""

PIXELS_PER_TOKEN: Final = 750
"""Pixels of an image per token, as the provider's documentation states it."""

TOKENS_PER_PAGE: Final = 1_600
"""Tokens of a page that is looked at: the API makes an image of it, and 1,568 is what its documentation gives an image
at most; the rest is what goes around it. The text that it adds where a page has some is not among them: such pages go
as text.
"""

LEAST_OVER_OVERHEAD: Final = 4
"""The factor by which the rest has to exceed figures known only nearly, as a backend's own additions, to teach
anything.

They are known to a tenth, the estimator takes an observation for 3 % off: four times makes that 2.5 %.
"""

MOST_IMAGE_TOKENS: Final[dict[TokenizerFamily, int]] = {"claude-2026": 4_784}
"""Most tokens of one image; 1,568 where the family is not named. Also taken where the size is not known."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One message, ready to be sent and weighed. `images` and `documents` are parts of it that the split needs.

    `images` are the tokens of everything that is looked at, `pages` those of them that are pages of documents.

    `in_part`: only the beginning of a document in it is sent.

    `running`: it was sent whole as part of a running tool loop, and will be sent otherwise when that is over.
    """

    message: Message
    content: Content
    planned: PlannedMessage
    counted: Features
    images: int
    documents: Features
    running: bool = False
    has_images: bool = False
    pages: int = 0
    in_part: bool = False


TILE: Final = 512
"""Pixels of a tile's side, by which OpenAI's models count images."""

IMAGE_DOUBT: Final[dict[TokenizerFamily, float]] = {"claude-2023": 0.05, "claude-2026": 0.05, "o200k": 0.3}
"""Standard deviation of an image's tokens as a share of them: models differ, most servers say nothing of theirs."""


@dataclass(frozen=True, slots=True)
class TextCounter:
    """Counts what is sent: by the model's own `vocabulary` where that is there, and without what `scan` takes out."""

    vocabulary: Callable[[str], int] | None = None
    scan: SecretScan | None = None
    secrets: SecretChoices = NO_SECRETS

    def text(self, text: str) -> Features:
        """Features of a text as it stands."""
        if self.vocabulary is None:
            return features(text)
        return (*ZERO[:CLASSES], tokens_in_pieces(text, self.vocabulary))

    def prompt(self, text: str) -> Features:
        """Features of a text as it may leave."""
        return self.text(text if self.scan is None else self.scan.masked_text(text, self.secrets))

    def part(self, part: Part) -> Features:
        """Features of a block as it may leave."""
        return self.text(block_text(self.masked(part)))

    def masked(self, part: Part) -> Part:
        """The block as it may leave."""
        return part if self.scan is None else self.scan.masked_part(part, self.secrets)

    def draft(self) -> Callable[[str], Features]:
        """Return what counts a text that is being edited, as it may leave, at the price of what changes in it."""
        count = DraftCounter(self.text, by_cuts=self.vocabulary is not None).count
        scan = self.scan
        return count if scan is None else lambda text: count(scan.masked_draft(text, self.secrets))


BY_CLASSES: Final = TextCounter()


def count_note(text: str, role: Role, *, labels: bool, counter: TextCounter = BY_CLASSES) -> Features:
    """Features of a message of the app's own."""
    own = plus(counter.prompt(text), CONSTANT)
    return plus(own, LABEL[role]) if labels else own


def block_text(part: Part) -> str:
    """The text that a block is counted by."""
    match part:
        case TextPart(text) | ThinkingPart(text) | ToolResultPart(text=text):
            return text
        case DocumentPart(name, text):
            return f"{name}\n{text}"
        case ToolCallPart(name=name, input=arguments):
            return name + json.dumps(arguments, ensure_ascii=False)
        case UnknownPart(raw):
            return json.dumps(raw, ensure_ascii=False)
        case ImagePart():
            return ""
        case _:
            assert_never(part)


def image_tokens(part: Part, family: TokenizerFamily) -> int:
    """Tokens of an image block, and of the pages of a scanned PDF; 0 for any other."""
    if isinstance(part, ToolResultPart):
        return sum(image_tokens(one, family) for one in part.images)
    if not isinstance(part, ImagePart):
        return scanned_pages(part) * TOKENS_PER_PAGE
    if family == "o200k" and part.width > 0 and part.height > 0:
        return _tiled(part.width, part.height)
    most = MOST_IMAGE_TOKENS.get(family, 1_568)
    return min(most, part.width * part.height // PIXELS_PER_TOKEN) if part.width and part.height else most


def _tiled(width: int, height: int) -> int:
    """Tokens of an image by OpenAI's documentation: it is made to fit, then cut into tiles."""
    scale = min(1.0, 2_048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    tiles = math.ceil(max(1.0, width * scale) / TILE) * math.ceil(max(1.0, height * scale) / TILE)
    return 85 + 170 * tiles


def image_variance(tokens: int, family: TokenizerFamily) -> float:
    """Return the variance of the tokens of images that nobody has counted."""
    return (IMAGE_DOUBT.get(family, 0.5) * tokens) ** 2


def count_path(
    path: Sequence[Message],
    *,
    backend: str,
    labels: bool,
    family: TokenizerFamily,
    sight: Sight = ALL_SIGHT,
    before: Sequence[Counted] = (),
    counter: TextCounter = BY_CLASSES,
) -> list[Counted]:
    """Every message of the path as it would be sent. `before`: whole turns that it begins with, counted already."""
    running = running_turn_start(path)
    counted = list(before)
    results: Mapping[str, ToolResultPart] = {}
    for index in range(len(before), len(path)):
        message = path[index]
        if opens_turn(message) or index == 0:
            results = {}
        elif any(isinstance(part, ToolCallPart) for part in message.parts):
            results = results_of(_rest_of_turn(path, index))
        content = content_of(message, results, backend=backend, labels=labels, running=index >= running, sight=sight)
        counted.append(count_message(message, content, labels, family, running=index >= running, counter=counter))
    return counted


def spoken_before(counted: Sequence[Counted], known: Sequence[int] = (0,)) -> list[int]:
    """Return how many questions and answers stand before each place of a path; `known` of it up to a turn."""
    spoken, before = list(known), len(known) - 1
    said = [index for index in range(before, len(counted)) if counted[index].content.blocks]
    begins = {said[place] for place in message_starts(counted[index].message for index in said)}
    for index in range(before, len(counted)):
        spoken.append(spoken[-1] + (index in begins))
    return spoken


def _rest_of_turn(path: Sequence[Message], start: int) -> Sequence[Message]:
    end = start + 1
    while end < len(path) and not opens_turn(path[end]):
        end += 1
    return path[start:end]


def count_message(
    message: Message,
    content: Content,
    labels: bool,
    family: TokenizerFamily,
    *,
    running: bool = False,
    counter: TextCounter = BY_CLASSES,
) -> Counted:
    """A message weighed by what is sent of it; `labels`: every text gets a label in front."""
    counted, documents, images, pages = (CONSTANT if content.blocks else ZERO), ZERO, 0, 0
    for block in content.blocks:
        own = counter.part(block)
        if labels and isinstance(block, TextPart):
            own = plus(own, LABEL[message.role])
        counted = plus(counted, own)
        if isinstance(block, DocumentPart):
            documents = plus(documents, own)
            pages += image_tokens(block, family)
        images += image_tokens(block, family)
    planned = PlannedMessage(message.role, content.blocks, (message.id,) * len(content.blocks))
    pictures = any(isinstance(block, ImagePart) for block in content.blocks)
    in_part = any(documents) and any(map(is_in_part, content.blocks))
    return Counted(message, content, planned, counted, images, documents, running, pictures, pages, in_part)


def share_out(weights: Sequence[float], total: int) -> list[int]:
    """`total` shared out in proportion to the weights, in whole numbers that sum up to it exactly.

    What weighs anything gets 1 at least, as far as there is anything to share: it is sent.
    """
    if (whole := sum(weights)) <= 0:
        return [total, *([0] * (len(weights) - 1))] if weights else []
    edges = [round(part * total / whole) for part in accumulate(weights)]
    shares = [edge - before for edge, before in zip(edges, [0, *edges[:-1]], strict=True)]
    for number, (weight, share) in enumerate(zip(weights, shares, strict=True)):
        if weight > 0 and not share and (most := max(shares)) > 1:
            shares[number] = 1
            shares[shares.index(most)] -= 1
    return shares


@dataclass(frozen=True, slots=True)
class Measured:
    """A request reported to cover `prompt` tokens up to index `answer`, exclusive; `cached` were in the cache after."""

    answer: int
    prompt: int
    key: str
    cached: int = 0


def measured_requests(counted: Sequence[Counted], backend: str, key_start: str) -> list[Measured]:
    """The requests of this path whose count can serve as a base, oldest first.

    Only complete answers of the same backend and model (`key_start`), and only those that came right after what the
    user wrote: inside a tool loop the request held what is annotated now. None of those that held what went
    with their turn only.
    """
    return [
        Measured(index, message.usage.opening, message.prefix_key, in_cache(message.usage))
        for index, message in enumerate(item.message for item in counted)
        if message.role == "assistant"
        and message.state == "complete"
        and message.usage is not None
        and message.usage.opening > 0
        and not is_counted_otherwise(message)
        and message.prefix_key is not None
        and message.prefix_key.startswith(key_start)
        and not is_of_turn(message)
        and message.backend in (None, backend)
        and index > 0
        and opens_turn(counted[index - 1].message)
    ]


def is_counted_otherwise(message: Message) -> bool:
    """Return True if a model answered whose tokens are others than those of the model that is asked."""
    usage = message.usage
    return usage is not None and bool(usage.asked) and counts_otherwise(usage.asked, message.model or "")


def in_cache(usage: Usage) -> int:
    """Tokens of a request that it left in the provider's cache of the model that was asked; 0: another one answered."""
    if usage.asked:
        return 0
    # of several calls, each read what the one before had
    return min(usage.opening, usage.cache_read + usage.cache_write)


def answer_tokens(item: Counted, estimate: float, edges: float) -> float | None:
    """The tokens of an answer as the provider counted them when it wrote it; None where that can't be told.

    `edges`: what it counts as input beside its text.
    Thinking does not go back, so it is taken off; while its turn runs it does, and how much it then weighs is not told.
    A count far from the estimate means that something hidden is in it.
    """
    usage = item.message.usage
    if item.message.role != "assistant" or usage is None or item.content.annotated or item.message.state != "complete":
        return None
    if is_counted_otherwise(item.message):
        return None
    if item.running and any(isinstance(block, ThinkingPart | UnknownPart) for block in item.content.blocks):
        return None
    spoken = usage.output - usage.thinking
    thought = any(isinstance(part, ThinkingPart) for part in item.message.parts) and not usage.thinking
    if spoken <= 0 or thought or not estimate / 3 - 50 <= spoken <= estimate * 3 + 50:
        return None
    return spoken + edges


def observation_after(
    path: Sequence[Message],
    answer: Message,
    *,
    labels: bool = False,
    system: str | None = None,
    overhead: int = 0,
    rest: int | None = None,
    documents: Sequence[Part] = (),
    counter: TextCounter = BY_CLASSES,
) -> tuple[Features, int] | None:
    """Return the lesson of a finished turn for the estimator: summed features, and the tokens that the provider counted
    for them.

    `path` is the path that ends with `answer`, or with the message before it. The tokens are the difference to the
    previous request, so both must have the same prefix key. The first turn teaches with its whole request, where
    `system`, the prompt that went with it, is told, and `documents`, those of its project that stood first; `overhead`
    are the tokens that the backend adds by itself, known only nearly. A question that is most of its request teaches
    behind any other, as a document that a trim made room for: `rest` are the tokens of all that went with it. None
    where the count says nothing: a trim, a change of model or system prompt, images, scanned pages, tools, unknown
    blocks, a document that may have gone as a reference, a usage that was not reported.
    """
    messages = list(path[:-1] if path and path[-1].id == answer.id else path)
    if answer.usage is None or answer.state != "complete" or answer.prefix_key is None or is_of_turn(answer):
        return None
    if is_counted_otherwise(answer):
        return None
    before = next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role == "assistant"), None)
    if before is None:
        known: tuple[Features, int] | None = _first_request(system, overhead, answer.usage.opening, documents, counter)
    else:
        known, first = _after(messages[before], answer), before
        if known is None and rest is not None and before == len(messages) - 2 and opens_turn(messages[-1]):
            known, first = _nearly_known(rest, answer.usage.opening), before + 1
        if _repeats_document(messages, first):
            return None
        messages = messages[first:]
    between = _counted_text(messages, backend=answer.backend or "", labels=labels, counter=counter)
    if known is None or between is None or answer.usage.opening <= known[1]:
        return None
    return plus(known[0], between), answer.usage.opening - known[1]


def _after(previous: Message, answer: Message) -> tuple[Features, int] | None:
    """Return what an answer's request holds beside text since the previous one: none, and the tokens until there."""
    if previous.usage is None or previous.state != "complete" or previous.prefix_key != answer.prefix_key:
        return None
    if is_counted_otherwise(previous):
        return None
    return (ZERO, previous.usage.opening) if previous.usage.opening > 0 and not may_hold_blocks(previous) else None


def _first_request(
    system: str | None, overhead: int, prompt: int, documents: Sequence[Part], counter: TextCounter
) -> tuple[Features, int] | None:
    """Return what a first request holds beside the user's text: system prompt, documents, the backend's tokens."""
    known = None if system is None else _nearly_known(overhead, prompt)
    if system is None or known is None or any(map(scanned_pages, documents)):
        return None
    counted = plus(counter.prompt(system), CONSTANT) if system.strip() else ZERO
    for document in documents:
        counted = plus(counted, features(block_text(counter.masked(document))))
    return counted, overhead


def _nearly_known(rest: int, prompt: int) -> tuple[Features, int] | None:
    """Return the part of a request that is known only nearly, where the rest is so much that this does not matter."""
    return (ZERO, rest) if prompt - rest >= LEAST_OVER_OVERHEAD * rest else None


def _repeats_document(messages: Sequence[Message], first: int) -> bool:
    """Return True if a document from `first` on was attached before: it may have gone as a reference."""
    new = [part.sha256 for message in messages[first:] for part in message.parts if isinstance(part, DocumentPart)]
    if not new:
        return False
    before = {part.sha256 for message in messages[:first] for part in message.parts if isinstance(part, DocumentPart)}
    return len(set(new)) < len(new) or not before.isdisjoint(new)


def _counted_text(messages: Sequence[Message], *, backend: str, labels: bool, counter: TextCounter) -> Features | None:
    """Features of messages that are nothing but text, that of documents included; None for others, and for none."""
    if not messages or not all(_is_text(part) for message in messages for part in message.parts):
        return None
    counted = count_path(messages, backend=backend, labels=labels, family="unknown", counter=counter)
    if any(item.content.annotated for item in counted[1:]):
        return None
    total = ZERO
    for item in counted:
        total = plus(total, item.counted)
    return total


def _is_text(part: Part) -> bool:
    return isinstance(part, TextPart | ThinkingPart) or (isinstance(part, DocumentPart) and not scanned_pages(part))


def estimates(counted: Sequence[Counted], estimator: TokenEstimator) -> list[float]:
    """Expected tokens of each message by the estimator alone."""
    vector = estimator.vector  # as `TokenEstimator.tokens`, which a long path would call ten thousand times
    return [float(sum(map(mul, item.counted, vector))) + item.images for item in counted]
