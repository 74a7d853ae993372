"""What a further turn of a long thread costs, counted in calls and not in seconds (PRODUCT.md CTX-12)."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from desktop_app.core.context.context_choices import ContextChoices, SecretChoices
from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_counting import BY_CLASSES, TextCounter
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, Message, Part, Role, TextPart
from desktop_app.core.model_catalog import find_model
from desktop_app.core.redaction import REDACTED, keyed_hash
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


BLOCK = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA4q3mVh7fMIIEpAIBAAKCAQEA4q3mVh7f\n" * 30
    + "-----END RSA PRIVATE KEY-----"
)
TOKEN = "ghp_" + "a1B2" * 9


def counted_with(counter: TextCounter, secret: str, *, sent: frozenset[str] = frozenset()) -> tuple[int, ...]:
    """Tokens of a request by category, in which every text that can hold a secret does."""

    def said(role: Role, name: str, *parts: Part) -> Message:
        return Message(name, "t", None, role, parts, "2026-11-01T00:00:00.000Z")

    path = (said("user", "q", TextPart(f"My key:\n{secret}\nFine?")), said("assistant", "a", TextPart(f"No: {secret}")))
    recipient = Recipient(
        backend="anthropic",
        model=MODEL,
        overhead=Overhead(cache_marks=4),
        estimator=TokenEstimator.seeded(MODEL.tokenizer),
        cache=CacheClock(),
        free=False,
        counter=counter,
    )
    choices = ContextChoices(secrets=SecretChoices(sent=sent))
    contents = ThreadContents(path=path, system=f"Use {secret} everywhere.", choices=choices)
    made = prepare_context(recipient, contents, ThreadLimits(settings=ContextSettings()))
    plan = made.plan((TextPart(f"Once more: {secret}"), DocumentPart(".env", f"KEY={secret}\n", "0" * 64)))
    tokens = plan.tokens
    return tokens.system, tokens.history, tokens.documents, tokens.draft


@pytest.mark.parametrize("secret", [BLOCK, TOKEN])
def test_a_secret_that_will_be_taken_out_costs_what_stands_in_its_place(secret: str) -> None:
    masked = counted_with(TextCounter(scan=SecretScan()), secret)
    assert masked == counted_with(BY_CLASSES, REDACTED)
    whole = counted_with(BY_CLASSES, secret)
    assert all(less < more for less, more in zip(masked, whole, strict=True))
    assert counted_with(TextCounter(scan=SecretScan()), secret, sent=frozenset({keyed_hash(secret, "x")})) == whole


def test_a_secret_that_is_typed_is_counted_as_one_from_its_last_sign_on() -> None:
    for secret in (TOKEN, BLOCK, "AKIA" + "Q7R2" * 4 + "\n" + "a1B2/" * 8):
        count, scan = TextCounter(scan=SecretScan()).draft(), SecretScan()
        text = "some words before "
        for sign in f"{secret} and some after":
            text += sign
            assert count(text) == features(scan.masked_text(text, SecretChoices()))
        assert count("some words") == features("some words")


def test_a_key_press_looks_for_secrets_only_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def find(text: str) -> tuple[()]:
        read.append(len(text))
        return ()

    text = "A line of words like any other, and then one more.\n" * 2_000
    count = TextCounter(scan=SecretScan()).draft()
    count(text)
    monkeypatch.setattr("desktop_app.core.context.request_secrets.found_secrets", find)
    place = len(text) // 2
    count(text[:place] + "x" + text[place:])
    assert sum(read) < 1_000
