"""Runs `threads`, `show` and `search`: the history as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from time import monotonic

from desktop_app.cli.command_process import DONE, Output
from desktop_app.cli.json_shapes import conversation_shape, hit_shape, thread_shape
from desktop_app.cli.options import SearchOptions, ShowOptions, ThreadsOptions
from desktop_app.controller.ports import History
from desktop_app.core.attachment_facts import attachments_of, name_of
from desktop_app.core.conversation import Conversation, without_deleted
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import EVERYWHERE, FoundItem, SearchHit, SearchWithin
from desktop_app.core.messages import ImagePart, Message, Thread
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.passage_ranking import Snippet, parted
from desktop_app.core.search_terms import narrowed, needles

SHORT_ID = 8
LEAST_USD = 0.02
"""An answer that cost less can't have cost so much more than the one before that it says why."""


async def list_threads(history: History, options: ThreadsOptions, output: Output) -> int:
    """Prints all threads, last used first."""
    threads = await history.threads()
    if options.json:
        projects = {one.id: one.name for one in await history.projects.all()}
        output.json([thread_shape(summary, projects) for summary in threads])
        return DONE
    if not threads:
        output.tell("There are no threads yet.")
    for summary in threads:
        thread = summary.thread
        day, _, time = thread.updated.partition("T")
        title = thread.title.replace("\n", " ") or "Untitled"
        title += "  (archived)" if thread.archived else ""
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
        output.json(conversation_shape(thread, messages, await _cost_reasons(history, thread, messages)))
        return DONE
    from desktop_app.controller.formats.exported_thread import write_branch

    output.text(write_branch(thread, messages, documents=False))
    attached = attachments_of(await history.attachments(thread.id))
    if thread.draft or attached:
        named = [f"[{'image' if isinstance(part, ImagePart) else 'document'}] {name_of(part)}" for part in attached]
        output.text("\n## Draft\n\n" + "\n\n".join(filter(None, [*named, thread.draft])) + "\n")
    return DONE


async def _cost_reasons(history: History, thread: Thread, shown: Sequence[Message]) -> Mapping[str, str]:
    """Why an answer of the thread's branch cost much more than the one before, by answer's id."""
    if not any(one.usage is not None and (one.usage.cost_usd or 0) >= LEAST_USD for one in shown):
        return {}
    from desktop_app.controller.cost_reasons import cost_reasons

    rows = await history.ledger()
    paid = {row.backend for row in rows if row.thread_id == thread.id and row.cost_kind == "money"}

    def priced(backend: str, model: str) -> ModelInfo | None:
        return find_model(backend, model) if backend in paid else None

    conversation = Conversation(await history.messages(thread.id))
    return await cost_reasons(conversation.path(thread.tip), conversation, priced, history.request)


def tell_unreadable(messages: Iterable[Message], output: Output) -> None:
    """Names the messages that could not be read from the history."""
    for message in messages:
        if message.failure is not None and message.failure.code == "store":
            output.tell(f"{message.failure.message} ({message.id})")


PATIENCE_S = 20.0
"""Seconds that a search waits for an index that is not complete, as after an import or a new version's first start."""

WHO = {"user": "You", "assistant": "Assistant"}


async def search(history: History, options: SearchOptions, output: Output, *, languages: Sequence[str]) -> int:
    """Prints the best hits, or what the options narrow it to. `UserError("usage")` where nothing can be found so."""
    query, within = narrowed(options.query, await _within(history, options))
    listing = not query.strip() and within != EVERYWHERE
    if not listing and not needles(query):
        raise UserError("usage", "There is nothing to search for: give at least one letter or digit.")
    # Has the index catch up while patience lasts; whoever waits for more than a second is told why.
    deadline, told = monotonic() + PATIENCE_S, False
    while await history.catch_up_search() and monotonic() < deadline:
        if not told and monotonic() > deadline - PATIENCE_S + 1:
            output.tell("Indexing messages; this is done once.")
            told = True
    page = await history.search(query, within, limit=options.limit, languages=languages)
    if options.json:
        output.json([hit_shape(hit) for hit in page.hits])
    else:
        items = await history.search_items(query, within, limit=options.limit)
        for hit in page.hits:
            day, _, time = hit.created.partition("T")
            title = _one_line(hit.title) or "Untitled"
            output.line(f"{hit.thread_id[:SHORT_ID]}  {day} {time[:5]}  {WHO[hit.role]:<9}  {title}")
            _print_passage(hit, output)
        for item in items:
            output.line(f"{item.kind:<8}  {_one_line(item.title)}  ({_one_line(item.place) or 'Untitled'})")
            _print_passage(item, output)
        if not page.hits and not items:
            output.tell("No results.")
        elif page.more:
            output.tell(f"There are more than {len(page.hits):,}; --limit shows more.")
    if page.waiting:
        messages = f"{page.waiting:,} message{'' if page.waiting == 1 else 's'}"
        output.tell(f"The search is not complete: {messages} are not indexed yet. Search again to continue.")
    return DONE


async def _within(history: History, options: SearchOptions) -> SearchWithin:
    """Return what narrows the search. `UserError("usage")` for an unknown thread."""
    last = options.until
    return SearchWithin(
        thread_id=None if options.thread is None else (await history.find_thread(options.thread)).id,
        role=options.role,
        since=None if options.since is None else options.since.isoformat(),
        until=None if last is None or last == date.max else (last + timedelta(days=1)).isoformat(),
        model=options.model,
        marked=options.marked,
    )


def _print_passage(hit: SearchHit | FoundItem, output: Output) -> None:
    pieces = parted(Snippet(hit.snippet, hit.marks))
    output.marked_line([("    ", False), *((_one_line(text), marked) for text, marked in pieces)])


def _one_line(text: str) -> str:
    return text.replace("\n", " ")
