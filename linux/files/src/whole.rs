//! Reads a file that a user named.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why a file cannot be read, in one line that contains its path.
#[derive(Debug)]
pub struct Unreadable {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    TooLong { bytes_max: u64 },
    Directory,
    PipeOrDevice,
    Os(io::Error),
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::TooLong { bytes_max } => {
                write!(f, "`{path}` has more than {bytes_max} B, which is the most that can be read of it")
            }
            Reason::Directory => write!(f, "`{path}` is a directory, where a file should be"),
            Reason::PipeOrDevice => write!(f, "`{path}` is a pipe or a device, where a regular file should be"),
            Reason::Os(error) => {
                let error = error.to_string();
                // Without the error number.
                write!(f, "`{path}` cannot be read: {}", error.split(" (os error").next().unwrap_or_default())
            }
        }
    }
}

impl Error for Unreadable {}

/// Reads a regular file of at most `bytes_max` bytes that the user named on the command line, in any directory. Pipes
/// and devices, which may never end, are refused before they are opened.
///
/// # Errors
/// The file cannot be read, or is too long.
pub fn read_whole(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Unreadable> {
    // Read one byte more than the limit, which detects a file that is too long even if it is still growing.
    let bytes = read_start(path, bytes_max.saturating_add(1))?;
    match bytes.len() as u64 > bytes_max {
        true => Err(Unreadable { path: path.to_path_buf(), reason: Reason::TooLong { bytes_max } }),
        false => Ok(bytes),
    }
}

/// Reads the first `bytes` bytes of a file as [`read_whole`] does, or all if it has fewer.
///
/// # Errors
/// The file cannot be read.
pub fn read_start(path: &Path, bytes: u64) -> Result<Vec<u8>, Unreadable> {
    let because = |reason| Unreadable { path: path.to_path_buf(), reason };
    let refused = |error| because(Reason::Os(error));
    let known = fs::metadata(path).map_err(refused)?;
    if known.is_dir() {
        return Err(because(Reason::Directory));
    }
    if !known.is_file() {
        return Err(because(Reason::PipeOrDevice));
    }
    let mut start = Vec::new();
    File::open(path).map_err(refused)?.take(bytes).read_to_end(&mut start).map_err(refused)?;
    Ok(start)
}
