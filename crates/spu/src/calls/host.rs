//! The host, which opens files and shows output for SPU programs.
//!
//! This crate does no input or output itself.  Flags and error numbers are those of Linux: a program's
//! library has translated its own to them.

/// Flags of `open`.
pub mod open {
    /// Write only; 0 is read only.
    pub const WRITE_ONLY: u32 = 0x1;
    /// Read and write.
    pub const READ_WRITE: u32 = 0x2;
    /// Both bits of the access.
    pub const ACCESS: u32 = 0x3;
    /// Make the file if there is none.
    pub const CREATE: u32 = 0x40;
    /// ... and fail if there is one.
    pub const EXCLUSIVE: u32 = 0x80;
    /// Empty it.
    pub const TRUNCATE: u32 = 0x200;
    /// Write at its end.
    pub const APPEND: u32 = 0x400;
}

/// Why a call failed, as `errno`.
pub mod errno {
    /// No such file.
    pub const NOENT: u32 = 2;
    /// Input or output failed.
    pub const IO: u32 = 5;
    /// No such open file.
    pub const BADF: u32 = 9;
    /// A bad address.
    pub const FAULT: u32 = 14;
    /// An invalid argument.
    pub const INVAL: u32 = 22;
    /// Too many open files.
    pub const MFILE: u32 = 24;
    /// No such call.
    pub const NOSYS: u32 = 38;
    /// A value too large for its type.
    pub const OVERFLOW: u32 = 75;
}

/// How a host refuses what it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The call fails with this `errno`.
    Errno(u32),
    /// The run ends, with this line.
    End(String),
}

/// Where `seek` counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    /// The file's beginning.
    Start,
    /// The current position.
    Current,
    /// Its end.
    End,
}

/// What is known of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stat {
    /// Type and permissions, as Linux has them.
    pub mode: u32,
    /// Size.
    pub size_bytes: u64,
}

/// Opens, reads and writes files for programs; 0, 1 and 2 are open from the start.  Operations that a host
/// does not implement are refused as if there were no file.
pub trait Host {
    /// Opens a file; its number.
    ///
    /// # Errors
    /// It cannot.
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, Refusal> {
        let _ = (path, flags, mode);
        Err(Refusal::Errno(errno::NOENT))
    }
    /// Closes a file.
    ///
    /// # Errors
    /// It is not open.
    fn close(&mut self, file: u32) -> Result<(), Refusal> {
        let _ = file;
        Err(Refusal::Errno(errno::BADF))
    }
    /// Reads up to `n` bytes; none at the end.
    ///
    /// # Errors
    /// It cannot.
    fn read(&mut self, file: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        let _ = (file, n);
        Err(Refusal::Errno(errno::BADF))
    }
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// It cannot.
    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        let _ = (file, bytes);
        Err(Refusal::Errno(errno::BADF))
    }
    /// Moves to another position in a file; the new position.
    ///
    /// # Errors
    /// It cannot.
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        let _ = (file, offset, whence);
        Err(Refusal::Errno(errno::BADF))
    }
    /// What is known of an open file.
    ///
    /// # Errors
    /// It is not open.
    fn stat(&mut self, file: u32) -> Result<Stat, Refusal> {
        let _ = file;
        Err(Refusal::Errno(errno::BADF))
    }
    /// Removes a file.
    ///
    /// # Errors
    /// It cannot.
    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        let _ = path;
        Err(Refusal::Errno(errno::NOENT))
    }
    /// Renames a file.
    ///
    /// # Errors
    /// It cannot.
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        let _ = (from, to);
        Err(Refusal::Errno(errno::NOENT))
    }
}

/// A host without files, which also drops all output.
pub struct NoFiles;

impl Host for NoFiles {}
