//! The host, which opens files and shows output for SPU programs.
//!
//! This crate does no input or output itself. Flags and error numbers are those of Linux: the program's C library has
//! already translated its own numbers into Linux numbers.

/// Flags of `open`.
pub mod open {
    /// Open for writing only. (The value 0 opens for reading only.)
    pub const WRITE_ONLY: u32 = 0x1;
    /// Open for reading and writing.
    pub const READ_WRITE: u32 = 0x2;
    /// The mask of the two bits that specify the access mode.
    pub const ACCESS: u32 = 0x3;
    /// Create the file if it does not exist.
    pub const CREATE: u32 = 0x40;
    /// Fail if the file exists. Used together with `CREATE`.
    pub const EXCLUSIVE: u32 = 0x80;
    /// Truncate the file.
    pub const TRUNCATE: u32 = 0x200;
    /// Append every write.
    pub const APPEND: u32 = 0x400;
}

/// The values of `errno` that report why a call failed.
pub mod errno {
    /// The file does not exist.
    pub const NOENT: u32 = 2;
    /// Input or output failed.
    pub const IO: u32 = 5;
    /// The file is not open.
    pub const BADF: u32 = 9;
    /// The program lacks permission.
    pub const ACCES: u32 = 13;
    /// The address is bad.
    pub const FAULT: u32 = 14;
    /// An argument is invalid.
    pub const INVAL: u32 = 22;
    /// Too many files are open.
    pub const MFILE: u32 = 24;
    /// The file has no positions.
    pub const SPIPE: u32 = 29;
    /// The call does not exist.
    pub const NOSYS: u32 = 38;
    /// A value is too large for its type.
    pub const OVERFLOW: u32 = 75;
}

/// A host's refusal of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The call fails with this `errno`.
    Errno(u32),
    /// The run ends with this error message.
    End(String),
}

/// The origin of a seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    /// The file's beginning.
    Start,
    /// The current position.
    Current,
    /// The file's end.
    End,
}

/// The status of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stat {
    /// Type and permissions, encoded as in Linux.
    pub mode: u32,
    /// The size of the file.
    pub size_bytes: u64,
}

/// Opens, reads and writes files for programs. Files 0, 1 and 2 are open from the start. The default implementation of
/// each operation fails as if the file did not exist.
pub trait Host {
    /// Opens a file. Returns the file's number.
    ///
    /// # Errors
    /// The file cannot be opened.
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, Refusal> {
        let _ = (path, flags, mode);
        Err(Refusal::Errno(errno::NOENT))
    }
    /// Closes a file.
    ///
    /// # Errors
    /// The file is not open.
    fn close(&mut self, file: u32) -> Result<(), Refusal> {
        let _ = file;
        Err(Refusal::Errno(errno::BADF))
    }
    /// Reads up to `n` bytes; an empty result marks the end of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read(&mut self, file: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        let _ = (file, n);
        Err(Refusal::Errno(errno::BADF))
    }
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// The file cannot be written.
    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        let _ = (file, bytes);
        Err(Refusal::Errno(errno::BADF))
    }
    /// Seeks to another position in a file. Returns the new position.
    ///
    /// # Errors
    /// The file does not allow a seek to that position.
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        let _ = (file, offset, whence);
        Err(Refusal::Errno(errno::BADF))
    }
    /// The status of an open file.
    ///
    /// # Errors
    /// The file is not open.
    fn stat(&mut self, file: u32) -> Result<Stat, Refusal> {
        let _ = file;
        Err(Refusal::Errno(errno::BADF))
    }
    /// Removes a file.
    ///
    /// # Errors
    /// The file cannot be removed.
    fn remove(&mut self, path: &[u8]) -> Result<(), Refusal> {
        let _ = path;
        Err(Refusal::Errno(errno::NOENT))
    }
    /// Renames a file.
    ///
    /// # Errors
    /// The file cannot be renamed.
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Refusal> {
        let _ = (from, to);
        Err(Refusal::Errno(errno::NOENT))
    }
}

/// A host without files that discards all output.
pub struct NoFiles;

impl Host for NoFiles {}
