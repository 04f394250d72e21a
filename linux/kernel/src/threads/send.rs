//! Sending signals.

use super::thread::Thread;
use crate::errno::Errno;
use crate::signals::action::{Action, Fate, Signals};
use crate::signals::number::{Signal, SignalSet};
use crate::signals::pending::{Info, code};
use crate::tid::Tid;
use crate::wait::Wakes;
use std::collections::BTreeMap;

/// The threads of a process.
type Threads = BTreeMap<Tid, Thread>;

/// Sends a signal to the process. The first thread that does not block the signal is woken.
///
/// # Errors
/// `EAGAIN`: too many signals are pending.
pub fn send_to_process(signals: &mut Signals, threads: &Threads, wakes: &mut Wakes, info: Info) -> Result<(), Errno> {
    if is_dropped(signals, threads, info.signal) {
        return Ok(());
    }
    if !signals.pending.add(info) {
        return Err(Errno::EAGAIN);
    }
    signals.unchecked = true;
    if let Some(listener) = threads.values().find(|thread| thread.signals.accepts(info.signal)) {
        wakes.wake(listener.own);
    }
    Ok(())
}

/// Sends a signal to a thread.
///
/// # Errors
/// `ESRCH`: the thread does not exist; `EAGAIN`: too many signals are pending.
pub fn send_to_thread(
    signals: &mut Signals,
    threads: &mut Threads,
    wakes: &mut Wakes,
    (tid, info): (Tid, Info),
) -> Result<(), Errno> {
    let dropped = is_dropped(signals, threads, info.signal);
    let thread = threads.get_mut(&tid).ok_or(Errno::ESRCH)?;
    if dropped {
        return Ok(());
    }
    if !thread.signals.pending.add(info) {
        return Err(Errno::EAGAIN);
    }
    signals.unchecked = true;
    if thread.signals.accepts(info.signal) {
        wakes.wake(thread.own);
    }
    Ok(())
}

/// Sends the process a signal from the kernel, such as the signal of an interval timer.
///
/// # Errors
/// `EAGAIN`: too many signals are pending.
pub fn alarm(signals: &mut Signals, threads: &Threads, wakes: &mut Wakes, signal: Signal) -> Result<(), Errno> {
    send_to_process(signals, threads, wakes, Info { signal, code: code::KERNEL, fields: [0; 3], upper: 0 })
}

/// Sends a thread the signal caused by its instruction. The thread can neither block nor ignore this signal. `line`
/// is a human-readable explanation of the signal, used if the signal ends the process.
pub fn force(signals: &mut Signals, threads: &mut Threads, tid: Tid, info: Info, line: String) {
    signals.fault = Some((info.signal, line));
    let Some(thread) = threads.get_mut(&tid) else { return };
    let refused = thread.signals.mask.has(info.signal) || signals.fate(info.signal) == Fate::Dropped;
    thread.signals.mask = thread.signals.mask.without(SignalSet::only(info.signal));
    thread.signals.pending.drop_signal(info.signal);
    thread.signals.pending.add(info);
    signals.unchecked = true;
    if refused {
        signals.set_action(info.signal, Action::default());
    }
}

/// Whether a signal can be dropped: it is ignored, and no thread blocks it or waits for it.
fn is_dropped(signals: &Signals, threads: &Threads, signal: Signal) -> bool {
    let wanted = |set: SignalSet| set.has(signal);
    let kept = threads.values().any(|thread| wanted(thread.signals.mask) || wanted(thread.signals.awaited));
    signals.fate(signal) == Fate::Dropped && !kept
}
