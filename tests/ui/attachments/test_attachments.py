"""What is attached to a message: pasted, dropped, removed, taken back, sent, kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QDir, QMimeData, QPoint, QStandardPaths, Qt
from PySide6.QtGui import QAccessible, QDragLeaveEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.errors import UserError
from desktop_app.core.messages import DocumentPart, ImagePart, TextPart
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.i18n.content_words import thousands
from tests.fakes.gated_backend import Gate
from tests.ui.attaching import (
    PROSE,
    attach,
    drag_over,
    drawn,
    drop,
    files,
    image,
    named,
    paste,
    rested,
    shown,
    stored,
    written,
)
from tests.ui.inspector.inspecting import talked
from tests.ui.long_threads import long_path, put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_a_pasted_picture_becomes_a_chip_and_is_kept(window: OpenWindow) -> None:
    data = QMimeData()
    data.setImageData(image(640, 400))
    paste(window, data)
    await rested(window)
    assert shown(window) == ["Pasted image.png"]
    assert window.composer.text() == ""
    (part,) = window.composer.attachments
    assert isinstance(part, ImagePart)
    assert (part.width, part.height) == (640, 400)
    assert await stored(window) == ["Pasted image.png"]
    another = QMimeData()
    another.setImageData(image(640, 400, "#000000"))
    paste(window, another)
    await rested(window)
    assert shown(window) == ["Pasted image.png", "Pasted image 2.png"]


async def test_files_from_a_file_manager_are_attached_and_not_pasted_as_text(
    window: OpenWindow, tmp_path: Path
) -> None:
    data = files(written(tmp_path, "report.md"), drawn(tmp_path, "sky.png"))
    data.setText("/somewhere/report.md")
    paste(window, data)
    await rested(window)
    assert shown(window) == ["report.md", "sky.png"]
    assert window.composer.text() == ""


async def test_text_beside_a_picture_of_it_is_pasted_as_text(window: OpenWindow) -> None:
    data = QMimeData()
    data.setText("A1\tB1")
    data.setImageData(image(64, 40))
    paste(window, data)
    await window.settled()
    assert window.composer.text() == "A1\tB1"
    assert shown(window) == []


async def test_files_are_dropped_anywhere_on_the_pane(window: OpenWindow, tmp_path: Path) -> None:
    data = files(written(tmp_path, "notes.txt"))
    target = window.window.drop_target
    assert not target.isVisible()
    editor = window.editor
    for place in (None, editor.mapTo(window.window.centre, editor.rect().center()), QPoint(20, 20)):
        assert drag_over(window, data, place)
        assert target.isVisible()
        assert target.geometry() == window.window.centre.rect()
        QApplication.sendEvent(target, QDragLeaveEvent())
        assert not target.isVisible()
    assert drag_over(window, data)
    drop(window, data)
    assert not target.isVisible()
    await rested(window)
    assert shown(window) == ["notes.txt"]


async def test_plain_text_is_dropped_into_the_text_and_nowhere_else(window: OpenWindow) -> None:
    data = QMimeData()
    data.setText("words")
    assert not drag_over(window, data)
    assert not window.window.drop_target.isVisible()


async def test_a_folder_brings_the_files_in_it(window: OpenWindow, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt"):
        written(tmp_path / "folder", name, f"{name} {PROSE}")
    data = files(tmp_path / "folder")
    assert drag_over(window, data)
    drop(window, data)
    await rested(window)
    assert shown(window) == ["a.txt", "b.txt"]


async def test_the_button_and_the_keys_ask_for_files(window: OpenWindow, tmp_path: Path) -> None:
    path = written(tmp_path, "chosen.txt")
    window.window.activateWindow()
    window.composer.attach.click()
    await window.until(lambda: window.window.findChild(QFileDialog), "the dialog")
    dialog = window.window.findChild(QFileDialog)
    assert dialog is not None
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    assert dialog.directory().absolutePath() in (documents, QDir.homePath()), "home where there are none"
    assert field.text() == "", "no folder that is not there"
    field.setText(str(path))
    dialog.accept()
    await rested(window)
    assert shown(window) == ["chosen.txt"]
    assert window.window.actions_by_id["attach_files"].shortcut().toString() == "Ctrl+Shift+A"
    await window.until(lambda: window.window.findChild(QFileDialog) is None, "the dialog's end")
    window.composer.attach.click()
    await window.until(lambda: window.window.findChild(QFileDialog), "the dialog again")
    again = window.window.findChild(QFileDialog)
    assert again is not None
    assert again.directory().absolutePath() == str(tmp_path), "where something was chosen last"
    again.reject()


async def test_what_can_not_be_attached_is_said_and_the_rest_is(window: OpenWindow, tmp_path: Path) -> None:
    broken = tmp_path / "program.bin"
    broken.write_bytes(bytes(range(256)) * 20)
    paste(window, files(written(tmp_path, "good.txt"), broken, tmp_path / "gone.txt"))
    await rested(window)
    assert shown(window) == ["good.txt"]
    assert "program.bin" in window.composer.problem
    assert "gone.txt" in window.composer.problem
    await attach(window, written(tmp_path, "other.txt", "other"))
    assert "gone.txt" in window.composer.problem, "it stays until it is read"
    window.composer.line("problem").cross.click()
    assert window.composer.problem == ""


class GatedReader:
    """Reads a file when the test lets it, but `gone.txt`."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def read_file(self, path: Path) -> DocumentPart:
        self.reached.set()
        await self.opened.wait()
        if path.name == "gone.txt":
            raise UserError("usage", "There is no file gone.txt.")
        return DocumentPart(path.name, f"text of {path.name}", path.name.encode().hex().ljust(64, "0"))

    async def read_image(self, data: bytes, name: str) -> ImagePart:
        raise AssertionError(name)

    async def read_text(self, text: str, name: str) -> DocumentPart:
        raise AssertionError(name)


