"""Over the wire: what a limit left out is sent again when the limit is raised, and is told and stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.core.messages import TextPart
from tests.benchmarks.thread_loop import HeldThread, held_thread, wired_backend
from tests.controller.test_room_is_used import BACKENDS, text_of
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.tokens import by_pieces


async def ask(api: MessagesApi, thread: HeldThread, question: str) -> str:
    """One turn; the request as the server read it."""
    api.script(Answer("Noted."))
    await thread.send([TextPart(question)])
    return json.dumps(api.answers[-1].body)


@pytest.mark.parametrize("backend", BACKENDS)
async def test_a_limit_that_is_lowered_and_raised_again_leaves_nothing_out_for_good(
    backend: str, tmp_path: Path
) -> None:
    with MessagesApi(count_text=by_pieces) as api:
        async with (
            wired_backend(backend, api, tmp_path) as wired,
            held_thread(
                wired, model="claude-sonnet-5", system="", soft_limit=150_000, clock=api.clock, folder=tmp_path
            ) as thread,
        ):
            for number in range(12):
                await ask(api, thread, text_of(2_400, f"fact number {number}:"))
            await thread.chat.set_soft_limit(thread.id, 12_000)
            short = await ask(api, thread, "What was the third fact?")
            assert "fact number 3:" not in short
            await thread.chat.set_soft_limit(thread.id, None)
            plan = (await thread.chat.prepared(thread.id)).plan([TextPart("And now?")])
            assert (plan.decision, plan.placement.left_out) == ("ok", 0), "shown before it is sent"
            whole = await ask(api, thread, "And now?")
            assert all(f"fact number {number}:" in whole for number in range(12))
            (event,) = [one.event for one in await thread.chat.journal.of(thread.id) if one.event.kind == "returned"]
            assert (event.messages, event.after) == (plan.placement.newly_returned, plan.tokens.total)
            again = await ask(api, thread, "And then?")
            assert all(f"fact number {number}:" in again for number in range(12))
            usage = (await thread.chat.open_thread(thread.id)).path[-1].usage
            assert usage is not None
            assert usage.cache_read > 20_000, "what came back is a prefix that stays"
