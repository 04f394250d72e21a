//! CPU time, which does not depend on the load of the computer.

use std::sync::LazyLock;
use std::time::Instant;

/// The CPU time of this thread, if the system reports it; otherwise the time of day.
pub fn cpu_seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let scheduled = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = scheduled.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| START.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

/// The median of `count` measurements.
pub fn median(count: usize, measure: impl Fn() -> f64) -> f64 {
    let mut seconds: Vec<f64> = (0..count).map(|_| measure()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds[count / 2]
}
