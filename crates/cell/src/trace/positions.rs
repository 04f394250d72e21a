//! The positions of programs of instructions in the window of a trace.
//!
//! An SPU runs ahead of the bus clock, so an event may open the window after an SPU has executed instructions of the
//! window. Until the window is known, every turn is therefore recorded, and positions that lie in the past are dropped.

use crate::door::Position;
use crate::units::{BusCycle, NEVER, SpeId, SpuCycles};

/// The maximum number of positions in a window, over all SPEs.
pub const POSITIONS_MAX: usize = 1_000_000;

/// The maximum lookahead of a recorded turn, which limits the number of positions that are stored before a window.
const TURN_SPU_CYCLES_MAX: SpuCycles = 4096;

/// The positions of each SPE's program.
pub(crate) struct Positions {
    by_spe: Vec<Vec<Position>>,
    spu_cycles_per_bus_cycle: u64,
    /// The window; [`NEVER`] until it is known.
    from: BusCycle,
    to: BusCycle,
    /// The bus cycle in which there were [`POSITIONS_MAX`] positions.
    full_at: Option<BusCycle>,
}

impl Positions {
    /// Empty tables.
    pub(super) fn new(spes: usize, spu_cycles_per_bus_cycle: u64) -> Positions {
        Positions { by_spe: vec![Vec::new(); spes], spu_cycles_per_bus_cycle, from: NEVER, to: NEVER, full_at: None }
    }

    /// The window is known.
    pub(super) fn opens(&mut self, from: BusCycle, to: BusCycle) {
        (self.from, self.to) = (from, to);
    }

    /// The lookahead of a turn, and whether the turn must report every position. A turn must do so unless it ends
    /// clearly before the window, because instructions may issue some tens of cycles after a turn.
    pub(crate) fn asks(&self, own_time: SpuCycles, lookahead: SpuCycles, skipped: BusCycle) -> (SpuCycles, bool) {
        let is_known = self.from != NEVER;
        let before = is_known && own_time + lookahead + TURN_SPU_CYCLES_MAX < self.spu_cycle(self.from, skipped);
        if before || is_known && own_time >= self.spu_cycle(self.to, skipped) || self.full_at.is_some() {
            return (lookahead, false);
        }
        (lookahead.min(TURN_SPU_CYCLES_MAX), true)
    }

    /// Adds the positions of a turn, and drops all positions that are neither in the window nor valid at its start.
    pub(crate) fn add(&mut self, spe: SpeId, positions: Vec<Position>, now: BusCycle, skipped: BusCycle) {
        let (first, end) = (self.spu_cycle(self.from.min(now), skipped), self.spu_cycle(self.to, skipped));
        let kept = &mut self.by_spe[usize::from(spe.0)];
        if self.full_at.is_none() {
            kept.extend(positions.into_iter().filter(|position| position.at < end));
        }
        let past = kept.partition_point(|position| position.at <= first);
        kept.drain(..past.saturating_sub(1));
        if self.full_at.is_none() && self.by_spe.iter().map(Vec::len).sum::<usize>() > POSITIONS_MAX {
            self.full_at = Some(now);
        }
    }

    /// The positions of all SPEs that have any, in order of SPE.
    pub(super) fn rows(&self) -> Vec<(SpeId, Vec<Position>)> {
        let spes = (0..).map(SpeId).zip(self.by_spe.iter().cloned());
        spes.filter(|(_, positions)| !positions.is_empty()).collect()
    }

    /// The bus cycle from which on there are no positions; `None` if the positions of the whole window are known.
    pub(super) fn end(&self) -> Option<BusCycle> {
        self.full_at
    }

    /// The SPU cycle since the start of the run in which a bus cycle of the calendar begins.
    fn spu_cycle(&self, at: BusCycle, skipped: BusCycle) -> SpuCycles {
        at.saturating_add(skipped).saturating_mul(self.spu_cycles_per_bus_cycle)
    }
}
