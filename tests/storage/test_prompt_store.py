from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop_app.core.prompts import Prompt
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, opened


def a_prompt(prompt_id: str, title: str, text: str = "Say {{what}}") -> Prompt:
    return Prompt(prompt_id, title, text, TIME, TIME)


async def test_prompts_come_by_title_whatever_the_case(path: Path, history: SqliteHistory) -> None:
    kept = [a_prompt("1", "übersetzen"), a_prompt("2", "beta"), a_prompt("3", "Alpha"), a_prompt("4", "beta")]
    for one in kept:
        await history.save_prompts([one])
    assert await history.prompts() == (kept[2], kept[1], kept[3], kept[0])
    async with opened(path) as again:
        assert await again.prompts() == await history.prompts()


async def test_a_prompt_that_is_saved_again_takes_its_own_place(history: SqliteHistory) -> None:
    first = a_prompt("1", "old")
    await history.save_prompts([first])
    newer = replace(first, title="new", text="x\ny 川", updated="2027")
    await history.save_prompts([newer])
    assert await history.prompts() == (newer,)


async def test_a_deleted_prompt_is_gone_and_can_be_saved_again(history: SqliteHistory) -> None:
    one = a_prompt("1", "one")
    await history.save_prompts([one])
    await history.delete_prompt("1")
    await history.delete_prompt("1")
    assert await history.prompts() == ()
    await history.save_prompts([one])
    assert await history.prompts() == (one,)


async def test_half_of_a_surrogate_pair_does_not_keep_a_prompt_from_being_stored(history: SqliteHistory) -> None:
    await history.save_prompts([a_prompt("1", "a\ud800", "b\udfff"), a_prompt("2", "c")])
    first, _ = await history.prompts()
    assert (first.title, first.text) == ("a\ufffd", "b\ufffd")
