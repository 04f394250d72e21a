//! The heads of the queues before the on-ramps: since when each waits, and when it is worth trying again.

use super::ramp::DataRequest;
use super::ring::{RAMPS_MAX, Ways};
use super::wheel::Wheel;
use crate::bits::bits;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};

/// A head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Time from which it could be granted; [`NEVER`] if the queue is empty.
    pub since: BusCycle,
    /// Earliest time, not before `since`, at which it might be granted.
    try_at: BusCycle,
    /// How many heads there were before it.
    number: u64,
    /// Its off-ramp.
    pub to: RampIndex,
    /// Whether its data were read.
    pub read: bool,
    /// Where it may go.
    pub ways: Ways,
}

/// The heads of all queues; a mask has a bit for each on-ramp.
pub(super) struct Heads {
    heads: [Head; RAMPS_MAX],
    numbered: u64,
    /// Those that could be granted by now, but for others.
    ready: u32,
    /// Those of them that are worth a try.
    due: u32,
    /// Those that wait for another head to be granted.
    held_back: u32,
    /// By off-ramp: those that want it.
    wanted_by: [u32; RAMPS_MAX],
    /// Those to be tried later, and heads that are gone.
    coming: Wheel,
}

impl Heads {
    /// All queues are empty.
    pub fn none() -> Heads {
        Heads {
            heads: [Head { since: NEVER, try_at: NEVER, number: 0, to: 0, read: false, ways: Ways::NONE }; RAMPS_MAX],
            numbered: 0,
            ready: 0,
            due: 0,
            held_back: 0,
            wanted_by: [0; RAMPS_MAX],
            coming: Wheel::new(),
        }
    }

    /// The head of a queue.
    #[inline(always)]
    pub fn head(&self, from: RampIndex) -> &Head {
        &self.heads[usize::from(from) % RAMPS_MAX]
    }

    /// Another line is the head of a queue, or none; it cannot be granted before `not_before`, and goes one of `ways`.
    #[inline(always)]
    pub fn renew(&mut self, from: RampIndex, line: Option<(&DataRequest, &Ways)>, not_before: BusCycle) {
        let (index, bit) = (usize::from(from) % RAMPS_MAX, 1 << from);
        self.held_back = 0;
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
        self.heads[index] =
            Head { since, try_at: since, number: self.numbered, to: line.to, read: line.read, ways: *ways };
        self.coming.set(from, since);
    }

    /// A head is worth a try again at `at`, which is not now.
    #[inline(always)]
    pub fn put_off(&mut self, from: RampIndex, at: BusCycle) {
        self.due &= !(1 << from);
        self.heads[usize::from(from) % RAMPS_MAX].try_at = at;
        self.coming.set(from, at);
    }

    /// A head waits until another one is granted.
    #[inline(always)]
    pub fn hold_back(&mut self, from: RampIndex) {
        self.held_back |= 1 << from;
    }

    /// Moves on to a bus cycle.
    #[inline(always)]
    pub fn advance(&mut self, now: BusCycle) {
        let Heads { heads, coming, .. } = self;
        for from in bits(coming.take(now, |from| heads[usize::from(from) % RAMPS_MAX].try_at)) {
            // What was to be tried may have gone, or been put off.
            if heads[usize::from(from) % RAMPS_MAX].try_at > now {
                continue;
            }
            self.due |= 1 << from;
            if self.ready >> from & 1 == 0 {
                self.ready |= 1 << from;
                self.held_back = 0;
            }
        }
    }

    /// Earliest time after `now` at which a head is worth a try.
    #[inline(always)]
    pub fn next_try(&self, now: BusCycle) -> BusCycle {
        if self.candidates() != 0 {
            return now + 1;
        }
        self.coming.next(|from| self.head(from).try_at).max(now + 1)
    }

    /// Heads that are worth a try now.
    #[inline(always)]
    pub fn candidates(&self) -> u32 {
        self.due & !self.held_back
    }

    /// Heads that take part, all but one.
    #[inline(always)]
    pub fn others(&self, from: RampIndex) -> u32 {
        self.ready & !(1 << from)
    }

    /// Heads that take part and want an off-ramp, all but one.
    #[inline(always)]
    pub fn rivals(&self, from: RampIndex, to: RampIndex) -> u32 {
        self.wanted_by[usize::from(to) % RAMPS_MAX] & self.others(from)
    }

    /// Whether a head has waited longer than another one or, if equally long, came first.
    #[inline(always)]
    pub fn is_older(&self, this: RampIndex, other: RampIndex) -> bool {
        let age = |ramp| (self.head(ramp).since, self.head(ramp).number);
        age(this) < age(other)
    }

    /// Adds their state, relative to `now`; how long a head has waited makes no difference from `age_limit` on, but
    /// for the order of heads.
    pub fn capture(&self, age_limit: u64, now: BusCycle, out: &mut Snapshot) {
        let Heads {
            heads,
            // Numbers heads in their order, which is what counts.
            numbered: _,
            held_back,
            // What the heads say, at hand.
            ready: _,
            due: _,
            wanted_by: _,
            coming: _,
        } = self;
        out.word(u64::from(*held_back));
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
