//! Files of the program and of its dynamic linker.

use super::options::Options;
use crate::linux::start::image::Image;
use files::{File, Files, Open};

/// Largest file that is read.  Loaded segments are far smaller, but debugging information is not.
const FILE_BYTES_MAX: u64 = 512 << 20;

/// Reads the program, wherever its file is, and its dynamic linker, where the program would find it.
///
/// # Errors
/// In one line: what is wrong with either of them.
pub fn read(options: &Options<'_>, view: &Files) -> Result<Image, String> {
    let file = files::read_whole(&options.program, FILE_BYTES_MAX)?;
    let name = options.program.to_string_lossy();
    let mut library = |path: &str| {
        let opened = view.open(path.as_bytes(), &Open { read: true, ..Open::default() });
        let content = opened.and_then(|file| whole(&file));
        content.map_err(|_| match options.system_roots.as_slice() {
            [sysroot, _, ..] => format!("not in {}", sysroot.display()),
            // Only the files of CellStats were searched, and they have no C library.
            _ => "not installed".to_string(),
        })
    };
    Image::read(&name, file, &mut library)
}

/// Contents of an open file.
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
