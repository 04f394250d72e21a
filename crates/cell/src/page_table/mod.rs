//! The page table of a process, which translates effective addresses.
//!
//! An entry maps to a frame of main memory, or to a page of an SPE's window (its local store or its problem-state
//! registers). A page of main memory gets a frame, filled with zeros, on its first use. Pages of shared memory are mapped
//! to frames that are already there. The PPE's accesses and the
//! SPEs' DMA commands use the same table, as on the chip.
//!
//! The first use of a page allocates all its frames. The page size of a mapping decides how many of its bytes one entry
//! of a TLB translates.
//!
//! MODEL: the frames of a page that is larger than 4 KB need not be adjacent, and the pages may be mapped and unmapped
//! in part.
//!
//! Sources: CBEA section 11, and PowerPC Operating Environment Architecture, Book III (page attributes).

mod bad_address;
mod frames;

use crate::ea::{PROBLEM_STATE, SPE_WINDOW_BYTES, Target};
use crate::machine::Machine;
use crate::store::Store;
use crate::units::SpeId;
pub use bad_address::BadAddress;
use frames::Frames;
use std::cell::{Cell, RefCell};

/// Smallest size of a page, and the size of a frame.
pub const PAGE_BYTES: u32 = 4096;

const PAGE_SHIFT: u32 = 12;
const PAGES: usize = 1 << (32 - PAGE_SHIFT);
const WINDOW_PAGES: u32 = (SPE_WINDOW_BYTES >> PAGE_SHIFT) as u32;

/// Bits of a page-table entry: permitted accesses, kind of target, and the number of the frame or page in a window.
const READ: u32 = 1;
const WRITE: u32 = 2;
const EXECUTE: u32 = 4;
const ACCESS: u32 = 7;
const KIND: u32 = 3 << 3;
const NO_PAGE: u32 = 0;
const ZERO: u32 = 1 << 3;
const FRAME: u32 = 2 << 3;
const WINDOW: u32 = 3 << 3;
/// Accesses must wait until the page is mapped again.
const AWAY: u32 = 1 << 5;
/// The mapping has huge pages.
const HUGE: u32 = 1 << 6;
const NUMBER_SHIFT: u32 = 8;

/// Permitted accesses to a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Loads.
    pub read: bool,
    /// Stores.
    pub write: bool,
    /// Instruction fetches.
    pub execute: bool,
}

impl Access {
    /// No access.
    pub const NONE: Access = Access { read: false, write: false, execute: false };
    /// Loads and stores.
    pub const DATA: Access = Access { read: true, write: true, execute: false };
    /// Loads, stores and instruction fetches.
    pub const ALL: Access = Access { read: true, write: true, execute: true };

    fn bits(self) -> u32 {
        [(self.read, READ), (self.write, WRITE), (self.execute, EXECUTE)]
            .into_iter()
            .fold(0, |bits, (may, bit)| if may { bits | bit } else { bits })
    }
}

/// The purpose of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// A load, or a DMA command that reads storage.
    Load,
    /// A store, or a DMA command that writes storage.
    Store,
    /// An instruction fetch.
    Fetch,
    /// An access of the operating system itself, which needs no permission.
    Kernel,
}

/// What a page is mapped to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mapping {
    /// Main memory, initially zeros. A frame is allocated on the first use of each page.
    Zero,
    /// The same, in huge pages.
    HugeZero,
    /// An SPE's local store, starting at an offset.
    LocalStore(SpeId, u32),
    /// An SPE's problem-state area, starting at an offset.
    Registers(SpeId, u32),
    /// The problem-state area of a context that is not on an SPE: accesses wait until the area is mapped to an SPE.
    Away,
}

/// The page table of one process.
///
/// The table covers 4 GB. In a 32-bit process, these are all addresses. In a 64-bit process, the upper two of the
/// four gigabytes may be elsewhere: [`PageTable::set_upper`]. The right half of an address identifies its page.
///
/// MODEL: a 64-bit process has 4 GB of addresses. Linux gives it 16 TB.
///
/// A shared reference is sufficient for translation, even though the first use of a page allocates the page's frame.
/// Every change of a mapping increments the generation number, by which owners of copied entries detect that their
/// copies are out of date.
pub struct PageTable {
    entries: Box<[Cell<u32>]>,
    frames: RefCell<Frames>,
    generation: Cell<u64>,
    page_bytes: u32,
    huge_page_bytes: u32,
    /// What [`PageTable::set_upper`] has set.
    upper: Cell<u64>,
}

