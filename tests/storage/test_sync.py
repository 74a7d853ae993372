"""Three machines that sync through a place which delays, reorders, doubles, loses for a while and is set back."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import shutil
import sqlite3
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from types import FunctionType
from typing import Any

import pyrage
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from desktop_app.controller.document_files import copy_of
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.context.context_choices import NO_CHOICES, Deletion, Summary
from desktop_app.core.conversation import BranchTree, Conversation
from desktop_app.core.history_records import ContextEvent, ContextEventKind, ImportedThread, TrashItem, TurnRecord
from desktop_app.core.messages import (
    BoundaryCause,
    BoundaryState,
    Failure,
    Message,
    MessageMark,
    TextPart,
    Thread,
    Usage,
)
from desktop_app.core.projects import FollowedFolder, Project, ProjectDocument
from desktop_app.core.prompts import Prompt
from desktop_app.core.sync import Arrived, Exchanged, SyncApart, SyncRefused
from desktop_app.storage import sync_places
from desktop_app.storage.history_merge import merge_history
from desktop_app.storage.migrations import check_history
from desktop_app.storage.store import Store
from desktop_app.storage.sync_capture import FACTS, IN_PACK
from desktop_app.storage.sync_merge import SyncMerge
from desktop_app.storage.sync_places import (
    FOLDED,
    Exchange,
    Sealing,
    SpaceObject,
    accept,
    new_identity,
    unfolded,
    write_space,
)
from desktop_app.storage.sync_tips import lines_elsewhere

TIME = "2026-03-01T10:00:00.000Z"
WORDS = "the tide goes out and comes in again, as it did on the day before; " * 5


class MemoryPlace:
    """The objects of all machines; each machine sees its own view of them."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def check(self) -> None:
        pass

    def names(self, folder: str, after: str = "") -> Sequence[str]:
        return names_of(self.objects, folder, after)

    def read(self, name: str) -> bytes | None:
        return self.objects.get(name)

    def create(self, name: str, data: bytes) -> bool:
        if name in self.objects:
            return False
        self.objects[name] = data
        return True

    def remove(self, name: str) -> None:
        self.objects.pop(name, None)


def names_of(objects: Any, folder: str, after: str) -> list[str]:
    if not folder:
        return sorted({one.partition("/")[0] for one in objects})
    found = (one.removeprefix(f"{folder}/") for one in objects if one.startswith(f"{folder}/"))
    return sorted(one for one in found if one > after)


class View(MemoryPlace):
    """One machine's: what others write comes later, in any order; what is there can be away for a while."""

    def __init__(self, place: MemoryPlace) -> None:
        super().__init__()
        self.place = place
        self.away: dict[str, bytes] = {}

    def create(self, name: str, data: bytes) -> bool:
        self.place.objects.setdefault(name, data)
        return super().create(name, data)

    def waiting(self) -> list[str]:
        return sorted(self.place.objects.keys() - self.objects.keys() - self.away.keys())

    def come(self, name: str) -> None:
        self.objects[name] = self.place.objects[name]

    def all_come(self) -> None:
        self.objects |= self.place.objects
        self.away.clear()


IDENTITY = new_identity()
SPACE = SpaceObject("space", 1, b"sealed", b"older")


class Machine:
    def __init__(self, name: str, place: MemoryPlace, path: Any = None, clock: int = 0, *, set_up: bool = True) -> None:
        self.name, self.view = name, place
        self.folder = Path(mkdtemp())
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.copy_of = partial(copy_of, self.folder / "documents")
        self.store = Store(path)
        self.clock = clock
        self.now = 1_800_000_000_000
        self.sync = SyncMerge(self.store, now_ms=self._now, copy_of=self.copy_of)
        if set_up and not self.sync.is_set_up:
            self.set_up()
        self.arrived = Arrived()

    def set_up(self) -> None:
        self.sync.set_up({"place": "memory", "device": self.name * 8, "name": self.name, "space": "space", "epoch": 1})

    def _now(self) -> int:
        self.now += 7
        return self.now + self.clock

    def exchange(self) -> Exchanged:
        done = Exchanged()
        Exchange(self.sync, self.view, Sealing([IDENTITY]), lambda *_: None).run(self.arrived, done)
        return done

    def documents(self, *, removed: bool = False) -> list[ProjectDocument]:
        projects = self.store.projects
        read = projects.removed_documents if removed else projects.documents
        return [one for project in projects.all() for one in read(project.id)]

    def has_document(self, project: str, number: object, text: str, **facts: Any) -> ProjectDocument:
        """A document that was added and read; its copy is in the data folder."""
        data = text.encode()
        sha256 = hashlib.sha256(data).hexdigest()
        facts = {"path": f"/home/{self.name}/{number}.txt", "mode": "always", "added": TIME} | facts
        if "folder_id" not in facts:
            self.copy_of(sha256).parent.mkdir(parents=True, exist_ok=True)
            self.copy_of(sha256).write_bytes(data)
        one = ProjectDocument(f"document{number}", project, f"{number}.txt", "text/plain", len(data), sha256, 9,
                              passages=1, state="ready", **facts)  # fmt: skip
        self.store.projects.save_documents([one])
        return one

    def row(self, thread_id: str) -> Any:
        query = "SELECT tip, deleted FROM thread WHERE id = ?"
        return self.store.transactions.connection.execute(query, (thread_id,)).fetchone()


STEPS: dict[str, tuple[ContextEventKind, BoundaryCause]] = {
    "left out": ("trimmed", "tokens"), "brought back": ("returned", "returned"), "fresh": ("fresh_start", "idle")
}  # fmt: skip


def asked(  # noqa: PLR0917
    store: Store, thread_id: str, parent: str | None, number: str, text: str, expected: str | None, step: str = ""
) -> TurnRecord:
    """Begins a turn; the request holds the path, as real ones do. `step`: what it does to the context."""
    events: list[ContextEvent] = []
    window = None
    if step:
        kind, cause = STEPS[step]
        events = [ContextEvent(kind, 9_000, 5_000, 1 + len(number), "echo")]
        window = BoundaryState(epoch=1, cause=cause)
    question = Message(f"q{number}", thread_id, parent, "user", (TextPart(text),), TIME, window=window)
    answer = Message(f"a{number}", thread_id, question.id, "assistant", (), TIME, state="partial")
    record = TurnRecord(f"t{number}", thread_id, question.id, answer.id, "scripted", "echo", TIME)
    path = []
    rows = {one.id: one for one in store.messages.all(thread_id)}
    above = rows.get(parent or "")
    while above is not None:
        path.append({"role": above.role, "content": above.text})
        above = rows.get(above.parent_id or "")
    request: Any = {"model": "echo", "system": WORDS, "messages": [*reversed(path), {"role": "user", "content": text}],
               "tools": [{"name": f"tool {one}", "about": WORDS} for one in range(3)]}  # fmt: skip
    store.turns.begin(
        record, new_messages=[question], answer=answer, expected_tip=expected, request=request, events=events
    )
    return record


def asked_again(store: Store, thread_id: str, question: str, number: str, expected: str) -> TurnRecord:
    """Begins another attempt to answer a question."""
    answer = Message(f"a{number}", thread_id, question, "assistant", (), TIME, state="partial")
    record = TurnRecord(f"t{number}", thread_id, question, answer.id, "scripted", "echo", TIME)
    store.turns.begin(record, new_messages=[], answer=answer, expected_tip=expected, request={"model": "echo"})
    return record


def ended(store: Store, record: TurnRecord, text: str) -> None:
    """Ends the turn with these words; without any the attempt failed."""
    answer = Message(
        record.answer_id, record.thread_id, record.user_message_id, "assistant", (TextPart(text),), TIME,
        model="echo-1", stop_reason="end_turn",
    )  # fmt: skip
    if not text:
        answer = replace(answer, parts=(), state="error", failure=Failure("network", "cut off"), stop_reason=None)
    store.turns.end(record.id, answer, Usage(input=10, output=5))


