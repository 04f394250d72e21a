//! Identity of the process, and of the kernel on which it runs.

use super::tid::PROCESS;

/// User and group number of the process.
///
/// MODEL: programs always run as the first ordinary user of a computer.
pub const USER: u32 = 1000;
/// Parent of the process.
pub const PARENT: u32 = PROCESS.0 - 1;

/// Release of the kernel.
///
/// MODEL: the kernel release is that of Debian 8, the last Debian for big-endian Cell computers. Current C libraries
/// require at least Linux 3.2.
pub const RELEASE: &str = "3.16.0-4-powerpc64";
/// Version of the kernel.
pub const VERSION: &str = "#1 SMP";
