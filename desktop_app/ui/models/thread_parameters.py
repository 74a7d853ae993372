"""The parameters that can be asked of a model in a thread, and their form beside the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.parameters import NO_PARAMETERS, Parameters
from desktop_app.ui.i18n.language import editable, tr

if TYPE_CHECKING:  # loaded after the first paint
    from desktop_app.core.model_catalog import ModelInfo


@dataclass(frozen=True, slots=True)
class ThreadParameters:
    """The parameters of a thread: the model, what can be asked of it, what was asked, and whether it may look things
    up.

    `price`: one sentence on what a change costs now, "" where it costs nothing. `usual_temperature`: what is taken
    where none is asked for; None: only the provider knows.
    """

    model: ModelInfo
    parameters: Parameters = NO_PARAMETERS
    recall: bool = True
    price: str = ""
    usual_temperature: float | None = None


def differences(shown: ThreadParameters) -> tuple[str, ...]:
    """Return the differences from the defaults, each as a word or two; those the model does not take are left out.

    Searching the web has a switch of its own, which shows it.
    """
    model, asked = shown.model, shown.parameters
    words = []
    if asked.effort in model.efforts:
        words.append(effort_words(asked.effort))
    if asked.thinking is False and model.thinking == "choice":
        words.append(tr("no thinking"))
    if asked.temperature is not None and model.temperature:
        words.append(tr("temperature {value}").format(value=editable(f"{asked.temperature:g}")))
    if not shown.recall and model.accepts_tools:
        words.append(tr("no look-ups"))
    return tuple(words)


def effort_words(level: str) -> str:
    """A level of effort for people; the provider's own word where none is known."""
    known = {
        "minimal": tr("minimal"),
        "low": tr("low"),
        "medium": tr("medium"),
        "high": tr("high"),
        "xhigh": tr("extra high"),
        "max": tr("max"),
    }
    return known.get(level, level)
