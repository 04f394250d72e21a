//! Semaphores: `semget`, `semop`, `semtimedop`, `semctl`.
//!
//! MODEL: `SEM_UNDO` has no effect. Linux undoes such operations at the end of the process, when nobody is left who could
//! see it.

use super::common::{IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, read_permissions, seconds};
use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::ipc::semaphores::{Operation, Semaphore, Set, VALUE_MAX};
use crate::ipc::table::{READ, WRITE};
use crate::request::Answer;
use crate::syscalls::caller::Caller;
use crate::tid::PROCESS;
use crate::time::read_timespec;
use crate::wait::Wait;
use crate::width::Width;

/// Flag of an operation: fail instead of waiting.
const IPC_NOWAIT: u16 = 0o4000;
/// Commands of `semctl`.
const GETPID: u32 = 11;
const GETVAL: u32 = 12;
const GETALL: u32 = 13;
const GETNCNT: u32 = 14;
const GETZCNT: u32 = 15;
const SETVAL: u32 = 16;
const SETALL: u32 = 17;
const SEM_STAT: u32 = 18;
const SEM_INFO: u32 = 19;
const SEM_STAT_ANY: u32 = 20;
/// Greatest numbers of sets, of semaphores in a set, and of operations in a call.
const SETS_MAX: u32 = 32000;
const SEMAPHORES_MAX: u32 = 32000;
const OPERATIONS_MAX: u32 = 500;
const OPERATION_BYTES: u32 = 6;

/// Finds or creates a set of semaphores. Returns its identifier.
pub fn semget(caller: &mut Caller<'_>, key: u32, count: u32, flags: u32) -> Answer {
    let now = seconds(caller);
    if count > SEMAPHORES_MAX {
        return Err(Errno::EINVAL.into());
    }
    let kernel = &mut *caller.kernel;
    let wakes = &mut kernel.wakes;
    let fits = |set: &Set| if count as usize > set.semaphores.len() { Err(Errno::EINVAL) } else { Ok(()) };
    let create = || if count == 0 { Err(Errno::EINVAL) } else { Ok(Set::new(count, wakes.new_queue(), now)) };
    Ok(kernel.ipc.sets.get((key, flags), SETS_MAX, fits, create)?)
}

/// Does all operations of an array at once, or waits until it can. `timeout` is the address of a time or 0, and the width
/// of its numbers.
pub fn semop(
    caller: &mut Caller<'_>,
    (identifier, at, count): (u32, u32, u32),
    timeout: Option<(u32, Width)>,
) -> Answer {
    let operations = read_operations(caller.hardware, at, count)?;
    if let Some((time, width)) = timeout.filter(|(time, _)| *time != 0 && caller.request.deadline.is_none()) {
        let time = read_timespec(caller.hardware, time, width)?;
        caller.request.deadline = Some(caller.now().saturating_add(time));
    }
    let (now, tid, until) = (seconds(caller), caller.tid, caller.request.deadline);
    let is_late = until.is_some_and(|until| caller.now() >= until);
    let entry = caller.kernel.ipc.sets.entry(identifier);
    // The set was there when the call began to wait.
    let entry = entry.map_err(|errno| if caller.request.attempts > 0 { Errno::EIDRM } else { errno })?;
    let changes = operations.iter().any(|operation| operation.by != 0);
    entry.permissions.check(if changes { WRITE } else { READ })?;
    let set = &mut entry.object;
    set.waiting.remove(&tid);
    let blocked = match set.after(&operations)? {
        Ok(values) => {
            for Operation { number, .. } in &operations {
                let number = usize::from(*number);
                set.semaphores[number] = Semaphore { value: values[number], last: PROCESS.0 };
            }
            set.operated_at = now;
            if changes {
                caller.kernel.wakes.wake(set.changed);
            }
            return Ok(0);
        }
        Err(blocked) => blocked,
    };
    if operations[blocked.operation].flags & IPC_NOWAIT != 0 || is_late {
        return Err(Errno::EAGAIN.into());
    }
    if !caller.request.interrupted {
        set.waiting.insert(tid, blocked);
    }
    Err(Wait::on(set.changed).until(until).never_restarted().into())
}

fn read_operations(hardware: &mut dyn Hardware, at: u32, count: u32) -> Result<Vec<Operation>, Errno> {
    match count {
        0 => return Err(Errno::EINVAL),
        1..=OPERATIONS_MAX => (),
        _ => return Err(Errno::E2BIG),
    }
    let bytes = hardware.bytes(at, count * OPERATION_BYTES)?;
    let half = |bytes: &[u8], n: usize| u16::from_be_bytes([bytes[2 * n], bytes[2 * n + 1]]);
    let operation =
        |bytes: &[u8]| Operation { number: half(bytes, 0), by: half(bytes, 1) as i16, flags: half(bytes, 2) };
    Ok(bytes.chunks_exact(OPERATION_BYTES as usize).map(operation).collect())
}

