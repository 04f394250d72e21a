//! The host of SPU programs: files of the user who runs them; standard input and output through Python.

use crate::errors::Pending;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spu::calls::host::{Host, Refusal, Stat, Whence, errno, open};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Files numbered as a process has them: 0, 1 and 2 belong to Python.
pub struct PythonHost<'py> {
    /// `read(n)` for standard input, `write(file, bytes)` for the two outputs.
    standard: Bound<'py, PyAny>,
    files: BTreeMap<u32, File>,
    pending: Pending,
}

/// Of standard streams: a character device that anybody may read and write.
const TERMINAL: u32 = 0o020_666;
/// An ordinary file that its owner may write.
const FILE: u32 = 0o100_644;

impl<'py> PythonHost<'py> {
    pub fn new(standard: Bound<'py, PyAny>, pending: Pending) -> Self {
        PythonHost { standard, files: BTreeMap::new(), pending }
    }

    fn file(&mut self, number: u32) -> Result<&mut File, Refusal> {
        self.files.get_mut(&number).ok_or(Refusal::Errno(errno::BADF))
    }

    fn keep(&self, error: PyErr) -> Refusal {
        Refusal::End(self.pending.keep(error))
    }
}

impl Host for PythonHost<'_> {
    fn open(&mut self, path: &[u8], flags: u32, _mode: u32) -> Result<u32, Refusal> {
        let access = flags & open::ACCESS;
        let has = |flag| flags & flag != 0;
        let mut options = OpenOptions::new();
        options.read(access != open::WRITE_ONLY).write(access != 0).append(access != 0 && has(open::APPEND));
        options
            .truncate(access != 0 && has(open::TRUNCATE) && !has(open::APPEND))
            .create(access != 0 && has(open::CREATE));
        options.create_new(access != 0 && has(open::CREATE) && has(open::EXCLUSIVE));
        let file = options.open(text(path)?).map_err(refusal)?;
        let number = (3..).find(|number| !self.files.contains_key(number)).ok_or(Refusal::Errno(errno::MFILE))?;
        self.files.insert(number, file);
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
        let mut bytes = Vec::new();
        self.file(file)?.take(n as u64).read_to_end(&mut bytes).map_err(refusal)?;
        Ok(bytes)
    }

    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        if matches!(file, 1 | 2) {
            let bytes = PyBytes::new(self.standard.py(), bytes);
            return self.standard.call_method1("write", (file, bytes)).map(|_| ()).map_err(|error| self.keep(error));
        }
        self.file(file)?.write_all(bytes).map_err(refusal)
    }

    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        const NOT_SEEKABLE: u32 = 29;
        if file <= 2 {
            return Err(Refusal::Errno(NOT_SEEKABLE));
        }
        let to = match whence {
            Whence::Start => SeekFrom::Start(u64::try_from(offset).map_err(|_| Refusal::Errno(errno::INVAL))?),
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        self.file(file)?.seek(to).map_err(refusal)
    }

    fn stat(&mut self, file: u32) -> Result<Stat, Refusal> {
        if file <= 2 {
            return Ok(Stat { mode: TERMINAL, size_bytes: 0 });
        }
        let known = self.file(file)?.metadata().map_err(refusal)?;
        Ok(Stat { mode: FILE, size_bytes: known.len() })
    }

    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        fs::remove_file(text(path)?).map_err(refusal)
    }

    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        fs::rename(text(from)?, text(to)?).map_err(refusal)
    }
}

fn text(path: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(path).map_err(|_| Refusal::Errno(errno::NOENT))
}

fn refusal(error: io::Error) -> Refusal {
    Refusal::Errno(error.raw_os_error().map_or(errno::IO, |number| number as u32))
}
