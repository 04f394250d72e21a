//! What writing each channel does.

use super::channels::expect_direction;
use super::unit::Spe;
use super::wake::wake_dmac;
use super::{commands, decrementer, lock_lines, ms_sync};
use crate::channel::{Channel, Direction};
use crate::channels::{Mailbox, TagUpdate};
use crate::command::{Action, Command};
use crate::fault::{ChannelFault, Fault};
use crate::ppe::ALL_THREADS;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::probes::set::Probes;
use crate::system::time::Time;

/// Writes a channel; false if it has no room yet.
///
/// # Errors
/// It cannot be written, or not this value, or the command that is given with it breaks a rule.
#[inline(never)]
pub(crate) fn write(
    spe: &mut Spe<'_>,
    channel: Channel,
    value: u32,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<bool, Fault> {
    expect_direction(channel, Direction::Write)?;
    let ticks = |spe: &Spe<'_>, time: &Time| time.ticks_at(spe.core.time / time.ratio);
    match channel {
        Channel::WR_EVENT_MASK => {
            decrementer::settle(spe, ticks(spe, time), time, probes);
            spe.channels.event_mask = value;
            decrementer::arm(spe, time);
        }
        Channel::WR_EVENT_ACK => {
            decrementer::settle(spe, ticks(spe, time), time, probes);
            spe.channels.events &= !value;
        }
        Channel::WR_DEC => {
            spe.channels.write_decrementer(value, ticks(spe, time));
            decrementer::arm(spe, time);
        }
        Channel::WR_MS_SYNC_REQ => return Ok(ms_sync::begin(spe, board, time)),
        Channel::WR_SRR0 => spe.channels.srr0 = value,
        Channel::MFC_CMD => return give_command(spe, value, board, time, bus, probes),
        Channel::WR_TAG_MASK => spe.channels.tag_mask = value,
        Channel::WR_TAG_UPDATE => return ask_tag_status(spe, value, time, probes),
        Channel::WR_LIST_STALL_ACK if value > 31 => return Err(ChannelFault::Tag(value).into()),
        Channel::WR_LIST_STALL_ACK => {
            spe.mfc.acknowledge_stall(value, time.now(), &board.machine);
            wake_dmac(spe, board, time, bus);
        }
        Channel::WR_OUT_MBOX => return Ok(push(&mut spe.channels.out_mbox, value)),
        Channel::WR_OUT_INTR_MBOX => {
            let room = push(&mut spe.channels.out_intr_mbox, value);
            if room {
                time.interrupt(ALL_THREADS);
            }
            return Ok(room);
        }
        _ => {
            if let Some(nth) = channel.parameter() {
                spe.channels.parameters[nth] = value;
                probes.parameter_written(spe, board);
            }
        }
    }
    Ok(true)
}

fn give_command(
    spe: &mut Spe<'_>,
    opcode: u32,
    board: &Board,
    time: &mut Time,
    bus: &Bus,
    probes: &mut Probes,
) -> Result<bool, Fault> {
    let [lsa, eah, eal, size, tag] = spe.channels.parameters;
    let command = Command { opcode, lsa, ea: u64::from(eah) << 32 | u64::from(eal), size, tag };
    match command.code().decode().map(|decoded| decoded.action) {
        Some(action @ (Action::GetLlar | Action::PutLlc | Action::PutLluc)) => {
            Ok(lock_lines::give(spe, action, command, board, time, probes)?)
        }
        _ if spe.mfc.spu_queue.free() == 0 => Ok(false),
        action => {
            if action == Some(Action::PutQlluc) {
                lock_lines::line_of(spe, &command, board)?;
            }
            commands::enqueue(spe, command, false, board, time, bus, probes)?;
            Ok(true)
        }
    }
}

fn ask_tag_status(spe: &mut Spe<'_>, update: u32, time: &mut Time, probes: &mut Probes) -> Result<bool, Fault> {
    if spe.channels.tag_update.is_some() {
        return Ok(false);
    }
    let idle = spe.mfc.spu_queue.idle_tags();
    match update {
        0 => {
            spe.channels.tag_status = Some(idle & spe.channels.tag_mask);
            return Ok(true);
        }
        1 => spe.channels.tag_update = Some(TagUpdate::Any),
        2 => spe.channels.tag_update = Some(TagUpdate::All),
        _ => return Err(ChannelFault::TagUpdate(update).into()),
    }
    spe.channels.tag_status = None;
    commands::update_tag_status(spe, time, probes);
    Ok(true)
}

fn push(mailbox: &mut Mailbox, value: u32) -> bool {
    let room = mailbox.free() > 0;
    if room {
        mailbox.push_or_replace(value);
    }
    room
}
