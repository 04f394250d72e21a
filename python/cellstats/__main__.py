"""`python -m cellstats` is the command `cellstats`."""

import sys

from cellstats.cli import main

sys.exit(main())
