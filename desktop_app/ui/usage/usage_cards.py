"""The three sums on top of the usage page: billed, covered by a plan, free. Sums nothing itself."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.usage import usage_words as figures
from desktop_app.ui.usage.usage_reading import Sums
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow


class UsageCards(QWidget):
    """The amounts billed, covered by a plan, and free, each told apart; kinds that did not occur are left out."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._cards = {kind: UsageCard(theme, self) for kind in ("money", "plan", "free")}
        self.setLayout(FlowRow(*self._cards.values(), across=5 * GRID, down=GRID))

    def show_sums(self, sums: Sums) -> None:
        plan = figures.calls(sums.plan.calls)
        if sums.plan.priced:
            words = self.tr("{calls} · {amount} at list price")
            plan = words.format(calls=plan, amount=figures.paid(sums.plan))
        billed = f"{figures.calls(sums.money.calls)} · {figures.tokens_sentence(sums.money)}"
        self._cards["money"].show_figure(self.tr("Billed"), figures.paid(sums.money), billed)
        self._cards["plan"].show_figure(self.tr("Covered by a plan"), figures.tokens(sums.plan), plan)
        self._cards["free"].show_figure(self.tr("Free"), figures.tokens(sums.free), figures.calls(sums.free.calls))
        for card, kind in zip(self._cards.values(), (sums.money, sums.plan, sums.free), strict=True):
            card.setVisible(kind.calls > 0)

    def words(self) -> str:
        """All that is told, one line per kind."""
        return "\n".join(card.words() for card in self._cards.values() if not card.isHidden())


class UsageCard(QWidget):
    """One sum: what it is, the figure, and what it is made of."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._figure, self._detail = labels = tuple(ElidedLabel(self) for _ in range(3))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for label in labels:
            column.addWidget(label)
        self._name.setProperty("tone", "secondary")
        self._detail.setProperty("tone", "secondary")
        self._theme = theme
        theme.set_font("small", self._name, self._detail)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        big = theme.title_font()
        big.setPointSizeF(theme.points("figure"))
        self._figure.setFont(big)

    def show_figure(self, name: str, figure: str, detail: str) -> None:
        for label, words in ((self._name, name), (self._figure, figure), (self._detail, detail)):
            label.set_words(words)

    def words(self) -> str:
        return " · ".join(label.words for label in (self._name, self._figure, self._detail))
