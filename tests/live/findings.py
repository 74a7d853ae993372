"""Owns what a check of an assumption finds. Knows no provider and no network.

A check is a method whose docstring is the assumption. It returns what is worth saying of one that holds, or raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import httpx2

from desktop_app.core.errors import PlimsollError

Verdict = Literal["pass", "FAIL", "unclear"]
Check = TypeVar("Check", bound=Callable[..., Any])

_CHECKS: Final = "_is_assumption"


class DoesNotHoldError(Exception):
    """What was found instead."""


class CannotTellError(Exception):
    """Why it could not be tried, or what came does not decide it."""


class NotReadyError(Exception):
    """Why a provider can't be asked at all, and what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One assumption and what became of it."""

    assumption: str
    verdict: Verdict
    detail: str = ""


def assumption(check: Check) -> Check:
    """Marks a method as a check; they are made in the order in which they are written."""
    setattr(check, _CHECKS, True)
    return check


def checks_of(provider: type) -> list[str]:
    """The assumptions of a provider's class, in order."""
    return [_words(check) for check in vars(provider).values() if hasattr(check, _CHECKS)]


def findings(provider: object) -> Iterator[Finding]:
    """Makes the checks one after the other."""
    for check in vars(type(provider)).values():
        if not hasattr(check, _CHECKS):
            continue
        try:
            yield Finding(_words(check), "pass", check(provider) or "")
        except DoesNotHoldError as found:
            yield Finding(_words(check), "FAIL", str(found))
        except CannotTellError as why:
            yield Finding(_words(check), "unclear", str(why))
        except httpx2.HTTPError as error:
            yield Finding(_words(check), "unclear", f"the connection failed: {type(error).__name__}: {error}")
        except PlimsollError as error:
            yield Finding(_words(check), "FAIL", error.failure.message)


def hold(condition: object, found: str) -> None:
    """Raises `DoesNotHoldError(found)` unless the condition is true."""
    if not condition:
        raise DoesNotHoldError(found)


def _words(check: Any) -> str:
    return " ".join(str(check.__doc__).split())
