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
use crate::machine::Machine;
use crate::request::{Pool, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, RampIndex};
use std::collections::VecDeque;

/// An address concentrator, and the commands on their way to it.
pub struct CommandNetwork {
    queues: Vec<VecDeque<(BusCycle, RequestId)>>,
    waiting: u32,
    /// Arrival times of the commands still on their way, the earliest first.
    on_the_way: VecDeque<BusCycle>,
    /// Number of commands that have arrived and wait.
    arrived: u64,
    credits: Vec<i32>,
    turn: usize,
    /// Lines in use; only the concentrator that orders commands to memory has any.
    pub lines: Lines,
    /// Time before which it orders nothing.
    resting_until: BusCycle,
}

impl CommandNetwork {
    /// An idle network for `units` units.
    pub fn new(machine: &Machine, units: usize) -> CommandNetwork {
        CommandNetwork {
            queues: vec![VecDeque::new(); units],
            waiting: 0,
            on_the_way: VecDeque::new(),
            arrived: 0,
            credits: vec![machine.eib.command_credits as i32; units],
            turn: 0,
            lines: Lines::new(),
            resting_until: 0,
        }
    }

    /// Whether a unit may send a command.
    pub fn has_credit(&self, ramp: u8) -> bool {
        self.credits[ramp as usize] > 0
    }

    /// Sends a unit's command; it arrives at `arrival`, or after those that the unit sent before.
    pub fn send(&mut self, ramp: RampIndex, request: RequestId, arrival: BusCycle) -> BusCycle {
        let ramp = usize::from(ramp);
        // Only the MFC asks for a credit first; what the others send is rare and goes on top.
        self.credits[ramp] -= 1;
        let arrival = self.queues[ramp].back().map_or(arrival, |(before, _)| arrival.max(*before));
        self.push(ramp, request, arrival);
        arrival
    }

    /// Takes over a command from the concentrator of a chip; it arrives at once.
    pub fn ascend(&mut self, chip: u8, request: RequestId, now: BusCycle) {
        self.push(usize::from(chip), request, now);
    }

    fn push(&mut self, unit: usize, request: RequestId, arrival: BusCycle) {
        self.waiting |= 1 << unit;
        self.queues[unit].push_back((arrival, request));
        let later = self.on_the_way.iter().rev().take_while(|at| **at > arrival).count();
        self.on_the_way.insert(self.on_the_way.len() - later, arrival);
    }

    /// Orders nothing before `until`.
    pub fn rest(&mut self, until: BusCycle) {
        self.resting_until = until;
    }

    /// One of the unit's places is free again.
    pub fn return_credit(&mut self, ramp: u8) {
        self.credits[ramp as usize] += 1;
    }

    /// Lets a command through that was held, if its line is free.
    pub fn release(&mut self, now: BusCycle) -> Option<RequestId> {
        if now < self.resting_until { None } else { self.lines.release(now) }
    }

    /// Takes one command, if one has arrived.
    pub fn advance(&mut self, now: BusCycle) -> Option<RequestId> {
        if now < self.resting_until {
            return None;
        }
        let n = self.queues.len();
        // Units from `turn` on, then those before it.
        let later = self.waiting & (!0 << self.turn);
        for mut mask in [later, self.waiting & !later] {
            while mask != 0 {
                let ramp = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if self.queues[ramp].front().is_some_and(|(arrival, _)| *arrival <= now) {
                    self.turn = (ramp + 1) % n;
                    let (_, request) = self.queues[ramp].pop_front()?;
                    self.arrived = self.arrived(now) - 1;
                    if self.queues[ramp].is_empty() {
                        self.waiting &= !(1 << ramp);
                    }
                    return Some(request);
                }
            }
        }
        None
    }

    /// Earliest time at which a command can be ordered; [`NEVER`] if none is on its way or held.
    pub fn next_arrival(&self, now: BusCycle) -> BusCycle {
        let mut mask = self.waiting;
        let mut earliest = NEVER;
        while mask != 0 && earliest > now + 1 {
            if let Some((arrival, _)) = self.queues[mask.trailing_zeros() as usize].front() {
                earliest = earliest.min(*arrival);
            }
            mask &= mask - 1;
        }
        earliest.min(self.lines.next_release()).max(self.resting_until)
    }

    /// When the commands that are not yet ordered arrive, or did.
    pub fn arrivals(&self) -> impl Iterator<Item = BusCycle> {
        self.queues.iter().flatten().map(|(arrival, _)| *arrival)
    }

    /// Number of commands that have arrived and wait.
    pub fn arrived(&mut self, now: BusCycle) -> u64 {
        while self.on_the_way.front().is_some_and(|at| *at <= now) {
            self.on_the_way.pop_front();
            self.arrived += 1;
        }
        self.arrived
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
            on_the_way: _,
            arrived: _,
        } = self;
        out.word(*turn as u64);
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
