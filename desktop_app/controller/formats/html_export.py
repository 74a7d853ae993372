"""Threads as one HTML page that looks like the window, and as pieces of a document that is laid out on pages."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final, TypeAlias

from desktop_app.controller.formats.exported_thread import ExportContents, ExportedThread, title_of
from desktop_app.controller.formats.html_blocks import BranchHtml, facts_html, picture_bytes, text_html
from desktop_app.core.messages import ImagePart

Typeset: TypeAlias = Callable[[str, bool], Mapping[str, Any] | None]
"""Gives the outlines of a formula, which stands in a line of its own or not; None: it can't be typeset."""

Colors: TypeAlias = Mapping[str, str]

EM: Final = 1_000
"""Outlines are in thousandths of the font size."""

SIZE: Final = 1.12
"""Size of a formula over that of the text around it, so that an x is as high in both."""

ROLES: Final = ("keyword", "string", "number", "comment", "name", "type", "operator")
"""The roles of colored code; in the theme, `syntax-` stands before each."""

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-src 'none'; script-src 'none'"
)

_USED: Final = (
    *("background", "text", "text-secondary", "hairline", "link", "danger", "question", "code-background", "accent"),
    *(f"syntax-{role}" for role in ROLES),
)

_STYLE: Final = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--background); color: var(--text); overflow-wrap: break-word;
  font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 792px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { font-size: 1.6em; line-height: 1.3; margin: 0 0 4px; }
h2 { font-size: 1em; line-height: 1.5; margin: 0 0 4px; }
h3 { font-size: 1.3em; } h4 { font-size: 1.15em; } h5, h6 { font-size: 1em; }
h3, h4, h5, h6 { line-height: 1.35; margin: 1.1em 0 0.4em; }
p { margin: 0 0 0.7em; } .plain { white-space: pre-wrap; }
ul, ol { margin: 0 0 0.7em; padding-left: 1.6em; } li > p { margin-bottom: 0.25em; }
a { color: var(--link); text-underline-offset: 2px; }
hr { border: 0; border-top: 1px solid var(--hairline); margin: 1.2em 0; }
blockquote { margin: 0 0 0.7em; padding: 0 0 0 12px; border-left: 3px solid var(--hairline);
  color: var(--text-secondary); }
