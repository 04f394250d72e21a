//! The address space of a process: its areas, and the gaps between them.

use super::area::Area;
use crate::hardware::{Access, PAGE_BYTES};
use crate::layout::{Layout, USER_END, USER_START};
use std::collections::BTreeMap;
use std::ops::Range;

/// The areas, ordered by their first addresses.
#[derive(Default)]
pub struct Space {
    areas: BTreeMap<u32, Area>,
    /// The heap. `brk` moves its end.
    pub heap: Range<u32>,
    /// Where mappings without a requested address are placed.
    pub layout: Layout,
}

impl Space {
    /// The area that contains an address, and the area's first address.
    pub fn at(&self, ea: u32) -> Option<(u32, &Area)> {
        let (start, area) = self.areas.range(..=ea).next_back()?;
        (ea < area.end).then_some((*start, area))
    }

    /// All areas in order of address.
    pub fn areas(&self) -> impl Iterator<Item = (u32, &Area)> {
        self.areas.iter().map(|(start, area)| (*start, area))
    }

    /// Whether an address range is completely mapped.
    pub fn covers(&self, range: &Range<u32>) -> bool {
        let mut at = range.start;
        while at < range.end {
            match self.at(at) {
                Some((_, area)) => at = area.end,
                None => return false,
            }
        }
        true
    }

    /// Whether an address range is completely unmapped.
    pub fn is_free(&self, range: &Range<u32>) -> bool {
        let before = self.areas.range(..range.end).next_back();
        before.is_none_or(|(_, area)| area.end <= range.start)
    }

    /// Finds a gap of this size. The gap is at `wish` if that range is free, and otherwise as high as possible.
    pub fn gap(&self, wish: u32, bytes: u32) -> Option<u32> {
        let wished = wish.checked_add(bytes).map(|end| wish..end);
        if let Some(wished) = wished.filter(|range| is_user(range) && wish != 0 && self.is_free(range)) {
            return Some(wished.start);
        }
        let Space { layout, .. } = self;
        self.highest_gap(layout.mappings_end(), bytes).or_else(|| self.highest_gap(layout.stack_end(), bytes))
    }

    fn highest_gap(&self, below: u32, bytes: u32) -> Option<u32> {
        let mut top = below;
        for (start, area) in self.areas.range(..below).rev() {
            if area.end <= top && top - area.end >= bytes {
                break;
            }
            top = top.min(*start);
        }
        top.checked_sub(bytes).filter(|start| *start >= USER_START && self.is_free(&(*start..start + bytes)))
    }

    /// Removes and returns the areas in an address range. Splits areas that cross an end of the range.
    pub fn take(&mut self, range: &Range<u32>) -> Vec<(u32, Area)> {
        self.cut(range.start);
        self.cut(range.end);
        let starts: Vec<u32> = self.areas.range(range.clone()).map(|(start, _)| *start).collect();
        starts.into_iter().filter_map(|start| Some((start, self.areas.remove(&start)?))).collect()
    }

    /// Inserts an area into a gap.
    pub fn insert(&mut self, start: u32, mut area: Area) {
        let mut first = start;
        if let Some((before, neighbour)) = self.areas.range(..start).next_back().map(|(at, area)| (*at, area.clone()))
            && neighbour.end == start
            && neighbour.joins(&area)
        {
            first = before;
        }
        if let Some(behind) = self.areas.get(&area.end).filter(|behind| behind.joins(&area)) {
            let (old_end, new_end) = (area.end, behind.end);
            area.end = new_end;
            self.areas.remove(&old_end);
        }
        self.areas.insert(first, area);
    }

    /// Changes the permissions of an address range.
    pub fn protect(&mut self, range: &Range<u32>, access: Access) {
        for (start, area) in self.take(range) {
            self.insert(start, Area { access, ..area });
        }
    }

    fn cut(&mut self, at: u32) {
        let Some((start, area)) = self.areas.range_mut(..at).next_back() else { return };
        if area.end > at {
            let behind = area.split_off(*start, at);
            self.areas.insert(at, behind);
        }
    }
}

/// Whether a program may map an address range.
pub fn is_user(range: &Range<u32>) -> bool {
    range.start >= USER_START && range.end <= USER_END && range.start <= range.end
}

/// Rounds a size up to whole pages.
pub fn whole_pages(bytes: u32) -> Option<u32> {
    bytes.checked_next_multiple_of(PAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPPINGS_END: u32 = Layout::High.mappings_end();
    const RW: Access = Access { read: true, write: true, execute: false };

    fn area(end: u32) -> Area {
        Area::private(end, RW)
    }

    fn listed(space: &Space) -> Vec<(u32, u32, bool)> {
        space.areas().map(|(start, area)| (start, area.end, area.access.write)).collect()
    }

    #[test]
    fn areas_are_cut_joined_and_found() {
        let mut space = Space::default();
        space.insert(0x2_0000, area(0x3_0000));
        space.insert(0x3_0000, area(0x5_0000));
        assert_eq!(listed(&space), [(0x2_0000, 0x5_0000, true)]);
        space.protect(&(0x3_0000..0x4_0000), Access { write: false, ..RW });
        assert_eq!(
            listed(&space),
            [(0x2_0000, 0x3_0000, true), (0x3_0000, 0x4_0000, false), (0x4_0000, 0x5_0000, true)]
        );
        space.protect(&(0x3_0000..0x4_0000), RW);
        assert_eq!(listed(&space), [(0x2_0000, 0x5_0000, true)]);
        assert_eq!(space.take(&(0x2_8000..0x6_0000)).len(), 1);
        assert_eq!(listed(&space), [(0x2_0000, 0x2_8000, true)]);
        assert!(space.covers(&(0x2_0000..0x2_8000)) && !space.covers(&(0x2_0000..0x2_8001)));
        assert!(space.at(0x2_7fff).is_some() && space.at(0x2_8000).is_none() && space.at(0x1_ffff).is_none());
    }

    #[test]
    fn a_gap_is_where_it_is_wished_or_as_high_as_possible() {
        let mut space = Space::default();
        assert_eq!(space.gap(0, 0x1000), Some(MAPPINGS_END - 0x1000));
        assert_eq!(space.gap(0x5000_0000, 0x1000), Some(0x5000_0000));
        assert_eq!(space.gap(0x1000, 0x1000), Some(MAPPINGS_END - 0x1000));
        space.insert(MAPPINGS_END - 0x1000, area(MAPPINGS_END));
        space.insert(MAPPINGS_END - 0x4000, area(MAPPINGS_END - 0x3000));
        assert_eq!(space.gap(0, 0x2000), Some(MAPPINGS_END - 0x3000));
        assert_eq!(space.gap(0, 0x3000), Some(MAPPINGS_END - 0x7000));
        assert_eq!(space.gap(MAPPINGS_END - 0x1000, 0x1000), Some(MAPPINGS_END - 0x2000));
        assert_eq!(space.gap(0, 0xffff_f000), None);
    }

    #[test]
    fn a_low_layout_has_no_gaps_above_two_gigabytes_but_the_requested_ones() {
        let mut space = Space { layout: Layout::Low, ..Space::default() };
        assert_eq!(space.gap(0, 0x1000), Some(0x77ff_f000));
        assert_eq!(space.gap(0x9000_0000, 0x1000), Some(0x9000_0000));
        space.insert(USER_START, area(0x7fff_0000));
        assert_eq!(space.gap(0, 0x1000), None);
    }
}
