//! The progress of programs, and the number of periods that all of them can skip.

use crate::units::SpeId;

/// A processor whose program makes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runner {
    /// An SPU.
    Spu(SpeId),
    /// A thread of the PPE of a chip.
    Ppe(u8, usize),
}

/// The progress of one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    /// The processor that runs the program.
    pub runner: Runner,
    /// Marks made.
    pub marks: u64,
    /// Remaining iterations at the last mark, including the iteration that the mark began.
    pub remaining: u64,
}

/// Number of iterations of each program between two states.  Returns `None` unless all programs are in the same loops
/// in both states.
pub(super) fn marks_of_period(before: &[Progress], after: &[Progress]) -> Option<Vec<(Runner, u64)>> {
    if before.len() != after.len() {
        return None;
    }
    let pairs = before.iter().zip(after);
    pairs
        .map(|(b, a)| {
            let marks = a.marks - b.marks;
            (a.runner == b.runner && a.remaining + marks == b.remaining).then_some((a.runner, marks))
        })
        .collect()
}

/// The number of periods that every program can skip while keeping at least one iteration to run.
///
/// The leader is at a mark and skips at once.  The other programs skip at their next marks, when each has one iteration
/// fewer left.
pub(super) fn times_left(marks: &[(Runner, u64)], progress: &[Progress], leader: Option<Runner>) -> u64 {
    let each = marks.iter().zip(progress).filter(|((_, marks), _)| *marks > 0).map(|((runner, marks), progress)| {
        let reserved = if Some(*runner) == leader { 1 } else { 2 };
        progress.remaining.saturating_sub(reserved).min(u64::from(u32::MAX)) / marks
    });
    each.min().unwrap_or(0)
}
