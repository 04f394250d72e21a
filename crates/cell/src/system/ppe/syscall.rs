//! System calls by which PPE programs operate on SPEs, each as a list of kernel steps.
//!
//! The machine file contains the duration of each call.  Half of the duration passes before the call's accesses to the
//! SPE, and the other half after them.
use crate::system::wires::Wires;

use super::events;
use super::rules::spe_of;
use crate::command::Command;
use crate::door::Syscall;
use crate::ea::mbox_stat::{IN_FREE, OUT_COUNT, OUT_INTR_COUNT};
use crate::ea::{register, register_ea};
use crate::error::RunError;
use crate::system::processors::ppe::KernelStep;

/// The kernel steps of a system call.
///
/// # Errors
/// The call names a thread without an SPE.
pub(crate) fn steps(call: Syscall, wires: &Wires) -> Result<Vec<KernelStep>, RunError> {
    use KernelStep::*;
    let os = &wires.board.machine.os;
    let half = |ns: u64| Wait(wires.board.machine.bus_cycles_in_ns(ns) / 2);
    let whole = |ns: u64| Wait(wires.board.machine.bus_cycles_in_ns(ns));
    let (read, write) = (half(os.spufs_read_ns), half(os.spufs_write_ns));
    let at = |thread, offset| Ok::<u64, RunError>(register_ea(spe_of(thread, wires)?, offset));
    let stat = register::SPU_MBOX_STAT;
    Ok(match call {
        Syscall::ThreadCreate(thread, argument) => {
            spe_of(thread, wires)?;
            vec![whole(os.thread_create_ns), Start(thread, argument)]
        }
        Syscall::ThreadJoin(thread) => {
            spe_of(thread, wires)?;
            vec![Join(thread), whole(os.thread_join_ns)]
        }
        // MODEL: entering `spu_run` again takes as long as a write to one of the SPE's files.
        Syscall::ThreadContinue(thread) => {
            spe_of(thread, wires)?;
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
            spe_of(thread, wires)?;
            vec![whole(os.file_open_ns)]
        }
        Syscall::SignalWrite(thread, number, value) => {
            let offset = if number == 2 { register::SPU_SIG_NOTIFY_2 } else { register::SPU_SIG_NOTIFY_1 };
            vec![write, Store(at(thread, offset)?, value), write]
        }
        Syscall::SignalType(thread, number, or_mode) => {
            vec![write, SignalMode(spe_of(thread, wires)?, number, or_mode), write]
        }
        Syscall::SignalClose(thread) => {
            spe_of(thread, wires)?;
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
            // Reading the command status enqueues the command.
            steps.extend([Load(at(thread, register::MFC_CLASS_CMD)?), write]);
            steps
        }
        Syscall::MfcTagStatus(thread, mask, update) => {
            vec![read, Tags(spe_of(thread, wires)?, mask, update), read]
        }
        // MODEL: waiting for events takes as long as a read of one of an SPE's files, for any number of events.
        Syscall::EventWait(wanted, timeout_ns) => {
            events::check(wanted, wires)?;
            let until = timeout_ns.map(|ns| wires.time.now().saturating_add(wires.board.machine.bus_cycles_in_ns(ns)));
            vec![read, Events(wanted, until), read]
        }
    })
}
