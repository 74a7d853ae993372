"""The two tools by which a model makes artifacts and changes them in its turn (DOC-3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop_app.controller.artifacts import Artifacts
from desktop_app.controller.turn_tools import LEAST_TOKENS, ROOM_SHARE, TurnState, no_room
from desktop_app.core.artifact_edits import EditError, apply_edits, read_edits
from desktop_app.core.artifact_tool_specs import CREATE, KINDS, UPDATE
from desktop_app.core.artifacts import Artifact, ArtifactKind, ArtifactVersion
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.context.text_features import features
from desktop_app.core.messages import JsonObject, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.tool_spec import ToolSpec

UNREADABLE: Final = (
    "The artifact has {tokens:,} tokens, and there is room for {room:,}. Ask the user to start a new thread."
)
LATER: Final = ", the newest (a line of this conversation may name an earlier version)"
UNCHANGED: Final = "Nothing was changed; version {version} is the newest. A call with the id alone reads it."


@dataclass(frozen=True, slots=True)
class CreateArtifact:
    """`create_artifact`: the first version of a new artifact of the thread."""

    artifacts: Artifacts

    @property
    def spec(self) -> ToolSpec:
        return CREATE

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

    @property
    def spec(self) -> ToolSpec:
        return UPDATE

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Return True if artifacts can be made."""
        return project is not None

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        artifact = await self.artifacts.named(turn.thread.id, _text(call.input, "id"))
        if artifact is None:
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
    room = int(turn.room / ROOM_SHARE)
    if room < LEAST_TOKENS:
        return no_room(call)
    tokens = round(turn.estimator.tokens(features(newest.text)))
    if tokens > turn.room - room:
        return ToolResultPart(call.id, UNREADABLE.format(tokens=tokens, room=room), is_error=True)
    later = LATER if newest.number > 1 else ""
    return _done(call, artifact, f"Version {newest.number} of {artifact.id}{later}:\n\n{newest.text}")


def _caller(turn: TurnState) -> str | None:
    """The id of the answer that calls."""
    return turn.path[-1].id if turn.path else None


def _text(given: JsonObject, name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""
