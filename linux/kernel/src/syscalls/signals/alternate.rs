//! `sigaltstack`.

use crate::errno::Errno;
use crate::request::Answer;
use crate::signals::stack::{AlternateStack, DISABLE, ONSTACK};
use crate::syscalls::caller::Caller;

/// `SS_AUTODISARM`, which has no effect here.
const AUTODISARM: u32 = 1 << 31;
/// Minimum size of an alternate signal stack.
const MINIMUM_BYTES: u32 = 2048;

/// `sigaltstack(new, old)`
pub fn sigaltstack(caller: &mut Caller<'_>) -> Answer {
    let [new, old, ..] = caller.request.arguments;
    let thread = caller.thread()?;
    let (stack, stack_pointer) = (thread.signals.stack, thread.cpu.word(1));
    let wish = if new == 0 { None } else { Some(read(caller, new)?) };
    if let Some(wish) = wish {
        if stack.holds(stack_pointer) {
            return Err(Errno::EPERM.into());
        }
        caller.thread()?.signals.stack = wish;
    }
    if old != 0 {
        let bytes = stack.to_bytes(caller.hardware, stack_pointer);
        caller.hardware.write(old, &bytes)?;
    }
    Ok(0)
}

fn read(caller: &mut Caller<'_>, at: u32) -> Result<AlternateStack, Errno> {
    let step = caller.width().bytes();
    let first = caller.hardware.short(at)?;
    let flags = caller.hardware.word(at.wrapping_add(step))?;
    let bytes = caller.hardware.short(at.wrapping_add(2 * step))?;
    match flags & !AUTODISARM {
        DISABLE => Ok(AlternateStack::default()),
        0 | ONSTACK if bytes < MINIMUM_BYTES => Err(Errno::ENOMEM),
        0 | ONSTACK => Ok(AlternateStack { at: first, bytes }),
        _ => Err(Errno::EINVAL),
    }
}
