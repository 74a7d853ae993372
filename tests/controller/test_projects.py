"""Projects: named, changed, deleted and brought back; their documents added, read in the background, or failing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.controller.document_files import copy_of
from desktop_app.controller.project_library import INSTRUCTIONS_LIMIT, Projects
from desktop_app.core.context.project_context import document_tokens, is_exact
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectDocumentsChanged, ProjectsChanged, ReadingProgressed
from desktop_app.core.messages import Thread
from desktop_app.core.model_catalog import ModelInfo, TokenizerFamily
from desktop_app.core.projects import Project, ProjectDocument
from tests.controller.world import World
from tests.fakes.text_extractor import TextExtractor


@pytest.fixture
def extractor() -> TextExtractor:
    return TextExtractor()


@pytest_asyncio.fixture
async def projects(world: World, extractor: TextExtractor, tmp_path: Path) -> AsyncIterator[Projects]:
    made = Projects(world.history.projects, extractor, world.announcements, files=tmp_path / "documents")
    yield made
    await made.close()


@pytest_asyncio.fixture
async def project(projects: Projects) -> Project:
    return await projects.create("Ordering portal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three texts, one of them further down."""
    made = tmp_path / "specs"
    (made / "old").mkdir(parents=True)
    (made / "pricing.md").write_text("# Pricing\n\nThe price of a seat is 12 euros.")
    (made / "terms.txt").write_text("Terms of payment are 30 days.")
    (made / "old" / "notes.txt").write_text("Old notes.")
    return made


def states(documents: Sequence[ProjectDocument]) -> dict[str, str]:
    return {one.name: one.state for one in documents}


def thread_in(project: Project) -> Thread:
    return Thread("t1", "", "", "", project=project.id)


async def test_a_project_is_made_named_changed_and_announced(world: World, projects: Projects) -> None:
    made = await projects.create("  Ordering\nportal ", " Answer as an analyst. ")
    assert (made.name, made.instructions) == ("Ordering portal", "Answer as an analyst.")
    await projects.rename(made.id, "Order portal")
    await projects.set_instructions(made.id, "Short answers.")
    await projects.set_model(made.id, "anthropic", "claude-sonnet-5-5")
    await projects.set_soft_limit(made.id, 90_000)
    await projects.set_searches_threads(made.id, False)
    changed = await projects.archive(made.id)
    assert changed == await world.history.projects.one(made.id)
    assert changed.created == made.created <= changed.updated
    assert (changed.name, changed.soft_limit, changed.archived) == ("Order portal", 90_000, True)
    assert not (await projects.unarchive(made.id)).archived
    assert len(world.of(ProjectsChanged)) == 8


async def test_names_are_unique_whatever_the_case_and_the_error_names_it(projects: Projects, project: Project) -> None:
    other = await projects.create("Other")
    for attempt in (projects.create("ordering PORTAL"), projects.rename(other.id, " Ordering  portal")):
        with pytest.raises(UserError, match="There is a project “Ordering portal” already") as raised:
            await attempt
        assert raised.value.failure.code == "usage"
    assert (await projects.rename(project.id, "ORDERING portal")).name == "ORDERING portal"
    await projects.archive(project.id)
    with pytest.raises(UserError, match="an archived project “ORDERING portal”"):
        await projects.create("ordering portal")
    for empty in ("", " \n"):
        with pytest.raises(UserError, match="needs a name"):
            await projects.create(empty)
    with pytest.raises(UserError, match="at most"):
        await projects.create("x" * 121)
    with pytest.raises(UserError, match="at most"):
        await projects.set_instructions(other.id, "x" * (INSTRUCTIONS_LIMIT + 1))
    with pytest.raises(UserError, match="There is no project “Gone”"):
        await projects.find("Gone")
    assert await projects.find("other") == other
    assert await projects.free_name("Other") == "Other 2"


