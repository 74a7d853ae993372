"""The page of tools: each server with its tools, their weight, consents and changes; servers are added there."""

from __future__ import annotations

import difflib
import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.controller.server_tools import ToolWeights, weighed_tools
from desktop_app.controller.tool_library import ListedTools, ServerState, ToolServers
from desktop_app.core.errors import KeyringError, PlimsollError
from desktop_app.core.events import ProjectsChanged, SettingsChanged, ToolServerListed
from desktop_app.core.projects import Project
from desktop_app.core.tool_servers import FoundToolServer, ServerTool, ToolServer, add_by_parts, changed_words
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import day, grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow
from desktop_app.ui.widgets.floating import Menu, Toast, asked_files
from desktop_app.ui.widgets.live_page import LivePage
from desktop_app.ui.widgets.page import Switch
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, fill, in_column, in_row, label_in

TURNS: Final = 20
"""A price is also told for so many turns."""
DETAIL: Final = 24 * GRID
"""Pixels of a log or a difference, with the rest of it by scrolling."""


@dataclass(frozen=True, slots=True)
class ServerView:
    """The content of a card. `projects`: all there are, by id and name."""

    server: ToolServer
    state: ServerState
    listed: ListedTools
    weights: ToolWeights
    projects: Mapping[str, str]
    grown: bool = False

    @property
    def place(self) -> str:
        """The threads that it is on for."""
        names = [name for id_, name in self.projects.items() if id_ in self.server.projects]
        if self.server.everywhere:
            return tr("On in all threads")
        if len(names) > 1:
            return tr("On in {n} projects").format(n=grouped(len(names)))
        return tr("On in {name}").format(name=names[0]) if names else tr("Off")

    @property
    def on(self) -> list[ServerTool]:
        """The tools that are switched on."""
        return [tool for tool in self.listed.tools if tool.name not in self.server.off]

    @property
    def facts(self) -> str:
        """`8 tools · 2.1K tokens a request · $0.01, 20 turns $0.03 · Last used Tuesday · git 1.2`."""
        if not self.listed.tools:
            return (self.listed.version or tr("No tools")) if self.listed.at else tr("Not tested yet")
        count = tr("1 tool") if len(self.on) == 1 else tr("{n} tools").format(n=grouped(len(self.on)))
        used = max(self.listed.used.values(), default="")
        last = tr("Last used {day}").format(day=day(used)) if used else ""
        return " · ".join(filter(None, (count, weight_words(self.weights, self.on), last, self.listed.version)))

    @property
    def change(self) -> str:
        """The line of what changed, "" where nothing did."""
        changes = self.listed.changes
        if not changes:
            return ""
        words = translated(changed_words(self.server.name, changes))
        if self.grown:
            before, now = (self.weights.of(tools) for tools in (self.listed.seen, self.listed.tools))
            grew = tr("from {before} to {now} tokens").format(before=thousands(before), now=thousands(now))
            words = f"{words} · {grew}"
        return words


def weight_words(weights: ToolWeights, tools: Sequence[ServerTool]) -> str:
    """`2.1K tokens a request · $0.01, 20 turns $0.03`, or `5.4K tokens, found when needed`."""
    tokens = weights.of(tools)
    if any(tool.server in weights.found for tool in tools):
        return tr("{tokens} tokens, found when needed").format(tokens=thousands(tokens))
    return request_words(weights, tokens)


def request_words(weights: ToolWeights, tokens: int) -> str:
    """`2.1K tokens a request · $0.01, 20 turns $0.03`."""
    words = tr("{tokens} tokens a request").format(tokens=thousands(tokens))
    if (once := weights.usd(tokens)) is None or (more := weights.usd(tokens, TURNS)) is None:
        return words
    prices = tr("{once}, {turns} turns {more}").format(once=dollars(once), turns=TURNS, more=dollars(more))
    return f"{words} · {prices}"


def difference(before: Sequence[ServerTool], now: Sequence[ServerTool]) -> str:
    """The lines in which the tools differ, with signs for what is gone and what is new."""
    old, new = ({tool.name: tool for tool in tools} for tools in (before, now))
    lines: list[str] = []
    for name in dict.fromkeys((*old, *new)):
        was, is_ = ([] if (tool := tools.get(name)) is None else _text(tool) for tools in (old, new))
        if was != is_:
            lines += [name, *list(difflib.unified_diff(was, is_, lineterm="", n=2))[2:], ""]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _text(tool: ServerTool) -> list[str]:
    schema = json.dumps(tool.schema, indent=1, ensure_ascii=False, sort_keys=True)
    return [*tool.description.splitlines(), *schema.splitlines()]


