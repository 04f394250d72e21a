//! Accesses that wait for the L2, and the L2's read-claim machines, which fetch lines for loads and stores.

use crate::atomic::LineState;
use crate::request::RequestKind;
use crate::snapshot::Snapshot;
use crate::units::{NEVER, SpuCycles};

/// The access that the L2 serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A load that missed the L1.
    Load,
    /// A load with reservation.
    LoadReserved,
    /// A conditional store, for which the L2 must own the line.
    StoreConditional,
}

/// An access that the L2 serves while its thread waits.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    /// The thread of the access.
    pub thread: usize,
    pub access: Access,
    pub line: u64,
    /// Progress of the miss.
    pub step: MissStep,
}

/// The event for which an access waits after its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissStep {
    /// The look-up in the L2, which ends at this time.
    LookUp(SpuCycles),
    /// The arrival of the line in the L2 or, for a conditional store, the L2's ownership of the line.
    Line,
    /// The arrival of the line in the L1, at this time.
    Replay(SpuCycles),
    /// The L2 has served the access, which does not go through the L1.
    Served,
}

impl Miss {
    /// Time at which the current step ends; [`NEVER`] if the load waits for the arrival of the line in the L2.
    pub fn step_ends_at(&self) -> SpuCycles {
        match self.step {
            MissStep::LookUp(at) | MissStep::Replay(at) => at,
            MissStep::Line | MissStep::Served => NEVER,
        }
    }

    /// Adds the miss to a snapshot, relative to `now`.
    pub fn capture(&self, now: SpuCycles, out: &mut Snapshot) {
        let Miss { thread, access, line, step } = *self;
        let (step, at) = match step {
            MissStep::LookUp(at) => (0, at),
            MissStep::Line => (1, now),
            MissStep::Replay(at) => (2, at),
            MissStep::Served => (3, now),
        };
        out.word(line << 8 | step << 4 | (access as u64) << 1 | thread as u64);
        out.word(at.wrapping_sub(now));
    }
}

/// A busy read-claim machine.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    pub line: u64,
    /// The bus command.
    pub kind: RequestKind,
    /// The state that the line will have in the L2; `None` if another unit has taken the line since the command was
    /// ordered.
    pub keep: Option<LineState>,
    /// Whether the bus command has been ordered.
    pub ordered: bool,
    /// Number of Retry responses because an SPE has reserved the line.
    pub refused: u32,
    /// Whether the line goes into the L1, because a program has touched it.
    pub touched: bool,
}

impl Fetch {
    /// Adds the machine to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Fetch { line, kind, keep, ordered, refused, touched } = *self;
        let keep = keep.map_or(3, |state| state as u64);
        out.word(line << 8 | (kind as u64) << 4 | keep << 1 | u64::from(ordered));
        out.word(u64::from(refused) << 1 | u64::from(touched));
    }
}
