"""The bill of 100 tools: each call is run and billed, and the list of tools stays as it is."""

from __future__ import annotations

from tests.benchmarks.schema_bill import bill


async def test_tools_that_are_found_cost_less_than_all_in_sight() -> None:
    loaded, found = [await bill("anthropic", 4, each=2, finds=finds) for finds in (False, True)]
    assert not (*loaded.faults, *found.faults)
    assert 25_000 < loaded.schemas < 35_000
    assert (len(loaded.lines), len(found.lines)) == (6, 8)
    assert (loaded.offered, found.offered) == (102, 4)
    assert found.usd < loaded.usd / 2
