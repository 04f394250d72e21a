//! Delivery: what a thread does about its signals before it goes on.

use super::action::{Action, Fate, flag};
use super::frame;
use super::number::{Signal, SignalSet};
use super::pending::Info;
use crate::linux::hardware::Hardware;
use crate::linux::kernel::{End, Kernel};
use crate::linux::thread::{Thread, Tid};

impl Thread {
    /// Whether a signal would be delivered to it now.
    pub fn listens_to(&self, signal: Signal) -> bool {
        !self.signals.mask.has(signal) || self.signals.awaited.has(signal)
    }
}

impl Kernel {
    /// Delivers a thread's signals: it stands at the beginning of a handler then, or the process has ended.  How many
    /// handlers were begun.
    ///
    /// # Errors
    /// The process stops, and nobody can continue it.
    pub fn deliver(&mut self, hardware: &mut dyn Hardware, tid: Tid) -> Result<u32, String> {
        let mut handlers = 0;
        while self.end.is_none()
            && let Some(info) = self.take_signal(tid)
        {
            match self.signals.fate(info.signal) {
                Fate::Dropped => (),
                Fate::Handled(action) => {
                    self.begin_handler(hardware, tid, &action, &info);
                    handlers += 1;
                }
                Fate::Ends => self.end_by(hardware, info.signal),
                Fate::Stops => {
                    return Err(format!("stopped by {:?}, and nobody could continue it", info.signal));
                }
            }
        }
        let waiting = |thread: &Thread| !thread.signals.pending.is_empty();
        self.signals_to_look_at = !self.signals.pending.is_empty() || self.threads.values().any(waiting);
        if let Some(thread) = self.threads.get_mut(&tid)
            && let Some(mask) = thread.signals.saved_mask.take()
        {
            thread.signals.mask = mask;
        }
        Ok(handlers)
    }

    /// The action of the signal that would be delivered next, if it does anything.
    pub fn next_action(&mut self, tid: Tid) -> Option<Fate> {
        if !self.signals_to_look_at {
            return None;
        }
        loop {
            let info = self.take_signal(tid)?;
            let fate = self.signals.fate(info.signal);
            if fate != Fate::Dropped {
                // Back to where it was; it is the first of its number anyway.
                self.threads.get_mut(&tid)?.signals.pending.put_back(info);
                return Some(fate);
            }
        }
    }

    fn take_signal(&mut self, tid: Tid) -> Option<Info> {
        let thread = self.threads.get_mut(&tid)?;
        let open = SignalSet(!thread.signals.mask.0);
        thread.signals.pending.take(open).or_else(|| self.signals.pending.take(open))
    }

    fn begin_handler(&mut self, hardware: &mut dyn Hardware, tid: Tid, action: &Action, info: &Info) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        let mask = thread.signals.saved_mask.take().unwrap_or(thread.signals.mask);
        if frame::push(hardware, thread, action, info, mask).is_err() {
            let line = format!("{:?}: no room on the stack for its handler", info.signal);
            self.end(hardware, End::Killed { signal: Signal::SIGSEGV, line });
            return;
        }
        let own = if action.flags & flag::NODEFER == 0 { SignalSet::only(info.signal) } else { SignalSet::default() };
        thread.signals.mask = thread.signals.mask.with(action.mask).with(own).blockable();
        if action.flags & flag::RESETHAND != 0 {
            self.signals.set_action(info.signal, Action::default());
        }
    }

    fn end_by(&mut self, hardware: &mut dyn Hardware, signal: Signal) {
        let line = match self.fault.take() {
            Some((of, line)) if of == signal => line,
            _ => format!("ended by {signal:?}: {}", signal.text().trim_end_matches('.')),
        };
        self.end(hardware, End::Killed { signal, line });
    }
}
