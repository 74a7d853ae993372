"""Attachments of drafts: adding, removing, replacing, and whether a model can take them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from desktop_app.controller.ports import Announcements, History
from desktop_app.core.attachment_facts import attachments_of, scanned_pdf
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import AttachmentsChanged
from desktop_app.core.messages import AttachedPart, DocumentPart, Failure, ImagePart, Message, Part
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import joined, phrase

MOST_OF_A_FOLDER: Final = 50
"""So many files of one folder are attached at once; more are for a project."""

MOST_ATTACHMENTS: Final = 100
"""So many attachments a draft may have: the API of the `claude` models takes no more images in one request."""

Added: TypeAlias = tuple[tuple[Part, ...], tuple[Failure, ...]]


class FileReader(Protocol):
    """Reads a file, picture or text into a part, off the loop. `UserError("usage")` names the file and what to do."""

    async def read_file(self, path: Path) -> AttachedPart: ...

    async def read_image(self, data: bytes, name: str) -> ImagePart:
        """A picture that was pasted, in any format that PNG stands for."""

    async def read_text(self, text: str, name: str) -> DocumentPart:
        """A long text that was pasted, as a document."""


class Attachments:
    """The attachments of each thread's draft. Every change is stored, then announced."""

    def __init__(self, history: History, reader: FileReader, announcements: Announcements) -> None:
        self._history, self.reader, self._announcements = history, reader, announcements
        # Two changes of one draft that read before either has written would lose one of them.
        self._changing = asyncio.Lock()

    async def of(self, thread_id: str) -> tuple[Part, ...]:
        """Return the attachments of the thread's draft, in order. Raises `UserError("usage")` for an unknown thread."""
        return await self._history.attachments(thread_id)

    async def add_files(self, thread_id: str, paths: Sequence[Path]) -> Added:
        """Attaches files, and those that lie directly in the folders among `paths`, in order.

        Returns what is attached now, and one failure for each file or folder that could not be. What is attached
        already in the same form is not attached again. Raises `UserError` ("store", "usage") only where nothing can
        be kept.
        """
        files, failures, beside = await self._found(paths)
        read: list[Part] = []
        for file in files:
            try:
                read.append(await self.reader.read_file(file))
            except PlimsollError as error:
                failures.append(error.failure)
        parts, too_many = await self._add(thread_id, read)
        return parts, (*failures, *beside, *too_many)

    async def read_files(self, paths: Sequence[Path]) -> tuple[tuple[Part, ...], tuple[Failure, ...], bool]:
        """Files as attachments of no draft: for a message that is sent at once.

        True where the failures are only of what lies in folders of which something else can be sent.
        """
        files, failures, beside = await self._found(paths)
        read: tuple[Part, ...] = ()
        asked, others = frozenset(paths), bool(failures)
        for file in files:
            try:
                read, too_many = _with(read, [await self.reader.read_file(file)])
                failures += too_many
                others = others or (bool(too_many) and len(read) >= MOST_ATTACHMENTS)
            except PlimsollError as error:
                failures.append(error.failure)
                others = others or file in asked
        return read, (*failures, *beside), bool(read) and not others

    async def add_image(self, thread_id: str, data: bytes, name: str) -> tuple[Part, ...]:
        """Attaches a picture that was pasted; what is attached now. Raises `UserError("usage")` for no picture."""
        return await self._add_one(thread_id, await self.reader.read_image(data, name))

    async def add_text(self, thread_id: str, text: str, name: str) -> tuple[Part, ...]:
        """Attaches a text as a document; what is attached now. Raises `UserError("usage")` for an empty text."""
        return await self._add_one(thread_id, await self.reader.read_text(text, name))

    async def remove(self, thread_id: str, index: int) -> tuple[Part, ...]:
        """Takes one attachment away; what is attached now. Does nothing where there is none of that index."""
        async with self._changing:
            before = await self._history.attachments(thread_id)
            if not 0 <= index < len(before):
                return before
            return await self._store(thread_id, (*before[:index], *before[index + 1 :]))

    async def change(self, thread_id: str, change: Callable[[tuple[Part, ...]], Sequence[Part]]) -> tuple[Part, ...]:
        """Puts what `change` makes of the attachments in their place; what is attached now."""
        async with self._changing:
            return await self._store(thread_id, attachments_of(change(await self._history.attachments(thread_id))))

    async def _found(self, paths: Sequence[Path]) -> tuple[list[Path], list[Failure], list[Failure]]:
        """The files that are meant, those in folders too; failures for useless folders and what is no file."""
        return await asyncio.to_thread(_files_of, tuple(paths))

    async def _add_one(self, thread_id: str, part: Part) -> tuple[Part, ...]:
        parts, failures = await self._add(thread_id, [part])
        for failure in failures:
            raise UserError(failure.code, failure.message, actions=failure.actions)
        return parts

    async def _add(self, thread_id: str, new: Sequence[Part]) -> Added:
        async with self._changing:
            before = await self._history.attachments(thread_id)
            after, failures = _with(before, new)
            return (before if after == before else await self._store(thread_id, after)), tuple(failures)

    async def _store(self, thread_id: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        await self._history.save_attachments(thread_id, parts)
        self._announcements.publish(AttachmentsChanged(thread_id, parts))
        return parts


def unsendable(parts: Sequence[Part], path: Sequence[Message], model: ModelInfo) -> Failure | None:
    """Why `model` can't take the message that is to be sent; None where it can.

    `parts` is a new message, `path` what it follows; without parts the path's last question is sent again. Only the
    message itself counts: an image further up goes as a note that there was one.
    """
    asked = parts or next((message.parts for message in reversed(path) if opens_turn(message)), ())
    images = [part.name for part in asked if isinstance(part, ImagePart) and not model.accepts_images]
    scans = [
        part.name
        for part in asked
        if isinstance(part, DocumentPart) and scanned_pdf(part) is not None and not model.accepts_pdf
    ]
    if not images and not scans:
        return None
    said = []
    if images:
        said.append(phrase("{model} can't look at images ({names}).", model=model.name, names=_listed(images)))
    if scans:
        said.append(
            phrase(
                "{names} are scans without text, and {model} can't look at pages.",
                "{names} is a scan without text, and {model} can't look at pages.",
                count=len(scans),
                names=_listed(scans),
                model=model.name,
            )
        )
    said += [
        phrase("Nothing was sent."),
        phrase(
            "Choose another model, or remove them.",
            "Choose another model, or remove it.",
            count=len(images) + len(scans),
        ),
    ]
    actions = ("switch_model", "remove_attachment") if parts else ("switch_model",)
    return Failure("usage", joined(said), actions=actions)


def _with(before: tuple[Part, ...], new: Sequence[Part]) -> tuple[tuple[Part, ...], list[Failure]]:
    """The attachments with new ones behind, each once; the failures name those for which there is no room.

    A text under a second name is not attached either: it would go once, and taking the first away would bring it back.
    """
    after, refused, failures = list(before), [], list[Failure]()
    for part in new:
        if part in after:
            continue
        if (same := _of_the_same_text(after, part)) is not None:
            if same[0] == same[1]:  # it was cut meanwhile
                continue
            words = phrase("“{name}” has the same text as “{other}”, which is attached.", name=same[0], other=same[1])
            failures.append(Failure("usage", words))
        elif len(after) < MOST_ATTACHMENTS:
            after.append(part)
        elif isinstance(part, AttachedPart):
            refused.append(part.name)
    if not refused:
        return tuple(after), failures
    words = phrase(
        "A message takes {most} attachments. Not attached: {names}. Send them in another.",
        most=MOST_ATTACHMENTS,
        names=_listed(refused),
    )
    return tuple(after), [*failures, Failure("usage", words)]


def _of_the_same_text(attached: Sequence[Part], new: Part) -> tuple[str, str] | None:
    """Return the name of a document and of the one whose text it repeats; a scan goes as pages, which may differ."""
    if not isinstance(new, DocumentPart) or scanned_pdf(new) is not None:
        return None
    names = (part.name for part in attached if isinstance(part, DocumentPart) and part.text == new.text)
    return next(((new.name, name) for name in names), None)


def _files_of(paths: Sequence[Path]) -> tuple[list[Path], list[Failure], list[Failure]]:
    files: dict[Path, None] = {}
    failures: list[Failure] = []
    beside: list[Failure] = []
    for path in paths:
        try:
            if not path.is_dir():
                files[path] = None
                continue
            inside, deeper = _entries_of(path)
        except OSError as error:
            words = phrase(
                "The folder “{name}” can't be opened. Check its permissions, then attach it again.", name=path.name
            )
            failures.append(Failure("usage", words, detail=error.strerror or ""))
            continue
        if not inside:
            words = phrase("The folder “{name}” has no files to attach. Choose the files themselves.", name=path.name)
            failures.append(Failure("usage", words))
        if len(inside) > MOST_OF_A_FOLDER:
            words = phrase(
                "The folder “{name}” has {files:,} files; the first {most} are attached. Choose the others yourself.",
                name=path.name,
                files=len(inside),
                most=MOST_OF_A_FOLDER,
            )
            beside.append(Failure("usage", words))
        if inside and deeper:
            words = phrase(
                "The folders in “{name}” are not attached: {folders}. Choose their files yourself.",
                name=path.name,
                folders=_listed(deeper),
            )
            beside.append(Failure("usage", words))
        files.update(dict.fromkeys(path / name for name in inside[:MOST_OF_A_FOLDER]))
    return list(files), failures, beside


def _entries_of(folder: Path) -> tuple[list[str], list[str]]:
    """The files and folders directly in a folder. Hidden ones and links are not meant when a folder is chosen."""
    with os.scandir(folder) as entries:
        seen = sorted((one for one in entries if one.name[:1] != "."), key=lambda one: (one.name.casefold(), one.name))
        return (
            [one.name for one in seen if one.is_file(follow_symlinks=False)],
            [one.name for one in seen if one.is_dir(follow_symlinks=False)],
        )


def _listed(names: Sequence[str]) -> str:
    """`a.png, b.png and 3 more`."""
    shown = joined((phrase("“{name}”", name=name) for name in names[:3]), ", ")
    return shown if len(names) <= 3 else phrase("{names} and {further} more", names=shown, further=len(names) - 3)