/// Shows, changes or removes a set. `argument` is a `union semun`: an address, or a value at the left.
pub fn semctl(caller: &mut Caller<'_>, (identifier, number, command): (u32, u32, u32), argument: u64) -> Answer {
    let now = seconds(caller);
    let width = caller.width();
    let (at, value) = (caller.hardware.narrow(argument), width.pick(argument, argument >> 32) as i32);
    if let IPC_INFO | SEM_INFO = command {
        let sets = &caller.kernel.ipc.sets;
        let limits = limits(sets.objects(), command == SEM_INFO);
        let last = sets.last_slot();
        caller.hardware.put_words(at, &limits)?;
        return Ok(last);
    }
    let set = if command == IPC_SET { Some(read_permissions(caller, at)?) } else { None };
    let kernel = &mut *caller.kernel;
    let (known, entry) = match command {
        SEM_STAT | SEM_STAT_ANY => kernel.ipc.sets.entry_at(identifier)?,
        _ => (0, kernel.ipc.sets.entry(identifier)?),
    };
    match command {
        IPC_STAT | SEM_STAT | SEM_STAT_ANY => {
            if command != SEM_STAT_ANY {
                entry.permissions.check(READ)?;
            }
            let bytes = entry.object.encoded(&entry.permissions, width);
            caller.hardware.write(at, &bytes)?;
            Ok(known)
        }
        IPC_SET => {
            entry.permissions.set(set.unwrap_or_default());
            entry.object.changed_at = now;
            Ok(0)
        }
        IPC_RMID => {
            let set = kernel.ipc.sets.remove(identifier)?;
            kernel.wakes.wake(set.changed);
            Ok(0)
        }
        SETVAL | SETALL => {
            entry.permissions.check(WRITE)?;
            let set = &mut entry.object;
            set_values(set, caller.hardware, (command == SETVAL).then_some((number, value)), at)?;
            set.changed_at = now;
            kernel.wakes.wake(set.changed);
            Ok(0)
        }
        _ => {
            entry.permissions.check(READ)?;
            value_of(&entry.object, caller.hardware, (command, number), at)
        }
    }
}

/// Sets one semaphore, or all of them to the halfwords at an address.
fn set_values(set: &mut Set, hardware: &mut dyn Hardware, one: Option<(u32, i32)>, at: u32) -> Result<(), Errno> {
    let in_range = |value: i32| if (0..=VALUE_MAX).contains(&value) { Ok(value) } else { Err(Errno::ERANGE) };
    if let Some((number, value)) = one {
        let value = in_range(value)?;
        let semaphore = set.semaphores.get_mut(number as usize).ok_or(Errno::EINVAL)?;
        *semaphore = Semaphore { value, last: PROCESS.0 };
        return Ok(());
    }
    let bytes = hardware.bytes(at, set.semaphores.len() as u32 * 2)?;
    let values = bytes.chunks_exact(2).map(|half| in_range(i32::from(u16::from_be_bytes([half[0], half[1]]))));
    let values = values.collect::<Result<Vec<i32>, Errno>>()?;
    for (semaphore, value) in set.semaphores.iter_mut().zip(values) {
        *semaphore = Semaphore { value, last: PROCESS.0 };
    }
    Ok(())
}

/// The result of the commands that read semaphores.
fn value_of(set: &Set, hardware: &mut dyn Hardware, (command, number): (u32, u32), at: u32) -> Answer {
    if command == GETALL {
        let values = set.semaphores.iter().flat_map(|semaphore| (semaphore.value as u16).to_be_bytes());
        hardware.write(at, &values.collect::<Vec<u8>>())?;
        return Ok(0);
    }
    let semaphore = set.semaphores.get(number as usize).ok_or(Errno::EINVAL)?;
    match command {
        GETVAL => Ok(semaphore.value as u32),
        GETPID => Ok(semaphore.last),
        GETNCNT => Ok(set.waiters(number, false)),
        GETZCNT => Ok(set.waiters(number, true)),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// `struct seminfo`: the limits, or in two places what is in use.
fn limits<'s>(sets: impl Iterator<Item = &'s Set>, in_use: bool) -> [u32; 10] {
    let counts: Vec<u32> = sets.map(|set| set.semaphores.len() as u32).collect();
    let (set_size, last) = if in_use { (counts.len() as u32, counts.iter().sum()) } else { (20, VALUE_MAX as u32) };
    let all = SETS_MAX.saturating_mul(SEMAPHORES_MAX);
    [all, SETS_MAX, all, all, SEMAPHORES_MAX, OPERATIONS_MAX, OPERATIONS_MAX, set_size, VALUE_MAX as u32, last]
}
