"""Secrets in what would be sent: found wherever they stand in a request, and taken out unless the user lets them go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from desktop_app.core.context.context_choices import SecretChoices
from desktop_app.core.context.plan import PlannedRequest
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.context.text_features import changed_places
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import SHORTEST, FoundSecret, found_secrets, is_among, without_secrets

_KEPT_TEXTS: Final = 200_000
"""Texts without a secret that are remembered, by their hash: each is read once."""


_REACH: Final = 300
"""Characters by which one that is changed is off a secret it makes one, at most; a private key apart."""


@dataclass(frozen=True, slots=True)
class PlacedSecret:
    """A secret of a request; `place`: the name of the document that it stands in, "" elsewhere.

    `prompt`: the part of the system prompt that it stands in, "" where that is none.
    """

    secret: FoundSecret
    place: str = ""
    prompt: Literal["", "system", "instructions", "project"] = ""

    def in_instructions(self, own: str, project: str) -> PlacedSecret:
        """The same with its part of the system prompt: the instructions for all threads, or those of the project."""
        text = self.secret.text
        if not self.prompt or text not in f"{own}\n{project}":
            return self
        return replace(self, prompt="instructions" if text in own else "project")

    @property
    def words(self) -> str:
        """`an AWS key in .env`."""
        kind = self.secret.words
        match self.prompt:
            case "instructions":
                return phrase("{kind} in your instructions", kind=kind)
            case "project":
                return phrase("{kind} in the project's instructions", kind=kind)
            case "system":
                return phrase("{kind} in the system prompt", kind=kind)
        return phrase("{kind} in {name}", kind=kind, name=self.place) if self.place else kind


def looks_like(secrets: Sequence[PlacedSecret]) -> str:
    """The question about these, at least one, before they are sent."""
    return phrase("Looks like {what}", what=_named(secrets))


def removed_secret(secrets: Sequence[PlacedSecret]) -> str:
    """That these, at least one, were taken out of what was sent."""
    return phrase("Removed before sending: {what}", what=_named(secrets))


def _named(secrets: Sequence[PlacedSecret]) -> str:
    kinds = list(dict.fromkeys(one.words for one in secrets))
    return kinds[0] if len(kinds) == 1 else phrase("{what} and {more} more", what=kinds[0], more=str(len(kinds) - 1))


class SecretScan:
    """Reads requests. A text is read once, and a request that was read just before is not read again."""

    def __init__(self) -> None:
        self._clean: set[int] = set()
        self._draft = ""
        self._last: tuple[PlannedRequest, PlannedRequest, tuple[PlacedSecret, ...]] | None = None

    def masked(self, request: PlannedRequest) -> PlannedRequest:
        """The request as it may leave: without secrets that the user has not let go; the same object without any."""
        return self._read(request)[1]

    def undecided(self, request: PlannedRequest) -> tuple[PlacedSecret, ...]:
        """Return the secrets in a request that the user has not been asked about, each once."""
        return self._read(request)[2]

    def masked_result(self, result: ToolResultPart, choices: SecretChoices) -> ToolResultPart:
        text, _ = self._text(result.text, choices)
        return result if text == result.text else replace(result, text=text)

    def masked_part(self, part: Part, choices: SecretChoices) -> Part:
        """A part as it may leave; the same object without any secret."""
        return self._part(part, choices, [])

    def masked_text(self, text: str, choices: SecretChoices) -> str:
        return self._text(text, choices)[0]

    def masked_draft(self, text: str, choices: SecretChoices) -> str:
        """The same of a text that is being edited: a keystroke costs only what changed since it was clean."""
        start, _, end = changed_places(self._draft, text)
        start, end = max(0, start - _REACH), end + _REACH
        start = max(text.rfind(white, 0, start) for white in " \n\t") + 1
        end = min((place for white in " \n\t" if (place := text.find(white, end)) >= 0), default=len(text))
        if "PRIVATE KEY" in text or found_secrets(text[start:end]):
            return self.masked_text(text, choices)
        self._draft = text
        return text

    def undecided_in(self, parts: Iterable[Part], choices: SecretChoices) -> tuple[PlacedSecret, ...]:
        """Return the same of some parts."""
        found: list[PlacedSecret] = []
        for part in parts:
            self._part(part, choices, found)
        return _each_once(found, choices)

    def _read(self, request: PlannedRequest) -> tuple[PlannedRequest, PlannedRequest, tuple[PlacedSecret, ...]]:
        if (last := self._last) is None or last[0] is not request:
            choices, found = request.secrets, list[PlacedSecret]()
            system, secrets = self._text(request.system, choices)
            found += (PlacedSecret(one, prompt="system") for one in secrets)
            history = self._messages(request.history, choices, found)
            pending = request.pending and self._messages((request.pending,), choices, found)[0]
            masked = request
            if (system, history, pending) != (request.system, request.history, request.pending):
                masked = replace(request, system=system, history=history, pending=pending)
            self._last = last = request, masked, _each_once(found, choices)
        return last

    def _messages(
        self, messages: tuple[PlannedMessage, ...], choices: SecretChoices, found: list[PlacedSecret]
    ) -> tuple[PlannedMessage, ...]:
        """The same tuple where nothing had to go."""
        changed: dict[int, PlannedMessage] = {}
        for number, message in enumerate(messages):
            blocks = tuple(self._part(block, choices, found) for block in message.blocks)
            if any(new is not old for new, old in zip(blocks, message.blocks, strict=True)):
                changed[number] = replace(message, blocks=blocks)
        return tuple(changed.get(n, message) for n, message in enumerate(messages)) if changed else messages

    def _part(self, part: Part, choices: SecretChoices, found: list[PlacedSecret]) -> Part:
        match part:
            case TextPart(text) | DocumentPart(text=text) | ToolResultPart(text=text):
                clean, secrets = self._text(text, choices)
                place = part.name if isinstance(part, DocumentPart) else ""
                found += (PlacedSecret(one, place) for one in secrets)
                if clean == text:
                    return part
                # what a provider says beside a text repeats some of it
                return TextPart(clean) if isinstance(part, TextPart) else replace(part, text=clean)
            case ThinkingPart() | ImagePart() | ToolCallPart() | UnknownPart():
                return part  # the model's own, which goes back as it came
            case _:
                assert_never(part)

    def _text(self, text: str, choices: SecretChoices) -> tuple[str, tuple[FoundSecret, ...]]:
        key = hash(text)
        if len(text) < SHORTEST or key in self._clean:
            return text, ()
        if not (found := found_secrets(text)):
            if len(self._clean) >= _KEPT_TEXTS:
                self._clean.clear()
            self._clean.add(key)
        return without_secrets(text, [one for one in found if not is_among(one.text, choices.sent)]), found


def _each_once(found: Iterable[PlacedSecret], choices: SecretChoices) -> tuple[PlacedSecret, ...]:
    each = {one.secret.text: one for one in found}
    return tuple(one for text, one in each.items() if not is_among(text, (*choices.sent, *choices.removed)))
