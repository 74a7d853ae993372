"""Owns the JSON shapes that scripts may rely on (PRODUCT.md section 6). Knows no command and no stream."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.controller.formats.part_json import part_to_json
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.history import EventCount, LedgerRow, SearchHit
from desktop_app.core.ledger import Facet, Share, Totals, event_totals, grouped, totals
from desktop_app.core.messages import Failure, Json, JsonObject, Message, Thread, ThreadSummary, Usage


def context_shape(plan: ContextPlan, thread_id: str | None) -> dict[str, Json]:
    """The plan as `context --json` prints it, counts in tokens; `thread` null for a thread that is not there yet."""
    tokens, limits = plan.tokens, plan.limits
    return {
        "thread": thread_id,
        "backend": plan.backend,
        "model": plan.model.id,
        "decision": plan.decision,
        "limits": {
            "window": limits.window,
            "soft": limits.soft,
            "low": limits.low,
            "emergency": limits.emergency,
        },
        "tokens": {
            "total": tokens.total,
            "sigma": tokens.sigma,
            "source": tokens.source,
            "system": tokens.system,
            "tools": tokens.tools,
            "documents": tokens.documents,
            "history": tokens.history,
            "summary": tokens.summary,
            "draft": tokens.draft,
            "overhead": tokens.overhead,
        },
        "messages": [
            {
                "id": placed.id,
                "role": placed.role,
                "state": placed.state,
                "tokens": placed.tokens,
                "reason": placed.reason,
            }
            for placed in plan.messages
        ],
        "cost_usd": plan.cost_usd,
        "cached_tokens": plan.cached_tokens,
        "events": [
            {
                "kind": event.kind,
                "before": event.before,
                "after": event.after,
                "messages": event.messages,
                "model": event.model,
            }
            for event in plan.events
        ],
    }


def usage_shape(usage: Usage) -> dict[str, Json]:
    """What one call used, in tokens; `cost_usd` null where it is unknown."""
    return {
        "input": usage.input,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "output": usage.output,
        "cost_usd": usage.cost_usd,
    }


def ledger_shape(rows: Sequence[LedgerRow], events: Sequence[EventCount]) -> dict[str, Json]:
    """What `usage` prints: models and purposes dearest first, days (UTC) newest first; events counted in the total."""

    def by(facet: Facet) -> list[Json]:
        return [{facet: group.key, **_totals_shape(group.totals)} for group in grouped(rows, facet)]

    return {
        "total": {**_totals_shape(totals(rows)), "events": event_totals(events)},
        "by_model": by("model"),
        "by_day": by("day"),
        "by_purpose": by("purpose"),
    }


def _totals_shape(sums: Totals) -> dict[str, Json]:
    """Tokens, and dollars of the `priced` calls: in all, billed, covered by a plan (at list price) and free."""
    return {
        "calls": sums.calls,
        "input": sums.input,
        "cache_read": sums.cache_read,
        "cache_write": sums.cache_write,
        "output": sums.output,
        **_share_shape(Share(sums.calls, sums.priced, sums.cost_usd)),
        "money": _share_shape(sums.money),
        "plan": _share_shape(sums.plan),
        "free": _share_shape(sums.free),
    }


def _share_shape(share: Share) -> dict[str, Json]:
    """`cost_usd` null where no call's cost is known."""
    known = share.priced or not share.calls
    return {"calls": share.calls, "priced": share.priced, "cost_usd": share.cost_usd if known else None}


def error_shape(failure: Failure, thread_id: str | None) -> JsonObject:
    """The last line of a turn that did not end well."""
    return {
        "type": "error",
        "code": failure.code,
        "message": failure.message,
        "thread": thread_id,
        "actions": list(failure.actions),
    }


def thread_shape(summary: ThreadSummary) -> dict[str, Json]:
    """One line of `threads`."""
    thread = summary.thread
    return {
        "id": thread.id,
        "title": thread.title,
        "created": thread.created,
        "updated": thread.updated,
        "backend": thread.backend,
        "model": thread.model,
        "messages": summary.messages,
        "project": thread.project,
        "pinned": thread.pinned,
        "archived": thread.archived,
    }


def hit_shape(hit: SearchHit) -> dict[str, Json]:
    """One hit of `search`."""
    return {
        "thread": hit.thread_id,
        "message": hit.message_id,
        "role": hit.role,
        "title": hit.title,
        "snippet": hit.snippet,
        "created": hit.created,
    }


def conversation_shape(thread: Thread, messages: tuple[Message, ...]) -> dict[str, Json]:
    """What `show` prints."""
    return {
        "id": thread.id,
        "title": thread.title,
        "messages": [_message_shape(message) for message in messages],
        "draft": thread.draft,
    }


def _message_shape(message: Message) -> dict[str, Json]:
    return {
        "id": message.id,
        "parent": message.parent_id,
        "role": message.role,
        "text": message.text,
        "parts": [part_to_json(part) for part in message.parts],
        "state": message.state,
        "created": message.created,
        "model": message.model,
        "usage": None if message.usage is None else usage_shape(message.usage),
    }
