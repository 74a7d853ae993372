"""Files through the process that reads them: what becomes parts, what is refused, and that nothing is left running."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from PIL import Image

from desktop_app.core.attachment_facts import note_of, scanned_pages, scanned_pdf
from desktop_app.core.errors import UserError
from desktop_app.core.messages import DocumentPart, ImagePart
from desktop_app.documents.document_reader import DocumentReader, ReadingProcess, WorkerDocumentExtractor
from desktop_app.documents.file_opening import MOST_BYTES
from desktop_app.documents.reading_worker import NOT_DRAWN, worker_command
from desktop_app.system.own_processes import READ_DOCUMENTS, finding_the_package
from tests.documents.files import PIXEL, pdf
from tests.documents.office_files import open_document
from tests.documents.test_file_facts import SENTENCE, encrypted
from tests.patience import PATIENCE_S, until
from tests.unix import make_pipe

ENDLESS = [sys.executable, "-c", "import sys\nfor line in sys.stdin:\n    while True: pass"]
"""In place of the process that reads: one that never comes to an end with its order."""


@pytest.fixture
async def reader() -> AsyncIterator[DocumentReader]:
    made = DocumentReader()
    yield made
    await made.close()
    assert not readers_running()


def readers_running() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]


async def refusal(reader: DocumentReader, path: Path) -> str:
    with pytest.raises(UserError) as refused:
        await reader.read_file(path)
    assert refused.value.failure.code == "usage"
    return refused.value.failure.message


async def test_the_password_of_a_pdf_is_asked_for_until_it_is_right_or_none_is_given(
    reader: DocumentReader, tmp_path: Path
) -> None:
    locked = tmp_path / "locked.pdf"
    locked.write_bytes(encrypted("secret", "AES-256"))
    (tmp_path / "locked.odt").write_bytes(open_document("text", "<text:p>x</text:p>", manifest="<encryption-data/>"))
    assert "“locked.pdf” is protected by a password" in await refusal(reader, locked), "nobody can be asked"
    given, asked = ["wrong", "secret"], list[tuple[str, bool]]()

    async def answer(name: str, wrong: bool) -> str:
        asked.append((name, wrong))
        return given.pop(0) if given else ""

    reader.password_asker = answer
    part = await reader.read_file(locked)
    assert isinstance(part, DocumentPart)
    assert SENTENCE in part.text
    assert asked == [("locked.pdf", False), ("locked.pdf", True)]
    assert "protected by a password" in await refusal(reader, locked), "it is asked for again, and none is given"
    assert "protected by a password" in await refusal(reader, tmp_path / "locked.odt")
    assert len(asked) == 3, "only of a PDF"


async def test_the_password_of_a_projects_pdf_is_asked_for_unless_its_folder_is_followed(tmp_path: Path) -> None:
    locked = tmp_path / "locked.pdf"
    locked.write_bytes(encrypted("secret", "AES-256"))
    extractor = WorkerDocumentExtractor()

    async def answer(name: str, wrong: bool) -> str:
        return "secret"

    extractor.password_asker = answer
    try:
        assert SENTENCE in (await extractor.extract(locked)).text
        with pytest.raises(UserError, match="protected by a password"):
            await extractor.extract(locked, tmp_path)
    finally:
        await extractor.close()


async def test_files_become_parts_under_their_own_names(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Hello\n")
    (tmp_path / "dot.png").write_bytes(PIXEL)
    (tmp_path / "report.pdf").write_bytes(pdf("Some words on the first page."))

    text, image, document = [await reader.read_file(tmp_path / n) for n in ("notes.md", "dot.png", "report.pdf")]

    assert text == DocumentPart("notes.md", "# Hello\n", hashlib.sha256(b"# Hello\n").hexdigest(), "text/markdown")
    assert isinstance(image, ImagePart)
    assert (image.name, image.media_type, image.width, image.height) == ("dot.png", "image/png", 1, 1)
    assert isinstance(document, DocumentPart)
    assert document.text == "[Page 1]\nSome words on the first page."
    assert document.extra == {"pages": 1}


async def test_a_scan_carries_its_pages(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf("", "", "", scanned=True))

    scan = await reader.read_file(tmp_path / "scan.pdf")

    assert scanned_pdf(scan)
    assert scanned_pages(scan) == 3
    assert "scan" in note_of(scan)


async def test_pasted_pictures_and_texts_become_parts(reader: DocumentReader) -> None:
    image = await reader.read_image(PIXEL, "/tmp/Pasted\nimage.png")
    text = await reader.read_text("a long text\r\n", "Pasted text.txt")

    assert (image.name, image.media_type) == ("Pasted image.png", "image/png")
    assert (text.name, text.text) == ("Pasted text.txt", "a long text\r\n")


async def test_what_is_no_picture_is_refused(reader: DocumentReader) -> None:
    with pytest.raises(UserError, match=r"pasted\.png"):
        await reader.read_image(b"not a picture", "pasted.png")
    with pytest.raises(UserError, match="is empty"):
        await reader.read_text("  \n", "Pasted text")


async def test_a_link_leads_to_its_file_and_a_broken_one_nowhere(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "link.md").symlink_to("a.txt")
    (tmp_path / "broken.txt").symlink_to("nothing")
    (tmp_path / "loop.txt").symlink_to("loop.txt")

    assert (await reader.read_file(tmp_path / "link.md")).name == "link.md"
    assert "There is no file “broken.txt”" in await refusal(reader, tmp_path / "broken.txt")
    assert "There is no file “loop.txt”" in await refusal(reader, tmp_path / "loop.txt")


async def test_what_is_no_file_is_refused_at_once(reader: DocumentReader, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")
    (tmp_path / "zeros.png").symlink_to("/dev/zero")

    assert "is a device or a pipe" in await refusal(reader, tmp_path / "pipe")
    assert "is a device or a pipe" in await refusal(reader, tmp_path / "zeros.png")
    assert "is a folder" in await refusal(reader, tmp_path)
    assert "There is no file “gone.txt”" in await refusal(reader, tmp_path / "gone.txt")


async def test_a_file_over_the_limit_is_not_read(reader: DocumentReader, tmp_path: Path) -> None:
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(MOST_BYTES + 1)

    words = "“huge.txt” is 50 MB; the limit is 50 MB. Projects take documents of up to 200 MB."
    assert words in await refusal(reader, tmp_path / "huge.txt")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to this user")
async def test_a_forbidden_file_is_named(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "secret.txt").chmod(0)

    assert "no permission to read “secret.txt”" in await refusal(reader, tmp_path / "secret.txt")


async def test_a_wrong_ending_does_not_matter(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "photo.txt").write_bytes(PIXEL)
    (tmp_path / "text.png").write_text("just words")

    assert isinstance(await reader.read_file(tmp_path / "photo.txt"), ImagePart)
    assert isinstance(await reader.read_file(tmp_path / "text.png"), DocumentPart)


async def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    reader = DocumentReader(command=ENDLESS, time_limit_s=0.3)
    (tmp_path / "a.txt").write_text("x")
    try:
        async with asyncio.timeout(PATIENCE_S):
            assert "“a.txt” takes too much time or memory" in await refusal(reader, tmp_path / "a.txt")
        assert not readers_running()
    finally:
        await reader.close()


async def test_a_process_that_died_is_replaced(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    await reader.read_file(tmp_path / "a.txt")
    (first,) = readers_running()
    first.kill()
    await asyncio.to_thread(first.wait, PATIENCE_S)

    assert "takes too much" in await refusal(reader, tmp_path / "a.txt")
    assert (await reader.read_file(tmp_path / "a.txt")).name == "a.txt"


async def test_a_reading_that_is_cancelled_ends_its_process(tmp_path: Path) -> None:
    reader = DocumentReader(command=ENDLESS)
    (tmp_path / "a.txt").write_text("x")
    reading = asyncio.ensure_future(reader.read_file(tmp_path / "a.txt"))
    await until(readers_running, "the process that reads")
    (running,) = readers_running()

    reading.cancel()
    await asyncio.wait({reading})

    assert reading.cancelled()
    try:
        await asyncio.to_thread(running.wait, PATIENCE_S)
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            running.kill()
        await reader.close()


async def test_a_reading_that_is_cancelled_before_its_thread_began_leaves_no_process(tmp_path: Path) -> None:
    """All threads are busy: the order was never given, so nobody who waits for its answer clears up."""
    (tmp_path / "a.txt").write_text("x")
    reader, busy = DocumentReader(command=ENDLESS), threading.Event()
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    waiting = loop.run_in_executor(None, busy.wait)
    reading = asyncio.ensure_future(reader.read_file(tmp_path / "a.txt"))
    await until(readers_running, "the process that reads")
    (running,) = readers_running()

    reading.cancel()
    await asyncio.wait({reading})

    try:
        deadline = loop.time() + PATIENCE_S
        while psutil.pid_exists(running.pid):
            assert loop.time() < deadline, "nobody has asked how the process ended"
            await asyncio.sleep(0.01)
    finally:
        busy.set()
        await waiting
        await reader.close()


async def test_a_process_without_work_ends(tmp_path: Path) -> None:
    reader = DocumentReader(idle_s=0.05)
    (tmp_path / "a.txt").write_text("x")
    await reader.read_file(tmp_path / "a.txt")
    (running,) = readers_running()

    # the loop has to run for its end
    await asyncio.to_thread(psutil.wait_procs, [running], PATIENCE_S)

    assert not readers_running()
    await reader.close()


async def test_readings_wait_for_each_other_and_closing_ends_them(tmp_path: Path) -> None:
    reader = DocumentReader()
    paths = [tmp_path / f"{number}.txt" for number in range(5)]
    for path in paths:
        path.write_text(path.name)

    parts = await asyncio.gather(*map(reader.read_file, paths))

    assert [part.name for part in parts] == [path.name for path in paths]
    assert len(readers_running()) == 1
    await reader.close()
    assert not readers_running()
    with pytest.raises(UserError):
        await reader.read_file(paths[0])
    assert not readers_running()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
async def test_the_process_is_held_to_its_memory(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    await reader.read_file(tmp_path / "a.txt")
    (running,) = readers_running()

    if sys.platform == "linux":
        assert running.rlimit(psutil.RLIMIT_AS)[0] < 2**31
        assert running.rlimit(psutil.RLIMIT_FSIZE)[0] == 0
    assert not [name for name in running.environ() if name.endswith(("_KEY", "_TOKEN"))]


def test_the_frozen_app_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert worker_command() == [sys.executable, READ_DOCUMENTS]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_the_process_ends_with_an_app_that_is_killed(tmp_path: Path) -> None:
    """The app is killed while a file is being read: the process that reads notices the end of its input."""
    (tmp_path / "a.txt").write_text("x")
    app = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from desktop_app.documents.document_reader import DocumentReader\n"
        "async def main():\n"
        "    reader = DocumentReader()\n"
        f"    await reader.read_file(Path({str(tmp_path / 'a.txt')!r}))\n"
        "    print('read', flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    environ = finding_the_package(os.environ)
    started = subprocess.Popen([sys.executable, "-c", app], stdout=subprocess.PIPE, env=environ)
    assert started.stdout is not None
    assert started.stdout.readline() == b"read\n"
    children = psutil.Process(started.pid).children()
    assert len(children) == 1

    started.kill()
    started.wait(PATIENCE_S)
    started.stdout.close()

    _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert not alive


def test_the_hidden_argument_makes_the_app_this_process() -> None:
    order = b'{"name": "a.txt", "read": "text", "data": "hello"}\n'
    command = [sys.executable, "-m", "desktop_app", READ_DOCUMENTS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        started.stdin.write(order)
        started.stdin.flush()

        assert json.loads(started.stdout.readline())["text"] == "hello"

        started.stdin.close()
        assert started.wait(PATIENCE_S) == 0


async def test_a_missing_part_of_the_program_is_told_as_such(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    program = (
        "import sys\n"
        "from desktop_app.documents import reading_worker\n"
        "sys.modules['desktop_app.documents.text_extraction'] = None\n"
        "reading_worker.main()\n"
    )
    reader = DocumentReader(command=[sys.executable, "-c", program])
    (tmp_path / "a.txt").write_text("secret words")
    try:
        with pytest.raises(UserError) as refused:
            await reader.read_file(tmp_path / "a.txt")
    finally:
        await reader.close()
    said = refused.value.failure.message
    assert refused.value.failure.code == "config"
    assert "a part of Plimsoll is missing (desktop_app.documents.text_extraction). Install Plimsoll again." in said
    assert "reading_worker.py" in caplog.text
    assert "secret" not in caplog.text


async def test_what_a_reader_did_not_foresee_is_told_and_logged_with_its_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And the process goes on: one file of a folder holds up no other."""
    program = (
        "from desktop_app.documents import text_extraction, reading_worker\n"
        "def fails(path, password):\n"
        "    if path.name == 'a.txt': raise OverflowError('secret words')\n"
        "    return real(path, password)\n"
        "real, text_extraction.facts_of_file = text_extraction.facts_of_file, fails\n"
        "reading_worker.main()\n"
    )
    reader = DocumentReader(command=[sys.executable, "-c", program])
    (tmp_path / "a.txt").write_text("secret words")
    (tmp_path / "b.txt").write_text("b")
    try:
        with pytest.raises(UserError, match=r"“a.txt” is damaged or not what its name says") as refused:
            await reader.read_file(tmp_path / "a.txt")
        before = readers_running()
        assert (await reader.read_file(tmp_path / "b.txt")).name == "b.txt"
        assert readers_running() == before
    finally:
        await reader.close()
    for told in (refused.value.failure.detail, caplog.text):
        assert "OverflowError" in told
        assert "reading_worker.py" in told
        assert "secret" not in told


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(("name", "limit_s"), [("SIGXCPU", PATIENCE_S), ("longer than 0.3 s", 0.3)])
async def test_what_ended_a_reader_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, limit_s: float
) -> None:
    dying = "import os, signal, sys; sys.stdin.readline(); os.kill(os.getpid(), signal.SIGXCPU)"
    command = ENDLESS if limit_s < 1 else [sys.executable, "-c", dying]
    reader = DocumentReader(command=command, time_limit_s=limit_s)
    (tmp_path / "a.txt").write_text("x")
    try:
        assert "takes too much" in await refusal(reader, tmp_path / "a.txt")
    finally:
        await reader.close()
    assert name in caplog.text


