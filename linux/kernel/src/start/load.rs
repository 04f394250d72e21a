//! Loads the segments of a program into memory.

use crate::elf::{Executable, Segment};
use crate::hardware::{Access, Hardware, PAGE_BYTES};
use crate::memory::mapping::next_page;
use crate::memory::space::Space;
use std::rc::Rc;

/// Alignment of position-independent programs: the largest page size of PowerPC kernels.
const ALIGNMENT: u32 = 0x1_0000;

/// A loaded program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// Load offset: the difference between an address in memory and the address in the program's file.
    pub base: u32,
    /// Address of the first instruction.
    pub entry: u32,
    /// TOC pointer at the first instruction, or 0 in a 32-bit program.
    pub toc: u32,
    /// Address of the entry point, which is a descriptor in a 64-bit program.
    pub entry_point: u32,
    /// Address of the program headers, or 0 if they are not loaded.
    pub headers_at: u32,
    /// Number of program headers.
    pub headers: u16,
    /// End address.
    pub end: u32,
}

/// Load offset of a position-independent program.
pub fn base_for(space: &Space, program: &Executable) -> u32 {
    let (first, end) = program.extent();
    let size = next_page(end - first).saturating_add(ALIGNMENT);
    let gap = space.gap(0, size).unwrap_or(ALIGNMENT);
    gap.next_multiple_of(ALIGNMENT).wrapping_sub(first & !(ALIGNMENT - 1))
}

/// Permissions of the stack. The stack of an old program is executable.
pub fn stack_access(program: &Executable) -> Access {
    Access { read: true, write: true, execute: program.executable_stack }
}

/// Loads a program at the addresses in its file plus `base`.
pub fn load(
    space: &mut Space,
    hardware: &mut dyn Hardware,
    (program, path): (&Executable, &Rc<[u8]>),
    base: u32,
) -> Loaded {
    let mut mapped_up_to = 0;
    for segment in &program.segments {
        let segment = Segment { address: segment.address.wrapping_add(base), ..segment.clone() };
        let (first, end) = (segment.address & !(PAGE_BYTES - 1), next_page(segment.address + segment.size));
        if first < mapped_up_to {
            share_page(space, hardware, first, segment.access);
        }
        let rest = first.max(mapped_up_to)..end;
        if !rest.is_empty() {
            space.map_zeros(hardware, &rest, segment.access);
        }
        // An error is ignored here: if main memory is full, the process ends when it uses these bytes.
        let _ = hardware.fill(segment.address, &segment.bytes);
        let from_file = first.max(mapped_up_to)..next_page(segment.address + segment.bytes.len() as u32);
        let before = segment.address.wrapping_sub(from_file.start);
        if !segment.bytes.is_empty() && !from_file.is_empty() {
            space.note_origin(&from_file, path, segment.offset.wrapping_sub(before).into());
        }
        mapped_up_to = end;
    }
    let (_, end) = program.extent();
    let moved = |address: u32| address.wrapping_add(base);
    let headers_at = if program.headers_at == 0 { 0 } else { moved(program.headers_at) };
    let [entry, entry_point, end] = [program.entry, program.entry_point, end].map(moved);
    let toc = if program.toc == 0 { 0 } else { moved(program.toc) };
    Loaded { base, entry, toc, entry_point, headers_at, headers: program.headers, end }
}

/// Adds a segment's permissions to a page that the segment shares with another segment.
fn share_page(space: &mut Space, hardware: &mut dyn Hardware, page: u32, more: Access) {
    let Some((_, area)) = space.at(page) else { return };
    let old = area.access;
    let access =
        Access { read: old.read || more.read, write: old.write || more.write, execute: old.execute || more.execute };
    space.protect_pages(hardware, &(page..page + PAGE_BYTES), access);
}