@pytest.fixture
def reader(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> GatedReader:
    made = GatedReader()
    monkeypatch.setattr(window.services.attachments, "reader", made)
    return made


async def test_the_window_goes_on_while_a_file_is_read_and_nothing_leaves_without_it(
    window: OpenWindow, reader: GatedReader, tmp_path: Path
) -> None:
    window.type("Sum it up")
    window.presenters.attachments.add_files([written(tmp_path, "slow.txt")])
    await window.until(reader.reached.is_set, "the reading")
    assert window.composer.reading == ("slow.txt",)
    (chip,) = window.composer.tray.chips
    assert chip.accessibleName() == "Reading slow.txt"
    assert not window.composer.button.isEnabled()
    window.press(Qt.Key.Key_Return)
    assert window.composer.problem == "Sends when the attachments are ready. Esc cancels."
    assert window.backend.plans == []
    window.type(", please")
    reader.opened.set()
    await rested(window)
    assert shown(window) == ["slow.txt"]
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    assert window.composer.problem == ""


async def test_what_is_sent_while_a_file_is_read_goes_when_it_is_attached(
    window: OpenWindow, reader: GatedReader, tmp_path: Path
) -> None:
    window.type("Sum it up")
    window.presenters.attachments.add_files([written(tmp_path, "slow.txt")])
    window.press(Qt.Key.Key_Return)  # before anything could be read, or even be shown
    await window.until(reader.reached.is_set, "the reading")
    assert window.backend.plans == []
    reader.opened.set()
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    question = (await window.opened_thread()).path[0]
    assert [type(part) for part in question.parts] == [DocumentPart, TextPart]
    assert window.composer.problem == ""


@pytest.mark.parametrize("way", ["escape", "cancel", "fail"])
async def test_what_waits_for_a_file_stays_where_its_writer_or_the_file_says_no(
    window: OpenWindow, reader: GatedReader, tmp_path: Path, way: str
) -> None:
    window.type("Sum it up")
    slow = written(tmp_path, "slow.txt")
    window.presenters.attachments.add_files([slow, tmp_path / "gone.txt"] if way == "fail" else [slow])
    await window.until(reader.reached.is_set, "the reading")
    window.press(Qt.Key.Key_Return)
    if way == "escape":
        window.press(Qt.Key.Key_Escape)
    elif way == "cancel":
        window.composer.tray.chips[0].cross.click()
    reader.opened.set()
    await rested(window)
    await window.settled()
    assert window.backend.plans == []
    assert window.composer.text() == "Sum it up"


async def test_reading_can_be_cancelled(window: OpenWindow, reader: GatedReader, tmp_path: Path) -> None:
    window.presenters.attachments.add_files([written(tmp_path, "slow.txt")])
    await window.until(reader.reached.is_set, "the reading")
    window.composer.tray.chips[0].cross.click()
    await rested(window)
    reader.opened.set()
    await window.settled()
    assert shown(window) == []
    assert await stored(window) == []
    assert window.composer.problem == ""
    assert not window.composer.tray.isVisible()


async def test_a_file_goes_to_the_thread_it_was_dropped_on(
    window: OpenWindow, reader: GatedReader, tmp_path: Path
) -> None:
    await window.send("first")
    first = str(window.app_state.thread_id)
    window.presenters.attachments.add_files([written(tmp_path, "slow.txt")])
    await window.until(reader.reached.is_set, "the reading")
    window.shortcut("new_thread")
    assert window.composer.reading == ()
    window.type("second")
    await window.until(lambda: window.app_state.thread_id not in (None, first), "the second thread")
    reader.opened.set()
    await rested(window)
    assert shown(window) == []
    await window.choose_thread(first)
    assert shown(window) == ["slow.txt"]


async def test_closing_while_a_file_is_read_waits_for_nothing(data_dir: Path, tmp_path: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        reader = GatedReader()
        window.services.attachments.reader = reader
        window.type("draft")
        window.presenters.attachments.add_files([written(tmp_path, "slow.txt")])
        await window.until(reader.reached.is_set, "the reading")
    async with OpenWindow.opened(data_dir) as window:
        assert window.composer.text() == "draft"
        await window.settled()
        assert shown(window) == []


async def test_a_model_that_sees_no_images_says_so_before_and_after_send(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, drawn(tmp_path, "sky.png"), written(tmp_path, "notes.txt"))
    await window.until(lambda: window.composer.tray.chips[0].told.warning, "the warning")
    assert window.composer.tray.chips[0].told.warning == "big can't look at images"
    assert "big can't look at images" in window.composer.tray.chips[0].accessibleName()
    assert not window.composer.tray.chips[1].told.warning
    window.enter("What is this?")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert window.backend.plans == []
    assert shown(window) == ["sky.png", "notes.txt"]
    card = window.presenters.error_cards.card
    assert card is not None
    button = card.button("remove_attachment")
    assert button is not None
    button.click()
    await window.settled()
    assert shown(window) == ["notes.txt"]
    await window.until(lambda: card.resolved, "the card's end")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")


async def test_removing_is_taken_back_with_undo_until_something_is_typed(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, *(written(tmp_path, name, name + PROSE) for name in ("a.txt", "b.txt", "c.txt")))
    chips = window.composer.tray.chips
    chips[1].setFocus()
    window.press(Qt.Key.Key_Delete, widget=chips[1])
    assert shown(window) == ["a.txt", "c.txt"]
    await window.settled()
    assert await stored(window) == ["a.txt", "c.txt"]
    assert window.composer.tray.chips[1].hasFocus()
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, window.composer.tray.chips[1])
    await window.settled()
    assert shown(window) == ["a.txt", "b.txt", "c.txt"]
    assert await stored(window) == ["a.txt", "b.txt", "c.txt"]
    window.composer.tray.chips[0].cross.click()
    assert shown(window) == ["b.txt", "c.txt"]
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shown(window) == ["a.txt", "b.txt", "c.txt"]
    window.composer.tray.chips[0].cross.click()
    window.type("x")
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.composer.text() == ""
    assert shown(window) == ["b.txt", "c.txt"]
    await window.settled()


async def test_the_keyboard_goes_through_the_chips(window: OpenWindow, tmp_path: Path) -> None:
    window.window.resize(700, 700)
    await attach(window, *(written(tmp_path, f"{n}.txt", f"{n} {PROSE}") for n in range(12)))
    window.window.activateWindow()
    window.composer.focus_editor()
    window.press(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    chips = window.composer.tray.chips
    assert chips[0].hasFocus()
    window.press(Qt.Key.Key_Right, widget=chips[0])
    assert chips[1].hasFocus()
    window.press(Qt.Key.Key_Down, widget=chips[1])
    below = next(n for n, chip in enumerate(chips) if chip.hasFocus())
    assert chips[below].y() > chips[1].y()
    window.press(Qt.Key.Key_End, widget=chips[below])
    assert chips[11].hasFocus()
    window.press(Qt.Key.Key_Tab, widget=chips[11])
    assert window.editor.hasFocus()
    # the tray is one stop: it remembers where the keyboard was
    window.press(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert chips[11].hasFocus()


async def test_chips_tell_name_kind_and_tokens(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "report.txt", PROSE * 400))
    await window.until(lambda: window.composer.tray.chips[0].told.tokens, "the tokens")
    chip = window.composer.tray.chips[0]
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert plan.tokens.documents > 5_000
    assert chip.told.tokens == f"≈ {plan.tokens.documents / 1000:.1f}K"
    reader = QAccessible.queryAccessibleInterface(chip)
    said = reader.text(QAccessible.Text.Name)
    assert said.startswith("report.txt, document, about ")
    assert said.endswith(" tokens")
    assert chip.cross.accessibleName() == "Remove report.txt"
    assert "characters" in chip.toolTip()


async def test_the_gauge_counts_text_and_attachments_together(window: OpenWindow, tmp_path: Path) -> None:
    window.type("What does it say?")
    await window.settled()
    before = window.presenters.gauge.plan
    assert before is not None
    await attach(window, written(tmp_path, "report.txt", PROSE * 400))
    after = window.presenters.gauge.plan
    assert after is not None
    assert after.tokens.total - before.tokens.total == pytest.approx(after.tokens.documents, abs=3)
    assert after.request.pending is not None
    assert [type(block) for block in after.request.pending.blocks] == [DocumentPart, TextPart]
    window.composer.tray.chips[0].cross.click()
    await window.settled()
    assert window.presenters.gauge.plan == before


async def test_attachments_are_sent_before_the_text(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "report.txt"))
    window.enter("What does it say?")
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    question = (await window.opened_thread()).path[0]
    assert [type(part) for part in question.parts] == [DocumentPart, TextPart]
    assert shown(window) == []
    assert await stored(window) == []
    assert not window.composer.tray.isVisible()


async def test_attachments_alone_are_a_message(window: OpenWindow, tmp_path: Path) -> None:
    assert not window.composer.button.isEnabled()
    await attach(window, written(tmp_path, "report.txt"))
    assert window.composer.button.isEnabled()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    assert named((await window.opened_thread()).path[0].parts) == ["report.txt"]
    assert shown(window) == []


async def test_a_refused_message_keeps_its_chips_and_its_document_can_be_taken_off(
    window: OpenWindow, tmp_path: Path
) -> None:
    await attach(window, written(tmp_path, "huge.txt", PROSE * 12_000), written(tmp_path, "small.txt"))
    window.enter("Sum this up")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert shown(window) == ["huge.txt", "small.txt"]
    assert window.composer.text() == "Sum this up"
    assert await stored(window) == ["huge.txt", "small.txt"]
    assert window.backend.plans == []
    card = window.presenters.error_cards.card
    assert card is not None
    button = card.button("remove_document")
    assert button is not None
    assert button.text() == "Remove huge.txt"
    button.click()
    await window.settled()
    assert shown(window) == ["small.txt"]
    await window.until(lambda: card.resolved, "the card's end")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    assert named(attachments_of((await window.opened_thread()).path[0].parts)) == ["small.txt"]


async def test_attachments_survive_a_restart(data_dir: Path, tmp_path: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await attach(window, written(tmp_path, "report.txt"))
        thread_id = window.app_state.thread_id
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.thread_id == thread_id
        await window.until(lambda: shown(window), "the chips")
        assert shown(window) == ["report.txt"]
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: window.backend.plans, "the request")
        await window.until(lambda: not window.composer.streaming, "the answer")


async def test_of_many_files_that_can_not_be_attached_all_are_shown_on_demand(
    window: OpenWindow, tmp_path: Path
) -> None:
    window.presenters.attachments.add_files([tmp_path / f"gone{number}.txt" for number in range(5)])
    await window.until(lambda: window.composer.problem, "what could not be attached")
    assert window.composer.problem.splitlines()[3:] == ["And 2 more."]
    line = window.composer.line("problem")
    line.button.click()
    assert [f"gone{number}.txt" in words for number, words in enumerate(window.composer.problem.splitlines())] == [
        True
    ] * 5
    assert not line.button.isVisible()


async def test_each_thread_has_its_own_attachments(window: OpenWindow, tmp_path: Path) -> None:
    await window.send("one")
    first = window.app_state.thread_id
    assert first is not None
    await attach(window, written(tmp_path, "one.txt"))
    window.shortcut("new_thread")
    assert shown(window) == []
    await window.settled()
    await attach(window, written(tmp_path, "two.txt"))
    second = window.app_state.thread_id
    assert second not in (None, first)
    await window.choose_thread(first)
    assert shown(window) == ["one.txt"]
    await window.choose_thread(str(second))
    assert shown(window) == ["two.txt"]


async def test_a_queued_message_takes_its_attachments_along(window: OpenWindow, tmp_path: Path) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    await attach(window, written(tmp_path, "queued.txt"))
    window.enter("second")
    assert shown(window) == []
    assert "queued.txt" in window.composer.queue.rows[0].accessibleName()
    await attach(window, written(tmp_path, "later.txt", "later"))
    assert shown(window) == ["later.txt"]
    assert await stored(window) == ["queued.txt", "later.txt"]
    # taken back, both stand there again
    window.press(Qt.Key.Key_Escape)
    assert window.composer.text() == "second"
    assert shown(window) == ["queued.txt", "later.txt"]
    window.composer.tray.chips[1].cross.click()
    await window.settled()
    window.composer.focus_editor()
    window.press(Qt.Key.Key_Return)
    await attach(window, written(tmp_path, "later.txt", "later"))
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 2, "the queued message")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    question = (await window.opened_thread()).path[2]
    assert named(attachments_of(question.parts)) == ["queued.txt"]
    assert shown(window) == ["later.txt"]
    assert await stored(window) == ["later.txt"]


