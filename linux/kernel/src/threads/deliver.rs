//! Delivery of pending signals to a thread before it continues.

use super::thread::Thread;
use crate::hardware::Hardware;
use crate::signals::action::{Action, Fate, Signals, flag};
use crate::signals::frame;
use crate::signals::number::{Signal, SignalSet};
use crate::signals::pending::Info;
use crate::tid::Tid;
use std::collections::BTreeMap;

/// The threads of a process.
type Threads = BTreeMap<Tid, Thread>;

/// Effect of delivering a thread's signals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delivered {
    /// Number of handlers that have begun. The thread is at the first instruction of the last handler.
    Handlers(u32),
    /// A signal has ended the process.
    Killed {
        signal: Signal,
        /// Human-readable explanation.
        line: String,
        /// Whether an instruction of the thread caused the signal.
        is_fault: bool,
    },
}

/// Delivers a thread's signals.
///
/// # Errors
/// A signal stops the process, and no other process exists that could continue it.
pub fn deliver(
    signals: &mut Signals,
    threads: &mut Threads,
    hardware: &mut dyn Hardware,
    tid: Tid,
) -> Result<Delivered, String> {
    let mut delivered = Delivered::Handlers(0);
    while let Delivered::Handlers(handlers) = delivered
        && let Some(info) = take_signal(signals, threads, tid)
    {
        match signals.fate(info.signal) {
            Fate::Dropped => (),
            Fate::Handled(action) => {
                delivered = match begin_handler(signals, threads, hardware, tid, &action, &info) {
                    Ok(()) => Delivered::Handlers(handlers + 1),
                    Err(line) => Delivered::Killed { signal: Signal::SIGSEGV, line, is_fault: false },
                };
            }
            Fate::Ends => delivered = killed_by(signals, info.signal),
            Fate::Stops => {
                return Err(format!("stopped by {:?}, and nobody could continue it", info.signal));
            }
        }
    }
    let waiting = |thread: &Thread| !thread.signals.pending.is_empty();
    signals.unchecked = !signals.pending.is_empty() || threads.values().any(waiting);
    if let Some(thread) = threads.get_mut(&tid)
        && let Some(mask) = thread.signals.saved_mask.take()
    {
        thread.signals.mask = mask;
    }
    Ok(delivered)
}

/// Effect of the next pending signal that is not ignored. The signal stays pending.
pub fn next_fate(signals: &mut Signals, threads: &mut Threads, tid: Tid) -> Option<Fate> {
    next_signal(signals, threads, tid).map(|info| signals.fate(info.signal))
}

/// The next pending signal that is not ignored. The signal stays pending.
pub fn next_signal(signals: &mut Signals, threads: &mut Threads, tid: Tid) -> Option<Info> {
    if !signals.unchecked {
        return None;
    }
    loop {
        let info = take_signal(signals, threads, tid)?;
        if signals.fate(info.signal) != Fate::Dropped {
            // The signal is put back at the front of the queue, so that signals with the same number stay in order of
            // arrival.
            threads.get_mut(&tid)?.signals.pending.put_back(info);
            return Some(info);
        }
    }
}

/// Takes the next signal that the thread does not block.
pub fn take_signal(signals: &mut Signals, threads: &mut Threads, tid: Tid) -> Option<Info> {
    let thread = threads.get_mut(&tid)?;
    let open = SignalSet(!thread.signals.mask.0);
    thread.signals.pending.take(open).or_else(|| signals.pending.take(open))
}

/// Moves a thread to the beginning of a handler.
///
/// # Errors
/// The handler's frame does not fit on the stack.
fn begin_handler(
    signals: &mut Signals,
    threads: &mut Threads,
    hardware: &mut dyn Hardware,
    tid: Tid,
    action: &Action,
    info: &Info,
) -> Result<(), String> {
    let Some(thread) = threads.get_mut(&tid) else { return Ok(()) };
    let mask = thread.signals.saved_mask.take().unwrap_or(thread.signals.mask);
    frame::push(hardware, (&mut thread.cpu, thread.signals.stack), action, info, mask)
        .map_err(|_| format!("{:?}: no room on the stack for its handler", info.signal))?;
    let own = if action.flags & flag::NODEFER == 0 { SignalSet::only(info.signal) } else { SignalSet::default() };
    thread.signals.mask = thread.signals.mask.with(action.mask).with(own).blockable();
    if action.flags & flag::RESETHAND != 0 {
        signals.set_action(info.signal, Action::default());
    }
    Ok(())
}

fn killed_by(signals: &mut Signals, signal: Signal) -> Delivered {
    match signals.fault.take() {
        Some((of, line)) if of == signal => Delivered::Killed { signal, line, is_fault: true },
        _ => {
            let line = format!("ended by {signal:?}: {}", signal.text().trim_end_matches('.'));
            Delivered::Killed { signal, line, is_fault: false }
        }
    }
}
