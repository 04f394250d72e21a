//! A run: from the first program's start until the calendar is empty, or until a traced window ends.

use super::parts::System;
use super::ppe::supervisor::{Held, supervise};
use super::spe::wake::start_program;
use super::stage::Unit;
use super::time::CYCLES_BETWEEN_CHECKS;
use super::wires::Wires;
use crate::door::Supervisor;
use crate::error::RunError;
use crate::record::Record;
use crate::trace::{Recorder, TRACE_ROWS_MAX, Trace, Window};
use crate::units::BusCycle;

/// The caller's `check` also runs after this many bus cycles of any kind, because a single turn may take the host a long
/// time.
const BUS_CYCLES_BETWEEN_CHECKS: BusCycle = 1 << 22;

impl System<'_> {
    /// Runs until every program has stopped and nothing is in flight.
    ///
    /// `check` is called from time to time. The run ends when `check` returns false.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run(&mut self, limit_bus_cycles: BusCycle, check: impl FnMut() -> bool) -> Result<Record, RunError> {
        self.wires.time.limit_bus_cycles = limit_bus_cycles;
        self.start();
        self.run_cycles(check)?;
        Ok(self.record())
    }

    /// Continues a run that [`RunError::Interrupted`] has ended. The record equals that of a run without interruption.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn go_on(&mut self, check: impl FnMut() -> bool) -> Result<Record, RunError> {
        self.run_cycles(check)?;
        Ok(self.record())
    }

    /// Lets `look` see and change the machine between two bus cycles.
    pub fn look<R>(&mut self, look: impl FnOnce(&mut dyn Supervisor) -> R) -> R {
        let System { wires, memory, processors, .. } = self;
        look(&mut Held { chip: 0, thread: 0, memory, processors, wires })
    }

    /// Runs until a window or the run ends, and returns the trace of the window, or `None` if the run ended before the
    /// window began. `check` works as in [`System::run`].
    ///
    /// Fast-forward, where it is enabled, ends with the event that opens the window.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_window(&mut self, window: Window, check: impl FnMut() -> bool) -> Result<Option<Trace>, RunError> {
        self.watch(window);
        self.start();
        self.run_cycles(check)?;
        Ok(self.wires.trace())
    }

    /// Continues the run to the end of the next window, which starts at the end of the previous window. Returns `None`
    /// if the run ends before the next window begins. The trace equals that of [`System::run_window`] on a new machine
    /// with a later window.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_next_window(
        &mut self,
        bus_cycles: BusCycle,
        check: impl FnMut() -> bool,
    ) -> Result<Option<Trace>, RunError> {
        self.wires.probes.traced(|trace| trace.next_window(bus_cycles));
        self.run_cycles(check)?;
        Ok(self.wires.trace())
    }

    /// Runs until every program has stopped or a window has ended, whichever comes first. Returns both the record and
    /// the trace.
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
        Ok((record, self.wires.trace()))
    }

    fn watch(&mut self, window: Window) {
        let (channels, ratio) = (self.wires.board.mic_channels(), self.wires.time.ratio);
        let recorder = Recorder::new(window, self.processors.spes.len(), channels, ratio);
        self.wires.probes.trace = Some(Box::new(recorder));
    }

    /// Processes each bus cycle in which something is due, until the calendar is empty or the window of a trace has
    /// ended.
    fn run_cycles(&mut self, mut check: impl FnMut() -> bool) -> Result<(), RunError> {
        let mut check_at = BUS_CYCLES_BETWEEN_CHECKS;
        self.begin_unchecked(self.wires.time.now());
        while self.wires.time.advance() {
            if self.wires.time.bus_cycles() > self.wires.time.limit_bus_cycles {
                let (limit_bus_cycles, waiting) = (self.wires.time.limit_bus_cycles, self.waiting());
                // The alarm of a decrementer may be due long after its program has ended.
                return if waiting.is_empty() { Ok(()) } else { Err(RunError::Limit { limit_bus_cycles, waiting }) };
            }
            let now = self.wires.time.now();
            if self.wires.probes.trace.as_ref().is_some_and(|trace| now >= trace.to()) {
                return Ok(());
            }
            while let Some(due) = self.wires.time.take() {
                if let Err(error) = self.dispatch(due) {
                    supervise(error, &mut self.wires.time, &mut self.processors)?;
                }
            }
            self.wires.time.unchecked += 1;
            if self.wires.time.unchecked >= CYCLES_BETWEEN_CHECKS || now >= check_at {
                check_at = now + BUS_CYCLES_BETWEEN_CHECKS;
                self.begin_unchecked(now);
                if self.wires.probes.trace.as_ref().is_some_and(|trace| trace.is_full()) {
                    return Err(RunError::TraceFull { rows_max: TRACE_ROWS_MAX });
                }
                if !check() {
                    return Err(RunError::Interrupted);
                }
            }
        }
        match self.waiting() {
            none if none.is_empty() => Ok(()),
            waiting => Err(RunError::Deadlock { bus_cycle: self.wires.time.bus_cycles(), waiting }),
        }
    }

    /// Begins bus cycles without a check.
    fn begin_unchecked(&mut self, now: BusCycle) {
        let Wires { time, probes, .. } = &mut self.wires;
        time.unchecked = 0;
        // The window of a trace may end in any bus cycle.
        time.idle_until = if probes.trace.is_some() { 0 } else { now + BUS_CYCLES_BETWEEN_CHECKS };
    }

    /// Starts the PPE's programs or, if there are none, the programs of all SPEs.
    fn start(&mut self) {
        let System { wires, processors, .. } = self;
        let mut started = false;
        for ppe in processors.ppes.iter_mut().filter_map(|ppe| ppe.start().then_some(ppe)) {
            wires.time.wake(Unit::Ppe(ppe.chip), 0);
            started = true;
        }
        if started {
            return;
        }
        for spe in &mut processors.spes {
            start_program(spe, 0, wires);
        }
    }
}
