"""The tools of the SDK: what `ppu-gcc` and `spu-gcc` take beyond what today's compilers take."""

import os
import subprocess
from pathlib import Path

import pytest

from cellstats.linux.sdk import lay_out
from parts import needs


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SDK with the libraries for which this computer has compilers."""
    return lay_out(tmp_path_factory.mktemp("laid-out") / "sdk").directory


def test_a_tool_without_its_compiler_says_what_to_install(sdk: Path, tmp_path: Path) -> None:
    for (tool, *words), line in (
        (
            ("ppu-gcc", "-m32"),
            "powerpc-linux-gnu-gcc is not on the PATH; apt install gcc-powerpc-linux-gnu",
        ),
        (
            ("ppu-g++", "-m64"),
            "powerpc64-linux-gnu-g++ is not on the PATH; apt install g++-powerpc64-linux-gnu",
        ),
        (("spu-gcc",), "spu-elf-gcc is not on the PATH; build GCC 9 with newlib for spu-elf"),
    ):
        for name in ("sh", "dirname"):
            (tmp_path / name).unlink(missing_ok=True)
            (tmp_path / name).symlink_to(f"/bin/{name}")
        done = subprocess.run(
            [str(sdk / "usr" / "bin" / tool), *words, "a.c"],
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (127, f"{tool}: {line}\n")


@needs("powerpc", "spu")
def test_tools_take_what_old_makefiles_give(sdk: Path, tmp_path: Path) -> None:
    # Tentative definitions in two files, an inline function of C89, and a library that comes before
    # its user.
    (tmp_path / "main.c").write_text(
        "int shared;\ninline int twice(int n) { return 2 * n; }\n#include <libmisc.h>\n"
        "int main(void) { free_align(malloc_align(twice(8), 4)); return shared; }\n"
    )
    (tmp_path / "more.c").write_text("int shared;\n")
    for tool in ("usr/bin/ppu-gcc", "usr/bin/ppu-gcc -m64", "usr/bin/spu-gcc", "native/bin/gcc"):
        command = [*str(sdk / tool).split(), *("-Werror", "-Wall", "-lmisc", "main.c", "more.c")]
        subprocess.run([*command, "-o", "p"], cwd=tmp_path, check=True)


@needs("spu")
def test_libraries_for_the_spes_may_precede_what_needs_them(sdk: Path, tmp_path: Path) -> None:
    # Of the C library, of the SDK, and the program's own, which needs another library itself.
    (tmp_path / "main.c").write_text(
        "#include <libmisc.h>\ndouble square(double x);\n"
        "int main(int n) { free_align(malloc_align(8, 4)); return square(n); }\n"
    )
    (tmp_path / "square.c").write_text(
        "#include <math.h>\ndouble square(double x) { return pow(x, 2); }\n"
    )
    tool = str(sdk / "usr/bin/spu-gcc")
    for command in (
        [tool, "-c", "square.c"],
        ["spu-elf-ar", "rc", "libsquare.a", "square.o"],
        [tool, "-O3", "-L.", "-lm", "-lmisc", "-lsquare", "main.c", "-o", "p"],
        [tool, "-O3", "-L.", "-l", "m", "-l", "misc", "-l", "square", "main.c", "-o", "p"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)


def test_cpp_for_the_spes_is_linked_without_unused_functions(sdk: Path, tmp_path: Path) -> None:
    for compiler, flags in (("g++", 1), ("gcc", 0)):
        stand_in = tmp_path / f"spu-elf-{compiler}"
        stand_in.write_text('#!/bin/sh\necho "$@" >&2\n')
        stand_in.chmod(0o755)
        done = subprocess.run(
            [str(sdk / "usr" / "bin" / f"spu-{compiler}"), "a.cc"],
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.split().count("-Wl,--gc-sections") == flags
