"""What became of the cache in the turns of a path, from the provider's own counts."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.costs import past_turns
from desktop_app.core.messages import BoundaryState, Message, Usage
from desktop_app.core.model_catalog import ModelInfo, find_model
from tests.core.paths import message

OPUS = find_model("anthropic", "claude-opus-4-5")


def path_of(*usages: Usage | None, models: tuple[str, ...] = ()) -> tuple[Message, ...]:
    path: list[Message] = []
    for number, usage in enumerate(usages):
        path.append(message(2 * number, "user", f"question {number}"))
        answer = replace(
            message(2 * number + 1, "assistant", "answer"),
            backend="anthropic",
            model=models[number] if models else OPUS.id,
            usage=usage,
        )
        path.append(answer)
    return tuple(path)


def fates(*usages: Usage | None, models: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    return [(turn.cache, turn.rewritten) for turn in past_turns(path_of(*usages, models=models))]


def test_a_cache_is_written_kept_and_rewritten() -> None:
    assert fates(
        Usage(input=3, cache_write=10_000),
        Usage(input=3, cache_read=10_000, cache_write=2_000),
        Usage(input=3, cache_read=1_000, cache_write=8_000),
        None,
        Usage(input=9_900),
    ) == [("written", 0), ("kept", 0), ("rewritten", 8_003), ("unknown", 0), ("rewritten", 9_000)]
    assert fates(Usage(input=5), Usage(input=6)) == [("none", 0), ("none", 0)]


def test_what_a_step_left_out_was_not_paid_for_again() -> None:
    """Showed 78,000 tokens, $0.35, as paid for again."""
    path = list(path_of(Usage(cache_write=40_000), Usage(cache_read=1_000, cache_write=79_000), Usage()))
    path[4] = message(4, "user", "x" * 400_000, window=BoundaryState(path[4].id, 1, "tokens"))
    path[5] = replace(path[5], usage=Usage(cache_read=1_000, cache_write=118_000))
    assert [(turn.cache, turn.rewritten) for turn in past_turns(path)][2] == ("kept", 0)
    path[4] = replace(path[4], window=BoundaryState(path[2].id, 1, "tokens"))
    path[2] = message(2, "user", "y" * 400_000)
    (*_, last) = past_turns(path)
    assert last.cache == "rewritten", "what was kept moved up, and was written again"
    assert 58_000 < last.rewritten < 59_000


def test_each_model_has_a_cache_of_its_own() -> None:
    first, second = Usage(cache_write=10_000), Usage(cache_write=12_000)
    assert fates(first, second, models=("a", "b")) == [("written", 0), ("written", 0)]
    assert fates(first, second, models=("a", "a"))[1] == ("rewritten", 10_000)


def test_what_it_cost_is_the_difference_between_writing_and_reading() -> None:
    assert OPUS.prices is not None
    usages = (Usage(cache_write=100_000), Usage(cache_write=100_000))
    turns = past_turns(path_of(*usages), lambda backend, model: OPUS)
    expected = 0.1 * (OPUS.prices.cache_write_5m - OPUS.prices.cache_read)
    assert turns[1].extra_usd is not None
    assert abs(turns[1].extra_usd - expected) < 1e-9
    assert turns[0].extra_usd is None
    assert past_turns(path_of(*usages), lambda backend, model: None)[1].extra_usd is None


def test_imported_answers_are_no_turns_and_questions_are_told() -> None:
    path = (message(0, "user", "imported"), message(1, "assistant", "never sent from here"), *path_of(None))
    turns = past_turns(path)
    assert [(turn.number, turn.question) for turn in turns] == [(1, "question 0")]


USAGES = st.builds(
    Usage, input=st.integers(0, 10**6), cache_read=st.integers(0, 10**6), cache_write=st.integers(0, 10**6)
)


@given(st.lists(st.none() | USAGES, max_size=8))
def test_never_more_is_rewritten_than_the_request_holds(usages: list[Usage | None]) -> None:
    def model(backend: str, name: str) -> ModelInfo:
        return OPUS

    for turn in past_turns(path_of(*usages), model):
        prompt = turn.answer.usage.prompt if turn.answer.usage is not None else 0
        assert 0 <= turn.rewritten <= prompt
        assert (turn.rewritten > 0) == (turn.cache == "rewritten")
        assert turn.extra_usd is None or turn.extra_usd >= 0
