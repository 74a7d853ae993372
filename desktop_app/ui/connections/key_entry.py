"""The way a typed key is tried and stored, and the words where that fails. Keeps no key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import having
from desktop_app.ui.i18n.language import tr, translated

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.connections import ConnectionStates

UNTOLD = ("network", "rate_limited", "overloaded", "backend")
"""Failures of a test that say nothing of the key: the user may be offline just now, and store it all the same."""


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """Why a key was not stored. `of_keyring`: the key itself may be right."""

    failure: Failure
    of_keyring: bool = False


async def tried_and_stored(
    states: ConnectionStates, connection: tuple[str, str], key: str, *, untested: bool, unsaved: bool
) -> KeyProblem | None:
    """Tries a key with one free call, unless `untested`, and stores it in the system keyring; why not, or None.

    `unsaved`: no keyring is asked, and the key is kept until Plimsoll closes.
    """
    if not unsaved and (problem := await states.keyring_problem(*connection)):
        return KeyProblem(problem, of_keyring=True)  # before the provider is asked: what it says would not help
    try:
        if not untested:
            await states.try_key(*connection, key)
    except PlimsollError as error:
        return KeyProblem(error.failure)
    try:
        await states.set_key(*connection, key, unsaved=unsaved)
    except PlimsollError as error:
        return KeyProblem(error.failure, of_keyring=True)
    return None


def problem_of(failure: Failure, *, unsaved: bool) -> tuple[str, str]:
    """Return the words about a key that was not stored, and the button that takes it all the same ("": none does)."""
    if failure.code not in UNTOLD:
        return said_here(failure), ""
    doubt = tr("The key was not tested: it may be mistyped, expired or without credit.")
    return f"{said_here(failure)} {doubt}", tr("Use anyway") if unsaved else tr("Save anyway")


def until_closed() -> str:
    """Return the words on how long a key lasts that no keyring takes."""
    return tr("The system keyring can't be used: a key works until Plimsoll closes.")


def said_here(failure: Failure) -> str:
    """The failure for somebody who is under Connections already."""
    return translated(having(failure.message, where=""))
