//! Timers go off.

use super::clock_id::ClockId;
use super::timers::{ALARM, PROFILING, Tells, Timer, VIRTUAL};
use crate::linux::kernel::Kernel;
use crate::linux::signals::number::Signal;
use crate::linux::signals::pending::{Info, code};
use crate::linux::thread::Tid;
use crate::linux::wait::Nanos;

impl Kernel {
    /// Timers go off whose time has come.
    pub fn ring_timers(&mut self, now: Nanos) {
        if self.timers.next().is_some_and(|at| at <= now) {
            let expired = self.timers.expire(now, ClockId::passes);
            self.ring(expired);
        }
    }

    /// Timers go off that count what a thread and the process have used.
    pub fn ring_timers_of_use(&mut self, tid: Tid) {
        if !self.timers.counts_use() {
            return;
        }
        for clock in [ClockId::Process, ClockId::Thread(tid)] {
            let expired = self.timers.expire(self.shown_use(clock), |of| of == clock);
            self.ring(expired);
        }
    }

    /// Processor cycles until a timer goes off that counts what a thread and the process use.
    pub fn cycles_until_use_rings(&self, tid: Tid) -> u64 {
        if !self.timers.counts_use() {
            return u64::MAX;
        }
        let left = |clock| {
            let at = self.timers.next_of(clock)?;
            Some(self.clock.cycles(at.saturating_sub(self.shown_use(clock))).max(1))
        };
        [ClockId::Process, ClockId::Thread(tid)].into_iter().filter_map(left).min().unwrap_or(u64::MAX)
    }

    /// What a clock shows that counts use; 0 for all others.
    fn shown_use(&self, clock: ClockId) -> Nanos {
        let cycles = match clock {
            ClockId::Process => self.used_cycles,
            ClockId::Thread(tid) => self.threads.get(&tid).map_or(0, |thread| thread.used_cycles),
            ClockId::Real | ClockId::Monotonic => 0,
        };
        self.clock.nanos_of_cycles(cycles)
    }

    fn ring(&mut self, expired: Vec<(u32, Timer)>) {
        for (number, timer) in expired {
            let info = |signal, value| Info { signal, code: code::TIMER, fields: [number, timer.overrun, value] };
            // A timer whose signal finds no room or no thread is one that was not heard.
            let _ = match (number, timer.tells) {
                (ALARM, _) => self.alarm(Signal::SIGALRM),
                (VIRTUAL, _) => self.alarm(Signal::SIGVTALRM),
                (PROFILING, _) => self.alarm(Signal::SIGPROF),
                (_, Tells::Nobody) => Ok(()),
                (_, Tells::Process(signal, value)) => self.send_to_process(info(signal, value)),
                (_, Tells::Thread(tid, signal, value)) => self.send_to_thread(tid, info(signal, value)),
            };
        }
    }
}
