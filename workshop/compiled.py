"""The tables of the compiled module, from which texts are generated."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "cellstats"
COLUMNS = 100
"""The length of a line of Python."""


def _module() -> Any:
    """The compiled module, loaded without its package, which may contain outdated texts."""
    name = "cellstats._native"
    if name not in sys.modules:
        [file] = PACKAGE.glob("_native*.so")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


NATIVE = _module()
ROWS = NATIVE.parameters()
SCHEMA: dict[str, Any] = json.loads(NATIVE.result_schema())
