"""Owns what of the wire is the local model's own; the rest is that of any server of chat completions. No process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop_app.backends.openai.api_error import read_error
from desktop_app.backends.openai.chat_dialect import ChatDialect
from desktop_app.backends.openai.chat_request import request_body as compatible_body
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase

DIALECT: Final = ChatDialect(strict=True, images=False)
"""A model of text, with whatever template its file has."""

_SAMPLING: Final[Mapping[str, Mapping[str, float]]] = {"smollm2-135m": {"temperature": 0.2, "repeat_penalty": 1.1}}
"""Tried out: so small a model rambles at llama.cpp's own 0.8. Other files: the defaults."""


def request_body(plan: ContextPlan) -> dict[str, Any]:
    """The body of `POST /v1/chat/completions` for a plan, as it is sent: every role, every text."""
    return compatible_body(plan, DIALECT, _SAMPLING.get(plan.model.id))


def failure_of(status: int, body: Any) -> Failure:
    """What an error of the server means to the user."""
    error = read_error(status, body)
    if error.type == "exceed_context_size_error":
        said = body.get("error", body) if isinstance(body, Mapping) else {}
        tokens, context = (_size(said, key) for key in ("n_prompt_tokens", "n_ctx"))
        message = phrase(
            "This conversation is too long for the local model: {tokens:,} tokens, and it takes {context:,}. "
            "Start a new thread or choose another model.",
            tokens=tokens,
            context=context,
        )
        return Failure("context_limit", message, error.detail, ("new_thread", "switch_model"))
    message = phrase("The local model could not answer this. Try again, or choose another model.")
    return Failure("backend", message, error.detail, ("retry", "switch_model"))


def _size(said: Any, key: str) -> int:
    value = said.get(key) if isinstance(said, Mapping) else None
    return value if isinstance(value, int) and 0 < value < 10**12 else 0
