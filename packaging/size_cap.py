"""Fails when a source file is longer than the cap, or when files grow long in general (DESIGN.md rule 8)."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

CAP = 800
ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Prints the offenders and the median; the exit status says whether there are any."""
    sizes = {path: path.read_text("utf-8").count("\n") for path in (ROOT / "desktop_app").rglob("*.py")}
    too_long = {path: size for path, size in sizes.items() if size > CAP}
    for path, size in too_long.items():
        print(f"{path.relative_to(ROOT)}: {size} lines, the cap is {CAP}: split it by what it owns")
    lengths = sorted(size for size in sizes.values() if size)
    print(
        f"{len(lengths)} files, median {statistics.median(lengths):.0f} lines, "
        f"90th percentile {lengths[int(len(lengths) * 0.9)]}, longest {lengths[-1]}"
    )
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
