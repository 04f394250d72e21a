"""`cellstats sdk`: its directory, make's rules, the tools' names, libmisc, and a program."""

import os
import subprocess
from pathlib import Path

import pytest

import cellstats as cs
import public_programs
from cellstats import UsageError
from cellstats.linux.sdk import lay_out
from cellstats.linux.sdk.embedspu import embed
from cellstats.linux.sdk.libraries import TARGETS
from cellstats.spu.embedding import embedded_object
from command_line import ROOT, cellstats, usage_error
from parts import needs

HELLO = ROOT / "programs" / "samples" / "hello.elf"


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SDK with the libraries for which this computer has compilers."""
    return lay_out(tmp_path_factory.mktemp("laid-out") / "sdk").directory


def make(sdk: Path, place: Path, *words: str) -> str:
    """Run make with an SDK in a directory; returns all that it printed."""
    command = ["make", f"CELL_TOP={sdk}", *words]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tree(place: Path, **files: str) -> Path:
    """Write files, whose names have __ for / and _DOT_ for a dot."""
    for name, text in files.items():
        path = place / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return place


@pytest.fixture
def no_compilers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A PATH without compilers, as on a bare machine."""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


@pytest.mark.usefixtures("no_compilers")
def test_without_compilers_all_but_libraries_is_laid_out(tmp_path: Path) -> None:
    done = lay_out(tmp_path / "sdk")
    assert done.libraries == ()
    for target, line in zip(TARGETS, done.missing, strict=True):
        left_out = f"so {target.library} lacks libmassv.a, libmisc.a,"
        assert f"{target.compiler} is not on the PATH, {left_out}" in line
    for path in (
        *("buildutils/make.footer", "make.footer", "prototype/usr/include/libspe2.h"),
        *("usr/include/libmisc.h", "usr/spu/include/malloc_align.h", "usr/lib/libspe2.so"),
        *("usr/lib/libspe.so", "usr/lib/pkgconfig/libspe2.pc"),
        *("usr/lib64/libspe.so", "usr/lib64/pkgconfig/libspe2.pc"),
    ):
        assert (tmp_path / "sdk" / path).is_file(), path
    for tool in ("ppu-gcc", "ppu32-ar", "spu-objdump", "embedspu", "ppu-embedspu"):
        assert os.access(tmp_path / "sdk" / "usr" / "bin" / tool, os.X_OK)
    assert os.access(tmp_path / "sdk" / "native" / "bin" / "gcc", os.X_OK)


@pytest.mark.usefixtures("no_compilers")
def test_it_is_laid_out_again_and_keeps_what_the_user_added(sdk: Path) -> None:
    own = sdk / "usr" / "include" / "own.h"
    own.write_text("/* mine */\n")
    (sdk / "buildutils" / "make.footer").write_text("broken")
    lay_out(sdk)
    assert own.read_text() == "/* mine */\n"
    assert "PROGRAM_x" in (sdk / "buildutils" / "make.footer").read_text()


def test_other_directories_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("x")
    assert "has other files, which stay as they are" in usage_error("sdk", str(tmp_path / "full"))
    assert "make cannot use a path with blanks" in usage_error("sdk", str(tmp_path / "two words"))
    (tmp_path / "file").write_text("x")
    assert "give a new directory" in usage_error("sdk", str(tmp_path / "file"))


@pytest.mark.usefixtures("no_compilers")
def test_the_command_says_how_to_use_it(tmp_path: Path) -> None:
    done = cellstats("sdk", str(tmp_path / "sdk"))
    assert done.status == 0
    assert done.out == f"export CELL_TOP={tmp_path}/sdk PATH={tmp_path}/sdk/usr/bin:$PATH\n"
    compilers = [line.split()[1] for line in done.err.splitlines()]
    assert compilers == [target.compiler for target in TARGETS]


def test_embedspu_takes_the_arguments_of_the_sdk(tmp_path: Path) -> None:
    narrow, wide = (embedded_object("hello", HELLO.read_bytes(), bits) for bits in (32, 64))
    for words, expected in (
        (["hello"], narrow),
        (["-m32", "-fPIC", "hello"], narrow),
        (["-m64", "hello"], wide),
        (["-m64", "-m32", "hello"], narrow),
    ):
        out = tmp_path / "lib_hello.a"
        embed([*words, str(HELLO), str(out)])
        assert out.read_bytes() == expected
    for words, line in (
        (["hello", str(HELLO)], "2 names instead of 3; usage: embedspu"),
        (["hello", str(tmp_path / "none"), "o"], "cannot read"),
        (["9to5", str(HELLO), "o"], "is no identifier of C"),
    ):
        with pytest.raises(UsageError, match=line):
            embed(words)