class ToolRow(QWidget):
    """One tool: its switch, weight and consent."""

    switched = Signal(bool)
    consent_chosen = Signal(object)  # bool: always
    reading_chosen = Signal(bool)
    review_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.switch = Switch(theme, self)
        self.name = ElidedLabel(self)
        self.facts = ElidedLabel(self)
        self.facts.setProperty("tone", "secondary")
        self.consent = ElidedButton(theme, self)
        self.consent.setMinimumWidth(1)
        self._consent, self._reading = "ask", False
        words = in_column(self.name, self.facts, spacing=0)
        in_row(self.switch, (words, 1), self.consent, of=self, spacing=GRID + GRID // 2, margins=0)
        self.switch.clicked.connect(self.switched)
        self.consent.clicked.connect(self._open)
        theme.set_font("body", self.name)
        theme.set_font("small", self.facts, self.consent)

    def show_tool(self, view: ServerView, tool: ServerTool) -> None:
        """Shows the facts known now."""
        server = view.server
        self._consent, self._reading = server.consent(tool), server.is_reading(tool)
        self.switch.setChecked(tool.name not in server.off)
        self.switch.setAccessibleName(tool.name)
        self.name.set_words(f"{tool.title} ({tool.name})" if tool.title and tool.title != tool.name else tool.name)
        used = view.listed.used.get(tool.name, "")
        last = tr("Last used {day}").format(day=day(used)) if used else tr("Not used yet")
        acts = {"reads": tr("Says it reads"), "writes": tr("Writes"), "sends": tr("Sends"), "runs": ""}[tool.acts]
        self.facts.set_words(" · ".join(filter(None, (weight_words(view.weights, (tool,)), acts, last))))
        self.name.setToolTip(tool.description or tool.name)
        words = {
            "ask": tr("Asks, only reads") if self._reading else tr("Asks"),
            "always": tr("Always allowed"),
            "changed": tr("Changed"),
        }
        self.consent.setText(words[self._consent])
        self.consent.setAccessibleName(f"{tool.name}: {words[self._consent]}")

    def _open(self) -> None:
        if self._consent == "changed":
            self.review_requested.emit()
            return
        menu = Menu(self)
        menu.setAccessibleName(tr("Consent"))
        group = QActionGroup(menu)
        for words, always in ((tr("Ask before each call"), False), (tr("Always allow"), True)):
            action = _checked(menu, words, (self._consent == "always") is always)
            action.setActionGroup(group)
            action.triggered.connect(lambda _on=False, always=always: self.consent_chosen.emit(always))
        menu.addSeparator()
        _checked(menu, tr("Only reads"), self._reading).triggered.connect(self.reading_chosen)
        menu.open_at(self.consent, end=True)


def _checked(menu: Menu, words: str, on: bool) -> QAction:
    action = menu.addAction(words)
    action.setCheckable(True)
    action.setChecked(on)
    return action


class ServerCard(QFrame):
    """A server; its wishes are `wished`, each with its name."""

    wished = Signal(str)  # test, restart, log, review, accept, edit, remove, off, everywhere
    project_wished = Signal(str, bool)
    tool_switched = Signal(object, bool)
    consent_chosen = Signal(object, bool)
    reading_chosen = Signal(object, bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.view: ServerView | None = None
        self._theme = theme
        self._busy = False
        self._shown = ""
        self.setProperty("kind", "field")
        self.title = self._line("")
        self.starts = ElidedLabel(self)
        self.starts.setProperty("tone", "secondary")
        self.facts = self._line("secondary")
        self.problem = self._line("danger")
        self.change = self._line("")
        self.result = self._line("secondary")
        self.place, self.test, self.restart, self.unfold = (self._button() for _ in range(4))
        self.log, self.edit, self.remove = (self._button() for _ in range(3))
        set_icon(self.place, "chevron", theme, size=12)
        self.place.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.review = self._button()
        self.detail = QPlainTextEdit(self, readOnly=True, tabChangesFocus=True)
        self.detail.setProperty("kind", "reading")
        self.detail.setFixedHeight(DETAIL)
        self.accept = button_in(self, self.tr("Accept changes"), lambda: self.wished.emit("accept"))
        self.tools = QWidget(self)
        self.rows: list[ToolRow] = []
        self._list = in_column(of=self.tools, spacing=GRID, margins=(0, GRID, 0, 0))
        fill(
            in_column(of=self, spacing=GRID // 2, margins=(2 * GRID, GRID + GRID // 2)),
            self.title,
            self.starts,
            self.facts,
            GRID // 2,
            FlowRow(*self._buttons, across=GRID, down=GRID),
            # below the buttons, which stay where the mouse is when these come
            self.problem,
            self.result,
            in_row((self.change, 1), self.review, spacing=GRID),
            self.detail,
            in_row(self.accept, Stretch(1)),
            self.tools,
        )
        for wish, button in self._wishes:
            button.clicked.connect(partial(self._wish, wish))
        self.log.clicked.connect(lambda: self.show_detail() if self._shown == "log" else self._wish("log"))
        self.review.clicked.connect(lambda: self.show_detail() if self._shown == "review" else self._wish("review"))
        self.place.clicked.connect(self._choose_place)
        self.unfold.clicked.connect(self._fold)
        self.tools.hide()
        theme.set_font("title", self.title)
        theme.set_font("small", self.starts, self.facts, self.problem, self.change, self.result)
        theme.set_font("code", self.detail)
        self.show_detail()
        self.show_busy("")

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        """From left to right; those that a test brings come last."""
        return self.place, self.test, self.edit, self.remove, self.restart, self.unfold, self.log

    @property
    def _wishes(self) -> tuple[tuple[str, QPushButton], ...]:
        buttons = self.test, self.restart, self.edit, self.remove
        return tuple(zip(("test", "restart", "edit", "remove"), buttons, strict=True))

    def show_view(self, view: ServerView) -> None:
        """Shows the facts known now; what was unfolded stays so."""
        self.view = view
        name = view.server.name
        self.title.setText(name)
        self.setAccessibleName(name)
        self.starts.set_words(view.server.starts)
        self._say(self.facts, view.facts)
        self.problem.setText(translated(view.listed.problem))
        self._place_result()
        waits = bool(view.listed.changes) or view.state == "changed"
        self._say(self.change, view.change or (tr("A consent waits for a new one") if waits else ""))
        self.review.setVisible(waits)
        ran = bool(view.listed.at)
        words = (
            view.place,
            self.tr("Test"),
            self.tr("Edit"),
            self.tr("Remove"),
            self.tr("Restart") if ran and view.state != "off" else "",
            (self.tr("Tools") if self.tools.isHidden() else self.tr("Hide tools")) if view.listed.tools else "",
            self.tr("Log") if ran else "",
        )
        for button, label in zip((*self._buttons, self.review), (*words, self.tr("Review")), strict=True):
            button.setText(label)
            button.setAccessibleName(f"{label}: {name}")
            button.setVisible(bool(label) and (button is not self.review or waits))
        self._show_tools(view)
        if self._shown == "review" and not waits:
            self.show_detail()

    def show_busy(self, words: str) -> None:
        """Shows what is going on with it; "": nothing."""
        self._busy = bool(words)
        self.show_result(words)

    def show_result(self, words: str) -> None:
        """Shows the result of a test, in a line that is there without one, too, so that nothing moves."""
        self.result.setText(words or " ")
        self._place_result()

    def _place_result(self) -> None:
        troubled = bool(self.problem.text()) and not self._busy
        self.problem.setVisible(troubled)
        self.result.setVisible(not troubled)

    def show_detail(self, kind: str = "", text: str = "") -> None:
        """Shows the log or the difference beneath; "": neither."""
        self._shown = kind
        self.detail.setPlainText(text)
        self.detail.setAccessibleName(self.tr("Log") if kind == "log" else self.tr("Changes"))
        self.detail.setVisible(bool(kind))
        self.accept.setVisible(kind == "review")

    def _show_tools(self, view: ServerView) -> None:
        while len(self.rows) > len(view.listed.tools):
            row = self.rows.pop()
            self._list.removeWidget(row)
            row.deleteLater()
        if self.tools.isHidden():
            return  # rows are made when they are looked at
        for place, tool in enumerate(view.listed.tools):
            if place == len(self.rows):
                self._list.addWidget(row := ToolRow(self._theme, self.tools))
                self.rows.append(row)
                row.switched.connect(partial(self._of_tool, place, self.tool_switched))
                row.consent_chosen.connect(partial(self._of_tool, place, self.consent_chosen))
                row.reading_chosen.connect(partial(self._of_tool, place, self.reading_chosen))
                row.review_requested.connect(partial(self._wish, "review"))
            self.rows[place].show_tool(view, tool)

    def _of_tool(self, place: int, signal: object, on: bool) -> None:
        if self.view is not None:
            signal.emit(self.view.listed.tools[place], on)  # type: ignore[attr-defined]  # one of the signals above

    def _fold(self) -> None:
        self.tools.setVisible(self.tools.isHidden())
        if self.view is not None:
            self.show_view(self.view)

    def _wish(self, wish: str) -> None:
        if not (self._busy and wish in ("test", "restart")):
            self.wished.emit(wish)

    def _choose_place(self) -> None:
        if self.view is None:
            return
        menu, server = Menu(self), self.view.server
        menu.setAccessibleName(self.tr("On for"))
        off = not (server.everywhere or server.projects)
        _checked(menu, self.tr("Off"), off).triggered.connect(partial(self._wish, "off"))
        _checked(menu, self.tr("All threads"), server.everywhere).triggered.connect(partial(self._wish, "everywhere"))
        if self.view.projects:
            menu.addSeparator()
        for id_, name in self.view.projects.items():
            action = _checked(menu, name, id_ in server.projects)
            action.triggered.connect(lambda on, id_=id_: self.project_wished.emit(id_, on))
        menu.open_at(self.place)

    def _button(self) -> QPushButton:
        button = ElidedButton(self._theme, self)
        button.setMinimumWidth(1)
        return button

    def _line(self, tone: str) -> QLabel:
        line = label_in(self, tone=tone, wrap=True)
        line.setMinimumWidth(1)
        return line

    @staticmethod
    def _say(label: QLabel, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))


class AddServer(QFrame):
    """The form for a server by its command or address, and those of other apps that were found."""

    add_requested = Signal(object)  # FoundToolServer
    change_requested = Signal(str, object)  # the server's name, FoundToolServer
    several_requested = Signal(object)  # list[FoundToolServer]
    find_requested = Signal()
    file_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self._theme = theme
        self._edited = ""
        self.unsaved = False
        """True where the secret is to be used without being saved, as no keyring takes it."""
        self.name = self._field(self.tr("Name"), self.tr("Name of the server"))
        self.command = self._field(self.tr("Command or address"), self.tr("Command or address"))
        about = self.tr(
            "The command that starts it (uvx mcp-server-git) or its web address, if it needs no sign-in in a browser."
        )
        self.about = label_in(self, about, wrap=True)
        self.about.setProperty("tone", "secondary")
        self.secret_name = self._field(self.tr("Name of the key"), self.tr("Name of the key"))
        self.secret = self._field(self.tr("Secret"), self.tr("Secret"))
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        self.problem = label_in(self, tone="danger", wrap=True)
        self.add = button_in(self, self.tr("Add server"), self._add, kind="primary")
        self.cancel = button_in(self, self.tr("Cancel"), self.clear)
        self.search = button_in(self, self.tr("From other apps"), self.find_requested)
        self.file = button_in(self, self.tr("Choose a file"), self.file_requested)
        self.found_words = label_in(self, tone="secondary", wrap=True)
        self.choices: list[tuple[QCheckBox, FoundToolServer]] = []
        self._found = QVBoxLayout()
        self._found.setSpacing(GRID // 2)
        self.take = button_in(self, self.tr("Add chosen servers"), self._take)
        secret = in_row((self.secret_name, 1), (self.secret, 1), spacing=GRID)
        fill(
            in_column(of=self, spacing=GRID, margins=(2 * GRID, GRID + GRID // 2)),
            self.name,
            self.command,
            secret,
            self.about,
            self.problem,
            FlowRow(self.add, self.cancel, self.search, self.file, across=GRID, down=GRID),
            self.found_words,
            self._found,
            in_row(self.take, Stretch(1)),
        )
        for line in (self.name, self.command, self.secret_name, self.secret):
            line.returnPressed.connect(self._add)
            line.textEdited.connect(lambda: self.show_problem(""))
        theme.set_font("small", self.about, self.problem, self.found_words)
        self.clear()
        self.show_found((), show=False)

    def show_problem(self, words: str, *, may_use: bool = False) -> None:
        """Why it could not be added; "": nothing. `may_use`: the button now uses the secret without saving it."""
        self.unsaved = may_use
        save = self.tr("Save changes") if self._edited else self.tr("Add server")
        self.add.setText(self.tr("Use without saving") if may_use else save)
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def clear(self) -> None:
        """Empties the fields of what was added."""
        for line in (self.name, self.command, self.secret_name, self.secret):
            line.clear()
        self._begin("")

    def edit(self, server: ToolServer) -> None:
        """Shows a server's command or address to be changed. Its secrets stay where nothing else is entered."""
        self.clear()
        self._begin(server.name)
        self.name.setText(server.name)
        self.command.setText(server.starts)
        self.command.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin(self, name: str) -> None:
        self._edited = name
        self.name.setReadOnly(bool(name))
        self.show_problem("")
        self.cancel.setVisible(bool(name))

    def show_found(self, found: Sequence[tuple[str, Sequence[FoundToolServer], str]], *, show: bool = True) -> None:
        """Shows the servers of other apps, each to be chosen; what is wrong with one stands beside it."""
        for box, _ in self.choices:
            self._found.removeWidget(box)
            box.deleteLater()
        self.choices = []
        problems = [f"{name}: {translated(problem)}" for name, _, problem in found if problem]
        for app, servers, _ in found:
            for one in servers:
                box = QCheckBox(_preview(app, one), self)
                box.setMinimumWidth(1)
                box.setToolTip(box.text())
                box.setEnabled(not one.problem)
                box.toggled.connect(self._follow)
                self._theme.set_font("small", box)
                self._found.addWidget(box)
                self.choices.append((box, one))
        nothing = tr("No servers of other apps were found here.") if show and not self.choices else ""
        words = "\n".join([*problems, nothing]).strip()
        self.found_words.setText(words)
        self.found_words.setVisible(bool(words))
        self._follow()

    def _follow(self) -> None:
        self.take.setVisible(bool(self.choices))
        self.take.setEnabled(any(box.isChecked() for box, _ in self.choices))

    def _take(self) -> None:
        self.several_requested.emit([one for box, one in self.choices if box.isChecked()])

    def _add(self) -> None:
        try:
            found = self._entered()
            if self._edited:
                self.change_requested.emit(self._edited, found)
            else:
                self.add_requested.emit(found)
        except PlimsollError as error:
            self.show_problem(translated(error.failure.message))

    def _entered(self) -> FoundToolServer:
        text, name = self.command.text().strip(), self.name.text().strip()
        values = {self.secret_name.text().strip(): self.secret.text()} if self.secret_name.text().strip() else {}
        if "://" in text.split(" ")[0]:
            return add_by_parts(name, url=text, headers=values).with_secrets(values)
        try:
            program = shlex.split(text, posix=os.name != "nt")
        except ValueError:
            program = text.split()
        command, arguments = (program[0], program[1:]) if program else ("", [])
        return add_by_parts(name, command=command, arguments=arguments, environment=values).with_secrets(values)

    def _field(self, placeholder: str, name: str) -> QLineEdit:
        line = QLineEdit(self, placeholderText=placeholder)
        line.setAccessibleName(name)
        line.setToolTip(name)
        line.setMinimumWidth(1)
        return line


def _preview(app: str, found: FoundToolServer) -> str:
    """`git: uvx mcp-server-git · secrets: TOKEN · Claude Code`."""
    server = found.server
    if found.problem:
        return f"{server.name}: {translated(found.problem)}"
    secrets = tr("secrets: {names}").format(names=", ".join(server.secrets)) if server.secrets else ""
    return f"{server.name}: " + " · ".join(filter(None, (server.starts, secrets, app)))


class ToolsPage(LivePage):
    """The servers, and the form that adds one. What is tested goes on when the page is left."""

    def __init__(
        self,
        theme: Theme,
        app_state: AppState,
        toast: Toast,
        parent: QWidget,
        *,
        home: Callable[[], Path] = Path.home,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """`home` and `environ`: where other apps' settings are looked for, and what fills their variables."""
        super().__init__(theme, "", parent)
        self.follow(app_state, toast, (SettingsChanged, ToolServerListed, ProjectsChanged))
        self._app_state = app_state
        self._home = home
        self._environ = os.environ if environ is None else environ
        self.set_title(self.tr("Tools"))
        self.cards: list[ServerCard] = []
        self.about = self.small(
            self.tr("Servers of tools (MCP) let the model act. Each is off until you switch it on.")
        )
        self.weight = self.small()
        self._cards = QVBoxLayout()
        self._cards.setSpacing(GRID)
        self.form = AddServer(theme, self.column)
        heading = self.subheading(self.tr("Add a server"))
        fill(self.inside, self.about, self.weight, self._cards, GRID, heading, self.form, Stretch())
        self.form.add_requested.connect(lambda found: self.do(self._add, [found]))
        self.form.change_requested.connect(lambda name, found: self.do(self._change, name, found))
        self.form.several_requested.connect(lambda found: self.do(self._add, found))
        self.form.find_requested.connect(self.wished(self._find))
        self.form.file_requested.connect(self.wished(self._choose_file))
        app_state.start(self.open())

    def card(self, name: str) -> ServerCard | None:
        """The card of a server."""
        return next((card for card in self.cards if card.view is not None and card.view.server.name == name), None)

    async def read_again(self) -> None:
        services = await self._app_state.services()
        servers, projects = services.tool_servers, await services.projects.all()
        await servers.load()
        weights = await weighed_tools(services.chat, servers)
        if not self.ended:
            self._show(servers, projects, weights)

    def _show(self, servers: ToolServers, projects: Sequence[Project], weights: ToolWeights) -> None:
        names = {one.id: one.name for one in projects if not one.archived}
        views = [
            ServerView(
                one,
                servers.state(one),
                servers.listed(one.name),
                weights,
                names,
                servers.grown(one.name, weights.of),
            )
            for one in servers.all
        ]
        kept = {card.view.server.name: card for card in self.cards if card.view is not None}
        self.cards = []
        for place, view in enumerate(views):
            name = view.server.name
            if (card := kept.pop(name, None)) is None:
                card = self._made_card(name)
            self._cards.insertWidget(place, card)
            card.show_view(view)
            self.cards.append(card)
        for card in kept.values():
            if card.hasFocus() or any(part.hasFocus() for part in card.findChildren(QWidget)):
                self.back.setFocus(Qt.FocusReason.OtherFocusReason)
            self._cards.removeWidget(card)
            card.hide()
            card.deleteLater()
        on = [tool for view in views if view.server.everywhere for tool in view.on]
        finding = [request_words(weights, weights.finding)] if on and weights.finding else []
        weight = " · ".join((*finding, weight_words(weights, on)))
        model = weights.model.name if weights.model is not None else ""
        head = self.tr("In all threads, with {model}: {weight}") if model else self.tr("In all threads: {weight}")
        words = head.format(model=model, weight=weight if on else self.tr("no tools"))
        self.weight.setText(words if views else self.tr("No servers yet"))

    def _made_card(self, name: str) -> ServerCard:
        card = ServerCard(self.theme, self.column)
        card.wished.connect(lambda wish: self.do(self._carry_out_wish, name, wish))
        card.project_wished.connect(lambda id_, on: self.do(self._switch_project, name, id_, on))
        card.tool_switched.connect(lambda tool, on: self.do(self._switch_tool, name, tool, on))
        card.consent_chosen.connect(lambda tool, on: self.do(self._consent, name, tool, on))
        card.reading_chosen.connect(lambda tool, on: self.do(self._mark, name, tool, on))
        return card

    async def _carry_out_wish(self, name: str, wish: str) -> None:
        servers = (await self._app_state.services()).tool_servers
        match wish:
            case "test" | "restart":
                await self._test(servers, name, fresh=wish == "restart")
            case "log":
                words = await servers.log_of(name)
                self._show_detail(name, "log", words.strip() or self.tr("The log is empty"))
            case "review":
                listed = servers.listed(name)
                server = servers.find(name)
                given = {one.rpartition(" ")[0] for one in (*server.always, *server.reading)}
                waits = [tool.name for tool in servers.changed_consents(server) if tool.name in given]
                words = difference(listed.seen, listed.tools)
                again = self.tr("Asked for again: {names}").format(names=", ".join(waits)) if waits else ""
                self._show_detail(name, "review", f"{words}\n{again}".strip())
            case "edit":
                self.form.edit(servers.find(name))
            case "accept":
                await servers.accept_changes(name)
            case "remove":
                bring_back = await servers.remove(name)
                self.toast.show_message(
                    self.tr("Server removed"), self.tr("Undo"), lambda: self._app_state.start(bring_back())
                )
            case "off":
                await servers.switch_off(name)
            case "everywhere":
                await servers.switch(name, everywhere=not servers.find(name).everywhere)
                await self._test_new(servers, name)

    def _show_detail(self, name: str, kind: str, text: str) -> None:
        if not self.ended and (card := self.card(name)) is not None:
            card.show_detail(kind, text)
            card.detail.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _test(self, servers: ToolServers, name: str, *, fresh: bool) -> None:
        if (card := self.card(name)) is not None:
            card.show_busy(self.tr("Restarting…") if fresh else self.tr("Testing…"))
        report = await servers.test(name, fresh=fresh)
        if self.ended or (card := self.card(name)) is None:
            return
        count = len(report.tools)
        works = self.tr("Works: 1 tool") if count == 1 else self.tr("Works: {count} tools").format(count=grouped(count))
        card.show_busy("")
        card.show_result(works if report.state == "ready" else "")

    async def _test_new(self, servers: ToolServers, name: str) -> None:
        """Tests a server that was switched on and never asked: its weight is seen before the first question."""
        server = servers.find(name)
        if (server.everywhere or server.projects) and not servers.listed(name).at:
            await self._test(servers, name, fresh=False)

    async def _switch_project(self, name: str, project: str, on: bool) -> None:
        servers = (await self._app_state.services()).tool_servers
        await servers.switch(name, project=project, on=on)
        await self._test_new(servers, name)

    async def _switch_tool(self, name: str, tool: ServerTool, on: bool) -> None:
        await (await self._app_state.services()).tool_servers.switch_tool(name, tool.name, on=on)

    async def _consent(self, name: str, tool: ServerTool, on: bool) -> None:
        await (await self._app_state.services()).tool_servers.set_consent(name, tool, always=on)

    async def _mark(self, name: str, tool: ServerTool, on: bool) -> None:
        await (await self._app_state.services()).tool_servers.set_consent(name, tool, reading=on)

    async def _change(self, name: str, found: FoundToolServer) -> None:
        try:
            servers = (await self._app_state.services()).tool_servers
            await servers.change(name, found, unsaved=self.form.unsaved)
        except PlimsollError as error:
            self._say_problem(error)
            return
        if not self.ended:
            self.form.clear()
        self.toast.show_message(self.tr("Changes saved"))

    async def _add(self, found: Sequence[FoundToolServer]) -> None:
        servers = (await self._app_state.services()).tool_servers
        try:
            for one in found:
                # those of other apps may be called as one of here
                name = one.server.name if len(found) == 1 else servers.free_name(one.server.name)
                await servers.add(replace(one, server=replace(one.server, name=name)), unsaved=self.form.unsaved)
        except PlimsollError as error:
            self._say_problem(error, may_use=len(found) == 1)
            return
        if not self.ended:
            self.form.clear()
            self.form.show_found((), show=False)
        words = self.tr("Server added, off") if len(found) == 1 else self.tr("{n} servers added, off")
        self.toast.show_message(words.format(n=grouped(len(found))))

    def _say_problem(self, error: PlimsollError, *, may_use: bool = True) -> None:
        if not self.ended:
            words, unkept = translated(error.failure.message), isinstance(error, KeyringError)
            self.form.show_problem(words, may_use=may_use and unkept and bool(self.form.secret.text()))

    async def _find(self) -> None:
        await self._look(())

    async def _choose_file(self) -> None:
        if paths := await asked_files(self.window(), self.tr("Choose a file with mcpServers")):
            await self._look(paths)

    async def _look(self, files: Sequence[Path]) -> None:
        servers = (await self._app_state.services()).tool_servers
        found = await servers.found_elsewhere(self._home(), self._environ, files)
        if not self.ended:
            self.form.show_found([one for one in found if one[0] in map(str, files)] if files else found)