def everything(store: Store) -> dict[str, Any]:
    """What must be equal on all machines in the end."""
    connection = store.transactions.connection
    facts: dict[str, Any] = {}
    for kind in FACTS:
        for (one,) in connection.execute(f"SELECT id FROM {kind} WHERE id NOT IN (SELECT id FROM erasure)").fetchall():
            here = {"choices", "tip", "seen"} | ({"path"} if kind == "followed_folder" else set())
            listed = ", ".join(f'"{name}"' for name in FACTS[kind] if name not in here)
            if kind == "project_document":  # the whole path of a file is that of one machine
                listed = listed.replace('"path"', "iif(folder_id IS NULL, '', path)")
            said = " AND message_count > 0" if kind == "thread" else ""
            found = connection.execute(f"SELECT {listed} FROM {kind} WHERE id = ?{said}", (one,)).fetchone()
            facts |= {f"{kind} {one}": found} if found is not None else {}
    messages = connection.execute(
        "SELECT message.id, above.id, thread.id, message.role, message.state, message.usage, message.model, "
        'message.depth, message."window", rating, note FROM message JOIN thread ON thread.key = message.thread_key '
        "LEFT JOIN message AS above ON above.key = message.parent_key LEFT JOIN mark ON message_key = message.key "
        "ORDER BY message.id"
    ).fetchall()
    texts: dict[str, str] = {}
    for thread in store.threads.all():
        texts |= {one.id: one.text for one in store.messages.all(thread.thread.id)}
    gaps = {one for (one,) in connection.execute("SELECT thread_key FROM erasure JOIN message USING (id)")}
    requests = {}
    for answer, key in connection.execute(
        "SELECT message.id, message.thread_key FROM turn JOIN message ON message.key = answer_key"
    ).fetchall():
        if key not in gaps:
            requests[answer] = json.dumps(store.requests.of_answer(answer))
    choices = {
        one: sorted(json.loads(value or "{}").items())
        for one, value in connection.execute("SELECT id, choices FROM thread WHERE message_count > 0").fetchall()
    }
    return {
        "facts": facts,
        "messages": messages,
        "texts": texts,
        "requests": requests,
        "choices": choices,
        "events": sorted(str(event) for one in store.threads.all() for event in store.events.of_thread(one.thread.id)),
        "turns": sorted(connection.execute("SELECT id, state, input, output FROM turn").fetchall()),
        "versions": sorted(
            connection.execute(
                "SELECT id, author, artifact_version.created, message_id FROM artifact_version "
                "JOIN artifact ON key = artifact_key"
            ).fetchall()
        ),
        "counts": sorted(connection.execute("SELECT id, message_count FROM thread WHERE message_count > 0").fetchall()),
    }


MACHINES = st.integers(0, 2)
PICK = st.integers(0, 10**6)


