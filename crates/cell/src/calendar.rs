//! The events to come, by time: the wires of the machine are events with a delay.
//!
//! Events of the same bus cycle come out in the order in which they were put in, so a run depends
//! on nothing but its inputs.  Near events (within `HORIZON` cycles) lie in a ring of slots with
//! an occupancy bitmap; the few far ones (operating-system calls take microseconds) in a heap,
//! from which they move to their slot as soon as it comes within the horizon.  One event may be
//! *deferred*: it comes after all others of its bus cycle.

use crate::units::BusCycle;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const HORIZON: u64 = 256;
const WORDS: usize = HORIZON as usize / 64;

/// A queue of events ordered by time, then by the order of [`Calendar::push`].
pub struct Calendar<E> {
    now: BusCycle,
    slots: Vec<Vec<E>>,
    occupied: [u64; WORDS],
    head: usize,
    far: BinaryHeap<Reverse<Far<E>>>,
    far_pushed: u64,
    deferred: Option<E>,
}

struct Far<E> {
    at: BusCycle,
    order: u64,
    event: E,
}

impl<E> PartialEq for Far<E> {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.order) == (other.at, other.order)
    }
}
impl<E> Eq for Far<E> {}
impl<E> PartialOrd for Far<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<E> Ord for Far<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}

impl<E: Copy> Default for Calendar<E> {
    fn default() -> Self {
        Calendar::new()
    }
}

impl<E: Copy> Calendar<E> {
    /// An empty calendar at bus cycle 0.
    pub fn new() -> Self {
        Calendar {
            now: 0,
            slots: (0..HORIZON).map(|_| Vec::new()).collect(),
            occupied: [0; WORDS],
            head: 0,
            far: BinaryHeap::new(),
            far_pushed: 0,
            deferred: None,
        }
    }

    /// The time of the event taken last.
    pub fn now(&self) -> BusCycle {
        self.now
    }

    /// Adds an event at `at`, which must not lie in the past.
    #[inline(always)]
    pub fn push(&mut self, at: BusCycle, event: E) {
        debug_assert!(at >= self.now, "an event cannot be set in the past");
        if at - self.now < HORIZON {
            self.put(at, event);
        } else {
            self.far_pushed += 1;
            self.far.push(Reverse(Far { at, order: self.far_pushed, event }));
        }
    }

    /// Sets the event that comes after all others of this bus cycle; there is one at most.
    pub fn defer(&mut self, event: E) {
        self.deferred = Some(event);
    }

    #[inline(always)]
    fn put(&mut self, at: BusCycle, event: E) {
        let slot = (at % HORIZON) as usize;
        self.slots[slot].push(event);
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    /// Takes the next event and moves time to it; `None` when nothing will ever happen again.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<E> {
        loop {
            let slot = (self.now % HORIZON) as usize;
            if let Some(event) = self.slots[slot].get(self.head) {
                self.head += 1;
                return Some(*event);
            }
            self.slots[slot].clear();
            self.head = 0;
            if let Some(event) = self.deferred.take() {
                return Some(event);
            }
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            self.now = self.next_time()?;
            self.fetch_far();
        }
    }

    fn next_time(&self) -> Option<BusCycle> {
        self.next_near().or_else(|| self.far.peek().map(|Reverse(far)| far.at))
    }

    /// When the next event comes: now, if there is another one in this cycle.
    pub fn next_at(&self) -> Option<BusCycle> {
        let slot = (self.now % HORIZON) as usize;
        if self.head < self.slots[slot].len() || self.deferred.is_some() {
            return Some(self.now);
        }
        let mut later = self.occupied;
        later[slot / 64] &= !(1 << (slot % 64));
        self.next_in(&later).or_else(|| self.far.peek().map(|Reverse(far)| far.at))
    }

    /// The next occupied slot, looking once round the ring from the current one.
    fn next_near(&self) -> Option<BusCycle> {
        self.next_in(&self.occupied)
    }