FLOW = "flowchart LR\n  ask[Type a question] --> see{What will it see?} -->|all| send([Send])"


async def test_a_diagram_is_drawn_as_large_as_it_was_asked_for(reader: DocumentReader) -> None:
    once, twice = [Image.open(io.BytesIO(await reader.draw_diagram(FLOW, "Flow", scale))) for scale in (1.0, 2.0)]
    assert once.width > 200
    assert (twice.width, twice.height) == pytest.approx((2 * once.width, 2 * once.height), abs=2)
    dark = sum(once.convert("L").histogram()[:100])
    assert 0.005 < dark / (once.width * once.height) < 0.2, "the words and arrows of the diagram on white paper"


async def test_a_diagram_in_a_dark_theme_has_no_paper_and_keeps_its_colors(reader: DocumentReader) -> None:
    text = f"{FLOW}\n style ask fill:#fdd,stroke:#a33"
    light, dark = pictures = [
        Image.open(io.BytesIO(await reader.draw_diagram(text, "Flow", 1.0, dark=dark))).convert("RGBA")
        for dark in (False, True)
    ]
    assert light.size == dark.size
    assert [one.getchannel("A").getpixel((1, 1)) for one in pictures] == [255, 0]
    paper = Image.new("RGBA", dark.size, "#121619")
    paper.alpha_composite(dark)
    assert sum(paper.convert("L").histogram()[150:]) > 200, "light words and arrows"
    red, green, _, _ = (channel.tobytes() for channel in dark.split())
    reds = sum(g + 10 < r < 110 for r, g in zip(red, green, strict=True))
    assert reds > 500, "the box that the text makes red is a dark red"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Dear all,", "No Mermaid diagram type detected"),
        ("flowchart TD\n A[open", r"drawn \(Unterminated node label"),
        ("flowchart TD\n" + "\n".join(f"a{n} --> a{n * 7 % 9973}" for n in range(9000)), "it takes too much time"),
    ],
)
async def test_what_is_no_diagram_says_why(reader: DocumentReader, text: str, why: str) -> None:
    with pytest.raises(UserError, match=f"“Flow” is shown as text: .*{why}"):
        await reader.draw_diagram(text, "Flow", 2.0)


async def test_a_diagram_that_takes_too_long_says_so() -> None:
    stuck = ReadingProcess(ENDLESS, time_limit_s=0.3, failed=NOT_DRAWN)
    with pytest.raises(UserError, match="“Flow” is shown as text: it takes too much time"):
        await stuck.ask("Flow", {"read": "diagram"})
    await stuck.close()


async def test_a_diagram_shows_nothing_of_this_computers_files(reader: DocumentReader, tmp_path: Path) -> None:
    """A picture that a text names by its path is not read: the diagram is the same whatever stands there."""
    canary = tmp_path / "canary.png"
    texts = [
        f'flowchart LR\n A["<img src={place} width=80>"]\n B@{{ img: "{place}", w: 80, h: 80 }}'
        for place in (str(canary), canary.as_uri())
    ]
    before = [await reader.draw_diagram(text, "Flow", 1.0) for text in texts]
    Image.new("RGB", (80, 80), "black").save(canary)
    assert [await reader.draw_diagram(text, "Flow", 1.0) for text in texts] == before
