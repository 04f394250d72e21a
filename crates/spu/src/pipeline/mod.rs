//! The SPU's two pipelines: in which cycle each instruction issues.
//!
//! Instructions issue in program order, each as soon as its operands are ready.  The second of an aligned
//! pair may issue in the cycle of the first if the first is for the even pipe and the second for the odd
//! one.  Results are forwarded, so a dependent instruction waits for the latency and no longer.  Behind
//! double precision nothing issues for some cycles.  A mispredicted branch restarts the front end.
//!
//! Left out: writes that pass each other (results are written back in order, without a cost), errors
//! of the local store and their scrubbing.
//!
//! Source: SDK 3.0 tutorial, Pipelines and dual-issue rules.

pub mod fetch;
pub mod hint;
pub mod relative;

use crate::timing::Timing;
use cell::machine::SpuPipeline;
use fetch::Fetch;
use hint::{Expected, Hints};

/// The state of the pipelines.  Cycles count from the start of the program, without those in which a channel
/// blocked.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The earliest cycle in which the next instruction can issue.
    next: u64,
    /// Cycle in which each register is ready; the upper half is for the numbers that [`Timing`] uses as padding.
    ready: [u64; 256],
    fetch: Fetch,
    hints: Hints,
    branch_miss_spu_cycles: u64,
    /// Instructions executed up to the last one that was not followed by its neighbour in memory.
    executed: u64,
    /// The address at which execution went on then.
    run_start: u32,
}

/// The outcome of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It went where it was predicted to go.
    Foreseen,
    /// It was taken without a hint.
    Unhinted,
    /// It did not go where its hint predicted.
    Mispredicted,
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

    /// Cycle in which a register's value is ready.
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
        // The operands first: the term of the instruction before is known last.
        self.ready(a).max(self.ready(b)).max(self.ready(c)).max(self.next)
    }

    /// Issues an instruction; the cycle of its issue.
    #[inline(always)]
    pub fn issue(&mut self, timing: &Timing) -> u64 {
        let now = self.issues_at(timing);
        self.ready[usize::from(timing.writes)] = now + u64::from(timing.latency_spu_cycles);
        self.next = now + u64::from(timing.occupancy_spu_cycles);
        now
    }

    /// Lets DMA occupy the local-store port at `now`.
    pub fn line_at(&mut self, now: u64) {
        self.fetch.line_at(now);
    }

    /// Whether DMA occupies the port at `now`, which delays the issue of a load or store by a cycle.
    #[inline(always)]
    pub fn waits_for_port(&mut self, now: u64) -> bool {
        let waits = self.fetch.has_line_at(now);
        if waits {
            self.next = now + 1;
        }
        waits
    }

    /// The cycle in which a load or store will issue, if it is the next: not while DMA occupies the port.
    pub fn issues_behind_line_at(&mut self, timing: &Timing) -> u64 {
        let at = self.issues_at(timing);
        at + u64::from(self.waits_for_port(at))
    }

    /// Lets a load or store occupy the local-store port in the cycle of its issue.
    #[inline(always)]
    pub fn port_taken(&mut self, now: u64) {
        self.fetch.port_taken(now);
    }

    /// Waits until every result is ready.
    pub fn drain(&mut self) {
        self.next = self.ready[..128].iter().fold(self.next, |latest, ready| latest.max(*ready));
    }

    /// Enters the line of `address` in sequence: waits until it is buffered.
    #[inline]
    pub fn enter(&mut self, address: u32) {
        self.next = self.fetch.enter(address, self.next);
    }

    /// Notes that execution has passed the end of the local store and goes on at address 0.
    pub fn wrapped(&mut self, local_store_bytes: u32) {
        self.jumped(local_store_bytes, 0);
        self.enter(0);
    }

    /// Takes the hint at `address`, issued at `now`: it may predict the target of a branch.
    pub fn hint(&mut self, address: u32, branch_and_target: Option<(u32, u32)>, now: u64) {
        if let Some((branch, target)) = branch_and_target {
            self.hints.hint(branch, target, self.executed(address), now);
        }
    }

    /// The prediction for the branch at `address`.  If it was hinted, it waits for the hint.
    #[inline]
    pub fn expect(&mut self, address: u32) -> Option<Expected> {
        let expected = self.hints.expected(address, self.executed(address))?;
        self.next = self.next.max(expected.ready);
        Some(expected)
    }

    /// Notes that the branch at `address` issued at `now` and goes to `target`, or is not taken if that is `None`.
    #[inline]
    pub fn branched(&mut self, address: u32, now: u64, target: Option<u32>, expected: Option<Expected>) -> Outcome {
        let outcome = match (target, expected) {
            (None, None) => return Outcome::Foreseen,
            (Some(target), Some(expected)) if target == expected.target => Outcome::Foreseen,
            (_, None) => Outcome::Unhinted,
            (_, Some(_)) => Outcome::Mispredicted,
        };
        let goes_to = target.unwrap_or(address + 4);
        match outcome {
            Outcome::Foreseen => self.fetch.enter_hinted(goes_to, self.next),
            Outcome::Unhinted | Outcome::Mispredicted => {
                self.next = now + 1 + self.branch_miss_spu_cycles;
                self.fetch.restart(goes_to, self.next);
            }
        }
        self.jumped(address + 4, goes_to);
        outcome
    }

    /// Restarts the front end at `target` instead of `address`, as behind a mispredicted branch.
    pub fn restart(&mut self, address: u32, target: u32) {
        self.next += self.branch_miss_spu_cycles;
        self.moved(address, target);
    }

    /// Notes that execution goes on at `target` instead of `address`.
    pub fn moved(&mut self, address: u32, target: u32) {
        self.fetch.restart(target, self.next);
        self.jumped(address, target);
    }

    /// Notes the time of the channel instruction that issued at `now`, which the machine charges; a result is
    /// ready after it.
    pub fn answered(&mut self, now: u64, spu_cycles: u64, result: Option<u8>) {
        self.next = now + spu_cycles;
        if let Some(register) = result {
            self.ready[usize::from(register)] = self.next;
        }
    }

    /// Notes that execution has come up to `address` and goes on at `target`.
    fn jumped(&mut self, address: u32, target: u32) {
        self.executed = self.executed(address);
        self.run_start = target;
    }
}
