"""What stands in place of a port that can wait: it hangs, raises something, or answers late."""

from __future__ import annotations

import threading
from typing import Any, Final

import keyring.backend


class Panic(BaseException):
    """As libraries below Python raise it: no `Exception`."""


ERRORS: Final = (
    *(OSError("bus"), ConnectionResetError(), TimeoutError(), RuntimeError("x"), UnicodeError(), MemoryError()),
    *(StopIteration(), ZeroDivisionError(), KeyError("x"), SystemExit(9), KeyboardInterrupt(), Panic("rust")),
)
"""What a port may raise; what is no `Exception` ends no command either."""


class WaitingPort:
    """Hangs until `release`, then answers; or raises. Counts the calls."""

    def __init__(self, answer: Any = None, error: BaseException | None = None) -> None:
        self.answer = answer
        self.error = error
        self.asked = 0
        self.late = threading.Event()

    def __call__(self, *_: Any, **__: Any) -> Any:
        self.asked += 1
        if self.error is not None:
            raise self.error
        self.late.wait()
        return self.answer

    def release(self) -> None:
        """Whoever still waits gets the answer, late."""
        self.late.set()


class WaitingKeyring(keyring.backend.KeyringBackend):
    """A keyring whose every answer comes from a port that can wait."""

    # Being defined registers the class: it must never be the one that keyring chooses by itself, in other tests.
    priority = -1.0

    def __init__(self, port: WaitingPort) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.port = port

    def get_password(self, service: str, username: str) -> str | None:
        answer: str | None = self.port(service, username)
        return answer

    def set_password(self, service: str, username: str, password: str) -> None:
        self.port(service, username, password)

    def delete_password(self, service: str, username: str) -> None:
        self.port(service, username)
