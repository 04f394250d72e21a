//! Location of a C library for the PPE.

use super::outcome::Refusal;
use crate::elf;
use crate::width::Width;
use std::path::{Path, PathBuf};

/// Sysroots of cross compilers for PowerPC: Debian and derivatives, Fedora, Gentoo.
const SYSROOTS: [&str; 3] =
    ["/usr/powerpc-linux-gnu", "/usr/powerpc-linux-gnu/sys-root", "/usr/powerpc-unknown-linux-gnu"];
/// The same for 64-bit PowerPC.
const WIDE_SYSROOTS: [&str; 3] =
    ["/usr/powerpc64-linux-gnu", "/usr/powerpc64-linux-gnu/sys-root", "/usr/powerpc64-unknown-linux-gnu"];

/// Path of the dynamic linker, which every sysroot contains.
const LINKER: &str = "lib/ld.so.1";
/// The same for 64-bit PowerPC.
const WIDE_LINKER: &str = "lib64/ld64.so.1";

/// Finds the sysroot for a program that is installed on the host computer. A file that is no program gets the sysroot
/// of 32-bit programs.
pub fn installed(program: &Path) -> Option<PathBuf> {
    let (roots, linker) = width_of(program).pick((SYSROOTS, LINKER), (WIDE_SYSROOTS, WIDE_LINKER));
    roots.iter().map(PathBuf::from).find(|root| root.join(linker).exists())
}

fn width_of(program: &Path) -> Width {
    // A file that cannot be read is refused later.
    files::read_start(program, elf::START_BYTES).map(|start| elf::width_of(&start)).unwrap_or_default()
}

/// Checks a sysroot that the user has specified.
///
/// # Errors
/// The sysroot does not exist, or is not a directory.
pub fn check(root: &Path) -> Result<(), Refusal> {
    let reason = match std::fs::metadata(root) {
        Ok(known) if known.is_dir() => return Ok(()),
        Ok(_) => "not a directory",
        Err(_) => "no such directory",
    };
    let root = root.display();
    Err(Refusal(format!("sysroot {root}: {reason}; give the one that has lib/ld.so.1 in it")))
}
