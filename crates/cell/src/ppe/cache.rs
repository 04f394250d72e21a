//! A set-associative cache that stores the states of lines, and the order in which the lines were used.
//!
//! The cache maintains a digest of its lines and their order, and updates it whenever a set changes. Therefore, a
//! snapshot of the machine contains only one word for each cache, and an unused cache costs nothing.

use crate::atomic::LineState;
use crate::units::LINE_BYTES;

#[derive(Clone, Debug)]
pub struct Cache {
    /// The contents of all ways, set by set; in each set, the most recently used way comes first. 0 means an empty way.
    ways: Vec<u64>,
    per_set: usize,
    /// The number of sets, a power of two, minus one.
    set_mask: u64,
    /// The digest of each set, and of the cache.
    digests: Vec<u64>,
    digest: u64,
    /// The lowest and the highest line number that was ever cached. Most snooped lines are outside this range.
    range: (u64, u64),
}

const STATES: [LineState; 3] = [LineState::Modified, LineState::Exclusive, LineState::Shared];

fn packed(line: u64, state: LineState) -> u64 {
    (line + 1) << 2 | state as u64
}

fn line_of(way: u64) -> u64 {
    (way >> 2) - 1
}

fn state_of(way: u64) -> LineState {
    STATES[(way & 3) as usize]
}

impl Cache {
    /// An empty cache.
    pub fn new(bytes: u32, per_set: u32) -> Cache {
        let (ways, per_set) = (vec![0; (u64::from(bytes) / LINE_BYTES) as usize], per_set as usize);
        let digests = vec![0; ways.len() / per_set];
        Cache { ways, per_set, set_mask: digests.len() as u64 - 1, digests, digest: 0, range: (u64::MAX, 0) }
    }

    /// Returns the state of a line, or `None` if the line is not cached.
    #[inline]
    pub fn state(&self, line: u64) -> Option<LineState> {
        if line < self.range.0 || line > self.range.1 {
            return None;
        }
        let wanted = line + 1;
        let at = self.first_way(line);
        self.ways[at..at + self.per_set].iter().find(|way| **way >> 2 == wanted).map(|way| state_of(*way))
    }

    /// Uses a line. Returns whether the line is cached.
    #[inline]
    pub fn touch(&mut self, line: u64) -> bool {
        let (at, wanted) = (self.first_way(line), line + 1);
        // Fast path: the line is usually the same as in the previous access.
        if self.ways[at] >> 2 == wanted {
            return true;
        }
        let found = self.ways[at..at + self.per_set].iter().position(|way| *way >> 2 == wanted);
        if let Some(way) = found {
            self.change(line, |set| {
                let used = set[way];
                set.copy_within(..way, 1);
                set[0] = used;
            });
        }
        found.is_some()
    }

    /// Inserts a line as the most recently used line. Returns the evicted line, which was the least recently used.
    pub fn insert(&mut self, line: u64, state: LineState) -> Option<(u64, LineState)> {
        self.remove(line);
        self.range = (self.range.0.min(line), self.range.1.max(line));
        let last = self.ways[self.first_way(line) + self.per_set - 1];
        self.change(line, |set| {
            set.copy_within(..set.len() - 1, 1);
            set[0] = packed(line, state);
        });
        (last != 0).then(|| (line_of(last), state_of(last)))
    }

    /// Changes the state of a line. Does nothing if the line is not cached.
    pub fn set_state(&mut self, line: u64, state: LineState) {
        if self.state(line).is_some_and(|now| now != state) {
            self.change(line, |set| {
                for way in set.iter_mut().filter(|way| **way >> 2 == line + 1) {
                    *way = packed(line, state);
                }
            });
        }
    }

    /// Removes a line. Returns whether the line was cached.
    pub fn remove(&mut self, line: u64) -> bool {
        let here = self.state(line).is_some();
        if here {
            self.change(line, |set| {
                let way = set.iter().position(|way| *way >> 2 == line + 1).unwrap_or(0);
                set[way] = 0;
                set[way..].rotate_left(1);
            });
        }
        here
    }

    /// Returns a digest of the contents and the order of use: equal caches have equal digests.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    fn set(&self, line: u64) -> usize {
        (line & self.set_mask) as usize
    }

    fn first_way(&self, line: u64) -> usize {
        self.set(line) * self.per_set
    }

    fn change(&mut self, line: u64, how: impl FnOnce(&mut [u64])) {
        let (set, at) = (self.set(line), self.first_way(line));
        let ways = &mut self.ways[at..at + self.per_set];
        how(ways);
        let after = digest(at, ways);
        self.digest ^= after ^ std::mem::replace(&mut self.digests[set], after);
    }
}

/// Returns the digest of one set, which is 0 for an empty set.
fn digest(at: usize, set: &[u64]) -> u64 {
    if set[0] == 0 {
        return 0;
    }
    set.iter().fold(at as u64, |hash, way| {
        let mixed = (hash ^ way).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use LineState::{Exclusive, Modified, Shared};

    /// Creates a cache of two sets with two ways each.
    fn small() -> Cache {
        Cache::new(4 * LINE_BYTES as u32, 2)
    }

    #[test]
    fn the_least_recently_used_line_of_a_set_is_evicted() {
        let mut cache = small();
        assert_eq!(cache.insert(0, Exclusive), None);
        assert_eq!(cache.insert(2, Modified), None);
        assert_eq!(cache.insert(1, Exclusive), None, "another set");
        assert!(cache.touch(0));
        assert_eq!(cache.insert(4, Shared), Some((2, Modified)));
        assert!(!cache.touch(2));
        assert_eq!(cache.insert(6, Shared), Some((0, Exclusive)));
    }

    #[test]
    fn a_removed_line_leaves_room() {
        let mut cache = small();
        cache.insert(0, Exclusive);
        cache.insert(2, Exclusive);
        assert!(cache.remove(2));
        assert!(!cache.remove(2));
        assert_eq!(cache.insert(4, Exclusive), None);
        assert_eq!(cache.state(0), Some(Exclusive));
    }

    #[test]
    fn equal_contents_in_equal_order_have_equal_digests() {
        let (mut one, mut other) = (small(), small());
        for line in [0, 2] {
            one.insert(line, Exclusive);
        }
        for line in [2, 0] {
            other.insert(line, Exclusive);
        }
        assert_ne!(one.digest(), other.digest(), "the order of use counts");
        other.touch(2);
        assert_eq!(one.digest(), other.digest());
        one.set_state(0, Modified);
        assert_ne!(one.digest(), other.digest());
        one.remove(0);
        one.remove(2);
        assert_eq!(one.digest(), small().digest());
    }
}
