//! System calls for memory.
//!
//! MODEL: a private mapping of a file is a copy, made by `mmap`. Later changes to the file do not appear in the copy.
//! In a real kernel, changes to the file may appear in pages that the program has not written. A shared mapping is
//! also a copy, which is written back at `msync`, `munmap` and the end of the process. Later changes to the file do
//! not appear in a shared mapping either.

use super::caller::{Arguments, Caller, SystemCall};
use crate::errno::Errno;
use crate::hardware::{Access, Hardware, PAGE_BYTES};
use crate::layout::USER_END;
use crate::memory::Mm;
use crate::memory::area::Area;
use crate::memory::backing::Backing;
use crate::memory::mapping::pages;
use crate::memory::space::{Space, whole_pages};
use crate::request::Answer;
use crate::vfs::object::Region;
use std::ops::Range;
use std::rc::Rc;

/// Table rows of the memory calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(45, "brk", 1, |caller| {
        let end = brk(&mut caller.kernel.mm, caller.hardware, caller.request.arguments)?;
        Ok(caller.address(end))
    }),
    SystemCall::new(90, "mmap", 6, |caller| {
        let offset = caller.width().pick(caller.argument(5).into(), caller.request.longs[5]);
        let start = mmap(caller, offset)?;
        Ok(caller.address(start))
    }),
    SystemCall::new(91, "munmap", 2, |caller| {
        munmap(&mut caller.kernel.mm.space, caller.hardware, caller.request.arguments)
    }),
    SystemCall::new(125, "mprotect", 3, |caller| {
        mprotect(&mut caller.kernel.mm.space, caller.hardware, caller.request.arguments)
    }),
    SystemCall::new(144, "msync", 3, |caller| {
        msync(&caller.kernel.mm.space, caller.hardware, caller.request.arguments)
    }),
    SystemCall::new(150, "mlock", 2, |caller| mlock(&caller.kernel.mm.space, caller.request.arguments)),
    SystemCall::new(151, "munlock", 2, |caller| mlock(&caller.kernel.mm.space, caller.request.arguments)),
    SystemCall::new(152, "mlockall", 1, |_| Ok(0)),
    SystemCall::new(153, "munlockall", 0, |_| Ok(0)),
    SystemCall::new(163, "mremap", 5, |caller| {
        let start = mremap(&mut caller.kernel.mm, caller.hardware, caller.request.arguments)?;
        Ok(caller.address(start))
    }),
    SystemCall::new(192, "mmap2", 6, |caller| mmap(caller, u64::from(caller.argument(5)) * MMAP2_UNIT_BYTES)),
    SystemCall::new(205, "madvise", 3, |caller| {
        madvise(&mut caller.kernel.mm.space, caller.hardware, caller.request.arguments)
    }),
    SystemCall::new(206, "mincore", 3, |caller| {
        mincore(&caller.kernel.mm.space, caller.hardware, caller.request.arguments)
    }),
    SystemCall::new(378, "mlock2", 3, |caller| mlock(&caller.kernel.mm.space, caller.request.arguments)),
];

/// Unit of the `mmap2` offset, which does not depend on the page size.
const MMAP2_UNIT_BYTES: u64 = 4096;

const PROT_WRITE: u32 = 2;
const PROT_EXEC: u32 = 4;
/// `flags`
const MAP_TYPE: u32 = 0xf;
const MAP_SHARED: u32 = 1;
const MAP_PRIVATE: u32 = 2;
const MAP_SHARED_VALIDATE: u32 = 3;
const MAP_FIXED: u32 = 0x10;
const MAP_ANONYMOUS: u32 = 0x20;
const MAP_HUGETLB: u32 = 0x4_0000;
const MAP_FIXED_NOREPLACE: u32 = 0x10_0000;
const MREMAP_MAYMOVE: u32 = 1;
const MREMAP_FIXED: u32 = 2;
/// `madvise`
const MADV_DONTNEED: u32 = 4;
/// `msync`
const MS_SYNC: u32 = 4;
const MS_INVALIDATE: u32 = 2;
const MS_ASYNC: u32 = 1;

