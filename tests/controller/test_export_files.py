from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.export_files import write_export


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out" / "export.json"
    write_export(path, ["one ", "ü"])
    assert path.read_bytes() == "one ü".encode()

    def breaks() -> object:
        yield "two"
        raise RuntimeError("the pieces end early")

    with pytest.raises(RuntimeError):
        write_export(path, breaks())  # type: ignore[arg-type]
    assert path.read_bytes() == "one ü".encode()
    assert [file.name for file in path.parent.iterdir()] == ["export.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_export(link, ["new"])
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_beside_what_is_there_nothing_is_replaced_and_the_same_is_not_written_twice(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    (tmp_path / "a.md").write_text("the user's")
    (tmp_path / "a 2.md").mkdir()
    (tmp_path / "a 3.md").symlink_to(elsewhere)
    for _ in range(2):
        assert write_export(tmp_path / "a.md", ["new"], beside=True) == tmp_path / "a 4.md"
    assert (tmp_path / "a.md").read_text() == "the user's"
    assert (tmp_path / "a 4.md").read_text() == "new"
    assert not elsewhere.exists()
    assert len(list(tmp_path.iterdir())) == 4
