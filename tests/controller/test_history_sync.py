"""Machines with data folders of their own sync through a real folder, and through a server of S3."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import shutil
import subprocess
import sys
import urllib.request
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from desktop_app.controller import history_sync
from desktop_app.controller.document_files import copy_of
from desktop_app.controller.history_sync import Sync
from desktop_app.controller.history_watch import HistoryWatch
from desktop_app.controller.model_selection import LearnedWindows
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements
from desktop_app.core.events import Announcement, HistoryChangedElsewhere, SyncArrived, SyncChanged
from desktop_app.core.messages import TextPart, Thread
from desktop_app.core.projects import Project, ProjectDocument
from desktop_app.core.sync import SyncRefused, SyncTrouble
from desktop_app.storage import passphrase_sealing, sync_places
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.private_files import bring_to_disk
from tests.fakes.memory_secrets import NO_KEYRING, MemorySecrets, NoKeyring
from tests.patience import PATIENCE_S, until
from tests.storage.conftest import TIME, Talk, opened

PASSPHRASE = "the tide comes in twice"
SEAL, OPEN = passphrase_sealing.sealed_by_passphrase, passphrase_sealing.opened_by_passphrase


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passphrase that is guessed in no time: the real one takes a second for each attempt."""

    def mark(passphrase: str) -> bytes:
        return hashlib.sha256(passphrase.encode()).digest()

    monkeypatch.setattr(sync_places, "sealed_by_passphrase", lambda data, words: mark(words) + data)
    monkeypatch.setattr(
        sync_places, "opened_by_passphrase", lambda sealed, words: sealed[32:] if sealed[:32] == mark(words) else None
    )


class Device:
    def __init__(self, folder: Path, history: SqliteHistory) -> None:
        self.folder, self.history = folder, history
        self.secrets = MemorySecrets()
        self.told: list[Announcement] = []
        self.announcements = Announcements()
        self.announcements.subscribe(self.told.append)
        self.threads = OpenThreads(history)
        self.watch = HistoryWatch(history, self.threads, LearnedWindows(history), self.announcements)
        self.sync = self.again()

    def again(self) -> Sync:
        """As a start of the app has it."""
        sync = Sync(self.folder / "history.db", self.secrets, self.announcements, self.threads, self.watch)
        sync.load()
        return sync


@asynccontextmanager
async def device(folder: Path) -> AsyncIterator[Device]:
    async with opened(folder / "history.db") as history:
        one = Device(folder, history)
        try:
            yield one
        finally:
            await one.sync.close()


@pytest.fixture
async def laptop(tmp_path: Path) -> AsyncIterator[Device]:
    async with device(tmp_path / "laptop") as one:
        await one.history.create_thread(Thread("thread", "Tides", TIME, TIME))
        await Talk(one.history).turn("When is high tide?", "At noon.", request={"model": "echo"})
        yield one


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Device]:
    async with device(tmp_path / "desk") as one:
        yield one


@pytest.fixture
def place(tmp_path: Path) -> str:
    (tmp_path / "place").mkdir()
    return str(tmp_path / "place")


async def begins(one: Device, name: str) -> None:
    """One thread more, of one turn."""
    await one.history.create_thread(Thread(name, name, TIME, TIME))
    talk = Talk(one.history, name)
    await talk.end(await talk.begin("Where is the moon?", name=name), TextPart("Above."))


async def texts(one: Device) -> list[str]:
    return [message.text for message in await one.history.messages("thread")]


async def test_nothing_is_there_until_it_is_set_up(laptop: Device) -> None:
    laptop.sync.start()
    assert laptop.sync.status().place == ""
    assert not {"sync.json", "sync.lock"} & {one.name for one in laptop.folder.iterdir()}
    with pytest.raises(SyncRefused):
        await laptop.sync.now()
    assert "pyrage" not in (await _loaded_by_a_start(laptop.folder))


