from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.messages import Failure, TextPart, Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import REDACTED, Redaction, StreamRedaction
from desktop_app.core.stream_events import (
    Accumulator,
    Ended,
    Failed,
    Notice,
    PartFinished,
    SignOfLife,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)

KEY = "gw_7f3a9c1e55b2"
PASSWORD = "hunter2"


def played(redaction: Redaction, events: list[StreamEvent]) -> list[StreamEvent]:
    stream = StreamRedaction(redaction)
    return [one for event in events for one in stream.events(event)] + list(stream.rest())


def test_a_known_key_of_any_form_leaves_errors() -> None:
    redaction = Redaction([KEY])
    redaction.add_address(f"https://bot:{PASSWORD}@gw.example/v1?api_key=q%2Bw%2Fe1r2t3&region=eu")
    text = (
        f"bad key {KEY}; url https://bot:{PASSWORD}@gw.example/?api_key=q%2Bw%2Fe1r2t3 q+w/e1r2t3 sk-abcdef region=eu"
    )
    clean = redaction.of_error(text)
    for secret in (KEY, PASSWORD, "q%2Bw", "q+w/e1r2t3", "sk-abcdef"):
        assert secret not in clean
    assert "gw.example" in clean
    assert "region=eu" in clean


def test_an_unknown_password_in_an_address_leaves_errors_too() -> None:
    assert Redaction().of_error("GET https://me:pw@host/x failed") == f"GET https://{REDACTED}@host/x failed"


def test_short_secrets_stay_words_of_an_answer() -> None:
    redaction = Redaction(["ollama", "no"])
    assert redaction.of_answer("ollama runs it") == "ollama runs it"
    assert redaction.of_error("ollama refused: no") == f"{REDACTED} refused: no"


def test_what_holds_no_secret_keeps_its_phrase() -> None:
    failure = Failure("auth", phrase("{host} does not accept this key.", host="x"), "401")
    assert Redaction([KEY]).of_failure(failure) is failure
    cleaned = Redaction([KEY]).of_failure(Failure("auth", failure.message, f"401 {KEY}"))
    assert cleaned.message is failure.message
    assert cleaned.detail == f"401 {REDACTED}"


def test_every_kind_of_event_is_cleaned() -> None:
    events = played(
        Redaction([KEY]),
        [
            Notice("retry", f"again with {KEY}"),
            Notice("retry", "again", f"HTTP 429: {KEY}"),
            UsageReported(Usage(), f"model-{KEY}"),
            PartFinished(TextPart(f"your key is {KEY}")),
            Ended(KEY),
            Failed(Failure("backend", f"no {KEY}", KEY)),
        ],
    )
    assert KEY not in repr(events)
    assert len(events) == 6


@given(
    before=st.text(max_size=20),
    after=st.text(max_size=20),
    cuts=st.lists(st.integers(0, 60), max_size=8),
    thinking=st.booleans(),
)
def test_a_secret_in_pieces_never_passes_and_nothing_else_is_lost(
    before: str, after: str, cuts: list[int], thinking: bool
) -> None:
    text = before + KEY + after + KEY[:7]
    kind = ThinkingDelta if thinking else TextDelta
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[one:two] for one, two in itertools.pairwise(edges)]
    came = Accumulator()
    for event in played(Redaction([KEY]), [kind(piece) for piece in pieces]):
        came.add(event)
        assert KEY not in "".join(getattr(part, "text", "") for part in came.parts)
    shown = "".join(getattr(part, "text", "") for part in came.parts)
    assert shown == (before + KEY + after).replace(KEY, REDACTED) + KEY[:7]


def test_a_sign_of_life_lets_no_half_of_a_secret_pass() -> None:
    events: list[StreamEvent] = [TextDelta(f"is {KEY[:9]}"), SignOfLife(), TextDelta(f"{KEY[9:]} so")]
    came = played(Redaction([KEY]), events)
    assert SignOfLife() in came
    assert "".join(one.text for one in came if isinstance(one, TextDelta)) == f"is {REDACTED} so"


def test_an_end_that_was_held_back_comes_before_the_finished_text() -> None:
    events = played(Redaction([KEY]), [TextDelta("an ending"), PartFinished(TextPart("an ending"))])
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "an ending"
    assert events[-1] == PartFinished(TextPart("an ending"))


def test_an_end_that_became_a_secret_is_dropped_at_the_finished_text() -> None:
    events = played(Redaction([KEY]), [TextDelta(KEY[:5]), PartFinished(TextPart(KEY))])
    assert events == [PartFinished(TextPart(REDACTED))]


def test_without_secrets_deltas_pass_as_the_same_objects() -> None:
    delta = TextDelta("gw_ is only the start")
    assert played(Redaction([KEY]), [delta]) == [delta]
    assert played(Redaction(), [delta])[0] is delta