@pytest.mark.parametrize(
    ("makefile", "commands"),
    [
        # A program of all sources, with libraries after the objects.
        (
            "PROGRAM_ppu := p\nIMPORTS := -lspe2 -lm\nLDFLAGS := -lmisc -Wl,-q\n",
            ["ppu-gcc -Wl,-q -o p a.o b.o -lmisc -lspe2 -lm"],
        ),
        ("TARGET_PROCESSOR := spu\nPROGRAMS := p\n", ["spu-gcc -o p a.o b.o"]),
        ("PROGRAM_ppu := p\nOBJS := b.o\n", ["ppu-gcc -o p b.o"]),
        # Of several programs, each has its own objects.
        (
            "PROGRAMS_ppu := a b\nOBJS_b := b.o a.o\nIMPORTS_a := -lm\n",
            ["ppu-gcc -o a a.o -lm", "ppu-gcc -o b b.o a.o"],
        ),
        ("PROGRAM_host := p\n", ["gcc -o p a.o b.o"]),
        # 64 bits.
        ("PROGRAM_ppu64 := p\n", ["ppu-gcc -m64 -o p a.o b.o"]),
        ("LIBRARY_ppu64 := lib.a\n", ["ppu-ar -qcs lib.a a.o b.o"]),
        (
            "PROGRAM_spu := p\nLIBRARY_embed := lib.a\nLIBRARY_embed64 := lib64.a\n",
            [
                *("ppu-embedspu -m32 p p p-embed.o", "ppu-ar -qcs lib.a p-embed.o"),
                *("ppu-embedspu -m64 p p p-embed64.o", "ppu-ar -qcs lib64.a p-embed64.o"),
            ],
        ),
        (
            "PROGRAM_spu := my-p\nLIBRARY_embed := lib.a\n",
            ["ppu-embedspu -m32 my_p my-p my-p-embed.o", "ppu-ar -qcs lib.a my-p-embed.o"],
        ),
        ("LIBRARY_spu := lib.a\n", ["spu-ar -qcs lib.a a.o b.o"]),
        ("SHARED_LIBRARY_ppu := lib.so\n", ["ppu-gcc -o lib.so -shared a.o b.o"]),
        ("VPATH := more:other\nPROGRAM_ppu := p\n", ["ppu-gcc -o p a.o b.o c.o"]),
        ("PROGRAM_ppu := p\nOTHER_TARGETS := o\no:\n\tdo-something\n", ["do-something"]),
        (
            "PROGRAM_ppu := p\nINSTALL_DIR := d\nINSTALL_FILES := p\n",
            ["mkdir -p d", "cp -p p d"],
        ),
    ],
)
def test_variables_of_a_makefile(
    sdk: Path, tmp_path: Path, makefile: str, commands: list[str]
) -> None:
    footer = "include $(CELL_TOP)/buildutils/make.footer\n"
    tree(tmp_path, Makefile=makefile + footer, a_DOT_c="", b_DOT_c="", more__c_DOT_c="")
    done = make(sdk, tmp_path, "-n").replace(f"{sdk}/usr/bin/", "")
    lines = [" ".join(line.split()) for line in done.splitlines()]
    for command in commands:
        assert command in lines


def test_flags_of_a_makefile_reach_its_program(sdk: Path, tmp_path: Path) -> None:
    tree(
        tmp_path,
        Makefile="PROGRAMS_ppu := a b\nCC_OPT_LEVEL := -O1\nINCLUDE := -Iown\nCPPFLAGS := -DX\n"
        "CFLAGS := -g\nCFLAGS_gcc := -funroll-loops\nCFLAGS_xlc := -qxlc\nCFLAGS_b := -DB\n"
        "include $(CELL_TOP)/make.footer\n",
        a_DOT_c="",
        b_DOT_c="",
    )
    first, second = (line for line in make(sdk, tmp_path, "-n").splitlines() if " -c " in line)
    for word in ("-O1", "-Iown", "-DX", "-g", "-funroll-loops"):
        assert f" {word} " in first
        assert f" {word} " in second
    assert " -DB " in second
    assert " -DB " not in first
    assert "-qxlc" not in first
    assert " -O3 " in make(sdk, tmp_path, "-n", "CC_OPT_LEVEL=")
    assert " -g -O0 " in make(sdk, tmp_path, "-n", "CC_OPT_LEVEL=CC_OPT_LEVEL_DEBUG")


