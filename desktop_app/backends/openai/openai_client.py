"""The services and programs that speak chat completions, found again by their address, and the SDK's client for one.

The SDK costs 0.3 to 1 s to import: `connect` is for another thread than the event loop's.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from desktop_app.backends.connection_errors import (
    CONNECT_TIMEOUT_S,
    KEEP_ALIVE_S,
    failure_of_setup,
    is_on_this_computer,
    user_error,
)
from desktop_app.backends.openai.chat_failures import PLAIN, ChatDialect
from desktop_app.backends.response_bodies import ASKED_FOR, BrokenStreamError, bound_body
from desktop_app.core.model_catalog import LOW_TO_HIGH
from desktop_app.core.phrases import phrase

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI, Omit

Facts: TypeAlias = Literal["", "ollama", "lm-studio", "llama.cpp"]
"""Which program of this computer can be asked for more than the list of models."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One service. `base_url` as the SDK takes it; "" for an address of the user's own.

    `default_model`: what is asked for where the user named none ("": the first model that the server lists).
    `hosts` and `port` tell it from its address. `efforts`: levels that are asked of models nobody has told us about.
    `key_begins`: its keys begin so, and no other service's; `key_page`: where one gets a key.
    """

    id: str
    name: str
    base_url: str
    needs_key: bool
    default_model: str = ""
    dialect: ChatDialect = PLAIN
    hosts: tuple[str, ...] = ()
    port: int = 0
    facts: Facts = ""
    efforts: tuple[str, ...] = ()
    key_begins: tuple[str, ...] = ()
    key_page: str = ""


OPENAI: Final = Preset(
    "openai",
    "OpenAI",
    "https://api.openai.com/v1",
    needs_key=True,
    default_model="gpt-6.1-sol",
    # the older name is refused by its reasoning models, and so is a field that it does not know
    dialect=ChatDialect(output_field="max_completion_tokens", system="developer", reasoning_field=""),
    hosts=("api.openai.com",),
    key_begins=("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"),
    key_page="https://platform.openai.com/api-keys",
)

PRESETS: Final[tuple[Preset, ...]] = (
    OPENAI,
    Preset(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        needs_key=True,
        hosts=("api.deepseek.com",),
        key_page="https://platform.deepseek.com/api_keys",
    ),
    Preset(
        "gemini",
        "Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        needs_key=True,
        default_model="gemini-flash-latest",
        dialect=ChatDialect(reasoning_field=""),
        hosts=("generativelanguage.googleapis.com",),
        efforts=LOW_TO_HIGH,
        key_begins=("AIza",),
        key_page="https://aistudio.google.com/apikey",
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        needs_key=True,
        default_model="openrouter/auto",
        dialect=ChatDialect(reasoning_field="reasoning", search="plugins"),
        hosts=("openrouter.ai",),
        key_begins=("sk-or-",),
        key_page="https://openrouter.ai/settings/keys",
    ),
    Preset(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        needs_key=True,
        hosts=("api.groq.com",),
        key_begins=("gsk_",),
        key_page="https://console.groq.com/keys",
    ),
    Preset(
        "mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        needs_key=True,
        default_model="mistral-large-latest",
        hosts=("api.mistral.ai",),
        key_page="https://console.mistral.ai/api-keys",
    ),
    Preset(
        "xai",
        "xAI",
        "https://api.x.ai/v1",
        needs_key=True,
        hosts=("api.x.ai",),
        key_begins=("xai-",),
        key_page="https://console.x.ai",
    ),
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", needs_key=False, port=11434, facts="ollama"),
    Preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", needs_key=False, port=1234, facts="lm-studio"),
    Preset("llama.cpp", "llama.cpp", "http://127.0.0.1:8080/v1", needs_key=False, port=8080, facts="llama.cpp"),
    Preset("custom", phrase("Compatible server"), "", needs_key=False),
)

CUSTOM: Final = PRESETS[-1]


def preset_at(address: str) -> Preset:
    """The preset that an address belongs to: a known host, or the usual port of a program on any computer."""
    if (parts := _split(address)) is None:
        return CUSTOM
    host, port = parts.hostname or "", _port(parts)
    for preset in PRESETS:
        if host in preset.hosts or (preset.port and preset.port == port):
            return preset
    return CUSTOM


def without_path(address: str) -> str:
    """The root of a server, where programs of this computer have services beside the chat completions."""
    parts = _split(address)
    return address if parts is None else parts._replace(path="", query="", fragment="").geturl()


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """An address as the SDK takes it, and the preset it belongs to. `called`: the user's name for it, "" for none."""

    address: str
    preset: Preset
    called: str = ""

    @property
    def name(self) -> str:
        """For people: the user's own, else the service, else host and port."""
        if self.called:
            return self.called
        if self.preset.id != CUSTOM.id:
            return self.preset.name
        parts = _split(self.shown)
        return (parts.netloc if parts else "") or phrase("The server")

    @property
    def shown(self) -> str:
        """The address for people: without a name and password that may stand in it."""
        parts = _split(self.address)
        return self.address if parts is None else parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def here(self) -> bool:
        """True if it is this computer, where answers cost nothing."""
        return is_on_this_computer(self.address)


