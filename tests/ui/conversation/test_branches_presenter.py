"""What is done with a message that was said, over a transcript that no window holds and a chat that only remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import SendRefused, TurnEnded, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.navigation import ShownMessages
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.conversation.fake_panes import FakeAttachments, FakeComposer
from tests.ui.state.fake_services import StateOfWindow
from tests.ui.tool_scenes import message

if TYPE_CHECKING:
    from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
    from desktop_app.ui.composer.composer import Composer

pytestmark = pytest.mark.usefixtures("qapp")

CUT = replace(message(2, "assistant", "three"), parent_id="t0", state="partial")
TALK = [message(0, "user", "one"), message(1, "assistant", "two"), CUT]


class Branches:
    """A presenter in an open thread whose question has two answers, the second of which is shown."""

    def __init__(self) -> None:
        self.state = StateOfWindow()
        app_state, theme = self.state.app_state, load_theme("light")
        self.view = TranscriptView(theme)
        self.composer, self.attachments = FakeComposer(), FakeAttachments()
        self.presenter = BranchesPresenter(
            app_state,
            ShownMessages(app_state),
            self.view,
            cast("Composer", self.composer),
            cast("AttachmentsPresenter", self.attachments),
            theme=lambda: theme,
        )
        bridge = app_state.bridge
        bridge.subscribe(TurnStarted, self.presenter.turn_started)
        bridge.subscribe(TurnEnded, self.presenter.turn_over)
        bridge.subscribe(SendRefused, self.presenter.refused)
        app_state.thread_opened.connect(self.presenter.show_opened)

    async def act(self, message_id: str, action: str) -> None:
        self.presenter.act(message_id, action)
        await self.state.at_rest()

    async def begin(self) -> None:
        self.state.announcements.publish(TurnStarted("t", CUT, cast("ContextPlan", None)))
        await self.state.at_rest()

    @property
    def done(self) -> list[tuple[object, ...]]:
        return self.state.chat.sent


@pytest.fixture
async def branches() -> Branches:
    made = Branches()
    await made.state.opened(TALK)
    await made.state.at_rest()
    return made


async def test_an_answer_with_versions_has_the_arrows_between_them(branches: Branches) -> None:
    assert branches.view.decorations.branches == {"t2": (2, 2)}


@pytest.mark.parametrize(("action", "shown"), [("previous", [("show", "t", "t1")]), ("next", [])])
async def test_the_arrows_go_no_further_than_there_are_versions(
    branches: Branches, action: str, shown: list[tuple[str, ...]]
) -> None:
    await branches.act("t2", action)
    assert branches.done == shown


async def test_an_answer_is_asked_for_again_and_a_cut_one_goes_on(branches: Branches) -> None:
    await branches.act("t2", "again")
    await branches.begin()
    branches.state.announcements.publish(TurnEnded("t", CUT))
    await branches.act("t2", "continue")
    assert branches.done == [("regenerate", "t", "t2"), ("continue", "t")]


async def test_the_next_question_can_begin_another_branch(branches: Branches) -> None:
    await branches.act("t0", "branch")
    assert branches.done == [("branch", "t", "t0")]
    assert branches.composer.focused


@pytest.mark.parametrize("action", ["previous", "again", "branch", "continue"])
async def test_nothing_of_the_kind_is_done_while_an_answer_comes(branches: Branches, action: str) -> None:
    await branches.begin()
    await branches.act("t2", action)
    assert branches.done == []
    assert branches.view.decorations.frozen


async def test_what_was_refused_here_is_asked_again_here(branches: Branches) -> None:
    await branches.act("t2", "again")
    branches.state.announcements.publish(SendRefused("t", Failure("context_limit", "Too long."), None))
    assert branches.presenter.was_refused("t")
    assert branches.presenter.ask_held_again()
    await branches.state.at_rest()
    assert branches.done == [("regenerate", "t", "t2")] * 2
    assert not branches.presenter.was_refused("t")


async def test_what_the_composer_wished_is_none_of_its_business(branches: Branches) -> None:
    branches.state.announcements.publish(SendRefused("t", Failure("context_limit", "Too long."), None))
    assert not branches.presenter.was_refused("t")
    assert not branches.presenter.ask_held_again()


async def test_a_mark_is_a_wish_of_somebody_else(branches: Branches) -> None:
    asked: list[tuple[str, str]] = []
    branches.presenter.mark_requested.connect(lambda *wish: asked.append(wish))
    await branches.act("t2", "rate_up")
    await branches.act("gone", "rate_up")
    assert asked == [("t2", "rate_up")]
