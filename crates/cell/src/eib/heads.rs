//! The heads of the queues at the on-ramps, with the time at which each head began to wait and the time at which the
//! arbiter next tries to grant it.

use super::ramp::DataRequest;
use super::ring::{RAMPS_MAX, Ways};
use super::wheel::Wheel;
use crate::bits::bits;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};

/// The arbiter's view of the first line in a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Time since which the head is ready to be granted; [`NEVER`] if the queue is empty.
    pub since: BusCycle,
    /// Earliest time, not before `since`, at which the head might be granted.
    try_at: BusCycle,
    /// Sequence number of the head, which decides between heads of equal age.
    number: u64,
    /// The off-ramp.
    pub to: RampIndex,
    /// Whether the line contains the data of a read.
    pub read: bool,
    /// The possible routes.
    pub ways: Ways,
}

/// The heads of all queues. Each mask has a bit for each on-ramp.
pub(super) struct Heads {
    heads: [Head; RAMPS_MAX],
    numbered: u64,
    /// Heads that are ready and take part in arbitration.
    ready: u32,
    /// Ready heads that the arbiter must try to grant now.
    due: u32,
    /// Heads that wait for another head to be granted.
    blocked: u32,
    /// Heads by destination off-ramp.
    wanted_by: [u32; RAMPS_MAX],
    /// Heads that the arbiter tries later. Heads that have been replaced may still be in this wheel.
    coming: Wheel,
}

impl Heads {
    /// Creates the heads of empty queues.
    pub fn empty() -> Heads {
        Heads {
            heads: [Head { since: NEVER, try_at: NEVER, number: 0, to: 0, read: false, ways: Ways::NONE }; RAMPS_MAX],
            numbered: 0,
            ready: 0,
            due: 0,
            blocked: 0,
            wanted_by: [0; RAMPS_MAX],
            coming: Wheel::new(),
        }
    }

    /// Returns the head of a queue.
    #[inline(always)]
    pub fn head(&self, from: RampIndex) -> &Head {
        &self.heads[usize::from(from) % RAMPS_MAX]
    }

    /// Replaces the head of a queue. `line` is `None` if the queue is empty. The new head cannot be granted before
    /// `not_before`, and has the given routes.
    #[inline(always)]
    pub fn renew(&mut self, from: RampIndex, line: Option<(&DataRequest, Ways)>, not_before: BusCycle) {
        let (index, bit) = (usize::from(from) % RAMPS_MAX, 1 << from);
        self.blocked = 0;
        self.ready &= !bit;
        self.due &= !bit;
        self.wanted_by[usize::from(self.heads[index].to) % RAMPS_MAX] &= !bit;
        let Some((line, ways)) = line else {
            (self.heads[index].since, self.heads[index].try_at) = (NEVER, NEVER);
            return;
        };
        self.wanted_by[usize::from(line.to) % RAMPS_MAX] |= bit;
        let since = line.ready_at.max(not_before);
        self.numbered += 1;
        self.heads[index] = Head { since, try_at: since, number: self.numbered, to: line.to, read: line.read, ways };
        self.coming.set(from, since);
    }

    /// Schedules the next try of a head for `at`, which must be in the future.
    #[inline(always)]
    pub fn retry_at(&mut self, from: RampIndex, at: BusCycle) {
        self.due &= !(1 << from);
        self.heads[usize::from(from) % RAMPS_MAX].try_at = at;
        self.coming.set(from, at);
    }

    /// Blocks a head until another head is granted.
    #[inline(always)]
    pub fn block(&mut self, from: RampIndex) {
        self.blocked |= 1 << from;
    }

    /// Advances to a bus cycle.
    #[inline(always)]
    pub fn advance(&mut self, now: BusCycle) {
        let Heads { heads, coming, .. } = self;
        for from in bits(coming.take(now, |from| heads[usize::from(from) % RAMPS_MAX].try_at)) {
            // The head may have been replaced or postponed since it was added to the wheel.
            if heads[usize::from(from) % RAMPS_MAX].try_at > now {
                continue;
            }
            self.due |= 1 << from;
            if self.ready >> from & 1 == 0 {
                self.ready |= 1 << from;
                self.blocked = 0;
            }
        }
    }

    /// Earliest time after `now` at which the arbiter must try a head.
    #[inline(always)]
    pub fn next_try(&self, now: BusCycle) -> BusCycle {
        if self.candidates() != 0 {
            return now + 1;
        }
        self.coming.next(|from| self.head(from).try_at).max(now + 1)
    }

    /// Heads to try now.
    #[inline(always)]
    pub fn candidates(&self) -> u32 {
        self.due & !self.blocked
    }

    /// All heads that take part in arbitration, except the head at `from`.
    #[inline(always)]
    pub fn others(&self, from: RampIndex) -> u32 {
        self.ready & !(1 << from)
    }

    /// All heads that take part in arbitration for an off-ramp, except the head at `from`.
    #[inline(always)]
    pub fn rivals(&self, from: RampIndex, to: RampIndex) -> u32 {
        self.wanted_by[usize::from(to) % RAMPS_MAX] & self.others(from)
    }

    /// The head among these heads that has waited longest.
    #[inline(always)]
    pub fn oldest(&self, candidates: u32) -> RampIndex {
        let mut oldest = (NEVER, 0, 0);
        for from in bits(candidates) {
            let Head { since, number, .. } = self.head(from);
            if *since < oldest.0 || *since == oldest.0 && *number < oldest.1 {
                oldest = (*since, *number, from);
            }
        }
        oldest.2
    }

    /// Whether a head has waited longer than another head. If two heads have waited equally long, the head that came
    /// first is older.
    #[inline(always)]
    pub fn is_older(&self, this: RampIndex, other: RampIndex) -> bool {
        let age = |ramp| (self.head(ramp).since, self.head(ramp).number);
        age(this) < age(other)
    }

    /// Adds the heads' state to a snapshot, relative to `now`. Once a wait is longer than `age_limit`, its exact
    /// duration has no effect except on the order of the heads.
    pub fn capture(&self, age_limit: u64, now: BusCycle, out: &mut Snapshot) {
        let Heads {
            heads,
            // The last sequence number; only the order of the heads matters.
            numbered: _,
            blocked,
            // Derived from the heads.
            ready: _,
            due: _,
            wanted_by: _,
            coming: _,
        } = self;
        out.word(u64::from(*blocked));
        let mut by_age: Vec<(u64, u64, u8)> =
            (0..).zip(heads).map(|(from, head)| (head.since, head.number, from)).collect();
        by_age.sort_unstable();
        for (since, _, from) in by_age.into_iter().filter(|(since, ..)| *since != NEVER) {
            let Head { since: _, try_at, number: _, to: _, read: _, ways: _ } = heads[usize::from(from)];
            out.word(u64::from(from));
            out.age(since, now, age_limit);
            out.deadline(since, now);
            out.deadline(try_at, now);
        }
    }
}
