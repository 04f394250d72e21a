//! The past of a process, and the ways back to it.
//!
//! Runs repeat exactly, so the past is reached by another run from the start. A run that *seeks* a moment stops there.
//! If the moment is not known yet, a run that *searches* comes first: it notes the last suitable moment before the
//! present one.

use super::stop_reason::{Obstacle, StopReason, Watched};
use crate::tid::{PROCESS, Tid};
use std::collections::BTreeMap;

/// The beginning of an instruction: a point of a run that every run of the same program reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Moment {
    /// Instructions that all threads have completed.
    pub completed: u64,
    /// Number of instructions that have begun since the last one was completed, and wait for their storage.
    pub waiting: u32,
}

/// A way back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To the beginning of the last instruction that this thread has completed.
    Step(Tid),
    /// To the last breakpoint or watchpoint.
    Continue,
}

/// Where a run that goes back stops, and what the debugger learns there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The moment.
    pub moment: Moment,
    /// The thread that stops.
    pub tid: Tid,
    /// Why it stops.
    pub reason: StopReason,
}

impl Goal {
    /// The beginning of the program.
    pub const START: Goal =
        Goal { moment: Moment { completed: 0, waiting: 0 }, tid: PROCESS, reason: StopReason::Beginning };
}

/// What a run is for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Aim {
    /// The debugger sees it.
    #[default]
    Show,
    /// It finds the goal of a way back.
    Search(Search),
    /// It stops at the goal.
    Seek(Goal),
}

/// The search for the goal of a way back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// The way.
    pub way: Way,
    /// The moment that was the present one.
    pub until: Moment,
    /// Whether the process had stopped for a signal.
    pub until_signal: bool,
    /// The best goal so far.
    pub found: Option<Goal>,
    /// Watched storage that instructions in progress access.
    accessing: BTreeMap<Tid, Watched>,
}

impl Search {
    /// A search before this moment.
    pub fn new(way: Way, until: Moment, until_signal: bool) -> Search {
        Search { way, until, until_signal, found: None, accessing: BTreeMap::new() }
    }

    /// A thread begins an instruction, at which it would stop for this reason.
    pub fn begin(&mut self, tid: Tid, moment: Moment, reason: Option<StopReason>) {
        match reason {
            Some(StopReason::Watchpoint(watched)) => drop(self.accessing.insert(tid, watched)),
            Some(reason) => self.found = Some(Goal { moment, tid, reason }),
            None => (),
        }
    }

    /// A thread has completed the instruction that it began at a moment. `now` is the moment of the next instruction.
    pub fn executed(&mut self, tid: Tid, began: Moment, now: Moment) {
        match self.way {
            // A thread that has not completed any instruction goes back with the others.
            Way::Step(stepped) if stepped == tid || self.found.is_none_or(|found| found.tid != stepped) => {
                self.found = Some(Goal { moment: began, tid, reason: StopReason::Stepped });
            }
            Way::Step(_) => (),
            // Whoever comes from the future meets the state after the access first.
            Way::Continue => {
                if let Some(watched) = self.accessing.remove(&tid) {
                    self.found = Some(Goal { moment: now, tid, reason: StopReason::Watchpoint(watched) });
                }
            }
        }
    }
}

/// The past of a process, as far as it is known.
#[derive(Clone, Default, Debug)]
pub struct History {
    /// The last moment at which an instruction began in this run.
    last: Option<Moment>,
    /// The moments at which the instructions in progress began.
    begun: BTreeMap<Tid, Moment>,
    /// The moments at which each thread's last completed instruction began.
    done: BTreeMap<Tid, Moment>,
    /// Whether instructions have been executed unseen since the last moment.
    unseen: bool,
    /// Instructions that were completed when the run was last unseen. Moments with this number are not known exactly.
    unseen_until: Option<u64>,
    /// The latest moment at which the process has ever stopped.
    latest: Moment,
    /// Why there is no way back any more.
    pub obstacle: Option<Obstacle>,
}

impl History {
    /// What stays known when another run begins.
    pub fn again(&self) -> History {
        History { latest: self.latest, obstacle: self.obstacle, ..History::default() }
    }

