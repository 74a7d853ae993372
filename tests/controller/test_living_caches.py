"""What the provider's cache still holds is known for each model asked, over the wire: offered is billed, or a bound.

The loopback server's prompt cache lives by the provider's rules; its clock and the app's are moved together.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.cli.plan_shapes import context_shape
from desktop_app.controller.open_threads import TurnTimes
from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.core.context.costs import uncached_cost, usage_cost
from desktop_app.core.context.plan import CacheClock, CachePromise, ContextPlan, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.plan_questions import option_of
from desktop_app.core.context.plan_text import plan_price
from desktop_app.core.context.planner import prepare_context
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import TurnStarted
from desktop_app.core.history_records import ContextEvent
from desktop_app.core.messages import Message, Usage
from desktop_app.core.model_catalog import find_model
from desktop_app.core.settings import ContextSettings, Settings
from tests.backends.openai.backends import backend_for as openai
from tests.controller.test_over_the_wire import MODEL, anthropic
from tests.controller.test_prices_over_the_wire import text
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.core.paths import message
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, MessagesApi, ToolUse
from tests.servers.prompt_cache import HandClock as ServerClock
from tests.servers.prompt_cache import PromptCache, TokenCounter
from tests.servers.tokens import by_pieces

HAIKU = "claude-haiku-4-5"


@dataclass
class Talk:
    """One long thread through a real backend, and what the server's books say of each of its requests."""

    world: World
    api: MessagesApi
    clock: HandClock
    settings: list[Settings]
    thread: str = ""

    async def offered(self, draft: str = "And now?") -> ContextPlan:
        return (await self.world.chat.prepared(self.thread)).plan(words(draft))

    async def send(self, draft: str = "And now?") -> Usage:
        outcome = await self.world.chat.send(self.thread, words(draft))
        assert outcome.failure is None, outcome.failure
        assert outcome.message is not None
        assert outcome.message.usage is not None
        return outcome.message.usage

    async def switch(self, backend: str, model: str) -> None:
        await self.world.chat.switch(self.thread, backend=backend, model=model)

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds=seconds)
        self.api.clock.advance(seconds)

    async def holds(self) -> Usage:
        """What is offered now is billed, and nothing is said of a cache that has expired."""
        plan = await self.offered()
        events = len(await self.events())
        usage = await self.send()
        cost = usage_cost(
            find_model("anthropic", MODEL), replace(usage, output=0), lifetime=plan.request.marks[0].lifetime
        )
        assert cost is not None
        assert plan.price.cost_usd == pytest.approx(cost, rel=0.03)
        assert (plan.price.cache_expired, plan.advice.asks, plan.price.at_most) == (False, "", False)
        assert "cache_rewritten" not in (await self.events())[events:]
        return usage

    async def events(self) -> list[str]:
        return [stored.event.kind for stored in await self.world.chat.journal.of(self.thread)]


@pytest.fixture
async def talk(history: WatchedHistory) -> AsyncIterator[Talk]:
    clock, settings = HandClock(), [Settings()]
    async with MessagesApi(count_text=by_pieces) as api, ChatApi() as other:
        backends = {made.name: made for made in (anthropic(api.url), openai(other.url))}
        world = await make_world(history, backends, clock=clock, settings=lambda: settings[0])
        made = Talk(world, api, clock, settings)
        made.thread = (await world.thread("anthropic", model=MODEL, system="Be brief. " + text(2_000))).id
        api.default = Answer(text(300))
        for _ in range(5):
            await made.send(text(6_000))
            made.wait(10)
        yield made
        await made.world.chat.close()
        for backend in backends.values():
            await backend.close()
        assert api.violations == []


async def test_back_from_another_connection_the_thread_is_still_cached(talk: Talk) -> None:
    """$0.127 and "the cache has expired" were offered, $0.0115 billed."""
    await talk.switch("openai", "test-model")
    await talk.send()
    talk.wait(45)
    await talk.switch("anthropic", MODEL)
    assert (await talk.holds()).cache_read > 25_000


