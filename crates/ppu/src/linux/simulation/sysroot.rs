//! Location of a C library for the PPE.

use std::path::{Path, PathBuf};

/// Sysroots of cross compilers for 32-bit PowerPC: Debian and derivatives, Fedora, Gentoo.
const SYSROOTS: [&str; 3] =
    ["/usr/powerpc-linux-gnu", "/usr/powerpc-linux-gnu/sys-root", "/usr/powerpc-unknown-linux-gnu"];

/// Path of the 32-bit PowerPC dynamic linker, which every sysroot contains.
const LINKER: &str = "lib/ld.so.1";

/// Finds the sysroot that is installed on the host computer.
pub fn installed() -> Option<PathBuf> {
    SYSROOTS.iter().map(PathBuf::from).find(|root| root.join(LINKER).exists())
}

/// Checks a sysroot that the user has specified.
///
/// # Errors
/// The one-line error reports that the sysroot does not exist, or is not a directory.
pub fn check(root: &Path) -> Result<(), String> {
    match std::fs::metadata(root) {
        Ok(known) if known.is_dir() => Ok(()),
        Ok(_) => Err(format!("sysroot {}: not a directory; give the one that has lib/ld.so.1 in it", root.display())),
        Err(_) => {
            Err(format!("sysroot {}: no such directory; give the one that has lib/ld.so.1 in it", root.display()))
        }
    }
}
