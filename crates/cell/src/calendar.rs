//! The event queue of the machine, ordered by bus cycle and stage. A signal on a wire between units is an event with a
//! delay.
//!
//! A bus cycle has *stages*, which run in ascending order of their numbers. Work that is added for a stage that is
//! already over runs before all other remaining work of the cycle. Each stage either wakes one unit, which takes a
//! single bit, or handles events in the order in which they were added. Therefore, the time at which an event is
//! scheduled affects only its order among the events of its own stage.
//!
//! Each near bus cycle (within `HORIZON`) has a row of bits, one for each stage, and a row of events for each event
//! stage. A heap holds the few wakes and events beyond the horizon (for example the ends of operating-system calls,
//! which take microseconds). A wake or event moves from the heap to its row as soon as it comes within the horizon.

use crate::units::{BusCycle, NEVER};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of bus cycles that have their own row.
const HORIZON: usize = 256;
const WORDS: usize = HORIZON / 64;

/// Number of stages in a bus cycle.
pub const STAGES: usize = 128;

/// Number of a stage in a bus cycle, less than [`STAGES`]. The stages with events have the lowest numbers.
pub type Stage = u8;

/// A bit mask with one bit for each stage.
type Row = [u64; STAGES / 64];

/// Wakes and events, ordered by time, then by stage, then by the order of [`Calendar::push`]. The first `LANES`
/// stages have events; the others wake one unit each.
pub struct Calendar<E, const LANES: usize> {
    now: BusCycle,
    /// The next bus cycle in which each unit wakes, by the unit's stage.
    wakes: [BusCycle; STAGES],
    /// Stages of the current bus cycle in which something is due.
    due_now: Row,
    /// For each later bus cycle, the stages that are due in it.
    due: [Row; HORIZON],
    /// Later bus cycles in which something may be due, as a bit mask.
    occupied: [u64; WORDS],
    lanes: [Lane<E>; LANES],
    far: BinaryHeap<Reverse<Far<E>>>,
    far_pushed: u64,
}

/// The events of one stage.
struct Lane<E> {
    /// Events by bus cycle.
    rows: Box<[Vec<E>; HORIZON]>,
    /// Number of events of the current bus cycle that have been taken.
    taken: usize,
}

/// A wake (without an event) or an event beyond the horizon.
struct Far<E> {
    at: BusCycle,
    order: u64,
    stage: Stage,
    event: Option<E>,
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

impl<E: Copy, const LANES: usize> Default for Calendar<E, LANES> {
    fn default() -> Self {
        Calendar::new()
    }
}

impl<E: Copy, const LANES: usize> Calendar<E, LANES> {
    /// An empty calendar at bus cycle 0.
    pub fn new() -> Self {
        Calendar {
            now: 0,
            wakes: [NEVER; STAGES],
            due_now: [0; STAGES / 64],
            due: [[0; STAGES / 64]; HORIZON],
            occupied: [0; WORDS],
            lanes: std::array::from_fn(|_| Lane { rows: Box::new([const { Vec::new() }; HORIZON]), taken: 0 }),
            far: BinaryHeap::new(),
            far_pushed: 0,
        }
    }

    /// The current bus cycle.
    #[inline(always)]
    pub fn now(&self) -> BusCycle {
        self.now
    }

    /// Adds an event to a stage at `at`, which must not be in the past.
    #[inline(always)]
    pub fn push(&mut self, at: BusCycle, lane: Stage, event: E) {
        debug_assert!(at >= self.now, "an event cannot be set in the past");
        if at - self.now < HORIZON as u64 {
            self.put(at, lane, event);
        } else {
            self.push_far(at, lane, Some(event));
        }
    }

    #[inline(always)]
    fn put(&mut self, at: BusCycle, lane: Stage, event: E) {
        self.lanes[usize::from(lane) % LANES].rows[slot(at)].push(event);
        self.set(at, lane);
    }

    /// Wakes the unit of a stage at `at`, which must not be in the past. Does nothing if the unit wakes earlier
    /// anyway.
    #[inline(always)]
    pub fn wake(&mut self, at: BusCycle, unit: Stage) {
        debug_assert!(at >= self.now, "a unit cannot wake in the past");
        let index = usize::from(unit) % STAGES;
        let before = self.wakes[index];
        if at >= before {
            return;
        }
        self.wakes[index] = at;
        if before.wrapping_sub(self.now) < HORIZON as u64 {
            self.clear(before, unit);
        }
        if at - self.now < HORIZON as u64 {
            self.set(at, unit);
        } else {
            self.push_far(at, unit, None);
        }
    }

