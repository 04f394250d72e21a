//! Lines of a process whose accesses are known to hit: a table by effective address.
//!
//! What it holds is true within a turn, since nothing else happens then: no page is mapped, no line leaves a cache.  At
//! the next turn's beginning it is out of date as a whole if any of that happened.

use cell::units::LINE_BYTES;

const LINE: u32 = LINE_BYTES as u32;
const LINE_SHIFT: u32 = LINE.trailing_zeros();
/// Lines in the table: more than the L1 holds.
const ENTRIES: usize = 1024;
/// Where the era stands in a tag: left of the line's number.
const ERA: u64 = 1 << (32 - LINE_SHIFT);

/// One line.
#[derive(Clone, Copy, Default)]
struct Line {
    /// The tag, if loads hit the L1; 0 or an old one if not.
    load: u64,
    /// The tag, if the L2 owns the line and nobody else has reserved it.
    store: u64,
    /// Its address in main memory.
    real: u64,
}

/// The table.
pub struct Lines {
    entries: Box<[Line; ENTRIES]>,
    /// The left part of all tags that count.
    era: u64,
    /// Of the page table and of the caches.
    generations: (u64, u64),
    /// Lines that others had reserved or cached for atomic access when the turn began.
    others: Vec<u64>,
    others_now: Vec<u64>,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines {
            entries: Box::new([Line::default(); ENTRIES]),
            era: ERA,
            generations: (0, 0),
            others: Vec::new(),
            others_now: Vec::new(),
        }
    }
}

impl Lines {
    /// Begins a turn: forgets all if something of it may be out of date.
    pub fn begin(&mut self, generations: (u64, u64), others: impl Iterator<Item = u64>) {
        self.others_now.clear();
        self.others_now.extend(others);
        if generations != self.generations || self.others != self.others_now {
            self.era += ERA;
            self.generations = generations;
            std::mem::swap(&mut self.others, &mut self.others_now);
        }
    }

    #[inline(always)]
    fn tag(&self, ea: u32) -> u64 {
        self.era | u64::from(ea >> LINE_SHIFT)
    }

    /// Where in main memory a load of `bytes` at `ea` leads, if it is known to hit.
    #[inline(always)]
    pub fn load(&self, ea: u32, bytes: usize) -> Option<u64> {
        let line = &self.entries[index(ea)];
        (line.load == self.tag(ea)).then(|| line.place(ea, bytes)).flatten()
    }

    /// Where in main memory a store of `bytes` at `ea` leads, if the line is known to be owned.
    #[inline(always)]
    pub fn store(&self, ea: u32, bytes: usize) -> Option<u64> {
        let line = &self.entries[index(ea)];
        (line.store == self.tag(ea)).then(|| line.place(ea, bytes)).flatten()
    }

    /// Loads of the line of `ea` hit; it lies at `real`.
    pub fn loads_hit(&mut self, ea: u32, real: u64) {
        self.entry(ea, real).load = self.tag(ea);
    }

    /// Stores to the line of `ea` hit.
    pub fn stores_hit(&mut self, ea: u32, real: u64) {
        self.entry(ea, real).store = self.tag(ea);
    }

    /// Whether others have the line, who have it no longer after this.
    pub fn taken_from_others(&mut self, line: u64) -> bool {
        let before = self.others.len();
        self.others.retain(|other| *other != line);
        self.others.len() < before
    }

    /// The entry of a line, empty if it was another one's.
    fn entry(&mut self, ea: u32, real: u64) -> &mut Line {
        let real = real & !(LINE_BYTES - 1);
        let entry = &mut self.entries[index(ea)];
        if entry.real != real {
            *entry = Line { real, ..Line::default() };
        }
        entry
    }
}

impl Line {
    #[inline(always)]
    fn place(&self, ea: u32, bytes: usize) -> Option<u64> {
        let offset = ea % LINE;
        (offset as usize + bytes <= LINE as usize).then_some(self.real | u64::from(offset))
    }
}

#[inline(always)]
fn index(ea: u32) -> usize {
    (ea >> LINE_SHIFT) as usize % ENTRIES
}
