"""The facts told of one message on demand: time, model, tokens, cost, speed. Uses no thread and no controller."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from desktop_app.core.messages import NO_MARK, Message, MessageMark
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.phrases import phrase
from desktop_app.ui.i18n.dates import time_of
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating


def details(
    message: Message, model: str, backend: str, speed: float | None, mark: MessageMark = NO_MARK
) -> list[tuple[str, str]]:
    """Return the details of a message, as (name, value).

    `model`, `backend`: their names; `speed`: tokens a second, where it was measured; `mark`: the user's own.
    """
    return [*_facts(message, model, backend, speed), *_own(mark)]


def _facts(message: Message, model: str, backend: str, speed: float | None) -> list[tuple[str, str]]:
    told = [(tr("Time"), time_of(message.created))]
    if message.role == "user":
        return told
    if model:
        told.append((tr("Model"), " · ".join(words for words in (model, backend) if words)))
        if message.model and model != message.model:
            told.append((tr("Model ID"), message.model))
    usage = message.usage
    if usage is not None and usage.asked:
        told.append((tr("Asked for"), shipped_name(usage.asked)))
    if usage is not None:
        told.append((tr("Tokens in"), grouped(usage.prompt)))
        if usage.cache_read:
            told.append((tr("of these from the cache"), grouped(usage.cache_read)))
        if usage.cache_write:
            told.append((tr("of these written to the cache"), grouped(usage.cache_write)))
        told.append((tr("Tokens out"), grouped(usage.output)))
        if usage.thinking:
            told.append((tr("of these thinking"), grouped(usage.thinking)))
        if usage.cost_usd is not None:
            told.append((tr("Cost"), _cost(usage.cost_usd)))
    if speed is not None:
        told.append((tr("Speed"), tr("{speed} tokens/s").format(speed=grouped(speed))))
    return told


class DetailsPopover(QFrame):
    """A table of two columns; the keyboard's Esc and a click elsewhere close it."""

    def __init__(self, theme: Theme, told: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(tr("Details of the message"))
        self.setAccessibleDescription(". ".join(f"{name}: {value}" for name, value in told))
        table = QGridLayout(self)
        table.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        table.setHorizontalSpacing(3 * GRID)
        table.setVerticalSpacing(GRID // 2)
        for row, (name, value) in enumerate(told):
            for column, words in enumerate((name, value)):
                label = QLabel(words, self)
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setFont(theme.small_font())
                if column == 0:
                    label.setProperty("tone", "secondary")
                else:
                    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                table.addWidget(label, row, column, Qt.AlignmentFlag.AlignLeft)

    def open_at(self, place: QRect) -> None:
        """Opens beneath a place on the screen, above it where there is no room."""
        size, screen = self.sizeHint(), self.screen().availableGeometry()
        top = place.bottom() + GRID // 2
        if top + size.height() > screen.bottom():
            top = place.top() - size.height() - GRID // 2
        self.move(QPoint(max(screen.left(), min(place.left(), screen.right() - size.width())), top))
        self.show()
        self.setFocus()


def _own(mark: MessageMark) -> list[tuple[str, str]]:
    rating = {"up": tr("Up"), "down": tr("Down")}.get(mark.rating)
    told = [(tr("Your rating"), rating)] if rating else []
    return [*told, (tr("Your note"), mark.note)] if mark.note else told


def _cost(usd: float) -> str:
    """To a hundredth of a cent where it is less than a dollar: one answer often costs less than a cent."""
    if usd >= 1 or not usd:
        return translated(phrase("${amount:,.2f}", amount=usd))
    return translated(phrase("${amount:.4f}", amount=usd))
