"""Parameters of a thread's requests: effort, thinking, web search, temperature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final


@dataclass(frozen=True, slots=True)
class Parameters:
    """A thread's own parameters; each default leaves the choice to the model.

    `effort` is one of `ModelInfo.efforts`. `thinking` False turns thinking off where the model can go without.
    `web_search`: the provider's own search of the web may be used. `temperature` as the provider defines it.
    """

    effort: str = ""
    thinking: bool | None = None
    web_search: bool = False
    temperature: float | None = None


NO_PARAMETERS: Final = Parameters()


def parameters_to_json(parameters: Parameters) -> dict[str, str | bool | float]:
    """Return the chosen parameters; nothing stands for those that are left to the model."""
    chosen = {one.name: getattr(parameters, one.name) for one in fields(Parameters)}
    return {name: value for name, value in chosen.items() if value != getattr(NO_PARAMETERS, name)}


def parameters_from_json(value: object) -> Parameters:
    """The parameters that `parameters_to_json` wrote; a missing key is left to the model, a newer one left aside.

    `ValueError` names the key that is of another kind than expected.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"parameters: an object is expected, not {type(value).__name__}")
    effort, thinking = value.get("effort", ""), value.get("thinking")
    web_search, temperature = value.get("web_search", False), value.get("temperature")
    if not isinstance(effort, str):
        raise ValueError("parameters: effort is no text")
    if not isinstance(thinking, bool | None):
        raise ValueError("parameters: thinking is neither true nor false")
    if not isinstance(web_search, bool):
        raise ValueError("parameters: web_search is neither true nor false")
    if isinstance(temperature, bool) or not isinstance(temperature, int | float | None):
        raise ValueError("parameters: temperature is no number")
    return Parameters(effort, thinking, web_search, temperature)
