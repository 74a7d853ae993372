"""The settings: their values, defaults, allowed ranges, and how settings.toml is read.

Nothing here fails: a wrong value is named by its key and its default is used, so that a typing error never keeps the
app from starting.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Final, Literal, TypeAlias

from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import Redaction
from desktop_app.core.setting_fields import (
    SETTING,
    SettingKey,
    SettingRule,
    address,
    addresses,
    choice,
    keys,
    number,
    switch,
    text,
    texts,
    whole,
)


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The `[context]` table of settings.toml, and the thread's own position of the soft limit. 0 turns a cap off."""

    soft_limit: int = whole(
        phrase("Soft limit"),
        phrase("Older messages are left out above this."),
        low=1_000,
        high=10_000_000,
        default=150_000,
        unit=phrase("tokens"),
        presets={50_000: "", 100_000: "", 150_000: ""},
    )
    max_messages: int = whole(
        phrase("Message limit"),
        phrase("At most this many messages in one request."),
        low=2,
        high=100_000,
        or_zero=True,
        default=0,
        unit=phrase("messages"),
        presets={0: phrase("No limit"), 50: "", 200: ""},
    )
    max_turns: int = whole(
        phrase("Turn limit"),
        phrase("At most this many turns in one request."),
        low=1,
        high=100_000,
        or_zero=True,
        default=0,
        unit=phrase("turns"),
        presets={0: phrase("No limit"), 20: "", 100: ""},
    )
    preserve_first_n: int = whole(
        phrase("Kept at the start"),
        phrase("Messages always kept at the start of the thread."),
        low=0,
        high=1_000,
        default=1,
        unit=phrase("messages"),
        presets={0: phrase("None"), 1: phrase("1 message"), 3: ""},
    )
    preserve_last_n: int = whole(
        phrase("Kept at the end"),
        phrase("Messages kept at the end; token limits come first."),
        low=0,
        high=10_000,
        default=20,
        unit=phrase("messages"),
        presets={10: "", 20: "", 50: ""},
    )
    summarize_on_trim: bool = switch(
        phrase("Summarize left-out messages"), phrase("A summary replaces messages that are left out."), default=False
    )
    summary_model: str | None = text(
        phrase("Model for summaries"), phrase("Used on connections that have it."), holds="model"
    )
    idle_reset_minutes: int = whole(
        phrase("Start fresh after a pause"),
        phrase("Earlier messages are left out after a pause this long."),
        low=1,
        high=525_600,
        or_zero=True,
        default=0,
        unit=phrase("minutes"),
        presets={0: phrase("Never"), 60: phrase("1 hour"), 1_440: phrase("1 day")},
    )
    turn_cap_usd: float = number(
        phrase("Turn spend cap"),
        phrase("Pauses a turn whose tools have cost this much."),
        low=0,
        high=1_000_000,
        default=1.0,
        unit=phrase("US dollars"),
        presets={0: phrase("No limit"), 1: "", 5: ""},
    )
    turn_cap_calls: int = whole(
        phrase("Tool call cap"),
        phrase("Pauses a turn after this many tool calls."),
        low=1,
        high=1_000_000,
        or_zero=True,
        default=200,
        unit=phrase("calls"),
        presets={0: phrase("No limit"), 50: "", 200: ""},
    )
    max_tool_rounds: int = whole(
        phrase("Rounds of tools"),
        phrase("After this many in a turn, the model has to answer."),
        low=1,
        high=10_000,
        default=50,
        unit=phrase("rounds"),
        presets={10: "", 50: "", 200: ""},
    )
    ask_provider_to_count: bool = switch(
        phrase("Ask provider to count"),
        phrase("Asks the provider for an exact count near the limit."),
        default=True,
    )
    instructions: str | None = text(
        phrase("Instructions"), phrase("Sent with every thread, before its own system prompt."), holds="lines"
    )
    search_other_threads: bool = switch(
        phrase("Search other threads"),
        phrase("The model may search your other threads. Projects have their own switch."),
        default=False,
    )


ThemeChoice: TypeAlias = Literal["system", "light", "dark"]
LanguageChoice: TypeAlias = Literal["system", "en", "de", "zh_CN"]


