"""Makes histories with rows of every kind, and tells all that a history holds."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.context.text_features import TokenWeights
from desktop_app.core.history_records import CallRecord, ContextEvent, ImportedThread, TurnRecord
from desktop_app.core.messages import (
    BoundaryState,
    Failure,
    Message,
    MessageMark,
    Part,
    RequestCount,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.projects import FollowedFolder, Project, ProjectDocument
from desktop_app.core.prompts import Prompt
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders.document_texts import document_of, document_text
from tests.storage.conftest import TIME
from tests.storage.sql_work import in_sql


async def fill(history: SqliteHistory, seed: int, *, threads: int = 3, mark: str = "") -> None:
    """Writes what `seed` says, through the history's own calls. `mark` stands in every id."""
    made = random.Random(seed)
    project = Project(
        f"project{mark}{seed}", f"Harbour {seed}", "Answer from the plans.", "scripted", "echo", 90_000, TIME, TIME
    )
    await history.projects.save(project)
    text = document_text(f"plan{seed}", "quay wall " * made.randint(1, 60), "bollards and moorings", f"only {seed}")
    await history.projects.save_text(text)
    document = document_of(project.id, f"plan{seed}.txt", text, id=f"document{mark}{seed}", note="read by hand")
    waiting = ProjectDocument(f"waiting{mark}{seed}", project.id, "b.pdf", state="waiting")
    await history.projects.save_documents([document, waiting])
    await history.projects.delete_documents([waiting.id])
    await history.projects.save_folder(FollowedFolder(f"folder{mark}{seed}", project.id, "/plans"))
    await history.save_prompts([Prompt(f"prompt{mark}{seed}", "Sum up", "Sum up {{text}}.", TIME, TIME)])
    await history.save_learned_window("scripted", f"echo{seed}", 32_000 + seed)
    await history.save_token_weights("scripted", f"echo{seed}", TokenWeights((1.0,), ((0.5,),), seed, {}))
    for number in range(threads):
        await _fill_thread(history, made, f"{mark}{seed}-{number}", project.id)
    await history.record_call(CallRecord(f"test{mark}{seed}", None, "test", "scripted", "echo", "free", TIME, TIME))
    await history.record_events(None, [ContextEvent("trimmed", 9, 3, 2, "echo")], at=TIME)


async def _fill_thread(history: SqliteHistory, made: random.Random, name: str, project: str) -> None:
    thread = Thread(f"thread{name}", f"Tides of {name}", TIME, TIME, project=made.choice([None, project]))
    if made.random() < 0.3:
        imported = Message(f"i{name}", thread.id, None, "user", (TextPart("from elsewhere " * 30),), TIME)
        origin = ImportedThread(f"export/{name}", replace(thread, tip=imported.id), (imported,))
        await history.import_threads([origin])
        tip: str | None = imported.id
    else:
        await history.create_thread(thread)
        tip = None
    request: dict[str, Any] = {"system": "You know the tides. " * 20, "tools": [{"name": "t", "about": "x" * 300}]}
    request["messages"] = []
    answers: list[str] = []
    for turn in range(made.randint(0, 5)):
        parent = made.choice([tip, *answers]) if answers and made.random() < 0.3 else tip
        if parent != tip:
            await history.move_tip(thread.id, parent, expected=tip)
        said = made.choice(["short", f"a long question of {name} " * 20, "[USER]: and again\n\n" + "x" * 300])
        question = Message(f"q{name}-{turn}", thread.id, parent, "user", (TextPart(said),), TIME)
        if turn == 2:
            question = replace(question, window=BoundaryState(f"q{name}-0", 1, "tokens", 150_000))
        answer = Message(f"a{name}-{turn}", thread.id, question.id, "assistant", (), TIME, state="partial")
        record = TurnRecord(
            f"t{name}-{turn}", thread.id, question.id, answer.id, "scripted", "echo", TIME, expected_usd=0.25
        )  # fmt: skip
        request = {**request, "messages": [*request["messages"], {"role": "user", "content": said}]}
        await history.begin_turn(
            record,
            new_messages=[question],
            answer=answer,
            expected_tip=parent,
            request=request,
            events=[ContextEvent("trimmed", 100 + turn, 50, 2, "echo")] * made.randint(0, 2),
        )
        if made.random() < 0.3:
            request = {**request, "messages": [*request["messages"], {"role": "user", "content": "a hint"}]}
            await history.save_request(record, request)
        tip = answer.id
        answers.append(answer.id)
        ended = replace(_answer(made, answer, turn), usage=Usage(9, 5, 1, 7, 0, 0.5))
        await history.end_turn(record.id, ended, ended.usage)
        if made.random() < 0.3:
            await history.save_mark(thread.id, answer.id, MessageMark("up", f"good {turn}"))
    if answers:
        one = Artifact(f"artifact{name}", thread.id, "Order", "code", "sql", True, created=TIME, updated=TIME)
        for number in range(1, made.randint(1, 3) + 1):
            version = ArtifactVersion(one.id, number, f"version {number} " * 30, "model", TIME, answers[-1])
            await history.artifacts.add_version(one, version)
        choices = ContextChoices(frozenset({answers[0]}), deleted=frozenset({Deletion(answers[-1], answers[-1])}))
        await history.update_thread(replace(await history.thread(thread.id), choices=choices, pinned=True))
        await history.set_seen(thread.id, answers[-1])
    await history.save_draft(thread.id, "what I was typing", expected="")
    await history.save_attachments(thread.id, [TextPart("a file that is attached " * 20)])
    await history.save_draft_count(thread.id, RequestCount("ab", 12))
    await history.record_call(
        CallRecord(f"title{name}", thread.id, "title", "scripted", "echo", "money", TIME, TIME, Usage(3, 0, 0, 1))
    )
    await history.record_events(thread.id, [ContextEvent("refused", 200, 200, 9, "echo")], at=TIME)
    if made.random() < 0.2:
        await history.delete_thread(thread.id)


