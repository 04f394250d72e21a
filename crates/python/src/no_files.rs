//! What stands for `spu_files` in a build without the wing of Linux: a program that wants one of the user's files ends
//! its run with a line that says why.

use pyo3::prelude::*;
use spu::calls::host::{Host, Refusal, errno};

struct NoFiles {
    /// Whether the user wants programs to reach files.
    wanted: bool,
}

/// No files. `reach` is `none`, `cwd` or `all`; with `none`, the program is told that it lacks permission, as everywhere.
pub fn within(reach: &str) -> PyResult<Box<dyn Host>> {
    Ok(Box::new(NoFiles { wanted: reach != "none" }))
}

impl NoFiles {
    fn refuse<T>(&self, path: &[u8]) -> Result<T, Refusal> {
        Err(match self.wanted {
            true => Refusal::End(format!(
                "the file {:?} is wanted, but here programs reach no files; use Linux or macOS, or refuse files to it \
                 (files: none)",
                String::from_utf8_lossy(path)
            )),
            false => Refusal::Errno(errno::ACCES),
        })
    }
}

impl Host for NoFiles {
    fn open(&mut self, path: &[u8], _flags: u32, _mode: u32) -> Result<u32, Refusal> {
        self.refuse(path)
    }

    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        self.refuse(path)
    }

    fn rename(&mut self, from: &[u8], _to: &[u8]) -> Result<(), Refusal> {
        self.refuse(from)
    }
}
