//! Writes to each channel.

use super::channels::expect_direction;
use super::wake::wake_dmac;
use super::{commands, decrementer, lock_lines, ms_sync};
use crate::channel::{Channel, Direction};
use crate::channels::{Mailbox, TagUpdate};
use crate::command::{Action, Command};
use crate::fault::{ChannelFault, Fault};
use crate::system::processors::spe::Spe;
use crate::system::wires::Wires;

/// Writes a channel. Returns false if the channel is full.
///
/// # Errors
/// The channel cannot be written or does not accept this value, or the value issues a command that breaks a rule.
#[inline(never)]
pub(crate) fn write(spe: &mut Spe<'_>, channel: Channel, value: u32, wires: &mut Wires) -> Result<bool, Fault> {
    expect_direction(channel, Direction::Write)?;
    match channel {
        Channel::WR_EVENT_MASK => {
            decrementer::update(spe, wires.time.ticks_at_spu_cycle(spe.core.time), wires);
            spe.channels.events.set_mask(value);
            decrementer::arm(spe, &mut wires.time);
        }
        Channel::WR_EVENT_ACK => {
            decrementer::update(spe, wires.time.ticks_at_spu_cycle(spe.core.time), wires);
            spe.channels.events.acknowledge(value);
            decrementer::acknowledged(spe, value, &mut wires.time);
        }
        Channel::WR_DEC => {
            spe.channels.decrementer.write(value, wires.time.ticks_at_spu_cycle(spe.core.time));
            decrementer::arm(spe, &mut wires.time);
        }
        Channel::WR_MS_SYNC_REQ => return Ok(ms_sync::begin(spe, wires)),
        Channel::WR_SRR0 => {
            // An address of an instruction in the local store.
            spe.channels.srr0 = value & (spe.local_store.size_bytes() as u32 - 1) & !3;
        }
        Channel::MFC_CMD => return give_command(spe, value, wires),
        Channel::WR_TAG_MASK => {
            spe.channels.tag_mask = value;
            commands::update_tag_status(spe, wires);
        }
        Channel::WR_TAG_UPDATE => {
            // A request replaces the request that is pending, and leaves the unread status of an earlier request.
            //
            // MODEL: the count of `MFC_WrTagUpdate` stays 1 while a request is pending. The CBEA and table 17-2 of the
            // Handbook say 0. A console's count stayed 1 (myps3tests, "MFC_WrTagUpdate"), and we follow the console.
            let update = [TagUpdate::Immediate, TagUpdate::Any, TagUpdate::All].get(value as usize);
            spe.channels.tag_update = Some(*update.ok_or(ChannelFault::TagUpdate(value))?);
            commands::update_tag_status(spe, wires);
        }
        Channel::WR_LIST_STALL_ACK if value > 31 => return Err(ChannelFault::Tag(value).into()),
        Channel::WR_LIST_STALL_ACK => {
            spe.mfc.acknowledge_stall(value, wires.time.now(), &wires.board.machine);
            wake_dmac(spe, wires);
        }
        Channel::WR_OUT_MBOX => return Ok(push(&mut spe.channels.out_mbox, value)),
        Channel::WR_OUT_INTR_MBOX => {
            let room = push(&mut spe.channels.out_intr_mbox, value);
            if room {
                wires.time.interrupt_all();
            }
            return Ok(room);
        }
        _ => {
            if let Some(nth) = channel.parameter() {
                spe.channels.parameters[nth] = value;
                wires.probes.parameter_written(spe.id, spe.core.time, &wires.board);
            }
        }
    }
    Ok(true)
}

fn give_command(spe: &mut Spe<'_>, opcode: u32, wires: &mut Wires) -> Result<bool, Fault> {
    let [lsa, eah, eal, size, tag] = spe.channels.parameters;
    let command = Command { opcode, lsa, ea: u64::from(eah) << 32 | u64::from(eal), size, tag };
    match command.code().decode().map(|decoded| decoded.action) {
        Some(action @ (Action::GetLlar | Action::PutLlc | Action::PutLluc)) => {
            Ok(lock_lines::give(spe, action, command, wires)?)
        }
        _ if spe.mfc.spu_queue.free() == 0 => Ok(false),
        action => {
            if action == Some(Action::PutQlluc) {
                lock_lines::line_of(spe, &command, &wires.board)?;
            }
            commands::enqueue(spe, command, false, wires)?;
            Ok(true)
        }
    }
}

fn push(mailbox: &mut Mailbox, value: u32) -> bool {
    let room = mailbox.free() > 0;
    if room {
        mailbox.push_or_replace(value);
    }
    room
}
