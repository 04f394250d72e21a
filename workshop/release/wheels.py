"""Builds the source distribution and the wheels of a release in dist/: `make wheels`.

    python workshop/release/wheels.py                 for all systems
    python workshop/release/wheels.py linux-x86_64    for one of them

Wheels are built from the source distribution, so all have the same files. Zig links them for each
system and processor, without a container, for Linux with the C library of 2012. auditwheel must
accept those for Linux; of the others, the format of the module is checked. All are optimised for
what train.py runs. Equal sources lead to identical files: all dates are the release date, and the
files contain no paths of this computer.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from changelog import newest_release

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()
POLICY = "manylinux_2_17"
"""Oldest supported C library, which CentOS 7, Debian 8 and Ubuntu 14.04 have."""


class System(NamedTuple):
    """An operating system and a processor for which there is a wheel."""

    target: str
    """Rust's name."""
    tag: str
    """The end of the wheel's name."""
    format: bytes = b""
    """Bytes of the module that name its format and processor; empty if auditwheel knows it."""


_MACH_O = b"\xcf\xfa\xed\xfe"
SYSTEMS = {
    "linux-x86_64": System("x86_64-unknown-linux-gnu", f"{POLICY}_x86_64.manylinux2014_x86_64"),
    "linux-aarch64": System("aarch64-unknown-linux-gnu", f"{POLICY}_aarch64.manylinux2014_aarch64"),
    "macos-x86_64": System("x86_64-apple-darwin", "macosx_10_12_x86_64", _MACH_O + b"\7\0\0\1"),
    "macos-aarch64": System("aarch64-apple-darwin", "macosx_11_0_arm64", _MACH_O + b"\14\0\0\1"),
    "windows-x86_64": System("x86_64-pc-windows-gnu", "win_amd64", b"PE\0\0\x64\x86"),
}
PREFIX = ROOT / "workshop" / "release" / "installed" / "data"
"""The folder that pip installs below the prefix: `data` of pyproject.toml, with its wheel name."""
# Built files outside the repository: end of the path, its folder, and the command that builds it.
BUILT = {
    "cellstats/show/page.html": (ROOT / "python", "make web"),
    "share/man/man1/cellstats.1": (PREFIX, "workshop/release/manual.py"),
    "share/doc/cellstats/crates.txt": (PREFIX, "workshop/release/licences.py"),
}


class RefusedError(Exception):
    """A build error, described in one line."""


