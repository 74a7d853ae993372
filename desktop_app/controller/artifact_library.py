"""The use cases of artifacts (DOC-3): make, change, keep what was answered, bring back; and the model's two tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Protocol, get_args

from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.controller.turn_tools import LEAST_TOKENS, ROOM_SHARE, TurnState, no_room
from desktop_app.core.artifacts import (
    CREATE,
    KINDS,
    UPDATE,
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    EditError,
    VersionAuthor,
    apply_edits,
    marked,
    normalized,
    read_edits,
    replace_range,
    with_mark_deleted,
)
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import ARTIFACT, clean_text
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import ArtifactContext
from desktop_app.core.errors import UserError
from desktop_app.core.events import Announcement, ArtifactChanged, HistoryChangedElsewhere
from desktop_app.core.messages import JsonObject, Message, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.phrases import phrase
from desktop_app.core.titles import LONGEST_TITLE, one_line_title, titled

MOST_CHARACTERS: Final = 2_000_000
"""Of one version: some thousand pages."""

Rewrite = Callable[[str, str, int, int, str], Awaitable[str]]
"""A callable that has a range of a thread's text rewritten: thread's id, text, start, end, what to change."""


class AnsweredThreads(Protocol):
    """The facts needed of the threads that answers are kept of."""

    def running(self, thread_id: str) -> bool: ...

    def message_rewritten(self, message: Message) -> None: ...


class Artifacts:
    """The artifacts of all threads. What is stored is announced as `ArtifactChanged`."""

    def __init__(
        self,
        history: History,
        announcements: Announcements,
        *,
        threads: Callable[[], AnsweredThreads],
        rewrite: Rewrite,
        clock: Clock | None = None,
    ) -> None:
        """`threads`: asked for when an answer is kept. `rewrite`: asks a model for a selection's new text."""
        self._history = history
        self._announcements = announcements
        self._threads = threads
        self._rewrite = rewrite
        self._clock = clock or Clock()
        self._writing = asyncio.Lock()
        self._contexts: dict[str, tuple[ArtifactContext, ...]] = {}
        announcements.subscribe(self._heard)

    async def all(self) -> Sequence[Artifact]:
        """Those of every thread, last updated first."""
        return await self._history.artifacts.all()

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        """In the order they were made."""
        return await self._history.artifacts.of_thread(thread_id)

    async def one(self, artifact_id: str) -> Artifact:
        """`UserError("usage")` for one that is gone."""
        return await self._history.artifacts.one(artifact_id)

    async def find(self, prefix: str) -> Artifact:
        """The one whose id starts so; `UserError("usage")` if none or several."""
        return await self._history.artifacts.find(prefix)

    async def named(self, thread_id: str, name: str) -> Artifact | None:
        """The thread's artifact with this id or its beginning, or the newest with this title; None: there is none."""
        wanted = name.strip().casefold()
        there = list(await self.of_thread(thread_id)) if wanted else []
        titled = [one for one in there if one.title.casefold() == wanted]
        known = [one for one in there if one.id.startswith(wanted)]
        return titled[-1] if titled else known[0] if len(known) == 1 else None

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        """All versions, oldest first."""
        return await self._history.artifacts.versions(artifact_id)

    async def newest(self, artifact_id: str) -> ArtifactVersion:
        return (await self.versions(artifact_id))[-1]

    async def contexts(self, thread_id: str) -> tuple[ArtifactContext, ...]:
        """The newest version of each of the thread's artifacts, for its requests; one value while none changes."""
        if thread_id not in self._contexts:
            there = await self.of_thread(thread_id)
            newest = [await self.newest(one.id) for one in there]
            self._contexts[thread_id] = tuple(
                ArtifactContext(one.id, one.title, version.number, version.text, one.pinned)
                for one, version in zip(there, newest, strict=True)
            )
        return self._contexts[thread_id]

    # --- writing

    async def create(
        self,
        thread_id: str,
        title: str,
        text: str,
        *,
        kind: ArtifactKind = "markdown",
        language: str = "",
        author: VersionAuthor = "user",
        message_id: str | None = None,
    ) -> Artifact:
        """Stores a new artifact with its first version. `UserError("usage")` for an empty or too long text."""
        text = _checked(text)
        now = self._clock.stamp()
        artifact = Artifact(
            id=self._clock.new_id(),
            thread_id=thread_id,
            title=one_line_title(title) or titled(text) or await self._called(thread_id),
            kind=kind,
            language=" ".join(language.split())[:LONGEST_TITLE] if kind == "code" else "",
            versions=1,
            created=now,
            updated=now,
        )
        version = ArtifactVersion(artifact.id, 1, text, author, now, message_id)
        await self._history.artifacts.add_version(artifact, version)
        self._tell(artifact)
        return artifact

    async def _called(self, thread_id: str) -> str:
        return one_line_title((await self._history.thread(thread_id)).title) or "Untitled"

    async def update(
        self,
        artifact_id: str,
        text: str,
        *,
        author: VersionAuthor = "user",
        message_id: str | None = None,
        expected: int | None = None,
    ) -> ArtifactVersion:
        """Stores a further version and returns it; the newest one where nothing differs.

        `expected`: the number of the newest version that the writer knows. `UserError("store")` where there is another.
        """
        text = _checked(text)
        async with self._writing:
            if (newest := await self.newest(artifact_id)).text == text:
                return newest
            if expected not in (None, newest.number):
                words = phrase("Another window or command changed this artifact. Check it, then try again.")
                raise UserError("store", words, detail=f"version {newest.number}, expected {expected}")
            return await self._add(artifact_id, newest, text, author, message_id)

    async def change_selection(self, artifact_id: str, start: int, end: int, wish: str) -> ArtifactVersion:
        """Has a model change the characters `start` to before `end` of the newest version, and nothing else.

        The result is a version. Raises `UserError("usage")` for no range or no wish, or where the artifact got another
        version meanwhile, and whatever stands in the way of asking the model.
        """
        before = await self.newest(artifact_id)
        if not 0 <= start < end <= len(before.text) or not before.text[start:end].strip():
            raise UserError("usage", phrase("Select the text to change first."))
        if not wish.strip():
            raise UserError("usage", phrase("Say what to change."))
        artifact = await self.one(artifact_id)
        written = await self._rewrite(artifact.thread_id, before.text, start, end, wish.strip())
        text = _checked(replace_range(before.text, start, end, normalized(clean_text(written))))
        async with self._writing:
            if (newest := await self.newest(artifact_id)).number != before.number:
                raise UserError(
                    "usage", phrase("The artifact has a newer version by now. Select the text there again.")
                )
            return newest if newest.text == text else await self._add(artifact_id, newest, text, "model", None)

    async def keep(
        self,
        answer: Message,
        text: str | None = None,
        *,
        block: tuple[int, int] | None = None,
        title: str = "",
        kind: ArtifactKind = "markdown",
        language: str = "",
    ) -> Artifact:
        """Keeps a whole answer, or a code block of it, as an artifact.

        `text` is the block's code, `block` its first line in all that the answer says, and that behind its last. From
        the next request on its note stands in its place; a block whose provider cut the text around it is kept all the
        same, and stays in requests. Raises `UserError("store")` while an answer is coming.
        """
        if self._threads().running(answer.thread_id):
            raise UserError("store", phrase("An answer is still coming. Wait until it is complete, then try again."))
        artifact = await self.create(
            answer.thread_id,
            title,
            answer.text if text is None else text,
            kind=kind,
            language=language,
            author="model",
            message_id=answer.id,
        )
        if text is None or block is not None:
            await self._write(marked(answer, artifact.id, artifact.title, 1, block), answer)
        return artifact

    async def rename(self, artifact_id: str, title: str) -> Artifact:
        """`UserError("usage")` for an empty title."""
        if not (words := one_line_title(title)):
            raise UserError("usage", phrase("An artifact needs a title."))
        return await self._save(artifact_id, title=words)

    async def pin(self, artifact_id: str, pinned: bool = True) -> Artifact:
        """Its newest version is in every request of its thread, or only where it is asked for."""
        return await self._save(artifact_id, pinned=pinned)

    async def delete(self, artifact_id: str) -> None:
        """Takes it away; the answer it was kept of is sent again as it was said."""
        artifact, versions = await self.one(artifact_id), await self.versions(artifact_id)
        await self._history.artifacts.delete(artifact_id)
        await self._switch_marks(versions, deleted=True)
        self._tell(artifact)

    async def restore(self, artifact_id: str) -> Artifact:
        """Brings a deleted one back."""
        await self._history.artifacts.restore(artifact_id)
        artifact = await self.one(artifact_id)
        await self._switch_marks(await self.versions(artifact_id), deleted=False)
        self._tell(artifact)
        return artifact

    async def _add(
        self, artifact_id: str, newest: ArtifactVersion, text: str, author: VersionAuthor, message_id: str | None
    ) -> ArtifactVersion:
        now = self._clock.stamp()
        artifact = replace(await self.one(artifact_id), updated=now, versions=newest.number + 1)
        version = ArtifactVersion(artifact_id, newest.number + 1, text, author, now, message_id)
        await self._history.artifacts.add_version(artifact, version)
        self._tell(artifact)
        return version

    async def _save(self, artifact_id: str, **facts: str | bool) -> Artifact:
        async with self._writing:
            artifact = replace(await self.one(artifact_id), **facts)  # type: ignore[arg-type]  # fields of its own
            await self._history.artifacts.save(artifact)
        self._tell(artifact)
        return artifact

    async def _switch_marks(self, versions: Sequence[ArtifactVersion], *, deleted: bool) -> None:
        """In the answers that an artifact was kept of."""
        for version in versions:
            if version.message_id is None:
                continue
            with suppress(UserError):  # the message went for good
                answer = await self._history.message(version.message_id)
                await self._write(with_mark_deleted(answer, version.artifact_id, deleted=deleted), answer)

    async def _write(self, changed: Message, before: Message) -> None:
        if changed != before:
            await self._history.save_marked(changed)
            self._threads().message_rewritten(changed)

    def _heard(self, fact: Announcement) -> None:
        if isinstance(fact, ArtifactChanged):
            self._contexts.pop(fact.thread_id, None)
        elif isinstance(fact, HistoryChangedElsewhere):
            self._contexts.clear()

    def _tell(self, artifact: Artifact) -> None:
        self._announcements.publish(ArtifactChanged(artifact.thread_id, artifact.id))


