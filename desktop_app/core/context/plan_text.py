"""Words of a plan for people: gauge, a held load line, trim, refusal.

Window and command line share these texts. Numbers are rounded to thousands, except in a refusal, which is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.limits import NEAR_FROM, guess_decides, limit_assumed, nearest_limit, use_words
from desktop_app.core.context.plan import ContextPlan, PlanOption, ReturnOffer
from desktop_app.core.context.plan_questions import refusal_remedies
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.titles import elided_middle

GaugeState: TypeAlias = Literal["calm", "near", "trim", "return", "refused", "unknown"]

QUIET_BELOW: Final = 0.10
"""Share of the nearest limit below which the gauge says nothing."""
WORKING_ACTIONS: Final = frozenset(
    {
        *("raise_limit", "edit_draft", "new_thread", "switch_model", "summarise", "new_thread_summary"),
        *("send_anyway", "shorten_document", "remove_document", "search_instead", "exclude", "unpin", "edit_system"),
        "tools_off",
        "set_limit",
        "undo_trim",
        *("keep_trimming", "send"),
    }
)
"""The actions that the failure of a refusal may name; other remedies are left out of it."""
MOST_TURNS: Final = 100
"""Turns left above which none are told: what the last turns were says nothing of so many."""
NAME_SHOWN: Final = 24
"""Characters of a file's name in a line: the words behind it have to be read, too."""

WORTH_NAMING: Final = 0.01
"""Share of a request that is too long from which one of its parts is named as one of the largest."""


def thousands(tokens: int) -> str:
    """`62K`, `1.5M`; below ten thousand with one decimal (`4.2K`), below one thousand as it is."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 999_500:
        return phrase("{number:,}K", number=_rounded(tokens / 1_000, 1) if tokens < 9_950 else (tokens + 500) // 1_000)
    return phrase("{number:,}M", number=_rounded(tokens / 1_000_000, 2))


def _rounded(number: float, decimals: int) -> float:
    """Without decimals where they are zeros."""
    rounded = round(number, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def dollars(amount: float) -> str:
    """`$0.54`; less than a cent is said so."""
    return phrase("<${least:.2f}", least=0.01) if 0 < amount < 0.005 else phrase("${amount:,.2f}", amount=amount)


def price(cost: float, most: float | None = None, *, at_most: bool = False) -> str:
    """`$0.42`; `up to $0.57` where it may be that much and the two are not written alike, or it may be less."""
    if most is None or most <= cost or dollars(most) == dollars(cost):
        # less than a cent is a bound already
        return phrase("up to {price}", price=dollars(cost)) if at_most and cost >= 0.005 else dollars(cost)
    return phrase("up to {price}", price=dollars(math.ceil(100 * most) / 100))


def plan_price(plan: ContextPlan) -> str:
    """Return the cost of sending, as `price`; only where it is known."""
    return price(plan.price.cost_usd or 0.0, plan.price.most_usd, at_most=plan.price.at_most)


def gauge_state(plan: ContextPlan) -> GaugeState:
    """Which of the gauge's six states a plan is in; what needs a decision comes first."""
    if plan.decision == "refuse":
        return "refused"
    if plan.decision == "trim":
        return "trim"
    if plan.placement.newly_returned:
        return "return"
    nearest = nearest_limit(plan)
    if limit_assumed(plan) and nearest.kind == "tokens":
        return "unknown"
    return "near" if nearest.share >= NEAR_FROM else "calm"


def gauge_line(plan: ContextPlan, *, show_above_usd: float | None = None, cache_expired: bool = False) -> str:
    """The line under the gauge, parts separated by ` · `; empty while it has nothing to say, after a first answer.

    `show_above_usd`: the price joins the line from this many dollars on (None: never); `cache_expired`: the price
    joins because the whole conversation has to be read again. A word that invites to do something stands last.
    """
    parts, invitation = _state_parts(plan)
    # what is not going to be sent has no price
    cost = plan.price.cost_usd if plan.decision != "refuse" else None
    if parts and cost and show_above_usd is not None and (cost >= show_above_usd or cache_expired):
        parts.append(plan_price(plan))
        if cache_expired:
            parts.append(phrase("cache expired"))
    if not parts and not plan.request.history and gauge_state(plan) == "calm" and nearest_limit(plan).kind == "tokens":
        size = phrase("{tokens} of {limit} tokens", tokens=_amount(plan), limit=thousands(plan.limits.soft))
        parts = [size, phrase("fills as you chat")]
    return joined([*parts, *invitation], " · ")


