//! Where the kernel's shared object lies, and in it what handlers return to.

/// Where it lies.
pub const AT: u32 = 0x10_0000;
/// Where `sigreturn` lies in it.
pub const RETURN: u32 = 0x40;
/// ... and `rt_sigreturn`.
pub const RT_RETURN: u32 = 0x50;
/// Where handlers without and with `SA_SIGINFO` return to.
pub const RETURN_AT: u32 = AT + CODE + RETURN;
/// ... and with it.
pub const RT_RETURN_AT: u32 = AT + CODE + RT_RETURN;
/// Where its code begins.
pub const CODE: u32 = 0xe00;
