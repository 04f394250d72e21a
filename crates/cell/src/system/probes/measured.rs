//! The part of a run in which all programs measure. The part begins when the last program first writes its
//! decrementer, and ends when any program first reads its decrementer.
//!
//! ```text
//!   program 0   ──────write═════════════════════════read───────
//!   program 1   ──write══════════════════════════════════read──
//!   program 2   ───────────write══════════════════════════read─
//!   the part               └────────────────────────┘
//! ```

use crate::counters::Counters;
use crate::units::{SpeId, SpuCycles};

/// The counters at the beginning and at the end of the measured part, and the measured times of the programs.
pub(crate) struct MeasuredPart {
    /// The number of programs that have not begun to measure.
    missing: usize,
    from: Option<Counters>,
    to: Option<Counters>,
    /// Whether a program ended its measurement before all programs had begun.
    missed: bool,
    /// The SPU cycle in which each SPE's program began to measure.
    began: Vec<Option<SpuCycles>>,
    /// The longest duration that a program has measured.
    longest: SpuCycles,
    /// The earliest SPU cycle in which a program began to measure.
    first: SpuCycles,
    /// The latest SPU cycle in which a program ended its measurement.
    last: SpuCycles,
}

impl MeasuredPart {
    /// The state before any program has begun to measure.
    pub fn new(programs: usize, spes: usize) -> MeasuredPart {
        MeasuredPart {
            missing: programs,
            from: None,
            to: None,
            missed: false,
            began: vec![None; spes],
            longest: 0,
            first: SpuCycles::MAX,
            last: 0,
        }
    }

    /// A program has written its decrementer at SPU cycle `at` of the program's own time.
    pub fn begins(&mut self, spe: SpeId, at: SpuCycles, counted: impl FnOnce() -> Counters) {
        self.began[usize::from(spe.0)] = Some(at);
        self.first = self.first.min(at);
        self.missing = self.missing.saturating_sub(1);
        if self.missing == 0 && self.from.is_none() {
            self.from = Some(counted());
        }
    }

    /// A program has read its decrementer at SPU cycle `at` of the program's own time.
    pub fn ends(&mut self, spe: SpeId, at: SpuCycles, counted: impl FnOnce() -> Counters) {
        self.longest = self.longest.max(at - self.began[usize::from(spe.0)].unwrap_or(0));
        self.last = self.last.max(at);
        self.missed |= self.from.is_none();
        if self.to.is_none() {
            self.to = Some(counted());
        }
    }

    /// Whether an SPE's program has begun to measure.
    pub fn has_begun(&self, spe: SpeId) -> bool {
        self.began[usize::from(spe.0)].is_some()
    }

    /// The earliest SPU cycle in which a program began to measure, and the number of programs that measure, while all of
    /// them do.
    pub fn all_measure(&self) -> Option<(SpuCycles, usize)> {
        (self.missing == 0 && self.to.is_none()).then(|| (self.first, self.began.iter().flatten().count()))
    }

    /// The longest time between a program's write to its decrementer and its read of the decrementer.
    pub fn longest(&self) -> SpuCycles {
        self.longest
    }

    /// The time from the first write to any decrementer until the last read of any decrementer; 0 if no decrementer was
    /// used.
    pub fn span(&self) -> SpuCycles {
        self.last.saturating_sub(self.first)
    }

    /// The counters of the measured part, or of the whole run if there was no measured part.
    pub fn of(self, all: Counters) -> Counters {
        match self {
            MeasuredPart { from: Some(from), to: Some(to), missed: false, .. } => {
                // Latencies always cover the whole run.
                Counters { latencies: all.latencies, ..to.since(&from) }
            }
            _ => all,
        }
    }
}
