"""The books of the benchmark beside other clients: what is billed, failed, cut and within reach. Needs no peer."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from tests.benchmarks import peer_driver
from tests.benchmarks.bench_peers import OURS, PINS, WINDOW, driver, environment_in, hold, running, talked
from tests.benchmarks.cache_costs import billed
from tests.benchmarks.peer_books import MOST_REQUESTS, BookedApi, Held, cpu_of, holds
from tests.benchmarks.peer_talks import LARGEST, SMALLEST, PeerTalk, Turn, chat, documents, tools
from tests.benchmarks.planted_facts import Fact
from tests.servers.prompt_cache import Billing
from tests.servers.tokens import by_pieces


def test_the_talks_are_as_long_as_they_say_and_the_same_each_time() -> None:
    talk = chat(10)
    assert talk == chat(10)
    assert [fact.said in talk.turns[5 * at].said for at, fact in enumerate(talk.facts)] == [True, True]
    talk = documents(6)
    attached = [turn.document for turn in talk.turns if turn.document]
    assert all(SMALLEST <= by_pieces(text) <= LARGEST * 1.02 for _, text in attached)
    assert [fact.said in text for fact, (_, text) in zip(talk.facts, attached, strict=True)] == [True, True]
    talk = tools(6)
    assert sum(len(turn.results) for turn in talk.turns) == 12
    assert [talk.facts[0].said in talk.turns[0].said, talk.facts[1].said in talk.turns[5].results[0][1]] == [True, True]


def test_a_talk_is_billed_as_its_requests_are() -> None:
    held = Held([Billing(100, 900), Billing(0, 1_000, 400, 0)], facts=5, in_request=2, found=1)
    assert held.units == billed(Billing(100, 900), 0.1) + billed(Billing(0, 1_000, 400), 0.1)
    assert held.hit_rate == 1_900 / 2_400
    assert held.row("us").startswith("| us | 790 | 79.2% | 1,200 | 2 | 0 | 0 | 3 of 5 (2) |")


async def driven(
    talk: PeerTalk, folder: Path, *, name: str = "last-20", window: int = WINDOW
) -> tuple[Held, BookedApi]:
    """The talk with a driver that needs no packages but ours."""
    with BookedApi(window) as api:
        command = driver(Path(sys.executable), name, api, exact=True)
        async with running(command, api, folder, b'{"error"') as program:
            return await hold(talk, program, api), api


async def test_the_last_twenty_begin_at_a_question_and_lose_what_was_said_before(tmp_path: Path) -> None:
    held, api = await driven(tools(12), tmp_path)
    assert (held.turns, held.failed, held.cut, len(held.bills)) == (12, 0, 0, 36)
    last = api.answers[-1].body["messages"]
    assert len(last) <= peer_driver.LAST
    assert holds({"messages": last[:1]}, tools(12).turns[-3].said)
    assert held.facts == 3
    assert held.in_request == 1, "the first two of three facts slid out"
    assert api.violations == []


async def test_a_turn_that_the_window_does_not_hold_failed_and_leaves_nothing_behind(tmp_path: Path) -> None:
    long, short = Turn("many words " * 3_000, "No."), Turn("Hello.", "Hello, too.")
    facts = [Fact("English", "Hello.", "?"), Fact("English", "many words", "?")]
    held, api = await driven(PeerTalk([short, long, short, long], facts), tmp_path, window=2_000)
    assert (held.turns, held.failed, len(held.bills)) == (4, 2, 2)
    assert "prompt is too long" in held.errors[0]
    assert len(api.answers[-1].body["messages"]) == 5
    assert held.in_request == 1, "what stands in a refused request only is not within reach"


async def test_a_question_that_arrives_in_pieces_is_cut() -> None:
    class Cutting:
        async def say(self, turn: Turn) -> None:
            messages = [{"role": "user", "content": turn.said[:10]}]
            body = json.dumps({"model": "claude-sonnet-5", "max_tokens": 9, "messages": messages}).encode()
            head = "POST /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", int(api.url.rpartition(":")[2]))
            writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            writer.close()
            await writer.wait_closed()

    with BookedApi(WINDOW) as api:
        held = await hold(PeerTalk([Turn("short", "a"), Turn("longer than ten", "b")], ()), Cutting(), api)
    assert (held.turns, held.failed, held.cut) == (2, 0, 1)


async def test_what_a_turn_may_ask_is_bounded(tmp_path: Path) -> None:
    turn = Turn("Look.", "Never said.", None, tuple((f"k{at}", "found") for at in range(2 * MOST_REQUESTS)))
    held, _ = await driven(PeerTalk([turn], ()), tmp_path)
    assert len(held.bills) <= MOST_REQUESTS


async def test_ours_is_held_by_the_same_rules_and_finds_what_it_no_longer_sends() -> None:
    held = await talked(OURS, tools(7), Path(sys.executable))
    assert (held.turns, held.failed, held.cut, len(held.bills)) == (7, 0, 0, 21)
    assert (held.facts, held.in_request, held.found) == (2, 1, 1), "one stands in a result, which became a line"


def test_processor_time_of_another_process_is_read() -> None:
    before = cpu_of(os.getpid())
    sum(range(200_000))
    assert cpu_of(os.getpid()) > before


@pytest.mark.slow
def test_a_download_that_fails_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(SystemExit, match=r"could not be installed from PyPI. Check the network") as ended:
        environment_in(tmp_path)
    assert PINS[0] in str(ended.value)
    assert not list(tmp_path.glob("installed-*"))
