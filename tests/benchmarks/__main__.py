"""`./dev bench [name ...] [--option ...]`: runs the benchmarks one after the other, each in a process of its own.

Each prints what it measured beside the target and the hard limit that PRODUCT names. Options go to each of them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))

CONTAINED = frozenset({"caching"})
"""Benchmarks that another one runs too: only by their own name."""


def main() -> int:
    """Runs the named benchmarks, or all; the exit status is that of the worst."""
    arguments = sys.argv[1:]
    options = arguments[next((at for at, word in enumerate(arguments) if word.startswith("-")), len(arguments)) :]
    wanted = arguments[: len(arguments) - len(options)] or [name for name in NAMES if name not in CONTAINED]
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    status = 0
    for name in wanted:
        print(f"== {name}", flush=True)
        status = max(
            status,
            subprocess.run([sys.executable, "-m", f"tests.benchmarks.bench_{name}", *options], check=False).returncode,
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
