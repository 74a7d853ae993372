"""A request that was refused as it was written is kept as it was answered: the inspector shows what was sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.private_history import PrivateHistory
from desktop_app.core.events import NoticeRaised
from desktop_app.core.messages import Parameters
from tests.benchmarks.thread_loop import wired_backend
from tests.controller.world import make_world, words
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize(
    ("name", "model", "refusal", "field"),
    [
        ("anthropic", "claude-sonnet-5-5", "output_config: Extra inputs are not permitted", "output_config"),
        ("openai", "gpt-5.2", "Unrecognized request argument supplied: reasoning_effort", "reasoning_effort"),
    ],
)
async def test_what_was_answered_is_kept(  # noqa: PLR0917
    name: str, model: str, refusal: str, field: str, private: bool, with_private: PrivateHistory, tmp_path: Path
) -> None:
    api = MessagesApi() if name == "anthropic" else ChatApi()
    with api:
        async with wired_backend(name, api, tmp_path) as backend:
            world = await make_world(with_private, {backend.name: backend})
            thread = await world.chat.new_thread(backend=backend.name, model=model, private=private)
            await world.chat.set_parameters(thread.id, Parameters(effort="high"))
            api.script(HttpError(400, message=refusal))
            outcome = await world.chat.send(thread.id, words("Hello"))
            assert outcome.message is not None
            first, answered = (request.body for request in api.answers)
            assert (field in first, field in answered) == (True, False)
            assert await world.chat.history.request(outcome.message.id) == answered
            assert [notice.code for notice in world.of(NoticeRaised)] == ["parameters"]
            # the next request is written so from the start, and kept beside it
            again = await world.chat.send(thread.id, words("And again"))
            assert again.message is not None
            assert await world.chat.history.request(again.message.id) == api.answers[-1].body
            assert await world.chat.history.request(outcome.message.id) == answered
            assert len(api.answers) == 3
            await world.chat.close()
