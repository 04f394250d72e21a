//! System calls of the PPE's programs, as far as SPEs notice them: the steps that the kernel takes.  The machine
//! file says how long each call takes; half of that passes before, half after.

use super::events;
use super::rules::spe_of;
use crate::command::Command;
use crate::door::{SpeEvents, Syscall, TagUpdate};
use crate::ea::mbox_stat::{IN_FREE, OUT_COUNT, OUT_INTR_COUNT};
use crate::ea::{register, register_ea};
use crate::error::RunError;
use crate::system::board::Board;
use crate::system::time::Time;
use crate::units::{BusCycle, SpeId, ThreadId};

/// One step of what the kernel does in a system call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    /// Spend time.
    Wait(BusCycle),
    /// Load a register; what it holds is the value from here on.
    Load(u64),
    /// Load a register if the value has one of these bits; otherwise the value is [`crate::door::NO_ENTRY`].
    LoadIf(u64, u64),
    /// Store to a register.
    Store(u64, u32),
    /// Store to a register if the value has one of these bits; the value is then 1, otherwise 0.
    StoreIf(u64, u64, u32),
    /// Keep only these bits of the value.
    Mask(u64),
    /// Set the mode of a signal register.
    SignalMode(SpeId, u8, bool),
    /// Start a thread.
    Start(ThreadId, u64),
    /// Wait for a thread to stop; its stop code is the value.
    Join(ThreadId),
    /// Let a thread go on behind its stop.
    Continue(ThreadId),
    /// Wait for tag groups of the proxy queue; those without commands are the value.
    Tags(SpeId, u32, TagUpdate),
    /// Wait for events, until a bus cycle at most; those that there are are the value.
    Events(SpeEvents, Option<BusCycle>),
}

/// The steps of a system call.
///
/// # Errors
/// It names a thread without an SPE.
pub(crate) fn steps(call: Syscall, board: &Board, time: &Time) -> Result<Vec<Kernel>, RunError> {
    use Kernel::*;
    let os = &board.machine.os;
    let half = |ns: u64| Wait(board.machine.bus_cycles_in_ns(ns) / 2);
    let whole = |ns: u64| Wait(board.machine.bus_cycles_in_ns(ns));
    let (read, write) = (half(os.spufs_read_ns), half(os.spufs_write_ns));
    let at = |thread, offset| Ok::<u64, RunError>(register_ea(spe_of(thread, board, time)?, offset));
    let stat = register::SPU_MBOX_STAT;
    Ok(match call {
        Syscall::ThreadCreate(thread, argument) => {
            spe_of(thread, board, time)?;
            vec![whole(os.thread_create_ns), Start(thread, argument)]
        }
        Syscall::ThreadJoin(thread) => {
            spe_of(thread, board, time)?;
            vec![Join(thread), whole(os.thread_join_ns)]
        }
        // MODEL: to enter `spu_run` again takes as long as a write of one of the SPE's files.
        Syscall::ThreadContinue(thread) => {
            spe_of(thread, board, time)?;
            vec![whole(os.spufs_write_ns), Continue(thread)]
        }
        Syscall::InMboxWrite(thread, value) => {
            let store = StoreIf(IN_FREE, at(thread, register::SPU_IN_MBOX)?, value);
            vec![write, Load(at(thread, stat)?), store, write]
        }
        Syscall::OutMboxStatus(thread) => vec![read, Load(at(thread, stat)?), Mask(OUT_COUNT), read],
        Syscall::OutMboxRead(thread) => {
            let load = LoadIf(OUT_COUNT, at(thread, register::SPU_OUT_MBOX)?);
            vec![read, Load(at(thread, stat)?), load, read]
        }
        Syscall::OutIntrMboxRead(thread) => {
            let load = LoadIf(OUT_INTR_COUNT, at(thread, register::SPU_OUT_INTR_MBOX)?);
            vec![read, Load(at(thread, stat)?), load, read]
        }
        Syscall::SignalOpen(thread) => {
            spe_of(thread, board, time)?;
            vec![whole(os.file_open_ns)]
        }
        Syscall::SignalWrite(thread, number, value) => {
            let offset = if number == 2 { register::SPU_SIG_NOTIFY_2 } else { register::SPU_SIG_NOTIFY_1 };
            vec![write, Store(at(thread, offset)?, value), write]
        }
        Syscall::SignalType(thread, number, or_mode) => {
            vec![write, SignalMode(spe_of(thread, board, time)?, number, or_mode), write]
        }
        Syscall::SignalClose(thread) => {
            spe_of(thread, board, time)?;
            vec![whole(os.file_close_ns)]
        }
        Syscall::MfcCommand(thread, command) => {
            let Command { opcode, lsa, ea, size, tag } = command;
            let words = [
                (register::MFC_LSA, lsa),
                (register::MFC_EAH, (ea >> 32) as u32),
                (register::MFC_EAL, ea as u32),
                (register::MFC_SIZE_TAG, size << 16 | tag & 0xffff),
                (register::MFC_CLASS_CMD, opcode),
            ];
            let mut steps = vec![write];
            for (offset, word) in words {
                steps.push(Store(at(thread, offset)?, word));
            }
            // Reading the status is what gives the command.
            steps.extend([Load(at(thread, register::MFC_CLASS_CMD)?), write]);
            steps
        }
        Syscall::MfcTagStatus(thread, mask, update) => {
            vec![read, Tags(spe_of(thread, board, time)?, mask, update), read]
        }
        // MODEL: to wait for events takes as long as to read one of an SPE's files, however many are waited for.
        Syscall::EventWait(wanted, timeout_ns) => {
            events::check(wanted, board, time)?;
            let until = timeout_ns.map(|ns| time.now().saturating_add(board.machine.bus_cycles_in_ns(ns)));
            vec![read, Events(wanted, until), read]
        }
    })
}
