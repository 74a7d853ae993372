"""Every fault through the real `claude` program: see `faults` and `states`.

Most of its time is spent waiting before another attempt, so all faults are played at once, a few at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

import psutil
import pytest
import pytest_asyncio

from tests.faults.backends.checks import check
from tests.faults.backends.faults import FAULTS, Fault
from tests.faults.backends.playing import Played, held, play
from tests.faults.backends.states import expected
from tests.faults.backends.stopping import MOMENTS, WAITING_TO_TRY_AGAIN, stop
from tests.faults.backends.ways import claude_program, way_to
from tests.patience import PATIENCE_S

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(claude_program() is None, reason="claude_agent_sdk is not installed"),
]

AT_ONCE: Final = 4


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def folder(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Path]:
    """Where the self-test of the program has been passed."""
    made = tmp_path_factory.mktemp("claude")
    (made / "first").mkdir()
    async with way_to("claude-cli", made / "first") as way:
        await way.backend.prepare()
    yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(folder: Path, request: pytest.FixtureRequest) -> Mapping[str, Played]:
    """What became of every fault that a test of this run asks for."""
    asked_for = {_fault_of(item) for item in request.session.items}
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, fault: Fault) -> Played:
        async with gate:
            place = folder / f"fault-{number}"
            place.mkdir()
            return await asyncio.wait_for(play("claude-cli", fault, place, again=False), PATIENCE_S)

    before = held()
    faults = [fault for fault in FAULTS if fault.name in asked_for]
    found = await asyncio.gather(*(one(number, fault) for number, fault in enumerate(faults)))
    assert held() == before
    return {fault.name: each for fault, each in zip(faults, found, strict=True)}


def _fault_of(item: pytest.Item) -> str:
    """The name of the fault that a test of this module is about."""
    about = getattr(getattr(item, "callspec", None), "params", {}).get("fault")
    return about.name if item.path == Path(__file__) and isinstance(about, Fault) else ""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_one_state(fault: Fault, played: Mapping[str, Played]) -> None:
    check("claude-cli", fault, played[fault.name], expected(fault.name, "claude-cli"))


@pytest.mark.asyncio(loop_scope="module")
async def test_stop_works_at_every_moment(folder: Path) -> None:
    """How long it takes is measured by `./dev bench backends`."""
    before = held()
    for number, moment in enumerate((*MOMENTS, WAITING_TO_TRY_AGAIN)):
        place = folder / f"stop-{number}"
        place.mkdir()
        stopped = await stop("claude-cli", moment, place)
        assert stopped.text == moment.kept, moment.name
        assert psutil.Process().children(recursive=True) == []
    assert held() == before
