from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from desktop_app.controller import export_sources
from desktop_app.controller.export_sources import importer_of, open_source
from desktop_app.controller.formats import chatgpt_export
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Json
from tests.builders.chatgpt_export import conversation, node, said
from tests.builders.export_source import read_all


def found(path: Path) -> list[Json]:
    """Every JSON element of every file, as a format would read it."""
    with open_source(path) as source:
        return [item.value for one in source.members if one.endswith("json") for item in source.items(one)]


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        found(path)
    assert caught.value.failure.code == "store"
    return caught.value.failure.message


def zipped(path: Path, **members: str | bytes) -> Path:
    path.write_bytes(zip_bytes(**members))
    return path


def zip_bytes(**members: str | bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


TALK = [conversation(node("q", None, said("user", "Hi")))]


def test_a_file_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "any name.json"
    path.write_text('["ü"]', encoding="utf-8-sig")
    assert found(path) == ["ü"]
    path.write_text('["ü"]', encoding="utf-8")
    assert found(path) == ["ü"]


def test_a_folder_and_an_archive_have_the_same_members(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "export/conversations-001.json": "[2]",
        "export/conversations-000.json": "[1]",
        "__MACOSX/conversations.json": "junk",
        "file-abc-picture.png": b"\x89PNG",
        "user.json": "{}",
    }
    for name, content in members.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for place in (tmp_path / "folder", zipped(tmp_path / "export.zip", **members)):
        with open_source(place) as source:
            assert set(source.members) == {one for one in members if not one.startswith("__")}
            assert source.json("export/conversations-001.json") == [2]
            assert source.asset("file-abc") == "file-abc-picture.png"
            assert source.asset("file-abd") is None
            assert source.content("file-abc-picture.png", 4) == b"\x89PNG"
            assert source.content("file-abc-picture.png", 3) is None
            assert (source.local_file("user.json") is not None) == place.is_dir()


@pytest.mark.parametrize("as_folder", [True, False])
def test_archives_within_it_are_folders_of_it(tmp_path: Path, as_folder: bool) -> None:
    inner = zip_bytes(**{"conversations.json": json.dumps(TALK)})
    if as_folder:
        path = tmp_path / "folder"
        path.mkdir()
        (path / "part-1.zip").write_bytes(inner)
    else:
        path = zipped(tmp_path / "outer.zip", **{"part-1.zip": inner, "read.txt": b""})
    with open_source(path) as source:
        assert not chatgpt_export.IMPORTER.recognizes(source)
        assert source.add_inner_archives()
        assert "part-1.zip/conversations.json" in source.members
        assert chatgpt_export.IMPORTER.recognizes(source)
        assert len(read_all(chatgpt_export.IMPORTER, source).threads) == 1


def test_a_broken_line_is_refused_by_its_place_and_the_last_one_may_still_be_written(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text('{"a": 1}\n{"a": ', "utf-8")
    with open_source(path) as source:
        assert [one.value for one in source.lines(path.name)] == [{"a": 1}, None]
    path.write_text('{"a": 1}\n{"a": \n{"a": 3}\n', "utf-8")
    with pytest.raises(UserError, match="line 2"), open_source(path) as source:
        list(source.lines(path.name))
    with open_source(path, only_good=True) as source:
        assert [one.value for one in source.lines(path.name)] == [{"a": 1}, None, {"a": 3}]
        assert [one.why.split(":")[0] for one in source.broken] == ["line 2"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("[1]", "utf-8")
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "own.json").write_text("[2]", "utf-8")
    (folder / "in.json").symlink_to(folder / "own.json")
    (folder / "out.json").symlink_to(tmp_path / "secret.json")
    assert found(folder) == [2, 2]


def test_lines_are_values_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a": 1}\n\n{"b": "\xc3\xbc"}\n' * 2 + b"broken\n")
    with open_source(path, only_good=True) as source:
        items = list(source.lines("session.jsonl"))
        assert [item.value for item in items] == [*[{"a": 1}, {"b": "ü"}] * 2, None]
        assert [item.place for item in items] == ["line 1", "line 3", "line 4", "line 6", "line 7"]
        assert [(one.what, one.why[:6]) for one in source.broken] == [("session.jsonl", "line 7")]


@pytest.mark.parametrize("name", ["../conversations.json", "/etc/conversations.json", "a/../../b.json", "C:\\x.json"])
def test_a_name_that_points_outside_is_refused(tmp_path: Path, name: str) -> None:
    assert "outside" in refused(zipped(tmp_path / "evil.zip", **{"conversations.json": "[]", name: "[]"}))


def test_a_bomb_is_refused_whatever_its_header_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(tmp_path / "bomb.zip", **{"conversations.json": b" " * (export_sources.RATIO_FROM * 2)})
    assert "unpacks to more than" in refused(bomb)
    monkeypatch.setattr(export_sources, "MAX_BYTES", 10)
    shards = {"conversations-0.json": "[1, 2]", "conversations-1.json": "[3, 4]"}
    assert "more than 10 bytes" in refused(zipped(tmp_path / "many.zip", **shards))
    plain = tmp_path / "plain.json"
    plain.write_text("[1, 2, 3, 4, 5]")
    assert "more than 10 bytes" in refused(plain)


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_sources, "MAX_MEMBERS", 2)
    assert "more than 2 files" in refused(zipped(tmp_path / "many.zip", **{"a": "", "b": "", "c": ""}))


def test_a_broken_file_is_named_with_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(b'[1, {"title": "My talk", "x": }]')
    assert refused(path) == (
        "broken.json can't be imported: not JSON: Expecting value at line 1, byte 31, "
        'in item 2 "My talk". Nothing was imported.'
    )
    with open_source(path, only_good=True) as source:
        assert [item.value for item in source.items("broken.json")] == [1]
        assert [one.what for one in source.broken] == ["broken.json"]


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "cut.zip", **{"conversations.json": json.dumps(list(range(10_000)))})
    raw = bytearray(path.read_bytes())
    raw[200:260] = b"\0" * 60
    path.write_bytes(raw)
    assert "cut.zip" in refused(path)


@pytest.mark.parametrize("left", [700, 200])
def test_a_part_of_a_split_archive_says_what_to_do(tmp_path: Path, left: int) -> None:
    path = tmp_path / "export.zip"
    whole = zip_bytes(**{f"{at}.json": "[]" for at in range(9)})
    path.write_bytes(whole[len(whole) - left :])
    assert "put all parts together" in refused(path)


def test_what_is_no_file_is_bad_usage(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(UserError) as caught:
            found(path)
        assert caught.value.failure.code == "usage"


def test_an_export_that_begins_with_a_text_of_megabytes_is_recognized(tmp_path: Path) -> None:
    talk = {"title": 'a "b" ' * 500_000, "mapping": {}}
    (tmp_path / "conversations.json").write_text(json.dumps([talk]), "utf-8")

    with open_source(tmp_path / "conversations.json") as source:
        assert importer_of(source) is chatgpt_export.IMPORTER