def _state_parts(plan: ContextPlan) -> tuple[list[str], list[str]]:
    """Return the words of the state, and the word that invites to do something about it."""
    limits, guess = plan.limits, assumed_words(plan)
    match gauge_state(plan):
        case "refused":
            invitation = phrase("Set") if limit_assumed(plan) else phrase("Make room")
            return _against(plan.tokens.upper, limits.emergency, assumed=limit_assumed(plan)), [invitation]
        case "trim" | "return":
            return [_moves(plan), *guess], [phrase("Set") if guess else phrase("Review")]
        case "unknown" if guess or _is_worth_telling(plan):
            return [_amount(plan), *(guess or [phrase("limit unknown")])], [phrase("Set")]
        case "near":
            return [_over_soft(plan)] if _passes_limit(plan) else [
                _of_limit(plan),
                *turns_words(plan),
                *_also(plan),
            ], []
        case "calm":
            return [*([_of_limit(plan)] if _is_worth_telling(plan) else []), *_also(plan)], []
        case _:
            return [], []


def _also(plan: ContextPlan) -> list[str]:
    """That a question without an answer goes along with the draft, in a list."""
    pending = plan.request.pending
    if pending is None or pending.sources[-1 - plan.request.of_turn] is not None or not any(pending.sources):
        return []
    return [phrase("Also sends your unanswered question")]


def assumed_words(plan: ContextPlan) -> list[str]:
    """`limit 20K assumed`, in a list, where that is why messages are left out or nothing is sent; else none."""
    limit = plan.limits.emergency if plan.decision == "refuse" else plan.limits.soft
    return [phrase("limit {limit} assumed", limit=thousands(limit))] if guess_decides(plan) else []


def gauge_sentence(plan: ContextPlan) -> str:
    """The gauge's value for a screen reader: one sentence."""
    total, soft, guess = plan.tokens.total, plan.limits.soft, assumed_words(plan)
    used: str
    if _is_estimate(plan):
        used = phrase("About {total:,} of {limit:,} tokens used", total=total, limit=soft)
        unlimited = phrase("About {total:,} tokens used; the model's window is not known.", total=total)
    else:
        used = phrase("{total:,} of {limit:,} tokens used", total=total, limit=soft)
        unlimited = phrase("{total:,} tokens used; the model's window is not known.", total=total)
    if (nearest := nearest_limit(plan)).kind != "tokens":
        used = use_words(nearest)
    match gauge_state(plan):
        case "refused":
            values = {"tokens": _exact(plan), "limit": plan.limits.emergency}
            if guess:
                return phrase(
                    "Too long to send: {tokens}, the limit of {limit:,} is assumed. Set the model's window.", **values
                )
            return phrase("Too long to send: {tokens}, the limit is {limit:,}. Make room before sending.", **values)
        case "trim" | "return":
            return phrase("{sentence}.", sentence=joined([_moves(plan), *guess], ", "))
        case "unknown":
            return phrase("{sentence}.", sentence=joined([used, *guess], ", ")) if guess else unlimited
        case "near":
            told = _over_soft(plan) if _passes_limit(plan) else joined([used, *turns_words(plan)], ", ")
            return phrase("{sentence}.", sentence=joined([told, *_also(plan)], ". "))
        case "calm":
            return phrase("{sentence}.", sentence=joined([used, *_also(plan)], ". "))


def messages_of(count: int) -> str:
    """`38 messages`."""
    return phrase("{count:,} messages", "1 message", count=count)


