"""Pictures of the composer in each of its states. What is written there is made up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

LONG = (
    "We have three suppliers left after the first round, and the quarterly figures do not agree with what they told us "
    "in spring.\n\nPlease compare the three offers by price, time of delivery and risk. Then say which one you would "
    "take, and what we would have to ask before we sign.\n\n- Nordwind: cheapest, but late twice\n- Ostsee: in the "
    "middle, has our certificates already\n- Southern: dearest, delivers within two weeks\n\n"
)
MISSPELT = (
    "Please compair the three offers and tell me wich supplier you would recomend.\n\nDie Lieferung kam leider zu "
    "spät, see `compair_offers(a, b)` or https://example.org/recomend.\n\n"
)
GERMAN = (
    "Bitte vergleiche die Angebote der drei Lieferanten nach Preis, Lieferzeit und Ausfallwahrscheinlichkeit und fasse "
    "die Donaudampfschifffahrtsgesellschaftskapitänsversorgungsrichtlinie in drei Sätzen zusammen."
)
CHINESE = "请比较三家供应商的报价:价格、交货时间和风险。然后告诉我你会选择哪一家,以及签约之前我们还需要问什么问题。"
ARABIC = "قارن من فضلك بين عروض الموردين الثلاثة (Nordwind و Ostsee و Southern) من حيث السعر ومدة التسليم والمخاطر."


async def _written(window: OpenWindow, text: str, width: int = 1000, height: int = 620) -> None:
    from PySide6.QtGui import QTextCursor

    window.window.resize(width, height)
    window.window.activateWindow()
    window.app_state.close_thread()
    window.editor.setFocus()
    window.editor.setPlainText(text)
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    await window.settled()
    await window.until(lambda: window.presenters.gauge.plan is not None, "a plan")


async def composer_empty(window: OpenWindow) -> None:
    await _written(window, "")


async def composer_line(window: OpenWindow) -> None:
    await _written(window, "Which supplier would you take?")


async def composer_long(window: OpenWindow) -> None:
    await _written(window, 3 * LONG)


async def composer_german(window: OpenWindow) -> None:
    await _written(window, GERMAN, 640)


async def composer_chinese(window: OpenWindow) -> None:
    await _written(window, CHINESE)


async def composer_arabic(window: OpenWindow) -> None:
    await _written(window, ARABIC)


async def composer_queued(window: OpenWindow) -> None:
    """An answer streams, four messages wait, another is being written."""
    from PySide6.QtCore import Qt

    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.fakes.gated_backend import Gate

    await _written(window, "Which supplier would you take?")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    gate = Gate()
    window.backend.reply(TextDelta("I would take Ostsee. "), gate, Ended("end_turn"))
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    window.editor.setPlainText("And what would we have to ask before we sign with the one that is cheapest, but late?")
    window.press(Qt.Key.Key_Return)
    for text in ("What does it cost?", "And in spring?", "Who signs?"):
        window.editor.setPlainText(text)
        window.press(Qt.Key.Key_Return)
    window.editor.setPlainText("Then write")


async def composer_chips(window: OpenWindow) -> None:
    from pathlib import Path

    from desktop_app.ui.widgets.dragging import DroppedFiles

    await _written(window, "Compare these with what they told us in spring.")
    folder = window.session.paths.root.parent
    names = ("offers 2026.csv", "Fahrgastschifffahrtsgesellschaft Jahresabschluss (endgültig).md", "notes.txt")
    paths: list[Path] = [folder / name for name in names]
    for path in paths:
        path.write_text("supplier,price\nNordwind,12\n" * 40)
    window.presenters.attachments.take(DroppedFiles(tuple(paths)))
    await window.until(lambda: len(window.composer.attachments) == len(paths), "the chips")
    await window.settled()


async def composer_pasted(window: OpenWindow) -> None:
    """A long paste, which may better be a document."""
    from PySide6.QtCore import QMimeData

    await _written(window, "What does this log say?\n\n")
    brought = QMimeData()
    brought.setText("2026-11-20 12:00:01 INFO nothing happened\n" * 400)
    window.editor.insertFromMimeData(brought)


async def _misspelt(window: OpenWindow, text: str, width: int) -> None:
    await _written(window, text, width)
    await window.services.preferences.set_value("composer.spell_check", True)
    await window.services.preferences.set_value("composer.spell_languages", "en_US")
    await window.until(lambda: window.editor.marks is not None, "the check")
    speller = window.presenters.spelling.speller
    await window.until(lambda: speller.is_wrong("wich"), "its verdicts")


async def composer_spelling(window: OpenWindow) -> None:
    await _misspelt(window, MISSPELT, 1000)


async def composer_spelling_narrow(window: OpenWindow) -> None:
    await _misspelt(window, MISSPELT, 520)


async def composer_spelling_menu(window: OpenWindow) -> None:
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    await _misspelt(window, MISSPELT, 1000)
    cursor = window.editor.textCursor()
    cursor.setPosition(9)
    window.editor.setTextCursor(cursor)
    place = window.editor.cursorRect().center()
    at = window.editor.viewport().mapToGlobal(place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, at)
    QApplication.sendEvent(window.editor.viewport(), event)
    await window.until(lambda: QApplication.activePopupWidget() is not None, "the menu")


async def composer_secret(window: OpenWindow) -> None:
    """Send asks about what looks like a secret."""
    from PySide6.QtCore import Qt

    await _written(window, "AWS_ACCESS_KEY_ID=AKIA" + "Q7R2" * 4 + "\n\nWhy is this refused?")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: "secret" in window.composer.lines, "the question")
    await window.settled()


async def composer_secret_removed(window: OpenWindow) -> None:
    """Secrets in the results of a tool did not leave."""
    from desktop_app.core.context.request_secrets import PlacedSecret, removed_secret
    from desktop_app.core.events import NoticeRaised
    from desktop_app.core.redaction import found_secrets

    window.window.resize(1000, 620)
    found = found_secrets("ghp_" + "a1B2" * 9 + " AKIA" + "Q7R2" * 4)
    words = removed_secret([PlacedSecret(one, "pipeline-settings.yml") for one in found])
    notice = NoticeRaised(window.app_state.thread_id or "", "secret", words, secrets=("a:1",))
    window.presenters.transcript.notice_raised(notice)
    await window.settled()


COMPOSER_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    composer_empty,
    composer_line,
    composer_long,
    composer_german,
    composer_chinese,
    composer_arabic,
    composer_queued,
    composer_chips,
    composer_pasted,
    composer_spelling,
    composer_spelling_narrow,
    composer_spelling_menu,
    composer_secret,
    composer_secret_removed,
)