def main(arguments: Sequence[str]) -> int:
    """Build the requested files; returns 2 if a tool is missing or unknown, 1 after a failure."""
    try:
        missing = list(_missing(arguments or [*SYSTEMS]))
        if missing:
            raise RefusedError("; ".join(missing))
        sdist = _source_distribution()
        source = unpacked(sdist)
        counts = _counts(source)
        for system in [SYSTEMS[name] for name in arguments or SYSTEMS]:
            wheel = _wheel(source, system, counts)
            _check(wheel, system)
            print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    except RefusedError as refusal:
        print(f"workshop/release/wheels.py: {refusal}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"workshop/release/wheels.py: {error.cmd[0]} failed: see above", file=sys.stderr)
        return 1
    return 0


def _missing(names: Sequence[str]) -> Iterator[str]:
    for unknown in sorted({*names} - {*SYSTEMS}):
        yield f"no wheels for {unknown!r}, only for {', '.join(SYSTEMS)}"
    for path, (folder, maker) in BUILT.items():
        if not (folder / path).is_file():
            yield f"{path} is not there: {maker} makes it"
    for tool in ("maturin", "auditwheel", "ziglang"):
        if find_spec(tool) is None:
            yield f"{tool} is not installed: pip install '.[release]'"
    for target in [system.target for name, system in SYSTEMS.items() if name in names]:
        asked = ["rustc", "--print", "target-libdir", "--target", target]
        libraries = Path(subprocess.check_output(asked, text=True).strip())
        if not libraries.is_dir():
            yield f"Rust has no {target}: rustup target add {target}"
    if not _profdata().is_file():
        yield "Rust has no llvm-profdata: rustup component add llvm-tools"


def _profdata() -> Path:
    libraries = subprocess.check_output(["rustc", "--print", "target-libdir"], text=True)
    return Path(libraries.strip()).parent / "bin" / "llvm-profdata"


def _source_distribution() -> Path:
    DIST.mkdir(exist_ok=True)
    _run(ROOT, "maturin", "sdist", "--out", str(DIST))
    return DIST / f"cellstats-{newest_release().version}.tar.gz"


def unpacked(sdist: Path) -> Path:
    """Unpack into the same folder every time, so that cargo can reuse the crates built there."""
    folder = TARGET / "release-source"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with tarfile.open(sdist) as archive:
            members = archive.getmembers()
            # All files of the archive have the release date, so cargo would see no change.
            for member in members:
                member.mtime = time.time()
            # Filters exist from Python 3.11.4 on, and are required from 3.12 on.
            wanted: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            archive.extractall(folder, members, **wanted)
    except FileNotFoundError:
        version = newest_release().version
        raise RefusedError(f"CHANGELOG.md begins with {version}, Cargo.toml has another") from None
    return folder / sdist.name.removesuffix(".tar.gz")


def _counts(source: Path) -> Path:
    """Count how often the training takes each branch of the simulator."""
    folder = TARGET / "counting"
    counts, package = folder / "counts", folder / "python"
    for old in (counts, package):
        shutil.rmtree(old, ignore_errors=True)
    manifest = str(source / "crates" / "python" / "Cargo.toml")
    build = ["cargo", "build", "--release", "--locked", "--manifest-path", manifest]
    _run(source, *build, "--target-dir", str(folder), flags=[f"-Cprofile-generate={counts}"])
    shutil.copytree(source / "python", package)
    shutil.copy(folder / "release" / "lib_native.so", package / "cellstats" / "_native.abi3.so")
    _run(package, sys.executable, str(source / "workshop" / "release" / "train.py"))
    merged = folder / "merged.profdata"
    # The hash tables of pyo3 begin with random numbers, and take little of the time.
    merge = [str(_profdata()), "merge", "--no-function=pyo3", f"--output={merged}", str(counts)]
    _run(folder, *merge)
    return merged


def _wheel(source: Path, system: System, counts: Path) -> Path:
    wheels = f"cellstats-*-{system.tag}.whl"
    for old in DIST.glob(wheels):
        old.unlink()
    options = ["--release", "--locked", "--zig", "--target", system.target]
    # Of other systems, the tag says all.
    options += [] if system.format else ["--compatibility", POLICY]
    build = ["maturin", "build", *options, "--out", str(DIST)]
    _run(source, *build, flags=[f"-Cprofile-use={counts}"])
    built = [*DIST.glob(wheels)]
    if len(built) != 1:
        raise RefusedError(f"maturin built no {wheels}")
    return built[0]


def _check(wheel: Path, system: System) -> None:
    """Check that a wheel runs on Python 3.11 and later on its system, and has all built files."""
    if "-cp311-abi3-" not in wheel.name:
        raise RefusedError(f"{wheel.name} is not for the stable ABI of Python 3.11")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [module] = [name for name in names if name.endswith((".so", ".pyd"))]
        found = module_format(archive.read(module))
    for path in BUILT:
        if not any(name.endswith(path) for name in names):
            raise RefusedError(f"{wheel.name} is without {path}")
    if not system.format:
        _audit(wheel, system)
    elif not found.startswith(system.format):
        raise RefusedError(f"{wheel.name} has a module that begins with {found!r}")


def module_format(module: bytes) -> bytes:
    """The first bytes of a module, on Windows those behind the program for DOS."""
    start = int.from_bytes(module[60:64], "little") if module.startswith(b"MZ") else 0
    return module[start : start + 8]


def _audit(wheel: Path, system: System) -> None:
    """Check that a wheel runs on any Linux with the C library of 2012."""
    shown = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", str(wheel)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    wanted = f'is consistent with the following platform tag: "{system.tag.partition(".")[0]}".'
    if wanted not in " ".join(shown.split()):
        raise RefusedError(f"auditwheel says otherwise than {POLICY}:\n{shown}")


def _run(folder: Path, *command: str, flags: Sequence[str] = ()) -> None:
    released = datetime.fromisoformat(newest_release().date).replace(tzinfo=UTC)
    cargo_home = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    environment = {
        "SOURCE_DATE_EPOCH": str(int(released.timestamp())),
        # Panic messages contain file names of crates, whose folder is replaced.
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(
            [f"--remap-path-prefix={cargo_home}=/cargo", *flags]
        ),
        "CARGO_TARGET_DIR": str(TARGET),
        # maturin starts Zig by this.
        "CARGO_ZIGBUILD_PYTHON_PATH": str(ROOT / "workshop" / "release" / "zig.py"),
        # maturin sets this as well: the module is not linked with a library of Python.
        "PYO3_BUILD_EXTENSION_MODULE": "1",
        # Finds the tools of this interpreter's environment, whether activated or not.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    subprocess.run([*command], cwd=folder, check=True, env={**os.environ, **environment})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
