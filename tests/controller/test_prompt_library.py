"""The prompt library: written, copied, deleted and brought back, handed on as a file; a bad file changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.controller.prompt_library import PromptImport, PromptLibrary
from desktop_app.core.errors import UserError
from desktop_app.core.events import PromptsChanged
from desktop_app.core.prompts import TEXT_LIMIT, Prompt
from tests.controller.world import World


@pytest.fixture
def library(world: World) -> PromptLibrary:
    return PromptLibrary(world.history, world.announcements)


async def pairs(library: PromptLibrary) -> list[tuple[str, str]]:
    return [(one.title, one.text) for one in await library.all()]


async def test_a_prompt_is_written_changed_and_announced(world: World, library: PromptLibrary) -> None:
    new = library.new_id()
    stored = await library.write(new, "  Translate\nthis ", "To {{language}}: {{text:long}}")
    assert stored == Prompt(new, "Translate this", "To {{language}}: {{text:long}}", stored.created, stored.created)
    changed = await library.write(new, "Translate", "x")
    assert await library.all() == (changed,)
    assert changed.updated >= stored.updated == changed.created
    assert world.of(PromptsChanged) == [PromptsChanged(), PromptsChanged()]


async def test_what_can_not_be_stored_is_refused_and_nothing_is_announced(world: World, library: PromptLibrary) -> None:
    for title, text in (("", "text"), ("title", ""), ("title", "x" * (TEXT_LIMIT + 1))):
        with pytest.raises(UserError):
            await library.add(title, text)
    assert await library.all() == ()
    assert world.of(PromptsChanged) == []


async def test_a_copy_has_a_title_of_its_own(library: PromptLibrary) -> None:
    one = await library.add("One", "text")
    await library.duplicate(one.id)
    await library.duplicate(one.id)
    assert await pairs(library) == [("One", "text"), ("One 2", "text"), ("One 3", "text")]
    with pytest.raises(UserError, match="no longer exists"):
        await library.duplicate("gone")


async def test_a_deleted_prompt_comes_back_as_it_was(library: PromptLibrary) -> None:
    one = await library.add("One", "text")
    await library.delete(one.id)
    assert await library.all() == ()
    await library.restore(one)
    assert await library.all() == (one,)


async def test_a_file_round_trips_byte_for_byte_and_adds_nothing_twice(
    tmp_path: Path, library: PromptLibrary, world: World
) -> None:
    for title, text in (("Größe", "a\n{{b}}\u2028"), ("翻译", 'say "x" \\{{y}}')):
        await library.add(title, text)
    before = await library.all()
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert await library.export(first) == 2
    for one in before:
        await library.delete(one.id)
    assert await library.import_file(first) == PromptImport(2, 0)
    assert await library.all() == before
    assert await library.import_file(first) == PromptImport(0, 2)
    await library.export(second)
    assert second.read_bytes() == first.read_bytes()
    assert first.stat().st_mode & 0o777 == 0o600
    assert first.read_bytes().count(b"\n") == 4


async def test_one_that_was_changed_here_stays_beside_the_one_of_the_file(
    tmp_path: Path, library: PromptLibrary
) -> None:
    one = await library.add("One", "old")
    file = tmp_path / "prompts.json"
    await library.export(file)
    await library.write(one.id, "One", "new")
    assert await library.import_file(file) == PromptImport(1, 0)
    assert sorted(await pairs(library)) == [("One", "new"), ("One", "old")]
    assert await library.import_file(file) == PromptImport(0, 1)


async def test_lists_of_other_programs_are_read(tmp_path: Path, library: PromptLibrary) -> None:
    file = tmp_path / "list.json"
    file.write_text(
        json.dumps(
            [
                {"act": "Reviewer", "prompt": "Review {{code:long}}"},
                {"command": "fix", "content": "Fix it", "user": 1},
                {"command": "fix", "content": "Fix it"},
            ]
        )
    )
    assert await library.import_file(file) == PromptImport(2, 1)
    assert await pairs(library) == [("fix", "Fix it"), ("Reviewer", "Review {{code:long}}")]


GOOD = {"id": "1", "title": "t", "text": "x", "created": "2026", "updated": "2026"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not json", "not JSON"),
        ("{}", "expected prompts of Plimsoll, or a list"),
        ('{"format": "plimsoll", "version": 4, "threads": []}', "expected prompts of Plimsoll"),
        ('{"format": "plimsoll-prompts", "version": 2, "prompts": []}', "a newer Plimsoll wrote it"),
        ('{"format": "plimsoll-prompts", "version": true, "prompts": []}', "expected 1"),
        ('{"format": "plimsoll-prompts", "version": 1}', "file.prompts: expected an array"),
        (json.dumps([{"title": "fine", "text": "x"}, {"title": "no text"}]), r"[1]: expected one of text, content"),
        (json.dumps([{"title": "fine", "text": "x"}, 7]), "[1]: expected an object"),
        (json.dumps([{"title": "fine", "text": "x"}, {"title": "", "text": "x"}]), "needs a title"),
        (
            json.dumps({"format": "plimsoll-prompts", "version": 1, "prompts": [GOOD, {**GOOD, "text": None}]}),
            "prompts[1].text: expected a string",
        ),
    ],
)
async def test_a_bad_file_is_named_with_its_fault_and_changes_nothing(
    tmp_path: Path, world: World, library: PromptLibrary, content: str, words: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    with pytest.raises(UserError) as caught:
        await library.import_file(file)
    assert caught.value.failure.code == "store"
    assert words in caught.value.failure.message
    assert "bad.json" in caught.value.failure.message
    assert await library.all() == ()
    assert world.of(PromptsChanged) == []


async def test_a_file_that_is_not_there_is_bad_usage(tmp_path: Path, library: PromptLibrary) -> None:
    with pytest.raises(UserError) as caught:
        await library.import_file(tmp_path / "missing.json")
    assert caught.value.failure.code == "usage"
