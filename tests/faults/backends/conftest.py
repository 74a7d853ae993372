"""Lets a failed check of a fault say what it saw."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.faults.backends.checks")
