"""Machines that sync through a folder and are killed, lose their power, or go on apart for a thousand turns.

Killed and cut is a whole exchange, `Sync.now` with all that it opens, at any moment or within any write to the disk.
After each, both histories have what they had, every object of the place is whole, and the next exchanges make the two
histories equal. Exchanges run in forks of one process that has everything imported.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from desktop_app.controller.history_sync import SECRET, Sync
from desktop_app.core.history_records import TrashItem, TurnRecord
from desktop_app.core.messages import Message, MessageMark, TextPart, Thread
from desktop_app.storage import sync_places
from desktop_app.storage.sync_places import FolderPlace, Sealing, SpaceObject, new_identity, newest_space, write_space
from tests.cli.command import Plimsoll
from tests.fakes.memory_secrets import MemorySecrets
from tests.faults.kills import unsound
from tests.faults.power_cuts import Disk
from tests.faults.sqlite_files import OK, FileAct, watched_files
from tests.faults.tries import Tries
from tests.storage.test_sync import TIME, Machine, MemoryPlace, asked, ended, everything

ROUNDS: Final = 50
"""Exchanges that are ended between the same two machines; then come new ones."""

SMALL: Final = 7
"""Objects that one is made of, so that this is often what is ended."""

NAMES: Final = ("Desk", "Laptop")


@contextmanager
def opened(folder: Path) -> Iterator[Machine]:
    """The machine of a data folder."""
    machine = Machine(folder.name, MemoryPlace(), folder / "history.db", set_up=False)
    try:
        yield machine
    finally:
        machine.store.close()


def says(machine: Machine, thread_id: str, parent: str | None, number: str, path: list[Any]) -> str:
    """One more turn, whose request holds the path; the answer's id."""
    text = f"{number} " + "the tide comes in twice a day " * 8
    path.append({"role": "user", "content": text})
    question = Message(f"q{number}", thread_id, parent, "user", (TextPart(text),), TIME)
    answer = Message(f"a{number}", thread_id, question.id, "assistant", (), TIME, state="partial")
    record = TurnRecord(f"t{number}", thread_id, question.id, answer.id, "scripted", "echo", TIME)
    machine.store.turns.begin(
        record, new_messages=[question], answer=answer, expected_tip=parent, request={"model": "echo", "messages": path}
    )
    ended(machine.store, record, text)
    path.append({"role": "assistant", "content": text})
    return answer.id


class World:
    """Two machines over one folder. Between two acts nothing is open."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self._chance = folder, chance
        self.place = folder / "place"
        self.place.mkdir(parents=True)
        self._number = 0
        identity = new_identity()
        self.sealing = Sealing([identity])
        self.secrets = MemorySecrets(keys={SECRET: identity})
        older = self.sealing.seal("space 1", json.dumps({"identities": [], "revoked": []}).encode())
        write_space(FolderPlace(self.place), SpaceObject("space", 1, b"", older))
        for name in NAMES:
            with self.machine(name) as machine:
                machine.store.threads.create(Thread(name, f"Of the {name}", TIME, TIME))
            asyncio.run(self._join(name, identity))

    async def _join(self, name: str, identity: str) -> None:
        sync = Sync(self.folder / name / "history.db", self.secrets)
        await sync.join_with_recovery_key(str(self.place), identity, name)
        await sync.close()

    def machine(self, name: str) -> AbstractContextManager[Machine]:
        """One of the machines, opened."""
        return opened(self.folder / name)

    def exchange(self, name: str) -> None:
        """As `plimsoll sync now` has it, from the first file that is opened."""

        async def go() -> None:
            sync = Sync(self.folder / name / "history.db", self.secrets)
            sync.load()
            try:
                await sync.now()
            finally:
                await sync.close()

        with patch.object(sync_places, "FOLDED", SMALL):
            asyncio.run(go())

    def lives(self, name: str) -> None:
        """Something happens on a machine."""
        with self.machine(name) as machine:
            store = machine.store
            ids = [one.thread.id for one in store.threads.all()]
            thread_id = self._chance.choice(ids)
            for _ in range(self._chance.randint(1, 3)):
                self._number += 1
                tip = machine.row(thread_id)[0]
                text = f"{name} {self._number} " + "the tide comes in " * self._chance.randint(1, 200)
                ended(store, asked(store, thread_id, tip, str(self._number), text, tip), text)
            if self._chance.random() < 0.3:
                self._number += 1
                store.threads.create(Thread(f"thread{self._number}", f"Title {self._number}", TIME, TIME))
            messages = store.messages.all(thread_id)
            one = self._chance.choice(messages).id
            store.marks.save(thread_id, one, MessageMark("up", f"note {self._number}"))
            if self._chance.random() < 0.1:
                store.erasure.begin([TrashItem("message", one, "", "", inside_id=thread_id)])
                while store.erasure.step():
                    pass

    def everything(self, name: str) -> dict[str, Any]:
        """All of a machine's history."""
        with self.machine(name) as machine:
            return everything(machine.store)

    def broken(self) -> list[str]:
        """The objects of the place that no machine could read, and histories that are not sound."""
        found = [f"{name}: {why}" for name in NAMES if (why := unsound(self.folder / name / "history.db"))]
        return found + unreadable(self.place, self.sealing)

    def end_alike(self) -> list[str]:
        """Exchanges until nothing more comes; what differs then."""
        for name in (*NAMES, *NAMES):
            self.exchange(name)
        first, second = map(self.everything, NAMES)
        return [f"{name} differs" for name in first if first[name] != second[name]]


