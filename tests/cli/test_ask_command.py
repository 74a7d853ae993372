from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from desktop_app.controller.formats.plimsoll_json import write_export
from desktop_app.core.messages import MessageMark, Thread
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.patience import PATIENCE_S


def test_the_answer_goes_to_standard_output_and_all_else_to_standard_error(here: Here, plimsoll: Plimsoll) -> None:
    ended = plimsoll("ask", "Grüße, 世界")
    assert ended.status == 0
    assert ended.out == "I was sent 1 message.\n\n1. user: Grüße, 世界\n"
    thread = here("threads", "--json").json[0]["id"]
    assert ended.err == f"New thread {thread[:8]}\n"


def test_lines_of_json_come_in_their_order(here: Here) -> None:
    ended = here("ask", "--json", "Hello")
    kinds = [line["type"] for line in ended.lines]
    assert kinds[0] == "context"
    assert kinds[-2:] == ["usage", "done"]
    assert set(kinds[1:-2]) == {"delta"}
    assert ended.text == "I was sent 1 message.\n\n1. user: Hello"
    (thread,) = here("threads", "--json").json
    (_, answer) = here("show", thread["id"], "--json").json["messages"]
    done = ended.lines[-1]
    sent = done.pop("context")
    assert (sent["messages"], sent["kept"], sent["left_out"], sent["annotated"]) == (1, 1, 0, 0)
    used = ended.lines[-2]
    assert sent["tokens"] == used["input"] + used["cache_read"] + used["cache_write"], "what was counted, no estimate"
    assert {name: sent[name] for name in ("low", "soft", "emergency")} == {
        name: value for name, value in ended.lines[0]["limits"].items() if name != "window"
    }
    assert done == {"type": "done", "thread": thread["id"], "message": answer["id"], "stop_reason": "end_turn"}
    usage = ended.lines[-2]
    assert set(usage) == {"type", "input", "cache_read", "cache_write", "output", "cost_usd", "model"}
    assert {"type": "usage", **answer["usage"], "model": answer["model"]} == usage
    assert ended.lines[0]["thread"] == thread["id"]
    assert ended.err == ""


def test_a_thread_goes_on_by_a_prefix_and_knows_what_was_said(here: Here) -> None:
    thread = here("ask", "--json", "--system", "Be brief.", "My name is Ada.").lines[-1]["thread"]
    ended = here("ask", "--thread", thread[:6], "What is my name?")
    assert ended.status == 0
    assert "system: Be brief." in ended.out
    assert "1. user: My name is Ada." in ended.out
    assert ended.out.endswith("3. user: What is my name?\n")
    assert ended.err == ""


@pytest.mark.parametrize("arguments", [("ask",), ("ask", "-")])
def test_standard_input_is_the_message(here: Here, arguments: tuple[str, ...]) -> None:
    ended = here(*arguments, stdin="two\nlines ü\n".encode())
    assert ended.out == "I was sent 1 message.\n\n1. user: two\nlines ü\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (("ask",), b"caf\xe9", "not UTF-8 text (byte 4)"),
        (("ask",), b" \n", "empty"),
        (("ask", ""), b"", "empty"),
        (("ask", "--thread", "ffff", "hi"), b"", "ffff"),
    ],
)
def test_bad_usage_exits_with_2_and_makes_nothing(
    here: Here, arguments: tuple[str, ...], stdin: bytes, words: str
) -> None:
    ended = here(*arguments, stdin=stdin)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.err
    (error,) = here(arguments[0], "--json", *arguments[1:], stdin=stdin).lines
    assert (error["type"], error["code"], error["thread"]) == ("error", "usage", None)
    assert here("threads", "--json").json == []


def test_an_ambiguous_prefix_exits_with_2(here: Here, tmp_path: Path) -> None:
    times = "2026-01-01T00:00:00.000Z"
    no_marks: dict[str, MessageMark] = {}
    twins = [(Thread(f"abcd{end}", "Twin", times, times), (), no_marks) for end in "12"]
    export = tmp_path / "twins.json"
    export.write_text("".join(write_export(twins)))
    assert here("import", str(export)).status == 0
    ended = here("ask", "--thread", "abcd", "hi")
    assert (ended.status, ended.out) == (2, "")
    assert here("ask", "--thread", "abcd1", "hi").status == 0


