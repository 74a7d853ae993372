"""Runs `context`: shows what the next request would hold, changes it, lists what happened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from desktop_app.cli.command_process import DONE, Output
from desktop_app.cli.history_commands import tell_unreadable
from desktop_app.cli.options import ContextOptions
from desktop_app.cli.plan_shapes import attention_shape, choice_shape, context_shape, event_shape, ways_out
from desktop_app.cli.upkeep_commands import looking
from desktop_app.composition import AppServices
from desktop_app.controller.model_selection import own_limit
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.attachment_facts import message_of
from desktop_app.core.context.boundaries import boundary_history
from desktop_app.core.context.dead_weight import dead_weight
from desktop_app.core.context.limits import limit_assumed, lowered_limit, use_words
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import (
    assumed_words,
    crossing_question,
    dollars,
    files_words,
    older_messages,
    return_offered,
    trim_line,
)
from desktop_app.core.context.summary_request import summary_facts
from desktop_app.core.context.what_if import PlanChoice
from desktop_app.core.conversation import Conversation
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ContextEvent, StoredEvent
from desktop_app.core.messages import JsonObject, Part, TextPart, Thread
from desktop_app.core.model_catalog import shipped_name
from desktop_app.paths import DataPaths

EVENTS = {
    "trimmed": "{messages} left out, {change} tokens",
    "fresh_start": "started fresh, {messages} left out, {change} tokens",
    "summarised": "{messages} condensed into a summary, {change} tokens",
    "cache_rewritten": "the cache is rewritten, {change} tokens",
    "returned": "{messages} taken back, {change} tokens",
    "undone": "what was left out is sent again, {change} tokens",
    "limit_passed": "what must stay is {before} tokens, more than the soft limit of {after}",
    "refused": "{before} tokens, more than the emergency limit of {after}",
    "learned_window": "the provider takes {after} tokens, not {before}",
}


async def _bring_back(services: AppServices, thread_id: str, options: ContextOptions, output: Output) -> None:
    prepared = await services.chat.prepared(thread_id)
    plan = prepared.plan((TextPart(options.draft),) if options.draft else ())
    if plan.placement.newly_returned:
        output.tell("The next message brings it back anyway")
        return
    if plan.advice.return_offer is None:
        raise UserError("usage", f"Nothing to bring back: nothing that thread {thread_id[:8]} leaves out fits again.")
    await services.chat.context_editing.bring_boundary_back(thread_id, plan.advice.return_offer.carrier)
    output.tell("The next message brings it back")


async def _undo(services: AppServices, opened: OpenThread) -> None:
    thread, choices = opened.thread, opened.thread.choices
    newest = boundary_history(opened.path, choices.undone).boundaries[-1]
    if newest.carrier >= 0 and choices.return_from == opened.path[newest.carrier].id:
        await services.chat.context_editing.bring_boundary_back(thread.id, None)
        return
    fresh = next((place for place, message in enumerate(opened.path) if message.id == choices.fresh_from), -1)
    if newest.carrier < 0 and fresh < 0:
        raise UserError("usage", f"Nothing to undo: nothing of thread {thread.id[:8]} is left out.")
    # a load line that was moved stands where the user wants it, whatever step was made after the messages there
    if fresh >= newest.carrier or (fresh >= 0 and choices.keeps_start):
        await services.chat.context_editing.start_fresh(thread.id, None)
    else:
        await services.chat.context_editing.undo_trim(thread.id, opened.path[newest.carrier].id)


def after_undoing(plan: ContextPlan) -> str:
    """Return what the next request does now: often more is sent, sometimes another step follows at once."""
    if plan.decision == "refuse":
        return "Undone. The next request would then be too long to send."
    if plan.decision == "trim":
        left_out = trim_line(plan.placement.newly_left_out, plan.placement.leaving)
        return f"Undone, but the next request passes the limit again: {left_out}."
    return "Undone"


async def list_events(services: AppServices, options: ContextOptions, output: Output) -> int:
    """Prints every context event of a thread, oldest first."""
    thread = await services.history.find_thread(options.thread or "")
    stored = await services.chat.journal.of(thread.id)
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
    return f"{stored.at}  {event_words(stored.event)} · {shipped_name(stored.event.model)}{price}"


def event_words(event: ContextEvent) -> str:
    """Return what the event did to the thread's context; a kind without words of its own is named."""
    words = EVENTS.get(event.kind, event.kind)
    before, after = f"{event.before:,}", f"{event.after:,}"
    change = after if before == after else f"{before} -> {after}"
    messages = f"{event.messages:,} message{'' if event.messages == 1 else 's'}"
    return words.format(messages=messages, before=before, after=after, change=change)


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
    thread = await services.history.find_thread(options.thread or "")
    if options.undo:
        await _undo(services, await services.chat.open_thread(thread.id))
    if options.return_:
        await _bring_back(services, thread.id, options, output)
    if options.soft_limit is not None:
        await services.chat.set_soft_limit(thread.id, options.soft_limit or None)
    return await _show(services, options, output)


