//! Where threads stop.

use super::stop_reason::{Kind, StopReason, Watched};
use crate::tid::Tid;
use ppu::accesses::Accessed;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Watched storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watchpoint {
    /// The effective addresses.
    pub range: Range<u64>,
    /// The accesses.
    pub kind: Kind,
}

/// What a thread does after a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// It continues.
    Continue,
    /// It stops after one instruction.
    Step,
    /// It stops after the first instruction that leaves this range of addresses.
    StepOutOf(Range<u64>),
}

/// Where threads stop.
#[derive(Clone, Default, Debug)]
pub struct Plan {
    /// Addresses of breakpoints.
    pub breakpoints: BTreeSet<u64>,
    /// Watched storage.
    pub watchpoints: Vec<Watchpoint>,
    actions: BTreeMap<Tid, Action>,
    locked: bool,
    /// Whether the first instruction of the program stops.
    at_start: bool,
    /// Address of the instruction that each thread has begun. An instruction that waits for its storage is begun only
    /// once, although it is executed again.
    begun: BTreeMap<Tid, u64>,
    /// Threads that have completed an instruction since the last stop.
    moved: BTreeSet<Tid>,
    /// Addresses at which there has ever been a breakpoint.
    known: BTreeSet<u64>,
}

impl Plan {
    /// A plan that stops the program at its first instruction.
    pub fn stop_at_start() -> Plan {
        Plan { at_start: true, ..Plan::default() }
    }

    /// Whether there are breakpoints or watchpoints.
    pub fn has_points(&self) -> bool {
        !self.breakpoints.is_empty() || !self.watchpoints.is_empty()
    }

    /// The plan for another run: the same breakpoints and watchpoints.
    pub fn again(&mut self) {
        *self = Plan {
            breakpoints: std::mem::take(&mut self.breakpoints),
            watchpoints: std::mem::take(&mut self.watchpoints),
            known: std::mem::take(&mut self.known),
            ..Plan::default()
        };
    }

    /// Instructions are executed without being noted here.
    pub fn skip(&mut self) {
        self.begun.clear();
    }

    /// Whether a thread has begun its instruction at `pc`, and executes it again.
    pub fn has_begun(&self, tid: Tid, pc: u64) -> bool {
        self.begun.get(&tid) == Some(&pc)
    }

    /// Whether only one thread steps over a breakpoint, or over an access that was reported. A debugger does so with
    /// all other threads held, because it expects breakpoints in memory.
    pub fn is_step_over(&self, (tid, pc): (Tid, u64), reason: StopReason, actions: &BTreeMap<Tid, Action>) -> bool {
        let is_there = matches!(reason, StopReason::Watchpoint(_)) || self.known.contains(&pc);
        is_there && actions.len() == 1 && actions.get(&tid) == Some(&Action::Step)
    }

    /// Whether a thread must not execute instructions.
    pub fn holds(&self, tid: Tid) -> bool {
        self.locked && !self.actions.contains_key(&tid)
    }

    /// Why a thread must stop before its instruction at `pc`. `access` is what the instruction is about to access.
    pub fn reason(&mut self, tid: Tid, pc: u64, access: impl FnOnce() -> Option<Accessed>) -> Option<StopReason> {
        if std::mem::take(&mut self.at_start) {
            return Some(StopReason::Start);
        }
        if self.has_begun(tid, pc) {
            return None;
        }
        let has_stepped = match self.actions.get(&tid) {
            Some(Action::Step) => self.moved.contains(&tid),
            Some(Action::StepOutOf(range)) => self.moved.contains(&tid) && !range.contains(&pc),
            Some(Action::Continue) | None => false,
        };
        // A debugger that steps onto a breakpoint is told of the breakpoint.
        match has_stepped && !self.breakpoints.contains(&pc) {
            true => Some(StopReason::Stepped),
            false => self.point(pc, access),
        }
    }

    /// The breakpoint at `pc`, or the watchpoint of its access.
    pub fn point(&self, pc: u64, access: impl FnOnce() -> Option<Accessed>) -> Option<StopReason> {
        if self.breakpoints.contains(&pc) {
            return Some(StopReason::Breakpoint);
        }
        if self.watchpoints.is_empty() {
            return None;
        }
        self.watched(access()?).map(StopReason::Watchpoint)
    }

