"""Plans where the tail of a request begins, under limits and caps, and when it goes back to an earlier place.

What a request after a step weighs is told at the same price for any length of the path (PRODUCT.md CTX-12).

A boundary holds for as long as what it was decided under: limit, caps, model, backend. When one of these changed, what
was left out for it is sent again where there is room.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median_high
from typing import Final

from desktop_app.core.context.boundaries import MOST_JUDGED, TURNS_TO_COME, RequestSize, StepLimits, after_undoing
from desktop_app.core.context.drafts import Draft
from desktop_app.core.context.limits import COLD_SHARE
from desktop_app.core.context.message_selection import IsSent
from desktop_app.core.context.path_tokens import TailTotals
from desktop_app.core.context.path_views import PathViews
from desktop_app.core.context.plan import CacheClock, Limits
from desktop_app.core.context.prepared_path import PreparedPath, ReferenceSavings
from desktop_app.core.context.sent_content import SUMMARY_HEADING, gap_marker
from desktop_app.core.context.token_counting import count_note
from desktop_app.core.messages import BoundaryCause, BoundaryState
from desktop_app.core.settings import ContextSettings


class StepPlanner:
    """The decision if a draft makes a step due, and to where."""

    def __init__(
        self,
        ready: PreparedPath,
        views: PathViews,
        *,
        settings: ContextSettings,
        cache: CacheClock,
        back: bool = False,
    ) -> None:
        """`back`: a place other than the one in force is one to which the boundary comes back."""
        self._ready, self._views, self._back = ready, views, back
        self._settings, self._cache = settings, cache
        self._stepped = ready.back if back else ready.stepped
        self._turn_starts = [start for start in ready.turns.starts if start not in self._stepped.out]
        self._starts_now = [start for start in ready.turns.starts if start not in ready.now.out]
        forms = ready.forms_for(self._stepped.always, 0 if back else ready.turns.protected)
        self._totals = TailTotals(views.ledger, self._stepped, {**forms, **ready.unbound("")})
        self._always_noted = views.always_noted or bool(self._stepped.summaries)
        self._fronts: dict[bool, int] = {}
        plain = ready.forms.is_plain
        self._savings = ReferenceSavings() if plain else ready.forms.savings(self._stepped, views.ledger.weigh, forms)
        marker = gap_marker(max(1, len(ready.messages))).text
        self._marker = views.estimator.tokens(
            count_note(marker, "assistant", labels=ready.labels, counter=ready.counter)
        )

    @property
    def holds(self) -> bool:
        """True if nothing more is left out for as long as the request can be sent at all.

        So it is after a step was undone, and within a tool loop: its results go in full for this turn alone, and a step
        between two of its requests would rewrite the cache for what is gone after it.
        """
        return ((steps := self._ready.steps).taken_back and not steps.declined) or self._ready.in_loop

    def caps(self, limits: Limits, *, holds: bool) -> StepLimits:
        """The caps as they are now: lower while the cache is cold, higher where the step `holds` off.

        What comes back is written anew whatever the cache holds: so it does not depend on that, and a question that
        waits is sent as it was planned.
        """
        soft, due, settings = limits.soft, None, self._settings
        if holds:
            due, settings = limits.emergency, after_undoing(settings)
        if holds and self._ready.in_loop:
            return StepLimits(soft=soft, low=limits.low, last=settings.preserve_last_n, due=due)
        if self._cache.known_cold or self._back:
            soft = soft * COLD_SHARE[0] // COLD_SHARE[1]
        head = self._ready.spoken_in(self._ready.decided.head)
        caps = StepLimits.of(settings, soft=soft, low=limits.low, head=head, due=due)
        return replace(caps, most=limits.emergency, warm=limits.soft)

    def start(self, caps: StepLimits, draft: Draft) -> tuple[int, BoundaryCause]:
        """Return the place where the tail begins under these caps, and the reason for a step if it begins elsewhere."""
        candidates, current = self._candidates(), self._ready.boundary.start
        end = self._ready.turns.protected
        start = caps.step(current, candidates, lambda place: self.load(place, draft), end)
        over = caps.passed(self.load(current, draft)) if start != current else ()
        return start, over[0] if over else "tokens"

    def place_from(self, floor: int, caps: StepLimits, draft: Draft, over: Collection[BoundaryCause]) -> int:
        """Return where a step from `floor` on would end that is taken for the limits `over`; None: the path's end."""
        candidates, end = self._candidates(), self._ready.turns.protected
        if not self.leaves_more(floor):
            return len(self._ready.messages)
        return caps.place(floor, candidates, lambda place: self.load(place, draft), end, over)

    def leaves_more(self, start: int) -> bool:
        """True if a step from there on could leave something out."""
        candidates = self._candidates()
        return bool(candidates) and candidates[-1] > start

    def after_idling(self, draft: Draft) -> int | None:
        """Return where the tail begins after the pause that begins a thread again; None where that is not due."""
        minutes, idle = self._settings.idle_reset_minutes, self._cache.idle_minutes
        if not minutes or idle is None or idle < minutes:
            return None
        return self._candidates()[-1] if self.leaves_more(self._ready.boundary.start) else None

    def load(self, start: int, draft: Draft) -> RequestSize:
        """Return the weight of the request whose tail begins at `start`."""
        if start == self._ready.boundary.start:
            view = self._views.with_draft(start, draft)
            return self._counted(view.weight.total + draft.tokens(view.sends), view.totals, start, draft)
        stepped = self._stepped
        gaps = stepped.gap_count(start)
        noted = self._always_noted or bool(gaps or draft.in_part or draft.documents or draft.references)
        messages = self._totals.tokens(start) - self._savings.from_tail(start)
        total = self._fixed(noted=noted) + math.ceil(self._marker * gaps + messages)
        total += draft.tokens(IsSent(stepped, start))
        return self._counted(total, self._totals, start, draft)

    def _candidates(self) -> Sequence[int]:
        """Places behind what stays where a tail may begin. The last keeps only what waits for an answer."""
        decided, length = self._ready.decided, len(self._ready.messages)
        first = max(decided.head.stop, decided.base)  # as boundaries count: one that stands there moves nothing
        places = self._turn_starts[bisect_right(self._turn_starts, first) :] if first else self._turn_starts
        if self._ready.waiting or length <= first:
            return places
        return [*places, length]

    def _counted(self, tokens: int, totals: TailTotals, start: int, draft: Draft) -> RequestSize:
        has_draft = int(len(draft.blocks) > draft.of_turn)  # what goes with the question that waits is no message
        starts = self._starts_now if start == self._ready.boundary.start else self._turn_starts
        turns = len(starts) - bisect_left(starts, start)
        return RequestSize(tokens, totals.sent(start) + has_draft, turns + (has_draft and not self._ready.waiting))

    def _fixed(self, *, noted: bool) -> int:
        """Tokens of a stepped request besides messages and markers. `noted`: the system prompt tells of notes."""
        if (kept := self._fronts.get(noted)) is None:
            # rounded one by one, as in a request that is sent
            kept = self._fronts[noted] = sum(map(round, self._views.front(noted=noted))) + math.ceil(
                self._summaries + self._opening
            )
        return kept

    @cached_property
    def usual_turn(self) -> float:
        """Tokens of the middle one of the last turns: a document among them says nothing of the others."""
        places, end = self._candidates(), self._ready.turns.protected
        answered = bisect_left(places, end)
        weights = [self._totals.tokens(place) for place in (*places[max(0, answered - MOST_JUDGED) : answered], end)]
        return median_high([before - after for before, after in pairwise(weights)] or [0.0])

    def doubt(self, place: int) -> float:
        """Two standard deviations of what a path weighs that comes back to this place."""
        weight = self._views.at(place, back=True).weight
        return 2 * math.hypot(math.sqrt(weight.variance), self._views.estimator.sigma(weight.doubtful))

    @cached_property
    def _summaries(self) -> float:
        tokens = self._views.estimator.tokens
        texts = (f"{SUMMARY_HEADING}\n{summary.text}\n\n" for summary, _ in self._stepped.summaries)
        ready = self._ready
        return sum(tokens(count_note(one, "assistant", labels=ready.labels, counter=ready.counter)) for one in texts)

    @cached_property
    def _opening(self) -> float:
        """Tokens of the app's notes with which a request begins that does not begin with a question."""
        gaps = self._stepped.gaps(len(self._ready.messages))
        opening = self._views.opening_note(gaps)
        summarised = bool(gaps) and not gaps[0].first and gaps[0].block is not None
        return self._views.estimator.tokens(opening) + self._marker * summarised


