"""Every fault through the backend `anthropic`: see `faults` and `states`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.backends.checks import check
from tests.faults.backends.faults import FAULTS, Fault
from tests.faults.backends.playing import held, play
from tests.faults.backends.states import expected
from tests.faults.backends.stopping import MOMENTS, STOP_S, WAITING_TO_TRY_AGAIN, Moment, stop

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_each_fault_is_one_state(fault: Fault, tmp_path: Path) -> None:
    before = held()
    check("anthropic", fault, await play("anthropic", fault, tmp_path), expected(fault.name, "anthropic"))
    assert held() == before


@pytest.mark.parametrize("moment", [*MOMENTS, WAITING_TO_TRY_AGAIN], ids=lambda moment: moment.name)
async def test_stop_works_at_every_moment(moment: Moment, tmp_path: Path) -> None:
    before = held()
    stopped = await stop("anthropic", moment, tmp_path)
    assert stopped.seconds < STOP_S
    assert stopped.text == moment.kept
    assert held() == before