async def _loaded_by_a_start(folder: Path) -> str:
    code = "import sys; from desktop_app.controller.history_sync import Sync; from pathlib import Path; "
    code += "Sync(Path(sys.argv[1])).load(); print(sorted(sys.modules))"
    asked = [sys.executable, "-c", code, str(folder / "history.db")]
    done = await asyncio.to_thread(lambda: subprocess.run(asked, capture_output=True, check=True))
    return done.stdout.decode()


async def test_a_second_machine_joins_through_a_folder(laptop: Device, desk: Device, place: str) -> None:
    assert await laptop.sync.test_place(place) is False
    key = await laptop.sync.setup(place, PASSPHRASE, "Laptop")
    assert key.startswith("AGE-SECRET-KEY-")
    assert laptop.sync.recovery_key() == key
    sent = await laptop.sync.now()
    assert sent.sent > 0
    assert laptop.sync.status().waiting == 0
    assert await desk.sync.test_place(place) is True
    assert await desk.sync.setup(place, PASSPHRASE, "Desk") == ""
    got = await desk.sync.now()
    assert (got.received, got.threads) == (sent.sent, 1)
    assert await texts(desk) == ["When is high tide?", "At noon."]
    assert await desk.history.request("a1") == await laptop.history.request("a1")
    kinds = [type(one) for one in desk.told if isinstance(one, HistoryChangedElsewhere | SyncArrived)]
    assert kinds == [HistoryChangedElsewhere, SyncArrived]
    await desk.sync.now()
    await laptop.sync.now()
    assert [one.name for one in laptop.sync.status().devices] == ["Laptop", "Desk"]
    for path in (path for path in Path(place).rglob("*") if path.is_file() and sys.platform != "win32"):
        assert path.stat().st_mode & 0o777 == 0o600, path


async def test_an_open_thread_takes_what_came_and_nothing_else_is_read_again(
    laptop: Device, desk: Device, place: str
) -> None:
    for one in (laptop, desk):
        await one.sync.setup(place, PASSPHRASE)
        await one.sync.now()
    await desk.watch.start()
    before = (await desk.threads.get("thread")).path
    talk = Talk(laptop.history, tip="a1")
    await talk.end(await talk.begin("And low tide?", request={"model": "echo"}, name="2"), TextPart("At six."))
    await laptop.sync.now()
    await desk.sync.now()
    after = desk.threads.loaded("thread")
    assert after is not None
    assert [one.id for one in after.path] == ["q1", "a1", "q2", "a2"]
    assert [one is other for one, other in zip(before, after.path, strict=False)] == [True, True]
    assert [one.threads for one in desk.told if isinstance(one, HistoryChangedElsewhere)][-1] == frozenset({"thread"})
    assert not await desk.watch.look(), "what was synced is no other process's"
    async with opened(desk.folder / "history.db") as other:
        await other.create_thread(Thread("other", "Moon", TIME, TIME))
    await desk.sync.now()
    assert desk.threads.loaded("thread") is None, "it was another's"


async def test_what_has_come_is_shown_while_the_rest_comes(
    laptop: Device, desk: Device, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_sync, "PIECE_S", 0.0)
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    for name in ("second", "third"):
        await begins(laptop, name)
        await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    assert (await desk.sync.now()).threads == 3
    assert [set(one.threads) for one in desk.told if isinstance(one, SyncArrived)] == [
        {"thread"},
        {"second"},
        {"third"},
    ]
    assert [one.status.progress for one in desk.told if isinstance(one, SyncChanged) and one.status.progress] == [
        (1, 3),
        (2, 3),
        (3, 3),
    ]


