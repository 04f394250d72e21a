//! The alternate stack, on which handlers may run.

use crate::linux::call::{Answer, Caller};
use crate::linux::errno::Errno;

/// `ss_flags`
const ONSTACK: u32 = 1;
const DISABLE: u32 = 2;
/// `SS_AUTODISARM`, which needs nothing of us.
const AUTODISARM: u32 = 1 << 31;
/// Smallest size of one.
const MINIMUM_BYTES: u32 = 2048;
/// Bytes of a `stack_t`.
pub const STACK_T_BYTES: u32 = 12;

/// A thread's alternate stack; one of no size is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AlternateStack {
    /// Its first address.
    pub at: u32,
    /// Its size.
    pub bytes: u32,
}

impl AlternateStack {
    /// Whether a stack pointer is in it.
    pub fn holds(self, stack_pointer: u32) -> bool {
        stack_pointer.wrapping_sub(self.at).wrapping_sub(1) < self.bytes
    }

    /// The words of a `stack_t`, for somebody whose stack pointer is there.
    pub fn words(self, stack_pointer: u32) -> [u32; 3] {
        let flags = match self.bytes {
            0 => DISABLE,
            _ if self.holds(stack_pointer) => ONSTACK,
            _ => 0,
        };
        [self.at, flags, self.bytes]
    }
}

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
        for (at, word) in (old..).step_by(4).zip(stack.words(stack_pointer)) {
            caller.hardware.put_word(at, word)?;
        }
    }
    Ok(0)
}

fn read(caller: &mut Caller<'_>, at: u32) -> Result<AlternateStack, Errno> {
    let place = caller.hardware.word(at)?;
    let flags = caller.hardware.word(at.wrapping_add(4))?;
    let bytes = caller.hardware.word(at.wrapping_add(8))?;
    match flags & !AUTODISARM {
        DISABLE => Ok(AlternateStack::default()),
        0 | ONSTACK if bytes < MINIMUM_BYTES => Err(Errno::ENOMEM),
        0 | ONSTACK => Ok(AlternateStack { at: place, bytes }),
        _ => Err(Errno::EINVAL),
    }
}
