//! Timers go off.

use super::timers::{ALARM, Tells};
use crate::linux::kernel::Kernel;
use crate::linux::signals::number::Signal;
use crate::linux::signals::pending::{Info, code};
use crate::linux::wait::Nanos;

impl Kernel {
    /// Timers go off whose time has come.
    pub fn ring_timers(&mut self, now: Nanos) {
        if self.timers.next().is_none_or(|at| at > now) {
            return;
        }
        for (number, timer) in self.timers.expire(now) {
            let info = |signal, value| Info { signal, code: code::TIMER, fields: [number, timer.overrun, value] };
            // A timer whose signal finds no room or no thread is one that was not heard.
            let _ = match timer.tells {
                _ if number == ALARM => {
                    self.alarm(Signal::SIGALRM);
                    Ok(())
                }
                Tells::Nobody => Ok(()),
                Tells::Process(signal, value) => self.send_to_process(info(signal, value)),
                Tells::Thread(tid, signal, value) => self.send_to_thread(tid, info(signal, value)),
            };
        }
    }
}
