//! Files of the program and of its dynamic linker.

use super::options::Options;
use crate::linux::start::image::Image;
use files::{File, Files, Open};

/// Maximum size of a file that is read.  Debugging information can make a file far larger than its loaded segments.
const FILE_BYTES_MAX: u64 = 512 << 20;

/// Reads the program from any location, and its dynamic linker from the path that is valid in the simulated system.
///
/// # Errors
/// The one-line error describes the defect of the program or of the dynamic linker.
pub fn read(options: &Options<'_>, view: &Files) -> Result<Image, String> {
    let file = files::read_whole(&options.program, FILE_BYTES_MAX)?;
    let name = options.program.to_string_lossy();
    let mut library = |path: &str| {
        let opened = view.open(path.as_bytes(), &Open { read: true, ..Open::default() });
        let content = opened.and_then(|file| whole(&file));
        content.map_err(|_| match options.system_roots.as_slice() {
            [sysroot, _, ..] => format!("not in {}", sysroot.display()),
            // Only the files supplied with CellStats were searched.  These files contain no C library.
            _ => "not installed".to_string(),
        })
    };
    Image::read(&name, file, &mut library)
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
