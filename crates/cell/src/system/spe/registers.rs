//! The problem-state registers of an SPE, which the PPE and other SPEs access.

use super::commands::enqueue;
use super::rules::broken;
use super::wake::{raise_if, start_program, unblock};
use crate::channel::{Channel, event};
use crate::ea::register;
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::processor::State;
use crate::system::processors::spe::Spe;
use crate::system::wires::Wires;

/// `MFC_CMDStatus` value for a command that is refused, because parameters were missing or the queue was full.
const SEQUENCE_ERROR: u32 = 1;
const NO_SPACE: u32 = 2;
/// Bits of `SPU_Status` (CBEA 8.3).
const RUNNING: u32 = 1;
const STOPPED: u32 = 2;
const WAITING: u32 = 8;

/// Writes a problem-state register.
///
/// # Errors
/// There is no writable register at this offset.
pub(crate) fn write(spe: &mut Spe<'_>, offset: u32, value: u32, wires: &mut Wires) -> Result<(), RunError> {
    match offset {
        register::SPU_IN_MBOX => {
            let was_empty = spe.channels.in_mbox.is_empty();
            spe.channels.in_mbox.push_or_replace(value);
            wires.probes.counters.spes[usize::from(spe.id.0)].mailbox_entries += 1;
            unblock(spe, Channel::RD_IN_MBOX, wires);
            raise_if(was_empty, spe, event::IN_MBOX, wires);
        }
        register::SPU_SIG_NOTIFY_1 => write_signal(spe, 0, value, wires),
        register::SPU_SIG_NOTIFY_2 => write_signal(spe, 1, value, wires),
        register::SPU_RUN_CNTL if value == 1 => start_program(spe, 0, wires),
        register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC | register::PRXY_QUERY_TYPE => (),
        _ if spe.proxy.write(offset, value) => (),
        // A process's write to a reserved register is ignored.
        _ if spe.supervised => (),
        _ => return Err(broken(spe, Operation::Register, Fault::Unwritable(offset), &wires.time)),
    }
    Ok(())
}

fn write_signal(spe: &mut Spe<'_>, index: usize, value: u32, wires: &mut Wires) {
    let was_read = spe.channels.signals[index].pending().is_none();
    spe.channels.signals[index].write(value);
    wires.probes.counters.spes[usize::from(spe.id.0)].signals += 1;
    let (channel, bits) = if index == 0 {
        (Channel::RD_SIG_NOTIFY_1, event::SIGNAL_1)
    } else {
        (Channel::RD_SIG_NOTIFY_2, event::SIGNAL_2)
    };
    unblock(spe, channel, wires);
    raise_if(was_read, spe, bits, wires);
}

/// Reads a problem-state register, and carries out the side effects of the read.
///
/// # Errors
/// There is no readable register at this offset, or the read enqueues a proxy command that breaks a rule.
pub(crate) fn read(spe: &mut Spe<'_>, offset: u32, wires: &mut Wires) -> Result<u32, RunError> {
    let (channels, proxy_queue) = (&spe.channels, &spe.mfc.proxy_queue);
    Ok(match offset {
        register::SPU_MBOX_STAT => {
            channels.out_mbox.len() | channels.in_mbox.free() << 8 | channels.out_intr_mbox.len() << 16
        }
        register::SPU_OUT_MBOX => take_out_mbox(spe, false, wires),
        register::SPU_OUT_INTR_MBOX => take_out_mbox(spe, true, wires),
        register::SPU_STATUS => match spe.core.state {
            State::Idle => 0,
            State::Stopped(code) => code << 16 | STOPPED,
            State::Blocked(_) => RUNNING | WAITING,
            _ => RUNNING,
        },
        register::MFC_Q_STATUS => {
            let idle = proxy_queue.occupied() == 0;
            proxy_queue.free() | u32::from(idle) << 31
        }
        register::PRXY_TAG_STATUS => proxy_queue.idle_tags() & spe.proxy.query_mask,
        register::PRXY_QUERY_MASK => spe.proxy.query_mask,
        register::MFC_CLASS_CMD => return enqueue_proxy(spe, wires),
        register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC => 0,
        _ if spe.supervised => 0,
        _ => return Err(broken(spe, Operation::Register, Fault::Unreadable(offset), &wires.time)),
    })
}

fn take_out_mbox(spe: &mut Spe<'_>, interrupting: bool, wires: &mut Wires) -> u32 {
    let channels = &mut spe.channels;
    let (mailbox, channel, bits) = if interrupting {
        (&mut channels.out_intr_mbox, Channel::WR_OUT_INTR_MBOX, event::OUT_INTR_MBOX)
    } else {
        (&mut channels.out_mbox, Channel::WR_OUT_MBOX, event::OUT_MBOX)
    };
    let was_full = mailbox.free() == 0;
    let Some(value) = mailbox.pop() else { return 0 };
    unblock(spe, channel, wires);
    raise_if(was_full, spe, bits, wires);
    value
}

/// Enqueues a proxy command, as a read of `MFC_CMDStatus` does (libspe2's `dma.c` relies on this).
fn enqueue_proxy(spe: &mut Spe<'_>, wires: &mut Wires) -> Result<u32, RunError> {
    // A refused command leaves the parameters that were written (myps3tests, "mfc proxy tests").
    if !spe.proxy.is_complete() {
        return Ok(SEQUENCE_ERROR);
    }
    if spe.mfc.proxy_queue.free() == 0 {
        return Ok(NO_SPACE);
    }
    let command = spe.proxy.command();
    spe.proxy.clear();
    match enqueue(spe, command, true, wires) {
        Ok(()) => {
            spe.proxy.unreported |= 1 << (command.tag % 32);
            Ok(0)
        }
        Err(rule) => Err(broken(spe, Operation::Proxy, rule, &wires.time)),
    }
}