class Machines(RuleBasedStateMachine):
    ended: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self) -> None:
        super().__init__()
        self.place = MemoryPlace()
        self.machines = [
            Machine(name, View(self.place), clock=clock) for name, clock in (("A", 0), ("B", 90_000), ("C", -5))
        ]
        write_space(self.place, SPACE)
        self.numbers = itertools.count(1)
        self.running: dict[int, TurnRecord] = {}
        self.said: dict[str, tuple[str, str]] = {}
        self.shown: list[str | None] = [None] * 3
        self.ever_shown: set[tuple[int, str]] = set()
        for which, machine in enumerate(self.machines):
            machine.sync.is_shown = partial(self._is_shown, which)
        self.tips: list[dict[str, str | None]] = [{}, {}, {}]
        """As they were after the last exchange."""
        self.turned: dict[str, list[tuple[int, str | None, str | None]]] = {}
        """By thread: the machine whose user went on or turned to another branch, from where and to where."""
        self.erased: set[str] = set()

    def _is_shown(self, which: int, thread_id: str) -> bool:
        return self.shown[which] == thread_id

    def teardown(self) -> None:
        try:
            self.all_equal()
        finally:
            for machine in self.machines:
                machine.store.close()
        self.ended()

    # the user's acts

    def _threads(self, machine: Machine, *, trash: bool = False) -> list[str]:
        rows = machine.store.transactions.connection.execute(
            f"SELECT id FROM thread WHERE deleted IS {'NOT' if trash else ''} NULL "
            "AND id NOT IN (SELECT id FROM erasure) ORDER BY id"
        )
        return [one for (one,) in rows]

    def _thread(self, machine: Machine, pick: int, *, trash: bool = False) -> str | None:
        found = self._threads(machine, trash=trash)
        return found[pick % len(found)] if found else None

    @rule(which=MACHINES)
    def begins_a_thread(self, which: int) -> None:
        one = f"thread{next(self.numbers)}"
        self.machines[which].store.threads.create(Thread(one, f"Title {one}", TIME, TIME))

    @rule(which=MACHINES, pick=PICK, branch=st.booleans())
    def asks(self, which: int, pick: int, branch: bool) -> None:
        machine = self.machines[which]
        if which in self.running or (thread_id := self._thread(machine, pick)) is None:
            return
        tip = machine.row(thread_id)[0]
        parent = tip
        if branch:
            answers = [one.id for one in machine.store.messages.all(thread_id) if one.role == "assistant"]
            parent = answers[pick % len(answers)] if answers else None
        number = str(next(self.numbers))
        text, step = f"question {number} {WORDS}", ["", *STEPS][pick % 4]
        self.running[which] = asked(machine.store, thread_id, parent, number, text, tip, step)
        self.said[f"q{number}"] = (thread_id, text)

    @rule(which=MACHINES, pick=PICK)
    def tries_again(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if which in self.running or (thread_id := self._thread(machine, pick)) is None:
            return
        failed = {one.id: one for one in machine.store.messages.all(thread_id) if one.state == "error"}
        if (tip := failed.get(machine.row(thread_id)[0] or "")) is not None and tip.parent_id is not None:
            number = str(next(self.numbers))
            self.running[which] = asked_again(machine.store, thread_id, tip.parent_id, number, tip.id)

    @rule(which=MACHINES, fails=st.booleans())
    def is_answered(self, which: int, fails: bool) -> None:
        if (record := self.running.pop(which, None)) is None:
            return
        text = "" if fails else f"answer {record.id} {WORDS * 2}"
        ended(self.machines[which].store, record, text)
        self.said[record.answer_id] = (record.thread_id, text)

    @rule(
        which=MACHINES,
        pick=PICK,
        field=st.sampled_from(["title", "system", "pinned", "archived", "soft_limit", "model"]),
    )
    def changes_a_fact(self, which: int, pick: int, field: str) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick)) is None:
            return
        value: Any = {"pinned": bool(pick % 2), "archived": bool(pick % 2), "soft_limit": pick or None}.get(
            field, f"{field} {pick}"
        )
        machine.store.threads.update(replace(machine.store.threads.one(thread_id), **{field: value}))

    @rule(which=MACHINES, pick=PICK, kind=st.sampled_from(["pinned", "excluded", "deleted", "undone"]))
    def decides(self, which: int, pick: int, kind: str) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick)) is None or which in self.running:
            return
        thread = machine.store.threads.one(thread_id)
        messages = machine.store.messages.all(thread_id)
        if not messages:
            return
        one: Any = messages[pick % len(messages)].id
        one = Deletion(one, one) if kind == "deleted" else one
        choices = replace(thread.choices, **{kind: getattr(thread.choices, kind) ^ {one}})
        machine.store.threads.update(replace(thread, choices=choices))

    @rule(which=MACHINES, pick=PICK)
    def marks(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick)) is None:
            return
        if messages := machine.store.messages.all(thread_id):
            mark = MessageMark("up" if pick % 2 else "", f"note {pick}" if pick % 3 else "")
            machine.store.marks.save(thread_id, messages[pick % len(messages)].id, mark)

    @rule(which=MACHINES, pick=PICK)
    def goes_elsewhere_in_the_tree(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if which in self.running or (thread_id := self._thread(machine, pick)) is None:
            return
        if messages := machine.store.messages.all(thread_id):
            machine.store.threads.move_tip(
                thread_id, messages[pick % len(messages)].id, expected=machine.row(thread_id)[0]
            )

    @rule(which=MACHINES, pick=PICK)
    def trashes(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if which not in self.running and (thread_id := self._thread(machine, pick)) is not None:
            machine.store.threads.delete(thread_id)

    @rule(which=MACHINES, pick=PICK)
    def restores(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick, trash=True)) is not None:
            machine.store.threads.restore(thread_id)

    @rule(which=MACHINES, pick=PICK)
    def erases_a_thread(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if pick % 3 or which in self.running or (thread_id := self._thread(machine, pick)) is None:
            return
        self._erase(machine, TrashItem("thread", thread_id, "", ""))
        self.erased.add(thread_id)

    @rule(which=MACHINES, pick=PICK)
    def erases_a_message(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if pick % 3 or which in self.running or (thread_id := self._thread(machine, pick)) is None:
            return
        if messages := machine.store.messages.all(thread_id):
            one = messages[pick % len(messages)].id
            self._erase(machine, TrashItem("message", one, "", "", inside_id=thread_id))
            self.erased.add(one)

    def _erase(self, machine: Machine, item: TrashItem) -> None:
        machine.store.erasure.begin([item])
        while machine.store.erasure.step():
            pass

    @rule(which=MACHINES, pick=PICK)
    def writes_a_prompt(self, which: int, pick: int) -> None:
        self.machines[which].store.prompts.save((Prompt(f"prompt{pick % 3}", f"Title {pick}", WORDS, TIME, TIME),))

    @rule(which=MACHINES, pick=PICK)
    def deletes_a_prompt(self, which: int, pick: int) -> None:
        self.machines[which].store.prompts.delete(f"prompt{pick % 3}")

    @rule(which=MACHINES, pick=PICK)
    def has_a_project(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        projects = machine.store.projects.all()
        if not projects or pick % 3 == 0:
            one = f"project{next(self.numbers)}"
            machine.store.projects.save(Project(one, f"Name {one}", created=TIME, updated=TIME))
            projects = machine.store.projects.all()
        project = projects[pick % len(projects)]
        if pick % 5 == 0:
            machine.store.projects.delete(project.id)
        elif (thread_id := self._thread(machine, pick)) is not None:
            machine.store.threads.update(replace(machine.store.threads.one(thread_id), project=project.id))
            machine.store.projects.save(replace(project, instructions=f"be brief {pick}"))

    def _document(self, which: int, pick: int, *, removed: bool = False) -> ProjectDocument | None:
        found = self.machines[which].documents(removed=removed)
        return found[pick % len(found)] if found else None

    @rule(which=MACHINES, pick=PICK)
    def adds_a_document(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if projects := machine.store.projects.all():
            project = projects[pick % len(projects)].id
            machine.has_document(project, next(self.numbers), f"document {pick % 5} {WORDS}")

    @rule(which=MACHINES, pick=PICK)
    def follows_a_folder(self, which: int, pick: int) -> None:
        machine, number = self.machines[which], next(self.numbers)
        if projects := machine.store.projects.all():
            project = projects[pick % len(projects)].id
            folder = machine.folder / f"folder{number}"
            folder.mkdir()
            (folder / "tide.txt").write_text(f"document {pick % 5} {WORDS}")
            machine.store.projects.save_folder(FollowedFolder(f"folder{number}", project, str(folder)))
            text = f"document {pick % 7} {WORDS}"  # it may have changed since it was read
            machine.has_document(project, number, text, folder_id=f"folder{number}", path="tide.txt")

    @rule(which=MACHINES, pick=PICK, mode=st.sampled_from(["always", "search"]))
    def changes_a_mode(self, which: int, pick: int, mode: Any) -> None:
        if (one := self._document(which, pick)) is not None:
            self.machines[which].store.projects.save_documents([replace(one, mode=mode, name=f"name {pick % 3}")])

    @rule(which=MACHINES, pick=PICK)
    def reads_a_document_again(self, which: int, pick: int) -> None:
        if (one := self._document(which, pick)) is not None and one.folder_id is None:
            number = one.id.removeprefix("document")
            self.machines[which].has_document(one.project_id, number, f"document {pick % 9} {WORDS}", added=one.added)

    @rule(which=MACHINES, pick=PICK)
    def removes_a_document(self, which: int, pick: int) -> None:
        if (one := self._document(which, pick)) is not None:
            self.machines[which].store.projects.delete_documents([one.id])

    @rule(which=MACHINES, pick=PICK, for_good=st.booleans())
    def restores_or_erases_a_document(self, which: int, pick: int, for_good: bool) -> None:
        if (one := self._document(which, pick, removed=True)) is None:
            return
        if for_good:
            self._erase(self.machines[which], TrashItem("document", one.id, "", ""))
        else:
            self.machines[which].store.projects.restore_documents([one.id])

    @rule(which=MACHINES, pick=PICK)
    def keeps_an_artifact(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick)) is None or machine.row(thread_id)[0] is None:
            return
        number = next(self.numbers)
        one = Artifact(f"artifact{number}", thread_id, f"Poem {number}", created=TIME, updated=TIME)
        machine.store.artifacts.add_version(one, ArtifactVersion(one.id, 1, f"{WORDS} {number}", "user", TIME))

    @rule(which=MACHINES, pick=PICK)
    def types(self, which: int, pick: int) -> None:
        machine = self.machines[which]
        if (thread_id := self._thread(machine, pick)) is not None:
            before = machine.store.threads.one(thread_id).draft
            machine.store.threads.save_draft(thread_id, f"typed {pick}", expected=before)

    @rule(which=MACHINES, pick=PICK, other=st.booleans())
    def decides_what_was_changed_apart(self, which: int, pick: int, other: bool) -> None:
        machine = self.machines[which]
        if apart := machine.sync.apart():
            one = apart[pick % len(apart)]
            machine.sync.decide(one.kind, one.id, machine.arrived, other=other)

    @rule(which=MACHINES, pick=PICK, closed=st.booleans())
    def opens_a_thread(self, which: int, pick: int, closed: bool) -> None:
        self.shown[which] = None if closed else self._thread(self.machines[which], pick)
        self.ever_shown.add((which, self.shown[which] or ""))

    # the place

    @rule(which=MACHINES)
    def syncs(self, which: int) -> None:
        try:
            self.exchange(which)
        except SyncRefused as refused:
            if refused.trouble.kind != "store":  # what was there before is away
                raise

    def exchange(self, which: int) -> None:
        """An exchange moves a place only to where its branch grew, or after who went on from it."""
        machine, before = self.machines[which], self._tips(which)
        for one, tip in before.items():
            if (last := self.tips[which].get(one)) != tip:
                self.turned.setdefault(one, []).append((which, last, tip))
        try:
            machine.exchange()
        finally:
            self.tips[which] = self._tips(which)
        for one, tip in self.tips[which].items():
            if (left := before.get(one)) == tip or left is None or tip is None:
                continue
            parents = {row.id: row.parent_id for row in machine.store.messages.all(one)}
            path, above = set[str](), parents[tip]
            while above is not None:
                path.add(above)
                above = parents[above]
            failed = {row.id for row in machine.store.messages.all(one) if row.state == "error"}
            if left in failed and parents[left] in path:
                continue
            reached = {left}
            for _, start, end in self.turned.get(one, []) * 3:
                reached |= {end or ""} if start in reached else set()
            assert left in path or (tip in reached and self.shown[which] != one), f"{left} became {tip}"

    def _tips(self, which: int) -> dict[str, str | None]:
        rows = self.machines[which].store.transactions.connection.execute("SELECT id, tip FROM thread")
        return dict(rows.fetchall())

    @rule(which=MACHINES, pick=PICK)
    def something_comes(self, which: int, pick: int) -> None:
        view = self.machines[which].view
        assert isinstance(view, View)
        waiting = view.waiting()
        random.Random(pick).shuffle(waiting)
        for name in waiting[: 1 + pick % 5]:
            view.come(name)

    @rule(which=MACHINES, pick=PICK)
    def something_is_away_for_a_while(self, which: int, pick: int) -> None:
        view = self.machines[which].view
        assert isinstance(view, View)
        names = sorted(view.objects)
        random.Random(pick).shuffle(names)
        for name in names[: pick % 4]:
            view.away[name] = view.objects.pop(name)

    @rule(which=MACHINES)
    def is_there_again(self, which: int) -> None:
        view = self.machines[which].view
        assert isinstance(view, View)
        view.objects |= view.away
        view.away.clear()

    @rule(which=MACHINES, pick=PICK)
    def is_doubled(self, which: int, pick: int) -> None:
        view = self.machines[which].view
        if names := sorted(view.objects):
            name = names[pick % len(names)]
            view.objects[f"{name} (conflicted copy 2026-03-01)"] = view.objects[name]
            view.objects[f"{name}.icloud"] = b""

    def all_equal(self) -> None:
        for which in list(self.running):
            self.is_answered(which, False)
        for _ in range(6):
            for which, machine in enumerate(self.machines):
                view = machine.view
                assert isinstance(view, View)
                view.all_come()
                self.exchange(which)
        for one in self.tips[0]:
            users = {which for which, *_ in self.turned.get(one, ())}
            if len(users) == 1 and not any((which, one) in self.ever_shown for which in range(3)):
                assert len({tips[one] for tips in self.tips}) == 1, "all follow the only one who went on"
        first, *others = (everything(one.store) for one in self.machines)
        for other in others:
            for name, value in first.items():
                assert other[name] == value, name
        for machine in self.machines:
            here = everything(machine.store)
            for document in machine.documents():
                copy = machine.copy_of(document.sha256)
                if document.folder_id is None:
                    assert hashlib.sha256(copy.read_bytes()).hexdigest() == document.sha256
                assert document.state == "ready" or (document.state == "waiting") == copy.is_file()
            assert not list((machine.folder / "documents").rglob("*.*"))
            waits = machine.store.transactions.connection.execute(
                "SELECT count(*) FROM sync_waiting WHERE kind = 'message'"
            ).fetchone()
            assert waits == (0,)
            assert machine.sync.still_on() == ()
            connection = machine.store.transactions.connection
            for one, (thread_id, text) in self.said.items():
                found = connection.execute("SELECT 1 FROM message WHERE id = ?", (one,)).fetchone()
                assert (found is None) == (thread_id in self.erased), one
                if one in here["texts"]:
                    assert here["texts"][one] == ("" if one in self.erased else text)
            assert connection.execute("SELECT count(*) FROM turn WHERE state = 'running'").fetchone() == (0,)


class InOneThread(Machines):
    """All that they do is to go on in one thread, and to look around in it."""

    def __init__(self) -> None:
        super().__init__()
        Machines.begins_a_thread(self, 0)
        self.asks(0, 0, False)
        super().all_equal()

    def all_equal(self) -> None:
        super().all_equal()
        for which, branch in ((0, False), (1, True), (2, False)):
            ((one, _),) = self.tips[which].items()
            before = [tips[one] for tips in self.tips]
            self.asks(which, 0, branch)
            super().all_equal()
            end = self.tips[which][one]
            messages = self.machines[which].store.messages.all(one)
            parents = {row.id: row.parent_id for row in messages}
            failed = {row.id for row in messages if row.state == "error"}
            for other, left in enumerate(before):
                if left in failed:
                    continue
                grown = left == parents[parents[end or ""] or ""]
                follows = grown or (left == before[which] and self.shown[other] != one)
                assert other == which or (self.tips[other][one] == end) == follows, f"{which} went on"


_IN_A_THREAD = {
    "asks",
    "tries_again",
    "is_answered",
    "goes_elsewhere_in_the_tree",
    "opens_a_thread",
    "syncs",
    "something_comes",
}
for name, what in vars(Machines).items():
    if hasattr(what, "hypothesis_stateful_rule") and name not in _IN_A_THREAD:
        setattr(InOneThread, name, None)


def run_machines(
    runs: int,
    steps: int,
    *,
    derandomize: bool,
    ended: Callable[[], None] = lambda: None,
    machines: type[Machines] = Machines,
) -> None:
    """So many runs of three machines; `ended` is called after each that ended alike."""
    run_state_machine_as_test(
        type("Machines", (machines,), {"ended": staticmethod(ended)}),
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=derandomize,
        ),
    )


def test_three_machines_end_alike_whatever_the_place_does() -> None:
    run_machines(12, 40, derandomize=True)


def test_each_machine_stays_on_its_own_branch_whatever_the_others_do() -> None:
    run_machines(20, 20, derandomize=True, machines=InOneThread)


def goes_on(machine: Machine, number: str, after: str | None = "a2", *, step: str = "", fails: bool = False) -> None:
    """One more turn in the thread of `two`."""
    text = f"{number} {WORDS}"
    record = asked(machine.store, "thread", after, number, f"q {text}", after, step)
    ended(machine.store, record, "" if fails else f"a {text}")


def tries_again(machine: Machine, question: str, number: str, *, fails: bool = False) -> None:
    """One more attempt at a question of that thread."""
    tip = machine.row("thread")[0]
    record = asked_again(machine.store, "thread", question, number, tip)
    ended(machine.store, record, "" if fails else f"a {number} {WORDS}")


def all_exchange(*machines: Machine) -> None:
    for machine in machines * 2:
        machine.exchange()


@pytest.fixture
def two() -> Iterator[tuple[Machine, Machine]]:
    with two_machines() as both:
        yield both


@contextmanager
def two_machines() -> Iterator[tuple[Machine, Machine]]:
    """Two machines at one place that both have a thread of two turns; the first began it."""
    place = MemoryPlace()
    write_space(place, SPACE)
    first, second = Machine("A", place), Machine("B", place)
    first.store.threads.create(Thread("thread", "Tides", TIME, TIME))
    goes_on(first, "1", None)
    goes_on(first, "2", "a1")
    all_exchange(first, second)
    yield first, second
    for machine in (first, second):
        machine.store.close()


def test_what_is_left_leaves_the_file_as_it_was() -> None:
    store = Store(None)
    connection = store.transactions.connection
    schema = "SELECT name, sql FROM sqlite_master ORDER BY name"
    before = connection.execute(schema).fetchall()
    sync = SyncMerge(store)
    sync.set_up({"place": "p", "device": "d", "name": "n", "space": "s", "epoch": 1})
    assert len(connection.execute(schema).fetchall()) > len(before)
    sync.leave()
    assert connection.execute(schema).fetchall() == before
    store.close()


def test_another_history_takes_threads_from_one_that_is_synced(tmp_path: Path) -> None:
    place = MemoryPlace()
    write_space(place, SPACE)
    machine = Machine("A", place, tmp_path / "synced" / "history.db")
    machine.store.threads.create(Thread("thread", "Tides", TIME, TIME))
    goes_on(machine, "1", None)
    machine.exchange()
    machine.store.close()
    check_history(tmp_path / "synced" / "history.db")
    other = Store(tmp_path / "other" / "history.db")
    assert merge_history(other.transactions, tmp_path / "synced" / "history.db", None).threads == 1
    other.close()


def test_what_came_is_not_sent_again(two: tuple[Machine, Machine]) -> None:
    for machine in two * 2:
        assert machine.exchange().sent == 0


def test_no_thread_waits_that_only_has_a_draft(two: tuple[Machine, Machine]) -> None:
    first, _ = two
    first.store.threads.create(Thread("new", "", TIME, TIME))
    for one in ("new", "thread"):
        first.store.threads.save_draft(one, "How high is", expected="")
    assert first.sync.waiting_threads() == frozenset()
    ended(first.store, asked(first.store, "new", None, "9", "q 9", None), "a 9")
    assert first.sync.waiting_threads() == {"new"}


def test_a_device_that_joins_with_a_name_that_is_taken_gets_a_number(two: tuple[Machine, Machine]) -> None:
    first, _ = two
    names = []
    for number in range(2):
        other = Machine("B", first.view)
        other.sync.write_state(device=f"other {number}")
        other.exchange()
        names.append(other.sync.state()["name"])
        other.store.close()
    all_exchange(*two)
    assert names == ["B 2", "B 3"]
    assert [name for _, name, *_ in first.sync.devices()] == ["B", "B 2", "B 3"]
    assert two[1].sync.state()["name"] == "B", "it had the name"


def test_no_thread_is_sent_in_which_nothing_was_said(two: tuple[Machine, Machine]) -> None:
    first, second = two
    first.store.threads.create(Thread("new", "", TIME, TIME))
    first.store.threads.save_draft("new", "How high is", expected="")
    all_exchange(*two)
    assert second.row("new") is None
    ended(first.store, asked(first.store, "new", None, "9", "q 9", None), "a 9")
    all_exchange(*two)
    assert second.row("new") == ("a9", None)


def test_branches_stand_in_the_same_order_everywhere(
    two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    for machine, number, hour in ((first, "3", 12), (second, "4", 11)):
        monkeypatch.setitem(globals(), "TIME", f"2026-03-01T{hour}:00:00.000Z")
        goes_on(machine, number)
    all_exchange(*two)
    trees = [Conversation(machine.store.messages.all("thread")) for machine in two]
    assert [tree.children("a2") for tree in trees] == [("q4", "q3"), ("q4", "q3")]
    drawn = [BranchTree(tree, [one.id for one in tree.path("a3")], NO_CHOICES).rows() for tree in trees]
    assert drawn[0] == drawn[1]


def tips(*machines: Machine) -> list[str]:
    return [str(one.row("thread")[0]) for one in machines]


def told(machine: Machine) -> list[Any]:
    return [tuple(one) for one in lines_elsewhere(machine.sync.connection)]


def turns_to(machine: Machine, message: str) -> None:
    machine.store.threads.move_tip("thread", message, expected=machine.row("thread")[0])


def test_two_ends_become_siblings_and_each_machine_stays_on_its_own(two: tuple[Machine, Machine]) -> None:
    first, second = two
    goes_on(first, "3")
    goes_on(second, "4")
    all_exchange(*two)
    assert tips(*two) == ["a3", "a4"]
    parents = {one.id: one.parent_id for one in first.store.messages.all("thread")}
    assert parents["q3"] == parents["q4"] == "a2"
    assert (told(first), told(second)) == (
        [("thread", "Continued on B", "a4")],
        [("thread", "Continued on A", "a3")],
    )
    assert first.sync.apart() == second.sync.apart() == (), "there is nothing to decide"
    assert everything(first.store) == everything(second.store)
    goes_on(first, "5", "a3")
    assert told(first) == [], "also while nothing can be exchanged"
    all_exchange(*two)
    assert (tips(*two), told(first)) == (["a5", "a4"], [])
    assert told(second) == [("thread", "Continued on A", "a5")]
    turns_to(second, "a5")
    all_exchange(*two)
    assert (tips(*two), told(first), told(second)) == (["a5", "a5"], [], [])
    goes_on(first, "6", "a5")
    all_exchange(*two)
    assert tips(*two) == ["a6", "a6"]


def test_a_branch_that_was_left_is_followed_where_its_end_was_known_and_is_not_shown(
    two: tuple[Machine, Machine],
) -> None:
    first, second = two
    goes_on(second, "3", "a2")
    all_exchange(*two)
    turns_to(first, "a1")
    first.exchange()
    goes_on(first, "4", "a1")
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a4", "a4"], [])
    second.sync.is_shown = lambda one: one == "thread"
    turns_to(first, "a3")
    goes_on(first, "5", "a3")
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a5", "a4"], [("thread", "Continued on A", "a5")])


def test_who_only_looks_at_another_branch_moves_and_tells_nothing_where_the_thread_is_shown(
    two: tuple[Machine, Machine],
) -> None:
    first, second = two
    turns_to(first, "a1")
    goes_on(first, "3", "a1")
    all_exchange(*two)
    second.sync.is_shown = lambda one: one == "thread"
    second.arrived.taken()  # as an exchange ends
    for end in ("a2", "a3", "a2"):
        turns_to(first, end)
        all_exchange(*two)
        assert (tips(*two), told(second)) == ([end, "a3"], [])


def test_who_turned_back_here_to_ask_something_else_is_not_moved_forward(two: tuple[Machine, Machine]) -> None:
    first, second = two
    second.sync.is_shown = lambda one: one == "thread"
    turns_to(second, "a1")
    goes_on(first, "3")
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a3", "a1"], [("thread", "Continued on A", "a3")])


def test_the_answer_that_came_after_a_failure_is_the_place_everywhere(two: tuple[Machine, Machine]) -> None:
    first, second = two
    second.sync.is_shown = lambda one: one == "thread"
    goes_on(first, "3", fails=True)
    all_exchange(*two)
    assert tips(*two) == ["a3", "a3"]
    tries_again(first, "q3", "4", fails=True)
    all_exchange(*two)
    tries_again(first, "q3", "5")
    all_exchange(*two)
    assert (tips(*two), told(first), told(second)) == (["a5", "a5"], [], [])
    tries_again(second, "q3", "6", fails=True)
    all_exchange(*two)
    assert (tips(*two), told(first), told(second)) == (["a6", "a6"], [], []), "not shown: it is followed"
    first.sync.is_shown = second.sync.is_shown
    tries_again(second, "q3", "7")
    tries_again(first, "q3", "8")
    all_exchange(*two)
    assert tips(*two) == ["a8", "a7"], "two answers are two branches"
    assert (told(first), told(second)) == (
        [("thread", "Continued on B", "a7")],
        [("thread", "Continued on A", "a8")],
    )


def test_a_failed_attempt_of_another_machine_is_no_news_where_an_answer_is_there(two: tuple[Machine, Machine]) -> None:
    first, second = two
    second.sync.is_shown = lambda one: one == "thread"
    tries_again(first, "q2", "3", fails=True)
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a3", "a2"], [])
    tries_again(first, "q2", "4")
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a4", "a2"], [("thread", "Continued on A", "a4")])
    second.sync.is_shown = lambda _: False
    tries_again(first, "q2", "5")
    all_exchange(*two)
    assert (tips(*two), told(second)) == (["a5", "a5"], []), "whoever went on there had seen what is here"


def test_what_a_request_did_to_the_context_is_told_alike_everywhere(two: tuple[Machine, Machine]) -> None:
    first, second = two
    goes_on(first, "3", step="left out")
    goes_on(first, "4", "a3", step="brought back")
    all_exchange(*two)
    told_here, told_there = (machine.store.events.of_thread("thread") for machine in two)
    assert [(one.event.kind, one.event.messages, one.answer_id) for one in told_there] == [
        ("trimmed", 2, "a3"),
        ("returned", 2, "a4"),
    ]
    assert told_there == told_here
    for number in range(2):  # as often as they come
        first.sync.send_all_again({"device": f"another {number}", "number": 0})
        second.sync.connection.execute("UPDATE sync_version SET time = 1")
        all_exchange(*two)
    assert second.store.events.of_thread("thread") == told_here
    third = Machine("C", first.view)
    third.exchange()
    assert third.store.events.of_thread("thread") == told_here
    third.store.close()


def test_a_pack_of_an_older_version_has_no_events_and_is_read(two: tuple[Machine, Machine]) -> None:
    first, second = two
    goes_on(first, "3", step="left out")
    pack = first.sync.next_pack()
    assert pack is not None
    content = json.loads(zlib.decompress(pack.data))
    for message in content["sections"][0]["messages"]:
        for turn in message["turns"]:
            assert turn.pop("events"), "of a newer version"
    second.sync.take(content, second.arrived)
    assert tips(second) == ["a3"]
    assert second.store.events.of_thread("thread") == ()


def test_an_answer_that_comes_here_keeps_its_place_whatever_was_said_elsewhere(two: tuple[Machine, Machine]) -> None:
    first, second = two
    goes_on(first, "3")
    first.exchange()
    record = asked(second.store, "thread", "a2", "4", "q 4", "a2")
    second.exchange()
    assert (tips(second), told(second)) == (["a4"], [])
    ended(second.store, record, "a 4")
    second.exchange()
    assert (tips(second), told(second)) == (["a4"], [("thread", "Continued on A", "a3")])


def test_a_place_whose_messages_come_later_is_kept_while_here_goes_on(
    two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    parent = "a2"
    for number in range(3, 3 + IN_PACK // 2):
        goes_on(first, str(number), parent)
        parent = f"a{number}"
    first.exchange()
    third = Machine("C", View(first.view))
    goes_on(second, "apart")
    for name in sorted(first.view.objects)[::-1]:
        third.view.come(name)  # type: ignore[attr-defined]
        third.exchange()
    all_exchange(first, third)
    assert tips(third) == [parent]
    all_exchange(*two)
    assert (tips(*two), told(second)) == ([parent, "aapart"], [("thread", "Continued on A", parent)])
    third.store.close()


def test_what_was_read_here_stays_so_where_another_branch_was_read_elsewhere(two: tuple[Machine, Machine]) -> None:
    first, second = two
    for machine, number in ((first, "3"), (second, "4")):
        goes_on(machine, number)
        machine.store.threads.set_seen("thread", f"a{number}")
    all_exchange(*two)
    assert [one.store.threads.one("thread").seen for one in two] == ["a3", "a4"]


def test_what_was_changed_apart_can_be_decided_and_goes_to_the_other(two: tuple[Machine, Machine]) -> None:
    first, second = two
    first.store.projects.save(Project("project", "Sea", created=TIME, updated=TIME))
    first.store.prompts.save((Prompt("prompt", "Ask", "now", TIME, TIME),))
    all_exchange(*two)
    for machine in two:
        thread = replace(machine.store.threads.one("thread"), title=machine.name, soft_limit=len(machine.name))
        machine.store.threads.update(replace(thread, system=f"be {machine.name}", pinned=machine is first))
        machine.store.projects.save(replace(machine.store.projects.all()[0], instructions=f"of {machine.name}"))
        machine.store.prompts.save((Prompt("prompt", "Ask", f"text {machine.name}", TIME, TIME),))
    second.now += 1_000
    assert [machine.sync.apart() for machine in two] == [(), ()]
    all_exchange(*two)
    apart = (
        SyncApart("project", "project", "Sea", (("instructions", "of A"),)),
        SyncApart("prompt", "prompt", "Ask", (("text", "text A"),)),
        SyncApart("thread", "thread", "B", (("system", "be A"), ("title", "A"))),
    )
    assert [machine.sync.apart() for machine in two] == [apart, apart]
    first.sync.decide("thread", "thread", first.arrived, other=True)
    second.sync.decide("project", "project", second.arrived, other=True)
    second.sync.decide("prompt", "prompt", second.arrived, other=False)
    all_exchange(*two)
    for machine in two:
        thread = machine.store.threads.one("thread")
        assert (thread.title, thread.system, thread.pinned) == ("A", "be A", True)
        assert machine.store.projects.all()[0].instructions == "of A"
        assert machine.store.prompts.all()[0].text == "text B"
        assert machine.sync.apart() == ()
    assert everything(first.store) == everything(second.store)


def test_both_versions_of_a_summary_are_kept(two: tuple[Machine, Machine]) -> None:
    first, second = two
    thread = first.store.threads.one("thread")
    summary = Summary("s", ("q1", "a1"), "short", "echo", TIME)
    first.store.threads.update(replace(thread, choices=replace(thread.choices, summaries=(summary,))))
    all_exchange(*two)
    for machine in two:
        thread = machine.store.threads.one("thread")
        edited = replace(summary, text=f"by {machine.name}", edited=True)
        machine.store.threads.update(replace(thread, choices=replace(thread.choices, summaries=(edited,))))
    second.now += 1_000
    all_exchange(*two)
    (apart,) = first.sync.apart()
    assert apart.fields == (("summaries", "by A"),)
    first.sync.decide("thread", "thread", first.arrived, other=True)
    all_exchange(*two)
    assert [one.store.threads.one("thread").choices.summaries[0].text for one in two] == ["by A", "by A"]


def test_a_new_change_decides_as_well(two: tuple[Machine, Machine]) -> None:
    first, second = two
    for machine in two:
        machine.store.threads.update(replace(machine.store.threads.one("thread"), title=machine.name))
    all_exchange(*two)
    assert second.sync.apart(), "its change was not there yet as the other was sent"
    second.store.threads.update(replace(second.store.threads.one("thread"), title="Neither"))
    all_exchange(*two)
    assert [machine.sync.apart() for machine in two] == [(), ()]
    assert first.store.threads.one("thread").title == "Neither"


def test_what_was_deleted_for_good_is_still_on_the_others_until_they_sync(two: tuple[Machine, Machine]) -> None:
    first, second = two
    assert first.sync.still_on() == ()
    first.store.erasure.begin([TrashItem("thread", "thread", "", "")])
    while first.store.erasure.step():
        pass
    assert first.sync.still_on() == ("B",)
    first.exchange()
    assert first.sync.still_on() == ("B",)
    second.exchange()
    assert "the tide" not in opened(second.view)
    assert first.sync.still_on() == ("B",)
    first.exchange()
    assert first.sync.still_on() == ()
    for machine in two * 2:
        assert machine.exchange().sent == 0, "an answer has no answer"


@pytest.mark.parametrize("goes_on_alone", [False, True])
def test_a_device_that_joins_again_turns_back_nothing_that_was_changed_since(
    two: tuple[Machine, Machine], goes_on_alone: bool
) -> None:
    """It had stamped all that it has with the moment at which it joined."""
    first, second = two
    second.sync.leave()
    first.store.threads.update(replace(first.store.threads.one("thread"), title="Renamed since"))
    first.exchange()
    second.now += 100_000
    mine = second.store.threads.one("thread")
    if goes_on_alone:
        later = datetime.fromtimestamp(second.now / 1000, UTC).isoformat()
        second.store.threads.update(replace(mine, title="Used last"))
        with second.store.transactions.write_plain() as connection:
            connection.execute("UPDATE thread SET updated = ?", (later,))
    second.name = "C"
    second.now += 1_000
    second.set_up()
    all_exchange(*two)
    title = "Used last" if goes_on_alone else "Renamed since"
    assert [one.store.threads.one("thread").title for one in two] == [title, title]


def test_an_exchange_of_nothing_writes_nothing(two: tuple[Machine, Machine]) -> None:
    before = [machine.store.transactions.connection.total_changes for machine in two]
    for machine in two * 2:
        machine.exchange()
    assert [machine.store.transactions.connection.total_changes for machine in two] == before


def test_requests_are_equal_to_the_byte(two: tuple[Machine, Machine]) -> None:
    for answer in ("a1", "a2"):
        here, there = (machine.store.requests.of_answer(answer) for machine in two)
        assert here is not None
        assert json.dumps(here) == json.dumps(there)


def test_an_answer_that_is_coming_is_not_sent(two: tuple[Machine, Machine]) -> None:
    first, second = two
    record = asked(first.store, "thread", "a2", "3", "q 3", "a2")
    first.exchange()
    second.exchange()
    assert [one.id for one in second.store.messages.all("thread")] == ["q1", "a1", "q2", "a2"]
    ended(first.store, record, "a 3")
    first.exchange()
    second.exchange()
    assert second.store.threads.one("thread").tip == "a3"


def test_a_thread_in_the_trash_that_went_on_elsewhere_is_back(two: tuple[Machine, Machine]) -> None:
    first, second = two
    first.store.threads.delete("thread")
    goes_on(second, "3")
    all_exchange(*two)
    assert [one.store.threads.one("thread").tip for one in two] == ["a3", "a3"]
    assert first.arrived.lines == [("thread", "Deleted here, but continued on B, so it is back", "")]


def test_deleted_for_good_beats_what_was_said_later(two: tuple[Machine, Machine]) -> None:
    first, second = two
    first.store.erasure.begin([TrashItem("thread", "thread", "", "")])
    while first.store.erasure.step():
        pass
    goes_on(second, "3")
    all_exchange(*two)
    for machine in two:
        connection = machine.store.transactions.connection
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM sync_fact").fetchone() == (0,)


@pytest.mark.parametrize("away", ["", "space", "folders"])
def test_nothing_is_lost_where_the_place_was_emptied_or_set_back(two: tuple[Machine, Machine], away: str) -> None:
    before, place = everything(two[0].store), two[0].view
    for name in list(place.objects):
        if away != ("folders" if name.startswith("space") else "space"):
            place.remove(name)
    for machine in two if away != "space" else two[:1]:
        with pytest.raises(SyncRefused) as refused:
            machine.exchange()
        assert refused.value.trouble.kind == "store"
        accept(machine.sync, place, Sealing([IDENTITY]), SPACE)
    third = Machine("C", place)
    all_exchange(*two, third)
    assert everything(two[0].store) == everything(two[1].store) == everything(third.store) == before
    third.store.close()


def test_a_copy_of_the_data_folder_goes_on_as_a_new_device(two: tuple[Machine, Machine]) -> None:
    first, second = two
    copy = Machine("A", second.view)
    copy.store.transactions.connection.deserialize(first.store.transactions.connection.serialize())
    goes_on(first, "3")
    goes_on(copy, "4")
    first.exchange()
    with pytest.raises(SyncRefused) as refused:
        copy.exchange()
    assert refused.value.trouble.kind == "cloned"
    accept(copy.sync, copy.view, Sealing([IDENTITY]), SPACE)
    all_exchange(copy, first, second)
    assert everything(first.store) == everything(second.store) == everything(copy.store)
    assert {one.id for one in second.store.messages.all("thread")} >= {"a3", "a4"}
    copy.store.close()


def test_a_flipped_byte_is_noticed_and_what_follows_waits(two: tuple[Machine, Machine]) -> None:
    first, second = two
    before = set(first.view.objects)
    goes_on(first, "3")
    first.exchange()
    (name,) = set(first.view.objects) - before
    whole = first.view.objects[name]
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        first.view.objects[name] = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert second.exchange().received == 0
    first.view.objects[name] = whole[: len(whole) // 2]
    assert second.exchange().received == 0
    first.view.objects[name] = whole
    assert second.exchange().received == 1
    assert everything(first.store) == everything(second.store)


def test_no_word_of_a_thread_is_in_the_place(two: tuple[Machine, Machine]) -> None:
    first, second = two
    first.store.threads.update(replace(first.store.threads.one("thread"), title="Zanzibar", system="Quetzalcoatl"))
    second.store.threads.save_draft("thread", "Ouagadougou", expected="")
    all_exchange(*two)
    everywhere = b"".join(f"{name} ".encode() + data for name, data in first.view.objects.items())
    for word in ("Zanzibar", "Quetzalcoatl", "Ouagadougou", "tide", "Tides", "AAAAAAAA", "thread", IDENTITY):
        assert word.encode() not in everywhere
    assert second.store.threads.one("thread").title == "Zanzibar"
    assert first.store.transactions.connection.execute("SELECT draft FROM thread").fetchall() == [("",)]


def test_what_was_deleted_for_good_leaves_the_place_when_its_device_syncs(two: tuple[Machine, Machine]) -> None:
    first, second = two
    goes_on(first, "3")
    all_exchange(*two)
    second.store.erasure.begin([TrashItem("message", "q2", "", "", inside_id="thread")])
    while second.store.erasure.step():
        pass
    all_exchange(*two)
    third = Machine("C", first.view)
    all_exchange(third, *two)
    assert everything(third.store)["texts"] == everything(first.store)["texts"]
    assert everything(first.store)["texts"]["q2"] == ""
    assert "q 2 the tide" not in opened(first.view)
    second.store.erasure.begin([TrashItem("thread", "thread", "", "")])
    while second.store.erasure.step():
        pass
    all_exchange(*two, third)
    assert "the tide" not in opened(first.view)
    third.store.close()


def opened(place: MemoryPlace) -> str:
    """All that lies in a place, as its devices read it."""
    objects = {name: data for name, data in place.objects.items() if "/" in name and name not in files_at(place)}
    found = (Sealing([IDENTITY]).open(name, data) for name, data in objects.items())
    return json.dumps([unfolded(one) for one in found if one is not None])


@pytest.mark.parametrize("steps", range(5))
def test_a_text_that_is_just_being_deleted_elsewhere_is_there_for_what_comes(
    two: tuple[Machine, Machine], steps: int
) -> None:
    first, second = two
    first.store.threads.create(Thread("other", "Moon", TIME, TIME))
    ended(first.store, asked(first.store, "other", None, "9", f"q 9 {WORDS}", None), "a 9")
    all_exchange(*two)
    second.store.erasure.begin([TrashItem("message", "q9", "", "", inside_id="other")])
    for _ in range(steps):
        second.store.erasure.step()
    goes_on(first, "3")
    first.exchange()
    second.exchange()
    while second.store.erasure.step():
        pass
    assert second.store.requests.of_answer("a3") == first.store.requests.of_answer("a3") is not None


def test_a_text_that_waits_for_its_place_outlives_what_was_deleted_for_good(two: tuple[Machine, Machine]) -> None:
    first, second = two
    third = Machine("C", MemoryPlace())
    write_space(third.view, SPACE)
    long = WORDS * 2
    ended(first.store, asked(first.store, "thread", "a2", "3", long, "a2"), "a 3")
    second.store.threads.create(Thread("other", "Moon", TIME, TIME))
    ended(second.store, asked(second.store, "other", None, "9", long, None), "a 9")
    first.exchange()
    second.exchange()
    ended(second.store, asked(second.store, "thread", "a3", "4", long, "a3"), "a 4")
    second.exchange()
    tags = sorted({name.partition("/")[0] for name in second.view.objects if "/" in name})
    own = next(tag for tag in tags if tag == Sealing([IDENTITY]).tag(second.name * 8))
    for name, data in second.view.objects.items():
        if name.startswith(own):
            third.view.create(name, data)
    third.exchange()  # the fourth turn waits for the third, which the first device wrote
    third.store.erasure.begin([TrashItem("message", "q9", "", "", inside_id="other")])
    while third.store.erasure.step():
        pass
    for name, data in second.view.objects.items():
        third.view.create(name, data)
    third.exchange()
    assert {one.id: one.text for one in third.store.messages.all("thread")}["q4"] == long
    third.store.close()


@pytest.mark.parametrize("updated", ["2026-03-01T10:00:00.000Z", "2026-03-01T10:{:02}:00.000Z"])
def test_one_exchange_sends_all_that_was_there_the_newest_first(updated: str) -> None:
    place = MemoryPlace()
    write_space(place, SPACE)
    first, second = Machine("A", place, set_up=False), Machine("B", place)
    running = first.store.imports.begin()
    for number in range(30):
        one, time = f"thread{number:02}", updated.format(number)
        said = [Message(f"{one} {i}", one, f"{one} {i - 1}" if i else None, "user", (TextPart(WORDS),), TIME)
                for i in range(25)]  # fmt: skip
        running.add([ImportedThread(one, Thread(one, one, TIME, time), tuple(said))])
    running.finish()
    first.set_up()
    packs = []
    while (pack := first.sync.next_pack()) is not None:
        packs.append([section["id"] for section in unfolded(pack.data)[0]["sections"] if section["messages"]])
        first.sync.sent(pack, 1)
    assert all(min(before) >= max(after) for before, after in itertools.pairwise(filter(None, packs)))
    first.set_up()
    first.exchange()
    second.exchange()
    assert everything(first.store) == everything(second.store)
    assert len(everything(second.store)["texts"]) == 30 * 25
    for machine in (first, second):
        machine.store.close()


def test_many_small_objects_become_one(two: tuple[Machine, Machine]) -> None:
    first, second = two
    tip = "a2"
    for number in range(3, 3 + FOLDED):
        goes_on(first, str(number), tip)
        tip = f"a{number}"
        first.exchange()
        if number == 50:
            second.exchange()
    assert len(first.view.objects) < FOLDED
    third = Machine("C", first.view)
    all_exchange(second, third)
    assert everything(first.store) == everything(second.store) == everything(third.store)
    third.store.close()


def test_no_call_of_a_library_keeps_the_window_waiting_for_long(
    two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While JSON or age is at work no other thread runs: 300 KB take a millisecond, an object may have megabytes."""
    sizes, MOST = dict[str, int](), 100_000  # noqa: N806

    def noted(name: str, size: int) -> None:
        sizes[name] = max(sizes.get(name, 0), size)

    encode, decode = json.JSONEncoder.encode, json.JSONDecoder.raw_decode

    def encoding(self: json.JSONEncoder, value: Any) -> str:
        text = encode(self, value)
        noted("encoded", len(text))
        return text

    def decoding(self: json.JSONDecoder, text: str, idx: int = 0) -> tuple[Any, int]:
        value, end = decode(self, text, idx)
        noted("decoded", end - idx)
        return value, end

    def in_pieces(name: str) -> Callable[[Any, Any, Any], None]:
        work = getattr(pyrage, name)

        def counted(source: Any, target: Any, keys: Any) -> None:
            assert isinstance(type(source).read, FunctionType), "Python's own code, after which another thread may run"

            class Source:
                def read(self, size: int = -1) -> bytes:
                    data: bytes = source.read(size)
                    noted(name, len(data))
                    return data

            work(Source(), target, keys)

        return counted

    monkeypatch.setattr(json.JSONEncoder, "encode", encoding)
    monkeypatch.setattr(json.JSONDecoder, "raw_decode", decoding)
    for name in ("encrypt_io", "decrypt_io"):
        monkeypatch.setattr(pyrage, name, in_pieces(name))
    for name in ("encrypt", "decrypt"):
        monkeypatch.delattr(pyrage, name)

    first, second = two
    first.store.projects.save(Project("sea", "Sea", created=TIME, updated=TIME))
    first.has_document("sea", 1, random.Random(1).randbytes(5_000_000).hex())
    tip = first.row("thread")[0]
    for number in range(3, 4 + FOLDED):
        goes_on(first, str(number), tip)
        tip = f"a{number}"
        first.exchange()
    (folded,) = ((name, data) for name, data in first.view.objects.items() if re.fullmatch(r"\w+-\d+-0001", name[33:]))
    assert len(zlib.decompress(Sealing([IDENTITY]).open(*folded) or b"")) > 2 * MOST
    all_exchange(first, second)
    assert everything(first.store) == everything(second.store)
    assert second.store.projects.documents("sea")
    assert sizes.keys() == {"encoded", "decoded", "encrypt_io", "decrypt_io"}
    assert max(sizes.values()) < MOST, sizes


def test_a_device_that_ends_anywhere_while_writing_or_merging_goes_on(two: tuple[Machine, Machine]) -> None:
    die_anywhere(two, most=60)


def die_anywhere(two: tuple[Machine, Machine], most: int) -> None:
    """Ends an exchange after some of SQLite's steps: what was not committed is undone, as after a power cut."""
    died = 0
    for count in range(most):
        goes_on(two[0], str(10 + count), two[0].store.threads.one("thread").tip)
        for machine in two:
            died += dies_after(machine, 1 + 7 * count % 200)
            machine.exchange()
    assert died > most
    all_exchange(*two)
    assert everything(two[0].store) == everything(two[1].store)


def dies_after(machine: Machine, steps: int) -> bool:
    left = steps

    def handler() -> int:
        nonlocal left
        left -= 1
        return left < 0

    connection = machine.store.transactions.connection
    connection.set_progress_handler(handler, 20)
    died = False
    try:
        machine.exchange()
    except sqlite3.OperationalError:
        died = True
    finally:
        connection.set_progress_handler(None, 0)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        machine.store.transactions.forget()  # as a new process, which knows nothing
    return died


@pytest.fixture
def sea(two: tuple[Machine, Machine]) -> tuple[Machine, Machine]:
    """Both have a project with two documents that are the same file."""
    two[0].store.projects.save(Project("sea", "Sea", created=TIME, updated=TIME))
    for number in (1, 2):
        two[0].has_document("sea", number, f"Zanzibar {WORDS}")
    all_exchange(*two)
    return two


def files_at(place: MemoryPlace) -> list[str]:
    return [name for name in place.objects if name.startswith("files/")]


def test_a_document_is_there_with_its_file_which_lies_at_the_place_once(sea: tuple[Machine, Machine]) -> None:
    first, second = sea
    there = second.documents()
    assert {(one.id, one.mode, one.state, one.path) for one in there} == {
        *(("document1", "always", "waiting", ""), ("document2", "always", "waiting", ""))
    }
    assert second.copy_of(there[0].sha256).read_text() == f"Zanzibar {WORDS}"
    assert {one.path for one in first.documents()} == {"/home/A/1.txt", "/home/A/2.txt"}
    assert len(files_at(first.view)) == 1
    everywhere = b"".join(f"{name} ".encode() + data for name, data in first.view.objects.items())
    for word in ("Zanzibar", "1.txt", "/home/A", there[0].sha256, there[0].sha256[:10]):
        assert word.encode() not in everywhere
    assert "/home/A" not in opened(first.view)
    for machine in sea * 2:
        assert machine.exchange() == Exchanged()


def test_a_long_file_comes_in_pieces(two: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync_places, "PIECE", 100)
    two[0].store.projects.save(Project("sea", "Sea", created=TIME, updated=TIME))
    texts = ["x" * 100, "y" * 250, ""]
    for number, text in enumerate(texts):
        two[0].has_document("sea", number, text)
    all_exchange(*two)
    assert [two[1].copy_of(one.sha256).read_text() for one in two[1].documents()] == texts
    assert len(files_at(two[0].view)) == 2 + 3 + 1


@pytest.mark.parametrize("away", ["missing", "changed", "another"])
def test_a_file_that_is_not_whole_is_no_copy_and_is_asked_for_again(two: tuple[Machine, Machine], away: str) -> None:
    first, second = two
    first.store.projects.save(Project("sea", "Sea", created=TIME, updated=TIME))
    first.has_document("sea", 1, f"Zanzibar {WORDS}")
    first.exchange()
    (name,) = files_at(first.view)
    whole = first.view.objects.pop(name)
    if away != "missing":
        sealed = Sealing([IDENTITY]).seal(name, zlib.compress(b"Zanzibar"))
        first.view.objects[name] = whole[:-1] + bytes([whole[-1] ^ 1]) if away == "changed" else sealed
    second.exchange()
    (document,) = second.documents()
    assert document.state == "missing"
    assert not [one for one in (second.folder / "documents").rglob("*") if one.is_file()]
    first.view.objects[name] = whole
    second.exchange()
    assert second.copy_of(document.sha256).read_text() == f"Zanzibar {WORDS}"


def test_a_document_that_is_deleted_for_good_is_nowhere(sea: tuple[Machine, Machine]) -> None:
    first, second = sea
    copies = [machine.copy_of(first.documents()[0].sha256) for machine in sea]
    for number, left in ((1, 1), (2, 0)):
        first.store.projects.delete_documents([f"document{number}"])
        first.store.erasure.begin([TrashItem("document", f"document{number}", "", "")])
        while first.store.erasure.step():
            pass
        all_exchange(*sea)
        assert [len(machine.documents()) for machine in sea] == [left, left]
        assert (len(files_at(first.view)), [one.is_file() for one in copies]) == (left, [bool(left)] * 2)
        assert f'"{number}.txt"' not in opened(first.view)
    assert everything(first.store) == everything(second.store)


def test_what_goes_with_something_that_is_deleted_for_good_leaves_the_place_too(sea: tuple[Machine, Machine]) -> None:
    first, second = sea
    first.store.projects.save_folder(FollowedFolder("folder", "sea", "/home/A/Ouagadougou"))
    one = Artifact("artifact", "thread", "Quetzalcoatl", created=TIME, updated=TIME)
    first.store.artifacts.add_version(one, ArtifactVersion(one.id, 1, WORDS, "user", TIME))
    all_exchange(*sea)
    assert [folder.path for folder in second.store.projects.folders("sea")] == ["Ouagadougou"]
    assert {"Quetzalcoatl" in opened(first.view), "Ouagadougou" in opened(first.view)} == {True}
    first.store.projects.delete("sea")
    first.store.erasure.begin([TrashItem("thread", "thread", "", ""), TrashItem("project", "sea", "", "")])
    first.exchange()  # before the rows are out
    while first.store.erasure.step():
        pass
    all_exchange(*sea)
    assert {"Quetzalcoatl" in opened(first.view), "Ouagadougou" in opened(first.view)} == {False}
    assert files_at(first.view) == []


def test_a_file_that_another_device_took_out_is_written_again(sea: tuple[Machine, Machine]) -> None:
    first, second = sea
    second.has_document("sea", 3, f"Zanzibar {WORDS}")
    for number in (1, 2):
        first.store.projects.delete_documents([f"document{number}"])
    ids = [TrashItem("document", f"document{number}", "", "") for number in (1, 2)]
    first.store.erasure.begin(ids)
    while first.store.erasure.step():
        pass
    first.exchange()
    assert files_at(first.view) == []
    all_exchange(second, first)
    assert len(files_at(first.view)) == 1
    assert {one.id for one in first.documents()} == {"document3"}
    assert first.copy_of(first.documents()[0].sha256).is_file()


def test_a_folder_is_followed_where_it_was_chosen(sea: tuple[Machine, Machine]) -> None:
    first, second = sea
    folders = [machine.folder / "notes" for machine in sea]
    for folder in folders:
        folder.mkdir()
        (folder / "tide.txt").write_text("At noon.")
    first.store.projects.save_folder(FollowedFolder("folder", "sea", str(folders[0])))
    first.has_document("sea", 5, "At noon.", folder_id="folder", path="tide.txt")
    all_exchange(*sea)

    def tides() -> list[tuple[Any, ...]]:
        found = [next(one for one in machine.documents() if one.id == "document5") for machine in sea]
        return [(one.folder_id, one.path, one.state, one.sha256[:4]) for one in found]

    here, there = "a4b3", "0a1e"
    assert tides() == [("folder", "tide.txt", "ready", here), ("folder", "tide.txt", "waiting", here)]
    second.store.projects.save_folder(FollowedFolder("folder", "sea", str(folders[1])))
    (folders[1] / "tide.txt").write_text("At ten.")
    second.has_document("sea", 5, "At ten.", folder_id="folder", path="tide.txt")
    all_exchange(*sea, *sea)
    assert tides() == [("folder", "tide.txt", "ready", here), ("folder", "tide.txt", "ready", there)]
    assert [machine.exchange() for machine in sea * 2] == [Exchanged()] * 4, "neither answers the other's reading"
    second.store.projects.delete_folder("folder")
    (document,) = [one for one in second.documents() if one.id == "document5"]
    second.store.projects.save_documents([replace(document, folder_id=None, path="/home/B/notes/tide.txt")])
    all_exchange(*sea, *sea)
    assert tides() == [("folder", "tide.txt", "ready", here), (None, "/home/B/notes/tide.txt", "ready", there)]
    assert [folder.path for folder in first.store.projects.folders("sea")] == [str(folders[0])]
    third = Machine("C", first.view)
    third.exchange()
    (document,) = [one for one in third.documents() if one.id == "document5"]
    assert (document.folder_id, document.path, document.sha256[:4]) == (None, "", there)
    third.store.close()


def test_a_file_that_two_machines_found_in_one_folder_is_one_document(sea: tuple[Machine, Machine]) -> None:
    for machine, number in zip(sea, (8, 7), strict=True):
        folder = machine.folder / "notes"
        folder.mkdir()
        (folder / "tide.txt").write_text("At noon.")
        machine.store.projects.save_folder(FollowedFolder("folder", "sea", str(folder)))
        machine.has_document("sea", number, "At noon.", folder_id="folder", path="tide.txt")
    all_exchange(*sea, *sea)
    for machine in sea:
        assert [one.id for one in machine.documents() if one.folder_id] == ["document7"]
        assert machine.exchange() == Exchanged()


def sent_by_a_stranger(place: MemoryPlace, things: list[Any], **facts: Any) -> None:
    """A pack of a device of the space that is no Plimsoll."""
    sealing, stamp = Sealing([IDENTITY]), [2**40, "S"]
    name = f"{sealing.tag('S' * 8)}/0000000001-0000000001-0000"
    told = [[kind, one, [[field, value, *stamp, 0, ""] for field, value in some.items()], {"file": True}]
            for kind, one, some in things]  # fmt: skip
    pack = {"v": 1, "device": "S" * 8, "name": "S", "number": 1, "time": 5, "sections": [], "things": told, "gone": []}
    place.objects[name] = sealing.seal(name, zlib.compress(json.dumps(pack | facts).encode()))


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../etc/passwd", "a/../../x", "C:\\x", "..\\x", 7])
@pytest.mark.parametrize("folder", [None, "folder", "other"])
@pytest.mark.parametrize("sha256", ["", "../../../tmp/evil", "f" * 64, 5])
def test_no_document_of_a_hostile_pack_leads_out_of_the_data_folder(
    sea: tuple[Machine, Machine], path: Any, folder: Any, sha256: Any
) -> None:
    second = sea[1]
    second.store.projects.save_folder(FollowedFolder("folder", "sea", str(second.folder)))
    facts = {"project": "sea", "name": "x", "path": path, "folder_id": folder, "sha256": sha256, "mode": "no"}
    things = [["project_document", one, facts] for one in ("document1", "evil")]
    things.append(["followed_folder", "other", {"project": "sea", "path": "/etc"}])
    sent_by_a_stranger(second.view, things)
    second.exchange()
    for one in second.documents():
        assert one.path == "", one
        assert one.sha256 in ("f" * 64, "") or second.copy_of(one.sha256).is_file()
    paths = {one.id: one.path for one in second.store.projects.folders("sea")}
    assert paths == {"folder": str(second.folder), "other": "etc"}


def test_an_object_of_a_newer_format_is_told_and_left_alone(two: tuple[Machine, Machine]) -> None:
    first, second = two
    sent_by_a_stranger(second.view, [["prompt", "p", {"title": "x"}]], v=2, sections="none")
    goes_on(first, "3")
    first_told: list[str] = []
    second_told: list[str] = []
    for machine, told in ((first, first_told), (second, second_told)) * 2:
        with pytest.raises(SyncRefused) as refused:
            machine.exchange()
        told.append(refused.value.trouble.kind)
    assert first_told == second_told == ["newer", "newer"]
    assert everything(first.store) == everything(second.store), "the others are read and written all the same"
    assert second.store.threads.one("thread").tip == "a3"
    sent_by_a_stranger(second.view, [["prompt", "p", {"title": "Moon", "text": "", "created": TIME, "updated": TIME}]])
    second.exchange()
    assert [one.title for one in second.store.prompts.all()] == ["Moon"]


def test_a_space_of_a_newer_format_is_told_and_left_alone(two: tuple[Machine, Machine]) -> None:
    first, place = two[0], two[0].view
    place.objects["space-0002"] = json.dumps({"plimsoll": "sync", "format": 2}).encode()
    goes_on(first, "3")
    before = dict(place.objects)
    with pytest.raises(SyncRefused) as refused:
        first.exchange()
    assert (refused.value.trouble.kind, place.objects) == ("newer", before)
    del place.objects["space-0002"]
    all_exchange(*two)
    assert everything(first.store) == everything(two[1].store)
