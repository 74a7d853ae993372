"""Which card stands where, over a host that only remembers: no window and no provider."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import wait_words
from desktop_app.core.events import AnswerSaved, BranchChanged, SendRefused, TurnFailed, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.ui.conversation.error_cards import ErrorCard, ErrorCards
from desktop_app.ui.theme.theme import load_theme
from tests.ui.conversation.fake_panes import FakeCardHost
from tests.ui.state.fake_services import StateOfWindow, thread_of
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]
FAILURE = Failure("rate_limited", "The service is busy. Try again later.", actions=("retry", "switch_model", "stop"))
LIMITED = Failure(
    "rate_limited",
    phrase("The rate limit of {name} is reached. Try again{when}.", name="Server", when=wait_words(8)),
    actions=("retry",),
)
STORE = Failure("store", "The answer could not be stored.", actions=("retry",))


class Cards:
    def __init__(self) -> None:
        self.state, self.host = StateOfWindow(), FakeCardHost()
        self.cards = ErrorCards(self.state.app_state, self.host, load_theme("light"), self.state.parent)
        self.state.app_state.thread_opened.connect(self.cards.show_opened)

    def shown(self) -> str:
        """What heads the card; "" where there is none, or it is resolved."""
        card = self.host.card
        return card.content.heading if card is not None and not card.resolved else ""

    @property
    def sentence(self) -> str:
        return self.host.card.content.sentence if self.host.card is not None else ""

    @property
    def actions(self) -> list[str]:
        return [one.id for one in self.host.card.content.actions] if self.host.card is not None else []


@pytest.fixture
async def cards() -> Cards:
    made = Cards()
    await made.state.opened(TALK)
    return made


async def test_a_failure_has_a_card_until_the_next_answer_begins(cards: Cards) -> None:
    cards.cards.failed(TurnFailed("t", TALK[1], FAILURE))
    assert cards.actions == ["retry", "switch_model"], "what cannot be done here is not offered"
    assert cards.host.announced == 1
    cards.cards.act("retry")
    cards.cards.act("stop")
    assert cards.host.done == ["retry"]
    cards.cards.started(TurnStarted("t", TALK[1], cast("ContextPlan", None)))
    assert cards.shown() == ""
    assert cards.cards.current is None


async def test_a_card_of_another_thread_waits_for_it(cards: Cards) -> None:
    cards.cards.failed(TurnFailed("other", TALK[1], FAILURE))
    assert cards.shown() == ""
    cards.state.chat.put(replace(thread_of(TALK), id="other"), TALK)
    await cards.state.app_state.open_thread("other")
    assert cards.shown() != ""
    await cards.state.app_state.open_thread("t")
    assert cards.shown() == ""


async def test_an_answer_that_failed_in_an_earlier_run_has_its_card(cards: Cards) -> None:
    await cards.state.opened([TALK[0], replace(TALK[1], failure=FAILURE, state="partial")])
    assert cards.actions == ["retry", "switch_model"]


class Painted(QObject):
    """Counts what of a card is painted, moved or resized."""

    def __init__(self, card: ErrorCard) -> None:
        super().__init__(card)
        self._card = card
        self.parts: set[str] = set()
        for part in card.findChildren(QWidget):
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Paint, QEvent.Type.Move, QEvent.Type.Resize):
            self.parts.add(watched.text() if isinstance(watched, QLabel | QPushButton) else "")
        return False


async def test_a_wait_that_the_provider_named_is_counted_and_nothing_else_is_painted(
    cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(cards.cards, "clock", lambda: now)
    cards.cards.failed(TurnFailed("t", TALK[1], LIMITED))
    card = cards.host.card
    assert card is not None
    assert card.content.sentence == "Try again in 8 s."
    card.resize(500, card.heightForWidth(500))
    card.show()
    QApplication.processEvents()
    painted = Painted(card)
    now += 3
    cards.cards.count_down()
    QApplication.processEvents()
    assert (card.content.sentence, cards.cards.second.isActive()) == ("Try again in 5 s.", True)
    assert painted.parts <= {"", "Try again in 5 s."}, "the sentence, and what lies beneath it"
    now += 5
    cards.cards.count_down()
    assert (card.content.sentence, cards.cards.second.isActive()) == ("Try again.", False)
    assert cards.host.card is card, "no other card under the mouse"
    card.hide()


async def test_a_wait_is_counted_only_where_it_is_seen_and_while_it_lasts(
    cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(cards.cards, "clock", lambda: now)
    cards.cards.failed(TurnFailed("t", TALK[1], LIMITED))
    cards.state.chat.put(replace(thread_of(TALK), id="other"), TALK)
    await cards.state.app_state.open_thread("other")
    assert not cards.cards.second.isActive()
    now += 2
    await cards.state.app_state.open_thread("t")
    assert cards.cards.second.isActive()
    assert cards.sentence == "Try again in 6 s."
    await cards.state.app_state.open_thread("other")
    now += 60
    await cards.state.app_state.open_thread("t")
    assert (cards.sentence, cards.cards.second.isActive()) == ("Try again.", False)


async def test_an_answer_that_failed_in_an_earlier_run_names_no_time_that_is_over(cards: Cards) -> None:
    await cards.state.opened([TALK[0], replace(TALK[1], failure=LIMITED, state="partial")])
    assert (cards.sentence, cards.cards.second.isActive()) == ("Try again.", False)


async def test_a_refusal_comes_into_view_unless_it_is_of_no_draft(cards: Cards) -> None:
    refused = SendRefused("t", replace(FAILURE, actions=("retry", "new_thread")), None)
    cards.cards.refused(replace(refused, failure=Failure("interrupted", "")))
    cards.cards.refused(replace(refused, recounted=True))
    assert cards.shown() == "", "neither is an error"
    cards.cards.refused(refused)
    assert (cards.host.latest, cards.actions) == (1, ["retry", "new_thread"])
    cards.host.elsewhere = True
    cards.cards.refused(refused)
    assert (cards.host.latest, cards.actions) == (1, ["retry"]), "the draft has nothing to do with it"
    cards.cards.held_dropped("t")
    assert cards.shown() == ""


async def test_a_connection_that_answers_resolves_only_the_card_that_there_is_none(cards: Cards) -> None:
    nothing = Failure("config", "No connection is set up.", actions=("open_connections",))
    cards.cards.refused(SendRefused("t", nothing, None))
    assert cards.shown() != ""
    cards.cards.answer_found()
    assert cards.shown() == ""
    cards.cards.failed(TurnFailed("t", TALK[1], FAILURE))
    cards.cards.answer_found()
    assert cards.shown() != "", "that one waits for an answer"


async def test_a_stored_answer_resolves_only_the_card_about_storing(cards: Cards) -> None:
    saved = AnswerSaved("t", TALK[1])
    cards.cards.failed(TurnFailed("t", TALK[1], FAILURE))
    cards.cards.answer_saved(saved)
    assert cards.shown() != ""
    cards.cards.failed(TurnFailed("t", TALK[1], STORE))
    cards.cards.answer_saved(saved)
    assert cards.shown() == ""
    cards.cards.act("retry")
    assert cards.host.done == [], "a resolved card does nothing any more"


async def test_another_branch_does_not_end_as_the_one_before(cards: Cards) -> None:
    cards.cards.failed(TurnFailed("t", TALK[1], FAILURE))
    cards.cards.branch_changed(BranchChanged("t", "t0"))
    await cards.state.opened(TALK[:1])
    assert cards.shown() == ""


async def test_a_failure_of_the_history_stands_wherever_nothing_else_does(cards: Cards) -> None:
    cards.cards.show_failure(Failure("store", "The file is gone.", actions=("save_elsewhere",)))
    cards.cards.clear()
    assert cards.shown() != ""
    cards.cards.forget()
    cards.cards.clear()
    assert cards.shown() == ""


async def test_a_spending_cap_before_what_is_no_message_does_that_again(cards: Cards) -> None:
    again: list[bool] = []
    cards.cards.blocked(Failure("config", "Over the cap.", actions=("pass_cap",)), lambda: again.append(True))
    current = cards.cards.current
    assert current is not None
    assert current.again is not None
    current.again()
    assert again == [True]