@dataclass(frozen=True, slots=True)
class BackendSettings:
    """The table `[backends.NAME]`; None: the backend's own default. One with a name of the user's is a server."""

    name: str | None = text(phrase("Name"), phrase("The connection's name, if not the service's."))
    model: str | None = text(
        phrase("Model of new threads"), phrase("The model that new threads of this connection use."), holds="model"
    )
    base_url: str | None = address(phrase("Address"), phrase("The service's address, if not the default."))
    servers: tuple[str, ...] = addresses("", phrase("Addresses that earlier versions saved."), on_page=False)
    keyed: tuple[str, ...] = addresses("", phrase("Servers that were given a key."), on_page=False)
    timeout_s: float | None = number(
        phrase("Timeout"),
        phrase("How long to wait for a reply."),
        low=1,
        high=3_600,
        default=None,
        unit=phrase("seconds"),
        presets={60: phrase("1 minute"), 300: phrase("5 minutes")},
    )
    model_path: str | None = text(
        phrase("Model file"), phrase("The model file (GGUF) of the local connection."), holds="file"
    )
    removed: bool = switch("", phrase("Removed; old threads still name it."), default=False, on_page=False)
    own_key: bool = switch("", phrase("Has a key beside others of its address."), default=False, on_page=False)


@dataclass(frozen=True, slots=True)
class ToolServerSettings:
    """The table `[tool_servers.NAME]`: a server by its command or its address. `projects` are ids.

    `secrets` are the names of variables and headers whose values are in the keyring. `reading` and `always`: tools,
    each with its pin (`core.tool_servers`).
    """

    command: str | None = text("", phrase("The program that is the server."), on_page=False)
    arguments: tuple[str, ...] = texts(phrase("The program's arguments."))
    environment: tuple[str, ...] = texts(phrase('Variables for the program, such as "NAME=value". No secrets.'))
    url: str | None = address("", phrase("The server's address, if it is no program."), on_page=False)
    headers: tuple[str, ...] = texts(phrase('Headers for the address, such as "Name: value". No secrets.'))
    secrets: tuple[str, ...] = texts(phrase("Variables or headers whose values are in the keyring."))
    everywhere: bool = switch("", phrase("On for all threads."), default=False, on_page=False)
    projects: tuple[str, ...] = texts(phrase("IDs of the projects that it is on for."))
    off: tuple[str, ...] = texts(phrase("Tools that are switched off."))
    reading: tuple[str, ...] = texts(phrase("Tools marked as only reading."))
    always: tuple[str, ...] = texts(phrase("Tools that are always allowed."))


@dataclass(frozen=True, slots=True)
class AppearanceSettings:
    """The table `[appearance]`."""

    theme: ThemeChoice = choice(  # noqa: RUF009 - makes a field
        phrase("Theme"),
        phrase("Light, dark, or like the system."),
        choices={"system": phrase("System"), "light": phrase("Light"), "dark": phrase("Dark")},
        default="system",
        travels=True,
        says_itself=True,
    )
    text_size: int = whole(
        phrase("Text size"),
        phrase("Scales the whole window."),
        low=7,
        high=40,
        default=11,
        unit=phrase("points"),
        presets={9: phrase("Small"), 11: phrase("Medium"), 14: phrase("Large")},
        travels=True,
    )
    reduced_motion: bool = switch(phrase("Reduce motion"), phrase("Turns animations off."), default=False, travels=True)
    language: LanguageChoice = choice(  # noqa: RUF009 - makes a field
        phrase("Language"),
        phrase("The language of the window."),
        choices={"system": phrase("System"), "en": "", "de": "", "zh_CN": ""},
        default="system",
        read_at_start=True,
        travels=True,
        says_itself=True,
    )
    list_previews: bool = switch(
        phrase("Previews in the thread list"),
        phrase("A second line: the last answer or your draft, and the time."),
        default=False,
        travels=True,
    )


@dataclass(frozen=True, slots=True)
class ComposerSettings:
    """The table `[composer]`. `spell_languages` None: the system's language and English."""

    enter_sends: bool = switch(phrase("Enter sends"), phrase("Otherwise Ctrl+Enter sends."), default=True, travels=True)
    spell_check: bool = switch(
        phrase("Check spelling"),
        phrase("Marks words that are not in a dictionary."),
        default=False,
        travels=True,
    )
    spell_languages: str | None = text(
        phrase("Languages of the spell check"),
        phrase('The languages you write in, such as "en_US, de_DE".'),
        travels=True,
    )