/// Converts the bits of `prot` to permissions. On PowerPC, a writable or executable page is also readable.
fn access(prot: u32) -> Access {
    Access { read: prot != 0, write: prot & PROT_WRITE != 0, execute: prot & PROT_EXEC != 0 }
}

fn brk(mm: &mut Mm, hardware: &mut dyn Hardware, [wish, ..]: Arguments) -> Answer {
    let heap = mm.space.heap.clone();
    let (Some(old), Some(new)) = (whole_pages(heap.end), whole_pages(wish)) else { return Ok(heap.end) };
    if wish < heap.start || wish > USER_END {
        return Ok(heap.end);
    }
    if new > old {
        let added = old..new;
        let fits = mm.space.is_free(&added) && mm.has_memory_for(new - old);
        if !fits {
            return Ok(heap.end);
        }
        let access = Access { read: true, write: true, execute: true };
        mm.space.map_zeros(hardware, &added, access);
    } else if new < old {
        mm.space.unmap(hardware, &(new..old));
    }
    mm.space.heap.end = wish;
    Ok(wish)
}

/// Number of bytes at the start of a mapped file that are searched for SPE executables.
const SPE_FILE_BYTES_MAX: usize = 16 << 20;

fn mmap(caller: &mut Caller<'_>, offset: u64) -> Answer {
    let [wish, _, prot, flags, descriptor, ..] = caller.request.arguments;
    let bytes = caller.size(1)?;
    let kind = flags & MAP_TYPE;
    if bytes == 0 || !offset.is_multiple_of(PAGE_BYTES.into()) {
        return Err(Errno::EINVAL.into());
    }
    if ![MAP_SHARED, MAP_PRIVATE, MAP_SHARED_VALIDATE].contains(&kind) {
        return Err(Errno::EINVAL.into());
    }
    let access = access(prot);
    let shared = kind != MAP_PRIVATE;
    let backing = if flags & MAP_ANONYMOUS != 0 {
        None
    } else {
        Some(caller.backing(descriptor, Region { offset, bytes, shared, writable: access.write })?)
    };
    if matches!(backing, Some(Backing::Huge)) || backing.is_none() && flags & MAP_HUGETLB != 0 {
        return map_huge(&mut caller.kernel.mm, caller.hardware, (wish, bytes, flags), access, backing.is_some());
    }
    let range = choose_range(&caller.kernel.mm.space, wish, bytes, flags)?;
    match backing {
        Some(backing) => {
            let context = backing.context();
            caller.kernel.mm.space.map_file(caller.hardware, &range, access, (backing, offset));
            context.into_iter().for_each(|number| caller.show_context(number, &range));
            if let Ok(description) = caller.kernel.files.get(descriptor) {
                caller.kernel.mm.space.note_origin(&range, &Rc::from(description.path.as_slice()), offset);
                if context.is_none() {
                    learn_programs(caller, range.start, bytes);
                }
            }
        }
        None if access.write && !caller.kernel.mm.has_memory_for(range.end - range.start) => {
            return Err(Errno::ENOMEM.into());
        }
        None => caller.kernel.mm.space.map_zeros(caller.hardware, &range, access),
    }
    Ok(range.start)
}

/// Notes the SPE executables in a mapped file. Libraries have some in them, and `spe_image_open` maps one that is a file
/// of its own.
fn learn_programs(caller: &mut Caller<'_>, start: u32, bytes: u32) {
    let mut file = vec![0; (bytes as usize).min(SPE_FILE_BYTES_MAX)];
    if caller.hardware.look(start, &mut file).is_ok() {
        caller.kernel.spufs.borrow_mut().learn(&file);
    }
}

