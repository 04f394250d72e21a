//! A measurement looked at closely: what happens in its first bus cycles, or in later ones.

use super::prepared::MeasureError;
use super::session::Session;
use crate::parameter::Parameter;
use crate::refusal::Refusal;
use crate::request::Request;
use cell::machine::Machine;
use cell::trace::Trace;
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
    /// The longest window, and the largest skip: seconds of simulated time, every cycle of them simulated.
    pub const BUS_CYCLES_MAX: BusCycle = 1 << 32;

    pub(super) fn check(self) -> Result<(), Refusal> {
        let most = TraceSpan::BUS_CYCLES_MAX;
        let (window, skip) = (self.bus_cycles, self.skip_bus_cycles);
        for (parameter, value, least) in [(Parameter::Window, window, 1), (Parameter::Skip, skip, 0)] {
            if value < least || value > most {
                return Err(Refusal::of(parameter, format!("give {least} to {most} bus cycles")).given(value));
            }
        }
        Ok(())
    }
}

/// Runs a measurement up to the end of a window of its measured part, and tells what happened there.
///
/// `check` is called now and then; the run ends as interrupted when it returns false.
///
/// # Errors
/// Parameters that cannot be, a run that failed, or one that ended before the window began.
pub fn trace(
    machine: &Machine,
    request: &Request,
    span: TraceSpan,
    check: impl FnMut() -> bool,
) -> Result<Trace, MeasureError> {
    Session::new(machine, request)?.window(span, check)
}
