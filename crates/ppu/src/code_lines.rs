//! The instruction cache, which both hardware threads share.
//!
//! MODEL: a line is found by its effective address, and its age is renewed only when an instruction in it learns a
//! transition of the pipelines. Nothing is fetched ahead of the instruction that needs it, and no other unit
//! invalidates lines.

/// The lines in the cache. A cache without sets always hits.
pub struct CodeLines {
    /// Line numbers plus one, set by set; in each set, the most recently used line comes first. 0 means an empty way.
    ways: Vec<u32>,
    per_set: usize,
    /// The number of sets, a power of two, minus one.
    set_mask: usize,
}

/// Binary logarithm of the line size.
const LINE_SHIFT: u32 = 7;

impl CodeLines {
    /// An empty cache.
    pub fn new(bytes: u32, per_set: u32) -> CodeLines {
        let (lines, per_set) = (bytes as usize >> LINE_SHIFT, per_set as usize);
        CodeLines { ways: vec![0; lines], per_set, set_mask: (lines / per_set).saturating_sub(1) }
    }

    fn set(&mut self, ea: u32) -> &mut [u32] {
        let at = ((ea >> LINE_SHIFT) as usize & self.set_mask) * self.per_set;
        &mut self.ways[at..at + self.per_set]
    }

    /// Uses the line of `ea`. Returns whether the line is in the cache.
    #[inline]
    pub fn touch(&mut self, ea: u32) -> bool {
        if self.ways.is_empty() {
            return true;
        }
        let (set, wanted) = (self.set(ea), (ea >> LINE_SHIFT) + 1);
        if set[0] == wanted {
            return true;
        }
        let found = set.iter().position(|way| *way == wanted);
        found.into_iter().for_each(|way| set[..=way].rotate_right(1));
        found.is_some()
    }

    /// Inserts the line of `ea`. Returns the address of the evicted line.
    pub fn insert(&mut self, ea: u32) -> Option<u32> {
        if self.touch(ea) {
            return None;
        }
        let set = self.set(ea);
        set.rotate_right(1);
        let evicted = std::mem::replace(&mut set[0], (ea >> LINE_SHIFT) + 1);
        (evicted != 0).then(|| (evicted - 1) << LINE_SHIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_of_a_set_is_evicted() {
        let mut lines = CodeLines::new(4 * 128, 2);
        assert!(!lines.touch(0x17c));
        assert_eq!((lines.insert(0x100), lines.insert(0x200)), (None, None));
        assert!(lines.touch(0x17c) && !lines.touch(0x180), "128 bytes");
        assert_eq!(lines.insert(0x400), Some(0x200));
        assert!(CodeLines::new(0, 1).touch(0));
    }
}
