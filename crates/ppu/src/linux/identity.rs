//! Who the process is, and on what kernel it runs.

use super::tid::PROCESS;

/// Number of the user, and of the group.
///
/// MODEL: programs run as the first user of a computer, whoever starts them.
pub const USER: u32 = 1000;
/// The process that has started this one.
pub const PARENT: u32 = PROCESS.0 - 1;

/// The kernel's release.
///
/// MODEL: that of Debian 8, the last Debian for big-endian Cell computers.  A C library of today asks for 3.2 at least.
pub const RELEASE: &str = "3.16.0-4-powerpc64";
/// The kernel's version.
pub const VERSION: &str = "#1 SMP";
