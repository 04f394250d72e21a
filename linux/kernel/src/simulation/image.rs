//! Files of the program and of its dynamic linker.

use super::options::Options;
use crate::start::image::Image;
use files::{File, Files, Open};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Maximum size of a file that is read. Debugging information can make a file far larger than its loaded segments.
const FILE_BYTES_MAX: u64 = 512 << 20;

/// Reads the program from any location, and its dynamic linker from the path that is valid in the simulated system.
///
/// # Errors
/// The one-line error describes the defect of the program or of the dynamic linker.
pub fn read(options: &Options<'_>, view: &Files) -> Result<Image, String> {
    let file = files::read_whole(&options.program, FILE_BYTES_MAX).map_err(|error| error.to_string())?;
    let name = options.program.to_string_lossy();
    let mut library = |path: &str| {
        let opened = view.open(path.as_bytes(), &Open { read: true, ..Open::default() });
        let content = opened.and_then(|file| whole(&file));
        content.map_err(|_| match options.system_roots.as_slice() {
            [sysroot, _, ..] => format!("not in {}", sysroot.display()),
            // Only the files supplied with CellStats were searched. These files contain no C library.
            _ => "not installed".to_string(),
        })
    };
    let mut image = Image::read(&name, file, &mut library)?;
    image.place = place(options, view).unwrap_or(image.place);
    Ok(image)
}

/// Absolute path under which the program can reach its own file, if it can.
fn place(options: &Options<'_>, view: &Files) -> Option<Vec<u8>> {
    let path = fs::canonicalize(&options.program).ok()?;
    let known = fs::metadata(&path).ok()?;
    let roots = options.system_roots.iter().filter_map(|root| fs::canonicalize(root).ok());
    let in_roots = roots.filter_map(|root| Some(Path::new("/").join(path.strip_prefix(root).ok()?)));
    // A path of this computer may lead the program to another file: one of a system root.
    let is_own = |path: &PathBuf| {
        let found = view.metadata(path.as_os_str().as_bytes());
        found.is_ok_and(|found| (found.device, found.inode) == (known.dev(), known.ino()))
    };
    let found = in_roots.chain([path.clone()]).find(is_own)?;
    Some(found.into_os_string().into_vec())
}

/// Reads the contents of an open file.
///
/// # Errors
/// The file cannot be read.
pub fn whole(file: &File) -> Result<Vec<u8>, files::Errno> {
    let size = file.metadata()?.size_bytes.min(FILE_BYTES_MAX);
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < size {
        let piece = file.read_at(bytes.len() as u64, (size - bytes.len() as u64) as usize)?;
        if piece.is_empty() {
            break;
        }
        bytes.extend(piece);
    }
    Ok(bytes)
}