@dataclass(frozen=True, slots=True)
class CostSettings:
    """The table `[costs]`; a day is one of UTC. 0: no cap."""

    show_above_usd: float = number(
        phrase("Show prices from"),
        phrase("The gauge shows prices from this amount."),
        low=0,
        high=10_000,
        default=0.25,
        unit=phrase("US dollars"),
        presets={0: phrase("Always"), 0.25: "", 1: ""},
    )
    day_cap_usd: float = number(
        phrase("Daily spend cap"),
        phrase("Asks before a day costs more."),
        low=0,
        high=1_000_000,
        default=0.0,
        unit=phrase("US dollars"),
        presets={0: phrase("No limit"), 5: "", 20: ""},
    )
    thread_cap_usd: float = number(
        phrase("Thread spend cap"),
        phrase("Asks before a thread costs more."),
        low=0,
        high=1_000_000,
        default=0.0,
        unit=phrase("US dollars"),
        presets={0: phrase("No limit"), 1: "", 5: ""},
    )


@dataclass(frozen=True, slots=True)
class TitleSettings:
    """The table `[titles]`. `by_model`: the title costs at most 150 tokens."""

    by_model: bool = switch(
        phrase("Title threads automatically"),
        phrase("The thread's model writes it after the first answer."),
        default=True,
    )


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """The table `[documents]`. `scan_languages` None: English."""

    scan_languages: str | None = text(
        phrase("Languages of scans"),
        phrase('Read by Tesseract, such as "eng+deu".'),
    )


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """The table `[backups]`. `folder` None: in the data folder. `copies`: the room, in sizes of the history."""

    automatic: bool = switch(
        phrase("Back up automatically"),
        phrase("Copies the history once a day while Plimsoll is open."),
        default=True,
    )
    folder: str | None = text(
        phrase("Backup folder"), phrase("Where new backups go, if not to the data folder."), holds="folder"
    )
    copies: float = number(
        phrase("Space for backups"),
        phrase("At most this many times the size of the history."),
        low=1,
        high=100,
        default=3.0,
        presets={2: "2 ×", 3: "3 ×", 10: "10 ×"},
    )


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """The table `[window]`. `notify_after_s` 0: never."""

    tray: bool = switch(
        phrase("Keep in the tray"),
        phrase("Closing the window keeps Plimsoll in the tray."),
        default=False,
    )
    notify_after_s: int = whole(
        phrase("Notify when a long answer finishes"),
        phrase("Only answers that take longer than this."),
        low=1,
        high=3_600,
        or_zero=True,
        default=20,
        unit=phrase("seconds"),
        presets={0: phrase("Never"), 20: "", 60: phrase("1 minute")},
    )


EACH: Final = "each"
"""Under this name the metadata of a field with tables by name has the class of one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in settings.toml, with defaults for what is not there. Model ids and backend names are the keys."""

    default_backend: str | None = choice(
        phrase("Connection of new threads"),
        phrase("The connection that new threads use."),
        choices=dict.fromkeys(BACKEND_NAMES, ""),
        others=True,
        default=None,
        name="backend.default",
        says_itself=True,
    )
    backends: Mapping[str, BackendSettings] = field(default_factory=dict, metadata={EACH: BackendSettings})
    context: ContextSettings = field(default_factory=ContextSettings)
    models: Mapping[str, ModelOverride] = field(default_factory=dict, metadata={EACH: ModelOverride})
    tool_servers: Mapping[str, ToolServerSettings] = field(default_factory=dict, metadata={EACH: ToolServerSettings})
    appearance: AppearanceSettings = field(default_factory=AppearanceSettings)
    composer: ComposerSettings = field(default_factory=ComposerSettings)
    costs: CostSettings = field(default_factory=CostSettings)
    titles: TitleSettings = field(default_factory=TitleSettings)
    documents: DocumentSettings = field(default_factory=DocumentSettings)
    backups: BackupSettings = field(default_factory=BackupSettings)
    window: WindowSettings = field(default_factory=WindowSettings)
    shortcuts: Mapping[str, tuple[str, ...]] = keys(
        "shortcuts.*", "", phrase("The keys of an action, by its ID."), on_page=False, travels=True
    )
    """The keys that the file gives to an action, by its id; none: it has no keys. Who knows keys reads them."""

    def backend(self, name: str) -> BackendSettings:
        """The settings of one backend, defaults if its table is not there."""
        return self.backends.get(name, BackendSettings())

    def key_owner(self, backend: str) -> str:
        """The name under which a server has a key beside others of its address; "" where it shares theirs."""
        return backend if self.backend(backend).own_key else ""

    @property
    def servers(self) -> Mapping[str, BackendSettings]:
        """The servers with a name of the user's, by that name."""
        return {
            name: one
            for name, one in self.backends.items()
            if name not in BACKEND_NAMES and one.base_url and not one.removed
        }


