"""Owns what `context` changes of a thread, and the list of what happened to its context. Plans nothing."""

from __future__ import annotations

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import event_shape
from desktop_app.cli.options import ContextOptions
from desktop_app.cli.output import Output
from desktop_app.composition import AppServices
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.boundaries import boundary_history
from desktop_app.core.context.plan import ContextEvent, ContextPlan
from desktop_app.core.context.plan_text import dollars, trim_line
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import StoredEvent
from desktop_app.core.messages import TextPart

EVENTS = {
    "trimmed": "{messages} left out, {before} -> {after} tokens",
    "fresh_start": "started fresh, {messages} left out, {before} -> {after} tokens",
    "summarised": "{messages} condensed into a summary, {before} -> {after} tokens",
    "cache_rewritten": "the cache is rewritten, {before} -> {after} tokens",
    "returned": "{messages} taken back, {before} -> {after} tokens",
    "undone": "what was left out is sent again, {before} -> {after} tokens",
    "limit_passed": "what must stay is {before} tokens, more than the soft limit of {after}",
    "refused": "{before} tokens, more than the emergency limit of {after}",
    "learned_window": "the provider takes {after} tokens, not {before}",
}


async def apply_change(services: AppServices, options: ContextOptions, output: Output) -> None:
    """Takes the newest step back, sends what it left out again, or sets the thread's own soft limit.

    `UserError("usage")`: there is nothing to undo, or nothing that fits again.
    """
    thread = await services.history.find_thread(options.thread or "")
    if options.undo:
        await _undo(services, await services.chat.open_thread(thread.id))
    if options.return_:
        await _bring_back(services, thread.id, options, output)
    if options.soft_limit is not None:
        await services.chat.set_soft_limit(thread.id, options.soft_limit or None)


async def _bring_back(services: AppServices, thread_id: str, options: ContextOptions, output: Output) -> None:
    prepared = await services.chat.prepared(thread_id)
    plan = prepared.plan((TextPart(options.draft),) if options.draft else ())
    if plan.newly_returned:
        output.tell("The next message takes it back anyway")
        return
    if plan.return_offer is None:
        raise UserError("usage", f"Nothing to take back: nothing that thread {thread_id[:8]} leaves out fits again.")
    await services.chat.context_editing.bring_boundary_back(thread_id, plan.return_offer.carrier)
    output.tell("The next message takes it back")


async def _undo(services: AppServices, opened: OpenThread) -> None:
    thread, choices = opened.thread, opened.thread.choices
    newest = boundary_history(opened.path, choices.undone).boundaries[-1]
    if newest.carrier >= 0 and choices.return_from == opened.path[newest.carrier].id:
        await services.chat.context_editing.bring_boundary_back(thread.id, None)
        return
    fresh = next((place for place, message in enumerate(opened.path) if message.id == choices.fresh_from), -1)
    if newest.carrier < 0 and fresh < 0:
        raise UserError("usage", f"Nothing to undo: nothing of thread {thread.id[:8]} is left out.")
    if fresh >= newest.carrier:
        await services.chat.context_editing.start_fresh(thread.id, None)
    else:
        await services.chat.context_editing.undo_trim(thread.id, opened.path[newest.carrier].id)


def after_undoing(plan: ContextPlan) -> str:
    """What the next request does now: often more is sent, sometimes another step follows at once."""
    if plan.decision == "refuse":
        return "Undone. The next request would then be too long to send."
    if plan.decision == "trim":
        return f"Undone, but the next request passes the limit again: {trim_line(plan.newly_left_out)}."
    return "Undone"


async def list_events(services: AppServices, options: ContextOptions, output: Output) -> int:
    """Prints every context event of a thread, oldest first."""
    thread = await services.history.find_thread(options.thread or "")
    stored = await services.chat.context_events(thread.id)
    if options.json:
        output.json([event_shape(one) for one in stored])
        return DONE
    for one in stored:
        output.line(_line(one))
    if not stored:
        output.tell("Nothing happened to the context of this thread yet.")
    return DONE


def _line(stored: StoredEvent) -> str:
    price = f" · {dollars(stored.cost_usd)}" if stored.cost_usd else ""
    return f"{stored.at}  {event_words(stored.event)} · {stored.event.model}{price}"


def event_words(event: ContextEvent) -> str:
    """What the event did to the thread's context; a kind without words of its own is named."""
    words = EVENTS.get(event.kind, event.kind)
    if event.before == event.after:
        words = words.replace("{before} -> {after}", "{after}")
    messages = f"{event.messages:,} message{'' if event.messages == 1 else 's'}"
    return words.format(messages=messages, before=f"{event.before:,}", after=f"{event.after:,}")
