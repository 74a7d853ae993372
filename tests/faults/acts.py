"""What a person's day does to a history, as a list of acts by chance, and what can be read of it afterwards."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.history_records import CallRecord, ImportedThread, TrashItem, TurnRecord
from desktop_app.core.messages import DocumentPart, Message, MessageMark, Role, TextPart, Thread, Usage
from desktop_app.core.projects import DocumentText, Passage, Project, ProjectDocument
from desktop_app.core.prompts import Prompt
from desktop_app.storage.sqlite_history import SqliteHistory

TIME = "2026-03-01T10:00:00.000Z"

Doing: TypeAlias = Callable[[SqliteHistory], Awaitable[object]]
State: TypeAlias = dict[str, object]
"""Everything that can be read of a history, by what it is; two equal ones are the same to its user."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that is done, which is there whole or not at all; `grows`: an answer that is being streamed."""

    name: str
    do: Doing
    grows: bool = False


@dataclass
class _Day:
    """What was made so far, so that what comes next can refer to it."""

    chance: random.Random
    acts: list[Act] = field(default_factory=list)
    tips: dict[str, str | None] = field(default_factory=dict)
    messages: dict[str, list[str]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    projects: list[str] = field(default_factory=list)
    artifacts: dict[str, int] = field(default_factory=dict)
    number: int = 0

    def id(self, kind: str) -> str:
        self.number += 1
        return f"{kind}{self.number:04}"

    def words(self, least: int = 5, most: int = 120) -> str:
        count = self.chance.randint(least, most)
        return " ".join(self.chance.choice(_WORDS) + str(self.chance.randint(0, 999)) for _ in range(count))

    def add(self, name: str, do: Doing, *, grows: bool = False) -> None:
        self.acts.append(Act(name, do, grows))

    def live(self) -> list[str]:
        return [one for one in self.tips if one not in self.deleted]

    # --- acts

    def thread(self) -> None:
        thread = Thread(self.id("thread"), self.words(2, 6), TIME, TIME)
        self.tips[thread.id], self.messages[thread.id] = None, []
        self.add("new thread", lambda history: history.create_thread(thread))

    def turn(self) -> None:
        """Asks and is answered, sometimes from further up: a branch of its own."""
        thread_id = self.chance.choice(self.live())
        tip, known = self.tips[thread_id], self.messages[thread_id]
        parent = self.chance.choice(known) if known and self.chance.random() < 0.2 else tip
        question = Message(self.id("q"), thread_id, parent, "user", (TextPart(self.words()),), TIME)
        answer = Message(self.id("a"), thread_id, question.id, "assistant", (), TIME, state="partial")
        record = TurnRecord(self.id("t"), thread_id, question.id, answer.id, "scripted", "echo", TIME)
        request = {"messages": [question.text, self.words()]}

        if parent != tip:
            self.add("branch", lambda history: history.move_tip(thread_id, parent, expected=tip))
        self.add(
            "question",
            lambda history: history.begin_turn(
                record, new_messages=[question], answer=answer, expected_tip=parent, request=request
            ),
        )
        text = ""
        for _ in range(self.chance.randint(0, 3)):
            text += self.words(3, 40) + " "
            grown = replace(answer, parts=(TextPart(text),))
            self.add("streamed text", lambda history, grown=grown: history.save_partial(grown), grows=True)  # type: ignore[misc]
        final = replace(answer, parts=(TextPart(text + self.words()),), state="complete", stop_reason="end_turn")
        self.add("end of an answer", lambda history: history.end_turn(record.id, final, Usage(input=10, output=5)))
        self.tips[thread_id] = answer.id
        self.messages[thread_id] += [question.id, answer.id]

    def draft(self) -> None:
        thread_id, text = self.chance.choice(self.live()), self.words()
        self.add("draft", lambda history: history.save_draft(thread_id, text, expected=""))

    def attach(self) -> None:
        thread_id, text = self.chance.choice(self.live()), self.words(200, 900)
        part = DocumentPart("notes.txt", text, sha256(text.encode()).hexdigest())
        self.add("attachment", lambda history: history.save_attachments(thread_id, (part,)))

    def mark(self) -> None:
        thread_id = self.chance.choice(self.live())
        if self.messages[thread_id]:
            message, note = self.chance.choice(self.messages[thread_id]), self.words(2, 9)
            self.add("note", lambda history: history.save_mark(thread_id, message, MessageMark("up", note)))

    def rename(self) -> None:
        thread_id, title = self.chance.choice(self.live()), self.words(2, 6)

        async def rename(history: SqliteHistory) -> None:
            await history.update_thread(replace(await history.thread(thread_id), title=title))

        self.add("title", rename)

    def delete(self) -> None:
        if len(self.live()) > 2:
            thread_id = self.chance.choice(self.live()[1:])  # artifacts are of the first one
            self.deleted.add(thread_id)
            self.add("deletion", lambda history: history.delete_thread(thread_id))

    def restore(self) -> None:
        if self.deleted:
            thread_id = self.chance.choice(sorted(self.deleted))
            self.deleted.discard(thread_id)
            self.add("restoration", lambda history: history.restore_thread(thread_id))

    def erase(self) -> None:
        """Deletes for good what is in the trash, sometimes with the space that it took."""
        if self.deleted:
            thread_id = self.chance.choice(sorted(self.deleted))
            compacts = self.chance.random() < 0.3
            self.deleted.discard(thread_id)
            self.tips.pop(thread_id)

            async def erase(history: SqliteHistory) -> None:
                await history.trash.begin([TrashItem("thread", thread_id, "", TIME)])
                while await history.trash.step():
                    pass
                if compacts:
                    await history.trash.compact()

            self.add("deletion for good", erase)

    def back_up(self) -> None:
        """Copies the file, as before a format's step; the copy stands beside it."""

        async def back_up(history: SqliteHistory) -> None:
            with tempfile.TemporaryDirectory() as folder:
                await history.copy_to(Path(folder) / "copy.db")

        self.add("backup", back_up)

    def bring_in(self) -> None:
        threads = []
        for _ in range(self.chance.randint(1, 3)):
            thread_id, parent = self.id("imported"), None
            messages: list[Message] = []
            for number in range(self.chance.randint(1, 6)):
                role: Role = "assistant" if number % 2 else "user"
                parent = messages[-1].id if messages else None
                messages.append(Message(self.id("m"), thread_id, parent, role, (TextPart(self.words()),), TIME))
            thread = Thread(thread_id, self.words(2, 6), TIME, TIME, tip=messages[-1].id)
            threads.append(ImportedThread(f"test:{thread_id}", thread, tuple(messages)))
            self.tips[thread_id], self.messages[thread_id] = messages[-1].id, [one.id for one in messages]
        self.add("import", lambda history: history.import_threads(threads))

    def prompt(self) -> None:
        prompt = Prompt(self.id("prompt"), self.words(1, 3), self.words(), TIME, TIME)
        self.add("prompt", lambda history: history.save_prompts([prompt]))

    def call(self) -> None:
        call = CallRecord(self.id("call"), None, "title", "scripted", "echo", "money", TIME, TIME, Usage(1, 0, 0, 1))
        self.add("call", lambda history: history.record_call(call))

    def project(self) -> None:
        project = Project(self.id("project"), self.words(2, 3), self.words(), created=TIME, updated=TIME)
        self.projects.append(project.id)
        self.add("project", lambda history: history.projects.save(project))

    def document(self) -> None:
        if self.projects:
            text = self.words(100, 600)
            digest = sha256(text.encode()).hexdigest()
            passages = (Passage(1, "text", 0, len(text) // 2), Passage(2, "text", len(text) // 2, len(text)))
            read = DocumentText(digest, "text/plain", text, passages)
            project_id = self.chance.choice(self.projects)
            document = ProjectDocument(self.id("d"), project_id, "spec.txt", sha256=digest, passages=2, state="ready")
            self.add("text of a document", lambda history: history.projects.save_text(read))
            self.add("document", lambda history: history.projects.save_documents([document]))

    def artifact(self) -> None:
        if self.artifacts and self.chance.random() < 0.5:
            artifact_id = self.chance.choice(sorted(self.artifacts))
        else:
            artifact_id = self.id("artifact")
        number = self.artifacts[artifact_id] = self.artifacts.get(artifact_id, 0) + 1
        version = ArtifactVersion(artifact_id, number, self.words(50, 300), "model", TIME)
        thread_id = self.live()[0]
        made = Artifact(artifact_id, thread_id, "Specification", versions=number, created=TIME, updated=TIME)
        self.add("version of an artifact", lambda history: history.artifacts.add_version(made, version))


_WORDS = ("harbor", "tide", "Ebbe", "潮位", "λ", "mast", "größer", "line", "knot", "🙂")

_USUAL: tuple[tuple[Callable[[_Day], None], int], ...] = (
    (_Day.turn, 10),
    (_Day.draft, 4),
    (_Day.thread, 3),
    (_Day.mark, 2),
    (_Day.rename, 2),
    (_Day.bring_in, 2),
    (_Day.attach, 2),
    (_Day.delete, 2),
    (_Day.restore, 1),
    (_Day.erase, 2),
    (_Day.back_up, 1),
    (_Day.prompt, 1),
    (_Day.call, 1),
    (_Day.project, 1),
    (_Day.document, 2),
    (_Day.artifact, 2),
)


def acts_by_chance(count: int, seed: int) -> list[Act]:
    """So many acts, the same for each seed."""
    day = _Day(random.Random(seed))
    day.thread()
    day.project()
    makers, weights = zip(*_USUAL, strict=True)
    while len(day.acts) < count:
        day.chance.choices(makers, weights)[0](day)
    return day.acts[:count]


async def state_of(history: SqliteHistory) -> State:
    """Everything that a user can find in a history again."""
    state: State = {}
    for summary in await history.threads():
        thread = summary.thread
        state[f"thread {thread.id}"] = (thread.title, thread.draft, thread.tip, thread.archived, thread.pinned)
        state[f"attached {thread.id}"] = await history.attachments(thread.id)
        state[f"marks {thread.id}"] = dict(await history.marks(thread.id))
        for message in await history.messages(thread.id):
            said = "".join(part.text for part in message.parts if isinstance(part, TextPart))
            state[f"message {message.id}"] = (message.parent_id, message.role, said)
            if message.role == "assistant":
                state[f"request {message.id}"] = await history.request(message.id)
    state["prompts"] = await history.prompts()
    for project in await history.projects.all():
        state[f"project {project.id}"] = project
        for document in await history.projects.documents(project.id):
            state[f"document {document.id}"] = (document, await history.projects.text(document.sha256))
    for artifact in await history.artifacts.all():
        state[f"artifact {artifact.id}"] = (artifact, tuple(await history.artifacts.versions(artifact.id)))
    return state


def lost_of(found: State, before: State, after: State) -> list[str]:
    """What of a state is neither as it was before an act nor as it is after it.

    Both are of one act: what did not change in it must be as it was; what changed may be either, all of it or none.
    """
    wrong = [key for key in before.keys() | after.keys() if before.get(key) == after.get(key) != found.get(key)]
    changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    if changed and not (
        all(found.get(key) == before.get(key) for key in changed)
        or all(found.get(key) == after.get(key) for key in changed)
    ):
        wrong += [f"{key} (half)" for key in changed]
    wrong += [f"{key} (nobody made it)" for key in found.keys() - before.keys() - after.keys()]
    return sorted(wrong)
