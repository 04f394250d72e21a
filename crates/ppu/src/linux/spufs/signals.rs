//! Signal notification: `signal1`, `signal2`, and how each collects what is written.

use super::context::Number;
use super::files::{number_from, text_of};
use crate::linux::call::{Answer, Caller};
use crate::linux::errno::Errno;

/// Writes a signal register: four bytes.
pub fn write(which: usize, number: Number, address: u32, bytes: u32, caller: &mut Caller<'_>) -> Answer {
    if bytes < 4 {
        return Err(Errno::EINVAL.into());
    }
    let value = caller.hardware.word(address)?;
    let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let spes = caller.hardware.spes().ok_or(Errno::EBADF)?;
    context.write_signal(which, value, spes);
    Ok(4)
}

/// Reads a signal register without taking what it holds; nothing if nothing was written.
pub fn read(which: usize, number: Number, address: u32, bytes: u32, caller: &mut Caller<'_>) -> Answer {
    if bytes < 4 {
        return Err(Errno::EINVAL.into());
    }
    let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let spes = caller.hardware.spes().ok_or(Errno::EBADF)?;
    match context.channels(spes).and_then(|channels| channels.signals[which].pending()) {
        Some(value) => caller.hardware.put_word(address, value).map(|()| 4).map_err(Into::into),
        None => Ok(0),
    }
}

/// The mode of a register as text: 0 replaces, 1 collects by OR.
pub fn mode(which: usize, number: Number, caller: &mut Caller<'_>) -> Option<Vec<u8>> {
    let context = caller.kernel.spufs.contexts.get(&number)?;
    let or_mode = context.channels(caller.hardware.spes()?)?.signals[which].or_mode;
    Some(text_of(u32::from(or_mode).to_string()))
}

/// Sets the mode of a register from text.
pub fn set_mode(which: usize, number: Number, text: &[u8], caller: &mut Caller<'_>) -> Result<(), Errno> {
    let value = number_from(text).ok_or(Errno::EINVAL)?;
    let context = caller.kernel.spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let spes = caller.hardware.spes().ok_or(Errno::EBADF)?;
    if let Some(channels) = context.channels(spes) {
        channels.signals[which].or_mode = value != 0;
    }
    Ok(())
}
