"""The caching benchmark: that its yardsticks measure, and what a short conversation can already show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from desktop_app.core.messages import DocumentPart, Part, TextPart
from tests.benchmarks.bench_caching import Setting, rows_of, run
from tests.benchmarks.cache_costs import IdealClient, Said, SlidingClient, billed, with_marks
from tests.benchmarks.cache_figures import Row, TurnFigures
from tests.benchmarks.plain_talk import ANSWER_TOKENS, USER_TOKENS, plain_talk
from tests.benchmarks.talks import OTHER_MODEL, Talk, plain, with_a_switch, with_documents, with_gaps
from tests.servers.prompt_cache import Billing, CacheBlock, HandClock
from tests.servers.tokens import by_pieces


def test_an_ideal_client_writes_each_block_once_whatever_stood_before_it() -> None:
    client, blocks = IdealClient(), [CacheBlock(name, 1000) for name in (b"a", b"b", b"c")]
    assert client.send(blocks[:2]) == Billing(0, 0, 2000)
    assert client.send([blocks[0], blocks[2], blocks[1]]) == Billing(0, 2000, 1000)
    assert client.send(blocks, "another model") == Billing(0, 0, 3000)


def test_a_window_that_slides_rewrites_its_context_once_it_is_full() -> None:
    client = SlidingClient("claude-sonnet-5", HandClock(), limit=10_000, fixed=1_000)
    said = [Said(str(index), 1_000) for index in range(21)]
    bills = [client.send(said[: index + 1]) for index in range(0, 21, 2)]
    assert [bill.total for bill in bills] == [2_000, 4_000, 6_000, 8_000, 10_000, *[9_000] * 6]
    assert [bill.read for bill in bills[1:5]] == [2_000, 4_000, 6_000, 8_000]
    assert {bill.read for bill in bills[5:]} == {2_000}


def test_prices() -> None:
    assert billed(Billing(100, 1000, 10, 1), 0.1) == pytest.approx(100 + 100 + 12.5 + 2)


def test_talk_is_the_same_each_time_and_as_long_as_asked_for() -> None:
    talk = plain_talk(50, by_pieces)
    assert talk == plain_talk(50, by_pieces)
    assert talk != plain_talk(50, by_pieces, seed=21)
    for texts, wanted in (([one.user for one in talk], USER_TOKENS), ([one.answer for one in talk], ANSWER_TOKENS)):
        assert sum(map(by_pieces, texts)) / 50 == pytest.approx(wanted, rel=0.005)


def test_a_client_with_one_lifetime_marks_the_same_places() -> None:
    blocks = [CacheBlock(b"a", 1, "5m"), CacheBlock(b"b", 1), CacheBlock(b"c", 1, "1h")]
    assert [block.mark for block in with_marks(blocks, "1h")] == ["1h", None, "1h"]


async def test_a_short_conversation_loses_nothing_of_the_cache_between_its_steps() -> None:
    setting = Setting("anthropic", Talk(plain(30).asks, soft_limit=12_000))
    turns = await run(setting)
    assert sum(turn.trimmed for turn in turns) >= 2
    for before, turn in pairwise(turns):
        if not turn.trimmed:
            # all of the request before, its question included
            assert turn.ours.read == (before.ours.total if before.ours.written or before.ours.read else 0)
        assert turn.ours.total <= 12_500
    assert all(turn.ideal.total == turn.ours.total for turn in turns)
    rows = list(rows_of(setting, turns))
    assert _row(rows, "unexpected misses").met
    assert _row(rows, "cached_tokens foreseen - read, between steps").value == "+0 / +0 tokens"
    assert _row(rows, "count error at a step, largest").met


@pytest.mark.slow
async def test_gaps_are_met_by_marks_for_an_hour_and_by_steps_while_the_cache_is_cold() -> None:
    turns = await run(Setting("anthropic", with_gaps(100)))
    assert any(turn.cold for turn in turns)
    for turn in turns:
        if turn.cold:
            assert turn.ours.read == 0
            assert turn.trimmed or turn.ours.total <= 42_500, "0.85 of the soft limit"
        elif turn.ours.read == 0:
            assert turn.trimmed or turn in turns[:2], "nothing else is lost, once there is enough to cache"
    assert sum(bool(turn.ours.written_1h) for turn in turns) > 50
    ours, short = (sum(billed(bill, 0.1) for bill in bills) for bills in _bills(turns))
    assert ours < 0.85 * short


@pytest.mark.slow
async def test_a_document_is_a_reference_until_the_step_that_leaves_it_out() -> None:
    setting = Setting("anthropic", with_documents(60))
    turns = await run(setting)
    forms = [_documents(turn.plan.request.pending.blocks) for turn in turns if turn.plan.request.pending is not None]
    assert [form for form in forms if form] == [["whole"], ["whole"], ["reference"], ["whole"]]
    assert _row(list(rows_of(setting, turns)), "unexpected misses").met, "the reference rewrites nothing"


@pytest.mark.slow
async def test_a_switch_writes_the_context_once_for_the_new_model() -> None:
    turns = await run(Setting("anthropic", with_a_switch(30)))
    first = next(at for at, turn in enumerate(turns) if turn.plan.model.id == OTHER_MODEL)
    assert (turns[first].ours.read, turns[first].plan.price.cached_tokens) == (0, 0)
    assert turns[first + 1].ours.read == turns[first + 1].plan.price.cached_tokens == turns[first].ours.total
    assert turns[first + 1].count_error < 0.02, "what the new model counted is known from then on"


@pytest.mark.slow
async def test_four_hundred_turns_meet_every_target() -> None:
    setting = Setting("anthropic", plain(400))
    rows = list(rows_of(setting, await run(setting)))
    assert sum(row.met is not None for row in rows) >= 9, "judged"
    assert [f"{row.name}: {row.value}" for row in rows if row.met is False] == []


def _bills(turns: list[TurnFigures]) -> tuple[list[Billing], list[Billing]]:
    return [turn.ours for turn in turns], [turn.short for turn in turns]


def _documents(blocks: Sequence[Part]) -> list[str]:
    return [
        "whole" if isinstance(block, DocumentPart) else "reference"
        for block in blocks
        if isinstance(block, DocumentPart)
        or (isinstance(block, TextPart) and block.text.startswith("[Document attached above: "))
    ]


def _row(rows: list[Row], name: str) -> Row:
    return next(row for row in rows if row.name == name)
