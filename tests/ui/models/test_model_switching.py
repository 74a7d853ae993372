"""What going on with another model means for a thread: told beforehand, in words, for every model on offer."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.messages import ImagePart, TextPart
from desktop_app.core.model_catalog import ModelInfo, Prices
from desktop_app.core.recall import RECALL
from desktop_app.ui.models.model_choice import ModelChoice, for_thread, spoken
from tests.core.paths import plan_for, talk, words

PRICES = Prices(3.0, 15.0, 0.3, 3.75, 6.0)
SEES = ModelInfo("sees", "Sees", 200_000, 8_000, prices=PRICES, accepts_images=True, accepts_tools=True)
BLIND = ModelInfo("blind", "Blind", 200_000, 8_000, prices=PRICES)
LONG = talk(*(words(2_000) for _ in range(12)))


def choice(model: ModelInfo, **fields: object) -> ModelChoice:
    return ModelChoice("anthropic", "Anthropic", model.id, model.name, model.window, info=model, **fields)  # type: ignore[arg-type]


def test_what_is_read_anew_has_a_price_where_money_is_paid() -> None:
    plan = plan_for(LONG)
    tokens = plan.tokens.total
    one, free, plain = for_thread(
        [choice(SEES), choice(SEES, cost="free"), choice(replace(SEES, prices=None))], plan, caching={"anthropic"}
    )
    amount = tokens * PRICES.cache_write_5m / 1e6
    said, _, told = one.anew.partition(", up to $")
    assert said == f"Reads about {round(tokens / 1000)}K tokens again"
    assert amount < float(told) < 1.5 * amount, "of a model with another tokenizer, at most"
    assert free.anew == plain.anew == f"Reads about {round(tokens / 1000)}K tokens again"
    (uncached,) = for_thread([choice(SEES)], plan, caching=())
    fresh = tokens * PRICES.input / 1e6
    assert fresh < float(uncached.anew.partition(", up to $")[2]) < 1.5 * fresh
    assert one.anew in spoken(one)


def test_a_model_that_takes_less_or_more_is_not_said_to_read_the_same() -> None:
    """ "Reads about 8K tokens again" of one that took 5.1K, "about 3.7K" of one for which 10K came back."""
    small = replace(SEES, id="small", window=8_000, max_output=2_000)
    plan = plan_for(LONG)
    (less,) = for_thread([choice(small)], plan, caching=())
    assert less.anew == "Leaves out older messages above 5K tokens"
    there = plan_for(LONG, "more", model=small)
    assert there.placement.left_out
    assert there.limits.soft == 5_000
    (more,) = for_thread([choice(SEES)], there, caching=())
    assert more.anew == "Takes more tokens: older messages may come back"
    (alike,) = for_thread([choice(replace(small, id="another"))], there, caching=())
    assert alike.anew.startswith("Reads about ")


def test_the_model_that_answers_now_and_a_new_thread_read_nothing_anew() -> None:
    plan = plan_for(LONG)
    here = replace(choice(plan.model), backend=plan.backend)
    assert for_thread([here], plan, caching=())[0].anew == ""
    assert for_thread([choice(BLIND)], plan_for((), "hello"), caching=())[0].anew == ""
    told = replace(choice(BLIND), lacks=("x",), anew="y")
    assert for_thread([told], None, caching=()) == [choice(BLIND)], "what was said of another thread is gone"
    short = plan_for(talk("hi", "hello"))
    assert for_thread([choice(BLIND)], short, caching=())[0].anew == ""


def test_what_a_model_lacks_is_named_only_where_the_thread_uses_it() -> None:
    assert for_thread([choice(BLIND)], plan_for(LONG), caching=())[0].lacks == ()
    seen = replace(LONG[0], parts=(ImagePart("a.png", "image/png", "aGk=", 10, 10), TextPart("What is it?")))
    plan = plan_for((seen, *LONG[1:]))
    blind, sees = for_thread([choice(BLIND), choice(SEES)], plan, caching=())
    assert (blind.lacks, sees.lacks) == (("sees no images",), ())
    assert "sees no images" in spoken(blind)
    plan = plan_for(LONG)
    request, placement = replace(plan.request, tools=(RECALL,)), replace(plan.placement, left_out=3)
    looking = replace(plan, request=request, placement=placement)
    blind, sees = for_thread([choice(BLIND), choice(SEES)], looking, caching=())
    assert (blind.lacks, sees.lacks) == (("can't look up earlier messages",), ())
