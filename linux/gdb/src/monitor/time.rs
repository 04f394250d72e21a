//! `monitor time`.

use linux::debug::Stopped;

/// Simulated time at the beginning of the turn in which the process has stopped.
pub fn time(stopped: &mut Stopped<'_>) -> String {
    let (nanos, ticks) = (stopped.time_ns(), stopped.hardware.time_base());
    let cycle = stopped.hardware.spes().map_or(0, |machine| machine.bus_cycle());
    let (millis, rest) = (nanos / 1_000_000, nanos % 1_000_000);
    format!("{millis}.{rest:06} ms since the start, bus cycle {cycle}, time base {ticks}\n")
}
