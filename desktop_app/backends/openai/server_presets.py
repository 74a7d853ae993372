"""The services and programs that speak chat completions: pure data, found again by their address. Asks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from desktop_app.backends.connection_errors import is_on_this_computer
from desktop_app.backends.openai.chat_failures import PLAIN, ChatDialect
from desktop_app.core.model_catalog import LOW_TO_HIGH
from desktop_app.core.phrases import phrase

Facts: TypeAlias = Literal["", "ollama", "lm-studio", "llama.cpp"]
"""Which program of this computer can be asked for more than the list of models."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One service. `base_url` as the SDK takes it; "" for an address of the user's own.

    `default_model`: what is asked for where the user named none ("": the first model that the server lists).
    `hosts` and `port` tell it from its address. `efforts`: levels that are asked of models nobody has told us about.
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


OPENAI: Final = Preset(
    "openai",
    "OpenAI",
    "https://api.openai.com/v1",
    needs_key=True,
    default_model="gpt-6.1-sol",
    # the older name is refused by its reasoning models, and so is a field that it does not know
    dialect=ChatDialect(output_field="max_completion_tokens", system="developer", reasoning_field=""),
    hosts=("api.openai.com",),
)

PRESETS: Final[tuple[Preset, ...]] = (
    OPENAI,
    Preset(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        needs_key=True,
        hosts=("api.deepseek.com",),
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
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        needs_key=True,
        default_model="openrouter/auto",
        dialect=ChatDialect(reasoning_field="reasoning", search="plugins"),
        hosts=("openrouter.ai",),
    ),
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", needs_key=False, port=11434, facts="ollama"),
    Preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", needs_key=False, port=1234, facts="lm-studio"),
    Preset("llama.cpp", "llama.cpp", "http://127.0.0.1:8080/v1", needs_key=False, port=8080, facts="llama.cpp"),
    Preset("custom", phrase("Compatible server"), "", needs_key=False),
)

CUSTOM: Final = PRESETS[-1]


def preset_at(address: str) -> Preset:
    """The preset that an address belongs to: a known host, or the usual port of a program on any computer."""
    parts = _split(address)
    if parts is None:
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
    """The place that requests go to: an address as the SDK takes it, and the preset that it belongs to."""

    address: str
    preset: Preset

    @property
    def name(self) -> str:
        """For people: the service, else host and port."""
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


def place_at(address: str | None, preset: Preset | None = None) -> ServerAddress:
    """The place of an address; None: the preset's own, which is OpenAI's where none is named."""
    given = (address or "").strip() or (preset or OPENAI).base_url
    found = preset or preset_at(given)
    return ServerAddress(_with_path(given, found), found)


def _with_path(address: str, preset: Preset) -> str:
    """The address as the SDK takes it: one of a known service without a path gets the service's own."""
    parts = _split(address)
    if parts is None or parts.path.strip("/") or not preset.base_url:
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