async def test_a_queued_attachment_survives_a_crash_of_the_window(data_dir: Path, tmp_path: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        gate = Gate()
        window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        await window.begin("first", gate)
        await attach(window, written(tmp_path, "queued.txt"))
        window.press(Qt.Key.Key_Return)
        assert shown(window) == []
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: shown(window), "the chips")
        assert shown(window) == ["queued.txt"]


async def test_a_queued_message_that_is_refused_comes_back_with_all_that_is_attached(
    window: OpenWindow, tmp_path: Path
) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    await attach(window, written(tmp_path, "huge.txt", PROSE * 12_000))
    window.enter("second")
    await attach(window, written(tmp_path, "later.txt", "later"))
    gate.open()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    assert shown(window) == ["huge.txt", "later.txt"]
    assert await stored(window) == ["huge.txt", "later.txt"]
    assert window.composer.text() == "second"


async def test_a_long_text_is_offered_as_a_document(window: OpenWindow) -> None:
    window.type("Look: ")
    data = QMimeData()
    text = PROSE * 200
    data.setText(text)
    paste(window, data)
    offer = window.composer.offer
    assert offer is not None
    assert offer.words == f"Pasted {len(text):,} characters"
    assert window.composer.text() == "Look: " + text
    offer.button.click()
    await rested(window)
    assert window.composer.text() == "Look: "
    assert shown(window) == ["Pasted text.txt"]
    (part,) = window.composer.attachments
    assert isinstance(part, DocumentPart)
    assert part.text.strip() == text.strip()
    assert window.composer.offer is None