WHOLE: Final = (17, 20)
"""Everything comes back where the request then is below 0.85 H, and stays so for `TURNS_TO_COME` usual turns.

So a step is not due when the cache is cold, nor where the model counts as much more as the estimate may be off.
"""

LEAST_BACK: Final = (1, 10)
"""Less than 0.1 H is not worth a new prefix by itself: it is offered."""


@dataclass(frozen=True, slots=True)
class PlannedReturn:
    """The place where the tail would begin. `due`: with the next request; else it is for the user to decide."""

    place: int
    due: bool


@dataclass(frozen=True, eq=False)
class ReturnPlanner:
    """The decision if a draft brings a boundary back, weighed by `make`, under `made`; `wanted`: the user asked."""

    ready: PreparedPath
    make: Callable[[], StepPlanner]
    settings: ContextSettings
    limits: Limits
    made: BoundaryState
    wanted: bool

    @cached_property
    def changed(self) -> bool:
        """True if the newest decision on the boundary was made under something else."""
        return self.ready.steps.last.made_under != self.made.made_under

    @cached_property
    def back(self) -> StepPlanner:
        """Weighs what comes back."""
        return self.make()

    @cached_property
    def _possible(self) -> bool:
        ready = self.ready
        left_out = ready.boundary.start > ready.steps.floor and not ready.in_loop
        return left_out and (self.changed or self.wanted or ready.steps.declined)

    def of(self, draft: Draft) -> PlannedReturn | None:
        """Return where the boundary comes back to with this draft, or could; None where nothing more can be sent."""
        if not self._possible:
            return None
        floor, current = self.ready.steps.floor, self.ready.boundary.start
        back, soft = self.back, self.limits.soft

        def load(place: int) -> RequestSize:
            return back.load(place, draft)

        whole, to_come = load(floor), TURNS_TO_COME * back.usual_turn
        over = self._over(whole, WHOLE)
        stays = soft * WHOLE[0] // WHOLE[1] - to_come
        if not over and (self.wanted or whole.tokens + self._doubt <= stays):
            return PlannedReturn(floor, self.changed or self.wanted)
        place = back.place_from(floor, back.caps(self.limits, holds=False), draft, over or ["tokens"])
        # on a trip to a small model and back its turns would else take the room of what was sent before
        earlier = sorted(one.start for one in self.ready.steps.boundaries if floor < one.start < place)
        fits = (one for one in earlier if load(one).tokens <= stays and not self._over(load(one), WHOLE))
        place = next(fits, place)
        gain = load(place).tokens - load(current).tokens if place < current else 0
        if self.changed and not self.wanted and gain >= soft * LEAST_BACK[0] // LEAST_BACK[1]:
            return PlannedReturn(place, True)
        if not self._over(whole, (1, 1)):
            place, gain = floor, whole.tokens
        return PlannedReturn(place, self.wanted) if gain > 0 else None

    @cached_property
    def _doubt(self) -> float:
        """Two standard deviations of what the whole path weighs: another model may count as much more."""
        return self.back.doubt(self.ready.steps.floor)

    def _over(self, load: RequestSize, share: tuple[int, int]) -> list[BoundaryCause]:
        """The limits of which a request uses more than a share."""
        uses: list[tuple[BoundaryCause, int, int]] = [
            ("tokens", load.tokens, self.limits.soft),
            ("messages", load.messages, self.settings.max_messages),
            ("turns", load.turns, self.settings.max_turns),
        ]
        return [cause for cause, used, cap in uses if cap and used > cap * share[0] // share[1]]