def older_messages(count: int) -> str:
    """`38 older messages`."""
    return phrase("{count:,} older messages", "1 older message", count=count)


def trim_line(left_out: int, documents: Sequence[str] = ()) -> str:
    """The one line beneath the message that caused a trim; the `documents` left with the messages."""
    if files := files_words(documents):
        return phrase(
            "{count:,} older messages and {files} left out",
            "1 older message and {files} left out",
            count=left_out,
            files=files,
        )
    return phrase("{count:,} older messages left out", "1 older message left out", count=left_out)


def return_line(returned: int) -> str:
    """The one line beneath the message that was sent with older ones again."""
    return phrase("{count:,} older messages brought back", "1 older message brought back", count=returned)


def return_offered(offer: ReturnOffer) -> str:
    """Return the words on what could be sent again, at a price where it has one."""
    tokens = thousands(offer.tokens)
    if offer.cost_usd:
        return phrase(
            "{messages} fit again: with them the next message sends {tokens} tokens, {price}.",
            messages=older_messages(offer.messages),
            tokens=tokens,
            price=price(offer.cost_usd, offer.most_usd),
        )
    return phrase(
        "{messages} fit again: with them the next message sends {tokens} tokens.",
        messages=older_messages(offer.messages),
        tokens=tokens,
    )


def line_preview(plan: ContextPlan) -> str:
    """Return the next request with the load line where it is held: `38 older messages left out · 62K of 150K`."""
    if not plan.keeps_boundary:
        return _over_limit(plan)
    if _passes_limit(plan):
        return joined([_left_out(plan), _over_soft(plan), *_cost(plan)], " · ")
    size = phrase("{tokens} of {limit}", tokens=_amount(plan), limit=thousands(plan.limits.soft))
    return joined([_left_out(plan), size, *_cost(plan)], " · ")


def limit_preview(plan: ContextPlan) -> str:
    """Return the next request under the limit that is held: `Soft limit 120K · 38 older messages left out · 62K`."""
    limit = phrase("Soft limit {limit}", limit=thousands(plan.limits.soft))
    if plan.decision == "refuse":
        return joined([limit, phrase("too long to send")], " · ")
    return joined([limit, _left_out(plan), _amount(plan), *_cost(plan)], " · ")


def _left_out(plan: ContextPlan) -> str:
    return trim_line(plan.placement.left_out) if plan.placement.left_out else phrase("Everything is sent")


def _cost(plan: ContextPlan) -> list[str]:
    return [plan_price(plan)] if plan.price.cost_usd else []


def _over_limit(plan: ContextPlan) -> str:
    """Which limit keeps the load line from standing where it is held."""
    if plan.decision == "refuse":
        return phrase("Over the limit of {limit}", limit=thousands(plan.limits.emergency))
    match plan.placement.boundary.cause:
        case "messages":
            return phrase("Over the message limit of {count:,}", count=plan.placement.boundary.max_messages)
        case "turns":
            return phrase("Over the turn limit of {count:,}", count=plan.placement.boundary.max_turns)
    return phrase("Over the limit of {limit}", limit=thousands(plan.limits.soft))


def trim_detail(before: int, after: int, cost_usd: float | None) -> str:
    """Return the text that the trim line unfolds to; tokens before and after."""
    sizes = phrase("{before} → {after}", before=thousands(before), after=thousands(after))
    if not cost_usd:
        return joined([sizes, phrase("cache rewritten")], " · ")
    return joined([sizes, phrase("cache rewritten, {price}", price=dollars(cost_usd))], " · ")


