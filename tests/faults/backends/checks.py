"""Owns what has to be true of every fault that was played. Plays nothing itself."""

from __future__ import annotations

import re
from typing import Final, Literal

from desktop_app.core.errors import ACTIONS
from desktop_app.core.messages import Failure
from tests.faults.backends.faults import Fault
from tests.faults.backends.playing import Played
from tests.faults.backends.states import EMPTY, WHOLE, Expected, State
from tests.faults.backends.ways import Name
from tests.servers.messages_api import HELLO

_ADDRESS: Final = re.compile(r"https?://127\.0\.0\.1:\d+(?:/v1)?")
_SERVER: Final = re.compile(r"127\.0\.0\.1:\d+")


def check(name: Name | Literal["scripted"], fault: Fault, played: Played, wanted: Expected) -> None:
    """Exactly one state, the wanted one; the text that came, and only that, in the history."""
    reached = seen(played)
    assert reached.outcome == wanted.outcome
    # the program sends what was broken off once or twice more, as it comes
    assert played.requests <= wanted.requests if name == "claude-cli" else played.requests == wanted.requests
    stored, failure = played.stored, played.failure
    assert stored.failure == failure, "the history holds what the window shows"
    if name == "claude-cli":
        # it goes on from a text that came whole before the break, and the server says the same once more
        assert set(stored.text.split("\n\n")) == {fault.kept}
    else:
        assert stored.text == fault.kept
    if failure is None:
        assert played.ends == ("TurnEnded",)
        assert (stored.state, stored.stop_reason) == ("complete", "end_turn")
    else:
        assert played.ends == ("TurnFailed",)
        assert (stored.state, stored.stop_reason) == ("partial" if fault.kept else "error", None)
        assert set(failure.actions) <= set(ACTIONS)
        assert failure.message.endswith(".")
        assert failure.detail, "there is something technical under Details"
    if name in ("anthropic", "openai"):
        assert played.retries == played.requests - 1, "every further request is told"
    if name not in ("claude-cli", "scripted"):
        assert played.after == HELLO
        assert not played.reminded, "a provider's error is no part of the conversation"


def seen(played: Played) -> Expected:
    """The state that was reached, in the words of `states`."""
    if played.failure is None:
        return Expected(WHOLE if played.stored.parts else EMPTY, played.requests)
    return Expected(_state(played.failure), played.requests)


def _state(failure: Failure) -> State:
    words = _SERVER.sub("{server}", _ADDRESS.sub("{address}", failure.message))
    return State(failure.code, words, failure.actions)
