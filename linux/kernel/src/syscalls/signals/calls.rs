//! System calls for signals.
//!
//! System calls with `rt_` in their names use sets of 64 signals. Older calls use signal sets of one word.

use super::alternate::sigaltstack;
use super::waiting::{pause, rt_sigsuspend, rt_sigtimedwait, sigsuspend};
use crate::errno::Errno;
use crate::kernel::Kernel;
use crate::request::{Answer, NotDone};
use crate::signals::action::{Action, Signals, flag};
use crate::signals::frame;
use crate::signals::number::{SET_BYTES, Signal, SignalSet};
use crate::signals::pending::{Info, code};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::threads::send;
use crate::tid::PROCESS;
use crate::tid::Tid;
use crate::time::Width;

/// Table rows of the signal calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(29, "pause", 0, pause),
    SystemCall::new(37, "kill", 2, kill),
    SystemCall::new(48, "signal", 2, |caller| {
        let [number, handler, ..] = caller.request.arguments;
        signal(&mut caller.kernel.signals, number, handler)
    }),
    SystemCall::new(67, "sigaction", 3, sigaction),
    SystemCall::new(72, "sigsuspend", 1, sigsuspend),
    SystemCall::new(73, "sigpending", 1, |caller| pending(caller, Sets::Old)),
    SystemCall::new(119, "sigreturn", 0, |caller| sigreturn(caller, false)),
    SystemCall::new(126, "sigprocmask", 3, |caller| procmask(caller, Sets::Old)),
    SystemCall::new(172, "rt_sigreturn", 0, |caller| sigreturn(caller, true)),
    SystemCall::new(173, "rt_sigaction", 4, rt_sigaction),
    SystemCall::new(174, "rt_sigprocmask", 4, |caller| procmask(caller, Sets::New)),
    SystemCall::new(175, "rt_sigpending", 2, |caller| pending(caller, Sets::New)),
    SystemCall::new(176, "rt_sigtimedwait", 4, |caller| rt_sigtimedwait(caller, caller.width())),
    SystemCall::new(177, "rt_sigqueueinfo", 3, rt_sigqueueinfo),
    SystemCall::new(178, "rt_sigsuspend", 2, rt_sigsuspend),
    SystemCall::new(185, "sigaltstack", 2, sigaltstack),
    SystemCall::new(208, "tkill", 2, tkill),
    SystemCall::new(249, "swapcontext", 3, swapcontext),
    SystemCall::new(250, "tgkill", 3, tgkill),
    SystemCall::new(322, "rt_tgsigqueueinfo", 4, rt_tgsigqueueinfo),
    SystemCall::new(421, "rt_sigtimedwait_time64", 4, |caller| rt_sigtimedwait(caller, Width::Wide)),
];

/// Size of the signal sets in a system call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sets {
    /// One word.
    Old,
    /// Two words. The last argument of the call is the size of a signal set.
    New,
}

impl Caller<'_> {
    /// Reads a set.
    ///
    /// # Errors
    /// `EFAULT`
    pub fn signal_set(&mut self, at: u32) -> Result<SignalSet, Errno> {
        let mut bytes = [0; SET_BYTES as usize];
        self.hardware.read(at, &mut bytes)?;
        Ok(SignalSet::from_bytes(bytes, self.width()))
    }

    /// Sets the thread's signal mask for the duration of the call. Only the first attempt at the call sets the mask.
    ///
    /// # Errors
    /// The thread has ended.
    pub fn temporary_mask(&mut self, mask: SignalSet) -> Result<(), NotDone> {
        if self.request.attempts == 0 {
            let signals = &mut self.thread()?.signals;
            signals.saved_mask = Some(signals.mask);
            signals.mask = mask.blockable();
            // If the new mask unblocks a pending signal, the signal interrupts the call at the next attempt.
            if self.kernel.signals.unchecked {
                let own = self.thread()?.own;
                self.kernel.wakes.wake(own);
            }
        }
        Ok(())
    }
}

fn signal(signals: &mut Signals, number: u32, handler: u32) -> Answer {
    let signal = catchable(number)?;
    let old = signals.action(signal).handler;
    let flags = flag::RESETHAND | flag::NODEFER;
    signals.set_action(signal, Action { handler, flags, ..Action::default() });
    Ok(old)
}

fn catchable(number: u32) -> Result<Signal, Errno> {
    Signal::of(number).filter(|signal| !signal.is_final()).ok_or(Errno::EINVAL)
}

