//! System calls of System V IPC, as calls of their own and through `ipc`, which older C libraries use.

mod common;
mod semaphores;
mod shared_memory;

use super::caller::{Caller, SystemCall};
use crate::errno::Errno;
use crate::request::{Answer, NotDone};
use crate::width::Width;

/// Table rows of System V IPC.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(117, "ipc", 6, ipc),
    SystemCall::new(392, "semtimedop", 4, |caller| {
        let width = caller.width();
        let (operations, time) = (operations(caller), caller.argument(3));
        semaphores::semop(caller, operations, Some((time, width)))
    }),
    SystemCall::new(393, "semget", 3, |caller| {
        let [key, count, flags, ..] = caller.request.arguments;
        semaphores::semget(caller, key, count, flags)
    }),
    SystemCall::new(394, "semctl", 4, |caller| {
        let [identifier, number, command, ..] = caller.request.arguments;
        let argument = caller.width().pick(caller.argument(3).into(), caller.request.longs[3]);
        semaphores::semctl(caller, (identifier, number, command), argument)
    }),
    SystemCall::new(395, "shmget", 3, |caller| {
        let [key, _, flags, ..] = caller.request.arguments;
        let bytes = caller.size(1)?;
        shared_memory::shmget(caller, key, bytes, flags)
    }),
    SystemCall::new(396, "shmctl", 3, |caller| {
        let [identifier, command, at, ..] = caller.request.arguments;
        shared_memory::shmctl(caller, identifier, command, at)
    }),
    SystemCall::new(397, "shmat", 3, |caller| {
        let [identifier, wish, flags, ..] = caller.request.arguments;
        let start = shared_memory::shmat(caller, identifier, wish, flags)?;
        Ok(caller.address(start))
    }),
    SystemCall::new(398, "shmdt", 1, |caller| {
        let start = caller.argument(0);
        shared_memory::shmdt(caller, start)
    }),
    SystemCall::new(420, "semtimedop_time64", 4, |caller| {
        let (operations, time) = (operations(caller), caller.argument(3));
        semaphores::semop(caller, operations, Some((time, Width::Wide)))
    }),
];

/// Calls of `ipc`.
mod call {
    pub const SEMOP: u32 = 1;
    pub const SEMGET: u32 = 2;
    pub const SEMCTL: u32 = 3;
    pub const SEMTIMEDOP: u32 = 4;
    pub const MSGSND: u32 = 11;
    pub const MSGCTL: u32 = 14;
    pub const SHMAT: u32 = 21;
    pub const SHMDT: u32 = 22;
    pub const SHMGET: u32 = 23;
    pub const SHMCTL: u32 = 24;
}

/// Flag of a command of `shmctl` and `semctl`: structures have their present layout. Through `ipc`, every C library of
/// PowerPC sets this flag.
const IPC_64: u32 = 0x100;
/// `ipc(call, first, second, third, pointer, fifth)`
fn ipc(caller: &mut Caller<'_>) -> Answer {
    let [call, first, second, third, pointer, fifth, ..] = caller.request.arguments;
    // The left half is a version of the interface. Programs of today pass 0.
    match (call & 0xffff, call >> 16) {
        (call::SEMOP, _) => semaphores::semop(caller, (first, pointer, second), None),
        (call::SEMTIMEDOP, _) => {
            let width = caller.width();
            semaphores::semop(caller, (first, pointer, second), Some((fifth, width)))
        }
        (call::SEMGET, _) => semaphores::semget(caller, first, second, third),
        (call::SEMCTL, _) => {
            let argument = caller.hardware.long(pointer)?;
            semaphores::semctl(caller, (first, second, third & !IPC_64), argument)
        }
        (call::SHMAT, 0) => {
            let start = shared_memory::shmat(caller, first, pointer, second)?;
            let start = caller.hardware.effective(start);
            caller.hardware.put_longs(third, &[start])?;
            Ok(0)
        }
        (call::SHMDT, _) => shared_memory::shmdt(caller, pointer),
        (call::SHMGET, _) => {
            let bytes = caller.size(2)?;
            shared_memory::shmget(caller, first, bytes, third)
        }
        (call::SHMCTL, _) => shared_memory::shmctl(caller, first, second & !IPC_64, pointer),
        (call::MSGSND..=call::MSGCTL, _) => {
            Err(NotDone::Broken("the program uses message queues (ipc), which are not there".to_string()))
        }
        (call::SHMAT, _) => Err(Errno::EINVAL.into()),
        _ => Err(Errno::ENOSYS.into()),
    }
}

/// Identifier, address and number of the operations of `semtimedop`.
fn operations(caller: &Caller<'_>) -> (u32, u32, u32) {
    (caller.argument(0), caller.argument(1), caller.argument(2))
}
