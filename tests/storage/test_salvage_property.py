"""Whatever bytes of a history change: after its repair each message that file or backup holds is there once."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart
from desktop_app.storage.backup import back_up
from desktop_app.storage.history_repair import repair_history
from tests.faults.damage import DAMAGES
from tests.storage.conftest import TIME, a_thread, opened
from tests.storage.whole_histories import fill, made_at

Messages: TypeAlias = dict[str, tuple[str, bytes]]
"""By id: the thread's id and the words, unless they are kept as a block, under a key of the file's own."""

ONE_PAGE: Final = ("header", "page", "page of nothing")

MESSAGES: Final = "SELECT message.id, thread.id, parts FROM message JOIN thread ON thread.key = thread_key"


def messages_of(path: Path) -> Messages:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(MESSAGES).fetchall()
        found = {one: (thread, b"" if b'{"$"' in parts else parts) for one, thread, parts in rows}
        assert len(found) == connection.execute("SELECT count(*) FROM message").fetchone()[0]
    return found


def threads_of(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {one for (one,) in connection.execute("SELECT id FROM thread")}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a history, a backup of its first half, and one of all of it."""
    folder = tmp_path_factory.mktemp("made")
    path = folder / "history.db"

    def backed_up(name: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            back_up(connection, folder / name)

    async def second_half() -> None:
        async with opened(path) as history:
            await fill(history, 3)
            said = "with words enough to fill a page of the file "
            for number in range(12):
                talk, before = f"long{number}", None
                messages = []
                for turn in range(8):
                    name = f"{talk}-{turn}"
                    messages.append(Message(name, talk, before, "user", (TextPart(f"{name} {said * turn}"),), TIME))
                    before = name
                thread = a_thread(talk, title=f"{number}", tip=f"{talk}-7")
                await history.import_threads([ImportedThread(f"export/{talk}", thread, tuple(messages))])

    asyncio.run(made_at(path, 1, 2))
    backed_up("half.db")
    asyncio.run(second_half())
    backed_up("all.db")
    return folder


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    which=some.sampled_from(["all.db", "half.db"]),
    damages=some.lists(
        some.tuples(some.sampled_from(sorted(DAMAGES)), some.integers(0, 2**32)), min_size=1, max_size=3
    ),
)
@example("half.db", [("page of nothing", 90820)])  # the one page of threads: their messages are all there
@example("all.db", [("page", 1481091)])
@example("all.db", [("cut off", 0)])
def test_each_message_is_there_once_and_losses_are_counted(
    made: Path, which: str, damages: list[tuple[str, int]]
) -> None:
    whole, held = messages_of(made / "history.db"), messages_of(made / which)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        shutil.copyfile(made / "history.db", path)
        content = bytearray(path.read_bytes())
        for kind, seed in damages:
            if content:
                DAMAGES[kind](content, random.Random(seed))
        path.write_bytes(content)
        found = repair_history(path, [made / which])
        after = messages_of(path)
        threads = threads_of(path)
    assert held.items() <= after.items()
    assert len(after) <= len(whole)  # an id may be damaged where only the file has it
    if which == "all.db":
        assert threads == threads_of(made / "history.db")
    lost, told = len(whole) - len(after), 0 if found is None else found.missing
    if which == "all.db" and len(damages) == 1:
        assert found is None or (told, found.unreadable) == (0, 0)
    elif len(damages) == 1:  # what neither rows nor index tell of is lost without a trace
        assert told == lost if damages[0][0] in ONE_PAGE else told <= lost
