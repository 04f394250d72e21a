//! Sending signals.

use super::action::Fate;
use super::number::{Signal, SignalSet};
use super::pending::{Info, code};
use crate::linux::errno::Errno;
use crate::linux::identity::USER;
use crate::linux::kernel::Kernel;
use crate::linux::thread::PROCESS;
use crate::linux::thread::Tid;

impl Info {
    /// From the process to itself.
    pub fn from_self(signal: Signal, code: i32) -> Info {
        Info::from_user(signal, code, PROCESS.0, USER)
    }
}

impl Kernel {
    /// Sends a signal to the process: to whichever thread does not block it.
    ///
    /// # Errors
    /// `EAGAIN`: too many wait.
    pub fn send_to_process(&mut self, info: Info) -> Result<(), Errno> {
        if self.is_dropped(info.signal) {
            return Ok(());
        }
        let listens = |tid: &&Tid| self.threads.get(*tid).is_some_and(|thread| thread.listens_to(info.signal));
        let listener = self.threads.keys().find(listens).copied();
        if !self.signals.pending.add(info) {
            return Err(Errno::EAGAIN);
        }
        self.wake_for_signal(listener);
        Ok(())
    }

    /// Sends a signal to a thread.
    ///
    /// # Errors
    /// `ESRCH`; `EAGAIN`: too many wait.
    pub fn send_to_thread(&mut self, tid: Tid, info: Info) -> Result<(), Errno> {
        let dropped = self.is_dropped(info.signal);
        let thread = self.threads.get_mut(&tid).ok_or(Errno::ESRCH)?;
        if dropped {
            return Ok(());
        }
        let listens = thread.listens_to(info.signal);
        if !thread.signals.pending.add(info) {
            return Err(Errno::EAGAIN);
        }
        self.wake_for_signal(Some(tid).filter(|_| listens));
        Ok(())
    }

    /// Whether nobody will ever hear of a signal that is sent now.
    fn is_dropped(&self, signal: Signal) -> bool {
        let wanted = |set: SignalSet| set.has(signal);
        let kept = self.threads.values().any(|thread| wanted(thread.signals.mask) || wanted(thread.signals.awaited));
        self.signals.fate(signal) == Fate::Dropped && !kept
    }

    fn wake_for_signal(&mut self, tid: Option<Tid>) {
        self.signals_to_look_at = true;
        if let Some(thread) = tid.and_then(|tid| self.threads.get(&tid)) {
            self.wakes.wake(thread.own);
        }
    }

    /// A signal that an instruction of a thread has caused; it cannot be blocked or ignored.  The line is for people,
    /// if the process ends.
    pub fn force(&mut self, tid: Tid, info: Info, line: String) {
        self.fault = Some((info.signal, line));
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        let set = SignalSet::only(info.signal);
        let refused = thread.signals.mask.has(info.signal) || self.signals.fate(info.signal) == Fate::Dropped;
        thread.signals.mask = thread.signals.mask.without(set);
        thread.signals.pending.drop_signal(info.signal);
        thread.signals.pending.add(info);
        self.signals_to_look_at = true;
        if refused {
            self.signals.set_action(info.signal, super::action::Action::default());
        }
    }

    /// A signal that the kernel itself sends to the process, as that of a timer.
    ///
    /// # Errors
    /// `EAGAIN`: too many wait.
    pub fn alarm(&mut self, signal: Signal) -> Result<(), Errno> {
        self.send_to_process(Info { signal, code: code::KERNEL, fields: [0; 3] })
    }
}
