//! System calls that read clocks.

use super::sleep::{clock_nanosleep, nanosleep};
use super::usage::{getrusage, times};
use crate::clock::START_SECONDS;
use crate::errno::Errno;
use crate::request::Answer;
use crate::syscalls::caller::{Caller, SystemCall};
use crate::time::clock_id::ClockId;
use crate::time::{SECOND, Width, write_timespec, write_timeval};
use crate::wait::Nanos;

/// Table rows of the clock calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(13, "time", 1, time),
    SystemCall::new(25, "stime", 1, |_| not_permitted()),
    SystemCall::new(43, "times", 1, times),
    SystemCall::new(77, "getrusage", 2, getrusage),
    SystemCall::new(78, "gettimeofday", 2, gettimeofday),
    SystemCall::new(79, "settimeofday", 2, |_| not_permitted()),
    SystemCall::new(124, "adjtimex", 1, |_| not_permitted()),
    SystemCall::new(162, "nanosleep", 2, nanosleep),
    SystemCall::new(245, "clock_settime", 2, |_| not_permitted()),
    SystemCall::new(246, "clock_gettime", 2, |caller| clock_gettime(caller, caller.width())),
    SystemCall::new(247, "clock_getres", 2, |caller| clock_getres(caller, caller.width())),
    SystemCall::new(248, "clock_nanosleep", 4, |caller| clock_nanosleep(caller, caller.width())),
    SystemCall::new(403, "clock_gettime64", 2, |caller| clock_gettime(caller, Width::Wide)),
    SystemCall::new(404, "clock_settime64", 2, |_| not_permitted()),
    SystemCall::new(406, "clock_getres_time64", 2, |caller| clock_getres(caller, Width::Wide)),
    SystemCall::new(407, "clock_nanosleep_time64", 4, |caller| clock_nanosleep(caller, Width::Wide)),
];

impl Caller<'_> {
    /// Current value of a clock.
    ///
    /// # Errors
    /// `EINVAL`: the clock's thread does not exist.
    pub fn clock(&self, clock: ClockId) -> Result<Nanos, Errno> {
        Ok(match clock {
            ClockId::Real => self.now() + START_SECONDS * SECOND,
            ClockId::Monotonic => self.now(),
            ClockId::Process => self.kernel.clock.nanos_of_cycles(self.kernel.used_cycles),
            ClockId::Thread(tid) => {
                let thread = self.kernel.scheduler.threads.get(&tid).ok_or(Errno::EINVAL)?;
                self.kernel.clock.nanos_of_cycles(thread.used_cycles)
            }
        })
    }
}

fn not_permitted() -> Answer {
    Err(Errno::EPERM.into())
}

fn time(caller: &mut Caller<'_>) -> Answer {
    let seconds = caller.clock(ClockId::Real)? / SECOND;
    let at = caller.argument(0);
    if at != 0 {
        caller.hardware.put_longs(at, &[seconds])?;
    }
    Ok(seconds as u32)
}

fn gettimeofday(caller: &mut Caller<'_>) -> Answer {
    let [at, zone, ..] = caller.request.arguments;
    let now = caller.clock(ClockId::Real)?;
    if at != 0 {
        write_timeval(caller.hardware, at, now)?;
    }
    if zone != 0 {
        caller.hardware.put_doubleword(zone, 0)?;
    }
    Ok(0)
}

fn clock_gettime(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [number, at, ..] = caller.request.arguments;
    let time = caller.clock(ClockId::of(number, caller.tid)?)?;
    write_timespec(caller.hardware, at, width, time)?;
    Ok(0)
}

fn clock_getres(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [number, at, ..] = caller.request.arguments;
    ClockId::of(number, caller.tid)?;
    if at != 0 {
        write_timespec(caller.hardware, at, width, 1)?;
    }
    Ok(0)
}
