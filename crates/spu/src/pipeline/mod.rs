//! The SPU's two pipelines: the cycle in which each instruction issues.
//!
//! ```text
//!      local store: one port for DMA, loads and stores, and fetches
//!                               │ line of code
//!      instruction line buffers, branch target buffer (one hint)
//!                               │ aligned pair of words
//!              even word ┌──────┴───────┐ odd word
//!      pipeline 0, even  │              │  pipeline 1, odd
//!      FX2, FXB, FX3     │              │  SHUF, LS
//!      FP6, FP7, FPD     │              │  BR, SPR, hints
//!                        └──────┬───────┘
//!                 128 registers, results forwarded
//! ```
//!
//! Instructions issue in program order, and each instruction issues as soon as its operands are ready. Both
//! instructions of an aligned pair can issue in one cycle if the first belongs to the even pipeline and the second
//! belongs to the odd pipeline. Results are forwarded, so a dependent instruction waits only for the latency. After a
//! double-precision instruction, no instruction issues for some cycles. A mispredicted branch restarts the front end.
//!
//! Not modelled: write-back order (results are written in program order, at no cost), and error correction in the local
//! store.
//!
//! Source: SDK 3.0 tutorial, Pipelines and dual-issue rules.

pub mod fetch;
pub mod hint;
pub mod relative;

use crate::timing::Timing;
use cell::machine::SpuPipeline;
use fetch::Fetch;
use hint::{Hints, Prediction};

/// The state of the pipelines. Cycles are numbered from the start of the program, excluding the cycles in which a
/// channel blocked.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The earliest cycle in which the next instruction can issue.
    next: u64,
    /// The cycle in which each register is ready. The upper half of the array is for the register numbers that
    /// [`Timing`] uses as padding.
    ready: [u64; 256],
    fetch: Fetch,
    hints: Hints,
    branch_miss_spu_cycles: u64,
    /// The number of instructions executed before the current sequential run, which began at `run_start`.
    executed: u64,
    /// The address of the first instruction of the current sequential run.
    run_start: u32,
}

/// The outcome of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The branch was predicted correctly.
    Predicted,
    /// The branch was taken without a hint.
    Unhinted,
    /// The branch was hinted, but execution did not continue at the hint's target.
    Mispredicted,
}

impl Pipeline {
    /// Empty pipelines, which are about to execute the instruction at `entry`.
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

    /// The cycle in which a register's value is ready.
    #[inline(always)]
    pub fn ready(&self, register: u8) -> u64 {
        self.ready[usize::from(register)]
    }

    /// The number of instructions executed before the instruction at `address`.
    #[inline]
    pub fn executed(&self, address: u32) -> u64 {
        self.executed + u64::from(address.wrapping_sub(self.run_start) / 4)
    }

    /// The cycle in which this instruction will issue, provided that it is the next instruction.
    #[inline(always)]
    pub fn issues_at(&self, timing: &Timing) -> u64 {
        let [a, b, c] = timing.reads;
        // `next` is compared last: it depends on the issue of the previous instruction, so the host computes it last.
        self.ready(a).max(self.ready(b)).max(self.ready(c)).max(self.next)
    }

    /// Issues an instruction. Returns the cycle in which the instruction issues.
    #[inline(always)]
    pub fn issue(&mut self, timing: &Timing) -> u64 {
        let now = self.issues_at(timing);
        self.ready[usize::from(timing.writes)] = now + u64::from(timing.latency_spu_cycles);
        self.next = now + u64::from(timing.occupancy_spu_cycles);
        now
    }

    /// Marks the local-store port as occupied by DMA in cycle `now`.
    pub fn line_at(&mut self, now: u64) {
        self.fetch.line_at(now);
    }

    /// Whether DMA occupies the local-store port in cycle `now`. If DMA occupies the port, the next instruction issues
    /// a cycle later.
    #[inline(always)]
    pub fn waits_for_port(&mut self, now: u64) -> bool {
        let waits = self.fetch.has_line_at(now);
        if waits {
            self.next = now + 1;
        }
        waits
    }