/// In memory, a signal action consists of handler, mask, flags, and restorer.
fn sigaction(caller: &mut Caller<'_>) -> Answer {
    let [number, new, old, ..] = caller.request.arguments;
    let before = change(caller, number, new, |caller, at| {
        let mut word = |n: u32| caller.hardware.word(at.wrapping_add(4 * n));
        let mask = SignalSet(word(1)?.into()).blockable();
        Ok(Action { handler: word(0)?, mask, flags: word(2)?, restorer: word(3)? })
    })?;
    if old != 0 {
        let words = [before.handler, before.mask.0 as u32, before.flags, before.restorer];
        caller.hardware.put_words(old, &words)?;
    }
    Ok(0)
}

/// In memory, a signal action consists of handler, flags, restorer, and a mask of 64 bits.
fn rt_sigaction(caller: &mut Caller<'_>) -> Answer {
    let [number, new, old, bytes, ..] = caller.request.arguments;
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let width = caller.width();
    let before = change(caller, number, new, |caller, at| {
        let step = caller.width().bytes();
        let mask = caller.signal_set(at.wrapping_add(3 * step))?.blockable();
        let mut number = |n: u32| caller.hardware.short(at.wrapping_add(n * step));
        let (handler, restorer) = (number(0)?, number(2)?);
        Ok(Action { handler, flags: caller.hardware.long(at.wrapping_add(step))? as u32, restorer, mask })
    })?;
    if old != 0 {
        let [handler, restorer] = [before.handler, before.restorer].map(|low| caller.hardware.effective(low));
        caller.hardware.put_longs(old, &[handler, before.flags.into(), restorer])?;
        caller.hardware.write(old.wrapping_add(3 * width.bytes()), &before.mask.to_bytes(width))?;
    }
    Ok(0)
}

