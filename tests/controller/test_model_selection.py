"""Which backend and model a request goes to, and what is said where none fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from desktop_app.backends.backend_protocol import ANY_MODEL, Availability, Backend
from desktop_app.controller.model_selection import LearnedWindows, ModelChooser
from desktop_app.core.errors import TransientError, UserError
from desktop_app.core.messages import Thread
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import BackendSettings, Settings
from tests.controller.world import NoKeys
from tests.fakes.gated_backend import GatedBackend

MISSING = Availability(False, "It is not there. Install it.")


class KeyedBackend(GatedBackend):
    """Usable where the secrets have its key, as the real one."""

    def __init__(self, secrets: NoKeys) -> None:
        super().__init__("anthropic", cost_kind="money")
        self._secrets = secrets

    async def availability(self) -> Availability:
        known = {**self._secrets.environment, **self._secrets.keyring}
        return Availability("anthropic" in known, "Set ANTHROPIC_API_KEY.")


class Taught:
    """Learned windows that are kept in memory."""

    def __init__(self) -> None:
        self.windows: dict[tuple[str, str], int] = {}

    async def learned_windows(self) -> Mapping[tuple[str, str], int]:
        return dict(self.windows)

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None:
        self.windows.pop((backend, model), None)
        if window is not None:
            self.windows[backend, model] = window


class Found:
    """A computer on which some backends are usable."""

    def __init__(self, *usable: str, secrets: NoKeys | None = None) -> None:
        self.taught = Taught()
        self.secrets = secrets or NoKeys()
        self.program, self.local = GatedBackend("claude-cli", cost_kind="plan"), GatedBackend("local")
        self.server = GatedBackend("openai")
        for backend in (self.program, self.local, self.server):
            if backend.name not in usable:
                backend.available = MISSING
        self.backends: Mapping[str, Backend] = {
            "anthropic": KeyedBackend(self.secrets),
            "claude-cli": self.program,
            "openai": self.server,
            "local": self.local,
            "scripted": GatedBackend("scripted"),
        }

    def chooser(self, settings: Settings | None = None, **named: str | bool) -> ModelChooser:
        at_start, interactive = named.get("named_at_start"), bool(named.get("interactive"))
        return ModelChooser(
            self.backends,
            self.secrets,
            lambda: settings or Settings(),
            LearnedWindows(self.taught),
            named_at_start=at_start if isinstance(at_start, str) else None,
            interactive=interactive,
        )


def thread(backend: str | None = None, model: str | None = None) -> Thread:
    return Thread("t", "", "", "", backend=backend, model=model)


@pytest.mark.parametrize(
    ("keys", "usable", "chosen"),
    [
        (NoKeys(environment={"anthropic": "k"}), ("claude-cli", "local"), "anthropic"),
        (NoKeys(keyring={"anthropic": "k"}), ("claude-cli", "local"), "anthropic"),
        (NoKeys(), ("claude-cli", "local"), "claude-cli"),
        (NoKeys(), ("openai", "local"), "openai"),
        (NoKeys(), ("local",), "local"),
    ],
)
async def test_by_itself_the_first_usable_one_is_taken(keys: NoKeys, usable: tuple[str, ...], chosen: str) -> None:
    found = await Found(*usable, secrets=keys).chooser().choose()
    assert (found.backend.name, found.model.id) == (chosen, "big")


async def test_a_server_that_is_added_while_others_are_asked_disturbs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Found("local")
    backends = found.backends = dict(found.backends)

    async def availability() -> Availability:
        backends.setdefault("127.0.0.1:1234", GatedBackend("127.0.0.1:1234"))
        return MISSING

    monkeypatch.setattr(found.server, "availability", availability)
    assert (await found.chooser().choose()).backend.name == "127.0.0.1:1234"


async def test_a_key_in_the_environment_needs_no_keyring() -> None:
    keys = NoKeys(environment={"anthropic": "k"})
    await Found(secrets=keys).chooser().choose()
    assert keys.asked == []


async def test_nothing_set_up_says_what_to_do() -> None:
    with pytest.raises(UserError, match="ANTHROPIC_API_KEY") as caught:
        await Found().chooser().choose()
    assert caught.value.failure.code == "config"
    assert caught.value.failure.actions == ("open_connections",)


async def test_at_a_window_local_is_never_taken_by_itself_but_may_be_named() -> None:
    chooser = Found("local").chooser(interactive=True)
    with pytest.raises(UserError):
        await chooser.choose()
    assert (await chooser.choose(backend="local")).backend.name == "local"
    assert (await chooser.choose(interactive=False)).backend.name == "local"


async def test_the_users_word_wins_in_its_order() -> None:
    settings = Settings(default_backend="scripted")
    found = Found("claude-cli", "local")
    assert (await found.chooser(settings).choose()).backend.name == "scripted"
    started = found.chooser(settings, named_at_start="local")
    assert (await started.choose()).backend.name == "local"
    assert (await started.choose(thread("claude-cli"))).backend.name == "claude-cli"
    assert (await started.choose(thread("claude-cli"), backend="anthropic")).backend.name == "anthropic"


async def test_new_threads_at_a_window_begin_with_what_can_answer_while_their_default_lacks_its_key() -> None:
    keys = NoKeys()
    found = Found("claude-cli", secrets=keys)
    chooser = found.chooser(Settings(default_backend="anthropic"), interactive=True)
    assert (await chooser.choose()).backend.name == "anthropic", "no keyring is waited for"
    assert keys.asked == []
    lacking = await chooser.lacks_key(found.backends["anthropic"])
    assert lacking
    assert (await chooser.choose()).backend.name == "claude-cli"
    assert (await chooser.choose(thread())).backend.name == "claude-cli"
    begun = replace(thread(), tip="a")
    assert (await chooser.choose(begun)).backend.name == "anthropic", "what has begun goes on nowhere else by itself"
    assert (await chooser.choose(thread("anthropic"))).backend.name == "anthropic"
    assert (await chooser.choose(backend="anthropic")).backend.name == "anthropic"
    assert (await chooser.choose(interactive=False)).backend.name == "anthropic", "a command says what is missing"
    chooser.forget_usable()
    assert (await chooser.choose()).backend.name == "claude-cli", "and is not forgotten with every setting"
    found.program.available = MISSING
    chooser.forget_usable()
    assert (await chooser.choose()).backend.name == "anthropic", "with nothing else it says what it needs"
    found.program.available = Availability(True, "")
    keys.keyring["anthropic"] = "k"
    chooser.forget_usable()
    assert (await chooser.choose()).backend.name == "anthropic", "it is the default all the while"


async def test_the_models_order_is_named_thread_setting_default() -> None:
    settings = Settings(backends={"local": BackendSettings(model="small")})
    chooser = Found("local").chooser(settings)
    assert (await chooser.choose()).model.id == "small"
    assert (await chooser.choose(thread("local", "big"))).model.id == "big"
    assert (await chooser.choose(thread("local", "big"), model="small")).model.id == "small"
    # another backend's model means nothing here
    assert (await chooser.choose(thread("claude-cli", "opus"), backend="local")).model.id == "small"


async def test_an_unknown_backend_is_named_and_the_scripted_one_not_offered() -> None:
    with pytest.raises(UserError, match='"gpt"') as caught:
        await Found().chooser().choose(backend="gpt")
    assert caught.value.failure.code == "config"
    assert "claude-cli" in caught.value.failure.message
    assert "scripted" not in caught.value.failure.message


async def test_a_model_known_to_be_absent_is_named() -> None:
    chooser = Found("local").chooser()
    with pytest.raises(UserError, match='"nonsense"') as caught:
        await chooser.choose(backend="local", model="nonsense")
    assert caught.value.failure.code == "config"
    assert (await chooser.choose(backend="local", model="small")).model.id == "small"


async def test_a_backend_that_cannot_be_used_says_why_and_is_asked_once_when_it_can() -> None:
    found = Found("claude-cli")
    chooser = found.chooser()
    with pytest.raises(UserError, match="Install it") as caught:
        await chooser.check_usable(found.local)
    assert caught.value.failure.code == "config"
    await chooser.check_usable(found.program)
    found.program.available = MISSING
    await chooser.check_usable(found.program)
    chooser.forget_usable()
    with pytest.raises(UserError):
        await chooser.check_usable(found.program)


async def test_a_program_without_a_login_is_taken_by_a_command_and_says_what_to_do() -> None:
    computer = Found("local")
    computer.program.available = Availability(False, 'Sign in needed: run "claude" and log in.', found=True)
    chooser = computer.chooser()
    assert (await chooser.choose()).backend.name == "claude-cli"
    with pytest.raises(UserError) as raised:
        await chooser.check_usable(computer.program)
    assert (raised.value.failure.code, raised.value.failure.message) == (
        "auth",
        'Sign in needed: run "claude" and log in.',
    )


async def test_a_command_takes_what_the_window_takes_and_never_a_worse_model_for_a_missing_key() -> None:
    computer = Found("openai", "local")
    computer.program.available = Availability(False, "Not logged in.", found=True)
    for interactive in (True, False):
        assert (await computer.chooser(interactive=interactive).choose()).backend.name == "openai"
    computer.server.available = Availability(False, "harbour needs a key. Add one.", found=True)
    computer.program.available = MISSING
    chooser = computer.chooser()
    chosen = (await chooser.choose()).backend
    assert chosen.name == "openai"
    with pytest.raises(UserError, match="harbour needs a key"):
        await chooser.check_usable(chosen)


async def test_at_the_window_a_program_without_a_login_is_left_to_the_welcome_pane() -> None:
    computer = Found("local")
    computer.program.available = Availability(False, "Sign in needed.", found=True)
    with pytest.raises(UserError) as raised:
        await computer.chooser(interactive=True).choose()
    assert raised.value.failure.code == "config"


class ListingBackend(GatedBackend):
    """Knows its models only once it was asked for its list, as a server at an address of the user's own."""

    def __init__(self, *, listed: tuple[str, ...] = ("served", "other")) -> None:
        super().__init__("openai")
        self.asked = 0
        self._served = listed

    @property
    def default_model(self) -> str:  # type: ignore[override]
        return self._served[0] if self.asked and self._served else ANY_MODEL

    async def models(self) -> Sequence[ModelInfo]:
        self.asked += 1
        if not self._served:
            raise TransientError("network", "It is not there.")
        return tuple(self.model(name) for name in self._served)

    def model(self, model_id: str) -> ModelInfo:
        known = bool(self.asked) and model_id in self._served
        window, source = (9_000, "provider") if known else (32_768, "assumed")
        return ModelInfo(model_id, model_id, window, 1_000, window_source=source)  # type: ignore[arg-type]


