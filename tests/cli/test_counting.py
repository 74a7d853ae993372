"""What a command says of a request that may be too long, over the wire to an API that counts (CTX-5, CTX-10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Plimsoll
from tests.servers.messages_api import HttpError, MessagesApi

pytestmark = pytest.mark.slow

MODEL = "claude-sonnet-5-5"
SETTINGS = f"""
[backend]
default = "anthropic"
[backends.anthropic]
model = "{MODEL}"
[models."{MODEL}"]
window = 200000
"""
LONG = "The quick brown fox jumps over the lazy dog. " * 12_800
"""174,900 estimated tokens: the limit of 180,000 lies within what that may be off."""
COUNT = "/v1/messages/count_tokens"


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as server:
        yield server


@pytest.fixture
def plimsoll(tmp_path: Path, api: MessagesApi) -> Plimsoll:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text(SETTINGS)
    return Plimsoll(
        folder,
        {
            "ANTHROPIC_API_KEY": "sk-dummy",
            "ANTHROPIC_BASE_URL": api.url,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        },
    )


def counts(api: MessagesApi) -> int:
    return [request.path for request in api.requests].count(COUNT)


def test_a_request_that_fits_by_its_count_is_sent_and_context_says_that_count(
    plimsoll: Plimsoll, api: MessagesApi
) -> None:
    asked = plimsoll("ask", "--json", "-", stdin=LONG.encode())
    assert asked.status == 0
    (context,) = asked.of("context")
    counted = api.count_tokens(api.answers[0].body)
    assert (context["tokens"]["total"], context["tokens"]["source"], counts(api)) == (counted, "measured", 1)
    assert api.violations == []


def test_who_is_not_to_be_asked_is_not_asked(plimsoll: Plimsoll, api: MessagesApi) -> None:
    settings = plimsoll.folder / "settings.toml"
    settings.write_text(f"{SETTINGS}[context]\nask_provider_to_count = false\n")
    refused = plimsoll("ask", "-", stdin=LONG.encode())
    assert refused.status == 4
    assert "Nothing was sent" in refused.err
    assert [request for request in api.requests if request.method == "POST"] == []


def test_send_anyway_asks_for_as_much_output_as_the_estimate_leaves(plimsoll: Plimsoll, api: MessagesApi) -> None:
    for _ in range(8):
        api.script(HttpError(500), path=COUNT)
    refused = plimsoll("ask", "--json", "-", stdin=LONG.encode())
    (error,) = refused.of("error")
    (context,) = refused.of("context")
    assert (refused.status, error["actions"][0], api.answers) == (4, "send_anyway", [])
    assert f"({context['tokens']['total']:,} estimated tokens" in error["message"]
    shown = plimsoll("context", error["thread"], "--json").json
    assert shown["tokens"] == context["tokens"]
    sent = plimsoll("ask", "--json", "--send-anyway", "--thread", error["thread"], "-", stdin=LONG.encode())
    assert sent.status == 0
    assert api.answers[0].body["max_tokens"] == 200_000 - context["tokens"]["expected"]
    assert sent.of("context")[0]["tokens"]["total"] == context["tokens"]["expected"]
    assert plimsoll("show", error["thread"], "--json").json["draft"] == ""
    assert api.violations == []