_OTHER_WORDS: Final = {"md": "markdown", "htm": "html", "txt": "text", "plain": "text"}


def kind_of(language: str, text: str) -> ArtifactKind:
    """Return the kind of a code block: by the language after its fence, and by how it begins."""
    if (named := language.strip().casefold()) in ("", "xml") and "<svg" in text[:1_000]:
        return "svg"
    return next((kind for kind in get_args(ArtifactKind) if kind == _OTHER_WORDS.get(named, named)), "code")


def _checked(text: str) -> str:
    text = normalized(text)
    if not text.strip():
        raise UserError("usage", phrase("There is no text to keep."))
    if len(text) > MOST_CHARACTERS:
        words = phrase(
            "The text has {count:,} characters; at most {most:,} can be kept.", count=len(text), most=MOST_CHARACTERS
        )
        raise UserError("usage", words)
    return text


UNREADABLE: Final = (
    "The artifact has {tokens:,} tokens, and there is room for {room:,}. Ask the user to start a new thread."
)
LATER: Final = ", the newest (a line of this conversation may name an earlier version)"
UNCHANGED: Final = "Nothing was changed; version {version} is the newest. A call with the id alone reads it."


@dataclass(frozen=True, slots=True)
class CreateArtifact:
    """`create_artifact`: the first version of a new artifact of the thread."""

    artifacts: Artifacts
    spec: ClassVar[ToolSpec] = CREATE

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """In the threads of a project; elsewhere the first is kept by hand (`ToolTable.offered`)."""
        return project is not None

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        title, text, kind = (_text(call.input, name) for name in ("title", "text", "kind"))
        if not title.strip() or not text.strip():
            return ToolResultPart(call.id, "Give a `title`, and the whole `text`.", is_error=True)
        if kind not in KINDS:
            return ToolResultPart(call.id, f"`kind` must be one of {', '.join(KINDS)}.", is_error=True)
        language = _text(call.input, "language")
        known: ArtifactKind = kind  # type: ignore[assignment]  # it is one of KINDS
        made = await self.artifacts.create(
            turn.thread.id, title, text, kind=known, language=language, author="model", message_id=_caller(turn)
        )
        return _done(call, made, f"Created artifact {made.id}, version 1. The user sees it.")


