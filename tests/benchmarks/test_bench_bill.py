"""The books of the billing benchmark, and a small run of it: what is offered is billed, whatever was done before."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.model_catalog import TokenizerFamily
from tests.benchmarks import bench_bill
from tests.benchmarks.bench_bill import PROGRAM, Report, program_file, run
from tests.benchmarks.bill_books import Line, by_family, image_size, png
from tests.benchmarks.plain_talk import plain_talk
from tests.servers.prompt_cache import Billing
from tests.servers.tokens import by_pieces


def test_a_line_is_priced_by_the_model_that_answered() -> None:
    line = Line("anthropic", "claude-sonnet-4-5", "claude-sonnet-4-5", Billing(1_000, 2_000, 300, 40), 50)
    assert line.input_usd == pytest.approx((1_000 * 3 + 2_000 * 0.3 + 300 * 3.75 + 40 * 6) / 1e6)
    assert line.usd == pytest.approx(line.input_usd + 50 * 15 / 1e6)
    assert replace(line, model="claude-haiku-4-5").usd == pytest.approx(line.usd / 3)
    assert replace(line, free=True).usd == 0


def test_images_are_counted_by_their_own_header() -> None:
    assert image_size(png(640, 480)) == (640, 480)


@pytest.mark.parametrize("family", ["claude-2023", "claude-2026", "o200k"])
def test_the_books_count_prose_nearly_as_the_familys_own_tokenizer_does(family: TokenizerFamily) -> None:
    text = "\n".join(one.answer for one in plain_talk(20, by_pieces))
    assert by_family(family, text) == pytest.approx(TokenEstimator.seeded(family).tokens(features(text)), rel=0.1)


@pytest.fixture(scope="module")
def small() -> Report:
    return asyncio.run(run(40, 11))


def test_forty_random_acts_are_billed_as_offered(small: Report) -> None:
    assert small.acts.total() == 40
    assert len(small.entries) >= 35
    assert small.misses == []
    assert small.held, [str(one) for one in small.miscounted]
    assert len(list(small.rows())) == len({one.kind for one in small.entries}) + 3


@pytest.mark.slow
def test_acts_through_the_real_program_are_billed_as_offered() -> None:
    if program_file() is None:
        pytest.skip("claude_agent_sdk is not installed")
    report = asyncio.run(run(8, 1, recipients=PROGRAM))
    assert report.misses == []
    assert report.held, [str(one) for one in report.miscounted]


def test_a_wrong_price_is_found(small: Report) -> None:
    entry = next(one for one in small.entries if one.line.input_usd and not one.plan.price.at_most)
    dearer = replace(entry.line, billing=replace(entry.line.billing, fresh=entry.line.billing.fresh + 20_000))
    assert not entry.mispriced
    assert replace(entry, line=dearer).mispriced
    assert bench_bill.Report([entry], ["one"]).held is False