code, pre { font-family: "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9em; }
p code, li code, td code, th code { background: var(--code-background); border-radius: 4px; padding: 1px 4px; }
.code { margin: 0 0 0.8em; background: var(--code-background); border-radius: 8px; }
.code pre { margin: 0; padding: 10px 14px; overflow-x: auto; line-height: 1.45; tab-size: 4; }
.code .language { padding: 6px 14px 0; color: var(--text-secondary); font-size: 0.8em; }
.scroll { overflow-x: auto; margin: 0 0 0.8em; }
table { border-collapse: collapse; } th, td { padding: 5px 10px; border-bottom: 1px solid var(--hairline); }
th { font-weight: 600; } td, th { vertical-align: top; }
.math { overflow-x: auto; overflow-y: hidden; text-align: center; margin: 0 0 0.8em; padding: 2px 0; }
svg.formula { overflow: visible; margin: 0 0.1em; }
sup { line-height: 0; color: var(--link); } sup.unsent, .failed { color: var(--danger); }
.facts, .when, .attached, .sources, summary, .contents { color: var(--text-secondary); font-size: 0.87em; }
.facts { margin-bottom: 24px; } .when { font-weight: 400; font-size: 0.8em; margin-left: 6px; }
.message { margin: 0 0 22px; break-inside: auto; } .message > :last-child { margin-bottom: 0; }
.user { background: var(--question); border-radius: 12px; padding: 12px 16px; }
.system { border-left: 3px solid var(--accent); padding-left: 13px; }
.sources { margin-top: 0.8em; border-top: 1px solid var(--hairline); padding-top: 6px; } .sources p { margin: 0; }
.note { font-size: 0.87em; color: var(--text-secondary); }
details { margin: 0 0 0.8em; } summary { cursor: pointer; }
details > div { margin: 6px 0 0; padding-left: 12px; border-left: 2px solid var(--hairline);
  color: var(--text-secondary); font-size: 0.94em; }
figure { margin: 0 0 0.8em; } figure img { max-width: 100%; max-height: 75vh; border-radius: 6px; display: block; }
figcaption { color: var(--text-secondary); font-size: 0.8em; margin-top: 4px; }
section + section { border-top: 1px solid var(--hairline); margin-top: 40px; padding-top: 32px; }
@media print {
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  h1, h2, h3, h4 { break-after: avoid; } figure, tr, .math { break-inside: avoid; }
  .code pre { white-space: pre-wrap; } .scroll { overflow: visible; }
  .user, .code, p code { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
}
"""


def write_beginning(titles: Sequence[str], light: Colors, dark: Colors) -> str:
    """The page up to its first thread; with several it begins with a table of contents."""
    title = titles[0] if len(titles) == 1 else f"{len(titles):,} threads"
    style = (
        f":root {{ color-scheme: light dark; {_variables(light)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {_variables(dark)} }} }}\n"
        f"@media print {{ :root {{ color-scheme: light; }} }}{_STYLE}"
        + "".join(f".code .{role} {{ color: var(--syntax-{role}); }}\n" for role in ROLES)
    )
    contents = "".join(f'<li><a href="#t{at}">{text_html(one)}</a></li>\n' for at, one in enumerate(titles, 1))
    return (
        '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="Plimsoll">\n<title>{text_html(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + (f'<nav class="contents"><ol>\n{contents}</ol></nav>\n' if len(titles) > 1 else "")
    )


END: Final = "</main>\n</body>\n</html>\n"


def write_thread(one: ExportedThread, contents: ExportContents, typeset: Typeset, number: int = 1) -> Iterator[str]:
    """The pieces of one thread, the `number`th of its page."""
    title = f'<h1 dir="auto">{text_html(title_of(one.thread))}</h1>'
    yield f'<section id="t{number}">\n<header>{title}{facts_html(one)}</header>\n'
    for message in BranchHtml(_PageForms(typeset), contents).messages(one):
        yield message.html
    yield "</section>\n"


def _variables(colors: Colors) -> str:
    return " ".join(f"--{name}: {colors[name]};" for name in _USED)


class _PageForms:
    """The forms that browsers show."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset

    def code(self, html: str, language: str) -> str:
        named = f'<div class="language">{text_html(language)}</div>' if language else ""
        return f'<div class="code">{named}<pre><code>{html}</code></pre></div>\n'

    def table(self, rows: str) -> str:
        return f'<div class="scroll"><table>{rows}</table></div>\n'

    def formula(self, source: str, *, display: bool) -> str | None:
        facts = self._typeset(source, display)
        return None if facts is None else formula_svg(facts, source)

    def fold(self, words: str, html: str) -> str:
        return f"<details><summary>{words}</summary><div>{html}</div></details>\n"

    def picture(self, part: ImagePart) -> str:
        data = picture_bytes(part)
        if data is None:
            return f'<p class="attached">Attached: {text_html(part.name)}</p>'
        source = f"data:{part.media_type};base64,{base64.b64encode(data).decode()}"
        name = text_html(part.name)
        return f'<figure><img src="{source}" alt="{name}"><figcaption>{name}</figcaption></figure>\n'

    def message(self, role: str, heading: str, html: str) -> str:
        return f'<article class="message {role}">{heading}{html}</article>\n'


def formula_svg(facts: Mapping[str, Any], source: str) -> str:
    """A formula's outlines as a picture in the line, in the color of the text."""
    width, up, down = (float(facts[name]) for name in ("width", "up", "down"))
    height = up + down
    path = " ".join(str(one) for one in facts["path"])
    letters = "".join(
        f'<text x="{float(x)}" y="{float(y)}" font-size="{float(size)}">{escape(str(letter))}</text>'
        for x, y, size, letter in facts["letters"]
    )
    scale = SIZE / EM
    return (
        f'<svg class="formula" role="img" aria-label="{text_html(source)}" fill="currentColor" '
        f'style="width:{width * scale:.3f}em;height:{height * scale:.3f}em;vertical-align:{-down * scale:.3f}em" '
        f'viewBox="0 {-up:.1f} {width:.1f} {height:.1f}"><path d="{escape(path)}"/>{letters}</svg>'
    )


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
