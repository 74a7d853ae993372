"""What is asked beside the draft, without a window: one request at a time, and what was held back is kept."""

from __future__ import annotations

from typing import cast

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import CrossingAsked, SendRefused, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.ui.conversation.branches_presenter import Regeneration, RegenerationRequest
from tests.ui.state.fake_services import StateOfWindow
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]
PLAN = cast("ContextPlan", None)
AGAIN = RegenerationRequest("t")


class Asking:
    def __init__(self) -> None:
        self.state = StateOfWindow()
        self.regeneration = Regeneration(self.state.app_state)
        self.dropped: list[str] = []
        self.regeneration.held_dropped.connect(self.dropped.append)

    async def ask(self) -> None:
        self.regeneration.ask(AGAIN)
        await self.state.at_rest()

    def start(self) -> None:
        started = TurnStarted("t", TALK[1], PLAN)
        self.state.announcements.publish(started)
        self.regeneration.turn_started(started)


@pytest.fixture
async def asking() -> Asking:
    made = Asking()
    await made.state.opened(TALK)
    return made


async def test_one_request_is_on_its_way_at_a_time(asking: Asking) -> None:
    await asking.ask()
    await asking.ask()
    assert asking.state.chat.sent == [("retry", "t", False)]
    asking.start()
    await asking.ask()
    assert len(asking.state.chat.sent) == 1, "an answer is coming"


async def test_what_was_refused_is_held_until_it_is_dropped(asking: Asking) -> None:
    await asking.ask()
    asking.regeneration.refused(SendRefused("t", Failure("config", "Over the cap."), None))
    assert asking.regeneration.held("t") is AGAIN
    asking.regeneration.drop("t")
    asking.regeneration.drop("t")
    assert (asking.regeneration.held("t"), asking.dropped) == (None, ["t"])


async def test_a_refused_draft_is_not_taken_for_a_request(asking: Asking) -> None:
    await asking.ask()
    asking.regeneration.crossing_asked(CrossingAsked("t", PLAN))
    assert asking.regeneration.held("t") is AGAIN
    asking.regeneration.crossing_asked(CrossingAsked("t", PLAN))
    assert asking.regeneration.held("t") is None, "this time it was the draft that was asked about"
