"""Everything put together over one data folder, as the app and the command line get it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.composition import compose
from desktop_app.controller.ports import Announcements
from desktop_app.core.errors import UserError
from desktop_app.core.messages import TextPart
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S
from tests.servers.messages_api import MessagesApi, NoReply

SLOW_IMPORTS = (
    *("anthropic", "openai", "httpx2", "xllamacpp", "PySide6", "tomlkit", "keyring", "pygments"),
    *("PIL", "pypdfium2", "python_calamine", "striprtf", "chardet"),
)


async def test_a_turn_through_everything(tmp_path: Path) -> None:
    services = await compose(tmp_path / "data", environ={}, default_backend="scripted", secrets=MemorySecrets())
    try:
        assert isinstance(services.announcements, Announcements)
        assert set(services.backends) == {"anthropic", "claude-cli", "openai", "local", "scripted"}
        thread = await services.chat.new_thread()
        outcome = await services.chat.send(thread.id, [TextPart("Hello")])
        assert outcome.failure is None
        assert [summary.thread.id for summary in await services.library.threads()] == [thread.id]
    finally:
        await services.close()
    for path in (tmp_path / "data").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


async def test_900_kb_through_the_scripted_backend(tmp_path: Path) -> None:
    services = await compose(tmp_path, environ={}, default_backend="scripted", secrets=MemorySecrets())
    thread = await services.chat.new_thread()
    outcome = await services.chat.send(thread.id, [TextPart("words and words " * 57_000)])
    await services.close()
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert "180,000" in outcome.failure.message


async def test_an_unknown_backend_at_the_start_leaves_nothing_open(tmp_path: Path) -> None:
    with pytest.raises(UserError, match='"nobody"'):
        await compose(tmp_path, environ={}, default_backend="nobody", secrets=MemorySecrets())


async def test_a_key_stored_later_makes_its_backend_usable(tmp_path: Path) -> None:
    services = await compose(tmp_path, environ={}, secrets=MemorySecrets())
    anthropic = services.backends["anthropic"]
    assert not (await anthropic.availability()).ok
    await services.preferences.set_key("anthropic", "sk-ant-test")
    assert (await anthropic.availability()).ok
    assert (await services.chat.chooser.choose()).backend is anthropic
    await services.close()


def test_composing_imports_no_sdk(tmp_path: Path) -> None:
    program = (
        "import asyncio, pathlib, sys\n"
        "from desktop_app.composition import compose\n"
        "async def main():\n"
        f"    services = await compose(pathlib.Path({str(tmp_path)!r}), environ={{}})\n"
        "    await services.close()\n"
        "asyncio.run(main())\n"
        f"print([name for name in {SLOW_IMPORTS!r} if name in sys.modules])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "[]"


async def test_what_a_connection_is_made_with_can_change_while_it_lives(tmp_path: Path) -> None:
    async with MessagesApi() as first, MessagesApi() as second:
        secrets = MemorySecrets(keys={f"anthropic@{api.root}": "sk-ant-test" for api in (first, second)})
        services = await compose(tmp_path, environ={"HOME": str(tmp_path)}, secrets=secrets)
        try:
            thread = await services.chat.new_thread(backend="anthropic", model="claude-sonnet-5-5")
            for api in (first, second):
                await services.preferences.set_value("backends.anthropic.base_url", api.url)
                outcome = await services.chat.send(thread.id, [TextPart("Hello")])
                assert outcome.failure is None
            assert (len(first.answers), len(second.answers)) == (1, 1)
            await services.preferences.set_values({"backends.anthropic.timeout_s": 1})
            second.script(NoReply())
            outcome = await services.chat.send(thread.id, [TextPart("Hello")])
            assert outcome.failure is not None
            assert "did not answer in time" in outcome.failure.message
            await services.preferences.set_value("backends.local.model_path", str(tmp_path / "mine.gguf"))
            local = services.backends["local"]
            assert local.default_model == "mine"
            assert "mine.gguf is not there" in (await local.availability()).detail
        finally:
            await services.close()
