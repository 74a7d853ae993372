"""What an archive named outside the data folder comes back when the user chooses it: a folder, a file."""

from __future__ import annotations

from pathlib import Path

from tests.controller.test_everything import installed


async def test_a_followed_folder_and_a_missing_file_come_back_when_they_are_chosen(tmp_path: Path) -> None:
    specs, alone = tmp_path / "specs", tmp_path / "alone.txt"
    specs.mkdir()
    (specs / "spec.txt").write_text("The price is in cents.")
    alone.write_text("Another file.")
    async with installed(tmp_path / "one") as one:
        project = await one.projects.create("Portal")
        followed = await one.projects.follow(project.id, specs)
        await one.projects.add_files(project.id, [alone])
        await one.projects.read_all(project.id)
        for copy in [file for file in one.paths.documents.rglob("*") if file.is_file()]:
            copy.unlink()
        await one.everything.write(tmp_path / "all.zip")
    async with installed(tmp_path / "two") as two:
        await two.transfer.import_files([tmp_path / "all.zip"])
        (folder,) = await two.projects.folders(project.id)
        assert (folder.path, folder.chosen) == ("specs", False)
        assert await two.projects.followed_folders.look(project.id) == ()
        assert two.projects.followed_folders.unreachable(project.id) == ()
        documents = {document.name: document for document in await two.projects.documents(project.id)}
        assert {document.state for document in documents.values()} == {"missing"}
        assert documents["alone.txt"].path == ""
        again = await two.projects.follow(project.id, specs)
        assert (again.id, again.path) == (followed.id, str(specs))
        await two.projects.choose_file(project.id, documents["alone.txt"].id, alone)
        await two.projects.read_all(project.id)
        states = {document.name: document.state for document in await two.projects.documents(project.id)}
    assert states == {"spec.txt": "ready", "alone.txt": "ready"}
