"""What a plan tells and asks, on the command line, where nobody is there to answer."""

from __future__ import annotations

import io
import json
import re

from desktop_app.cli.command_process import Output
from desktop_app.cli.turn_printer import TurnPrinter
from desktop_app.core.context.plan import CacheClock
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import TextPart
from desktop_app.core.model_catalog import find_model
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.core.paths import message, prepare, talk, words

LONG = "the water rises slowly over the stones " * 200
CROSSING = "This thread passes 8K tokens, and Scripted takes more. Keep to 8K, or raise the limit"


def long_thread(here: Here, plimsoll: Plimsoll, turns: int) -> str:
    settings = plimsoll.folder / "settings.toml"
    settings.write_text(settings.read_text() + "[context]\nsoft_limit = 8000\npreserve_last_n = 2\n")
    plimsoll.write_script({"text": "Yes."})
    thread = str(here("ask", "--json", "Hello").lines[-1]["thread"])
    for _ in range(turns):
        assert here("ask", "--thread", thread, LONG).status == 0
    return thread


def test_context_tells_what_sending_does_and_asks(here: Here, plimsoll: Plimsoll) -> None:
    thread = long_thread(here, plimsoll, 5)
    plan = here("context", thread, "--draft", LONG, "--json").json
    (event,) = plan["events"]
    lines = here("context", thread, "--draft", LONG).out.splitlines()
    told = f"{event['messages']} messages left out, {event['before']:,} -> {event['after']:,} tokens"
    assert f"Event     {told}" in lines
    assert any(line.startswith(f"Question  {CROSSING}") for line in lines)
    refused = here("context", thread, "--draft", LONG * 8).out
    assert "tokens, more than the emergency limit of 9,600" in refused


def test_context_warns_near_a_limit(here: Here, plimsoll: Plimsoll) -> None:
    thread = long_thread(here, plimsoll, 3)
    assert "Warning" not in here("context", thread).out
    near = here("context", thread, "--draft", LONG + LONG[:3_000]).out
    assert re.search(r"Warning   6,\d{3} of 8,000 tokens|Warning   7,\d{3} of 8,000 tokens", near)
    assert "Question" not in near


def test_a_command_goes_on_with_the_trim_and_says_so_once(here: Here, plimsoll: Plimsoll) -> None:
    thread = long_thread(here, plimsoll, 5)
    ended = here("ask", "--json", "--thread", thread, LONG)
    assert ended.status == 0
    (crossing,) = [line for line in ended.of("notice") if line["code"] == "first_crossing"]
    assert crossing["message"].startswith(CROSSING)
    assert crossing["message"].endswith("This command keeps to the limit; soft_limit in settings.toml raises it.")
    kinds = [line["type"] for line in ended.lines]
    assert kinds[:2] == ["context", "notice"]
    assert ended.lines[0]["decision"] == "trim"
    again = here("ask", "--json", "--thread", thread, LONG)
    assert [line["code"] for line in again.of("notice") if line["code"] == "first_crossing"] == []


def test_a_command_says_what_reading_anew_costs_and_sends() -> None:
    path = talk(words(60_000), "Yes.", "And?", "No.")
    plan = prepare(path, model=find_model("anthropic", "claude-sonnet-4-5"), cache=CacheClock(idle_minutes=600)).plan(
        (TextPart("Go on."),)
    )
    assert plan.advice.asks == "cold_reopen"
    for json_lines in (True, False):
        out, err = io.StringIO(), io.StringIO()
        TurnPrinter(Output(out, err), "t", json=json_lines).hear(TurnStarted("t", message(9, "assistant"), plan))
        told = json.loads(out.getvalue().splitlines()[1]) if json_lines else {"message": err.getvalue().strip()}
        assert told.get("code") == ("cold_reopen" if json_lines else None)
        assert told["message"].startswith("This thread's cache has expired")
        assert told["message"].endswith("This command sends it as it is.")