async def test_a_server_whose_models_nobody_knows_is_asked_once_for_its_list() -> None:
    computer, server = Found(), ListingBackend()
    computer.backends = {"openai": server}
    chooser = computer.chooser()
    for of_thread in (thread("openai"), thread("openai", ANY_MODEL), thread("openai")):
        choice = await chooser.choose(of_thread)
        assert (choice.model.id, choice.model.window) == ("served", 9_000)
    assert (await chooser.choose(thread("openai", "other"))).model.window == 9_000
    assert server.asked == 1
    # a model that is not on the list is asked for once, too, and taken as the thread has it
    for _ in range(2):
        assert (await chooser.choose(thread("openai", "gone"))).model.window_source == "assumed"
    assert server.asked == 2


async def test_a_server_that_does_not_answer_is_left_to_the_answers_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    computer, server = Found(), ListingBackend(listed=())
    computer.backends = {"openai": server}
    chooser = computer.chooser()
    for _ in range(3):
        assert (await chooser.choose(thread("openai"))).model.id == ANY_MODEL
    assert server.asked == 1
    chooser.forget_usable()
    await chooser.choose(thread("openai"))
    assert server.asked == 2
    # it may have been started since
    monkeypatch.setattr("desktop_app.controller.model_selection.LIST_AGAIN_S", -1.0)
    chooser.forget_usable()
    for asked in (3, 4):
        await chooser.choose(thread("openai"))
        assert server.asked == asked
    # nobody knows better than the user
    assert (await chooser.choose(backend="openai", model="mine")).model.id == "mine"
