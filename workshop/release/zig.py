#!/usr/bin/env python3
"""The Python that runs Zig when wheels are linked, without maturin's list of a module's exports.

For Windows, maturin puts the module's name with its package into that list. No function can have
that name, `PyInit_cellstats._native`. Rust's own list, which is linked as well, has the right one.
"""

import os
import sys

kept = [each for each in sys.argv[1:] if not each.endswith("/cellstats._native.def")]
os.execv(sys.executable, [sys.executable, *kept])
