//! Layout of a process's address space.
//!
//! A 64-bit kernel uses this layout for 32-bit programs. The process may use almost all of the four gigabytes. The
//! stack is at the top, and mappings grow downwards below the stack. No address is random.
//!
//! In a 64-bit process, the upper two of the four gigabytes are at the end of 16 TB, the addresses of 64-bit programs.
//! The constants here are the right halves of addresses, by which the kernel identifies them.
//!
//! [`Layout::Low`] keeps the stack and all mappings below 2 GB, so that a pointer is the same after it was an `int`.
//!
//! MODEL: Linux has no such layout for 64-bit programs of PowerPC. Its layout of older kernels (`setarch
//! --addr-compat-layout`) begins with the mappings of 32-bit programs at 1 GB, and with those of 64-bit programs at 4 TB.

/// What is added to the upper two of the four gigabytes in a 64-bit process.
pub const UPPER: u64 = 0xfff_0000_0000;
/// The last pages of the lower two gigabytes, which a 64-bit process cannot use, so that no mapping is in both halves.
pub const GUARD: std::ops::Range<u32> = 0x7fff_0000..0x8000_0000;
/// End of the addresses that a program may map.
pub const USER_END: u32 = 0xffff_0000;
/// Size of the first thread's stack: the default of `ulimit -s`.
pub const STACK_BYTES: u32 = 8 << 20;
/// Distance from the end of the stack to the end of the mappings without a requested address.
const STACK_ROOM: u32 = 0x7ff_0000;
/// Lowest address that can be mapped. Accesses through null pointers therefore fault.
pub const USER_START: u32 = 0x1_0000;
/// Address of a position-independent program.
pub const MOVABLE_PROGRAM: u32 = 0x2000_0000;
/// Largest size of a position-independent program.
pub const MOVABLE_PROGRAM_BYTES_MAX: u32 = 1 << 30;

/// Where a process has its stack, and its mappings without a requested address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// At the end of all addresses.
    #[default]
    High,
    /// Below 2 GB.
    Low,
}

impl Layout {
    /// End of the stack, and of all addresses without a requested one.
    pub const fn stack_end(self) -> u32 {
        match self {
            Layout::High => USER_END,
            Layout::Low => GUARD.start,
        }
    }

    /// Mappings without a requested address are placed below this address, as long as they fit there.
    pub const fn mappings_end(self) -> u32 {
        self.stack_end() - STACK_ROOM
    }
}

/// The kernel's shared object (vDSO), and the code in it to which signal handlers return.
pub mod vdso {
    /// Address of the object.
    pub const AT: u32 = 0x10_0000;
    /// Offset of the code in the vDSO.
    pub const CODE: u32 = 0xe00;
    /// Offset, in the vDSO's code, of the code that calls `sigreturn`.
    pub const RETURN: u32 = 0x40;
    /// Offset, in the vDSO's code, of the code that calls `rt_sigreturn`.
    pub const RT_RETURN: u32 = 0x50;
    /// Offset, in the vDSO's code, of the code that calls `rt_sigreturn` in a 64-bit process.
    pub const WIDE_RETURN: u32 = 0x60;
    /// Return address of signal handlers in a 64-bit process.
    pub const WIDE_RETURN_AT: u32 = AT + CODE + WIDE_RETURN;
    /// Return address of signal handlers without `SA_SIGINFO`.
    pub const RETURN_AT: u32 = AT + CODE + RETURN;
    /// Return address of signal handlers with `SA_SIGINFO`.
    pub const RT_RETURN_AT: u32 = AT + CODE + RT_RETURN;
}
