//! The frames of main memory.

use std::collections::BTreeMap;

/// The frames of main memory: frames that were freed, frames that were never used, and frames that are shared.
pub(super) struct Frames {
    free: Vec<u32>,
    next: u32,
    end: u32,
    /// Number of holders of each shared frame: the mapped pages, and the segment of shared memory itself.
    holders: BTreeMap<u32, u32>,
}

impl Frames {
    /// Unused frames with numbers below `end`.
    pub(super) fn new(end: u32) -> Frames {
        Frames { free: Vec::new(), next: 0, end, holders: BTreeMap::new() }
    }

    /// Number of free frames.
    pub(super) fn count_free(&self) -> u64 {
        self.free.len() as u64 + u64::from(self.end - self.next)
    }

    /// Allocates a frame of zeros.
    pub(super) fn take(&mut self) -> Option<u32> {
        self.free.pop().or_else(|| {
            let frame = self.next;
            self.next = (frame + 1).min(self.end);
            (frame < self.end).then_some(frame)
        })
    }

    /// Adds a holder to a frame, which is shared from now on. The first call after the allocation counts the allocator.
    pub(super) fn hold(&mut self, frame: u32) {
        *self.holders.entry(frame).or_default() += 1;
    }

    /// Removes a holder from a frame. Returns whether it was the last, and the frame is free. The caller fills a free
    /// frame with zeros.
    pub(super) fn release(&mut self, frame: u32) -> bool {
        if let Some(holders) = self.holders.get_mut(&frame) {
            *holders -= 1;
            if *holders > 0 {
                return false;
            }
            self.holders.remove(&frame);
        }
        self.free.push(frame);
        true
    }
}