/// Sets a signal's action if `new` is not 0. Returns the old action.
fn change(
    caller: &mut Caller<'_>,
    number: u32,
    new: u32,
    read: fn(&mut Caller<'_>, u32) -> Result<Action, Errno>,
) -> Result<Action, Errno> {
    let signal = Signal::of(number).ok_or(Errno::EINVAL)?;
    let before = caller.kernel.signals.action(signal);
    if new != 0 {
        let action = read(caller, new)?;
        caller.kernel.signals.set_action(catchable(number)?, action);
    }
    Ok(before)
}

/// The mask after `sigprocmask`.
fn changed(how: u32, mask: SignalSet, set: SignalSet) -> Result<SignalSet, Errno> {
    match how {
        0 => Ok(mask.with(set)),
        1 => Ok(mask.without(set)),
        2 => Ok(set),
        _ => Err(Errno::EINVAL),
    }
}

fn procmask(caller: &mut Caller<'_>, sets: Sets) -> Answer {
    let [how, new, old, bytes, ..] = caller.request.arguments;
    if sets == Sets::New && bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let before = caller.thread()?.signals.mask;
    if new != 0 {
        let set = match sets {
            Sets::New => caller.signal_set(new)?,
            Sets::Old => SignalSet(caller.hardware.word(new)?.into()),
        };
        let mut mask = changed(how, before, set)?;
        if sets == Sets::Old {
            mask = SignalSet(mask.0 as u32 as u64 | before.0 >> 32 << 32);
        }
        caller.thread()?.signals.mask = mask.blockable();
    }
    if old != 0 {
        put_set(caller, old, before, sets)?;
    }
    Ok(0)
}

fn put_set(caller: &mut Caller<'_>, at: u32, set: SignalSet, sets: Sets) -> Result<(), Errno> {
    match sets {
        Sets::New => {
            let bytes = set.to_bytes(caller.width());
            caller.hardware.write(at, &bytes)?;
        }
        Sets::Old => caller.hardware.put_word(at, set.0 as u32)?,
    }
    Ok(())
}

fn pending(caller: &mut Caller<'_>, sets: Sets) -> Answer {
    let at = caller.argument(0);
    let thread = &caller.thread()?.signals;
    let (mask, own) = (thread.mask, thread.pending.set());
    let all = own.with(caller.kernel.signals.pending.set());
    put_set(caller, at, SignalSet(all.0 & mask.0), sets)?;
    Ok(0)
}

fn sigreturn(caller: &mut Caller<'_>, with_info: bool) -> Answer {
    let tid = caller.tid;
    let thread = caller.kernel.scheduler.threads.get_mut(&tid).ok_or(NotDone::Settled)?;
    let back = if with_info { frame::pop_info } else { frame::pop };
    if back(caller.hardware, &mut thread.cpu, &mut thread.signals).is_err() {
        let at = thread.cpu.doubleword(1);
        let line = format!("SIGSEGV: a signal's handler returns, and {at:#x} is not its frame");
        caller.kernel.force(tid, Info::fault(Signal::SIGSEGV, code::SEGV_MAPERR, at), line);
    }
    Err(NotDone::Settled)
}

fn swapcontext(caller: &mut Caller<'_>) -> Answer {
    let [old, new, bytes, ..] = caller.request.arguments;
    if bytes < frame::ucontext_bytes(caller.width()) {
        return Err(Errno::EINVAL.into());
    }
    let tid = caller.tid;
    let thread = caller.kernel.scheduler.threads.get_mut(&tid).ok_or(NotDone::Settled)?;
    if old != 0 {
        // The saved context continues as if the call had returned 0.
        let now = thread.cpu.clone();
        thread.returns(0);
        let saved =
            frame::save_ucontext(caller.hardware, old, (&thread.cpu, thread.signals.stack), thread.signals.mask);
        thread.cpu = now;
        saved?;
    }
    if new == 0 {
        return Ok(0);
    }
    frame::restore_ucontext(caller.hardware, new, &mut thread.cpu, &mut thread.signals)?;
    Err(NotDone::Settled)
}

/// The signal with this number. Number 0 stands for no signal. Programs send number 0 to check that a thread exists.
fn signal_or_none(number: u32) -> Result<Option<Signal>, Errno> {
    if number == 0 { Ok(None) } else { Signal::of(number).map(Some).ok_or(Errno::EINVAL) }
}

fn send_to_process(caller: &mut Caller<'_>, info: Info) -> Result<(), Errno> {
    let Kernel { signals, scheduler, wakes, .. } = &mut *caller.kernel;
    send::send_to_process(signals, &scheduler.threads, wakes, info)
}

fn kill(caller: &mut Caller<'_>) -> Answer {
    let [process, number, ..] = caller.request.arguments;
    let signal = signal_or_none(number)?;
    if ![PROCESS.0, PROCESS.0.wrapping_neg(), 0].contains(&process) {
        return Err(Errno::ESRCH.into());
    }
    if let Some(signal) = signal {
        send_to_process(caller, Info::from_self(signal, code::USER))?;
    }
    Ok(0)
}

fn tkill(caller: &mut Caller<'_>) -> Answer {
    let [tid, number, ..] = caller.request.arguments;
    to_thread(caller, tid, number)
}

fn tgkill(caller: &mut Caller<'_>) -> Answer {
    let [process, tid, number, ..] = caller.request.arguments;
    if process != PROCESS.0 {
        return Err(Errno::ESRCH.into());
    }
    to_thread(caller, tid, number)
}

fn to_thread(caller: &mut Caller<'_>, tid: u32, number: u32) -> Answer {
    match signal_or_none(number)? {
        Some(signal) => caller.kernel.send_to_thread(Tid(tid), Info::from_self(signal, code::TKILL))?,
        None if !caller.kernel.scheduler.threads.contains_key(&Tid(tid)) => return Err(Errno::ESRCH.into()),
        None => (),
    }
    Ok(0)
}

/// Reads the `siginfo_t` that a program supplies when it sends a signal to itself.
fn given_info(caller: &mut Caller<'_>, number: u32, at: u32) -> Result<Info, Errno> {
    let signal = Signal::of(number).ok_or(Errno::EINVAL)?;
    let width = caller.width();
    let mut word = |n: u32| caller.hardware.word(at.wrapping_add(4 * n));
    let code = word(2)? as i32;
    Ok(match width {
        Width::Narrow => Info { signal, code, fields: [word(3)?, word(4)?, word(5)?], upper: 0 },
        Width::Wide => Info { signal, code, fields: [word(4)?, word(5)?, word(7)?], upper: word(6)? },
    })
}

fn rt_sigqueueinfo(caller: &mut Caller<'_>) -> Answer {
    let [process, number, at, ..] = caller.request.arguments;
    let info = given_info(caller, number, at)?;
    if process != PROCESS.0 {
        return Err(Errno::ESRCH.into());
    }
    send_to_process(caller, info)?;
    Ok(0)
}

fn rt_tgsigqueueinfo(caller: &mut Caller<'_>) -> Answer {
    let [process, tid, number, at, ..] = caller.request.arguments;
    let info = given_info(caller, number, at)?;
    if process != PROCESS.0 {
        return Err(Errno::ESRCH.into());
    }
    caller.kernel.send_to_thread(Tid(tid), info)?;
    Ok(0)
}
