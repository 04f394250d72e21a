"""Output forms of a placement on SPEs. The C code runs with a libspe2 that this test defines."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import cellstats as cs
from cellstats.show.spe_bindings import as_environment, as_libspe2, as_list
from cellstats.show.views import find, names_of

# The libspe2 functions used by the C code. They number contexts and gangs, and print calls.
HEADER = """
typedef struct spe_context *spe_context_ptr_t;
typedef struct spe_gang_context *spe_gang_context_ptr_t;
#define SPE_AFFINITY_MEMORY 0x0020
spe_context_ptr_t spe_context_create_affinity(
    unsigned int flags, spe_context_ptr_t affinity_neighbor, spe_gang_context_ptr_t gang);
int spe_context_destroy(spe_context_ptr_t spe);
spe_gang_context_ptr_t spe_gang_context_create(unsigned int flags);
int spe_gang_context_destroy(spe_gang_context_ptr_t gang);
"""
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
struct spe_context { int number; };
struct spe_gang_context { int number; };
static int contexts, gangs, limit;
spe_context_ptr_t spe_context_create_affinity(
    unsigned int flags, spe_context_ptr_t neighbour, spe_gang_context_ptr_t gang)
{
    spe_context_ptr_t made;
    if (contexts == limit) {
        errno = ENOTSUP;
        return NULL;
    }
    made = malloc(sizeof *made);
    made->number = contexts++;
    printf("create %d %d %d\\n", neighbour ? neighbour->number : -1, gang->number, flags != 0);
    return made;
}
int spe_context_destroy(spe_context_ptr_t spe)
{
    printf("destroy %d\\n", spe->number);
    errno = EINVAL;
    free(spe);
    return 0;
}
spe_gang_context_ptr_t spe_gang_context_create(unsigned int flags)
{
    spe_gang_context_ptr_t made = malloc(sizeof *made);
    made->number = gangs++ + (int) flags;
    return made;
}
int spe_gang_context_destroy(spe_gang_context_ptr_t gang)
{
    printf("gang %d\\n", gang->number);
    free(gang);
    return 0;
}
int main(int argc, char **argv)
{
    spe_gang_context_ptr_t gang[GANGS];
    spe_context_ptr_t context[THREADS];
    int i, result;
    limit = argc > 1 ? atoi(argv[1]) : THREADS;
    result = create_contexts(gang, context);
    printf("result %d\\n", result == 0 ? 0 : errno == ENOTSUP ? -1 : -2);
    for (i = 0; result == 0 && i < THREADS; i++)
        printf("thread %d\\n", context[i]->number);
    return 0;
}
"""
CC = shutil.which("cc")
needs_cc = pytest.mark.skipif(CC is None, reason="no C compiler")


def run(directory: Path, machine: str, placement: list[int], *limit: str) -> list[list[str]]:
    """Run the C code with at most `limit` contexts, and return its calls to libspe2."""
    (directory / "libspe2.h").write_text(HEADER)
    text = as_libspe2(cs.machine(machine), placement)
    (directory / "program.c").write_text(text + PROGRAM)
    strict = ["-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic"]
    command = [str(CC), *strict, "-I", str(directory), str(directory / "program.c"), "-o"]
    subprocess.run([*command, str(directory / "program")], check=True)
    ran = [str(directory / "program"), *limit]
    printed = subprocess.run(ran, check=True, capture_output=True, text=True).stdout
    return [line.split() for line in printed.splitlines()]


def spes_of(lines: list[list[str]], placement: list[int]) -> list[int]:
    """The SPE of each context, in order of creation."""
    made = [int(words[1]) for words in lines if words[0] == "thread"]
    return [placement[made.index(number)] for number in range(len(made))]


def test_a_list_is_what_the_command_takes() -> None:
    machine = cs.machine("ps3")
    text = as_list(machine, (3, 0, 5))
    assert text == "3,0,5"
    machine.check("dmaget", placement=text)


def test_an_environment_binds_thread_i_to_the_ith_number() -> None:
    assert as_environment(cs.machine("ps3"), [3, 0, 5]) == 'GOMP_CPU_AFFINITY="3 0 5"'


