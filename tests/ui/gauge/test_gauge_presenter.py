"""What the gauge is told while one writes, without a window: one plan per keystroke of the open thread's context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest
from PySide6.QtCore import QObject

from desktop_app.backends.claude_cli.program_session import IDLE_S
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.errors import UserError
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import Part, TextPart
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.gauge_presenter import STALE_S, GaugePresenter
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from tests.core.paths import prepare
from tests.ui.state.fake_services import FakeChat, StateOfWindow
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]


class FakeGauge:
    def __init__(self) -> None:
        self.readings: list[GaugeReading | None] = []

    def show_reading(self, reading: GaugeReading | None, _of: str | None = None, *, at_once: bool = False) -> None:
        self.readings.append(reading)


class WrittenMessage(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.gauge = FakeGauge()
        self.attachments: tuple[Part, ...] = ()
        self.words = ""

    def draft(self) -> tuple[Part, ...]:
        return (*self.attachments, TextPart(self.words)) if self.words else self.attachments

    def is_empty(self) -> bool:
        return not self.draft()


class PlanningChat(FakeChat):
    """Prepares the context of what is in memory; `missing`: no connection can be chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.missing = False
        self.warmed: list[str] = []
        self.preparations = 0

    async def prepared(self, thread_id: str) -> Preparation:
        if self.missing:
            raise UserError("config", "No connection.")
        self.preparations += 1
        return prepare(self.threads[thread_id].path)

    async def prepare_backend(self, thread_id: str) -> None:
        self.warmed.append(thread_id)


class Gauge:
    def __init__(self) -> None:
        self.state, self.chat, self.composer = StateOfWindow(), PlanningChat(), WrittenMessage()
        self.state.chat = self.state.services.chat = self.chat
        self.plan_takes = self.now = 0.0
        self.presenter = GaugePresenter(self.state.app_state, cast("Composer", self.composer), self.time)
        self.plans: list[ContextPlan | None] = []
        self.presenter.plan_changed.connect(self.plans.append)
        self.state.app_state.thread_opened.connect(self.presenter.refresh)

    def time(self) -> float:
        """A clock on which each look takes as long as a plan does."""
        self.now += self.plan_takes
        return self.now

    def type_text(self, text: str) -> None:
        self.composer.words = text
        self.presenter.text_edited()


@pytest.fixture
async def gauge() -> Gauge:
    made = Gauge()
    await made.state.opened(TALK)
    await made.state.at_rest()
    return made


def totals(plans: Sequence[ContextPlan | None]) -> list[int]:
    return [plan.tokens.total for plan in plans if plan is not None]


async def test_each_keystroke_has_one_plan_and_one_reading(gauge: Gauge) -> None:
    before = len(gauge.plans)
    gauge.type_text("a few words")
    gauge.type_text("a few words more, and then many others")
    assert len(gauge.plans) == before + 2 == len(gauge.composer.gauge.readings)
    counted = totals(gauge.plans[-3:])
    assert counted == sorted(set(counted)), "each is larger than the one before"


async def test_a_plan_that_takes_long_waits_until_typing_rests(gauge: Gauge) -> None:
    gauge.plan_takes = 1.0
    gauge.type_text("a book")
    shown = len(gauge.plans)
    gauge.type_text("a book and a word")
    gauge.type_text("a book and two words")
    assert len(gauge.plans) == shown


async def test_typing_prewarms_the_backend_once_until_the_turn_is_over(gauge: Gauge) -> None:
    gauge.type_text("a")
    gauge.type_text("ab")
    await gauge.state.at_rest()
    assert gauge.chat.warmed == ["t"]
    gauge.presenter.cool()
    gauge.type_text("abc")
    await gauge.state.at_rest()
    assert gauge.chat.warmed == ["t", "t"]


async def test_a_key_after_a_rest_prewarms_again_what_has_ended_meanwhile(gauge: Gauge) -> None:
    gauge.type_text("a")
    gauge.now += IDLE_S
    gauge.type_text("ab")
    await gauge.state.at_rest()
    assert gauge.chat.warmed == ["t", "t"]


async def test_a_context_that_has_grown_old_is_prepared_again_when_typing_goes_on(gauge: Gauge) -> None:
    gauge.type_text("a")
    await gauge.state.at_rest()
    assert gauge.chat.preparations == 1
    gauge.now += 2 * STALE_S
    gauge.type_text("ab")
    await gauge.state.at_rest()
    assert gauge.chat.preparations == 2


async def test_without_a_connection_nothing_is_counted(gauge: Gauge) -> None:
    gauge.chat.missing = True
    gauge.presenter.refresh()
    await gauge.state.at_rest()
    assert gauge.plans[-1] is None
    assert gauge.composer.gauge.readings[-1] is None
    gauge.type_text("words")
    assert gauge.plans[-1] is None


async def test_while_an_answer_comes_the_gauge_shows_what_was_sent(gauge: Gauge) -> None:
    plan = gauge.presenter.plan
    assert plan is not None
    shown = len(gauge.composer.gauge.readings)
    gauge.presenter.turn_started(TurnStarted("other", TALK[1], plan))
    assert len(gauge.composer.gauge.readings) == shown
    gauge.presenter.turn_started(TurnStarted("t", TALK[1], plan))
    assert len(gauge.composer.gauge.readings) == shown + 1


async def test_an_attachment_has_tokens_once_it_is_counted(gauge: Gauge) -> None:
    part = TextPart("a long document " * 40)
    gauge.composer.attachments = (part,)
    assert gauge.presenter.tokens_of(part) is None
    gauge.presenter.attachments_changed()
    await gauge.state.at_rest()
    assert (gauge.presenter.tokens_of(part) or 0) > 100