impl PageTable {
    /// Creates an empty page table for the machine's main memory.
    pub fn new(machine: &Machine) -> PageTable {
        // Frame numbers are 24 bits wide, which is enough for 64 GB of memory.
        let end = (machine.chip.main_memory_bytes >> PAGE_SHIFT).min(1 << 24) as u32;
        PageTable {
            entries: vec![Cell::new(NO_PAGE); PAGES].into_boxed_slice(),
            frames: RefCell::new(Frames::new(end)),
            generation: Cell::new(0),
            page_bytes: machine.translation.page_bytes,
            huge_page_bytes: machine.translation.huge_page_bytes,
            upper: Cell::new(0),
        }
    }

    /// Moves the upper half of the addresses up: `base`, a multiple of 4 GB, is added to the addresses from 2 GB on.
    pub fn set_upper(&self, base: u64) {
        self.changed();
        self.upper.set(base);
    }

    /// The effective address whose right half is `low`.
    #[inline(always)]
    pub fn effective(&self, low: u32) -> u64 {
        effective(self.upper.get(), low)
    }

    /// The right half of an effective address, or `None` if the process has no such address.
    #[inline(always)]
    pub fn low(&self, ea: u64) -> Option<u32> {
        (self.effective(ea as u32) == ea).then_some(ea as u32)
    }

    /// Generation number, which increases with every change of a mapping.
    #[inline(always)]
    pub fn generation(&self) -> u64 {
        self.generation.get()
    }

    /// Total size of the free frames in bytes.
    pub fn free_bytes(&self) -> u64 {
        self.frames.borrow().count_free() << PAGE_SHIFT
    }

    /// Maps the pages of the `bytes` bytes at `ea`, replacing earlier mappings.
    pub fn map(&self, ea: u32, bytes: u32, mapping: Mapping, access: Access, memory: &mut Store) {
        self.unmap(ea, bytes, memory);
        let mut entry = access.bits()
            | match mapping {
                Mapping::Zero => ZERO,
                Mapping::HugeZero => ZERO | HUGE,
                Mapping::LocalStore(spe, offset) => window(spe, offset),
                Mapping::Registers(spe, offset) => window(spe, PROBLEM_STATE as u32 + offset),
                Mapping::Away => NO_PAGE | AWAY,
            };
        let step =
            if matches!(mapping, Mapping::Zero | Mapping::HugeZero | Mapping::Away) { 0 } else { 1 << NUMBER_SHIFT };
        for page in self.pages(ea, bytes) {
            page.set(entry);
            entry += step;
        }
    }

    /// Unmaps the pages of the `bytes` bytes at `ea`. Frees their frames, and fills the frames in `memory` with zeros.
    pub fn unmap(&self, ea: u32, bytes: u32, memory: &mut Store) {
        self.changed();
        let mut frames = self.frames.borrow_mut();
        for page in self.pages(ea, bytes) {
            let entry = page.replace(NO_PAGE);
            if entry & KIND == FRAME {
                free(entry >> NUMBER_SHIFT, &mut frames, memory);
            }
        }
    }

    /// Allocates frames of zeros for `bytes` bytes of shared memory, or none if main memory has too few. The caller is
    /// their first holder.
    pub fn take_frames(&self, bytes: u32) -> Option<Vec<u32>> {
        if u64::from(bytes) > self.free_bytes() {
            return None;
        }
        let mut frames = self.frames.borrow_mut();
        (0..bytes.div_ceil(PAGE_BYTES)).map(|_| frames.take().inspect(|frame| frames.hold(*frame))).collect()
    }

