//! System calls of the scheduler.
//!
//! MODEL: every thread has the ordinary scheduling policy and the same priority. Real-time scheduling policies are
//! refused, as for an unprivileged user.

use crate::errno::Errno;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::threads::thread::Thread;
use crate::tid::Tid;
use crate::time::{Width, write_timespec};
use cell::units::THREADS_PER_PPE;

/// Table rows of the scheduler calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(34, "nice", 1, |_| Ok(0)),
    SystemCall::new(96, "getpriority", 2, |_| Ok(ORDINARY_PRIORITY)),
    SystemCall::new(97, "setpriority", 3, |_| Ok(0)),
    SystemCall::new(154, "sched_setparam", 2, |caller| {
        let priority = caller.argument(1);
        ordinary(caller, 0, priority)
    }),
    SystemCall::new(155, "sched_getparam", 2, getparam),
    SystemCall::new(156, "sched_setscheduler", 3, |caller| {
        let [_, policy, priority, ..] = caller.request.arguments;
        ordinary(caller, policy, priority)
    }),
    SystemCall::new(157, "sched_getscheduler", 1, |caller| thread(caller).map(|_| 0)),
    SystemCall::new(158, "sched_yield", 0, |caller| {
        caller.kernel.scheduler.end_slice(caller.tid);
        Ok(0)
    }),
    SystemCall::new(159, "sched_get_priority_max", 1, |caller| priority(caller.argument(0), 99)),
    SystemCall::new(160, "sched_get_priority_min", 1, |caller| priority(caller.argument(0), 1)),
    SystemCall::new(161, "sched_rr_get_interval", 2, |caller| interval(caller, caller.width())),
    SystemCall::new(222, "sched_setaffinity", 3, setaffinity),
    SystemCall::new(223, "sched_getaffinity", 3, getaffinity),
    SystemCall::new(302, "getcpu", 3, getcpu),
    SystemCall::new(423, "sched_rr_get_interval_time64", 2, |caller| interval(caller, Width::Wide)),
];

/// Result of `getpriority` for a nice value of 0.
const ORDINARY_PRIORITY: u32 = 20;
/// The thread whose number is the first argument. Number 0 stands for the calling thread.
fn thread<'c>(caller: &'c mut Caller<'_>) -> Result<&'c mut Thread, NotDone> {
    let tid = Some(Tid(caller.argument(0))).filter(|tid| tid.0 != 0).unwrap_or(caller.tid);
    caller.kernel.scheduler.threads.get_mut(&tid).ok_or(Errno::ESRCH.into())
}

/// Checks policy and priority. Only the ordinary policies (other, batch, idle) are permitted, and they have priority
/// 0.
fn ordinary(caller: &mut Caller<'_>, policy: u32, parameter: u32) -> Answer {
    thread(caller)?;
    let priority = caller.hardware.word(parameter)?;
    match policy & 0xffff {
        0 | 3 | 5 if priority == 0 => Ok(0),
        1 | 2 if (1..=99).contains(&priority) => Err(Errno::EPERM.into()),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn getparam(caller: &mut Caller<'_>) -> Answer {
    thread(caller)?;
    let at = caller.argument(1);
    caller.hardware.put_word(at, 0)?;
    Ok(0)
}

fn priority(policy: u32, of_real_time: u32) -> Answer {
    match policy {
        1 | 2 => Ok(of_real_time),
        0 | 3 | 5 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn interval(caller: &mut Caller<'_>, width: Width) -> Answer {
    thread(caller)?;
    let (at, slice) = (caller.argument(1), caller.kernel.costs.time_slice_ns);
    write_timespec(caller.hardware, at, width, slice)?;
    Ok(0)
}

fn setaffinity(caller: &mut Caller<'_>) -> Answer {
    let [_, bytes, at, ..] = caller.request.arguments;
    let mask = if bytes < caller.width().bytes() { 0 } else { caller.hardware.long(at)? };
    let mask = mask as u8 & caller.kernel.scheduler.all_hardware_threads();
    if mask == 0 {
        return Err(Errno::EINVAL.into());
    }
    let thread = thread(caller)?;
    thread.affinity = mask;
    let tid = thread.tid;
    caller.kernel.scheduler.end_slice(tid);
    Ok(0)
}

fn getaffinity(caller: &mut Caller<'_>) -> Answer {
    let [_, bytes, at, ..] = caller.request.arguments;
    let size = caller.width().bytes();
    if bytes < size || !bytes.is_multiple_of(size) {
        return Err(Errno::EINVAL.into());
    }
    let mask = thread(caller)?.affinity & caller.kernel.scheduler.all_hardware_threads();
    caller.hardware.put_longs(at, &[mask.into()])?;
    Ok(size)
}

fn getcpu(caller: &mut Caller<'_>) -> Answer {
    let [cpu, node, ..] = caller.request.arguments;
    let hardware_thread = caller.kernel.scheduler.hardware_thread_of(caller.tid).unwrap_or(0);
    for (at, value) in [(cpu, hardware_thread), (node, hardware_thread / THREADS_PER_PPE)] {
        if at != 0 {
            caller.hardware.put_word(at, value as u32)?;
        }
    }
    Ok(0)
}
