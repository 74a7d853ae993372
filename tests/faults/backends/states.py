"""Owns what each fault has to become: one state of the window for each backend. Plays nothing.

`EXPECTED` is checked against reality by the tests beside it, and rendered into `docs/faults.md` by `table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from desktop_app.core.messages import FailureCode
from tests.faults.backends.ways import NAMES, Name


@dataclass(frozen=True, slots=True)
class State:
    """A failure in full. In `words`, `{server}` is the loopback server's host and port, `{address}` its address."""

    code: FailureCode
    words: str
    actions: tuple[str, ...]


Outcome: TypeAlias = State | str
"""A failure, or one of the two that are none."""

WHOLE: Final = "the whole answer"
EMPTY: Final = "an empty answer"

TOO_LONG: Final = State(
    "context_limit",
    "This thread is too long for the provider. Your message is kept. "
    "Continue in a new thread, or choose a model that takes more.",
    ("new_thread", "switch_model"),
)

ANTHROPIC: Final[Mapping[str, State]] = {
    "key": State(
        "auth",
        "Anthropic does not accept this key. Check it under Connections.",
        ("replace_key", "retry", "switch_model"),
    ),
    "credit": State(
        "auth",
        "The Anthropic account of this key has no credit left. Add credit there, or use another connection.",
        ("open_connections", "switch_model", "retry"),
    ),
    "forbidden": State(
        "auth",
        "This key may not use Claude Sonnet 5.5. Choose another model, or another key under Connections.",
        ("switch_model", "replace_key", "retry"),
    ),
    "unknown": State(
        "not_found", "Anthropic does not know the model Claude Sonnet 5.5. Choose another model.", ("switch_model",)
    ),
    "large": State(
        "context_limit",
        "The request is larger than Anthropic accepts. Leave out attachments, or start a new thread.",
        ("edit_draft", "new_thread"),
    ),
    "too long": TOO_LONG,
    "refused": State(
        "backend", "Anthropic did not accept the request. Details say why.", ("switch_model", "new_thread")
    ),
    "soon": State(
        "rate_limited", "The rate limit of this key is reached. Try again in 1 s.", ("retry", "switch_model")
    ),
    "later": State(
        "rate_limited", "The rate limit of this key is reached. Try again in 60 min.", ("retry", "switch_model")
    ),
    "broken": State("backend", "Anthropic had an internal error. Try again.", ("retry", "switch_model")),
    "busy": State(
        "overloaded", "Anthropic is overloaded at the moment. Try again in a while.", ("retry", "switch_model")
    ),
    "lost": State("network", "The connection to 127.0.0.1 was lost. Check the network, then try again.", ("retry",)),
    "cut": State("network", "The connection was lost. The text so far is saved.", ("continue", "retry")),
    "silent": State("network", "127.0.0.1 did not answer in time. Try again.", ("retry",)),
    "strange": State(
        "backend",
        "127.0.0.1 did not answer as the Messages API does. Check the address and the network.",
        ("retry", "open_connections"),
    ),
    "garbled": State(
        "backend",
        "127.0.0.1 sent something that can't be read. The text so far is saved. Try again.",
        ("continue", "retry", "switch_model"),
    ),
    "elsewhere": State(
        "backend",
        "The address for Anthropic sends to another one. Set that one under Connections.",
        ("open_connections",),
    ),
}

OPENAI: Final[Mapping[str, State]] = {
    "key": State(
        "auth",
        "{server} does not accept this key. Check it under Connections.",
        ("replace_key", "retry", "switch_model"),
    ),
    "credit": State(
        "auth",
        "The {server} account of this key has no credit left. Add credit there, or use another connection.",
        ("open_connections", "switch_model", "retry"),
    ),
    "forbidden": State(
        "auth",
        "This key may not use test-model at {server}. Choose another model, or another key under Connections.",
        ("switch_model", "replace_key", "retry"),
    ),
    "unknown": State(
        "not_found", "{server} does not know the model test-model. Choose another model.", ("switch_model",)
    ),
    "large": State(
        "context_limit",
        "The request is larger than {server} accepts. Leave out attachments, or start a new thread.",
        ("new_thread", "switch_model"),
    ),
    "too long": TOO_LONG,
    "refused": State(
        "backend", "{server} did not accept the request. Details say why.", ("switch_model", "new_thread")
    ),
    "soon": State(
        "rate_limited", "The rate limit of {server} is reached. Try again in 1 s.", ("retry", "switch_model")
    ),
    "later": State(
        "rate_limited", "The rate limit of {server} is reached. Try again in 60 min.", ("retry", "switch_model")
    ),
    "broken": State("backend", "{server} had an internal error. Try again.", ("retry", "switch_model")),
    "busy": State(
        "overloaded", "{server} can't answer at the moment. Try again in a while.", ("retry", "switch_model")
    ),
    "lost": ANTHROPIC["lost"],
    "cut": ANTHROPIC["cut"],
    "silent": ANTHROPIC["silent"],
    "strange": State(
        "backend",
        "127.0.0.1 did not answer as a chat completions server does. Check the address and the network.",
        ("retry", "open_connections"),
    ),
    "garbled": ANTHROPIC["garbled"],
    "elsewhere": State(
        "backend", "{address} sends to another address. Set that one under Connections.", ("open_connections",)
    ),
}

