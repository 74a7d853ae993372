"""Secrets in texts: the formats of keys and tokens, and those that the app holds, taken out of what comes from outside.

A gateway may echo a key in its error, and an address may hold a password: neither may be stored, shown or logged. There
is no guess by entropy: a hash, an identifier or a random text is no secret. Time grows with the text's length: a
beginning is looked for as a plain text, and what follows it is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, Literal
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from desktop_app.core.messages import Failure, TextPart
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    PartFinished,
    SignOfLife,
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
        """An error's text without secrets and what looks so; the same object, perhaps a phrase, where it had none."""
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
        """The place where the end of a growing answer may become a secret; the length of `text` if it can't."""
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
            case SignOfLife():
                return (event,)  # may come between two pieces of a secret
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


SHORTEST: Final = 20
"""No secret of any format is shorter, in characters."""

_IN_RUN: Final = bytes(one < 128 and (chr(one).isalnum() or chr(one) in "+/=_.-") for one in range(256))
_LONG_RUN: Final = b"\1" * SHORTEST
"""Part of every one: a text without it, as most are, is read no further. An expression took eight times as long."""

_ESCAPE: Final = re.compile(r"\\[nrt]|%[0-9A-Fa-f]{2}")
"""The end of a line or a sign as JSON and addresses have it: a word begins behind it."""
_ALNUM, _WORD = "[A-Za-z0-9]", "[A-Za-z0-9_-]"


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """One format: whose it is, how it begins, and the expression of all of it.

    `apart`: what begins in the middle of a word is none. `digit`: one without any digit is a name made of words.
    `backend`: ours that takes such keys.
    """

    owner: str
    noun: Literal["key", "token"]
    begins: tuple[str, ...]
    whole: re.Pattern[str]
    apart: bool = True
    digit: bool = True
    backend: str = ""


def _format(
    owner: str,
    noun: Literal["key", "token"],
    begins: str,
    rest: str,
    *,
    apart: bool = True,
    digit: bool = True,
    backend: str = "",
) -> SecretFormat:
    starts = tuple(begins.split())
    whole = re.compile(f"(?:{'|'.join(map(re.escape, starts))}){rest}")
    return SecretFormat(owner, noun, starts, whole, apart=apart, digit=digit, backend=backend)


FORMATS: Final = (
    _format("Anthropic", "key", "sk-ant-", _WORD + "{16,}+", apart=False, backend="anthropic"),
    _format("OpenRouter", "key", "sk-or-", _WORD + "{20,}+", apart=False),
    _format("OpenAI", "key", "sk-proj- sk-svcacct- sk-admin-", _WORD + "{16,}+", apart=False, backend="openai"),
    # others' servers that speak OpenAI's protocol give keys of this form, too
    _format("API", "key", "sk-", _ALNUM + "{20,}+", backend="openai"),
    _format("Google", "key", "AIza", _WORD + "{16,}+"),
    _format("Google", "token", "GOCSPX- ya29.", _WORD + "{20,}+"),
    _format("Groq", "key", "gsk_", _ALNUM + "{40,}+"),
    _format("xAI", "key", "xai-", _ALNUM + "{40,}+"),
    _format("Perplexity", "key", "pplx-", _ALNUM + "{40,}+"),
    _format("NVIDIA", "key", "nvapi-", _WORD + "{40,}+"),
    _format("AWS", "key", "AKIA ASIA", "[A-Z2-7]{16}(?![A-Za-z0-9])", digit=False),
    _format("GitHub", "token", "ghp_ gho_ ghu_ ghs_ ghr_", _ALNUM + "{36,}+", apart=False),
    _format("GitHub", "token", "github_pat_", "[A-Za-z0-9_]{60,}+", apart=False),
    _format("GitLab", "token", "glpat- gldt- glrt- glptt- glcbt-", _WORD + "{20,}+"),
    _format("Slack", "token", "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xapp-", "[A-Za-z0-9-]{20,}+"),
    _format("Stripe", "key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", _ALNUM + "{20,}+"),
    _format("npm", "token", "npm_", _ALNUM + "{36,}+"),
    _format("PyPI", "token", "pypi-AgE", _WORD + "{50,}+", apart=False),
    _format("Hugging Face", "token", "hf_", _ALNUM + "{34,}+", digit=False),
)
"""Every format, the longer beginning before the shorter one."""

_AWS_SECRET: Final = re.compile(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])")
"""Recognised only beside an access key's id, or behind the name that it has in settings."""
_AWS_NAMES: Final = ("ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey")
_AWS_REACH: Final = 240, 80
"""Characters behind an id and behind a name within which it stands."""