    /// Time at which the unit of a stage wakes; [`NEVER`] if no wake is scheduled.
    #[inline(always)]
    pub fn wakes_at(&self, unit: Stage) -> BusCycle {
        self.wakes[usize::from(unit) % STAGES]
    }

    /// Clears a unit's wake, which ends the unit's stage. The unit then sleeps until its next wake.
    #[inline(always)]
    pub fn take_wake(&mut self, unit: Stage) {
        self.wakes[usize::from(unit) % STAGES] = NEVER;
        self.end(unit);
    }

    /// Ends a stage of the current bus cycle.
    #[inline(always)]
    fn end(&mut self, stage: Stage) {
        let (word, bit) = word_and_bit(stage);
        self.due_now[word] &= !bit;
    }

    #[inline(always)]
    fn set(&mut self, at: BusCycle, stage: Stage) {
        let (word, bit) = word_and_bit(stage);
        if at == self.now {
            self.due_now[word] |= bit;
            return;
        }
        let slot = slot(at);
        self.due[slot][word] |= bit;
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    #[inline(always)]
    fn clear(&mut self, at: BusCycle, stage: Stage) {
        let (word, bit) = word_and_bit(stage);
        let row = if at == self.now { &mut self.due_now } else { &mut self.due[slot(at)] };
        row[word] &= !bit;
    }

    #[inline(never)]
    fn push_far(&mut self, at: BusCycle, stage: Stage, event: Option<E>) {
        self.far_pushed += 1;
        self.far.push(Reverse(Far { at, order: self.far_pushed, stage, event }));
    }

    /// The first stage of this bus cycle in which something is due.
    #[inline(always)]
    pub fn stage(&self) -> Option<Stage> {
        let [first, second] = self.due_now;
        match (first, second) {
            (0, 0) => None,
            (0, later) => Some(64 + later.trailing_zeros() as Stage),
            (due, _) => Some(due.trailing_zeros() as Stage),
        }
    }

    /// Takes the next event of a stage that has one. The stage is over after its last event.
    #[inline(always)]
    pub fn pop(&mut self, lane: Stage) -> Option<E> {
        let Lane { rows, taken } = &mut self.lanes[usize::from(lane) % LANES];
        let row = &mut rows[slot(self.now)];
        let event = row.get(*taken).copied();
        *taken += 1;
        if *taken >= row.len() {
            row.clear();
            *taken = 0;
            self.end(lane);
        }
        event
    }

    /// Advances to the next bus cycle with work, or stays in the current bus cycle if it has more work. Returns false
    /// if no work is left.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        while is_empty(&self.due_now) {
            let Some(at) = self.next_in(&self.occupied) else {
                let Some(at) = self.next_far() else { return false };
                self.now = at;
                self.fetch_far();
                continue;
            };
            let slot = slot(at);
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            let row = std::mem::take(&mut self.due[slot]);
            // If all wakes of a row have been superseded, the row is empty.
            if !is_empty(&row) {
                (self.now, self.due_now) = (at, row);
                self.fetch_far();
                return true;
            }
        }
        true
    }

    /// Advances to `at` if nothing is due before or at `at`, not even in the rest of this bus cycle. Otherwise returns
    /// false.
    #[inline(always)]
    pub fn advance_idle(&mut self, at: BusCycle) -> bool {
        let far = || self.far.peek().map_or(NEVER, |Reverse(far)| far.at);
        let is_idle = is_empty(&self.due_now) && self.next_in(&self.occupied).unwrap_or_else(far) > at;
        if is_idle {
            self.now = at;
            self.fetch_far();
        }
        is_idle
    }

    /// Returns the first bus cycle beyond the horizon that has work. Drops superseded wakes before that cycle.
    fn next_far(&mut self) -> Option<BusCycle> {
        while let Some(Reverse(far)) = self.far.peek() {
            if far.event.is_some() || self.wakes_at(far.stage) == far.at {
                return Some(far.at);
            }
            self.far.pop();
        }
        None
    }

