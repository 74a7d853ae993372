"""What is attached to drafts, over a real history and the real process that reads files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.controller import attachments as module
from desktop_app.controller.attachments import Attachments, unsendable
from desktop_app.core.attachment_facts import BYTES, FIRST, PAGES
from desktop_app.core.errors import ACTIONS, UserError
from desktop_app.core.events import AttachmentsChanged
from desktop_app.core.messages import DocumentPart, ImagePart, Message, Part, TextPart
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.documents.document_reader import DocumentReader
from tests.controller.world import World
from tests.documents.files import PIXEL

IMAGE = ImagePart("dot.png", "image/png", "AAAA", 1, 1)
SCAN = DocumentPart("scan.pdf", "[A scan of 2 pages without text]", "ab", "application/pdf", {PAGES: 2, BYTES: "JVBE"})
NOTES = DocumentPart("notes.txt", "hello", "cd")
BLIND = ModelInfo("blind", "Blind 1", 10_000, 1_000)
SEEING = replace(BLIND, accepts_images=True)


@pytest.fixture
async def attachments(world: World) -> AsyncIterator[Attachments]:
    reader = DocumentReader()
    yield Attachments(world.history, reader, world.announcements)
    await reader.close()


def names(parts: tuple[Part, ...]) -> list[str]:
    return [part.name for part in parts if isinstance(part, ImagePart | DocumentPart)]


async def test_files_are_stored_and_announced_in_order(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "a.png").write_bytes(PIXEL)

    parts, failures = await attachments.add_files(thread.id, [tmp_path / "b.txt", tmp_path / "a.png"])

    assert names(parts) == ["b.txt", "a.png"]
    assert failures == ()
    assert await attachments.of(thread.id) == parts == await world.history.attachments(thread.id)
    assert world.of(AttachmentsChanged) == [AttachmentsChanged(thread.id, parts)]


async def test_one_bad_file_does_not_cost_the_others(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    (tmp_path / "good.txt").write_text("b")
    (tmp_path / "empty.txt").write_text("")

    files = [tmp_path / name for name in ("empty.txt", "good.txt", "gone.txt")]
    parts, failures = await attachments.add_files(thread.id, files)

    assert names(parts) == ["good.txt"]
    assert ["empty.txt" in one.message for one in failures] == [True, False]
    assert "There is no file “gone.txt”" in failures[1].message
    assert {one.code for one in failures} == {"usage"}


async def test_the_same_file_is_attached_once_and_nothing_is_announced(
    attachments: Attachments, world: World, tmp_path: Path
) -> None:
    thread = await world.thread()
    (tmp_path / "a.txt").write_text("a")
    first, _ = await attachments.add_files(thread.id, [tmp_path / "a.txt"])

    again, failures = await attachments.add_files(thread.id, [tmp_path / "a.txt"])

    assert (again, failures) == (first, ())
    assert len(world.of(AttachmentsChanged)) == 1


async def test_a_document_that_was_cut_is_there_already(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    (tmp_path / "a.txt").write_text("many words " * 100)
    (whole,), _ = await attachments.add_files(thread.id, [tmp_path / "a.txt"])
    assert isinstance(whole, DocumentPart)
    cut = (replace(whole, extra={FIRST: {"at": 40, "left_out": 200}}),)
    await attachments.change(thread.id, lambda _: cut)
    assert await attachments.add_files(thread.id, [tmp_path / "a.txt"]) == (cut, ())


async def test_a_text_under_a_second_name_is_told_and_two_scans_are_two(
    attachments: Attachments, world: World, tmp_path: Path
) -> None:
    thread = await world.thread()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the same words")
    parts, failures = await attachments.add_files(thread.id, [tmp_path / "a.txt", tmp_path / "b.txt"])
    assert names(parts) == ["a.txt"]
    assert [failure.message for failure in failures] == ["“b.txt” has the same text as “a.txt”, which is attached."]
    sent, told, usable = await attachments.read_files([tmp_path / "a.txt", tmp_path / "b.txt"])
    assert (names(sent), len(told), usable) == (["a.txt"], 1, True)
    assert module._with((SCAN,), [replace(SCAN, name="other.pdf", sha256="cd")])[1] == []


async def test_a_folder_stands_for_the_files_in_it(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    folder = tmp_path / "papers"
    (folder / "deeper").mkdir(parents=True)
    for name in ("B.txt", "a.txt", ".hidden", "deeper/c.txt"):
        (folder / name).write_text(name)
    (tmp_path / "secret.txt").write_text("not meant")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "bare").mkdir()

    parts, failures = await attachments.add_files(thread.id, [folder, tmp_path / "bare"])

    assert names(parts) == ["a.txt", "B.txt"]
    assert [one.message for one in failures] == [
        "The folder “bare” has no files to attach. Choose the files themselves.",
        "The folders in “papers” are not attached: “deeper”. Choose their files yourself.",
    ]


async def test_a_large_folder_gives_its_first_files(
    attachments: Attachments, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_OF_A_FOLDER", 2)
    thread = await world.thread()
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"{number}")

    parts, failures = await attachments.add_files(thread.id, [folder])

    assert names(parts) == ["0.txt", "1.txt"]
    assert "has 3 files; the first 2 are attached" in failures[0].message


async def test_more_than_a_message_takes_is_told(
    attachments: Attachments, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ATTACHMENTS", 1)
    thread = await world.thread()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)

    parts, failures = await attachments.add_files(thread.id, [tmp_path / "a.txt", tmp_path / "b.txt"])

    assert names(parts) == ["a.txt"]
    assert "Not attached: “b.txt”" in failures[0].message
    with pytest.raises(UserError, match="Not attached"):
        await attachments.add_text(thread.id, "more", "c.txt")


async def test_pasted_things_are_attached_and_taken_away(attachments: Attachments, world: World) -> None:
    thread = await world.thread()
    await attachments.add_image(thread.id, PIXEL, "Pasted image.png")
    both = await attachments.add_text(thread.id, "a long text", "Pasted text.txt")

    left = await attachments.remove(thread.id, 0)
    assert names(left) == ["Pasted text.txt"]
    assert await attachments.remove(thread.id, 7) == left
    assert await attachments.remove(thread.id, -1) == left

    assert await attachments.change(thread.id, lambda _: both) == both
    assert await attachments.of(thread.id) == both
    assert [len(one.parts) for one in world.of(AttachmentsChanged)] == [1, 2, 1, 2]


async def test_changes_at_the_same_time_are_all_kept(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    files = [tmp_path / f"{number}.txt" for number in range(6)]
    for file in files:
        file.write_text(file.name)

    await asyncio.gather(*(attachments.add_files(thread.id, [file]) for file in files))

    assert sorted(names(await attachments.of(thread.id))) == [file.name for file in files]


async def test_an_unknown_thread_is_told(attachments: Attachments, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")

    with pytest.raises(UserError):
        await attachments.add_files("nobody", [tmp_path / "a.txt"])


async def test_files_for_a_message_that_is_sent_at_once_belong_to_no_draft(
    attachments: Attachments, world: World, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("a")

    parts, failures, _ = await attachments.read_files([tmp_path / "a.txt", tmp_path / "gone.txt"])

    assert names(parts) == ["a.txt"]
    assert len(failures) == 1
    assert not world.of(AttachmentsChanged)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
async def test_a_locked_folder_is_named(attachments: Attachments, world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    folder = tmp_path / "locked"
    folder.mkdir(mode=0)

    _, failures = await attachments.add_files(thread.id, [folder])

    assert "“locked” can't be opened" in failures[0].message


def message(role: str, *parts: Part) -> Message:
    return Message("m", "t", None, role, parts, "2026-01-01T00:00:00.000Z")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "model", "said"),
    [
        ((TextPart("hi"),), BLIND, None),
        ((NOTES, TextPart("hi")), BLIND, None),
        ((IMAGE, SCAN), replace(SEEING, accepts_pdf=True), None),
        (
            (IMAGE, TextPart("hi")),
            BLIND,
            "Blind 1 can't look at images (“dot.png”). Nothing was sent. Choose another model, or remove it.",
        ),
        (
            (IMAGE, SCAN),
            SEEING,
            "“scan.pdf” is a scan without text, and Blind 1 can't look at pages. Nothing was sent. "
            "Choose another model, or remove it.",
        ),
        ((IMAGE,) * 5, BLIND, "“dot.png”, “dot.png”, “dot.png” and 2 more"),
    ],
)
def test_what_a_model_cannot_take_is_told_before_it_is_sent(
    parts: tuple[Part, ...], model: ModelInfo, said: str | None
) -> None:
    failure = unsendable(parts, (), model)

    if said is None:
        assert failure is None
        return
    assert failure is not None
    assert said in failure.message
    assert failure.actions == ("switch_model", "remove_attachment")
    assert set(failure.actions) <= set(ACTIONS)


def test_only_the_message_that_is_sent_counts_and_a_retry_is_one() -> None:
    path = (message("user", IMAGE, TextPart("look")), message("assistant", TextPart("seen")))

    assert unsendable((TextPart("and now?"),), path, BLIND) is None
    again = unsendable((), path, BLIND)
    assert again is not None
    assert again.actions == ("switch_model",)
    assert unsendable((), (*path, message("user", TextPart("and now?"))), BLIND) is None
