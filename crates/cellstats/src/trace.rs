//! A measurement looked at closely: what happens in its first bus cycles, or in later ones.

use super::layout::Layout;
use super::spe::MEASURED_TAG;
use super::spe_program::only_builtin;
use super::{Function, MeasureError, Params, StartSpe, prepared_with};
use cell::machine::Machine;
use cell::trace::{Trace, Trigger, Window};
use cell::units::BusCycle;

/// Which bus cycles of the measured part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceSpan {
    /// Bus cycles to leave out.
    pub skip_bus_cycles: BusCycle,
    /// Bus cycles to look at.
    pub bus_cycles: BusCycle,
}

impl TraceSpan {
    /// The longest window, and the farthest one: seconds of simulated time, every cycle of them simulated.
    pub const BUS_CYCLES_MAX: BusCycle = 1 << 32;

    fn check(self) -> Result<(), String> {
        let most = TraceSpan::BUS_CYCLES_MAX;
        for (flag, value, least) in [("--window", self.bus_cycles, 1), ("--skip", self.skip_bus_cycles, 0)] {
            if value < least || value > most {
                return Err(format!("{flag} {value}: give {least} to {most} bus cycles"));
            }
        }
        Ok(())
    }
}

/// Runs a measurement, with the built-in programs, up to the end of a window of its measured part, and tells
/// what happened there.
///
/// `check` is called now and then; the run ends as interrupted when it returns false.
///
/// # Errors
/// Bad parameters, a run that failed, or one that ended before the window began.
pub fn trace(
    machine: &Machine,
    params: &Params,
    span: TraceSpan,
    check: impl FnMut() -> bool,
) -> Result<Trace, MeasureError> {
    trace_with(machine, params, span, only_builtin(params)?, check)
}

/// As [`trace`], with programs of the caller's on the SPEs: those that `params.spe_program` names.
///
/// # Errors
/// As [`trace`].
pub fn trace_with(
    machine: &Machine,
    params: &Params,
    span: TraceSpan,
    start: StartSpe,
    check: impl FnMut() -> bool,
) -> Result<Trace, MeasureError> {
    span.check().map_err(MeasureError::Usage)?;
    let layout = Layout::new(machine, params).map_err(MeasureError::Usage)?;
    let (mut system, _) = prepared_with(machine, params, &layout, start);
    let window =
        Window { trigger: trigger(params), skip_bus_cycles: span.skip_bus_cycles, bus_cycles: span.bus_cycles };
    let trace = system.run_window(window, check).map_err(MeasureError::Run)?;
    trace.ok_or_else(|| {
        let skip = span.skip_bus_cycles;
        MeasureError::Usage(format!("--skip {skip}: the run ends before that; skip less, or give more iterations (-i)"))
    })
}

/// How the measured part begins: with its first DMA, or else when the clock is read that it is measured by.
pub(super) fn trigger(params: &Params) -> Trigger {
    let function = params.function;
    if function == Function::Mkthread || params.ppe_threads() > 0 {
        Trigger::TimeBase
    } else if function.is_atomic() || function.is_access() || function.is_synchronisation() && !params.spe_to_spe {
        Trigger::Decrementer
    } else {
        Trigger::TagGroup(MEASURED_TAG)
    }
}
