"""The JSON shapes of plans, projects and usage (PRODUCT.md section 6); the commands that help against a refusal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from desktop_app.cli.json_shapes import fields_of
from desktop_app.controller.project_library import WeighedDocuments
from desktop_app.core.context.dead_weight import DeadWeight
from desktop_app.core.context.limits import limit_assumed, spoken_rows
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import CachePromise, ContextPlan, PlacedMessage
from desktop_app.core.context.plan_questions import Remedy, refusal_remedies
from desktop_app.core.context.plan_text import price
from desktop_app.core.context.summary_request import SummaryFacts
from desktop_app.core.context.what_if import PlanChoice
from desktop_app.core.history_records import EventCount, LedgerRow, StoredEvent
from desktop_app.core.messages import Json
from desktop_app.core.projects import FolderChange, Project
from desktop_app.core.usage_totals import Facet, UsageShare, UsageTotals, event_totals, grouped, totals

NOT_SENT: Final = frozenset(("left_out", "excluded", "summarised"))
"""States of messages that are not part of a request."""


def context_shape(
    plan: ContextPlan, thread_id: str | None, rows: Iterable[PlacedMessage] | None = None
) -> dict[str, Json]:
    """The plan as `context --json` prints it, in tokens; `thread` null for a new one. `rows`: of messages."""
    tokens = plan.tokens
    told = ToolTokens.of(plan.request.tools, plan.model.tokenizer)
    found = {name: (count, 0) for name, count in told.found.items()}
    servers: list[Json] = [
        {"server": name, "tools": count, "tokens": own, "found_when_needed": name in found}
        for name, (count, own) in (told.by_server(tokens.tools) | found).items()
    ]
    return {
        "thread": thread_id,
        "backend": plan.backend,
        "model": plan.model.id,
        "decision": plan.decision,
        "limits": fields_of(plan.limits, "window soft low emergency"),
        **({"limit_assumed": True} if limit_assumed(plan) else {}),
        "tokens": fields_of(
            tokens, "total expected sigma source system tools documents history summary draft overhead"
        ),
        **({"tool_servers": servers} if servers else {}),
        "messages": [
            fields_of(placed, "id role state tokens reason")
            for placed in (plan.placement.messages if rows is None else rows)
        ],
        "documents": [
            {
                **fields_of(document, "id name mode"),
                "tokens": document.whole if document.state == "whole" else 0,
                "state": document.state,
            }
            for document in plan.placement.documents
        ],
        **fields_of(plan.price, "cost_usd at_most cached_tokens"),
        "cache": _cache_shape(plan.price.cache),
        "events": [fields_of(event, "kind before after messages model") for event in plan.advice.events],
        "warnings": [fields_of(warning, "code used cap message") for warning in plan.advice.warnings],
    }


def attention_shape(unused: Iterable[DeadWeight], missing: Mapping[str, SummaryFacts]) -> dict[str, Json]:
    """Return what of a thread deserves a look, where there is any: its dead weight, what its summaries (by id) lack."""
    weights: list[Json] = [fields_of(one, "id tokens turns leaves") for one in unused]
    lacks: list[Json] = [
        {"id": name, "numbers": list(lack.numbers), "names": list(lack.names), "paths": list(lack.paths)}
        for name, lack in missing.items()
        if lack
    ]
    return {**({"unused": weights} if weights else {}), **({"not_in_summaries": lacks} if lacks else {})}


def _cache_shape(cache: CachePromise) -> dict[str, Json]:
    """`until` as ISO 8601 in UTC; null unless promised."""
    until = cache.until and f"{datetime.fromtimestamp(cache.until, UTC):%Y-%m-%dT%H:%M:%SZ}"
    return {"state": cache.state, "tokens": cache.tokens, "until": until, "ttl": cache.lifetime}


def sent_shape(plan: ContextPlan, placed: Sequence[PlacedMessage], counted: int) -> dict[str, Json]:
    """Return the parts of a turn's request, as `done` has it: questions and answers, the new question included.

    `messages` are those of the thread: `kept` and `left_out` of them, the latter for whatever reason. `placed`: all
    rows of the plan. `counted`: its tokens by the provider's count; 0: nobody counted them.
    """
    messages = tuple(message for message in placed if not message.deleted)
    asked = plan.request.is_drafted
    rows = tuple(spoken_rows(messages))
    kept = sum(messages[row].state not in NOT_SENT for row in rows)
    # an answer is annotated where any of its rounds is
    noted = (row for row, message in enumerate(messages) if message.state == "annotated")
    annotated = len({bisect_right(rows, row) for row in noted} - {0})
    return {
        "messages": len(rows) + asked,
        "kept": kept + asked,
        "left_out": len(rows) - kept,
        "annotated": annotated,
        "tokens": counted or plan.tokens.total,
        **fields_of(plan.limits, "low soft emergency"),
    }


def choice_shape(one: PlanChoice) -> dict[str, Json]:
    """One row of `context --what-if`; prices null where they are unknown, or nothing would be sent."""
    return {
        "choice": one.choice,
        "backend": one.plan.backend,
        "model": one.plan.model.id,
        "soft_limit": one.plan.limits.soft,
        "tokens": one.plan.tokens.total,
        "decision": one.plan.decision,
        "cost_usd": one.cost_usd,
        "at_most": one.plan.price.at_most,
        "cost_20_turns_usd": one.cost_20_turns_usd,
        "left_out": one.plan.placement.left_out,
        "findable": one.findable,
    }


def event_shape(stored: StoredEvent) -> dict[str, Json]:
    """One line of `context --events`; `cost_usd` is what the request was expected to cost, null where unknown."""
    event = fields_of(stored.event, "kind before after messages model")
    return {"at": stored.at, **event, "cost_usd": stored.cost_usd}


def ledger_shape(rows: Sequence[LedgerRow], events: Sequence[EventCount]) -> dict[str, Json]:
    """The output of `usage`: models and purposes dearest first, days (UTC) newest first; events counted in all."""

    def by(facet: Facet) -> list[Json]:
        return [{facet: group.key, **_totals_shape(group.totals)} for group in grouped(rows, facet)]

    return {
        "total": {**_totals_shape(totals(rows)), "events": event_totals(events)},
        "by_model": by("model"),
        "by_day": by("day"),
        "by_purpose": by("purpose"),
        "by_backend": by("backend"),
    }


def _totals_shape(sums: UsageTotals) -> dict[str, Json]:
    """Tokens, and dollars of the `priced` calls: in all, billed, covered by a plan (at list price) and free."""
    return {
        **fields_of(sums, "calls input cache_read cache_write output"),
        **_share_shape(UsageShare(sums.calls, sums.priced, sums.cost_usd)),
        "money": _share_shape(sums.money),
        "plan": _share_shape(sums.plan),
        "free": _share_shape(sums.free),
    }


def _share_shape(share: UsageShare) -> dict[str, Json]:
    """`cost_usd` null where no call's cost is known."""
    known = share.priced or not share.calls
    return {"calls": share.calls, "priced": share.priced, "cost_usd": share.cost_usd if known else None}


