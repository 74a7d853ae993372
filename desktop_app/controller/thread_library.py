"""The use cases of the list of threads, and changes of a thread's own facts and the marks on its messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import MarkChanged, ThreadChanged, ThreadCreated, ThreadDeleted
from desktop_app.core.history_records import EVERYWHERE, ImportedThread, SearchPage, SearchWithin
from desktop_app.core.messages import NO_MARK, MessageMark, Thread, ThreadSummary
from desktop_app.core.phrases import phrase
from desktop_app.core.search_terms import ENGLISH
from desktop_app.core.thread_copy import copied
from desktop_app.core.titles import plain_line

MOST_WORDS: Final = 160
"""Characters of an answer's beginning in the list: more than the widest row can show."""


class ThreadProperties:
    """Changes facts without losing one of two changes that come at the same time."""

    def __init__(self, history: History, open_threads: OpenThreads, announcements: Announcements) -> None:
        self._history = history
        self._open_threads = open_threads
        self._announcements = announcements
        self._one_at_a_time = asyncio.Lock()

    async def change(self, thread_id: str, **facts: Any) -> Thread:
        """Writes the named fields of `Thread` (not tip, draft or created) and returns the thread after it."""
        return await self.update(thread_id, lambda thread: replace(thread, **facts))

    async def fill_in(self, thread_id: str, *, title: str, backend: str, model: str) -> Thread:
        """Writes what nobody has set meanwhile: after its first question a thread stays with what it was asked of."""

        def filled(thread: Thread) -> Thread:
            own = thread.backend in (None, backend)
            return replace(
                thread,
                title=thread.title or title,
                backend=thread.backend or backend,
                model=thread.model or (model if own else None),
            )

        return await self.update(thread_id, filled)

    async def update(self, thread_id: str, changed: Callable[[Thread], Thread]) -> Thread:
        """Writes what `changed` makes of the thread (not tip, draft or created) and returns it."""
        async with self._one_at_a_time:
            stored = False
            while not stored:  # another process may have changed it since it was read
                before = await self._history.thread(thread_id)
                thread = changed(before)
                stored = await self._history.update_thread(thread, before)
        self._open_threads.changed(thread)
        self._announcements.publish(ThreadChanged(thread))
        return thread


@dataclass(eq=False)
class MessageMarking:
    """Reads and writes marks, and tells of them."""

    _history: History
    _open_threads: OpenThreads
    _announcements: Announcements

    async def of(self, thread_id: str) -> Mapping[str, MessageMark]:
        """The marks of a thread by message id; `UserError("usage")` for an unknown thread."""
        return await self._history.marks(thread_id)

    async def put(self, thread_id: str, message_id: str, mark: MessageMark) -> MessageMark:
        """Gives a message a mark, or an empty one; returns the old one. `UserError("usage")`: not in the thread."""
        before = (await self._history.marks(thread_id)).get(message_id, NO_MARK)
        if mark != before:
            await self._history.save_mark(thread_id, message_id, mark)
            self._announcements.publish(MarkChanged(thread_id, message_id, mark))
        return before

    async def seen(self, thread_id: str, tip: str) -> None:
        """The user has looked at the thread up to that message."""
        self._open_threads.grown(thread_id, (), seen=tip)
        await self._history.set_seen(thread_id, tip)


