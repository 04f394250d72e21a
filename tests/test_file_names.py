"""File names that are not valid text: a name may contain every byte but / and 0, in any locale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.core.words import file_name
from command_line import ROOT
from parts import needs

pytestmark = pytest.mark.skipif(
    sys.platform in ("darwin", "win32"), reason="names of files are text"
)
NO_UTF8 = os.fsdecode(b"k\xff")
# Without these two settings, Python uses UTF-8 even in the C locale.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
# With this setting, invalid text is an error. The C.UTF-8 locale would write the bytes unchanged.
UTF8 = {"PYTHONIOENCODING": "utf-8:strict"}
PATTERN = "phase,source,destination,bytes\n1,0,1,128\n"


def files(directory: Path, stem: str) -> None:
    shutil.copy(ROOT / "machines/ps3.toml", directory / f"{stem}.toml")
    shutil.copy(ROOT / "programs/samples/hello.elf", directory / f"{stem}.elf")
    (directory / f"{stem}.csv").write_text(PATTERN, encoding="utf-8")


@pytest.mark.thirds
@pytest.mark.parametrize(
    ("stem", "locale"),
    [(NO_UTF8, UTF8), (NO_UTF8, ASCII), ("kä", ASCII)],
    ids=["bytes-utf-8", "bytes-ascii", "letters-ascii"],
)
@pytest.mark.parametrize(
    "line",
    [
        "-f mailbox -i 10 --machine {}.toml",
        "-f exchange --pattern {}.csv -i 10",
        "machine show {}.toml",
        "machine diff {}.toml qs20",
        "pattern show {}.csv",
        "place {}.csv --plot {}.svg",
        "sweep dmaget -n 1,2 -i 10 --machine {}.toml --out {}-o.csv --plot {}-p.svg",
        "matrix mailbox -i 10 --machine {}.toml --plot {}-m.svg",
        "trace dmaget --machine {}.toml --out {}-t.json",
        pytest.param("watch couples --machine {}.toml --out {}-w.html", marks=needs("page")),
        "breakdown --machine {}.toml",
        "embed hello {}.elf {}.o",
        "spu {}.elf --memory {}.csv --save-memory {}.bin@0:16 --record {}.json",
        pytest.param("spu {}.elf --trace 10 --watch {}-s.html", marks=needs("page")),
    ],
)
def test_any_file_name_will_do(
    tmp_path: Path, stem: str, locale: dict[str, str], line: str
) -> None:
    files(tmp_path, stem)
    done = subprocess.run(
        [sys.executable, "-m", "cellstats", *(word.format(stem) for word in line.split())],
        cwd=tmp_path,
        env={**os.environ, **locale},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_name_is_shown_as_far_as_it_is_utf_8() -> None:
    assert file_name("mine.toml") == "mine.toml"
    assert file_name(os.fsdecode("kä".encode())) == "kä"
    assert file_name(NO_UTF8) == "k\\xff"
    assert file_name("k\ud800") == "k\\ud800"


@pytest.mark.parametrize("name", ["k\0.toml", "k\ud800.toml"])
def test_what_is_no_name_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(cs.UsageError, match="machine file"):
        cs.machine(name)