async def _show(services: AppServices, options: ContextOptions, output: Output) -> int:
    thread = None if options.thread is None else await services.history.find_thread(options.thread)
    choice = await services.chat.chooser.choose(thread, backend=options.backend, model=options.model)
    if thread is None:
        opened = OpenThread.of(Thread("", "", "", ""), Conversation())
    else:
        opened = await services.chat.open_thread(thread.id)
        tell_unreadable(opened.conversation.path(opened.thread.tip), output)
    draft = await _draft(services, opened.thread, options.draft)
    if options.what_if:
        of = None if thread is None else thread.id
        choices = await services.chat.compare_choices(of, draft, backend=options.backend, model=options.model)
        priced = {name for name, one in services.backends.items() if one.cost_kind == "money"}
        return _print_choices(choices, priced, options, output)
    prepared = await services.chat.context.prepared(opened, choice)
    plan = prepared.plan(draft)
    if options.undo:
        output.tell(after_undoing(plan))
    sendable = options.request and plan.request.pending is not None
    request = choice.backend.request(plan) if sendable else None
    project = await services.projects.of_thread(opened.thread)
    own = own_limit(opened.thread, project)
    if problem := lowered_limit(plan.model, plan.limits, services.preferences.settings.context, own):
        output.tell(problem)
    messages = {message.id: message for message in opened.path}
    unused = dead_weight(plan, messages)
    missing = {
        summary.id: summary_facts([messages[one] for one in summary.sources]).missing(summary.text)
        for summary in opened.thread.choices.summaries
        if all(one in messages for one in summary.sources)
    }
    if options.json:
        shape = context_shape(plan, thread.id if thread is not None else None) | attention_shape(unused, missing)
        output.json({**shape, "request": request} if options.request else shape, ours=not options.request)
    else:
        _print(plan, output)
        for one in unused:
            output.line(f"Unused    {one.tokens:,} tokens for {one.turns} turns: message {one.id}{LEAVES[one.leaves]}")
        for name, lack in missing.items():
            if lack:
                output.line(f"Summary   {name} lacks {', '.join((*lack.numbers, *lack.names, *lack.paths))}")
        for way in ways_out(plan, thread.id if thread is not None else "THREAD"):
            output.line(way.line)
        if options.request:
            _print_request(request, output)
    return DONE


LEAVES = {True: ", left out first at the next step", False: ""}
CHOICES = {
    "as_is": "As it is",
    "soft_limit": "Step now",
    "raised": "Limit {limit:,}",
    "summary": "After a summary",
    "model": "{model}",
}


def _print_choices(
    choices: Sequence[PlanChoice], priced: Collection[str], options: ContextOptions, output: Output
) -> int:
    """Prints what the draft could be sent as; prices are before anything is answered, and of `priced` backends only."""
    if options.json:
        output.json([choice_shape(one) for one in choices])
        return DONE
    output.line(f"{'':<24}{'Tokens':>10}{'Now':>15}{'20 turns':>11}{'Left out':>10}")
    for one in choices:
        plan = one.plan
        name = CHOICES[one.choice].format(limit=plan.limits.soft, model=plan.model.name)
        left, costs = plan.placement.left_out, (one.cost_usd, one.cost_20_turns_usd)
        now, later = map(_exact, costs) if plan.backend in priced else ("-", "-")
        if plan.decision == "refuse":
            now = "too long"
        elif plan.price.at_most and now != "-":
            now = f"up to {now}"
        output.line(f"{name[:23]:<24}{plan.tokens.total:>10,}{now:>15}{later:>11}{left:>10,}")
    if any(one.findable for one in choices):
        output.line("What is left out the model can look up.")
    return DONE


def _exact(cost: float | None) -> str:
    return "-" if cost is None else f"${cost:.4f}"


async def _draft(services: AppServices, thread: Thread, text: str | None) -> Sequence[Part]:
    """Return what would be sent: the text that was given, else the text in the thread's composer."""
    if text is not None:
        return (TextPart(text),) if text else ()
    return message_of(thread.draft, await services.history.attachments(thread.id)) if thread.id else ()