def refusal_heading(plan: ContextPlan) -> str:
    """`This conversation is too long to continue (183,412 estimated tokens, limit 180,000)`: the words of CTX-5.

    Of a message that would fit into no thread, or whose text is what is largest, it says that; where all fits without
    a file of the draft, it names that.
    """
    known, values = not limit_assumed(plan), {"tokens": _exact(plan), "limit": plan.limits.emergency}
    ways = [remedy for remedy in refusal_remedies(plan) if remedy.action in ("remove_document", "edit_draft")]
    files = [remedy.name for remedy in ways if remedy.action == "remove_document"]
    if plan.tokens.draft > plan.limits.emergency or (files and ways[0].action == "edit_draft"):
        if not known:
            return phrase("This message is too long to send ({tokens}, limit {limit:,} assumed)", **values)
        return phrase("This message is too long to send ({tokens}, limit {limit:,})", **values)
    if files and not known:
        return phrase("{name} is too long for this thread ({tokens}, limit {limit:,} assumed)", name=files[0], **values)
    if files:
        return phrase("{name} is too long for this thread ({tokens}, limit {limit:,})", name=files[0], **values)
    if not known:
        return phrase("This conversation is too long to continue ({tokens}, limit {limit:,} assumed)", **values)
    return phrase("This conversation is too long to continue ({tokens}, limit {limit:,})", **values)


def refusal_explanation(plan: ContextPlan) -> str:
    """The sentences under the heading: what happened to the draft, and what is largest."""
    largest = _largest(plan)
    if plan.counted_by:
        kept = phrase(
            "Counted by {provider}, not sent to a model. Your draft is still below.", provider=plan.counted_by
        )
    else:
        kept = phrase("Nothing was sent. Your draft is still below.")
    return joined([kept, phrase("Largest: {parts}", parts=largest)], "\n") if largest else kept


def unsent(plan: ContextPlan | None = None) -> str:
    """Return the fate of a request that was held back, as the end of a sentence's line: it may have been counted."""
    if plan is not None and plan.counted_by:
        return phrase("Counted by {provider}, not sent to a model; the draft is kept.", provider=plan.counted_by)
    return phrase("Nothing was sent; the draft is kept.")


def refusal(plan: ContextPlan) -> Failure:
    """The failure of a refused plan: one sentence, the details, and the actions that can help, best first."""
    actions = tuple(dict.fromkeys(r.action for r in refusal_remedies(plan) if r.action in WORKING_ACTIONS))
    largest = _largest(plan)
    words = phrase("{heading}. {unsent}", heading=refusal_heading(plan), unsent=unsent(plan))
    return Failure(
        "context_limit", words, detail=phrase("Largest: {parts}", parts=largest) if largest else "", actions=actions
    )


def recounted(plan: ContextPlan) -> Failure:
    """Why a request waits that a count saves from being refused: it leaves out what nobody has seen yet."""
    words = phrase("{moves}: send again to go on. {unsent}", moves=_moves(plan), unsent=unsent(plan))
    return Failure("context_limit", words)


def crossing_question(plan: ContextPlan) -> str:
    """Return the question before the first step, or before a long thread is read again; "" for none (CTX-14)."""
    prices = {option.action: option for option in plan.advice.options}
    if plan.advice.asks == "first_crossing":
        keep, whole = prices["keep_trimming"], prices["raise_limit"]
        return phrase(
            "This thread passes {soft} tokens, and {model} takes more. Keep to {kept}, or raise the limit to {raised}?",
            soft=thousands(plan.limits.soft),
            model=plan.model.name,
            kept=_priced(keep),
            raised=_priced(whole),
        )
    if plan.advice.asks == "cold_reopen":
        summarise = prices.get("summarise")
        tokens = thousands(plan.tokens.total)
        if plan.price.cost_usd:
            anew = phrase(
                "This thread's cache has expired: sending reads {tokens} tokens again for {price}.",
                tokens=tokens,
                price=price(plan.price.cost_usd, plan.price.most_usd),
            )
        else:
            anew = phrase("This thread's cache has expired: sending reads {tokens} tokens again.", tokens=tokens)
        if summarise is None or not summarise.cost_usd:
            return anew
        return joined(
            [
                anew,
                phrase("A summary first makes it {price} in all.", price=price(summarise.cost_usd, summarise.most_usd)),
            ]
        )
    return ""


