"""The keys of each action: the platform's, or those of the settings. Uses no page and no file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.actions import default_keys
from desktop_app.ui.shortcuts.key_sequences import is_labelled, meet, read, refusal

Keys: TypeAlias = tuple[QKeySequence, ...]


class KeyMap(QObject):
    """Gives actions their keys. No two actions ever have keys that meet: what the settings say comes before defaults.

    `changed` comes when other keys count, or other problems are to be told.
    """

    changed = Signal()

    def __init__(self, actions: Mapping[str, QAction], parent: QObject) -> None:
        super().__init__(parent)
        self.actions = actions
        every = {name: default_keys(name) for name in actions}
        self.defaults: dict[str, Keys] = {
            name: tuple(one for one in keys if not is_labelled(one)) for name, keys in every.items()
        }
        """The keys of each action where nothing else is said, as the platform has them."""
        self._labelled = {name: tuple(one for one in keys if is_labelled(one)) for name, keys in every.items()}
        self._said: dict[str, Keys] = {}
        self._given: dict[str, str] = {}
        self.problems: tuple[str, ...] = ()
        """One sentence for each wrong value, naming its key; its default counts then."""
        self._taken: Mapping[str, tuple[str, ...]] = {}

    def keys(self, action: str) -> Keys:
        """The keys that count. What a keyboard has a key for, such as Help, stays with its action and is not told."""
        return tuple(keys for keys in self.actions[action].shortcuts() if not is_labelled(keys))

    def words(self, action: str) -> str:
        """Return the name of the action."""
        return self.actions[action].text().replace("&&", "&")

    def is_changed(self, action: str) -> bool:
        """Return True if the keys that count are others than the defaults."""
        return self.keys(action) != self.defaults[action]

    def is_said(self, action: str) -> bool:
        """Return True if the settings say something of this action that counts."""
        return action in self._said

    def given_to(self, action: str) -> str:
        """The action to which the settings gave a default of this one; empty where that is not so."""
        return self._given.get(action, "")

    def owner(self, keys: QKeySequence, besides: str = "") -> str:
        """The action, other than `besides`, whose keys are these or begin alike; empty where there is none."""
        others = (name for name in self.actions if name != besides)
        return next((name for name in others if any(meet(keys, theirs) for theirs in self.keys(name))), "")

    def take(self, said: Mapping[str, Sequence[str]]) -> None:
        """Take the keys of the settings, by action: texts of keys, none of them: the action has no keys."""
        taken = {name: tuple(texts) for name, texts in said.items()}
        if taken == self._taken:
            return
        self._taken = taken
        problems: list[str] = []
        self._said = self._read(taken, problems)
        self._given = {}
        held = [keys for those in self._said.values() for keys in those]
        for name, action in self.actions.items():
            wanted = self._said.get(name)
            if wanted is None:
                wanted = tuple(keys for keys in self.defaults[name] if not any(meet(keys, other) for other in held))
                if wanted != self.defaults[name]:
                    lost = next(keys for keys in self.defaults[name] if keys not in wanted)
                    taker = (one for one, theirs in self._said.items() if any(meet(lost, keys) for keys in theirs))
                    self._given[name] = next(taker, "")
            wanted += self._labelled[name]
            if tuple(action.shortcuts()) != wanted:
                action.setShortcuts(list(wanted))
        self.problems = tuple(problems)
        self.changed.emit()

    def _read(self, said: Mapping[str, tuple[str, ...]], problems: list[str]) -> dict[str, Keys]:
        """Return the valid part of it, in the order of the actions: of two that want the same the first one gets it."""
        for name in said.keys() - self.actions.keys():
            near = difflib.get_close_matches(name, self.actions, n=1)
            told = tr("shortcuts.{name} is not an action; did you mean shortcuts.{near}?") if near else ""
            told = told or tr("shortcuts.{name} is not an action.")
            problems.append(told.format(name=name, near=near[0] if near else ""))
        found: dict[str, Keys] = {}
        for name in self.actions:
            if name in said:
                keys, wrong = self._read_one(name, said[name], found)
                if wrong:
                    problems.append(wrong)
                else:
                    found[name] = keys
        return found

    def _read_one(self, name: str, texts: Sequence[str], found: Mapping[str, Keys]) -> tuple[Keys, str]:
        made: list[QKeySequence] = []
        for text in texts:
            keys = read(text)
            why = tr("these are not keys") if keys is None else ""
            if keys is not None and keys not in self.defaults[name]:
                why = refusal(keys).rstrip(".")
            if keys is not None and not why:
                first = next((one for one, theirs in found.items() if any(meet(keys, other) for other in theirs)), "")
                why = tr("“{action}” has these keys").format(action=self.words(first)) if first else ""
            if keys is None or why:
                told = tr("shortcuts.{name} is “{text}”, but {why}; the default is used.")
                return (), told.format(name=name, text=text[:24], why=why)
            if not any(meet(keys, other) for other in made):
                made.append(keys)
        return tuple(made), ""
