"""`python -m cellstats` is the command `cellstats`."""

import sys

from cellstats.cli import main

# Worker processes import this module too, under a name other than `__main__`.
if __name__ == "__main__":
    sys.exit(main())