    /// The cycle in which a load or store will issue, provided that it is the next instruction. The result is the first
    /// cycle in which the operands are ready and DMA does not occupy the port.
    pub fn issues_behind_line_at(&mut self, timing: &Timing) -> u64 {
        let at = self.issues_at(timing);
        at + u64::from(self.waits_for_port(at))
    }

    /// Marks the local-store port as occupied by a load or store that issues in cycle `now`.
    #[inline(always)]
    pub fn port_taken(&mut self, now: u64) {
        self.fetch.port_taken(now);
    }

    /// Waits until every result is ready.
    pub fn drain(&mut self) {
        self.next = self.ready[..128].iter().fold(self.next, |latest, ready| latest.max(*ready));
    }

    /// Enters the code line of `address` by sequential execution, and waits until the line is buffered.
    #[inline]
    pub fn enter(&mut self, address: u32) {
        self.next = self.fetch.enter(address, self.next);
    }

    /// Continues at address 0 after the end of the local store.
    pub fn wrapped(&mut self, local_store_bytes: u32) {
        self.jumped(local_store_bytes, 0);
        self.enter(0);
    }

    /// Activates the hint at `address`, which issued in cycle `now`, if the hint specifies a branch and a target.
    pub fn hint(&mut self, address: u32, branch_and_target: Option<(u32, u32)>, now: u64) {
        if let Some((branch, target)) = branch_and_target {
            self.hints.hint(branch, target, self.executed(address), now);
        }
    }

    /// The prediction for the branch at `address`. A hinted branch waits until its hint takes effect.
    #[inline]
    pub fn predict(&mut self, address: u32) -> Option<Prediction> {
        let prediction = self.hints.prediction(address, self.executed(address))?;
        self.next = self.next.max(prediction.ready);
        Some(prediction)
    }

    /// Records the outcome of the branch at `address`, which issued in cycle `now`. `target` is `None` if the branch is
    /// not taken.
    #[inline]
    pub fn branched(&mut self, address: u32, now: u64, target: Option<u32>, prediction: Option<Prediction>) -> Outcome {
        let outcome = match (target, prediction) {
            (None, None) => return Outcome::Predicted,
            (Some(target), Some(prediction)) if target == prediction.target => Outcome::Predicted,
            (_, None) => Outcome::Unhinted,
            (_, Some(_)) => Outcome::Mispredicted,
        };
        let goes_to = target.unwrap_or(address + 4);
        match outcome {
            Outcome::Predicted => self.fetch.enter_hinted(goes_to, self.next),
            Outcome::Unhinted | Outcome::Mispredicted => {
                self.next = now + 1 + self.branch_miss_spu_cycles;
                self.fetch.restart(goes_to, self.next);
            }
        }
        self.jumped(address + 4, goes_to);
        outcome
    }

    /// Restarts the front end at `target` instead of `address`, as after a mispredicted branch.
    pub fn restart(&mut self, address: u32, target: u32) {
        self.next += self.branch_miss_spu_cycles;
        self.redirect(address, target);
    }

    /// Continues execution at `target` instead of `address`.
    pub fn redirect(&mut self, address: u32, target: u32) {
        self.fetch.restart(target, self.next);
        self.jumped(address, target);
    }

    /// Records that the channel instruction issued in cycle `now` took `spu_cycles`, after which its result is ready.
    pub fn answered(&mut self, now: u64, spu_cycles: u64, result: Option<u8>) {
        self.next = now + spu_cycles;
        if let Some(register) = result {
            self.ready[usize::from(register)] = self.next;
        }
    }

    /// Ends the current sequential run before `address`, and begins the next one at `target`.
    fn jumped(&mut self, address: u32, target: u32) {
        self.executed = self.executed(address);
        self.run_start = target;
    }
}
