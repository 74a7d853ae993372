"""The shipped models and how an id finds its row."""

from __future__ import annotations

import pytest

from desktop_app.core.model_catalog import (
    ASSUMED_WINDOW,
    ModelOverride,
    find_model,
    is_another,
    shipped_models,
    shipped_name,
)


def test_prices_follow_the_multipliers_of_each_generation() -> None:
    opus = find_model("anthropic", "claude-opus-5-5")
    assert opus.prices is not None
    assert (opus.prices.cache_read, opus.prices.cache_write_5m, opus.prices.cache_write_1h) == (0.2, 5.0, 8.0)
    fable = find_model("anthropic", "claude-fable-5-2")
    assert fable.prices is not None
    assert fable.prices.cache_read == 0.2
    haiku = find_model("anthropic", "claude-haiku-5-5")
    assert haiku.price_cliff == 100_000
    assert haiku.prices_above is not None
    assert haiku.prices_above.input == 0.5
    assert haiku.prices_above.cache_write_5m == 0.625


@pytest.mark.parametrize(
    ("asked", "name", "window"),
    [
        ("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000),
        ("claude-sonnet-4-5-20250929", "Claude Sonnet 4.5", 200_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "Claude Sonnet 4.5", 200_000),
        ("claude-sonnet-4-6[1m]", "Claude Sonnet 4.6", 1_000_000),
        ("sonnet", "Claude Sonnet 5.5", 1_000_000),
    ],
)
def test_dated_and_decorated_ids_find_their_row_and_keep_their_id(asked: str, name: str, window: int) -> None:
    found = find_model("claude-cli", asked)
    assert (found.id, found.name, found.window, found.window_source) == (asked, name, window, "shipped")


@pytest.mark.parametrize("asked", ["claude-opus-4-20250514", "gpt-9", "", "claude-sonnet-45"])
def test_an_unknown_model_gets_the_assumed_window(asked: str) -> None:
    found = find_model("anthropic", asked)
    assert (found.window, found.window_source, found.prices) == (ASSUMED_WINDOW, "assumed", None)


def test_the_users_override_wins_over_the_table() -> None:
    found = find_model("anthropic", "claude-sonnet-4-5", ModelOverride(window=40_000))
    assert (found.window, found.window_source, found.max_output) == (40_000, "override", 40_000)
    output = find_model("anthropic", "claude-sonnet-4-5", ModelOverride(max_output=1_000))
    assert (output.window, output.window_source, output.max_output) == (200_000, "shipped", 1_000)


def test_the_scripted_and_the_local_model() -> None:
    (scripted,) = shipped_models("scripted")
    assert (scripted.id, scripted.window, scripted.max_output) == ("scripted", 200_000, 64_000)
    (local,) = shipped_models("local")
    assert (local.id, local.window, local.tokenizer) == ("smollm2-135m", 8_192, "smollm")
    assert shipped_models("nothing") == ()


@pytest.mark.parametrize(
    "asked", ["gpt-5.4-mini", "gpt-5.4-mini-2026-03-17", "openai/gpt-5.4-mini", "openai/gpt-5.4-mini-2026-03-17"]
)
def test_models_of_openai_are_found_by_date_and_behind_a_gateways_prefix(asked: str) -> None:
    found = find_model("openai", asked)
    assert (found.id, found.name, found.window, found.tokenizer) == (asked, "GPT-5.4 mini", 272_000, "o200k")
    assert found.prices is not None
    assert (found.prices.input, found.prices.cache_read, found.prices.cache_write_5m) == (0.75, 0.075, 0.75)


def test_above_the_cliff_openai_costs_twice_for_input_and_half_more_for_output() -> None:
    found = find_model("openai", "gpt-6-sol")
    assert found.price_cliff == 272_000
    assert found.prices is not None
    assert found.prices_above is not None
    assert (found.prices.input, found.prices.output, found.prices.cache_write_5m) == (2, 10, 2.5)
    above = found.prices_above
    assert (above.input, above.output, above.cache_read, above.cache_write_5m) == (4, 15, 0.4, 5)


def test_the_shipped_models_of_openai_fit_their_windows() -> None:
    models = shipped_models("openai")
    assert len({model.id for model in models}) == len(models) > 10
    assert all(0 < model.max_output < model.window for model in models)
    assert find_model("openai", "claude-opus-5-5").window_source == "assumed"


@pytest.mark.parametrize(
    ("asked", "efforts", "thinking", "temperature"),
    [
        ("claude-opus-5-5", ("low", "medium", "high", "xhigh", "max"), "always", False),
        ("claude-haiku-5-5", ("low", "medium", "high", "xhigh", "max"), "choice", False),
        ("claude-sonnet-4-6", ("low", "medium", "high", "max"), "choice", False),
        ("claude-haiku-4-5-20251001", (), "never", True),
        ("claude-opus-9", (), "choice", False),
        ("claude-opus-4-20250514", (), "never", False),
        ("llama.gguf", (), "never", True),
    ],
)
def test_what_the_models_of_the_messages_api_can_be_asked_for(
    asked: str, efforts: tuple[str, ...], thinking: str, *, temperature: bool
) -> None:
    found = find_model("anthropic", asked)
    assert (found.efforts, found.thinking, found.temperature) == (efforts, thinking, temperature)
    assert found.accepts_tools
    assert found.web_search == found.accepts_pdf == (found.window_source == "shipped")


def test_the_claude_program_is_given_neither_a_search_of_the_web_nor_a_temperature() -> None:
    assert not any(model.web_search or model.temperature for model in shipped_models("claude-cli"))
    assert {model.id for model in shipped_models("claude-cli")} == {model.id for model in shipped_models("anthropic")}


def test_openai_models_think_or_take_a_temperature() -> None:
    for model in shipped_models("openai"):
        assert (model.thinking == "never") == model.temperature == (not model.efforts)
        assert model.accepts_tools
    assert find_model("openai", "gpt-5-mini").efforts == ("minimal", "low", "medium", "high")
    unknown = find_model("openai", "qwen")
    assert (unknown.accepts_tools, unknown.temperature, unknown.thinking, unknown.web_search) == (
        True,
        True,
        "never",
        False,
    )


@pytest.mark.parametrize(
    ("model_id", "backend", "name"),
    [
        ("claude-opus-4-5-20251101", "anthropic", "Claude Opus 4.5"),
        ("claude-opus-4-5-20251101", None, "Claude Opus 4.5"),
        ("gpt-5.1", None, "GPT-5.1"),
        ("gpt-5.1", "anthropic", "gpt-5.1"),
        ("qwen3:8b", None, "qwen3:8b"),
        ("", None, ""),
    ],
)
def test_names_of_models_as_far_as_they_are_known(model_id: str, backend: str | None, name: str) -> None:
    assert shipped_name(model_id, backend) == name


KNOWN = [(backend, model.id, model.name) for backend in ("anthropic", "openai") for model in shipped_models(backend)]
FORMS = ("{}", "{}-20250929", "{}-latest", "{}[1m]")
GATEWAYS = {"anthropic": ("us.anthropic.{}-v1:0", "anthropic/{}"), "openai": ("openai/{}", "{}-2026-03-17")}


@pytest.mark.parametrize(("backend", "model", "name"), KNOWN)
def test_another_model_is_one_of_another_entry(backend: str, model: str, name: str) -> None:
    forms = [form.format(model) for form in (*FORMS, *GATEWAYS[backend])]
    assert not [(one, other) for one in forms for other in forms if is_another(one, other)]
    for _, other, called in KNOWN:
        assert is_another(model, f"{other}-20260101") == (called != name), other
    for unknown in ("", "a-deployment-of-mine", "test-model", "gpt-9", "claude-3-5-haiku-20241022"):
        assert not is_another(model, unknown)
        assert not is_another(unknown, model)


def test_a_short_name_stands_for_every_version_of_its_line() -> None:
    assert not is_another("sonnet", "claude-sonnet-4-5-20250929")
    assert not is_another("sonnet[1m]", "claude-sonnet-4-5-20250929")
    assert is_another("opus", "claude-sonnet-4-5-20250929")
    assert not is_another("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5-20250929")
    assert is_another("anthropic/claude-sonnet-4.5", "anthropic/claude-haiku-4.5")