    /// Maps shared memory: one page for each frame. Replaces earlier mappings.
    pub fn map_frames(&self, ea: u32, shared: &[u32], huge: bool, access: Access, memory: &mut Store) {
        let bytes = shared.len() as u32 * PAGE_BYTES;
        self.unmap(ea, bytes, memory);
        let mut frames = self.frames.borrow_mut();
        for (page, frame) in self.pages(ea, bytes).iter().zip(shared) {
            frames.hold(*frame);
            page.set(access.bits() | FRAME | if huge { HUGE } else { 0 } | frame << NUMBER_SHIFT);
        }
    }

    /// Ends the caller's hold of shared memory. A frame is free when no page is mapped to it any more.
    pub fn drop_frames(&self, shared: &[u32], memory: &mut Store) {
        let mut frames = self.frames.borrow_mut();
        shared.iter().for_each(|frame| free(*frame, &mut frames, memory));
    }

    /// Changes the permitted accesses to all mapped pages of the `bytes` bytes at `ea`.
    pub fn protect(&self, ea: u32, bytes: u32, access: Access) {
        self.changed();
        for page in self.pages(ea, bytes).iter().filter(|page| page.get() & (KIND | AWAY) != NO_PAGE) {
            page.set(page.get() & !ACCESS | access.bits());
        }
    }

    /// Marks pages as absent (`away`), so that accesses wait, or as present. Privileged software can access both.
    pub fn set_away(&self, ea: u32, bytes: u32, away: bool) {
        self.changed();
        for page in self.pages(ea, bytes).iter().filter(|page| page.get() & KIND != NO_PAGE) {
            page.set(if away { page.get() | AWAY } else { page.get() & !AWAY });
        }
    }

    /// Moves the pages of `bytes` bytes from one address to another, unmapping the pages there first.
    pub fn move_pages(&self, from: u32, to: u32, bytes: u32, memory: &mut Store) {
        self.unmap(to, bytes, memory);
        for (from, to) in self.pages(from, bytes).iter().zip(self.pages(to, bytes)) {
            to.set(from.replace(NO_PAGE));
        }
    }

    /// Whether a real address is in a frame to which one of the pages of the `bytes` bytes at `ea` is mapped.
    pub fn holds(&self, ea: u32, bytes: u32, real: u64) -> bool {
        let frame = FRAME | ((real >> PAGE_SHIFT) as u32) << NUMBER_SHIFT;
        self.pages(ea, bytes).iter().any(|page| page.get() & !(ACCESS | AWAY | HUGE) == frame)
    }

    /// Whether the page of `ea` is mapped.
    pub fn is_mapped(&self, ea: u32) -> bool {
        self.entries[(ea >> PAGE_SHIFT) as usize].get() & KIND != NO_PAGE
    }

    /// Main-memory address behind `ea`, if the page is used already and may be read.
    pub fn frame(&self, ea: u32) -> Option<u64> {
        let entry = self.entries[(ea >> PAGE_SHIFT) as usize].get();
        let there = entry & KIND == FRAME && entry & READ != 0 && entry & AWAY == 0;
        there.then_some(u64::from(entry >> NUMBER_SHIFT) << PAGE_SHIFT | u64::from(ea & (PAGE_BYTES - 1)))
    }

    /// Whether the page of `ea` is main memory that has not been used yet, and therefore contains zeros.
    pub fn is_unused(&self, ea: u32) -> bool {
        self.entries[(ea >> PAGE_SHIFT) as usize].get() & KIND == ZERO
    }

