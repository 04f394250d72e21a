//! The command phase: address concentrator, reflection, snoop, combined response.
//!
//! ```text
//!   unit ── command_issue ──> queue of the unit ──┐
//!   unit ── command_issue ──> queue of the unit ──┼─ in turn ──> AC1 ─┬─ local ──> ordered
//!                    commands held for a line ────┘                   └─ global ─┐
//!                                              AC1 of the other chip ── global ──┴─> AC0 ──> ordered
//!
//!   ordered ──> reflected to all units, which snoop ── command_response ──> combined response to the issuer
//!                                                      (Retry: the issuer sends it again)
//! ```
//! A command reaches the concentrator `command_issue_bus_cycles` after its unit has sent it; the PPE's L2 has a
//! separate value. The concentrator takes the waiting commands of all units in turn, `commands_per_bus_cycle` in each
//! cycle. When the concentrator takes a command, the command is ordered, and affects reservations and cached lines.
//! Every unit receives the combined response `command_response_bus_cycles` later. A unit has `command_credits` credits
//! at its concentrator. Sending a command takes a credit, which the combined response returns.
//!
//! Commands to one line of memory do not overlap. The concentrator remembers the line of each recent command: for
//! `line_read_bus_cycles` or `line_write_bus_cycles` if memory serves the line, or for `cached_match_bus_cycles` if
//! only caches serve it. An unconditional put of a lock line counts as a write to memory, even if the line is in a
//! cache. A later command to such a line is held until the line is free, if memory will serve the command. If a cache
//! will serve the command, or if the command only claims the line, the response is Retry, and the unit sends the
//! command again `retry_bus_cycles` later, up to `most_retries` times; if atomic units keep lines
//! (`atomic.keep_bus_cycles`), the command is held instead. The chip's performance monitor has counters for hits of the
//! "previous adjacent address match" memory and for retry responses.
//!
//! A machine with two chips has a second level. A local command, to a local store or a register of its own chip, stays
//! with that chip's concentrator (AC1). A global command (to main memory or to the other chip, or one that only orders
//! other commands) goes on to AC0. The units that send commands to AC0 are the AC1s of both chips. AC0 orders one
//! command every `bif.global_command_bus_cycles`. A global command is reflected on both chips, and its combined
//! response comes `bif.reflection_bus_cycles` later than that of a local command. The chip's performance monitor
//! counts local and global commands separately. A global command keeps its credit at AC1 until the command is complete
//! and its line has been transferred, so get and put commands of one SPE compete for the SPE's credits. Commands to
//! local stores return their credits early and hardly affect each other.
//!
//! MODEL: four durations are fitted: the time for which a line is remembered, the wait of a unit before it retries, the
//! cost of the second level, and the time for which a global command keeps its credit. A global command takes effect
//! on both chips at the moment when AC0 orders it, regardless of the distance between the chips.

use super::lines::Lines;
use super::wheel::Wheel;
use crate::bits::bits;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// An address concentrator, with the commands on their way to it.
pub struct CommandNetwork {
    queues: Vec<VecDeque<(BusCycle, RequestId)>>,
    /// Bit mask of the units whose first command has arrived. `coming` contains the other units, by the arrival time
    /// of their first command.
    waiting: u32,
    coming: Wheel,
    turn: u8,
    /// Number of commands in all queues.
    queued: u64,
    /// Lines in use. Only the concentrator that orders commands to memory has entries.
    pub lines: Lines,
    /// The concentrator orders no command before this time.
    idle_until: BusCycle,
}

/// A command that a concentrator has taken, either on arrival or after holding it.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The request of the command.
    pub id: RequestId,
    /// Whether the command was held until its line was free.
    pub was_held: bool,
}

impl CommandNetwork {
    /// An idle network for `units` units.
    pub fn new(units: usize) -> CommandNetwork {
        CommandNetwork {
            queues: vec![VecDeque::new(); units],
            waiting: 0,
            coming: Wheel::new(),
            turn: 0,
            queued: 0,
            lines: Lines::new(),
            idle_until: 0,
        }
    }