def _priced(option: PlanOption) -> str:
    """A limit, and what it costs to keep to it, now and with each turn, where that is known."""
    limit = thousands(option.limit)
    if not option.cost_usd:
        return limit
    told = price(option.cost_usd, option.most_usd, at_most=option.at_most)
    if not option.turn_usd:
        return phrase("{limit} for {price}", limit=limit, price=told)
    each = dollars(option.turn_usd)
    return phrase("{limit} for {price}, then about {each} a turn", limit=limit, price=told, each=each)


def _largest(plan: ContextPlan) -> str:
    """Return the items that it would help to shorten; those that make no difference are not named."""
    worth = [item for item in plan.advice.biggest if item.tokens >= WORTH_NAMING * plan.tokens.total]
    return joined([joined([item.label, thousands(item.tokens)]) for item in worth], " · ")


def _moves(plan: ContextPlan) -> str:
    if plan.placement.newly_returned:
        return phrase(
            "Sending brings back {count:,} older messages",
            "Sending brings back 1 older message",
            count=plan.placement.newly_returned,
        )
    count = plan.placement.newly_left_out
    if files := files_words(plan.placement.leaving):
        return phrase(
            "Sending leaves out {count:,} older messages and {files}",
            "Sending leaves out 1 older message and {files}",
            count=count,
            files=files,
        )
    return phrase("Sending leaves out {count:,} older messages", "Sending leaves out 1 older message", count=count)


def files_words(names: Sequence[str]) -> str:
    """`notes.txt`, or `2 files`: documents that leave with older messages; empty where none does."""
    if len(names) == 1:
        return elided_middle(names[0], NAME_SHOWN)
    return phrase("{count:,} files", "1 file", count=len(names)) if names else ""


def _of_limit(plan: ContextPlan) -> str:
    if (nearest := nearest_limit(plan)).kind != "tokens":
        return use_words(nearest)
    return phrase("{tokens} of {limit}", tokens=_amount(plan), limit=thousands(plan.limits.soft))


def _passes_limit(plan: ContextPlan) -> bool:
    """Return True if it is sent over the soft limit: the user wants it, or nothing can be left out."""
    return plan.decision == "ok" and plan.tokens.total > plan.limits.soft


def _over_soft(plan: ContextPlan) -> str:
    """Return what sending does over the soft limit, which is exact where both would be rounded the same."""
    total, soft = plan.tokens.total, plan.limits.soft
    limit = phrase("{total:,}", total=soft) if thousands(total) == thousands(soft) else thousands(soft)
    if limit_assumed(plan):
        return phrase("Sends {tokens}, over the assumed limit of {limit}", tokens=_amount(plan), limit=limit)
    return phrase("Sends {tokens}, over your limit of {limit}", tokens=_amount(plan), limit=limit)


def _is_worth_telling(plan: ContextPlan) -> bool:
    return nearest_limit(plan).share >= QUIET_BELOW


def _is_estimate(plan: ContextPlan) -> bool:
    # an uncertainty below half of the last digit shown is none to the reader
    return plan.tokens.source != "measured" and plan.tokens.doubt >= 500


def _amount(plan: ContextPlan) -> str:
    amount = thousands(plan.tokens.total)
    return joined(["≈", amount], "") if _is_estimate(plan) else amount


def _exact(plan: ContextPlan) -> str:
    if plan.tokens.source == "measured":
        return phrase("{total:,} tokens", total=plan.tokens.upper)
    return phrase("{total:,} estimated tokens", total=plan.tokens.upper)


def _against(tokens: int, limit: int, *, assumed: bool) -> list[str]:
    exact = thousands(tokens) == thousands(limit)
    size, most = (phrase("{total:,}", total=one) if exact else thousands(one) for one in (tokens, limit))
    return [size, phrase("limit {limit} assumed", limit=most) if assumed else phrase("limit {limit}", limit=most)]


def turns_words(plan: ContextPlan) -> list[str]:
    """`about 8 turns left`, in a list; none where they are not known, or too many for an estimate to say anything."""
    if plan.advice.turns_left is None or plan.advice.turns_left > MOST_TURNS:
        return []
    left = max(1, plan.advice.turns_left)
    return [phrase("about {count:,} turns left", "about 1 turn left", count=left)]
