"""Owns what differs between the two backends that speak to a provider's API, for the tests that hold for both.

Knows no test; what is true of every failure, whoever it comes from, is checked here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pytest

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import ACTIONS
from desktop_app.core.messages import Failure
from tests.backends.openai.backends import backend_for as openai_for
from tests.backends.openai.backends import plan as openai_plan
from tests.backends.plans import collect, plan_of, user
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, Behaviour, Emit, HttpError, MessagesApi

ANTHROPIC_KEY: Final = "sk-ant-api03-very-secret"

Api: TypeAlias = MessagesApi | ChatApi
ApiBackend: TypeAlias = AnthropicBackend | OpenAiBackend


def anthropic_for(
    url: str,
    *,
    key: str | None = ANTHROPIC_KEY,
    ask: Callable[[], Awaitable[str | None]] | None = None,
    timeout_s: float | None = None,
    overrides: Any = None,
) -> AnthropicBackend:
    """`ask` stands in for a keyring that knows `key`."""

    async def known() -> str | None:
        return key

    return AnthropicBackend(
        key=ask or known,
        base_url=url,
        timeout_s=timeout_s,
        overrides=overrides or {},
        has_key=lambda: key is not None,
    )


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider's API as the tests see it: a loopback server that plays it and a backend that speaks to it.

    `name` is that of the backend, of the SDK and of the SDK's logger; `plan_of` takes messages, `backend_for` an
    address. `reached_limit` is the wire's word that the answer was cut at its limit; what follows is only the
    stream's end. `greets`: events come before the first word.
    """

    name: str
    server: type[MessagesApi] | type[ChatApi]
    backend_for: Callable[..., ApiBackend]
    plan_of: Callable[..., ContextPlan]
    reached_limit: Emit
    greets: bool

    @property
    def plan(self) -> ContextPlan:
        """A plan that says hello."""
        return self.plan_of(user("Hello"))


_LIMIT = {"delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 1}}
ANTHROPIC: Final = Provider(
    "anthropic", MessagesApi, anthropic_for, plan_of, reached_limit=Emit("message_delta", _LIMIT), greets=True
)
_LENGTH = {"choices": [{"delta": {}, "finish_reason": "length"}]}
OPENAI: Final = Provider("openai", ChatApi, openai_for, openai_plan, reached_limit=Emit("", _LENGTH), greets=False)

for_both = pytest.mark.parametrize("provider", [ANTHROPIC, OPENAI], ids=lambda provider: provider.name)
"""Runs a test for each of the two, with the fixtures `api` and `backend` to match."""


async def only_failure(api: Api, backend: ApiBackend, plan: ContextPlan, behaviour: Behaviour) -> Failure:
    """The failure that a behaviour becomes: asked for once, said in a sentence, with everything that came kept."""
    api.script(behaviour)
    answer = await collect(backend.stream(plan))
    failure = answer.failed.failure
    assert len(api.answers) == 1
    assert answer.text == ("a" if isinstance(behaviour, Answer) else ""), "what these behaviours say before they fail"
    assert failure.message.endswith(".")
    assert set(failure.actions) <= set(ACTIONS)
    if isinstance(behaviour, HttpError) and behaviour.status >= 400:
        assert f"HTTP {behaviour.status}" in failure.detail
        assert "req_loopback" in failure.detail
    return failure