class ThreadLibrary:
    """The threads as a list. `stop` ends a thread's running answer before the thread goes away.

    `moved` is told of a thread that came into a project, or out of one. `languages`: those whose forms of words a
    search finds.
    """

    def __init__(
        self,
        history: History,
        facts: ThreadProperties,
        announcements: Announcements,
        *,
        stop: Callable[[str], Awaitable[None]],
        moved: Callable[[Thread], Awaitable[None]] | None = None,
        languages: Callable[[], Sequence[str]] = lambda: ENGLISH,
        clock: Clock | None = None,
    ) -> None:
        self._history = history
        self._facts = facts
        self._announcements = announcements
        self._stop = stop
        self._moved = moved
        self._languages = languages
        self._clock = clock or Clock()

    async def threads(self) -> Sequence[ThreadSummary]:
        """All threads, last updated first."""
        return await self._history.threads()

    async def last_words(self, thread_ids: Sequence[str]) -> Mapping[str, str]:
        """The beginning of each thread's last answer on one line; private threads have none."""
        answers = await self._history.last_answers(thread_ids)
        return {one: plain_line(text[: 4 * MOST_WORDS])[:MOST_WORDS] for one, text in answers.items()}

    async def running(self) -> Sequence[str]:
        """The threads in which an answer is coming, through this process or another one; private ones left out."""
        return await self._history.running_threads()

    async def find(self, prefix: str) -> Thread:
        """The one thread whose id starts with `prefix`; `UserError("usage")` if there is none or more than one."""
        return await self._history.find_thread(prefix)

    async def search(
        self, query: str, within: SearchWithin = EVERYWHERE, *, limit: int = 20, offset: int = 0
    ) -> SearchPage:
        """The messages of all threads that hold the words; see `History.search`. Private threads are not searched."""
        languages = self._languages()
        return await self._history.search(query, within, limit=limit, offset=offset, languages=languages)

    async def rename(self, thread_id: str, title: str) -> Thread:
        """Sets the title, on one line. `UserError("usage")` for an empty one."""
        if not (words := " ".join(title.split())):
            raise UserError("usage", phrase("A thread needs a title."))
        return await self._facts.change(thread_id, title=words)

    async def pin(self, thread_id: str, pinned: bool = True) -> Thread:
        """Puts the thread at the top of the list, or back."""
        return await self._facts.change(thread_id, pinned=pinned)

    async def archive(self, thread_id: str, archived: bool = True) -> Thread:
        """Takes the thread out of the daily list, or back."""
        return await self._facts.change(thread_id, archived=archived)

    async def move_to_project(self, thread_ids: Sequence[str], project_id: str | None) -> Sequence[Thread]:
        """Puts the threads into the project, `UserError("usage")` if there is none; None takes them out of theirs."""
        if project_id is not None:
            await self._history.projects.one(project_id)
        found = []
        for thread_id in thread_ids:
            before = (await self._history.thread(thread_id)).project
            found.append(await self._facts.change(thread_id, project=project_id))
            if self._moved is not None and before != project_id:
                await self._moved(found[-1])
        return found

    async def duplicate(self, thread_id: str, title: str | None = None) -> Thread:
        """A copy with all branches, choices, marks, artifacts and the draft; one of a private thread is private.

        It is a thread of its own. Nothing is sent or paid again.
        """
        thread = await self._history.thread(thread_id)
        messages = await self._history.messages(thread_id)
        marks = await self._history.marks(thread_id)
        artifacts = [(one, self._clock.new_id()) for one in await self._history.artifacts.of_thread(thread_id)]
        copy, its_messages = copied(
            thread,
            messages,
            self._clock.new_id,
            title=title or thread.title,
            at=self._clock.stamp(),
            artifacts={one.id: new_id for one, new_id in artifacts},
        )
        its_marks = {
            twin.id: marks[message.id]
            for message, twin in zip(messages, its_messages, strict=True)
            if message.id in marks
        }
        await self._history.import_threads([ImportedThread(f"copy:{copy.id}", copy, its_messages, its_marks)])
        if attached := await self._history.attachments(thread_id):
            await self._history.save_attachments(copy.id, attached)
        twins = {message.id: twin.id for message, twin in zip(messages, its_messages, strict=True)}
        for artifact, new_id in artifacts:
            its_own = replace(artifact, id=new_id, thread_id=copy.id)
            for version in await self._history.artifacts.versions(artifact.id):
                made_by = twins.get(version.message_id or "")
                its_version = replace(version, artifact_id=new_id, message_id=made_by)
                await self._history.artifacts.add_version(replace(its_own, versions=version.number), its_version)
        made = await self._history.thread(copy.id)
        self._announcements.publish(ThreadCreated(made))
        return made

    async def delete(self, thread_id: str) -> None:
        """Takes the thread away after ending its running answer; `restore` brings it back whole."""
        await self._stop(thread_id)
        await self._history.delete_thread(thread_id)
        self._announcements.publish(ThreadDeleted(thread_id))

    async def delete_all(self, thread_ids: Sequence[str]) -> Sequence[str]:
        """Deletes several; the ids of those that went. The first that can't be deleted ends it, if none has gone."""
        gone: list[str] = []
        for thread_id in thread_ids:
            try:
                await self.delete(thread_id)
            except PlimsollError:
                if not gone:
                    raise
                break
            gone.append(thread_id)
        return gone

    async def restore(self, thread_id: str) -> Thread:
        """Brings a deleted thread back."""
        await self._history.restore_thread(thread_id)
        thread = await self._history.thread(thread_id)
        self._announcements.publish(ThreadCreated(thread))
        return thread