async def test_back_from_another_model_of_the_same_connection(talk: Talk) -> None:
    await talk.switch("anthropic", HAIKU)
    await talk.send()
    talk.wait(45)
    await talk.switch("anthropic", MODEL)
    assert (await talk.holds()).cache_read > 25_000


async def test_another_models_request_keeps_nothing_alive(talk: Talk) -> None:
    talk.wait(200)
    await talk.switch("anthropic", HAIKU)
    await talk.send()
    talk.wait(200)
    await talk.switch("anthropic", MODEL)
    plan = await talk.offered()
    usage = await talk.send()
    assert (plan.price.cached_tokens, usage.cache_read) == (0, 0)
    assert plan.price.cost_usd == pytest.approx(
        usage_cost(find_model("anthropic", MODEL), replace(usage, output=0)), 0.03
    )


async def test_another_branch_keeps_the_beginning_alive(talk: Talk) -> None:
    """No expiry is said, and no summary offered, where another branch has just read what both begin with."""
    path = (await talk.world.chat.open_thread(talk.thread)).path
    talk.wait(200)
    assert (await talk.send()).cache_read > 25_000
    talk.wait(200)
    await talk.world.chat.branch_from(talk.thread, path[-1].id)
    plan = await talk.offered()
    before = len(await talk.events())
    usage = await talk.send()
    assert usage.cache_read > 25_000
    assert (plan.price.cache_expired, plan.advice.asks, plan.price.at_most) == (False, "", True)
    assert "cache_rewritten" not in (await talk.events())[before:]
    talk.wait(4_000)
    assert (await talk.offered()).price.cache_expired


