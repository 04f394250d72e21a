"""Build musl, the C library of the static Linux programs, from its release for 32-bit PowerPC.

The source is not in the repository. Debian 12 has it, unchanged, in its package musl, 1.2.3-1.
"""

import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

VERSION = "1.2.3"
SHA256 = "7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4"
DEBIAN = ("http://deb.debian.org/debian", "bookworm", "main")
# Debian's compiler uses a long double of 128 bits, which musl does not have for this processor.
FLAGS = (
    *("-mlong-double-64", "-fno-pie", "-fno-asynchronous-unwind-tables"),
    *("-ffunction-sections", "-fdata-sections"),
)


class RefusedError(Exception):
    """The C library cannot be built. The message is one line."""


def download(folder: Path) -> Path:
    """Download the released source with apt-get, without changes to its own settings and lists."""
    if shutil.which("apt-get") is None:
        raise RefusedError(
            f"no apt-get to get musl's source by; give musl-{VERSION}.tar.gz: --musl FILE"
        )
    for name in ("lists/partial", "archives/partial"):
        (folder / name).mkdir(parents=True)
    # The source is verified by its SHA-256 instead of a signature.
    (folder / "sources.list").write_text(f"deb-src [trusted=yes] {' '.join(DEBIAN)}\n")
    (folder / "status").touch()
    settings = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State": folder,
        "Dir::State::Lists": folder / "lists",
        "Dir::State::Status": folder / "status",
        "Dir::Cache": folder,
        "APT::Sandbox::User": "",
        "APT::Update::Error-Mode": "any",
    }
    options = [f"-o{name}={value}" for name, value in settings.items()]
    for asked in (["update"], ["source", "--download-only", "--tar-only", f"musl={VERSION}-1"]):
        done = subprocess.run(
            ["apt-get", "-q", *options, *asked],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            errors = [line[3:] for line in done.stderr.splitlines() if line.startswith("E: ")]
            why = "".join(errors[:1]) or f"ends with {done.returncode}"
            raise RefusedError(
                f"apt-get {asked[0]}: {why.strip()}; or give musl-{VERSION}.tar.gz: --musl FILE"
            )
    return next(folder.glob("musl_*.orig.tar.gz"))


def build(tarball: Path, folder: Path, tools: str) -> Path:
    """Build the library with the compiler TOOLSgcc. Return the compiler that uses the library."""
    try:
        content = tarball.read_bytes()
    except OSError as error:
        raise RefusedError(f"{tarball}: {error.strerror}") from None
    if (found := hashlib.sha256(content).hexdigest()) != SHA256:
        raise RefusedError(
            f"{tarball} is not musl {VERSION} as released: SHA-256 {found}, not {SHA256}"
        )
    with tarfile.open(tarball) as archive:
        archive.extractall(folder, filter="data")
    source, installed = folder / f"musl-{VERSION}", folder / "installed"
    # Pass no other variables: a user's flags would build a different library.
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "CC": f"{tools}gcc",
        "CFLAGS": " ".join(("-Os", *FLAGS)),
    }
    asked = [
        "./configure",
        f"--target={tools.rstrip('-')}",
        f"--prefix={installed}",
        "--disable-shared",
    ]
    for command in (asked, ["make", f"-j{os.cpu_count()}", "install"]):
        done = subprocess.run(
            command, cwd=source, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RefusedError(f"musl: {command[0]} ends with {done.returncode}:\n{done.stderr}")
    return installed / "bin" / "musl-gcc"
