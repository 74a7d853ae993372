"""The entries of the palette: made of threads, actions, models, prompts and the history, sorted by some letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from desktop_app.core.history_records import SearchHit
from desktop_app.core.matching import Names, Quality, Span
from desktop_app.core.messages import Thread
from desktop_app.core.passage_ranking import snippet
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import PassageHit
from desktop_app.core.prompts import Prompt
from desktop_app.core.search_terms import needles
from desktop_app.ui.i18n.language import listed_title, tr, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.parts import single_shot

Kind: TypeAlias = Literal["action", "thread", "project", "prompt", "model", "message", "passage", "search"]

PREFIXES: Final[dict[str, Kind]] = {">": "action", "#": "thread", "/": "prompt", "@": "model"}
"""The sign to type first to see one kind only."""
ORDER: Final[tuple[Kind, ...]] = ("action", "prompt", "project", "thread", "model")
"""Which kind comes first where the best of each matches equally well: the few before the many."""
AT_FIRST: Final[dict[Kind, int]] = {"thread": 4, "project": 4, "prompt": 4, "action": 100, "model": 8}
"""Entries of each kind that are shown before anything is typed, threads first."""
COMMANDS: Final = ("new_thread", "search_threads", "choose_model", "preferences")
"""Actions that stand right behind the threads, so that one sees at once that there are actions."""
OF_EACH: Final = 8
"""Entries of a kind where there are others, too."""
OF_ONE: Final = 100
"""Entries of a kind that is shown alone."""
RECENT: Final = 4
"""Entries used last that are shown before anything is typed."""
BY_WORDS: Final = (Quality.WORDS, Quality.WORD, Quality.PREFIX, Quality.EXACT)
"""The qualities of match that the typed text needs with the further words of an entry."""


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One thing to choose: `key` is what tells it from others of its kind.

    `about` stands at its right, such as a project, else how long ago it was `updated` (ISO 8601 UTC). `icon` is the
    name of a drawing; `private`: its use is not kept. `also`: further words by which it is found. `spans`: what stands
    out in the name of what the history found; in other names that follows from what is typed.
    """

    kind: Kind
    key: str
    name: str
    about: str = ""
    icon: str = ""
    shortcut: str = ""
    chosen: bool = False
    updated: str = ""
    private: bool = False
    also: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def id(self) -> str:
        """The id that tells it from all others."""
        return f"{self.kind}:{self.key}"


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """An entry in the list. `typed` is what its marks follow from; `first`: a group begins with it."""

    entry: PaletteEntry
    typed: str = ""
    first: bool = False


