"""Facts of a path that grows are those of the same path read afresh, and cost what is new."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.messages import BoundaryState, Message, TextPart, Usage
from desktop_app.ui.state.app_state import PathFacts, PathFactsMemory
from tests.core.paths import talk
from tests.counted_calls import CountedCalls


@st.composite
def messages(draw: st.DrawFn, index: int = 0) -> Message:
    """A message of any role, perhaps with a model, a moved boundary, nothing in it."""
    return Message(
        f"m{index}.{draw(st.integers(0, 2))}",
        "t",
        None,
        draw(st.sampled_from(("user", "assistant"))),
        draw(st.sampled_from(((), (TextPart("words"),)))),
        "now",
        model=draw(st.sampled_from((None, "small", "large"))),
        usage=draw(st.sampled_from((None, Usage(), Usage(asked="other")))),
        window=draw(st.sampled_from((None, BoundaryState("m0", 1)))),
    )


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Message, ...]]:
    """Paths of one window one after another: each grows, ends otherwise, goes back, or is another altogether."""
    path: tuple[Message, ...] = ()
    paths = []
    for _ in range(draw(st.integers(1, 12))):
        keep = draw(st.integers(max(0, len(path) - 2), len(path)) | st.integers(0, len(path)))
        more = draw(st.integers(0, 3))
        path = (*path[:keep], *(draw(messages(index)) for index in range(keep, keep + more)))
        paths.append(path)
    return paths


def told(facts: PathFacts) -> tuple[object, ...]:
    return facts.path, facts.places, facts.steps, facts.model_changes, facts.first_answers


@given(histories())
def test_a_path_that_grows_has_the_facts_of_one_that_is_read_afresh(paths: list[tuple[Message, ...]]) -> None:
    memory = PathFactsMemory()
    for path in paths:
        assert told(memory.of(path)) == told(PathFactsMemory().of(path))


def test_what_is_new_is_all_that_is_looked_at() -> None:
    path = talk(*(f"message {number}" for number in range(5_000)))
    memory = PathFactsMemory()
    memory.of(path)
    memory.of(path[:40])  # a branch, or another thread
    asked = replace(path[0], id="asked")
    with CountedCalls() as work:
        memory.of((*path, asked))
        memory.of((*path, replace(asked, state="partial")))
    assert work.calls < 100
