"""Writes Markdown as HTML, for the clipboard.

Formulas are written as their source, which other programs know how to set; images as their address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from markdown_it.token import Token

from desktop_app.core.markdown.footnotes import NUMBERS, number_in, shown_note
from desktop_app.core.markdown.markdown_dialect import whole_parser


def rich_renderer() -> Callable[[str], str]:
    """Return a renderer of Markdown as HTML; nothing of its own HTML is kept as such."""
    parser = whole_parser()
    parser.disable("image")
    for kind, write in (
        ("math_inline", _source),
        ("math_block", _source_block),
        ("note", _reference),
        ("note_open", _note),
        ("note_close", _end_of_note),
    ):
        parser.add_render_rule(kind, write)

    def render(markdown: str) -> str:
        return str(parser.render(markdown))

    return render


def _source(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return escape(tokens[index].content, quote=False)


def _source_block(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return f"<p>{escape(tokens[index].content.strip(), quote=False)}</p>\n"


def _reference(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return escape(shown_note(tokens[index].content, number_in(tokens[index])), quote=False)


def _note(_self: object, tokens: Sequence[Token], index: int, _options: object, env: Mapping[str, Any]) -> str:
    label = str(tokens[index].meta["label"])
    return f"<div>{escape(shown_note(label, env.get(NUMBERS, {}).get(label, 0)), quote=False)} "


def _end_of_note(*_: Any) -> str:
    return "</div>\n"
