"""The build backend: checks that Rust is installed and new enough, then calls maturin.

Without Rust, maturin would download a whole toolchain. This download takes minutes, may not be
allowed, and is deleted after the build. The backend therefore refuses to build without Rust, with a
one-line error and before any download.

A wheel contains the web page in which the simulator runs. A source distribution includes the page.
In a checkout, `make web` builds the page first, in a separate environment.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# This does not use tomllib, which interpreters too old for CellStats lack: pip may call the backend
# before it checks `requires-python`.
_WANTED = re.compile(r'^rust-version = "(\d+)\.(\d+)"$', re.MULTILINE)
_FOUND = re.compile(r"^cargo (\d+)\.(\d+)")
_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_MANIFEST = _ROOT / "Cargo.toml"
_INSTALLED = _HERE / "installed"


def missing_rust() -> str | None:
    """The problem with this computer's Rust, and the remedy; None if there is no problem."""
    wanted = _version(_WANTED, _MANIFEST.read_text(encoding="utf-8"))
    assert wanted is not None, _MANIFEST
    name = ".".join(map(str, wanted))
    install = f"install Rust {name} or newer, from https://rustup.rs"
    wheels = "or a wheel: pip install --only-binary cellstats cellstats"
    try:
        asked = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return f"Rust is missing, of which CellStats is built; {install}, {wheels}"
    found = _version(_FOUND, asked.stdout)
    if found is None:
        said = (asked.stderr or asked.stdout).strip().partition("\n")[0]
        return f"cargo does not tell its version ({said}); {install}, {wheels}"
    if found < wanted:
        has = ".".join(map(str, found))
        return f"Rust {has} is too old to build CellStats; {install}, {wheels}"
    return None


def _build_page() -> None:
    """Build the web page, or print a warning. Without the page, only `watch` does not work."""
    command = ["make", "--silent", "web", "VENV=target/page", f"PYTHON={sys.executable}"]
    # If make called pip, MAKEFLAGS contains its job server, which this make must not use.
    environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    try:
        built = subprocess.run(command, cwd=_ROOT, env=environment, check=False).returncode == 0
    except OSError:
        built = False
    if not built:
        print("cellstats: the page was not built, and `cellstats watch` needs it", file=sys.stderr)


def _version(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    found = pattern.search(text)
    return (int(found[1]), int(found[2])) if found else None


def _hook(name: str) -> Callable[..., Any]:
    """Make a build hook that checks for Rust, and then calls maturin's hook of this name."""

    def hook(*arguments: Any, **settings: Any) -> Any:
        wrong = missing_rust()
        if wrong is not None:
            # Exits without an exception, whose traceback pip would show.
            sys.exit(f"cellstats: {wrong}")
        import maturin

        # Releases have manual pages and completions here (`manual.py`). maturin requires the
        # folder even if it is empty.
        _INSTALLED.mkdir(exist_ok=True)
        if name == "build_wheel" and (_ROOT / "Makefile").exists():
            _build_page()
        return getattr(maturin, name)(*arguments, **settings)

    return hook


get_requires_for_build_sdist = _hook("get_requires_for_build_sdist")
get_requires_for_build_wheel = _hook("get_requires_for_build_wheel")
get_requires_for_build_editable = _hook("get_requires_for_build_editable")
prepare_metadata_for_build_wheel = _hook("prepare_metadata_for_build_wheel")
prepare_metadata_for_build_editable = _hook("prepare_metadata_for_build_editable")
build_sdist = _hook("build_sdist")
build_wheel = _hook("build_wheel")
build_editable = _hook("build_editable")
