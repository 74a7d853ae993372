"""Owns a language that nobody speaks, to see what it does to the window: every text longer, and marked.

What is shown without the mark although it can be translated has gone past the translation; what does not fit is named.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QToolButton, QWidget

from desktop_app.ui.i18n.recollection import Recollection, Template
from tests.translations.catalogue import shown_texts

OPEN, CLOSE = "[!! ", " !!]"
FURTHER = "äöü ßéñ őű ç ø ą"
"""What a text is made longer by, as far as 40 % of it need."""
MOST_ELEMENTS = 4_000
"""Elements of the accessibility tree that are looked at, of a window with short lists."""


def pseudo(text: str) -> str:
    """`[!! Send äö !!]`: the text, its fields and its edges as they are, and two fifths longer."""
    if not (body := text.strip()):
        return text
    start, end = text[: text.index(body)], text[text.index(body) + len(body) :]
    pad = (FURTHER * (1 + len(body)))[: max(2, len(body) * 2 // 5)]
    return f"{start}{OPEN}{body} {pad.strip()}{CLOSE}{end}"


class PseudoTranslator(QTranslator):
    """Says everything of ours in the pseudo-language; Qt's own texts stay English."""

    def __init__(self, parent: QCoreApplication) -> None:
        super().__init__(parent)
        self._known = frozenset((text.context, text.source) for text in shown_texts())

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's own name
        return False

    def translate(self, context: str, text: str, _disambiguation: str | None = None, _n: int = -1) -> str | None:
        return pseudo(text) if (context, text) in self._known else None


@contextmanager
def pseudo_language() -> Iterator[Callable[[str], str]]:
    """While the block runs, `speak` knows no other language; yields what stands for it."""
    app = QApplication.instance()
    assert app is not None
    translator = PseudoTranslator(app)
    app.installTranslator(translator)
    before = QLocale()
    QLocale.setDefault(QLocale("de"))
    try:
        yield lambda _choice: "de"
    finally:
        app.removeTranslator(translator)
        translator.deleteLater()
        QLocale.setDefault(before)


class Inspection:
    """What is wrong with texts that are shown."""

    @cached_property
    def _known(self) -> Recollection:
        texts = shown_texts()
        forms = [Template(text.source, text.one) for text in texts]
        return Recollection([*forms, *(Template(text.source, text.one, is_one=True) for text in texts if text.one)])

    def untranslated(self, root: QWidget) -> list[str]:
        """Texts that could be translated and are shown in English, with the widget's class or role."""
        return sorted({f"{place}: {text}" for place, text in shown(root) if self._is_english(text)})

    def _is_english(self, text: str) -> bool:
        return any(OPEN not in line and self._known.phrase_of(line) is not line for line in text.split("\n"))


def shown(root: QWidget) -> Iterator[tuple[str, str]]:
    """Every text that is seen or heard below `root`, with where it is."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisibleTo(root):
            place = type(widget).__name__
            for text in (*_texts(widget), widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()):
                if text:
                    yield place, text
    if (interface := QAccessible.queryAccessibleInterface(root)) is not None:
        yield from _heard(interface)


def _texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QLineEdit):
        yield widget.placeholderText()


def _heard(root: QAccessibleInterface) -> Iterator[tuple[str, str]]:
    left = [root]
    for _ in range(MOST_ELEMENTS):
        if not left:
            return
        element = left.pop()
        for kind in (QAccessible.Text.Name, QAccessible.Text.Description):
            if text := element.text(kind):
                yield str(element.role()).rpartition(".")[2], text
        left += [child for number in range(element.childCount()) if (child := element.child(number)) is not None]


def clipped(root: QWidget) -> list[str]:
    """Buttons and one-line labels that are smaller than their text."""
    found = []
    for widget in root.findChildren(QWidget):
        plain = type(widget) is QLabel and not widget.wordWrap() and bool(widget.text())
        pressed = isinstance(widget, QAbstractButton) and bool(widget.text())
        if not widget.isVisibleTo(root) or not (plain or pressed) or _is_picture(widget):
            continue
        wanted, has = widget.sizeHint(), widget.size()
        if has.width() < wanted.width() or has.height() < wanted.height():
            text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
            found.append(
                f"{type(widget).__name__} {text!r}: {has.width()}x{has.height()}, "
                f"wants {wanted.width()}x{wanted.height()}"
            )
    return found


def _is_picture(widget: QWidget) -> bool:
    """Whether a button shows its icon alone; its text is for those who hear it."""
    return isinstance(widget, QToolButton) and not widget.icon().isNull()


def fields_of(text: str) -> list[str]:
    """The fields of a template."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