async def test_two_that_are_made_at_once_do_not_get_one_name(projects: Projects) -> None:
    made = await asyncio.gather(*(projects.create("Same") for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in made].count(Project) == 1
    assert len(await projects.all()) == 1


async def test_a_deleted_project_comes_back_whole_beside_one_of_its_name(
    projects: Projects, project: Project, folder: Path
) -> None:
    await projects.add_files(project.id, [folder])
    before = await projects.read_all(project.id)
    await projects.delete(project.id)
    assert await projects.all() == []
    assert await projects.context_of(thread_in(project)) is None
    await projects.create(project.name)
    back = await projects.restore(project.id)
    assert back.name == "Ordering portal 2"
    assert await projects.documents(project.id) == before


async def test_files_and_folders_are_added_copied_and_read(
    world: World, projects: Projects, project: Project, folder: Path, tmp_path: Path
) -> None:
    (folder / "logo.png").write_bytes(b"\x89PNG")
    added, failures = await projects.add_files(project.id, [folder])
    assert {one.state for one in added} == {"waiting"}
    assert [failure.message for failure in failures] == [
        "1 file in “specs” was left out, as it holds no text: logo.png."
    ]
    documents = await projects.read_all(project.id)
    assert states(documents) == {"pricing.md": "ready", "terms.txt": "ready", "notes.txt": "ready"}
    pricing = next(one for one in documents if one.name == "pricing.md")
    assert (pricing.passages, pricing.size, pricing.mode) == (2, 43, "search")
    assert pricing.tokens > 5
    copy = copy_of(tmp_path / "documents", pricing.sha256)
    assert copy.read_text() == (folder / "pricing.md").read_text()
    assert await projects.file_of(pricing) == (copy, None)
    told = world.of(ReadingProgressed)
    assert [(one.done, one.total) for one in told] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert told[-1].name == ""
    assert projects.document_reading.progress(project.id) is None


async def test_what_is_there_already_is_not_added_again_but_read_again(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    await projects.add_files(project.id, [folder])
    await projects.read_all(project.id)
    (folder / "terms.txt").write_text("Terms of payment are 14 days.")
    (folder / "twin.txt").write_text((folder / "pricing.md").read_text())
    extractor.read.clear()
    await projects.add_files(project.id, [folder, folder / "terms.txt"])
    documents = await projects.read_all(project.id)
    assert len(documents) == 4
    # a text is known by its hash: only the one that changed is opened by the extractor
    assert extractor.read == ["terms.txt"]


async def test_what_is_changed_while_documents_are_read_stays(
    projects: Projects, project: Project, folder: Path
) -> None:
    added, _ = await projects.add_files(project.id, [folder])
    await projects.set_mode(project.id, [one.id for one in added], "always")
    assert {(one.mode, one.state) for one in await projects.read_all(project.id)} == {("always", "ready")}


async def test_a_file_that_can_not_be_read_keeps_its_own_words_and_is_read_again_on_demand(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.broken = {"terms.txt": "“{name}” is damaged. Save it anew."}
    await projects.add_files(project.id, [folder])
    documents = await projects.read_all(project.id)
    assert states(documents) == {"pricing.md": "ready", "terms.txt": "failed", "notes.txt": "ready"}
    failed = next(one for one in documents if one.state == "failed")
    assert failed.error == "“terms.txt” is damaged. Save it anew."
    extractor.broken = {}
    await projects.read_again(project.id, [failed.id])
    again = {one.id: one for one in await projects.read_all(project.id)}[failed.id]
    assert (again.state, again.error) == ("ready", "")


async def test_a_file_that_vanishes_while_it_is_read_is_said_and_nothing_waits_for_it(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.on_read = lambda path: path.unlink() if path.name == "terms.txt" else None
    await projects.add_files(project.id, [folder])
    documents = await projects.read_all(project.id)
    assert states(documents) == {"pricing.md": "ready", "terms.txt": "failed", "notes.txt": "ready"}
    assert "There is no file “terms.txt”" in next(one.error for one in documents if one.state == "failed")


async def test_a_file_that_grows_while_it_is_read_is_read_as_it_ends_or_said(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = extractor.extract

    async def grows(path: Path, below: Path | None = None) -> object:
        read = await real(path)
        with path.open("a") as file:
            file.write(" And more.")
        return read

    monkeypatch.setattr(extractor, "extract", grows)
    await projects.add_files(project.id, [folder / "terms.txt"])
    (document,) = await projects.read_all(project.id)
    assert (document.state, extractor.read) == ("failed", ["terms.txt", "terms.txt"])
    assert "changes while it is read" in document.error


async def test_a_disk_that_takes_no_copy_fails_the_file_and_one_that_takes_no_text_ends_the_reading(
    world: World, projects: Projects, project: Project, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = folder.parent / "documents"
    copies.write_text("a file in the folder's place")
    await projects.add_files(project.id, [folder / "terms.txt"])
    (document,) = await projects.read_all(project.id)
    assert document.error.startswith("No copy of “terms.txt” could be kept")
    copies.unlink()

    async def full(text: object) -> None:
        raise UserError("store", "The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(type(world.history.projects), "save_text", lambda self, text: full(text))
        await projects.read_again(project.id, [document.id])
        with pytest.raises(UserError, match="The disk is full"):
            await projects.read_all(project.id)
    assert states(await projects.documents(project.id)) == {"terms.txt": "waiting"}
    problem = projects.document_reading.problem(project.id)
    assert problem is not None
    assert states(await projects.read_all(project.id)) == {"terms.txt": "ready"}
    assert projects.document_reading.problem(project.id) is None


async def test_reading_is_stopped_and_what_waits_is_read_at_the_next_start(
    world: World, projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.gate = asyncio.Event()
    await projects.add_files(project.id, [folder])
    await extractor.begun.wait()
    assert projects.document_reading.progress(project.id) is not None
    await projects.document_reading.stop(project.id)
    assert set(states(await projects.documents(project.id)).values()) == {"waiting"}
    assert world.of(ReadingProgressed)[-1].name == ""

    later = TextExtractor()
    restarted = Projects(world.history.projects, later, world.announcements, files=folder.parent / "documents")
    await restarted.start()
    documents = await restarted.read_all(project.id)
    assert set(states(documents).values()) == {"ready"}
    assert len(later.read) == 3
    await restarted.close()


class CountsSeven:
    """A vocabulary in which every text has seven tokens."""

    found = (True, "")

    async def counter(self, model: ModelInfo) -> Callable[[str], int] | None:
        return (lambda _: 7) if model.tokenizer == "o200k" else None

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("before", [False, True], ids=["at once", "later"])
async def test_what_is_read_is_counted_by_the_vocabulary_too(
    world: World, project: Project, folder: Path, extractor: TextExtractor, before: bool
) -> None:
    files = folder.parent / "documents"
    if before:
        without = Projects(world.history.projects, extractor, world.announcements, files=files)
        await without.add_files(project.id, [folder])
        assert not any(map(is_exact, await without.read_all(project.id)))
        await without.close()
    reading = Projects(world.history.projects, extractor, world.announcements, files=files, vocabulary=CountsSeven())
    if before:
        read = len(extractor.read)
        await reading.start()
        await asyncio.wait(reading.document_reading.tasks.values())
        assert len(extractor.read) == read, "it is counted, not read"
    else:
        await reading.add_files(project.id, [folder])
    estimator = TokenEstimator.seeded("o200k")
    for one in await reading.read_all(project.id):
        assert document_tokens(one, estimator, by_vocabulary=True) == 7
        assert document_tokens(one, estimator) not in (0, 7)
    await reading.close()


async def test_who_waits_for_the_reading_may_leave_without_ending_it(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.gate = asyncio.Event()
    await projects.add_files(project.id, [folder])
    waiting = asyncio.ensure_future(projects.read_all(project.id))
    await asyncio.sleep(0)
    waiting.cancel()
    extractor.gate.set()
    assert set(states(await projects.read_all(project.id)).values()) == {"ready"}


async def test_what_is_changed_while_it_is_read_stays_changed(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.gate = asyncio.Event()
    added, _ = await projects.add_files(project.id, [folder])
    ids = {one.name: one.id for one in added}
    await projects.set_mode(project.id, [ids["pricing.md"]], "always")
    await projects.remove_documents(project.id, [ids["notes.txt"]])
    extractor.gate.set()
    documents = await projects.read_all(project.id)
    assert {one.name: (one.state, one.mode) for one in documents} == {
        "pricing.md": ("ready", "always"),
        "terms.txt": ("ready", "search"),
    }
    await projects.restore_documents(project.id, [ids["notes.txt"]])
    assert len(await projects.read_all(project.id)) == 3


async def test_documents_stay_readable_when_their_files_are_gone(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    await projects.add_files(project.id, [folder / "terms.txt"])
    (before,) = await projects.read_all(project.id)
    (folder / "terms.txt").unlink()
    await projects.read_again(project.id, [before.id])
    (after,) = await projects.read_all(project.id)
    assert after == before
    assert extractor.read == ["terms.txt", "terms.txt"]


async def test_a_thousand_files_are_read_with_few_writes_and_the_loop_goes_on(
    world: World, projects: Projects, project: Project, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(1000):
        (folder / f"{number:04}.txt").write_text(f"Document number {number}.")
    await projects.add_files(project.id, [folder])
    turns = 0
    reading = asyncio.ensure_future(projects.read_all(project.id))
    while not reading.done():
        turns += 1
        await asyncio.sleep(0)
    assert set(states(await reading).values()) == {"ready"}
    assert turns > 1000  # the loop came round between any two files
    assert len(world.of(ReadingProgressed)) == 1001
    # each makes a page read the list again: once for many documents
    assert len(world.of(ProjectDocumentsChanged)) < 500


async def test_the_context_is_the_same_object_until_something_of_it_changes(
    world: World, projects: Projects, project: Project, folder: Path
) -> None:
    thread = thread_in(project)
    assert await projects.context_of(Thread("outside", "", "", "")) is None
    await projects.set_instructions(project.id, "Answer as an analyst.")
    added, _ = await projects.add_files(project.id, [folder])
    await projects.read_all(project.id)
    context = await projects.context_of(thread)
    assert context is not None
    assert (context.instructions, context.documents, context.searchable) == ("Answer as an analyst.", (), 3)
    assert len(context.listed) == 3
    assert await projects.context_of(thread) is context

    ids = {one.name: one.id for one in added}
    await projects.set_mode(project.id, [ids["terms.txt"], ids["notes.txt"]], "always")
    always = await projects.context_of(thread)
    assert always is not None
    assert sorted(part.name for part in always.documents) == ["notes.txt", "terms.txt"]
    assert always.searchable == 1
    await projects.rename(project.id, "Renamed")
    renamed = await projects.context_of(thread)
    assert renamed is not None
    assert renamed.name == "Renamed"
    assert [id(part) for part in renamed.documents] == [id(part) for part in always.documents]

    world.announcements.publish(HistoryChangedElsewhere())
    assert await projects.context_of(thread) is renamed  # nothing of it changed


async def test_added_later_stands_behind_so_that_what_was_cached_stays_a_beginning(
    projects: Projects, project: Project, folder: Path
) -> None:
    await projects.add_files(project.id, [folder / "terms.txt"])
    await asyncio.sleep(0.002)  # of another millisecond
    await projects.add_files(project.id, [folder / "old" / "notes.txt"])
    documents = await projects.read_all(project.id)
    await projects.set_mode(project.id, [one.id for one in documents], "always")
    context = await projects.context_of(thread_in(project))
    assert context is not None
    assert [part.name for part in context.documents] == ["terms.txt", "notes.txt"]


async def test_followed_folders_tell_of_changes_and_count_them_when_they_are_taken_over(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    followed = await projects.follow(project.id, folder)
    before = {one.name: one for one in await projects.read_all(project.id)}
    assert [one.path for one in before.values()] == ["old/notes.txt", "pricing.md", "terms.txt"]
    assert await projects.followed_folders.look(project.id) == ()

    (folder / "new.md").write_text("New.")
    (folder / "terms.txt").write_text("Terms of payment are 14 days.")
    (folder / "old" / "notes.txt").unlink()
    os.utime(folder / "pricing.md", (1, 1))  # touched, not changed
    changes = await projects.followed_folders.look(project.id)
    assert [(one.kind, one.path) for one in changes] == [
        ("new", "new.md"),
        ("changed", "terms.txt"),
        ("removed", "old/notes.txt"),
    ]
    assert projects.followed_folders.found(project.id) == changes
    # nothing counts yet
    assert states(await projects.documents(project.id)) == dict.fromkeys(before, "ready")

    await projects.accept_changes(project.id, changes)
    after = {one.name: one for one in await projects.read_all(project.id)}
    assert {name: one.state for name, one in after.items()} == {
        "new.md": "ready",
        "pricing.md": "ready",
        "terms.txt": "ready",
        "notes.txt": "missing",
    }
    assert after["terms.txt"].sha256 != before["terms.txt"].sha256
    assert after["notes.txt"].sha256 == before["notes.txt"].sha256
    assert projects.followed_folders.found(project.id) == ()
    assert await projects.followed_folders.look(project.id) == ()

    (folder / "old" / "notes.txt").write_text("Old notes.")  # back again as it was
    assert await projects.followed_folders.look(project.id) == ()
    assert states(await projects.documents(project.id))["notes.txt"] == "ready"
    await projects.followed_folders.unfollow(project.id, followed.id)
    assert await projects.folders(project.id) == ()
    kept = {one.name: one for one in await projects.documents(project.id)}
    assert Path(kept["terms.txt"].path) == folder / "terms.txt"
    assert await projects.file_of(kept["terms.txt"]) == (folder / "terms.txt", None)


async def test_a_file_that_was_renamed_in_a_followed_folder_is_the_same_document(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    await projects.follow(project.id, folder)
    before = {one.name: one for one in await projects.read_all(project.id)}
    await projects.set_mode(project.id, [before["terms.txt"].id], "always")
    (folder / "terms.txt").rename(folder / "old" / "payment.txt")
    (folder / "pricing.md").unlink()
    (folder / "other.md").write_text("x" * before["pricing.md"].size)  # as long, but another one
    changes = await projects.followed_folders.look(project.id)
    assert sorted((one.kind, one.path) for one in changes) == [
        ("new", "other.md"),
        ("removed", "pricing.md"),
        ("renamed", "old/payment.txt"),
    ]
    extractor.read.clear()
    await projects.accept_changes(project.id, changes)
    after = {one.name: one for one in await projects.read_all(project.id)}
    was, now = before["terms.txt"], after["payment.txt"]
    assert (now.id, now.sha256, now.mode, now.state) == (was.id, was.sha256, "always", "ready")
    assert now.path == "old/payment.txt"
    assert extractor.read == ["other.md"], "what was renamed is not read again"
    assert await projects.followed_folders.look(project.id) == ()


async def test_a_file_that_can_not_be_read_is_no_change_until_it_changes(
    projects: Projects, project: Project, folder: Path, extractor: TextExtractor
) -> None:
    extractor.broken["terms.txt"] = "“{name}” is damaged."
    await projects.follow(project.id, folder)
    await projects.read_all(project.id)
    assert await projects.followed_folders.look(project.id) == ()
    (folder / "terms.txt").write_text("Terms of payment are now 14 days.")
    assert [(one.kind, one.path) for one in await projects.followed_folders.look(project.id)] == [
        ("changed", "terms.txt")
    ]


async def test_a_folder_that_is_not_there_any_more_removes_nothing(
    projects: Projects, project: Project, folder: Path
) -> None:
    followed = await projects.follow(project.id, folder)
    await projects.read_all(project.id)
    folder.rename(folder.with_name("elsewhere"))
    assert await projects.followed_folders.look(project.id) == ()
    assert projects.followed_folders.unreachable(project.id) == (followed,)
    folder.with_name("elsewhere").rename(folder)
    assert await projects.followed_folders.look(project.id) == ()
    assert projects.followed_folders.unreachable(project.id) == ()


async def test_what_the_user_removed_or_added_apart_is_not_new_in_a_followed_folder(
    projects: Projects, project: Project, folder: Path
) -> None:
    await projects.add_files(project.id, [folder / "pricing.md"])
    await projects.follow(project.id, folder)
    documents = {one.name: one.id for one in await projects.read_all(project.id)}
    assert sorted(documents) == ["notes.txt", "pricing.md", "terms.txt"]
    await projects.remove_documents(project.id, [documents["terms.txt"]])
    assert await projects.followed_folders.look(project.id) == ()
    await projects.restore_documents(project.id, [documents["terms.txt"]])
    assert await projects.followed_folders.look(project.id) == ()


async def test_a_folder_is_followed_once(projects: Projects, project: Project, folder: Path) -> None:
    await projects.follow(project.id, folder)
    for path, words in (
        (folder, "followed already"),
        (folder / "old", "they share files"),
        (folder / "x", "no folder"),
    ):
        with pytest.raises(UserError, match=words):
            await projects.follow(project.id, path)
    assert len(await projects.folders(project.id)) == 1


async def test_a_project_deleted_while_it_was_read_is_read_on_when_it_comes_back(
    projects: Projects, project: Project, extractor: TextExtractor, folder: Path
) -> None:
    extractor.gate = asyncio.Event()
    await projects.add_files(project.id, [folder])
    await projects.delete(project.id)  # before the reading has begun
    await projects.restore(project.id)
    await extractor.begun.wait()
    await projects.delete(project.id)  # in the midst of it
    extractor.gate.set()
    await projects.restore(project.id)
    assert set(states(await projects.read_all(project.id)).values()) == {"ready"}

    await projects.delete(project.id)
    await projects.restore(project.id)
    assert not projects.document_reading.tasks, "as nothing was read"


async def test_small_files_that_are_added_are_always_included_while_there_is_room(
    world: World, extractor: TextExtractor, tmp_path: Path
) -> None:
    """A small one was searched when needed, as if the large one beside it had taken its room."""

    async def limit(_project_id: str) -> tuple[int, TokenizerFamily]:
        return 10_000, "claude-2023"

    made = Projects(world.history.projects, extractor, world.announcements, files=tmp_path / "copies", limit=limit)
    project = await made.create("Boats")
    files = {"a-large.md": "A long list of harbours. " * 4_000, "notes.md": "Draught 2.1 m.", "other.md": "Sail 42 m2."}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "followed").mkdir()
    (tmp_path / "followed" / "small.md").write_text("Of a folder.")
    await made.add_files(project.id, [tmp_path / name for name in files])
    modes = {one.name: one.mode for one in await made.read_all(project.id)}
    assert modes == {"a-large.md": "search", "notes.md": "always", "other.md": "always"}

    notes = next(one for one in await made.documents(project.id) if one.name == "notes.md")
    await made.set_mode(project.id, [notes.id], "search")
    (tmp_path / "late.md").write_text("Berth 12.")
    await made.follow(project.id, tmp_path / "followed")
    await made.add_files(project.id, [tmp_path / "late.md", tmp_path / "notes.md"])
    modes = {one.name: one.mode for one in await made.read_all(project.id)}
    assert modes["notes.md"] == "search", "the user's own choice stays, read again or not"
    assert modes["small.md"] == "search", "of a folder nobody chose the files one by one"
    assert modes["late.md"] == "always"
    await made.close()