class PaletteOffer:
    """Everything that can be found, prepared so that a letter typed costs no more than a look through memory."""

    def __init__(self, recent: Sequence[str] = ()) -> None:
        """`recent`: ids of the entries used last, the newest first."""
        self._recent = {entry_id: place for place, entry_id in enumerate(recent)}
        self._entries: dict[Kind, list[PaletteEntry]] = {kind: [] for kind in ORDER}
        self._names: dict[Kind, Names] = {kind: Names() for kind in ORDER}
        self._worded: list[PaletteEntry] = []
        self._words = Names()
        self._used: dict[str, PaletteEntry] = {}
        self._found_words, self._found_entries = "", tuple[PaletteEntry, ...]()

    def add(self, entries: Sequence[PaletteEntry]) -> None:
        """Takes more entries, of each kind in the order in which equal matches are shown."""
        for kind in ORDER:
            some = [entry for entry in entries if entry.kind == kind]
            self._entries[kind] += some
            self._names[kind].add(entry.name for entry in some)
            worded = [entry for entry in some if entry.also]
            self._worded += worded
            self._words.add(f"{entry.name} {entry.also}" for entry in worded)
            self._used.update({entry.id: entry for entry in some if entry.id in self._recent})

    def replace_models(self, entries: Sequence[PaletteEntry]) -> None:
        """Other models are on offer."""
        self._entries["model"], self._names["model"] = [], Names()
        self.add(entries)

    @staticmethod
    def asked(typed: str) -> str:
        """The words that messages and documents are searched for; "" where only one kind is wanted."""
        return "" if typed[:1] in PREFIXES else typed.strip()

    @staticmethod
    def words(typed: str) -> str:
        """Return the typed text without the sign of one kind."""
        return (typed[1:] if typed[:1] in PREFIXES else typed).strip()

    def set_found(self, words: str, entries: Sequence[PaletteEntry]) -> None:
        """Set the history's entries for some words: shown as long as these are typed."""
        self._found_words, self._found_entries = words, tuple(entries)

    def answered(self, typed: str) -> bool:
        """Return True if the history has answered the typed text, or need not be asked."""
        return self.asked(typed) in {"", self._found_words}

    def rows(self, typed: str) -> list[PaletteRow]:
        """Return the rows for the typed text, the best first, in groups by kind."""
        only = PREFIXES.get(typed[:1])
        words = self.words(typed)
        kinds = (only,) if only else ORDER
        if not words:
            return self._untyped(only)
        groups = [group for kind in kinds if (group := self._found(kind, words))]
        groups.sort(key=lambda group: -group[0][0])
        below = () if only or words != self._found_words else self._found_entries
        most = OF_ONE if len(groups) + bool(below) == 1 else OF_EACH
        rows = [
            PaletteRow(entry, words, first=not place)
            for group in groups
            for place, (_, entry) in enumerate(group[:most])
        ]
        kinds_below = ["", *(entry.kind for entry in below)]
        return rows + [PaletteRow(entry, first=entry.kind != kinds_below[n]) for n, entry in enumerate(below)]

    def _found(self, kind: Kind, words: str) -> list[tuple[Quality, PaletteEntry]]:
        """The entries that match; of those that match equally well the ones used last come first."""
        entries = self._entries[kind]
        best = {entry.id: (quality, entry) for quality, entry in self._found_by_words(kind, words)}
        for each in self._names[kind].find(words, OF_ONE):
            if (entry := entries[each.place]).id not in best or best[entry.id][0] <= each.quality:
                best.pop(entry.id, None)  # what is called so stands before what only means it
                best[entry.id] = (each.quality, entry)
        found = list(best.values())
        never = len(self._recent)
        found.sort(key=lambda each: (-each[0], self._recent.get(each[1].id, never)))
        return found

    def _found_by_words(self, kind: Kind, words: str) -> Iterator[tuple[Quality, PaletteEntry]]:
        """Entries that mean it: behind names with a word that begins so, before letters that only stand in a name.

        First those whose English name, which is in their key, begins so: the page itself before what mentions it.
        """
        for each in self._words.find(words, OF_ONE):
            if (entry := self._worded[each.place]).kind == kind and each.quality in BY_WORDS:
                own = any(word.startswith(words.casefold()) for word in entry.key.split("_"))
                yield min(each.quality, Quality.INITIALS if own else Quality.WITHIN), entry

    def _untyped(self, only: Kind | None) -> list[PaletteRow]:
        used = [entry for entry in sorted(self._used.values(), key=self._age) if only in (None, entry.kind)]
        if only:
            rest = [entry for entry in self._entries[only] if entry.id not in self._used]
            return [PaletteRow(entry, first=not place) for place, entry in enumerate((used + rest)[:OF_ONE])]
        used = used[:RECENT]
        rows = [PaletteRow(entry, first=not place) for place, entry in enumerate(used)]
        commands = [one for one in self._entries["action"] if one.key in COMMANDS and one not in used]
        commands.sort(key=lambda one: COMMANDS.index(one.key))
        before = [*used, *commands]
        for kind, most in AT_FIRST.items():
            rest = [entry for entry in self._entries[kind][: most + len(before)] if entry not in before][:most]
            rows += [PaletteRow(entry, first=not place) for place, entry in enumerate(rest)]
            if kind == "thread":
                rows += [PaletteRow(entry, first=not place) for place, entry in enumerate(commands)]
        return rows

    def _age(self, entry: PaletteEntry) -> int:
        return self._recent[entry.id]


