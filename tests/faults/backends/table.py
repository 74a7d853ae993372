"""Writes `docs/faults.md` from what the tests assert and from `tests/faults/by_hand.md`. Plays nothing.

Run it with `python -m tests.faults.backends.table`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from desktop_app.core.errors import ACTIONS
from tests.faults.backends.faults import FAULTS
from tests.faults.backends.states import STATES, Expected, State, expected
from tests.faults.backends.stopping import MOMENTS, STOP_S, WAITING_TO_TRY_AGAIN
from tests.faults.backends.ways import NAMES, Name

PAGE: Final = Path(__file__).parents[3] / "docs" / "faults.md"
BY_HAND: Final = Path(__file__).parents[1] / "by_hand.md"
"""What other tests assert: a table for each group of faults, with the tests' names."""

INTRODUCTION: Final = """\
# What a fault becomes

Made by `python -m tests.faults.backends.table` from what the tests in `tests/faults/backends` assert, and from
`tests/faults/by_hand.md`; do not edit it.

Each fault is played by a server on loopback, at every request until the question has its end. `claude-cli` is the real
program, `local` its real HTTP client. Whatever happens there is exactly one state of the window; the history never
holds an error as an answer; the text that came is kept, and a fault's words never go back to a provider.

A cell names the failure's code and its first button, and how often the model was asked if not once (of `claude-cli`: at
most). In the sentences below `{server}` is a host and port, `{address}` an address. `scripted` can play each state of
`anthropic`.
"""


def rendered() -> str:
    """The whole page."""
    return "\n".join((INTRODUCTION, *_table(), "", *_stops(), "", BY_HAND.read_text("utf-8"), *_sentences()))


def _table() -> Iterator[str]:
    yield f"| fault | {' | '.join(f'`{name}`' for name in NAMES)} |"
    yield f"|---|{'---|' * len(NAMES)}"
    for fault in FAULTS:
        cells = (_cell(expected(fault.name, name)) for name in NAMES)
        yield f"| {fault.name} | {' | '.join(cells)} |"


def _cell(found: Expected) -> str:
    times = f", {found.requests} requests" if found.requests > 1 else ""
    if not isinstance(found.outcome, State):
        return found.outcome + times
    return f"`{found.outcome.code}` · {ACTIONS[found.outcome.actions[0]]}{times}"


def _stops() -> Iterator[str]:
    moments = [moment.name for moment in (*MOMENTS, WAITING_TO_TRY_AGAIN)]
    yield "## Stop"
    yield ""
    within = f"{STOP_S * 1000:.0f} ms"
    yield f"An answer is stopped and stored within {within}, and no task, thread, connection or process of"
    yield "it is left (a `claude` program of 200 MB may take up to three times that to be gone):"
    yield f"{', '.join(moments[:-1])}, and {moments[-1]}."


def _sentences() -> Iterator[str]:
    yield "## The sentences"
    for name in NAMES:
        yield ""
        yield f"### `{name}`"
        yield ""
        for state in STATES[name].values():
            buttons = " · ".join(ACTIONS[action] for action in state.actions)
            yield f"- `{state.code}` after {_faults_of(name, state)}: {state.words} [{buttons}]"
    yield ""


def _faults_of(name: Name, state: State) -> str:
    return "; ".join(fault.name for fault in FAULTS if expected(fault.name, name).outcome == state)


def main() -> None:
    """Writes the page."""
    PAGE.write_text(rendered(), encoding="utf-8")


if __name__ == "__main__":
    main()
