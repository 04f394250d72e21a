//! The cache lines of memory that commands are using, and the commands that are held until their line is free.
//!
//! Commands to one line do not overlap. While memory serves a line, the concentrator holds the commands of
//! other units that memory will serve, and releases them one at a time, first come, first served.

use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// Number of hash buckets; each bucket counts its lines in use.
const BUCKETS: usize = 256;

/// Returns the hash bucket of a line. The hash puts buffers at power-of-two distances into different buckets.
#[inline(always)]
fn bucket(line: u64) -> usize {
    (line ^ line >> 8 ^ line >> 16) as usize % BUCKETS
}

/// A line in use.
#[derive(Clone, Copy, Debug)]
struct InUse {
    line: u64,
    by: RampIndex,
    until: BusCycle,
}

/// A command held for its line.
#[derive(Clone, Copy, Debug)]
struct Held {
    line: u64,
    ramp: RampIndex,
    request: RequestId,
}

/// Lines in use, and the commands held for them.
#[derive(Clone, Debug)]
pub struct Lines {
    in_use: VecDeque<InUse>,
    /// Number of lines in use in each hash bucket. Most look-ups find a count of zero and end there, because most
    /// lines are not in use.
    bucket_counts: [u32; BUCKETS],
    /// Held commands, oldest first.
    held: Vec<Held>,
    /// Time at which the next held command can be released.
    release_at: BusCycle,
}

impl Lines {
    /// No line in use.
    pub fn new() -> Lines {
        Lines { in_use: VecDeque::new(), bucket_counts: [0; BUCKETS], held: Vec::new(), release_at: NEVER }
    }

    /// Tries to take a line for a unit's command, and succeeds if no other unit's command is using the line. The line
    /// is then in use until `until`.
    pub fn take(&mut self, line: u64, by: RampIndex, now: BusCycle, until: BusCycle) -> bool {
        while let Some(used) = self.in_use.front().filter(|used| used.until <= now) {
            self.bucket_counts[bucket(used.line)] -= 1;
            self.in_use.pop_front();
        }
        let is_free = self.free_at(line, by) <= now;
        if is_free {
            self.in_use.push_back(InUse { line, by, until });
            self.bucket_counts[bucket(line)] += 1;
            self.plan_release();
        }
        is_free
    }

    /// Like [`Lines::take`], but the command must wait for all commands that are held for the same line. If the
    /// command cannot take the line, it is held, too.
    pub fn take_or_hold(
        &mut self,
        line: u64,
        ramp: RampIndex,
        request: RequestId,
        now: BusCycle,
        until: BusCycle,
    ) -> bool {
        let others_wait = self.held.iter().any(|held| held.line == line);
        let goes_through = !others_wait && self.take(line, ramp, now, until);
        if !goes_through {
            self.held.push(Held { line, ramp, request });
            self.plan_release();
        }
        goes_through
    }

    /// Like [`Lines::take`], but does nothing if a command is held for the line: the unit has used the line before, and
    /// others must not wait for it again and again.
    #[inline(never)]
    pub fn keep(&mut self, line: u64, by: RampIndex, now: BusCycle, until: BusCycle) {
        if self.held.iter().all(|held| held.line != line) {
            self.take(line, by, now, until);
        }
    }

    /// Makes a unit's use of a line end at `until`. Returns whether the unit is using the line.
    pub fn end(&mut self, line: u64, by: RampIndex, now: BusCycle, until: BusCycle) -> bool {
        let mut is_using = false;
        for used in self.in_use.iter_mut().filter(|used| used.line == line && used.by == by && used.until > now) {
            used.until = until;
            is_using = true;
        }
        self.plan_release();
        is_using
    }

    /// Releases the oldest held command whose line is free.
    #[inline(always)]
    pub fn release(&mut self, now: BusCycle) -> Option<RequestId> {
        if now < self.release_at { None } else { self.release_first(now) }
    }

    #[inline(never)]
    fn release_first(&mut self, now: BusCycle) -> Option<RequestId> {
        let nth = (0..self.held.len()).find(|nth| self.releasable_at(*nth) <= now)?;
        let held = self.held.remove(nth);
        self.plan_release();
        Some(held.request)
    }

    /// Time at which the next held command can be released; [`NEVER`] if no command is held.
    #[inline(always)]
    pub fn next_release(&self) -> BusCycle {
        self.release_at
    }

    #[inline(always)]
    fn plan_release(&mut self) {
        if !self.held.is_empty() || self.release_at != NEVER {
            self.plan_release_of_held();
        }
    }

    #[inline(never)]
    fn plan_release_of_held(&mut self) {
        self.release_at = (0..self.held.len()).map(|nth| self.releasable_at(nth)).min().unwrap_or(NEVER);
    }

