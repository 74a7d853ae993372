"""Import and export in the window: chosen, dropped, followed, canceled, reported; nothing is left half done."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit

from desktop_app.controller.everything import ImportReport, is_everything
from desktop_app.controller.export_files import WrittenFile
from desktop_app.controller.export_sources import looks_like_export
from desktop_app.controller.formats import details_by_default
from desktop_app.controller.transfer import ImportPreview
from desktop_app.core import history_records
from desktop_app.core.history_records import ImportChange
from desktop_app.storage.import_store import RunningImport
from desktop_app.ui.threads.threads_presenter import thread_menu
from desktop_app.ui.transfer.transfer_pages import ExportPage, ImportPage
from desktop_app.ui.transfer.transfer_state import ExportScope, ExportWish
from desktop_app.ui.transfer.transfer_work import preview_words, report_words
from tests.builders.chatgpt_export import conversation, node, said
from tests.ui.attaching import drag_over, drop, files, rested, shown
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def export_of(folder: Path, count: int = 3, name: str = "conversations.json") -> Path:
    talks: list[Any] = []
    for number in range(count):
        question = node(f"q{number}", None, said("user", f"Name colour {number}"), f"a{number}")
        answer = node(f"a{number}", f"q{number}", said("assistant", f"red {number}"))
        talks.append(conversation(question, answer, current=f"a{number}") | {"conversation_id": f"c{number}"})
    path = folder / name
    path.write_text(json.dumps([*talks, {"mapping": {}, "title": "Empty"}]))
    return path


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def import_page(window: OpenWindow) -> ImportPage:
    """The page that the palette opens, by keys alone."""
    window.press(Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.presenters.palette.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "Import")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, ImportPage)
    return page


async def choose(window: OpenWindow, name: str) -> None:
    """Writes a path into the file dialog and takes it."""
    await window.until(lambda: window.window.findChild(QFileDialog) is not None, "the dialog")
    dialog = window.window.findChild(QFileDialog)
    assert dialog is not None
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText(name)
    QTest.keyClick(field, Qt.Key.Key_Return)


async def over(window: OpenWindow) -> None:
    await window.until(lambda: not window.presenters.transfers.busy, "the end")
    await window.settled()


async def titles(window: OpenWindow) -> list[str]:
    return [one.thread.title for one in await window.services.library.threads()]


async def test_an_export_is_imported_by_the_palette_and_reported(talk: OpenWindow, tmp_path: Path) -> None:
    page = await import_page(talk)
    page.files.setFocus()
    click(page.files)
    await choose(talk, str(export_of(tmp_path)))
    await over(talk)
    assert page.progress.words.text() == "3 new threads, with 6 messages"
    assert talk.window.focusWidget() is page.accept, "not the thread list, while the dialog was in front"
    assert page.progress.details.text().splitlines() == [
        *("Nov 14, 2023", "ChatGPT export", 'Skipped: conversation 4 "Empty" (no messages)'),
    ]
    assert len(await titles(talk)) == 1
    assert page.accept.text() == "Import 3 threads"
    talk.window.activateWindow()
    page.accept.setFocus()
    await talk.until(page.accept.hasFocus, "the keyboard")
    QTest.keyClick(page.accept, Qt.Key.Key_Space)
    assert page.progress.cancel.hasFocus()
    await over(talk)
    assert page.progress.words.text() == "3 threads imported, with 6 messages"
    assert page.accept.isHidden()
    assert page.files.hasFocus()
    assert "Empty" in page.progress.details.text()
    assert "no messages" in page.progress.details.text()
    assert len(await titles(talk)) == 4
    assert not page.progress.cancel.isVisible()
    click(page.files)
    await choose(talk, str(tmp_path / "conversations.json"))
    await over(talk)
    assert page.progress.words.text() == "Nothing new to import"
    assert page.accept.isHidden()
    assert "3 threads are already here" in page.progress.details.text()


async def test_a_file_that_is_none_is_named_with_what_to_do_and_nothing_comes(talk: OpenWindow, tmp_path: Path) -> None:
    good, bad = export_of(tmp_path), tmp_path / "broken.json"
    bad.write_text('[{"mapping": ')
    talk.presenters.pages.show("import")
    talk.presenters.transfers.import_files((good, bad))
    await over(talk)
    page = talk.presenters.pages.page
    assert isinstance(page, ImportPage)
    assert "broken.json" in page.progress.words.text()
    assert "Nothing was imported" in page.progress.words.text()
    assert page.progress.words.property("tone") == "danger"
    assert len(await titles(talk)) == 1
    assert page.files.isEnabled()


async def test_canceled_in_the_midst_nothing_stays(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_records, "BATCH", 1)  # one thread a step
    page = await import_page(talk)
    begun, whole = asyncio.Event(), RunningImport.add
    loop = asyncio.get_running_loop()

    def add(work: RunningImport, threads: Any) -> None:
        loop.call_soon_threadsafe(begun.set)
        whole(work, threads)

    monkeypatch.setattr(RunningImport, "add", add)
    talk.presenters.transfers.import_files((export_of(tmp_path, 200),))
    await begun.wait()
    click(page.progress.cancel)
    await over(talk)
    assert page.progress.words.text() == "Import canceled. Nothing was imported."
    assert len(await titles(talk)) == 1
    monkeypatch.setattr(RunningImport, "add", whole)
    click(page.files)
    await choose(talk, str(tmp_path / "conversations.json"))
    await over(talk)
    click(page.accept)
    await over(talk)
    assert page.progress.words.text() == "200 threads imported, with 400 messages"


async def test_the_good_part_of_a_broken_file_comes_when_it_is_asked_for(talk: OpenWindow, tmp_path: Path) -> None:
    path = export_of(tmp_path)
    path.write_text(path.read_text()[:-30])
    page = await import_page(talk)
    click(page.files)
    await choose(talk, str(path))
    await over(talk)
    assert page.accept.text() == "Import the 3 good ones"
    assert "Can't be imported: conversations.json (not JSON: " in page.progress.details.text()
    assert "in item 4" in page.progress.details.text()
    click(page.decline)
    assert page.progress.isHidden()
    assert page.decline.isHidden()
    assert len(await titles(talk)) == 1
    click(page.files)
    await choose(talk, str(path))
    await over(talk)
    click(page.accept)
    await over(talk)
    assert page.progress.words.text() == "3 threads imported, with 6 messages"
    assert "Skipped: conversations.json (not JSON: " in page.progress.details.text()
    assert len(await titles(talk)) == 4


async def test_looking_can_be_canceled_in_the_midst(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_records, "BATCH", 1)
    page = await import_page(talk)

    def cancel() -> None:
        if page.progress.bar.value():
            page.progress.cancel.click()

    talk.presenters.transfers.changed.connect(cancel)
    talk.presenters.transfers.preview((export_of(tmp_path, 200),))
    await over(talk)
    assert page.progress.words.text() == "Import canceled. Nothing was imported."
    assert page.accept.isHidden()


async def test_the_report_of_an_import_whose_page_was_left_stays_to_be_read(talk: OpenWindow, tmp_path: Path) -> None:
    page = await import_page(talk)
    talk.presenters.transfers.import_files((export_of(tmp_path),))
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await over(talk)
    page = await import_page(talk)
    assert page.progress.words.text() == "3 threads imported, with 6 messages"
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await talk.settled()
    assert (await import_page(talk)).progress.isHidden()


async def test_an_archive_of_everything_is_offered_when_it_is_dropped(talk: OpenWindow, tmp_path: Path) -> None:
    await talk.services.everything.write(tmp_path / "all.zip")
    data = files(tmp_path / "all.zip")
    drag_over(talk, data)
    drop(talk, data)
    await talk.until(lambda: isinstance(talk.presenters.pages.page, ImportPage), "the page")
    await over(talk)
    page = talk.presenters.pages.page
    assert isinstance(page, ImportPage)
    assert page.progress.words.text() == "No new threads"
    assert page.accept.text() == "Import"
    click(page.accept)
    await over(talk)
    assert page.progress.words.text() == "Nothing new to import"


def session(folder: Path, name: str, *said: str) -> None:
    """A session as Claude Code keeps it."""
    lines = []
    for number, text in enumerate(said):
        role = "assistant" if number % 2 else "user"
        lines.append(
            {
                "type": role,
                "uuid": f"{name}-{number}",
                "parentUuid": f"{name}-{number - 1}" if number else None,
                "sessionId": name,
                "timestamp": f"2026-03-01T10:00:0{number}.000Z",
                "message": {"role": role, "id": f"{name}-m{number}", "content": [{"type": "text", "text": text}]},
            }
        )
    path = folder / "projects" / "-home-me" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")


async def test_claude_codes_sessions_are_offered_and_only_what_is_new_of_them(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    session(tmp_path, "one", "What is a hull?", "The body of a ship.")
    session(tmp_path, "two", "And a keel?", "Its spine.")
    page = await import_page(talk)
    await talk.until(lambda: not page.found.isHidden(), "the offer")
    assert page.found.text() == "Import 2 chats from Claude Code"
    click(page.found)
    await over(talk)
    assert page.progress.words.text() == "2 threads imported, with 4 messages"
    assert page.found.isHidden()
    session(tmp_path, "three", "And a mast?", "It carries sails.")
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await talk.settled()
    page = await import_page(talk)
    await talk.until(lambda: not page.found.isHidden(), "the offer")
    assert page.found.text() == "Import 1 chat from Claude Code"
    click(page.found)
    await over(talk)
    assert page.progress.words.text() == "1 thread imported, with 2 messages"


async def test_it_goes_on_while_the_page_is_left_and_a_toast_says_how_it_ended(
    talk: OpenWindow, tmp_path: Path
) -> None:
    page = await import_page(talk)
    talk.presenters.transfers.import_files((export_of(tmp_path, 20),))
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await over(talk)
    assert talk.window.stage.reading
    assert talk.window.toast.words == "20 threads imported, with 40 messages"


async def test_what_is_only_looked_at_is_not_taken_for_imported(talk: OpenWindow, tmp_path: Path) -> None:
    page = await import_page(talk)
    talk.presenters.transfers.preview((export_of(tmp_path, 20),))
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await over(talk)
    assert talk.window.toast.words == "Not imported yet: 20 new threads, with 40 messages"


def test_documents_and_the_threads_that_grew_are_named() -> None:
    grown = [ImportChange("thread", "more", str(n), f"Talk {n}", {"messages": n + 1}) for n in range(7)]
    documents = ImportChange("project", "more", "p", "Voyage", {"threads": 0, "documents": 2})
    words = report_words(ImportReport(0, 28, (), 7, changes=(*grown, documents)))
    assert words.details[1:] == (
        "“Talk 0”: 1 new message",
        *(f"“Talk {n}”: {n + 1} new messages" for n in range(1, 5)),
        "New messages in 2 more threads",
        "Added to your project “Voyage” · Documents: 2",
    )
    only = preview_words(ImportPreview(0, 0, (), 0, changes=(documents,)))
    assert (only.line, only.button) == ("No new threads", "Import")


async def test_the_window_paints_on_while_it_runs_and_the_bar_grows(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_records, "BATCH", 1)
    page = await import_page(talk)
    seen: list[int] = []
    talk.presenters.transfers.changed.connect(lambda: seen.append(page.progress.bar.value()))
    talk.presenters.transfers.import_files((export_of(tmp_path, 30),), 30)
    await over(talk)
    assert len(set(seen)) > 10
    assert seen == sorted(seen[:-1]) + seen[-1:]


async def test_a_dropped_export_is_offered_and_other_files_are_attached(talk: OpenWindow, tmp_path: Path) -> None:
    export, note = export_of(tmp_path), tmp_path / "notes.json"
    note.write_text('{"colour": "red"}')
    data = files(export, note)
    assert drag_over(talk, data)
    drop(talk, data)
    await rested(talk)
    assert shown(talk) == ["notes.json"]
    page = talk.presenters.pages.page
    assert isinstance(page, ImportPage)
    await over(talk)
    assert page.progress.words.text() == "3 new threads, with 6 messages"
    assert len(await titles(talk)) == 1
    click(page.accept)
    await over(talk)
    assert page.attach.isHidden()
    assert len(await titles(talk)) == 4


async def test_the_sign_says_import_where_all_files_are_exports(talk: OpenWindow, tmp_path: Path) -> None:
    target, export, other = talk.window.drop_target, export_of(tmp_path), tmp_path / "notes.json"
    other.write_text('{"colour": "red"}')
    drag_over(talk, files(export))
    await talk.until(lambda: target.words == "Drop to import", "the sign")
    QApplication.sendEvent(target, QDragLeaveEvent())
    drag_over(talk, files(export, other))
    await talk.settled()
    assert target.words == "Drop to attach to your message"


async def test_a_dropped_export_can_be_attached_all_the_same(talk: OpenWindow, tmp_path: Path) -> None:
    data = files(export_of(tmp_path))
    drag_over(talk, data)
    drop(talk, data)
    await talk.settled()
    page = talk.presenters.pages.page
    assert isinstance(page, ImportPage)
    await over(talk)
    click(page.attach)
    await rested(talk)
    assert talk.window.stage.reading
    assert shown(talk) == ["conversations.json"]
    assert len(await titles(talk)) == 1


async def test_the_open_thread_is_exported_by_the_threads_menu(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = thread_menu(talk.threads, [await talk.thread()])
    next(action for action in menu.actions() if action.text().startswith("Export")).trigger()
    await talk.settled()
    page = talk.presenters.pages.page
    assert isinstance(page, ExportPage)
    assert page.scopes[0].words == "This thread: a question of mine"
    click(page.button)
    await choose(talk, str(tmp_path / "talk"))
    await over(talk)
    assert page.progress.words.text() == "1 thread exported"
    file = tmp_path / "talk.md"  # the ending comes by itself
    assert str(file) in page.progress.details.text()
    assert "a question of mine" in file.read_text()
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    click(page.progress.show_folder)
    assert opened == [str(tmp_path)]


async def selected(talk: OpenWindow) -> ExportPage:
    """The page that the bar of several selected threads opens."""
    for words in ("another question", "one more"):
        talk.shortcut("new_thread")
        await talk.settled()
        await talk.send(words)
    ids = [one.thread.id for one in await talk.services.library.threads()]
    talk.threads.export_requested.emit(ids[:2])
    await talk.settled()
    page = talk.presenters.pages.page
    assert isinstance(page, ExportPage)
    return page


async def test_a_selection_is_exported_as_pages_of_a_folder(talk: OpenWindow, tmp_path: Path) -> None:
    page = await selected(talk)
    assert [scope.words for scope in page.scopes] == [
        *("2 selected threads", "This thread: one more", "All threads", "Everything"),
    ]
    click(page.format_buttons[1])
    click(page.button)
    await choose(talk, str(tmp_path))
    await over(talk)
    assert page.progress.words.text() == "2 threads exported"
    pages = [file.read_text() for file in tmp_path.glob("*.html")]
    assert len(pages) == 2
    assert not any("a question of mine" in text for text in pages)
    assert all(any(words in text for text in pages) for words in ("another question", "one more"))


async def test_a_selection_goes_into_one_pdf(talk: OpenWindow, tmp_path: Path) -> None:
    page = await selected(talk)
    click(page.format_buttons[2])
    page.one_file.click()
    page.details.click()
    click(page.button)
    await choose(talk, str(tmp_path / "both.pdf"))
    await over(talk)
    assert page.progress.words.text() == "2 threads exported"
    outline = PdfReader(tmp_path / "both.pdf").outline
    titles = [str(entry["/Title"]) for entry in outline if not isinstance(entry, list)]
    assert titles == ["one more", "another question"]


async def test_only_options_that_matter_are_shown(talk: OpenWindow) -> None:
    page = await selected(talk)
    assert page.details.isVisible()
    assert page.one_file.isVisible()
    click(page.scope_buttons[1])
    assert not page.one_file.isVisible()
    click(page.scope_buttons[2])
    click(page.format_buttons[3])
    assert not page.one_file.isVisible()
    assert not page.details.isVisible()
    assert not page.attached.isVisible()


async def test_details_are_on_where_they_are_folded_until_one_says_otherwise(talk: OpenWindow) -> None:
    page = await selected(talk)
    assert page.wish().kind == "markdown"
    for button in page.format_buttons:
        click(button)
        assert page.wish().details == details_by_default(page.wish().kind)
    click(page.format_buttons[0])
    page.details.click()
    click(page.format_buttons[1])
    click(page.format_buttons[2])
    assert page.wish().details


async def test_a_canceled_export_is_said(talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await selected(talk)
    monkeypatch.setattr("desktop_app.controller.thread_export.STEP_S", 0)
    transfers = talk.presenters.transfers

    def cancel_the_second() -> None:
        if transfers.state is not None and transfers.state.done == 1:
            transfers.cancel()

    transfers.changed.connect(cancel_the_second)
    transfers.export(ExportWish(page.scopes[0], "html", one_file=True), tmp_path / "both.html")
    await over(talk)
    assert page.progress.words.text() == "Export canceled. Files written so far stay."
    assert not page.progress.show_folder.isVisible()
    assert list(tmp_path.glob("*.html")) == []


async def test_all_threads_as_json_come_back_by_import(talk: OpenWindow, tmp_path: Path) -> None:
    talk.shortcut("export_threads")
    await talk.settled()
    page = talk.presenters.pages.page
    assert isinstance(page, ExportPage)
    click(page.scope_buttons[-2])
    click(page.format_buttons[3])
    click(page.button)
    target = tmp_path / "all.json"
    await choose(talk, str(target))
    await over(talk)
    assert looks_like_export(target)
    assert json.loads(target.read_text())["threads"][0]["title"] == "a question of mine"


async def everything_chosen(talk: OpenWindow) -> ExportPage:
    talk.shortcut("export_threads")
    await talk.settled()
    page = talk.presenters.pages.page
    assert isinstance(page, ExportPage)
    click(page.scope_buttons[-1])
    return page


async def test_everything_is_exported_as_one_zip_that_comes_back(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await everything_chosen(talk)
    assert page.scope_buttons[-1].text() == "Everything"
    switches = (page.details, page.attached, page.one_file)
    assert not any(one.isVisible() for one in (*page.format_buttons, *switches)), "it has no format"
    click(page.button)
    await choose(talk, str(tmp_path / "mine"))
    await over(talk)
    assert page.progress.words.text() == "Everything exported"
    file = tmp_path / "mine.zip"
    assert is_everything(file)
    assert str(file) in page.progress.details.text()
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    click(page.progress.show_folder)
    assert opened == [str(tmp_path)]
    assert (await talk.services.everything.preview(file)).already == 1
    click(page.scope_buttons[0])
    assert page.format_buttons[0].isVisible()


async def test_a_canceled_export_of_everything_leaves_no_file(
    talk: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()
    write = WrittenFile.write

    def held(file: WrittenFile, data: bytes) -> None:
        begun.set()
        go_on.wait()
        write(file, data)

    monkeypatch.setattr(WrittenFile, "write", held)
    page = await everything_chosen(talk)
    talk.presenters.transfers.export(page.wish(), tmp_path / "mine.zip")
    try:
        await talk.until(begun.is_set, "the first bytes")
        click(page.progress.cancel)
        for _ in range(10):
            await asyncio.sleep(0)  # the task hears of it
    finally:
        go_on.set()
    await over(talk)
    assert page.progress.words.text() == "Export canceled. Files written so far stay."
    assert not page.progress.show_folder.isVisible()
    assert list(tmp_path.glob("*mine*")) == []


async def test_what_can_not_be_written_is_said(talk: OpenWindow, tmp_path: Path) -> None:
    talk.presenters.pages.show("export")
    talk.presenters.transfers.export(ExportWish(ExportScope("", None), "json"), tmp_path / "all.json" / "x" / "y.json")
    (tmp_path / "all.json").write_text("in the way")
    await over(talk)
    page = talk.presenters.pages.page
    assert page is not None
    assert "could not be written" in page.progress.words.text()  # type: ignore[attr-defined]


async def test_the_welcome_pane_offers_the_import(data_dir: Path, qapp: object, tmp_path: Path) -> None:
    async with OpenWindow.opened(data_dir, backend=None, fakes=False) as bare:
        await bare.until(lambda: bare.window.stage.welcoming, "the welcome pane")
        click(bare.window.stage.welcome.bring)
        await bare.settled()
        assert isinstance(bare.presenters.pages.page, ImportPage)
        bare.presenters.transfers.import_files((export_of(tmp_path),))
        await over(bare)
        assert len(await titles(bare)) == 3


async def test_the_welcome_pane_brings_in_claude_codes_chats_in_one_click(
    data_dir: Path, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    session(tmp_path, "one", "What is a hull?", "The body of a ship.")
    async with OpenWindow.opened(data_dir, backend=None, fakes=False) as bare:
        await bare.until(lambda: not bare.window.stage.welcome.found.isHidden(), "the offer")
        assert bare.window.stage.welcome.found.text() == "Import 1 chat from Claude Code"
        click(bare.window.stage.welcome.found)
        await over(bare)
        page = bare.presenters.pages.page
        assert isinstance(page, ImportPage)
        assert page.progress.words.text() == "1 thread imported, with 2 messages"
        assert await titles(bare) == ["What is a hull?"]


def test_only_exports_look_like_some(tmp_path: Path) -> None:
    import zipfile

    export = export_of(tmp_path)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(export, "conversations.json")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("data.json", '{"colour": "red"}')
    (tmp_path / "renamed.json").write_bytes(export.read_bytes())
    (tmp_path / "other.json").write_text("[1, 2]")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    assert {path.name for path in tmp_path.iterdir() if looks_like_export(path)} == {
        *("conversations.json", "export.zip", "renamed.json"),
    }
    assert looks_like_export(tmp_path)
    assert not looks_like_export(tmp_path / "nowhere.json")


async def test_what_is_dropped_on_the_page_is_looked_at_and_waits_also_while_the_page_is_left(
    talk: OpenWindow, tmp_path: Path
) -> None:
    page = await import_page(talk)
    data = files(export_of(tmp_path))
    place = QPointF(page.place.mapTo(page, page.place.rect().center()))
    some = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entered = QDragEnterEvent(place.toPoint(), *some)
    QApplication.sendEvent(page, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(page, QDropEvent(place, *some))
    await over(talk)
    assert page.accept.isVisible()
    QTest.keyClick(page, Qt.Key.Key_Escape)
    await talk.until(lambda: talk.window.stage.reading, "the thread")
    page = await import_page(talk)
    assert page.progress.words.text() == "3 new threads, with 6 messages"
    click(page.accept)
    await over(talk)
    assert len(await titles(talk)) == 4


async def test_a_private_thread_is_said_not_to_be_exported_and_no_other_is_chosen_for_it(talk: OpenWindow) -> None:
    talk.shortcut("new_private_thread")
    await talk.settled()
    await talk.send("between us")
    talk.presenters.pages.show("export")
    page = talk.presenters.pages.page
    assert isinstance(page, ExportPage)
    words = "This thread is private and can't be exported. Select all in it, then copy as Markdown."
    assert words in [label.text() for label in page.findChildren(QLabel)]
    assert not any(button.isChecked() for button in page.scope_buttons)
    assert not page.button.isEnabled()
    page.scope_buttons[-2].click()
    assert page.button.isEnabled()
    assert page.wish().scope.words == "All threads"
