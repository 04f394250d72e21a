//! The system call `futex`.
//!
//! MODEL: an effective address identifies a futex, because there is only one process.
//!
//! Source: futex(2).

use super::pi;
use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::kernel::Kernel;
use crate::request::Answer;
use crate::syscalls::caller::{Arguments, Caller, SystemCall};
use crate::threads::futex::{Futexes, Waiter};
use crate::time::{Width, absolute, read_timespec};
use crate::wait::{Nanos, Restart, Wait, Wakes};

/// Table rows of the futex calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(221, "futex", 6, |caller| futex(caller, caller.width()))
        .costing(|caller| caller.kernel.costs.futex_ns),
    SystemCall::new(422, "futex_time64", 6, |caller| futex(caller, Width::Wide))
        .costing(|caller| caller.kernel.costs.futex_ns),
];

/// Operations.
const WAIT: u32 = 0;
const WAKE: u32 = 1;
const REQUEUE: u32 = 3;
const CMP_REQUEUE: u32 = 4;
const WAKE_OP: u32 = 5;
const LOCK_PI: u32 = 6;
const UNLOCK_PI: u32 = 7;
const TRYLOCK_PI: u32 = 8;
const WAIT_BITSET: u32 = 9;
const WAKE_BITSET: u32 = 10;
const LOCK_PI2: u32 = 13;
const OPERATION: u32 = 0x7f;
/// Flag: the timeout is a calendar time, not a time since the start.
const CLOCK_REALTIME: u32 = 0x100;

fn futex(caller: &mut Caller<'_>, width: Width) -> Answer {
    let [ea, flags, value, fourth, second_ea, third_value, ..] = caller.request.arguments;
    if !ea.is_multiple_of(4) {
        return Err(Errno::EINVAL.into());
    }
    let operation = flags & OPERATION;
    let Kernel { futexes, wakes, .. } = &mut *caller.kernel;
    match operation {
        WAIT | WAIT_BITSET => {
            let bits = if operation == WAIT { u32::MAX } else { third_value };
            let until = deadline(caller, width, operation != WAIT, flags & CLOCK_REALTIME != 0)?;
            wait(caller, bits, until)
        }
        WAKE => Ok(futexes.wake(wakes, ea, value, u32::MAX)),
        WAKE_BITSET if third_value == 0 => Err(Errno::EINVAL.into()),
        WAKE_BITSET => Ok(futexes.wake(wakes, ea, value, third_value)),
        CMP_REQUEUE if caller.hardware.word(ea)? != third_value => Err(Errno::EAGAIN.into()),
        REQUEUE | CMP_REQUEUE => {
            let woken = futexes.wake(wakes, ea, value, u32::MAX);
            Ok(woken + futexes.requeue(ea, second_ea, fourth))
        }
        WAKE_OP => wake_op(futexes, wakes, caller.hardware, caller.request.arguments),
        LOCK_PI | LOCK_PI2 => {
            let until = deadline(caller, width, true, operation == LOCK_PI || flags & CLOCK_REALTIME != 0)?;
            pi::lock(caller, true, until)
        }
        TRYLOCK_PI => pi::lock(caller, false, None),
        UNLOCK_PI => pi::unlock(futexes, wakes, caller.hardware, caller.tid, ea),
        _ => Err(Errno::ENOSYS.into()),
    }
}

/// Time at which the call stops waiting.
fn deadline(caller: &mut Caller<'_>, width: Width, is_absolute: bool, real: bool) -> Result<Option<Nanos>, Errno> {
    let at = caller.argument(3);
    if at == 0 || caller.request.deadline.is_some() {
        return Ok(caller.request.deadline);
    }
    let time = read_timespec(caller.hardware, at, width)?;
    let until = if is_absolute { absolute(time, real) } else { caller.now().saturating_add(time) };
    caller.request.deadline = Some(until);
    Ok(Some(until))
}

fn wait(caller: &mut Caller<'_>, bits: u32, until: Option<Nanos>) -> Answer {
    let (ea, tid) = (caller.argument(0), caller.tid);
    let restart = if until.is_some() { Restart::Never } else { Restart::AsAsked };
    if caller.request.attempts == 0 {
        if bits == 0 {
            return Err(Errno::EINVAL.into());
        }
        if caller.hardware.word(ea)? != caller.argument(2) {
            return Err(Errno::EAGAIN.into());
        }
        let queue = caller.thread()?.own;
        caller.kernel.futexes.add(Waiter { tid, queue, ea, bits });
    } else if !caller.kernel.futexes.waits(tid) {
        return Ok(0);
    }
    if until.is_some_and(|until| caller.now() >= until) {
        caller.kernel.futexes.forget(tid);
        return Err(Errno::ETIMEDOUT.into());
    }
    if caller.request.interrupted {
        caller.kernel.futexes.forget(tid);
    }
    Err(Wait { until, restart, ..Wait::default() }.into())
}

/// `FUTEX_WAKE_OP`: changes the second of two futex words, and wakes threads that wait on either word. Threads that
/// wait on the second word are woken only if the word's old value meets a condition.
fn wake_op(
    futexes: &mut Futexes,
    wakes: &mut Wakes,
    hardware: &mut dyn Hardware,
    [ea, _, count, second_count, second_ea, code, ..]: Arguments,
) -> Answer {
    let signed = |shift: u32| ((code << shift) as i32 >> 20) as u32;
    let (operand, comparand) = (signed(8), signed(20));
    let operand = if code >> 31 != 0 { 1 << (operand & 31) } else { operand };
    let old = hardware.word(second_ea)?;
    let new = match code >> 28 & 7 {
        0 => operand,
        1 => old.wrapping_add(operand),
        2 => old | operand,
        3 => old & !operand,
        4 => old ^ operand,
        _ => return Err(Errno::ENOSYS.into()),
    };
    let (left, right) = (old as i32, comparand as i32);
    let holds = match code >> 24 & 0xf {
        0 => left == right,
        1 => left != right,
        2 => left < right,
        3 => left <= right,
        4 => left > right,
        5 => left >= right,
        _ => return Err(Errno::ENOSYS.into()),
    };
    hardware.put_word(second_ea, new)?;
    let woken = futexes.wake(wakes, ea, count, u32::MAX);
    Ok(woken + if holds { futexes.wake(wakes, second_ea, second_count, u32::MAX) } else { 0 })
}
