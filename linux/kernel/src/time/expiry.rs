//! Expiry of timers.

use super::clock_id::ClockId;
use super::timers::{ALARM, Notify, PROFILING, Timer, Timers, VIRTUAL};
use crate::clock::Clock;
use crate::signals::action::Signals;
use crate::signals::number::Signal;
use crate::signals::pending::{Info, code};
use crate::threads::send::{alarm, send_to_process, send_to_thread};
use crate::threads::thread::Thread;
use crate::tid::Tid;
use crate::wait::{Nanos, Wakes};
use std::collections::BTreeMap;

/// The timers, with the parts of the kernel that an expired timer affects.
pub struct Expiry<'k> {
    pub timers: &'k mut Timers,
    /// Conversion between processor cycles and nanoseconds.
    pub clock: &'k Clock,
    /// Processor cycles used by the process.
    pub used_cycles: u64,
    /// Signals of the process.
    pub signals: &'k mut Signals,
    /// Threads of the process.
    pub threads: &'k mut BTreeMap<Tid, Thread>,
    /// Queues that were woken.
    pub wakes: &'k mut Wakes,
}

impl Expiry<'_> {
    /// Sends the signals of the timers that have expired.
    pub fn expire(&mut self, now: Nanos) {
        if self.timers.next().is_some_and(|at| at <= now) {
            let expired = self.timers.expire(now, ClockId::passes);
            self.send_signals(expired);
        }
    }

    /// Sends the signals of the expired timers that count the processor time of a thread or of the process.
    pub fn expire_usage(&mut self, tid: Tid) {
        for clock in [ClockId::Process, ClockId::Thread(tid)] {
            let expired = self.timers.expire(self.usage(clock), |of| of == clock);
            self.send_signals(expired);
        }
    }

    /// Processor cycles until the next expiry of a timer that counts the processor time of a thread or of the process.
    pub fn cycles_left(&self, tid: Tid) -> u64 {
        let left = |clock| {
            let at = self.timers.next_of(clock)?;
            Some(self.clock.cycles(at.saturating_sub(self.usage(clock))).max(1))
        };
        [ClockId::Process, ClockId::Thread(tid)].into_iter().filter_map(left).min().unwrap_or(u64::MAX)
    }

    /// Value of a clock that counts processor time. For all other clocks, the value is 0.
    fn usage(&self, clock: ClockId) -> Nanos {
        let cycles = match clock {
            ClockId::Process => self.used_cycles,
            ClockId::Thread(tid) => self.threads.get(&tid).map_or(0, |thread| thread.used_cycles),
            ClockId::Real | ClockId::Monotonic => 0,
        };
        self.clock.nanos_of_cycles(cycles)
    }

    fn send_signals(&mut self, expired: Vec<(u32, Timer)>) {
        let Expiry { signals, threads, wakes, .. } = self;
        for (number, timer) in expired {
            let info = |signal, value: u64| Info {
                signal,
                code: code::TIMER,
                fields: [number, timer.overrun, value as u32],
                upper: (value >> 32) as u32,
            };
            // A signal is discarded if too many signals are pending, or if its thread has ended.
            let _ = match (number, timer.notify) {
                (ALARM, _) => alarm(signals, threads, wakes, Signal::SIGALRM),
                (VIRTUAL, _) => alarm(signals, threads, wakes, Signal::SIGVTALRM),
                (PROFILING, _) => alarm(signals, threads, wakes, Signal::SIGPROF),
                (_, Notify::Nobody) => Ok(()),
                (_, Notify::Process(signal, value)) => send_to_process(signals, threads, wakes, info(signal, value)),
                (_, Notify::Thread(tid, signal, value)) => {
                    send_to_thread(signals, threads, wakes, (tid, info(signal, value)))
                }
            };
        }
    }
}
