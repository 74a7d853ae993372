"""The page on which one prompt is written: its title, its text with the variables coloured."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.core.prompts import BUILT_IN, TITLE_LIMIT, PromptTemplate
from desktop_app.ui.prompts.prompt_variables import VariableHighlighter
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.page import EditorPage

LONG_NAME: Final = 32
"""Letters of a variable's name that are shown; the rest is in the tooltip."""


class PromptEditor(EditorPage):
    """Its text is title and text as one: the title is the first line (`joined`, `parted`)."""

    title: QLineEdit | None = None  # while the page without it is being made

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self._may_be_empty = False
        self._saved = joined("", "")
        self.set_title(self.tr("Prompt"))
        self.back.setAccessibleName(self.tr("Back to the prompts"))
        self.back.setToolTip(self.tr("Back to the prompts (Esc)"))
        self.title = title = QLineEdit(self.column)
        title.setMaxLength(TITLE_LIMIT)
        title.setAccessibleName(self.tr("Title"))
        title.setPlaceholderText(self.tr("Title"))
        title.textChanged.connect(self._follow_text)
        self.field.setAccessibleName(self.tr("Text of the prompt"))
        self.field.setPlaceholderText(self.tr("Prompt text, with {{variables}} for the parts that change"))
        self.lead.setText(
            self.tr(
                "{{name}} asks for a value, {{name=value}} suggests one, {{name:long}} asks for many lines, "
                "{{name:a|b}} offers some. {{clipboard}}, {{selection}} and {{date}} fill themselves in. "
                "A backslash before the braces makes them plain text."
            )
        )
        self.inside.insertWidget(0, title)
        # what is explained stands beneath what it is needed for
        self.inside.removeWidget(self.lead)
        self.inside.insertWidget(self.inside.indexOf(self.problem), self.lead)
        self.highlighter = VariableHighlighter(theme, self.field.document())
        self.setTabOrder(title, self.field)
        self._follow_text()

    def focus_first(self) -> None:
        """A prompt that is not stored yet begins with its title."""
        if self.title is not None and not parted(self._saved)[0]:
            self.title.setFocus(Qt.FocusReason.OtherFocusReason)
            self.title.selectAll()
        else:
            super().focus_first()

    def text(self) -> str:
        return joined(self.title.text() if self.title is not None else "", self.field.toPlainText())

    def show_saved(self, text: str) -> None:
        untouched = self.unsaved() is None
        self._saved = text
        if untouched and text != self.text():
            title, body = parted(text)
            if self.title is not None:
                self.title.setText(title)
            self.field.setPlainText(body)
        self._follow_text()

    def take_unsaved(self, text: str) -> None:
        title, body = parted(text)
        if self.title is not None:
            self.title.setText(title)
        self.field.replace_text(body)

    def _follow_text(self) -> None:
        super()._follow_text()
        title, body = parted(self.text())
        if not (title.strip() and body.strip()):
            self.save_button.setEnabled(False)
        names = [variable.name for variable in PromptTemplate(body).variables]
        asked, given = [name for name in names if name not in BUILT_IN], [name for name in names if name in BUILT_IN]
        shown = [name if len(name) <= LONG_NAME else f"{name[: LONG_NAME - 1]}…" for name in asked]
        words = [self.tr("Asks for: {names}").format(names=", ".join(shown))] if asked else []
        words += [self.tr("Fills in: {names}").format(names=", ".join(given))] if given else []
        self.show_tokens(" · ".join(words))
        self.tokens.setToolTip(", ".join(asked) if shown != asked else "")


def joined(title: str, text: str) -> str:
    """Title and text as one text."""
    return f"{title}\n{text}"


def parted(text: str) -> tuple[str, str]:
    """The title and the text of what `joined` made."""
    title, _, body = text.partition("\n")
    return title, body
