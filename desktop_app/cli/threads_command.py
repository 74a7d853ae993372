"""Owns `threads` and `show`: the history as text or JSON. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import conversation_shape, thread_shape
from desktop_app.cli.options import ShowOptions, ThreadsOptions
from desktop_app.cli.output import Output
from desktop_app.controller.formats.markdown_export import write_branch
from desktop_app.controller.ports import History
from desktop_app.core.attachment_facts import attachments_of, name_of
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import without_deleted
from desktop_app.core.messages import ImagePart, Message

SHORT_ID = 8


async def list_threads(history: History, options: ThreadsOptions, output: Output) -> int:
    """Prints all threads, last used first."""
    threads = await history.threads()
    if options.json:
        output.json([thread_shape(summary) for summary in threads])
        return DONE
    if not threads:
        output.tell("There are no threads yet.")
    for summary in threads:
        thread = summary.thread
        day, _, time = thread.updated.partition("T")
        title = thread.title.replace("\n", " ") or "Untitled"
        output.line(f"{thread.id[:SHORT_ID]}  {day} {time[:5]}  {summary.messages:>5}  {title}")
    return DONE


async def show_thread(history: History, options: ShowOptions, output: Output) -> int:
    """Prints one thread: the current branch, or the whole tree in the order of writing."""
    thread = await history.find_thread(options.thread)
    messages = tuple(await history.messages(thread.id))
    if not options.whole_tree:
        messages = without_deleted(Conversation(messages).path(thread.tip), thread.choices)
    if options.json:
        tell_unreadable(messages, output)
        output.json(conversation_shape(thread, messages))
        return DONE
    output.text(write_branch(thread, messages, documents=False))
    attached = attachments_of(await history.attachments(thread.id))
    if thread.draft or attached:
        named = [f"[{'image' if isinstance(part, ImagePart) else 'document'}] {name_of(part)}" for part in attached]
        output.text("\n## Draft\n\n" + "\n\n".join(filter(None, [*named, thread.draft])) + "\n")
    return DONE


def tell_unreadable(messages: Iterable[Message], output: Output) -> None:
    """Names the messages that could not be read from the history."""
    for message in messages:
        if message.failure is not None and message.failure.code == "store":
            output.tell(f"{message.failure.message} ({message.id})")
