//! Clocks that report simulated time to programs.
//!
//! All clocks follow the time base, so that system calls and the time-base register agree.

use super::wait::Nanos;

/// Calendar time at the start of the machine, in seconds since 1970.
///
/// MODEL: every run begins at the same moment, 2007-11-01 12:00:00 UTC.
pub const START_SECONDS: u64 = 1_193_918_400;

/// Conversion between ticks of the time base, processor cycles, and nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    timebase_hz: u64,
    processor_hz: u64,
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;

impl Clock {
    /// Creates a clock for these frequencies of the time base and the processor.
    pub fn new(timebase_hz: u64, processor_hz: u64) -> Clock {
        Clock { timebase_hz: timebase_hz.max(1), processor_hz: processor_hz.max(1) }
    }

    /// Duration of processor cycles.
    pub fn nanos_of_cycles(&self, cycles: u64) -> Nanos {
        let nanos = u128::from(cycles) * NANOS_PER_SECOND / u128::from(self.processor_hz);
        u64::try_from(nanos).unwrap_or(u64::MAX)
    }

    /// Converts a duration to processor cycles, rounded up.
    pub fn cycles(&self, nanos: Nanos) -> u64 {
        let cycles = (u128::from(nanos) * u128::from(self.processor_hz)).div_ceil(NANOS_PER_SECOND);
        u64::try_from(cycles).unwrap_or(u64::MAX)
    }

    /// Converts a time-base value to the time since the start.
    pub fn nanos(&self, ticks: u64) -> Nanos {
        u64::try_from(u128::from(ticks) * NANOS_PER_SECOND / u128::from(self.timebase_hz)).unwrap_or(u64::MAX)
    }

    /// The first time-base tick at or after a time.
    pub fn ticks(&self, nanos: Nanos) -> u64 {
        let ticks = (u128::from(nanos) * u128::from(self.timebase_hz)).div_ceil(NANOS_PER_SECOND);
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_has_come_at_its_tick_and_not_before() {
        let clock = Clock::new(79_800_000, 3_200_000_000);
        for nanos in [0, 1, 12, 13, 999_999_999, 1_000_000_000, 123_456_789_012] {
            let tick = clock.ticks(nanos);
            assert!(clock.nanos(tick) >= nanos);
            assert!(tick == 0 || clock.nanos(tick - 1) < nanos);
        }
    }
}
