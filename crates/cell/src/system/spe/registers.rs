//! The problem-state registers of an SPE: what the PPE and other SPEs see of it.

use super::commands::enqueue;
use super::rules::broken;
use super::unit::Spe;
use super::wake::{raise, start_program, unblock};
use crate::channel::{Channel, event};
use crate::ea::register;
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::processor::State;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::probes::set::Probes;
use crate::system::time::Time;

/// `MFC_CMDStatus`: the command was refused, as parameters were missing or the queue was full.
const SEQUENCE_ERROR: u32 = 1;
const NO_SPACE: u32 = 2;

/// A write to a problem-state register.
///
/// # Errors
/// The offset is not that of a writable register.
pub(crate) fn write(
    spe: &mut Spe<'_>,
    offset: u32,
    value: u32,
    board: &Board,
    time: &mut Time,
    probes: &mut Probes,
) -> Result<(), RunError> {
    match offset {
        register::SPU_IN_MBOX => {
            spe.channels.in_mbox.push_or_replace(value);
            probes.counters.spes[usize::from(spe.id.0)].mailbox_entries += 1;
            unblock(spe, Channel::RD_IN_MBOX, time, probes);
            raise(spe, event::IN_MBOX, time, probes);
        }
        register::SPU_SIG_NOTIFY_1 => write_signal(spe, 0, value, time, probes),
        register::SPU_SIG_NOTIFY_2 => write_signal(spe, 1, value, time, probes),
        register::SPU_RUN_CNTL if value == 1 => start_program(spe, 0, board, time, probes),
        register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC | register::PRXY_QUERY_TYPE => (),
        _ if spe.proxy.write(offset, value) => (),
        // What a process writes to a reserved register is lost.
        _ if spe.supervised => (),
        _ => return Err(broken(spe, Operation::Register, Fault::Unwritable(offset), time)),
    }
    Ok(())
}

fn write_signal(spe: &mut Spe<'_>, index: usize, value: u32, time: &mut Time, probes: &mut Probes) {
    spe.channels.signals[index].write(value);
    probes.counters.spes[usize::from(spe.id.0)].signals += 1;
    let (channel, bits) = if index == 0 {
        (Channel::RD_SIG_NOTIFY_1, event::SIGNAL_1)
    } else {
        (Channel::RD_SIG_NOTIFY_2, event::SIGNAL_2)
    };
    unblock(spe, channel, time, probes);
    raise(spe, bits, time, probes);
}

/// A read of a problem-state register, with its side effects.
///
/// # Errors
/// The offset is not that of a readable register, or a proxy command breaks a rule.
pub(crate) fn read(
    spe: &mut Spe<'_>,
    offset: u32,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<u32, RunError> {
    let (channels, proxy_queue) = (&spe.channels, &spe.mfc.proxy_queue);
    Ok(match offset {
        register::SPU_MBOX_STAT => {
            channels.out_mbox.len() | channels.in_mbox.free() << 8 | channels.out_intr_mbox.len() << 16
        }
        register::SPU_OUT_MBOX => take_out_mbox(spe, false, time, probes),
        register::SPU_OUT_INTR_MBOX => take_out_mbox(spe, true, time, probes),
        register::SPU_STATUS => match spe.core.state {
            State::Idle => 0,
            State::Stopped(code) => code << 16 | 0x2,
            _ => 1,
        },
        register::MFC_Q_STATUS => {
            let idle = proxy_queue.occupied() == 0;
            proxy_queue.free() | u32::from(idle) << 31
        }
        register::PRXY_TAG_STATUS => proxy_queue.idle_tags() & spe.proxy.query_mask,
        register::PRXY_QUERY_MASK => spe.proxy.query_mask,
        register::MFC_CLASS_CMD => return enqueue_proxy(spe, board, time, bus, probes),
        register::MFC_MS_SYNC | register::SPU_RUN_CNTL | register::SPU_NPC => 0,
        _ if spe.supervised => 0,
        _ => return Err(broken(spe, Operation::Register, Fault::Unreadable(offset), time)),
    })
}

fn take_out_mbox(spe: &mut Spe<'_>, interrupting: bool, time: &mut Time, probes: &mut Probes) -> u32 {
    let channels = &mut spe.channels;
    let (mailbox, channel, bits) = if interrupting {
        (&mut channels.out_intr_mbox, Channel::WR_OUT_INTR_MBOX, event::OUT_INTR_MBOX)
    } else {
        (&mut channels.out_mbox, Channel::WR_OUT_MBOX, event::OUT_MBOX)
    };
    let Some(value) = mailbox.pop() else { return 0 };
    unblock(spe, channel, time, probes);
    raise(spe, bits, time, probes);
    value
}

/// Reading `MFC_CMDStatus` is what enqueues a proxy command (libspe2's `dma.c` relies on it).
fn enqueue_proxy(
    spe: &mut Spe<'_>,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<u32, RunError> {
    if spe.proxy.is_complete() && spe.mfc.proxy_queue.free() == 0 {
        return Ok(NO_SPACE);
    }
    let (is_complete, command) = (spe.proxy.is_complete(), spe.proxy.command());
    spe.proxy.clear();
    if !is_complete {
        return Ok(SEQUENCE_ERROR);
    }
    match enqueue(spe, command, true, board, time, bus, probes) {
        Ok(()) => {
            spe.proxy.untold |= 1 << (command.tag % 32);
            Ok(0)
        }
        Err(rule) => Err(broken(spe, Operation::Proxy, rule, time)),
    }
}
