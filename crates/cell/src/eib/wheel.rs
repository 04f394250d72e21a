//! A timer wheel, which records for each of the next bus cycles the units that are due in it.

use crate::bits::bits;
use crate::units::{BusCycle, NEVER};

/// Number of bus cycles with a separate mask.
const HORIZON: u64 = 64;

/// Due times of up to 32 units, sorted by bus cycle.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    /// Bit mask of units, by bus cycle.
    due: [u32; HORIZON as usize],
    /// Bus cycles with a non-empty mask.
    occupied: u64,
    /// Units that are already due.
    overdue: u32,
    /// Units that are due after the horizon.
    far: u32,
    /// The last bus cycle that was taken.
    taken: BusCycle,
}

impl Wheel {
    /// An empty wheel.
    pub fn new() -> Wheel {
        Wheel { due: [0; HORIZON as usize], occupied: 0, overdue: 0, far: 0, taken: 0 }
    }

    /// Schedules a unit to be due at time `at`.
    #[inline(always)]
    pub fn set(&mut self, unit: u8, at: BusCycle) {
        if at <= self.taken {
            self.overdue |= 1 << unit;
        } else if at - self.taken <= HORIZON {
            let slot = at % HORIZON;
            self.due[slot as usize] |= 1 << unit;
            self.occupied |= 1 << slot;
        } else {
            self.far |= 1 << unit;
        }
    }

    /// Advances to a bus cycle. Removes the units that have become due, and returns them as a mask. `due_at` returns
    /// a unit's due time.
    #[inline(always)]
    pub fn take(&mut self, now: BusCycle, due_at: impl Fn(u8) -> BusCycle) -> u32 {
        let mut taken = std::mem::take(&mut self.overdue);
        if now == self.taken + 1 {
            taken |= self.take_slot(now);
        } else if now > self.taken {
            taken |= self.take_slots(now);
        }
        self.taken = now;
        if self.far != 0 {
            let far = std::mem::take(&mut self.far);
            bits(far).for_each(|unit| self.set(unit, due_at(unit)));
            taken |= std::mem::take(&mut self.overdue);
        }
        taken
    }

    #[inline(always)]
    fn take_slot(&mut self, at: BusCycle) -> u32 {
        let slot = at % HORIZON;
        self.occupied &= !(1 << slot);
        std::mem::take(&mut self.due[slot as usize])
    }

    /// Empties all slots after the last bus cycle that was taken, up to and including the slot of `now`.
    #[inline(always)]
    fn take_slots(&mut self, now: BusCycle) -> u32 {
        let span = now - self.taken;
        let ahead = self.occupied.rotate_right((self.taken + 1) as u32 % 64);
        let reached = if span >= HORIZON { ahead } else { ahead & ((1 << span) - 1) };
        bits(reached).fold(0, |taken, nth| taken | self.take_slot(self.taken + 1 + u64::from(nth)))
    }

    /// Time, past or future, at which the next units are due; [`NEVER`] if no unit is scheduled.
    #[inline(always)]
    pub fn next(&self, due_at: impl Fn(u8) -> BusCycle) -> BusCycle {
        if self.overdue != 0 {
            return self.taken;
        }
        let ahead = self.occupied.rotate_right((self.taken + 1) as u32 % 64);
        let near = if ahead == 0 { NEVER } else { self.taken + 1 + u64::from(ahead.trailing_zeros()) };
        if self.far == 0 { near } else { bits(self.far).map(due_at).fold(near, BusCycle::min) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_when_they_are_due_at_any_distance() {
        let due_at = |unit: u8| [5, 64, 65, 66, 1000][usize::from(unit)];
        let mut wheel = Wheel::new();
        (0..5).for_each(|unit| wheel.set(unit, due_at(unit)));
        let mut seen = Vec::new();
        while wheel.next(due_at) != NEVER {
            let now = wheel.next(due_at);
            seen.push((now, wheel.take(now, due_at)));
        }
        assert_eq!(seen, [(5, 1), (64, 2), (65, 4), (66, 8), (1000, 16)]);
    }

    #[test]
    fn skipped_units_are_taken_later_and_overdue_ones_at_once() {
        let due_at = |_: u8| 0;
        let mut wheel = Wheel::new();
        [(0, 3), (1, 9), (2, 70)].into_iter().for_each(|(unit, at)| wheel.set(unit, at));
        assert_eq!(wheel.take(9, |_| 70), 0b11);
        wheel.set(3, 9);
        assert_eq!((wheel.next(due_at), wheel.take(9, due_at)), (9, 0b1000));
        assert_eq!((wheel.next(due_at), wheel.take(200, due_at), wheel.next(due_at)), (70, 0b100, NEVER));
    }
}