def test_an_unknown_backend_or_model_exits_with_3_and_makes_nothing(here: Here) -> None:
    for options in (("--backend", "telegraph"), ("--model", "gpt-2")):
        ended = here("ask", *options, "hi")
        assert (ended.status, ended.out) == (3, "")
        assert options[1] in ended.err
    assert here("threads", "--json").json == []


def test_where_nothing_is_set_up_it_says_what_to_do(here: Here, plimsoll: Plimsoll) -> None:
    (plimsoll.folder / "settings.toml").write_text('[backend]\ndefault = "claude-cli"\n')
    plimsoll.environ["PATH"] = str(plimsoll.folder)
    plimsoll.environ["PLIMSOLL_CLAUDE"] = str(plimsoll.folder / "no-such-program")
    ended = here("ask", "--json", "hi")
    assert ended.status == 3
    assert (ended.lines[-1]["type"], ended.lines[-1]["code"]) == ("error", "config")
    assert "claude" in ended.lines[-1]["message"]
    assert here("threads", "--json").json == []


def test_a_text_that_is_too_long_is_refused_and_becomes_the_draft(here: Here) -> None:
    text = "The quick brown fox jumps over it. " * 26_000
    ended = here("ask", "--json", stdin=text.encode())
    assert ended.status == 4
    context, error = ended.lines
    assert (context["type"], context["decision"]) == ("context", "refuse")
    assert context["limits"]["emergency"] == 180_000
    assert (error["type"], error["code"], error["thread"]) == ("error", "context_limit", context["thread"])
    assert "180,000" in error["message"]
    assert error["actions"]
    shown = here("show", context["thread"], "--json").json
    assert (shown["messages"], shown["draft"]) == ([], text)
    plain = here("ask", stdin=text.encode())
    assert (plain.status, plain.out) == (4, "")
    assert "180,000" in plain.err


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("auth", 5),
        ("not_found", 5),
        ("rate_limited", 5),
        ("overloaded", 5),
        ("network", 5),
        ("backend", 5),
        ("config", 3),
        ("store", 6),
    ],
)
def test_every_failure_has_its_exit_status(here: Here, plimsoll: Plimsoll, code: str, status: int) -> None:
    failure = {"code": code, "message": "It broke. Mend it.", "actions": ["retry"]}
    plimsoll.write_script({"text": "Half an "}, {"error": failure})
    ended = here("ask", "--json", "hi")
    assert ended.status == status
    last = ended.lines[-1]
    thread = ended.lines[0]["thread"]
    assert last == {"type": "error", "thread": thread, **failure}
    assert here("show", thread, "--json").json["messages"][-1]["text"] == "Half an "
    plain = here("ask", "hi")
    assert (plain.status, plain.out) == (status, "Half an \n")
    assert plain.err.endswith("It broke. Mend it.\n")


def test_what_is_superseded_stands_above_a_rule(here: Here, plimsoll: Plimsoll) -> None:
    plimsoll.write_script(
        {"text": "wro"},
        {"notice": "Trying again.", "code": "retry", "detail": "HTTP 529"},
        {"reset": True},
        {"text": "right"},
        {"end": "end_turn"},
    )
    lines = here("ask", "--json", "hi").lines
    assert [line["type"] for line in lines] == ["context", "delta", "notice", "reset", "delta", "done"]
    assert lines[2] == {"type": "notice", "code": "retry", "message": "Trying again.", "detail": "HTTP 529"}
    plain = here("ask", "hi")
    assert plain.out == "wroright\n"
    assert "Trying again.\n" in plain.err
    assert plain.err.rstrip().endswith("────")