async def test_a_text_that_is_taken_out_again_is_no_longer_offered(window: OpenWindow) -> None:
    data = QMimeData()
    data.setText(PROSE * 200)
    paste(window, data)
    assert window.composer.offer is not None
    window.editor.undo()
    assert window.composer.offer is None


async def test_a_thread_with_nothing_but_an_attachment_stays(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "kept.txt"))
    thread_id = window.app_state.thread_id
    window.shortcut("new_thread")
    await window.settled()
    assert thread_id in [summary.thread.id for summary in await window.services.library.threads()]
    # also where the window closes before it knows what is attached
    await window.presenters.empty_threads.remove_if_blank(str(thread_id))
    assert thread_id in [summary.thread.id for summary in await window.services.library.threads()]


async def test_starting_a_new_thread_with_the_message_takes_the_attachments_along(
    window: OpenWindow, tmp_path: Path
) -> None:
    await window.send("old")
    old = window.app_state.thread_id
    await attach(window, written(tmp_path, "moved.txt"))
    window.type("go on there")
    window.presenters.remedies.carry_out(Remedy("new_thread"))
    await window.settled()
    assert window.app_state.thread_id not in (None, old)
    assert window.composer.text() == "go on there"
    assert shown(window) == ["moved.txt"]
    assert await stored(window) == ["moved.txt"]
    assert await window.services.attachments.of(str(old)) == ()


