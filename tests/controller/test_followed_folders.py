"""Followed folders as anybody may have made them: of any depth, with names of any bytes, links swapped in."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop_app.controller.project_library import Projects
from desktop_app.core.errors import UserError
from desktop_app.core.projects import DocumentText, FollowedFolder, Project, ProjectDocument
from desktop_app.documents.document_reader import DocumentReader
from desktop_app.documents.project_worker import ProjectWorker, joined_text, passages_of
from tests.controller.world import World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and names as other systems have them")

SECRET = "the key of somebody else"


class WorkerInProcess:
    """Gives the worker that reads projects its orders as they come over the pipe, without starting it."""

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        order = {"read": "document", "name": path.name, "path": str(path), "language": "eng"}
        order["below"] = "" if below is None else str(below)
        facts = await asyncio.to_thread(ProjectWorker().answer, json.loads(json.dumps(order)))
        if "error" in facts:
            raise UserError("usage", facts["error"])
        return joined_text(facts, facts["text"], passages_of(facts))

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        raise NotImplementedError


@pytest_asyncio.fixture
async def projects(world: World, tmp_path: Path) -> AsyncIterator[Projects]:
    made = Projects(world.history.projects, WorkerInProcess(), world.announcements, files=tmp_path / "documents")
    yield made
    await made.close()


@pytest_asyncio.fixture
async def project(projects: Projects) -> Project:
    return await projects.create("Ordering portal")


async def text_of(world: World, document: ProjectDocument) -> str:
    text = await world.history.projects.text(document.sha256) if document.sha256 else None
    return text.text if text else ""


@pytest.mark.parametrize("swapped", ["file", "folder"])
async def test_a_link_that_was_swapped_in_is_not_read(
    world: World, projects: Projects, project: Project, tmp_path: Path, swapped: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_text(SECRET)
    folder = tmp_path / "specs"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.md").write_text("Terms of payment are 30 days.")
    (tmp_path / "followed").symlink_to(folder)  # what the user chose may be a link itself
    await projects.follow(project.id, tmp_path / "followed")
    (read,) = await projects.read_all(project.id)
    assert read.state == "ready"

    if swapped == "file":
        (folder / "sub" / "a.md").unlink()
        (folder / "sub" / "a.md").symlink_to(tmp_path / "elsewhere" / "a.md")
    else:
        (folder / "sub").rename(tmp_path / "away")
        (folder / "sub").symlink_to(tmp_path / "elsewhere")
    await projects.read_again(project.id, [read.id])
    (again,) = await projects.read_all(project.id)
    assert (again.state, again.error) == ("failed", "There is no file “a.md”. Check the name, or whether it was moved.")
    assert SECRET not in await text_of(world, again)
    # nor is it shown, or handed to another program
    assert await projects.file_of(again) is None
    assert await projects.original_of(again) is None


@pytest.mark.parametrize("swapped", ["the folder", "one above"])
async def test_a_folder_that_became_a_link_is_not_looked_at(
    world: World, projects: Projects, project: Project, tmp_path: Path, swapped: str
) -> None:
    chosen, secret = tmp_path / "above" / "specs", tmp_path / "secret" / "specs"
    for folder, words in ((chosen, "Terms of payment are 30 days."), (secret, SECRET)):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text(words)
    (secret / "b.md").write_text(SECRET)
    followed = await projects.follow(project.id, chosen)
    (read,) = await projects.read_all(project.id)
    there, instead = (chosen, secret) if swapped == "the folder" else (chosen.parent, secret.parent)
    there.rename(tmp_path / "away")
    there.symlink_to(instead)

    assert await projects.followed_folders.look(project.id) == ()
    assert list(projects.followed_folders.unreachable(project.id)) == [followed]
    assert (await projects.file_of(read), await projects.original_of(read)) == (None, None)
    await projects.read_again(project.id, [read.id])
    (again,) = await projects.read_all(project.id)
    assert SECRET not in await text_of(world, again)

    there.unlink()
    (tmp_path / "away").rename(there)
    assert await projects.followed_folders.look(project.id) == ()
    assert projects.followed_folders.unreachable(project.id) == ()


async def test_a_link_that_is_chosen_is_the_folder_that_it_leads_to(
    projects: Projects, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.md").write_text("Terms of payment are 30 days.")
    (tmp_path / "link").symlink_to("specs")
    await projects.add_files(project.id, [tmp_path / "link" / "a.md"])
    followed = await projects.follow(project.id, tmp_path / "link")
    assert followed.path == str(tmp_path / "specs")
    (added,) = await projects.documents(project.id)
    assert added.path == str(tmp_path / "specs" / "a.md")
    with pytest.raises(UserError, match="followed already"):
        await projects.follow(project.id, tmp_path / "specs")


async def test_a_folder_that_was_followed_by_a_link_is_the_same_when_it_is_chosen_again(
    world: World, projects: Projects, project: Project, tmp_path: Path
) -> None:
    """Older versions kept the path with its links."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "link").symlink_to("specs")
    old = FollowedFolder("f1", project.id, str(tmp_path / "link"))
    await world.history.projects.save_folder(old)
    assert await projects.followed_folders.look(project.id) == ()
    assert list(projects.followed_folders.unreachable(project.id)) == [old]
    assert await projects.follow(project.id, tmp_path / "link") == replace(old, path=str(tmp_path / "specs"))
    assert projects.followed_folders.unreachable(project.id) == ()


