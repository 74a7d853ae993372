"""Measures what counting with OpenAI's own vocabulary costs in the estimator's place (docs/decisions/0047).

`python -m tests.benchmarks.vocabulary`; `./dev bench estimator` runs it in a process of its own, so that memory and
loading are those of the vocabulary alone.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final

import psutil

from desktop_app.backends.openai.known_models import TiktokenVocabulary
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.text_features import features, tokens_in_pieces
from desktop_app.core.context.token_counting import TextCounter
from desktop_app.core.model_catalog import OPENAI_MODELS, find_model
from desktop_app.ui.startup.background_imports import GIVE_WAY_S
from tests.benchmarks.texts import SIX, Texts
from tests.benchmarks.tokenizers import MissingTokenizerError, vocabularies

NAME: Final = "o200k_base"
CACHED: Final = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""The file that tiktoken looks for: the SHA-1 of the address it would download from."""

KEYS: Final = 40
SIZE: Final = 900_000


def longest_pause(act: Callable[[], object]) -> float:
    """Milliseconds for which another thread, as the window's, could not run while `act` did."""
    worker = threading.Thread(target=act)
    longest, last = 0.0, time.perf_counter()
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return 1000 * longest


def wall_ms(act: Callable[[], object]) -> float:
    """Milliseconds that the window's thread would be kept, the best of three."""
    times = []
    for _ in range(3):
        before = time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - before))
    return min(times)


def row(name: str, figure: str, asked: str = "") -> None:
    print(f"{name:<72}{figure:>16}{asked:>14}")


def table_of_loading(file: Path) -> Callable[[str], int]:
    """Prints what the vocabulary weighs on disk, in memory and while it is loaded; returns what counts with it."""
    data = file.read_bytes()
    row("file, and zipped (MB)", f"{len(data) / 1e6:.1f}, {len(gzip.compress(data)) / 1e6:.1f}")
    made: list[Callable[[str], int] | None] = []
    vocabulary = TiktokenVocabulary({"TIKTOKEN_CACHE_DIR": str(file.parent)})
    sys.setswitchinterval(GIVE_WAY_S)  # as in the window
    resting = longest_pause(partial(time.sleep, 1))
    began = time.perf_counter()
    model = find_model("openai", "gpt-4o")
    pause = longest_pause(lambda: made.append(asyncio.run(vocabulary.counter(model))))
    took = 1000 * (time.perf_counter() - began)
    (child,) = psutil.Process().children()
    used = child.cpu_times()
    row("memory of its process (MB)", f"{child.memory_info().rss / 1e6:.0f}")
    row("loading, CPU and wall (ms)", f"{1000 * (used.user + used.system):.0f}, {took:.0f}")
    row(
        "longest stop of the window's thread: at rest, while it is loaded (ms)",
        f"{resting:.1f}, {pause:.1f}",
        "limit 4",
    )
    assert made[0] is not None
    return made[0]


def table_of_speed(count_with_it: Callable[[str], int]) -> None:
    """Prints what counting costs beside the estimator's classes."""
    texts = Texts(2)
    for kind in SIX:
        part = texts.text(kind, 3_000, 3_001)
        text = (part * (SIZE // len(part.encode()) + 1)).encode()[:SIZE].decode(errors="ignore")
        mine, its = wall_ms(partial(features, text)), wall_ms(partial(tokens_in_pieces, text, count_with_it))
        row(f"{kind}: a KB, vocabulary and classes (ms)", f"{1000 * its / SIZE:.3f}, {1000 * mine / SIZE:.3f}")
    line = " ".join(texts.text("English", 3_000, 3_001).split())
    line = (line * (100_000 // len(line) + 1))[:100_000]
    by_vocabulary = TextCounter(count_with_it, SecretScan())
    for name, made in (("the vocabulary", by_vocabulary), ("the estimator's classes", TextCounter(scan=SecretScan()))):
        count = made.draft()
        count(line)

        def keys(count: Callable[[str], object] = count) -> None:
            for number in range(KEYS):
                count(line[: SIZE // 20] + "x" * number + line[SIZE // 20 :])

        row(f"a key in a line of 100 KB, by {name} (ms)", f"{wall_ms(keys) / KEYS:.2f}", "< 1")


def named(model: str) -> bool:
    """Whether tiktoken says that this vocabulary is the model's."""
    try:
        return bool(import_module("tiktoken.model").encoding_name_for_model(model) == NAME)
    except KeyError:
        return False


def main() -> int:
    try:
        file = vocabularies() / CACHED
    except MissingTokenizerError as missing:
        print(f"skipped: {missing}")
        return 0
    print(f"\nOpenAI's own vocabulary ({NAME}, tiktoken {version('tiktoken')}) in the estimator's place")
    table_of_speed(table_of_loading(file))
    known = [model.id for model in OPENAI_MODELS if named(model.id)]
    others = [model.id for model in OPENAI_MODELS if model.id not in known]
    row("shipped models of OpenAI whose vocabulary it is said to be", f"{len(known)} of {len(OPENAI_MODELS)}")
    if others:
        print(f"  not: {', '.join(others)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