    /// Translates an address. The first use of a page of main memory allocates the page's frame.
    ///
    /// # Errors
    /// See [`BadAddress`].
    #[inline]
    pub fn translate(&self, ea: u32, kind: AccessKind) -> Result<Target, BadAddress> {
        let page = &self.entries[(ea >> PAGE_SHIFT) as usize];
        let entry = page.get();
        if entry & (KIND | AWAY) == NO_PAGE {
            return Err(BadAddress::Unmapped(ea.into()));
        }
        let permitted = match kind {
            AccessKind::Load => READ,
            AccessKind::Store => WRITE,
            AccessKind::Fetch => EXECUTE,
            AccessKind::Kernel => ACCESS,
        };
        if entry & permitted == 0 && kind != AccessKind::Kernel {
            return Err(BadAddress::Forbidden(ea.into()));
        }
        if entry & AWAY != 0 && (kind != AccessKind::Kernel || entry & KIND == NO_PAGE) {
            return Err(BadAddress::Away(ea.into()));
        }
        let offset = ea & (PAGE_BYTES - 1);
        let number = match entry & KIND {
            ZERO => self.allocate(ea).ok_or(BadAddress::NoMemory(ea.into()))?,
            _ => entry >> NUMBER_SHIFT,
        };
        if entry & KIND != WINDOW {
            return Ok(Target::Memory(u64::from(number) << PAGE_SHIFT | u64::from(offset)));
        }
        let spe = SpeId((number / WINDOW_PAGES) as u8);
        let offset = (number % WINDOW_PAGES) << PAGE_SHIFT | offset;
        Ok(match offset.checked_sub(PROBLEM_STATE as u32) {
            Some(register) => Target::Register(spe, register),
            None => Target::LocalStore(spe, offset),
        })
    }

    /// Allocates the frames of the page that contains an address, and returns the frame of the address.
    #[cold]
    fn allocate(&self, ea: u32) -> Option<u32> {
        let bytes = self.page_bytes(ea.into());
        let huge = self.entries[(ea >> PAGE_SHIFT) as usize].get() & HUGE;
        let mut frames = self.frames.borrow_mut();
        for page in self.pages(ea & !(bytes - 1), bytes) {
            let entry = page.get();
            if entry & (KIND | HUGE) == ZERO | huge
                && let Some(frame) = frames.take()
            {
                page.set(entry & (ACCESS | AWAY | HUGE) | FRAME | frame << NUMBER_SHIFT);
            }
        }
        let entry = self.entries[(ea >> PAGE_SHIFT) as usize].get();
        (entry & KIND == FRAME).then_some(entry >> NUMBER_SHIFT)
    }

    /// Size of the page that contains an address.
    #[inline(always)]
    pub fn page_bytes(&self, ea: u64) -> u32 {
        match self.low(ea).and_then(|low| self.entries.get((low >> PAGE_SHIFT) as usize)) {
            Some(page) if page.get() & HUGE != 0 => self.huge_page_bytes,
            _ => self.page_bytes,
        }
    }

    /// Like [`PageTable::translate`], for a 64-bit address. Also returns the number of bytes up to the page's end.
    ///
    /// # Errors
    /// See [`BadAddress`].
    pub fn region(&self, ea: u64, kind: AccessKind) -> Result<(Target, u64), BadAddress> {
        let address = self.low(ea).ok_or(BadAddress::Unmapped(ea))?;
        let left = u64::from(PAGE_BYTES - address % PAGE_BYTES);
        Ok((self.translate(address, kind)?, left))
    }

    fn pages(&self, ea: u32, bytes: u32) -> &[Cell<u32>] {
        let first = (ea >> PAGE_SHIFT) as usize;
        let end = (u64::from(ea) + u64::from(bytes)).div_ceil(u64::from(PAGE_BYTES)) as usize;
        &self.entries[first..end.clamp(first, PAGES)]
    }

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
    }
}

/// The effective address whose right half is `low`, if `upper` is added to the upper half of the addresses.
#[inline(always)]
pub fn effective(upper: u64, low: u32) -> u64 {
    u64::from(low) | upper & u64::from(low >> 31).wrapping_neg()
}

/// Returns the page-table entry for a page in an SPE's window, without permissions.
fn window(spe: SpeId, offset: u32) -> u32 {
    WINDOW | (u32::from(spe.0) * WINDOW_PAGES + (offset >> PAGE_SHIFT)) << NUMBER_SHIFT
}

/// Frees a frame, unless somebody else holds it.
fn free(frame: u32, frames: &mut Frames, memory: &mut Store) {
    if frames.release(frame) {
        memory.write(u64::from(frame) << PAGE_SHIFT, &[0; PAGE_BYTES as usize]);
    }
}

#[cfg(test)]
mod tests;
