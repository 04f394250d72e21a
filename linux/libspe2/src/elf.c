/* Executables of the SPU: 32-bit big-endian ELF, the byte order of this library's machine.
 *
 * The size of an opened image is known, and all of the image is checked. The handle of a linked-in image
 * has no size, so that image is trusted.
 */
#include "internal.h"

#include <elf.h>
#include <string.h>

#ifndef EM_SPU
#define EM_SPU 23
#endif

static const Elf32_Ehdr *header(const struct spu_image *image)
{
    return (const Elf32_Ehdr *)image->bytes;
}

static int inside(const struct spu_image *image, unsigned long offset, unsigned long bytes)
{
    return offset <= image->size && bytes <= image->size - offset;
}

static const Elf32_Phdr *segments(const struct spu_image *image)
{
    return (const Elf32_Phdr *)(image->bytes + header(image)->e_phoff);
}

/* Whether a segment is within the file and fits into a local store. */
static int fits(const struct spu_image *image, const Elf32_Phdr *segment)
{
    return segment->p_filesz <= segment->p_memsz && segment->p_vaddr <= LOCAL_STORE_BYTES &&
           segment->p_memsz <= LOCAL_STORE_BYTES - segment->p_vaddr &&
           inside(image, segment->p_offset, segment->p_filesz);
}

int spu_image_check(const struct spu_image *image)
{
    const Elf32_Ehdr *elf = header(image);
    int n;

    if (!inside(image, 0, sizeof *elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0)
        return EINVAL;
    if (elf->e_ident[EI_CLASS] != ELFCLASS32 || elf->e_ident[EI_DATA] != ELFDATA2MSB || elf->e_machine != EM_SPU)
        return EINVAL;
    if (elf->e_type != ET_EXEC || elf->e_phentsize != sizeof(Elf32_Phdr) || elf->e_phnum == 0)
        return EINVAL;
    if (!inside(image, elf->e_phoff, elf->e_phnum * sizeof(Elf32_Phdr)))
        return EINVAL;
    for (n = 0; n < elf->e_phnum; n++)
        if (segments(image)[n].p_type == PT_LOAD && !fits(image, &segments(image)[n]))
            return EINVAL;
    return 0;
}

unsigned int spu_image_entry(const struct spu_image *image)
{
    return header(image)->e_entry;
}

int spu_image_segments(const struct spu_image *image, spu_segment segment, void *closure)
{
    int n;

    for (n = 0; n < header(image)->e_phnum; n++) {
        const Elf32_Phdr *at = &segments(image)[n];

        if (at->p_type == PT_LOAD &&
            segment(closure, at->p_vaddr, image->bytes + at->p_offset, at->p_filesz, at->p_memsz))
            return -1;
    }
    return 0;
}

int spu_image_section(const struct spu_image *image, const char *name, unsigned int *address, unsigned int *size)
{
    const Elf32_Ehdr *elf = header(image);
    const Elf32_Shdr *sections = (const Elf32_Shdr *)(image->bytes + elf->e_shoff);
    int n;

    if (!elf->e_shoff || elf->e_shentsize != sizeof *sections || elf->e_shstrndx >= elf->e_shnum)
        return 0;
    if (!inside(image, elf->e_shoff, elf->e_shnum * sizeof *sections))
        return 0;
    for (n = 1; n < elf->e_shnum; n++) {
        unsigned long at = sections[elf->e_shstrndx].sh_offset + sections[n].sh_name;

        if (!inside(image, at, strlen(name) + 1) || strcmp((const char *)image->bytes + at, name) != 0)
            continue;
        *address = sections[n].sh_addr;
        *size = sections[n].sh_size;
        return *address <= LOCAL_STORE_BYTES && *size <= LOCAL_STORE_BYTES - *address;
    }
    return 0;
}
