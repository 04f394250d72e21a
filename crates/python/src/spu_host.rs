//! The host of SPU programs: the user's files that programs may open, and standard streams served by Python.

use crate::errors::Pending;
use files::{Errno, File, Files, Open};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spu::calls::host::{Host, Refusal, Stat, Whence, errno, open};
use std::collections::BTreeMap;

/// The open files by descriptor number; Python serves descriptors 0, 1 and 2.
pub struct PythonHost<'py> {
    /// Python object with `read(n)` for standard input and `write(file, bytes)` for the two output streams.
    standard: Bound<'py, PyAny>,
    /// The files that can be opened.
    within: Files,
    files: BTreeMap<u32, Opened>,
    pending: Pending,
}

/// An open file and its offset.
struct Opened {
    file: File,
    at: u64,
}

/// Mode of standard streams: a character device that anybody may read and write.
const TERMINAL: u32 = 0o020_666;
/// Mode of files: a regular file that its owner may write.
const FILE: u32 = 0o100_644;
/// Maximum number of open files, as in Linux.
const FILES_MAX: u32 = 1024;

impl<'py> PythonHost<'py> {
    pub fn new(standard: Bound<'py, PyAny>, within: Files, pending: Pending) -> Self {
        PythonHost { standard, within, files: BTreeMap::new(), pending }
    }

    fn file(&mut self, number: u32) -> Result<&mut Opened, Refusal> {
        self.files.get_mut(&number).ok_or(Refusal::Errno(errno::BADF))
    }

    fn keep(&self, error: PyErr) -> Refusal {
        Refusal::End(self.pending.keep(error))
    }
}

impl Host for PythonHost<'_> {
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, Refusal> {
        let has = |flag| flags & flag != 0;
        let number = (3..FILES_MAX).find(|number| !self.files.contains_key(number));
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
        self.files.insert(number, Opened { file, at: 0 });
        Ok(number)
    }

    fn close(&mut self, file: u32) -> Result<(), Refusal> {
        if file > 2 && self.files.remove(&file).is_none() {
            return Err(Refusal::Errno(errno::BADF));
        }
        Ok(())
    }

    fn read(&mut self, file: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        if file == 0 {
            let read = self.standard.call_method1("read", (n,)).and_then(|bytes| bytes.extract::<Vec<u8>>());
            return read.map_err(|error| self.keep(error));
        }
        let opened = self.file(file)?;
        let bytes = opened.file.read_at(opened.at, n).map_err(refusal)?;
        opened.at += bytes.len() as u64;
        Ok(bytes)
    }

    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        if matches!(file, 1 | 2) {
            let bytes = PyBytes::new(self.standard.py(), bytes);
            return self.standard.call_method1("write", (file, bytes)).map(|_| ()).map_err(|error| self.keep(error));
        }
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
        if file <= 2 {
            return Err(refusal(Errno::ESPIPE));
        }
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
        if file <= 2 {
            return Ok(Stat { mode: TERMINAL, size_bytes: 0 });
        }
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
