//! The alternate signal stack.

/// `ss_flags`: the thread runs on the alternate stack.
pub const ONSTACK: u32 = 1;
/// `ss_flags`: there is no alternate stack.
pub const DISABLE: u32 = 2;
/// Bytes of a `stack_t`.
pub const STACK_T_BYTES: u32 = 12;

/// A thread's alternate stack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AlternateStack {
    /// First address.
    pub at: u32,
    /// Size, or 0 if there is no alternate stack.
    pub bytes: u32,
}

impl AlternateStack {
    /// Whether a stack pointer points into this stack.
    pub fn holds(self, stack_pointer: u32) -> bool {
        stack_pointer.wrapping_sub(self.at).wrapping_sub(1) < self.bytes
    }

    /// The words of a `stack_t`.  `ss_flags` depends on the thread's stack pointer.
    pub fn words(self, stack_pointer: u32) -> [u32; 3] {
        let flags = match self.bytes {
            0 => DISABLE,
            _ if self.holds(stack_pointer) => ONSTACK,
            _ => 0,
        };
        [self.at, flags, self.bytes]
    }
}
