//! A segment of System V shared memory: frames that several mappings share.
//!
//! MODEL: a segment takes its main memory when it is created. In Linux, it takes each page on the page's first use.

use crate::hardware::Hardware;
use std::cell::{Cell, RefCell};

pub struct Segment {
    /// Size requested by the program, in bytes.
    pub bytes: u32,
    /// Whether the pages are huge.
    pub huge: bool,
    /// The frames. Empty once the segment is removed and its last mapping is gone.
    frames: RefCell<Vec<u32>>,
    /// Number of areas that map the segment.
    attaches: Cell<u32>,
    /// Whether the segment is removed with its last mapping.
    removed: Cell<bool>,
}

impl Segment {
    /// A segment that consists of these frames.
    pub fn new(bytes: u32, huge: bool, frames: Vec<u32>) -> Segment {
        Segment { bytes, huge, frames: RefCell::new(frames), attaches: Cell::new(0), removed: Cell::new(false) }
    }

    /// Number of areas that map the segment.
    pub fn attaches(&self) -> u32 {
        self.attaches.get()
    }

    /// Whether the segment is to be removed with its last mapping, or is gone already.
    pub fn is_removed(&self) -> bool {
        self.removed.get()
    }

    /// Whether the segment has been removed and nothing maps it any more.
    pub fn is_gone(&self) -> bool {
        self.removed.get() && self.attaches.get() == 0
    }

    pub fn pages(&self) -> u32 {
        self.frames.borrow().len() as u32
    }

    /// Calls a function with the frames.
    pub fn with_frames(&self, does: impl FnOnce(&[u32])) {
        does(&self.frames.borrow());
    }

    /// Counts an area that maps the segment.
    pub fn attach(&self) {
        self.attaches.set(self.attaches.get() + 1);
    }

    /// Counts an area that no longer maps the segment. With the last one, a removed segment goes.
    pub fn detach(&self, hardware: &mut dyn Hardware) {
        self.attaches.set(self.attaches.get().saturating_sub(1));
        self.free_if_gone(hardware);
    }

    /// Removes the segment, at once or with its last mapping.
    pub fn remove(&self, hardware: &mut dyn Hardware) {
        self.removed.set(true);
        self.free_if_gone(hardware);
    }

    fn free_if_gone(&self, hardware: &mut dyn Hardware) {
        if self.is_gone() {
            hardware.drop_frames(&self.frames.take());
        }
    }
}
