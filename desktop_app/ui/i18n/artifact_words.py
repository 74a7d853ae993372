"""The words for artifacts: what a kind is called."""

from __future__ import annotations

from desktop_app.ui.i18n.language import tr


def kind_words(kind: str, language: str = "") -> str:
    """Return the kind of thing in words; of code its language, as the fence has it."""
    if kind == "code":
        return language or tr("Code")
    return {
        "markdown": tr("Document"),
        "html": tr("Web page"),
        "svg": tr("Drawing"),
        "mermaid": tr("Diagram"),
        "text": tr("Text"),
    }.get(kind, tr("Document"))
