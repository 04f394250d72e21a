//! How far programs have come, and how far they may go in one step.

use crate::units::SpeId;

/// Who makes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runner {
    /// The program on an SPU.
    Spu(SpeId),
    /// The program on a thread of the PPE.
    Ppe(u8),
}

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    /// Who runs it.
    pub runner: Runner,
    /// Marks made.
    pub marks: u64,
    /// Iterations left at the last mark, the one that began there included.
    pub remaining: u64,
}

/// Iterations of each program between two states; `None` unless both lie in the same loops.
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

/// How many periods every program can leave out and still have an iteration to run.
///
/// The leader stands at its mark and can be told now; the others will be at their next mark, by then
/// with one iteration fewer.
pub(super) fn times_left(marks: &[(Runner, u64)], progress: &[Progress], leader: Option<Runner>) -> u64 {
    let each = marks.iter().zip(progress).filter(|((_, marks), _)| *marks > 0).map(|((runner, marks), progress)| {
        let reserved = if Some(*runner) == leader { 1 } else { 2 };
        progress.remaining.saturating_sub(reserved).min(u64::from(u32::MAX)) / marks
    });
    each.min().unwrap_or(0)
}
