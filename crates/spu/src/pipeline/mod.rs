//! The SPU's two pipelines: in which cycle each instruction issues.
//!
//! Instructions issue in program order.  One issues when its operands are ready; the second of an
//! aligned pair may do so in the cycle of the first if that one is for the even pipe and it for the
//! odd.  Results are forwarded as soon as they are there, so an instruction's latency is all that a
//! dependent one waits for.  Behind double precision nothing issues for some cycles.  A branch that
//! goes where it was not expected to go restarts the front end.
//!
//! Left out: writes that pass each other (results are written back in order, without a cost), errors
//! of the local store and their scrubbing.
//!
//! Source: SDK 3.0 tutorial, Pipelines and dual-issue rules.

pub mod fetch;
pub mod hint;

use crate::timing::Timing;
use cell::machine::SpuPipeline;
use fetch::Fetch;
use hint::{Expected, Hints};

/// Where the pipelines are. Cycles count from the start of the program, without the time that the
/// machine itself takes for channels.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The earliest cycle in which the next instruction can issue.
    next: u64,
    /// When each register's value is there; the last half belongs to what [`Timing`] fills up with.
    ready: [u64; 256],
    fetch: Fetch,
    hints: Hints,
    branch_miss_spu_cycles: u64,
    /// Instructions executed up to the last one that was not followed by the next in memory.
    executed: u64,
    /// Where execution went then.
    run_start: u32,
}

/// The time a branch lost, if it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It went where it was expected to go.
    Foreseen,
    /// It was taken and nobody had hinted so.
    Unhinted,
    /// It did not go where the hint said.
    Misled,
}

impl Pipeline {
    /// At rest, about to execute what lies at `entry`.
    pub fn new(costs: &SpuPipeline, entry: u32) -> Pipeline {
        let mut fetch = Fetch::new(costs.fetch_line_bytes, costs.fetch_spu_cycles);
        fetch.restart(entry, 0);
        Pipeline {
            next: 0,
            ready: [0; 256],
            fetch,
            hints: Hints::new(costs.hint_spu_cycles, costs.hint_distance_instructions),
            branch_miss_spu_cycles: costs.branch_miss_spu_cycles,
            executed: 0,
            run_start: entry,
        }
    }

    /// The earliest cycle in which the next instruction can issue.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// When a register's value is there.
    #[inline(always)]
    pub fn ready(&self, register: u8) -> u64 {
        self.ready[usize::from(register)]
    }

    /// Instructions executed before the one at `address`.
    #[inline]
    pub fn executed(&self, address: u32) -> u64 {
        self.executed + u64::from(address.wrapping_sub(self.run_start) / 4)
    }

    /// The cycle in which an instruction will issue, if it is the next.
    #[inline(always)]
    pub fn issues_at(&self, timing: &Timing) -> u64 {
        let [a, b, c] = timing.reads;
        // The operands first: what came before decides late when that was.
        self.ready(a).max(self.ready(b)).max(self.ready(c)).max(self.next)
    }

    /// Issues an instruction; answers its cycle.
    #[inline(always)]
    pub fn issue(&mut self, timing: &Timing) -> u64 {
        let now = self.issues_at(timing);
        self.ready[usize::from(timing.writes)] = now + u64::from(timing.latency_spu_cycles);
        self.next = now + u64::from(timing.occupancy_spu_cycles);
        now
    }

    /// A line on its way in or out has the local store's port at `now`.
    pub fn line_at(&mut self, now: u64) {
        self.fetch.line_at(now);
    }

    /// Whether a load or store that could issue at `now` finds the port taken; then it issues one cycle later.
    #[inline(always)]
    pub fn waits_for_port(&mut self, now: u64) -> bool {
        let waits = self.fetch.has_line_at(now);
        if waits {
            self.next = now + 1;
        }
        waits
    }

    /// A load or store takes the local store's port in the cycle of its issue.
    #[inline(always)]
    pub fn port_taken(&mut self, now: u64) {
        self.fetch.port_taken(now);
    }

    /// Waits until every result is there.
    pub fn drain(&mut self) {
        self.next = self.ready[..128].iter().fold(self.next, |latest, ready| latest.max(*ready));
    }

    /// Execution comes to `address` in sequence: waits until its line is there.
    #[inline]
    pub fn enter(&mut self, address: u32) {
        self.next = self.fetch.enter(address, self.next);
    }

    /// Execution comes past the end of the local store, to address 0.
    pub fn wrapped(&mut self, local_store_bytes: u32) {
        self.jumped(local_store_bytes, 0);
        self.enter(0);
    }

    /// A hint at `address` issued at `now`: the branch will go to the target.
    pub fn hint(&mut self, address: u32, branch: u32, target: u32, now: u64) {
        self.hints.hint(branch, target, self.executed(address), now);
    }

    /// What is expected of the branch at `address`. If it was hinted, it waits for the hint.
    #[inline]
    pub fn expect(&mut self, address: u32) -> Option<Expected> {
        let expected = self.hints.expected(address, self.executed(address))?;
        self.next = self.next.max(expected.ready);
        Some(expected)
    }

    /// The branch at `address` issued at `now` and goes to `target`, or on if that is `None`.
    #[inline]
    pub fn branched(&mut self, address: u32, now: u64, target: Option<u32>, expected: Option<Expected>) -> Outcome {
        let outcome = match (target, expected) {
            (None, None) => return Outcome::Foreseen,
            (Some(target), Some(expected)) if target == expected.target => Outcome::Foreseen,
            (_, None) => Outcome::Unhinted,
            (_, Some(_)) => Outcome::Misled,
        };
        let goes_to = target.unwrap_or(address + 4);
        match outcome {
            Outcome::Foreseen => self.fetch.enter_hinted(goes_to, self.next),
            Outcome::Unhinted | Outcome::Misled => {
                self.next = now + 1 + self.branch_miss_spu_cycles;
                self.fetch.restart(goes_to, self.next);
            }
        }
        self.jumped(address + 4, goes_to);
        outcome
    }

    /// The front end starts again at `target`, as behind a missed branch, instead of at `address`.
    pub fn restart(&mut self, address: u32, target: u32) {
        self.next += self.branch_miss_spu_cycles;
        self.moved(address, target);
    }

    /// Execution goes on at `target` instead of at `address`.
    pub fn moved(&mut self, address: u32, target: u32) {
        self.fetch.restart(target, self.next);
        self.jumped(address, target);
    }

    /// The channel instruction that issued at `now` takes so long, on the machine's account; a result
    /// is there then.
    pub fn answered(&mut self, now: u64, spu_cycles: u64, result: Option<u8>) {
        self.next = now + spu_cycles;
        if let Some(register) = result {
            self.ready[usize::from(register)] = self.next;
        }
    }

    /// What lies before `address` was executed, and then comes `target`.
    fn jumped(&mut self, address: u32, target: u32) {
        self.executed = self.executed(address);
        self.run_start = target;
    }
}
