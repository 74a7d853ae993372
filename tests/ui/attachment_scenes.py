"""Pictures of what is attached: chips, their warnings, reading, errors, and attachments in the transcript."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.messages import DocumentPart, ImagePart, Message, Part, TextPart
from tests.ui.attaching import PROSE, attach, drag_over, drawn, files, image, png, written
from tests.ui.long_threads import put_thread

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

ID = f"{88:032x}"
LONG_NAME = "Quartalsbericht der Donaudampfschifffahrtsgesellschaft, endgültige Fassung (3).txt"


def _files(window: OpenWindow) -> Path:
    return window.session.paths.root / "files"


async def _new(window: OpenWindow, width: int, height: int = 700) -> None:
    window.window.resize(width, height)
    window.shortcut("new_thread")
    await window.settled()


async def chips(window: OpenWindow) -> None:
    await _new(window, 1000)
    folder = _files(window)
    await attach(
        window,
        drawn(folder, "sky.png", 1280, 800),
        written(folder, "report.txt", PROSE * 700),
        written(folder, LONG_NAME, PROSE * 30),
        drawn(folder, "tower.png", 300, 900),
    )
    window.editor.setPlainText("What do these have in common?")


async def chips_narrow(window: OpenWindow) -> None:
    await _new(window, 480)
    window.shortcut("toggle_threads")
    folder = _files(window)
    names = (
        LONG_NAME,
        "データの説明と分析結果についての報告書.txt",
        "a.md",
        "notes.txt",
        "budget-2026.csv",
        "z.txt",
        "y.txt",
    )
    await attach(window, drawn(folder, "sky.png"), *(written(folder, n, f"{n} {PROSE * 9}") for n in names))
    window.editor.setPlainText("Sum these up, please.")


async def chips_unread(window: OpenWindow) -> None:
    """A model that sees no images, and the card after Send."""
    await _new(window, 1000)
    await attach(window, drawn(_files(window), "sky.png", 1280, 800), written(_files(window), "notes.txt"))
    window.composer.picker.model_chosen.emit("local", "small")
    await window.settled()
    window.editor.setPlainText("What do you see?")
    window.composer.send_requested.emit()
    await window.settled()


async def chips_reading(window: OpenWindow) -> None:
    await _new(window, 1000)
    await attach(window, written(_files(window), "notes.txt"))
    window.composer.show_attachments(window.composer.attachments, ["Annual report 2026.pdf"])
    window.editor.setPlainText("What changed since last year?")


async def chips_error(window: OpenWindow) -> None:
    await _new(window, 1000)
    folder = _files(window)
    broken = written(folder, "program.bin", "")
    broken.write_bytes(bytes(range(256)) * 20)
    await attach(window, written(folder, "notes.txt"), broken, folder / "gone.docx")
    window.editor.setPlainText("And these?")


async def long_paste(window: OpenWindow) -> None:
    await _new(window, 1000)
    from PySide6.QtCore import QMimeData

    data = QMimeData()
    data.setText(PROSE * 470)
    window.editor.insertFromMimeData(data)


async def queued_attachments(window: OpenWindow) -> None:
    from PySide6.QtCore import Qt

    from desktop_app.core.stream_events import TextDelta
    from tests.fakes.gated_backend import Gate

    await _new(window, 1000)
    window.composer.picker.model_chosen.emit("local", "big")
    await window.settled()
    local = window.services.backends["local"]
    local.reply(TextDelta("It went well in all regions."), Gate())  # type: ignore[attr-defined]
    window.enter("How was the quarter?")
    await window.until(lambda: window.composer.streaming, "the answer")
    await attach(window, written(_files(window), "report.txt"), written(_files(window), "plan.txt", "plan"))
    window.editor.setPlainText("Compare it with these.")
    window.press(Qt.Key.Key_Return)


async def dropping(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    drag_over(window, files(written(_files(window), "notes.txt")))


def _image(name: str, width: int, height: int, top: str = "#3a7bd5", bottom: str = "#f2c14e") -> ImagePart:
    data = base64.b64encode(png(image(width, height, top, bottom))).decode()
    return ImagePart(name, "image/png", data, width, height)


async def _shown_thread(window: OpenWindow) -> None:
    questions: list[tuple[Part, ...]] = [
        (
            _image("sky.png", 1280, 800),
            DocumentPart("report.pdf", PROSE * 400, "a" * 64, "application/pdf", {"pages": 12}),
            TextPart("What does the report say about the picture?"),
        ),
        (
            _image("one.png", 900, 600, "#27496d", "#e07a5f"),
            _image("two.png", 400, 900, "#283618", "#dda15e"),
            _image("three.png", 20, 20),
            ImagePart("broken.png", "image/png", "bm8gcGljdHVyZQ==", 300, 200),
            DocumentPart(LONG_NAME, PROSE * 30, "b" * 64),
            DocumentPart("notes.md", PROSE, "c" * 64),
        ),
    ]
    path: list[Message] = []
    for number, parts in enumerate(questions):
        above = path[-1].id if path else None
        stamp = f"2026-01-01T00:00:{2 * number:02}.000Z"
        path.append(Message(f"{number}q".rjust(32, "0"), ID, above, "user", parts, stamp))
        answer = (TextPart("The report describes a **good quarter**, and the sky agrees with it."),)
        path.append(Message(f"{number}a".rjust(32, "0"), ID, path[-1].id, "assistant", answer, stamp))
    await put_thread(window.session.paths.root, "Pictures and papers", tuple(path))
    window.presenters.thread_list.reload()
    await window.settled()
    await window.app_state.open_thread(ID)
    await window.settled()
    await asyncio.sleep(0.3)  # the pictures; this is no test


async def attached(window: OpenWindow) -> None:
    window.window.resize(1180, 1000)
    await _shown_thread(window)


async def attached_narrow(window: OpenWindow) -> None:
    window.window.resize(480, 900)
    window.shortcut("toggle_threads")
    await _shown_thread(window)


async def zoomed(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    await _shown_thread(window)
    window.presenters.attachment_viewer.open_of_message("0q".rjust(32, "0"), 0)
    await asyncio.sleep(0.3)  # the picture; this is no test


async def document(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    await _shown_thread(window)
    window.presenters.attachment_viewer.open_of_message("0q".rjust(32, "0"), 1)
    await window.settled()


ATTACHMENT_SCENES = (
    chips,
    chips_narrow,
    chips_unread,
    chips_reading,
    chips_error,
    long_paste,
    queued_attachments,
    dropping,
    attached,
    attached_narrow,
    zoomed,
    document,
)