def _answer(made: random.Random, answer: Message, turn: int) -> Message:
    text = TextPart(f"the answer to {turn} " * made.randint(1, 40), {"citations": [turn]} if turn == 1 else {})
    parts: list[Part] = [text]
    if made.random() < 0.3:
        parts = [ThinkingPart("hm " * 100, "signature"), ToolCallPart("c", "look", {"q": "x" * 250}), text]
    if made.random() < 0.2:
        parts.append(UnknownPart({"kind": "hologram", "$": "dollar", "beam": ["y" * 300]}))
    ended = replace(answer, parts=tuple(parts), state="complete", model="echo-1")
    if made.random() < 0.2:
        ended = replace(ended, state="error", failure=Failure("network", "It broke off.", "reset", ("retry",)))
    return ended


async def everything(history: SqliteHistory) -> dict[str, Any]:
    """All that the history gives to whoever asks, deleted threads and facts as they stand in the file too."""
    threads = [one.thread for one in sorted(await history.threads(), key=lambda one: one.thread.id)]
    found: dict[str, Any] = {"summaries": sorted(map(repr, await history.threads()))}
    for thread in threads:
        messages = await history.messages(thread.id)
        artifacts = await history.artifacts.of_thread(thread.id)
        found[thread.id] = (
            thread,
            {one.id: one for one in messages},
            {one.id: await history.request(one.id) for one in messages},
            await history.marks(thread.id),
            await history.attachments(thread.id),
            list(map(repr, await history.events(thread.id))),
            artifacts,
            [await history.artifacts.versions(one.id) for one in artifacts],
        )
    found["ledger"] = sorted(map(repr, await history.ledger()))
    found["counts"] = sorted(map(repr, await history.event_counts()))
    found["spent"] = await history.spent_usd(since="2000-01-01")
    found["prompts"] = sorted(map(repr, await history.prompts()))
    found["windows"] = await history.learned_windows()
    for project in await history.projects.all():
        documents = await history.projects.documents(project.id)
        found[project.id] = (
            project,
            documents,
            await history.projects.removed_documents(project.id),
            await history.projects.folders(project.id),
            [await history.projects.text(one.sha256) for one in documents if one.sha256],
            await _found(history, project.id) if documents else None,
        )
    found["files"] = await in_sql(history, _files)
    return found


async def _found(history: SqliteHistory, project_id: str) -> list[tuple[str, str]]:
    """What a search finds; scores are of all passages in the file."""
    hits = await history.projects.search_documents(project_id, "quay bollards")
    return sorted((hit.document.id, hit.text) for hit in hits)


def _files(connection: Any) -> dict[str, Any]:
    gone = "SELECT thread.id, deleted, tip, seen, message_count FROM thread WHERE deleted IS NOT NULL"
    asked = {
        "gone": gone,
        "of gone": "SELECT message.id, role, state, usage FROM message JOIN thread ON thread.key = thread_key "
        "WHERE thread.deleted IS NOT NULL",
        "deleted": "SELECT id FROM deleted_message JOIN message ON key = message_key",
        "origins": "SELECT origin, thread.id FROM import_origin JOIN thread ON key = thread_key",
        "turns": "SELECT turn.id, message.id, turn.state, purpose, started, ended, turn.stop_reason FROM turn "
        "JOIN message ON message.key = answer_key",
        "weights": "SELECT * FROM calibration",
        "spending": "SELECT day, thread.id, calls, input, output, cost_usd FROM spending "
        "LEFT JOIN thread ON key = thread_key",
    }  # fmt: skip
    return {name: sorted(map(repr, map(tuple, connection.execute(query)))) for name, query in asked.items()}


async def made_at(path: Path, *seeds: int, mark: str = "", threads: int = 3) -> Path:
    """A history file at the path with what these seeds say."""
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        for seed in seeds:
            await fill(history, seed, mark=mark, threads=threads)
    finally:
        await history.close()
    return path
