"""Collects the licences of the code compiled into wheels: other crates, and Rust's own library.

    python workshop/release/licences.py [DIR]     writes DIR/share/doc/cellstats/

These licences require that their text accompanies the code. All crates are available under the MIT
licence, or under 0BSD, which asks for nothing. The script refuses any crate with another licence,
so that no such crate is added unnoticed.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wheels import PREFIX, ROOT, SYSTEMS, RefusedError

# Rust code in a wheel: the native module, and the simulator in the page.
COMPILED = [("crates/python", system.target) for system in SYSTEMS.values()]
COMPILED += [("page/simulator", "wasm32-unknown-unknown")]
DOCS = "share/doc/cellstats"
RUST = "COPYRIGHT-library.html"
"""Licence texts of Rust's standard library and its contents, from Rust's distribution."""


def crates(ours: str, platform: str) -> Iterator[dict[str, Any]]:
    """The third-party packages linked into one of our crates, from `cargo metadata`."""
    manifest = ROOT / ours / "Cargo.toml"
    asked = ["cargo", "metadata", "--format-version", "1", "--locked"]
    asked += ["--filter-platform", platform, "--manifest-path", str(manifest)]
    said = json.loads(subprocess.check_output(asked, text=True))
    packages = {each["id"]: each for each in said["packages"]}
    uses = {each["id"]: each["deps"] for each in said["resolve"]["nodes"]}
    waiting, seen = [said["resolve"]["root"]], set()
    while waiting:
        package = waiting.pop()
        kinds = {kind for made in packages[package]["targets"] for kind in made["kind"]}
        # Procedural macros and build scripts run only during compilation.
        if package in seen or "proc-macro" in kinds:
            continue
        seen.add(package)
        for used in uses[package]:
            if any(each["kind"] is None for each in used["dep_kinds"]):
                waiting.append(used["pkg"])
    yield from (packages[each] for each in seen if packages[each]["source"])


def licence(crate: dict[str, Any]) -> str:
    """The text of a package's licence, MIT or 0BSD. Raises RefusedError if there is none."""
    name = f"{crate['name']} {crate['version']}"
    words = re.findall(r"[\w.+-]+", crate["license"] or "")
    free = ("MIT" in words and "AND" not in words) or words == ["0BSD"]
    folder = Path(crate["manifest_path"]).parent
    files = ("LICENSE-MIT", "LICENSE", "LICENSE-0BSD.txt")
    texts = [folder / name for name in files if (folder / name).is_file()]
    if not free or not texts:
        raise RefusedError(f"{name} has {crate['license']}, and no text of the MIT licence")
    return texts[0].read_text(encoding="utf-8").strip()


def write(folder: Path) -> Path:
    """Write all licences into one file in a folder; each distinct text appears once."""
    named = {
        (each["name"], each["version"]): licence(each)
        for ours, platform in COMPILED
        for each in crates(ours, platform)
    }
    texts: dict[str, list[str]] = {}
    for (name, version), text in sorted(named.items()):
        texts.setdefault(text, []).append(f"{name} {version}")
    parts = [f"{', '.join(names)}\n\n{text}\n" for text, names in texts.items()]
    head = "CellStats has these crates compiled into it, each under the licence below it:\n"
    path = folder / DOCS / "crates.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join([head, *parts]), encoding="utf-8")
    shutil.copy(_of_rust(), path.with_name("rust-library.html"))
    return path


def _of_rust() -> Path:
    sysroot = Path(subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip())
    path = sysroot / "share" / "doc" / "rust" / RUST
    if not path.is_file():
        raise RefusedError(f"this Rust is without {path}; take one from https://rustup.rs")
    return path


if __name__ == "__main__":
    try:
        print(write(Path(sys.argv[1]) if sys.argv[1:] else PREFIX))
    except RefusedError as refused:
        sys.exit(f"workshop/release/licences.py: {refused}")
