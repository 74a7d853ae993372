"""The caching benchmark: that its yardsticks measure, and what a short conversation can already show."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.benchmarks.bench_caching import Setting, run
from tests.benchmarks.cache_costs import IdealClient, Said, SlidingClient, billed
from tests.benchmarks.cache_figures import Row, cache_rows, cost_rows, count_rows
from tests.benchmarks.plain_talk import ANSWER_TOKENS, USER_TOKENS, plain_talk
from tests.servers.prompt_cache import Billing, CacheBlock, HandClock
from tests.servers.tokens import by_pieces

MODEL = "claude-sonnet-5"


def test_an_ideal_client_writes_each_block_once_whatever_stood_before_it() -> None:
    client, blocks = IdealClient(), [CacheBlock(name, 1000) for name in (b"a", b"b", b"c")]
    assert client.send(blocks[:2]) == Billing(0, 0, 2000)
    assert client.send([blocks[0], blocks[2], blocks[1]]) == Billing(0, 2000, 1000)


def test_a_window_that_slides_rewrites_its_context_once_it_is_full() -> None:
    client = SlidingClient(MODEL, HandClock(), limit=10_000, fixed=1_000)
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


async def test_a_short_conversation_loses_nothing_of_the_cache_between_its_steps() -> None:
    turns = await run(Setting("anthropic", MODEL, turns=45, soft_limit=15_000))
    assert sum(turn.trimmed for turn in turns) >= 2
    for before, turn in pairwise(turns):
        if not turn.trimmed:
            # all of the request before, its question included
            assert turn.ours.read == (before.ours.total if before.ours.written or before.ours.read else 0)
        assert turn.ours.total <= 15_500
    assert all(turn.ideal.total == turn.ours.total for turn in turns)
    rows = [*cache_rows(turns), *cost_rows(turns, 0.1), *count_rows(turns)]
    assert _row(rows, "unexpected misses").met
    assert _row(rows, "cached_tokens foreseen - read, between steps").value == "+0 / +0 tokens"
    assert _row(rows, "count error at a step, largest").met


@pytest.mark.slow
async def test_four_hundred_turns_meet_every_target() -> None:
    turns = await run(Setting("anthropic", MODEL, turns=400))
    rows = [*cache_rows(turns), *cost_rows(turns, 0.1), *count_rows(turns)]
    assert [f"{row.name}: {row.value}" for row in rows if row.met is False] == []


def _row(rows: list[Row], name: str) -> Row:
    return next(row for row in rows if row.name == name)