    /// The next bus cycle with work, which may be the current one.
    pub fn next_at(&self) -> Option<BusCycle> {
        if !is_empty(&self.due_now) {
            return Some(self.now);
        }
        let mut occupied = self.occupied;
        while let Some(at) = self.next_in(&occupied) {
            if !is_empty(&self.due[slot(at)]) {
                return Some(at);
            }
            occupied[slot(at) / 64] &= !(1 << (slot(at) % 64));
        }
        self.far_pending().map(|far| far.at).min()
    }

    /// Returns the next bus cycle whose row is occupied, searching all rows once, cyclically.
    #[inline(always)]
    fn next_in(&self, occupied: &[u64; WORDS]) -> Option<BusCycle> {
        let start = slot(self.now + 1);
        let near = occupied[start / 64] & !0 << (start % 64);
        if near != 0 {
            return Some(self.now + 1 + (near.trailing_zeros() as usize - start % 64) as u64);
        }
        for i in 1..=WORDS {
            let index = (start / 64 + i) % WORDS;
            if occupied[index] != 0 {
                let found = index * 64 + occupied[index].trailing_zeros() as usize;
                return Some(self.now + 1 + ((found + HORIZON - start) % HORIZON) as u64);
            }
        }
        None
    }

    /// Moves heap entries that have come within the horizon to their rows.
    #[inline(always)]
    fn fetch_far(&mut self) {
        while let Some(Reverse(far)) = self.far.peek() {
            if far.at - self.now >= HORIZON as u64 {
                break;
            }
            let Some(Reverse(Far { at, stage, event, .. })) = self.far.pop() else { break };
            match event {
                Some(event) => self.put(at, stage, event),
                None if self.wakes_at(stage) == at => self.set(at, stage),
                None => (),
            }
        }
    }

    /// Calls `visit` for each pending wake and event, in order. The arguments are the number of bus cycles from now,
    /// the stage, and the event (`None` for a wake).
    pub fn for_each(&self, mut visit: impl FnMut(BusCycle, Stage, Option<&E>)) {
        let Calendar {
            now,
            due_now,
            due,
            occupied,
            lanes,
            // Only distinguishes valid wakes from superseded wakes; `due` and `far` contain all valid wakes.
            wakes: _,
            far: _,
            // Only numbers the heap entries; the order of the numbers matters, but not their values.
            far_pushed: _,
        } = self;
        for distance in 0..HORIZON as u64 {
            let slot = slot(now + distance);
            let row = match distance {
                0 => *due_now,
                _ if occupied[slot / 64] >> (slot % 64) & 1 == 1 => due[slot],
                _ => continue,
            };
            for stage in stages_of(row) {
                match lanes.get(usize::from(stage)) {
                    Some(Lane { rows, taken }) => {
                        let taken = if distance == 0 { *taken } else { 0 };
                        rows[slot][taken..].iter().for_each(|event| visit(distance, stage, Some(event)));
                    }
                    None => visit(distance, stage, None),
                }
            }
        }
        let mut far: Vec<_> = self.far_pending().collect();
        far.sort_by_key(|far| (far.at, far.stage, far.order));
        // The heap contains a unit's wake twice for the same bus cycle if a wake for an earlier cycle was added in
        // between.
        far.dedup_by_key(|far| (far.at, far.stage, far.event.as_ref().map(|_| far.order)));
        far.iter().for_each(|far| visit(far.at - now, far.stage, far.event.as_ref()));
    }

    /// Heap entries beyond the horizon, without superseded wakes.
    fn far_pending(&self) -> impl Iterator<Item = &Far<E>> {
        let far = self.far.iter().map(|Reverse(far)| far);
        far.filter(|far| far.event.is_some() || self.wakes_at(far.stage) == far.at)
    }
}

/// The row of a bus cycle.
#[inline(always)]
fn slot(at: BusCycle) -> usize {
    at as usize % HORIZON
}

/// Index of the mask word that contains a stage's bit, and the bit itself.
#[inline(always)]
fn word_and_bit(stage: Stage) -> (usize, u64) {
    (usize::from(stage) / 64 % 2, 1 << (stage % 64))
}

/// Whether nothing is due in a row.
#[inline(always)]
fn is_empty(row: &Row) -> bool {
    row.iter().fold(0, |all, word| all | word) == 0
}

/// The stages whose bits are set.
fn stages_of(row: Row) -> impl Iterator<Item = Stage> {
    (0..STAGES as Stage).filter(move |stage| {
        let (word, bit) = word_and_bit(*stage);
        row[word] & bit != 0
    })
}
