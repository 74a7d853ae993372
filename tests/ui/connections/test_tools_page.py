"""The page of tools with real clicks and keys: servers added, found, switched, tested, changed and removed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop_app.cli.plan_shapes import context_shape
from desktop_app.cli.tool_commands import server_shape
from desktop_app.controller.server_tools import weighed_tools
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.messages import JsonObject, Usage
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.core.tool_servers import ServerTool, add_by_parts
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.connections.tools_page import ServerCard, ToolsPage, difference
from desktop_app.ui.gauge.plan_facts import facts_of
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.inspector.message_rows import FixedRow
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.widgets.floating import Menu
from tests.fakes.listing_host import COMMIT, LOG, ListingHost
from tests.fakes.memory_secrets import MemorySecrets, NoKeyring
from tests.ui.inspector.inspecting import Inspecting
from tests.ui.open_window import OpenWindow
from tests.ui.test_one_number import first_number
from tests.ui.views import opened, resized

pytestmark = pytest.mark.slow

TEXT: JsonObject = {"type": "string", "description": "The value that the record is to have, as its own page tells it."}
FIELDS = [f"field_of_the_record_{number}" for number in range(9)]

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@asynccontextmanager
async def window_with_tools(
    data_dir: Path, host: ListingHost, secrets: MemorySecrets | None = None, *, git: bool = True
) -> AsyncIterator[tuple[OpenWindow, ToolsPage]]:
    async with OpenWindow.opened(data_dir, secrets=secrets) as window:
        servers = window.services.tool_servers
        host.serve(servers)
        if git:
            await servers.add(add_by_parts("Git", command="git-server"))
        window.presenters.pages.show("tools")
        await window.until(lambda: isinstance(window.presenters.pages.page, ToolsPage), "the page")
        page = window.presenters.pages.page
        assert isinstance(page, ToolsPage)
        await window.until(lambda: page.cards or page.weight.text(), "what there is")
        page._home, page._environ = (lambda: data_dir.parent), {}
        yield window, page


def git_of(page: ToolsPage) -> ServerCard:
    card = page.card("Git")
    assert card is not None
    return card


def click(part: QWidget) -> None:
    assert part.isVisible()
    QTest.mouseClick(part, Qt.MouseButton.LeftButton)


def choose(button: QWidget, words: str) -> None:
    """Takes an entry of the menu that a button opens."""
    click(button)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    next(one for one in menu.actions() if one.text() == words).trigger()
    menu.close()


def notice_in(window: OpenWindow) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    return window.transcript.footer.notice


async def after_test(window: OpenWindow, page: ToolsPage) -> ServerCard:
    card = git_of(page)
    click(card.test)
    await window.until(lambda: card.result.text().startswith("Works"), "the test")
    await window.settled()
    return card


async def unfold(window: OpenWindow, card: ServerCard) -> None:
    click(card.unfold)
    await window.until(lambda: card.rows and card.rows[-1].consent.isVisible(), "the tools")


async def test_without_servers_the_page_says_so_and_offers_the_form(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost(), git=False) as (_, page):
        assert page.weight.text() == "No servers yet"
        assert page.form.name.isVisible()


async def test_a_server_is_added_by_its_command_and_is_off(data_dir: Path, qapp: object) -> None:
    secrets, host = MemorySecrets(), ListingHost()
    async with window_with_tools(data_dir, host, secrets, git=False) as (window, page):
        form = page.form
        for field, words in (
            (form.name, "Git"),
            (form.command, "uvx mcp-server-git --repository '/my repo'"),
            (form.secret_name, "TOKEN"),
            (form.secret, KEY),
        ):
            QTest.keyClicks(field, words)
        assert form.secret.echoMode() == QLineEdit.EchoMode.Password
        QTest.keyClick(form.secret, Qt.Key.Key_Return)
        await window.until(lambda: page.card("Git") is not None, "the server")
        server = window.services.tool_servers.find("Git")
        assert (server.command, server.arguments) == ("uvx", ("mcp-server-git", "--repository", "/my repo"))
        assert await secrets.get("tools/Git/TOKEN") == KEY
        assert KEY not in (data_dir / "settings.toml").read_text()
        assert (git_of(page).place.text(), git_of(page).facts.text()) == ("Off", "Not tested yet")
        assert host.launched == []
        assert (form.name.text(), form.secret.text()) == ("", "")


async def test_a_card_tells_its_command_which_can_be_changed(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        card, form = git_of(page), page.form
        assert (card.starts.words, card.place.icon().isNull()) == ("git-server", False)
        click(card.edit)
        await window.until(lambda: form.name.text() == "Git", "the form")
        assert (form.command.text(), form.add.text(), form.name.isReadOnly()) == ("git-server", "Save changes", True)
        QTest.keyClicks(form.command, " --all")
        QTest.keyClick(form.command, Qt.Key.Key_Return)
        await window.until(lambda: card.starts.words == "git-server --all" and not form.name.text(), "the change")
        assert (form.name.text(), form.add.text(), form.cancel.isVisible()) == ("", "Add server", False)
        assert len(page.cards) == 1


@pytest.mark.parametrize(
    ("name", "command", "said"),
    [
        ("Git", "uvx x", "already"),
        ("a/b", "uvx x", "can't be"),
        ("New", "", "command or an address"),
        ("", "x", "can't be"),
    ],
)
async def test_what_can_not_be_added_says_why_and_stays(
    data_dir: Path, qapp: object, name: str, command: str, said: str
) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        page.form.name.setText(name)
        page.form.command.setText(command)
        click(page.form.add)
        await window.until(lambda: said in page.form.problem.text(), "the words")
        assert (page.form.name.text(), page.form.command.text()) == (name, command)
        assert len(window.services.tool_servers.all) == 1


async def test_without_a_keyring_a_server_with_a_secret_is_not_added(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost(), NoKeyring(), git=False) as (window, page):
        page.form.name.setText("Web")
        page.form.command.setText("https://a.example/mcp")
        page.form.secret_name.setText("Authorization")
        page.form.secret.setText("Bearer abc")
        click(page.form.add)
        await window.until(lambda: "keyring" in page.form.problem.text(), "the words")
        assert window.services.tool_servers.all == []
        # as a key of a provider it can be used all the same, until the program is closed
        assert page.form.add.text() == "Use without saving"
        click(page.form.add)
        await window.until(lambda: page.card("Web") is not None, "the server")
        assert "abc" not in (data_dir / "settings.toml").read_text()
        launch = await window.services.tool_servers.launch("Web")
        assert dict(launch.headers) == {"Authorization": "Bearer abc"}
        assert page.form.add.text() == "Add server"


async def test_a_test_lists_the_tools_with_their_weight(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        card = await after_test(window, page)
        assert card.result.text() == "Works: 2 tools"
        assert card.facts.text().startswith("2 tools · ")
        assert card.facts.text().endswith(" tokens a request · git 1.0")
        await unfold(window, card)
        assert [row.name.words for row in card.rows] == ["commit", "log"]
        assert "tokens a request" in card.rows[0].facts.words
        assert card.rows[0].facts.words.endswith(" tokens a request · Not used yet"), (
            "its server does not say what it does"
        )
        await window.services.tool_servers.note_used("Git", "commit")
        await window.until(lambda: "Last used" in card.rows[0].facts.words, "the use")
        assert "tokens a request · Last used" in card.facts.text()


async def test_a_failure_and_the_log_are_told_where_the_server_stands(data_dir: Path, qapp: object) -> None:
    host = ListingHost()
    async with window_with_tools(data_dir, host) as (window, page):
        host.problem = "It ended by itself (exit status 7)."
        card = git_of(page)
        click(card.test)
        await window.until(lambda: card.problem.text() == host.problem, "the failure")
        click(card.log)
        await window.until(lambda: card.detail.toPlainText() == "it has begun", "the log")
        assert card.detail.hasFocus()
        click(card.log)
        assert card.detail.isHidden()


async def test_a_server_is_switched_on_for_all_threads_or_a_project(data_dir: Path, qapp: object) -> None:
    host = ListingHost()
    async with window_with_tools(data_dir, host) as (window, page):
        await window.services.projects.create("Firmware")
        card = await after_test(window, page)
        servers = window.services.tool_servers
        choose(card.place, "Firmware")
        await window.until(lambda: card.place.text() == "On in Firmware", "the project")
        choose(card.place, "All threads")
        await window.until(lambda: card.place.text() == "On in all threads", "all threads")
        assert page.weight.text().startswith("In all threads, with big: ")
        assert [tool.name for tool in servers.offered(None)] == ["commit", "log"]
        await unfold(window, card)
        click(card.rows[0].switch)
        await window.until(lambda: [tool.name for tool in servers.offered(None)] == ["log"], "the tool is off")
        choose(card.place, "Off")
        await window.until(lambda: card.place.text() == "Off", "off")
        assert servers.offered(None) == []
        assert host.ended[-1] == "Git"


async def test_always_is_given_here_and_ends_with_a_change_that_is_shown(data_dir: Path, qapp: object) -> None:
    host = ListingHost()
    async with window_with_tools(data_dir, host) as (window, page):
        card = await after_test(window, page)
        servers = window.services.tool_servers
        await servers.switch("Git", everywhere=True)
        await unfold(window, card)
        choose(card.rows[0].consent, "Always allow")
        await window.until(lambda: card.rows[0].consent.text() == "Always allowed", "the consent")
        choose(card.rows[1].consent, "Only reads")
        await window.until(lambda: card.rows[1].consent.text() == "Asks, only reads", "the mark")
        host.tools = [replace(COMMIT, description="Records changes and calls delete"), LOG]
        click(card.test)
        await window.until(lambda: card.change.text() == "Git changed 1 tool", "the change")
        assert card.rows[0].consent.text() == "Changed"
        click(card.rows[0].consent)  # leads to the difference, and no consent can be given before
        await window.until(
            lambda: "-Records changes\n+Records changes and" in card.detail.toPlainText(), "the difference"
        )
        assert "Asked for again: commit" in card.detail.toPlainText()
        click(card.accept)
        await window.until(card.change.isHidden, "that it was seen")
        assert card.detail.isHidden()
        assert [row.consent.text() for row in card.rows] == ["Asks", "Asks, only reads"]


async def test_a_removed_server_comes_back_with_undo(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        click(git_of(page).remove)
        await window.until(lambda: not page.cards, "it is gone")
        assert page.weight.text() == "No servers yet"
        await window.until(page.toast.button.isVisible, "the way back")
        click(page.toast.button)
        await window.until(lambda: page.card("Git") is not None, "it is back")


async def test_servers_of_other_apps_are_previewed_and_chosen(data_dir: Path, qapp: object) -> None:
    secrets = MemorySecrets()
    git = {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": KEY}}
    servers = {"git": git, "old": {"type": "sse", "url": "https://a.example"}, "time": {"command": "uvx"}}
    async with window_with_tools(data_dir, ListingHost(), secrets) as (window, page):
        (data_dir.parent / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
        click(page.form.search)
        await window.until(lambda: page.form.choices, "what was found")
        boxes = [box for box, _ in page.form.choices]
        assert boxes[0].text() == "git: uvx mcp-server-git · secrets: TOKEN · Claude Code"
        assert (boxes[0].isChecked(), boxes[1].isEnabled()) == (False, False)
        assert "SSE" in boxes[1].text()
        assert not page.form.take.isEnabled()
        boxes[0].click()
        boxes[2].click()
        click(page.form.take)
        await window.until(lambda: len(page.cards) == 3, "the servers")
        assert [card.title.text() for card in page.cards] == ["Git", "git 2", "time"]
        assert await secrets.get("tools/git 2/TOKEN") == KEY
        assert page.form.choices == []


async def test_where_no_other_app_has_servers_the_page_says_so(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        click(page.form.search)
        words = "No servers of other apps were found here."
        await window.until(lambda: page.form.found_words.text() == words, "the words")


async def test_the_page_is_reached_from_connections_a_project_and_the_palette(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir) as window:
        servers, pages = window.services.tool_servers, window.presenters.pages
        project = await window.services.projects.create("Firmware")
        await servers.add(add_by_parts("Git", command="git-server"), project=project.id)
        window.shortcut("connections")
        await window.until(lambda: isinstance(pages.page, ConnectionsPage), "the connections")
        click(cast("ConnectionsPage", pages.page).tools)
        await window.until(lambda: isinstance(pages.page, ToolsPage), "from the connections")
        pages.show("project", project.id)
        await window.until(lambda: isinstance(pages.page, ProjectPage), "the project")
        button = cast("ProjectPage", pages.page).tools
        await window.until(lambda: button.text() == "Git", "its tools")
        button.click()
        await window.until(lambda: isinstance(pages.page, ToolsPage), "from the project")


LONG: JsonObject = {"type": "object", "properties": dict.fromkeys(FIELDS, TEXT)}
WIDE = [ServerTool("Git", f"wide_{number}", "Acts on a record.", LONG) for number in range(12)]


@pytest.mark.parametrize("off", [8, 0], ids=["in each request", "found when needed"])
async def test_the_same_tools_weigh_the_same_wherever_they_are_told(data_dir: Path, qapp: object, off: int) -> None:
    host = ListingHost()
    host.tools = WIDE
    async with window_with_tools(data_dir, host) as (window, page):
        window.backend.accepts_tools = True
        servers = window.services.tool_servers
        await servers.switch("Git", everywhere=True)
        for tool in WIDE[:off]:
            await servers.switch_tool("Git", tool.name, on=False)
        card = await after_test(window, page)
        weights = await weighed_tools(window.services.chat, servers)
        shape = server_shape(servers, servers.find("Git"), weights)
        inspecting = Inspecting(window)
        await inspecting.open()
        plan = inspecting.plan
        every, own = plan.tokens.tools, thousands(cast("int", shape["tokens"]))
        (context,) = cast("list[dict[str, int]]", context_shape(plan, None)["tool_servers"])
        (row,) = (row for row in inspecting.tab.model.rows() if isinstance(row, FixedRow) and row.kind == "tools")
        told = [action.text().rpartition(" · ")[2] for action in inspecting.tab.tools_menu().actions()]
        assert row.tokens == every == pytest.approx(sum(map(first_number, told)), abs=len(told))
        (popover,) = (fact.value for fact in facts_of(plan, free=False) if fact.name == "Tools")
        of_page = f"Git · {12 - off} tools"
        if off:
            assert context["tokens"] == pytest.approx(shape["tokens"], abs=1)
            assert popover == f"{of_page} · {own} of {thousands(every)} tokens a request"
            assert card.facts.text().startswith(f"4 tools · {own} tokens a request")
            assert page.weight.text().startswith(f"In all threads, with {plan.model.name}: {own} tokens a request")
        else:
            assert context == {"server": "Git", "tools": 12, "tokens": 0, "found_when_needed": True}
            finding = thousands(weights.finding)
            assert popover == f"{of_page}, found when needed · {finding} of {thousands(every)} tokens a request"
            assert card.facts.text().startswith(f"12 tools · {own} tokens, found when needed")
            head = f"In all threads, with {plan.model.name}: {finding} tokens a request"
            assert page.weight.text().startswith(head)
            assert page.weight.text().endswith(f" · {own} tokens, found when needed")
        assert shape["found_when_needed"] is (off == 0)


async def test_the_page_says_what_the_thread_before_it_says_once_its_requests_were_counted(
    data_dir: Path, qapp: object
) -> None:
    host = ListingHost()
    host.tools = WIDE[:3]
    async with window_with_tools(data_dir, host) as (window, page):
        window.backend.accepts_tools = True
        await window.services.tool_servers.switch("Git", everywhere=True)
        card = await after_test(window, page)
        before = card.facts.text()
        page.back.click()
        window.backend.reply(TextDelta("Yes."), UsageReported(Usage(input=700, output=2), "big"), Ended("end_turn"))
        await window.send("Is it so?")
        await window.settled()
        inspecting = Inspecting(window)
        await inspecting.open()
        told = ToolTokens.of(inspecting.plan.request.tools, inspecting.plan.model.tokenizer)
        (count, own) = told.by_server(inspecting.plan.tokens.tools)["Git"]
        window.presenters.pages.show("tools")
        await window.until(lambda: window.presenters.pages.page is not page, "the page")
        again = window.presenters.pages.page
        assert isinstance(again, ToolsPage)
        await window.until(lambda: again.cards, "its card")
        assert git_of(again).facts.text().startswith(f"{count} tools · {thousands(own)} tokens a request")
        assert again.weight.text().startswith(
            f"In all threads, with {inspecting.plan.model.name}: {thousands(own)} tokens"
        )
        assert not before.startswith(f"{count} tools · {thousands(own)} tokens"), "which the count has changed"


async def test_a_change_is_a_line_in_the_thread_that_leads_here(data_dir: Path, qapp: object) -> None:
    async with OpenWindow.opened(data_dir) as window:
        servers, host = window.services.tool_servers, ListingHost()
        host.serve(servers)
        await servers.add(add_by_parts("Git", command="git-server"))
        await servers.switch("Git", everywhere=True)
        await window.send("hello")
        assert notice_in(window) is None
        host.tools = [COMMIT]
        await window.send("hello again")
        assert notice_in(window) == ("Git changed 1 tool", (("review_tools", "Review"),))
        await window.send("and again")
        assert notice_in(window) is None, "once"
        window.presenters.transcript.act("", "review_tools")
        await window.until(lambda: isinstance(window.presenters.pages.page, ToolsPage), "the page")


async def test_a_server_that_can_not_start_is_a_line_in_the_thread_and_stands_on_the_button(
    data_dir: Path, qapp: object
) -> None:
    async with OpenWindow.opened(data_dir) as window:
        servers, host, button = window.services.tool_servers, ListingHost(), window.composer.web_search.servers
        host.serve(servers)
        host.problem = "It ended by itself (exit status 1)."
        for name in ("Git", "Time"):
            await servers.add(add_by_parts(name, command="a-server"))
            await servers.switch(name, everywhere=True)
        await window.until(lambda: button.toolTip() == "Tools on: Git, Time", "the button")
        before = button.icon().pixmap(16).toImage()
        await window.send("hello")
        assert notice_in(window) == ("Git and Time could not start", (("review_tools", "Review"),))
        marked = "Tools on: Git, Time\nCould not start: Git, Time"
        await window.until(lambda: button.toolTip() == marked, "the words")
        assert button.icon().pixmap(16).toImage() == before, "no alarm in threads that may not need it"

        host.problem = ""
        await window.send("and now")
        assert notice_in(window) is None
        await window.until(lambda: button.toolTip() == "Tools on: Git, Time", "no mark")


@pytest.mark.parametrize("problem", ["", "It ended by itself (exit status 1)."])
async def test_a_test_moves_no_button(data_dir: Path, qapp: object, problem: str) -> None:
    host = ListingHost()
    async with window_with_tools(data_dir, host) as (window, page):
        host.problem = problem
        window.window.resize(1120, 800)
        await window.services.tool_servers.add(add_by_parts("Time", command="a-server"))
        await window.services.tool_servers.switch("Git", everywhere=True)
        await window.until(lambda: len(page.cards) == 2, "both")
        await window.settled()

        def places() -> list[QPoint]:
            page.inside.activate()
            buttons = [button for card in page.cards for button in (card.place, card.test, card.edit, card.remove)]
            return [one.mapTo(page, QPoint()) for one in (*buttons, page.form.name)]

        before, card = places(), page.cards[0]
        card.show_busy("Testing…")
        assert places() == before
        card.show_busy("")
        card.test.click()
        await window.until(lambda: card.problem.isVisible() if problem else "Works" in card.result.text(), "the result")
        await window.settled()
        assert places() == before


async def test_everything_is_reached_by_keys_and_has_a_name(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        card = await after_test(window, page)
        card.unfold.setFocus()
        QTest.keyClick(card.unfold, Qt.Key.Key_Space)
        assert card.rows[0].switch.accessibleName() == "commit"
        assert card.rows[0].consent.accessibleName() == "commit: Asks"
        assert card.test.accessibleName() == "Test: Git"
        card.rows[0].switch.setFocus()
        QTest.keyClick(card.rows[0].switch, Qt.Key.Key_Return)
        await window.until(lambda: window.services.tool_servers.find("Git").off == ("commit",), "the switch")
        QTest.keyClick(page, Qt.Key.Key_Escape)
        await window.until(lambda: window.presenters.pages.page is not page, "the page is left")


def test_a_difference_names_each_tool_and_hides_what_is_alike() -> None:
    words = difference([COMMIT, LOG], [replace(COMMIT, schema={"type": "array"}), replace(LOG, name="push")])
    assert words.splitlines()[0] == "commit"
    assert '-"type": "object"'.replace('-"', '- "') in words
    assert '+ "type": "array"' in words
    assert "\nlog\n-Lists commits" in words
    assert "\npush\n+Lists commits" in words


async def test_a_server_that_is_switched_on_is_tested_and_the_composer_names_it(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        card, button = git_of(page), window.composer.web_search.servers
        assert (card.facts.text(), button.isHidden()) == ("Not tested yet", True)
        choose(card.place, "All threads")
        await window.until(lambda: card.facts.text().startswith("2 tools · "), "its weight, before the first question")
        await window.until(lambda: not button.isHidden(), "the button")
        assert button.accessibleName() == "Tools on: Git"
        window.presenters.pages.leave()
        await window.settled()
        click(button)
        await window.until(lambda: isinstance(window.presenters.pages.page, ToolsPage), "the page")


async def test_what_is_asked_during_a_test_happens(data_dir: Path, qapp: object) -> None:
    async with window_with_tools(data_dir, ListingHost()) as (window, page):
        card = git_of(page)
        card.show_busy("Testing…")
        click(card.remove)
        await window.until(lambda: not page.cards, "it is gone")


@pytest.mark.parametrize("language", ["en", "de", "zh_CN"])
async def test_the_buttons_of_a_server_have_one_row(data_dir: Path, qapp: object, language: str) -> None:
    async with opened(data_dir, used=False, language=language) as window:
        await resized(window, (1_000, 700))
        servers, host = window.services.tool_servers, ListingHost()
        host.serve(servers)
        await servers.add(add_by_parts("Git", command="git-server"))
        await servers.switch("Git", everywhere=True)
        window.presenters.pages.show("tools")
        await window.until(lambda: isinstance(window.presenters.pages.page, ToolsPage), "the page")
        page = cast("ToolsPage", window.presenters.pages.page)
        await window.until(lambda: page.cards, "the server")
        card = git_of(page)
        click(card.test)
        await window.until(card.unfold.isVisible, "its tools")
        await window.settled()
        assert len([button for button in card._buttons if button.isVisible()]) == 7
        assert len({button.y() for button in card._buttons}) == 1
