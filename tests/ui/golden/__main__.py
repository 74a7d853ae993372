"""`python -m tests.ui.golden` compares; with `--update [NAME...]` it renews the pictures (all, or those named).

A NAME is a picture's (`gallery-gauge-light`) or the beginning of some (`gallery-gauge`, `window`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.ui.golden.comparison import difference, store
from tests.ui.golden.pictures import PICTURES, draw, lacking


def main() -> int:
    """The exit status: 1 where a picture differs, or can't be drawn here and was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.golden", description=__doc__)
    parser.add_argument("--update", action="store_true", help="keep what is drawn now")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    chosen = [one for one in PICTURES if not asked.names or one.name.startswith(tuple(asked.names))]
    if not chosen:
        parser.error(f"no picture's name begins with {' or '.join(asked.names)}")
    missing = [one for one in chosen if lacking(one)]
    chosen = [one for one in chosen if one not in missing]
    for one in missing:
        sys.stdout.write(f"{one.name}: not drawn, {lacking(one)}\n")
    found = 0
    with tempfile.TemporaryDirectory(prefix="golden-out-") as folder:
        out = Path(folder)
        draw(chosen, out)
        for one in chosen:
            drawn = out / one.kept.name
            words = difference(one.kept, drawn) if one.kept.exists() else "new"
            if words is None:
                continue
            found += 1
            sys.stdout.write(f"{one.name}: {words}\n")
            if asked.update:
                store(drawn, one.kept)
    size = sum(one.kept.stat().st_size for one in PICTURES if one.kept.exists())
    done = "renewed" if asked.update else "different"
    sys.stdout.write(f"{found} of {len(chosen)} {done}; all pictures together: {size / 1e6:.2f} MB\n")
    return int(bool(found) and not asked.update)


if __name__ == "__main__":
    sys.exit(main())
