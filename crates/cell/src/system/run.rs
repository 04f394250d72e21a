//! A run: from the first program's start until nothing is left to happen, or a traced window is over.

use super::parts::System;
use super::ppe::supervisor::supervise;
use super::spe::wake::start_program;
use super::stage::Unit;
use crate::error::RunError;
use crate::record::Record;
use crate::trace::{Recorder, TRACE_ROWS_MAX, Trace, Window};
use crate::units::BusCycle;

/// How often the caller is asked whether to go on: after so many bus cycles in which something was due, and after so
/// many of the clock, because one turn may stand for long work.
const CYCLES_BETWEEN_CHECKS: u32 = 1 << 16;
const BUS_CYCLES_BETWEEN_CHECKS: BusCycle = 1 << 22;

impl System<'_> {
    /// Runs until every program has stopped and nothing is under way.
    ///
    /// `check` is called now and then; the run ends when it returns false.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run(&mut self, limit_bus_cycles: BusCycle, check: impl FnMut() -> bool) -> Result<Record, RunError> {
        self.time.limit_bus_cycles = limit_bus_cycles;
        self.start();
        self.run_cycles(check)?;
        Ok(self.record())
    }

    /// Runs until a window is over, or the run is, and tells what happened in it; `None` if the run ended before
    /// the window began.  As for [`System::run`], `check` is called now and then.
    ///
    /// Fast-forward, where it is enabled, ends with what opens the window.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_window(&mut self, window: Window, check: impl FnMut() -> bool) -> Result<Option<Trace>, RunError> {
        self.watch(window);
        self.start();
        self.run_cycles(check)?;
        Ok(self.trace())
    }

    /// Goes on, behind a window, to the end of another one that follows it; `None` if the run ends before that begins.
    /// It tells what [`System::run_window`] of a new machine would, with so much more skipped.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_next_window(
        &mut self,
        bus_cycles: BusCycle,
        check: impl FnMut() -> bool,
    ) -> Result<Option<Trace>, RunError> {
        self.probes.traced(|trace| trace.go_on(bus_cycles));
        self.run_cycles(check)?;
        Ok(self.trace())
    }

    /// Both at once: runs until every program has stopped or a window is over, whichever comes first.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_and_trace(
        &mut self,
        limit_bus_cycles: BusCycle,
        window: Window,
        check: impl FnMut() -> bool,
    ) -> Result<(Record, Option<Trace>), RunError> {
        self.watch(window);
        let record = self.run(limit_bus_cycles, check)?;
        Ok((record, self.trace()))
    }

    fn watch(&mut self, window: Window) {
        let recorder = Recorder::new(window, self.processors.spes.len(), self.board.mic_channels(), self.time.ratio);
        self.probes.trace = Some(Box::new(recorder));
    }

    fn trace(&self) -> Option<Trace> {
        self.probes.trace(&self.board, &self.time, self.bus.data[0].beats())
    }

    /// The loop of bus cycles: one after the other in which something is due, until none is left, or the window of a
    /// trace is over.
    fn run_cycles(&mut self, mut check: impl FnMut() -> bool) -> Result<(), RunError> {
        let (mut cycles, mut checked_at) = (0, 0);
        while self.time.advance() {
            if self.time.bus_cycles() > self.time.limit_bus_cycles {
                let limit_bus_cycles = self.time.limit_bus_cycles;
                return Err(RunError::Limit { limit_bus_cycles, waiting: self.waiting() });
            }
            if self.probes.trace.as_ref().is_some_and(|trace| self.time.now() >= trace.to()) {
                return Ok(());
            }
            while let Some(due) = self.time.take() {
                if let Err(error) = self.dispatch(due) {
                    supervise(error, &mut self.time, &mut self.processors)?;
                }
            }
            cycles += 1;
            if cycles == CYCLES_BETWEEN_CHECKS || self.time.now() - checked_at >= BUS_CYCLES_BETWEEN_CHECKS {
                (cycles, checked_at) = (0, self.time.now());
                if self.probes.trace.as_ref().is_some_and(|trace| trace.is_full()) {
                    return Err(RunError::TraceFull { rows_max: TRACE_ROWS_MAX });
                }
                if !check() {
                    return Err(RunError::Interrupted);
                }
            }
        }
        match self.waiting() {
            none if none.is_empty() => Ok(()),
            waiting => Err(RunError::Deadlock { bus_cycle: self.time.bus_cycles(), waiting }),
        }
    }

    /// Starts the PPE's programs; without one, those of all SPEs.
    fn start(&mut self) {
        let System { board, time, processors, probes, .. } = self;
        if processors.ppe.start() {
            time.wake(Unit::Ppe, 0);
            return;
        }
        for spe in &mut processors.spes {
            start_program(spe, 0, board, time, probes);
        }
    }
}