    /// Time at which a held command can be released; [`NEVER`] while an older command is held for the same line.
    fn releasable_at(&self, nth: usize) -> BusCycle {
        let Held { line, ramp, .. } = self.held[nth];
        let is_first = self.held[..nth].iter().all(|held| held.line != line);
        if is_first { self.free_at(line, ramp) } else { NEVER }
    }

    /// Time at which a line is free for a unit if the state does not change. Ignores the unit's own commands, because
    /// one unit's commands always stay in order.
    #[inline(always)]
    fn free_at(&self, line: u64, ramp: RampIndex) -> BusCycle {
        if self.bucket_counts[bucket(line)] == 0 { 0 } else { self.free_at_in_bucket(line, ramp) }
    }

    #[inline(never)]
    fn free_at_in_bucket(&self, line: u64, ramp: RampIndex) -> BusCycle {
        let others = self.in_use.iter().filter(|used| used.line == line && used.by != ramp);
        others.map(|used| used.until).max().unwrap_or(0)
    }

    /// Adds the lines' state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        // Derived from the other fields: `bucket_counts` and `release_at`.
        let Lines { in_use, bucket_counts: _, held, release_at: _ } = self;
        for InUse { line, by, until } in in_use.iter().filter(|used| used.until > now) {
            out.word(line << 8 | u64::from(*by));
            out.deadline(*until, now);
        }
        out.word(held.len() as u64);
        for Held { line: _, ramp: _, request } in held {
            // The line and the ramp are part of the request.
            requests.get(*request).capture(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: u64 = 7;

    fn request(nth: u32) -> RequestId {
        RequestId(nth)
    }

    #[test]
    fn a_command_is_held_one_cycle_before_its_line_is_free_but_not_in_that_cycle() {
        for (now, goes_through) in [(99, false), (100, true)] {
            let mut lines = Lines::new();
            assert!(lines.take(LINE, 0, 0, 100));
            assert_eq!(lines.take_or_hold(LINE, 1, request(1), now, now + 100), goes_through);
            assert_eq!(lines.next_release(), if goes_through { NEVER } else { 100 });
        }
    }

    #[test]
    fn a_command_does_not_wait_for_another_line_or_for_its_own_units_commands() {
        let mut lines = Lines::new();
        assert!(lines.take(LINE, 0, 0, 100));
        assert!(lines.take_or_hold(LINE + 1, 1, request(1), 1, 100));
        assert!(lines.take_or_hold(LINE, 0, request(2), 1, 100));
    }

    #[test]
    fn held_commands_are_released_one_at_a_time_in_order_of_arrival() {
        let mut lines = Lines::new();
        assert!(lines.take(LINE, 0, 0, 100));
        for (unit, now) in [(3, 10), (1, 20), (0, 30)] {
            assert!(!lines.take_or_hold(LINE, unit, request(u32::from(unit)), now, now + 100), "unit {unit}");
        }
        assert_eq!(lines.release(99), None);
        assert_eq!(lines.release(100), Some(request(3)));
        assert!(lines.take(LINE, 3, 100, 150));
        assert_eq!((lines.release(149), lines.next_release()), (None, 150));
        assert!(!lines.take_or_hold(LINE, 2, request(2), 150, 200), "older held commands go first");
        assert_eq!(lines.release(150), Some(request(1)));
    }

    #[test]
    fn a_unit_that_ends_its_use_makes_room_from_then_on() {
        let mut lines = Lines::new();
        assert!(lines.take(LINE, 0, 0, NEVER));
        assert!(!lines.take_or_hold(LINE, 1, request(1), 10, 20));
        assert!(!lines.end(LINE, 1, 15, 16), "another unit cannot end it");
        assert!(lines.end(LINE, 0, 15, 30));
        assert_eq!((lines.release(29), lines.release(30)), (None, Some(request(1))));
    }

    #[test]
    fn a_unit_does_not_keep_a_line_for_which_another_unit_waits() {
        for waits in [false, true] {
            let mut lines = Lines::new();
            assert!(lines.take(LINE, 0, 0, 100));
            assert!(!waits || !lines.take_or_hold(LINE, 1, request(1), 10, 20));
            lines.keep(LINE, 0, 50, 200);
            assert_eq!(lines.take(LINE, 2, 100, 100), waits);
            assert_eq!(lines.next_release(), if waits { 100 } else { NEVER });
        }
    }

    #[test]
    fn a_cache_that_takes_the_line_delays_held_commands() {
        let mut lines = Lines::new();
        assert!(lines.take(LINE, 0, 0, 100));
        assert!(!lines.take_or_hold(LINE, 1, request(1), 10, 110));
        assert!(lines.take(LINE, 2, 100, 127));
        assert_eq!((lines.release(126), lines.release(127)), (None, Some(request(1))));
    }
}