async def test_what_is_said_to_be_rewritten_and_was_read_is_not_stored(talk: Talk) -> None:
    """The provider's own count says otherwise."""
    before = len(await talk.events())
    plan = await talk.offered()
    rewritten = ContextEvent("cache_rewritten", plan.tokens.total, plan.tokens.total, 0, MODEL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("desktop_app.controller.sender.events_when_sent", lambda _: (rewritten,))
        assert (await talk.send()).cache_read > 25_000
        assert (await talk.events())[before:] == []
        talk.wait(400)
        assert (await talk.send()).cache_read == 0
    assert (await talk.events())[before:] == ["cache_rewritten"]


async def test_after_many_turns_elsewhere_the_mark_stands_where_the_cache_ends(talk: Talk) -> None:
    await talk.switch("openai", "test-model")
    for _ in range(12):
        await talk.send()
    await talk.switch("anthropic", MODEL)
    assert (await talk.holds()).cache_read > 25_000


async def test_after_a_step_for_another_limit_all_of_it_is_still_cached(talk: Talk) -> None:
    """A soft limit set for one turn and reset: $0.125 offered, $0.012 billed."""
    await talk.world.chat.set_soft_limit(talk.thread, 12_000)
    await talk.send()
    talk.wait(45)
    await talk.world.chat.set_soft_limit(talk.thread, None)
    assert (await talk.holds()).cache_read > 25_000


async def test_after_a_cap_that_was_lifted_all_of_it_is_still_cached(talk: Talk) -> None:
    """A cap set for one turn and lifted: $0.324 offered, $0.027 billed."""
    talk.settings[0] = Settings(context=ContextSettings(max_messages=4, preserve_last_n=2))
    await talk.send()
    talk.wait(45)
    talk.settings[0] = Settings()
    assert (await talk.holds()).cache_read > 25_000


async def test_marks_live_as_long_as_they_were_asked_to(talk: Talk) -> None:
    """The first long pause makes the next marks live for an hour, not those that stand already."""
    talk.wait(400)
    await talk.send()
    talk.wait(400)
    plan = await talk.offered()
    usage = await talk.send()
    assert (plan.price.cached_tokens, usage.cache_read) == (0, 0)
    talk.wait(400)
    await talk.holds()


async def test_a_kept_cache_lives_on(talk: Talk) -> None:
    """What is offered is billed; after it the thread is cached for as long as was said, in the books of the server."""
    plan, keeping, before = await talk.offered(), talk.world.chat.cache_keeping, len(talk.api.answers)
    promise = plan.price.cache
    assert (promise.state, promise.lifetime, promise.tokens) == ("promised", "5m", plan.price.cached_tokens)
    assert await keeping.offer(talk.thread, plan) is None, "no time is gained yet"
    talk.wait(100)
    assert await keeping.offer(talk.thread, plan) is None, "under two minutes would be paid for"
    talk.wait(100)
    offer = await keeping.offer(talk.thread, plan)
    assert offer is not None
    assert len(talk.api.answers) == before, "an offer sends nothing"
    await keeping.keep(talk.thread, plan)
    body = talk.api.answers[-1].body
    assert (body["max_tokens"], "stream" in body) == (0, False)
    (row,) = [one for one in await talk.world.history.ledger() if one.purpose == "cache"]
    assert (row.calls, row.output) == (1, 0)
    assert row.cost_usd == pytest.approx(offer.cost_usd, rel=0.03)
    talk.wait(200)
    later = await talk.offered()
    assert later.price.cache.until == pytest.approx(offer.until, abs=1)
    assert (await talk.holds()).cache_read > 25_000


async def test_a_kept_cache_is_known_after_a_restart(talk: Talk) -> None:
    """$0.061 was offered, $0.006 billed: that it was kept was in memory only."""
    talk.wait(200)
    await talk.world.chat.cache_keeping.keep(talk.thread, await talk.offered())
    talk.wait(200)
    await talk.world.chat.close()
    talk.world = await make_world(
        talk.world.history, talk.world.backends, clock=talk.clock, settings=lambda: talk.settings[0]
    )
    assert (await talk.holds()).cache_read > 25_000


async def test_another_key_reads_nothing_that_this_one_cached(talk: Talk) -> None:
    """$0.0061 was offered: the cache was known by its connection alone."""
    keys = RememberedKeys(MemorySecrets(keys={"anthropic": "sk-ant-api03-first"}))
    assert await keys.get("anthropic")
    talk.world = await make_world(
        talk.world.history, talk.world.backends, clock=talk.clock, settings=lambda: talk.settings[0], secrets=keys
    )
    await talk.holds()
    path = (await talk.world.chat.open_thread(talk.thread)).path
    assert [one.usage.key[:8] for one in path[-1:] if one.usage] == [keys.fingerprint("anthropic")[:8]]
    whole = (await talk.offered()).price
    await keys.set("anthropic", "sk-ant-api03-second")
    other = await talk.offered()
    assert (other.price.cache.state, other.price.cached_tokens, other.price.cache_expired) == ("unknown", 0, False)
    fresh = uncached_cost(other)
    assert fresh is not None
    assert other.price.cost_usd == pytest.approx(fresh[0])
    assert other.advice.asks == ""
    # after a start the key is not read yet, and the fingerprint has another salt
    again = RememberedKeys(MemorySecrets(keys={"anthropic": "sk-ant-api03-first"}))
    talk.world = await make_world(
        talk.world.history, talk.world.backends, clock=talk.clock, settings=lambda: talk.settings[0], secrets=again
    )
    assert (await talk.offered()).price == whole


async def test_another_login_of_the_program_reads_nothing_that_this_one_cached(talk: Talk) -> None:
    """As the backend that asks with it says: the `claude` program tells its login when it is ready."""
    keys = RememberedKeys(MemorySecrets())
    keys.signed_in("anthropic", '{"email": "ada@example.org"}')
    talk.world = await make_world(
        talk.world.history, talk.world.backends, clock=talk.clock, settings=lambda: talk.settings[0], secrets=keys
    )
    await talk.holds()
    whole = (await talk.offered()).price
    keys.signed_in("anthropic", '{"email": "grace@example.org"}')
    assert (await talk.offered()).price.cached_tokens == 0
    keys.signed_in("anthropic", '{"email": "ada@example.org"}')
    assert (await talk.offered()).price == whole


async def test_keeping_is_offered_by_no_cap_and_never_past_one(talk: Talk) -> None:
    plan, keeping = await talk.offered(), talk.world.chat.cache_keeping
    before = len(talk.api.answers)
    talk.settings[0] = Settings(costs=replace(talk.settings[0].costs, thread_cap_usd=0.01))
    assert await keeping.offer(talk.thread, plan) is None
    with pytest.raises(PlimsollError, match="cap"):
        await keeping.keep(talk.thread, plan)
    assert len(talk.api.answers) == before
    talk.settings[0] = Settings()
    talk.wait(400)
    expired = await talk.offered()
    assert expired.price.cache.state == "unknown"
    assert await keeping.offer(talk.thread, expired) is None


async def test_what_another_branch_went_on_from_is_a_bound(talk: Talk) -> None:
    """Its marks stand behind what this branch's own requests wrote: $0.0013 offered, $0.0008 billed."""
    path = (await talk.world.chat.open_thread(talk.thread)).path
    await talk.send()
    await talk.world.chat.branch_from(talk.thread, path[-1].id)
    plan = await talk.offered()
    usage = await talk.send()
    assert plan.price.at_most
    assert 0 < plan.price.cached_tokens < usage.cache_read


async def test_what_is_pinned_before_a_fresh_start_is_promised_with_the_beginning(talk: Talk) -> None:
    """$0.0168 offered, $0.0113 billed."""
    editing, path = talk.world.chat.context_editing, (await talk.world.chat.open_thread(talk.thread)).path
    await editing.pin(talk.thread, [path[0].id])
    await editing.start_fresh(talk.thread, path[-1].id)
    for _ in range(3):
        await talk.send(text(3_000))
    later = (await talk.world.chat.open_thread(talk.thread)).path[-4]
    await editing.exclude(talk.thread, [later.id])
    plan = await talk.offered()
    usage = await talk.send()
    assert usage.cache_read > 12_000
    assert plan.price.cached_tokens == pytest.approx(usage.cache_read, rel=0.05)


async def test_a_request_that_is_kept_is_offered_at_its_own_size(talk: Talk) -> None:
    """Not at that of the beginning which the next request still has of it."""
    path = (await talk.world.chat.open_thread(talk.thread)).path
    await talk.world.chat.context_editing.exclude(talk.thread, [path[2].id])
    plan = await talk.offered()
    assert 0 < plan.price.cached_tokens < 20_000
    offer = await talk.world.chat.cache_keeping.keep(talk.thread, plan)
    assert offer is not None
    (row,) = [one for one in await talk.world.history.ledger() if one.purpose == "cache"]
    assert row.cache_read > 25_000
    assert row.cost_usd == pytest.approx(offer.cost_usd, rel=0.001)


async def test_the_next_request_of_a_turn_reads_the_one_before(talk: Talk) -> None:
    """Only what the last turn wrote was foreseen: $0.0190 offered, $0.0075 billed."""
    path = (await talk.world.chat.open_thread(talk.thread)).path
    await talk.world.chat.context_editing.exclude(talk.thread, [path[2].id])
    calls = [ToolUse("search_this_thread", {"query": "lighthouse harbour"}, f"toolu_{n}") for n in range(3)]
    talk.api.script(*(Answer(f"Look {n}.", call, stop_reason="tool_use") for n, call in enumerate(calls)))
    await talk.send(text(3_000))
    answers = (await talk.world.chat.open_thread(talk.thread)).path[-7::2]
    for turn, answer in zip(talk.world.of(TurnStarted)[-3:], answers[-3:], strict=True):
        assert answer.usage is not None
        assert turn.plan.price.cached_tokens == pytest.approx(answer.usage.cache_read, rel=0.001)
        assert not turn.plan.price.at_most


async def test_what_another_model_answered_promises_nothing_of_the_one_asked(talk: Talk) -> None:
    """Nor does its count tell how many tokens it is for that one: 28,600 announced, 20,700 counted."""
    before = await talk.offered()
    talk.api.script(Answer("Well.", model=HAIKU, usage={"input_tokens": 90_000}))
    await talk.send()
    plan = await talk.offered()
    assert (plan.price.cached_tokens, plan.price.at_most) == (before.price.cached_tokens, True)
    assert plan.tokens.total == pytest.approx(before.tokens.total, rel=0.02)


START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ASKED = ("anthropic", "claude-sonnet-4-5"), ("anthropic", "claude-opus-4-1"), ("other", "claude-sonnet-4-5")


@dataclass
class Books:
    """A thread that any of three is asked, each with a cache by the provider's rules, and nothing over a wire."""

    caches: dict[str, PromptCache] = field(default_factory=dict)
    clock: ServerClock = field(default_factory=ServerClock)
    counter: TokenCounter = field(default_factory=lambda: TokenCounter(by_pieces))
    path: tuple[Message, ...] = ()
    soft: int | None = None
    turns: int = 0
    system: str = "Be brief. " + text(1_500)

    def plan(self, asked: tuple[str, str], draft: str, *, promises: bool = True) -> ContextPlan:
        model = find_model("anthropic", asked[1])
        now = START + timedelta(seconds=self.clock.now)
        return prepare_context(
            Recipient(
                backend=asked[0],
                model=model,
                overhead=Overhead(cache_marks=4) if promises else Overhead(caches_itself=True),
                estimator=TokenEstimator.seeded(model.tokenizer),
                cache=TurnTimes(self.path).cache_clock(now, backend=asked[0]),
                free=False,
            ),
            ThreadContents(path=self.path, system=self.system),
            ThreadLimits(settings=ContextSettings(max_turns=self.turns), soft_limit=self.soft),
        ).plan(words(draft))

    def send(self, asked: tuple[str, str], plan: ContextPlan, draft: str, answer: str) -> Usage:
        body = anthropic("http://127.0.0.1:9").request(plan)
        cache = self.caches.setdefault(asked[0], PromptCache(self.clock))
        bill = cache.bill(asked[1], self.counter.blocks(body))
        usage = Usage(bill.fresh, bill.read, bill.written, 50)
        at = (START + timedelta(seconds=self.clock.now)).isoformat()
        number, moved = len(self.path), plan.placement.boundary if plan.moves_boundary else None
        question = replace(message(number, "user", draft, window=moved), created=at)
        said = replace(
            message(number + 1, "assistant", answer),
            created=at,
            backend=asked[0],
            model=asked[1],
            usage=usage,
            prefix_key=plan.request.prefix_key,
        )
        self.path = (*self.path, question, said)
        return usage


@pytest.mark.parametrize(("words_before", "promised"), [(1_200, False), (1_500, True)])
def test_what_is_hardly_long_enough_to_be_cached_is_not_promised(words_before: int, promised: bool) -> None:
    """A beginning is only estimated: 4,236 tokens were promised, and were less than the 4,096 that are cached."""
    books, asked = Books(system="Be brief. " + text(words_before), soft=10_000), ("anthropic", HAIKU)
    plans = []
    for number in range(7):
        draft = f"{number}. " + text(900 if number else 1_500)
        plans.append(books.plan(asked, draft))
        books.send(asked, plans[-1], draft, text(300))
    assert [plan.decision for plan in plans[4:]] == ["trim", "ok", "trim"]
    assert (bool(plans[-1].price.cached_tokens), plans[-1].price.at_most) == (promised, not promised)


def test_what_a_provider_caches_by_itself_is_written_at_its_price() -> None:
    """$0.0101 offered, $0.0126 billed: from GPT-5.6 on writing costs a quarter more than reading anew."""
    model = find_model("openai", "gpt-6-sol")
    recipient = Recipient(
        backend="openai",
        model=model,
        overhead=Overhead(caches_itself=True),
        estimator=TokenEstimator.seeded(model.tokenizer),
        cache=CacheClock(),
        free=False,
    )
    made = prepare_context(recipient, ThreadContents(path=()), ThreadLimits(settings=ContextSettings()))
    for draft, price in ((text(20_000), 2.5), ("Hello", 2.0)):
        plan = made.plan(words(draft))
        assert plan.price.cost_usd == pytest.approx(plan.tokens.expected * price / 1e6)
        assert not plan.price.at_most
    estimated = made.plan(words(text(800))).tokens.total
    near = replace(recipient, model=replace(model, min_cache_tokens=estimated - 1))
    made = prepare_context(near, ThreadContents(path=()), ThreadLimits(settings=ContextSettings()))
    assert made.plan(words(text(800))).price.at_most, "it may be too short to be written at all"
    asked_beside = replace(recipient, cache=CacheClock(beside=True))
    made = prepare_context(asked_beside, ThreadContents(path=()), ThreadLimits(settings=ContextSettings()))
    assert made.plan(words(text(20_000))).price.at_most, "another branch began so, perhaps"


ACTS = st.tuples(
    st.sampled_from(ASKED),
    st.sampled_from((1, 30, 30, 100, 250, 400, 4_000)),
    st.sampled_from(("", "", "", "limit", "no limit", "cap", "no cap", "system")),
)


@given(acts=st.lists(ACTS, min_size=2, max_size=16))
@example(
    [
        (ASKED[0], 1, ""),
        (ASKED[0], 400, ""),
        (ASKED[0], 1, "limit"),
        (ASKED[0], 1, "cap"),
        (ASKED[1], 400, ""),
        (ASKED[0], 1, "no limit"),
    ]
)
@example([(ASKED[0], 1, ""), (ASKED[0], 300, "")])  # the very moment at which it ends
@settings(max_examples=40, deadline=None)
def test_what_is_offered_is_billed_or_a_bound(acts: list[tuple[tuple[str, str], float, str]]) -> None:
    books = Books()
    for number, (asked, pause, act) in enumerate(acts):
        books.clock.advance(pause)
        books.soft = {"limit": 6_000, "no limit": None}.get(act, books.soft)
        books.turns = {"cap": 3, "no cap": 0}.get(act, books.turns)
        if act == "system":
            books.system += " And be kind."
        draft = f"Question {number}. " + text(1_500)
        plan = books.plan(asked, draft)
        usage = books.send(asked, plan, draft, "Yes. " + text(40))
        read = usage.cache_read
        if plan.price.at_most:
            assert plan.price.cached_tokens <= read + 150, "a bound"
        else:
            assert plan.price.cached_tokens == pytest.approx(read, abs=150)
        if plan.price.cache_expired or plan.advice.asks == "cold_reopen":
            assert read == 0, "what has expired is not read"
        if any(event.kind == "cache_rewritten" for event in plan.advice.events):
            assert read < usage.prompt / 2, "what is read is not rewritten"


def test_a_provider_that_promises_nothing_is_priced_as_a_bound() -> None:
    """No word of expiry, no offer of a summary: the cache may live."""
    books, asked = Books(), ASKED[0]
    assert books.plan(asked, "Hello", promises=False).price.at_most, "another thread may begin with this prompt"
    books.system = "Be brief."
    first = books.plan(asked, text(80_000), promises=False)
    books.send(asked, first, text(80_000), "Yes.")
    books.clock.advance(4_000)
    plan = books.plan(asked, "And now?", promises=False)
    assert plan.price.cache.state == "unknown"
    *rest, said = books.path
    books.path = (*rest, replace(said, usage=Usage(500, 20_000, 0, 50)))
    assert books.plan(asked, "And now?", promises=False).price.cache == CachePromise("seen", 20_000)
    assert (first.price.at_most, plan.price.at_most) == (False, True)
    assert (plan.price.cached_tokens, plan.price.cache_expired, plan.advice.asks) == (0, False, "")
    assert plan_price(plan).startswith("up to $")
    assert context_shape(plan, None)["at_most"] is True
    assert option_of(plan, "send").at_most
    assert context_shape(first, None)["at_most"] is False
    assert books.plan(asked, "And now?").advice.asks == "cold_reopen"
