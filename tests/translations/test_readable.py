"""Every shown text stands where `lupdate` finds it: a literal, given to a function that it knows."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

import pytest

from tests.translations.catalogue import PACKAGE

FOR_MODELS = (
    "core/context/sent_content.py",
    "core/context/token_estimator.py",
    "core/context/prepared_path.py",
    "core/context/path_tokens.py",
    "core/recall.py",
    "core/document_search.py",
    "core/titles.py",
    "core/messages.py",
    "controller/document_tools.py",
    "controller/turn_tools.py",
    "backends/claude_cli/invocation.py",
    "backends/openai/chat_wire.py",
)
"""Modules that write what a model reads: English, and the same bytes in every language."""


def unreadable(code: str) -> Iterator[tuple[int, str]]:
    """Line and reason of each call whose text `lupdate` passes over without a word."""
    tree = ast.parse(code)
    formatted = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called, first = ast.unparse(node.func), node.args[0]
        literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
        if called in ("tr", "self.tr", "phrase", "template"):
            if not literal or id(node) in formatted:
                yield node.lineno, "the text is no literal outside of an f-string"
        elif called.endswith(".tr") or (called == "QCoreApplication.translate" and literal):
            yield node.lineno, "tr() says a text that is not of this class"
        elif called == "Phrase" and literal:
            yield node.lineno, "phrase() makes a phrase of a literal"
        if called == "phrase" and literal and not any(keyword.arg is None for keyword in node.keywords):
            texts = [str(text.value) for text in node.args if isinstance(text, ast.Constant)]
            wanted = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
            given = {keyword.arg for keyword in node.keywords}
            if wanted - {"count"} != given - {"count"}:
                yield node.lineno, "fields and values differ"


def test_every_shown_text_is_readable() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {why}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name not in ("phrases.py", "language.py")
        for line, why in unreadable(path.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "self.tr(words)",
        'self.tr(f"Hello {name}")',
        'tr("One" if one else "Two")',
        "f\"{tr('Inside')}\"",
        'pane.tr("Of another class")',
        'QCoreApplication.translate("Words", "By another way")',
        "phrase(TEXT)",
        'phrase("{count} of {all}", count=3)',
        'phrase("{count}", count=3, unused=2)',
        'Phrase("Said at once", {})',
    ],
)
def test_what_can_not_be_read_is_named(code: str) -> None:
    assert [line for line, _ in unreadable(code)] == [1]


def test_what_a_model_reads_is_never_a_phrase() -> None:
    for name in FOR_MODELS:
        assert "core.phrases" not in (PACKAGE / name).read_text("utf-8"), name