/// Maps huge pages. The size of a mapping of a file must be a multiple of a huge page.
fn map_huge(
    mm: &mut Mm,
    hardware: &mut dyn Hardware,
    (wish, bytes, flags): (u32, u32, u32),
    access: Access,
    of_file: bool,
) -> Answer {
    let page = mm.huge_page_bytes;
    let is_fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0;
    if of_file && !bytes.is_multiple_of(page) || is_fixed && !wish.is_multiple_of(page) {
        return Err(Errno::EINVAL.into());
    }
    let size = bytes.checked_next_multiple_of(page).ok_or(Errno::ENOMEM)?;
    if u64::from(size) > hardware.free_bytes() {
        return Err(Errno::ENOMEM.into());
    }
    let range = match is_fixed {
        true => choose_range(&mm.space, wish, size, flags)?,
        false => {
            // A gap that is larger by a huge page contains a range that begins at a multiple of one.
            let gap = mm.space.gap(wish & !(page - 1), size.checked_add(page - PAGE_BYTES).ok_or(Errno::ENOMEM)?);
            let start = gap.ok_or(Errno::ENOMEM)?.next_multiple_of(page);
            start..start + size
        }
    };
    mm.space.map_huge_zeros(hardware, &range, access);
    Ok(range.start)
}

/// Chooses the range of a new mapping.
fn choose_range(space: &Space, wish: u32, bytes: u32, flags: u32) -> Result<Range<u32>, Errno> {
    if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
        let range = pages(wish, bytes)?;
        if flags & MAP_FIXED_NOREPLACE != 0 && !space.is_free(&range) {
            return Err(Errno::EEXIST);
        }
        return Ok(range);
    }
    let size = whole_pages(bytes).ok_or(Errno::ENOMEM)?;
    let start = space.gap(wish & !(PAGE_BYTES - 1), size).ok_or(Errno::ENOMEM)?;
    Ok(start..start + size)
}

fn munmap(space: &mut Space, hardware: &mut dyn Hardware, [start, bytes, ..]: Arguments) -> Answer {
    // For this call, an address range outside the user addresses fails with `EINVAL`.
    let range = pages(start, bytes).map_err(|_| Errno::EINVAL)?;
    space.unmap(hardware, &range);
    Ok(0)
}

fn mprotect(space: &mut Space, hardware: &mut dyn Hardware, [start, bytes, prot, ..]: Arguments) -> Answer {
    if bytes == 0 && start.is_multiple_of(PAGE_BYTES) {
        return Ok(0);
    }
    let range = mapped(space, start, bytes)?;
    space.protect_pages(hardware, &range, access(prot));
    Ok(0)
}

/// Checks that an address range is completely mapped.
fn mapped(space: &Space, start: u32, bytes: u32) -> Result<Range<u32>, Errno> {
    let range = pages(start, bytes)?;
    if space.covers(&range) { Ok(range) } else { Err(Errno::ENOMEM) }
}

fn msync(space: &Space, hardware: &mut dyn Hardware, [start, bytes, flags, ..]: Arguments) -> Answer {
    if flags & !(MS_SYNC | MS_ASYNC | MS_INVALIDATE) != 0 || flags & (MS_SYNC | MS_ASYNC) == MS_SYNC | MS_ASYNC {
        return Err(Errno::EINVAL.into());
    }
    if bytes == 0 {
        return Ok(0);
    }
    let range = mapped(space, start, bytes)?;
    space.write_back(hardware, &range);
    Ok(0)
}

/// Locks memory, which needs no work because memory is never paged out.
fn mlock(space: &Space, [start, bytes, ..]: Arguments) -> Answer {
    let into = start % PAGE_BYTES;
    if bytes == 0 {
        return Ok(0);
    }
    mapped(space, start - into, bytes.checked_add(into).ok_or(Errno::EINVAL)?)?;
    Ok(0)
}

fn madvise(space: &mut Space, hardware: &mut dyn Hardware, [start, bytes, advice, ..]: Arguments) -> Answer {
    if bytes == 0 && start.is_multiple_of(PAGE_BYTES) {
        return Ok(0);
    }
    let range = mapped(space, start, bytes)?;
    if advice == MADV_DONTNEED {
        zero_private(space, hardware, &range);
    }
    Ok(0)
}

