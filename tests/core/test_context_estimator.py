"""Features, seeds and the update rule of the token estimator."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import CONSTANT, NAMES, DraftCounter, features, plus
from desktop_app.core.context.plan import TokenWeights
from desktop_app.core.context.seeds import SEED_WEIGHTS

TEXT = st.text(alphabet="abZ  \t\n,.12_é中あ한Жش😀्\u200b\ud800", max_size=40)
KINDS = {
    "english": "The window shows what the model will read, and what it costs to send. " * 20,
    "code": "def total(self) -> int:\n    return self.a + self.b[0] * 17\n" * 20,
    "json": '{"id": 17, "name": "item 4", "tags": ["a", "b"]},\n' * 20,
    "russian": "Окно показывает, что прочитает модель. " * 20,
    "chinese": "窗口显示模型将读到什么内容。" * 20,
    "emoji": "😀🎉🚀" * 40,
    "thai": "วันนี้เราจะมาพูดถึง" * 20,
}
# characters per token of Claude's 2023 tokenizer, as published measurements give them
MEASURED_2023 = {"english": 4.70, "russian": 1.91, "chinese": 1.01, "emoji": 0.46}


def by_regex(text: str) -> dict[str, int]:
    """The same counts the slow way."""
    patterns = {
        "letters": "[A-Za-z]",
        "letter_runs": "[A-Za-z]+",
        "digits": "[0-9]",
        "space_runs": "[ \t]{2,}",
        "newlines": "\n",
        "han": "[\u4e00-\u9fff]",
        "kana": "[\u3040-\u30ff]",
        "hangul": "[\uac00-\ud7af]",
        "cyrillic_greek_hebrew_arabic": "[\u0400-\u04ff\u0370-\u03ff\u0590-\u06ff]",
        "latin_extended": "[\u00c0-\u024f]",
        "emoji": "[\U0001f000-\U0001faff\u2600-\u27bf]",
    }
    return {name: len(re.findall(pattern, text)) for name, pattern in patterns.items()}


@given(TEXT)
def test_features_equal_their_regular_expressions(text: str) -> None:
    counted = dict(zip(NAMES, features(text), strict=True))
    assert {name: counted[name] for name in by_regex(text)} == by_regex(text)


@pytest.mark.parametrize("character", ["_", "!", "é", "中", "ๆ", "א", "😀", "𐍈", "\u200b", "“", "\ue000"])
def test_every_visible_character_counts_something(character: str) -> None:
    assert sum(features(character)) > 0


def test_other_scripts_count_by_their_bytes() -> None:
    assert features("ไทย")[NAMES.index("other_bytes")] == 9


@settings(max_examples=300)
@given(st.lists(TEXT, max_size=8))
def test_the_draft_counter_agrees_with_counting_anew(texts: list[str]) -> None:
    counter = DraftCounter()
    for text in texts:
        assert counter.count(text) == features(text)


@pytest.mark.parametrize("kind", list(MEASURED_2023))
def test_the_seed_is_near_the_published_measurements(kind: str) -> None:
    text = KINDS[kind]
    estimate = TokenEstimator.seeded("claude-2023").estimate(text).tokens
    assert len(text) / estimate == pytest.approx(MEASURED_2023[kind], rel=0.25)


@pytest.mark.parametrize("family", list(SEED_WEIGHTS))
@pytest.mark.parametrize("kind", list(KINDS))
def test_two_sigma_are_at_most_a_fifth_before_calibration(family: str, kind: str) -> None:
    estimate = TokenEstimator.seeded(family).estimate(KINDS[kind])  # type: ignore[arg-type]
    assert 0 < 2 * estimate.sigma <= 0.2 * estimate.tokens + 1


OBSERVATIONS = st.lists(st.tuples(st.sampled_from(list(KINDS)), st.floats(0.2, 12.0)), max_size=12)


@given(OBSERVATIONS)
def test_weights_stay_positive_and_finite_and_no_observation_moves_anything_far(
    observations: list[tuple[str, float]],
) -> None:
    estimator = TokenEstimator.seeded("claude-2026")
    for kind, factor in observations:
        counted = plus(features(KINDS[kind]), CONSTANT)
        after = estimator.observe(counted, estimator.tokens(counted) * factor)
        assert all(math.isfinite(weight) and weight > 0 for weight in after.vector)
        for text in KINDS.values():
            before = estimator.tokens(features(text))
            assert abs(after.tokens(features(text)) - before) < 0.15 * before
        estimator = after


@pytest.mark.parametrize("kind", list(KINDS))
def test_it_learns_a_tokenizer_half_as_dense_again(kind: str) -> None:
    estimator = TokenEstimator.seeded("claude-2023")
    counted = plus(features(KINDS[kind]), CONSTANT)
    true = estimator.tokens(counted) * 1.5
    for _ in range(10):
        estimator = estimator.observe(counted, true)
    assert estimator.tokens(counted) == pytest.approx(true, rel=0.05)
    assert estimator.sigma(counted) < 0.05 * true


def test_one_outlier_after_calibration_hardly_moves_it() -> None:
    estimator = TokenEstimator.seeded("claude-2023")
    counted = plus(features(KINDS["english"]), CONSTANT)
    true = estimator.tokens(counted) * 1.2
    for _ in range(12):
        estimator = estimator.observe(counted, true)
    assert estimator.observe(counted, true * 10).tokens(counted) == pytest.approx(true, rel=0.03)


def test_the_state_is_stored_and_read_back() -> None:
    learned = TokenEstimator.seeded("o200k").observe(features(KINDS["code"]), 700)
    assert TokenEstimator.from_weights(learned.weights(), "o200k") == learned
    assert learned.observations == 1


@pytest.mark.parametrize(
    "damaged", [None, TokenWeights(), TokenWeights((1.0,) * 13), TokenWeights((math.nan,) * 14, ((0.0,) * 14,) * 14)]
)
def test_a_damaged_state_is_replaced_by_the_seed(damaged: TokenWeights | None) -> None:
    assert TokenEstimator.from_weights(damaged, "smollm") == TokenEstimator.seeded("smollm")


@pytest.mark.parametrize("tokens", [0, -5, math.nan, math.inf])
def test_senseless_observations_change_nothing(tokens: float) -> None:
    estimator = TokenEstimator.seeded("unknown")
    assert estimator.observe(features("abc"), tokens) is estimator
