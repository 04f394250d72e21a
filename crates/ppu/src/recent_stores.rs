//! A thread's latest stores, whose values its loads cannot have at once.
//!
//! The L1 has the value of a store only after the store has left for the L2. A load that needs the value before waits
//! until then.
//!
//! MODEL: a load hits a store that has written the first byte's aligned word. Of stores to words that are a multiple of
//! 256 bytes apart, only the latest is remembered. Unaligned accesses of a word or more do not hit each other, unless
//! their addresses are equal. Loads and stores of several registers, and of a part of a vector, neither wait nor make
//! loads wait.

/// The number of words that are remembered.
const PLACES: usize = 64;
/// An address that no word has.
const NOWHERE: u32 = u32::MAX;

/// The latest stores of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecentStores {
    /// The address of each stored word.
    words: [u32; PLACES],
    /// The cycle in which the store issued.
    issued_at: [u64; PLACES],
    /// Cycles from the issue of a store to the issue of a load that hits it.
    pub wait: u64,
}

impl Default for RecentStores {
    fn default() -> RecentStores {
        RecentStores { words: [NOWHERE; PLACES], issued_at: [0; PLACES], wait: 0 }
    }
}

/// The first word of an access to `N` bytes.
#[inline(always)]
fn word<const N: usize>(ea: u64) -> u32 {
    if N < 4 { ea as u32 & !3 } else { ea as u32 }
}

/// The place of a word.
#[inline(always)]
fn place(word: u32) -> usize {
    word as usize / 4 % PLACES
}

impl RecentStores {
    /// Adds a store of `N` bytes.
    #[inline(always)]
    pub fn add<const N: usize>(&mut self, ea: u64, now: u64) {
        if N == 16 {
            // The four words of a vector, which is aligned, have adjacent places. The host writes them together.
            let first = place(ea as u32) & !3;
            if let Some(words) = self.words[first..].first_chunk_mut() {
                *words = [0, 4, 8, 12].map(|offset| ea as u32 & !15 | offset);
            }
            if let Some(issued_at) = self.issued_at[first..].first_chunk_mut::<4>() {
                *issued_at = [now; 4];
            }
            return;
        }
        for nth in 0..N.div_ceil(4) as u32 {
            let word = word::<N>(ea).wrapping_add(4 * nth);
            (self.words[place(word)], self.issued_at[place(word)]) = (word, now);
        }
    }

    /// Whether a load of `N` bytes hits a store that is remembered.
    #[inline(always)]
    pub fn is_hit<const N: usize>(&self, ea: u64) -> bool {
        let word = word::<N>(ea);
        self.words[place(word)] == word
    }

    /// Cycles for which a load of `N` bytes that could issue has to wait. If it hits a store, the store is forgotten.
    pub fn wait<const N: usize>(&mut self, ea: u64, now: u64) -> u64 {
        if !self.is_hit::<N>(ea) {
            return 0;
        }
        let place = place(word::<N>(ea));
        self.words[place] = NOWHERE;
        (self.issued_at[place] + self.wait).saturating_sub(now)
    }

    /// Forgets all stores.
    pub fn clear(&mut self) {
        self.words = [NOWHERE; PLACES];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stores() -> RecentStores {
        RecentStores { wait: 40, ..RecentStores::default() }
    }

    #[test]
    fn a_load_issues_when_the_store_has_left() {
        let waits = |after: u64| {
            let mut stores = stores();
            stores.add::<4>(0x1008, 100);
            (stores.wait::<4>(0x1008, 100 + after), stores.wait::<4>(0x1008, 100 + after))
        };
        assert_eq!([0, 1, 39, 40, 41].map(waits), [(40, 0), (39, 0), (1, 0), (0, 0), (0, 0)]);
    }

    #[test]
    fn a_load_hits_a_store_to_its_first_word() {
        let hit = |stores: &RecentStores| [0xffc, 0x1000, 0x1004, 0x1008, 0x1010].map(|ea| stores.is_hit::<4>(ea));
        let (mut of_byte, mut of_doubleword, mut of_vector) = (stores(), stores(), stores());
        of_byte.add::<1>(0x1003, 0);
        of_doubleword.add::<8>(0x1000, 0);
        of_vector.add::<16>(0x1000, 0);
        assert_eq!(hit(&of_byte), [false, true, false, false, false]);
        assert_eq!(hit(&of_doubleword), [false, true, true, false, false]);
        assert_eq!(hit(&of_vector), [false, true, true, true, false]);
        assert!(of_byte.is_hit::<16>(0x1000) && of_byte.is_hit::<2>(0x1002));
    }

    #[test]
    fn a_store_is_forgotten_once_another_one_takes_its_place() {
        let mut stores = stores();
        stores.add::<4>(0x1000, 0);
        stores.add::<4>(0x1100, 0);
        assert!(!stores.is_hit::<4>(0x1000) && stores.is_hit::<4>(0x1100));
        stores.clear();
        assert!(!stores.is_hit::<4>(0x1100));
    }
}