ICONS: Final = {
    "new_thread": "compose",
    "new_private_thread": "private",
    "new_project": "folder",
    "open_project": "folder",
    "move_thread": "folder",
    "find": "search",
    "search_threads": "search",
    "go_to": "search",
    "copy_markdown": "copy",
    "copy_thread": "copy",
    "duplicate_thread": "copy",
    "edit_question": "pencil",
    "rename_thread": "pencil",
    "edit_system": "prompt",
    "show_prompts": "prompt",
    "save_as_prompt": "prompt",
    "try_again": "again",
    "continue_answer": "continue",
    "rate_up": "rate-up",
    "rate_down": "rate-down",
    "note": "note",
    "pin_thread": "pin",
    "archive_thread": "archive",
    "show_backups": "backup",
    "show_sync": "again",
    "delete_thread": "trash",
    "show_trash": "trash",
    "choose_model": "computer",
    "thread_parameters": "tune",
    "preferences": "tune",
    "connections": "key",
    "show_tools": "terminal",
    **dict.fromkeys(("ask_tools_again", "allow_once", "allow_thread", "refuse_call"), "terminal"),
    "attach_files": "attach",
    "import_threads": "open",
    "export_threads": "export",
    "toggle_threads": "sidebar",
    "toggle_inspector": "sidebar",
    "toggle_artifacts": "sidebar",
    "show_usage": "chart",
    "show_gauge": "details",
    "show_help": "details",
    "show_about": "details",
    "close_window": "close",
    "quit": "close",
}
"""The drawings of actions that have one; the others have that of a command."""
SEARCH_WORDS: Final = {
    "theme_system": phrase("theme appearance color scheme automatic"),
    "larger_text": phrase("zoom in bigger font text size"),
    "smaller_text": phrase("zoom out font text size"),
    "usual_text": phrase("reset zoom font text size"),
    "theme_light": phrase("theme appearance color scheme light mode bright white day"),
    "theme_dark": phrase("theme appearance color scheme dark mode night black"),
    "preferences": phrase(
        "settings options configuration limits spending cap font text size zoom language spell check"
    ),
    "show_shortcuts": phrase("keyboard keys hotkeys key bindings"),
    "copy_thread": phrase("export whole conversation chat"),
    "copy_markdown": phrase("export"),
    "new_thread": phrase("new conversation chat"),
    "new_private_thread": phrase("new private conversation chat incognito temporary"),
    "new_project": phrase("folder documents files knowledge"),
    "search_threads": phrase("history conversations chats"),
    "toggle_threads": phrase("sidebar history conversations"),
    "toggle_inspector": phrase("sidebar tokens"),
    "show_gauge": phrase("gauge tokens limit window size price"),
    "try_again": phrase("retry try again"),
    "connections": phrase("API key provider account sign in backend"),
    "show_tools": phrase("MCP servers tools plugins extensions functions actions"),
    "ask_tools_again": phrase("MCP tools consent allowed in this thread"),
    **dict.fromkeys(
        ("allow_once", "allow_thread", "refuse_call"), phrase("MCP tools consent allow deny refuse approve")
    ),
    "choose_model": phrase("switch change model"),
    "thread_parameters": phrase("temperature thinking effort length of answers"),
    "show_usage": phrase("cost costs price money budget spend caps tokens statistics"),
    "attach_files": phrase("upload add image picture document"),
    "edit_system": phrase("instructions role persona"),
    "show_prompts": phrase("templates snippets library"),
    "wrap_code": phrase("line breaks word wrap"),
    "rate_up": phrase("like thumbs up good"),
    "rate_down": phrase("dislike thumbs down bad"),
    "note": phrase("comment"),
    "import_threads": phrase("ChatGPT conversations.json zip restore bring in history"),
    "export_threads": phrase("save download backup Markdown HTML PDF JSON"),
    "show_trash": phrase("deleted restore recover undelete bin delete for good"),
    "show_backups": phrase("copy of the history restore thread recover lost damaged safe"),
    "show_sync": phrase("synchronize other devices machines computers laptop cloud Syncthing Nextcloud Dropbox S3"),
    "show_help": phrase("help manual user guide documentation how to"),
    "show_about": phrase("version licenses doctor diagnosis update problem bug report"),
    "quit": phrase("exit end"),
}
"""Words that people look for an action by which is called otherwise. In another language these count, too."""