    fn next_in(&self, occupied: &[u64; WORDS]) -> Option<BusCycle> {
        let start = (self.now % HORIZON) as usize;
        for i in 0..=WORDS {
            let index = (start / 64 + i) % WORDS;
            let mut word = occupied[index];
            if i == 0 {
                word &= !0 << (start % 64);
            } else if i == WORDS {
                word &= !(!0 << (start % 64));
            }
            if word != 0 {
                let slot = (index * 64) as u64 + u64::from(word.trailing_zeros());
                return Some(self.now + (slot + HORIZON - start as u64) % HORIZON);
            }
        }
        None
    }

    fn fetch_far(&mut self) {
        while let Some(Reverse(far)) = self.far.peek() {
            if far.at - self.now >= HORIZON {
                break;
            }
            if let Some(Reverse(far)) = self.far.pop() {
                self.put(far.at, far.event);
            }
        }
    }

    /// Calls `visit` with every event to come and its distance from now, in order.
    pub fn for_each(&self, mut visit: impl FnMut(BusCycle, &E)) {
        // Numbers far events in their order, which is what counts: `far_pushed`.
        let Calendar { now, slots, occupied, head, far, far_pushed: _, deferred } = self;
        let start = (now % HORIZON) as usize;
        for event in &slots[start][(*head).min(slots[start].len())..] {
            visit(0, event);
        }
        deferred.iter().for_each(|event| visit(0, event));
        for distance in 1..HORIZON {
            let slot = ((now + distance) % HORIZON) as usize;
            if occupied[slot / 64] >> (slot % 64) & 1 == 1 {
                slots[slot].iter().for_each(|event| visit(distance, event));
            }
        }
        let mut far: Vec<_> = far.iter().map(|Reverse(far)| far).collect();
        far.sort();
        far.iter().for_each(|far| visit(far.at - now, &far.event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_order_of_time_then_of_insertion() {
        let mut calendar = Calendar::new();
        for (at, name) in [(5, 'b'), (3, 'a'), (5, 'c'), (5000, 'e'), (1023, 'd'), (5000, 'f')] {
            calendar.push(at, name);
        }
        let mut seen = Vec::new();
        while let Some(name) = calendar.pop() {
            seen.push((calendar.now(), name));
        }
        assert_eq!(seen, [(3, 'a'), (5, 'b'), (5, 'c'), (1023, 'd'), (5000, 'e'), (5000, 'f')]);
    }

    #[test]
    fn a_far_event_keeps_its_place_before_a_later_near_one() {
        let mut calendar = Calendar::new();
        calendar.push(1500, 'x');
        calendar.push(1000, 'a');
        assert_eq!(calendar.pop(), Some('a'));
        calendar.push(1500, 'y');
        assert_eq!((calendar.pop(), calendar.pop()), (Some('x'), Some('y')));
    }

    #[test]
    fn an_event_may_be_added_to_the_current_cycle() {
        let mut calendar = Calendar::new();
        calendar.push(7, 1);
        assert_eq!(calendar.pop(), Some(1));
        calendar.push(7, 2);
        calendar.push(8, 3);
        let mut distances = Vec::new();
        calendar.for_each(|distance, event| distances.push((distance, *event)));
        assert_eq!(distances, [(0, 2), (1, 3)]);
        assert_eq!(calendar.next_at(), Some(7));
        assert_eq!(calendar.pop(), Some(2));
        assert_eq!(calendar.now(), 7);
        assert_eq!(calendar.next_at(), Some(8));
        assert_eq!((calendar.pop(), calendar.next_at()), (Some(3), None));
    }

    #[test]
    fn a_deferred_event_comes_behind_all_others_of_its_cycle_and_before_the_next() {
        let mut calendar = Calendar::new();
        for (at, name) in [(4, 'a'), (4, 'b'), (5, 'e')] {
            calendar.push(at, name);
        }
        assert_eq!(calendar.pop(), Some('a'));
        calendar.defer('d');
        calendar.push(4, 'c');
        assert_eq!([calendar.pop(), calendar.pop()], [Some('b'), Some('c')]);
        assert_eq!(calendar.next_at(), Some(4));
        assert_eq!((calendar.pop(), calendar.now()), (Some('d'), 4));
        assert_eq!((calendar.pop(), calendar.now()), (Some('e'), 5));
        assert_eq!(calendar.pop(), None);
    }
}
