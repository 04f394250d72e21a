//! The user's files that SPU programs may open, by descriptor number from 3 on.

use crate::errors::usage;
use files::{Errno, File, Files, Open, Reach};
use pyo3::prelude::*;
use spu::calls::host::{Host, Refusal, Stat, Whence, errno, open};
use std::collections::BTreeMap;
use std::path::Path;

struct SpuFiles {
    /// The files that can be opened.
    within: Files,
    opened: BTreeMap<u32, Opened>,
}

/// An open file and its offset.
struct Opened {
    file: File,
    at: u64,
}

/// Mode of files: a regular file that its owner may write.
const FILE: u32 = 0o100_644;
/// Maximum number of open files, as in Linux.
const FILES_MAX: u32 = 1024;

/// The files that programs can open. `reach` is `none`, `cwd` or `all`.
pub fn within(reach: &str) -> PyResult<Box<dyn Host>> {
    let within = Files::new(reach.parse::<Reach>().map_err(usage)?, Path::new("."), &[]).map_err(usage)?;
    Ok(Box::new(SpuFiles { within, opened: BTreeMap::new() }))
}

impl SpuFiles {
    fn file(&mut self, number: u32) -> Result<&mut Opened, Refusal> {
        self.opened.get_mut(&number).ok_or(Refusal::Errno(errno::BADF))
    }
}

impl Host for SpuFiles {
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, Refusal> {
        let has = |flag| flags & flag != 0;
        let number = (3..FILES_MAX).find(|number| !self.opened.contains_key(number));
        let number = number.ok_or(Refusal::Errno(errno::MFILE))?;
        let write = flags & open::ACCESS != 0;
        let how = Open {
            read: flags & open::ACCESS != open::WRITE_ONLY,
            write,
            append: write && has(open::APPEND),
            truncate: write && has(open::TRUNCATE),
            create: has(open::CREATE),
            exclusive: has(open::EXCLUSIVE),
            directory: false,
            mode,
        };
        let file = self.within.open(path, &how).map_err(refusal)?;
        self.opened.insert(number, Opened { file, at: 0 });
        Ok(number)
    }

    fn close(&mut self, file: u32) -> Result<(), Refusal> {
        self.opened.remove(&file).map(|_| ()).ok_or(Refusal::Errno(errno::BADF))
    }

    fn read(&mut self, file: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        let opened = self.file(file)?;
        let bytes = opened.file.read_at(opened.at, n).map_err(refusal)?;
        opened.at += bytes.len() as u64;
        Ok(bytes)
    }

    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        let opened = self.file(file)?;
        if opened.file.appends() {
            opened.at = opened.file.metadata().map_err(refusal)?.size_bytes;
        }
        let mut written = 0;
        while written < bytes.len() {
            written += match opened.file.write_at(opened.at + written as u64, &bytes[written..]).map_err(refusal)? {
                0 => return Err(Refusal::Errno(errno::IO)),
                n => n,
            };
        }
        opened.at += written as u64;
        Ok(())
    }

    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        let opened = self.file(file)?;
        let from = match whence {
            Whence::Start => 0,
            Whence::Current => opened.at,
            Whence::End => opened.file.metadata().map_err(refusal)?.size_bytes,
        };
        opened.at = from.checked_add_signed(offset).ok_or(Refusal::Errno(errno::INVAL))?;
        Ok(opened.at)
    }

    fn stat(&mut self, file: u32) -> Result<Stat, Refusal> {
        let known = self.file(file)?.file.metadata().map_err(refusal)?;
        Ok(Stat { mode: FILE, size_bytes: known.size_bytes })
    }

    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        self.within.remove(path).map_err(refusal)
    }

    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        self.within.rename(from, to).map_err(refusal)
    }
}

fn refusal(errno: Errno) -> Refusal {
    Refusal::Errno(errno.0)
}