    /// The moment of the next instruction to begin.
    pub fn next(&self, completed: u64) -> Moment {
        match self.last {
            Some(last) if last.completed == completed => Moment { completed, waiting: last.waiting + 1 },
            _ => Moment { completed, waiting: 0 },
        }
    }

    /// The process stops. Returns whether it has been further.
    pub fn stop(&mut self, moment: Moment) -> bool {
        self.latest = self.latest.max(moment);
        moment < self.latest
    }

    /// Instructions are executed without being noted here.
    pub fn skip(&mut self) {
        self.unseen = true;
        self.begun.clear();
        self.done.clear();
    }

    /// A thread begins an instruction.
    pub fn begin(&mut self, tid: Tid, moment: Moment) {
        if std::mem::take(&mut self.unseen) {
            self.unseen_until = Some(moment.completed);
        }
        self.last = Some(moment);
        if self.unseen_until != Some(moment.completed) {
            self.begun.insert(tid, moment);
        }
    }

    /// A thread has completed its instruction. Returns the moment at which it began, if that is known.
    pub fn executed(&mut self, tid: Tid) -> Option<Moment> {
        let began = self.begun.remove(&tid)?;
        self.done.insert(tid, began);
        Some(began)
    }

    /// The goal of a way back, if it is known without a search.
    pub fn known(&self, way: Way) -> Option<Goal> {
        match way {
            Way::Step(tid) => {
                self.done.get(&tid).map(|moment| Goal { moment: *moment, tid, reason: StopReason::Stepped })
            }
            Way::Continue => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::stop_reason::Kind;

    const ONE: Tid = Tid(1);
    const TWO: Tid = Tid(2);

    fn at(completed: u64, waiting: u32) -> Moment {
        Moment { completed, waiting }
    }

    #[test]
    fn instructions_that_wait_at_the_same_time_have_different_moments() {
        let mut history = History::default();
        for (tid, moment) in [(ONE, at(0, 0)), (TWO, at(0, 1))] {
            assert_eq!(history.next(0), moment);
            history.begin(tid, moment);
        }
        assert_eq!(history.executed(TWO), Some(at(0, 1)));
        assert_eq!(history.next(1), at(1, 0));
        // The other thread's instruction is still in progress.
        assert_eq!(history.known(Way::Step(ONE)), None);
        assert_eq!(history.known(Way::Step(TWO)).map(|goal| goal.moment), Some(at(0, 1)));
    }

    #[test]
    fn moments_at_the_end_of_an_unseen_part_are_not_known() {
        let mut history = History::default();
        history.skip();
        history.begin(ONE, at(100, 0));
        assert_eq!(history.executed(ONE), None);
        history.begin(ONE, at(101, 0));
        assert_eq!(history.executed(ONE), Some(at(101, 0)));
    }

    #[test]
    fn a_search_prefers_the_thread_and_takes_any_other_before_its_first_instruction() {
        let mut search = Search::new(Way::Step(TWO), at(9, 0), false);
        search.executed(ONE, at(0, 0), at(1, 0));
        search.executed(ONE, at(1, 0), at(2, 0));
        assert_eq!(search.found.map(|goal| (goal.tid, goal.moment)), Some((ONE, at(1, 0))));
        search.executed(TWO, at(2, 0), at(3, 0));
        search.executed(ONE, at(3, 0), at(4, 0));
        assert_eq!(search.found.map(|goal| (goal.tid, goal.moment)), Some((TWO, at(2, 0))));
    }

    #[test]
    fn a_watched_access_is_met_after_it() {
        let mut search = Search::new(Way::Continue, at(9, 0), false);
        search.begin(ONE, at(1, 0), Some(StopReason::Breakpoint));
        let watched = Watched { ea: 8, kind: Kind::Write };
        search.begin(TWO, at(1, 1), Some(StopReason::Watchpoint(watched)));
        assert_eq!(search.found.map(|goal| goal.moment), Some(at(1, 0)));
        search.executed(TWO, at(1, 1), at(2, 0));
        let goal = Goal { moment: at(2, 0), tid: TWO, reason: StopReason::Watchpoint(watched) };
        assert_eq!(search.found, Some(goal));
    }
}
