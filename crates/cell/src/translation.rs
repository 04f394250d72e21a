//! Buffers of translations: the TLB of an MFC, the TLB of the PPE, and its ERATs.

use crate::snapshot::Snapshot;

/// Size of a segment, which the architecture fixes.
pub const SEGMENT_BYTES: u32 = 1 << 28;

/// A page that a buffer can hold: its number, and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page(u64);

impl Page {
    /// No page.
    pub const NONE: Page = Page(0);

    /// The page of `bytes` bytes, a power of two, that contains an effective address.
    #[inline(always)]
    pub fn of(ea: u64, bytes: u32) -> Page {
        let shift = bytes.trailing_zeros();
        Page((ea >> shift) << 8 | u64::from(shift))
    }

    /// Adds the page to a snapshot.
    pub fn capture(self, out: &mut Snapshot) {
        out.word(self.0);
    }

    /// The first effective address of the page.
    pub fn start(self) -> u64 {
        (self.0 >> 8) << (self.0 & 0xff)
    }
}

/// A set-associative buffer of pages. A new page replaces the page of its set that was used longest ago.
///
/// MODEL: the low bits of a page's number select the set, for all page sizes.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The pages, set by set; in each set, those used last come first.
    pages: Vec<Page>,
    ways: usize,
    /// The sets that have held a page, in the order of their first use.
    used: Vec<u32>,
}

impl Buffer {
    /// An empty buffer.
    pub fn new(entries: u32, ways: u32) -> Buffer {
        Buffer { pages: vec![Page::NONE; entries as usize], ways: ways.min(entries) as usize, used: Vec::new() }
    }

    fn set(&self, page: Page) -> usize {
        (page.0 >> 8) as usize % (self.pages.len() / self.ways)
    }

    /// Whether the buffer holds a page. Marks the page as used.
    pub fn holds(&mut self, page: Page) -> bool {
        let first = self.set(page) * self.ways;
        let set = &mut self.pages[first..first + self.ways];
        let found = set.iter().position(|held| *held == page);
        if let Some(found) = found {
            set[..=found].rotate_right(1);
        }
        found.is_some()
    }

    /// Adds a page, and returns the page that it replaces.
    pub fn add(&mut self, page: Page) -> Option<Page> {
        let number = self.set(page);
        let set = &mut self.pages[number * self.ways..][..self.ways];
        if set[0] == Page::NONE {
            self.used.push(number as u32);
        }
        set.rotate_right(1);
        let replaced = std::mem::replace(&mut set[0], page);
        (replaced != Page::NONE).then_some(replaced)
    }

    /// Adds the buffer's pages to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        // The sets that have not been used contain no pages.
        let Buffer { pages, ways, used } = self;
        for set in used {
            out.word(u64::from(*set));
            pages[*set as usize * ways..][..*ways].iter().for_each(|page| out.word(page.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u64) -> Page {
        Page::of(number << 12, 4096)
    }

    #[test]
    fn a_set_holds_as_many_pages_as_it_has_ways_and_drops_the_one_used_longest_ago() {
        let mut buffer = Buffer::new(8, 2);
        assert_eq!([0, 4].map(|number| buffer.add(page(number))), [None; 2]);
        assert!(buffer.holds(page(0)));
        assert_eq!(buffer.add(page(8)), Some(page(4)));
        assert_eq!([0, 4, 8].map(|number| buffer.holds(page(number))), [true, false, true]);
        assert_eq!(buffer.add(page(5)), None, "another set");
    }

    #[test]
    fn pages_of_different_sizes_are_different() {
        let mut buffer = Buffer::new(1, 1);
        buffer.add(Page::of(0x12_3456, 1 << 12));
        assert!(buffer.holds(Page::of(0x12_3000, 1 << 12)) && !buffer.holds(Page::of(0x123_0000, 1 << 16)));
        assert_eq!(Page::of(0x12_3456, 1 << 16).start(), 0x12_0000);
    }
}
