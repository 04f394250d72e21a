"""`cellstats embed` puts an SPU executable into an object file, in the format of embedspu."""

import struct
import subprocess
from pathlib import Path

from cellstats.spu.embedding import IMAGE_ALIGNMENT, embedded_assembly, embedded_object
from command_line import cellstats, usage_error
from elf_files import sections
from parts import needs
from ppe_programs import LIBSPE2

ROOT = Path(__file__).resolve().parents[2]
HELLO = ROOT / "programs" / "samples" / "hello.elf"
IMAGE = HELLO.read_bytes()
COMPILER = "powerpc-linux-gnu-gcc"

# A C program that prints data about its embedded executables.
MAIN = """
#include <libspe2.h>
#include <stdio.h>
extern spe_program_handle_t hello, again;
static void show(const spe_program_handle_t *handle)
{
    const unsigned char *image = handle->elf_image;
    unsigned long sum = 0, n;
    for (n = 0; n < SIZE; n++)
        sum = sum * 31 + image[n];
    printf("%u %lu %d %lu\\n", handle->handle_size, (unsigned long)image % 128,
           handle->toe_shadow != NULL, sum);
}
int main(void)
{
    show(&hello);
    show(&again);
    return 0;
}
"""


def test_the_object_has_the_image_and_a_handle_that_points_to_it() -> None:
    content = embedded_object("hello", IMAGE)
    assert content[:7] == b"\x7fELF\x01\x02\x01"
    relocatable, powerpc = struct.unpack_from(">HH", content, 16)
    assert (relocatable, powerpc) == (1, 20)
    found = sections(content)
    image = found[".rodata.speelf"]
    assert (image.content, image.alignment, image.flags) == (IMAGE, IMAGE_ALIGNMENT, 2)
    place = content.index(IMAGE)
    assert place % IMAGE_ALIGNMENT == 0
    assert found[".data.spehandle"].content == struct.pack(">III", 12, 0, 0)
    names = list(found)
    offset, symbol, addend = struct.unpack(">IIi", found[".rela.data.spehandle"].content)
    # The relocation is R_PPC_ADDR32. Its symbol is the first one: the section of the image.
    assert (offset, symbol, addend) == (4, 1 << 8 | 1, 0)
    assert names[found[".rela.data.spehandle"].info] == ".data.spehandle"
    symbols = [struct.unpack(">IIIBBH", found[".symtab"].content[n : n + 16]) for n in (16, 32)]
    assert [names[symbol[5]] for symbol in symbols] == [".rodata.speelf", ".data.spehandle"]
    assert symbols[1][2:4] == (12, 0x11)
    strings = found[".strtab"].content
    assert strings[symbols[1][0] :] == b"hello\0"
    assert found[".note.GNU-stack"].flags == 0


def test_an_image_of_any_length_lies_where_it_should() -> None:
    # An image may have any length.
    for length in (52, 53, 127, 128, 129):
        image = IMAGE[:length].ljust(length, b"\1")
        found = sections(embedded_object("x", image))
        assert found[".rodata.speelf"].content == image
        assert found[".data.spehandle"].content[:4] == b"\0\0\0\x0c"


def test_the_command_writes_both_kinds(tmp_path: Path) -> None:
    for suffix in ("o", "eo", "s", "S"):
        out = tmp_path / f"hello.{suffix}"
        assert cellstats("embed", "hello", str(HELLO), str(out)) == (0, "", "")
    assert (tmp_path / "hello.o").read_bytes() == embedded_object("hello", IMAGE)
    assert (tmp_path / "hello.eo").read_bytes() == embedded_object("hello", IMAGE)
    assert (tmp_path / "hello.s").read_text() == embedded_assembly("hello", IMAGE)


def test_what_cannot_be_embedded_is_told_in_one_line(tmp_path: Path) -> None:
    out = str(tmp_path / "out.o")

    def told(name: str, file: Path, place: str = out) -> str:
        line = usage_error("embed", name, str(file), place)
        assert not Path(place).exists()
        return line

    assert "'two words' is no identifier of C" in told("two words", HELLO)
    assert "'9to5' is no identifier of C" in told("9to5", HELLO)
    assert "no ELF file" in told("x", Path(__file__))
    (tmp_path / "empty").touch()
    assert "no ELF file" in told("x", tmp_path / "empty")
    (tmp_path / "little").write_bytes(IMAGE[:5] + b"\1" + IMAGE[6:])
    assert "no program of the SPU" in told("x", tmp_path / "little")
    (tmp_path / "object").write_bytes(IMAGE[:16] + b"\0\1" + IMAGE[18:])
    assert "link it with spu-elf-gcc first" in told("x", tmp_path / "object")
    assert "no such file" in told("x", tmp_path / "none")
    assert "end it in .o or .s" in told("x", HELLO, str(tmp_path / "out.elf"))
    assert "no such file or directory" in told("x", HELLO, str(tmp_path / "none" / "out.o"))


