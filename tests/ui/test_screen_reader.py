"""The real program is read over the real accessibility bus, as a screen reader reads it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jeepney", reason="needs the package jeepney")

from tests.servers.accessibility_bus import SHOWING, Reader, Thing, desktop, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this bus is Linux's"),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


@pytest.fixture
def program() -> Iterator[Thing]:
    """The window of a program that echoes, over the bus."""
    with tempfile.TemporaryDirectory(prefix="atspi-") as folder, desktop(Path(folder)) as around:
        command = [sys.executable, "-m", "desktop_app", "--data-dir", f"{folder}/data", "--backend", "scripted"]
        running = subprocess.Popen(command, env=around.environ, stderr=subprocess.PIPE)
        try:
            yield around.reader.program()
        finally:
            running.terminate()
            _, said = running.communicate(timeout=20)
            assert b"Traceback" not in said, said.decode()


def messages(program: Thing) -> list[Thing]:
    return program.find("list", "Conversation").children


def say(program: Thing, words: str) -> None:
    field = program.find("text", "Message")
    assert field.ask("EditableText", "InsertText", "isi", 0, words, len(words))
    program.find("push button", "Send").press()


def announcements(reader: Reader) -> list[str]:
    return [one.arguments[3][1] for one in reader.heard() if one.member == "Announcement"]


def test_a_chat_is_read_over_the_bus(program: Thing) -> None:
    reader = program.reader
    assert program.name == "Plimsoll"
    frame = program.find("frame", "Plimsoll")
    # the composer is a text that can be written, with a caret and a selection
    field = frame.find("text", "Message")
    assert {"Text", "EditableText"} <= field.interfaces
    assert field.ask("EditableText", "InsertText", "isi", 0, "hello world", 11)
    assert field.text == "hello world"
    assert field.ask("Text", "SetCaretOffset", "i", 5)
    assert field.caret == 5
    assert field.ask("Text", "AddSelection", "ii", 0, 5)
    assert tuple(field.ask("Text", "GetSelection", "i", 0)) == (0, 5)
    moved = [one for one in reader.heard() if one.member == "TextCaretMoved" and one.path == field.path]
    assert moved, "a caret that moves is told"
    # the gauge is a bar whose value is a sentence
    gauge = frame.find("progress bar", "Context")
    reader.until(lambda: "tokens used" in gauge.description, "the gauge's sentence")
    assert "Value" in gauge.interfaces
    assert 0 <= gauge.value <= 100
    # an answer is announced once, and can be read
    frame.find("push button", "Send").press()
    reader.until(lambda: len(messages(program)) == 2, "question and answer")
    frame = program.children[0]
    frame.find("list item", "hello world")
    told: list[str] = []

    def heard() -> list[str]:
        told.extend(announcements(reader))
        return told

    reader.until(heard, "an announcement")
    assert heard() == ["Answer finished"]
    question, answer = messages(program)
    assert question.role == answer.role == "list item"
    assert question.name.startswith("You, ")
    assert answer.name.startswith("Assistant, ")
    assert question.text == question.description == "hello world"
    assert "user: hello world" in answer.text
    assert answer.ask("Text", "GetStringAtOffset", "iu", answer.text.index("hello"), 1)[0] == "hello"
    # each stands where it is seen, in the list that it belongs to
    conversation = program.find("list", "Conversation")
    assert question.parent == conversation
    left, top, width, height = answer.place
    assert width > 100
    assert height > 10
    middle = (left + width // 2, top + height // 2)
    assert Thing(reader, *conversation.ask("Component", "GetAccessibleAtPoint", "iiu", *middle, 0)) == answer


def test_a_card_and_its_buttons_are_read(program: Thing) -> None:
    say(program, "The quick brown fox jumps over the lazy dog. " * 25_000)
    other = program.find("push button", "Choose another model")
    conversation = program.find("list", "Conversation")
    read = [(one.role, one.name) for one in conversation.all() if one.has(SHOWING)]
    assert any(role == "panel" and "too long" in name for role, name in read)
    assert ("label", "Nothing was sent. Your draft is still below.") in read
    assert ("push button", "Shorten the message") in read
    assert all(name for role, name in read if role == "push button")
    left, top, width, height = other.place
    at = (left + width // 2, top + height // 2)
    found = Thing(program.reader, *conversation.ask("Component", "GetAccessibleAtPoint", "iiu", *at, 0))
    assert other in [found, *found.all()]
