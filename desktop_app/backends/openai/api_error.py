"""Owns the one form of an error that servers of chat completions report in many ways. Knows no words for the user."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

LONGEST_MESSAGE: Final = 2_000
"""Characters of a server's words that are kept: a validation error can repeat the whole request."""
LONGEST_NAME: Final = 100
"""Characters of a code, of a type and of a field's name."""
DEEPEST: Final = 8
"""So many objects and lists within each other are looked into for an error."""

STATUS_OF_TYPE: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "context_length_exceeded": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 529,
    "unavailable_error": 503,
}
"""Statuses for errors in a stream, whose own status was 200; any other type is the server's own fault."""


@dataclass(frozen=True, slots=True)
class ChatApiError:
    """What a server said. `structured`: it was an error of an API, not some page. Texts are "" where it said none."""

    status: int
    message: str
    code: str = ""
    type: str = ""
    param: str = ""
    request_id: str | None = None
    retry_after_s: float | None = None
    should_retry: bool | None = None
    structured: bool = True

    @property
    def detail(self) -> str:
        """For `Details`, and for who reads the sizes in it."""
        kind = self.code or self.type
        shown = f"HTTP {self.status}{f' {kind}' if kind else ''}: {self.message}"
        return shown if self.request_id is None else f"{shown} (request {self.request_id})"


def read_error(status: int, body: Any) -> ChatApiError:
    """The error in a body: parsed JSON of any of the usual forms, or the text of some page.

    A `status` of success says that it came in a stream; then the error's own is found in it.
    """
    found = body
    for _ in range(DEEPEST):
        match found:
            case [first, *_]:  # Gemini wraps it in a list
                found = first
            case {"error": dict() | list() as inner} | {"detail": dict() as inner} | {"message": dict() as inner}:
                found = inner
            case _:
                break
    if not isinstance(found, Mapping):
        text = found if isinstance(found, str) else json.dumps(found)
        return ChatApiError(_status(status, None, None), text[:LONGEST_MESSAGE], structured=status < 300)
    message = next((found[key] for key in ("message", "error", "detail", "msg") if found.get(key)), found)
    text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    code, kind = found.get("code"), found.get("type") or found.get("status") or found.get("error_type")
    return ChatApiError(
        _status(status, code, kind),
        text[:LONGEST_MESSAGE],
        code=code[:LONGEST_NAME] if isinstance(code, str) else "",
        type=kind[:LONGEST_NAME] if isinstance(kind, str) else "",
        param=str(found.get("param") or "")[:LONGEST_NAME],
        # a framework's own page for an address that is not there
        structured=found.get("detail") != "Not Found",
    )


def _status(status: int, code: object, kind: object) -> int:
    if status >= 300:
        return status
    for said in (code, kind):
        if isinstance(said, int) and 400 <= said <= 599:
            return said
        if isinstance(said, str) and said in STATUS_OF_TYPE:
            return STATUS_OF_TYPE[said]
        if isinstance(said, str) and said.isdecimal() and len(said) == 3 and 400 <= int(said) <= 599:
            return int(said)
    return 500