async def test_a_wrong_passphrase_opens_nothing_the_recovery_key_does(laptop: Device, desk: Device, place: str) -> None:
    key = await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    with pytest.raises(SyncRefused) as refused:
        await desk.sync.setup(place, "another one")
    assert refused.value.trouble.kind == "config"
    assert desk.sync.status().place == ""
    with pytest.raises(SyncRefused):
        await desk.sync.join_with_recovery_key(place, "AGE-SECRET-KEY-1NOTHING")
    await desk.sync.join_with_recovery_key(place, key)
    await desk.sync.now()
    assert await texts(desk) == ["When is high tide?", "At noon."]


async def test_a_second_machine_of_the_same_name_is_told_apart_at_the_next_start_too(
    laptop: Device, desk: Device, place: str
) -> None:
    for one in (laptop, desk):
        await one.sync.setup(place, PASSPHRASE, "vm")
        await one.sync.now()
    assert [one.sync.status().device for one in (laptop, desk)] == ["vm", "vm 2"]
    assert desk.again().status().device == "vm 2"


async def test_a_start_goes_on_where_the_last_one_ended(laptop: Device, desk: Device, place: str) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    await laptop.sync.pause()
    await laptop.sync.close()
    laptop.sync = laptop.again()
    assert (laptop.sync.status().place, laptop.sync.status().paused) == (place, True)
    await laptop.sync.resume()
    await desk.sync.setup(place, PASSPHRASE)
    await desk.sync.now()
    await Talk(desk.history, tip="a1").end(
        await Talk(desk.history, tip="a1").begin("And low tide?", request={"model": "echo"}, name="2")
    )
    await desk.sync.now()
    await laptop.sync.now()
    assert (await texts(laptop))[2:3] == ["And low tide?"]


async def test_without_a_keyring_the_passphrase_is_given_each_time(laptop: Device, place: str) -> None:
    laptop.secrets = NoKeyring()
    laptop.sync = laptop.again()
    await laptop.sync.setup(place, PASSPHRASE)
    assert not await laptop.sync.keeps_key()
    await laptop.sync.now()
    await laptop.sync.close()
    laptop.sync = laptop.again()
    with pytest.raises(SyncRefused) as refused:
        await laptop.sync.now()
    wanted = SyncTrouble("config", "Enter the passphrase to go on syncing.", NO_KEYRING)
    assert refused.value.trouble == wanted
    await laptop.sync.now(PASSPHRASE)
    assert laptop.sync.status().trouble is None


@pytest.mark.parametrize("enters", ["before", "with it"])
async def test_an_emptied_place_is_taken_where_no_keyring_keeps_the_key(
    laptop: Device, place: str, enters: str
) -> None:
    """The passphrase opens the key also where the place has nothing that it could be tried at."""
    laptop.secrets = NoKeyring()
    laptop.sync = laptop.again()
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    await laptop.sync.close()
    shutil.rmtree(place)
    Path(place).mkdir()
    laptop.sync = laptop.again()
    with pytest.raises(SyncRefused) as refused:
        await laptop.sync.accept_store("another one")
    assert refused.value.trouble.kind == "config"
    if enters == "before":
        with pytest.raises(SyncRefused) as refused:
            await laptop.sync.now(PASSPHRASE)
        assert refused.value.trouble.kind == "store"
        assert str(refused.value.trouble.message).startswith("The place is empty")
    await laptop.sync.accept_store(PASSPHRASE if enters == "with it" else None)
    assert laptop.sync.status().trouble is None
    assert len(list(Path(place).rglob("*-*-*"))) == 1


