"""What is typed on a page and not saved outlives whatever ends the process, unless its thread is private."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_app.paths import DataPaths
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
from desktop_app.ui.shell.pages import SAVE_WITHIN_MS, read_texts, write_texts
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.page import EditorPage
from tests.ui.editing import answer
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

TYPED = "word " * 40


def killed_while_typing(data_dir: Path, characters: int, *options: str) -> Sequence[float]:
    """Kills a window in which somebody types on a page, after so many characters; when each of them came, in s."""
    command = [sys.executable, "-m", "tests.ui.typing_process", str(data_dir), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            return [float(child.stdout.readline().split()[0]) for _ in range(characters)]
        finally:
            child.kill()


async def shown_again(window: OpenWindow) -> EditorPage:
    """The page that the window leads back to."""
    toast, pages = window.window.toast, window.presenters.pages
    await window.until(lambda: toast.isVisible() and toast.button.text() == "Go back", "the way back")
    toast.button.click()
    await window.until(lambda: isinstance(pages.page, EditorPage), "the page")
    page = pages.page
    assert isinstance(page, EditorPage)
    return page


@pytest.mark.parametrize("page", ["system", "summary", "prompt"])
async def test_a_killed_window_loses_at_most_the_last_half_second_of_a_page(data_dir: Path, page: str) -> None:
    characters = 50
    times = killed_while_typing(data_dir, characters, "--page", page)
    path = DataPaths(data_dir).unsaved
    assert path.stat().st_mode & 0o777 == 0o600
    (text,) = read_texts(path).values()
    typed = text.removeprefix("Begun\n")
    assert typed
    assert TYPED.startswith(typed)
    lost_s = times[-1] - times[min(len(typed), characters) - 1]
    print(f"{page}: kept {len(typed)} of {characters} characters, lost {lost_s:.2f} s")
    assert lost_s < 0.5 + 0.3  # the way to the disk on a loaded machine

    async with OpenWindow.opened(data_dir) as window:
        again = await shown_again(window)
        assert again.text() == text
        assert again.unsaved() == text
        again.field.insertPlainText("x")
        await window.until(lambda: text not in read_texts(path).values(), "what was typed since")
        assert read_texts(path)
        again.back.click()
        await answer(window, "Save")
        await window.until(lambda: not path.exists(), "nothing unsaved")
    async with OpenWindow.opened(data_dir) as window:
        assert not window.window.toast.isVisible()


async def test_a_killed_window_gives_back_what_was_written_on_an_artifact(data_dir: Path) -> None:
    killed_while_typing(data_dir, 50, "--page", "artifact")
    path = DataPaths(data_dir).unsaved
    (text,) = read_texts(path).values()
    assert TYPED.startswith(text.removesuffix("Begun"))
    async with OpenWindow.opened(data_dir) as window:
        toast = window.window.toast
        await window.until(lambda: toast.isVisible() and toast.button.text() == "Go back", "the way back")
        toast.button.click()
        await window.until(window.window.artifacts.isVisible, "the pane")
        await window.settled()
        pane = window.window.artifacts.content
        assert isinstance(pane, ArtifactPane)
        assert pane.mode == "editing"
        assert pane.editor.written == text
        assert pane.note.words == "Your changes are back. They are not saved yet."
        (artifact,) = await window.services.artifacts.all()
        assert artifact.versions == 1
        pane.editor.save.click()
        await window.until(lambda: not path.exists(), "nothing unsaved")
        assert (await window.services.artifacts.newest(artifact.id)).text == text


@pytest.mark.parametrize("action", ["edit", "note"])
async def test_what_is_written_on_a_message_outlives_the_window(data_dir: Path, action: str) -> None:
    path = DataPaths(data_dir).unsaved

    def field(window: OpenWindow) -> MessageField:
        panels = window.transcript.editing
        return (panels.panel if action == "edit" else panels.note).editor

    async with OpenWindow.opened(data_dir) as window:
        await window.send("A question")
        asked = (await window.opened_thread()).path[0].id
        window.presenters.branches.act(asked, action)
        assert read_texts(path) == {}
        field(window).insertPlainText("typed ")
        await window.until(
            lambda: "typed " in "".join(read_texts(path).values()), "what is on disk if it is killed now"
        )
        (before,) = read_texts(path).values()
    async with OpenWindow.opened(data_dir) as window:
        window.presenters.branches.act(asked, action)
        assert field(window).toPlainText() == before
        assert window.presenters.branches.cancel_edit() or window.presenters.marks.cancel_note()
        await window.until(lambda: not path.exists(), "nothing unfinished")


async def test_what_is_written_on_a_private_message_leaves_no_trace(window: OpenWindow, data_dir: Path) -> None:
    window.shortcut("new_private_thread")
    await window.settled()
    await window.send("A question")
    window.presenters.branches.edit_question()
    window.transcript.editing.panel.editor.insertPlainText("secret")
    window.shortcut("new_thread")
    await window.session.unsaved.close()
    assert not DataPaths(data_dir).unsaved.exists()


async def test_what_is_written_on_a_private_artifact_leaves_no_trace_of_a_killed_window(data_dir: Path) -> None:
    killed_while_typing(data_dir, 40, "--private", "--page", "artifact")
    assert not DataPaths(data_dir).unsaved.exists()
    for path in (path for path in data_dir.rglob("*") if path.is_file()):
        assert b"word word" not in path.read_bytes(), path.name


async def test_a_page_of_a_private_thread_leaves_no_trace_of_a_killed_window(data_dir: Path) -> None:
    killed_while_typing(data_dir, 40, "--private", "--page", "system")
    assert not DataPaths(data_dir).unsaved.exists()
    files = [path for path in data_dir.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert b"word word" not in path.read_bytes(), path.name


async def test_a_prompt_made_of_private_words_is_on_disk_only_when_it_is_saved(window: OpenWindow) -> None:
    path = window.session.paths.unsaved
    window.shortcut("new_private_thread")
    window.presenters.pages.show("prompt", "", "", "said in private")
    await window.until(lambda: isinstance(window.presenters.pages.page, EditorPage), "the page")
    page = window.presenters.pages.page
    assert isinstance(page, EditorPage)
    page.field.insertPlainText("more ")
    assert window.presenters.pages.has_unsaved()
    assert not window.presenters.pages.lasting_texts()
    window.shortcut("new_thread")  # what is kept of the page stays private
    await window.settled()
    assert window.presenters.pages.has_unsaved()
    await window.session.unsaved.close()
    assert not path.exists()
    # another text, typed in the open, is kept
    window.shortcut("edit_system")
    await window.until(lambda: isinstance(window.presenters.pages.page, EditorPage), "the page")
    system = window.presenters.pages.page
    assert isinstance(system, EditorPage)
    system.field.insertPlainText("to be kept")
    await window.until(lambda: list(read_texts(path).values()) == ["to be kept"], "the kept text")
    system.field.replace_text("")
    await window.until(lambda: not path.exists(), "nothing unsaved")
    window.session.end(143)  # nobody is asked about the private words


async def test_what_belongs_to_a_deleted_thread_is_not_told_of(data_dir: Path) -> None:
    paths = DataPaths(data_dir).make()
    write_texts(paths.unsaved, {("f" * 32, ""): "of a thread that is gone"})
    async with OpenWindow.opened(data_dir) as window:
        assert not window.presenters.pages.has_unsaved()
        assert not window.window.toast.isVisible()
    assert not paths.unsaved.exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"[[1]]", b"\xff", b"null", b"[null]"])
def test_another_file_in_its_place_is_nothing_unsaved(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "unsaved.json"
    path.write_bytes(content)
    assert read_texts(path) == {}


def test_what_is_written_is_read_again_and_nobody_else_may(tmp_path: Path) -> None:
    path = tmp_path / "unsaved.json"
    texts = {("a", ""): "Grüße\n漢字\ud800", ("", ""): "", ("\0prompt", "p"): "x\n"}
    write_texts(path, texts)
    assert read_texts(path) == texts
    assert path.stat().st_mode & 0o777 == 0o600
    write_texts(path, {})
    assert list(tmp_path.iterdir()) == []
    assert SAVE_WITHIN_MS < 500


def test_what_is_nested_too_deeply_is_set_aside_and_named(tmp_path: Path) -> None:
    path = tmp_path / "unsaved.json"
    path.write_text("[" * 100_000)
    told: list[str] = []
    assert read_texts(path, told.append) == {}
    assert str(path) in told[0]
    (moved,) = tmp_path.glob("unsaved.json.set-aside-*")
    assert moved.read_text() == "[" * 100_000
