"""The open thread's path and whether it is answered: one place, read from the controller."""

from __future__ import annotations

from typing import cast

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import SendRefused, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Failure
from tests.ui.state.fake_services import StateOfWindow, thread_of
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]
PLAN = cast("ContextPlan", None)
WRONG = Failure("backend", "It broke.")


async def test_the_path_grows_with_the_controller_s() -> None:
    state = StateOfWindow()
    thread = await state.opened(TALK)
    first = state.app_state.path
    assert first == tuple(TALK)
    assert state.app_state.path is first, "the same for as long as nothing is added"
    state.grow(thread, [*TALK, message(2, "user", "three")])
    assert [one.id for one in state.app_state.path] == ["t0", "t1", "t2"]


async def test_a_path_that_is_being_read_again_stands_until_then() -> None:
    state = StateOfWindow()
    await state.opened(TALK)
    state.chat.threads.clear()
    assert state.app_state.path == tuple(TALK)
    state.app_state.close_thread()
    assert state.app_state.path == ()


async def test_before_the_services_the_end_that_is_painted_is_the_path() -> None:
    state = StateOfWindow()
    state.app_state.show_first(thread_of(TALK), tuple(TALK[1:]))
    assert [one.id for one in state.app_state.path] == ["t1"]


@pytest.mark.parametrize("over", [TurnEnded("t", TALK[1]), TurnFailed("t", TALK[1], WRONG)])
async def test_a_thread_is_answered_from_the_start_of_a_turn_to_its_end(over: TurnEnded | TurnFailed) -> None:
    state = StateOfWindow()
    await state.opened(TALK)
    told: list[tuple[str, bool, bool]] = []
    state.app_state.running_changed.connect(
        lambda thread_id, running: told.append((thread_id, running, state.app_state.running))
    )
    state.announcements.publish(TurnStarted("other", TALK[1], PLAN))
    state.announcements.publish(TurnStarted("t", TALK[1], PLAN))
    state.announcements.publish(over)
    assert told == [("other", True, False), ("t", True, True), ("t", False, False)]
    assert state.app_state.any_running, "the other thread"


async def test_a_thread_that_is_answered_when_it_is_opened() -> None:
    state = StateOfWindow()
    state.chat.answering.add("t")
    await state.opened(TALK)
    assert state.app_state.running
    state.announcements.publish(SendRefused("t", WRONG, None))
    assert state.app_state.running, "another message was refused, as this one is answered"
    state.chat.answering.clear()
    state.announcements.publish(SendRefused("t", WRONG, None))
    assert not state.app_state.running, "what was on its way never began"