def of_thread(thread: Thread, project: str) -> PaletteEntry:
    """A thread with its project's name, else with how long ago it was changed."""
    icon = "note" if thread.title else "pencil"
    if thread.private:
        icon = "private"
    elif thread.archived:
        icon = "archive"
    elif thread.pinned:
        icon = "pin"
    return PaletteEntry(
        "thread",
        thread.id,
        listed_title(thread),
        project,
        icon,
        updated=thread.updated,
        private=thread.private,
    )


def of_project(project: str, name: str) -> PaletteEntry:
    return PaletteEntry("project", project, name, icon="folder")


def of_action(name: str, action: QAction) -> PaletteEntry:
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    words = action.text().replace("&&", "&")
    return PaletteEntry(
        "action",
        name,
        words,
        icon=ICONS.get(name, "terminal"),
        shortcut=keys,
        chosen=action.isChecked(),
        also=_search_words(name),
    )


def of_prompt(prompt: Prompt) -> PaletteEntry:
    return PaletteEntry("prompt", prompt.id, prompt.title, icon="prompt")


def of_model(choice: ModelChoice, answering: tuple[str, str] | None) -> PaletteEntry:
    """A model with its backend, whose name stands before the first stroke of the key."""
    chosen = choice.key == answering
    return PaletteEntry(
        "model", "/".join(choice.key), choice.model_name, choice.backend_title, "computer", chosen=chosen
    )


def _search_words(name: str) -> str:
    if name not in SEARCH_WORDS:
        return ""
    words = translated(SEARCH_WORDS[name])
    return words if words == SEARCH_WORDS[name] else f"{words} {SEARCH_WORDS[name]} {name.replace('_', ' ')}"


REST_MS: Final = 150
"""Milliseconds after the last key until the history is asked."""
MESSAGES: Final = 6
PASSAGES: Final = 4
"""Hits of each kind that are shown: more of them are in the search pane and on a project's page."""


class PaletteSearch(QObject):
    """Searches beside the event loop: the history has a thread of its own."""

    found = Signal(str, object)  # the words that were asked for, entries

    def __init__(self, app_state: AppState, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._words = ""
        self._asking = False
        self._rest = single_shot(self, self._ask_now, REST_MS)

    def ask(self, words: str) -> None:
        """Set the words to search for now; "" for nothing: an answer that is under way is dropped."""
        self._words = words
        if words:
            self._rest.start()
        else:
            self._rest.stop()

    def _ask_now(self) -> None:
        if not self._asking:
            self._asking = True
            self._app_state.look(self._search())

    async def _search(self) -> None:
        try:
            words = ""
            while words != self._words and self._words and not self._rest.isActive():
                words = self._words
                entries = await self._entries(words)
                if words == self._words:
                    self.found.emit(words, entries)
        finally:
            self._asking = False

    async def _entries(self, words: str) -> Sequence[PaletteEntry]:
        services = await self._app_state.services()
        page = await services.library.search(words, limit=MESSAGES)
        messages = [of_message(hit) for hit in page.hits]
        if words != self._words:
            return messages  # they are not shown any more
        passages = await services.history.projects.search_documents(None, words, limit=PASSAGES)
        return [*messages, *(of_passage(hit, words) for hit in passages), *([all_results(words)] if messages else [])]


def of_message(hit: SearchHit) -> PaletteEntry:
    """A message that was found, by its passage."""
    title = hit.title or tr("Untitled thread")
    key = f"{hit.thread_id}/{hit.message_id}"
    return PaletteEntry("message", key, hit.snippet, title, "search", spans=hit.marks)


def of_passage(hit: PassageHit, words: str) -> PaletteEntry:
    """A passage of a project's document."""
    shown = snippet(hit.text, needles(words))
    key = f"{hit.document.project_id}/{hit.id}"
    return PaletteEntry("passage", key, shown.text, hit.document.name, "document", spans=shown.marks)


def all_results(words: str) -> PaletteEntry:
    """The line that leads to the search pane."""
    return PaletteEntry("search", words, tr("All results for “{words}”").format(words=words), icon="search")
