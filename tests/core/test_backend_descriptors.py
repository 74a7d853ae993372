"""One table says which backends there are; what is built, and what asks for them by name, agrees with it."""

from __future__ import annotations

import ast
from pathlib import Path

from desktop_app.composition import compose
from desktop_app.core.backend_descriptors import BACKEND_NAMES, BACKENDS, KEY_VARIABLES, backend_descriptor
from desktop_app.core.model_catalog import shipped_models
from desktop_app.core.settings import find_key
from tests.fakes.memory_secrets import MemorySecrets

SOURCES = Path(__file__).parents[2] / "desktop_app"


def lists_of_names(path: Path) -> list[int]:
    """The lines of tuples, lists and sets with the names of two or more backends."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            names = [one.value for one in node.elts if isinstance(one, ast.Constant) and one.value in BACKEND_NAMES]
            if len(names) > 1:
                found.append(node.lineno)
    return found


async def test_what_is_built_is_the_table(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "PATH": ""}
    services = await compose(tmp_path / "data", environ=environ, secrets=MemorySecrets(), only_looking=True)
    try:
        assert tuple(services.backends) == BACKEND_NAMES
        for name, backend in services.backends.items():
            known = backend_descriptor(name)
            assert backend.name == name
            assert known.title in {backend.title, ""}
            assert known.per_address == (not known.title)
    finally:
        await services.close()


def test_each_descriptor_can_be_used() -> None:
    assert len(set(BACKEND_NAMES)) == len(BACKENDS)
    assert all(shipped_models(name) for name in BACKEND_NAMES)
    assert all(find_key(("backends", one.name, key)) for one in BACKENDS for key in one.settings)
    assert set(KEY_VARIABLES) == {"anthropic", "openai"}
    assert not any(one.by_command or one.by_window for one in BACKENDS if not one.offered)


def test_no_other_place_lists_backends() -> None:
    """Save two that mean these very backends: both lead to Claude's models, or have a card that says what was found."""
    found = {path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py") if lists_of_names(path)}
    assert found == {"core/model_catalog.py", "ui/connections/available_models.py"}
