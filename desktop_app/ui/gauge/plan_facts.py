"""The words about a plan on the gauge: its reading on the strip, and the popover's facts as pairs. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.context.costs import prices_for, uncached_cost
from desktop_app.core.context.limits import NEAR_FROM, guess_decides, nearest_limit
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import (
    GaugeState,
    gauge_line,
    gauge_sentence,
    gauge_state,
    limit_preview,
    turns_words,
)
from desktop_app.core.phrases import value_of
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.i18n.content_words import dollars, plan_price, price, thousands
from desktop_app.ui.i18n.language import grouped, hour_of, tr, translated

NEAR_PERCENT = 80
"""Of a subscription plan, from which the gauge tells of it (INTERFACE.md)."""


MOST_NAMED = 4
"""Always included documents that the popover names; the inspector lists all."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: what, and how much; the rest in `tip`."""

    name: str
    value: str
    tip: str = ""


def facts_of(plan: ContextPlan, *, free: bool) -> tuple[Fact, ...]:
    """The lines of the popover. `free`: nobody pays for a request, also under a plan, so no price is told."""
    facts = [
        Fact(tr("Tokens"), _tokens(plan)),
        Fact(tr("Source"), _source(plan)),
    ]
    names = {"messages": tr("Messages"), "turns": tr("Turns")}
    used = tr("{used} of {cap}")
    # one that is near is a warning below
    calm = (use for use in plan.advice.counts if use.share < NEAR_FROM)
    facts += [Fact(names[use.kind], used.format(used=grouped(use.used), cap=grouped(use.cap))) for use in calm]
    facts += [*(() if free else _costs(plan)), *_cache(plan), *_documents(plan, free=free)]
    facts += [Fact(tr("Tools"), _tools(plan)) for _ in tool_names(plan)]
    if plan.decision == "ok" and plan.tokens.total <= plan.limits.soft:
        facts += [Fact(tr("Until the limit"), translated(words)) for words in turns_words(plan)]
    facts += [
        Fact(tr("The model's window"), _window(plan)),
        *([Fact(tr("Maximum answer length"), thousands(plan.limits.max_output))] * (plan.decision != "refuse")),
        Fact(tr("Nothing is sent above"), thousands(plan.limits.emergency)),
    ]
    return tuple(facts)


def tool_names(plan: ContextPlan) -> tuple[Fact, ...]:
    """The line with the names of the tools, which is long; none where only the search of the thread is offered."""
    tools = plan.request.tools
    if len(tools) < 2 and all(tool.recalls for tool in tools):
        return ()
    return (Fact(tr("Available tools"), ", ".join(tool.told or tool.name for tool in tools)),)


def _tools(plan: ContextPlan) -> str:
    """`Git · 8 tools · 2.1K of 2.9K tokens a request`: of the user's servers, of all tools; else of the app's own."""
    told, whole = ToolTokens.of(plan.request.tools, plan.model.tokenizer), thousands(plan.tokens.tools)
    servers, found = told.by_server(plan.tokens.tools), told.found
    weight = tr("{tokens} tokens a request").format(tokens=whole)
    if servers or found:
        own = thousands(told.of_servers(plan.tokens.tools))
        weight = tr("{own} of {tokens} tokens a request").format(own=own, tokens=whole)
    count = sum(found.values()) or sum(tools for tools, _ in servers.values()) or len(told.tools)
    words = tr("1 tool") if count == 1 else tr("{n} tools").format(n=grouped(count))
    if found:
        words = tr("{n} tools, found when needed").format(n=grouped(count))
    return " · ".join(filter(None, (", ".join(servers or found), words, weight)))


def plan_share_words(report: str) -> str:
    """A subscription plan's report for the gauge: `Plan 84 % · resets 15:00`; "" below 80 % and where nothing is said.

    `report` is what the backend raised; a report without a share says that the plan is nearly used up.
    """
    if not report:
        return ""
    used, day, time = (value_of(report, name) for name in ("used", "day", "time"))
    if used is not None and round(used * 100) < NEAR_PERCENT:
        return ""
    words = tr("Plan nearly used up") if used is None else tr("Plan {share} %").format(share=round(used * 100))
    if time is None:
        return words
    when = f"{translated(day)} {time}" if day else time
    return tr("{used} · resets {when}").format(used=words, when=when)


def _tokens(plan: ContextPlan) -> str:
    tokens, total = plan.tokens, grouped(plan.tokens.total)
    if tokens.counted or not (tokens.bound or tokens.doubt):
        return total
    return tr("up to {tokens}").format(tokens=total) if tokens.bound else f"{total} ± {grouped(tokens.doubt)}"


def _source(plan: ContextPlan) -> str:
    if plan.tokens.counted:
        return tr("counted by the provider")
    return {
        "estimated": tr("estimated"),
        "calibrated": tr("estimated, calibrated on this model's counts"),
        "vocabulary": tr("counted with OpenAI's vocabulary"),
    }[plan.tokens.source]


def _costs(plan: ContextPlan) -> list[Fact]:
    """Return both prices of the request: as far as the cache holds it, and if all of it had to be read again."""
    fresh = uncached_cost(plan)
    if plan.price.cost_usd is None or fresh is None:
        return [Fact(tr("Cost of sending"), tr("unknown"))]
    if not plan.price.cached_tokens:
        words = tr("{price}, the cache has expired") if plan.price.cache_expired else tr("{price}, nothing is cached")
        if plan.price.at_most:
            words = tr("{price}, if nothing is cached")
        return [Fact(tr("Cost of sending"), words.format(price=plan_price(plan)), _counted(plan))]
    cached, whole = plan_price(plan), price(*fresh)
    prices = tr("{cached} cached · {fresh} fresh").format(cached=cached, fresh=whole) if cached != whole else whole
    return [Fact(tr("Cost of sending"), prices, _counted(plan))]


