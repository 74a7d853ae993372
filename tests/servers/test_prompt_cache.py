"""The loopback server's prompt cache against the provider's documented rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.counted_calls import CountedCalls
from tests.servers.prompt_cache import (
    LIFETIME_S,
    Billing,
    CacheBlock,
    HandClock,
    Lifetime,
    PromptCache,
    TokenCounter,
    least_tokens,
)
from tests.servers.tokens import by_bytes, by_pieces

MODEL = "claude-sonnet-5-5"


def request(*names: str, tokens: int = 1000, **marks: Lifetime) -> list[CacheBlock]:
    """Blocks of 1,000 tokens each; `c="5m"` marks block c."""
    return [CacheBlock(name.encode(), tokens, marks.get(name)) for name in names]


def bill(cache: PromptCache, blocks: list[CacheBlock]) -> Billing:
    return cache.bill(MODEL, blocks)


def test_writes_what_is_marked_and_reads_it_in_the_next_request() -> None:
    cache = PromptCache()
    assert bill(cache, request("a", "b", "c", b="5m")) == Billing(1000, 0, 2000)
    assert bill(cache, request("a", "b", "c", b="5m")) == Billing(1000, 2000)


def test_without_marks_nothing_is_read_or_written() -> None:
    cache = PromptCache()
    bill(cache, request("a", "b", b="5m"))
    assert bill(cache, request("a", "b")) == Billing(2000)


def test_a_growing_conversation_reads_up_to_the_mark_before() -> None:
    cache = PromptCache()
    bill(cache, request("a", "b", b="5m"))
    assert bill(cache, request("a", "b", "c", "d", d="5m")) == Billing(0, 2000, 2000)
    assert bill(cache, request("a", "b", "c", "d", "e", e="5m")) == Billing(0, 4000, 1000)


def test_the_longest_prefix_that_any_mark_finds_is_read() -> None:
    cache = PromptCache()
    bill(cache, request("a", "b", "c", a="5m", c="5m"))
    assert bill(cache, request("a", "b", "c", "d", a="5m", c="5m", d="5m")) == Billing(0, 3000, 1000)


def test_a_shorter_lifetime_does_not_shorten_what_is_there() -> None:
    cache = PromptCache()
    bill(cache, request("a", a="1h"))
    bill(cache, request("a", a="5m"))
    cache.clock.advance(400)
    assert bill(cache, request("a", a="5m")).read == 1000


def test_only_prefixes_that_were_marked_are_found() -> None:
    cache = PromptCache()
    bill(cache, request("a", "b", "c", c="5m"))
    # a and b are in the cache as part of a longer prefix only, and that one is not what comes now
    assert bill(cache, request("a", "b", "x", x="5m")) == Billing(0, 0, 3000)


def test_a_changed_block_makes_all_that_follows_new() -> None:
    cache = PromptCache()
    bill(cache, request("a", "b", "c", a="5m", c="5m"))
    assert bill(cache, request("a", "x", "c", a="5m", c="5m")) == Billing(0, 1000, 2000)


@pytest.mark.parametrize(("added", "read"), [(19, 1000), (20, 0)])
def test_a_mark_is_looked_up_at_twenty_places(added: int, read: int) -> None:
    cache = PromptCache()
    bill(cache, request("a", a="5m"))
    names = [f"n{index}" for index in range(added)]
    assert bill(cache, [*request("a", *names[:-1]), CacheBlock(b"end", 1000, "5m")]).read == read


def test_a_request_never_reads_what_it_writes_itself() -> None:
    cache = PromptCache()
    assert bill(cache, request("a", "b", "c", a="5m", b="5m", c="5m")) == Billing(0, 0, 3000)


@pytest.mark.parametrize(
    ("model", "least"),
    [
        ("claude-sonnet-5-5", 512),
        ("claude-opus-5", 512),
        ("claude-fable-5-2", 512),
        ("claude-sonnet-5", 1024),
        ("claude-sonnet-4-5-20250929", 1024),
        ("claude-opus-4-8", 1024),
        ("claude-opus-4-7", 2048),
        ("claude-haiku-4-5", 4096),
        ("claude-opus-4-6", 4096),
    ],
)
def test_short_prefixes_are_silently_left_uncached(model: str, least: int) -> None:
    assert least_tokens(model) == least
    cache = PromptCache()
    for tokens, cached in ((least - 1, False), (least, True)):
        one = [CacheBlock(str(tokens).encode(), tokens, "5m")]
        assert (cache.bill(model, one).written > 0) is cached
        assert (cache.bill(model, one).read > 0) is cached


@pytest.mark.parametrize("lifetime", ["5m", "1h"])
def test_an_entry_ends_after_its_lifetime_and_each_use_renews_it(lifetime: Lifetime) -> None:
    cache = PromptCache(HandClock())
    blocks = request("a", "b", b=lifetime)
    bill(cache, blocks)
    for _ in range(3):
        cache.clock.advance(LIFETIME_S[lifetime] - 1)
        assert bill(cache, blocks).read == 2000
    cache.clock.advance(LIFETIME_S[lifetime])
    assert bill(cache, blocks).read == 0
    assert bill(cache, blocks).read == 2000


def test_what_is_not_asked_for_ages_though_a_longer_prefix_is_read() -> None:
    cache = PromptCache(HandClock())
    bill(cache, request("a", "b", a="5m", b="5m"))
    cache.clock.advance(200)
    bill(cache, request("a", "b", b="5m"))
    cache.clock.advance(200)
    assert bill(cache, request("a", "x", a="5m")).read == 0


def test_hour_and_minutes_are_billed_apart() -> None:
    cache = PromptCache()
    assert bill(cache, request("a", "b", "c", "d", a="1h", c="5m")) == Billing(1000, 0, 2000, 1000)
    cache.clock.advance(400)
    assert bill(cache, request("a", "b", "c", "d", a="1h", c="5m")) == Billing(1000, 1000, 2000)
    assert bill(cache, request("a", "b", "e", a="1h", b="1h", e="5m")) == Billing(0, 1000, 1000, 1000)


def test_models_share_nothing() -> None:
    cache = PromptCache()
    cache.bill("claude-sonnet-5", request("a", "b", b="5m"))
    assert cache.bill("claude-opus-5", request("a", "b", b="5m")).read == 0


def test_usage_adds_up_as_in_the_api() -> None:
    usage = Billing(1, 20, 300, 4000).usage()
    assert usage["input_tokens"] + usage["cache_creation_input_tokens"] + usage["cache_read_input_tokens"] == 4321
    split = usage["cache_creation"]
    assert split == {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 4000}


SHORT = {"cache_control": {"type": "ephemeral"}}
LONG = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def body(*messages: tuple[str, Any], **more: Any) -> dict[str, Any]:
    listed = [{"role": role, "content": content} for role, content in messages]
    return {"model": MODEL, "messages": listed, **more}


def test_a_body_is_read_in_the_order_tools_system_messages() -> None:
    tool = {"name": "find", "input_schema": {}, **LONG}
    whole = body(("user", [text("u", **SHORT)]), system=[text("s", **LONG)], tools=[tool])
    assert [block.mark for block in TokenCounter().blocks(whole)] == ["1h", "1h", "5m"]


def test_a_text_and_a_list_of_one_block_are_the_same_and_marks_change_no_digest() -> None:
    counter = TokenCounter()
    plain = counter.blocks(body(("user", "hello"), ("assistant", "hi"), ("user", "so"), system="be"))
    listed = counter.blocks(
        body(("user", [text("hello")]), ("assistant", [text("hi", **SHORT)]), ("user", "so"), system=[text("be")])
    )
    assert [block.digest for block in plain] == [block.digest for block in listed]


def test_who_says_it_counts() -> None:
    counter = TokenCounter()
    one = counter.blocks(body(("user", "a"), ("assistant", "b"), ("user", "c")))
    other = counter.blocks(body(("user", [text("a"), text("b"), text("c")])))
    assert [block.digest for block in one][1:] != [block.digest for block in other][1:]


def test_messages_of_one_role_in_a_row_are_one_turn() -> None:
    counter = TokenCounter()
    apart = counter.blocks(body(("user", "a"), ("user", "b")))
    together = counter.blocks(body(("user", [text("a"), text("b")])))
    assert [block.digest for block in apart] == [block.digest for block in together]


@pytest.mark.parametrize("change", [{"thinking": {"type": "adaptive"}}, {"tool_choice": {"type": "any"}}])
def test_thinking_and_tool_choice_make_the_messages_new_but_not_the_system_prompt(change: dict[str, Any]) -> None:
    counter = TokenCounter()
    before = counter.blocks(body(("user", "a"), system="s"))
    after = counter.blocks(body(("user", "a"), system="s", **change))
    assert before[0].digest == after[0].digest
    assert before[1].digest != after[1].digest


def test_a_mark_of_the_whole_request_stands_on_its_last_block() -> None:
    blocks = TokenCounter().blocks(body(("user", [text("a"), text("b")]), **LONG))
    assert [block.mark for block in blocks] == [None, "1h"]


def test_a_request_weighs_its_blocks_and_four_tokens_a_message() -> None:
    counter = TokenCounter(len)
    assert counter.total(body(("user", [text("abc"), text("de")]), ("assistant", "f"), system="gh")) == 16


@pytest.mark.parametrize("words", ["", " ", "a", "Grüße, мир 世界 🌍", "x" * 1000, "1234567", "\n\n\t\t    "])
def test_counting_is_the_same_each_time_and_nothing_weighs_nothing(words: str) -> None:
    for count in (by_bytes, by_pieces):
        assert count(words) == count(words)
        assert (count(words) > 0) is bool(words)


def test_a_tokenizer_is_no_sum_over_characters() -> None:
    assert len({by_pieces(" " + word) for word in ("cartographic", "quintessence", "unexpectedly", "flabbergasts")}) > 1
    assert 3.0 < len(PROSE) / by_pieces(PROSE) < 5.5


PROSE = (
    "The line on the hull shows how deep the ship may be loaded; what is above it has to stay on the quay. A master "
    "who ignores it saves a voyage and risks a crew, which is why the law asks every harbour to look before she sails."
)


def test_four_hundred_long_requests_take_no_time_to_speak_of() -> None:
    counter, cache = TokenCounter(by_pieces), PromptCache()
    messages = [("user" if index % 2 == 0 else "assistant", [text(f"{index} {PROSE * 10}")]) for index in range(301)]
    counter.blocks(body(*messages))
    with CountedCalls() as work:
        for _ in range(20):
            cache.bill(MODEL, counter.blocks(body(*messages)))
    assert work.calls / 20 < 15_000
