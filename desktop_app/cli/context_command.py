"""Owns `context`: what the next request would hold, in words or JSON. Sends nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from desktop_app.cli.context_changes import after_undoing, apply_change, event_words, list_events
from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import context_shape
from desktop_app.cli.options import ContextOptions
from desktop_app.cli.output import Output
from desktop_app.cli.remedies import ways_out
from desktop_app.cli.scratch import looking
from desktop_app.cli.threads_command import tell_unreadable
from desktop_app.composition import AppServices
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.attachment_facts import message_of
from desktop_app.core.context.limit_use import lowered_limit, use_words
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import crossing_question, older_messages, return_offered
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import JsonObject, Part, TextPart, Thread
from desktop_app.paths import DataPaths

CATEGORIES = ("system", "tools", "documents", "history", "summary", "draft", "overhead")
STATES = {
    "whole": "whole",
    "annotated": "annotated",
    "summarised": "summarised",
    "left_out": "left out",
    "pinned": "pinned",
    "excluded": "excluded",
}
DECISIONS = {
    "ok": "everything fits",
    "trim": "sending leaves out older messages",
    "refuse": "too long: nothing would be sent",
}


async def show_context(paths: DataPaths, environ: Mapping[str, str], options: ContextOptions, output: Output) -> int:
    """Prints the plan for sending the draft now, with `--request` also the exact request (null without a message).

    Raises `UserError` with "usage" for an unknown thread and "config" where no backend can be chosen.
    """
    async with looking(paths, environ) as services:
        for problem in services.preferences.problems:
            output.tell(problem)
        if options.events:
            return await list_events(services, options, output)
        return await _show(services, options, output)


async def change_context(services: AppServices, options: ContextOptions, output: Output) -> int:
    """Changes what is decided for the thread's context, and prints the plan as it then is."""
    await apply_change(services, options, output)
    return await _show(services, options, output)


async def _show(services: AppServices, options: ContextOptions, output: Output) -> int:
    thread = None if options.thread is None else await services.history.find_thread(options.thread)
    choice = await services.chat.choose(thread, backend=options.backend, model=options.model)
    if thread is None:
        opened = OpenThread.of(Thread("", "", "", ""), Conversation())
    else:
        opened = await services.chat.open_thread(thread.id)
        tell_unreadable(opened.conversation.path(opened.thread.tip), output)
    source = ContextSource(services.history, lambda: services.preferences.settings, Clock())
    prepared = await source.prepared(opened, choice)
    plan = prepared.plan(await _draft(services, opened.thread, options.draft))
    if options.undo:
        output.tell(after_undoing(plan))
    sendable = options.request and plan.pending is not None
    request = choice.backend.request(plan) if sendable else None
    own = None if thread is None else opened.thread.soft_limit
    if problem := lowered_limit(plan.model, plan.limits, services.preferences.settings.context, own):
        output.tell(problem)
    if options.json:
        shape = context_shape(plan, thread.id if thread is not None else None)
        output.json({**shape, "request": request} if options.request else shape)
    else:
        _print(plan, output)
        for way in ways_out(plan, thread.id if thread is not None else "THREAD"):
            output.line(way.line)
        if options.request:
            _print_request(request, output)
    return DONE


async def _draft(services: AppServices, thread: Thread, text: str | None) -> Sequence[Part]:
    """What would be sent: the text that was given, else what stands in the thread's composer."""
    if text is not None:
        return (TextPart(text),) if text else ()
    return message_of(thread.draft, await services.history.attachments(thread.id)) if thread.id else ()


def _print(plan: ContextPlan, output: Output) -> None:
    tokens, limits = plan.tokens, plan.limits
    window = f"{limits.window:,}" if limits.window_known else f"{limits.window:,} assumed"
    output.line(f"Model     {plan.model.id} through {plan.backend}, window {window}")
    output.line(f"Decision  {decision_words(plan)}")
    output.line(f"Tokens    {_tokens(plan)}")
    output.line(f"Limits    {limits.soft:,} soft, {limits.emergency:,} emergency; a trim goes down to {limits.low:,}")
    if plan.counts:
        output.line(f"Caps      {', '.join(map(use_words, plan.counts))}")
    for category in CATEGORIES:
        if count := getattr(tokens, category):
            output.line(f"  {category:<10}{count:>10,}")
    states = Counter("deleted" if placed.deleted else STATES[placed.state] for placed in plan.messages)
    if states:
        output.line("Messages  " + ", ".join(f"{count} {state}" for state, count in states.items()))
    if plan.cost_usd is not None:
        output.line(f"Cost      ${plan.cost_usd:.4f}, {plan.cached_tokens:,} tokens read from the cache")
    for warning in plan.warnings:
        output.line(f"Warning   {warning.message}")
    for event in plan.events:
        output.line(f"Event     {event_words(event)}")
    if plan.return_offer is not None:
        output.line(f"Return    {return_offered(plan.return_offer)} context THREAD --return does it.")
    if question := crossing_question(plan):
        output.line(f"Question  {question}")
    for item in plan.biggest:
        output.line(f"  {item.tokens:>10,}  {item.label}")


def _tokens(plan: ContextPlan) -> str:
    tokens = plan.tokens
    if tokens.source == "measured":
        by = f" by {plan.counted_by}, not sent to a model" if plan.counted_by else ""
        return f"{tokens.total:,} counted{by}"
    if tokens.bound:
        return f"up to {tokens.total:,} ({tokens.expected:,} ±{2 * tokens.sigma:,} {tokens.source})"
    return f"{tokens.total:,} ±{2 * tokens.sigma:,} {tokens.source}"


def decision_words(plan: ContextPlan) -> str:
    """What sending would do."""
    if plan.newly_returned:
        return f"sending takes back {older_messages(plan.newly_returned)}"
    if plan.decision == "ok" and plan.tokens.total > plan.limits.soft:
        return "over the soft limit, sent as it is"
    return DECISIONS[plan.decision]


def _print_request(request: JsonObject | None, output: Output) -> None:
    if request is None:
        output.line("Request   none: there is nothing to send yet; give --draft")
    else:
        output.line(json.dumps(request, ensure_ascii=False, indent=2))