@needs_cc
@pytest.mark.parametrize(
    ("machine", "placement"),
    [("ps3", [0]), ("eval-board", [5, 3, 1, 7, 0, 2, 4, 6]), ("qs20", list(range(16)))],
)
def test_the_c_is_correct_on_its_own(tmp_path: Path, machine: str, placement: list[int]) -> None:
    (tmp_path / "libspe2.h").write_text(HEADER)
    (tmp_path / "alone.c").write_text(as_libspe2(cs.machine(machine), placement))
    strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]
    subprocess.run([str(CC), *strict, "-I", str(tmp_path), str(tmp_path / "alone.c")], check=True)


@needs_cc
def test_each_context_is_made_beside_the_one_before_it_on_the_ring(tmp_path: Path) -> None:
    placement = [5, 3, 1, 7, 0, 2, 4, 6]
    lines = run(tmp_path, "eval-board", placement)
    created = [words[1:] for words in lines if words[0] == "create"]
    assert created == [[str(nth - 1), "0", str(int(nth == 0))] for nth in range(8)]
    assert spes_of(lines, placement) == [0, 2, 4, 6, 7, 5, 3, 1]


@needs_cc
def test_each_cell_has_a_gang_and_a_chain(tmp_path: Path) -> None:
    placement = [9, 0, 8, 2]
    lines = run(tmp_path, "qs20", placement)
    created = [words[1:] for words in lines if words[0] == "create"]
    assert created == [["-1", "0", "1"], ["0", "0", "0"], ["-1", "1", "1"], ["2", "1", "0"]]
    assert spes_of(lines, placement) == [0, 2, 8, 9]


@needs_cc
def test_a_cell_without_threads_has_no_gang(tmp_path: Path) -> None:
    lines = run(tmp_path, "qs20", [8, 10])
    assert [words[2] for words in lines if words[0] == "create"] == ["0", "0"]


@needs_cc
def test_what_is_refused_leaves_nothing_behind_and_says_why(tmp_path: Path) -> None:
    lines = run(tmp_path, "qs20", [0, 8, 2, 10], "3")
    after = [" ".join(words) for words in lines if words[0] != "create"]
    made = {"destroy 0", "destroy 1", "destroy 2", "gang 0", "gang 1"}
    assert sorted(after[:-1]) == sorted(made)
    assert after[-1] == "result -1"


@pytest.mark.parametrize(
    ("placement", "order", "memory"),
    [
        ([2, 0], ["SPE0", "SPE2"], True),
        ([3, 1], ["SPE1", "SPE3"], True),  # starts at the other end, also near memory
        ([1, 2, 0], ["SPE0", "SPE2", "SPE1"], True),
        ([6, 2], ["SPE2", "SPE6"], False),
    ],
)
def test_a_chain_begins_beside_memory_if_it_can(
    placement: list[int], order: list[str], memory: bool
) -> None:
    text = as_libspe2(cs.machine("eval-board"), placement)
    assert re.findall(r"/\* (SPE\d)", text) == order
    assert text.count("SPE_AFFINITY_MEMORY") == memory


def test_what_is_left_out_is_said() -> None:
    text = as_libspe2(cs.machine("eval-board"), [0, 6])
    assert "/* SPE6: SPE2, SPE4 left out between SPE0 and it */" in text


@pytest.mark.parametrize("form", names_of("SPE binding"))
@pytest.mark.parametrize(
    ("placement", "words"),
    [
        ([], "name the SPE of each thread"),
        ([0, 7], "SPE 7 is not usable; ps3 has SPEs"),
        ([1, 1], "SPE 1 appears twice"),
        (["x"], "is not a whole number"),
    ],
)
def test_a_placement_that_cannot_be(form: str, placement: list[int], words: str) -> None:
    with pytest.raises(cs.UsageError, match=words) as caught:
        find("SPE binding", form).write(cs.machine("ps3"), placement)
    assert "\n" not in str(caught.value)
