//! The host of SPU programs: standard streams served by Python, and the user's files.

use crate::errors::Pending;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spu::calls::host::{Host, Refusal, Stat, Whence, errno};

/// Serves descriptors 0, 1 and 2 by Python, and all others by another host.
pub struct PythonHost<'py> {
    /// Python object with `read(n)` for standard input and `write(file, bytes)` for the two output streams.
    standard: Bound<'py, PyAny>,
    files: Box<dyn Host>,
    pending: Pending,
}

/// Mode of standard streams: a character device that anybody may read and write.
const TERMINAL: u32 = 0o020_666;

impl<'py> PythonHost<'py> {
    pub fn new(standard: Bound<'py, PyAny>, files: Box<dyn Host>, pending: Pending) -> Self {
        PythonHost { standard, files, pending }
    }

    fn keep(&self, error: PyErr) -> Refusal {
        Refusal::End(self.pending.keep(error))
    }
}

impl Host for PythonHost<'_> {
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, Refusal> {
        self.files.open(path, flags, mode)
    }

    fn close(&mut self, file: u32) -> Result<(), Refusal> {
        if file > 2 { self.files.close(file) } else { Ok(()) }
    }

    fn read(&mut self, file: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        if file != 0 {
            return self.files.read(file, n);
        }
        let read = self.standard.call_method1("read", (n,)).and_then(|bytes| bytes.extract::<Vec<u8>>());
        read.map_err(|error| self.keep(error))
    }

    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        if !matches!(file, 1 | 2) {
            return self.files.write(file, bytes);
        }
        let bytes = PyBytes::new(self.standard.py(), bytes);
        self.standard.call_method1("write", (file, bytes)).map(|_| ()).map_err(|error| self.keep(error))
    }

    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        if file > 2 { self.files.seek(file, offset, whence) } else { Err(Refusal::Errno(errno::SPIPE)) }
    }

    fn stat(&mut self, file: u32) -> Result<Stat, Refusal> {
        if file > 2 { self.files.stat(file) } else { Ok(Stat { mode: TERMINAL, size_bytes: 0 }) }
    }

    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        self.files.remove(path)
    }

    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        self.files.rename(from, to)
    }
}