def project_shape(
    project: Project, weighed: WeighedDocuments, threads: Sequence[Json], changes: Sequence[FolderChange]
) -> dict[str, Json]:
    """Return the output of `project show`."""
    return {
        **fields_of(project, "name instructions"),
        "documents": [
            {
                "id": document.id,
                "name": document.name,
                "type": document.media_type,
                **fields_of(document, "tokens mode state"),
                "error": document.error or None,
                "note": str(weighed.instead.get(document.id, document.note)) or None,
            }
            for document in weighed.documents
        ],
        "changes": [fields_of(one, "kind path") for one in changes],
        "threads": threads,
    }


def refusal_shape(plan: ContextPlan, thread_id: str) -> dict[str, Json]:
    """The further fields of a refused request's `error`: its largest parts, and the commands that help."""
    return {
        "largest": [{"label": item.label, "tokens": item.tokens, "message": item.id} for item in plan.advice.biggest],
        "remedies": [fields_of(way, "action words command") for way in ways_out(plan, thread_id)],
    }


@dataclass(frozen=True, slots=True)
class WayOut:
    """One thing that can be done about a refusal: its action id, in words, and the command that does it."""

    action: str
    words: str
    command: str

    @property
    def line(self) -> str:
        return f"  {self.words}: {self.command}"


def ways_out(plan: ContextPlan, thread_id: str) -> tuple[WayOut, ...]:
    """Return what helps against this refusal, best first; a new conversation is always among it."""
    remedies = refusal_remedies(plan)
    found = [_way_out(remedy, thread_id[:8]) for remedy in remedies]
    if remedies and not any(remedy.action == "new_thread" for remedy in remedies):
        # alone the message is too long as well
        found.append(WayOut("new_thread", "Start a new conversation with a shorter message", "plimsoll ask TEXT"))
    return tuple(found)


def _way_out(remedy: Remedy, thread: str) -> WayOut:

    words = _WORDS.get(remedy.action) or remedy.label()
    if remedy.cost_usd:
        words = f"{words} · {price(remedy.cost_usd, remedy.most_usd, at_most=remedy.at_most)}"
    command = _COMMANDS.get(remedy.action, "plimsoll --open {thread}")
    return WayOut(remedy.action, words, command.format(thread=thread, limit=remedy.limit))


_WORDS = {"new_thread": "Start a new conversation with this message"}


_COMMANDS = {
    "raise_limit": "plimsoll context {thread} --soft-limit {limit}",
    "set_limit": 'plimsoll --open {thread}, or window under [models."ID"] in settings.toml',
    "edit_draft": "plimsoll ask --thread {thread} TEXT",
    "shorten_document": "plimsoll ask --thread {thread} --attach FILE --first-tokens {limit} TEXT",
    "remove_document": "plimsoll ask --thread {thread} TEXT, without this --attach",
    "edit_system": "plimsoll ask --thread {thread} --system TEXT",
    "new_thread": "plimsoll ask TEXT",
    "switch_model": "plimsoll ask --thread {thread} --model M; plimsoll models lists them",
    "undo_trim": "plimsoll context {thread} --undo",
    "tools_off": "plimsoll tools remove SERVER, or switch it off in the window",
    "send_anyway": "plimsoll ask --thread {thread} --send-anyway TEXT",
}
"""The commands of the ways out. An action of the window is done there, in the thread that is opened."""
