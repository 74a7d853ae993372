"""What stands in answers, titles and errors must not steer the terminal; a pipe gets every byte as it is."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence

import pytest

from tests.cli.command import Plimsoll
from tests.patience import PATIENCE_S
from tests.unix import open_terminal

HOSTILE = "a\x1b]52;c;ZXZpbA==\x07b\x9b31mc\x08d\re\u202ef\u2066g\x7fh\ni\tj"
SHOWN = "a\u241b]52;c;ZXZpbA==\u2407b<U+009B>31mc\u2408d\u240de<U+202E>f<U+2066>g\u2421h\ni\tj"
STEERING = ("\x1b", "\x07", "\x9b", "\x08", "\u202e", "\u2066", "\x7f")


def on_a_terminal(plimsoll: Plimsoll, *arguments: str) -> str:
    """What both streams of a command write to a terminal, the carriage returns of its line discipline taken out."""
    ours, theirs = open_terminal()
    command = subprocess.Popen(
        plimsoll.command(*arguments),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**plimsoll.environment(), "NO_COLOR": "1"},
    )
    os.close(theirs)
    written = bytearray()
    try:
        while piece := os.read(ours, 65_536):
            written += piece
    except OSError:
        pass  # the terminal's other end is closed: the command has ended
    finally:
        os.close(ours)
        command.wait(timeout=PATIENCE_S)
    return written.decode().replace("\r\n", "\n")


def assert_harmless(text: str) -> None:
    assert [sign for sign in (*STEERING, "\r") if sign in text] == []


@pytest.fixture
def thread(plimsoll: Plimsoll) -> str:
    plimsoll.write_script({"text": HOSTILE}, {"end": "end_turn"})
    asked = plimsoll("ask", "--json", "title \x1b]0;owned\x07\u202etxet \x9b2J")
    assert asked.status == 0
    return str(asked.lines[-1]["thread"])


def test_an_answer_in_a_terminal_and_in_a_pipe(plimsoll: Plimsoll, thread: str) -> None:
    shown = on_a_terminal(plimsoll, "ask", "--thread", thread, "Again")
    assert SHOWN in shown
    assert_harmless(shown)
    assert HOSTILE in plimsoll("ask", "--thread", thread, "Again").out


@pytest.mark.parametrize(
    "arguments",
    [("threads",), ("search", "title"), ("context", "THREAD"), ("context", "THREAD", "--request"), ("show", "THREAD")],
)
def test_what_is_stored_is_shown_as_signs(plimsoll: Plimsoll, thread: str, arguments: Sequence[str]) -> None:
    shown = on_a_terminal(plimsoll, *[thread if one == "THREAD" else one for one in arguments])
    assert shown.strip()
    assert_harmless(shown)


def test_names_and_ids_in_errors(plimsoll: Plimsoll) -> None:
    for arguments in (
        ("show", "\x1b]0;owned\x07"),
        ("ask", "--attach", "no\x1b[2Jfile\u202e.txt", "x"),
        ("ask", "--thread", "\x9b31m", "x"),
        ("\x1b[2J",),
        ("ask", "--backend", "\x1b[31m", "x"),
    ):
        shown = on_a_terminal(plimsoll, *arguments)
        assert shown.strip()
        assert_harmless(shown)


def test_a_refusal_and_a_model_named_by_the_other_side(plimsoll: Plimsoll) -> None:
    plimsoll.write_script({"error": {"code": "backend", "message": "no \x1b[31m\x9b0m entry\x07"}})
    shown = on_a_terminal(plimsoll, "ask", "x")
    assert "\u241b[31m" in shown
    assert_harmless(shown)


def test_json_escapes_what_steers_and_reads_back_the_same(plimsoll: Plimsoll, thread: str) -> None:
    line = plimsoll("show", thread, "--json").out
    assert_harmless(line)
    assert json.loads(line)["messages"][-1]["text"] == HOSTILE
