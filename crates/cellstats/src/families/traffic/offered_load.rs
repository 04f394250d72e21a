//! Offered load: the rate and the times at which DMAs are offered to an SPE, however fast the machine serves them.

use crate::choices::{Injection, choice};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use cell::machine::Machine;

/// Times between DMAs are in fractions of an SPU cycle; this is one SPU cycle.
pub const SPU_CYCLE: u64 = 1 << 16;
/// Parts of a share in whole numbers.
const MILLION: u64 = 1_000_000;

/// The rate at which DMAs are offered to an SPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Rate {
    /// Millionths of the peak of the SPE's port in each direction that the DMAs use.
    Share(u64),
    /// Bytes per second, in all directions together.
    Bandwidth(u64),
}

/// The load that is offered to each SPE, as it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OfferedLoad {
    rate: Rate,
    /// The times at which DMAs are offered.
    pub injection: Injection,
}

impl OfferedLoad {
    /// Reads the load; `None` if no rate is given.
    ///
    /// # Errors
    /// A rate that is not a number above 0, or an injection that is none or that lacks a rate.
    pub fn read(given: &Parameters) -> Result<Option<OfferedLoad>, Refusal> {
        let injection = given.injection.as_deref().map(|word| choice(&Injection::ALL, word, Parameter::Injection));
        let Some(text) = &given.rate else {
            return match injection.transpose()? {
                Some(_) => Err(Refusal::new("{injection} says when DMAs are offered at a rate; give {rate} too")),
                None => Ok(None),
            };
        };
        if given.batch.is_some_and(|batch| batch > 0) {
            let reason = "DMAs that are offered at a rate do not wait for each other, leave {batch} out";
            return Err(Refusal::of(Parameter::Batch, reason).with("{rate}"));
        }
        let rate = Rate::from_text(text).ok_or_else(|| {
            let reason = "give a share of the peak, such as 0.3 or 30%, or a bandwidth, such as 8GB/s";
            Refusal::of(Parameter::Rate, reason).given(format!("{text:?}"))
        })?;
        Ok(Some(OfferedLoad { rate, injection: injection.transpose()?.unwrap_or_default() }))
    }

    /// The interval between the DMAs of one SPE on average, if each moves this number of bytes in each of `directions`.
    ///
    /// # Errors
    /// More than the peak of the port, or more than a DMA in each SPU cycle.
    pub fn interval(self, machine: &Machine, bytes: u64, directions: u64) -> Result<u64, Refusal> {
        let peak = peak_interval(machine, bytes);
        let (numerator, denominator) = self.share(machine, directions);
        let refused = |reason: String| Err(Refusal::of(Parameter::Rate, reason));
        if numerator > denominator {
            let peak_gb_s = peak_bandwidth(machine, directions) as f64 / 1e9;
            return refused(format!("more than an SPE's port carries, give 1 at most ({peak_gb_s:.1}GB/s)"));
        }
        let interval = u128::from(peak) * u128::from(denominator) / u128::from(numerator);
        if interval < u128::from(SPU_CYCLE) {
            return refused("more than one DMA in an SPU cycle; give a lower rate, or a larger {size}".to_string());
        }
        Ok(interval.min(u128::from(u64::MAX >> 24)) as u64)
    }

    /// The rate's share of the port's peak, as numerator and denominator.
    pub fn share(self, machine: &Machine, directions: u64) -> (u64, u64) {
        match self.rate {
            Rate::Share(millionths) => (millionths, MILLION),
            Rate::Bandwidth(bandwidth) => (bandwidth, peak_bandwidth(machine, directions)),
        }
    }
}

/// What an SPE's port carries, in bytes per second.
fn peak_bandwidth(machine: &Machine, directions: u64) -> u64 {
    u64::from(machine.eib.beat_bytes) * machine.bus_hz() * directions
}

/// The interval of DMAs of this number of bytes, if they use all of the port's bandwidth in one direction.
pub fn peak_interval(machine: &Machine, bytes: u64) -> u64 {
    bytes * SPU_CYCLE * machine.chip.processor_cycles_per_bus_cycle / u64::from(machine.eib.beat_bytes)
}

impl Rate {
    fn from_text(text: &str) -> Option<Rate> {
        let lower = text.trim().to_lowercase();
        let scaled = |number: &str, factor: u64| {
            let value: f64 = number.trim().parse().ok()?;
            let whole = (value * factor as f64).round();
            (1.0..1e15).contains(&whole).then_some(whole as u64)
        };
        if let Some(number) = lower.strip_suffix("gb/s") {
            scaled(number, 1_000_000_000).map(Rate::Bandwidth)
        } else if let Some(number) = lower.strip_suffix('%') {
            scaled(number, MILLION / 100).map(Rate::Share)
        } else {
            scaled(&lower, MILLION).map(Rate::Share)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(rate: &str, bytes: u64, directions: u64) -> Result<f64, String> {
        let machine = Machine::builtin("eval-board").unwrap();
        let given = Parameters { rate: Some(rate.to_string()), ..Parameters::default() };
        let load = OfferedLoad::read(&given).map_err(|refusal| refusal.to_string())?.unwrap();
        let interval = load.interval(&machine, bytes, directions).map_err(|refusal| refusal.to_string())?;
        Ok(interval as f64 / SPU_CYCLE as f64)
    }

    #[test]
    fn a_rate_is_a_share_of_the_peak_or_a_bandwidth() {
        // A line takes 8 bus cycles, which are 16 SPU cycles; the port carries 25.6 GB/s in each direction.
        assert_eq!(interval("1", 128, 1), Ok(16.0));
        assert_eq!(interval("25%", 128, 1), Ok(64.0));
        assert_eq!(interval("6.4GB/s", 128, 1), Ok(64.0));
        assert_eq!(interval("12.8 gb/s", 128, 2), Ok(64.0), "a get and a put of 128 bytes each");
    }

    #[test]
    fn a_rate_that_no_port_carries_is_refused() {
        for (rate, bytes) in [("1.01", 128), ("26GB/s", 128), ("1", 4), ("0", 128), ("-1", 128), ("fast", 128)] {
            assert!(interval(rate, bytes, 1).is_err(), "{rate}");
        }
    }
}
