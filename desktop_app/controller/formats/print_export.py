"""Threads as pieces of a document that is laid out on pages: HTML of the tags and styles that Qt's documents know.

A piece is a mapping: `html`; `outline`, the words that lead to its first heading; `formulas` and `pictures` by the
number that `<img src="formula:0">` and `<img src="picture:0">` name; `new_page`, where it does not go on below.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from desktop_app.controller.formats.branch_html import BranchHtml, facts_html, picture_bytes
from desktop_app.controller.formats.exported_thread import ExportContents, ExportedThread, title_of
from desktop_app.controller.formats.html_blocks import text_html
from desktop_app.controller.formats.html_export import ROLES, Colors, Typeset
from desktop_app.core.messages import ImagePart

_APART: Final = 'style="margin-top: 2px; margin-bottom: 8px"'
"""Of a table from what stands above and below."""

PrintPiece: TypeAlias = Mapping[str, Any]


def print_style(colors: Colors) -> str:
    """The style sheet of printed threads, in the colors of the light theme."""
    secondary = f"color: {colors['text-secondary']};"
    rules = [
        f"body {{ font-family: Inter; color: {colors['text']}; }}",
        "h1 { font-size: 17pt; margin-bottom: 2px; } h2 { font-size: 10.5pt; margin-top: 14px; margin-bottom: 2px; }",
        "h3 { font-size: 12.5pt; } h4 { font-size: 11pt; } h5, h6 { font-size: 10pt; }",
        "h3, h4, h5, h6 { margin-top: 10px; margin-bottom: 4px; } p { margin-top: 0; margin-bottom: 6px; }",
        "ul, ol { margin-top: 0; margin-bottom: 6px; } .plain { white-space: pre-wrap; }",
        "code, pre { font-family: 'JetBrains Mono'; font-size: 8.5pt; }",
        "pre { white-space: pre-wrap; margin: 0; }",
        f"td.code {{ background-color: {colors['code-background']}; }}",
        f"td.fold {{ {secondary} font-size: 9pt; }} td.bar {{ background-color: {colors['hairline']}; }}",
        f"td.user {{ background-color: {colors['question']}; }}",
        f"blockquote {{ margin-left: 14px; margin-right: 0; {secondary} }}",
        f"a {{ color: {colors['link']}; }} sup {{ color: {colors['link']}; }}",
        f".failed, .unsent {{ color: {colors['danger']}; }}",
        f".facts, .attached, .sources, .when, .caption, .note {{ {secondary} font-size: 8.5pt; }}",
        ".when { font-weight: normal; } .math { text-align: center; margin-top: 4px; margin-bottom: 6px; }",
        *(f".{role} {{ color: {colors[f'syntax-{role}']}; }}" for role in ROLES),
    ]
    return "\n".join(rules)


def write_pieces(one: ExportedThread, contents: ExportContents, typeset: Typeset) -> Iterator[PrintPiece]:
    """The pieces of one thread, which begins on a page of its own."""
    forms = _PrintForms(typeset)
    title = title_of(one.thread)
    yield {"html": f"<h1>{text_html(title)}</h1>{facts_html(one)}", "outline": title, "new_page": True}
    for message in BranchHtml(forms, contents).messages(one):
        formulas, pictures = forms.taken()
        yield {"html": message.html, "outline": message.outline, "formulas": formulas, "pictures": pictures}


class _PrintForms:
    """The forms that Qt's documents show: frames are tables with one cell."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._formulas: list[Mapping[str, Any]] = []
        self._pictures: list[str] = []

    def taken(self) -> tuple[list[Mapping[str, Any]], list[str]]:
        """The formulas and pictures (base64) of what was written since the last time."""
        taken = self._formulas, self._pictures
        self._formulas, self._pictures = [], []
        return taken

    def code(self, html: str, language: str) -> str:
        return _framed("code", f"<pre>{html}</pre>")

    def table(self, rows: str) -> str:
        border = "border-style: solid; border-collapse: collapse"
        return f'<table border="1" cellspacing="0" cellpadding="4" {_APART[:-1]}; {border}">{rows}</table>'

    def formula(self, source: str, *, display: bool) -> str | None:
        facts = self._typeset(source, display)
        if facts is None:
            return None
        self._formulas.append(facts)
        return f'<img src="formula:{len(self._formulas) - 1}">'

    def fold(self, words: str, html: str) -> str:
        return (
            f'<p class="attached">{words}</p><table width="100%" cellspacing="0" cellpadding="0" {_APART}><tr>'
            f'<td class="bar" width="2"></td><td width="10"></td><td class="fold">{html}</td></tr></table>'
        )

    def picture(self, part: ImagePart) -> str:
        data = picture_bytes(part)
        caption = f'<p class="caption">{text_html(part.name)}</p>'
        if data is None:
            return caption
        self._pictures.append(base64.b64encode(data).decode())
        return f'<p><img src="picture:{len(self._pictures) - 1}"></p>{caption}'

    def message(self, role: str, heading: str, html: str) -> str:
        return heading + (_framed("user", html) if role == "user" else html)


def _framed(kind: str, html: str) -> str:
    return (
        f'<table width="100%" cellspacing="0" cellpadding="8" {_APART}><tr><td class="{kind}">{html}</td></tr></table>'
    )
