//! The MMU of an MFC, which translates the effective addresses of commands.
//!
//! ```text
//!   effective address ──> SLB (segments of 256 MB) ──> TLB (pages) ──> page table in main memory
//!                            │ miss: interrupt           │ miss: walk by hardware
//! ```
//! A command whose page is not in the TLB waits, and the DMAC selects other commands in the meantime (kistler2006, DMA
//! flow). The MMU adds a page to the TLB when the walk ends.
//!
//! MODEL: the MMU handles one miss at a time, in the order in which they occur. A walk and an interrupt each take the
//! same time always, and take no time of the memory or of the PPE. The SLB replaces the segment that was used longest
//! ago. Without an operating system, it holds all segments. A page that is mapped again while it is in the TLB stays
//! there. The first use of a page by a lock-line command takes no time of its own.

use crate::ea::{self, Target};
use crate::machine::Machine;
use crate::page_table::{AccessKind, BadAddress, PageTable};
use crate::snapshot::Snapshot;
use crate::translation::{Buffer, Page, SEGMENT_BYTES};
use crate::units::BusCycle;
use std::collections::VecDeque;
use std::rc::Rc;

/// The MMU of one MFC.
pub struct Mmu {
    /// The page table of the process; if it is `None`, the machine's own map ([`crate::ea`]) applies.
    pub pages: Option<Rc<PageTable>>,
    tlb: Buffer,
    segments: Buffer,
    /// The page that was used last, if it is certain to be in the TLB.
    last: Page,
    /// The pages that will be added to the TLB, and when, in order of time.
    misses: VecDeque<(Page, BusCycle)>,
}

/// The result of a translation.
pub enum Translated {
    /// The target, and the number of bytes from there to the end of the page or region.
    To(Target, u64),
    /// The translation is missing, and is available at this time.
    At(BusCycle),
}

impl Mmu {
    /// An MMU without translations.
    pub fn new(machine: &Machine) -> Mmu {
        let values = &machine.translation;
        Mmu {
            pages: None,
            tlb: Buffer::new(values.mfc_tlb_entries, values.mfc_tlb_ways),
            segments: Buffer::new(values.segment_entries, values.segment_entries),
            last: Page::NONE,
            misses: VecDeque::new(),
        }
    }

    /// Drops all translations.
    pub fn forget(&mut self, machine: &Machine) {
        *self = Mmu { pages: self.pages.take(), ..Mmu::new(machine) };
    }

    /// Looks up an address in the page table or in the machine's map, without the MMU's buffers. Returns the target
    /// and the number of bytes from there to the end of the region.
    ///
    /// # Errors
    /// See [`BadAddress`].
    pub fn region(&self, ea: u64, kind: AccessKind, machine: &Machine) -> Result<(Target, u64), BadAddress> {
        match &self.pages {
            Some(pages) => pages.region(ea, kind),
            None => ea::region(machine, ea).ok_or(BadAddress::Unmapped(ea)),
        }
    }

    /// Translates an address.
    ///
    /// # Errors
    /// See [`BadAddress`].
    pub fn translate(
        &mut self,
        ea: u64,
        kind: AccessKind,
        now: BusCycle,
        machine: &Machine,
    ) -> Result<Translated, BadAddress> {
        let before = self.free_bytes();
        let (target, left) = self.region(ea, kind, machine)?;
        let is_first_use = self.free_bytes() != before;
        let at = self.available_at(ea, is_first_use, now, machine);
        if at > now {
            return Ok(Translated::At(at));
        }
        let bytes = u64::from(self.page_bytes(ea, machine));
        Ok(Translated::To(target, left.min(bytes - ea % bytes)))
    }

    /// The time at which the translation of an address is available. Looks up the address in the buffers, and begins
    /// to handle a miss.
    pub fn available_at(&mut self, ea: u64, is_first_use: bool, now: BusCycle, machine: &Machine) -> BusCycle {
        let page = Page::of(ea, self.page_bytes(ea, machine));
        if page == self.last { now } else { self.look_up(ea, page, is_first_use, now, machine) }
    }

    fn look_up(&mut self, ea: u64, page: Page, is_first_use: bool, now: BusCycle, machine: &Machine) -> BusCycle {
        while let Some((added, at)) = self.misses.front().copied()
            && at <= now
        {
            self.misses.pop_front();
            self.tlb.add(added);
            self.last = Page::NONE;
        }
        if let Some((_, at)) = self.misses.iter().find(|(missing, _)| *missing == page) {
            return *at;
        }
        let values = &machine.translation;
        let mut takes = 0;
        let segment = Page::of(ea, SEGMENT_BYTES);
        if self.pages.is_some() && !self.segments.holds(segment) {
            self.segments.add(segment);
            takes += machine.bus_cycles_in_ns(values.segment_fault_ns);
        }
        let is_present = self.tlb.holds(page);
        if !is_present {
            takes += values.mfc_walk_bus_cycles;
        }
        if is_first_use {
            takes += machine.bus_cycles_in_ns(values.storage_fault_ns);
        }
        if takes > 0 {
            let at = self.misses.back().map_or(now, |(_, at)| *at) + takes;
            self.misses.push_back((page, at));
            return at;
        }
        if !is_present {
            self.tlb.add(page);
        }
        self.last = page;
        now
    }

    fn page_bytes(&self, ea: u64, machine: &Machine) -> u32 {
        let values = &machine.translation;
        match &self.pages {
            Some(pages) => pages.page_bytes(ea),
            None => values.function_page_bytes,
        }
    }

    fn free_bytes(&self) -> u64 {
        self.pages.as_ref().map_or(0, |pages| pages.free_bytes())
    }

    /// Adds the MMU's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        let Mmu {
            // Programs under an operating system do not mark iterations.
            pages: _,
            tlb,
            segments,
            last,
            misses,
        } = self;
        last.capture(out);
        out.word(misses.len() as u64);
        for (page, at) in misses {
            page.capture(out);
            out.deadline(*at, now);
        }
        tlb.capture(out);
        segments.capture(out);
    }
}
