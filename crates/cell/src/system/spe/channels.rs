//! Counts and reads of each channel.

use super::decrementer;
use crate::channel::{Channel, Direction};
use crate::fault::ChannelFault;
use crate::system::processors::spe::Spe;
use crate::system::time::Time;

/// The count of a channel; 0 for a reserved channel (SPU ISA, section 11).
pub(crate) fn count(spe: &Spe<'_>, channel: Channel) -> u32 {
    let channels = &spe.channels;
    match channel {
        Channel::RD_EVENT_STAT => u32::from(channels.events.count()),
        Channel::RD_SIG_NOTIFY_1 => channels.signals[0].count(),
        Channel::RD_SIG_NOTIFY_2 => channels.signals[1].count(),
        Channel::WR_MS_SYNC_REQ => u32::from(!channels.ms_sync_pending),
        Channel::MFC_CMD => spe.mfc.spu_queue.free(),
        Channel::RD_TAG_STAT => u32::from(channels.tag_status.is_some()),
        Channel::RD_LIST_STALL_STAT => u32::from(channels.list_stall != 0),
        Channel::RD_ATOMIC_STAT => u32::from(channels.atomic_status.is_some()),
        Channel::WR_OUT_MBOX => channels.out_mbox.free(),
        Channel::WR_OUT_INTR_MBOX => channels.out_intr_mbox.free(),
        Channel::RD_IN_MBOX => channels.in_mbox.len(),
        _ => u32::from(channel.direction().is_some()),
    }
}

/// The value of a channel, or `None` while the channel is empty.
///
/// # Errors
/// The channel cannot be read, or will never have a value.
pub(crate) fn read(spe: &mut Spe<'_>, channel: Channel, time: &mut Time) -> Result<Option<u32>, ChannelFault> {
    expect_direction(channel, Direction::Read)?;
    let channels = &mut spe.channels;
    Ok(match channel {
        Channel::RD_EVENT_STAT if channels.events.mask() == 0 && !channels.events.count() => {
            return Err(ChannelFault::NoEventEnabled);
        }
        Channel::RD_EVENT_STAT => {
            let events = channels.events.read();
            if events.is_some() {
                // The event may recur before it is acknowledged.
                decrementer::arm(spe, time);
            }
            events
        }
        Channel::RD_SIG_NOTIFY_1 => channels.signals[0].read(),
        Channel::RD_SIG_NOTIFY_2 => channels.signals[1].read(),
        Channel::RD_DEC => Some(channels.decrementer.read(time.ticks_at_spu_cycle(spe.core.time))),
        Channel::RD_EVENT_MASK => Some(channels.events.mask()),
        Channel::RD_TAG_MASK => Some(channels.tag_mask),
        Channel::RD_MACH_STAT => Some(0),
        Channel::RD_SRR0 => Some(channels.srr0),
        Channel::RD_TAG_STAT if channels.tag_status.is_none() && channels.tag_update.is_none() => {
            return Err(ChannelFault::NoTagStatusAsked);
        }
        Channel::RD_TAG_STAT => channels.tag_status.take(),
        Channel::RD_LIST_STALL_STAT if channels.list_stall == 0 && spe.mfc.lists() == 0 => {
            return Err(ChannelFault::NoList);
        }
        Channel::RD_LIST_STALL_STAT => {
            let stalled = std::mem::take(&mut channels.list_stall);
            (stalled != 0).then_some(stalled)
        }
        Channel::RD_ATOMIC_STAT if channels.atomic_status.is_none() && spe.atomic.pending.is_none() => {
            return Err(ChannelFault::NoAtomicCommand);
        }
        Channel::RD_ATOMIC_STAT => channels.atomic_status.take(),
        Channel::RD_IN_MBOX => channels.in_mbox.pop().inspect(|_| time.interrupt_all()),
        _ => Some(0),
    })
}

/// Checks that a channel can be accessed in the `wanted` direction.
///
/// # Errors
/// The channel has the other direction, or is reserved.
#[inline]
pub(crate) fn expect_direction(channel: Channel, wanted: Direction) -> Result<(), ChannelFault> {
    if channel.direction() == Some(wanted) { Ok(()) } else { Err(wrong_direction(channel)) }
}

#[cold]
fn wrong_direction(channel: Channel) -> ChannelFault {
    match channel.direction() {
        None => ChannelFault::Reserved(channel),
        Some(Direction::Read) => ChannelFault::ReadOnly,
        Some(Direction::Write) => ChannelFault::WriteOnly,
    }
}
