//! Where what lies in a process's address space.
//!
//! As a 64-bit kernel gives it to a 32-bit program: almost all of four gigabytes, the stack at the top, mappings
//! downwards from below it.  Nothing is random.

/// The address behind the last one that a program may have.
pub const USER_END: u32 = 0xffff_0000;
/// Where the stack ends.
pub const STACK_END: u32 = USER_END;
/// Size of the first thread's stack, which is what `ulimit -s` says by default.
pub const STACK_BYTES: u32 = 8 << 20;
/// Mappings lie below this address, if they have no other wish.
pub const MAPPINGS_END: u32 = 0xf800_0000;
/// Nothing is mapped below this address, so that null pointers are found.
pub const USER_START: u32 = 0x1_0000;
/// Where a program begins that could lie anywhere.
pub const MOVABLE_PROGRAM: u32 = 0x2000_0000;
/// What such a program may be as large as.
pub const MOVABLE_PROGRAM_BYTES_MAX: u32 = 1 << 30;

/// The kernel's shared object (vDSO), and the code in it to which signal handlers return.
pub mod vdso {
    /// Address of the object.
    pub const AT: u32 = 0x10_0000;
    /// Offset of its code.
    pub const CODE: u32 = 0xe00;
    /// Offset of the call of `sigreturn` in the code.
    pub const RETURN: u32 = 0x40;
    /// Offset of the call of `rt_sigreturn` in the code.
    pub const RT_RETURN: u32 = 0x50;
    /// Return address of handlers without `SA_SIGINFO`.
    pub const RETURN_AT: u32 = AT + CODE + RETURN;
    /// Return address of handlers with `SA_SIGINFO`.
    pub const RT_RETURN_AT: u32 = AT + CODE + RT_RETURN;
}
