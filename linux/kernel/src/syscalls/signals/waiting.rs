//! System calls that wait for signals.

use crate::errno::Errno;
use crate::request::Answer;
use crate::signals::number::{SET_BYTES, SignalSet};
use crate::syscalls::caller::Caller;
use crate::time::{Width, read_timespec};
use crate::wait::Wait;

pub fn pause(_: &mut Caller<'_>) -> Answer {
    Err(Wait::default().never_restarted().into())
}

/// `sigsuspend(mask)`
pub fn sigsuspend(caller: &mut Caller<'_>) -> Answer {
    let mask = caller.argument(0);
    caller.temporary_mask(SignalSet(mask.into()))?;
    Err(Wait::default().never_restarted().into())
}

/// `rt_sigsuspend(mask, bytes)`
pub fn rt_sigsuspend(caller: &mut Caller<'_>) -> Answer {
    let [at, bytes, ..] = caller.request.arguments;
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let mask = caller.signal_set(at)?;
    caller.temporary_mask(mask)?;
    Err(Wait::default().never_restarted().into())
}

/// `rt_sigtimedwait(set, info, timeout, bytes)`
pub fn rt_sigtimedwait(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [at, info_at, timeout, bytes, ..] = caller.request.arguments;
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let set = caller.signal_set(at)?.blockable();
    if timeout != 0 && caller.request.deadline.is_none() {
        let time = read_timespec(caller.hardware, timeout, width)?;
        caller.request.deadline = Some(caller.now().saturating_add(time));
    }
    let thread = &mut caller.thread()?.signals;
    thread.awaited = SignalSet::default();
    let own = thread.pending.take(set);
    if let Some(info) = own.or_else(|| caller.kernel.signals.pending.take(set)) {
        if info_at != 0 {
            caller.hardware.write(info_at, &info.to_bytes(caller.hardware.width()))?;
        }
        return Ok(info.signal.0.into());
    }
    let until = caller.request.deadline;
    if until.is_some_and(|until| caller.now() >= until) {
        return Err(Errno::EAGAIN.into());
    }
    if !caller.request.interrupted {
        caller.thread()?.signals.awaited = set;
    }
    Err(Wait::default().until(until).never_restarted().into())
}
