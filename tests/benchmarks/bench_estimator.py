"""Measures the token estimator against real tokenizers: `python -m tests.benchmarks.bench_estimator`.

Prints errors of the seed and after turns, how much the stated two standard deviations cover, what the planner's total
is off, and how often it refuses what would have fitted, beside the targets of PRODUCT.md CTX-10.
"""

from __future__ import annotations

import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead, RequestHasher
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.text_features import CONSTANT, ZERO, Features, features, plus
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Message, RequestCount, Role, TextPart, Usage
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import ContextSettings
from tests.benchmarks.texts import SIX, UNSEEN, Texts
from tests.benchmarks.tokenizers import MissingTokenizerError, RealTokenizer, load_tokenizers

POOL = 160
LONG = 150
"""Tokens from which a message counts as long: the odd word weighs little in it."""

SIZE_TIMED = 900_000
"""Bytes of the texts that are timed, and `TIME_TARGET` the CPU milliseconds that counting one may take."""

TIME_TARGET = 60
CONVERSATIONS = 6
TURNS = 40
CHECKPOINTS = (1, 3, 10, 30)
REFUSALS = 10_000
MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Sample:
    """One message's text with its features and what it really counts, role and edges included."""

    text: str
    counted: Features
    tokens: int


Pools = dict[str, list[Sample]]
Draw = Callable[[], Sample]


@dataclass(slots=True)
class Errors:
    """Relative errors, and whether each lay within the stated two standard deviations."""

    shares: list[float] = field(default_factory=list)
    within: list[bool] = field(default_factory=list)
    long: list[float] = field(default_factory=list)

    def add(self, estimator: TokenEstimator, sample: Sample) -> None:
        off = estimator.tokens(sample.counted) - sample.tokens
        self.shares.append(off / sample.tokens)
        if sample.tokens >= LONG:
            self.long.append(off / sample.tokens)
        # a whole token is the least that can be stated
        self.within.append(abs(off) <= max(1.0, 2 * estimator.sigma(sample.counted)))

    @property
    def median(self) -> float:
        return 100 * statistics.median(map(abs, self.shares))

    @property
    def median_long(self) -> float:
        return 100 * statistics.median(map(abs, self.long)) if self.long else math.nan

    @property
    def bias(self) -> float:
        return 100 * statistics.median(self.shares)

    @property
    def coverage(self) -> float:
        return 100 * statistics.fmean(self.within)


def pools_of(tokenizer: RealTokenizer) -> Pools:
    """The same texts for every tokenizer."""
    texts = Texts(1)
    made: Pools = {}
    for kind in (*SIX, *UNSEEN):
        several = [texts.text(kind) for _ in range(POOL)]
        made[kind] = [
            Sample(text, plus(features(text), CONSTANT), tokenizer.count(text, kind) + tokenizer.constant)
            for text in several
        ]
    return made


def draws(pools: Pools, kind: str, chance: random.Random) -> Draw:
    """An endless supply of messages of one kind; `mixed`: of the six kinds, a few turns each."""
    if kind != MIXED:
        return lambda: chance.choice(pools[kind])
    state = [chance.choice(SIX)]

    def draw() -> Sample:
        if chance.random() < 0.3:
            state[0] = chance.choice(SIX)
        return chance.choice(pools[state[0]])

    return draw


def learn(tokenizer: RealTokenizer, pools: Pools, kind: str) -> tuple[dict[int, Errors], Errors, TokenEstimator]:
    """New messages' errors after so many turns, all those after ten turns, and the last estimator."""
    at: dict[int, Errors] = {turn: Errors() for turn in (0, *CHECKPOINTS)}
    late = Errors()
    estimator = TokenEstimator.seeded(tokenizer.family)
    for number in range(CONVERSATIONS):
        draw = draws(pools, kind, random.Random(number))
        estimator = TokenEstimator.seeded(tokenizer.family)
        for turn in range(TURNS + 1):
            if turn in at:
                for _ in range(25):
                    at[turn].add(estimator, draw())
            answer, user = draw(), draw()
            if turn > 10:
                late.add(estimator, user)
            estimator = estimator.observe(plus(answer.counted, user.counted), answer.tokens + user.tokens)
    return at, late, estimator


