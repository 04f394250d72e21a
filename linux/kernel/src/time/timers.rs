//! Timers, which send a signal when they expire.

use super::clock_id::ClockId;
use crate::signals::number::Signal;
use crate::tid::Tid;
use crate::wait::Nanos;
use std::collections::BTreeMap;

/// Number of the timer that `alarm` and `ITIMER_REAL` share.
pub const ALARM: u32 = u32::MAX;
/// Number of the `ITIMER_VIRTUAL` timer.
pub const VIRTUAL: u32 = u32::MAX - 1;
/// Number of the `ITIMER_PROF` timer.
pub const PROFILING: u32 = u32::MAX - 2;
/// Upper limit: timers from `timer_create` have lower numbers than this.
pub const OWN: u32 = PROFILING;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    /// The clock that the timer uses.
    pub clock: ClockId,
    /// Time of the next expiry. `None` for a disarmed timer.
    pub at: Option<Nanos>,
    /// Time between expiries. The value is 0 for a timer with a single expiry.
    pub interval: Nanos,
    /// Notification at expiry.
    pub notify: Notify,
    /// Overrun count: number of additional expiries that the last signal reports.
    pub overrun: u32,
}

/// Notification of a timer's expiry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notify {
    /// Nothing.
    Nobody,
    /// A signal to the process, with a value.
    Process(Signal, u64),
    /// A signal to a thread, with a value.
    Thread(Tid, Signal, u64),
}

#[derive(Default, Debug)]
pub struct Timers {
    timers: BTreeMap<u32, Timer>,
    next: Option<Nanos>,
    /// Whether any timer uses a processor-time clock.
    counts_use: bool,
}

impl Timers {
    /// Next expiry of the timers that do not use a processor-time clock.
    pub fn next(&self) -> Option<Nanos> {
        self.next
    }

    /// Whether any armed timer uses a processor-time clock.
    pub fn counts_use(&self) -> bool {
        self.counts_use
    }

    /// Next expiry of the timers that use this clock.
    pub fn next_of(&self, clock: ClockId) -> Option<Nanos> {
        self.timers.values().filter(|timer| timer.clock == clock).filter_map(|timer| timer.at).min()
    }

    /// The timer with this number.
    pub fn get(&self, number: u32) -> Option<Timer> {
        self.timers.get(&number).copied()
    }

    /// Sets a timer. Returns the previous timer with this number.
    pub fn set(&mut self, number: u32, timer: Timer) -> Option<Timer> {
        let before = self.timers.insert(number, timer);
        self.look_for_next();
        before
    }

    /// Removes a timer.
    pub fn remove(&mut self, number: u32) -> Option<Timer> {
        let timer = self.timers.remove(&number);
        self.look_for_next();
        timer
    }

    /// The lowest free number.
    pub fn free_number(&self) -> u32 {
        (0..OWN).find(|number| !self.timers.contains_key(number)).unwrap_or(0)
    }

    /// Returns the expired timers of the selected clocks, and rearms repeating timers.
    pub fn expire(&mut self, now: Nanos, is_of: impl Fn(ClockId) -> bool) -> Vec<(u32, Timer)> {
        let is_due = |timer: &Timer| is_of(timer.clock) && timer.at.is_some_and(|at| at <= now);
        let due = self.timers.iter_mut().filter(|(_, timer)| is_due(timer));
        let expired = due.map(|(number, timer)| {
            let late = now - timer.at.unwrap_or(now);
            let missed = late.checked_div(timer.interval).unwrap_or(0);
            timer.overrun = missed.min(i32::MAX as u64) as u32;
            let following = |at: Nanos| at.saturating_add(timer.interval.saturating_mul(missed + 1));
            timer.at = timer.at.filter(|_| timer.interval > 0).map(following);
            (*number, *timer)
        });
        let expired = expired.collect();
        self.look_for_next();
        expired
    }

    fn look_for_next(&mut self) {
        let set = || self.timers.values().filter(|timer| timer.at.is_some());
        self.next = set().filter(|timer| timer.clock.passes()).filter_map(|timer| timer.at).min();
        self.counts_use = set().any(|timer| !timer.clock.passes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timer(at: Nanos, interval: Nanos) -> Timer {
        Timer { clock: ClockId::Monotonic, at: Some(at), interval, notify: Notify::Nobody, overrun: 0 }
    }

    #[test]
    fn a_timer_goes_off_at_its_time_and_counts_what_it_missed() {
        let mut timers = Timers::default();
        timers.set(0, timer(100, 0));
        timers.set(1, timer(50, 20));
        assert_eq!(timers.next(), Some(50));
        assert!(timers.expire(49, ClockId::passes).is_empty());
        assert_eq!(timers.expire(50, ClockId::passes)[0].1.overrun, 0);
        assert_eq!(timers.next(), Some(70));
        let both = timers.expire(115, ClockId::passes);
        assert_eq!(both.iter().map(|(number, timer)| (*number, timer.overrun)).collect::<Vec<_>>(), [(0, 0), (1, 2)]);
        assert_eq!((timers.next(), timers.get(0).and_then(|timer| timer.at)), (Some(130), None));
        assert_eq!(timers.free_number(), 2);
    }
}
