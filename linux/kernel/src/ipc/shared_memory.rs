//! Segments of shared memory, as `shmctl` shows them.

use super::table::Permissions;
use crate::memory::segment::Segment;
use crate::tid::PROCESS;
use crate::width::Width;
use std::rc::Rc;

/// Bits of the mode: the segment goes with its last mapping; the segment is locked into memory.
const DESTROY: u32 = 0o1000;
const LOCKED: u32 = 0o2000;

/// A segment, and what has happened to it.
pub struct Shared {
    /// The segment, which its mappings share.
    pub segment: Rc<Segment>,
    /// Time of day of the last `shmat`, in seconds, or 0.
    pub attached_at: u64,
    /// Time of day of the last `shmdt`, in seconds, or 0.
    pub detached_at: u64,
    /// Time of day of the last change, in seconds.
    pub changed_at: u64,
    /// Whether the program has locked the segment into memory, which has no effect.
    pub locked: bool,
}

impl Shared {
    /// A new segment.
    pub fn new(segment: Segment, now: u64) -> Shared {
        Shared { segment: Rc::new(segment), attached_at: 0, detached_at: 0, changed_at: now, locked: false }
    }

    /// `struct shmid64_ds`.
    pub fn encoded(&self, permissions: &Permissions, width: Width) -> Vec<u8> {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        let mode = permissions.mode | bit(self.segment.is_removed(), DESTROY) | bit(self.locked, LOCKED);
        let mut bytes = Permissions { mode, ..*permissions }.encoded();
        for time in [self.attached_at, self.detached_at, self.changed_at] {
            bytes.extend(time.to_be_bytes());
        }
        bytes.extend(width.pick([0; 4].as_slice(), &[]));
        bytes.extend(width.encode(self.segment.bytes.into()));
        let last = if self.attached_at == 0 { 0 } else { PROCESS.0 };
        bytes.extend([PROCESS.0, last].into_iter().flat_map(u32::to_be_bytes));
        for number in [self.segment.attaches(), 0, 0] {
            bytes.extend(width.encode(number.into()));
        }
        bytes.extend(width.pick([0; 4].as_slice(), &[]));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipc::table::PRIVATE;

    #[test]
    fn the_structure_has_the_size_of_the_headers() {
        let shared = Shared::new(Segment::new(5, false, Vec::new()), 9);
        let permissions = Permissions { key: PRIVATE, owner: [0; 2], mode: 0, sequence: 0 };
        assert_eq!(shared.encoded(&permissions, Width::Narrow).len(), 104);
        assert_eq!(shared.encoded(&permissions, Width::Wide).len(), 112);
    }
}
