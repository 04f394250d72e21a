//! The command phase: address concentrator, snoop, combined response.
//!
//! A command reaches the concentrator `command_issue_bus_cycles` (of the PPE's L2: its own) after its unit sent it; the
//! concentrator takes the waiting commands of all units in turn, `commands_per_bus_cycle` of them a
//! cycle, and at that moment they are ordered: what a command does to reservations and cached lines
//! it does then.  `command_response_bus_cycles` later every unit has the combined response.  A unit
//! has `command_credits` places at its concentrator; a command takes one when it is sent, and leaves it with
//! its combined response.
//!
//! Commands to one line of memory do not overlap.  The concentrator keeps the lines of recent commands: for
//! `line_read_bus_cycles` or `line_write_bus_cycles` where memory has to deal with the line, for
//! `cached_match_bus_cycles` where only the atomic units do.  A command to one of them that memory is to answer is
//! held until the line is free; one that a cache answers, or that only claims the line, gets the response Retry, and
//! its unit sends it again `retry_bus_cycles` later.  The performance monitor counts hits of the "previous adjacent
//! address match" memory, and retry responses.
//!
//! On a machine of two chips there is a second level.  A command to a local store or a register of the own
//! chip stays with that chip's concentrator (AC1).  One to main memory or to the other chip, and one that
//! orders others, goes on to AC0, whose units are the AC1s: it orders one command every
//! `bif.global_command_bus_cycles`, it is reflected on both chips, and its combined response comes
//! `bif.reflection_bus_cycles` later.  The performance monitor counts local and global commands.  A global
//! command keeps its place at AC1 until it is done and its line has moved, so that gets and puts of one SPE share
//! its places; those to local stores, which leave them early, hardly notice each other.
//!
//! MODEL: how long a line stays in that memory, how long a unit waits, what the second level costs and how long a
//! global command keeps its place are fitted; a global command takes effect on both chips at the moment when AC0
//! orders it, however far they are.

use super::lines::Lines;
use super::ring::RAMPS_MAX;
use super::wheel::Wheel;
use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// Most units of a concentrator.
const UNITS_MAX: usize = RAMPS_MAX;

/// An address concentrator, and the commands on their way to it.
pub struct CommandNetwork {
    queues: Vec<VecDeque<(BusCycle, RequestId)>>,
    /// Units, as a mask, whose first command has arrived, and when those of others do.
    waiting: u32,
    coming: Wheel,
    credits: [i32; UNITS_MAX],
    turn: u8,
    /// Lines in use; only the concentrator that orders commands to memory has any.
    pub lines: Lines,
    /// Time before which it orders nothing.
    resting_until: BusCycle,
}

/// A command that a concentrator has taken: one that has arrived, or one that it held.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Its request.
    pub id: RequestId,
    /// Whether it was held, until its line was free.
    pub was_held: bool,
}

impl CommandNetwork {
    /// An idle network for `units` units.
    pub fn new(machine: &Machine, units: usize) -> CommandNetwork {
        CommandNetwork {
            queues: vec![VecDeque::new(); units],
            waiting: 0,
            coming: Wheel::new(),
            credits: [machine.eib.command_credits as i32; UNITS_MAX],
            turn: 0,
            lines: Lines::new(),
            resting_until: 0,
        }
    }

    /// Whether a unit may send a command.
    #[inline(always)]
    pub fn has_credit(&self, ramp: u8) -> bool {
        self.credits[usize::from(ramp) % UNITS_MAX] > 0
    }

    /// Sends a unit's command; it arrives at `arrival`, or after those that the unit sent before.
    #[inline(always)]
    pub fn send(&mut self, ramp: RampIndex, request: RequestId, arrival: BusCycle) -> BusCycle {
        let ramp = usize::from(ramp);
        // Only the MFC asks for a credit first; what the others send is rare and goes on top.
        self.credits[ramp % UNITS_MAX] -= 1;
        let arrival = self.queues[ramp].back().map_or(arrival, |(before, _)| arrival.max(*before));
        self.push(ramp, request, arrival);
        arrival
    }