async def test_a_planted_path_leads_to_nothing(
    world: World, projects: Projects, project: Project, tmp_path: Path
) -> None:
    """As a file of the history has it that something else wrote."""
    (tmp_path / "secret.md").write_text(SECRET)
    (tmp_path / "specs").mkdir()
    followed = await projects.follow(project.id, tmp_path / "specs")
    for number, path in enumerate(("../secret.md", str(tmp_path / "secret.md"), "a/../../secret.md", "", "a\0.md")):
        planted = ProjectDocument(f"d{number}", project.id, "secret.md", folder_id=followed.id, path=path)
        await world.history.projects.save_documents([planted])
    await projects.start()
    for document in await projects.read_all(project.id):
        assert (document.state, await text_of(world, document)) == ("failed", "")


IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where folders are made at once: a disk takes seconds for thousands of them."""

NAMES = st.binary(min_size=1, max_size=40).map(lambda name: b"n" + name.replace(b"/", b"_").replace(b"\0", b"_"))


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.lists(st.tuples(NAMES, st.sampled_from((0, 1, 3, 150))), min_size=1, max_size=6),
    st.integers(0, 5_000) | st.sampled_from((199, 200, 201, 1_100, 5_000)),
    NAMES,
    st.booleans(),
)
@example([(b"n\xff\xfe", 1)], 1_100, b"n\xe9", True)
@example([("n\ufffde9".encode(), 0), (b"n\xe9", 0)], 200, b"n" * 250, True)
async def test_any_tree_gives_files_or_says_why_not(
    world: World, files: list[tuple[bytes, int]], depth: int, part: bytes, followed: bool
) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as home:
        root = Path(home, "tree")
        root.mkdir()
        written = planted(root, files, depth, part)
        projects = Projects(world.history.projects, WorkerInProcess(), world.announcements, files=Path(home, "copies"))
        try:
            project = await projects.create(await projects.free_name("Any"))
            await (projects.follow(project.id, root) if followed else projects.add_files(project.id, [root]))
            documents = await projects.read_all(project.id)
            assert {one.state for one in documents} <= {"ready", "failed"}
            texts = {await text_of(world, one) for one in documents if one.state == "ready"}
            assert texts >= written
            assert any(one.state == "failed" for one in documents) == (depth > 200)
            assert all(one.error for one in documents if one.state == "failed")
            json.dumps([(one.name, one.path) for one in documents], ensure_ascii=False).encode()
            assert await projects.followed_folders.look(project.id) == ()
        finally:
            await projects.close()
            await asyncio.to_thread(remove, root)


def planted(root: Path, files: list[tuple[bytes, int]], depth: int, part: bytes) -> set[str]:
    """A chain of folders of one name with the files at some of their depths; the texts that can be read."""
    readable = set()
    folder = os.open(root, os.O_RDONLY)
    for level in range(depth + 1):
        for number, (name, at) in enumerate(files):
            if at == level:
                with os.fdopen(
                    os.open(b"%d%s.md" % (number, name), os.O_CREAT | os.O_WRONLY, dir_fd=folder), "w"
                ) as file:
                    file.write(f"Text {number} of level {level}.")
                readable.add(f"Text {number} of level {level}.")
        if level < depth:
            os.mkdir(part, dir_fd=folder)
            below = os.open(part, os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = below
    os.close(folder)
    return readable


def remove(root: Path) -> None:
    subprocess.run(["/bin/rm", "-rf", str(root)], check=True)  # Python's own gives up at such a depth


async def test_an_attachment_with_a_name_of_any_bytes_is_read(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))
    path.write_text("Read all the same.")
    reader = DocumentReader()
    try:
        part = await reader.read_file(path)
    finally:
        await reader.close()
    assert (part.name, part.text) == ("caf .md", "Read all the same.")  # type: ignore[union-attr]
