//! Loads that miss the L1, and the L2's read-claim machines that bring lines for them and for stores.

use crate::atomic::LineState;
use crate::request::RequestKind;
use crate::snapshot::Snapshot;
use crate::units::{NEVER, SpuCycles};

/// A load that missed the L1.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    /// Whose load.
    pub thread: usize,
    /// Its line.
    pub line: u64,
    /// How far it has come.
    pub step: MissStep,
}

/// What a load that missed waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissStep {
    /// The L2 is looked into, until then.
    LookUp(SpuCycles),
    /// The L2 has yet to get the line.
    Line,
    /// The line is on its way into the L1, until then.
    Replay(SpuCycles),
}

impl Miss {
    /// When its step ends by itself.
    pub fn step_ends_at(&self) -> SpuCycles {
        match self.step {
            MissStep::LookUp(at) | MissStep::Replay(at) => at,
            MissStep::Line => NEVER,
        }
    }

    /// Adds its state, relative to `now`.
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

/// A read-claim machine at work.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    /// The line.
    pub line: u64,
    /// The command that it sends.
    pub kind: RequestKind,
    /// The state in which the L2 will hold the line; `None` if another unit has taken it since it was ordered.
    pub keep: Option<LineState>,
    /// Whether the command has been ordered.
    pub ordered: bool,
}

impl Fetch {
    /// Adds its state.
    pub fn capture(&self, out: &mut Snapshot) {
        let Fetch { line, kind, keep, ordered } = *self;
        let keep = keep.map_or(3, |state| state as u64);
        out.word(line << 8 | (kind as u64) << 4 | keep << 1 | u64::from(ordered));
    }
}
