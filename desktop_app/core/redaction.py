"""Takes the secrets that the app holds out of texts that come from outside.

A gateway may echo a key in its error, and an address may hold a password: neither may be stored, shown or logged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from desktop_app.core.messages import Failure, TextPart
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)

REDACTED: Final = "[removed]"

SHORTEST_IN_ERRORS: Final = 4
"""Shorter secrets are passed over: their letters stand in common words."""

SHORTEST_IN_ANSWERS: Final = 12
"""Servers on this computer take keys such as "ollama": these are words in an answer, and no secrets worth its loss."""

_LOOKS_LIKE_A_KEY: Final = re.compile(r"\b[sr]k-[A-Za-z0-9_-]{4,}")
_USER_INFO: Final = re.compile(r"(?<=://)[^/\s@\"'<>]{1,1000}(?=@)")
_SECRET_PARAMETER: Final = re.compile(r"key|token|secret|pass|auth|sig", re.IGNORECASE)


class Redaction:
    """The secrets known so far. Copies of them live in memory only."""

    def __init__(self, secrets: Iterable[str | None] = ()) -> None:
        self._in_errors: tuple[str, ...] = ()
        self._in_answers: tuple[str, ...] = ()
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str | None) -> None:
        """Remembers a key or password, in each form that a text may hold it."""
        if not secret or len(secret) < SHORTEST_IN_ERRORS:
            return
        forms = {secret, quote(secret, safe=""), unquote(secret)}
        known = {*self._in_errors, *(form for form in forms if len(form) >= SHORTEST_IN_ERRORS)}
        # the longest first: one secret may begin with another
        self._in_errors = tuple(sorted(known, key=lambda form: (-len(form), form)))
        self._in_answers = tuple(form for form in self._in_errors if len(form) >= SHORTEST_IN_ANSWERS)

    def add_address(self, address: str | None) -> None:
        """Remembers the password in an address, and the values of parameters that are named like keys."""
        try:
            parts = urlsplit(address or "")
            password = parts.password
        except ValueError:
            return
        self.add(password)
        for name, value in parse_qsl(parts.query):
            if _SECRET_PARAMETER.search(name):
                self.add(value)

    def of_error(self, text: str) -> str:
        """An error's text without known secrets, and without what looks like one; the same object where none was in it.

        It may be a phrase, which a plain text could not be translated from.
        """
        clean = _USER_INFO.sub(REDACTED, _LOOKS_LIKE_A_KEY.sub(REDACTED, _without(text, self._in_errors)))
        return text if clean == text else clean

    def of_answer(self, text: str) -> str:
        """An answer's text without known secrets."""
        return _without(text, self._in_answers)

    def of_failure(self, failure: Failure) -> Failure:
        """The failure as it may be stored and shown; the same object where nothing had to go."""
        message, detail = self.of_error(failure.message), self.of_error(failure.detail)
        if (message, detail) == (failure.message, failure.detail):
            return failure
        return replace(failure, message=message, detail=detail)

    def open_end(self, text: str) -> int:
        """Return the place where the end of a growing answer begins that may become a secret; the length of `text`
        if it can't.
        """
        longest = max((len(secret) for secret in self._in_answers), default=0)
        for start in range(max(0, len(text) - longest + 1), len(text)):
            end = text[start:]
            if any(secret.startswith(end) for secret in self._in_answers):
                return start
        return len(text)


class StreamRedaction:
    """Takes secrets out of one stream of events; holds an end back that may be the beginning of one."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._held: TextDelta | ThinkingDelta | None = None

    def events(self, event: StreamEvent) -> tuple[StreamEvent, ...]:
        """Return the events that may go on after `event` came."""
        match event:
            case TextDelta() | ThinkingDelta():
                return self._delta(event)
            case PartFinished(TextPart() as part):
                text = self._redaction.of_answer(part.text)
                # who shows pieces only needs the end too; an end that became a secret stands in no clean text
                held = tuple(end for end in self.rest() if isinstance(end, ThinkingDelta) or text.endswith(end.text))
                return (*held, event if text == part.text else PartFinished(replace(part, text=text)))
            case _:
                return (*self.rest(), self._without_secrets(event))

    def _without_secrets(self, event: StreamEvent) -> StreamEvent:
        of_error = self._redaction.of_error
        match event:
            case Notice(_, message, detail) if (of_error(message), of_error(detail)) != (message, detail):
                return replace(event, message=of_error(message), detail=of_error(detail))
            case Failed(failure):
                return Failed(self._redaction.of_failure(failure))
            case UsageReported(usage, model):
                return UsageReported(usage, of_error(model))
            case Ended(stop_reason):
                return Ended(of_error(stop_reason))
            case _:
                return event

    def rest(self) -> tuple[TextDelta | ThinkingDelta, ...]:
        """Return the events that were held back: nothing can follow that would make them a secret."""
        held, self._held = self._held, None
        return () if held is None else (held,)

    def _delta(self, event: TextDelta | ThinkingDelta) -> tuple[StreamEvent, ...]:
        before = self._held
        first: tuple[StreamEvent, ...] = ()
        text = event.text
        if before is not None:
            if type(before) is type(event):
                text = before.text + text
            else:
                first = (before,)
        clean = self._redaction.of_answer(text)
        end = self._redaction.open_end(clean)
        self._held = type(event)(clean[end:]) if end < len(clean) else None
        if not end:
            return first
        return (*first, event if clean == event.text and end == len(clean) else type(event)(clean[:end]))


def holds_secret(address: str) -> bool:
    """Return True if an address names a user or password, or has a parameter that is named like a key."""
    try:
        parts = urlsplit(address.strip() if "://" in address else f"//{address.strip()}")
        named = "@" in parts.netloc
    except ValueError:
        return "@" in address
    return named or any(_SECRET_PARAMETER.search(name) for name, _ in parse_qsl(parts.query, keep_blank_values=True))


def _without(text: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, REDACTED)
    return text
