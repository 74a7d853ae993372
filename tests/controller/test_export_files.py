from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from desktop_app.controller import export_files
from desktop_app.controller.export_files import read_export_files, write_export
from desktop_app.core.errors import UserError


def found(path: Path) -> list[object]:
    return [file.data for file in read_export_files(path)]


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        found(path)
    assert caught.value.failure.code == "store"
    return caught.value.failure.message


def zipped(path: Path, **members: str | bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def test_a_file_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "any name.json"
    path.write_text('["ü"]', encoding="utf-8-sig")
    assert found(path) == [["ü"]]
    path.write_text('["ü"]', encoding="utf-8")
    assert found(path) == [["ü"]]


def test_shards_in_an_archive_and_nothing_else_of_it(tmp_path: Path) -> None:
    members = {
        "export/conversations-001.json": "[2]",
        "export/conversations-000.json": "[1]",
        "__MACOSX/conversations.json": "junk",
        "user.json": "{}",
        "chat.html": "<html>",
    }
    assert found(zipped(tmp_path / "export.zip", **members)) == [[2], [1]]
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "folder" / "below" / "conversations.json").write_text("[3]")
    (tmp_path / "folder" / "user.json").write_text("{}")
    assert found(tmp_path / "folder") == [[3]]


def test_other_json_is_looked_at_where_no_file_has_the_known_name(tmp_path: Path) -> None:
    assert found(zipped(tmp_path / "own.zip", **{"plimsoll.json": "[1]", "notes.txt": ""})) == [[1]]
    assert "no conversations.json" in refused(zipped(tmp_path / "empty.zip", **{"notes.txt": ""}))


@pytest.mark.parametrize("name", ["../conversations.json", "/etc/conversations.json", "a/../../b.json", "C:\\x.json"])
def test_a_name_that_points_outside_is_refused(tmp_path: Path, name: str) -> None:
    assert "outside" in refused(zipped(tmp_path / "evil.zip", **{"conversations.json": "[]", name: "[]"}))


def test_a_bomb_is_refused_whatever_its_header_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(tmp_path / "bomb.zip", **{"conversations.json": b" " * (export_files.RATIO_FROM * 2)})
    assert "unpacks to more than" in refused(bomb)
    monkeypatch.setattr(export_files, "MAX_BYTES", 10)
    shards = {"conversations-0.json": "[1, 2]", "conversations-1.json": "[3, 4]"}
    assert "unpacks to more than" in refused(zipped(tmp_path / "many.zip", **shards))
    plain = tmp_path / "plain.json"
    plain.write_text("[1, 2, 3, 4, 5]")
    assert "more than 10 bytes" in refused(plain)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[NaN]", "NaN"),
        (b'["\xff"]', "not UTF-8 text (byte 2)"),
        (b"[" * 100_000, "nested too deeply"),
        (b"PK\x03\x04 but no archive", "not JSON"),
    ],
)
def test_a_broken_file_is_named_with_its_fault(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    message = refused(path)
    assert words in message
    assert "broken.json" in message


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "cut.zip", **{"conversations.json": json.dumps(list(range(10_000)))})
    raw = bytearray(path.read_bytes())
    raw[200:260] = b"\0" * 60
    path.write_bytes(raw)
    assert "cut.zip" in refused(path)


def test_half_of_a_surrogate_pair_is_replaced_and_a_whole_one_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    path.write_text('[{"\\udc00": "a\\ud800b"}, "\\ud83d\\ude00"]')
    assert found(path) == [[{"\ufffd": "a\ufffdb"}, "😀"]]


def test_what_is_no_file_is_bad_usage(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(UserError) as caught:
            found(path)
        assert caught.value.failure.code == "usage"


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
