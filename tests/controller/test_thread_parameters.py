"""What is asked of the model in a thread is stored at once, announced, and part of the next plan."""

from __future__ import annotations

from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import NO_PARAMETERS, Parameters
from tests.controller.world import WatchedHistory, make_world, words
from tests.fakes.gated_backend import GatedBackend

ASKED = Parameters(effort="high", thinking=False, web_search=True, temperature=0.2)


async def test_parameters_are_the_threads_own_and_count_from_the_next_turn_on(history: WatchedHistory) -> None:
    backend = GatedBackend()
    world = await make_world(history, {"gated": backend})
    one, other = await world.chat.new_thread(backend="gated"), await world.chat.new_thread(backend="gated")
    changed = await world.chat.set_parameters(one.id, ASKED)
    assert changed.parameters == ASKED
    assert world.of(ThreadChanged)[-1].thread.parameters == ASKED
    assert (await history.thread(one.id)).parameters == ASKED
    await world.chat.send(one.id, words("hello"))
    await world.chat.send(other.id, words("hello"))
    assert [plan.request.parameters for plan in backend.plans] == [ASKED, NO_PARAMETERS]
    keys = {plan.request.prefix_key for plan in backend.plans}
    assert len(keys) == 2, "what was counted for one request is no base for the other"