def place_at(address: str | None, preset: Preset | None = None, called: str | None = None) -> ServerAddress:
    """The place of an address; None: the preset's own, which is OpenAI's where none is named."""
    given = (address or "").strip() or (preset or OPENAI).base_url
    found = preset or preset_at(given)
    return ServerAddress(_with_path(given, found), found, called or "")


def _with_path(address: str, preset: Preset) -> str:
    """The address as the SDK takes it: one of a known service without a path gets the service's own."""
    if (parts := _split(address)) is None or parts.path.strip("/") or not preset.base_url:
        return address
    return parts._replace(path=urlsplit(preset.base_url).path).geturl()


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        return None


NO_KEY: Final = "none"
"""The key that the SDK wants to hold where there is none; it is never sent."""


BESIDE_WAIT_S: Final = 2.0
"""Seconds that a question beside the answers may take: it is about details that are not needed."""


@dataclass(frozen=True, slots=True)
class OpenAiClient:
    """A client for one address with one key ("": none). `headers` go with every request."""

    client: AsyncOpenAI
    http: httpx2.AsyncClient
    key: str = field(repr=False)  # an event loop may log what it passes on
    headers: dict[str, str | Omit]

    async def json(self, method: str, url: str, body: Any = None) -> Any:
        """The parsed answer of a service beside the SDK's; None if it is not there, is slow, or can not be read."""
        import httpx2

        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            response = await self.http.request(method, url, json=body, headers=headers, timeout=BESIDE_WAIT_S)
            return response.json() if response.is_success else None
        except (httpx2.HTTPError, ValueError, RecursionError, BrokenStreamError):
            return None

    async def close(self) -> None:
        await self.client.close()


def connect(place: ServerAddress, key: str, timeout_s: float) -> OpenAiClient:
    """A client that neither retries nor follows redirects; `UserError("config")` if none can be made."""
    import httpx2
    import openai

    # at its level "debug", which a variable of the environment can set, the SDK logs whole requests
    logging.getLogger(openai.__name__).setLevel(logging.WARNING)
    timeout = httpx2.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
    # no proxy stands between this computer and itself, and plain HTTP needs no certificates
    plain = place.here and place.address.startswith("http://")
    try:
        # made here, since the SDK's own leaves a broken object behind when it fails; a redirect would take the key
        # to another host
        http = openai.DefaultAsyncHttpxClient(
            timeout=timeout,
            limits=httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S),
            follow_redirects=False,
            headers=ASKED_FOR,
            event_hooks={"response": [bound_body]},
            trust_env=not plain,
            verify=not plain,
        )
        client = openai.AsyncOpenAI(
            api_key=key or NO_KEY, base_url=place.address, timeout=timeout, max_retries=0, http_client=http
        )
    except (OSError, ValueError, ImportError, httpx2.InvalidURL, openai.OpenAIError) as error:
        raise user_error(failure_of_setup(error)) from error
    if place.preset is not OPENAI:
        # the SDK takes them from the environment; they are nobody else's business
        client.organization = client.project = None
    # both are imported on first use, which would hold the event loop
    used = (client.chat.completions.with_streaming_response, client.models.with_raw_response)
    del used
    return OpenAiClient(client, http, key, {} if key else {"Authorization": openai.Omit()})
