//! The clock: the CPU's own counter if it runs at a constant rate, otherwise the kernel's clock.
//!
//! On x86-64, the counter is the time stamp counter, if CPUID reports that its rate is the same in all power states
//! (see "Invariant TSC" in Intel SDM volume 3, and AMD64 APM volume 2). An `lfence` before and after the read keeps
//! the read in program order: earlier loads are complete, and later instructions have not begun. On AArch64, the
//! counter is the virtual counter `cntvct_el0`, whose rate is architecturally fixed, read between two `isb`
//! instructions. Counters of different CPUs are only compared for times of one direction (`linux::lines`).
//!
//! The cost of a reading and the smallest step of the clock are measured before the clock is used.

use serde::Serialize;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Length of the interval over which the counter is calibrated against the kernel's clock. Both ends of the interval
/// are known to about 50 ns, so the rate is accurate to a few parts per million.
const COMPARED: Duration = Duration::from_millis(20);
/// Number of readings from which the clock's cost and resolution are derived.
const READINGS: usize = 4096;

/// A source of time, with its rate, cost and resolution.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Clock {
    /// The counter or clock that is read.
    pub source: Source,
    /// Ticks in a second.
    pub hz: f64,
    /// Median time from one clock reading to the next.
    pub cost_ns: f64,
    /// Smallest observed difference between two clock readings.
    pub resolution_ns: f64,
    /// Whether the CPU has a counter of constant rate. If not, the kernel's clock is used.
    pub invariant: bool,
}

/// Sources of time.
#[allow(dead_code)] // Each architecture uses only one of the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The time stamp counter of x86.
    Tsc,
    /// The virtual counter of AArch64.
    Cntvct,
    /// `CLOCK_MONOTONIC`, read through the C library.
    ClockGettime,
}

impl Clock {
    /// The clock of this computer. The first call measures the clock's rate, cost and resolution.
    pub fn get() -> &'static Clock {
        static CLOCK: OnceLock<Clock> = OnceLock::new();
        CLOCK.get_or_init(Clock::examine)
    }

    fn examine() -> Clock {
        let invariant = counter::is_invariant();
        let source = counter::SOURCE.filter(|_| invariant).unwrap_or(Source::ClockGettime);
        let unexamined = Clock { source, hz: 1e9, cost_ns: 0.0, resolution_ns: 0.0, invariant };
        let hz = if source == Source::ClockGettime { 1e9 } else { unexamined.rate_hz() };
        let clock = Clock { hz, ..unexamined };
        let readings: Vec<u64> = (0..READINGS).map(|_| clock.now()).collect();
        let mut steps: Vec<u64> = readings.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        steps.sort_unstable();
        let smallest = steps.iter().copied().find(|step| *step > 0).unwrap_or(1);
        // A coarse counter does not advance between most readings, so the cost is the average over all readings.
        let average = (readings[READINGS - 1] - readings[0]) as f64 / (READINGS - 1) as f64;
        let cost = if steps[READINGS / 2] > 0 { steps[READINGS / 2] as f64 } else { average };
        Clock { cost_ns: cost / hz * 1e9, resolution_ns: clock.ns(smallest), ..clock }
    }

    /// The current time in ticks since an arbitrary start.
    #[inline]
    pub fn now(&self) -> u64 {
        match self.source {
            Source::ClockGettime => monotonic_ns(),
            _ => counter::read(),
        }
    }

    /// Converts ticks to nanoseconds.
    pub fn ns(&self, ticks: u64) -> f64 {
        ticks as f64 / self.hz * 1e9
    }

    /// The counter's rate, measured with the kernel's clock.
    fn rate_hz(&self) -> f64 {
        let (start, first) = (Instant::now(), self.now());
        std::thread::sleep(COMPARED);
        let (elapsed, last) = (start.elapsed(), self.now());
        (last - first) as f64 / elapsed.as_secs_f64()
    }
}

fn monotonic_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use super::Source;
    use std::arch::x86_64::{__cpuid, _mm_lfence, _rdtsc};

    pub const SOURCE: Option<Source> = Some(Source::Tsc);

    /// Whether the counter is invariant: bit 8 of EDX in CPUID leaf 0x8000_0007.
    #[allow(unused_unsafe)] // Newer compilers call CPUID safe.
    pub fn is_invariant() -> bool {
        const POWER_MANAGEMENT: u32 = 0x8000_0007;
        // SAFETY: every x86-64 processor has CPUID, and the first call returns the number of the highest leaf.
        unsafe { __cpuid(0x8000_0000).eax >= POWER_MANAGEMENT && __cpuid(POWER_MANAGEMENT).edx >> 8 & 1 == 1 }
    }

    #[inline]
    pub fn read() -> u64 {
        // SAFETY: every x86-64 processor has `lfence` and `rdtsc`, and Linux lets programs use both.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod counter {
    use super::Source;
    use std::arch::asm;

    pub const SOURCE: Option<Source> = Some(Source::Cntvct);

    pub fn is_invariant() -> bool {
        true
    }

    #[inline]
    pub fn read() -> u64 {
        let ticks: u64;
        // SAFETY: Linux lets programs read the virtual counter, and the assembly code accesses nothing else.
        unsafe { asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack)) };
        ticks
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod counter {
    use super::Source;

    pub const SOURCE: Option<Source> = None;

    pub fn is_invariant() -> bool {
        false
    }

    pub fn read() -> u64 {
        super::monotonic_ns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_kernels_clock() {
        let clock = Clock::get();
        let (start, first) = (Instant::now(), clock.now());
        std::thread::sleep(Duration::from_millis(50));
        let (ours, theirs) = (clock.ns(clock.now() - first), start.elapsed().as_nanos() as f64);
        assert!((ours / theirs - 1.0).abs() < 0.01, "{ours} ns and {theirs} ns");
    }

    #[test]
    fn its_cost_and_its_steps_are_known() {
        let clock = Clock::get();
        assert!(clock.hz >= 1e6 && clock.cost_ns > 0.0 && clock.resolution_ns > 0.0, "{clock:?}");
        assert_eq!(clock.invariant, clock.source != Source::ClockGettime, "{clock:?}");
    }

    #[test]
    fn it_never_goes_back_on_one_thread() {
        let clock = Clock::get();
        let readings: Vec<u64> = (0..10_000).map(|_| clock.now()).collect();
        assert!(readings.is_sorted());
    }
}