@dataclass(frozen=True, slots=True)
class UpdateArtifact:
    """`update_artifact`: a further version by edits or whole, or the newest one to read."""

    artifacts: Artifacts
    spec: ClassVar[ToolSpec] = UPDATE

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Return True if artifacts can be made."""
        return project is not None

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        if (artifact := await self.artifacts.named(turn.thread.id, _text(call.input, "id"))) is None:
            there = [f'{one.id} "{one.title}"' for one in await self.artifacts.of_thread(turn.thread.id)]
            known = f"There are: {', '.join(there)}." if there else "There is none yet: use create_artifact."
            return ToolResultPart(call.id, f"No artifact has that id or title. {known}", is_error=True)
        newest = await self.artifacts.newest(artifact.id)
        if call.input.get("text") is None and not call.input.get("edits"):
            return _read(call, artifact, newest, turn)
        try:
            text = _changed(newest.text, call.input)
        except EditError as error:
            return ToolResultPart(call.id, f"{error} {UNCHANGED.format(version=newest.number)}", is_error=True)
        changed = await self.artifacts.update(
            artifact.id, text, author="model", message_id=_caller(turn), expected=newest.number
        )
        if changed.number == newest.number:
            return _done(call, artifact, f"Nothing differs: version {newest.number} of {artifact.id} stays the newest.")
        made = await self.artifacts.one(artifact.id)
        return _done(call, made, f"Artifact {made.id} has version {changed.number} now. The user sees it.")


def _changed(before: str, given: JsonObject) -> str:
    """The text that a call makes of the newest one. Raises `EditError`."""
    whole, edits = given.get("text"), given.get("edits")
    if whole is not None and edits:
        raise EditError("Give either `edits` or `text`, not both.")
    text = _text(given, "text") if whole is not None else apply_edits(before, read_edits(edits))
    if not text.strip():
        raise EditError("The text would be empty.")
    return text


def artifact_tools(artifacts: Artifacts) -> tuple[CreateArtifact, UpdateArtifact]:
    """Both, in the order they are offered in."""
    return CreateArtifact(artifacts), UpdateArtifact(artifacts)


def _done(call: ToolCallPart, artifact: Artifact, words: str) -> ToolResultPart:
    facts: JsonObject = {
        "id": artifact.id,
        "title": artifact.title,
        "version": artifact.versions,
        "kind": artifact.kind,
    }
    return ToolResultPart(call.id, words, extra={ARTIFACT: facts})


def _read(call: ToolCallPart, artifact: Artifact, newest: ArtifactVersion, turn: TurnState) -> ToolResultPart:
    if (room := int(turn.room / ROOM_SHARE)) < LEAST_TOKENS:
        return no_room(call)
    if (tokens := round(turn.estimator.tokens(features(newest.text)))) > turn.room - room:
        return ToolResultPart(call.id, UNREADABLE.format(tokens=tokens, room=room), is_error=True)
    later = LATER if newest.number > 1 else ""
    return _done(call, artifact, f"Version {newest.number} of {artifact.id}{later}:\n\n{newest.text}")


def _caller(turn: TurnState) -> str | None:
    """The id of the answer that calls."""
    return turn.path[-1].id if turn.path else None


def _text(given: JsonObject, name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""
