//! System calls for processor time.
//!
//! MODEL: all processor time counts as user time, including time in the kernel.

use crate::errno::Errno;
use crate::request::Answer;
use crate::syscalls::caller::Caller;
use crate::time::clock_id::ClockId;
use crate::time::{SECOND, write_timeval};
use crate::wait::Nanos;

/// Tick of `times`.
const TICK: Nanos = SECOND / 100;
/// Numbers in a `rusage`.
const RUSAGE: usize = 18;

/// `times(buffer)`: processor time of the process and of its children, in ticks.
pub fn times(caller: &mut Caller<'_>) -> Answer {
    let at = caller.argument(0);
    if at != 0 {
        let used = caller.clock(ClockId::Process)? / TICK;
        caller.hardware.put_longs(at, &[used, 0, 0, 0])?;
    }
    Ok((caller.now() / TICK) as u32)
}

/// `getrusage(who, buffer)`: resource usage of the process, its children, or the thread.
pub fn getrusage(caller: &mut Caller<'_>) -> Answer {
    let [who, at, ..] = caller.request.arguments;
    let used = match who as i32 {
        0 => caller.clock(ClockId::Process)?,
        1 => caller.clock(ClockId::Thread(caller.tid))?,
        -1 => 0,
        _ => return Err(Errno::EINVAL.into()),
    };
    caller.hardware.put_longs(at, &[0; RUSAGE])?;
    write_timeval(caller.hardware, at, used)?;
    Ok(0)
}