def table_of_messages(tokenizers: Sequence[RealTokenizer], pools: dict[str, Pools]) -> dict[str, TokenEstimator]:
    """Prints one line per tokenizer and kind; returns the estimators that learned from mixed conversations."""
    print("\nA new message: median error in %, signed for the seed; what two standard deviations cover in %")
    print(f"long: messages of {LONG} tokens or more, after ten turns; two standard deviations before the first turn,")
    print("widest: of the least certain message of more than 60 tokens, all: of all messages of a kind together")
    head = "".join(f"{f'turn {turn}':>9}" for turn in CHECKPOINTS)
    head = f"{'seed':>7}{'bias':>7}{head}{'long':>7}"
    print(f"{'tokenizer':<13}{'kind':<15}{head}{'2s seed':>9}{'2s > 10':>9}{'widest':>8}{'all':>6}")
    print(f"{'target':<28}{'':>7}{'':>7}{'':>27}{'<= 3':>9}{'<= 3':>7}{'>= 93':>9}{'93-97':>9}{'<= 20':>8}{'<= 20':>6}")
    learned: dict[str, TokenEstimator] = {}
    for tokenizer in tokenizers:
        seed = TokenEstimator.seeded(tokenizer.family)
        everything, final, first = Errors(), Errors(), Errors()
        for kind in (*SIX, MIXED, *UNSEEN):
            at, late, estimator = learn(tokenizer, pools[tokenizer.name], kind)
            if kind == MIXED:
                learned[tokenizer.name] = estimator
            if kind not in UNSEEN:
                for total, part in ((everything, late), (final, at[30]), (first, at[0])):
                    total.shares += part.shares
                    total.within += part.within
                    total.long += part.long
            samples = pools[tokenizer.name].get(kind, [])
            widest = max(
                (200 * seed.sigma(s.counted) / seed.tokens(s.counted) for s in samples if s.tokens > 60), default=0
            )
            whole = reduce(plus, (s.counted for s in samples), ZERO)
            together = 200 * seed.sigma(whole) / seed.tokens(whole) if samples else 0
            turns = "".join(f"{at[turn].median:>9.1f}" for turn in CHECKPOINTS)
            print(
                f"{tokenizer.name:<13}{kind:<15}{at[0].median:>7.1f}{at[0].bias:>+7.1f}{turns}{late.median_long:>7.1f}"
                f"{at[0].coverage:>9.1f}{late.coverage:>9.1f}{widest:>8.1f}{together:>6.1f}"
            )
        print(
            f"{tokenizer.name:<13}{'six and mixed':<15}{first.median:>7.1f}{first.bias:>+7.1f}{'':>27}"
            f"{final.median:>9.1f}{everything.median_long:>7.1f}{first.coverage:>9.1f}{everything.coverage:>9.1f}"
        )
    return learned


# ---- through the planner -------------------------------------------------------------------------------------------


def _message(index: int, role: Role, text: str) -> Message:
    parent = f"m{index - 1}" if index else None
    return Message(f"m{index}", "t", parent, role, (TextPart(text),), "2026-01-01T00:00:00Z")


def _prepare(
    path: tuple[Message, ...], model: ModelInfo, estimator: TokenEstimator, previous: Preparation | None
) -> Preparation:
    return prepare_context(
        Recipient(
            backend="anthropic",
            model=model,
            overhead=Overhead(cache_marks=4),
            estimator=estimator,
            cache=CacheClock(cold=False),
            free=False,
        ),
        ThreadContents(path=path),
        ThreadLimits(settings=ContextSettings(preserve_last_n=4)),
        previous=previous,
    )


@dataclass(slots=True)
class Totals:
    """Errors of the planner's total in %: on a counted prefix, on the same without the draft, after a trim."""

    unchanged: list[float] = field(default_factory=list)
    prefix: list[float] = field(default_factory=list)
    trimmed: list[float] = field(default_factory=list)


