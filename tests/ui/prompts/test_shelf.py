from __future__ import annotations

from desktop_app.core.prompts import Prompt
from desktop_app.ui.prompts.prompt_lists import MOST, PromptCache
from tests.counted_calls import CountedCalls


def shelf(*pairs: tuple[str, str]) -> PromptCache:
    return PromptCache(Prompt(str(at), title, text, "2026", "2026") for at, (title, text) in enumerate(pairs))


def titles(prompts: list[Prompt]) -> list[str]:
    return [one.title for one in prompts]


SOME = shelf(("Commit message", "Write it"), ("Explain code", "In plain words"), ("Übersetzen", "ins {{Englische}}"))


def test_letters_begin_hold_or_abbreviate_a_title() -> None:
    assert titles(SOME.called("")) == ["Commit message", "Explain code", "Übersetzen"]
    assert titles(SOME.called("cod")) == ["Explain code"]
    assert titles(SOME.called("ec")) == ["Explain code"]
    assert titles(SOME.called("uber")) == ["Übersetzen"]


def test_scattered_letters_are_a_message() -> None:
    assert SOME.called("cmsg") == []
    assert titles(SOME.holding("cmsg")) == ["Commit message"]


def test_a_search_finds_words_of_the_text_behind_those_of_the_titles() -> None:
    assert titles(SOME.holding("code")) == ["Explain code"]
    assert titles(SOME.holding("words plain")) == ["Explain code"]
    assert titles(SOME.holding("e")) == ["Explain code", "Commit message", "Übersetzen"]
    assert SOME.holding("nowhere") == []


def test_ten_thousand_prompts_are_searched_in_milliseconds() -> None:
    many = shelf(*((f"Prompt number {n}", "Some text of a usual length. " * 20) for n in range(10_000)))
    many.called("warm")
    many.holding("warm")
    with CountedCalls() as work:
        assert len(many.called("number 99")) == MOST
        assert len(many.holding("usual length")) == 10_000
    assert work.calls < 84_000
