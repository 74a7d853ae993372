"""Every fault through the backends that speak to a server with a client of our own: see `faults` and `states`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from desktop_app.backends import connection_errors
from tests.faults.backends.checks import check
from tests.faults.backends.faults import FAULTS, Fault
from tests.faults.backends.playing import held, play
from tests.faults.backends.states import expected
from tests.faults.backends.stopping import MOMENTS, WAITING_TO_TRY_AGAIN, Moment, stop
from tests.faults.backends.ways import Name

pytestmark = pytest.mark.slow

OWN_CLIENTS: Final[tuple[Name, ...]] = ("anthropic", "openai", "local")


@pytest.mark.parametrize("name", OWN_CLIENTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_each_fault_is_one_state(
    name: Name, fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_errors, "RATE_WAITS_S", (0.01,) * len(connection_errors.RATE_WAITS_S))
    before = held()
    check(name, fault, await play(name, fault, tmp_path), expected(fault.name, name))
    assert held() == before


STOPS: Final = [
    *((name, moment) for name in OWN_CLIENTS for moment in MOMENTS),
    *((name, WAITING_TO_TRY_AGAIN) for name in OWN_CLIENTS if name != "local"),
]


@pytest.mark.parametrize(("name", "moment"), STOPS, ids=lambda part: part.name if isinstance(part, Moment) else part)
async def test_stop_works_at_every_moment(name: Name, moment: Moment, tmp_path: Path) -> None:
    before = held()
    stopped = await stop(name, moment, tmp_path)
    assert stopped.text == moment.kept
    assert held() == before
