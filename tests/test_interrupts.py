"""Ctrl-C prints nothing, even during the package's first import."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

# A start-up hook for Python, which sends Ctrl-C when the module named by INTERRUPTED is imported.
HOOK = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED"]:
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, Interrupts())
"""
# The script that pip generates for an entry point.
SCRIPT = "import sys\nfrom cellstats.cli import main\nsys.exit(main())\n"
MODULES = [
    "cellstats._native",
    "cellstats.measure.machine",
    "cellstats.core.refusal",
    "cellstats.cli.exit_status",
    "click",
    "cellstats.cli.group",
    "cellstats.cli.matrix_command",
]


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("way", ["-m", "script"])
def test_an_interrupt_while_importing_is_quiet(tmp_path: Path, way: str, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    script = tmp_path / "cellstats"
    script.write_text(SCRIPT, encoding="utf-8")
    ours = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(filter(None, [str(tmp_path), *ours]))
    done = subprocess.run(
        [sys.executable, *(["-m", "cellstats"] if way == "-m" else [str(script)]), "matrix", "-h"],
        env={**os.environ, "PYTHONPATH": path, "INTERRUPTED": module},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_whoever_imports_the_package_keeps_their_handler() -> None:
    code = "import signal, cellstats; print(signal.getsignal(signal.SIGINT).__name__)"
    prepare = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    done = subprocess.run(
        [sys.executable, "-c", prepare + code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "default_int_handler\n"
