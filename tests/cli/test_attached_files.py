"""Files that go with a message of the command line."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from desktop_app.cli.options import AskOptions, ChatOptions, TurnOptions
from desktop_app.cli.parser import parse
from desktop_app.window_options import WindowOptions
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.documents.files import PIXEL, pdf, pdf_bomb
from tests.patience import PATIENCE_S


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "notes.txt").write_text("Some notes.\n")
    (folder / "dot.png").write_bytes(PIXEL)
    (folder / "report.pdf").write_bytes(pdf("Twenty words or so about ships.", "And a second page of them."))
    (folder / "old.txt").write_bytes("Grüße, Straße, überall Maß für Maß.\n".encode("cp1252"))
    return folder


def test_files_are_named_in_the_order_given() -> None:
    asked = parse(["ask", "--attach", "a.pdf", "hi", "--attach", "b c.png"])
    assert not isinstance(asked, WindowOptions)
    assert asked.command == AskOptions(TurnOptions(attach=("a.pdf", "b c.png")), "hi")
    chatting = parse(["chat", "--attach", "a.pdf"])
    assert not isinstance(chatting, WindowOptions)
    assert chatting.command == ChatOptions(TurnOptions(attach=("a.pdf",)))


def test_what_is_attached_comes_before_the_text_and_is_kept(here: Here, files: Path) -> None:
    paths = [str(files / name) for name in ("report.pdf", "dot.png")]
    ended = here("ask", "--json", "--attach", paths[0], "--attach", paths[1], "What is this?")

    assert (ended.status, ended.err) == (0, "")
    assert ended.text == "I was sent 1 message.\n\n1. user: [document] | [image] | What is this?"
    (context,) = ended.of("context")
    assert context["tokens"]["documents"] > 10
    assert context["tokens"]["total"] == sum(
        context["tokens"][part] for part in ("system", "tools", "documents", "history", "summary", "draft", "overhead")
    )

    question = here("show", ended.lines[-1]["thread"], "--json").json["messages"][0]
    document, image, text = question["parts"]
    assert document["type"] == "document"
    assert document["name"] == "report.pdf"
    assert document["text"].startswith("[Page 1]\nTwenty words")
    assert image["type"] == "image"
    assert base64.b64decode(image["data"]).startswith(b"\x89PNG")
    assert text == {"type": "text", "text": "What is this?"}
    assert question["text"] == "What is this?"


def test_a_message_from_standard_input_goes_with_its_files(here: Here, files: Path) -> None:
    ended = here("ask", "--attach", str(files / "dot.png"), stdin=b"What is this?\n")

    assert ended.status == 0
    assert "[image] | What is this?" in ended.out


def test_a_plain_show_names_what_is_attached(here: Here, files: Path) -> None:
    sent = here("ask", "--json", "--attach", str(files / "dot.png"), "--attach", str(files / "notes.txt"), "Look")

    shown = here("show", sent.lines[-1]["thread"]).out

    assert "\n[image] dot.png\n\n[document] notes.txt\n\nLook\n" in shown
    assert "Some notes." not in shown


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_missing_file_is_named_and_nothing_is_made(here: Here, files: Path, more: tuple[str, ...]) -> None:
    ended = here("ask", *more, "--attach", str(files / "notes.txt"), "--attach", str(files / "gone.pdf"), "hi")

    assert ended.status == 2
    words = "There is no file “gone.pdf”. Check the name, or whether it was moved."
    if more:
        (error,) = ended.lines
        assert (error["type"], error["code"], error["message"]) == ("error", "usage", words)
    else:
        assert (ended.out, ended.err) == ("", f"{words}\n")
    assert here("threads", "--json").json == []


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_of_a_folder_goes_what_can_be_read_and_the_rest_is_named(
    here: Here, tmp_path: Path, more: tuple[str, ...]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.txt").write_text("The pier is in the north.")
    (folder / "tool.bin").write_bytes(bytes(range(256)))
    ended = here("ask", *more, "--attach", str(folder), "hi")
    assert ended.status == 0
    told = " ".join(line["message"] for line in ended.of("notice")) if more else ended.err
    assert "“tool.bin” can't be read" in told
    assert "notes.txt" not in told
    (thread,) = here("threads", "--json").json
    (attached,) = [part for part in here("show", thread["id"], "--json").json["messages"][0]["parts"] if "name" in part]
    assert attached["name"] == "notes.txt"
    (folder / "notes.txt").unlink()
    assert here("ask", *more, "--attach", str(folder), "hi").status == 2, "nothing of it can be read"
    named = here("ask", "--attach", str(folder / "tool.bin"), "hi")
    assert (named.status, named.out) == (2, ""), "it was asked for by its name"


def test_what_a_folder_has_too_much_or_deeper_is_named_too(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.controller.attachments.MOST_OF_A_FOLDER", 2)
    folder = tmp_path / "folder"
    for name in ("a.txt", "b.txt", "c.txt", "deeper/d.txt", ".git/e.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"The pier of {name} is in the north.")
    ended = here("ask", "--attach", str(folder), "hi")
    assert ended.status == 0, ended.err
    assert "The folder “folder” has 3 files; the first 2 are attached." in ended.err
    assert "The folders in “folder” are not attached: “deeper”." in ended.err


def test_a_guess_is_told_beside_the_answer(here: Here, files: Path) -> None:
    words = "old.txt: Its encoding is not stated; it was read as Windows-1252, which is a guess."
    attach = ("--attach", str(files / "old.txt"))

    plain, lines = here("ask", *attach, "hi"), here("ask", "--json", *attach, "hi")

    assert words in plain.err
    assert words not in plain.out
    assert lines.of("notice") == [{"type": "notice", "code": "attachment", "message": words}]
    assert [line["type"] for line in lines.lines][:2] == ["context", "notice"]


def test_lines_of_chat_name_their_own_files(here: Here, files: Path) -> None:
    lines = [
        {"text": "one", "attach": [str(files / "notes.txt"), str(files / "dot.png")]},
        {"text": "two", "attach": [str(files / "gone.txt")]},
        {"text": "three", "attach": "notes.txt"},
        {"text": "four", "attach": [3]},
        {"text": "five", "attach": []},
        {"text": "six", "attach": None},
    ]
    ended = here("chat", "--json", stdin="\n".join(map(json.dumps, lines)).encode())

    assert ended.status == 2
    assert [line["type"] for line in ended.lines if line["type"] in ("done", "error")] == [
        *("done", "error", "error", "error", "done", "done")
    ]
    assert "1. user: [document] | [image] | one" in ended.text
    assert "“gone.txt”" in ended.of("error")[0]["message"]
    assert ["attach" in error["message"] for error in ended.of("error")] == [False, True, True]


def test_the_files_of_chat_go_with_its_first_message(here: Here, files: Path) -> None:
    ended = here("chat", "--attach", str(files / "notes.txt"), stdin=b"one\ntwo\n")

    assert ended.status == 0
    assert "1. user: [document] | one" in ended.out
    assert "3. user: two" in ended.out


def test_a_missing_file_ends_chat_before_anything_is_sent(here: Here, files: Path) -> None:
    ended = here("chat", "--attach", str(files / "gone.txt"), stdin=b"one\n")

    assert (ended.status, ended.out) == (2, "")
    assert "gone.txt" in ended.err


def test_the_file_of_a_thread_is_found_again_in_its_exports(here: Here, files: Path, tmp_path: Path) -> None:
    sent = here("ask", "--json", "--attach", str(files / "notes.txt"), "--attach", str(files / "dot.png"), "Look")
    thread = sent.lines[-1]["thread"]

    assert here("export", thread, "--format", "markdown", "--attached", "--output", str(tmp_path / "a.md")).status == 0
    assert here("export", thread, "--format", "json", "--output", str(tmp_path / "a.json")).status == 0

    assert "[document] notes.txt\n\n```\nSome notes.\n```\n\n[image] dot.png\n\nLook" in (tmp_path / "a.md").read_text()
    parts = json.loads((tmp_path / "a.json").read_text())["threads"][0]["messages"][0]["parts"]
    assert [part["type"] for part in parts] == ["document", "image", "text"]
    assert parts == here("show", thread, "--json").json["messages"][0]["parts"]


@pytest.mark.slow
def test_an_interrupt_ends_the_reading_of_a_file_that_takes_long(plimsoll: Plimsoll, tmp_path: Path) -> None:
    (tmp_path / "heavy.pdf").write_bytes(pdf_bomb(70_000_000))
    started = plimsoll.start("ask", "--json", "--attach", str(tmp_path / "heavy.pdf"), "hi", stdin=subprocess.DEVNULL)
    reading: list[psutil.Process] = []
    while not reading and started.poll() is None:
        reading = psutil.Process(started.pid).children()

    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=PATIENCE_S)

    assert (started.returncode, err) == (130, b"")
    assert json.loads(out) == {
        "type": "done",
        "thread": None,
        "message": None,
        "stop_reason": "interrupted",
        "context": None,
    }
    _, alive = psutil.wait_procs(reading, timeout=PATIENCE_S)
    assert not alive


def test_what_the_model_cannot_look_at_is_refused_and_kept_with_the_draft(here: Here, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf("", scanned=True))

    ended = here("ask", "--json", "--attach", str(tmp_path / "scan.pdf"), "What is this?")

    assert ended.status == 2
    (error,) = ended.of("error")
    assert "“scan.pdf” is a scan without text" in error["message"]
    assert error["actions"] == ["switch_model", "remove_attachment"]
    shown = here("show", error["thread"])
    assert shown.out.endswith("## Draft\n\n[document] scan.pdf\n\nWhat is this?\n")
    assert here("show", error["thread"], "--json").json["messages"] == []


def long_text(folder: Path) -> Path:
    lines = [f"Line {number}: boats lie at the pier." for number in range(60_000)]
    lines[50_000] = "The harbour master is called Ingeborg Vestergaard."
    (folder / "long.txt").write_text("\n".join(lines))
    return folder / "long.txt"


def test_of_a_document_that_does_not_fit_a_part_is_sent(here: Here, files: Path) -> None:
    path = long_text(files)
    whole = here("ask", "--json", "--attach", str(path), "Who is it?")
    assert whole.status == 4
    (error,) = whole.of("error")
    assert "shorten_document" in error["actions"]
    told = here("ask", "--attach", str(path), "Who is it?").err
    assert "Use the first 40K tokens of long.txt: plimsoll ask" in told
    assert "--attach FILE --first-tokens 40000 TEXT" in told

    sent = here("ask", "--json", "--attach", str(path), "--first-tokens", "40,000", "Who is it?")
    assert sent.status == 0
    (context,) = sent.of("context")
    assert 35_000 < context["tokens"]["documents"] <= 40_100
    (notice,) = sent.of("notice")
    assert notice["code"] == "attachment"
    assert notice["message"].startswith("long.txt: ")
    assert notice["message"].endswith(" tokens at its end are left out; the model can search them")
    thread = sent.lines[-1]["thread"]
    document = here("show", thread, "--json").json["messages"][0]["parts"][0]
    assert document["text"] == path.read_text()


def test_a_line_of_chat_says_how_much_of_its_documents_is_sent(here: Here, files: Path) -> None:
    path = long_text(files)
    lines = [
        {"text": "Who?", "attach": [str(path)], "first_tokens": 2_000},
        {"text": "What?", "first_tokens": "2000"},
        {"text": "And now?"},
    ]
    ended = here("chat", "--json", stdin="\n".join(map(json.dumps, lines)).encode())
    first, second = (context["tokens"]["documents"] for context in ended.of("context"))
    assert 1_500 < first <= 2_100
    # still that part: by now as the provider counted it, and no more than the estimate said at most
    assert 1_500 < second <= 2_100
    (error,) = ended.of("error")
    assert error["message"].startswith('Expected "first_tokens" to be a number of at least 100')


def test_a_part_of_nothing_is_bad_usage(here: Here, plimsoll: Plimsoll) -> None:
    assert here("ask", "--first-tokens", "2000", "Hello").status == 2
    for wrong in ("99", "many", "-5"):
        ended = plimsoll("ask", "--attach", "a.txt", f"--first-tokens={wrong}", "Hello")
        assert ended.status == 2
        assert "expected a number of at least 100" in ended.err