LOCAL: Final[Mapping[str, State]] = {
    "refused": State(
        "backend",
        "The local model could not answer this. Try again, or choose another model.",
        ("retry", "switch_model"),
    ),
    "too long": TOO_LONG,
    "lost": State(
        "backend",
        "The local model stopped unexpectedly. Try again, or choose another model.",
        ("retry", "switch_model"),
    ),
    "cut": State(
        "backend",
        "The local model stopped unexpectedly. The text so far is saved. Try again, or choose another model.",
        ("retry", "switch_model"),
    ),
    "silent": State(
        "backend",
        "The local model did not answer in time. Try again, or choose another model.",
        ("retry", "switch_model"),
    ),
    "silent, cut": State(
        "backend",
        "The local model did not answer in time. The text so far is saved. Try again, or choose another model.",
        ("retry", "switch_model"),
    ),
}

CLAUDE: Final[Mapping[str, State]] = {
    "login": State("auth", 'Sign in needed: run "claude" and log in, or correct ANTHROPIC_API_KEY.', ("retry",)),
    "credit": State("auth", "The account has no credit left. Top it up, then try again.", ("retry",)),
    "unknown": State(
        "not_found",
        "The model was not found, or the account may not use it. Choose another model.",
        ("switch_model", "retry"),
    ),
    "large": State(
        "context_limit",
        "The request is larger than the provider accepts. Leave out attachments, or start a new thread.",
        ("edit_draft", "new_thread"),
    ),
    "too long": TOO_LONG,
    "refused": State("backend", "The claude program reported an error. Try again.", ("retry",)),
    "limit": State(
        "rate_limited", "Too many requests for now. Wait a little, then try again.", ("retry", "switch_model")
    ),
    "broken": State("backend", "The provider had an internal error. Try again.", ("retry", "switch_model")),
    "busy": State(
        "overloaded", "The provider is overloaded. Wait a little, then try again.", ("retry", "switch_model")
    ),
    "lost": State("network", "The provider could not be reached. Check the connection, then try again.", ("retry",)),
    "silent": State(
        "network", "The provider gave no answer in time. Check the connection, then try again.", ("retry",)
    ),
    "cut": State("network", "Connection lost. The text so far is saved.", ("continue", "retry")),
}

STATES: Final[Mapping[Name, Mapping[str, State]]] = {
    "anthropic": ANTHROPIC,
    "openai": OPENAI,
    "local": LOCAL,
    "claude-cli": CLAUDE,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """What one fault becomes with one backend, and after how many requests (of the `claude` program: at most)."""

    outcome: Outcome
    requests: int


Cell: TypeAlias = str | tuple[str, int]

_ROWS: Final[Mapping[str, tuple[Cell, Cell, Cell, Cell]]] = {
    # fault: anthropic, openai, local, claude-cli; a key of the states above, with the number of requests if not one
    "401": ("key", "key", "refused", ("login", 3)),
    "402": ("credit", "credit", "refused", "credit"),
    "403": ("forbidden", "forbidden", "refused", "login"),
    "404": ("unknown", "unknown", "refused", ("unknown", 2)),
    "413": ("large", "large", "refused", "large"),
    "400, too long": ("too long", "too long", "too long", "too long"),
    "400, another reason": ("refused", "refused", "refused", ("refused", 3)),
    "429, again soon": (("soon", 3), ("soon", 3), "refused", ("limit", 3)),
    "429, again in an hour": ("later", "later", "refused", "limit"),
    "500": (("broken", 3), ("broken", 3), "refused", ("broken", 3)),
    "529": (("busy", 3), ("busy", 3), "refused", ("busy", 3)),
    "error event before any text": (("busy", 6), ("busy", 6), "refused", ("busy", 4)),
    "error event in the text": ("busy", "busy", "refused", ("busy", 4)),
    "connection lost before the answer": (("lost", 3), ("lost", 3), "lost", ("lost", 3)),
    "connection lost in the text": ("cut", "cut", "cut", ("cut", 4)),
    "connection reset in the text": ("cut", "cut", "cut", ("cut", 4)),
    "connection lost in a tool call": ("cut", "cut", "cut", ("cut", 6)),
    "connection lost after the stop reason": (WHOLE, WHOLE, WHOLE, ("cut", 3)),
    "silence before the answer": ("silent", "silent", "silent", "silent"),
    "silence after the headers": ("silent", "silent", "silent", "silent"),
    "silence in the text": ("cut", "cut", "silent, cut", "cut"),
    "an event that is not JSON": ("garbled", "garbled", "cut", ("refused", 2)),
    "every byte by itself": (WHOLE, WHOLE, WHOLE, WHOLE),
    "a delta of 300 KB": (WHOLE, WHOLE, WHOLE, WHOLE),
    "unknown events and blocks": (WHOLE, WHOLE, WHOLE, WHOLE),
    "a piece every 50 ms": (WHOLE, WHOLE, WHOLE, WHOLE),
    "an empty answer": (EMPTY, EMPTY, EMPTY, (EMPTY, 2)),
    "a web page, 200": ("strange", "strange", "lost", ("refused", 2)),
    "a web page, 502": (("broken", 3), ("busy", 3), "refused", ("broken", 3)),
    "another type of content": ("strange", "strange", "lost", ("refused", 2)),
    "a redirect": ("elsewhere", "elsewhere", "refused", ("lost", 3)),
}


def expected(fault: str, name: Name) -> Expected:
    """What `fault` has to become with the backend `name`."""
    cell = _ROWS[fault][NAMES.index(name)]
    key, requests = (cell, 1) if isinstance(cell, str) else cell
    return Expected(key if key in (WHOLE, EMPTY) else STATES[name][key], requests)


def listed() -> tuple[str, ...]:
    """The names of the faults that something is expected of."""
    return tuple(_ROWS)