def _counted(plan: ContextPlan) -> str:
    """Return what a price is made of: a request that is cached for an hour costs twice what its input does."""
    words, prices = tr("Without the answer."), prices_for(plan.model, plan.tokens.expected)
    if prices is None or not plan.request.marks or plan.tokens.upper < plan.model.min_cache_tokens:
        return words
    hour = plan.request.marks[0].lifetime == "1h"
    write = prices.cache_write_1h if hour else prices.cache_write_5m
    kept = tr("What is not read from the cache is kept there for 5 minutes, at {factor} times the price of input.")
    if hour:
        kept = tr("What is not read from the cache is kept there for an hour, at {factor} times the price of input.")
    factor = write / prices.input if prices.input else 1.0
    return f"{words}\n{kept.format(factor=grouped(factor, 0 if factor == int(factor) else 2))}"


def _cache(plan: ContextPlan) -> list[Fact]:
    cached, until = plan.price.cached_tokens, plan.price.cache.until
    read = tr("{cached} of {total}").format(cached=thousands(cached), total=thousands(plan.tokens.total))
    facts = [Fact(tr("Read from the cache"), read)] if cached else []
    return [*facts, Fact(tr("Cached until"), hour_of(until))] if cached and until is not None else facts


def _documents(plan: ContextPlan, *, free: bool) -> list[Fact]:
    """The project's documents: the largest of those that are always included, with price; how many are searched."""
    sent = sorted((one for one in plan.placement.documents if one.state == "whole"), key=lambda one: -one.whole)
    facts = []
    for document in sent[:MOST_NAMED]:
        amount = grouped(document.whole)
        priced = f"{amount} · {dollars(document.cost_usd)}" if document.cost_usd and not free else amount
        facts.append(Fact(document.name, priced))
    if rest := sent[MOST_NAMED:]:
        words = tr("1 more document") if len(rest) == 1 else tr("{count} more documents").format(count=len(rest))
        facts.append(Fact(words, grouped(sum(one.whole for one in rest))))
    if searched := sum(one.state == "searched" for one in plan.placement.documents):
        words = tr("1 document") if searched == 1 else tr("{count} documents").format(count=grouped(searched))
        facts.append(Fact(tr("Searched when needed"), words))
    return facts


def _window(plan: ContextPlan) -> str:
    window = thousands(plan.limits.window)
    match plan.model.window_source:
        case "learned":
            return tr("{window}, learned from a refusal").format(window=window)
        case "override":
            return tr("{window}, set by you").format(window=window)
        case "assumed":
            return tr("unknown, {window} assumed").format(window=window)
        case _:
            return window


INVITING = {"trim", "return", "refused", "unknown"}
"""States whose line ends with a word that invites a click (INTERFACE.md)."""


def leaving(plan: ContextPlan) -> int:
    """Return the tokens that the step of a plan leaves out; 0 without one."""
    before = (event.before for event in plan.advice.events if event.kind in ("trimmed", "fresh_start"))
    return max(0, max(before, default=0) - plan.tokens.total)


def read_plan(
    plan: ContextPlan, *, show_above_usd: float | None = None, plan_report: str = "", scale: float | None = None
) -> GaugeReading:
    """The reading of a plan: one of the states of INTERFACE.md. `show_above_usd`: see `gauge_line`.

    `plan_report`: what the user's subscription plan said of its use, which joins the line where it is near its end.
    `scale`: tokens that the gauge is wide, where it is not the emergency limit.
    """
    scale = scale or max(1, plan.limits.emergency)
    state = gauge_state(plan)
    line, action = (
        translated(gauge_line(plan, show_above_usd=show_above_usd, cache_expired=plan.price.cache_expired)),
        "",
    )
    if state in INVITING and line:
        line, _, action = line.rpartition(" · ")
    share = plan_share_words(plan_report)
    line = " · ".join(words for words in (line, share) if words)
    # a cap stands where the soft limit does
    soft = plan.limits.soft / scale
    after = nearest_limit(plan).share * soft
    # A trim is shown as the load without it, with a notch where it leads to.
    whole = (plan.tokens.total + leaves if (leaves := leaving(plan)) else plan.limits.soft) / scale
    before = max((whole, *(use.before / use.cap * soft for use in plan.advice.counts)))
    fill = {"trim": before, "refused": 1.0}.get(state, after)
    return GaugeReading(
        state,
        min(1.0, fill),
        min(1.0, soft),
        line,
        action,
        f"{translated(gauge_sentence(plan))} {share}." if share else translated(gauge_sentence(plan)),
        min(1.0, after) if state == "trim" else None,
        movable=nearest_limit(plan).kind == "tokens",
        assumed=bool(action) and (state == "unknown" or guess_decides(plan)),
        emergency=plan.limits.emergency / scale,
    )


def read_held_limit(plan: ContextPlan, scale: float) -> GaugeReading:
    """The reading of a plan under a limit that is held, on a gauge as wide as so many tokens."""
    words = translated(limit_preview(plan))
    state: GaugeState = "refused" if plan.decision == "refuse" else "trim" if plan.placement.left_out else "calm"
    return GaugeReading(
        state,
        min(1.0, plan.tokens.total / scale),
        min(1.0, plan.limits.soft / scale),
        words,
        "",
        words,
        movable=True,
        emergency=plan.limits.emergency / scale,
    )