def _keys() -> Iterator[SettingKey]:
    for one in fields(Settings):
        if SETTING in one.metadata:
            yield one.metadata[SETTING]
            continue
        table = one.name if _is_table(one) else f"{one.name}.*"
        for inner in fields(_class_of(one)):
            yield replace(inner.metadata[SETTING], name=f"{table}.{inner.name}")


def _is_table(one: Field[Any]) -> bool:
    return SETTING not in one.metadata and EACH not in one.metadata


def _class_of(one: Field[Any]) -> Any:
    """The class of a table, or of each of several."""
    return one.metadata.get(EACH, one.default_factory)


KEYS: Final = tuple(_keys())
"""Every key of settings.toml, as its field describes it."""

OTHER_NAMES: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("context", "max_conversation_messages"): ("context", "max_messages")
}
"""Keys that are taken as another name of a documented one, which wins where both are there."""

_NAMED_TABLES: Final = ("backends", "models", "tool_servers")
_BY_NAME: Final = {key.name: key for key in KEYS}


def find_key(dotted: tuple[str, ...]) -> SettingKey | None:
    """The documented key for a path such as ("backends", "anthropic", "model"), or None."""
    if len(dotted := OTHER_NAMES.get(dotted, dotted)) == 3 and dotted[0] in _NAMED_TABLES:
        return _BY_NAME.get(f"{dotted[0]}.*.{dotted[2]}")
    if len(dotted) == 2 and dotted[0] == "shortcuts":
        return _BY_NAME["shortcuts.*"]
    return _BY_NAME.get(".".join(dotted)) if len(dotted) == 2 else None


def dotted_name(path: tuple[str, ...]) -> str:
    """The path as it is written in TOML: parts that are not bare keys are quoted."""
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"' for part in path)