def _model(plan: ContextPlan) -> str:
    model = plan.model
    return model.name if model.name == model.id else f"{model.name} ({model.id})"


def _print(plan: ContextPlan, output: Output) -> None:
    tokens, limits = plan.tokens, plan.limits
    window = f"{limits.window:,}" if limits.window_known else f"{limits.window:,} assumed"
    output.line(f"Model     {_model(plan)} through {plan.backend}, window {window}")
    output.line(f"Decision  {decision_words(plan)}")
    output.line(f"Tokens    {token_words(plan)}")
    guess = ", assumed" if limit_assumed(plan) else ""
    down = f"a trim goes down to {limits.low:,}{guess}"
    output.line(f"Limits    {limits.soft:,} soft, {limits.emergency:,} emergency; {down}")
    if plan.advice.counts:
        output.line(f"Caps      {', '.join(map(use_words, plan.advice.counts))}")
    for category in CATEGORIES:
        if count := getattr(tokens, category):
            output.line(f"  {category:<10}{count:>10,}")
    for line in _documents(plan):
        output.line(line)
    if plan.request.tools:
        output.line("Offered   " + ", ".join(tool.told or tool.name for tool in plan.request.tools))
    states = Counter("deleted" if placed.deleted else STATES[placed.state] for placed in plan.placement.messages)
    if states:
        output.line("Messages  " + ", ".join(f"{count} {state}" for state, count in states.items()))
    if plan.price.cost_usd is not None:
        cost = f"{'up to ' if plan.price.at_most else ''}${plan.price.cost_usd:.4f}"
        output.line(f"Cost      {cost}, {plan.price.cached_tokens:,} tokens read from the cache")
    for warning in plan.advice.warnings:
        output.line(f"Warning   {warning.message}")
    for event in plan.advice.events:
        output.line(f"Event     {event_words(event)}")
    if plan.advice.return_offer is not None:
        output.line(f"Return    {return_offered(plan.advice.return_offer)} context THREAD --return does it.")
    if question := crossing_question(plan):
        output.line(f"Question  {question}")
    for item in plan.advice.biggest:
        output.line(f"  {item.tokens:>10,}  {item.label}")


def _documents(plan: ContextPlan) -> Iterator[str]:
    """The project's documents: each that is always included, then how many are searched or can't be."""
    always = [document for document in plan.placement.documents if document.mode == "always"]
    others = Counter(document.state for document in plan.placement.documents if document.mode == "search")
    if not plan.placement.documents:
        return
    told = [f"{len(always):,} always included"] if always else []
    told += [f"{others['searched']:,} searched"] if others["searched"] else []
    told += [f"{others['left_out']:,} not read"] if others["left_out"] else []
    yield f"Documents {', '.join(told)}"
    for document in always:
        price = f" · {dollars(document.cost_usd)}" if document.cost_usd else ""
        why = f" · {document.reason}" if document.state != "whole" else ""
        tokens = document.whole if document.state == "whole" else 0
        yield f"  {tokens:>10,}  {document.name}{price}{why}"


def token_words(plan: ContextPlan) -> str:
    """Return the tokens of a plan, how far they may be off, and who counted."""
    if (tokens := plan.tokens).source == "measured":
        by = f" by {plan.counted_by}, not sent to a model" if plan.counted_by else ""
        return f"{tokens.total:,} counted{by}"
    if tokens.bound:
        return f"up to {tokens.total:,} ({tokens.expected:,} ±{tokens.doubt:,} {tokens.source})"
    doubt = f" ±{tokens.doubt:,}" if tokens.doubt else ""
    return f"{tokens.total:,}{doubt} {'counted' if tokens.counted else tokens.source}"


def decision_words(plan: ContextPlan) -> str:
    """Return in words what sending would do."""
    if plan.placement.newly_returned:
        return f"sending takes back {older_messages(plan.placement.newly_returned)}"
    if plan.decision == "ok" and plan.tokens.total > plan.limits.soft:
        return "over the soft limit, sent as it is"
    files = files_words(plan.placement.leaving) if plan.decision == "trim" else ""
    words = DECISIONS[plan.decision] + (f" and {files}" if files else "")
    return "; ".join((words, *assumed_words(plan)))


def _print_request(request: JsonObject | None, output: Output) -> None:
    if request is None:
        output.line("Request   none: there is nothing to send yet; give --draft")
    else:
        output.line(json.dumps(request, ensure_ascii=False, indent=2))
