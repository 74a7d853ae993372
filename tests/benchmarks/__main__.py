"""`./dev bench [--check] [name ...] [--option ...]`: runs the benchmarks one after the other, each in its own process.

Each prints what it measured beside the target and the hard limit that PRODUCT names. Options go to each of them.
`--check` runs those that measure a row of PRODUCT.md section 7 as large as that row says, or the named ones of them,
which takes about a quarter of an hour, and exits 1 with the names of the figures that pass twice their hard limit.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.benchmarks.hard_limits import OVER

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))

CONTAINED = frozenset({"caching", "peers"})
"""Only by their own name: what another one runs too, and what downloads other programs."""

CHECKED: Final[Mapping[str, tuple[str, ...]]] = {
    "window": (),
    "backends": ("--sends",),
    "storage": ("--full",),
    "search": ("--messages", "1000000"),
}
"""The benchmarks that measure the rows of PRODUCT.md section 7, with the options that make them as large as it says."""


def main() -> int:
    """Runs the named benchmarks, or all; the exit status is that of the worst."""
    arguments = sys.argv[1:]
    check = "--check" in arguments
    arguments = [word for word in arguments if word != "--check"]
    options = arguments[next((at for at, word in enumerate(arguments) if word.startswith("-")), len(arguments)) :]
    offered = list(CHECKED) if check else NAMES
    wanted = arguments[: len(arguments) - len(options)] or [name for name in offered if name not in CONTAINED]
    unknown = [name for name in wanted if name not in offered]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(offered)}", file=sys.stderr)
        return 2
    if check:
        return checked({name: (*CHECKED[name], *options) for name in wanted})
    status = 0
    for name in wanted:
        print(f"== {name}", flush=True)
        status = max(status, subprocess.run(command(name, options), check=False).returncode)
    return status


def command(name: str, options: Iterable[str]) -> list[str]:
    """What runs a benchmark."""
    return [sys.executable, "-m", f"tests.benchmarks.bench_{name}", *options]


def checked(benchmarks: Mapping[str, Iterable[str]]) -> int:
    """Runs benchmarks with their options; 1 where one of them names a figure, or could not measure."""
    over = []
    for name, options in benchmarks.items():
        print(f"== {name}", flush=True)
        with subprocess.Popen(command(name, options), stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            named = [line for line in map(shown, running.stdout) if line.startswith(OVER)]
        over += [line.rstrip() for line in named]
        if running.returncode and not named:
            over.append(f"{name} ended with status {running.returncode} before all was measured")
    print("", *(over or ["no figure passes twice its hard limit"]), sep="\n", flush=True)
    return int(bool(over))


def shown(line: str) -> str:
    print(line, end="", flush=True)
    return line


if __name__ == "__main__":
    sys.exit(main())