def converse(tokenizer: RealTokenizer, draw: Draw, turns: int, window: int) -> Totals:
    """A conversation whose every request is planned, counted by the real tokenizer, and learned from."""
    model = ModelInfo("model", "Model", window, window // 4, tokenizer=tokenizer.family)
    estimator = TokenEstimator.seeded(tokenizer.family)
    path: tuple[Message, ...] = ()
    real: dict[str, Sample] = {}
    previous: Preparation | None = None
    last: tuple[str, int] | None = None
    totals = Totals()
    for turn in range(turns):
        # people write less than they are answered
        user, answer = sorted((draw(), draw()), key=lambda sample: sample.tokens)
        previous = _prepare(path, model, estimator, previous)
        if (plan := previous.plan([TextPart(user.text)])).decision == "refuse":
            break
        true = _true_total(plan, real, tokenizer) + user.tokens
        off = 100 * abs(plan.tokens.total - true) / true
        if turn:
            if plan.decision == "trim":
                totals.trimmed.append(off)
            elif plan.tokens.source == "calibrated":
                totals.unchanged.append(off)
                totals.prefix.append(100 * abs(plan.tokens.total - plan.tokens.draft - (true - user.tokens)) / true)
        if last is not None and last[0] == plan.request.prefix_key:
            answered = real[path[-1].id]
            estimator = estimator.observe(plus(answered.counted, user.counted), true - last[1])
        last = (plan.request.prefix_key, true)
        window_state = plan.placement.boundary if plan.decision == "trim" else None
        question = replace(_message(len(path), "user", user.text), window=window_state)
        reply = replace(
            _message(len(path) + 1, "assistant", answer.text),
            backend="anthropic",
            model=model.id,
            usage=Usage(input=true, output=answer.tokens - tokenizer.constant),
            stop_reason="end_turn",
            prefix_key=plan.request.prefix_key,
        )
        real[question.id], real[reply.id] = user, answer
        path = (*path, question, reply)
    return totals


def _true_total(plan: ContextPlan, real: dict[str, Sample], tokenizer: RealTokenizer) -> int:
    """What the request without its draft really counts; the app's own notes too."""
    total = tokenizer.count(plan.request.system, "English") + tokenizer.constant if plan.request.system else 0
    for message in plan.request.history:
        for block, source in zip(message.blocks, message.sources, strict=True):
            if source is not None:
                total += real[source].tokens
            elif isinstance(block, TextPart):
                total += tokenizer.count(block.text, "English") + tokenizer.constant
    return total


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def table_of_totals(tokenizers: Sequence[RealTokenizer], pools: dict[str, Pools]) -> None:
    """Prints the planner's errors over whole conversations."""
    print("\nThe planner's total: error in % (median, 99th percentile), from the second turn on")
    print(f"{'tokenizer':<13}{'kind':<15}{'counted prefix':>20}{'prefix and draft':>20}{'after a trim':>20}")
    print(f"{'target':<28}{'0.3':>11}{'1.0':>9}{'':>20}{'<= 1':>11}{'':>9}")
    for tokenizer in tokenizers:
        everything = Totals()
        for kind in (*SIX, MIXED):
            totals = Totals()
            for number in range(3):
                draw = draws(pools[tokenizer.name], kind, random.Random(100 + number))
                part = converse(tokenizer, draw, TURNS, 16_000)
                for whole in (totals, everything):
                    whole.unchanged += part.unchanged
                    whole.prefix += part.prefix
                    whole.trimmed += part.trimmed
            _print_totals(tokenizer.name, kind, totals)
        _print_totals(tokenizer.name, "all", everything)


def _print_totals(name: str, kind: str, totals: Totals) -> None:
    cells = "".join(
        f"{_quantile(values, 0.5):>11.2f}{_quantile(values, 0.99):>9.2f}"
        for values in (totals.prefix, totals.unchanged, totals.trimmed)
    )
    print(f"{name:<13}{kind:<15}{cells}")


def table_of_refusals(
    tokenizers: Sequence[RealTokenizer], pools: dict[str, Pools], learned: dict[str, TokenEstimator]
) -> None:
    """Prints how often a conversation near its limit is refused although what would be sent fits."""
    print(f"\nRefused although it would have fitted, of {REFUSALS:,} random conversations near the limit")
    print("seed, learned: by the estimate alone; asked: where the provider was asked to count what was in doubt")
    print(f"{'tokenizer':<13}{'seed':>8}{'learned':>9}{'asked':>8}{'refused':>9}")
    each = REFUSALS // len(tokenizers)
    false_refusals = 0
    for tokenizer in tokenizers:
        counts = {"seed": 0, "learned": 0, "asked": 0, "refused": 0}
        for number in range(each):
            chance = random.Random(number)
            taught = number % 2 == 1
            estimator = learned[tokenizer.name] if taught else TokenEstimator.seeded(tokenizer.family)
            plan, true, counted = _near_the_limit(tokenizer, pools[tokenizer.name], estimator, chance)
            if plan.decision != "refuse":
                continue
            counts["refused"] += 1
            if true <= plan.limits.emergency:
                counts["learned" if taught else "seed"] += 1
                saved = plan.tokens.lowest <= plan.limits.emergency and counted.decision != "refuse"
                counts["asked"] += not saved
        false_refusals += counts["asked"]
        print(
            f"{tokenizer.name:<13}"
            + f"{counts['seed']:>8}{counts['learned']:>9}{counts['asked']:>8}{counts['refused']:>9}"
        )
    print(f"{'all':<13}{'':>17}{false_refusals:>8}{'  target: 0':>11}")


def _near_the_limit(
    tokenizer: RealTokenizer, pools: Pools, estimator: TokenEstimator, chance: random.Random
) -> tuple[ContextPlan, int, ContextPlan]:
    """A plan for a conversation that is about to pass its limits, what its request really counts, the plan by that."""
    kind = chance.choice((*SIX, MIXED))
    draw = draws(pools, kind, chance)
    samples = [draw() for _ in range(chance.choice((2, 4, 8, 16)))]
    draft = draw()
    total = sum(sample.tokens for sample in (*samples, draft))
    # the emergency limit is 0.75 of the window: it comes to lie within a third of what there is to send
    window = max(2_048, round(total / 0.75 * chance.uniform(0.7, 1.3)))
    model = ModelInfo("model", "Model", window, window // 4, tokenizer=tokenizer.family)
    path = tuple(_message(i, "user" if i % 2 == 0 else "assistant", sample.text) for i, sample in enumerate(samples))
    real = {message.id: sample for message, sample in zip(path, samples, strict=True)}
    prepared, parts = _prepare(path, model, estimator, None), [TextPart(draft.text)]
    plan = prepared.plan(parts)
    true = _true_total(plan, real, tokenizer) + draft.tokens
    return plan, true, prepared.with_count(RequestCount(RequestHasher().of(plan), true)).plan(parts)


def table_of_times() -> None:
    """Prints how long counting a long text takes, of every kind and of lines without end."""
    print(f"\nCounting {SIZE_TIMED:,} bytes: CPU ms, the best of five; target: under {TIME_TARGET}")
    texts = Texts(2)
    for kind in (*SIX, *UNSEEN):
        part = texts.text(kind, 3_000, 3_001)
        whole = part * (SIZE_TIMED // len(part.encode()) + 1)
        print(f"{kind:<28}{_cpu_ms(whole.encode()[:SIZE_TIMED].decode(errors='ignore')):>8.1f}")
    all_different = "".join(chr(0x20000 + number % 42_000) for number in range(SIZE_TIMED // 4))
    print(f"{'rare Han, all different':<28}{_cpu_ms(all_different):>8.1f}")


def _cpu_ms(text: str) -> float:
    times = []
    for _ in range(5):
        before = time.process_time()
        features(text)
        times.append(1000 * (time.process_time() - before))
    return min(times)


def main() -> None:
    """Runs everything once, or says what is missing."""
    table_of_times()
    try:
        tokenizers = load_tokenizers()
    except MissingTokenizerError as missing:
        print(f"skipped: {missing}")
        return
    pools = {tokenizer.name: pools_of(tokenizer) for tokenizer in tokenizers}
    learned = table_of_messages(tokenizers, pools)
    table_of_totals(tokenizers, pools)
    table_of_refusals(tokenizers, pools, learned)
    sys.stdout.flush()
    subprocess.run([sys.executable, "-m", "tests.benchmarks.vocabulary"], check=True)


if __name__ == "__main__":
    main()
