"""What the provider's list says of a model, in whatever shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.anthropic_backend import model_of
from desktop_app.core.model_catalog import find_model

YES, NO = {"supported": True}, {"supported": False}


def capabilities(**given: Any) -> dict[str, Any]:
    """As the API gives them: every known ability is named."""
    thinking = {"supported": True, "types": {"adaptive": YES, "disabled": YES, "enabled": NO, "between_tools": NO}}
    effort = {"supported": True, "low": YES, "medium": YES, "high": YES, "xhigh": None, "max": NO}
    return {
        "image_input": YES,
        "pdf_input": YES,
        "thinking": thinking,
        "effort": effort,
        "server_tools": {"supported": True, "web_search": YES, "code_execution": NO},
        **given,
    }


def test_what_the_provider_says_wins_over_the_table() -> None:
    entry = {
        "id": "claude-sonnet-5-5",
        "display_name": "Sonnet",
        "max_input_tokens": 400_000,
        "max_tokens": 90_000,
        "capabilities": capabilities(image_input=NO, pdf_input=NO),
    }
    shipped = find_model("anthropic", "claude-sonnet-5-5")
    assert model_of(entry) == replace(
        shipped,
        name="Sonnet",
        window=400_000,
        max_output=90_000,
        window_source="provider",
        accepts_images=False,
        accepts_pdf=False,
        efforts=("low", "medium", "high"),
        thinking="choice",
    )
    assert shipped.prices == model_of(entry).prices


@pytest.mark.parametrize(
    ("thinking", "found"),
    [
        ({"supported": False, "types": {"adaptive": NO, "disabled": YES}}, "never"),
        ({"supported": True, "types": {"adaptive": NO, "disabled": YES, "enabled": YES}}, "never"),
        ({"supported": True, "types": {"adaptive": YES, "disabled": YES}}, "choice"),
        ({"supported": True, "types": {"adaptive": YES, "disabled": NO}}, "always"),
        ({"supported": True}, "choice"),  # as the table says
    ],
)
def test_whether_it_thinks(thinking: dict[str, Any], found: str) -> None:
    assert model_of({"id": "claude-opus-5", "capabilities": capabilities(thinking=thinking)}).thinking == found


def test_no_effort_and_no_search() -> None:
    able = capabilities(effort={"supported": False, "low": YES}, server_tools={"supported": False, "web_search": NO})
    model = model_of({"id": "claude-opus-5", "capabilities": able})
    assert (model.efforts, model.web_search) == ((), False)


def test_llama_cpp_speaks_this_wire_and_names_its_window_otherwise() -> None:
    model = model_of({"id": "m.gguf", "object": "model", "meta": {"n_ctx": 4_096, "n_ctx_train": 131_072}})
    assert (model.window, model.window_source, model.max_output) == (4_096, "provider", 4_096)


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda one: (
        st.lists(one) | st.dictionaries(st.sampled_from(["supported", "types", "effort", "thinking", "adaptive"]), one)
    ),
)


@given(
    st.dictionaries(st.sampled_from(["max_input_tokens", "max_tokens", "capabilities", "meta", "display_name"]), odd)
)
def test_an_odd_entry_is_no_error(entry: dict[str, Any]) -> None:
    model = model_of({"id": "claude-opus-5", **entry})
    assert model.window > 0
    assert model.max_output > 0
    assert model.thinking in ("never", "always", "choice")