# A course's directories: the PPE's first, whose Makefile visits the SPE's.
PPE = """
#include <calloc_align.h>
#include <free_align.h>
#include <libmisc.h>
#include <libspe2.h>
#include <realloc_align.h>
#include <stdio.h>
#include <string.h>

extern spe_program_handle_t square_spu;

int main(void)
{
    unsigned int entry = SPE_DEFAULT_ENTRY, log2;
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    int *numbers = malloc_align(32 * sizeof(int), 7), n;
    char *bytes;

    for (n = 0; n < 32; n++)
        numbers[n] = n;
    if (!spe || spe_program_load(spe, &square_spu) ||
        spe_context_run(spe, &entry, 0, numbers, NULL, NULL) < 0)
        return 1;
    printf("%d %d\\n", numbers[1], numbers[31]);
    for (log2 = 0; log2 < 20; log2++) {
        bytes = calloc_align(3, 5, log2);
        if (((unsigned long)bytes & ((1ul << log2) - 1)) || bytes[14])
            return 2;
        memcpy(bytes, "fourteen bytes", 15);
        bytes = _realloc_align(bytes, 100000, log2 + 1);
        if (((unsigned long)bytes & ((2ul << log2) - 1)) || strcmp(bytes, "fourteen bytes"))
            return 3;
        bytes = realloc_align(bytes, 8, 4);
        if (memcmp(bytes, "fourteen", 8))
            return 4;
        _free_align(bytes);
    }
    free_align(NULL);
    if (malloc_align((size_t)-8, 7) || calloc_align(1u << 31, 4, 7) || malloc_align(1, 32))
        return 5;
    free_align(numbers);
    return 0;
}
"""
SPE = """
#include <free_align.h>
#include <libmisc.h>
#include <malloc_align.h>
#include <spu_mfcio.h>
#include <stdio.h>

int main(unsigned long long speid, unsigned long long argp)
{
    int *numbers = _malloc_align(128, 7), n;
    long whole[2] = {1, 2};
    void *address[2] = {NULL, (void *)3};

    /* The PPE's long and pointers may be wider. */
    sscanf("-7 0x2a", "%ld %p", &whole[0], &address[0]);
    printf("%ld %ld %lx %p %p %s\\n", whole[0], whole[1], ~0ul, address[0], address[1], "end");

    mfc_get(numbers, argp, 128, 3, 0, 0);
    mfc_write_tag_mask(1 << 3);
    mfc_read_tag_status_all();
    for (n = 0; n < 32; n++)
        numbers[n] *= numbers[n];
    mfc_put(numbers, argp, 128, 3, 0, 0);
    mfc_read_tag_status_all();
    free_align(numbers);
    return speid == 0;
}
"""
FOOTER = "ifdef CELL_TOP\n  include $(CELL_TOP)/buildutils/make.footer\nendif\n"


@needs("powerpc", "spu")
@pytest.mark.parametrize("width", ["", "64"])
def test_a_course_builds_and_runs_and_is_cleaned(sdk: Path, tmp_path: Path, width: str) -> None:
    tree(
        tmp_path,
        Makefile="DIRS = ppu spu\n" + FOOTER,
        ppu__Makefile=f"DIRS := ../spu\nPROGRAM_ppu{width} := square\n"
        "IMPORTS := ../spu/lib_square_spu.a -lmisc -lspe2 -lpthread\n" + FOOTER,
        ppu__square_DOT_c=PPE,
        spu__Makefile=f"PROGRAM_spu := square_spu\nLIBRARY_embed{width} := lib_square_spu.a\n"
        "IMPORTS := -lmisc\n" + FOOTER,
        spu__square_spu_DOT_c=SPE,
    )
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    make(sdk, tmp_path)
    done = cs.linux.run(tmp_path / "ppu" / "square", capture=True)
    assert (done.status, done.stdout) == (0, b"-7 2 ffffffff 0x2a 0x3 end\n1 961\n")
    assert "Nothing to be done" in make(sdk, tmp_path / "ppu", "programs")
    make(sdk, tmp_path, "clean", "all")
    assert (tmp_path / "ppu" / "square").is_file()
    make(sdk, tmp_path, "clean")
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before


# As generated Makefiles have it: the embedded object replaces the SPU's object.
EMBEDDED = """
main: main.c task.eo
\tppu-gcc $(WIDTH) main.c task.eo -lspe2 -o main
task.eo: task.c
\tspu-gcc -c task.c -o task.eo
\tspu-gcc task.eo -o task
\tembedspu $(WIDTH) task_prog task task.eo
"""
MAIN = """
#include <libspe2.h>
extern spe_program_handle_t task_prog;
int main(void)
{
    spe_context_ptr_t spe = spe_context_create(0, NULL);
    unsigned int entry = SPE_DEFAULT_ENTRY;
    spe_stop_info_t stop;
    spe_program_load(spe, &task_prog);
    spe_context_run(spe, &entry, 0, NULL, NULL, &stop);
    return stop.result.spe_exit_code;
}
"""


@needs("powerpc", "spu")
@pytest.mark.parametrize("width", ["-m32", "-m64"])
def test_an_embedded_object_may_end_in_eo(sdk: Path, tmp_path: Path, width: str) -> None:
    tree(
        tmp_path,
        Makefile=EMBEDDED,
        main_DOT_c=MAIN,
        task_DOT_c="int main(void) { return 42; }\n",
    )
    make(sdk, tmp_path, f"PATH={sdk}/usr/bin:{os.environ['PATH']}", f"WIDTH={width}")
    assert cs.linux.run(tmp_path / "main").status == 42
    subprocess.run([str(sdk / "usr/bin/spu-gcc"), "-c", "task.c"], cwd=tmp_path, check=True)
    with pytest.raises(UsageError, match="link it with spu-elf-gcc first"):
        embed(["task", str(tmp_path / "task.o"), "task.eo"])


def test_the_guide_has_the_list_of_public_programs() -> None:
    listed = list(public_programs.programs(public_programs.LIST.read_text(encoding="utf-8")))
    guide = (ROOT / "linux" / "docs" / "sdk.md").read_text(encoding="utf-8")
    assert public_programs.table(listed) in guide
    for program in listed:
        assert program.missing or (program.make and program.run and program.because), program
