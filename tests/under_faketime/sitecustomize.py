"""Sleeps in another way during `./dev test --hours`: faketime 0.9.10 refuses the call that `time.sleep` makes.

Python reads this module at its start.
"""

from __future__ import annotations

import select
import time
from typing import SupportsIndex


def sleep(seconds: float | SupportsIndex, /) -> None:
    select.select((), (), (), float(seconds))


time.sleep = sleep