async def test_going_on_in_a_new_thread_with_a_summary_takes_the_attachments_along(
    window: OpenWindow, tmp_path: Path
) -> None:
    old = f"{9:032x}"
    await put_thread(window.session.paths.root, "Long", long_path(old, 12, 200))
    await window.app_state.open_thread(old)
    await window.settled()
    await attach(window, written(tmp_path, "moved.txt"))
    window.type("go on there")
    window.backend.reply(TextDelta("Asked: one, two, three."), Ended("end_turn"))
    window.presenters.remedies.carry_out(Remedy("new_thread_summary"))
    await window.until(lambda: window.app_state.thread_id not in (None, old), "the new thread")
    await window.settled()
    assert "Asked: one, two, three." in window.composer.text()
    assert window.composer.text().endswith("go on there")
    assert shown(window) == ["moved.txt"]
    assert await window.services.attachments.of(old) == ()


async def test_a_document_that_is_too_long_has_one_figure(window: OpenWindow, tmp_path: Path) -> None:
    await talked(window, 1, limit=30_000)
    await attach(window, written(tmp_path, "big.txt", PROSE * 2_000))
    await rested(window)
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert plan.decision == "refuse"
    (chip,) = window.composer.tray.chips
    (item,) = plan.placement.attached
    assert item in plan.advice.biggest, "what the card names"
    assert chip.told.tokens == f"≈ {thousands(item.tokens)}"
    window.type("and a question")
    await window.settled()
    assert window.presenters.gauge.plan is not None
    (item,) = window.presenters.gauge.plan.placement.attached
    assert chip.told.tokens == f"≈ {thousands(item.tokens)}"
