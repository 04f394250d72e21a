//! System calls for timers.
//!
//! MODEL: all processor time counts as user time. `ITIMER_VIRTUAL`, which measures user time, and `ITIMER_PROF`, which
//! measures user and kernel time, therefore agree.

use crate::errno::Errno;
use crate::request::Answer;
use crate::signals::number::Signal;
use crate::syscalls::caller::{Caller, SystemCall};
use crate::tid::Tid;
use crate::time::clock_id::ClockId;
use crate::time::timers::{ALARM, Notify, OWN, PROFILING, Timer, VIRTUAL};
use crate::time::{SECOND, Width, absolute, read_timespec, read_timeval, write_timespec, write_timeval};
use crate::wait::Nanos;

/// Table rows of the timer calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(27, "alarm", 1, alarm),
    SystemCall::new(104, "setitimer", 3, setitimer),
    SystemCall::new(105, "getitimer", 2, getitimer),
    SystemCall::new(240, "timer_create", 3, timer_create),
    SystemCall::new(241, "timer_settime", 4, |caller| timer_settime(caller, caller.width())),
    SystemCall::new(242, "timer_gettime", 2, |caller| timer_gettime(caller, caller.width())),
    SystemCall::new(243, "timer_getoverrun", 1, |caller| Ok(timer(caller)?.overrun)),
    SystemCall::new(244, "timer_delete", 1, timer_delete),
    SystemCall::new(408, "timer_gettime64", 2, |caller| timer_gettime(caller, Width::Wide)),
    SystemCall::new(409, "timer_settime64", 4, |caller| timer_settime(caller, Width::Wide)),
];

/// Flag of `timer_settime`: the time is absolute.
const TIMER_ABSTIME: u32 = 1;
/// `sigev_notify`
const SIGEV_SIGNAL: u32 = 0;
const SIGEV_NONE: u32 = 1;
const SIGEV_THREAD_ID: u32 = 4;
/// Maximum number of timers of a process.
const TIMERS: u32 = 4096;

fn alarm(caller: &mut Caller<'_>) -> Answer {
    let seconds = caller.argument(0);
    let before = set_interval_timer(caller, (ALARM, ClockId::Real), u64::from(seconds) * SECOND, 0)?;
    Ok(before.map_or(0, |(left, _)| left.div_ceil(SECOND) as u32))
}

/// Sets an interval timer. Time 0 stops the timer. Returns the timer's previous remaining time and interval.
fn set_interval_timer(
    caller: &mut Caller<'_>,
    (number, clock): (u32, ClockId),
    time: Nanos,
    interval: Nanos,
) -> Result<Option<(Nanos, Nanos)>, Errno> {
    let now = caller.base(clock)?;
    let at = Some(now.saturating_add(time)).filter(|_| time > 0);
    let timer = Timer { clock, at, interval, notify: Notify::Nobody, overrun: 0 };
    Ok(caller.kernel.timers.set(number, timer).and_then(|before| left(&before, now)))
}

impl Caller<'_> {
    /// Current time of a timer's clock: time since the start, or processor time.
    fn base(&self, clock: ClockId) -> Result<Nanos, Errno> {
        if clock.passes() { Ok(self.now()) } else { self.clock(clock) }
    }
}

/// Remaining time and interval of an armed timer.
fn left(timer: &Timer, now: Nanos) -> Option<(Nanos, Nanos)> {
    timer.at.map(|at| (at.saturating_sub(now).max(1), timer.interval))
}

/// The interval timer that the first argument selects, and its clock.
fn interval_timer(caller: &Caller<'_>) -> Result<(u32, ClockId), Errno> {
    match caller.argument(0) {
        0 => Ok((ALARM, ClockId::Real)),
        1 => Ok((VIRTUAL, ClockId::Process)),
        2 => Ok((PROFILING, ClockId::Process)),
        _ => Err(Errno::EINVAL),
    }
}

fn setitimer(caller: &mut Caller<'_>) -> Answer {
    let timer = interval_timer(caller)?;
    let [_, new, old, ..] = caller.request.arguments;
    let (interval, time) = match new {
        0 => (0, 0),
        new => {
            let second = new.wrapping_add(half(caller.width()));
            (read_timeval(caller.hardware, new)?, read_timeval(caller.hardware, second)?)
        }
    };
    let before = set_interval_timer(caller, timer, time, interval)?;
    write_itimerval(caller, old, before)
}

