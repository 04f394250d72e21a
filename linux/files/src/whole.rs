//! Reads a file that a user named.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Reads a regular file of at most `bytes_max` bytes that the user named on the command line, in any directory. Pipes
/// and devices, which may never end, are refused before they are opened.
///
/// # Errors
/// A one-line message that contains the path.
pub fn read_whole(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    // Read one byte more than the limit, which detects a file that is too long even if it is still growing.
    let bytes = read_start(path, bytes_max.saturating_add(1))?;
    match bytes.len() as u64 > bytes_max {
        true => {
            Err(format!("`{}` has more than {bytes_max} B, which is the most that can be read of it", path.display()))
        }
        false => Ok(bytes),
    }
}

/// Reads the first `bytes` bytes of a file as [`read_whole`] does, or all if it has fewer.
///
/// # Errors
/// A one-line message that contains the path.
pub fn read_start(path: &Path, bytes: u64) -> Result<Vec<u8>, String> {
    let name = path.display();
    let refused = |why: io::Error| {
        let why = why.to_string();
        // Drop the error number from the message.
        format!("`{name}` cannot be read: {}", why.split(" (os error").next().unwrap_or_default())
    };
    let known = fs::metadata(path).map_err(refused)?;
    if known.is_dir() {
        return Err(format!("`{name}` is a directory, where a file should be"));
    }
    if !known.is_file() {
        return Err(format!("`{name}` is a pipe or a device, where a regular file should be"));
    }
    let mut start = Vec::new();
    File::open(path).map_err(refused)?.take(bytes).read_to_end(&mut start).map_err(refused)?;
    Ok(start)
}