def test_tools_and_text_around_them(here: Here, plimsoll: Plimsoll) -> None:
    call = {"id": "t1", "name": "search", "input": {"q": "line"}}
    plimsoll.write_script(
        {"thinking": "hm"}, {"text": "Looking."}, {"tool": call}, {"text": "Found."}, {"end": "refusal"}
    )
    ended = here("ask", "--json", "hi")
    assert ended.status == 0
    assert ended.of("tool") == [{"type": "tool", "name": "search", "input": {"q": "line"}, "summary": ""}]
    thread, message = ended.lines[-1]["thread"], ended.lines[-1]["message"]
    assert ended.lines[-1]["stop_reason"] == "refusal"
    stored = here("show", thread, "--json").json["messages"][-1]
    assert (stored["id"], stored["text"]) == (message, ended.text)
    assert ended.text == "Looking.\n\nFound."


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.slow
def test_an_interrupted_answer_is_kept(here: Here, plimsoll: Plimsoll, number: signal.Signals, status: int) -> None:
    plimsoll.write_script({"text": "As far as "}, {"text": "this."}, {"delay_ms": 60_000}, {"text": " Never."})
    running = plimsoll.start("ask", "--json", "Go on")
    assert running.stdout is not None
    lines = [json.loads(running.stdout.readline()) for _ in range(3)]
    assert [line["type"] for line in lines] == ["context", "delta", "delta"]
    running.send_signal(number)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == status
    last = json.loads(out.splitlines()[-1])
    assert (last["type"], last["stop_reason"], last["thread"]) == ("done", "interrupted", lines[0]["thread"])
    shown = here("show", last["thread"], "--json").json["messages"][-1]
    assert (shown["id"], shown["text"], shown["state"]) == (last["message"], "As far as this.", "partial")
    assert err == b""


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_command_quietly(plimsoll: Plimsoll) -> None:
    plimsoll.write_script(
        {"text": "one\n"}, {"delay_ms": 300}, {"text": "two\n"}, {"delay_ms": 60_000}, {"text": "three"}
    )
    running = plimsoll.start("ask", "hi")
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline() == b"one\n"
    running.stdout.close()
    assert running.wait(PATIENCE_S) == 0
    assert b"Traceback" not in (told := running.stderr.read())
    assert b"Exception" not in told
    running.stderr.close()


@pytest.mark.slow
def test_a_thread_with_a_running_turn_is_busy_for_others(here: Here, plimsoll: Plimsoll) -> None:
    plimsoll.write_script({"text": "Slow"}, {"delay_ms": 60_000})
    running = plimsoll.start("ask", "--json", "Go on")
    try:
        assert running.stdout is not None
        thread = json.loads(running.stdout.readline())["thread"]
        running.stdout.readline()
        ended = here("ask", "--json", "--thread", thread, "Me too")
        assert (ended.status, ended.lines[-1]["code"]) == (6, "store")
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE_S)


def test_a_file_that_is_no_database_is_set_aside_and_told(here: Here, plimsoll: Plimsoll) -> None:
    content = b"This is no database. " * 100
    (plimsoll.folder / "history.db").write_bytes(content)
    ended = here("ask", "--json", "hi")
    assert (ended.status, len(ended.of("done"))) == (0, 1)
    (aside,) = plimsoll.folder.glob("history-damaged-*.db")
    assert aside.read_bytes() == content
    assert aside.name in ended.err
    assert "Traceback" not in ended.err
    plain = here("threads")
    assert (plain.status, plain.err) == (0, "")
    assert "hi" in plain.out


def test_a_wrong_setting_is_told_and_does_no_harm(here: Here, plimsoll: Plimsoll) -> None:
    settings = plimsoll.folder / "settings.toml"
    settings.write_text(settings.read_text() + "[context]\nsoft_limit = 'many'\n")
    ended = here("ask", "hi")
    assert ended.status == 0
    assert "soft_limit" in ended.err


def test_a_fault_is_one_sentence_and_a_report(here: Here, plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> int:
        raise RuntimeError("the user said: secret")

    monkeypatch.setattr("desktop_app.cli.command_runner.list_threads", broken)
    ended = here("threads")
    assert (ended.status, ended.out) == (1, "")
    assert "Traceback" not in ended.err
    (report,) = (plimsoll.folder / "logs").glob("crash-*.txt")
    assert str(report) in ended.err
    assert "RuntimeError" in report.read_text()
    assert "secret" not in report.read_text()


def test_a_poisoned_answer_ends_with_done_and_keeps_its_text(plimsoll: Plimsoll, here: Here) -> None:
    deep: object = 1
    for _ in range(600):
        deep = {"a": deep}
    plimsoll.write_script(
        {"text": "what came"},
        {"tool": {"name": "look", "input": {"deep": deep, "not": float("nan")}}},
        {"usage": {"input": 2**63, "output": -4, "cost_usd": -3000}},
        {"end": "end_turn"},
    )
    done = here("ask", "--json", "q")
    assert (done.status, done.lines[-1]["type"]) == (0, "done")
    assert {"values_unreadable", "usage_unreadable"} <= {line["code"] for line in done.of("notice")}
    thread = done.lines[-1]["thread"]
    shown = here("show", thread, "--json")
    assert shown.status == 0
    assert "what came" in shown.out
    assert here("usage", "--json").status == 0