fn getitimer(caller: &mut Caller<'_>) -> Answer {
    let (number, clock) = interval_timer(caller)?;
    let (at, now) = (caller.argument(1), caller.base(clock)?);
    let timer = caller.kernel.timers.get(number);
    write_itimerval(caller, at, timer.and_then(|timer| left(&timer, now)))
}

fn write_itimerval(caller: &mut Caller<'_>, at: u32, timer: Option<(Nanos, Nanos)>) -> Answer {
    let (left, interval) = timer.unwrap_or((0, 0));
    if at != 0 {
        write_timeval(caller.hardware, at, interval)?;
        // The remaining time of an armed timer is never 0.
        let second = at.wrapping_add(half(caller.width()));
        write_timeval(caller.hardware, second, left.next_multiple_of(1000))?;
    }
    Ok(0)
}

fn timer_create(caller: &mut Caller<'_>) -> Answer {
    let [clock, event, at, ..] = caller.request.arguments;
    let clock = ClockId::of(clock, caller.tid)?;
    let number = caller.kernel.timers.free_number();
    if number >= TIMERS {
        return Err(Errno::EAGAIN.into());
    }
    let notify = if event == 0 { Notify::Process(Signal::SIGALRM, number.into()) } else { read_event(caller, event)? };
    caller.hardware.put_word(at, number)?;
    caller.kernel.timers.set(number, Timer { clock, at: None, interval: 0, notify, overrun: 0 });
    Ok(0)
}

/// Reads a `struct sigevent`: value, signal, kind of notification, thread.
fn read_event(caller: &mut Caller<'_>, at: u32) -> Result<Notify, Errno> {
    let (value, rest) = (caller.hardware.long(at)?, at.wrapping_add(caller.width().bytes()));
    let mut word = |n: u32| caller.hardware.word(rest.wrapping_add(4 * n));
    let (signal, how, tid) = (word(0)?, word(1)?, Tid(word(2)?));
    let signal = || Signal::of(signal).ok_or(Errno::EINVAL);
    match how {
        SIGEV_NONE => Ok(Notify::Nobody),
        SIGEV_SIGNAL => Ok(Notify::Process(signal()?, value)),
        SIGEV_THREAD_ID if caller.kernel.scheduler.threads.contains_key(&tid) => {
            Ok(Notify::Thread(tid, signal()?, value))
        }
        _ => Err(Errno::EINVAL),
    }
}

/// The timer that the first argument selects.
fn timer(caller: &Caller<'_>) -> Result<Timer, Errno> {
    let number = Some(caller.argument(0)).filter(|number| *number < OWN);
    number.and_then(|number| caller.kernel.timers.get(number)).ok_or(Errno::EINVAL)
}

fn timer_settime(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [number, flags, new, old, ..] = caller.request.arguments;
    let before = timer(caller)?;
    let interval = read_timespec(caller.hardware, new, width)?;
    let time = read_timespec(caller.hardware, new.wrapping_add(half(width)), width)?;
    let now = caller.base(before.clock)?;
    let at = match flags & TIMER_ABSTIME {
        0 => now.saturating_add(time),
        _ => absolute(time, before.clock == ClockId::Real),
    };
    let at = Some(at).filter(|_| time > 0);
    caller.kernel.timers.set(number, Timer { at, interval, overrun: 0, ..before });
    if old == 0 { Ok(0) } else { write_itimerspec(caller, old, width, left(&before, now)) }
}

/// Size of a `timespec` or a `timeval`. An `itimerspec` contains two `timespec` values.
fn half(width: Width) -> u32 {
    2 * width.bytes()
}

fn timer_gettime(caller: &mut Caller<'_>, width: Width) -> Answer {
    let (timer, at) = (timer(caller)?, caller.argument(1));
    let now = caller.base(timer.clock)?;
    write_itimerspec(caller, at, width, left(&timer, now))
}

fn write_itimerspec(caller: &mut Caller<'_>, at: u32, width: Width, timer: Option<(Nanos, Nanos)>) -> Answer {
    let (left, interval) = timer.unwrap_or((0, 0));
    write_timespec(caller.hardware, at, width, interval)?;
    write_timespec(caller.hardware, at.wrapping_add(half(width)), width, left)?;
    Ok(0)
}

fn timer_delete(caller: &mut Caller<'_>) -> Answer {
    timer(caller)?;
    caller.kernel.timers.remove(caller.argument(0));
    Ok(0)
}
