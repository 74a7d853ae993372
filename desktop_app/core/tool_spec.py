"""The description of a tool as a model gets it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.messages import JsonObject


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered: `schema` is the JSON Schema of its input, an object.

    `recalls`: it finds nothing but what is out of view, so that it is offered once something is, if a change of the
    tools costs nothing. `reads_only`: a call changes nothing.
    """

    name: str
    description: str
    schema: JsonObject
    recalls: bool = False
    reads_only: bool = True