/// Fills the private pages in an address range with zeros.
fn zero_private(space: &mut Space, hardware: &mut dyn Hardware, range: &Range<u32>) {
    let within = |(start, area): (u32, &Area)| {
        let part = start.max(range.start)..area.end.min(range.end);
        (part.start < part.end).then_some((part, area.access, area.is_private()))
    };
    let parts: Vec<_> = space.areas().filter_map(within).collect();
    for (part, access, _) in parts.into_iter().filter(|(_, _, private)| *private) {
        space.map_zeros(hardware, &part, access);
    }
}

/// Reports all mapped pages as resident.
fn mincore(space: &Space, hardware: &mut dyn Hardware, [start, bytes, vector, ..]: Arguments) -> Answer {
    let range = mapped(space, start, bytes)?;
    let count = (range.end - range.start) / PAGE_BYTES;
    hardware.write(vector, &vec![1; count as usize])?;
    Ok(0)
}

fn mremap(
    mm: &mut Mm,
    hardware: &mut dyn Hardware,
    [start, old_bytes, new_bytes, flags, target, ..]: Arguments,
) -> Answer {
    let (may_move, fixed) = (flags & MREMAP_MAYMOVE != 0, flags & MREMAP_FIXED != 0);
    if new_bytes == 0 || flags & !(MREMAP_MAYMOVE | MREMAP_FIXED) != 0 || fixed && !may_move {
        return Err(Errno::EINVAL.into());
    }
    let old = pages(start, old_bytes)?;
    let size = whole_pages(new_bytes).ok_or(Errno::ENOMEM)?;
    let access = movable(&mm.space, &old)?;
    if fixed {
        let to = pages(target, size)?;
        if to.start < old.end && old.start < to.end {
            return Err(Errno::EINVAL.into());
        }
        return resize_and_move(&mut mm.space, hardware, old, to, access);
    }
    if resize_in_place(mm, hardware, &old, size, access)? {
        return Ok(start);
    }
    let to = mm.space.gap(0, size).filter(|_| may_move).ok_or(Errno::ENOMEM)?;
    resize_and_move(&mut mm.space, hardware, old, to..to + size, access)
}

/// Checks that an address range can be moved: the range must be part of one private area. Returns its permissions.
fn movable(space: &Space, range: &Range<u32>) -> Result<Access, Errno> {
    let (_, area) = space.at(range.start).ok_or(Errno::EFAULT)?;
    if !area.is_private() {
        return Err(Errno::EINVAL);
    }
    if area.end < range.end { Err(Errno::EFAULT) } else { Ok(area.access) }
}

/// Resizes an address range without moving it, if possible. Returns whether it succeeded.
fn resize_in_place(
    mm: &mut Mm,
    hardware: &mut dyn Hardware,
    old: &Range<u32>,
    size: u32,
    access: Access,
) -> Result<bool, Errno> {
    let old_size = old.end - old.start;
    if size <= old_size {
        mm.space.unmap(hardware, &(old.start + size..old.end));
        return Ok(true);
    }
    if !mm.has_memory_for(size - old_size) {
        return Err(Errno::ENOMEM);
    }
    let Ok(whole) = pages(old.start, size) else { return Ok(false) };
    let added = old.end..whole.end;
    let fits = mm.space.is_free(&added);
    if fits {
        mm.space.map_zeros(hardware, &added, access);
    }
    Ok(fits)
}

fn resize_and_move(
    space: &mut Space,
    hardware: &mut dyn Hardware,
    old: Range<u32>,
    to: Range<u32>,
    access: Access,
) -> Answer {
    let kept = (old.end - old.start).min(to.end - to.start);
    space.unmap(hardware, &to);
    space.move_pages(hardware, &(old.start..old.start + kept), to.start);
    space.unmap(hardware, &(old.start + kept..old.end));
    let added = to.start + kept..to.end;
    if !added.is_empty() {
        space.map_zeros(hardware, &added, access);
    }
    Ok(to.start)
}
