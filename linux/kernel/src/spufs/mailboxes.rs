//! Mailbox files: the entries (`mbox`, `ibox`, `wbox`), the number of entries (`_stat`), and a copy of the entries
//! (`_info`).
//!
//! Reads of `mbox` never block. Reads of `ibox` and writes to `wbox` block until the first entry can be transferred.

use super::context::Context;
use super::state::{Spufs, World};
use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::vfs::object::Refusal;
use cell::door::Supervisor;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mailbox {
    /// Outbound mailbox.
    Out,
    /// Outbound interrupt mailbox.
    OutIntr,
    /// Inbound mailbox.
    In,
}

/// Removes as many entries from the mailbox as are available and fit into `bytes`.
///
/// # Errors
/// `EINVAL`: `bytes` is too small for an entry. `EAGAIN`: `mbox` is empty. A read of `ibox` may have to wait.
pub fn read(
    mailbox: Mailbox,
    number: Number,
    bytes: u32,
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<Vec<u8>, Refusal> {
    if bytes < 4 {
        return Err(Errno::EINVAL.into());
    }
    let context = spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let mut taken = Vec::new();
    while bytes as usize - taken.len() >= 4 {
        let spes = world.hardware.spes().ok_or(Errno::EBADF)?;
        let entry = match mailbox {
            Mailbox::Out => context.take_out_mbox(spes),
            Mailbox::OutIntr => context.take_out_intr_mbox(spes),
            Mailbox::In => None,
        };
        let Some(entry) = entry else { break };
        taken.extend(entry.to_be_bytes());
    }
    match mailbox {
        _ if !taken.is_empty() => Ok(taken),
        Mailbox::Out => Err(Errno::EAGAIN.into()),
        _ => Err(Refusal::Waits(vec![context.queues.ibox])),
    }
}

/// Adds entries to the inbound mailbox while it has room. Returns the number of bytes written.
///
/// # Errors
/// `EINVAL`: the caller supplied less than one entry. The write may also have to wait for room.
pub fn write(number: Number, bytes: &[u8], spufs: &mut Spufs, world: &mut World<'_>) -> Result<u32, Refusal> {
    if bytes.len() < 4 {
        return Err(Errno::EINVAL.into());
    }
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let mut written = 0;
    for entry in bytes.chunks_exact(4) {
        let value = entry.iter().fold(0, |value, byte| value << 8 | u32::from(*byte));
        if !context.write_in_mbox(value, world.hardware.spes().ok_or(Errno::EBADF)?) {
            break;
        }
        written += 4;
    }
    if written > 0 { Ok(written) } else { Err(Refusal::Waits(vec![context.queues.wbox])) }
}

/// Number of entries that can be read from an outbound mailbox, or written to the inbound mailbox.
pub fn count(mailbox: Mailbox, context: &Context, spes: &mut dyn Supervisor) -> u32 {
    context.channels(spes).map_or(0, |channels| match mailbox {
        Mailbox::Out => channels.out_mbox.len(),
        Mailbox::OutIntr => channels.out_intr_mbox.len(),
        Mailbox::In => channels.in_mbox.free(),
    })
}

/// A copy of the mailbox's entries.
pub fn entries(mailbox: Mailbox, context: &Context, spes: &mut dyn Supervisor) -> Vec<u8> {
    let Some(channels) = context.channels(spes) else { return Vec::new() };
    let mailbox = match mailbox {
        Mailbox::Out => &channels.out_mbox,
        Mailbox::OutIntr => &channels.out_intr_mbox,
        Mailbox::In => &channels.in_mbox,
    };
    mailbox.entries().flat_map(u32::to_be_bytes).collect()
}
