from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedThread, SearchWithin
from desktop_app.core.messages import TextPart
from desktop_app.storage.project_store import LOOKED_INTO
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders.exported_threads import talk
from tests.storage.conftest import TIME, a_thread

BRD = Artifact("a1b2", "thread", "Order BRD", created=TIME, updated=TIME)
LATER = "2026-03-02T10:00:00.000Z"


def version(number: int, text: str = "# Order", artifact: Artifact = BRD) -> ArtifactVersion:
    return ArtifactVersion(artifact.id, number, text, "model", TIME, "a1")


@pytest.fixture
async def history(history: SqliteHistory) -> SqliteHistory:
    await history.create_thread(a_thread())
    return history


async def test_versions_are_added_and_never_changed(history: SqliteHistory) -> None:
    long = "# Order\n\n" + "A line of it. " * 100
    await history.artifacts.add_version(BRD, version(1))
    await history.artifacts.add_version(replace(BRD, title="Orders", updated=LATER), version(2, long))
    assert await history.artifacts.versions("a1b2") == (version(1), version(2, long))
    kept = replace(BRD, title="Orders", updated=LATER, versions=2)
    assert await history.artifacts.one("a1b2") == kept
    assert await history.artifacts.of_thread("thread") == (kept,)
    for taken in (1, 2, 4):
        with pytest.raises(UserError) as refused:
            await history.artifacts.add_version(replace(BRD, title="lost"), version(taken, "other"))
        assert refused.value.failure.code == "store"
    assert await history.artifacts.one("a1b2") == kept


async def test_facts_are_written_without_a_version(history: SqliteHistory) -> None:
    await history.artifacts.add_version(BRD, version(1))
    await history.artifacts.save(replace(BRD, pinned=True, language="sql", kind="code", versions=9))
    assert await history.artifacts.one("a1b2") == replace(BRD, pinned=True, language="sql", kind="code", versions=1)


async def test_they_are_found_by_the_beginning_of_their_id(history: SqliteHistory) -> None:
    other = replace(BRD, id="a1c3", title="Other")
    await history.artifacts.add_version(BRD, version(1))
    await history.artifacts.add_version(other, version(1, artifact=other))
    assert (await history.artifacts.find("a1b")).id == "a1b2"
    for prefix in ("a1", "", "A1B2", "%", "x" * 2_000):
        with pytest.raises(UserError) as refused:
            await history.artifacts.find(prefix)
        assert refused.value.failure.code == "usage"


async def test_one_that_is_deleted_is_unknown_until_it_is_restored(history: SqliteHistory) -> None:
    await history.artifacts.add_version(BRD, version(1))
    await history.artifacts.delete("a1b2")
    assert await history.artifacts.of_thread("thread") == ()
    for asking in (
        history.artifacts.one("a1b2"),
        history.artifacts.versions("a1b2"),
        history.artifacts.delete("a1b2"),
        history.artifacts.save(BRD),
        history.artifacts.add_version(BRD, version(2)),
        history.artifacts.restore("a9"),
    ):
        with pytest.raises(UserError) as refused:
            await asking
        assert refused.value.failure.code == "usage"
    await history.artifacts.restore("a1b2")
    assert await history.artifacts.versions("a1b2") == (version(1),)


async def test_all_of_them_last_updated_first_without_those_of_deleted_threads(history: SqliteHistory) -> None:
    await history.create_thread(a_thread("second"))
    other = replace(BRD, id="b", thread_id="second", updated=LATER)
    await history.artifacts.add_version(BRD, version(1))
    await history.artifacts.add_version(other, version(1, artifact=other))
    assert [one.id for one in await history.artifacts.all()] == ["b", "a1b2"]
    await history.delete_thread("second")
    assert [one.id for one in await history.artifacts.all()] == ["a1b2"]
    await history.restore_thread("second")
    assert [one.id for one in await history.artifacts.all()] == ["b", "a1b2"]


async def test_they_are_found_by_the_words_of_their_newest_text_and_title(history: SqliteHistory) -> None:
    await history.artifacts.add_version(BRD, version(1, "# Draft\n\nThe berth is paid."))
    await history.artifacts.add_version(BRD, version(2, "# Order\n\nThe **Málaga** berth, and the start."))
    for words in ("malaga ber", "berth", "brd", '"the malaga"'):
        (one,) = await history.search_items(words)
        assert (one.kind, one.id, one.inside, one.title, one.place) == (
            "artifact",
            "a1b2",
            "thread",
            "Order BRD",
            "Tides",
        )
    (one,) = await history.search_items("malaga")
    assert [one.snippet[start:end] for start, end in one.marks] == ["Málaga"]
    for words in ("paid", "berth paid", "art", "thread", ""):
        assert await history.search_items(words) == (), words
    assert await history.search_items("berth", SearchWithin(since=LATER)) == ()
    assert await history.search_items("berth role:assistant") == ()
    await history.delete_thread("thread")
    assert await history.search_items("berth") == ()
    await history.restore_thread("thread")
    await history.artifacts.delete("a1b2")
    assert await history.search_items("berth") == ()


async def test_a_slip_finds_what_has_the_word_that_a_message_has(history: SqliteHistory) -> None:
    await history.artifacts.add_version(BRD, version(1, "The harbour is dredged."))
    said = talk(("user", (TextPart("Where is the harbour?"),)))
    await history.import_threads([ImportedThread("said", replace(said.thread, id="said"), tuple(said.messages))])
    while await history.catch_up_search():
        pass
    for words in ("harbuor dredged", "harbuor", "dredged harbur"):
        assert [one.id for one in await history.search_items(words)] == ["a1b2"], words
    for words in ('"harbuor"', "harbuor stone"):
        assert await history.search_items(words) == (), words


async def test_all_of_many_are_looked_into(history: SqliteHistory) -> None:
    for number in range(LOOKED_INTO + 2):
        one = replace(BRD, id=f"n{number}", updated=f"2026-01-01T00:00:{number:02}Z")
        await history.artifacts.add_version(one, version(1, f"Plan {number}", one))
    assert [one.id for one in await history.search_items('"plan 0"')] == ["n0"]
    assert len(await history.search_items("plan", limit=3)) == 3
