//! Priority-inheritance locks (`FUTEX_LOCK_PI`). The kernel records the owner of each lock.
//!
//! MODEL: all threads have the same priority, so no priority is inherited. The thread that has waited longest receives
//! the lock.

use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::request::Answer;
use crate::syscalls::caller::Caller;
use crate::threads::futex::{Futexes, OWNER, OWNER_DIED, WAITERS, Waiter};
use crate::tid::Tid;
use crate::wait::{Nanos, Wait, Wakes};

/// Acquires a lock. If `may_wait` is true, the call waits for the lock until the deadline `until`.
pub fn lock(caller: &mut Caller<'_>, may_wait: bool, until: Option<Nanos>) -> Answer {
    let (ea, tid) = (caller.argument(0), caller.tid);
    if caller.request.attempts > 0 {
        return go_on(caller, until);
    }
    let word = caller.hardware.word(ea)?;
    let owner = word & OWNER;
    if owner == 0 {
        caller.hardware.put_word(ea, tid.0 | word & (WAITERS | OWNER_DIED))?;
        return Ok(0);
    }
    if owner == tid.0 {
        return Err(Errno::EDEADLK.into());
    }
    if !may_wait {
        return Err(Errno::EAGAIN.into());
    }
    if !caller.kernel.scheduler.threads.contains_key(&Tid(owner)) {
        return Err(Errno::ESRCH.into());
    }
    caller.hardware.put_word(ea, word | WAITERS)?;
    let queue = caller.thread()?.own;
    caller.kernel.futexes.add(Waiter { tid, queue, ea, bits: u32::MAX });
    Err(Wait::default().until(until).into())
}

fn go_on(caller: &mut Caller<'_>, until: Option<Nanos>) -> Answer {
    if !caller.kernel.futexes.waits(caller.tid) {
        return Ok(0);
    }
    if until.is_some_and(|until| caller.now() >= until) {
        caller.kernel.futexes.forget(caller.tid);
        return Err(Errno::ETIMEDOUT.into());
    }
    if caller.request.interrupted {
        caller.kernel.futexes.forget(caller.tid);
    }
    Err(Wait::default().until(until).into())
}

/// Releases a lock.
pub fn unlock(futexes: &mut Futexes, wakes: &mut Wakes, hardware: &mut dyn Hardware, tid: Tid, ea: u32) -> Answer {
    if hardware.word(ea)? & OWNER != tid.0 {
        return Err(Errno::EPERM.into());
    }
    futexes.hand_over(wakes, hardware, ea, 0)?;
    Ok(0)
}
