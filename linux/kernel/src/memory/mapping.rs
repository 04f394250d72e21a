//! Changes to the address space. Each change updates both the areas and the page table.

use super::area::{Area, Kind, Origin};
use super::backing::Backing;
use super::segment::Segment;
use super::space::{Space, is_user, whole_pages};
use crate::errno::Errno;
use crate::hardware::{Access, Hardware, Mapping, PAGE_BYTES};
use std::ops::Range;
use std::rc::Rc;

/// The range of whole pages that begins at `start`.
///
/// # Errors
/// `EINVAL`: `start` is not page-aligned, or the range is empty. `ENOMEM`: programs cannot map this range.
pub fn pages(start: u32, bytes: u32) -> Result<Range<u32>, Errno> {
    if !start.is_multiple_of(PAGE_BYTES) || bytes == 0 {
        return Err(Errno::EINVAL);
    }
    let end = whole_pages(bytes).and_then(|bytes| start.checked_add(bytes)).ok_or(Errno::ENOMEM)?;
    Some(start..end).filter(is_user).ok_or(Errno::ENOMEM)
}

/// Rounds an address up to a page boundary.
pub fn next_page(address: u32) -> u32 {
    whole_pages(address).unwrap_or(!(PAGE_BYTES - 1))
}

impl Space {
    /// Maps pages of zeros, replacing earlier mappings of the range.
    pub fn map_zeros(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access) {
        self.map_main_memory(hardware, range, access, Mapping::Zero);
    }

    /// Maps huge pages of zeros, replacing earlier mappings of the range.
    pub fn map_huge_zeros(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access) {
        self.map_main_memory(hardware, range, access, Mapping::HugeZero);
    }

    fn map_main_memory(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access, to: Mapping) {
        self.unmap(hardware, range);
        hardware.map(range.start, range.end - range.start, to, access);
        self.insert(range.start, Area::private(range.end, access));
    }

    /// Maps bytes followed by zeros, replacing earlier mappings of the range.
    pub fn map_bytes(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access, bytes: &[u8]) {
        self.map_zeros(hardware, range, access);
        // An error is ignored here: if main memory is full, the process ends when it uses these bytes.
        let _ = hardware.fill(range.start, bytes);
    }

    /// Records the origin of a range: the file from which its bytes were read.
    pub fn note_origin(&mut self, range: &Range<u32>, path: &Rc<[u8]>, offset: u64) {
        for (start, area) in self.take(range) {
            let origin = Origin { path: Rc::clone(path), offset: offset + u64::from(start - range.start) };
            self.insert(start, Area { origin: Some(origin), ..area });
        }
    }

    /// Maps the contents of a file, replacing earlier mappings of the range.
    pub fn map_file(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access, file: (Backing, u64)) {
        match file {
            (Backing::Contents { bytes, write_back }, offset) => {
                self.map_bytes(hardware, range, access, &bytes);
                if let Some(file) = write_back {
                    self.take(range);
                    let kind = Kind::Shared { file, offset };
                    self.insert(range.start, Area { kind, ..Area::private(range.end, access) });
                }
            }
            (Backing::Huge, _) => self.map_huge_zeros(hardware, range, access),
            // These pages are mapped by spufs, because the mapping depends on the residency of the context.
            (Backing::Context(piece), _) => {
                self.unmap(hardware, range);
                let kind = Kind::Context(piece);
                self.insert(range.start, Area { kind, ..Area::private(range.end, access) });
            }
        }
    }

    /// Maps a segment of shared memory, replacing earlier mappings of the range.
    pub fn map_segment(&mut self, hardware: &mut dyn Hardware, start: u32, segment: &Rc<Segment>, access: Access) {
        // The new mapping may replace the last one of a segment that goes with it.
        segment.attach();
        let end = start + segment.pages() * PAGE_BYTES;
        self.unmap(hardware, &(start..end));
        segment.with_frames(|frames| hardware.map_frames(start, frames, segment.huge, access));
        let kind = Kind::Segment { segment: Rc::clone(segment), offset: 0 };
        self.insert(start, Area { kind, ..Area::private(end, access) });
    }

    /// Writes the shared mappings of a range back to their files, and unmaps the range.
    pub fn unmap(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>) {
        if range.is_empty() {
            return;
        }
        self.write_back(hardware, range);
        for (start, area) in self.take(range) {
            hardware.unmap(start, area.end - start);
            if let Kind::Segment { segment, .. } = &area.kind {
                segment.detach(hardware);
            }
        }
    }

    /// Writes the shared mappings of a range back to their files.
    pub fn write_back(&self, hardware: &mut dyn Hardware, range: &Range<u32>) {
        for (area_start, area) in self.areas() {
            let (start, end) = (area_start.max(range.start), area.end.min(range.end));
            let Kind::Shared { file, offset } = &area.kind else { continue };
            if start >= end {
                continue;
            }
            let mut bytes = vec![0; (end - start) as usize];
            if hardware.look(start, &mut bytes).is_ok() {
                file.write_back(offset + u64::from(start - area_start), &bytes);
            }
        }
    }

    /// Changes the permissions of mapped pages.
    pub fn protect_pages(&mut self, hardware: &mut dyn Hardware, range: &Range<u32>, access: Access) {
        self.protect(range, access);
        hardware.protect(range.start, range.end - range.start, access);
    }

    /// Moves part of an area to an unmapped range.
    pub fn move_pages(&mut self, hardware: &mut dyn Hardware, from: &Range<u32>, to: u32) {
        for (start, area) in self.take(from) {
            let size = area.end - start;
            hardware.move_pages(start, to, size);
            self.insert(to, Area { end: to + size, ..area });
        }
    }
}
