"""Owns `context`: what the next request would hold, in words or JSON. Sends nothing and changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from desktop_app.cli.options import ContextOptions
from desktop_app.cli.output import Output
from desktop_app.cli.scratch import looking
from desktop_app.cli.shapes import context_shape
from desktop_app.cli.statuses import DONE
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.plan import ContextEvent, ContextPlan
from desktop_app.core.context.words import crossing_question
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import JsonObject, TextPart, Thread
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
EVENTS = {
    "trimmed": "{messages} left out, {before} -> {after} tokens",
    "fresh_start": "started fresh, {messages} left out, {before} -> {after} tokens",
    "summarised": "{messages} condensed into a summary, {before} -> {after} tokens",
    "cache_rewritten": "the cache is rewritten, {before} -> {after} tokens",
    "undone": "what was left out is sent again, {before} -> {after} tokens",
    "limit_passed": "what must stay is {before} tokens, more than the soft limit of {after}",
    "refused": "{before} tokens, more than the emergency limit of {after}",
}


async def show_context(paths: DataPaths, environ: Mapping[str, str], options: ContextOptions, output: Output) -> int:
    """Prints the plan for sending the draft now, with `--request` also the exact request (null without a message).

    Raises `UserError` with "usage" for an unknown thread and "config" where no backend can be chosen.
    """
    async with looking(paths, environ) as services:
        for problem in services.preferences.problems:
            output.tell(problem)
        thread = None if options.thread is None else await services.history.find_thread(options.thread)
        choice = await services.chat.choose(thread, backend=options.backend, model=options.model)
        if thread is None:
            opened = OpenThread.of(Thread("", "", "", ""), Conversation())
        else:
            opened = await services.chat.open_thread(thread.id)
        source = ContextSource(services.history, lambda: services.preferences.settings, Clock())
        prepared = await source.prepared(opened, choice)
        plan = prepared.plan((TextPart(options.draft),) if options.draft else ())
        sendable = options.request and plan.pending is not None
        request = choice.backend.request(plan) if sendable else None
    if options.json:
        shape = context_shape(plan, thread.id if thread is not None else None)
        output.json({**shape, "request": request} if options.request else shape)
    else:
        _print(plan, output)
        if options.request:
            _print_request(request, output)
    return DONE


def _print(plan: ContextPlan, output: Output) -> None:
    tokens, limits = plan.tokens, plan.limits
    window = f"{limits.window:,}" if limits.window_known else f"{limits.window:,} assumed"
    output.line(f"Model     {plan.model.id} through {plan.backend}, window {window}")
    output.line(f"Decision  {DECISIONS[plan.decision]}")
    output.line(f"Tokens    {tokens.total:,} ±{2 * tokens.sigma:,} {tokens.source}")
    output.line(f"Limits    {limits.soft:,} soft, {limits.emergency:,} emergency; a trim goes down to {limits.low:,}")
    for category in CATEGORIES:
        if count := getattr(tokens, category):
            output.line(f"  {category:<10}{count:>10,}")
    states = Counter(placed.state for placed in plan.messages)
    if states:
        output.line("Messages  " + ", ".join(f"{count} {STATES[state]}" for state, count in states.items()))
    if plan.cost_usd is not None:
        output.line(f"Cost      ${plan.cost_usd:.4f}, {plan.cached_tokens:,} tokens read from the cache")
    for warning in plan.warnings:
        output.line(f"Warning   {warning.message}")
    for event in plan.events:
        output.line(f"Event     {_event(event)}")
    if question := crossing_question(plan):
        output.line(f"Question  {question}")
    for item in plan.biggest:
        output.line(f"  {item.tokens:>10,}  {item.label}")


def _event(event: ContextEvent) -> str:
    """What the request does to the thread's context; a kind without words of its own is named."""
    words = EVENTS.get(event.kind, event.kind)
    messages = f"{event.messages:,} message{'' if event.messages == 1 else 's'}"
    return words.format(messages=messages, before=f"{event.before:,}", after=f"{event.after:,}")


def _print_request(request: JsonObject | None, output: Output) -> None:
    if request is None:
        output.line("Request   none: there is nothing to send yet; give --draft")
    else:
        output.line(json.dumps(request, ensure_ascii=False, indent=2))
