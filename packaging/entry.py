"""The frozen program's first lines: the same entry as the `plimsoll` command."""

import sys

from desktop_app.__main__ import main

sys.exit(main())