    /// Takes over a command from the concentrator of a chip; it arrives at once.
    pub fn ascend(&mut self, chip: u8, request: RequestId, now: BusCycle) {
        self.push(usize::from(chip), request, now);
    }

    #[inline(always)]
    fn push(&mut self, unit: usize, request: RequestId, arrival: BusCycle) {
        let queue = &mut self.queues[unit];
        if queue.is_empty() {
            self.coming.set(unit as u8, arrival);
        }
        queue.push_back((arrival, request));
    }

    /// Orders nothing before `until`.
    pub fn rest(&mut self, until: BusCycle) {
        self.resting_until = until;
    }

    /// One of the unit's places is free again.
    #[inline(always)]
    pub fn return_credit(&mut self, ramp: u8) {
        self.credits[usize::from(ramp) % UNITS_MAX] += 1;
    }

    /// Takes one command, if there is one: one that was held and whose line is free, or else one that has arrived, of
    /// the next unit in turn that has any.
    #[inline(always)]
    pub fn take(&mut self, now: BusCycle) -> Option<Taken> {
        if now < self.resting_until {
            return None;
        }
        if let Some(id) = self.lines.release(now) {
            return Some(Taken { id, was_held: true });
        }
        self.take_arrived(now).map(|id| Taken { id, was_held: false })
    }

    #[inline(always)]
    fn take_arrived(&mut self, now: BusCycle) -> Option<RequestId> {
        let CommandNetwork { queues, waiting, coming, turn, .. } = self;
        *waiting |= coming.take(now, |unit| first_at(queues, unit));
        let behind_turn = *waiting & !0 << *turn;
        let first = if behind_turn != 0 { behind_turn } else { *waiting };
        if first == 0 {
            return None;
        }
        let unit = first.trailing_zeros() as u8;
        *turn = if usize::from(unit) + 1 == queues.len() { 0 } else { unit + 1 };
        let queue = &mut queues[usize::from(unit)];
        let (_, request) = queue.pop_front()?;
        match queue.front() {
            Some((arrival, _)) if *arrival <= now => (),
            next => {
                *waiting &= !(1 << unit);
                next.into_iter().for_each(|(arrival, _)| coming.set(unit, *arrival));
            }
        }
        Some(request)
    }

    /// Earliest time, `now` if there is one already, at which a command can be ordered; [`NEVER`] if none is on its way
    /// or held.
    #[inline(always)]
    pub fn next_arrival(&self, now: BusCycle) -> BusCycle {
        let first = if self.waiting != 0 { now } else { self.coming.next(|unit| first_at(&self.queues, unit)) };
        first.min(self.lines.next_release()).max(self.resting_until)
    }

    /// When the commands that are not yet ordered arrive, or did.
    pub fn arrivals(&self) -> impl Iterator<Item = BusCycle> {
        self.queues.iter().flatten().map(|(arrival, _)| *arrival)
    }

    /// Number of commands that have arrived and wait.
    pub fn arrived(&self, now: BusCycle) -> u64 {
        let arrived = |queue: &VecDeque<(BusCycle, _)>| queue.iter().take_while(|(arrival, _)| *arrival <= now).count();
        self.queues.iter().map(arrived).sum::<usize>() as u64
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let CommandNetwork {
            queues,
            credits,
            turn,
            lines,
            resting_until,
            // What the queues say, at hand.
            waiting: _,
            coming: _,
        } = self;
        out.word(u64::from(*turn));
        out.deadline(*resting_until, now);
        for (queue, credits) in queues.iter().zip(credits) {
            out.word((i64::from(*credits) << 32) as u64 | queue.len() as u64);
            for (arrival, request) in queue {
                out.deadline(*arrival, now);
                requests.get(*request).capture(out);
            }
        }
        lines.capture(now, requests, out);
    }
}

/// When the first command of a unit arrives, or did.
fn first_at(queues: &[VecDeque<(BusCycle, RequestId)>], unit: u8) -> BusCycle {
    queues[usize::from(unit)].front().map_or(NEVER, |(arrival, _)| *arrival)
}