def lost_texts(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The messages that were there and are not, or say something else; of what was deleted for good the row stays."""
    then, now = before["texts"], after["texts"]
    return [f"{one} is lost" for one in then if one not in now or now[one] not in (then[one], "")]


def kill_exchanges(folder: Path, kills: int, seed: int) -> Tries:
    """Kills each machine in its exchange so often: one while it sends, the other while it merges that."""
    tries, chance = Tries("kills of exchanges"), random.Random(seed)
    for number in range(kills):
        if number % ROUNDS == 0:
            shutil.rmtree(folder / "world", ignore_errors=True)
            world, longest, acts = World(folder / "world", chance), 0.1, 60
        world.lives(NAMES[0])
        if number % 3 == 0:
            world.lives(NAMES[1])
        why = []
        for what, name in zip(("sending", "merging"), NAMES, strict=True):
            before = world.everything(name)
            work = partial(world.exchange, name)
            if number % 2:
                done = ended_before(work, act=chance.randrange(acts))
            else:
                done = ended_before(work, after_s=chance.uniform(0, longest))
            tries.notes[f"killed while {what}, {'at any time' if number % 2 == 0 else 'at any write'}"] += not done
            tries.notes[f"had ended before, {what}"] += done
            if done:
                longest, acts = longest * 0.9, max(20, acts - 5)
            else:
                longest, acts = min(0.5, longest * 1.05), acts + 3
            begun = perf_counter()
            why += world.broken() + lost_texts(before, world.everything(name))
            world.exchange(name)
            tries.recovered(perf_counter() - begun)
        _judge(tries, [*why, *world.end_alike()], f"seed {seed}, kill {number}")
    return tries


def _judge(tries: Tries, why: list[str], which: str) -> None:
    if why:
        tries.failed(which, "; ".join(why[:5]))
    else:
        tries.held()


WRITING: Final = frozenset({"open", "os.mkdir", "os.link", "os.remove", "os.rename"})


def ended_before(work: Callable[[], object], *, after_s: float = 0.0, act: int | None = None) -> bool:
    """Forks a process that is killed so late, or kills itself before its n-th act on files; True where it had ended."""
    if sys.platform == "win32":
        raise RuntimeError("processes can't be forked here")
    else:  # noqa: RET506 - see `kills`
        if (child := os.fork()) == 0:
            left = act or 0

            def one(*_: object) -> int:
                nonlocal left
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return OK

            try:
                if act is None:
                    work()
                else:
                    sys.addaudithook(lambda event, _: (one(), None)[1] if event in WRITING else None)
                    with watched_files(one):
                        work()
                os._exit(0)
            finally:
                os._exit(1)
        if act is None:
            time.sleep(after_s)
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the exchange itself failed"
        return os.WIFEXITED(status)


# --- the real command


def kill_sync_now(folder: Path, kills: int, seed: int) -> Tries:
    """Kills `plimsoll sync now` as real processes of two data folders, each with its own interpreter."""
    tries, chance = Tries("kills of `plimsoll sync now`"), random.Random(seed)
    secret, place = folder / "passphrase", folder / "real"
    secret.write_text("quiet harbor lantern seven\n")
    place.mkdir()
    keep = ("--passphrase-file", str(secret))
    apps = [Plimsoll(folder / f"real-{name}") for name in NAMES]
    for app in apps:
        app.folder.mkdir(mode=0o700)
        (app.folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
        assert app("sync", "setup", str(place), *keep, "--device", app.folder.name).status == 0
        with opened(app.folder) as machine:
            machine.store.threads.create(Thread(app.folder.name, "Tides", TIME, TIME))
    space = newest_space(FolderPlace(place))
    assert space is not None
    sealing = Sealing([space.identity("quiet harbor lantern seven")])
    longest, said = 2.0, dict[str, str]()
    for number in range(kills):
        app = apps[number % 2]
        thread_id = app.folder.name
        with opened(app.folder) as machine:
            said[thread_id] = says(machine, thread_id, said.get(thread_id), f"{thread_id}{number}", [])
        process = app.start("sync", "now", *keep)
        time.sleep(chance.uniform(0.5, 1.05) * longest)
        process.kill()
        process.communicate()
        tries.notes["had ended before" if process.returncode == 0 else "killed"] += 1
        longest = longest * 0.95 if process.returncode == 0 else min(longest * 1.02, 8.0)
        why = [one for each in apps if (one := unsound(each.folder / "history.db"))]
        with opened(app.folder) as machine:
            why += [f"{one} is lost" for one in [said[thread_id]] if one not in everything(machine.store)["texts"]]
        why += unreadable(place, sealing)
        if number % 20 == 19 or number == kills - 1:
            why += [done.err for app in (*apps, *apps) if (done := app("sync", "now", *keep)).status != 0]
            both = []
            for each in apps:
                with opened(each.folder) as machine:
                    both.append(everything(machine.store))
            why += [f"{name} differs" for name in both[0] if both[0][name] != both[1][name]]
        _judge(tries, why, f"seed {seed}, kill {number}")
    return tries


def unreadable(place: Path, sealing: Sealing) -> list[str]:
    """The objects of a place that no machine could read."""
    found = (path for path in place.glob("*/*-*-*") if not path.name.startswith("."))
    names = [path.relative_to(place).as_posix() for path in found]
    return [f"{name} is not whole" for name in names if sealing.open(name, (place / name).read_bytes()) is None]


# --- power cuts


@dataclass(slots=True)
class Names:
    """The place as it is after a cut: names are durable once their folder was synced, contents once the file was."""

    top: Path
    durable: dict[str, bytes | None] = field(default_factory=dict)
    """By path: the content of a file, None of a folder."""
    since: list[tuple[str, str, bytes | None]] = field(default_factory=list)

    @classmethod
    def of(cls, top: Path) -> Names:
        """As it lies there now."""
        found = {
            path.relative_to(top).as_posix(): None if path.is_dir() else path.read_bytes() for path in top.rglob("*")
        }
        return cls(top, dict(found))

    def take(self, what: str, name: str, content: bytes | None) -> None:
        """Notes what was done to a name."""
        if what != "sync":
            self.since.append((what, name, content))
            return
        for act in [one for one in self.since if Path(one[1]).parent.as_posix() == name]:
            self._apply(self.durable, act)
            self.since.remove(act)

    @staticmethod
    def _apply(found: dict[str, bytes | None], act: tuple[str, str, bytes | None]) -> None:
        what, name, content = act
        if what == "gone":
            found.pop(name, None)
        else:
            found[name] = content

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Writes what a cut leaves into a new folder."""
        found, kept = dict(self.durable), chance.choice((0.0, 1.0, chance.random()))
        for act in self.since:
            if chance.random() < kept:
                self._apply(found, act)
        folder.mkdir(mode=0o700)
        for name in sorted(found):
            path, content = folder / name, found[name]
            if not path.parent.is_dir():
                continue  # its folder's own name was lost
            if content is None:
                path.mkdir(mode=0o700)
            else:
                path.write_bytes(content)


@contextmanager
def watched_names(top: Path, tell: Callable[[str, str, bytes | None], None]) -> Iterator[None]:
    """While it lasts, what is done to names under that folder is told after it is done; a file when it is linked."""
    synced: set[str] = set()
    real = {name: getattr(os, name) for name in ("mkdir", "link", "unlink", "fsync")}

    def inside(path: Any) -> str | None:
        one = Path(os.fspath(path))
        return one.relative_to(top).as_posix() if one.is_relative_to(top) else None

    def mkdir(path: Any, *rest: Any, **more: Any) -> None:
        real["mkdir"](path, *rest, **more)
        if (name := inside(path)) is not None:
            tell("made", name, None)

    def link(source: Any, target: Any) -> None:
        real["link"](source, target)
        if (name := inside(target)) is not None:
            content = Path(target).read_bytes()
            tell("made", name, content if str(source) in synced else content[: len(content) // 2])

    def unlink(path: Any, **more: Any) -> None:
        real["unlink"](path, **more)
        if (name := inside(path)) is not None:
            tell("gone", name, None)

    def fsync(handle: int) -> None:
        real["fsync"](handle)
        path = str(Path(f"/proc/self/fd/{handle}").readlink())
        synced.add(path)
        if Path(path).is_dir() and (name := inside(path)) is not None:
            tell("sync", name, None)

    with patch.multiple(os, mkdir=mkdir, link=link, unlink=unlink, fsync=fsync):
        yield


CUTS_AN_EXCHANGE: Final = 10


def cut_exchanges(folder: Path, cuts: int, seed: int) -> Tries:
    """Cuts the power so often while one machine sends and while the other merges."""
    tries, chance = Tries("power cuts of exchanges"), random.Random(seed)
    while tries.done < 2 * cuts:
        if tries.done % (2 * CUTS_AN_EXCHANGE * ROUNDS // 5) == 0:
            shutil.rmtree(folder / "world", ignore_errors=True)
            world = World(folder / "world", chance)
        world.lives(NAMES[0])
        if chance.random() < 0.3:
            world.lives(NAMES[1])
        for what, name in zip(("sending", "merging"), NAMES, strict=True):
            _cut_one(world, name, min(CUTS_AN_EXCHANGE, 2 * cuts - tries.done), chance, tries, f"seed {seed}, {what}")
            tries.notes[f"cut while {what}"] += CUTS_AN_EXCHANGE
        for one in world.end_alike():
            tries.failed(f"seed {seed}, after {tries.done}", one)
    return tries


def _cut_one(  # noqa: PLR0917
    world: World, name: str, cuts: int, chance: random.Random, tries: Tries, which: str
) -> None:
    """One exchange with all that it writes, and cuts at some of its moments."""
    base = world.folder / name
    before, disk, names = world.everything(name), Disk(), Names.of(world.place)
    for path in base.glob("history.db*"):
        for what in ("write", "sync"):
            disk.take(FileAct(what, path.name, 0, path.read_bytes()))
    done: list[Callable[[], None]] = []

    def judge(act: FileAct) -> int:
        done.append(lambda: disk.take(act))
        return OK

    with watched_names(world.place, lambda *act: done.append(lambda: names.take(*act))), watched_files(judge):
        world.exchange(name)
    taken = 0
    kept = world.folder.with_name("kept")
    shutil.rmtree(kept, ignore_errors=True)
    world.folder.rename(kept)
    for moment in sorted(chance.randrange(len(done) + 1) for _ in range(cuts)):
        for act in done[taken:moment]:
            act()
        taken = moment
        shutil.rmtree(world.folder, ignore_errors=True)
        shutil.copytree(kept, world.folder)
        shutil.rmtree(world.place)
        shutil.rmtree(base)
        names.cut(world.place, chance)
        disk.cut(base, chance)
        shutil.copy(kept / name / "sync.json", base)
        begun = perf_counter()
        try:
            why = world.broken() + lost_texts(before, world.everything(name))
            tries.recovered(perf_counter() - begun)
            why += world.end_alike()
        except Exception as error:  # noqa: BLE001 - whatever it is, it did not go on
            why = [f"{type(error).__name__}: {error}"]
        _judge(tries, why, f"{which}, at {moment} of {len(done)}")
    shutil.rmtree(world.folder)
    kept.rename(world.folder)


# --- apart


def go_apart(folder: Path, turns: int) -> Tries:
    """Two machines that know one thread go on in it for so many turns each, then meet."""
    tries = Tries(f"{turns:,} turns apart on two machines")
    world = World(folder / "apart", random.Random(0))
    with world.machine(NAMES[0]) as machine:
        says(machine, NAMES[0], None, "0", [])
    for name in NAMES:
        world.exchange(name)
    for name in NAMES:
        begun = perf_counter()
        with world.machine(name) as machine:
            tip, path = machine.row(NAMES[0])[0], list[Any]()
            for number in range(turns):
                tip = says(machine, NAMES[0], tip, f"{name}{number}", path)
        tries.notes[f"{name} was filled in {perf_counter() - begun:.0f} s"] += 1
    for name in (*NAMES, NAMES[0]):
        objects = sum(1 for _ in world.place.rglob("*-*-*"))
        begun = perf_counter()
        world.exchange(name)
        here = sum(1 for _ in world.place.rglob("*-*-*"))
        tries.notes[f"{name} exchanged in {perf_counter() - begun:.1f} s, {here - objects} objects more"] += 1
    why = world.end_alike()
    for name in NAMES:
        with world.machine(name) as machine:
            rows = {one.id: one for one in machine.store.messages.all(NAMES[0])}
        for other in NAMES:
            order = list[str]()
            above: str | None = f"a{other}{turns - 1}"
            while above is not None:
                order.append(above)
                above = rows[above].parent_id
            wanted = ["q0", "a0", *(f"{kind}{other}{number}" for number in range(turns) for kind in ("q", "a"))]
            why += [f"{name}: the branch of {other} is another"] * (order[::-1] != wanted)
        why += [f"{name}: {len(rows)} messages"] * (len(rows) != 4 * turns + 2)
    _judge(tries, why, "apart")
    return tries
