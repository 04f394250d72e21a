//! Traces of successive windows without restarting the run.

use super::columns::Recipe;
use super::prepared::{MeasureError, prepared};
use super::result::recipe;
use super::span::TraceSpan;
use crate::parameters::Parameter;
use crate::refusal::Refusal;
use crate::request::{Plan, Request};
use cell::error::RunError;
use cell::machine::Machine;
use cell::system::System;
use cell::trace::{Trace, Trigger, Window};
use cell::units::BusCycle;

/// A measurement under way.
pub struct Session {
    machine: Machine,
    request: Request,
    plan: Plan,
    trigger: Trigger,
    /// The run, and the end of the previous window in bus cycles after the trigger.
    under_way: Option<(System<'static>, BusCycle)>,
}

impl Session {
    /// A measurement that has not begun.
    ///
    /// # Errors
    /// Invalid parameters.
    pub fn new(machine: &Machine, request: &Request) -> Result<Session, Refusal> {
        let plan = request.plan(machine)?;
        let (machine, request) = (machine.clone(), request.clone());
        let trigger = request.experiment.trigger();
        Ok(Session { machine, request, plan, trigger, under_way: None })
    }

    /// The physical SPE of each thread.
    pub fn placement(&self) -> Vec<u8> {
        self.request.settings.spes_of(&self.plan.placement).iter().map(|spe| spe.0).collect()
    }

    /// Everything that determines the measurement, including defaults.
    pub fn recipe(&self) -> Recipe {
        recipe(&self.machine, &self.request, &self.plan.placement)
    }

    /// The trace of a window, as [`trace`](super::trace::trace) returns it. The run continues if the window begins no
    /// earlier than the previous window's end; otherwise the run restarts.
    ///
    /// # Errors
    /// An invalid window, a run that failed, or a run that ended before the window began.
    pub fn window(&mut self, span: TraceSpan, mut check: impl FnMut() -> bool) -> Result<Trace, MeasureError> {
        span.check()?;
        let trace = self.traced(span, &mut check).map_err(|error| match error {
            MeasureError::Run(RunError::TraceFull { rows_max }) => {
                let reason = format!("more than {rows_max} events; give a shorter window");
                Refusal::of(Parameter::Window, reason).given(span.bus_cycles).into()
            }
            other => other,
        })?;
        trace.ok_or_else(|| {
            // The run has ended, so it cannot continue to a later window.
            self.under_way = None;
            let reason = "the run ends before that; skip less, or give more iterations ({iterations})";
            Refusal::of(Parameter::Skip, reason).given(span.skip_bus_cycles).into()
        })
    }

    /// The trace of a window, or `None` if the run ends before the window begins.
    pub(super) fn traced(
        &mut self,
        span: TraceSpan,
        check: &mut impl FnMut() -> bool,
    ) -> Result<Option<Trace>, MeasureError> {
        let TraceSpan { skip_bus_cycles, bus_cycles } = span;
        let (system, trace) = match self.under_way.take() {
            Some((mut system, seen)) if seen <= skip_bus_cycles => {
                if seen < skip_bus_cycles {
                    system.run_next_window(skip_bus_cycles - seen, &mut *check)?;
                }
                let trace = system.run_next_window(bus_cycles, check)?;
                (system, trace)
            }
            _ => {
                let Plan { placement, tasks } = &self.plan;
                let (mut system, _) = prepared(&self.machine, &self.request, placement, tasks.clone())?;
                let window = Window { trigger: self.trigger, skip_bus_cycles, bus_cycles };
                let trace = system.run_window(window, check)?;
                (system, trace)
            }
        };
        self.under_way = Some((system, skip_bus_cycles + bus_cycles));
        Ok(trace)
    }
}
