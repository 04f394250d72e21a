//! The window of a trace.

use crate::parameters::Parameter;
use crate::refusal::Refusal;
use cell::units::BusCycle;

/// A window in the measured part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceSpan {
    /// Bus cycles of the measured part before the window.
    pub skip_bus_cycles: BusCycle,
    /// Length of the window in bus cycles.
    pub bus_cycles: BusCycle,
}

impl TraceSpan {
    /// Maximum length of a window, and of the time before it: a few seconds of simulated time, with every bus cycle
    /// simulated.
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
