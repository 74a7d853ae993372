"""What a further turn of a long thread costs, counted in calls and not in seconds (PRODUCT.md CTX-12)."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Message, Role, TextPart
from desktop_app.core.model_catalog import find_model
from desktop_app.core.settings import ContextSettings

MODEL = find_model("anthropic", "claude-sonnet-4-5")
LONG, SHORT = 4_000, 2_000
FEW = 100
"""Calls of one function that a turn may cost at any length of the thread."""


def thread_of(count: int) -> list[Message]:
    messages: list[Message] = []
    for at in range(count):
        role: Role = "assistant" if at % 2 else "user"
        parent = messages[-1].id if messages else None
        stamp = f"2026-11-01T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000Z"
        messages.append(Message(f"m{at}", "t", parent, role, (TextPart(f"{at}. some words"),), stamp))
    return messages


def prepared(path: list[Message], estimator: TokenEstimator, previous: Preparation | None = None) -> Preparation:
    # a limit of the thread's own: nothing is asked at the first crossing, for which all would be built
    return prepare_context(
        Recipient(
            backend="anthropic",
            model=MODEL,
            overhead=Overhead(cache_marks=4),
            estimator=estimator,
            cache=CacheClock(),
            free=False,
        ),
        ThreadContents(path=path),
        ThreadLimits(settings=ContextSettings(), soft_limit=10_000),
        previous=previous,
    )


def calls_of(work: Callable[[], object]) -> Counter[str]:
    """How often each function of the app was called; a generator's steps are none."""
    calls: Counter[str] = Counter()

    def heard(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "desktop_app" in frame.f_code.co_filename and not frame.f_code.co_name.startswith("<"):
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(heard)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def next_turn(count: int) -> Counter[str]:
    """The calls for the plan of a question behind one more turn, by an estimator that has learned from it."""
    messages = thread_of(count)
    first = TokenEstimator.seeded(MODEL.tokenizer)
    before = prepared(messages, first)
    before.plan((TextPart("and now?"),))
    asked = Message("asked", "t", messages[-1].id, "user", (TextPart("and now?"),), "2026-11-02T00:00:00.000Z")
    answer = Message("answer", "t", "asked", "assistant", (TextPart("That."),), "2026-11-02T00:00:01.000Z")
    learned = first.observe(plus(features("and now?"), CONSTANT), 12)
    return calls_of(lambda: prepared([*messages, asked, answer], learned, before).plan((TextPart("And then?"),)))


def test_the_next_turn_of_a_long_thread_calls_nothing_for_each_earlier_message() -> None:
    often = {name: times for name, times in next_turn(LONG).items() if times > FEW}
    # what is in the request is merged anew: at most as much as the limit lets in
    assert not set(often) - {"PathView._pieces"}, often
    assert often.get("PathView._pieces", 0) < LONG


@pytest.mark.parametrize(
    "name", ["count_message", "features", "opens_turn", "may_hold_blocks", "PlacedMessage.__init__"]
)
def test_what_was_read_of_a_thread_is_not_read_again(name: str) -> None:
    assert next_turn(LONG)[name] == next_turn(SHORT)[name]


def test_what_was_prepared_of_a_thread_ends_with_its_last_use() -> None:
    """Without waiting for a search for cycles: threads may be switched for hours with no quiet moment for one."""
    path = thread_of(40)
    estimator = TokenEstimator.seeded(MODEL.tokenizer)
    gc.collect()
    gc.disable()
    try:
        made = prepared(path, estimator)
        made.plan((TextPart("a question"),))
        del made
        assert gc.collect() == 0
    finally:
        gc.enable()
