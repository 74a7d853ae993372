"""What the commands say of an answer that another model gave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.servers.messages_api import Answer, MessagesApi


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


def test_the_model_that_answered_is_told_kept_and_paid(here: Here, plimsoll: Plimsoll, api: MessagesApi) -> None:
    plimsoll.environ |= {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-ant-test"}
    ask = ("ask", "--backend", "anthropic", "--model", "claude-sonnet-4-5")
    api.script(*[Answer("Hello.", model="claude-haiku-4-5-20251001")] * 2)
    words = "Answered by Claude Haiku 4.5, asked for Claude Sonnet 4.5"
    done = here(*ask, "--json", "Who answers?")
    assert [(line["code"], line["message"]) for line in done.of("notice")] == [("model_served", words)]
    thread = done.lines[-1]["thread"]
    shown = here("show", thread, "--json").json
    assert [(one["model"], one["asked"]) for one in shown["messages"]] == [
        (None, None),
        ("claude-haiku-4-5-20251001", "claude-sonnet-4-5"),
    ]
    assert shown["messages"][-1]["usage"]["cost_usd"] == done.of("usage")[0]["cost_usd"]
    (row,) = here("usage", "--json").json["by_model"]
    assert (row["model"], row["calls"]) == ("claude-haiku-4-5-20251001", 1)
    assert words in here("ask", "--thread", thread, "And now?").err
    assert api.answers[-1].body["model"] == "claude-sonnet-4-5"
    api.script(Answer("Hello.", model="claude-sonnet-4-5-20250929"))
    assert here("ask", "--thread", thread, "--json", "And now?").of("notice") == []


def test_an_answer_that_cost_much_more_says_why(here: Here, plimsoll: Plimsoll, api: MessagesApi) -> None:
    plimsoll.environ |= {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-ant-test"}
    book = plimsoll.folder.parent / "report.txt"
    book.write_text("Every word of this report is sent along. " * 2_000)
    ask = ("ask", "--backend", "anthropic", "--model", "claude-sonnet-4-5", "--json")
    thread = here(*ask, "Hello.").lines[-1]["thread"]
    here(*ask, "--thread", thread, "--attach", str(book), "Sum this up.")
    here(*ask, "--thread", thread, "And now?")
    cache = here("context", thread, "--json").json["cache"]
    assert (cache["state"], cache["ttl"]) == ("promised", "5m")
    assert cache["tokens"] > 10_000
    assert cache["until"].endswith("Z")
    shown = here("show", thread, "--json").json["messages"]
    cost = shown[3]["usage"]["cost_usd"]
    assert [one["why"] for one in shown] == [
        *[None] * 3,
        f"${cost:,.2f} instead of <$0.01: report.txt was attached",
        *[None] * 2,
    ]
