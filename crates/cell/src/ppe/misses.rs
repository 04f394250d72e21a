//! Loads that miss the L1, and the L2's read-claim machines, which fetch lines for loads and stores.

use crate::atomic::LineState;
use crate::request::RequestKind;
use crate::snapshot::Snapshot;
use crate::units::{NEVER, SpuCycles};

/// A load that missed the L1.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    /// The thread of the load.
    pub thread: usize,
    /// Line number.
    pub line: u64,
    /// Progress of the miss.
    pub step: MissStep,
}

/// The event for which a load waits after a miss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissStep {
    /// The look-up in the L2, which ends at this time.
    LookUp(SpuCycles),
    /// The arrival of the line in the L2.
    Line,
    /// The arrival of the line in the L1, at this time.
    Replay(SpuCycles),
}

impl Miss {
    /// Time at which the current step ends; [`NEVER`] if the load waits for the arrival of the line in the L2.
    pub fn step_ends_at(&self) -> SpuCycles {
        match self.step {
            MissStep::LookUp(at) | MissStep::Replay(at) => at,
            MissStep::Line => NEVER,
        }
    }

    /// Adds the miss to a snapshot, relative to `now`.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        let Miss { thread, line, step } = *self;
        let (step, at) = match step {
            MissStep::LookUp(at) => (0, at),
            MissStep::Line => (1, now),
            MissStep::Replay(at) => (2, at),
        };
        out.word(line << 8 | step << 4 | thread as u64);
        out.word(at.wrapping_sub(now));
    }
}

/// A busy read-claim machine.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    /// The line.
    pub line: u64,
    /// The bus command.
    pub kind: RequestKind,
    /// The state that the line will have in the L2; `None` if another unit has taken the line since the command was
    /// ordered.
    pub keep: Option<LineState>,
    /// Whether the bus command has been ordered.
    pub ordered: bool,
}

impl Fetch {
    /// Adds the machine to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Fetch { line, kind, keep, ordered } = *self;
        let keep = keep.map_or(3, |state| state as u64);
        out.word(line << 8 | (kind as u64) << 4 | keep << 1 | u64::from(ordered));
    }
}
