//! The part of a run in which all programs measure: from the last of their first writes to the decrementer
//! until the first of them reads it.

use crate::counters::Counters;
use crate::units::{SpeId, SpuCycles};

/// Where the part begins and ends, and what was counted by then.
pub(super) struct MeasuredPart {
    /// Programs that are yet to begin.
    missing: usize,
    from: Option<Counters>,
    to: Option<Counters>,
    /// One has ended before all had begun.
    missed: bool,
    /// By SPE: when its program began.
    began: Vec<SpuCycles>,
    /// The longest that a program has measured.
    longest: SpuCycles,
    /// The first beginning, and the last end.
    first: SpuCycles,
    last: SpuCycles,
}

impl MeasuredPart {
    /// No program has begun yet.
    pub fn new(programs: usize, spes: usize) -> MeasuredPart {
        MeasuredPart {
            missing: programs,
            from: None,
            to: None,
            missed: false,
            began: vec![0; spes],
            longest: 0,
            first: SpuCycles::MAX,
            last: 0,
        }
    }

    /// A program has written its decrementer, at a time of its own.
    pub fn begins(&mut self, spe: SpeId, at: SpuCycles, counted: impl FnOnce() -> Counters) {
        self.began[usize::from(spe.0)] = at;
        self.first = self.first.min(at);
        self.missing = self.missing.saturating_sub(1);
        if self.missing == 0 && self.from.is_none() {
            self.from = Some(counted());
        }
    }

    /// A program has read its decrementer, at a time of its own.
    pub fn ends(&mut self, spe: SpeId, at: SpuCycles, counted: impl FnOnce() -> Counters) {
        self.longest = self.longest.max(at - self.began[usize::from(spe.0)]);
        self.last = self.last.max(at);
        self.missed |= self.from.is_none();
        if self.to.is_none() {
            self.to = Some(counted());
        }
    }

    /// The longest that a program took between its write to the decrementer and its read.
    pub fn longest(&self) -> SpuCycles {
        self.longest
    }

    /// From the first program's write to the decrementer to the last one's read; nothing if there was none.
    pub fn span(&self) -> SpuCycles {
        self.last.saturating_sub(self.first)
    }

    /// Of all that was counted, what belongs to the part; everything if there was no such part.
    pub fn of(self, all: Counters) -> Counters {
        match self {
            MeasuredPart { from: Some(from), to: Some(to), missed: false, .. } => {
                // Maxima and latencies have gone on meanwhile.
                Counters { latencies: all.latencies, ..to.since(&from) }
            }
            _ => all,
        }
    }
}
