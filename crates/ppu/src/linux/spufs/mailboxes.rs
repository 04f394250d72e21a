//! Mailboxes: `mbox`, `ibox`, `wbox`, how many entries each has or takes, and a look at what is in them.
//!
//! `mbox` never waits; `ibox` and `wbox` wait for the first entry, unless the file is open for not waiting.

use super::context::{Context, Number};
use super::spes::Spes;
use crate::linux::call::{Answer, Caller, NotDone};
use crate::linux::errno::Errno;
use crate::linux::wait::{Queue, Wait};

/// A file of 32-bit entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mailbox {
    /// From the SPU.
    Out,
    /// From the SPU, interrupting.
    OutIntr,
    /// To the SPU.
    In,
}

/// Takes as many entries as there are and fit.
pub fn read(
    mailbox: Mailbox,
    number: Number,
    (address, bytes): (u32, u32),
    non_blocking: bool,
    caller: &mut Caller<'_>,
) -> Answer {
    if bytes < 4 {
        return Err(Errno::EINVAL.into());
    }
    let mut done = 0;
    while bytes - done >= 4 {
        let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
        let spes = caller.hardware.spes().ok_or(Errno::EBADF)?;
        let taken = match mailbox {
            Mailbox::Out => context.take_out_mbox(spes),
            Mailbox::OutIntr => context.take_out_intr_mbox(spes),
            Mailbox::In => None,
        };
        let Some(value) = taken else { break };
        caller.hardware.put_word(address.wrapping_add(done), value)?;
        done += 4;
    }
    let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    moved(done, non_blocking || mailbox == Mailbox::Out, context.queues.ibox)
}

/// Adds entries as long as there is room.
pub fn write(number: Number, address: u32, bytes: u32, non_blocking: bool, caller: &mut Caller<'_>) -> Answer {
    if bytes < 4 {
        return Err(Errno::EINVAL.into());
    }
    let mut done = 0;
    while bytes - done >= 4 {
        let value = caller.hardware.word(address.wrapping_add(done))?;
        let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
        let spes = caller.hardware.spes().ok_or(Errno::EBADF)?;
        if !context.write_in_mbox(value, spes) {
            break;
        }
        done += 4;
    }
    let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    moved(done, non_blocking, context.queues.wbox)
}

fn moved(bytes: u32, non_blocking: bool, queue: Queue) -> Answer {
    match bytes {
        0 if non_blocking => Err(Errno::EAGAIN.into()),
        0 => Err(NotDone::Waits(Wait::on(queue))),
        bytes => Ok(bytes),
    }
}

/// How many entries can be read, or written.
pub fn count(mailbox: Mailbox, context: &Context, spes: &mut dyn Spes) -> u32 {
    context.channels(spes).map_or(0, |channels| match mailbox {
        Mailbox::Out => channels.out_mbox.len(),
        Mailbox::OutIntr => channels.out_intr_mbox.len(),
        Mailbox::In => channels.in_mbox.free(),
    })
}

/// The entries, which stay there.
pub fn entries(mailbox: Mailbox, context: &Context, spes: &mut dyn Spes) -> Vec<u8> {
    let Some(channels) = context.channels(spes) else { return Vec::new() };
    let mailbox = match mailbox {
        Mailbox::Out => &channels.out_mbox,
        Mailbox::OutIntr => &channels.out_intr_mbox,
        Mailbox::In => &channels.in_mbox,
    };
    mailbox.entries().flat_map(u32::to_be_bytes).collect()
}
