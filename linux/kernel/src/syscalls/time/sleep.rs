//! System calls that sleep.

use crate::errno::Errno;
use crate::request::Answer;
use crate::syscalls::caller::Caller;
use crate::time::clock_id::ClockId;
use crate::time::{Width, absolute, read_timespec, write_timespec};
use crate::wait::{Nanos, Wait};

/// Flag of `clock_nanosleep`: the time is absolute.
const TIMER_ABSTIME: u32 = 1;

/// `nanosleep(request, remaining)`
pub fn nanosleep(caller: &mut Caller<'_>) -> Answer {
    let [at, remaining, ..] = caller.request.arguments;
    let width = caller.width();
    let time = read_timespec(caller.hardware, at, width)?;
    let until = caller.now().saturating_add(time);
    sleep(caller, until, (remaining, width))
}

/// `clock_nanosleep(clock, flags, request, remaining)`
pub fn clock_nanosleep(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [clock, flags, at, remaining, ..] = caller.request.arguments;
    let clock = ClockId::of(clock, caller.tid)?;
    if matches!(clock, ClockId::Process | ClockId::Thread(_)) {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let time = read_timespec(caller.hardware, at, width)?;
    if flags & TIMER_ABSTIME != 0 {
        return sleep(caller, absolute(time, clock == ClockId::Real), (0, width));
    }
    let until = caller.now().saturating_add(time);
    sleep(caller, until, (remaining, width))
}

/// Sleeps until the deadline, which the first attempt at the call sets. If a signal interrupts the sleep, writes the
/// remaining time to the program's memory.
fn sleep(caller: &mut Caller<'_>, until: Nanos, (remaining, width): (u32, Width)) -> Answer {
    let until = *caller.request.deadline.get_or_insert(until);
    let now = caller.now();
    if now >= until {
        return Ok(0);
    }
    if caller.request.interrupted && remaining != 0 {
        write_timespec(caller.hardware, remaining, width, until - now)?;
    }
    Err(Wait::default().until(Some(until)).never_restarted().into())
}
