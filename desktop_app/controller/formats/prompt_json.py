"""Reads and writes prompts as JSON; reads other programs' lists.

Ours is an object with `format`, `version` and `prompts`. Of others, a list of objects is read that have a title and a
text under one of the usual names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.controller.formats.part_json import Fields
from desktop_app.core.messages import Json
from desktop_app.core.prompts import Prompt

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
    version = data.get("version")
    if version != VERSION or isinstance(version, bool):
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
    name = next((name for name in names if fields.has(name)), None)
    if name is None:
        raise UnreadableExportError(f"{where}: expected one of {', '.join(names)}")
    return fields.text(name)