def test_the_object_of_a_64_bit_program_has_wide_pointers(tmp_path: Path) -> None:
    content = embedded_object("hello", IMAGE, 64)
    assert content[:7] == b"\x7fELF\x02\x02\x01"
    assert struct.unpack_from(">HH", content, 16) == (1, 21)
    # The handle has padding after its size, and the relocation R_PPC64_ADDR64 is at its pointer.
    handle = struct.pack(">I4xQQ", 24, 0, 0)
    assert handle in content
    assert struct.pack(">QQq", 8, 1 << 32 | 38, 0) in content
    out = tmp_path / "hello.o"
    assert cellstats("embed", "--64", "hello", str(HELLO), str(out)) == (0, "", "")
    assert out.read_bytes() == content


@needs("powerpc")
def test_a_64_bit_linker_takes_object_and_assembly(tmp_path: Path) -> None:
    (tmp_path / "hello.o").write_bytes(embedded_object("hello", IMAGE, 64))
    (tmp_path / "again.s").write_text(embedded_assembly("again", IMAGE, 64))
    (tmp_path / "main.c").write_text(MAIN)
    sources = ("main.c", "hello.o", "again.s", f"-DSIZE={len(IMAGE)}", "-static", "-o", "main")
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wl,--fatal-warnings")
    compiler = "powerpc64-linux-gnu-gcc"
    subprocess.run([compiler, *LIBSPE2, *warnings, *sources], cwd=tmp_path, check=True)
    done = cellstats("run", str(tmp_path / "main"))
    first, second = done[1].splitlines()
    assert (done[0], first) == (0, second)
    assert first.split()[:3] == ["24", "0", "0"]


@needs("powerpc")
def test_a_64_bit_program_runs_it_by_the_shared_library(tmp_path: Path) -> None:
    spe = ROOT / "linux" / "programs" / "hello_spu.elf"
    (tmp_path / "hello.o").write_bytes(embedded_object("hello", spe.read_bytes(), 64))
    (tmp_path / "main.c").write_text(
        "#include <libspe2.h>\n"
        "extern spe_program_handle_t hello;\n"
        "int main(void) {\n"
        "    spe_context_ptr_t spe = spe_context_create(0, 0);\n"
        "    unsigned int entry = SPE_DEFAULT_ENTRY;\n"
        "    spe_program_load(spe, &hello);\n"
        "    return spe_context_run(spe, &entry, 0, (void *)3, (void *)6, 0);\n"
        "}\n"
    )
    sources = (*LIBSPE2, "main.c", "hello.o", "-o", "main")
    library = str(ROOT / "linux" / "root" / "usr" / "lib64" / "libspe2.so.2")
    subprocess.run(["powerpc64-linux-gnu-gcc", *sources, library], cwd=tmp_path, check=True)
    assert cellstats("run", str(tmp_path / "main")) == (0, "hello from SPE 3 of 6\n", "")


@needs("powerpc")
def test_a_powerpc_program_finds_it(tmp_path: Path) -> None:
    (tmp_path / "hello.o").write_bytes(embedded_object("hello", IMAGE))
    (tmp_path / "again.s").write_text(embedded_assembly("again", IMAGE))
    (tmp_path / "main.c").write_text(MAIN)
    sources = ("main.c", "hello.o", "again.s", f"-DSIZE={len(IMAGE)}", "-static", "-o", "main")
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wl,--fatal-warnings")
    subprocess.run([COMPILER, *LIBSPE2, *warnings, *sources], cwd=tmp_path, check=True)
    done = subprocess.run(["qemu-ppc", "./main"], cwd=tmp_path, check=True, capture_output=True)
    total = 0
    for byte in IMAGE:
        total = (total * 31 + byte) % 2**32
    assert done.stdout.decode().splitlines() == [f"12 0 0 {total}"] * 2
