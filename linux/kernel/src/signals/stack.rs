//! The alternate signal stack.

use crate::hardware::Hardware;

/// `ss_flags`: the thread runs on the alternate stack.
pub const ONSTACK: u32 = 1;
/// `ss_flags`: there is no alternate stack.
pub const DISABLE: u32 = 2;

/// A thread's alternate stack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AlternateStack {
    /// First address.
    pub at: u32,
    /// Size, or 0 if there is no alternate stack.
    pub bytes: u32,
}

impl AlternateStack {
    /// The address below which a handler's frame begins: the stack pointer, or the end of this stack if the handler
    /// `uses` it.
    pub fn top(self, uses: bool, stack_pointer: u32) -> u32 {
        let switches = uses && self.bytes != 0 && !self.holds(stack_pointer);
        if switches { self.at.wrapping_add(self.bytes) } else { stack_pointer }
    }

    /// Whether a stack pointer points into this stack.
    pub fn holds(self, stack_pointer: u32) -> bool {
        stack_pointer.wrapping_sub(self.at).wrapping_sub(1) < self.bytes
    }

    /// The bytes of a `stack_t`. `ss_flags` depends on the thread's stack pointer.
    pub fn to_bytes(self, hardware: &mut dyn Hardware, stack_pointer: u32) -> Vec<u8> {
        let flags = match self.bytes {
            0 => DISABLE,
            _ if self.holds(stack_pointer) => ONSTACK,
            _ => 0,
        };
        let flags = flags.to_be_bytes();
        let width = hardware.width();
        // In a 64-bit process, padding follows the flags.
        let (at, bytes) = (width.encode(hardware.effective(self.at)), width.encode(self.bytes.into()));
        [at.as_slice(), &flags, &[0; 4][..width.pick(0, 4)], &bytes].concat()
    }
}
