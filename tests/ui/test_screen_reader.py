"""The real program is read over the real accessibility bus, as a screen reader reads it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

pytest.importorskip("jeepney", reason="needs the package jeepney")

from tests.servers.accessibility_bus import ACTIVE, FOCUSED, SHOWING, Reader, Thing, desktop, give_keyboard, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this bus is Linux's"),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


F6, UP, RIGHT = 0xFFC3, 0xFF52, 0xFF53
SHIFT, CONTROL = 50, 37
"""Keys as X calls them: what is pressed by symbol, what is held by code."""
CODE = "Read this.\n```python\nprint(1)\n```\nSee https://example.org/there"


@pytest.fixture
def display() -> list[str]:
    """The name of the program's screen, once it runs."""
    return []


@pytest.fixture
def program(display: list[str]) -> Iterator[Thing]:
    """The window of a program that echoes, over the bus."""
    with tempfile.TemporaryDirectory(prefix="atspi-") as folder, desktop(Path(folder)) as around:
        command = [sys.executable, "-m", "desktop_app", "--data-dir", f"{folder}/data", "--backend", "scripted"]
        display.append(around.environ["DISPLAY"])
        running = subprocess.Popen(command, env=around.environ, stderr=subprocess.PIPE)
        try:
            yield around.reader.program()
        finally:
            running.terminate()
            _, said = running.communicate(timeout=PATIENCE_S)
            assert b"Traceback" not in said, said.decode()


def messages(program: Thing) -> list[Thing]:
    return program.find("list", "Conversation").children


def units(text: str) -> int:
    """Its length as Qt counts."""
    return len(text.encode("utf-16-le")) // 2


def chat(program: Thing, words: str) -> tuple[Thing, Thing]:
    """A question that was answered."""
    gauge = program.find("progress bar", "Context")
    field = program.find("text", "Message")
    assert field.ask("EditableText", "InsertText", "isi", 0, words, units(words))
    program.reader.until(lambda: "tokens used" in gauge.description, "the gauge's sentence")
    program.find("push button", "Send").press()
    program.reader.until(lambda: len(messages(program)) == 2, "question and answer")
    program.reader.until(lambda: announcements(program.reader), "its end")
    question, answer = messages(program)
    return question, answer


