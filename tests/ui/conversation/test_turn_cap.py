"""A turn at its cap in the window: a neutral card asks, its buttons go on or end it, the working line has the sum."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from desktop_app.core.context.plan import Overhead
from desktop_app.core.events import ConsentAsked, TurnPaused, TurnProgressed
from desktop_app.core.messages import ToolCallPart, ToolResultPart, Usage
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta, UsageReported
from desktop_app.core.tool_servers import ServerReport, add_by_parts
from desktop_app.ui.conversation.error_cards import describe_consent, describe_pause
from desktop_app.ui.conversation.transcript_presenter import sum_words
from desktop_app.ui.desktop.notifications import EndNotices
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from tests.fakes.gated_backend import Gate
from tests.patience import until
from tests.ui.open_window import OpenWindow
from tests.ui.transcript.message.test_tool_rows import cards as cards_of
from tests.ui.transcript.message.test_tool_rows import notes


async def at_the_cap(window: OpenWindow) -> Gate:
    """A turn that has paid $1.20 for two rounds waits; behind its card is an answer, which a gate holds."""
    window.backend.cost_kind, window.backend.accepts_tools = "money", True
    window.backend.overhead = Overhead(cache_marks=4)
    gate = Gate()
    for number in range(2):
        call = ToolCallPart(f"c{number}", "search_this_thread", {"query": "deep"})
        usage = UsageReported(Usage(input=100, output=9, cost_usd=0.6), "big")
        window.backend.reply(TextDelta("Let me look."), PartFinished(call), usage, Ended("tool_use"))
    window.backend.reply(gate, TextDelta("Found."), Ended("end_turn"))
    window.enter("Look.")
    cards = window.presenters.error_cards
    await window.until(lambda: cards.card is not None, "the card")
    return gate


def buttons_of(window: OpenWindow) -> list[QPushButton]:
    return [] if (card := window.presenters.error_cards.card) is None else list(card.buttons)


def words_of(window: OpenWindow) -> tuple[str, list[str]]:
    card = window.presenters.error_cards.card
    assert card is not None
    return card.content.heading, [button.text() for button in card.buttons]


async def test_the_card_goes_on_to_the_next_cap_and_the_line_tells_the_sum(window: OpenWindow) -> None:
    gate = await at_the_cap(window)
    heading, buttons = words_of(window)
    assert heading == "Paused after $1.20 (1 call)"
    assert buttons == ["Continue to $2", "Stop here", "Change the cap"]
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.tone == "question"
    assert card.content.biggest.startswith("Cached until ")
    assert all(button.property("kind") != "primary" for button in card.buttons), "neither is cheaper and knows more"
    assert window.composer.streaming
    card.buttons[0].click()
    await gate.arrive()
    last = window.transcript.row_layout.messages[-1].id
    await window.until(lambda: "2 calls · $1.20" in " ".join(notes(window.transcript, last)), "the sum")
    assert window.presenters.error_cards.card is None
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert (await window.opened_thread()).path[-1].text == "Found."


async def test_stopped_there_the_answer_says_so_and_is_kept_in_another_thread_too(window: OpenWindow) -> None:
    await at_the_cap(window)
    thread_id = window.app_state.thread_id or ""
    window.shortcut("new_thread")
    await window.settled()
    assert buttons_of(window) == []
    await window.choose_thread(thread_id)
    stop = buttons_of(window)[1]  # it waits in its own thread
    stop.click()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert buttons_of(window) == []
    answer = (await window.opened_thread()).path[-1]
    assert (answer.stop_reason, answer.text) == ("turn_cap", "Let me look.")
    last = window.transcript.row_layout.messages[-1].id
    assert any(line.startswith("Stopped at the turn cap") for line in notes(window.transcript, last))


async def test_change_the_cap_leads_to_the_cap_that_was_reached(window: OpenWindow) -> None:
    gate = await at_the_cap(window)
    for key in ("context.turn_cap_usd", "context.turn_cap_calls"):
        if key.endswith("calls"):
            window.presenters.error_cards.paused(TurnPaused(window.app_state.thread_id or "", 200, None, to_calls=400))
        buttons_of(window)[2].click()
        await window.settled()
        page = window.presenters.pages.page
        assert isinstance(page, PreferencesPage)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert page.rows[key].isAncestorOf(focused), key
        window.presenters.pages.leave()
        await window.settled()
    buttons_of(window)[1].click()
    await window.until(lambda: not window.composer.streaming, "the end")
    gate.open()


async def test_a_pause_out_of_view_is_told_in_the_window_and_by_the_desktop(window: OpenWindow) -> None:
    presence = window.session.presence
    told: list[tuple[str, str, str]] = []
    presence.notices.due.disconnect(presence.tell)
    notices = EndNotices(presence.app_state, lambda: False, presence)
    notices.due.connect(lambda *notice: told.append(notice))
    await at_the_cap(window)
    thread_id = window.app_state.thread_id or ""
    await window.settled()
    assert told == [(thread_id, "Paused at the turn cap", "Look.")]
    assert not window.window.toast.isVisible()
    window.shortcut("new_thread")
    await window.settled()
    paused = TurnPaused(thread_id, 200, None, to_calls=400)
    window.services.announcements.publish(paused)
    await window.until(window.window.toast.isVisible, "the words in the other thread")
    assert window.window.toast.words == "A turn in another thread paused at its cap"
    window.window.toast.findChildren(QPushButton)[0].click()
    await window.until(lambda: window.app_state.is_open(thread_id), "the thread that waits")
    await window.settled()
    buttons_of(window)[1].click()
    await window.until(lambda: not window.composer.streaming, "the end")


def test_the_words_of_calls_alone_and_of_a_held_call() -> None:
    paused = TurnPaused("t", 200, None, to_calls=400, ends="2026-03-14T15:42:00+00:00")
    content = describe_pause(paused)
    assert (content.heading, content.actions[0].words) == ("Paused after 200 calls", "Continue to 400 calls")
    assert content.biggest.startswith("Ends by itself at ")
    assert describe_pause(replace(paused, ends="")).biggest == ""


def test_a_small_sum_is_not_told() -> None:
    assert sum_words(None) == ""
    assert sum_words(TurnProgressed("t", 12, 0.04)) == ""
    assert sum_words(TurnProgressed("t", 12, 0.08)) == "12 calls · $0.08"
    assert sum_words(TurnProgressed("t", 4, None)) == ""
    assert sum_words(TurnProgressed("t", 5, None)) == "5 calls"


SERVER = Path(__file__).parents[2] / "servers" / "tool_server.py"


KEY_PRESS, NO_KEY = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier


def second_of_a_double_click(button: QPushButton) -> None:
    left, at = Qt.MouseButton.LeftButton, QPointF(button.rect().center())
    none = Qt.MouseButton.NoButton
    for kind, held in ((QEvent.Type.MouseButtonDblClick, left), (QEvent.Type.MouseButtonRelease, none)):
        QApplication.sendEvent(button, QMouseEvent(kind, at, button.mapToGlobal(at), left, held, NO_KEY))


async def with_tools(window: OpenWindow) -> None:
    """A server of tools that is on, and a backend that calls them."""
    servers = window.services.tool_servers
    await servers.add(add_by_parts("Test", command=sys.executable, arguments=(str(SERVER), "well")))
    await servers.switch("Test", everywhere=True)
    window.backend.accepts_tools, window.backend.overhead = True, Overhead(cache_marks=4)


def last_cards(window: OpenWindow) -> str:
    """What the cards of tools in the last answer say."""
    return "\n".join(cards_of(window.transcript, window.transcript.row_layout.messages[-1].id))


async def test_a_call_waits_in_words_and_is_answered_with_keys(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_tools(window)
    told: list[str] = []
    updated = "desktop_app.ui.conversation.error_cards.QAccessible.updateAccessibility"
    monkeypatch.setattr(updated, lambda event: told.append(event.message()) if hasattr(event, "message") else None)
    entries = [window.window.actions_by_id[name] for name in ("allow_once", "allow_thread", "refuse_call")]
    cards = window.presenters.error_cards
    for way, state in (("keys", "done"), ("palette", "not run"), ("stop", "not run")):
        told.clear()
        assert not any(entry.isEnabled() for entry in entries)
        window.backend.reply(PartFinished(ToolCallPart(way, "Test__commit", {"text": way})), Ended("tool_use"))
        window.backend.reply(TextDelta("Done."), Ended("end_turn"))
        window.enter("Do it.")
        await window.until(lambda: cards.card is not None, "the card")
        slow = "Starting Test first. Esc cancels."  # where the server takes a moment
        assert [one for one in told if one != slow] == [
            "Test wants to write: commit. The model chose the tool and its arguments. Nothing has been done yet."
        ]
        assert all(entry.isEnabled() for entry in entries)
        await window.until(lambda: "commit, waiting for you" in last_cards(window), "the words")
        assert "commit: waiting for you" in window.transcript.accessible.text(len(window.transcript.messages) - 1)
        thread_id = window.app_state.thread_id or ""
        window.shortcut("new_thread")
        await window.settled()
        assert not any(entry.isEnabled() for entry in entries)
        await window.choose_thread(thread_id)
        assert "commit, waiting for you" in last_cards(window)
        window.shortcut("connections")
        await window.settled()
        assert not any(entry.isEnabled() for entry in entries), "nobody sees what they would allow"
        window.presenters.pages.leave()
        await window.settled()
        if way == "keys":
            window.shortcut("next_pane")
            assert [one.objectName() for one in buttons_of(window) if one.hasFocus()] == ["allow_once"]
            QTest.keyClick(buttons_of(window)[0], Qt.Key.Key_Space)
        elif way == "palette":
            entries[2].trigger()
        else:
            window.presenters.sending.stop()
        await window.until(lambda: not window.composer.streaming, "the end")
        await window.settled()
        assert f"commit, {state}" in last_cards(window)


async def test_the_view_follows_behind_a_card_and_shows_what_its_details_open(window: OpenWindow) -> None:
    await with_tools(window)
    gate = Gate()
    words = "\n".join(f"line {number}" for number in range(12))
    call = ToolCallPart("c1", "Test__commit", {"text": words, "more": [words[:40]] * 9})
    window.backend.reply(TextDelta("A long line.\n\n" * 40), PartFinished(call), Ended("tool_use"))
    window.backend.reply(TextDelta("And more.\n\n" * 40), gate, TextDelta("The end.\n\n" * 40), Ended("end_turn"))
    window.enter("Do it.")
    cards, scroll = window.presenters.error_cards, window.transcript.auto_scroll
    await window.until(lambda: cards.card is not None, "the card")
    await window.settled()
    card = cards.card
    assert card is not None
    card.buttons[3].click()
    await window.settled()
    viewport = window.transcript.viewport()
    below = card.mapTo(viewport, QPoint(0, card.height())).y()
    assert below <= viewport.height() or card.height() > viewport.height() - 40
    card.buttons[3].click()
    await window.settled()
    card.buttons[0].click()
    await gate.arrive()
    await window.settled()
    assert scroll.at_latest
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert scroll.at_latest


async def test_a_refusal_switches_tools_off_with_one_click(window: OpenWindow) -> None:
    window.backend.window = 12_000
    await with_tools(window)
    await window.send("Hello.")
    servers = window.services.tool_servers
    await until(lambda: servers.listed("Test").tools != (), "the list")
    listed = servers.listed("Test")
    heavy = replace(listed.tools[0], description="word " * 1_500)
    await servers.note(ServerReport("Test", "ready", (heavy, *listed.tools[1:]), "1.0"))
    window.editor.setPlainText("word " * 6_000)
    await window.until(lambda: window.gauge.reading.state == "refused", "the gauge")
    window.gauge.room_requested.emit()
    card = window.presenters.error_cards.card
    assert card is not None
    assert "tools " in card.content.biggest
    action = card.content.action("tools_off")
    assert action is not None
    assert action.words.startswith("Switch off Test, saves ")
    card.action_requested.emit("tools_off")
    await window.until(lambda: card.resolved, "the line")
    assert not servers.find("Test").everywhere
    await window.until(lambda: window.window.toast.words == "Test switched off in all threads.", "the toast")
    window.window.toast.findChildren(QPushButton)[0].click()
    await window.until(lambda: servers.find("Test").everywhere, "the way back")


async def test_a_tool_of_a_server_asks_on_a_card_with_its_arguments(window: OpenWindow) -> None:
    await with_tools(window)
    call = ToolCallPart("c1", "Test__commit", {"text": "the words"})
    for text in ("Done.", "Well."):
        window.backend.reply(PartFinished(replace(call, id=text)), Ended("tool_use"))
        window.backend.reply(TextDelta(text), Ended("end_turn"))
    cards = window.presenters.error_cards
    for button, said in (("allow_once", "the words"), ("refuse_call", "The user did not allow")):
        window.enter("Do it.")
        await window.until(lambda: cards.card is not None, "the card")
        assert words_of(window) == (
            "Test wants to write: commit",
            ["Allow once", "Allow in this thread", "Don't allow"],
        )
        assert cards.card is not None
        assert '"text": "the words"' in cards.card.content.biggest
        assert all(one.property("kind") != "primary" for one in buttons_of(window))
        pressed = cards.card.button(button)
        assert pressed is not None
        asked: list[str] = []
        cards.card.action_requested.connect(asked.append)
        second_of_a_double_click(pressed)
        QApplication.sendEvent(pressed, QKeyEvent(KEY_PRESS, Qt.Key.Key_Return, NO_KEY, "\r", True))
        assert asked == [], "they were meant for the card before"
        pressed.click()
        await window.until(lambda: not window.composer.streaming, "the end")
        results = [part for message in (await window.opened_thread()).path for part in message.parts]
        assert [part.text for part in results if isinstance(part, ToolResultPart)][-1].startswith(said)
        await window.settled()
        assert cards.card is None


def test_the_words_of_a_consent() -> None:
    asked = ConsentAsked("t", "c", "Git", "log", "\n".join(map(str, range(9))), "reads")
    content = describe_consent(asked)
    assert content.heading == "Git wants to read: log"
    assert content.sentence == "The server says that it only reads."
    assert content.biggest == "0\n1\n2\n3\n4\n… 4 more lines"
    assert content.detail == asked.arguments
    low = describe_consent(asked, is_low=True)
    assert (low.biggest, low.detail) == ("0 1 2 3 4 5 6 7 8", asked.arguments), "all of them unfold"
    changed = describe_consent(replace(asked, acts="sends", changed=True, ends="2026-03-14T15:42:00+00:00"))
    assert changed.heading == "Git wants to send: log"
    assert changed.sentence.startswith("The tool is not the one that you allowed")
    assert "Refused by itself at " in changed.sentence
    told = describe_consent(replace(asked, arguments="{}", about="Shows the history."))
    assert told.biggest == "Git says: “Shows the history.”\n{}", "as the server's words, not the app's"