    /// The first watched address of an access.
    fn watched(&self, access: Accessed) -> Option<Watched> {
        let end = access.ea.saturating_add(access.bytes.into());
        let meets = |point: &&Watchpoint| {
            let counts = match point.kind {
                Kind::Write => access.store,
                Kind::Read => !access.store,
                Kind::Access => true,
            };
            counts && access.ea < point.range.end && point.range.start < end
        };
        let point = self.watchpoints.iter().find(meets)?;
        Some(Watched { ea: access.ea.max(point.range.start), kind: point.kind })
    }

    /// A thread begins its instruction at `pc`.
    pub fn begin(&mut self, tid: Tid, pc: u64) {
        self.begun.insert(tid, pc);
    }

    /// A thread has completed its instruction.
    pub fn executed(&mut self, tid: Tid) {
        self.begun.remove(&tid);
        self.moved.insert(tid);
    }

    /// The process goes on. `at` is the program counter of each thread.
    pub fn resume(&mut self, actions: BTreeMap<Tid, Action>, locked: bool, at: impl Fn(Tid) -> Option<u64>) {
        (self.actions, self.locked) = (actions, locked);
        self.moved.clear();
        self.known.extend(&self.breakpoints);
        // The debugger may have moved a thread.
        self.begun.retain(|tid, pc| at(*tid) == Some(*pc));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Tid = Tid(1);
    const TWO: Tid = Tid(2);

    fn store(ea: u64, bytes: u32) -> Option<Accessed> {
        Some(Accessed { ea, bytes, store: true })
    }

    fn go(plan: &mut Plan, actions: &[(Tid, Action)], locked: bool) {
        plan.resume(actions.iter().cloned().collect(), locked, |_| None);
    }

    #[test]
    fn a_step_ends_after_one_instruction_and_not_before() {
        let mut plan = Plan::default();
        go(&mut plan, &[(ONE, Action::Step)], false);
        assert_eq!(plan.reason(ONE, 0x100, || None), None);
        plan.begin(ONE, 0x100);
        // The instruction waits for its line, and is executed again.
        assert_eq!(plan.reason(ONE, 0x100, || None), None);
        plan.executed(TWO);
        assert_eq!(plan.reason(ONE, 0x100, || None), None);
        plan.executed(ONE);
        assert_eq!(plan.reason(TWO, 0x104, || None), None);
        assert_eq!(plan.reason(ONE, 0x104, || None), Some(StopReason::Stepped));
    }

    #[test]
    fn a_range_is_left_at_its_end() {
        let mut plan = Plan::default();
        go(&mut plan, &[(ONE, Action::StepOutOf(0x100..0x108))], false);
        plan.executed(ONE);
        assert_eq!(plan.reason(ONE, 0x104, || None), None);
        assert_eq!(plan.reason(ONE, 0x108, || None), Some(StopReason::Stepped));
    }

    #[test]
    fn a_locked_plan_holds_all_other_threads() {
        let mut plan = Plan::default();
        go(&mut plan, &[(ONE, Action::Continue)], true);
        assert_eq!((plan.holds(ONE), plan.holds(TWO)), (false, true));
        go(&mut plan, &[], false);
        assert!(!plan.holds(TWO));
    }

    #[test]
    fn a_watchpoint_stops_at_the_bytes_and_accesses_it_names() {
        let mut plan = Plan::default();
        let kinds = [Kind::Write, Kind::Read, Kind::Access];
        for (kind, stops) in kinds.into_iter().zip([[true, false], [false, true], [true, true]]) {
            plan.watchpoints = vec![Watchpoint { range: 0x104..0x108, kind }];
            let load = store(0x100, 8).map(|access| Accessed { store: false, ..access });
            for (access, stop) in [store(0x100, 8), load].into_iter().zip(stops) {
                let reason = stop.then_some(StopReason::Watchpoint(Watched { ea: 0x104, kind }));
                assert_eq!(plan.reason(ONE, 0, || access), reason);
            }
        }
        for beside in [store(0x100, 4), store(0x108, 4), None] {
            assert_eq!(plan.reason(ONE, 0, || beside), None);
        }
    }
}
