//! System calls by which PPE programs operate on SPEs, each as a list of kernel steps.
//!
//! The machine file contains the duration of each call. Half of the duration passes before the call's accesses to the
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
use std::collections::VecDeque;

/// Begins a system call: adds the call's steps to `kernel`, which has none.
///
/// # Errors
/// The call names a thread without an SPE.
pub(crate) fn begin(call: Syscall, kernel: &mut VecDeque<KernelStep>, wires: &Wires) -> Result<(), RunError> {
    use KernelStep::*;
    let (machine, os) = (&wires.board.machine, &wires.board.machine.os);
    let whole = |ns: u64| Wait(machine.bus_cycles_in_ns(ns));
    let at = |thread, offset| Ok::<u64, RunError>(register_ea(spe_of(thread, wires)?, offset));
    // Adds steps with half of a call's duration before them, and half after them.
    let mut within = |ns: u64, steps: &[KernelStep]| {
        let half = Wait(machine.bus_cycles_in_ns(ns) / 2);
        kernel.push_back(half);
        kernel.extend(steps);
        kernel.push_back(half);
    };
    let stat = register::SPU_MBOX_STAT;
    match call {
        Syscall::ThreadCreate(thread, argument) => {
            spe_of(thread, wires)?;
            kernel.extend([whole(os.thread_create_ns), Start(thread, argument)]);
        }
        Syscall::ThreadJoin(thread) => {
            spe_of(thread, wires)?;
            kernel.extend([Join(thread), whole(os.thread_join_ns)]);
        }
        // MODEL: entering `spu_run` again takes as long as a write to one of the SPE's files.
        Syscall::ThreadContinue(thread) => {
            spe_of(thread, wires)?;
            kernel.extend([whole(os.spufs_write_ns), Continue(thread)]);
        }
        Syscall::InMboxWrite(thread, value) => {
            let store = StoreIf(IN_FREE, at(thread, register::SPU_IN_MBOX)?, value);
            within(os.spufs_write_ns, &[Load(at(thread, stat)?), store]);
        }
        Syscall::OutMboxStatus(thread) => within(os.spufs_read_ns, &[Load(at(thread, stat)?), Mask(OUT_COUNT)]),
        Syscall::OutMboxRead(thread) => {
            let load = LoadIf(OUT_COUNT, at(thread, register::SPU_OUT_MBOX)?);
            within(os.spufs_read_ns, &[Load(at(thread, stat)?), load]);
        }
        Syscall::OutIntrMboxRead(thread) => {
            let load = LoadIf(OUT_INTR_COUNT, at(thread, register::SPU_OUT_INTR_MBOX)?);
            within(os.spufs_read_ns, &[Load(at(thread, stat)?), load]);
        }
        Syscall::SignalOpen(thread) => {
            spe_of(thread, wires)?;
            kernel.extend([whole(os.file_open_ns)]);
        }
        Syscall::SignalWrite(thread, number, value) => {
            let offset = if number == 2 { register::SPU_SIG_NOTIFY_2 } else { register::SPU_SIG_NOTIFY_1 };
            within(os.spufs_write_ns, &[Store(at(thread, offset)?, value)]);
        }
        Syscall::SignalType(thread, number, or_mode) => {
            within(os.spufs_write_ns, &[SignalMode(spe_of(thread, wires)?, number, or_mode)]);
        }
        Syscall::SignalClose(thread) => {
            spe_of(thread, wires)?;
            kernel.extend([whole(os.file_close_ns)]);
        }
        Syscall::MfcCommand(thread, command) => {
            let Command { opcode, lsa, ea, size, tag } = command;
            let store = |offset, word| Ok::<KernelStep, RunError>(Store(at(thread, offset)?, word));
            let stores = [
                store(register::MFC_LSA, lsa)?,
                store(register::MFC_EAH, (ea >> 32) as u32)?,
                store(register::MFC_EAL, ea as u32)?,
                store(register::MFC_SIZE_TAG, size << 16 | tag & 0xffff)?,
                store(register::MFC_CLASS_CMD, opcode)?,
                // Reading the command status enqueues the command.
                Load(at(thread, register::MFC_CLASS_CMD)?),
            ];
            within(os.spufs_write_ns, &stores);
        }
        Syscall::MfcTagStatus(thread, mask, update) => {
            within(os.spufs_read_ns, &[Tags(spe_of(thread, wires)?, mask, update)]);
        }
        // MODEL: waiting for events takes as long as a read of one of an SPE's files, for any number of events.
        Syscall::EventWait(wanted, timeout_ns) => {
            events::check(wanted, wires)?;
            let until = timeout_ns.map(|ns| wires.time.now().saturating_add(machine.bus_cycles_in_ns(ns)));
            within(os.spufs_read_ns, &[Events(wanted, until)]);
        }
    }
    Ok(())
}
