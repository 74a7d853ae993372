"""One draft has one number: gauge, card, popover, inspector and commands in other processes say the same (CTX-5)."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import thousands
from desktop_app.ui.conversation.error_cards import ErrorCard
from desktop_app.ui.gauge.plan_facts import facts_of
from desktop_app.ui.i18n.language import grouped
from tests.cli.command import Plimsoll
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.messages_api import HttpError, MessagesApi
from tests.ui.inspector.inspecting import Inspecting
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

MODEL = "claude-sonnet-5-5"
SETTINGS = (
    f'[backend]\ndefault = "anthropic"\n[backends.anthropic]\nmodel = "{MODEL}"\n[models."{MODEL}"]\nwindow = 200000\n'
)
SENTENCE = "The quick brown fox jumps over the lazy dog. "
LONG = SENTENCE * 13_000
"""177,700 estimated tokens: the limit of 180,000 lies within what that may be off."""
COUNT = "/v1/messages/count_tokens"


def tokens_of(text: str) -> int:
    """The server counts more than the limit for `LONG`."""
    return len(text) * 32 // 100


class Everywhere:
    """What each place says of one draft: as it is said, and the tokens that are meant."""

    def __init__(self, window: OpenWindow, plimsoll: Plimsoll) -> None:
        self.window, self.plimsoll = window, plimsoll

    async def totals(self) -> dict[str, int]:
        plan, card = self.window.presenters.gauge.plan, self.window.presenters.error_cards.card
        assert plan is not None
        assert card is not None
        popover = next(fact.value for fact in facts_of(plan, free=False) if fact.name == "Tokens")
        inspecting = Inspecting(self.window)
        await inspecting.open()
        inspector = inspecting.tab.foot.words
        self.window.shortcut("toggle_inspector")
        context = await self.context()
        thread = (await self.window.thread()).id
        asked = await asyncio.to_thread(self.plimsoll, "ask", "--json", "--thread", thread, "-", stdin=LONG.encode())
        assert [line["type"] for line in asked.lines][-2:] == ["context", "error"]
        return {
            "plan": plan.tokens.total,
            "categories": sum(context["tokens"][name] for name in CATEGORIES),
            "card": first_number(card.content.heading),
            "popover": first_number(popover),
            "inspector": first_number(inspector),
            "inspector rows": inspecting.tab.model.total(),
            "context": context["tokens"]["total"],
            "ask context": asked.of("context")[0]["tokens"]["total"],
            "ask error": first_number(asked.of("error")[0]["message"]),
        }

    async def context(self) -> Any:
        thread = (await self.window.thread()).id
        return (await asyncio.to_thread(self.plimsoll, "context", thread, "--json")).json


CATEGORIES = ("system", "tools", "documents", "history", "summary", "draft", "overhead")


def first_number(words: str) -> int:
    found = re.search(r"\d[\d,]+", words)
    assert found is not None, words
    return int(found[0].replace(",", ""))


@asynccontextmanager
async def opened(
    data_dir: Path, api: MessagesApi, settings: str = SETTINGS
) -> AsyncIterator[tuple[OpenWindow, Plimsoll]]:
    """A window that asks a loopback API, and the command over the same data folder."""
    data_dir.mkdir(mode=0o700, exist_ok=True)
    (data_dir / "settings.toml").write_text(settings)
    environ = {"HOME": str(data_dir.parent), "PATH": os.environ["PATH"], "ANTHROPIC_BASE_URL": api.url}
    plimsoll = Plimsoll(
        data_dir,
        {
            "ANTHROPIC_API_KEY": "sk-dummy",
            "ANTHROPIC_BASE_URL": api.url,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        },
    )
    secrets = MemorySecrets(keys={"anthropic": "sk-dummy"})
    async with OpenWindow.opened(data_dir, backend=None, environ=environ, secrets=secrets) as window:
        yield window, plimsoll


async def refused(window: OpenWindow, text: str = LONG) -> ErrorCard:
    window.editor.replace_text(text)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    return card


def shown(window: OpenWindow) -> ContextPlan:
    """The plan that the gauge shows."""
    plan = window.presenters.gauge.plan
    assert plan is not None
    return plan


async def test_after_a_count_everything_says_it_until_the_draft_changes(data_dir: Path, qapp: object) -> None:
    async with MessagesApi(count_text=tokens_of) as api, opened(data_dir, api) as (window, plimsoll):
        card = await refused(window)
        measured = [request.path for request in api.requests if request.path == COUNT]
        assert len(measured) == 1, card.content.heading + str([r.path for r in api.requests])
        assert api.answers == []
        plan = window.presenters.gauge.plan
        assert plan is not None
        counted = api.count_tokens(next(request.body for request in api.requests if request.path == COUNT))
        everywhere = Everywhere(window, plimsoll)
        assert set((await everywhere.totals()).values()) == {counted}
        assert window.gauge.reading.line == f"{thousands(counted)} · limit 180K"
        assert card.content.biggest == f"Largest: your message {thousands(plan.tokens.draft)}"
        assert card.content.sentence == "Counted by Anthropic, not sent to a model. Your draft is still below."
        window.editor.replace_text(LONG + "One more.")
        await window.until(lambda: shown(window).tokens.source == "estimated", "another plan")
        changed, now = shown(window), window.presenters.error_cards.card
        assert changed.counted_by == ""
        assert now is not None
        assert (now.resolved, first_number(now.content.heading)) == (False, changed.tokens.total)
        assert now.content.sentence == "Nothing was sent. Your draft is still below."
        assert api.answers == []


async def test_a_window_that_opens_again_and_a_count_that_can_not_be_had(data_dir: Path, qapp: object) -> None:
    async with MessagesApi(count_text=tokens_of) as api:
        async with opened(data_dir, api) as (window, _):
            await refused(window)
            before = window.presenters.gauge.plan
        async with opened(data_dir, api) as (window, _):
            await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
            after = window.presenters.gauge.plan
            assert before is not None
            assert after is not None
            assert (after.tokens, after.counted_by) == (before.tokens, "Anthropic")
        assert [request.path for request in api.requests].count(COUNT) == 1


async def test_before_a_count_everything_says_the_same_upper_estimate(data_dir: Path, qapp: object) -> None:
    async with MessagesApi(count_text=tokens_of) as api, opened(data_dir, api) as (window, plimsoll):
        for _ in range(4):
            api.script(HttpError(500), path=COUNT)
        card = await refused(window)
        plan = window.presenters.gauge.plan
        assert plan is not None
        assert plan.tokens.source == "estimated"
        totals = await Everywhere(window, plimsoll).totals()
        assert set(totals.values()) == {plan.tokens.upper}, totals
        assert window.gauge.reading.line == f"{thousands(plan.tokens.upper)} · limit 180K"
        assert card.content.biggest == f"Largest: your message {thousands(plan.tokens.draft)}"
        assert card.content.sentence == "Nothing was sent. Your draft is still below."
        assert plan.tokens.total == sum(getattr(plan.tokens, name) for name in CATEGORIES)
        assert grouped(plan.tokens.total) in card.content.heading


async def test_what_only_may_be_too_long_goes_by_a_button(data_dir: Path, qapp: object) -> None:
    settings = f"{SETTINGS}[context]\nask_provider_to_count = false\n"
    async with MessagesApi() as api, opened(data_dir, api, settings) as (window, _):
        card = await refused(window)
        button = card.button("send_anyway")
        assert button is not None
        assert button.text() == "Send anyway"
        assert [request for request in api.requests if request.method == "POST"] == []
        expected = shown(window).tokens.expected
        button.click()
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the end of the answer")
        (sent,) = api.answers
        assert sent.body["max_tokens"] == 200_000 - expected
        assert window.presenters.error_cards.card is None
        assert api.violations == []


def half_of_that(text: str) -> int:
    """The server counts fewer than the estimate says."""
    return len(text) // 8


async def test_what_only_a_count_leaves_out_is_shown_before_it_is_sent(data_dir: Path, qapp: object) -> None:
    """The gauge says `refused`: Enter asks for a count, the gauge says what that leaves out, another Enter sends."""
    async with MessagesApi(count_text=half_of_that) as api, opened(data_dir, api) as (window, _):
        for number in range(2):
            window.editor.replace_text(f"{number} {SENTENCE * 4_000}")
            window.press(Qt.Key.Key_Return)
            await window.until(window.composer.is_empty, "the question in the history")
            await window.until(lambda: not window.composer.streaming, "the answer")
            await window.settled()
        sent = len(api.answers)
        window.editor.replace_text(SENTENCE * 17_000)
        await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: [r for r in api.requests if r.path == COUNT], "the count")
        await window.until(lambda: shown(window).tokens.source == "measured" or len(api.answers) > sent, "the end")
        await window.settled()
        assert len(api.answers) == sent, "sent without a word"
        announced = shown(window)
        counted = api.count_tokens(next(request.body for request in api.requests if request.path == COUNT))
        assert (announced.decision, announced.tokens.total) == ("trim", counted)
        assert window.gauge.reading.line == f"Sending leaves out {announced.placement.newly_left_out} older messages"
        toast = window.window.toast
        await window.until(lambda: toast.words, "why it waits")
        assert toast.words == (
            f"Sending leaves out {announced.placement.newly_left_out} older messages: send again to go on. "
            "Counted by Anthropic, not sent to a model; the draft is kept."
        )
        assert window.presenters.error_cards.card is None
        assert window.editor.hasFocus()
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the answer")
        assert len(api.answers) == sent + 1
        path = (await window.opened_thread()).path
        assert path[-2].window is not None
        assert path[-2].window.first_kept == announced.placement.boundary.first_kept
        assert [request.path for request in api.requests].count(COUNT) == 1