async def test_one_that_was_removed_gets_nothing_that_comes_after(laptop: Device, desk: Device, place: str) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    await desk.sync.now()
    await Talk(desk.history, tip="a1").begin("unanswered", name="9")
    await laptop.sync.now()
    await begins(desk, "other")
    await desk.sync.now()
    await laptop.sync.now()
    (removed,) = [one.id for one in laptop.sync.status().devices if not one.here]
    with pytest.raises(SyncRefused) as same:
        await laptop.sync.revoke(removed, PASSPHRASE)
    assert same.value.trouble.kind == "config"
    assert "removed device knows" in str(same.value.trouble.message)
    await laptop.sync.revoke(removed, "a new one")
    await begins(laptop, "secret")
    await laptop.sync.now()
    for passphrase in (None, PASSPHRASE):
        with pytest.raises(SyncRefused) as refused:
            await desk.sync.now(passphrase)
        assert refused.value.trouble.kind == "config"
    for passphrase in ("a new one", None):
        with pytest.raises(SyncRefused) as refused:
            await desk.sync.now(passphrase)
        trouble = refused.value.trouble
        assert (trouble.kind, trouble.exit_code, desk.sync.status().trouble) == ("removed", 3, trouble)
        assert "Leave sync" in trouble.detail
        await desk.sync.close()
        desk.secrets = NoKeyring()
        desk.sync = desk.again()  # and so it is told after a start, whether or not the key is known then
    assert "secret" not in {one.thread.id for one in await desk.history.threads()}
    await desk.sync.leave()
    await desk.sync.setup(place, "a new one")
    await desk.sync.now()
    assert all(one.name for one in desk.sync.status().devices), "what it was before is nobody that it could name"


async def test_a_device_is_removed_where_no_keyring_keeps_the_key(laptop: Device, desk: Device, place: str) -> None:
    laptop.secrets = NoKeyring()
    laptop.sync = laptop.again()
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    await desk.sync.now()
    await laptop.sync.now()
    (removed,) = [one.id for one in laptop.sync.status().devices if not one.here]
    await laptop.sync.close()
    laptop.sync = laptop.again()
    for current in ("", "another one"):
        with pytest.raises(SyncRefused):
            await laptop.sync.revoke(removed, "a new one", current)
    assert (await laptop.sync.revoke(removed, "a new one", PASSPHRASE)).startswith("AGE-SECRET-KEY-")
    with pytest.raises(SyncRefused):
        await desk.sync.now()
    await laptop.sync.now("a new one")


async def test_what_another_process_wrote_wakes_an_exchange(laptop: Device, desk: Device, place: str) -> None:
    for one in (laptop, desk):
        await one.sync.setup(place, PASSPHRASE)
        await one.sync.now()
    laptop.sync.start()
    laptop.sync._look_s = 100_000.0
    await asyncio.sleep(0)  # the first exchange has begun
    await laptop.sync.now()
    talk, sent = Talk(laptop.history, tip="a1"), laptop.sync.status().bytes_sent
    await talk.end(await talk.begin("And low tide?", name="2"), TextPart("At six."))  # announced by nobody
    laptop.announcements.publish(HistoryChangedElsewhere())

    await until(lambda: [one for one in laptop.told if isinstance(one, SyncChanged)][-1].status.bytes_sent > sent, "it")
    await desk.sync.now()
    assert (await texts(desk))[2:] == ["And low tide?", "At six."]


async def test_what_was_changed_apart_is_told_and_decided(laptop: Device, desk: Device, place: str) -> None:
    for one in (laptop, desk):
        await one.sync.setup(place, PASSPHRASE)
        await one.sync.now()
    for one, title in ((laptop, "Ebb"), (desk, "Flow")):
        await one.history.update_thread(replace((await one.history.thread("thread")), title=title))
    for one in (laptop, desk, laptop):
        await one.sync.now()
    (apart,) = desk.sync.status().apart
    shown, other = apart.name, dict(apart.fields)["title"]
    assert {shown, other} == {"Ebb", "Flow"}
    await desk.sync.decide(apart.kind, apart.id, other=True)
    assert desk.sync.status().apart == ()
    assert isinstance(desk.told[-1], SyncArrived)
    await desk.sync.now()
    await laptop.sync.now()
    assert [(await one.history.thread("thread")).title for one in (laptop, desk)] == [other, other]


