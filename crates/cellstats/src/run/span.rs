//! A window of a measurement.

use crate::parameters::Parameter;
use crate::refusal::Refusal;
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
