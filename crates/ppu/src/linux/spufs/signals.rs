//! Signal notification: `signal1`, `signal2`, and how each collects what is written.

use super::context::Context;
use super::state::{Spufs, World};
use super::text::{number_from, text_of};
use crate::linux::errno::Errno;
use crate::linux::memory::piece::Number;
use crate::linux::vfs::object::Refusal;
use cell::door::Supervisor;

/// Writes a signal register: four bytes.
///
/// # Errors
/// `EINVAL`: there are fewer.
pub fn write(
    which: usize,
    number: Number,
    bytes: &[u8],
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<u32, Refusal> {
    let Some(word) = bytes.first_chunk() else { return Err(Errno::EINVAL.into()) };
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    context.write_signal(which, u32::from_be_bytes(*word), world.hardware.spes().ok_or(Errno::EBADF)?);
    Ok(4)
}

/// What a signal register holds, which stays there; nothing if nothing was written.
pub fn contents(which: usize, context: &Context, spes: &mut dyn Supervisor) -> Vec<u8> {
    let pending = context.channels(spes).and_then(|channels| channels.signals[which].pending());
    pending.map_or(Vec::new(), |value| value.to_be_bytes().to_vec())
}

/// The mode of a register as text: 0 replaces, 1 collects by OR.
pub fn mode(which: usize, context: &Context, spes: &mut dyn Supervisor) -> Vec<u8> {
    let or_mode = context.channels(spes).is_some_and(|channels| channels.signals[which].or_mode);
    text_of(u32::from(or_mode).to_string())
}

/// Sets the mode of a register from text.
///
/// # Errors
/// `EINVAL`: it is no number.
pub fn set_mode(
    which: usize,
    number: Number,
    text: &[u8],
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<(), Errno> {
    let value = number_from(text).ok_or(Errno::EINVAL)?;
    let context = spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    if let Some(channels) = context.channels(world.hardware.spes().ok_or(Errno::EBADF)?) {
        channels.signals[which].or_mode = value != 0;
    }
    Ok(())
}