    /// Sends a unit's command, which arrives at `arrival`, but not before the unit's earlier commands. Returns the
    /// arrival time.
    #[inline(always)]
    pub fn send(&mut self, ramp: RampIndex, request: RequestId, arrival: BusCycle) -> BusCycle {
        let ramp = usize::from(ramp);
        let arrival = self.queues[ramp].back().map_or(arrival, |(before, _)| arrival.max(*before));
        self.push(ramp, request, arrival);
        arrival
    }

    /// Accepts a command from the concentrator of a chip. The command arrives at once.
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
        self.queued += 1;
    }

    /// Makes the concentrator order no command before `until`.
    pub fn rest(&mut self, until: BusCycle) {
        self.idle_until = until;
    }

    /// Takes a waiting command: a held command whose line is free if there is one, otherwise a command of the next unit
    /// in turn.
    #[inline(always)]
    pub fn take(&mut self, now: BusCycle) -> Option<Taken> {
        if now < self.idle_until {
            return None;
        }
        if let Some(id) = self.lines.release(now) {
            return Some(Taken { id, was_held: true });
        }
        self.take_arrived(now).map(|id| Taken { id, was_held: false })
    }

    #[inline(always)]
    fn take_arrived(&mut self, now: BusCycle) -> Option<RequestId> {
        let CommandNetwork { queues, waiting, coming, turn, queued, .. } = self;
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
        *queued -= 1;
        match queue.front() {
            Some((arrival, _)) if *arrival <= now => (),
            next => {
                *waiting &= !(1 << unit);
                next.into_iter().for_each(|(arrival, _)| coming.set(unit, *arrival));
            }
        }
        Some(request)
    }

    /// Earliest time at which a command can be ordered. This is `now` if a command waits, and [`NEVER`] if no command
    /// is on its way or held.
    #[inline(always)]
    pub fn next_arrival(&self, now: BusCycle) -> BusCycle {
        let first = if self.waiting != 0 { now } else { self.coming.next(|unit| first_at(&self.queues, unit)) };
        first.min(self.lines.next_release()).max(self.idle_until)
    }

    /// Arrival times, past or future, of the commands that are not yet ordered.
    pub fn arrivals(&self) -> impl Iterator<Item = BusCycle> {
        self.queues.iter().flatten().map(|(arrival, _)| *arrival)
    }

    /// Number of commands that have arrived or are on their way.
    #[inline(always)]
    pub fn queued(&self) -> u64 {
        self.queued
    }

    /// Number of waiting commands that have arrived.
    #[inline(never)]
    pub fn arrived(&mut self, now: BusCycle) -> u64 {
        let CommandNetwork { queues, waiting, coming, .. } = self;
        *waiting |= coming.take(now, |unit| first_at(queues, unit));
        let arrived = |queue: &VecDeque<(BusCycle, _)>| queue.iter().take_while(|(arrival, _)| *arrival <= now).count();
        bits(*waiting).map(|unit| arrived(&queues[usize::from(unit)])).sum::<usize>() as u64
    }

    /// Adds the network's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, requests: &Pool, out: &mut Snapshot) {
        let CommandNetwork {
            queues,
            turn,
            lines,
            idle_until,
            // Derived from the queues.
            waiting: _,
            coming: _,
            queued: _,
        } = self;
        out.word(u64::from(*turn));
        out.deadline(*idle_until, now);
        for queue in queues {
            out.word(queue.len() as u64);
            for (arrival, request) in queue {
                out.deadline(*arrival, now);
                requests.get(*request).capture(out);
            }
        }
        lines.capture(now, requests, out);
    }
}

/// Arrival time, past or future, of a unit's first command.
fn first_at(queues: &[VecDeque<(BusCycle, RequestId)>], unit: u8) -> BusCycle {
    queues[usize::from(unit)].front().map_or(NEVER, |(arrival, _)| *arrival)
}
