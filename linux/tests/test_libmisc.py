"""<libmisc.h> of the SDK on both sides; test_sdk.py tests aligned memory."""

import re
import subprocess
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.linux.program import OWN_ROOT
from cellstats.linux.sdk.layout import DATA
from elf_files import exported
from parts import needs
from sdk_programs import compiled_for_linux


@needs("powerpc")
@needs("spu")
def test_limits_extremes_and_copies(tmp_path: Path) -> None:
    program = compiled_for_linux("misc", tmp_path / "misc", "misc")
    done = cs.linux.run(program, capture=True)
    # 0, or the line of the check that failed.
    assert (done.status, done.line, done.stdout) == (0, None, b"PPE 0\nSPE 0 0\n")


@pytest.mark.parametrize("folder", ["lib", "lib64", "lib/powerpc64-linux-gnu"])
def test_the_shared_library_has_what_the_header_declares_for_the_ppe(folder: str) -> None:
    header = (DATA / "both" / "include" / "libmisc.h").read_text().split("#ifdef __SPU__")[0]
    declared = set(re.findall(r"^\w[\w *]*\b(\w+)\(", header, flags=re.MULTILINE))
    assert len(declared) == 26
    assert exported((OWN_ROOT / "usr" / folder / "libmisc.so.1").read_bytes()) == declared


@needs("powerpc")
@pytest.mark.parametrize(("tools", "folder"), [("powerpc", "lib"), ("powerpc64", "lib64")])
def test_an_executable_finds_the_shared_library(tmp_path: Path, tools: str, folder: str) -> None:
    (tmp_path / "p.c").write_text(
        "#include <libmisc.h>\n"
        "int main(void) { free_align(malloc_align(5, 7)); return 42 * clamp_0_to_1(3.0f); }\n"
    )
    library = OWN_ROOT / "usr" / folder / "libmisc.so.1"
    flags = ("-mcpu=cell", "-maltivec", f"-I{DATA / 'both' / 'include'}")
    command = [f"{tools}-linux-gnu-gcc", *flags, "p.c", str(library), "-o", "p"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert cs.linux.run(tmp_path / "p").status == 42
