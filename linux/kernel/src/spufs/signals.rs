//! Signal notification: the registers (`signal1`, `signal2`) and their modes.

use super::context::Context;
use super::state::{Spufs, World};
use super::text::{number_from, text_of};
use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::vfs::object::Refusal;
use cell::door::Supervisor;

/// Writes four bytes to a signal-notification register.
///
/// # Errors
/// `EINVAL`: the caller supplied fewer than four bytes.
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

/// Returns the contents of a signal-notification register without clearing the register. The contents are empty if no
/// signal is pending.
pub fn contents(which: usize, context: &Context, spes: &mut dyn Supervisor) -> Vec<u8> {
    let pending = context.channels(spes).and_then(|channels| channels.signals[which].pending());
    pending.map_or(Vec::new(), |value| value.to_be_bytes().to_vec())
}

/// Mode of a signal-notification register as text: 0 for overwrite, 1 for OR.
pub fn mode(which: usize, context: &Context, spes: &mut dyn Supervisor) -> Vec<u8> {
    let or_mode = context.channels(spes).is_some_and(|channels| channels.signals[which].or_mode);
    text_of(u32::from(or_mode).to_string())
}

/// Sets the mode of a signal-notification register from text.
///
/// # Errors
/// `EINVAL`: the text is not a number.
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