def parse_settings(toml_text: str) -> tuple[Settings, tuple[str, ...]]:
    """Reads settings.toml: settings with defaults for what is wrong, and one sentence per problem.

    A wrong value and an unknown key are named by their dotted key, a syntax error by its line (then all settings are
    the defaults). Never raises for any text.
    """
    try:
        document = tomllib.loads(toml_text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        return Settings(), (_syntax_problem(str(error), toml_text),)
    except ValueError:  # what Python does not read as a number: 4,300 digits and more
        return Settings(), (phrase("settings.toml holds a number that is too long to be read; the defaults are used."),)
    except RecursionError:
        return Settings(), (phrase("settings.toml is nested too deeply to be read; the defaults are used."),)
    reader = _SettingsReader()
    settings = reader.settings(document)
    return settings, tuple(reader.problems)


def _syntax_problem(words: str, toml_text: str) -> str:
    if (place := re.search(r"\s*\(at line (\d+), column (\d+)\)$", words)) is None:
        line, what = toml_text.count("\n") + 1, re.sub(r"\s*\(at end of document\)$", "", words)
        return phrase("settings.toml, line {line}: {what}; the defaults are used.", line=line, what=what)
    return phrase(
        "settings.toml, line {line}, column {column}: {what}; the defaults are used.",
        line=place[1],
        column=place[2],
        what=words[: place.start()],
    )


class _SettingsReader:
    """Takes values out of a parsed document and collects what is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def settings(self, document: Mapping[str, Any]) -> Settings:
        names = {key.name.partition(".")[0] for key in KEYS}
        for name in document:
            if name not in names:
                self._unknown((name,), names)
        backends = {name: _backend(found) for name, found in self._named(document, "backends").items()}
        default = self._table(document, "backend").get("default")
        offered = tuple(dict.fromkeys((*BACKEND_NAMES, *backends)))
        if default is not None and default not in offered:
            self._wrong(("backend", "default"), default, replace(_BY_NAME["backend.default"].rule, choices=offered))
            default = None
        return Settings(
            default_backend=default,
            backends=backends,
            models={name: ModelOverride(**found) for name, found in self._named(document, "models").items()},
            tool_servers={name: _tool_server(one) for name, one in self._named(document, "tool_servers").items()},
            shortcuts={name: _sequences(keys) for name, keys in self._table(document, "shortcuts").items()},
            **{
                one.name: _class_of(one)(**self._table(document, one.name))
                for one in fields(Settings)
                if _is_table(one)
            },
        )

    def _table(self, document: Mapping[str, Any], *path: str) -> dict[str, Any]:
        if not isinstance(table := document.get(path[-1], {}), dict):
            header = dotted_name(path)
            self.problems.append(phrase("{name} must be a table, written [{name}]; it is not used.", name=header))
            return {}
        found = {name: value for name, value in table.items() if self._fits((*path, name), value)}
        for other, name in OTHER_NAMES.items():
            if other[:-1] == path and other[-1] in found:
                value = found.pop(other[-1])
                if found.setdefault(name[-1], value) != value:
                    self.problems.append(
                        phrase(
                            "{other} is another name of {name}, which is there too; {value} is used.",
                            other=dotted_name(other),
                            name=dotted_name(name),
                            value=_shown(found[name[-1]]),
                        )
                    )
        return found

    def _named(self, document: Mapping[str, Any], name: str) -> dict[str, dict[str, Any]]:
        if not isinstance(tables := document.get(name, {}), dict):
            self.problems.append(phrase('{name} must hold tables, written [{name}."NAME"]; it is not used.', name=name))
            return {}
        if name == "backends":
            for unknown, table in tables.items():
                if unknown not in BACKEND_NAMES and not (isinstance(table, dict) and "base_url" in table):
                    self._unknown((name, unknown), BACKEND_NAMES)
        return {key: self._table(tables, name, key) for key in tables}

    def _fits(self, path: tuple[str, ...], value: object) -> bool:
        if (key := find_key(path)) is None:
            pattern = (path[0], "*") if len(path) == 3 else path[:1]
            prefix = ".".join(pattern) + "."
            self._unknown(path, [name.removeprefix(prefix) for name in _BY_NAME if name.startswith(prefix)])
            return False
        if key.accepts(value):
            return True
        self._wrong(path, value, key.rule, key.default)
        return False

    def _wrong(self, path: tuple[str, ...], value: object, rule: SettingRule, default: object = None) -> None:
        # a wrong address may hold a password all the same
        shown = _shown(Redaction().of_error(value) if isinstance(value, str) else value)
        found = phrase(
            "{setting} is {value}, but must be {allowed}",
            setting=dotted_name(path),
            value=shown,
            allowed=rule.allowed,
        )
        if default is None:
            self.problems.append(phrase("{problem}.", problem=found))
        else:
            self.problems.append(phrase("{problem}; {default} is used.", problem=found, default=_shown(default)))

    def _unknown(self, path: tuple[str, ...], known: object) -> None:
        near = difflib.get_close_matches(path[-1], list(known) if isinstance(known, list | set | tuple) else [], n=1)
        name = dotted_name(path)
        if near:
            meant = dotted_name((*path[:-1], near[0]))
            problem = phrase("{name} is not a known setting; did you mean {meant}?", name=name, meant=meant)
        else:
            problem = phrase("{name} is not a known setting.", name=name)
        self.problems.append(problem)


def _backend(found: Mapping[str, Any]) -> BackendSettings:
    return BackendSettings(**{**found, **{name: tuple(found.get(name, ())) for name in ("servers", "keyed")}})


def _tool_server(found: Mapping[str, Any]) -> ToolServerSettings:
    values: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in found.items()}
    return ToolServerSettings(**values)


def _sequences(value: str | list[str]) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) else value
    return tuple(one.strip() for one in several if one.strip())


def _shown(value: object) -> str:
    """A value in few characters, as TOML writes it. A key pasted by mistake is not repeated whole."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:,}" if abs(value) < 10**18 else phrase("a number with too many digits")
        case str():
            return f'"{value[:20]}…"' if len(value) > 24 else f'"{value}"'
        case dict():
            return phrase("a table")
        case list():
            return phrase("a list")
        case _:
            return str(value)
