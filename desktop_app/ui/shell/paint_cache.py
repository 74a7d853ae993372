"""The facts the window showed last beside the messages, so that its first paint shows them before they are read.

It keeps names of models, figures and the app's own words, never what somebody wrote, and nothing of a private thread.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale

from desktop_app.ui.gauge.gauge_reading import GaugeReading

MOST_BYTES = 200_000
VERSION = 1


@dataclass(frozen=True, slots=True)
class LastPaint:
    """The facts that were shown in `thread` ("": a new one).

    `model`: the words on the model button, (model, backend); `last_message`: the id of a message that comes after all
    that was in view. `lines` are those beside the messages, as `Decorations.saved_lines` gives them.
    """

    thread: str = ""
    model: tuple[str, str] = ("", "")
    parameters: tuple[str, ...] = ()
    gauge: GaugeReading | None = None
    welcome: bool = False
    last_message: str = ""
    lines: dict[str, Any] | None = None


def read_last_paint(path: Path) -> LastPaint | None:
    """Return the kept facts, None where there is nothing that can be used, as in another language."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        kept = json.loads(path.read_text("utf-8"))
        if kept.pop("version") != VERSION or kept.pop("language") != QLocale().name():
            return None
        gauge = GaugeReading(*kept.pop("gauge")) if kept["gauge"] else kept.pop("gauge")
        model, parameters = map(str, kept.pop("model")), map(str, kept.pop("parameters"))
        last = LastPaint(gauge=gauge, model=tuple(model), parameters=tuple(parameters), **kept)  # type: ignore[arg-type]
        return last if len(last.model) == 2 else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def write_last_paint(path: Path, last: LastPaint) -> None:
    """Keeps it for the next start; where that is not possible, the next start has nothing to show before it reads."""
    kept = {field.name: getattr(last, field.name) for field in fields(last)}
    kept |= {"version": VERSION, "language": QLocale().name()}
    kept |= {"gauge": astuple(last.gauge) if last.gauge is not None else None}
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        from desktop_app.atomic_write import write_atomically  # nothing is written before the first paint

        write_atomically(path, json.dumps(kept).encode(), durable=False)
