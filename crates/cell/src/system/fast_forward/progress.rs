//! The progress of programs, and the number of periods that all of them can skip.

use crate::processor::Core;
use crate::units::SpeId;

/// A processor whose program makes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Runner {
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
    /// Number of iterations in a tour of the program.
    pub tour: u64,
}

impl Progress {
    /// The progress of a processor's program, if it is running.
    pub fn of<Q: Copy, A: Copy>(runner: Runner, core: &Core<Q, A>, tour: u64) -> Option<Progress> {
        core.is_running().then_some(Progress { runner, marks: core.marks, remaining: core.remaining, tour })
    }
}

/// Number of iterations of each program between two states. Returns `None` unless all programs are in the same loops
/// in both states.
pub(super) fn marks_of_period(before: &[Progress], after: &[Progress]) -> Option<Vec<(Runner, u64)>> {
    if before.len() != after.len() {
        return None;
    }
    let pairs = before.iter().zip(after);
    pairs
        .map(|(b, a)| {
            let marks = a.marks.checked_sub(b.marks)?;
            (a.runner == b.runner && a.remaining + marks == b.remaining).then_some((a.runner, marks))
        })
        .collect()
}

/// Whether the programs have made enough marks between two states that only differ in the places of their tours: each
/// program has copied each line of its tour at least once.
///
/// Commands overtake one another. So a part of the lines may have been copied before the first state, and will be copied
/// again only after the second. After whole tours, these are the same lines.
pub(super) fn made_tours(before: &[Progress], after: &[Progress]) -> bool {
    before.iter().zip(after).all(|(b, a)| {
        let marks = a.marks.saturating_sub(b.marks);
        marks % a.tour == 0 || marks >= 2 * a.tour
    })
}

/// The number of periods that every program can skip while keeping at least one iteration to run.
///
/// The leader is at a mark and skips at once. The other programs skip at their next marks, when each has one iteration
/// fewer left.
pub(super) fn times_left(marks: &[(Runner, u64)], progress: &[Progress], leader: Option<Runner>) -> u64 {
    let each = marks.iter().zip(progress).filter(|((_, marks), _)| *marks > 0).map(|((runner, marks), progress)| {
        let reserved = if Some(*runner) == leader { 1 } else { 2 };
        progress.remaining.saturating_sub(reserved).min(u64::from(u32::MAX)) / marks
    });
    each.min().unwrap_or(0)
}
