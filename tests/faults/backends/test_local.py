"""Every fault through the backend `local`: see `faults` and `states`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.backends.checks import check
from tests.faults.backends.faults import FAULTS, Fault
from tests.faults.backends.playing import held, play
from tests.faults.backends.states import expected
from tests.faults.backends.stopping import MOMENTS, STOP_S, Moment, stop

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_each_fault_is_one_state(fault: Fault, tmp_path: Path) -> None:
    before = held()
    check("local", fault, await play("local", fault, tmp_path), expected(fault.name, "local"))
    assert held() == before


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
async def test_stop_works_at_every_moment(moment: Moment, tmp_path: Path) -> None:
    before = held()
    stopped = await stop("local", moment, tmp_path)
    assert stopped.seconds < STOP_S
    assert stopped.text == moment.kept
    assert held() == before