def heard_focus(reader: Reader, kept: list[str]) -> str:
    """The path of what last said that it got the keyboard, or none."""
    for one in reader.heard():
        if one.member == "StateChanged" and one.arguments[:2] == ("focused", 1):
            kept.append(one.path)
    return kept[-1] if kept else ""


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
    read = program.reader.until(
        lambda: [(one.role, one.name) for one in conversation.all() if one.has(SHOWING)], "the conversation"
    )
    assert any(role == "panel" and "too long" in name for role, name in read)
    assert ("label", "Nothing was sent. Your draft is still below.") in read
    assert ("push button", "Shorten the message") in read
    assert all(name for role, name in read if role == "push button")
    left, top, width, height = other.place
    at = (left + width // 2, top + height // 2)
    found = Thing(program.reader, *conversation.ask("Component", "GetAccessibleAtPoint", "iiu", *at, 0))
    assert other in [found, *found.all()]


def test_buttons_of_a_card_are_pressed_over_the_bus(program: Thing, display: list[str]) -> None:
    say(program, "The quick brown fox jumps over the lazy dog. " * 25_000)
    program.find("push button", "Shorten the message")
    give_keyboard(display[0])
    program.reader.until(lambda: program.children[0].has(ACTIVE), "the window's turn")
    field = program.find("text", "Message")
    program.find("list", "Conversation").ask("Action", "DoAction", "i", 0)
    program.reader.until(lambda: not field.has(FOCUSED), "the keyboard elsewhere")
    reader, kept = program.reader, list[str]()
    heard_focus(reader, kept)
    kept.clear()
    program.find("push button", "Shorten the message").press()
    # what is told of the focus comes later than the answer to who asks
    reader.until(lambda: heard_focus(reader, kept) == field.path, "the keyboard in the message")
    assert field.has(FOCUSED)
    assert field.text.startswith("The quick brown fox")
    kept.clear()
    program.find("push button", "Choose another model").press()
    reader.until(lambda: heard_focus(reader, kept), "the keyboard in the list of models")
    assert Thing(reader, program.program, kept[0]).name == "Search models"


def test_what_is_painted_in_a_message_is_pressed_over_the_bus(program: Thing) -> None:
    """Links and buttons of messages are no widgets: they are the message's actions."""
    question, answer = chat(program, CODE)
    names = [name for name, _, _ in question.ask("Action", "GetActions")]
    assert names == ["Keep as artifact", "Copy", "https://example.org/there"]
    assert question.ask("Action", "DoAction", "i", 1)
    program.reader.until(lambda: question.ask("Action", "GetActions")[1][0] == "Copied", "what the button says then")
    assert answer.ask("Action", "GetActions")


def test_a_messages_text_is_gone_through_over_the_bus(program: Thing) -> None:
    question, answer = chat(program, "One line.\nAnother one: \U0001f600 after it.")
    characters, words, lines = 0, 1, 4
    text = question.text
    read, at = [], 0
    while at < units(text):
        line, start, end = question.ask("Text", "GetStringAtOffset", "iu", at, lines)
        assert start == at < end
        read.append(line)
        at = end
    assert read == ["One line.\n", "Another one: \U0001f600 after it."]
    assert question.ask("Text", "GetStringAtOffset", "iu", text.index("line"), words)[0].strip() == "line"
    assert question.ask("Text", "GetStringAtOffset", "iu", 0, characters)[0] == "O"
    assert question.ask("Text", "GetText", "ii", 4, 8) == "line"
    assert answer.text.index("Another") > 0


def test_focus_is_followed_into_a_message_and_through_it(program: Thing, display: list[str]) -> None:
    chat(program, "hello world")
    reader = program.reader
    give_keyboard(display[0])
    reader.until(lambda: program.children[0].has(ACTIVE), "the window's turn")
    kept: list[str] = []
    heard_focus(reader, kept)
    reader.type_key(F6)
    answer = reader.until(lambda: _message_at(program, heard_focus(reader, kept)), "the keyboard in the conversation")
    assert answer.name.startswith("Assistant")
    reader.type_key(UP, CONTROL)
    question = reader.until(
        lambda: next(
            (one for one in messages(program) if one.name.startswith("You") and "Text" in one.interfaces), None
        ),
        "the question",
    )
    reader.until(lambda: "hello world" in question.text, "its text")
    reader.heard()
    reader.type_key(RIGHT, SHIFT)
    reader.type_key(RIGHT, SHIFT, CONTROL)
    moved: list[tuple[str, int]] = []

    def carets() -> bool:
        moved.extend((one.path, one.arguments[1]) for one in reader.heard() if one.member == "TextCaretMoved")
        return len(moved) > 1

    reader.until(carets, "the caret")
    spoken = Thing(reader, program.program, moved[0][0])
    assert [place for _, place in moved] == [1, 6]
    assert spoken.text == "hello world"
    assert spoken.caret == 6
    assert tuple(spoken.ask("Text", "GetSelection", "i", 0)) == (0, 6)


def _message_at(program: Thing, path: str) -> Thing | None:
    """What has the keyboard, if it is a message."""
    found = Thing(program.reader, program.program, path) if path else None
    return found if found is not None and found in messages(program) else None


def test_the_palette_opens_while_it_is_read(program: Thing, display: list[str]) -> None:
    chat(program, "hello")
    give_keyboard(display[0])
    program.reader.until(lambda: program.children[0].has(ACTIVE), "the window's turn")
    program.reader.type_key(ord("k"), CONTROL)
    program.find("combo box", "Command palette")
    program.find("text", "Find threads, messages, documents and actions")