async def test_who_leaves_keeps_all_and_the_place_stays(laptop: Device, place: str) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    there = {path for path in Path(place).rglob("*") if path.is_file()}
    await laptop.sync.leave()
    assert (laptop.sync.status().place, laptop.again().status().place) == ("", "")
    assert {path for path in Path(place).rglob("*") if path.is_file()} == there
    assert await texts(laptop) == ["When is high tide?", "At noon."]
    assert await laptop.sync.setup(place, PASSPHRASE) == ""
    await laptop.sync.now()


async def test_a_place_that_is_away_is_told_and_goes_on_by_itself(laptop: Device, place: str) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    Path(place).rename(f"{place} away")
    with pytest.raises(SyncRefused) as refused:
        await laptop.sync.now()
    assert refused.value.trouble.kind == "network"
    assert laptop.sync.status().waiting_threads == {"thread"}
    Path(f"{place} away").rename(place)
    await laptop.sync.now()
    assert (laptop.sync.status().trouble, laptop.sync.status().waiting) == (None, 0)


@pytest.mark.parametrize("after", range(4))
async def test_a_full_folder_is_told_and_loses_nothing(
    laptop: Device, desk: Device, place: str, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    code = errno.ENOSPC if after % 2 else getattr(errno, "EDQUOT", errno.ENOSPC)
    for one in (laptop, desk):
        await one.sync.setup(place, PASSPHRASE)
        await one.sync.now()
    await laptop.sync.now()
    await with_document(laptop)
    await begins(desk, "other")
    await desk.sync.now()
    left = after

    def full(file: BinaryIO) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(code, os.strerror(code))
        bring_to_disk(file)

    monkeypatch.setattr(sync_places, "bring_to_disk", full)
    there = {path for path in Path(place).rglob("*") if path.is_file()}
    told = None
    with suppress(SyncRefused):
        await laptop.sync.now()
    if (told := laptop.sync.status().trouble) is not None:
        assert (told.kind, place in told.message) == ("quota", True)
    assert (told is None) == (left >= 0)
    assert "other" in {one.thread.id for one in await laptop.history.threads()}, "what the others wrote comes in"
    written = {path for path in Path(place).rglob("*") if path.is_file()} - there
    assert len(written) == min(after, 3)
    monkeypatch.undo()
    await laptop.sync.now()
    assert laptop.sync.status().trouble is None
    await desk.sync.now()
    assert [one.id for one in await desk.history.projects.documents("sea")] == ["tide"]
    assert copy_of(desk.folder / "documents", TIDE).read_bytes() == b"At noon."


async def test_a_full_disk_here_is_told_and_the_file_comes_when_there_is_room(
    laptop: Device, desk: Device, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    await with_document(laptop)
    await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    with monkeypatch.context() as patched:
        patched.setattr(sync_places, "write_atomically", no_room)
        with pytest.raises(SyncRefused) as refused:
            await desk.sync.now()
    assert (refused.value.trouble.kind, str(desk.folder) in refused.value.trouble.message) == ("quota", True)
    assert [one.state for one in await desk.history.projects.documents("sea")] == ["missing"]
    await desk.sync.now()
    assert [one.state for one in await desk.history.projects.documents("sea")] == ["waiting"]
    assert copy_of(desk.folder / "documents", TIDE).stat().st_mode & 0o077 == 0


def no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


TIDE = hashlib.sha256(b"At noon.").hexdigest()


async def with_document(one: Device) -> None:
    """A project with a document, of which the copy is in the data folder."""
    await one.history.projects.save(Project("sea", "Sea", created=TIME, updated=TIME))
    copy = copy_of(one.folder / "documents", TIDE)
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"At noon.")
    document = ProjectDocument("tide", "sea", "tide.txt", size=8, sha256=TIDE, state="ready", path="/home/me/tide.txt")
    await one.history.projects.save_documents([document])


async def test_a_clock_that_is_ahead_is_told(
    laptop: Device, desk: Device, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await laptop.sync.setup(place, PASSPHRASE, "Laptop")
    engine = await laptop.sync._opened()
    real = engine._sync.now_ms
    engine._sync.now_ms = lambda: real() + 2 * 3_600_000
    await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    await desk.sync.now()
    assert (trouble := desk.sync.status().trouble) is not None
    assert trouble.kind == "clock"
    assert "Laptop" in trouble.message


async def test_another_process_of_the_same_folder_waits(laptop: Device, place: str) -> None:
    await laptop.sync.setup(place, PASSPHRASE)
    other = laptop.again()
    with pytest.raises(SyncRefused) as refused:
        await other.now()
    assert refused.value.trouble.kind == "store"
    await other.close()


_OTHER = """
import asyncio, sys
from pathlib import Path
from desktop_app.controller import history_sync
from desktop_app.controller.history_sync import Sync
from desktop_app.controller.history_watch import HistoryWatch
from desktop_app.controller.model_selection import LearnedWindows
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.core.messages import Message, TextPart, Thread, Usage
from tests.fakes.memory_secrets import MemorySecrets
from tests.storage.conftest import TIME, Talk, opened

async def main(folder, place, key, turns):
    async with opened(Path(folder) / "history.db") as history:
        sync = Sync(Path(folder) / "history.db", MemorySecrets())
        await sync.join_with_recovery_key(place, key)
        await sync.now()
        talk = Talk(history, tip="a1")
        for number in range(turns):
            talk.tip = (await history.thread("thread")).tip
            answer = await talk.begin(f"question {number}", name=f"{folder[-4:]}{number}", request={"n": number})
            await talk.end(answer, TextPart(f"answer {number}"))
            await sync.now()
        await sync.close()

asyncio.run(main(*sys.argv[1:4], int(sys.argv[4])))
"""


async def test_two_real_processes_go_on_in_one_thread(laptop: Device, place: str, tmp_path: Path) -> None:
    key = await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    others = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", _OTHER, str(tmp_path / name), place, key, "6")
        for name in ("one1", "two2")
    ]
    async with asyncio.timeout(PATIENCE_S * 4):
        assert [await one.wait() for one in others] == [0, 0]
    await laptop.sync.now()
    assert len(await texts(laptop)) == 2 + 2 * 2 * 6


class Store:
    """Before a server of S3: refuses what is written where it is `full`."""

    full: tuple[str, str] | None = None

    def __init__(self, behind: Callable[..., Iterable[bytes]]) -> None:
        self.behind = behind

    def __call__(self, asked: dict[str, Any], answer: Callable[..., Any]) -> Iterable[bytes]:
        if asked["REQUEST_METHOD"] != "PUT" or self.full is None:
            return self.behind(asked, answer)
        answer(self.full[0], [("Content-Type", "application/xml")])
        return [f"<Error><Code>{self.full[1]}</Code><Message>full</Message></Error>".encode()]


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    server = pytest.importorskip("moto.server")
    running = server.ThreadedMotoServer(port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    running._server.app = Store(running._server.app)
    os.environ |= {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    address = f"http://{host}:{port}"
    urllib.request.urlopen(urllib.request.Request(f"{address}/tides", method="PUT")).close()
    yield f"s3://tides/plimsoll?endpoint={address}&region=us-east-1"
    del os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    running.stop()


async def test_a_second_machine_joins_through_a_server_of_s3(laptop: Device, desk: Device, s3: str) -> None:
    await laptop.sync.setup(s3, PASSPHRASE)
    await laptop.sync.now()
    await desk.sync.setup(s3, PASSPHRASE)
    await desk.sync.now()
    assert await texts(desk) == ["When is high tide?", "At noon."]
    await Talk(desk.history, tip="a1").begin("unanswered", name="7")
    await begins(desk, "other")
    await desk.sync.now()
    await laptop.sync.now()
    assert {one.thread.id for one in await laptop.history.threads()} == {"thread", "other"}
    assert (await laptop.sync.now()).bytes == 0


@pytest.mark.parametrize("answer", [("403 Forbidden", "QuotaExceeded"), ("507 Insufficient Storage", "Unknown")])
async def test_a_full_server_of_s3_is_told_and_loses_nothing(
    laptop: Device, desk: Device, s3: str, monkeypatch: pytest.MonkeyPatch, answer: tuple[str, str]
) -> None:
    place = s3.replace("/plimsoll", f"/full{answer[0][:3]}")
    await laptop.sync.setup(place, PASSPHRASE)
    await laptop.sync.now()
    await with_document(laptop)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "full", answer)
        with pytest.raises(SyncRefused) as refused:
            await laptop.sync.now()
    assert (refused.value.trouble.kind, "tides/full" in refused.value.trouble.message) == ("quota", True)
    await laptop.sync.now()
    await desk.sync.setup(place, PASSPHRASE)
    await desk.sync.now()
    assert [one.id for one in await desk.history.projects.documents("sea")] == ["tide"]
    assert copy_of(desk.folder / "documents", TIDE).read_bytes() == b"At noon."


async def test_a_device_is_removed_with_the_stores_keys_of_the_keyring(
    laptop: Device, desk: Device, s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    place = s3.replace("/plimsoll", "/removed")
    for device in (laptop, desk):
        await device.sync.store_credentials(place, "key", "secret")
        await device.sync.setup(place, PASSPHRASE)
        await device.sync.now()
    await laptop.sync.now()
    (other,) = [one for one in laptop.sync.status().devices if not one.here]
    await laptop.sync.revoke(other.id, "a new passphrase")
    with pytest.raises(SyncRefused):
        await desk.sync.now()
    await laptop.sync.accept_store()
    assert laptop.sync.status().trouble is None


def test_age_itself_opens_what_a_passphrase_sealed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this one the library would let no other thread run for a second, the window's neither."""
    monkeypatch.setitem(sys.modules, "pyrage", None)
    sealed = SEAL(b"identity", PASSPHRASE)
    assert sealed.startswith(b"age-encryption.org/v1")
    assert OPEN(sealed, PASSPHRASE) == b"identity"
    assert OPEN(sealed, "another") is None
    monkeypatch.setattr(passphrase_sealing, "own_command", lambda *_: [sys.executable, "-c", ""])
    with pytest.raises(SyncRefused):
        OPEN(sealed, PASSPHRASE)


async def test_the_program_age_opens_an_object_with_the_recovery_key(
    laptop: Device, place: str, tmp_path: Path
) -> None:
    """So that nobody needs this app to get at what is theirs: 32 bytes of proof, then JSON compressed by zlib."""
    if (age := shutil.which("age") or shutil.which("rage")) is None:
        pytest.skip("no `age` here")
    (tmp_path / "key").write_text(await laptop.sync.setup(place, PASSPHRASE) + "\n")
    await laptop.sync.now()

    def opened(path: Path) -> subprocess.CompletedProcess[bytes]:
        command = [age, "--decrypt", "--identity", str(tmp_path / "key"), str(path)]
        return subprocess.run(command, capture_output=True, check=False)

    sealed = [path for path in Path(place).rglob("*-*-*") if path.is_file()]
    said = [zlib.decompress((await asyncio.to_thread(opened, path)).stdout[32:]).decode() for path in sealed]
    assert "When is high tide?" in "".join(said)
    (tmp_path / "key").write_text(sync_places.new_identity() + "\n")
    assert (await asyncio.to_thread(opened, sealed[0])).returncode != 0


async def test_a_server_that_is_away_is_told(laptop: Device) -> None:
    with pytest.raises(SyncRefused) as refused:
        await laptop.sync.setup("s3://tides/x?endpoint=http://127.0.0.1:9&region=us-east-1", PASSPHRASE)
    assert refused.value.trouble.kind == "network"