_HEADER: Final = re.compile(r"-----(?:BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_LINES: Final = re.compile(
    r"(?<=-----)(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{32,}+)++(?:(?:\s|\\[nr]){1,4}+[A-Za-z0-9+/]{1,31}+=?=?)?"
)
"""The lines of a key whose end is not in the text; also escaped, as they stand in JSON."""
_LINE: Final = re.compile(r"[A-Za-z0-9+/=]{32}")
_LAST_LINE: Final = re.compile(r"[A-Za-z0-9+/=]++")
_BLOCK: Final = 20_000
"""Characters that a block takes at most."""


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A text that looks like a secret, from `start` up to `end`; no log or report shows it."""

    owner: str
    noun: str
    start: int
    end: int
    text: str = field(repr=False)
    backend: str = ""

    @property
    def words(self) -> str:
        """`an AWS key`, `a private key`."""
        if not self.owner:
            return phrase("a private key")
        vowel = self.owner[0] in "AEIOx" or self.owner in ("npm", "NVIDIA")
        if self.noun == "key":
            return phrase("an {name} key", name=self.owner) if vowel else phrase("a {name} key", name=self.owner)
        return phrase("an {name} token", name=self.owner) if vowel else phrase("a {name} token", name=self.owner)


def found_secrets(text: str) -> tuple[FoundSecret, ...]:
    """Return everything in a text that looks like a secret, from first to last; none overlaps another."""
    if _LONG_RUN not in text.encode("utf-8", "replace").translate(_IN_RUN):
        return ()
    tokens = list(_tokens(text))
    every = (*tokens, *_aws_secrets(text, tokens), *_private_keys(text))
    found: list[FoundSecret] = []
    end = 0
    for one in sorted(every, key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            found.append(one)
            end = one.end
    return tuple(found)


def _tokens(text: str) -> Iterator[FoundSecret]:
    for kind in FORMATS:
        for begins in kind.begins:
            place = text.find(begins)
            while place >= 0:
                end = place + len(begins)
                whole = kind.whole.match(text, place) if not kind.apart or _is_apart(text, place) else None
                if whole is not None:
                    end = whole.end()  # what begins within it is a part of it, or none for the same reason
                    if not kind.digit or any(map(str.isdigit, whole.group())):
                        yield FoundSecret(kind.owner, kind.noun, place, end, whole.group(), kind.backend)
                place = text.find(begins, end)


def _is_apart(text: str, place: int) -> bool:
    before = text[max(0, place - 3) : place]
    if not before or not (before[-1].isascii() and (before[-1].isalnum() or before[-1] in "_-")):
        return True
    return _ESCAPE.fullmatch(before) is not None or _ESCAPE.fullmatch(before[-2:]) is not None


def _aws_secrets(text: str, ids: Iterable[FoundSecret]) -> Iterator[FoundSecret]:
    behind_id, behind_name = _AWS_REACH
    places = [(one.end, behind_id) for one in ids if one.owner == "AWS"]
    for name in _AWS_NAMES:
        place = text.find(name)
        while place >= 0:
            places.append((place + len(name), behind_name))
            place = text.find(name, place + len(name))
    for place, reach in places:
        if secret := _AWS_SECRET.search(text, place, place + reach):
            yield FoundSecret("AWS", "key", secret.start(), secret.end(), secret.group())


def _private_keys(text: str) -> Iterator[FoundSecret]:
    """Blocks, and parts of blocks: a passage of a document may begin or end in the middle of one."""
    headers = list(_HEADER.finditer(text)) if "PRIVATE KEY" in text else []
    before = 0
    for number, header in enumerate(headers):
        start, end = header.span()
        if start < before:
            continue  # the end of the block that was found
        if header.group().startswith("-----END"):
            start = _first_line(text, before, start)
        else:
            close = headers[number + 1] if number + 1 < len(headers) else None
            closed = close is not None and "-END" in close.group() and close.start() - end <= _BLOCK
            lines = _LINES.match(text, end)
            if close is not None and closed:
                end = close.end() if _LINE.search(text, end, close.start()) else end
            elif lines is not None:
                end = lines.end()
        if end - start > len(header.group()):
            yield FoundSecret("", "key", start, end, text[start:end])
        before = end


def _first_line(text: str, least: int, end: int) -> int:
    """Return the place where the lines of a key begin that end at `end`."""
    start = end
    for line in reversed(text[max(least, end - _BLOCK) : end].splitlines(keepends=True)):
        if line.strip() and _LAST_LINE.fullmatch(line.strip()) is None:
            break
        start -= len(line)
    return start if _LINE.search(text, start, end) else end


def without_secrets(text: str, found: Iterable[FoundSecret]) -> str:
    """The text with `REDACTED` in the place of each of these, which are in order."""
    pieces, end = [], 0
    for one in found:
        pieces += [text[end : one.start], REDACTED]
        end = one.end
    return "".join([*pieces, text[end:]])


def keyed_hash(secret: str, key: str) -> str:
    """Return the value by which a secret is known again, and from which nobody gets it back; `key` is random."""
    return f"{key}:{blake2b(secret.encode('utf-8', 'replace'), key=key.encode()[:64], digest_size=16).hexdigest()}"


class KeyPrint:
    """Recognises a key by short salted hashes of it, and holds no key."""

    def __init__(self, key: str) -> None:
        self._hash = blake2b(key.encode("utf-8", "replace"), digest_size=4)

    def salted(self, salt: str) -> str:
        """Return the fingerprint with this salt: too short to tell the key, long enough to tell two keys apart."""
        hashed = self._hash.copy()
        hashed.update(salt.encode())
        return f"{salt}:{hashed.hexdigest()}"

    def made(self, fingerprint: str) -> bool:
        """Return True if this is a fingerprint of the key."""
        return self.salted(fingerprint.partition(":")[0]) == fingerprint


def is_among(secret: str, hashes: Iterable[str]) -> bool:
    """Return True if one of these keyed hashes is the secret's."""
    return any(keyed_hash(secret, one.rpartition(":")[0]) == one for one in hashes)
