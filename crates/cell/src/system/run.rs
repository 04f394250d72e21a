//! A run: from the first program's start until nothing is left to happen, or a traced window is over.

use super::{System, Unit};
use crate::error::RunError;
use crate::record::Record;
use crate::trace::{Recorder, Trace, Window};
use crate::units::{BusCycle, SpeId};

/// How often the caller is asked whether to go on: after so many events, and after so many bus cycles,
/// because an event may stand for long work.
const EVENTS_BETWEEN_CHECKS: u32 = 1 << 18;
const BUS_CYCLES_BETWEEN_CHECKS: BusCycle = 1 << 22;

impl System<'_> {
    /// Runs until every program has stopped and nothing is under way.
    ///
    /// `check` is called now and then; the run ends when it returns false.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run(&mut self, limit_bus_cycles: BusCycle, check: impl FnMut() -> bool) -> Result<Record, RunError> {
        self.limit_bus_cycles = limit_bus_cycles;
        self.run_events(check)?;
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
        self.trace = Some(Box::new(Recorder::new(window, self.spes.len(), self.ratio)));
        self.run_events(check)?;
        Ok(self.take_trace())
    }

    /// The event loop: one event after the other until none is left, or the window of a trace is over.
    fn run_events(&mut self, mut check: impl FnMut() -> bool) -> Result<(), RunError> {
        self.start();
        let (mut events, mut checked_at) = (0, 0);
        while let Some(event) = self.calendar.pop() {
            if self.bus_cycles() > self.limit_bus_cycles {
                return Err(RunError::Limit { limit_bus_cycles: self.limit_bus_cycles, waiting: self.waiting() });
            }
            if self.trace.as_ref().is_some_and(|trace| self.now() >= trace.to()) {
                return Ok(());
            }
            self.dispatch(event)?;
            events += 1;
            if events == EVENTS_BETWEEN_CHECKS || self.now() - checked_at >= BUS_CYCLES_BETWEEN_CHECKS {
                (events, checked_at) = (0, self.now());
                if !check() {
                    return Err(RunError::Interrupted);
                }
            }
        }
        let waiting = self.waiting();
        if waiting.is_empty() { Ok(()) } else { Err(RunError::Deadlock { bus_cycle: self.bus_cycles(), waiting }) }
    }

    /// Starts the PPE's programs; without one, those of all SPEs.
    fn start(&mut self) {
        if self.ppe.threads[0].program.is_some() {
            for thread in self.ppe.threads.iter_mut().filter(|thread| thread.program.is_some()) {
                thread.core.start(0, 0);
            }
            self.wake(Unit::Ppe, 0);
            return;
        }
        for spe in 0..self.spes.len() as u8 {
            self.start_program(SpeId(spe), 0);
        }
    }
}
