"""The use cases of the prompt library: write, copy, delete, bring back, hand on as JSON, read other programs' lists."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from desktop_app.controller.export_files import write_export
from desktop_app.controller.export_sources import open_source
from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.controller.formats.plimsoll_json import Fields
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.core.errors import UserError
from desktop_app.core.events import PromptsChanged
from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase
from desktop_app.core.prompts import Prompt, checked, free_title

FORMAT: Final = "plimsoll-prompts"
VERSION: Final = 1
TITLES: Final = ("title", "name", "act", "command")
TEXTS: Final = ("text", "content", "prompt")


@dataclass(frozen=True, slots=True)
class ReadPrompt:
    """A prompt of a file; `id` and times are "" where the file does not give them."""

    title: str
    text: str
    id: str = ""
    created: str = ""
    updated: str = ""


def write_prompts(prompts: Sequence[Prompt]) -> Iterator[str]:
    """The file as pieces of text, one prompt on a line. Equal prompts give equal bytes."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "prompts": ['
    separator = "\n"
    for one in prompts:
        value = {"id": one.id, "title": one.title, "text": one.text, "created": one.created, "updated": one.updated}
        yield separator + json.dumps(value, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"


def read_prompts(data: Json) -> tuple[ReadPrompt, ...]:
    """The prompts of a parsed file. `UnreadableExportError` names the place and what was expected there."""
    if isinstance(data, list):
        return tuple(_foreign(item, f"[{index}]") for index, item in enumerate(data))
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise UnreadableExportError("expected prompts of Plimsoll, or a list of objects with a title and a text")
    if (version := data.get("version")) != VERSION or isinstance(version, bool):
        raise UnreadableExportError(f"version: expected {VERSION}, found {version!r}; a newer Plimsoll wrote it")
    items = Fields(data, "file").list("prompts")
    return tuple(_own(item, f"prompts[{index}]") for index, item in enumerate(items))


def _own(value: Json, where: str) -> ReadPrompt:
    fields = Fields(value, where)
    return ReadPrompt(
        title=fields.text("title"),
        text=fields.text("text"),
        id=fields.text("id"),
        created=fields.text("created"),
        updated=fields.text("updated"),
    )


def _foreign(value: Json, where: str) -> ReadPrompt:
    fields = Fields(value, where)
    return ReadPrompt(title=_first(fields, TITLES, where), text=_first(fields, TEXTS, where))


def _first(fields: Fields, names: Sequence[str], where: str) -> str:
    if (name := next((name for name in names if fields.has(name)), None)) is None:
        raise UnreadableExportError(f"{where}: expected one of {', '.join(names)}")
    return fields.text(name)


@dataclass(frozen=True, slots=True)
class PromptImport:
    """The result of an import: prompts that were added, and those that were there already."""

    added: int
    already: int


class PromptLibrary:
    """The user's prompts. What is stored is announced as `PromptsChanged`."""

    def __init__(self, history: History, announcements: Announcements, clock: Clock | None = None) -> None:
        self._history = history
        self._announcements = announcements
        self._clock = clock or Clock()

    async def all(self) -> tuple[Prompt, ...]:
        """Every prompt, by title."""
        return await self._history.prompts()

    def new_id(self) -> str:
        """The id of a prompt that is about to be written."""
        return self._clock.new_id()

    async def write(self, prompt_id: str, title: str, text: str) -> Prompt:
        """Stores a prompt, new or changed, and returns it as it is stored; `UserError("usage")` see `checked`."""
        now = self._clock.stamp()
        before = await self._find(prompt_id)
        stored = checked(Prompt(prompt_id, title, text, before.created if before is not None else now, now))
        await self._history.save_prompts([stored])
        self._announcements.publish(PromptsChanged())
        return stored

    async def add(self, title: str, text: str) -> Prompt:
        """Stores a new prompt, under a free title."""
        taken = [one.title for one in await self._history.prompts()]
        return await self.write(self.new_id(), free_title(title, taken), text)

    async def duplicate(self, prompt_id: str) -> Prompt:
        """Stores a copy under a title of its own; `UserError("usage")` for a prompt that is gone."""
        if (prompt := await self._find(prompt_id)) is None:
            raise UserError("usage", phrase("This prompt no longer exists."))
        return await self.add(prompt.title, prompt.text)

    async def delete(self, prompt_id: str) -> None:
        """Takes a prompt away; `restore` brings it back."""
        await self._history.delete_prompt(prompt_id)
        self._announcements.publish(PromptsChanged())

    async def restore(self, prompt: Prompt) -> None:
        """Brings a prompt back as it was."""
        await self._history.save_prompts([prompt])
        self._announcements.publish(PromptsChanged())

    async def export(self, path: Path) -> int:
        """Writes all prompts as JSON; how many. `UserError`: no plain file ("usage"), not writable ("store")."""
        prompts = await self._history.prompts()
        await asyncio.to_thread(write_export, path, write_prompts(prompts))
        return len(prompts)

    async def import_file(self, path: Path) -> PromptImport:
        """Adds the prompts of a file: all that are new, or none.

        One with the title and text of one that is there is not added again; one that has the id of another goes by a
        new one. Raises `UserError("usage")` for a path that isn't there, `UserError("store")`, naming the file and
        what was expected in it, for one that can't be read.
        """
        read = await asyncio.to_thread(_read, path)
        there = await self._history.prompts()
        ids, known = {one.id for one in there}, {(one.title, one.text) for one in there}
        new: list[Prompt] = []
        for one in read:
            prompt = self._checked(one, path)
            if (prompt.title, prompt.text) in known:
                continue
            if not prompt.id or prompt.id in ids:
                prompt = replace(prompt, id=self._clock.new_id())
            ids.add(prompt.id)
            known.add((prompt.title, prompt.text))
            new.append(prompt)
        if new:
            await self._history.save_prompts(new)
            self._announcements.publish(PromptsChanged())
        return PromptImport(len(new), len(read) - len(new))

    async def _find(self, prompt_id: str) -> Prompt | None:
        return next((one for one in await self._history.prompts() if one.id == prompt_id), None)

    def _checked(self, read: ReadPrompt, path: Path) -> Prompt:
        now = self._clock.stamp()
        prompt = Prompt(read.id, read.title, read.text, read.created or now, read.updated or now)
        try:
            return checked(prompt)
        except UserError as error:
            message = phrase(
                "{name} can't be imported, and nothing was: {reason}", name=path.name, reason=error.failure.message
            )
            raise UserError("store", message, detail=read.title[:80]) from error


def _read(path: Path) -> Sequence[ReadPrompt]:
    with open_source(path) as source:
        members = [one for one in source.members if one.lower().endswith(".json")] or source.members
        return [one for member in members for one in read_prompts(source.json(member))]
