"""Reads files and draws diagrams in a worker process: whatever a hostile file or text brings down is this process."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desktop_app.core.phrases import template, to_json
from desktop_app.documents.file_opening import (
    LOCKED_PDF,
    MEMORY_LIMIT,
    TIME_LIMIT_S,
    TOO_DEMANDING,
    LockedPdfError,
    UnreadableError,
)
from desktop_app.resources import resource
from desktop_app.system.own_processes import READ_DOCUMENTS, own_command
from desktop_app.system.worker_loop import serve

MOST_PIXELS: Final = 6_000
"""Of a side of the picture of a diagram."""

_LOOKS: Final = json.dumps(
    {
        "svg": {"pipeline": "resvg-safe"},
        "site_config": {"theme": "neutral", "fontFamily": "Inter, sans-serif"},
        "resources": {"profile": "interactive"},
    }
)
_NARROW: Final = "text { letter-spacing: -0.03em }"
"""The boxes are made for a narrower font than ours."""
_ON_DARK: Final = "filter: invert(0.9) hue-rotate(180deg)"
"""Light and dark exchanged: the colors that a text names itself are chosen for words on paper."""

NO_DIAGRAM: Final = template("“{name}” is shown as text: it can't be drawn ({why}).")
NOT_DRAWN: Final = template("“{name}” is shown as text: it takes too much time or memory to draw.")
NOT_HERE: Final = template("“{name}” is shown as text: this installation of Plimsoll can't draw diagrams.")


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(READ_DOCUMENTS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(answer_to, memory=MEMORY_LIMIT, cpu_s=TIME_LIMIT_S)


def answer_to(order: dict[str, Any]) -> dict[str, Any]:
    """Return the facts read of an attachment or the picture of a diagram, or why there are none."""
    return told(order["name"], lambda: _drawn(order) if order["read"] == "diagram" else _attached(order))


def told(name: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the facts read, or `error`: a sentence for the user; `detail` tells the kind of a fault that nobody
    expected.

    The note or error stands beside it as a phrase.
    """
    try:
        answer = read()
    except UnreadableError as error:
        detail = type(error.__cause__).__name__ if error.__cause__ else ""
        detail = LOCKED_PDF if isinstance(error, LockedPdfError) else detail
        answer = {"error": error.sentence(name), "detail": detail}
    except (MemoryError, RecursionError) as error:
        answer = {"error": UnreadableError(TOO_DEMANDING).sentence(name), "detail": type(error).__name__}
    return {**answer, "phrase": to_json(answer.get("error") or answer.get("note", ""))}


def _attached(order: dict[str, Any]) -> dict[str, Any]:
    # imported with the first order, not while the limits are being set
    from desktop_app.documents.text_extraction import facts_of_file, facts_of_image, facts_of_text

    match order["read"]:
        case "file":
            facts = facts_of_file(Path(order["path"]), order.get("password", ""))
        case "image":
            facts = facts_of_image(base64.b64decode(order["data"]))
        case _:
            facts = facts_of_text(order["data"], order["name"])
    return asdict(facts)


def _drawn(order: dict[str, Any]) -> dict[str, Any]:
    """A text of Mermaid as a picture, on white paper or on none in a dark theme. Nothing is loaded but fonts."""
    try:
        import merman
        import resvg_py
    except (ImportError, OSError):  # an extra, which not every system and processor has
        raise UnreadableError(NOT_HERE) from None
    try:
        drawing = merman.Merman().render_svg(order["data"], _LOOKS)
        # labels are cut to the width that they have in the font that the boxes were made for
        drawing = drawing.replace("overflow:hidden", "overflow:visible")
        if order.get("dark"):
            head, _, content = drawing.rpartition("</svg>")[0].partition(">")
            drawing = f'{head}><g style="{_ON_DARK}">{content}</g></svg>'
        width, height = map(float, drawing.partition('viewBox="')[2].partition('"')[0].split()[2:])
        picture = resvg_py.svg_to_bytes(
            svg_string=drawing,
            zoom=min(order["scale"], MOST_PIXELS / width, MOST_PIXELS / height),
            background=None if order.get("dark") else "white",
            style_sheet=_NARROW,
            font_dirs=[str(resource("fonts"))],
            font_family="Inter",
            sans_serif_family="Inter",
            monospace_family="JetBrains Mono",
        )
    except (merman.MermanError, ValueError, ZeroDivisionError) as error:
        if getattr(error, "resource", None) is not None:
            raise UnreadableError(NOT_DRAWN) from None
        why = str(getattr(error, "message", "")) or type(error).__name__
        raise UnreadableError(NO_DIAGRAM, why=re.sub(r"^Diagram parse error \([^)]*\): ", "", why)) from None
    return {"data": base64.b64encode(bytes(picture)).decode(), "note": ""}
