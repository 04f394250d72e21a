//! Where a C library for the PPE may lie.

use std::path::{Path, PathBuf};

/// Where cross compilers for 32-bit PowerPC keep their C library: Debian and its kin, Fedora, Gentoo.
const PLACES: [&str; 3] =
    ["/usr/powerpc-linux-gnu", "/usr/powerpc-linux-gnu/sys-root", "/usr/powerpc-unknown-linux-gnu"];

/// The dynamic linker of 32-bit PowerPC, which every sysroot has.
const LINKER: &str = "lib/ld.so.1";

/// The sysroot that is installed on this computer, if there is one.
pub fn installed() -> Option<PathBuf> {
    PLACES.iter().map(PathBuf::from).find(|place| place.join(LINKER).exists())
}

/// Checks a sysroot that somebody has named.
///
/// # Errors
/// In one line: it is not there, or no directory.
pub fn check(root: &Path) -> Result<(), String> {
    match std::fs::metadata(root) {
        Ok(known) if known.is_dir() => Ok(()),
        Ok(_) => Err(format!("sysroot {}: not a directory; give the one that has lib/ld.so.1 in it", root.display())),
        Err(_) => {
            Err(format!("sysroot {}: no such directory; give the one that has lib/ld.so.1 in it", root.display()))
        }
    }
}
